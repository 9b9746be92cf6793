//! `lore edges`: the edges between symbols, of every kind.

use std::borrow::Cow;

use clap::Args;
use lore_model::{
    CONFIGURATION_KEY, CodeGraph, ENVIRONMENT_VARIABLE, Edge, EdgeKind, EdgeMarks, EdgeTarget, Resolution, Symbol,
    SymbolId, SymbolKind,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::{self, Target};
use super::wire::{EdgeKindName, Kind, ResolutionName, Scope};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Rows, Verdict};

/// List the edges of the graph: calls, bases, overrides, imports, instances, types, reads and tests
///
/// Each edge has a kind, the lines of the source that show it, and how it is known.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore edges --json                              one JSON object for each edge
  lore edges QuerySet                            the edges from one symbol
  lore edges QuerySet --incoming --kind extends  the classes that extend it
  lore edges --kind tests --kind overrides       only edges of these kinds
  lore edges src/app.py --kind import            what a module imports")]
#[serde(default)]
pub struct EdgesRequest {
    /// A qualified name or the end of one, a path, or path:line [default: all symbols]
    pub symbol: Option<String>,
    /// Only edges of this kind (repeatable)
    #[arg(long, value_delimiter = ',')]
    pub kind: Vec<EdgeKindName>,
    /// Edges to the symbol instead of edges from it
    #[arg(long, requires = "symbol")]
    pub incoming: bool,
    /// Leave out edges to external code
    #[arg(long)]
    pub no_external: bool,
    /// Only edges at least this likely to be right, from 0 to 1
    #[arg(long, default_value_t = 0.0)]
    pub min_confidence: f32,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// One edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct EdgeLine {
    /// The source's qualified name; for top-level code, the module's
    pub source: String,
    /// The kind of the edge
    pub kind: EdgeKindName,
    /// The target
    pub target: String,
    /// The kind of the source
    #[schemars(extend("x-agents" = "omit"))]
    pub source_kind: Kind,
    /// The kind of the target; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub target_kind: Option<Kind>,
    /// The file of the source
    pub source_file: String,
    /// The file of the target; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub target_file: Option<String>,
    /// The lines of the source's file that show the edge
    #[schemars(extend("x-agents" = "at source_file"))]
    pub lines: Vec<u32>,
    /// How the edge is known
    pub resolution: ResolutionName,
    /// How likely the edge is right
    pub confidence: f32,
    /// Whether the target is outside of the repository
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
    /// Whether a bound of the analysis dropped further targets of a call on these lines
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Whether the source does not write the call on some line: an operator, or a protocol of the language
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-agents" = "omit"))]
    pub implicit: bool,
}

impl EdgeLine {
    /// An edge, with the names that `name` gives its ends.
    pub(super) fn of<'g>(edge: Edge<'g>, name: fn(Symbol<'g>) -> Cow<'g, str>) -> Self {
        let source = edge.source();
        let (target, target_kind, target_file, external) = match edge.target() {
            EdgeTarget::Symbol(symbol) => (
                name(symbol),
                Some(symbol.kind().into()),
                Some(symbol.file().path().to_owned()),
                false,
            ),
            EdgeTarget::External(name) => (Cow::Borrowed(name), None, None, true),
        };
        Self {
            source: name(source).into_owned(),
            kind: edge.kind().into(),
            target: target.into_owned(),
            source_kind: source.kind().into(),
            target_kind,
            source_file: edge.file().path().to_owned(),
            target_file,
            lines: edge.lines().collect(),
            resolution: edge.resolution().into(),
            confidence: edge.resolution().confidence(),
            external,
            more: edge.marks().contains(EdgeMarks::MORE),
            implicit: edge.marks().contains(EdgeMarks::IMPLICIT),
        }
    }
}

impl Render for EdgeLine {
    fn render(&self, page: &mut Page) {
        let verb = EdgeKind::from(self.kind).to_string();
        let ends = [&self.source, verb.as_str(), &self.target];
        render_edge(
            page,
            &self.source_file,
            &self.lines,
            ends,
            self.resolution,
            ("lines", self.more.then_some("and more targets")),
        );
    }
}

/// Writes an edge: its first line, its source, verb and target, its resolution, the number of `places`, and a remark.
pub(super) fn render_edge(
    page: &mut Page,
    file: &str,
    lines: &[u32],
    [source, verb, target]: [&str; 3],
    resolution: ResolutionName,
    (places, remark): (&str, Option<&str>),
) {
    page.dim(&format!("{file}:{}", lines.first().copied().unwrap_or(0)));
    page.write(format_args!(" "));
    page.text(source);
    page.write(format_args!(" {verb} "));
    page.strong(target);
    page.dim(&format!("  {}", Resolution::from(resolution)));
    if lines.len() > 1 {
        page.dim(&format!(", {} {places}", lines.len()));
    }
    if let Some(remark) = remark {
        page.dim(&format!(", {remark}"));
    }
    page.line(format_args!(""));
}

/// `lore edges`.
pub struct Edges;

impl Operation for Edges {
    const NAME: &'static str = "edges";
    const COMMAND: &'static [&'static str] = &["edges"];
    const ACCESS: Access = Access::Read;
    type Request = EdgesRequest;
    type Answer = Rows<EdgeLine>;

    fn run(ctx: &Ctx, request: EdgesRequest) -> Result<Rows<EdgeLine>, OpError> {
        let graph = request.scope.open(ctx)?;
        let kinds: Vec<EdgeKind> = request.kind.iter().map(|name| (*name).into()).collect();
        let is_wanted = move |edge: &Edge<'_>| {
            (kinds.is_empty() || kinds.contains(&edge.kind()))
                && edge.resolution().confidence() >= request.min_confidence
                && !(request.no_external && edge.target().symbol().is_none())
        };
        // A file can be one of several of its module, whose edges are in all of them.
        let in_file = match &request.symbol {
            Some(text) if !request.incoming => match target::find(&graph, &ctx.ports.code.here(), text) {
                Ok(Target::File(file)) => Some(file.id()),
                _ => None,
            },
            _ => None,
        };
        let is_wanted = move |edge: &Edge<'_>| is_wanted(edge) && in_file.is_none_or(|file| edge.file_id() == file);
        let ends = match &request.symbol {
            None => Ends::All,
            Some(text) => Ends::named(ctx, &graph, text)?,
        };
        let note = match (&ends, &request.symbol) {
            (Ends::Symbols(symbols), Some(text)) => {
                let foreign = request
                    .incoming
                    .then(|| foreign_implementations(&graph, symbols, &request.kind))
                    .flatten();
                let notes: Vec<String> = [target::several(&graph, text, symbols), foreign]
                    .into_iter()
                    .flatten()
                    .collect();
                (!notes.is_empty()).then(|| notes.join("\n"))
            }
            _ => None,
        };
        let (symbols, externals) = match ends {
            Ends::All => ((0..graph.symbol_count() as u32).map(SymbolId).collect(), None),
            Ends::Symbols(symbols) => (symbols, None),
            Ends::Externals(externals) => {
                let all = (0..graph.symbol_count() as u32).map(SymbolId).collect();
                (all, Some(externals))
            }
        };
        let known = graph.clone();
        let rows = symbols.into_iter().flat_map(move |id| {
            let symbol = known.symbol(id);
            let edges: Vec<Edge<'_>> = match &externals {
                Some(externals) => symbol.edges().filter(|edge| externals.contains(edge)).collect(),
                None if request.incoming => incoming(symbol),
                None => symbol.edges().collect(),
            };
            let edges = edges.into_iter().filter(&is_wanted);
            edges
                .map(|edge| Ok(EdgeLine::of(edge, Symbol::qualified_name)))
                .collect::<Vec<_>>()
        });
        Ok(Rows::new(rows, Verdict::Yes).with_note(note))
    }
}

/// The ends of the edges that a request names.
enum Ends {
    All,
    Symbols(Vec<SymbolId>),
    Externals(Externals),
}

/// External names: a package or a name, and everything below it.
struct Externals {
    name: String,
}

impl Externals {
    fn contains(&self, edge: &Edge<'_>) -> bool {
        match edge.target() {
            EdgeTarget::External(name) => is_below(name, &self.name),
            EdgeTarget::Symbol(_) => false,
        }
    }
}

/// Whether an external name is another one or a part of it.
fn is_below(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '/', '\\']))
}

impl Ends {
    fn named(ctx: &Ctx, graph: &CodeGraph, text: &str) -> Result<Self, OpError> {
        let error = match target::meant(ctx, graph, text) {
            Ok(symbols) => return Ok(Self::Symbols(symbols)),
            Err(error) => error,
        };
        let text = text.trim();
        let is_external = (0..graph.external_count()).any(|number| is_below(graph.external(number as u32), text));
        if error.kind == ErrorKind::NotFound && !text.is_empty() && is_external {
            let name = text.to_owned();
            return Ok(Self::Externals(Externals { name }));
        }
        // A setting can be named without its prefix.
        let externals = || (0..graph.external_count()).map(|number| graph.external(number as u32));
        let settings = [ENVIRONMENT_VARIABLE, CONFIGURATION_KEY].map(|prefix| format!("{prefix}{text}"));
        if let Some(name) = settings
            .into_iter()
            .find(|name| externals().any(|external| external == name))
        {
            return Ok(Self::Externals(Externals { name }));
        }
        Err(error)
    }
}

/// The remark that an answer about implementations of a trait lacks those for types outside of the repository.
fn foreign_implementations(graph: &CodeGraph, symbols: &[SymbolId], kinds: &[EdgeKindName]) -> Option<String> {
    let is_asked = kinds.is_empty() || kinds.contains(&EdgeKindName::Implements);
    let mut symbols = symbols.iter().map(|id| graph.symbol(*id));
    let has_trait = symbols.any(|symbol| symbol.kind() == SymbolKind::Trait && symbol.file().language() == "rust");
    (is_asked && has_trait).then(|| {
        "implementations for types outside of the repository (`impl Trait for String`) have no edge and may be missing".to_owned()
    })
}

/// The edges to a symbol. Who imports a member of a module or type imports the module or type.
fn incoming(symbol: Symbol<'_>) -> Vec<Edge<'_>> {
    let mut found: Vec<Edge<'_>> = symbol.incoming().collect();
    if symbol.kind() == SymbolKind::Module || symbol.kind().is_type() {
        let members = symbol.children().filter(|member| member.kind() != SymbolKind::Module);
        let imports = members.flat_map(|member| member.incoming().filter(|edge| edge.kind() == EdgeKind::Import));
        found.extend(imports.filter(|edge| edge.source().id() != symbol.id()));
    }
    found
}
