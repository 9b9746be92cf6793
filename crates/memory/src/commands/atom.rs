//! `lore memory atom …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::choose::{choose_knowledge, project_or_own};
use super::edit_form::{EditForm, edited};
use super::knowledge::{check_yes, edit_answer, knowledge_change, task_for, text_option};
use super::text_answer::{TextAnswer, start};
use super::{Answered, command};
use crate::check;
use crate::envelope::now;
use crate::graph::atoms::{self, AtomChange, Moment, NewAtom};
use crate::graph::input::{self, Mode};
use crate::graph::query::{self, Search};
use crate::graph::relations::Coming;
use crate::graph::repository_state::RepositoryState;
use crate::id::Id;
use crate::limits;
use crate::model::{Atom, ParentType};
use crate::store::{Got, Reading, reading, writing};
use lore_seam::{Ctx, Value};

/// Record knowledge about an area of the code
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom create 'Payment API' --path 'src/payments/**' --knowledge 'webhooks are idempotent'
  lore memory atom create Retry --path src/retry.ts --file notes.md --molecule Infrastructure")]
#[serde(default)]
pub struct AtomCreateRequest {
    /// The name
    pub name: String,
    /// A path pattern that the atom covers (repeatable)
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,
    /// The knowledge
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    pub knowledge: Option<String>,
    /// Read the knowledge from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The molecule of the atom, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub molecule: Option<String>,
    /// The task that the change is recorded for [default: the only active task, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// List the atoms of a project
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom list
  lore memory atom list --molecule 'Payment Domain'
  lore memory atom list --orphans")]
#[serde(default)]
pub struct AtomListRequest {
    /// Only atoms of this molecule, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub molecule: Option<String>,
    /// Only atoms without a molecule
    #[arg(long, conflicts_with = "molecule")]
    pub orphans: bool,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// Show an atom with its latest changelog entries
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom show 'Payment API'
  lore memory atom show 3f9a21c4         by the last digits of its id")]
#[serde(default)]
pub struct AtomShowRequest {
    /// Id, last digits of the id, or name
    pub atom: String,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// Change the name, patterns, knowledge or molecule of an atom; without options, in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom edit 'Payment API'                     in $VISUAL or $EDITOR
  lore memory atom edit 'Payment API' --append 'retries since 2.3'
  lore memory atom edit 'Payment API' --path 'src/pay/**' --path 'src/stripe-*.ts'
  lore memory atom edit 'Payment API' --file notes.md     replaces the knowledge
  lore memory atom edit 'Payment API' --no-molecule")]
#[serde(default)]
pub struct AtomEditRequest {
    /// Id, last digits of the id, or name
    pub atom: String,
    /// A new name
    #[arg(long)]
    pub name: Option<String>,
    /// A path pattern, which replaces the old ones (repeatable)
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,
    /// New knowledge, which replaces the old
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["file", "append"])]
    pub knowledge: Option<String>,
    /// Read the knowledge from a file; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "append")]
    pub file: Option<String>,
    /// Text to append to the knowledge
    #[arg(long, value_name = "TEXT")]
    pub append: Option<String>,
    /// The molecule of the atom, by id or name
    #[arg(long, value_name = "ID|NAME", conflicts_with = "no_molecule")]
    pub molecule: Option<String>,
    /// Remove the atom from its molecule
    #[arg(long)]
    pub no_molecule: bool,
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

/// Delete an atom with its changelog
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom delete 'Payment API' --yes")]
#[serde(default)]
pub struct AtomDeleteRequest {
    /// Id, last digits of the id, or name
    pub atom: String,
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

/// Confirm that the knowledge of atoms is correct at the current commit
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory atom confirm 'Payment API' Retry")]
#[serde(default)]
pub struct AtomConfirmRequest {
    /// Ids, last digits of ids, or names
    #[arg(required = true)]
    pub atoms: Vec<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

command!(AtomCreate(AtomCreateRequest) ["memory", "atom", "create"], Record Value create);
command!(AtomList(AtomListRequest) ["memory", "atom", "list"], Read Value list);
command!(AtomShow(AtomShowRequest) ["memory", "atom", "show"], Read Value show);
command!(AtomEdit(AtomEditRequest) ["memory", "atom", "edit"], Write Value edit);
command!(AtomDelete(AtomDeleteRequest) ["memory", "atom", "delete"], Write Value delete);
command!(AtomConfirm(AtomConfirmRequest) ["memory", "atom", "confirm"], Record Value confirm);

fn chosen(ctx: &Ctx, store: &dyn Reading, project: Option<&str>, text: &str) -> Got<Atom> {
    let id = choose_knowledge(ctx, store, ParentType::Atom, project, text)?;
    store.atom(id)?.ok_or_else(|| check::not_found("Atom", id))
}

fn molecule(ctx: &Ctx, store: &dyn Reading, project: Id, text: Option<&str>) -> Got<Option<Id>> {
    let project = project.to_string();
    text.map(|text| choose_knowledge(ctx, store, ParentType::Molecule, Some(&project), text))
        .transpose()
}

fn patterns(given: &[String]) -> Got<Vec<String>> {
    input::patterns("path", &given.iter().map(|path| json!(path)).collect::<Vec<Json>>())
}

fn create(ctx: &Ctx, request: &AtomCreateRequest) -> Answered {
    let name = check::name("name", &request.name)?;
    let paths = patterns(&request.paths)?;
    let text = text_option(ctx, request.knowledge.as_deref(), request.file.as_deref())?;
    let knowledge = input::knowledge(&text.unwrap_or_default())?;
    let (id, task, time, state) = (Id::fresh(ctx), Id::fresh(ctx), now(ctx), RepositoryState::here(ctx)?);
    let atom = writing(ctx, |store| {
        let project = project_or_own(ctx, store, request.project.as_deref())?;
        let new = NewAtom {
            id,
            project,
            molecule: molecule(ctx, store, project, request.molecule.as_deref())?,
            name: name.clone(),
            paths: paths.clone(),
            knowledge: knowledge.clone(),
            related: Vec::new(),
            task: task_for(ctx, store, project, request.task.as_deref(), task)?,
        };
        let moment = Moment {
            now: &time,
            state: state.as_ref(),
        };
        atoms::create(store, new, &Coming::default(), moment)
    })?;
    let remarks = remarks(state.as_ref(), &atom);
    Ok(Value::yes(TextAnswer::of(&atom).atom(&atom).remarks(&remarks)))
}

/// Patterns of an atom that match no file.
fn remarks(state: Option<&RepositoryState>, atom: &Atom) -> Vec<String> {
    state.map_or_else(Vec::new, |state| state.remarks(atom.project_id, &atom.paths))
}

fn list(ctx: &Ctx, request: &AtomListRequest) -> Answered {
    let atoms = reading(ctx, |store| {
        let project = project_or_own(ctx, store, request.project.as_deref())?;
        let mut search = Search {
            project,
            query: String::new(),
            molecule: molecule(ctx, store, project, request.molecule.as_deref())?,
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
    let answer = TextAnswer::of(json!({ "atoms": atoms })).each(atoms.iter().map(TextAnswer::atom_line));
    Ok(if atoms.is_empty() {
        Value::no(answer.line("No atoms."))
    } else {
        Value::yes(answer)
    })
}

fn show(ctx: &Ctx, request: &AtomShowRequest) -> Answered {
    let one = reading(ctx, |store| {
        let atom = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
        query::atom(store, atom.id, Some(limits::DEFAULT_CHANGELOG))
    })?;
    let mut answer = TextAnswer::of(&one).atom(&one.atom);
    if one.changelog.as_ref().is_some_and(|entries| !entries.is_empty()) {
        answer = answer.end();
    }
    Ok(Value::yes(answer.changelog(one.changelog.as_deref(), "")))
}

fn edit(ctx: &Ctx, request: &AtomEditRequest) -> Answered {
    let (text, file) = (request.knowledge.as_deref(), request.file.as_deref());
    let name = request.name.as_deref().map(|name| check::name("name", name));
    let paths = (!request.paths.is_empty()).then(|| patterns(&request.paths));
    let change = AtomChange {
        name: name.transpose()?,
        paths: paths.transpose()?,
        knowledge: knowledge_change(ctx, text, file, request.append.as_deref())?,
        molecule: request.no_molecule.then_some(None),
        ..AtomChange::default()
    };
    if change == AtomChange::default() && request.molecule.is_none() {
        return edit_as_text(ctx, request);
    }
    let atom = change_atom(ctx, request, request.version, change, request.molecule.as_deref())?;
    let remarks = remarks(RepositoryState::here(ctx)?.as_ref(), &atom);
    Ok(Value::yes(TextAnswer::of(&atom).atom(&atom).remarks(&remarks)))
}

/// Writes a change. `named` is the molecule that the atom becomes a part of.
fn change_atom(
    ctx: &Ctx,
    request: &AtomEditRequest,
    version: Option<i64>,
    mut change: AtomChange,
    named: Option<&str>,
) -> Got<Atom> {
    let (fresh, time, state) = (Id::fresh(ctx), now(ctx), RepositoryState::here(ctx)?);
    writing(ctx, |store| {
        let known = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
        if let Some(id) = molecule(ctx, store, known.project_id, named)? {
            change.molecule = Some(Some(id));
        }
        change.task = Some(task_for(ctx, store, known.project_id, request.task.as_deref(), fresh)?);
        let moment = Moment {
            now: &time,
            state: state.as_ref(),
        };
        let version = version.unwrap_or(known.version);
        atoms::update(store, known.id, version, &change, &Coming::default(), moment)
    })
}

/// Opens the atom in the editor.
fn edit_as_text(ctx: &Ctx, request: &AtomEditRequest) -> Answered {
    let (atom, molecule) = reading(ctx, |store| {
        let atom = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
        let molecule = match atom.molecule_id {
            Some(id) => store.molecule(id)?,
            None => None,
        };
        Ok((atom, molecule.map(|molecule| molecule.name).unwrap_or_default()))
    })?;
    let form = EditForm::new(&atom.knowledge)
        .field("name", &atom.name)
        .lines("paths", atom.paths.clone())
        .field("molecule", &molecule);
    let version = request.version.unwrap_or(atom.version);
    let written = edited(ctx, "atom.md", &form, |form| {
        let named = form.get("molecule");
        // Only a new molecule is looked up: the current one may share its name with others.
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
    let state = RepositoryState::here(ctx)?;
    Ok(edit_answer(written, atom, |answer, atom| {
        answer.atom(atom).remarks(&remarks(state.as_ref(), atom))
    }))
}

fn delete(ctx: &Ctx, request: &AtomDeleteRequest) -> Answered {
    let atom = writing(ctx, |store| {
        let known = chosen(ctx, store, request.project.as_deref(), &request.atom)?;
        check_yes(request.yes, &known.name)?;
        atoms::delete(store, known.id, request.version.unwrap_or(known.version))?;
        Ok(known)
    })?;
    let object = json!({ "deleted": true, "id": atom.id, "name": atom.name });
    let message = format!("Deleted {} ({}).", atom.name, atom.id);
    Ok(Value::yes(TextAnswer::of(object).line(message)))
}

fn confirm(ctx: &Ctx, request: &AtomConfirmRequest) -> Answered {
    let (time, state) = (now(ctx), RepositoryState::here(ctx)?);
    let atoms = writing(ctx, |store| {
        let mut confirmed = Vec::new();
        for given in &request.atoms {
            let id = choose_knowledge(ctx, store, ParentType::Atom, request.project.as_deref(), given)?;
            let moment = Moment {
                now: &time,
                state: state.as_ref(),
            };
            confirmed.push(atoms::confirm(store, id, moment)?);
        }
        Ok(confirmed)
    })?;
    let lines = atoms.iter().map(|atom| {
        let commit = atom.confirmed.as_ref().map_or("", |confirmed| &confirmed.commit);
        TextAnswer::default().line(format!("Confirmed {} at {}", atom.name, start(commit)))
    });
    Ok(Value::yes(TextAnswer::of(json!({ "confirmed": atoms })).each(lines)))
}
