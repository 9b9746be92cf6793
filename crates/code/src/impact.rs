//! `lore impact`: what a change can affect, how sure that is, and which tests to run.
//!
//! The search follows edges backwards. The likelihood of a path is the product of its edges; of several paths to a symbol, the most likely counts.
//! Confidences are whole numbers while they are multiplied, so that the answer is the same on any machine.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, File, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::changes::{Changed, changed_since};
use super::target::{self, Target};
use super::wire::{Kind, Scope};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

const CERTAIN: u64 = 1_000_000;
/// A caller may run an overriding method instead of the method that it calls.
const DISPATCH: u64 = 700_000;
/// A type that a symbol names or extends has changed.
const TYPE: u64 = 600_000;
/// An unresolved call has the name of the symbol.
const NAME: u64 = 300_000;
/// Code that creates instances of a class may call any of its members.
const MEMBER: u64 = 300_000;
/// A changed module affects the modules that import it.
const IMPORT: u64 = 500_000;
/// An unresolved call whose name has more definitions than this suggests nothing.
const MAX_NAMESAKES: usize = 12;

/// Show what a change can affect, and which tests to run
///
/// A change is a symbol, a file, or the difference to a git revision. Lore follows calls, reads and base types
/// backwards, and rates how likely each symbol is affected.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore impact QuerySet.filter           a change to one symbol
  lore impact src/app.py src/db.py      a change to files
  lore impact --since HEAD              changes that are not committed
  lore impact --since main --tests      only the tests, one a line
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
    /// Only symbols with at least this confidence, from 0 to 1
    #[arg(long, default_value_t = 0.1)]
    #[serde(default = "tenth")]
    pub min_confidence: f32,
    /// Maximum number of affected symbols; 0 for all
    #[arg(long, default_value_t = 50)]
    #[serde(default = "fifty")]
    pub limit: usize,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn tenth() -> f32 {
    0.1
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
    /// The files of those tests
    pub test_files: Vec<String>,
    /// Other affected symbols, the most likely first
    pub affected: Vec<AffectedLine>,
    /// Number of affected symbols, without tests
    pub affected_count: usize,
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
                    "  … and {} more (--limit 0 shows all)",
                    count - lines.len()
                ));
            }
        };
        rows(page, "tests to run", self.tests.len(), &self.tests);
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
        let graph = request.scope.open(ctx)?;
        let mut changed: BTreeSet<SymbolId> = BTreeSet::new();
        let mut changed_files: BTreeSet<String> = BTreeSet::new();
        for text in &request.targets {
            match target::find(&graph, &ctx.ports.code.here(), text)? {
                Target::Symbol(symbol) => drop(changed.insert(symbol.id())),
                Target::File(file) => changed.extend(file.symbols().filter(is_shown).map(Symbol::id)),
                Target::Several(ids) => changed.extend(target::together(&graph, text, ids)?),
            }
        }
        if let Some(revision) = &request.since {
            let Changed { symbols, files } = changed_since(ctx, &graph, &request.scope, revision)?;
            changed.extend(symbols);
            changed_files.extend(files);
        }
        let least = (f64::from(request.min_confidence.clamp(0.0, 1.0)) * CERTAIN as f64) as u64;
        let reached = reached(&graph, &changed, least.max(1));
        let mut lines: Vec<(u64, AffectedLine, bool)> = reached
            .iter()
            .filter(|(id, _)| !changed.contains(id) || is_test(graph.symbol(**id)))
            .map(|(id, reach)| (graph.symbol(*id), reach))
            .filter(|(symbol, _)| is_shown(symbol))
            .map(|(symbol, reach)| {
                let through = reach.through.map(|id| graph.symbol(id).plain_name().into_owned());
                let line = AffectedLine {
                    symbol: symbol.plain_name().into_owned(),
                    kind: symbol.kind().into(),
                    path: symbol.file().path().to_owned(),
                    line: symbol.place().line.get(),
                    confidence: (reach.confidence / (CERTAIN / 1000)) as f32 / 1000.0,
                    distance: reach.distance,
                    through: through.unwrap_or_default(),
                    because: reach.because,
                };
                (reach.confidence, line, is_test(symbol))
            })
            .collect();
        lines.sort_by(|left, right| {
            let key = |line: &AffectedLine| (line.path.clone(), line.line, line.symbol.clone());
            right.0.cmp(&left.0).then_with(|| key(&left.1).cmp(&key(&right.1)))
        });
        let (tests, affected): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(_, _, is_test)| *is_test);
        let tests: Vec<AffectedLine> = tests.into_iter().map(|(_, line, _)| line).collect();
        let affected_count = affected.len();
        let shown = match request.limit {
            _ if request.tests => 0,
            0 => affected_count,
            limit => limit,
        };
        let answer = ImpactAnswer {
            changed: changed
                .iter()
                .map(|id| graph.symbol(*id).plain_name().into_owned())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            changed_files: changed_files.into_iter().collect(),
            test_files: tests
                .iter()
                .map(|test| test.path.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            tests,
            affected: affected.into_iter().take(shown).map(|(_, line, _)| line).collect(),
            affected_count,
            tests_only: request.tests,
        };
        Ok(Value::yes(answer))
    }
}

/// Whether a symbol is a runnable test.
fn is_test(symbol: Symbol<'_>) -> bool {
    symbol.kind() == SymbolKind::Test
}

pub(super) fn is_shown(symbol: &Symbol<'_>) -> bool {
    !symbol.is_anonymous()
}

/// The most likely path to a symbol.
struct Reach {
    confidence: u64,
    distance: u32,
    through: Option<SymbolId>,
    because: &'static str,
}

/// Everything that depends on the change, each with its most likely path.
fn reached(graph: &CodeGraph, changed: &BTreeSet<SymbolId>, least: u64) -> BTreeMap<SymbolId, Reach> {
    let guesses = guesses(graph);
    let mut reached: BTreeMap<SymbolId, Reach> = BTreeMap::new();
    // The likeliest first; of equals, the nearest and then the one with the smallest number.
    let mut waiting: BinaryHeap<(u64, std::cmp::Reverse<(u32, SymbolId)>)> = BinaryHeap::new();
    for id in changed {
        let reach = Reach {
            confidence: CERTAIN,
            distance: 0,
            through: None,
            because: "changed",
        };
        reached.insert(*id, reach);
        waiting.push((CERTAIN, std::cmp::Reverse((0, *id))));
    }
    while let Some((confidence, std::cmp::Reverse((distance, id)))) = waiting.pop() {
        if reached.get(&id).is_none_or(|reach| reach.confidence > confidence) {
            continue;
        }
        let symbol = graph.symbol(id);
        for (next, share, because) in dependents(symbol, &guesses) {
            let confidence = confidence * share / CERTAIN;
            let is_better = reached.get(&next).is_none_or(|known| known.confidence < confidence);
            if confidence >= least && is_better {
                let reach = Reach {
                    confidence,
                    distance: distance + 1,
                    through: Some(id),
                    because,
                };
                reached.insert(next, reach);
                waiting.push((confidence, std::cmp::Reverse((distance + 1, next))));
            }
        }
    }
    reached
}

/// The symbols that depend on a symbol, how likely a change of it affects each, and why.
fn dependents<'g>(
    symbol: Symbol<'g>,
    guesses: &'g HashMap<&'g str, Vec<SymbolId>>,
) -> Vec<(SymbolId, u64, &'static str)> {
    let mut found = Vec::new();
    for edge in symbol.incoming() {
        let known = (f64::from(edge.resolution().confidence()) * CERTAIN as f64).round() as u64;
        let (share, because) = match edge.kind() {
            EdgeKind::Call => (known, "calls"),
            EdgeKind::Instantiates => (known, "makes"),
            EdgeKind::Extends => (known * TYPE / CERTAIN, "extends"),
            EdgeKind::Implements => (known * TYPE / CERTAIN, "implements"),
            EdgeKind::References => (known * TYPE / CERTAIN, "names the type"),
            EdgeKind::Reads => (known, "reads"),
            EdgeKind::Writes => (known * TYPE / CERTAIN, "writes"),
            EdgeKind::Import if symbol.kind() == SymbolKind::Module => (known * IMPORT / CERTAIN, "imports"),
            // A test covers what its helpers call: the edges of those say so.
            EdgeKind::Import | EdgeKind::Overrides | EdgeKind::Tests => continue,
        };
        found.push((edge.source().id(), share, because));
    }
    // A caller of a method that this one overrides may call this one.
    for edge in symbol.edges().filter(|edge| edge.kind() == EdgeKind::Overrides) {
        found.extend(overridden(edge).map(|id| (id, DISPATCH, "is overridden by")));
    }
    if symbol.kind().is_callable() {
        if let Some(parent) = symbol.parent().filter(|parent| parent.kind().is_type()) {
            found.push((parent.id(), MEMBER, "has the member"));
        }
        // A function that another makes is part of it.
        if let Some(parent) = symbol.parent().filter(|parent| parent.kind().is_callable()) {
            found.push((parent.id(), CERTAIN, "holds"));
        }
        let callers = guesses.get(symbol.name()).into_iter().flatten();
        found.extend(callers.map(|caller| (*caller, NAME, "calls something named")));
    }
    found
}

fn overridden(edge: Edge<'_>) -> impl Iterator<Item = SymbolId> {
    edge.target().symbol().map(Symbol::id).into_iter()
}

/// The symbols with unresolved calls, by called name, for names with few definitions.
fn guesses(graph: &CodeGraph) -> HashMap<&str, Vec<SymbolId>> {
    let mut found: HashMap<&str, Vec<SymbolId>> = HashMap::new();
    for call in graph.all_unresolved().filter(|call| !call.name.is_empty()) {
        found.entry(call.name).or_default().push(call.caller);
    }
    found.retain(|name, callers| {
        callers.sort_unstable();
        callers.dedup();
        graph.named(name).take(MAX_NAMESAKES + 1).count() <= MAX_NAMESAKES
    });
    found
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
