//! `lore memory context`, `search`, `changelog` and `commit`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::sheet::{self, line};
use super::{Sheet, choose, read_text, task_for};
use crate::envelope::now;
use crate::graph::commit::commit;
use crate::graph::context::{Asked, Context, ContextAtom, context};
use crate::graph::query::{self, Search};
use crate::graph::stale::Commits;
use crate::graph::tools::GraphCommitRequest;
use crate::graph::{changelog, input};
use crate::id::Id;
use crate::limits;
use crate::model::Parent;
use crate::store::{Got, Page, Reading, reading, writing};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Value, check_arguments};

/// Show what is known of the area around some files
///
/// The answer is no if no atom covers any of them.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory context src/payments/webhook.ts src/retry.ts
  git diff --name-only | xargs lore memory context")]
#[serde(default)]
pub struct MemoryContextRequest {
    /// The files, from the root of the repository or in full
    #[arg(required = true)]
    pub paths: Vec<String>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory context`.
pub struct MemoryContext;

impl Operation for MemoryContext {
    const NAME: &'static str = "memory_context";
    const COMMAND: &'static [&'static str] = &["memory", "context"];
    const ACCESS: Access = Access::Read;
    type Request = MemoryContextRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MemoryContextRequest) -> Result<Value<Sheet>, OpError> {
        let known = reading(ctx, |store| {
            let asked = Asked {
                project: choose::project(ctx, store, request.project.as_deref())?,
                paths: request.paths.clone(),
                changelog: Some(limits::DEFAULT_CHANGELOG),
            };
            context(ctx, store, &asked)
        })?;
        let found = !known.molecules.is_empty() || !known.orphan_atoms.is_empty();
        let text = shown(&known);
        let sheet = Sheet::new(known, text)?;
        Ok(if found { Value::yes(sheet) } else { Value::no(sheet) })
    }
}

fn shown(context: &Context) -> String {
    let mut text = String::new();
    for molecule in &context.molecules {
        line(&mut text, format_args!("{}", molecule.name));
        sheet::knowledge(&mut text, &molecule.knowledge, "  ");
        molecule.atoms.iter().for_each(|atom| atom_shown(&mut text, atom, "  "));
    }
    context
        .orphan_atoms
        .iter()
        .for_each(|atom| atom_shown(&mut text, atom, ""));
    if !context.unmatched_paths.is_empty() {
        line(&mut text, format_args!("No atom covers:"));
    }
    for path in &context.unmatched_paths {
        let suggestion = context.suggestions.iter().find(|known| known.path == *path);
        match suggestion.map(|known| (&known.nearest, &known.draft_pattern)) {
            Some((Some(nearest), draft)) => line(
                &mut text,
                format_args!("  {path}  (nearest: {}; a pattern could be {draft})", nearest.name),
            ),
            Some((None, draft)) => line(&mut text, format_args!("  {path}  (a pattern could be {draft})")),
            None => line(&mut text, format_args!("  {path}")),
        }
    }
    for rename in &context.renames {
        line(
            &mut text,
            format_args!(
                "Files of {} were renamed; the pattern may be {} now",
                rename.pattern, rename.suggested
            ),
        );
    }
    if let Some(note) = &context.note {
        line(&mut text, format_args!("{note}"));
    }
    text
}

fn atom_shown(text: &mut String, atom: &ContextAtom, indent: &str) {
    line(text, format_args!("{indent}{}  {}", atom.name, atom.id.short()));
    line(text, format_args!("{indent}  covers {}", atom.matched_paths.join(", ")));
    if let Some(stale) = &atom.stale {
        let count = match &stale.commits {
            Commits::Counted(1) => "1 commit".to_owned(),
            Commits::Counted(count) => format!("{count} commits"),
            Commits::More(more) => format!("{more} commits"),
        };
        line(
            text,
            format_args!("{indent}  {}: {count} changed {}", stale.state, stale.files.join(", ")),
        );
    }
    sheet::knowledge(text, &atom.knowledge, &format!("{indent}  "));
    for related in &atom.related_atoms {
        let name = related.name.as_deref().unwrap_or("(gone)");
        line(text, format_args!("{indent}  -> {name}: {}", related.reason));
    }
    sheet::changelog(text, atom.changelog.as_deref(), &format!("{indent}  "));
}

/// Search molecules and atoms by the words of their names and knowledge
///
/// Every word and every "phrase" has to occur. The answer is no if nothing is found.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory search webhook idempotent
  lore memory search '\"event sourcing\"'")]
#[serde(default)]
pub struct MemorySearchRequest {
    /// The words
    #[arg(required = true)]
    pub words: Vec<String>,
    /// At most so many of each kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[serde(default = "twenty")]
    pub limit: i64,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

fn twenty() -> i64 {
    20
}

/// `lore memory search`.
pub struct MemorySearch;

impl Operation for MemorySearch {
    const NAME: &'static str = "memory_search";
    const COMMAND: &'static [&'static str] = &["memory", "search"];
    const ACCESS: Access = Access::Read;
    type Request = MemorySearchRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MemorySearchRequest) -> Result<Value<Sheet>, OpError> {
        let limit = crate::check::count("limit", Some(request.limit), limits::DEFAULT_PAGE)?;
        let (molecules, atoms) = reading(ctx, |store| {
            let search = Search {
                project: choose::project(ctx, store, request.project.as_deref())?,
                query: request.words.join(" "),
                molecule: None,
                orphans_only: false,
                limit,
                offset: 0,
                changelog: None,
            };
            Ok((query::molecules(store, &search)?, query::atoms(store, &search)?))
        })?;
        let mut text = String::new();
        for molecule in &molecules.items {
            line(
                &mut text,
                format_args!("{}  {} (molecule)", molecule.value.id.short(), molecule.value.name),
            );
        }
        atoms
            .items
            .iter()
            .for_each(|atom| sheet::atom_line(&mut text, &atom.value));
        if molecules.has_more || atoms.has_more {
            line(&mut text, format_args!("There are more: --limit N shows them."));
        }
        let found = molecules.count + atoms.count > 0;
        if !found {
            line(&mut text, format_args!("Nothing was found."));
        }
        let sheet = Sheet::new(json!({ "molecules": molecules, "atoms": atoms }), text)?;
        Ok(if found { Value::yes(sheet) } else { Value::no(sheet) })
    }
}

/// Add to the changelog of an atom or a molecule what changed and why
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory changelog add 'Payment API' 'retries now back off, see the incident of May'
  lore memory changelog add 'Payment Domain' 'moved to events' --molecule")]
#[serde(default)]
pub struct ChangelogAddRequest {
    /// The atom, by id, last digits or name
    pub of: String,
    /// What changed and why
    pub summary: String,
    /// It is a molecule
    #[arg(long)]
    pub molecule: bool,
    /// The task that brought it [default: the only one under way, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory changelog add`.
pub struct ChangelogAdd;

impl Operation for ChangelogAdd {
    const NAME: &'static str = "memory_changelog_add";
    const COMMAND: &'static [&'static str] = &["memory", "changelog", "add"];
    const ACCESS: Access = Access::Record;
    type Request = ChangelogAddRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: ChangelogAddRequest) -> Result<Value<Sheet>, OpError> {
        let summary = input::summary(&request.summary)?;
        let (id, fresh, time) = (Id::fresh(ctx), Id::fresh(ctx), now(ctx));
        let entry = writing(ctx, |store| {
            let parent = parent(ctx, store, request.project.as_deref(), &request.of, request.molecule)?;
            let project = if request.molecule {
                store.molecule(parent.id)?.map(|it| it.project_id)
            } else {
                store.atom(parent.id)?.map(|it| it.project_id)
            };
            let project = project.ok_or_else(|| crate::check::not_found("Atom", parent.id))?;
            let task = task_for(ctx, store, project, request.task.as_deref(), fresh)?;
            changelog::append(store, id, parent, task, summary.clone(), &time)
        })?;
        let text = format!("{} {}\n", entry.created_at, entry.summary);
        Sheet::new(entry, text).map(Value::yes)
    }
}

fn parent(ctx: &Ctx, store: &dyn Reading, project: Option<&str>, given: &str, is_molecule: bool) -> Got<Parent> {
    Ok(if is_molecule {
        Parent::molecule(super::molecules::chosen(ctx, store, project, given)?)
    } else {
        Parent::atom(super::atoms::chosen(ctx, store, project, given)?)
    })
}

/// List the changelog of an atom or a molecule, newest first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory changelog list 'Payment API'
  lore memory changelog list 'Payment Domain' --molecule")]
#[serde(default)]
pub struct ChangelogListRequest {
    /// The atom, by id, last digits or name
    pub of: String,
    /// It is a molecule
    #[arg(long)]
    pub molecule: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[serde(default = "twenty")]
    pub limit: i64,
    /// The project, by id or name [default: this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory changelog list`.
pub struct ChangelogList;

impl Operation for ChangelogList {
    const NAME: &'static str = "memory_changelog_list";
    const COMMAND: &'static [&'static str] = &["memory", "changelog", "list"];
    const ACCESS: Access = Access::Read;
    type Request = ChangelogListRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: ChangelogListRequest) -> Result<Value<Sheet>, OpError> {
        let limit = crate::check::count("limit", Some(request.limit), limits::DEFAULT_PAGE)?;
        let entries = reading(ctx, |store| {
            let parent = parent(ctx, store, request.project.as_deref(), &request.of, request.molecule)?;
            changelog::search(store, parent, Page { offset: 0, limit })
        })?;
        let mut text = String::new();
        for entry in &entries {
            line(
                &mut text,
                format_args!(
                    "{} {} (task {})",
                    entry.created_at,
                    entry.summary,
                    entry.task_id.short()
                ),
            );
        }
        if entries.is_empty() {
            line(&mut text, format_args!("Nothing was told yet."));
        }
        let sheet = Sheet::new(json!({ "entries": entries }), text)?;
        Ok(if entries.is_empty() {
            Value::no(sheet)
        } else {
            Value::yes(sheet)
        })
    }
}

/// Write molecules, atoms and changelog entries from a JSON file at once, all or nothing
///
/// The file holds the arguments of the tool graph_commit; without a `taskId` it is recorded by hand.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory commit learned.json
  jq … | lore memory commit -")]
#[serde(default)]
pub struct MemoryCommitRequest {
    /// The file; - is the standard input
    pub file: String,
    /// The task that it is written for, in place of the file's
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: the file's, or this repository's]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// `lore memory commit`.
pub struct MemoryCommit;

impl Operation for MemoryCommit {
    const NAME: &'static str = "memory_commit";
    const COMMAND: &'static [&'static str] = &["memory", "commit"];
    const ACCESS: Access = Access::Record;
    type Request = MemoryCommitRequest;
    type Answer = Value<Sheet>;

    fn run(ctx: &Ctx, request: MemoryCommitRequest) -> Result<Value<Sheet>, OpError> {
        let text = read_text(ctx, &request.file)?;
        let fault = |error: serde_json::Error| {
            OpError::new(
                ErrorKind::Invalid,
                format!("{} is no graph commit: {error}", request.file),
            )
        };
        let mut whole: serde_json::Value = serde_json::from_str(&text).map_err(fault)?;
        if whole.is_object() {
            let schema = schemars::schema_for!(GraphCommitRequest).to_value();
            check_arguments("graph_commit", &whole, &schema)?;
        }
        let fresh = Id::fresh(ctx);
        let named = request.project.clone();
        let named = named.or_else(|| whole.get("projectId").and_then(|id| id.as_str()).map(str::to_owned));
        let has_task = whole.get("taskId").is_some_and(|task| !task.is_null());
        let (project, task) = writing(ctx, |store| {
            let project = choose::project(ctx, store, named.as_deref())?;
            let task = match (&request.task, has_task) {
                (None, true) => None,
                (task, _) => Some(task_for(ctx, store, project, task.as_deref(), fresh)?),
            };
            Ok((project, task))
        })?;
        if let Some(fields) = whole.as_object_mut() {
            fields.insert("projectId".to_owned(), json!(project));
            if let Some(task) = task {
                fields.insert("taskId".to_owned(), json!(task));
            }
        }
        let asked: GraphCommitRequest = serde_json::from_value(whole).map_err(fault)?;
        let committed = commit(ctx, &crate::graph::tools::read_commit(asked)?)?;
        let mut text = String::new();
        for molecule in &committed.molecules {
            line(
                &mut text,
                format_args!(
                    "{}  {} (molecule, version {})",
                    molecule.id.short(),
                    molecule.name,
                    molecule.version
                ),
            );
        }
        for atom in &committed.atoms {
            line(
                &mut text,
                format_args!("{}  {} (version {})", atom.id.short(), atom.name, atom.version),
            );
        }
        let counts = (
            committed.entries.len(),
            committed.confirmed.len(),
            committed.removed.len(),
        );
        line(
            &mut text,
            format_args!(
                "{} changelog entries, {} confirmed, {} removed",
                counts.0, counts.1, counts.2
            ),
        );
        Sheet::new(committed, text).map(Value::yes)
    }
}
