//! Directory handles by paths, for systems without calls that take a directory. What a name leads to is checked before it
//! is used, which leaves a window between the two.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::handle::{Access, Entry, Kind, Open, plain};

/// A directory by its path, which has no links.
#[derive(Debug)]
pub(in crate::safe_fs) struct Handle(PathBuf);

/// Opens a regular file, links followed.
pub(in crate::safe_fs) fn open_following(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => super::regular(File::open(path)?),
        false => Err(super::not_regular()),
    }
}

/// Opens a regular file. A link in its place is an error.
pub(in crate::safe_fs) fn open_not_following(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path)?.is_file() {
        true => super::regular(File::open(path)?),
        false => Err(super::not_regular()),
    }
}

impl Handle {
    /// Opens a directory by its path, links followed.
    pub(in crate::safe_fs) fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        match path.is_dir() {
            true => Ok(Self(path)),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Opens a directory in this one.
    pub(in crate::safe_fs) fn child(&self, name: &OsStr) -> io::Result<Self> {
        match self.look(name)?.kind {
            Kind::Directory => Ok(Self(self.0.join(name))),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Makes a directory in this one, unless something has that name.
    pub(in crate::safe_fs) fn make(&self, name: &OsStr, _: Access) -> io::Result<()> {
        fs::create_dir(self.0.join(plain(name)?))
    }

    /// Opens a file of this directory.
    pub(in crate::safe_fs) fn file(&self, name: &OsStr, how: Open, _: Access) -> io::Result<File> {
        let path = self.0.join(plain(name)?);
        match self.look(name) {
            Ok(entry) if entry.kind != Kind::File && how != Open::New => return Err(super::not_regular()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = File::options();
        match how {
            Open::Read => options.read(true),
            Open::Append => options.read(true).append(true).create(true),
            Open::Lock => options.read(true).write(true).create(true).truncate(false),
            Open::New => options.read(true).write(true).create_new(true),
        };
        options.open(path)
    }

    /// Makes a file without a name in this directory; nothing, because there are no such files.
    pub(in crate::safe_fs) fn unnamed(&self, _: Access) -> Option<File> {
        None
    }

    /// Gives a file that has no name one that is free.
    pub(in crate::safe_fs) fn link(&self, _: &File, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Moves an entry to a name in another directory, in place of whatever has that name.
    pub(in crate::safe_fs) fn rename(&self, from: &OsStr, directory: &Self, to: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(plain(from)?), directory.0.join(plain(to)?))
    }

    /// Removes a name that is not a directory's.
    pub(in crate::safe_fs) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(plain(name)?))
    }

    /// Removes an empty directory.
    pub(in crate::safe_fs) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        match self.look(name)?.kind {
            Kind::Directory => fs::remove_dir(self.0.join(name)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// What is under a name.
    pub(in crate::safe_fs) fn look(&self, name: &OsStr) -> io::Result<Entry> {
        Ok(entry(&fs::symlink_metadata(self.0.join(plain(name)?))?))
    }

    /// What is known of this directory.
    pub(in crate::safe_fs) fn look_at_itself(&self) -> io::Result<Entry> {
        Ok(entry(&fs::symlink_metadata(&self.0)?))
    }

    /// The metadata of this directory.
    pub(in crate::safe_fs) fn metadata(&self) -> io::Result<Metadata> {
        fs::symlink_metadata(&self.0)
    }

    /// Where a link leads.
    pub(in crate::safe_fs) fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
        Ok(fs::read_link(self.0.join(plain(name)?))?.into_os_string())
    }

    /// The names in this directory.
    pub(in crate::safe_fs) fn names(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Whether two handles are of the same directory.
    pub(in crate::safe_fs) fn is_same(&self, other: &Self) -> io::Result<bool> {
        Ok(self.0 == other.0)
    }

    /// Waits until the disk has the names in this directory; not needed here.
    pub(in crate::safe_fs) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Takes the rights of everybody but the user away; the rights of the directory above decide here.
    pub(in crate::safe_fs) fn deny_others(&self) -> io::Result<()> {
        Ok(())
    }

    /// The lock of this directory; a directory cannot be locked here.
    pub(in crate::safe_fs) fn lock(&self) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn entry(metadata: &Metadata) -> Entry {
    let kind = match metadata.file_type() {
        kind if kind.is_symlink() => Kind::Link,
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Directory,
        _ => Kind::Special,
    };
    Entry {
        kind,
        bytes: metadata.len(),
        modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        permissions: metadata.permissions(),
    }
}
