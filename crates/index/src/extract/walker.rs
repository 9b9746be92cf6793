//! The one walk over a file's tree: a cursor, a stack of scopes, and the table of the language's rules.
//!
//! The walker owns what every language shares: nesting, numbering of anonymous definitions, complexity, comments,
//! positions, errors. Languages only say what a node means, through [`Walker::define`], [`Walker::open`] and related
//! methods.

use lore_model::{
    Definition, DefinitionFlags, Export, FactsDiagnostic, FileFacts, Import, ImportFlags, Modifiers, NONE, Place,
    SymbolKind, Text, TextRange, Use, Visibility, summary_len, truncate_chars,
};
use tree_sitter::Range;

use super::comments::DocStyle;
use super::lines::{self, ByteRange};
use crate::language::{Flow, Language, Role, Rule};
use crate::syntax::{Node, Tree};

/// The maximum number of diagnostics for one file.
const MAX_DIAGNOSTICS: usize = 20;
/// The maximum number of characters in the signature of a value (a constant, a field).
const MAX_VALUE_SIGNATURE: usize = 120;
/// The maximum number of characters in any signature.
const MAX_SIGNATURE: usize = 2_000;
/// The maximum number of characters in a name.
const MAX_NAME: usize = 400;
/// The maximum number of bytes in a doc comment.
const MAX_DOC: usize = 64 * 1024;
/// The maximum number of enclosing nodes that a language can inspect. Every node may inspect them, so without the
/// bound the time would grow with the square of the depth.
const MAX_AROUND: usize = 1_000;
/// The maximum depth of scopes with definitions, far more than code has. Answers contain full names, so without the
/// bound their size would grow with the square of the depth.
const MAX_SCOPES: usize = 128;
/// The maximum number of bytes in the name of a scope with definitions, from the module on, and in the declared
/// package of a file.
const MAX_PATH: usize = 2_000;
/// Bytes of qualified names that every file may have, and additional bytes for each byte of the file. Ordinary code
/// needs about one.
const FREE_PATHS: usize = 64 << 10;
const PATHS_PER_BYTE: usize = 32;

/// The source of a definition's name.
pub(crate) enum Draftee<'t> {
    /// This node; its text is the name.
    Node(Node<'t>),
    /// This node, with another name.
    Named(Node<'t>, &'t str),
    /// The definition is anonymous; the walker numbers it (`<lambda1>`, `<class1>`).
    Anonymous(&'static str),
}

/// A definition, as a language describes it to the walker.
pub(crate) struct Draft<'t> {
    pub(crate) kind: SymbolKind,
    pub(crate) name: Draftee<'t>,
    /// The whole definition with its decorators.
    pub(crate) span: Node<'t>,
    /// The declaration, as a range of the source.
    pub(crate) signature: (usize, usize),
    pub(crate) doc: Option<String>,
    pub(crate) visibility: Visibility,
    pub(crate) modifiers: Modifiers,
    /// Decorators as written.
    pub(crate) decorators: Vec<&'t str>,
    /// Names between the enclosing definition and this one.
    pub(crate) owner: &'t str,
    /// Whether the definition is at module level, whatever encloses it.
    pub(crate) at_module: bool,
    pub(crate) flags: u8,
}

impl<'t> Draft<'t> {
    /// A public definition with default properties.
    pub(crate) fn new(kind: SymbolKind, name: Node<'t>, span: Node<'t>) -> Self {
        Self {
            kind,
            name: Draftee::Node(name),
            span,
            signature: (span.start_byte(), span.end_byte()),
            doc: None,
            visibility: Visibility::Public,
            modifiers: Modifiers::default(),
            decorators: Vec::new(),
            owner: "",
            at_module: false,
            flags: 0,
        }
    }

    /// An anonymous definition.
    pub(crate) fn anonymous(kind: SymbolKind, word: &'static str, span: Node<'t>) -> Self {
        Self {
            name: Draftee::Anonymous(word),
            visibility: Visibility::Private,
            ..Self::new(kind, span, span)
        }
    }
}

/// A scope that encloses the current node.
pub(crate) struct Scope {
    /// The definition, or [`NONE`] for the file and for scopes that only add a name.
    pub(crate) definition: u32,
    /// The kind of the definition; `Module` for the file.
    pub(crate) kind: SymbolKind,
    /// Names between the enclosing definition and the definitions of this scope.
    pub(crate) owner: String,
    /// A marker of the language for this scope.
    pub(crate) mark: u32,
    /// The name of the instance in a method (`self`), if the language needs it.
    pub(crate) receiver: String,
    /// Names already declared in this scope, if the language needs them.
    pub(crate) seen: foldhash::HashSet<String>,
    /// Ranges of the source or definitions that wait for a name, if the language needs them.
    pub(crate) waiting: foldhash::HashMap<String, (u32, u32)>,
    clauses: Option<Clauses>,
    depth: u32,
    anonymous: [u32; 2],
    /// Bytes of the scope's name, from the module on.
    path: usize,
}

/// A function with adjacent clauses, each a separate declaration in the tree.
struct Clauses {
    /// A key that only clauses of this function have.
    word: String,
    definition: u32,
    /// The number of clauses with a body.
    bodies: u32,
    anonymous: [u32; 2],
}

/// The definitions that are not recorded because they are too deep: the position of the first, and their number.
#[derive(Clone, Copy)]
pub(super) struct Folded {
    line: u32,
    column: u32,
    count: u32,
}

/// A scope to open: its definition, its kind, the name it adds, its marker.
type Opening = (u32, SymbolKind, String, u32);

/// The state of one walk.
pub(crate) struct Walker<'t> {
    pub(crate) source: &'t str,
    pub(crate) role: Role,
    pub(crate) facts: FileFacts,
    pub(crate) scopes: Vec<Scope>,
    /// Attributes that wait for their item.
    pub(crate) attributes: Vec<ByteRange>,
    /// The ends of comments that document the definition before them, if the language has such comments.
    pub(crate) spoken_for: foldhash::HashSet<usize>,
    language: &'static Language,
    comments: Vec<ByteRange>,
    texts: Vec<ByteRange>,
    claims: Vec<(usize, u32)>,
    name_claims: Vec<(usize, Opening)>,
    ancestors: Vec<Node<'t>>,
    opening: Option<Opening>,
    opening_receiver: String,
    /// By definition: the range of its declaration, which is read after all comments are known.
    signatures: Vec<(u32, u32)>,
    /// Ranges inside declarations that are not part of a signature.
    unsigned: Vec<ByteRange>,
    line_starts: Vec<u32>,
    nested: Vec<Nested>,
    /// Token groups that can parse as an expression.
    embedded: Vec<Range>,
    resumed: bool,
    /// The nodes of opened definitions.
    opened: Vec<(usize, u32)>,
    /// The paths of used names, each stored once.
    used: foldhash::HashMap<String, Text>,
    /// By definition: the bytes of its name, from the module on.
    paths: Vec<u32>,
    /// The sum of [`Walker::paths`].
    path_bytes: usize,
    /// The depth of the node whose scope was not opened because it is too deep; nothing inside it is recorded.
    closed: Option<u32>,
    folded: Option<Folded>,
}

/// A token group, with its position.
pub(crate) struct Nested {
    pub(crate) range: Range,
    scopes: Vec<Opening>,
}

/// The state of a walk between two trees of the same source.
pub(crate) struct Suspended {
    facts: FileFacts,
    comments: Vec<ByteRange>,
    texts: Vec<ByteRange>,
    signatures: Vec<(u32, u32)>,
    unsigned: Vec<ByteRange>,
    line_starts: Vec<u32>,
    pub(crate) nested: Vec<Nested>,
    pub(crate) embedded: Vec<Range>,
    paths: Vec<u32>,
    folded: Option<Folded>,
}

impl<'t> Walker<'t> {
    pub(crate) fn new(language: &'static Language, role: Role, source: &'t str) -> Self {
        let mut line_starts = vec![0];
        line_starts.extend(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32 + 1));
        let file = Scope {
            definition: NONE,
            kind: SymbolKind::Module,
            owner: String::new(),
            mark: 0,
            receiver: String::new(),
            seen: Default::default(),
            waiting: Default::default(),
            clauses: None,
            depth: 0,
            anonymous: [0; 2],
            path: 0,
        };
        Self {
            source,
            role,
            facts: FileFacts::default(),
            scopes: vec![file],
            attributes: Vec::new(),
            spoken_for: Default::default(),
            language,
            comments: Vec::new(),
            texts: Vec::new(),
            claims: Vec::new(),
            name_claims: Vec::new(),
            ancestors: Vec::new(),
            opening: None,
            opening_receiver: String::new(),
            signatures: Vec::new(),
            unsigned: Vec::new(),
            line_starts,
            nested: Vec::new(),
            embedded: Vec::new(),
            resumed: false,
            opened: Vec::new(),
            used: Default::default(),
            paths: Vec::new(),
            path_bytes: 0,
            closed: None,
            folded: None,
        }
    }

    /// The nodes of opened definitions, each with its definition.
    pub(crate) fn take_opened(&mut self) -> foldhash::HashMap<usize, u32> {
        std::mem::take(&mut self.opened).into_iter().collect()
    }

    /// Drops the trees.
    pub(crate) fn suspend(self) -> Suspended {
        Suspended {
            facts: self.facts,
            comments: self.comments,
            texts: self.texts,
            signatures: self.signatures,
            unsigned: self.unsigned,
            line_starts: self.line_starts,
            nested: self.nested,
            embedded: self.embedded,
            paths: self.paths,
            folded: self.folded,
        }
    }

    /// Continues with further trees of the same source, whose comments and strings are known.
    pub(crate) fn resume(language: &'static Language, role: Role, source: &'t str, suspended: Suspended) -> Self {
        Self {
            facts: suspended.facts,
            comments: suspended.comments,
            texts: suspended.texts,
            signatures: suspended.signatures,
            unsigned: suspended.unsigned,
            line_starts: suspended.line_starts,
            embedded: suspended.embedded,
            path_bytes: suspended.paths.iter().map(|path| *path as usize).sum(),
            paths: suspended.paths,
            folded: suspended.folded,
            resumed: true,
            ..Self::new(language, role, "")
        }
        .with_source(source)
    }

    fn with_source(mut self, source: &'t str) -> Self {
        self.source = source;
        self
    }

    /// Requests a parse of the tokens between the brackets of a node, which the grammar leaves as plain tokens, as
    /// items.
    pub(crate) fn nest(&mut self, bracketed: Node<'_>) {
        let mut range = bracketed.range();
        range.start_byte += 1;
        range.start_point.column += 1;
        range.end_byte -= 1;
        range.end_point.column = range.end_point.column.saturating_sub(1);
        let scopes = self.scopes[1..]
            .iter()
            .map(|scope| (scope.definition, scope.kind, scope.owner.clone(), scope.mark))
            .collect();
        self.nested.push(Nested { range, scopes });
    }

    /// Requests a parse of a node with its brackets, which the grammar leaves as plain tokens, as an expression.
    pub(crate) fn embed(&mut self, bracketed: Node<'_>) {
        self.embedded.push(bracketed.range());
    }

    /// Walks the tree of a token group at the position of the group.
    pub(crate) fn walk_nested(&mut self, nested: &Nested, tree: &'t Tree) {
        for (definition, kind, owner, mark) in &nested.scopes {
            // No node of this tree ends these scopes.
            self.push_scope((*definition, *kind, owner.clone(), *mark), u32::MAX);
        }
        self.closed = (!self.has_room()).then_some(u32::MAX);
        self.walk(tree);
        self.closed = None;
        self.scopes.truncate(1);
    }

    fn push_scope(&mut self, (definition, kind, owner, mark): Opening, depth: u32) {
        let clauses = self.scopes.last().and_then(|scope| scope.clauses.as_ref());
        let anonymous = clauses
            .filter(|clauses| clauses.definition == definition)
            .map_or([0; 2], |clauses| clauses.anonymous);
        let around = self.scopes.last().map_or(0, |scope| scope.path);
        let path = match self.paths.get(definition as usize) {
            Some(path) => *path as usize,
            None if owner.is_empty() => around,
            None => around + self.language.separator.len() + owner.len(),
        };
        self.scopes.push(Scope {
            definition,
            kind,
            owner,
            mark,
            receiver: std::mem::take(&mut self.opening_receiver),
            seen: Default::default(),
            waiting: Default::default(),
            clauses: None,
            depth,
            anonymous,
            path,
        });
    }

    /// Whether a scope inside the innermost one may be opened.
    fn has_room(&self) -> bool {
        self.scopes.len() <= MAX_SCOPES && self.scopes.last().is_none_or(|scope| scope.path <= MAX_PATH)
    }

    fn pop_scope(&mut self) {
        if let Some(ended) = self.scopes.pop()
            && let Some(clauses) = self.scopes.last_mut().and_then(|scope| scope.clauses.as_mut())
            && clauses.definition == ended.definition
        {
            clauses.anonymous = ended.anonymous;
        }
    }

    /// Visits every node once, in source order.
    pub(crate) fn walk(&mut self, tree: &'t Tree) {
        let table = self.language.table();
        let mut cursor = tree.root_node().walk();
        let broken = tree.root_node().has_error();
        let mut depth = 0u32;
        loop {
            let node = cursor.node();
            let flow = match table.rule(node.kind_id()) {
                Rule::Pass => Flow::Descend,
                Rule::Leaf => Flow::Skip,
                Rule::Comment => {
                    self.comment(node.start_byte(), node.end_byte());
                    Flow::Skip
                }
                Rule::Text => {
                    if !self.resumed && node.start_position().row != node.end_position().row {
                        self.texts.push((node.start_byte() as u32, node.end_byte() as u32));
                    }
                    Flow::Descend
                }
                Rule::Decision => {
                    self.decision();
                    Flow::Descend
                }
                Rule::Visit(visit) => visit(self, node),
            };
            if broken && !self.resumed && (node.is_error() || node.is_missing()) {
                self.report(node);
            }
            if let Some(opening) = self.opening.take()
                && self.closed.is_none()
            {
                if opening.0 != NONE {
                    self.opened.push((node.id(), opening.0));
                }
                self.push_scope(opening, depth);
                if !self.has_room() {
                    self.closed = Some(depth);
                }
            }
            if flow == Flow::Descend && cursor.goto_first_child() {
                self.ancestors.push(node);
                depth += 1;
                continue;
            }
            loop {
                self.closed = self.closed.filter(|closed| *closed != depth);
                if self.scopes.len() > 1 && self.scopes.last().is_some_and(|scope| scope.depth == depth) {
                    self.pop_scope();
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                self.ancestors.pop();
                depth -= 1;
            }
        }
    }

    /// The facts, after the walk.
    pub(crate) fn finish(mut self) -> FileFacts {
        self.facts.lines = lines::count(self.source, &self.comments, &self.texts);
        if !self.unsigned.is_empty() {
            self.comments.append(&mut self.unsigned);
            self.comments.sort_unstable();
        }
        let mut without_comments = String::new();
        for (at, (start, end)) in std::mem::take(&mut self.signatures).into_iter().enumerate() {
            let kind = self.facts.definitions[at].kind();
            let first = self
                .comments
                .partition_point(|(comment_start, _)| *comment_start < start);
            // In a language of comment only, such as prose, no line is a mere comment.
            let inside = self.comments[first..]
                .iter()
                .take_while(|(comment_start, _)| *comment_start < end)
                .filter(|(comment_start, comment_end)| *comment_start > start || *comment_end < end);
            without_comments.clear();
            let mut reached = start;
            for (comment_start, comment_end) in inside.copied() {
                without_comments.push_str(self.slice(reached as usize, comment_start as usize));
                reached = comment_end.max(reached);
            }
            let signature = if reached == start {
                self.fold(self.slice(start as usize, end as usize), kind)
            } else {
                without_comments.push_str(self.slice(reached as usize, end as usize));
                self.fold(&without_comments, kind)
            };
            self.facts.definitions[at].signature = signature;
        }
        self.bound_package();
        self.report_folded();
        self.facts
    }

    /// Cuts an overlong package name: it is part of every name in the file.
    fn bound_package(&mut self) {
        let package = self.facts.text.get(self.facts.package);
        if package.len() > MAX_PATH {
            let end = package.floor_char_boundary(MAX_PATH);
            self.facts.package.len = (end as u32).into();
            let message = self.facts.text.push(&format!(
                "the name of the package is longer than {MAX_PATH} bytes, and was cut"
            ));
            self.remark(message, 1, 1);
        }
    }

    /// Reports the number of definitions that are too deep.
    fn report_folded(&mut self) {
        if let Some(Folded { line, column, count }) = self.folded {
            let message = self.facts.text.push(&format!(
                "nested deeper than {MAX_SCOPES} scopes, or names too long: {count} definitions are not outlined"
            ));
            self.remark(message, line, column);
        }
    }

    /// Adds a diagnostic at its position in source order, above any limit of their number.
    fn remark(&mut self, message: Text, line: u32, column: u32) {
        let diagnostics = &mut self.facts.diagnostics;
        let at = diagnostics.partition_point(|other| (other.line.get(), other.column.get()) <= (line, column));
        diagnostics.insert(
            at,
            FactsDiagnostic {
                message,
                line: line.into(),
                column: column.into(),
            },
        );
    }

    /// The parent of the current node. (A lookup by the node itself would search the tree from its root.)
    pub(crate) fn parent(&self) -> Option<Node<'t>> {
        self.ancestors.last().copied()
    }

    /// The ancestors of the current node, the nearest first, up to a maximum.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = Node<'t>> {
        self.ancestors.iter().rev().take(MAX_AROUND).copied()
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        self.slice(node.start_byte(), node.end_byte())
    }

    /// A range of the source; empty if the range is invalid.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.source.get(start..end).unwrap_or("")
    }

    /// The innermost scope.
    pub(crate) fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("because the file's own scope is never popped")
    }

    /// The kind of the innermost enclosing definition.
    pub(crate) fn enclosing_kind(&self) -> SymbolKind {
        self.scopes.last().map_or(SymbolKind::Module, |scope| scope.kind)
    }

    /// Whether the node is inside a function.
    pub(crate) fn in_function(&self) -> bool {
        self.scopes.iter().any(|scope| scope.kind.is_callable())
    }

    /// Adds one to the complexity of the enclosing function.
    pub(crate) fn decision(&mut self) {
        self.decisions(1);
    }

    /// Adds `count` to the complexity of the enclosing function.
    pub(crate) fn decisions(&mut self, count: u32) {
        let scope = self.scopes.iter().rev().find(|scope| scope.definition != NONE);
        if let Some(definition) = scope.map(|scope| scope.definition) {
            self.add_ways(definition, count);
        }
    }

    /// Adds `count` to the complexity of a definition, if it is a function.
    pub(crate) fn add_ways(&mut self, definition: u32, count: u32) {
        if let Some(definition) = self.facts.definitions.get_mut(definition as usize)
            && definition.complexity.get() > 0
        {
            definition.complexity = (definition.complexity.get() + count).into();
        }
    }

    /// Records a definition. It encloses nothing until it is opened. A definition that is too deep becomes part of
    /// the enclosing one ([`NONE`]).
    pub(crate) fn define(&mut self, draft: Draft<'_>) -> u32 {
        if self.closed.is_some() || self.path_bytes > FREE_PATHS + PATHS_PER_BYTE * self.source.len() {
            self.fold_away(&draft);
            return NONE;
        }
        let id = self.facts.definitions.len() as u32;
        let (parent, owner) = self.place_in_scope(&draft);
        let mut flags = draft.flags;
        if self.in_function() && !draft.at_module {
            flags |= DefinitionFlags::LOCAL;
        }
        let name_node = match draft.name {
            Draftee::Node(node) | Draftee::Named(node, _) => node,
            Draftee::Anonymous(_) => draft.span,
        };
        // A name can be empty if the parser inserted it.
        let name = match draft.name {
            Draftee::Node(node) => Ok(self.text(node)),
            Draftee::Named(_, name) => Ok(name),
            Draftee::Anonymous(word) => Err(word),
        };
        let name = match name.and_then(|name| if name.is_empty() { Err("unnamed") } else { Ok(name) }) {
            Ok(name) => self.name_text(name),
            Err(word) => {
                flags |= DefinitionFlags::ANONYMOUS;
                let scope = self.scopes.iter_mut().rev().find(|scope| scope.definition != NONE);
                let scope = match scope {
                    Some(scope) => scope,
                    None => &mut self.scopes[0],
                };
                let count = &mut scope.anonymous[usize::from(draft.kind.is_type())];
                *count += 1;
                self.facts.text.push(&format!("<{word}{count}>"))
            }
        };
        let around = self.paths.get(parent as usize).copied().unwrap_or(0);
        let separators = self.language.separator.len() as u32 * (1 + u32::from(!owner.is_empty()));
        let path = around + owner.len() as u32 + name.len.get() + separators;
        self.path_bytes += path as usize;
        self.paths.push(path);
        let owner = self.facts.text.push(&owner);
        let (start, end) = draft.signature;
        self.signatures.push((start as u32, end as u32));
        let (doc, summary_len) = match &draft.doc {
            Some(doc) => self.doc_text(doc),
            None => (Text::default(), 0),
        };
        let first = self.facts.lists.len() as u32;
        for decorator in &draft.decorators {
            let text = self.fold(decorator, SymbolKind::Function);
            self.facts.lists.push(text);
        }
        let position = name_node.start_position();
        let place = Place {
            line: (position.row as u32 + 1).into(),
            column: self.column(position.row, name_node.start_byte()).into(),
            start_line: (draft.span.start_position().row as u32 + 1).into(),
            end_line: (self.last_row(draft.span) + 1).into(),
            start_byte: (draft.span.start_byte() as u32).into(),
            end_byte: (draft.span.end_byte() as u32).into(),
        };
        self.facts.definitions.push(Definition {
            name,
            owner,
            signature: Text::default(),
            doc,
            summary_len: summary_len.into(),
            parent: parent.into(),
            place,
            decorators: TextRange {
                start: first.into(),
                len: (draft.decorators.len() as u32).into(),
            },
            complexity: u32::from(draft.kind.is_callable()).into(),
            modifiers: draft.modifiers.0.into(),
            kind: draft.kind as u8,
            visibility: draft.visibility as u8,
            flags,
            padding: 0,
        });
        id
    }

    /// Counts a definition that is too deep.
    fn fold_away(&mut self, draft: &Draft<'_>) {
        let position = draft.span.start_position();
        let first = Folded {
            line: position.row as u32 + 1,
            column: self.column(position.row, draft.span.start_byte()),
            count: 0,
        };
        self.folded.get_or_insert(first).count += 1;
    }

    /// Records a definition as a member of another one, whatever encloses the current node.
    pub(crate) fn define_in(&mut self, parent: u32, draft: Draft<'_>) -> u32 {
        let kind = self
            .facts
            .definitions
            .get(parent as usize)
            .map_or(SymbolKind::Module, Definition::kind);
        self.push_scope((parent, kind, String::new(), 0), u32::MAX);
        let definition = self.define(draft);
        self.scopes.pop();
        definition
    }

    /// The definition that encloses a draft, and the names between them.
    fn place_in_scope(&self, draft: &Draft<'_>) -> (u32, String) {
        let mut owner = truncate_chars(draft.owner, MAX_NAME);
        if draft.at_module {
            return (NONE, owner);
        }
        for scope in self.scopes.iter().rev() {
            if !scope.owner.is_empty() {
                owner = if owner.is_empty() {
                    scope.owner.clone()
                } else {
                    format!("{}{}{owner}", scope.owner, self.language.separator)
                };
            }
            if scope.definition != NONE {
                return (scope.definition, owner);
            }
        }
        (NONE, owner)
    }

    /// Sets the end of a definition to a byte, without the white space before it, if the node ends elsewhere.
    pub(crate) fn end_at(&mut self, definition: u32, byte: usize) {
        let Some(start) = self
            .facts
            .definitions
            .get(definition as usize)
            .map(|definition| definition.place.start_byte.get() as usize)
        else {
            return;
        };
        let end = start + self.slice(start, byte).trim_end().len();
        let line = self.row_of(end.saturating_sub(1).max(start)) + 1;
        let place = &mut self.facts.definitions[definition as usize].place;
        place.end_byte = (end as u32).into();
        place.end_line = line.into();
    }

    /// Makes the current node the scope of a definition.
    pub(crate) fn open(&mut self, definition: u32) {
        let kind = self
            .facts
            .definitions
            .get(definition as usize)
            .map_or(SymbolKind::Module, Definition::kind);
        self.opening = Some((definition, kind, String::new(), 0));
    }

    /// Records the definition of a node without opening a scope.
    pub(crate) fn note_definition(&mut self, node: Node<'_>, definition: u32) {
        self.opened.push((node.id(), definition));
    }

    /// Makes the current node the scope of a definition, with a marker.
    pub(crate) fn open_marked(&mut self, definition: u32, mark: u32) {
        self.open(definition);
        if let Some(opening) = &mut self.opening {
            opening.3 = mark;
        }
    }

    /// Makes the current node the scope of a method with a name for its instance.
    pub(crate) fn open_method(&mut self, definition: u32, receiver: &str) {
        self.open(definition);
        self.opening_receiver = receiver.to_owned();
    }

    /// Makes the current node a scope that only adds a name.
    pub(crate) fn open_named(&mut self, owner: &str, kind: SymbolKind, mark: u32) {
        self.opening = Some((NONE, kind, owner.to_owned(), mark));
    }

    /// Announces that further clauses of a function can follow in the innermost scope, and the key that only they
    /// share.
    pub(crate) fn expect_clauses(&mut self, word: String, definition: u32, has_body: bool) {
        self.scope().clauses = Some(Clauses {
            word,
            definition,
            bodies: u32::from(has_body),
            anonymous: [0; 2],
        });
    }

    /// The function of which a node is a further clause. The function now ends at the end of the node. A second body
    /// adds one to the complexity.
    pub(crate) fn further_clause(&mut self, word: &str, clause: Node<'_>, has_body: bool) -> Option<u32> {
        let end_line = self.last_row(clause) + 1;
        let clauses = self.scope().clauses.as_mut().filter(|clauses| clauses.word == word)?;
        let is_way = has_body && clauses.bodies > 0;
        clauses.bodies += u32::from(has_body);
        let id = clauses.definition;
        let definition = self.facts.definitions.get_mut(id as usize)?;
        definition.place.end_line = end_line.into();
        definition.place.end_byte = (clause.end_byte() as u32).into();
        self.add_ways(id, u32::from(is_way));
        Some(id)
    }

    /// Marks the current clause as the last of its function.
    pub(crate) fn end_clauses(&mut self) {
        if let Some(clauses) = &mut self.scope().clauses {
            clauses.word.clear();
        }
    }

    /// Reserves the node `value` as the scope of a definition; the walker opens it when the cursor reaches it.
    pub(crate) fn claim(&mut self, value: Node<'_>, definition: u32) {
        self.claims.push((value.id(), definition));
    }

    /// Whether a definition claimed a node.
    pub(crate) fn is_claimed(&self, node: Node<'_>) -> bool {
        self.claims.iter().any(|(id, _)| *id == node.id())
    }

    /// The definition that claimed a node.
    pub(crate) fn claimed(&mut self, node: Node<'_>) -> Option<u32> {
        let at = self.claims.iter().position(|(id, _)| *id == node.id())?;
        Some(self.claims.swap_remove(at).1)
    }

    /// Reserves the node `value` as a scope that only adds a name.
    pub(crate) fn claim_name(&mut self, value: Node<'_>, owner: &str, kind: SymbolKind, mark: u32) {
        self.name_claims
            .push((value.id(), (NONE, kind, owner.to_owned(), mark)));
    }

    /// Opens the scope for which the current node was reserved.
    pub(crate) fn open_claimed_name(&mut self, node: Node<'_>) -> bool {
        let Some(at) = self.name_claims.iter().position(|(id, _)| *id == node.id()) else {
            return false;
        };
        self.opening = Some(self.name_claims.swap_remove(at).1);
        true
    }

    /// The comments directly before a byte, in source order: only white space between them and the byte, and no empty
    /// line before the byte or between two of them.
    pub(crate) fn comments_before(&self, byte: usize) -> &[ByteRange] {
        let last = self.comments.partition_point(|(_, end)| *end as usize <= byte);
        let mut reached = byte;
        let mut first = last;
        for (at, (start, end)) in self.comments[..last].iter().enumerate().rev() {
            let gap = self.slice(*end as usize, reached);
            if !is_blank(gap) || gap.bytes().filter(|byte| *byte == b'\n').count() > 1 {
                break;
            }
            first = at;
            reached = *start as usize;
        }
        &self.comments[first..last]
    }

    /// The documentation directly above a byte: comments at the beginning of their lines. One of them ends on the
    /// line above or, as a block, on this line.
    pub(crate) fn doc_above(&self, byte: usize, style: &DocStyle) -> Option<String> {
        let run = self.comments_before(byte);
        // A comment behind code on its line belongs to that code.
        let first = run
            .iter()
            .rposition(|(start, _)| !self.begins_line(*start as usize))
            .map_or(0, |at| at + 1);
        let comments: Vec<&str> = run[first..]
            .iter()
            .map(|(start, end)| self.slice(*start as usize, *end as usize))
            .collect();
        style.read(&comments)
    }

    /// Whether only white space is before a byte on its line.
    pub(crate) fn begins_line(&self, byte: usize) -> bool {
        let start = self.line_starts[self.row_of(byte) as usize] as usize;
        is_blank(self.slice(start, byte))
    }

    /// The comment before a byte with any amount of white space between them.
    pub(crate) fn last_comment_before(&self, byte: usize) -> Option<&'t str> {
        let last = self
            .comments
            .partition_point(|(_, end)| *end as usize <= byte)
            .checked_sub(1)?;
        let (start, end) = self.comments[last];
        is_blank(self.slice(end as usize, byte)).then(|| self.slice(start as usize, end as usize))
    }

    /// The attributes directly before a byte, and the position of the first of them (or of the byte itself).
    pub(crate) fn take_attributes(&mut self, byte: usize) -> (Vec<&'t str>, usize) {
        let waiting = std::mem::take(&mut self.attributes);
        let mut reached = byte;
        let mut first = waiting.len();
        for (at, (start, end)) in waiting.iter().enumerate().rev() {
            if *end as usize > reached || !self.only_comments_between(*end as usize, reached) {
                break;
            }
            first = at;
            reached = *start as usize;
        }
        (
            waiting[first..]
                .iter()
                .map(|(start, end)| self.slice(*start as usize, *end as usize))
                .collect(),
            reached,
        )
    }

    /// Whether only white space and comments are between two bytes.
    fn only_comments_between(&self, start: usize, end: usize) -> bool {
        let mut reached = start;
        let from = self
            .comments
            .partition_point(|(_, comment_end)| (*comment_end as usize) <= start);
        for (comment_start, comment_end) in &self.comments[from..] {
            if *comment_start as usize >= end {
                break;
            }
            if !self.slice(reached, *comment_start as usize).trim().is_empty() {
                return false;
            }
            reached = *comment_end as usize;
        }
        self.slice(reached, end.max(reached)).trim().is_empty()
    }

    /// Records what an import binds.
    pub(crate) fn import(&mut self, node: Node<'_>, module: &str, name: &str, local: &str, flags: u8) {
        let scope = self.enclosing_definition();
        let module = self.name_text(module);
        let name = self.name_text(name);
        let local = self.name_text(local);
        self.facts.imports.push(Import {
            module,
            name,
            local,
            handed_on: Text::default(),
            line: (node.start_position().row as u32 + 1).into(),
            scope: scope.into(),
            flags,
            padding: [0; 3],
        });
        if flags & ImportFlags::MODULE == 0 {
            self.facts.is_module = true;
        }
    }

    /// Records a re-export of a module's name, under the same name or another, without a binding in this file.
    pub(crate) fn hand_on(&mut self, node: Node<'_>, module: &str, name: &str, seen: &str) {
        self.import(node, module, name, "", ImportFlags::REEXPORT);
        let seen = self.name_text(seen);
        if let Some(import) = self.facts.imports.last_mut() {
            import.handed_on = seen;
        }
    }

    /// Records the use of a name or a path of names. The user is the last definition if it contains the node (a field
    /// contains its type), otherwise the enclosing definition.
    pub(crate) fn note_use(&mut self, node: Node<'_>, path: &str, kind: u8) {
        let holds = |definition: &Definition| {
            definition.place.start_byte.get() as usize <= node.start_byte()
                && node.end_byte() <= definition.place.end_byte.get() as usize
        };
        let last = self.facts.definitions.len().wrapping_sub(1);
        let scope = match self.facts.definitions.get(last) {
            Some(definition) if holds(definition) => last as u32,
            _ => self.enclosing_definition(),
        };
        self.note_use_in(scope, node, path, kind);
    }

    /// Records that a definition uses a name, or a path of names.
    pub(crate) fn note_use_in(&mut self, scope: u32, node: Node<'_>, path: &str, kind: u8) {
        if path.is_empty() || path.len() > MAX_NAME {
            return;
        }
        let text = match self.used.get(path) {
            Some(text) => *text,
            None => {
                let text = self.facts.text.push(path);
                self.used.insert(path.to_owned(), text);
                text
            }
        };
        self.facts.uses.push(Use {
            path: text,
            scope: scope.into(),
            line: (node.start_position().row as u32 + 1).into(),
            kind,
        });
    }

    /// The innermost definition around the node, or [`NONE`].
    pub(crate) fn enclosing_definition(&self) -> u32 {
        self.scopes
            .iter()
            .rev()
            .find(|scope| scope.definition != NONE)
            .map_or(NONE, |scope| scope.definition)
    }

    /// Records the export of a name, under the same name or another.
    pub(crate) fn export(&mut self, node: Node<'_>, local: &str, name: &str) {
        let local = self.name_text(local);
        let name = self.name_text(name);
        self.facts.exports.push(Export {
            local,
            name,
            line: (node.start_position().row as u32 + 1).into(),
        });
        self.facts.is_module = true;
    }

    /// Sets the module's own documentation, once.
    pub(crate) fn module_doc(&mut self, doc: &str) {
        if self.facts.module_doc.is_empty() && !doc.is_empty() {
            let (text, len) = self.doc_text(doc);
            self.facts.module_doc = text;
            self.facts.module_summary_len = len;
        }
    }

    /// Stores a comment.
    pub(crate) fn comment(&mut self, start: usize, end: usize) {
        // A part that is walked twice has known comments.
        if self.resumed {
            return;
        }
        let comment = (start as u32, end as u32);
        // A language can store comments ahead of the walk.
        match self.comments.last() {
            Some(last) if last.0 > comment.0 => {
                let at = self.comments.partition_point(|other| other.0 <= comment.0);
                self.comments.insert(at, comment);
            }
            _ => self.comments.push(comment),
        }
    }

    /// Excludes a part of a declaration, such as its doc string, from the signature.
    pub(crate) fn leave_unsigned(&mut self, start: usize, end: usize) {
        self.unsigned.push((start as u32, end as u32));
    }

    /// The 0-based row of a byte.
    pub(crate) fn row_of(&self, byte: usize) -> u32 {
        self.line_starts
            .partition_point(|start| *start as usize <= byte)
            .saturating_sub(1) as u32
    }

    fn name_text(&mut self, name: &str) -> Text {
        if name.len() > MAX_NAME {
            self.facts.text.push(&truncate_chars(name, MAX_NAME))
        } else {
            self.facts.text.push(name)
        }
    }

    fn doc_text(&mut self, doc: &str) -> (Text, u32) {
        let mut end = doc.len().min(MAX_DOC);
        while !doc.is_char_boundary(end) {
            end -= 1;
        }
        let doc = &doc[..end];
        (self.facts.text.push(doc), summary_len(doc))
    }

    /// A declaration on one line, without the tokens that introduce the body.
    fn fold(&mut self, source: &str, kind: SymbolKind) -> Text {
        let most = match kind {
            SymbolKind::Constant | SymbolKind::Static | SymbolKind::Field | SymbolKind::EnumMember => {
                MAX_VALUE_SIGNATURE
            }
            _ => MAX_SIGNATURE,
        };
        // A value can have megabytes: only the visible part is folded.
        let mut folded = String::new();
        let mut characters = 0;
        let mut rest = source.trim_start();
        while !rest.is_empty() && characters <= most * 4 {
            // The same holds for a single word.
            let mut letters = rest.char_indices().take(most * 4 + 1);
            let end = letters.find(|(at, letter)| letter.is_whitespace() || *at >= most * 4);
            let end = end.map_or(rest.len(), |(at, _)| at);
            let (word, after) = rest.split_at(end);
            folded.push_str(word);
            characters += 1 + word.len().min(most);
            rest = after.trim_start();
            let broken = after[..after.len() - rest.len()].contains('\n');
            let tight = broken && (folded.ends_with(['(', '[']) || rest.starts_with([')', ']']));
            if !tight && !rest.is_empty() {
                folded.push(' ');
            }
        }
        let trimmed = folded.trim_end_matches([' ', '{', ':', ';']);
        let trimmed = trimmed.strip_suffix("=>").unwrap_or(trimmed).trim_end();
        self.facts.text.push(&truncate_chars(trimmed, most))
    }

    /// The 1-based column in characters.
    fn column(&self, row: usize, byte: usize) -> u32 {
        let start = self.line_starts.get(row).map_or(0, |start| *start as usize);
        self.slice(start, byte).chars().count() as u32 + 1
    }

    /// The 0-based row of the last character. For a node that ends in a newline it is the row before.
    fn last_row(&self, node: Node<'_>) -> u32 {
        let end = node.end_position();
        if end.column == 0 && end.row > node.start_position().row {
            end.row as u32 - 1
        } else {
            end.row as u32
        }
    }

    fn report(&mut self, node: Node<'_>) {
        if self.facts.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let position = node.start_position();
        let message = if node.is_missing() {
            format!("syntax error: `{}` is missing", node.kind())
        } else {
            let near = self.text(node);
            let near = near.split_whitespace().next().unwrap_or("");
            if near.is_empty() {
                "syntax error".to_owned()
            } else {
                format!("syntax error near `{}`", truncate_chars(near, 40))
            }
        };
        let message = self.facts.text.push(&message);
        let column = self.column(position.row, node.start_byte());
        self.facts.diagnostics.push(FactsDiagnostic {
            message,
            line: (position.row as u32 + 1).into(),
            column: column.into(),
        });
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}
