//! Parameters, types and variables that are definitions: those of modules, interfaces, packages and classes.

use lore_model::{Modifier, SymbolKind, Visibility};

use super::{Qualifiers, doc, doc_of_line, inherited};
use crate::extract::{Draft, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::Flow;
use crate::syntax::Node;

/// A parameter: a constant, or a type that is given from outside.
pub(super) fn parameter<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = node
        .child_by_field_name("name")
        .or_else(|| child_of_kind(node, &["simple_identifier", "escaped_identifier"]));
    let Some(name) = name.filter(|_| !walker.in_function()) else {
        return Flow::Descend;
    };
    let kind = match node.kind() {
        "type_assignment" => SymbolKind::TypeAlias,
        _ => SymbolKind::Constant,
    };
    let declaration = walker.ancestors().skip(1).take(3).find(|around| {
        matches!(
            around.kind(),
            "parameter_declaration" | "local_parameter_declaration" | "parameter_port_declaration"
        )
    });
    let span = declaration.unwrap_or(node);
    // A `localparam` cannot be set from outside, and only those of packages and classes can be read from outside.
    let is_local = span.kind() == "local_parameter_declaration"
        && matches!(walker.enclosing_kind(), SymbolKind::Module | SymbolKind::Interface)
        && walker.scopes.len() > 1;
    walker.define(Draft {
        signature: (span.start_byte(), span.end_byte()),
        doc: doc_of_line(walker, span),
        visibility: if is_local {
            Visibility::Private
        } else {
            Visibility::Public
        },
        ..Draft::new(kind, name, span)
    });
    Flow::Descend
}

/// `typedef`: an enumeration, a structure, or another name for a type. A forward declaration is skipped.
pub(super) fn type_declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(data_type)) = (
        node.child_by_field_name("type_name"),
        child_of_kind(node, &["data_type", "class_type", "simple_identifier"]),
    ) else {
        return Flow::Descend;
    };
    if data_type == name {
        return Flow::Descend;
    }
    let kind = if has_child(data_type, "enum") {
        SymbolKind::Enum
    } else if has_child(data_type, "struct_union") {
        SymbolKind::Struct
    } else {
        SymbolKind::TypeAlias
    };
    let end = child_of_kind(data_type, &["{"]).map_or(node.end_byte(), |brace| brace.start_byte());
    let qualifiers = match walker.ancestors().nth(1) {
        Some(member) if member.kind() == "class_property" => Qualifiers::of(walker, member),
        _ => Qualifiers::default(),
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc(walker, node.start_byte()),
        visibility: qualifiers.visibility.unwrap_or(inherited(walker)),
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A member of an enumeration; where that has no name, it belongs to what encloses it.
pub(super) fn enum_member<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_named = walker.enclosing_kind() == SymbolKind::Enum;
    if let Some(name) = node.named_child(0)
        && (is_named || !walker.in_function())
    {
        walker.define(Draft {
            doc: doc_of_line(walker, node),
            ..Draft::new(SymbolKind::EnumMember, name, node)
        });
    }
    Flow::Descend
}

/// The members of a structure that has a name.
pub(super) fn member<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if !matches!(walker.enclosing_kind(), SymbolKind::Struct | SymbolKind::Field) {
        return Flow::Descend;
    }
    let mut first = None;
    for name in declared(node) {
        let definition = walker.define(Draft {
            doc: doc_of_line(walker, node),
            ..Draft::new(SymbolKind::Field, name, node)
        });
        first.get_or_insert(definition);
    }
    if let Some(first) = first {
        // A structure inside it has no other name.
        walker.open(first);
    }
    Flow::Descend
}

/// The properties of a class, and the variables of packages and of no unit at all. Those of modules are wires and registers.
pub(super) fn variables<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if child_of_kind(node, &["type_declaration", "package_import_declaration"]).is_some() {
        return Flow::Descend;
    }
    let kind = match walker.enclosing_kind() {
        SymbolKind::Class => SymbolKind::Field,
        SymbolKind::Namespace => SymbolKind::Static,
        SymbolKind::Module if walker.scopes.len() == 1 && is_top(walker) => SymbolKind::Static,
        _ => return Flow::Descend,
    };
    let member = walker.parent().filter(|parent| parent.kind() == "class_property");
    let mut qualifiers = member.map_or_else(Qualifiers::default, |member| Qualifiers::of(walker, member));
    let is_constant = has_child(node, "const") || member.is_some_and(|member| has_child(member, "const"));
    let kind = match kind {
        SymbolKind::Static if is_constant => SymbolKind::Constant,
        kind => kind,
    };
    if is_constant && kind == SymbolKind::Field {
        qualifiers.modifiers.insert(Modifier::Const);
    }
    let span = member.unwrap_or(node);
    for name in declared(node) {
        walker.define(Draft {
            doc: doc_of_line(walker, span),
            visibility: qualifiers.visibility.unwrap_or(Visibility::Public),
            modifiers: qualifiers.modifiers,
            ..Draft::new(kind, name, span)
        });
    }
    Flow::Descend
}

/// Whether the current node is outside every unit. A file with only statements is a part of some module.
fn is_top(walker: &Walker<'_>) -> bool {
    walker
        .ancestors()
        .all(|around| matches!(around.kind(), "source_file" | "package_item"))
}

/// The names that a declaration gives.
fn declared(node: Node<'_>) -> Vec<Node<'_>> {
    let list = child_of_kind(node, &["list_of_variable_decl_assignments"]);
    let assignments = list.map_or(Vec::new(), |list| children_of_kind(list, &["variable_decl_assignment"]));
    assignments
        .into_iter()
        .filter_map(|assignment| assignment.child_by_field_name("name"))
        .collect()
}
