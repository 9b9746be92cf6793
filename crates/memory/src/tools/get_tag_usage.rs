//! The tool `get_tag_usage`.

use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::store::reading;
use crate::tags::tag;
use lore_seam::Ctx;

request! {
    /// Projects, features and tasks of memory with a tag
    GetTagUsageRequest {
        needs { tag: String, }
        takes {}
    }
}

tool!(GetTagUsage(GetTagUsageRequest) "get_tag_usage" Read used);

fn used(ctx: &Ctx, request: &GetTagUsageRequest) -> Answered {
    let tag = tag("tag", &request.tag)?;
    let entities = reading(ctx, |store| store.tagged(&tag))?;
    ToolAnswer::answer("Tag usage retrieved successfully", entities)
}
