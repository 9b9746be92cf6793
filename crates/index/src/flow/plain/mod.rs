//! Table-driven lowering that many languages share.
//!
//! A language describes its node kinds in a table ([`Plain`]) and adds functions for what a table cannot express. Names
//! are looked up in blocks, then in the enclosing classes, then in spaces, which all files of a program fill together.

mod classes;
mod expressions;
mod functions;
mod names;
pub(crate) mod outline;
mod overloads;
mod shapes;
mod statements;
mod types;

use foldhash::{HashMap, HashSet};

use lore_model::{ArgumentKind, NONE};

use crate::flow::{FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

pub(crate) use functions::FunctionParts;
pub(crate) use overloads::converts;
pub(crate) use shapes::{Act, Form, Grammar, Part, Plain, Shape};

/// Solver rules that table-driven languages start from.
pub(crate) const PLAIN_RULES: FlowRules = FlowRules {
    constructors: &[FIELDS, CONSTRUCTOR],
    generator: "__Generator",
    promise: "__Promise",
    rest: ("List", "Map"),
    map: "Map",
    alias: Some(types::ALIAS),
    ..FlowRules::BASE
};

/// Internal name of the receiver in all languages.
pub(crate) const THIS: &str = "this";
/// Internal name of the constructor member.
pub(crate) const CONSTRUCTOR: &str = ":new";
/// Internal name of the member that initializes the fields of an instance.
pub(crate) const FIELDS: &str = "<fields>";

/// A class that encloses the code that is being lowered.
pub(crate) struct ClassScope<'t> {
    pub(crate) row: u32,
    pub(crate) definition: u32,
    /// The number of its body among the open bodies.
    pub(crate) body: usize,
    /// The members that it declares in this file.
    pub(crate) names: HashSet<&'t str>,
    /// Names that several of its functions have.
    pub(crate) repeated: HashSet<&'t str>,
    /// Whether it can have members that this file does not declare: it has bases or other parts.
    pub(crate) open: bool,
    pub(crate) has_bases: bool,
    pub(crate) name: &'t str,
    /// Fields of instances that still need an initializer.
    pub(crate) fields: Vec<Field<'t>>,
    pub(crate) has_constructor: bool,
}

/// A field of the instances of a class.
#[derive(Clone, Copy)]
pub(crate) struct Field<'t> {
    pub(crate) name: &'t str,
    pub(crate) kind: Option<Node<'t>>,
    pub(crate) value: Option<Node<'t>>,
    /// Code that runs at instance creation, instead of a field.
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

/// The state of lowering one file.
pub(crate) struct Lower<'t, 'b, 'f> {
    pub(crate) builder: &'b mut FlowBuilder<'t, 'f>,
    pub(crate) plain: &'static Plain,
    grammar: &'static shapes::Grammar,
    /// The current space.
    pub(crate) space: String,
    /// The spaces for lookups of names that are neither variables nor members, as a list of the builder.
    pub(crate) spaces: (u32, u32),
    /// Spaces whose names are visible without qualification (wildcard imports).
    pub(crate) wildcards: Vec<String>,
    /// Classes whose members are visible without qualification (static imports), as space and name.
    pub(crate) member_imports: Vec<(String, String)>,
    /// Names that imports bind, with the space and the name in it.
    pub(crate) imports: HashMap<&'t str, (String, String)>,
    pub(crate) classes: Vec<ClassScope<'t>>,
    /// Type parameters in scope, with their bounds.
    pub(crate) type_parameters: Vec<(&'t str, Option<Node<'t>>)>,
    /// Cache of name lookups, by body, name and whether a type is meant.
    found: HashMap<(usize, &'t str, bool), Slot>,
    /// The definitions of the enclosing functions and classes.
    pub(crate) definitions: Vec<u32>,
    /// The receivers of open access chains that can stop early (optional chaining), and subjects of patterns.
    pub(crate) subjects: Vec<Slot>,
    /// The declared result types of the enclosing functions.
    pub(crate) results: Vec<Option<Node<'t>>>,
    /// By enclosing function: the declared types of its variables.
    pub(crate) variable_types: Vec<HashMap<&'t str, &'t str>>,
    /// The names of the enclosing methods.
    pub(crate) method_names: Vec<&'t str>,
    /// How many enclosing scopes make their members static.
    pub(crate) statics: u32,
    /// How many enclosing scopes are private to the file.
    pub(crate) own_depth: u32,
    /// Names of the spaces that the file opens.
    pub(crate) opened_spaces: HashSet<String>,
    /// Classes that are defined inside a type: by node, where each was made last.
    pub(crate) made: HashMap<usize, MadeClass>,
    /// By space: the list of spaces for lookups in it.
    pub(crate) whole_spaces: HashMap<String, (u32, u32)>,
}

/// Lowers a syntax tree with the table of its language.
pub(crate) fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>, plain: &'static Plain) {
    let mut lower = Lower {
        builder,
        plain,
        grammar: plain.grammar(),
        space: String::new(),
        spaces: (0, 0),
        wildcards: Vec::new(),
        member_imports: Vec::new(),
        imports: HashMap::default(),
        classes: Vec::new(),
        type_parameters: Vec::new(),
        found: HashMap::default(),
        definitions: vec![NONE],
        subjects: Vec::new(),
        results: Vec::new(),
        variable_types: vec![HashMap::default()],
        method_names: Vec::new(),
        statics: 0,
        own_depth: 0,
        opened_spaces: HashSet::default(),
        made: HashMap::default(),
        whole_spaces: HashMap::default(),
    };
    (plain.prepare)(&mut lower, root);
    lower.open_space();
    lower.note_writes(root);
    lower.top(root);
}

/// The line of a node, counted from 1.
pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// The named children of a node, without comments.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children().filter(|child| !child.is_extra()).collect()
}

/// Whether a declaration has one of these modifiers.
pub(crate) fn has_word(source: &str, node: Node<'_>, words: &[&str]) -> bool {
    for child in node.children() {
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

    /// Whether the code is at the top level: in neither a function nor a class.
    pub(crate) fn is_top(&self) -> bool {
        self.builder.open_bodies() == 1
    }

    /// Whether the code is directly in a class body.
    pub(crate) fn is_in_class(&self) -> bool {
        self.classes
            .last()
            .is_some_and(|class| class.body + 1 == self.builder.open_bodies())
    }

    /// Sets the spaces for name lookups from here on: private names of the file, the current space and its enclosing
    /// spaces, and the wildcard imports.
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
        // If two imported spaces have the name, the first one counts. Nothing in the file decides between them.
        list.extend(self.wildcards.iter().map(|space| (ArgumentKind::SPACE, space.as_str())));
        list.push((ArgumentKind::SPACE, ""));
        let spaces = self.builder.spaces(&list);
        self.whole_spaces.insert(self.space.clone(), spaces);
        self.spaces = spaces;
    }

    /// Lowers the children of a node at the top level or in a namespace.
    pub(crate) fn top(&mut self, node: Node<'t>) {
        for child in children(node) {
            self.run(child);
        }
    }

    /// A qualified name in the form that spaces use: with dots, without type arguments.
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
