//! The outcome as SARIF 2.1.0, which code hosts and editors show beside the source. Every code that occurs is a rule.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::operation::{ToldFinding, UnitValidateAnswer};
use crate::finding::{Code, Severity};
use lore_base::digest;
use lore_base::percent::{PATH, encode};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log.
pub(super) fn sarif(answer: &UnitValidateAnswer) -> Value {
    let all: Vec<(Severity, &ToldFinding)> = answer
        .files
        .iter()
        .flat_map(|file| answer.findings(&file.path))
        .collect();
    let names: BTreeSet<&str> = all.iter().map(|(_, finding)| finding.code).collect();
    let codes: Vec<Code> = names.iter().filter_map(|name| Code::from_name(name)).collect();
    let results: Vec<Value> = all
        .iter()
        .map(|(severity, finding)| result(*severity, finding, &codes))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "lore",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    let info = code.info();
    json!({
        "id": info.name,
        "shortDescription": { "text": info.summary },
        "fullDescription": { "text": format!("{}.", info.summary) },
        "help": { "text": format!("{}. Clause {} of docs/specs/kcp.md.", info.summary, info.clause) },
        "defaultConfiguration": { "level": info.severity.name() },
    })
}

fn result(severity: Severity, finding: &ToldFinding, codes: &[Code]) -> Value {
    let text = match &finding.hint {
        Some(hint) => format!("{}. Hint: {hint}", finding.message),
        None => finding.message.clone(),
    };
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": artifact(&finding.path),
            "region": { "startLine": finding.line, "startColumn": finding.column },
        },
    });
    if let Some(name) = finding.unit.as_ref().or(finding.field.as_ref()) {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": name }]);
    }
    json!({
        "ruleId": finding.code,
        "ruleIndex": codes.iter().position(|code| code.name() == finding.code),
        "level": severity.name(),
        "message": { "text": text },
        "locations": [location],
        "partialFingerprints": { "loreUnit/v1": fingerprint(finding) },
    })
}

/// A path inside of the repository is relative to its root; any other is only named.
fn artifact(path: &str) -> Value {
    let is_relative = !path.starts_with(['/', '\\'])
        && !path.contains(':')
        && !path.split('/').any(|part| part == "..")
        && path != "-";
    if is_relative {
        json!({ "uri": encode(path.strip_prefix("./").unwrap_or(path), PATH), "uriBaseId": "%SRCROOT%" })
    } else {
        json!({ "uri": encode(path, PATH) })
    }
}

/// What is the same for one finding in every run, wherever it stands by then.
fn fingerprint(finding: &ToldFinding) -> String {
    let unit = finding.unit.as_deref().unwrap_or_default();
    digest::fingerprint([finding.code, &finding.path, unit, &finding.message])
}
