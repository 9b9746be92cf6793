//! A directory, or a single file, as a source tree.
//!
//! `.gitignore`, `.ignore` and the global excludes are honoured, with or without git. What cannot be read, is no file, or has a name
//! that is not UTF-8 is listed as left out, never an error.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::{WalkBuilder, WalkState};
use lore_index::{Detection, Detector, Listing, SkippedFile, SourceError, SourceFile, SourceTree, is_package_file};
use lore_model::{RepoPath, SkipReason};
use lore_specs::ccg::layers::is_exported;

use crate::cache::{Stamp, StatTable};

/// Directories that are never source: git's, Lore's own, and what Lore publishes.
const NEVER_SOURCE: &[&str] = &[".git", ".lore", ".well-known"];
/// No file is read beyond this, whatever the options say: positions are 32 bits wide.
const MAX_READ_BYTES: u64 = u32::MAX as u64 / 2;

/// Which files of a tree are wanted.
#[derive(Clone, Debug, Default)]
pub struct TreePatterns {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
    detector: Detector,
    text: String,
}

impl TreePatterns {
    /// Compiles patterns; the error names the one that is wrong.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, String> {
        Ok(Self {
            include: compile(include)?,
            exclude: compile(exclude)?,
            detector: Detector::default(),
            text: format!("{include:?} {exclude:?}"),
        })
    }

    /// The same patterns, with what a user says about languages.
    #[must_use]
    pub fn with_detector(self, detector: Detector) -> Self {
        Self { detector, ..self }
    }

    /// Whether what a file holds can make a difference: it is in a language of ours, or it names modules.
    pub(crate) fn content_matters(&self, path: &RepoPath) -> bool {
        self.detector.by_path(path) != Detection::Unknown || is_package_file(path)
    }

    /// The patterns as text, for the fingerprint of the options.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a path is wanted.
    pub fn wants(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|set| set.is_match(path))
            && !self.exclude.as_ref().is_some_and(|set| set.is_match(path))
    }
}

fn compile(patterns: &[String]) -> Result<Option<GlobSet>, String> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let text = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
        // A pattern without a slash means the name at any depth, as in .gitignore; one that names a directory means all below it.
        let anchored = if text.contains('/') {
            text.to_owned()
        } else {
            format!("**/{text}")
        };
        for variant in [anchored.clone(), format!("{anchored}/**")] {
            let glob = GlobBuilder::new(&variant)
                .literal_separator(true)
                .build()
                .map_err(|error| format!("`{pattern}` is not a pattern: {}", error.kind()))?;
            set.add(glob);
        }
    }
    set.build().map(Some).map_err(|error| error.to_string())
}

/// A directory or a single file.
pub struct DirectoryTree {
    root: PathBuf,
    patterns: TreePatterns,
    known: StatTable,
    already: Mutex<Option<Seen>>,
    seen: Mutex<Seen>,
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
        let own_repository = self.root.join(".git").exists();
        let found = self.walk_directory(!own_repository);
        let nothing = found.stamps.is_empty() && found.skipped.is_empty();
        // A root that its own parents ignore was named on purpose.
        Ok(if nothing && !own_repository {
            self.walk_directory(false)
        } else {
            found
        })
    }

    fn walk_directory(&self, parents: bool) -> Seen {
        let mut builder = WalkBuilder::new(&self.root);
        builder
            .hidden(false)
            .parents(parents)
            .require_git(false)
            .follow_links(false)
            .threads(rayon::current_num_threads().min(8))
            .filter_entry(|entry| {
                let name = entry.file_name();
                let is_source = !NEVER_SOURCE.iter().any(|never| name == OsStr::new(never));
                entry.depth() == 0 || is_source && !is_exported(&name.to_string_lossy())
            });
        let found: Mutex<Vec<(RepoPath, Stamp)>> = Mutex::default();
        let skipped: Mutex<Vec<SkippedFile>> = Mutex::default();
        builder.build_parallel().run(|| {
            let mut batch = Batch {
                files: Vec::new(),
                skipped: Vec::new(),
                all_files: &found,
                all_skipped: &skipped,
            };
            Box::new(move |entry| {
                match entry {
                    Ok(entry) => self.visit(&entry, &mut batch),
                    Err(error) => batch.skipped.extend(self.fault(&error)),
                }
                WalkState::Continue
            })
        });
        let mut stamps = found.into_inner().unwrap_or_default();
        let mut skipped = skipped.into_inner().unwrap_or_default();
        stamps.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        skipped.sort_unstable();
        Seen { stamps, skipped }
    }

    fn visit(&self, entry: &ignore::DirEntry, batch: &mut Batch<'_>) {
        let Some(kind) = entry.file_type() else {
            return;
        };
        if kind.is_dir() {
            return;
        }
        let path = entry.path().strip_prefix(&self.root).unwrap_or(entry.path());
        let Some(path) = path.to_str().and_then(|text| RepoPath::new(text).ok()) else {
            return batch.skip(&path.to_string_lossy(), SkipReason::BadName, String::new());
        };
        if !self.patterns.wants(path.as_str()) {
            return batch.skip(path.as_str(), SkipReason::Excluded, String::new());
        }
        if !kind.is_file() {
            let what = if kind.is_symlink() {
                "symbolic link"
            } else {
                "special file"
            };
            return batch.skip(path.as_str(), SkipReason::NotAFile, what.to_owned());
        }
        if !self.patterns.content_matters(&path) {
            return batch.files.push((path, Stamp::default()));
        }
        match entry.metadata() {
            Ok(metadata) => batch.files.push((path, Stamp::of(&metadata))),
            // It vanished between the listing and the look.
            Err(error) if is_gone(&error) => {}
            Err(error) => batch.skip(path.as_str(), SkipReason::Unreadable, error.to_string()),
        }
    }

    /// A directory that cannot be read is left out; one that vanished is nothing.
    fn fault(&self, error: &ignore::Error) -> Option<SkippedFile> {
        if is_gone(error) {
            return None;
        }
        let path = fault_path(error).map(|path| path.strip_prefix(&self.root).unwrap_or(path));
        let path = path.map_or_else(String::new, |path| path.to_string_lossy().into_owned());
        let detail = error
            .io_error()
            .map_or_else(|| error.to_string(), |error| error.to_string());
        Some(SkippedFile {
            path,
            reason: SkipReason::Unreadable,
            detail,
        })
    }
}

fn fault_path(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => fault_path(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}

fn is_gone(error: &ignore::Error) -> bool {
    error
        .io_error()
        .is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// What one thread found; handed over when the thread is done.
struct Batch<'a> {
    files: Vec<(RepoPath, Stamp)>,
    skipped: Vec<SkippedFile>,
    all_files: &'a Mutex<Vec<(RepoPath, Stamp)>>,
    all_skipped: &'a Mutex<Vec<SkippedFile>>,
}

impl Batch<'_> {
    fn skip(&mut self, path: &str, reason: SkipReason, detail: String) {
        self.skipped.push(SkippedFile {
            path: path.to_owned(),
            reason,
            detail,
        });
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut all) = self.all_files.lock() {
            all.append(&mut self.files);
        }
        if let Ok(mut all) = self.all_skipped.lock() {
            all.append(&mut self.skipped);
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

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, String> {
        let path = if self.root.is_file() {
            self.root.clone()
        } else {
            self.root.join(file.path.as_str())
        };
        read_bounded(&path).map_err(|error| error.to_string())
    }
}

/// Reads a regular file; anything else could block or never end.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    let metadata: Metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut content = Vec::with_capacity(metadata.len().min(MAX_READ_BYTES) as usize + 1);
    file.take(MAX_READ_BYTES).read_to_end(&mut content)?;
    Ok(content)
}
