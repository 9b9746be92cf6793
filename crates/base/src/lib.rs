//! What several specifications need and none owns: JSON and YAML with positions ([`json`], [`yaml`]), the removal of
//! secrets and personal data from texts ([`scrub`]), https addresses ([`address`]), digests and times as text ([`digest`],
//! [`time`]), percent-encoding ([`percent`]), and small formats of messages and names.
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod address;
pub mod camel;
pub mod counted;
pub mod digest;
pub mod excerpt;
pub mod json;
pub mod percent;
pub mod scrub;
pub mod time;
pub mod yaml;
