//! The user's git as a process of its own, for what goes over the network: it knows how to sign in, and what the user has configured. It runs no program that
//! the repository itself names.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lore_model::Cancel;
use lore_seam::{ErrorKind, OpError};

use super::remote::check_remote;
use super::safe_settings::harmless;
use super::{config, unavailable};

/// How long git may take.
const TIME: Duration = Duration::from_secs(600);
/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(10);
/// How many lines of what git says are shown.
const REASONS: usize = 3;
/// What is kept of what git says.
const SAID_BYTES: u64 = 4 << 20;
/// Whatever a hook or a shell has set would lead git to another repository.
const FORGOTTEN: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
];

/// What git did.
pub(super) struct Ran {
    /// Whether it went well.
    pub(super) is_good: bool,
    /// What it answered.
    pub(super) answer: String,
    /// What it said besides.
    pub(super) said: String,
}

impl Ran {
    /// An error with what git said was wrong.
    pub(super) fn error(&self, what: &str) -> OpError {
        let is_reason = |line: &&str| {
            ["fatal: ", "error: ", "remote: "]
                .iter()
                .any(|word| line.starts_with(word))
        };
        let lines: Vec<&str> = self
            .said
            .lines()
            .map(str::trim)
            .filter(is_reason)
            .take(REASONS)
            .collect();
        if lines.is_empty() {
            unavailable(what)
        } else {
            unavailable(format!("{what}: {}", lines.join("; ")))
        }
    }
}

/// Runs git on a repository.
pub(super) fn git(
    repository: &gix::Repository,
    arguments: &[&str],
    input: &str,
    cancel: &Cancel,
) -> Result<Ran, OpError> {
    let mut command = Command::new("git");
    // Addresses that begin with a dot are seen from the top of the working tree.
    command.current_dir(repository.workdir().unwrap_or_else(|| repository.git_dir()));
    command.arg("--git-dir").arg(absolute(repository.git_dir())?);
    let harmless = harmless(repository)?;
    command.args(harmless.arguments).envs(harmless.variables);
    command.args(arguments).env("LC_ALL", "C");
    if !std::io::stdin().is_terminal() {
        command.env("GIT_TERMINAL_PROMPT", "0");
    }
    for name in FORGOTTEN {
        command.env_remove(name);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let failed = |error: std::io::Error| {
        unavailable(format!("cannot run git: {error}"))
            .hint("Lore fetches and pushes with the installed git")
            .because(error)
    };
    // Only the subcommand: an address can hold a password.
    tracing::debug!(subcommand = arguments.first().copied(), "running git");
    let mut child = command.spawn().map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(move || {
            // Git may end before it has read everything.
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(input.as_bytes());
            }
        });
        let answer = scope.spawn(|| listen(stdout));
        let said = scope.spawn(|| listen(stderr));
        let begun = Instant::now();
        let ended = loop {
            match child.try_wait().map_err(failed)? {
                Some(status) => break Ok(status.success()),
                None if cancel.is_cancelled() => {
                    break Err(OpError::new(ErrorKind::Cancelled, "the exchange was cancelled"));
                }
                None if begun.elapsed() > TIME => {
                    let message = format!("git did not end within {} minutes", TIME.as_secs() / 60);
                    break Err(unavailable(message));
                }
                None => thread::sleep(PAUSE),
            }
        };
        if ended.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let heard = |listener: thread::ScopedJoinHandle<'_, String>| listener.join().unwrap_or_default();
        let (answer, said) = (heard(answer), heard(said));
        Ok(Ran {
            is_good: ended?,
            answer,
            said,
        })
    })
}

fn absolute(path: &Path) -> Result<PathBuf, OpError> {
    std::path::absolute(path)
        .map_err(|error| unavailable(format!("{} cannot be named: {error}", path.display())).because(error))
}

/// Everything that comes out of a pipe; what is too much is read and forgotten.
fn listen(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.by_ref().take(SAID_BYTES).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Brings objects that a partial clone has left on its server, all of them at once.
pub(super) fn bring(repository: &gix::Repository, ids: &[gix::ObjectId], cancel: &Cancel) -> Result<(), OpError> {
    let remote = config::promisor(repository)?;
    check_remote(repository, &remote)?;
    let ids: Vec<String> = ids.iter().map(|id| format!("{id}\n")).collect();
    let ran = git(
        repository,
        &[
            "-c",
            "fetch.negotiationAlgorithm=noop",
            "fetch",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--filter=blob:none",
            "--stdin",
            &remote,
        ],
        &ids.concat(),
        cancel,
    )?;
    if ran.is_good {
        Ok(())
    } else {
        Err(ran
            .error("parts of the graph exist on the server only, and cannot be fetched")
            .hint(format!("try again when the remote `{remote}` can be reached")))
    }
}
