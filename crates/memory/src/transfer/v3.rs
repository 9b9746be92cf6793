//! What a store of the version 3 of the orchestrator holds.

use crate::model::{Pipelines, Record};

/// The records of such a store, and what was the matter with them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dump {
    /// The pipelines that were fixed there.
    pub pipelines: Option<Pipelines>,
    /// Everything, in the order of an export.
    pub records: Vec<Record>,
    /// What was left out or is not as it should be.
    pub remarks: Vec<String>,
}
