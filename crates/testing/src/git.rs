//! Git for tests: the same on every machine. No variable, configuration or hook of the user takes part.

use std::path::Path;
use std::process::Command;

/// Settings that every call has. A later `-c` of the same key has precedence.
const SETTINGS: [&str; 8] = [
    "user.name=Test",
    "user.email=test@example.invalid",
    "init.defaultBranch=main",
    "commit.gpgSign=false",
    "core.autocrlf=false",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
];
/// Variables without which programs do not start or find no place for temporary files.
const KEPT: [&str; 5] = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"];
const DATE: &str = "2026-01-01T00:00:00Z";

/// Git in a directory, with an environment of its own: a fixed identity, fixed dates, no configuration of the user or the
/// system, no prompt, English messages.
pub fn git(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
        .current_dir(directory)
        .env_clear()
        .envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
        .env("HOME", directory)
        .env("XDG_CONFIG_HOME", directory.join(".git/no-configuration"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_AUTHOR_DATE", DATE)
        .env("GIT_COMMITTER_DATE", DATE)
        .env("LC_ALL", "C");
    command
}
