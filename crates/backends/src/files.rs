//! Files that whoever asks names: read up to a size, replaced in one step.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use lore_specs::seam::{ErrorKind, Files, OpError, PathKind, Settled, Stat, WriteOne, Written};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use crate::cache::{Stamp, StatTable, sweep_beside, sweep_inside, temporary_for};
use crate::directory::{DirectoryTree, TreePatterns};
use crate::durable;

/// Links that are followed one after the other.
const MOST_LINKS: usize = 40;

/// Bytes of a file that are read before whoever asked for it sees them; so many are written to one of very many at once.
const PIECE: usize = 64 << 10;

/// Files of very many that are open at once, as each is until it has its name: fewer than systems let a process have.
const MOST_OPEN: usize = if cfg!(target_os = "linux") { 512 } else { 128 };

/// Bytes that are written to a file at once.
const PIECE_OF_ONE: usize = 1 << 20;

/// The files around a working directory.
#[derive(Clone, Debug)]
pub struct SystemFiles {
    start: PathBuf,
    /// Directories in which nothing is left that processes which are gone had begun.
    swept: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl SystemFiles {
    /// The files as seen from a directory.
    pub fn new(start: PathBuf) -> Self {
        Self {
            start,
            swept: Arc::default(),
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.start.join(path)
    }
}

fn unreadable(path: &str, error: &io::Error) -> OpError {
    match error.kind() {
        io::ErrorKind::NotFound => OpError::new(ErrorKind::Unavailable, format!("there is no file {path}")),
        _ => OpError::new(ErrorKind::Unavailable, format!("{path} cannot be read: {error}")),
    }
}

/// The content of an open file of at most so many bytes.
fn whole(path: &str, file: impl Read, max_bytes: u64) -> Result<Vec<u8>, OpError> {
    let mut content = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|error| unreadable(path, &error))?;
    if content.len() as u64 > max_bytes {
        let message = format!("{path} is larger than {max_bytes} bytes");
        return Err(OpError::new(ErrorKind::Unavailable, message));
    }
    Ok(content)
}

/// Whether a file that is open is the one that is at a path.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    Ok(Stamp::of(&file.metadata()?).is_of_the_same_file(&Stamp::of(&std::fs::metadata(path)?)))
}

impl Files for SystemFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let metadata = std::fs::metadata(self.at(path)).ok()?;
        Some(if metadata.is_dir() {
            PathKind::Directory
        } else {
            PathKind::File
        })
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        let metadata = std::fs::metadata(self.at(path)).ok()?;
        let kind = match (metadata.is_dir(), metadata.is_file()) {
            (true, _) => PathKind::Directory,
            (_, true) => PathKind::File,
            _ => return None,
        };
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(Stat {
            kind,
            bytes: metadata.len(),
            modified_ms: u64::try_from(modified.as_millis()).unwrap_or(u64::MAX),
            stamp: xxh3_64(Stamp::of(&metadata).as_bytes()),
        })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.at(path)).map_err(|error| unreadable(path, &error))? {
            let entry = entry.map_err(|error| unreadable(path, &error))?;
            // A name that is no text is none that anybody could ask for.
            names.extend(entry.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let file: Box<dyn Read> = match path {
            "-" => Box::new(io::stdin()),
            path => Box::new(std::fs::File::open(self.at(path)).map_err(|error| unreadable(path, &error))?),
        };
        whole(path, file, max_bytes)
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let fault = |error: io::Error| unreadable(path, &error);
        let root = self.at(root).canonicalize().map_err(fault)?;
        let wanted = root.join(path);
        // Opening a pipe could take for ever.
        if !std::fs::metadata(&wanted).map_err(fault)?.is_file() {
            return Err(OpError::new(ErrorKind::Unavailable, format!("{path} is no file")));
        }
        let file = File::open(&wanted).map_err(fault)?;
        // What is open stays what it is, whatever happens to the names that led to it.
        let real = wanted.canonicalize().map_err(fault)?;
        if !real.starts_with(&root) || !is_at(&file, &real).map_err(fault)? {
            let message = format!("{path} leads out of the directory that it belongs to");
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        whole(path, file, max_bytes)
    }

    fn replace(&self, path: &str, expected: &[u8], content: &[u8]) -> Result<bool, OpError> {
        let target = end_of_links(&self.at(path)).map_err(|error| unreadable(path, &error))?;
        // The file itself is replaced, and a lock on it would be one on the old one: its directory stays.
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = File::open(parent.unwrap_or(Path::new(".")));
        // Where there are no locks the window is small, and whoever comes later is told.
        let _held = directory.ok().filter(|directory| directory.lock().is_ok());
        if self.read(path, u64::MAX)? != expected {
            return Ok(false);
        }
        self.write(path, &mut |out| out.write_all(content).map_err(OpError::from_write))?;
        Ok(true)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        let fault = |error: io::Error| unreadable(path, &error);
        let wanted = end_of_links(&self.at(path)).map_err(fault)?;
        // What is not there yet is where its directory is, as far as that is there.
        let there = wanted.ancestors().find(|above| above.exists()).unwrap_or(&wanted);
        let rest = wanted.strip_prefix(there).unwrap_or(Path::new(""));
        let real = there.canonicalize().map_err(fault)?;
        let real = if rest.as_os_str().is_empty() {
            real
        } else {
            real.join(rest)
        };
        let read_only = std::fs::metadata(&real).is_ok_and(|metadata| metadata.permissions().readonly());
        match real.to_str() {
            Some(path) => Ok(Settled {
                path: path.to_owned(),
                read_only,
            }),
            None => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("{path} leads to a name that is no text"),
            )),
        }
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        let tree = DirectoryTree::new(self.at(root), TreePatterns::default(), StatTable::default());
        let seen = tree
            .walk()
            .map_err(|error| OpError::new(ErrorKind::Unavailable, error.to_string()))?;
        let paths = seen.stamps.iter().take(most).map(|(path, _)| path.as_str().to_owned());
        Ok((paths.collect(), seen.stamps.len() > most))
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        let (mut file, length): (Box<dyn Read>, u64) = match path {
            "-" => (Box::new(io::stdin()), 0),
            path => {
                let file = std::fs::File::open(self.at(path)).map_err(|error| unreadable(path, &error))?;
                let length = file.metadata().map_or(0, |metadata| metadata.len());
                (Box::new(file), length)
            }
        };
        // A file that tells its length is held once, not in a buffer that doubles.
        let mut content = Vec::with_capacity(length.min(max_bytes) as usize + PIECE);
        loop {
            let start = content.len();
            let read = file.by_ref().take(PIECE as u64).read_to_end(&mut content);
            if read.map_err(|error| unreadable(path, &error))? == 0 {
                return Ok(content);
            }
            if content.len() as u64 > max_bytes {
                let message = format!("{path} is larger than {max_bytes} bytes");
                return Err(OpError::new(ErrorKind::Unavailable, message));
            }
            check(&content[start..])?;
        }
    }

    fn table(
        &self,
        path: &str,
        table: &str,
        columns: &[&str],
        most: usize,
    ) -> Result<Vec<serde_json::Map<String, serde_json::Value>>, OpError> {
        crate::sql::table(&self.at(path), table, columns, most)
    }

    fn sha256(&self, path: &str) -> Option<[u8; 32]> {
        let mut file = File::open(self.at(path)).ok()?;
        let mut digest = Sha256::new();
        let mut piece = vec![0; PIECE];
        loop {
            let count = file.read(&mut piece).ok()?;
            if count == 0 {
                return Some(digest.finalize().into());
            }
            digest.update(piece.get(..count)?);
        }
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        let file = self.at(path);
        std::fs::remove_file(&file)
            .map_err(|error| OpError::new(ErrorKind::Unavailable, format!("{path} cannot be removed: {error}")))?;
        // Only directories that the path names; what is above them was there for another reason.
        let names = path.split('/').filter(|part| !part.is_empty()).count();
        for directory in file.ancestors().skip(1).take(names.saturating_sub(1)) {
            // A directory that holds something stays.
            if std::fs::remove_dir(directory).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.put(paths, write, false)
    }

    fn write_many(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        let mut written = Vec::with_capacity(paths.len());
        for some in paths.chunks(MOST_OPEN) {
            let before = written.len();
            written.extend(self.put(some, &mut |at, out| write(before + at, out), true)?);
        }
        Ok(written)
    }
}

impl SystemFiles {
    /// Replaces files. Of many, all are on the disk before the first one has its name, and directories are swept once and not for every file.
    fn put(&self, paths: &[String], write: WriteOne<'_>, is_of_many: bool) -> Result<Vec<Written>, OpError> {
        let mut written = Vec::new();
        let mut pending = Vec::new();
        for (at, path) in paths.iter().enumerate() {
            let unwritable =
                |error: io::Error| OpError::new(ErrorKind::Unavailable, format!("{path} cannot be written: {error}"));
            let (mut file, whole) = match Target::of(&self.at(path)).map_err(unwritable)? {
                Target::Directory => return Err(OpError::new(ErrorKind::Invalid, format!("{path} is a directory"))),
                Target::Stream(file) => (file, None),
                Target::File(target) => {
                    if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                        create(parent)?;
                    }
                    let (file, whole) =
                        Pending::begin(target, is_of_many.then_some(&self.swept)).map_err(unwritable)?;
                    (file, Some(whole))
                }
            };
            let mut out = BufWriter::with_capacity(
                if is_of_many { PIECE } else { PIECE_OF_ONE },
                Counted {
                    file: &mut file,
                    bytes: 0,
                },
            );
            write(at, &mut out)?;
            out.flush().map_err(unwritable)?;
            written.push(Written {
                bytes: out.get_ref().bytes,
                streamed: whole.is_none(),
            });
            drop(out);
            // The lock on the file is held until it has its name.
            pending.extend(whole.map(|whole| (path, file, whole)));
        }
        if is_of_many {
            let files: Vec<&File> = pending.iter().map(|(_, file, _)| file).collect();
            durable::sync_all(&files).map_err(|error| {
                let message = format!("what was written does not reach the disk: {error}");
                OpError::new(ErrorKind::Unavailable, message)
            })?;
        }
        for (path, file, whole) in pending {
            whole
                .finish()
                .map_err(|error| OpError::new(ErrorKind::Unavailable, format!("{path} cannot be replaced: {error}")))?;
            drop(file);
        }
        Ok(written)
    }
}

/// What is to be written to.
enum Target {
    /// A file that is there or will be, links followed.
    File(PathBuf),
    /// A device, a pipe or the like, open for writing.
    Stream(File),
    Directory,
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Ok(Self::Directory),
            Ok(metadata) if metadata.is_file() => path.canonicalize().map(Self::File),
            // Nothing is made and nothing cut: it is what it is.
            Ok(_) => File::options().write(true).open(path).map(Self::Stream),
            Err(error) if error.kind() == io::ErrorKind::NotFound => end_of_links(path).map(Self::File),
            Err(error) => Err(error),
        }
    }
}

/// Where links lead that end at nothing yet.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// A file that takes the place of another once it is whole; until then it stands beside it, and is removed if it never is.
struct Pending {
    temporary: PathBuf,
    target: PathBuf,
}

impl Pending {
    fn begin(target: PathBuf, swept: Option<&Arc<Mutex<BTreeSet<PathBuf>>>>) -> io::Result<(File, Self)> {
        match (swept, target.parent()) {
            (Some(swept), Some(directory)) => {
                let mut swept = swept.lock().unwrap_or_else(PoisonError::into_inner);
                if !swept.contains(directory) {
                    sweep_inside(directory);
                    swept.insert(directory.to_owned());
                }
            }
            _ => sweep_beside(&target),
        }
        let temporary = temporary_for(&target);
        let file = File::create(&temporary)?;
        // Before the content, so that nobody reads it who might not read the old one.
        if let Ok(before) = std::fs::metadata(&target) {
            file.set_permissions(before.permissions())?;
        }
        let pending = Self { temporary, target };
        // Where there are no locks, whoever sweeps goes by the process alone.
        let _ = file.try_lock();
        Ok((file, pending))
    }

    fn finish(self) -> io::Result<()> {
        std::fs::rename(&self.temporary, &self.target)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // After a rename there is nothing under that name.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

/// A file, and how much was written to it.
struct Counted<'a> {
    file: &'a mut File,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn create(directory: &Path) -> Result<(), OpError> {
    std::fs::create_dir_all(directory).map_err(|error| {
        let message = format!("{} cannot be made: {error}", directory.display());
        OpError::new(ErrorKind::Unavailable, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(outcome: Result<Written, OpError>) -> String {
        outcome.expect_err("it is refused").message
    }

    #[test]
    #[cfg(unix)]
    fn lb_a_file_without_an_end_is_left_as_soon_as_it_is_seen_to_be_nothing() {
        let files = SystemFiles::new(PathBuf::from("/"));
        let mut seen = 0;
        let refused = files.read_while("/dev/zero", 1 << 40, &mut |piece| {
            seen += piece.len();
            match seen > PIECE {
                true => Err(OpError::new(ErrorKind::Invalid, "nothing")),
                false => Ok(()),
            }
        });
        assert_eq!(refused.expect_err("it is refused").message, "nothing");
        assert_eq!(seen, 2 * PIECE);
    }

    fn write(directory: &Path, path: &str, text: &str) -> Result<Written, OpError> {
        SystemFiles::new(directory.to_owned()).write(path, &mut |out| {
            out.write_all(text.as_bytes()).map_err(OpError::from_write)
        })
    }

    fn names(directory: &Path) -> Vec<String> {
        SystemFiles::new(directory.to_owned())
            .list(".")
            .expect("it is a directory")
    }

    #[cfg(unix)]
    #[test]
    fn lb_a_device_and_a_pipe_are_written_to_and_stay() {
        use std::os::unix::fs::FileTypeExt;
        let root = tempfile::tempdir().expect("a directory");
        std::os::unix::fs::symlink("/dev/null", root.path().join("null")).expect("linked");
        let streamed = Written {
            bytes: 5,
            streamed: true,
        };
        assert_eq!(write(root.path(), "null", "hello").expect("written"), streamed);
        assert_eq!(names(root.path()), ["null"]);
        let device = std::fs::metadata("/dev/null").expect("it is there").file_type();
        assert!(device.is_char_device());
        let pipe = root.path().join("pipe");
        let made = std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("there is mkfifo");
        assert!(made.success());
        let reader = pipe.clone();
        let reader = std::thread::spawn(move || std::fs::read_to_string(reader));
        assert_eq!(write(root.path(), "pipe", "hello").expect("written"), streamed);
        assert_eq!(reader.join().expect("it ended").expect("read"), "hello");
        assert!(std::fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
    }

    #[cfg(unix)]
    #[test]
    fn lb_a_link_stays_and_what_it_leads_to_is_replaced() {
        let root = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(root.path().join("to")).expect("made");
        std::fs::write(root.path().join("to/old"), "old").expect("written");
        for (link, to) in [("a", "to/old"), ("b", "a"), ("new", "to/fresh")] {
            std::os::unix::fs::symlink(to, root.path().join(link)).expect("linked");
        }
        for (link, file) in [("a", "to/old"), ("b", "to/old"), ("new", "to/fresh")] {
            let written = write(root.path(), link, link).expect("written");
            assert_eq!(
                written,
                Written {
                    bytes: link.len() as u64,
                    streamed: false
                }
            );
            assert!(root.path().join(link).is_symlink(), "{link}");
            assert_eq!(std::fs::read_to_string(root.path().join(file)).expect("read"), link);
        }
        std::os::unix::fs::symlink("loop", root.path().join("loop")).expect("linked");
        assert!(write(root.path(), "loop", "x").is_err());
        assert_eq!(refusal(write(root.path(), "to", "x")), "to is a directory");
        assert_eq!(names(&root.path().join("to")), ["fresh", "old"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_read_inside_a_directory_is_in_it_whatever_links_say() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().expect("a directory");
        let inner = root.path().join("inner");
        std::fs::create_dir(&inner).expect("made");
        std::fs::write(root.path().join("secret"), "s").expect("written");
        std::fs::write(inner.join("a"), "a").expect("written");
        symlink("../secret", inner.join("out")).expect("linked");
        symlink("..", inner.join("up")).expect("linked");
        symlink("a", inner.join("b")).expect("linked");
        symlink(".", inner.join("here")).expect("linked");
        let files = SystemFiles::new(root.path().to_owned());
        let read = |path: &str| {
            let content = files.read_inside("inner", path, 9).map_err(|error| error.message)?;
            Ok::<_, String>(String::from_utf8_lossy(&content).into_owned())
        };
        for path in ["a", "b", "./a", "here/here/a"] {
            assert_eq!(read(path).as_deref(), Ok("a"), "{path}");
        }
        for path in ["out", "up/secret", "../secret", "up/inner/../secret"] {
            let told = format!("{path} leads out of the directory that it belongs to");
            assert_eq!(read(path), Err(told));
        }
        assert_eq!(read("here"), Err("here is no file".to_owned()));
        assert_eq!(read("none"), Err("there is no file none".to_owned()));
        assert!(files.read_inside("inner", "a", 0).is_err());
    }

    #[test]
    fn a_walk_is_in_order_and_says_whether_there_is_more() {
        let root = tempfile::tempdir().expect("a directory");
        let files = SystemFiles::new(root.path().to_owned());
        for path in ["b", "docs/a.md", ".git/config", "ignored", ".gitignore", ".lore/x"] {
            write(root.path(), path, if path == ".gitignore" { "ignored\n" } else { "" }).expect("written");
        }
        let walked = files.walk("", 9).expect("walked");
        assert_eq!(
            walked,
            (
                vec![".gitignore".to_owned(), "b".to_owned(), "docs/a.md".to_owned()],
                false
            )
        );
        assert_eq!(
            files.walk(".", 1).expect("walked"),
            (vec![".gitignore".to_owned()], true)
        );
        let before = files.stat("b").expect("it is there");
        write(root.path(), "b", "").expect("written");
        assert_ne!(
            files.stat("b").map(|stat| stat.stamp),
            Some(before.stamp),
            "it was replaced"
        );
        assert_eq!(files.stat("none"), None);
    }

    #[test]
    fn of_those_who_replace_a_file_at_once_none_loses_what_another_wrote() {
        let root = tempfile::tempdir().expect("a directory");
        write(root.path(), "list", "").expect("written");
        let add = |number: usize| {
            let files = SystemFiles::new(root.path().to_owned());
            loop {
                let old = files.read("list", 1 << 20).expect("read");
                let new = [old.as_slice(), format!("{number}\n").as_bytes()].concat();
                if files.replace("list", &old, &new).expect("replaced") {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for number in 0..16 {
                scope.spawn(move || add(number));
            }
        });
        let text = std::fs::read_to_string(root.path().join("list")).expect("read");
        let mut lines: Vec<usize> = text.lines().filter_map(|line| line.parse().ok()).collect();
        lines.sort_unstable();
        assert_eq!(lines, (0..16).collect::<Vec<_>>());
        let files = SystemFiles::new(root.path().to_owned());
        assert_eq!(files.replace("list", b"other", b"x"), Ok(false));
    }

    #[test]
    fn lb_a_set_of_files_is_replaced_as_a_whole_or_not_at_all() {
        let root = tempfile::tempdir().expect("a directory");
        let files = SystemFiles::new(root.path().to_owned());
        let paths = ["out/a".to_owned(), "out/b".to_owned()];
        let set = |text: &str, fails: bool| {
            files.write_set(&paths, &mut |at, out| match fails && at == 1 {
                true => Err(OpError::new(ErrorKind::Cancelled, "stopped")),
                false => out.write_all(text.as_bytes()).map_err(OpError::from_write),
            })
        };
        let read = |name: &str| std::fs::read_to_string(root.path().join("out").join(name)).expect("read");
        set("old", false).expect("written");
        assert_eq!(set("new", true).expect_err("it is stopped").message, "stopped");
        assert_eq!((read("a"), read("b")), ("old".to_owned(), "old".to_owned()));
        assert_eq!(names(&root.path().join("out")), ["a", "b"]);
        set("new", false).expect("written");
        assert_eq!((read("a"), read("b")), ("new".to_owned(), "new".to_owned()));
    }

    #[test]
    fn a8_of_many_files_each_is_whole_and_what_dead_processes_left_goes() {
        let root = tempfile::tempdir().expect("a directory");
        let files = SystemFiles::new(root.path().to_owned());
        let mut child = std::process::Command::new("true").spawn().expect("it starts");
        let dead = child.id();
        child.wait().expect("it ends");
        write(root.path(), &format!("out/x.svg.new.{dead}-0"), "half").expect("written");
        let paths = ["out/a".to_owned(), "out/b".to_owned()];
        let written = files.write_many(&paths, &mut |at, out| {
            out.write_all(paths[at].as_bytes()).map_err(OpError::from_write)
        });
        assert_eq!(written.expect("written").len(), 2);
        assert_eq!(names(&root.path().join("out")), ["a", "b"]);
        assert_eq!(files.sha256("out/a"), Some(Sha256::digest(b"out/a").into()));
        assert_eq!(files.sha256("out/none"), None);
        files.remove("out/a").expect("removed");
        assert_eq!(names(&root.path().join("out")), ["b"]);
        files.remove("out/b").expect("removed");
        assert_eq!(names(root.path()), Vec::<String>::new());
        assert!(files.remove("out/b").is_err());
    }

    #[test]
    fn lb_what_a_dead_process_left_is_removed_and_never_counts_as_source() {
        let root = tempfile::tempdir().expect("a directory");
        let mut child = std::process::Command::new("true").spawn().expect("it starts");
        let dead = child.id();
        child.wait().expect("it ends");
        let own = std::process::id();
        let left = format!("x.zip.new.{dead}-0");
        let held = format!("x.zip.new.{dead}-1");
        let others = [
            format!("x.zip.new.{own}-999999"),
            format!("y.zip.new.{dead}-0"),
            "x.zip.new.py".to_owned(),
        ];
        for name in [&left, &held].into_iter().chain(&others) {
            std::fs::write(root.path().join(name), "half").expect("written");
        }
        let lock = File::open(root.path().join(&held)).expect("it is there");
        lock.lock().expect("nobody else has it");
        write(root.path(), "x.zip", "whole").expect("written");
        let mut wanted: Vec<String> = others.to_vec();
        wanted.extend([held, "x.zip".to_owned()]);
        wanted.sort();
        assert_eq!(names(root.path()), wanted);
        let name = temporary_for(Path::new("graph.zip"));
        assert!(lore_specs::ccg::layers::is_exported(&name.to_string_lossy()));
    }
}
