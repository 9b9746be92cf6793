//! The outcome as SARIF 2.1.0 (clause D4), which code hosts and editors show beside the source.
//!
//! Every type of constraint is a rule, and so is a change that is missing. A breach is an error, a breach that only names speak for a warning, a pattern that
//! matches nothing a note.

use serde_json::{Value, json};

use super::CcgVerifyAnswer;
use crate::constraints::{CheckedConstraint, Evidence, TYPES};
use lore_base::digest;
use lore_base::percent::{PATH, encode};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The rule of changes that are missing.
const CHANGE: &str = "changeNotApplied";

/// The log.
pub(super) fn sarif(answer: &CcgVerifyAnswer) -> Value {
    let mut rules: Vec<Value> = TYPES.iter().map(|(name, _, text)| rule(name, text)).collect();
    rules.push(rule(CHANGE, "The tree has every change of the diff"));
    let mut results = Vec::new();
    // Code hosts do not show a result without a place, so it gets the place of the constraints or of the diff.
    let result = |rule: &str, level: &str, message: &str, evidence: &Evidence| {
        let mut evidence = evidence.clone();
        evidence.path = evidence.path.or_else(|| Some(document(&answer.place).to_owned()));
        result(rule, level, message, &evidence)
    };
    for change in answer.changes.iter().filter(|change| !change.applied) {
        let reason = change.reason.as_deref().unwrap_or("the change is missing");
        let message = format!("{} {}: {reason}", change.kind, change.change);
        let evidence = Evidence {
            path: change.path.clone().or_else(|| change.beside.clone()),
            line: change.line,
            ..Evidence::default()
        };
        results.push(result(CHANGE, "error", &message, &evidence));
    }
    for constraint in &answer.constraints {
        let told = |row: &Evidence| match &constraint.message {
            Some(text) => format!("{}. {text}", row.message),
            None => row.message.clone(),
        };
        let breaches = constraint.evidence.iter();
        results.extend(breaches.map(|row| result(constraint.kind, "error", &told(row), row)));
        let uncertain = constraint.uncertain.iter();
        results.extend(uncertain.map(|row| result(constraint.kind, "warning", &told(row), row)));
        let notes = constraint.notes.iter();
        results.extend(notes.map(|note| result(constraint.kind, "note", note, &Evidence::default())));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "lore",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "properties": {
                "tree": answer.tree,
                "verified": answer.verified,
                "leftOut": answer.constraints.iter().map(left_out).sum::<usize>(),
            },
            "results": results,
        }],
    })
}

fn left_out(constraint: &CheckedConstraint) -> usize {
    constraint.left_out
}

fn rule(name: &str, text: &str) -> Value {
    json!({
        "id": name,
        "shortDescription": { "text": text },
        "fullDescription": { "text": format!("{text}.") },
        "help": { "text": format!("{text}. Constraints are described in docs/ccg-diff.md.") },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(rule: &str, level: &str, message: &str, evidence: &Evidence) -> Value {
    let number = TYPES
        .iter()
        .position(|(name, _, _)| *name == rule)
        .unwrap_or(TYPES.len());
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": number,
        "level": level,
        "message": { "text": message },
        "partialFingerprints": { "loreConstraint/v1": fingerprint(rule, message, evidence) },
    });
    if let Some(location) = location(evidence.path.as_deref(), evidence.line, evidence.symbol.as_deref()) {
        result["locations"] = json!([location]);
    }
    if evidence.trace.len() > 1 {
        let steps: Vec<Value> = evidence
            .trace
            .iter()
            .map(|step| {
                let mut at = location(step.path.as_deref(), step.line, Some(&step.name)).unwrap_or_else(|| json!({}));
                at["message"] = json!({ "text": step.name });
                json!({ "location": at })
            })
            .collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// The document that asked, as a path in the tree: code hosts refuse a result without a place.
fn document(place: &str) -> &str {
    let path = place.strip_prefix("./").unwrap_or(place);
    let is_relative = !path.starts_with(['/', '\\', '.']) && !path.contains(':');
    match path {
        "" | "-" => "lore.toml",
        path if is_relative => path,
        path => path
            .rsplit(['/', '\\', ':'])
            .next()
            .filter(|name| !name.is_empty())
            .unwrap_or("lore.toml"),
    }
}

/// Identifies a breach across runs, independent of its line and level.
fn fingerprint(rule: &str, message: &str, evidence: &Evidence) -> String {
    let names = evidence.trace.iter().map(|step| step.name.as_str());
    let symbol = evidence
        .symbol
        .as_deref()
        .filter(|_| rule == "maxComplexity")
        .unwrap_or(message);
    digest::fingerprint([rule, symbol].into_iter().chain(names))
}

fn location(path: Option<&str>, line: Option<u32>, symbol: Option<&str>) -> Option<Value> {
    let mut location = json!({});
    if let Some(symbol) = symbol {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": symbol }]);
    }
    if let Some(path) = path {
        let mut physical = json!({ "artifactLocation": { "uri": encode(path, PATH), "uriBaseId": "%SRCROOT%" } });
        physical["region"] = json!({ "startLine": line.unwrap_or(1).max(1) });
        location["physicalLocation"] = physical;
    }
    (path.is_some() || symbol.is_some()).then_some(location)
}
