//! `manage_changelog`: what changed in an area, added and read.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::check::{self, choice, required, word};
use crate::envelope::{Told, envelope, now};
use crate::graph::{changelog, input};
use crate::id::Id;
use crate::model::Parent;
use crate::store::{Page, reading, writing};
use lore_seam::{Access, Ctx, Envelope, OpError, Operation, Value};

/// Append to the changelog of an atom or molecule what a task changed there and why, or search it, newest first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct ManageChangelogRequest {
    /// append, search
    #[arg(skip)]
    pub operation: String,
    /// atom, molecule
    #[arg(skip)]
    pub parent_type: String,
    /// Its id
    #[arg(skip)]
    pub parent_id: String,
    /// For append
    #[arg(skip)]
    #[serde(default)]
    pub task_id: Option<String>,
    /// For append: at most 4 KB
    #[arg(skip)]
    #[serde(default)]
    pub summary: Option<String>,
    /// Without it 20
    #[arg(skip)]
    #[serde(default)]
    pub limit: Option<i64>,
    /// Without it 0
    #[arg(skip)]
    #[serde(default)]
    pub offset: Option<i64>,
}

/// `manage_changelog`.
pub struct ManageChangelog;

impl Operation for ManageChangelog {
    const NAME: &'static str = "manage_changelog";
    const COMMAND: &'static [&'static str] = &[];
    const ACCESS: Access = Access::Record;
    const ENVELOPE: Option<Envelope> = Some(envelope);
    type Request = ManageChangelogRequest;
    type Answer = Value<Told>;

    fn run(ctx: &Ctx, request: ManageChangelogRequest) -> Result<Value<Told>, OpError> {
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
            return Told::answer("Changelog entry created", json!({ "entry": entry }));
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
        Told::answer(format!("Found {count} changelog entry(ies)"), data)
    }
}
