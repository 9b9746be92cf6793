//! What several specifications need and none owns: YAML with positions ([`yaml`]), the removal of secrets and personal
//! data from texts ([`scrub`]), https addresses ([`address`]), and digests as text ([`digest`]).
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod address;
pub mod digest;
pub mod scrub;
pub mod yaml;
