//! A world with a project, to ask tools in.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::envelope::envelope;
use crate::id::Id;
use crate::model::{ContentFormat, Entity, Priority, Project, RepositoryKey, Section, Status, Task};
use crate::store::{reading, writing};
use lore_seam::world::World;
use lore_seam::{Answer, Ctx, Head, Log};

/// The time in every test: 2026-11-16T08:00:00.000Z.
pub(crate) const NOW: &str = "2026-11-16T08:00:00.000Z";

/// A project with a task, in a repository at `/shop`.
pub(crate) struct Shop {
    pub(crate) world: Arc<World>,
    pub(crate) ctx: Ctx,
    pub(crate) project: Id,
    pub(crate) task: Id,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self::with(crate::testing::world())
    }

    pub(crate) fn with(world: World) -> Self {
        let world = Arc::new(World {
            now_ms: 1_794_816_000_000,
            place: Some("/shop".to_owned()),
            ..world
        });
        let ctx = world.ctx();
        let project = project(&ctx, "shop");
        let task = task(&ctx, project, "Webhooks");
        let here = RepositoryKey {
            root: Some("/shop".to_owned()),
            origin: None,
        };
        writing(&ctx, |store| store.link_repository(project, &here)).expect("linked");
        Self {
            world,
            ctx,
            project,
            task,
        }
    }

    /// What a tool answers, in its envelope.
    pub(crate) fn ask(&self, tool: &str, arguments: Value) -> Value {
        ask(&self.ctx, tool, arguments)
    }

    /// The data of what a tool answers.
    pub(crate) fn data(&self, tool: &str, arguments: Value) -> Value {
        let told = self.ask(tool, arguments.clone());
        assert_eq!(told["success"], json!(true), "{tool} {arguments}: {told}");
        told["data"].clone()
    }

    /// The code of the failure of a tool, and the field.
    pub(crate) fn fault(&self, tool: &str, arguments: Value) -> String {
        let told = self.ask(tool, arguments.clone());
        assert_eq!(told["success"], json!(false), "{tool} {arguments}: {told}");
        told["error"].as_str().expect("a code").to_owned()
    }

    /// Makes an atom; its id.
    pub(crate) fn atom(&self, name: &str, paths: &[&str]) -> String {
        self.atom_with(json!({ "name": name, "paths": paths }))
    }

    pub(crate) fn atom_with(&self, mut fields: Value) -> String {
        let made = fields.as_object_mut().expect("an object");
        made.insert("operation".to_owned(), json!("create"));
        made.insert("entityType".to_owned(), json!("atom"));
        made.entry("projectId").or_insert(json!(self.project));
        made.entry("createdByTaskId").or_insert(json!(self.task));
        let data = self.data("manage_graph", fields);
        data["atom"]["id"].as_str().expect("an id").to_owned()
    }

    /// Makes a molecule; its id.
    pub(crate) fn molecule(&self, name: &str, knowledge: &str) -> String {
        let data = self.data(
            "manage_graph",
            json!({
                "operation": "create",
                "entityType": "molecule",
                "projectId": self.project,
                "name": name,
                "knowledge": knowledge,
                "createdByTaskId": self.task,
            }),
        );
        data["molecule"]["id"].as_str().expect("an id").to_owned()
    }

    pub(crate) fn get(&self, kind: &str, id: &str) -> Value {
        self.data("query_graph", json!({"operation": "get", "entityType": kind, "id": id}))
    }

    pub(crate) fn update(&self, kind: &str, id: &str, mut fields: Value) -> Value {
        let made = fields.as_object_mut().expect("an object");
        made.insert("operation".to_owned(), json!("update"));
        made.insert("entityType".to_owned(), json!(kind));
        made.insert("id".to_owned(), json!(id));
        self.ask("manage_graph", fields)
    }

    pub(crate) fn context(&self, paths: &[&str]) -> Value {
        self.data(
            "query_graph",
            json!({"operation": "context", "projectId": self.project, "paths": paths}),
        )
    }

    pub(crate) fn append(&self, kind: &str, id: &str, summary: &str) -> Value {
        let asked = json!({
            "operation": "append",
            "parentType": kind,
            "parentId": id,
            "taskId": self.task,
            "summary": summary,
        });
        self.data("manage_changelog", asked)
    }

    /// The repository is at a commit, with what git knows of it.
    pub(crate) fn at(&self, log: Log) {
        *self.world.head.lock().expect("whole") = Some(Head {
            commit: log.head.clone(),
            within: String::new(),
        });
        *self.world.log.lock().expect("whole") = Some(Arc::new(log));
    }

    /// Puts a section into a task.
    pub(crate) fn section(&self, title: &str, ordinal: i64, content: &str) {
        let section = Section {
            id: Id::fresh(&self.ctx),
            of: Entity::task(self.task),
            title: title.to_owned(),
            usage_description: "x".to_owned(),
            content: content.to_owned(),
            content_format: ContentFormat::Markdown,
            ordinal,
            tags: Vec::new(),
            version: 1,
            created_at: NOW.to_owned(),
            modified_at: NOW.to_owned(),
        };
        writing(&self.ctx, |store| store.put_section(&section, None)).expect("kept");
    }

    pub(crate) fn task_row(&self) -> Task {
        let task = reading(&self.ctx, |store| store.task(self.task)).expect("read");
        task.expect("there")
    }
}

/// What a tool answers, in its envelope.
pub(crate) fn ask(ctx: &Ctx, tool: &str, arguments: Value) -> Value {
    let entry = crate::OPERATIONS.iter().find(|entry| entry.name == tool);
    match entry.expect("a tool").run_json(ctx, arguments) {
        Ok(Answer::Value(value, _)) => envelope(ctx, Ok(value.to_json()), usize::MAX),
        Ok(_) => Value::Null,
        Err(error) => envelope(ctx, Err(&error), usize::MAX),
    }
}

/// Makes a project.
pub(crate) fn project(ctx: &Ctx, name: &str) -> Id {
    let project = Project {
        id: Id::fresh(ctx),
        name: name.to_owned(),
        summary: "x".to_owned(),
        description: None,
        version: 1,
        tags: Vec::new(),
        created_at: NOW.to_owned(),
        modified_at: NOW.to_owned(),
    };
    writing(ctx, |store| store.put_project(&project, None)).expect("kept");
    project.id
}

/// Makes a task.
pub(crate) fn task(ctx: &Ctx, project: Id, title: &str) -> Id {
    let task = Task {
        id: Id::fresh(ctx),
        project_id: Some(project),
        feature_id: None,
        title: title.to_owned(),
        summary: "x".to_owned(),
        description: None,
        status: Status::New,
        priority: Priority::High,
        complexity: 3,
        blocked_by: Vec::new(),
        blocked_reason: None,
        related_to: Vec::new(),
        last_modified_by: None,
        version: 1,
        tags: Vec::new(),
        created_at: NOW.to_owned(),
        modified_at: NOW.to_owned(),
    };
    writing(ctx, |store| store.put_task(&task, None)).expect("kept");
    task.id
}
