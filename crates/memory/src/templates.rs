//! Templates: sections to begin with, which are copied to a project, a feature or a task.

use super::check;
use super::containers::get;
use super::envelope::{code, now};
use super::id::Id;
use super::limits;
use super::model::{ContentFormat, Entity, EntityType, Section, Template, TemplateSection};
use super::sections::{self, NewSection};
use super::store::{Got, Reading, writing};
use lore_seam::{Ctx, OpError};

/// A new template; its texts are checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTemplate {
    pub name: String,
    pub description: String,
    pub target: EntityType,
    pub is_built_in: bool,
    pub is_protected: bool,
    pub is_enabled: bool,
    pub created_by: Option<String>,
    /// Folded, sorted, without duplicates.
    pub tags: Vec<String>,
}

/// What becomes different. Nothing is left as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TemplateChange {
    pub name: Option<String>,
    pub description: Option<String>,
    pub target: Option<EntityType>,
    /// Folded, sorted, without duplicates.
    pub tags: Option<Vec<String>>,
}

/// A new section of a template; its texts are checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTemplateSection {
    pub title: String,
    pub usage: String,
    /// The initial content.
    pub sample: String,
    pub format: ContentFormat,
    /// Its place; after all others if none is named.
    pub ordinal: Option<i64>,
    pub is_required: bool,
    /// Folded, sorted, without duplicates.
    pub tags: Vec<String>,
}

/// What a template is for.
pub fn description(given: &str) -> Result<String, OpError> {
    let given = given.trim();
    if given.is_empty() {
        return Err(check::invalid("description", "`description` is empty"));
    }
    check::bytes("description", given, limits::DESCRIPTION_BYTES).map(str::to_owned)
}

/// The template that is meant.
pub fn template(store: &dyn Reading, id: Id) -> Got<Template> {
    store.template(id)?.ok_or_else(|| check::not_found("Template", id))
}

fn taken_name(name: &str) -> OpError {
    check::refused(code::DUPLICATE_NAME, format!("a template `{name}` exists"))
        .said(format!("Template with name '{name}' already exists"))
}

fn unprotected(template: &Template, what: &str) -> Got<()> {
    if template.is_protected {
        Err(check::refused(
            code::PROTECTED_TEMPLATE,
            format!("the template `{}` is protected", template.name),
        )
        .said(format!("Cannot {what} protected template"))
        .hint("it can be enabled, disabled and extended"))
    } else {
        Ok(())
    }
}

/// Makes a template.
pub fn create(ctx: &Ctx, new: &NewTemplate) -> Result<Template, OpError> {
    let (id, now) = (Id::fresh(ctx), now(ctx));
    writing(ctx, |store| {
        if store.template_named(&new.name)?.is_some() {
            return Err(taken_name(&new.name));
        }
        let template = Template {
            id,
            name: new.name.clone(),
            description: new.description.clone(),
            target_entity_type: new.target,
            is_built_in: new.is_built_in,
            is_protected: new.is_protected,
            is_enabled: new.is_enabled,
            created_by: new.created_by.clone(),
            tags: new.tags.clone(),
            created_at: now.clone(),
            modified_at: now.clone(),
        };
        store.put_template(&template)?;
        Ok(template)
    })
}

/// Changes a template that is not protected.
pub fn update(ctx: &Ctx, id: Id, change: &TemplateChange) -> Result<Template, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let mut template = template(store, id)?;
        unprotected(&template, "update")?;
        let TemplateChange {
            name,
            description,
            target,
            tags,
        } = change.clone();
        if let Some(name) = name {
            if store.template_named(&name)?.is_some_and(|other| other.id != id) {
                return Err(taken_name(&name));
            }
            template.name = name;
        }
        template.description = description.unwrap_or(template.description);
        template.target_entity_type = target.unwrap_or(template.target_entity_type);
        template.tags = tags.unwrap_or(template.tags);
        template.modified_at.clone_from(&now);
        store.put_template(&template)?;
        Ok(template)
    })
}

/// Takes a template away that is not protected.
pub fn remove(ctx: &Ctx, id: Id) -> Result<Template, OpError> {
    writing(ctx, |store| {
        let template = template(store, id)?;
        unprotected(&template, "delete")?;
        store.remove_template(id)?;
        Ok(template)
    })
}

/// Says whether a template can be applied from now on.
pub fn enable(ctx: &Ctx, id: Id, is_enabled: bool) -> Result<Template, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let mut template = template(store, id)?;
        template.is_enabled = is_enabled;
        template.modified_at.clone_from(&now);
        store.put_template(&template)?;
        Ok(template)
    })
}

pub fn add_section(ctx: &Ctx, template_id: Id, new: &NewTemplateSection) -> Result<TemplateSection, OpError> {
    let id = Id::fresh(ctx);
    writing(ctx, |store| {
        template(store, template_id)?;
        let known = store.template_sections(template_id)?;
        if known.len() >= limits::SECTIONS {
            let message = format!("a template has at most {} sections", limits::SECTIONS);
            return Err(check::invalid("ordinal", message));
        }
        let after_all = known
            .iter()
            .map(|section| section.ordinal)
            .max()
            .map_or(0, |last| last + 1);
        let ordinal = new.ordinal.unwrap_or(after_all);
        if known.iter().any(|section| section.ordinal == ordinal) {
            return Err(
                check::refused(code::CONFLICT, format!("another section has the position {ordinal}"))
                    .said(format!("A section with ordinal {ordinal} already exists")),
            );
        }
        let section = TemplateSection {
            id,
            template_id,
            title: new.title.clone(),
            usage_description: new.usage.clone(),
            content_sample: new.sample.clone(),
            content_format: new.format,
            ordinal,
            is_required: new.is_required,
            tags: new.tags.clone(),
        };
        store.put_template_section(&section)?;
        Ok(section)
    })
}

/// Copies the sections of a template to something, all or none. Where there are sections already, they come after those.
pub fn apply(ctx: &Ctx, id: Id, to: Entity) -> Result<Vec<Section>, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let template = template(store, id)?;
        if !template.is_enabled {
            return Err(check::refused(
                code::TEMPLATE_DISABLED,
                format!("the template `{}` is disabled", template.name),
            )
            .said("Template is disabled"));
        }
        if template.target_entity_type != to.kind {
            let (target, given) = (template.target_entity_type, to.kind);
            return Err(check::refused(
                code::ENTITY_TYPE_MISMATCH,
                format!(
                    "the template `{}` is for a {}, not for a {}",
                    template.name,
                    target.name(),
                    given.name()
                ),
            )
            .said(format!("Template is for {target}, cannot apply to {given}")));
        }
        get(store, to)?;
        let known = store.sections(to)?;
        let after = known
            .iter()
            .map(|section| section.ordinal)
            .max()
            .map_or(0, |last| last + 1);
        let sections: Vec<NewSection> = store
            .template_sections(id)?
            .into_iter()
            .map(|section| NewSection {
                title: section.title,
                usage: section.usage_description,
                content: section.content_sample,
                format: section.content_format,
                ordinal: Some(after + section.ordinal),
                tags: section.tags,
            })
            .collect();
        sections::add_to(ctx, store, to, &sections, &now)
    })
}
