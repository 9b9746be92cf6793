//! What a `let` of F# binds, and what a `val` of a signature declares.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::{Item, doc_above, is_test, own_attributes, split_attributes, visibility};
use crate::extract::{Walker, child_of_kind, has_child};
use crate::language::Flow;
use crate::syntax::Node;

/// Names in one pattern that are recorded.
const MAX_PATTERN: usize = 100;

/// One of the names that a `let` binds.
struct Binding<'t> {
    left: Node<'t>,
    declared_type: Option<Node<'t>>,
    body: Option<Node<'t>>,
    /// Where its own words begin: at the `let` or the `and`.
    start: usize,
    /// Where they end: at the `=`.
    end: usize,
}

/// Where a `let` stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Module,
    Type,
}

/// What a `let` of a module or type binds; a local one binds nothing that others see.
pub(super) fn binding<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some((level, outer)) = level(walker) else {
        return Flow::Descend;
    };
    let bindings = bindings(node);
    let (lists, _) = walker.take_attributes(node.start_byte());
    let decorators = split_attributes(&lists);
    let is_static = outer.kind() == "value_declaration";
    for (at, binding) in bindings.iter().enumerate() {
        let names = names(binding.left);
        let is_function = names.len() == 1 && is_function(binding);
        let is_mutable = has_child(binding.left, "mutable");
        let decorators = if at == 0 { decorators.clone() } else { Vec::new() };
        let kind = match (level, is_function) {
            (_, true) if is_test(&decorators) => SymbolKind::Test,
            (Level::Module, true) => SymbolKind::Function,
            (Level::Type, true) => SymbolKind::Method,
            (Level::Type, false) => SymbolKind::Field,
            (Level::Module, false) if is_mutable => SymbolKind::Static,
            (Level::Module, false) => SymbolKind::Constant,
        };
        let visibility = match level {
            Level::Type => Visibility::Private,
            Level::Module => visibility(walker, binding.left).unwrap_or(Visibility::Public),
        };
        let mut modifiers = Modifiers::default();
        if is_mutable {
            modifiers.insert(Modifier::Mut);
        }
        if is_static {
            modifiers.insert(Modifier::Static);
        }
        let single = bindings.len() == 1;
        let span = match (single, at) {
            (true, _) if outer.end_byte() == node.end_byte() => outer,
            (true, _) => node,
            _ => binding.left,
        };
        let end = binding.body.map_or(binding.left.end_byte(), |body| body.end_byte());
        let doc_start = if at == 0 { span.start_byte() } else { binding.start };
        let head_end = if is_function { function_head_end(binding) } else { end };
        for name in &names {
            let definition = Item {
                kind,
                name: *name,
                span,
                start: binding.start,
                head_end,
                end,
                doc: doc_above(walker, doc_start.min(binding.start)),
                visibility,
                modifiers,
                decorators: decorators.clone(),
            }
            .define(walker);
            match binding.body {
                Some(body) if !single && names.len() == 1 => walker.claim(body, definition),
                _ if single && names.len() == 1 => walker.open(definition),
                _ => {}
            }
        }
    }
    Flow::Descend
}

/// The level of the `let` under the cursor, and the node around it that holds its attributes; none for a local one.
fn level<'t>(walker: &Walker<'t>) -> Option<(Level, Node<'t>)> {
    let mut ancestors = walker.ancestors();
    let outer = ancestors.next()?;
    let kind = walker.enclosing_kind();
    match outer.kind() {
        "type_extension_elements" | "value_declaration" if kind.is_type() => Some((Level::Type, outer)),
        "declaration_expression" if matches!(kind, SymbolKind::Module | SymbolKind::Namespace) => {
            let place = ancestors.next();
            let is_item = place.is_none_or(|place| {
                place.is_error()
                    || matches!(
                        place.kind(),
                        "file" | "named_module" | "namespace" | "module_defn" | "preproc_if" | "preproc_else"
                    )
            });
            is_item.then_some((Level::Module, outer))
        }
        _ => None,
    }
}

/// The bindings that a `let` joins with `and`, which the grammar leaves side by side.
fn bindings(node: Node<'_>) -> Vec<Binding<'_>> {
    let mut found: Vec<Binding<'_>> = Vec::new();
    let mut start = node.start_byte();
    let mut is_body = false;
    for child in node.children() {
        match child.kind() {
            "and" => start = child.start_byte(),
            "=" => {
                is_body = true;
                if let Some(last) = found.last_mut() {
                    last.end = child.start_byte();
                }
            }
            "function_declaration_left" | "value_declaration_left" => {
                is_body = false;
                found.push(Binding {
                    left: child,
                    declared_type: None,
                    body: None,
                    start,
                    end: child.end_byte(),
                });
            }
            "line_comment" | "block_comment" | "xml_doc" | "attributes" => {}
            _ => {
                if let Some(last) = found.last_mut().filter(|_| child.is_named()) {
                    if is_body {
                        last.body = last.body.or(Some(child))
                    } else {
                        last.declared_type = last.declared_type.or(Some(child))
                    }
                }
            }
        }
    }
    found
}

/// The names that the left side of a `let` binds.
fn names(left: Node<'_>) -> Vec<Node<'_>> {
    if left.kind() == "function_declaration_left" {
        return child_of_kind(left, &["identifier", "op_identifier", "active_pattern"])
            .into_iter()
            .collect();
    }
    if let Some(name) = misread_function(left) {
        return vec![name];
    }
    let mut names = Vec::new();
    let mut waiting = vec![left];
    while let Some(node) = waiting.pop() {
        if names.len() >= MAX_PATTERN {
            break;
        }
        let mut children: Vec<_> = node
            .named_children()
            .filter(|child| child.kind().ends_with("_pattern") && child.kind() != "wildcard_pattern")
            .collect();
        if node.kind() == "identifier_pattern" && children.is_empty() {
            // With a pattern behind it, it is a constructor that is taken apart.
            let name = child_of_kind(node, &["long_identifier_or_op"]);
            let inner = name.and_then(|name| {
                child_of_kind(
                    name,
                    &["identifier", "op_identifier", "active_pattern", "long_identifier"],
                )
            });
            names.extend(inner.filter(|inner| inner.named_child_count() <= 1 || inner.kind() == "active_pattern"));
        }
        if node.kind() == "as_pattern" {
            names.extend(child_of_kind(node, &["identifier"]));
        }
        children.reverse();
        waiting.append(&mut children);
    }
    names
}

/// The name of a function that the grammar took for a constructor with values, as it may `let f(): unit = …`.
fn misread_function(left: Node<'_>) -> Option<Node<'_>> {
    let pattern = child_of_kind(left, &["identifier_pattern"])?;
    let head = pattern.named_child(0).filter(|_| pattern.named_child_count() > 1)?;
    child_of_kind(
        head,
        &["identifier", "op_identifier", "active_pattern", "long_identifier"],
    )
    .filter(|name| name.kind() != "long_identifier" || name.named_child_count() == 1)
}

/// Whether a binding makes a function: one with parameters, a function as its value, or the type of one.
fn is_function(binding: &Binding<'_>) -> bool {
    has_parameters(binding)
        || binding
            .declared_type
            .is_some_and(|declared| declared.kind() == "function_type")
        || binding
            .body
            .is_some_and(|body| matches!(body.kind(), "fun_expression" | "function_expression"))
}

fn has_parameters(binding: &Binding<'_>) -> bool {
    child_of_kind(binding.left, &["argument_patterns"]).is_some() || misread_function(binding.left).is_some()
}

/// Where the signature of a function ends.
fn function_head_end(binding: &Binding<'_>) -> usize {
    let Some(body) = binding.body else {
        return binding.left.end_byte();
    };
    let is_whole = has_parameters(binding) || binding.declared_type.is_some();
    match body.kind() {
        "fun_expression" if !is_whole => {
            child_of_kind(body, &["->"]).map_or(body.start_byte(), |arrow| arrow.start_byte())
        }
        "function_expression" if !is_whole => body.start_byte() + "function".len(),
        _ => binding.end,
    }
}

pub(super) fn external<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let (decorators, start) = own_attributes(walker, node);
    Item {
        kind: SymbolKind::Function,
        name,
        span: node,
        start,
        head_end: node.end_byte(),
        end: node.end_byte(),
        doc: doc_above(walker, node.start_byte()),
        visibility: Visibility::Public,
        modifiers: Modifiers::default().with(Modifier::Extern),
        decorators,
    }
    .define(walker);
    Flow::Descend
}

/// A `val` of a signature.
pub(super) fn specification<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(left) = child_of_kind(node, &["value_declaration_left"]) else {
        return Flow::Descend;
    };
    let (decorators, start) = own_attributes(walker, node);
    let declared = child_of_kind(node, &["curried_spec"]);
    let kind = if declared.is_some_and(|declared| has_child(declared, "->")) {
        SymbolKind::Function
    } else {
        SymbolKind::Constant
    };
    let mut modifiers = Modifiers::default().with(Modifier::Declare);
    if has_child(left, "mutable") {
        modifiers.insert(Modifier::Mut);
    }
    for name in names(left) {
        Item {
            kind,
            name,
            span: node,
            start,
            head_end: node.end_byte(),
            end: node.end_byte(),
            doc: doc_above(walker, node.start_byte()),
            visibility: visibility(walker, left).unwrap_or(Visibility::Public),
            modifiers,
            decorators: decorators.clone(),
        }
        .define(walker);
    }
    Flow::Descend
}
