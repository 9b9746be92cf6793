//! SIGINT and SIGTERM: the first signal cancels the operation, which then ends cleanly within a limited time.
#![expect(
    clippy::disallowed_methods,
    reason = "a second signal, or a slow end, ends the process"
)]

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lore_model::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Time that a cancelled operation has to end.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two checks for a signal.
const LOOK: Duration = Duration::from_millis(50);
/// The exit code after a signal, as in shells.
const STOPPED: i32 = 130;

/// From now on, the first signal cancels the operation, and the second one ends the process.
pub(crate) fn end_in_order(cancel: &Arc<Cancel>) {
    let is_asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The shutdown is registered first, so it acts only if an earlier signal set the flag. If registering fails, a signal ends the process
        // at once; stored data stays consistent, because every write is atomic.
        let _ = flag::register_conditional_shutdown(signal, STOPPED, Arc::clone(&is_asked));
        let _ = flag::register(signal, Arc::clone(&is_asked));
    }
    let cancel = Arc::clone(cancel);
    std::thread::spawn(move || {
        while !is_asked.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        cancel.cancel();
        let _ = writeln!(io::stderr(), "note: stopping; press Ctrl-C again to stop at once");
        std::thread::sleep(PATIENCE);
        std::process::exit(STOPPED);
    });
}
