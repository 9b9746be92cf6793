//! Patterns: what they bind to parts of a value.

use crate::flow::Slot;
use crate::syntax::Node;

use super::paths::path;
use super::{Builder, children, line, plain};

/// Binds the names of a pattern to the parts of a value.
pub(super) fn bind<'t>(builder: &mut Builder<'t, '_>, pattern: Node<'t>, value: Slot) {
    if builder.enter() {
        bind_inner(builder, pattern, value);
    }
    builder.leave();
}

fn bind_name<'t>(builder: &mut Builder<'t, '_>, name: Node<'t>, value: Slot) {
    let name = plain(builder.text(name));
    builder.declare_anew(name);
    builder.write(name, value);
}

/// Whether a name in a pattern is a constant or a member of an enum, rather than bound.
fn is_constant(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

fn bind_inner<'t>(builder: &mut Builder<'t, '_>, pattern: Node<'t>, value: Slot) {
    let at = line(pattern);
    match pattern.kind() {
        "identifier" | "shorthand_field_identifier" if is_constant(builder.text(pattern)) => {}
        "identifier" | "shorthand_field_identifier" => bind_name(builder, pattern, value),
        "self" => {
            builder.declare_anew("self");
            builder.write("self", value);
        }
        "match_pattern" | "mut_pattern" | "ref_pattern" | "reference_pattern" | "box_pattern" => {
            let inner = children(pattern)
                .into_iter()
                .find(|child| child.kind() != "mutable_specifier" && !is_condition(pattern, *child));
            if let Some(inner) = inner {
                bind(builder, inner, value);
            }
        }
        "captured_pattern" => {
            let parts = children(pattern);
            if let Some(name) = parts.first() {
                bind(builder, *name, value);
            }
            if let Some(inner) = parts.get(1) {
                bind(builder, *inner, value);
            }
        }
        "tuple_pattern" => {
            for (place, part) in places(pattern) {
                let element = builder.load(value, &format!(".{place}"), at);
                bind(builder, part, element);
            }
        }
        "slice_pattern" => {
            for part in children(pattern) {
                let element = match part.kind() {
                    "captured_pattern" => value,
                    _ => builder.load_key(value, None, at),
                };
                bind(builder, part, element);
            }
        }
        "or_pattern" => alternatives(builder, pattern, value),
        "tuple_struct_pattern" => {
            let Some(name) = pattern.child_by_field_name("type") else {
                return;
            };
            let text = plain(builder.text(name));
            let last = text.rsplit("::").next().unwrap_or(text);
            let is_item = builder.item(text).is_some();
            let held = match last {
                "Some" | "Ok" | "Ready" if !is_item => Some(builder.load_inside(value, at)),
                "Err" if !is_item => Some(builder.load(value, ".err", at)),
                _ => None,
            };
            if let Some(held) = held {
                if let Some((_, part)) = places_after(pattern, name).into_iter().next() {
                    bind(builder, part, held);
                }
                return;
            }
            let instance = instance_named(builder, name);
            for (place, part) in places_after(pattern, name) {
                let element = builder.load(instance, &format!(".{place}"), at);
                bind(builder, part, element);
            }
        }
        "struct_pattern" => {
            let Some(name) = pattern.child_by_field_name("type") else {
                return;
            };
            let instance = instance_named(builder, name);
            for field in children(pattern) {
                if field.kind() != "field_pattern" {
                    continue;
                }
                let Some(name) = field.child_by_field_name("name") else {
                    continue;
                };
                let element = builder.load(instance, &format!(".{}", plain(builder.text(name))), at);
                match field.child_by_field_name("pattern") {
                    Some(inner) => bind(builder, inner, element),
                    None => bind(builder, name, element),
                }
            }
        }
        _ => {}
    }
}

fn is_condition<'t>(pattern: Node<'t>, child: Node<'t>) -> bool {
    pattern.child_by_field_name("condition") == Some(child)
}

/// The one instance of a class that a pattern names: its fields are those of all.
fn instance_named<'t>(builder: &mut Builder<'t, '_>, name: Node<'t>) -> Slot {
    let class = path(builder, name);
    let instance = builder.slot();
    builder.instance_of(instance, class);
    instance
}

/// The parts of a pattern with their places; what stands behind `..` has none that is known here.
fn places<'t>(pattern: Node<'t>) -> Vec<(usize, Node<'t>)> {
    let mut found = Vec::new();
    for (at, part) in children_with_blanks(pattern).into_iter().enumerate() {
        if part.kind() == "remaining_field_pattern" {
            break;
        }
        found.push((at, part));
    }
    found
}

fn places_after<'t>(pattern: Node<'t>, name: Node<'t>) -> Vec<(usize, Node<'t>)> {
    let mut found = Vec::new();
    let parts = children_with_blanks(pattern).into_iter().filter(|part| *part != name);
    for (at, part) in parts.enumerate() {
        if part.kind() == "remaining_field_pattern" {
            break;
        }
        found.push((at, part));
    }
    found
}

/// The parts of a pattern, `_` among them, which the grammar does not name.
fn children_with_blanks<'t>(pattern: Node<'t>) -> Vec<Node<'t>> {
    pattern
        .children()
        .filter(|child| {
            (child.is_named() || child.kind() == "_") && !matches!(child.kind(), "line_comment" | "block_comment")
        })
        .collect()
}

/// The names of an alternative may come from either side.
fn alternatives<'t>(builder: &mut Builder<'t, '_>, pattern: Node<'t>, value: Slot) {
    let parts = children(pattern);
    let Some((first, others)) = parts.split_first() else {
        return;
    };
    bind(builder, *first, value);
    let mut names = Vec::new();
    bound_names(builder, *first, &mut names);
    let joined: Vec<(&'t str, Slot)> = names
        .into_iter()
        .map(|name| {
            let slot = builder.slot();
            let one = builder.read(name);
            builder.copy(slot, one);
            (name, slot)
        })
        .collect();
    for other in others {
        bind(builder, *other, value);
        for (name, slot) in &joined {
            let one = builder.read(name);
            builder.copy(*slot, one);
        }
    }
    for (name, slot) in joined {
        builder.write(name, slot);
    }
}

/// The names that a pattern binds.
fn bound_names<'t>(builder: &Builder<'t, '_>, pattern: Node<'t>, found: &mut Vec<&'t str>) {
    let mut waiting = vec![pattern];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "identifier" | "shorthand_field_identifier" => {
                let name = plain(builder.text(node));
                if !is_constant(name) && !found.contains(&name) {
                    found.push(name);
                }
            }
            "scoped_identifier" | "scoped_type_identifier" | "type_identifier" | "field_identifier" => {}
            "tuple_struct_pattern" => {
                let name = node.child_by_field_name("type");
                waiting.extend(children(node).into_iter().filter(|child| Some(*child) != name));
            }
            _ => waiting.extend(children(node)),
        }
    }
}

/// The condition behind the pattern of an arm.
pub(super) fn guard<'t>(builder: &mut Builder<'t, '_>, pattern: Node<'t>) {
    if let Some(condition) = pattern.child_by_field_name("condition") {
        super::control::condition(builder, condition);
    }
}
