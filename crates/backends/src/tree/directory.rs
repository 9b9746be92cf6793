//! A directory, or a single file, as a source tree.
//!
//! `.gitignore`, `.ignore` and the global excludes apply, with or without git. As in git, `.gitignore` does not apply to files that git tracks; tracked files
//! that an `.ignore` file matches are listed as left out. Entries that cannot be read, are not files, or have a name that is not UTF-8 are listed as left
//! out; they are not errors.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use lore_ccg::layers::is_exported;
use lore_index::{
    Detection, Detector, Listing, ReadError, SkippedFile, SourceError, SourceFile, SourceTree, is_package_file,
};
use lore_model::{RepoPath, SkipReason};

use super::ignore_rules::{IgnoreRules, LeftOutBy, RuleFiles, Spent};
use crate::cache::{Stamp, StatTable};
use crate::git::{LeftOut, tracked_among};
use crate::repository_paths::repository_paths;
use crate::safe_fs::open_regular;

/// Git's directory, which is never source.
const GIT: &str = ".git";
/// Directories for what Lore writes and publishes. Source files in them are listed as left out.
const FOR_OUTPUT: &[&str] = &[".lore", ".well-known"];
/// Why source files in these directories are left out.
pub(crate) const IN_OUTPUT: &str = "in a directory for what Lore writes";
/// Source files that are listed in such a directory.
const MOST_IN_OUTPUT: usize = 1_000;
/// Why a tracked file is left out that an `.ignore` file names.
pub(crate) const BY_IGNORE_FILE: &str = "named by an .ignore file";
/// No file is read beyond this, whatever the options say: positions are 32 bits wide.
const MAX_READ_BYTES: u64 = u32::MAX as u64 / 2;

/// Which files of a tree are wanted: those that every layer wants.
#[derive(Clone, Debug, Default)]
pub struct TreePatterns {
    layers: Vec<Layer>,
    detector: Detector,
    text: String,
    ignores_ignore_files: bool,
}

/// The patterns of one source: the user, or the repository.
#[derive(Clone, Debug)]
struct Layer {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
}

impl TreePatterns {
    /// Compiles patterns; the error names the one that is wrong.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Self::default().and(include, exclude)
    }

    /// Only those files that these patterns want too.
    pub fn and(mut self, include: &[String], exclude: &[String]) -> Result<Self, String> {
        let layer = Layer {
            include: compile(include)?,
            exclude: compile(exclude)?,
        };
        if layer.include.is_some() || layer.exclude.is_some() {
            self.layers.push(layer);
        }
        let separator = if self.text.is_empty() { "" } else { " " };
        self.text.push_str(&format!("{separator}{include:?} {exclude:?}"));
        Ok(self)
    }

    /// The same patterns, with what a user says about languages.
    #[must_use]
    pub fn with_detector(self, detector: Detector) -> Self {
        Self { detector, ..self }
    }

    /// The same patterns; whether `.ignore` files of the tree have no say.
    #[must_use]
    pub fn without_ignore_files(self, ignores_ignore_files: bool) -> Self {
        Self {
            ignores_ignore_files,
            ..self
        }
    }

    /// What a path says of the language of its file.
    pub(crate) fn detect(&self, path: &RepoPath) -> Detection {
        self.detector.by_path(path)
    }

    /// Whether what a file holds can make a difference: it is in a language of ours, or it names modules.
    pub(crate) fn content_matters(&self, path: &RepoPath) -> bool {
        self.detect(path) != Detection::Unknown || is_package_file(path)
    }

    /// The patterns as text, for the fingerprint of the options.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a path is wanted.
    pub fn wants(&self, path: &str) -> bool {
        self.layers.iter().all(|layer| {
            layer.include.as_ref().is_none_or(|set| matches(set, path))
                && !layer.exclude.as_ref().is_some_and(|set| matches(set, path))
        })
    }
}

/// Whether a pattern names a path or a directory that the path is below.
fn matches(set: &GlobSet, path: &str) -> bool {
    set.is_match(path) || path.match_indices('/').any(|(at, _)| set.is_match(&path[..at]))
}

fn compile(patterns: &[String]) -> Result<Option<GlobSet>, String> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let text = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
        // A pattern without a slash means the name at any depth, as in .gitignore.
        let anchored = if text.contains('/') {
            text.to_owned()
        } else {
            format!("**/{text}")
        };
        let glob = GlobBuilder::new(&anchored)
            .literal_separator(true)
            .build()
            .map_err(|error| format!("`{pattern}` is not a pattern: {}", error.kind()))?;
        set.add(glob);
    }
    let built = set.build().map(Some);
    built.map_err(|error| format!("the patterns are too many or too long to be used together: {error}"))
}

/// A directory or a single file.
pub struct DirectoryTree {
    root: PathBuf,
    patterns: TreePatterns,
    known: StatTable,
    already: Mutex<Option<Seen>>,
    seen: Mutex<Seen>,
    /// The paths that the tree is made of; all if nothing is said.
    only: Option<Only>,
}

/// Decides by its path whether a file is part of a tree.
pub(crate) type Only = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// What a walk found, in any order.
#[derive(Default)]
struct WalkResult {
    seen: Seen,
    /// What rules left out: files, and directories that were not entered.
    left_out: Vec<(LeftOut, LeftOutBy)>,
}

/// What the parts of a walk share.
struct Walk {
    found: Mutex<WalkResult>,
    spent: Spent,
}

/// What a listing saw, in path order.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    pub(crate) stamps: Vec<(RepoPath, Stamp)>,
    pub(crate) skipped: Vec<SkippedFile>,
}

impl DirectoryTree {
    /// The tree at a root; contents whose stamp is known need not be read again.
    pub fn new(root: PathBuf, patterns: TreePatterns, known: StatTable) -> Self {
        Self {
            root,
            patterns,
            known,
            already: Mutex::default(),
            seen: Mutex::default(),
            only: None,
        }
    }

    /// The tree without the files that are not meant: as if they were not there.
    pub(crate) fn with_only(self, only: Only) -> Self {
        Self {
            only: Some(only),
            ..self
        }
    }

    /// The tree, whose first listing is what was seen already.
    pub(crate) fn with_seen(mut self, seen: Seen) -> Self {
        self.already = Mutex::new(Some(seen));
        self
    }

    /// What the last listing saw.
    pub(crate) fn take_seen(&self) -> Seen {
        std::mem::take(&mut self.seen.lock().expect("because no holder of this lock panics"))
    }

    /// Lists the tree with a stamp for each file.
    pub(crate) fn walk(&self) -> Result<Seen, SourceError> {
        let metadata = fs::symlink_metadata(&self.root).map_err(|error| unreadable_root(&self.root, error))?;
        if !metadata.is_dir() {
            return single_file(&self.root);
        }
        fs::read_dir(&self.root).map_err(|error| unreadable_root(&self.root, error))?;
        let root = self
            .root
            .canonicalize()
            .map_err(|error| unreadable_root(&self.root, error))?;
        let own_repository = root.join(".git").exists();
        let found = self.walk_directory(&root, !own_repository);
        let nothing = found.stamps.is_empty() && found.skipped.is_empty();
        // A root that its own parents ignore was named on purpose.
        Ok(if nothing && !own_repository {
            self.walk_directory(&root, false)
        } else {
            found
        })
    }

    fn walk_directory(&self, root: &Path, parents: bool) -> Seen {
        let rules = || IgnoreRules::above(root, parents, !self.patterns.ignores_ignore_files);
        let walk = |rules: IgnoreRules| {
            let walk = Walk {
                found: Mutex::default(),
                spent: rules.spent(),
            };
            rayon::scope(|scope| self.walk_below(scope, root.to_owned(), PathBuf::new(), rules, &walk));
            let is_whole = !walk.spent.is_too_much();
            let found = walk.found.into_inner().unwrap_or_default();
            is_whole.then_some(found)
        };
        // Which rules are used must not depend on which thread came first: all, or those of the root.
        let found = walk(rules()).or_else(|| walk(rules().of_root_alone()));
        let WalkResult { mut seen, left_out } = found.unwrap_or_default();
        if !left_out.is_empty() {
            self.add_tracked(root, left_out, &mut seen);
        }
        let Seen {
            mut stamps,
            mut skipped,
        } = seen;
        if let Some(only) = &self.only {
            stamps.retain(|(path, _)| only(path.as_str()));
            skipped.retain(|skipped| only(&skipped.path));
        }
        stamps.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        skipped.sort_unstable();
        Seen { stamps, skipped }
    }

    /// Adds the files that git tracks among those that rules left out.
    fn add_tracked(&self, root: &Path, left_out: Vec<(LeftOut, LeftOutBy)>, seen: &mut Seen) {
        let (places, kinds): (Vec<LeftOut>, Vec<LeftOutBy>) = left_out.into_iter().unzip();
        let tracked = match tracked_among(root, &places) {
            Ok(tracked) => tracked,
            Err(error) => return seen.skip(GIT, SkipReason::Unreadable, error.message),
        };
        let mut directories = HashMap::new();
        for (path, number) in tracked {
            let path = PathBuf::from(path);
            // Git takes a file behind a link for one that was deleted.
            let parent = path.parent().unwrap_or(Path::new(""));
            if !is_real_directory(root, parent, &mut directories) {
                continue;
            }
            let Ok(metadata) = fs::symlink_metadata(root.join(&path)) else {
                continue;
            };
            let text = path.to_string_lossy();
            if metadata.is_dir() || is_exported(&text) {
                continue;
            }
            if path.iter().any(is_for_output) {
                self.list_output(&path, seen);
            } else if kinds[number] == LeftOutBy::IgnoreFile && self.patterns.wants(&text) {
                seen.skip(&text, SkipReason::Excluded, BY_IGNORE_FILE.to_owned());
            } else {
                self.visit(&path, metadata.file_type(), || Ok(metadata), seen);
            }
        }
    }

    /// Lists a file in a directory for what Lore writes, if it is source.
    fn list_output(&self, path: &Path, seen: &mut Seen) {
        if let Some(path) = path.to_str().and_then(|text| RepoPath::new(text).ok())
            && is_hidden_source(&self.patterns, &path)
        {
            seen.skip(path.as_str(), SkipReason::Excluded, IN_OUTPUT.to_owned());
        }
    }

    /// Lists the source files below a directory for what Lore writes.
    fn list_outputs(&self, directory: &Path, path: &Path, seen: &mut Seen) {
        let mut open = vec![(directory.to_owned(), path.to_owned())];
        let before = seen.skipped.len();
        while let Some((directory, path)) = open.pop() {
            let mut entries: Vec<fs::DirEntry> = fs::read_dir(&directory).into_iter().flatten().flatten().collect();
            entries.sort_unstable_by_key(fs::DirEntry::file_name);
            for entry in entries {
                if seen.skipped.len() - before >= MOST_IN_OUTPUT {
                    return;
                }
                let path = path.join(entry.file_name());
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push((entry.path(), path)),
                    Ok(kind) if kind.is_file() => self.list_output(&path, seen),
                    _ => {}
                }
            }
        }
    }

    /// Lists a directory of the tree, and those below it on whichever threads are free. `path` is its path from the root.
    fn walk_below<'s>(
        &'s self,
        scope: &rayon::Scope<'s>,
        directory: PathBuf,
        path: PathBuf,
        rules: IgnoreRules,
        walk: &'s Walk,
    ) {
        if walk.spent.is_too_much() {
            return;
        }
        let mut seen = Seen::default();
        let mut left_out = Vec::new();
        let mut rule_files = RuleFiles::default();
        let mut entries = Vec::new();
        match fs::read_dir(&directory) {
            Ok(listed) => {
                for entry in listed {
                    match entry {
                        Ok(entry) => {
                            let name = entry.file_name();
                            rule_files.note(&name);
                            entries.push((name, entry));
                        }
                        Err(error) => seen.skip_unreadable(&path, &error),
                    }
                }
            }
            Err(error) => seen.skip_unreadable(&path, &error),
        }
        if self.patterns.ignores_ignore_files {
            rule_files.forget_ignore();
        }
        let mut unused = Vec::new();
        let rules = if rules.is_of_root_alone() && !path.as_os_str().is_empty() {
            IgnoreRules::pass_over(&directory, rule_files, &mut unused);
            rules
        } else {
            rules.below(&directory, rule_files, &mut unused)
        };
        for (file, why) in unused {
            let file = file.strip_prefix(&directory).unwrap_or(&file);
            seen.skip(&path.join(file).to_string_lossy(), SkipReason::Unreadable, why);
        }
        for (name, entry) in entries {
            if name == OsStr::new(GIT) {
                continue;
            }
            let kind = match entry.file_type() {
                Ok(kind) => kind,
                Err(error) => {
                    seen.skip_unreadable(&path.join(&name), &error);
                    continue;
                }
            };
            // A directory that has the name of an export is one like any other.
            if !kind.is_dir() && (is_for_output(&name) || is_exported(&name.to_string_lossy())) {
                continue;
            }
            let by = if rules.is_empty() {
                None
            } else {
                rules.leave_out(&directory.join(&name), kind.is_dir())
            };
            let path = path.join(&name);
            if let Some(by) = by {
                // What has no such name was never listed, and git's index is searched for text alone.
                if let Some(text) = path.to_str() {
                    let place = LeftOut {
                        path: text.to_owned(),
                        is_directory: kind.is_dir(),
                    };
                    left_out.push((place, by));
                }
            } else if kind.is_dir() && is_for_output(&name) {
                self.list_outputs(&directory.join(&name), &path, &mut seen);
            } else if kind.is_dir() {
                let (directory, rules) = (directory.join(&name), rules.clone());
                scope.spawn(move |scope| self.walk_below(scope, directory, path, rules, walk));
            } else {
                self.visit(&path, kind, || entry.metadata(), &mut seen);
            }
        }
        if let Ok(mut all) = walk.found.lock() {
            all.seen.stamps.append(&mut seen.stamps);
            all.seen.skipped.append(&mut seen.skipped);
            all.left_out.append(&mut left_out);
        }
    }

    fn visit(
        &self,
        path: &Path,
        kind: fs::FileType,
        metadata: impl FnOnce() -> io::Result<fs::Metadata>,
        seen: &mut Seen,
    ) {
        let Some(path) = path.to_str().and_then(|text| RepoPath::new(text).ok()) else {
            return seen.skip(&path.to_string_lossy(), SkipReason::BadName, String::new());
        };
        if !self.patterns.wants(path.as_str()) {
            return seen.skip(path.as_str(), SkipReason::Excluded, String::new());
        }
        if !kind.is_file() {
            let what = if kind.is_symlink() {
                "symbolic link"
            } else {
                "special file"
            };
            return seen.skip(path.as_str(), SkipReason::NotAFile, what.to_owned());
        }
        if !self.patterns.content_matters(&path) {
            return seen.stamps.push((path, Stamp::default()));
        }
        match metadata() {
            Ok(metadata) => seen.stamps.push((path, Stamp::of(&metadata))),
            Err(error) => seen.skip_unreadable(Path::new(path.as_str()), &error),
        }
    }
}

/// Whether a name is that of a directory for what Lore writes.
fn is_for_output(name: &OsStr) -> bool {
    FOR_OUTPUT.iter().any(|known| name == OsStr::new(known))
}

/// Whether a file in a directory for what Lore writes is source that somebody else put there: it is in a language of ours, and Lore writes no such file.
pub(crate) fn is_hidden_source(patterns: &TreePatterns, path: &RepoPath) -> bool {
    let is_source = matches!(patterns.detect(path), Detection::Language(_) | Detection::Disputed(_));
    is_source
        && !repository_paths()
            .iter()
            .any(|own| path.as_str() == own || path.as_str().ends_with(&format!("/{own}")))
}

/// Whether a path below a root leads through directories alone, none of which is a link.
fn is_real_directory(root: &Path, path: &Path, known: &mut HashMap<PathBuf, bool>) -> bool {
    if path.as_os_str().is_empty() {
        return true;
    }
    if let Some(known) = known.get(path) {
        return *known;
    }
    let above = path.parent().unwrap_or(Path::new(""));
    let is_real = is_real_directory(root, above, known)
        && fs::symlink_metadata(root.join(path)).is_ok_and(|metadata| metadata.is_dir());
    known.insert(path.to_owned(), is_real);
    is_real
}

impl Seen {
    fn skip(&mut self, path: &str, reason: SkipReason, detail: String) {
        self.skipped.push(SkippedFile {
            path: path.to_owned(),
            reason,
            detail,
        });
    }

    /// What cannot be read is left out; what vanished between the listing and the look is nothing.
    fn skip_unreadable(&mut self, path: &Path, error: &io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.skip(&path.to_string_lossy(), SkipReason::Unreadable, error.to_string());
        }
    }
}

fn single_file(path: &Path) -> Result<Seen, SourceError> {
    let metadata = fs::metadata(path).map_err(|error| unreadable_root(path, error))?;
    let name = path
        .file_name()
        .and_then(OsStr::to_str)
        .and_then(|name| RepoPath::new(name).ok());
    match name {
        Some(name) if metadata.is_file() => Ok(Seen {
            stamps: vec![(name, Stamp::of(&metadata))],
            skipped: Vec::new(),
        }),
        _ => Err(SourceError::new(format!(
            "{} is neither a directory nor a file",
            path.display()
        ))),
    }
}

fn unreadable_root(root: &Path, error: io::Error) -> SourceError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file or directory {}", root.display()),
        _ => format!("{} cannot be read: {error}", root.display()),
    };
    SourceError::new(message).because(error)
}

impl SourceTree for DirectoryTree {
    fn list(&self) -> Result<Listing, SourceError> {
        let already = self
            .already
            .lock()
            .expect("because no holder of this lock panics")
            .take();
        let seen = match already {
            Some(seen) => seen,
            None => self.walk()?,
        };
        let files = seen
            .stamps
            .iter()
            .map(|(path, stamp)| SourceFile {
                path: path.clone(),
                size: stamp.size(),
                hash: self.known.hash_of(path, stamp),
            })
            .collect();
        let skipped = seen.skipped.clone();
        *self.seen.lock().expect("because no holder of this lock panics") = seen;
        Ok(Listing { files, skipped })
    }

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError> {
        let path = if self.root.is_file() {
            self.root.clone()
        } else {
            self.root.join(file.path.as_str())
        };
        read_bounded(&path).map_err(|error| ReadError::File(error.to_string()))
    }
}

/// Reads a regular file; anything else could block or never end.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    let mut content = Vec::with_capacity(length.min(MAX_READ_BYTES) as usize + 1);
    file.take(MAX_READ_BYTES).read_to_end(&mut content)?;
    Ok(content)
}
