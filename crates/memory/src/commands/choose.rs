//! Finds what a name on the command line means: an id, the end of an id, or a full name.

use crate::check;
use crate::containers::find;
use crate::envelope::code;
use crate::fold::{fold, words};
use crate::id::Id;
use crate::model::{Container, Entity, EntityType, ParentType, Section, Template};
use crate::repository::project_here;
use crate::store::{ContainerFilter, ContainerOrder, Got, GraphSearch, Reading, TemplateFilter};
use lore_seam::{Ctx, ErrorKind, OpError};

/// How many last digits of an id are enough.
const FEWEST_DIGITS: usize = 6;
/// How many atoms or molecules are searched for an id by its last digits.
const MOST: u32 = 100_000;
/// How many matches of an ambiguous name the error lists.
const LISTED: usize = 10;

/// Whether a text can be the end of an id.
fn is_end(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
    digits >= FEWEST_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn ends_with(id: Id, end: &str) -> bool {
    let plain = |text: &str| text.replace('-', "").to_ascii_lowercase();
    plain(&id.to_string()).ends_with(&plain(end))
}

/// The candidates that a text means: those with this name, else those with this name in another case, else those whose id ends so.
fn matching<T>(text: &str, candidates: Vec<T>, key: impl Fn(&T) -> (Id, &str)) -> Vec<T> {
    let folded = fold(text);
    let (has_name, has_folded): (Vec<bool>, Vec<bool>) = candidates
        .iter()
        .map(|candidate| (key(candidate).1 == text, fold(key(candidate).1) == folded))
        .unzip();
    let has_end = candidates
        .iter()
        .map(|candidate| is_end(text) && ends_with(key(candidate).0, text))
        .collect();
    let matches = [has_name, has_folded, has_end];
    let Some(best) = matches.into_iter().find(|matches| matches.contains(&true)) else {
        return Vec::new();
    };
    let chosen = candidates.into_iter().zip(best);
    chosen
        .filter_map(|(candidate, is_match)| is_match.then_some(candidate))
        .collect()
}

/// The only match. The error of an ambiguous name lists the matches.
fn one<T>(text: &str, what: &str, mut found: Vec<T>, describe: impl Fn(&T) -> (Id, String)) -> Got<T> {
    match found.len() {
        0 => {
            let list = what.split(' ').next().unwrap_or(what);
            let shown = lore_model::truncate_chars(text, 60);
            Err(
                OpError::new(ErrorKind::NotFound, format!("there is no {what} `{shown}`"))
                    .code(code::NOT_FOUND)
                    .hint(format!("`lore memory {list} list` lists them")),
            )
        }
        1 => Ok(found.remove(0)),
        count => {
            let all = found.iter().take(LISTED).map(|candidate| {
                let (id, name) = describe(candidate);
                format!("{} {name}", id.short())
            });
            let all: Vec<String> = all.collect();
            Err(
                OpError::new(ErrorKind::Ambiguous, format!("`{text}` is ambiguous: {count} match"))
                    .code(code::CONFLICT)
                    .hint(format!("give the id of one of: {}", all.join("; "))),
            )
        }
    }
}

/// A project, feature or task of one of these kinds. Names in the project of the repository come before names elsewhere.
pub(super) fn choose(ctx: &Ctx, store: &dyn Reading, kinds: &[EntityType], text: &str) -> Got<Container> {
    let here = project_here(ctx, store)?;
    let mut found = containers(store, kinds, here, text)?;
    if found.is_empty() && here.is_some() {
        found = containers(store, kinds, None, text)?;
    }
    one_container(kinds, text, found)
}

pub(super) fn choose_task(store: &dyn Reading, project: Id, text: &str) -> Got<Id> {
    let kinds = [EntityType::Task];
    let found = containers(store, &kinds, Some(project), text)?;
    Ok(one_container(&kinds, text, found)?.entity().id)
}

fn containers(store: &dyn Reading, kinds: &[EntityType], project: Option<Id>, text: &str) -> Got<Vec<Container>> {
    let text = text.trim();
    if let Ok(id) = text.parse::<Id>() {
        let entities = kinds.iter().map(|kind| Entity { kind: *kind, id });
        return entities.filter_map(|entity| find(store, entity).transpose()).collect();
    }
    let named = |name: Option<&str>| -> Got<Vec<Container>> {
        let mut all = Vec::new();
        for kind in kinds {
            all.extend(store.containers(&ContainerFilter {
                name: name.map(str::to_owned),
                project: project.filter(|_| *kind != EntityType::Project),
                order: ContainerOrder::Oldest,
                ..ContainerFilter::all(*kind)
            })?);
        }
        Ok(all)
    };
    let exact = named(Some(text))?;
    if !exact.is_empty() {
        return Ok(exact);
    }
    Ok(matching(text, named(None)?, |container| {
        (container.entity().id, container.name())
    }))
}

fn one_container(kinds: &[EntityType], text: &str, found: Vec<Container>) -> Got<Container> {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    one(text.trim(), &names.join(" or "), found, |container| {
        let kind = container.entity().kind.name();
        (container.entity().id, format!("{kind} {}", container.name()))
    })
}

/// The project with this name or id, or the project of this repository for `.`.
pub fn named_project(ctx: &Ctx, store: &dyn Reading, named: &str) -> Got<Id> {
    match named {
        "." => own_project(ctx, store),
        named => Ok(choose(ctx, store, &[EntityType::Project], named)?.entity().id),
    }
}

/// The project of an option `--project`, by default the project of this repository.
pub(super) fn project_or_own(ctx: &Ctx, store: &dyn Reading, given: Option<&str>) -> Got<Id> {
    given.map_or_else(|| own_project(ctx, store), |named| named_project(ctx, store, named))
}

fn own_project(ctx: &Ctx, store: &dyn Reading) -> Got<Id> {
    project_here(ctx, store)?.ok_or_else(no_project)
}

pub(super) fn no_project() -> OpError {
    OpError::new(ErrorKind::NotFound, "this repository has no project")
        .code(code::NOT_FOUND)
        .hint("`lore memory project create NAME` creates one, `lore memory project link PROJECT` links an existing one")
}

/// The project filter of an option `--project`, by default the project of this repository; `*` means all projects.
pub(super) fn project_option(ctx: &Ctx, store: &dyn Reading, given: Option<&str>) -> Got<Option<Id>> {
    match given {
        Some("*") => Ok(None),
        Some(named) => named_project(ctx, store, named).map(Some),
        None => match project_here(ctx, store)? {
            Some(project) => Ok(Some(project)),
            // Outside of a repository there is no default project, so all are meant. A repository without a project must not
            // show the work of others.
            None if ctx.ports.code.head().is_none() => Ok(None),
            None => Err(
                check::refused(code::INVALID_OPERATION, "this repository has no project").hint(
                    "`lore memory project create NAME` creates one; --project NAME selects another, --project '*' all",
                ),
            ),
        },
    }
}

/// An atom or a molecule. An id needs no project.
pub(super) fn choose_knowledge(
    ctx: &Ctx,
    store: &dyn Reading,
    kind: ParentType,
    project: Option<&str>,
    text: &str,
) -> Got<Id> {
    let text = text.trim();
    if let Ok(id) = text.parse::<Id>() {
        return Ok(id);
    }
    let ids = store.search(&GraphSearch {
        kind,
        project: project_or_own(ctx, store, project)?,
        words: if is_end(text) { Vec::new() } else { words(text) },
        molecule: None,
        orphans_only: false,
        offset: 0,
        limit: MOST,
    })?;
    let (what, named): (_, Vec<(Id, String)>) = match kind {
        ParentType::Atom => {
            let atoms = store.atoms(&ids)?.into_iter();
            ("atom", atoms.map(|atom| (atom.id, atom.name)).collect())
        }
        ParentType::Molecule => {
            let molecules = store.molecules(&ids)?.into_iter();
            (
                "molecule",
                molecules.map(|molecule| (molecule.id, molecule.name)).collect(),
            )
        }
    };
    if text.is_empty() {
        return Err(check::invalid(what, format!("the name of the {what} is empty")));
    }
    let found = matching(text, named, |(id, name)| (*id, name));
    Ok(one(text, what, found, |(id, name)| (*id, name.clone()))?.0)
}

/// A section, also by its position.
pub(super) fn choose_section(sections: Vec<Section>, text: &str) -> Got<Section> {
    let text = text.trim();
    let found = match text.parse::<i64>() {
        Ok(ordinal) if sections.iter().any(|section| section.ordinal == ordinal) => sections
            .into_iter()
            .filter(|section| section.ordinal == ordinal)
            .collect(),
        _ => match text.parse::<Id>() {
            Ok(id) => sections.into_iter().filter(|section| section.id == id).collect(),
            Err(_) => matching(text, sections, |section| (section.id, &section.title)),
        },
    };
    one(text, "section", found, |section| (section.id, section.title.clone()))
}

pub(super) fn choose_template(store: &dyn Reading, text: &str) -> Got<Template> {
    let text = text.trim();
    let all = store.templates(&TemplateFilter::default())?;
    let found = match text.parse::<Id>() {
        Ok(id) => all.into_iter().filter(|template| template.id == id).collect(),
        Err(_) => matching(text, all, |template| (template.id, &template.name)),
    };
    one(text, "template", found, |template| (template.id, template.name.clone()))
}
