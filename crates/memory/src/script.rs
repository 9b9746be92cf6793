//! A small form of scripts for tests: a line calls a tool over a store in memory, text in and text out.
//!
//! `project NAME`, `feature NAME` and `task NAME` make one with what it needs; `advance|revert|terminate|block|unblock NAME` moves one at the version that it
//! has. Every other line is a tool with its arguments, `key=value`; a value is JSON, a word or a text in single quotes, and `$NAME` is an identifier.
//! `NAME = tool …` keeps the identifier of what was made. Behind ` > ` stand the fields of the data that are shown.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::envelope::envelope;
use super::model::RepositoryKey;
use crate::OPERATIONS;
use lore_seam::world::World;
use lore_seam::{Answer, Ctx, Origin};

/// Whoever calls tools, and the store behind them.
pub(crate) struct Script {
    pub(crate) world: Arc<World>,
    names: BTreeMap<String, (String, String)>,
}

/// Runs a script in a new store; what each line was answered.
pub(crate) fn script(text: &str) -> String {
    Script::new().run(text)
}

impl Script {
    pub(crate) fn new() -> Self {
        Self::of(crate::testing::world())
    }

    /// A store beside a repository that has a place and an origin.
    pub(crate) fn in_repository() -> Self {
        Self::of(World {
            place: Some("/home/me/shop".to_owned()),
            origin: Some(Origin {
                remote: Some("git@example.org:acme/shop.git".to_owned()),
                directory: "shop".to_owned(),
                ..Origin::default()
            }),
            ..crate::testing::world()
        })
    }

    pub(crate) fn of(world: World) -> Self {
        Self {
            world: Arc::new(World {
                now_ms: 1_794_816_000_000,
                ..world
            }),
            names: BTreeMap::new(),
        }
    }

    pub(crate) fn ctx(&self) -> Ctx {
        self.world.ctx()
    }

    /// The identifier of a name.
    pub(crate) fn id(&self, name: &str) -> super::id::Id {
        self.names[name].1.parse().expect("an identifier")
    }

    /// Calls a tool; the envelope of its answer.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Value {
        called(&self.ctx(), tool, arguments)
    }

    /// Runs a script; what each line was answered.
    pub(crate) fn run(&mut self, text: &str) -> String {
        let mut told = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (call, shown) = line.split_once(" > ").unwrap_or((line, ""));
            let (name, call) = match call.split_once(" = ") {
                Some((name, call)) if !name.contains(' ') => (Some(name.to_owned()), call),
                _ => (None, call),
            };
            let (tool, arguments, name) = self.parsed(call, name);
            let answer = self.call(&tool, arguments);
            if let Some(name) = name {
                self.keep(name, &answer["data"]);
            }
            let message = answer["message"].as_str().unwrap_or_default();
            let line = match answer["error"].as_str() {
                Some(code) => format!("{code} {message}"),
                None => message.to_owned(),
            };
            let _ = writeln!(told, "{}", self.readable(&line));
            for field in shown.split(',').map(str::trim).filter(|field| !field.is_empty()) {
                let value = match field {
                    "." => Some(&answer["data"]),
                    field => answer.pointer(&format!("/data/{}", field.replace('.', "/"))),
                };
                let value = value.map_or("-".to_owned(), ToString::to_string);
                let _ = writeln!(told, "  {field}: {}", self.readable(&value));
            }
        }
        told
    }

    fn keep(&mut self, name: String, data: &Value) {
        let kinds = ["project", "feature", "task", "template"];
        let inner = kinds.iter().find_map(|kind| Some((*kind, data.get(kind)?)));
        let (kind, made) = inner.unwrap_or(("thing", data));
        if let Some(id) = made["id"].as_str() {
            self.names.insert(name, (kind.to_owned(), id.to_owned()));
        }
    }

    /// The text with names in the place of identifiers, and without times.
    fn readable(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, (_, id)) in &self.names {
            text = text.replace(id, &format!("<{name}>"));
        }
        text.replace("2026-11-16T08:00:00.000Z", "<now>")
    }

    fn parsed(&self, call: &str, name: Option<String>) -> (String, Value, Option<String>) {
        let mut words = words(call).into_iter();
        let tool = words.next().unwrap_or_default();
        let mut arguments = Map::new();
        let mut subject = None;
        for word in words {
            match word.split_once('=') {
                Some((key, value)) => drop(arguments.insert(key.to_owned(), self.value(value))),
                None => subject = Some(word),
            }
        }
        let Some(subject) = subject else {
            return (tool, Value::Object(arguments), name);
        };
        let mut with = |defaults: Value| {
            let Value::Object(defaults) = defaults else { return };
            for (key, value) in defaults {
                arguments.entry(key).or_insert(value);
            }
        };
        match tool.as_str() {
            "project" | "feature" | "task" => {
                with(json!({ "operation": "create", "containerType": tool, "summary": "what it is" }));
                match tool.as_str() {
                    "project" => with(json!({ "name": subject })),
                    "feature" => with(json!({ "name": subject, "priority": "MEDIUM" })),
                    _ => with(json!({ "title": subject, "priority": "MEDIUM", "complexity": 3 })),
                }
                ("manage_container".to_owned(), Value::Object(arguments), Some(subject))
            }
            _ => {
                let (kind, id) = self.names[&subject].clone();
                let state = self.call("query_workflow_state", json!({ "containerType": kind, "id": id }));
                with(json!({ "containerType": kind, "id": id, "version": state["data"]["version"] }));
                (tool, Value::Object(arguments), name)
            }
        }
    }

    fn value(&self, text: &str) -> Value {
        let mut text = text.to_owned();
        for (name, (_, id)) in self.names.iter().rev() {
            text = text.replace(&format!("${name}"), id);
        }
        match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            Some(quoted) => Value::String(quoted.replace("\\n", "\n")),
            None => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }
}

/// The words of a line; what stands in single quotes or in brackets is one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut depth) = (false, 0_i32);
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        if letter == ' ' && !quoted && depth == 0 {
            words.push(String::new())
        } else {
            words.last_mut().expect("one").push(letter)
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Calls a tool as a client does, and looks at the form of the answer.
pub(crate) fn called(ctx: &Ctx, tool: &str, arguments: Value) -> Value {
    let entry = OPERATIONS.iter().find(|entry| entry.name == tool).expect(tool);
    let answer = match entry.run_json(ctx, arguments) {
        Ok(Answer::Value(value, _)) => envelope(ctx, Ok(value.to_json()), usize::MAX),
        Ok(_) => Value::Null,
        Err(error) => envelope(ctx, Err(&error), usize::MAX),
    };
    assert_camel_case(&answer, tool);
    answer
}

/// C7: no key of any answer is written otherwise. The states in `byStatus` are no keys but words.
fn assert_camel_case(value: &Value, at: &str) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let is_camel = !key.contains('_') && key.chars().next().is_some_and(char::is_lowercase);
                assert!(is_camel || at == "byStatus", "{key} in {at}");
                assert_camel_case(value, key);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| assert_camel_case(item, at)),
        _ => {}
    }
}

/// The key of the repository of [`Script::in_repository`].
pub(crate) fn shop() -> RepositoryKey {
    RepositoryKey {
        root: Some("/home/me/shop".to_owned()),
        origin: Some("example.org/acme/shop".to_owned()),
    }
}
