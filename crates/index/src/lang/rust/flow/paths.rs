//! What paths mean: items around, modules, crates, members of types.

use crate::flow::{Named, Slot};
use crate::syntax::Node;

use super::types::class_of_type;
use super::{Builder, children, line, plain};

/// The modules of one file, from the file itself inwards, under names that no source can write.
const LEVELS: [&str; 8] = [
    "<module>",
    "<module 1>",
    "<module 2>",
    "<module 3>",
    "<module 4>",
    "<module 5>",
    "<module 6>",
    "<module 7>",
];

/// Says that a file imports all names of something.
const GLOBS: &str = "<globs>";

/// The file is its own outermost module.
pub(super) fn open_file(builder: &mut Builder<'_, '_>) {
    if builder.declares(LEVELS[0]) {
        return;
    }
    let place = builder.place(LEVELS[0], Named::Item);
    let own = builder.import("self", None, 0);
    builder.copy(place, own);
}

/// How many modules inside each other are open, beside the file.
fn level(builder: &mut Builder<'_, '_>) -> usize {
    (1..LEVELS.len())
        .take_while(|level| builder.is_variable(LEVELS[*level]))
        .last()
        .unwrap_or(0)
}

/// Says which object a module inside the file is.
pub(super) fn open_module(builder: &mut Builder<'_, '_>, module: Slot) {
    let level = level(builder) + 1;
    if let Some(name) = LEVELS.get(level) {
        let place = builder.place(name, Named::Item);
        builder.copy(place, module);
    }
}

/// Says that names may come from anywhere.
pub(super) fn note_glob(builder: &mut Builder<'_, '_>) {
    builder.place(GLOBS, Named::Item);
}

/// The module a number of levels above the open one.
fn module_around(builder: &mut Builder<'_, '_>, levels: usize) -> Slot {
    let level = level(builder);
    match level.checked_sub(levels) {
        Some(found) => builder.read(LEVELS[found]),
        None => {
            let text = vec!["super"; levels - level].join("::");
            builder.import(&text, None, 0)
        }
    }
}

/// The meaning of the first name of a path.
pub(super) fn head<'t>(builder: &mut Builder<'t, '_>, name: &'t str) -> Slot {
    match name {
        "crate" | "$crate" => return builder.import("crate", None, 0),
        "self" => return module_around(builder, 0),
        "super" => return module_around(builder, 1),
        _ => {}
    }
    if name.starts_with("__") && builder.is_variable(name) {
        return builder.read(name);
    }
    if let Some((slot, _)) = builder.item(name) {
        return slot;
    }
    outer_head(builder, name)
}

/// The meaning of a name that no enclosing item has: a crate, or a name visible in every file.
fn outer_head<'t>(builder: &mut Builder<'t, '_>, name: &'t str) -> Slot {
    if name.starts_with(|first: char| first.is_ascii_uppercase()) || is_primitive(name) {
        return builder.global(name);
    }
    let other = builder.import(name, None, 0);
    if !builder.is_variable(GLOBS) {
        return other;
    }
    let named = builder.global(name);
    let slot = builder.slot();
    builder.copy(slot, named);
    builder.hint_value(slot, other);
    slot
}

/// Whether a name is that of a type which the language itself has.
pub(super) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "char"
            | "f32"
            | "f64"
            | "i128"
            | "i16"
            | "i32"
            | "i64"
            | "i8"
            | "isize"
            | "str"
            | "u128"
            | "u16"
            | "u32"
            | "u64"
            | "u8"
            | "usize"
    )
}

/// What a crate of a name holds, for the first part of a `use`.
pub(super) fn crate_head(builder: &mut Builder<'_, '_>, name: &str) -> Slot {
    builder.import(name, None, 0)
}

/// The names of a path, the first one first; `None` if the path contains anything else.
pub(super) fn parts<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> Option<Vec<&'t str>> {
    let text = builder.text(node);
    let is_path = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'#' | b'$') || byte >= 128);
    is_path.then(|| text.split("::").filter(|part| !part.is_empty()).map(plain).collect())
}

/// The meaning of a path of names.
pub(super) fn path_of<'t>(builder: &mut Builder<'t, '_>, parts: &[&'t str], at: u32) -> Slot {
    let supers = parts.iter().take_while(|part| **part == "super").count();
    let (mut slot, rest) = match (supers, parts.split_first()) {
        (0, Some((first, rest))) => (head(builder, first), rest),
        (0, None) => return builder.slot(),
        (supers, _) => (module_around(builder, supers), &parts[supers..]),
    };
    // `self::super::x`
    let mut rest = rest;
    let mut levels = 0;
    while let Some(("super", after)) = rest.split_first().map(|(first, after)| (*first, after))
        && parts[0] == "self"
    {
        levels += 1;
        slot = module_around(builder, levels);
        rest = after;
    }
    for part in rest {
        slot = builder.load(slot, part, at);
    }
    slot
}

/// The meaning of a path, with any types in it.
pub(super) fn path<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = if builder.enter() {
        lower_path(builder, node)
    } else {
        builder.slot()
    };
    builder.leave();
    slot
}

fn lower_path<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let at = line(node);
    if let Some(parts) = parts(builder, node) {
        return path_of(builder, &parts, at);
    }
    match node.kind() {
        "scoped_identifier" | "scoped_type_identifier" => {
            let Some(name) = node.child_by_field_name("name") else {
                return builder.slot();
            };
            let name = plain(builder.text(name));
            match node.child_by_field_name("path") {
                Some(inner) if inner.kind() == "bracketed_type" => qualified(builder, inner, name, at),
                Some(inner) => {
                    let base = path(builder, inner);
                    builder.load(base, name, at)
                }
                None => crate_head(builder, name),
            }
        }
        "generic_type" | "generic_type_with_turbofish" => match node.child_by_field_name("type") {
            Some(inner) => path(builder, inner),
            None => builder.slot(),
        },
        "generic_function" => match node.child_by_field_name("function") {
            Some(inner) => path(builder, inner),
            None => builder.slot(),
        },
        "bracketed_type" => match children(node).first() {
            Some(inner) => class_of_type(builder, *inner),
            None => builder.slot(),
        },
        _ => class_of_type(builder, node),
    }
}

/// `<Type as Trait>::name`
fn qualified<'t>(builder: &mut Builder<'t, '_>, bracketed: Node<'t>, name: &str, at: u32) -> Slot {
    let Some(inner) = children(bracketed).first().copied() else {
        return builder.slot();
    };
    let (Some(own), Some(promise)) = (inner.child_by_field_name("type"), inner.child_by_field_name("alias")) else {
        let class = class_of_type(builder, inner);
        return builder.load(class, name, at);
    };
    let class = class_of_type(builder, own);
    let promise = path(builder, promise);
    builder.load_as(class, name, promise, at)
}
