//! The tool `manage_template`.

use serde_json::{Value, json};

use super::arguments::tags;
use super::{Answered, request, tool};
use crate::check;
use crate::envelope::ToolAnswer;
use crate::limits;
use crate::model::ContentFormat;
use crate::sections::{content, ordinal, usage};
use crate::templates::{
    NewTemplate, NewTemplateSection, TemplateChange, add_section, create, description, enable, remove, update,
};
use lore_seam::Ctx;

request! {
    /// Create, change, enable, disable or delete a template of memory, or add a section to it
    ManageTemplateRequest {
        needs {
            #[schemars(extend("enum" = ["create", "update", "delete", "enable", "disable", "addSection"]))]
            operation: String,
        }
        takes {
            id: Option<String>,
            name: Option<String>,
            description: Option<String>,
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            target_entity_type: Option<String>,
            is_built_in: Option<bool>,
            is_protected: Option<bool>,
            is_enabled: Option<bool>,
            created_by: Option<String>,
            tags: Option<Value>,
            title: Option<String>,
            usage_description: Option<String>,
            content_sample: Option<String>,
            #[schemars(extend("enum" = ["PLAIN_TEXT", "MARKDOWN", "JSON", "CODE"]))]
            content_format: Option<String>,
            is_required: Option<bool>,
            ordinal: Option<i64>,
        }
    }
}

tool!(ManageTemplate(ManageTemplateRequest) "manage_template" Write manage);

const OPERATIONS: &[&str] = &["create", "update", "delete", "enable", "disable", "addSection"];

fn manage(ctx: &Ctx, request: &ManageTemplateRequest) -> Answered {
    let operation = check::choice("operation", &request.operation, OPERATIONS)?;
    let id = || {
        let id = check::required("id", operation, request.id.as_ref())?;
        check::id("id", id)
    };
    let needed = |field: &'static str, given: &Option<String>| check::required(field, operation, given.clone());
    match operation {
        "create" => {
            let name = needed("name", &request.name)?;
            let about = needed("description", &request.description)?;
            let kind = needed("targetEntityType", &request.target_entity_type)?;
            let created_by = request.created_by.as_deref().map(str::trim).filter(|by| !by.is_empty());
            let new = NewTemplate {
                name: check::name("name", &name)?,
                description: description(&about)?,
                target: check::word("targetEntityType", &kind)?,
                is_built_in: request.is_built_in.unwrap_or(false),
                is_protected: request.is_protected.unwrap_or(false),
                is_enabled: request.is_enabled.unwrap_or(true),
                created_by: created_by
                    .map(|by| check::chars("createdBy", by, limits::NAME_CHARS).map(str::to_owned))
                    .transpose()?,
                tags: tags(request.tags.as_ref())?.unwrap_or_default(),
            };
            ToolAnswer::answer("Template created successfully", create(ctx, &new)?)
        }
        "update" => {
            let id = id()?;
            let target = request.target_entity_type.as_deref();
            let change = TemplateChange {
                name: request
                    .name
                    .as_deref()
                    .map(|name| check::name("name", name))
                    .transpose()?,
                description: request.description.as_deref().map(description).transpose()?,
                target: target.map(|word| check::word("targetEntityType", word)).transpose()?,
                tags: tags(request.tags.as_ref())?,
            };
            ToolAnswer::answer("Template updated successfully", update(ctx, id, &change)?)
        }
        "delete" => {
            remove(ctx, id()?)?;
            ToolAnswer::answer("Template deleted successfully", json!({ "deleted": true }))
        }
        "enable" => ToolAnswer::answer("Template enabled successfully", enable(ctx, id()?, true)?),
        "disable" => ToolAnswer::answer("Template disabled successfully", enable(ctx, id()?, false)?),
        _ => {
            let id = id()?;
            let title = needed("title", &request.title)?;
            let used = needed("usageDescription", &request.usage_description)?;
            let sample = needed("contentSample", &request.content_sample)?;
            let format = request.content_format.as_deref();
            let new = NewTemplateSection {
                title: check::name("title", &title)?,
                usage: usage(&used)?,
                sample: content("contentSample", &sample)?,
                format: format
                    .map(|word| check::word("contentFormat", word))
                    .transpose()?
                    .unwrap_or(ContentFormat::Markdown),
                ordinal: request.ordinal.map(ordinal).transpose()?,
                is_required: request.is_required.unwrap_or(false),
                tags: tags(request.tags.as_ref())?.unwrap_or_default(),
            };
            ToolAnswer::answer("Template section added successfully", add_section(ctx, id, &new)?)
        }
    }
}
