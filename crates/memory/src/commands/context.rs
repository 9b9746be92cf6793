//! `lore memory context`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::choose::project_or_own;
use super::{Answered, TextAnswer, command, found_or_no};
use crate::graph::context::{Asked, Context, ContextAtom, context};
use crate::graph::staleness::Commits;
use crate::limits;
use crate::store::reading;
use lore_seam::Ctx;

/// Show what memory knows about files
///
/// The answer is no if no atom covers any of the files.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory context src/payments/webhook.ts src/retry.ts
  git diff --name-only | xargs lore memory context")]
#[serde(default)]
pub struct MemoryContextRequest {
    /// The files: paths from the root of the repository, or absolute paths
    #[arg(required = true)]
    pub paths: Vec<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

command!(MemoryContext(MemoryContextRequest) ["memory", "context"], Read Value answer);

fn answer(ctx: &Ctx, request: &MemoryContextRequest) -> Answered {
    let known = reading(ctx, |store| {
        let asked = Asked {
            project: project_or_own(ctx, store, request.project.as_deref())?,
            paths: request.paths.clone(),
            changelog: Some(limits::DEFAULT_CHANGELOG),
        };
        context(ctx, store, &asked)
    })?;
    let is_found = !known.molecules.is_empty() || !known.orphan_atoms.is_empty();
    Ok(found_or_no(is_found, describe(&known)))
}

fn describe(context: &Context) -> TextAnswer {
    let mut answer = TextAnswer::of(context);
    for molecule in &context.molecules {
        answer = answer.line(&molecule.name).indented(&molecule.knowledge, "  ");
        answer = molecule
            .atoms
            .iter()
            .fold(answer, |answer, atom| describe_atom(answer, atom, "  "));
    }
    answer = context
        .orphan_atoms
        .iter()
        .fold(answer, |answer, atom| describe_atom(answer, atom, ""));
    if !context.unmatched_paths.is_empty() {
        answer = answer.line("No atom covers:");
    }
    for path in &context.unmatched_paths {
        let suggestion = context.suggestions.iter().find(|known| known.path == *path);
        answer = answer.line(match suggestion.map(|known| (&known.nearest, &known.draft_pattern)) {
            Some((Some(nearest), draft)) => {
                format!("  {path}  (nearest: {}; suggested pattern: {draft})", nearest.name)
            }
            Some((None, draft)) => format!("  {path}  (suggested pattern: {draft})"),
            None => format!("  {path}"),
        });
    }
    for rename in &context.renames {
        answer = answer.line(format!(
            "Files of {} were renamed; suggested pattern: {}",
            rename.pattern, rename.suggested
        ));
    }
    match &context.note {
        Some(note) => answer.line(note),
        None => answer,
    }
}

fn describe_atom(answer: TextAnswer, atom: &ContextAtom, indent: &str) -> TextAnswer {
    let mut answer = answer
        .line(format!("{indent}{}  {}", atom.name, atom.id.short()))
        .line(format!("{indent}  covers {}", atom.matched_paths.join(", ")));
    if let Some(stale) = &atom.stale {
        let count = match &stale.commits {
            Commits::Counted(1) => "1 commit".to_owned(),
            Commits::Counted(count) => format!("{count} commits"),
            Commits::More(more) => format!("{more} commits"),
        };
        let files = stale.files.join(", ");
        answer = answer.line(format!("{indent}  {}: {count} changed {files}", stale.state));
    }
    answer = answer.indented(&atom.knowledge, &format!("{indent}  "));
    for related in &atom.related_atoms {
        let name = related.name.as_deref().unwrap_or("(deleted)");
        answer = answer.line(format!("{indent}  -> {name}: {}", related.reason));
    }
    answer.changelog(atom.changelog.as_deref(), &format!("{indent}  "))
}
