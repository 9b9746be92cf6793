//! What is to happen to each file, with the difference it makes; and its execution.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use similar::TextDiff;

use super::clients::{AGENTS, Client, IMPORTING, NoteFile, ServerFile, Shape, skill_path};
use super::entry::{Entry, NAME};
use super::note::{self, Found};
use super::text::{Fault, newline, position, with_newlines};
use super::{json_file, skill, toml_file};
use lore_seam::{ErrorKind, Files, OpError, Skill};

/// Files beyond this are nobody's configuration.
const MAX_BYTES: u64 = 1 << 20;

/// What is wanted of the files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wish {
    /// The command that starts the server.
    pub(super) command: String,
    /// Whether what was written before is to go.
    pub(super) remove: bool,
    /// Whether skills are wanted too.
    pub(super) skills: bool,
}

impl Wish {
    /// The server that is written.
    fn entry(&self, shape: Shape) -> Entry {
        if self.skills {
            Entry::with_memory(shape, &self.command)
        } else {
            Entry::new(shape, &self.command)
        }
    }
}

/// The action on a file
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The file is created
    Create,
    /// Something is added, replaced or removed
    Change,
    /// The file is deleted, because it contains only what Lore wrote
    Delete,
    /// The file needs no change
    Nothing,
    /// The content of Lore was edited, so the file stays as it is
    LeftAlone,
    /// The file cannot be read, parsed or written
    Refused,
}

impl Action {
    /// Whether the file is another one afterwards.
    pub(super) fn changes(self) -> bool {
        matches!(self, Self::Create | Self::Change | Self::Delete)
    }
}

/// A file and its action
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct PlannedFile {
    /// The path, relative to the root of the repository
    pub path: String,
    /// The clients that read it
    pub agents: Vec<String>,
    /// The action
    pub action: Action,
    /// The reason, if it needs one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The change, as a unified diff
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(skip)]
    #[schemars(skip)]
    old: Option<String>,
    #[serde(skip)]
    #[schemars(skip)]
    new: Option<String>,
}

/// What is done to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    Server(ServerFile),
    Note(NoteFile),
    Skill(&'static Skill),
}

/// What became of one edit.
enum Outcome {
    /// The text afterwards.
    Text(String),
    /// There was nothing in the file but this.
    Gone,
    Nothing(&'static str),
    LeftAlone(String),
    Refused(String),
}

/// What several clients want of one file.
#[derive(Default)]
struct Work {
    agents: Vec<String>,
    edits: Vec<Edit>,
    read_only: bool,
    /// Paths that lead to it.
    through: Vec<String>,
    refused: Option<String>,
}

/// Plans what is to happen to the files of some clients, by path.
pub(super) fn plan(files: &dyn Files, clients: &[&'static Client], wish: &Wish) -> Vec<PlannedFile> {
    let mut works: BTreeMap<String, Work> = BTreeMap::new();
    for client in clients {
        let server = client.server.map(|server| (server.paths, Edit::Server(server)));
        let note = (client.note.paths, Edit::Note(client.note));
        let mut wanted: Vec<(String, Edit)> = Vec::new();
        for (paths, edit) in server.into_iter().chain([note]) {
            let named = paths.iter().find(|path| files.kind(path).is_some()).or(paths.first());
            wanted.extend(named.map(|named| ((*named).to_owned(), edit)));
        }
        for (skill, directory) in crate::SKILLS
            .iter()
            .flat_map(|skill| client.skills.map(|place| (skill, place)))
        {
            let path = skill_path(directory, skill);
            // What is not there needs not be taken out.
            if wish.skills || wish.remove && files.kind(&path).is_some() {
                wanted.push((path, Edit::Skill(skill)));
            }
        }
        for (named, edit) in wanted {
            let (path, read_only, refused) = match settle(files, &named, edit) {
                Ok((path, read_only)) => (path, read_only, None),
                Err(error) => (named.clone(), false, Some(message(&error))),
            };
            let work = works.entry(path.clone()).or_default();
            if work.agents.last().is_none_or(|last| last != client.name) {
                work.agents.push(client.name.to_owned());
            }
            // The opening counts for a file that is made, and then whoever comes first has it.
            let is_note = |known: &Edit| matches!((known, edit), (Edit::Note(_), Edit::Note(_)));
            if !work.edits.iter().any(|known| *known == edit || is_note(known)) {
                work.edits.push(edit);
            }
            if path != named {
                work.through.push(named);
            }
            work.read_only |= read_only;
            work.refused = work.refused.take().or(refused);
        }
    }
    works
        .into_iter()
        .map(|(path, work)| plan_file(files, path, work, wish))
        .collect()
}

/// Writes what was planned. What cannot be written is refused, and the rest goes on.
pub(super) fn apply(files: &dyn Files, planned: &mut [PlannedFile]) {
    for file in planned.iter_mut().filter(|file| file.action.changes()) {
        if let Err(error) = apply_file(files, file) {
            file.action = Action::Refused;
            file.why = Some(message(&error));
            file.diff = None;
        }
    }
}

fn apply_file(files: &dyn Files, file: &PlannedFile) -> Result<(), OpError> {
    if read(files, &file.path)? != file.old {
        let message = format!("{} was changed by another process", file.path);
        return Err(OpError::new(ErrorKind::Unavailable, message));
    }
    match &file.new {
        Some(new) => files
            .write(&file.path, &mut |out| {
                out.write_all(new.as_bytes()).map_err(OpError::from_write)
            })
            .map(drop),
        None => files.remove(&file.path),
    }
}

fn message(error: &OpError) -> String {
    let parts = std::iter::once(&error.message).chain(&error.hints);
    parts.map(String::as_str).collect::<Vec<_>>().join("; ")
}

/// The place of a file, with links followed; a note goes where a file takes another one in.
fn settle(files: &dyn Files, named: &str, edit: Edit) -> Result<(String, bool), OpError> {
    let settled = files.settle(named)?;
    if matches!(edit, Edit::Note(_)) && IMPORTING.contains(&settled.path.as_str()) {
        let takes_in =
            |line: &str| line.trim().strip_prefix('@').map(|path| path.trim_start_matches("./")) == Some(AGENTS);
        let text = read(files, &settled.path).unwrap_or_default().unwrap_or_default();
        if text.lines().any(takes_in) && note::find(&text) == Found::Nothing && files.kind(AGENTS).is_some() {
            let settled = files.settle(AGENTS)?;
            return Ok((settled.path, settled.read_only));
        }
    }
    Ok((settled.path, settled.read_only))
}

/// The text of a file, if there is one.
fn read(files: &dyn Files, path: &str) -> Result<Option<String>, OpError> {
    if files.kind(path).is_none() {
        return Ok(None);
    }
    let bytes = files.read(path, MAX_BYTES)?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        OpError::new(ErrorKind::Unavailable, format!("{path} is not UTF-8 at byte {at}"))
    })
}

fn plan_file(files: &dyn Files, path: String, work: Work, wish: &Wish) -> PlannedFile {
    let mut file = PlannedFile {
        path,
        agents: work.agents,
        action: Action::Nothing,
        why: None,
        diff: None,
        old: None,
        new: None,
    };
    let old = match work
        .refused
        .map_or_else(|| read(files, &file.path).map_err(|error| message(&error)), Err)
    {
        Ok(old) => old,
        Err(why) => return file.refused(why),
    };
    let mut reasons: Vec<String> = Vec::new();
    let mut new = old.clone();
    for edit in work.edits {
        let outcome = match (new.as_deref(), wish.remove) {
            (None, true) => Outcome::Nothing("the file does not exist"),
            (text, _) => edit.outcome(&file.path, text.unwrap_or_default(), wish),
        };
        match outcome {
            Outcome::Text(text) => new = Some(text),
            Outcome::Gone => new = None,
            Outcome::Nothing(why) => reasons.push(why.to_owned()),
            Outcome::LeftAlone(why) => {
                file.action = Action::LeftAlone;
                reasons.push(why);
            }
            Outcome::Refused(why) => return file.refused(why),
        }
    }
    if new != old {
        if work.read_only {
            let why = format!("{}, or its directory, is read-only", file.path);
            return file.refused(why);
        }
        file.action = match (&old, &new) {
            (None, _) => Action::Create,
            (_, None) => Action::Delete,
            _ => Action::Change,
        };
        file.diff = Some(diff(&file.path, old.as_deref(), new.as_deref()));
        reasons.extend(work.through.iter().map(|through| format!("{through} leads here")));
    }
    file.why = (!reasons.is_empty()).then(|| reasons.join("; "));
    (file.old, file.new) = (old, new);
    file
}

impl PlannedFile {
    fn refused(self, why: String) -> Self {
        Self {
            action: Action::Refused,
            why: Some(why),
            ..self
        }
    }
}

impl Edit {
    fn outcome(self, path: &str, text: &str, wish: &Wish) -> Outcome {
        match self {
            Self::Server(server) => server_outcome(path, text, &server, wish).unwrap_or_else(|fault| {
                let refusal = format!("{}: {}", place(path, text, fault.at), fault.message);
                let entry = wish.entry(server.shape);
                let written = match server.shape {
                    Shape::Toml => toml_file::inline(&entry),
                    _ => format!("\"{NAME}\": {}", entry.value()),
                };
                let by_hand = format!("by hand: {written} under `{}`", server.keys.join("."));
                Outcome::Refused(if wish.remove {
                    refusal
                } else {
                    format!("{refusal}; {by_hand}")
                })
            }),
            Self::Note(note) => note_outcome(path, text, &note, wish),
            Self::Skill(skill) => skill_outcome(path, text, skill, wish),
        }
    }
}

fn skill_outcome(path: &str, text: &str, skill: &Skill, wish: &Wish) -> Outcome {
    match skill::find(text, skill) {
        skill::Found::Nothing => Outcome::Text(skill::file(skill)),
        skill::Found::Ours { .. } if wish.remove => Outcome::Gone,
        skill::Found::Ours { is_current: true } => Outcome::Nothing("the skill exists"),
        skill::Found::Ours { is_current: false } => Outcome::Text(skill::file(skill)),
        skill::Found::Theirs => Outcome::LeftAlone(format!("{path}: the skill was edited; Lore leaves it as it is")),
    }
}

fn place(path: &str, text: &str, at: usize) -> String {
    let (line, column) = position(text, at);
    format!("{path}:{line}:{column}")
}

fn server_outcome(path: &str, text: &str, server: &ServerFile, wish: &Wish) -> Result<Outcome, Fault> {
    let is_toml = server.shape == Shape::Toml;
    let keys = match server.other_keys {
        Some(keys) if json_file::holds_servers(text, keys)? => keys,
        _ => server.keys,
    };
    let there = if is_toml {
        toml_file::look(text, keys)?
    } else {
        json_file::look(text, keys)?
    };
    // A server that was written with skills stays so, and one without lists more once there are skills.
    let is_there = |entry: &Entry| matches!(&there, Some((value, _)) if entry.differences(value).is_empty());
    let wanted = wish.entry(server.shape);
    let plain = Entry::new(server.shape, &wish.command);
    let with_memory = Entry::with_memory(server.shape, &wish.command);
    let is_outgrown = wish.skills && !wish.remove && is_there(&plain);
    let known = [&plain, &with_memory].into_iter().find(|entry| is_there(entry));
    let entry = known.filter(|_| !is_outgrown).unwrap_or(&wanted).clone();
    let insert = |text: &str| {
        if is_toml {
            toml_file::insert(text, keys, &entry)
        } else {
            json_file::insert(text, keys, &entry)
        }
    };
    if is_outgrown {
        let without = if is_toml {
            toml_file::remove(text, keys, &plain)?
        } else {
            json_file::remove(text, keys)?
        };
        return Ok(Outcome::Text(insert(&without)?));
    }
    let differences = there.as_ref().map(|(value, _)| entry.differences(value));
    Ok(match (there, differences) {
        (Some((_, at)), Some(differences)) if !differences.is_empty() => Outcome::LeftAlone(format!(
            "{}: a different `{NAME}` exists: {}",
            place(path, text, at),
            differences.join(", ")
        )),
        (Some(_), _) if wish.remove => match text == with_newlines(&insert("")?, newline(text)) {
            true => Outcome::Gone,
            false if is_toml => Outcome::Text(toml_file::remove(text, keys, &entry)?),
            false => Outcome::Text(json_file::remove(text, keys)?),
        },
        (Some(_), _) => Outcome::Nothing("the server exists"),
        (None, _) if wish.remove => Outcome::Nothing("the server does not exist"),
        (None, _) => Outcome::Text(insert(text)?),
    })
}

fn note_outcome(path: &str, text: &str, file: &NoteFile, wish: &Wish) -> Outcome {
    match note::find(text) {
        Found::Nothing if wish.remove => Outcome::Nothing("the note does not exist"),
        Found::Nothing => Outcome::Text(note::append(text, file.opening)),
        Found::Damaged { line, why } => Outcome::LeftAlone(format!(
            "{path}:{line}: {why}; correct the marks, or remove the note by hand"
        )),
        Found::Note {
            start,
            is_ours: false,
            is_current: false,
            ..
        } => Outcome::LeftAlone(format!(
            "{}: the note was edited; remove it with its marks to get a new one",
            place(path, text, start)
        )),
        Found::Note { start, end, .. } if wish.remove => {
            let rest = note::take_out(text, start, end);
            if note::was_all_ours(&rest, file.opening) {
                Outcome::Gone
            } else {
                Outcome::Text(rest)
            }
        }
        Found::Note { is_current: true, .. } => Outcome::Nothing("the note exists"),
        Found::Note { start, end, .. } => Outcome::Text(note::replace(text, start, end)),
    }
}

fn diff(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    let side =
        |text: Option<&str>, letter: char| text.map_or_else(|| "/dev/null".to_owned(), |_| format!("{letter}/{path}"));
    TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default())
        .unified_diff()
        .header(&side(old, 'a'), &side(new, 'b'))
        .to_string()
}
