//! The wire types that several questions about code share.

use clap::ValueEnum;
use lore_model::{EdgeKind, File, LineCounts, Modifier, Resolution, Symbol, SymbolKind, Visibility};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Page, Render};

pub use lore_seam::Scope;

macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident from $model:ident { $($variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
        #[serde(rename_all = "snake_case")]
        #[clap(rename_all = "snake_case")]
        // No doc comment: the names say it.
        pub enum $name { $($variant),* }

        impl From<$model> for $name {
            fn from(value: $model) -> Self {
                match value { $($model::$variant => Self::$variant),* }
            }
        }

        impl From<$name> for $model {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant),* }
            }
        }
    };
}

wire_enum! {
    /// The kind of a definition.
    Kind from SymbolKind {
        Function, Method, Constructor, Class, Struct, Enum, EnumMember, Trait, Interface, Module, Namespace, Constant, Static,
        Field, TypeAlias, Macro, Test, Section, Key, Table, View, Target, Block, Selector,
    }
}

wire_enum! {
    /// The visibility of a definition.
    VisibilityName from Visibility { Public, Protected, Internal, Private }
}

wire_enum! {
    /// The kind of an edge.
    EdgeKindName from EdgeKind {
        Call, Extends, Implements, Overrides, Import, Instantiates, References, Reads, Tests, Writes,
    }
}

wire_enum! {
    /// How an edge is known.
    ResolutionName from Resolution { Exact, Typed, Declared, Flow, Dispatch, Name }
}

/// Line counts of a file.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// Lines with code
    pub code: u64,
    /// Lines with only a comment
    pub comment: u64,
    /// Blank lines
    pub blank: u64,
}

impl Lines {
    pub(super) fn add(&mut self, lines: LineCounts) {
        self.code += u64::from(lines.code.get());
        self.comment += u64::from(lines.comment.get());
        self.blank += u64::from(lines.blank.get());
    }

    pub(super) fn of(lines: LineCounts) -> Self {
        let mut counted = Self::default();
        counted.add(lines);
        counted
    }

    pub(super) fn total(&self) -> u64 {
        self.code + self.comment + self.blank
    }
}

/// One symbol, as lists show it.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct SymbolLine {
    /// The bare name
    #[schemars(extend("x-agents" = "omit"))]
    pub name: String,
    /// The name that is unique in the repository
    pub qualified_name: String,
    /// The kind
    pub kind: Kind,
    /// The language
    #[schemars(extend("x-agents" = "omit"))]
    pub language: String,
    /// The file, relative to the root of the repository
    pub path: String,
    /// The 1-based line of the name
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// The 1-based column of the name, in characters
    #[schemars(extend("x-agents" = "omit"))]
    pub column: u32,
    /// The first line of the whole definition
    #[schemars(extend("x-agents" = "omit"))]
    pub start_line: u32,
    /// The last line of the whole definition
    pub end_line: u32,
    /// The declaration, on one line
    pub signature: String,
    /// The first sentence of the doc comment
    #[schemars(extend("x-agents" = "untrusted"))]
    pub summary: String,
    /// The visibility
    pub visibility: VisibilityName,
    /// Words such as `static` or `async`
    pub modifiers: Vec<String>,
    /// Decorators, annotations or attributes, as written
    pub decorators: Vec<String>,
    /// The cyclomatic complexity: 1 + decision points; absent without a body
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<u32>,
    /// Lines of the whole definition
    #[schemars(extend("x-agents" = "omit"))]
    pub lines: u32,
    /// The qualified name of the parent
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "omit"))]
    pub parent: Option<String>,
}

impl SymbolLine {
    pub(super) fn of(symbol: Symbol<'_>) -> Self {
        let place = symbol.place();
        Self {
            name: symbol.name().to_owned(),
            qualified_name: symbol.qualified_name().into_owned(),
            kind: symbol.kind().into(),
            language: symbol.file().language().to_owned(),
            path: symbol.file().path().to_owned(),
            line: place.line.get(),
            column: place.column.get(),
            start_line: place.start_line.get(),
            end_line: place.end_line.get(),
            signature: symbol.signature().to_owned(),
            summary: one_line(symbol.summary()),
            visibility: symbol.visibility().into(),
            modifiers: symbol
                .modifiers()
                .iter()
                .map(|modifier: Modifier| modifier.name().to_owned())
                .collect(),
            decorators: symbol.decorators().map(str::to_owned).collect(),
            complexity: symbol.complexity(),
            lines: symbol.lines(),
            parent: symbol.parent().map(|parent| parent.qualified_name().into_owned()),
        }
    }
}

impl Render for SymbolLine {
    fn render(&self, page: &mut Page) {
        page.dim(&format!("{}:{}:{}", self.path, self.line, self.column));
        page.write(format_args!(" {} ", SymbolKind::from(self.kind)));
        page.strong(&self.qualified_name);
        if !self.signature.is_empty() {
            page.write(format_args!("  "));
            page.text(&self.signature);
        }
        page.line(format_args!(""));
    }
}

/// Text on one line.
pub(super) fn one_line(text: &str) -> String {
    lore_model::fold_whitespace(text)
}

/// The qualified name of a file's module; empty if it has none.
pub(super) fn module_name(file: File<'_>) -> String {
    let module = file.module();
    module.map_or_else(String::new, |module| module.qualified_name().into_owned())
}
