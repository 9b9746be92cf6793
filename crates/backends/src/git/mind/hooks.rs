//! The hook after a commit: where git looks for it, and whether it is ours (clauses Hook1 and Hook2).

use lore_mind::hook::{OLD_SCRIPT, PROGRAM};
use lore_mind::patch_log::{HookScript, HookState};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lore_seam::OpError;

use super::open::setting;
use super::unavailable;
use crate::files::unwritable;
use crate::safe_fs::{Fault, ResolvedPath, Resolver, read_bounded_own_file};

pub(crate) const NAME: &str = "post-commit";
/// How much of a hook is looked at.
const MAX_HOOK_BYTES: u64 = 1 << 20;

/// Where the hook belongs, and the directory that no link on the way to it leads out of.
struct HookPlace {
    root: PathBuf,
    path: PathBuf,
    is_in_work_tree: bool,
}

impl HookPlace {
    fn resolve(&self) -> Result<ResolvedPath, Fault> {
        Resolver::confined(&self.root)?.resolve(&self.path)
    }

    fn text(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

/// What is where the hook belongs.
pub(super) fn state(repository: &gix::Repository) -> HookState {
    let Ok(place) = place(repository) else {
        return HookState::Absent;
    };
    let path = place.text();
    match fs::symlink_metadata(&place.path) {
        Err(_) => HookState::Absent,
        Ok(_) if is_ours(&place) => HookState::Present { path },
        Ok(_) => HookState::Foreign { path },
    }
}

/// Writes the hook, unless another one is there. A script of Lore that differs, because an earlier version or another program wrote it, is replaced.
pub(super) fn install(
    repository: &gix::Repository,
    script: HookScript,
    fallback: Option<&str>,
) -> Result<HookState, OpError> {
    let place = place(repository)?;
    // A hook in the working tree may be committed, and a path of this machine must not be.
    let script = script(fallback.filter(|_| !place.is_in_work_tree));
    let before = state(repository);
    let is_old = match &before {
        HookState::Absent => false,
        HookState::Present { .. } if is_written_by_lore(&place, &script) => true,
        _ => return Ok(before),
    };
    let resolved = place.resolve().map_err(|fault| unwritable(&place.text(), fault))?;
    let path = place.text();
    match write(&resolved, &script) {
        Ok(()) if is_old => Ok(HookState::Updated { path }),
        Ok(()) => Ok(HookState::Installed { path }),
        Err(error) => Err(unavailable(format!("{path} cannot be written: {error}")).because(error)),
    }
}

/// Whether the hook differs from the current script, but is one that only Lore wrote.
fn is_written_by_lore(place: &HookPlace, script: &str) -> bool {
    let Ok(Some(text)) = read_bounded_own_file(&place.path, MAX_HOOK_BYTES) else {
        return false;
    };
    let text = String::from_utf8_lossy(&text);
    let common = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with(PROGRAM));
        lines.map(str::to_owned).collect()
    };
    text != script && (text == OLD_SCRIPT || common(&text) == common(script))
}

fn write(place: &ResolvedPath, script: &str) -> io::Result<()> {
    let mut pending = place.begin()?;
    pending.file().write_all(script.as_bytes())?;
    make_executable(pending.as_file())?;
    pending.finish()
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether a hook has Lore's line, alone or among others.
fn is_ours(place: &HookPlace) -> bool {
    // A hook that a link leads to is read where it is: it is run from there as well.
    let Ok(Some(text)) = read_bounded_own_file(&place.path, MAX_HOOK_BYTES) else {
        return false;
    };
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.any(|line| line.contains("mind") && line.contains("process-commit"))
}

/// Where git looks for the hook. A directory that several repositories share is not written to.
fn place(repository: &gix::Repository) -> Result<HookPlace, OpError> {
    let common = repository.common_dir();
    let configured = repository
        .config_snapshot()
        .trusted_path("core.hooksPath")
        .ok()
        .flatten()
        .or_else(|| setting(repository, "core.hooksPath").map(PathBuf::from));
    let Some(configured) = configured.filter(|path| !path.as_os_str().is_empty()) else {
        let root = real(common);
        let path = root.join("hooks").join(NAME);
        return Ok(HookPlace {
            root,
            path,
            is_in_work_tree: false,
        });
    };
    // Git reads it from where it runs hooks: at the top of the working tree, or in a bare repository itself.
    let base = repository.workdir().unwrap_or_else(|| repository.git_dir());
    let directory = base.join(&configured);
    let inside = [repository.workdir(), Some(repository.git_dir()), Some(common)];
    let root = inside
        .into_iter()
        .flatten()
        .map(real)
        .find(|root| real(&directory).starts_with(root));
    match root {
        Some(root) => Ok(HookPlace {
            root,
            path: real(&directory).join(NAME),
            is_in_work_tree: ![repository.git_dir(), common]
                .into_iter()
                .any(|root| real(&directory).starts_with(real(root))),
        }),
        None => Err(unavailable(format!(
            "core.hooksPath is {}, which is outside the repository and may be shared",
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
