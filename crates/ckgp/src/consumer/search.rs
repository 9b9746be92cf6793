//! `lore graph search`: names in one published graph or in all cached ones, and the terms of aggregators (clauses C8, S11; ruling 15).

use crate::graphs::Graphs;
use std::cmp::Reverse;

use clap::Args;
use lore_model::{MatchQuality, score_part};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::aggregator::below;
use super::argument::NamedRepository;
use super::drive;
use super::graph::{Item, each_item};
use super::local;
use super::machine::{Purpose, Sources};
use super::obtain::{How, Obtained, kept, obtain};
use super::outline::{Graph, GraphNode};
use super::settings::sources;
use super::store::CCG_BUNDLE;
use super::{store, untrusted};
use crate::fetch::{Fetch, Miss};
use crate::forge::RepositoryId;
use crate::policy::{Address, HostPolicy};
use crate::registry_store::entry::Entry;
use lore_base::json::{JsonError, JsonReader, Kind};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Matches unless more are asked for.
const DEFAULT_LIMIT: usize = 20;
/// Matches at most.
const MOST_MATCHES: usize = 200;
/// Bytes of bodies that one question reads.
const MOST_READ: u64 = 256 << 20;
/// Graphs that the registry of this machine is asked for, of which some are read.
const MOST_FOUND: usize = 25;
const MOST_OPENED: usize = 5;
/// Terms of it that are looked at.
const MOST_CONCEPTS: usize = 50;
/// Bytes of an aggregator's sums.
const MOST_STATS: u64 = 8 << 20;

/// Find names in published code graphs
///
/// Fetches the graph of the repository if necessary. Without a repository, searches cached graphs and the terms that aggregators counted.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore graph search session                    in all cached graphs
  lore graph search Blueprint pallets/flask    in the graph of one repository

Exit status: 0 there are matches; 1 there are none; 2 the question could not be asked.")]
#[serde(default)]
pub struct GraphSearchRequest {
    /// A name or a part of it
    #[arg(value_name = "TEXT")]
    pub query: String,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub repository: NamedRepository,
    /// Matches [default: 20]
    #[arg(long, short = 'n')]
    pub limit: Option<usize>,
    /// An aggregator to ask instead of the configured ones (repeatable)
    #[arg(long, value_name = "URL")]
    #[schemars(extend("x-agents" = "omit"))]
    pub aggregator: Vec<String>,
    /// Only cached graphs, without the network
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub offline: bool,
}

/// Found names
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphSearchAnswer {
    /// Nodes, best first
    pub matches: Vec<GraphMatch>,
    /// Terms that aggregators counted
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concepts: Vec<Concept>,
    /// Repositories whose graphs were searched
    pub searched: Vec<String>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A node of a graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct GraphMatch {
    /// The repository of the graph
    pub repository: String,
    /// The node
    pub node: GraphNode,
}

/// A term that an aggregator counted
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Concept {
    /// The term
    #[schemars(extend("x-agents" = "untrusted"))]
    pub term: String,
    /// Number of graphs that have the term
    pub entries: u64,
    /// Some of these graphs
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<String>,
}

/// `lore graph search`.
pub struct GraphSearch;

impl Operation for GraphSearch {
    const NAME: &'static str = "search_concepts";
    const COMMAND: &'static [&'static str] = &["graph", "search"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = GraphSearchRequest;
    type Answer = Value<GraphSearchAnswer>;

    fn run(ctx: &Ctx, request: GraphSearchRequest) -> Result<Value<GraphSearchAnswer>, OpError> {
        let query = request.query.trim();
        if query.is_empty() {
            return Err(OpError::new(ErrorKind::Invalid, "`query` is empty").hint("give a name or a part of a name"));
        }
        let sources = sources(ctx, &request.aggregator)?;
        let limit = request
            .limit
            .filter(|limit| *limit > 0)
            .unwrap_or(DEFAULT_LIMIT)
            .min(MOST_MATCHES);
        let mut search = Search {
            query,
            folded: query.to_lowercase(),
            limit,
            found: Vec::new(),
            answer: GraphSearchAnswer::default(),
        };
        match request.repository.named()? {
            Some(id) => {
                let how = How {
                    offline: request.offline,
                    refresh: false,
                };
                let obtained = obtain(ctx, &id, id.format.clone(), &sources, how)?;
                search.take(&obtained)?;
            }
            None => {
                search.take_kept(ctx, &sources)?;
                if request.aggregator.is_empty() {
                    search.take_local(ctx, &sources)?;
                }
                if !request.offline {
                    for aggregator in &sources.aggregators {
                        search.take_concepts(ctx, aggregator, &sources.allowed)?;
                    }
                }
            }
        }
        let answer = search.finish();
        Ok(if answer.matches.is_empty() && answer.concepts.is_empty() {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

/// A search under way.
struct Search<'q> {
    query: &'q str,
    folded: String,
    limit: usize,
    found: Vec<(MatchQuality, GraphMatch)>,
    answer: GraphSearchAnswer,
}

impl Search<'_> {
    /// All graphs that are kept, the last ones first, as far as the bytes reach.
    fn take_kept(&mut self, ctx: &Ctx, sources: &Sources) -> Result<(), OpError> {
        let all = store::all(ctx.port::<dyn Graphs>())?;
        let mut best: Vec<_> = all
            .iter()
            .filter_map(|kept| Some((kept, store::best(kept, &sources.preferred)?)))
            .collect();
        best.sort_by_key(|(kept, graph)| (Reverse(graph.checked_at.clone()), kept.repository.clone()));
        let mut bytes = 0;
        let mut left_out = 0;
        for (own, graph) in best {
            if bytes + graph.bytes > MOST_READ {
                left_out += 1;
                continue;
            }
            bytes += graph.bytes;
            let (Ok(repository), Some(format)) = (RepositoryId::parse(&own.repository), graph.format()) else {
                continue;
            };
            if local::is_revoked(ctx, &repository, Some(&format))? {
                continue;
            }
            if let Some(obtained) = kept(ctx, &repository, Some(&format), sources)? {
                self.take(&obtained)?;
            }
        }
        if left_out > 0 {
            let note = format!("{left_out} larger or older graphs were not searched; name one to search it");
            self.answer.notes.push(note);
        }
        Ok(())
    }

    /// The best graphs that the registry of this machine finds, and the terms that it counted.
    fn take_local(&mut self, ctx: &Ctx, sources: &Sources) -> Result<(), OpError> {
        let words = [self.query.to_owned()];
        let asked = local::ask(ctx, |store| {
            let mut entries = Vec::new();
            for found in store.search(&words, MOST_FOUND)? {
                let is_new = |(entry, _): &(Entry, _)| entry.repository != found.repository;
                if entries.iter().all(is_new)
                    && let Some(entry) = store.entry(&found.repository)?
                {
                    entries.push((entry, found.format.clone()));
                }
            }
            Ok((entries, store.concepts(MOST_CONCEPTS)?))
        })?;
        let Some((entries, concepts)) = asked else {
            return Ok(());
        };
        let mut further = Vec::new();
        let (mut opened, mut bytes) = (0, 0);
        for (entry, format) in entries {
            let id = entry.repository.to_string();
            if self.answer.searched.iter().any(|known| known.eq_ignore_ascii_case(&id)) {
                continue;
            }
            let size = entry
                .graph(format.as_ref())
                .and_then(|graph| graph.size_bytes)
                .unwrap_or(0);
            if opened == MOST_OPENED || bytes + size > MOST_READ {
                further.push(id);
            } else if let Some(mut obtained) = local::body_of(ctx, &entry, format.as_ref(), sources)? {
                obtained.notes.clear();
                (opened, bytes) = (opened + 1, bytes + size);
                self.take(&obtained)?;
            }
        }
        if !further.is_empty() {
            let note = format!(
                "more graphs of the local registry match and were not searched: {}",
                further.join(", ")
            );
            self.answer.notes.push(note);
        }
        let own = concepts
            .into_iter()
            .filter(|concept| concept.term.contains(&self.folded));
        self.answer.concepts.extend(own.map(|concept| Concept {
            term: concept.term,
            entries: concept.entries,
            samples: concept.samples,
        }));
        Ok(())
    }

    /// The nodes of a graph that answer to the query.
    fn take(&mut self, obtained: &Obtained) -> Result<(), OpError> {
        let repository = obtained
            .repository
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        self.answer
            .notes
            .extend(obtained.notes.iter().map(|note| untrusted::clean(note, 1_000)));
        self.answer.searched.push(repository.clone());
        if obtained.graph.format == CCG_BUNDLE {
            self.answer.notes.push(format!(
                "{repository} is cached as a bundle: query it like code, with --repo"
            ));
            return Ok(());
        }
        let unreadable = |error: JsonError| {
            OpError::new(
                ErrorKind::Internal,
                format!("cannot read the graph of {repository}: {error}"),
            )
            .because(error)
        };
        // Most bodies have no match; those are read once, without what leads where.
        let mut matches = false;
        each_item(&obtained.body, &mut |item| {
            if let Item::Node(node) = item {
                matches = matches || score_part(&node.name, self.query, &self.folded).is_some();
            }
        })
        .map_err(unreadable)?;
        if !matches {
            return Ok(());
        }
        let graph = Graph::read(&obtained.body).map_err(unreadable)?;
        let mut found: Vec<(MatchQuality, usize)> = graph
            .names()
            .filter_map(|(at, name, _)| Some((score_part(name, self.query, &self.folded)?, at)))
            .collect();
        found.sort_by_key(|(quality, at)| (Reverse(*quality), *at));
        for (quality, at) in found.into_iter().take(self.limit) {
            if let Some(node) = graph.node(at) {
                let repository = repository.clone();
                self.found.push((quality, GraphMatch { repository, node }));
            }
        }
        Ok(())
    }

    /// The terms that an aggregator counted.
    fn take_concepts(&mut self, ctx: &Ctx, aggregator: &Address, allowed: &[String]) -> Result<(), OpError> {
        let Ok(address) = below(aggregator, "stats.json") else {
            return Ok(());
        };
        let fetch = Fetch::new(HostPolicy::of_host(aggregator.host(), allowed), address.clone()).attempts(1);
        match drive::fetch(ctx, fetch, Purpose::List, MOST_STATS)? {
            Ok(got) => match concepts(&got.reply.body, &self.folded) {
                Ok(found) => self.answer.concepts.extend(found),
                Err(error) => self.answer.notes.push(format!("cannot use {address}: {error}")),
            },
            Err(Miss::Absent | Miss::Gone) => {}
            Err(miss) => self
                .answer
                .notes
                .push(format!("cannot reach {aggregator}: {}", miss.why())),
        }
        Ok(())
    }

    fn finish(mut self) -> GraphSearchAnswer {
        self.found.sort_by(|(one_quality, one), (other_quality, other)| {
            let rank = |quality: &MatchQuality, found: &GraphMatch| {
                (
                    Reverse(*quality),
                    Reverse(found.node.incoming),
                    found.repository.clone(),
                    found.node.name.clone(),
                    found.node.id.clone(),
                )
            };
            rank(one_quality, one).cmp(&rank(other_quality, other))
        });
        let more = self.found.len().saturating_sub(self.limit);
        if more > 0 {
            self.answer
                .notes
                .push(format!("there are more than {} matches", self.limit));
        }
        self.answer.matches = self
            .found
            .into_iter()
            .take(self.limit)
            .map(|(_, found)| found)
            .collect();
        self.answer
            .concepts
            .sort_by_key(|concept| (Reverse(concept.entries), concept.term.clone()));
        self.answer.concepts.truncate(self.limit);
        self.answer
    }
}

/// The terms of an aggregator's sums that hold a text.
fn concepts(bytes: &[u8], folded: &str) -> Result<Vec<Concept>, JsonError> {
    let mut reader = JsonReader::new(bytes, 16)?;
    let mut found = Vec::new();
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        if !key.is("concepts") || reader.peek()? != Kind::Array {
            reader.skip_value()?;
            continue;
        }
        reader.begin_array()?;
        while reader.next_item()? {
            let item = reader.value()?;
            let term = item.get("term").and_then(Json::as_str).unwrap_or_default();
            if term.is_empty() || !term.to_lowercase().contains(folded) {
                continue;
            }
            let samples = item.get("samples").and_then(Json::as_array).into_iter().flatten();
            found.push(Concept {
                term: untrusted::clean(term, 64),
                entries: item.get("entries").and_then(Json::as_u64).unwrap_or(0),
                samples: samples
                    .filter_map(Json::as_str)
                    .filter_map(|id| RepositoryId::parse(id).ok())
                    .take(3)
                    .map(|id| id.to_string())
                    .collect(),
            });
        }
    }
    reader.end()?;
    Ok(found)
}

impl Render for GraphSearchAnswer {
    fn render(&self, page: &mut Page) {
        for found in &self.matches {
            page.text(&found.node.line_of_text());
            page.write(format_args!("  "));
            page.dim(&found.repository);
            page.line(format_args!(""));
        }
        for concept in &self.concepts {
            page.text(&concept.term);
            page.line(format_args!(
                "  in {} graphs: {}",
                concept.entries,
                concept.samples.join(", ")
            ));
        }
        if self.matches.is_empty() && self.concepts.is_empty() {
            match self.searched.as_slice() {
                [] => page.line(format_args!("no cached graph to search")),
                searched => page.line(format_args!("no matches in {}", searched.join(", "))),
            }
        }
        for note in &self.notes {
            page.text(note);
            page.line(format_args!(""));
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
