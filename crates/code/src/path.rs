//! `lore path`: the shortest chain of calls between two symbols.

use std::collections::{HashMap, HashSet, VecDeque};

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, EdgeTarget, Resolution, Symbol, SymbolId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_line::{CallLine, Relation};
use super::neighbours::{MAX_RELATED, is_abstract};
use super::target::{self, with_constructors};
use super::unresolved::UnresolvedLine;
use super::wire::{Scope, SymbolLine};
use lore_base::counted::counted;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Unresolved calls that an answer without a chain lists.
const FRONTIER: usize = 8;
/// Most symbols that are followed backwards to find names of the frontier.
const MAX_BACKWARD: usize = 2_000;

/// Show the shortest chain of calls from one symbol to another
///
/// Without a chain, the answer shows where one could continue.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore path main Store.save            the calls that lead from main to Store.save
  lore path main Store.save --min-confidence 0.95")]
pub struct PathRequest {
    /// The symbol where the chain starts
    pub from: String,
    /// The symbol where the chain ends
    pub to: String,
    /// Only edges at least this likely to be right, from 0 to 1
    #[arg(long, default_value_t = 0.0)]
    #[serde(default)]
    pub min_confidence: f32,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// A chain of calls
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct PathAnswer {
    /// Whether a chain exists
    pub found: bool,
    /// The first symbol
    pub from: SymbolLine,
    /// The last symbol
    pub to: SymbolLine,
    /// The calls, in order
    pub calls: Vec<CallLine>,
    /// Without a chain: unresolved calls of the functions that the first symbol reaches, where a chain could continue
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frontier: Vec<UnresolvedLine>,
    /// The number of such calls in all
    #[serde(skip_serializing_if = "is_zero")]
    pub frontier_count: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Render for PathAnswer {
    fn render(&self, page: &mut Page) {
        if !self.found {
            page.line(format_args!(
                "no known calls lead from {} to {}",
                self.from.qualified_name, self.to.qualified_name
            ));
            if self.frontier_count > 0 {
                page.line(format_args!(
                    "{} of the functions that {} reaches, where a path could continue:",
                    counted(self.frontier_count, "unresolved call"),
                    self.from.qualified_name
                ));
            }
            for call in &self.frontier {
                page.write(format_args!("  "));
                call.render(page);
            }
            if self.frontier.len() < self.frontier_count && !self.frontier.is_empty() {
                page.line(format_args!(
                    "  … and {} more",
                    self.frontier_count - self.frontier.len()
                ));
            }
        }
        self.calls.iter().for_each(|call| call.render(page));
    }
}

/// `lore path`.
pub struct Path;

impl Operation for Path {
    const NAME: &'static str = "path";
    const COMMAND: &'static [&'static str] = &["path"];
    const ACCESS: Access = Access::Read;
    type Request = PathRequest;
    type Answer = Value<PathAnswer>;

    fn run(ctx: &Ctx, request: PathRequest) -> Result<Value<PathAnswer>, OpError> {
        let graph = request.scope.open(ctx)?;
        let from = target::meant(ctx, &graph, &request.from)?;
        let to = target::meant(ctx, &graph, &request.to)?;
        let ends: Vec<SymbolId> = to.iter().flat_map(|id| with_constructors(graph.symbol(*id))).collect();
        // A chain of calls alone says more than one through functions that are only created.
        let mut search = Search::run(&graph, &from, &ends, Through::Calls, request.min_confidence);
        if search.found.is_none() {
            search = Search::run(&graph, &from, &ends, Through::Everything, request.min_confidence);
        }
        let (start, calls) = search.path();
        let frontier = if calls.is_none() {
            search.frontier(&to)
        } else {
            Frontier::default()
        };
        let answer = PathAnswer {
            found: calls.is_some(),
            from: SymbolLine::of(graph.symbol(start.unwrap_or(from[0]))),
            to: SymbolLine::of(graph.symbol(search.found.filter(|id| to.contains(id)).unwrap_or(to[0]))),
            calls: calls.unwrap_or_default(),
            frontier: frontier.lines,
            frontier_count: frontier.count,
        };
        Ok(if answer.found {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

/// What a search follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    Calls,
    /// Calls, functions inside of functions, and implementations of abstract members.
    Everything,
}

/// How the search came to a symbol.
#[derive(Clone, Copy)]
enum Step<'g> {
    /// A call.
    Call(Edge<'g>),
    /// A function that the symbol defines inside of itself.
    Creates(SymbolId),
    /// A member that may run in place of the one that is called.
    Dispatch(SymbolId),
}

/// A breadth-first search from some symbols over calls, the functions inside of functions, and overriding members.
struct Search<'g> {
    graph: &'g CodeGraph,
    from: &'g [SymbolId],
    came: HashMap<SymbolId, Step<'g>>,
    /// The symbols, in the order in which the search reached them.
    reached: Vec<SymbolId>,
    found: Option<SymbolId>,
}

/// Unresolved calls of the symbols that a search reached.
#[derive(Default)]
struct Frontier {
    lines: Vec<UnresolvedLine>,
    count: usize,
}

impl<'g> Search<'g> {
    fn run(graph: &'g CodeGraph, from: &'g [SymbolId], to: &[SymbolId], through: Through, min_confidence: f32) -> Self {
        let mut search = Self {
            graph,
            from,
            came: HashMap::new(),
            reached: Vec::new(),
            found: None,
        };
        let mut waiting: VecDeque<SymbolId> = from.iter().copied().collect();
        while let Some(id) = waiting.pop_front() {
            // A path from a symbol to itself is a cycle.
            if to.contains(&id) && (!from.contains(&id) || search.came.contains_key(&id)) {
                search.found = Some(id);
                break;
            }
            search.reached.push(id);
            for (next, step) in steps(graph.symbol(id), through, min_confidence) {
                if let std::collections::hash_map::Entry::Vacant(entry) = search.came.entry(next) {
                    entry.insert(step);
                    waiting.push_back(next);
                }
            }
        }
        search
    }

    /// Where the path starts, and its calls.
    fn path(&self) -> (Option<SymbolId>, Option<Vec<CallLine>>) {
        let Some(mut at) = self.found else { return (None, None) };
        let mut calls = Vec::new();
        while let Some(step) = self.came.get(&at) {
            let (source, line) = match *step {
                Step::Call(edge) => (edge.source().id(), CallLine::of(edge)),
                Step::Creates(source) => (source, self.line(source, at, Relation::Creates)),
                Step::Dispatch(source) => (source, self.line(source, at, Relation::MayRun)),
            };
            calls.push(line);
            at = source;
            if self.from.contains(&at) {
                break;
            }
        }
        calls.reverse();
        (Some(at), Some(calls))
    }

    fn line(&self, source: SymbolId, target: SymbolId, relation: Relation) -> CallLine {
        let (source, target) = (self.graph.symbol(source), self.graph.symbol(target));
        let line = CallLine {
            resolution: Resolution::Exact.into(),
            confidence: Resolution::Exact.confidence(),
            ..CallLine::guess(source, target, target.place().line.get())
        };
        CallLine {
            caller_file: target.file().path().to_owned(),
            ..line.related(relation)
        }
    }

    /// The unresolved calls that could continue a path: first those that have the name of a symbol that leads to the end.
    fn frontier(&self, to: &[SymbolId]) -> Frontier {
        let mut names: HashSet<&str> = HashSet::new();
        let mut seen: HashSet<SymbolId> = to.iter().copied().collect();
        let mut waiting: VecDeque<SymbolId> = to.iter().copied().collect();
        while let Some(id) = waiting.pop_front() {
            let symbol = self.graph.symbol(id);
            names.insert(symbol.name());
            for edge in symbol.incoming().filter(|edge| edge.kind() == EdgeKind::Call) {
                if seen.len() < MAX_BACKWARD && seen.insert(edge.source().id()) {
                    waiting.push_back(edge.source().id());
                }
            }
        }
        let mut calls: Vec<(bool, usize, UnresolvedLine)> = Vec::new();
        for (at, id) in self.reached.iter().enumerate() {
            let symbol = self.graph.symbol(*id);
            for call in symbol.unresolved() {
                calls.push((!names.contains(call.name), at, UnresolvedLine::of(self.graph, call)));
            }
        }
        calls.sort_by_key(|(is_other, at, row)| (*is_other, *at, row.line));
        Frontier {
            count: calls.len(),
            lines: calls.into_iter().take(FRONTIER).map(|(_, _, row)| row).collect(),
        }
    }
}

/// Where a path can continue from a symbol.
fn steps(symbol: Symbol<'_>, through: Through, min_confidence: f32) -> Vec<(SymbolId, Step<'_>)> {
    let mut found = Vec::new();
    for edge in symbol.edges() {
        if let EdgeTarget::Symbol(target) = edge.target()
            && edge.kind() == EdgeKind::Call
            && edge.resolution().confidence() >= min_confidence
        {
            found.push((target.id(), Step::Call(edge)));
        }
    }
    if through == Through::Calls {
        return found;
    }
    if Resolution::Dispatch.confidence() >= min_confidence && is_abstract(symbol) {
        let overriders = symbol.overriders(MAX_RELATED).into_iter();
        found.extend(overriders.map(|member| (member.id(), Step::Dispatch(symbol.id()))));
    }
    if symbol.kind().is_callable() {
        let inner = symbol.children().filter(|inner| inner.kind().is_callable());
        found.extend(inner.map(|inner| (inner.id(), Step::Creates(symbol.id()))));
    }
    found
}
