//! A file that takes the place of another once it is whole.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Seek};

use lore_ccg::layers::{is_unfinished, unfinished_name};

use super::directory::Directory;
use super::handle::{Open, plain};

/// Names that are tried before something else must be wrong.
const MOST_TRIES: usize = 16;

/// A file that takes the place of another once it is whole. It has no name until then where the system allows that, and a
/// random one elsewhere. It is removed if it never becomes whole.
#[derive(Debug)]
pub(crate) struct Pending {
    directory: Directory,
    file: File,
    /// The name that the file has for now; none if it has no name yet.
    temporary: Option<OsString>,
    name: OsString,
}

impl Pending {
    pub(super) fn begin(directory: &Directory, name: &OsStr) -> io::Result<Self> {
        let name = plain(name)?.to_owned();
        let (file, temporary) = match directory.handle.unnamed(directory.access) {
            Some(file) => (file, None),
            None => {
                let (file, temporary) = named(directory)?;
                (file, Some(temporary))
            }
        };
        Ok(Self {
            directory: directory.clone(),
            file,
            temporary,
            name,
        })
    }

    /// The file to write to.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// The file that is written to.
    pub(crate) fn as_file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name, in place of whatever has that name. A link under the name is replaced, not followed.
    pub(crate) fn finish(self) -> io::Result<()> {
        let directory = self.directory.clone();
        self.finish_in(&directory)
    }

    /// As [`Pending::finish`], in another directory of the same file system.
    pub(crate) fn finish_in(mut self, directory: &Directory) -> io::Result<()> {
        let temporary = match &self.temporary {
            Some(temporary) => temporary,
            None => {
                let temporary = self.give_a_name()?;
                self.temporary.insert(temporary)
            }
        };
        self.directory.handle.rename(temporary, &directory.handle, &self.name)?;
        self.temporary = None;
        Ok(())
    }

    /// Gives a file without a name one that is free, or copies it to a file that has one.
    fn give_a_name(&mut self) -> io::Result<OsString> {
        let linked = tried(|temporary| self.directory.handle.link(&self.file, temporary));
        if let Ok(((), temporary)) = linked {
            return Ok(temporary);
        }
        let (mut file, temporary) = named(&self.directory)?;
        let copied = self
            .file
            .rewind()
            .and_then(|()| file.set_permissions(self.file.metadata()?.permissions()))
            .and_then(|()| io::copy(&mut self.file, &mut file));
        self.file = file;
        match copied {
            Ok(_) => Ok(temporary),
            Err(error) => {
                self.temporary = Some(temporary);
                Err(error)
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A file that cannot be removed is never taken for a source: its name says what it is.
            let _ = self.directory.handle.unlink(temporary);
        }
    }
}

fn named(directory: &Directory) -> io::Result<(File, OsString)> {
    tried(|temporary| directory.handle.file(temporary, Open::New, directory.access))
}

/// Does something with a random name, and again with another if the name is taken.
fn tried<T>(mut act: impl FnMut(&OsStr) -> io::Result<T>) -> io::Result<(T, OsString)> {
    let mut tries = 0;
    loop {
        let name = OsString::from(random_name());
        match act(&name) {
            Ok(done) => return Ok((done, name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < MOST_TRIES => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Whether a name is one of a file that is not whole.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(is_unfinished)
}

/// A name of a file that is not whole, which nobody can foresee.
pub(super) fn random_name() -> String {
    unfinished_name(random())
}

/// A number that nobody outside of this process can foresee: hashers are keyed by the system's random numbers.
fn random() -> u128 {
    let half = || u128::from(RandomState::new().hash_one(std::process::id()));
    half() << 64 | half()
}
