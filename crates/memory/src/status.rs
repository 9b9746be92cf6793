//! `lore memory status`: where memory is kept, how much there is, and what holds for this repository.

use crate::store::Memory;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::id::Id;
use super::limits;
use super::model::{Container, EntityType, Pipelines, Status};
use super::store::{ContainerFilter, ContainerOrder, Got, Reading, reading};
use super::{pipeline, repository};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Projects that are named.
const NAMED: u32 = 50;

/// Show the store of memory, its counts, and the project of this repository
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory status
  lore memory status --limits
  lore --db /tmp/try.db memory status")]
pub struct StatusRequest {
    /// Also show the size limits of each field
    #[arg(long)]
    #[serde(default)]
    pub limits: bool,
}

/// The state of memory
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct StatusAnswer {
    /// The file
    pub path: String,
    /// Whether the file exists
    pub exists: bool,
    /// The schema version
    pub schema: u32,
    /// Size in bytes
    pub bytes: u64,
    /// Counts by kind
    pub counts: Vec<Figure>,
    /// The states of features and tasks
    pub pipelines: Option<Pipelines>,
    /// Whether the states are fixed because the store is in use
    pub fixed: bool,
    /// The project of this repository
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectName>,
    /// The projects, most recently changed first
    pub projects: Vec<ProjectName>,
    /// Size limits of fields
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Figure>,
    /// Remarks
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A number with its name
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The name
    pub name: String,
    /// The number
    pub value: u64,
}

/// A project by name
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ProjectName {
    /// Its identifier
    pub id: Id,
    /// Its name
    pub name: String,
}

impl Render for StatusAnswer {
    fn render(&self, page: &mut Page) {
        page.text(&self.path);
        if self.exists {
            page.line(format_args!("  {} bytes, schema {}", self.bytes, self.schema))
        } else {
            page.line(format_args!("  the store is empty"))
        }
        let counts = self.counts.iter().filter(|figure| figure.value > 0);
        let counts: Vec<String> = counts
            .map(|figure| format!("{} {}", figure.value, figure.name))
            .collect();
        if !counts.is_empty() {
            page.line(format_args!("  {}", counts.join(", ")));
        }
        if let Some(pipelines) = &self.pipelines {
            let states = |states: &[Status]| states.iter().map(Status::word).collect::<Vec<_>>().join(" → ");
            let fixed = if self.fixed { "" } else { " (not fixed yet)" };
            page.write(format_args!("  features "));
            page.text(&states(&pipelines.feature));
            page.write(format_args!("; tasks "));
            page.text(&states(&pipelines.task));
            page.line(format_args!("{fixed}"));
        }
        match &self.project {
            Some(project) => {
                page.write(format_args!("this repository: "));
                page.strong(&project.name);
                page.line(format_args!("  {}", project.id));
            }
            None => page.line(format_args!("this repository has no project")),
        }
        for project in self.projects.iter().filter(|it| Some(*it) != self.project.as_ref()) {
            page.write(format_args!("  "));
            page.text(&project.name);
            page.line(format_args!("  {}", project.id));
        }
        for limit in &self.limits {
            page.line(format_args!("  {}: {}", limit.name, limit.value));
        }
        for remark in &self.remarks {
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}

/// `lore memory status`.
pub struct MemoryStatus;

impl Operation for MemoryStatus {
    const NAME: &'static str = "memory_status";
    const COMMAND: &'static [&'static str] = &["memory", "status"];
    const ACCESS: Access = Access::Read;
    type Request = StatusRequest;
    type Answer = Value<StatusAnswer>;

    fn run(ctx: &Ctx, request: StatusRequest) -> Result<Value<StatusAnswer>, OpError> {
        let place = ctx.port::<dyn Memory>().place()?;
        let configured = pipeline::configured(ctx);
        let chosen = configured.clone().unwrap_or_default();
        let answer = reading(ctx, |store| {
            let here = repository::project_here(ctx, store)?;
            let fixed = store.pipelines()?;
            let mut remarks: Vec<String> = configured
                .as_ref()
                .err()
                .map(|error| error.message.clone())
                .into_iter()
                .collect();
            if fixed.as_ref().is_some_and(|fixed| *fixed != chosen) {
                remarks.push(
                    "the pipelines of your configuration differ from the pipelines of the store and are ignored; `lore memory sync --override` starts an empty store"
                        .to_owned(),
                );
            }
            let strange = strange_states(store, fixed.as_ref().unwrap_or(&chosen))?;
            if !strange.is_empty() {
                remarks.push(format!(
                    "work in unknown states can only be terminated: {}",
                    strange.join(", ")
                ));
            }
            Ok(StatusAnswer {
                path: place.path.clone(),
                exists: place.exists,
                schema: place.schema,
                bytes: place.bytes,
                counts: counts(store)?,
                fixed: fixed.is_some(),
                pipelines: Some(fixed.unwrap_or_else(|| chosen.clone())),
                project: match here {
                    Some(id) => store.project(id)?.map(|project| ProjectName { id, name: project.name }),
                    None => None,
                },
                projects: projects(store)?,
                limits: if request.limits { all_limits() } else { Vec::new() },
                remarks,
            })
        })?;
        Ok(Value::yes(answer))
    }
}

fn counts(store: &dyn Reading) -> Got<Vec<Figure>> {
    let counts = store.counts()?;
    let figures = [
        ("projects", counts.projects),
        ("features", counts.features),
        ("tasks", counts.tasks),
        ("sections", counts.sections),
        ("templates", counts.templates),
        ("molecules", counts.molecules),
        ("atoms", counts.atoms),
        ("changelog entries", counts.changelog),
    ];
    Ok(figures.map(|(name, value)| figure(name, value)).to_vec())
}

fn figure(name: &str, value: u64) -> Figure {
    Figure {
        name: name.to_owned(),
        value,
    }
}

fn projects(store: &dyn Reading) -> Got<Vec<ProjectName>> {
    let filter = ContainerFilter {
        order: ContainerOrder::Modified,
        limit: Some(NAMED),
        ..ContainerFilter::all(EntityType::Project)
    };
    let found = store.containers(&filter)?;
    let name = |it: &Container| ProjectName {
        id: it.entity().id,
        name: it.name().to_owned(),
    };
    Ok(found.iter().map(name).collect())
}

/// The states of work that its pipeline does not have, and that are not its exit.
fn strange_states(store: &dyn Reading, pipelines: &Pipelines) -> Got<Vec<String>> {
    let mut found = Vec::new();
    for (kind, states) in [
        (EntityType::Feature, &pipelines.feature),
        (EntityType::Task, &pipelines.task),
    ] {
        let mut filter = ContainerFilter::all(kind);
        filter.status.excluded.clone_from(states);
        filter.status.excluded.push(Status::WillNotImplement);
        for container in store.containers(&filter)? {
            let word = container.status().map(|status| format!("{} {status}", kind.name()));
            found.extend(word);
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn all_limits() -> Vec<Figure> {
    [
        ("characters of a name or title", limits::NAME_CHARS),
        ("bytes of a summary", limits::SUMMARY_BYTES),
        ("bytes of a description", limits::DESCRIPTION_BYTES),
        ("bytes of knowledge", limits::KNOWLEDGE_BYTES),
        ("bytes of a section", limits::CONTENT_BYTES),
        ("sections of a project, feature or task", limits::SECTIONS),
        ("characters of a tag", limits::TAG_CHARS),
        ("tags of a project, feature or task", limits::TAGS),
        ("patterns of an atom", limits::PATTERNS),
        ("characters of a pattern", limits::PATTERN_CHARS),
        ("related atoms or molecules", limits::RELATED),
        ("characters of a reason", limits::REASON_CHARS),
        ("blockers of a task or feature", limits::BLOCKERS),
        ("characters of a query", limits::QUERY_CHARS),
        ("words of a query", limits::QUERY_WORDS),
        ("paths of a context query", limits::CONTEXT_PATHS),
        ("characters of a path", limits::PATH_CHARS),
        ("items of a graph commit", limits::COMMIT_ITEMS),
    ]
    .map(|(name, value)| figure(name, value as u64))
    .to_vec()
}
