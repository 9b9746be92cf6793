//! The commands of people for molecules, atoms, their changelog, context and search.

pub mod atoms;
pub mod choose;
pub mod molecules;
pub mod reads;
mod sheet;

pub use sheet::Sheet;

use crate::envelope::now;
use crate::id::Id;
use crate::model::{EntityType, Priority, Status, Task};
use crate::store::{ContainerFilter, Got, Picked, Writing};
use lore_seam::{Ctx, ErrorKind, OpError};

/// The most that is read of a file with knowledge or a commit.
const MOST_BYTES: u64 = 8 << 20;
/// The task of what people write without naming one.
const BY_HAND: &str = "Recorded by hand";

/// The text of a file, or of the standard input for `-`.
fn read_text(ctx: &Ctx, path: &str) -> Got<String> {
    let bytes = ctx.ports.files.read(path, MOST_BYTES)?;
    String::from_utf8(bytes).map_err(|_| OpError::new(ErrorKind::Invalid, format!("{path} is not UTF-8")))
}

/// A text that is given, or that a file holds.
fn text_of(ctx: &Ctx, text: Option<String>, file: Option<&str>) -> Got<Option<String>> {
    match (text, file) {
        (Some(text), _) => Ok(Some(text)),
        (None, Some(file)) => read_text(ctx, file).map(Some),
        (None, None) => Ok(None),
    }
}

/// The task for which something is written: the one that is named, the only one under way, or the one for what is recorded by hand, which is made once.
fn task_for(ctx: &Ctx, store: &mut dyn Writing, project: Id, named: Option<&str>, fresh: Id) -> Got<Id> {
    if let Some(named) = named {
        return choose::task(store, project, named);
    }
    let active = ContainerFilter {
        project: Some(project),
        status: Picked {
            included: vec![Status::Active],
            excluded: Vec::new(),
        },
        limit: Some(2),
        ..ContainerFilter::all(EntityType::Task)
    };
    if let [only] = store.containers(&active)?.as_slice() {
        return Ok(only.entity().id);
    }
    let by_hand = ContainerFilter {
        project: Some(project),
        name: Some(BY_HAND.to_owned()),
        limit: Some(1),
        ..ContainerFilter::all(EntityType::Task)
    };
    if let Some(known) = store.containers(&by_hand)?.first() {
        return Ok(known.entity().id);
    }
    let time = now(ctx);
    let task = Task {
        id: fresh,
        project_id: Some(project),
        feature_id: None,
        title: BY_HAND.to_owned(),
        summary: "What was recorded from the command line without a task".to_owned(),
        description: None,
        status: Status::Closed,
        priority: Priority::Low,
        complexity: 1,
        blocked_by: Vec::new(),
        blocked_reason: None,
        related_to: Vec::new(),
        last_modified_by: None,
        version: 1,
        tags: Vec::new(),
        created_at: time.clone(),
        modified_at: time,
    };
    store.put_task(&task, None)?;
    Ok(task.id)
}

#[cfg(test)]
mod tests;
