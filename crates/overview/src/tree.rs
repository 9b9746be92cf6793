//! The files of a tree, as package files are read: which paths there are, and the texts of a few of them.

use std::collections::BTreeSet;
use std::ops::Bound;

use lore_model::{CodeGraph, join_path};

use super::aside::directory;

/// Reads the text of a file: `None` if it is not available or too long.
pub type ReadText<'r> = dyn Fn(&str) -> Option<String> + 'r;

/// Bytes of a file that is read for what it says about the repository.
pub const MAX_TEXT: usize = 512 << 10;

/// The files of a tree.
pub(crate) struct Tree<'a> {
    paths: BTreeSet<&'a str>,
    read: &'a ReadText<'a>,
}

impl<'a> Tree<'a> {
    /// The files of a graph, and those that were left out of it.
    pub(crate) fn of(graph: &'a CodeGraph, read: &'a ReadText<'a>) -> Self {
        let files = graph.files().map(|file| file.path());
        Self::from_paths(files.chain(graph.skipped().map(|skipped| skipped.path)), read)
    }

    pub(crate) fn from_paths(paths: impl Iterator<Item = &'a str>, read: &'a ReadText<'a>) -> Self {
        Self {
            paths: paths.collect(),
            read,
        }
    }

    /// The paths below a directory, in order.
    pub(crate) fn below(&self, top: &str) -> impl Iterator<Item = &'a str> {
        let prefix = if top.is_empty() {
            String::new()
        } else {
            format!("{top}/")
        };
        let from = (Bound::Included(prefix.as_str()), Bound::Unbounded);
        let from = self.paths.range::<str, _>(from);
        from.take_while(move |path| path.starts_with(&prefix)).copied()
    }

    /// The paths of the files that are in a directory itself.
    pub(crate) fn inside(&self, top: &str) -> impl Iterator<Item = &'a str> {
        self.below(top).filter(move |path| directory(path) == top)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// Whether a directory has a file of this name.
    pub(crate) fn has_in(&self, top: &str, name: &str) -> bool {
        self.has(&join_path(top, name))
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        self.has(path).then(|| (self.read)(path)).flatten()
    }
}
