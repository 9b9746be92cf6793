//! `Cargo.toml`: crates of Rust.

use toml::{Table, Value};

use super::super::aside::directory;
use super::{Package, ProvideKind, Target, Task, last_part};
use crate::tree::Tree;

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let Ok(manifest) = text.parse::<Table>() else {
        return;
    };
    let is_workspace = manifest.contains_key("workspace");
    let all = if is_workspace { " --workspace" } else { "" };
    package.command(Task::Build, &format!("cargo build{all}"));
    package.command(Task::Test, &format!("cargo test{all}"));
    let Some(own) = manifest.get("package").and_then(Value::as_table) else {
        return;
    };
    let setting = |key: &str| -> Option<Value> {
        match own.get(key)? {
            // `description.workspace = true`
            Value::Table(_) => inherited(tree, &package.directory, key),
            value => Some(value.clone()),
        }
    };
    let text_of = |key: &str| setting(key).and_then(|value| value.as_str().map(str::to_owned));
    let (name, description) = (text_of("name"), text_of("description"));
    let is_public = setting("publish").and_then(|value| value.as_bool()) != Some(false);
    package.name = name;
    package.description = description;
    let name = package.name_or_directory();
    let mut known: Vec<String> = Vec::new();
    for bin in manifest.get("bin").and_then(Value::as_array).into_iter().flatten() {
        let Some(bin_name) = bin.get("name").and_then(Value::as_str) else {
            continue;
        };
        let files = match bin.get("path").and_then(Value::as_str) {
            Some(path) => vec![package.file(path)],
            None => ["src/bin/{}.rs", "src/bin/{}/main.rs", "src/main.rs"]
                .map(|path| package.file(&path.replace("{}", bin_name)))
                .to_vec(),
        };
        known.extend(files.iter().find(|file| tree.has(file)).or(files.first()).cloned());
        package.provide(ProvideKind::Binary, bin_name, Some(Target::File(files)));
    }
    let finds = own.get("autobins").and_then(Value::as_bool) != Some(false);
    let main = package.file("src/main.rs");
    if finds && tree.has(&main) && !known.contains(&main) {
        package.provide(ProvideKind::Binary, &name, Some(Target::File(vec![main])));
    }
    let bins = package.file("src/bin");
    for path in tree.below(&bins).filter(|_| finds).take(100) {
        let name = match path.strip_suffix("/main.rs") {
            Some(named) if directory(named) == bins => last_part(named),
            None if directory(path) == bins => last_part(path).trim_end_matches(".rs"),
            _ => continue,
        };
        if path.ends_with(".rs") && !known.iter().any(|known| known == path) {
            package.provide(ProvideKind::Binary, name, Some(Target::File(vec![path.to_owned()])));
        }
    }
    let library = manifest.get("lib").and_then(Value::as_table);
    let path = library.and_then(|library| library.get("path")?.as_str());
    let path = package.file(path.unwrap_or("src/lib.rs"));
    if tree.has(&path) {
        package.provide_as(ProvideKind::Library, &name, Some(Target::File(vec![path])), is_public);
    }
}

/// A setting of `[workspace.package]` in the nearest directory above.
fn inherited(tree: &Tree<'_>, from: &str, key: &str) -> Option<Value> {
    let mut above = from;
    for _ in 0..32 {
        let path = lore_model::join_path(above, "Cargo.toml");
        let manifest: Option<Table> = tree.read(&path).and_then(|text| text.parse().ok());
        let workspace = manifest.as_ref().and_then(|manifest| manifest.get("workspace"));
        if let Some(workspace) = workspace {
            return workspace.get("package")?.get(key).cloned();
        }
        if above.is_empty() {
            return None;
        }
        above = directory(above);
    }
    None
}
