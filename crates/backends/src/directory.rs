//! A directory, or a single file, as a source tree.
//!
//! `.gitignore`, `.ignore` and the global excludes are honoured, with or without git. What cannot be read, is no file, or has a name
//! that is not UTF-8 is listed as left out, never an error.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use lore_index::{
    Detection, Detector, Listing, ReadError, SkippedFile, SourceError, SourceFile, SourceTree, is_package_file,
};
use lore_model::{RepoPath, SkipReason};
use lore_specs::ccg::layers::is_exported;

use crate::cache::{Stamp, StatTable};
use crate::ignore_rules::{IgnoreRules, RuleFiles};
use crate::safe_fs::open_regular;

/// Directories that are never source: git's, Lore's own, and what Lore publishes.
const NEVER_SOURCE: &[&str] = &[".git", ".lore", ".well-known"];
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
        let anchored = match text.contains('/') {
            true => text.to_owned(),
            false => format!("**/{text}"),
        };
        let glob = GlobBuilder::new(&anchored)
            .literal_separator(true)
            .build()
            .map_err(|error| format!("`{pattern}` is not a pattern: {}", error.kind()))?;
        set.add(glob);
    }
    let built = set.build().map(Some);
    built.map_err(|error| format!("the patterns cannot be used together, they are too many or too long: {error}"))
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
        let metadata = fs::symlink_metadata(&self.root).map_err(|error| unreadable_root(&self.root, &error))?;
        if !metadata.is_dir() {
            return single_file(&self.root);
        }
        fs::read_dir(&self.root).map_err(|error| unreadable_root(&self.root, &error))?;
        let root = self
            .root
            .canonicalize()
            .map_err(|error| unreadable_root(&self.root, &error))?;
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
        let rules = IgnoreRules::above(root, parents, !self.patterns.ignores_ignore_files);
        let found = Mutex::default();
        rayon::scope(|scope| self.walk_below(scope, root.to_owned(), PathBuf::new(), rules, &found));
        let Seen {
            mut stamps,
            mut skipped,
        } = found.into_inner().unwrap_or_default();
        if let Some(only) = &self.only {
            stamps.retain(|(path, _)| only(path.as_str()));
            skipped.retain(|skipped| only(&skipped.path));
        }
        stamps.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        skipped.sort_unstable();
        Seen { stamps, skipped }
    }

    /// Lists a directory of the tree, and those below it on whichever threads are free. `path` is its path from the root.
    fn walk_below<'s>(
        &'s self,
        scope: &rayon::Scope<'s>,
        directory: PathBuf,
        path: PathBuf,
        rules: IgnoreRules,
        found: &'s Mutex<Seen>,
    ) {
        let mut seen = Seen::default();
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
        let rules = rules.below(&directory, rule_files, &mut unused);
        for (file, why) in unused {
            let file = file.strip_prefix(&directory).unwrap_or(&file);
            seen.skip(&path.join(file).to_string_lossy(), SkipReason::Unreadable, why);
        }
        for (name, entry) in entries {
            if NEVER_SOURCE.iter().any(|never| name == OsStr::new(never)) || is_exported(&name.to_string_lossy()) {
                continue;
            }
            let kind = match entry.file_type() {
                Ok(kind) => kind,
                Err(error) => {
                    seen.skip_unreadable(&path.join(&name), &error);
                    continue;
                }
            };
            if !rules.is_empty() && rules.leave_out(&directory.join(&name), kind.is_dir()) {
                continue;
            }
            let path = path.join(&name);
            if kind.is_dir() {
                let (directory, rules) = (directory.join(&name), rules.clone());
                scope.spawn(move |scope| self.walk_below(scope, directory, path, rules, found));
            } else {
                self.visit(&path, kind, &entry, &mut seen);
            }
        }
        if let Ok(mut all) = found.lock() {
            all.stamps.append(&mut seen.stamps);
            all.skipped.append(&mut seen.skipped);
        }
    }

    fn visit(&self, path: &Path, kind: fs::FileType, entry: &fs::DirEntry, seen: &mut Seen) {
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
        match entry.metadata() {
            Ok(metadata) => seen.stamps.push((path, Stamp::of(&metadata))),
            Err(error) => seen.skip_unreadable(Path::new(path.as_str()), &error),
        }
    }
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
    let metadata = fs::metadata(path).map_err(|error| unreadable_root(path, &error))?;
    let name = path
        .file_name()
        .and_then(OsStr::to_str)
        .and_then(|name| RepoPath::new(name).ok());
    match name {
        Some(name) if metadata.is_file() => Ok(Seen {
            stamps: vec![(name, Stamp::of(&metadata))],
            skipped: Vec::new(),
        }),
        _ => Err(SourceError {
            message: format!("{} is neither a directory nor a file", path.display()),
            hint: None,
        }),
    }
}

fn unreadable_root(root: &Path, error: &io::Error) -> SourceError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file or directory {}", root.display()),
        _ => format!("{} cannot be read: {error}", root.display()),
    };
    SourceError { message, hint: None }
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
