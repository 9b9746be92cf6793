//! Other programs: finding, running, timing and weighing them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Outcome;

/// How often a running process is asked for its peak memory.
const MEMORY_POLL: Duration = Duration::from_millis(2);
/// How often a process that may not run for ever is asked whether it has ended.
const END_POLL: Duration = Duration::from_millis(20);
/// Lines of a failed program's complaint that are worth repeating.
const COMPLAINT_LINES: usize = 12;

/// A program in the directory that LORE_TOOLS names, on PATH, or in cargo's bin directory.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let own = std::env::var_os("LORE_TOOLS").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let cargo = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .map(|home| home.join("bin"));
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    own.into_iter()
        .chain(std::env::split_paths(&path))
        .chain(cargo)
        .map(|directory| directory.join(&file))
        .find(|candidate| candidate.is_file())
}

/// A program, or a sentence that says it is not installed.
pub(crate) fn need(name: &str) -> Outcome<Command> {
    tool(name)
        .map(Command::new)
        .ok_or_else(|| format!("{name} is not installed"))
}

/// Cargo, as the one that runs this task.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(crate::disk::root());
    command
}

/// Keeps the user's own settings, caches and stores out of a command: it has another home directory, and no variable of Lore, of
/// git or of the places that a desktop names.
pub(crate) fn alone<'c>(command: &'c mut Command, home: &Path) -> &'c mut Command {
    let is_private = |name: &OsString| {
        let name = name.to_string_lossy();
        ["LORE_", "XDG_", "GIT_"].iter().any(|prefix| name.starts_with(prefix))
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_private(name)) {
        command.env_remove(name);
    }
    command
        .env("HOME", home)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
}

/// A command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs a command that talks for itself.
pub(crate) fn run(command: &mut Command) -> Outcome<()> {
    let status = command
        .status()
        .map_err(|error| format!("`{}` cannot be run: {error}", shown(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{}` failed ({status})", shown(command)))
    }
}

/// The same, but what takes longer is stopped.
pub(crate) fn run_within(command: &mut Command, patience: Duration) -> Outcome<()> {
    let broken = |error: std::io::Error, shown: String| format!("`{shown}` cannot be run: {error}");
    let mut child = command.spawn().map_err(|error| broken(error, shown(command)))?;
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|error| broken(error, shown(command)))? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("`{}` failed ({status})", shown(command))),
            None if start.elapsed() < patience => sleep(END_POLL),
            None => {
                child
                    .kill()
                    .and_then(|()| child.wait())
                    .map_err(|error| broken(error, shown(command)))?;
                let seconds = patience.as_secs();
                return Err(format!("`{}` did not end within {seconds} s", shown(command)));
            }
        }
    }
}

/// Runs a command in silence and gives what it printed; the error repeats the end of its complaint.
pub(crate) fn capture(command: &mut Command) -> Outcome<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{}` cannot be run: {error}", shown(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = complaint.lines().collect();
    let end = lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n  ");
    Err(format!("`{}` failed ({})\n  {end}", shown(command), output.status))
}

/// How long a command takes from start to exit, with its output thrown away.
pub(crate) fn timed(command: &mut Command) -> Outcome<Duration> {
    silence(command);
    let start = Instant::now();
    let status = command
        .status()
        .map_err(|error| format!("`{}` cannot be run: {error}", shown(command)))?;
    let took = start.elapsed();
    if status.success() {
        Ok(took)
    } else {
        Err(format!("`{}` failed ({status})", shown(command)))
    }
}

/// The shortest of several measurements.
pub(crate) fn best_of(times: usize, mut measure: impl FnMut() -> Outcome<Duration>) -> Outcome<Duration> {
    let mut best = measure()?;
    for _ in 1..times {
        best = best.min(measure()?);
    }
    Ok(best)
}

/// The most memory a command held at once, in bytes, where the system tells. What it took after the last look is not seen, so
/// for a short process this is a lower bound.
pub(crate) fn peak_memory(command: &mut Command) -> Outcome<Option<u64>> {
    silence(command);
    let mut child = command
        .spawn()
        .map_err(|error| format!("`{}` cannot be run: {error}", shown(command)))?;
    let status_file = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = None;
    loop {
        let now = std::fs::read_to_string(&status_file)
            .ok()
            .as_deref()
            .and_then(high_water_mark);
        peak = peak.max(now);
        match child.try_wait() {
            Ok(None) => sleep(MEMORY_POLL),
            Ok(Some(status)) if status.success() => return Ok(peak),
            Ok(Some(status)) => return Err(format!("`{}` failed ({status})", shown(command))),
            Err(error) => return Err(format!("`{}` cannot be waited for: {error}", shown(command))),
        }
    }
}

fn silence(command: &mut Command) {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
}

/// The peak of resident memory that a process's status names.
fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_names_the_peak() {
        assert_eq!(
            high_water_mark("Name:\tlore\nVmHWM:\t   2048 kB\nVmRSS:\t 1 kB\n"),
            Some(2048 * 1024)
        );
        assert_eq!(high_water_mark("Name:\tlore\n"), None);
    }

    #[test]
    fn a_command_alone_has_a_home_of_its_own_and_nothing_of_the_users() {
        let mut command = Command::new("lore");
        alone(&mut command, Path::new("elsewhere"));
        let set: Vec<(String, bool)> = command
            .get_envs()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.is_some()))
            .collect();
        assert!(set.contains(&("HOME".to_owned(), true)), "{set:?}");
        let kept = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in kept.filter(|name| name.starts_with("LORE_") || name.starts_with("XDG_")) {
            assert!(set.contains(&(name.clone(), false)), "{name}");
        }
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("/usr/bin/git");
        command.args(["log", "--oneline"]);
        assert_eq!(shown(&command), "git log --oneline");
    }
}
