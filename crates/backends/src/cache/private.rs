//! Directories and files that only the user may read or write, and locks. Nothing here follows a symbolic link in the last part of a path.

use std::fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::safe_fs;

/// The time of the last use is written down at most this often.
const USE_GRAIN: Duration = Duration::from_secs(3600);

/// Creates a directory for the user alone, or takes one of Lore's own that exists. Refuses a link and a directory of another user; takes the
/// rights of others away.
pub(crate) fn directory(path: &Path) -> io::Result<()> {
    create_directory(path)?;
    let metadata = fs::symlink_metadata(path)?;
    check(path, &metadata)?;
    match rights_of_others(&metadata) {
        0 => Ok(()),
        _ => safe_fs::deny_others(path),
    }
}

/// Creates the root of the cache for the user alone, or takes a directory that exists as it is. The user may have made it a link. Refuses a
/// directory of another user and one that everybody may write to.
pub(super) fn root(path: &Path) -> io::Result<()> {
    create_directory(path)?;
    let metadata = fs::metadata(path)?;
    check(path, &metadata)?;
    match rights_of_others(&metadata) & 0o002 {
        0 => Ok(()),
        _ => Err(io::Error::other("every user may write to it")),
    }
}

fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn check(path: &Path, metadata: &Metadata) -> io::Result<()> {
    match (metadata.is_dir(), safe_fs::is_own(metadata)) {
        (true, true) => Ok(()),
        (true, false) => Err(safe_fs::of_another_user(path)),
        (false, _) => Err(io::Error::other(format!("{} is not a directory", path.display()))),
    }
}

#[cfg(unix)]
fn rights_of_others(metadata: &Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077
}

#[cfg(not(unix))]
fn rights_of_others(_: &Metadata) -> u32 {
    0
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
    regular(path, options().append(true).open(path)?)
}

/// Creates a file whose content does not matter, unless it exists.
pub(super) fn create(path: &Path) -> io::Result<()> {
    lock_file(path).map(drop)
}

fn lock_file(path: &Path) -> io::Result<File> {
    regular(path, options().create(true).truncate(false).write(true).open(path)?)
}

fn regular(path: &Path, file: File) -> io::Result<File> {
    let metadata = file.metadata()?;
    match (metadata.is_file(), safe_fs::is_own(&metadata)) {
        (true, true) => Ok(file),
        (true, false) => Err(safe_fs::of_another_user(path)),
        (false, _) => Err(io::Error::other("not a regular file")),
    }
}

/// Waits for the lock of a file, which is made if it does not exist; whether another process held the lock. `begin_waiting` is called before
/// the first wait.
///
/// The holder of a lock may remove the file. A process that waited then holds the lock of a file without a name, which excludes nobody: it
/// takes the lock of the file that has the name now.
pub(super) fn lock(path: &Path, begin_waiting: &dyn Fn()) -> io::Result<(File, bool)> {
    let mut waited = false;
    loop {
        let file = lock_file(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                if !waited {
                    begin_waiting();
                }
                waited = true;
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if has_name(&file, path)? {
            return Ok((file, waited));
        }
    }
}

/// Takes the lock of a file; nothing if another process holds it.
pub(super) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let file = lock_file(path)?;
    match file.try_lock() {
        Ok(()) => Ok(has_name(&file, path)?.then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an open file is the one that has a name.
#[cfg(unix)]
fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match fs::symlink_metadata(path) {
        Ok(named) => Ok(id(named) == id(file.metadata()?)),
        Err(error) if safe_fs::is_absent(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an open file is the one that has a name: a file that is open keeps its name here.
#[cfg(not(unix))]
fn has_name(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Notes by its time that a file was used now.
pub(super) fn note_use(path: &Path) {
    let now = SystemTime::now();
    let last = fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
    let is_recent = last.is_ok_and(|last| now.duration_since(last).is_ok_and(|age| age < USE_GRAIN));
    if !is_recent && let Ok(file) = append(path) {
        // A use that cannot be noted only makes the file look older than it is.
        let _ = file.set_times(FileTimes::new().set_modified(now));
    }
}

/// Removes a regular file; whether it was there. Anything else under that name stays.
pub(super) fn remove(path: &Path) -> io::Result<bool> {
    match safe_fs::remove(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(false),
        outcome => outcome,
    }
}
