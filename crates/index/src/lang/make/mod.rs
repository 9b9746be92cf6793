//! Make: targets, variables and defined texts, in makefiles whatever their conditionals and computed names.

mod plain;

use lore_model::SymbolKind;

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, clean_line_doc};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static MAKE: Language = Language {
    name: "make",
    dialect: "make",
    extensions: &["mk", "mak", "make"],
    file_names: &[
        "Makefile",
        "makefile",
        "GNUmakefile",
        "BSDmakefile",
        "Kbuild",
        "Makefile.*",
        "makefile.*",
        "GNUmakefile.*",
    ],
    interpreters: &["make", "gmake"],
    grammar: || tree_sitter_make::LANGUAGE.into(),
    blank: |source| Some(plain::plain(source)),
    rules: &[
        ("comment", Rule::Comment),
        ("rule", Rule::Visit(rule)),
        ("recipe_line", Rule::Visit(recipe_line)),
        ("variable_assignment", Rule::Visit(variable)),
        ("shell_assignment", Rule::Visit(variable)),
        ("define_directive", Rule::Visit(define)),
        ("include_directive", Rule::Visit(include)),
    ],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["##", "#"],
    block: &[],
    except: &["#!", "#-", "#="],
};

/// The comment lines directly above, unless they are a licence.
fn doc_above(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let doc = walker.doc_above(node.start_byte(), &DOC)?;
    (!doc.contains("opyright") && !doc.contains("SPDX-")).then_some(doc)
}

/// A rule with a recipe defines its targets; one without does so where nothing is known of them yet, else it only adds to them.
fn rule(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(targets) = child_of_kind(node, &["targets"]) else {
        return Flow::Descend;
    };
    let recipe = child_of_kind(node, &["recipe"]);
    let comment = child_of_kind(node, &["comment"]);
    let header_end = [recipe, comment]
        .into_iter()
        .flatten()
        .map(|part| part.start_byte())
        .min()
        .unwrap_or(node.end_byte());
    let help = comment.map(|comment| walker.text(comment));
    let help = help.filter(|text| text.starts_with("##"));
    let doc = match help {
        Some(help) => Some(clean_line_doc([help].into_iter(), DOC.line)),
        None => doc_above(walker, node),
    };
    for target in targets.named_children() {
        let name = walker.text(target);
        if is_special(name) {
            continue;
        }
        let first = walker.scope().seen.insert(format!("{name}:"));
        if !first && recipe.is_none() {
            continue;
        }
        let definition = walker.define(Draft {
            signature: (node.start_byte(), header_end),
            doc: doc.clone(),
            ..Draft::new(SymbolKind::Target, target, node)
        });
        walker.end_at(definition, node.end_byte());
    }
    Flow::Descend
}

/// `.PHONY`, `.DEFAULT_GOAL` and their like speak to make.
fn is_special(name: &str) -> bool {
    let rest = name.strip_prefix('.').unwrap_or("");
    !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// A line of a recipe that the shell takes for a comment.
fn recipe_line(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    comments_in(walker, node.start_byte(), node.end_byte());
    Flow::Skip
}

/// Counts the lines that begin with `#` as comments, where the grammar sees only text.
pub(super) fn comments_in(walker: &mut Walker<'_>, start: usize, end: usize) {
    let mut at = start;
    for line in walker.slice(start, end).split_inclusive('\n') {
        let text = line.trim();
        if text.starts_with('#') {
            let from = at + (line.len() - line.trim_start().len());
            walker.comment(from, from + text.len());
        }
        at += line.len();
    }
}

/// A variable is defined where it is assigned first; a name that is computed is none.
fn variable(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Skip;
    };
    let text = walker.text(name);
    if !text.contains('$') && !is_special(text) && walker.scope().seen.insert(text.to_owned()) {
        let doc = doc_above(walker, node);
        let definition = walker.define(Draft {
            name: Draftee::Named(name, text),
            doc,
            ..Draft::new(SymbolKind::Static, name, node)
        });
        walker.end_at(definition, node.end_byte());
    }
    Flow::Skip
}

/// A text with a name, which rules call like a macro.
fn define(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let text = walker.text(name);
        if walker.scope().seen.insert(text.to_owned()) {
            let doc = doc_above(walker, node);
            let definition = walker.define(Draft {
                signature: (node.start_byte(), name.end_byte()),
                doc,
                ..Draft::new(SymbolKind::Macro, name, node)
            });
            walker.end_at(definition, node.end_byte());
        }
    }
    comments_in(walker, node.start_byte(), node.end_byte());
    Flow::Skip
}

/// Each file that is included brings in all it defines.
fn include(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(files) = node.child_by_field_name("filenames") {
        for file in files.named_children() {
            let path = walker.text(file);
            walker.import(file, path, "*", "*", 0);
        }
    }
    Flow::Skip
}
