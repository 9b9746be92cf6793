//! One file → its facts: parse, one walk over the tree, lines.
//!
//! Bounded by counts: a parse that needs more steps than its size explains is given up, with a diagnostic.

mod comments;
mod lines;
mod trees;
mod walker;

use lore_model::{FactsDiagnostic, FileFacts};

pub(crate) use comments::{clean_block_doc, clean_line_doc};
pub(crate) use walker::{Draft, Draftee, Walker};

use crate::language::{Language, Role};

/// The facts of a text in a language, in a file with this role.
pub fn extract(language: &'static Language, role: Role, source: &str) -> FileFacts {
    let blanked = (language.blank)(source);
    let trees = trees::parse(language, blanked.as_deref().unwrap_or(source));
    if trees.is_empty() {
        return without_tree(
            source,
            "the parser gave up: the file needs more steps than its size explains",
        );
    }
    let mut walker = Walker::new(language, role, source);
    for tree in &trees {
        walker.walk(tree);
    }
    let mut facts = walker.finish();
    (language.finish)(&mut facts, role);
    facts
}

/// As [`extract`], but a defect of ours costs one file its facts, not the user the index.
pub(crate) fn extract_guarded(language: &'static Language, role: Role, source: &str) -> FileFacts {
    std::panic::catch_unwind(|| extract(language, role, source))
        .unwrap_or_else(|_| without_tree(source, "lore failed on this file, which is a defect: please report it"))
}

/// The facts of a text of which only the lines are known.
fn without_tree(source: &str, message: &str) -> FileFacts {
    let mut facts = FileFacts {
        lines: lines::count(source, &[], &[]),
        ..FileFacts::default()
    };
    let message = facts.text.push(message);
    facts.diagnostics.push(FactsDiagnostic {
        message,
        line: 1.into(),
        column: 1.into(),
    });
    facts
}

/// Each definition of a source as `kind path complexity`, with its doc where it has one: what the tests of languages compare.
#[cfg(test)]
pub(crate) fn outline(language: &'static Language, source: &str) -> Vec<String> {
    let facts = extract(language, Role::default(), source);
    let mut paths: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for definition in &facts.definitions {
        let parent = definition.parent().map_or("", |parent| paths[parent].as_str());
        let parts = [
            parent,
            facts.text.get(definition.owner),
            facts.text.get(definition.name),
        ];
        let path = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(language.separator);
        let doc = match facts.text.get(definition.doc) {
            "" => String::new(),
            doc => format!(" {doc:?}"),
        };
        lines.push(format!("{} {path} {}{doc}", definition.kind(), definition.complexity));
        paths.push(path);
    }
    lines
}
