//! Pinned real packages to measure on, fetched with the ordinary clients as they are configured here.
//!
//! The sheet of a language names its packages. A package is unpacked once, into `<cache>/<language>/<package>-<version>`; a directory that
//! is there is whole.

mod clients;
mod debian;

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use serde::Deserialize;
use tempfile::TempDir;

use crate::{Outcome, disk, languages};
use clients::Client;

/// Lore does not trust the times of files that were written just now.
const SETTLE: Duration = Duration::from_millis(200);

/// A package: `client:name@version`, of a distribution `debian:name`, because that serves one version only.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Package {
    client: Client,
    name: String,
    /// The version, if it is for us to choose.
    version: Option<String>,
}

/// A package that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fetched {
    /// Its name and its version.
    pub(crate) title: String,
    directory: PathBuf,
}

impl Fetched {
    /// Where it is.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }
}

/// Fetches the packages of the chosen languages and says where they are.
pub(crate) fn run(chosen: &[String]) -> Outcome<()> {
    let mut missing = Vec::new();
    for language in languages::chosen(chosen)? {
        match fetch(&language.folder.name, &language.sheet.packages) {
            Ok(packages) => packages
                .iter()
                .for_each(|package| println!("{:<12} {}", language.folder.name, package.directory.display())),
            Err(message) => {
                println!("{} is not whole: {message}", language.folder.name);
                missing.push(language.folder.name);
            }
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("packages of {} could not be fetched", missing.join(", ")))
    }
}

/// The packages of a language, fetched if they are not there yet.
pub(crate) fn fetch(language: &str, packages: &[Package]) -> Outcome<Vec<Fetched>> {
    if packages.is_empty() {
        return Err("its sheet names no packages".to_owned());
    }
    let cache = cache()?;
    let directory = cache.join(language);
    disk::make_directory(&directory)?;
    packages
        .iter()
        .map(|package| package.fetch(&cache, &directory))
        .collect()
}

/// Those of the packages of a language that were fetched before.
pub(crate) fn present(language: &str, packages: &[Package]) -> Outcome<Vec<Fetched>> {
    let directory = cache()?.join(language);
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let found = packages
        .iter()
        .filter_map(|package| package.present(&directory).transpose());
    found.collect()
}

/// Where packages are kept.
fn cache() -> Outcome<PathBuf> {
    let cache = std::env::var_os("LORE_CORPORA").map_or_else(|| disk::target().join("corpora"), PathBuf::from);
    std::path::absolute(&cache).map_err(|error| disk::cannot("used", &cache, error))
}

impl TryFrom<String> for Package {
    type Error = String;

    fn try_from(text: String) -> Outcome<Self> {
        let bad = || format!("`{text}` is no package; write `client:name@version`, or `debian:name`");
        let (client, rest) = text.split_once(':').ok_or_else(bad)?;
        let client = Client::from_name(client).ok_or_else(bad)?;
        // The name of a scoped package begins with `@`.
        let (name, version) = match rest.rsplit_once('@').filter(|(name, _)| !name.is_empty()) {
            Some((name, version)) => (name, Some(version)),
            None => (rest, None),
        };
        if name.is_empty() || version == Some("") || version.is_some() == (client == Client::Debian) {
            return Err(bad());
        }
        Ok(Self {
            client,
            name: name.to_owned(),
            version: version.map(str::to_owned),
        })
    }
}

impl Package {
    /// Whether it has this name in its registry.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name
    }

    /// Its name in its registry.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The version, if it is for us to choose.
    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn fetch(&self, cache: &Path, directory: &Path) -> Outcome<Fetched> {
        if let Some(fetched) = self.present(directory)? {
            return Ok(fetched);
        }
        let version = self.version.as_deref().unwrap_or_default();
        println!("fetching {}", self.title(version));
        let staging = tempfile::tempdir_in(cache).map_err(|error| disk::cannot("written", cache, error))?;
        let got = self.client.fetch(&self.name, version, cache, staging.path())?;
        let place = directory.join(self.directory_name(&got.version));
        match disk::rename(&got.tree, &place) {
            // Another process may have been faster.
            Err(message) if !place.is_dir() => Err(message),
            _ => Ok(self.at(place, &got.version)),
        }
    }

    /// The package, if it was fetched before; of a distribution's package any version will do.
    fn present(&self, directory: &Path) -> Outcome<Option<Fetched>> {
        if let Some(version) = &self.version {
            let place = directory.join(self.directory_name(version));
            return Ok(place.is_dir().then(|| self.at(place, version)));
        }
        let prefix = self.directory_name("");
        let found = disk::entries(directory)?.into_iter().rev().find_map(|path| {
            let version = path.file_name()?.to_str()?.strip_prefix(&prefix)?.to_owned();
            version
                .starts_with(|first: char| first.is_ascii_digit())
                .then_some((path, version))
        });
        Ok(found.map(|(path, version)| self.at(path, &version)))
    }

    fn directory_name(&self, version: &str) -> String {
        format!("{}-{version}", self.name.trim_start_matches('@').replace('/', "-"))
    }

    fn title(&self, version: &str) -> String {
        format!("{} {version}", self.name).trim_end().to_owned()
    }

    fn at(&self, directory: PathBuf, version: &str) -> Fetched {
        Fetched {
            title: self.title(version),
            directory,
        }
    }
}

/// A copy of some packages to index and change, and an empty cache beside it; both are removed in the end.
pub(crate) struct Copy {
    scratch: TempDir,
}

impl Copy {
    /// Copies packages, each into a directory of its own.
    pub(crate) fn of(packages: &[Fetched]) -> Outcome<Self> {
        let copy = Self::empty()?;
        for package in packages {
            let name = package.directory.file_name().unwrap_or_default();
            disk::copy_tree(&package.directory, &copy.tree().join(name))?;
        }
        sleep(SETTLE);
        Ok(copy)
    }

    /// Copies one package as a project of its own, without the files and directories of some names.
    pub(crate) fn alone(package: &Fetched, without: &[String]) -> Outcome<Self> {
        let copy = Self::empty()?;
        disk::copy_tree_without(&package.directory, &copy.tree(), without)?;
        sleep(SETTLE);
        Ok(copy)
    }

    /// Copies a directory.
    pub(crate) fn of_directory(directory: &Path) -> Outcome<Self> {
        let copy = Self::empty()?;
        disk::copy_tree(directory, &copy.tree())?;
        sleep(SETTLE);
        Ok(copy)
    }

    fn empty() -> Outcome<Self> {
        let scratch = tempfile::tempdir().map_err(|error| format!("there is no place for a copy: {error}"))?;
        Ok(Self { scratch })
    }

    /// The copy.
    pub(crate) fn tree(&self) -> PathBuf {
        self.scratch.path().join("tree")
    }

    /// The cache.
    pub(crate) fn cache(&self) -> PathBuf {
        self.scratch.path().join("cache")
    }

    /// A file beside the two.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// A command of `lore` about the copy.
    pub(crate) fn lore(&self, binary: &Path, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(binary);
        command
            .args(arguments)
            .arg("--repo")
            .arg(self.tree())
            .arg("--cache")
            .arg(self.cache())
            .arg("--db")
            .arg(self.scratch.path().join("lore.db"));
        command.current_dir(self.scratch.path());
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(text: &str) -> Outcome<String> {
        let package = Package::try_from(text.to_owned())?;
        Ok(package.directory_name(package.version.as_deref().unwrap_or("?")))
    }

    #[test]
    fn a_package_has_a_directory() {
        for (text, expected) in [
            ("pip:django@5.2.8", "django-5.2.8"),
            ("pip-wheel:ziglang@0.13.0.post1", "ziglang-0.13.0.post1"),
            ("npm:@scope/name@1.0.0", "scope-name-1.0.0"),
            ("npm-sources:rxjs@7.8.2", "rxjs-7.8.2"),
            ("cargo:toml@1.1.8+spec-1.1.0", "toml-1.1.8+spec-1.1.0"),
            ("debian:lua5.4", "lua5.4-?"),
        ] {
            assert_eq!(directory(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_package_is_refused() {
        for text in [
            "lua",
            "gem:rails@8",
            "pip:django",
            "pip:django@",
            "npm:@scope/name",
            "debian:lua5.4@5.4.4",
            "debian:",
        ] {
            assert!(directory(text).is_err_and(|error| error.contains(text)), "{text}");
        }
    }

    #[test]
    fn of_a_distribution_any_version_will_do() {
        let directory = tempfile::tempdir().expect("a directory");
        let package = Package::try_from("debian:lua".to_owned()).expect("a package");
        let title = |directory: &Path| {
            package
                .present(directory)
                .map(|found| found.map(|fetched| fetched.title))
        };
        std::fs::create_dir(directory.path().join("lua-cjson-2.1")).expect("made");
        assert_eq!(title(directory.path()), Ok(None));
        std::fs::create_dir(directory.path().join("lua-5.4.4")).expect("made");
        assert_eq!(title(directory.path()), Ok(Some("lua 5.4.4".to_owned())));
    }
}
