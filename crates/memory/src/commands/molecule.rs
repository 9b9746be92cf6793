//! `lore memory molecule …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::{choose_knowledge, project_or_own};
use super::edit_form::{EditForm, edited};
use super::knowledge::{check_yes, edit_answer, knowledge_change, task_for, text_option};
use super::{Answered, TextAnswer, command};
use crate::check;
use crate::envelope::now;
use crate::graph::input::{self, Mode};
use crate::graph::molecules::{self, MoleculeChange, NewMolecule};
use crate::graph::query::{self, Search};
use crate::graph::relations::Coming;
use crate::id::Id;
use crate::limits;
use crate::model::{Molecule, ParentType};
use crate::store::{Got, Reading, reading, writing};
use lore_seam::{Ctx, Value};

/// Record knowledge that several atoms share
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule create 'Payment Domain' --knowledge 'event sourcing; webhooks are idempotent'")]
#[serde(default)]
pub struct MoleculeCreateRequest {
    /// The name
    pub name: String,
    /// The knowledge
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub knowledge: Option<String>,
    /// Read the knowledge from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The task that the change is recorded for [default: the only active task, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// List the molecules of a project
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule list")]
#[serde(default)]
pub struct MoleculeListRequest {
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// Show a molecule with its atoms and its latest changelog entries
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule show 'Payment Domain'")]
#[serde(default)]
pub struct MoleculeShowRequest {
    /// Id, last digits of the id, or name
    pub molecule: String,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// Change the name or the knowledge of a molecule; without options, in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule edit 'Payment Domain'              in $VISUAL or $EDITOR
  lore memory molecule edit 'Payment Domain' --append 'EUR only since 2.3'")]
#[serde(default)]
pub struct MoleculeEditRequest {
    /// Id, last digits of the id, or name
    pub molecule: String,
    /// A new name
    #[arg(long)]
    pub name: Option<String>,
    /// New knowledge, which replaces the old
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "append"])]
    pub knowledge: Option<String>,
    /// Read the knowledge from a file; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "append")]
    pub file: Option<String>,
    /// Text to append to the knowledge
    #[arg(long, value_name = "TEXT")]
    pub append: Option<String>,
    /// Write only if the version is still N
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
    /// The task that the change is recorded for [default: the only active task, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// Delete a molecule; its atoms stay unless --cascade is given
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory molecule delete 'Payment Domain' --yes
  lore memory molecule delete 'Payment Domain' --cascade --yes    also deletes its atoms")]
#[serde(default)]
pub struct MoleculeDeleteRequest {
    /// Id, last digits of the id, or name
    pub molecule: String,
    /// Also delete its atoms and their changelogs
    #[arg(long)]
    pub cascade: bool,
    /// Confirm that the knowledge is deleted
    #[arg(long)]
    pub yes: bool,
    /// Write only if the version is still N
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

command!(MoleculeCreate(MoleculeCreateRequest) ["memory", "molecule", "create"], Record Value create);
command!(MoleculeList(MoleculeListRequest) ["memory", "molecule", "list"], Read Value list);
command!(MoleculeShow(MoleculeShowRequest) ["memory", "molecule", "show"], Read Value show);
command!(MoleculeEdit(MoleculeEditRequest) ["memory", "molecule", "edit"], Write Value edit);
command!(MoleculeDelete(MoleculeDeleteRequest) ["memory", "molecule", "delete"], Write Value delete);

fn chosen(ctx: &Ctx, store: &dyn Reading, project: Option<&str>, text: &str) -> Got<Molecule> {
    let id = choose_knowledge(ctx, store, ParentType::Molecule, project, text)?;
    store.molecule(id)?.ok_or_else(|| check::not_found("Molecule", id))
}

fn create(ctx: &Ctx, request: &MoleculeCreateRequest) -> Answered {
    let name = check::name("name", &request.name)?;
    let text = text_option(ctx, request.knowledge.as_deref(), request.file.as_deref())?;
    let knowledge = input::knowledge(&text.unwrap_or_default())?;
    let (id, task, time) = (Id::fresh(ctx), Id::fresh(ctx), now(ctx));
    let molecule = writing(ctx, |store| {
        let project = project_or_own(ctx, store, request.project.as_deref())?;
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
    Ok(Value::yes(TextAnswer::of(&molecule).molecule(&molecule)))
}

fn list(ctx: &Ctx, request: &MoleculeListRequest) -> Answered {
    let found = reading(ctx, |store| {
        let search = Search {
            project: project_or_own(ctx, store, request.project.as_deref())?,
            query: String::new(),
            molecule: None,
            orphans_only: false,
            limit: 10_000,
            offset: 0,
            changelog: None,
        };
        query::molecules(store, &search)
    })?;
    let molecules: Vec<Molecule> = found.items.into_iter().map(|item| item.value).collect();
    let lines = molecules
        .iter()
        .map(|molecule| TextAnswer::default().line(format!("{}  {}", molecule.id.short(), molecule.name)));
    let answer = TextAnswer::of(json!({ "molecules": molecules })).each(lines);
    Ok(if molecules.is_empty() {
        Value::no(answer.line("No molecules."))
    } else {
        Value::yes(answer)
    })
}

fn show(ctx: &Ctx, request: &MoleculeShowRequest) -> Answered {
    let one = reading(ctx, |store| {
        let molecule = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
        query::molecule(store, molecule.id, Some(limits::DEFAULT_CHANGELOG))
    })?;
    let mut answer = TextAnswer::of(&one).molecule(&one.molecule);
    if !one.atoms.is_empty() {
        answer = answer.end();
    }
    let atoms = one.atoms.iter().map(|atom| TextAnswer::atom_line(&atom.value));
    Ok(Value::yes(answer.each(atoms).changelog(one.changelog.as_deref(), "")))
}

fn edit(ctx: &Ctx, request: &MoleculeEditRequest) -> Answered {
    let (text, file) = (request.knowledge.as_deref(), request.file.as_deref());
    let name = request.name.as_deref().map(|name| check::name("name", name));
    let change = MoleculeChange {
        name: name.transpose()?,
        knowledge: knowledge_change(ctx, text, file, request.append.as_deref())?,
        ..MoleculeChange::default()
    };
    if change == MoleculeChange::default() {
        return edit_as_text(ctx, request);
    }
    let molecule = change_molecule(ctx, request, request.version, change)?;
    Ok(Value::yes(TextAnswer::of(&molecule).molecule(&molecule)))
}

fn change_molecule(
    ctx: &Ctx,
    request: &MoleculeEditRequest,
    version: Option<i64>,
    mut change: MoleculeChange,
) -> Got<Molecule> {
    let (fresh, time) = (Id::fresh(ctx), now(ctx));
    writing(ctx, |store| {
        let known = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
        change.task = Some(task_for(ctx, store, known.project_id, request.task.as_deref(), fresh)?);
        let version = version.unwrap_or(known.version);
        molecules::update(store, known.id, version, &change, &Coming::default(), &time)
    })
}

/// Opens the molecule in the editor.
fn edit_as_text(ctx: &Ctx, request: &MoleculeEditRequest) -> Answered {
    let molecule = reading(ctx, |store| {
        chosen(ctx, store, request.project.as_deref(), &request.molecule)
    })?;
    let form = EditForm::new(&molecule.knowledge).field("name", &molecule.name);
    let version = request.version.unwrap_or(molecule.version);
    let written = edited(ctx, "molecule.md", &form, |form| {
        let change = MoleculeChange {
            name: Some(check::name("name", &form.get("name"))?),
            knowledge: Some((Mode::Overwrite, input::knowledge(&form.text)?)),
            ..MoleculeChange::default()
        };
        change_molecule(ctx, request, Some(version), change)
    })?;
    Ok(edit_answer(written, molecule, TextAnswer::molecule))
}

fn delete(ctx: &Ctx, request: &MoleculeDeleteRequest) -> Answered {
    let time = now(ctx);
    let (molecule, released) = writing(ctx, |store| {
        let known = chosen(ctx, store, request.project.as_deref(), &request.molecule)?;
        check_yes(request.yes, &known.name)?;
        let version = request.version.unwrap_or(known.version);
        let released = molecules::delete(store, known.id, version, request.cascade, None, &time)?;
        Ok((known, released))
    })?;
    let object = json!({
        "deleted": true,
        "id": molecule.id,
        "orphanedAtoms": released.orphaned,
        "removedAtoms": released.removed,
    });
    Ok(Value::yes(TextAnswer::of(object).line(
        match (released.orphaned, released.removed) {
            (0, 0) => format!("Deleted {}.", molecule.name),
            (orphaned, 0) => format!("Deleted {}; {orphaned} atoms have no molecule now.", molecule.name),
            (_, removed) => format!("Deleted {} with {removed} atoms.", molecule.name),
        },
    )))
}
