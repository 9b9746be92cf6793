//! Waiting for files to change.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use lore_model::Cancel;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// A tree is taken to be at rest after this long without an event.
const QUIET: Duration = Duration::from_millis(60);
/// A tree that never rests is looked at after this long since its first event.
const LONGEST: Duration = Duration::from_secs(2);
/// Time between two checks for cancellation.
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

    /// Waits until something changed and then nothing for a moment, or for as long as a change may have to wait; `false` when
    /// asked to stop.
    pub(crate) fn wait(&self, root: &Path, cancel: &Cancel) -> bool {
        let mut changed: Option<Instant> = None;
        loop {
            if cancel.is_cancelled() {
                return false;
            }
            let patience = match changed {
                Some(first) => match LONGEST.checked_sub(first.elapsed()) {
                    Some(left) => left.min(QUIET),
                    None => return true,
                },
                None => LOOK,
            };
            let happened = match self.events.recv_timeout(patience) {
                Ok(Ok(event)) => matters(root, &event),
                // A queue that overflowed may have lost anything.
                Ok(Err(_)) => true,
                Err(RecvTimeoutError::Timeout) if changed.is_some() => return true,
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => return false,
            };
            if happened {
                changed.get_or_insert_with(Instant::now);
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
