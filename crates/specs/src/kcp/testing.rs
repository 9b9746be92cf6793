//! Manifests from text and a world in memory, for tests.

use super::finding::{Code, Finding, Severity};
use super::model::Manifest;
use super::parse::{Parsed, parse};
use super::validate::{ValidateOptions, validate};
pub(super) use crate::seam::world::World;
use crate::yaml::Limits;

/// A manifest without a flaw; what is appended to it with four spaces belongs to its unit, without them to the manifest.
pub(super) const UNIT: &str = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:\n  - id: a\n    path: docs/a.md\n    intent: What is a?\n    scope: global\n    audience: [agent]\n";

/// What became of a text.
pub(super) fn parsed(text: &str) -> Parsed {
    parse(text.as_bytes(), &Limits::default())
}

/// A manifest from text.
pub(super) fn manifest(text: &str) -> Manifest {
    let parsed = parsed(text);
    assert!(parsed.manifest.is_some(), "{:?}", parsed.findings);
    parsed.manifest.expect("it is there")
}

/// All findings about a text, without looking for files.
pub(super) fn findings(text: &str) -> Vec<Finding> {
    findings_with(text, &ValidateOptions::default())
}

/// All findings about a text.
pub(super) fn findings_with(text: &str, options: &ValidateOptions<'_>) -> Vec<Finding> {
    let parsed = parsed(text);
    let mut findings = parsed.findings;
    for finding in &mut findings {
        finding.severity = options.strict.severity(finding.code, finding.severity);
    }
    if let Some(manifest) = &parsed.manifest {
        findings.extend(validate(manifest, options));
    }
    findings
}

/// Findings in short: `severity code line:column`.
pub(super) fn codes(text: &str) -> Vec<String> {
    let short = |finding: &Finding| {
        let place = finding.place;
        format!(
            "{} {} {}:{}",
            finding.severity.name(),
            finding.code.name(),
            place.line,
            place.column
        )
    };
    findings(text).iter().map(short).collect()
}

/// Whether a text has a finding with a code.
pub(super) fn has(text: &str, code: Code) -> bool {
    findings(text).iter().any(|finding| finding.code == code)
}

/// Whether a text is a valid manifest.
pub(super) fn is_valid(text: &str) -> bool {
    !findings(text).iter().any(|finding| finding.severity == Severity::Error)
}
