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
    /// Molecules by name, each with the atoms that cover one of the files
    pub molecules: Vec<ContextMolecule>,
    /// Atoms without a molecule that cover one of the files
    pub orphan_atoms: Vec<ContextAtom>,
    /// Files that no atom covers
    pub unmatched_paths: Vec<String>,
    /// What to do about those
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
    /// Patterns whose files were renamed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renames: Vec<Rename>,
    /// A remark
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How many entries of Context Files are no paths
    #[serde(skip_serializing_if = "Option::is_none")]
    pub malformed_entries: Option<usize>,
}

/// A molecule with the atoms that cover one of the files
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextMolecule {
    /// Which one
    pub id: Id,
    /// What it is called
    pub name: String,
    /// What holds for all of its atoms
    pub knowledge: String,
    /// Its atoms that cover one of the files, by name
    pub atoms: Vec<ContextAtom>,
    /// What it has to do with
    pub related_molecules: Vec<RelatedByName>,
    /// Its last changes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
    /// How often it was written
    pub version: i64,
}

/// An atom that covers one of the files
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextAtom {
    /// Which one
    pub id: Id,
    /// What it is called
    pub name: String,
    /// What one has to know there
    pub knowledge: String,
    /// The files that it covers, as they were asked for
    pub matched_paths: Vec<String>,
    /// What it has to do with
    pub related_atoms: Vec<RelatedByName>,
    /// Its last changes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
    /// How often it was written
    pub version: i64,
    /// What changed since it was last confirmed
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
    /// What it is called; null if it is gone
    pub name: Option<String>,
    /// Why
    pub reason: String,
    /// Whether it is gone
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
    /// The task that brought it
    pub task_id: Id,
    /// What changed and why
    pub summary: String,
    /// When it was told
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
