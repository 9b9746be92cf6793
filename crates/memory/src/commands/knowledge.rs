//! What the commands that read and write knowledge share: texts from files, the task of a change, atoms and molecules by name.

use super::choose::choose_task;
use super::text_answer::TextAnswer;
use crate::check;
use crate::envelope::now;
use crate::graph::input::Mode;
use crate::id::Id;
use crate::model::{EntityType, Priority, Status, Task};
use crate::store::{ContainerFilter, Got, Picked, Writing};
use lore_seam::{Ctx, ErrorKind, OpError, Value};

/// The largest file that a command reads a text from. Each field has its own, smaller limit.
const MOST_BYTES: u64 = 8 << 20;
/// The task of changes that name no task.
const BY_HAND: &str = "Recorded by hand";

/// The text of a file, or of standard input for `-`.
pub(super) fn read_text(ctx: &Ctx, path: &str) -> Got<String> {
    let bytes = ctx.ports.files.read(path, MOST_BYTES)?;
    String::from_utf8(bytes)
        .map_err(|error| OpError::new(ErrorKind::Invalid, format!("{path} is not UTF-8")).because(error))
}

/// A text from an option or from the file of another option.
pub(super) fn text_option(ctx: &Ctx, text: Option<&str>, file: Option<&str>) -> Got<Option<String>> {
    match (text, file) {
        (Some(_), Some(_)) => Err(check::invalid("file", "the text and --file exclude each other")),
        (Some(text), None) => Ok(Some(text.to_owned())),
        (None, file) => file.map(|path| read_text(ctx, path)).transpose(),
    }
}

/// The change of knowledge that `--knowledge`, `--file` and `--append` ask for.
pub(super) fn knowledge_change(
    ctx: &Ctx,
    text: Option<&str>,
    file: Option<&str>,
    append: Option<&str>,
) -> Got<Option<(Mode, String)>> {
    let text = text_option(ctx, text, file)?.map(|text| (Mode::Overwrite, text));
    Ok(text.or_else(|| append.map(|text| (Mode::Append, text.to_owned()))))
}

/// Deleting knowledge needs `--yes`.
pub(super) fn check_yes(yes: bool, name: &str) -> Got<()> {
    if yes {
        Ok(())
    } else {
        Err(OpError::new(ErrorKind::Refused, format!("`{name}` would be lost")).hint("--yes deletes it"))
    }
}

/// The answer of an edit: what was written, or what exists if nothing changed.
pub(super) fn edit_answer<T>(
    written: Option<T>,
    known: T,
    describe: impl Fn(TextAnswer, &T) -> TextAnswer,
) -> Value<TextAnswer>
where
    T: serde::Serialize,
{
    Value::yes(match written {
        Some(written) => describe(TextAnswer::of(&written), &written),
        None => describe(TextAnswer::of(&known).unchanged(), &known),
    })
}

/// The task that a change of knowledge is recorded for: the named one, else the only active one, else the task "Recorded by hand", which is created once.
pub(super) fn task_for(ctx: &Ctx, store: &mut dyn Writing, project: Id, named: Option<&str>, fresh: Id) -> Got<Id> {
    if let Some(named) = named {
        return choose_task(store, project, named);
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
        summary: "Changes from the command line without a task".to_owned(),
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
