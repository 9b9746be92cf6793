//! `*.gemspec` and `Rakefile`: gems of Ruby.

use super::{Package, ProvideKind, Target, Task, quoted_after};
use crate::tree::Tree;

pub(super) fn gemspec(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let stem = package
        .path
        .rsplit('/')
        .next()
        .and_then(|name| name.strip_suffix(".gemspec"));
    let name = quoted_after(text, "name")
        .or_else(|| quoted_after(text, "Specification.new"))
        .or(stem);
    let Some(name) = name.map(str::to_owned) else {
        return;
    };
    package.name = Some(name.clone());
    package.description = quoted_after(text, "summary")
        .or_else(|| quoted_after(text, "description"))
        .map(str::to_owned);
    for line in text.lines().filter(|line| line.contains(".executables")) {
        let list = line.split_once('=').map_or("", |(_, list)| list).trim();
        let words = list
            .strip_prefix("%w")
            .map(|list| list.trim_matches(['[', ']', '(', ')', '{', '}']));
        let names: Vec<&str> = match words {
            Some(words) => words.split_whitespace().collect(),
            None => list.split(['"', '\'']).skip(1).step_by(2).collect(),
        };
        for bin in names.into_iter().take(20) {
            let files = ["exe", "bin"]
                .map(|directory| package.file(&format!("{directory}/{bin}")))
                .to_vec();
            package.provide(ProvideKind::Binary, bin, Some(Target::File(files)));
        }
    }
    let files = [name.clone(), name.replace('-', "/"), name.replace('-', "_")]
        .map(|path| package.file(&format!("lib/{path}.rb")));
    package.provide(ProvideKind::Library, &name, Some(Target::File(files.to_vec())));
    package.command(Task::Build, &format!("gem build {name}.gemspec"));
    if tree.has_in(&package.directory, "Gemfile") {
        package.command_from(Task::Install, "bundle install", "Gemfile");
    }
    if tree.has_in(&package.directory, ".rspec") {
        package.command_from(Task::Test, "bundle exec rspec", ".rspec");
    }
}

/// The tasks of a Rakefile.
pub(super) fn rakefile(_: &Tree<'_>, text: &str, package: &mut Package) {
    let is_task = |name: &str| {
        text.lines().map(str::trim_start).any(|line| {
            let rest = line
                .strip_prefix("task")
                .map(|rest| rest.trim_start_matches(['(', ' ']));
            let named = [
                format!(":{name}"),
                format!("'{name}'"),
                format!("\"{name}\""),
                format!("{name}:"),
            ];
            rest.is_some_and(|rest| {
                named.iter().any(|named| {
                    rest.strip_prefix(named.as_str())
                        .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
                })
            })
        })
    };
    if is_task("test") || text.contains("Rake::TestTask") || text.contains("Minitest::TestTask") {
        package.command(Task::Test, "bundle exec rake test");
    }
    if is_task("spec") || text.contains("RSpec::Core::RakeTask") {
        package.command(Task::Test, "bundle exec rake spec");
    }
    if is_task("build") || text.contains("bundler/gem_tasks") {
        package.command(Task::Build, "bundle exec rake build");
    }
}
