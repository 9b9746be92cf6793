//! What is wrong with the graph and with the log that it is kept in (clauses Doctor2 to Doctor8). What is wrong with it beside the code stands in `across`.

use crate::patch_log::{HookState, LogState, PatchLog, Tips};
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::confidence::Confidence;
use super::cycles::{ORDERED, cycles, told};
use super::edge::EdgeType;
use super::fold::Fold;
use super::graph::{Graph, Node};
use super::limits::Limits;
use super::open::{Opened, cut_hint};
use lore_seam::{Ctx, ObjectId, OpError};

/// How bad a finding is.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something is lost or cannot be read
    Error,
    /// Something should be looked at
    Warning,
    /// Something is worth knowing
    Info,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Something that was found
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// How bad it is
    pub severity: Severity,
    /// What kind of finding it is
    pub code: &'static str,
    /// What it is about: a node, an edge, a patch, a reference, a file
    pub subject: String,
    /// What was found
    pub message: String,
    /// What to do about it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where in the code it may be now
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
}

impl Finding {
    /// A finding without more.
    pub fn new(severity: Severity, code: &'static str, subject: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            subject: subject.into(),
            message: message.into(),
            hint: None,
            places: Vec::new(),
        }
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// What is odd about a graph, whatever it is kept in.
pub fn of_graph(graph: &Graph) -> Vec<Finding> {
    let mut findings = Vec::new();
    for node in graph.nodes() {
        if node.kind() == "milestone" && !has_members(graph, node) {
            let message = "has no members";
            let hint = format!("`lore mind link TASK {} --type belongs-to` adds a member", node.id());
            findings.push(Finding::new(Severity::Warning, "empty-milestone", node.id(), message).hint(hint));
        }
        if graph.is_orphan(node.ix()) && !node.is_systems() {
            findings.push(Finding::new(Severity::Info, "orphan", node.id(), "has no edges"));
        }
    }
    for edge in graph.edges().filter(|edge| edge.confidence() < Confidence::LOW) {
        let message = format!("has confidence {}", edge.confidence().percent());
        let finding = Finding::new(Severity::Info, "low-confidence", edge.arrow(), message);
        findings.push(finding.hint("`lore mind review` accepts, rejects or changes it"));
    }
    for kind in ORDERED {
        for circle in cycles(graph, kind) {
            let names: Vec<&str> = circle.iter().map(|node| graph.node_at(*node).id()).collect();
            let first = names.first().copied().unwrap_or_default();
            let message = format!("cycle over {kind}: {}", told(&names));
            findings.push(Finding::new(Severity::Warning, "cycle", first, message));
        }
    }
    findings
}

fn has_members(graph: &Graph, node: Node<'_>) -> bool {
    graph.incoming(node.ix()).any(|edge| edge.kind() == EdgeType::BelongsTo)
}

/// What is odd about the log: patches that count for nothing, a history that is cut, references that cannot be read.
pub fn of_log(ctx: &Ctx, opened: &Opened) -> Result<Vec<Finding>, OpError> {
    let mut findings = Vec::new();
    if opened.is_cut {
        let message = "this clone does not have the older patches of the graph (shallow clone)";
        let finding = Finding::new(Severity::Error, "cut-history", "history", message);
        findings.push(finding.hint(cut_hint(ctx.port::<dyn PatchLog>())));
    }
    for (reference, why) in &opened.tips.faults {
        findings.push(Finding::new(Severity::Warning, "unreadable-reference", reference, why));
    }
    let skipped = opened.graph.skipped();
    if skipped.is_empty() {
        return Ok(findings);
    }
    let references = references(ctx, ctx.port::<dyn PatchLog>(), &opened.tips)?;
    for skipped in skipped.iter().take(Limits::FINDINGS) {
        let message = match references.get(&skipped.patch).and_then(|at| opened.tips.tips.get(*at)) {
            Some(tip) => format!("skipped: {} (from {})", skipped.why, tip.reference),
            None => format!("skipped: {}", skipped.why),
        };
        findings.push(Finding::new(
            Severity::Warning,
            "skipped-patch",
            skipped.patch.to_hex(),
            message,
        ));
    }
    if skipped.len() > Limits::FINDINGS {
        let message = format!("{} more patches are skipped", skipped.len() - Limits::FINDINGS);
        findings.push(Finding::new(Severity::Warning, "skipped-patches", "history", message));
    }
    Ok(findings)
}

/// By patch: the first of the references that lead to it.
fn references(ctx: &Ctx, log: &dyn PatchLog, tips: &Tips) -> Result<HashMap<ObjectId, usize>, OpError> {
    let mut parents: HashMap<ObjectId, Vec<ObjectId>> = HashMap::new();
    log.walk(
        &tips.ids(),
        &|_| false,
        &mut |patch| {
            let (_, descend) = Fold::read(patch);
            parents.insert(patch.id, patch.parents.to_vec());
            descend
        },
        &ctx.cancel,
    )?;
    let mut found: HashMap<ObjectId, usize> = HashMap::new();
    for (at, tip) in tips.tips.iter().enumerate() {
        let mut next = vec![tip.id];
        while let Some(id) = next.pop() {
            if found.contains_key(&id) {
                continue;
            }
            found.insert(id, at);
            next.extend(parents.get(&id).into_iter().flatten().copied());
        }
    }
    Ok(found)
}

/// Problems of the setup of the log. Without a graph, a missing hook is not a problem.
pub fn of_state(state: &LogState, has_graph: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(why) = &state.read_only {
        findings.push(Finding::new(
            Severity::Warning,
            "read-only",
            "repository",
            format!("the mind graph is read-only here: {why}"),
        ));
    }
    for remote in state.remotes.iter().filter(|remote| !remote.configured) {
        let message = "`git fetch` does not fetch its mind graph";
        let finding = Finding::new(Severity::Warning, "no-refspec", &remote.name, message);
        let hint = format!("`lore mind init` or `lore mind doctor --fix` adds {}", remote.refspec);
        findings.push(finding.hint(hint));
    }
    for lock in &state.stale_locks {
        let finding = Finding::new(
            Severity::Warning,
            "stale-lock",
            lock,
            "no process holds this lock file, but git waits for it",
        );
        findings.push(finding.hint("remove the file if no git process runs here"));
    }
    let (files, bytes) = state.leftovers;
    if files > 0 {
        let message = format!("{files} temporary files of killed processes ({bytes} bytes)");
        let finding = Finding::new(Severity::Info, "leftovers", "repository", message);
        findings.push(finding.hint("`lore mind doctor --fix` removes those that are older than a day"));
    }
    if state.shallow {
        let message = "this is a shallow clone, so `--at` knows only the newest commits";
        let finding = Finding::new(Severity::Info, "shallow", "history", message);
        findings.push(finding.hint("`git fetch --unshallow` fetches the rest"));
    }
    if has_graph && !state.bare {
        match &state.hook {
            HookState::Absent => {
                let message = "no hook records the graph at commits";
                let finding = Finding::new(Severity::Info, "no-hook", "post-commit", message);
                findings.push(finding.hint("`lore mind hook install` installs one"));
            }
            HookState::Foreign { path } => {
                let message = "the post-commit hook is not Lore's and may not record the graph";
                let finding = Finding::new(Severity::Info, "foreign-hook", path, message);
                findings.push(finding.hint("it should run `lore mind process-commit HEAD`"));
            }
            HookState::Installed { .. } | HookState::Updated { .. } | HookState::Present { .. } => {}
        }
    }
    findings
}
