//! Snapshots of the mind graph, for speed: files in the user's cache that are replaced by a rename, verified when read, and never pushed (clause Store13).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_seam::OpError;

use super::unavailable;
use crate::cache::map::map;
use crate::cache::private_directory;
use crate::safe_fs::{remove, replace, sweep_inside};

/// How the names of moments begin, and how many of them are kept.
const MOMENT: &str = "at-";
const MAX_MOMENTS: usize = 4;

/// What was kept under a name.
pub(super) fn read(directory: &Path, name: &str) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>> {
    map(&path_of(directory, name)?).ok()
}

/// Keeps something, if that can be done.
pub(super) fn keep(directory: &Path, name: &str, bytes: &[u8]) {
    let Some(path) = path_of(directory, name) else {
        return;
    };
    if private_directory(directory).is_err() {
        return;
    }
    sweep_inside(directory);
    if replace(&path, bytes).is_ok() && name.starts_with(MOMENT) {
        prune(directory, &path);
    }
}

/// Whether something is kept.
pub(super) fn has_any(directory: &Path) -> bool {
    !kept(directory).is_empty()
}

/// Forgets all of it.
pub(super) fn drop_all(directory: &Path) -> Result<(), OpError> {
    for path in kept(directory) {
        remove(&path)
            .map_err(|error| unavailable(format!("{} cannot be removed: {error}", path.display())).because(error))?;
    }
    Ok(())
}

/// The names that are kept: letters, digits and hyphens, so that none leads elsewhere, and not that of the lock.
fn path_of(directory: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_name = !name.is_empty() && name.len() <= 100 && name != "lock" && name.bytes().all(is_plain);
    is_name.then(|| directory.join(name))
}

fn kept(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .filter_map(|entry| path_of(directory, entry.file_name().to_str()?))
        .collect()
}

/// Drops all but the newest moments; the one that was kept just now stays.
fn prune(directory: &Path, newest: &Path) {
    let is_moment = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(MOMENT)) && path != newest
    };
    let mut moments: Vec<_> = kept(directory)
        .into_iter()
        .filter(is_moment)
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    moments.sort_unstable();
    let surplus = (moments.len() + 1).saturating_sub(MAX_MOMENTS);
    for (_, path) in moments.iter().take(surplus) {
        let _ = remove(path);
    }
}
