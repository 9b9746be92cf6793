//! The cache entry of a repository: its bodies, their addresses, and the facts that were known when they were fetched (clause C7).

use serde::{Deserialize, Serialize};

use crate::body::BodyFacts;
use crate::forge::RepositoryId;
use crate::format::{Commit, FormatId};
use lore_seam::{ErrorKind, OpError};

/// What is kept of one repository.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct CachedRepository {
    /// Whose graphs, as it was given.
    pub repository: String,
    /// What the repository itself says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<CachedRecord>,
    /// The graphs, by format.
    pub graphs: Vec<CachedGraph>,
}

/// A record as it was fetched.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct CachedRecord {
    /// Its address.
    pub url: String,
    /// The server's mark for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// Its text.
    pub text: String,
}

/// A graph that was fetched and found to be good.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct CachedGraph {
    /// Its format.
    pub format: String,
    /// Where it is.
    pub url: String,
    /// SHA-256 of its body, by which the body is kept.
    pub digest: String,
    /// Bytes of its body.
    pub bytes: u64,
    /// Its nodes.
    pub nodes: u64,
    /// Its edges.
    pub edges: u64,
    /// Ten kinds of nodes at most, the most frequent first.
    pub top_kinds: Vec<(String, u64)>,
    /// Its languages.
    pub languages: Vec<String>,
    /// The commit that it was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_sha: Option<String>,
    /// The tool that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The version of that tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<String>,
    /// The server's mark for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// When it was changed, as the server says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// When its body was fetched.
    pub fetched_at: String,
    /// When it was last found to be unchanged.
    pub checked_at: String,
    /// How it was found.
    pub via: Via,
}

/// How a graph was found.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// By the repository's own record.
    #[default]
    Record,
    /// By an aggregator at this address.
    Aggregator(String),
    /// By an address that was named.
    Address,
}

/// SHA-256 of a body, in hexadecimal.
pub fn digest(body: &[u8]) -> String {
    lore_base::digest::sha256(body)
}

impl CachedGraph {
    /// What is kept of a body that was fetched just now.
    pub fn of(format: &FormatId, url: &str, facts: &BodyFacts, via: Via) -> Self {
        Self {
            format: format.to_string(),
            url: url.to_owned(),
            digest: facts.digest.clone(),
            bytes: facts.bytes,
            nodes: facts.nodes,
            edges: facts.edges,
            top_kinds: facts.top_kinds.clone(),
            languages: facts.languages.clone(),
            source_sha: facts.source_sha.as_ref().map(|commit| commit.as_str().to_owned()),
            tool: facts.tool.clone(),
            tool_version: facts.tool_version.clone(),
            generated_at: facts.generated_at.clone(),
            via,
            ..Self::default()
        }
    }

    /// The error if the body was removed from the cache, which can happen at any time.
    pub fn gone(&self, repository: &RepositoryId) -> OpError {
        let message = format!("the body of {repository} is no longer in the cache");
        OpError::new(ErrorKind::NotFound, message).hint(format!("fetch it with `lore graph get {repository}`"))
    }

    /// Its format, if it is one.
    pub fn format(&self) -> Option<FormatId> {
        FormatId::parse(&self.format)
    }

    /// The commit that it was made from.
    pub fn source_sha(&self) -> Option<Commit> {
        self.source_sha.as_deref().and_then(Commit::parse)
    }
}

impl CachedRepository {
    /// Nothing yet.
    pub fn of(repository: &RepositoryId) -> Self {
        Self {
            repository: repository.to_string(),
            ..Self::default()
        }
    }

    /// The graph of a format at an address.
    pub fn graph_at(&self, format: &FormatId, url: &str) -> Option<&CachedGraph> {
        let format = format.to_string();
        self.graphs
            .iter()
            .find(|graph| graph.format == format && graph.url == url)
    }

    /// The graph of a format.
    pub fn graph(&self, format: &FormatId) -> Option<&CachedGraph> {
        let format = format.to_string();
        self.graphs.iter().find(|graph| graph.format == format)
    }

    /// Takes a graph in, in place of the one of its format.
    pub fn put(&mut self, graph: CachedGraph) {
        self.graphs.retain(|known| known.format != graph.format);
        self.graphs.push(graph);
        self.graphs.sort_by(|one, other| one.format.cmp(&other.format));
    }
}
