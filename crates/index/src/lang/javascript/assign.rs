//! What JavaScript defines by giving a value to a name: variables, properties, prototypes, object literals.

use lore_model::{DefinitionFlags, Modifier, Modifiers, SymbolKind, Visibility};

use super::{
    at_module_level, bare, body_start, doc_before, function_modifiers, is_function, module_visibility, property_name,
};
use crate::extract::{Draft, Draftee, Walker};
use crate::language::Flow;
use crate::syntax::Node;

/// Marks the scope of an object literal that is what the module exports.
pub(super) const EXPORTED_OBJECT: u32 = 2;

/// What a value makes of the name it is given to.
#[derive(Clone, Copy)]
pub(super) enum Value<'t> {
    Function(Node<'t>),
    /// A class without a name of its own, which takes the one it is given to.
    Class(Node<'t>),
    /// A class that has a name of its own and keeps it.
    NamedClass,
    Object(Node<'t>),
    Other,
}

impl<'t> Value<'t> {
    pub(super) fn of(node: Node<'t>) -> Self {
        let node = bare(node);
        match node.kind() {
            "class" if node.child_by_field_name("name").is_some() => Self::NamedClass,
            "class" => Self::Class(node),
            "object" => Self::Object(node),
            _ if is_function(node) => Self::Function(node),
            _ => bound_function(node).map_or(Self::Other, Self::Function),
        }
    }

    /// The kind of the definition, where a plain value makes one of the kind `plain`.
    pub(super) fn kind(self, function: SymbolKind, plain: SymbolKind) -> SymbolKind {
        match self {
            Self::Function(_) => function,
            Self::Class(_) => SymbolKind::Class,
            Self::NamedClass | Self::Object(_) | Self::Other => plain,
        }
    }

    pub(super) fn modifiers(self) -> Modifiers {
        match self {
            Self::Function(function) => function_modifiers(function),
            _ => Modifiers::default(),
        }
    }

    /// Where the declaration ends: before the body, or where the whole ends.
    pub(super) fn signature_end(self, whole: usize) -> usize {
        match self {
            Self::Function(node) | Self::Class(node) => body_start(node),
            Self::NamedClass | Self::Object(_) | Self::Other => whole,
        }
    }

    /// Makes the value, when the walk comes to it, the scope of a definition.
    pub(super) fn claim(self, walker: &mut Walker<'t>, definition: u32) {
        match self {
            Self::Function(node) | Self::Class(node) | Self::Object(node) => walker.claim(node, definition),
            Self::NamedClass | Self::Other => {}
        }
    }
}

/// The function in `function () { … }.bind(this)`.
fn bound_function(node: Node<'_>) -> Option<Node<'_>> {
    let callee = (node.kind() == "call_expression").then(|| node.child_by_field_name("function"))??;
    let function = bare(callee.child_by_field_name("object")?);
    let property = callee.child_by_field_name("property")?;
    (is_function(function) && property.byte_range().len() == "bind".len()).then_some(function)
}

/// The visibility that a member's name gives it.
fn member_visibility(name: &str) -> Visibility {
    if name.starts_with(['#', '_']) {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// The declaration around a declarator, when it is the only one.
fn declaration_of<'t>(walker: &Walker<'t>, declarator: Node<'t>) -> Node<'t> {
    walker
        .parent()
        .filter(|parent| {
            matches!(parent.kind(), "lexical_declaration" | "variable_declaration") && parent.named_child_count() == 1
        })
        .unwrap_or(declarator)
}

pub(in crate::lang) fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let initial = node.child_by_field_name("value");
    if let Some(module) = initial.and_then(|value| required(walker, bare(value))) {
        bind_required(walker, node, name, module);
        return Flow::Descend;
    }
    let module_level = at_module_level(walker) && !is_loop_head(walker, node);
    if name.kind() != "identifier" {
        if module_level {
            destructured(walker, node, name);
        }
        return Flow::Descend;
    }
    let (initial, exported) = initial.map_or((None, false), |initial| {
        let (value, exported) = through_exports(walker, bare(initial));
        (Some(value), exported)
    });
    let value = initial.map_or(Value::Other, Value::of);
    if !module_level && !matches!(value, Value::Function(_) | Value::Class(_)) {
        return Flow::Descend;
    }
    let declaration = declaration_of(walker, node);
    let plain = if is_const(walker) {
        SymbolKind::Constant
    } else {
        SymbolKind::Static
    };
    let (visibility, mut flags) = module_visibility(walker);
    if exported {
        flags |= DefinitionFlags::EXPORTED;
    }
    let outer = walker
        .ancestors()
        .take_while(|parent| {
            matches!(
                parent.kind(),
                "lexical_declaration" | "variable_declaration" | "export_statement" | "ambient_declaration"
            )
        })
        .last()
        .unwrap_or(node);
    let mut modifiers = value.modifiers();
    if walker
        .ancestors()
        .take(2)
        .any(|parent| parent.kind() == "ambient_declaration")
    {
        modifiers.insert(Modifier::Declare);
    }
    let definition = walker.define(Draft {
        doc: doc_before(
            walker,
            if declaration == node {
                node.start_byte()
            } else {
                outer.start_byte()
            },
        ),
        signature: (
            if declaration == node {
                node.start_byte()
            } else {
                outer.start_byte()
            },
            value.signature_end(declaration.end_byte()),
        ),
        visibility,
        modifiers,
        flags,
        ..Draft::new(value.kind(SymbolKind::Function, plain), name, declaration)
    });
    value.claim(walker, definition);
    Flow::Descend
}

/// The value of `exports = module.exports = value`, and whether it is exported on the way.
fn through_exports<'t>(walker: &Walker<'t>, mut value: Node<'t>) -> (Node<'t>, bool) {
    let mut exported = false;
    while value.kind() == "assignment_expression" {
        let (Some(left), Some(right)) = (value.child_by_field_name("left"), value.child_by_field_name("right")) else {
            break;
        };
        exported |= matches!(walker.text(left), "exports" | "module.exports");
        value = bare(right);
    }
    (value, exported)
}

/// Whether a declarator stands in the head of a loop.
fn is_loop_head(walker: &Walker<'_>, declarator: Node<'_>) -> bool {
    let around = walker.ancestors().nth(1);
    around
        .filter(|around| matches!(around.kind(), "for_statement" | "for_in_statement"))
        .is_some_and(|around| {
            around
                .child_by_field_name("body")
                .is_none_or(|body| body.start_byte() > declarator.start_byte())
        })
}

fn is_const(walker: &Walker<'_>) -> bool {
    walker
        .parent()
        .and_then(|parent| parent.child(0))
        .is_some_and(|word| word.kind() == "const")
}

/// Records the names of a pattern at module level.
fn destructured<'t>(walker: &mut Walker<'t>, node: Node<'t>, pattern: Node<'t>) {
    let kind = if is_const(walker) {
        SymbolKind::Constant
    } else {
        SymbolKind::Static
    };
    let (visibility, flags) = module_visibility(walker);
    for name in pattern_names(pattern) {
        walker.define(Draft {
            visibility,
            flags,
            ..Draft::new(kind, name, node)
        });
    }
}

/// The names that a pattern binds.
fn pattern_names(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![pattern];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => found.push(node),
            "assignment_pattern" | "object_assignment_pattern" => waiting.extend(node.child_by_field_name("left")),
            "pair_pattern" => waiting.extend(node.child_by_field_name("value")),
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                waiting.extend(node.named_children());
            }
            _ => {}
        }
    }
    found.sort_by_key(|name| name.start_byte());
    found
}

/// The module of a `require("…")`.
fn required<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<&'t str> {
    let function = (value.kind() == "call_expression").then(|| value.child_by_field_name("function"))??;
    if walker.text(function) != "require" {
        return None;
    }
    let argument = value.child_by_field_name("arguments")?.named_child(0)?;
    (argument.kind() == "string").then(|| property_name(walker, argument))
}

fn bind_required<'t>(walker: &mut Walker<'t>, node: Node<'t>, pattern: Node<'t>, module: &'t str) {
    if pattern.kind() == "identifier" {
        let local = walker.text(pattern);
        walker.import(node, module, "", local, 0);
        return;
    }
    for part in pattern.named_children() {
        let (name, local) = match part.kind() {
            "pair_pattern" => (part.child_by_field_name("key"), part.child_by_field_name("value")),
            "object_assignment_pattern" => {
                let left = part.child_by_field_name("left");
                (left, left)
            }
            "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
            _ => (None, None),
        };
        if let (Some(name), Some(local)) = (name, local) {
            let (name, local) = (walker.text(name), walker.text(local));
            walker.import(node, module, name, local, 0);
        }
    }
}

/// The names of a member expression, `None` where a part has no fixed name.
fn member_path<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<Vec<&'t str>> {
    let mut path = Vec::new();
    let mut node = node;
    loop {
        match node.kind() {
            "identifier" | "this" | "super" => {
                path.push(walker.text(node));
                break;
            }
            "member_expression" => {
                path.push(walker.text(node.child_by_field_name("property")?));
                node = bare(node.child_by_field_name("object")?);
            }
            "subscript_expression" => {
                let index = node
                    .child_by_field_name("index")
                    .filter(|index| index.kind() == "string")?;
                path.push(property_name(walker, index));
                node = bare(node.child_by_field_name("object")?);
            }
            _ => return None,
        }
    }
    path.reverse();
    Some(path)
}

pub(in crate::lang) fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return Flow::Descend;
    };
    let Some(path) = member_path(walker, left) else {
        return Flow::Descend;
    };
    let place = left
        .child_by_field_name("property")
        .or_else(|| left.child_by_field_name("index"))
        .unwrap_or(left);
    let value = Value::of(right);
    let assigned = Assigned { node, place, value };
    match path[..] {
        ["module", "exports"] | ["exports"] => assigned.whole_export(walker, bare(right)),
        ["module", "exports", ref path @ ..] | ["exports", ref path @ ..] => assigned.export(walker, bare(right), path),
        [ref owner @ .., "prototype"] => {
            if let Value::Object(object) = value {
                walker.claim_name(object, &owner.join("."), SymbolKind::Class, 0);
            }
        }
        [ref owner @ .., "prototype", name] => {
            let kind = value.kind(SymbolKind::Method, SymbolKind::Field);
            assigned.define(walker, kind, name, &owner.join("."));
        }
        ["this", name] => assigned.instance_member(walker, name),
        [ref owner @ .., name] => assigned.member(walker, name, owner),
        [] => {}
    }
    Flow::Descend
}

/// An assignment: the whole, where the name stands, and the value.
#[derive(Clone, Copy)]
struct Assigned<'t> {
    node: Node<'t>,
    place: Node<'t>,
    value: Value<'t>,
}

impl<'t> Assigned<'t> {
    fn draft<'d>(self, walker: &Walker<'t>, kind: SymbolKind, name: &'d str, owner: &'d str) -> Draft<'d>
    where
        't: 'd,
    {
        Draft {
            name: Draftee::Named(self.place, name),
            doc: doc_before(walker, self.node.start_byte()),
            signature: (self.node.start_byte(), self.value.signature_end(self.node.end_byte())),
            visibility: member_visibility(name),
            modifiers: self.value.modifiers(),
            owner,
            ..Draft::new(kind, self.place, self.node)
        }
    }

    fn define(self, walker: &mut Walker<'t>, kind: SymbolKind, name: &str, owner: &str) {
        let draft = self.draft(walker, kind, name, owner);
        let definition = walker.define(draft);
        self.value.claim(walker, definition);
    }

    /// `module.exports = …`
    fn whole_export(self, walker: &mut Walker<'t>, right: Node<'t>) {
        if at_module_level(walker) {
            walker.facts.is_module = true;
        }
        match self.value {
            Value::Object(object) => {
                export_object_names(walker, object);
                walker.claim_name(object, "", SymbolKind::Constant, EXPORTED_OBJECT);
            }
            Value::Function(node) | Value::Class(node) => {
                let kind = self.value.kind(SymbolKind::Function, SymbolKind::Constant);
                let own_name = node.child_by_field_name("name");
                let draft = self.draft(walker, kind, "default", "");
                let name = own_name.map_or(Draftee::Named(self.place, "default"), Draftee::Node);
                let definition = walker.define(Draft {
                    name,
                    flags: DefinitionFlags::EXPORTED,
                    ..draft
                });
                self.value.claim(walker, definition);
            }
            Value::NamedClass => {
                if let Some(name) = right.child_by_field_name("name") {
                    let name = walker.text(name);
                    walker.export(self.node, name, "default");
                }
            }
            Value::Other if right.kind() == "identifier" => {
                let local = walker.text(right);
                walker.export(self.node, local, "default");
            }
            Value::Other => {}
        }
    }

    /// `exports.name = …`
    fn export(self, walker: &mut Walker<'t>, right: Node<'t>, path: &[&'t str]) {
        let Some((name, owner)) = path.split_last() else { return };
        if at_module_level(walker) {
            walker.facts.is_module = true;
            if right.kind() == "identifier" {
                let local = walker.text(right);
                walker.export(self.node, local, name);
            }
        }
        let is_literal = matches!(
            right.kind(),
            "number" | "string" | "template_string" | "array" | "regex" | "true" | "false" | "null" | "new_expression"
        );
        if matches!(self.value, Value::Other) && !is_literal {
            return;
        }
        let kind = self.value.kind(SymbolKind::Function, SymbolKind::Constant);
        let owner = owner.join(".");
        let draft = self.draft(walker, kind, name, &owner);
        let definition = walker.define(Draft {
            flags: DefinitionFlags::EXPORTED,
            ..draft
        });
        self.value.claim(walker, definition);
    }

    /// `this.name = …`: a member of the class around the method, or of what a function makes.
    fn instance_member(self, walker: &mut Walker<'t>, name: &str) {
        let method = walker.scopes.iter().rposition(|scope| {
            matches!(
                scope.kind,
                SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Function
            )
        });
        let class = method.filter(|at| *at > 0 && walker.scopes[at - 1].kind.is_type());
        let kind = self.value.kind(SymbolKind::Method, SymbolKind::Field);
        match class {
            Some(at) => {
                let inner = walker.scopes.split_off(at);
                if walker.scope().seen.insert(name.to_owned()) || kind != SymbolKind::Field {
                    self.define(walker, kind, name, "");
                }
                walker.scopes.extend(inner);
            }
            None if !matches!(self.value, Value::Other) => self.define(walker, kind, name, ""),
            None => {}
        }
    }

    /// `x.name = …` and `name = …`
    fn member(self, walker: &mut Walker<'t>, name: &str, owner: &[&'t str]) {
        let joined = owner.join(".");
        match self.value {
            Value::Other => {}
            Value::Object(object) if owner.is_empty() => walker.claim_name(object, name, SymbolKind::Constant, 0),
            Value::NamedClass if owner.is_empty() => {}
            Value::Function(_) | Value::Class(_) if owner.is_empty() => {
                let kind = self.value.kind(SymbolKind::Function, SymbolKind::Static);
                let (visibility, flags) = module_visibility(walker);
                let draft = self.draft(walker, kind, name, "");
                let definition = walker.define(Draft {
                    visibility,
                    flags,
                    ..draft
                });
                self.value.claim(walker, definition);
            }
            Value::Function(_) | Value::Class(_) | Value::NamedClass | Value::Object(_) => {
                self.define(
                    walker,
                    self.value.kind(SymbolKind::Function, SymbolKind::Field),
                    name,
                    &joined,
                );
            }
        }
    }
}

/// `module.exports = { f, g: h }` exports what it names.
fn export_object_names<'t>(walker: &mut Walker<'t>, object: Node<'t>) {
    for part in object.named_children() {
        match part.kind() {
            "shorthand_property_identifier" => {
                let name = walker.text(part);
                walker.export(part, name, name);
            }
            "pair" => {
                let (key, value) = (part.child_by_field_name("key"), part.child_by_field_name("value"));
                if let (Some(key), Some(value)) = (key, value.filter(|value| value.kind() == "identifier")) {
                    let (name, local) = (property_name(walker, key), walker.text(value));
                    walker.export(part, local, name);
                }
            }
            _ => {}
        }
    }
}

/// An object literal is the scope of the name it is given to.
pub(in crate::lang) fn object<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
    } else if walker.open_claimed_name(node) {
        // Whoever claimed it said what it is.
    } else if walker
        .parent()
        .is_some_and(|parent| parent.kind() == "export_statement")
    {
        walker.facts.is_module = true;
        walker.open_named("", SymbolKind::Constant, EXPORTED_OBJECT);
    }
    Flow::Descend
}

pub(in crate::lang) fn pair<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(key), Some(value)) = (
        node.child_by_field_name("key"),
        node.child_by_field_name("value").map(Value::of),
    ) else {
        return Flow::Descend;
    };
    if let Value::Function(function) = value
        && walker.is_claimed(function)
    {
        return Flow::Descend;
    }
    let name = property_name(walker, key);
    let around = walker.enclosing_kind();
    // An object that was given to a name is a thing with members; one that is only passed along is not.
    let named = around.is_type() || matches!(around, SymbolKind::Constant | SymbolKind::Static | SymbolKind::Field);
    match value {
        Value::Other => return Flow::Descend,
        Value::Object(_) | Value::NamedClass if named => {}
        Value::NamedClass => return Flow::Descend,
        Value::Object(object) => {
            walker.claim_name(object, name, around, 0);
            return Flow::Descend;
        }
        Value::Function(_) | Value::Class(_) => {}
    }
    let exported = walker.scope().mark & EXPORTED_OBJECT != 0;
    let function = if exported {
        SymbolKind::Function
    } else {
        SymbolKind::Method
    };
    let doc = doc_before(walker, node.start_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(key, name),
        doc,
        signature: (node.start_byte(), value.signature_end(node.end_byte())),
        visibility: member_visibility(name),
        modifiers: value.modifiers(),
        flags: if exported { DefinitionFlags::EXPORTED } else { 0 },
        ..Draft::new(value.kind(function, SymbolKind::Field), key, node)
    });
    value.claim(walker, definition);
    Flow::Descend
}

/// `Object.defineProperty(x, "name", { get: function … })` defines `x.name`; its functions are no members of their own.
pub(super) fn define_property<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>) {
    let (Some(target), Some(name), Some(descriptor)) = (
        arguments.named_child(0),
        arguments.named_child(1),
        arguments.named_child(2),
    ) else {
        return;
    };
    if name.kind() != "string" || descriptor.kind() != "object" {
        return;
    }
    let function = descriptor.named_children().find_map(|part| {
        let key = part.child_by_field_name("key")?;
        let value = part.child_by_field_name("value")?;
        (matches!(walker.text(key), "get" | "value") && is_function(value)).then_some(value)
    });
    let Some(function) = function else { return };
    let owner = match member_path(walker, target) {
        Some(path) => path,
        None => return,
    };
    let text = property_name(walker, name);
    let exported = matches!(owner[..], ["exports"] | ["module", "exports"]);
    let joined = if exported { String::new() } else { owner.join(".") };
    let kind = if exported {
        SymbolKind::Function
    } else {
        SymbolKind::Method
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        signature: (node.start_byte(), name.end_byte()),
        visibility: member_visibility(text),
        modifiers: function_modifiers(function),
        owner: &joined,
        flags: if exported { DefinitionFlags::EXPORTED } else { 0 },
        ..Draft::new(kind, name, node)
    });
    walker.claim(function, definition);
}
