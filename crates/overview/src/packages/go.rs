//! `go.mod`: modules of Go. Programs are the packages called `main`, which the graph knows.

use super::super::aside::{directory, is_showing};
use super::{Package, ProvideKind, Target, Task, last_part};
use crate::tree::Tree;

/// Files of Go whose first lines are read to find a package that others can import.
const MAX_READ: usize = 40;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("module "));
    let Some(module) = line.map(|line| line.split("//").next().unwrap_or(line).trim().trim_matches('"')) else {
        return;
    };
    package.name = Some(module.to_owned());
    package.command(Task::Build, "go build ./...");
    package.command(Task::Test, "go test ./...");
    let is_library = |path: &&str| {
        let below = path.strip_prefix(package.directory.as_str()).unwrap_or(path);
        let is_source = path.ends_with(".go") && !path.ends_with("_test.go");
        is_source
            && !directory(below)
                .split('/')
                .any(|part| matches!(part, "internal" | "cmd" | "vendor"))
            && !is_showing(below)
    };
    let mut files: Vec<&str> = tree.below(&package.directory).filter(is_library).collect();
    files.sort_by_key(|path| (path.matches('/').count(), *path));
    let is_main = |text: &str| text.lines().any(|line| line.trim_end() == "package main");
    let found = files
        .into_iter()
        .take(MAX_READ)
        .find(|path| tree.read(path).is_some_and(|text| !is_main(&text)));
    if let Some(path) = found {
        package.provide(ProvideKind::Library, module, Some(Target::File(vec![path.to_owned()])));
    }
}

/// The name of the program in a directory of Go: that of the directory, or of the module at its root.
pub(crate) fn program_name(directory: &str, module: Option<&str>) -> String {
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|number| number.parse::<u32>().is_ok())
    };
    match (directory, module) {
        ("", Some(module)) => {
            let mut parts = module.rsplit('/');
            parts.find(|part| !is_version(part)).unwrap_or(module).to_owned()
        }
        (directory, _) => last_part(directory).to_owned(),
    }
}
