//! What several specifications need and none owns: YAML with positions ([`yaml`]), and the removal of secrets and
//! personal data from texts ([`scrub`]), digests as text ([`digest`]) and times as text ([`time`]).
//!
//! Pure: no disk, socket, SQL, clock or environment.

pub mod digest;
pub mod scrub;
pub mod time;
pub mod yaml;
