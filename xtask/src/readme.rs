//! The commands that README.md shows, run in a copy of the sample repository: each must end and speak as the page says.
//!
//! A block marked `console` holds lines `$ lore …`, each followed by what it prints, standard output first. `# exits 1` at the end of the
//! command says how it ends.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::disk::Build;
use crate::process::{alone, capture};
use crate::{Outcome, disk};

/// The page.
pub(crate) const FILE: &str = "README.md";
/// The repository that its commands ask.
pub(crate) const SAMPLE: &str = "tests/sample";
/// A command that takes longer waits for something that will not come.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// A command, how it has to end, and what it has to print.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shown {
    line: usize,
    command: String,
    exits: i32,
    output: String,
}

/// Runs every command; gives how many there were.
pub(crate) fn run() -> Outcome<usize> {
    let root = disk::root();
    let commands = commands(&disk::read(&root.join(FILE))?);
    let scratch = tempfile::tempdir().map_err(|error| format!("there is no place for a copy: {error}"))?;
    let sample = scratch.path().join("sample");
    disk::copy_tree(&root.join(SAMPLE), &sample)?;
    commit(&sample)?;
    let (output, home) = (scratch.path().join("output"), scratch.path().join("home"));
    disk::make_directory(&home)?;
    for shown in &commands {
        let ended = end_of(shown, &sample, &home, &output)?;
        let said = disk::read(&output).unwrap_or_default();
        if ended != Some(shown.exits) {
            let ended = ended.map_or_else(|| "was stopped by a signal".to_owned(), |code| format!("exits {code}"));
            return Err(format!(
                "{FILE}:{}: `{}` {ended}, not {}\n{said}",
                shown.line, shown.command, shown.exits
            ));
        }
        if said.trim_end() != shown.output.trim_end() {
            return Err(format!(
                "{FILE}:{}: `{}` prints something else:\n{said}",
                shown.line, shown.command
            ));
        }
    }
    Ok(commands.len())
}

/// Makes a directory a git repository with one commit, so that commands about revisions have one.
pub(crate) fn commit(directory: &Path) -> Outcome<()> {
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
        let mut git = Command::new("git");
        git.args(person).args(arguments).current_dir(directory);
        capture(alone(&mut git, directory))?;
    }
    Ok(())
}

/// Runs a command through the shell, with the dev build of `lore` first on the path; what it says goes to a file.
fn end_of(shown: &Shown, directory: &Path, home: &Path, output: &Path) -> Outcome<Option<i32>> {
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
    let mut child = alone(&mut Command::new("sh"), home)
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
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside && line.trim_end() == "```console";
            continue;
        }
        match (inside, line.strip_prefix("$ ")) {
            (true, Some(command)) => commands.push(shown(number + 1, command)),
            (true, None) => {
                if let Some(shown) = commands.last_mut() {
                    shown.output.push_str(line);
                    shown.output.push('\n');
                }
            }
            (false, _) => {}
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
        output: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_console_blocks_with_what_they_print() {
        let text = "```console\n$ lore index\n12 files\n$ lore find x # exits 1\n```\n\n```sh\n$ lore mcp\n```\n$ lore stats\n";
        let read: Vec<(usize, String, i32, String)> = commands(text)
            .into_iter()
            .map(|shown| (shown.line, shown.command, shown.exits, shown.output))
            .collect();
        assert_eq!(
            read,
            [
                (2, "lore index".to_owned(), 0, "12 files\n".to_owned()),
                (4, "lore find x".to_owned(), 1, String::new())
            ]
        );
    }
}
