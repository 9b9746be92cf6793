//! Which tool judges a language, and on which packages: `xtask/oracle/judges.toml`, and for tests that are run `xtask/oracle/traced.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use lore_base::digest::sha256;
use serde::Deserialize;

use super::judges::Tool;
use crate::corpora::{Fetched, Package};
use crate::{Outcome, disk};

/// Where the plans are, from the root of the project.
const JUDGES: &str = "xtask/oracle/judges.toml";
const TRACED: &str = "xtask/oracle/traced.toml";

/// How one language is judged.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    /// The tool.
    pub(super) judge: Tool,
    /// The packages.
    pub(super) packages: Vec<Pinned>,
}

/// A package whose content is known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pinned {
    /// The package with its version.
    pub(super) package: Package,
    /// The digest of its files.
    sha256: String,
    /// Files and directories of these names are left out.
    #[serde(default)]
    pub(super) without: Vec<String>,
    /// What the program of the judge is told about the package.
    #[serde(default)]
    pub(super) arguments: Vec<String>,
}

impl Plan {
    /// The plan of every language that has a judge.
    pub(super) fn judges() -> Outcome<BTreeMap<String, Self>> {
        read(JUDGES)
    }

    /// The plan of every language whose packages run their tests.
    pub(super) fn traced() -> Outcome<BTreeMap<String, Self>> {
        read(TRACED)
    }
}

fn read(plan: &str) -> Outcome<BTreeMap<String, Plan>> {
    toml::from_str(&disk::read(&disk::root().join(plan))?).map_err(|error| format!("{plan}: {error}"))
}

impl Pinned {
    /// Refuses a package whose files are not those that the plan names.
    pub(super) fn verify(&self, fetched: &Fetched) -> Outcome<()> {
        let mut listed = String::new();
        list(fetched.directory(), "", &mut listed)?;
        let found = sha256(&listed);
        if found == self.sha256 {
            Ok(())
        } else {
            Err(format!(
                "{}: the digest of the files is {found}, the plan says {}",
                fetched.title, self.sha256
            ))
        }
    }
}

/// Lists the digest and the path of each file below a directory, in the order of the names.
fn list(directory: &Path, prefix: &str, listed: &mut String) -> Outcome<()> {
    for path in disk::entries(directory)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let below = format!("{prefix}{name}");
        let kind = std::fs::symlink_metadata(&path)
            .map_err(|error| disk::cannot("read", &path, error))?
            .file_type();
        if kind.is_dir() {
            list(&path, &format!("{below}/"), listed)?;
        } else if kind.is_file() {
            let content = std::fs::read(&path).map_err(|error| disk::cannot("read", &path, error))?;
            listed.push_str(&format!("{}  {below}\n", sha256(content)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_three_packages_with_digests() {
        let plans = [Plan::judges(), Plan::traced()].map(|plan| plan.expect("a plan"));
        for (language, plan) in plans.into_iter().flatten() {
            assert!(plan.packages.len() >= 3, "{language}");
            for pinned in &plan.packages {
                assert!(lore_base::digest::is_hex(&pinned.sha256, 64), "{language}: {pinned:?}");
            }
        }
    }

    #[test]
    fn a_digest_depends_on_names_and_contents() {
        let digest = |files: &[(&str, &str)]| {
            let directory = tempfile::tempdir().expect("a directory");
            for (name, text) in files {
                disk::write(&directory.path().join(name), text).expect("written");
            }
            let mut listed = String::new();
            list(directory.path(), "", &mut listed).expect("listed");
            sha256(listed)
        };
        let one = digest(&[("a/b.py", "x"), ("c.py", "y")]);
        assert_eq!(one, digest(&[("c.py", "y"), ("a/b.py", "x")]));
        assert_ne!(one, digest(&[("a/b.py", "y"), ("c.py", "x")]));
        assert_ne!(one, digest(&[("a/b.py", "x")]));
    }
}
