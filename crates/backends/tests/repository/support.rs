//! Trees and repositories to index, made afresh for each test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use lore_backends::{IndexDefaults, Repository, RepositoryOptions};
use lore_model::{Cancel, CodeGraph, Progress};
use lore_seam::{Code, GraphScope, IndexRequest, IndexSummary, OpError};
use tempfile::TempDir;

/// Progress that keeps the remarks.
#[derive(Default)]
pub(crate) struct Remarks(pub(crate) Mutex<Vec<String>>);

impl Progress for Remarks {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, text: &str) {
        self.0.lock().expect("unbroken").push(text.to_owned());
    }
}

impl Remarks {
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("unbroken"))
    }
}

/// A tree in a directory of its own, with a cache of the user's beside it.
pub(crate) struct Tree {
    pub(crate) directory: TempDir,
    pub(crate) remarks: Remarks,
}

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self {
            directory: TempDir::new().expect("a directory"),
            remarks: Remarks::default(),
        };
        fs::create_dir(tree.root()).expect("a root");
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join("tree")
    }

    pub(crate) fn user_cache(&self) -> PathBuf {
        self.directory.path().join("user-cache")
    }

    /// The cache of the tree in the user's cache.
    pub(crate) fn own_cache(&self) -> PathBuf {
        self.cache_of(&self.root())
    }

    /// The cache of a tree in the user's cache, which must exist.
    pub(crate) fn cache_of(&self, root: &Path) -> PathBuf {
        tree_in(&self.user_cache().join("lore"), root)
    }

    /// The first segment of the facts in the user's cache.
    pub(crate) fn facts(&self) -> PathBuf {
        let stores = fs::read_dir(self.user_cache().join("lore/facts")).expect("facts");
        let store = stores.flatten().next().expect("a store");
        store.path().join("00000001.facts")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), arguments)
    }

    /// The repository at the tree's root, or at a path named on purpose.
    pub(crate) fn repository_at(&self, root: Option<PathBuf>, cache: Option<PathBuf>) -> Repository {
        Repository::new(self.options(root, cache))
    }

    pub(crate) fn options(&self, root: Option<PathBuf>, cache: Option<PathBuf>) -> RepositoryOptions {
        RepositoryOptions {
            root,
            start: self.root(),
            cache,
            user_cache: Some(self.user_cache()),
            cache_limit: None,
            defaults: Arc::new(|_| {
                Ok(IndexDefaults {
                    refresh: true,
                    ..IndexDefaults::default()
                })
            }),
        }
    }

    pub(crate) fn repository(&self) -> Repository {
        self.repository_at(Some(self.root()), None)
    }

    pub(crate) fn index(&self) -> Result<IndexSummary, OpError> {
        self.index_with(&IndexRequest::default())
    }

    pub(crate) fn index_with(&self, request: &IndexRequest) -> Result<IndexSummary, OpError> {
        self.repository().index(request, &self.remarks, &Cancel::default())
    }

    pub(crate) fn graph(&self, revision: Option<&str>) -> Result<Arc<CodeGraph>, OpError> {
        let scope = GraphScope {
            revision: revision.map(str::to_owned),
            ..GraphScope::default()
        };
        self.repository().graph(&scope, &self.remarks, &Cancel::default())
    }

    /// The snapshot that an index without any cache makes.
    pub(crate) fn cold_snapshot(&self) -> Vec<u8> {
        let cache = TempDir::new().expect("a directory");
        let repository = self.repository_at(Some(self.root()), Some(cache.path().to_owned()));
        repository
            .index(&IndexRequest::default(), &self.remarks, &Cancel::default())
            .expect("indexes");
        fs::read(tree_in(cache.path(), &self.root()).join("snapshot")).expect("a snapshot")
    }

    pub(crate) fn warm_snapshot(&self) -> Vec<u8> {
        fs::read(self.own_cache().join("snapshot")).expect("a snapshot")
    }
}

/// The directory of a tree in a cache, found by the path that is written there.
fn tree_in(cache: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().expect("a root");
    let is_its = |path: &PathBuf| {
        let owner = fs::read(path.join("tree")).unwrap_or_default();
        owner.split(|byte| *byte == 0).next() == Some(root.as_os_str().as_encoded_bytes())
    };
    let trees = fs::read_dir(cache.join("trees")).expect("trees").flatten();
    trees
        .map(|entry| entry.path())
        .find(is_its)
        .expect("the tree is cached")
}

pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    lore_testing::run(lore_testing::git(directory).args(arguments))
        .trim()
        .to_owned()
}

/// `path: qualified names` for every file, one a line.
pub(crate) fn listing(graph: &CodeGraph) -> String {
    graph
        .files()
        .map(|file| {
            let names: Vec<_> = file.symbols().map(|symbol| symbol.qualified_name()).collect();
            format!("{}: {}\n", file.path(), names.join(" "))
        })
        .collect()
}

/// `path reason` for every file left out, one a line.
pub(crate) fn skipped(graph: &CodeGraph) -> String {
    graph
        .skipped()
        .map(|skipped| format!("{} {}\n", skipped.path, skipped.reason))
        .collect()
}
