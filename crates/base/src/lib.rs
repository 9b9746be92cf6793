//! What several specifications need and none owns: YAML with positions ([`yaml`]), and the removal of secrets and
//! personal data from texts ([`scrub`]), and digests as text ([`digest`]).
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod digest;
pub mod scrub;
pub mod yaml;
