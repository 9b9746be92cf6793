//! The tool `manage_sections`.

use serde_json::{Map, Value, json};

use super::arguments::{array, entity, ids, tags};
use super::{Answered, request, tool};
use crate::check;
use crate::envelope::ToolAnswer;
use crate::limits;
use crate::model::ContentFormat;
use crate::sections::{NewSection, SectionChange, add, content, ordinal, remove, remove_all, reorder, update, usage};
use lore_seam::{Ctx, OpError};

request! {
    /// Add, change, reorder or delete sections of a project, feature or task of memory
    ManageSectionsRequest {
        needs {
            #[schemars(extend("enum" = ["add", "update", "updateText", "delete", "reorder", "bulkCreate", "bulkDelete"]))]
            operation: String,
        }
        takes {
            #[schemars(extend("enum" = ["PROJECT", "FEATURE", "TASK"]))]
            entity_type: Option<String>,
            entity_id: Option<String>,
            section_id: Option<String>,
            title: Option<String>,
            usage_description: Option<String>,
            content: Option<String>,
            #[schemars(extend("enum" = ["PLAIN_TEXT", "MARKDOWN", "JSON", "CODE"]))]
            content_format: Option<String>,
            /// Comma separated
            tags: Option<Value>,
            ordinal: Option<i64>,
            /// The version that was read
            version: Option<i64>,
            /// Comma separated
            ordered_ids: Option<Value>,
            /// JSON array
            sections: Option<Value>,
            /// Comma separated
            section_ids: Option<Value>,
        }
    }
}

tool!(ManageSections(ManageSectionsRequest) "manage_sections" Write manage);

const OPERATIONS: &[&str] = &[
    "add",
    "update",
    "updateText",
    "delete",
    "reorder",
    "bulkCreate",
    "bulkDelete",
];

fn manage(ctx: &Ctx, request: &ManageSectionsRequest) -> Answered {
    let operation = check::choice("operation", &request.operation, OPERATIONS)?;
    let of = || entity(operation, request.entity_type.as_ref(), request.entity_id.as_ref());
    let section = || {
        let id = check::required("sectionId", operation, request.section_id.as_ref())?;
        check::id("sectionId", id)
    };
    match operation {
        "add" => {
            let of = of()?;
            let new = new_section(operation, &Given::of(request))?;
            let mut added = add(ctx, of, &[new])?;
            ToolAnswer::answer("Section added successfully", added.pop())
        }
        "update" => {
            let (id, version) = (section()?, check::required("version", operation, request.version)?);
            let change = SectionChange {
                title: request
                    .title
                    .as_deref()
                    .map(|title| check::name("title", title))
                    .transpose()?,
                usage: request.usage_description.as_deref().map(usage).transpose()?,
                content: request
                    .content
                    .as_deref()
                    .map(|text| content("content", text))
                    .transpose()?,
                format: format(request.content_format.as_deref())?,
                ordinal: request.ordinal.map(ordinal).transpose()?,
                tags: tags(request.tags.as_ref())?,
            };
            ToolAnswer::answer("Section updated successfully", update(ctx, id, Some(version), &change)?)
        }
        "updateText" => {
            let (id, version) = (section()?, check::required("version", operation, request.version)?);
            let text = check::required("content", operation, request.content.as_ref())?;
            let change = SectionChange {
                content: Some(content("content", text)?),
                ..SectionChange::default()
            };
            ToolAnswer::answer(
                "Section text updated successfully",
                update(ctx, id, Some(version), &change)?,
            )
        }
        "delete" => {
            remove(ctx, section()?, request.version)?;
            ToolAnswer::answer("Section deleted successfully", json!({ "deleted": true }))
        }
        "reorder" => {
            let of = of()?;
            let ids = ids("orderedIds", request.ordered_ids.as_ref())?;
            let ids = check::required("orderedIds", operation, ids)?;
            reorder(ctx, of, &ids)?;
            ToolAnswer::answer("Sections reordered successfully", json!({ "reordered": true }))
        }
        "bulkCreate" => {
            let of = of()?;
            let sections = check::required("sections", operation, request.sections.as_ref())?;
            let added = add(ctx, of, &bulk(sections)?)?;
            ToolAnswer::answer("Sections bulk created successfully", added)
        }
        _ => {
            let ids = ids("sectionIds", request.section_ids.as_ref())?;
            let ids = check::required("sectionIds", operation, ids)?;
            let count = remove_all(ctx, &ids)?;
            ToolAnswer::answer("Sections bulk deleted successfully", json!({ "deletedCount": count }))
        }
    }
}

/// What a new section is given with.
struct Given<'r> {
    title: Option<&'r str>,
    usage: Option<&'r str>,
    content: Option<&'r str>,
    format: Option<&'r str>,
    ordinal: Option<i64>,
    tags: Option<&'r Value>,
}

impl<'r> Given<'r> {
    fn of(request: &'r ManageSectionsRequest) -> Self {
        Self {
            title: request.title.as_deref(),
            usage: request.usage_description.as_deref(),
            content: request.content.as_deref(),
            format: request.content_format.as_deref(),
            ordinal: request.ordinal,
            tags: request.tags.as_ref(),
        }
    }
}

fn format(word: Option<&str>) -> Result<Option<ContentFormat>, OpError> {
    word.map(|word| check::word("contentFormat", word)).transpose()
}

fn new_section(operation: &str, given: &Given<'_>) -> Result<NewSection, OpError> {
    let title = check::required("title", operation, given.title)?;
    let used = check::required("usageDescription", operation, given.usage)?;
    let text = check::required("content", operation, given.content)?;
    Ok(NewSection {
        title: check::name("title", title)?,
        usage: usage(used)?,
        content: content("content", text)?,
        format: format(given.format)?.unwrap_or(ContentFormat::Markdown),
        ordinal: given.ordinal.map(ordinal).transpose()?,
        tags: tags(given.tags)?.unwrap_or_default(),
    })
}

/// The sections of an array, or of the text of one.
fn bulk(value: &Value) -> Result<Vec<NewSection>, OpError> {
    let no_array = || check::invalid("sections", "`sections` is an array of sections, or its JSON text");
    let items = match value {
        Value::Array(items) => items.clone(),
        Value::String(text) => array(text).ok_or_else(no_array)?,
        _ => return Err(no_array()),
    };
    if items.is_empty() || items.len() > limits::SECTIONS {
        return Err(check::invalid(
            "sections",
            format!(
                "`sections` needs 1 to {} sections, not {}",
                limits::SECTIONS,
                items.len()
            ),
        ));
    }
    let sections = items.iter().enumerate();
    let sections = sections.map(|(at, item)| {
        let fields = item
            .as_object()
            .ok_or_else(|| check::invalid("sections", format!("`sections[{at}]` is not an object")))?;
        let given = bulk_fields(fields)?;
        new_section("bulkCreate", &given).map_err(|mut error| {
            error.message = format!("sections[{at}]: {}", error.message);
            if let Some(said) = error.detail.as_mut().and_then(|detail| detail.said.as_mut()) {
                *said = format!("sections[{at}]: {said}");
            }
            error
        })
    });
    sections.collect()
}

const FIELDS: &[&str] = &[
    "title",
    "usageDescription",
    "content",
    "contentFormat",
    "ordinal",
    "tags",
];

fn bulk_fields(fields: &Map<String, Value>) -> Result<Given<'_>, OpError> {
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        let shown = lore_model::truncate_chars(unknown, 60);
        let message = format!("a section has {}, not `{shown}`", FIELDS.join(", "));
        return Err(check::invalid("sections", message));
    }
    let text = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(check::invalid("sections", format!("`{name}` of a section is a text"))),
    };
    let ordinal = match fields.get("ordinal") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_i64(),
    };
    if ordinal.is_none() && fields.get("ordinal").is_some_and(|value| !value.is_null()) {
        return Err(check::invalid("sections", "`ordinal` of a section is a whole number"));
    }
    Ok(Given {
        title: text("title")?,
        usage: text("usageDescription")?,
        content: text("content")?,
        format: text("contentFormat")?,
        ordinal,
        tags: fields.get("tags"),
    })
}
