//! Progress on a terminal, remarks on standard error.
#![expect(clippy::disallowed_methods, reason = "the clock decides when progress is drawn")]

use std::collections::HashSet;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lore_model::Progress;
use lore_seam::visible_line;

use crate::print;

/// Work that ends sooner draws no progress.
const PATIENCE: Duration = Duration::from_millis(300);

/// Shows phases and steps while work lasts.
pub(crate) struct TerminalProgress {
    bar: Option<ProgressBar>,
    quiet: bool,
    begun: Mutex<std::time::Instant>,
    /// Notes that were printed. Each note is printed once.
    noted: Mutex<HashSet<String>>,
}

/// Progress of this process, drawn only on a terminal and not with `--quiet`.
pub(crate) fn watch(quiet: bool) -> Arc<TerminalProgress> {
    let drawn = !quiet && std::io::stderr().is_terminal();
    let bar = drawn.then(|| ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()));
    Arc::new(TerminalProgress {
        bar,
        quiet,
        begun: Mutex::new(std::time::Instant::now()),
        noted: Mutex::default(),
    })
}

impl TerminalProgress {
    /// Clears what was drawn.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Starts drawing when the work has lasted long enough.
    fn show(&self, bar: &ProgressBar) {
        let long = self.begun.lock().is_ok_and(|begun| begun.elapsed() > PATIENCE);
        if long && bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, phase: &str, steps: u64) {
        let Some(bar) = &self.bar else { return };
        let template = match steps {
            0 => "{spinner} {msg}",
            _ => "{msg} {wide_bar} {pos}/{len} files",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_length(steps);
        bar.set_position(0);
        bar.set_message(visible_line(phase).into_owned());
        if phase.starts_with("waiting") {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.show(bar);
    }

    fn advance(&self, steps: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(steps);
            if bar.position().is_multiple_of(64) {
                self.show(bar);
            }
        }
    }

    fn note(&self, text: &str) {
        let is_new = || self.noted.lock().is_ok_and(|mut noted| noted.insert(text.to_owned()));
        if self.quiet || !is_new() {
            return;
        }
        let write = || print::say("note", text);
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}
