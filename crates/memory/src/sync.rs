//! `sync` and `lore memory sync`: makes the store ready, or sets everything in it aside and begins anew (T39, Amend6). Nothing is ever destroyed by it.

use crate::store::Memory;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::envelope::{ToolAnswer, code, envelope, now};
use super::id::Id;
use super::model::{Container, EntityType, Pipelines};
use super::store::{ContainerFilter, ContainerOrder, Got, reading};
use super::{check, pipeline, repository};
use crate::commands::named_project;
use lore_seam::{Access, Ctx, Envelope, OpError, Operation, Page, Render, Value};

/// Make the store of memory ready; a store that holds something is left as it is.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct SyncToolRequest {
    /// Begin anew; only a person may, on the command line
    #[arg(long)]
    #[serde(default, rename = "override")]
    #[schemars(extend("x-agents" = "omit"))]
    pub anew: Option<bool>,
}

/// The tool `sync`.
pub struct Sync;

impl Operation for Sync {
    const NAME: &'static str = "sync";
    const COMMAND: &'static [&'static str] = &[];
    const ACCESS: Access = Access::Record;
    const ENVELOPE: Option<Envelope> = Some(envelope);
    type Request = SyncToolRequest;
    type Answer = Value<ToolAnswer>;

    fn run(ctx: &Ctx, request: SyncToolRequest) -> Result<Value<ToolAnswer>, OpError> {
        if request.anew == Some(true) {
            let message = "agents cannot empty the store";
            return Err(check::refused(code::INVALID_OPERATION, message)
                .hint("run `lore memory sync --override` on the command line"));
        }
        let ready = make_ready(ctx)?;
        ToolAnswer::answer("Synced successfully. The store is ready.", ready)
    }
}

/// Create the store, or with --override move the store into a backup and start an empty one
///
/// The backup is a file next to the store and is a store itself: `lore --db FILE memory status` reads it. Without --override Lore does not change a store
/// that is in use.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory sync
  lore memory sync --override
  lore memory sync --override --project-too billing --project-too website")]
pub struct SyncRequest {
    /// Move the store into a backup and start an empty one
    #[arg(long = "override")]
    #[serde(default, rename = "override")]
    pub anew: bool,
    /// A project of another repository that is backed up too: id or name (repeatable)
    #[arg(long, value_name = "PROJECT")]
    #[serde(default)]
    pub project_too: Vec<String>,
}

/// The store and its backup
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct SyncAnswer {
    /// The directory of the store
    pub home_path: String,
    /// The configuration file of the user
    pub config_path: Option<String>,
    /// The store
    pub db_path: String,
    /// Always false: Lore writes no configuration
    pub config_created: bool,
    /// The states of features and tasks
    pub pipelines: Option<Pipelines>,
    /// The backup
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_path: Option<String>,
}

impl Render for SyncAnswer {
    fn render(&self, page: &mut Page) {
        page.text(&self.db_path);
        page.line(format_args!(" is ready"));
        if let Some(backup) = &self.backup_path {
            page.write(format_args!("the old store is in "));
            page.text(backup);
            page.line(format_args!(""));
        }
    }
}

/// `lore memory sync`.
pub struct MemorySync;

impl Operation for MemorySync {
    const NAME: &'static str = "memory_sync";
    const COMMAND: &'static [&'static str] = &["memory", "sync"];
    const ACCESS: Access = Access::Write;
    type Request = SyncRequest;
    type Answer = Value<SyncAnswer>;

    fn run(ctx: &Ctx, request: SyncRequest) -> Result<Value<SyncAnswer>, OpError> {
        if request.anew {
            begin_anew(ctx, &request.project_too).map(Value::yes)
        } else {
            make_ready(ctx).map(Value::yes)
        }
    }
}

fn answer(ctx: &Ctx, backup_path: Option<String>) -> Got<SyncAnswer> {
    let place = ctx.port::<dyn Memory>().place()?;
    let pipelines = reading(ctx, |store| pipeline::effective(ctx, store))?;
    let home = place.path.rsplit_once('/').map_or(".", |(home, _)| home);
    Ok(SyncAnswer {
        home_path: home.to_owned(),
        config_path: ctx.ports.settings.value("config.path"),
        db_path: place.path.clone(),
        config_created: false,
        pipelines: Some(pipelines),
        backup_path,
    })
}

/// Makes the store ready unless it holds something.
fn make_ready(ctx: &Ctx) -> Got<SyncAnswer> {
    let counts = reading(ctx, |store| store.counts())?;
    if counts.projects + counts.features + counts.tasks + counts.templates > 0 {
        let message = format!(
            "the store is in use: {} projects, {} features and {} tasks",
            counts.projects, counts.features, counts.tasks
        );
        return Err(check::refused(code::INVALID_OPERATION, message)
            .hint("the store is ready; `lore memory sync --override` moves it into a backup and starts an empty one"));
    }
    ctx.port::<dyn Memory>().write(&mut |_| Ok(()))?;
    answer(ctx, None)
}

/// Sets everything aside. The projects of other repositories have to be named, each.
fn begin_anew(ctx: &Ctx, too: &[String]) -> Got<SyncAnswer> {
    let unnamed = reading(ctx, |store| {
        let mut named: Vec<Id> = repository::project_here(ctx, store)?.into_iter().collect();
        for project in too {
            named.push(named_project(ctx, store, project)?);
        }
        let filter = ContainerFilter {
            order: ContainerOrder::Oldest,
            ..ContainerFilter::all(EntityType::Project)
        };
        let all = store.containers(&filter)?;
        let others = all.into_iter().filter(|it| !named.contains(&it.entity().id));
        Ok(others.collect::<Vec<Container>>())
    })?;
    if !unnamed.is_empty() {
        let names: Vec<String> = unnamed
            .iter()
            .map(|it| format!("{} ({})", it.name(), it.entity().id))
            .collect();
        let ids: Vec<Id> = unnamed.iter().map(|it| it.entity().id).collect();
        let message = format!("the store also has other projects: {}", names.join(", "));
        return Err(check::refused(code::INVALID_OPERATION, message)
            .data(json!({ "projects": ids }))
            .hint("to back up these projects too, name each with --project-too"));
    }
    let backup = ctx.port::<dyn Memory>().set_aside(&stamp(&now(ctx)))?;
    answer(ctx, Some(backup))
}

/// A time as the name of a file bears it: `20261116-080000`.
fn stamp(time: &str) -> String {
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).collect::<String>();
    let (day, hour) = time.split_once('T').unwrap_or((time, ""));
    let hour = hour.split('.').next().unwrap_or_default();
    format!("{}-{}", digits(day), digits(hour))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::project;
    use crate::envelope::code_of;
    use crate::model::RepositoryKey;
    use crate::store::Memory;
    use crate::testing::numbered;
    use lore_seam::world::World;

    fn world() -> Arc<World> {
        Arc::new(World {
            place: Some("/src/shop".to_owned()),
            now_ms: 1_794_816_000_007,
            ..crate::testing::world()
        })
    }

    fn tool(ctx: &Ctx, arguments: serde_json::Value) -> serde_json::Value {
        let entry = lore_seam::entry::<Sync>(lore_seam::Toolset::Memory);
        match entry.run_json(ctx, arguments) {
            Ok(lore_seam::Answer::Value(value, _)) => envelope(ctx, Ok(value.to_json()), usize::MAX),
            Ok(_) => serde_json::Value::Null,
            Err(error) => envelope(ctx, Err(&error), usize::MAX),
        }
    }

    #[test]
    fn t39_sync_makes_an_empty_store_ready_and_leaves_another_one_alone() {
        let world = world();
        let ctx = world.ctx();
        let told = tool(&ctx, json!({}));
        assert_eq!(told["message"], "Synced successfully. The store is ready.");
        assert_eq!(
            told["data"],
            json!({
                "homePath": ".",
                "configPath": null,
                "dbPath": "shelf",
                "configCreated": false,
                "pipelines": {"feature": ["NEW", "ACTIVE", "CLOSED"], "task": ["NEW", "ACTIVE", "CLOSED"]},
            })
        );
        world
            .facets
            .get::<dyn Memory>()
            .write(&mut |unit| unit.put_project(&project(1, "Shop"), None))
            .expect("written");
        let told = tool(&ctx, json!({"override": false}));
        assert_eq!(told["error"], "INVALID_OPERATION");
        assert_eq!(
            told["message"],
            "the store is in use: 1 projects, 0 features and 0 tasks"
        );
    }

    #[test]
    fn amend6_an_agent_does_not_empty_the_store() {
        let ctx = world().ctx();
        let told = tool(&ctx, json!({"override": true}));
        assert_eq!(told["error"], "INVALID_OPERATION");
        assert_eq!(
            told["hints"],
            json!(["run `memory sync --override` on the command line"])
        );
    }

    #[test]
    fn amend6_other_projects_are_set_aside_only_if_each_is_named() {
        let world = world();
        let ctx = world.ctx();
        world
            .facets
            .get::<dyn Memory>()
            .write(&mut |unit| {
                for (number, name) in [(1, "Shop"), (2, "Billing"), (3, "Website")] {
                    unit.put_project(&project(number, name), None)?;
                }
                let here = RepositoryKey {
                    root: Some("/src/shop".to_owned()),
                    origin: None,
                };
                unit.link_repository(numbered(1), &here)
            })
            .expect("written");
        let anew = |too: &[&str]| {
            MemorySync::run(
                &ctx,
                SyncRequest {
                    anew: true,
                    project_too: too.iter().map(|name| (*name).to_owned()).collect(),
                },
            )
        };
        let error = anew(&["Billing"]).expect_err("one is not named");
        assert_eq!(code_of(&error), "INVALID_OPERATION");
        assert_eq!(
            error.message,
            format!("the store also has other projects: Website ({})", numbered(3))
        );
        assert_eq!(
            anew(&["Billing", "Nobody"]).expect_err("unknown").message,
            "there is no project `Nobody`"
        );
        let answer = anew(&["Billing", &numbered(3).to_string()]).expect("all are named");
        assert_eq!(answer.value.backup_path.as_deref(), Some("memory-20261116-080000.db"));
        let counts = reading(&ctx, |store| store.counts()).expect("read");
        assert_eq!(counts, crate::store::Counts::default());
    }
}
