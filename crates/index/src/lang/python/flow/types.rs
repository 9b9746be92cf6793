//! Annotations as hints.

use super::expressions::{children, expression, plain_string};
use super::{Builder, line};
use crate::extract::child_of_kind;
use crate::flow::Slot;
use crate::syntax::Node;

/// Says what type a slot is declared to have.
pub(super) fn declare_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    if !builder.enter() {
        builder.leave();
        return;
    }
    match declared.kind() {
        "type" | "parenthesized_expression" => {
            if let Some(inner) = declared.named_child(0) {
                declare_type(builder, slot, inner);
            }
        }
        "identifier" | "attribute" => {
            let name = builder.text(declared);
            if !matches!(
                name,
                "Any" | "object" | "None" | "str" | "int" | "float" | "bool" | "bytes"
            ) {
                let class = dotted(builder, declared);
                builder.hint(slot, class);
            }
        }
        // `X | Y`
        "binary_operator" | "union_type" => {
            for part in children(declared) {
                declare_type(builder, slot, part);
            }
        }
        "string" => {
            if let Some(name) = plain_string(builder, declared)
                && name.split('.').all(|part| {
                    !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
                })
            {
                let class = dotted_text(builder, name);
                builder.hint(slot, class);
            }
        }
        "generic_type" | "subscript" => generic(builder, slot, declared),
        _ => {}
    }
    builder.leave();
}

/// `Optional[X]` and its like are X; a collection holds X; any other is the class before its arguments.
pub(super) fn generic<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    let Some(head) = declared.named_child(0) else { return };
    let text = builder.text(head);
    let last = text.rsplit('.').next().unwrap_or(text);
    let arguments: Vec<Node<'t>> = match child_of_kind(declared, &["type_parameter"]) {
        Some(list) => children(list),
        None => declared.children_by_field_name("subscript").collect(),
    };
    match last {
        "Optional" | "Union" | "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Awaitable"
        | "Coroutine" => {
            let wanted = if last == "Annotated" { 1 } else { arguments.len() };
            for argument in arguments.into_iter().take(wanted) {
                declare_type(builder, slot, argument);
            }
        }
        "Callable" | "Literal" => {}
        "Type" | "type" => {
            // The class itself.
            if let Some(argument) = arguments.first()
                && let Some(inner) = argument.named_child(0).or(Some(*argument))
            {
                let class = dotted(builder, inner);
                builder.hint_value(slot, class);
            }
        }
        "List" | "list" | "Sequence" | "Iterable" | "Iterator" | "Set" | "set" | "FrozenSet" | "frozenset"
        | "Collection" | "Deque" | "deque" | "Tuple" | "tuple" | "Generator" | "AsyncIterator" | "AsyncIterable"
        | "MutableSequence" | "Dict" | "dict" | "Mapping" | "MutableMapping" | "DefaultDict" | "defaultdict"
        | "OrderedDict" => {
            let is_map = last.to_ascii_lowercase().contains("dict") || last.contains("Mapping");
            let class = match last.to_ascii_lowercase().as_str() {
                _ if is_map => "dict",
                "tuple" => "tuple",
                "set" | "frozenset" => "set",
                _ => "list",
            };
            let held = builder.allocate(class, line(declared));
            let element = builder.slot();
            for argument in arguments.into_iter().skip(usize::from(is_map)) {
                declare_type(builder, element, argument);
            }
            builder.store_key(held, None, element, line(declared));
            builder.hint_value(slot, held);
        }
        _ => {
            let class = dotted(builder, head);
            builder.hint(slot, class);
        }
    }
}

/// The value of a name or a path of names.
pub(super) fn dotted<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    match node.kind() {
        "dotted_name" => {
            let text = builder.text(node);
            dotted_text(builder, text)
        }
        _ => expression(builder, node),
    }
}

pub(super) fn dotted_text<'t>(builder: &mut Builder<'t, '_>, text: &'t str) -> Slot {
    let mut parts = text.split('.').map(str::trim);
    let mut slot = builder.read(parts.next().unwrap_or(""));
    for part in parts {
        slot = builder.load(slot, part, 0);
    }
    slot
}
