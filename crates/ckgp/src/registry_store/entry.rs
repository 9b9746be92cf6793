//! The registry's entry of a repository: its graphs, their statuses, and the validators for conditional requests (clause A2; rulings 5, 6, 7).

use serde::{Deserialize, Serialize};

use super::status::Status;
use crate::forge::{GraphId, RepositoryId};
use crate::format::{Commit, FormatId};

/// Seconds since 1970.
pub type Seconds = i64;

/// A repository in the registry. It has at least one graph; the first one is the primary.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The repository, written as it was given.
    pub repository: RepositoryId,
    /// The directory that is read instead of a forge, for a repository of this machine. It is never published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The branch that its graphs are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// The description that was registered; a graph's own description comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The tags that were registered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// When it was registered.
    pub added_at: Seconds,
    /// What is known of its record.
    #[serde(default)]
    pub record: RecordMark,
    /// The tip of the default branch; nothing unless a graph says which commit it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_sha: Option<Commit>,
    /// When the tip was last asked for, whether there was an answer or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_checked_at: Option<Seconds>,
    /// Its name now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<RepositoryId>,
    /// Who took it back, when and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revocation: Option<Revocation>,
    /// When it was last visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visited_at: Option<Seconds>,
    /// How long after a visit it is visited again, in seconds, from how often it changed.
    #[serde(default)]
    pub interval: u32,
    /// Its graphs, the primary first.
    pub graphs: Vec<Graph>,
}

/// What is known of the record of a repository.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct RecordMark {
    /// Where it was found; nothing if none was ever found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The server's mark for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// When it was changed, as the server says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// Visits in a row that did not find it any more.
    #[serde(skip_serializing_if = "is_zero")]
    pub misses: u32,
    /// Why it could not be used the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The revocation of a repository or graph, which remains as a tombstone (clause S10).
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Revocation {
    /// When.
    pub at: Seconds,
    /// By whom.
    pub by: RevokedBy,
    /// The reason, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Who took something back.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum RevokedBy {
    /// The operator of the registry.
    Registry,
    /// The producer, who removed the record.
    Producer,
}

/// A graph of a repository.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Graph {
    /// Its format; `None` as long as no record was found and no format was registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<FormatId>,
    /// Where its body is; nothing in the same case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_url: Option<String>,
    /// Whether the repository's own record names it, not only the registration.
    #[serde(skip_serializing_if = "is_false")]
    pub is_recorded: bool,
    /// A line about it, from the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Words about it, from the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The version of the tool that made it, from the body or else the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// When it was made, from the body or else the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<String>,
    /// The commit that the record names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_sha: Option<Commit>,
    /// How it is.
    pub status: Status,
    /// What was wrong the last time: one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Visits in a row that found nothing.
    #[serde(skip_serializing_if = "is_zero")]
    pub miss_count: u32,
    /// When it was last asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_synced: Option<Seconds>,
    /// The marks of the last body that was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// SHA-256 of the last body that was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sha: Option<String>,
    /// Bytes of that body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// What that body holds; it is shown only while the graph is `ok` ([`Graph::shown_stats`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
    /// What is not as it should be, and no reason to refuse the body.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The commit that the body names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_sha: Option<Commit>,
    /// The commit that it was made from: what the body says, else what the record says (clause R1, ruling 21).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_sha: Option<Commit>,
    /// Commits that the default branch has and the graph has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits_behind: Option<u64>,
    /// The revocation of this graph alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revocation: Option<Revocation>,
}

/// What a server said of the last body that was accepted, so that it need not be sent again.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Marks {
    /// The server's mark for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// When it was changed, as the server says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The schema by which it was judged, as a digest; another schema needs the body again.
    pub schema: String,
}

/// What a body holds.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct Stats {
    /// Nodes.
    pub nodes: u64,
    /// Edges.
    pub edges: u64,
    /// Kinds of nodes and how many of each, the most frequent first.
    pub top_kinds: Vec<(String, u64)>,
    /// Languages, in small letters and in order.
    pub languages: Vec<String>,
}

impl Entry {
    /// A repository that was not visited yet. If no graph is named, its record says which it has.
    pub fn new(repository: RepositoryId, named: Option<(FormatId, String)>, added_at: Seconds) -> Self {
        let graph = match named {
            Some((format, url)) => Graph {
                format: Some(format),
                graph_url: Some(url),
                ..Graph::default()
            },
            None => Graph::default(),
        };
        Self {
            repository,
            directory: None,
            default_branch: None,
            description: None,
            tags: Vec::new(),
            added_at,
            record: RecordMark::default(),
            head_sha: None,
            drift_checked_at: None,
            renamed_to: None,
            revocation: None,
            visited_at: None,
            interval: 0,
            graphs: vec![graph],
        }
    }

    /// The primary graph: the first one that is not revoked alone.
    pub fn primary(&self) -> &Graph {
        let standing = self.graphs.iter().find(|graph| graph.revocation.is_none());
        standing
            .or(self.graphs.first())
            .expect("because an entry is made with a graph, and a visit never leaves it without one")
    }

    /// The status of the repository: that of its primary graph. A rename or revocation of the repository is one of all its graphs.
    pub fn status(&self) -> Status {
        self.primary().status
    }

    /// Whether only the revocation remains.
    pub fn is_tombstone(&self) -> bool {
        self.revocation.is_some() || self.status() == Status::Revoked
    }

    /// Whether it is never visited: it is revoked or renamed.
    pub fn is_at_rest(&self) -> bool {
        self.revocation.is_some() || self.renamed_to.is_some()
    }

    /// The graph of a format, or the primary.
    pub fn graph(&self, format: Option<&FormatId>) -> Option<&Graph> {
        match format {
            None => Some(self.primary()),
            Some(format) => self.graphs.iter().find(|graph| graph.format.as_ref() == Some(format)),
        }
    }

    /// The id of a graph: the repository's for the primary, `owner/repo#format` for another (ruling 5).
    pub fn id_of(&self, graph: &Graph) -> GraphId {
        let is_primary = self.primary().format == graph.format;
        GraphId {
            repository: self.repository.clone(),
            format: graph.format.clone().filter(|_| !is_primary),
        }
    }

    /// The description: of the primary graph, else of the registration.
    pub fn description(&self) -> Option<&str> {
        self.primary().description.as_deref().or(self.description.as_deref())
    }

    /// The words about it, in the same order.
    pub fn tags(&self) -> &[String] {
        match self.primary().tags.as_slice() {
            [] => &self.tags,
            tags => tags,
        }
    }

    /// The digests of its bodies, except those of revoked graphs.
    pub fn held(&self) -> impl Iterator<Item = &str> {
        let graphs = self.graphs.iter().filter(|graph| !graph.status.is_at_rest());
        graphs.filter_map(|graph| graph.last_sha.as_deref())
    }
}

impl Graph {
    /// The published statistics of the body: only while it is usable (step 6 of a visit).
    pub fn shown_stats(&self) -> Option<&Stats> {
        self.stats.as_ref().filter(|_| self.status == Status::Ok)
    }

    /// Removes everything but the name: a revoked or renamed repository has no bodies.
    fn rest(&mut self, status: Status) {
        *self = Self {
            format: self.format.take(),
            graph_url: self.graph_url.take(),
            is_recorded: self.is_recorded,
            last_synced: self.last_synced,
            revocation: self.revocation.take(),
            status,
            ..Self::default()
        };
    }
}

impl Entry {
    /// Takes all of it back, or the graph of one format. What remains is a tombstone (clause S10).
    pub fn revoke(&mut self, format: Option<&FormatId>, revocation: Revocation) {
        let is_meant = |graph: &&mut Graph| format.is_none() || graph.format.as_ref() == format;
        for graph in self.graphs.iter_mut().filter(is_meant) {
            graph.rest(Status::Revoked);
            if format.is_some() {
                graph.revocation = Some(revocation.clone());
            }
        }
        if format.is_none() {
            self.revocation = Some(revocation);
            self.head_sha = None;
        }
    }

    /// Renames the repository; its data belongs to the new name.
    pub fn rename(&mut self, to: RepositoryId) {
        self.graphs.iter_mut().for_each(|graph| graph.rest(Status::Renamed));
        self.renamed_to = Some(to);
        self.head_sha = None;
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}
