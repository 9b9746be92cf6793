//! The names that stand where types stand: what is embedded, and every other mention.

use lore_model::UseKind;

use crate::extract::Walker;
use crate::language::Flow;
use crate::syntax::Node;

/// The name of a type, with its package or without.
pub(super) fn type_name<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let text = walker.text(node);
    if super::flow::is_basic_type(text) || text.contains(char::is_whitespace) {
        return Flow::Skip;
    }
    let Some(parent) = walker.parent() else {
        return Flow::Skip;
    };
    let is_declared_here =
        matches!(parent.kind(), "type_spec" | "type_alias") && parent.child_by_field_name("name") == Some(node);
    // What a literal is made of is an instance, and the receiver is what the method belongs to.
    if is_declared_here || is_made(walker, node) || is_receiver(walker) || is_parameter(walker, text) {
        return Flow::Skip;
    }
    if is_embedded(walker) {
        let owner = walker.enclosing_definition();
        walker.note_use_in(owner, node, text, UseKind::EXTENDS);
    } else {
        walker.note_use(node, text, UseKind::TYPE)
    }
    Flow::Skip
}

/// Whether a name is that of the type of a literal.
fn is_made(walker: &Walker<'_>, node: Node<'_>) -> bool {
    let mut ancestors = walker.ancestors();
    match (ancestors.next(), ancestors.next()) {
        (Some(literal), _) if literal.kind() == "composite_literal" => true,
        (Some(generic), Some(literal)) => {
            generic.kind() == "generic_type"
                && literal.kind() == "composite_literal"
                && generic.child_by_field_name("type") == Some(node)
        }
        _ => false,
    }
}

/// Whether the name under the cursor is that of the type of a method.
fn is_receiver(walker: &Walker<'_>) -> bool {
    let mut ancestors = walker
        .ancestors()
        .skip_while(|node| matches!(node.kind(), "pointer_type" | "generic_type" | "parenthesized_type"));
    let (Some(declaration), Some(list), Some(method)) = (ancestors.next(), ancestors.next(), ancestors.next()) else {
        return false;
    };
    declaration.kind() == "parameter_declaration"
        && method.kind() == "method_declaration"
        && method.child_by_field_name("receiver") == Some(list)
}

/// Whether the type under the cursor is embedded in a struct or an interface.
fn is_embedded(walker: &Walker<'_>) -> bool {
    let mut ancestors = walker
        .ancestors()
        .skip_while(|node| matches!(node.kind(), "pointer_type" | "generic_type"));
    let Some(around) = ancestors.next() else { return false };
    match around.kind() {
        "field_declaration" => around.child_by_field_name("name").is_none(),
        "type_elem" => {
            around.named_child_count() == 1 && ancestors.next().is_some_and(|list| list.kind() == "interface_type")
        }
        _ => false,
    }
}

/// Whether a declaration around the name under the cursor takes a type of that name.
fn is_parameter(walker: &Walker<'_>, name: &str) -> bool {
    walker.ancestors().any(|ancestor| {
        let (list, field) = match ancestor.kind() {
            "function_declaration" | "type_spec" => (ancestor.child_by_field_name("type_parameters"), "name"),
            "method_declaration" => (ancestor.child_by_field_name("receiver"), ""),
            _ => return false,
        };
        let Some(list) = list else { return false };
        if field.is_empty() {
            // `func (s *Stack[T]) Push(v T)`
            return walker
                .text(list)
                .split_once('[')
                .is_some_and(|(_, names)| names.split([',', ' ', ']']).any(|other| other == name));
        }
        list.named_children().any(|declaration| {
            declaration
                .children_by_field_name(field)
                .any(|other| walker.text(other) == name)
        })
    })
}
