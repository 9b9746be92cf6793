//! What `context` tells, field by field as the text has it; `version`, `stale`, `suggestions`, `renames`, `note` and `malformedEntries` are added.

use schemars::JsonSchema;
use serde::Serialize;

use crate::graph::renames::Rename;
use crate::graph::staleness::Stale;
use crate::graph::suggest::Suggestion;
use crate::id::Id;
use crate::model::{Entry, RelatedAtom, RelatedMolecule};

/// What is known around some files
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Molecules with atoms that cover one of the files, by name
    pub molecules: Vec<ContextMolecule>,
    /// Atoms without a molecule that cover one of the files
    pub orphan_atoms: Vec<ContextAtom>,
    /// Files that no atom covers
    pub unmatched_paths: Vec<String>,
    /// Suggestions for these files
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// Patterns whose files were renamed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renames: Vec<Rename>,
    /// A remark
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Entries of Context Files that are not paths
    #[serde(skip_serializing_if = "Option::is_none")]
    pub malformed_entries: Option<usize>,
}

/// A molecule with the atoms that cover one of the files
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextMolecule {
    /// The id
    pub id: Id,
    /// The name
    pub name: String,
    /// The knowledge
    pub knowledge: String,
    /// Atoms of the molecule that cover one of the files, by name
    pub atoms: Vec<ContextAtom>,
    /// Related items
    pub related_molecules: Vec<RelatedByName>,
    /// The latest changelog entries
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
    /// The version
    pub version: i64,
}

/// An atom that covers one of the files
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextAtom {
    /// The id
    pub id: Id,
    /// The name
    pub name: String,
    /// The knowledge
    pub knowledge: String,
    /// The requested files that the atom covers
    pub matched_paths: Vec<String>,
    /// Related items
    pub related_atoms: Vec<RelatedByName>,
    /// The latest changelog entries
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
    /// The version
    pub version: i64,
    /// Changes since the last confirmation
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<Stale>,
}

/// What something has to do with
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelatedByName {
    /// The atom
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atom_id: Option<Id>,
    /// The molecule
    #[serde(skip_serializing_if = "Option::is_none")]
    pub molecule_id: Option<Id>,
    /// The name; null if it was deleted
    pub name: Option<String>,
    /// The reason
    pub reason: String,
    /// Whether it was deleted
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

impl RelatedByName {
    pub(super) fn atom(known: &RelatedAtom, name: Option<&String>) -> Self {
        Self {
            atom_id: Some(known.atom_id),
            molecule_id: None,
            name: name.cloned(),
            reason: known.reason.clone(),
            missing: name.is_none(),
        }
    }

    pub(super) fn molecule(known: &RelatedMolecule, name: Option<&String>) -> Self {
        Self {
            atom_id: None,
            molecule_id: Some(known.molecule_id),
            name: name.cloned(),
            reason: known.reason.clone(),
            missing: name.is_none(),
        }
    }
}

/// An entry of a changelog, told with what it is about
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InlineEntry {
    /// The task
    pub task_id: Id,
    /// The entry
    pub summary: String,
    /// The time
    pub created_at: String,
}

impl From<Entry> for InlineEntry {
    fn from(entry: Entry) -> Self {
        Self {
            task_id: entry.task_id,
            summary: entry.summary,
            created_at: entry.created_at,
        }
    }
}
