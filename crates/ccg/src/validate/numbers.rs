//! Compares the numbers of the manifest with the layers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::report::{BreachKind, Report};
use super::statements::Kinds;

/// The kinds of symbols that a manifest counts.
const KINDS: [&str; 7] = [
    "functions",
    "structs",
    "classes",
    "methods",
    "traits",
    "interfaces",
    "enums",
];
/// The severities that a manifest counts.
const SEVERITIES: [&str; 5] = ["critical", "high", "medium", "low", "info"];
/// How far a mean may be off by rounding to two places.
const ROUNDING: f64 = 0.0051;

/// What a layer amounts to.
#[derive(Debug)]
pub(super) struct Totals {
    /// Whether everything was counted.
    pub(super) is_whole: bool,
    symbols: u64,
    files: u64,
    kinds: BTreeMap<&'static str, u64>,
    severities: BTreeMap<&'static str, u64>,
    bodies: u64,
    complexity: u64,
    highest: u64,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            is_whole: true,
            symbols: 0,
            files: 0,
            kinds: BTreeMap::new(),
            severities: BTreeMap::new(),
            bodies: 0,
            complexity: 0,
            highest: 0,
        }
    }
}

impl Totals {
    pub(super) fn subject(&mut self, kinds: &Kinds) {
        self.files += u64::from(kinds.is_file);
        if kinds.is_symbol {
            self.symbols += 1;
            *self.kinds.entry(kinds.kind).or_default() += 1;
        }
    }

    pub(super) fn complexity(&mut self, value: u64) {
        self.bodies += 1;
        self.complexity = self.complexity.saturating_add(value);
        self.highest = self.highest.max(value);
    }

    pub(super) fn severity(&mut self, name: &str) {
        if let Some(known) = SEVERITIES.iter().find(|known| name.eq_ignore_ascii_case(known)) {
            *self.severities.entry(known).or_default() += 1;
        }
    }
}

/// Compares what a manifest says of symbols and files with a layer of statements.
pub(super) fn compare(place: &str, manifest: &Value, layer: &str, totals: &Totals, report: &mut Report) {
    let symbols = &manifest["symbols"];
    let parts: Option<u64> = KINDS.iter().map(|kind| symbols[*kind].as_u64()).sum();
    if let (Some(parts), Some(total)) = (parts, symbols["total"].as_u64()) {
        let other = symbols["other"].as_u64();
        let is_right = match other {
            Some(other) => parts.saturating_add(other) == total,
            None => parts <= total,
        };
        if !is_right {
            let sum = parts.saturating_add(other.unwrap_or(0));
            let message = format!("the kinds add up to {sum}, not to {total}");
            report.breach(BreachKind::Number, format!("{place}: /symbols/total"), message);
        }
    }
    if !totals.is_whole {
        return;
    }
    let mut differs = |pointer: String, said: Option<u64>, counted: u64| {
        if said.is_some_and(|said| said != counted) {
            let message = format!("{}, but {layer} has {counted}", said.unwrap_or_default());
            report.breach(BreachKind::Number, format!("{place}: {pointer}"), message);
        }
    };
    differs("/symbols/total".to_owned(), symbols["total"].as_u64(), totals.symbols);
    for kind in KINDS {
        let counted = totals.kinds.get(kind).copied().unwrap_or(0);
        differs(format!("/symbols/{kind}"), symbols[kind].as_u64(), counted);
    }
    let languages = manifest["languages"].as_object();
    let files = languages.and_then(|languages| languages.values().map(|language| language["files"].as_u64()).sum());
    if totals.files > 0 {
        differs("/languages".to_owned(), files, totals.files);
    }
    let quality = &manifest["quality"];
    differs(
        "/quality/maxCyclomaticComplexity".to_owned(),
        quality["maxCyclomaticComplexity"].as_u64(),
        totals.highest,
    );
    let mean = match totals.bodies {
        0 => 0.0,
        bodies => totals.complexity as f64 / bodies as f64,
    };
    if let Some(said) = quality["avgCyclomaticComplexity"]
        .as_f64()
        .filter(|said| (said - mean).abs() > ROUNDING)
    {
        let message = format!("{said}, but {layer} has {mean:.2}");
        report.breach(
            BreachKind::Number,
            format!("{place}: /quality/avgCyclomaticComplexity"),
            message,
        );
    }
}

/// Compares what a manifest says of findings with layer 3.
pub(super) fn compare_findings(place: &str, manifest: &Value, layer: &str, totals: &Totals, report: &mut Report) {
    let security = &manifest["security"];
    if security["analyzed"] == Value::Bool(false) {
        return;
    }
    for severity in SEVERITIES {
        let counted = totals.severities.get(severity).copied().unwrap_or(0);
        if let Some(said) = security[severity].as_u64().filter(|said| *said != counted) {
            let message = format!("{said}, but {layer} has {counted}");
            report.breach(BreachKind::Number, format!("{place}: /security/{severity}"), message);
        }
    }
}
