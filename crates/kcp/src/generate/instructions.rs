//! Instructions for coding agents in three lengths (clause G3).

use super::digest_mark::MARK_LINE;
use super::escape::{code, prose};
use super::units::{ListedUnit, relationships};
use crate::model::Manifest;
use crate::vocabulary::{UnitKind, Vocabulary};

/// A heading and a block for each unit.
pub(super) fn full(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    let mut text = opening(manifest);
    for unit in units {
        text += &format!("\n## {}\n\n{}\n\n", prose(unit.id), prose(unit.intent));
        text += &format!("- Document: {}\n", code(&unit.path));
        text += &format!("- Scope: {}; for: {}\n", unit.scope.word(), prose(&unit.audience()));
        let kind = unit.unit.kind_or_default();
        if kind != UnitKind::Knowledge {
            text += &format!("- Kind: {} ({})\n", kind.word(), kind.use_of());
        }
        if !unit.triggers.is_empty() {
            text += &format!("- Triggers: {}\n", triggers(unit));
        }
        if let Some(validated) = &unit.unit.validated {
            text += &format!("- Checked: {}\n", prose(manifest.text(validated.value.text)));
        }
        let needed = unit.unit.depends_on.iter().flat_map(|list| &list.value);
        let needed: Vec<String> = needed.map(|id| code(manifest.text(id.value))).collect();
        if !needed.is_empty() {
            text += &format!("- Read first: {}\n", needed.join(", "));
        }
    }
    text += &ending(manifest, units, left_out);
    text
}

/// A table.
pub(super) fn compact(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    format!(
        "{}\n{}{}",
        opening(manifest),
        table(units),
        ending(manifest, units, left_out)
    )
}

/// A table and how to go about it.
pub(super) fn agent(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    format!(
        "{}\n{}\n{}{}",
        opening(manifest),
        table(units),
        steps(),
        ending(manifest, units, left_out)
    )
}

/// The heading and the line that says whose the file is.
fn opening(manifest: &Manifest) -> String {
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    format!("# Knowledge of {}\n\n{MARK_LINE}\n", prose(project))
}

/// The units as a table of id, intent, path and triggers.
pub(super) fn table(units: &[ListedUnit<'_>]) -> String {
    let mut text = "| ID | Intent | Path | Triggers |\n|---|---|---|---|\n".to_owned();
    for unit in units {
        text += &format!(
            "| {} | {} | {} | {} |\n",
            prose(unit.id),
            prose(unit.intent),
            code(&unit.path),
            triggers(unit)
        );
    }
    text
}

fn triggers(unit: &ListedUnit<'_>) -> String {
    let words: Vec<String> = unit.triggers.iter().map(|trigger| prose(trigger)).collect();
    words.join(", ")
}

/// How an agent finds its way.
pub(super) fn steps() -> &'static str {
    "## How to find documents\n\n\
     1. Look in the table for the intent or the trigger that fits the task.\n\
     2. Open that document first, and only it; it is shorter than a search through the repository.\n\
     3. Open the documents that the relationships below put before it.\n\
     4. If nothing fits, search, and report the question that no document answers.\n"
}

/// The relationships, and how much there was no room for.
pub(super) fn ending(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    let mut text = String::new();
    let related = relationships(manifest, units);
    if !related.is_empty() {
        text += "\n## Relationships\n\n";
        for (from, to, kind) in related {
            text += &format!("- {} → {} ({})\n", prose(from), prose(to), prose(kind));
        }
    }
    match left_out {
        0 => {}
        1 => text += "\nOne more document is named in the manifest.\n",
        count => text += &format!("\n{count} more documents are named in the manifest.\n"),
    }
    text
}
