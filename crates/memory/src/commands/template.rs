//! `lore memory template …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::{choose, choose_template};
use super::knowledge::text_option;
use super::{Answered, Listed, TextAnswer, command, listed};
use crate::check;
use crate::containers::tags;
use crate::model::{ContentFormat, EntityType};
use crate::sections::{content, usage};
use crate::store::{TemplateFilter, reading};
use crate::templates::{NewTemplate, NewTemplateSection, add_section, apply, create, description, enable, remove};
use lore_seam::{Ctx, Value};

/// Create a template of memory: sections for new tasks, features or projects
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template create bug --for task --description 'How to report a bug'

Exit status: 0 created; 1 the name is taken; 2 the template could not be created.")]
#[serde(default)]
pub struct TemplateCreateRequest {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The kind that the template is for: task, feature or project [default: task]
    #[arg(long = "for", value_name = "KIND")]
    #[serde(rename = "for")]
    pub target: Option<String>,
    /// The purpose [default: the name]
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Protect the template from changes and deletion
    #[arg(long)]
    pub protected: bool,
    /// A tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the templates of memory by name
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template list
  lore memory template list --for feature

Exit status: 0 something is listed; 1 the list is empty.")]
#[serde(default)]
pub struct TemplateListRequest {
    /// Only templates for this kind: task, feature or project
    #[arg(long = "for", value_name = "KIND")]
    #[serde(rename = "for")]
    pub target: Option<String>,
}

/// Show a template of memory with its sections
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template show bug

Exit status: 0 shown; 1 there is none, or the name is ambiguous.")]
#[serde(default)]
pub struct TemplateShowRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "TEMPLATE")]
    pub template: String,
}

/// Add a section to a template of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template add bug 'Steps to reproduce' --content '1. …' --required

Exit status: 0 added; 1 there is no such template; 2 the section could not be added.")]
#[serde(default)]
pub struct TemplateAddRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "TEMPLATE")]
    pub template: String,
    /// The title of the section
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// The purpose of the section [default: the title]
    #[arg(long = "use", value_name = "TEXT")]
    #[serde(rename = "use")]
    pub usage: Option<String>,
    /// The initial content
    #[arg(long, value_name = "TEXT")]
    pub content: Option<String>,
    /// Read that text from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The section is required
    #[arg(long)]
    pub required: bool,
}

/// Copy the sections of a template of memory to a task, a feature or a project
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template apply bug 5f3a91c2

Exit status: 0 copied; 1 the template is disabled or for another kind; 2 the sections could not be copied.")]
#[serde(default)]
pub struct TemplateApplyRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "TEMPLATE")]
    pub template: String,
    /// The task, feature or project: name, id or last digits of the id
    #[arg(value_name = "TO")]
    pub to: String,
}

/// Enable a template of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template enable bug

Exit status: 0 enabled; 1 there is none, or the name is ambiguous.")]
#[serde(default)]
pub struct TemplateEnableRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "TEMPLATE")]
    pub template: String,
}

/// Disable a template of memory, so that it cannot be applied
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template disable bug

Exit status: 0 disabled; 1 there is none, or the name is ambiguous.")]
#[serde(default)]
pub struct TemplateDisableRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "TEMPLATE")]
    pub template: String,
}

/// Delete a template of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory template delete bug

Exit status: 0 deleted; 1 the template is protected or unknown; 2 the template could not be deleted.")]
#[serde(default)]
pub struct TemplateDeleteRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "TEMPLATE")]
    pub template: String,
}

command!(TemplateCreate(TemplateCreateRequest) ["memory", "template", "create"], Record Value created);
command!(TemplateList(TemplateListRequest) ["memory", "template", "list"], Read Rows list);
command!(TemplateShow(TemplateShowRequest) ["memory", "template", "show"], Read Value show);
command!(TemplateAdd(TemplateAddRequest) ["memory", "template", "add"], Record Value added);
command!(TemplateApply(TemplateApplyRequest) ["memory", "template", "apply"], Record Value applied);
command!(TemplateEnable(TemplateEnableRequest) ["memory", "template", "enable"], Write Value enabled);
command!(TemplateDisable(TemplateDisableRequest) ["memory", "template", "disable"], Write Value disabled);
command!(TemplateDelete(TemplateDeleteRequest) ["memory", "template", "delete"], Write Value delete);

fn created(ctx: &Ctx, request: &TemplateCreateRequest) -> Answered {
    let name = check::name("name", &request.name)?;
    let new = NewTemplate {
        description: description(request.description.as_deref().unwrap_or(&name))?,
        name,
        target: check::word("for", request.target.as_deref().unwrap_or("task"))?,
        is_built_in: false,
        is_protected: request.protected,
        is_enabled: true,
        created_by: None,
        tags: tags("tags", request.tags.iter().map(String::as_str))?,
    };
    Ok(Value::yes(TextAnswer::template(&create(ctx, &new)?)))
}

fn list(ctx: &Ctx, request: &TemplateListRequest) -> Listed {
    let target = request.target.as_deref();
    let filter = TemplateFilter {
        target: target.map(|word| check::word("for", word)).transpose()?,
        ..TemplateFilter::default()
    };
    let templates = reading(ctx, |store| store.templates(&filter))?;
    listed(templates.iter().map(TextAnswer::template).collect())
}

fn show(ctx: &Ctx, request: &TemplateShowRequest) -> Answered {
    let (template, sections) = reading(ctx, |store| {
        let template = choose_template(store, &request.template)?;
        let sections = store.template_sections(template.id)?;
        Ok((template, sections))
    })?;
    let shown =
        TextAnswer::of(json!({ "template": template, "sections": sections })).with(TextAnswer::template(&template));
    let shown = sections.iter().fold(shown, |shown, section| {
        let required = if section.is_required { "  required" } else { "" };
        shown
            .end()
            .strong(&section.title)
            .dim(format!("  {}", section.usage_description))
            .text(required)
            .end()
            .block(&section.content_sample)
    });
    Ok(Value::yes(shown))
}

fn added(ctx: &Ctx, request: &TemplateAddRequest) -> Answered {
    let title = check::name("title", &request.title)?;
    let text = text_option(ctx, request.content.as_deref(), request.file.as_deref())?;
    let new = NewTemplateSection {
        usage: usage(request.usage.as_deref().unwrap_or(&title))?,
        title,
        sample: content("content", text.as_deref().unwrap_or_default())?,
        format: ContentFormat::Markdown,
        ordinal: None,
        is_required: request.required,
        tags: Vec::new(),
    };
    let template = reading(ctx, |store| choose_template(store, &request.template))?;
    let section = add_section(ctx, template.id, &new)?;
    Ok(Value::yes(TextAnswer::of(&section).line(format!(
        "Added the section {1} to {0}.",
        template.name, section.title
    ))))
}

fn applied(ctx: &Ctx, request: &TemplateApplyRequest) -> Answered {
    let (template, to) = reading(ctx, |store| {
        let template = choose_template(store, &request.template)?;
        let kinds = [EntityType::Task, EntityType::Feature, EntityType::Project];
        Ok((template, choose(ctx, store, &kinds, &request.to)?.entity()))
    })?;
    let sections = apply(ctx, template.id, to)?;
    let shown = TextAnswer::of(&sections);
    Ok(Value::yes(shown.each(sections.iter().map(TextAnswer::section))))
}

fn enabled(ctx: &Ctx, request: &TemplateEnableRequest) -> Answered {
    let template = reading(ctx, |store| choose_template(store, &request.template))?;
    Ok(Value::yes(TextAnswer::template(&enable(ctx, template.id, true)?)))
}

fn disabled(ctx: &Ctx, request: &TemplateDisableRequest) -> Answered {
    let template = reading(ctx, |store| choose_template(store, &request.template))?;
    Ok(Value::yes(TextAnswer::template(&enable(ctx, template.id, false)?)))
}

fn delete(ctx: &Ctx, request: &TemplateDeleteRequest) -> Answered {
    let template = reading(ctx, |store| choose_template(store, &request.template))?;
    let template = remove(ctx, template.id)?;
    Ok(Value::yes(
        TextAnswer::of(json!({ "deleted": true })).line(format!("Deleted {}.", template.name)),
    ))
}
