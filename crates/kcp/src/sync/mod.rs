//! `lore unit sync`: a manifest that is in step with the files again (clause G2). Only what changed is touched; comments and unknown fields stay.
//!
//! `changes` says what differs and edits the document, `operation` writes it.

mod changes;
mod operation;
#[cfg(test)]
mod tests;

pub use self::changes::{ChangedField, MissingFile, SyncedUnit, VersionChange};
pub use self::operation::{UnitSync, UnitSyncAnswer, UnitSyncRequest};
