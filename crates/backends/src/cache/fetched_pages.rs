//! Pages that were fetched from the web, in the cache of a tree.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use lore_kcp::fetch_cache::FetchCache;
use lore_seam::{ErrorKind, OpError};

use super::TreeCache;
use crate::Repository;
use crate::safe_fs::read_private_file;

/// Bytes of a page.
const MOST_PAGE_BYTES: u64 = 256 << 20;

/// Pages that were fetched before, in the cache beside the index.
pub struct FetchedPages {
    repository: Arc<Repository>,
}

impl FetchedPages {
    /// The pages beside the index of a repository.
    pub fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }

    /// The cache of the tree, and the file of the page with this key. `None` without a cache.
    fn place(&self, key: &str) -> Option<(TreeCache, PathBuf)> {
        let digest = lore_base::digest::sha256(key);
        let cache = self.repository.tree_cache()?;
        let path = cache.fetched(&digest);
        Some((cache, path))
    }
}

impl FetchCache for FetchedPages {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        let (_, path) = self.place(key)?;
        read_private_file(&path, MOST_PAGE_BYTES).ok()?
    }

    fn put(&self, key: &str, content: &[u8]) -> Result<(), OpError> {
        let Some((cache, path)) = self.place(key) else {
            return Ok(());
        };
        let written = cache.write(&path, |file| file.write_all(content));
        written.map_err(|error| {
            let message = format!("the fetched page cannot be cached: {error}");
            OpError::new(ErrorKind::Unavailable, message).because(error)
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{IndexDefaults, RepositoryOptions};

    /// A repository with a cache, in a directory of its own.
    pub(crate) fn repository() -> (tempfile::TempDir, Arc<Repository>) {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().join("tree");
        std::fs::create_dir(&root).expect("made");
        let repository = Repository::new(RepositoryOptions {
            root: Some(root.clone()),
            start: root,
            cache: None,
            user_cache: Some(directory.path().join(".cache")),
            cache_limit: None,
            defaults: Arc::new(|_| Ok(IndexDefaults::default())),
        });
        (directory, Arc::new(repository))
    }

    #[test]
    fn a_page_is_read_back() {
        let (_directory, repository) = repository();
        let pages = FetchedPages::new(repository);
        assert_eq!(pages.get("https://a.example/../x"), None);
        pages.put("https://a.example/../x", b"one").expect("kept");
        pages.put("https://a.example/../x", b"two").expect("kept");
        assert_eq!(pages.get("https://a.example/../x").as_deref(), Some(&b"two"[..]));
        assert_eq!(pages.get("https://a.example/x"), None);
    }
}
