//! `Package.swift`: packages of Swift.

use super::{Package, ProvideKind, Task, quoted_after};
use crate::tree::Tree;

pub(super) fn read(_: &Tree<'_>, text: &str, package: &mut Package) {
    package.name = quoted_after(text, "name:").map(str::to_owned);
    for (word, kind) in [("executable(", ProvideKind::Binary), ("library(", ProvideKind::Library)] {
        // Products are members of a type that the context implies: `.executable(name: …)`.
        let calls = text.match_indices(word).filter(|(at, _)| text[..*at].ends_with('.'));
        for (at, _) in calls.take(20) {
            if let Some(name) = quoted_after(&text[at..], "name:") {
                package.provide(kind, name, None);
            }
        }
    }
    package.command(Task::Build, "swift build");
    package.command(Task::Test, "swift test");
}
