//! This program again, as another process that does one job on a store.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use lore_testing::Conversation;

/// What tells a process which store is meant.
const STORE: &str = "LORE_TEST_STORE";
/// What tells it which of several it is.
const ORDINAL: &str = "LORE_TEST_ORDINAL";
/// What every line of a job begins with; the rest is the frame of the test program.
const LINE: &str = "job: ";

/// The store that this process is told to work on, if it was started for that.
pub(crate) fn told() -> Option<PathBuf> {
    std::env::var_os(STORE).map(PathBuf::from)
}

/// Which of several processes of one job this is.
pub(crate) fn ordinal() -> u64 {
    let text = std::env::var(ORDINAL).unwrap_or_default();
    text.parse().unwrap_or(0)
}

/// Says something to the process that started this one. If nobody listens, this process has nothing left to do and ends.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "\n{LINE}{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// A process that does a job.
pub(crate) struct Job {
    process: Conversation,
}

impl Job {
    /// Starts a job: a test of this program that does something only if it is told a store.
    pub(crate) fn start(job: &str, store: &Path) -> Self {
        Self::numbered(job, store, 0)
    }

    /// Starts one of several processes of a job.
    pub(crate) fn numbered(job: &str, store: &Path, ordinal: u64) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command
            .args(["--exact", job, "--nocapture", "--test-threads=1"])
            .env(STORE, store)
            .env("LORE_SEED", lore_testing::seed().to_string())
            .env(ORDINAL, ordinal.to_string());
        Self {
            process: Conversation::start(&mut command),
        }
    }

    /// The next thing that it says; nothing when it has ended.
    pub(crate) fn heard(&mut self) -> Option<String> {
        loop {
            let line = self.process.try_hear()?;
            if let Some(said) = line.trim_end().strip_prefix(LINE) {
                return Some(said.to_owned());
            }
        }
    }

    /// Tells it to go on.
    pub(crate) fn go_on(&mut self) {
        self.process.say("");
    }

    /// Kills it at once, as `kill -9` does; what it had said by then.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.process.kill();
        let mut said = Vec::new();
        while let Some(line) = self.heard() {
            said.push(line);
        }
        said
    }

    /// Waits for its end.
    pub(crate) fn ended(mut self) -> bool {
        self.process.finish().0.success()
    }
}

/// Waits until whoever started this process tells it to go on.
pub(crate) fn wait() {
    let mut line = String::new();
    let _ = std::io::stdin().lock().read_line(&mut line);
}
