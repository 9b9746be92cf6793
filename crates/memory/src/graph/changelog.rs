//! What changed in an area and why: entries that are added and never changed.

use super::molecules::{check_parent, check_task};
use crate::id::Id;
use crate::model::{Entry, Parent};
use crate::store::{Got, Page, Reading, Writing};

/// Adds an entry.
pub fn append(store: &mut dyn Writing, id: Id, parent: Parent, task: Id, summary: String, now: &str) -> Got<Entry> {
    check_parent(store, parent)?;
    check_task(store, task)?;
    let entry = Entry {
        id,
        parent_type: parent.kind,
        parent_id: parent.id,
        task_id: task,
        summary,
        created_at: now.to_owned(),
    };
    store.append(&entry)?;
    Ok(entry)
}

/// Entries, the last first.
pub fn search(store: &dyn Reading, parent: Parent, page: Page) -> Got<Vec<Entry>> {
    check_parent(store, parent)?;
    store.changelog(parent, page)
}
