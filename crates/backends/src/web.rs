//! The web, by https.

use lore_specs::seam::{ErrorKind, FetchLimits, Fetched, OpError, Web};

/// The web as this machine reaches it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemWeb;

impl Web for SystemWeb {
    fn get(&self, url: &str, _: &FetchLimits) -> Result<Fetched, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, format!("{url} cannot be fetched")))
    }
}
