//! Which module a name means: by the files of a crate, the crates of the workspace, and what the standard library has in the prelude.

use lore_model::resolve_path;

use crate::layout::longest_root;
use crate::solve::{Program, Target};

/// How deep modules stand in each other at most.
const MAX_DEPTH: usize = 64;

/// Resolves `crate`, `self`, `super`, `mod name` and the names of crates.
pub(super) fn resolve(program: &Program<'_>, unit: usize, text: &str) -> Target {
    let asking = &program.units[unit];
    let Some(path) = asking.path else {
        return Target::External(text.to_owned());
    };
    if let Some(declared) = text.strip_prefix("mod ") {
        return declared_module(program, path.as_str(), declared).map_or(Target::Nothing, Target::Module);
    }
    match text {
        "self" => return Target::Module(asking.module),
        "crate" => {
            let mut at = unit;
            for _ in 0..MAX_DEPTH {
                match parent(program, at) {
                    Some(around) => at = around,
                    None => break,
                }
            }
            return Target::Module(program.units[at].module);
        }
        _ => {}
    }
    if text.split("::").all(|part| part == "super") {
        let mut at = unit;
        for _ in text.split("::") {
            match parent(program, at) {
                Some(around) => at = around,
                None => return Target::Nothing,
            }
        }
        return Target::Module(program.units[at].module);
    }
    // Imports name whole paths: modules are found part by part, from the longest.
    if let Some((head, rest)) = text.split_once("::") {
        return match resolve(program, unit, head) {
            Target::Module(module) => below(program, module, rest),
            Target::External(_) => Target::External(text.to_owned()),
            Target::Nothing => Target::Nothing,
        };
    }
    known_crate(program, path.as_str(), text)
}

/// The module of a path of names below a module.
fn below(program: &Program<'_>, module: usize, rest: &str) -> Target {
    let row = &program.modules[module];
    let name = format!("{}::{rest}", row.name);
    program
        .module(row.language, &name)
        .map_or(Target::Nothing, Target::Module)
}

/// A crate by the name under which another sees it.
fn known_crate(program: &Program<'_>, path: &str, name: &str) -> Target {
    let roots = program.roots("rust");
    let own = longest_root(roots, path).map(|(root, _)| root);
    let key = format!("extern {name}");
    let renamed = own.and_then(|root| root.entries.iter().find(|(entry, _)| *entry == key));
    let wanted = renamed.map_or(name, |(_, name)| name.as_str());
    let found = roots.iter().find(|root| root.name == wanted);
    let library = found.and_then(|root| {
        let (entry, _) = root.entries.iter().find(|(_, name)| *name == root.name)?;
        program.paths.get(entry.as_str())
    });
    match library {
        Some(unit) => Target::Module(program.units[*unit].module),
        None => {
            // A module of the own file's directory, where there is no manifest to say otherwise.
            Target::External(match name {
                "core" | "alloc" => "std".to_owned(),
                name => name.to_owned(),
            })
        }
    }
}

/// The directory in which the modules of a file stand.
fn directory_of(program: &Program<'_>, path: &str) -> String {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    if matches!(stem, "mod" | "lib" | "main") || is_entry(program, path) {
        return directory.to_owned();
    }
    match directory {
        "" => stem.to_owned(),
        directory => format!("{directory}/{stem}"),
    }
}

/// Whether a file begins a crate.
fn is_entry(program: &Program<'_>, path: &str) -> bool {
    let Some((root, below)) = longest_root(program.roots("rust"), path) else {
        return !path.contains('/');
    };
    if root.entries.iter().any(|(entry, _)| entry == path) || below == "build.rs" {
        return true;
    }
    let parts: Vec<&str> = below.split('/').collect();
    matches!(parts[..], ["tests" | "examples" | "benches", _] | ["src", "bin", _])
        || matches!(
            parts[..],
            ["tests" | "examples" | "benches", _, "main.rs"] | ["src", "bin", _, "main.rs"]
        )
}

/// The module that `mod name;` of a file means, or that of the path which stands before it.
fn declared_module(program: &Program<'_>, path: &str, declared: &str) -> Option<usize> {
    let unit = if declared.ends_with(".rs") {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        program.paths.get(resolve_path(directory, declared).as_str())
    } else {
        let directory = directory_of(program, path);
        let flat = resolve_path(&directory, &format!("{declared}.rs"));
        let nested = resolve_path(&directory, &format!("{declared}/mod.rs"));
        program
            .paths
            .get(flat.as_str())
            .or_else(|| program.paths.get(nested.as_str()))
    };
    unit.map(|unit| program.units[*unit].module)
}

/// The file of the module around a file's.
fn parent(program: &Program<'_>, unit: usize) -> Option<usize> {
    let path = program.units[unit].path?.as_str();
    if is_entry(program, path) {
        return None;
    }
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (directory, own) = match name {
        "mod.rs" => directory.rsplit_once('/').unwrap_or(("", directory)),
        name => (directory, name.strip_suffix(".rs").unwrap_or(name)),
    };
    if matches!(name, "lib.rs" | "main.rs") {
        return None;
    }
    let mut candidates = vec![
        format!("{directory}.rs"),
        resolve_path(directory, "mod.rs"),
        resolve_path(directory, "lib.rs"),
    ];
    candidates.push(resolve_path(directory, "main.rs"));
    // Further crates whose first file stands in the same directory.
    if let Some((root, _)) = longest_root(program.roots("rust"), path) {
        let beside = |entry: &&(String, String)| entry.0.rsplit_once('/').map_or("", |(found, _)| found) == directory;
        candidates.extend(root.entries.iter().filter(beside).map(|(entry, _)| entry.clone()));
    }
    let found: Vec<usize> = candidates
        .iter()
        .filter_map(|candidate| program.paths.get(candidate.as_str()).copied())
        .filter(|found| *found != unit)
        .collect();
    let declares = |candidate: &usize| {
        let facts = program.units[*candidate].facts;
        facts
            .imports
            .iter()
            .any(|import| import.flags & lore_model::ImportFlags::MODULE != 0 && facts.get(import.local) == own)
    };
    found
        .iter()
        .copied()
        .find(|candidate| declares(candidate))
        .or(found.first().copied())
}

/// The class of the prelude that a path of the standard library, or of a crate that stands in for a part of it, means.
/// Anything else of the library may still be a module of the prelude.
pub(super) fn outside(path: &str) -> Option<&str> {
    let (modules, name) = path.rsplit_once("::")?;
    let is_standard = modules.split("::").next() == Some("std");
    let is_module_path = modules
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b':') || byte.is_ascii_digit());
    if !is_module_path {
        return None;
    }
    if is_standard {
        return Some(match name {
            "BTreeMap" => "HashMap",
            "BTreeSet" => "HashSet",
            "VecDeque" | "LinkedList" | "BinaryHeap" => "Vec",
            "Rc" | "Arc" | "Cell" | "RefCell" | "RwLock" | "Weak" | "Cow" | "Pin" | "ManuallyDrop" | "Reverse" => "Box",
            "Mutex" | "OnceCell" | "OnceLock" => "Box",
            "LazyLock" | "LazyCell" => "LazyLock",
            name => name,
        });
    }
    match name {
        "Mutex" | "RwLock" => Some("Box"),
        "IndexMap" | "HashMap" | "BTreeMap" | "FxHashMap" => Some("HashMap"),
        "IndexSet" | "HashSet" | "FxHashSet" => Some("HashSet"),
        "Lazy" | "LazyLock" => Some("LazyLock"),
        _ => None,
    }
}
