//! Which package an import of Go means: by the modules of the tree, by their vendored copies, by what the language itself provides.

use lore_model::RepoPath;

use crate::layout::{Layout, Root, join_path};
use crate::solve::{Program, Target};

use super::GO;

/// The modules of a tree: the directory of each `go.mod`, and the path that it declares.
pub(super) fn roots(layout: &Layout<'_>) -> Vec<Root> {
    let mut roots: Vec<Root> = layout
        .package_files("go.mod")
        .filter_map(|(directory, text)| {
            let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            let name = name.split("//").next().unwrap_or(name).trim().trim_matches(['"', '`']);
            Some(Root {
                directory: directory.to_owned(),
                name: name.to_owned(),
                entries: Vec::new(),
            })
        })
        .collect();
    // The longest matching path applies.
    roots.sort_by(|one, other| {
        other
            .name
            .len()
            .cmp(&one.name.len())
            .then(one.directory.cmp(&other.directory))
    });
    roots
}

pub(super) fn resolve(program: &Program<'_>, unit: usize, text: &str) -> Target {
    if text == "." {
        return Target::Module(program.units[unit].module);
    }
    for root in program.roots(GO.name) {
        let rest = match text.strip_prefix(root.name.as_str()) {
            // The packages of the language itself are imported without the name of their module.
            _ if root.name == "std" => text,
            Some("") => "",
            Some(rest) if rest.starts_with('/') => &rest[1..],
            _ => continue,
        };
        if let Some(module) = package_in(program, &join_path(&root.directory, rest)) {
            return Target::Module(module);
        }
    }
    if let Some(module) = program.module(GO.name, &format!("<prelude>{text}")) {
        return Target::Module(module);
    }
    if let Some(module) = package_in(program, &format!("vendor/{text}")) {
        return Target::Module(module);
    }
    // Without a module, the tree is below the path of its packages.
    if program.roots(GO.name).is_empty() && text.split('/').next().is_some_and(|host| host.contains('.')) {
        let mut rest = text;
        while let Some((_, inner)) = rest.split_once('/') {
            if let Some(module) = package_in(program, inner) {
                return Target::Module(module);
            }
            rest = inner;
        }
    }
    Target::External(text.to_owned())
}

/// The package of a directory.
fn package_in(program: &Program<'_>, directory: &str) -> Option<usize> {
    if !directory.is_empty() {
        return program
            .module(GO.name, directory)
            .filter(|module| !program.modules[*module].units.is_empty());
    }
    // The package at the root has its own name.
    let is_library = |unit: &&crate::solve::Unit<'_>| {
        unit.language.name == GO.name
            && unit.path.is_some_and(|path| path.directory().is_empty())
            && !matches!(unit.facts.get(unit.facts.package), "main" | "")
            && !unit.facts.get(unit.facts.package).ends_with("_test")
    };
    program.units.iter().find(is_library).map(|unit| unit.module)
}

/// The import that binds a name without writing it: the package of the tree with this name in its package clause, or
/// an external one whose path ends in the name.
pub(super) fn implied(program: &Program<'_>, unit: usize, name: &str) -> Option<String> {
    let facts = program.units[unit].facts;
    let candidates = || {
        facts.imports.iter().filter_map(|import| {
            let (path, local) = (facts.get(import.module), facts.get(import.local));
            (!local.is_empty() && local == super::package_of(path)).then_some(path)
        })
    };
    let of_tree = candidates().find(|path| match resolve(program, unit, path) {
        Target::Module(module) => program.modules[module].units.first().is_some_and(|unit| {
            let facts = program.units[*unit].facts;
            facts.get(facts.package) == name
        }),
        _ => false,
    });
    let outside = || {
        candidates().find(|path| {
            matches!(resolve(program, unit, path), Target::External(_))
                && path
                    .rsplit('/')
                    .take(2)
                    .any(|part| part.split(['-', '.', '_']).any(|word| word == name))
        })
    };
    of_tree.or_else(outside).map(str::to_owned)
}

/// The directory; at the repository's root the package's own name. The tests of a package from outside are a package of their own.
pub(super) fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match path.directory() {
        "" if package.is_empty() => "main".to_owned(),
        "" => package.to_owned(),
        directory if package.ends_with("_test") && super::is_test_file(path) && !directory.ends_with("_test") => {
            format!("{directory}_test")
        }
        directory => directory.to_owned(),
    }
}
