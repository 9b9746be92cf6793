//! Manifests from text and a world in memory, for tests.

use super::finding::{Code, Finding, Severity};
use super::model::Manifest;
use super::parse::{Parsed, parse};
use super::validate::{ValidateOptions, validate};
use std::sync::{Arc, Mutex};

use std::collections::BTreeMap;

use super::audit_log::AuditLog;
use super::fetch_cache::FetchCache;
pub(super) use lore_seam::world::World;
use lore_seam::{ErrorKind, OpError, PortMap};

use lore_base::yaml::Limits;

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

/// An audit log in memory.
#[derive(Default)]
struct AuditLines(Mutex<Vec<String>>);

impl AuditLog for AuditLines {
    fn append(&self, line: &str) -> Result<(), OpError> {
        self.0.lock().expect("whole").push(line.to_owned());
        Ok(())
    }

    fn last(&self, most: usize) -> Result<Vec<String>, OpError> {
        let lines = self.0.lock().expect("whole");
        Ok(lines.iter().skip(lines.len().saturating_sub(most)).cloned().collect())
    }
}

/// An audit log that cannot be written.
pub(super) struct FullDisk;

impl AuditLog for FullDisk {
    fn append(&self, _: &str) -> Result<(), OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "the audit log cannot be written"))
    }

    fn last(&self, _: usize) -> Result<Vec<String>, OpError> {
        Ok(Vec::new())
    }
}

/// A cache of responses in memory.
#[derive(Default)]
struct Pages(Mutex<BTreeMap<String, Vec<u8>>>);

impl FetchCache for Pages {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.lock().expect("whole").get(key).cloned()
    }

    fn put(&self, key: &str, content: &[u8]) -> Result<(), OpError> {
        self.0.lock().expect("whole").insert(key.to_owned(), content.to_vec());
        Ok(())
    }
}

/// The ports of a world whose audit log has these lines.
pub(super) fn logged(lines: &[&str]) -> PortMap {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    PortMap::default()
        .with::<dyn AuditLog>(Arc::new(AuditLines(Mutex::new(lines))))
        .with::<dyn FetchCache>(Arc::new(Pages::default()))
}

/// A world with files, an empty audit log and an empty cache.
pub(super) fn with_files(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> World {
    World {
        facets: logged(&[]),
        ..World::with_files(files)
    }
}

/// As [`with_files`], for a test that sets nothing else.
pub(super) fn of_files(files: impl IntoIterator<Item = (impl Into<String>, impl Into<Vec<u8>>)>) -> Arc<World> {
    Arc::new(with_files(files))
}
