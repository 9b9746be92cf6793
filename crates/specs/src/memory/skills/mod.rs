//! The three jobs around memory: finding out what is to be done, planning it, doing it. Agents get them as prompts, and as files that `lore init --skills` writes.

use std::collections::BTreeMap;

use crate::seam::{Completion, Prompt, PromptArgument, Skill};

/// What is to be done next, and what is known of it.
const DISCOVERY: &str = include_str!("discovery.md");
/// A piece of work becomes a feature with tasks.
const PLANNING: &str = include_str!("planning.md");
/// A task is carried out, and what it taught is kept.
const EXECUTION: &str = include_str!("execution.md");

/// The skills, by name.
pub static SKILLS: &[Skill] = &[
    Skill {
        name: "lore-discovery",
        description: "Find the next task of this repository and what is known of the code that it touches, before starting work or when asked what to do next",
        text: DISCOVERY,
    },
    Skill {
        name: "lore-execution",
        description: "Carry out a task of this repository: read what is known, do and verify it, write back what it taught, move the task on",
        text: EXECUTION,
    },
    Skill {
        name: "lore-planning",
        description: "Turn a piece of work into a feature and tasks with plans, context files and dependencies, from what is known of the code",
        text: PLANNING,
    },
];

const fn argument(name: &'static str, description: &'static str, required: bool) -> PromptArgument {
    PromptArgument {
        name,
        description,
        required,
        completion: Completion::None,
    }
}

/// The prompts.
pub static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "memory_discovery",
        title: "Find the next task",
        description: "What is to be done next here, and what is known of the code that it touches",
        arguments: &[argument(
            "project",
            "The project, by id or name [default: this repository's]",
            false,
        )],
        text: discovery,
    },
    Prompt {
        name: "memory_planning",
        title: "Plan work as tasks",
        description: "A piece of work becomes a feature with tasks, plans and context files",
        arguments: &[
            argument("work", "What is to be done, in a sentence", true),
            argument(
                "project",
                "The project, by id or name [default: this repository's]",
                false,
            ),
        ],
        text: planning,
    },
    Prompt {
        name: "memory_execution",
        title: "Carry out a task",
        description: "A task is done and verified, and what it taught is kept",
        arguments: &[argument("task", "The task, by id or title", true)],
        text: execution,
    },
];

fn with(text: &str, arguments: &BTreeMap<String, String>, named: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (name, title) in named {
        let given = arguments
            .get(*name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty());
        if let Some(given) = given {
            out.push_str(&format!("{title}: {given}\n"));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
    out
}

fn discovery(arguments: &BTreeMap<String, String>) -> String {
    with(DISCOVERY, arguments, &[("project", "Project")])
}

fn planning(arguments: &BTreeMap<String, String>) -> String {
    with(PLANNING, arguments, &[("work", "Work"), ("project", "Project")])
}

fn execution(arguments: &BTreeMap<String, String>) -> String {
    with(EXECUTION, arguments, &[("task", "Task")])
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};

    use super::*;
    use crate::seam::arguments;

    /// The calls that a text shows: the tool and its arguments.
    fn calls(text: &str) -> Vec<(String, Map<String, Value>)> {
        let mut calls = Vec::new();
        let mut inside = false;
        for line in text.lines() {
            if line.trim() == "```" {
                inside = !inside;
            } else if inside {
                let (tool, given) = line.split_once(' ').expect("a tool and its arguments");
                let given: Value = serde_json::from_str(given).unwrap_or_else(|error| panic!("{line}: {error}"));
                calls.push((tool.to_owned(), given.as_object().expect("an object").clone()));
            }
        }
        calls
    }

    /// What each operation of a tool cannot do without.
    fn needed(tool: &str, operation: &str, kind: &str) -> &'static [&'static str] {
        match (tool, operation, kind) {
            ("query_container", "get", _) => &["id"],
            ("manage_container", "create", "feature") => &["name", "summary", "priority"],
            ("manage_container", "create", "task") => &["title", "summary", "priority", "complexity"],
            ("query_templates", "get", _) => &["id"],
            ("manage_sections", "updateText", _) => &["sectionId", "version", "content"],
            ("manage_sections", "add", _) => &["entityType", "entityId", "title", "usageDescription", "content"],
            ("apply_template", ..) => &["templateId", "entityType", "entityId"],
            ("query_sections", ..) => &["entityType", "entityId"],
            ("manage_dependency", "create", _) => &["fromId", "toId", "type"],
            ("advance", ..) => &["containerType", "id", "version"],
            ("query_workflow_state", ..) => &["containerType", "id"],
            ("query_graph", "search", _) => &["entityType", "projectId"],
            ("query_graph", "context", _) => &["projectId", "paths"],
            ("graph_commit", ..) => &["taskId"],
            _ => &[],
        }
    }

    #[test]
    fn d27_skills_name_tools_and_arguments_that_exist_and_leave_none_out() {
        for skill in SKILLS {
            let shown = calls(skill.text);
            assert!(shown.len() >= 5, "{}", skill.name);
            for (tool, given) in shown {
                let Some(entry) = crate::OPERATIONS.iter().find(|entry| entry.name == tool) else {
                    panic!("{}: there is no tool {tool}", skill.name);
                };
                let schema = entry.request_schema().to_value();
                let known: Vec<&str> = arguments(&schema).into_iter().map(|(name, _)| name.as_str()).collect();
                let required = schema
                    .get("required")
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default();
                for name in given.keys() {
                    assert!(known.contains(&name.as_str()), "{}: {tool} has no {name}", skill.name);
                }
                let word = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                let needed = needed(&tool, &word("operation"), &word("containerType"))
                    .iter()
                    .copied();
                let needed = needed.chain(required.iter().filter_map(Value::as_str));
                for name in needed {
                    assert!(given.contains_key(name), "{}: {tool} needs {name}", skill.name);
                }
            }
            for wrong in ["allowedTransitions", "fromTaskId", "IN_PROGRESS", "PENDING"] {
                assert!(!skill.text.contains(wrong), "{}: {wrong}", skill.name);
            }
        }
    }

    #[test]
    fn w5_planning_and_execution_need_few_calls_to_the_graph() {
        for (skill, writes) in [("lore-planning", 1), ("lore-execution", 1)] {
            let skill = SKILLS.iter().find(|known| known.name == skill).expect("known");
            let tools: Vec<String> = calls(skill.text).into_iter().map(|(tool, _)| tool).collect();
            let graph = ["query_graph", "manage_graph", "manage_changelog", "graph_commit"];
            assert!(
                tools.iter().filter(|tool| graph.contains(&tool.as_str())).count() <= 6,
                "{tools:?}"
            );
            assert_eq!(tools.iter().filter(|tool| *tool == "graph_commit").count(), writes);
        }
    }

    #[test]
    fn l14_prompts_say_what_the_files_say() {
        for (prompt, skill) in [
            ("memory_discovery", "lore-discovery"),
            ("memory_planning", "lore-planning"),
            ("memory_execution", "lore-execution"),
        ] {
            let prompt = PROMPTS.iter().find(|known| known.name == prompt).expect("known");
            let skill = SKILLS.iter().find(|known| known.name == skill).expect("known");
            assert_eq!((prompt.text)(&BTreeMap::new()), skill.text);
            let given: BTreeMap<String, String> = prompt
                .arguments
                .iter()
                .map(|argument| (argument.name.to_owned(), " x ".to_owned()))
                .collect();
            let text = (prompt.text)(&given);
            assert!(text.ends_with(skill.text) && text.len() > skill.text.len() && text.contains(": x\n"));
        }
        assert_eq!(
            planning(&[("work".to_owned(), "retry".to_owned())].into())
                .lines()
                .next(),
            Some("Work: retry")
        );
    }
}
