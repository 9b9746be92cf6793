//! The names in the positions of types: interfaces of classes, bases of interfaces, and every other mention.

use lore_model::{SymbolKind, UseKind};

use crate::extract::{Walker, children_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// The name of a type, or the path of names to it.
pub(super) fn type_name<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if is_declared_here(walker, node) {
        return Flow::Skip;
    }
    let text: String = walker.text(node).split_whitespace().collect();
    if is_type_parameter(walker, text.split('.').next().unwrap_or("")) {
        return Flow::Skip;
    }
    walker.note_use(node, &text, kind_of(walker));
    if walker.enclosing_kind() == SymbolKind::Constructor {
        // A parameter that declares a field belongs to both.
        let constructor = walker.enclosing_definition();
        walker.note_use_in(constructor, node, &text, UseKind::TYPE);
    }
    Flow::Skip
}

/// Whether a node is the name that a declaration gives.
fn is_declared_here<'t>(walker: &Walker<'t>, node: Node<'t>) -> bool {
    walker.parent().is_some_and(|parent| {
        matches!(
            parent.kind(),
            "class_declaration"
                | "abstract_class_declaration"
                | "class"
                | "interface_declaration"
                | "type_alias_declaration"
                | "type_parameter"
                | "mapped_type_clause"
        ) && parent.child_by_field_name("name") == Some(node)
    })
}

/// How the name under the cursor is used. The arguments of a base are types like any other.
fn kind_of(walker: &Walker<'_>) -> u8 {
    let clause = walker
        .ancestors()
        .find(|ancestor| ancestor.kind() != "generic_type")
        .map_or("", |clause| clause.kind());
    match clause {
        "implements_clause" => UseKind::IMPLEMENTS,
        "extends_type_clause" => UseKind::EXTENDS,
        _ => UseKind::TYPE,
    }
}

/// Whether a declaration around the node under the cursor takes a type of that name.
fn is_type_parameter(walker: &Walker<'_>, name: &str) -> bool {
    walker.ancestors().any(|ancestor| {
        ancestor
            .child_by_field_name("type_parameters")
            .is_some_and(|parameters| {
                children_of_kind(parameters, &["type_parameter"])
                    .into_iter()
                    .filter_map(|parameter| parameter.child_by_field_name("name"))
                    .any(|parameter| walker.text(parameter) == name)
            })
    })
}
