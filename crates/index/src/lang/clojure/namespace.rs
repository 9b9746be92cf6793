//! `ns`, with what it requires, and the same as calls of functions.

use super::{forms, head, symbol, symbol_text};
use crate::extract::Walker;
use crate::syntax::Node;

/// Parts inside parts of a list of libraries that are read.
const MAX_DEPTH: usize = 4;

/// `(ns name "doc" (:require …))` and `(in-ns 'name)`.
pub(super) fn declare<'t>(walker: &mut Walker<'t>, node: Node<'t>, is_whole: bool) {
    let forms = forms(node);
    let Some(named) = forms.get(1).copied().map(unquoted) else {
        return;
    };
    if walker.facts.package.is_empty()
        && let Some(name) = symbol_text(walker, named)
    {
        walker.facts.package = walker.facts.text.push(name);
    }
    if !is_whole {
        return;
    }
    if let Some(doc) = forms
        .get(2)
        .filter(|form| form.kind() == "str_lit")
        .and_then(|text| head::docstring(walker, *text))
        .or_else(|| head::Head::of(walker, node)?.doc)
    {
        walker.module_doc(&doc);
    }
    for clause in forms.iter().skip(2).filter(|form| form.kind() == "list_lit") {
        let parts = super::forms(*clause);
        let word = parts
            .first()
            .map_or("", |word| walker.text(*word))
            .trim_start_matches(':');
        clause_parts(walker, parts.get(1..).unwrap_or(&[]), word);
    }
}

/// `(require '[lib :as l])` outside of `ns`.
pub(super) fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>, word: &str) {
    let forms: Vec<Node<'t>> = forms(node).into_iter().skip(1).map(unquoted).collect();
    clause_parts(walker, &forms, word);
}

/// A form without the quote before it.
fn unquoted(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "quoting_lit" => node.child_by_field_name("value").unwrap_or(node),
        _ => node,
    }
}

fn clause_parts<'t>(walker: &mut Walker<'t>, parts: &[Node<'t>], word: &str) {
    match word {
        "require" | "require-macros" => libraries(walker, parts, "", false, 0),
        "use" | "use-macros" => libraries(walker, parts, "", true, 0),
        "import" => classes(walker, parts, 0),
        _ => {}
    }
}

/// The forms of a reader conditional that are not the names of its platforms.
fn platforms(node: Node<'_>) -> Vec<Node<'_>> {
    forms(node)
        .into_iter()
        .filter(|form| form.kind() != "kwd_lit")
        .collect()
}

/// Libraries in a list: symbols, vectors with options, and groups with a common beginning.
fn libraries<'t>(walker: &mut Walker<'t>, parts: &[Node<'t>], prefix: &str, uses: bool, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for part in parts {
        match part.kind() {
            "sym_lit" => {
                let library = qualified(prefix, symbol_text(walker, *part).unwrap_or(""));
                if uses {
                    walker.import(*part, &library, "*", "*", 0)
                } else {
                    walker.import(*part, &library, "", &library, 0)
                }
            }
            "vec_lit" | "list_lit" => library(walker, *part, prefix, uses, depth),
            "read_cond_lit" => libraries(walker, &platforms(*part), prefix, uses, depth + 1),
            "splicing_read_cond_lit" => {
                for spliced in platforms(*part) {
                    libraries(walker, &forms(spliced), prefix, uses, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// A name below a common beginning.
fn qualified(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        prefix => format!("{prefix}.{name}"),
    }
}

/// `[lib :as l :refer [f g]]`, or `(lib [a :as x] b)` for `lib.a` and `lib.b`.
fn library<'t>(walker: &mut Walker<'t>, node: Node<'t>, prefix: &str, uses: bool, depth: usize) {
    let parts = forms(node);
    let Some(first) = parts.first().copied() else {
        return;
    };
    let name = match symbol_text(walker, first) {
        Some(name) => name,
        // ClojureScript names packages of JavaScript by texts.
        None => walker.text(first).trim_matches('"'),
    };
    let library = qualified(prefix, name);
    let rest = parts.get(1..).unwrap_or(&[]);
    if rest.first().is_some_and(|next| next.kind() != "kwd_lit") {
        libraries(walker, rest, &library, uses, depth + 1);
        return;
    }
    let mut is_bound = false;
    for option in rest.chunks(2) {
        let (Some(key), Some(value)) = (option.first(), option.get(1)) else {
            continue;
        };
        match walker.text(*key) {
            ":as" | ":as-alias" => {
                let alias = symbol(*value).map_or("", |alias| walker.text(alias));
                walker.import(node, &library, "", alias, 0);
                is_bound = true;
            }
            ":refer" | ":refer-macros" | ":only" => {
                refer(walker, &library, *value);
                is_bound = true;
            }
            ":rename" => rename(walker, &library, *value),
            _ => {}
        }
    }
    match (is_bound, uses) {
        (true, _) => {}
        (false, true) => walker.import(node, &library, "*", "*", 0),
        (false, false) => walker.import(node, &library, "", &library, 0),
    }
}

/// `:refer [f g]` and `:refer :all`.
fn refer<'t>(walker: &mut Walker<'t>, library: &str, names: Node<'t>) {
    if walker.text(names) == ":all" {
        walker.import(names, library, "*", "*", 0);
    }
    for name in forms(names).into_iter().filter_map(symbol) {
        walker.import(name, library, walker.text(name), walker.text(name), 0);
    }
}

/// `:rename {old new}`.
fn rename<'t>(walker: &mut Walker<'t>, library: &str, names: Node<'t>) {
    for pair in forms(names).chunks(2) {
        if let [old, new] = pair
            && let (Some(old), Some(new)) = (symbol(*old), symbol(*new))
        {
            walker.import(old, library, walker.text(old), walker.text(new), 0);
        }
    }
}

/// Java classes: `java.io.File` and `(java.util Date List)`.
fn classes<'t>(walker: &mut Walker<'t>, parts: &[Node<'t>], depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for part in parts.iter().copied().map(unquoted) {
        match part.kind() {
            "sym_lit" => {
                let whole = symbol_text(walker, part).unwrap_or("");
                let (package, class) = whole.rsplit_once('.').unwrap_or(("", whole));
                walker.import(part, package, class, class, 0);
            }
            "vec_lit" | "list_lit" => {
                let names: Vec<Node<'t>> = forms(part).into_iter().collect();
                let package = names
                    .first()
                    .and_then(|package| symbol_text(walker, *package))
                    .unwrap_or("");
                for class in names.iter().skip(1).filter_map(|class| symbol(*class)) {
                    walker.import(class, package, walker.text(class), walker.text(class), 0);
                }
            }
            "read_cond_lit" => classes(walker, &platforms(part), depth + 1),
            "splicing_read_cond_lit" => {
                for spliced in platforms(part) {
                    classes(walker, &forms(spliced), depth + 1);
                }
            }
            _ => {}
        }
    }
}
