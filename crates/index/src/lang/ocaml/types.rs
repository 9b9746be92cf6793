//! Types of OCaml: records, variants, exceptions, classes with their methods and variables.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::docs::{doc, doc_of_member, doc_of_variants};
use super::{Binding, attributes, head_end, visibility};
use crate::extract::{Draft, Walker, child_of_kind, has_child};
use crate::language::Flow;
use crate::syntax::Node;

pub(super) fn type_binding<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    if name.kind() == "type_constructor_path" {
        // `type t += A` adds to a type that is defined elsewhere.
        let owner: String = walker.text(name).split_whitespace().collect();
        walker.open_named(&owner, SymbolKind::Enum, 0);
        return Flow::Descend;
    }
    let binding = Binding::of(walker, node);
    let body = node.child_by_field_name("body");
    let kind = match body.map_or("", |body| body.kind()) {
        "record_declaration" => SymbolKind::Struct,
        "variant_declaration" | ".." => SymbolKind::Enum,
        _ => SymbolKind::TypeAlias,
    };
    let end = match body {
        Some(body) if body.is_named() && kind != SymbolKind::TypeAlias => {
            head_end(walker, binding.start, body.start_byte())
        }
        _ => child_of_kind(node, &["item_attribute"]).map_or(node.end_byte(), |attribute| attribute.start_byte()),
    };
    let doc = match kind {
        SymbolKind::Enum => doc_of_variants(walker, binding.start, node.end_byte()),
        _ => doc(walker, binding.start, node.end_byte()),
    };
    let definition = walker.define(Draft {
        signature: (binding.start, end),
        doc,
        visibility: visibility(walker),
        decorators: attributes(walker, node),
        ..Draft::new(kind, name, binding.span)
    });
    walker.open(definition);
    Flow::Descend
}

/// A constructor of a variant, or an exception.
pub(super) fn constructor<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.named_child(0).filter(|name| name.kind() != "comment") else {
        return Flow::Descend;
    };
    let exception = walker.parent().filter(|parent| parent.kind() == "exception_definition");
    let (kind, span) = match exception {
        Some(exception) => (SymbolKind::Struct, exception),
        None => (SymbolKind::EnumMember, node),
    };
    let before = walker.slice(0, span.start_byte()).trim_end();
    let doc_start = if before.ends_with('|') {
        before.len() - 1
    } else {
        span.start_byte()
    };
    let doc = match exception {
        Some(_) => doc(walker, doc_start, span.end_byte()),
        None => doc_of_member(walker, doc_start, span.end_byte()),
    };
    let definition = walker.define(Draft {
        signature: (span.start_byte(), node.end_byte()),
        doc,
        visibility: visibility(walker),
        decorators: exception.map_or_else(Vec::new, |exception| attributes(walker, exception)),
        ..Draft::new(kind, name, span)
    });
    walker.open(definition);
    Flow::Descend
}

pub(super) fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = child_of_kind(node, &["field_name"]) {
        define_member(walker, node, name, SymbolKind::Field, node.end_byte());
    }
    Flow::Descend
}

pub(super) fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["class_name", "class_type_name"]) else {
        return Flow::Descend;
    };
    let kind = match node.kind() {
        "class_type_binding" => SymbolKind::Interface,
        _ => SymbolKind::Class,
    };
    let binding = Binding::of(walker, node);
    let body = node.child_by_field_name("body");
    let specified = node
        .child_by_field_name("class_type")
        .filter(|declared| declared.kind() == "class_body_type");
    let end = match specified.or(body) {
        Some(body) => head_end(walker, binding.start, body.start_byte()),
        None => node.end_byte(),
    };
    let mut modifiers = Modifiers::default();
    if has_child(node, "virtual") {
        modifiers.insert(Modifier::Abstract);
    }
    let doc = doc(walker, binding.start, node.end_byte());
    let definition = walker.define(Draft {
        signature: (binding.start, end),
        doc,
        visibility: visibility(walker),
        modifiers,
        decorators: attributes(walker, node),
        ..Draft::new(kind, name, binding.span)
    });
    walker.open(definition);
    Flow::Descend
}

pub(super) fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["method_name"]) else {
        return Flow::Descend;
    };
    let end = match node.child_by_field_name("body") {
        Some(body) => head_end(walker, node.start_byte(), body.start_byte()),
        None => node.end_byte(),
    };
    let definition = define_member(walker, node, name, SymbolKind::Method, end);
    walker.open(definition);
    Flow::Descend
}

pub(super) fn instance_variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = child_of_kind(node, &["instance_variable_name"]) {
        let definition = define_member(walker, node, name, SymbolKind::Field, node.end_byte());
        walker.open(definition);
    }
    Flow::Descend
}

fn define_member<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, kind: SymbolKind, end: usize) -> u32 {
    let mut modifiers = Modifiers::default();
    if has_child(node, "mutable") {
        modifiers.insert(Modifier::Mut);
    }
    if has_child(node, "virtual") {
        modifiers.insert(Modifier::Abstract);
    }
    if has_child(node, "!") {
        modifiers.insert(Modifier::Override);
    }
    // Variables and private methods of a class are there for what inherits from it.
    let is_protected = kind == SymbolKind::Field && node.kind() != "field_declaration" || has_child(node, "private");
    let visibility = if is_protected {
        Visibility::Protected
    } else {
        visibility(walker)
    };
    let doc = match node.kind() {
        "field_declaration" => doc_of_member(walker, node.start_byte(), node.end_byte()),
        _ => doc(walker, node.start_byte(), node.end_byte()),
    };
    walker.define(Draft {
        signature: (node.start_byte(), end),
        doc,
        visibility,
        modifiers,
        decorators: attributes(walker, node),
        ..Draft::new(kind, name, node)
    })
}
