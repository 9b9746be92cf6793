//! The ports: a source tree, and a store for the facts of contents seen before.

use lore_model::{Cause, ContentHash, RepoPath, SkipReason};
use thiserror::Error;

/// One file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path.
    pub path: RepoPath,
    /// The size in bytes.
    pub size: u64,
    /// The content, where the tree knows it without reading: a git blob, or a file unchanged since it was last read.
    pub hash: Option<ContentHash>,
}

/// A file that the tree itself leaves out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SkippedFile {
    /// The path; for a name that is not UTF-8, with replacement characters.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
    /// More about it.
    pub detail: String,
}

/// What a tree holds, each list in path order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The files.
    pub files: Vec<SourceFile>,
    /// What was left out.
    pub skipped: Vec<SkippedFile>,
}

/// The tree could not be read at all.
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
    /// This file cannot be read: it is left out of the index, and the listing says why.
    #[error("{0}")]
    File(String),
    /// The tree is not whole: an index of the rest would look complete and would not be.
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

/// What a stored record of facts belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FactsKey {
    /// The content.
    pub hash: ContentHash,
    /// What the path alone says about language and role, and what the options say about generated and minified files.
    pub class: u32,
}

/// Facts of contents seen before. A store may forget anything at any time.
pub trait FactsStore: Sync {
    /// The record of a key.
    fn get(&self, key: FactsKey) -> Option<&[u8]>;

    /// Keeps records.
    fn put(&self, records: &[(FactsKey, Vec<u8>)]);
}
