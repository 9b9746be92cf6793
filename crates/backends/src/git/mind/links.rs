//! Refuses to write through links in git's directory.
//!
//! gix and git write references, objects and the configuration by path. The author of a `.git` directory can put a link at each of these paths that leads
//! out of it.

use std::io;
use std::path::{Path, PathBuf};

use lore_seam::OpError;

use super::unavailable;
use crate::safe_fs::{Directory, Kind};

/// What is written when the graph is written, below the git directory that all working trees share. Of a directory everything in it counts, down to the depth.
pub(crate) const WRITTEN: [(&str, usize); 8] = [
    ("config", 0),
    ("packed-refs", 0),
    ("refs", 0),
    ("refs/lore", MAX_DEPTH),
    ("logs", 0),
    ("logs/refs", 0),
    ("logs/refs/lore", MAX_DEPTH),
    ("objects", 1),
];
/// How deep names of references are.
const MAX_DEPTH: usize = 32;

/// Why nothing is written to a git directory: a link, a pipe or a device in it, if there is one.
pub(super) fn linked(common: &Path) -> Option<OpError> {
    let found = Directory::open(common).and_then(|directory| {
        for (path, depth) in WRITTEN {
            if let Some(path) = find(&directory, path, depth)? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    });
    match found {
        Ok(None) => None,
        Ok(Some(path)) => {
            let message = format!(
                "{} is not a regular file or directory: nothing is written to the repository",
                common.join(path).display()
            );
            Some(unavailable(message).hint("if it is a link, replace it with its target"))
        }
        Err(error) => Some(unavailable(format!("{} cannot be read: {error}", common.display())).because(error)),
    }
}

/// The first link, pipe or device at a path, or below it down to a depth.
fn find(common: &Directory, path: &str, depth: usize) -> io::Result<Option<PathBuf>> {
    let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
    let directory = match common.beneath(above) {
        Ok(directory) => directory,
        // The directory above is among what was looked at before.
        Err(_) => return Ok(None),
    };
    match directory.look(name)?.map(|entry| entry.kind) {
        Some(Kind::Link | Kind::Special) => Ok(Some(path.into())),
        Some(Kind::Directory) => find_below(&directory.child(name)?, Path::new(path), depth),
        _ => Ok(None),
    }
}

fn find_below(directory: &Directory, path: &Path, depth: usize) -> io::Result<Option<PathBuf>> {
    if depth == 0 {
        return Ok(None);
    }
    for (name, entry) in directory.entries()? {
        let path = path.join(&name);
        let found = match entry.kind {
            Kind::Link | Kind::Special => Some(path),
            Kind::Directory if depth > 1 => find_below(&directory.child(&name)?, &path, depth - 1)?,
            _ => None,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
