//! Directories and files that only the user may read or write. Nothing here follows a symbolic link in the last part of a path.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use crate::safe_fs;

/// Creates a directory for the user alone, or takes one that exists. Refuses a link and a directory of another user; takes the rights of others
/// away.
pub(super) fn directory(path: &Path) -> io::Result<()> {
    create_directory(path)?;
    let metadata = fs::symlink_metadata(path)?;
    claim(path, &metadata)
}

/// As [`directory`], for the root of the cache, which the user may have made a link.
pub(super) fn root(path: &Path) -> io::Result<()> {
    create_directory(path)?;
    let metadata = fs::metadata(path)?;
    claim(path, &metadata)
}

fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn claim(path: &Path, metadata: &Metadata) -> io::Result<()> {
    if !metadata.is_dir() {
        return Err(io::Error::other(format!("{} is not a directory", path.display())));
    }
    if !is_own(metadata) {
        return Err(io::Error::other(format!("{} belongs to another user", path.display())));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if metadata.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}

/// Whether the user of this process owns a file.
#[cfg(unix)]
pub(super) fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Whether the user of this process owns a file. Where files have no owner that can be asked for, the directory's own rights decide.
#[cfg(not(unix))]
pub(super) fn is_own(_: &Metadata) -> bool {
    true
}

fn options() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::CLOEXEC;
        options.mode(0o600).custom_flags(flags.bits() as i32);
    }
    options
}

/// Opens a file that exists, to append to it.
pub(super) fn append(path: &Path) -> io::Result<File> {
    regular(options().append(true).open(path)?)
}

/// Creates a file that does not exist.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    options().append(true).create_new(true).open(path)
}

/// Opens or creates a file whose content does not matter, to lock it.
pub(super) fn lock_file(path: &Path) -> io::Result<File> {
    regular(options().create(true).truncate(false).write(true).open(path)?)
}

fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Removes a regular file; whether it was there. Anything else under that name stays.
pub(super) fn remove(path: &Path) -> io::Result<bool> {
    match safe_fs::remove(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(false),
        outcome => outcome,
    }
}
