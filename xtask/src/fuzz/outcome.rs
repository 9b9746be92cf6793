//! What libFuzzer says of a run, and the table of it.

use std::path::PathBuf;

/// What came of a target.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) name: String,
    pub(crate) executions: u64,
    pub(crate) seconds: u64,
    /// Edges of the program that were reached.
    pub(crate) coverage: u64,
    pub(crate) crashes: u64,
    pub(crate) hangs: u64,
    pub(crate) out_of_memory: u64,
    /// Seconds of the slowest input.
    pub(crate) slowest: u64,
    /// Megabytes of the process at its peak.
    pub(crate) peak: u64,
    /// The inputs that broke it.
    pub(crate) artifacts: Vec<PathBuf>,
}

impl Tally {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Takes a line of the fuzzer's into account.
    pub(crate) fn take(&mut self, line: &str) {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        if let Some((_, rest)) = line.split_once("cov: ") {
            let coverage = rest.split(' ').next().and_then(number);
            self.coverage = self.coverage.max(coverage.unwrap_or(0));
            let executions = line.strip_prefix('#').and_then(|rest| rest.split(['\t', ' ']).next());
            self.executions = self.executions.max(executions.and_then(number).unwrap_or(0));
        }
        let stat = |name: &str| {
            line.strip_prefix("stat::")?
                .strip_prefix(name)?
                .strip_prefix(':')
                .and_then(number)
        };
        self.executions = self.executions.max(stat("number_of_executed_units").unwrap_or(0));
        self.slowest = self.slowest.max(stat("slowest_unit_time_sec").unwrap_or(0));
        self.peak = self.peak.max(stat("peak_rss_mb").unwrap_or(0));
        if let Some((_, what)) = line.split_once("SUMMARY: libFuzzer: ") {
            match what.trim() {
                "timeout" => self.hangs += 1,
                "out-of-memory" => self.out_of_memory += 1,
                _ => self.crashes += 1,
            }
        }
    }

    pub(crate) fn findings(&self) -> u64 {
        self.crashes + self.hangs + self.out_of_memory
    }

    /// The tally of several.
    pub(crate) fn sum(tallies: &[Self]) -> Self {
        let mut sum = Self::new("all");
        for tally in tallies {
            sum.executions += tally.executions;
            sum.seconds += tally.seconds;
            sum.crashes += tally.crashes;
            sum.hangs += tally.hangs;
            sum.out_of_memory += tally.out_of_memory;
            sum.coverage = sum.coverage.max(tally.coverage);
            sum.slowest = sum.slowest.max(tally.slowest);
            sum.peak = sum.peak.max(tally.peak);
        }
        sum
    }

    pub(crate) fn head() -> String {
        cells([
            "target",
            "executions",
            "seconds",
            "coverage",
            "crashes",
            "hangs",
            "out of memory",
            "slowest s",
            "peak MB",
        ])
    }

    pub(crate) fn row(&self) -> String {
        let numbers = [
            self.executions,
            self.seconds,
            self.coverage,
            self.crashes,
            self.hangs,
            self.out_of_memory,
            self.slowest,
            self.peak,
        ]
        .map(|number| number.to_string());
        let [
            executions,
            seconds,
            coverage,
            crashes,
            hangs,
            out_of_memory,
            slowest,
            peak,
        ] = &numbers;
        cells([
            &self.name,
            executions,
            seconds,
            coverage,
            crashes,
            hangs,
            out_of_memory,
            slowest,
            peak,
        ])
    }
}

fn cells(cells: [&str; 9]) -> String {
    const WIDTHS: [usize; 9] = [22, 11, 8, 9, 8, 6, 14, 10, 8];
    let padded = cells.iter().zip(WIDTHS).enumerate();
    padded
        .map(|(at, (cell, width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_says_is_counted() {
        let mut tally = Tally::new("yaml");
        for line in [
            "#2\tINITED cov: 11 ft: 12 corp: 1/1b exec/s: 0 rss: 28Mb",
            "#1024\tpulse  cov: 340 ft: 500 corp: 20/1Kb exec/s: 512 rss: 40Mb",
            "==1== ERROR: libFuzzer: timeout after 10 seconds",
            "SUMMARY: libFuzzer: timeout",
            "stat::number_of_executed_units: 2048",
            "stat::slowest_unit_time_sec:    10",
            "stat::peak_rss_mb:              77",
        ] {
            tally.take(line);
        }
        assert_eq!(
            (tally.executions, tally.coverage, tally.hangs, tally.slowest, tally.peak),
            (2048, 340, 1, 10, 77)
        );
        tally.take("SUMMARY: libFuzzer: deadly signal");
        tally.take("SUMMARY: libFuzzer: out-of-memory");
        assert_eq!((tally.crashes, tally.out_of_memory, tally.findings()), (1, 1, 3));
        assert_eq!(Tally::sum(&[tally.clone(), tally]).executions, 4096);
    }

    #[test]
    fn a_row_stands_below_its_head() {
        assert_eq!(Tally::head().chars().count(), Tally::new("a").row().chars().count());
    }
}
