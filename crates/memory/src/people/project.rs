//! `lore memory project …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::{choose, text_option};
use super::form::{Form, edited};
use super::{Answered, Listed, Shown, command, listed};
use crate::check;
use crate::containers::{
    Change, Looked, NewContainer, create, description, remove, search_words, summary, tag_filter, tags, update,
};
use crate::limits;
use crate::model::{Container, Entity, EntityType, Project};
use crate::repository::project_here;
use crate::store::{ContainerFilter, ContainerOrder, Reading, reading};
use lore_seam::{Ctx, ErrorKind, OpError, Value};

/// Make a project of memory
///
/// It becomes the project of this repository, if that has none: what is made and asked here then belongs to it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project create shop --summary 'The web shop'
  lore memory project create shop --tag web --tag python

Exit status: 0 made; 2 it could not be made.")]
#[serde(default)]
pub struct ProjectCreateRequest {
    /// What it is called
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What it is, in a sentence [default: its name]
    #[arg(long, value_name = "TEXT")]
    pub summary: Option<String>,
    /// What it is, at length
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// The same from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the projects of memory, the last changed first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project list
  lore memory project list web shop

Exit status: 0 there are some; 1 there are none.")]
#[serde(default)]
pub struct ProjectListRequest {
    /// Words that must all occur
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// A tag that it has; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<i64>,
}

/// Show a project of memory with its features and how far its tasks are
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project show           that of this repository
  lore memory project show shop
  lore memory project show 5f3a91c2  by the end of its id

Exit status: 0 shown; 1 there is none, or several are meant.")]
#[serde(default)]
pub struct ProjectShowRequest {
    /// Its name, its id or the end of it [default: that of this repository]
    #[arg(value_name = "PROJECT")]
    pub project: Option<String>,
}

/// Edit a project of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project edit shop
  EDITOR='code --wait' lore memory project edit shop

Exit status: 0 written, or nothing was changed; 1 somebody else was faster (your text is kept); 2 it could not be edited.")]
#[serde(default)]
pub struct ProjectEditRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "PROJECT")]
    pub project: String,
}

/// Delete a project of memory
///
/// With --cascade its features and tasks go too. Its atoms and molecules go in any case, for which --yes is asked.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project delete shop
  lore memory project delete shop --cascade --yes

Exit status: 0 deleted; 1 it has children or atoms, or there is none; 2 it could not be deleted.")]
#[serde(default)]
pub struct ProjectDeleteRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "PROJECT")]
    pub project: String,
    /// Delete its features and tasks too
    #[arg(long)]
    pub cascade: bool,
    /// Delete what is known of the code too
    #[arg(long)]
    pub yes: bool,
}

command! {
    /// `lore memory project create`.
    ProjectCreate(ProjectCreateRequest) "memory_project_create" ["memory", "project", "create"], Record Value created
}
command! {
    /// `lore memory project list`.
    ProjectList(ProjectListRequest) "memory_project_list" ["memory", "project", "list"], Read Rows list
}
command! {
    /// `lore memory project show`.
    ProjectShow(ProjectShowRequest) "memory_project_show" ["memory", "project", "show"], Read Value show
}
command! {
    /// `lore memory project edit`.
    ProjectEdit(ProjectEditRequest) "memory_project_edit" ["memory", "project", "edit"], Write Value edit
}
command! {
    /// `lore memory project delete`.
    ProjectDelete(ProjectDeleteRequest) "memory_project_delete" ["memory", "project", "delete"], Write Value delete
}

fn created(ctx: &Ctx, request: &ProjectCreateRequest) -> Answered {
    let name = check::name("name", &request.name)?;
    let text = text_option(ctx, request.description.as_deref(), request.file.as_deref())?;
    let new = NewContainer {
        kind: EntityType::Project,
        summary: summary(request.summary.as_deref().unwrap_or(&name))?,
        name,
        description: text.as_deref().map(description).transpose()?.flatten(),
        priority: None,
        complexity: None,
        project: None,
        feature: None,
        tags: tags("tags", request.tags.iter().map(String::as_str))?,
        related: Vec::new(),
    };
    let created = create(ctx, &new)?;
    let shown = Shown::row(&created.container);
    Ok(Value::yes(if created.linked {
        shown.line("It is the project of this repository.")
    } else {
        shown
    }))
}

fn list(ctx: &Ctx, request: &ProjectListRequest) -> Listed {
    let limit = check::count("limit", request.limit, limits::PAGE)?;
    let filter = ContainerFilter {
        words: search_words(Some(&request.words.join(" ")))?,
        tags: tag_filter(EntityType::Project, &request.tags),
        ..ContainerFilter::all(EntityType::Project)
    };
    let looked = reading(ctx, |store| Looked::search(store, &filter, limit))?;
    listed(looked.items.iter().map(Shown::row).collect())
}

/// The project that is meant.
fn chosen(ctx: &Ctx, store: &dyn Reading, text: Option<&str>) -> Result<Project, OpError> {
    let found = match text {
        Some(text) => match choose(ctx, store, &[EntityType::Project], text)? {
            Container::Project(project) => Some(project),
            Container::Feature(_) | Container::Task(_) => None,
        },
        None => match project_here(ctx, store)? {
            Some(id) => store.project(id)?,
            None => None,
        },
    };
    found.ok_or_else(|| {
        OpError::new(ErrorKind::NotFound, "this repository has no project")
            .hint("`lore memory project create NAME` makes one, `lore memory project link PROJECT` takes one")
    })
}

fn show(ctx: &Ctx, request: &ProjectShowRequest) -> Answered {
    let shown = reading(ctx, |store| {
        let project = chosen(ctx, store, request.project.as_deref())?;
        let of = Entity::project(project.id);
        let counts = store.task_counts(of)?;
        let sections = store.sections(of)?;
        let features = store.containers(&ContainerFilter {
            project: Some(project.id),
            order: ContainerOrder::Oldest,
            ..ContainerFilter::all(EntityType::Feature)
        })?;
        let repositories = store.repositories(project.id)?;
        let object = json!({
            "project": project, "taskCounts": counts, "sections": sections, "features": features,
        });
        let mut shown = Shown::of(object)
            .strong(&project.name)
            .dim(format!("  {}  version {}", project.id, project.version))
            .end()
            .line(&project.summary);
        if !project.tags.is_empty() {
            shown = shown.line(format!("tags: {}", project.tags.join(", ")));
        }
        for repository in &repositories {
            let place = repository.origin.as_ref().or(repository.root.as_ref());
            shown = shown.line(format!("repository: {}", place.map_or("", String::as_str)));
        }
        shown = shown.block(project.description.as_deref().unwrap_or_default());
        let by_status = counts
            .by_status
            .iter()
            .map(|(status, count)| format!("{count} {status}"));
        let by_status: Vec<String> = by_status.collect();
        shown = shown.end().line(match counts.total {
            0 => "no tasks".to_owned(),
            total => format!("{}: {}", super::counted(total, "tasks"), by_status.join(", ")),
        });
        for feature in &features {
            shown = shown.with(Shown::row(feature));
        }
        for section in &sections {
            shown = shown.with(super::section::whole(section));
        }
        Ok(shown)
    })?;
    Ok(Value::yes(shown))
}

const FIELDS: &[&str] = &["name", "summary", "tags"];

fn edit(ctx: &Ctx, request: &ProjectEditRequest) -> Answered {
    let project = reading(ctx, |store| chosen(ctx, store, Some(&request.project)))?;
    let form = Form::new(project.description.clone().unwrap_or_default())
        .field("name", &project.name)
        .field("summary", &project.summary)
        .field("tags", project.tags.join(", "));
    let written = edited(ctx, "project.md", &form, FIELDS, |form| {
        let change = Change {
            name: Some(check::name("name", &form.get("name"))?),
            summary: Some(summary(&form.get("summary"))?),
            description: Some(description(&form.text)?),
            tags: Some(tags("tags", check::comma_list(&form.get("tags")))?),
            ..Change::default()
        };
        update(ctx, Entity::project(project.id), Some(project.version), &change)
    })?;
    Ok(super::form_answer(written.as_ref(), &Container::Project(project)))
}

fn delete(ctx: &Ctx, request: &ProjectDeleteRequest) -> Answered {
    let (project, atoms) = reading(ctx, |store| {
        let project = chosen(ctx, store, Some(&request.project))?;
        let atoms = store.patterns(project.id)?.len();
        Ok((project, atoms))
    })?;
    if atoms > 0 && !request.yes {
        return Err(OpError::new(
            ErrorKind::Refused,
            format!("the project has {atoms} atoms, and what they know goes with it"),
        )
        .hint("--yes deletes them; `lore memory export` keeps them first"));
    }
    let removal = remove(ctx, Entity::project(project.id), None, request.cascade)?;
    Ok(Value::yes(super::removed(&project.name, &removal)))
}
