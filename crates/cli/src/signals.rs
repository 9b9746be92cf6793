//! Ctrl-C, and the signal that ends services: what can come to an orderly end is asked to, and is not waited for long.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lore_model::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// How long an orderly end may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How soon a signal is noticed.
const LOOK: Duration = Duration::from_millis(50);
/// What the process ends with that was stopped by hand, as shells have it.
const STOPPED: i32 = 130;

/// From now on the first signal asks for an end, and the second one is one.
pub(crate) fn end_in_order(cancel: &Arc<Cancel>) {
    let is_asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The end first: it counts only if the flag was set by an earlier signal. Where neither can be had a signal ends the process at once, and what is kept is whole all the same.
        let _ = flag::register_conditional_shutdown(signal, STOPPED, Arc::clone(&is_asked));
        let _ = flag::register(signal, Arc::clone(&is_asked));
    }
    let cancel = Arc::clone(cancel);
    std::thread::spawn(move || {
        while !is_asked.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        cancel.cancel();
        // Whoever is not there to read it needs no word.
        let _ = writeln!(io::stderr(), "note: it is about to end; once more ends it at once");
        std::thread::sleep(PATIENCE);
        std::process::exit(STOPPED);
    });
}
