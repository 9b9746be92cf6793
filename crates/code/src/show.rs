//! `lore show`: one symbol or file, with its place, documentation and members; or what a repository or a directory is.

use clap::Args;
use lore_model::{CodeGraph, Edge, EdgeKind, File, Symbol, SymbolKind};
use lore_overview::{MAX_TEXT, Overview, OverviewRequest, overview};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::source::slice_of;
use super::target::with_constructors;
use super::target::{self, Target};
use super::wire::{Lines, Scope, SymbolLine};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Lines of each list about a directory.
const DEFAULT_LIMIT: usize = 15;

/// Show one symbol or file: signature, doc comment, place, members, and source if requested; or what a repository is (`.`)
///
/// A symbol is named by its qualified name or any end of it (`QuerySet.filter`), or by a place (`path:line`). An ambiguous name
/// lists the candidates. A directory is shown with what it provides, its entry points and modules, and how it is built and tested.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore show .                          the repository: what it is, its modules, how it is built and tested
  lore show QuerySet.filter            by the end of its qualified name
  lore show src/app.ts:42              the definition around a line
  lore show src/app.ts                 a file: lines, imports, what it defines
  lore show QuerySet.filter --source   with its source")]
pub struct ShowRequest {
    /// A qualified name or the end of one, a path, path:line, or . for the repository
    pub target: String,
    /// Include the source text
    #[arg(long, short)]
    #[serde(default)]
    pub source: bool,
    /// Maximum number of modules and of other things in the lists about a directory; 0 for all
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    #[serde(default = "default_limit")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: usize,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

/// A symbol, a file, the overview of a directory, or the candidates for an ambiguous name
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ShowAnswer {
    /// One symbol
    Symbol(Box<SymbolDetail>),
    /// One file
    File(Box<FileDetail>),
    /// The repository or a directory
    Overview(Box<Overview>),
    /// The name means several symbols
    Ambiguous {
        /// The name
        target: String,
        /// The candidates
        candidates: Vec<SymbolLine>,
    },
}

/// One symbol in full
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct SymbolDetail {
    /// The symbol
    #[serde(flatten)]
    pub symbol: SymbolLine,
    /// The whole doc comment
    #[schemars(extend("x-agents" = "untrusted"))]
    pub doc: String,
    /// Number of edges by kind
    #[schemars(extend("x-agents" = "nonzero"))]
    pub edges: EdgeCounts,
    /// The importance of the symbol: how much of the graph depends on it; the average symbol has 1
    pub importance: f32,
    /// The members
    pub members: Vec<SymbolLine>,
    /// The source text, if requested
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub source: Option<String>,
}

/// Number of edges of a symbol by kind
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeCounts {
    /// Callers; for a class, callers of its constructor
    pub callers: usize,
    /// Callees
    pub callees: usize,
    /// Base types
    pub bases: usize,
    /// Types that extend or implement it
    pub derived: usize,
    /// Methods that it overrides
    pub overrides: usize,
    /// Methods that override it
    pub overridden_by: usize,
    /// Symbols that create instances of it
    pub instantiated_by: usize,
    /// Modules that import it
    pub imported_by: usize,
    /// Symbols that name it as a type
    pub referenced_by: usize,
    /// Symbols that read it
    pub read_by: usize,
    /// Symbols that give it a value
    pub written_by: usize,
    /// Tests that exercise it
    pub tests: usize,
    /// Its unresolved calls
    pub unresolved: usize,
}

impl EdgeCounts {
    fn of(graph: &CodeGraph, symbol: Symbol<'_>) -> Self {
        let of_kind = |edge: &Edge<'_>, kinds: &[EdgeKind]| kinds.contains(&edge.kind());
        let out = |kinds: &[EdgeKind]| symbol.edges().filter(|edge| of_kind(edge, kinds)).count();
        let into = |kinds: &[EdgeKind]| symbol.incoming().filter(|edge| of_kind(edge, kinds)).count();
        let mut callers: Vec<u32> = with_constructors(symbol)
            .into_iter()
            .flat_map(|id| graph.symbol(id).incoming())
            .filter(|edge| edge.kind() == EdgeKind::Call)
            .map(|edge| edge.source().id().0)
            .collect();
        callers.sort_unstable();
        callers.dedup();
        Self {
            callers: callers.len(),
            callees: out(&[EdgeKind::Call]),
            bases: out(&[EdgeKind::Extends, EdgeKind::Implements]),
            derived: into(&[EdgeKind::Extends, EdgeKind::Implements]),
            overrides: out(&[EdgeKind::Overrides]),
            overridden_by: into(&[EdgeKind::Overrides]),
            instantiated_by: into(&[EdgeKind::Instantiates]),
            imported_by: into(&[EdgeKind::Import]),
            referenced_by: into(&[EdgeKind::References]),
            read_by: into(&[EdgeKind::Reads]),
            written_by: into(&[EdgeKind::Writes]),
            tests: into(&[EdgeKind::Tests]),
            unresolved: symbol.unresolved().count(),
        }
    }

    /// The counts above 0, each with its name.
    fn named(self) -> impl Iterator<Item = (usize, &'static str)> {
        [
            (self.callers, "callers"),
            (self.callees, "callees"),
            (self.bases, "bases"),
            (self.derived, "derived"),
            (self.overrides, "overrides"),
            (self.overridden_by, "overridden by"),
            (self.instantiated_by, "instantiated by"),
            (self.imported_by, "imported by"),
            (self.referenced_by, "referenced by"),
            (self.read_by, "read by"),
            (self.written_by, "written by"),
            (self.tests, "tests"),
            (self.unresolved, "unresolved calls"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
    }
}

/// One file in full
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct FileDetail {
    /// The path
    pub path: String,
    /// The language
    pub language: String,
    /// The module it belongs to
    pub module: String,
    /// The module's doc comment
    #[schemars(extend("x-agents" = "untrusted"))]
    pub doc: String,
    /// The lines
    pub lines: Lines,
    /// The content's git blob id
    #[schemars(extend("x-agents" = "omit"))]
    pub blob: String,
    /// What it imports
    pub imports: Vec<ImportLine>,
    /// Its top-level definitions
    pub members: Vec<SymbolLine>,
    /// Syntax errors
    pub errors: Vec<ErrorLine>,
    /// The source text, if requested
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub source: Option<String>,
}

/// One name that a file imports
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ImportLine {
    /// The module as written
    pub module: String,
    /// The name imported; `*` for all, empty for the module itself
    pub name: String,
    /// The name bound; `*` for all, empty for none
    pub local: String,
    /// The line
    pub line: u32,
    /// Whether the name is re-exported
    pub reexport: bool,
    /// Whether only types are imported
    pub type_only: bool,
}

/// One syntax error
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ErrorLine {
    /// The line
    pub line: u32,
    /// The column
    pub column: u32,
    /// The message
    pub message: String,
}

/// `lore show`.
pub struct Show;

impl Operation for Show {
    const NAME: &'static str = "show";
    const COMMAND: &'static [&'static str] = &["show"];
    const ACCESS: Access = Access::Read;
    type Request = ShowRequest;
    type Answer = Value<ShowAnswer>;

    fn run(ctx: &Ctx, request: ShowRequest) -> Result<Value<ShowAnswer>, OpError> {
        let graph = request.scope.open(ctx)?;
        let read = |path: &str| ctx.ports.code.read(&request.scope.graph_scope(), path);
        let here = ctx.ports.code.here();
        let directory = target::directory(&graph, &here, &request.target);
        let found = match (target::find(&graph, &here, &request.target), directory) {
            // A name without a slash can be that of a symbol, too.
            (Ok(found), directory) if directory.is_none() || !request.target.contains(['/', '.']) => found,
            (_, Some(directory)) => {
                return Ok(Value::yes(ShowAnswer::Overview(Box::new(of_directory(
                    ctx, &graph, &request, directory,
                )?))));
            }
            (found, None) => found?,
        };
        match found {
            Target::File(file) => {
                let source = request.source.then(|| read(file.path())).transpose()?;
                let source = source.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                Ok(Value::yes(ShowAnswer::File(Box::new(file_detail(file, source)))))
            }
            Target::Symbol(symbol) => {
                let source = if request.source {
                    Some(slice_of(symbol, &read(symbol.file().path())?))
                } else {
                    None
                };
                Ok(Value::yes(ShowAnswer::Symbol(Box::new(symbol_detail(
                    &graph, symbol, source,
                )))))
            }
            Target::Several(ids) => {
                let candidates = ids.into_iter().map(|id| SymbolLine::of(graph.symbol(id))).collect();
                Ok(Value::no(ShowAnswer::Ambiguous {
                    target: request.target,
                    candidates,
                }))
            }
        }
    }
}

fn of_directory(ctx: &Ctx, graph: &CodeGraph, request: &ShowRequest, directory: String) -> Result<Overview, OpError> {
    let scope = request.scope.graph_scope();
    let read = |path: &str| {
        let content = ctx.ports.code.read(&scope, path).ok()?;
        (content.len() <= MAX_TEXT).then(|| String::from_utf8_lossy(&content).into_owned())
    };
    let request = OverviewRequest {
        directory,
        name: ctx.ports.code.origin(&scope)?.directory,
        limit: if request.limit == 0 { usize::MAX } else { request.limit },
    };
    let mut answer = overview(graph, &request, &read);
    if ctx.ports.code.foreign().is_some() {
        answer.unknown.insert(
            0,
            "a published graph has no texts, so package files and READMEs were not read".to_owned(),
        );
    }
    Ok(answer)
}

fn symbol_detail(graph: &CodeGraph, symbol: Symbol<'_>, source: Option<String>) -> SymbolDetail {
    SymbolDetail {
        symbol: SymbolLine::of(symbol),
        doc: symbol.doc().to_owned(),
        edges: EdgeCounts::of(graph, symbol),
        importance: super::stats::importance(symbol),
        members: symbol
            .children()
            .filter(|child| !child.is_anonymous())
            .map(SymbolLine::of)
            .collect(),
        source,
    }
}

fn file_detail(file: File<'_>, source: Option<String>) -> FileDetail {
    FileDetail {
        path: file.path().to_owned(),
        language: file.language().to_owned(),
        module: super::wire::module_name(file),
        doc: file.module().map_or("", |module| module.doc()).to_owned(),
        lines: Lines::of(file.lines()),
        blob: file.hash().to_string(),
        imports: file
            .imports()
            .map(|import| ImportLine {
                module: import.module.to_owned(),
                name: import.name.to_owned(),
                local: import.local.to_owned(),
                line: import.line,
                reexport: import.reexport,
                type_only: import.type_only,
            })
            .collect(),
        members: top_level(file).map(SymbolLine::of).collect(),
        errors: file
            .diagnostics()
            .map(|error| ErrorLine {
                line: error.line,
                column: error.column,
                message: error.message,
            })
            .collect(),
        source,
    }
}

/// The top-level definitions of a file: its symbols whose parent is not in the same file, except the module itself.
pub(super) fn top_level(file: File<'_>) -> impl Iterator<Item = Symbol<'_>> {
    file.symbols()
        .filter(move |symbol| symbol.kind() != SymbolKind::Module || symbol.parent().is_some())
        .filter(move |symbol| {
            !symbol.is_anonymous()
                && symbol.parent().is_none_or(|parent| {
                    parent.file_id() != file.id() || Some(parent.id()) == file.module().map(Symbol::id)
                })
        })
}

impl Render for ShowAnswer {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Symbol(detail) => detail.render(page),
            Self::File(detail) => detail.render(page),
            Self::Overview(answer) => answer.render(page),
            Self::Ambiguous { target, candidates } => {
                page.line(format_args!(
                    "`{target}` means {} symbols; candidates:",
                    candidates.len()
                ));
                candidates.iter().for_each(|candidate| candidate.render(page));
            }
        }
    }
}

impl Render for SymbolDetail {
    fn render(&self, page: &mut Page) {
        let symbol = &self.symbol;
        page.strong(&symbol.qualified_name);
        page.line(format_args!(""));
        let visibility = lore_model::Visibility::from(symbol.visibility);
        page.write(format_args!("{visibility} {}", SymbolKind::from(symbol.kind)));
        if !symbol.modifiers.is_empty() {
            page.write(format_args!(" ({})", symbol.modifiers.join(", ")));
        }
        page.line(format_args!(" at {}:{}:{}", symbol.path, symbol.line, symbol.column));
        for decorator in &symbol.decorators {
            page.write(format_args!("  @ "));
            page.text(decorator);
            page.line(format_args!(""));
        }
        if !symbol.signature.is_empty() {
            page.write(format_args!("  "));
            page.text(&symbol.signature);
            page.line(format_args!(""));
        }
        let complexity = symbol
            .complexity
            .map(|complexity| format!(", complexity {complexity}"))
            .unwrap_or_default();
        page.line(format_args!(
            "  {} lines ({}–{}){complexity}",
            symbol.lines, symbol.start_line, symbol.end_line
        ));
        let counts: Vec<String> = self
            .edges
            .named()
            .map(|(count, name)| format!("{name} {count}"))
            .collect();
        if !counts.is_empty() {
            page.line(format_args!("  {}", counts.join(", ")));
        }
        indented(page, &self.doc);
        members(page, &self.members);
        if let Some(source) = &self.source {
            page.line(format_args!(""));
            page.block(source);
            page.line(format_args!(""));
        }
    }
}

impl Render for FileDetail {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.line(format_args!(""));
        page.line(format_args!(
            "{}, module {}: {} lines ({} code, {} comment, {} blank)",
            self.language,
            self.module,
            self.lines.total(),
            self.lines.code,
            self.lines.comment,
            self.lines.blank
        ));
        indented(page, &self.doc);
        if !self.imports.is_empty() {
            page.end_line();
            page.line(format_args!("imports"));
        }
        for import in &self.imports {
            let bound = if import.local.is_empty() || import.local == import.name {
                ""
            } else {
                import.local.as_str()
            };
            page.write(format_args!("  {:>5}  ", import.line));
            page.text(&import.module);
            if !import.name.is_empty() {
                page.text(&format!(" {}", import.name));
            }
            if !bound.is_empty() {
                page.text(&format!(" as {bound}"));
            }
            page.line(format_args!(""));
        }
        members(page, &self.members);
        for error in &self.errors {
            page.line(format_args!(
                "{}:{}:{}: {}",
                self.path, error.line, error.column, error.message
            ));
        }
        if let Some(source) = &self.source {
            page.line(format_args!(""));
            page.block(source);
        }
    }
}

fn indented(page: &mut Page, doc: &str) {
    if !doc.is_empty() {
        page.line(format_args!(""));
    }
    for line in doc.lines() {
        page.write(format_args!("  "));
        page.block(line);
        page.line(format_args!(""));
    }
}

fn members(page: &mut Page, members: &[SymbolLine]) {
    if !members.is_empty() {
        page.end_line();
        page.line(format_args!("members"));
    }
    for member in members {
        page.write(format_args!(
            "  {:>5}  {:<11} ",
            member.line,
            SymbolKind::from(member.kind).name()
        ));
        page.strong(&member.name);
        if !member.signature.is_empty() {
            page.dim(&format!("  {}", member.signature));
        }
        page.line(format_args!(""));
    }
}
