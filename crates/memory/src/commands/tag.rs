//! `lore memory tag …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Answered, Listed, TextAnswer, command, found_or_no, listed};
use crate::check;
use crate::containers::get;
use crate::store::reading;
use crate::tags::{rename, tag};
use lore_seam::Ctx;

/// List the tags of memory with their counts
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory tag list
  lore memory tag list --of task

Exit status: 0 something is listed; 1 the list is empty.")]
#[serde(default)]
pub struct TagListRequest {
    /// Only tags of this kind: task, feature or project
    #[arg(long, value_name = "KIND")]
    pub of: Option<String>,
}

/// Show the projects, features and tasks of memory with a tag
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory tag show security

Exit status: 0 something has the tag; 1 nothing has it.")]
#[serde(default)]
pub struct TagShowRequest {
    /// The tag
    #[arg(value_name = "TAG")]
    pub tag: String,
}

/// Rename a tag everywhere in memory, or merge it into an existing tag
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory tag rename js javascript
  lore memory tag rename js javascript --dry-run

Exit status: 0 renamed; 1 nothing has the tag; 2 the tag could not be renamed.")]
#[serde(default)]
pub struct TagRenameRequest {
    /// The tag
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The new tag
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Show what would be renamed and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

command!(TagList(TagListRequest) ["memory", "tag", "list"], Read Rows list);
command!(TagShow(TagShowRequest) ["memory", "tag", "show"], Read Rows show);
command!(TagRename(TagRenameRequest) ["memory", "tag", "rename"], Write Value renamed);

fn list(ctx: &Ctx, request: &TagListRequest) -> Listed {
    let kind = request.of.as_deref().map(|word| check::word("of", word)).transpose()?;
    let tags = reading(ctx, |store| store.tags(kind))?;
    let rows = tags.iter().map(|tag| {
        TextAnswer::of(tag)
            .text(format!("{:>5}  ", tag.count))
            .strong(&tag.tag)
            .end()
    });
    listed(rows.collect())
}

fn show(ctx: &Ctx, request: &TagShowRequest) -> Listed {
    let tag = tag("tag", &request.tag)?;
    let rows = reading(ctx, |store| {
        let entities = store.tagged(&tag)?;
        let rows = entities.into_iter().map(|entity| {
            let container = get(store, entity)?;
            let kind = format!("{:<7}  ", entity.kind.name());
            Ok(TextAnswer::of(&container)
                .text(kind)
                .with(TextAnswer::container(&container)))
        });
        rows.collect()
    })?;
    listed(rows)
}

fn renamed(ctx: &Ctx, request: &TagRenameRequest) -> Answered {
    let entities = rename(ctx, &request.old, &request.new, request.dry_run)?;
    let count = entities.len();
    let shown = TextAnswer::of(json!({ "affected": count, "entities": entities }));
    let verb = match (request.dry_run, count) {
        (true, _) => "would be",
        (false, 1) => "is",
        (false, _) => "are",
    };
    let shown = shown.line(format!(
        "{count} {verb} tagged {} instead of {}.",
        request.new, request.old
    ));
    Ok(found_or_no(count > 0, shown))
}
