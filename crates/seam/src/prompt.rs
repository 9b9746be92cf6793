//! `Prompt`: an MCP prompt for a common task. `Skill`: the same instructions as a file that agents discover.

use std::collections::BTreeMap;

use super::Completion;

/// An MCP prompt: instructions for a common task.
#[derive(Clone, Copy)]
pub struct Prompt {
    /// The machine-readable name.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// What the prompt is for.
    pub description: &'static str,
    /// The arguments of the prompt.
    pub arguments: &'static [PromptArgument],
    /// Produces the text for the agent from the arguments.
    pub text: fn(&BTreeMap<String, String>) -> String,
}

/// An argument of a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PromptArgument {
    /// The name of the argument.
    pub name: &'static str,
    /// What the argument means.
    pub description: &'static str,
    /// Whether the argument is required.
    pub required: bool,
    /// The values that clients can offer.
    pub completion: Completion,
}

/// Instructions for a task, in a skill file that agents discover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    /// The name of the skill and of its directory.
    pub name: &'static str,
    /// When an agent should use the skill.
    pub description: &'static str,
    /// The instructions.
    pub text: &'static str,
}
