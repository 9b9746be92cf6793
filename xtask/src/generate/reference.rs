//! The reference under `docs/reference/`, from the table of operations.

use std::collections::BTreeMap;
use std::fmt::Write;

use lore_ask::{OPERATIONS, TOOLS};
use lore_seam::{Access, AnswerKind, OperationEntry, Tool};
use serde::Serialize;

use crate::Outcome;

/// How the name of an operation's schema ends; every file of the directory that ends so is a generated one.
pub(super) const SCHEMA_SUFFIX: &str = ".schema.json";
/// Columns of a help text.
const HELP_WIDTH: usize = 100;

/// Every file of the reference, by name.
pub(super) fn files() -> Outcome<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for operation in OPERATIONS {
        files.insert(format!("{}{SCHEMA_SUFFIX}", operation.name), schema(operation)?);
    }
    files.insert("operations.md".to_owned(), page(OPERATIONS, TOOLS));
    Ok(files)
}

/// What a schema file says, in this order.
#[derive(Serialize)]
struct SchemaFile {
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    access: &'static str,
    answer: &'static str,
    description: String,
    request: serde_json::Value,
    response: Option<serde_json::Value>,
}

fn schema(operation: &OperationEntry) -> Outcome<String> {
    let file = SchemaFile {
        operation: operation.name,
        command: (!operation.command.is_empty()).then(|| typed(operation)),
        access: access_name(operation.access),
        answer: answer_name(operation.answer),
        description: operation.description(),
        request: operation.request_schema().to_value(),
        response: operation.answer_schema().map(|schema| schema.to_value()),
    };
    let text = serde_json::to_string_pretty(&file);
    text.map(|text| text + "\n")
        .map_err(|error| format!("the schema of `{}` cannot be written: {error}", operation.name))
}

/// The operations and tools for people.
fn page(operations: &[OperationEntry], tools: &[Tool]) -> String {
    let mut page = String::from(
        "# Operations\n\n\
         Everything one can ask Lore: on the command line under the command, over MCP as the tool of that name. The schema of each\n\
         request and answer stands beside this page. `cargo xtask generate` writes both from the code.\n",
    );
    let (typed_ones, called_ones): (Vec<_>, Vec<_>) =
        operations.iter().partition(|operation| !operation.command.is_empty());
    for operation in typed_ones {
        let _ = write!(
            page,
            "\n## `{}`\n\n{}\n\n- tool: `{}` ([schema]({}{SCHEMA_SUFFIX}))\n- access: {}\n- answer: {}\n\n```text\n{}\n```\n",
            typed(operation),
            summary(&operation.description()),
            operation.name,
            operation.name,
            access_name(operation.access),
            answer_meaning(operation.answer),
            help(operation)
        );
    }
    // Tools that a specification names have commands of their own beside them.
    for operation in called_ones {
        let _ = write!(
            page,
            "\n## Tool `{}`\n\n{}\n\n- [schema]({}{SCHEMA_SUFFIX})\n- access: {}\n",
            operation.name,
            summary(&operation.description()),
            operation.name,
            access_name(operation.access)
        );
    }
    for tool in tools {
        let _ = write!(
            page,
            "\n## Tool `{}`\n\n{}\n\n| `{}` | operation |\n|---|---|\n",
            tool.name, tool.description, tool.discriminator
        );
        for branch in tool.branches {
            let _ = writeln!(page, "| `{}` | `{}` |", branch.value, branch.operation);
        }
    }
    page
}

/// The long help as the command line shows it, without colour.
fn help(operation: &OperationEntry) -> String {
    let last = operation.command.last().copied().unwrap_or(operation.name);
    let command = clap::Command::new(last)
        .bin_name(typed(operation))
        .term_width(HELP_WIDTH);
    let help = operation.augment(command).render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

/// The first paragraph; the help goes on from there.
fn summary(description: &str) -> &str {
    description.split("\n\n").next().unwrap_or(description)
}

/// An operation as one types it; one that only agents call goes by its name.
fn typed(operation: &OperationEntry) -> String {
    match operation.command {
        [] => operation.name.to_owned(),
        words => format!("lore {}", words.join(" ")),
    }
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Export => "export",
        Access::Record => "record",
        Access::Write => "write",
    }
}

fn answer_name(answer: AnswerKind) -> &'static str {
    match answer {
        AnswerKind::Value => "value",
        AnswerKind::Rows => "rows",
        AnswerKind::Bytes => "bytes",
    }
}

fn answer_meaning(answer: AnswerKind) -> &'static str {
    match answer {
        AnswerKind::Value => "one value",
        AnswerKind::Rows => "rows, one JSON object a line with `--json`",
        AnswerKind::Bytes => "bytes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_schema_and_a_section() {
        let files = files().expect("the table can be written");
        let page = &files["operations.md"];
        for operation in OPERATIONS {
            assert!(
                files.contains_key(&format!("{}.schema.json", operation.name)),
                "{}",
                operation.name
            );
            let section = match operation.command {
                [] => format!("\n## Tool `{}`\n", operation.name),
                _ => format!("\n## `{}`\n", typed(operation)),
            };
            assert!(page.contains(&section), "{}", operation.name);
        }
        for tool in TOOLS {
            assert!(page.contains(&format!("\n## Tool `{}`\n", tool.name)), "{}", tool.name);
        }
    }

    #[test]
    fn help_is_plain_text_of_bounded_width() {
        for operation in OPERATIONS {
            let help = help(operation);
            assert!(!help.contains('\u{1b}'), "{}", operation.name);
            assert!(help.contains(&format!("Usage: {}", typed(operation))), "{help}");
        }
    }
}
