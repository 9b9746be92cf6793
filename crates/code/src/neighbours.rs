//! The breadth-first search over call edges that `lore callers` and `lore callees` share.

use std::collections::{HashSet, VecDeque};

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, EdgeMarks, EdgeTarget, Resolution, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_line::{CallLine, Relation};
use super::target::{self, with_constructors};
use super::wire::Scope;
use lore_base::counted::counted;
use lore_seam::{Ctx, OpError, Page, Render, Rows, Verdict};

/// Most members that are followed along overrides.
pub(super) const MAX_RELATED: usize = 512;
/// Most implementations that `callees` lists for one call of a member whose values are unknown.
const MAX_IMPLEMENTATIONS: usize = 16;

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
    exact: bool,
) -> Result<Rows<NeighbourLine>, OpError> {
    let graph = request.scope.open(ctx)?;
    let symbols = target::meant(ctx, &graph, &request.target)?;
    let mut search = Search {
        graph: &graph,
        request,
        direction,
        seen: HashSet::new(),
        shown: HashSet::new(),
        waiting: VecDeque::new(),
        lines: Vec::new(),
        exact,
        left_out: 0,
    };
    for id in &symbols {
        let symbol = graph.symbol(*id);
        match direction {
            Direction::Callers => search.start(with_constructors(symbol)),
            Direction::Callees => search.start(vec![*id]),
        }
    }
    search.run();
    if direction == Direction::Callers && !exact {
        symbols
            .iter()
            .for_each(|id| search.through_overrides(graph.symbol(*id)));
    }
    let implementations = search.left_out;
    let lines = search.lines;
    let notes = [
        target::several(&graph, &request.target, &symbols),
        unknown(&graph, &symbols, direction),
        (implementations > 0).then(|| {
            format!(
                "{} that may run not listed: `lore calls --dispatch` lists all",
                counted(implementations, "implementation")
            )
        }),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    let note = (!notes.is_empty()).then(|| notes.join("\n"));
    Ok(Rows::new(lines.into_iter().map(Ok), Verdict::Yes).with_note(note))
}

/// A breadth-first search over call edges.
struct Search<'g> {
    graph: &'g CodeGraph,
    request: &'g NeighboursRequest,
    direction: Direction,
    seen: HashSet<SymbolId>,
    /// Sources and lines of the calls that are in the answer.
    shown: HashSet<(SymbolId, Vec<u32>)>,
    waiting: VecDeque<(SymbolId, u32)>,
    lines: Vec<NeighbourLine>,
    /// Whether only calls that name their callee count.
    exact: bool,
    /// The number of implementations beyond the bound.
    left_out: usize,
}

impl<'g> Search<'g> {
    fn start(&mut self, symbols: Vec<SymbolId>) {
        for id in symbols {
            if self.seen.insert(id) {
                self.waiting.push_back((id, 0));
            }
        }
    }

    fn run(&mut self) {
        while let Some((id, depth)) = self.waiting.pop_front() {
            if depth >= self.request.depth {
                continue;
            }
            let around = self.graph.symbol(id);
            match self.direction {
                Direction::Callers => around.incoming().for_each(|edge| self.edge(edge, depth, None)),
                Direction::Callees => {
                    around.edges().for_each(|edge| self.edge(edge, depth, None));
                    around.edges().for_each(|edge| self.implementations(edge, depth));
                    // The calls of functions that the symbol defines inside of itself belong to it.
                    for inner in inner_functions(around) {
                        self.seen.insert(inner.id());
                        inner
                            .edges()
                            .for_each(|edge| self.edge(edge, depth, Some(Relation::Inside)));
                    }
                }
            }
        }
    }

    fn edge(&mut self, edge: Edge<'g>, depth: u32, relation: Option<Relation>) {
        if edge.kind() != EdgeKind::Call || edge.resolution().confidence() < self.request.min_confidence {
            return;
        }
        if self.exact && !edge.marks().contains(EdgeMarks::NAMED) {
            return;
        }
        let next = match (self.direction, edge.target()) {
            (Direction::Callers, _) => Some(edge.source()),
            (Direction::Callees, EdgeTarget::Symbol(target)) => Some(target),
            (Direction::Callees, EdgeTarget::External(_)) => None,
        };
        if self.request.no_tests && next.is_some_and(is_test) {
            return;
        }
        if depth == 0 && self.direction == Direction::Callers {
            self.shown.insert((edge.source().id(), edge.lines().collect()));
        }
        let call = CallLine::of(edge);
        self.lines.push(NeighbourLine {
            depth: depth + 1,
            call: match relation {
                Some(relation) => call.related(relation),
                None => call,
            },
        });
        if let Some(next) = next
            && self.seen.insert(next.id())
        {
            self.waiting.push_back((next.id(), depth + 1));
        }
    }

    /// Adds what may run at calls that name a member without a body, if the values at the call are unknown.
    fn implementations(&mut self, edge: Edge<'g>, depth: u32) {
        let Some(member) = edge.target().symbol().filter(|member| is_abstract(*member)) else {
            return;
        };
        let is_open = edge.kind() == EdgeKind::Call && edge.marks().contains(EdgeMarks::NAMED.with(EdgeMarks::OPEN));
        if !is_open || self.exact || Resolution::Dispatch.confidence() < self.request.min_confidence {
            return;
        }
        let known: HashSet<SymbolId> = edge
            .source()
            .edges()
            .filter_map(|edge| edge.target().symbol())
            .map(Symbol::id)
            .collect();
        let mut overriders = member.overriders(MAX_RELATED);
        overriders.retain(|other| !(known.contains(&other.id()) || self.request.no_tests && is_test(*other)));
        self.left_out += overriders.len().saturating_sub(MAX_IMPLEMENTATIONS);
        overriders.truncate(MAX_IMPLEMENTATIONS);
        for other in overriders {
            let call = CallLine {
                callee: other.plain_name().into_owned(),
                callee_kind: Some(other.kind().into()),
                callee_file: Some(other.file().path().to_owned()),
                ..CallLine::of(edge)
            };
            self.lines.push(NeighbourLine {
                depth: depth + 1,
                call: call.related(Relation::MayBeRun),
            });
            if self.seen.insert(other.id()) {
                self.waiting.push_back((other.id(), depth + 1));
            }
        }
    }

    /// Adds the calls of what an abstract member is implemented by, and the calls of what a member overrides.
    fn through_overrides(&mut self, symbol: Symbol<'g>) {
        if is_abstract(symbol) {
            for other in symbol.overriders(MAX_RELATED) {
                self.calls_of(other, Relation::Implementation);
            }
        }
        for other in symbol.overridden(MAX_RELATED) {
            self.calls_of(other, Relation::MayRun);
        }
    }

    fn calls_of(&mut self, symbol: Symbol<'g>, relation: Relation) {
        let least = self.request.min_confidence;
        if relation == Relation::MayRun && Resolution::Dispatch.confidence() < least {
            return;
        }
        for edge in symbol.incoming() {
            let place = (edge.source().id(), edge.lines().collect());
            // A call that runs the member and names another is in the answer already, if it can run the symbol.
            let is_named = edge.marks().contains(EdgeMarks::NAMED);
            if edge.kind() == EdgeKind::Call && is_named && !self.shown.contains(&place) {
                self.edge(edge, 0, Some(relation));
            }
        }
    }
}

/// The functions inside of a function, at any depth.
pub(super) fn inner_functions(symbol: Symbol<'_>) -> Vec<Symbol<'_>> {
    if !symbol.kind().is_callable() {
        return Vec::new();
    }
    // A function that a method assigns to a member of its object is a member of the class, and still inside of the method.
    let span = |symbol: Symbol<'_>| (symbol.place().start_byte.get(), symbol.place().end_byte.get());
    let (start, end) = span(symbol);
    let owner = symbol.parent().map(Symbol::id);
    let mut around: HashSet<SymbolId> = HashSet::from([symbol.id()]);
    let mut found: Vec<Symbol<'_>> = Vec::new();
    // The symbols of a file are in the order in which they begin.
    for inner in symbol.file().symbols().filter(|inner| inner.kind().is_callable()) {
        let (inner_start, inner_end) = span(inner);
        let is_within = start <= inner_start && inner_end <= end && (start, end) != (inner_start, inner_end);
        let Some(parent) = inner.parent().map(Symbol::id) else {
            continue;
        };
        if around.contains(&parent) || is_within && Some(parent) == owner {
            around.insert(inner.id());
            found.push(inner);
        }
    }
    found
}

/// Whether what runs in the place of a member is one of its overrides.
pub(super) fn is_abstract(symbol: Symbol<'_>) -> bool {
    symbol.is_abstract()
        // A base method that every subclass has to override raises or does nothing; its overriders are what runs.
        || symbol.incoming().any(|edge| edge.kind() == EdgeKind::Overrides)
            && symbol.edges().all(|edge| edge.kind() != EdgeKind::Call)
}

/// The remark about unresolved calls, which can be further callers or callees.
fn unknown(graph: &CodeGraph, symbols: &[SymbolId], direction: Direction) -> Option<String> {
    let [first, ..] = symbols else { return None };
    let first = graph.symbol(*first);
    let count = match direction {
        Direction::Callees => {
            let own = symbols.iter().map(|id| graph.symbol(*id));
            own.map(|symbol| {
                let inner = inner_functions(symbol)
                    .into_iter()
                    .map(|inner| inner.unresolved().count());
                symbol.unresolved().count() + inner.sum::<usize>()
            })
            .sum()
        }
        Direction::Callers => graph.all_unresolved().filter(|call| call.name == first.name()).count(),
    };
    (count > 0).then(|| match direction {
        Direction::Callees => format!(
            "{} of this symbol: `lore unresolved {}` lists them",
            counted(count, "unresolved call"),
            first.qualified_name()
        ),
        Direction::Callers => format!(
            "possible further callers: {} of the name `{}`",
            counted(count, "unresolved call"),
            first.name()
        ),
    })
}

fn is_test(symbol: Symbol<'_>) -> bool {
    symbol.kind() == SymbolKind::Test || symbol.file().is_test()
}
