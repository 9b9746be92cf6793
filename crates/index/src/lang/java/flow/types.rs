//! Declared types, which hold where nothing better is known.

use crate::flow::Slot;
use crate::syntax::Node;

use super::{ARRAY, Lowering, children, first_child, line};

/// A type parameter.
#[derive(Clone, Copy)]
pub(super) struct TypeVariable<'t> {
    pub(super) name: &'t str,
    pub(super) bound: Option<Node<'t>>,
    /// The depth of its class and its place there; none for one of a method.
    pub(super) of_class: Option<(usize, usize)>,
}

/// The prelude's class of a collection, and which type arguments are its elements and its keys.
fn collection(name: &str) -> Option<(&'static str, usize, Option<usize>)> {
    Some(match name {
        "List" | "ArrayList" | "LinkedList" | "Vector" | "CopyOnWriteArrayList" | "AbstractList" => {
            ("ArrayList", 0, None)
        }
        "Collection" | "Iterable" | "AbstractCollection" => ("Collection", 0, None),
        "Set"
        | "HashSet"
        | "LinkedHashSet"
        | "SortedSet"
        | "NavigableSet"
        | "EnumSet"
        | "TreeSet"
        | "ConcurrentSkipListSet"
        | "CopyOnWriteArraySet" => ("TreeSet", 0, None),
        "Queue"
        | "Deque"
        | "ArrayDeque"
        | "PriorityQueue"
        | "Stack"
        | "BlockingQueue"
        | "LinkedBlockingQueue"
        | "ArrayBlockingQueue"
        | "ConcurrentLinkedQueue"
        | "LinkedBlockingDeque"
        | "ConcurrentLinkedDeque"
        | "PriorityBlockingQueue"
        | "BlockingDeque" => ("ArrayDeque", 0, None),
        "Iterator" | "ListIterator" | "Enumeration" => ("Iterator", 0, None),
        "Optional" => ("Optional", 0, None),
        "Stream" => ("Stream", 0, None),
        "Map"
        | "HashMap"
        | "LinkedHashMap"
        | "TreeMap"
        | "ConcurrentHashMap"
        | "ConcurrentMap"
        | "SortedMap"
        | "NavigableMap"
        | "EnumMap"
        | "IdentityHashMap"
        | "WeakHashMap"
        | "Hashtable"
        | "ConcurrentSkipListMap" => ("HashMap", 1, Some(0)),
        "Entry" => ("MapEntry", 1, Some(0)),
        "CompletableFuture" | "CompletionStage" | "Future" | "ScheduledFuture" => ("CompletableFuture", 0, None),
        "AtomicReference" => ("AtomicReference", 0, None),
        "ThreadLocal" => ("ThreadLocal", 0, None),
        "WeakReference" | "SoftReference" => ("AtomicReference", 0, None),
        _ => return None,
    })
}

/// Types whose values nobody follows.
pub(super) fn is_plain(name: &str) -> bool {
    matches!(
        name,
        "int" | "long" | "short" | "byte" | "char" | "float" | "double" | "boolean" | "void" | "var"
    )
}

/// Types of texts and numbers: what is of such a type is known by that, and need not be followed.
pub(super) fn is_data(name: &str) -> bool {
    is_plain(name) && name != "var"
        || matches!(
            name,
            "String" | "Integer" | "Long" | "Short" | "Byte" | "Character" | "Float" | "Double" | "Boolean" | "Void"
        )
}

impl<'t> Lowering<'t, '_, '_> {
    /// The name of a type without its arguments, if it is no type parameter.
    pub(super) fn type_name(&self, declared: Node<'t>) -> Option<&'t str> {
        match declared.kind() {
            "type_identifier" => {
                let name = self.builder.text(declared);
                let is_variable = name == "var" || self.type_variables.iter().any(|variable| variable.name == name);
                (!is_variable).then_some(name)
            }
            "generic_type" | "annotated_type" => {
                let inner = children(declared)
                    .into_iter()
                    .find(|child| !child.kind().ends_with("annotation"))?;
                self.type_name(inner)
            }
            "scoped_type_identifier" => {
                let path = self.builder.text(declared);
                path.rsplit('.').next().map(str::trim)
            }
            "array_type" => {
                let element = declared.child_by_field_name("element")?;
                self.type_name(element)?;
                // Arguments of the element's type are no part of the name.
                let text = self.builder.text(declared);
                (!text.contains(['<', '@', ' '])).then_some(text)
            }
            "integral_type" | "floating_point_type" | "boolean_type" => Some(self.builder.text(declared)),
            _ => None,
        }
    }

    /// What stands for a type parameter, or for an array of it, where functions are told apart: its bound, marked as such.
    pub(super) fn variable_type(&self, declared: Node<'t>) -> Option<String> {
        match declared.kind() {
            "type_identifier" => {
                let name = self.builder.text(declared);
                let variable = self
                    .type_variables
                    .iter()
                    .rev()
                    .find(|variable| variable.name == name)?;
                let bound = variable.bound.and_then(|bound| self.type_name(bound));
                Some(format!("?{}", bound.unwrap_or("Object")))
            }
            "array_type" => {
                let element = declared.child_by_field_name("element")?;
                let element = match self.type_name(element) {
                    Some(name) => name.to_owned(),
                    None => self.variable_type(element)?,
                };
                let dimensions = declared.child_by_field_name("dimensions")?;
                let count = self.builder.text(dimensions).matches('[').count();
                Some(format!("{element}{}", "[]".repeat(count.min(4))))
            }
            _ => None,
        }
    }

    /// Opens type parameters; [`Lowering::close_type_parameters`] closes them.
    pub(super) fn open_type_parameters(&mut self, node: Node<'t>, of_class: Option<usize>) -> usize {
        let known = self.type_variables.len();
        let Some(list) = node.child_by_field_name("type_parameters") else {
            return known;
        };
        for (place, parameter) in children(list).into_iter().enumerate() {
            let mut parts = children(parameter)
                .into_iter()
                .filter(|part| !part.kind().ends_with("annotation"));
            let Some(name) = parts.next() else { continue };
            let name = self.builder.text(name);
            self.type_variables.push(TypeVariable {
                name,
                bound: parts.next().and_then(first_child),
                of_class: of_class.map(|depth| (depth, place)),
            });
        }
        known
    }

    pub(super) fn close_type_parameters(&mut self, known: usize) {
        self.type_variables.truncate(known);
    }

    /// Whether a type mentions a type parameter.
    pub(super) fn mentions_variable(&self, declared: Node<'t>) -> bool {
        if self.type_variables.is_empty() {
            return false;
        }
        let mut waiting = vec![declared];
        while let Some(part) = waiting.pop() {
            if part.kind() == "type_identifier" && self.is_type_variable(self.builder.text(part)) {
                return true;
            }
            waiting.extend(part.named_children());
        }
        false
    }

    /// What a type stands for, where it is a class: without its arguments.
    pub(super) fn type_value(&mut self, declared: Node<'t>) -> Option<Slot> {
        match declared.kind() {
            "type_identifier" | "identifier" => {
                let name = self.builder.text(declared);
                if is_plain(name) && !self.own_types.contains(name) || self.is_type_variable(name) {
                    return None;
                }
                Some(self.type_named(name))
            }
            "generic_type" | "annotated_type" => {
                let inner = children(declared)
                    .into_iter()
                    .find(|child| !child.kind().ends_with("annotation"))?;
                self.type_value(inner)
            }
            "scoped_type_identifier" | "scoped_identifier" | "field_access" => {
                let text = self.builder.text(declared);
                let first = text.split('.').next().unwrap_or(text).trim();
                if self.builder.is_variable(first) || super::names::looks_like_type(first) {
                    let mut value = self.type_named(first);
                    for part in text.split('.').skip(1) {
                        let part = part.split('<').next().unwrap_or(part).trim();
                        value = self.builder.load(value, part, line(declared));
                    }
                    return Some(value);
                }
                Some(self.path(text, line(declared)))
            }
            _ => None,
        }
    }

    fn is_type_variable(&self, name: &str) -> bool {
        self.type_variables.iter().any(|variable| variable.name == name)
    }

    /// Says what type a slot is declared to have.
    pub(super) fn declare_type(&mut self, slot: Slot, declared: Node<'t>) {
        // What built-in collections hold is what comes to them.
        if self.is_prelude {
            return;
        }
        if self.builder.enter() {
            self.lower_type(slot, declared);
        }
        self.builder.leave();
    }

    fn lower_type(&mut self, slot: Slot, declared: Node<'t>) {
        match declared.kind() {
            "type_identifier" => {
                let name = self.builder.text(declared);
                let variable = self
                    .type_variables
                    .iter()
                    .rev()
                    .find(|variable| variable.name == name)
                    .copied();
                match variable {
                    Some(variable) => self.declare_variable(slot, variable),
                    None if self.is_collection(name) => self.collection_of(slot, name, &[], declared),
                    None => {
                        if let Some(class) = self.type_value(declared) {
                            self.builder.hint(slot, class);
                        }
                    }
                }
            }
            "scoped_type_identifier" => {
                if let Some(class) = self.type_value(declared) {
                    self.builder.hint(slot, class);
                }
            }
            "generic_type" => self.generic(slot, declared),
            "array_type" => {
                if let Some(element) = declared.child_by_field_name("element") {
                    self.array_of(slot, element, declared);
                }
            }
            "annotated_type" | "wildcard" | "type_bound" => {
                for part in children(declared) {
                    if !part.kind().ends_with("annotation") {
                        self.declare_type(slot, part);
                    }
                }
            }
            _ => {}
        }
    }

    /// A type parameter of a class is what the instance was made with; else what it is bound by.
    fn declare_variable(&mut self, slot: Slot, variable: TypeVariable<'t>) {
        let value = match variable.of_class {
            Some((depth, place)) if self.has_this(depth) => {
                let this = self.this_at(depth);
                let name = argument_name(self.classes[depth].name, place);
                self.builder.load(this, &name, 0)
            }
            _ => self.builder.slot(),
        };
        // What the bound itself is made with may lead round in circles.
        if let Some(bound) = variable.bound
            && self.type_name(bound).is_some()
            && let Some(class) = self.type_value(bound)
        {
            self.builder.hint(value, class);
        }
        self.builder.hint_value(slot, value);
    }

    /// Whether a name is one of the prelude's collections here.
    fn is_collection(&self, name: &str) -> bool {
        collection(name).is_some()
            && !self.is_prelude
            && !self.own_types.contains(name)
            && (self.from_java.contains(name)
                || matches!(name, "Iterable" | "ThreadLocal")
                || self.java_is_whole && (self.asked.contains(name) || !self.builder.is_variable(name)))
    }

    fn generic(&mut self, slot: Slot, declared: Node<'t>) {
        let parts = children(declared);
        let Some(base) = parts.first().copied() else { return };
        let arguments = parts
            .iter()
            .find(|part| part.kind() == "type_arguments")
            .map_or_else(Vec::new, |list| children(*list));
        let name = self.type_name(base).unwrap_or("");
        let is_entry = base.kind() == "scoped_type_identifier" && self.builder.text(base) == "Map.Entry";
        if is_entry || self.is_collection(name) && base.kind() == "type_identifier" {
            self.collection_of(slot, name, &arguments, declared);
            return;
        }
        let Some(class) = self.type_value(base) else { return };
        self.builder.hint_own(slot, class);
        self.type_arguments(slot, name, &arguments);
    }

    /// What the instances in a slot were made with.
    fn type_arguments(&mut self, slot: Slot, class: &str, arguments: &[Node<'t>]) {
        for (place, argument) in arguments.iter().enumerate() {
            let value = self.builder.slot();
            self.declare_type(value, *argument);
            self.builder.hint_member(slot, &argument_name(class, place), value);
        }
    }

    fn collection_of(&mut self, slot: Slot, name: &str, arguments: &[Node<'t>], declared: Node<'t>) {
        let Some((class, element, key)) = collection(name) else {
            return;
        };
        let held = self.builder.allocate(class, line(declared));
        if let Some(argument) = arguments.get(element) {
            let value = self.builder.slot();
            self.declare_type(value, *argument);
            self.builder.store_key(held, None, value, line(declared));
            // A collection that is there already, but empty, holds such elements too.
            self.builder.hint_elements(slot, value);
        }
        if let Some(argument) = key.and_then(|key| arguments.get(key)) {
            let value = self.builder.slot();
            self.declare_type(value, *argument);
            self.builder.store(held, "key", value, line(declared));
            self.builder.hint_member(slot, "key", value);
        }
        self.builder.hint_value(slot, held);
    }

    /// An array, which may be one of arrays.
    pub(super) fn array_of(&mut self, slot: Slot, element: Node<'t>, declared: Node<'t>) {
        let name = self.type_name(element).unwrap_or("");
        if is_data(name) {
            return;
        }
        let held = self.builder.allocate(ARRAY, line(declared));
        let value = self.builder.slot();
        self.declare_type(value, element);
        let dimensions = declared
            .child_by_field_name("dimensions")
            .map_or(1, |dimensions| self.builder.text(dimensions).matches('[').count());
        let mut inner = value;
        for _ in 1..dimensions.min(4) {
            let around = self.builder.allocate(ARRAY, line(declared));
            self.builder.store_key(around, None, inner, line(declared));
            inner = around;
        }
        self.builder.store_key(held, None, inner, line(declared));
        self.builder.hint_value(slot, held);
        self.builder.hint_elements(slot, inner);
    }

    /// A value with what it is declared to be: what is of another type does not come here, and functions become what is asked for.
    pub(super) fn typed(&mut self, value: Slot, declared: Node<'t>) -> Slot {
        if self.is_data_type(declared) {
            let slot = self.builder.slot();
            self.declare_type(slot, declared);
            return slot;
        }
        let slot = match self.narrowing_type(declared) {
            Some(class) => self.builder.narrow(value, class, false),
            None => {
                let slot = self.builder.slot();
                self.builder.copy(slot, value);
                slot
            }
        };
        self.declare_type(slot, declared);
        slot
    }

    /// Whether a declared type is one of texts and numbers.
    pub(super) fn is_data_type(&self, declared: Node<'t>) -> bool {
        !self.is_prelude
            && self
                .type_name(declared)
                .is_some_and(|name| is_data(name) && !self.own_types.contains(name))
    }

    /// The class that a declared type lets pass, where that says something.
    pub(super) fn narrowing_type(&mut self, declared: Node<'t>) -> Option<Slot> {
        let name = self.type_name(declared).filter(|_| !self.is_prelude)?;
        if declared.kind() == "array_type" || self.is_collection(name) || is_data(name) || name == "Object" {
            return None;
        }
        self.type_value(declared)
    }
}

/// The name under which an instance keeps what it was made with.
pub(super) fn argument_name(class: &str, place: usize) -> String {
    format!("<{class}.{place}>")
}
