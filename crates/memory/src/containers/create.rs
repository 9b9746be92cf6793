//! A new project, feature or task.

use super::{open_feature, other_project, related};
use crate::check;
use crate::envelope::now;
use crate::id::Id;
use crate::model::{Container, EntityType, Feature, Priority, Project, Status, Task};
use crate::pipeline;
use crate::repository::{key, project_here};
use crate::store::{Got, Reading, Writing, writing};
use lore_seam::{Ctx, OpError};

/// What a container begins with; its texts are checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewContainer {
    pub kind: EntityType,
    pub name: String,
    pub summary: String,
    pub description: Option<String>,
    /// How much it matters; not of a project.
    pub priority: Option<Priority>,
    /// How hard it is; of a task.
    pub complexity: Option<i64>,
    /// Its project; that of the repository if none is named.
    pub project: Option<Id>,
    /// The feature that a task is part of.
    pub feature: Option<Id>,
    /// Folded, sorted, without duplicates.
    pub tags: Vec<String>,
    pub related: Vec<Id>,
}

/// What was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Created {
    pub container: Container,
    /// Whether it is the project of this repository from now on.
    pub linked: bool,
}

/// Makes a project, a feature or a task.
pub fn create(ctx: &Ctx, new: &NewContainer) -> Result<Created, OpError> {
    let (id, now) = (Id::fresh(ctx), now(ctx));
    writing(ctx, |store| {
        pipeline::fix(ctx, store)?;
        let related = related(store, id, &new.related)?;
        match new.kind {
            EntityType::Project => create_project(ctx, store, id, new, &now),
            EntityType::Feature => {
                let feature = Feature {
                    id,
                    project_id: project_of(ctx, store, new)?,
                    name: new.name.clone(),
                    summary: new.summary.clone(),
                    description: new.description.clone(),
                    status: Status::New,
                    priority: new.priority.unwrap_or(Priority::Medium),
                    blocked_by: Vec::new(),
                    blocked_reason: None,
                    related_to: related,
                    version: 1,
                    tags: new.tags.clone(),
                    created_at: now.clone(),
                    modified_at: now.clone(),
                };
                store.put_feature(&feature, None)?;
                Ok(unlinked(Container::Feature(feature)))
            }
            EntityType::Task => {
                let task = Task {
                    id,
                    project_id: project_of(ctx, store, new)?,
                    feature_id: new.feature,
                    title: new.name.clone(),
                    summary: new.summary.clone(),
                    description: new.description.clone(),
                    status: Status::New,
                    priority: new.priority.unwrap_or(Priority::Medium),
                    complexity: new.complexity.unwrap_or(5),
                    blocked_by: Vec::new(),
                    blocked_reason: None,
                    related_to: related,
                    last_modified_by: None,
                    version: 1,
                    tags: new.tags.clone(),
                    created_at: now.clone(),
                    modified_at: now.clone(),
                };
                store.put_task(&task, None)?;
                Ok(unlinked(Container::Task(task)))
            }
        }
    })
}

fn unlinked(container: Container) -> Created {
    Created {
        container,
        linked: false,
    }
}

/// A project becomes that of the repository around it, if that has none.
fn create_project(ctx: &Ctx, store: &mut dyn Writing, id: Id, new: &NewContainer, now: &str) -> Got<Created> {
    let project = Project {
        id,
        name: new.name.clone(),
        summary: new.summary.clone(),
        description: new.description.clone(),
        version: 1,
        tags: new.tags.clone(),
        created_at: now.to_owned(),
        modified_at: now.to_owned(),
    };
    store.put_project(&project, None)?;
    let repository = key(ctx);
    let is_repository = repository.root.is_some() || repository.origin.is_some();
    let linked = is_repository && store.project_of(&repository)?.is_none();
    if linked {
        store.link_repository(id, &repository)?;
    }
    Ok(Created {
        container: Container::Project(project),
        linked,
    })
}

/// The project of a new feature or task: that of its feature, else the one that is named, else that of the repository.
fn project_of(ctx: &Ctx, store: &dyn Reading, new: &NewContainer) -> Got<Option<Id>> {
    if let Some(id) = new.project
        && store.project(id)?.is_none()
    {
        return Err(check::not_found("Project", id));
    }
    match new.feature.filter(|_| new.kind == EntityType::Task) {
        Some(feature) => {
            let feature = open_feature(ctx, store, feature)?;
            if new.project.is_some() && new.project != feature.project_id {
                Err(other_project())
            } else {
                Ok(feature.project_id)
            }
        }
        None if new.project.is_some() => Ok(new.project),
        None => project_here(ctx, store),
    }
}
