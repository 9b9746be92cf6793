//! One file → its facts: parse, one walk over the tree, lines.
//!
//! Bounded by counts: a parse that needs more steps than its size explains is given up, with a diagnostic.

mod comments;
mod lines;
mod walker;

use std::cell::RefCell;
use std::ops::ControlFlow;

use lore_model::{FactsDiagnostic, FileFacts};
use tree_sitter::{ParseOptions, Parser, Tree};

pub(crate) use comments::{clean_block_doc, clean_line_doc};
pub(crate) use walker::{Draft, Draftee, Walker};

use crate::language::{Language, Role};

/// Steps of the parser (counted in hundreds of operations by its progress report) that any file may take.
const BASE_PARSE_STEPS: usize = 50_000;
/// Steps more for each byte; real files take less than a twentieth of this.
const PARSE_STEPS_PER_BYTE: usize = 4;

thread_local! {
    static PARSERS: RefCell<Vec<(&'static str, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// The facts of a text in a language, in a file with this role.
pub fn extract(language: &'static Language, role: Role, source: &str) -> FileFacts {
    match parse(language, source) {
        Some(tree) => {
            let mut walker = Walker::new(language, role, source);
            walker.walk(&tree);
            let mut facts = walker.finish();
            (language.finish)(&mut facts, role);
            facts
        }
        None => {
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
            facts
        }
    }
}

fn parse(language: &'static Language, source: &str) -> Option<Tree> {
    PARSERS.with_borrow_mut(|parsers| {
        let at = match parsers.iter().position(|(dialect, _)| *dialect == language.dialect) {
            Some(at) => at,
            None => {
                let mut parser = Parser::new();
                // A grammar that the runtime refuses is a build error that the tests of every language show.
                parser.set_language(&language.table().grammar).ok()?;
                parsers.push((language.dialect, parser));
                parsers.len() - 1
            }
        };
        let parser = &mut parsers[at].1;
        let bytes = source.as_bytes();
        let allowed = BASE_PARSE_STEPS + source.len().saturating_mul(PARSE_STEPS_PER_BYTE);
        let mut steps = 0;
        let mut bound = |_: &tree_sitter::ParseState| {
            steps += 1;
            if steps > allowed {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut bound);
        let tree = parser.parse_with_options(&mut |at, _| &bytes[at.min(bytes.len())..], None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}
