//! What people mean: an identifier, the end of one, or a name in full.

use crate::check;
use crate::containers::by_name;
use crate::envelope::code;
use crate::id::Id;
use crate::model::{Container, EntityType, Section, Template};
use crate::repository::project_here;
use crate::store::{ContainerFilter, ContainerOrder, Got, Reading, TemplateFilter};
use lore_seam::{Ctx, ErrorKind, OpError};

/// Digits of the end of an identifier that are enough to be one.
const DIGITS: usize = 6;

/// Whether a text is the end of an identifier.
fn is_end(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
    digits >= DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn ends_with(id: Id, end: &str) -> bool {
    let plain = |text: &str| text.replace('-', "").to_ascii_lowercase();
    plain(&id.to_string()).ends_with(&plain(end))
}

/// What several things could be meant by is told with all of them.
fn one<T>(text: &str, what: &str, found: Vec<T>, told: impl Fn(&T) -> (Id, String)) -> Got<T> {
    let mut found = found;
    match found.len() {
        0 => Err(
            OpError::new(ErrorKind::NotFound, format!("there is no {what} `{text}`"))
                .code(crate::envelope::code::NOT_FOUND)
                .hint(format!(
                    "`lore memory {} list` shows what there is",
                    what.split(' ').next().unwrap_or(what)
                )),
        ),
        1 => Ok(found.remove(0)),
        _ => {
            let all = found.iter().map(|it| {
                let (id, name) = told(it);
                format!("{} {name}", id.short())
            });
            let all: Vec<String> = all.take(10).collect();
            Err(OpError::new(ErrorKind::Refused, format!("`{text}` may be several"))
                .code(crate::envelope::code::CONFLICT)
                .hint(format!("one of: {}", all.join("; "))))
        }
    }
}

/// The container of one of some kinds that is meant. A name is looked for in the project that is meant, if there is one.
pub fn choose(ctx: &Ctx, store: &dyn Reading, kinds: &[EntityType], text: &str) -> Got<Container> {
    let text = text.trim();
    let mut found = Vec::new();
    if let Ok(id) = text.parse::<Id>() {
        for kind in kinds {
            found.extend(match kind {
                EntityType::Project => store.project(id)?.map(Container::Project),
                EntityType::Feature => store.feature(id)?.map(Container::Feature),
                EntityType::Task => store.task(id)?.map(Container::Task),
            });
        }
    } else {
        let here = project_here(ctx, store)?;
        for kind in kinds {
            let of_project = by_name(store, *kind, here, text)?;
            found.extend(if of_project.is_empty() && here.is_some() {
                by_name(store, *kind, None, text)?
            } else {
                of_project
            });
        }
        if found.is_empty() && is_end(text) {
            for kind in kinds {
                let all = store.containers(&ContainerFilter {
                    order: ContainerOrder::Oldest,
                    ..ContainerFilter::all(*kind)
                })?;
                found.extend(
                    all.into_iter()
                        .filter(|container| ends_with(container.entity().id, text)),
                );
            }
        }
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    one(text, &names.join(" or "), found, |container| {
        let kind = container.entity().kind.name();
        (container.entity().id, format!("{kind} {}", container.name()))
    })
}

/// The section of something that is meant: by the end of its identifier, its title or its place.
pub(super) fn choose_section(sections: Vec<Section>, text: &str) -> Got<Section> {
    let text = text.trim();
    let is_meant = |section: &Section| {
        section.title == text
            || text.parse::<Id>() == Ok(section.id)
            || text.parse::<i64>() == Ok(section.ordinal)
            || is_end(text) && ends_with(section.id, text)
    };
    let found: Vec<Section> = sections.into_iter().filter(is_meant).collect();
    one(text, "section", found, |section| (section.id, section.title.clone()))
}

/// The template that is meant: by the end of its identifier or its name.
pub(super) fn choose_template(store: &dyn Reading, text: &str) -> Got<Template> {
    let text = text.trim();
    let is_meant = |template: &Template| {
        template.name == text || text.parse::<Id>() == Ok(template.id) || is_end(text) && ends_with(template.id, text)
    };
    let mut found = store.templates(&TemplateFilter::default())?;
    found.retain(is_meant);
    one(text, "template", found, |template| (template.id, template.name.clone()))
}

/// The project of `--project`: the one that is named, else that of the repository; `*` stands for all.
pub fn project_option(ctx: &Ctx, store: &dyn Reading, given: Option<&str>) -> Got<Option<Id>> {
    match given {
        Some("*") => Ok(None),
        Some(text) => Ok(Some(choose(ctx, store, &[EntityType::Project], text)?.entity().id)),
        None => match project_here(ctx, store)? {
            Some(project) => Ok(Some(project)),
            // Outside of repositories all projects are meant; inside of one that has none, nobody meant those of others.
            None if ctx.ports.code.head().is_none() => Ok(None),
            None => Err(
                check::refused(code::INVALID_OPERATION, "this repository has no project".to_owned()).hint(
                    "`lore memory project create NAME` makes one; --project names another, and --project '*' is all",
                ),
            ),
        },
    }
}

/// A text that is given on the command line, or stands in a file; `-` is standard input.
pub(super) fn text_option(ctx: &Ctx, text: Option<&str>, file: Option<&str>) -> Result<Option<String>, OpError> {
    match (text, file) {
        (Some(_), Some(_)) => Err(check::invalid("file", "a text is given or stands in a file, not both")),
        (Some(text), None) => Ok(Some(text.to_owned())),
        (None, Some(path)) => {
            let bytes = ctx.ports.files.read(path, crate::limits::CONTENT_BYTES as u64)?;
            let text = String::from_utf8(bytes);
            text.map(Some)
                .map_err(|_| OpError::new(ErrorKind::Invalid, format!("{path} is not UTF-8")))
        }
        (None, None) => Ok(None),
    }
}
