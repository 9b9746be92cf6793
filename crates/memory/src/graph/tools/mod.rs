//! The tools of the graph, under the names and with the arguments that the text gives them.

mod graph_commit;
mod manage_changelog;
mod manage_graph;
mod query_graph;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

pub(crate) use graph_commit::read as read_commit;
pub use graph_commit::{GraphCommit, GraphCommitRequest};
pub use manage_changelog::{ManageChangelog, ManageChangelogRequest};
pub use manage_graph::{ManageGraph, ManageGraphRequest};
pub use query_graph::{QueryGraph, QueryGraphRequest};

use super::input::Mode;
use crate::check::{choice, invalid};
use crate::id::Id;
use crate::store::Got;

/// An argument of which null says something else than nothing: it takes an atom out of its molecule.
pub type Molecules = Option<Value>;

/// Reads an argument that is there, be it null.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Molecules, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The molecule that an argument means: none of it said, none, or one.
pub(super) fn molecule_id(given: &Molecules, read: impl Fn(&str) -> Got<Id>) -> Got<Option<Option<Id>>> {
    match given {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(Value::String(text)) if matches!(text.trim(), "" | "null") => Ok(Some(None)),
        Some(Value::String(text)) => read(text).map(|id| Some(Some(id))),
        Some(_) => Err(invalid("moleculeId", "`moleculeId` is a UUID or null")),
    }
}

/// How knowledge is written.
pub(super) fn mode(given: Option<&str>) -> Got<Mode> {
    let Some(given) = given else {
        return Ok(Mode::default());
    };
    Ok(match choice("knowledgeMode", given, &["overwrite", "append"])? {
        "append" => Mode::Append,
        _ => Mode::Overwrite,
    })
}

#[cfg(test)]
mod tests;
