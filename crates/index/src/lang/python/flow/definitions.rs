//! Functions and classes: decorators, parameters, members.

use super::super::decorators::{Decorator, known};
use super::expressions::{children, expression};
use super::scopes::declare_names;
use super::statements::statements;
use super::types::declare_type;
use super::{Builder, line};
use crate::extract::{children_of_kind, has_child};
use crate::flow::{Argument, Slot};
use crate::syntax::Node;
use lore_model::{BodyFlags, FlowFlags, NONE, ParameterKind};

pub(super) fn definition<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, span: Node<'t>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let decorators: Vec<Node<'t>> = if span == node {
        Vec::new()
    } else {
        children_of_kind(span, &["decorator"])
            .into_iter()
            .filter_map(|decorator| decorator.named_child(0))
            .collect()
    };
    let applied: Vec<(Node<'t>, Option<Slot>)> = decorators
        .iter()
        .map(|decorator| {
            let known = known_decorator(builder, *decorator);
            (*decorator, (!known).then(|| expression(builder, *decorator)))
        })
        .collect();
    let definition = builder.definition(span).or_else(|| builder.definition(node));
    let mut value = match node.kind() {
        "class_definition" => class(builder, node, definition),
        _ => function(builder, node, definition, &decorators),
    };
    for (decorator, slot) in applied.into_iter().rev() {
        if let Some(slot) = slot {
            value = builder.call(slot, &[Argument::Plain(value)], line(decorator), FlowFlags::DECORATOR);
        }
    }
    let name = builder.text(name);
    if let Some(accessor) = decorators.iter().find_map(|decorator| accessor(builder, *decorator)) {
        // The setter of a property is beside its getter.
        let class = builder.receiver();
        builder.store_member(class, &format!("{name}:{accessor}"), value, line(node));
        return;
    }
    builder.write(name, value);
}

/// What of a property a decorator makes, besides reading it.
pub(super) fn accessor(builder: &Builder<'_, '_>, decorator: Node<'_>) -> Option<&'static str> {
    known(builder.text(decorator)).iter().find_map(|said| match said {
        Decorator::Setter => Some("set"),
        Decorator::Deleter => Some("delete"),
        _ => None,
    })
}

/// Whether a decorator says how a member is read and nothing more.
pub(super) fn known_decorator(builder: &Builder<'_, '_>, decorator: Node<'_>) -> bool {
    !known(builder.text(decorator)).is_empty()
}

pub(super) fn member_flags(builder: &Builder<'_, '_>, decorators: &[Node<'_>], name: &str) -> u32 {
    let mut flags = BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST;
    for decorator in decorators {
        for said in known(builder.text(*decorator)) {
            flags |= match said {
                Decorator::Static => BodyFlags::STATIC,
                Decorator::ClassMethod => BodyFlags::CLASS_METHOD,
                Decorator::Property => BodyFlags::GETTER,
                Decorator::Setter => BodyFlags::SETTER,
                _ => 0,
            };
        }
    }
    if matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__") {
        // Python implies these decorators.
        flags |= if name == "__new__" {
            BodyFlags::STATIC
        } else {
            BodyFlags::CLASS_METHOD
        };
    }
    flags
}

pub(super) fn function<'t>(
    builder: &mut Builder<'t, '_>,
    node: Node<'t>,
    definition: Option<u32>,
    decorators: &[Node<'t>],
) -> Slot {
    let name = node.child_by_field_name("name").map_or("", |name| builder.text(name));
    let in_class = builder.flags() & BodyFlags::CLASS != 0;
    let mut flags = if in_class {
        member_flags(builder, decorators, name)
    } else {
        0
    };
    if has_child(node, "async") {
        flags |= BodyFlags::ASYNC;
    }
    // Defaults are read where the function is made.
    let parameters = node.child_by_field_name("parameters");
    let defaults = parameters.map_or_else(Vec::new, |parameters| default_values(builder, parameters));
    builder.begin(definition.unwrap_or(NONE), flags);
    self::parameters(builder, parameters);
    if let Some(body) = node.child_by_field_name("body") {
        declare_names(builder, body);
        statements(builder, body);
    }
    if let Some(declared) = node.child_by_field_name("return_type") {
        let result = 0;
        declare_type(builder, result, declared);
    }
    let body = builder.end();
    let slot = builder.function(body);
    bind_defaults(builder, slot, &defaults);
    slot
}

/// The values of defaults, each with its parameter.
pub(super) fn default_values<'t>(builder: &mut Builder<'t, '_>, parameters: Node<'t>) -> Vec<(&'t str, Slot)> {
    children_of_kind(parameters, &["default_parameter", "typed_default_parameter"])
        .into_iter()
        .filter_map(|parameter| {
            let name = parameter.child_by_field_name("name")?;
            let value = parameter.child_by_field_name("value")?;
            let name = builder.text(name);
            Some((name, expression(builder, value)))
        })
        .collect()
}

/// A function keeps its defaults; the solver passes them on where a call leaves them out.
pub(super) fn bind_defaults<'t>(builder: &mut Builder<'t, '_>, function: Slot, defaults: &[(&'t str, Slot)]) {
    for (name, value) in defaults {
        builder.store(function, &format!("{name}="), *value, 0);
    }
}

pub(super) fn parameters<'t>(builder: &mut Builder<'t, '_>, parameters: Option<Node<'t>>) {
    let Some(parameters) = parameters else { return };
    let mut following = ParameterKind::PLAIN;
    let children: Vec<Node<'t>> = parameters.named_children().collect();
    for parameter in children {
        let (name, kind) = match parameter.kind() {
            "identifier" => (Some(parameter), following),
            "default_parameter" | "typed_default_parameter" => (parameter.child_by_field_name("name"), following),
            "typed_parameter" => match parameter.named_child(0) {
                Some(splat) if splat.kind() == "list_splat_pattern" => (splat.named_child(0), ParameterKind::REST),
                Some(splat) if splat.kind() == "dictionary_splat_pattern" => {
                    (splat.named_child(0), ParameterKind::NAMED_REST)
                }
                name => (name, following),
            },
            "list_splat_pattern" => (parameter.named_child(0), ParameterKind::REST),
            "dictionary_splat_pattern" => (parameter.named_child(0), ParameterKind::NAMED_REST),
            "keyword_separator" => {
                following = ParameterKind::NAMED;
                continue;
            }
            _ => continue,
        };
        let Some(name) = name.filter(|name| name.kind() == "identifier") else {
            continue;
        };
        let text = builder.text(name);
        builder.declare(text);
        let slot = builder.parameter(text, kind);
        builder.write(text, slot);
        if let Some(declared) = parameter.child_by_field_name("type") {
            if matches!(kind, ParameterKind::REST | ParameterKind::NAMED_REST) {
                // The type is that of each argument.
                let element = builder.slot();
                declare_type(builder, element, declared);
                builder.hint_elements(slot, element);
            } else {
                declare_type(builder, slot, declared);
            }
        }
        if kind == ParameterKind::REST {
            // What follows `*args` is passed by name.
            following = ParameterKind::NAMED;
        }
    }
}

/// A class: its bases, its body, and what its body leaves as members.
pub(super) fn class<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, definition: Option<u32>) -> Slot {
    let mut bases = Vec::new();
    let mut named = Vec::new();
    let mut metaclass = None;
    if let Some(list) = node.child_by_field_name("superclasses") {
        let children: Vec<Node<'t>> = list.named_children().collect();
        for base in children {
            match base.kind() {
                "keyword_argument" => {
                    if let (Some(name), Some(value)) =
                        (base.child_by_field_name("name"), base.child_by_field_name("value"))
                    {
                        let value = expression(builder, value);
                        match builder.text(name) {
                            "metaclass" => metaclass = Some(value),
                            name => named.push(Argument::Named(name, value)),
                        }
                    }
                }
                "comment" | "list_splat" | "dictionary_splat" => {}
                // `Generic[T]`, `Base[int]`: the class without its arguments.
                "subscript" => {
                    if let Some(value) = base.child_by_field_name("value") {
                        builder.note_base(value, definition.unwrap_or(NONE));
                        bases.push(expression(builder, value));
                    }
                }
                _ => {
                    builder.note_base(base, definition.unwrap_or(NONE));
                    bases.push(expression(builder, base));
                }
            }
        }
    }
    let (slot, row) = builder.class(definition.unwrap_or(NONE), &bases, line(node));
    if let Some(metaclass) = metaclass {
        builder.store(slot, "metaclass=", metaclass, line(node));
    }
    builder.classes.push(row);
    builder.begin(definition.unwrap_or(NONE), BodyFlags::CLASS);
    if let Some(body) = node.child_by_field_name("body") {
        declare_names(builder, body);
        statements(builder, body);
        leave_members(builder, body, row);
    }
    let body = builder.end();
    builder.set_class_body(row, body);
    builder.classes.pop();
    if !bases.is_empty() {
        // A new class calls `__init_subclass__` of its bases.
        let bases = builder.super_of(row, slot);
        let told = builder.load_implicit(bases, "__init_subclass__", line(node));
        builder.call(told, &named, line(node), FlowFlags::IMPLICIT);
    }
    if let Some(metaclass) = metaclass {
        let nothing = Argument::Plain(builder.slot());
        for (method, first) in [("__new__", metaclass), ("__init__", slot)] {
            let made = builder.load_implicit(metaclass, method, line(node));
            let arguments = [Argument::Plain(first), nothing, nothing, nothing];
            builder.call(made, &arguments, line(node), FlowFlags::IMPLICIT);
        }
    }
    slot
}

/// Whether the class of a body says that it is an enumeration.
pub(super) fn is_enum(builder: &Builder<'_, '_>, body: Node<'_>) -> bool {
    body.parent()
        .and_then(|class| class.child_by_field_name("superclasses"))
        .is_some_and(|bases| {
            children(bases)
                .into_iter()
                .any(|base| builder.text(base).ends_with("Enum") || builder.text(base).ends_with("Flag"))
        })
}

/// What the variables of a class's body are in the end are its members. The receiver of the body is the class.
pub(super) fn leave_members<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>, _: u32) {
    let class = builder.receiver();
    let is_enum = is_enum(builder, body);
    for (name, value) in builder.own_variables() {
        if is_enum {
            // The members of an enumeration are its instances.
            builder.hint(value, class);
        }
        let name = mangled(builder, name);
        builder.store_member(class, &name, value, line(body));
    }
}

/// The name of a member: one that begins with two underscores belongs to the class in which it is written.
pub(super) fn member_name<'t>(builder: &mut Builder<'t, '_>, name: Node<'t>) -> std::borrow::Cow<'t, str> {
    let text = builder.text(name);
    mangled(builder, text)
}

pub(super) fn mangled<'t>(builder: &mut Builder<'t, '_>, text: &'t str) -> std::borrow::Cow<'t, str> {
    if text.starts_with("__")
        && !text.ends_with("__")
        && let Some(class) = builder.class_name()
    {
        return format!("_{}{text}", class.trim_start_matches('_')).into();
    }
    text.into()
}

pub(super) fn lambda<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let parameters = node.child_by_field_name("parameters");
    let defaults = parameters.map_or_else(Vec::new, |parameters| default_values(builder, parameters));
    let definition = builder.definition(node).unwrap_or(NONE);
    builder.begin(definition, 0);
    self::parameters(builder, parameters);
    if let Some(body) = node.child_by_field_name("body") {
        let value = expression(builder, body);
        builder.give_back(value);
    }
    let body = builder.end();
    let slot = builder.function(body);
    bind_defaults(builder, slot, &defaults);
    slot
}
