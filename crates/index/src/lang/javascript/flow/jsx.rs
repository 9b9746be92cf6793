//! Elements of JSX: a component is called with its attributes.

use lore_model::FlowFlags;

use crate::extract::children_of_kind;
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

use super::expressions::expression;
use super::{Builder, children, line};

/// A component is called with its attributes.
pub(super) fn jsx<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let tag = match node.kind() {
        "jsx_self_closing_element" => Some(node),
        _ => node.child_by_field_name("open_tag"),
    };
    let mut component = None;
    let properties = builder.allocate("Object", line(node));
    if let Some(tag) = tag {
        if let Some(name) = tag.child_by_field_name("name") {
            let text = builder.text(name);
            // Names in lower case are the browser's.
            if text.starts_with(|first: char| first.is_uppercase()) || name.kind() == "member_expression" {
                component = Some((expression(builder, name), line(name)));
            }
        }
        for attribute in children_of_kind(tag, &["jsx_attribute"]) {
            let parts = children(attribute);
            let (Some(name), value) = (parts.first(), parts.get(1)) else {
                continue;
            };
            if let Some(value) = value {
                let value = expression_of_jsx(builder, *value);
                builder.store(properties, builder.text(*name), value, line(attribute));
            }
        }
    }
    for child in children(node) {
        match child.kind() {
            "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => {
                let value = jsx(builder, child);
                builder.store(properties, "children", value, line(child));
            }
            "jsx_expression" => {
                let value = expression_of_jsx(builder, child);
                builder.store(properties, "children", value, line(child));
            }
            _ => {}
        }
    }
    match component {
        Some((component, at)) => builder.call(
            component,
            &[Argument::Plain(properties)],
            at,
            FlowFlags::NEW | FlowFlags::COMPONENT,
        ),
        None => builder.slot(),
    }
}

pub(super) fn expression_of_jsx<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    match node.kind() {
        "jsx_expression" => match children(node).first() {
            Some(inner) => expression(builder, *inner),
            None => builder.slot(),
        },
        _ => expression(builder, node),
    }
}
