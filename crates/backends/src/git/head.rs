//! The commit of a working tree, read from two small files, because every query needs it.

use std::path::{Path, PathBuf};

use lore_base::digest::is_hex;
use lore_seam::Head;

use super::around;
use crate::safe_fs::read_bounded_own_file;

/// Where git keeps what it knows of a tree.
#[derive(Clone, Debug)]
pub(crate) struct GitPlace {
    /// The directory of the working tree itself.
    own: PathBuf,
    /// The one that all working trees share.
    common: PathBuf,
    /// The root of the working tree.
    pub(crate) root: PathBuf,
    /// The directory of the queried tree in it.
    within: String,
}

impl GitPlace {
    /// The one around a directory, if it is in a repository with a working tree.
    pub(crate) fn around(directory: &Path) -> Option<Self> {
        let repository = around(directory).ok()?;
        let root = repository.workdir()?.canonicalize().ok()?;
        let within = directory.canonicalize().ok()?;
        let within = within.strip_prefix(&root).ok()?;
        let parts = within.components().map(|part| part.as_os_str().to_string_lossy());
        Some(Self {
            own: repository.git_dir().to_owned(),
            common: repository.common_dir().to_owned(),
            within: parts.collect::<Vec<_>>().join("/"),
            root,
        })
    }

    /// The commit, if there is one.
    pub(crate) fn head(&self) -> Option<Head> {
        let commit = self.read().or_else(|| {
            // Refs may be kept in another way than in files.
            let repository = around(&self.root).ok()?;
            Some(repository.head_commit().ok()?.id.to_string())
        })?;
        Some(Head {
            commit,
            within: self.within.clone(),
        })
    }

    /// The first URL of the remote `origin`.
    pub(crate) fn remote(&self) -> Option<String> {
        super::origin::remote(&around(&self.root).ok()?)
    }

    /// Whether there is a commit. A clone with a part of the past cannot tell that there is none.
    pub(crate) fn has_commit(&self, commit: &str) -> Option<bool> {
        let repository = around(&self.root).ok()?;
        let id = gix::ObjectId::from_hex(commit.as_bytes()).ok()?;
        match repository.try_find_header(id).ok()? {
            Some(header) => Some(header.kind() == gix::objs::Kind::Commit),
            None if repository.is_shallow().unwrap_or(true) => None,
            None => Some(false),
        }
    }

    /// How many commits one has that another has not; nothing if one of them is not there, or the past is not whole.
    pub(crate) fn commits_between(&self, base: &str, tip: &str) -> Option<u64> {
        commits_between(&around(&self.root).ok()?, base, tip)
    }

    fn read(&self) -> Option<String> {
        let head = text_of(&self.own.join("HEAD"), MAX_REFERENCE)?;
        let Some(name) = head.strip_prefix("ref:").map(str::trim) else {
            return id(&head);
        };
        let own = name.starts_with("refs/bisect/") || name.starts_with("refs/worktree/");
        let base = if own { &self.own } else { &self.common };
        if name.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return None;
        }
        if let Some(text) = text_of(&base.join(name), MAX_REFERENCE) {
            return id(&text);
        }
        let packed = text_of(&self.common.join("packed-refs"), MAX_PACKED)?;
        packed.lines().find_map(|line| {
            let (commit, known) = line.split_once(' ')?;
            (known.trim() == name).then(|| id(commit))?
        })
    }
}

/// Bytes of a reference, and of the file of all packed ones.
const MAX_REFERENCE: u64 = 64 << 10;
const MAX_PACKED: u64 = 256 << 20;

fn text_of(path: &Path, most: u64) -> Option<String> {
    String::from_utf8(read_bounded_own_file(path, most).ok()??).ok()
}

/// How many commits one has that another has not; nothing if one of them is not there, or the past is not whole.
pub(super) fn commits_between(repository: &gix::Repository, base: &str, tip: &str) -> Option<u64> {
    let id = |commit: &str| gix::ObjectId::from_hex(commit.as_bytes()).ok();
    let (base, tip) = (id(base)?, id(tip)?);
    let is_commit = |id| {
        let header = repository.try_find_header(id).ok().flatten();
        header.map(|header| header.kind()) == Some(gix::objs::Kind::Commit)
    };
    if repository.is_shallow().unwrap_or(true) || !is_commit(base) || !is_commit(tip) {
        return None;
    }
    let mut count = 0;
    for commit in repository.rev_walk([tip]).with_hidden([base]).all().ok()? {
        commit.ok()?;
        count += 1;
    }
    Some(count)
}

fn id(text: &str) -> Option<String> {
    let text = text.trim();
    (is_hex(text, 40) || is_hex(text, 64)).then(|| text.to_ascii_lowercase())
}
