//! The tool `rename_tag`.

use serde_json::json;

use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::tags::rename;
use lore_seam::Ctx;

request! {
    /// Rename a tag everywhere in memory; merges if the new one exists
    RenameTagRequest {
        needs {
            old_tag: String,
            new_tag: String,
        }
        takes { dry_run: Option<bool>, }
    }
}

tool!(RenameTag(RenameTagRequest) "rename_tag" Write renamed);

fn renamed(ctx: &Ctx, request: &RenameTagRequest) -> Answered {
    let dry_run = request.dry_run.unwrap_or(false);
    let entities = rename(ctx, &request.old_tag, &request.new_tag, dry_run)?;
    let affected = entities.len();
    let message = if dry_run {
        format!("Dry run: Would affect {affected} entities")
    } else {
        format!("Tag renamed successfully, affected {affected} entities")
    };
    ToolAnswer::answer(message, json!({ "affected": affected, "entities": entities }))
}
