//! `FileFacts`: the content of one file in a compact, language-neutral form.
//!
//! Facts depend on nothing but their file, so Lore caches them by content and joins them later. They are flat rows
//! over one text blob: reading them back is a copy, not a parse. A record is a container of sections, so new facts
//! are new sections.

mod check;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::flow::{FlowFacts, FlowView};
use crate::{Modifiers, NONE, SectionError, SectionReader, SectionWriter, SymbolKind, Text, TextBlob, U32, Visibility};

const MAGIC: u32 = u32::from_le_bytes(*b"LFct");
/// The version of the record's layout; part of the extractor's version.
pub(crate) const FACTS_LAYOUT: u32 = 4;

/// The position of a definition. Lines and columns are 1-based. Columns count characters; the end column is
/// exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Place {
    /// The line of the name.
    pub line: U32,
    /// The column of the name.
    pub column: U32,
    /// The first line of the whole definition.
    pub start_line: U32,
    /// The last line of the whole definition.
    pub end_line: U32,
    /// The first byte of the whole definition.
    pub start_byte: U32,
    /// The byte after the whole definition.
    pub end_byte: U32,
}

/// A run of rows in another table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct TextRange {
    /// The first row.
    pub start: U32,
    /// The number of rows.
    pub len: U32,
}

impl TextRange {
    /// The range of indexes, clipped to a table of `rows` rows.
    pub fn indexes(self, rows: usize) -> std::ops::Range<usize> {
        let start = (self.start.get() as usize).min(rows);
        start..start.saturating_add(self.len.get() as usize).min(rows)
    }
}

/// One-bit properties of a [`Definition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefinitionFlags;

impl DefinitionFlags {
    /// The definition is anonymous: a lambda or an anonymous class.
    pub const ANONYMOUS: u8 = 1;
    /// Another statement of the file exports the definition by name.
    pub const EXPORTED: u8 = 4;
    /// The definition is local to a function.
    pub const LOCAL: u8 = 8;
    /// The language, a test runner or a framework calls the definition, so it is not dead code.
    pub const ENTRY_POINT: u8 = 16;
    /// It has no body: an abstract method, a member of an interface or trait, a prototype.
    pub const DECLARED: u8 = 32;
}

/// One definition of a file. The rows are in source order, and a parent precedes its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Definition {
    /// The bare name.
    pub name: Text,
    /// The names between the parent (or the module) and this one, joined by the language's separator.
    pub owner: Text,
    /// The signature: the declaration on one line.
    pub signature: Text,
    /// The doc comment without comment signs.
    pub doc: Text,
    /// The length in bytes of the first sentence of `doc`.
    pub summary_len: U32,
    /// The enclosing definition of the same file, or [`NONE`].
    pub parent: U32,
    /// The position in the file.
    pub place: Place,
    /// The decorators, as rows of [`FileFacts::lists`].
    pub decorators: TextRange,
    /// The cyclomatic complexity: 1 + decision points; 0 for definitions without a body that runs.
    pub complexity: U32,
    /// The set of [`Modifiers`], as bits.
    pub modifiers: U32,
    /// The number of the [`SymbolKind`].
    pub kind: u8,
    /// The number of the [`Visibility`].
    pub visibility: u8,
    /// [`DefinitionFlags`].
    pub flags: u8,
    /// Zero; keeps the size of a row a multiple of four.
    pub padding: u8,
}

impl Definition {
    /// The kind.
    pub fn kind(&self) -> SymbolKind {
        SymbolKind::from_number(self.kind).unwrap_or(SymbolKind::Function)
    }

    /// The visibility.
    pub fn visibility(&self) -> Visibility {
        Visibility::from_number(self.visibility).unwrap_or(Visibility::Private)
    }

    /// The modifiers.
    pub fn modifiers(&self) -> Modifiers {
        Modifiers(self.modifiers.get())
    }

    /// Whether the definition is anonymous.
    pub fn is_anonymous(&self) -> bool {
        self.flags & DefinitionFlags::ANONYMOUS != 0
    }

    /// The enclosing definition of the same file.
    pub fn parent(&self) -> Option<usize> {
        (self.parent.get() != NONE).then_some(self.parent.get() as usize)
    }
}

/// One-bit properties of an [`Import`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportFlags;

impl ImportFlags {
    /// The import re-exports the name.
    pub const REEXPORT: u8 = 1;
    /// The import binds types only.
    pub const TYPE_ONLY: u8 = 2;
    /// The import declares a module that is another file, such as `mod name;` in Rust.
    pub const MODULE: u8 = 4;
}

/// One name that an import binds. An import of several names has several rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Import {
    /// The module as written, before resolution.
    pub module: Text,
    /// The imported name; `*` for all names; empty for the module itself.
    pub name: Text,
    /// The name bound in this file; `*` for all names; empty if the import binds none.
    pub local: Text,
    /// The name of a re-export that binds nothing in this file; otherwise empty.
    pub handed_on: Text,
    /// The 1-based line.
    pub line: U32,
    /// The enclosing definition, or [`NONE`].
    pub scope: U32,
    /// [`ImportFlags`].
    pub flags: u8,
    /// Zero; keeps the size of a row a multiple of four.
    pub padding: [u8; 3],
}

/// One name that a separate statement of the file exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Export {
    /// The name inside the file.
    pub local: Text,
    /// The name that other modules see.
    pub name: Text,
    /// The 1-based line.
    pub line: U32,
}

/// The prefix of the external name of an environment variable.
pub const ENVIRONMENT_VARIABLE: &str = "env:";
/// The prefix of the external name of a key of a configuration.
pub const CONFIGURATION_KEY: &str = "config:";

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UseKind;

impl UseKind {
    /// As a type, such as in an annotation.
    pub const TYPE: u8 = 0;
    /// As a base class that is only a type and has no value.
    pub const EXTENDS: u8 = 1;
    /// As an interface that a class implements.
    pub const IMPLEMENTS: u8 = 2;
    /// The value of the name is read.
    pub const READ: u8 = 3;
    /// The value of the name is the base of a class.
    pub const BASE: u8 = 4;
    /// The name, a variable of a module, gets a value.
    pub const WRITE: u8 = 5;
    /// The setting that the path names is read: an environment variable or a configuration key.
    pub const READ_SETTING: u8 = 6;
    /// The setting that the path names gets a value.
    pub const WRITE_SETTING: u8 = 7;

    /// Whether the path is the name of a setting, which no scope resolves.
    pub const fn is_setting(kind: u8) -> bool {
        matches!(kind, Self::READ_SETTING | Self::WRITE_SETTING)
    }
}

/// One use of a name that scopes and imports resolve, without following values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Use {
    /// The name, or a path of names separated by dots; the prefixed name of a setting.
    pub path: Text,
    /// The definition with the use, or [`NONE`] for the module.
    pub scope: U32,
    /// The 1-based line.
    pub line: U32,
    /// [`UseKind`].
    pub kind: u8,
}

/// A diagnostic of the extractor about the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FactsDiagnostic {
    /// The message: lower case, no full stop.
    pub message: Text,
    /// The 1-based line.
    pub line: U32,
    /// The 1-based column.
    pub column: U32,
}

/// The lines of a file by their content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct LineCounts {
    /// Lines with code.
    pub code: U32,
    /// Lines with only a comment.
    pub comment: U32,
    /// Lines with only white space, outside comments and strings.
    pub blank: U32,
}

/// Everything that Lore extracts from one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileFacts {
    /// The blob for all texts of the rows.
    pub text: TextBlob,
    /// The definitions, in source order.
    pub definitions: Vec<Definition>,
    /// The imports, in source order.
    pub imports: Vec<Import>,
    /// The exports, in source order.
    pub exports: Vec<Export>,
    /// Uses of names as types or values that scopes and imports resolve.
    pub uses: Vec<Use>,
    /// The texts of list columns, such as the decorators of a definition.
    pub lists: Vec<Text>,
    /// The diagnostics, in source order.
    pub diagnostics: Vec<FactsDiagnostic>,
    /// The line counts.
    pub lines: LineCounts,
    /// The package that the file declares.
    pub package: Text,
    /// The module's own documentation.
    pub module_doc: Text,
    /// The length in bytes of the first sentence of `module_doc`.
    pub module_summary_len: u32,
    /// Whether the file is a module for other files: it imports or exports names.
    pub is_module: bool,
    /// The value flow of the file.
    pub flow: FlowFacts,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    lines: LineCounts,
    package: Text,
    module_doc: Text,
    module_summary_len: U32,
    is_module: u8,
}

const HEAD: u32 = 1;
const TEXT: u32 = 2;
const DEFINITIONS: u32 = 3;
const IMPORTS: u32 = 4;
const LISTS: u32 = 5;
const DIAGNOSTICS: u32 = 6;
const EXPORTS: u32 = 7;
const USES: u32 = 8;
const FLOW_NAMES: u32 = 16;
const FLOW_BODIES: u32 = 17;
const FLOW_STEPS: u32 = 18;
const FLOW_PARAMETERS: u32 = 19;
const FLOW_ARGUMENTS: u32 = 20;
const FLOW_CAPTURES: u32 = 21;
const FLOW_CLASSES: u32 = 22;
const FLOW_EXPORTS: u32 = 23;
const FLOW_VARIABLES: u32 = 24;

impl FileFacts {
    /// The facts as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head {
            lines: self.lines,
            package: self.package,
            module_doc: self.module_doc,
            module_summary_len: self.module_summary_len.into(),
            is_module: u8::from(self.is_module),
        };
        let mut writer = SectionWriter::new(MAGIC, FACTS_LAYOUT);
        writer.section(HEAD, head.as_bytes());
        writer.section(TEXT, &self.text.0);
        writer.section(DEFINITIONS, self.definitions.as_bytes());
        writer.section(IMPORTS, self.imports.as_bytes());
        writer.section(LISTS, self.lists.as_bytes());
        writer.section(DIAGNOSTICS, self.diagnostics.as_bytes());
        writer.section(EXPORTS, self.exports.as_bytes());
        writer.section(USES, self.uses.as_bytes());
        let flow = &self.flow;
        writer.section(FLOW_NAMES, flow.names.as_bytes());
        writer.section(FLOW_BODIES, flow.bodies.as_bytes());
        writer.section(FLOW_STEPS, flow.steps.as_bytes());
        writer.section(FLOW_PARAMETERS, flow.parameters.as_bytes());
        writer.section(FLOW_ARGUMENTS, flow.arguments.as_bytes());
        writer.section(FLOW_CAPTURES, flow.captures.as_bytes());
        writer.section(FLOW_CLASSES, flow.classes.as_bytes());
        writer.section(FLOW_EXPORTS, flow.exports.as_bytes());
        writer.section(FLOW_VARIABLES, flow.variables.as_bytes());
        writer.finish()
    }

    /// The facts that [`FileFacts::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SectionError> {
        let view = FactsView::from_bytes(bytes)?;
        Ok(Self {
            text: TextBlob(view.text.to_vec()),
            definitions: view.definitions.to_vec(),
            imports: view.imports.to_vec(),
            exports: view.exports.to_vec(),
            uses: view.uses.to_vec(),
            lists: view.lists.to_vec(),
            diagnostics: view.diagnostics.to_vec(),
            lines: view.lines,
            package: view.package,
            module_doc: view.module_doc,
            module_summary_len: view.module_summary_len,
            is_module: view.is_module,
            flow: view.flow.to_facts(),
        })
    }

    /// The facts, to be read.
    pub fn view(&self) -> FactsView<'_> {
        FactsView {
            text: &self.text.0,
            definitions: &self.definitions,
            imports: &self.imports,
            exports: &self.exports,
            uses: &self.uses,
            lists: &self.lists,
            diagnostics: &self.diagnostics,
            lines: self.lines,
            package: self.package,
            module_doc: self.module_doc,
            module_summary_len: self.module_summary_len,
            is_module: self.is_module,
            flow: self.flow.view(),
        }
    }
}

/// [`FileFacts`] in borrowed memory, such as a mapped file.
#[derive(Clone, Copy, Debug)]
pub struct FactsView<'a> {
    /// The blob for all texts of the rows.
    pub text: &'a [u8],
    /// The definitions, in source order.
    pub definitions: &'a [Definition],
    /// The imports, in source order.
    pub imports: &'a [Import],
    /// The exports, in source order.
    pub exports: &'a [Export],
    /// Uses of names as types or values that scopes and imports resolve.
    pub uses: &'a [Use],
    /// The texts of list columns, such as the decorators of a definition.
    pub lists: &'a [Text],
    /// The diagnostics, in source order.
    pub diagnostics: &'a [FactsDiagnostic],
    /// The line counts.
    pub lines: LineCounts,
    /// The package that the file declares.
    pub package: Text,
    /// The module's own documentation.
    pub module_doc: Text,
    /// The length in bytes of the first sentence of `module_doc`.
    pub module_summary_len: u32,
    /// Whether the file is a module for other files: it imports or exports names.
    pub is_module: bool,
    /// The value flow of the file.
    pub flow: FlowView<'a>,
}

impl<'a> FactsView<'a> {
    /// Opens the bytes of [`FileFacts::to_bytes`] in place. Verifies all checksums, and that rows refer only to rows
    /// and texts that exist.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, SectionError> {
        let reader = SectionReader::open(bytes, MAGIC, FACTS_LAYOUT)?;
        reader.verify(bytes)?;
        let head = Head::read_from_bytes(&bytes[reader.range(HEAD)?]).map_err(|_| SectionError::BadSection(HEAD))?;
        let view = Self {
            text: &bytes[reader.range(TEXT)?],
            definitions: rows(bytes, &reader, DEFINITIONS)?,
            imports: rows(bytes, &reader, IMPORTS)?,
            exports: rows(bytes, &reader, EXPORTS)?,
            uses: rows(bytes, &reader, USES)?,
            lists: rows(bytes, &reader, LISTS)?,
            diagnostics: rows(bytes, &reader, DIAGNOSTICS)?,
            lines: head.lines,
            package: head.package,
            module_doc: head.module_doc,
            module_summary_len: head.module_summary_len.get(),
            is_module: head.is_module != 0,
            flow: FlowView {
                names: rows(bytes, &reader, FLOW_NAMES)?,
                bodies: rows(bytes, &reader, FLOW_BODIES)?,
                steps: rows(bytes, &reader, FLOW_STEPS)?,
                parameters: rows(bytes, &reader, FLOW_PARAMETERS)?,
                arguments: rows(bytes, &reader, FLOW_ARGUMENTS)?,
                captures: rows(bytes, &reader, FLOW_CAPTURES)?,
                classes: rows(bytes, &reader, FLOW_CLASSES)?,
                exports: rows(bytes, &reader, FLOW_EXPORTS)?,
                variables: rows(bytes, &reader, FLOW_VARIABLES)?,
            },
        };
        view.check()?;
        Ok(view)
    }

    /// The text of a range.
    pub fn get(&self, text: Text) -> &'a str {
        text.of(self.text)
    }
}

fn rows<'a, T: FromBytes + Immutable + KnownLayout + Unaligned>(
    bytes: &'a [u8],
    reader: &SectionReader,
    id: u32,
) -> Result<&'a [T], SectionError> {
    <[T]>::ref_from_bytes(&bytes[reader.range(id)?]).map_err(|_| SectionError::BadSection(id))
}
