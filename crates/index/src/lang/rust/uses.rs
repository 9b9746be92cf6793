//! The names that stand where types stand, and which parts of a file macros are given.

use lore_model::UseKind;

use crate::extract::Walker;
use crate::language::Flow;
use crate::syntax::Node;

/// Levels of the tree above a name in which an item may declare it.
const MAX_LEVELS: usize = 64;

/// The name of a type, or the path of names to it.
pub(super) fn type_use<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_declared = walker.parent().is_some_and(|parent| {
        let declares = matches!(
            parent.kind(),
            "struct_item"
                | "enum_item"
                | "union_item"
                | "trait_item"
                | "type_item"
                | "associated_type"
                | "type_parameter"
                | "type_binding"
        );
        // The head of an implementation says whose members follow.
        let heads = parent.kind() == "impl_item"
            || parent.kind() == "generic_type" && {
                walker
                    .ancestors()
                    .nth(1)
                    .is_some_and(|around| around.kind() == "impl_item")
                    && parent.child_by_field_name("type") == Some(node)
            };
        heads || declares && parent.child_by_field_name("name") == Some(node)
    });
    let text = walker.text(node);
    let first = text.split("::").next().unwrap_or("");
    if is_declared || first == "Self" || is_type_parameter(walker, first) || text.contains(['<', ' ', '\n']) {
        return if node.kind() == "scoped_type_identifier" && text.contains('<') {
            Flow::Descend
        } else {
            Flow::Skip
        };
    }
    walker.note_use(node, &text.replace("::", "."), UseKind::TYPE);
    Flow::Skip
}

/// Whether an item around the node under the cursor takes a type of that name.
fn is_type_parameter(walker: &Walker<'_>, name: &str) -> bool {
    let mut items = walker
        .ancestors()
        .take(MAX_LEVELS)
        .filter(|ancestor| ancestor.kind().ends_with("_item"));
    items.any(|ancestor| {
        ancestor
            .child_by_field_name("type_parameters")
            .is_some_and(|parameters| {
                parameters
                    .named_children()
                    .filter_map(|parameter| parameter.child_by_field_name("name"))
                    .any(|parameter| walker.text(parameter) == name)
            })
    })
}

/// Whether a node is what a macro is given.
pub(super) fn embeds(node: Node<'_>) -> bool {
    node.kind() == "token_tree"
        && node.parent().is_some_and(|parent| parent.kind() == "macro_invocation")
        && may_call("", node)
}

/// Whether what a macro is given may call anything: brackets stand in it, or it is a list.
pub(super) fn may_call(invocation: &str, tokens: Node<'_>) -> bool {
    let is_list = tokens.child(0).is_some_and(|first| first.kind() == "[");
    let is_text = ["stringify!", "cfg!", "concat!"]
        .iter()
        .any(|name| invocation.starts_with(name));
    !is_text && (is_list || tokens.named_children().any(|child| child.kind() == "token_tree"))
}
