//! What git's commits changed, file by file, back to a limit of commits.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The commits behind a commit. Paths are from the root of the repository, whichever part of it is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The commit that is looked back from, in full.
    pub head: String,
    /// The commits, newest first; merges are there for their parents, and have no changes.
    pub commits: Vec<LogCommit>,
    /// Whether there are older ones that were not looked at.
    pub cut: bool,
    /// The files of the commit that is looked back from, in order.
    pub files: Vec<String>,
    /// The commits that changed each path, newest first: a place in the list of commits and one in its changes.
    by_path: BTreeMap<String, Vec<(u32, u32)>>,
    by_id: HashMap<String, u32>,
}

/// A commit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogCommit {
    /// Its id, in full.
    pub id: String,
    /// The places of its parents in the list; those that were not looked at are left out.
    pub parents: Vec<u32>,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// Whether it joins branches.
    pub merge: bool,
    /// What it changed.
    pub changes: Vec<LogChange>,
}

/// What a commit changed of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogChange {
    /// The file.
    pub path: String,
    /// What it was called before, if it was renamed.
    pub from: Option<Renamed>,
    /// The object it is from then on; nothing if it was taken away.
    pub blob: Option<String>,
}

/// What a file was called before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renamed {
    /// The old path.
    pub path: String,
    /// Whether the content is the same, so that there is no doubt.
    pub sure: bool,
}

/// The commit that a tree is at, and which part of the repository the tree is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The commit, in full.
    pub commit: String,
    /// The directory of the repository that is the root of the tree; empty if it is all of it.
    pub within: String,
}

impl Log {
    /// A log of commits, the newest first.
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

    /// The paths that were changed, in order, from one on; each with its changes, newest first.
    pub fn changed_from<'l>(
        &'l self,
        path: &str,
    ) -> impl Iterator<Item = (&'l str, impl Iterator<Item = (u32, &'l LogChange)>)> {
        let range = (std::ops::Bound::Included(path.to_owned()), std::ops::Bound::Unbounded);
        let known = self.by_path.range::<String, _>(range);
        known.map(|(path, places)| (path.as_str(), self.changes(places)))
    }

    /// The changes of a path, newest first, each with the place of its commit.
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

    /// Whether a file is there at the commit that is looked back from.
    pub fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    /// The files below a directory; all of them for the root, which has no name.
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

    /// The place of a commit.
    pub fn place(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// A commit and everything behind it, as far as it was looked at.
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
        // d joins b and c, which both come from a.
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
