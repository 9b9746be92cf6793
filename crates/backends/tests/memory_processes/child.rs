//! This program again, as another process that does one job on a store.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What tells a process which store is meant.
const STORE: &str = "LORE_TEST_STORE";
/// What every line of a job begins with; the rest is the frame of the test program.
const LINE: &str = "job: ";

/// The store that this process is told to work on, if it was started for that.
pub(crate) fn told() -> Option<PathBuf> {
    std::env::var_os(STORE).map(PathBuf::from)
}

/// Says something to whoever started this process.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\n{LINE}{text}");
    let _ = out.flush();
}

/// A process that does a job.
pub(crate) struct Job {
    child: Child,
    lines: BufReader<ChildStdout>,
    input: Option<ChildStdin>,
}

impl Job {
    /// Starts a job: a test of this program that does something only if it is told a store.
    pub(crate) fn start(job: &str, store: &Path) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .args(["--exact", job, "--nocapture", "--test-threads=1"])
            .env(STORE, store)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("started");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        let input = child.stdin.take();
        Self { child, lines, input }
    }

    /// The next thing that it says; nothing when it has ended.
    pub(crate) fn heard(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            // Half a line is what a process that was killed leaves.
            if self.lines.read_line(&mut line).ok()? == 0 || !line.ends_with('\n') {
                return None;
            }
            if let Some(said) = line.trim_end().strip_prefix(LINE) {
                return Some(said.to_owned());
            }
        }
    }

    /// Tells it to go on.
    pub(crate) fn go_on(&mut self) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(b"\n");
            let _ = input.flush();
        }
    }

    /// Kills it at once, as `kill -9` does; what it had said by then.
    pub(crate) fn kill(mut self) -> Vec<String> {
        let _ = self.child.kill();
        let mut said = Vec::new();
        while let Some(line) = self.heard() {
            said.push(line);
        }
        let _ = self.child.wait();
        said
    }

    /// Waits for its end.
    pub(crate) fn ended(mut self) -> bool {
        drop(self.input.take());
        while self.heard().is_some() {}
        self.child.wait().is_ok_and(|status| status.success())
    }
}

/// Waits until whoever started this process tells it to go on.
pub(crate) fn wait() {
    let mut line = String::new();
    let _ = std::io::stdin().lock().read_line(&mut line);
}
