//! Types of F#: records, unions, classes, interfaces, their members, extensions of types that stand elsewhere.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::{Item, doc_above, head_end, is_test, own_attributes, split_attributes, visibility};
use crate::extract::{Draft, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::Flow;
use crate::syntax::Node;

/// What stands around the definition of a type.
struct Head<'t> {
    name: Node<'t>,
    /// Where its own words begin: at the `type` or the `and`.
    start: usize,
    /// Where it begins with its attributes.
    outer_start: usize,
    /// What the reader sees as the definition, where that is one node.
    span: Node<'t>,
    decorators: Vec<&'t str>,
    visibility: Visibility,
}

impl<'t> Head<'t> {
    /// The head of the type under the cursor.
    fn of(walker: &mut Walker<'t>, node: Node<'t>) -> Option<Self> {
        let type_name = child_of_kind(node, &["type_name"])?;
        let name = type_name.child_by_field_name("type_name")?;
        let visibility = visibility(walker, type_name).unwrap_or(Visibility::Public);
        // `[<A>] type T`, but `and [<A>] T`.
        let is_inside = walker.slice(0, node.start_byte()).trim_end().ends_with(">]");
        let (lists, start, outer_start) = if is_inside {
            let (lists, first) = walker.take_attributes(node.start_byte());
            (lists, node.start_byte(), keyword_start(walker, first))
        } else {
            let start = keyword_start(walker, node.start_byte());
            let (lists, first) = walker.take_attributes(start);
            (lists, start, first)
        };
        let span = walker
            .parent()
            .filter(|outer| outer.kind() == "type_definition" && outer.start_byte() == outer_start)
            .unwrap_or(node);
        Some(Self {
            name,
            start,
            outer_start,
            span,
            decorators: split_attributes(&lists),
            visibility,
        })
    }

    fn has(&self, attribute: &str) -> bool {
        self.decorators.contains(&attribute)
    }

    fn define(self, walker: &mut Walker<'t>, kind: SymbolKind, node: Node<'t>, head_end: usize) -> u32 {
        let mut modifiers = Modifiers::default();
        if self.has("AbstractClass") {
            modifiers.insert(Modifier::Abstract);
        }
        if self.has("Sealed") {
            modifiers.insert(Modifier::Sealed);
        }
        Item {
            kind,
            name: last_name(self.name),
            span: self.span,
            start: self.start,
            head_end,
            end: node.end_byte(),
            doc: doc_above(walker, self.outer_start),
            visibility: self.visibility,
            modifiers,
            decorators: self.decorators,
        }
        .define(walker)
    }
}

/// Where the `type` or `and` before a byte begins.
fn keyword_start(walker: &Walker<'_>, byte: usize) -> usize {
    let before = walker.slice(0, byte).trim_end();
    let keyword = ["type", "and"].iter().find(|word| before.ends_with(**word));
    keyword.map_or(byte, |word| before.len() - word.len())
}

/// The last part of a name with dots.
fn last_name(name: Node<'_>) -> Node<'_> {
    match name.kind() {
        "long_identifier" => children_of_kind(name, &["identifier"]).pop().unwrap_or(name),
        _ => name,
    }
}

/// Where the head of a type ends: before what it is made of.
fn type_head_end(walker: &Walker<'_>, node: Node<'_>, start: usize) -> usize {
    let sign = child_of_kind(node, &["="]);
    let end = sign.map_or(node.end_byte(), |sign| sign.start_byte());
    head_end(walker, start, end)
}

fn declare<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    let Some(head) = Head::of(walker, node) else {
        return Flow::Descend;
    };
    let end = type_head_end(walker, node, head.start);
    let definition = head.define(walker, kind, node, end);
    walker.open(definition);
    Flow::Descend
}

pub(super) fn record<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare(walker, node, SymbolKind::Struct)
}

pub(super) fn interface<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare(walker, node, SymbolKind::Interface)
}

pub(super) fn union<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let cases = child_of_kind(node, &["union_type_cases"]);
    match cases.filter(|cases| is_one_name(walker, node, *cases)) {
        Some(_) => alias(walker, node),
        None => declare(walker, node, SymbolKind::Enum),
    }
}

/// Whether cases are but one name without a sign of being a case: `type A = B` renames a type.
fn is_one_name(walker: &Walker<'_>, node: Node<'_>, cases: Node<'_>) -> bool {
    cases.named_child_count() == 1
        && child_of_kind(cases, &["union_type_case"]).is_some_and(|case| case.named_child_count() == 1)
        && !walker.slice(node.start_byte(), cases.end_byte()).contains('|')
}

pub(super) fn alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(head) = Head::of(walker, node) {
        let definition = head.define(walker, SymbolKind::TypeAlias, node, node.end_byte());
        walker.open(definition);
    }
    Flow::Descend
}

/// A class, or what a type with nothing but abstract members is: an interface.
pub(super) fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(head) = Head::of(walker, node) else {
        return Flow::Descend;
    };
    let kind = if head.has("Struct") || has_child(node, "struct") {
        SymbolKind::Struct
    } else if head.has("Interface") {
        SymbolKind::Interface
    } else if head.has("AbstractClass") || head.has("Class") || !is_abstract(node) {
        SymbolKind::Class
    } else {
        SymbolKind::Interface
    };
    let end = type_head_end(walker, node, head.start);
    let definition = head.define(walker, kind, node, end);
    walker.open(definition);
    Flow::Descend
}

/// Whether a type has members, all of them abstract, and nothing to make it with.
fn is_abstract(node: Node<'_>) -> bool {
    let mut count = 0;
    for child in node.named_children() {
        let member = match child.kind() {
            "primary_constr_args" => return false,
            "member_defn" => Some(child),
            "type_extension_elements" => match child_of_kind(child, &["member_defn"]) {
                Some(member) => Some(member),
                None => return false,
            },
            _ => None,
        };
        if let Some(member) = member {
            count += 1;
            if !has_child(member, "abstract") {
                return false;
            }
        }
    }
    count > 0
}

/// The members of an extension are those of the type it extends.
pub(super) fn extension<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = child_of_kind(node, &["type_name"]).and_then(|name| name.child_by_field_name("type_name"));
    let owner: String = name.map_or("", |name| walker.text(name)).split_whitespace().collect();
    walker.open_named(&owner, SymbolKind::Class, 0);
    Flow::Descend
}

pub(super) fn exception<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("exception_name") else {
        return Flow::Descend;
    };
    let (decorators, start) = own_attributes(walker, node);
    let definition = Item {
        kind: SymbolKind::Struct,
        name,
        span: node,
        start,
        head_end: child_of_kind(node, &["type_extension_elements"])
            .map_or(node.end_byte(), |members| members.start_byte()),
        end: node.end_byte(),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, node).unwrap_or(Visibility::Public),
        modifiers: Modifiers::default(),
        decorators,
    }
    .define(walker);
    walker.open(definition);
    Flow::Descend
}

/// A case of a union or an enumeration.
pub(super) fn case<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.enclosing_kind() != SymbolKind::Enum {
        return Flow::Descend;
    }
    define_plain(walker, node, SymbolKind::EnumMember)
}

pub(super) fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    // A record without a name is no type of anybody's.
    let is_own = walker
        .ancestors()
        .nth(1)
        .is_some_and(|parent| parent.kind() == "record_type_defn");
    if is_own {
        define_plain(walker, node, SymbolKind::Field)
    } else {
        Flow::Descend
    }
}

fn define_plain<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    let Some(name) = child_of_kind(node, &["identifier"]) else {
        return Flow::Descend;
    };
    let (decorators, start) = own_attributes(walker, node);
    let mut modifiers = Modifiers::default();
    if has_child(node, "mutable") {
        modifiers.insert(Modifier::Mut);
    }
    Item {
        kind,
        name,
        span: node,
        start,
        head_end: node.end_byte(),
        end: node.end_byte(),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, node).unwrap_or(Visibility::Public),
        modifiers,
        decorators,
    }
    .define(walker);
    Flow::Descend
}

/// What a member is, and where its name stands.
struct Member<'t> {
    kind: SymbolKind,
    name: Node<'t>,
    head_end: usize,
}

pub(super) fn member<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if has_child(node, "value_declaration") {
        // A `static let`, which is visited when the cursor comes to it.
        return Flow::Descend;
    }
    let (decorators, start) = own_attributes(walker, node);
    let mut modifiers = words(node);
    let Some(mut member) = read_member(walker, node, start, &mut modifiers) else {
        return Flow::Descend;
    };
    if walker.role.declaration {
        // In a signature a member is written as it is read, whatever the grammar was shown.
        read_signature(walker, node, start, &mut member, &mut modifiers);
    }
    if member.kind == SymbolKind::Method && is_test(&decorators) {
        member.kind = SymbolKind::Test;
    }
    let definition = Item {
        kind: member.kind,
        name: member.name,
        span: node,
        start,
        head_end: member.head_end,
        end: node.end_byte(),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, node).unwrap_or(Visibility::Public),
        modifiers,
        decorators,
    }
    .define(walker);
    walker.open(definition);
    Flow::Descend
}

/// The words before a member's name.
fn words(node: Node<'_>) -> Modifiers {
    let mut modifiers = Modifiers::default();
    for child in node.children() {
        match child.kind() {
            "static" => modifiers.insert(Modifier::Static),
            "abstract" => modifiers.insert(Modifier::Abstract),
            "override" => modifiers.insert(Modifier::Override),
            "default" => modifiers.insert(Modifier::Default),
            "mutable" => modifiers.insert(Modifier::Mut),
            _ => {}
        }
    }
    modifiers
}

fn read_member<'t>(walker: &Walker<'t>, node: Node<'t>, start: usize, modifiers: &mut Modifiers) -> Option<Member<'t>> {
    if let Some(constructor) = child_of_kind(node, &["additional_constr_defn"]) {
        let sign = child_of_kind(constructor, &["="]);
        return Some(Member {
            kind: SymbolKind::Constructor,
            name: child_of_kind(constructor, &["new"])?,
            head_end: sign.map_or(constructor.end_byte(), |sign| sign.start_byte()),
        });
    }
    if let Some(signature) = child_of_kind(node, &["member_signature"]) {
        let takes_arguments = child_of_kind(signature, &["curried_spec"]).is_some_and(|spec| has_child(spec, "->"));
        return Some(Member {
            kind: if takes_arguments {
                SymbolKind::Method
            } else {
                SymbolKind::Field
            },
            name: child_of_kind(signature, &["identifier"])?,
            head_end: node.end_byte(),
        });
    }
    if let Some(method) = child_of_kind(node, &["method_or_prop_defn"]) {
        return read_method(walker, method, start, modifiers);
    }
    // `val x: int`, or `member val X = 1 with get, set`.
    let name = match child_of_kind(node, &["property_or_ident"]) {
        Some(name) => {
            if !has_child(node, "set") {
                modifiers.insert(Modifier::Readonly);
            }
            child_of_kind(name, &["identifier"])?
        }
        None => child_of_kind(node, &["identifier"])?,
    };
    Some(Member {
        kind: SymbolKind::Field,
        name,
        head_end: node.end_byte(),
    })
}

/// A member with a body: a method, or a property, which has no parameters of its own.
fn read_method<'t>(
    walker: &Walker<'t>,
    method: Node<'t>,
    start: usize,
    modifiers: &mut Modifiers,
) -> Option<Member<'t>> {
    let property = method.child_by_field_name("name")?;
    let name = property
        .child_by_field_name("method")
        .or_else(|| child_of_kind(property, &["identifier", "op_identifier", "active_pattern"]))?;
    let accessors = children_of_kind(method, &["property_accessor"]);
    let sign = child_of_kind(method, &["="]);
    let arguments = method.child_by_field_name("args");
    let is_property = !accessors.is_empty() || !arguments.is_some_and(takes_arguments);
    if is_property {
        modifiers.insert(Modifier::Property);
        let has = |word: &str| accessors.iter().any(|accessor| has_child(*accessor, word));
        if accessors.is_empty() || has("get") {
            modifiers.insert(Modifier::Getter);
        }
        if has("set") {
            modifiers.insert(Modifier::Setter);
        }
    }
    let end = match (accessors.first(), sign) {
        (Some(_), _) => child_of_kind(method, &["with"]).map_or(name.end_byte(), |with| with.start_byte()),
        (None, Some(sign)) => head_end(walker, start, sign.start_byte()),
        (None, None) => method.end_byte(),
    };
    Some(Member {
        kind: SymbolKind::Method,
        name,
        head_end: end,
    })
}

/// Whether what follows a member's name is more than the type of a property.
fn takes_arguments(arguments: Node<'_>) -> bool {
    !arguments.kind().ends_with("_type")
}

/// Reads a member of a signature from the text, since the grammar was shown a `val` in its place.
fn read_signature<'t>(
    walker: &Walker<'t>,
    node: Node<'t>,
    start: usize,
    member: &mut Member<'t>,
    modifiers: &mut Modifiers,
) {
    modifiers.insert(Modifier::Declare);
    let text = walker.slice(start, node.end_byte());
    if text.starts_with("new") {
        member.kind = SymbolKind::Constructor;
        member.name = child_of_kind(node, &["val"]).unwrap_or(member.name);
    } else if text.starts_with("member") || text.starts_with("static member") || text.starts_with("override") {
        let has_arguments = text
            .split_once(':')
            .is_some_and(|(_, declared)| declared.contains("->"));
        member.kind = if has_arguments {
            SymbolKind::Method
        } else {
            SymbolKind::Field
        };
        if text.starts_with("override") {
            modifiers.insert(Modifier::Override);
        }
    }
}

/// An object made of an interface on the spot is a class without a name.
pub(super) fn object<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let end = child_of_kind(node, &["with"]).map_or(node.end_byte(), |with| with.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Class, "class", node)
    });
    walker.open(definition);
    Flow::Descend
}
