//! The breadth-first search over call edges that `lore callers` and `lore callees` share.

use std::collections::{HashSet, VecDeque};

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, EdgeTarget, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_line::CallLine;
use super::target::{one_symbol, with_constructors};
use super::wire::Scope;
use lore_base::counted::counted;
use lore_seam::{Ctx, OpError, Page, Render, Rows, Verdict};

/// What `lore callers` and `lore callees` take.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
pub struct NeighboursRequest {
    /// A qualified name or the end of one, or path:line
    pub target: String,
    /// Follow at most this many calls
    #[arg(long, short, default_value_t = 1)]
    #[serde(default = "one")]
    pub depth: u32,
    /// Leave out tests
    #[arg(long)]
    #[serde(default)]
    pub no_tests: bool,
    /// Only edges at least this likely to be right, from 0 to 1
    #[arg(long, default_value_t = 0.0)]
    #[serde(default)]
    pub min_confidence: f32,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn one() -> u32 {
    1
}

/// One call, with its distance from the symbol
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct NeighbourLine {
    /// The distance from the symbol, in calls
    pub depth: u32,
    /// The call
    #[serde(flatten)]
    pub call: CallLine,
}

impl Render for NeighbourLine {
    fn render(&self, page: &mut Page) {
        page.write(format_args!("{}", "  ".repeat(self.depth.saturating_sub(1) as usize)));
        self.call.render(page);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Callers,
    Callees,
}

pub(super) fn neighbours(
    ctx: &Ctx,
    request: &NeighboursRequest,
    direction: Direction,
) -> Result<Rows<NeighbourLine>, OpError> {
    let graph = request.scope.open(ctx)?;
    let symbol = one_symbol(ctx, &graph, &request.target)?;
    let mut seen: HashSet<SymbolId> = HashSet::new();
    let mut waiting: VecDeque<(SymbolId, u32)> = match direction {
        Direction::Callers => with_constructors(symbol).into_iter().map(|id| (id, 0)).collect(),
        Direction::Callees => VecDeque::from([(symbol.id(), 0)]),
    };
    seen.extend(waiting.iter().map(|(id, _)| *id));
    let mut lines = Vec::new();
    while let Some((id, depth)) = waiting.pop_front() {
        if depth >= request.depth {
            continue;
        }
        let around = graph.symbol(id);
        let edges: Vec<Edge<'_>> = match direction {
            Direction::Callers => around.incoming().collect(),
            Direction::Callees => around.edges().collect(),
        };
        for edge in edges {
            if edge.kind() != EdgeKind::Call || edge.resolution().confidence() < request.min_confidence {
                continue;
            }
            let next = match (direction, edge.target()) {
                (Direction::Callers, _) => Some(edge.source()),
                (Direction::Callees, EdgeTarget::Symbol(target)) => Some(target),
                (Direction::Callees, EdgeTarget::External(_)) => None,
            };
            if request.no_tests && next.is_some_and(is_test) {
                continue;
            }
            lines.push(NeighbourLine {
                depth: depth + 1,
                call: CallLine::of(edge),
            });
            if let Some(next) = next
                && seen.insert(next.id())
            {
                waiting.push_back((next.id(), depth + 1));
            }
        }
    }
    let unknown = match direction {
        Direction::Callees => symbol.unresolved().count(),
        Direction::Callers => possible_callers(&graph, symbol),
    };
    let note = (unknown > 0).then(|| match direction {
        Direction::Callees => format!(
            "{} of this symbol: `lore unresolved {}` lists them",
            counted(unknown, "unresolved call"),
            symbol.qualified_name()
        ),
        Direction::Callers => format!(
            "possible further callers: {} of the name `{}`",
            counted(unknown, "unresolved call"),
            symbol.name()
        ),
    });
    Ok(Rows::new(lines.into_iter().map(Ok), Verdict::Yes).with_note(note))
}

/// The number of unresolved calls of the symbol's name.
fn possible_callers(graph: &CodeGraph, symbol: Symbol<'_>) -> usize {
    graph
        .all_unresolved()
        .filter(|(_, _, name)| *name == symbol.name())
        .count()
}

fn is_test(symbol: Symbol<'_>) -> bool {
    symbol.kind() == SymbolKind::Test || symbol.file().is_test()
}
