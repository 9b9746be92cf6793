//! Makefiles and justfiles: their targets that everybody knows.

use super::{Package, Task};
use crate::tree::Tree;

/// Targets that are told, by what they are for.
const TARGETS: &[(&str, Task)] = &[
    ("build", Task::Build),
    ("all", Task::Build),
    ("test", Task::Test),
    ("tests", Task::Test),
    ("check", Task::Test),
    ("lint", Task::Lint),
    ("run", Task::Run),
];

pub(super) fn makefile(tree: &Tree<'_>, text: &str, package: &mut Package) {
    told(text, "make", package);
    // The first target is what `make` alone makes.
    if !package.commands.iter().any(|command| command.task == Task::Build) {
        let first = text.lines().find_map(target);
        let is_build = first.is_some_and(|name| matches!(name, "default" | "build" | "all"));
        let makes_below = text.contains(".DEFAULT") || text.contains("$(MAKE)");
        if is_build || makes_below {
            package.command(Task::Build, "make");
        }
    }
    // A Makefile that hands every target on to one in another directory.
    let hands_on = text.lines().any(|line| line.starts_with(".DEFAULT:"));
    let below = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("cd ")?.split_once(" && $(MAKE)"))
        .map(|(directory, _)| directory.trim());
    if let Some(directory) = below.filter(|_| hands_on) {
        let path = package.file(&format!("{directory}/Makefile"));
        if let Some(text) = tree.read(&path) {
            for (name, task) in TARGETS {
                if text.lines().filter_map(target).any(|known| known == *name) {
                    package.command_of(*task, &format!("make {name}"), Some(path.clone()), None);
                }
            }
        }
    }
}

pub(super) fn justfile(_: &Tree<'_>, text: &str, package: &mut Package) {
    told(text, "just", package);
}

fn told(text: &str, tool: &str, package: &mut Package) {
    for (name, task) in TARGETS {
        if text.lines().filter_map(target).any(|known| known == *name) {
            package.command(*task, &format!("{tool} {name}"));
        }
    }
}

/// The target that a line begins the rule of.
fn target(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let name = name.split_whitespace().next()?;
    let is_name = name
        .chars()
        .all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
    (is_name && !rest.starts_with('=') && !line.starts_with([' ', '\t', '#'])).then_some(name)
}
