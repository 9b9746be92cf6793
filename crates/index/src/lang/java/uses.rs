//! The names that stand where types stand: what a type extends and implements, annotations, and every other mention.

use lore_model::UseKind;

use crate::extract::{Walker, children_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// The name of a type, or the path of names to it.
pub(super) fn type_name<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut kind = UseKind::TYPE;
    for (at, ancestor) in walker.ancestors().take(MAX_AROUND).enumerate() {
        match ancestor.kind() {
            // What instances are made of is an edge of its own, and what a field is belongs to the field.
            "object_creation_expression" if at == 0 || is_generic_part(walker, at) => return Flow::Skip,
            "field_declaration" | "constant_declaration" => return Flow::Skip,
            "type_parameter" if ancestor.named_child(0) == Some(node) => return Flow::Skip,
            "superclass" | "extends_interfaces" if is_base(walker, at) => kind = UseKind::EXTENDS,
            "super_interfaces" if is_base(walker, at) => kind = UseKind::IMPLEMENTS,
            "generic_type" | "type_arguments" | "array_type" | "annotated_type" | "wildcard" | "type_list"
            | "type_bound" | "type_parameter" | "type_parameters" | "catch_type" => continue,
            _ => {}
        }
        break;
    }
    note(walker, node, None, kind);
    Flow::Skip
}

/// Whether the type at the cursor is the first part of the generic type just inside an ancestor.
fn is_generic_part(walker: &Walker<'_>, at: usize) -> bool {
    let inner: Vec<Node<'_>> = walker.ancestors().take(at).collect();
    inner.iter().all(|part| part.kind() == "generic_type")
}

/// Whether the type at the cursor is a base itself, rather than an argument of one.
fn is_base(walker: &Walker<'_>, at: usize) -> bool {
    walker.ancestors().take(at).all(|part| part.kind() != "type_arguments")
}

/// The annotation at the cursor.
pub(super) fn annotation<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        note(walker, name, None, UseKind::TYPE);
    }
    Flow::Descend
}

/// The types that the declaration of a field names.
pub(super) fn field_types<'t>(walker: &mut Walker<'t>, declaration: Node<'t>, definition: u32) {
    let mut waiting: Vec<Node<'t>> = declaration.child_by_field_name("type").into_iter().collect();
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "type_identifier" | "scoped_type_identifier" => note(walker, node, Some(definition), UseKind::TYPE),
            _ => {
                waiting.extend(node.named_children());
            }
        }
    }
}

fn note<'t>(walker: &mut Walker<'t>, node: Node<'t>, definition: Option<u32>, kind: u8) {
    let text: String = walker.text(node).split_whitespace().collect();
    let path = text.split('<').next().unwrap_or(&text);
    let first = path.split('.').next().unwrap_or(path);
    if first == "var" || is_type_parameter(walker, first) {
        return;
    }
    match definition {
        Some(definition) => walker.note_use_in(definition, node, path, kind),
        None => walker.note_use(node, path, kind),
    }
}

/// Nodes around a name that are looked at.
const MAX_AROUND: usize = 64;

/// Whether a declaration around the cursor takes a type of that name.
fn is_type_parameter(walker: &Walker<'_>, name: &str) -> bool {
    walker.ancestors().take(MAX_AROUND).any(|ancestor| {
        ancestor
            .child_by_field_name("type_parameters")
            .is_some_and(|parameters| {
                children_of_kind(parameters, &["type_parameter"])
                    .into_iter()
                    .filter_map(|parameter| {
                        children_of_kind(parameter, &["type_identifier", "identifier"])
                            .first()
                            .copied()
                    })
                    .any(|parameter| walker.text(parameter) == name)
            })
    })
}
