//! Sections: the text of a project, a feature or a task in parts, each with its place.

use super::check;
use super::containers::{get, tags};
use super::envelope::{code, now};
use super::id::Id;
use super::limits;
use super::model::{ContentFormat, Entity, Section};
use super::store::{Got, Reading, Writing, writing};
use lore_seam::{Ctx, OpError};

/// A new section; its texts are checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSection {
    pub title: String,
    pub usage: String,
    pub content: String,
    pub format: ContentFormat,
    /// Its place; after all others if none is named.
    pub ordinal: Option<i64>,
    /// Folded, sorted, without duplicates.
    pub tags: Vec<String>,
}

/// What becomes different. Nothing is left as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SectionChange {
    pub title: Option<String>,
    pub usage: Option<String>,
    pub content: Option<String>,
    pub format: Option<ContentFormat>,
    /// Its place.
    pub ordinal: Option<i64>,
    /// Folded, sorted, without duplicates.
    pub tags: Option<Vec<String>>,
}

/// What a section is for.
pub fn usage(given: &str) -> Result<String, OpError> {
    check::bytes("usageDescription", given.trim(), limits::SUMMARY_BYTES).map(str::to_owned)
}

/// The text of a section, which may be empty.
pub fn content(field: &str, given: &str) -> Result<String, OpError> {
    check::bytes(field, given, limits::CONTENT_BYTES).map(str::to_owned)
}

/// The place of a section.
pub fn ordinal(given: i64) -> Result<i64, OpError> {
    if (0..=i64::from(i32::MAX)).contains(&given) {
        Ok(given)
    } else {
        Err(check::invalid(
            "ordinal",
            format!("`ordinal` is a number from 0 on, not {given}"),
        ))
    }
}

/// The section that is meant.
pub fn section(store: &dyn Reading, id: Id) -> Got<Section> {
    store.section(id)?.ok_or_else(|| check::not_found("Section", id))
}

/// Sections of something that have one of some tags in theirs, and are among some.
pub fn list(store: &dyn Reading, of: Entity, tags: &[String], among: Option<&[Id]>) -> Got<Vec<Section>> {
    get(store, of)?;
    let mut found = store.sections(of)?;
    found.retain(|section| {
        let has_tag = |tag: &String| section.tags.iter().any(|known| known.contains(tag.as_str()));
        (tags.is_empty() || tags.iter().any(has_tag)) && among.is_none_or(|among| among.contains(&section.id))
    });
    Ok(found)
}

pub fn add(ctx: &Ctx, of: Entity, new: &[NewSection]) -> Result<Vec<Section>, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        get(store, of)?;
        add_to(ctx, store, of, new, &now)
    })
}

/// Adds sections to something that exists.
pub(super) fn add_to(
    ctx: &Ctx,
    store: &mut dyn Writing,
    of: Entity,
    new: &[NewSection],
    now: &str,
) -> Got<Vec<Section>> {
    let known = store.sections(of)?;
    if known.len() + new.len() > limits::SECTIONS {
        let message = format!("at most {} sections are kept of one thing", limits::SECTIONS);
        return Err(check::invalid("sections", message));
    }
    let mut taken: Vec<i64> = known.iter().map(|section| section.ordinal).collect();
    let mut added = Vec::new();
    for new in new {
        let after_all = taken.iter().max().map_or(0, |last| last + 1);
        let ordinal = new.ordinal.unwrap_or(after_all);
        if taken.contains(&ordinal) {
            return Err(taken_ordinal(ordinal));
        }
        taken.push(ordinal);
        let section = Section {
            id: Id::fresh(ctx),
            of,
            title: new.title.clone(),
            usage_description: new.usage.clone(),
            content: new.content.clone(),
            content_format: new.format,
            ordinal,
            tags: new.tags.clone(),
            version: 1,
            created_at: now.to_owned(),
            modified_at: now.to_owned(),
        };
        store.put_section(&section, None)?;
        added.push(section);
    }
    Ok(added)
}

fn taken_ordinal(ordinal: i64) -> OpError {
    check::refused(code::CONFLICT, format!("another section has the position {ordinal}"))
        .said(format!("A section with ordinal {ordinal} already exists"))
}

/// Changes a section that has a version; without one, whichever it has.
pub fn update(ctx: &Ctx, id: Id, version: Option<i64>, change: &SectionChange) -> Result<Section, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let mut section = section(store, id)?;
        if let Some(version) = version {
            check::version(id, version, section.version)?;
        }
        let SectionChange {
            title,
            usage,
            content,
            format,
            ordinal,
            tags,
        } = change.clone();
        if let Some(ordinal) = ordinal.filter(|ordinal| *ordinal != section.ordinal) {
            let others = store.sections(section.of)?;
            if others.iter().any(|other| other.ordinal == ordinal) {
                return Err(taken_ordinal(ordinal));
            }
            section.ordinal = ordinal;
        }
        section.title = title.unwrap_or(section.title);
        section.usage_description = usage.unwrap_or(section.usage_description);
        section.content = content.unwrap_or(section.content);
        section.content_format = format.unwrap_or(section.content_format);
        section.tags = tags.unwrap_or(section.tags);
        written(store, section, &now)
    })
}

fn written(store: &mut dyn Writing, mut section: Section, now: &str) -> Got<Section> {
    section.version += 1;
    now.clone_into(&mut section.modified_at);
    store.put_section(&section, Some(section.version - 1))?;
    Ok(section)
}

/// Takes a section away.
pub fn remove(ctx: &Ctx, id: Id, version: Option<i64>) -> Result<Section, OpError> {
    writing(ctx, |store| {
        let section = section(store, id)?;
        if let Some(version) = version {
            check::version(id, version, section.version)?;
        }
        store.remove_section(id)?;
        Ok(section)
    })
}

/// Takes sections away; how many there were.
pub fn remove_all(ctx: &Ctx, ids: &[Id]) -> Result<u64, OpError> {
    writing(ctx, |store| {
        let mut count = 0;
        for id in ids {
            count += u64::from(store.remove_section(*id)?);
        }
        Ok(count)
    })
}

/// Puts sections of something into an order: those that are named first, the others after them as they were.
pub fn reorder(ctx: &Ctx, of: Entity, ids: &[Id]) -> Result<Vec<Section>, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        get(store, of)?;
        let known = store.sections(of)?;
        let mut ordered: Vec<Section> = Vec::new();
        for id in ids {
            if ordered.iter().any(|section| section.id == *id) {
                return Err(check::invalid("orderedIds", format!("`orderedIds` names {id} twice")));
            }
            let section = known.iter().find(|section| section.id == *id);
            ordered.push(section.ok_or_else(|| check::not_found("Section", id))?.clone());
        }
        let rest = known.iter().filter(|section| !ids.contains(&section.id));
        ordered.extend(rest.cloned());
        // No two sections have one place at any time: those that move stand aside first.
        let moved: Vec<(i64, Section)> = (0..).zip(ordered.iter().cloned()).collect();
        let moved: Vec<(i64, Section)> = moved
            .into_iter()
            .filter(|(to, section)| *to != section.ordinal)
            .collect();
        for (to, section) in &moved {
            let aside = Section {
                ordinal: -1 - to,
                ..section.clone()
            };
            store.put_section(&aside, Some(section.version))?;
        }
        for (to, section) in moved {
            let section = Section { ordinal: to, ..section };
            written(store, section, &now)?;
        }
        store.sections(of)
    })
}

pub fn section_tags<'t>(given: impl IntoIterator<Item = &'t str>) -> Result<Vec<String>, OpError> {
    tags("tags", given)
}
