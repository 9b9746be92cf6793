//! Which file an import of JavaScript or TypeScript means: by path, by the packages of the tree, by the paths of a tsconfig.

use lore_model::normal_path;

use crate::layout::{Root, join_path, relative};
use crate::solve::{Program, Target};

/// What comes before the name of an entry of a package that only `import` is answered by.
pub(super) const IMPORTED: &str = "import:";

/// What may be left out at the end of a path, in the order in which it is tried.
const ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".d.ts",
    "/index.ts",
    "/index.tsx",
    "/index.mts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
    "/index.cjs",
    "/index.d.ts",
];

/// TypeScript names the file that will be there, not the one that is.
const WRITTEN_AS: &[(&str, &str)] = &[
    (".js", ".ts"),
    (".js", ".tsx"),
    (".jsx", ".tsx"),
    (".mjs", ".mts"),
    (".cjs", ".cts"),
];

/// What comes before the name of a module that is asked for by `require`: packages may answer it otherwise than `import`.
pub(super) const REQUIRED: &str = "require:";

pub(super) fn resolve(program: &Program<'_>, unit: usize, text: &str) -> Target {
    let (how, text) = match text.strip_prefix(REQUIRED) {
        Some(text) => (REQUIRED, text),
        None => (IMPORTED, text),
    };
    let asking = &program.units[unit];
    let language = asking.language.name;
    let directory = asking.path.map_or("", |path| path.directory());
    if text.starts_with('.') {
        let Some(path) = normal_path(&format!("{directory}/{text}")) else {
            return Target::Nothing;
        };
        let package = program
            .roots(language)
            .iter()
            .find(|root| !root.name.is_empty() && root.directory == path)
            .and_then(|root| entry(program, root, how, "."));
        return package
            .or_else(|| file(program, &path))
            .map_or(Target::Nothing, Target::Module);
    }
    for root in program.roots(language) {
        if let Some(module) = below_root(program, root, directory, how, text) {
            return Target::Module(module);
        }
    }
    let plain = text.strip_prefix("node:").unwrap_or(text);
    match program.module(language, &format!("<prelude>{plain}")) {
        Some(module) => Target::Module(module),
        None => Target::External(text.to_owned()),
    }
}

/// A package of the tree by its name, or a path that a tsconfig maps.
fn below_root(program: &Program<'_>, root: &Root, directory: &str, how: &str, text: &str) -> Option<usize> {
    if text.starts_with('#') && !root.name.is_empty() {
        relative(&format!("{directory}/x"), &root.directory)?;
        return entry(program, root, how, text);
    }
    if !root.name.is_empty() {
        let rest = text.strip_prefix(root.name.as_str())?;
        let rest = match rest {
            "" => ".",
            rest => rest.strip_prefix('/')?,
        };
        let exported = entry(program, root, how, rest);
        let candidates = (rest != ".")
            .then(|| join_path(&root.directory, rest))
            .into_iter()
            .chain((rest == ".").then(|| join_path(&root.directory, "src")))
            .chain((rest == ".").then(|| root.directory.clone()));
        return exported.or_else(|| {
            candidates
                .into_iter()
                .find_map(|path| file(program, &normal_path(&path)?))
        });
    }
    relative(&format!("{directory}/x"), &root.directory)?;
    for (pattern, target) in &root.entries {
        let (before, after) = pattern.split_once('*').unwrap_or((pattern.as_str(), ""));
        let matched = if pattern.contains('*') {
            text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after))
        } else {
            (text == pattern).then_some("")
        };
        let Some(matched) = matched else { continue };
        let path = normal_path(&target.replacen('*', matched, 1));
        if let Some(module) = path.and_then(|path| file(program, &path)) {
            return Some(module);
        }
    }
    None
}

/// What a package says a path below it means: first what it says for the way of asking, then what it says for all.
fn entry(program: &Program<'_>, root: &Root, how: &str, wanted: &str) -> Option<usize> {
    let other = if how == REQUIRED { IMPORTED } else { REQUIRED };
    [how, "", other].into_iter().find_map(|how| {
        root.entries.iter().find_map(|(name, target)| {
            let pattern = match how {
                "" if name.starts_with(REQUIRED) || name.starts_with(IMPORTED) => return None,
                how => name.strip_prefix(how)?,
            };
            let matched = match pattern.split_once('*') {
                Some((before, after)) => wanted.strip_prefix(before)?.strip_suffix(after)?,
                None => (pattern == wanted).then_some("")?,
            };
            let path = join_path(&root.directory, &target.replacen('*', matched, 1));
            file(program, &normal_path(&path)?)
        })
    })
}

/// The module of the file that a path without its ending means.
fn file(program: &Program<'_>, path: &str) -> Option<usize> {
    let module = |path: &str| program.paths.get(path).map(|unit| program.units[*unit].module);
    for (written, meant) in WRITTEN_AS {
        if let Some(stem) = path.strip_suffix(written)
            && let Some(found) = module(&format!("{stem}{meant}"))
        {
            return Some(found);
        }
    }
    ENDINGS.iter().find_map(|ending| {
        if path.is_empty() {
            module(ending.trim_start_matches('/'))
        } else {
            module(&format!("{path}{ending}"))
        }
    })
}
