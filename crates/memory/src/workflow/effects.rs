//! What follows from a change of state, as one function that writes nothing: what is freed, and what becomes of the feature of a task.

use crate::id::Id;
use crate::model::{Entity, EntityType, Pipelines, Status};
use crate::store::{Got, Reading};
use crate::work::{Touched, Work, blocked_by};

/// A change of state that is about to be written.
#[derive(Debug)]
pub struct StatusChange {
    /// What changes, in its new state.
    pub work: Work,
    /// The state before.
    pub from: Status,
}

/// Why a feature changes with its task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A task was begun.
    Started,
    /// All of its tasks are over.
    AllDone,
    /// All of its tasks were given up.
    AllGivenUp,
}

impl Why {
    /// Whether the feature is over now.
    pub fn closes(self) -> bool {
        !matches!(self, Self::Started)
    }

    /// In the words of the specification.
    pub fn told(self) -> &'static str {
        match self {
            Self::Started => "Feature auto-advanced to ACTIVE because task started.",
            Self::AllDone => "Feature auto-closed because all tasks are in terminal states.",
            Self::AllGivenUp => "Feature set to WILL_NOT_IMPLEMENT because all tasks were terminated.",
        }
    }
}

/// A feature that changes with its task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureChange {
    /// The id of the feature.
    pub id: Id,
    /// The name of the feature.
    pub name: String,
    /// The state before.
    pub from: Status,
    /// The state from now on.
    pub to: Status,
    /// Why.
    pub why: Why,
}

/// What follows.
#[derive(Debug, Default)]
pub struct Effects {
    /// Everything that is to be written, the thing itself included.
    pub touched: Touched,
    /// What nothing blocks any more because this is done.
    pub freed: Vec<Entity>,
    /// What waits for this, which was given up.
    pub affected: Vec<Entity>,
    /// What becomes of the feature.
    pub feature: Option<FeatureChange>,
    /// What nothing blocks any more because the feature is done.
    pub feature_freed: Vec<Entity>,
    /// What waits for the feature, which was given up.
    pub feature_affected: Vec<Entity>,
}

/// What follows from a change of state: first of the thing itself, then of its feature.
pub fn effects(change: StatusChange, world: &dyn Reading, pipelines: &Pipelines) -> Got<Effects> {
    let StatusChange { work, from } = change;
    let (id, kind, to, feature) = (work.id(), work.kind(), work.status().clone(), work.feature());
    let mut effects = Effects::default();
    effects.touched.put(work);
    if to == pipelines.last(kind) {
        effects.freed = effects.touched.free(world, id)?;
    } else if to == Status::WillNotImplement {
        effects.affected = blocked_by(world, id)?;
    }
    let Some(feature) = feature else {
        return Ok(effects);
    };
    let Some(Work::Feature(mut feature)) = effects.touched.find(world, feature)? else {
        return Ok(effects);
    };
    let becomes = match () {
        () if from == Status::New && to == Status::Active && feature.status == Status::New => {
            Some((Status::Active, Why::Started))
        }
        () if !pipelines.is_terminal(kind, &to) || pipelines.is_terminal(EntityType::Feature, &feature.status) => None,
        () => {
            let mut siblings = world.statuses(feature.id)?;
            if let Some(own) = siblings.iter_mut().find(|status| **status == from) {
                own.clone_from(&to);
            }
            let all = |test: &dyn Fn(&Status) -> bool| siblings.iter().all(test);
            match () {
                () if all(&|status| *status == Status::WillNotImplement) => {
                    Some((Status::WillNotImplement, Why::AllGivenUp))
                }
                () if all(&|status| pipelines.is_terminal(EntityType::Task, status)) => {
                    Some((pipelines.last(EntityType::Feature), Why::AllDone))
                }
                () => None,
            }
        }
    };
    let Some((status, why)) = becomes else {
        return Ok(effects);
    };
    let from = std::mem::replace(&mut feature.status, status.clone());
    let id = feature.id;
    effects.feature = Some(FeatureChange {
        id,
        name: feature.name.clone(),
        from,
        to: status,
        why,
    });
    effects.touched.put(Work::Feature(feature));
    match why {
        Why::Started => {}
        Why::AllDone => effects.feature_freed = effects.touched.free(world, id)?,
        Why::AllGivenUp => effects.feature_affected = blocked_by(world, id)?,
    }
    Ok(effects)
}
