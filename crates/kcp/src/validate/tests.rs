//! One test for each error and warning, named after its clause. Every table holds what is told and what is not.

use super::check::*;
use super::*;
use crate::testing::{UNIT, codes, findings, findings_with, has, is_valid};

/// A manifest with more fields of its unit.
fn unit(more: &str) -> String {
    format!("{UNIT}    {more}\n")
}

/// A manifest with more fields.
fn root(more: &str) -> String {
    format!("{UNIT}{more}\n")
}

/// A manifest with a second unit, `b`, and more fields of it.
fn two(more: &str) -> String {
    format!(
        "{UNIT}  - id: b\n    path: docs/b.md\n    intent: What is b?\n    scope: module\n    audience: [human]\n    {more}\n"
    )
}

/// Each text has a finding with the code, and the manifest stays as valid as the code lets it.
fn told(code: Code, texts: impl IntoIterator<Item = String>) {
    for text in texts {
        assert!(has(&text, code), "{}: {text}{:?}", code.name(), codes(&text));
        let is_error = code.info().severity == Severity::Error;
        assert_eq!(is_valid(&text), !is_error, "{}: {text}{:?}", code.name(), codes(&text));
    }
}

/// No text has a finding with the code.
fn not_told(code: Code, texts: impl IntoIterator<Item = String>) {
    for text in texts {
        assert!(!has(&text, code), "{}: {text}{:?}", code.name(), codes(&text));
    }
}

#[test]
fn e1_what_is_no_yaml_is_refused_with_a_place() {
    for (text, code, place) in [
        ("a: [\n", "parse-yaml", "1:4"),
        ("a: !x 1\n", "parse-tag", "1:7"),
        ("a: 1\nb: 2\na: 3\n", "parse-duplicate-key", "3:1"),
        ("a: 1\n---\nb: 2\n", "parse-multiple-documents", "2:1"),
        ("a:\n\tb: 1\n", "parse-yaml", "2:2"),
    ] {
        assert_eq!(codes(text), [format!("error {code} {place}")], "{text}");
    }
}

#[test]
fn e2_a_manifest_has_a_project() {
    told(
        Code::ProjectMissing,
        [
            "",
            "project:\n",
            "project: \"\"\n",
            "project: \"  \"\n",
            "project: [x]\n",
        ]
        .map(|project| UNIT.replace("project: shop\n", project)),
    );
    not_told(Code::ProjectMissing, [UNIT.replace("shop", "0")]);
}

#[test]
fn e3_a_manifest_has_units() {
    told(
        Code::UnitsMissing,
        [
            "project: x\n",
            "project: x\nunits:\n",
            "project: x\nunits: []\n",
            "project: x\nunits: {}\n",
            "project: x\nunits: a\n",
        ]
        .map(str::to_owned),
    );
}

#[test]
fn e4_a_unit_has_its_five_fields() {
    for (field, line) in [
        ("id", "id: a"),
        ("path", "path: docs/a.md"),
        ("intent", "intent: What is a?"),
        ("scope", "scope: global"),
        ("audience", "audience: [agent]"),
    ] {
        let gone = |value: &str| UNIT.replace(line, &format!("{field}: {value}"));
        told(Code::UnitFieldMissing, ["~", ""].map(gone));
        told(Code::UnitFieldMissing, [UNIT.replace(line, "x-nothing: 1")]);
        if field != "audience" {
            told(Code::UnitFieldMissing, ["\"\"", "\" \""].map(gone));
        }
        if field != "scope" {
            told(Code::UnitFieldMissing, ["{a: b}"].map(gone));
        }
        let findings = findings(&UNIT.replace(line, "x-nothing: 1"));
        assert_eq!(
            findings.last().unwrap().field.as_deref(),
            Some(format!("units[0].{field}").as_str())
        );
    }
    assert_eq!(crate::testing::manifest(&UNIT.replace("id: a", "x: a")).units.len(), 1);
    let merged =
        "project: p\nb: &b {scope: global}\nunits:\n- {<<: *b, id: a, path: a.md, intent: i, audience: [agent]}\n";
    assert!(
        findings(merged)
            .iter()
            .any(|finding| finding.hint.as_deref().is_some_and(|hint| hint.contains("`<<`")))
    );
}

#[test]
fn e5_a_scope_is_one_of_three() {
    told(
        Code::ScopeUnknown,
        ["Global", "world", "[global]", "{a: b}"]
            .map(|scope| UNIT.replace("scope: global", &format!("scope: {scope}"))),
    );
    not_told(
        Code::ScopeUnknown,
        ["global", "project", "module"].map(|scope| UNIT.replace("scope: global", &format!("scope: {scope}"))),
    );
}

#[test]
fn e7_a_way_of_approval_is_one_of_three() {
    let block = |word: &str| {
        format!("delegation: {{human_in_the_loop: {{approval_mechanism: {word}, docs_url: https://e.org}}}}")
    };
    told(
        Code::ApprovalMechanismUnknown,
        [root(&block("sometimes")), unit(&block("email"))],
    );
    not_told(
        Code::ApprovalMechanismUnknown,
        ["oauth_consent", "uma", "custom", "~"].map(|word| root(&block(word))),
    );
}

#[test]
fn e8_a_unit_may_not_be_passed_on_further_than_the_manifest_says() {
    let both = |own: &str, most: &str| {
        format!(
            "{}delegation: {{max_depth: {most}}}\n",
            unit(&format!("delegation: {{max_depth: {own}}}"))
        )
    };
    told(Code::DelegationDepth, [both("4", "3"), both("1", "0")]);
    not_told(
        Code::DelegationDepth,
        [
            both("3", "3"),
            both("0", "3"),
            both("many", "0"),
            unit("delegation: {max_depth: 9}"),
        ],
    );
    assert!(has(&both("1", "-1"), Code::DelegationDepth));
}

#[test]
fn e9_the_sensitivity_of_compliance_is_one_of_four() {
    told(
        Code::ComplianceSensitivity,
        [
            root("compliance: {sensitivity: secret}"),
            unit("compliance: {sensitivity: Public}"),
        ],
    );
    not_told(
        Code::ComplianceSensitivity,
        [
            root("compliance: {sensitivity: restricted}"),
            unit("compliance: {sensitivity: ~}"),
        ],
    );
}

fn federated(entry: &str) -> String {
    root(&format!("manifests: [{{label: l, relationship: peer, {entry}}}]"))
}

#[test]
fn e10_other_manifests_have_an_id_and_an_https_address() {
    told(
        Code::FederationId,
        [
            "url: https://e.org/k.yaml",
            "id: Team_A, url: https://e.org/k.yaml",
            "id: \"\", url: https://e.org/k.yaml",
            "id: a b, url: https://e.org/k.yaml",
        ]
        .map(federated),
    );
    told(
        Code::FederationId,
        [root(
            "manifests: [{id: x, url: https://e.org/a}, {id: x, url: https://e.org/b}]",
        )],
    );
    told(
        Code::FederationUrl,
        [
            "id: x",
            "id: x, url: http://e.org",
            "id: x, url: ~",
            "id: x, url: \"https://\"",
            "id: x, url: ftp://e.org",
        ]
        .map(federated),
    );
    not_told(Code::FederationUrl, [federated("id: x.y-1, url: https://e.org/k.yaml")]);
}

#[test]
fn e11_references_to_other_manifests_are_whole() {
    told(
        Code::ExternalIncomplete,
        [
            "external_depends_on: [{manifest: x}]",
            "external_depends_on: [{unit: x}]",
            "external_depends_on: [{manifest: \"\", unit: y}]",
        ]
        .map(unit),
    );
    told(
        Code::ExternalIncomplete,
        [
            "{from_unit: a, to_unit: b, to_manifest: x}",
            "{from_unit: a, type: context}",
            "{to_unit: b, type: context}",
        ]
        .map(|entry| root(&format!("external_relationships: [{entry}]"))),
    );
}

#[test]
fn e12_a_depth_that_is_none_is_only_a_warning() {
    told(
        Code::MaxDepth,
        [
            unit("delegation: {max_depth: -1}"),
            root("delegation: {max_depth: deep}"),
        ],
    );
}

#[test]
fn w2_references_name_units_that_exist() {
    told(
        Code::ReferenceUnknown,
        [
            unit("depends_on: [nobody]"),
            unit("depends_on: A"),
            root("relationships: [{from: a, to: x, type: context}]"),
            root("relationships: [{from: x, to: a, type: context}]"),
        ],
    );
    not_told(
        Code::ReferenceUnknown,
        [
            unit("depends_on: [a]"),
            unit("supersedes: nobody"),
            two("depends_on: [a]"),
            root("relationships: [{from: a, to: a, type: context}]"),
        ],
    );
    told(
        Code::RelationshipIncomplete,
        [
            root("relationships: [{from: a, type: context}]"),
            root("relationships: [{}]"),
        ],
    );
}

#[test]
fn w3_types_of_relationships_are_those_of_the_text() {
    told(
        Code::RelationshipType,
        [root("relationships: [{from: a, to: a, type: likes}]")],
    );
    not_told(
        Code::RelationshipType,
        [
            "enables",
            "context",
            "supersedes",
            "contradicts",
            "depends_on",
            "governs",
        ]
        .map(|word| root(&format!("relationships: [{{from: a, to: a, type: {word}}}]"))),
    );
}

#[test]
fn w4_a_trigger_has_at_most_60_characters() {
    told(Code::TriggerLong, [unit(&format!("triggers: [{}]", "é".repeat(61)))]);
    not_told(Code::TriggerLong, [unit(&format!("triggers: [{}]", "é".repeat(60)))]);
}

#[test]
fn w5_a_unit_has_at_most_20_triggers() {
    let many = |count: usize| unit(&format!("triggers: [{}]", vec!["x"; count].join(", ")));
    told(Code::TriggersMany, [many(21)]);
    not_told(Code::TriggersMany, [many(20)]);
}

#[test]
fn w6_audiences_are_those_of_the_text() {
    told(
        Code::AudienceUnknown,
        ["[agent, robot]", "Agent"].map(|word| UNIT.replace("[agent]", word)),
    );
    not_told(
        Code::AudienceUnknown,
        ["[human, agent, developer, architect, operator, devops]"].map(|word| UNIT.replace("[agent]", word)),
    );
}

#[test]
fn w7_kinds_are_those_of_the_text() {
    told(Code::KindUnknown, [unit("kind: song")]);
    not_told(
        Code::KindUnknown,
        ["knowledge", "schema", "service", "policy", "executable"].map(|word| unit(&format!("kind: {word}"))),
    );
}

#[test]
fn w8_formats_are_those_of_the_text() {
    told(Code::FormatUnknown, [unit("format: docx")]);
    not_told(Code::FormatUnknown, [unit("format: json-schema")]);
}

#[test]
fn w9_frequencies_are_those_of_the_text() {
    told(Code::UpdateFrequencyUnknown, [unit("update_frequency: quarterly")]);
    not_told(Code::UpdateFrequencyUnknown, [unit("update_frequency: hourly")]);
}

#[test]
fn w10_the_short_form_of_indexing_is_one_of_four() {
    told(
        Code::IndexingUnknown,
        [unit("indexing: sometimes"), root("indexing: closed")],
    );
    not_told(
        Code::IndexingUnknown,
        [unit("indexing: none"), root("indexing: {allow: [fly]}")],
    );
}

#[test]
fn w11_the_version_of_the_protocol_is_known() {
    let version = |text: &str| UNIT.replace("kcp_version: \"0.14\"\n", text);
    told(
        Code::KcpVersion,
        [
            "",
            "kcp_version: \"0.15\"\n",
            "kcp_version: 0.12.0\n",
            "kcp_version: [1]\n",
        ]
        .map(version),
    );
    not_told(
        Code::KcpVersion,
        ["kcp_version: 0.1\n", "kcp_version: 0.10\n", "kcp_version: '0.13'\n"].map(version),
    );
}

#[test]
fn w12_versions_and_dates_are_what_they_should_be() {
    let version = |text: &str| UNIT.replace("version: 1.0.0\n", text);
    told(Code::Version, ["", "version: 1.0\n", "version: v1.0.0\n"].map(version));
    not_told(Code::Version, ["version: \"2.3.0-rc.1+b5\"\n"].map(version));
    told(
        Code::DateInvalid,
        [
            unit("validated: 2026-02-30"),
            root("updated: yesterday"),
            unit("discovery: {observed_at: 2026-1-1}"),
        ],
    );
    not_told(Code::DateInvalid, [UNIT.to_owned(), unit("validated: 2024-02-29")]);
}

#[test]
fn w13_ids_are_unique() {
    let twice = two("kind: policy").replace("id: b", "id: a");
    told(Code::DuplicateId, [twice.clone()]);
    let found = findings(&twice);
    let finding = found.iter().find(|finding| finding.code == Code::DuplicateId).unwrap();
    assert!(
        finding.place.line == 10 && finding.message.contains("line 5"),
        "{finding:?}"
    );
    let nameless = two("kind: policy").replace("id: a", "x: 1").replace("id: b", "x: 1");
    assert!(!has(&nameless, Code::DuplicateId));
}

#[test]
fn w14_ids_have_small_letters_digits_dots_and_dashes() {
    told(
        Code::IdPattern,
        ["A", "a_b", "ü", "'a b'"].map(|id| UNIT.replace("id: a", &format!("id: {id}"))),
    );
    not_told(
        Code::IdPattern,
        ["api-v2.0.beta", "1"].map(|id| UNIT.replace("id: a", &format!("id: {id}"))),
    );
    assert!(has(&UNIT.replace("id: a", "id: manifest"), Code::IdReserved));
}

#[test]
fn w15_a_scope_of_authentication_needs_restricted_access() {
    told(
        Code::AuthScopeUnused,
        [unit("auth_scope: x"), unit("access: authenticated\n    auth_scope: x")],
    );
    not_told(Code::AuthScopeUnused, [unit("access: restricted\n    auth_scope: x")]);
}

#[test]
fn w16_some_way_of_authentication_is_known() {
    told(
        Code::AuthMethodsUnknown,
        [root("auth: {methods: [{type: spiffe}, {type: did}]}")],
    );
    not_told(
        Code::AuthMethodsUnknown,
        [
            root("auth: {methods: [{type: spiffe}, {type: none}]}"),
            root("auth: {methods: []}"),
            root("auth: {}"),
        ],
    );
}

#[test]
fn w17_protected_units_need_a_way_of_authentication() {
    told(
        Code::AuthMissing,
        [
            unit("access: authenticated"),
            unit("access: restricted"),
            format!("{}auth: {{methods: []}}\n", unit("access: restricted")),
        ],
    );
    not_told(
        Code::AuthMissing,
        [
            unit("access: public"),
            format!("{}auth: {{methods: [{{type: none}}]}}\n", unit("access: restricted")),
        ],
    );
    let twice = two("access: restricted").replace("audience: [agent]", "audience: [agent]\n    access: restricted");
    assert_eq!(
        findings(&twice)
            .iter()
            .filter(|finding| finding.code == Code::AuthMissing)
            .count(),
        1
    );
}

#[test]
fn w18_ways_of_authentication_have_what_they_need() {
    let methods = |method: &str| root(&format!("auth: {{methods: [{method}]}}"));
    told(
        Code::AuthMethodIncomplete,
        [
            "{type: oauth2}",
            "{type: oauth2, issuer: http://e.org}",
            "{type: api_key}",
            "{header: X}",
        ]
        .map(methods),
    );
    not_told(
        Code::AuthMethodIncomplete,
        [
            "{type: oauth2, issuer: https://e.org}",
            "{type: api_key, header: X}",
            "{type: none}",
            "{type: spiffe}",
        ]
        .map(methods),
    );
    told(
        Code::AuthMethodIncomplete,
        [federated(
            "id: x, url: https://e.org/k, auth: {methods: [{type: api_key}]}",
        )],
    );
}

#[test]
fn w19_discovery_is_as_sure_as_it_says() {
    let block = |block: &str| unit(&format!("discovery: {{{block}}}"));
    told(
        Code::RumoredConfidence,
        [
            "verification_status: rumored, confidence: 0.5",
            "verification_status: rumored",
            "verification_status: rumored, confidence: 1",
        ]
        .map(block),
    );
    not_told(
        Code::RumoredConfidence,
        [
            "verification_status: rumored, confidence: 0.49",
            "verification_status: observed",
        ]
        .map(block),
    );
    told(
        Code::VerifiedConfidence,
        ["verification_status: verified, confidence: 0.79"].map(block),
    );
    not_told(
        Code::VerifiedConfidence,
        [
            "verification_status: verified, confidence: 0.8",
            "verification_status: verified",
            "confidence: 0.1",
        ]
        .map(block),
    );
    told(
        Code::VerifiedAt,
        [
            "verification_status: observed, verified_at: 2026-01-01",
            "verification_status: rumored, confidence: 0.1, verified_at: 2026-01-01",
        ]
        .map(block),
    );
    not_told(
        Code::VerifiedAt,
        [
            "verification_status: observed, verified_at: ~",
            "verification_status: verified, verified_at: 2026-01-01",
        ]
        .map(block),
    );
    told(
        Code::ContradictedBy,
        ["contradicted_by: nobody", "contradicted_by: a", "contradicted_by: [a]"].map(block),
    );
    told(
        Code::DiscoveryUnknown,
        ["verification_status: sure", "source: dream"].map(block),
    );
    told(
        Code::Confidence,
        [
            "confidence: 1.1",
            "confidence: -0.1",
            "confidence: .nan",
            "confidence: high",
            "confidence: \"0.5\"",
        ]
        .map(block),
    );
    not_told(
        Code::Confidence,
        ["confidence: 0", "confidence: 1", "confidence: 0.5"].map(block),
    );
    assert!(has(
        &two("discovery: {contradicted_by: a}"),
        Code::ContradictionNotMutual
    ));
    let mutual = two("discovery: {contradicted_by: a}").replace(
        "audience: [agent]",
        "audience: [agent]\n    discovery: {contradicted_by: b}",
    );
    not_told(Code::ContradictionNotMutual, [mutual]);
}

#[test]
fn w19_a_unit_is_judged_with_what_it_inherits() {
    let inherited = |own: &str, all: &str| format!("{}discovery: {{{all}}}\n", unit(&format!("discovery: {{{own}}}")));
    told(
        Code::RumoredConfidence,
        [inherited("verification_status: rumored", "confidence: 0.9")],
    );
    not_told(
        Code::RumoredConfidence,
        [inherited("verification_status: rumored", "confidence: 0.2")],
    );
    let once = inherited("source: manual", "verification_status: rumored");
    assert_eq!(
        findings(&once)
            .iter()
            .filter(|finding| finding.code == Code::RumoredConfidence)
            .count(),
        1
    );
}

#[test]
fn w20_conditions_can_match_and_say_something() {
    let conditions = |conditions: &str| unit(&format!("visibility: {{conditions: [{conditions}]}}"));
    told(
        Code::VisibilityUnknown,
        [
            root("visibility: {default: secret}"),
            conditions("{when: {}, then: {sensitivity: secret}}"),
        ],
    );
    told(
        Code::ConditionIncomplete,
        ["{when: {environment: x}}", "{then: {sensitivity: public}}", "{}"].map(conditions),
    );
    told(Code::ConditionKey, ["{when: {region: EU}, then: {}}"].map(conditions));
    told(
        Code::ConditionUnreachable,
        ["{when: {environment: [a, b]}, then: {}}, {when: {environment: [b, a]}, then: {}}"].map(conditions),
    );
    not_told(
        Code::ConditionUnreachable,
        [
            "{when: {environment: a}, then: {}}, {when: {agent_role: a}, then: {}}",
            "{when: {region: a}, then: {}}, {when: {region: a}, then: {}}",
        ]
        .map(conditions),
    );
}

#[test]
fn w21_authority_has_three_levels() {
    told(
        Code::AuthorityUnknown,
        [
            root("authority: {read: maybe}"),
            unit("authority: {dance: allowed}"),
            unit("visibility: {conditions: [{when: {}, then: {authority: {read: perhaps}}}]}"),
        ],
    );
    not_told(
        Code::AuthorityUnknown,
        [unit(
            "authority: {read: initiative, dance: denied, modify: requires_approval, execute: ~}",
        )],
    );
}

#[test]
fn w22_words_are_of_their_lists() {
    told(
        Code::WordUnknown,
        [
            "access: secret",
            "sensitivity: top",
            "payment: {default_tier: gold}",
            "freshness_policy: {on_stale: panic}",
            "hints: {load_strategy: always}",
            "hints: {priority: high}",
            "hints: {density: thick}",
            "hints: {token_estimate_method: guessed}",
        ]
        .map(unit),
    );
    told(
        Code::WordUnknown,
        [
            root("payment: {default_tier: gold}"),
            root("freshness_policy: {on_stale: panic}"),
        ],
    );
    not_told(
        Code::WordUnknown,
        [unit("access: public\n    payment: {model: metered}")],
    );
}

#[test]
fn w23_summaries_and_chunks_fit_together() {
    told(Code::SummaryUnitMissing, [unit("hints: {summary_available: true}")]);
    told(
        Code::HintReferenceUnknown,
        [
            "hints: {summary_unit: x}",
            "hints: {summary_of: x}",
            "hints: {chunk_of: x}",
        ]
        .map(unit),
    );
    told(
        Code::HintReferenceUnknown,
        [root("hints: {recommended_entry_point: x}")],
    );
    told(Code::SummaryOneSided, [two("hints: {summary_of: a}")]);
    told(
        Code::ChunkIndex,
        [
            "hints: {chunk_of: a, chunk_index: 0}",
            "hints: {chunk_of: a, chunk_index: 3, total_chunks: 2}",
            "hints: {chunk_index: 1}",
        ]
        .map(two),
    );
    told(Code::ChunkCount, [unit("hints: {chunked: true, chunk_count: 2}")]);
    let later = two("hints: {summary_of: a}").replace(
        "audience: [agent]",
        "audience: [agent]\n    hints: {summary_available: true, summary_unit: b}",
    );
    assert_eq!(codes(&later), [""; 0]);
}

#[test]
fn w24_what_is_deprecated_has_a_successor() {
    told(Code::DeprecatedAlone, [unit("deprecated: true")]);
    let superseded = |more: &str| two(more).replace("audience: [agent]", "audience: [agent]\n    deprecated: true");
    not_told(
        Code::DeprecatedAlone,
        [
            superseded("supersedes: a"),
            format!(
                "{}relationships: [{{from: b, to: a, type: supersedes}}]\n",
                superseded("kind: policy")
            ),
            unit("deprecated: false"),
        ],
    );
}

#[test]
fn w25_other_manifests_are_described_and_pinned_as_they_should_be() {
    let entry = |more: &str| federated(&format!("id: x, url: https://e.org/k, {more}"));
    told(
        Code::FederationUnknown,
        [
            entry("update_frequency: often"),
            entry("version_pin: 1.0.0, version_policy: newest"),
        ],
    );
    told(Code::PinWithoutPolicy, [entry("version_pin: 1.0.0")]);
    told(Code::PinInvalid, [entry("version_pin: 1.0, version_policy: exact")]);
    assert!(has(
        &entry("version_pin: 1.0.0, version_policy: exact"),
        Code::PinsUnverified
    ));
    assert!(has(
        &root("manifests: [{id: x, url: https://e.org/k}]"),
        Code::FederationUndescribed
    ));
    told(
        Code::ManifestUnknown,
        [
            unit("external_depends_on: [{manifest: x, unit: y}]"),
            root("external_relationships: [{from_unit: a, to_manifest: x, to_unit: y, type: context}]"),
        ],
    );
    told(
        Code::ExternalNamesNone,
        [root(
            "external_relationships: [{from_unit: a, to_unit: a, type: context}]",
        )],
    );
    let pins = |policy: &str, version: &'static str| {
        let known = move |_: &str| Some(version.to_owned());
        let options = ValidateOptions {
            pins: Some(&known),
            ..ValidateOptions::default()
        };
        findings_with(
            &entry(&format!("version_pin: 1.2.0, version_policy: {policy}")),
            &options,
        )
        .iter()
        .any(|finding| finding.code == Code::PinMismatch)
    };
    assert_eq!(
        [
            pins("exact", "1.2.0"),
            pins("exact", "1.2.1"),
            pins("minimum", "2.0.0"),
            pins("minimum", "1.2.0-rc.1"),
            pins("compatible", "1.9.0"),
            pins("compatible", "2.0.0"),
            pins("exact", "none")
        ],
        [false, true, false, true, false, true, true]
    );
}

#[test]
fn w26_what_to_do_on_failure_is_one_of_three() {
    told(
        Code::OnFailureUnknown,
        [unit("external_depends_on: [{manifest: x, unit: y, on_failure: cry}]")],
    );
    not_told(
        Code::OnFailureUnknown,
        [unit(
            "external_depends_on: [{manifest: x, unit: y, on_failure: degrade}]",
        )],
    );
}

#[test]
fn w27_addresses_of_publishers_and_approvals_are_there() {
    told(
        Code::PublisherUrl,
        [root("trust: {provenance: {publisher_url: http://e.org}}")],
    );
    told(
        Code::DocsUrlMissing,
        [root(
            "delegation: {human_in_the_loop: {required: true, approval_mechanism: custom}}",
        )],
    );
    not_told(
        Code::DocsUrlMissing,
        [root(
            "delegation: {human_in_the_loop: {required: true, approval_mechanism: uma}}",
        )],
    );
}

#[test]
fn w28_a_unit_asks_for_no_less_than_the_manifest() {
    let both = |own: &str, all: &str| format!("{}delegation: {{{all}}}\n", unit(&format!("delegation: {{{own}}}")));
    told(
        Code::DelegationRelaxed,
        [
            both("audit_chain: false", "audit_chain: true"),
            both(
                "require_capability_attenuation: false",
                "require_capability_attenuation: true",
            ),
            both(
                "human_in_the_loop: {required: false}",
                "human_in_the_loop: {required: true}",
            ),
        ],
    );
    not_told(
        Code::DelegationRelaxed,
        [
            both("audit_chain: true", "audit_chain: false"),
            unit("delegation: {audit_chain: false}"),
        ],
    );
}

#[test]
fn w29_the_hints_of_the_manifest_agree_with_its_units() {
    let both = |own: &str, all: &str| format!("{}hints: {{{all}}}\n", unit(&format!("hints: {{{own}}}")));
    told(
        Code::RootHints,
        [
            root("hints: {unit_count: 2}"),
            root("hints: {has_summaries: true}"),
            root("hints: {has_chunks: true}"),
            both("token_estimate: 100", "total_token_estimate: 99"),
        ],
    );
    not_told(
        Code::RootHints,
        [
            root("hints: {unit_count: 1, has_summaries: false, total_token_estimate: 7}"),
            both("token_estimate: 100", "total_token_estimate: 100"),
        ],
    );
}

#[test]
fn w30_rate_limits_are_whole_numbers_from_1_on() {
    let limit = |value: &str| format!("rate_limits: {{default: {{requests_per_minute: {value}}}}}");
    told(
        Code::RateLimit,
        [
            unit(&limit("0")),
            root(&limit("-1")),
            unit(&limit("1.5")),
            unit(&limit("many")),
        ],
    );
    not_told(Code::RateLimit, [unit(&limit("1"))]);
}

#[test]
fn w31_content_types_are_media_types() {
    told(
        Code::ContentType,
        ["content_type: markdown", "content_type: text/", "content_type: a b/c"].map(unit),
    );
    not_told(
        Code::ContentType,
        [
            "content_type: application/vnd.oai.openapi+yaml;version=3.1",
            "content_type: text/x-rst; charset=utf-8",
        ]
        .map(unit),
    );
}

#[test]
fn w32_an_intent_is_one_question_and_not_the_path() {
    let intent = |text: &str| UNIT.replace("What is a?", text);
    told(
        Code::IntentIsPath,
        ["docs/a.md", "A.MD", " a "].map(|text| intent(&format!("\"{text}\""))),
    );
    assert!(
        has(&intent("What is a? Where is b?"), Code::IntentSentences)
            && has(&intent("This is a. That is b."), Code::IntentSentences)
    );
    not_told(
        Code::IntentSentences,
        [
            "What is a?",
            "How do I use e.g. Redis?",
            "How is v2. of it made?",
            "What is in a.md?",
        ]
        .map(intent),
    );
}

#[test]
fn a1_scope_and_audience_are_forgiven_only_when_they_are_absent_and_only_on_request() {
    let lenient = ValidateOptions {
        lenient: true,
        ..ValidateOptions::default()
    };
    let is_valid_with = |text: &str| {
        !findings_with(text, &lenient)
            .iter()
            .any(|finding| finding.severity == Severity::Error)
    };
    for (line, empty, wrong) in [
        ("    scope: global\n", "    scope: \"\"\n", "    scope: [global]\n"),
        (
            "    audience: [agent]\n",
            "    audience: {}\n",
            "    audience: {a: b}\n",
        ),
    ] {
        let absent = UNIT.replace(line, "");
        assert!(!is_valid(&absent) && is_valid_with(&absent), "{line}");
        assert!(
            !is_valid_with(&UNIT.replace(line, empty)) && !is_valid_with(&UNIT.replace(line, wrong)),
            "{line}"
        );
    }
    assert!(!is_valid_with(
        &UNIT.replace("    id: a\n", "").replace("  - id: a\n", "  - x: a\n")
    ));
    told(Code::AudienceEmpty, [UNIT.replace("[agent]", "[]")]);
    let manifest = crate::testing::manifest(
        &UNIT
            .replace("    scope: global\n", "")
            .replace("    audience: [agent]\n", ""),
    );
    assert_eq!(
        (
            manifest.units[0].scope_or_default(),
            manifest.units[0].audiences().count()
        ),
        (crate::vocabulary::Scope::Global, 0)
    );
}

#[test]
fn a4_without_units_there_is_an_error_and_a_model() {
    let parsed = crate::testing::parsed("project: x\nunits: []\n");
    assert_eq!(parsed.manifest.map(|manifest| manifest.units.len()), Some(0));
    assert!(!is_valid("project: x\nunits: []\n"));
}

#[test]
fn a9_rumours_that_are_too_sure_are_errors_only_when_strict() {
    let text = unit("discovery: {verification_status: rumored, confidence: 0.9}");
    let strict = ValidateOptions {
        strict: Strict::Must,
        ..ValidateOptions::default()
    };
    assert!(is_valid(&text));
    assert!(
        findings_with(&text, &strict)
            .iter()
            .any(|finding| finding.code == Code::RumoredConfidence && finding.severity == Severity::Error)
    );
}

#[test]
fn a10_two_sensitivities_that_differ_are_told() {
    told(
        Code::SensitivitiesDiffer,
        [unit("sensitivity: public\n    compliance: {sensitivity: internal}")],
    );
    not_told(
        Code::SensitivitiesDiffer,
        [
            unit("sensitivity: public\n    compliance: {sensitivity: public}"),
            format!("{}compliance: {{sensitivity: internal}}\n", unit("sensitivity: public")),
        ],
    );
}

#[test]
fn a11_a_sensitivity_that_the_manifest_overrules_is_told() {
    let shadowed = |own: &str| format!("{}visibility: {{default: internal}}\n", unit(own));
    told(Code::SensitivityShadowed, [shadowed("sensitivity: public")]);
    not_told(
        Code::SensitivityShadowed,
        [
            shadowed("sensitivity: internal"),
            shadowed("sensitivity: public\n    visibility: {default: public}"),
            unit("sensitivity: public"),
        ],
    );
}

#[test]
fn a13_only_a_deeper_depth_is_an_error() {
    let both = |own: &str, all: &str| format!("{}delegation: {{{all}}}\n", unit(&format!("delegation: {{{own}}}")));
    assert!(!is_valid(&both("max_depth: 2", "max_depth: 1")));
    assert!(is_valid(&both(
        "max_depth: 1, audit_chain: false",
        "max_depth: 2, audit_chain: true"
    )));
}

#[test]
fn a14_an_address_from_the_root_of_a_site_is_no_https_address() {
    told(Code::FederationUrl, [federated("id: x, url: /security/knowledge.yaml")]);
}

#[test]
fn a15_a_relationship_of_another_name_is_only_a_warning() {
    told(
        Code::FederationUnknown,
        [root(
            "manifests: [{id: x, url: https://x.internal/k.yaml, label: l, relationship: component}]",
        )],
    );
}

#[test]
fn a26_a_byte_order_mark_is_a_warning_and_an_error_when_strict() {
    let text = format!("\u{feff}{UNIT}");
    assert_eq!(codes(&text), ["warning byte-order-mark 1:1"]);
    let strict = ValidateOptions {
        strict: Strict::Must,
        ..ValidateOptions::default()
    };
    assert_eq!(findings_with(&text, &strict)[0].severity, Severity::Error);
}

#[test]
fn a27_ids_of_units_are_warned_about_and_those_of_manifests_are_refused() {
    assert!(is_valid(&UNIT.replace("id: a", "id: A_b")));
    assert!(!is_valid(&federated("id: A_b, url: https://e.org/k.yaml")));
}

#[test]
fn a31_chunks_from_zero_and_summaries_of_one_side_are_only_warned_about() {
    assert!(
        is_valid(&two("hints: {chunk_of: a, chunk_index: 0}")) && is_valid(&unit("hints: {summary_available: true}"))
    );
}

#[test]
fn a32_other_manifests_may_change_hourly() {
    assert_eq!(
        codes(&federated("id: x, url: https://e.org/k.yaml, update_frequency: hourly")),
        [""; 0]
    );
}

#[test]
fn v11_no_logging_and_an_audit_exclude_each_other() {
    told(
        Code::RestrictionsConflict,
        [unit("compliance: {restrictions: [no_logging, audit-required]}")],
    );
}

#[test]
fn amend9_a_manifest_of_an_earlier_version_with_the_required_fields_alone_is_level_1() {
    let minimal = "kcp_version: \"0.12\"\nproject: shop\nversion: 2.0.0\nunits:\n  - id: prices\n    path: docs/prices.md\n    intent: How is a price made?\n    scope: global\n    audience: [agent]\n";
    let level = crate::levels::level(&crate::testing::manifest(minimal));
    assert_eq!((codes(minimal), level), (Vec::new(), 1));
}

#[test]
fn words_that_are_nearly_right_are_suggested() {
    let text = two("depends_on: [overveiw]").replace("id: a", "id: overview");
    let found = findings(&text);
    let hints: Vec<&str> = found.iter().filter_map(|finding| finding.hint.as_deref()).collect();
    assert_eq!(hints, ["did you mean `overview`?"]);
    assert!(
        is_near("montly", "monthly")
            && is_near("Global", "global")
            && !is_near("quarterly", "hourly")
            && !is_near("", "module")
    );
}
