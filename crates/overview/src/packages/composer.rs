//! `composer.json`: packages of PHP.

use serde_json::Value;

use super::{Package, ProvideKind, Target, Task, last_part};
use crate::tree::Tree;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let Ok(Value::Object(manifest)) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let text_of = |key: &str| manifest.get(key).and_then(Value::as_str);
    package.name = text_of("name").map(str::to_owned);
    package.description = text_of("description").map(str::to_owned);
    let bins = match manifest.get("bin") {
        Some(Value::String(path)) => vec![path.as_str()],
        Some(Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for path in bins {
        let file = package.file(path);
        package.provide(ProvideKind::Binary, last_part(path), Some(Target::File(vec![file])));
    }
    let kind = text_of("type").unwrap_or("library");
    if let Some(name) = package
        .name
        .clone()
        .filter(|_| kind != "project" && manifest.contains_key("autoload"))
    {
        package.provide(ProvideKind::Library, &name, None);
    }
    package.command(Task::Install, "composer install");
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    for (script, task) in [("test", Task::Test), ("build", Task::Build), ("lint", Task::Lint)] {
        if let Some(value) = scripts.and_then(|scripts| scripts.get(script)) {
            package.command_of(task, &format!("composer {script}"), None, value.as_str());
        }
    }
    for file in ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"] {
        if tree.has_in(&package.directory, file) {
            package.command_from(Task::Test, "vendor/bin/phpunit", file);
            break;
        }
    }
}
