//! `lore memory …`: the same things for people, by names and short identifiers, as text. Agents have the tools; they may call these too.

mod board;
mod choose;
mod feature;
mod form;
mod moves;
mod project;
mod section;
mod shown;
mod tag;
mod task;
mod template;

pub use board::{MemoryBoard, MemoryNext};
pub use choose::{choose, project_option};
pub use feature::{FeatureCreate, FeatureDelete, FeatureEdit, FeatureList, FeatureShow};
pub use form::{Form, edited};
pub use moves::{MemoryAdvance, MemoryBlock, MemoryDepend, MemoryRevert, MemoryTerminate, MemoryUnblock};
pub use project::{ProjectCreate, ProjectDelete, ProjectEdit, ProjectList, ProjectShow};
pub use section::{SectionAdd, SectionDelete, SectionEdit, SectionList, SectionMove};
pub use shown::Shown;
pub use tag::{TagList, TagRename, TagShow};
pub use task::{TaskCreate, TaskDelete, TaskEdit, TaskList, TaskShow};
pub use template::{
    TemplateAdd, TemplateApply, TemplateCreate, TemplateDelete, TemplateDisable, TemplateEnable, TemplateList,
    TemplateShow,
};

use serde_json::json;

use super::containers::Removal;
use super::id::Id;
use super::model::{Blocker, Container};
use super::store::{Got, Reading};
use super::work::{self, Work, dependents};
use lore_seam::Value;

/// A command: an operation with words on the command line.
macro_rules! command {
    ($(#[$about:meta])* $operation:ident($request:ident) $name:literal $words:expr, $access:ident $answer:ident $run:path) => {
        $(#[$about])*
        pub struct $operation;

        impl lore_seam::Operation for $operation {
            const NAME: &'static str = $name;
            const COMMAND: &'static [&'static str] = &$words;
            const ACCESS: lore_seam::Access = lore_seam::Access::$access;
            type Request = $request;
            type Answer = lore_seam::$answer<crate::people::Shown>;

            fn run(ctx: &lore_seam::Ctx, request: $request) -> Result<Self::Answer, lore_seam::OpError> {
                $run(ctx, &request)
            }
        }
    };
}

use command;

/// What a command answers.
type Answered = Result<lore_seam::Value<Shown>, lore_seam::OpError>;
/// What a command that lists answers.
type Listed = Result<lore_seam::Rows<Shown>, lore_seam::OpError>;

/// What an edit of a container came to.
fn form_answer(written: Option<&Container>, before: &Container) -> Value<Shown> {
    Value::yes(match written {
        Some(container) => Shown::row(container),
        None => Shown::row(before).line("Nothing was changed."),
    })
}

/// What was taken away.
fn removed(name: &str, removal: &Removal) -> Shown {
    let removed = json!(removal.removed);
    let object = json!({
        "deleted": true, "removed": removed, "unblockedEntities": dependents(&removal.unblocked),
    });
    let counts = removed.as_object().into_iter().flatten();
    let counts: Vec<String> = counts
        .map(|(what, count)| counted(count.as_u64().unwrap_or_default(), what))
        .collect();
    let with = if counts.is_empty() {
        String::new()
    } else {
        format!(" with {}", counts.join(", "))
    };
    let shown = Shown::of(object).line(format!("{name} is deleted{with}."));
    match removal.unblocked.len() {
        0 => shown,
        1 => shown.line("1 is blocked no more."),
        count => shown.line(format!("{count} are blocked no more.")),
    }
}

/// So many of something that is called by its plural.
fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (count, "changelog") => format!("{count} of the changelog"),
        (1, what) => format!("1 {}", what.trim_end_matches('s')),
        (count, what) => format!("{count} {what}"),
    }
}

/// The head of a feature or a task: what it is, how far it is, and what it waits for.
fn headed(store: &dyn Reading, shown: Shown, container: &Container) -> Got<Shown> {
    let entity = container.entity();
    let (summary, description, reason, related) = match container {
        Container::Project(it) => (&it.summary, &it.description, None, &[][..]),
        Container::Feature(it) => (
            &it.summary,
            &it.description,
            it.blocked_reason.as_ref(),
            &it.related_to[..],
        ),
        Container::Task(it) => (
            &it.summary,
            &it.description,
            it.blocked_reason.as_ref(),
            &it.related_to[..],
        ),
    };
    let mut shown = shown
        .strong(container.name())
        .dim(format!(
            "  {} {}  version {}",
            entity.kind.name(),
            entity.id,
            container.version()
        ))
        .end()
        .line(summary);
    let standing = match container {
        Container::Project(_) => String::new(),
        Container::Feature(it) => format!("{}, {}", it.status, it.priority),
        Container::Task(it) => format!("{}, {}, complexity {}", it.status, it.priority, it.complexity),
    };
    shown = shown.line(standing);
    if let Container::Task(task) = container
        && let Some(id) = task.feature_id
        && let Some(feature) = store.feature(id)?
    {
        shown = shown.line(format!("feature: {} ({})", feature.name, id.short()));
    }
    for blocker in container.blocked_by() {
        let told = match blocker {
            Blocker::NoOp => "something outside".to_owned(),
            Blocker::Entity(id) => named(store, *id)?,
        };
        shown = shown.line(format!("blocked by: {told}"));
    }
    if let Some(reason) = reason {
        shown = shown.line(format!("because: {reason}"));
    }
    for id in related {
        shown = shown.line(format!("related to: {}", named(store, *id)?));
    }
    for entity in work::blocked_by(store, entity.id)? {
        shown = shown.line(format!("blocks: {}", named(store, entity.id)?));
    }
    if !container.tags().is_empty() {
        shown = shown.line(format!("tags: {}", container.tags().join(", ")));
    }
    Ok(shown.block(description.as_deref().unwrap_or_default()))
}

/// A feature or a task by its name.
fn named(store: &dyn Reading, id: Id) -> Got<String> {
    Ok(match Work::find(store, id)? {
        Some(work) => format!("{} {} ({})", work.kind().name(), work.name(), id.short()),
        None => format!("{id}, which is gone"),
    })
}

/// Rows that are there; none at all means no.
fn listed(rows: Vec<Shown>) -> Listed {
    Ok(lore_seam::Rows::new(rows.into_iter().map(Ok), lore_seam::Verdict::No))
}

#[cfg(test)]
mod tests;
