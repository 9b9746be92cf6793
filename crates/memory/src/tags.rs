//! Tags: what bears one, and another word for it everywhere.

use super::check;
use super::containers;
use super::fold::fold;
use super::limits;
use super::model::{Container, Entity};
use super::store::{Got, Writing, writing};
use lore_seam::{Ctx, OpError};

/// A tag as it is kept.
pub fn tag(field: &str, given: &str) -> Result<String, OpError> {
    let tag = fold(check::chars(field, given.trim(), limits::TAG_CHARS)?);
    if tag.is_empty() {
        return Err(check::invalid(field, format!("`{field}` is empty")));
    }
    if tag.contains(',') {
        Err(check::invalid(field, format!("`{field}` contains a comma")))
    } else {
        Ok(tag)
    }
}

/// Gives another word to a tag everywhere; what has both has one then. Their versions stay: tags are kept beside them. What bore the old tag.
pub fn rename(ctx: &Ctx, old: &str, new: &str, dry_run: bool) -> Result<Vec<Entity>, OpError> {
    let (old, new) = (tag("oldTag", old)?, tag("newTag", new)?);
    if old == new {
        return Err(check::invalid("newTag", "`newTag` is the same as `oldTag`").said("newTag must differ from oldTag"));
    }
    if dry_run {
        return super::store::reading(ctx, |store| store.tagged(&old));
    }
    writing(ctx, |store| {
        let tagged = store.tagged(&old)?;
        for entity in &tagged {
            exchange(store, *entity, &old, &new)?;
        }
        Ok(tagged)
    })
}

fn exchange(store: &mut dyn Writing, entity: Entity, old: &str, new: &str) -> Got<()> {
    let container: Container = containers::get(store, entity)?;
    let mut tags: Vec<String> = container.tags().iter().filter(|tag| *tag != old).cloned().collect();
    if !tags.iter().any(|tag| tag == new) {
        tags.push(new.to_owned());
    }
    tags.sort();
    store.set_tags(entity, &tags)
}
