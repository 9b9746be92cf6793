//! A directory that is open, and what is done with its entries.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::handle::{Access, Entry, Handle, Kind, Open};
use super::pending::{Pending, is_temporary};

/// A directory that is open. It stays the same directory whatever happens to the names that led to it, so that a link
/// that is put in its path later has no effect.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    pub(super) handle: Arc<Handle>,
    /// How the directory was reached, for messages and for files that are mapped.
    path: PathBuf,
    pub(super) access: Access,
}

impl Directory {
    /// Opens a directory that the user named or that is Lore's own. Links in the path are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            handle: Arc::new(Handle::open(path)?),
            path: path.to_owned(),
            access: Access::Shared,
        })
    }

    /// As [`Directory::open`]; the directory and those above it are made if they do not exist.
    pub(crate) fn open_or_make(path: &Path) -> io::Result<Self> {
        match Self::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::create_dir_all(path)?;
                Self::open(path)
            }
            opened => opened,
        }
    }

    /// The directory, in which nobody but the user may read what is made from now on.
    #[must_use]
    pub(crate) fn private(self) -> Self {
        Self {
            access: Access::Private,
            ..self
        }
    }

    /// How the directory was reached.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether two handles are of the same directory.
    pub(crate) fn is_same(&self, other: &Self) -> io::Result<bool> {
        self.handle.is_same(&other.handle)
    }

    /// What is known of this directory.
    pub(crate) fn look_at_itself(&self) -> io::Result<Entry> {
        self.handle.look_at_itself()
    }

    /// The metadata of this directory.
    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        self.handle.metadata()
    }

    /// Opens a directory in this one. A link is an error.
    pub(crate) fn child(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        Ok(Self {
            handle: Arc::new(self.handle.child(name.as_ref())?),
            path: self.path.join(name.as_ref()),
            access: self.access,
        })
    }

    /// As [`Directory::child`]; the directory is made if it does not exist.
    pub(crate) fn child_or_new(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = name.as_ref();
        match self.child(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match self.handle.make(name, self.access) {
                // Another process may have been faster.
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => self.child(name),
            },
            opened => opened,
        }
    }

    /// Opens a directory below this one. A link anywhere below is an error.
    pub(crate) fn beneath(&self, path: impl AsRef<Path>) -> io::Result<Self> {
        self.descend(path.as_ref(), |directory, name| directory.child(name))
    }

    /// As [`Directory::beneath`]; directories that do not exist are made.
    pub(crate) fn make_beneath(&self, path: impl AsRef<Path>) -> io::Result<Self> {
        self.descend(path.as_ref(), |directory, name| directory.child_or_new(name))
    }

    fn descend(&self, path: &Path, step: impl Fn(&Self, &OsStr) -> io::Result<Self>) -> io::Result<Self> {
        let mut directory = self.clone();
        for part in path.components() {
            directory = match part {
                Component::Normal(name) => step(&directory, name)?,
                Component::CurDir => continue,
                _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a path below")),
            };
        }
        Ok(directory)
    }

    /// What is under a name; nothing if there is nothing.
    pub(crate) fn look(&self, name: impl AsRef<OsStr>) -> io::Result<Option<Entry>> {
        match self.handle.look(name.as_ref()) {
            Ok(entry) => Ok(Some(entry)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Where a link leads.
    pub(crate) fn read_link(&self, name: impl AsRef<OsStr>) -> io::Result<OsString> {
        self.handle.read_link(name.as_ref())
    }

    /// What is in the directory, by name. Entries that vanish meanwhile are left out.
    pub(crate) fn entries(&self) -> io::Result<Vec<(OsString, Entry)>> {
        let mut names = self.handle.names()?;
        names.sort_unstable();
        let known = names.into_iter().filter_map(|name| {
            let entry = self.handle.look(&name).ok()?;
            Some((name, entry))
        });
        Ok(known.collect())
    }

    /// Opens a regular file to read it; nothing if there is nothing.
    pub(crate) fn open_file(&self, name: impl AsRef<OsStr>) -> io::Result<Option<File>> {
        match self.handle.file(name.as_ref(), Open::Read, self.access) {
            Ok(file) => super::regular(file).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The content of a regular file of at most so many bytes; nothing if there is nothing.
    pub(crate) fn read(&self, name: impl AsRef<OsStr>, most: u64) -> io::Result<Option<Vec<u8>>> {
        let file = self.open_file(name)?;
        file.map(|file| super::bounded(file, most)).transpose()
    }

    /// Opens a regular file to read it and to write at its end, and makes it if it does not exist.
    pub(crate) fn append(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        super::regular(self.handle.file(name.as_ref(), Open::Append, self.access)?)
    }

    /// Opens a regular file to lock it or to write to it in place, and makes it if it does not exist.
    pub(crate) fn lock_file(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        super::regular(self.handle.file(name.as_ref(), Open::Lock, self.access)?)
    }

    /// Begins a file that takes a name once it is whole.
    pub(crate) fn begin(&self, name: impl AsRef<OsStr>) -> io::Result<Pending> {
        Pending::begin(self, name.as_ref())
    }

    /// Replaces a file in one step.
    pub(crate) fn replace(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> io::Result<()> {
        self.replace_with(name, |file| file.write_all(bytes))
    }

    /// As [`Directory::replace`], with content that is written part by part.
    pub(crate) fn replace_with(
        &self,
        name: impl AsRef<OsStr>,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut pending = self.begin(name)?;
        write(pending.file())?;
        pending.finish()
    }

    /// Removes a regular file; whether there was one. Anything else under the name is an error and stays.
    pub(crate) fn remove_file(&self, name: impl AsRef<OsStr>) -> io::Result<bool> {
        let name = name.as_ref();
        match self.look(name)? {
            None => Ok(false),
            Some(entry) if entry.kind == Kind::File => match self.handle.unlink(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
                outcome => outcome.map(|()| true),
            },
            Some(_) => Err(super::not_regular()),
        }
    }

    /// Removes a directory of this one if it is empty. A link to a directory stays.
    pub(crate) fn remove_directory(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        self.handle.remove_directory(name.as_ref())
    }

    /// Removes regular files that Lore made, as their names say; how many. Only for directories that are Lore's own.
    pub(crate) fn remove_own(&self, is_own: impl Fn(&OsStr, &Entry) -> bool) -> io::Result<usize> {
        let mut removed = 0;
        for (name, entry) in self.entries()? {
            if entry.kind == Kind::File && is_own(&name, &entry) {
                removed += usize::from(self.remove_file(&name)?);
            }
        }
        Ok(removed)
    }

    /// Removes what killed processes left unfinished and nobody has written to for some time. Only for directories that
    /// are Lore's own: a repository's author may commit a file with any name.
    pub(crate) fn sweep(&self, age: Duration) {
        let now = SystemTime::now();
        let is_left = |name: &OsStr, entry: &Entry| {
            is_temporary(name) && now.duration_since(entry.modified).is_ok_and(|passed| passed >= age)
        };
        // What cannot be removed now is removed by a later process.
        let _ = self.remove_own(is_left);
    }

    /// Waits until the disk has the names in this directory.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.handle.sync()
    }

    /// Waits for the lock of this directory, which is held until the file is dropped.
    pub(crate) fn lock(&self) -> io::Result<File> {
        self.handle.lock()
    }
}
