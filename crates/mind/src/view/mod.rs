//! `lore mind view`: a view of the graph, through lenses if any are named.

mod blockers;
mod decisions;
mod lens;
mod onboarding;
mod plan;
#[cfg(test)]
mod tests;
mod views;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::blockers::Blockers;
pub use self::decisions::{DecisionLine, Decisions, ReviewLine};
pub use self::lens::{CriticalPath, Lens, Link, Seen};
pub use self::onboarding::Onboarding;
pub use self::plan::{Coverage, Milestone, Progress, Status, Traceability};
pub use self::views::{Meta, NameFault, Named, SCOPE, Shown, View, look};
use crate::as_of::AsOf;
use crate::graph::Graph;
use crate::open::open;
use crate::warnings::render_warnings;
use crate::wire::{EdgeList, NodeList, SHOWN, beside, edge_text, more, prefixes};
use lore_base::counted::counted;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Look at the mind graph: roadmap, milestones, blockers, progress, decisions and six other views
///
/// Lenses narrow a view and follow its name: view:lens:lens, applied from left to right. Without a name, Lore lists the views and lenses.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind view                                 list the views and lenses
  lore mind view roadmap                         milestones and tasks with their edges
  lore mind view milestone                       progress of each milestone
  lore mind view progress --scope task           progress of tasks
  lore mind view backlog:incomplete:frontier     tasks that can be started
  lore mind view roadmap:critical-path           the longest chain of dependencies
  lore mind view decisions                       what was decided, why, and what it concerns
  lore mind view blockers --at v1.0 --json       as of a tag

Exit status: 0 shown; 1 nothing is recorded at the commit; 2 unknown view or lens, or the graph could not be read.")]
#[serde(default)]
pub struct MindViewRequest {
    /// The view, such as roadmap, blockers, progress or decisions, with lenses after colons [default: list the views]
    #[arg(value_name = "VIEW[:LENS…]")]
    pub name: Option<String>,
    /// The prefixes that the progress view counts [default: task, feature]
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    pub scope: Vec<String>,
    /// Print at most this many lines of each part; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = SHOWN)]
    #[serde(default = "shown_lines")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: usize,
    /// The graph as of this commit, branch or tag
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,
}

fn shown_lines() -> usize {
    SHOWN
}

/// The answer of a view
#[derive(Serialize, JsonSchema, Clone)]
#[serde(rename_all = "camelCase")]
pub struct MindViewAnswer {
    /// The view
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<&'static str>,
    /// The applied lenses; without a view, all lenses
    pub lenses: Vec<&'static str>,
    /// All views, if none was named
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<ViewName>,
    /// The nodes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NodeList>,
    /// The edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<EdgeList>,
    /// Further results of the view and its lenses
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<ViewMeta>,
    /// The requested commit, if --at was given
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
    /// Warnings
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    limit: usize,
}

/// A view
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ViewName {
    /// Its name
    pub name: &'static str,
    /// What the view shows
    pub about: &'static str,
}

/// Results of a view and its lenses besides nodes and edges
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ViewMeta {
    /// The view
    #[serde(flatten)]
    pub view: Meta,
    /// The lenses, in order
    #[serde(skip_serializing_if = "Vec::is_empty", rename = "lens")]
    pub lenses: Vec<Seen>,
}

/// `lore mind view`.
pub struct MindView;

impl Operation for MindView {
    const NAME: &'static str = "mind_view";
    const COMMAND: &'static [&'static str] = &["mind", "view"];
    const ACCESS: Access = Access::Read;
    type Request = MindViewRequest;
    type Answer = Value<MindViewAnswer>;

    fn run(ctx: &Ctx, request: MindViewRequest) -> Result<Value<MindViewAnswer>, OpError> {
        let limit = if request.limit == 0 { usize::MAX } else { request.limit };
        let Some(name) = &request.name else {
            return Ok(Value::yes(listed(limit)));
        };
        let named = Named::parse(name).map_err(|fault| OpError::new(ErrorKind::Invalid, fault.to_string()))?;
        let scope = prefixes(&request.scope)?;
        if !scope.is_empty() && named.view != View::Progress {
            let message = format!("the view {} has no --scope", named.view.name());
            return Err(OpError::new(ErrorKind::Invalid, message).hint("only the view progress has one"));
        }
        let opened = open(ctx, request.at.as_deref())?;
        let shown = look(&opened.graph, &named, &scope);
        let warnings = opened.remarks();
        let graph = opened.graph;
        Ok(Value::yes(MindViewAnswer {
            view: Some(named.view.name()),
            lenses: named.lenses.iter().map(|lens| lens.name()).collect(),
            views: Vec::new(),
            nodes: Some(NodeList {
                graph: graph.clone(),
                nodes: shown.nodes,
            }),
            edges: Some(EdgeList {
                graph,
                edges: shown.edges,
            }),
            meta: Some(ViewMeta {
                view: shown.meta,
                lenses: shown.lenses,
            }),
            as_of: opened.as_of,
            warnings,
            limit,
        }))
    }
}

fn listed(limit: usize) -> MindViewAnswer {
    let name = |view: View| ViewName {
        name: view.name(),
        about: view.about(),
    };
    MindViewAnswer {
        view: None,
        lenses: Lens::ALL.map(Lens::name).to_vec(),
        views: View::ALL.map(name).to_vec(),
        nodes: None,
        edges: None,
        meta: None,
        as_of: None,
        warnings: Vec::new(),
        limit,
    }
}

impl Render for MindViewAnswer {
    fn render(&self, page: &mut Page) {
        for view in &self.views {
            page.strong(&format!("{:<13}", view.name));
            page.line(format_args!(" {}", view.about));
        }
        let (Some(view), Some(nodes), Some(edges), Some(meta)) = (self.view, &self.nodes, &self.edges, &self.meta)
        else {
            page.line(format_args!("lenses: {}", self.lenses.join(", ")));
            return;
        };
        if let Some(as_of) = &self.as_of {
            as_of.render(page);
        }
        page.strong(view);
        for lens in &self.lenses {
            page.write(format_args!(":{lens}"));
        }
        page.line(format_args!(
            "  {}, {}",
            counted(nodes.nodes.len(), "node"),
            counted(edges.edges.len(), "edge")
        ));
        let told = meta_text(page, &meta.view, self.limit);
        for path in meta.lenses.iter().filter_map(|seen| seen.path.as_ref()) {
            path_text(page, path, self.limit);
        }
        let has_path = meta.lenses.iter().any(|seen| seen.path.is_some());
        let is_told = told >= Told::Nodes && self.lenses.is_empty();
        if !is_told && !has_path {
            nodes_text(page, nodes, self.limit);
        }
        if told == Told::Edges && self.lenses.is_empty() {
            return render_warnings(page, &self.warnings);
        }
        for edge in edges.edges.iter().take(self.limit) {
            page.write(format_args!("  "));
            edge_text(page, edges.graph.edge_at(*edge));
        }
        more(page, edges.edges.len().saturating_sub(self.limit));
        render_warnings(page, &self.warnings);
    }
}

fn nodes_text(page: &mut Page, list: &NodeList, limit: usize) {
    let graph: &Graph = &list.graph;
    for node in list.nodes.iter().take(limit).map(|node| graph.node_at(*node)) {
        page.write(format_args!("  {}", node.id()));
        if let Some(status) = node.text_property("status") {
            page.dim(&format!("  {status}"));
        }
        page.line(format_args!(""));
    }
    more(page, list.nodes.len().saturating_sub(limit));
}

/// Ids on a line under a word.
fn ids_text(page: &mut Page, word: &str, ids: &[String], limit: usize) {
    if ids.is_empty() {
        return;
    }
    page.line(format_args!("  {word} ({})", ids.len()));
    for id in ids.iter().take(limit) {
        page.line(format_args!("    {id}"));
    }
    more(page, ids.len().saturating_sub(limit));
}

/// What the text of a view contains beside the lists of its nodes and edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Told {
    /// Neither.
    Nothing,
    /// The nodes.
    Nodes,
    /// The nodes and their edges.
    Edges,
}

/// Writes what a view says beyond nodes and edges.
fn meta_text(page: &mut Page, meta: &Meta, limit: usize) -> Told {
    match meta {
        Meta::None {} => return Told::Nothing,
        Meta::Milestones { milestones } => {
            milestones
                .iter()
                .take(limit)
                .for_each(|milestone| milestone_text(page, milestone));
            more(page, milestones.len().saturating_sub(limit));
            return Told::Nothing;
        }
        Meta::Decisions(found) => {
            decisions_text(page, found, limit);
            return Told::Edges;
        }
        Meta::Traceability(found) => {
            page.line(format_args!(
                "  {}% of the specifications are implemented",
                found.coverage_pct
            ));
            ids_text(page, "implemented", &found.covered, limit);
            ids_text(page, "not implemented", &found.gaps, limit);
        }
        Meta::Blockers(found) => {
            let links = found.chains.iter().flatten();
            for link in links.clone().take(limit) {
                page.line(format_args!(
                    "  {:indent$}{}",
                    "",
                    link.id,
                    indent = 2 * link.depth.min(40)
                ));
            }
            more(page, links.count().saturating_sub(limit));
            for circle in found.cycles.iter().take(limit) {
                let circle: Vec<&str> = circle.iter().map(String::as_str).collect();
                page.line(format_args!("  cycle: {}", crate::cycles::told(&circle)));
            }
            more(page, found.cycles.len().saturating_sub(limit));
            if found.cut {
                page.line(format_args!("  more chains exist than are listed"));
            }
        }
        Meta::Onboarding(found) => {
            for (number, id) in (1..).zip(&found.reading_order).take(limit) {
                page.line(format_args!("  {number}. {id}"));
            }
            more(page, found.reading_order.len().saturating_sub(limit));
            if found.has_cycles {
                page.line(format_args!("  documents in dependency cycles come last"));
            }
        }
        Meta::Coverage(found) => {
            page.line(format_args!(
                "  {}% of the code implements a specification",
                found.coverage_pct
            ));
            ids_text(page, "linked", &found.linked, limit);
            ids_text(page, "not linked", &found.unlinked, limit);
        }
        Meta::Progress(found) => progress_text(page, found, limit),
    }
    Told::Nodes
}

fn decisions_text(page: &mut Page, found: &Decisions, limit: usize) {
    if found.decisions.is_empty() && found.reviews.is_empty() {
        page.line(format_args!(
            "  no decisions; `lore mind link decision:NAME file:PATH --rationale WHY` records one, and `lore mind set decision:NAME status accepted` says more about it"
        ));
    }
    for decision in found.decisions.iter().take(limit) {
        decision_text(page, decision, limit);
    }
    more(page, found.decisions.len().saturating_sub(limit));
    if !found.reviews.is_empty() {
        page.line(format_args!("  reviewed edges ({})", found.reviews.len()));
    }
    for review in found.reviews.iter().take(limit) {
        page.write(format_args!("    {} ", review.action));
        page.text(&format!(
            "{} --[{}]--> {}",
            review.source, review.edge_type, review.target
        ));
        for text in [&review.date, &review.author].into_iter().flatten() {
            page.write(format_args!("  "));
            page.text(text);
        }
        beside(page, review.rationale.as_deref());
        page.line(format_args!(""));
    }
    more(page, found.reviews.len().saturating_sub(limit));
}

fn decision_text(page: &mut Page, decision: &DecisionLine, limit: usize) {
    page.write(format_args!("  "));
    page.strong(&decision.id);
    for text in [&decision.status, &decision.date, &decision.title]
        .into_iter()
        .flatten()
    {
        page.write(format_args!("  "));
        page.text(text);
    }
    page.line(format_args!(""));
    let texts = [
        ("why", decision.rationale.clone()),
        ("by", Some(decision.authors.join(", "))),
        ("supersedes", Some(decision.supersedes.join(", "))),
        ("superseded by", Some(decision.superseded_by.join(", "))),
    ];
    for (word, text) in texts {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            page.write(format_args!("    {word}: "));
            page.text(&text);
            page.line(format_args!(""));
        }
    }
    for (edge, is_outgoing) in (decision.touches.iter().map(|edge| (edge, true)))
        .chain(decision.touched_by.iter().map(|edge| (edge, false)))
        .take(limit)
    {
        let (arrow, other) = if is_outgoing {
            ("--", &edge.target)
        } else {
            ("<--", &edge.source)
        };
        let head = if is_outgoing { "-->" } else { "--" };
        page.write(format_args!("    {arrow}[{}]{head} ", edge.kind));
        page.strong(other);
        page.write(format_args!(" ({})", edge.confidence.percent()));
        beside(page, edge.rationale.as_deref());
        page.line(format_args!(""));
    }
    more(
        page,
        (decision.touches.len() + decision.touched_by.len()).saturating_sub(limit),
    );
}

fn milestone_text(page: &mut Page, milestone: &Milestone) {
    page.write(format_args!("  "));
    page.strong(&milestone.id);
    page.write(format_args!(
        "  {}/{} ({}%)",
        milestone.done, milestone.total, milestone.pct
    ));
    if !milestone.blockers.is_empty() {
        page.write(format_args!("  blocked by {}", milestone.blockers.join(", ")));
    }
    page.line(format_args!(""));
}

fn progress_text(page: &mut Page, progress: &Progress, limit: usize) {
    let (summary, by) = (&progress.summary, &progress.by_status);
    page.line(format_args!(
        "  {} done ({}%), {} to go",
        summary.ratio, summary.pct, summary.remaining
    ));
    for (word, ids) in [
        ("done", &by.done),
        ("in progress", &by.in_progress),
        ("to do", &by.todo),
        ("blocked", &by.blocked),
        ("unknown", &by.unknown),
    ] {
        ids_text(page, word, ids, limit);
    }
}

fn path_text(page: &mut Page, path: &CriticalPath, limit: usize) {
    for link in path.chain.iter().take(limit) {
        page.line(format_args!("  {}. {}", link.depth + 1, link.id));
    }
    more(page, path.chain.len().saturating_sub(limit));
    render_warnings(page, &path.warnings);
}
