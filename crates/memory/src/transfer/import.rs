//! `lore memory import`: the text of an export, or a store of the version 3 of the orchestrator, into the store: all of it or nothing.

use crate::store::Memory;
use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::export::{FORMAT, Header};
use crate::envelope::code;
use crate::graph::paths::is_pattern;
use crate::id::Id;
use crate::model::{Blocker, Pipelines, Record, RepositoryKey, Status};
use crate::store::{Got, Reading, Writing, trying, writing};
use crate::{check, limits};
use lore_seam::{Access, Ctx, OpError, Operation, Page, PathKind, Render, Value};

/// What a file of SQLite begins with.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Conflicts that are told one by one.
const TOLD: usize = 20;

/// Import an export of memory, or a store of the task orchestrator (version 3), in one transaction
///
/// Items that exist and are the same stay. If an item exists and differs, nothing is imported unless --replace, --keep or --new-ids is given.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory import memory.jsonl
  lore memory import memory.jsonl --dry-run
  lore memory import ~/.task-orchestrator/tasks.db")]
pub struct ImportRequest {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Replace items of the store that differ
    #[arg(long, conflicts_with_all = ["keep", "new_ids"])]
    #[serde(default)]
    pub replace: bool,
    /// Skip items that differ
    #[arg(long, conflicts_with = "new_ids")]
    #[serde(default)]
    pub keep: bool,
    /// Import everything under new ids
    #[arg(long)]
    #[serde(default, rename = "newIds")]
    pub new_ids: bool,
    /// Show what would be imported and write nothing
    #[arg(long)]
    #[serde(default, rename = "dryRun")]
    pub dry_run: bool,
}

/// The result of an import
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// The file
    pub file: String,
    /// Whether nothing was written
    pub dry_run: bool,
    /// New items by kind
    pub created: BTreeMap<String, u64>,
    /// Items that existed and are the same
    pub unchanged: u64,
    /// Replaced items
    pub replaced: u64,
    /// Skipped items that differ
    pub kept: u64,
    /// Remarks
    pub remarks: Vec<String>,
}

impl Render for ImportReport {
    fn render(&self, page: &mut Page) {
        let created: Vec<String> = self
            .created
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        page.text(&self.file);
        let would = if self.dry_run { " would import" } else { " imported" };
        page.write(format_args!("{would} "));
        page.line(format_args!(
            "{}",
            if created.is_empty() {
                "nothing new".to_owned()
            } else {
                created.join(", ")
            }
        ));
        for (count, what) in [
            (self.unchanged, "unchanged"),
            (self.replaced, "replaced"),
            (self.kept, "different, not imported"),
        ] {
            if count > 0 {
                page.line(format_args!("  {count} {what}"));
            }
        }
        for remark in &self.remarks {
            page.write(format_args!("  "));
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}

/// `lore memory import`.
pub struct MemoryImport;

impl Operation for MemoryImport {
    const NAME: &'static str = "memory_import";
    const COMMAND: &'static [&'static str] = &["memory", "import"];
    const ACCESS: Access = Access::Write;
    type Request = ImportRequest;
    type Answer = Value<ImportReport>;

    fn run(ctx: &Ctx, request: ImportRequest) -> Result<Value<ImportReport>, OpError> {
        if [request.replace, request.keep, request.new_ids]
            .iter()
            .filter(|given| **given)
            .count()
            > 1
        {
            return Err(check::invalid("replace", "replace, keep and newIds exclude each other"));
        }
        let mut coming = open(ctx, &request.file)?;
        coming.check()?;
        if request.new_ids {
            coming.renew(ctx);
        }
        coming.measure();
        import(ctx, &request, &coming).map(Value::yes)
    }
}

/// What a file holds, each with where it stands.
#[derive(Default)]
struct Coming {
    pipelines: Option<Pipelines>,
    records: Vec<(String, Record)>,
    remarks: Vec<String>,
}

/// Reads a file, whichever of the two it is.
fn open(ctx: &Ctx, file: &str) -> Got<Coming> {
    if ctx.ports.files.kind(file) == Some(PathKind::Directory) {
        return Err(check::invalid("file", format!("{file} is a directory")));
    }
    let content = ctx.ports.files.read(file, limits::IMPORT_BYTES)?;
    if content.starts_with(SQLITE) {
        let place = ctx.ports.files.settle(file)?.path;
        let dump = ctx.port::<dyn Memory>().read_v3(&place)?;
        return Ok(Coming {
            pipelines: dump.pipelines,
            records: dump
                .records
                .into_iter()
                .map(|record| (file.to_owned(), record))
                .collect(),
            remarks: dump.remarks,
        });
    }
    lines(file, &content)
}

/// Reads the lines of an export.
fn lines(file: &str, content: &[u8]) -> Got<Coming> {
    let mut coming = Coming::default();
    let mut has_header = false;
    for (at, line) in content.split(|byte| *byte == b'\n').enumerate() {
        let place = format!("{file}:{}", at + 1);
        let fault = |message: String| check::invalid("file", format!("{place}: {message}"));
        if line.len() as u64 > limits::LINE_BYTES {
            let message = format!("the line has {} bytes; the limit is {}", line.len(), limits::LINE_BYTES);
            return Err(fault(message));
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if !has_header {
            let header: Header = serde_json::from_slice(line).map_err(|error| {
                fault(format!("the first line is not the header of an export: {error}"))
                    .hint("an export starts with {\"lore\":\"memory\",\"format\":1}; a store of the task orchestrator is accepted too")
            })?;
            if header.lore != "memory" {
                return Err(fault(format!("an export of `{}`, not of memory", header.lore)));
            }
            if header.format > FORMAT {
                return Err(
                    fault(format!("unknown format {}; this Lore knows {FORMAT}", header.format)).hint("update Lore"),
                );
            }
            coming.pipelines = header.pipelines;
            has_header = true;
            continue;
        }
        let record = serde_json::from_slice(line).map_err(|error| fault(error.to_string()))?;
        coming.records.push((place, record));
    }
    if has_header {
        Ok(coming)
    } else {
        Err(check::invalid("file", format!("{file} is empty")))
    }
}

impl Coming {
    /// Refuses what cannot be right whatever the store holds.
    fn check(&mut self) -> Got<()> {
        let mut seen = BTreeSet::new();
        for (place, record) in &self.records {
            let Some(id) = id_of(record) else { continue };
            if !seen.insert(id) {
                let message = format!("{place}: duplicate {} {id}", kind_of(record));
                return Err(check::invalid("file", message));
            }
            if text_of(record).iter().any(|text| text.contains('\0')) {
                let message = format!("{place}: a text contains the character NUL");
                return Err(check::invalid("file", message));
            }
        }
        // Whatever is part of something comes after it.
        self.records.sort_by_key(|(_, record)| rank(record));
        Ok(())
    }

    /// Gives everything another identifier, and changes whatever refers to it.
    fn renew(&mut self, ctx: &Ctx) {
        let ids: BTreeMap<Id, Id> = self
            .records
            .iter()
            .filter_map(|(_, record)| Some((id_of(record)?, Id::fresh(ctx))))
            .collect();
        for (_, record) in &mut self.records {
            change_ids(record, &|id| ids.get(&id).copied().unwrap_or(id));
        }
    }

    /// Says what is longer than it could be written here, and what is in a state that no pipeline has.
    fn measure(&mut self) {
        let mut long = 0;
        let mut strange = BTreeSet::new();
        let mut patterns = Vec::new();
        for (_, record) in &self.records {
            let is_long = match record {
                Record::Atom(atom) => atom.knowledge.len() > limits::KNOWLEDGE_BYTES,
                Record::Molecule(molecule) => molecule.knowledge.len() > limits::KNOWLEDGE_BYTES,
                Record::Section(section) => section.content.len() > limits::CONTENT_BYTES,
                Record::Changelog(entry) => entry.summary.len() > limits::SUMMARY_BYTES,
                _ => false,
            };
            let is_named_long = name_of(record).is_some_and(|name| name.chars().count() > limits::NAME_CHARS);
            long += u64::from(is_long || is_named_long);
            if let Record::Atom(atom) = record {
                patterns.extend(atom.paths.iter().filter(|pattern| !is_pattern(pattern)));
            }
            match record {
                Record::Feature(feature) => drop(strange.insert(feature.status.clone())),
                Record::Task(task) => drop(strange.insert(task.status.clone())),
                _ => {}
            }
        }
        if long > 0 {
            self.remarks.push(format!(
                "{long} texts exceed the size limits and were imported unchanged"
            ));
        }
        if let Some(first) = patterns.first() {
            let remark = format!(
                "{} patterns are not valid and match nothing, such as `{first}`; they were imported unchanged",
                patterns.len()
            );
            self.remarks.push(remark);
        }
        strange.retain(|status| matches!(status, Status::Other(_)));
        if !strange.is_empty() {
            let words: Vec<&str> = strange.iter().map(Status::word).collect();
            self.remarks.push(format!(
                "imported unknown states: {}; such work can only be terminated",
                words.join(", ")
            ));
        }
    }
}

/// Writes what comes in, or says why not; a trial writes nothing.
fn import(ctx: &Ctx, request: &ImportRequest, coming: &Coming) -> Got<ImportReport> {
    if request.dry_run {
        trying(ctx, |store| take_in(store, request, coming))
    } else {
        writing(ctx, |store| take_in(store, request, coming))
    }
}

fn take_in(store: &mut dyn Writing, request: &ImportRequest, coming: &Coming) -> Got<ImportReport> {
    let mut report = ImportReport {
        file: request.file.clone(),
        dry_run: request.dry_run,
        remarks: coming.remarks.clone(),
        ..ImportReport::default()
    };
    take_pipelines(store, coming, &mut report)?;
    let mut conflicts = Vec::new();
    let mut left_out = BTreeSet::new();
    for (place, record) in &coming.records {
        let at = |error: OpError| OpError {
            message: format!("{place}: {}", error.message),
            ..error
        };
        if request.new_ids && is_taken(store, record, &mut left_out)? {
            report.kept += 1;
            continue;
        }
        if let Some(id) = id_of(record)
            && let Some(known) = held_as(store, id)?
            && known != kind_of(record)
        {
            let message = format!(
                "{place}: {id} is a {} in the file and a {known} in the store",
                kind_of(record)
            );
            return Err(check::refused(code::CONFLICT, message).hint("--new-ids imports everything under new ids"));
        }
        match put(store, record, request).map_err(at)? {
            Put::Created => *report.created.entry(kind_of(record).to_owned()).or_default() += 1,
            Put::Unchanged => report.unchanged += 1,
            Put::Replaced => report.replaced += 1,
            Put::Kept => report.kept += 1,
            Put::Differs => conflicts.push(match id_of(record) {
                Some(id) => format!("{place}: {} {id}", kind_of(record)),
                None => format!("{place}: the repository belongs to another project"),
            }),
        }
    }
    if conflicts.is_empty() {
        return Ok(report);
    }
    let count = conflicts.len();
    conflicts.truncate(TOLD);
    let more = if count > TOLD { ", …" } else { "" };
    let message = format!(
        "{count} items exist in the store and differ: {}{more}",
        conflicts.join(", ")
    );
    Err(check::refused(code::CONFLICT, message)
        .data(json!({ "conflicts": conflicts, "count": count }))
        .hint("--replace imports them, --keep skips them, --new-ids imports everything under new ids"))
}

/// The pipelines of the file hold where nothing is remembered yet.
fn take_pipelines(store: &mut dyn Writing, coming: &Coming, report: &mut ImportReport) -> Got<()> {
    let Some(wanted) = &coming.pipelines else {
        return Ok(());
    };
    let counts = store.counts()?;
    let is_empty = counts.projects + counts.features + counts.tasks == 0;
    match store.pipelines()? {
        Some(known) if known == *wanted => Ok(()),
        _ if is_empty => store.lock_pipelines(Some(wanted)),
        known => {
            if known.unwrap_or_default() != *wanted {
                let remark = "the pipelines of the file differ from the pipelines of the store and were ignored";
                report.remarks.push(remark.to_owned());
            }
            Ok(())
        }
    }
}

/// Whether something new would take a name or an origin that is given: then the store's own stays, and what is part of it stays away.
fn is_taken(store: &dyn Writing, record: &Record, left_out: &mut BTreeSet<Id>) -> Got<bool> {
    Ok(match record {
        Record::Template(template) => {
            let is_taken = store.template_named(&template.name)?.is_some();
            if is_taken {
                left_out.insert(template.id);
            }
            is_taken
        }
        Record::TemplateSection(section) => left_out.contains(&section.template_id),
        Record::Repository(repository) => {
            let key = RepositoryKey {
                root: None,
                origin: Some(repository.origin.clone()),
            };
            store.project_of(&key)?.is_some()
        }
        _ => false,
    })
}

/// What became of a record.
enum Put {
    Created,
    Unchanged,
    Replaced,
    Kept,
    Differs,
}

/// What to do about something that is there, with the version that it has.
fn decide<T: PartialEq>(known: Option<&T>, coming: &T, request: &ImportRequest) -> Option<Put> {
    match known {
        None => None,
        Some(known) if known == coming => Some(Put::Unchanged),
        Some(_) if request.keep => Some(Put::Kept),
        Some(_) if request.replace => Some(Put::Replaced),
        Some(_) => Some(Put::Differs),
    }
}

/// Writes one record, unless it is there already.
fn put(store: &mut dyn Writing, record: &Record, request: &ImportRequest) -> Got<Put> {
    macro_rules! versioned {
        ($coming:expr, $known:expr, $put:ident) => {{
            let known = $known;
            match decide(known.as_ref(), $coming, request) {
                None => {
                    store.$put($coming, None)?;
                    Put::Created
                }
                Some(Put::Replaced) => {
                    store.$put($coming, known.map(|known| known.version))?;
                    Put::Replaced
                }
                Some(other) => other,
            }
        }};
    }
    Ok(match record {
        Record::Project(coming) => versioned!(
            &sorted_tags(coming, |it| &mut it.tags),
            store.project(coming.id)?,
            put_project
        ),
        Record::Feature(coming) => versioned!(
            &sorted_tags(coming, |it| &mut it.tags),
            store.feature(coming.id)?,
            put_feature
        ),
        Record::Task(coming) => versioned!(
            &sorted_tags(coming, |it| &mut it.tags),
            store.task(coming.id)?,
            put_task
        ),
        Record::Section(coming) => versioned!(coming, store.section(coming.id)?, put_section),
        Record::Molecule(coming) => versioned!(coming, store.molecule(coming.id)?, put_molecule),
        Record::Atom(coming) => {
            let known = store.atom(coming.id)?;
            if let Some(known) = known.as_ref().filter(|known| known.project_id != coming.project_id) {
                let message = format!("atom {} belongs to project {}", coming.id, known.project_id);
                return Err(check::refused(code::INVARIANT_VIOLATION, message));
            }
            versioned!(coming, known, put_atom)
        }
        Record::Template(coming) => match decide(store.template(coming.id)?.as_ref(), coming, request) {
            None => {
                store.put_template(coming)?;
                Put::Created
            }
            Some(Put::Replaced) => {
                store.put_template(coming)?;
                Put::Replaced
            }
            Some(other) => other,
        },
        Record::TemplateSection(coming) => {
            let known = store.template_sections(coming.template_id)?;
            let known = known.iter().find(|known| known.id == coming.id);
            match decide(known, coming, request) {
                None => {
                    store.put_template_section(coming)?;
                    Put::Created
                }
                Some(Put::Replaced) => {
                    store.put_template_section(coming)?;
                    Put::Replaced
                }
                Some(other) => other,
            }
        }
        Record::Changelog(coming) => {
            match decide(store.entry(coming.id)?.as_ref(), coming, request) {
                None => {
                    store.append(coming)?;
                    Put::Created
                }
                // An entry is never changed.
                Some(Put::Replaced) => Put::Differs,
                Some(other) => other,
            }
        }
        Record::Repository(coming) => {
            let key = RepositoryKey {
                root: None,
                origin: Some(coming.origin.clone()),
            };
            match store.project_of(&key)? {
                None => {
                    store.link_repository(coming.project_id, &key)?;
                    Put::Created
                }
                Some(known) if known == coming.project_id => Put::Unchanged,
                Some(_) if request.keep => Put::Kept,
                Some(_) => Put::Differs,
            }
        }
    })
}

/// Something as the store gives it back: tags in order, each once.
fn sorted_tags<T: Clone>(of: &T, tags: impl Fn(&mut T) -> &mut Vec<String>) -> T {
    let mut sorted = of.clone();
    let list = tags(&mut sorted);
    list.sort();
    list.dedup();
    sorted
}

fn kind_of(record: &Record) -> &'static str {
    match record {
        Record::Project(_) => "project",
        Record::Repository(_) => "repository",
        Record::Feature(_) => "feature",
        Record::Task(_) => "task",
        Record::Section(_) => "section",
        Record::Template(_) => "template",
        Record::TemplateSection(_) => "templateSection",
        Record::Molecule(_) => "molecule",
        Record::Atom(_) => "atom",
        Record::Changelog(_) => "changelog",
    }
}

/// What an identifier is in the store.
fn held_as(store: &dyn Reading, id: Id) -> Got<Option<&'static str>> {
    Ok(if store.atom(id)?.is_some() {
        Some("atom")
    } else if store.molecule(id)?.is_some() {
        Some("molecule")
    } else if store.task(id)?.is_some() {
        Some("task")
    } else if store.section(id)?.is_some() {
        Some("section")
    } else if store.feature(id)?.is_some() {
        Some("feature")
    } else if store.project(id)?.is_some() {
        Some("project")
    } else if store.template(id)?.is_some() {
        Some("template")
    } else if store.entry(id)?.is_some() {
        Some("changelog")
    } else {
        None
    })
}

/// The place of a kind in an export.
fn rank(record: &Record) -> u8 {
    match record {
        Record::Project(_) => 0,
        Record::Repository(_) => 1,
        Record::Feature(_) => 2,
        Record::Task(_) => 3,
        Record::Section(_) => 4,
        Record::Template(_) => 5,
        Record::TemplateSection(_) => 6,
        Record::Molecule(_) => 7,
        Record::Atom(_) => 8,
        Record::Changelog(_) => 9,
    }
}

fn id_of(record: &Record) -> Option<Id> {
    Some(match record {
        Record::Project(it) => it.id,
        Record::Repository(_) => return None,
        Record::Feature(it) => it.id,
        Record::Task(it) => it.id,
        Record::Section(it) => it.id,
        Record::Template(it) => it.id,
        Record::TemplateSection(it) => it.id,
        Record::Molecule(it) => it.id,
        Record::Atom(it) => it.id,
        Record::Changelog(it) => it.id,
    })
}

fn name_of(record: &Record) -> Option<&str> {
    Some(match record {
        Record::Project(it) => &it.name,
        Record::Feature(it) => &it.name,
        Record::Task(it) => &it.title,
        Record::Section(it) => &it.title,
        Record::Template(it) => &it.name,
        Record::TemplateSection(it) => &it.title,
        Record::Molecule(it) => &it.name,
        Record::Atom(it) => &it.name,
        Record::Repository(_) | Record::Changelog(_) => return None,
    })
}

/// The texts of a record that a database could end too early.
fn text_of(record: &Record) -> Vec<&str> {
    let mut texts: Vec<&str> = name_of(record).into_iter().collect();
    match record {
        Record::Project(it) => texts.extend([it.summary.as_str(), it.description.as_deref().unwrap_or_default()]),
        Record::Feature(it) => texts.extend([it.summary.as_str(), it.description.as_deref().unwrap_or_default()]),
        Record::Task(it) => texts.extend([it.summary.as_str(), it.description.as_deref().unwrap_or_default()]),
        Record::Section(it) => texts.extend([it.content.as_str(), &it.usage_description]),
        Record::Template(it) => texts.push(&it.description),
        Record::TemplateSection(it) => texts.extend([it.content_sample.as_str(), &it.usage_description]),
        Record::Molecule(it) => texts.push(&it.knowledge),
        Record::Atom(it) => {
            texts.push(&it.knowledge);
            texts.extend(it.paths.iter().map(String::as_str));
        }
        Record::Repository(it) => texts.push(&it.origin),
        Record::Changelog(it) => texts.push(&it.summary),
    }
    texts
}

/// Changes every identifier of a record.
fn change_ids(record: &mut Record, new: &dyn Fn(Id) -> Id) {
    let change = |id: &mut Id| *id = new(*id);
    let blockers = |blockers: &mut Vec<Blocker>| {
        for blocker in blockers {
            if let Blocker::Entity(id) = blocker {
                *id = new(*id);
            }
        }
    };
    match record {
        Record::Project(it) => change(&mut it.id),
        Record::Repository(it) => change(&mut it.project_id),
        Record::Feature(it) => {
            change(&mut it.id);
            it.project_id.iter_mut().for_each(change);
            blockers(&mut it.blocked_by);
            it.related_to.iter_mut().for_each(change);
        }
        Record::Task(it) => {
            change(&mut it.id);
            it.project_id.iter_mut().for_each(change);
            it.feature_id.iter_mut().for_each(change);
            blockers(&mut it.blocked_by);
            it.related_to.iter_mut().for_each(change);
        }
        Record::Section(it) => {
            change(&mut it.id);
            change(&mut it.of.id);
        }
        Record::Template(it) => change(&mut it.id),
        Record::TemplateSection(it) => {
            change(&mut it.id);
            change(&mut it.template_id);
        }
        Record::Molecule(it) => {
            change(&mut it.id);
            change(&mut it.project_id);
            change(&mut it.created_by_task_id);
            change(&mut it.last_task_id);
            it.related_molecules
                .iter_mut()
                .for_each(|related| change(&mut related.molecule_id));
        }
        Record::Atom(it) => {
            change(&mut it.id);
            change(&mut it.project_id);
            it.molecule_id.iter_mut().for_each(change);
            change(&mut it.created_by_task_id);
            change(&mut it.last_task_id);
            it.related_atoms
                .iter_mut()
                .for_each(|related| change(&mut related.atom_id));
        }
        Record::Changelog(it) => {
            change(&mut it.id);
            change(&mut it.parent_id);
            change(&mut it.task_id);
        }
    }
}
