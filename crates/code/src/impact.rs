//! `lore impact`: what a change can affect, how sure that is, and which tests to run.
//!
//! `reach` searches backwards along the edges, `rank` orders the tests, `test_command` writes the command of a test runner, and
//! `signature` collects what a change of a signature touches.

mod rank;
mod reach;
mod signature;
mod test_command;

use std::collections::BTreeSet;

use clap::Args;
use lore_base::counted::counted;
use lore_model::{CodeGraph, File, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::rank::{Closeness, before_the_fall};
use self::reach::{CERTAIN, Reach, reached};
pub use self::signature::{DefinitionLine, SignatureAnswer, SiteLine};
pub use self::test_command::Runner;
use super::changes::{Changed, changed_since};
use super::target::{self, Target};
use super::wire::{Kind, Scope};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// What is less likely affected is not looked for, unless the request says otherwise.
const LEAST: f32 = 0.05;
/// With more affected tests than this, the git history helps to order them.
const MANY: usize = 12;

/// Show what a change can affect, and which tests to run
///
/// A change is a symbol, a file, or the difference to a git revision. Lore follows calls, reads, imports and base types
/// backwards, and rates how likely each symbol is affected. The lists end where the likelihood falls off, with the count of the rest.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore impact QuerySet.filter           a change to one symbol
  lore impact src/app.py src/db.py      a change to files
  lore impact --since HEAD              changes that are not committed
  lore impact --since main --tests      only the tests, one a line
  lore impact --since main --format pytest   the command that runs the tests
  lore impact --signature Store.read    what to edit if the signature changes
  lore impact --since v1.2 --at v1.3    between two revisions")]
#[serde(default)]
pub struct ImpactRequest {
    /// Symbols, files or path:line that change
    pub targets: Vec<String>,
    /// The change is the difference to this git revision
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Show only the tests to run
    #[arg(long)]
    pub tests: bool,
    /// Print the command for this test runner
    #[arg(long, value_enum, value_name = "RUNNER")]
    pub format: Option<Runner>,
    /// List what to edit if the signature changes
    #[arg(long, conflicts_with_all = ["tests", "format", "min_confidence"])]
    pub signature: bool,
    /// Do not cut the lists where the likelihood falls off, or at the limit
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    pub all: bool,
    /// Only symbols with at least this confidence, from 0 to 1 [default: until the likelihood falls off]
    #[arg(long)]
    pub min_confidence: Option<f32>,
    /// Maximum number of affected symbols or calls; 0 for all
    #[arg(long, default_value_t = 50)]
    #[serde(default = "fifty")]
    pub limit: usize,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn fifty() -> usize {
    50
}

/// What a change can affect
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ImpactAnswer {
    /// The symbols that change
    pub changed: Vec<String>,
    /// Files with changes outside of definitions
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed_files: Vec<String>,
    /// Tests to run, the most likely affected first
    pub tests: Vec<AffectedLine>,
    /// Number of tests that may be affected, with those that are too unlikely to be listed
    pub test_count: usize,
    /// The files of the listed tests
    pub test_files: Vec<String>,
    /// Other affected symbols, the most likely first
    pub affected: Vec<AffectedLine>,
    /// Number of affected symbols, without tests
    pub affected_count: usize,
    /// The command that runs the listed tests, for a POSIX shell
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What to edit if the signature changes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<SignatureAnswer>,
    #[serde(skip)]
    #[schemars(skip)]
    tests_only: bool,
}

/// One symbol that a change can affect
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct AffectedLine {
    /// The name
    pub symbol: String,
    /// The kind
    pub kind: Kind,
    /// The file
    pub path: String,
    /// The line of the name
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// How likely it is affected, from 0 to 1
    pub confidence: f32,
    /// Distance from the change, in edges
    pub distance: u32,
    /// The affected symbol that it depends on
    pub through: String,
    /// How it depends on that symbol
    pub because: &'static str,
}

impl Render for ImpactAnswer {
    fn render(&self, page: &mut Page) {
        if let Some(command) = &self.command {
            page.text(command);
            page.end_line();
            return;
        }
        if self.tests_only {
            for test in &self.tests {
                page.text(&test.symbol);
                page.dim(&format!("  {}:{}  {:.2}", test.path, test.line, test.confidence));
                page.line(format_args!(""));
            }
            return;
        }
        page.line(format_args!("changed: {}", listed(&self.changed)));
        if !self.changed_files.is_empty() {
            page.line(format_args!(
                "files with changes outside of definitions: {}",
                listed(&self.changed_files)
            ));
        }
        if let Some(signature) = &self.signature {
            page.end_line();
            signature::render(signature, page);
            return;
        }
        let rows = |page: &mut Page, title: &str, count: usize, lines: &[AffectedLine]| {
            page.end_line();
            page.line(format_args!("{title}: {count}"));
            for line in lines {
                page.write(format_args!("  {:.2}  ", line.confidence));
                page.strong(&line.symbol);
                page.dim(&format!("  {}:{}  {}", line.path, line.line, line.because));
                if !line.through.is_empty() {
                    page.write(format_args!(" "));
                    page.text(&line.through);
                }
                page.line(format_args!(""));
            }
            if lines.len() < count {
                page.line(format_args!(
                    "  … and {} more, less likely (--all shows all)",
                    count - lines.len()
                ));
            }
        };
        rows(page, "tests to run", self.test_count, &self.tests);
        rows(page, "affected", self.affected_count, &self.affected);
    }
}

fn listed(names: &[String]) -> String {
    match names.len() {
        0 => "nothing".to_owned(),
        count if count > 8 => format!("{} and {} more", names[..8].join(", "), count - 8),
        _ => names.join(", "),
    }
}

/// `lore impact`.
pub struct Impact;

impl Operation for Impact {
    const NAME: &'static str = "impact";
    const COMMAND: &'static [&'static str] = &["impact"];
    const ACCESS: Access = Access::Read;
    type Request = ImpactRequest;
    type Answer = Value<ImpactAnswer>;

    fn run(ctx: &Ctx, request: ImpactRequest) -> Result<Value<ImpactAnswer>, OpError> {
        if request.targets.is_empty() && request.since.is_none() {
            return Err(OpError::new(ErrorKind::Invalid, "no change is named")
                .hint("name a symbol or a file, or use --since REV"));
        }
        if request.signature && (request.format.is_some() || request.tests) {
            let message = "the set to edit for a signature has no tests";
            return Err(OpError::new(ErrorKind::Invalid, message).hint("ask for the tests without `signature`"));
        }
        let graph = request.scope.open(ctx)?;
        let Changed {
            symbols: changed,
            files: changed_files,
        } = changed(ctx, &graph, &request)?;
        let mut answer = ImpactAnswer {
            changed: changed
                .iter()
                .map(|id| graph.symbol(*id).plain_name().into_owned())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            changed_files: changed_files.into_iter().collect(),
            tests: Vec::new(),
            test_count: 0,
            test_files: Vec::new(),
            affected: Vec::new(),
            affected_count: 0,
            command: None,
            signature: None,
            tests_only: request.tests,
        };
        let limit = match request.limit {
            _ if request.all => usize::MAX,
            0 => usize::MAX,
            limit => limit,
        };
        if request.signature {
            answer.signature = Some(signature_of(&graph, &changed, limit)?);
            return Ok(Value::yes(answer));
        }
        let least = request.min_confidence.unwrap_or(LEAST).clamp(0.0, 1.0);
        let least = ((f64::from(least) * CERTAIN as f64) as u64).max(1);
        let (tests, affected) = ranked(ctx, &graph, &changed, least)?;
        let is_cut = !request.all && request.min_confidence.is_none();
        let kept = |rows: &[Ranked<'_>]| {
            let likelihoods: Vec<u64> = rows.iter().map(|row| row.likelihood).collect();
            if is_cut {
                before_the_fall(&likelihoods)
            } else {
                rows.len()
            }
        };
        (answer.test_count, answer.affected_count) = (tests.len(), affected.len());
        let listed = &tests[..kept(&tests)];
        if let Some(runner) = request.format {
            let symbols: Vec<Symbol<'_>> = listed.iter().map(|row| row.symbol).collect();
            let graph_scope = request.scope.graph_scope();
            let read = |path: &str| {
                let bytes = ctx.ports.code.read(&graph_scope, path).ok()?;
                String::from_utf8(bytes).ok()
            };
            let command = test_command::command(runner, &symbols, &read)?;
            command.remarks.iter().for_each(|remark| ctx.progress.remark(remark));
            answer.command = Some(command.line);
        }
        if (request.tests || request.format.is_some()) && listed.len() < tests.len() {
            let least = listed.last().map_or(0, |row| row.likelihood) as f64 / CERTAIN as f64;
            ctx.progress.remark(&format!(
                "{} of {} that may be affected: the others are less likely than {least:.2} (--all takes all)",
                listed.len(),
                counted(tests.len(), "test"),
            ));
        }
        answer.tests = listed.iter().map(|row| row.line(&graph)).collect();
        answer.test_files = answer
            .tests
            .iter()
            .map(|test| test.path.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        if !request.tests && request.format.is_none() {
            let shown = affected[..kept(&affected)].iter().take(limit);
            answer.affected = shown.map(|row| row.line(&graph)).collect();
        }
        Ok(Value::yes(answer))
    }
}

/// What changes: the targets of a request, and the difference to its revision.
fn changed(ctx: &Ctx, graph: &CodeGraph, request: &ImpactRequest) -> Result<Changed, OpError> {
    let mut changed = Changed::default();
    for text in &request.targets {
        match target::find(graph, &ctx.ports.code.here(), text)? {
            Target::Symbol(symbol) => drop(changed.symbols.insert(symbol.id())),
            Target::File(file) => changed.symbols.extend(file.symbols().filter(is_shown).map(Symbol::id)),
            Target::Several(ids) => changed.symbols.extend(target::together(graph, text, ids)?),
        }
    }
    if let Some(revision) = &request.since {
        let since = changed_since(ctx, graph, &request.scope, revision)?;
        changed.symbols.extend(since.symbols);
        changed.files.extend(since.files);
    }
    Ok(changed)
}

/// The set to edit for the callables and types among the changed symbols.
fn signature_of(graph: &CodeGraph, changed: &BTreeSet<SymbolId>, limit: usize) -> Result<SignatureAnswer, OpError> {
    let has_signature = |id: &&SymbolId| {
        let kind = graph.symbol(**id).kind();
        kind.is_callable() || kind.is_type()
    };
    let named: BTreeSet<SymbolId> = changed.iter().filter(has_signature).copied().collect();
    if named.is_empty() {
        return Err(
            OpError::new(ErrorKind::Invalid, "nothing of the change has a signature")
                .hint("name a function, a method, or a class with a constructor"),
        );
    }
    Ok(signature::answer(graph, &named, limit))
}

/// An affected symbol with its likelihood.
struct Ranked<'g> {
    symbol: Symbol<'g>,
    likelihood: u64,
    distance: u32,
    through: Option<SymbolId>,
    because: &'static str,
}

impl<'g> Ranked<'g> {
    fn new(symbol: Symbol<'g>, reach: &Reach, likelihood: u64) -> Self {
        Self {
            symbol,
            likelihood,
            distance: reach.distance,
            through: reach.through,
            because: reach.because,
        }
    }

    fn line(&self, graph: &CodeGraph) -> AffectedLine {
        let through = self.through.map(|id| graph.symbol(id).plain_name().into_owned());
        AffectedLine {
            symbol: self.symbol.plain_name().into_owned(),
            kind: self.symbol.kind().into(),
            path: self.symbol.file().path().to_owned(),
            line: self.symbol.place().line.get(),
            confidence: (self.likelihood / (CERTAIN / 1000)) as f32 / 1000.0,
            distance: self.distance,
            through: through.unwrap_or_default(),
            because: self.because,
        }
    }
}

/// The affected tests and the other affected symbols, each in order.
fn ranked<'g>(
    ctx: &Ctx,
    graph: &'g CodeGraph,
    changed: &BTreeSet<SymbolId>,
    least: u64,
) -> Result<(Vec<Ranked<'g>>, Vec<Ranked<'g>>), OpError> {
    let reached = reached(graph, changed, least);
    let is_many = reached
        .keys()
        .filter(|id| is_test(graph.symbol(**id)))
        .nth(MANY)
        .is_some();
    let log = if is_many {
        ctx.ports.code.log(ctx.progress.as_ref(), &ctx.cancel)?
    } else {
        None
    };
    if is_many && log.is_none() {
        ctx.progress
            .remark("no git history: the order of the tests does not consider what changed together");
    }
    let within = ctx.ports.code.head().map(|head| head.within).unwrap_or_default();
    let closeness = Closeness::of(graph, changed, log.as_deref().map(|log| (log, within.as_str())));
    let (mut tests, mut affected) = (Vec::new(), Vec::new());
    for (id, reach) in &reached {
        let symbol = graph.symbol(*id);
        if !is_shown(&symbol) || changed.contains(id) && !is_test(symbol) {
            continue;
        }
        if is_test(symbol) {
            tests.push(Ranked::new(symbol, reach, closeness.likelihood(symbol, reach)));
        } else {
            affected.push(Ranked::new(symbol, reach, reach.likelihood));
        }
    }
    for rows in [&mut tests, &mut affected] {
        rows.sort_by(|left, right| {
            let key = |row: &Ranked<'g>| {
                (
                    row.symbol.file().path(),
                    row.symbol.place().line.get(),
                    row.symbol.plain_name(),
                )
            };
            right
                .likelihood
                .cmp(&left.likelihood)
                .then_with(|| key(left).cmp(&key(right)))
        });
    }
    Ok((tests, affected))
}

/// Whether a symbol is a runnable test.
fn is_test(symbol: Symbol<'_>) -> bool {
    symbol.kind() == SymbolKind::Test
}

pub(super) fn is_shown(symbol: &Symbol<'_>) -> bool {
    !symbol.is_anonymous()
}

/// The innermost definitions around lines of a file, and whether a line is in none.
pub(super) fn around(file: File<'_>, lines: &[u32]) -> (BTreeSet<SymbolId>, bool) {
    let mut found = BTreeSet::new();
    let mut outside = false;
    for line in lines {
        let innermost = file
            .symbols()
            .filter(|symbol| symbol.kind() != SymbolKind::Module && is_shown(symbol))
            .filter(|symbol| {
                let place = symbol.place();
                place.start_line.get() <= *line && *line <= place.end_line.get()
            })
            .min_by_key(|symbol| symbol.lines());
        match innermost {
            Some(symbol) => drop(found.insert(symbol.id())),
            None => outside = true,
        }
    }
    (found, outside)
}
