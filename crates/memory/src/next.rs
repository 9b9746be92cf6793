//! What to do next, and what waits.

use super::id::Id;
use super::model::{Container, EntityType, Feature, Priority, Status, Task};
use super::pipeline;
use super::store::{ContainerFilter, ContainerOrder, Got, NextFilter, Picked, Reading};
use lore_seam::Ctx;

/// Which of them are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Among {
    pub project: Option<Id>,
    pub feature: Option<Id>,
    /// Those that matter so much.
    pub priority: Option<Priority>,
}

/// The tasks to begin, the best first: new, not blocked, of a feature that is neither blocked nor over.
pub fn tasks(ctx: &Ctx, store: &dyn Reading, among: &Among, most: u32) -> Got<Vec<Task>> {
    let pipelines = pipeline::effective(ctx, store)?;
    let filter = NextFilter {
        project: among.project,
        feature: among.feature,
        priority: among.priority,
        terminal: pipelines.terminal(EntityType::Feature),
    };
    store.next_tasks(&filter, most)
}

/// The features to work on, the best first: not blocked; active ones before new ones, then by priority, then the oldest.
pub fn features(store: &dyn Reading, among: &Among) -> Got<Vec<Feature>> {
    let found = store.containers(&ContainerFilter {
        project: among.project,
        blocked: Some(false),
        status: Picked {
            included: vec![Status::Active, Status::New],
            excluded: Vec::new(),
        },
        priority: Picked {
            included: among.priority.into_iter().collect(),
            excluded: Vec::new(),
        },
        order: ContainerOrder::Urgent,
        ..ContainerFilter::all(EntityType::Feature)
    })?;
    let mut features: Vec<Feature> = found
        .into_iter()
        .filter_map(|container| match container {
            Container::Feature(feature) => Some(feature),
            Container::Project(_) | Container::Task(_) => None,
        })
        .collect();
    features.sort_by_key(|feature| feature.status != Status::Active);
    Ok(features)
}

/// What something blocks, by priority, then the oldest.
pub fn blocked(store: &dyn Reading, kind: EntityType, among: &Among) -> Got<Vec<Container>> {
    let mut found = store.containers(&ContainerFilter {
        project: among.project,
        feature: among.feature.filter(|_| kind == EntityType::Task),
        blocked: Some(true),
        order: ContainerOrder::Oldest,
        ..ContainerFilter::all(kind)
    })?;
    found.sort_by_key(|container| match container {
        Container::Project(_) => None,
        Container::Feature(feature) => Some(feature.priority),
        Container::Task(task) => Some(task.priority),
    });
    Ok(found)
}
