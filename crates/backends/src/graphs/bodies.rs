//! `BodyDirectory`: the bodies of a registry in a directory, by their digest (section 8): `sha256/aa/bb/<digest>.gz`.
//!
//! A body is renamed into its place when all of it is on the disk. Unfinished files are in a directory of their own, so that the leftovers of a killed process are
//! found without a walk over all bodies.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use lore_base::digest::parse_sha256;
use lore_ckgp::registry_store::bodies::Bodies;
use lore_seam::{ErrorKind, OpError};

use super::compressed::{self, COMPRESSED};
use crate::safe_fs::{Directory, remove};

/// Where bodies are that are not whole yet.
const UNFINISHED: &str = "unfinished";
/// After this time, an unfinished file is a leftover.
const LEFT: Duration = Duration::from_secs(3_600);

/// Bodies in a directory.
pub struct BodyDirectory {
    directory: PathBuf,
    swept: Once,
}

impl BodyDirectory {
    /// Bodies in a directory, which is made when the first one is put there.
    pub fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            swept: Once::new(),
        }
    }

    /// The file of a body; `None` if the text is not a digest.
    fn place(&self, digest: &str) -> Option<PathBuf> {
        let digest = parse_sha256(digest)?;
        let (first, second) = (digest.get(..2)?, digest.get(2..4)?);
        let directory = self.directory.join("sha256").join(first).join(second);
        Some(directory.join(&digest).with_extension(COMPRESSED))
    }

    /// Writes a body where it is not looked for, and moves it to its place when the disk has it.
    fn write(&self, place: &Path, body: &[u8]) -> io::Result<u64> {
        let root = self.root()?;
        let unfinished = root.child_or_new(UNFINISHED)?;
        self.swept.call_once(|| unfinished.sweep(LEFT));
        let mut pending = unfinished.begin(place.file_name().unwrap_or_default())?;
        compressed::write(pending.file(), body)?;
        pending.file().sync_all()?;
        let bytes = pending.file().metadata()?.len();
        let directory = self.make_directories(root, place)?;
        pending.finish_in(&directory)?;
        directory.sync()?;
        Ok(bytes)
    }

    /// The directory of all bodies, made if need be.
    fn root(&self) -> io::Result<Directory> {
        match Directory::open(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let root = Directory::open_or_make(&self.directory)?;
                if let Some(parent) = self.directory.parent() {
                    Directory::open(parent)?.sync()?;
                }
                Ok(root)
            }
            opened => opened,
        }
    }

    /// Makes the directories that lead to a place and do not exist yet, each so that it still exists after a power failure. Those that exist were made so.
    fn make_directories(&self, root: Directory, place: &Path) -> io::Result<Directory> {
        let inside = place.strip_prefix(&self.directory).unwrap_or(place);
        let mut directory = root;
        for name in inside.parent().unwrap_or(Path::new("")) {
            directory = match directory.child(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let made = directory.child_or_new(name)?;
                    // A process that was faster may not have waited for the disk yet.
                    directory.sync()?;
                    made
                }
                opened => opened?,
            };
        }
        Ok(directory)
    }
}

/// Says of a body that it was put now; how many bytes it takes, nothing if it is not there.
fn refresh(place: &Path) -> Option<u64> {
    let bytes = fs::metadata(place).ok()?.len();
    let put = File::options()
        .append(true)
        .open(place)
        .and_then(|file| file.set_modified(SystemTime::now()));
    match put {
        // Another process removed it first.
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        // A time that cannot be set lets it be taken away too early, which the end of the visit sees.
        _ => Some(bytes),
    }
}

/// Whether nobody put a body within a time. One from the future was put now.
fn is_older(file: &Metadata, age: Duration) -> bool {
    let put = file.modified().unwrap_or_else(|_| SystemTime::now());
    SystemTime::now().duration_since(put).unwrap_or_default() >= age
}

/// What is in a directory, by name; nothing if there is none.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths?;
    paths.sort();
    Ok(paths)
}

fn unavailable(what: &str, path: &Path, error: io::Error) -> OpError {
    let message = format!("{}: {what}: {error}", path.display());
    OpError::new(ErrorKind::Unavailable, message)
        .hint(
            "check the free space of the disk and the permissions of the directory, or choose another store with --db",
        )
        .because(error)
}

impl Bodies for BodyDirectory {
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError> {
        match self.place(digest) {
            Some(place) => {
                compressed::read(&place, digest).map_err(|error| unavailable("the body cannot be read", &place, error))
            }
            None => Ok(None),
        }
    }

    fn has(&self, digest: &str) -> bool {
        self.place(digest).is_some_and(|place| place.is_file())
    }

    fn put(&self, digest: &str, body: &[u8]) -> Result<u64, OpError> {
        let Some(place) = self.place(digest) else {
            return Err(OpError::new(
                ErrorKind::Internal,
                "the name of a body must be its SHA-256",
            ));
        };
        if let Some(bytes) = refresh(&place) {
            return Ok(bytes);
        }
        self.write(&place, body)
            .map_err(|error| unavailable("the body cannot be stored", &place, error))
    }

    fn discard(&self, digest: &str) -> Result<bool, OpError> {
        match self.place(digest) {
            Some(place) => remove(&place).map_err(|error| unavailable("the body cannot be removed", &place, error)),
            None => Ok(false),
        }
    }

    fn discard_old(&self, digest: &str, age: Duration) -> Result<bool, OpError> {
        let is_old = self.place(digest).and_then(|place| fs::metadata(place).ok());
        if is_old.is_some_and(|file| is_older(&file, age)) {
            self.discard(digest)
        } else {
            Ok(false)
        }
    }

    fn all(&self) -> Result<Vec<(String, u64)>, OpError> {
        let mut all = Vec::new();
        self.each(&mut |digest, file| all.push((digest, file.len())))?;
        Ok(all)
    }

    fn old(&self, age: Duration) -> Result<Vec<String>, OpError> {
        let mut old = Vec::new();
        self.each(&mut |digest, file| {
            if is_older(file, age) {
                old.push(digest);
            }
        })?;
        Ok(old)
    }
}

impl BodyDirectory {
    /// Shows all bodies, by digest.
    fn each(&self, take: &mut dyn FnMut(String, &Metadata)) -> Result<(), OpError> {
        let top = self.directory.join("sha256");
        let listed = |directory: &Path| {
            entries(directory).map_err(|error| unavailable("the bodies cannot be listed", directory, error))
        };
        for first in listed(&top)? {
            for second in listed(&first)? {
                for file in listed(&second)? {
                    let is_packed = file.extension().is_some_and(|extension| extension == COMPRESSED);
                    let name = file.file_stem().and_then(|name| name.to_str()).filter(|_| is_packed);
                    // Another process may have removed it first.
                    if let (Some(digest), Ok(metadata)) = (name.and_then(parse_sha256), fs::metadata(&file)) {
                        take(digest, &metadata);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::compressed::digest_of;
    use super::*;
    use lore_ckgp::registry_store::contract::BODY_CASES;
    use tempfile::TempDir;

    fn kept() -> (TempDir, BodyDirectory) {
        let directory = tempfile::tempdir().unwrap();
        let bodies = BodyDirectory::new(directory.path().join("bodies"));
        (directory, bodies)
    }

    fn unfinished(bodies: &BodyDirectory) -> usize {
        entries(&bodies.directory.join(UNFINISHED)).unwrap().len()
    }

    #[test]
    fn the_directory_keeps_the_contract() {
        for (what, case) in BODY_CASES {
            let (_directory, bodies) = kept();
            assert_eq!(case(&bodies), Ok(()), "{what}");
            assert_eq!(unfinished(&bodies), 0, "{what}");
        }
    }

    #[test]
    fn a_body_is_compressed_under_its_digest_and_reading_makes_nothing() {
        let (_directory, bodies) = kept();
        let body = b"{\"nodes\": []}".repeat(1_000);
        let digest = digest_of(&body);
        assert_eq!(bodies.get(&digest), Ok(None));
        assert_eq!(bodies.all(), Ok(Vec::new()));
        assert!(!bodies.directory.exists());
        let bytes = bodies.put(&digest, &body).unwrap();
        assert!(bytes < 500, "{bytes}");
        let name = format!("sha256/{}/{}/{digest}.gz", &digest[..2], &digest[2..4]);
        assert_eq!(fs::metadata(bodies.directory.join(name)).unwrap().len(), bytes);
    }

    #[test]
    fn a_body_that_is_damaged_is_as_good_as_none_and_can_be_put_again() {
        let (_directory, bodies) = kept();
        let digest = digest_of(b"whole");
        bodies.put(&digest, b"whole").unwrap();
        let place = bodies.place(&digest).unwrap();
        let whole = fs::read(&place).unwrap();
        let other = {
            let other = digest_of(b"other");
            bodies.put(&other, b"other").unwrap();
            fs::read(bodies.place(&other).unwrap()).unwrap()
        };
        for damaged in [&b""[..], &whole[..whole.len() / 2], &other, b"no gzip"] {
            fs::write(&place, damaged).unwrap();
            assert_eq!(bodies.get(&digest), Ok(None));
            assert!(!bodies.has(&digest));
            bodies.put(&digest, b"whole").unwrap();
            assert_eq!(bodies.get(&digest), Ok(Some(b"whole".to_vec())));
        }
    }

    #[test]
    fn a_body_that_is_there_is_not_written_again_and_counts_as_put_now() {
        let (_directory, bodies) = kept();
        let digest = digest_of(b"whole");
        bodies.put(&digest, b"whole").unwrap();
        let place = bodies.place(&digest).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        File::options()
            .append(true)
            .open(&place)
            .unwrap()
            .set_modified(time)
            .unwrap();
        let before = fs::read(&place).unwrap();
        assert_eq!(bodies.old(LEFT), Ok(vec![digest.clone()]));
        bodies.put(&digest, b"another").unwrap();
        assert_eq!(fs::read(&place).unwrap(), before);
        assert_eq!(bodies.old(LEFT), Ok(Vec::new()));
        assert_eq!(bodies.discard_old(&digest, LEFT), Ok(false));
        // A time that is to come is no reason to take it away.
        let file = File::options().append(true).open(&place).unwrap();
        file.set_modified(SystemTime::now() + LEFT).unwrap();
        assert_eq!(bodies.old(Duration::from_secs(1)), Ok(Vec::new()));
    }

    #[test]
    fn what_killed_processes_left_goes_when_it_is_old() {
        let (_directory, bodies) = kept();
        let place = bodies.directory.join(UNFINISHED);
        fs::create_dir_all(&place).unwrap();
        for (name, is_old) in [
            (".lore-new-0000000000000000000000000000000a", true),
            (".lore-new-0000000000000000000000000000000b", false),
            ("a-file-of-the-user", true),
        ] {
            let file = File::create(place.join(name)).unwrap();
            if is_old {
                file.set_modified(SystemTime::now() - LEFT - Duration::from_secs(60))
                    .unwrap();
            }
        }
        bodies.put(&digest_of(b"x"), b"x").unwrap();
        let left: Vec<_> = entries(&place).unwrap();
        assert_eq!(
            left,
            [
                place.join(".lore-new-0000000000000000000000000000000b"),
                place.join("a-file-of-the-user")
            ]
        );
        // What is not whole is no body.
        assert_eq!(bodies.all().map(|all| all.len()), Ok(1));
    }

    #[test]
    fn many_may_put_one_body_at_once() {
        let (directory, _) = kept();
        let body = b"{\"nodes\": []}".repeat(5_000);
        let digest = digest_of(&body);
        lore_testing::scope("eight threads put one body", |scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let bodies = BodyDirectory::new(directory.path().join("bodies"));
                    bodies.put(&digest, &body).unwrap();
                    assert!(bodies.get(&digest).unwrap().is_some_and(|got| got == body));
                });
            }
        });
        let bodies = BodyDirectory::new(directory.path().join("bodies"));
        assert_eq!((bodies.all().unwrap().len(), unfinished(&bodies)), (1, 0));
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_told_with_its_name() {
        let (directory, bodies) = kept();
        fs::write(directory.path().join("bodies"), "a file").unwrap();
        let error = bodies.put(&digest_of(b"x"), b"x").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable);
        assert!(error.message.contains("bodies") && !error.hints.is_empty(), "{error}");
    }
}
