//! What differs between a revision and the tree that is asked: definitions, by the lines that changed in them.

use std::collections::BTreeSet;

use lore_model::{CodeGraph, Symbol, SymbolId};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::impact::{around, is_shown};
use super::wire::Scope;
use lore_base::counted::counted;
use lore_seam::{Ctx, ErrorKind, GraphScope, OpError};

/// A changed file with more lines than this counts as changed as a whole.
const MAX_LINES: usize = 200_000;

/// The definitions and files that changed.
#[derive(Default)]
pub(super) struct Changed {
    /// The innermost definition around each changed line; the module for lines outside of definitions.
    pub(super) symbols: BTreeSet<SymbolId>,
    /// Files with changes outside of definitions, and deleted files.
    pub(super) files: BTreeSet<String>,
}

/// What changed since a revision.
pub(super) fn changed_since(ctx: &Ctx, graph: &CodeGraph, scope: &Scope, revision: &str) -> Result<Changed, OpError> {
    let before_scope = GraphScope {
        revision: Some(revision.to_owned()),
        no_refresh: scope.no_refresh,
        tracked: false,
    };
    let before = ctx
        .ports
        .code
        .graph(&before_scope, ctx.progress.as_ref(), &ctx.cancel)?;
    let mut changed = Changed::default();
    let mut refused = 0;
    for file in graph.files() {
        let old = before.file_at(file.path());
        if old.is_some_and(|old| old.hash() == file.hash()) {
            continue;
        }
        let new_text = ctx.ports.code.read(&scope.graph_scope(), file.path());
        let old_text = match old {
            Some(old) => ctx.ports.code.read(&before_scope, old.path()),
            None => Ok(Vec::new()),
        };
        let is_refused = |text: &Result<_, OpError>| matches!(text, Err(error) if error.kind == ErrorKind::Refused);
        if is_refused(&new_text) || is_refused(&old_text) {
            refused += 1;
            let symbols = file.symbols().filter(is_shown).map(Symbol::id);
            changed.symbols.extend(symbols);
            changed.symbols.extend(file.module().map(Symbol::id));
            changed.files.insert(file.path().to_owned());
            continue;
        }
        let (old_text, new_text) = (old_text?, new_text?);
        let (symbols, outside) = around(file, &changed_lines(&old_text, &new_text));
        changed.symbols.extend(symbols);
        if outside {
            changed.files.insert(file.path().to_owned());
            changed.symbols.extend(file.module().map(|module| module.id()));
        }
    }
    for file in before.files().filter(|file| graph.file_at(file.path()).is_none()) {
        changed.files.insert(file.path().to_owned());
    }
    if refused > 0 {
        let files = counted(refused, "changed file");
        let remark = format!("{files} may not be read: every definition there counts as changed");
        ctx.progress.remark(&remark);
    }
    Ok(changed)
}

/// The lines of a text that are not those of another, from one. Where lines are gone, the line after them.
fn changed_lines(old: &[u8], new: &[u8]) -> Vec<u32> {
    let split = |text: &[u8]| -> Vec<Vec<u8>> { text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() };
    let (old, new) = (split(old), split(new));
    if old.len().max(new.len()) > MAX_LINES {
        return (1..=new.len() as u32).collect();
    }
    let mut lines = Vec::new();
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let range = match operation {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { new_index, .. } => new_index..(new_index + 1).min(new.len()),
            DiffOp::Insert { new_index, new_len, .. } | DiffOp::Replace { new_index, new_len, .. } => {
                new_index..new_index + new_len
            }
        };
        // The text behind the last line break is not a line.
        lines.extend(
            range
                .filter(|at| *at + 1 < new.len() || !new[*at].is_empty())
                .map(|at| at as u32 + 1),
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_are_those_of_the_new_text() {
        for (old, new, lines) in [
            ("a\nb\nc\n", "a\nx\nc\n", &[2][..]),
            ("a\nc\n", "a\nb\nc\n", &[2]),
            ("a\nb\nc\n", "a\nc\n", &[2]),
            ("", "a\nb\n", &[1, 2]),
            ("a\n", "a\n", &[]),
            ("a\nb", "a\nb\nc", &[3]),
        ] {
            let found = changed_lines(old.as_bytes(), new.as_bytes());
            assert!(
                lines.iter().all(|line| found.contains(line)),
                "{old:?} {new:?} {found:?}"
            );
            assert!(found.len() <= lines.len() + 1, "{old:?} {new:?} {found:?}");
        }
    }
}
