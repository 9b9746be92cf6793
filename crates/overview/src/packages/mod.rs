//! Package files: what a package is called, what it provides, and how it is built and tested.
//!
//! There is a file here for each family of package files. A file that is not what its name promises says nothing.

mod cargo;
mod composer;
mod dart;
mod dotnet;
mod elixir;
pub(crate) mod go;
mod gradle;
mod haskell;
mod images;
mod make;
mod maven;
mod native;
mod node;
mod python;
mod ruby;
mod swift;
mod xml;

use std::collections::BTreeSet;

use lore_model::{join_path, resolve_path};

pub(crate) use go::program_name;
use schemars::JsonSchema;
use serde::Serialize;

use super::aside::is_aside;
use super::tree::Tree;

/// Package files that are read, the outermost first.
pub(crate) const MAX_FILES: usize = 256;
/// Characters of a name or a command in a package file; a longer one is left out.
const MAX_NAME: usize = 200;

/// How something that a package provides is used.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ProvideKind {
    /// A program or script that is run
    Binary,
    /// A package that other programs load
    Library,
    /// A program that keeps running and answers requests
    Service,
    /// A container image
    Image,
}

impl ProvideKind {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Library => "library",
            Self::Service => "service",
            Self::Image => "image",
        }
    }
}

/// What a command is for.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Fetches what the build needs
    Install,
    /// Builds
    Build,
    /// Runs the tests
    Test,
    /// Checks the style
    Lint,
    /// Starts the program
    Run,
}

impl Task {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Build => "build",
            Self::Test => "test",
            Self::Lint => "lint",
            Self::Run => "run",
        }
    }
}

/// A package file and what it says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Package {
    pub(crate) path: String,
    pub(crate) directory: String,
    /// The family of the file; one root file of a family speaks for the ones below it.
    pub(crate) family: &'static str,
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) provides: Vec<Provide>,
    pub(crate) commands: Vec<Command>,
}

/// Something that a package provides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Provide {
    pub(crate) kind: ProvideKind,
    pub(crate) name: String,
    /// Where its code begins.
    pub(crate) target: Option<Target>,
    /// Whether it is told to others, or only the main file of a package that nobody else gets.
    pub(crate) is_public: bool,
}

/// A command of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Command {
    pub(crate) task: Task,
    pub(crate) command: String,
    /// The file that says so, if it is another than the package file.
    pub(crate) from: Option<String>,
    /// What the command runs, where the file says so.
    pub(crate) runs: Option<String>,
}

/// What a package file names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// An object of a module.
    Object {
        module: String,
        /// The path of the object in it.
        object: String,
    },
    /// The first of these files that exists.
    File(Vec<String>),
}

impl Package {
    fn provide(&mut self, kind: ProvideKind, name: &str, target: Option<Target>) {
        self.provide_as(kind, name, target, true);
    }

    fn provide_as(&mut self, kind: ProvideKind, name: &str, target: Option<Target>, is_public: bool) {
        let name = name.trim();
        if !name.is_empty() && name.chars().count() <= MAX_NAME {
            self.provides.push(Provide {
                kind,
                name: name.to_owned(),
                target,
                is_public,
            });
        }
    }

    fn command(&mut self, task: Task, command: &str) {
        self.command_of(task, command, None, None);
    }

    fn command_from(&mut self, task: Task, command: &str, from: &str) {
        self.command_of(task, command, Some(join_path(&self.directory, from)), None);
    }

    fn command_of(&mut self, task: Task, command: &str, from: Option<String>, runs: Option<&str>) {
        let is_known = self
            .commands
            .iter()
            .any(|known| known.task == task && known.command == command);
        if !is_known && command.chars().count() <= MAX_NAME {
            self.commands.push(Command {
                task,
                command: command.to_owned(),
                from,
                runs: runs.map(lore_model::fold_whitespace),
            });
        }
    }

    /// The name, or that of the directory; `.` at the root.
    fn name_or_directory(&self) -> String {
        let of_directory = match last_part(&self.directory) {
            "" => ".",
            name => name,
        };
        self.name.clone().unwrap_or_else(|| of_directory.to_owned())
    }

    fn file(&self, path: &str) -> String {
        resolve_path(&self.directory, path)
    }
}

/// What reads a package file: what it is for, and its text.
type Reader = fn(&Tree<'_>, &str, &mut Package);

fn reader(path: &str) -> Option<(&'static str, Reader)> {
    let name = path.rsplit('/').next()?;
    let found: (&'static str, Reader) = match name {
        "Cargo.toml" => ("cargo", cargo::read),
        "pyproject.toml" => ("python", python::pyproject),
        "setup.cfg" => ("python", python::setup_cfg),
        "setup.py" => ("python", python::setup_py),
        "package.json" => ("node", node::read),
        "composer.json" => ("composer", composer::read),
        "go.mod" => ("go", go::read),
        "pom.xml" => ("maven", maven::read),
        "build.gradle" | "build.gradle.kts" | "settings.gradle" | "settings.gradle.kts" => ("gradle", gradle::read),
        "pubspec.yaml" => ("dart", dart::read),
        "mix.exs" => ("elixir", elixir::read),
        "Package.swift" => ("swift", swift::read),
        "CMakeLists.txt" => ("cmake", native::cmake),
        "meson.build" => ("meson", native::meson),
        "configure.ac" => ("autotools", native::autotools),
        "build.zig" => ("zig", native::zig),
        "build.sbt" => ("sbt", gradle::sbt),
        "Makefile" | "GNUmakefile" | "makefile" => ("make", make::makefile),
        "justfile" | "Justfile" | ".justfile" => ("just", make::justfile),
        "Dockerfile" => ("docker", images::dockerfile),
        "docker-compose.yml" | "docker-compose.yaml" | "compose.yml" | "compose.yaml" => ("compose", images::compose),
        "Procfile" => ("procfile", images::procfile),
        "Rakefile" => ("ruby", ruby::rakefile),
        _ if name.ends_with(".gemspec") => ("ruby", ruby::gemspec),
        _ if name.ends_with(".cabal") => ("haskell", haskell::read),
        _ if [".csproj", ".fsproj", ".vbproj"].iter().any(|end| name.ends_with(end)) => ("dotnet", dotnet::project),
        _ if name.ends_with(".sln") || name.ends_with(".slnx") => ("dotnet", dotnet::solution),
        _ => return None,
    };
    Some(found)
}

/// The package files of a directory and below it, the outermost first, and how many more there are than are read.
pub(crate) fn packages(tree: &Tree<'_>, top: &str) -> (Vec<Package>, usize) {
    let is_own = |path: &&str| {
        let below = path.strip_prefix(top).unwrap_or(path).trim_start_matches('/');
        reader(path).is_some() && !is_aside(below)
    };
    let mut files: Vec<&str> = tree.below(top).filter(is_own).collect();
    files.sort_by_key(|path| (path.matches('/').count(), *path));
    let more = files.len().saturating_sub(MAX_FILES);
    files.truncate(MAX_FILES);
    // A package file of another family below the sources of a package is data of that package, such as a test.
    let sources = |path: &&str| {
        let (family, _) = reader(path)?;
        let directory = join_path(super::aside::directory(path), "src/");
        matches!(family, "cargo" | "maven" | "gradle").then_some((family, directory))
    };
    let sources: BTreeSet<(&str, String)> = files.iter().filter_map(sources).collect();
    files.retain(|path| {
        let family = reader(path).map(|(family, _)| family);
        let is_data = |(of, directory): &(&str, String)| family != Some(of) && path.starts_with(directory.as_str());
        !sources.iter().any(is_data)
    });
    let read = files.into_iter().filter_map(|path| {
        let (family, read) = reader(path)?;
        let text = tree.read(path)?;
        let mut package = Package {
            path: path.to_owned(),
            directory: super::aside::directory(path).to_owned(),
            family,
            ..Package::default()
        };
        read(tree, &text, &mut package);
        Some(package)
    });
    (read.collect(), more)
}

/// The last part of a path or a name with slashes.
fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The text in the quotation marks that follow a word and perhaps an `=`, `:` or `(`: `name = "x"`, `.name: 'x'`.
fn quoted_after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    text.match_indices(word).take(100).find_map(|(at, _)| {
        if text[..at].ends_with(is_name) {
            return None;
        }
        let rest = text[at + word.len()..].trim_start();
        let rest = rest.trim_start_matches(['=', ':', '(', ' ', '\t', '>']);
        quoted(rest)
    })
}

/// The text in the quotation marks that a text begins with, on one line.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
    let line = text[1..].split('\n').next()?;
    line.split_once(quote).map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests;
