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
        "identifier" | "attribute" if says_little(builder.text(declared)) => {}
        "identifier" | "attribute" => {
            let class = dotted(builder, declared);
            builder.hint(slot, class);
        }
        // `X | Y`
        "binary_operator" | "union_type" => {
            for part in children(declared) {
                declare_type(builder, slot, part);
            }
        }
        "string" => {
            if let Some(text) = plain_string(builder, declared) {
                let at = line(declared);
                declare_text(builder, slot, text, at);
            }
        }
        "generic_type" | "subscript" => generic(builder, slot, declared),
        _ => {}
    }
    builder.leave();
}

/// Whether a type says nothing that a call could use.
fn says_little(name: &str) -> bool {
    matches!(
        name,
        "Any" | "object" | "None" | "str" | "int" | "float" | "bool" | "bytes"
    )
}

/// A part of an annotation: as the tree has it, or as text inside of quotation marks.
#[derive(Clone, Copy)]
enum Annotation<'t> {
    Node(Node<'t>),
    Text(&'t str, u32),
}

impl<'t> Annotation<'t> {
    fn declare(self, builder: &mut Builder<'t, '_>, slot: Slot) {
        match self {
            Self::Node(node) => declare_type(builder, slot, node),
            Self::Text(text, line) => declare_text(builder, slot, text, line),
        }
    }

    /// The class that the annotation names.
    fn class(self, builder: &mut Builder<'t, '_>) -> Slot {
        match self {
            Self::Node(node) => {
                let inner = node.named_child(0).filter(|_| node.kind() == "type").unwrap_or(node);
                dotted(builder, inner)
            }
            Self::Text(text, _) => dotted_text(builder, text.trim().trim_matches(['"', '\''])),
        }
    }
}

/// As [`declare_type`], for an annotation in quotation marks.
fn declare_text<'t>(builder: &mut Builder<'t, '_>, slot: Slot, text: &'t str, line: u32) {
    let text = text.trim();
    if builder.enter() {
        let alternatives = split_outside_brackets(text, '|');
        if alternatives.len() > 1 {
            for part in alternatives {
                declare_text(builder, slot, part, line);
            }
        } else if let Some((head, arguments)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            let arguments = split_outside_brackets(arguments, ',');
            let arguments = arguments.into_iter().map(|part| Annotation::Text(part, line)).collect();
            declare_generic(builder, slot, Annotation::Text(head, line), head, arguments, line);
        } else {
            let name = text.trim_matches(['"', '\'']);
            let is_name =
                |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            if name.split('.').all(is_name) && !says_little(name) {
                let class = dotted_text(builder, name);
                builder.hint(slot, class);
            }
        }
    }
    builder.leave();
}

/// The parts of a text between separators that are in no brackets and no quotation marks.
fn split_outside_brackets(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0usize, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' | '\'' if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(letter),
            _ if quote.is_some() => {}
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ if letter == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// `X[Y]` as the tree has it.
pub(super) fn generic<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    let Some(head) = declared.named_child(0) else { return };
    let text = builder.text(head);
    let arguments: Vec<Node<'t>> = match child_of_kind(declared, &["type_parameter"]) {
        Some(list) => children(list),
        None => declared.children_by_field_name("subscript").collect(),
    };
    let arguments = arguments.into_iter().map(Annotation::Node).collect();
    declare_generic(builder, slot, Annotation::Node(head), text, arguments, line(declared));
}

/// `Optional[X]` and its like are X; a collection holds X; any other is the class before its arguments.
fn declare_generic<'t>(
    builder: &mut Builder<'t, '_>,
    slot: Slot,
    head: Annotation<'t>,
    text: &'t str,
    arguments: Vec<Annotation<'t>>,
    line: u32,
) {
    let last = text.rsplit('.').next().unwrap_or(text).trim();
    match last {
        "Optional" | "Union" | "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Awaitable"
        | "Coroutine" => {
            let wanted = if last == "Annotated" { 1 } else { arguments.len() };
            for argument in arguments.into_iter().take(wanted) {
                argument.declare(builder, slot);
            }
        }
        "Callable" | "Literal" => {}
        "Type" | "type" => {
            // The class itself.
            if let Some(argument) = arguments.first() {
                let class = argument.class(builder);
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
            let held = builder.allocate(class, line);
            let element = builder.slot();
            for argument in arguments.into_iter().skip(usize::from(is_map)) {
                argument.declare(builder, element);
            }
            builder.store_key(held, None, element, line);
            builder.hint_value(slot, held);
        }
        _ => {
            let class = head.class(builder);
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
