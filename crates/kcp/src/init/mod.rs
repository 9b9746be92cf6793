//! `lore unit init`: a first manifest from the documents that a repository has (clauses G1, A35).
//!
//! `scan` says which files are documents, `outline` what each says of itself, `intent` which question it answers, `draft` makes units of them, `operation` writes the manifest.

mod draft;
mod intent;
mod operation;
mod outline;
mod package;
mod scan;
#[cfg(test)]
mod tests;

pub(super) use self::draft::{Draft, Taken, estimate, find};
pub(crate) use self::operation::WELL_KNOWN;
pub use self::operation::{DraftedUnit, SkippedFile, UnitInit, UnitInitAnswer, UnitInitRequest};
