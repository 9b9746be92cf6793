//! What names mean at a place: local variables and the members of the classes around, the innermost first.

use foldhash::{HashMap, HashSet};

use crate::flow::Slot;
use crate::syntax::Node;

use super::{Lowering, children};

/// How deep classes may nest and still see each other.
const MAX_DEPTH: usize = 12;

/// By depth of the class: the variable that holds the receiver.
const THIS: [&str; MAX_DEPTH] = [
    "this#0", "this#1", "this#2", "this#3", "this#4", "this#5", "this#6", "this#7", "this#8", "this#9", "this#10",
    "this#11",
];
/// By depth of the class: the variable that holds the class.
const CLASS: [&str; MAX_DEPTH] = [
    "class#0", "class#1", "class#2", "class#3", "class#4", "class#5", "class#6", "class#7", "class#8", "class#9",
    "class#10", "class#11",
];

/// What a name can mean, in the order of the source.
#[derive(Clone, Copy)]
pub(super) enum Entry<'t> {
    /// A local variable, with the name of its type.
    Local(&'t str, Option<&'t str>),
    /// The members of the class at a depth.
    Class(usize),
}

/// A variable that a class declares.
#[derive(Clone, Copy)]
pub(super) struct Field<'t> {
    pub(super) declared: Option<Node<'t>>,
    pub(super) is_static: bool,
}

/// The methods of one name that a class declares.
#[derive(Clone, Copy)]
pub(super) struct Method<'t> {
    pub(super) is_static: bool,
    /// Whether nothing overrides them.
    pub(super) is_private: bool,
    pub(super) count: u32,
    /// The name of the type that all of them give.
    pub(super) result: Option<&'t str>,
}

/// A class around.
pub(super) struct ClassScope<'t> {
    pub(super) name: &'t str,
    pub(super) row: u32,
    pub(super) fields: HashMap<&'t str, Field<'t>>,
    pub(super) methods: HashMap<&'t str, Method<'t>>,
    pub(super) has_bases: bool,
    /// The bases that are named, in order: what extends comes first.
    pub(super) bases: Vec<Node<'t>>,
    pub(super) extends: bool,
    /// Whether anything runs before the constructors do.
    pub(super) has_initials: bool,
}

/// What a simple name was found to be.
pub(super) enum Found<'t> {
    Local(Option<&'t str>),
    Field(usize, Field<'t>),
    Nothing,
}

pub(super) fn modifier(node: Node<'_>, wanted: &str) -> bool {
    let Some(list) = node.child(0).filter(|first| first.kind() == "modifiers") else {
        return false;
    };
    list.children().any(|child| child.kind() == wanted)
}

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn this_name(depth: usize) -> &'static str {
        THIS.get(depth).copied().unwrap_or("this#")
    }

    pub(super) fn class_variable(depth: usize) -> &'static str {
        CLASS.get(depth).copied().unwrap_or("class#")
    }

    /// The class at a depth.
    pub(super) fn class_at(&mut self, depth: usize) -> Slot {
        self.builder.read(Self::class_variable(depth))
    }

    /// Whether there is an instance of the class at a depth here.
    pub(super) fn has_this(&self, depth: usize) -> bool {
        self.builder.is_variable(Self::this_name(depth))
    }

    /// The instance of the class at a depth: the receiver, or any where the class that we are in was made outside of it.
    pub(super) fn this_at(&mut self, depth: usize) -> Slot {
        if self.has_this(depth) {
            return self.builder.read(Self::this_name(depth));
        }
        let class = self.class_at(depth);
        let slot = self.builder.slot();
        self.builder.hint(slot, class);
        slot
    }

    /// The instance of the class at a depth where there is one, and else the class.
    pub(super) fn receiver_at(&mut self, depth: usize) -> Slot {
        if self.has_this(depth) || depth + 1 < self.classes.len() {
            self.this_at(depth)
        } else {
            self.class_at(depth)
        }
    }

    /// What a simple name means that is read or written.
    pub(super) fn find(&self, name: &str) -> Found<'t> {
        for entry in self.entries.iter().rev() {
            match entry {
                Entry::Local(local, declared) if *local == name => return Found::Local(*declared),
                Entry::Local(..) => {}
                Entry::Class(depth) => {
                    if let Some(field) = self.classes[*depth].fields.get(name) {
                        return Found::Field(*depth, *field);
                    }
                }
            }
        }
        Found::Nothing
    }

    /// The depth of the innermost class that declares a method of a name.
    pub(super) fn find_method(&self, name: &str) -> Option<usize> {
        (0..self.classes.len())
            .rev()
            .find(|depth| self.classes[*depth].methods.contains_key(name))
    }

    /// Declares a local variable, with the name of its type.
    pub(super) fn declare_local(&mut self, name: &'t str, declared: Option<&'t str>) {
        self.builder.declare(name);
        self.entries.push(Entry::Local(name, declared));
    }

    /// Runs a part whose local variables end with it.
    pub(super) fn in_block(&mut self, part: impl FnOnce(&mut Self)) {
        let known = self.entries.len();
        self.builder.begin_block();
        part(self);
        self.builder.end_block();
        self.entries.truncate(known);
    }

    /// What a class's body declares.
    pub(super) fn scan(&self, body: Option<Node<'t>>, in_interface: bool) -> ClassScope<'t> {
        let mut scope = ClassScope {
            name: "",
            row: 0,
            fields: HashMap::default(),
            methods: HashMap::default(),
            has_bases: false,
            bases: Vec::new(),
            extends: false,
            has_initials: false,
        };
        let mut waiting: Vec<Node<'t>> = body.into_iter().collect();
        while let Some(part) = waiting.pop() {
            for member in children(part) {
                match member.kind() {
                    "field_declaration" | "constant_declaration" => {
                        let field = Field {
                            declared: member.child_by_field_name("type"),
                            is_static: in_interface || modifier(member, "static"),
                        };
                        for declarator in member.children_by_field_name("declarator") {
                            if let Some(name) = declarator.child_by_field_name("name") {
                                scope.fields.insert(self.builder.text(name), field);
                            }
                            scope.has_initials |= !field.is_static && declarator.child_by_field_name("value").is_some();
                        }
                    }
                    "enum_constant" => {
                        if let Some(name) = member.child_by_field_name("name") {
                            let field = Field {
                                declared: None,
                                is_static: true,
                            };
                            scope.fields.insert(self.builder.text(name), field);
                        }
                    }
                    "method_declaration" | "annotation_type_element_declaration" => {
                        let Some(name) = member.child_by_field_name("name") else {
                            continue;
                        };
                        let result = member
                            .child_by_field_name("type")
                            .and_then(|declared| self.type_name(declared));
                        let method = Method {
                            is_static: modifier(member, "static"),
                            is_private: modifier(member, "private"),
                            count: 0,
                            result,
                        };
                        let known = scope.methods.entry(self.builder.text(name)).or_insert(method);
                        known.count += 1;
                        known.is_static &= method.is_static;
                        known.is_private &= method.is_private;
                        if known.result != result {
                            known.result = None;
                        }
                    }
                    "block" => scope.has_initials = true,
                    "enum_body_declarations" => waiting.push(member),
                    _ => {}
                }
            }
        }
        scope
    }

    /// The names of all types that a file declares.
    pub(super) fn scan_types(&self, root: Node<'t>) -> HashSet<&'t str> {
        let mut found = HashSet::default();
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            for member in children(node) {
                match member.kind() {
                    "class_declaration"
                    | "interface_declaration"
                    | "record_declaration"
                    | "enum_declaration"
                    | "annotation_type_declaration" => {
                        if let Some(name) = member.child_by_field_name("name") {
                            found.insert(self.builder.text(name));
                        }
                        waiting.extend(member.child_by_field_name("body"));
                    }
                    "enum_body_declarations" => waiting.push(member),
                    _ => {}
                }
            }
        }
        found
    }
}
