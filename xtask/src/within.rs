//! `cargo xtask within`: runs a test program and kills it, with every process that it started, when it does not end in time.
//!
//! `cargo xtask check` names this as the runner of `cargo test` where nextest, which does the same for each test, is not
//! installed.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Outcome;

/// How often the program is asked whether it has ended.
const LOOK: Duration = Duration::from_millis(10);
/// How long a program with all its tests may take: the end of one that hangs, not an expectation of speed.
const LIMIT: u64 = 1_800;
/// The same with `--long`.
const LONG_LIMIT: u64 = 12 * 3_600;

/// What makes `cargo test` run its programs through this task.
pub(crate) fn as_runner(long: bool) -> Outcome<String> {
    let this = std::env::current_exe().map_err(|error| format!("this program has no name: {error}"))?;
    let limit = if long { LONG_LIMIT } else { LIMIT }.to_string();
    let words = [this.to_string_lossy().into_owned(), "within".to_owned(), limit];
    let words = words.map(|word| toml::Value::String(word).to_string()).join(",");
    Ok(format!("target.\"cfg(all())\".runner=[{words}]"))
}

/// Runs a program in a process group of its own.
pub(crate) fn run(seconds: u64, program: &Path, arguments: &[OsString]) -> Outcome<()> {
    let shown = program.display();
    let broken = |error: std::io::Error| format!("{shown} cannot be run: {error}");
    let is_interrupted = interruption();
    let mut command = Command::new(program);
    command.args(arguments);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(broken)?;
    let start = Instant::now();
    let outcome = loop {
        if let Some(status) = child.try_wait().map_err(broken)? {
            break ended(status, &shown.to_string());
        }
        if is_interrupted.load(Ordering::Relaxed) {
            break Err(format!("{shown} was interrupted"));
        }
        if start.elapsed() > Duration::from_secs(seconds) {
            break Err(format!("{shown} did not end within {seconds} s; it was killed"));
        }
        sleep(LOOK);
    };
    // What the program started and left behind ends with it.
    kill(&mut child);
    outcome
}

fn ended(status: ExitStatus, shown: &str) -> Outcome<()> {
    if status.success() {
        Ok(())
    } else {
        Err(format!("{shown} failed ({status})"))
    }
}

/// Whether somebody wants an end. The program has a process group of its own, so Ctrl-C does not reach it.
fn interruption() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}

/// Kills the process group. Where there are none, the process alone.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(seconds: u64, script: &str, place: &Path) -> Outcome<()> {
        let arguments = ["-c".into(), script.into(), "sh".into(), place.into()];
        run(seconds, Path::new("/bin/sh"), &arguments)
    }

    #[test]
    fn a_program_that_ends_in_time_is_left_alone() {
        let place = tempfile::tempdir().expect("a directory");
        assert_eq!(shell(60, "exit 0", place.path()), Ok(()));
        let failed = shell(60, "exit 3", place.path()).expect_err("it fails");
        assert!(failed.contains("/bin/sh failed") && failed.contains('3'), "{failed}");
    }

    #[test]
    fn a_program_that_hangs_is_killed_with_what_it_started() {
        let place = tempfile::tempdir().expect("a directory");
        // The pipe is held open by the program and by the process that it started.
        let script = "sleep 1000 & echo $! > \"$1/id\"; exec sleep 1000";
        let failed = shell(1, script, place.path()).expect_err("it hangs");
        assert_eq!(failed, "/bin/sh did not end within 1 s; it was killed");
        let id = std::fs::read_to_string(place.path().join("id")).expect("it started");
        let state = format!("/proc/{}/exe", id.trim());
        assert!(!Path::new(&state).exists(), "{state}");
    }

    #[test]
    fn cargo_is_told_this_program_and_a_limit() {
        let runner = as_runner(false).expect("a name");
        let table: toml::Table = runner.parse().expect("TOML");
        let words = table["target"]["cfg(all())"]["runner"].as_array().expect("a list");
        let words: Vec<&str> = words.iter().filter_map(toml::Value::as_str).collect();
        assert_eq!(words[1..], ["within", "1800"]);
        assert!(Path::new(words[0]).is_file());
    }
}
