//! Looking at the children of a node by their kind.

use crate::syntax::Node;

/// The first child of one of these kinds.
pub(crate) fn child_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    node.children().find(|child| kinds.contains(&child.kind()))
}

/// The children of one of these kinds, in order.
pub(crate) fn children_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
    node.children().filter(|child| kinds.contains(&child.kind())).collect()
}

/// Whether a node has a child of this kind; keywords are kinds too.
pub(crate) fn has_child(node: Node<'_>, kind: &str) -> bool {
    child_of_kind(node, &[kind]).is_some()
}
