//! Runs the binary as a user would, in a copy of the sample repository, with an environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A copy of the sample repository.
pub(crate) struct Sample {
    directory: TempDir,
}

/// What a command did.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "exit {}\n--- stdout\n{}--- stderr\n{}",
            self.code, self.stdout, self.stderr
        )
    }
}

impl Sample {
    pub(crate) fn new() -> Self {
        let sample = Self {
            directory: TempDir::new().expect("a directory"),
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sample");
        copy(&source, &sample.root());
        fs::create_dir(sample.home()).expect("a home");
        sample
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join("shop")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.home());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    pub(crate) fn lore(&self, arguments: &[&str]) -> Outcome {
        let outcome = self.finish(self.command(arguments), "");
        Outcome {
            stdout: hide_numbers(&outcome.stdout),
            ..outcome
        }
    }

    /// Runs a command with an input; paths in its output are made the same everywhere.
    pub(crate) fn finish(&self, mut command: Command, input: &str) -> Outcome {
        let output = lore_testing::finish(&mut command, input.as_bytes());
        let base = self
            .directory
            .path()
            .canonicalize()
            .expect("there")
            .display()
            .to_string();
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&base, "[BASE]");
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: shown(&output.stdout),
            stderr: shown(&output.stderr),
        }
    }
}

/// Replaces what differs from run to run: durations and sizes of the snapshot.
fn hide_numbers(text: &str) -> String {
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        if let Some((before, after)) = line.split_once(" lines in ")
            && let Some((_, after)) = after.split_once(" s")
        {
            line = format!("{before} lines in [TIME] s{after}");
        }
        for key in ["\"milliseconds\":", "\"snapshot_bytes\":"] {
            if let Some((before, after)) = line.split_once(key) {
                let rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
                line = format!("{before}{key}0{rest}");
            }
        }
        // The name of a tree's cache ends in a digest of its path.
        if let Some((before, after)) = line.split_once("/trees/shop-") {
            let rest = after.trim_start_matches(|letter: char| letter.is_ascii_hexdigit());
            line = format!("{before}/trees/shop-[DIGEST]{rest}");
        }
        shown.push_str(&line);
    }
    shown
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("the sample") {
        let entry = entry.expect("readable");
        let target = to.join(entry.file_name());
        if entry.file_name() == ".lore" {
            continue;
        }
        if entry.file_type().expect("readable").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}
