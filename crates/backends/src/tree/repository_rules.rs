//! Indexing rules in a repository's own lore.toml, and the files that they leave out.
//!
//! A repository can narrow what is indexed. Its patterns are untrusted: their number and length are limited, an invalid pattern is dropped with a
//! remark, and every answer counts the files that the patterns leave out.

use std::io::ErrorKind;
use std::path::Path;

use lore_index::{Detection, Detector, IndexOptions, LANGUAGES};
use lore_model::{CodeGraph, RepoPath, SkipReason, Skipped};

use super::directory::{BY_IGNORE_FILE, TreePatterns};
use crate::safe_fs::read_bounded_file;
use lore_base::counted::counted_as;

/// Patterns that are taken from one lore.toml, of all kinds together.
const MAX_PATTERNS: usize = 1_000;
/// Bytes of all patterns together.
const MAX_PATTERN_BYTES: usize = 32 << 10;
/// Bytes of one pattern.
const MAX_ONE_PATTERN: usize = 1_000;
/// Wildcards of one pattern: what matching costs grows with them.
const MAX_WILDCARDS: usize = 32;
/// Bytes of a configuration file.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The settings of a repository's lore.toml that decide which files are read, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepositoryRules {
    /// Only files that match one of these.
    pub include: Vec<String>,
    /// No file that matches one of these.
    pub exclude: Vec<String>,
    /// Patterns of paths, each beside the language that such files are in.
    pub languages: Vec<(String, String)>,
    /// The size above which a file is left out; it can only lower the user's.
    pub max_file_bytes: Option<u64>,
}

impl RepositoryRules {
    /// Whether they ask for nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The rules without what is too much or wrong, and why that was dropped.
    #[must_use]
    pub fn bounded(self) -> (Self, Vec<String>) {
        let mut budget = Budget::default();
        let include = budget.keep("index.include", self.include, |pattern| pattern, wrong_pattern);
        let exclude = budget.keep("index.exclude", self.exclude, |pattern| pattern, wrong_pattern);
        let wrong_language =
            |pair: &(String, String)| Some(Detector::new(std::slice::from_ref(pair)).err()?.to_string());
        let languages = budget.keep("languages", self.languages, |(pattern, _)| pattern, wrong_language);
        let rules = Self {
            include,
            exclude,
            languages,
            max_file_bytes: self.max_file_bytes,
        };
        (rules, budget.remarks)
    }
}

fn wrong_pattern(pattern: &String) -> Option<String> {
    TreePatterns::new(std::slice::from_ref(pattern), &[]).err()
}

/// What is left of the patterns that may be taken.
#[derive(Default)]
struct Budget {
    patterns: usize,
    bytes: usize,
    remarks: Vec<String>,
}

impl Budget {
    /// The items of a setting whose patterns are taken.
    fn keep<T>(
        &mut self,
        setting: &str,
        items: Vec<T>,
        pattern: impl Fn(&T) -> &String,
        wrong: impl Fn(&T) -> Option<String>,
    ) -> Vec<T> {
        let (mut kept, mut dropped) = (Vec::new(), 0_usize);
        for item in items {
            let text = pattern(&item);
            let wildcards = text.bytes().filter(|byte| b"*?[{".contains(byte)).count();
            let fits = self.patterns < MAX_PATTERNS
                && self.bytes + text.len() <= MAX_PATTERN_BYTES
                && text.len() <= MAX_ONE_PATTERN
                && wildcards <= MAX_WILDCARDS;
            if !fits {
                dropped += 1;
            } else if let Some(reason) = wrong(&item) {
                self.remarks.push(format!("`{setting}`: {reason}"));
            } else {
                self.patterns += 1;
                self.bytes += text.len();
                kept.push(item);
            }
        }
        if dropped > 0 {
            self.remarks.push(format!(
                "`{setting}`: {} refused: a repository may have {MAX_PATTERNS} patterns, {} kB in all, and {MAX_ONE_PATTERN} bytes and \
                 {MAX_WILDCARDS} wildcards in each",
                counted_as(dropped, "pattern is", "patterns are"),
                MAX_PATTERN_BYTES >> 10
            ));
        }
        kept
    }
}

/// How a tree would be indexed without the rules of its repository.
#[derive(Clone, Debug)]
pub(crate) struct WithoutRules {
    pub(crate) patterns: TreePatterns,
    pub(crate) max_file_bytes: u64,
    /// The patterns with the rules, if these name languages.
    pub(crate) ruled: Option<TreePatterns>,
}

impl WithoutRules {
    /// The remark about the rules: how many files they leave out of an answer.
    pub(crate) fn remark(&self, graph: &CodeGraph) -> Option<String> {
        let mut counts = Counts {
            left_out: graph.skipped().filter(|file| self.would_be_read(*file)).count(),
            ..Counts::default()
        };
        if let Some(ruled) = &self.ruled {
            for file in graph.files() {
                let Ok(path) = RepoPath::new(file.path()) else {
                    continue;
                };
                let own = self.patterns.detect(&path);
                if own == ruled.detect(&path) {
                    continue;
                }
                match own {
                    Detection::Language(number) if name_of(number) == Some(file.language()) => {}
                    Detection::Disputed(_) | Detection::ByContent => counts.by_name += 1,
                    Detection::Language(_) => counts.renamed += 1,
                    // Without the rules it would not be read at all.
                    Detection::Unknown => {}
                }
            }
        }
        counts.told()
    }

    /// Whether a file that was left out would be read.
    fn would_be_read(&self, file: Skipped<'_>) -> bool {
        let path = || RepoPath::new(file.path).ok();
        match file.reason {
            SkipReason::Excluded if !file.detail.is_empty() => false,
            SkipReason::Excluded => {
                self.patterns.wants(file.path) && path().is_some_and(|path| self.patterns.content_matters(&path))
            }
            SkipReason::Oversized => {
                let bytes = file.detail.split(' ').next().and_then(|bytes| bytes.parse().ok());
                bytes.is_none_or(|bytes: u64| bytes <= self.max_file_bytes)
            }
            // Where the content decides, whether it would be read is not known without a look at it: the file counts.
            SkipReason::UnknownLanguage => self.ruled.as_ref().zip(path()).is_some_and(|(ruled, path)| {
                ruled.detect(&path) == Detection::Unknown && self.patterns.detect(&path) != Detection::Unknown
            }),
            _ => false,
        }
    }
}

fn name_of(language: u8) -> Option<&'static str> {
    Some(LANGUAGES.get(usize::from(language))?.name)
}

/// Files that the rules keep from an answer, or change.
#[derive(Default)]
struct Counts {
    left_out: usize,
    /// Read as another language than the one that their names say.
    renamed: usize,
    /// Read as a language that the rules name, where otherwise the content decides.
    by_name: usize,
}

impl Counts {
    fn told(&self) -> Option<String> {
        let parts = [
            (self.left_out, "file is left out", "files are left out"),
            (
                self.renamed,
                "file is read as another language",
                "files are read as another language",
            ),
            (
                self.by_name,
                "file is read as a language that its content did not decide",
                "files are read as a language that their content did not decide",
            ),
        ];
        let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, one, several)| counted_as(count, one, several))
            .collect();
        (!parts.is_empty()).then(|| {
            format!(
                "{} because of the repository's lore.toml; --ignore-repository-rules ignores that file",
                parts.join(" and ")
            )
        })
    }
}

/// The remark about the repository's `.ignore` files: how many tracked files they leave out of an answer.
pub(crate) fn remark_on_ignore_files(graph: &CodeGraph, patterns: &TreePatterns) -> Option<String> {
    let matters = |path: &str| RepoPath::new(path).is_ok_and(|path| patterns.content_matters(&path));
    let left_out = graph
        .skipped()
        .filter(|file| file.reason == SkipReason::Excluded && file.detail == BY_IGNORE_FILE && matters(file.path))
        .count();
    let files = counted_as(
        left_out,
        "file that git tracks is left out",
        "files that git tracks are left out",
    );
    (left_out > 0).then(|| {
        format!("{files} because of the repository's .ignore files; --ignore-repository-rules ignores those files")
    })
}

/// The size above which a file is left out without any setting.
pub fn default_max_file_bytes() -> u64 {
    IndexOptions::default().max_file_bytes
}

/// Reads a configuration file of a repository, which may be anything: only a regular file of a bounded size is read. Nothing if there is none.
pub fn read_configuration(path: &Path) -> Result<Option<String>, String> {
    match read_bounded_file(path, MAX_FILE_BYTES) {
        Ok(Some(bytes)) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| "it is not UTF-8".to_owned()),
        Ok(None) => Ok(None),
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::FileTooLarge) => {
            Err(format!("it is {error}"))
        }
        Err(error) => Err(error.to_string()),
    }
}
