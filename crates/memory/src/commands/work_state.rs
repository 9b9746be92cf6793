//! What the commands that change the state of a task or a feature share.

use super::TextAnswer;
use super::choose::choose;
use crate::model::{Blocker, Entity, EntityType, NO_OP};
use crate::store::{Got, Reading, reading};
use crate::work::Work;
use lore_seam::Ctx;

/// The kinds that have a state, the most likely first.
pub(super) const KINDS: &[EntityType] = &[EntityType::Task, EntityType::Feature];

pub(super) fn chosen(ctx: &Ctx, text: &str) -> Got<Entity> {
    reading(ctx, |store| entity(ctx, store, text))
}

pub(super) fn entity(ctx: &Ctx, store: &dyn Reading, text: &str) -> Got<Entity> {
    Ok(choose(ctx, store, KINDS, text)?.entity())
}

/// The message of a change of state, and the tasks and features that it unblocked.
pub(super) fn report(ctx: &Ctx, object: impl serde::Serialize, message: &str, freed: &[Entity]) -> Got<TextAnswer> {
    let mut answer = TextAnswer::of(object).line(message);
    for entity in freed {
        if let Some(work) = reading(ctx, |store| Work::find(store, entity.id))? {
            answer = answer.text("unblocked: ").with(TextAnswer::work(&work));
        }
    }
    Ok(answer)
}

pub(super) fn blockers(ctx: &Ctx, store: &dyn Reading, by: &[String]) -> Got<Vec<Blocker>> {
    let each = by.iter().map(|text| {
        if text.eq_ignore_ascii_case(NO_OP) {
            Ok(Blocker::NoOp)
        } else {
            entity(ctx, store, text).map(|entity| Blocker::Entity(entity.id))
        }
    });
    each.collect()
}
