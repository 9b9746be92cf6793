//! Changes of a project, a feature or a task. Its state is none of them: that is moved.

use super::{get, open_feature, other_project, related};
use crate::check;
use crate::envelope::now;
use crate::id::Id;
use crate::model::{Container, Entity, EntityType, Feature, Priority, Task};
use crate::store::{ContainerFilter, ContainerOrder, Got, Reading, Writing, writing};
use crate::work::Work;
use lore_seam::{Ctx, OpError};

/// What becomes different; texts are checked. Nothing is left as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    pub name: Option<String>,
    pub summary: Option<String>,
    /// What it is, at length; `None` inside clears it.
    pub description: Option<Option<String>>,
    pub priority: Option<Priority>,
    /// How hard it is.
    pub complexity: Option<i64>,
    /// Its project; `None` inside clears it.
    pub project: Option<Option<Id>>,
    /// Its feature; `None` inside clears it.
    pub feature: Option<Option<Id>>,
    /// Folded, sorted, without duplicates.
    pub tags: Option<Vec<String>>,
    pub related: Option<Vec<Id>>,
}

/// Changes a container that has a version; without one, whichever it has.
pub fn update(ctx: &Ctx, of: Entity, version: Option<i64>, change: &Change) -> Result<Container, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let container = get(store, of)?;
        if let Some(version) = version {
            check::version(of.id, version, container.version())?;
        }
        match container {
            Container::Project(mut project) => {
                set(&mut project.name, change.name.as_ref());
                set(&mut project.summary, change.summary.as_ref());
                set(&mut project.description, change.description.as_ref());
                set(&mut project.tags, change.tags.as_ref());
                project.version += 1;
                project.modified_at.clone_from(&now);
                store.put_project(&project, Some(project.version - 1))?;
                Ok(Container::Project(project))
            }
            Container::Feature(feature) => update_feature(store, feature, change, &now),
            Container::Task(task) => update_task(ctx, store, task, change, &now),
        }
    })
}

fn set<T: Clone>(field: &mut T, to: Option<&T>) {
    if let Some(to) = to {
        field.clone_from(to);
    }
}

fn update_feature(store: &mut dyn Writing, mut feature: Feature, change: &Change, now: &str) -> Got<Container> {
    set(&mut feature.name, change.name.as_ref());
    set(&mut feature.summary, change.summary.as_ref());
    set(&mut feature.description, change.description.as_ref());
    set(&mut feature.priority, change.priority.as_ref());
    set(&mut feature.tags, change.tags.as_ref());
    if let Some(given) = &change.related {
        feature.related_to = related(store, feature.id, given)?;
    }
    let moved = change.project.filter(|project| *project != feature.project_id);
    if let Some(project) = moved {
        existing_project(store, project)?;
        feature.project_id = project;
    }
    let (id, project) = (feature.id, feature.project_id);
    let written = Work::Feature(feature).write(store, now)?;
    if moved.is_some() {
        // Tasks belong to the project of their feature.
        let tasks = store.containers(&ContainerFilter {
            feature: Some(id),
            order: ContainerOrder::Oldest,
            ..ContainerFilter::all(EntityType::Task)
        })?;
        for container in tasks {
            if let Container::Task(mut task) = container
                && task.project_id != project
            {
                task.project_id = project;
                Work::Task(task).write(store, now)?;
            }
        }
    }
    Ok(of_work(written))
}

fn update_task(ctx: &Ctx, store: &mut dyn Writing, mut task: Task, change: &Change, now: &str) -> Got<Container> {
    set(&mut task.title, change.name.as_ref());
    set(&mut task.summary, change.summary.as_ref());
    set(&mut task.description, change.description.as_ref());
    set(&mut task.priority, change.priority.as_ref());
    set(&mut task.complexity, change.complexity.as_ref());
    set(&mut task.tags, change.tags.as_ref());
    if let Some(given) = &change.related {
        task.related_to = related(store, task.id, given)?;
    }
    if let Some(project) = change.project {
        existing_project(store, project)?;
    }
    let feature = match change.feature {
        Some(Some(id)) if task.feature_id != Some(id) => Some(open_feature(ctx, store, id)?),
        Some(None) => None,
        _ => match task.feature_id {
            Some(id) => store.feature(id)?,
            None => None,
        },
    };
    if let Some(id) = change.feature {
        task.feature_id = id;
    }
    match (feature, change.project) {
        // An import may have brought a task beside the project of its feature; it stays so until it is moved.
        (Some(_), None) if change.feature.is_none() => {}
        (Some(feature), project) => {
            if project.is_some_and(|project| project != feature.project_id) {
                return Err(other_project());
            }
            task.project_id = feature.project_id;
        }
        (None, Some(project)) => task.project_id = project,
        (None, None) => {}
    }
    Work::Task(task).write(store, now).map(of_work)
}

fn existing_project(store: &dyn Reading, project: Option<Id>) -> Got<()> {
    match project {
        Some(id) if store.project(id)?.is_none() => Err(check::not_found("Project", id)),
        _ => Ok(()),
    }
}

fn of_work(work: Work) -> Container {
    match work {
        Work::Feature(feature) => Container::Feature(feature),
        Work::Task(task) => Container::Task(task),
    }
}
