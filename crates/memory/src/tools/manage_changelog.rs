//! `manage_changelog`: what changed in an area, added and read.

use serde_json::json;

use super::{Answered, request, tool};
use crate::check::{self, choice, required, word};
use crate::envelope::{ToolAnswer, now};
use crate::graph::{changelog, input};
use crate::id::Id;
use crate::model::Parent;
use crate::store::{Page, reading, writing};
use lore_seam::Ctx;

request! {
    /// Append an entry (what a task changed and why) to the changelog of an atom or molecule, or search it, newest first
    ManageChangelogRequest {
        needs {
            /// append, search
            operation: String,
            /// atom, molecule
            parent_type: String,
            parent_id: String,
        }
        takes {
            /// For append
            task_id: Option<String>,
            /// For append: at most 4 KB
            summary: Option<String>,
            /// Without it 20
            limit: Option<i64>,
            /// Without it 0
            offset: Option<i64>,
        }
    }
}

tool!(ManageChangelog(ManageChangelogRequest) "manage_changelog" Record manage);

fn manage(ctx: &Ctx, request: &ManageChangelogRequest) -> Answered {
    let operation = choice("operation", &request.operation, &["append", "search"])?;
    let parent = Parent {
        kind: word("parentType", &request.parent_type)?,
        id: check::id("parentId", &request.parent_id)?,
    };
    if operation == "append" {
        let task = check::id("taskId", required("taskId", "append", request.task_id.as_deref())?)?;
        let summary = input::summary(required("summary", "append", request.summary.as_deref())?)?;
        let (id, time) = (Id::fresh(ctx), now(ctx));
        let entry = writing(ctx, |store| {
            changelog::append(store, id, parent, task, summary.clone(), &time)
        })?;
        return ToolAnswer::answer("Changelog entry created", json!({ "entry": entry }));
    }
    let (limit, offset) = check::page(request.limit, request.offset)?;
    let mut entries = reading(ctx, |store| {
        let page = Page {
            offset,
            limit: limit + 1,
        };
        changelog::search(store, parent, page)
    })?;
    let has_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let count = entries.len();
    let mut data = json!({ "entries": entries, "count": count, "limit": limit, "offset": offset });
    if let Some(data) = data.as_object_mut().filter(|_| has_more) {
        data.insert("hasMore".to_owned(), json!(true));
    }
    ToolAnswer::answer(format!("Found {count} changelog entry(ies)"), data)
}
