//! Every field reaches the model with its place, and what is not as it should be is said.

use super::*;
use crate::model::{Indexing, License, Word, known};
use crate::testing::{UNIT, codes, has, is_valid, manifest};
use crate::vocabulary::*;

/// What the model holds of a field, in short.
fn debug(value: &impl std::fmt::Debug) -> bool {
    let text = format!("{value:?}");
    text != "None" && text != "[]"
}

const FULL_ROOT: &str = r#"kcp_version: 0.14
project: shop
version: 1.0.0
updated: 2026-01-31
language: no
license: {spdx: MIT, url: https://example.org, attribution_required: true}
indexing: {allow: [read], deny: train, attribution_required: false}
hints: {total_token_estimate: 1, unit_count: 1, recommended_entry_point: a, has_summaries: false, has_chunks: false}
trust: {provenance: {publisher: p, publisher_url: https://example.org, contact: c}, audit: {agent_must_log: true, require_trace_context: false}}
auth: {methods: [{type: oauth2, issuer: https://example.org, scopes: a, registration_url: https://example.org/r}, {type: api_key, header: X-Key}, {type: none}, {type: spiffe}]}
delegation: {max_depth: 3, require_capability_attenuation: true, audit_chain: true, require_delegation_proof: true, human_in_the_loop: {required: true, approval_mechanism: custom, docs_url: https://example.org}}
compliance: {data_residency: EU, regulations: [GDPR, X-1], sensitivity: internal, restrictions: [no-logging]}
payment: {default_tier: metered}
rate_limits: {default: {requests_per_minute: 3, requests_per_day: 100}}
manifests: [{id: other, url: https://example.org/k.yaml, label: l, relationship: peer, auth: {methods: [{type: none}]}, update_frequency: hourly, local_mirror: m/k.yaml, version_pin: 1.0.0, version_policy: exact}]
external_relationships: [{from_manifest: other, from_unit: x, to_unit: a, type: governs}]
freshness_policy: {max_age_days: 30, on_stale: block, review_contact: c}
visibility: {default: internal, conditions: [{when: {environment: production, agent_role: [dpo, x]}, then: {sensitivity: public, requires_auth: true, authority: {read: denied}}}]}
authority: {read: initiative, dance: denied}
discovery: {verification_status: observed, source: openapi, observed_at: 2026-01-01, verified_at: 2026-01-02, confidence: 0.75, contradicted_by: a}
relationships: [{from: a, to: a, type: context}]
units:
"#;

const FULL_UNIT: &str = r#"  - id: a
    path: docs/a.md
    intent: What is a?
    scope: module
    audience: [human, agent]
    kind: policy
    format: pdf
    content_type: application/pdf
    language: en
    license: MIT
    validated: "2026-01-30"
    update_frequency: daily
    indexing: read-only
    depends_on: b
    supersedes: gone
    triggers: word
    hints: {token_estimate: 1, token_estimate_method: measured, size_bytes: 4, load_strategy: eager, priority: critical, density: dense, summary_available: true, summary_unit: s, summary_of: t, partial_load_supported: true, chunked: true, chunk_count: 2, chunk_of: u, chunk_index: 1, total_chunks: 2, chunk_topic: v}
    access: restricted
    auth_scope: read
    sensitivity: confidential
    deprecated: false
    payment: {default_tier: free}
    rate_limits: {default: {requests_per_day: 1}}
    delegation: {max_depth: 0}
    compliance: {data_residency: {regions: [EU], hard_requirement: true}}
    external_depends_on: [{manifest: other, unit: x, on_failure: warn}]
    requires_capabilities: tool:git
    freshness_policy: {max_age_days: 1}
    visibility: {default: public}
    authority: {execute: denied}
    discovery: {source: manual}
"#;

#[test]
fn v1_every_field_of_the_manifest_reaches_the_model_with_its_place() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let root = &manifest.root;
    let fields: [(&str, bool); 22] = [
        ("kcp_version", debug(&root.kcp_version)),
        ("project", debug(&root.project)),
        ("version", debug(&root.version)),
        ("updated", debug(&root.updated)),
        ("language", debug(&root.language)),
        ("license", debug(&root.license)),
        ("indexing", debug(&root.indexing)),
        ("hints", debug(&root.hints)),
        ("trust", debug(&root.trust)),
        ("auth", debug(&root.auth)),
        ("delegation", debug(&root.delegation)),
        ("compliance", debug(&root.compliance)),
        ("payment", debug(&root.payment)),
        ("rate_limits", debug(&root.rate_limits)),
        ("manifests", debug(&manifest.manifests)),
        ("external_relationships", debug(&manifest.external_relationships)),
        ("freshness_policy", debug(&root.freshness_policy)),
        ("visibility", debug(&root.visibility)),
        ("authority", debug(&root.authority)),
        ("discovery", debug(&root.discovery)),
        ("units", debug(&manifest.units)),
        ("relationships", debug(&manifest.relationships)),
    ];
    for (name, is_there) in fields {
        assert!(is_there, "{name}");
    }
    let place = manifest.document.place(root.updated.unwrap().node);
    assert_eq!((place.line, place.column), (4, 10));
}

#[test]
fn v2_every_field_of_a_unit_reaches_the_model_with_its_place() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let unit = &manifest.units[0];
    let fields: [(&str, bool); 31] = [
        ("id", debug(&unit.id)),
        ("path", debug(&unit.path)),
        ("intent", debug(&unit.intent)),
        ("scope", debug(&unit.scope)),
        ("audience", debug(&unit.audience)),
        ("kind", debug(&unit.kind)),
        ("format", debug(&unit.format)),
        ("content_type", debug(&unit.content_type)),
        ("language", debug(&unit.language)),
        ("license", debug(&unit.license)),
        ("validated", debug(&unit.validated)),
        ("update_frequency", debug(&unit.update_frequency)),
        ("indexing", debug(&unit.indexing)),
        ("depends_on", debug(&unit.depends_on)),
        ("supersedes", debug(&unit.supersedes)),
        ("triggers", debug(&unit.triggers)),
        ("hints", debug(&unit.hints)),
        ("access", debug(&unit.access)),
        ("auth_scope", debug(&unit.auth_scope)),
        ("sensitivity", debug(&unit.sensitivity)),
        ("deprecated", debug(&unit.deprecated)),
        ("payment", debug(&unit.payment)),
        ("rate_limits", debug(&unit.rate_limits)),
        ("delegation", debug(&unit.delegation)),
        ("compliance", debug(&unit.compliance)),
        ("external_depends_on", debug(&unit.external_depends_on)),
        ("requires_capabilities", debug(&unit.requires_capabilities)),
        ("freshness_policy", debug(&unit.freshness_policy)),
        ("visibility", debug(&unit.visibility)),
        ("authority", debug(&unit.authority)),
        ("discovery", debug(&unit.discovery)),
    ];
    for (name, is_there) in fields {
        assert!(is_there, "{name}");
    }
    assert_eq!(manifest.field(&unit.supersedes), Some("gone"));
    let place = manifest.document.place(unit.kind.unwrap().node);
    assert_eq!((place.line, place.column), (28, 11));
}

#[test]
fn v2_a_value_of_the_wrong_type_is_warned_about_and_read_as_absent() {
    for (field, value) in [
        ("kind", "[x]"),
        ("deprecated", "flase"),
        ("hints", "[1]"),
        ("hints", "{token_estimate: -1}"),
        ("hints", "{token_estimate: 1.5}"),
        ("triggers", "{a: b}"),
        ("depends_on", "[[a]]"),
        ("validated", "{}"),
        ("license", "[]"),
        ("indexing", "[a]"),
        ("external_depends_on", "x"),
        ("visibility", "public"),
        ("visibility", "{conditions: 3}"),
        ("authority", "denied"),
        ("rate_limits", "3"),
        ("compliance", "strict"),
    ] {
        let text = format!("{UNIT}    {field}: {value}\n");
        assert!(
            has(&text, Code::WrongType) && is_valid(&text),
            "{field}: {:?}",
            codes(&text)
        );
    }
    for more in [
        "relationships: x",
        "relationships: [x]",
        "manifests: {}",
        "auth: key",
        "auth: {methods: none}",
        "trust: yes",
        "hints: [1]",
    ] {
        let text = format!("{UNIT}{more}\n");
        assert!(has(&text, Code::WrongType) && is_valid(&text), "{more}");
    }
    assert!(
        manifest(&format!("{UNIT}    deprecated: flase\n")).units[0]
            .deprecated
            .is_none()
    );
}

#[test]
fn v9_methods_of_authentication_keep_their_order_and_unknown_ones() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let methods = &manifest
        .root
        .auth
        .as_ref()
        .unwrap()
        .value
        .methods
        .as_ref()
        .unwrap()
        .value;
    let kinds: Vec<Option<AuthType>> = methods.iter().map(|method| known(&method.value.kind)).collect();
    assert_eq!(
        kinds,
        [
            Some(AuthType::Oauth2),
            Some(AuthType::ApiKey),
            Some(AuthType::None),
            None
        ]
    );
    assert_eq!(manifest.field(&methods[0].value.issuer), Some("https://example.org"));
    assert_eq!(methods[0].value.scopes.as_ref().unwrap().value.len(), 1);
    assert_eq!(manifest.field(&methods[1].value.header), Some("X-Key"));
}

#[test]
fn v10_delegation_is_read_and_what_is_reserved_is_ignored() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let delegation = &manifest.root.delegation.as_ref().unwrap().value;
    assert_eq!(delegation.max_depth.map(|depth| depth.value), Some(3));
    let human = &delegation.human_in_the_loop.as_ref().unwrap().value;
    assert_eq!(
        (human.required.map(|flag| flag.value), known(&human.approval_mechanism)),
        (Some(true), Some(ApprovalMechanism::Custom))
    );
    assert_eq!(
        manifest.units[0]
            .delegation
            .as_ref()
            .unwrap()
            .value
            .max_depth
            .map(|depth| depth.value),
        Some(0)
    );
}

#[test]
fn v11_regulations_and_restrictions_of_any_name_are_kept_in_silence() {
    let text = format!(
        "{UNIT}    compliance: {{regulations: [GDPR, X-1], restrictions: [no-fun], data_residency: [EU, ~]}}\n"
    );
    assert_eq!(codes(&text), [""; 0]);
    let manifest = manifest(&text);
    let compliance = &manifest.units[0].compliance.as_ref().unwrap().value;
    assert_eq!(compliance.regulations.as_ref().unwrap().value.len(), 2);
    assert_eq!(compliance.data_residency.as_ref().unwrap().value.regions.len(), 1);
    assert_eq!(
        listed::<Regulation>(),
        "GDPR, ePrivacy, NIS2, HIPAA, HITECH, CCPA, MiFID2, DORA, AML5D, FATF, ITAR, eIDAS"
    );
}

#[test]
fn v13_other_manifests_are_read_whole() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let entry = &manifest.manifests[0];
    assert_eq!(
        (manifest.field(&entry.id), manifest.field(&entry.version_pin)),
        (Some("other"), Some("1.0.0"))
    );
    assert_eq!(
        (known(&entry.relationship), known(&entry.version_policy)),
        (Some(ManifestRelationship::Peer), Some(VersionPolicy::Exact))
    );
    assert!(entry.auth.is_some() && entry.local_mirror.is_some() && entry.label.is_some() && entry.url.is_some());
    assert!(has(
        &format!("{UNIT}manifests: [{{id: x, url: https://e.org, local_mirror: ../m.yaml}}]\n"),
        Code::ParsePath
    ));
}

#[test]
fn v14_hints_are_read_whole() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let hints = format!("{:?}", manifest.units[0].hints.as_ref().unwrap().value);
    let root_hints = format!("{:?}", manifest.root.hints.as_ref().unwrap().value);
    assert!(
        !hints.contains("None") && !root_hints.contains("None"),
        "{hints} {root_hints}"
    );
}

#[test]
fn v15_conditions_keep_what_they_ask_for() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let visibility = &manifest.root.visibility.as_ref().unwrap().value;
    let when = &visibility.conditions[0].when.as_ref().unwrap().value;
    assert_eq!(
        (
            when.environment.as_ref().unwrap().value.len(),
            when.agent_role.as_ref().unwrap().value.len()
        ),
        (1, 2)
    );
    let then = &visibility.conditions[0].then.as_ref().unwrap().value;
    assert!(then.sensitivity.is_some() && then.requires_auth.is_some() && then.authority.is_some());
}

#[test]
fn v16_authority_knows_actions_of_any_name() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let actions = &manifest.root.authority.as_ref().unwrap().value.actions;
    let names: Vec<&str> = actions
        .iter()
        .map(|permitted| manifest.text(permitted.action))
        .collect();
    assert_eq!(names, ["read", "dance"]);
    assert_eq!(listed::<Action>(), "read, summarize, modify, share_externally, execute");
}

#[test]
fn v17_discovery_and_trust_are_read_whole() {
    let manifest = manifest(&format!("{FULL_ROOT}{FULL_UNIT}"));
    let discovery = &manifest.root.discovery.as_ref().unwrap().value;
    assert_eq!(
        (known(&discovery.verification_status), known(&discovery.source)),
        (Some(VerificationStatus::Observed), Some(DiscoverySource::Openapi))
    );
    assert_eq!(discovery.confidence.map(|confidence| confidence.value), Some(0.75));
    let trust = format!("{:?}", manifest.root.trust.as_ref().unwrap().value);
    assert!(!trust.contains("None"), "{trust}");
    assert_eq!(codes(&format!("{UNIT}trust: {{}}\n")), [""; 0]);
}

#[test]
fn p3_a_manifest_and_its_units_are_mappings() {
    for (text, code) in [
        ("- a\n", Code::ParseRoot),
        ("x\n", Code::ParseRoot),
        ("", Code::ParseRoot),
        ("units: [a]\n", Code::ParseUnit),
        ("units: [~]\n", Code::ParseUnit),
        ("units: [[]]\n", Code::ParseUnit),
    ] {
        let parsed = parse(text.as_bytes(), &Limits::default());
        assert!(
            parsed.manifest.is_none() && parsed.findings.iter().any(|finding| finding.code == code),
            "{text}"
        );
    }
    for text in ["project: x\nunits: {}\n", "project: x\nunits: 3\n", "project: x\n"] {
        assert!(has(text, Code::UnitsMissing), "{text}");
    }
    assert!(has("project: x\n? [a]\n: b\n", Code::ParseYaml));
}

#[test]
fn p4_unknown_fields_are_kept_and_not_reported() {
    let text = format!("{UNIT}    x-own: {{a: [1, !!str 2]}}\n    future: &f text\nx-root: *f\n");
    assert_eq!(codes(&text), [""; 0]);
    assert_eq!(manifest(&text).document.source(), text);
}

#[test]
fn p5_a_text_where_a_list_is_expected_is_a_list_of_one() {
    let text = format!(
        "{}    depends_on: a\n    triggers: t\n    requires_capabilities: c\n    compliance: {{regulations: GDPR, restrictions: no-logging, data_residency: EU}}\n    indexing: {{allow: read, deny: train}}\n",
        UNIT.replace("[agent]", "agent")
    );
    assert_eq!(codes(&text), [""; 0]);
    let manifest = manifest(&text);
    let unit = &manifest.units[0];
    assert_eq!(unit.audiences().collect::<Vec<_>>(), [Audience::Agent]);
    assert_eq!(unit.depends_on.as_ref().unwrap().value.len(), 1);
    assert_eq!(unit.triggers.as_ref().unwrap().value.kept.len(), 1);
    assert_eq!(unit.requires_capabilities.as_ref().unwrap().value.len(), 1);
    let Indexing::Block { allow, deny, .. } = &*unit.indexing.as_ref().unwrap().value else {
        panic!()
    };
    assert!(allow.is_some() && deny.is_some());
}

#[test]
fn p6_null_is_absent_everywhere() {
    let text = format!(
        "{UNIT}    kind: ~\n    hints: null\n    triggers: [~, a, null]\n    discovery:\n    validated:\n    compliance: {{sensitivity: ~}}\nrelationships: null\nauth: ~\nlicense: Null\n"
    );
    assert_eq!(codes(&text), [""; 0]);
    let manifest = manifest(&text);
    let unit = &manifest.units[0];
    assert!(unit.kind.is_none() && unit.hints.is_none() && unit.discovery.is_none() && unit.validated.is_none());
    assert_eq!(unit.triggers.as_ref().unwrap().value.declared, 1);
    assert!(has(&UNIT.replace("id: a", "id: ~"), Code::UnitFieldMissing));
    assert!(!has(&UNIT.replace("id: a", "id: \"null\""), Code::UnitFieldMissing));
}

#[test]
fn p7_dates_may_be_quoted_or_not_and_have_a_time() {
    for date in [
        "2026-02-25",
        "\"2026-02-25\"",
        "2026-02-25T10:00:00Z",
        "'2026-02-25T23:00:00-11:00'",
    ] {
        let manifest = manifest(&format!("{UNIT}    validated: {date}\n"));
        let day = manifest.units[0].validated.unwrap().value.day.unwrap();
        assert_eq!(day.to_string(), "2026-02-25", "{date}");
    }
}

#[test]
fn p8_license_and_indexing_have_two_forms() {
    let text = format!(
        "{UNIT}    license: MIT\n    indexing: no-train\nlicense: {{spdx: MIT, attribution_required: true}}\nindexing: {{deny: [train]}}\n"
    );
    let manifest = manifest(&text);
    assert!(matches!(
        *manifest.units[0].license.as_ref().unwrap().value,
        License::Name(_)
    ));
    assert!(matches!(
        *manifest.units[0].indexing.as_ref().unwrap().value,
        Indexing::Word(Word::Known(IndexingWord::NoTrain))
    ));
    assert!(matches!(
        manifest.root.license.as_ref().unwrap().value,
        License::Block { .. }
    ));
    assert!(matches!(
        manifest.root.indexing.as_ref().unwrap().value,
        Indexing::Block { .. }
    ));
}

#[test]
fn p9_a_path_that_leads_out_leaves_no_manifest() {
    for path in ["/etc/shadow", "../x", "a/../../x", "'C:\\x'", "\"a\\0b\"", "'..\\x'"] {
        let parsed = parse(UNIT.replace("docs/a.md", path).as_bytes(), &Limits::default());
        assert!(parsed.manifest.is_none(), "{path}");
        let finding = &parsed.findings[0];
        assert_eq!(
            (
                finding.code,
                finding.place.line,
                finding.unit.as_deref(),
                finding.field.as_deref()
            ),
            (Code::ParsePath, 6, Some("a"), Some("units[0].path")),
            "{path}"
        );
    }
}

#[test]
fn p10_triggers_are_cut_by_characters_and_their_number_is_remembered() {
    let long = "é".repeat(61);
    let many: Vec<String> = (0..25).map(|number| format!("t{number}")).collect();
    let text = format!("{UNIT}    triggers: [{long}, {}, {long}]\n", many.join(", "));
    let manifest = manifest(&text);
    let triggers = &manifest.units[0].triggers.as_ref().unwrap().value;
    assert_eq!((triggers.kept.len(), triggers.declared), (20, 27));
    assert_eq!(manifest.text(triggers.kept[0].value), "é".repeat(60));
    let escaped = super::parse(
        format!("{UNIT}    triggers: [\"{}\\u00e9\"]\n", "é".repeat(60)).as_bytes(),
        &Limits::default(),
    )
    .manifest
    .unwrap();
    assert_eq!(
        escaped.text(escaped.units[0].triggers.as_ref().unwrap().value.kept[0].value),
        "é".repeat(60)
    );
}

#[test]
fn p11_what_is_not_declared_has_a_default() {
    let manifest = manifest(UNIT);
    let unit = &manifest.units[0];
    assert_eq!(
        (unit.kind_or_default(), unit.is_deprecated(), unit.access_or_default()),
        (UnitKind::Knowledge, false, Some(AccessLevel::Public))
    );
    let unknown = super::parse(
        format!("{UNIT}    access: secret\n    kind: song\n").as_bytes(),
        &Limits::default(),
    )
    .manifest
    .unwrap();
    assert_eq!(
        (unknown.units[0].access_or_default(), unknown.units[0].kind_or_default()),
        (None, UnitKind::Knowledge)
    );
}

#[test]
fn p14_the_format_comes_from_the_extension_and_the_content_type_wins() {
    let media = |more: &str, path: &str| {
        let manifest = manifest(&format!("{}{more}", UNIT.replace("docs/a.md", path)));
        manifest.media_type(&manifest.units[0]).to_owned()
    };
    assert_eq!(media("", "a.md"), "text/markdown");
    assert_eq!(media("", "a.YML"), "application/yaml");
    assert_eq!(media("", "a.unknown"), "text/plain");
    assert_eq!(
        media("    format: openapi\n", "a.yaml"),
        "application/vnd.oai.openapi+yaml"
    );
    assert_eq!(
        media("    format: pdf\n    content_type: text/x-own\n", "a.md"),
        "text/x-own"
    );
}

#[test]
fn a3_texts_keep_what_is_written() {
    let text = UNIT
        .replace("\"0.14\"", "0.10")
        .replace("id: a", "id: 007")
        .replace("project: shop", "project: 1.10\nlanguage: no");
    let manifest = manifest(&text);
    assert_eq!(manifest.field(&manifest.root.kcp_version), Some("0.10"));
    assert_eq!(
        (
            manifest.kcp_version().minor,
            manifest.field(&manifest.root.language),
            manifest.field(&manifest.root.project)
        ),
        (10, Some("no"), Some("1.10"))
    );
    assert_eq!(manifest.id(&manifest.units[0]), Some("007"));
    assert!(has(&format!("{UNIT}    deprecated: yes\n"), Code::BooleanSpelling));
    assert!(manifest_flag("yes") && !manifest_flag("Off") && manifest_flag("TRUE"));
}

fn manifest_flag(word: &str) -> bool {
    manifest(&format!("{UNIT}    deprecated: {word}\n")).units[0].is_deprecated()
}

#[test]
fn amend4_a_bad_depth_and_a_bad_human_in_the_loop_are_warned_about_and_read_strictly() {
    for depth in ["-1", "1.5", "\"3\"", "many", "[1]"] {
        let text = format!("{UNIT}    delegation: {{max_depth: {depth}}}\n");
        assert!(has(&text, Code::MaxDepth) && is_valid(&text), "{depth}");
        assert_eq!(
            manifest(&text).units[0]
                .delegation
                .as_ref()
                .unwrap()
                .value
                .max_depth
                .map(|depth| depth.value),
            Some(0),
            "{depth}"
        );
    }
    for (value, required) in [
        ("approval", true),
        ("always", true),
        ("[x]", true),
        ("true", true),
        ("never", false),
        ("not-required", false),
        ("false", false),
    ] {
        let text = format!("{UNIT}    delegation: {{human_in_the_loop: {value}}}\n");
        assert!(has(&text, Code::HumanInTheLoop) && is_valid(&text), "{value}");
        let manifest = manifest(&text);
        let human = manifest.units[0]
            .delegation
            .as_ref()
            .unwrap()
            .value
            .human_in_the_loop
            .as_ref()
            .unwrap();
        assert_eq!(human.value.required.map(|flag| flag.value), Some(required), "{value}");
    }
}
