//! What is measured: time of the processor, of the process and of a thread, and the most memory that a process held. By what Linux says of processes; elsewhere there is nothing to measure.

use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Outcome;

/// Parts of a second in which the time of processes is told.
const TICKS: f64 = 100.0;

/// Seconds of the processor that this process took, all threads together.
pub(crate) fn of_process() -> Outcome<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in parentheses and may hold anything.
    let fields = text.rsplit_once(')').ok_or("there is no such process")?.1;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || -> Outcome<f64> { Ok(fields.next().ok_or("there is no time")?.parse()?) };
    Ok((ticks()? + ticks()?) / TICKS)
}

/// Nanoseconds of the processor that this thread took.
pub(crate) fn of_thread() -> u64 {
    // The kernel adds up what a thread took when it gives way.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().unwrap_or_default();
    first.parse().unwrap_or_default()
}

/// Megabytes that this process held at most.
pub(crate) fn peak() -> Outcome<f64> {
    let text = fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("the most memory is not told")?.parse::<f64>()? * 1_024.0 / 1e6)
}

/// Seconds of the processor that something took, in all threads that do it.
#[derive(Default)]
pub(crate) struct Share(AtomicU64);

impl Share {
    pub(crate) fn of<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = of_thread();
        let done = work();
        self.0.fetch_add(of_thread().saturating_sub(before), Ordering::Relaxed);
        done
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.0.load(Ordering::Relaxed) as f64 / 1e9
    }
}

/// What was measured, a line for each, and how many are over their budget.
#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) over: usize,
}

/// How a figure is judged.
#[derive(Clone, Copy)]
pub(crate) enum Budget {
    AtMost(f64),
    AtLeast(f64),
    None,
}

impl Sheet {
    pub(crate) fn title(&self, text: &str) -> Outcome<()> {
        Ok(writeln!(std::io::stdout().lock(), "\n{text}")?)
    }

    /// One figure with its unit, and what else is to be said of it.
    pub(crate) fn figure(&mut self, name: &str, value: f64, unit: &str, budget: Budget, more: &str) -> Outcome<()> {
        let (bound, is_over) = match budget {
            Budget::AtMost(most) => (format!("<= {most}"), value > most),
            Budget::AtLeast(least) => (format!(">= {least}"), value < least),
            Budget::None => (String::new(), false),
        };
        self.over += usize::from(is_over);
        let mark = match (budget, is_over) {
            (Budget::None, _) => "",
            (_, false) => "ok",
            (_, true) => "OVER",
        };
        let line = format!("  {name:<44} {value:>9.3} {unit:<5} {bound:>9} {mark:<4}  {more}");
        Ok(writeln!(std::io::stdout().lock(), "{}", line.trim_end())?)
    }
}
