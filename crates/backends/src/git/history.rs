//! The git history of a tree's files (clause L3: last change, authors and churn of a file).
//!
//! Counted like `git log --no-merges --name-only` from the queried commit, newest first: each commit that is not a merge is compared with its parent, and
//! every path that differs in content or mode was changed. Merges are skipped, because their changes are in the branches they join. Paths are those of the
//! queried tree; renames are not followed. Authors are identified by lower-case e-mail address, after the `.mailmap` of that tree.
//!
//! At the boundary of a shallow clone, and where objects are missing or damaged, the changes of a commit are unknown: the commit is skipped, the history
//! is cut, and [`Walked::faults`] says why.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::diff::tree::visit::{Action, Change};
use gix::diff::tree::{Recorder, State, Visit};
use gix::objs::{Kind, TreeRefIter};
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use lore_index::SourceError;
use lore_model::{Cancel, Progress};
use lore_seam::{FileHistory, History};
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::objects::{ObjectFault, Objects, hint_for_missing};
use super::{causes, commit_of, discover, head_commit, local, prefix_of, slashed};

/// Commits that are looked at, merges not counted.
const MAX_COMMITS: usize = 2_000;
/// Commits that are walked over to find them.
const MAX_WALKED: usize = 20_000;
/// Entries of trees that are looked at for one commit: far more than any tree has that people made.
pub(super) const MAX_ENTRIES: u32 = 2_000_000;
/// The size of a `.mailmap` that is read.
const MAX_MAILMAP_BYTES: u64 = 4 << 20;
/// Commits that are compared in one go, so that the trees they share are read once.
pub(super) const BATCH: usize = 64;
/// What one thread keeps of the trees it read.
const TREE_CACHE_BYTES: usize = 16 << 20;

/// Why there is no history.
pub(crate) enum HistoryError {
    /// The repository cannot be read.
    Source(SourceError),
    /// The operation was cancelled.
    Cancelled,
}

impl From<SourceError> for HistoryError {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

/// The past of a tree, as one commit has it.
pub(crate) struct Past {
    repository: gix::ThreadSafeRepository,
    commit: gix::ObjectId,
    /// The directory of the repository that is the root of the tree.
    prefix: Option<BString>,
    /// The name of the only file, if the root is one.
    only: Option<BString>,
    /// Commits whose parents are not there, in order.
    edge: Vec<gix::ObjectId>,
}

/// What a walk led to.
pub(crate) struct Walked {
    /// The history.
    pub(crate) history: History,
    /// What could not be read, and what to do about it.
    pub(crate) faults: Faults,
}

/// What could not be read of a history: the first fault, and the number of others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Faults {
    first: Option<SourceError>,
    commits: usize,
}

impl Faults {
    /// Whether everything could be read.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    fn add(&mut self, error: SourceError) {
        self.first.get_or_insert(error);
    }

    /// A commit of which it is not known what it changed.
    pub(super) fn add_commit(&mut self, error: SourceError) {
        self.commits += 1;
        self.add(error);
    }

    /// The remark for answers that use the history.
    pub(crate) fn remark(&self) -> Option<String> {
        let SourceError { message, hint, .. } = self.first.as_ref()?;
        let commits = match self.commits {
            0 => String::new(),
            1 => "; what 1 commit changed is not counted".to_owned(),
            commits => format!("; what {commits} commits changed is not counted"),
        };
        let hint = hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
        Some(format!("the history is not complete: {message}{commits}{hint}"))
    }
}

/// A commit that is not a merge.
pub(super) struct Step {
    pub(super) id: gix::ObjectId,
    parent: Option<gix::ObjectId>,
    time: i64,
}

/// Commits in order, newest first.
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// All commits that were walked over, merges too.
    pub(super) all: Vec<Parents>,
    pub(super) cut: bool,
    pub(super) faults: Faults,
}

/// A commit and what it comes from.
pub(super) struct Parents {
    pub(super) id: gix::ObjectId,
    pub(super) parents: Vec<gix::ObjectId>,
    pub(super) time: i64,
}

/// What a commit changed.
struct Changed {
    files: Vec<u32>,
    mail: String,
    name: String,
}

impl Past {
    /// The past of a root at a revision, or at `HEAD`; nothing without git or without a commit.
    pub(crate) fn open(root: &Path, revision: Option<&str>) -> Result<Option<Self>, SourceError> {
        let repository = match (discover(root), revision) {
            (Ok(repository), _) => repository,
            (Err(error), Some(_)) => return Err(error),
            (Err(_), None) => return Ok(None),
        };
        let commit = match revision {
            Some(revision) => commit_of(&repository, revision)?,
            None => head_commit(&repository)?,
        };
        let Some(commit) = commit else {
            return Ok(None);
        };
        let (directory, only) = match (root.is_file(), root.parent(), root.file_name()) {
            (true, Some(parent), Some(name)) => (parent, gix::path::os_str_into_bstr(name).ok().map(BString::from)),
            _ => (root, None),
        };
        let prefix = prefix_of(&repository, directory).map(|prefix| slashed(&prefix));
        let shallow = repository.shallow_commits().map_err(|error| {
            SourceError::new(format!("the boundary of the shallow clone cannot be read: {error}")).because(error)
        })?;
        let edge = shallow.map_or_else(Vec::new, |commits| commits.iter().copied().collect());
        Ok(Some(Self {
            repository: repository.into_sync(),
            commit,
            prefix,
            only,
            edge,
        }))
    }

    /// The commit, in full.
    pub(crate) fn commit(&self) -> String {
        self.commit.to_string()
    }

    /// A number that differs when the clone reaches back to other commits.
    pub(crate) fn edge_fingerprint(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for id in &self.edge {
            hasher.update(id.as_slice());
        }
        hasher.digest()
    }

    /// The remark about a shallow clone.
    pub(crate) fn shallow_remark(&self) -> Option<String> {
        (!self.edge.is_empty()).then(|| {
            "this is a shallow clone: the history is cut, and changes and authors are those of the commits that are \
             there; `git fetch --unshallow` fetches the rest"
                .to_owned()
        })
    }

    /// Walks back.
    pub(crate) fn walk(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Walked, HistoryError> {
        let repository = self.local();
        let files = self.files(&repository)?;
        progress.begin("walking through the history", 0);
        let Steps {
            steps, cut, mut faults, ..
        } = self.steps(&repository, cancel)?;
        let mailmap = self.mailmap(&repository).unwrap_or_else(|fault| {
            faults.add(fault.error(&repository, ".mailmap"));
            gix::mailmap::Snapshot::default()
        });
        progress.begin("reading the history", steps.len() as u64);
        let changes: Vec<Result<Changed, ObjectFault>> = steps
            .par_chunks(BATCH)
            .flat_map_iter(|steps| {
                let repository = self.local();
                let objects = Objects::of(&repository);
                let mut state = State::default();
                let mut changes = Vec::with_capacity(steps.len());
                for step in steps {
                    if cancel.is_cancelled() {
                        break;
                    }
                    changes.push(self.changed(&objects, step, &files, &mailmap, &mut state));
                    progress.advance(1);
                }
                changes
            })
            .collect();
        if cancel.is_cancelled() {
            return Err(HistoryError::Cancelled);
        }
        for (step, fault) in steps
            .iter()
            .zip(&changes)
            .filter_map(|(step, change)| Some((step, change.as_ref().err()?)))
        {
            faults.add_commit(self.unread(&repository, step, fault));
        }
        let mut history = tally(&steps, &changes, &files);
        history.cut = cut || !faults.is_empty();
        Ok(Walked { history, faults })
    }

    /// The error for a commit whose changes cannot be read.
    pub(super) fn unread(&self, repository: &gix::Repository, step: &Step, fault: &ObjectFault) -> SourceError {
        fault.error(repository, &format!("the commit {}", step.id))
    }

    /// The repository, for one thread.
    pub(super) fn local(&self) -> gix::Repository {
        let mut repository = local(&self.repository);
        repository.object_cache_size(TREE_CACHE_BYTES);
        repository
    }

    /// The commits to look at.
    pub(super) fn steps(&self, repository: &gix::Repository, cancel: &Cancel) -> Result<Steps, HistoryError> {
        let mut found = Steps {
            steps: Vec::new(),
            all: Vec::new(),
            cut: false,
            faults: Faults::default(),
        };
        let objects = Objects::of(repository);
        let mut buffer = Vec::new();
        let walk = repository
            .rev_walk([self.commit])
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
            .all()
            .map_err(|error| SourceError::new(format!("the history cannot be read: {error}")).because(error))?;
        for (walked, commit) in walk.enumerate() {
            if cancel.is_cancelled() {
                return Err(HistoryError::Cancelled);
            }
            let commit = match commit {
                Ok(commit) => commit,
                Err(error) => {
                    found.cut = true;
                    let message = format!("older commits cannot be read: {}", causes(&error));
                    let fault = SourceError::new(message).hint(hint_for_missing(repository, None));
                    found.faults.add(fault.because(error));
                    break;
                }
            };
            if self.edge.binary_search(&commit.id).is_ok() {
                found.cut = true;
                found.all.push(Parents {
                    id: commit.id,
                    parents: Vec::new(),
                    time: commit.commit_time(),
                });
                continue;
            }
            let is_merge = commit.parent_ids.len() > 1;
            // The other commits are compared with their ids when their trees are read.
            if is_merge && let Err(fault) = objects.read_into(&commit.id, &mut buffer) {
                found.cut = true;
                found
                    .faults
                    .add(fault.error(repository, &format!("the commit {}", commit.id)));
            }
            if walked >= MAX_WALKED || (found.steps.len() >= MAX_COMMITS && !is_merge) {
                found.cut = true;
                break;
            }
            found.all.push(Parents {
                id: commit.id,
                parents: commit.parent_ids.iter().copied().collect(),
                time: commit.commit_time(),
            });
            if !is_merge {
                found.steps.push(Step {
                    id: commit.id,
                    parent: commit.parent_ids.first().copied(),
                    time: commit.commit_time(),
                });
            }
        }
        Ok(found)
    }

    /// The files of the tree, numbered.
    pub(super) fn files(&self, repository: &gix::Repository) -> Result<HashMap<BString, u32>, SourceError> {
        let unreadable = |fault: ObjectFault| fault.error(repository, "the list of files");
        let objects = Objects::of(repository);
        let Some(tree) = self.tree(&objects, self.commit).map_err(unreadable)? else {
            return Ok(HashMap::new());
        };
        let entries = objects.files(tree).map_err(unreadable)?;
        let mut files = HashMap::new();
        for entry in entries {
            let is_file = entry.mode.is_blob_or_symlink();
            let is_wanted = self.only.as_ref().is_none_or(|only| *only == entry.filepath);
            if is_file && is_wanted && entry.filepath.to_str().is_ok() {
                let number = files.len() as u32;
                files.insert(entry.filepath, number);
            }
        }
        Ok(files)
    }

    /// The tree of the root at a commit; nothing if the commit has no such directory.
    fn tree(&self, objects: &Objects<'_>, commit: gix::ObjectId) -> Result<Option<gix::ObjectId>, ObjectFault> {
        let tree = objects.peel(commit, Kind::Tree)?;
        match (&self.prefix, tree) {
            (Some(prefix), Some(tree)) => {
                let entry = objects.entry(tree, prefix.as_bstr())?;
                Ok(entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id))
            }
            (_, tree) => Ok(tree),
        }
    }

    /// Who is who, as the repository says.
    fn mailmap(&self, repository: &gix::Repository) -> Result<gix::mailmap::Snapshot, ObjectFault> {
        let objects = Objects::of(repository);
        let Some(tree) = objects.peel(self.commit, Kind::Tree)? else {
            return Ok(gix::mailmap::Snapshot::default());
        };
        let entry = objects.entry(tree, b".mailmap".as_bstr())?;
        let Some((_, id)) = entry.filter(|(mode, _)| mode.is_blob()) else {
            return Ok(gix::mailmap::Snapshot::default());
        };
        let is_small = |header: gix::odb::find::Header| header.size() <= MAX_MAILMAP_BYTES;
        // An object whose size cannot be told is read, which says what is wrong with it.
        if !repository.find_header(id).map_or(true, is_small) {
            return Ok(gix::mailmap::Snapshot::default());
        }
        Ok(gix::mailmap::Snapshot::from_bytes(&objects.read(&id, Kind::Blob)?))
    }

    /// What a commit changed of some files.
    fn changed(
        &self,
        objects: &Objects<'_>,
        step: &Step,
        files: &HashMap<BString, u32>,
        mailmap: &gix::mailmap::Snapshot,
        state: &mut State,
    ) -> Result<Changed, ObjectFault> {
        let mut differences = Differences {
            place: Recorder::default(),
            files,
            found: Vec::new(),
            entries: 0,
        };
        self.compare(objects, step, state, &mut differences)?;
        let mut found = differences.found;
        found.sort_unstable();
        found.dedup();
        let commit = objects.read(&step.id, Kind::Commit)?;
        let author = gix::objs::CommitRefIter::from_bytes(&commit, step.id.kind()).author();
        let author = author.ok().map(|author| mailmap.resolve(author));
        let (mail, name) = author.map_or_else(Default::default, |author| {
            (author.email.to_str_lossy().to_lowercase(), author.name.to_string())
        });
        Ok(Changed {
            files: found,
            mail,
            name,
        })
    }

    /// Visits the changes of a commit.
    pub(super) fn compare(
        &self,
        objects: &Objects<'_>,
        step: &Step,
        state: &mut State,
        differences: &mut impl Visit,
    ) -> Result<(), ObjectFault> {
        let after = self.tree(objects, step.id)?;
        let before = match step.parent {
            Some(parent) => self.tree(objects, parent)?,
            None => None,
        };
        if before != after {
            let data = |tree: Option<gix::ObjectId>| match tree {
                Some(tree) => objects.read(&tree, Kind::Tree),
                None => Ok(Vec::new()),
            };
            let (before, after) = (data(before)?, data(after)?);
            let hash = step.id.kind();
            let compared = gix::diff::tree(
                TreeRefIter::from_bytes(&before, hash),
                TreeRefIter::from_bytes(&after, hash),
                state,
                objects,
                differences,
            );
            if compared.is_err() {
                return Err(objects.take_fault().unwrap_or_else(|| ObjectFault::too_large(step.id)));
            }
        }
        Ok(())
    }
}

/// Collects which of some files differ between two trees.
struct Differences<'a> {
    place: Recorder,
    files: &'a HashMap<BString, u32>,
    found: Vec<u32>,
    entries: u32,
}

impl Visit for Differences<'_> {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.place.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.place.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.place.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.place.pop_path_component();
    }

    fn visit(&mut self, change: Change) -> Action {
        self.entries += 1;
        if !change.entry_mode().is_tree()
            && let Some(file) = self.files.get(self.place.path())
        {
            self.found.push(*file);
        }
        if self.entries < MAX_ENTRIES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Counts what the commits changed, file by file.
fn tally(steps: &[Step], changes: &[Result<Changed, ObjectFault>], files: &HashMap<BString, u32>) -> History {
    /// What is known of one file.
    #[derive(Clone, Default)]
    struct Tally<'a> {
        changes: u32,
        people: HashSet<&'a str>,
        last: Option<(&'a Step, &'a Changed)>,
    }
    let mut tallies = vec![Tally::default(); files.len()];
    let mut commits = 0;
    for (step, changed) in steps.iter().zip(changes) {
        let Ok(changed) = changed else {
            continue;
        };
        commits += 1;
        for file in &changed.files {
            if let Some(tally) = tallies.get_mut(*file as usize) {
                tally.changes += 1;
                tally.people.insert(&changed.mail);
                tally.last.get_or_insert((step, changed));
            }
        }
    }
    let mut known = BTreeMap::new();
    for (path, number) in files {
        if let Some(tally) = tallies.get(*number as usize)
            && let Some((step, changed)) = tally.last
        {
            known.insert(
                path.to_string(),
                FileHistory {
                    changes: tally.changes,
                    authors: tally.people.len() as u32,
                    last_commit: step.id.to_string(),
                    last_changed: step.time,
                    last_author: changed.name.clone(),
                },
            );
        }
    }
    History {
        commits,
        cut: false,
        files: known,
    }
}
