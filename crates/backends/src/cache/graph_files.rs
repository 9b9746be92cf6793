//! The files of the graphs of other repositories, as far as the cache counts and removes them.

use std::fs;
use std::path::{Path, PathBuf};

use super::names::{self, IsName};

/// One file.
pub(super) struct GraphFile {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

/// The regular files in the directories of the graphs whose names Lore makes.
pub(super) fn below(graphs: &Path) -> Vec<GraphFile> {
    let mut found = Vec::new();
    add(&graphs.join("known"), is_known, &mut found);
    add(&graphs.join("opened"), is_opened, &mut found);
    // Bodies are in directories by the first digits of their digests.
    for entry in fs::read_dir(graphs.join("bodies")).into_iter().flatten().flatten() {
        let is_group = |name: &str| name.len() == 2 && names::is_digits(name);
        if entry.file_name().to_str().is_some_and(is_group) {
            add(&entry.path(), is_body, &mut found);
        }
    }
    found
}

fn is_body(name: &str) -> bool {
    name.strip_suffix(".gz").is_some_and(names::is_page)
}

fn is_known(name: &str) -> bool {
    name.strip_suffix(".json").is_some_and(names::is_page)
}

/// What is kept of a graph that was opened: its snapshot, what it says of itself, and which file held it.
fn is_opened(name: &str) -> bool {
    let stem = [".snapshot", ".json"].iter().find_map(|end| name.strip_suffix(end));
    let is_version = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_stem = |stem: &str| {
        stem.split_once('-')
            .is_some_and(|(digest, version)| names::is_page(digest) && is_version(version))
    };
    names::is_page(name) || stem.is_some_and(is_stem)
}

fn add(directory: &Path, is_own: IsName, found: &mut Vec<GraphFile>) {
    if !fs::symlink_metadata(directory).is_ok_and(|metadata| metadata.is_dir()) {
        return;
    }
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let own = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_own));
    found.extend(own.filter_map(|entry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(GraphFile {
            path: entry.path(),
            bytes: metadata.len(),
        })
    }));
}
