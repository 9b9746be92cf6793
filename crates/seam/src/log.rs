//! The changes of git commits, file by file, up to a limited number of commits.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The history up to a commit. Paths are relative to the root of the repository, also when the tree is a subdirectory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The full id of the commit at which the history starts.
    pub head: String,
    /// The commits, newest first. Merges are included for their parents and have no changes.
    pub commits: Vec<LogCommit>,
    /// Whether older commits exist that were not read.
    pub cut: bool,
    /// The files of the start commit, sorted.
    pub files: Vec<String>,
    /// By path: the commits that changed it, newest first, as index of the commit and index of the change.
    by_path: BTreeMap<String, Vec<(u32, u32)>>,
    by_id: HashMap<String, u32>,
}

/// One commit of a [`Log`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogCommit {
    /// The full id.
    pub id: String,
    /// The indexes of its parents in [`Log::commits`], without parents that were not read.
    pub parents: Vec<u32>,
    /// Commit time, in seconds since 1970.
    pub time: i64,
    /// Whether it is a merge commit.
    pub merge: bool,
    /// The changed files.
    pub changes: Vec<LogChange>,
}

/// The change of one file in a commit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogChange {
    /// The path after the change.
    pub path: String,
    /// The previous path, if the file was renamed.
    pub from: Option<Renamed>,
    /// The git blob after the change; `None` if the file was deleted.
    pub blob: Option<String>,
}

/// The previous path of a renamed file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renamed {
    /// The old path.
    pub path: String,
    /// Whether the content is identical. If not, the rename was detected by similarity.
    pub sure: bool,
}

/// The checked-out commit of a tree, and the location of the tree in the repository.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The full id of the commit.
    pub commit: String,
    /// The path of the tree's root in the repository; empty if the tree is the whole repository.
    pub within: String,
}

impl Log {
    /// Builds a log from commits, newest first.
    pub fn new(head: String, commits: Vec<LogCommit>, cut: bool, mut files: Vec<String>) -> Self {
        files.sort();
        let mut by_path: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
        let mut by_id = HashMap::new();
        for (at, commit) in (0..).zip(&commits) {
            by_id.insert(commit.id.clone(), at);
            for (number, change) in (0..).zip(&commit.changes) {
                by_path.entry(change.path.clone()).or_default().push((at, number));
            }
        }
        Self {
            head,
            commits,
            cut,
            files,
            by_path,
            by_id,
        }
    }

    /// The changed paths from `path` on, sorted, each with its changes, newest first.
    pub fn changed_from<'l>(
        &'l self,
        path: &str,
    ) -> impl Iterator<Item = (&'l str, impl Iterator<Item = (u32, &'l LogChange)>)> {
        let range = (std::ops::Bound::Included(path.to_owned()), std::ops::Bound::Unbounded);
        let known = self.by_path.range::<String, _>(range);
        known.map(|(path, places)| (path.as_str(), self.changes(places)))
    }

    /// The changes of a path, newest first, each with the index of its commit.
    pub fn changes_of<'l>(&'l self, path: &str) -> impl Iterator<Item = (u32, &'l LogChange)> {
        let places = self.by_path.get(path).map_or(&[][..], Vec::as_slice);
        self.changes(places)
    }

    fn changes<'l>(&'l self, places: &'l [(u32, u32)]) -> impl Iterator<Item = (u32, &'l LogChange)> {
        places.iter().filter_map(|(commit, change)| {
            let changes = &self.commits.get(*commit as usize)?.changes;
            Some((*commit, changes.get(*change as usize)?))
        })
    }

    /// Whether a file exists at the start commit.
    pub fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// The files below a directory; an empty name means the root.
    pub fn files_below(&self, directory: &str) -> &[String] {
        if directory.is_empty() {
            return &self.files;
        }
        let below = format!("{directory}/");
        let start = self.files.partition_point(|path| *path < below);
        let rest = self.files.get(start..).unwrap_or_default();
        let end = rest.partition_point(|path| path.starts_with(&below));
        rest.get(..end).unwrap_or_default()
    }

    /// The index of a commit.
    pub fn place(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// A commit and its ancestors, as far as they were read.
    pub fn behind(&self, commit: u32) -> HashSet<u32> {
        let mut known = HashSet::new();
        let mut open = vec![commit];
        while let Some(commit) = open.pop() {
            if known.insert(commit) {
                let parents = self.commits.get(commit as usize).map(|commit| &commit.parents);
                open.extend(parents.into_iter().flatten());
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_commit_hangs_on_parents_and_not_on_the_order() {
        let commit = |id: &str, parents: &[u32]| LogCommit {
            id: id.to_owned(),
            parents: parents.to_vec(),
            ..LogCommit::default()
        };
        // `d` merges `b` and `c`, which both have the parent `a`.
        let commits = vec![
            commit("d", &[1, 2]),
            commit("c", &[3]),
            commit("b", &[3]),
            commit("a", &[]),
        ];
        let files = ["x", "src/b", "src/a", "srcs"].map(str::to_owned).to_vec();
        let log = Log::new("d".to_owned(), commits, false, files);
        let behind = |id: &str| {
            let mut behind: Vec<u32> = log.behind(log.place(id).expect("known")).into_iter().collect();
            behind.sort_unstable();
            behind
        };
        assert_eq!(behind("c"), [1, 3]);
        assert_eq!(behind("b"), [2, 3]);
        assert_eq!(behind("d"), [0, 1, 2, 3]);
        assert_eq!(log.place("e"), None);
        assert_eq!(log.files_below("src"), ["src/a", "src/b"]);
        assert_eq!(log.files_below("").len(), 4);
        assert!(log.has_file("x") && !log.has_file("src"));
    }
}
