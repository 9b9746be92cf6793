//! `lore outline`: what is defined where, file by file.

use std::sync::Arc;

use clap::Args;
use lore_model::{CodeGraph, FileId, Symbol, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::PathPattern;
use super::show::top_level;
use super::wire::{Kind, Scope, VisibilityName};
use lore_base::counted::counted_as;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Rows, Verdict};

/// Outline a repository, a directory or a file: what is defined where
///
/// Without a path, one level of the whole repository; with paths, everything in them.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore outline                        the repository: types and functions of each file
  lore outline src/server             a directory, in full
  lore outline src/app.ts --json      one JSON object for each file
  lore outline --kind class,function --depth 2")]
#[serde(default)]
pub struct OutlineRequest {
    /// Files, directories or patterns [default: the whole repository]
    pub paths: Vec<String>,
    /// Levels to show [default: 1 for the whole repository, all for named paths]
    #[arg(long, short)]
    pub depth: Option<usize>,
    /// Only these kinds (repeatable), with the definitions around them
    #[arg(long, short, value_delimiter = ',')]
    pub kind: Vec<Kind>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// The outline of one file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct OutlineFile {
    /// The path
    pub path: String,
    /// The language
    #[schemars(extend("x-agents" = "omit"))]
    pub language: String,
    /// The module it belongs to
    pub module: String,
    /// The first sentence of the module's doc comment
    #[schemars(extend("x-agents" = "untrusted"))]
    pub summary: String,
    /// Lines of code
    pub code: u32,
    /// What it defines
    pub symbols: Vec<OutlineNode>,
}

/// One definition and its members
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct OutlineNode {
    /// The bare name
    pub name: String,
    /// The name that is unique in the repository
    #[schemars(extend("x-agents" = "omit"))]
    pub qualified_name: String,
    /// The kind
    pub kind: Kind,
    /// The 1-based line of the name
    pub line: u32,
    /// The last line
    pub end_line: u32,
    /// The declaration, on one line
    pub signature: String,
    /// The visibility
    pub visibility: VisibilityName,
    /// The definitions inside
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<OutlineNode>,
}

/// `lore outline`.
pub struct Outline;

impl Operation for Outline {
    const NAME: &'static str = "outline";
    const COMMAND: &'static [&'static str] = &["outline"];
    const ACCESS: Access = Access::Read;
    type Request = OutlineRequest;
    type Answer = Rows<OutlineFile>;

    fn run(ctx: &Ctx, request: OutlineRequest) -> Result<Rows<OutlineFile>, OpError> {
        let graph = request.scope.open(ctx)?;
        let patterns = PathPattern::all(ctx, &graph, &request.paths)?;
        let chosen: Vec<FileId> = graph
            .files()
            .filter(|file| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(file.path())))
            .map(|file| file.id())
            .collect();
        if chosen.is_empty() && !patterns.is_empty() {
            return Err(nothing_there(&graph, &request.paths));
        }
        let whole = patterns.is_empty();
        let note = (graph.file_count() == 0).then(|| {
            let left_out = counted_as(graph.skipped().count(), "file was", "files were");
            format!("no file is in a language that Lore knows; {left_out} left out (`lore files --skipped` lists them)")
        });
        let shape = Shape {
            depth: request.depth.unwrap_or(if whole { 1 } else { usize::MAX }),
            kinds: request.kind.iter().map(|kind| SymbolKind::from(*kind)).collect(),
            values: !whole,
        };
        let rows = chosen.into_iter().map(move |id| Ok(outline(&graph, id, &shape)));
        let rows =
            rows.filter(move |row| !whole || row.as_ref().is_ok_and(|file: &OutlineFile| !file.symbols.is_empty()));
        Ok(Rows::new(rows, if whole { Verdict::Yes } else { Verdict::No }).with_note(note))
    }
}

fn nothing_there(graph: &Arc<CodeGraph>, paths: &[String]) -> OpError {
    let wanted = paths.join(", ");
    let error = OpError::new(ErrorKind::NotFound, format!("no indexed file at or below {wanted}"));
    match graph
        .skipped()
        .find(|skipped| paths.iter().any(|path| skipped.path == path))
    {
        Some(skipped) => error.hint(format!("{} is left out: {}", skipped.path, skipped.reason)),
        None => error.hint("`lore files` lists the indexed files"),
    }
}

struct Shape {
    depth: usize,
    kinds: Vec<SymbolKind>,
    /// Whether constants, variables and fields are shown without being asked for.
    values: bool,
}

impl Shape {
    fn wants(&self, kind: SymbolKind) -> bool {
        let is_value = matches!(
            kind,
            SymbolKind::Constant | SymbolKind::Static | SymbolKind::Field | SymbolKind::EnumMember
        );
        if self.kinds.is_empty() {
            self.values || !is_value
        } else {
            self.kinds.contains(&kind)
        }
    }
}

fn outline(graph: &CodeGraph, id: FileId, shape: &Shape) -> OutlineFile {
    let file = graph.file(id);
    OutlineFile {
        path: file.path().to_owned(),
        language: file.language().to_owned(),
        module: super::wire::module_name(file),
        summary: file
            .module()
            .map_or_else(String::new, |module| super::wire::one_line(module.summary())),
        code: file.lines().code.get(),
        symbols: top_level(file)
            .filter_map(|symbol| node(symbol, id, shape, 1))
            .collect(),
    }
}

/// The node of a symbol, unless neither it nor anything in it is wanted. Nesting is as deep as the source's.
fn node(symbol: Symbol<'_>, file: FileId, shape: &Shape, level: usize) -> Option<OutlineNode> {
    let members: Vec<OutlineNode> = if level < shape.depth && level < MAX_LEVELS {
        symbol
            .children()
            .filter(|child| !child.is_anonymous() && child.file_id() == file)
            .filter_map(|child| node(child, file, shape, level + 1))
            .collect()
    } else {
        Vec::new()
    };
    if !shape.wants(symbol.kind()) && members.is_empty() {
        return None;
    }
    let place = symbol.place();
    Some(OutlineNode {
        name: symbol.name().to_owned(),
        qualified_name: symbol.qualified_name().into_owned(),
        kind: symbol.kind().into(),
        line: place.line.get(),
        end_line: place.end_line.get(),
        signature: symbol.signature().to_owned(),
        visibility: symbol.visibility().into(),
        members,
    })
}

/// Levels of nesting shown at most; deeper code is generated or hostile.
const MAX_LEVELS: usize = 64;

impl Render for OutlineFile {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.write(format_args!("  {} lines of code", self.code));
        if !self.summary.is_empty() {
            page.dim(&format!("  {}", self.summary));
        }
        page.line(format_args!(""));
        self.symbols.iter().for_each(|node| render_node(node, 1, page));
    }
}

fn render_node(node: &OutlineNode, level: usize, page: &mut Page) {
    page.write(format_args!("{:>6} {}", node.line, "  ".repeat(level)));
    if node.signature.is_empty() {
        page.write(format_args!("{} ", SymbolKind::from(node.kind)));
    }
    page.text(if node.signature.is_empty() {
        &node.name
    } else {
        &node.signature
    });
    page.line(format_args!(""));
    node.members
        .iter()
        .for_each(|member| render_node(member, level + 1, page));
}
