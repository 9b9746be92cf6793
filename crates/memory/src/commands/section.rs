//! `lore memory section …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::{choose, choose_section};
use super::edit_form::{EditForm, edited};
use super::knowledge::text_option;
use super::{Answered, Listed, TextAnswer, command, listed};
use crate::check;
use crate::id::Id;
use crate::model::{ContentFormat, Entity, EntityType, Section};
use crate::sections::{NewSection, SectionChange, add, content, remove, reorder, section_tags, update, usage};
use crate::store::{Got, Reading, reading};
use lore_seam::{Ctx, Value};

/// What sections belong to, the most likely first.
const KINDS: &[EntityType] = &[EntityType::Task, EntityType::Feature, EntityType::Project];

/// Add a section to a task, a feature or a project of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory section add 5f3a91c2 'Context Files' --content 'src/login.ts'
  lore memory section add 5f3a91c2 Plan --file plan.md

Exit status: 0 added; 1 the task, feature or project is unknown; 2 the section could not be added.")]
#[serde(default)]
pub struct SectionAddRequest {
    /// The task, feature or project: name, id or last digits of the id
    #[arg(value_name = "OF")]
    pub of: String,
    /// The name
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// The purpose [default: the title]
    #[arg(long = "use", value_name = "TEXT")]
    #[serde(rename = "use")]
    pub usage: Option<String>,
    /// The content
    #[arg(long, value_name = "TEXT")]
    pub content: Option<String>,
    /// Read that text from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The format: markdown, plain_text, json or code [default: markdown]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// A tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the sections of a task, a feature or a project of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory section list 5f3a91c2

Exit status: 0 something is listed; 1 the list is empty.")]
#[serde(default)]
pub struct SectionListRequest {
    /// The task, feature or project: name, id or last digits of the id
    #[arg(value_name = "OF")]
    pub of: String,
}

/// Edit a section of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory section edit 5f3a91c2 Plan
  lore memory section edit 5f3a91c2 0            the first one

Exit status: 0 written or unchanged; 1 a version conflict (your text is saved); 2 the editor failed.")]
#[serde(default)]
pub struct SectionEditRequest {
    /// The task, feature or project: name, id or last digits of the id
    #[arg(value_name = "OF")]
    pub of: String,
    /// The section: title, position, id or last digits of the id
    #[arg(value_name = "SECTION")]
    pub section: String,
}

/// Move a section of memory to another position
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory section move 5f3a91c2 Plan 0       to the first position

Exit status: 0 moved; 1 there is no such section; 2 the section could not be moved.")]
#[serde(default)]
pub struct SectionMoveRequest {
    /// The task, feature or project: name, id or last digits of the id
    #[arg(value_name = "OF")]
    pub of: String,
    /// The section: title, position, id or last digits of the id
    #[arg(value_name = "SECTION")]
    pub section: String,
    /// The new position, from 0
    #[arg(value_name = "PLACE")]
    pub place: u32,
}

/// Delete a section of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory section delete 5f3a91c2 Plan

Exit status: 0 deleted; 1 there is no such section; 2 the section could not be deleted.")]
#[serde(default)]
pub struct SectionDeleteRequest {
    /// The task, feature or project: name, id or last digits of the id
    #[arg(value_name = "OF")]
    pub of: String,
    /// The section: title, position, id or last digits of the id
    #[arg(value_name = "SECTION")]
    pub section: String,
}

command!(SectionAdd(SectionAddRequest) ["memory", "section", "add"], Record Value added);
command!(SectionList(SectionListRequest) ["memory", "section", "list"], Read Rows list);
command!(SectionEdit(SectionEditRequest) ["memory", "section", "edit"], Write Value edit);
command!(SectionMove(SectionMoveRequest) ["memory", "section", "move"], Write Value moved);
command!(SectionDelete(SectionDeleteRequest) ["memory", "section", "delete"], Write Value delete);

fn of(ctx: &Ctx, store: &dyn Reading, text: &str) -> Got<Entity> {
    Ok(choose(ctx, store, KINDS, text)?.entity())
}

fn chosen(ctx: &Ctx, store: &dyn Reading, of_text: &str, text: &str) -> Got<Section> {
    choose_section(store.sections(of(ctx, store, of_text)?)?, text)
}

fn added(ctx: &Ctx, request: &SectionAddRequest) -> Answered {
    let title = check::name("title", &request.title)?;
    let text = text_option(ctx, request.content.as_deref(), request.file.as_deref())?;
    let format = request.format.as_deref();
    let new = NewSection {
        usage: usage(request.usage.as_deref().unwrap_or(&title))?,
        title,
        content: content("content", text.as_deref().unwrap_or_default())?,
        format: format
            .map(|word| check::word("format", word))
            .transpose()?
            .unwrap_or(ContentFormat::Markdown),
        ordinal: None,
        tags: section_tags(request.tags.iter().map(String::as_str))?,
    };
    let entity = reading(ctx, |store| of(ctx, store, &request.of))?;
    let sections = add(ctx, entity, &[new])?;
    let shown = sections.first().map(TextAnswer::section).unwrap_or_default();
    Ok(Value::yes(shown))
}

fn list(ctx: &Ctx, request: &SectionListRequest) -> Listed {
    let sections = reading(ctx, |store| store.sections(of(ctx, store, &request.of)?))?;
    listed(sections.iter().map(TextAnswer::section).collect())
}

fn edit(ctx: &Ctx, request: &SectionEditRequest) -> Answered {
    let section = reading(ctx, |store| chosen(ctx, store, &request.of, &request.section))?;
    let form = EditForm::new(section.content.clone())
        .field("title", &section.title)
        .field("use", &section.usage_description)
        .field("format", section.content_format.word())
        .field("tags", section.tags.join(", "));
    let written = edited(ctx, "section.md", &form, |form| {
        let change = SectionChange {
            title: Some(check::name("title", &form.get("title"))?),
            usage: Some(usage(&form.get("use"))?),
            content: Some(content("content", &form.text)?),
            format: Some(check::word("format", &form.get("format"))?),
            ordinal: None,
            tags: Some(section_tags(check::comma_list(&form.get("tags")))?),
        };
        update(ctx, section.id, Some(section.version), &change)
    })?;
    Ok(Value::yes(match &written {
        Some(written) => TextAnswer::section(written),
        None => TextAnswer::section(&section).unchanged(),
    }))
}

fn moved(ctx: &Ctx, request: &SectionMoveRequest) -> Answered {
    let (entity, order) = reading(ctx, |store| {
        let entity = of(ctx, store, &request.of)?;
        let sections = store.sections(entity)?;
        let section = choose_section(sections.clone(), &request.section)?;
        let others = sections.iter().filter(|other| other.id != section.id);
        let mut order: Vec<Id> = others.map(|other| other.id).collect();
        let place = (request.place as usize).min(order.len());
        order.insert(place, section.id);
        Ok((entity, order))
    })?;
    let sections = reorder(ctx, entity, &order)?;
    let shown = TextAnswer::of(json!(sections));
    Ok(Value::yes(shown.each(sections.iter().map(TextAnswer::section))))
}

fn delete(ctx: &Ctx, request: &SectionDeleteRequest) -> Answered {
    let section = reading(ctx, |store| chosen(ctx, store, &request.of, &request.section))?;
    let section = remove(ctx, section.id, Some(section.version))?;
    Ok(Value::yes(
        TextAnswer::of(json!({ "deleted": true })).line(format!("Deleted {}.", section.title)),
    ))
}
