//! The facts in a body: repository, commit, tool, and whether the graph is complete.

use serde::{Deserialize, Serialize};

use super::rows::shown;

/// What is known of a graph besides the graph.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct About {
    /// The address of the repository.
    pub repository: Option<String>,
    /// The name of the repository, where it has no address.
    pub name: Option<String>,
    /// The commit, in full.
    pub commit: Option<String>,
    /// Whether the files differed from that commit's.
    pub dirty: bool,
    /// What made it.
    pub tool: Option<String>,
    /// Which version of it.
    pub tool_version: Option<String>,
    /// When, in UTC.
    pub generated_at: Option<String>,
    /// What is not in it, if it is a part.
    pub partial: Option<Partial>,
    /// Nodes and edges of kinds that this version of Lore does not know, which were left out.
    pub unknown: u64,
}

/// How much of a graph there is.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Partial {
    /// Why the graph is incomplete, in the words of its producer.
    pub reason: String,
    /// Files.
    pub files: Option<Share>,
    /// Symbols.
    pub symbols: Option<Share>,
    /// Edges.
    pub edges: Option<Share>,
}

/// Some of many.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Share {
    /// How many there are.
    pub kept: u64,
    /// Of how many.
    pub of: u64,
}

impl About {
    /// One line about the graph for every answer from it. `which` names the graph: `of acme/shop`, `in graph.json`.
    pub fn remark(&self, which: &str) -> String {
        let mut remark = format!("from the published graph {}", shown(which));
        match &self.commit {
            Some(commit) => {
                remark.push_str(&format!(" at {}", commit.get(..12).unwrap_or(commit)));
                if self.dirty {
                    remark.push_str(" with uncommitted changes");
                }
            }
            None => remark.push_str(" at an unknown commit"),
        }
        if let Some(tool) = &self.tool {
            remark.push_str(&format!(", made by {}", shown(tool)));
            if let Some(version) = &self.tool_version {
                remark.push_str(&format!(" {}", shown(version)));
            }
        }
        if let Some(time) = &self.generated_at {
            remark.push_str(&format!(" at {}", shown(time)));
        }
        if let Some(partial) = &self.partial {
            remark.push_str(&format!("; {}", partial.remark()));
        }
        if self.unknown > 0 {
            remark.push_str(&format!(
                "; left out {} nodes and edges of kinds that this version does not know",
                self.unknown
            ));
        }
        remark
    }
}

impl Partial {
    fn remark(&self) -> String {
        let shares = [("files", self.files), ("symbols", self.symbols), ("edges", self.edges)];
        let shares: Vec<String> = shares
            .into_iter()
            .filter_map(|(what, share)| share.map(|share| format!("{} of {} {what}", share.kept, share.of)))
            .collect();
        let mut remark = "a part of the graph".to_owned();
        if !shares.is_empty() {
            remark.push_str(&format!(" ({})", shares.join(", ")));
        }
        if !self.reason.is_empty() {
            remark.push_str(&format!(": {}", shown(&self.reason)));
        }
        remark
    }
}
