//! Data types with their constructors and fields, synonyms, families, classes and instances.

use lore_model::{SymbolKind, Visibility};

use super::{CLASS, INSTANCE, Level, bare, docs, visibility};
use crate::extract::{Draft, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::Flow;
use crate::syntax::Node;

/// The name of the type or class whose scope the node under the cursor stands in.
pub(super) fn around(walker: &Walker<'_>) -> String {
    let is_type = |kind| matches!(kind, SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Trait);
    let Some(scope) = walker.scopes.iter().rev().find(|scope| is_type(scope.kind)) else {
        return String::new();
    };
    match walker.facts.definitions.get(scope.definition as usize) {
        Some(definition) => walker.facts.text.get(definition.name).to_owned(),
        None => scope.owner.clone(),
    }
}

/// The name of a type or class that is declared here; what is quoted in a function is declared wherever the function says.
fn declared_name<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<Node<'t>> {
    if walker.in_function() { None } else { type_name(node) }
}

/// The name that a declaration gives a type: `T a`, `a :+: b`, `(a :+: b) c`.
fn type_name(node: Node<'_>) -> Option<Node<'_>> {
    let name = match node.child_by_field_name("name") {
        Some(name) => name,
        None => {
            let head = child_of_kind(node, &["infix", "parens"])?;
            let infix = match head.kind() {
                "parens" => child_of_kind(head, &["infix"])?,
                _ => head,
            };
            infix.child_by_field_name("operator")?
        }
    };
    Some(match name.kind() {
        "qualified" => bare(name.child_by_field_name("id")?),
        _ => bare(name),
    })
}

/// Where the head of a declaration ends.
fn head_end(node: Node<'_>) -> usize {
    node.children()
        .find(|child| matches!(child.kind(), "=" | "where" | "deriving"))
        .map_or(node.end_byte(), |child| child.start_byte())
}

/// `data` and `newtype`. With several constructors it is an enumeration, with one a struct.
pub(super) fn data<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = declared_name(walker, node) else {
        return Flow::Descend;
    };
    let text = walker.text(name);
    let kind = match count_constructors(node) {
        0 | 1 => SymbolKind::Struct,
        _ => SymbolKind::Enum,
    };
    let is_instance = walker.parent().is_some_and(|parent| parent.kind() == "data_instance");
    if is_instance || has_child(node, "instance") {
        // The constructors of an instance belong to the family.
        walker.open_named(text, kind, 0);
        return Flow::Descend;
    }
    let definition = walker.define(Draft {
        signature: (node.start_byte(), head_end(node)),
        doc: docs::above(walker, node.start_byte()),
        visibility: visibility(walker, &[text]),
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn count_constructors(node: Node<'_>) -> usize {
    let Some(constructors) = node.child_by_field_name("constructors") else {
        return usize::from(node.child_by_field_name("constructor").is_some());
    };
    children_of_kind(constructors, &["data_constructor", "gadt_constructor"])
        .into_iter()
        .map(|constructor| constructor_names(constructor).len())
        .sum()
}

/// The names that a constructor declares; only one in the style of generalised data types can declare several.
fn constructor_names(node: Node<'_>) -> Vec<Node<'_>> {
    if let Some(list) = node.child_by_field_name("names") {
        return list.children_by_field_name("name").map(bare).collect();
    }
    let inner = node.child_by_field_name("constructor").unwrap_or(node);
    let name = inner
        .child_by_field_name("name")
        .or_else(|| inner.child_by_field_name("operator"));
    name.map(bare).into_iter().collect()
}

/// A constructor: a member of an enumeration, or what makes the values of a struct.
pub(super) fn constructor<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let kind = match walker.enclosing_kind() {
        SymbolKind::Enum => SymbolKind::EnumMember,
        SymbolKind::Struct => SymbolKind::Constructor,
        _ => return Flow::Descend,
    };
    let of_type = around(walker);
    let end = fields_start(node).unwrap_or(node.end_byte());
    for name in constructor_names(node) {
        let text = walker.text(name);
        let definition = walker.define(Draft {
            signature: (node.start_byte(), end),
            doc: docs::of(walker, node).or_else(|| docs::behind(walker, name.end_byte())),
            visibility: visibility(
                walker,
                &[
                    &format!("pattern {text}"),
                    &format!("{of_type}(..)"),
                    &format!("{of_type}({text})"),
                ],
            ),
            ..Draft::new(kind, name, node)
        });
        // The fields of a struct are its own, whatever its constructor is called.
        if kind == SymbolKind::EnumMember {
            walker.open(definition);
        }
    }
    Flow::Descend
}

/// Where the fields of a constructor begin.
fn fields_start(node: Node<'_>) -> Option<usize> {
    let inner = ["constructor", "type", "field"]
        .into_iter()
        .find_map(|field| node.child_by_field_name(field))
        .filter(|inner| inner.kind() == "record")?;
    let fields = inner.child_by_field_name("fields").unwrap_or(inner);
    Some(fields.start_byte())
}

/// A field, method or associated type is exported with its type or class, or by itself.
fn member_visibility(walker: &Walker<'_>, of_type: &str, name: &str) -> Visibility {
    visibility(
        walker,
        &[name, &format!("{of_type}(..)"), &format!("{of_type}({name})")],
    )
}

pub(super) fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_declared = walker
        .parent()
        .is_some_and(|parent| matches!(parent.kind(), "fields" | "record"));
    let encloses = matches!(
        walker.enclosing_kind(),
        SymbolKind::Struct | SymbolKind::Enum | SymbolKind::EnumMember
    );
    if !is_declared || !encloses {
        return Flow::Descend;
    }
    let of_type = around(walker);
    let names: Vec<Node<'t>> = node.children_by_field_name("name").collect();
    for name in names {
        let name = bare(name.named_child(0).unwrap_or(name));
        walker.define(Draft {
            doc: docs::of(walker, node),
            visibility: member_visibility(walker, &of_type, walker.text(name)),
            ..Draft::new(SymbolKind::Field, name, node)
        });
    }
    Flow::Descend
}

/// `type`, `type family` and `data family`.
pub(super) fn alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = declared_name(walker, node) {
        let text = walker.text(name);
        let class = around(walker);
        let end = match node.kind() {
            "type_synonym" => node.end_byte(),
            _ => head_end(node),
        };
        walker.define(Draft {
            signature: (node.start_byte(), end),
            doc: docs::of(walker, node),
            visibility: member_visibility(walker, &class, text),
            ..Draft::new(SymbolKind::TypeAlias, name, node)
        });
    }
    Flow::Descend
}

/// A type that an instance gives its class; elsewhere an equation of a family, which is no definition.
pub(super) fn associated<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = type_name(node).filter(|_| Level::of(walker) == Some(Level::Instance)) {
        walker.define(Draft::new(SymbolKind::TypeAlias, name, node));
    }
    Flow::Descend
}

pub(super) fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = declared_name(walker, node) else {
        return Flow::Descend;
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), head_end(node)),
        doc: docs::above(walker, node.start_byte()),
        visibility: visibility(walker, &[walker.text(name)]),
        ..Draft::new(SymbolKind::Trait, name, node)
    });
    walker.open_marked(definition, CLASS);
    Flow::Descend
}

/// What an instance defines hangs on the class and the type.
pub(super) fn instance<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let class = node.child_by_field_name("name").or_else(|| type_name(node));
    let Some(class) = class.map(|class| walker.text(bare(class))) else {
        return Flow::Descend;
    };
    let owner = match node
        .child_by_field_name("patterns")
        .and_then(|types| instance_type(walker, types))
    {
        Some(of_type) => format!("{class}.{of_type}"),
        None => class.to_owned(),
    };
    walker.open_named(&owner, SymbolKind::Trait, INSTANCE);
    Flow::Descend
}

/// The type that an instance is for: of several the first that is more than a variable.
fn instance_type<'t>(walker: &Walker<'t>, types: Node<'t>) -> Option<&'t str> {
    let heads: Vec<Node<'t>> = types.named_children().filter_map(type_head).collect();
    let head = heads
        .iter()
        .find(|head| head.kind() != "variable")
        .or_else(|| heads.first())?;
    Some(match head.kind() {
        "list" => "[]",
        "tuple" => "(,)",
        "unit" => "()",
        // A constructor that stands for a type is quoted.
        _ => walker.text(bare(*head)).trim_start_matches('\''),
    })
}

/// The constructor at the head of a type.
fn type_head(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "apply" => node.child_by_field_name("constructor")?,
            "parens" => node.child_by_field_name("type").or_else(|| node.named_child(0))?,
            "qualified" => node.child_by_field_name("id")?,
            "infix" => return node.child_by_field_name("operator"),
            "comment" | "pragma" | "haddock" => return None,
            _ => return Some(node),
        };
    }
}
