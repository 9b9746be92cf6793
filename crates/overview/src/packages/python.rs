//! `pyproject.toml`, `setup.cfg` and `setup.py`: packages of Python.

use toml::{Table, Value};

use super::{Package, ProvideKind, Target, Task, quoted_after};
use crate::tree::Tree;

pub(super) fn pyproject(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let Ok(manifest) = text.parse::<Table>() else {
        return;
    };
    let at = |path: &[&str]| {
        let (first, rest) = path.split_first()?;
        rest.iter()
            .try_fold(manifest.get(*first)?, |value, key| value.get(*key))
    };
    let text_at = |path: &[&str]| at(path).and_then(Value::as_str).map(str::to_owned);
    let poetry = ["tool", "poetry"];
    let name = text_at(&["project", "name"]).or_else(|| text_at(&[poetry[0], poetry[1], "name"]));
    package.name.clone_from(&name);
    package.description =
        text_at(&["project", "description"]).or_else(|| text_at(&[poetry[0], poetry[1], "description"]));
    let scripts: [&[&str]; 4] = [
        &["project", "scripts"],
        &["project", "gui-scripts"],
        &["tool", "poetry", "scripts"],
        &["project", "entry-points", "console_scripts"],
    ];
    for path in scripts {
        for (script, value) in at(path).and_then(Value::as_table).into_iter().flatten() {
            let called = value.as_str().or_else(|| value.get("callable")?.as_str());
            if let Some(target) = called.and_then(object) {
                package.provide(ProvideKind::Binary, script, Some(target));
            }
        }
    }
    let is_built = manifest.contains_key("build-system");
    library(tree, package, is_built && name.is_some());
    if tree.has_in(&package.directory, "uv.lock") {
        package.command_from(Task::Install, "uv sync", "uv.lock");
    } else if at(&poetry).is_some() {
        package.command(Task::Install, "poetry install");
    } else if name.is_some() {
        package.command(Task::Install, "pip install -e .");
    }
    if is_built {
        package.command(Task::Build, "python -m build");
    }
    if at(&["tool", "tox"]).is_some() {
        package.command(Task::Test, "tox");
    }
    if at(&["tool", "hatch", "envs", "hatch-test"]).is_some() {
        package.command(Task::Test, "hatch test");
    }
    if at(&["tool", "pytest"]).is_some() || names_pytest(&manifest) {
        package.command(Task::Test, "pytest");
    }
    beside(tree, package);
}

/// Whether pytest is among the dependencies.
fn names_pytest(manifest: &Table) -> bool {
    fn within(value: &Value, depth: usize) -> bool {
        let is_pytest = |text: &str| {
            let rest = text.strip_prefix("pytest");
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '<', '>', '~', '!', ' ', '[', ';']))
        };
        match value {
            Value::String(text) => is_pytest(text),
            Value::Array(items) => depth > 0 && items.iter().any(|item| within(item, depth - 1)),
            Value::Table(table) => {
                depth > 0
                    && table
                        .iter()
                        .any(|(key, value)| key == "pytest" || within(value, depth - 1))
            }
            _ => false,
        }
    }
    let places = ["project", "dependency-groups", "tool"];
    places
        .iter()
        .filter_map(|key| manifest.get(*key))
        .any(|value| within(value, 6))
}

/// The package that users import, or the name alone if only the package file speaks of one.
fn library(tree: &Tree<'_>, package: &mut Package, is_declared: bool) {
    let Some(name) = package.name.clone() else {
        return;
    };
    let module = name.replace(['-', '.'], "_");
    let modules = [module.to_lowercase(), module, name.replace('.', "/").to_lowercase()];
    let files: Vec<String> = modules
        .iter()
        .flat_map(|module| {
            ["src/{}/__init__.py", "{}/__init__.py", "src/{}.py", "{}.py"].map(|path| path.replace("{}", module))
        })
        .map(|path| package.file(&path))
        .collect();
    let is_there = files.iter().any(|file| tree.has(file));
    if is_there || is_declared {
        package.provide(ProvideKind::Library, &name, is_there.then_some(Target::File(files)));
    }
}

/// The files beside a package file that say how it is tested.
fn beside(tree: &Tree<'_>, package: &mut Package) {
    for (file, command) in [("tox.ini", "tox"), ("noxfile.py", "nox"), ("pytest.ini", "pytest")] {
        if tree.has_in(&package.directory, file) {
            package.command_from(Task::Test, command, file);
        }
    }
    if tree.has_in(&package.directory, "manage.py") {
        package.command_from(Task::Test, "python manage.py test", "manage.py");
        package.command_from(Task::Run, "python manage.py runserver", "manage.py");
    }
}

pub(super) fn setup_cfg(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let mut section = "";
    let mut in_scripts = false;
    for line in text.lines() {
        let is_indented = line.starts_with([' ', '\t']);
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            in_scripts = false;
            if section.starts_with("tool:pytest") {
                package.command(Task::Test, "pytest");
            }
        } else if is_indented && in_scripts {
            let script = line.split_once('=');
            if let Some((script, target)) = script.and_then(|(name, value)| Some((name, object(value)?))) {
                package.provide(ProvideKind::Binary, script, Some(target));
            }
        } else if let Some((key, value)) = line.split_once('=') {
            let (key, value) = (key.trim(), value.trim());
            in_scripts = matches!(key, "console_scripts" | "gui_scripts");
            match (section, key) {
                ("metadata", "name") => package.name = Some(value.to_owned()),
                ("metadata", "description" | "summary") => package.description = Some(value.to_owned()),
                _ => {}
            }
        }
    }
    library(tree, package, false);
    beside(tree, package);
}

/// The texts `name = module:object` in the lists that follow `console_scripts`, and the literal settings.
pub(super) fn setup_py(tree: &Tree<'_>, text: &str, package: &mut Package) {
    let call = text.find("setup(").map_or("", |at| &text[at..]);
    package.name = quoted_after(call, "name").map(str::to_owned);
    package.description = quoted_after(call, "description").map(str::to_owned);
    for key in ["console_scripts", "gui_scripts"] {
        let Some(list) = text.split_once(key).and_then(|(_, rest)| rest.split_once('[')) else {
            continue;
        };
        let list = list.1.split(']').next().unwrap_or_default();
        for script in list.split(['"', '\'', '\n']) {
            if let Some((name, target)) = script
                .split_once('=')
                .and_then(|(name, value)| Some((name, object(value)?)))
            {
                package.provide(ProvideKind::Binary, name, Some(target));
            }
        }
    }
    library(tree, package, package.name.is_some());
    if package.name.is_some() {
        package.command(Task::Install, "pip install -e .");
    }
    beside(tree, package);
}

/// `package.module:object`, perhaps with extras in brackets behind it.
fn object(text: &str) -> Option<Target> {
    let text = text.split('[').next()?.trim();
    let (module, object) = text.split_once(':')?;
    let is_path = |path: &str| {
        !path.is_empty()
            && path
                .split('.')
                .all(|part| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
    };
    (is_path(module) && is_path(object)).then(|| Target::Object {
        module: module.to_owned(),
        object: object.to_owned(),
    })
}
