//! `lore memory project …`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::named_project;
use super::container::{self, CreateArguments, ListArguments};
use super::{Answered, Listed, TextAnswer, command};
use crate::id::Id;
use crate::model::{EntityType, RepositoryKey};
use crate::repository;
use crate::store::{reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Create a project of memory
///
/// If this repository has no project, the new project becomes its project: commands in this repository then use it by default.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project create shop --summary 'The web shop'
  lore memory project create shop --tag web --tag python

Exit status: 0 created; 2 the project could not be created.")]
#[serde(default)]
pub struct ProjectCreateRequest {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A summary in one sentence [default: the name]
    #[arg(long, value_name = "TEXT")]
    pub summary: Option<String>,
    /// A longer description
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Read that text from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// A tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the projects of memory, most recently changed first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project list
  lore memory project list web shop

Exit status: 0 something is listed; 1 the list is empty.")]
#[serde(default)]
pub struct ProjectListRequest {
    /// Words that must all occur
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Only with this tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    pub limit: Option<i64>,
}

/// Show a project of memory with its features and the states of its tasks
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project show           the project of this repository
  lore memory project show shop
  lore memory project show 5f3a91c2  by the last digits of its id

Exit status: 0 shown; 1 there is none, or the name is ambiguous.")]
#[serde(default)]
pub struct ProjectShowRequest {
    /// Name, id or last digits of the id [default: the project of this repository]
    #[arg(value_name = "PROJECT")]
    pub project: Option<String>,
}

/// Edit a project of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project edit shop
  EDITOR='code --wait' lore memory project edit shop

Exit status: 0 written or unchanged; 1 a version conflict (your text is saved); 2 the editor failed.")]
#[serde(default)]
pub struct ProjectEditRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "PROJECT")]
    pub project: String,
}

/// Delete a project of memory
///
/// --cascade also deletes its features and tasks. Its atoms and molecules are always deleted, which needs --yes.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project delete shop
  lore memory project delete shop --cascade --yes

Exit status: 0 deleted; 1 the project has children or atoms, or does not exist; 2 the project could not be deleted.")]
#[serde(default)]
pub struct ProjectDeleteRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "PROJECT")]
    pub project: String,
    /// Also delete its features and tasks
    #[arg(long)]
    pub cascade: bool,
    /// Also delete its atoms and molecules
    #[arg(long)]
    pub yes: bool,
}

command!(ProjectCreate(ProjectCreateRequest) ["memory", "project", "create"], Record Value create);
command!(ProjectList(ProjectListRequest) ["memory", "project", "list"], Read Rows list);
command!(ProjectShow(ProjectShowRequest) ["memory", "project", "show"], Read Value show);
command!(ProjectEdit(ProjectEditRequest) ["memory", "project", "edit"], Write Value edit);
command!(ProjectDelete(ProjectDeleteRequest) ["memory", "project", "delete"], Write Value delete);

fn create(ctx: &Ctx, request: &ProjectCreateRequest) -> Answered {
    let arguments = CreateArguments {
        name: &request.name,
        summary: request.summary.as_deref(),
        description: request.description.as_deref(),
        file: request.file.as_deref(),
        tags: &request.tags,
        ..CreateArguments::default()
    };
    let created = container::created(ctx, EntityType::Project, &arguments)?;
    let answer = TextAnswer::container(&created.container);
    Ok(Value::yes(if created.linked {
        answer.line("It is the project of this repository.")
    } else {
        answer
    }))
}

fn list(ctx: &Ctx, request: &ProjectListRequest) -> Listed {
    let arguments = ListArguments {
        words: &request.words,
        tags: &request.tags,
        limit: request.limit,
        ..ListArguments::default()
    };
    container::list(ctx, EntityType::Project, &arguments)
}

fn show(ctx: &Ctx, request: &ProjectShowRequest) -> Answered {
    container::show(ctx, EntityType::Project, request.project.as_deref())
}

fn edit(ctx: &Ctx, request: &ProjectEditRequest) -> Answered {
    container::edit(ctx, EntityType::Project, &request.project)
}

fn delete(ctx: &Ctx, request: &ProjectDeleteRequest) -> Answered {
    container::delete(ctx, EntityType::Project, &request.project, request.cascade, request.yes)
}

/// Link this repository to a project, which commands here then use by default
///
/// Lore stores the directory and the URL of the remote, so that other clones of the repository have the same project.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project link shop
  lore memory project link 0199a3f0-5b1c-7d2e-8f00-0123456789ab")]
pub struct LinkRequest {
    /// The project: id or name
    #[arg(value_name = "PROJECT")]
    pub project: String,
}

/// Remove the links between a project and its repositories
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory project unlink shop
  lore memory project unlink .")]
pub struct UnlinkRequest {
    /// The project: id, name, or . for the project of this repository
    #[arg(value_name = "PROJECT")]
    pub project: String,
}

/// The repository of a project
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct LinkAnswer {
    /// The project
    pub id: Id,
    /// Its name
    pub name: String,
    /// The directory of the repository
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The URL of its remote, normalized
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The number of removed links
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlinked: Option<u64>,
}

impl Render for LinkAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.name);
        match self.unlinked {
            Some(0) => page.line(format_args!(": has no repository links")),
            Some(count) => page.line(format_args!(": removed {count} repository links")),
            None => {
                page.write(format_args!(" is the project of "));
                page.text(self.root.as_deref().unwrap_or_default());
                if let Some(origin) = &self.origin {
                    page.write(format_args!(" and of all clones of "));
                    page.text(origin);
                }
                page.line(format_args!(""));
            }
        }
    }
}

/// `lore memory project link`.
pub struct ProjectLink;

impl Operation for ProjectLink {
    const NAME: &'static str = "memory_project_link";
    const COMMAND: &'static [&'static str] = &["memory", "project", "link"];
    const ACCESS: Access = Access::Record;
    type Request = LinkRequest;
    type Answer = Value<LinkAnswer>;

    fn run(ctx: &Ctx, request: LinkRequest) -> Result<Value<LinkAnswer>, OpError> {
        let key = repository::key(ctx);
        if key == RepositoryKey::default() {
            return Err(OpError::new(ErrorKind::Invalid, "not in a repository"));
        }
        let answer = writing(ctx, |store| {
            let id = named_project(ctx, store, &request.project)?;
            store.link_repository(id, &key)?;
            let name = store.project(id)?.map(|project| project.name).unwrap_or_default();
            Ok(LinkAnswer {
                id,
                name,
                root: key.root.clone(),
                origin: key.origin.clone(),
                unlinked: None,
            })
        })
        .map_err(|error| match error.kind {
            ErrorKind::Refused => error.hint("`lore memory project unlink PROJECT` removes the link"),
            _ => error,
        })?;
        Ok(Value::yes(answer))
    }
}

/// `lore memory project unlink`.
pub struct ProjectUnlink;

impl Operation for ProjectUnlink {
    const NAME: &'static str = "memory_project_unlink";
    const COMMAND: &'static [&'static str] = &["memory", "project", "unlink"];
    const ACCESS: Access = Access::Write;
    type Request = UnlinkRequest;
    type Answer = Value<LinkAnswer>;

    fn run(ctx: &Ctx, request: UnlinkRequest) -> Result<Value<LinkAnswer>, OpError> {
        let (id, name) = reading(ctx, |store| {
            let id = named_project(ctx, store, &request.project)?;
            Ok((id, store.project(id)?.map(|project| project.name).unwrap_or_default()))
        })?;
        let unlinked = writing(ctx, |store| store.unlink_repositories(id))?;
        Ok(Value::yes(LinkAnswer {
            id,
            name,
            root: None,
            origin: None,
            unlinked: Some(unlinked),
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::project;
    use crate::repository::project_here;
    use crate::store::Memory;
    use crate::testing::{StoreInMemory, numbered};
    use lore_seam::Origin;
    use lore_seam::world::World;

    /// Where somebody stands: a directory, the remote, and the part of the repository that is asked.
    fn at(memory: &Arc<StoreInMemory>, place: &str, remote: Option<&str>, within: Option<&str>) -> Ctx {
        let world = World {
            place: Some(place.to_owned()),
            origin: Some(Origin {
                remote: remote.map(str::to_owned),
                within: within.map(str::to_owned),
                ..Origin::default()
            }),
            facets: crate::testing::facets(memory),
            ..crate::testing::world()
        };
        Arc::new(world).ctx()
    }

    fn here(ctx: &Ctx) -> Option<Id> {
        reading(ctx, |store| project_here(ctx, store)).expect("read")
    }

    #[test]
    fn l11_a_repository_has_a_project_by_its_directory_or_its_origin() {
        let memory = Arc::new(StoreInMemory::default());
        memory
            .write(&mut |unit| {
                unit.put_project(&project(1, "Shop"), None)?;
                unit.put_project(&project(2, "Other"), None)
            })
            .expect("written");
        let shop = at(&memory, "/src/shop", Some("git@github.com:acme/shop.git"), None);
        assert_eq!(here(&shop), None);
        let link = |ctx: &Ctx, project: &str| {
            let request = LinkRequest {
                project: project.to_owned(),
            };
            ProjectLink::run(ctx, request).map(|answer| answer.value.name)
        };
        assert_eq!(link(&shop, "Shop"), Ok("Shop".to_owned()));
        assert_eq!(here(&shop), Some(numbered(1)));
        // Another clone, by another address.
        let clone = at(
            &memory,
            "/tmp/clone",
            Some("https://user:secret@GitHub.com/acme/shop"),
            None,
        );
        assert_eq!(here(&clone), Some(numbered(1)));
        // A part of it means the whole.
        let part = at(&memory, "/src/shop/web", None, Some("web"));
        assert_eq!(here(&part), Some(numbered(1)));
        // A directory that has nothing to do with it.
        assert_eq!(
            here(&at(&memory, "/src/x", Some("git@github.com:acme/x.git"), None)),
            None
        );
        // Two projects for one origin cannot be.
        let error = link(&clone, "Other").expect_err("taken");
        assert_eq!(
            error.message,
            format!("the repository belongs to project {}", numbered(1))
        );
        let unlinked = ProjectUnlink::run(
            &shop,
            UnlinkRequest {
                project: ".".to_owned(),
            },
        );
        assert_eq!(unlinked.expect("unlinked").value.unlinked, Some(1));
        assert_eq!(link(&clone, "Other"), Ok("Other".to_owned()));
        assert_eq!(
            link(&clone, "Nobody").expect_err("unknown").message,
            "there is no project `Nobody`"
        );
    }

    #[test]
    fn l11_without_a_remote_the_directory_alone_counts() {
        let memory = Arc::new(StoreInMemory::default());
        memory
            .write(&mut |unit| unit.put_project(&project(1, "Shop"), None))
            .expect("written");
        let shop = at(&memory, "/src/shop", None, None);
        let request = LinkRequest {
            project: "Shop".to_owned(),
        };
        ProjectLink::run(&shop, request).expect("linked");
        assert_eq!(here(&shop), Some(numbered(1)));
        assert_eq!(here(&at(&memory, "/src/moved", None, None)), None);
    }
}
