//! `lore memory atom …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::sheet::{self, line};
use super::{Sheet, choose, task_for, text_of};
use crate::check;
use crate::envelope::now;
use crate::graph::atoms::{self, AtomChange, Moment, NewAtom};
use crate::graph::input::{self, Mode};
use crate::graph::query::{self, Search};
use crate::graph::relations::Coming;
use crate::graph::stand::Stand;
use crate::id::Id;
use crate::limits;
use crate::model::Atom;
use crate::people::{Form, edited};
use crate::store::{Got, reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Value};

/// Record what one has to know of an area of the code
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom create 'Payment API' --path 'src/payments/**' --knowledge 'webhooks are idempotent'
  lore memory atom create Retry --path src/retry.ts --file notes.md --molecule Infrastructure")]
#[serde(default)]
pub struct AtomCreateRequest {
    /// What it is called
    pub name: String,
    /// A pattern of paths that it covers; may be repeated
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,
    /// What one has to know there
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub knowledge: Option<String>,
    /// A file that says it; - is the standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The molecule that it is part of, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub molecule: Option<String>,
    /// The task that it is recorded for [default: the only one under way, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory atom create`.
pub struct AtomCreate;

impl Operation for AtomCreate {
    const NAME: &'static str = "memory_atom_create";
    const COMMAND: &'static [&'static str] = &["memory", "atom", "create"];
    const ACCESS: Access = Access::Record;
    type Request = AtomCreateRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: AtomCreateRequest) -> Result<Value<Sheet>, OpError> {
        let name = check::name("name", &request.name)?;
        let paths = patterns(&request.paths)?;
        let text = text_of(ctx, request.knowledge, request.file.as_deref())?.unwrap_or_default();
        let knowledge = input::knowledge(&text)?;
        let (id, task, time, stand) = (Id::fresh(ctx), Id::fresh(ctx), now(ctx), Stand::here(ctx)?);
        let atom = writing(ctx, |store| {
            let project = choose::project(ctx, store, request.project.as_deref())?;
            let molecule = request.molecule.as_deref();
            let new = NewAtom {
                id,
                project,
                molecule: molecule
                    .map(|named| choose::molecule(store, project, named))
                    .transpose()?,
                name: name.clone(),
                paths: paths.clone(),
                knowledge: knowledge.clone(),
                related: Vec::new(),
                task: task_for(ctx, store, project, request.task.as_deref(), task)?,
            };
            let moment = Moment {
                now: &time,
                stand: stand.as_ref(),
            };
            atoms::create(store, new, &Coming::default(), moment)
        })?;
        let mut text = String::new();
        sheet::atom(&mut text, &atom);
        Sheet::new(atom, text).map(Value::yes)
    }
}

fn patterns(given: &[String]) -> Got<Vec<String>> {
    input::patterns("path", &given.iter().map(|path| json!(path)).collect::<Vec<Json>>())
}

/// List the atoms of a project
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom list
  lore memory atom list --molecule 'Payment Domain'
  lore memory atom list --orphans")]
#[serde(default)]
pub struct AtomListRequest {
    /// Only those of a molecule, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub molecule: Option<String>,
    /// Only those without a molecule
    #[arg(long, conflicts_with = "molecule")]
    pub orphans: bool,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory atom list`.
pub struct AtomList;

impl Operation for AtomList {
    const NAME: &'static str = "memory_atom_list";
    const COMMAND: &'static [&'static str] = &["memory", "atom", "list"];
    const ACCESS: Access = Access::Read;
    type Request = AtomListRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: AtomListRequest) -> Result<Value<Sheet>, OpError> {
        let atoms = reading(ctx, |store| {
            let project = choose::project(ctx, store, request.project.as_deref())?;
            let molecule = request.molecule.as_deref();
            let mut search = Search {
                project,
                query: String::new(),
                molecule: molecule
                    .map(|named| choose::molecule(store, project, named))
                    .transpose()?,
                orphans_only: request.orphans,
                limit: 1_000,
                offset: 0,
                changelog: None,
            };
            let mut all = Vec::new();
            loop {
                let found = query::atoms(store, &search)?;
                all.extend(found.items.into_iter().map(|item| item.value));
                if !found.has_more {
                    return Ok(all);
                }
                search.offset += search.limit;
            }
        })?;
        let mut text = String::new();
        atoms.iter().for_each(|atom| sheet::atom_line(&mut text, atom));
        if atoms.is_empty() {
            line(&mut text, format_args!("No atoms."));
        }
        let sheet = Sheet::new(json!({ "atoms": atoms }), text)?;
        Ok(if atoms.is_empty() {
            Value::no(sheet)
        } else {
            Value::yes(sheet)
        })
    }
}

/// Show an atom with its last changes
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom show 'Payment API'
  lore memory atom show 3f9a21c4         the last digits of its id are enough")]
#[serde(default)]
pub struct AtomShowRequest {
    /// Its id, the last digits of it, or its name
    pub atom: String,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory atom show`.
pub struct AtomShow;

impl Operation for AtomShow {
    const NAME: &'static str = "memory_atom_show";
    const COMMAND: &'static [&'static str] = &["memory", "atom", "show"];
    const ACCESS: Access = Access::Read;
    type Request = AtomShowRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: AtomShowRequest) -> Result<Value<Sheet>, OpError> {
        let one = reading(ctx, |store| {
            let id = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
            query::atom(store, id, Some(limits::DEFAULT_CHANGELOG))
        })?;
        let mut text = String::new();
        sheet::atom(&mut text, &one.atom);
        if one.changelog.as_ref().is_some_and(|entries| !entries.is_empty()) {
            line(&mut text, format_args!(""));
        }
        sheet::changelog(&mut text, one.changelog.as_deref(), "");
        Sheet::new(one, text).map(Value::yes)
    }
}

/// An atom by its id alone needs no project.
pub(super) fn chosen(ctx: &Ctx, store: &dyn crate::store::Reading, project: Option<&str>, given: &str) -> Got<Id> {
    if let Ok(id) = given.parse::<Id>() {
        return Ok(id);
    }
    let project = choose::project(ctx, store, project)?;
    choose::atom(store, project, given)
}

/// Change an atom: its name, its patterns, what one has to know, its molecule; without options in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom edit 'Payment API'                     in $VISUAL or $EDITOR
  lore memory atom edit 'Payment API' --append 'retries since 2.3'
  lore memory atom edit 'Payment API' --path 'src/pay/**' --path 'src/stripe-*.ts'
  lore memory atom edit 'Payment API' --file notes.md     in place of what it said
  lore memory atom edit 'Payment API' --no-molecule")]
#[serde(default)]
pub struct AtomEditRequest {
    /// Its id, the last digits of it, or its name
    pub atom: String,
    /// What it is called from now on
    #[arg(long)]
    pub name: Option<String>,
    /// A pattern of paths, in place of those it has; may be repeated
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,
    /// What one has to know there, in place of what it said
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "append"])]
    pub knowledge: Option<String>,
    /// A file that says it; - is the standard input
    #[arg(long, value_name = "FILE", conflicts_with = "append")]
    pub file: Option<String>,
    /// What comes behind what it said
    #[arg(long, value_name = "TEXT")]
    pub append: Option<String>,
    /// The molecule that it is part of, by id or name
    #[arg(long, value_name = "ID|NAME", conflicts_with = "no_molecule")]
    pub molecule: Option<String>,
    /// It is part of no molecule
    #[arg(long)]
    pub no_molecule: bool,
    /// Only if it still has this version
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
    /// The task that it is changed for [default: the only one under way, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory atom edit`.
pub struct AtomEdit;

impl Operation for AtomEdit {
    const NAME: &'static str = "memory_atom_edit";
    const COMMAND: &'static [&'static str] = &["memory", "atom", "edit"];
    const ACCESS: Access = Access::Write;
    type Request = AtomEditRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: AtomEditRequest) -> Result<Value<Sheet>, OpError> {
        let text = text_of(ctx, request.knowledge.clone(), request.file.as_deref())?;
        let text = text.map(|text| (Mode::Overwrite, text));
        let change = AtomChange {
            name: request
                .name
                .as_deref()
                .map(|name| check::name("name", name))
                .transpose()?,
            paths: (!request.paths.is_empty())
                .then(|| patterns(&request.paths))
                .transpose()?,
            knowledge: text.or(request.append.clone().map(|text| (Mode::Append, text))),
            molecule: request.no_molecule.then_some(None),
            ..AtomChange::default()
        };
        if change == AtomChange::default() && request.molecule.is_none() {
            return edit_as_text(ctx, &request);
        }
        let atom = change_atom(ctx, &request, request.version, change, request.molecule.as_deref())?;
        let mut text = String::new();
        sheet::atom(&mut text, &atom);
        Sheet::new(atom, text).map(Value::yes)
    }
}

/// Changes the atom that is meant; `molecule` names the one that it becomes part of.
fn change_atom(
    ctx: &Ctx,
    request: &AtomEditRequest,
    version: Option<i64>,
    mut change: AtomChange,
    molecule: Option<&str>,
) -> Got<Atom> {
    let (fresh, time, stand) = (Id::fresh(ctx), now(ctx), Stand::here(ctx)?);
    writing(ctx, |store| {
        let id = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
        let known = store.atom(id)?.ok_or_else(|| check::not_found("Atom", id))?;
        if let Some(named) = molecule {
            change.molecule = Some(Some(choose::molecule(store, known.project_id, named)?));
        }
        change.task = Some(task_for(ctx, store, known.project_id, request.task.as_deref(), fresh)?);
        let moment = Moment {
            now: &time,
            stand: stand.as_ref(),
        };
        let version = version.unwrap_or(known.version);
        atoms::update(store, id, version, &change, &Coming::default(), moment)
    })
}

/// Lets whoever asks edit the whole atom.
fn edit_as_text(ctx: &Ctx, request: &AtomEditRequest) -> Result<Value<Sheet>, OpError> {
    let (atom, molecule) = reading(ctx, |store| {
        let id = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
        let atom = store.atom(id)?.ok_or_else(|| check::not_found("Atom", id))?;
        let molecule = match atom.molecule_id {
            Some(id) => store.molecule(id)?,
            None => None,
        };
        Ok((atom, molecule.map(|molecule| molecule.name).unwrap_or_default()))
    })?;
    let form = Form::new(&atom.knowledge)
        .field("name", &atom.name)
        .lines("paths", atom.paths.clone())
        .field("molecule", &molecule);
    let version = request.version.unwrap_or(atom.version);
    let written = edited(ctx, "atom.md", &form, &["name", "paths", "molecule"], |form| {
        let named = form.get("molecule");
        // A molecule is looked up only if another one is named: its own may share its name with others.
        let (cleared, named) = match named.as_str() {
            "" => (!molecule.is_empty(), None),
            named if named == molecule => (false, None),
            named => (false, Some(named)),
        };
        let change = AtomChange {
            name: Some(check::name("name", &form.get("name"))?),
            paths: Some(patterns(form.all("paths"))?),
            knowledge: Some((Mode::Overwrite, input::knowledge(&form.text)?)),
            molecule: cleared.then_some(None),
            ..AtomChange::default()
        };
        change_atom(ctx, request, Some(version), change, named)
    })?;
    let mut text = String::new();
    if written.is_none() {
        line(&mut text, format_args!("Nothing was changed."));
    }
    let atom = written.unwrap_or(atom);
    sheet::atom(&mut text, &atom);
    Sheet::new(atom, text).map(Value::yes)
}

/// Delete an atom with its changelog
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom delete 'Payment API' --yes")]
#[serde(default)]
pub struct AtomDeleteRequest {
    /// Its id, the last digits of it, or its name
    pub atom: String,
    /// Delete it: what it says is lost
    #[arg(long)]
    pub yes: bool,
    /// Only if it still has this version
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory atom delete`.
pub struct AtomDelete;

impl Operation for AtomDelete {
    const NAME: &'static str = "memory_atom_delete";
    const COMMAND: &'static [&'static str] = &["memory", "atom", "delete"];
    const ACCESS: Access = Access::Write;
    type Request = AtomDeleteRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: AtomDeleteRequest) -> Result<Value<Sheet>, OpError> {
        let atom = writing(ctx, |store| {
            let id = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
            let known = store.atom(id)?.ok_or_else(|| check::not_found("Atom", id))?;
            confirmed_by(request.yes, &known.name)?;
            atoms::delete(store, id, request.version.unwrap_or(known.version))?;
            Ok(known)
        })?;
        let text = format!("Deleted {} ({}).\n", atom.name, atom.id);
        Sheet::new(json!({ "deleted": true, "id": atom.id, "name": atom.name }), text).map(Value::yes)
    }
}

pub(super) fn confirmed_by(yes: bool, name: &str) -> Got<()> {
    if yes {
        Ok(())
    } else {
        Err(OpError::new(ErrorKind::Refused, format!("`{name}` would be lost")).hint("--yes deletes it"))
    }
}

/// Take note that atoms are right at this commit
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom confirm 'Payment API' Retry")]
#[serde(default)]
pub struct AtomConfirmRequest {
    /// Their ids, the last digits of them, or their names
    #[arg(required = true)]
    pub atoms: Vec<String>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory atom confirm`.
pub struct AtomConfirm;

impl Operation for AtomConfirm {
    const NAME: &'static str = "memory_atom_confirm";
    const COMMAND: &'static [&'static str] = &["memory", "atom", "confirm"];
    const ACCESS: Access = Access::Record;
    type Request = AtomConfirmRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: AtomConfirmRequest) -> Result<Value<Sheet>, OpError> {
        let (time, stand) = (now(ctx), Stand::here(ctx)?);
        let atoms = writing(ctx, |store| {
            let mut confirmed = Vec::new();
            for given in &request.atoms {
                let id = chosen(ctx, store, request.project.as_deref(), given)?;
                let moment = Moment {
                    now: &time,
                    stand: stand.as_ref(),
                };
                confirmed.push(atoms::confirm(store, id, moment)?);
            }
            Ok(confirmed)
        })?;
        let mut text = String::new();
        for atom in &atoms {
            let commit = atom.confirmed.as_ref().map_or("", |confirmed| &confirmed.commit);
            let commit: String = commit.chars().take(10).collect();
            line(&mut text, format_args!("{} is right at {commit}", atom.name));
        }
        Sheet::new(json!({ "confirmed": atoms }), text).map(Value::yes)
    }
}
