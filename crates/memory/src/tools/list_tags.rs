//! The tool `list_tags`.

use super::{Answered, request, tool};
use crate::check;
use crate::envelope::ToolAnswer;
use crate::store::reading;
use lore_seam::Ctx;

request! {
    /// All tags of projects, features and tasks of memory with counts
    ListTagsRequest {
        needs {}
        takes {
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            entity_type: Option<String>,
        }
    }
}

tool!(ListTags(ListTagsRequest) "list_tags" Read list);

fn list(ctx: &Ctx, request: &ListTagsRequest) -> Answered {
    let kind = request.entity_type.as_deref();
    let kind = kind.map(|word| check::word("entityType", word)).transpose()?;
    let tags = reading(ctx, |store| store.tags(kind))?;
    ToolAnswer::answer("Tags listed successfully", tags)
}
