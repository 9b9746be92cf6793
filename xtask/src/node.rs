//! Node with pinned packages, in a directory of its own below the target directory.

use std::path::PathBuf;

use crate::process::{capture, need};
use crate::{Outcome, disk};

/// No package is taken that is younger: a list names only those that we ask for, not what they ask for in turn.
const BEFORE: &str = "2026-11-15";

/// Node with the packages of a list.
pub(crate) struct Node {
    modules: PathBuf,
}

impl Node {
    /// What is installed at a place below the target directory, if it is what a directory of the workspace lists.
    pub(crate) fn present(place: &str, list: &str) -> Outcome<Option<Self>> {
        let place = disk::target().join(place);
        let is_there = disk::read(&place.join("installed")).is_ok_and(|installed| installed == wanted(list));
        let node = Self {
            modules: place.join("node_modules"),
        };
        Ok(is_there.then_some(node))
    }

    /// The same, installed if it is not there.
    pub(crate) fn prepare(place: &str, list: &str) -> Outcome<Self> {
        if let Some(node) = Self::present(place, list)? {
            return Ok(node);
        }
        let place = disk::target().join(place);
        println!("installing the packages of {list} into {}", place.display());
        if place.exists() {
            std::fs::remove_dir_all(&place).map_err(|error| disk::cannot("removed", &place, error))?;
        }
        disk::write(&place.join("package.json"), &listed(list))?;
        let mut npm = need("npm")?;
        // No script of a package is run. A lock would name optional packages of other systems, which npm then misses.
        npm.args([
            "install",
            "--ignore-scripts",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
        ]);
        npm.args(["--fetch-retries=1", "--fetch-timeout=60000"]);
        npm.arg(format!("--before={BEFORE}")).current_dir(&place);
        capture(&mut npm)?;
        // Written last, so that everything is there if this is.
        disk::write(&place.join("installed"), &wanted(list))?;
        Ok(Self {
            modules: place.join("node_modules"),
        })
    }

    /// A file of a package.
    pub(crate) fn module(&self, path: &str) -> PathBuf {
        self.modules.join(path)
    }

    /// The program: the one that came with the packages, which is new enough, or else the one on the path.
    pub(crate) fn program(&self) -> Outcome<PathBuf> {
        let file = if cfg!(windows) { "bin/node.exe" } else { "bin/node" };
        let installed = disk::entries(&self.modules)?.into_iter().find_map(|package| {
            let is_node = package
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("node-"));
            Some(package.join(file)).filter(|program| is_node && program.is_file())
        });
        match installed {
            Some(program) => Ok(program),
            None => Ok(need("node")?.get_program().into()),
        }
    }
}

fn listed(list: &str) -> String {
    disk::read(&disk::root().join(list).join("package.json")).unwrap_or_default()
}

fn wanted(list: &str) -> String {
    format!("{BEFORE}\n{}", listed(list))
}

/// Checks that a list names versions and nothing else; what is wrong with it if not.
#[cfg(test)]
pub(crate) fn unpinned(list: &str) -> Vec<String> {
    let list: serde_json::Value = serde_json::from_str(&listed(list)).expect("the list");
    let mut found = Vec::new();
    for kind in ["dependencies", "optionalDependencies"] {
        for (name, version) in list[kind].as_object().expect("packages") {
            let version = version.as_str().expect("a version");
            let version = version.rsplit('@').next().unwrap_or(version);
            if !version.starts_with(|letter: char| letter.is_ascii_digit()) {
                found.push(format!("{name}: {version}"));
            }
        }
    }
    found
}
