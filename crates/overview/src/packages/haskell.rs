//! `*.cabal`: packages of Haskell.

use super::{Package, ProvideKind, Task};
use crate::tree::Tree;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        let value = line.split_once(':').map(|(_, value)| value.trim().to_owned());
        match (words.as_slice(), line.starts_with([' ', '\t'])) {
            ([key, ..], false) if key.eq_ignore_ascii_case("name:") => package.name = value,
            ([key, ..], false) if key.eq_ignore_ascii_case("synopsis:") => package.description = value,
            ([key, name], false) if key.eq_ignore_ascii_case("executable") => {
                package.provide(ProvideKind::Binary, name, None)
            }
            ([key], false) if key.eq_ignore_ascii_case("library") => {
                let name = package.name_or_directory();
                package.provide(ProvideKind::Library, &name, None);
            }
            _ => {}
        }
    }
    let tool = if tree.has_in(&package.directory, "stack.yaml") {
        "stack"
    } else {
        "cabal"
    };
    package.command(Task::Build, &format!("{tool} build"));
    package.command(Task::Test, &format!("{tool} test"));
}
