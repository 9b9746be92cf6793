//! `query_templates`, `manage_template` and `apply_template`.

use serde_json::{Value, json};

use super::arguments::tags;
use super::{Answered, request, tool};
use crate::check;
use crate::envelope::Told;
use crate::limits;
use crate::model::{ContentFormat, Entity, EntityType};
use crate::sections::{content, ordinal, usage};
use crate::store::{TemplateFilter, reading};
use crate::templates::{
    NewTemplate, NewTemplateSection, TemplateChange, add_section, apply, create, description, enable, remove, template,
    update,
};
use lore_seam::{Ctx, OpError};

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

tool! {
    /// `query_templates`.
    QueryTemplates(QueryTemplatesRequest) "query_templates" Read query
}

fn target(word: Option<&str>) -> Result<Option<EntityType>, OpError> {
    word.map(|word| check::word("targetEntityType", word)).transpose()
}

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
        return Told::answer("Template retrieved successfully", data);
    }
    let filter = TemplateFilter {
        target: target(request.target_entity_type.as_deref())?,
        built_in: request.is_built_in,
        enabled: request.is_enabled,
        tags: tags(request.tags.as_ref())?.unwrap_or_default(),
    };
    let templates = reading(ctx, |store| store.templates(&filter))?;
    Told::answer(format!("Found {} template(s)", templates.len()), templates)
}

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

tool! {
    /// `manage_template`.
    ManageTemplate(ManageTemplateRequest) "manage_template" Write manage
}

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
            Told::answer("Template created successfully", create(ctx, &new)?)
        }
        "update" => {
            let id = id()?;
            let change = TemplateChange {
                name: request
                    .name
                    .as_deref()
                    .map(|name| check::name("name", name))
                    .transpose()?,
                description: request.description.as_deref().map(description).transpose()?,
                target: target(request.target_entity_type.as_deref())?,
                tags: tags(request.tags.as_ref())?,
            };
            Told::answer("Template updated successfully", update(ctx, id, &change)?)
        }
        "delete" => {
            remove(ctx, id()?)?;
            Told::answer("Template deleted successfully", json!({ "deleted": true }))
        }
        "enable" => Told::answer("Template enabled successfully", enable(ctx, id()?, true)?),
        "disable" => Told::answer("Template disabled successfully", enable(ctx, id()?, false)?),
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
            Told::answer("Template section added successfully", add_section(ctx, id, &new)?)
        }
    }
}

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

tool! {
    /// `apply_template`.
    ApplyTemplate(ApplyTemplateRequest) "apply_template" Record applied
}

fn applied(ctx: &Ctx, request: &ApplyTemplateRequest) -> Answered {
    let id = check::id("templateId", &request.template_id)?;
    let to = Entity {
        kind: check::word("entityType", &request.entity_type)?,
        id: check::id("entityId", &request.entity_id)?,
    };
    let sections = apply(ctx, id, to)?;
    let message = format!("Template applied successfully. Created {} section(s)", sections.len());
    Told::answer(message, sections)
}
