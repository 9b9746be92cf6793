//! Declared types: certain where they are concrete, a last resort where they only promise.

use lore_model::{BodyFlags, NONE};

use crate::extract::child_of_kind;
use crate::flow::{Named, Slot};
use crate::syntax::Node;

use super::paths::{is_primitive, path};
use super::{Builder, children, line, plain};

/// The class of the prelude for types that are not classes: its element is a value of the type.
pub(super) const ALIAS: &str = "__Type";

/// How much a declared type says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Certainty {
    /// Nothing.
    Nothing,
    /// The slot holds an instance of the type.
    Certain,
    /// It is a collection, of which values may say more.
    Likely,
    /// It only promises something.
    Last,
}

/// What a generic type of the standard library, or one that is named like it, holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// The type is transparent: the slot holds the content.
    Inner,
    /// A collection of a class of the prelude.
    Collection(&'static str),
    Map,
    Result,
}

/// The generic types that are known by their name.
fn known(name: &str) -> Option<Known> {
    Some(match name {
        "Box" | "Rc" | "Arc" | "RefCell" | "Cell" | "Mutex" | "RwLock" | "Ref" | "RefMut" | "MutexGuard"
        | "RwLockReadGuard" | "RwLockWriteGuard" | "Weak" | "Pin" | "Cow" | "OnceCell" | "OnceLock" | "LazyLock"
        | "LazyCell" | "Lazy" | "ManuallyDrop" | "UnsafeCell" | "Reverse" | "NonNull" | "MaybeUninit" | "Wrapping" => {
            Known::Inner
        }
        "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" | "IntoIter" | "Iter" | "IterMut" | "Peekable"
        | "SmallVec" => Known::Collection("Vec"),
        "HashSet" | "BTreeSet" | "IndexSet" => Known::Collection("HashSet"),
        "HashMap" | "BTreeMap" | "IndexMap" => Known::Map,
        "Option" => Known::Collection("Option"),
        "Result" => Known::Result,
        "JoinHandle" => Known::Collection("JoinHandle"),
        "Sender" | "SyncSender" | "Receiver" | "UnboundedSender" | "UnboundedReceiver" => Known::Collection("Channel"),
        _ => return None,
    })
}

/// What a name of a type is known to hold, unless the file gives the name another meaning.
fn known_here(builder: &Builder<'_, '_>, name: &str) -> Option<Known> {
    known(name).filter(|_| !builder.hidden_types.contains(name))
}

/// Says that a name of the standard library means something of this tree.
pub(super) fn hide_known<'t>(builder: &mut Builder<'t, '_>, name: &'t str) {
    if known(name).is_some() {
        builder.hidden_types.insert(name);
    }
}

/// The last name of a path of names.
fn last_name<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> &'t str {
    let text = builder.text(node);
    plain(text.rsplit("::").next().unwrap_or(text).trim())
}

/// The type parameter that a type is, behind any references.
pub(super) fn generic_name<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<&'t str> {
    let mut node = declared;
    while matches!(node.kind(), "reference_type" | "pointer_type") {
        node = node.child_by_field_name("type")?;
    }
    if node.kind() != "type_identifier" {
        return None;
    }
    let name = plain(builder.text(node));
    match builder.item(name) {
        Some((_, Named::TypeParameter)) => Some(name),
        _ => None,
    }
}

/// Whether a type is a pointer that counts its copies: to copy it is not to copy what it points to.
pub(super) fn is_counted<'t>(builder: &Builder<'t, '_>, declared: Node<'t>) -> bool {
    let mut node = declared;
    while let Some(inner) = node
        .child_by_field_name("type")
        .filter(|_| node.kind() == "reference_type")
    {
        node = inner;
    }
    let head = node
        .child_by_field_name("type")
        .filter(|_| node.kind() == "generic_type");
    head.is_some_and(|head| matches!(last_name(builder, head), "Rc" | "Arc" | "Weak"))
}

/// The arguments of a generic type that are types.
fn arguments<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    child_of_kind(node, &["type_arguments"]).map_or_else(Vec::new, |list| {
        children(list)
            .into_iter()
            .filter(|argument| !matches!(argument.kind(), "lifetime" | "type_binding"))
            .collect()
    })
}

/// The type that a name is bound to among the arguments of a type, as in `Iterator<Item = T>`.
fn binding<'t>(builder: &Builder<'t, '_>, node: Node<'t>, name: &str) -> Option<Node<'t>> {
    let list = child_of_kind(node, &["type_arguments"])?;
    children(list)
        .into_iter()
        .find(|argument| {
            argument.kind() == "type_binding"
                && argument
                    .child_by_field_name("name")
                    .is_some_and(|found| builder.text(found) == name)
        })?
        .child_by_field_name("type")
}

/// The traits that bounds name.
pub(super) fn bounds_of<'t>(bounds: Node<'t>) -> Vec<Node<'t>> {
    children(bounds)
        .into_iter()
        .filter(|bound| !matches!(bound.kind(), "lifetime" | "removed_trait_bound" | "use_bounds"))
        .map(|bound| match bound.kind() {
            "higher_ranked_trait_bound" => bound.child_by_field_name("type").unwrap_or(bound),
            _ => bound,
        })
        .collect()
}

/// The class of a type, behind any references.
pub(super) fn class_of_type<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Slot {
    if !builder.enter() {
        builder.leave();
        return builder.slot();
    }
    let slot = class_of_inner(builder, declared);
    builder.leave();
    slot
}

fn class_of_inner<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Slot {
    match declared.kind() {
        "reference_type" | "pointer_type" => match declared.child_by_field_name("type") {
            Some(inner) => class_of_type(builder, inner),
            None => builder.slot(),
        },
        "type_identifier" | "identifier" | "scoped_type_identifier" | "scoped_identifier" => path(builder, declared),
        "generic_type" | "generic_type_with_turbofish" => {
            let Some(inner) = declared.child_by_field_name("type") else {
                return builder.slot();
            };
            let known = known_here(builder, last_name(builder, inner));
            match known {
                Some(Known::Collection(class)) => builder.global(class),
                Some(Known::Map) => builder.global("HashMap"),
                Some(Known::Result) => builder.global("Result"),
                _ => path(builder, inner),
            }
        }
        "primitive_type" => {
            let name = builder.text(declared);
            match builder.item(name) {
                Some((class, _)) => class,
                None => builder.global(name),
            }
        }
        "array_type" => builder.global("Vec"),
        "tuple_type" => builder.global("tuple"),
        "dynamic_type" | "abstract_type" => match declared.child_by_field_name("trait") {
            Some(inner) => class_of_type(builder, inner),
            None => builder.slot(),
        },
        "bounded_type" | "bracketed_type" | "parenthesized_type" | "qualified_type" => {
            match children(declared).first() {
                Some(inner) => class_of_type(builder, *inner),
                None => builder.slot(),
            }
        }
        _ => builder.slot(),
    }
}

/// The class that code with this expected type gets: the content of boxes, options and results.
pub(super) fn expected_of<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<Slot> {
    let mut node = declared;
    loop {
        match node.kind() {
            "reference_type" => node = node.child_by_field_name("type")?,
            "generic_type" => {
                let inner = node.child_by_field_name("type")?;
                match known_here(builder, last_name(builder, inner)) {
                    Some(Known::Inner | Known::Result | Known::Collection("Option")) => {
                        node = *arguments(node).first()?;
                    }
                    _ => return Some(class_of_type(builder, node)),
                }
            }
            "type_identifier" | "scoped_type_identifier" => return Some(path(builder, node)),
            "primitive_type" if builder.text(node) == "str" => return Some(builder.global("str")),
            "array_type" => return Some(builder.global("Vec")),
            _ => return None,
        }
    }
}

/// The class of the errors of a declared result.
pub(super) fn error_of<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<Slot> {
    let inner = declared.child_by_field_name("type")?;
    if declared.kind() != "generic_type" || known_here(builder, last_name(builder, inner)) != Some(Known::Result) {
        return None;
    }
    let error = *arguments(declared).get(1)?;
    if error.kind() == "generic_type" {
        return expected_of(builder, error);
    }
    Some(class_of_type(builder, error))
}

/// A type that has a name.
pub(super) fn alias_of<'t>(builder: &mut Builder<'t, '_>, meant: Node<'t>) -> Slot {
    match meant.kind() {
        "type_identifier" | "scoped_type_identifier" | "primitive_type" | "generic_type" => {
            class_of_type(builder, meant)
        }
        _ => {
            let alias = builder.allocate(ALIAS, line(meant));
            let value = builder.slot();
            declare_type(builder, value, meant);
            builder.store_key(alias, None, value, line(meant));
            alias
        }
    }
}

fn is_known<'t>(builder: &Builder<'t, '_>, generic: Node<'t>) -> bool {
    generic
        .child_by_field_name("type")
        .is_some_and(|inner| known_here(builder, last_name(builder, inner)).is_some())
}

/// A value with the type that it is declared to have.
pub(super) fn typed<'t>(builder: &mut Builder<'t, '_>, value: Slot, declared: Node<'t>) -> Slot {
    let slot = builder.slot();
    match certain_class(builder, declared) {
        Some(class) => {
            builder.narrow_certain(slot, value, class);
            builder.instance_of(slot, class);
        }
        None => {
            match collection_class(builder, declared) {
                Some(class) => builder.narrow_certain(slot, value, class),
                None => builder.copy(slot, value),
            }
            declare_type(builder, slot, declared);
        }
    }
    slot
}

/// The class of a collection type, behind any wrappers.
fn collection_class<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<Slot> {
    let mut node = declared;
    loop {
        match node.kind() {
            "reference_type" => node = node.child_by_field_name("type")?,
            "generic_type" => {
                let head = node.child_by_field_name("type")?;
                match known_here(builder, last_name(builder, head))? {
                    Known::Inner => node = *arguments(node).first()?,
                    Known::Collection("Option") | Known::Map | Known::Result => {
                        return Some(class_of_type(builder, node));
                    }
                    Known::Collection(_) => return None,
                }
            }
            _ => return None,
        }
    }
}

/// The class of a type that leaves no doubt: what has it is an instance of the class and of no other.
fn certain_class<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<Slot> {
    let mut node = declared;
    while matches!(node.kind(), "reference_type" | "pointer_type") {
        node = node.child_by_field_name("type")?;
    }
    match node.kind() {
        "type_identifier" => match builder.item(plain(builder.text(node)))? {
            (class, Named::Item) => Some(class),
            _ => None,
        },
        "scoped_type_identifier" if !associated(builder, node) => Some(path(builder, node)),
        "generic_type" if !is_known(builder, node) => {
            let head = node.child_by_field_name("type")?;
            match head.kind() {
                "type_identifier" => builder.item(plain(builder.text(head))).map(|(class, _)| class),
                _ => Some(path(builder, head)),
            }
        }
        _ => None,
    }
}

/// Says what type a slot is declared to have, and how much that says.
pub(super) fn declare_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) -> Certainty {
    let certainty = if builder.enter() {
        lower_type(builder, slot, declared)
    } else {
        Certainty::Nothing
    };
    builder.leave();
    certainty
}

fn lower_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) -> Certainty {
    match declared.kind() {
        "reference_type" | "pointer_type" => match declared.child_by_field_name("type") {
            Some(inner) => declare_type(builder, slot, inner),
            None => Certainty::Nothing,
        },
        "parenthesized_type" => match children(declared).first() {
            Some(inner) => declare_type(builder, slot, *inner),
            None => Certainty::Nothing,
        },
        "type_identifier" => {
            let name = plain(builder.text(declared));
            match builder.item(name) {
                Some((class, Named::TypeParameter)) => {
                    builder.hint_last(slot, class);
                    Certainty::Last
                }
                Some((class, _)) => {
                    builder.instance_of(slot, class);
                    Certainty::Certain
                }
                None => {
                    let class = builder.global(name);
                    builder.instance_of(slot, class);
                    Certainty::Certain
                }
            }
        }
        "primitive_type" => {
            let name = builder.text(declared);
            if is_primitive(name) {
                let class = builder.global(name);
                builder.instance_of(slot, class);
            }
            Certainty::Certain
        }
        "scoped_type_identifier" => {
            let class = path(builder, declared);
            // A type that belongs to a type parameter is as little known as that.
            if associated(builder, declared) {
                builder.hint_last(slot, class);
                Certainty::Last
            } else {
                builder.instance_of(slot, class);
                Certainty::Certain
            }
        }
        "generic_type" => generic(builder, slot, declared),
        "array_type" => match declared.child_by_field_name("element") {
            Some(element) => collection_of(builder, slot, "Vec", element),
            None => Certainty::Nothing,
        },
        "tuple_type" => tuple_of(builder, slot, declared),
        "dynamic_type" | "abstract_type" => match declared.child_by_field_name("trait") {
            Some(promised) => promise(builder, slot, promised),
            None => Certainty::Nothing,
        },
        "bounded_type" => {
            let mut certainty = Certainty::Nothing;
            for bound in bounds_of(declared) {
                certainty = certainty.max(match bound.kind() {
                    "dynamic_type" | "abstract_type" => declare_type(builder, slot, bound),
                    _ => promise(builder, slot, bound),
                });
            }
            certainty
        }
        "function_type" => promise(builder, slot, declared),
        _ => Certainty::Nothing,
    }
}

/// Whether a path begins with a type that is not known.
fn associated<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> bool {
    let text = builder.text(declared);
    let first = text.split("::").next().unwrap_or("");
    matches!(builder.item(first), Some((_, Named::TypeParameter)))
}

fn generic<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) -> Certainty {
    let Some(head) = declared.child_by_field_name("type") else {
        return Certainty::Nothing;
    };
    let arguments = arguments(declared);
    match (known_here(builder, last_name(builder, head)), arguments.first()) {
        (Some(Known::Inner), Some(inner)) => declare_type(builder, slot, *inner),
        (Some(Known::Collection(class)), Some(element)) => collection_of(builder, slot, class, *element),
        (Some(Known::Map), Some(key)) if arguments.len() > 1 => {
            let held = builder.allocate("HashMap", line(declared));
            let key_slot = builder.slot();
            let first = declare_type(builder, key_slot, *key);
            builder.store(held, ".key", key_slot, 0);
            builder.hint_member(slot, ".key", key_slot);
            let element = builder.slot();
            let second = declare_type(builder, element, arguments[1]);
            hold(builder, slot, held, element, first.max(second))
        }
        (Some(Known::Result), Some(value)) => {
            let held = builder.allocate("Result", line(declared));
            let mut certainty = Certainty::Nothing;
            if let Some(error) = arguments.get(1) {
                let error_slot = builder.slot();
                certainty = declare_type(builder, error_slot, *error);
                builder.store(held, ".err", error_slot, 0);
                if certainty != Certainty::Last {
                    builder.hint_member(slot, ".err", error_slot);
                }
            }
            let element = builder.slot();
            let certainty = certainty.max(declare_type(builder, element, *value));
            hold(builder, slot, held, element, certainty)
        }
        _ => {
            let class = path(builder, head);
            builder.instance_of(slot, class);
            Certainty::Certain
        }
    }
}

/// A collection of elements of a type.
fn collection_of<'t>(builder: &mut Builder<'t, '_>, slot: Slot, class: &str, element: Node<'t>) -> Certainty {
    let held = builder.allocate(class, line(element));
    let inner = builder.slot();
    let certainty = declare_type(builder, inner, element);
    hold(builder, slot, held, inner, certainty)
}

/// Says that a slot holds a collection, if it is not known to hold another.
fn hold(builder: &mut Builder<'_, '_>, slot: Slot, held: Slot, element: Slot, certainty: Certainty) -> Certainty {
    builder.store_key(held, None, element, 0);
    match certainty {
        Certainty::Last => builder.hint_value_last(slot, held),
        _ => {
            builder.hint_value(slot, held);
            // A collection that is there already, but empty, holds such elements too.
            builder.hint_elements(slot, element);
        }
    }
    certainty.max(Certainty::Likely)
}

fn tuple_of<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) -> Certainty {
    let parts = children(declared);
    if parts.is_empty() {
        return Certainty::Nothing;
    }
    let held = builder.allocate("tuple", line(declared));
    let mut certainty = Certainty::Likely;
    for (at, part) in parts.into_iter().enumerate() {
        let element = builder.slot();
        certainty = certainty.max(declare_type(builder, element, part));
        builder.store(held, &format!(".{at}"), element, 0);
    }
    match certainty {
        Certainty::Last => builder.hint_value_last(slot, held),
        _ => builder.hint_value(slot, held),
    }
    certainty
}

/// What a trait promises of a value.
pub(super) fn promise<'t>(builder: &mut Builder<'t, '_>, slot: Slot, promised: Node<'t>) -> Certainty {
    match promised.kind() {
        "function_type" => {
            let value = declared_function(builder, promised);
            builder.hint_value_last(slot, value);
            return Certainty::Last;
        }
        "higher_ranked_trait_bound" => {
            return match promised.child_by_field_name("type") {
                Some(inner) => promise(builder, slot, inner),
                None => Certainty::Nothing,
            };
        }
        "lifetime" | "removed_trait_bound" | "use_bounds" => return Certainty::Nothing,
        _ => {}
    }
    let head = promised.child_by_field_name("type").unwrap_or(promised);
    let first = arguments(promised).first().copied();
    match (last_name(builder, head), first) {
        ("Iterator" | "IntoIterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "Stream", _) => {
            let held = builder.allocate("Vec", line(promised));
            if let Some(item) = binding(builder, promised, "Item") {
                let element = builder.slot();
                declare_type(builder, element, item);
                builder.store_key(held, None, element, 0);
            }
            builder.hint_value_last(slot, held);
        }
        ("Future", _) => {
            let held = builder.allocate("Future", line(promised));
            if let Some(output) = binding(builder, promised, "Output") {
                let element = builder.slot();
                declare_type(builder, element, output);
                builder.store_key(held, None, element, 0);
            }
            builder.hint_value_last(slot, held);
        }
        ("AsRef" | "AsMut" | "Borrow" | "BorrowMut", Some(inner)) => {
            let value = builder.slot();
            declare_type(builder, value, inner);
            builder.hint_value_last(slot, value);
        }
        ("Deref" | "DerefMut", _) => {
            if let Some(target) = binding(builder, promised, "Target") {
                let value = builder.slot();
                declare_type(builder, value, target);
                builder.hint_value_last(slot, value);
            }
        }
        _ => {
            let class = path(builder, head);
            builder.hint_last(slot, class);
        }
    }
    Certainty::Last
}

/// A function of which only the type is known.
fn declared_function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    builder.begin(NONE, BodyFlags::HIDDEN | BodyFlags::DECLARED);
    if let Some(declared) = node.child_by_field_name("return_type") {
        declare_type(builder, 0, declared);
    }
    let body = builder.end();
    builder.function(body)
}
