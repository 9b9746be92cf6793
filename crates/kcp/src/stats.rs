//! `lore unit stats`: what a manifest holds, in numbers.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::effective::effective;
use super::levels::level;
use super::model::{UnitIndex, known};
use super::open::open_valid;
use super::vocabulary::{LoadStrategy, Vocabulary};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Count the contents of a manifest: units by kind, scope, audience, access and sensitivity, and their tokens
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit stats
  lore unit stats services/pay --json")]
#[serde(default)]
pub struct UnitStatsRequest {
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// A manifest in numbers
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitStatsAnswer {
    /// The manifest
    pub path: String,
    /// The project
    pub project: String,
    /// The level of conformance
    pub level: u8,
    /// Units
    pub unit_count: usize,
    /// Relationships between them
    pub relationship_count: usize,
    /// Other manifests that it declares
    pub manifest_count: usize,
    /// Units by kind
    pub kinds: BTreeMap<String, usize>,
    /// Units by scope
    pub scopes: BTreeMap<String, usize>,
    /// Units by audience; a unit may be for several
    pub audiences: BTreeMap<String, usize>,
    /// Units by who may read them
    pub access: BTreeMap<String, usize>,
    /// Units by how confidential they are
    pub sensitivities: BTreeMap<String, usize>,
    /// Units that are deprecated
    pub deprecated: usize,
    /// Units without a date of validation
    pub never_validated: usize,
    /// Tokens
    pub tokens: TokenCounts,
}

/// Tokens of units
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct TokenCounts {
    /// Of all units that say how many they have
    pub total: u64,
    /// Of those that are loaded eagerly
    pub eager: u64,
    /// Units that say how many they have
    pub units_with_estimate: usize,
}

/// `lore unit stats`.
pub struct UnitStats;

impl Operation for UnitStats {
    const NAME: &'static str = "unit_stats";
    const COMMAND: &'static [&'static str] = &["unit", "stats"];
    const ACCESS: Access = Access::Read;
    type Request = UnitStatsRequest;
    type Answer = Value<UnitStatsAnswer>;

    fn run(ctx: &Ctx, request: UnitStatsRequest) -> Result<Value<UnitStatsAnswer>, OpError> {
        let (path, m) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        let mut answer = UnitStatsAnswer {
            path,
            project: m.field(&m.root.project).unwrap_or_default().to_owned(),
            level: level(&m),
            unit_count: m.units.len(),
            relationship_count: m.relationships.len(),
            manifest_count: m.manifests.len(),
            ..UnitStatsAnswer::default()
        };
        let count = |counts: &mut BTreeMap<String, usize>, word: &str| *counts.entry(word.to_owned()).or_default() += 1;
        for (number, unit) in (0u32..).zip(&m.units) {
            let effective = effective(&m, UnitIndex(number));
            count(&mut answer.kinds, unit.kind_or_default().word());
            count(&mut answer.scopes, unit.scope_or_default().word());
            for audience in unit.audience.iter().flat_map(|list| &list.value) {
                count(&mut answer.audiences, m.word(audience.value));
            }
            count(&mut answer.access, m.word(effective.access.value));
            let sensitivity = effective.sensitivity.map(|word| word.value.word());
            count(&mut answer.sensitivities, sensitivity.unwrap_or("undeclared"));
            answer.deprecated += usize::from(unit.is_deprecated());
            answer.never_validated += usize::from(unit.validated.is_none());
            let Some(hints) = &unit.hints else { continue };
            if let Some(tokens) = &hints.value.token_estimate {
                answer.tokens.total = answer.tokens.total.saturating_add(tokens.value);
                answer.tokens.units_with_estimate += 1;
                if known(&hints.value.load_strategy) == Some(LoadStrategy::Eager) {
                    answer.tokens.eager = answer.tokens.eager.saturating_add(tokens.value);
                }
            }
        }
        Ok(Value::yes(answer))
    }
}

impl Render for UnitStatsAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.project);
        page.text(&format!("  {}, level {}", self.path, self.level));
        page.line(format_args!(""));
        page.line(format_args!(
            "{} units, {} relationships, {} other manifests",
            self.unit_count, self.relationship_count, self.manifest_count
        ));
        let lists = [
            ("kind", &self.kinds),
            ("scope", &self.scopes),
            ("audience", &self.audiences),
            ("access", &self.access),
            ("sensitivity", &self.sensitivities),
        ];
        for (name, counts) in lists {
            let counts: Vec<String> = counts.iter().map(|(word, count)| format!("{word} {count}")).collect();
            page.text(&format!("{name:<12} {}", counts.join(", ")));
            page.line(format_args!(""));
        }
        page.line(format_args!(
            "tokens       {} in {} units with an estimate; eager: {}",
            self.tokens.total, self.tokens.units_with_estimate, self.tokens.eager
        ));
        page.line(format_args!(
            "deprecated   {}; never validated {}",
            self.deprecated, self.never_validated
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_by_what_they_declare() {
        let text = "kcp_version: \"0.14\"\nproject: p\nversion: 1.0.0\nvisibility: {default: internal}\nunits:\n  - {id: a, path: a.md, intent: What is a?, scope: global, audience: [human, agent], validated: \"2026-01-01\", hints: {token_estimate: 300, load_strategy: eager}}\n  - {id: b, path: b.md, intent: What is b?, scope: module, audience: [agent, odd], kind: policy, deprecated: true, hints: {token_estimate: 100}}\n";
        let world = crate::testing::of_files([("knowledge.yaml", text)]);
        let answer = UnitStats::run(&world.ctx(), UnitStatsRequest::default()).unwrap().value;
        let value = serde_json::to_value(&answer).unwrap();
        assert_eq!(
            (value["unit_count"].as_u64(), value["level"].as_u64()),
            (Some(2), Some(3))
        );
        assert_eq!(value["kinds"], serde_json::json!({"knowledge": 1, "policy": 1}));
        assert_eq!(
            value["audiences"],
            serde_json::json!({"agent": 2, "human": 1, "odd": 1})
        );
        assert_eq!(value["sensitivities"], serde_json::json!({"internal": 2}));
        assert_eq!(
            value["tokens"],
            serde_json::json!({"total": 400, "eager": 300, "units_with_estimate": 2})
        );
        assert_eq!((answer.deprecated, answer.never_validated), (1, 1));
    }
}
