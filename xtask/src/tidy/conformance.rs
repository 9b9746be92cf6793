//! Every clause of a specification has a test that is named after it, or a reason in `conformance/skips.toml`.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::Finding;

/// The reasons.
pub(super) const SKIPS: &str = "conformance/skips.toml";
/// Where the readings of the specifications stand; each clause has a heading of the third level.
const READINGS: &str = "docs/specs/";

/// What was gathered from the files.
#[derive(Default)]
pub(super) struct Conformance {
    /// Specification, clause and line of its heading.
    clauses: Vec<(String, String, usize)>,
    /// The beginnings of the names of tests, up to the first underscore.
    tests: BTreeSet<String>,
    skips: Table,
}

impl Conformance {
    /// Takes what a file says.
    pub(super) fn take(&mut self, path: &str, text: &str) {
        if let Some(name) = path.strip_prefix(READINGS).and_then(|name| name.strip_suffix(".md")) {
            for (number, line) in (1..).zip(text.lines()) {
                if let Some(clause) = line.strip_prefix("### ") {
                    self.clauses.push((name.to_owned(), clause.trim().to_owned(), number));
                }
            }
        }
        if path == SKIPS {
            self.skips = text.parse().unwrap_or_default();
        }
        if path.starts_with("crates/") && path.ends_with(".rs") {
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                if let Some(name) = line.strip_prefix("fn ").filter(|_| is_test) {
                    self.tests
                        .extend(name.split_once('_').map(|(clause, _)| clause.to_owned()));
                }
                is_test = line.starts_with("#[test]") || is_test && line.starts_with("#[");
            }
        }
    }

    /// What is missing.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (specification, clause, line) in &self.clauses {
            let reason = self.skips.get(specification).and_then(|table| table.get(clause));
            let is_held = self.tests.contains(&clause.to_lowercase());
            let path = format!("{READINGS}{specification}.md");
            match (is_held, reason.and_then(Value::as_str)) {
                (true, None) => {}
                (false, Some(reason)) if !reason.trim().is_empty() => {}
                (true, Some(_)) => findings.push(Finding::new(
                    SKIPS,
                    1,
                    format!("{clause} of {specification} is held by a test by now; take it out"),
                )),
                (false, _) => findings.push(Finding::new(
                    &path,
                    *line,
                    format!("no test is named after {clause}, and {SKIPS} gives no reason"),
                )),
            }
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(skips: &str, source: &str) -> Vec<String> {
        let mut conformance = Conformance::default();
        conformance.take("docs/specs/x.md", "# X\n\n### A1\n\ntext\n\n### A2\n");
        conformance.take(SKIPS, skips);
        conformance.take("crates/specs/src/x.rs", source);
        conformance.findings().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_clause_needs_a_test_or_a_reason() {
        let test = "#[test]\nfn a1_it_holds() {}\n";
        assert_eq!(found("[x]\nA2 = \"why not\"\n", test), [""; 0]);
        assert_eq!(
            found("", test),
            ["docs/specs/x.md:7: no test is named after A2, and conformance/skips.toml gives no reason"]
        );
        assert_eq!(found("[x]\nA1 = \"old\"\nA2 = \"why not\"\n", test).len(), 1);
        assert_eq!(found("[x]\nA2 = \"why not\"\n", "fn a1_is_no_test() {}\n").len(), 1);
    }
}
