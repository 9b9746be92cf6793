//! Python with pinned packages, in an environment of its own below the target directory.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{capture, need};
use crate::{Outcome, disk};

/// Where the programs and the lists of their packages stand.
const DIRECTORY: &str = "xtask/python";

/// A Python that has the packages of a list.
pub(crate) struct Python {
    program: PathBuf,
}

impl Python {
    /// The environment with a name, made if it is not there or has other packages than the list.
    pub(crate) fn prepare(name: &str, requirements: &str) -> Outcome<Self> {
        if let Some(python) = Self::present(name, requirements)? {
            return Ok(python);
        }
        let wanted = disk::root().join(DIRECTORY).join(requirements);
        let place = disk::target().join(name);
        println!("installing the packages of {requirements} into {}", place.display());
        capture(need("python3")?.args(["-m", "venv", "--clear"]).arg(&place))?;
        let python = Self::at(&place);
        let pip = [
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "--no-deps",
            "--requirement",
        ];
        capture(Command::new(&python.program).args(pip).arg(&wanted))?;
        // Written last, so that an environment is whole if this is there.
        disk::write(&place.join(requirements), &disk::read(&wanted)?)?;
        Ok(python)
    }

    /// An environment with some packages and a project without its dependencies. Each call rebuilds the environment.
    pub(crate) fn with_project(name: &str, packages: &[String], project: &Path) -> Outcome<Self> {
        let place = disk::target().join(name);
        capture(need("python3")?.args(["-m", "venv", "--clear"]).arg(&place))?;
        let python = Self::at(&place);
        let pip = [
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "--no-deps",
        ];
        capture(Command::new(&python.program).args(pip).args(packages))?;
        capture(Command::new(&python.program).args(pip).arg(project))?;
        Ok(python)
    }

    /// The environment with a name, if it is there with the packages of the list.
    pub(crate) fn present(name: &str, requirements: &str) -> Outcome<Option<Self>> {
        let wanted = disk::read(&disk::root().join(DIRECTORY).join(requirements))?;
        let place = disk::target().join(name);
        let is_there = disk::read(&place.join(requirements)).is_ok_and(|installed| installed == wanted);
        Ok(is_there.then(|| Self::at(&place)))
    }

    fn at(place: &Path) -> Self {
        Self {
            program: place.join(if cfg!(windows) {
                "Scripts/python.exe"
            } else {
                "bin/python"
            }),
        }
    }

    /// A program that a package of the list brought.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.program
            .with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// One of the programs.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(disk::root().join(DIRECTORY).join(name));
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONUTF8", "1");
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned() {
        for list in [
            "ckgp-requirements.txt",
            "mcp-requirements.txt",
            "oracle-requirements.txt",
            "requirements.txt",
            "traced-requirements.txt",
        ] {
            let text = disk::read(&disk::root().join(DIRECTORY).join(list)).expect("the list");
            let mut packages = text.lines().filter(|line| !line.starts_with('#'));
            assert!(packages.all(|line| line.contains("==")), "{text}");
        }
    }
}
