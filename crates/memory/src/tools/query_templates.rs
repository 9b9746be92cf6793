//! The tool `query_templates`.

use serde_json::{Value, json};

use super::arguments::tags;
use super::{Answered, request, tool};
use crate::check;
use crate::envelope::ToolAnswer;
use crate::store::{TemplateFilter, reading};
use crate::templates::template;
use lore_seam::Ctx;

request! {
    /// Templates of sections for memory: get one, or list
    QueryTemplatesRequest {
        needs {
            #[schemars(extend("enum" = ["get", "list"]))]
            operation: String,
        }
        takes {
            id: Option<String>,
            include_sections: Option<bool>,
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            target_entity_type: Option<String>,
            is_built_in: Option<bool>,
            is_enabled: Option<bool>,
            tags: Option<Value>,
        }
    }
}

tool!(QueryTemplates(QueryTemplatesRequest) "query_templates" Read query);

fn query(ctx: &Ctx, request: &QueryTemplatesRequest) -> Answered {
    if check::choice("operation", &request.operation, &["get", "list"])? == "get" {
        let id = check::required("id", "get", request.id.as_ref())?;
        let id = check::id("id", id)?;
        let data = reading(ctx, |store| {
            let mut data = json!({ "template": template(store, id)? });
            if request.include_sections == Some(true) {
                data["sections"] = json!(store.template_sections(id)?);
            }
            Ok(data)
        })?;
        return ToolAnswer::answer("Template retrieved successfully", data);
    }
    let target = request.target_entity_type.as_deref();
    let filter = TemplateFilter {
        target: target.map(|word| check::word("targetEntityType", word)).transpose()?,
        built_in: request.is_built_in,
        enabled: request.is_enabled,
        tags: tags(request.tags.as_ref())?.unwrap_or_default(),
    };
    let templates = reading(ctx, |store| store.templates(&filter))?;
    ToolAnswer::answer(format!("Found {} template(s)", templates.len()), templates)
}
