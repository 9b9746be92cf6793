//! Directory handles by the system calls that take one.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::handle::{Access, Entry, Kind, Open, plain};

/// An open directory.
#[derive(Debug)]
pub(in crate::safe_fs) struct Handle(OwnedFd);

/// How a directory is opened to look up names in it. Where the system can, that takes no right to list it.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
const SEARCH: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
const SEARCH: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// What holds for every file: no link is followed, no pipe is waited for, no terminal is taken over.
const CAREFUL: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

fn directory_mode(access: Access) -> Mode {
    match access {
        Access::Shared => Mode::RWXU | Mode::RWXG | Mode::RWXO,
        Access::Private => Mode::RWXU,
    }
}

fn file_mode(access: Access) -> Mode {
    let own = Mode::RUSR | Mode::WUSR;
    match access {
        Access::Shared => own | Mode::RGRP | Mode::WGRP | Mode::ROTH | Mode::WOTH,
        Access::Private => own,
    }
}

/// Opens a regular file, links followed, without waiting.
pub(in crate::safe_fs) fn open_following(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | CAREFUL.difference(OFlags::NOFOLLOW);
    super::regular(File::from(rustix::fs::openat(CWD, path, flags, Mode::empty())?))
}

/// Opens a regular file without waiting. A link in its place is an error.
pub(in crate::safe_fs) fn open_not_following(path: &Path) -> io::Result<File> {
    match rustix::fs::openat(CWD, path, OFlags::RDONLY | CAREFUL, Mode::empty()) {
        Ok(file) => super::regular(File::from(file)),
        Err(Errno::LOOP | Errno::MLINK | Errno::NXIO) => Err(super::not_regular()),
        Err(error) => Err(error.into()),
    }
}

impl Handle {
    /// Opens a directory by its path, links followed.
    pub(in crate::safe_fs) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(CWD, path, SEARCH, Mode::empty())?))
    }

    /// Opens a directory in this one.
    pub(in crate::safe_fs) fn child(&self, name: &OsStr) -> io::Result<Self> {
        let flags = SEARCH | OFlags::NOFOLLOW;
        Ok(Self(rustix::fs::openat(&self.0, plain(name)?, flags, Mode::empty())?))
    }

    /// Makes a directory in this one, unless something has that name.
    pub(in crate::safe_fs) fn make(&self, name: &OsStr, access: Access) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, plain(name)?, directory_mode(access))?)
    }

    /// Opens a file of this directory, whatever it is.
    pub(in crate::safe_fs) fn file(&self, name: &OsStr, how: Open, access: Access) -> io::Result<File> {
        let flags = match how {
            Open::Read => OFlags::RDONLY,
            Open::Append => OFlags::RDWR | OFlags::APPEND | OFlags::CREATE,
            Open::Lock => OFlags::RDWR | OFlags::CREATE,
            Open::New => OFlags::RDWR | OFlags::CREATE | OFlags::EXCL,
        };
        match rustix::fs::openat(&self.0, plain(name)?, flags | CAREFUL, file_mode(access)) {
            Ok(file) => Ok(File::from(file)),
            // A link, or a pipe that nobody reads.
            Err(Errno::LOOP | Errno::MLINK | Errno::NXIO) => Err(super::not_regular()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a file without a name in this directory; nothing where the system has no such files.
    #[cfg(target_os = "linux")]
    pub(in crate::safe_fs) fn unnamed(&self, access: Access) -> Option<File> {
        // The name comes later through this directory of the system's.
        if !has_descriptors() {
            return None;
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        rustix::fs::openat(&self.0, ".", flags, file_mode(access))
            .ok()
            .map(File::from)
    }

    /// Makes a file without a name in this directory; nothing where the system has no such files.
    #[cfg(not(target_os = "linux"))]
    pub(in crate::safe_fs) fn unnamed(&self, _: Access) -> Option<File> {
        None
    }

    /// Gives a file that has no name one that is free.
    pub(in crate::safe_fs) fn link(&self, file: &File, name: &OsStr) -> io::Result<()> {
        use std::os::fd::AsRawFd;

        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(rustix::fs::linkat(
            CWD,
            open.as_str(),
            &self.0,
            plain(name)?,
            AtFlags::SYMLINK_FOLLOW,
        )?)
    }

    /// Moves an entry to a name in another directory, in place of whatever has that name.
    pub(in crate::safe_fs) fn rename(&self, from: &OsStr, directory: &Self, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, plain(from)?, &directory.0, plain(to)?)?)
    }

    /// Removes a name that is not a directory's.
    pub(in crate::safe_fs) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, plain(name)?, AtFlags::empty())?)
    }

    /// Removes an empty directory.
    pub(in crate::safe_fs) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, plain(name)?, AtFlags::REMOVEDIR)?)
    }

    /// What is under a name.
    pub(in crate::safe_fs) fn look(&self, name: &OsStr) -> io::Result<Entry> {
        let stat = rustix::fs::statat(&self.0, plain(name)?, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(entry(&stat))
    }

    /// What is known of this directory.
    pub(in crate::safe_fs) fn look_at_itself(&self) -> io::Result<Entry> {
        Ok(entry(&rustix::fs::fstat(&self.0)?))
    }

    /// The metadata of this directory.
    pub(in crate::safe_fs) fn metadata(&self) -> io::Result<Metadata> {
        self.readable()?.metadata()
    }

    /// Where a link leads.
    pub(in crate::safe_fs) fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
        let target = rustix::fs::readlinkat(&self.0, plain(name)?, Vec::new())?;
        Ok(OsString::from_vec(target.into_bytes()))
    }

    /// The names in this directory.
    pub(in crate::safe_fs) fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::new(self.readable()?)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        Ok(names)
    }

    /// Whether two handles are of the same directory.
    pub(in crate::safe_fs) fn is_same(&self, other: &Self) -> io::Result<bool> {
        let id = |handle: &Self| rustix::fs::fstat(&handle.0).map(|stat| (stat.st_dev, stat.st_ino));
        Ok(id(self)? == id(other)?)
    }

    /// Waits until the disk has the names in this directory.
    pub(in crate::safe_fs) fn sync(&self) -> io::Result<()> {
        self.readable()?.sync_all()
    }

    /// Waits for the lock of this directory, which is held until the file is dropped.
    pub(in crate::safe_fs) fn lock(&self) -> io::Result<File> {
        let file = self.readable()?;
        file.lock()?;
        Ok(file)
    }

    /// Takes the rights of everybody but the user away.
    pub(in crate::safe_fs) fn deny_others(&self) -> io::Result<()> {
        self.readable()?.set_permissions(Permissions::from_mode(0o700))
    }

    fn readable(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.0, ".", flags, Mode::empty())?))
    }
}

#[cfg(target_os = "linux")]
fn has_descriptors() -> bool {
    use std::sync::OnceLock;

    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| Path::new("/proc/self/fd").is_dir())
}

fn entry(stat: &Stat) -> Entry {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    };
    let seconds = u64::try_from(stat.st_mtime).unwrap_or(0);
    let nanoseconds = u32::try_from(stat.st_mtime_nsec).unwrap_or(0);
    Entry {
        kind,
        bytes: u64::try_from(stat.st_size).unwrap_or(0),
        modified: SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds.min(999_999_999)),
        permissions: Permissions::from_mode(stat.st_mode & 0o7777),
    }
}
