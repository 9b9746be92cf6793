//! Taking a project, a feature or a task away, with what belongs to it, and out of the lists of others.

use serde::Serialize;

use super::get;
use crate::check;
use crate::envelope::{code, now};
use crate::id::Id;
use crate::model::{Entity, EntityType, LinkType};
use crate::store::{ContainerFilter, ContainerOrder, Got, Reading, writing};
use crate::work::Touched;
use lore_seam::{Ctx, OpError};

/// How much was taken away, besides the thing itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Removed {
    #[serde(skip_serializing_if = "is_none")]
    pub features: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub tasks: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub sections: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub molecules: u64,
    #[serde(skip_serializing_if = "is_none")]
    pub atoms: u64,
    /// Entries of changelogs.
    #[serde(skip_serializing_if = "is_none")]
    pub changelog: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// How much went with it.
    pub removed: Removed,
    /// What nothing blocks any more.
    pub unblocked: Vec<Entity>,
}

/// Takes a container away. One that others are part of goes only with them, if that is wanted.
pub fn remove(ctx: &Ctx, of: Entity, version: Option<i64>, cascade: bool) -> Result<Removal, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let container = get(store, of)?;
        if let Some(version) = version {
            check::version(of.id, version, container.version())?;
        }
        let (features, tasks) = children(store, of)?;
        let has_children = !features.is_empty() || !tasks.is_empty();
        if has_children && !cascade {
            return Err(contains(of.kind, features.len(), tasks.len()));
        }
        let mut removed = Removed {
            features: features.len() as u64,
            tasks: tasks.len() as u64,
            ..Removed::default()
        };
        let gone = || {
            let tasks = tasks.iter().copied().map(Entity::task);
            let features = features.iter().copied().map(Entity::feature);
            tasks.chain(features).chain([of])
        };
        let mut touched = Touched::default();
        let mut unblocked = Vec::new();
        for entity in gone() {
            removed.sections += store.sections(entity)?.len() as u64;
            unblocked.extend(touched.free(store, entity.id)?);
            unrelate(&mut touched, store, entity.id)?;
        }
        let is_gone = |id: Id| gone().any(|entity| entity.id == id);
        unblocked.retain(|entity| !is_gone(entity.id));
        unblocked.sort();
        unblocked.sort_by_key(|entity| entity.kind != EntityType::Task);
        unblocked.dedup();
        touched.without(is_gone).write(store, &now)?;
        for id in &tasks {
            store.remove_task(*id)?;
        }
        for id in &features {
            store.remove_feature(*id)?;
        }
        match of.kind {
            EntityType::Project => {
                let graph = store.remove_graph(of.id)?;
                removed.molecules = graph.molecules;
                removed.atoms = graph.atoms;
                removed.changelog = graph.changelog;
                store.remove_project(of.id)?;
            }
            EntityType::Feature => store.remove_feature(of.id)?,
            EntityType::Task => store.remove_task(of.id)?,
        }
        Ok(Removal { removed, unblocked })
    })
}

/// Takes something out of the relations of others.
fn unrelate(touched: &mut Touched, store: &dyn Reading, id: Id) -> Got<()> {
    let links = store.dependents(id)?;
    for link in links.iter().filter(|link| link.kind == LinkType::RelatesTo) {
        if let Some(mut work) = touched.find(store, link.entity.id)? {
            work.related_mut().retain(|other| *other != id);
            touched.put(work);
        }
    }
    Ok(())
}

/// The features and tasks that are part of something.
fn children(store: &dyn Reading, of: Entity) -> Got<(Vec<Id>, Vec<Id>)> {
    let ids = |filter: ContainerFilter| -> Got<Vec<Id>> {
        let found = store.containers(&ContainerFilter {
            order: ContainerOrder::Oldest,
            ..filter
        })?;
        Ok(found.iter().map(|container| container.entity().id).collect())
    };
    let tasks_of_feature = |feature: Id| {
        ids(ContainerFilter {
            feature: Some(feature),
            ..ContainerFilter::all(EntityType::Task)
        })
    };
    match of.kind {
        EntityType::Project => {
            let of_project = |kind: EntityType| {
                ids(ContainerFilter {
                    project: Some(of.id),
                    ..ContainerFilter::all(kind)
                })
            };
            let (features, mut tasks) = (of_project(EntityType::Feature)?, of_project(EntityType::Task)?);
            for feature in &features {
                for task in tasks_of_feature(*feature)? {
                    if !tasks.contains(&task) {
                        tasks.push(task);
                    }
                }
            }
            Ok((features, tasks))
        }
        EntityType::Feature => Ok((Vec::new(), tasks_of_feature(of.id)?)),
        EntityType::Task => Ok((Vec::new(), Vec::new())),
    }
}

fn contains(kind: EntityType, features: usize, tasks: usize) -> OpError {
    let counted = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        count => Some(format!("{count} {what}s")),
    };
    let parts: Vec<String> = [counted(features, "feature"), counted(tasks, "task")]
        .into_iter()
        .flatten()
        .collect();
    let (kind, parts) = (kind.name(), parts.join(" and "));
    check::refused(code::HAS_CHILDREN, format!("the {kind} contains {parts}"))
        .said(format!(
            "Cannot delete {kind}: contains {parts}. Use cascade: true to delete all."
        ))
        .hint("`cascade` (on the command line --cascade) deletes them too")
}
