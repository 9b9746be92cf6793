//! Waiting for files to change.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use lore_model::Cancel;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// A tree is taken to be at rest after this long without an event.
const QUIET: Duration = Duration::from_millis(60);
/// How often a wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(200);

/// Watches one tree.
pub(crate) struct TreeWatch {
    events: Receiver<notify::Result<Event>>,
    _watcher: RecommendedWatcher,
}

impl TreeWatch {
    /// Begins to watch.
    pub(crate) fn new(root: &Path) -> notify::Result<Self> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        watcher.watch(root, RecursiveMode::Recursive)?;
        Ok(Self {
            events,
            _watcher: watcher,
        })
    }

    /// Waits until something changed and then nothing for a moment; `false` when asked to stop.
    pub(crate) fn wait(&self, root: &Path, cancel: &Cancel) -> bool {
        let mut changed = false;
        loop {
            match self.events.recv_timeout(if changed { QUIET } else { LOOK }) {
                Ok(Ok(event)) => changed |= matters(root, &event),
                // A queue that overflowed may have lost anything.
                Ok(Err(_)) => changed = true,
                Err(RecvTimeoutError::Timeout) if changed => return true,
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return false,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }
}

/// Whether an event is about source: not about reading, nor about what git and Lore write for themselves.
fn matters(root: &Path, event: &Event) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    event.paths.iter().any(|path| {
        let relative = path.strip_prefix(root).unwrap_or(path);
        !relative
            .components()
            .any(|part| matches!(part.as_os_str().to_str(), Some(".git" | ".lore" | ".well-known")))
    })
}
