//! `.well-known/repos.json`: the short list for agents (clause A3 as amended; ruling 1).

use std::io::{self, Write};

use serde::Serialize;

use super::SCHEMA_VERSION;
use super::list::List;
use super::row::Row;
use lore_ckgp::registry_store::entry::Entry;
use lore_ckgp::registry_store::status::Status;

/// Its path.
pub const PATH: &str = ".well-known/repos.json";

/// The document, entry by entry in the order of their ids.
pub struct ReposList<'w>(List<'w>);

/// An entry in it: how graphs are fetched and judged, and nothing of how the registry is run.
#[derive(Serialize)]
struct Short {
    id: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    local: bool,
    format: Option<String>,
    graph_url: Option<String>,
    last_synced: Option<String>,
    status: Status,
    source_sha: Option<String>,
    last_sha: Option<String>,
    head_sha: Option<String>,
    commits_behind: Option<u64>,
    renamed_to: Option<String>,
    description: String,
    tags: Vec<String>,
}

impl<'w> ReposList<'w> {
    /// Begins it.
    pub fn begin(out: &'w mut dyn Write) -> io::Result<Self> {
        List::begin(out, &[("schema_version", SCHEMA_VERSION.into())], "repos").map(Self)
    }

    /// Writes an entry, unless it was not visited yet.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        let Row {
            id,
            local,
            primary,
            renamed_to,
            ..
        } = Row::of(entry);
        if primary.status == Status::Pending {
            return Ok(());
        }
        self.0.item(&Short {
            id,
            local,
            format: primary.format,
            graph_url: primary.graph_url,
            last_synced: primary.last_synced,
            status: primary.status,
            source_sha: primary.source_sha,
            last_sha: primary.last_sha,
            head_sha: primary.head_sha,
            commits_behind: primary.commits_behind,
            renamed_to,
            description: primary.description,
            tags: primary.tags,
        })
    }

    /// Ends it.
    pub fn end(self) -> io::Result<()> {
        self.0.end()
    }
}

#[cfg(test)]
mod tests;
