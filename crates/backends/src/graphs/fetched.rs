//! Fetched graphs of other repositories, in the user's cache: compressed bodies by their digest, and records by name.
//!
//! Every file is replaced atomically, and may be deleted at any time. If the bodies exceed the size limit, the least recently used ones are removed.

use lore_ckgp::graphs::Graphs;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lore_base::digest::parse_sha256;
use lore_seam::{ErrorKind, OpError};
use serde::{Deserialize, Serialize};

use super::compressed::{self, COMPRESSED, digest_of};
use crate::cache::CachedDirectory;
use crate::foreign::forget;
use crate::safe_fs::{read_private_file, remove, replace_with};

/// Bytes of all bodies together, as they are kept.
const MOST_KEPT: u64 = 2 << 30;
/// Bytes of what is known by a name.
const MOST_KNOWN: u64 = 16 << 20;
/// What the name of a file ends with that holds what is known.
const KNOWN: &str = "json";

/// Graphs in a directory.
pub struct KeptGraphs {
    place: CachedDirectory,
    most: u64,
}

/// A record with its name, because the name of the file is only a digest.
#[derive(Serialize, Deserialize)]
struct KnownFile {
    name: String,
    known: String,
}

impl KeptGraphs {
    /// Graphs in a directory, which is made when something is kept.
    pub fn new(place: impl Into<CachedDirectory>) -> Self {
        Self {
            place: place.into(),
            most: MOST_KEPT,
        }
    }

    /// The file of a body; `None` if the text is not a digest, because it might be a path.
    fn body_place(&self, digest: &str) -> Option<PathBuf> {
        let digest = parse_sha256(digest)?;
        let (start, _) = digest.split_at_checked(2)?;
        Some(self.bodies().join(start).join(&digest).with_extension(COMPRESSED))
    }

    fn directory(&self) -> &Path {
        self.place.path()
    }

    fn put(&self, place: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        self.place.make_parent(place)?;
        replace_with(place, write)
    }

    fn bodies(&self) -> PathBuf {
        self.directory().join("bodies")
    }

    fn known_place(&self, name: &str) -> PathBuf {
        self.directory()
            .join("known")
            .join(digest_of(name.as_bytes()))
            .with_extension(KNOWN)
    }

    /// Takes the bodies away that were not asked for longest, until the others fit.
    fn make_room(&self, spared: &Path) {
        let mut kept: Vec<(SystemTime, u64, PathBuf)> = files_below(&self.bodies());
        let mut sum: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
        kept.sort();
        for (_, bytes, path) in kept {
            if sum <= self.most {
                break;
            }
            // Another process may have removed it first.
            if path != spared && remove(&path).is_ok() {
                sum -= bytes;
            }
        }
    }
}

fn unavailable(what: &str, path: &Path, error: io::Error) -> OpError {
    OpError::new(ErrorKind::Unavailable, format!("{}: {what}: {error}", path.display())).because(error)
}

/// The bodies in the directories of a directory, with their time and size.
fn files_below(directory: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let entries = |directory: &Path| fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    entries(directory)
        .flat_map(|entry| entries(&entry.path()))
        .filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let is_body = compressed::is_name(&entry.path());
            is_body.then_some((metadata.modified().ok()?, metadata.len(), entry.path()))
        })
        .collect()
}

impl Graphs for KeptGraphs {
    fn body(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError> {
        let Some(place) = self.body_place(digest) else {
            return Ok(None);
        };
        let fault = |error| unavailable("the fetched graph cannot be read", &place, error);
        let Some(body) = compressed::read(&place, digest).map_err(fault)? else {
            return Ok(None);
        };
        // The time says when a body was last asked for; if it cannot be set, the body goes earlier than it had to.
        let _ = File::options()
            .append(true)
            .open(&place)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Ok(Some(body))
    }

    fn has_body(&self, digest: &str) -> bool {
        self.body_place(digest).is_some_and(|place| place.is_file())
    }

    fn keep_body(&self, digest: &str, body: &[u8]) -> Result<(), OpError> {
        let Some(place) = self.body_place(digest) else {
            return Err(OpError::new(
                ErrorKind::Internal,
                "the name of a body must be its SHA-256",
            ));
        };
        self.put(&place, |file| compressed::write(file, body))
            .map_err(|error| unavailable("the fetched graph cannot be stored", &place, error))?;
        self.make_room(&place);
        Ok(())
    }

    fn drop_body(&self, digest: &str) -> Result<(), OpError> {
        let Some(place) = self.body_place(digest) else {
            return Ok(());
        };
        // What was made of it goes with it.
        forget(&self.directory().join("opened"), &digest.to_ascii_lowercase());
        let removed = remove(&place).map_err(|error| unavailable("it cannot be removed", &place, error));
        removed.map(|_| ())
    }

    fn known(&self, name: &str) -> Result<Option<String>, OpError> {
        let place = self.known_place(name);
        let content =
            read_private_file(&place, MOST_KNOWN).map_err(|error| unavailable("it cannot be read", &place, error))?;
        let known = content.and_then(|content| serde_json::from_slice::<KnownFile>(&content).ok());
        Ok(known.filter(|known| known.name == name).map(|known| known.known))
    }

    fn learn(&self, name: &str, known: &str) -> Result<(), OpError> {
        let place = self.known_place(name);
        let file = KnownFile {
            name: name.to_owned(),
            known: known.to_owned(),
        };
        let written = serde_json::to_vec(&file).map_err(io::Error::from);
        written
            .and_then(|content| self.put(&place, |file| file.write_all(&content)))
            .map_err(|error| unavailable("it cannot be written", &place, error))
    }

    fn forget(&self, name: &str) -> Result<bool, OpError> {
        let place = self.known_place(name);
        remove(&place).map_err(|error| unavailable("it cannot be removed", &place, error))
    }

    fn all_known(&self) -> Result<Vec<(String, String)>, OpError> {
        let directory = self.directory().join("known");
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unavailable("it cannot be read", &directory, error)),
        };
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        let mut all: Vec<(String, String)> = paths
            .filter(|path| path.extension().is_some_and(|extension| extension == KNOWN))
            .filter_map(|path| read_private_file(&path, MOST_KNOWN).ok().flatten())
            .filter_map(|content| serde_json::from_slice::<KnownFile>(&content).ok())
            .map(|file| (file.name, file.known))
            .collect();
        all.sort();
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn kept() -> (tempfile::TempDir, KeptGraphs) {
        let directory = tempfile::tempdir().unwrap();
        let graphs = KeptGraphs::new(directory.path().join("graphs"));
        (directory, graphs)
    }

    #[test]
    fn c7_a_body_is_kept_by_its_digest_and_had_again() {
        let (_directory, graphs) = kept();
        let body = b"{\"nodes\": []}".repeat(100);
        let digest = digest_of(&body);
        assert_eq!(graphs.body(&digest), Ok(None));
        assert!(!graphs.has_body(&digest));
        graphs.keep_body(&digest, &body).unwrap();
        assert!(graphs.has_body(&digest));
        assert_eq!(graphs.body(&digest.to_uppercase()), Ok(Some(body)));
        let place = graphs.body_place(&digest).unwrap();
        assert!(fs::metadata(&place).unwrap().len() < 200);
        graphs.drop_body(&digest).unwrap();
        graphs.drop_body(&digest).unwrap();
        assert_eq!(graphs.body(&digest), Ok(None));
    }

    #[test]
    fn c7_a_body_that_is_damaged_is_as_good_as_none() {
        let (_directory, graphs) = kept();
        let digest = digest_of(b"whole");
        graphs.keep_body(&digest, b"other").unwrap();
        assert_eq!(graphs.body(&digest), Ok(None));
        assert!(!graphs.has_body(&digest));
        graphs.keep_body(&digest, b"whole").unwrap();
        fs::write(graphs.body_place(&digest).unwrap(), b"\x1f\x8b").unwrap();
        assert_eq!(graphs.body(&digest), Ok(None));
    }

    #[test]
    fn what_is_no_digest_is_no_path() {
        let (_directory, graphs) = kept();
        for digest in ["", "../../etc/passwd", &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(graphs.body(digest), Ok(None));
            assert!(graphs.keep_body(digest, b"x").is_err());
        }
    }

    #[test]
    fn what_is_known_is_kept_by_name_and_listed_in_order() {
        let (_directory, graphs) = kept();
        assert_eq!(graphs.all_known(), Ok(Vec::new()));
        graphs.learn("b/../x", "two").unwrap();
        graphs.learn("a", "none").unwrap();
        graphs.learn("a", "one").unwrap();
        let pair = |name: &str, known: &str| (name.to_owned(), known.to_owned());
        assert_eq!(graphs.all_known(), Ok(vec![pair("a", "one"), pair("b/../x", "two")]));
        assert_eq!(graphs.known("a"), Ok(Some("one".to_owned())));
        assert_eq!(graphs.known("c"), Ok(None));
        assert_eq!(graphs.forget("a"), Ok(true));
        assert_eq!(graphs.forget("a"), Ok(false));
        assert_eq!(graphs.known("a"), Ok(None));
    }

    #[test]
    fn the_bodies_that_were_not_asked_for_longest_go_first() {
        let (_directory, mut graphs) = kept();
        let bodies: Vec<Vec<u8>> = (0..4u8).map(|number| vec![number; 4]).collect();
        let digests: Vec<String> = bodies.iter().map(|body| digest_of(body)).collect();
        for (number, (digest, body)) in digests.iter().zip(&bodies).enumerate().take(3) {
            graphs.keep_body(digest, body).unwrap();
            let file = File::options()
                .append(true)
                .open(graphs.body_place(digest).unwrap())
                .unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + number as u64);
            file.set_modified(time).unwrap();
        }
        graphs.body(&digests[0]).unwrap();
        let one = fs::metadata(graphs.body_place(&digests[0]).unwrap()).unwrap().len();
        graphs.most = one * 2 + 1;
        graphs.keep_body(&digests[3], &bodies[3]).unwrap();
        let there: Vec<bool> = digests.iter().map(|digest| graphs.has_body(digest)).collect();
        assert_eq!(there, [true, false, false, true]);
    }
}
