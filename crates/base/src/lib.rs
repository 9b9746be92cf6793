//! What several specifications need and none owns: JSON and YAML with positions ([`json`], [`yaml`]), the removal of
//! secrets and personal data from texts ([`scrub`]), and digests as text ([`digest`]).
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod digest;
pub mod json;
pub mod scrub;
pub mod yaml;
