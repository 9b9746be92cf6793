//! What a Ruby assignment declares: constants and what they hold, variables of instances, classes and the program.

use lore_model::{Modifier, Modifiers, SymbolKind, Visibility};

use super::{Path, SPECS, TASKS, calls, doc_above};
use crate::extract::{Draft, Walker, children_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// Constants, class and instance variables, globals, and functions assigned to a name.
pub(super) fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(left), right) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return Flow::Descend;
    };
    match left.kind() {
        "left_assignment_list" => {
            for target in children_of_kind(left, TARGETS) {
                assign(walker, node, target, None);
            }
        }
        _ => assign(walker, node, left, right),
    }
    Flow::Descend
}

/// Kinds of nodes that an assignment may declare.
const TARGETS: &[&str] = &[
    "constant",
    "scope_resolution",
    "instance_variable",
    "class_variable",
    "global_variable",
];

fn assign<'t>(walker: &mut Walker<'t>, node: Node<'t>, target: Node<'t>, value: Option<Node<'t>>) {
    match target.kind() {
        "constant" | "scope_resolution" => {
            if let Some(path) = Path::of(walker, target).filter(|path| path.name.kind() == "constant") {
                assign_constant(walker, node, path, value);
            }
        }
        "instance_variable" | "class_variable" => assign_variable(walker, node, target),
        "global_variable" => assign_global(walker, node, target),
        "identifier" => {
            if let Some((body, end)) = value.and_then(|value| calls::function_value(walker, value)) {
                let definition = walker.define(Draft {
                    signature: (node.start_byte(), end),
                    doc: doc_above(walker, node.start_byte()),
                    visibility: Visibility::Private,
                    ..Draft::new(SymbolKind::Function, target, node)
                });
                walker.claim(body, definition);
            }
        }
        _ => {}
    }
}

/// A constant, a class made by `Class.new` or similar calls, or a function.
fn assign_constant<'t>(walker: &mut Walker<'t>, node: Node<'t>, path: Path<'t>, value: Option<Node<'t>>) {
    let function = value.and_then(|value| calls::function_value(walker, value));
    let class = value.and_then(|value| Some((value, calls::class_value(walker, value)?)));
    let block = class.and_then(|(value, _)| value.child_by_field_name("block"));
    let (kind, end) = match (function, class) {
        (Some((_, end)), _) => (SymbolKind::Function, end),
        (None, Some((_, kind))) => (kind, block.map_or(node.end_byte(), |block| block.start_byte())),
        (None, None) => (SymbolKind::Constant, node.end_byte()),
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc_above(walker, node.start_byte()),
        owner: path.owner,
        at_module: path.from_top,
        ..Draft::new(kind, path.name, node)
    });
    match (function, class) {
        (Some((body, _)), _) => walker.claim(body, definition),
        (None, Some((value, _))) => {
            calls::claim_members(walker, value, definition);
            if let Some(block) = block {
                walker.claim(block, definition);
            }
        }
        (None, None) => {}
    }
}

/// A variable of an instance or class, once for each class, unless an accessor of its name is declared.
fn assign_variable<'t>(walker: &mut Walker<'t>, node: Node<'t>, target: Node<'t>) {
    let name = walker.text(target);
    let owner = walker.scopes.iter().rposition(|scope| {
        scope.kind.is_type() || (scope.kind == SymbolKind::Namespace && scope.mark & (TASKS | SPECS) == 0)
    });
    let Some(owner) = owner else { return };
    let inner = walker.scopes.split_off(owner + 1);
    // Outside methods, and in those of the class, `self` is the class.
    let of_class = target.kind() == "class_variable"
        || match inner.iter().find(|scope| scope.kind.is_callable()) {
            Some(method) => is_static(walker, method.definition),
            None => true,
        };
    let bare = name.trim_start_matches('@');
    let seen = &mut walker.scope().seen;
    if !seen.contains(bare) && seen.insert(name.to_owned()) {
        let mut modifiers = Modifiers::default();
        if of_class {
            modifiers.insert(Modifier::Static);
        }
        walker.define(Draft {
            doc: doc_above(walker, node.start_byte()),
            visibility: Visibility::Private,
            modifiers,
            ..Draft::new(SymbolKind::Field, target, node)
        });
    }
    walker.scopes.extend(inner);
}

fn is_static(walker: &Walker<'_>, definition: u32) -> bool {
    walker
        .facts
        .definitions
        .get(definition as usize)
        .is_some_and(|definition| definition.modifiers().contains(Modifier::Static))
}

/// A global variable that no interpreter brings along, once for each file.
fn assign_global<'t>(walker: &mut Walker<'t>, node: Node<'t>, target: Node<'t>) {
    let name = walker.text(target);
    let is_own = name.len() > 2
        && name
            .as_bytes()
            .get(1)
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && !PREDEFINED.contains(&name);
    if walker.in_function()
        || !is_own
        || !walker
            .scopes
            .first_mut()
            .is_some_and(|file| file.seen.insert(name.to_owned()))
    {
        return;
    }
    walker.define(Draft {
        doc: doc_above(walker, node.start_byte()),
        at_module: true,
        ..Draft::new(SymbolKind::Static, target, node)
    });
}

/// Global variables that are always there.
const PREDEFINED: &[&str] = &[
    "$stdin",
    "$stdout",
    "$stderr",
    "$VERBOSE",
    "$DEBUG",
    "$LOAD_PATH",
    "$LOADED_FEATURES",
    "$PROGRAM_NAME",
    "$FILENAME",
];
