//! The hook after a commit: where git looks for it, and whether it is ours (clauses Hook1 and Hook2).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lore_specs::seam::{HookState, OpError};

use super::open::setting;
use super::unavailable;
use crate::cache::temporary_for;

const NAME: &str = "post-commit";
/// How much of a hook is looked at.
const MAX_HOOK_BYTES: u64 = 1 << 20;

/// What is where the hook belongs.
pub(super) fn state(repository: &gix::Repository) -> HookState {
    let Ok(path) = place(repository) else {
        return HookState::Absent;
    };
    let text = path.to_string_lossy().into_owned();
    match fs::symlink_metadata(&path) {
        Err(_) => HookState::Absent,
        Ok(_) if is_ours(&path) => HookState::Present { path: text },
        Ok(_) => HookState::Foreign { path: text },
    }
}

/// Writes the hook, unless something is there.
pub(super) fn install(repository: &gix::Repository, script: &str) -> Result<HookState, OpError> {
    let path = place(repository)?;
    let before = state(repository);
    if before != HookState::Absent {
        return Ok(before);
    }
    write(&path, script).map_err(|error| unavailable(format!("{} cannot be written: {error}", path.display())))?;
    Ok(HookState::Installed {
        path: path.to_string_lossy().into_owned(),
    })
}

fn write(path: &Path, script: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let temporary = temporary_for(path);
    let put = || {
        fs::write(&temporary, script)?;
        make_executable(&temporary)?;
        fs::rename(&temporary, path)
    };
    let outcome = put();
    if outcome.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether a hook has a line that hands commits to the graph, whoever wrote the rest of it.
fn is_ours(path: &Path) -> bool {
    let is_small = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_HOOK_BYTES);
    let text = match is_small {
        true => fs::read(path).unwrap_or_default(),
        false => return false,
    };
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.any(|line| line.contains("mind") && line.contains("process-commit"))
}

/// Where git looks for the hook. A directory that several repositories share is not written to.
fn place(repository: &gix::Repository) -> Result<PathBuf, OpError> {
    let common = repository.common_dir();
    let configured = repository
        .config_snapshot()
        .trusted_path("core.hooksPath")
        .ok()
        .flatten()
        .or_else(|| setting(repository, "core.hooksPath").map(PathBuf::from));
    let Some(configured) = configured.filter(|path| !path.as_os_str().is_empty()) else {
        return Ok(real(common).join("hooks").join(NAME));
    };
    // Git reads it from where it runs hooks: at the top of the working tree, or in a bare repository itself.
    let base = repository.workdir().unwrap_or_else(|| repository.git_dir());
    let directory = base.join(&configured);
    let inside = [repository.workdir(), Some(repository.git_dir()), Some(common)];
    let is_inside = inside
        .into_iter()
        .flatten()
        .any(|root| real(&directory).starts_with(real(root)));
    match is_inside {
        true => Ok(directory.join(NAME)),
        false => Err(unavailable(format!(
            "core.hooksPath leads to {}, which is outside of the repository and may serve others",
            directory.display()
        ))
        .hint("install the hook there by hand, or set core.hooksPath for this repository")),
    }
}

/// A path without links, or at least without `.` and `..` where it does not exist yet.
fn real(path: &Path) -> PathBuf {
    use std::path::Component;
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
