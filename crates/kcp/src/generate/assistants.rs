//! What other assistants read by themselves: parts of CLAUDE.md and AGENTS.md, a rule of Cursor, and agents.json (clause G7).

use serde_json::{Value, json};

use super::digest_mark::MARK_LINE;
use super::escape::{code, prose};
use super::instructions::{ending, table};
use super::units::ListedUnit;
use crate::model::Manifest;
use crate::vocabulary::{AccessLevel, Audience, Vocabulary};
use lore_base::yaml::write::double_quoted;

const MORE: &str = "`lore unit query WORD` finds the document for a question, `lore unit plan` what to read first.\n";

/// The part of CLAUDE.md: what is to be loaded at once is taken in, so that it is there from the start.
pub(super) fn claude(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    let mut text = "## Documents of this project\n\n".to_owned();
    let eager: Vec<&ListedUnit<'_>> = units.iter().filter(|unit| unit.is_eager()).collect();
    if eager.is_empty() {
        text += &table(units);
        text += &ending(manifest, units, left_out);
    } else {
        text += "Read from the start:\n\n";
        for unit in eager {
            text += &format!("- {}: {}\n", prose(unit.intent), taken_in(unit));
        }
    }
    text + "\n" + MORE
}

/// An import of the document, if it is public and its path is safe in the text; else only its path.
fn taken_in(unit: &ListedUnit<'_>) -> String {
    let is_public = unit.unit.access_or_default() == Some(AccessLevel::Public);
    let is_plain = unit
        .path
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_'));
    if is_public && is_plain {
        format!("@{}", unit.path)
    } else {
        code(&unit.path)
    }
}

/// The part of AGENTS.md.
pub(super) fn agents(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    format!(
        "## Documents of this project\n\nOpen the document whose intent or trigger fits before searching.\n\n{}{}\n{MORE}",
        table(units),
        ending(manifest, units, left_out)
    )
}

/// A rule of Cursor that is always on.
pub(super) fn cursor(manifest: &Manifest, units: &[ListedUnit<'_>], left_out: usize) -> String {
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    let description = format!("Which document of {project} answers which question");
    format!(
        "---\ndescription: {}\nalwaysApply: true\n---\n\n{MARK_LINE}\n\n{}",
        double_quoted(&description),
        agents(manifest, units, left_out)
    )
}

/// The policies that agents have to keep.
pub(super) fn policies(manifest: &Manifest, units: &[ListedUnit<'_>]) -> Value {
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    let policies = units
        .iter()
        .filter(|unit| unit.is_policy() && unit.is_for(Audience::Agent));
    let policies: Vec<Value> = policies
        .map(|unit| {
            json!({
                "id": unit.id,
                "path": unit.path,
                "intent": unit.intent,
                "scope": unit.scope.word(),
                "triggers": unit.triggers,
            })
        })
        .collect();
    json!({ "project": project, "policies": policies })
}
