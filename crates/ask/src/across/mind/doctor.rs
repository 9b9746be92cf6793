//! `lore mind doctor`: what is wrong with the mind graph, with the log that it is kept in, and with what it says about the code (clauses Doctor1 to Doctor9).

use lore_mind::patch_log::PatchLog;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use clap::Args;
use lore_model::{CodeGraph, File, nearest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::code::{NamedCode, parts};
use lore_base::counted::counted;
use lore_mind::Graph;
use lore_mind::doctor::{Finding, Severity, of_graph, of_log, of_state};
use lore_mind::graph::Node;
use lore_mind::open::open;
use lore_seam::{Access, Ctx, ErrorKind, GraphScope, Log, OpError, Operation, Page, Render, Value, Verdict};

/// How many of those that are gone are looked for elsewhere: nobody reads more, and each costs a look at every file.
const LOOKED_FOR: usize = 200;
/// Places that are proposed for something that is gone.
const PLACES: usize = 3;
/// Findings that people are shown unless they ask for more.
const SHOWN: usize = 200;

/// Check the mind graph: cycles, orphans, skipped patches, configuration, and nodes whose file or module is gone
///
/// With --fix, it adds missing refspecs, deletes the snapshot and removes files of killed processes. It never changes decisions.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind doctor                the problems, worst first
  lore mind doctor --fix          and safe repairs
  lore mind doctor --no-code      without a check against the code
  lore mind doctor --json         for programs

Exit status: 0: no error; 1: at least one error; 2: the graph could not be checked.")]
#[serde(default)]
pub struct MindDoctorRequest {
    /// Add missing refspecs, delete the snapshot, remove files of killed processes
    #[arg(long)]
    pub fix: bool,
    /// Do not search the code for nodes
    #[arg(long)]
    pub no_code: bool,
    /// Maximum number of findings in the text output; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = SHOWN)]
    #[serde(default = "shown_lines")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: usize,
}

fn shown_lines() -> usize {
    SHOWN
}

/// The findings
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct MindDoctorAnswer {
    /// Number of errors
    pub errors: usize,
    /// Number of warnings
    pub warnings: usize,
    /// Number of remarks
    pub infos: usize,
    /// The findings, worst first
    pub findings: Vec<Finding>,
    /// The repairs
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
        let state = ctx.port::<dyn PatchLog>().state()?;
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
    let log = ctx.port::<dyn PatchLog>();
    let mut fixed = Vec::new();
    let state = log.state()?;
    if state.remotes.iter().any(|remote| !remote.configured) {
        let added = log.prepare()?.into_iter().filter(|remote| remote.added);
        fixed.extend(added.map(|remote| format!("{}: fetch = {}", remote.name, remote.refspec)));
    }
    if state.snapshot {
        log.drop_snapshots()?;
        fixed.push("the snapshot was deleted; Lore rebuilds it when the graph is read".to_owned());
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
            let message = format!("the code was not searched for nodes: {}", error.message);
            return Ok(vec![Finding::new(Severity::Info, "code-not-read", "code", message)]);
        }
    };
    let tree = Tree::new(ctx, code);
    let mut gone = Vec::new();
    for node in nodes {
        if ctx.cancel.is_cancelled() {
            return Err(OpError::new(
                ErrorKind::Cancelled,
                "the search in the code was cancelled",
            ));
        }
        gone.extend(tree.gone(node.id(), gone.len() < LOOKED_FOR));
    }
    Ok(gone)
}

/// The code and the files beside it.
struct Tree<'c> {
    ctx: &'c Ctx,
    code: NamedCode,
    files: Option<Arc<dyn lore_seam::Files>>,
    past: Past,
}

/// What git knows of files that are not there any more.
#[derive(Default)]
struct Past {
    /// Every path that its log names.
    known: HashSet<String>,
    /// What files were called from their last renaming on, by their old paths.
    renamed: HashMap<String, String>,
}

impl Past {
    fn new(log: &Log) -> Self {
        let mut past = Self::default();
        for change in log.commits.iter().rev().flat_map(|commit| &commit.changes) {
            past.known.insert(change.path.clone());
            if let Some(from) = &change.from {
                past.known.insert(from.path.clone());
                past.renamed.insert(from.path.clone(), change.path.clone());
            }
        }
        past
    }

    /// What a path is called now, through all renamings, if it is there.
    fn now(&self, path: &str, is_there: impl Fn(&str) -> bool) -> Option<&str> {
        let mut met = HashSet::new();
        let mut name = self.renamed.get(path)?;
        while !is_there(name) {
            name = self.renamed.get(name).filter(|_| met.insert(name.as_str()))?;
        }
        Some(name)
    }
}

/// A path without the ending of its last name.
fn stem(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    match path.rfind('.').filter(|dot| *dot > name) {
        Some(dot) => path.get(..dot).unwrap_or(path),
        None => path,
    }
}

impl<'c> Tree<'c> {
    fn new(ctx: &'c Ctx, code: Arc<CodeGraph>) -> Self {
        // Without its log git knows no renamings, and names have to do.
        let log = ctx.ports.code.log(ctx.progress.as_ref(), &ctx.cancel);
        let log = log.unwrap_or_else(|error| {
            ctx.progress
                .remark(&format!("renames of files are unknown: {}", error.message));
            None
        });
        Self {
            ctx,
            files: ctx.ports.code.files().ok(),
            code: NamedCode::new(code),
            past: log.as_deref().map(Past::new).unwrap_or_default(),
        }
    }

    /// What is said about a node that names something which is not there.
    fn gone(&self, id: &str, is_looked_for: bool) -> Option<Finding> {
        let (prefix, name) = id.split_once(':')?;
        let (message, likely): (_, fn(&Self, &str) -> Vec<String>) = match prefix {
            "file" if !self.has_file(name) => ("the file does not exist", Self::likely_files),
            "module" if !self.has_module(name) => ("the module does not exist", Self::likely_modules),
            _ => return None,
        };
        let places = if is_looked_for { likely(self, name) } else { Vec::new() };
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

    /// What git says that it was renamed to, and nothing if git knows that it was taken away. Of what git never knew: files of the same name, those that share most
    /// of the end of the path first; else files of the name that is nearest.
    fn likely_files(&self, path: &str) -> Vec<String> {
        if let Some(now) = self.past.now(path, |name| self.has_file(name)) {
            return vec![now.to_owned()];
        }
        if self.past.known.contains(path) {
            return Vec::new();
        }
        fn name(path: &str) -> &str {
            path.rsplit('/').next().unwrap_or_default()
        }
        let shared = |other: &str| {
            let ends = path.rsplit('/').zip(other.rsplit('/'));
            ends.take_while(|(left, right)| left == right).count()
        };
        let paths = || self.code.graph.files().map(File::path);
        let called = |wanted: &str| -> Vec<&str> { paths().filter(|other| name(other) == wanted).collect() };
        let mut found = called(name(path));
        if found.is_empty() {
            let ending = |name: &str| name.rsplit_once('.').map(|(_, ending)| ending.to_owned());
            let alike = paths().map(name).filter(|other| ending(other) == ending(name(path)));
            let near = nearest(name(path), alike, 1);
            found = near.first().map(|near| called(near)).unwrap_or_default();
        }
        found.sort_by_key(|other| (std::cmp::Reverse(shared(other)), *other));
        found.into_iter().take(PLACES).map(str::to_owned).collect()
    }

    /// The modules of the files that git says its file was renamed to, and nothing if git knows that its file was taken away. Of what git never knew: modules whose last
    /// name is the same; else names that are nearly the same. They are written as ids can be.
    fn likely_modules(&self, name: &str) -> Vec<String> {
        let last = |name: &str| parts(name).last().map(|last| (*last).to_owned());
        let is_id = |name: &String| lore_mind::NodeId::parse(&format!("module:{name}")).is_ok();
        let wanted = parts(name);
        let is_its_file = |path: &&String| parts(stem(path)).ends_with(&wanted);
        let mut were: Vec<&String> = self.past.known.iter().filter(is_its_file).collect();
        were.retain(|path| !self.has_file(path));
        if !were.is_empty() {
            were.sort_unstable();
            let now = were
                .iter()
                .filter_map(|path| self.past.now(path, |name| self.has_file(name)));
            let files = now
                .filter_map(|path| self.code.graph.file_at(path))
                .map(|file| file.id());
            let of_file = |file| {
                let modules = self.code.modules.modules().iter();
                modules.filter(move |module| module.files.contains(&file))
            };
            let mut names: Vec<String> = files
                .flat_map(of_file)
                .map(|module| module.name.replace("::", "/"))
                .collect();
            names.retain(is_id);
            names.dedup();
            names.truncate(PLACES);
            return names;
        }
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
        let mut last = None;
        for finding in self.findings.iter().take(self.limit) {
            page.write(format_args!("{} ", finding.severity.name()));
            page.dim(finding.code);
            page.write(format_args!(" "));
            page.strong(&finding.subject);
            page.write(format_args!(": "));
            page.text(&finding.message);
            page.line(format_args!(""));
            // What was just said is not said again.
            let hint = finding.hint.as_ref();
            if let Some(hint) = hint.filter(|_| hint != last) {
                page.write(format_args!("  hint: "));
                page.text(hint);
                page.line(format_args!(""));
            }
            last = hint;
        }
        if self.findings.len() > self.limit {
            let more = self.findings.len() - self.limit;
            page.line(format_args!("… {more} more; --limit 0 or --json shows all"));
        }
        match (self.errors, self.warnings, self.infos) {
            (0, 0, 0) => page.line(format_args!("no problems")),
            (errors, warnings, infos) => {
                let [errors, warnings, infos] = [(errors, "error"), (warnings, "warning"), (infos, "remark")]
                    .map(|(count, what)| counted(count, what));
                page.line(format_args!("{errors}, {warnings}, {infos}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use lore_ccg::testing::graph as code;
    use lore_mind::memory_log::MemoryLog;
    use lore_mind::patch_log::{HookState, LogState, RemoteState};
    use lore_seam::PortMap;
    use lore_seam::world::World;
    use lore_seam::{LogChange, LogCommit, Renamed, Style};

    /// A world with a log and code.
    fn world(lines: &str, code_lines: &str, files: &[&str]) -> (Arc<MemoryLog>, Ctx) {
        let log = Arc::new(MemoryLog::default());
        log.tell(1_000, lines);
        let ctx = ctx_of(&log, code_lines, files);
        (log, ctx)
    }

    fn ctx_of(log: &Arc<MemoryLog>, code_lines: &str, files: &[&str]) -> Ctx {
        let world = World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(log) as Arc<dyn PatchLog>),
            graph: (!code_lines.is_empty()).then(|| Arc::new(code(code_lines))),
            ..World::with_files(files.iter().map(|path| (*path, "")))
        };
        Arc::new(world).ctx()
    }

    fn checked(ctx: &Ctx, request: MindDoctorRequest) -> (Vec<String>, Verdict) {
        let answer = MindDoctor::run(ctx, request).expect("an answer");
        let line = |finding: &Finding| {
            format!(
                "{} {} {}: {}",
                finding.severity.name(),
                finding.code,
                finding.subject,
                finding.message
            )
        };
        (answer.value.findings.iter().map(line).collect(), answer.verdict)
    }

    fn found(lines: &str) -> Vec<String> {
        let (_, ctx) = world(lines, "", &[]);
        let (mut found, _) = checked(&ctx, MindDoctorRequest::default());
        found.retain(|line| !line.contains("no-hook"));
        found
    }

    #[test]
    fn c29_the_doctor_finds_nothing_in_nothing() {
        assert_eq!(found(""), [""; 0]);
    }

    #[test]
    fn example4_only_confidences_below_three_tenths_are_low() {
        let lines = "task:a blocks task:b 1\ntask:a blocks task:c .8\ntask:a blocks task:d .5\n\
                     task:a blocks task:e .3\ntask:a blocks task:f .29";
        let mut low = found(lines);
        low.retain(|line| line.contains(" low-confidence "));
        assert_eq!(low.len(), 1, "{low:?}");
        assert!(low[0].contains("task:a --[blocks]--> task:f"), "{low:?}");
    }

    #[test]
    fn missed15_the_doctor_reads_a_hundred_thousand_edges() {
        let line = |at: usize| format!("task:{at:06} blocks task:{:06}\n", at + 1);
        let lines: String = (0..100_000).map(line).collect();
        let (_, ctx) = world(&lines, "", &[]);
        assert_eq!(checked(&ctx, MindDoctorRequest::default()).1, Verdict::Yes);
    }

    #[test]
    fn doctor1_no_edge_dangles_after_a_node_is_removed() {
        let (log, ctx) = world("task:a blocks task:b", "", &[]);
        log.tell(2_000, "task:c relates-to task:a");
        let (found, verdict) = checked(&ctx, MindDoctorRequest::default());
        assert_eq!((found.len(), verdict), (1, Verdict::Yes), "{found:?}");
    }

    #[test]
    fn doctor2_milestones_and_phases_without_members_are_named() {
        assert_eq!(
            found("milestone:a relates-to task:t\nphase:b relates-to task:t\ntask:t belongs-to milestone:c"),
            [
                "warning empty-milestone milestone:a: has no members",
                "warning empty-milestone phase:b: has no members"
            ]
        );
    }

    #[test]
    fn doctor3_nodes_without_an_edge_are_named_but_for_those_of_the_system() {
        assert_eq!(
            found("task:a\ncommit:abc\ndecision:1-0123abcd action=\"accept\"\ndecision:mine"),
            [
                "info orphan decision:mine: has no edges",
                "info orphan task:a: has no edges"
            ]
        );
    }

    #[test]
    fn doctor4_edges_that_are_hardly_sure_are_named() {
        assert_eq!(
            found("task:a blocks task:b .29\ntask:a blocks task:c .3"),
            ["info low-confidence task:a --[blocks]--> task:b: has confidence 29%"]
        );
    }

    #[test]
    fn doctor5_circles_are_named_for_each_type() {
        let lines = "task:a blocks task:b\ntask:b blocks task:a\ntask:a depends-on task:c\ntask:c depends-on task:a\ntask:c blocks task:d\ntask:d depends-on task:c";
        assert_eq!(
            found(lines),
            [
                "warning cycle task:a: cycle over blocks: task:a → task:b → task:a",
                "warning cycle task:a: cycle over depends-on: task:a → task:c → task:a"
            ]
        );
    }

    #[test]
    fn doctor6_skipped_patches_are_named_with_their_reference_and_the_reason() {
        let (log, _) = world("task:a blocks task:b", "", &[]);
        let message = "mind: x\n\n[\"x\",1]\n\nLore-Mind: 1\nLore-Lamport: 1\nLore-Writer: w\nLore-Operations: 1\n";
        let bad = log.push("refs/lore/mind/remotes/origin/w/z", Vec::new(), message, Vec::new());
        let ctx = ctx_of(&log, "", &[]);
        let (found, verdict) = checked(&ctx, MindDoctorRequest::default());
        let line = found.iter().find(|line| line.contains("skipped")).expect("a finding");
        assert!(
            line.starts_with(&format!("warning skipped-patch {bad}: skipped: ")),
            "{line}"
        );
        assert!(line.ends_with(" (from refs/lore/mind/remotes/origin/w/z)"), "{line}");
        assert_eq!(verdict, Verdict::Yes);
    }

    #[test]
    fn doctor7_a_history_that_is_cut_is_an_error() {
        let (log, _) = world("task:a blocks task:b", "", &[]);
        let missing = lore_seam::ObjectId::new(&[7; 32]).expect("32 bytes");
        let message = "mind: x\n\n[\"n\",\"task:z\",{},[],[]]\n\nLore-Mind: 1\nLore-Lamport: 9\nLore-Writer: w\nLore-Operations: 1\n";
        log.push("refs/lore/mind/remotes/origin/w/z", vec![missing], message, Vec::new());
        let (found, verdict) = checked(&ctx_of(&log, "", &[]), MindDoctorRequest::default());
        assert!(found[0].starts_with("error cut-history history: "), "{found:?}");
        assert_eq!(verdict, Verdict::No);
    }

    fn state() -> LogState {
        LogState {
            remotes: vec![RemoteState {
                name: "origin".to_owned(),
                url: None,
                refspec: "+refs/lore/mind/w/*:refs/lore/mind/remotes/origin/w/*".to_owned(),
                configured: false,
                added: true,
            }],
            stale_locks: vec![".git/refs/lore/mind/w/a.lock".to_owned()],
            leftovers: (2, 40),
            read_only: Some("it is a mirror".to_owned()),
            shallow: true,
            snapshot: true,
            hook: HookState::Foreign {
                path: ".git/hooks/post-commit".to_owned(),
            },
            ..LogState::default()
        }
    }

    #[test]
    fn doctor8_the_configuration_is_looked_at() {
        let (log, ctx) = world("task:a blocks task:b", "", &[]);
        log.set_state(state());
        assert_eq!(
            checked(&ctx, MindDoctorRequest::default()),
            (
                [
                    "warning no-refspec origin: `git fetch` does not fetch its mind graph",
                    "warning read-only repository: the mind graph is read-only here: it is a mirror",
                    "warning stale-lock .git/refs/lore/mind/w/a.lock: no process holds this lock file, but git waits for it",
                    "info foreign-hook .git/hooks/post-commit: the post-commit hook is not Lore's and may not record the graph",
                    "info leftovers repository: 2 temporary files of killed processes (40 bytes)",
                    "info shallow history: this is a shallow clone, so `--at` knows only the newest commits",
                ]
                .map(str::to_owned)
                .to_vec(),
                Verdict::Yes
            )
        );
    }

    #[test]
    fn doctor8_what_is_repaired_is_configuration_and_what_can_be_made_again() {
        let (log, ctx) = world("task:a blocks task:b .1", "", &[]);
        log.set_state(state());
        log.keep_snapshot("graph", b"anything");
        let before = log.messages();
        let request = MindDoctorRequest {
            fix: true,
            ..MindDoctorRequest::default()
        };
        let answer = MindDoctor::run(&ctx, request).expect("an answer").value;
        assert_eq!(
            answer.fixed,
            [
                "origin: fetch = +refs/lore/mind/w/*:refs/lore/mind/remotes/origin/w/*",
                "the snapshot was deleted; Lore rebuilds it when the graph is read"
            ]
        );
        assert!(log.snapshot("graph").is_none());
        assert_eq!(log.messages(), before, "nobody's data is touched");
    }

    const CODE: &str = "file src/new/cart.rs rust module=shop::new::cart
        file src/main.rs rust module=shop
        file src/pay.rs rust module=shop::pay";

    #[test]
    fn doctor9_what_is_gone_from_the_code_is_named_with_where_it_may_be_now() {
        let lines = "file:src/cart.rs relates-to file:src/main.rs\nfile:README.md relates-to module:shop/pay\nmodule:cart relates-to module:shop/old/cart\nmodule:shop/pai relates-to file:src/mian.rs\nrepo:o/n:file:gone relates-to file:lost";
        let (_, ctx) = world(lines, CODE, &["README.md"]);
        let answer = MindDoctor::run(&ctx, MindDoctorRequest::default())
            .expect("an answer")
            .value;
        let gone: Vec<String> = answer
            .findings
            .iter()
            .filter(|finding| finding.code == "gone-from-code")
            .map(|finding| format!("{}: {}", finding.subject, finding.hint.clone().unwrap_or_default()))
            .collect();
        assert_eq!(
            gone,
            [
                "file:lost: ",
                "file:src/cart.rs: did it become file:src/new/cart.rs?",
                "file:src/mian.rs: did it become file:src/main.rs?",
                "module:shop/old/cart: did it become module:shop/new/cart?",
                "module:shop/pai: did it become module:shop/pay?",
            ]
        );
        let request = MindDoctorRequest {
            no_code: true,
            ..MindDoctorRequest::default()
        };
        assert!(!checked(&ctx, request).0.iter().any(|line| line.contains("gone")));
    }

    #[test]
    fn doctor9_what_git_says_was_renamed_is_not_guessed() {
        let change = |path: &str, from: Option<&str>, blob: Option<&str>| LogChange {
            path: path.to_owned(),
            from: from.map(|path| Renamed {
                path: path.to_owned(),
                sure: true,
            }),
            blob: blob.map(str::to_owned),
        };
        let commit = |id: &str, changes: Vec<LogChange>| LogCommit {
            id: id.to_owned(),
            changes,
            ..LogCommit::default()
        };
        let commits = vec![
            commit("3", vec![change("src/main.rs", Some("src/pay.rs"), Some("x"))]),
            commit("2", vec![change("src/pay.rs", Some("src/coin.rs"), Some("x"))]),
            commit(
                "1",
                vec![
                    change("src/coin.rs", None, Some("x")),
                    change("src/mein.rs", None, None),
                ],
            ),
        ];
        let log = Log::new("3".to_owned(), commits, false, vec!["src/main.rs".to_owned()]);
        let mind = Arc::new(MemoryLog::default());
        mind.tell(
            1_000,
            "file:src/coin.rs relates-to file:src/mein.rs\nmodule:src/coin relates-to module:src/mein",
        );
        let world = World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(&mind) as Arc<dyn PatchLog>),
            graph: Some(Arc::new(code("file src/main.rs rust module=shop"))),
            log: Mutex::new(Some(Arc::new(log))),
            ..World::default()
        };
        let answer = MindDoctor::run(&Arc::new(world).ctx(), MindDoctorRequest::default());
        let answer = answer.expect("an answer").value;
        let gone = answer
            .findings
            .iter()
            .filter(|finding| finding.code == "gone-from-code");
        let gone: Vec<String> = gone
            .map(|finding| format!("{}: {}", finding.subject, finding.hint.clone().unwrap_or_default()))
            .collect();
        assert_eq!(
            gone,
            [
                "file:src/coin.rs: did it become file:src/main.rs?",
                "file:src/mein.rs: ",
                "module:src/coin: did it become module:shop?",
                "module:src/mein: ",
            ]
        );
    }

    #[test]
    fn doctor9_without_an_index_the_code_is_not_asked_and_that_is_said() {
        let (_, ctx) = world("file:a relates-to task:b", "", &[]);
        let (found, verdict) = checked(&ctx, MindDoctorRequest::default());
        assert_eq!(
            found[0],
            "info code-not-read code: the code was not searched for nodes: there is no repository"
        );
        assert_eq!(verdict, Verdict::Yes);
    }

    #[test]
    fn findings_are_told_worst_first_with_what_to_do() {
        let (_, ctx) = world("milestone:m", "", &[]);
        let answer = MindDoctor::run(&ctx, MindDoctorRequest::default())
            .expect("an answer")
            .value;
        let mut page = Page::new(Style::default());
        answer.render(&mut page);
        assert_eq!(
            page.into_text(),
            "warning empty-milestone milestone:m: has no members\n  hint: `lore mind link TASK milestone:m --type belongs-to` adds a member\n\
             info no-hook post-commit: no hook records the graph at commits\n  hint: `lore mind hook install` installs one\n\
             info orphan milestone:m: has no edges\n0 errors, 1 warning, 2 remarks\n"
        );
    }
}
