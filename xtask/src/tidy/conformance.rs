//! Every clause of a specification has a test that is named after it, or a reason in `conformance/skips.toml`.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::Finding;

/// The reasons.
pub(super) const SKIPS: &str = "conformance/skips.toml";
/// The readings of the specifications; each clause has a heading of the third level.
const READINGS: &str = "docs/specs/";
/// Folders that are not called after a specification, each with the one whose clauses its tests hold.
const SHARED: &[(&str, &str)] = &[
    ("crates/base/src/yaml/", "kcp"),
    ("crates/base/src/scrub/", "ckgp"),
    ("crates/overview/", "ccg"),
    ("crates/registry/", "ckgp"),
];

/// What was gathered from the files.
#[derive(Default)]
pub(super) struct Conformance {
    /// Specification, clause and line of its heading.
    clauses: Vec<(String, String, usize)>,
    /// The beginning of a test's name, up to the first underscore, and its file.
    tests: BTreeSet<(String, String)>,
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
                    let clause = name.split_once('_');
                    self.tests
                        .extend(clause.map(|(clause, _)| (clause.to_owned(), path.to_owned())));
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
            let name = clause.to_lowercase();
            let mut tests = self.tests.range((name.clone(), String::new())..);
            let is_held = tests
                .by_ref()
                .take_while(|(beginning, _)| *beginning == name)
                .any(|(_, path)| is_of(specification, path));
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

/// Whether a file holds tests of a specification: a folder on the way to it, or the file itself, is called so or begins so (`ccg_diff.rs`). Two specifications
/// may both have a clause A1.
fn is_of(specification: &str, path: &str) -> bool {
    if let Some((_, holder)) = SHARED.iter().find(|(folder, _)| path.starts_with(folder)) {
        return specification == *holder;
    }
    path.split(['/', '.']).any(|part| {
        part.strip_prefix(specification)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(skips: &str, source: &str) -> Vec<String> {
        let mut conformance = Conformance::default();
        conformance.take("docs/specs/x.md", "# X\n\n### A1\n\ntext\n\n### A2\n");
        conformance.take(SKIPS, skips);
        conformance.take("crates/x/src/deep/y.rs", source);
        conformance.take("crates/other/src/y.rs", "#[test]\nfn a2_of_another() {}\n");
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

    #[test]
    fn a_test_counts_for_the_specification_of_its_folder() {
        assert!(is_of("kcp", "crates/kcp/src/parse/mod.rs"));
        assert!(is_of("kcp", "crates/cli/tests/end_to_end/kcp.rs"));
        assert!(is_of("ccg", "crates/cli/tests/end_to_end/ccg_diff.rs"));
        assert!(!is_of("kcp", "crates/ccg/src/lib.rs"));
        assert!(!is_of("ccg", "crates/ccgx/src/lib.rs"));
    }
}
