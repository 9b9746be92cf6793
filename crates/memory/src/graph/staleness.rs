//! Which atoms may be out of date: the commits since an atom was last confirmed that changed files of its patterns.
//!
//! A file that was confirmed before it was committed does not count while it is still what it was then. Where the commit is not behind the one that the tree
//! is at, nothing is guessed: it is said to be unknown, and commits are counted by their time.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use lore_base::time::parse_date_time;
use schemars::JsonSchema;
use serde::Serialize;

use super::paths::Glob;
use crate::model::{Atom, Confirmed};
use lore_seam::Log;

/// Files that are named.
const MOST_FILES: usize = 10;

/// What changed below an atom since it was last confirmed
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stale {
    /// `stale`, or `unknown` if the confirmed commit is not an ancestor of the current commit
    pub state: &'static str,
    /// The number of commits since then that changed matching files; text if not all could be counted
    pub commits: Commits,
    /// Some of the changed files
    pub files: Vec<String>,
    /// The number of further files
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_files: Option<usize>,
    /// Matching files with uncommitted changes
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    /// The last confirmation
    pub since: Since,
}

/// A number of commits
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Commits {
    /// Exactly this many
    Counted(usize),
    /// At least this many
    More(String),
}

/// The last confirmation of an atom
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Since {
    /// The commit
    pub commit: String,
    /// The time
    pub at: String,
}

/// Holds atoms against what git knows.
pub struct Judge<'l> {
    log: &'l Log,
    behind: RefCell<HashMap<u32, Rc<HashSet<u32>>>>,
}

/// Which commits came after a confirmation.
enum Later {
    /// Those that are not behind it.
    Than(Rc<HashSet<u32>>),
    /// All that were looked at, and more.
    All,
    Time(i64),
}

impl<'l> Judge<'l> {
    /// One that knows a log.
    pub fn new(log: &'l Log) -> Self {
        Self {
            log,
            behind: RefCell::default(),
        }
    }

    /// What it knows.
    pub fn log(&self) -> &'l Log {
        self.log
    }

    /// What changed below an atom; nothing if nothing did, or if it was never confirmed.
    pub fn stale(&self, atom: &Atom) -> Option<Stale> {
        let confirmed = atom.confirmed.as_ref()?;
        if confirmed.commit == self.log.head {
            return None;
        }
        let later = self.later(confirmed);
        let mut files = BTreeSet::new();
        let mut commits = HashSet::new();
        for glob in atom.paths.iter().filter_map(|pattern| Glob::new(pattern).ok()) {
            let within = glob.within();
            for (path, changes) in self.log.changed_from(within) {
                if !path.starts_with(within) {
                    break;
                }
                if !glob.matches(path) || files.contains(path) {
                    continue;
                }
                let mut changes = changes.peekable();
                let now = changes.peek().and_then(|(_, change)| change.blob.clone());
                if confirmed.dirty.get(path) == Some(&now.unwrap_or_default()) {
                    continue;
                }
                let since: Vec<u32> = changes
                    .map(|(commit, _)| commit)
                    .filter(|at| self.is_later(&later, *at))
                    .collect();
                if !since.is_empty() {
                    files.insert(path);
                    commits.extend(since);
                }
            }
        }
        let (state, count) = match later {
            Later::Than(_) if commits.is_empty() => return None,
            // Of a cut log, some commits or some of their changes are not known.
            Later::Than(_) if self.log.cut => ("stale", Commits::More(format!("at least {}", commits.len()))),
            Later::Than(_) => ("stale", Commits::Counted(commits.len())),
            Later::All => {
                let looked_at = self.log.commits.iter().filter(|commit| !commit.merge).count();
                let state = if commits.is_empty() { "unknown" } else { "stale" };
                (state, Commits::More(format!("more than {looked_at}")))
            }
            Later::Time(_) => ("unknown", Commits::Counted(commits.len())),
        };
        let more_files = files.len().checked_sub(MOST_FILES).filter(|more| *more > 0);
        Some(Stale {
            state,
            commits: count,
            files: files.into_iter().take(MOST_FILES).map(str::to_owned).collect(),
            more_files,
            uncommitted: Vec::new(),
            since: Since {
                commit: confirmed.commit.clone(),
                at: confirmed.at.clone(),
            },
        })
    }

    fn later(&self, confirmed: &Confirmed) -> Later {
        match self.log.place(&confirmed.commit) {
            Some(place) => {
                let mut known = self.behind.borrow_mut();
                Later::Than(Rc::clone(
                    known.entry(place).or_insert_with(|| Rc::new(self.log.behind(place))),
                ))
            }
            None if self.log.cut => Later::All,
            None => {
                let whole = confirmed.at.split('.').next().unwrap_or_default();
                let whole = format!("{}Z", whole.trim_end_matches('Z'));
                Later::Time(parse_date_time(&whole).unwrap_or(i64::MIN))
            }
        }
    }

    fn is_later(&self, later: &Later, commit: u32) -> bool {
        match later {
            Later::Than(behind) => !behind.contains(&commit),
            Later::All => true,
            Later::Time(time) => self
                .log
                .commits
                .get(commit as usize)
                .is_some_and(|commit| commit.time > *time),
        }
    }
}
