//! Builds of C, C++ and Zig: CMake, Meson, Autotools and `build.zig`. Only literal names are read.

use super::{Package, ProvideKind, Task, quoted_after};
use crate::tree::Tree;

/// The words between the parentheses of each call of a command.
fn calls<'t>(text: &'t str, command: &str) -> Vec<Vec<&'t str>> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let called = text
        .match_indices(command)
        .filter(|(at, _)| !text[..*at].ends_with(is_name));
    let inner = called.filter_map(|(at, _)| text[at + command.len()..].trim_start().strip_prefix('('));
    let inner = inner.filter_map(|rest| rest.split(')').next());
    inner
        .take(100)
        .map(|inner| {
            inner
                .split_whitespace()
                .take(40)
                .map(|word| word.trim_matches(['"', '\'', ',']))
                .collect()
        })
        .collect()
}

pub(super) fn cmake(_: &Tree<'_>, text: &str, package: &mut Package) {
    let text: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n");
    let is_literal = |name: &&&str| !name.contains('$');
    let calls_project = calls(&text, "project");
    package.name = calls_project
        .first()
        .and_then(|words| words.first())
        .filter(is_literal)
        .map(|name| (*name).to_owned());
    if package.name.is_some() {
        package.description = quoted_after(&text, "DESCRIPTION").map(str::to_owned);
    }
    for (command, kind) in [
        ("add_executable", ProvideKind::Binary),
        ("add_library", ProvideKind::Library),
    ] {
        for words in calls(&text, command) {
            let is_own = !words
                .iter()
                .any(|word| matches!(*word, "ALIAS" | "IMPORTED" | "OBJECT"));
            let name = words.first().filter(is_literal).filter(|_| is_own);
            let words = name.map(|name| name.to_ascii_lowercase());
            let is_test = words.is_some_and(|name| {
                name.split(['_', '-']).any(|word| {
                    matches!(
                        word,
                        "test" | "tests" | "example" | "bench" | "benchmark" | "fuzz" | "fuzzer"
                    )
                })
            });
            if let Some(name) = name.filter(|_| !is_test) {
                package.provide(kind, name, None);
            }
        }
    }
    package.command(Task::Build, "cmake -B build && cmake --build build");
    if text.contains("enable_testing") || text.contains("add_test") || text.contains("include(CTest)") {
        package.command(Task::Test, "ctest --test-dir build");
    }
}

pub(super) fn meson(_: &Tree<'_>, text: &str, package: &mut Package) {
    let project = calls(text, "project");
    package.name = project
        .first()
        .and_then(|words| words.first())
        .map(|name| (*name).to_owned());
    for (command, kind) in [
        ("executable", ProvideKind::Binary),
        ("library", ProvideKind::Library),
        ("shared_library", ProvideKind::Library),
    ] {
        for words in calls(text, command) {
            if let Some(name) = words.first().filter(|name| !name.contains(['@', '+', '.'])) {
                package.provide(kind, name, None);
            }
        }
    }
    package.command(Task::Build, "meson setup build && meson compile -C build");
    if !calls(text, "test").is_empty() || text.contains("subdir('test") {
        package.command(Task::Test, "meson test -C build");
    }
}

pub(super) fn autotools(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let init = calls(text, "AC_INIT");
    package.name = init
        .first()
        .and_then(|words| words.first())
        .map(|name| name.trim_matches(['[', ']', ',']).to_owned());
    let configure = if tree.has_in(&package.directory, "configure") {
        ""
    } else {
        "autoreconf -i && "
    };
    package.command(Task::Build, &format!("{configure}./configure && make"));
    package.command(Task::Test, "make check");
}

pub(super) fn zig(_: &Tree<'_>, text: &str, package: &mut Package) {
    package.command(Task::Build, "zig build");
    if text.contains("addTest") {
        package.command(Task::Test, "zig build test");
    }
}
