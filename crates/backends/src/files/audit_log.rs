//! The audit log of a repository, in the directory of the user's data.

use lore_kcp::audit_log::AuditLog;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_seam::{ErrorKind, OpError};

use crate::Repository;
use crate::cache::{is_outside, tree_name};
use crate::safe_fs::{Directory, is_own, of_another_user};

/// The directory of the audit logs, in the directory of the user's data.
const AUDIT: &str = "audit";
/// Where earlier versions kept the log, in the repository. Its author could write to it.
const COMMITTED: &str = ".lore/audit/access.jsonl";
/// Bytes of the audit log that are read from its end.
const MOST_AUDIT_BYTES: u64 = 16 << 20;

/// A remark, if a repository holds an audit log, as earlier versions wrote it, or as its author may have put there.
pub fn committed_audit_log(root: &Path) -> Option<String> {
    std::fs::symlink_metadata(root.join(COMMITTED)).ok()?;
    Some(format!(
        "the repository has a {COMMITTED}, which is ignored: the audit log is kept in the user's data directory"
    ))
}

fn unavailable(what: &str, error: io::Error) -> OpError {
    OpError::new(ErrorKind::Unavailable, format!("{what}: {error}")).because(error)
}

/// The audit log of a repository, in the directory of the user's data. Its entries count against limits, so that the repository's author must not
/// write them.
pub struct AuditFile {
    repository: Arc<Repository>,
    /// The directory of the user's data.
    data: Option<PathBuf>,
}

impl AuditFile {
    /// The audit log of a repository.
    pub fn new(repository: Arc<Repository>, data: Option<PathBuf>) -> Self {
        Self { repository, data }
    }

    /// The directory of the user's data, and the name of the log in its directory of logs.
    fn place(&self) -> Result<(&Path, String), OpError> {
        let root = self.repository.root()?;
        let Some(data) = &self.data else {
            return Err(OpError::new(
                ErrorKind::Unavailable,
                "there is no directory for the audit log: the user's data directory is unknown",
            )
            .hint("set HOME, XDG_DATA_HOME or LORE_HOME to a directory"));
        };
        let shown = data.display();
        match is_outside(&self.repository.options.start, &data.join(AUDIT), &root) {
            Ok(true) => Ok((data, format!("{}.jsonl", tree_name(&root)))),
            Ok(false) => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("the directory {shown} of the audit log is inside the tree that is read"),
            )
            .hint("set LORE_HOME to a directory outside of it: the author of a repository could write to one inside")),
            Err(error) => Err(unavailable(&format!("the audit log in {shown} cannot be used"), error)),
        }
    }

    fn add(&self, line: &str) -> Result<io::Result<()>, OpError> {
        let (data, name) = self.place()?;
        Ok((|| {
            let directory = Directory::open_or_make(data)?.private().child_or_new(AUDIT)?;
            let mut file = directory.append(&name)?;
            if !is_own(&file.metadata()?) {
                return Err(of_another_user(&directory.path().join(&name)));
            }
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
            .map_err(|error| unavailable("the audit log cannot be written", error))
    }

    fn last(&self, most: usize) -> Result<Vec<String>, OpError> {
        let fault = |error: io::Error| unavailable("the audit log cannot be read", error);
        let (data, name) = self.place()?;
        let opened = Directory::open(data)
            .and_then(|data| data.child(AUDIT))
            .and_then(|directory| directory.open_file(&name));
        let mut file = match opened {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Vec::new()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(fault(error)),
        };
        let metadata = file.metadata().map_err(fault)?;
        if !is_own(&metadata) {
            return Err(fault(of_another_user(Path::new(&name))));
        }
        let length = metadata.len();
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
    use crate::cache::fetched_pages::tests::repository;

    #[test]
    fn lines_are_added_to_the_end_whatever_was_left_there() {
        let (directory, repository) = repository();
        let data = directory.path().join("data");
        let root = repository.root().expect("a root");
        let log = AuditFile::new(repository, Some(data.clone()));
        assert_eq!(log.last(5), Ok(Vec::new()));
        log.append("{\"a\":1}").expect("added");
        let place = data.join("audit").join(format!("{}.jsonl", tree_name(&root)));
        let mut file = File::options().append(true).open(&place).expect("it is there");
        file.write_all(b"{\"cut").expect("written");
        log.append("{\"b\":2}").expect("added");
        assert_eq!(log.last(2).expect("read"), ["{\"cut", "{\"b\":2}"]);
        assert!(log.append("a\nb").is_err());
        assert!(!root.join(".lore").exists());
    }

    #[test]
    fn a_log_that_the_author_of_the_repository_could_write_is_not_used() {
        let (_directory, repository) = repository();
        let root = repository.root().expect("a root");
        for data in [None, Some(root.clone()), Some(root.join(".local/share/lore"))] {
            let log = AuditFile::new(Arc::clone(&repository), data);
            assert!(log.append("{}").is_err());
            assert!(log.last(1).is_err());
        }
        assert_eq!(committed_audit_log(&root), None);
        fs::create_dir_all(root.join(".lore/audit")).expect("made");
        fs::write(root.join(COMMITTED), "{}\n").expect("written");
        assert!(committed_audit_log(&root).is_some_and(|remark| remark.contains("is ignored")));
    }
}
