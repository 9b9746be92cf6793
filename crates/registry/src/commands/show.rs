//! `lore registry show`: one entry in full, with its graphs and its last visits (clauses A2, C6, R2, V3; ruling 5).

use clap::Args;
use lore_base::time::date_time;
use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::store::Registry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list::revoker;
use super::{about, entry_of, graph_id};
use crate::formats::Formats;
use lore_ckgp::consumer::untrusted;
use lore_ckgp::registry_store::entry::{Entry, Graph, Revocation};
use lore_ckgp::registry_store::store::{Visit, reading};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Visits that are shown.
const MOST_VISITS: usize = 20;
const FEW_VISITS: usize = 1;

/// Show the entry of a repository: its graphs with their status and age, and the last visits
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore registry show pallets/flask
  lore registry show pallets/flask --visits        the last 20 visits

Exit status: 0 the repository is registered; 1 it is not; 2 the question could not be asked.")]
#[serde(default)]
pub struct RegistryShowRequest {
    /// owner/repo, host/owner/repo, the address of a repository, or the directory of a local one
    #[arg(value_name = "OWNER/REPO")]
    pub id: String,
    /// Show the last 20 visits instead of one
    #[arg(long)]
    pub visits: bool,
}

/// The entry of a repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct RegistryShowAnswer {
    /// The repository
    pub id: String,
    /// Whether it is a directory of this machine, registered for trying the registry out
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub local: bool,
    /// The directory of a local repository
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The status of the first graph
    pub status: &'static str,
    /// Its description
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its tags
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The branch of its graphs
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// When it was registered
    pub added_at: String,
    /// When it was last visited
    pub visited_at: Option<String>,
    /// The address of its record
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_url: Option<String>,
    /// The error in its record
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_fault: Option<String>,
    /// The tip of its default branch
    pub head_sha: Option<String>,
    /// When the tip was last fetched
    pub drift_checked_at: Option<String>,
    /// Its current name
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_to: Option<String>,
    /// Its revocation
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked: Option<ShownRevocation>,
    /// Its graphs, the primary first
    pub graphs: Vec<ShownGraph>,
    /// Its last visits, the newest first
    pub visits: Vec<ShownVisit>,
}

/// A revocation
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ShownRevocation {
    /// When
    pub at: String,
    /// registry or producer
    pub by: &'static str,
    /// Why
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ShownGraph {
    /// Its id
    pub id: String,
    /// Its format
    pub format: Option<String>,
    /// Its address
    pub graph_url: Option<String>,
    /// Whether the repository's own record names it
    pub is_recorded: bool,
    /// Its status
    pub status: &'static str,
    /// The error of the last visit
    pub last_error: Option<String>,
    /// Consecutive visits that found nothing
    pub miss_count: u32,
    /// When it was last fetched
    pub last_synced: Option<String>,
    /// SHA-256 of the last accepted body
    pub last_sha: Option<String>,
    /// Bytes of that body
    pub size_bytes: Option<u64>,
    /// Whether that body is stored
    pub is_mirrored: bool,
    /// Its nodes
    pub nodes: Option<u64>,
    /// Its edges
    pub edges: Option<u64>,
    /// Its languages
    pub languages: Vec<String>,
    /// The commit that it was made from
    pub source_sha: Option<String>,
    /// Commits of the tip that the graph does not have; null means unknown
    pub commits_behind: Option<u64>,
    /// current, behind or unknown
    pub drift: &'static str,
    /// Warnings
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The deprecation notice of its format
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Its revocation
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked: Option<ShownRevocation>,
}

/// A visit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ShownVisit {
    /// When
    pub at: String,
    /// The status of the first graph after the visit
    pub status: &'static str,
    /// The error
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Number of requests
    pub requests: u32,
    /// Received bytes
    pub bytes: u64,
    /// Whether a body changed
    pub is_changed: bool,
}

/// `lore registry show`.
pub struct RegistryShow;

impl Operation for RegistryShow {
    const NAME: &'static str = "registry_show";
    const COMMAND: &'static [&'static str] = &["registry", "show"];
    const ACCESS: Access = Access::Read;
    type Request = RegistryShowRequest;
    type Answer = Value<RegistryShowAnswer>;

    fn run(ctx: &Ctx, request: RegistryShowRequest) -> Result<Value<RegistryShowAnswer>, OpError> {
        let most = if request.visits { MOST_VISITS } else { FEW_VISITS };
        let named = graph_id(ctx, &request.id)?.repository;
        let (entry, visits, formats) = reading(ctx.port::<dyn Registry>(), |store| {
            about(store)?;
            let entry = entry_of(store, &named)?;
            let visits = store.visits(&entry.repository, most)?;
            Ok((entry, visits, store.formats()?))
        })?;
        let formats = Formats::of(formats)?;
        let graphs = entry
            .graphs
            .iter()
            .map(|graph| shown_graph(ctx, &entry, graph, &formats));
        Ok(Value::yes(RegistryShowAnswer {
            id: entry.repository.to_string(),
            local: entry.repository.is_local(),
            directory: entry.directory.clone(),
            status: entry.status().word(),
            description: entry.description().map(untrusted::line),
            tags: entry.tags().iter().map(|tag| untrusted::clean(tag, 32)).collect(),
            default_branch: entry.default_branch.as_deref().map(untrusted::name),
            added_at: date_time(entry.added_at),
            visited_at: entry.visited_at.map(date_time),
            record_url: entry.record.url.clone(),
            record_fault: entry.record.fault.as_deref().map(untrusted::line),
            head_sha: entry.head_sha.as_ref().map(ToString::to_string),
            drift_checked_at: entry.drift_checked_at.map(date_time),
            renamed_to: entry.renamed_to.as_ref().map(ToString::to_string),
            revoked: entry.revocation.as_ref().map(shown_revocation),
            graphs: graphs.collect(),
            visits: visits.iter().map(shown_visit).collect(),
        }))
    }
}

fn shown_revocation(revocation: &Revocation) -> ShownRevocation {
    ShownRevocation {
        at: date_time(revocation.at),
        by: revoker(revocation.by),
        reason: revocation.reason.clone(),
    }
}

fn shown_graph(ctx: &Ctx, entry: &Entry, graph: &Graph, formats: &Formats) -> ShownGraph {
    let stats = graph.shown_stats();
    // What is not known is unknown, and never current (clauses C6, R2).
    let source = graph.source_sha.as_ref();
    let behind = source.and(graph.commits_behind);
    let is_tip = source.is_some() && source == entry.head_sha.as_ref();
    ShownGraph {
        id: entry.id_of(graph).to_string(),
        format: graph.format.as_ref().map(ToString::to_string),
        graph_url: graph.graph_url.clone(),
        is_recorded: graph.is_recorded,
        status: graph.status.word(),
        last_error: graph.last_error.as_deref().map(untrusted::line),
        miss_count: graph.miss_count,
        last_synced: graph.last_synced.map(date_time),
        last_sha: graph.last_sha.clone(),
        size_bytes: graph.size_bytes,
        is_mirrored: graph
            .last_sha
            .as_deref()
            .is_some_and(|digest| ctx.port::<dyn Bodies>().has(digest)),
        nodes: stats.map(|stats| stats.nodes),
        edges: stats.map(|stats| stats.edges),
        languages: stats.map_or_else(Vec::new, |stats| {
            stats
                .languages
                .iter()
                .map(|language| untrusted::clean(language, 40))
                .collect()
        }),
        source_sha: source.map(ToString::to_string),
        commits_behind: behind,
        drift: match (behind, source.zip(entry.head_sha.as_ref())) {
            (Some(0), _) => "current",
            _ if is_tip => "current",
            (Some(_), _) | (None, Some(_)) => "behind",
            (None, None) => "unknown",
        },
        warnings: graph.warnings.iter().map(|warning| untrusted::line(warning)).collect(),
        notice: graph.format.as_ref().and_then(|format| formats.notice(format)),
        revoked: graph.revocation.as_ref().map(shown_revocation),
    }
}

fn shown_visit(visit: &Visit) -> ShownVisit {
    ShownVisit {
        at: date_time(visit.at),
        status: visit.status.word(),
        error: visit.error.as_deref().map(untrusted::line),
        requests: visit.requests,
        bytes: visit.bytes,
        is_changed: visit.is_changed,
    }
}

impl Render for RegistryShowAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.id);
        page.line(format_args!(
            "  {}{}",
            self.status,
            if self.local { "  local" } else { "" }
        ));
        let mut row = |name: &str, text: Option<&str>| {
            if let Some(text) = text {
                page.write(format_args!("  {name:<11}"));
                page.text(text);
                page.line(format_args!(""));
            }
        };
        row("directory", self.directory.as_deref());
        row("about", self.description.as_deref());
        row(
            "tags",
            Some(self.tags.join(" ")).filter(|tags| !tags.is_empty()).as_deref(),
        );
        row("registered", Some(&self.added_at));
        row("visited", Some(self.visited_at.as_deref().unwrap_or("not yet")));
        row("record", self.record_url.as_deref());
        row("", self.record_fault.as_deref());
        row("branch", self.default_branch.as_deref());
        row("tip", self.head_sha.as_deref());
        row("name now", self.renamed_to.as_deref());
        row("revoked", self.revoked.as_ref().map(ShownRevocation::shown).as_deref());
        for graph in &self.graphs {
            graph.render(page);
        }
        for visit in &self.visits {
            page.write(format_args!(
                "visit {}  {}  {} requests, {} bytes{}",
                visit.at,
                visit.status,
                visit.requests,
                visit.bytes,
                if visit.is_changed { ", changed" } else { "" }
            ));
            if let Some(error) = &visit.error {
                page.write(format_args!("  "));
                page.text(error);
            }
            page.line(format_args!(""));
        }
    }
}

impl ShownRevocation {
    fn shown(&self) -> String {
        let why = self.reason.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        format!("{} by the {}{why}", self.at, self.by)
    }
}

impl ShownGraph {
    fn render(&self, page: &mut Page) {
        page.line(format_args!(
            "{}  {}{}",
            self.format.as_deref().unwrap_or("an unknown graph"),
            self.status,
            if self.is_recorded { ", named by its record" } else { "" }
        ));
        let mut row = |name: &str, text: Option<&str>| {
            if let Some(text) = text {
                page.write(format_args!("  {name:<11}"));
                page.text(text);
                page.line(format_args!(""));
            }
        };
        row("from", self.graph_url.as_deref());
        row("wrong", self.last_error.as_deref());
        row("asked for", self.last_synced.as_deref());
        let holds = self.nodes.zip(self.edges);
        row(
            "holds",
            holds
                .map(|(nodes, edges)| format!("{nodes} nodes, {edges} edges"))
                .as_deref(),
        );
        row(
            "languages",
            Some(self.languages.join(" ")).filter(|all| !all.is_empty()).as_deref(),
        );
        let body = self.last_sha.as_ref().map(|digest| {
            let here = if self.is_mirrored { "" } else { ", not stored here" };
            format!("{digest}, {} bytes{here}", self.size_bytes.unwrap_or(0))
        });
        row("body", body.as_deref());
        let drift = match (self.drift, self.commits_behind) {
            ("behind", Some(1)) => "one commit behind".to_owned(),
            ("behind", Some(behind)) => format!("{behind} commits behind"),
            ("behind", None) => "behind by an unknown number of commits".to_owned(),
            (drift, _) => drift.to_owned(),
        };
        let from = self
            .source_sha
            .as_ref()
            .map_or_else(String::new, |commit| format!(": made from {commit}"));
        row("current", Some(&format!("{drift}{from}")));
        for warning in &self.warnings {
            row("warning", Some(warning));
        }
        row("notice", self.notice.as_deref());
        row("revoked", self.revoked.as_ref().map(ShownRevocation::shown).as_deref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::RegistryFormatDeprecate;
    use super::super::testing::*;
    use super::*;
    use lore_ckgp::format::Commit;
    use lore_ckgp::registry_store::store::writing;

    #[test]
    fn c6_drift_that_is_not_known_is_shown_as_unknown() {
        let world = made(bare(&[]));
        visited(&world, "octo/hello", "generic@1", "{}");
        let show = || asked::<RegistryShow, _>(&world, json!({"id": "octo/hello"}));
        assert!(show().contains("  current    unknown\n"), "{}", show());
        for (source, head, behind, expected) in [
            (None, Some("a"), Some(0), "unknown"),
            (Some("a"), None, None, "unknown: made from a"),
            (Some("a"), Some("b"), None, "behind by an unknown number of commits: "),
            (Some("a"), Some("b"), Some(7), "7 commits behind: "),
            (Some("a"), Some("a"), Some(0), "current: made from a"),
        ] {
            let mut known = entry(&world, "octo/hello").unwrap();
            known.head_sha = head.and_then(|digit| Commit::parse(&digit.repeat(40)));
            known.graphs[0].source_sha = source.and_then(|digit| Commit::parse(&digit.repeat(40)));
            known.graphs[0].commits_behind = behind;
            writing(world.ctx().port::<dyn Registry>(), |store| store.put(&known, "h", None)).unwrap();
            let shown = show();
            assert!(shown.contains(&format!("  current    {expected}")), "{shown}");
        }
    }

    #[test]
    fn v3_a_deprecated_format_is_noticed_and_what_is_not_registered_is_a_no() {
        let world = made(bare(&[]));
        visited(&world, "octo/hello", "generic@1", "{}");
        asked::<RegistryFormatDeprecate, _>(&world, json!({"format": "generic@1", "notice": "use ccg@1"}));
        let shown = asked::<RegistryShow, _>(&world, json!({"id": "Octo/Hello", "visits": true}));
        assert!(
            shown.contains("  notice     generic@1 is deprecated since 2026-11-16 and served at least until 2027-02-14: use ccg@1\n"),
            "{shown}"
        );
        assert!(shown.starts_with("Yes\nocto/hello  ok\n"), "{shown}");
        let missing = asked::<RegistryShow, _>(&world, json!({"id": "octo/hallo"}));
        assert_eq!(
            missing,
            "! NotFound: octo/hallo is not registered\n  similar ids: octo/hello"
        );
    }
}
