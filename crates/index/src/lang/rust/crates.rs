//! How Rust crates and modules are named: by Cargo's manifests and the places where Cargo looks.

use lore_model::RepoPath;

use crate::layout::{Layout, Root, has_directory, join_path, longest_root, relative};

/// The packages, with the files that begin a crate of their own.
pub(super) fn roots(layout: &Layout<'_>) -> Vec<Root> {
    layout
        .package_files("Cargo.toml")
        .filter_map(|(directory, text)| package(layout, directory, text))
        .collect()
}

fn package(layout: &Layout<'_>, directory: &str, text: &str) -> Option<Root> {
    let manifest = text.parse::<toml::Table>().ok()?;
    let text_at = |table: Option<&toml::Value>, key: &str| table?.get(key)?.as_str().map(str::to_owned);
    let package_name = text_at(manifest.get("package"), "name")?;
    let library = manifest.get("lib");
    let name = text_at(library, "name").unwrap_or(package_name).replace('-', "_");
    let library = join_path(
        directory,
        &text_at(library, "path").unwrap_or_else(|| "src/lib.rs".to_owned()),
    );
    let has_library = layout.contains(&library);
    let mut entries = Vec::new();
    if has_library {
        entries.push((library, name.clone()));
    }
    let mut targets = Vec::new();
    for (key, folder) in [
        ("bin", "bin"),
        ("test", "tests"),
        ("example", "examples"),
        ("bench", "benches"),
    ] {
        for target in manifest.get(key).and_then(toml::Value::as_array).into_iter().flatten() {
            if let (Some(target_name), Some(path)) = (text_at(Some(target), "name"), text_at(Some(target), "path")) {
                targets.push((folder, target_name.replace('-', "_"), join_path(directory, &path)));
            }
        }
    }
    let main = join_path(directory, "src/main.rs");
    let binaries = targets.iter().filter(|(folder, ..)| *folder == "bin").count();
    for (folder, target_name, path) in targets {
        if path == main {
            continue;
        }
        let alone = folder == "bin" && binaries == 1 && !has_library && !layout.contains(&main);
        entries.push((
            path,
            if alone {
                name.clone()
            } else {
                format!("{name}::{folder}::{target_name}")
            },
        ));
    }
    if layout.contains(&main) {
        entries.push((
            main,
            if has_library {
                format!("{name}::main")
            } else {
                name.clone()
            },
        ));
    }
    // Dependencies with another name in this crate.
    for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
        for (local, dependency) in manifest
            .get(table)
            .and_then(toml::Value::as_table)
            .into_iter()
            .flatten()
        {
            if let Some(package) = text_at(Some(dependency), "package") {
                entries.push((format!("extern {}", local.replace('-', "_")), package.replace('-', "_")));
            }
        }
    }
    Some(Root {
        directory: directory.to_owned(),
        name,
        entries,
    })
}

pub(super) fn module_name(roots: &[Root], path: &RepoPath, _: &str) -> String {
    let Some((root, below)) = longest_root(roots, path.as_str()) else {
        return module_below("crate", path.as_str());
    };
    if let Some((_, name)) = root.entries.iter().find(|(entry, _)| entry == path.as_str()) {
        return name.clone();
    }
    // The modules of a library outside of `src` are beside the library.
    let library = root
        .entries
        .iter()
        .find(|(_, name)| *name == root.name)
        .map_or("", |(entry, _)| entry.as_str());
    let library_directory = library.rsplit_once('/').map_or("", |(directory, _)| directory);
    match relative(path.as_str(), library_directory) {
        Some(below) if library_directory.len() > root.directory.len() && !below.starts_with("bin/") => {
            parts_below(&root.name, below, true)
        }
        _ => module_below(&root.name, below),
    }
}

/// The module of a path relative to its package, by where packages keep what.
fn module_below(name: &str, path: &str) -> String {
    let (prefix, rest) = match path.split_once('/') {
        Some(("src", rest)) => match rest.strip_prefix("bin/") {
            Some(rest) => (format!("{name}::bin"), rest),
            None => return parts_below(name, rest, true),
        },
        Some((folder @ ("tests" | "examples" | "benches"), rest)) => (format!("{name}::{folder}"), rest),
        Some(_) => return parts_below(name, path, false),
        None => return parts_below(name, path, true),
    };
    // A target in a folder of its own begins in `main.rs`.
    let rest = match rest.split('/').count() {
        2 => rest.strip_suffix("/main.rs").unwrap_or(rest),
        _ => rest,
    };
    parts_below(&prefix, rest, false)
}

/// The module of a path below a crate's first file.
fn parts_below(name: &str, path: &str, at_root: bool) -> String {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    if at_root && matches!(stem, "lib" | "main") {
        return name.to_owned();
    }
    let stem = if stem == "mod" {
        ""
    } else {
        stem.strip_suffix("/mod").unwrap_or(stem)
    };
    let mut module = name.to_owned();
    for part in stem.split('/').filter(|part| !part.is_empty()) {
        module.push_str("::");
        module.push_str(&part.replace('-', "_"));
    }
    module
}

pub(super) fn is_test_file(path: &RepoPath) -> bool {
    has_directory(path, &["tests", "benches"]) || matches!(path.file_name(), "tests.rs" | "test.rs")
}

/// The module that a path of names means, seen from a module.
pub(super) fn module_path(
    roots: &[Root],
    path: &RepoPath,
    module: &str,
    is_module: &dyn Fn(&str) -> bool,
    names: &str,
) -> String {
    let root = longest_root(roots, path.as_str()).map(|(root, _)| root);
    let (first, rest) = names.split_once("::").unwrap_or((names, ""));
    let below = |module: &str| match rest {
        "" => module.to_owned(),
        rest => format!("{module}::{rest}"),
    };
    match first {
        "crate" => below(root.map_or("crate", |root| root.name.as_str())),
        "self" => {
            if rest.starts_with("super") {
                module_path(roots, path, module, is_module, rest)
            } else {
                below(module)
            }
        }
        "super" => {
            let around = module.rsplit_once("::").map_or(module, |(around, _)| around);
            if rest.starts_with("super") {
                module_path(roots, path, around, is_module, rest)
            } else {
                below(around)
            }
        }
        first if is_module(&format!("{module}::{first}")) => format!("{module}::{names}"),
        first => {
            let key = format!("extern {first}");
            let renamed = root.and_then(|root| root.entries.iter().find(|(entry, _)| *entry == key));
            below(renamed.map_or(first, |(_, name)| name.as_str()))
        }
    }
}
