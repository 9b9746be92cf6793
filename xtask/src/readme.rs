//! The commands that README.md shows, run in a copy of the sample repository.
//!
//! A line `$ lore …` in a block marked `console` has to end with 0; with `# exits 1` at its end, on the next line, or on the
//! line after the block, with that number.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::disk::Build;
use crate::process::capture;
use crate::{Outcome, disk};

/// The page.
pub(crate) const FILE: &str = "README.md";
/// The repository that its commands ask.
pub(crate) const SAMPLE: &str = "tests/sample";
/// A command that takes longer waits for something that will not come.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// A command and how it has to end.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shown {
    line: usize,
    command: String,
    exits: i32,
}

/// Runs every command; gives how many there were.
pub(crate) fn run() -> Outcome<usize> {
    let root = disk::root();
    let commands = commands(&disk::read(&root.join(FILE))?);
    let scratch = tempfile::tempdir().map_err(|error| format!("there is no place for a copy: {error}"))?;
    let sample = scratch.path().join("sample");
    disk::copy_tree(&root.join(SAMPLE), &sample)?;
    commit(&sample)?;
    let output = scratch.path().join("output");
    for shown in &commands {
        let ended = end_of(shown, &sample, &output)?;
        if ended != Some(shown.exits) {
            let ended = ended.map_or_else(|| "was stopped by a signal".to_owned(), |code| format!("exits {code}"));
            let said = disk::read(&output).unwrap_or_default();
            return Err(format!(
                "{FILE}:{}: `{}` {ended}, not {}\n{said}",
                shown.line, shown.command, shown.exits
            ));
        }
    }
    Ok(commands.len())
}

/// Makes a directory a git repository with one commit, so that commands about revisions have one.
fn commit(directory: &Path) -> Outcome<()> {
    let person = [
        "-c",
        "user.name=sample",
        "-c",
        "user.email=sample@example.invalid",
        "-c",
        "commit.gpgsign=false",
    ];
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "sample"],
    ] {
        capture(Command::new("git").args(person).args(arguments).current_dir(directory))?;
    }
    Ok(())
}

/// Runs a command through the shell, with the dev build of `lore` first on the path; what it says goes to a file.
fn end_of(shown: &Shown, directory: &Path, output: &Path) -> Outcome<Option<i32>> {
    let binary = disk::binary(Build::Dev, "lore");
    let mut path = binary
        .parent()
        .map(|directory| directory.as_os_str().to_owned())
        .unwrap_or_default();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    // A plain command replaces the shell, so that stopping the one stops the other.
    let plain = !shown.command.contains(['|', ';', '&', '>', '<', '$', '`']);
    let script = if plain {
        format!("exec {}", shown.command)
    } else {
        shown.command.clone()
    };
    let broken = |error: std::io::Error| format!("{FILE}:{}: `{}` cannot be run: {error}", shown.line, shown.command);
    let said = std::fs::File::create(output).map_err(broken)?;
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .current_dir(directory)
        .env("PATH", path)
        .stdin(Stdio::null())
        .stdout(said.try_clone().map_err(broken)?)
        .stderr(said)
        .spawn()
        .map_err(broken)?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(broken)? {
            return Ok(status.code());
        }
        if start.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).map_err(broken)?;
            let seconds = PATIENCE.as_secs();
            return Err(format!(
                "{FILE}:{}: `{}` did not end within {seconds} s",
                shown.line, shown.command
            ));
        }
        sleep(POLL);
    }
}

/// The commands of the blocks marked `console`.
fn commands(text: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut inside = false;
    let mut block_began = 0;
    let mut after_block = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            after_block = inside;
            inside = !inside && line.trim_end() == "```console";
            block_began = if inside { commands.len() } else { block_began };
            continue;
        }
        let exits = line
            .trim()
            .strip_prefix("# exits ")
            .and_then(|code| code.trim().parse().ok());
        if inside {
            match (line.strip_prefix("$ "), exits) {
                (Some(command), _) if command.split_whitespace().next() == Some("lore") => {
                    commands.push(shown(number + 1, command));
                }
                (None, Some(exits)) if commands.len() > block_began => {
                    commands.last_mut().expect("because the block has a command").exits = exits;
                }
                _ => {}
            }
        } else if after_block && !line.trim().is_empty() {
            after_block = false;
            if let Some(exits) = exits {
                commands[block_began..].iter_mut().for_each(|shown| shown.exits = exits);
            }
        }
    }
    commands
}

fn shown(line: usize, command: &str) -> Shown {
    let (command, exits) = match command.split_once("# exits ") {
        Some((command, code)) => (command, code.trim().parse().unwrap_or(0)),
        None => (command, 0),
    };
    Shown {
        line,
        command: command.trim().to_owned(),
        exits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, String, i32)> {
        commands(text)
            .into_iter()
            .map(|shown| (shown.line, shown.command, shown.exits))
            .collect()
    }

    #[test]
    fn only_lore_in_console_blocks_is_run() {
        let text = "```console\n$ lore index\n12 files\n$ cargo build\n```\n\n```sh\n$ lore mcp\n```\n$ lore stats\n";
        assert_eq!(read(text), [(2, "lore index".to_owned(), 0)]);
    }

    #[test]
    fn a_command_may_say_how_it_ends() {
        let text = "```console\n$ lore find x # exits 1\n$ lore show y\n# exits 2\n$ lore stats\n```\n";
        let exits: Vec<i32> = commands(text).into_iter().map(|shown| shown.exits).collect();
        assert_eq!(exits, [1, 2, 0]);
    }

    #[test]
    fn a_block_may_say_how_it_ends() {
        let text = "```console\n$ lore stats\n```\ntext\n```console\n$ lore find x\n```\n\n# exits 1\n";
        let exits: Vec<i32> = commands(text).into_iter().map(|shown| shown.exits).collect();
        assert_eq!(exits, [0, 1]);
    }
}
