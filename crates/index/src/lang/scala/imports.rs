//! What `import` and `export` clauses bind.

use lore_model::ImportFlags;

use super::bare;
use crate::extract::Walker;
use crate::language::Flow;
use crate::syntax::Node;

pub(super) fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    clause(walker, node, 0);
    Flow::Skip
}

/// An `export` binds for others what an `import` binds here.
pub(super) fn export(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    clause(walker, node, ImportFlags::REEXPORT);
    Flow::Skip
}

/// The expressions of a clause stand side by side in one node, so it is read from the left.
fn clause(walker: &mut Walker<'_>, node: Node<'_>, flags: u8) {
    let mut path: Vec<&str> = Vec::new();
    let mut is_bound = false;
    for child in node.children() {
        match child.kind() {
            "import" | "export" | "." | "comment" | "block_comment" => {}
            "," => {
                finish(walker, node, &mut path, is_bound, flags);
                is_bound = false;
            }
            "identifier" | "operator_identifier" => path.push(bare(walker.text(child))),
            "namespace_selectors" => {
                selectors(walker, child, &path.join("."), flags);
                is_bound = true;
            }
            "as_renamed_identifier" => {
                renamed(walker, child, &path.join("."), flags);
                is_bound = true;
            }
            // A wildcard, or `given` with or without a type.
            _ if !is_bound => {
                walker.import(child, &path.join("."), "*", "*", flags);
                is_bound = true;
            }
            _ => {}
        }
    }
    finish(walker, node, &mut path, is_bound, flags);
}

/// A path without anything behind it binds its last name.
fn finish(walker: &mut Walker<'_>, node: Node<'_>, path: &mut Vec<&str>, is_bound: bool, flags: u8) {
    if !is_bound && let Some(name) = path.pop() {
        walker.import(node, &path.join("."), name, name, flags);
    }
    path.clear();
}

fn selectors(walker: &mut Walker<'_>, list: Node<'_>, module: &str, flags: u8) {
    let mut has_given = false;
    for child in list.children() {
        match child.kind() {
            "identifier" | "operator_identifier" => {
                let name = bare(walker.text(child));
                walker.import(child, module, name, name, flags);
            }
            "arrow_renamed_identifier" | "as_renamed_identifier" => renamed(walker, child, module, flags),
            "namespace_wildcard" => walker.import(child, module, "*", "*", flags),
            "given" if !has_given => {
                walker.import(child, module, "*", "*", flags);
                has_given = true;
            }
            _ => {}
        }
    }
}

/// `a => b` and `a as b`; what is renamed to `_` is left out.
fn renamed(walker: &mut Walker<'_>, node: Node<'_>, module: &str, flags: u8) {
    if let (Some(name), Some(alias)) = (node.child_by_field_name("name"), node.child_by_field_name("alias"))
        && alias.kind() != "wildcard"
    {
        let (name, alias) = (bare(walker.text(name)), bare(walker.text(alias)));
        walker.import(node, module, name, alias, flags);
    }
}
