//! What `lore memory project`, `feature` and `task` share: create, list, show, edit and delete a container.

use serde_json::{Map, json};

use super::choose::{choose, no_project, project_option};
use super::edit_form::{EditForm, edited};
use super::knowledge::text_option;
use super::{Answered, Listed, TextAnswer, counted, listed};
use crate::check;
use crate::containers::{
    Change, Created, Looked, NewContainer, complexity, create, description, find, picked_priority, picked_status,
    remove, search_words, summary, tag_filter, tags, update,
};
use crate::id::Id;
use crate::limits;
use crate::model::{Blocker, Container, Entity, EntityType, Priority};
use crate::repository::project_here;
use crate::store::{ContainerFilter, ContainerOrder, Got, Reading, reading};
use crate::work::{self, Work, dependents};
use lore_seam::{Ctx, ErrorKind, OpError, Value};

/// The arguments of `create`. A kind ignores those that it does not have.
#[derive(Default)]
pub(super) struct CreateArguments<'r> {
    pub(super) name: &'r str,
    pub(super) summary: Option<&'r str>,
    pub(super) description: Option<&'r str>,
    pub(super) file: Option<&'r str>,
    pub(super) priority: Option<&'r str>,
    pub(super) complexity: Option<i64>,
    pub(super) project: Option<&'r str>,
    pub(super) feature: Option<&'r str>,
    pub(super) tags: &'r [String],
}

/// The arguments of `list`. A kind ignores those that it does not have.
#[derive(Default)]
pub(super) struct ListArguments<'r> {
    pub(super) words: &'r [String],
    pub(super) status: Option<&'r str>,
    pub(super) priority: Option<&'r str>,
    pub(super) tags: &'r [String],
    pub(super) project: Option<&'r str>,
    pub(super) feature: Option<&'r str>,
    pub(super) blocked: bool,
    pub(super) limit: Option<i64>,
}

/// The project and the feature of `--project` and `--feature`. A feature implies its project.
pub(super) fn scope(
    ctx: &Ctx,
    store: &dyn Reading,
    project: Option<&str>,
    feature: Option<&str>,
) -> Got<(Option<Id>, Option<Id>)> {
    let feature = feature.map(|text| choose(ctx, store, &[EntityType::Feature], text));
    let feature = feature.transpose()?.map(|feature| feature.entity().id);
    let project = match (project, feature) {
        (None, Some(_)) => None,
        (project, _) => project_option(ctx, store, project)?,
    };
    Ok((project, feature))
}

/// What the specification calls the name of a kind.
fn name_field(kind: EntityType) -> &'static str {
    match kind {
        EntityType::Task => "title",
        EntityType::Project | EntityType::Feature => "name",
    }
}

pub(super) fn created(ctx: &Ctx, kind: EntityType, arguments: &CreateArguments<'_>) -> Got<Created> {
    let has_state = kind != EntityType::Project;
    let name = check::name(name_field(kind), arguments.name)?;
    let text = text_option(ctx, arguments.description, arguments.file)?;
    let (project, feature) = if has_state {
        reading(ctx, |store| scope(ctx, store, arguments.project, arguments.feature))?
    } else {
        (None, None)
    };
    let priority = || check::word("priority", arguments.priority.unwrap_or("MEDIUM"));
    let new = NewContainer {
        kind,
        summary: summary(arguments.summary.unwrap_or(&name))?,
        name,
        description: text.as_deref().map(description).transpose()?.flatten(),
        priority: has_state.then(priority).transpose()?,
        complexity: match kind {
            EntityType::Task => Some(complexity(arguments.complexity.unwrap_or(5))?),
            EntityType::Project | EntityType::Feature => None,
        },
        project,
        feature,
        tags: tags("tags", arguments.tags.iter().map(String::as_str))?,
        related: Vec::new(),
    };
    create(ctx, &new)
}

pub(super) fn list(ctx: &Ctx, kind: EntityType, arguments: &ListArguments<'_>) -> Listed {
    let limit = check::count("limit", arguments.limit, limits::PAGE)?;
    let mut filter = ContainerFilter {
        words: search_words(Some(&arguments.words.join(" ")))?,
        status: picked_status(arguments.status)?,
        priority: picked_priority(arguments.priority)?,
        tags: tag_filter(kind, arguments.tags),
        blocked: arguments.blocked.then_some(true),
        ..ContainerFilter::all(kind)
    };
    let looked = reading(ctx, |store| {
        if kind != EntityType::Project {
            (filter.project, filter.feature) = scope(ctx, store, arguments.project, arguments.feature)?;
        }
        Looked::search(store, &filter, limit)
    })?;
    listed(looked.items.iter().map(TextAnswer::container).collect())
}

/// Shows a container with its sections and its children. Without a name, the project of this repository.
pub(super) fn show(ctx: &Ctx, kind: EntityType, text: Option<&str>) -> Answered {
    let shown = reading(ctx, |store| {
        let container = match text {
            Some(text) => choose(ctx, store, &[kind], text)?,
            None => match project_here(ctx, store)?.map(Entity::project) {
                Some(own) => find(store, own)?.ok_or_else(no_project)?,
                None => return Err(no_project()),
            },
        };
        let of = container.entity();
        let sections = store.sections(of)?;
        let mut fields = Map::new();
        fields.insert(kind.name().to_owned(), json!(container));
        fields.insert("sections".to_owned(), json!(sections));
        let mut below = TextAnswer::default();
        let children = match kind {
            EntityType::Project => Some(("features", EntityType::Feature, Some(of.id), None)),
            EntityType::Feature => Some(("tasks", EntityType::Task, None, Some(of.id))),
            EntityType::Task => None,
        };
        if kind == EntityType::Project {
            let counts = store.task_counts(of)?;
            let by_status = counts.by_status.iter();
            let by_status: Vec<String> = by_status.map(|(status, count)| format!("{count} {status}")).collect();
            below = below.end().line(match counts.total {
                0 => "no tasks".to_owned(),
                total => format!("{}: {}", counted(total, "tasks"), by_status.join(", ")),
            });
            fields.insert("taskCounts".to_owned(), json!(counts));
        }
        if let Some((field, kind, project, feature)) = children {
            let children = store.containers(&ContainerFilter {
                project,
                feature,
                order: ContainerOrder::Oldest,
                ..ContainerFilter::all(kind)
            })?;
            if feature.is_some() && !children.is_empty() {
                below = below.end();
            }
            below = below.each(children.iter().map(TextAnswer::container));
            fields.insert(field.to_owned(), json!(children));
        }
        let head = head(store, TextAnswer::of(fields), &container)?;
        Ok(head.with(below).each(sections.iter().map(TextAnswer::whole_section)))
    })?;
    Ok(Value::yes(shown))
}

/// The fields of a container that are text, and those that features and tasks alone have.
struct Details<'c> {
    summary: &'c str,
    description: Option<&'c str>,
    priority: Option<Priority>,
    complexity: Option<i64>,
    blocked_reason: Option<&'c str>,
    related: &'c [Id],
}

impl<'c> Details<'c> {
    fn of(container: &'c Container) -> Self {
        match container {
            Container::Project(it) => Self {
                summary: &it.summary,
                description: it.description.as_deref(),
                priority: None,
                complexity: None,
                blocked_reason: None,
                related: &[],
            },
            Container::Feature(it) => Self {
                summary: &it.summary,
                description: it.description.as_deref(),
                priority: Some(it.priority),
                complexity: None,
                blocked_reason: it.blocked_reason.as_deref(),
                related: &it.related_to,
            },
            Container::Task(it) => Self {
                summary: &it.summary,
                description: it.description.as_deref(),
                priority: Some(it.priority),
                complexity: Some(it.complexity),
                blocked_reason: it.blocked_reason.as_deref(),
                related: &it.related_to,
            },
        }
    }
}

/// The fields and the dependencies of a container.
fn head(store: &dyn Reading, answer: TextAnswer, container: &Container) -> Got<TextAnswer> {
    let details = Details::of(container);
    let entity = container.entity();
    let mut head = answer
        .strong(container.name())
        .dim(format!(
            "  {} {}  version {}",
            entity.kind.name(),
            entity.id,
            container.version()
        ))
        .end()
        .line(details.summary);
    if let (Some(status), Some(priority)) = (container.status(), details.priority) {
        head = head.line(match details.complexity {
            Some(complexity) => format!("{status}, {priority}, complexity {complexity}"),
            None => format!("{status}, {priority}"),
        });
    }
    if let Container::Task(task) = container
        && let Some(id) = task.feature_id
        && let Some(feature) = store.feature(id)?
    {
        head = head.line(format!("feature: {} ({})", feature.name, id.short()));
    }
    for blocker in container.blocked_by() {
        let name = match blocker {
            Blocker::NoOp => "an external reason".to_owned(),
            Blocker::Entity(id) => name_of(store, *id)?,
        };
        head = head.line(format!("blocked by: {name}"));
    }
    if let Some(reason) = details.blocked_reason {
        head = head.line(format!("reason: {reason}"));
    }
    for id in details.related {
        head = head.line(format!("related to: {}", name_of(store, *id)?));
    }
    for entity in work::blocked_by(store, entity.id)? {
        head = head.line(format!("blocks: {}", name_of(store, entity.id)?));
    }
    if !container.tags().is_empty() {
        head = head.line(format!("tags: {}", container.tags().join(", ")));
    }
    if entity.kind == EntityType::Project {
        for repository in store.repositories(entity.id)? {
            let place = repository.origin.or(repository.root).unwrap_or_default();
            head = head.line(format!("repository: {place}"));
        }
    }
    Ok(head.block(details.description.unwrap_or_default()))
}

/// A feature or a task by its name.
fn name_of(store: &dyn Reading, id: Id) -> Got<String> {
    Ok(match Work::find(store, id)? {
        Some(work) => format!("{} {} ({})", work.kind().name(), work.name(), id.short()),
        None => format!("{id} (deleted)"),
    })
}

/// Opens a container in the editor.
pub(super) fn edit(ctx: &Ctx, kind: EntityType, text: &str) -> Answered {
    let container = reading(ctx, |store| choose(ctx, store, &[kind], text))?;
    let details = Details::of(&container);
    let name = name_field(kind);
    let mut form = EditForm::new(details.description.unwrap_or_default())
        .field(name, container.name())
        .field("summary", details.summary);
    if let Some(priority) = details.priority {
        form = form.field("priority", priority.word());
    }
    if let Some(complexity) = details.complexity {
        form = form.field("complexity", complexity.to_string());
    }
    let form = form.field("tags", container.tags().join(", "));
    let written = edited(ctx, &format!("{}.md", kind.name()), &form, |form| {
        let change = Change {
            name: Some(check::name(name, &form.get(name))?),
            summary: Some(summary(&form.get("summary"))?),
            description: Some(description(&form.text)?),
            priority: match details.priority {
                Some(_) => Some(check::word("priority", &form.get("priority"))?),
                None => None,
            },
            complexity: match details.complexity {
                Some(_) => Some(complexity_of(&form.get("complexity"))?),
                None => None,
            },
            tags: Some(tags("tags", check::comma_list(&form.get("tags")))?),
            ..Change::default()
        };
        update(ctx, container.entity(), Some(container.version()), &change)
    })?;
    Ok(Value::yes(match written {
        Some(written) => TextAnswer::container(&written),
        None => TextAnswer::container(&container).unchanged(),
    }))
}

fn complexity_of(text: &str) -> Got<i64> {
    let number = text.parse().map_err(|_| {
        let message = format!("`complexity` is a number from 1 to 10, not `{text}`");
        check::invalid("complexity", message)
    })?;
    complexity(number)
}

/// Deletes a container. A project with atoms needs `lose_knowledge`.
pub(super) fn delete(ctx: &Ctx, kind: EntityType, text: &str, cascade: bool, lose_knowledge: bool) -> Answered {
    let (container, atoms) = reading(ctx, |store| {
        let container = choose(ctx, store, &[kind], text)?;
        let atoms = match kind {
            EntityType::Project => store.patterns(container.entity().id)?.len(),
            EntityType::Feature | EntityType::Task => 0,
        };
        Ok((container, atoms))
    })?;
    if atoms > 0 && !lose_knowledge {
        let message = format!("the project has {atoms} atoms, whose knowledge would be lost");
        return Err(
            OpError::new(ErrorKind::Refused, message).hint("--yes deletes them; `lore memory export` saves them first")
        );
    }
    let removal = remove(ctx, container.entity(), None, cascade)?;
    let removed = json!(removal.removed);
    let counts = removed.as_object().into_iter().flatten();
    let counts: Vec<String> = counts
        .map(|(what, count)| counted(count.as_u64().unwrap_or_default(), what))
        .collect();
    let with = if counts.is_empty() {
        String::new()
    } else {
        format!(" with {}", counts.join(", "))
    };
    let answer = TextAnswer::of(json!({
        "deleted": true, "removed": removed, "unblockedEntities": dependents(&removal.unblocked),
    }));
    let answer = answer.line(format!("Deleted {}{with}.", container.name()));
    Ok(Value::yes(match removal.unblocked.len() {
        0 => answer,
        count => answer.line(format!("No longer blocked: {count}.")),
    }))
}
