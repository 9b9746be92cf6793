//! The ports of the indexer: a source tree, and a store of facts by content.

use lore_model::{Cause, ContentHash, RepoPath, SkipReason};
use thiserror::Error;

/// One file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path.
    pub path: RepoPath,
    /// The size in bytes.
    pub size: u64,
    /// The content hash, if the tree knows it without reading: of a git blob, or of a file that did not change since
    /// it was last read.
    pub hash: Option<ContentHash>,
}

/// A file that the tree leaves out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SkippedFile {
    /// The path; for a name that is not UTF-8, with replacement characters.
    pub path: String,
    /// The reason.
    pub reason: SkipReason,
    /// Details.
    pub detail: String,
}

/// The listing of a tree, with each list in path order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The files.
    pub files: Vec<SourceFile>,
    /// The files that were left out.
    pub skipped: Vec<SkippedFile>,
}

/// The tree could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct SourceError {
    /// What failed and where.
    pub message: String,
    /// What the user can do.
    pub hint: Option<String>,
    /// Whether the given name means several things; the hint lists them.
    pub is_ambiguous: bool,
    /// The error that led to this one.
    #[source]
    pub cause: Option<Cause>,
}

impl SourceError {
    /// An error without a hint and a cause.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            is_ambiguous: false,
            cause: None,
        }
    }

    /// Sets what the user can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the error that led to this one.
    #[must_use]
    pub fn because(mut self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Cause::new(cause));
        self
    }
}

/// Why a file of a tree cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadError {
    /// The file cannot be read. The index leaves it out, and the listing says why.
    #[error("{0}")]
    File(String),
    /// The tree is not complete. An index of the rest would look complete, so indexing fails.
    #[error(transparent)]
    Tree(SourceError),
}

/// A tree of source files: a directory, or a revision.
pub trait SourceTree: Sync {
    /// Lists the tree.
    fn list(&self) -> Result<Listing, SourceError>;

    /// Reads one file.
    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError>;
}

/// The key of a stored record of facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FactsKey {
    /// The content.
    pub hash: ContentHash,
    /// The part of the key that the path and the options decide: language and role, and the handling of generated and
    /// minified files.
    pub class: u32,
}

/// A store of facts by content. A store may drop any record at any time.
pub trait FactsStore: Sync {
    /// The record of a key.
    fn get(&self, key: FactsKey) -> Option<&[u8]>;

    /// Stores records.
    fn put(&self, records: &[(FactsKey, Vec<u8>)]);
}
