//! `lore memory molecule …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::atoms::confirmed_by;
use super::sheet::{self, line};
use super::{Sheet, choose, task_for, text_of};
use crate::check;
use crate::envelope::now;
use crate::graph::input::{self, Mode};
use crate::graph::molecules::{self, MoleculeChange, NewMolecule};
use crate::graph::query::{self, Search};
use crate::graph::relations::Coming;
use crate::id::Id;
use crate::limits;
use crate::model::Molecule;
use crate::people::{Form, edited};
use crate::store::{Got, Reading, reading, writing};
use lore_seam::{Access, Ctx, OpError, Operation, Value};

/// Record what holds for several atoms
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule create 'Payment Domain' --knowledge 'event sourcing; webhooks are idempotent'")]
#[serde(default)]
pub struct MoleculeCreateRequest {
    /// What it is called
    pub name: String,
    /// What holds for all of its atoms
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub knowledge: Option<String>,
    /// A file that says it; - is the standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The task that it is recorded for [default: the only one under way, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory molecule create`.
pub struct MoleculeCreate;

impl Operation for MoleculeCreate {
    const NAME: &'static str = "memory_molecule_create";
    const COMMAND: &'static [&'static str] = &["memory", "molecule", "create"];
    const ACCESS: Access = Access::Record;
    type Request = MoleculeCreateRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MoleculeCreateRequest) -> Result<Value<Sheet>, OpError> {
        let name = check::name("name", &request.name)?;
        let text = text_of(ctx, request.knowledge, request.file.as_deref())?.unwrap_or_default();
        let knowledge = input::knowledge(&text)?;
        let (id, task, time) = (Id::fresh(ctx), Id::fresh(ctx), now(ctx));
        let molecule = writing(ctx, |store| {
            let project = choose::project(ctx, store, request.project.as_deref())?;
            let new = NewMolecule {
                id,
                project,
                name: name.clone(),
                knowledge: knowledge.clone(),
                related: Vec::new(),
                task: task_for(ctx, store, project, request.task.as_deref(), task)?,
            };
            molecules::create(store, new, &Coming::default(), &time)
        })?;
        let mut text = String::new();
        sheet::molecule(&mut text, &molecule);
        Sheet::new(molecule, text).map(Value::yes)
    }
}

/// List the molecules of a project
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule list")]
#[serde(default)]
pub struct MoleculeListRequest {
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory molecule list`.
pub struct MoleculeList;

impl Operation for MoleculeList {
    const NAME: &'static str = "memory_molecule_list";
    const COMMAND: &'static [&'static str] = &["memory", "molecule", "list"];
    const ACCESS: Access = Access::Read;
    type Request = MoleculeListRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MoleculeListRequest) -> Result<Value<Sheet>, OpError> {
        let found = reading(ctx, |store| {
            let search = Search {
                project: choose::project(ctx, store, request.project.as_deref())?,
                query: String::new(),
                molecule: None,
                orphans_only: false,
                limit: 10_000,
                offset: 0,
                changelog: None,
            };
            query::molecules(store, &search)
        })?;
        let molecules: Vec<_> = found.items.into_iter().map(|item| item.value).collect();
        let mut text = String::new();
        for molecule in &molecules {
            line(&mut text, format_args!("{}  {}", molecule.id.short(), molecule.name));
        }
        if molecules.is_empty() {
            line(&mut text, format_args!("No molecules."));
        }
        let sheet = Sheet::new(json!({ "molecules": molecules }), text)?;
        Ok(if molecules.is_empty() {
            Value::no(sheet)
        } else {
            Value::yes(sheet)
        })
    }
}

/// Show a molecule with its atoms and its last changes
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule show 'Payment Domain'")]
#[serde(default)]
pub struct MoleculeShowRequest {
    /// Its id, the last digits of it, or its name
    pub molecule: String,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory molecule show`.
pub struct MoleculeShow;

impl Operation for MoleculeShow {
    const NAME: &'static str = "memory_molecule_show";
    const COMMAND: &'static [&'static str] = &["memory", "molecule", "show"];
    const ACCESS: Access = Access::Read;
    type Request = MoleculeShowRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MoleculeShowRequest) -> Result<Value<Sheet>, OpError> {
        let one = reading(ctx, |store| {
            let id = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
            query::molecule(store, id, Some(limits::DEFAULT_CHANGELOG))
        })?;
        let mut text = String::new();
        sheet::molecule(&mut text, &one.molecule);
        if !one.atoms.is_empty() {
            line(&mut text, format_args!(""));
        }
        one.atoms
            .iter()
            .for_each(|atom| sheet::atom_line(&mut text, &atom.value));
        sheet::changelog(&mut text, one.changelog.as_deref(), "");
        Sheet::new(one, text).map(Value::yes)
    }
}

/// A molecule by its id alone needs no project.
pub(super) fn chosen(ctx: &Ctx, store: &dyn Reading, project: Option<&str>, given: &str) -> Got<Id> {
    if let Ok(id) = given.parse::<Id>() {
        return Ok(id);
    }
    let project = choose::project(ctx, store, project)?;
    choose::molecule(store, project, given)
}

/// Change a molecule: its name, or what holds for its atoms; without options in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule edit 'Payment Domain'              in $VISUAL or $EDITOR
  lore memory molecule edit 'Payment Domain' --append 'EUR only since 2.3'")]
#[serde(default)]
pub struct MoleculeEditRequest {
    /// Its id, the last digits of it, or its name
    pub molecule: String,
    /// What it is called from now on
    #[arg(long)]
    pub name: Option<String>,
    /// What holds for its atoms, in place of what it said
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "append"])]
    pub knowledge: Option<String>,
    /// A file that says it; - is the standard input
    #[arg(long, value_name = "FILE", conflicts_with = "append")]
    pub file: Option<String>,
    /// What comes behind what it said
    #[arg(long, value_name = "TEXT")]
    pub append: Option<String>,
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

/// `lore memory molecule edit`.
pub struct MoleculeEdit;

impl Operation for MoleculeEdit {
    const NAME: &'static str = "memory_molecule_edit";
    const COMMAND: &'static [&'static str] = &["memory", "molecule", "edit"];
    const ACCESS: Access = Access::Write;
    type Request = MoleculeEditRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MoleculeEditRequest) -> Result<Value<Sheet>, OpError> {
        let text = text_of(ctx, request.knowledge.clone(), request.file.as_deref())?;
        let text = text.map(|text| (Mode::Overwrite, text));
        let change = MoleculeChange {
            name: request
                .name
                .as_deref()
                .map(|name| check::name("name", name))
                .transpose()?,
            knowledge: text.or(request.append.clone().map(|text| (Mode::Append, text))),
            ..MoleculeChange::default()
        };
        if change == MoleculeChange::default() {
            return edit_as_text(ctx, &request);
        }
        let molecule = change_molecule(ctx, &request, request.version, change)?;
        let mut text = String::new();
        sheet::molecule(&mut text, &molecule);
        Sheet::new(molecule, text).map(Value::yes)
    }
}

fn change_molecule(
    ctx: &Ctx,
    request: &MoleculeEditRequest,
    version: Option<i64>,
    mut change: MoleculeChange,
) -> Got<Molecule> {
    let (fresh, time) = (Id::fresh(ctx), now(ctx));
    writing(ctx, |store| {
        let id = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
        let known = store.molecule(id)?.ok_or_else(|| check::not_found("Molecule", id))?;
        change.task = Some(task_for(ctx, store, known.project_id, request.task.as_deref(), fresh)?);
        let version = version.unwrap_or(known.version);
        molecules::update(store, id, version, &change, &Coming::default(), &time)
    })
}

/// Lets whoever asks edit the whole molecule.
fn edit_as_text(ctx: &Ctx, request: &MoleculeEditRequest) -> Result<Value<Sheet>, OpError> {
    let molecule = reading(ctx, |store| {
        let id = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
        store.molecule(id)?.ok_or_else(|| check::not_found("Molecule", id))
    })?;
    let form = Form::new(&molecule.knowledge).field("name", &molecule.name);
    let version = request.version.unwrap_or(molecule.version);
    let written = edited(ctx, "molecule.md", &form, &["name"], |form| {
        let change = MoleculeChange {
            name: Some(check::name("name", &form.get("name"))?),
            knowledge: Some((Mode::Overwrite, input::knowledge(&form.text)?)),
            ..MoleculeChange::default()
        };
        change_molecule(ctx, request, Some(version), change)
    })?;
    let mut text = String::new();
    if written.is_none() {
        line(&mut text, format_args!("Nothing was changed."));
    }
    let molecule = written.unwrap_or(molecule);
    sheet::molecule(&mut text, &molecule);
    Sheet::new(molecule, text).map(Value::yes)
}

/// Delete a molecule; its atoms stay without one, unless they are to go too
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule delete 'Payment Domain' --yes
  lore memory molecule delete 'Payment Domain' --cascade --yes    with its atoms")]
#[serde(default)]
pub struct MoleculeDeleteRequest {
    /// Its id, the last digits of it, or its name
    pub molecule: String,
    /// With its atoms and their changelogs
    #[arg(long)]
    pub cascade: bool,
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

/// `lore memory molecule delete`.
pub struct MoleculeDelete;

impl Operation for MoleculeDelete {
    const NAME: &'static str = "memory_molecule_delete";
    const COMMAND: &'static [&'static str] = &["memory", "molecule", "delete"];
    const ACCESS: Access = Access::Write;
    type Request = MoleculeDeleteRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MoleculeDeleteRequest) -> Result<Value<Sheet>, OpError> {
        let time = now(ctx);
        let (molecule, released) = writing(ctx, |store| {
            let id = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
            let known = store.molecule(id)?.ok_or_else(|| check::not_found("Molecule", id))?;
            confirmed_by(request.yes, &known.name)?;
            let version = request.version.unwrap_or(known.version);
            let released = molecules::delete(store, id, version, request.cascade, None, &time)?;
            Ok((known, released))
        })?;
        let text = match (released.orphaned, released.removed) {
            (0, 0) => format!("Deleted {}.\n", molecule.name),
            (orphaned, 0) => format!("Deleted {}; {orphaned} atoms are part of none now.\n", molecule.name),
            (_, removed) => format!("Deleted {} with {removed} atoms.\n", molecule.name),
        };
        let value = json!({
            "deleted": true,
            "id": molecule.id,
            "orphanedAtoms": released.orphaned,
            "removedAtoms": released.removed,
        });
        Sheet::new(value, text).map(Value::yes)
    }
}
