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
        let mut facts = FileFacts {
            lines: lines::count(source, &[], &[]),
            ..FileFacts::default()
        };
        let message = facts
            .text
            .push("the parser gave up: the file needs more steps than its size explains");
        facts.diagnostics.push(FactsDiagnostic {
            message,
            line: 1.into(),
            column: 1.into(),
        });
        return facts;
    }
    let mut walker = Walker::new(language, role, source);
    for tree in &trees {
        walker.walk(tree);
    }
    let mut facts = walker.finish();
    (language.finish)(&mut facts, role);
    facts
}
