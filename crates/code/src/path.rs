//! `lore path`: the shortest chain of calls between two symbols.

use std::collections::{HashMap, HashSet, VecDeque};

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, EdgeTarget, Symbol, SymbolId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_line::CallLine;
use super::target::{one_symbol, with_constructors};
use super::wire::{Scope, SymbolLine};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Show the shortest chain of calls from one symbol to another
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
}

impl Render for PathAnswer {
    fn render(&self, page: &mut Page) {
        if !self.found {
            page.line(format_args!(
                "no known calls lead from {} to {}",
                self.from.qualified_name, self.to.qualified_name
            ));
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
        let from = one_symbol(ctx, &graph, &request.from)?;
        let to = one_symbol(ctx, &graph, &request.to)?;
        let calls = shortest(&graph, from, &with_constructors(to), request.min_confidence);
        let answer = PathAnswer {
            found: calls.is_some(),
            from: SymbolLine::of(from),
            to: SymbolLine::of(to),
            calls: calls.unwrap_or_default(),
        };
        Ok(if answer.found {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

fn shortest(graph: &CodeGraph, from: Symbol<'_>, to: &[SymbolId], min_confidence: f32) -> Option<Vec<CallLine>> {
    let mut came: HashMap<SymbolId, Edge<'_>> = HashMap::new();
    let mut waiting = VecDeque::from([from.id()]);
    // The start is not marked as seen, so that a path from a symbol to itself is a cycle.
    let mut seen = HashSet::new();
    while let Some(id) = waiting.pop_front() {
        if to.contains(&id) && (id != from.id() || came.contains_key(&id)) {
            let mut calls = Vec::new();
            let mut at = id;
            while let Some(edge) = came.get(&at) {
                calls.push(CallLine::of(*edge));
                at = edge.source().id();
                if at == from.id() {
                    break;
                }
            }
            calls.reverse();
            return Some(calls);
        }
        for edge in graph.symbol(id).edges() {
            if let EdgeTarget::Symbol(target) = edge.target()
                && edge.kind() == EdgeKind::Call
                && edge.resolution().confidence() >= min_confidence
                && seen.insert(target.id())
            {
                came.insert(target.id(), edge);
                waiting.push_back(target.id());
            }
        }
    }
    None
}
