//! A directory with a repository, a home directory of its own, the `lore` binary and git. Every process has a deadline.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

pub(crate) struct World {
    directory: TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit status; none if a signal ended the process.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let directory = TempDir::new().expect("a directory");
        for name in ["home", "repo"] {
            fs::create_dir(directory.path().join(name)).expect("made");
        }
        Self { directory }
    }

    /// The directory that holds everything.
    pub(crate) fn base(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("the directory exists")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.base().join("home")
    }

    /// The repository that commands run in.
    pub(crate) fn repo(&self) -> PathBuf {
        self.base().join("repo")
    }

    /// Writes a file of the repository.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// Makes a symbolic link in the repository.
    #[cfg(unix)]
    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::os::unix::fs::symlink(target, path).expect("linked");
    }

    /// Runs git in the repository; it must succeed. The output is returned.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.repo(), arguments)
    }

    pub(crate) fn git_in(&self, directory: &Path, arguments: &[&str]) -> String {
        lore_testing::run(lore_testing::git(directory).args(arguments).env("HOME", self.home()))
    }

    /// Commits every file of the repository, ignored files included.
    pub(crate) fn commit(&self, message: &str) {
        if !self.repo().join(".git").exists() {
            self.git(&["init", "--quiet"]);
        }
        self.git(&["add", "--force", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Clones the repository to a directory beside it.
    pub(crate) fn clone_to(&self, name: &str) -> PathBuf {
        self.git_in(&self.base(), &["clone", "--quiet", "repo", name]);
        self.base().join(name)
    }

    /// The binary, to be run in a directory, with an empty environment.
    pub(crate) fn command_in(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
        command
            .args(arguments)
            .current_dir(directory)
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("RUST_MIN_STACK", "16777216");
        command
    }

    pub(crate) fn lore(&self, arguments: &[&str]) -> Outcome {
        self.lore_in(&self.repo(), arguments)
    }

    pub(crate) fn lore_in(&self, directory: &Path, arguments: &[&str]) -> Outcome {
        finish(self.command_in(directory, arguments), "")
    }

    /// As `lore`, with at most so many kilobytes of address space where the system can limit it.
    pub(crate) fn lore_limited(&self, kilobytes: u64, arguments: &[&str]) -> Outcome {
        finish(self.limited(&format!("ulimit -v {kilobytes}"), arguments), "")
    }

    /// As `lore`, with at most so many seconds of CPU time, after which a signal ends the process.
    pub(crate) fn lore_within_cpu(&self, seconds: u64, arguments: &[&str]) -> Outcome {
        finish(self.limited(&format!("ulimit -t {seconds}"), arguments), "")
    }

    /// The binary in the repository after commands of a shell that set limits; without them except on Linux.
    ///
    /// Each thread reserves a stack, so the number of threads does not depend on the machine.
    pub(crate) fn limited(&self, limits: &str, arguments: &[&str]) -> Command {
        let lore = self.command_in(&self.repo(), arguments);
        let mut command = if cfg!(target_os = "linux") {
            let mut command = Command::new("sh");
            command
                .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
                .arg(lore.get_program())
                .args(lore.get_args())
                .current_dir(self.repo())
                .env_clear()
                .env("HOME", self.home())
                .env("PATH", std::env::var_os("PATH").unwrap_or_default());
            command
        } else {
            lore
        };
        command.env("LORE_THREADS", "2");
        command
    }

    /// Every file below a directory with its content, in order. Links are listed with their targets.
    pub(crate) fn listing(&self, directory: &Path) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        let mut open = vec![directory.to_owned()];
        while let Some(current) = open.pop() {
            for entry in fs::read_dir(&current).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
                let kind = entry.file_type().expect("a kind");
                if kind.is_dir() {
                    open.push(path);
                } else if kind.is_symlink() {
                    let target = fs::read_link(&path).expect("a link");
                    found.push((name, target.as_os_str().as_encoded_bytes().to_vec()));
                } else if kind.is_file() {
                    found.push((name, fs::read(&path).expect("read")));
                }
            }
        }
        found.sort();
        found
    }
}

/// Runs a command to its end with an input. A command that exceeds the deadline is killed and fails the test.
pub(crate) fn finish(mut command: Command, input: &str) -> Outcome {
    let output = lore_testing::finish(&mut command, input.as_bytes());
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
