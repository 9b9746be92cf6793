//! The tool `query_sections`.

use serde_json::Value;

use super::arguments::{ids, tags};
use super::{Answered, request, tool};
use crate::check;
use crate::envelope::ToolAnswer;
use crate::model::Entity;
use crate::sections::list;
use crate::store::reading;
use lore_seam::Ctx;

request! {
    /// The sections of a project, feature or task of memory, in order
    QuerySectionsRequest {
        needs {
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            entity_type: String,
            entity_id: String,
        }
        takes {
            #[schemars(extend("default" = true))]
            include_content: Option<bool>,
            /// Comma separated
            tags: Option<Value>,
            /// Comma separated
            section_ids: Option<Value>,
        }
    }
}

tool!(QuerySections(QuerySectionsRequest) "query_sections" Read query);

fn query(ctx: &Ctx, request: &QuerySectionsRequest) -> Answered {
    let of = Entity {
        kind: check::word("entityType", &request.entity_type)?,
        id: check::id("entityId", &request.entity_id)?,
    };
    let tags = tags(request.tags.as_ref())?.unwrap_or_default();
    let among = ids("sectionIds", request.section_ids.as_ref())?;
    let among = among.filter(|among| !among.is_empty());
    let mut sections = reading(ctx, |store| list(store, of, &tags, among.as_deref()))?;
    if request.include_content == Some(false) {
        sections.iter_mut().for_each(|section| section.content.clear());
    }
    ToolAnswer::answer("Sections retrieved successfully", sections)
}
