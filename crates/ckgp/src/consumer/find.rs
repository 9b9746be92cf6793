//! `lore graph find`: where the graph of a repository is, in which formats, and how current it is (clauses C1 to C6, C10, C11, R2 to R4, S11).

use crate::graphs::Graphs;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::argument::NamedRepository;
use super::cached::{CachedGraph, Via};
use super::drive;
use super::local;
use super::machine::{LookupOptions, Machine, Sources};
use super::outcome::{Listed, Outcome, RecordState};
use super::settings::sources;
use super::{store, untrusted};
use crate::forge::RepositoryId;
use crate::format::{Commit, FormatId};
use crate::record::Descriptor;
use crate::{formats, record};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Find the published code graph of any repository
///
/// Lore reads the repository's own record first, then asks aggregators. The answer lists all formats, the preferred one first, and says how many commits the graph is behind.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore graph find pallets/flask                       a repository on GitHub
  lore graph find gitlab.com/group/sub/repo           another forge
  lore graph find https://codeberg.org/owner/repo     an address
  lore graph find                                     the origin of this clone
  lore graph find pallets/flask --aggregator https://registry.example.org

Exit status: 0 there is a graph; 1 there is no graph, or it is revoked; 2 the question could not be asked.")]
#[serde(default)]
pub struct GraphFindRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub repository: NamedRepository,
    /// An aggregator to ask instead of the configured ones (repeatable)
    #[arg(long, value_name = "URL")]
    #[schemars(extend("x-agents" = "omit"))]
    pub aggregator: Vec<String>,
    /// Answer from the cache, without the network
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub offline: bool,
}

/// Where the graph of a repository is
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct GraphFindAnswer {
    /// The current name of the repository
    pub id: String,
    /// The requested name, if the repository was renamed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renamed_from: Vec<String>,
    /// The graphs, the preferred one first
    pub graphs: Vec<FoundGraph>,
    /// How current the first graph is
    pub drift: Drift,
    /// The repository's own record
    pub record: FoundRecord,
    /// The entries of aggregators
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aggregators: Vec<FoundEntry>,
    /// The aggregator that revoked the graph
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_by: Option<String>,
    /// Similar ids, if there is no graph
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FoundGraph {
    /// Its format
    pub format: String,
    /// Its address
    pub url: String,
    /// record, or the address of an aggregator
    pub via: String,
    /// Why Lore does not fetch it: revoked, unsupported, or the code of the address rule
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<&'static str>,
    /// The commit that the graph claims to be made from
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_sha: Option<String>,
    /// Whether this clone has that commit
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_commit: Option<bool>,
    /// When it was made
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated_at: Option<String>,
    /// The version of the tool that made it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// Its description
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub description: Option<String>,
    /// Its tags
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether its body is cached
    pub kept: bool,
}

/// How current a graph is
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Drift {
    /// current, behind or unknown
    pub state: &'static str,
    /// The commit that it was made from
    pub source_sha: Option<String>,
    /// The tip of the default branch
    pub head_sha: Option<String>,
    /// Commits of the tip that the graph does not have
    pub commits_behind: Option<u64>,
}

/// The record of a repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FoundRecord {
    /// found, absent, unusable, unsupported, unreachable or unknown_forge
    pub state: &'static str,
    /// Its address
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The errors
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// The entry of an aggregator
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FoundEntry {
    /// Its address
    pub aggregator: String,
    /// The id in that aggregator
    pub id: String,
    /// The status of the graph
    pub status: String,
    /// When the aggregator last visited it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_synced: Option<String>,
    /// SHA-256 of the body that the aggregator saw
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sha: Option<String>,
}

/// `lore graph find`.
pub struct GraphFind;

impl Operation for GraphFind {
    const NAME: &'static str = "find_graph_for_repo";
    const COMMAND: &'static [&'static str] = &["graph", "find"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = GraphFindRequest;
    type Answer = Value<GraphFindAnswer>;

    fn run(ctx: &Ctx, request: GraphFindRequest) -> Result<Value<GraphFindAnswer>, OpError> {
        let id = request.repository.resolve(ctx)?;
        let sources = sources(ctx, &request.aggregator)?;
        let options = LookupOptions {
            format: id.format.clone(),
            body: false,
            head: true,
        };
        let graphs = ctx.port::<dyn Graphs>();
        let kept = store::read(graphs, &id.repository)?;
        if request.offline || id.repository.is_local() {
            return offline(ctx, &sources, &id.repository, kept);
        }
        let machine = Machine::new(id.repository.clone(), sources.clone(), options, kept, drive::seed(ctx));
        let outcome = drive::run(ctx, machine, false)?;
        let settled = store::settle(ctx, &id.repository, &outcome);
        let mut answer = answer(ctx, &sources, &outcome)?;
        answer.notes.extend(said(settled));
        if answer.graphs.is_empty() && outcome.revoked_by.is_none() {
            if outcome.is_incomplete {
                return Err(unreachable(&outcome));
            }
            answer.notes.push(register(&sources, &outcome.repository));
        }
        Ok(if answer.graphs.is_empty() || answer.revoked_by.is_some() {
            Value::no(answer)
        } else {
            Value::yes(answer)
        })
    }
}

/// The remarks of caching a result. A cache that cannot be written is only a remark.
pub(super) fn said(settled: Result<Vec<String>, OpError>) -> Vec<String> {
    settled.unwrap_or_else(|error| vec![format!("nothing is cached: {error}")])
}

/// The error if nothing was found and a source did not answer: this is not the answer "no" (C2).
pub(super) fn unreachable(outcome: &Outcome) -> OpError {
    let mut why: Vec<String> = match &outcome.record {
        RecordState::Unreachable(why) => vec![why.clone()],
        _ => Vec::new(),
    };
    why.extend(outcome.notes.iter().cloned());
    why.extend(
        outcome
            .tried
            .iter()
            .map(|tried| format!("{} {}: {}", tried.format, tried.url, tried.why)),
    );
    let message = format!(
        "cannot find out whether {} has a graph: {}",
        outcome.repository,
        why.join("; ")
    );
    OpError::new(ErrorKind::Unavailable, message).hint("try again later; `--offline` uses the cache")
}

/// Where to go with a repository that has no graph (C11).
pub(super) fn register(sources: &Sources, repository: &RepositoryId) -> String {
    let publish =
        format!("`lore graph publish` in a clone of {repository} makes a graph and a record for its owners to commit");
    match sources.aggregators.first() {
        Some(aggregator) => format!("{publish}; then register it at {aggregator}"),
        None => format!("{publish}; no registry is needed"),
    }
}

/// The answer from the outcome of a search.
pub(super) fn answer(ctx: &Ctx, sources: &Sources, outcome: &Outcome) -> Result<GraphFindAnswer, OpError> {
    let kept = store::read(ctx.port::<dyn Graphs>(), &outcome.repository)?.unwrap_or_default();
    let mut graphs = found_graphs(sources, outcome);
    for graph in &mut graphs {
        graph.kept = kept
            .graphs
            .iter()
            .any(|kept| kept.format == graph.format && kept.url == graph.url);
        graph.has_commit = graph
            .source_sha
            .as_deref()
            .and_then(|commit| has_commit(ctx, &outcome.repository, commit));
    }
    let source = graphs
        .first()
        .and_then(|graph| graph.source_sha.as_deref())
        .and_then(Commit::parse);
    let mut notes = outcome.notes.clone();
    if outcome.record == RecordState::UnknownForge && !outcome.repository.is_local() {
        notes.push(format!(
            "unknown forge {}; name its kind in [graph.forges] of your configuration",
            outcome.repository.host()
        ));
    }
    if outcome.revoked_by.is_some() {
        graphs.clear();
    }
    Ok(GraphFindAnswer {
        id: outcome.repository.to_string(),
        renamed_from: outcome.renamed_from.iter().map(RepositoryId::to_string).collect(),
        drift: drift(source.as_ref(), outcome),
        record: found_record(&outcome.record),
        aggregators: outcome.listed.iter().map(found_entry).collect(),
        revoked_by: outcome.revoked_by.clone(),
        near: if graphs.is_empty() {
            outcome.near.clone()
        } else {
            Vec::new()
        },
        graphs,
        notes,
    })
}

/// Whether the clone around the working directory has a commit, if it is a clone of the repository (C10).
pub(super) fn has_commit(ctx: &Ctx, repository: &RepositoryId, commit: &str) -> Option<bool> {
    let remote = ctx.ports.code.remote()?;
    let own = RepositoryId::parse(&remote).ok()?;
    if own == *repository {
        ctx.ports.code.has_commit(commit)
    } else {
        None
    }
}

/// How current a graph is. What is not known is unknown, and never current (C6, R2).
pub(super) fn drift(source: Option<&Commit>, outcome: &Outcome) -> Drift {
    let unknown = Drift {
        state: "unknown",
        ..Drift::default()
    };
    let Some(source) = source else {
        return unknown;
    };
    // What an aggregator counted is about the commit that it looked at.
    let counted = outcome
        .listed
        .iter()
        .map(|listed| &listed.entry)
        .find(|entry| entry.source_sha.as_ref() == Some(source));
    let head = outcome.head.as_ref().or_else(|| counted?.head_sha.as_ref());
    let behind = match head {
        Some(head) if head == source => Some(0),
        Some(head) => counted
            .filter(|entry| entry.head_sha.as_ref() == Some(head))
            .and_then(|entry| entry.commits_behind)
            .filter(|behind| *behind > 0),
        None => None,
    };
    Drift {
        state: match (head, behind) {
            (None, _) => "unknown",
            (Some(_), Some(0)) => "current",
            (Some(_), _) => "behind",
        },
        source_sha: Some(source.to_string()),
        head_sha: head.map(Commit::to_string),
        commits_behind: behind,
    }
}

/// All graphs that are known of: those of the record, in the order of choice, then those that only an aggregator names.
fn found_graphs(sources: &Sources, outcome: &Outcome) -> Vec<FoundGraph> {
    let policy = sources.policy(&outcome.repository);
    let refused = |format: &FormatId, url: &str| match formats::known(format) {
        _ if outcome.revoked_formats.contains(format) => Some("revoked"),
        None => Some("unsupported"),
        Some(_) => policy.check(url).err().map(|reason| reason.code()),
    };
    let mut ranked = Vec::new();
    for graph in outcome.record.record().map_or(&[][..], |record| &record.graphs) {
        ranked.push((
            &graph.format,
            of_descriptor(graph, refused(&graph.format, &graph.graph_url)),
        ));
    }
    let named: Vec<&FormatId> = ranked.iter().map(|(format, _)| *format).collect();
    for listed in outcome.listed.iter().filter(|listed| listed.entry.is_ok()) {
        let (Some(format), Some(url)) = (&listed.entry.format, &listed.entry.graph_url) else {
            continue;
        };
        if !named.contains(&format) {
            ranked.push((format, of_entry(listed, format, url, refused(format, url))));
        }
    }
    ranked.sort_by_cached_key(|(format, graph)| {
        let is_hint = graph.via != "record";
        (
            graph.refused.is_some(),
            is_hint,
            formats::preference(format, &sources.preferred),
        )
    });
    ranked.into_iter().map(|(_, graph)| graph).collect()
}

fn of_descriptor(graph: &Descriptor, refused: Option<&'static str>) -> FoundGraph {
    FoundGraph {
        format: graph.format.to_string(),
        url: graph.graph_url.clone(),
        via: "record".to_owned(),
        refused,
        source_sha: graph.source_sha.as_ref().map(Commit::to_string),
        has_commit: None,
        generated_at: graph.generated_at.clone(),
        tool_version: graph
            .tool_version
            .as_deref()
            .map(|version| untrusted::clean(version, record::MOST_TOOL_VERSION)),
        description: graph.description.as_deref().map(untrusted::line),
        tags: graph.tags.clone(),
        kept: false,
    }
}

fn of_entry(listed: &Listed, format: &FormatId, url: &str, refused: Option<&'static str>) -> FoundGraph {
    FoundGraph {
        format: format.to_string(),
        url: url.to_owned(),
        via: listed.aggregator.clone(),
        refused,
        source_sha: listed.entry.source_sha.as_ref().map(Commit::to_string),
        has_commit: None,
        generated_at: None,
        tool_version: None,
        description: listed.entry.description.clone(),
        tags: listed.entry.tags.clone(),
        kept: false,
    }
}

fn found_entry(listed: &Listed) -> FoundEntry {
    FoundEntry {
        aggregator: listed.aggregator.clone(),
        id: listed.entry.id.to_string(),
        status: listed.entry.status.clone(),
        last_synced: listed.entry.last_synced.clone(),
        last_sha: listed.entry.last_sha.clone(),
    }
}

fn found_record(state: &RecordState) -> FoundRecord {
    let (state, url, details) = match state {
        RecordState::UnknownForge => ("unknown_forge", None, Vec::new()),
        RecordState::Absent => ("absent", None, Vec::new()),
        RecordState::Unusable(why) => ("unusable", None, vec![untrusted::clean(why, 1_000)]),
        RecordState::Unsupported(version) => {
            let why = format!(
                "unsupported schema_version {}; only 1 is supported",
                untrusted::name(version)
            );
            ("unsupported", None, vec![why])
        }
        RecordState::Unreachable(why) => ("unreachable", None, vec![why.clone()]),
        RecordState::Found { url, warnings, .. } => {
            let warnings = warnings.iter().take(20).map(|warning| untrusted::line(warning));
            ("found", Some(url.clone()), warnings.collect())
        }
    };
    FoundRecord { state, url, details }
}

/// What is known without asking anybody.
fn offline(
    ctx: &Ctx,
    sources: &Sources,
    repository: &RepositoryId,
    kept: Option<super::cached::CachedRepository>,
) -> Result<Value<GraphFindAnswer>, OpError> {
    let kept = kept.unwrap_or_default();
    let mut outcome = Machine::offline(repository.clone(), &kept);
    local::tell(ctx, &mut outcome)?;
    let mut answer = answer(ctx, sources, &outcome)?;
    let named: Vec<String> = answer.graphs.iter().map(|graph| graph.format.clone()).collect();
    let is_usable = |graph: &&CachedGraph| {
        let is_revoked = graph
            .format()
            .is_some_and(|format| outcome.revoked_formats.contains(&format));
        outcome.revoked_by.is_none() && !is_revoked && !named.contains(&graph.format)
    };
    for graph in kept.graphs.iter().filter(is_usable) {
        answer.graphs.push(FoundGraph {
            format: graph.format.clone(),
            url: graph.url.clone(),
            via: match &graph.via {
                Via::Record => "record".to_owned(),
                Via::Aggregator(aggregator) => aggregator.clone(),
                Via::Address => "address".to_owned(),
            },
            refused: None,
            source_sha: graph.source_sha.clone(),
            has_commit: graph
                .source_sha
                .as_deref()
                .and_then(|commit| has_commit(ctx, repository, commit)),
            generated_at: graph.generated_at.clone(),
            tool_version: graph.tool_version.clone(),
            description: None,
            tags: Vec::new(),
            kept: true,
        });
    }
    if answer.graphs.is_empty() && answer.revoked_by.is_none() && outcome.listed.is_empty() {
        // That nobody was asked is no no (C2).
        let message = format!("no cached graph of {repository}, and offline mode makes no request");
        let hint = format!("`lore graph find {repository}` without `--offline` makes requests");
        let error = OpError::new(ErrorKind::Unavailable, message).hint(hint);
        return Err(match local::near(ctx, repository).as_slice() {
            [] => error,
            near => error.hint(format!("similar ids in the local registry: {}", near.join(", "))),
        });
    }
    let is_listed = !outcome.listed.is_empty() || outcome.revoked_by.is_some();
    let note = match (kept.graphs.is_empty(), is_listed) {
        _ if repository.is_local() => "a directory of this machine: from the local registry",
        (_, false) => "offline: from the cache",
        (false, true) => "offline: from the cache and the local registry",
        (true, true) => "offline: from the local registry",
    };
    answer.notes.push(note.to_owned());
    Ok(if answer.graphs.is_empty() {
        Value::no(answer)
    } else {
        Value::yes(answer)
    })
}

impl Drift {
    /// In words.
    pub(super) fn shown(&self) -> String {
        let head = || self.head_sha.as_deref().unwrap_or_default();
        match (self.state, self.commits_behind) {
            ("current", _) => format!("current: made from the tip of the default branch, {}", head()),
            ("behind", Some(1)) => format!("one commit behind the tip {}", head()),
            ("behind", Some(behind)) => format!("{behind} commits behind the tip {}", head()),
            ("behind", None) => format!("behind the tip {} by an unknown number of commits", head()),
            _ => "unknown".to_owned(),
        }
    }
}

impl Render for GraphFindAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.id);
        if !self.renamed_from.is_empty() {
            page.write(format_args!(", formerly {}", self.renamed_from.join(", ")));
        }
        match (&self.revoked_by, self.graphs.len()) {
            (Some(aggregator), _) => page.line(format_args!(": its graph was revoked by {aggregator}")),
            (None, 0) => page.line(format_args!(": no graph is published")),
            (None, 1) => page.line(format_args!(": one graph")),
            (None, count) => page.line(format_args!(": {count} graphs")),
        }
        let width = self.graphs.iter().map(|graph| graph.format.len()).max().unwrap_or(0);
        for (number, graph) in self.graphs.iter().enumerate() {
            let mark = if number == 0 && graph.refused.is_none() {
                "*"
            } else {
                " "
            };
            page.write(format_args!("{mark} {:width$}  ", graph.format));
            page.text(&graph.url);
            page.line(format_args!("{}", graph.remarks()));
            if let Some(description) = &graph.description {
                page.write(format_args!("  {:width$}  ", ""));
                page.dim(description);
                page.line(format_args!(""));
            }
        }
        if !self.graphs.is_empty() {
            page.line(format_args!("current: {}", self.drift.shown()));
        }
        match (&self.record.url, self.record.state) {
            (Some(url), _) => page.line(format_args!("record: {url}")),
            (None, "absent") => page.line(format_args!("record: none at HEAD, main or master")),
            (None, "unknown_forge") => page.line(format_args!("record: not searched (unknown forge)")),
            (None, state) => page.line(format_args!("record: {state}")),
        }
        for detail in &self.record.details {
            page.write(format_args!("  "));
            page.text(detail);
            page.line(format_args!(""));
        }
        for entry in &self.aggregators {
            page.write(format_args!("{} lists {} as ", entry.aggregator, entry.id));
            page.text(&entry.status);
            page.line(format_args!(
                "{}",
                entry
                    .last_synced
                    .as_ref()
                    .map_or_else(String::new, |time| format!(" since {time}"))
            ));
        }
        if !self.near.is_empty() {
            page.line(format_args!("similar ids: {}", self.near.join(", ")));
        }
        for note in &self.notes {
            page.text(note);
            page.line(format_args!(""));
        }
    }
}

impl FoundGraph {
    /// What is known of it besides where it is.
    fn remarks(&self) -> String {
        let mut said = Vec::new();
        if let Some(code) = self.refused {
            said.push(format!("not fetched ({code})"));
        }
        if self.via != "record" {
            said.push(format!("named by {}", self.via));
        }
        if let Some(commit) = &self.source_sha {
            let checked = match self.has_commit {
                Some(true) => ", which this clone has",
                Some(false) => ", which this clone does not have",
                None => "",
            };
            said.push(format!("made from {}{checked}", commit.get(..12).unwrap_or(commit)));
        }
        if let Some(time) = &self.generated_at {
            said.push(format!("on {time}"));
        }
        if self.kept {
            said.push("kept".to_owned());
        }
        if said.is_empty() {
            String::new()
        } else {
            format!("  {}", said.join(", "))
        }
    }
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
