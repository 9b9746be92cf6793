//! `Prompt`: a job that people give agents often, with how to go about it. `Skill`: the same as a file that agents find by themselves.

use std::collections::BTreeMap;

use super::Completion;

/// A job.
#[derive(Clone, Copy)]
pub struct Prompt {
    /// Its name for programs.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it takes.
    pub arguments: &'static [PromptArgument],
    /// The text for the agent, with the arguments that were given.
    pub text: fn(&BTreeMap<String, String>) -> String,
}

/// An argument of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PromptArgument {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Whether the job makes no sense without it.
    pub required: bool,
    /// What it may be.
    pub completion: Completion,
}

/// A job that agents find by themselves, in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    /// Its name, which is that of its directory.
    pub name: &'static str,
    /// When it is of use.
    pub description: &'static str,
    /// How to go about it.
    pub text: &'static str,
}
