//! `lore calls`: every call edge of the repository.

use std::collections::HashSet;

use clap::Args;
use lore_model::{CodeGraph, EdgeKind, Resolution, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::Deserialize;

use super::call_line::CallLine;
use super::find::PathPattern;
use super::wire::{ResolutionName, Scope};
use lore_seam::{Access, Ctx, OpError, Operation, Rows, Verdict};

/// A name with more candidates than this suggests nothing.
const MAX_GUESSES: usize = 5;

/// List every call edge of the repository: caller, callee, lines, and how the edge is known
///
/// Without --guesses, edges that only a name suggests are left out.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore calls --json                 one JSON object for each edge
  lore calls 'src/**'               calls made in these files
  lore calls --no-external          calls between definitions of the repository
  lore calls --resolution exact     only certain edges
  lore calls --dispatch             with overriding methods that may run instead")]
#[serde(default)]
pub struct CallsRequest {
    /// Only calls made in these files, directories or patterns [default: all]
    pub paths: Vec<String>,
    /// Leave out calls to external code
    #[arg(long)]
    pub no_external: bool,
    /// Only edges with this resolution (repeatable)
    #[arg(long, value_delimiter = ',')]
    pub resolution: Vec<ResolutionName>,
    /// Include methods that override the called method
    #[arg(long)]
    pub dispatch: bool,
    /// Include edges that only a name suggests
    #[arg(long)]
    pub guesses: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// `lore calls`.
pub struct Calls;

impl Operation for Calls {
    const NAME: &'static str = "calls";
    const COMMAND: &'static [&'static str] = &["calls"];
    const ACCESS: Access = Access::Read;
    type Request = CallsRequest;
    type Answer = Rows<CallLine>;

    fn run(ctx: &Ctx, request: CallsRequest) -> Result<Rows<CallLine>, OpError> {
        let graph = request.scope.open(ctx)?;
        let patterns = PathPattern::some(ctx, &graph, &request.paths)?;
        let wanted: Vec<Resolution> = request.resolution.iter().map(|name| (*name).into()).collect();
        let known = graph.clone();
        let symbols = 0..graph.symbol_count() as u32;
        let rows = symbols.flat_map(move |number| {
            let symbol = known.symbol(SymbolId(number));
            let is_wanted = |path: &str| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(path));
            // The calls of a module of several files are in each of them.
            let is_spread = symbol.kind() == SymbolKind::Module;
            let mut rows: Vec<Result<CallLine, OpError>> = Vec::new();
            if !is_spread && !is_wanted(symbol.file().path()) {
                return rows;
            }
            rows.extend(
                symbol
                    .edges()
                    .filter(|edge| edge.kind() == EdgeKind::Call)
                    .filter(|edge| !is_spread || is_wanted(edge.file().path()))
                    .filter(|edge| wanted.is_empty() || wanted.contains(&edge.resolution()))
                    .map(CallLine::of)
                    .filter(|line| !(request.no_external && line.external))
                    .map(Ok),
            );
            if request.dispatch && (wanted.is_empty() || wanted.contains(&Resolution::Dispatch)) {
                rows.extend(
                    dispatched(symbol)
                        .into_iter()
                        .filter(|line| is_wanted(&line.caller_file))
                        .map(Ok),
                );
            }
            if request.guesses && (wanted.is_empty() || wanted.contains(&Resolution::Name)) {
                rows.extend(
                    guesses(&known, symbol)
                        .into_iter()
                        .filter(|line| is_wanted(&line.caller_file))
                        .map(Ok),
                );
            }
            rows
        });
        Ok(Rows::new(rows, Verdict::Yes))
    }
}

/// The methods that override those that a symbol calls by the type of the receiver.
fn dispatched(symbol: Symbol<'_>) -> Vec<CallLine> {
    let called: HashSet<SymbolId> = symbol
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Call)
        .filter_map(|edge| edge.target().symbol().map(Symbol::id))
        .collect();
    let mut found = Vec::new();
    let by_type = symbol
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Call)
        .filter(|edge| matches!(edge.resolution(), Resolution::Typed | Resolution::Declared));
    for edge in by_type {
        let mut seen = HashSet::new();
        let mut waiting: Vec<Symbol<'_>> = edge.target().symbol().into_iter().collect();
        while let Some(method) = waiting.pop() {
            let overriders = method.incoming().filter(|edge| edge.kind() == EdgeKind::Overrides);
            for overrider in overriders.map(|edge| edge.source()) {
                if called.contains(&overrider.id()) || !seen.insert(overrider.id()) {
                    continue;
                }
                found.push(CallLine {
                    lines: edge.lines().collect(),
                    caller_file: edge.file().path().to_owned(),
                    resolution: Resolution::Dispatch.into(),
                    confidence: Resolution::Dispatch.confidence(),
                    ..CallLine::guess(symbol, overrider, 0)
                });
                waiting.push(overrider);
            }
        }
    }
    found
}

/// Candidates, by name, for the unresolved calls of a symbol.
fn guesses(graph: &CodeGraph, symbol: Symbol<'_>) -> Vec<CallLine> {
    let mut found = Vec::new();
    for call in symbol.unresolved().filter(|call| !call.name.is_empty()) {
        let candidates: Vec<Symbol<'_>> = graph
            .named(call.name)
            .map(|id| graph.symbol(id))
            .filter(|candidate| candidate.kind().is_callable() && !candidate.is_anonymous())
            .take(MAX_GUESSES + 1)
            .collect();
        if candidates.len() <= MAX_GUESSES {
            found.extend(candidates.into_iter().map(|candidate| CallLine {
                caller_file: graph.file(call.file).path().to_owned(),
                ..CallLine::guess(symbol, candidate, call.line)
            }));
        }
    }
    found
}
