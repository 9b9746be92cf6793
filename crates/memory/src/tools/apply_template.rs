//! The tool `apply_template`.

use super::{Answered, request, tool};
use crate::check;
use crate::envelope::ToolAnswer;
use crate::model::Entity;
use crate::templates::apply;
use lore_seam::Ctx;

request! {
    /// Copy the sections of a template to a project, feature or task of memory
    ApplyTemplateRequest {
        needs {
            template_id: String,
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            entity_type: String,
            entity_id: String,
        }
        takes {}
    }
}

tool!(ApplyTemplate(ApplyTemplateRequest) "apply_template" Record applied);

fn applied(ctx: &Ctx, request: &ApplyTemplateRequest) -> Answered {
    let id = check::id("templateId", &request.template_id)?;
    let to = Entity {
        kind: check::word("entityType", &request.entity_type)?,
        id: check::id("entityId", &request.entity_id)?,
    };
    let sections = apply(ctx, id, to)?;
    let message = format!("Template applied successfully. Created {} section(s)", sections.len());
    ToolAnswer::answer(message, sections)
}
