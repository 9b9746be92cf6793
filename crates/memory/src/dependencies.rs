//! Dependencies: what has to be done before something else, and what has to do with something else. Nothing may wait for itself.

use std::collections::BTreeSet;

use serde::Serialize;

use super::check;
use super::envelope::{code, now};
use super::id::Id;
use super::limits;
use super::model::{Blocker, EntityType, LinkType, NO_OP, Pipelines};
use super::pipeline;
use super::store::{Got, Reading, writing};
use super::work::Work;
use lore_seam::{Ctx, OpError};

/// One dependency, as answers show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dependency {
    /// How the one hangs on the other.
    #[serde(rename = "type")]
    pub kind: LinkType,
    /// What comes first; something outside is `NO_OP`.
    pub from_id: String,
    /// What comes after it.
    pub to_id: String,
    /// What the first is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_entity_type: Option<&'static str>,
    /// What the second is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_entity_type: Option<&'static str>,
}

/// What something waits for and has to do with, and what waits for it or has to do with it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Dependencies {
    /// What it waits for and names.
    pub dependencies: Vec<Dependency>,
    /// What waits for it and names it.
    pub dependents: Vec<Dependency>,
}

/// Everything that something hangs on, and that hangs on it.
pub fn of(store: &dyn Reading, work: &Work) -> Got<Dependencies> {
    let (own, kind) = (work.id(), work.kind().name());
    let kind_of = |id: Id| -> Got<Option<&'static str>> { Ok(Work::find(store, id)?.map(|work| work.kind().name())) };
    let mut found = Dependencies::default();
    for blocker in work.blocked_by() {
        let (from_id, from_entity_type) = match blocker {
            Blocker::NoOp => (NO_OP.to_owned(), None),
            Blocker::Entity(id) => (id.to_string(), kind_of(*id)?),
        };
        found.dependencies.push(Dependency {
            kind: LinkType::Blocks,
            from_id,
            to_id: own.to_string(),
            from_entity_type,
            to_entity_type: Some(kind),
        });
    }
    for other in work.related_to() {
        found.dependencies.push(Dependency {
            kind: LinkType::RelatesTo,
            from_id: own.to_string(),
            to_id: other.to_string(),
            from_entity_type: Some(kind),
            to_entity_type: kind_of(*other)?,
        });
    }
    for link in store.dependents(own)? {
        let (other, other_kind) = (link.entity.id.to_string(), Some(link.entity.kind.name()));
        found.dependents.push(match link.kind {
            LinkType::Blocks => Dependency {
                kind: link.kind,
                from_id: own.to_string(),
                to_id: other,
                from_entity_type: Some(kind),
                to_entity_type: other_kind,
            },
            LinkType::RelatesTo => Dependency {
                kind: link.kind,
                from_id: other,
                to_id: own.to_string(),
                from_entity_type: other_kind,
                to_entity_type: Some(kind),
            },
        });
    }
    Ok(found)
}

/// Refuses a blocker for which the blocked thing would wait for itself: itself, its own feature, or what waits for it already.
pub fn acyclic(store: &dyn Reading, blocked: &Work, blocker: Id) -> Got<()> {
    let target = blocked.id();
    let circular = |message: String| {
        check::refused(code::CIRCULAR_DEPENDENCY, message)
            .said(format!("Circular dependency: {target} cannot be blocked by {blocker}"))
    };
    if target == blocker {
        return Err(circular(format!("{target} cannot depend on itself")));
    }
    if blocked.feature() == Some(blocker) {
        return Err(circular(format!(
            "{target} is a task of {blocker}, which depends on it"
        )));
    }
    let mut open = vec![blocker];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if id == target {
            return Err(circular(format!("{blocker} depends on {target}")));
        }
        let Some(work) = Work::find(store, id)? else {
            continue;
        };
        open.extend(work.blocked_by().iter().filter_map(|blocker| match blocker {
            Blocker::NoOp => None,
            Blocker::Entity(id) => Some(*id),
        }));
    }
    Ok(())
}

/// Two ends and how they hang together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends {
    /// What comes first.
    pub from: Id,
    /// What comes after it.
    pub to: Id,
    pub kind: LinkType,
}

/// Makes or takes away a dependency; doing so twice changes nothing the second time. Both ends as they are then.
pub fn set(ctx: &Ctx, ends: Ends, exists: bool) -> Result<(Work, Work), OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let pipelines = pipeline::effective(ctx, store)?;
        let find = |store: &dyn Reading, id: Id| -> Got<Work> {
            Work::find(store, id)?.ok_or_else(|| check::not_found("Entity", id))
        };
        let (from, to) = (find(store, ends.from)?, find(store, ends.to)?);
        match ends.kind {
            LinkType::Blocks => {
                for (field, end) in [("fromId", &from), ("toId", &to)] {
                    not_over(&pipelines, field, end)?;
                }
                let blocker = Blocker::Entity(ends.from);
                let known = to.blocked_by().contains(&blocker);
                if exists && !known {
                    acyclic(store, &to, ends.from)?;
                    let mut blocked = to.clone();
                    let mut blockers = to.blocked_by().to_vec();
                    blockers.push(blocker);
                    few(&blockers)?;
                    blocked.set_blocked(blockers, to.blocked_reason().map(str::to_owned));
                    return Ok((from, blocked.write(store, &now)?));
                }
                if !exists && known {
                    let mut freed = to.clone();
                    freed.unblock(|known| *known == blocker);
                    return Ok((from, freed.write(store, &now)?));
                }
                if exists || ends.from != ends.to {
                    return Ok((from, to));
                }
                acyclic(store, &to, ends.from)?;
                Ok((from, to))
            }
            LinkType::RelatesTo => {
                if ends.from == ends.to {
                    return Err(check::invalid("toId", "`toId` is the same as `fromId`")
                        .said("An entity cannot be related to itself"));
                }
                let mut related = |mut work: Work, other: Id| -> Got<Work> {
                    let known = work.related_to().contains(&other);
                    if known == exists {
                        return Ok(work);
                    }
                    if exists {
                        work.related_mut().push(other)
                    } else {
                        work.related_mut().retain(|known| *known != other)
                    }
                    work.write(store, &now)
                };
                Ok((related(from, ends.to)?, related(to, ends.from)?))
            }
        }
    })
}

/// So many blockers at most are kept.
pub fn few(blockers: &[Blocker]) -> Got<()> {
    if blockers.len() > limits::BLOCKERS {
        Err(check::invalid(
            "blockedBy",
            format!("{} blockers; the limit is {}", blockers.len(), limits::BLOCKERS),
        ))
    } else {
        Ok(())
    }
}

fn not_over(pipelines: &Pipelines, field: &str, end: &Work) -> Got<()> {
    let kind: EntityType = end.kind();
    if pipelines.is_terminal(kind, end.status()) {
        Err(check::invalid(
            field,
            format!("`{field}`: the {} is closed ({})", kind.name(), end.status()),
        )
        .said(format!(
            "{field}: {} {} is in terminal state {}",
            kind.name(),
            end.id(),
            end.status()
        )))
    } else {
        Ok(())
    }
}
