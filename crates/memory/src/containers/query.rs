//! Looking at containers: one with what belongs to it, those that are searched for, and an overview.

use serde_json::{Map, Value, json};

use super::{get, named};
use crate::check;
use crate::fold::{fold, words};
use crate::limits;
use crate::model::{Container, Entity, EntityType, Priority, Status};
use crate::store::{ContainerFilter, ContainerOrder, Got, Picked, Reading, TagFilter};
use lore_seam::OpError;

/// A part of what was searched for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Looked {
    /// The part.
    pub items: Vec<Container>,
    /// Whether there is more behind it.
    pub has_more: bool,
}

impl Looked {
    /// Searches. Projects come with the last changed first, all others with the last made first.
    pub fn search(store: &dyn Reading, filter: &ContainerFilter, limit: u32) -> Got<Self> {
        let order = match filter.kind {
            EntityType::Project => ContainerOrder::Modified,
            EntityType::Feature | EntityType::Task => ContainerOrder::Newest,
        };
        let mut items = store.containers(&ContainerFilter {
            order,
            limit: Some(limit + 1),
            ..filter.clone()
        })?;
        let has_more = items.len() > limit as usize;
        items.truncate(limit as usize);
        Ok(Self { items, has_more })
    }

    /// It as an answer.
    pub fn data(&self, limit: u32, offset: u32) -> Value {
        let mut data = json!({ "items": self.items, "count": self.items.len(), "limit": limit, "offset": offset });
        if self.has_more {
            data["hasMore"] = json!(true);
        }
        data
    }
}

/// A container with what belongs to it.
pub fn one(store: &dyn Reading, of: Entity, with_sections: bool) -> Got<Map<String, Value>> {
    let container = get(store, of)?;
    let mut data = named(&container, of.kind);
    if of.kind == EntityType::Project {
        let repositories = store.repositories(of.id)?;
        let mut origins = repositories.iter().filter_map(|repository| repository.origin.as_ref());
        if let (Some(origin), Some(project)) = (origins.next(), data.get_mut("project")) {
            project["repository"] = json!({ "origin": origin });
        }
    }
    if with_sections {
        data.insert("sections".to_owned(), json!(store.sections(of)?));
    }
    if of.kind != EntityType::Task {
        data.insert("taskCounts".to_owned(), json!(store.task_counts(of)?));
    }
    Ok(data)
}

/// A container with what it is made of, as far as a page goes.
pub fn overview(store: &dyn Reading, of: Entity) -> Got<Map<String, Value>> {
    let mut data = named(&get(store, of)?, of.kind);
    let (field, filter) = match of.kind {
        EntityType::Project => (
            "features",
            ContainerFilter {
                project: Some(of.id),
                ..ContainerFilter::all(EntityType::Feature)
            },
        ),
        EntityType::Feature => (
            "tasks",
            ContainerFilter {
                feature: Some(of.id),
                ..ContainerFilter::all(EntityType::Task)
            },
        ),
        EntityType::Task => return Ok(data),
    };
    data.insert("taskCounts".to_owned(), json!(store.task_counts(of)?));
    let looked = Looked::search(store, &filter, limits::PAGE)?;
    data.insert(field.to_owned(), json!(looked.items));
    if looked.has_more {
        data.insert("hasMore".to_owned(), json!(true));
    }
    Ok(data)
}

pub fn search_words(query: Option<&str>) -> Result<Vec<String>, OpError> {
    let query = check::chars("query", query.unwrap_or_default(), limits::QUERY_CHARS)?;
    let words = words(query);
    if words.len() > limits::QUERY_WORDS {
        Err(check::invalid(
            "query",
            format!(
                "`query` has {} words; the limit is {}",
                words.len(),
                limits::QUERY_WORDS
            ),
        ))
    } else {
        Ok(words)
    }
}

fn picked<T>(text: Option<&str>, mut read: impl FnMut(&str) -> Result<T, OpError>) -> Result<Picked<T>, OpError> {
    let mut picked = Picked::default();
    for item in check::comma_list(text.unwrap_or_default()) {
        match item.strip_prefix('!') {
            Some(item) => picked.excluded.push(read(item)?),
            None => picked.included.push(read(item)?),
        }
    }
    Ok(picked)
}

/// The states of a list such as `NEW,ACTIVE` or `!CLOSED`.
pub fn picked_status(text: Option<&str>) -> Result<Picked<Status>, OpError> {
    picked(text, |item| check::status("status", item))
}

/// The priorities of a list such as `HIGH,MEDIUM` or `!LOW`.
pub fn picked_priority(text: Option<&str>) -> Result<Picked<Priority>, OpError> {
    picked(text, |item| check::word("priority", item))
}

/// Which tags a search wants: all of them of projects, one of them of features and tasks, and of tasks none that is negated.
pub fn tag_filter(kind: EntityType, tags: &[String]) -> TagFilter {
    let mut filter = TagFilter::default();
    for tag in tags {
        match (kind, tag.strip_prefix('!')) {
            (EntityType::Project, _) => filter.all.push(fold(tag)),
            (EntityType::Task, Some(tag)) => filter.none.push(fold(tag)),
            _ => filter.any.push(fold(tag)),
        }
    }
    filter
}
