//! Every write inside a repository, every delete, and every read of a file that a repository's author may have replaced by
//! a link or a device.
//!
//! A path of a repository is data: any part of it may be a symbolic link that the author committed. This module therefore
//! works relative to open directories and names one entry at a time:
//!
//! - A [`Directory`] is an open handle. Entries are opened without following links. Only regular files are read, written
//!   to or removed.
//! - New content goes to a file that is created exclusively and has a random name, or has no name at all. It takes the
//!   place of the old file by a rename ([`Pending`]).
//! - A [`ResolvedPath`] is the result of resolving a path component by component. Links are followed as long as they do not lead
//!   out of the directory that confines them.
//! - Nothing is swept inside a repository: a process removes the files that it made itself. Leftovers of killed processes
//!   are removed in Lore's own directories only.
//!
//! The primitives are system calls that take a directory (`openat`, `renameat`) on Unix. Elsewhere they are functions of
//! the standard library on paths that are checked first, which leaves a window between check and use.

mod directory;
mod handle;
mod pending;
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the module that the rule names")]
mod portable;
mod resolve;
#[cfg(all(test, unix))]
mod tests;
#[cfg(unix)]
mod unix;

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// After this time, an unfinished file is a leftover.
const LEFT: Duration = Duration::from_secs(3_600);

pub(crate) use directory::Directory;
pub(crate) use handle::Kind;
pub(crate) use pending::{Pending, is_temporary};
pub(crate) use resolve::{Fault, ResolvedPath, Resolver};

/// Replaces a file of Lore's own in one step: a reader sees the old bytes or the new ones. Nobody but the user may read it.
/// Links in the path of its directory are followed; a link in its own place is replaced.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (directory, name) = parent(path)?;
    directory.private().replace(name, bytes)
}

/// As [`replace`], with content that is written part by part.
pub(crate) fn replace_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let (directory, name) = parent(path)?;
    directory.private().replace_with(name, write)
}

/// Removes what killed processes left unfinished in a directory of Lore's own.
pub(crate) fn sweep_inside(directory: &Path) {
    if let Ok(directory) = Directory::open(directory) {
        directory.sweep(LEFT);
    }
}

/// Removes a regular file; whether there was one. Links in the path of its directory are followed; anything that is not a
/// regular file is refused.
pub(crate) fn remove(path: &Path) -> io::Result<bool> {
    match parent(path) {
        Ok((directory, name)) => directory.remove_file(name),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a directory of Lore's own if it is empty. A link to a directory stays.
pub(crate) fn remove_directory(path: &Path) -> io::Result<()> {
    let (directory, name) = parent(path)?;
    directory.remove_directory(name)
}

/// Takes the rights to a directory of Lore's own away from everybody but the user. A link in its place is an error.
pub(crate) fn deny_others(path: &Path) -> io::Result<()> {
    let (directory, name) = parent(path)?;
    directory.child(name)?.handle.deny_others()
}

/// Whether the user of this process owns a file.
#[cfg(unix)]
pub(crate) fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Whether the user of this process owns a file. Where files have no owner that can be asked for, the directory's own rights decide.
#[cfg(not(unix))]
pub(crate) fn is_own(_: &Metadata) -> bool {
    true
}

/// The error for a file or a directory of another user.
pub(crate) fn of_another_user(path: &Path) -> io::Error {
    io::Error::other(format!("{} belongs to another user", path.display()))
}

/// As [`read_bounded_file`], for a file of Lore's own: one that another user owns is an error.
pub(crate) fn read_private_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match handle::open_not_following(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    if is_own(&file.metadata()?) {
        bounded(file, most).map(Some)
    } else {
        Err(of_another_user(path))
    }
}

/// The content of a regular file of at most so many bytes; nothing if there is no file. A link, a device, a pipe and a
/// larger file are errors. Never blocks.
pub fn read_bounded_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    match parent(path) {
        Ok((directory, name)) => directory.read(name, most),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// As [`read_bounded_file`], for a file of the user's own, such as a configuration that a link leads to.
pub fn read_bounded_own_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    match handle::open_following(path) {
        Ok(file) => bounded(file, most).map(Some),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Gives a file of Lore's own another name in its directory, and waits until the disk has the name.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let (directory, name) = parent(from)?;
    let (target, new_name) = parent(to)?;
    directory.handle.rename(name, &target.handle, new_name)?;
    target.sync()
}

/// A path beside a file that nobody can foresee, for programs that make a file by its path.
pub(crate) fn temporary_beside(path: &Path) -> PathBuf {
    path.with_file_name(pending::random_name())
}

/// Opens a regular file to read it. A link in its place is an error. Never blocks.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    handle::open_not_following(path)
}

/// Opens a regular file of the user's own to read it, links followed. Never blocks.
pub(crate) fn open_own_file(path: &Path) -> io::Result<File> {
    handle::open_following(path)
}

/// The directory of a file and the name of the file in it.
fn parent(path: &Path) -> io::Result<(Directory, &OsStr)> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path does not end with a name"))?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((Directory::open(parent.unwrap_or(Path::new(".")))?, name))
}

/// Whether an error says that there is no such file.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Refuses what is open unless it is a regular file.
fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// The content of a file that is open, if it has at most so many bytes.
fn bounded(file: File, most: u64) -> io::Result<Vec<u8>> {
    use std::io::Read;

    let length = file.metadata()?.len();
    let too_large = || {
        let message = format!("larger than {most} bytes");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
    };
    if length > most {
        return too_large();
    }
    let mut content = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    file.take(most.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        too_large()
    } else {
        Ok(content)
    }
}
