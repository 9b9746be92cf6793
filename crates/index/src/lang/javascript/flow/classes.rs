//! Functions and their parameters, classes and their members.

use lore_model::{BodyFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, has_child};
use crate::flow::Slot;
use crate::syntax::Node;

use super::decorators::{decorated_class, decorated_member, decorators, parameter_decorators};
use super::expressions::{expression, is_well_known, spelled, store_index};
use super::modules::string_text;
use super::narrowing::GUARDED;
use super::patterns::assign;
use super::scopes::{hoist, hoist_functions, pattern_names};
use super::statements::{block, statements};
use super::types::{declare_type, declared_function, type_parameters, typed};
use super::{Builder, children, line};

pub(super) fn function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, span: Node<'t>, flags: u32) -> Slot {
    let definition = builder
        .definition(span)
        .or_else(|| builder.definition(node))
        .unwrap_or(NONE);
    let mut flags = flags;
    if has_child(node, "async") {
        flags |= BodyFlags::ASYNC;
    }
    if matches!(node.kind(), "generator_function_declaration" | "generator_function") || has_child(node, "*") {
        flags |= BodyFlags::GENERATOR;
    }
    if node.kind() == "arrow_function" {
        flags |= BodyFlags::ARROW;
    }
    builder.begin(definition, flags);
    if flags & BodyFlags::ARROW == 0 {
        let receiver = builder.receiver();
        builder.declare("this");
        builder.write("this", receiver);
    }
    // The name of a function expression is known inside it.
    if node.kind() == "function_expression"
        && let Some(name) = node.child_by_field_name("name")
    {
        let name = builder.text(name);
        builder.declare(name);
        let itself = builder.itself();
        builder.write(name, itself);
    }
    type_parameters(builder, node);
    parameters(builder, node);
    if flags & BodyFlags::ARROW == 0 && builder.text(node).contains("arguments") {
        arguments_object(builder, node);
    }
    if let Some(body) = node.child_by_field_name("body") {
        if body.kind() == "statement_block" {
            hoist(builder, body, true);
            hoist_functions(builder, body);
            statements(builder, body);
        } else {
            let value = spelled(builder, body);
            builder.give_back(value);
        }
    }
    if let Some(declared) = node.child_by_field_name("return_type") {
        declare_type(builder, 0, declared);
    }
    let body = builder.end();
    let value = builder.function(body);
    // `user is Admin`, `asserts value is Token`
    if let Some(said) = node.child_by_field_name("return_type").and_then(predicate) {
        let guarded = builder.slot();
        declare_type(builder, guarded, said);
        builder.store(value, GUARDED, guarded, line(node));
    }
    value
}

/// The type that a function says its argument has.
fn predicate(declared: Node<'_>) -> Option<Node<'_>> {
    let inner = match declared.kind() {
        "type_predicate_annotation" | "asserts_annotation" | "asserts" => declared.named_child(0)?,
        _ => return None,
    };
    match inner.kind() {
        "type_predicate" => inner.child_by_field_name("type"),
        _ => predicate(inner),
    }
}

/// What a function is called with, as a list.
fn arguments_object<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let list = builder.allocate("Array", line(node));
    for (at, (slot, kind)) in builder.parameters().into_iter().enumerate() {
        match kind {
            ParameterKind::REST => {
                let element = builder.iterate(slot, line(node));
                builder.store_key(list, None, element, line(node));
            }
            _ => builder.store_key(list, Some(&at.to_string()), slot, line(node)),
        }
    }
    if !builder
        .parameters()
        .iter()
        .any(|(_, kind)| *kind == ParameterKind::REST)
    {
        let rest = builder.parameter("", ParameterKind::REST);
        let element = builder.iterate(rest, line(node));
        builder.store_key(list, None, element, line(node));
    }
    builder.declare("arguments");
    builder.write("arguments", list);
}

pub(super) fn parameters<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    if let Some(single) = node.child_by_field_name("parameter") {
        let name = builder.text(single);
        builder.declare(name);
        let slot = builder.parameter(name, ParameterKind::POSITIONAL);
        builder.write(name, slot);
        return;
    }
    let Some(list) = node.child_by_field_name("parameters") else {
        return;
    };
    let parameters: Vec<Node<'t>> = children(list)
        .into_iter()
        .filter(|parameter| parameter.kind() != "decorator")
        .collect();
    let mut declared = Vec::new();
    for parameter in &parameters {
        let pattern = parameter.child_by_field_name("pattern").unwrap_or(*parameter);
        let mut names = Vec::new();
        pattern_names(pattern, &mut |name| names.push(name));
        declared.extend(names);
    }
    builder.set_assigning(false);
    for name in declared {
        let name = builder.text(name);
        builder.declare(name);
    }
    for parameter in parameters {
        let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
        if pattern.kind() == "this" {
            continue;
        }
        let kind = match pattern.kind() {
            "rest_pattern" => ParameterKind::REST,
            _ => ParameterKind::POSITIONAL,
        };
        let text = builder.text(pattern);
        let slot = builder.parameter(text, kind);
        if let Some(declared) = parameter.child_by_field_name("type") {
            if kind == ParameterKind::REST {
                // The type is that of a list, which is made at each call: only its elements are declared.
                let list = builder.slot();
                declare_type(builder, list, declared);
                let element = builder.iterate(list, line(parameter));
                builder.hint_elements(slot, element);
            } else {
                declare_type(builder, slot, declared);
            }
        }
        let (target, default) = match pattern.kind() {
            "assignment_pattern" => (
                pattern.child_by_field_name("left"),
                pattern.child_by_field_name("right"),
            ),
            "rest_pattern" => (pattern.named_child(0), None),
            _ => (Some(pattern), parameter.child_by_field_name("value")),
        };
        let mut value = slot;
        if let Some(default) = default {
            let default = spelled(builder, default);
            value = builder.slot();
            builder.copy(value, slot);
            builder.set_default(default);
        }
        if let Some(target) = target {
            assign(builder, target, value);
        }
        // `constructor(private store: Store)` keeps the argument.
        let keeps = child_of_kind(parameter, &["accessibility_modifier", "override_modifier"]).is_some()
            || has_child(parameter, "readonly");
        if keeps && pattern.kind() == "identifier" {
            let this = builder.read("this");
            builder.store(this, builder.text(pattern), value, line(parameter));
        }
    }
    builder.set_assigning(true);
}

pub(super) fn class<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let definition = builder.definition(node).unwrap_or(NONE);
    let mut applied = decorators(builder, node);
    // `@first export class` writes them before the export.
    if let Some(around) = node.parent().filter(|around| around.kind() == "export_statement") {
        applied.extend(decorators(builder, around));
    }
    builder.begin_block();
    type_parameters(builder, node);
    let mut bases = Vec::new();
    if let Some(heritage) = child_of_kind(node, &["class_heritage"]) {
        let clause = child_of_kind(heritage, &["extends_clause"]);
        let base = match clause {
            Some(clause) => clause.child_by_field_name("value"),
            None => heritage
                .named_child(0)
                .filter(|base| base.kind() != "implements_clause"),
        };
        if let Some(base) = base {
            builder.note_base(base, definition);
            bases.push(expression(builder, base));
        }
    }
    let (slot, row) = builder.class(definition, &bases, line(node));
    builder.classes.push(row);
    builder.begin(definition, BodyFlags::CLASS);
    let this_class = builder.receiver();
    if let Some(name) = node.child_by_field_name("name") {
        let name = builder.text(name);
        builder.declare(name);
        builder.write(name, this_class);
    }
    if let Some(body) = node.child_by_field_name("body") {
        members(builder, body, this_class, definition);
    }
    let body = builder.end();
    builder.set_class_body(row, body);
    builder.classes.pop();
    builder.end_block();
    decorated_class(builder, slot, &applied)
}

pub(super) fn members<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>, class: Slot, definition: u32) {
    let members_of = body;
    let mut fields = Vec::new();
    let mut waiting: Vec<(Slot, u32)> = Vec::new();
    let mut declared = Vec::new();
    let mut defined = foldhash::HashSet::default();
    for member in children(body) {
        let is_static = has_child(member, "static");
        match member.kind() {
            "method_definition" => {
                let Some(name) = member.child_by_field_name("name") else {
                    continue;
                };
                let mut flags = BodyFlags::MEMBER;
                if is_static {
                    flags |= BodyFlags::CLASS_METHOD;
                }
                let suffix = match (has_child(member, "get"), has_child(member, "set")) {
                    (true, _) => {
                        flags |= BodyFlags::GETTER;
                        ""
                    }
                    (_, true) => {
                        flags |= BodyFlags::SETTER;
                        ":set"
                    }
                    _ => "",
                };
                let value = function(builder, member, member, flags);
                let name = format!("{}{suffix}", member_name(builder, name));
                parameter_decorators(builder, member, class);
                if name == suffix {
                    store_computed(builder, class, member, value, is_static);
                    continue;
                }
                let applied = pending(builder, &mut waiting, member);
                let value = decorated_member(builder, class, &name, value, &applied);
                if is_static {
                    builder.store(class, &name, value, line(member))
                } else {
                    builder.store_member(class, &name, value, line(member))
                }
            }
            "field_definition" | "public_field_definition" => {
                let name = member
                    .child_by_field_name("property")
                    .or_else(|| member.child_by_field_name("name"));
                let Some(name) = name else { continue };
                let applied = pending(builder, &mut waiting, member);
                if !applied.is_empty() {
                    let nothing = builder.slot();
                    let name = member_name(builder, name);
                    decorated_member(builder, class, &name, nothing, &applied);
                }
                if is_static {
                    if let Some(value) = member.child_by_field_name("value") {
                        builder.begin_block();
                        builder.declare("this");
                        builder.write("this", class);
                        let value = spelled(builder, value);
                        builder.end_block();
                        let name = member_name(builder, name);
                        builder.store(class, &name, value, line(member));
                    }
                } else {
                    fields.push((member, name));
                }
            }
            "class_static_block" => {
                if let Some(inner) = member.child_by_field_name("body") {
                    builder.begin_block();
                    builder.declare("this");
                    builder.write("this", class);
                    block(builder, inner);
                    builder.end_block();
                }
            }
            "method_signature" | "abstract_method_signature" => {
                if let Some(name) = member.child_by_field_name("name") {
                    declared.push((member, member_name(builder, name), is_static));
                }
            }
            // It belongs to the member behind it.
            "decorator" => {
                if let Some(inner) = member.named_child(0) {
                    waiting.push((expression(builder, inner), line(member)));
                }
            }
            _ => {}
        }
        if member.kind() == "method_definition"
            && let Some(name) = member.child_by_field_name("name")
        {
            defined.insert(builder.text(name));
        }
    }
    // What has no body here is defined by a class below, or elsewhere.
    for (member, name, is_static) in declared {
        if defined.contains(name.as_str()) {
            continue;
        }
        let flags = BodyFlags::MEMBER | if is_static { BodyFlags::CLASS_METHOD } else { 0 };
        let value = declared_function(builder, member, flags);
        if is_static {
            builder.store(class, &name, value, line(member))
        } else {
            builder.store_member(class, &name, value, line(member))
        }
    }
    if fields.is_empty() {
        return;
    }
    // The initial values of fields are read when an instance is made.
    builder.begin(definition, BodyFlags::MEMBER | BodyFlags::HIDDEN);
    let receiver = builder.receiver();
    builder.declare("this");
    builder.write("this", receiver);
    for (member, name) in fields {
        let declared = member.child_by_field_name("type");
        let value = member.child_by_field_name("value").map(|value| spelled(builder, value));
        let name = member_name(builder, name);
        match (value, declared) {
            (Some(value), declared) => {
                let value = typed(builder, value, declared);
                builder.store(receiver, &name, value, line(member));
            }
            // What is only declared here is given elsewhere.
            (None, Some(declared)) => {
                let value = builder.slot();
                declare_type(builder, value, declared);
                builder.hint_member(receiver, &name, value);
            }
            (None, None) => {}
        }
    }
    let body = builder.end();
    let initial = builder.function(body);
    builder.store_member(class, "<fields>", initial, line(members_of));
}

/// Keeps a member whose name is computed.
fn store_computed<'t>(builder: &mut Builder<'t, '_>, class: Slot, member: Node<'t>, value: Slot, is_static: bool) {
    let Some(index) = member
        .child_by_field_name("name")
        .filter(|name| name.kind() == "computed_property_name")
        .and_then(|name| children(name).first().copied())
    else {
        return;
    };
    let holder = if is_static {
        class
    } else {
        builder.load(class, "prototype", line(member))
    };
    store_index(builder, holder, index, value, line(member));
}

/// The decorators before a member and inside it.
fn pending<'t>(builder: &mut Builder<'t, '_>, waiting: &mut Vec<(Slot, u32)>, member: Node<'t>) -> Vec<(Slot, u32)> {
    let mut applied = std::mem::take(waiting);
    applied.extend(decorators(builder, member));
    applied
}

/// The name of a member; empty if it is computed.
pub(super) fn member_name<'t>(builder: &mut Builder<'t, '_>, name: Node<'t>) -> String {
    match name.kind() {
        "computed_property_name" => {
            let inner = children(name).first().copied();
            match inner {
                Some(inner) if inner.kind() == "string" => string_text(builder, inner).to_owned(),
                Some(inner) if is_well_known(builder.text(inner)) => builder.text(inner).to_owned(),
                _ => String::new(),
            }
        }
        "string" => string_text(builder, name).to_owned(),
        _ => builder.text(name).to_owned(),
    }
}
