//! Source packages through apt, from the archive that apt uses here, without touching apt's own state.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::clients::{Got, unpack};
use crate::process::{capture, need};
use crate::{Outcome, disk};

/// Where apt's sources are configured.
const APT: &str = "/etc/apt";

/// Fetches the upstream part of a source package; the archive decides on the version.
pub(super) fn fetch(name: &str, staging: &Path) -> Outcome<Got> {
    let stanza = source_stanza(&configured_sources()).ok_or("apt has no enabled source of packages")?;
    disk::write(&staging.join("parts/sources.sources"), &stanza)?;
    disk::make_directory(&staging.join("lists/partial"))?;
    disk::make_directory(&staging.join("cache/archives/partial"))?;
    let apt = |arguments: &[&str]| -> Outcome<String> { capture(isolated(need("apt-get")?, staging).args(arguments)) };
    apt(&["update"])?;
    apt(&["source", "--download-only", name])?;
    let (archive, version) = upstream_archive(name, staging)?;
    unpack(&archive, staging).map(|tree| Got { tree, version })
}

/// apt with all of its state below a directory.
fn isolated(mut apt: Command, directory: &Path) -> Command {
    let places = [
        ("Dir::Etc::SourceParts", "parts"),
        ("Dir::State::Lists", "lists"),
        ("Dir::Cache", "cache"),
    ];
    for (option, place) in places {
        apt.arg("-o")
            .arg(format!("{option}={}", directory.join(place).display()));
    }
    apt.args(["-o", "Dir::Etc::SourceList=/dev/null"])
        .current_dir(directory);
    apt
}

/// `<name>_<version>.orig.tar.*` and the version.
fn upstream_archive(name: &str, directory: &Path) -> Outcome<(PathBuf, String)> {
    let prefix = format!("{name}_");
    let found = disk::entries(directory)?.into_iter().find_map(|path| {
        let file = path.file_name()?.to_str()?;
        let (version, _) = file
            .strip_prefix(&prefix)?
            .split_once(".orig.tar.")
            .filter(|(_, rest)| !rest.contains('.'))?;
        let version = version.to_owned();
        Some((path, version))
    });
    found.ok_or_else(|| format!("the source package {name} has no upstream archive"))
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
    fn without_a_source_there_is_none() {
        assert_eq!(
            source_stanza(&["Types: deb-src\nURIs: a\nSuites: b\n".to_owned()]),
            None
        );
    }
}
