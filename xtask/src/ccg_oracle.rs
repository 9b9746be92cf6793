//! `cargo xtask ccg-oracle`: exported layers, checked by engines that are not ours. The checks are a Python program,
//! `xtask/python/ccg_oracle.py`, because that is the language in which there is more than one engine to ask.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::corpora::{self, Copy, Fetched};
use crate::disk::{Build, binary};
use crate::process::{alone, capture, cargo, run as run_command};
use crate::python::Python;
use crate::{Outcome, console_blocks, disk, languages};

/// The program, the list of its packages and the name of its environment.
const PROGRAM: &str = "ccg_oracle.py";
const REQUIREMENTS: &str = "requirements.txt";
const ENVIRONMENT: &str = "ccg-oracle";
/// Small packages, each by its language and its name on the language's sheet.
const PACKAGES: &[(&str, &str)] = &[
    ("css", "normalize.css"),
    ("javascript", "express"),
    ("rust", "clap_builder"),
];

/// Where packages come from that the task chooses itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packages {
    /// They are fetched if they are not there.
    Fetched,
    /// Only those that are there already.
    Present,
}

/// The oracle, with its packages.
pub(crate) struct Oracle {
    python: Python,
}

impl Oracle {
    /// The oracle; its packages are installed if they are not there.
    pub(crate) fn prepare() -> Outcome<Self> {
        let python = Python::prepare(ENVIRONMENT, REQUIREMENTS)?;
        Ok(Self { python })
    }

    /// Checks that the oracle notices what is wrong, then exports the repositories and checks their layers.
    pub(crate) fn check(&self, repositories: &[Repository]) -> Outcome<()> {
        run_command(self.python.program(PROGRAM).arg("--self-test"))?;
        run_command(&mut cargo(&["build", "--quiet", "--package", "lore-cli"]))?;
        let scratch = scratch()?;
        let bundles: Vec<PathBuf> = repositories
            .iter()
            .enumerate()
            .map(|(number, repository)| repository.export(&scratch.path().join(number.to_string())))
            .collect::<Outcome<_>>()?;
        run_command(self.python.program(PROGRAM).args(bundles))
    }
}

/// Something to export.
pub(crate) struct Repository {
    title: String,
    place: Place,
}

/// Where it is.
enum Place {
    /// A directory as it is.
    There(PathBuf),
    /// A copy that is removed in the end.
    Copied(Copy),
}

impl Repository {
    /// Something named after a directory.
    fn new(directory: &Path, place: Place) -> Self {
        let name = directory.file_name().unwrap_or(directory.as_os_str());
        Self {
            title: name.to_string_lossy().into_owned(),
            place,
        }
    }

    /// Exports a bundle into a scratch directory; gives its place.
    fn export(&self, scratch: &Path) -> Outcome<PathBuf> {
        let (tree, cache) = match &self.place {
            Place::There(directory) => (directory.clone(), scratch.join("cache")),
            Place::Copied(copy) => (copy.tree(), copy.cache()),
        };
        disk::make_directory(scratch)?;
        let bundle = scratch.join(format!("{}.ccg.zip", self.title));
        let mut lore = Command::new(binary(Build::Dev, "lore"));
        lore.args(["ccg", "bundle", "--repo"]).arg(tree);
        lore.arg("--cache").arg(cache).arg("--output").arg(&bundle);
        capture(alone(&mut lore, scratch))?;
        Ok(bundle)
    }
}

/// Checks the layers of some directories, or of the sample repository and small packages if none is named.
pub(crate) fn run(directories: &[PathBuf]) -> Outcome<()> {
    let repositories = match directories {
        [] => usual(Packages::Fetched)?,
        named => named
            .iter()
            .map(|directory| Repository::new(directory, Place::There(directory.clone())))
            .collect(),
    };
    Oracle::prepare()?.check(&repositories)
}

/// The sample repository, with a commit, and small packages.
pub(crate) fn usual(packages: Packages) -> Outcome<Vec<Repository>> {
    let sample = disk::root().join(console_blocks::SAMPLE);
    let copy = Copy::of_directory(&sample)?;
    console_blocks::commit(&copy.tree())?;
    let mut repositories = vec![Repository::new(&sample, Place::Copied(copy))];
    for (language, name) in PACKAGES {
        for package in &found(language, name, packages)? {
            let copy = Copy::alone(package, &[])?;
            repositories.push(Repository::new(package.directory(), Place::Copied(copy)));
        }
    }
    Ok(repositories)
}

fn found(language: &str, name: &str, packages: Packages) -> Outcome<Vec<Fetched>> {
    let mut chosen = languages::chosen(&[language.to_owned()])?;
    let sheet = chosen.pop().map(|language| language.sheet.packages).unwrap_or_default();
    let named: Vec<_> = sheet.into_iter().filter(|package| package.is_named(name)).collect();
    match packages {
        Packages::Fetched => corpora::fetch(language, &named),
        Packages::Present => corpora::present(language, &named),
    }
}

fn scratch() -> Outcome<TempDir> {
    tempfile::tempdir().map_err(|error| format!("there is no place for the layers: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_are_on_their_sheets() {
        for (language, name) in PACKAGES {
            let sheets = languages::chosen(&[(*language).to_owned()]).expect("a language");
            let is_there = |package: &corpora::Package| package.is_named(name);
            assert!(
                sheets
                    .iter()
                    .any(|language| language.sheet.packages.iter().any(is_there)),
                "{name}"
            );
        }
    }
}
