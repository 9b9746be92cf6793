//! Files that are made to hurt get a verdict, in bounded time and memory.

use proptest::prelude::*;

use crate::finding::{Code, Severity};
use crate::testing::{UNIT, findings, has, is_valid, manifest, parsed};

fn first(text: &str) -> Code {
    findings(text)[0].code
}

#[test]
fn s6_hostile_files_get_a_verdict() {
    assert_eq!(first(&format!("project: {}", "[".repeat(1 << 20))), Code::ParseLimit);
    assert_eq!(first("project: a\0b\n"), Code::ParseYaml);
    assert_eq!(first("project: a\nproject: b\n"), Code::ParseDuplicateKey);
    let bomb: String = ('b'..='j')
        .zip('a'..)
        .map(|(letter, before)| format!("{letter}: &{letter} [{}]\n", vec![format!("*{before}"); 9].join(",")))
        .collect();
    assert_eq!(first(&format!("a: &a [x,x,x,x,x,x,x,x,x]\n{bomb}")), Code::ParseLimit);
    assert_eq!(first(&"x".repeat((16 << 20) + 1)), Code::ParseLimit);
}

#[test]
fn s6_a_hundred_thousand_triggers_are_counted_and_left() {
    let triggers: Vec<String> = (0..100_000).map(|number| format!("t{number}")).collect();
    for text in [
        format!("{UNIT}    triggers: [{}]\n", triggers.join(", ")),
        format!("{UNIT}    triggers:\n    - {}\n", triggers.join("\n    - ")),
    ] {
        assert!(is_valid(&text) && has(&text, Code::TriggersMany));
        let manifest = manifest(&text);
        let triggers = manifest.units[0].triggers.as_ref().unwrap();
        assert_eq!((triggers.value.kept.len(), triggers.value.declared), (20, 100_000));
    }
}

#[test]
fn s6_a_million_faults_are_told_in_part() {
    let many = "- 1\n".repeat(100_000);
    let text = format!("{UNIT}relationships:\n{many}");
    let findings = findings(&text);
    assert!(findings.len() < 20_010);
    assert!(
        findings
            .iter()
            .any(|finding| finding.code == Code::FindingsLimit && finding.message.starts_with("80000 more"))
    );
}

#[test]
fn s6_references_that_lead_nowhere_are_told_in_part() {
    let many: Vec<String> = (0..100_000).map(|number| format!("x{number}")).collect();
    let findings = findings(&format!("{UNIT}    depends_on: [{}]\n", many.join(", ")));
    assert!(findings.len() < 20_010);
    assert!(
        findings
            .iter()
            .any(|finding| finding.code == Code::FindingsLimit && finding.message.starts_with("80000 more"))
    );
}

#[test]
fn s6_units_by_alias_are_bounded() {
    let text = format!(
        "x: &u {{id: a, path: p, intent: i, scope: global, audience: [agent]}}\nproject: p\nunits: [{}]\n",
        vec!["*u"; 1_000].join(",")
    );
    assert_eq!(manifest(&text).units.len(), 1_000);
    let text = format!(
        "x: &u {{id: a, y: [{}]}}\nproject: p\nunits: [{}]\n",
        vec!["z"; 1_000].join(","),
        vec!["*u"; 2_000].join(",")
    );
    assert_eq!(first(&text), Code::ParseLimit);
}

/// Values of every type, for every field.
fn value() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "x",
        "~",
        "",
        "[]",
        "{}",
        "[a, b]",
        "{a: b}",
        "1",
        "-1",
        "0.5",
        ".nan",
        "true",
        "yes",
        "\"\"",
        "\" \"",
        "2026-02-30",
        "[~, [x], {y: z}]",
        "99999999999999999999",
        "'it''s'",
        "global",
        "[{when: {a: b}, then: 3}]",
        "{required: maybe}",
        "../x",
        "[{type: oauth2}, 7, {id: a, manifest: b}]",
        "{default: {requests_per_day: x}}",
        "&x [1]",
        "|\n        block\n",
    ])
    .prop_map(str::to_owned)
}

const UNIT_FIELDS: &[&str] = &[
    "id",
    "path",
    "intent",
    "scope",
    "audience",
    "kind",
    "format",
    "content_type",
    "language",
    "license",
    "validated",
    "update_frequency",
    "indexing",
    "depends_on",
    "supersedes",
    "triggers",
    "hints",
    "access",
    "auth_scope",
    "sensitivity",
    "deprecated",
    "payment",
    "rate_limits",
    "delegation",
    "compliance",
    "external_depends_on",
    "requires_capabilities",
    "freshness_policy",
    "visibility",
    "authority",
    "discovery",
];
const ROOT_FIELDS: &[&str] = &[
    "kcp_version",
    "project",
    "version",
    "updated",
    "language",
    "license",
    "indexing",
    "hints",
    "trust",
    "auth",
    "delegation",
    "compliance",
    "payment",
    "rate_limits",
    "manifests",
    "external_relationships",
    "freshness_policy",
    "visibility",
    "authority",
    "discovery",
    "relationships",
];

proptest! {
    #![proptest_config(lore_testing::cases(1_000))]

    #[test]
    fn any_value_in_any_field_gets_a_verdict(
        root in prop::collection::btree_map(prop::sample::select(ROOT_FIELDS), value(), 0..6),
        units in prop::collection::vec(prop::collection::btree_map(prop::sample::select(UNIT_FIELDS), value(), 0..8), 0..3),
    ) {
        let mut text = String::new();
        for (key, value) in &root {
            text += &format!("{key}: {value}\n");
        }
        text += "units:\n";
        for unit in &units {
            text += "  -\n";
            for (key, value) in unit {
                text += &format!("    {key}: {value}\n");
            }
        }
        let findings = findings(&text);
        prop_assert!(findings.iter().all(|finding| finding.place.line > 0 && finding.place.column > 0));
        let is_refused = findings.iter().any(|finding| finding.code.name().starts_with("parse"));
        prop_assert_eq!(parsed(&text).manifest.is_none(), is_refused);
        prop_assert!(findings.iter().all(|finding| !finding.code.name().starts_with("parse") || finding.severity == Severity::Error));
    }
}
