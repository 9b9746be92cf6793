//! `lore calls`, `callers`, `callees`, `path` and `unresolved`: who calls whom, and how that is known.

use std::collections::{HashMap, HashSet, VecDeque};

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, EdgeTarget, Resolution, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::PathPattern;
use super::target::{self, Target};
use super::wire::{Kind, ResolutionName, Scope, SymbolLine};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Rows, Value, Verdict};

/// Candidates that a name alone may have before it says nothing.
const MAX_GUESSES: usize = 5;

/// List every call edge of the repository: who calls whom, where, and how it is known
///
/// Edges that only a name suggests are left out unless they are asked for.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore calls --json                 one JSON object for each edge
  lore calls 'src/**'               calls made in these files
  lore calls --no-external          calls between what the repository defines
  lore calls --resolution exact     only what is certain
  lore calls --dispatch             with what may run instead of a method known by its type")]
#[serde(default)]
pub struct CallsRequest {
    /// Only calls made in these files, directories or patterns [default: all]
    pub paths: Vec<String>,
    /// Leave out calls to what the repository does not define
    #[arg(long)]
    pub no_external: bool,
    /// Only edges known this way (repeatable)
    #[arg(long, value_delimiter = ',')]
    pub resolution: Vec<ResolutionName>,
    /// With the methods that may override the one that is called
    #[arg(long)]
    pub dispatch: bool,
    /// With the calls that only a name suggests
    #[arg(long)]
    pub guesses: bool,
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

/// One call edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct CallLine {
    /// Who calls: a qualified name, the module's for code at its top level
    pub caller: String,
    /// Who is called
    pub callee: String,
    /// What the caller is
    #[schemars(extend("x-agents" = "omit"))]
    pub caller_kind: Kind,
    /// What the callee is; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub callee_kind: Option<Kind>,
    /// The file of the caller
    pub caller_file: String,
    /// The file of the callee; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub callee_file: Option<String>,
    /// The lines of the calls
    #[schemars(extend("x-agents" = "at caller_file"))]
    pub lines: Vec<u32>,
    /// How it is known
    pub resolution: ResolutionName,
    /// How likely it is right
    pub confidence: f32,
    /// Whether the repository does not define the callee
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
}

impl CallLine {
    fn of(edge: Edge<'_>) -> Self {
        let caller = edge.source();
        let (callee, callee_kind, callee_file, external) = match edge.target() {
            EdgeTarget::Symbol(symbol) => (
                symbol.plain_name(),
                Some(symbol.kind().into()),
                Some(symbol.file().path().to_owned()),
                false,
            ),
            EdgeTarget::External(name) => (name.into(), None, None, true),
        };
        Self {
            caller: caller.plain_name().into_owned(),
            callee: callee.into_owned(),
            caller_kind: caller.kind().into(),
            callee_kind,
            caller_file: edge.file().path().to_owned(),
            callee_file,
            lines: edge.lines().collect(),
            resolution: edge.resolution().into(),
            confidence: edge.resolution().confidence(),
            external,
        }
    }

    fn guess(caller: Symbol<'_>, callee: Symbol<'_>, line: u32) -> Self {
        Self {
            caller: caller.plain_name().into_owned(),
            callee: callee.plain_name().into_owned(),
            caller_kind: caller.kind().into(),
            callee_kind: Some(callee.kind().into()),
            caller_file: caller.file().path().to_owned(),
            callee_file: Some(callee.file().path().to_owned()),
            lines: vec![line],
            resolution: Resolution::Name.into(),
            confidence: Resolution::Name.confidence(),
            external: false,
        }
    }
}

impl Render for CallLine {
    fn render(&self, page: &mut Page) {
        let line = self.lines.first().copied().unwrap_or(0);
        page.dim(&format!("{}:{line}", self.caller_file));
        page.write(format_args!(" "));
        page.text(&self.caller);
        page.write(format_args!(" -> "));
        page.strong(&self.callee);
        page.dim(&format!("  {}", Resolution::from(self.resolution)));
        if self.lines.len() > 1 {
            page.dim(&format!(", {} calls", self.lines.len()));
        }
        page.line(format_args!(""));
    }
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
            let is_wanted = patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(symbol.file().path()));
            let mut rows: Vec<Result<CallLine, OpError>> = Vec::new();
            if !is_wanted {
                return rows;
            }
            rows.extend(
                symbol
                    .edges()
                    .filter(|edge| edge.kind() == EdgeKind::Call)
                    .filter(|edge| wanted.is_empty() || wanted.contains(&edge.resolution()))
                    .map(CallLine::of)
                    .filter(|line| !(request.no_external && line.external))
                    .map(Ok),
            );
            if request.dispatch && (wanted.is_empty() || wanted.contains(&Resolution::Dispatch)) {
                rows.extend(dispatched(symbol).into_iter().map(Ok));
            }
            if request.guesses && (wanted.is_empty() || wanted.contains(&Resolution::Name)) {
                rows.extend(guesses(&known, symbol).into_iter().map(Ok));
            }
            rows
        });
        Ok(Rows::new(rows, Verdict::Yes))
    }
}

/// What may run instead of the methods that a symbol calls by the type of a receiver.
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

/// What the calls of a symbol that lead nowhere known may mean by their names.
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

/// How far to look, and at what.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
pub struct NeighboursRequest {
    /// A qualified name or the end of one, or path:line
    pub target: String,
    /// How many calls away to look
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
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

fn one() -> u32 {
    1
}

/// Show who calls a function, directly or through others
///
/// Callers of a class are those that make instances of it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore callers QuerySet.filter              those that call it
  lore callers save --depth 3 --no-tests    and those that call them, without tests
  lore callers src/app.py:42                of whatever is defined around a line")]
#[serde(transparent)]
pub struct CallersRequest {
    #[command(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub neighbours: NeighboursRequest,
}

/// Show what a function calls, directly or through others
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore callees main                    what it calls
  lore callees main --depth 2          and what they call
  lore callees Server --min-confidence 0.95")]
#[serde(transparent)]
pub struct CalleesRequest {
    #[command(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub neighbours: NeighboursRequest,
}

/// One call on the way to or from a symbol
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct NeighbourLine {
    /// How many calls away
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
enum Direction {
    Callers,
    Callees,
}

/// `lore callers`.
pub struct Callers;

impl Operation for Callers {
    const NAME: &'static str = "callers";
    const COMMAND: &'static [&'static str] = &["callers"];
    const ACCESS: Access = Access::Read;
    type Request = CallersRequest;
    type Answer = Rows<NeighbourLine>;

    fn run(ctx: &Ctx, request: CallersRequest) -> Result<Rows<NeighbourLine>, OpError> {
        neighbours(ctx, &request.neighbours, Direction::Callers)
    }
}

/// `lore callees`.
pub struct Callees;

impl Operation for Callees {
    const NAME: &'static str = "callees";
    const COMMAND: &'static [&'static str] = &["callees"];
    const ACCESS: Access = Access::Read;
    type Request = CalleesRequest;
    type Answer = Rows<NeighbourLine>;

    fn run(ctx: &Ctx, request: CalleesRequest) -> Result<Rows<NeighbourLine>, OpError> {
        neighbours(ctx, &request.neighbours, Direction::Callees)
    }
}

/// Whether symbols differ only in the number that Lore gave them.
pub(super) fn of_one_name(graph: &CodeGraph, candidates: &[SymbolId]) -> bool {
    let mut names = candidates.iter().map(|id| {
        let symbol = graph.symbol(*id);
        (symbol.plain_name(), symbol.file().path())
    });
    names.next().is_some_and(|first| names.all(|name| name == first))
}

/// The one symbol that a text names. An ambiguous name is an error that lists the candidates.
pub(super) fn one_symbol<'g>(ctx: &Ctx, graph: &'g CodeGraph, text: &str) -> Result<Symbol<'g>, OpError> {
    match target::find(graph, &ctx.ports.code.here(), text)? {
        Target::Symbol(symbol) => Ok(symbol),
        Target::File(file) => file
            .module()
            .ok_or_else(|| OpError::new(ErrorKind::NotFound, format!("{} belongs to no module", file.path()))),
        // Declarations of one name are one function: the one that has most to do with others.
        Target::Several(candidates) if of_one_name(graph, &candidates) => {
            let busiest = candidates.iter().copied().max_by_key(|id| {
                let symbol = graph.symbol(*id);
                (
                    symbol.edges().count() + symbol.incoming().count(),
                    std::cmp::Reverse(*id),
                )
            });
            Ok(graph.symbol(busiest.unwrap_or(candidates[0])))
        }
        Target::Several(candidates) => Err(target::ambiguous(graph, text, &candidates)),
    }
}

/// A symbol and, of a class, what makes its instances.
pub(super) fn with_constructors(symbol: Symbol<'_>) -> Vec<SymbolId> {
    let mut found = vec![symbol.id()];
    if symbol.kind().is_type() {
        found.extend(
            symbol
                .children()
                .filter(|child| child.kind() == SymbolKind::Constructor)
                .map(Symbol::id),
        );
    }
    found
}

fn is_test(symbol: Symbol<'_>) -> bool {
    symbol.kind() == SymbolKind::Test || symbol.file().is_test()
}

fn neighbours(ctx: &Ctx, request: &NeighboursRequest, direction: Direction) -> Result<Rows<NeighbourLine>, OpError> {
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
            "{unknown} of its calls lead nowhere known (`lore unresolved {}` lists them)",
            symbol.qualified_name()
        ),
        Direction::Callers => format!(
            "{unknown} more calls of something named `{}` lead nowhere known: these may be callers too",
            symbol.name()
        ),
    });
    Ok(Rows::new(lines.into_iter().map(Ok), Verdict::Yes).with_note(note))
}

/// Calls that lead nowhere known and bear the symbol's name.
fn possible_callers(graph: &CodeGraph, symbol: Symbol<'_>) -> usize {
    graph.all_unresolved().filter(|call| call.name == symbol.name()).count()
}

/// Show the shortest way of calls from one symbol to another
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore path main Store.save            how the one comes to call the other
  lore path main Store.save --min-confidence 0.95")]
pub struct PathRequest {
    /// Where the way begins
    pub from: String,
    /// Where it ends
    pub to: String,
    /// Only edges at least this likely to be right, from 0 to 1
    #[arg(long, default_value_t = 0.0)]
    #[serde(default)]
    pub min_confidence: f32,
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

/// A way of calls
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct PathAnswer {
    /// Whether there is one
    pub found: bool,
    /// Where it begins
    pub from: SymbolLine,
    /// Where it ends
    pub to: SymbolLine,
    /// The calls, in order
    pub calls: Vec<CallLine>,
}

impl Render for PathAnswer {
    fn render(&self, page: &mut Page) {
        if !self.found {
            page.line(format_args!(
                "no calls known lead from {} to {}",
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
    // The start is not seen at first: a way from a symbol to itself is a circle.
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

/// List the calls that lead nowhere known
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unresolved                   all of them, by file
  lore unresolved Server.start      those of one function
  lore unresolved src/ --json")]
#[serde(default)]
pub struct UnresolvedRequest {
    /// A symbol, file, directory or pattern [default: all]
    pub target: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

/// A call that leads nowhere known
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct UnresolvedLine {
    /// Who calls
    pub caller: String,
    /// The file
    pub path: String,
    /// The line
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// The name that is called, if it has one
    pub name: String,
}

impl Render for UnresolvedLine {
    fn render(&self, page: &mut Page) {
        page.dim(&format!("{}:{}", self.path, self.line));
        page.write(format_args!(" "));
        page.text(&self.caller);
        page.write(format_args!(" -> "));
        page.strong(if self.name.is_empty() { "?" } else { &self.name });
        page.line(format_args!(""));
    }
}

/// `lore unresolved`.
pub struct Unresolved;

impl Operation for Unresolved {
    const NAME: &'static str = "unresolved";
    const COMMAND: &'static [&'static str] = &["unresolved"];
    const ACCESS: Access = Access::Read;
    type Request = UnresolvedRequest;
    type Answer = Rows<UnresolvedLine>;

    fn run(ctx: &Ctx, request: UnresolvedRequest) -> Result<Rows<UnresolvedLine>, OpError> {
        let graph = request.scope.open(ctx)?;
        let here = ctx.ports.code.here();
        let (chosen, patterns) = match &request.target {
            None => (Vec::new(), Vec::new()),
            Some(text) => match target::find(&graph, &here, text) {
                Ok(Target::Symbol(symbol)) => (vec![symbol.id()], Vec::new()),
                Ok(Target::Several(ids)) if of_one_name(&graph, &ids) => (ids, Vec::new()),
                found => {
                    let patterns = PathPattern::some(ctx, &graph, std::slice::from_ref(text));
                    let patterns = patterns.map_err(|missing| match found {
                        Ok(Target::Several(ids)) => target::ambiguous(&graph, text, &ids),
                        Err(unknown) if !text.contains(['*', '?']) => unknown,
                        _ => missing,
                    });
                    (Vec::new(), patterns?)
                }
            },
        };
        let rows: Vec<UnresolvedLine> = graph
            .all_unresolved()
            .filter(|call| chosen.is_empty() || chosen.contains(&call.caller))
            .map(|call| (call, graph.file(call.file).path()))
            .filter(|(_, path)| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(path)))
            .map(|(call, path)| UnresolvedLine {
                caller: graph.symbol(call.caller).plain_name().into_owned(),
                path: path.to_owned(),
                line: call.line,
                name: call.name.to_owned(),
            })
            .collect();
        Ok(Rows::new(rows.into_iter().map(Ok), Verdict::Yes))
    }
}
