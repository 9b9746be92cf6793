//! Where the manifest of a directory or a site is: every place that may name one, and which wins (clauses D1 to D8, rulings A34, A36).

pub mod llms;
mod operation;
mod places;
#[cfg(test)]
mod tests;
pub mod well_known;

pub use self::operation::{DiscoverAnswer, DiscoverRequest, FoundPlace, UnitDiscover};
pub use self::well_known::{CARDS, Network};
use super::federation::Address;
use super::finding::shown;
use super::path;

/// Where a document says that a manifest is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pointer {
    /// At a path from the root of the repository or site.
    Path(String),
    /// At an address.
    Url(String),
    /// Nowhere that can be followed, and why.
    Bad(String),
}

impl Pointer {
    /// What a value means: `/…` is a path from the root, an https address is itself.
    pub fn parse(value: &str) -> Self {
        if let Some(below) = value.strip_prefix('/')
            && !below.starts_with('/')
        {
            return match path::check(below) {
                Ok(_) => Self::Path(path::normal(below)),
                Err(fault) => Self::Bad(format!("`{}` {}", shown(value), fault.reason())),
            };
        }
        match Address::parse(value) {
            Ok(address) => Self::Url(address.to_string()),
            Err(fault) => Self::Bad(format!(
                "`{}` is no path from the root and, as an address, {}",
                shown(value),
                fault.reason()
            )),
        }
    }
}
