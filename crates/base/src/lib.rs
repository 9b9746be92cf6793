//! What several specifications need and none owns: JSON and YAML with positions ([`json`], [`yaml`]), the removal of
//! secrets and personal data from texts ([`scrub`]), digests as text ([`digest`]),
//! percent-encoding ([`percent`]), and small formats of messages and names.
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod camel;
pub mod counted;
//! What several specifications need and none owns: YAML with positions ([`yaml`]), the removal of secrets and personal
//! data from texts ([`scrub`]), https addresses ([`address`]), and digests as text ([`digest`]).
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod address;
pub mod digest;
pub mod excerpt;
pub mod json;
pub mod percent;
pub mod scrub;
pub mod yaml;
