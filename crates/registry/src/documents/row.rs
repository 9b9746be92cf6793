//! The published fields of an entry and of each of its graphs (clauses A2, S10, R2; rulings 1, 5, 6).

use lore_base::time::date_time;
use serde::Serialize;

use lore_ckgp::consumer::untrusted;
use lore_ckgp::forge::{RepositoryId, USUAL_HOST};
use lore_ckgp::record::MOST_TAGS;
use lore_ckgp::registry_store::entry::{Entry, Graph, RevokedBy, Seconds};
use lore_ckgp::registry_store::status::Status;

/// Characters of what was wrong.
const MOST_ERROR: usize = 200;
/// Kinds, and languages, of a graph.
const MOST_KINDS: usize = 10;

/// An entry as `registry.json` and the sparse index have it. Every key is there; what is not known is null.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// `owner/repo`, or `host/owner/repo` where the host is not the usual one; groups inside of groups are part of the owner.
    pub id: String,
    /// The host, where it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Whether it is a directory of the machine of the registry: nobody else can fetch it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub local: bool,
    /// The owner.
    pub owner: String,
    /// The name.
    pub repo: String,
    /// The branch that its graphs are of.
    pub default_branch: Option<String>,
    /// What is published of the primary graph.
    #[serde(flatten)]
    pub primary: GraphRow,
    /// When it was registered.
    pub added_at: String,
    /// Its name now.
    pub renamed_to: Option<String>,
    /// When the tip of the default branch was last asked for.
    pub drift_checked_at: Option<String>,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
    /// Who took it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_by: Option<RevokedBy>,
    /// The graphs behind the primary one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<GraphRow>,
}

/// What is published of a graph.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct GraphRow {
    /// Its format.
    pub format: Option<String>,
    /// Where its body is.
    pub graph_url: Option<String>,
    /// The description, or a generated one.
    pub description: String,
    /// Words about it.
    pub tags: Vec<String>,
    /// How it is.
    pub status: Status,
    /// What was wrong the last time.
    pub last_error: Option<String>,
    /// Visits in a row that found nothing.
    pub miss_count: u32,
    /// When it was last asked for.
    pub last_synced: Option<String>,
    /// SHA-256 of the last body that was accepted.
    pub last_sha: Option<String>,
    /// Bytes of that body.
    pub size_bytes: Option<u64>,
    /// Nodes.
    pub nodes_count: Option<u64>,
    /// Edges.
    pub edges_count: Option<u64>,
    /// The most frequent kinds of nodes.
    pub top_kinds: Option<Vec<KindCount>>,
    /// Languages.
    pub languages: Option<Vec<String>>,
    /// The commit that it was made from.
    pub source_sha: Option<String>,
    /// The tip of the default branch.
    pub head_sha: Option<String>,
    /// Commits that the tip has and the graph has not.
    pub commits_behind: Option<u64>,
    /// Who says that this is a graph of the repository.
    pub trust: Trust,
}

/// How many nodes there are of a kind.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct KindCount {
    /// The kind.
    pub kind: String,
    /// How many.
    pub count: u64,
}

/// Who says that a graph is one of the repository.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// Only the registration names the graph.
    Claimed,
    /// The repository's own record names the graph.
    RecordMatched,
}

impl Row {
    /// The published row of an entry. Of a revoked entry only the revocation remains (clause S10).
    pub fn of(entry: &Entry) -> Self {
        let repository = &entry.repository;
        let host = Some(repository.host()).filter(|host| *host != USUAL_HOST);
        let primary = &entry.primary().format;
        let further = entry
            .graphs
            .iter()
            .filter(|graph| graph.format.is_some() && graph.format != *primary);
        let graphs = if entry.is_tombstone() {
            Vec::new()
        } else {
            further
                .map(|graph| GraphRow::of(entry, graph, graph.description.as_deref(), &graph.tags))
                .collect()
        };
        let of_graph = || entry.primary().revocation.as_ref();
        let revocation = entry.revocation.as_ref().or_else(of_graph);
        Self {
            id: repository.to_string(),
            host: host.map(str::to_owned),
            local: repository.is_local(),
            owner: repository.owner().to_owned(),
            repo: repository.repo().to_owned(),
            default_branch: entry.default_branch.clone(),
            primary: GraphRow::of(entry, entry.primary(), entry.description(), entry.tags()),
            added_at: date_time(entry.added_at),
            renamed_to: entry.renamed_to.as_ref().map(RepositoryId::to_string),
            drift_checked_at: time(entry.drift_checked_at),
            revoked_at: revocation.map(|revocation| date_time(revocation.at)),
            revoked_by: revocation.map(|revocation| revocation.by),
            graphs,
        }
    }
}

impl GraphRow {
    fn of(entry: &Entry, graph: &Graph, description: Option<&str>, tags: &[String]) -> Self {
        if entry.is_tombstone() || graph.status == Status::Revoked {
            return Self::tombstone(entry, graph);
        }
        let stats = graph.stats.as_ref().filter(|_| graph.status == Status::Ok);
        // Without a commit of its own a graph cannot be behind another one (clause R2, ruling 11).
        let source = graph.source_sha.as_ref();
        let description = description.map(untrusted::line).filter(|line| !line.trim().is_empty());
        let kind = |(kind, count): &(String, u64)| KindCount {
            kind: untrusted::name(kind),
            count: *count,
        };
        Self {
            format: graph.format.as_ref().map(ToString::to_string),
            graph_url: graph.graph_url.clone(),
            description: description.unwrap_or_else(|| made_up(entry, graph)),
            tags: tags
                .iter()
                .take(MOST_TAGS.0)
                .map(|tag| untrusted::clean(tag, MOST_TAGS.1))
                .collect(),
            status: graph.status,
            last_error: graph
                .last_error
                .as_deref()
                .map(|error| untrusted::clean(error, MOST_ERROR)),
            miss_count: graph.miss_count,
            last_synced: time(graph.last_synced),
            last_sha: graph.last_sha.clone(),
            size_bytes: graph.size_bytes,
            nodes_count: stats.map(|stats| stats.nodes),
            edges_count: stats.map(|stats| stats.edges),
            top_kinds: stats.map(|stats| stats.top_kinds.iter().take(MOST_KINDS).map(kind).collect()),
            languages: stats.map(|stats| {
                let languages = stats.languages.iter().take(MOST_KINDS);
                languages.map(|language| untrusted::name(language)).collect()
            }),
            source_sha: source.map(ToString::to_string),
            head_sha: source.and(entry.head_sha.as_ref()).map(ToString::to_string),
            commits_behind: source.and(graph.commits_behind),
            trust: if graph.is_recorded {
                Trust::RecordMatched
            } else {
                Trust::Claimed
            },
        }
    }

    /// The row of a revoked graph: no address, no statistics, and no text of its producer.
    fn tombstone(entry: &Entry, graph: &Graph) -> Self {
        Self {
            format: graph.format.as_ref().map(ToString::to_string),
            graph_url: None,
            description: made_up(entry, graph),
            tags: Vec::new(),
            status: Status::Revoked,
            last_error: None,
            miss_count: 0,
            last_synced: time(graph.last_synced),
            last_sha: None,
            size_bytes: None,
            nodes_count: None,
            edges_count: None,
            top_kinds: None,
            languages: None,
            source_sha: None,
            head_sha: None,
            commits_behind: None,
            trust: Trust::Claimed,
        }
    }
}

/// How an entry is published to be.
pub fn status(entry: &Entry) -> Status {
    if entry.is_tombstone() {
        Status::Revoked
    } else {
        entry.status()
    }
}

/// The generated description of a graph.
fn made_up(entry: &Entry, graph: &Graph) -> String {
    let id = &entry.repository;
    let line = match graph.format.as_ref() {
        Some(format) => format!("The {format} graph of {id}"),
        None => format!("The graph of {id}"),
    };
    untrusted::line(&line)
}

fn time(seconds: Option<Seconds>) -> Option<String> {
    seconds.map(date_time)
}
