//! `lore graph list`: the cached graphs and those that aggregators list, page by page (clauses C4, C5; rulings 5, 7).

use crate::graphs::Graphs;
use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::aggregator::{self, Entry, List, each_entry};
use super::cached::{CachedGraph, CachedRepository};
use super::drive;
use super::local;
use super::machine::Purpose;
use super::settings::sources;
use super::{store, untrusted};
use crate::fetch::{Fetch, Miss};
use crate::forge::RepositoryId;
use crate::format::FormatId;
use crate::policy::{Address, HostPolicy};
use crate::registry_store::status::Status;
use crate::registry_store::store::Filter;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Rows unless more are asked for.
const DEFAULT_LIMIT: usize = 50;
/// Rows at most.
const MOST_ROWS: usize = 1_000;

/// List published code graphs: those that are kept, and those that aggregators know
///
/// Sorted by id. Graphs that aggregators report as not well are left out, unless their status is asked for.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore graph list                          cached graphs, and those that the configured aggregators list
  lore graph list --kept                   cached graphs only, without the network
  lore graph list --aggregator https://registry.example.org --format ccg@1
  lore graph list --limit 100 --cursor octo/hello    the rows after this id

Exit status: 0 there are rows; 1 there are none; 2 the question could not be asked.")]
#[serde(default)]
pub struct GraphListRequest {
    /// Only this format: ccg@1, or ccg for every version
    #[arg(long)]
    pub format: Option<String>,
    /// Only with this tag, ignoring case
    #[arg(long)]
    pub tag: Option<String>,
    /// Only with this status; any for all [default: ok]
    #[arg(long)]
    pub status: Option<String>,
    /// Rows [default: 50]
    #[arg(long, short = 'n')]
    pub limit: Option<usize>,
    /// Only ids after this one: next_cursor of the previous page
    #[arg(long, value_name = "ID")]
    pub cursor: Option<String>,
    /// Only cached graphs, without the network
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub kept: bool,
    /// An aggregator to ask instead of the configured ones (repeatable)
    #[arg(long, value_name = "URL")]
    #[schemars(extend("x-agents" = "omit"))]
    pub aggregator: Vec<String>,
}

/// A page of graphs
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphListAnswer {
    /// The graphs, by id
    pub repos: Vec<ListedGraph>,
    /// The cursor of the next page
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedGraph {
    /// Its repository; with `#FORMAT` if it is not the repository's first graph
    pub id: String,
    /// Its format
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Its status in the aggregator
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Whether its body is cached
    pub kept: bool,
    /// Its nodes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Its edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<u64>,
    /// How many commits the graph is behind
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits_behind: Option<u64>,
    /// When it was last visited or fetched
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked_at: Option<String>,
    /// Its description
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub description: Option<String>,
    /// Its tags
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// `lore graph list`.
pub struct GraphList;

impl Operation for GraphList {
    const NAME: &'static str = "list_repos";
    const COMMAND: &'static [&'static str] = &["graph", "list"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = GraphListRequest;
    type Answer = Value<GraphListAnswer>;

    fn run(ctx: &Ctx, request: GraphListRequest) -> Result<Value<GraphListAnswer>, OpError> {
        let sources = sources(ctx, &request.aggregator)?;
        let limit = request
            .limit
            .filter(|limit| *limit > 0)
            .unwrap_or(DEFAULT_LIMIT)
            .min(MOST_ROWS);
        let mut rows = Rows {
            request: &request,
            after: request.cursor.as_deref().map(str::to_lowercase),
            limit,
            rows: BTreeMap::new(),
        };
        for kept in store::all(ctx.port::<dyn Graphs>())? {
            rows.take_kept(&kept);
        }
        let mut notes = Vec::new();
        let mut has_local = false;
        // Who names aggregators wants to hear those.
        if !request.kept && request.aggregator.is_empty() {
            match take_local(ctx, &mut rows) {
                Ok(is_there) => has_local = is_there,
                Err(error) => notes.push(format!("cannot query the local registry: {error}")),
            }
        }
        let mut unanswered = 0;
        let aggregators = if request.kept { &[][..] } else { &sources.aggregators };
        for aggregator in aggregators {
            if let Err(why) = take_listed(ctx, aggregator, &sources.allowed, &mut rows)? {
                notes.push(why);
                unanswered += 1;
            }
        }
        if unanswered > 0 && unanswered == aggregators.len() && rows.rows.is_empty() {
            return Err(OpError::new(ErrorKind::Unavailable, notes.join("; ")).hint("try again later"));
        }
        if aggregators.is_empty() && !request.kept && !has_local {
            notes.push("no aggregator is configured: only cached graphs are listed".to_owned());
        }
        let answer = rows.page(notes);
        Ok(if answer.repos.is_empty() {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

/// Takes a page of what the registry of this machine lists; whether there is one. No more is read than the page needs.
fn take_local(ctx: &Ctx, rows: &mut Rows<'_>) -> Result<bool, OpError> {
    let request = rows.request;
    let status = match request.status.as_deref() {
        None => Some(Status::Ok),
        Some("any") => None,
        Some(word) => match Status::parse(word) {
            Some(status) => Some(status),
            None => return Ok(local::ask(ctx, |_| Ok(()))?.is_some()),
        },
    };
    let (format, format_name) = match request.format.as_deref() {
        None => (None, None),
        Some(name) if !name.contains('@') => (None, Some(name.to_owned())),
        Some(text) => match FormatId::parse(text).filter(|format| format.to_string() == text) {
            Some(format) => (Some(format), None),
            // No graph has a format that is written so, and none needs to be looked at.
            None => return Ok(local::ask(ctx, |_| Ok(()))?.is_some()),
        },
    };
    let filter = Filter {
        status,
        format,
        format_name,
        tag: request.tag.clone(),
        ..Filter::default()
    };
    let wanted = rows.limit + 1;
    let asked = local::ask(ctx, |store| {
        let mut after = rows.after.clone();
        let mut taken = 0;
        // A page may have ended between two graphs of one repository.
        let last = after.as_deref().and_then(|after| after.split('#').next());
        if let Some(Ok(repository)) = last.map(RepositoryId::parse)
            && let Some(entry) = store.entry(&repository)?
        {
            rows.take_entries(local::rows(&entry));
        }
        loop {
            let entries = store.page(&filter, after.as_deref(), wanted)?;
            for entry in &entries {
                taken += rows.take_entries(local::rows(entry));
            }
            match entries.last() {
                Some(last) if taken < wanted && entries.len() == wanted => after = Some(last.repository.key()),
                _ => return Ok(()),
            }
        }
    })?;
    Ok(asked.is_some())
}

/// Takes what an aggregator lists: everything, or the short list where there is no other. Why it could not be asked.
fn take_listed(
    ctx: &Ctx,
    aggregator: &Address,
    allowed: &[String],
    rows: &mut Rows<'_>,
) -> Result<Result<(), String>, OpError> {
    let mut why = String::new();
    for list in [List::Registry, List::Repos] {
        let address = match list.address(aggregator) {
            Ok(address) => address,
            Err(reason) => return Ok(Err(format!("{aggregator} is not contacted: {reason}"))),
        };
        let fetch = Fetch::new(HostPolicy::of_host(aggregator.host(), allowed), address.clone());
        match drive::fetch(ctx, fetch, Purpose::List, aggregator::MOST_BYTES)? {
            Ok(got) => match each_entry(&got.reply.body, &mut |entry| {
                // A list of somebody else cannot name a directory of this machine.
                if !entry.id.repository.is_local() {
                    rows.take_entry(entry);
                }
            }) {
                Ok(_) => return Ok(Ok(())),
                Err(fault) => why = format!("cannot use {address}: {fault}"),
            },
            Err(Miss::Absent | Miss::Gone) if list == List::Registry => {}
            Err(miss) => return Ok(Err(format!("cannot reach {aggregator}: {}", miss.why()))),
        }
    }
    Ok(Err(why))
}

/// The rows of one page, kept while all others pass by.
struct Rows<'r> {
    request: &'r GraphListRequest,
    after: Option<String>,
    limit: usize,
    /// By id in small letters.
    rows: BTreeMap<String, ListedGraph>,
}

impl Rows<'_> {
    fn take_kept(&mut self, kept: &CachedRepository) {
        // A status is what an aggregator says; of what is kept none is known.
        if self
            .request
            .status
            .as_deref()
            .is_some_and(|status| !matches!(status, "any" | "ok"))
        {
            return;
        }
        let first = store::best(kept, &[])
            .or(kept.graphs.first())
            .map(|graph| graph.format.clone());
        for graph in &kept.graphs {
            let id = if first.as_ref() == Some(&graph.format) {
                kept.repository.clone()
            } else {
                format!("{}#{}", kept.repository, graph.format)
            };
            if self.admits(Some(&graph.format), &[]) {
                self.put(of_kept(id, graph));
            }
        }
    }

    /// Takes rows that belong together; how many of them are meant.
    fn take_entries(&mut self, entries: Vec<Entry>) -> usize {
        let meant = entries.into_iter().map(|entry| self.take_entry(entry));
        meant.filter(|is_meant| *is_meant).count()
    }

    /// Takes a row of a list; whether it is meant.
    fn take_entry(&mut self, entry: Entry) -> bool {
        let is_meant = match self.request.status.as_deref() {
            None => entry.is_ok(),
            Some("any") => true,
            Some(status) => entry.status == status,
        };
        let format = entry.format.as_ref().map(ToString::to_string);
        let is_meant = is_meant && self.admits(format.as_deref(), &entry.tags);
        if is_meant {
            self.put(of_entry(entry, format));
        }
        is_meant
    }

    fn admits(&self, format: Option<&str>, tags: &[String]) -> bool {
        let named = |text: &str| text.split('@').next().unwrap_or_default().to_owned();
        let is_format = self.request.format.as_deref().is_none_or(|wanted| {
            format.is_some_and(|format| format == wanted || (!wanted.contains('@') && named(format) == wanted))
        });
        let is_tagged = self
            .request
            .tag
            .as_deref()
            .is_none_or(|wanted| tags.iter().any(|tag| tag.to_lowercase() == wanted.to_lowercase()));
        is_format && is_tagged
    }

    /// Takes a row in. What is kept and what is listed are one row: of a repository that both know the list says more.
    fn put(&mut self, row: ListedGraph) {
        let key = row.id.to_lowercase();
        if self.after.as_ref().is_some_and(|after| key <= *after) {
            return;
        }
        match self.rows.get_mut(&key) {
            Some(known) if row.kept => known.kept = true,
            Some(known) => {
                let kept = known.kept;
                *known = row;
                known.kept = kept;
            }
            None => {
                self.rows.insert(key, row);
                // One more than the page says whether there is a next one.
                if self.rows.len() > self.limit + 1 {
                    self.rows.pop_last();
                }
            }
        }
    }

    fn page(self, notes: Vec<String>) -> GraphListAnswer {
        let has_more = self.rows.len() > self.limit;
        let repos: Vec<ListedGraph> = self.rows.into_values().take(self.limit).collect();
        GraphListAnswer {
            next_cursor: repos.last().filter(|_| has_more).map(|row| row.id.clone()),
            repos,
            notes,
        }
    }
}

fn of_kept(id: String, graph: &CachedGraph) -> ListedGraph {
    ListedGraph {
        id,
        format: Some(graph.format.clone()),
        kept: true,
        nodes: Some(graph.nodes),
        edges: Some(graph.edges),
        checked_at: Some(graph.checked_at.clone()),
        ..ListedGraph::default()
    }
}

fn of_entry(entry: Entry, format: Option<String>) -> ListedGraph {
    ListedGraph {
        id: entry.id.to_string(),
        format,
        status: Some(entry.status),
        kept: false,
        nodes: entry.nodes,
        edges: entry.edges,
        commits_behind: entry.commits_behind,
        checked_at: entry.last_synced,
        description: entry.description,
        tags: entry.tags,
    }
}

impl Render for GraphListAnswer {
    fn render(&self, page: &mut Page) {
        let width = |text: &dyn Fn(&ListedGraph) -> usize| self.repos.iter().map(text).max().unwrap_or(0);
        let ids = width(&|row| row.id.chars().count());
        let formats = width(&|row| row.format.as_ref().map_or(0, String::len));
        for row in &self.repos {
            let mark = if row.kept { "*" } else { " " };
            page.write(format_args!("{mark} {:ids$}", row.id));
            page.write(format_args!("  {:formats$}", row.format.as_deref().unwrap_or_default()));
            if let (Some(nodes), Some(edges)) = (row.nodes, row.edges) {
                page.write(format_args!("  {nodes} nodes, {edges} edges"));
            }
            if let Some(status) = row.status.as_ref().filter(|status| *status != "ok") {
                page.text(&format!("  {status}"));
            }
            match row.commits_behind {
                None => {}
                Some(0) => page.write(format_args!("  current")),
                Some(1) => page.write(format_args!("  one commit behind")),
                Some(behind) => page.write(format_args!("  {behind} commits behind")),
            }
            if let Some(description) = &row.description {
                page.write(format_args!("  "));
                page.dim(&untrusted::clean(description, 100));
            }
            page.line(format_args!(""));
        }
        if self.repos.is_empty() {
            page.line(format_args!("no graphs"));
        }
        if self.repos.iter().any(|row| row.kept) {
            page.line(format_args!("* is cached: `lore graph get --offline` shows it"));
        }
        if let Some(cursor) = &self.next_cursor {
            page.line(format_args!("more rows: --cursor {cursor}"));
        }
        for note in &self.notes {
            page.text(note);
            page.line(format_args!(""));
        }
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
