//! Which symbols of L2 a question is about, the most relevant first: what is named, then what calls it or is called by it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use lore_model::{CodeGraph, EdgeKind, EdgeTarget, Symbol, SymbolId};

use super::{Direction, Need, Question};

/// Which of a symbol's edges belong to the subset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    All,
    /// Those that lead to what is named.
    ToNamed,
    None,
}

/// A symbol of a subset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubsetSymbol {
    /// The symbol.
    pub id: SymbolId,
    /// Whether the question names it.
    pub is_named: bool,
    pub edges: Edges,
}

/// The symbols that a question is about. One that names nothing is about all, the most important first.
pub fn subset(graph: &CodeGraph, question: Option<&Question>) -> Vec<SubsetSymbol> {
    let Some(question) = question.filter(|question| !question.names.is_empty()) else {
        let mut all: Vec<Symbol<'_>> = graph.symbols().filter(|symbol| !symbol.is_anonymous()).collect();
        all.sort_by_key(|symbol| (Reverse(symbol.importance()), symbol.id()));
        let whole = |symbol: Symbol<'_>| SubsetSymbol {
            id: symbol.id(),
            is_named: true,
            edges: Edges::All,
        };
        return all.into_iter().map(whole).collect();
    };
    let wants_calls = question.needs.contains(&Need::Callgraph);
    let named = named(graph, question, wants_calls);
    let edges = match (wants_calls, question.direction) {
        (true, Direction::Callers) => Edges::None,
        (true, Direction::Callees | Direction::Both) => Edges::All,
        (false, _) => Edges::None,
    };
    let mut found: Vec<SubsetSymbol> = named
        .iter()
        .map(|id| SubsetSymbol {
            id: *id,
            is_named: true,
            edges,
        })
        .collect();
    if wants_calls {
        found.extend(neighbours(graph, &named, question.direction));
    }
    found
}

/// What is named, in the order of the question: symbols with their members, and all that files define.
fn named(graph: &CodeGraph, question: &Question, wants_calls: bool) -> Vec<SymbolId> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut add = |id: SymbolId| {
        if seen.insert(id) {
            found.push(id);
        }
    };
    for name in &question.names.symbols {
        // The names are those of the graph, so that each means one symbol.
        for id in graph.lookup(name) {
            let symbol = graph.symbol(id);
            if !symbol.is_qualified_as(name) {
                continue;
            }
            add(id);
            // To call a class is to call what makes its instances; to describe it is to describe its members.
            let members = symbol.children().filter(|member| !member.is_local());
            let members = members.filter(|member| !wants_calls || member.complexity().is_some());
            members.map(Symbol::id).for_each(&mut add);
        }
    }
    for path in &question.names.files {
        let symbols = graph.file_at(path).into_iter().flat_map(|file| file.symbols());
        let symbols = symbols.filter(|symbol| !symbol.is_anonymous() && !symbol.is_local());
        symbols.map(Symbol::id).for_each(&mut add);
    }
    found
}

/// Who calls what is named and what it calls, one step far, the most important first.
fn neighbours(graph: &CodeGraph, named: &[SymbolId], direction: Direction) -> Vec<SubsetSymbol> {
    let inside: BTreeSet<SymbolId> = named.iter().copied().collect();
    let mut callers = BTreeSet::new();
    let mut callees = BTreeSet::new();
    for id in named {
        let symbol = graph.symbol(*id);
        if direction != Direction::Callees {
            let incoming = symbol.incoming().filter(|edge| is_call(edge.kind()));
            callers.extend(incoming.map(|edge| edge.source().id()));
        }
        if direction != Direction::Callers {
            let outgoing = symbol.edges().filter(|edge| is_call(edge.kind()));
            callees.extend(outgoing.filter_map(|edge| match edge.target() {
                EdgeTarget::Symbol(target) => Some(target.id()),
                EdgeTarget::External(_) => None,
            }));
        }
    }
    let mut around: Vec<SymbolId> = callers.union(&callees).copied().collect();
    around.retain(|id| !inside.contains(id));
    around.sort_by_key(|id| (Reverse(graph.symbol(*id).importance()), *id));
    around
        .into_iter()
        .map(|id| SubsetSymbol {
            id,
            is_named: false,
            edges: if callers.contains(&id) {
                Edges::ToNamed
            } else {
                Edges::None
            },
        })
        .collect()
}

fn is_call(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Call | EdgeKind::Instantiates)
}
