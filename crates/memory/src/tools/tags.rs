//! `list_tags`, `get_tag_usage` and `rename_tag`.

use serde_json::json;

use super::{Answered, request, tool};
use crate::check;
use crate::envelope::Told;
use crate::store::reading;
use crate::tags::{rename, tag};
use lore_seam::Ctx;

request! {
    /// All tags of projects, features and tasks of memory, and how often each is used
    ListTagsRequest {
        needs {}
        takes {
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            entity_type: Option<String>,
        }
    }
}

tool! {
    /// `list_tags`.
    ListTags(ListTagsRequest) "list_tags" Read list
}

fn list(ctx: &Ctx, request: &ListTagsRequest) -> Answered {
    let kind = request.entity_type.as_deref();
    let kind = kind.map(|word| check::word("entityType", word)).transpose()?;
    let tags = reading(ctx, |store| store.tags(kind))?;
    Told::answer("Tags listed successfully", tags)
}

request! {
    /// Which projects, features and tasks of memory bear a tag
    GetTagUsageRequest {
        needs { tag: String, }
        takes {}
    }
}

tool! {
    /// `get_tag_usage`.
    GetTagUsage(GetTagUsageRequest) "get_tag_usage" Read used
}

fn used(ctx: &Ctx, request: &GetTagUsageRequest) -> Answered {
    let tag = tag("tag", &request.tag)?;
    let entities = reading(ctx, |store| store.tagged(&tag))?;
    Told::answer("Tag usage retrieved successfully", entities)
}

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

tool! {
    /// `rename_tag`.
    RenameTag(RenameTagRequest) "rename_tag" Write renamed
}

fn renamed(ctx: &Ctx, request: &RenameTagRequest) -> Answered {
    let dry_run = request.dry_run.unwrap_or(false);
    let entities = rename(ctx, &request.old_tag, &request.new_tag, dry_run)?;
    let affected = entities.len();
    let message = if dry_run {
        format!("Dry run: Would affect {affected} entities")
    } else {
        format!("Tag renamed successfully, affected {affected} entities")
    };
    Told::answer(message, json!({ "affected": affected, "entities": entities }))
}
