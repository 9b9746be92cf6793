//! What is kept beside the index of a repository: pages fetched before, which may go at any time, and the audit log, which may not.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;

use lore_specs::seam::{AuditLog, ErrorKind, FetchCache, OpError};
use sha2::{Digest, Sha256};

use crate::Repository;
use crate::cache::TreeCache;
use crate::safe_fs::{Directory, read_bounded_file};

/// The directory of the audit log, in the repository.
const AUDIT: &str = ".lore/audit";
/// The log in it, and the file that keeps the log out of git.
const LOG: &str = "access.jsonl";
const IGNORE: &str = ".gitignore";
/// Bytes of a page that was fetched.
const MOST_PAGE_BYTES: u64 = 256 << 20;
/// Bytes of the audit log that are read from its end.
const MOST_AUDIT_BYTES: u64 = 16 << 20;

/// The files of the audit log, in the repository.
pub(crate) fn audit_paths() -> [String; 2] {
    [LOG, IGNORE].map(|name| format!("{AUDIT}/{name}"))
}

/// What was fetched from the web before, beside the index.
pub struct FetchedPages {
    repository: Arc<Repository>,
}

impl FetchedPages {
    /// The pages beside the index of a repository.
    pub fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// The cache of the tree, and where it keeps the page of a key; nothing if nothing can be cached.
    fn place(&self, key: &str) -> Option<(TreeCache, PathBuf)> {
        let digest: String = Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect();
        let cache = self.repository.tree_cache()?;
        let path = cache.fetched(&digest);
        Some((cache, path))
    }
}

fn unavailable(what: &str, error: &io::Error) -> OpError {
    OpError::new(ErrorKind::Unavailable, format!("{what}: {error}"))
}

impl FetchCache for FetchedPages {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        let (_, path) = self.place(key)?;
        read_bounded_file(&path, MOST_PAGE_BYTES).ok()?
    }

    fn put(&self, key: &str, content: &[u8]) -> Result<(), OpError> {
        let Some((cache, path)) = self.place(key) else {
            return Ok(());
        };
        let written = cache.write(&path, |file| file.write_all(content));
        written.map_err(|error| unavailable("what was fetched cannot be kept", &error))
    }
}

/// The audit log of a repository.
pub struct AuditFile {
    repository: Arc<Repository>,
}

impl AuditFile {
    /// The audit log of a repository.
    pub fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    fn add(&self, line: &str) -> Result<io::Result<()>, OpError> {
        let root = self.repository.root()?;
        Ok((|| {
            let directory = Directory::open(&root)?.make_beneath(AUDIT)?;
            match directory.look(IGNORE)? {
                Some(_) => {}
                None => directory.replace(IGNORE, b"*\n")?,
            }
            let mut file = directory.append(LOG)?;
            // One write of one line: lines of two processes do not mix. What a process that died left without an end gets one.
            let mut text = String::with_capacity(line.len() + 2);
            if file.seek(SeekFrom::End(-1)).is_ok() {
                let mut last = [b'\n'];
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    text.push('\n');
                }
            }
            text.push_str(line);
            text.push('\n');
            file.write_all(text.as_bytes())?;
            file.sync_data()
        })())
    }
}

impl AuditLog for AuditFile {
    fn append(&self, line: &str) -> Result<(), OpError> {
        if line.contains('\n') {
            return Err(OpError::new(
                ErrorKind::Internal,
                "a line of the audit log has an end in it",
            ));
        }
        self.add(line)?
            .map_err(|error| unavailable("the audit log cannot be written", &error))
    }

    fn last(&self, most: usize) -> Result<Vec<String>, OpError> {
        let fault = |error: io::Error| unavailable("the audit log cannot be read", &error);
        let root = self.repository.root()?;
        let opened = Directory::open(&root)
            .and_then(|root| root.beneath(AUDIT))
            .and_then(|directory| directory.open_file(LOG));
        let mut file = match opened {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Vec::new()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(fault(error)),
        };
        let length = file.metadata().map_err(fault)?.len();
        let start = length.saturating_sub(MOST_AUDIT_BYTES);
        file.seek(SeekFrom::Start(start)).map_err(fault)?;
        let mut bytes = Vec::new();
        file.take(MOST_AUDIT_BYTES).read_to_end(&mut bytes).map_err(fault)?;
        let text = String::from_utf8_lossy(&bytes);
        // A read that begins in the middle begins in the middle of a line.
        let lines: Vec<&str> = text.lines().skip(usize::from(start > 0)).collect();
        let skipped = lines.len().saturating_sub(most);
        Ok(lines[skipped..].iter().map(|line| (*line).to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;
    use crate::{IndexDefaults, RepositoryOptions};

    fn repository() -> (tempfile::TempDir, Arc<Repository>) {
        let directory = tempfile::tempdir().expect("a directory");
        let repository = Repository::new(RepositoryOptions {
            root: Some(directory.path().to_owned()),
            start: directory.path().to_owned(),
            cache: None,
            user_cache: Some(directory.path().join(".cache")),
            cache_limit: None,
            defaults: Arc::new(|_| Ok(IndexDefaults::default())),
        });
        (directory, Arc::new(repository))
    }

    #[test]
    fn what_was_fetched_is_had_again() {
        let (_directory, repository) = repository();
        let pages = FetchedPages::new(repository);
        assert_eq!(pages.get("https://a.example/../x"), None);
        pages.put("https://a.example/../x", b"one").expect("kept");
        pages.put("https://a.example/../x", b"two").expect("kept");
        assert_eq!(pages.get("https://a.example/../x").as_deref(), Some(&b"two"[..]));
        assert_eq!(pages.get("https://a.example/x"), None);
    }

    #[test]
    fn lines_are_added_to_the_end_whatever_was_left_there() {
        let (directory, repository) = repository();
        let log = AuditFile::new(repository);
        assert_eq!(log.last(5), Ok(Vec::new()));
        log.append("{\"a\":1}").expect("added");
        let place = directory.path().join(".lore/audit/access.jsonl");
        let mut file = File::options().append(true).open(&place).expect("it is there");
        file.write_all(b"{\"cut").expect("written");
        log.append("{\"b\":2}").expect("added");
        assert_eq!(log.last(2).expect("read"), ["{\"cut", "{\"b\":2}"]);
        assert!(log.append("a\nb").is_err());
        let ignored = fs::read_to_string(directory.path().join(".lore/audit/.gitignore"));
        assert_eq!(ignored.ok().as_deref(), Some("*\n"));
    }
}
