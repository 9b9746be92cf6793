//! Processes that a test talks to. Each has a deadline; one that exceeds it is killed, and the test fails with what it
//! waited for and what the process had said on standard error.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::deadline::{DEADLINE, fail, join};
use crate::watchdog;

/// Runs a command to its end without input. Both outputs are captured.
pub fn output(command: &mut Command) -> Output {
    finish(command, b"")
}

/// Runs a command that must succeed. What it printed is returned, or shown when it fails.
pub fn run(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let output = output(command);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        fail(&format!("{shown} failed ({}): {said}", output.status));
    }
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a command to its end with an input. Both outputs are captured.
pub fn finish(command: &mut Command, input: &[u8]) -> Output {
    let mut running = Running::start(command.stdin(Stdio::piped()));
    let mut stdin = running.child.stdin.take().expect("piped");
    let input = input.to_vec();
    // A process that writes before it has read all would block with us otherwise. One that ends without reading is fine.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = running.finish();
    join(writer, "the input is written");
    output
}

/// A process whose output is gathered while it runs.
pub struct Running {
    child: Child,
    shown: String,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

impl Running {
    /// Starts a command. Its standard input is what the command says; both outputs are gathered.
    pub fn start(command: &mut Command) -> Self {
        watchdog::goes_on();
        let shown = format!("{command:?}");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| fail(&format!("{shown} does not start: {error}")));
        let stdout = child.stdout.take().map(gather);
        let stderr = child.stderr.take().map(gather);
        Self {
            child,
            shown,
            stdout,
            stderr,
        }
    }

    /// The process itself, to be signalled or asked for its number.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for its end.
    pub fn finish(&mut self) -> Output {
        let status = wait(&mut self.child, &self.shown);
        Output {
            status,
            stdout: self.gathered(|running| running.stdout.take()),
            stderr: self.gathered(|running| running.stderr.take()),
        }
    }

    /// Kills it and returns what it had said.
    pub fn kill(&mut self) -> Output {
        let _ = self.child.kill();
        self.finish()
    }

    fn gathered(&mut self, pipe: impl FnOnce(&mut Self) -> Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
        let what = format!("{}: its output ends", self.shown);
        pipe(self).map(|thread| join(thread, &what)).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn gather(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// Waits for the end of a process.
pub fn wait(child: &mut Child, shown: &str) -> ExitStatus {
    watchdog::goes_on();
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process is ours") {
            return status;
        }
        if start.elapsed() > DEADLINE {
            let _ = child.kill();
            let _ = child.wait();
            fail(&format!("{shown} does not end within {} s", DEADLINE.as_secs()));
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// A process that is spoken with line by line.
pub struct Conversation {
    running: Running,
    input: Option<Sender<String>>,
    lines: Receiver<String>,
}

impl Conversation {
    /// Starts a command. Its standard error is gathered and shown when it does not answer.
    pub fn start(command: &mut Command) -> Self {
        watchdog::goes_on();
        let shown = format!("{command:?}");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| fail(&format!("{shown} does not start: {error}")));
        let mut stdin = child.stdin.take().expect("piped");
        let (input, said) = channel::<String>();
        // A process that does not read must not keep the test from noticing.
        std::thread::spawn(move || {
            for line in said {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let stderr = child.stderr.take().map(gather);
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            // Half a line is what a process that was killed leaves.
            while output.read_line(&mut line).is_ok() && line.ends_with('\n') {
                line.pop();
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Self {
            running: Running {
                child,
                shown,
                stdout: None,
                stderr,
            },
            input: Some(input),
            lines,
        }
    }

    /// Sends a line. A process that does not read it does not answer either.
    pub fn say(&mut self, line: impl std::fmt::Display) {
        let input = self.input.as_ref().expect("the input is open");
        let _ = input.send(format!("{line}\n"));
    }

    /// The next line; nothing when the process has closed its output.
    pub fn try_hear(&mut self) -> Option<String> {
        watchdog::goes_on();
        match self.lines.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.give_up(&format!("it says nothing for {} s", DEADLINE.as_secs())),
        }
    }

    /// The next line. A process that has closed its output fails the test.
    pub fn hear(&mut self) -> String {
        match self.try_hear() {
            Some(line) => line,
            None => self.give_up("it closed its output"),
        }
    }

    /// Closes its input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The process itself, to be signalled or asked for its number.
    pub fn child(&mut self) -> &mut Child {
        self.running.child()
    }

    /// Kills it and waits for its end.
    pub fn kill(&mut self) {
        self.running.kill();
    }

    /// Closes its input and waits for its end: its status, what it still said, and its standard error.
    pub fn finish(&mut self) -> (ExitStatus, Vec<String>, String) {
        self.close();
        let mut rest = Vec::new();
        while let Some(line) = self.try_hear() {
            rest.push(line);
        }
        let output = self.running.finish();
        (
            output.status,
            rest,
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }

    fn give_up(&mut self, why: &str) -> ! {
        let output = self.running.kill();
        let stderr = String::from_utf8_lossy(&output.stderr);
        fail(&format!("{}: {why}\n--- stderr\n{stderr}", self.running.shown))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_captured_and_input_is_given() {
        let output = finish(Command::new("sh").args(["-c", "cat; echo odd >&2; exit 3"]), b"given");
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (&b"given"[..], &b"odd\n"[..])
        );
    }

    #[test]
    fn a_process_answers_line_by_line_until_it_is_left() {
        let mut cat = Conversation::start(&mut Command::new("cat"));
        cat.say("one");
        assert_eq!(cat.hear(), "one");
        cat.say("two");
        let (status, rest, stderr) = cat.finish();
        assert!(status.success());
        assert_eq!((rest, stderr), (vec!["two".to_owned()], String::new()));
    }

    #[test]
    fn a_process_that_nobody_waits_for_is_killed() {
        let mut running = Running::start(Command::new("sh").args(["-c", "exec sleep 1000"]));
        let id = running.child().id();
        drop(running);
        assert!(!std::path::Path::new(&format!("/proc/{id}/exe")).exists());
    }
}
