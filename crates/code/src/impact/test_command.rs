//! The command that runs some tests, in the form of a test runner, for a POSIX shell.

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use lore_base::counted::counted;
use lore_model::{EdgeKind, Symbol, SymbolKind};

use lore_seam::{ErrorKind, OpError, is_hidden};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A test runner.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
#[clap(rename_all = "snake_case")]
// No doc comments: the names say it.
pub enum Runner {
    Pytest,
    Go,
    Cargo,
    Jest,
    Vitest,
    Maven,
    Gradle,
    Dotnet,
}

/// Names of tests in one command; with more, the command names their files or classes.
const MAX_NAMES: usize = 400;
/// Names of tests in the pattern of jest and vitest.
const MAX_PATTERNS: usize = 60;

impl Runner {
    /// The runner's name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Pytest => "pytest",
            Self::Go => "go",
            Self::Cargo => "cargo",
            Self::Jest => "jest",
            Self::Vitest => "vitest",
            Self::Maven => "maven",
            Self::Gradle => "gradle",
            Self::Dotnet => "dotnet",
        }
    }

    /// The languages whose tests it runs.
    fn languages(self) -> &'static [&'static str] {
        match self {
            Self::Pytest => &["python"],
            Self::Go => &["go"],
            Self::Cargo => &["rust"],
            Self::Jest | Self::Vitest => &["javascript", "typescript", "vue", "svelte"],
            Self::Maven | Self::Gradle => &["java", "kotlin", "scala", "groovy"],
            Self::Dotnet => &["csharp", "fsharp"],
        }
    }

    /// The manifest of a project of this runner.
    fn manifests(self) -> &'static [&'static str] {
        match self {
            Self::Cargo => &["Cargo.toml"],
            Self::Maven => &["pom.xml"],
            Self::Gradle => &["build.gradle", "build.gradle.kts"],
            _ => &[],
        }
    }
}

/// A command, and what it leaves out.
#[derive(Debug)]
pub(super) struct TestCommand {
    pub(super) line: String,
    pub(super) remarks: Vec<String>,
}

/// The command that runs `tests`. `read` reads a file of the repository.
pub(super) fn command(
    runner: Runner,
    tests: &[Symbol<'_>],
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<TestCommand, OpError> {
    if tests.is_empty() {
        return Err(OpError::new(
            ErrorKind::NotFound,
            "no affected test is known, so there is nothing to run",
        ));
    }
    let is_own = |test: &&Symbol<'_>| runner.languages().contains(&test.file().language());
    let own: Vec<Symbol<'_>> = tests.iter().filter(is_own).copied().collect();
    let others: BTreeSet<&str> = tests
        .iter()
        .filter(|test| !is_own(test))
        .map(|test| test.file().language())
        .collect();
    let others: Vec<&str> = others.into_iter().collect();
    if own.is_empty() {
        let message = format!(
            "{} runs no tests of {}, and no other tests are affected",
            runner.name(),
            others.join(", "),
        );
        let error = OpError::new(ErrorKind::NotFound, message);
        let fits = Runner::value_variants()
            .iter()
            .filter(|other| other.languages().iter().any(|language| others.contains(language)));
        let fits: Vec<String> = fits.map(|other| format!("--format {}", other.name())).collect();
        return Err(if fits.is_empty() {
            error.hint("`--tests` lists them")
        } else {
            error.hint(format!("use {}", fits.join(" or ")))
        });
    }
    let mut remarks = Vec::new();
    if own.len() < tests.len() {
        let left = counted(tests.len() - own.len(), "test");
        remarks.push(format!(
            "{left} of other languages ({}) left out of the command",
            others.join(", ")
        ));
    }
    let is_safe = |test: &Symbol<'_>| {
        !format!("{}{}", test.file().path(), test.plain_name())
            .chars()
            .any(is_hidden)
    };
    let (safe, hostile): (Vec<_>, Vec<_>) = own.into_iter().partition(is_safe);
    if !hostile.is_empty() {
        let left = counted(hostile.len(), "test");
        remarks.push(format!(
            "{left} with control characters in the name left out of the command"
        ));
    }
    if safe.is_empty() {
        return Err(OpError::new(
            ErrorKind::NotFound,
            "every affected test has control characters in its name",
        ));
    }
    let line = match runner {
        Runner::Pytest => pytest(&safe),
        Runner::Go => go(&safe),
        Runner::Cargo => cargo(&safe, read),
        Runner::Jest => by_pattern("npx jest --runTestsByPath", &safe),
        Runner::Vitest => by_pattern("npx vitest run", &safe),
        Runner::Maven => maven(&safe, read),
        Runner::Gradle => gradle(&safe, read),
        Runner::Dotnet => dotnet(&safe),
    };
    Ok(TestCommand { line, remarks })
}

/// A word of a POSIX shell that means this text.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,-".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A path that no program takes for an option.
fn path_word(path: &str) -> String {
    if path.starts_with('-') {
        format!("./{path}")
    } else {
        path.to_owned()
    }
}

fn joined(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}

/// The tests by a key.
fn grouped<'t, 'g>(
    tests: &'t [Symbol<'g>],
    key: impl Fn(&Symbol<'g>) -> String,
) -> BTreeMap<String, Vec<&'t Symbol<'g>>> {
    let mut groups: BTreeMap<String, Vec<&Symbol<'_>>> = BTreeMap::new();
    for test in tests {
        groups.entry(key(test)).or_default().push(test);
    }
    groups
}

/// Whether these are all tests of their file.
fn is_whole_file(tests: &[&Symbol<'_>]) -> bool {
    let all = |test: &&Symbol<'_>| {
        let symbols = test.file().symbols();
        symbols.filter(|symbol| symbol.kind() == SymbolKind::Test).count()
    };
    tests.first().is_some_and(|test| all(test) <= tests.len())
}

/// The types around a test, from the outside to the inside.
fn classes<'g>(test: &Symbol<'g>) -> Vec<&'g str> {
    let mut names: Vec<&str> = test
        .ancestors()
        .take_while(|around| around.kind() != SymbolKind::Module)
        .filter(|around| around.kind().is_type())
        .map(Symbol::name)
        .collect();
    names.reverse();
    names
}

fn pytest(tests: &[Symbol<'_>]) -> String {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for (path, tests_of_file) in grouped(tests, |test| path_word(test.file().path())) {
        let is_inherited = |test: &&Symbol<'_>| test.parent().is_some_and(|class| !subclasses(class).is_empty());
        let is_plain = !tests_of_file.iter().any(is_inherited);
        if is_plain && (tests.len() > MAX_NAMES || is_whole_file(&tests_of_file)) {
            words.insert(quoted(&path));
            continue;
        }
        for test in tests_of_file {
            let owners = owners(test);
            if owners.is_empty() {
                words.insert(quoted(&format!("{path}::{}", test.name())));
            }
            for owner in owners {
                let mut parts = vec![path_word(owner.file().path())];
                parts.extend(classes(&owner).into_iter().map(str::to_owned));
                parts.extend([owner.name().to_owned(), test.name().to_owned()]);
                words.insert(quoted(&parts.join("::")));
            }
        }
    }
    joined(std::iter::once("pytest".to_owned()).chain(words))
}

/// Classes below another that are looked for.
const MAX_SUBCLASSES: usize = 1_024;

/// The classes that extend a class, directly or not.
fn subclasses<'g>(class: Symbol<'g>) -> Vec<Symbol<'g>> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::from([class.id()]));
    let mut waiting = vec![class];
    while let Some(class) = waiting.pop() {
        for edge in class.incoming().filter(|edge| edge.kind() == EdgeKind::Extends) {
            let below = edge.source();
            if found.len() < MAX_SUBCLASSES && below.kind().is_type() && seen.insert(below.id()) {
                found.push(below);
                waiting.push(below);
            }
        }
    }
    found
}

/// The classes in which pytest runs a test: those that inherit it, and its own if pytest collects that.
fn owners<'g>(test: &Symbol<'g>) -> Vec<Symbol<'g>> {
    let Some(class) = test.parent().filter(|parent| parent.kind().is_type()) else {
        return Vec::new();
    };
    let mut owners = subclasses(class);
    let overrides = |owner: &Symbol<'_>| owner.children().any(|child| child.name() == test.name());
    owners.retain(|owner| !overrides(owner) && is_collected(owner.file().path()));
    if owners.is_empty() || is_collected(class.file().path()) && class.name().starts_with("Test") {
        owners.push(class);
    }
    owners
}

/// Whether pytest collects the tests of a file unless it is told otherwise.
fn is_collected(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("test_") || name.ends_with("_test.py")
}

/// A regular expression that matches one of these texts.
fn alternatives(texts: &BTreeSet<String>) -> String {
    let escaped: Vec<String> = texts.iter().map(|text| escape(text)).collect();
    match &escaped[..] {
        [only] => only.clone(),
        _ => format!("({})", escaped.join("|")),
    }
}

/// A regular expression that matches this text.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn go(tests: &[Symbol<'_>]) -> String {
    let directories: BTreeSet<String> = tests
        .iter()
        .map(|test| match test.file().path().rsplit_once('/') {
            Some((directory, _)) => quoted(&format!("./{directory}")),
            None => ".".to_owned(),
        })
        .collect();
    // A method of a suite runs through the function that starts the suite, whose name only the code knows.
    let names: BTreeSet<String> = tests.iter().map(|test| test.name().to_owned()).collect();
    let mut words = vec!["go test".to_owned()];
    if names.len() <= MAX_NAMES {
        words.push(format!("-run {}", quoted(&format!("^{}$", alternatives(&names)))));
    }
    words.extend(directories);
    joined(words)
}

/// The directory of the nearest manifest above a file, and the manifest's text.
fn project(runner: Runner, path: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<(String, String)> {
    let mut directory = path;
    loop {
        directory = directory.rsplit_once('/').map_or("", |(directory, _)| directory);
        for manifest in runner.manifests() {
            let place = if directory.is_empty() {
                (*manifest).to_owned()
            } else {
                format!("{directory}/{manifest}")
            };
            // A manifest of Cargo without a package is that of a workspace.
            let text = read(&place).filter(|text| runner != Runner::Cargo || package_name(text).is_some());
            if let Some(text) = text {
                return Some((directory.to_owned(), text));
            }
        }
        if directory.is_empty() {
            return None;
        }
    }
}

/// The name of the package in a manifest of Cargo.
fn package_name(manifest: &str) -> Option<String> {
    let mut lines = manifest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[package]")
        .skip(1);
    let line = lines
        .by_ref()
        .take_while(|line| !line.starts_with('['))
        .find(|line| line.split('=').next().is_some_and(|key| key.trim() == "name"))?;
    let value = line.split_once('=')?.1.trim();
    let name = value.trim_start_matches(['"', '\'']);
    name.split(['"', '\''])
        .next()
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
}

fn cargo(tests: &[Symbol<'_>], read: &dyn Fn(&str) -> Option<String>) -> String {
    let (mut packages, mut names, mut is_known) = (BTreeSet::new(), BTreeSet::new(), true);
    for test in tests {
        let path = test.file().path();
        let found = project(Runner::Cargo, path, read);
        let directory = found.as_ref().map_or("", |(directory, _)| directory);
        let inside = path.strip_prefix(directory).unwrap_or(path).trim_start_matches('/');
        match found.as_ref().and_then(|(_, text)| package_name(text)) {
            Some(name) => drop(packages.insert(name)),
            None => is_known = false,
        }
        names.insert(quoted(&path_in_crate(test, inside)));
    }
    let mut words = vec!["cargo test".to_owned()];
    if is_known {
        words.extend(packages.iter().map(|name| format!("-p {}", quoted(name))));
    }
    if names.len() <= MAX_NAMES {
        words.push("-- --exact".to_owned());
        words.extend(names);
    }
    joined(words)
}

/// The path of a test inside its crate, as the test program prints it. `inside` is the path of the file in the package.
fn path_in_crate(test: &Symbol<'_>, inside: &str) -> String {
    let name = test.plain_name();
    let is_target = ["tests/", "benches/", "examples/", "src/bin/"]
        .iter()
        .any(|start| inside.starts_with(start));
    if is_target {
        // Each file there is a crate, or each directory with a `main.rs`.
        let parts: Vec<&str> = inside.split('/').collect();
        let depth = if inside.starts_with("src/bin/") { 2 } else { 1 };
        let modules = match parts.get(depth + 1..) {
            Some([.., file]) if *file != "main.rs" && *file != "mod.rs" => {
                let mut modules: Vec<&str> = parts[depth + 1..parts.len() - 1].to_vec();
                modules.push(file.trim_end_matches(".rs"));
                modules
            }
            Some([directories @ .., "mod.rs"]) => directories.to_vec(),
            _ => Vec::new(),
        };
        let module = test
            .file()
            .module()
            .map(|module| module.plain_name().into_owned())
            .unwrap_or_default();
        let rest = name
            .strip_prefix(&module)
            .map_or(&*name, |rest| rest.trim_start_matches("::"));
        return modules.into_iter().chain([rest]).collect::<Vec<_>>().join("::");
    }
    match name.split_once("::") {
        Some((_, rest)) => rest.to_owned(),
        None => name.into_owned(),
    }
}

/// Files, and a pattern of names if all names are known as they will be printed.
fn by_pattern(program: &str, tests: &[Symbol<'_>]) -> String {
    let files = grouped(tests, |test| path_word(test.file().path()));
    let names: BTreeSet<String> = tests.iter().map(|test| test.name().to_owned()).collect();
    // `%s` and `${…}` become something else when the test runs.
    let is_literal = |test: &Symbol<'_>| !test.is_anonymous() && !test.name().contains(['%', '$', '`', '…']);
    let is_whole = files.values().all(|tests| is_whole_file(tests));
    let mut words = vec![program.to_owned()];
    words.extend(files.keys().map(|path| quoted(path)));
    if !is_whole && names.len() <= MAX_PATTERNS && tests.iter().all(is_literal) {
        words.push(format!("-t {}", quoted(&format!("{}$", alternatives(&names)))));
    }
    joined(words)
}

/// The name of a test's class as the JVM writes it, and the name of the test.
fn jvm_names(test: &Symbol<'_>) -> (String, String) {
    let classes = classes(test);
    let package = test.plain_name();
    let package = match classes.first().and_then(|class| package.find(&format!(".{class}."))) {
        Some(at) => format!("{}.", &package[..at]),
        None => String::new(),
    };
    (format!("{package}{}", classes.join("$")), test.name().to_owned())
}

fn maven(tests: &[Symbol<'_>], read: &dyn Fn(&str) -> Option<String>) -> String {
    let mut by_class: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut modules: BTreeSet<String> = BTreeSet::new();
    for test in tests {
        let (class, name) = jvm_names(test);
        by_class.entry(class).or_default().insert(name);
        modules
            .insert(project(Runner::Maven, test.file().path(), read).map_or(String::new(), |(directory, _)| directory));
    }
    let pattern: Vec<String> = by_class
        .into_iter()
        .map(|(class, names)| {
            if tests.len() > MAX_NAMES {
                return class;
            }
            format!("{class}#{}", names.into_iter().collect::<Vec<_>>().join("+"))
        })
        .collect();
    let mut words = vec!["mvn test".to_owned()];
    if modules.iter().any(|module| !module.is_empty()) {
        let list: Vec<&str> = modules
            .iter()
            .map(|module| if module.is_empty() { "." } else { module })
            .collect();
        // The modules that they need have no test of these names.
        words.push(format!(
            "-pl {} -am -Dsurefire.failIfNoSpecifiedTests=false",
            quoted(&list.join(","))
        ));
    }
    words.push(quoted(&format!("-Dtest={}", pattern.join(","))));
    joined(words)
}

fn gradle(tests: &[Symbol<'_>], read: &dyn Fn(&str) -> Option<String>) -> String {
    let program = if read("gradlew").is_some() {
        "./gradlew"
    } else {
        "gradle"
    };
    let projects = grouped(tests, |test| {
        let found = project(Runner::Gradle, test.file().path(), read);
        found.map_or(String::new(), |(directory, _)| directory)
    });
    let mut words = vec![program.to_owned()];
    for (directory, members) in projects {
        words.push(match directory.as_str() {
            "" => "test".to_owned(),
            _ => quoted(&format!(":{}:test", directory.replace('/', ":"))),
        });
        let patterns: BTreeSet<String> = members
            .iter()
            .map(|test| {
                let (class, name) = jvm_names(test);
                if tests.len() > MAX_NAMES {
                    class
                } else {
                    format!("{class}.{name}")
                }
            })
            .collect();
        words.extend(patterns.iter().map(|pattern| format!("--tests {}", quoted(pattern))));
    }
    joined(words)
}

fn dotnet(tests: &[Symbol<'_>]) -> String {
    let names: BTreeSet<String> = tests
        .iter()
        .map(|test| {
            let name = test.plain_name();
            let name = if tests.len() > MAX_NAMES {
                name.rsplit_once('.').map_or(&*name, |(class, _)| class)
            } else {
                &*name
            };
            let mut escaped = String::new();
            for letter in name.chars() {
                if r"\()&|=!~".contains(letter) {
                    escaped.push('\\');
                }
                escaped.push(letter);
            }
            let sign = if tests.len() > MAX_NAMES { '~' } else { '=' };
            format!("FullyQualifiedName{sign}{escaped}")
        })
        .collect();
    let filter = names.into_iter().collect::<Vec<_>>().join("|");
    format!("dotnet test --filter {}", quoted(&filter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_shell_means_its_text() {
        for (text, word) in [
            ("tests/a.py::test_b", "tests/a.py::test_b"),
            ("a b", "'a b'"),
            ("$(rm -rf ~)", "'$(rm -rf ~)'"),
            ("it's", r"'it'\''s'"),
            ("a;b", "'a;b'"),
            ("~x", "'~x'"),
            ("a=b", "'a=b'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(text), word);
        }
        assert_eq!(path_word("-rf.py"), "./-rf.py");
    }

    #[test]
    fn a_manifest_names_its_package() {
        for (text, name) in [
            ("[package]\nname = \"lore-code\"\n", Some("lore-code")),
            ("[workspace]\n[package]\nversion = '1'\nname='a' # b\n", Some("a")),
            ("[workspace]\n[lib]\nname = \"a\"\n", None),
            ("[package]\n[lib]\nname = \"a\"\n", None),
            ("", None),
        ] {
            assert_eq!(package_name(text).as_deref(), name, "{text}");
        }
    }
}
