//! One lowering for many languages: a tree is walked by a table of its kinds of nodes ([`Plain`]), with a few functions for what a table cannot
//! say. Names are looked for in blocks, in the classes around, and then in spaces, which all files of a program fill together.

mod classes;
mod expressions;
mod functions;
mod names;
pub(crate) mod outline;
mod overloads;
mod shapes;
mod statements;
mod types;

use std::collections::{HashMap, HashSet};

use lore_model::{ArgumentKind, NONE};

use crate::flow::{FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

pub(crate) use functions::FunctionParts;
pub(crate) use overloads::converts;
pub(crate) use shapes::{Act, Form, Grammar, Part, Plain, Shape};

/// Rules of languages that are lowered by a table.
pub(crate) const PLAIN_RULES: FlowRules = FlowRules {
    constructors: &[FIELDS, CONSTRUCTOR],
    generator: "__Generator",
    promise: "__Promise",
    rest: ("List", "Map"),
    map: "Map",
    alias: Some(types::ALIAS),
    ..FlowRules::BASE
};

/// The receiver, whatever a language calls it.
pub(crate) const THIS: &str = "this";
/// The member that makes an instance complete.
pub(crate) const CONSTRUCTOR: &str = ":new";
/// The member that gives the fields of an instance their first values.
pub(crate) const FIELDS: &str = "<fields>";

/// A class around what is lowered.
pub(crate) struct ClassScope<'t> {
    pub(crate) row: u32,
    pub(crate) definition: u32,
    /// The number of its body among those that are open.
    pub(crate) body: usize,
    /// What it declares in this file.
    pub(crate) names: HashSet<&'t str>,
    /// Names that several of its functions have.
    pub(crate) repeated: HashSet<&'t str>,
    /// Whether it may have what this file does not say: it has bases, or other parts.
    pub(crate) open: bool,
    pub(crate) has_bases: bool,
    pub(crate) name: &'t str,
    /// Fields that instances have, to be filled when one is made.
    pub(crate) fields: Vec<Field<'t>>,
    pub(crate) has_constructor: bool,
}

/// A field of the instances of a class.
#[derive(Clone, Copy)]
pub(crate) struct Field<'t> {
    pub(crate) name: &'t str,
    pub(crate) kind: Option<Node<'t>>,
    pub(crate) value: Option<Node<'t>>,
    /// What runs as it stands, rather than a field.
    pub(crate) run: Option<Node<'t>>,
    pub(crate) line: u32,
}

/// A class that a type defines, as it was made last.
pub(crate) struct MadeClass {
    /// The body that it was made in.
    pub(crate) body: usize,
    pub(crate) slot: Slot,
    /// How many bodies have made it.
    pub(crate) times: u32,
}

/// A file that is being lowered.
pub(crate) struct Lower<'t, 'b, 'f> {
    pub(crate) builder: &'b mut FlowBuilder<'t, 'f>,
    pub(crate) plain: &'static Plain,
    grammar: &'static shapes::Grammar,
    /// The space that is open.
    pub(crate) space: String,
    /// Where names are looked for that are neither variables nor members, as a list of the builder's.
    pub(crate) spaces: (u32, u32),
    /// Spaces whose names are names here.
    pub(crate) wildcards: Vec<String>,
    /// Classes whose members are names here.
    pub(crate) member_imports: Vec<(String, String)>,
    /// Names that imports bind: the space and the name there.
    pub(crate) imports: HashMap<&'t str, (String, String)>,
    pub(crate) classes: Vec<ClassScope<'t>>,
    /// Names of types that stand for whatever they are bound by.
    pub(crate) type_parameters: Vec<(&'t str, Option<Node<'t>>)>,
    /// What names mean, by body: each is looked for once.
    found: HashMap<(usize, &'t str, bool), Slot>,
    /// The definitions of the functions around.
    pub(crate) definitions: Vec<u32>,
    /// What a chain that may stop in between asks for members.
    pub(crate) subjects: Vec<Slot>,
    /// The types of what the functions around give back.
    pub(crate) results: Vec<Option<Node<'t>>>,
    /// By function around: what its variables are declared to be.
    pub(crate) variable_types: Vec<HashMap<&'t str, &'t str>>,
    /// The names of the methods around.
    pub(crate) method_names: Vec<&'t str>,
    /// How many scopes around make what is in them belong to the class.
    pub(crate) statics: u32,
    /// How many scopes around keep what is in them to the file.
    pub(crate) own_depth: u32,
    /// Names of spaces that the file opens.
    pub(crate) opened_spaces: HashSet<String>,
    /// Classes that are defined inside a type: by node, where each was made last.
    pub(crate) made: HashMap<usize, MadeClass>,
    /// By space: where names are looked for in it.
    pub(crate) whole_spaces: HashMap<String, (u32, u32)>,
}

/// Lowers a tree by the table of its language.
pub(crate) fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>, plain: &'static Plain) {
    let mut lower = Lower {
        builder,
        plain,
        grammar: plain.grammar(),
        space: String::new(),
        spaces: (0, 0),
        wildcards: Vec::new(),
        member_imports: Vec::new(),
        imports: HashMap::new(),
        classes: Vec::new(),
        type_parameters: Vec::new(),
        found: HashMap::new(),
        definitions: vec![NONE],
        subjects: Vec::new(),
        results: Vec::new(),
        variable_types: vec![HashMap::new()],
        method_names: Vec::new(),
        statics: 0,
        own_depth: 0,
        opened_spaces: HashSet::new(),
        made: HashMap::new(),
        whole_spaces: HashMap::new(),
    };
    (plain.prepare)(&mut lower, root);
    lower.open_space();
    lower.note_writes(root);
    lower.top(root);
}

/// The line of a node.
pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// The children of a node that have a name, without comments.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .collect()
}

/// Whether one of the words before a declaration's own is one of these.
pub(crate) fn has_word(source: &str, node: Node<'_>, words: &[&str]) -> bool {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        let range = child.byte_range();
        let is_short = range.len() <= 200;
        if !child.is_named() || child.kind().contains("modifier") || child.kind().contains("specifier") {
            if is_short
                && let Some(text) = source.get(range)
                && text
                    .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                    .any(|word| words.contains(&word))
            {
                return true;
            }
            continue;
        }
        if matches!(child.kind(), "attribute_list" | "annotation" | "comment" | "attribute") || child.is_extra() {
            continue;
        }
        return false;
    }
    false
}

impl<'t> Lower<'t, '_, '_> {
    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        self.builder.text(node)
    }

    pub(crate) fn form(&self, node: Node<'_>) -> &'static Form {
        self.grammar.form(node.kind_id())
    }

    pub(crate) fn has_word(&self, node: Node<'_>, words: &[&str]) -> bool {
        has_word(self.builder.source, node, words)
    }

    /// Whether what is lowered stands neither in a function nor in a class.
    pub(crate) fn is_top(&self) -> bool {
        self.builder.open_bodies() == 1
    }

    /// Whether what is lowered stands in the body of a class.
    pub(crate) fn is_in_class(&self) -> bool {
        self.classes
            .last()
            .is_some_and(|class| class.body + 1 == self.builder.open_bodies())
    }

    /// Says in which spaces names are looked for from here on: what the file keeps to itself, the space that is open and those around it, and the
    /// spaces that are imported.
    pub(crate) fn open_space(&mut self) {
        if let Some(spaces) = self.whole_spaces.get(&self.space) {
            self.spaces = *spaces;
            return;
        }
        let mut list: Vec<(u8, &str)> = vec![(ArgumentKind::OWN, "")];
        let mut around = self.space.as_str();
        while !around.is_empty() {
            list.push((ArgumentKind::SPACE, around));
            around = around.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        // A name that two imported spaces have is in neither of them for sure; the first is as good as the other.
        list.extend(self.wildcards.iter().map(|space| (ArgumentKind::SPACE, space.as_str())));
        list.push((ArgumentKind::SPACE, ""));
        let spaces = self.builder.spaces(&list);
        self.whole_spaces.insert(self.space.clone(), spaces);
        self.spaces = spaces;
    }

    /// Everything of a part of the file that is open to all.
    pub(crate) fn top(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.run(child);
        }
    }

    /// A path of names as the spaces have it: with dots.
    pub(crate) fn path_of(&self, text: &str) -> String {
        let compact: String = text.split_whitespace().collect();
        let plain = compact.split(['<', '(', '[']).next().unwrap_or("");
        match self.plain.separator {
            "." => plain.trim_matches('.').to_owned(),
            separator => plain
                .split(separator)
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("."),
        }
    }
}
