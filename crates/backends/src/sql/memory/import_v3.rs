//! Imports a store of version 3 of the orchestrator. Values that cannot be imported give a remark.

use std::collections::{BTreeMap, BTreeSet};

use lore_memory::id::Id;
use lore_memory::model::{
    Atom, Blocker, ContentFormat, Entity, EntityType, Entry, Feature, Molecule, NO_OP, ParentType, Pipelines, Priority,
    Project, Record, RelatedAtom, RelatedMolecule, Section, Status, Task, Template, TemplateSection, Word,
};
use lore_memory::store::Got;
use lore_memory::transfer::v3::Dump;
use lore_seam::{ErrorKind, OpError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use serde_json::Value;

use crate::sql::faults::fault;

/// Remarks of one kind that are told one by one.
const TOLD: usize = 20;

/// Everything that such a store holds.
pub(in crate::sql) fn read_dump(connection: &Connection) -> Got<Dump> {
    check_version(connection)?;
    let mut reader = V3Reader {
        connection,
        dump: Dump::default(),
        tags: tags(connection)?,
        known: BTreeMap::new(),
    };
    reader.pipelines()?;
    reader.containers()?;
    reader.sections()?;
    reader.templates()?;
    if has_table(connection, "graph_atoms")? {
        reader.graph()?;
    } else {
        reader
            .remark("the store is older than the knowledge graph: it has no molecules, atoms and changelog".to_owned());
    }
    let told = reader.dump.remarks.len();
    if told > TOLD {
        reader.dump.remarks.truncate(TOLD);
        reader
            .dump
            .remarks
            .push(format!("and {} more of the kind", told - TOLD));
    }
    Ok(reader.dump)
}

fn has_table(connection: &Connection, table: &str) -> Got<bool> {
    let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?1";
    let count: i64 = connection.query_row(sql, [table], |row| row.get(0)).map_err(fault)?;
    Ok(count > 0)
}

fn columns(connection: &Connection, table: &str) -> Got<BTreeSet<String>> {
    let mut statement = connection
        .prepare(&format!("PRAGMA table_info({table})"))
        .map_err(fault)?;
    let names = statement.query_map([], |row| row.get::<_, String>(1)).map_err(fault)?;
    names.collect::<Result<_, _>>().map_err(fault)
}

/// Refuses what is not a store of version 3, judged by its columns: its earliest form has no mark.
fn check_version(connection: &Connection) -> Got<()> {
    let invalid = |message: &str| OpError::new(ErrorKind::Invalid, message);
    let tasks = columns(connection, "tasks")?;
    let projects = columns(connection, "projects")?;
    if tasks.contains("fold") {
        return Err(
            invalid("the file is a store of Lore's own, not one of the orchestrator")
                .hint("`lore --db FILE memory export` writes a file that can be imported"),
        );
    }
    if projects.contains("status") || has_table(connection, "dependencies")? {
        return Err(
            invalid("the file is a store of the version 2 of the orchestrator, which is not read")
                .hint("open the file with version 3 of the orchestrator first, which migrates it"),
        );
    }
    let wanted = [
        "id",
        "title",
        "status",
        "priority",
        "complexity",
        "blocked_by",
        "related_to",
        "version",
    ];
    if !wanted.iter().all(|column| tasks.contains(*column)) {
        return Err(invalid("the file is not a store of version 3 of the orchestrator"));
    }
    Ok(())
}

fn tags(connection: &Connection) -> Got<BTreeMap<(String, String), Vec<String>>> {
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    if !has_table(connection, "entity_tags")? {
        return Ok(found);
    }
    let mut statement = connection
        .prepare("SELECT entity_id, entity_type, tag FROM entity_tags ORDER BY tag")
        .map_err(fault)?;
    let mut rows = statement.query([]).map_err(fault)?;
    while let Some(row) = rows.next().map_err(fault)? {
        let (id, kind) = (text(row, "entity_id")?, text(row, "entity_type")?);
        found
            .entry((id, kind.to_uppercase()))
            .or_default()
            .push(text(row, "tag")?);
    }
    Ok(found)
}

/// The text in a column; a number is one too, and nothing is an empty one.
fn text(row: &Row<'_>, column: &str) -> Got<String> {
    Ok(optional(row, column)?.unwrap_or_default())
}

fn optional(row: &Row<'_>, column: &str) -> Got<Option<String>> {
    let value = match row.get_ref(column) {
        Ok(value) => value,
        Err(rusqlite::Error::InvalidColumnName(_)) => return Ok(None),
        Err(error) => return Err(fault(error)),
    };
    Ok(match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")),
    })
}

fn number(row: &Row<'_>, column: &str, default: i64) -> Got<i64> {
    Ok(text(row, column)?.trim().parse().unwrap_or(default))
}

fn flag(row: &Row<'_>, column: &str) -> Got<bool> {
    Ok(number(row, column, 0)? != 0)
}

/// A time as Lore writes it: `datetime('now')` writes neither the letter T nor a zone, and means UTC.
fn time(row: &Row<'_>, column: &str) -> Got<String> {
    let given = text(row, column)?;
    let plain = given.len() == 19 && given.as_bytes().get(10) == Some(&b' ');
    Ok(if plain {
        format!("{}.000Z", given.replacen(' ', "T", 1))
    } else {
        given
    })
}

fn comma_list(text: &str) -> Vec<String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

struct V3Reader<'c> {
    connection: &'c Connection,
    dump: Dump,
    tags: BTreeMap<(String, String), Vec<String>>,
    /// What there is, and what it is.
    known: BTreeMap<Id, EntityType>,
}

impl V3Reader<'_> {
    fn remark(&mut self, remark: String) {
        self.dump.remarks.push(remark);
    }

    /// Reads every row of a table in the order in which it was written.
    fn each(&mut self, table: &str, mut read: impl FnMut(&mut Self, &Row<'_>) -> Got<()>) -> Got<()> {
        let connection = self.connection;
        let mut statement = connection
            .prepare(&format!("SELECT * FROM {table} ORDER BY rowid"))
            .map_err(fault)?;
        let mut rows = statement.query([]).map_err(fault)?;
        while let Some(row) = rows.next().map_err(fault)? {
            read(self, row)?;
        }
        Ok(())
    }

    /// The identifier of a row; a row without one is left out.
    fn id(&mut self, row: &Row<'_>, column: &str, what: &str) -> Got<Option<Id>> {
        let given = text(row, column)?;
        let id = given.parse().ok();
        if id.is_none() {
            self.remark(format!("{what}: `{given}` is not an identifier; left out"));
        }
        Ok(id)
    }

    fn optional_id(&mut self, row: &Row<'_>, column: &str, what: &str) -> Got<Option<Id>> {
        match optional(row, column)?.filter(|given| !given.is_empty()) {
            Some(_) => self.id(row, column, what),
            None => Ok(None),
        }
    }

    fn json(&mut self, row: &Row<'_>, column: &str, what: &str) -> Got<Vec<Value>> {
        let given = text(row, column)?;
        match serde_json::from_str(&given) {
            Ok(Value::Array(items)) => Ok(items),
            _ if given.trim().is_empty() => Ok(Vec::new()),
            // The blocker that stands for something outside may be stored as a word of its own.
            _ if given.trim() == NO_OP => Ok(vec![Value::String(NO_OP.to_owned())]),
            _ => {
                self.remark(format!("{what}: {column} is not a list; imported as empty"));
                Ok(Vec::new())
            }
        }
    }

    fn tags(&self, row: &Row<'_>, kind: EntityType) -> Got<Vec<String>> {
        let key = (text(row, "id")?, kind.word().to_owned());
        Ok(self.tags.get(&key).cloned().unwrap_or_default())
    }

    fn pipelines(&mut self) -> Got<()> {
        if !has_table(self.connection, "_pipeline_config")? {
            return Ok(());
        }
        let mut found = None;
        self.each("_pipeline_config", |reader, row| {
            let given = text(row, "config_json")?;
            let parsed: Option<Value> = serde_json::from_str(&given).ok();
            let pipelines = parsed
                .as_ref()
                .map(|value| value.get("pipelines").unwrap_or(value).clone())
                .and_then(|value| serde_json::from_value::<Pipelines>(value).ok());
            match pipelines {
                Some(pipelines) => found = Some(pipelines),
                None => reader.remark("the pipelines cannot be read; this store keeps its own".to_owned()),
            }
            Ok(())
        })?;
        self.dump.pipelines = found;
        Ok(())
    }

    fn containers(&mut self) -> Got<()> {
        self.each("projects", |reader, row| {
            let Some(id) = reader.id(row, "id", "a project")? else {
                return Ok(());
            };
            let project = Project {
                id,
                name: text(row, "name")?,
                summary: text(row, "summary")?,
                description: optional(row, "description")?,
                version: number(row, "version", 1)?,
                tags: reader.tags(row, EntityType::Project)?,
                created_at: time(row, "created_at")?,
                modified_at: time(row, "modified_at")?,
            };
            reader.known.insert(id, EntityType::Project);
            reader.dump.records.push(Record::Project(project));
            Ok(())
        })?;
        let mut features = Vec::new();
        self.each("features", |reader, row| {
            if let Some(feature) = reader.feature(row)? {
                reader.known.insert(feature.id, EntityType::Feature);
                features.push(feature);
            }
            Ok(())
        })?;
        let mut tasks = Vec::new();
        self.each("tasks", |reader, row| {
            if let Some(task) = reader.task(row)? {
                reader.known.insert(task.id, EntityType::Task);
                tasks.push(task);
            }
            Ok(())
        })?;
        for mut feature in features {
            let what = format!("feature {}", feature.id);
            self.keep_known(&what, &mut feature.blocked_by, &mut feature.related_to, feature.id);
            self.dump.records.push(Record::Feature(feature));
        }
        for mut task in tasks {
            let what = format!("task {}", task.id);
            self.keep_known(&what, &mut task.blocked_by, &mut task.related_to, task.id);
            self.dump.records.push(Record::Task(task));
        }
        Ok(())
    }

    /// Drops blockers and relations that lead to nothing, which would block for good.
    fn keep_known(&mut self, what: &str, blockers: &mut Vec<Blocker>, related: &mut Vec<Id>, own: Id) {
        let known = |id: &Id| *id != own && matches!(self.known.get(id), Some(EntityType::Feature | EntityType::Task));
        let before = blockers.len() + related.len();
        blockers.retain(|blocker| match blocker {
            Blocker::NoOp => true,
            Blocker::Entity(id) => known(id),
        });
        related.retain(known);
        let dropped = before - blockers.len() - related.len();
        if dropped > 0 {
            self.remark(format!(
                "{what}: {dropped} blockers or relations have no target; dropped"
            ));
        }
    }

    fn of_project(&mut self, row: &Row<'_>, what: &str) -> Got<Option<Id>> {
        let project = self.optional_id(row, "project_id", what)?;
        match project.filter(|id| self.known.get(id) != Some(&EntityType::Project)) {
            Some(id) => {
                self.remark(format!("{what}: there is no project {id}; imported without one"));
                Ok(None)
            }
            None => Ok(project),
        }
    }

    fn priority(&mut self, row: &Row<'_>, what: &str) -> Got<Priority> {
        let given = text(row, "priority")?;
        Ok(match Priority::from_word(&given) {
            Some(priority) => priority,
            None => {
                self.remark(format!("{what}: the priority `{given}` is unknown; imported as MEDIUM"));
                Priority::Medium
            }
        })
    }

    fn status(&mut self, row: &Row<'_>, what: &str) -> Got<Status> {
        let status = Status::stored(&text(row, "status")?);
        if let Status::Other(word) = &status {
            let remark = format!("{what}: the state `{word}` is unknown; imported unchanged");
            self.remark(remark);
        }
        Ok(status)
    }

    fn blockers(&mut self, row: &Row<'_>, what: &str) -> Got<Vec<Blocker>> {
        let items = self.json(row, "blocked_by", what)?;
        let mut found: Vec<Blocker> = Vec::new();
        for item in items {
            match item.as_str().and_then(|text| text.parse().ok()) {
                Some(blocker) if !found.contains(&blocker) => found.push(blocker),
                Some(_) => {}
                None => self.remark(format!("{what}: the blocker {item} is not an identifier; dropped")),
            }
        }
        Ok(found)
    }

    fn related(&mut self, row: &Row<'_>, what: &str) -> Got<Vec<Id>> {
        let items = self.json(row, "related_to", what)?;
        let mut found: Vec<Id> = Vec::new();
        for item in items {
            match item.as_str().and_then(|text| text.parse().ok()) {
                Some(id) if !found.contains(&id) => found.push(id),
                Some(_) => {}
                None => self.remark(format!("{what}: the relation {item} is not an identifier; dropped")),
            }
        }
        Ok(found)
    }

    fn feature(&mut self, row: &Row<'_>) -> Got<Option<Feature>> {
        let Some(id) = self.id(row, "id", "a feature")? else {
            return Ok(None);
        };
        let what = format!("feature {id}");
        Ok(Some(Feature {
            id,
            project_id: self.of_project(row, &what)?,
            name: text(row, "name")?,
            summary: text(row, "summary")?,
            description: optional(row, "description")?,
            status: self.status(row, &what)?,
            priority: self.priority(row, &what)?,
            blocked_by: self.blockers(row, &what)?,
            blocked_reason: optional(row, "blocked_reason")?,
            related_to: self.related(row, &what)?,
            version: number(row, "version", 1)?,
            tags: self.tags(row, EntityType::Feature)?,
            created_at: time(row, "created_at")?,
            modified_at: time(row, "modified_at")?,
        }))
    }

    fn task(&mut self, row: &Row<'_>) -> Got<Option<Task>> {
        let Some(id) = self.id(row, "id", "a task")? else {
            return Ok(None);
        };
        let what = format!("task {id}");
        let feature = self.optional_id(row, "feature_id", &what)?;
        let feature_id = match feature.filter(|id| self.known.get(id) != Some(&EntityType::Feature)) {
            Some(gone) => {
                self.remark(format!("{what}: there is no feature {gone}; imported without one"));
                None
            }
            None => feature,
        };
        Ok(Some(Task {
            id,
            project_id: self.of_project(row, &what)?,
            feature_id,
            title: text(row, "title")?,
            summary: text(row, "summary")?,
            description: optional(row, "description")?,
            status: self.status(row, &what)?,
            priority: self.priority(row, &what)?,
            complexity: number(row, "complexity", 1)?,
            blocked_by: self.blockers(row, &what)?,
            blocked_reason: optional(row, "blocked_reason")?,
            related_to: self.related(row, &what)?,
            last_modified_by: optional(row, "last_modified_by")?,
            version: number(row, "version", 1)?,
            tags: self.tags(row, EntityType::Task)?,
            created_at: time(row, "created_at")?,
            modified_at: time(row, "modified_at")?,
        }))
    }

    fn format(&mut self, row: &Row<'_>, what: &str) -> Got<ContentFormat> {
        let given = text(row, "content_format")?;
        Ok(match ContentFormat::from_word(&given) {
            Some(format) => format,
            None => {
                self.remark(format!(
                    "{what}: the format `{given}` is unknown; imported as PLAIN_TEXT"
                ));
                ContentFormat::PlainText
            }
        })
    }

    fn sections(&mut self) -> Got<()> {
        self.each("sections", |reader, row| {
            let Some(id) = reader.id(row, "id", "a section")? else {
                return Ok(());
            };
            let what = format!("section {id}");
            let given = text(row, "entity_type")?;
            let kind = EntityType::from_word(&given);
            let owner = text(row, "entity_id")?.parse::<Id>().ok();
            let (Some(kind), Some(owner)) = (kind, owner) else {
                reader.remark(format!("{what}: it has no owner; left out"));
                return Ok(());
            };
            if reader.known.get(&owner) != Some(&kind) {
                reader.remark(format!("{what}: there is no {} {owner}; left out", kind.name()));
                return Ok(());
            }
            let section = Section {
                id,
                of: Entity { kind, id: owner },
                title: text(row, "title")?,
                usage_description: text(row, "usage_description")?,
                content: text(row, "content")?,
                content_format: reader.format(row, &what)?,
                ordinal: number(row, "ordinal", 0)?,
                tags: comma_list(&text(row, "tags")?),
                version: number(row, "version", 1)?,
                created_at: time(row, "created_at")?,
                modified_at: time(row, "modified_at")?,
            };
            reader.dump.records.push(Record::Section(section));
            Ok(())
        })
    }

    fn templates(&mut self) -> Got<()> {
        let mut known = BTreeSet::new();
        self.each("templates", |reader, row| {
            let Some(id) = reader.id(row, "id", "a template")? else {
                return Ok(());
            };
            let given = text(row, "target_entity_type")?;
            let Some(target) = EntityType::from_word(&given) else {
                reader.remark(format!(
                    "template {id}: it is for `{given}`, which is unknown; left out"
                ));
                return Ok(());
            };
            let template = Template {
                id,
                name: text(row, "name")?,
                description: text(row, "description")?,
                target_entity_type: target,
                is_built_in: flag(row, "is_built_in")?,
                is_protected: flag(row, "is_protected")?,
                is_enabled: flag(row, "is_enabled")?,
                created_by: optional(row, "created_by")?,
                tags: comma_list(&text(row, "tags")?),
                created_at: time(row, "created_at")?,
                modified_at: time(row, "modified_at")?,
            };
            known.insert(id);
            reader.dump.records.push(Record::Template(template));
            Ok(())
        })?;
        self.each("template_sections", |reader, row| {
            let Some(id) = reader.id(row, "id", "a section of a template")? else {
                return Ok(());
            };
            let what = format!("section {id} of a template");
            let template = text(row, "template_id")?.parse().ok();
            let Some(template_id) = template.filter(|template| known.contains(template)) else {
                reader.remark(format!("{what}: its template is not there; left out"));
                return Ok(());
            };
            let section = TemplateSection {
                id,
                template_id,
                title: text(row, "title")?,
                usage_description: text(row, "usage_description")?,
                content_sample: text(row, "content_sample")?,
                content_format: reader.format(row, &what)?,
                ordinal: number(row, "ordinal", 0)?,
                is_required: flag(row, "is_required")?,
                tags: comma_list(&text(row, "tags")?),
            };
            reader.dump.records.push(Record::TemplateSection(section));
            Ok(())
        })
    }

    /// Identifiers with reasons; what is no such thing is dropped.
    fn reasons(&mut self, row: &Row<'_>, column: &str, key: &str, what: &str) -> Got<Vec<(Id, String)>> {
        let items = self.json(row, column, what)?;
        let mut found: Vec<(Id, String)> = Vec::new();
        for item in items {
            let id = item.get(key).or_else(|| item.get("id")).and_then(Value::as_str);
            let reason = item.get("reason").and_then(Value::as_str).unwrap_or_default();
            match id.and_then(|id| id.parse().ok()) {
                Some(id) if !found.iter().any(|(known, _)| *known == id) => found.push((id, reason.to_owned())),
                Some(_) => {}
                None => self.remark(format!("{what}: an entry of {column} is empty; dropped")),
            }
        }
        Ok(found)
    }

    /// The task of a column; a row of the graph without one cannot be told from a damaged one.
    fn task_id(&mut self, row: &Row<'_>, column: &str, what: &str) -> Got<Id> {
        Ok(self.id(row, column, what)?.unwrap_or_default())
    }

    fn graph(&mut self) -> Got<()> {
        let mut molecules = BTreeSet::new();
        self.each("graph_molecules", |reader, row| {
            let Some(id) = reader.id(row, "id", "a molecule")? else {
                return Ok(());
            };
            let what = format!("molecule {id}");
            let Some(project_id) = reader.of_project(row, &what)? else {
                reader.remark(format!("{what}: it has no project; left out"));
                return Ok(());
            };
            let related = reader.reasons(row, "related_molecules", "moleculeId", &what)?;
            let molecule = Molecule {
                id,
                project_id,
                name: text(row, "name")?,
                knowledge: text(row, "knowledge")?,
                related_molecules: related
                    .into_iter()
                    .map(|(molecule_id, reason)| RelatedMolecule { molecule_id, reason })
                    .collect(),
                created_by_task_id: reader.task_id(row, "created_by_task_id", &what)?,
                last_task_id: reader.task_id(row, "last_task_id", &what)?,
                version: number(row, "version", 1)?,
                created_at: time(row, "created_at")?,
                updated_at: time(row, "updated_at")?,
            };
            molecules.insert(id);
            reader.dump.records.push(Record::Molecule(molecule));
            Ok(())
        })?;
        let mut atoms = BTreeSet::new();
        self.each("graph_atoms", |reader, row| {
            let Some(id) = reader.id(row, "id", "an atom")? else {
                return Ok(());
            };
            let what = format!("atom {id}");
            let Some(project_id) = reader.of_project(row, &what)? else {
                reader.remark(format!("{what}: it has no project; left out"));
                return Ok(());
            };
            let molecule = reader.optional_id(row, "molecule_id", &what)?;
            if molecule.is_some_and(|molecule| !molecules.contains(&molecule)) {
                reader.remark(format!("{what}: its molecule does not exist; imported without one"));
            }
            let mut paths = Vec::new();
            for item in reader.json(row, "paths", &what)? {
                match item {
                    Value::String(path) => paths.push(path),
                    other => reader.remark(format!("{what}: the pattern {other} is not a string; dropped")),
                }
            }
            let related = reader.reasons(row, "related_atoms", "atomId", &what)?;
            let atom = Atom {
                id,
                project_id,
                molecule_id: molecule.filter(|molecule| molecules.contains(molecule)),
                name: text(row, "name")?,
                paths,
                knowledge: text(row, "knowledge")?,
                related_atoms: related
                    .into_iter()
                    .map(|(atom_id, reason)| RelatedAtom { atom_id, reason })
                    .collect(),
                created_by_task_id: reader.task_id(row, "created_by_task_id", &what)?,
                last_task_id: reader.task_id(row, "last_task_id", &what)?,
                version: number(row, "version", 1)?,
                created_at: time(row, "created_at")?,
                updated_at: time(row, "updated_at")?,
                confirmed: None,
            };
            atoms.insert(id);
            reader.dump.records.push(Record::Atom(atom));
            Ok(())
        })?;
        self.each("graph_changelog", |reader, row| {
            let Some(id) = reader.id(row, "id", "an entry of a changelog")? else {
                return Ok(());
            };
            let what = format!("entry {id} of a changelog");
            let kind = ParentType::from_word(&text(row, "parent_type")?);
            let parent = text(row, "parent_id")?.parse::<Id>().ok();
            let is_known = |kind: ParentType, id: &Id| match kind {
                ParentType::Atom => atoms.contains(id),
                ParentType::Molecule => molecules.contains(id),
            };
            let (Some(parent_type), Some(parent_id)) = (kind, parent) else {
                reader.remark(format!("{what}: it has no subject; left out"));
                return Ok(());
            };
            if !is_known(parent_type, &parent_id) {
                reader.remark(format!("{what}: there is no {parent_type} {parent_id}; left out"));
                return Ok(());
            }
            let entry = Entry {
                id,
                parent_type,
                parent_id,
                task_id: reader.task_id(row, "task_id", &what)?,
                summary: text(row, "summary")?,
                created_at: time(row, "created_at")?,
            };
            reader.dump.records.push(Record::Changelog(entry));
            Ok(())
        })
    }
}
