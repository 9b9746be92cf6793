//! `lore mind doctor`: what is wrong with the mind graph, with the log that it is kept in, and with what it says about the code (clauses Doctor1 to Doctor9).

use std::sync::Arc;

use clap::Args;
use lore_model::{CodeGraph, File, nearest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mind_code::{NamedCode, parts};
use crate::mind::Graph;
use crate::mind::doctor::{Finding, Severity, of_graph, of_log, of_state};
use crate::mind::graph::Node;
use crate::mind::open::open;
use crate::seam::{Access, Ctx, ErrorKind, GraphScope, OpError, Operation, Page, Render, Value, Verdict};

/// Places that are proposed for something that is gone.
const PLACES: usize = 3;
/// Findings that people are shown unless they ask for more.
const SHOWN: usize = 200;

/// Check the mind graph: cycles, orphans, skipped patches, configuration, and nodes whose file or module is gone
///
/// Nothing is changed unless --fix is given; then missing refspecs are added, the snapshot is dropped and leftovers of killed processes are removed. What people wrote is never changed.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind doctor                what is wrong, worst first
  lore mind doctor --fix          and repair what can be repaired safely
  lore mind doctor --no-code      without asking the code
  lore mind doctor --json         for programs

Exit status: 0 there is no error; 1 there is one; 2 it could not be asked.")]
#[serde(default)]
pub struct MindDoctorRequest {
    /// Add missing refspecs, drop the snapshot, remove leftovers
    #[arg(long)]
    pub fix: bool,
    /// Do not look for nodes in the code
    #[arg(long)]
    pub no_code: bool,
    /// Lines that people are shown; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = SHOWN)]
    #[serde(default = "shown_lines")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: usize,
}

fn shown_lines() -> usize {
    SHOWN
}

/// What was found
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct MindDoctorAnswer {
    /// How many errors
    pub errors: usize,
    /// How many warnings
    pub warnings: usize,
    /// How many remarks
    pub infos: usize,
    /// All of them, worst first
    pub findings: Vec<Finding>,
    /// What was repaired
    pub fixed: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    limit: usize,
}

/// `lore mind doctor`.
pub struct MindDoctor;

impl Operation for MindDoctor {
    const NAME: &'static str = "mind_doctor";
    const COMMAND: &'static [&'static str] = &["mind", "doctor"];
    const ACCESS: Access = Access::Write;
    type Request = MindDoctorRequest;
    type Answer = Value<MindDoctorAnswer>;

    fn run(ctx: &Ctx, request: MindDoctorRequest) -> Result<Value<MindDoctorAnswer>, OpError> {
        let fixed = if request.fix { fix(ctx)? } else { Vec::new() };
        let state = ctx.ports.mind.state()?;
        let mut findings = Vec::new();
        let mut has_graph = true;
        match open(ctx, None) {
            Ok(opened) => {
                has_graph = !opened.tips.tips.is_empty();
                findings.extend(of_graph(&opened.graph));
                findings.extend(of_log(ctx, &opened)?);
                if !request.no_code {
                    findings.extend(of_code(ctx, &opened.graph)?);
                }
            }
            // The log is there and cannot be read whole, which is the worst that can be found.
            Err(error) if error.kind == ErrorKind::Unavailable => {
                let mut finding = Finding::new(Severity::Error, "unreadable", "history", error.message);
                finding.hint = error.hints.into_iter().next();
                findings.push(finding);
            }
            Err(error) => return Err(error),
        }
        findings.extend(of_state(&state, has_graph));
        findings.sort_unstable();
        let count = |severity: Severity| findings.iter().filter(|finding| finding.severity == severity).count();
        let answer = MindDoctorAnswer {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            findings,
            fixed,
            limit: if request.limit == 0 { usize::MAX } else { request.limit },
        };
        let verdict = if answer.errors > 0 { Verdict::No } else { Verdict::Yes };
        Ok(Value { value: answer, verdict })
    }
}

/// Repairs what is Lore's own: configuration, what can be made again, what nobody needs.
fn fix(ctx: &Ctx) -> Result<Vec<String>, OpError> {
    let log = &ctx.ports.mind;
    let mut fixed = Vec::new();
    let state = log.state()?;
    if state.remotes.iter().any(|remote| !remote.configured) {
        let added = log.prepare()?.into_iter().filter(|remote| remote.added);
        fixed.extend(added.map(|remote| format!("{}: fetch = {}", remote.name, remote.refspec)));
    }
    if state.snapshot {
        log.drop_snapshots()?;
        fixed.push("the snapshot was dropped; it is made again when the graph is read".to_owned());
    }
    match log.clean()? {
        0 => {}
        1 => fixed.push("1 leftover was removed".to_owned()),
        many => fixed.push(format!("{many} leftovers were removed")),
    }
    Ok(fixed)
}

/// Nodes whose file or module is gone from the code, with where it may be now.
fn of_code(ctx: &Ctx, graph: &Graph) -> Result<Vec<Finding>, OpError> {
    let is_wanted = |node: &Node<'_>| matches!(node.id().split_once(':'), Some(("file" | "module", _)));
    let nodes: Vec<Node<'_>> = graph.nodes().filter(is_wanted).collect();
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let scope = GraphScope::default();
    let code = match ctx.ports.code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel) {
        Ok(code) => code,
        Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
        Err(error) => {
            let message = format!("nodes were not looked for in the code: {}", error.message);
            return Ok(vec![Finding::new(Severity::Info, "code-not-read", "code", message)]);
        }
    };
    let tree = Tree::new(ctx, code);
    let gone = nodes.into_iter().filter_map(|node| tree.gone(node.id()));
    Ok(gone.collect())
}

/// The code and the files beside it.
struct Tree<'c> {
    ctx: &'c Ctx,
    code: NamedCode,
    files: Option<Arc<dyn crate::seam::Files>>,
}

impl<'c> Tree<'c> {
    fn new(ctx: &'c Ctx, code: Arc<CodeGraph>) -> Self {
        Self {
            ctx,
            files: ctx.ports.code.files().ok(),
            code: NamedCode::new(code),
        }
    }

    /// What is said about a node that names something which is not there.
    fn gone(&self, id: &str) -> Option<Finding> {
        let (prefix, name) = id.split_once(':')?;
        let (message, places) = match prefix {
            "file" if !self.has_file(name) => ("there is no such file", self.likely_files(name)),
            "module" if !self.has_module(name) => ("there is no such module", self.likely_modules(name)),
            _ => return None,
        };
        let mut finding = Finding::new(Severity::Warning, "gone-from-code", id, message);
        if !places.is_empty() {
            let named: Vec<String> = places.iter().map(|place| format!("{prefix}:{place}")).collect();
            finding.hint = Some(format!("did it become {}?", named.join(" or ")));
        }
        finding.places = places;
        Some(finding)
    }

    fn has_file(&self, path: &str) -> bool {
        self.code.graph.file_at(path).is_some()
            || match &self.files {
                Some(files) => files.kind(path).is_some(),
                None => self.ctx.ports.code.read(&GraphScope::default(), path).is_ok(),
            }
    }

    fn has_module(&self, name: &str) -> bool {
        !self.code.modules_named(name).is_empty() || self.has_file(name)
    }

    /// Files of the same name, those that share most of the end of the path first; else names that are nearly the same.
    fn likely_files(&self, path: &str) -> Vec<String> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let wanted = name(path);
        let shared = |other: &str| {
            let ends = path.rsplit('/').zip(other.rsplit('/'));
            ends.take_while(|(left, right)| left == right).count()
        };
        let same = self
            .code
            .graph
            .files()
            .map(File::path)
            .filter(|other| name(other) == wanted);
        let mut same: Vec<&str> = same.collect();
        same.sort_by_key(|other| (std::cmp::Reverse(shared(other)), *other));
        if same.is_empty() {
            same = nearest(path, self.code.graph.files().map(File::path), PLACES);
        }
        same.into_iter().take(PLACES).map(str::to_owned).collect()
    }

    /// Modules whose last name is the same; else names that are nearly the same. They are written as ids can be.
    fn likely_modules(&self, name: &str) -> Vec<String> {
        let last = |name: &str| parts(name).last().map(|last| (*last).to_owned());
        let is_id = |name: &String| crate::mind::NodeId::parse(&format!("module:{name}")).is_ok();
        let modules = self.code.modules.modules().iter();
        let mut names: Vec<String> = modules
            .map(|module| module.name.replace("::", "/"))
            .filter(is_id)
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut same: Vec<&str> = names
            .iter()
            .map(String::as_str)
            .filter(|other| last(other) == last(name))
            .collect();
        if same.is_empty() {
            same = nearest(name, names.iter().map(String::as_str), PLACES);
        }
        same.into_iter().take(PLACES).map(str::to_owned).collect()
    }
}

impl Render for MindDoctorAnswer {
    fn render(&self, page: &mut Page) {
        for line in &self.fixed {
            page.write(format_args!("fixed: "));
            page.text(line);
            page.line(format_args!(""));
        }
        for finding in self.findings.iter().take(self.limit) {
            page.write(format_args!("{} ", finding.severity.name()));
            page.dim(finding.code);
            page.write(format_args!(" "));
            page.strong(&finding.subject);
            page.write(format_args!(": "));
            page.text(&finding.message);
            page.line(format_args!(""));
            if let Some(hint) = &finding.hint {
                page.write(format_args!("  hint: "));
                page.text(hint);
                page.line(format_args!(""));
            }
        }
        if self.findings.len() > self.limit {
            let more = self.findings.len() - self.limit;
            page.line(format_args!("… {more} more; --limit 0 or --json shows all"));
        }
        match (self.errors, self.warnings, self.infos) {
            (0, 0, 0) => page.line(format_args!("nothing is wrong")),
            (errors, warnings, infos) => {
                page.line(format_args!("{errors} errors, {warnings} warnings, {infos} remarks"));
            }
        }
    }
}
