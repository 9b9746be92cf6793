//! `cargo deny`: licences, banned packages, sources, and known vulnerabilities of the packages that Lore is built from.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::process::{self, capture, cargo};
use crate::{Outcome, disk};

/// The version that is installed if there is none.
const VERSION: &str = "0.20.2";
/// What needs the packages of Cargo.lock and nothing else.
const CHECKS: &[&str] = &["licenses", "bans", "sources"];

/// cargo-deny, and what runs it.
pub(crate) struct Deny {
    program: PathBuf,
}

impl Deny {
    /// cargo-deny of the machine, or one below the target directory, which is built first if it is missing.
    pub(crate) fn prepare() -> Outcome<Self> {
        if let Some(program) = process::tool("cargo-deny") {
            return Ok(Self { program });
        }
        let root = disk::target().join("tools");
        let program = root
            .join("bin")
            .join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
        if !program.is_file() {
            println!("installing cargo-deny {VERSION} into {}", root.display());
            let began = Instant::now();
            // Not the release profile: its build takes 155 s of CPU time instead of 71 s, and a check takes seconds either way.
            let install = [
                "install",
                "--quiet",
                "--locked",
                "--profile",
                "dev",
                "cargo-deny",
                "--version",
                VERSION,
            ];
            capture(
                cargo(&install)
                    .arg("--root")
                    .arg(&root)
                    .arg("--target-dir")
                    .arg(root.join("build")),
            )?;
            println!("installed in {:.0} s", began.elapsed().as_secs_f64());
        }
        Ok(Self { program })
    }

    /// Checks licences, bans and sources, and advisories if their database can be fetched. Gives the reason if it cannot.
    pub(crate) fn check(&self) -> Outcome<Option<String>> {
        let mut check = self.command();
        process::run(check.arg("check").args(CHECKS))?;
        if let Err(message) = capture(self.command().args(["fetch", "db"])) {
            let reason = message.lines().last().unwrap_or_default().trim();
            return Ok(Some(format!("the advisory database cannot be fetched: {reason}")));
        }
        process::run(self.command().args(["check", "advisories"]))?;
        Ok(None)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(disk::root());
        command
    }
}
