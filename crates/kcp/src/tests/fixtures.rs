//! Fixtures: pairs of a manifest and the verdict about it, in the format of the protocol project.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::finding::Severity;
use crate::levels::level;
use crate::parse::parse;
use crate::validate::{ValidateOptions, validate};
use lore_base::yaml::Limits;

#[test]
fn every_fixture_gets_the_verdict_that_is_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kcp/fixtures");
    let (count, wrong) = run_fixtures(&root);
    assert!(count >= 40, "{count} fixtures");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Runs every `NAME.yaml` with a `NAME.expected.json` beside it, in the format of the protocol project: `valid`, `unit_count`, `relationship_count`, `parse_error`,
/// `parse_error_also_acceptable`, `errors`, `warnings` (empty or not); and what only ours have: `level`, `codes` that must occur. Returns what is not as expected.
fn run_fixtures(directory: &Path) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for path in yaml_files(directory) {
        let expected = path.with_extension("expected.json");
        let Ok(expected) = std::fs::read(&expected) else {
            continue;
        };
        let expected: Json = serde_json::from_slice(&expected).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        count += 1;
        let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
        wrong.extend(
            judge(&bytes, &expected)
                .into_iter()
                .map(|fault| format!("{name}: {fault}")),
        );
    }
    (count, wrong)
}

pub(super) fn yaml_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(yaml_files(&path))
        } else {
            files.extend(
                path.extension()
                    .is_some_and(|extension| extension == "yaml")
                    .then_some(path),
            )
        }
    }
    files.sort();
    files
}

fn judge(bytes: &[u8], expected: &Json) -> Vec<String> {
    let parsed = parse(bytes, &Limits::default());
    let mut findings = parsed.findings;
    if let Some(manifest) = &parsed.manifest {
        findings.extend(validate(manifest, &ValidateOptions::default()));
    }
    let has = |severity| findings.iter().any(|finding| finding.severity == severity);
    let is_valid = !has(Severity::Error);
    let mut wrong = Vec::new();
    let wanted_refusal = expected["parse_error"] == true;
    if wanted_refusal != parsed.manifest.is_none() && expected["parse_error_also_acceptable"] != true {
        wrong.push(format!("parse error: {}", parsed.manifest.is_none()));
    }
    if let Some(valid) = expected["valid"].as_bool().filter(|valid| *valid != is_valid) {
        wrong.push(format!("valid should be {valid}: {findings:?}"));
    }
    let is_not_empty = |value: &Json| value.as_array().is_some_and(|list| !list.is_empty());
    if is_not_empty(&expected["warnings"]) && !has(Severity::Warning) {
        wrong.push("a warning is expected".to_owned());
    }
    if let Some(manifest) = &parsed.manifest {
        let counts = [
            ("unit_count", manifest.units.len() as u64),
            ("relationship_count", manifest.relationships.len() as u64),
            ("level", u64::from(level(manifest))),
        ];
        for (key, is) in counts {
            if expected[key].as_u64().is_some_and(|wanted| wanted != is) {
                wrong.push(format!("{key} is {is}"));
            }
        }
    }
    for code in expected["codes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
    {
        if !findings.iter().any(|finding| finding.code.name() == code) {
            wrong.push(format!("{code} is expected: {findings:?}"));
        }
    }
    wrong
}
