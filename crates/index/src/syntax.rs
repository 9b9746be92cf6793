//! A syntax tree as rows in source order, for everything after the parser.
//!
//! The parser's own tree is slow to query: each lookup of a child or a field passes through hidden nodes, and the
//! name of a kind is a C string. Lore copies each tree once, in one pass of the parser's cursor. Then the children of
//! a node are the rows after it, and kinds and fields are names known in advance. The methods have the names of the
//! parser's interface.

use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Language as Grammar, Point};

/// The number of the error kind.
const ERROR: u16 = u16::MAX;
const NO_ROW: u32 = u32::MAX;

const EXTRA: u8 = 1;
const MISSING: u8 = 2;
const HAS_ERROR: u8 = 4;
/// Some child is in a field.
const HAS_FIELDS: u8 = 8;
/// The maximum number of children of an error that a field lookup visits. Each child can look up fields of its
/// parent, so without the bound the time would grow with the square of the error's size.
const MAX_IN_ERROR: usize = 1_000;

/// The names of a grammar's kinds and fields, by number.
pub(crate) struct Names {
    kinds: Vec<(Box<str>, bool)>,
    fields: Vec<Box<str>>,
}

impl Names {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let kinds = (0..grammar.node_kind_count() as u16)
            .map(|kind| {
                let name = grammar.node_kind_for_id(kind).unwrap_or("");
                (name.into(), grammar.node_kind_is_named(kind))
            })
            .collect();
        // Fields are numbered from one.
        let fields = (0..=grammar.field_count() as u16)
            .map(|field| grammar.field_name_for_id(field).unwrap_or("").into())
            .collect();
        Self { kinds, fields }
    }
}

/// One node. Its descendants are the next rows, up to `end`.
struct Row {
    start: u32,
    stop: u32,
    line: u32,
    parent: u32,
    end: u32,
    kind: u16,
    field: u16,
    flags: u8,
}

/// The starts of the lines of a source.
pub(crate) fn line_starts(source: &str) -> Rc<[u32]> {
    let breaks = memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32 + 1);
    std::iter::once(0).chain(breaks).collect()
}

pub(crate) struct Tree {
    rows: Vec<Row>,
    names: &'static Names,
    line_starts: Rc<[u32]>,
    /// The first number of its nodes: the numbers of a file's trees are consecutive.
    first_id: usize,
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    at: u32,
}

/// A cursor in a tree.
pub(crate) struct Cursor<'t> {
    root: u32,
    node: Node<'t>,
}

impl Tree {
    /// The ranges of comments and of the parts of texts, in source order.
    pub(crate) fn text_leaves(&self) -> impl Iterator<Item = (usize, usize)> {
        let leaves = self
            .rows
            .iter()
            .enumerate()
            .filter(|(at, row)| row.end as usize == at + 1);
        let is_text = |row: &Row| {
            let Some((kind, is_named)) = self.names.kinds.get(row.kind as usize) else {
                return false;
            };
            // A text of one piece is a leaf, and the quotation marks of others are leaves without a name.
            *is_named
                && ["comment", "string", "text", "heredoc", "fragment"]
                    .iter()
                    .any(|word| kind.contains(word))
        };
        leaves
            .filter(move |(_, row)| is_text(row))
            .map(|(_, row)| (row.start as usize, row.stop as usize))
    }

    /// Copies a tree of the parser.
    pub(crate) fn of(tree: &tree_sitter::Tree, names: &'static Names, line_starts: Rc<[u32]>, first_id: usize) -> Self {
        let root = tree.root_node();
        let broken = root.has_error();
        let mut rows: Vec<Row> = Vec::with_capacity(root.descendant_count());
        let mut cursor = tree.walk();
        let mut parent = NO_ROW;
        'tree: loop {
            let node = cursor.node();
            let at = rows.len() as u32;
            let mut flags = u8::from(node.is_extra()) * EXTRA;
            if broken {
                flags |= u8::from(node.is_missing()) * MISSING;
                flags |= u8::from(node.has_error()) * HAS_ERROR;
            }
            let field = cursor.field_id().map_or(0, u16::from);
            if field != 0
                && let Some(around) = rows.get_mut(parent as usize)
            {
                around.flags |= HAS_FIELDS;
            }
            rows.push(Row {
                start: node.start_byte() as u32,
                stop: node.end_byte() as u32,
                line: node.start_position().row as u32,
                parent,
                end: at + 1,
                kind: node.kind_id(),
                field,
                flags,
            });
            if node.child_count() > 0 && cursor.goto_first_child() {
                parent = at;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if parent == NO_ROW || !cursor.goto_parent() {
                    break 'tree;
                }
                let end = rows.len() as u32;
                let row = &mut rows[parent as usize];
                row.end = end;
                parent = row.parent;
            }
        }
        Self {
            rows,
            names,
            line_starts,
            first_id,
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn root_node(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    fn point(&self, byte: u32) -> Point {
        let row = self
            .line_starts
            .partition_point(|start| *start <= byte)
            .saturating_sub(1);
        Point {
            row,
            column: (byte - self.line_starts[row]) as usize,
        }
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && std::ptr::eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Range { start, end } = self.byte_range();
        write!(formatter, "{} {start}..{end}", self.kind())
    }
}

impl<'t> Node<'t> {
    fn row(self) -> &'t Row {
        &self.tree.rows[self.at as usize]
    }

    fn at(self, at: u32) -> Self {
        Self { at, ..self }
    }

    /// A number that is unique in the file.
    pub(crate) fn id(self) -> usize {
        self.tree.first_id + self.at as usize
    }

    pub(crate) fn kind_id(self) -> u16 {
        self.row().kind
    }

    pub(crate) fn kind(self) -> &'static str {
        match self.row().kind {
            ERROR => "ERROR",
            kind => self.tree.names.kinds.get(kind as usize).map_or("", |(name, _)| name),
        }
    }

    pub(crate) fn is_named(self) -> bool {
        match self.row().kind {
            ERROR => true,
            kind => self
                .tree
                .names
                .kinds
                .get(kind as usize)
                .is_some_and(|(_, named)| *named),
        }
    }

    pub(crate) fn is_error(self) -> bool {
        self.row().kind == ERROR
    }

    pub(crate) fn is_extra(self) -> bool {
        self.row().flags & EXTRA != 0
    }

    pub(crate) fn is_missing(self) -> bool {
        self.row().flags & MISSING != 0
    }

    pub(crate) fn has_error(self) -> bool {
        self.row().flags & HAS_ERROR != 0
    }

    pub(crate) fn start_byte(self) -> usize {
        self.row().start as usize
    }

    pub(crate) fn end_byte(self) -> usize {
        self.row().stop as usize
    }

    pub(crate) fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// The 0-based line of its beginning.
    pub(crate) fn start_row(self) -> usize {
        self.row().line as usize
    }

    pub(crate) fn start_position(self) -> Point {
        let row = self.start_row();
        let start = self.tree.line_starts.get(row).copied().unwrap_or(0);
        Point {
            row,
            column: self.start_byte().saturating_sub(start as usize),
        }
    }

    pub(crate) fn end_position(self) -> Point {
        self.tree.point(self.row().stop)
    }

    pub(crate) fn range(self) -> tree_sitter::Range {
        tree_sitter::Range {
            start_byte: self.start_byte(),
            end_byte: self.end_byte(),
            start_point: self.start_position(),
            end_point: self.end_position(),
        }
    }

    pub(crate) fn parent(self) -> Option<Self> {
        match self.row().parent {
            NO_ROW => None,
            parent => Some(self.at(parent)),
        }
    }

    pub(crate) fn children(self) -> Children<'t> {
        Children {
            next: self.at(self.at + 1),
            end: self.row().end,
        }
    }

    pub(crate) fn named_children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(|child| child.is_named())
    }

    pub(crate) fn child_count(self) -> u32 {
        self.children().count() as u32
    }

    pub(crate) fn named_child_count(self) -> usize {
        self.children().filter(|child| child.is_named()).count()
    }

    pub(crate) fn child(self, at: u32) -> Option<Self> {
        self.children().nth(at as usize)
    }

    pub(crate) fn named_child(self, at: u32) -> Option<Self> {
        self.children().filter(|child| child.is_named()).nth(at as usize)
    }

    /// The children in a field.
    pub(crate) fn children_by_field_name(self, field: &str) -> impl Iterator<Item = Self> + use<'t> {
        let number = self.field_number(field);
        self.children_in_fields()
            .filter(move |child| number.is_some_and(|number| child.row().field == number))
    }

    pub(crate) fn child_by_field_name(self, field: &str) -> Option<Self> {
        let fields = &self.tree.names.fields;
        self.children_in_fields().find(|child| match child.row().field {
            0 => false,
            number => *fields[number as usize] == *field,
        })
    }

    /// The child in the field with a number.
    pub(crate) fn child_by_field_id(self, field: u16) -> Option<Self> {
        self.children_in_fields().find(|child| child.row().field == field)
    }

    /// The children that can be in a field: none if no child is in a field; of an error only the first ones, because
    /// it can have all skipped nodes as children.
    fn children_in_fields(self) -> std::iter::Take<Children<'t>> {
        let most = match (self.row().flags & HAS_FIELDS, self.row().kind) {
            (0, _) => 0,
            (_, ERROR) => MAX_IN_ERROR,
            _ => usize::MAX,
        };
        self.children().take(most)
    }

    fn field_number(self, field: &str) -> Option<u16> {
        let fields = &self.tree.names.fields;
        fields
            .iter()
            .position(|name| **name == *field)
            .map(|number| number as u16)
    }

    pub(crate) fn next_sibling(self) -> Option<Self> {
        let end = self.row().end;
        let parent = self.parent()?;
        (end < parent.row().end).then(|| self.at(end))
    }

    pub(crate) fn next_named_sibling(self) -> Option<Self> {
        let mut next = self.next_sibling();
        while let Some(sibling) = next.filter(|sibling| !sibling.is_named()) {
            next = sibling.next_sibling();
        }
        next
    }

    pub(crate) fn prev_sibling(self) -> Option<Self> {
        let parent = self.parent()?;
        // Rows are in source order: the row before is the last one inside the previous sibling, or the parent.
        let mut before = self.at(self.at.checked_sub(1)?);
        if before.at == parent.at {
            return None;
        }
        loop {
            let around = before.parent()?;
            if around.at == parent.at {
                return Some(before);
            }
            before = around;
        }
    }

    pub(crate) fn prev_named_sibling(self) -> Option<Self> {
        let mut before = self.prev_sibling();
        while let Some(sibling) = before.filter(|sibling| !sibling.is_named()) {
            before = sibling.prev_sibling();
        }
        before
    }

    /// The smallest node that contains a range.
    pub(crate) fn descendant_for_byte_range(self, start: usize, end: usize) -> Option<Self> {
        let holds = |node: &Self| node.start_byte() <= start && end <= node.end_byte();
        let mut found = Some(self).filter(holds)?;
        while let Some(inner) = found.children().find(|child| holds(child) && child.end_byte() > start) {
            found = inner;
        }
        Some(found)
    }

    pub(crate) fn walk(self) -> Cursor<'t> {
        Cursor {
            root: self.at,
            node: self,
        }
    }
}

/// The children of a node.
#[derive(Clone)]
pub(crate) struct Children<'t> {
    next: Node<'t>,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.next.at >= self.end {
            return None;
        }
        let child = self.next;
        self.next = child.at(child.row().end);
        Some(child)
    }
}

impl<'t> Cursor<'t> {
    pub(crate) fn node(&self) -> Node<'t> {
        self.node
    }

    pub(crate) fn field_name(&self) -> Option<&'static str> {
        match self.node.row().field {
            0 => None,
            field => Some(&self.node.tree.names.fields[field as usize]),
        }
    }

    pub(crate) fn goto_first_child(&mut self) -> bool {
        let has_child = self.node.row().end > self.node.at + 1;
        if has_child {
            self.node.at += 1;
        }
        has_child
    }

    pub(crate) fn goto_next_sibling(&mut self) -> bool {
        if self.node.at == self.root {
            return false;
        }
        match self.node.next_sibling() {
            Some(next) => {
                self.node = next;
                true
            }
            None => false,
        }
    }

    pub(crate) fn goto_parent(&mut self) -> bool {
        if self.node.at == self.root {
            return false;
        }
        match self.node.parent() {
            Some(parent) => {
                self.node = parent;
                true
            }
            None => false,
        }
    }
}
