//! `package.json`: packages of JavaScript and TypeScript.

use serde_json::{Map, Value};

use super::{Package, ProvideKind, Target, Task, last_part};
use crate::tree::Tree;

/// Scripts that are told, by what they are for.
const SCRIPTS: &[(&str, Task)] = &[
    ("build", Task::Build),
    ("compile", Task::Build),
    ("test", Task::Test),
    ("test:unit", Task::Test),
    ("lint", Task::Lint),
    ("check", Task::Lint),
    ("typecheck", Task::Lint),
    ("start", Task::Run),
    ("dev", Task::Run),
];

pub(super) fn read(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let Ok(Value::Object(manifest)) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let text_of = |key: &str| {
        manifest
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    package.name = text_of("name").map(str::to_owned);
    package.description = text_of("description").map(str::to_owned);
    let name = package.name_or_directory();
    match manifest.get("bin") {
        Some(Value::String(path)) => {
            let files = script_files(&package.directory, path);
            package.provide(ProvideKind::Binary, last_part(&name), Some(Target::File(files)));
        }
        Some(Value::Object(bins)) => {
            for (bin, path) in bins.iter().filter_map(|(bin, path)| Some((bin, path.as_str()?))) {
                let files = script_files(&package.directory, path);
                package.provide(ProvideKind::Binary, bin, Some(Target::File(files)));
            }
        }
        _ => {}
    }
    let main = ["source", "module", "main"].iter().filter_map(|key| text_of(key));
    let main: Vec<&str> = main.chain(exported(&manifest)).collect();
    let mut files: Vec<String> = main
        .iter()
        .flat_map(|path| script_files(&package.directory, path))
        .collect();
    let is_declared = !files.is_empty();
    if files.is_empty() {
        files.push(package.file("index.js"));
    }
    let is_private = manifest.get("private").and_then(Value::as_bool) == Some(true);
    let is_there = files.iter().any(|file| tree.has(file));
    // A package.json without a name below the root only says how a directory is loaded.
    if package.name.is_none() && !package.directory.is_empty() {
        return;
    }
    if is_there || is_declared && !is_private {
        package.provide_as(ProvideKind::Library, &name, Some(Target::File(files)), !is_private);
    }
    commands(tree, &manifest, package);
}

/// The main file among the `exports`.
fn exported(manifest: &Map<String, Value>) -> Option<&str> {
    let mut value = manifest.get("exports")?;
    for _ in 0..6 {
        value = match value {
            Value::String(path) => return Some(path),
            Value::Object(map) => [".", "import", "module", "default", "require", "node"]
                .iter()
                .find_map(|key| map.get(*key))?,
            _ => return None,
        };
    }
    None
}

fn commands(tree: &Tree<'_>, manifest: &Map<String, Value>, package: &mut Package) {
    let named = manifest.get("packageManager").and_then(Value::as_str);
    let named = named
        .and_then(|text| text.split('@').next())
        .filter(|name| ["npm", "pnpm", "yarn", "bun"].contains(name));
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
    ];
    let lock = locks.iter().find(|(file, _)| tree.has_in(&package.directory, file));
    let (manager, from) = match (named, lock) {
        (Some(name), _) => (name, None),
        (None, Some((file, name))) => (*name, Some(*file)),
        (None, None) => ("npm", None),
    };
    match from {
        Some(file) => package.command_from(Task::Install, &format!("{manager} install"), file),
        None => package.command(Task::Install, &format!("{manager} install")),
    }
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    for (script, task) in SCRIPTS {
        let Some(runs) = scripts.and_then(|scripts| scripts.get(*script)?.as_str()) else {
            continue;
        };
        // What `npm init` writes.
        if runs.contains("no test specified") {
            continue;
        }
        let command = match (manager, *script) {
            ("npm" | "pnpm" | "yarn", "test" | "start") => format!("{manager} {script}"),
            ("yarn", script) => format!("yarn {script}"),
            (manager, script) => format!("{manager} run {script}"),
        };
        package.command_of(*task, &command, None, Some(runs));
    }
}

/// Directories that compilers write to.
const COMPILED: &[&str] = &["build", "cjs", "dist", "esm", "lib", "out"];

/// The files that a path in a package.json can mean: the source that a compiler makes it from, itself, and with the endings that node tries.
pub(super) fn script_files(directory: &str, path: &str) -> Vec<String> {
    let path = path.trim_start_matches("./");
    let stem = ["js", "mjs", "cjs"]
        .iter()
        .find_map(|ending| path.strip_suffix(&format!(".{ending}")))
        .unwrap_or(path);
    let mut files = Vec::new();
    if let Some((_, below)) = stem.split_once('/').filter(|(first, _)| COMPILED.contains(first)) {
        let last = below.rsplit('/').next().unwrap_or(below);
        // `dist/vue.runtime.esm-bundler.js` is made from the main file of the sources.
        files.extend(
            [below, last, "index", "main"]
                .iter()
                .flat_map(|name| [".ts", ".tsx"].map(|ending| format!("src/{name}{ending}"))),
        );
    }
    files.push(path.to_owned());
    files.extend([".js", ".mjs", ".cjs", "/index.js"].map(|ending| format!("{path}{ending}")));
    files.extend([".ts", ".tsx"].map(|ending| format!("{stem}{ending}")));
    files
        .into_iter()
        .map(|file| lore_model::resolve_path(directory, &file))
        .collect()
}
