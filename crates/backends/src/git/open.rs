//! Opens repositories, and decides which parts of their configuration apply.
//!
//! A directory from elsewhere may have a prepared `.git`. Its configuration is read, because it has the format of the repository and the remotes, but it
//! leads nowhere else: no other file is included, the working tree is always the directory that has the `.git` (not `core.worktree`), and files that git
//! reads whole, such as the branch of HEAD, must be regular and of a bounded size. A `.git` file that names a directory and `objects/info/alternates` are
//! followed as git follows them, because worktrees, submodules and shared clones need them.
//!
//! Nothing here runs a program. The one part of gix that can is the comparison of files with their objects, through filters; see [`super::dirty`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gix::discover::upwards;
use gix::open::{Options, Permissions};
use gix::sec::trust::Mapping;

use super::references::check_reference;
use crate::safe_fs::read_bounded_own_file;

/// The largest configuration that is read.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// The largest list of references or of packs elsewhere that is read.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// The repository around a directory.
pub(crate) fn around(directory: &Path) -> gix::Result<gix::Repository> {
    around_with(directory, &[])
}

/// The repository around a directory, with settings of our own.
pub(super) fn around_with(directory: &Path, settings: &[&str]) -> gix::Result<gix::Repository> {
    check_above(directory).map_err(gix::Error::from_error)?;
    let (place, _) = upwards(directory)?;
    let (own, workdir) = place.into_repository_and_work_tree_directories();
    let includes = check(&own).map_err(gix::Error::from_error)?;
    let options = |trust| {
        let mut permissions = Permissions::default();
        permissions.config.includes = includes;
        Options::default()
            .with(trust)
            .permissions(permissions)
            .config_overrides(settings.iter().copied())
    };
    let mapping = Mapping {
        full: options(gix::sec::Trust::Full),
        reduced: options(gix::sec::Trust::Reduced),
    };
    let opened = gix::ThreadSafeRepository::discover_opts(directory, upwards::Options::default(), mapping)?;
    let mut repository = opened.to_thread_local();
    if repository.workdir() != workdir.as_deref() && !(repository.is_bare() && repository.workdir().is_none()) {
        repository.set_workdir(workdir)?;
    }
    Ok(repository)
}

/// Whether git takes a directory for one inside a repository.
pub(super) fn is_around(directory: &Path) -> bool {
    check_above(directory).is_err() || upwards(directory).is_ok()
}

/// Checks the files that gix reads while it looks for a repository: it would wait for a pipe in their place.
fn check_above(directory: &Path) -> io::Result<()> {
    let check = |path: PathBuf, may_be_directory: bool| match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() || (metadata.is_dir() && may_be_directory) => Ok(()),
        Ok(_) => Err(refused(&path, "it is not a regular file")),
        Err(_) => Ok(()),
    };
    for above in directory.ancestors() {
        let git = above.join(".git");
        check(git.clone(), true)?;
        let mut places = vec![git.clone(), above.to_owned()];
        if git.is_file()
            && let Ok(Some(pointer)) = read_bounded_own_file(&git, MAX_CONFIG_BYTES)
            && let Some(target) = String::from_utf8_lossy(&pointer).strip_prefix("gitdir: ")
        {
            places.push(above.join(target.trim_end()));
        }
        for place in places {
            // Directories of these names are somebody's own.
            check(place.join("HEAD"), true)?;
            check(place.join("commondir"), true)?;
        }
    }
    Ok(())
}

/// Checks the files that gix reads whole; whether files that configuration includes may be read. The user's configuration may include others, the
/// repository's may not, and gix does not tell them apart.
fn check(own: &Path) -> io::Result<bool> {
    let named = read_if_there(&own.join("commondir"), MAX_CONFIG_BYTES)?;
    let common = match named.as_deref().map(String::from_utf8_lossy) {
        Some(path) => own.join(path.trim_end()),
        None => own.to_owned(),
    };
    // An index may name a file beside it that it shares.
    let shared = fs::read_dir(own).into_iter().flatten().flatten();
    let shared = shared.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let shared: Vec<String> = shared.filter(|name| name.starts_with("sharedindex.")).collect();
    let known = [
        (own, "HEAD"),
        (own, "index"),
        (&common, "packed-refs"),
        (&common, "shallow"),
        (&common, "info/exclude"),
        (&common, "info/attributes"),
        (&common, "objects/info/alternates"),
    ];
    let shared = shared.iter().map(|name| (own, name.as_str()));
    for (directory, name) in known.into_iter().chain(shared) {
        let path = directory.join(name);
        match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => return Err(refused(&path, "it is not a regular file")),
            Ok(metadata) if metadata.len() > MAX_LIST_BYTES => return Err(refused(&path, "it is too large")),
            _ => {}
        }
    }
    check_reference(own, &common, "HEAD")?;
    let configurations = [common.join("config"), own.join("config.worktree")];
    let mut includes = true;
    for path in configurations {
        let text = read_if_there(&path, MAX_CONFIG_BYTES)?.unwrap_or_default();
        includes &= !has_includes(&text);
    }
    Ok(includes)
}

pub(super) fn refused(path: &Path, why: &str) -> io::Error {
    io::Error::other(format!("{}: {why}", path.display()))
}

fn read_if_there(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    read_bounded_own_file(path, most).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge => refused(path, &format!("it is {error}")),
        _ => refused(path, &error.to_string()),
    })
}

/// Whether a configuration may have a section `include` or `includeIf`. A comment that looks like one counts too.
fn has_includes(text: &[u8]) -> bool {
    let sections = text.split(|byte| *byte == b'[').skip(1);
    sections
        .map(|rest| rest.trim_ascii_start())
        .any(|rest| rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"include"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_seen_in_every_form() {
        for text in [
            "[include]\npath=x",
            "[ INCLUDE ] path=x",
            "[core]a=b\n\t[includeIf \"gitdir:/\"]path=x",
        ] {
            assert!(has_includes(text.as_bytes()), "{text}");
        }
        assert!(!has_includes(b"[core]\ninclude = x\n[inc]\n["));
    }
}
