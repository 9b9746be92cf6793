//! Source packages through apt, from the archive that apt uses here, without touching apt's own state.
//!
//! The lists of the archive are kept in the cache, because they are large; one process at a time brings them up to date.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::clients::{Got, unpack};
use crate::process::{capture, need};
use crate::{Outcome, disk};

/// Where apt's sources are configured.
const APT: &str = "/etc/apt";
/// Lists older than this are fetched anew.
const LISTS_LAST: Duration = Duration::from_secs(24 * 60 * 60);

/// Fetches the upstream part of a source package; the archive decides on the version.
pub(super) fn fetch(name: &str, cache: &Path, staging: &Path) -> Outcome<Got> {
    let state = State::open(&cache.join(".apt"))?;
    state.refresh()?;
    // Whoever downloads shares the lists, and nobody changes them meanwhile.
    let _shared = state.lock(File::lock_shared)?;
    let arguments = ["source", "--download-only", name];
    capture(state.apt()?.args(arguments).current_dir(staging))?;
    let entries = disk::entries(staging)?;
    let description = entries
        .iter()
        .find(|path| path.extension().is_some_and(|extension| extension == "dsc"))
        .ok_or_else(|| format!("apt has left no description of the source package {name}"))?;
    let (archive, version) = upstream_archive(&disk::read(description)?)
        .ok_or_else(|| format!("the source package {name} has no upstream archive"))?;
    unpack(&staging.join(archive), staging).map(|tree| Got { tree, version })
}

/// apt's state in a directory of its own.
struct State {
    directory: PathBuf,
}

impl State {
    fn open(directory: &Path) -> Outcome<Self> {
        for place in ["parts", "lists/partial", "cache/archives/partial"] {
            disk::make_directory(&directory.join(place))?;
        }
        Ok(Self {
            directory: directory.to_owned(),
        })
    }

    /// Brings the lists up to date if they are missing, old or of another archive.
    fn refresh(&self) -> Outcome<()> {
        let _alone = self.lock(File::lock)?;
        let stanza = source_stanza(&configured_sources()).ok_or("apt has no enabled source of packages")?;
        let parts = self.directory.join("parts/sources.sources");
        if self.is_fresh() && disk::read(&parts).is_ok_and(|present| present == stanza) {
            return Ok(());
        }
        println!("fetching the lists of the archive");
        disk::write(&parts, &stanza)?;
        capture(self.apt()?.arg("update"))?;
        disk::write(&self.stamp(), "")
    }

    fn is_fresh(&self) -> bool {
        let written = fs::metadata(self.stamp()).and_then(|stamp| stamp.modified());
        written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age < LISTS_LAST))
    }

    /// A file that was written when the lists were.
    fn stamp(&self) -> PathBuf {
        self.directory.join("updated")
    }

    /// Waits for the lock, which is held as long as the file is open.
    fn lock(&self, wait: fn(&File) -> std::io::Result<()>) -> Outcome<File> {
        let path = self.directory.join("lock");
        let locked = File::create(&path).and_then(|file| wait(&file).map(|()| file));
        locked.map_err(|error| disk::cannot("locked", &path, error))
    }

    /// apt with all of its state in the directory.
    fn apt(&self) -> Outcome<Command> {
        let mut apt = need("apt-get")?;
        let places = [
            ("Dir::Etc::SourceParts", "parts"),
            ("Dir::State::Lists", "lists"),
            ("Dir::Cache", "cache"),
        ];
        for (option, place) in places {
            apt.arg("-o")
                .arg(format!("{option}={}", self.directory.join(place).display()));
        }
        apt.args(["-o", "Dir::Etc::SourceList=/dev/null", "-o", "Acquire::Retries=3"]);
        Ok(apt)
    }
}

/// The archive of a source package that holds what its authors released, and the version: the one archive of a native package,
/// `<source>_<version>.orig.tar.*` otherwise.
fn upstream_archive(description: &str) -> Option<(String, String)> {
    let after = description
        .lines()
        .skip_while(|line| line.trim_end() != "Files:")
        .skip(1);
    let files: Vec<&str> = after
        .take_while(|line| line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    let archive = |middle: &str| {
        files.iter().find_map(|file| {
            let (_, rest) = file.split_once('_')?;
            let (version, compression) = rest.split_once(middle)?;
            let whole = !compression.contains('.') && !version.ends_with(".debian") && !version.contains(".orig");
            whole.then(|| ((*file).to_owned(), version.to_owned()))
        })
    };
    archive(".orig.tar.").or_else(|| archive(".tar."))
}

/// The texts of apt's configured sources, in the order in which apt reads them.
fn configured_sources() -> Vec<String> {
    let parts = disk::entries(&Path::new(APT).join("sources.list.d")).unwrap_or_default();
    let is_source = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "list" || extension == "sources")
    };
    let files = std::iter::once(Path::new(APT).join("sources.list")).chain(parts.into_iter().filter(is_source));
    files.filter_map(|path| disk::read(&path).ok()).collect()
}

/// The first enabled source of binary packages, as a stanza that asks for sources.
fn source_stanza(texts: &[String]) -> Option<String> {
    texts
        .iter()
        .find_map(|text| from_lines(text).or_else(|| from_stanzas(text)))
}

/// From lines such as `deb [signed-by=KEY] URI SUITE COMPONENT…`.
fn from_lines(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let mut rest = line.split('#').next()?.trim().strip_prefix("deb ")?.trim();
        let mut key = None;
        if let Some((options, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            key = options
                .split_whitespace()
                .find_map(|option| option.strip_prefix("signed-by="));
            rest = after.trim();
        }
        let mut words = rest.split_whitespace();
        let (uri, suite) = (words.next()?, words.next()?);
        let components: Vec<&str> = words.collect();
        let mut stanza = format!("Types: deb-src\nURIs: {uri}\nSuites: {suite}\n");
        if !components.is_empty() {
            stanza.push_str(&format!("Components: {}\n", components.join(" ")));
        }
        if let Some(key) = key {
            stanza.push_str(&format!("Signed-By: {key}\n"));
        }
        Some(stanza)
    })
}

/// From stanzas of `Key: value` lines.
fn from_stanzas(text: &str) -> Option<String> {
    let without_comments: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    without_comments
        .split(|line| line.trim().is_empty())
        .find_map(|stanza| {
            let mut fields: Vec<(String, String)> = Vec::new();
            for line in stanza {
                match (line.starts_with([' ', '\t']), line.split_once(':')) {
                    (true, _) => fields.last_mut()?.1.push_str(&format!("\n{line}")),
                    (false, Some((key, value))) => fields.push((key.to_lowercase(), value.trim().to_owned())),
                    (false, None) => return None,
                }
            }
            let field = |name: &str| {
                fields
                    .iter()
                    .find(|(key, _)| key == name)
                    .map(|(_, value)| value.as_str())
            };
            let disabled = field("enabled").is_some_and(|value| matches!(value, "no" | "false" | "0"));
            if disabled || !field("types")?.split_whitespace().any(|kind| kind == "deb") {
                return None;
            }
            let mut source = format!(
                "Types: deb-src\nURIs: {}\nSuites: {}\n",
                field("uris")?,
                field("suites")?
            );
            for (key, name) in [("components", "Components"), ("signed-by", "Signed-By")] {
                if let Some(value) = field(key) {
                    source.push_str(&format!("{name}: {value}\n"));
                }
            }
            Some(source)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stanza_asks_for_sources_instead() {
        let text = "Types: deb\nEnabled: no\nURIs: http://old.invalid\nSuites: x\n\n# Why.\nTypes: deb\n# More.\n\
                    URIs: http://mirror.invalid/debian\nSuites: stable stable-updates\nComponents: main\nSigned-By: /k.gpg\n";
        assert_eq!(
            source_stanza(&[text.to_owned()]).as_deref(),
            Some(
                "Types: deb-src\nURIs: http://mirror.invalid/debian\nSuites: stable stable-updates\nComponents: main\n\
                 Signed-By: /k.gpg\n"
            )
        );
    }

    #[test]
    fn a_line_asks_for_sources_instead() {
        let text = "# deb http://old.invalid x main\ndeb [arch=amd64 signed-by=/k.gpg] http://mirror.invalid/debian stable main contrib\n";
        assert_eq!(
            source_stanza(&[String::new(), text.to_owned()]).as_deref(),
            Some(
                "Types: deb-src\nURIs: http://mirror.invalid/debian\nSuites: stable\nComponents: main contrib\nSigned-By: /k.gpg\n"
            )
        );
    }

    #[test]
    fn the_archive_of_the_authors_is_found() {
        let archive = |files: &[&str]| {
            let files: String = files.iter().map(|file| format!(" 0123 45 {file}\n")).collect();
            upstream_archive(&format!(
                "Source: a\nChecksums-Sha256:\n 67 45 b.tar.gz\nFiles:\n{files}\n-----BEGIN\n"
            ))
        };
        let found = |file: &str, version: &str| Some((file.to_owned(), version.to_owned()));
        assert_eq!(
            archive(&[
                "a_1.2.orig-docs.tar.gz",
                "a_1.2.orig.tar.bz2.asc",
                "a_1.2.orig.tar.bz2",
                "a_1.2-3.debian.tar.xz"
            ]),
            found("a_1.2.orig.tar.bz2", "1.2")
        );
        assert_eq!(archive(&["a_1.2.tar.xz"]), found("a_1.2.tar.xz", "1.2"));
        assert_eq!(archive(&["a_1.2-3.debian.tar.xz", "a_1.2-3.diff.gz"]), None);
    }

    #[test]
    fn without_a_source_there_is_none() {
        assert_eq!(
            source_stanza(&["Types: deb-src\nURIs: a\nSuites: b\n".to_owned()]),
            None
        );
    }
}
