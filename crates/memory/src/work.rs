//! `Work`: a feature or a task, whichever it is: what has a state, blockers and relations. And `Touched`: what one unit of work changes, each of it once.

use std::collections::BTreeMap;

use serde::Serialize;

use super::check::not_found;
use super::id::Id;
use super::model::{Blocker, Entity, EntityType, Feature, LinkType, Status, Task};
use super::store::{Got, Reading, Writing};

/// A feature or a task.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Work {
    Feature(Feature),
    Task(Task),
}

macro_rules! either {
    ($work:expr, $it:ident => $what:expr) => {
        match $work {
            Work::Feature($it) => $what,
            Work::Task($it) => $what,
        }
    };
}

impl Work {
    /// The one with an identifier, whichever it is.
    pub fn find(store: &dyn Reading, id: Id) -> Got<Option<Self>> {
        if let Some(task) = store.task(id)? {
            return Ok(Some(Self::Task(task)));
        }
        Ok(store.feature(id)?.map(Self::Feature))
    }

    /// The one with an identifier, which is of a kind.
    pub fn get(store: &dyn Reading, of: Entity) -> Got<Self> {
        let (found, what) = match of.kind {
            EntityType::Feature => (store.feature(of.id)?.map(Self::Feature), "Feature"),
            EntityType::Project | EntityType::Task => (store.task(of.id)?.map(Self::Task), "Task"),
        };
        found.ok_or_else(|| not_found(what, of.id))
    }

    pub fn kind(&self) -> EntityType {
        match self {
            Self::Feature(_) => EntityType::Feature,
            Self::Task(_) => EntityType::Task,
        }
    }

    pub fn id(&self) -> Id {
        either!(self, it => it.id)
    }

    pub fn entity(&self) -> Entity {
        Entity {
            kind: self.kind(),
            id: self.id(),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Feature(feature) => &feature.name,
            Self::Task(task) => &task.title,
        }
    }

    pub fn status(&self) -> &Status {
        either!(self, it => &it.status)
    }

    /// How far it is from now on.
    pub fn set_status(&mut self, status: Status) {
        either!(self, it => it.status = status);
    }

    pub fn version(&self) -> i64 {
        either!(self, it => it.version)
    }

    /// The blockers that must be closed first.
    pub fn blocked_by(&self) -> &[Blocker] {
        either!(self, it => &it.blocked_by)
    }

    /// What has to happen first from now on, and why; without something outside there is nothing to be told of it.
    pub fn set_blocked(&mut self, blockers: Vec<Blocker>, reason: Option<String>) {
        either!(self, it => {
            it.blocked_by = blockers;
            it.blocked_reason = reason;
        });
    }

    pub fn blocked_reason(&self) -> Option<&str> {
        either!(self, it => it.blocked_reason.as_deref())
    }

    /// Takes blockers away; those that there were. The reason goes with them, unless something outside still blocks it.
    pub fn unblock(&mut self, gone: impl Fn(&Blocker) -> bool) -> Vec<Blocker> {
        let (removed, kept): (Vec<Blocker>, Vec<Blocker>) = self.blocked_by().iter().partition(|blocker| gone(blocker));
        let reason = self.blocked_reason().map(str::to_owned);
        let keeps = kept.contains(&Blocker::NoOp) || removed.is_empty() && !kept.is_empty();
        self.set_blocked(kept, reason.filter(|_| keeps));
        removed
    }

    pub fn related_to(&self) -> &[Id] {
        either!(self, it => &it.related_to)
    }

    /// What it has to do with from now on.
    pub fn related_mut(&mut self) -> &mut Vec<Id> {
        either!(self, it => &mut it.related_to)
    }

    pub fn feature(&self) -> Option<Id> {
        match self {
            Self::Feature(_) => None,
            Self::Task(task) => task.feature_id,
        }
    }

    /// Writes it once more.
    pub fn write(mut self, store: &mut dyn Writing, now: &str) -> Got<Self> {
        let read = self.version();
        either!(&mut self, it => {
            it.version = read + 1;
            it.modified_at = now.to_owned();
        });
        match &self {
            Self::Feature(feature) => store.put_feature(feature, Some(read))?,
            Self::Task(task) => store.put_task(task, Some(read))?,
        }
        Ok(self)
    }
}

/// What one unit of work changes. Each feature and task is written once, however many rules touch it.
#[derive(Debug, Default)]
pub struct Touched {
    works: BTreeMap<Id, Work>,
}

impl Touched {
    /// The one with an identifier as it is by now.
    pub fn find(&self, store: &dyn Reading, id: Id) -> Got<Option<Work>> {
        match self.works.get(&id) {
            Some(work) => Ok(Some(work.clone())),
            None => Work::find(store, id),
        }
    }

    /// Takes note of a change.
    pub fn put(&mut self, work: Work) {
        self.works.insert(work.id(), work);
    }

    /// Frees what waits for one that is done or gone; the ones that nothing blocks any more, tasks before features, the oldest first.
    pub fn free(&mut self, store: &dyn Reading, done: Id) -> Got<Vec<Entity>> {
        let mut freed = Vec::new();
        for entity in blocked_by(store, done)? {
            let Some(mut work) = self.find(store, entity.id)? else {
                continue;
            };
            let removed = work.unblock(|blocker| *blocker == Blocker::Entity(done));
            if removed.is_empty() {
                continue;
            }
            if work.blocked_by().is_empty() {
                freed.push(entity);
            }
            self.put(work);
        }
        Ok(freed)
    }

    /// Everything but some, which are not written any more.
    #[must_use]
    pub fn without(mut self, is_gone: impl Fn(Id) -> bool) -> Self {
        self.works.retain(|id, _| !is_gone(*id));
        self
    }

    /// Writes everything, each once.
    pub fn write(self, store: &mut dyn Writing, now: &str) -> Got<BTreeMap<Id, Work>> {
        let mut written = BTreeMap::new();
        for (id, work) in self.works {
            written.insert(id, work.write(store, now)?);
        }
        Ok(written)
    }
}

/// What waits for something: tasks before features, the oldest first.
pub fn blocked_by(store: &dyn Reading, id: Id) -> Got<Vec<Entity>> {
    let links = store.dependents(id)?.into_iter();
    let links = links.filter(|link| link.kind == LinkType::Blocks);
    Ok(links.map(|link| link.entity).collect())
}

/// Something that was freed or that still waits, as answers show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Dependent {
    pub id: Id,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl From<Entity> for Dependent {
    fn from(entity: Entity) -> Self {
        Self {
            id: entity.id,
            kind: entity.kind.name(),
        }
    }
}

/// Several of them.
pub fn dependents(entities: &[Entity]) -> Vec<Dependent> {
    entities.iter().copied().map(Dependent::from).collect()
}
