//! The pipeline: list the tree, extract new files in parallel, link everything.

use lore_model::{Cancel, ContentHash, FactsView, Progress, RepoPath, SkipReason, Snapshot};
use rayon::prelude::*;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::detect::{self, Detection, Detector, DetectorError};
use crate::extract::extract_guarded;
use crate::language::Role;
use crate::layout::is_package_file;
use crate::link::{LinkFile, link};
use crate::source::{FactsKey, FactsStore, ReadError, SkippedFile, SourceError, SourceFile, SourceTree};

/// The default size limit of a file.
const DEFAULT_MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// The size limit of a package file.
const MAX_PACKAGE_FILE_BYTES: u64 = 1024 * 1024;

/// Which files the index includes. Options decide the content of the snapshot, so their fingerprint is part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexOptions {
    /// Keep vendored files.
    pub vendored: bool,
    /// Keep generated files.
    pub generated: bool,
    /// Keep minified files.
    pub minified: bool,
    /// The size limit of a file.
    pub max_file_bytes: u64,
    /// A fingerprint of other settings that decide the listing of the tree, such as its patterns.
    pub tree: String,
    /// Path patterns, each with the language of matching files.
    pub languages: Vec<(String, String)>,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            vendored: false,
            generated: false,
            minified: false,
            max_file_bytes: DEFAULT_MAX_FILE_BYTES,
            tree: String::new(),
            languages: Vec::new(),
        }
    }
}

impl IndexOptions {
    /// A number that differs if the options differ.
    pub fn fingerprint(&self) -> u64 {
        let Self {
            vendored,
            generated,
            minified,
            max_file_bytes,
            tree,
            languages,
        } = self;
        xxh3_64(format!("{vendored} {generated} {minified} {max_file_bytes} {tree} {languages:?}").as_bytes())
    }

    /// The part of the options that decides whether a file has facts.
    fn class(&self) -> u32 {
        u32::from(self.generated) | u32::from(self.minified) << 1
    }
}

/// Why indexing failed.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The tree cannot be listed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The patterns of the `[languages]` table are invalid.
    #[error(transparent)]
    Languages(#[from] DetectorError),
    /// Cancelled.
    #[error("indexing was cancelled")]
    Cancelled,
}

/// The result of indexing.
#[derive(Debug)]
pub struct Indexed {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The statistics of the run.
    pub report: IndexReport,
    /// The content hashes of all files that were considered, in path order.
    pub contents: Vec<(RepoPath, ContentHash)>,
}

/// The statistics of an indexing run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IndexReport {
    /// Files in the graph.
    pub files: usize,
    /// Files that were parsed in this run; the facts of the others came from the cache.
    pub extracted: usize,
    /// Files that were left out.
    pub skipped: usize,
    /// Files with syntax errors.
    pub with_errors: usize,
}

/// The result for one file.
enum Outcome<'s> {
    /// The facts are in the store.
    Known {
        language: u8,
        facts: Box<FactsView<'s>>,
    },
    /// The facts are in the new record beside it.
    New,
    Skip(SkipReason, String),
}

struct Visited<'s> {
    file: SourceFile,
    hash: Option<ContentHash>,
    outcome: Outcome<'s>,
    new_record: Option<(FactsKey, Vec<u8>)>,
    /// The number of the record among all new ones.
    record: usize,
}

impl<'s> Visited<'s> {
    fn without_record(file: SourceFile, hash: Option<ContentHash>, outcome: Outcome<'s>) -> Self {
        Self {
            file,
            hash,
            outcome,
            new_record: None,
            record: usize::MAX,
        }
    }
}

/// Indexes a tree.
pub fn index(
    tree: &dyn SourceTree,
    store: &dyn FactsStore,
    options: &IndexOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Indexed, IndexError> {
    let detector = Detector::new(&options.languages)?;
    progress.begin("listing", 0);
    let listing = tree.list()?;
    let mut skipped = listing.skipped;
    let mut candidates = Vec::with_capacity(listing.files.len());
    let mut package_files = Vec::new();
    for file in listing.files {
        let is_wanted_package_file = is_package_file(&file.path)
            && file.size <= MAX_PACKAGE_FILE_BYTES
            && detect::vendored_by(&file.path).is_none();
        let mut unreadable = None;
        if is_wanted_package_file {
            match tree.read(&file) {
                Ok(bytes) => package_files.extend(String::from_utf8(bytes).ok().map(|text| (file.path.clone(), text))),
                Err(ReadError::File(message)) => unreadable = Some((SkipReason::Unreadable, message)),
                Err(ReadError::Tree(error)) => return Err(error.into()),
            }
        }
        match unreadable.or_else(|| left_out(&file, options, &detector)) {
            Some((reason, detail)) => skipped.push(SkippedFile {
                path: file.path.as_str().to_owned(),
                reason,
                detail,
            }),
            None => candidates.push(file),
        }
    }
    progress.begin("reading", candidates.len() as u64);
    // The largest file first: a late start of a large file would delay the end.
    candidates.sort_unstable_by(|left, right| right.size.cmp(&left.size).then_with(|| left.path.cmp(&right.path)));
    let mut visited: Vec<Visited<'_>> = candidates
        .into_par_iter()
        .with_max_len(1)
        .map(|file| {
            if cancel.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
            let visited = visit(tree, store, options, &detector, file);
            progress.advance(1);
            visited
        })
        .collect::<Result<_, _>>()?;
    visited.sort_unstable_by(|left, right| left.file.path.cmp(&right.file.path));
    let mut report = IndexReport::default();
    let mut records = Vec::new();
    let mut files = Vec::with_capacity(visited.len());
    let mut contents = Vec::with_capacity(visited.len());
    // New facts are read from the stored records, so they are in memory only once.
    for visited in &mut visited {
        let number = visited.new_record.take().map(|record| {
            records.push(record);
            records.len() - 1
        });
        visited.record = number.unwrap_or(visited.record);
    }
    for Visited {
        file,
        hash,
        outcome,
        record,
        ..
    } in visited
    {
        contents.extend(hash.map(|hash| (file.path.clone(), hash)));
        let outcome = match outcome {
            Outcome::New => {
                report.extracted += 1;
                let kept: &[u8] = records.get(record).map_or(&[], |(_, kept)| kept);
                decode(kept, file.size).unwrap_or_else(|| {
                    let why = "its facts do not agree with each other";
                    Outcome::Skip(SkipReason::Unreadable, why.to_owned())
                })
            }
            outcome => outcome,
        };
        match (outcome, hash) {
            (Outcome::Known { language, facts }, Some(hash)) => {
                report.with_errors += usize::from(!facts.diagnostics.is_empty());
                if let Some(language) = detect::language(language) {
                    files.push(LinkFile {
                        path: file.path,
                        hash,
                        size: file.size,
                        language,
                        facts: *facts,
                    });
                }
            }
            (Outcome::Skip(reason, detail), _) => {
                skipped.push(SkippedFile {
                    path: file.path.as_str().to_owned(),
                    reason,
                    detail,
                });
            }
            (Outcome::Known { .. } | Outcome::New, _) => {}
        }
    }
    skipped.sort();
    progress.begin("linking", 0);
    report.files = files.len();
    report.skipped = skipped.len();
    let (snapshot, ()) = rayon::join(
        || link(&files, &skipped, &package_files, options.fingerprint()),
        || store.put(&records),
    );
    Ok(Indexed {
        snapshot,
        report,
        contents,
    })
}

/// Why a file is not read.
fn left_out(file: &SourceFile, options: &IndexOptions, detector: &Detector) -> Option<(SkipReason, String)> {
    if let Some(directory) = detect::vendored_by(&file.path)
        && !options.vendored
    {
        return Some((SkipReason::Vendored, directory.to_owned()));
    }
    if detector.by_path(&file.path) == Detection::Unknown {
        return Some((SkipReason::UnknownLanguage, String::new()));
    }
    if file.size > options.max_file_bytes {
        return Some((SkipReason::Oversized, format!("{} bytes", file.size)));
    }
    (detect::minified_by_name(&file.path) && !options.minified).then(|| (SkipReason::Minified, String::new()))
}

/// The facts of one file: from the store if the content is known, otherwise by reading and extracting it.
fn visit<'s>(
    tree: &dyn SourceTree,
    store: &'s dyn FactsStore,
    options: &IndexOptions,
    detector: &Detector,
    file: SourceFile,
) -> Result<Visited<'s>, IndexError> {
    let detection = detector.by_path(&file.path);
    let role = detection
        .presumed()
        .map(|language| language.role(&file.path))
        .unwrap_or_default();
    let class = options.class() | facts_class(detection, role, &file.path);
    let known = |hash: ContentHash| {
        store
            .get(FactsKey { hash, class })
            .and_then(|record| decode(record, file.size))
    };
    if let Some(hash) = file.hash
        && let Some(outcome) = known(hash)
    {
        return Ok(Visited::without_record(file, Some(hash), outcome));
    }
    let content = match tree.read(&file) {
        Ok(content) => content,
        Err(ReadError::Tree(error)) => return Err(error.into()),
        Err(ReadError::File(message)) => {
            let outcome = Outcome::Skip(SkipReason::Unreadable, message);
            return Ok(Visited::without_record(file, None, outcome));
        }
    };
    if content.len() as u64 > options.max_file_bytes {
        // The file grew after the listing.
        let outcome = Outcome::Skip(SkipReason::Oversized, format!("{} bytes", content.len()));
        return Ok(Visited::without_record(file, None, outcome));
    }
    let Ok(hash) = detect::content_hash(&content) else {
        let outcome = Outcome::Skip(
            SkipReason::Unreadable,
            "its content is a SHA-1 collision attack".to_owned(),
        );
        return Ok(Visited::without_record(file, None, outcome));
    };
    let file = SourceFile {
        size: content.len() as u64,
        ..file
    };
    if let Some(outcome) = known(hash) {
        return Ok(Visited::without_record(file, Some(hash), outcome));
    }
    let (outcome, record) = judge(detection, role, options, &file.path, &content);
    Ok(Visited {
        new_record: Some((FactsKey { hash, class }, record)),
        ..Visited::without_record(file, Some(hash), outcome)
    })
}

/// The part of a cache key that the path decides, in the bits above those of the options.
fn facts_class(detection: Detection, role: Role, path: &RepoPath) -> u32 {
    let role = u32::from(role.test) << 2 | u32::from(role.declaration) << 3;
    // The extension decides which languages compete, so the same content can be classified differently under another
    // name.
    let extension = match detection {
        Detection::Disputed(_) => path.file_name().rsplit('.').next().unwrap_or_default(),
        _ => "",
    };
    let extension = xxh3_64(extension.to_ascii_lowercase().as_bytes()) as u32 & 0xfff;
    role | u32::from(detection.number()) << 4 | extension << 20
}

const RECORD_FACTS: u8 = 0;
const RECORD_SKIP: u8 = 1;

/// Classifies and extracts a content, and makes the record for the store.
fn judge(
    detection: Detection,
    role: Role,
    options: &IndexOptions,
    path: &RepoPath,
    content: &[u8],
) -> (Outcome<'static>, Vec<u8>) {
    let skip = |reason: SkipReason| (Outcome::Skip(reason, String::new()), vec![RECORD_SKIP, reason as u8]);
    let Some(number) = detect::detect_by_content(detection, path, content) else {
        return skip(SkipReason::UnknownLanguage);
    };
    let Some(language) = detect::language(number) else {
        return skip(SkipReason::UnknownLanguage);
    };
    match detect::unfit(language, content) {
        Err(SkipReason::Generated) if options.generated => {}
        Err(SkipReason::Minified) if options.minified => {}
        Err(reason) => return skip(reason),
        Ok(()) => {}
    }
    let Ok(source) = std::str::from_utf8(content) else {
        return skip(SkipReason::NotUtf8);
    };
    // A byte order mark is not part of the text.
    let facts = extract_guarded(language, role, source.strip_prefix('\u{feff}').unwrap_or(source));
    let mut record = vec![RECORD_FACTS, number];
    record.extend_from_slice(&facts.to_bytes());
    (Outcome::New, record)
}

/// The result in a record for a file of a given size; `None` if the record is damaged.
fn decode(record: &[u8], size: u64) -> Option<Outcome<'_>> {
    match record {
        [RECORD_FACTS, language, facts @ ..] => {
            let facts = Box::new(FactsView::from_bytes(facts).ok()?);
            facts.slots_fit(size).then_some(())?;
            Some(Outcome::Known {
                language: *language,
                facts,
            })
        }
        [RECORD_SKIP, reason] => Some(Outcome::Skip(SkipReason::from_number(*reason)?, String::new())),
        _ => None,
    }
}
