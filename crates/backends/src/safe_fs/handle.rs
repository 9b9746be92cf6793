//! What an open directory can be asked, whichever system calls answer it.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io;
use std::time::SystemTime;

#[cfg(not(unix))]
pub(super) use super::portable::{Handle, open_following, open_not_following};
#[cfg(unix)]
pub(super) use super::unix::{Handle, open_following, open_not_following};

/// What is under a name. A link is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A device, a pipe, a socket or anything else.
    Special,
}

/// What is known of an entry of a directory without opening it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// Bytes of a file.
    pub(crate) bytes: u64,
    pub(crate) modified: SystemTime,
    /// Who may read and write it.
    pub(crate) permissions: Permissions,
}

/// Who may read what is created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Access {
    /// Everybody, as far as the process's mask allows.
    #[default]
    Shared,
    /// The user alone.
    Private,
}

/// How a file is opened. Links are never followed and opening never blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Open {
    /// To be read; it exists.
    Read,
    /// To be read and extended at its end; made if it does not exist.
    Append,
    /// To be locked; made if it does not exist, never cut.
    Lock,
    /// To be written and read; it must not exist.
    New,
}

/// Refuses a name that is not one plain component of a path.
pub(super) fn plain(name: &OsStr) -> io::Result<&OsStr> {
    let bytes = name.as_encoded_bytes();
    let is_separator = |byte: &u8| *byte == b'/' || *byte == 0 || cfg!(windows) && matches!(*byte, b'\\' | b':');
    if bytes.is_empty() || bytes == b"." || bytes == b".." || bytes.iter().any(is_separator) {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not the name of an entry of a directory",
        ))
    } else {
        Ok(name)
    }
}
