//! The lists of an aggregator, `repos.json` and `registry.json`, read entry by entry (clauses C4, A1 to A3, J2; rulings 5, 6, 7).

use std::collections::BTreeSet;
use std::fmt;

use lore_base::digest::parse_sha256;
use lore_model::distance_within;
use serde_json::{Map, Value};

use super::untrusted;
use crate::forge::{GraphId, RepositoryId};
use crate::format::{Commit, FormatId};
use crate::policy::Address;
use crate::record::is_absolute_https;
use crate::time;
use lore_base::address::AddressFault;
use lore_base::json::{JsonError, JsonReader, Kind};

/// Bytes of a list.
pub const MOST_BYTES: u64 = 64 << 20;
/// Levels of lists and objects in each other.
const MOST_DEPTH: usize = 32;
/// How far an id may be from the one that was asked for to be named instead.
const MOST_DISTANCE: usize = 3;
/// Ids that are named instead.
pub const MOST_NEAR: usize = 5;

/// The documents of an aggregator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// The short list, made for agents.
    Repos,
    /// Everything.
    Registry,
}

impl List {
    /// Its path below the aggregator's address.
    pub fn path(self) -> &'static str {
        match self {
            Self::Repos => ".well-known/repos.json",
            Self::Registry => "registry.json",
        }
    }

    /// Its address.
    pub fn address(self, aggregator: &Address) -> Result<Address, AddressFault> {
        below(aggregator, self.path())
    }
}

/// The address of a document of an aggregator.
pub fn below(aggregator: &Address, path: &str) -> Result<Address, AddressFault> {
    let base = aggregator.as_str().split('?').next().unwrap_or_default();
    Address::parse(&format!("{}/{path}", base.trim_end_matches('/')))
}

/// What an aggregator says of one graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Whose graph it is, and of which format if it is not the first one.
    pub id: GraphId,
    /// Its format.
    pub format: Option<FormatId>,
    /// Where it is.
    pub graph_url: Option<String>,
    /// How it is; the words of the protocol, or others.
    pub status: String,
    /// The commit that it was made from.
    pub source_sha: Option<Commit>,
    /// The tip of the default branch when it was looked at.
    pub head_sha: Option<Commit>,
    /// Commits that the tip has and the graph has not.
    pub commits_behind: Option<u64>,
    /// SHA-256 of the body that was looked at.
    pub last_sha: Option<String>,
    /// When it was looked at.
    pub last_synced: Option<String>,
    /// The repository's name now.
    pub renamed_to: Option<RepositoryId>,
    /// A line about it.
    pub description: Option<String>,
    /// Words about it.
    pub tags: Vec<String>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Edges.
    pub edges: Option<u64>,
}

impl Entry {
    /// Whether the aggregator says that it can be used.
    pub fn is_ok(&self) -> bool {
        self.status == "ok"
    }

    /// Whether its maintainer took it back (C5).
    pub fn is_revoked(&self) -> bool {
        self.status == "revoked"
    }

    /// The entry that an object is; nothing if it does not say whose.
    fn of(object: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        let number = |name: &str| object.get(name).and_then(Value::as_u64);
        let commit = |name: &str| text(name).and_then(Commit::parse);
        let mut id = match text("id") {
            Some(id) => GraphId::parse(id).ok()?,
            None => GraphId {
                repository: RepositoryId::new(text("host"), text("owner")?, text("repo")?).ok()?,
                format: None,
            },
        };
        if let Some(host) = text("host") {
            let (owner, repo) = (id.repository.owner(), id.repository.repo());
            id.repository = RepositoryId::new(Some(host), owner, repo).ok()?;
        }
        let tags = object.get("tags").and_then(Value::as_array).into_iter().flatten();
        Some(Self {
            format: text("format").and_then(FormatId::parse).or_else(|| id.format.clone()),
            id,
            graph_url: text("graph_url")
                .filter(|url| is_absolute_https(url))
                .map(str::to_owned),
            // A short list that says nothing of the status has those that are well.
            status: untrusted::clean(text("status").unwrap_or("ok"), 40),
            source_sha: commit("source_sha"),
            head_sha: commit("head_sha"),
            commits_behind: number("commits_behind"),
            last_sha: text("last_sha").and_then(parse_sha256),
            last_synced: text("last_synced").and_then(time::normalise),
            renamed_to: text("renamed_to").and_then(|name| RepositoryId::parse(name).ok()),
            description: text("description").map(untrusted::line),
            tags: tags
                .filter_map(Value::as_str)
                .take(16)
                .map(|tag| untrusted::clean(tag, 32))
                .collect(),
            nodes: number("nodes_count"),
            edges: number("edges_count"),
        })
    }

    /// The graphs that an entry has besides its first one (ruling 5).
    fn further(&self, object: &Map<String, Value>) -> Vec<Self> {
        let graphs = object.get("graphs").and_then(Value::as_array).into_iter().flatten();
        let of_graph = |graph: &Value| {
            let graph = graph.as_object()?;
            let text = |name: &str| graph.get(name).and_then(Value::as_str);
            let format = text("format").and_then(FormatId::parse)?;
            let mut own = object.clone();
            own.remove("graphs");
            own.extend(graph.clone());
            own.insert(
                "id".to_owned(),
                Value::String(format!("{}#{format}", self.id.repository)),
            );
            // The host is part of that id already.
            own.remove("host");
            Self::of(&own)
        };
        let further = graphs.filter_map(of_graph);
        further.filter(|graph| graph.format != self.format).take(32).collect()
    }
}

/// Why a list cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListFault {
    /// Invalid JSON.
    NotJson(String),
    /// It is of another version.
    Unsupported(String),
    /// It lists nothing.
    NoEntries,
}

impl std::error::Error for ListFault {}

impl fmt::Display for ListFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(formatter, "not JSON: {why}"),
            Self::Unsupported(version) => {
                write!(formatter, "unsupported schema_version {version}; only 1 is supported")
            }
            Self::NoEntries => formatter.write_str("`entries` is missing or not a list"),
        }
    }
}

impl From<JsonError> for ListFault {
    fn from(error: JsonError) -> Self {
        Self::NotJson(error.to_string())
    }
}

/// Shows the entries of a list one after the other; those that do not say whose they are count as none. How many there are.
pub fn each_entry(bytes: &[u8], take: &mut dyn FnMut(Entry)) -> Result<usize, ListFault> {
    each_row(bytes, &mut |_, entry| {
        if let Some(entry) = entry {
            take(entry);
        }
    })
}

/// The same with the number of each row, and nothing in place of those that do not say whose they are. The graphs behind the first one of a row follow it, with its number.
pub fn each_row(bytes: &[u8], take: &mut dyn FnMut(usize, Option<Entry>)) -> Result<usize, ListFault> {
    let mut reader = JsonReader::new(bytes, MOST_DEPTH)?;
    let (mut version, mut count) = (None, None);
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        if key.is("schema_version") {
            version = Some(reader.value()?);
        } else if (key.is("repos") || key.is("entries")) && reader.peek()? == Kind::Array {
            let count = count.get_or_insert(0);
            let mut number = 0;
            reader.begin_array()?;
            while reader.next_item()? {
                let row = match reader.value()? {
                    Value::Object(object) => Entry::of(&object).map(|entry| (entry.further(&object), entry)),
                    _ => None,
                };
                match row {
                    None => take(number, None),
                    Some((further, entry)) => {
                        *count += 1;
                        take(number, Some(entry));
                        further.into_iter().for_each(|entry| take(number, Some(entry)));
                    }
                }
                number += 1;
            }
        } else {
            reader.skip_value()?;
        }
    }
    reader.end()?;
    match (version, count) {
        (Some(version), _) if version.as_f64() != Some(1.0) => {
            Err(ListFault::Unsupported(version.to_string().chars().take(40).collect()))
        }
        (None, _) => Err(ListFault::Unsupported("(none)".to_owned())),
        (_, None) => Err(ListFault::NoEntries),
        (_, Some(count)) => Ok(count),
    }
}

/// What a list says of a repository, and which ids are near to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lookup {
    /// What it says, the first graph first.
    pub entries: Vec<Entry>,
    /// Ids near to it, with their distance, nearest first.
    pub near: BTreeSet<(usize, String)>,
}

/// Looks a repository up in a list.
pub fn look_up(bytes: &[u8], repository: &RepositoryId) -> Result<Lookup, ListFault> {
    let mut lookup = Lookup::default();
    let wanted = repository.key();
    each_entry(bytes, &mut |entry| {
        // A list of somebody else cannot name a directory of this machine.
        if entry.id.repository.is_local() || entry.renamed_to.as_ref().is_some_and(RepositoryId::is_local) {
            return;
        }
        if entry.id.repository == *repository {
            lookup.entries.push(entry);
        } else if !entry.is_revoked()
            && let Some(distance) = distance_within(&entry.id.repository.key(), &wanted, MOST_DISTANCE)
        {
            lookup.near.insert((distance, entry.id.repository.to_string()));
            if lookup.near.len() > MOST_NEAR {
                lookup.near.pop_last();
            }
        }
    })?;
    lookup.entries.sort_by_key(|entry| entry.id.format.is_some());
    Ok(lookup)
}

#[cfg(test)]
#[path = "aggregator_tests.rs"]
mod tests;
