//! What package files say is run or loaded first: binaries, scripts and the main file of a package.
//!
//! Only the lines that name such things are read, by their shape; a file that is not what its name promises declares nothing.

use lore_model::resolve_path;
use serde_json::Value;

/// Package files that are read, the outermost first.
const MAX_FILES: usize = 256;

/// How something is used from outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Use {
    Run,
    /// It is loaded.
    Load,
}

/// Something that a package file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declaration {
    /// How it is used.
    pub(super) usage: Use,
    /// What it is.
    pub(super) target: Target,
}

/// What a package file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// An object of a module.
    Object {
        module: String,
        /// The path of the object in it.
        object: String,
    },
    /// The first of these files that exists.
    File(Vec<String>),
}

/// What the package files among some paths declare, in the order of the paths.
pub(super) fn declarations<'a>(
    paths: impl Iterator<Item = &'a str>,
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<Declaration> {
    let mut files: Vec<&str> = paths.filter(|path| reader(path).is_some()).collect();
    files.sort_by_key(|path| (path.matches('/').count(), *path));
    files.truncate(MAX_FILES);
    let mut found = Vec::new();
    for path in files {
        if let (Some(reader), Some(text)) = (reader(path), read(path)) {
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            reader(directory, &text, &mut found);
        }
    }
    found
}

type Reader = fn(&str, &str, &mut Vec<Declaration>);

fn reader(path: &str) -> Option<Reader> {
    match path.rsplit('/').next()? {
        "Cargo.toml" => Some(cargo),
        "pyproject.toml" => Some(pyproject),
        "setup.cfg" => Some(setup_cfg),
        "setup.py" => Some(setup_py),
        "package.json" => Some(package_json),
        "composer.json" => Some(composer_json),
        _ => None,
    }
}

/// `[[bin]]`; the binaries that Cargo finds by itself are those with a `main` function.
fn cargo(directory: &str, text: &str, found: &mut Vec<Declaration>) {
    let mut bins: Vec<(Option<&str>, Option<&str>)> = Vec::new();
    for (section, key, value) in settings(text) {
        match (section, key) {
            ("[bin]", "") => bins.push((None, None)),
            ("[bin]", "name") => bins.last_mut().into_iter().for_each(|bin| bin.0 = Some(value)),
            ("[bin]", "path") => bins.last_mut().into_iter().for_each(|bin| bin.1 = Some(value)),
            _ => {}
        }
    }
    for bin in bins {
        let files = match bin {
            (_, Some(path)) => vec![resolve_path(directory, path)],
            (Some(name), None) => ["src/bin/{}.rs", "src/bin/{}/main.rs", "src/main.rs"]
                .map(|path| resolve_path(directory, &path.replace("{}", name)))
                .to_vec(),
            (None, None) => continue,
        };
        found.push(Declaration {
            usage: Use::Run,
            target: Target::File(files),
        });
    }
}

fn pyproject(_: &str, text: &str, found: &mut Vec<Declaration>) {
    const SECTIONS: &[&str] = &[
        "project.scripts",
        "project.gui-scripts",
        "tool.poetry.scripts",
        "project.entry-points.console_scripts",
        "project.entry-points.\"console_scripts\"",
    ];
    let scripts = settings(text).filter(|(section, key, _)| SECTIONS.contains(section) && !key.is_empty());
    found.extend(scripts.filter_map(|(_, _, value)| object(value)));
}

fn setup_cfg(_: &str, text: &str, found: &mut Vec<Declaration>) {
    let mut in_scripts = false;
    for line in text.lines() {
        let is_indented = line.starts_with([' ', '\t']);
        match line.trim() {
            "" => {}
            line if is_indented && in_scripts => {
                found.extend(line.split_once('=').and_then(|(_, value)| object(value.trim())));
            }
            line => in_scripts = line.starts_with("console_scripts") || line.starts_with("gui_scripts"),
        }
    }
}

/// The texts `name = module:object` in the list that follows `console_scripts`.
fn setup_py(_: &str, text: &str, found: &mut Vec<Declaration>) {
    for key in ["console_scripts", "gui_scripts"] {
        let Some(list) = text.split_once(key).and_then(|(_, rest)| rest.split_once('[')) else {
            continue;
        };
        let list = list.1.split(']').next().unwrap_or_default();
        let texts = list.split(['"', '\'', '\n']);
        found.extend(texts.filter_map(|text| object(text.split_once('=')?.1.trim())));
    }
}

fn package_json(directory: &str, text: &str, found: &mut Vec<Declaration>) {
    let Ok(Value::Object(package)) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let bins: Vec<&str> = match package.get("bin") {
        Some(Value::String(path)) => vec![path],
        Some(Value::Object(bins)) => bins.values().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    found.extend(bins.into_iter().map(|path| script(Use::Run, directory, path)));
    let main = ["source", "module", "main"]
        .iter()
        .filter_map(|key| package.get(*key)?.as_str());
    let files: Vec<String> = main.flat_map(|path| script_files(directory, path)).collect();
    let target = if files.is_empty() {
        Target::File(vec![resolve_path(directory, "index.js")])
    } else {
        Target::File(files)
    };
    found.push(Declaration {
        usage: Use::Load,
        target,
    });
}

fn composer_json(directory: &str, text: &str, found: &mut Vec<Declaration>) {
    let Ok(Value::Object(package)) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let bins = match package.get("bin") {
        Some(Value::String(path)) => vec![path.as_str()],
        Some(Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    found.extend(bins.into_iter().map(|path| Declaration {
        usage: Use::Run,
        target: Target::File(vec![resolve_path(directory, path)]),
    }));
}

/// `package.module:object`, perhaps with extras in brackets behind it.
fn object(text: &str) -> Option<Declaration> {
    let text = text.split('[').next()?.trim();
    let (module, object) = text.split_once(':')?;
    let is_path = |path: &str| {
        !path.is_empty()
            && path
                .split('.')
                .all(|part| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
    };
    (is_path(module) && is_path(object)).then(|| Declaration {
        usage: Use::Run,
        target: Target::Object {
            module: module.to_owned(),
            object: object.to_owned(),
        },
    })
}

fn script(usage: Use, directory: &str, path: &str) -> Declaration {
    Declaration {
        usage,
        target: Target::File(script_files(directory, path)),
    }
}

/// Directories that compilers write to.
const COMPILED: &[&str] = &["build", "cjs", "dist", "esm", "lib", "out"];

/// The files that a path in a package.json can mean: the source that a compiler makes it from, itself, and with the endings that node tries.
fn script_files(directory: &str, path: &str) -> Vec<String> {
    let path = path.trim_start_matches("./");
    let stem = ["js", "mjs", "cjs"]
        .iter()
        .find_map(|ending| path.strip_suffix(&format!(".{ending}")))
        .unwrap_or(path);
    let mut files = Vec::new();
    if let Some((_, below)) = stem.split_once('/').filter(|(first, _)| COMPILED.contains(first)) {
        let last = below.rsplit('/').next().unwrap_or(below);
        files.extend(
            [below, last]
                .iter()
                .flat_map(|name| [".ts", ".tsx"].map(|ending| format!("src/{name}{ending}"))),
        );
    }
    files.push(path.to_owned());
    files.extend([".js", ".mjs", ".cjs", "/index.js"].map(|ending| format!("{path}{ending}")));
    files.extend([".ts", ".tsx"].map(|ending| format!("{stem}{ending}")));
    files.into_iter().map(|file| resolve_path(directory, &file)).collect()
}

/// The settings of a TOML or INI file that are texts on one line: the section, the key and the text. A section of a list comes in brackets of its
/// own, and with a setting of its own that has no key, where it begins.
fn settings(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut section = "";
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            let header = header.split(']').next().unwrap_or_default();
            // `[[bin]]` begins with one more bracket than was taken.
            section = match header.strip_prefix('[') {
                Some("bin") => "[bin]",
                Some(_) => "",
                None => header.trim(),
            };
            return Some((section, "", ""));
        }
        let (key, value) = line.split_once('=')?;
        let value = value.trim();
        let quote = value.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
        let value = value[1..].split(quote).next()?;
        Some((section, key.trim().trim_matches('"'), value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let read = |_: &str| Some(text.to_owned());
        declarations([path].into_iter(), &read)
            .into_iter()
            .map(|one| match one.target {
                Target::Object { module, object } => format!("{:?} {module}:{object}", one.usage),
                Target::File(files) => format!("{:?} {}", one.usage, files[0]),
            })
            .collect()
    }

    #[test]
    fn l0_python_scripts_are_declared() {
        let pyproject = "[project]\nname = \"x\"\n[project.scripts]\ndjango-admin = \"django.core:execute\"\nbad = \"a b:c\"\n[tool.x]\na = \"b:c\"\n";
        assert_eq!(found("pyproject.toml", pyproject), ["Run django.core:execute"]);
        let cfg = "[options.entry_points]\nconsole_scripts =\n    scrapy = scrapy.cmdline:execute\n    b = c.d:e.f [extra]\nother =\n    x = y:z\n";
        assert_eq!(found("setup.cfg", cfg), ["Run scrapy.cmdline:execute", "Run c.d:e.f"]);
        let setup = "setup(entry_points={'console_scripts': ['a = b.c:main',\n \"d=e:f\"], 'x': ['g = h:i']})";
        assert_eq!(found("setup.py", setup), ["Run b.c:main", "Run e:f"]);
    }

    #[test]
    fn l0_binaries_of_cargo_are_declared() {
        let cargo = "[package]\nname = \"x\"\n[[bin]]\nname = \"a\"\npath = \"src/a.rs\"\n[[bin]]\nname = \"b\"\n[[test]]\nname = \"c\"\n";
        assert_eq!(
            found("crates/cli/Cargo.toml", cargo),
            ["Run crates/cli/src/a.rs", "Run crates/cli/src/bin/b.rs"]
        );
    }

    #[test]
    fn l0_files_of_node_and_composer_are_declared() {
        let package = r#"{"bin": {"x": "./bin/x.js"}, "main": "dist/index.js"}"#;
        assert_eq!(
            found("p/package.json", package),
            ["Run p/bin/x.js", "Load p/src/index.ts"]
        );
        assert_eq!(found("package.json", "{}"), ["Load index.js"]);
        assert_eq!(found("package.json", "[1"), Vec::<String>::new());
        assert_eq!(
            found("composer.json", r#"{"bin": ["bin/composer"]}"#),
            ["Run bin/composer"]
        );
        assert!(script_files("p", "dist/index.js").contains(&"p/dist/index.js".to_owned()));
    }

    #[test]
    fn l0_package_files_may_be_anything() {
        for text in [
            "",
            "\u{0}\u{1}",
            "[[[",
            "[",
            "= = =",
            "console_scripts",
            "console_scripts [",
            "{\"bin\": 3}",
        ] {
            for path in ["Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "composer.json"] {
                assert_eq!(found(path, text), Vec::<String>::new(), "{path} {text}");
            }
        }
        assert_eq!(resolve_path("a/b", "../../../c/./d"), "c/d");
    }
}
