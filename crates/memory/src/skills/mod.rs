//! The three jobs around memory: finding out what is to be done, planning it, doing it. Agents get them as prompts, and as files that `lore init --skills` writes.

use std::collections::BTreeMap;

use lore_seam::{Completion, Prompt, PromptArgument, Skill};

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
        description: "Carry out a task of this repository: read knowledge, do and verify the work, write back what was learned, advance the task",
        text: EXECUTION,
    },
    Skill {
        name: "lore-planning",
        description: "Plan work as a feature and tasks with plans, context files and dependencies, using knowledge about the code",
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

pub static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "memory_discovery",
        title: "Find the next task",
        description: "The next task here, and knowledge about the code that it touches",
        arguments: &[argument(
            "project",
            "The project, by id or name [default: the project of this repository]",
            false,
        )],
        text: discovery,
    },
    Prompt {
        name: "memory_planning",
        title: "Plan work as tasks",
        description: "Turns work into a feature with tasks, plans and context files",
        arguments: &[
            argument("work", "The work in one sentence", true),
            argument(
                "project",
                "The project, by id or name [default: the project of this repository]",
                false,
            ),
        ],
        text: planning,
    },
    Prompt {
        name: "memory_execution",
        title: "Carry out a task",
        description: "Carries out and verifies a task, and records what was learned",
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
mod tests;
