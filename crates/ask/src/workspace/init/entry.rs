//! What is written for the server, in the shape that a client takes.

use serde_json::{Map, Value, json};

use super::clients::Shape;

/// The name of the server.
pub(super) const NAME: &str = "lore";
/// What the command is given.
const ARGUMENTS: &[&str] = &["mcp"];
/// The same where skills for working with memory are written too: clients call only what is listed.
const WITH_MEMORY: &[&str] = &["mcp", "--tools", "core,memory"];

/// A server, its keys in the order in which they are written.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    pub(super) fields: Vec<(&'static str, Value)>,
}

impl Entry {
    /// The server that a command starts.
    pub(super) fn new(shape: Shape, command: &str) -> Self {
        Self::of(shape, command, ARGUMENTS)
    }

    /// The same, which lists the tools of memory as well.
    pub(super) fn with_memory(shape: Shape, command: &str) -> Self {
        Self::of(shape, command, WITH_MEMORY)
    }

    fn of(shape: Shape, command: &str, arguments: &[&str]) -> Self {
        let plain = [("command", json!(command)), ("args", json!(arguments))];
        let whole: Vec<&str> = std::iter::once(command).chain(arguments.iter().copied()).collect();
        let fields = match shape {
            Shape::Plain | Shape::Toml => plain.into(),
            Shape::Stdio => std::iter::once(("type", json!("stdio"))).chain(plain).collect(),
            Shape::Local => vec![
                ("type", json!("local")),
                ("command", json!(whole)),
                ("enabled", json!(true)),
            ],
        };
        Self { fields }
    }

    /// It as a value.
    pub(super) fn value(&self) -> Value {
        let fields = self
            .fields
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()));
        Value::Object(fields.collect::<Map<_, _>>())
    }

    /// How what is there differs from it. Values that are not ours are not repeated: they may be secrets.
    pub(super) fn differences(&self, there: &Value) -> Vec<String> {
        let Some(there) = there.as_object() else {
            return vec![format!("`{NAME}` is not an object")];
        };
        let mut found = Vec::new();
        for (key, ours) in &self.fields {
            match there.get(*key) {
                Some(theirs) if theirs == ours => {}
                Some(theirs) => found.push(format!("`{key}` is {} and not {ours}", cut(&theirs.to_string()))),
                None => found.push(format!("`{key}` is missing")),
            }
        }
        let known = |key: &&String| self.fields.iter().any(|(ours, _)| ours == key);
        found.extend(
            there
                .keys()
                .filter(|key| !known(key))
                .map(|key| format!("`{}` is added", cut(key))),
        );
        found
    }
}

/// A text of a length that fits a line.
fn cut(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_names_the_command() {
        let value = |shape| Entry::new(shape, "lore").value();
        assert_eq!(value(Shape::Plain), json!({ "command": "lore", "args": ["mcp"] }));
        assert_eq!(
            value(Shape::Stdio),
            json!({ "type": "stdio", "command": "lore", "args": ["mcp"] })
        );
        assert_eq!(
            value(Shape::Local),
            json!({ "type": "local", "command": ["lore", "mcp"], "enabled": true })
        );
    }

    #[test]
    fn differences_are_told_without_what_may_be_secret() {
        let entry = Entry::new(Shape::Plain, "lore");
        assert_eq!(
            entry.differences(&json!({ "command": "/opt/lore", "env": { "TOKEN": "hunter2" } })),
            [
                "`command` is \"/opt/lore\" and not \"lore\"",
                "`args` is missing",
                "`env` is added"
            ]
        );
        assert_eq!(entry.differences(&entry.value()), [""; 0]);
        assert_eq!(entry.differences(&json!([])), ["`lore` is not an object"]);
    }
}
