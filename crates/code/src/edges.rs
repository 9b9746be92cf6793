//! `lore edges`: how symbols belong together, of every kind, and how that is known.

use std::borrow::Cow;

use clap::Args;
use lore_model::{Edge, EdgeKind, EdgeTarget, Resolution, SymbolId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::calls::one_symbol;
use super::wire::{EdgeKindName, Kind, ResolutionName, Scope};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// List the edges of the graph: calls, bases, overrides, imports, instances, types, reads and tests
///
/// Each edge comes with its kind, the lines where the source says so, and how it is known.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore edges --json                              one JSON object for each edge
  lore edges QuerySet                            what one symbol leads to
  lore edges QuerySet --incoming --kind extends  what derives from it
  lore edges --kind tests --kind overrides       only edges of these kinds
  lore edges src/app.py --kind import            what a module imports")]
#[serde(default)]
pub struct EdgesRequest {
    /// A qualified name or the end of one, a path, or path:line [default: all symbols]
    pub symbol: Option<String>,
    /// Only edges of this kind (repeatable)
    #[arg(long, value_delimiter = ',')]
    pub kind: Vec<EdgeKindName>,
    /// The edges that lead to the symbol instead of those that start from it
    #[arg(long, requires = "symbol")]
    pub incoming: bool,
    /// Leave out edges to what the repository does not define
    #[arg(long)]
    pub no_external: bool,
    /// Only edges at least this likely to be right, from 0 to 1
    #[arg(long, default_value_t = 0.0)]
    pub min_confidence: f32,
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub scope: Scope,
}

/// One edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct EdgeLine {
    /// Where it starts: a qualified name, the module's for code at its top level
    pub source: String,
    /// What it says
    pub kind: EdgeKindName,
    /// Where it leads
    pub target: String,
    /// What the source is
    #[schemars(extend("x-agents" = "omit"))]
    pub source_kind: Kind,
    /// What the target is; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub target_kind: Option<Kind>,
    /// The file of the source
    pub source_file: String,
    /// The file of the target; absent for externals
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub target_file: Option<String>,
    /// The lines of the source's file that say so
    #[schemars(extend("x-agents" = "at source_file"))]
    pub lines: Vec<u32>,
    /// How it is known
    pub resolution: ResolutionName,
    /// How likely it is right
    pub confidence: f32,
    /// Whether the repository does not define the target
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
}

impl EdgeLine {
    fn of(edge: Edge<'_>) -> Self {
        let source = edge.source();
        let (target, target_kind, target_file, external) = match edge.target() {
            EdgeTarget::Symbol(symbol) => (
                symbol.qualified_name(),
                Some(symbol.kind().into()),
                Some(symbol.file().path().to_owned()),
                false,
            ),
            EdgeTarget::External(name) => (Cow::Borrowed(name), None, None, true),
        };
        Self {
            source: source.qualified_name().into_owned(),
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
        }
    }
}

impl Render for EdgeLine {
    fn render(&self, page: &mut Page) {
        let line = self.lines.first().copied().unwrap_or(0);
        page.dim(&format!("{}:{line}", self.source_file));
        page.write(format_args!(" "));
        page.text(&self.source);
        page.write(format_args!(" {} ", EdgeKind::from(self.kind)));
        page.strong(&self.target);
        page.dim(&format!("  {}", Resolution::from(self.resolution)));
        if self.lines.len() > 1 {
            page.dim(&format!(", {} lines", self.lines.len()));
        }
        page.line(format_args!(""));
    }
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
        let symbols = match &request.symbol {
            Some(text) => {
                let symbol = one_symbol(ctx, &graph, text)?.id().0;
                symbol..symbol + 1
            }
            None => 0..graph.symbol_count() as u32,
        };
        let kinds: Vec<EdgeKind> = request.kind.iter().map(|name| (*name).into()).collect();
        let known = graph.clone();
        let rows = symbols.flat_map(move |number| {
            let symbol = known.symbol(SymbolId(number));
            let edges: Vec<Edge<'_>> = if request.incoming {
                symbol.incoming().collect()
            } else {
                symbol.edges().collect()
            };
            edges
                .into_iter()
                .filter(|edge| kinds.is_empty() || kinds.contains(&edge.kind()))
                .filter(|edge| edge.resolution().confidence() >= request.min_confidence)
                .map(EdgeLine::of)
                .filter(|line| !(request.no_external && line.external))
                .map(Ok)
                .collect::<Vec<_>>()
        });
        Ok(Rows::new(rows, Verdict::Yes))
    }
}
