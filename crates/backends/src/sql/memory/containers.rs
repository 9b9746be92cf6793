//! Projects, features and tasks: rows with tags, blockers and relations.

use std::collections::BTreeMap;

use lore_memory::check::not_found;
use lore_memory::fold::searched;
use lore_memory::id::Id;
use lore_memory::model::{
    Blocker, Container, Entity, EntityType, Feature, LinkType, Project, Status, TagCount, Task, TaskCounts,
};
use lore_memory::store::{ContainerFilter, ContainerOrder, Got, Link, NextFilter};
use rusqlite::types::ToSql;
use rusqlite::{Connection, Row, params, params_from_iter};

use super::rows::{Key, Said, Table, all, check_childless, execute, next, one};

const PROJECTS: Table = Table {
    name: "projects",
    what: "Project",
};
const FEATURES: Table = Table {
    name: "features",
    what: "Feature",
};
const TASKS: Table = Table {
    name: "tasks",
    what: "Task",
};

const PROJECT: &str = "id, name, summary, description, version, created_at, modified_at";
const FEATURE: &str = "id, project_id, name, summary, description, status, priority, blocked_reason, version, \
                       created_at, modified_at";
const TASK: &str = "id, project_id, feature_id, title, summary, description, status, priority, complexity, \
                    blocked_reason, last_modified_by, version, created_at, modified_at";
/// Priorities in the order of what matters most.
const BY_PRIORITY: &str = "CASE priority WHEN 'HIGH' THEN 0 WHEN 'MEDIUM' THEN 1 ELSE 2 END";

fn optional_id(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Id>> {
    Ok(row.get::<_, Option<Key>>(column)?.map(|key| key.0))
}

fn read_project(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project {
        id: row.get::<_, Key>(0)?.0,
        name: row.get(1)?,
        summary: row.get(2)?,
        description: row.get(3)?,
        version: row.get(4)?,
        tags: Vec::new(),
        created_at: row.get(5)?,
        modified_at: row.get(6)?,
    })
}

fn read_feature(row: &Row<'_>) -> rusqlite::Result<Feature> {
    Ok(Feature {
        id: row.get::<_, Key>(0)?.0,
        project_id: optional_id(row, 1)?,
        name: row.get(2)?,
        summary: row.get(3)?,
        description: row.get(4)?,
        status: Status::stored(&row.get::<_, String>(5)?),
        priority: row.get::<_, Said<_>>(6)?.0,
        blocked_by: Vec::new(),
        blocked_reason: row.get(7)?,
        related_to: Vec::new(),
        version: row.get(8)?,
        tags: Vec::new(),
        created_at: row.get(9)?,
        modified_at: row.get(10)?,
    })
}

fn read_task(row: &Row<'_>) -> rusqlite::Result<Task> {
    Ok(Task {
        id: row.get::<_, Key>(0)?.0,
        project_id: optional_id(row, 1)?,
        feature_id: optional_id(row, 2)?,
        title: row.get(3)?,
        summary: row.get(4)?,
        description: row.get(5)?,
        status: Status::stored(&row.get::<_, String>(6)?),
        priority: row.get::<_, Said<_>>(7)?.0,
        complexity: row.get(8)?,
        blocked_by: Vec::new(),
        blocked_reason: row.get(9)?,
        related_to: Vec::new(),
        last_modified_by: row.get(10)?,
        version: row.get(11)?,
        tags: Vec::new(),
        created_at: row.get(12)?,
        modified_at: row.get(13)?,
    })
}

fn tags_of(connection: &Connection, of: Entity) -> Got<Vec<String>> {
    let sql = "SELECT tag FROM entity_tags WHERE entity_id = ?1 AND entity_type = ?2 ORDER BY tag";
    all(connection, sql, params![Key(of.id), of.kind.word()], |row| row.get(0))
}

fn blockers_of(connection: &Connection, id: Id) -> Got<Vec<Blocker>> {
    let sql = "SELECT blocker FROM blockers WHERE entity_id = ?1 ORDER BY ordinal";
    all(connection, sql, [Key(id)], |row| {
        let text: String = row.get(0)?;
        text.parse()
            .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error)))
    })
}

fn related_of(connection: &Connection, id: Id) -> Got<Vec<Id>> {
    let sql = "SELECT other_id FROM related WHERE entity_id = ?1 ORDER BY ordinal";
    all(connection, sql, [Key(id)], |row| Ok(row.get::<_, Key>(0)?.0))
}

fn whole_project(connection: &Connection, mut project: Project) -> Got<Project> {
    project.tags = tags_of(connection, Entity::project(project.id))?;
    Ok(project)
}

fn whole_feature(connection: &Connection, mut feature: Feature) -> Got<Feature> {
    feature.tags = tags_of(connection, Entity::feature(feature.id))?;
    feature.blocked_by = blockers_of(connection, feature.id)?;
    feature.related_to = related_of(connection, feature.id)?;
    Ok(feature)
}

fn whole_task(connection: &Connection, mut task: Task) -> Got<Task> {
    task.tags = tags_of(connection, Entity::task(task.id))?;
    task.blocked_by = blockers_of(connection, task.id)?;
    task.related_to = related_of(connection, task.id)?;
    Ok(task)
}

pub(super) fn project(connection: &Connection, id: Id) -> Got<Option<Project>> {
    let sql = format!("SELECT {PROJECT} FROM projects WHERE id = ?1");
    let found = one(connection, &sql, [Key(id)], read_project)?;
    found.map(|project| whole_project(connection, project)).transpose()
}

pub(super) fn feature(connection: &Connection, id: Id) -> Got<Option<Feature>> {
    let sql = format!("SELECT {FEATURE} FROM features WHERE id = ?1");
    let found = one(connection, &sql, [Key(id)], read_feature)?;
    found.map(|feature| whole_feature(connection, feature)).transpose()
}

pub(super) fn task(connection: &Connection, id: Id) -> Got<Option<Task>> {
    let sql = format!("SELECT {TASK} FROM tasks WHERE id = ?1");
    let found = one(connection, &sql, [Key(id)], read_task)?;
    found.map(|task| whole_task(connection, task)).transpose()
}

/// Conditions and their values, as they are put together.
#[derive(Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Conditions {
    /// A value; how a condition refers to it.
    fn value(&mut self, value: impl ToSql + 'static) -> String {
        self.values.push(Box::new(value));
        format!("?{}", self.values.len())
    }

    fn values(&mut self, values: impl IntoIterator<Item = String>) -> String {
        let places: Vec<String> = values.into_iter().map(|value| self.value(value)).collect();
        places.join(", ")
    }

    fn picked(&mut self, column: &str, included: Vec<String>, excluded: Vec<String>) {
        if !included.is_empty() {
            let places = self.values(included);
            self.sql.push(format!("{column} IN ({places})"));
        }
        if !excluded.is_empty() {
            let places = self.values(excluded);
            self.sql.push(format!("{column} NOT IN ({places})"));
        }
    }
}

fn conditions(filter: &ContainerFilter) -> Conditions {
    let mut conditions = Conditions::default();
    let kind = filter.kind;
    for word in &filter.words {
        let place = conditions.value(word.clone());
        conditions.sql.push(format!("instr(fold, {place}) > 0"));
    }
    if kind != EntityType::Project {
        let words = |states: &[Status]| states.iter().map(|state| state.word().to_owned()).collect();
        conditions.picked("status", words(&filter.status.included), words(&filter.status.excluded));
        let words = |picked: &[_]| {
            let words = picked
                .iter()
                .map(|priority: &lore_memory::model::Priority| priority.word());
            words.map(str::to_owned).collect()
        };
        conditions.picked(
            "priority",
            words(&filter.priority.included),
            words(&filter.priority.excluded),
        );
    }
    let tagged = format!("SELECT entity_id FROM entity_tags WHERE entity_type = '{kind}' AND tag");
    for tag in &filter.tags.all {
        let place = conditions.value(tag.clone());
        conditions.sql.push(format!("id IN ({tagged} = {place})"));
    }
    if !filter.tags.any.is_empty() {
        let places = conditions.values(filter.tags.any.iter().cloned());
        conditions.sql.push(format!("id IN ({tagged} IN ({places}))"));
    }
    if !filter.tags.none.is_empty() {
        let places = conditions.values(filter.tags.none.iter().cloned());
        conditions.sql.push(format!("id NOT IN ({tagged} IN ({places}))"));
    }
    if let Some(project) = filter.project {
        match kind {
            EntityType::Project => conditions.sql.push("0".to_owned()),
            EntityType::Feature | EntityType::Task => {
                let place = conditions.value(Key(project));
                conditions.sql.push(format!("project_id = {place}"));
            }
        }
    }
    if let Some(feature) = filter.feature {
        match kind {
            EntityType::Project | EntityType::Feature => conditions.sql.push("0".to_owned()),
            EntityType::Task => {
                let place = conditions.value(Key(feature));
                conditions.sql.push(format!("feature_id = {place}"));
            }
        }
    }
    if let Some(blocked) = filter.blocked {
        let not = if blocked { "" } else { "NOT " };
        conditions
            .sql
            .push(format!("id {not}IN (SELECT entity_id FROM blockers)"));
    }
    if let Some(name) = &filter.name {
        let place = conditions.value(name.clone());
        let column = if kind == EntityType::Task { "title" } else { "name" };
        conditions.sql.push(format!("{column} = {place}"));
    }
    conditions
}

pub(super) fn containers(connection: &Connection, filter: &ContainerFilter) -> Got<Vec<Container>> {
    let conditions = conditions(filter);
    let (columns, table) = match filter.kind {
        EntityType::Project => (PROJECT, "projects"),
        EntityType::Feature => (FEATURE, "features"),
        EntityType::Task => (TASK, "tasks"),
    };
    let order = match (filter.order, filter.kind) {
        (ContainerOrder::Newest, _) => "created_at DESC, seq DESC".to_owned(),
        (ContainerOrder::Modified, _) => "modified_at DESC, seq DESC".to_owned(),
        (ContainerOrder::Urgent, EntityType::Feature) => format!("{BY_PRIORITY}, seq"),
        (ContainerOrder::Urgent, EntityType::Task) => format!("{BY_PRIORITY}, complexity, seq"),
        (ContainerOrder::Urgent, EntityType::Project) | (ContainerOrder::Oldest, _) => "seq".to_owned(),
    };
    let mut sql = format!("SELECT {columns} FROM {table}");
    if !conditions.sql.is_empty() {
        sql.push_str(" WHERE ");
        sql.push_str(&conditions.sql.join(" AND "));
    }
    let limit = filter.limit.map_or(-1, i64::from);
    sql.push_str(&format!(" ORDER BY {order} LIMIT {limit} OFFSET {}", filter.offset));
    let values = || params_from_iter(conditions.values.iter());
    match filter.kind {
        EntityType::Project => all(connection, &sql, values(), read_project)?
            .into_iter()
            .map(|project| whole_project(connection, project).map(Container::Project))
            .collect(),
        EntityType::Feature => all(connection, &sql, values(), read_feature)?
            .into_iter()
            .map(|feature| whole_feature(connection, feature).map(Container::Feature))
            .collect(),
        EntityType::Task => all(connection, &sql, values(), read_task)?
            .into_iter()
            .map(|task| whole_task(connection, task).map(Container::Task))
            .collect(),
    }
}

pub(super) fn task_counts(connection: &Connection, of: Entity) -> Got<TaskCounts> {
    let column = match of.kind {
        EntityType::Project => "project_id",
        EntityType::Feature => "feature_id",
        EntityType::Task => "id",
    };
    let sql = format!("SELECT status, count(*) FROM tasks WHERE {column} = ?1 GROUP BY status");
    let rows = all(connection, &sql, [Key(of.id)], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let by_status: BTreeMap<String, u64> = rows
        .into_iter()
        .map(|(status, count): (String, i64)| (status, count.unsigned_abs()))
        .collect();
    Ok(TaskCounts {
        total: by_status.values().sum(),
        by_status,
    })
}

pub(super) fn next_tasks(connection: &Connection, filter: &NextFilter, most: u32) -> Got<Vec<Task>> {
    let mut conditions = Conditions::default();
    conditions.sql.push("status = 'NEW'".to_owned());
    conditions
        .sql
        .push("id NOT IN (SELECT entity_id FROM blockers)".to_owned());
    if let Some(project) = filter.project {
        let place = conditions.value(Key(project));
        conditions.sql.push(format!("project_id = {place}"));
    }
    if let Some(feature) = filter.feature {
        let place = conditions.value(Key(feature));
        conditions.sql.push(format!("feature_id = {place}"));
    }
    if let Some(priority) = filter.priority {
        let place = conditions.value(priority.word());
        conditions.sql.push(format!("priority = {place}"));
    }
    let terminal = conditions.values(filter.terminal.iter().map(|state| state.word().to_owned()));
    conditions.sql.push(format!(
        "(feature_id IS NULL OR feature_id IN (SELECT id FROM features WHERE status NOT IN ({terminal}) \
         AND id NOT IN (SELECT entity_id FROM blockers)))"
    ));
    let sql = format!(
        "SELECT {TASK} FROM tasks WHERE {} ORDER BY {BY_PRIORITY}, complexity, seq LIMIT {most}",
        conditions.sql.join(" AND ")
    );
    let found = all(connection, &sql, params_from_iter(conditions.values.iter()), read_task)?;
    found.into_iter().map(|task| whole_task(connection, task)).collect()
}

pub(super) fn statuses(connection: &Connection, feature: Id) -> Got<Vec<Status>> {
    let sql = "SELECT status FROM tasks WHERE feature_id = ?1 ORDER BY seq";
    all(connection, sql, [Key(feature)], |row| {
        Ok(Status::stored(&row.get::<_, String>(0)?))
    })
}

pub(super) fn dependents(connection: &Connection, id: Id) -> Got<Vec<Link>> {
    let mut links = Vec::new();
    let lists = [
        (LinkType::Blocks, "blockers", "blocker"),
        (LinkType::RelatesTo, "related", "other_id"),
    ];
    for (kind, list, column) in lists {
        for (of, table) in [(EntityType::Task, "tasks"), (EntityType::Feature, "features")] {
            let sql = format!(
                "SELECT id FROM {table} WHERE id IN (SELECT entity_id FROM {list} WHERE {column} = ?1) ORDER BY seq"
            );
            let found = all(connection, &sql, [Key(id)], |row| row.get::<_, Key>(0))?;
            links.extend(found.into_iter().map(|key| Link {
                kind,
                entity: Entity { kind: of, id: key.0 },
            }));
        }
    }
    Ok(links)
}

pub(super) fn tags(connection: &Connection, kind: Option<EntityType>) -> Got<Vec<TagCount>> {
    let sql = "SELECT tag, count(*) FROM entity_tags WHERE ?1 IS NULL OR entity_type = ?1 \
               GROUP BY tag ORDER BY count(*) DESC, tag";
    all(connection, sql, [kind.map(EntityType::word)], |row| {
        Ok(TagCount {
            tag: row.get(0)?,
            count: row.get::<_, i64>(1)?.unsigned_abs(),
        })
    })
}

pub(super) fn tagged(connection: &Connection, tag: &str) -> Got<Vec<Entity>> {
    let mut found = Vec::new();
    let tables = [
        (EntityType::Project, "projects"),
        (EntityType::Feature, "features"),
        (EntityType::Task, "tasks"),
    ];
    for (kind, table) in tables {
        let sql = format!(
            "SELECT id FROM {table} WHERE id IN \
             (SELECT entity_id FROM entity_tags WHERE tag = ?1 AND entity_type = '{kind}') ORDER BY seq"
        );
        let ids = all(connection, &sql, [tag], |row| row.get::<_, Key>(0))?;
        found.extend(ids.into_iter().map(|key| Entity { kind, id: key.0 }));
    }
    Ok(found)
}

fn write_tags(connection: &Connection, of: Entity, tags: &[String]) -> Got<()> {
    let sql = "DELETE FROM entity_tags WHERE entity_id = ?1 AND entity_type = ?2";
    execute(connection, sql, params![Key(of.id), of.kind.word()])?;
    for tag in tags {
        let sql = "INSERT OR IGNORE INTO entity_tags (entity_id, entity_type, tag) VALUES (?1, ?2, ?3)";
        execute(connection, sql, params![Key(of.id), of.kind.word(), tag])?;
    }
    Ok(())
}

fn write_lists(connection: &Connection, of: Entity, tags: &[String], blockers: &[Blocker], related: &[Id]) -> Got<()> {
    write_tags(connection, of, tags)?;
    execute(connection, "DELETE FROM blockers WHERE entity_id = ?1", [Key(of.id)])?;
    for (ordinal, blocker) in blockers.iter().enumerate() {
        let sql = "INSERT OR IGNORE INTO blockers (entity_id, ordinal, blocker) VALUES (?1, ?2, ?3)";
        let values = params![Key(of.id), ordinal as i64, blocker.to_string()];
        execute(connection, sql, values)?;
    }
    execute(connection, "DELETE FROM related WHERE entity_id = ?1", [Key(of.id)])?;
    for (ordinal, other) in related.iter().enumerate() {
        let sql = "INSERT OR IGNORE INTO related (entity_id, ordinal, other_id) VALUES (?1, ?2, ?3)";
        let values = params![Key(of.id), ordinal as i64, Key(*other)];
        execute(connection, sql, values)?;
    }
    Ok(())
}

pub(super) fn put_project(connection: &Connection, project: &Project, expected: Option<i64>) -> Got<()> {
    let fold = searched(&[
        &project.name,
        &project.summary,
        project.description.as_deref().unwrap_or_default(),
    ]);
    match expected {
        None => {
            PROJECTS.check_new(connection, project.id)?;
            let sql = "INSERT INTO projects (id, seq, name, summary, description, version, created_at, modified_at, fold) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            let values = params![
                Key(project.id),
                next(connection)?,
                project.name,
                project.summary,
                project.description,
                project.version,
                project.created_at,
                project.modified_at,
                fold
            ];
            execute(connection, sql, values)?;
        }
        Some(expected) => {
            let sql = "UPDATE projects SET name = ?3, summary = ?4, description = ?5, version = ?6, created_at = ?7, \
                       modified_at = ?8, fold = ?9 WHERE id = ?1 AND version = ?2";
            let values = params![
                Key(project.id),
                expected,
                project.name,
                project.summary,
                project.description,
                project.version,
                project.created_at,
                project.modified_at,
                fold
            ];
            let changed = execute(connection, sql, values)?;
            PROJECTS.check_changed(connection, project.id, expected, changed)?;
        }
    }
    write_tags(connection, Entity::project(project.id), &project.tags)
}

pub(super) fn put_feature(connection: &Connection, feature: &Feature, expected: Option<i64>) -> Got<()> {
    let fold = searched(&[
        &feature.name,
        &feature.summary,
        feature.description.as_deref().unwrap_or_default(),
    ]);
    let guard = match expected {
        None => {
            FEATURES.check_new(connection, feature.id)?;
            next(connection)?
        }
        Some(expected) => expected,
    };
    let sql = match expected {
        None => {
            "INSERT INTO features (id, seq, project_id, name, summary, description, status, priority, blocked_reason, \
             version, created_at, modified_at, fold) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        }
        Some(_) => {
            "UPDATE features SET project_id = ?3, name = ?4, summary = ?5, description = ?6, status = ?7, priority = ?8, \
             blocked_reason = ?9, version = ?10, created_at = ?11, modified_at = ?12, fold = ?13 \
             WHERE id = ?1 AND version = ?2"
        }
    };
    let values = params![
        Key(feature.id),
        guard,
        feature.project_id.map(Key),
        feature.name,
        feature.summary,
        feature.description,
        feature.status.word(),
        feature.priority.word(),
        feature.blocked_reason,
        feature.version,
        feature.created_at,
        feature.modified_at,
        fold
    ];
    let changed = execute(connection, sql, values)?;
    if let Some(expected) = expected {
        FEATURES.check_changed(connection, feature.id, expected, changed)?;
    }
    let of = Entity::feature(feature.id);
    write_lists(connection, of, &feature.tags, &feature.blocked_by, &feature.related_to)
}

pub(super) fn put_task(connection: &Connection, task: &Task, expected: Option<i64>) -> Got<()> {
    let fold = searched(&[
        &task.title,
        &task.summary,
        task.description.as_deref().unwrap_or_default(),
    ]);
    let guard = match expected {
        None => {
            TASKS.check_new(connection, task.id)?;
            next(connection)?
        }
        Some(expected) => expected,
    };
    let sql = match expected {
        None => {
            "INSERT INTO tasks (id, seq, project_id, feature_id, title, summary, description, status, priority, \
             complexity, blocked_reason, last_modified_by, version, created_at, modified_at, fold) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
        }
        Some(_) => {
            "UPDATE tasks SET project_id = ?3, feature_id = ?4, title = ?5, summary = ?6, description = ?7, status = ?8, \
             priority = ?9, complexity = ?10, blocked_reason = ?11, last_modified_by = ?12, version = ?13, \
             created_at = ?14, modified_at = ?15, fold = ?16 WHERE id = ?1 AND version = ?2"
        }
    };
    let values = params![
        Key(task.id),
        guard,
        task.project_id.map(Key),
        task.feature_id.map(Key),
        task.title,
        task.summary,
        task.description,
        task.status.word(),
        task.priority.word(),
        task.complexity,
        task.blocked_reason,
        task.last_modified_by,
        task.version,
        task.created_at,
        task.modified_at,
        fold
    ];
    let changed = execute(connection, sql, values)?;
    if let Some(expected) = expected {
        TASKS.check_changed(connection, task.id, expected, changed)?;
    }
    let of = Entity::task(task.id);
    write_lists(connection, of, &task.tags, &task.blocked_by, &task.related_to)
}

/// Takes away what belongs to something alone.
fn remove_own(connection: &Connection, of: Entity) -> Got<()> {
    write_lists(connection, of, &[], &[], &[])?;
    let sql = "DELETE FROM sections WHERE entity_type = ?1 AND entity_id = ?2";
    execute(connection, sql, params![of.kind.word(), Key(of.id)])?;
    Ok(())
}

pub(super) fn remove_project(connection: &Connection, id: Id) -> Got<()> {
    let children = [
        ("features", "project_id"),
        ("tasks", "project_id"),
        ("graph_molecules", "project_id"),
        ("graph_atoms", "project_id"),
    ];
    check_childless(connection, "project", id, &children)?;
    execute(
        connection,
        "DELETE FROM project_repositories WHERE project_id = ?1",
        [Key(id)],
    )?;
    PROJECTS.remove(connection, id)?;
    remove_own(connection, Entity::project(id))
}

pub(super) fn remove_feature(connection: &Connection, id: Id) -> Got<()> {
    check_childless(connection, "feature", id, &[("tasks", "feature_id")])?;
    FEATURES.remove(connection, id)?;
    remove_own(connection, Entity::feature(id))
}

pub(super) fn remove_task(connection: &Connection, id: Id) -> Got<()> {
    TASKS.remove(connection, id)?;
    remove_own(connection, Entity::task(id))
}

pub(super) fn set_tags(connection: &Connection, of: Entity, tags: &[String]) -> Got<()> {
    let table = match of.kind {
        EntityType::Project => "projects",
        EntityType::Feature => "features",
        EntityType::Task => "tasks",
    };
    let sql = format!("SELECT 1 FROM {table} WHERE id = ?1");
    match one(connection, &sql, [Key(of.id)], |_| Ok(()))? {
        Some(()) => write_tags(connection, of, tags),
        None => Err(not_found("Entity", of.id)),
    }
}
