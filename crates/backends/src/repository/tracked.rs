//! The graph of the files that git tracks, for exports. Its snapshot is cached beside the snapshot of all files.

use std::io::Write;
use std::sync::Arc;

use lore_model::{Cancel, CodeGraph, Progress};
use lore_seam::OpError;

use super::{Repository, TreePlace, now_nanoseconds, open_bytes, source_error};
use crate::cache::{Reading, StatTable, listing_fingerprint};
use crate::git::Tracked;
use crate::tree::DirectoryTree;

impl Repository {
    /// The graph of the tracked files alone. It is the graph of all files if git tracks them all. Otherwise it is opened from the cache, where it is
    /// kept by the stamps of the tracked files and the options, or made from the facts that are known.
    pub(super) fn tracked(
        &self,
        place: &TreePlace,
        graph: Arc<CodeGraph>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Arc<CodeGraph>, OpError> {
        let Some(tracked) = Tracked::below(&place.root).map_err(source_error)? else {
            return Ok(graph);
        };
        let is_untracked = |path: &str| !tracked.has(path);
        let files = graph.files().filter(|file| is_untracked(file.path())).count();
        if files == 0 && !graph.skipped().any(|skipped| is_untracked(skipped.path)) {
            return Ok(graph);
        }
        match files {
            0 => {}
            1 => progress.remark("1 file that git does not track is left out; --untracked includes it"),
            files => progress.remark(&format!(
                "{files} files that git does not track are left out; --untracked includes them"
            )),
        }
        let table = place.stamps().ok().flatten();
        let choice = place.remembered(table.as_ref())?;
        let options = choice.index.fingerprint();
        let taken = now_nanoseconds();
        let tree = DirectoryTree::new(place.root.clone(), choice.patterns.clone(), table.unwrap_or_default())
            .with_only(Box::new(move |path| tracked.has(path)));
        let seen = tree.walk().map_err(source_error)?;
        // A file that was written just now may be written again without looking different: such a listing is no key.
        let settled = StatTable::taken_at(taken);
        let is_settled = seen.stamps.iter().all(|(_, stamp)| settled.trusts(stamp));
        let cached = place.derived.as_ref().filter(|_| is_settled).map(|derived| {
            let listing = listing_fingerprint(&seen.stamps, &seen.skipped);
            (&derived.tree, derived.tree.tracked_snapshot(listing, options))
        });
        if let Some((cache, path)) = &cached {
            match cache.open_snapshot(path, None) {
                Ok(Some(graph)) if graph.extractor() == lore_index::EXTRACTOR_VERSION && graph.options() == options => {
                    return Ok(Arc::new(graph));
                }
                Ok(_) => {}
                Err(reason) => progress.note(&format!("{reason}; rebuilding the snapshot of the tracked files")),
            }
        }
        let lock = cached.as_ref().map(|(cache, _)| cache.lock(progress));
        let tree = tree.with_seen(seen);
        let derived = place.derived.as_ref();
        let indexed = self.build(derived, Reading::Stored, &tree, &choice, progress, cancel)?;
        if let (Some((cache, path)), Some(Ok(_))) = (&cached, &lock) {
            let written = cache.write(path, |file| indexed.snapshot.parts(|part| file.write_all(part)));
            if let Err(error) = written {
                progress.note(&format!(
                    "the snapshot of the tracked files could not be cached: {error}"
                ));
            }
            cache.prune_tracked();
        }
        drop(lock);
        open_bytes(indexed.snapshot.to_bytes()).map(Arc::new)
    }
}
