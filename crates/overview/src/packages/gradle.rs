//! `build.gradle`, `settings.gradle` and `build.sbt`: builds of the JVM that are programs themselves. Only literal settings are read.

use super::{Package, ProvideKind, Task, quoted_after};
use crate::tree::Tree;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let is_settings = package
        .path
        .rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with("settings"));
    if tree.has_in(&package.directory, "gradlew") {
        package.command_from(Task::Build, "./gradlew build", "gradlew");
        package.command_from(Task::Test, "./gradlew test", "gradlew");
    } else {
        package.command(Task::Build, "gradle build");
        package.command(Task::Test, "gradle test");
    }
    if is_settings {
        package.name = quoted_after(text, "rootProject.name").map(str::to_owned);
        return;
    }
    package.description = top_level(text, "description");
    let has_plugin = |names: &[&str]| {
        let mut lines = text.lines().map(str::trim);
        lines.any(|line| {
            let is_plugin = line.starts_with("id")
                || line.starts_with("apply plugin")
                || line.starts_with('`')
                || line.starts_with("java");
            is_plugin
                && names.iter().any(|name| {
                    line.contains(&format!("\"{name}\""))
                        || line.contains(&format!("'{name}'"))
                        || line == *name
                        || line.starts_with(&format!("`{name}`"))
                })
        })
    };
    let name = package.name_or_directory();
    if has_plugin(&["application", "com.android.application"]) {
        package.provide(ProvideKind::Binary, &name, None);
    } else if has_plugin(&["org.springframework.boot", "io.quarkus", "war"]) {
        package.provide(ProvideKind::Service, &name, None);
    } else if has_plugin(&[
        "java-library",
        "com.android.library",
        "maven-publish",
        "java-gradle-plugin",
    ]) {
        package.provide(ProvideKind::Library, &name, None);
    }
}

/// A setting at the start of a line.
fn top_level(text: &str, key: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    quoted_after(line, key).map(str::to_owned)
}

pub(super) fn sbt(_: &Tree<'_>, text: &str, package: &mut Package) {
    package.name = quoted_after(text, "name :").map(str::to_owned);
    package.description = quoted_after(text, "description :").map(str::to_owned);
    package.command(Task::Build, "sbt compile");
    package.command(Task::Test, "sbt test");
    let name = package.name_or_directory();
    package.provide(ProvideKind::Library, &name, None);
}
