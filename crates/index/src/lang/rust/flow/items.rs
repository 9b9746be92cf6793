//! Items: modules, what `use` binds, structs, enums, constants, aliases. All names of a scope are there before anything in it is read.

use foldhash::HashSet;

use lore_model::{BodyFlags, ClassFlags, NONE};

use crate::extract::child_of_kind;
use crate::flow::{Named, Slot};
use crate::syntax::Node;

use super::expressions::{expression, expression_for};
use super::functions::{free_function, is_prelude, type_parameters};
use super::implementations::{implementation, trait_item};
use super::paths::{crate_head, note_glob, open_module, path_of};
use super::types::{Certainty, alias_of, declare_type, expected_of, hide_known, is_counted};
use super::{Builder, children, line, plain};

/// Levels of braces in one `use` that are followed.
const MAX_USE_DEPTH: u32 = 64;

/// One name that a `use` binds, or a wildcard.
struct Used<'t> {
    parts: Vec<&'t str>,
    /// The name; none for `_`.
    local: Option<&'t str>,
    wildcard: bool,
    line: u32,
}

/// Lowers the items of a file, of a module or of a block.
pub(super) fn items<'t>(builder: &mut Builder<'t, '_>, scope: Node<'t>) {
    if builder.enter() {
        lower_items(builder, scope);
    }
    builder.leave();
}

fn lower_items<'t>(builder: &mut Builder<'t, '_>, scope: Node<'t>) {
    let found = items_of(builder, scope);
    if found.is_empty() {
        return;
    }
    for item in &found {
        if let Some(name) = item.child_by_field_name("name").filter(|_| is_named(*item)) {
            let name = plain(builder.text(name));
            builder.place(name, Named::Item);
            if matches!(item.kind(), "struct_item" | "enum_item" | "trait_item") && !is_prelude(builder) {
                hide_known(builder, name);
            }
        }
    }
    let mut uses: Vec<Used<'t>> = Vec::new();
    for item in found.iter().filter(|item| item.kind() == "use_declaration") {
        if let Some(tree) = item.child_by_field_name("argument") {
            use_tree(builder, tree, &[], &mut uses, 0);
        }
    }
    for used in &uses {
        // An alias of a result stands for a result; any other type of this tree hides the library's.
        if let (Some(local), Some(&("crate" | "self" | "super"))) = (used.local, used.parts.first())
            && !matches!(local, "Result" | "Option")
        {
            hide_known(builder, local);
        }
    }
    bind_uses(builder, &uses);
    // Types come first, so that members find them.
    for item in &found {
        declare_item(builder, *item);
    }
    for item in &found {
        match item.kind() {
            "impl_item" => implementation(builder, *item),
            "function_item" | "function_signature_item" => {
                let value = free_function(builder, *item);
                give(builder, *item, value);
            }
            "const_item" | "static_item" => constant(builder, *item),
            _ => {}
        }
    }
}

/// The items of a scope, and those that macros around items are given.
fn items_of<'t>(builder: &Builder<'t, '_>, scope: Node<'t>) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut waiting: Vec<Node<'t>> = scope.named_children().collect();
    waiting.reverse();
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "expression_statement" => {
                if let Some(inner) = node.named_child(0).filter(|inner| inner.kind() == "macro_invocation") {
                    waiting.push(inner);
                }
            }
            "macro_invocation" => {
                let nested = child_of_kind(node, &["token_tree"]).and_then(|tokens| {
                    let root = builder.embedded(tokens.start_byte() + 1)?;
                    (root.kind() == "source_file").then_some(root)
                });
                if let Some(root) = nested {
                    let inner: Vec<Node<'t>> = root.named_children().collect();
                    waiting.extend(inner.into_iter().rev());
                }
            }
            "foreign_mod_item" => {
                if let Some(body) = node.child_by_field_name("body") {
                    let inner: Vec<Node<'t>> = body.named_children().collect();
                    waiting.extend(inner.into_iter().rev());
                }
            }
            kind if kind.ends_with("_item") || matches!(kind, "use_declaration" | "extern_crate_declaration") => {
                found.push(node);
            }
            _ => {}
        }
    }
    found
}

/// Whether an item puts its name into the scope.
fn is_named(item: Node<'_>) -> bool {
    matches!(
        item.kind(),
        "mod_item"
            | "function_item"
            | "function_signature_item"
            | "struct_item"
            | "enum_item"
            | "union_item"
            | "trait_item"
            | "type_item"
            | "const_item"
            | "static_item"
    )
}

/// Whether a node is an item.
pub(super) fn is_item(kind: &str) -> bool {
    kind.ends_with("_item")
        || matches!(
            kind,
            "use_declaration" | "extern_crate_declaration" | "macro_definition"
        )
}

/// Gives the name of an item a value.
fn give<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>, value: Slot) {
    if let Some(name) = item.child_by_field_name("name") {
        let name = plain(builder.text(name));
        let place = builder.place(name, Named::Item);
        builder.copy(place, value);
    }
}

fn declare_item<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    match item.kind() {
        "mod_item" => module(builder, item),
        "struct_item" | "union_item" => structure(builder, item),
        "enum_item" => enumeration(builder, item),
        "trait_item" => {
            let class = trait_item(builder, item);
            give(builder, item, class);
        }
        "type_item" => {
            if let Some(meant) = item.child_by_field_name("type") {
                builder.begin_block();
                type_parameters(builder, item);
                let alias = alias_of(builder, meant);
                builder.end_block();
                give(builder, item, alias);
            }
        }
        "extern_crate_declaration" => {
            let Some(name) = item.child_by_field_name("name") else {
                return;
            };
            let name = plain(builder.text(name));
            let local = item
                .child_by_field_name("alias")
                .map_or(name, |alias| plain(builder.text(alias)));
            let found = match name {
                "self" => builder.import("crate", None, line(item)),
                name => crate_head(builder, name),
            };
            let place = builder.place(local, Named::Item);
            builder.copy(place, found);
        }
        _ => {}
    }
}

/// A module: one of its own file, or one that stands here.
fn module<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    let Some(name) = item.child_by_field_name("name") else {
        return;
    };
    let Some(body) = item.child_by_field_name("body") else {
        let name = plain(builder.text(name));
        let text = match path_attribute(builder, item) {
            Some(path) => format!("mod {path}"),
            None => format!("mod {}{name}", inline_path(builder, item)),
        };
        let found = builder.import(&text, None, line(item));
        give(builder, item, found);
        return;
    };
    let definition = builder.definition(item).unwrap_or(NONE);
    let (class, row) = builder.class(definition, &[], line(item));
    give(builder, item, class);
    builder.begin(definition, BodyFlags::HIDDEN);
    let own = builder.receiver();
    open_module(builder, own);
    items(builder, body);
    for (name, value) in builder.own_variables() {
        builder.store(own, name, value, 0);
    }
    let body = builder.end();
    builder.set_class_body(row, body);
}

/// The modules of this file that a module of its own file stands in, as the directories that they are.
fn inline_path<'t>(builder: &Builder<'t, '_>, item: Node<'t>) -> String {
    let mut names = Vec::new();
    let mut around = item.parent();
    while let Some(node) = around {
        if node.kind() == "mod_item"
            && let Some(name) = node.child_by_field_name("name")
        {
            names.push(plain(builder.text(name)));
        }
        around = node.parent();
    }
    names.iter().rev().map(|name| format!("{name}/")).collect()
}

/// The file that `#[path = "…"]` before a module names.
fn path_attribute<'t>(builder: &Builder<'t, '_>, item: Node<'t>) -> Option<&'t str> {
    let mut before = item.prev_named_sibling();
    while let Some(node) = before.filter(|node| node.kind() == "attribute_item") {
        let text = builder.text(node);
        if let Some(rest) = text.strip_prefix("#[path")
            && let Some((_, rest)) = rest.split_once('"')
            && let Some((path, _)) = rest.split_once('"')
        {
            return Some(path);
        }
        before = node.prev_named_sibling();
    }
    None
}

/// Finds every name that a `use` binds.
fn use_tree<'t>(builder: &Builder<'t, '_>, tree: Node<'t>, prefix: &[&'t str], found: &mut Vec<Used<'t>>, depth: u32) {
    if depth > MAX_USE_DEPTH {
        return;
    }
    let joined = |path: Node<'t>| {
        let mut parts = prefix.to_vec();
        let text = builder.text(path);
        parts.extend(
            text.split("::")
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(plain),
        );
        parts
    };
    let line = line(tree);
    match tree.kind() {
        "scoped_use_list" => {
            let prefix = tree.child_by_field_name("path").map_or_else(|| prefix.to_vec(), joined);
            if let Some(list) = tree.child_by_field_name("list") {
                for inner in children(list) {
                    use_tree(builder, inner, &prefix, found, depth + 1);
                }
            }
        }
        "use_list" => {
            for inner in children(tree) {
                use_tree(builder, inner, prefix, found, depth + 1);
            }
        }
        "use_wildcard" => found.push(Used {
            parts: tree.named_child(0).map_or_else(|| prefix.to_vec(), joined),
            local: None,
            wildcard: true,
            line,
        }),
        "use_as_clause" => {
            let (Some(path), Some(alias)) = (tree.child_by_field_name("path"), tree.child_by_field_name("alias"))
            else {
                return;
            };
            let alias = plain(builder.text(alias));
            let mut parts = joined(path);
            if parts.len() > 1 && parts.last() == Some(&"self") {
                parts.pop();
            }
            found.push(Used {
                parts,
                local: (alias != "_").then_some(alias),
                wildcard: false,
                line,
            });
        }
        _ => {
            let mut parts = joined(tree);
            if parts.len() > 1 && parts.last() == Some(&"self") {
                parts.pop();
            }
            let local = parts.last().copied();
            found.push(Used {
                parts,
                local,
                wildcard: false,
                line,
            });
        }
    }
}

fn bind_uses<'t>(builder: &mut Builder<'t, '_>, uses: &[Used<'t>]) {
    // What an item or the `use` of something else binds is what a path may begin with; `use log::log` does not speak of itself.
    let bound: HashSet<&str> = uses
        .iter()
        .filter(|used| used.parts.first() != used.local.as_ref())
        .filter_map(|used| used.local)
        .collect();
    let is_bound_otherwise = |builder: &mut Builder<'t, '_>, name: &str| builder.declares(name) || bound.contains(name);
    let begins_with_item: Vec<bool> = uses
        .iter()
        .map(|used| match used.parts.first() {
            Some(&("crate" | "self" | "super" | "$crate")) => true,
            Some(first) => is_bound_otherwise(builder, first),
            None => true,
        })
        .collect();
    let begins_outside: Vec<bool> = uses
        .iter()
        .map(|used| used.parts.first().is_some_and(|first| builder.item(first).is_some()))
        .collect();
    for used in uses {
        if let Some(local) = used.local {
            builder.place(local, Named::Item);
        }
    }
    for ((used, with_item), with_outer) in uses.iter().zip(begins_with_item).zip(begins_outside) {
        let value = match (with_item, used.parts.split_first()) {
            (false, Some((first, rest))) => {
                let mut slot = first_of_use(builder, first, with_outer);
                for part in rest {
                    slot = builder.load(slot, part, used.line);
                }
                slot
            }
            _ => path_of(builder, &used.parts, used.line),
        };
        if used.wildcard {
            // What stands in the module around is seen without being named.
            if used.parts != ["super"] {
                note_glob(builder);
                builder.names_of(value, used.line);
            }
        } else if let Some(local) = used.local {
            let place = builder.place(local, Named::Item);
            builder.copy(place, value);
        }
    }
}

/// What a `use` begins with that nothing in its own scope binds: something further out, or a crate.
fn first_of_use<'t>(builder: &mut Builder<'t, '_>, first: &'t str, is_item: bool) -> Slot {
    if first.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        return super::paths::head(builder, first);
    }
    let other = crate_head(builder, first);
    if !is_item {
        return other;
    }
    let slot = builder.slot();
    let outer = super::paths::head(builder, first);
    builder.copy(slot, outer);
    builder.hint_value(slot, other);
    slot
}

/// Says what the fields of a class are declared to be.
fn fields<'t>(builder: &mut Builder<'t, '_>, class: Slot, list: Node<'t>) {
    let instance = builder.slot();
    builder.instance_of(instance, class);
    let mut at = 0;
    let parts: Vec<Node<'t>> = match list.kind() {
        "field_declaration_list" => children(list),
        _ => list.children_by_field_name("type").collect(),
    };
    for part in parts {
        let (name, declared) = match part.kind() {
            "field_declaration" => {
                let (Some(name), Some(declared)) = (part.child_by_field_name("name"), part.child_by_field_name("type"))
                else {
                    continue;
                };
                let name = plain(builder.text(name));
                if is_counted(builder, declared) {
                    builder.marked.insert(name);
                }
                (format!(".{name}"), declared)
            }
            _ => {
                at += 1;
                (format!(".{}", at - 1), part)
            }
        };
        let value = builder.slot();
        match declare_type(builder, value, declared) {
            Certainty::Certain => {
                builder.store(instance, &name, value, 0);
                builder.seal_member(instance, &name, value);
            }
            _ => builder.hint_member(instance, &name, value),
        }
    }
}

fn structure<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    let definition = builder.definition(item).unwrap_or(NONE);
    let (class, row) = builder.class(definition, &[], line(item));
    give(builder, item, class);
    match item.child_by_field_name("body") {
        Some(list) => {
            builder.begin_block();
            type_parameters(builder, item);
            fields(builder, class, list);
            builder.end_block();
        }
        None => builder.add_class_flags(row, ClassFlags::VALUE),
    }
}

/// An enum is a class, and each of its members one that derives from it.
fn enumeration<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    let definition = builder.definition(item).unwrap_or(NONE);
    let (class, _) = builder.class(definition, &[], line(item));
    give(builder, item, class);
    let Some(body) = item.child_by_field_name("body") else {
        return;
    };
    builder.begin_block();
    type_parameters(builder, item);
    for member in children(body) {
        let Some(name) = member
            .child_by_field_name("name")
            .filter(|_| member.kind() == "enum_variant")
        else {
            continue;
        };
        let (variant, row) = builder.class(definition, &[class], line(member));
        let name = plain(builder.text(name));
        builder.store_member(class, name, variant, line(member));
        match member.child_by_field_name("body") {
            Some(list) => fields(builder, variant, list),
            None => builder.add_class_flags(row, ClassFlags::VALUE),
        }
        if let Some(value) = member.child_by_field_name("value") {
            expression(builder, value);
        }
    }
    builder.end_block();
}

/// A constant or a static.
fn constant<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    let value = constant_value(builder, item);
    give(builder, item, value);
}

/// What a constant or a static holds.
pub(super) fn constant_value<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) -> Slot {
    let slot = builder.slot();
    let declared = item.child_by_field_name("type");
    if let Some(value) = item.child_by_field_name("value") {
        let expected = declared.and_then(|declared| expected_of(builder, declared));
        let value = expression_for(builder, value, expected);
        builder.copy(slot, value);
    }
    if let Some(declared) = declared {
        declare_type(builder, slot, declared);
    }
    slot
}
