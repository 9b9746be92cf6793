//! Files that the user names: read up to a size limit, replaced atomically. Links of the user's own file system are followed. Links of untrusted trees are
//! not followed out of them: the git work tree around the file, the repository around the working directory, and the queried tree.

mod audit_log;
mod confined;
mod inside_repository;
mod sync;

pub use audit_log::{AuditFile, committed_audit_log};
pub use confined::ConfinedFiles;
pub use inside_repository::RepositoryFiles;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use lore_seam::{ErrorKind, Files, OpError, PathKind, Settled, Stat, WriteOne, Written};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use crate::cache::{Stamp, StatTable};
use crate::safe_fs::{Fault, Kind, Pending, ResolvedPath, Resolver, open_own_file};
use crate::tree::{DirectoryTree, TreePatterns};

/// Bytes of a file that are read before whoever asked for it sees them; so many are written to one of very many at once.
const PIECE: usize = 64 << 10;

/// Files of very many that are open at once, as each is until it has its name, and its directory beside it: fewer than systems let a process have.
const MOST_OPEN: usize = if cfg!(target_os = "linux") { 384 } else { 96 };

/// Bytes that are written to a file at once.
const PIECE_OF_ONE: usize = 1 << 20;

/// The files around a working directory.
#[derive(Clone, Debug)]
pub struct SystemFiles {
    start: PathBuf,
    /// The repository around it, whose links do not lead out of it.
    repository: Option<PathBuf>,
    /// The queried tree, whose links must not lead out of it either.
    asked: Option<PathBuf>,
}

impl SystemFiles {
    /// The files as seen from a directory.
    pub fn new(start: PathBuf) -> Self {
        Self {
            start,
            repository: None,
            asked: None,
        }
    }

    /// The same files, with a repository whose author is not trusted: nothing is written through a link of the repository that leads out of it, and what is in it
    /// is read and written only if it is a regular file.
    #[must_use]
    pub fn in_repository(self, root: PathBuf) -> Self {
        Self {
            repository: Some(root),
            ..self
        }
    }

    /// The same files, with a queried tree elsewhere, whose author is not trusted either.
    #[must_use]
    pub fn asking(self, tree: PathBuf) -> Self {
        Self {
            asked: Some(tree),
            ..self
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.start.join(path)
    }

    fn resolver(&self) -> io::Result<Resolver> {
        Resolver::new(&self.start, self.repository.as_deref())?
            .guarding(self.asked.as_slice())?
            .guarding_work_trees()
    }

    /// Whether something that is no regular file and no directory belongs to the repository: reading from it or writing to it might never end.
    fn is_repositorys_special(&self, path: &str) -> io::Result<bool> {
        match self.resolver()?.resolve(Path::new(path)) {
            Ok(place) => Ok(place.is_repositorys()),
            Err(Fault::Io(error)) => Err(error),
            Err(_) => Ok(true),
        }
    }

    /// Opens a file for reading. A pipe or a device that the user named is allowed.
    fn open(&self, path: &str) -> io::Result<File> {
        let whole = self.at(path);
        let metadata = std::fs::metadata(&whole)?;
        match (metadata.is_file(), metadata.is_dir()) {
            (true, _) => open_own_file(&whole),
            (_, true) => Err(io::ErrorKind::IsADirectory.into()),
            _ if self.is_repositorys_special(path)? => Err(io::Error::other("not a regular file")),
            _ => File::open(&whole),
        }
    }
}

pub(crate) fn unreadable(path: &str, error: io::Error) -> OpError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("there is not a file {path}"),
        _ => format!("{path} cannot be read: {error}"),
    };
    OpError::new(ErrorKind::Unavailable, message).because(error)
}

/// The content of an open file of at most so many bytes.
pub(crate) fn whole(path: &str, file: impl Read, max_bytes: u64) -> Result<Vec<u8>, OpError> {
    let mut content = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|error| unreadable(path, error))?;
    if content.len() as u64 > max_bytes {
        let message = format!("{path} is larger than {max_bytes} bytes");
        return Err(OpError::new(ErrorKind::Unavailable, message));
    }
    Ok(content)
}

/// The content of an open file of at most so many bytes, shown piece by piece while it is read.
pub(crate) fn while_reading(
    path: &str,
    mut file: impl Read,
    length: u64,
    max_bytes: u64,
    check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
) -> Result<Vec<u8>, OpError> {
    // With a known length, the buffer is allocated once instead of doubling.
    let mut content = Vec::with_capacity(length.min(max_bytes) as usize + PIECE);
    loop {
        let start = content.len();
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut content);
        if read.map_err(|error| unreadable(path, error))? == 0 {
            return Ok(content);
        }
        if content.len() as u64 > max_bytes {
            let message = format!("{path} is larger than {max_bytes} bytes");
            return Err(OpError::new(ErrorKind::Unavailable, message));
        }
        check(&content[start..])?;
    }
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
        for entry in std::fs::read_dir(self.at(path)).map_err(|error| unreadable(path, error))? {
            let entry = entry.map_err(|error| unreadable(path, error))?;
            // No request can name an entry whose name is not UTF-8.
            names.extend(entry.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let file: Box<dyn Read> = match path {
            "-" => Box::new(io::stdin()),
            path => Box::new(self.open(path).map_err(|error| unreadable(path, error))?),
        };
        whole(path, file, max_bytes)
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let fault = |error: io::Error| unreadable(path, error);
        let refused = |message: String| OpError::new(ErrorKind::Invalid, message);
        let leads_out = || refused(format!("{path} leads out of its directory"));
        let resolver = Resolver::confined(&self.at(root)).map_err(fault)?;
        let place = match resolver.resolve(Path::new(path)) {
            Ok(place) if place.is_inside() => place,
            Ok(_) | Err(Fault::LeadsOut(_)) => return Err(leads_out()),
            Err(Fault::NotADirectory(_)) => return Err(fault(io::ErrorKind::NotADirectory.into())),
            Err(Fault::Io(error)) => return Err(fault(error)),
        };
        if place.kind().is_some_and(|kind| kind != Kind::File) {
            return Err(OpError::new(ErrorKind::Unavailable, format!("{path} is not a file")));
        }
        let file = place
            .open()
            .map_err(fault)?
            .ok_or_else(|| fault(io::ErrorKind::NotFound.into()))?;
        whole(path, file, max_bytes)
    }

    fn replace(&self, path: &str, expected: &[u8], content: &[u8]) -> Result<bool, OpError> {
        let resolver = self.resolver().map_err(|error| unreadable(path, error))?;
        let place = resolver
            .resolve(Path::new(path))
            .map_err(|fault| unwritable(path, fault))?;
        // The file itself is replaced, and a lock on it would be one on the old one: its directory stays.
        // Where there are no locks the window is small, and whoever comes later is told.
        let _held = place.directory().lock();
        if self.read(path, u64::MAX)? != expected {
            return Ok(false);
        }
        self.write(path, &mut |out| out.write_all(content).map_err(OpError::from_write))?;
        Ok(true)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        let fault = |error: io::Error| unreadable(path, error);
        let place = match self.resolver().map_err(fault)?.resolve(Path::new(path)) {
            Ok(place) => place,
            Err(fault) => return Err(unwritable(path, fault)),
        };
        let entry = place.entry().map_err(fault)?;
        match place.path().to_str() {
            Some(path) => Ok(Settled {
                path: path.to_owned(),
                read_only: entry.is_some_and(|entry| entry.permissions.readonly()),
            }),
            None => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("{path} leads to a name that is not UTF-8"),
            )),
        }
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        let tree = DirectoryTree::new(self.at(root), TreePatterns::default(), StatTable::default());
        let seen = tree
            .walk()
            .map_err(|error| OpError::new(ErrorKind::Unavailable, error.to_string()).because(error))?;
        let paths = seen.stamps.iter().take(most).map(|(path, _)| path.as_str().to_owned());
        Ok((paths.collect(), seen.stamps.len() > most))
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        match path {
            "-" => while_reading(path, io::stdin(), 0, max_bytes, check),
            path => {
                let file = self.open(path).map_err(|error| unreadable(path, error))?;
                let length = file.metadata().map_or(0, |metadata| metadata.len());
                while_reading(path, file, length, max_bytes, check)
            }
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
        let mut file = self.open(path).ok()?;
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
        let fault = |error: io::Error| {
            let message = format!("{path} cannot be removed: {error}");
            OpError::new(ErrorKind::Unavailable, message).because(error)
        };
        let place = match self.resolver().map_err(fault)?.resolve_parent(Path::new(path)) {
            Ok(place) => place,
            Err(Fault::Io(error)) => return Err(fault(error)),
            Err(other) => return Err(unwritable(path, other)),
        };
        // Only directories that the path names; what is above them was there for another reason, and what a link leads to as well.
        let names = path.split('/').filter(|part| !part.is_empty()).count();
        let directories = if place.is_linked { 0 } else { names.saturating_sub(1) };
        place.remove(directories).map_err(fault)
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
    /// Replaces files. Of many, all are on the disk before the first one has its name.
    fn put(&self, paths: &[String], write: WriteOne<'_>, is_of_many: bool) -> Result<Vec<Written>, OpError> {
        let resolver = self
            .resolver()
            .map_err(|error| unreadable(&self.start.display().to_string(), error))?;
        put(paths, |path| self.target(&resolver, path), write, is_of_many)
    }

    fn target(&self, resolver: &Resolver, path: &str) -> Result<Target, OpError> {
        let whole = self.at(path);
        // What the system calls a path need not be one: `/dev/stdout` may lead to a pipe that has no name.
        let is_special = std::fs::metadata(&whole).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        if is_special
            && !self
                .is_repositorys_special(path)
                .map_err(|error| unwritable(path, error.into()))?
        {
            // Nothing is made and nothing cut: it is what it is.
            let file = File::options().write(true).open(whole);
            return file.map(Target::Stream).map_err(|error| unwritable(path, error.into()));
        }
        let place = resolver
            .resolve(Path::new(path))
            .map_err(|fault| unwritable(path, fault))?;
        match place.kind() {
            Some(Kind::Directory) => Err(OpError::new(ErrorKind::Invalid, format!("{path} is a directory"))),
            Some(Kind::File) | None => Ok(Target::File(place)),
            Some(Kind::Link | Kind::Special) => Err(unwritable(path, io::Error::other("not a regular file").into())),
        }
    }
}

/// What is to be written to.
pub(crate) enum Target {
    /// A regular file that is there or will be.
    File(ResolvedPath),
    /// A device, a pipe or the like, open for writing.
    Stream(File),
}

/// Replaces the files of some paths, all of them or none. Of many, all are on the disk before the first one has its name.
pub(crate) fn put(
    paths: &[String],
    target: impl Fn(&str) -> Result<Target, OpError>,
    write: WriteOne<'_>,
    is_of_many: bool,
) -> Result<Vec<Written>, OpError> {
    let mut written = Vec::new();
    let mut pending: Vec<(&String, Pending)> = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let fault = |error: io::Error| unwritable(path, error.into());
        let mut write_to = |file: &mut File| -> Result<u64, OpError> {
            let capacity = if is_of_many { PIECE } else { PIECE_OF_ONE };
            let mut out = BufWriter::with_capacity(capacity, Counted { file, bytes: 0 });
            write(at, &mut out)?;
            out.flush().map_err(fault)?;
            Ok(out.get_ref().bytes)
        };
        let (bytes, streamed) = match target(path)? {
            Target::Stream(mut file) => (write_to(&mut file)?, true),
            Target::File(place) => {
                let mut whole = place.begin().map_err(fault)?;
                let bytes = write_to(whole.file())?;
                pending.push((path, whole));
                (bytes, false)
            }
        };
        written.push(Written { bytes, streamed });
    }
    if is_of_many {
        let files: Vec<&File> = pending.iter().map(|(_, whole)| whole.as_file()).collect();
        sync::sync_all(&files).map_err(|error| {
            let message = format!("the written files cannot be synchronised with the disk: {error}");
            OpError::new(ErrorKind::Unavailable, message).because(error)
        })?;
    }
    for (path, whole) in pending {
        whole.finish().map_err(|error| {
            OpError::new(ErrorKind::Unavailable, format!("{path} cannot be replaced: {error}")).because(error)
        })?;
    }
    Ok(written)
}

/// Why nothing can be written to a path.
pub(crate) fn unwritable(path: &str, fault: Fault) -> OpError {
    let message = match fault {
        Fault::LeadsOut(link) => {
            let message = format!("{} is a link that leads out of the repository", link.display());
            return OpError::new(ErrorKind::Unavailable, message)
                .hint("replace the link with a file, or make the change by hand");
        }
        Fault::NotADirectory(file) => {
            format!("{} is a file, so {path} cannot be created below it", file.display())
        }
        Fault::Io(error) => {
            let message = format!("{path} cannot be written: {error}");
            return OpError::new(ErrorKind::Unavailable, message).because(error);
        }
    };
    OpError::new(ErrorKind::Unavailable, message)
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
            if seen > PIECE {
                Err(OpError::new(ErrorKind::Invalid, "nothing"))
            } else {
                Ok(())
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
        lore_testing::run(std::process::Command::new("mkfifo").arg(&pipe));
        let reader = pipe.clone();
        let reader = std::thread::spawn(move || std::fs::read_to_string(reader));
        let written = lore_testing::within("the pipe is written", || write(root.path(), "pipe", "hello"));
        assert_eq!(written.expect("written"), streamed);
        assert_eq!(lore_testing::join(reader, "the pipe is read").expect("read"), "hello");
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
            let told = format!("{path} leads out of its directory");
            assert_eq!(read(path), Err(told));
        }
        assert_eq!(read("here"), Err("here is not a file".to_owned()));
        assert_eq!(read("none"), Err("there is not a file none".to_owned()));
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
        lore_testing::scope("sixteen threads replace one file", |scope| {
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
            files.write_set(&paths, &mut |at, out| {
                if fails && at == 1 {
                    Err(OpError::new(ErrorKind::Cancelled, "stopped"))
                } else {
                    out.write_all(text.as_bytes()).map_err(OpError::from_write)
                }
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
    fn a8_of_many_files_each_is_whole() {
        let root = tempfile::tempdir().expect("a directory");
        let files = SystemFiles::new(root.path().to_owned());
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
    fn lb_a_file_that_looks_unfinished_stays_and_never_counts_as_source() {
        let root = tempfile::tempdir().expect("a directory");
        let left = lore_ccg::layers::unfinished_name(7);
        for name in [left.as_str(), "x.zip.new.1-0"] {
            std::fs::write(root.path().join(name), "of the user").expect("written");
        }
        write(root.path(), "x.zip", "whole").expect("written");
        assert_eq!(names(root.path()), [left.as_str(), "x.zip", "x.zip.new.1-0"]);
        let (walked, _) = SystemFiles::new(root.path().to_owned()).walk("", 9).expect("walked");
        assert_eq!(walked, ["x.zip", "x.zip.new.1-0"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_of_the_repository_does_not_lead_out_of_it() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().expect("a directory");
        let base = root.path().canonicalize().expect("there");
        for directory in ["repository/docs", "outside", "users"] {
            std::fs::create_dir_all(base.join(directory)).expect("made");
        }
        std::fs::write(base.join("outside/secret"), "kept").expect("written");
        symlink("../outside/secret", base.join("repository/out")).expect("linked");
        symlink("../outside/new", base.join("repository/dangling")).expect("linked");
        symlink(base.join("outside"), base.join("repository/above")).expect("linked");
        symlink("docs", base.join("repository/inside")).expect("linked");
        symlink("/dev/null", base.join("repository/device")).expect("linked");
        symlink("../outside", base.join("users/link")).expect("linked");
        let repository = base.join("repository");
        let files = SystemFiles::new(repository.clone()).in_repository(repository);
        let put = |path: &str| files.write(path, &mut |out| out.write_all(b"new").map_err(OpError::from_write));
        for path in ["out", "dangling", "above/secret", "above/new"] {
            let link = path.split('/').next().expect("a name");
            assert_eq!(
                refusal(put(path)),
                format!("{link} is a link that leads out of the repository")
            );
        }
        assert_eq!(
            refusal(put("device")),
            "device is a link that leads out of the repository"
        );
        assert!(files.read("device", 9).is_err());
        assert!(files.remove("above/secret").is_err());
        assert!(files.remove("out").is_err(), "a link is not removed");
        assert_eq!(names(&base.join("outside")), ["secret"]);
        assert_eq!(
            files.read("out", 9).expect("read"),
            b"kept",
            "the user may read what a link leads to"
        );
        // What the user names is the user's own, and so are links outside of the repository.
        for path in ["../outside/named", "../users/link/followed", "inside/page"] {
            put(path).expect("written");
        }
        assert_eq!(names(&base.join("outside")), ["followed", "named", "secret"]);
        assert_eq!(names(&base.join("repository/docs")), ["page"]);
    }
}
