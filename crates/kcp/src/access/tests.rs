//! The decisions of the text, row by row: the table of section A, and every clause and ruling of it.

use proptest::prelude::*;

use super::decide::*;
use super::*;
use crate::context::AgentContext;
use crate::context::{Credential, Hosting, Profile, Usage};
use crate::effective::Origin;
use crate::model::{Manifest, UnitIndex};
use crate::testing::{UNIT, manifest};
use crate::vocabulary::AuthType;
use crate::vocabulary::{Sensitivity, Vocabulary};
use lore_seam::{OpError, Operation, Page, Render, Style, Value, Verdict};

const DAY_MS: u64 = 86_400_000;

/// A manifest whose unit has some lines more, and its root too.
fn with(unit: &str, root: &str) -> Manifest {
    let unit: String = unit.lines().map(|line| format!("    {line}\n")).collect();
    manifest(&format!("{UNIT}{unit}{root}"))
}

/// An agent at depth 1 without anything.
fn agent() -> AgentContext {
    AgentContext {
        depth: 1,
        ..AgentContext::default()
    }
}

fn holding(scopes: &[&str]) -> AgentContext {
    AgentContext {
        credential: Some(Credential {
            method: Some(AuthType::Oauth2),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        }),
        ..agent()
    }
}

fn decided(unit: &str, root: &str, action: &str, agent: &AgentContext) -> Decision {
    decide(&with(unit, root), UnitIndex(0), action, agent, Now(20_000 * DAY_MS))
}

/// The outcome and the reasons: `denied access: why; why`.
fn told(unit: &str, root: &str, action: &str, agent: &AgentContext) -> String {
    in_words(&decided(unit, root, action, agent))
}

fn in_words(decision: &Decision) -> String {
    let outcome = match &decision.outcome {
        Outcome::RequiresHumanApproval {
            mechanism, sensitivity, ..
        } => format!(
            "approval {mechanism} {}",
            sensitivity.map_or("undeclared", Sensitivity::word)
        ),
        outcome => outcome.word().to_owned(),
    };
    let reasons = decision
        .reasons
        .iter()
        .map(|reason| format!(" [{}: {}]", reason.gate.name(), reason.message));
    format!("{outcome}{}", reasons.collect::<String>())
}

fn obligations(decision: &Decision) -> String {
    let kinds: Vec<&str> = decision
        .obligations
        .iter()
        .map(|obligation| obligation.kind.word())
        .collect();
    kinds.join(" ")
}

// The table of section A: access.

#[test]
fn access2_table_public_without_a_token_is_granted() {
    assert_eq!(told("access: public\n", "", "read", &agent()), "granted");
    assert_eq!(told("", "", "read", &agent()), "granted");
}

#[test]
fn access2_table_public_with_a_token_is_granted() {
    assert_eq!(told("access: public\n", "", "read", &holding(&["x"])), "granted");
}

#[test]
fn access2_table_authenticated_without_a_token_is_denied() {
    assert_eq!(
        told("access: authenticated\n", "", "read", &agent()),
        "denied [access: no credential: it requires authentication]"
    );
}

#[test]
fn access2_table_authenticated_with_a_token_is_granted() {
    assert_eq!(told("access: authenticated\n", "", "read", &holding(&[])), "granted");
}

#[test]
fn access2_table_authenticated_with_a_wrong_scope_is_denied_by_the_simulators_only() {
    let unit = "access: authenticated\nauth_scope: read:meter\n";
    assert_eq!(told(unit, "", "read", &holding(&["other"])), "granted");
    let simulated = AgentContext {
        profile: Profile::Simulator,
        ..holding(&["other"])
    };
    assert_eq!(
        told(unit, "", "read", &simulated),
        "denied [access: the scope `read:meter` is required, and the agent does not have it]"
    );
}

#[test]
fn access2_table_restricted_without_a_token_is_denied() {
    assert_eq!(
        told("access: restricted\nauth_scope: ops\n", "", "read", &agent()),
        "denied [access: no credential: the scope `ops` is required]"
    );
}

#[test]
fn access2_table_restricted_with_a_wrong_scope_is_denied_and_the_scope_named() {
    assert_eq!(
        told("access: restricted\nauth_scope: ops\n", "", "read", &holding(&["dev"])),
        "denied [access: the scope `ops` is required, and the agent does not have it]"
    );
}

#[test]
fn access2_table_restricted_with_its_scope_and_a_human_in_the_loop_needs_approval() {
    let unit = "access: restricted\nauth_scope: ops\nsensitivity: confidential\ndelegation: {human_in_the_loop: {required: true, approval_mechanism: oauth_consent}}\n";
    assert_eq!(
        told(unit, "", "read", &holding(&["ops"])),
        "approval oauth_consent confidential [approval: a human has to approve access]"
    );
}

#[test]
fn access2_table_restricted_with_its_scope_is_granted() {
    assert_eq!(
        told(
            "access: restricted\nauth_scope: ops\n",
            "",
            "read",
            &holding(&["x", "ops"])
        ),
        "granted"
    );
}

#[test]
fn a20_an_unknown_access_is_denied_to_everybody() {
    assert_eq!(
        told("access: members\n", "", "read", &holding(&["members"])),
        "denied [access: `members` is not a known access level, so access is denied]"
    );
    for odd in ["access: [public]\n", "access: {level: public}\n"] {
        assert!(
            told(odd, "", "read", &holding(&["x"])).starts_with("denied [access: "),
            "{odd}"
        );
    }
    assert_eq!(told("access: ~\n", "", "read", &agent()), "granted");
}

#[test]
fn access2_restricted_without_a_scope_is_denied_unless_policy_says_otherwise() {
    let unit = "access: restricted\n";
    assert!(
        told(unit, "", "read", &holding(&["x"])).starts_with("denied [access: it is restricted and names no scope")
    );
    let any = AgentContext {
        any_scope: true,
        ..holding(&[])
    };
    assert_eq!(told(unit, "", "read", &any), "granted");
    let nobody = AgentContext {
        any_scope: true,
        ..agent()
    };
    assert_eq!(
        told(unit, "", "read", &nobody),
        "denied [access: no credential: it is restricted]"
    );
}

#[test]
fn access2_the_method_none_proves_nothing() {
    let nobody = AgentContext {
        credential: Some(Credential {
            method: Some(AuthType::None),
            scopes: vec!["ops".to_owned()],
        }),
        ..agent()
    };
    let auth = "auth: {methods: [{type: none}]}\n";
    assert!(told("access: authenticated\n", auth, "read", &nobody).starts_with("denied"));
    assert!(told("access: restricted\nauth_scope: ops\n", auth, "read", &nobody).starts_with("denied"));
    assert_eq!(told("", auth, "read", &nobody), "granted");
}

#[test]
fn a21_simulators_make_a_scope_of_the_id() {
    let needs = |id: &str, unit: &str, profile| {
        let text = UNIT.replace("id: a\n", &format!("id: {id}\n"));
        let m = manifest(&format!("{text}    access: restricted\n{unit}"));
        let agent = AgentContext {
            profile,
            ..holding(&[])
        };
        let decision = decide(&m, UnitIndex(0), "read", &agent, Now(0));
        decision.reasons[0].message.clone()
    };
    let scope = |scope: &str| format!("the scope `{scope}` is required, and the agent does not have it");
    assert_eq!(needs("a-b-c", "", Profile::Simulator), scope("read:b-c"));
    assert_eq!(needs("meter", "", Profile::Simulator), scope("read:meter"));
    assert_eq!(needs("a-", "", Profile::Simulator), scope("read:a-"));
    let declared = "    auth_scope: ops\n";
    assert_eq!(needs("a-b", declared, Profile::Simulator), scope("ops"));
    assert_eq!(needs("a-b", declared, Profile::A2a), scope("read:b"));
    assert_eq!(needs("a-b", declared, Profile::Spec), scope("ops"));
    let nameless = manifest(&UNIT.replace("id: a\n", "access: restricted\n"));
    let agent = AgentContext {
        profile: Profile::A2a,
        ..holding(&["read:unknown"])
    };
    assert_eq!(
        decide(&nameless, UnitIndex(0), "read", &agent, Now(0)).outcome,
        Outcome::Granted
    );
}

#[test]
fn access4_simulators_assume_a_sensitivity_for_the_approval_and_the_text_does_not() {
    let unit = "access: restricted\nauth_scope: ops\ndelegation: {human_in_the_loop: {required: true}}\n";
    assert!(told(unit, "", "read", &holding(&["ops"])).starts_with("approval manual undeclared"));
    let simulated = AgentContext {
        profile: Profile::Simulator,
        ..holding(&["ops"])
    };
    assert!(told(unit, "", "read", &simulated).starts_with("approval manual restricted"));
    let unit = unit.replace("restricted", "authenticated");
    assert!(told(&unit, "", "read", &simulated).starts_with("approval manual internal"));
}

// The table: delegation. A law office, and money laundering.

const LEGAL: &str = "kcp_version: \"0.14\"\nproject: legal\nversion: 1.0.0\ndelegation: {max_depth: 3, require_capability_attenuation: true}\nunits:
- {id: sealed-records, path: a.md, intent: Which records are sealed?, scope: global, audience: [agent], delegation: {max_depth: 0}}
- {id: client-communications, path: b.md, intent: What was said?, scope: global, audience: [agent], delegation: {max_depth: 2}}
- {id: case-briefs, path: c.md, intent: What is the case?, scope: global, audience: [agent]}
";

const AML: &str = "kcp_version: \"0.14\"\nproject: aml\nversion: 1.0.0\ndelegation: {max_depth: 3, require_capability_attenuation: true}\nunits:
- {id: raw-wire-transfers, path: a.md, intent: Who paid whom?, scope: global, audience: [agent], delegation: {max_depth: 0}}
- {id: customer-profiles, path: b.md, intent: Who are they?, scope: global, audience: [agent], delegation: {max_depth: 2}, compliance: {data_residency: [EU], regulations: [GDPR, AML5D], restrictions: [no_ai_training, no_cross_border]}}
- {id: sar-drafts, path: c.md, intent: What is reported?, scope: global, audience: [agent], delegation: {max_depth: 1}}
- {id: transaction-patterns, path: d.md, intent: What is odd?, scope: global, audience: [agent]}
";

/// Whether access may be passed on, from one scope to another; no unit has the id `-`.
fn passes(text: &str, id: &str, depth: u32, parent: &str, offered: Option<&str>) -> String {
    let m = manifest(text);
    let found = (0u32..).zip(&m.units).find(|(_, unit)| m.id(unit) == Some(id));
    let offered = offered.map(|scope| vec![scope]);
    match check_delegation(
        &m,
        found.map(|(number, _)| UnitIndex(number)),
        depth,
        &[parent],
        offered.as_deref(),
    ) {
        Ok(()) => "ok".to_owned(),
        Err(reason) => reason.message,
    }
}

#[test]
fn access3_table_sealed_records_are_never_passed_on() {
    let refused = "delegation is not allowed (max_depth 0)";
    for depth in [0, 1, 2, 3] {
        assert_eq!(passes(LEGAL, "sealed-records", depth, "a", Some("a:b")), refused);
    }
    assert_eq!(passes(AML, "raw-wire-transfers", 1, "a", Some("a:b")), refused);
}

#[test]
fn access3_table_client_communications_are_passed_on_twice() {
    assert_eq!(
        passes(LEGAL, "client-communications", 1, "attorney", Some("attorney:limited")),
        "ok"
    );
    assert_eq!(
        passes(
            LEGAL,
            "client-communications",
            2,
            "attorney",
            Some("attorney:read-only")
        ),
        "ok"
    );
    assert_eq!(
        passes(
            LEGAL,
            "client-communications",
            3,
            "attorney",
            Some("attorney:read-only")
        ),
        "depth 3 is beyond max_depth 2"
    );
}

#[test]
fn access3_table_case_briefs_are_passed_on_with_a_narrower_scope_only() {
    assert_eq!(
        passes(LEGAL, "case-briefs", 1, "read:case", Some("read:case")),
        "[read:case] is not narrower than [read:case]: each delegation step has to narrow the scopes"
    );
    assert_eq!(
        passes(LEGAL, "case-briefs", 1, "read:case", None),
        "the offered scopes are not known, so they cannot be narrower"
    );
    assert_eq!(
        passes(LEGAL, "case-briefs", 1, "read:case", Some("read:case:external-summary")),
        "ok"
    );
}

#[test]
fn access3_table_a_unit_that_is_unknown_is_judged_by_the_manifest() {
    assert_eq!(passes(LEGAL, "-", 2, "a", Some("a:b")), "ok");
    assert_eq!(passes(LEGAL, "-", 4, "a", Some("a:b")), "depth 4 is beyond max_depth 3");
}

#[test]
fn access3_table_customer_profiles() {
    assert_eq!(passes(AML, "customer-profiles", 2, "a", Some("a:b")), "ok");
    assert_eq!(
        passes(AML, "customer-profiles", 3, "a", Some("a:b")),
        "depth 3 is beyond max_depth 2"
    );
    assert!(passes(AML, "customer-profiles", 1, "a", Some("a")).contains("not narrower"));
    assert!(passes(AML, "customer-profiles", 1, "a", None).contains("not known"));
}

#[test]
fn access3_table_sar_drafts() {
    assert_eq!(passes(AML, "sar-drafts", 1, "a", Some("a:b")), "ok");
    assert_eq!(
        passes(AML, "sar-drafts", 2, "a", Some("a:b")),
        "depth 2 is beyond max_depth 1"
    );
}

#[test]
fn access3_table_transaction_patterns() {
    assert_eq!(passes(AML, "transaction-patterns", 2, "a", Some("a:b")), "ok");
    assert_eq!(
        passes(AML, "transaction-patterns", 4, "a", Some("a:b")),
        "depth 4 is beyond max_depth 3"
    );
}

#[test]
fn a23_where_nothing_is_passed_on_the_owner_himself_still_has_access() {
    let unit = "delegation: {max_depth: 0}\n";
    let owner = AgentContext::default();
    assert_eq!(told(unit, "", "read", &owner), "granted");
    assert_eq!(
        told(unit, "", "read", &agent()),
        "denied [delegation: depth 1: only the owner has access (max_depth 0)]"
    );
    let m = with(unit, "");
    assert!(check_delegation(&m, Some(UnitIndex(0)), 0, &[], None).is_err());
}

#[test]
fn access3_attenuation_counts_from_depth_1_whoever_asks_for_it() {
    let unit = "delegation: {require_capability_attenuation: true}\n";
    assert_eq!(told(unit, "", "read", &AgentContext::default()), "granted");
    assert!(told(unit, "", "read", &holding(&["a:b"])).contains("those of the delegating agent are not known"));
    let passed = |held: &[&str]| AgentContext {
        parent_scopes: Some(vec!["a".to_owned()]),
        ..holding(held)
    };
    assert_eq!(told(unit, "", "read", &passed(&["a:b"])), "granted");
    assert!(told(unit, "", "read", &passed(&["a"])).contains("not narrower"));
    let bare = AgentContext {
        credential: None,
        ..passed(&[])
    };
    assert!(told(unit, "", "read", &bare).contains("the agent has none"));
}

#[test]
fn access3_a_chain_that_is_audited_obliges_to_a_trace() {
    let decision = decided("", "delegation: {audit_chain: true}\n", "read", &agent());
    assert_eq!(decision.outcome, Outcome::Granted);
    assert_eq!(obligations(&decision), "trace conservative");
}

// Residency.

fn of_profiles(region: Option<&str>) -> String {
    let m = manifest(AML);
    let agent = AgentContext {
        region: region.map(str::to_owned),
        parent_scopes: Some(vec!["a".to_owned()]),
        ..holding(&["a:b"])
    };
    in_words(&decide(&m, UnitIndex(1), "read", &agent, Now(0)))
}

#[test]
fn access5_table_a_region_in_the_union_is_ok() {
    assert_eq!(of_profiles(Some("EU")), "granted");
    assert_eq!(of_profiles(Some("DE")), "granted");
}

#[test]
fn access5_table_a_region_outside_is_a_violation_that_names_both_and_the_law() {
    assert_eq!(of_profiles(Some("US")), "denied [compliance: US is not in [EU] (GDPR)]");
}

#[test]
fn access5_table_without_residency_any_region_is_ok() {
    let m = manifest(AML);
    let agent = AgentContext {
        region: Some("US".to_owned()),
        parent_scopes: Some(vec!["a".to_owned()]),
        ..holding(&["a:b"])
    };
    assert_eq!(in_words(&decide(&m, UnitIndex(3), "read", &agent, Now(0))), "granted");
}

#[test]
fn access5_table_of_a_unit_that_is_unknown_no_region_is_asked() {
    let m = manifest(AML);
    let agent = AgentContext {
        region: Some("US".to_owned()),
        parent_scopes: Some(vec!["a".to_owned()]),
        ..holding(&["a:b"])
    };
    assert_eq!(in_words(&decide(&m, UnitIndex(99), "read", &agent, Now(0))), "granted");
}

#[test]
fn access5_table_restrictions_are_recognised_with_underscores() {
    let m = manifest(AML);
    let agent = AgentContext {
        region: Some("DE".to_owned()),
        parent_scopes: Some(vec!["a".to_owned()]),
        ..holding(&["a:b"])
    };
    let decision = decide(&m, UnitIndex(1), "read", &agent, Now(0));
    assert_eq!(
        obligations(&decision),
        "residency no-cross-border regulation regulation no-ai-training conservative"
    );
    let regulations: Vec<&str> = decision
        .obligations
        .iter()
        .filter(|obligation| obligation.kind == ObligationKind::Regulation)
        .map(|obligation| obligation.detail.as_str())
        .collect();
    assert_eq!(regulations, ["GDPR", "AML5D"]);
}

#[test]
fn access5_a_region_that_is_not_known_is_not_the_right_one() {
    assert_eq!(
        of_profiles(None),
        "denied [compliance: the region is not known; required: [EU] (GDPR)]"
    );
}

#[test]
fn a17_residency_may_be_a_word_a_list_or_a_block() {
    let agent = |region: &str| AgentContext {
        region: Some(region.to_owned()),
        ..agent()
    };
    for residency in [
        "EEA",
        "[EEA]",
        "{regions: [EEA]}",
        "{regions: EEA, hard_requirement: true}",
    ] {
        let unit = format!("compliance: {{data_residency: {residency}}}\n");
        assert_eq!(told(&unit, "", "read", &agent("NO")), "granted", "{residency}");
        assert!(
            told(&unit, "", "read", &agent("CH")).starts_with("denied"),
            "{residency}"
        );
    }
    let wish = "compliance: {data_residency: {regions: [EEA], hard_requirement: false}}\n";
    assert_eq!(told(wish, "", "read", &agent("CH")), "granted");
    let firm =
        "compliance: {data_residency: {regions: [EEA], hard_requirement: false}, restrictions: [no-cross-border]}\n";
    assert!(told(firm, "", "read", &agent("CH")).starts_with("denied"));
    for none in ["[]", "{regions: []}", "~"] {
        let unit = format!("compliance: {{data_residency: {none}}}\n");
        assert_eq!(told(&unit, "", "read", &super::tests::agent()), "granted", "{none}");
    }
}

#[test]
fn access5_no_external_llm_denies_models_of_others_and_models_that_are_not_known() {
    let unit = "compliance: {restrictions: [no-external-llm]}\n";
    let with_model = |llm| AgentContext { llm, ..agent() };
    assert_eq!(told(unit, "", "read", &with_model(Some(Hosting::Local))), "granted");
    assert_eq!(
        told(unit, "", "read", &with_model(Some(Hosting::External))),
        "denied [compliance: the model is external (no-external-llm)]"
    );
    assert_eq!(
        told(unit, "", "read", &with_model(None)),
        "denied [compliance: it is not known where the model runs (no-external-llm)]"
    );
}

#[test]
fn access5_restrictions_oblige_or_deny_by_the_action() {
    let of = |restriction: &str, action: &str| {
        let unit = format!("compliance: {{restrictions: [{restriction}]}}\nindexing: open\n");
        let decision = decided(&unit, "", action, &agent());
        format!("{} / {}", in_words(&decision), obligations(&decision))
    };
    assert_eq!(of("no-cross-border", "read"), "granted / no-cross-border");
    assert_eq!(of("no-logging", "read"), "granted / no-logging");
    assert_eq!(of("audit-required", "read"), "granted / log");
    assert_eq!(of("no-training", "read"), "granted / no-ai-training");
    assert_eq!(
        of("no-training", "train"),
        "denied [compliance: it may not be used for training (no-ai-training)] / no-ai-training"
    );
    assert_eq!(of("no-fun", "read"), "granted / ");
    assert_eq!(of("no-logging, audit-required", "read"), "granted / no-logging log");
}

#[test]
fn access5_no_logging_overrides_the_manifests_logging() {
    let root = "trust: {audit: {agent_must_log: true}}\nindexing: open\n";
    assert_eq!(obligations(&decided("", root, "read", &agent())), "log");
    let unit = "compliance: {restrictions: [no-logging]}\n";
    assert_eq!(obligations(&decided(unit, root, "read", &agent())), "no-logging");
    let traced = "trust: {audit: {require_trace_context: true}}\nindexing: open\n";
    assert_eq!(obligations(&decided("", traced, "read", &agent())), "trace");
}

// Approval.

#[test]
fn access4_an_approval_may_be_asked_for_by_delegation_a_restriction_or_authority() {
    let root = "delegation: {human_in_the_loop: {approval_mechanism: uma, docs_url: \"https://x/y\"}}\n";
    assert_eq!(told("", root, "read", &agent()), "granted");
    let by_delegation = "delegation: {human_in_the_loop: {required: true}}\n";
    let by_restriction = "compliance: {restrictions: [human_approval_required]}\n";
    let by_authority = "authority: {read: requires_approval}\n";
    for unit in [by_delegation, by_restriction, by_authority] {
        let decision = decided(unit, root, "read", &agent());
        let Outcome::RequiresHumanApproval {
            mechanism, docs_url, ..
        } = &decision.outcome
        else {
            panic!("{unit}: {}", in_words(&decision));
        };
        assert_eq!(
            (mechanism.as_ref(), docs_url.as_deref()),
            ("uma", Some("https://x/y")),
            "{unit}"
        );
        assert!(told(unit, "", "read", &agent()).starts_with("approval manual"));
        for approval in ["a", "*"] {
            let approved = AgentContext {
                approvals: vec![approval.to_owned()],
                ..agent()
            };
            assert_eq!(told(unit, "", "read", &approved), "granted", "{unit}");
        }
        let other = AgentContext {
            approvals: vec!["b".to_owned()],
            ..agent()
        };
        assert!(told(unit, "", "read", &other).starts_with("approval"), "{unit}");
    }
}

#[test]
fn a22_a_human_is_asked_for_public_units_too() {
    let root = "delegation: {human_in_the_loop: {required: true}}\n";
    assert!(told("access: public\n", root, "read", &agent()).starts_with("approval"));
    assert!(
        told(
            "access: public\n",
            "compliance: {restrictions: [human-approval-required]}\n",
            "read",
            &agent()
        )
        .starts_with("approval")
    );
    let simulated = AgentContext {
        profile: Profile::Simulator,
        ..agent()
    };
    assert!(told("access: public\n", root, "read", &simulated).starts_with("approval"));
}

#[test]
fn access4_what_is_no_mapping_asks_for_an_approval() {
    assert!(told("delegation: {human_in_the_loop: approval}\n", "", "read", &agent()).starts_with("approval manual"));
    assert_eq!(
        told("delegation: {human_in_the_loop: never}\n", "", "read", &agent()),
        "granted"
    );
}

// Visibility.

const SCHEMA: &str = "visibility:
  default: confidential
  conditions:
    - when: {environment: [development, local]}
      then: {sensitivity: internal, requires_auth: false}
    - when: {environment: [production], agent_role: [platform_admin, security_auditor]}
      then: {sensitivity: confidential, requires_auth: true}
    - when: {environment: production}
      then: {sensitivity: restricted, requires_auth: true}
";

fn placed(environment: Option<&str>, role: Option<&str>) -> AgentContext {
    AgentContext {
        environment: environment.map(str::to_owned),
        role: role.map(str::to_owned),
        ..agent()
    }
}

/// The outcome and the sensitivity.
fn seen(unit: &str, root: &str, agent: &AgentContext) -> String {
    let decision = decided(unit, root, "read", agent);
    let sensitivity = decision.sensitivity.map_or("undeclared", Sensitivity::word);
    format!("{} {sensitivity}", decision.outcome.word())
}

#[test]
fn access1_the_first_condition_whose_every_key_matches_counts() {
    assert_eq!(
        seen(SCHEMA, "", &placed(Some("local"), Some("any"))),
        "granted internal"
    );
    assert_eq!(
        seen(SCHEMA, "", &placed(Some("production"), Some("security_auditor"))),
        "denied confidential"
    );
    assert_eq!(
        seen(SCHEMA, "", &placed(Some("production"), Some("developer"))),
        "denied restricted"
    );
    assert_eq!(
        seen(SCHEMA, "", &placed(Some("staging"), Some("developer"))),
        "granted confidential"
    );
    assert_eq!(
        seen(SCHEMA, "", &placed(Some("Local"), Some("x"))),
        "granted confidential"
    );
}

#[test]
fn access1_how_confidential_a_unit_is_can_be_asked_alone() {
    for unit in [SCHEMA, "sensitivity: internal\n", ""] {
        for agent in [
            placed(Some("production"), Some("developer")),
            placed(Some("local"), None),
            agent(),
        ] {
            let m = with(unit, "");
            let decided = decide(&m, UnitIndex(0), "read", &agent, Now(0)).sensitivity;
            assert_eq!(sensitivity_for(&m, UnitIndex(0), &agent), decided);
        }
    }
}

#[test]
fn access1_without_a_word_in_the_condition_the_chain_goes_on() {
    let silent = "visibility: {conditions: [{when: {environment: x}, then: {requires_auth: false}}]}\n";
    let at = placed(Some("x"), None);
    assert_eq!(seen(silent, "", &at), "granted undeclared");
    assert_eq!(
        seen(&format!("sensitivity: internal\n{silent}"), "", &at),
        "granted internal"
    );
    assert_eq!(
        seen(silent, "compliance: {sensitivity: restricted}\n", &at),
        "granted restricted"
    );
    let default = silent.replace("{conditions", "{default: public, conditions");
    assert_eq!(
        seen(&default, "compliance: {sensitivity: restricted}\n", &at),
        "granted public"
    );
}

#[test]
fn access1_a_credential_is_asked_for_or_lifted_but_never_for_what_is_restricted() {
    let condition =
        |auth: bool| format!("visibility: {{conditions: [{{when: {{}}, then: {{requires_auth: {auth}}}}}]}}\n");
    let (asks, lifts) = (condition(true), condition(false));
    assert_eq!(
        told(&asks, "", "read", &agent()),
        "denied [access: no credential: the condition requires a credential]"
    );
    assert_eq!(told(&asks, "", "read", &holding(&[])), "granted");
    assert_eq!(
        told(&format!("access: authenticated\n{lifts}"), "", "read", &agent()),
        "granted"
    );
    assert!(
        told(
            &format!("access: restricted\nauth_scope: x\n{lifts}"),
            "",
            "read",
            &agent()
        )
        .starts_with("denied")
    );
    assert!(told(&format!("access: members\n{lifts}"), "", "read", &agent()).starts_with("denied"));
}

#[test]
fn access1_a_condition_without_when_or_with_an_unknown_key_never_matches() {
    let of = |condition: &str| {
        let unit = format!("visibility: {{default: internal, conditions: [{condition}]}}\n");
        seen(&unit, "", &placed(Some("x"), Some("y")))
    };
    assert_eq!(of("{then: {sensitivity: restricted}}"), "granted internal");
    assert_eq!(
        of("{when: {environment: x, region: EU}, then: {sensitivity: restricted}}"),
        "granted internal"
    );
    assert_eq!(
        of("{when: {environment: []}, then: {sensitivity: restricted}}"),
        "granted internal"
    );
    assert_eq!(of("{when: {environment: x}}"), "granted internal");
    assert_eq!(of("{when: {}, then: {sensitivity: restricted}}"), "granted restricted");
    assert_eq!(
        of("{when: {environment: ~}, then: {sensitivity: restricted}}"),
        "granted restricted"
    );
    assert_eq!(
        of("{when: {environment: x}, then: {sensitivity: secret}}"),
        "granted internal"
    );
}

#[test]
fn amend5_whoever_does_not_know_a_key_that_is_asked_for_gets_the_default() {
    assert_eq!(seen(SCHEMA, "", &placed(None, None)), "granted confidential");
    assert_eq!(seen(SCHEMA, "", &placed(Some("local"), None)), "granted confidential");
    assert_eq!(
        seen(SCHEMA, "", &placed(None, Some("platform_admin"))),
        "granted confidential"
    );
    let by_environment = "visibility: {default: restricted, conditions: [{when: {environment: [development]}, then: {sensitivity: public}}]}\n";
    assert_eq!(
        seen(by_environment, "", &placed(Some("development"), None)),
        "granted public"
    );
    assert_eq!(
        seen(by_environment, "", &placed(None, Some("developer"))),
        "granted restricted"
    );
}

#[test]
fn a12_a_stricter_condition_is_told_of_and_counts_only_when_strictness_is_asked_for() {
    let unknown = placed(Some("production"), None);
    let notes = |agent: &AgentContext| {
        let decision = decided(SCHEMA, "", "read", agent);
        let steps = decision.trace.into_iter().filter(|step| step.gate == Gate::Visibility);
        steps
            .map(|step| format!("{}: {} @{}", step.verdict.word(), step.message, step.line.unwrap_or(0)))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        notes(&unknown),
        [
            "noted: condition 3 would make it restricted, but does not apply because the role is not known @17",
            "passed: the role is not known, so the default applies: it is confidential @11"
        ]
    );
    let strict = AgentContext {
        strict: true,
        ..unknown
    };
    assert_eq!(seen(SCHEMA, "", &strict), "denied restricted");
    assert_eq!(
        notes(&strict),
        ["passed: condition 3 matches, because --strict-visibility is set: it is restricted @17"]
    );
    let elsewhere = AgentContext {
        environment: Some("local".to_owned()),
        ..strict
    };
    assert_eq!(seen(SCHEMA, "", &elsewhere), "granted confidential");
}

#[test]
fn a12_a_condition_that_strictness_applies_never_relaxes_anything() {
    let unit = "access: authenticated\nvisibility: {default: public, conditions: [{when: {agent_role: x}, then: {sensitivity: internal, requires_auth: false, authority: {modify: initiative, read: denied}}}]}\n";
    let strict = AgentContext {
        strict: true,
        ..holding(&[])
    };
    assert!(told(unit, "", "modify", &strict).starts_with("denied [authority"));
    assert_eq!(told(unit, "", "read", &strict), "denied [authority: no agent may read]");
    let bare = AgentContext {
        credential: None,
        ..strict
    };
    assert!(told(unit, "", "summarize", &bare).starts_with("denied [access"));
}

#[test]
fn a11_the_conditions_of_the_manifest_hold_for_units_without_their_own() {
    let root =
        "visibility: {default: internal, conditions: [{when: {environment: x}, then: {sensitivity: restricted}}]}\n";
    let at = placed(Some("x"), None);
    assert_eq!(seen("sensitivity: public\n", root, &at), "granted restricted");
    assert_eq!(
        seen("sensitivity: public\n", root, &placed(Some("y"), None)),
        "granted internal"
    );
    assert_eq!(
        seen("sensitivity: public\nvisibility: {}\n", root, &at),
        "granted public"
    );
    let decision = decided("sensitivity: public\n", root, "read", &placed(Some("y"), None));
    let told: Vec<&str> = decision
        .trace
        .iter()
        .take(2)
        .map(|step| step.message.as_str())
        .collect();
    assert_eq!(
        told,
        [
            "no condition matches: it is internal",
            "the unit's own `sensitivity` public does not count: `visibility` has precedence"
        ]
    );
    assert_eq!(decision.trace[0].origin, Some(Origin::Root));
}

// Authority.

#[test]
fn access6_authority_is_asked_of_condition_unit_manifest_and_the_safe_default() {
    assert_eq!(told("", "", "read", &agent()), "granted");
    assert_eq!(told("", "", "summarize", &agent()), "granted");
    for action in ["modify", "execute", "print", ""] {
        assert!(
            told("", "", action, &agent()).starts_with("denied [authority: no agent may"),
            "{action}"
        );
    }
    assert_eq!(
        told("", "authority: {modify: initiative}\n", "modify", &agent()),
        "granted"
    );
    assert!(
        told(
            "authority: {read: initiative}\n",
            "authority: {modify: initiative}\n",
            "modify",
            &agent()
        )
        .starts_with("denied")
    );
    assert_eq!(
        told("authority: {print: initiative}\n", "", "print", &agent()),
        "granted"
    );
    assert!(told("authority: {print: perhaps}\n", "", "print", &agent()).starts_with("denied"));
    assert!(told("authority: {read: perhaps}\n", "", "read", &agent()).starts_with("granted"));
}

#[test]
fn a39_a_condition_lays_its_authority_over_the_units_action_by_action() {
    let unit = "authority: {modify: requires_approval}\nvisibility: {conditions: [{when: {agent_role: ops}, then: {authority: {execute: initiative, read: denied}}}]}\n";
    let ops = placed(None, Some("ops"));
    let other = placed(None, Some("dev"));
    assert_eq!(told(unit, "", "execute", &ops), "granted");
    assert!(told(unit, "", "execute", &other).starts_with("denied"));
    assert!(told(unit, "", "modify", &ops).starts_with("approval"));
    assert_eq!(told(unit, "", "read", &ops), "denied [authority: no agent may read]");
    let decision = decided(unit, "", "execute", &ops);
    let step = decision.trace.iter().find(|step| step.gate == Gate::Authority).unwrap();
    assert_eq!((step.origin, step.line), (Some(Origin::Condition(1)), Some(11)));
}

// Usage.

#[test]
fn access12_indexing_decides_what_may_be_done_with_content() {
    let authority = "authority: {share_externally: initiative}\n";
    let actions = [
        "read",
        "summarise",
        "index",
        "reproduce-in-response",
        "train",
        "cache-permanently",
        "share_externally",
    ];
    let permitted = |indexing: &str| {
        let unit = format!("{authority}{indexing}");
        let granted = actions
            .iter()
            .filter(|action| told(&unit, "", action, &agent()) == "granted");
        granted.copied().collect::<Vec<_>>().join(" ")
    };
    let all = actions.join(" ");
    assert_eq!(permitted("indexing: open\n"), all);
    assert_eq!(permitted("indexing: no-train\n"), all.replace(" train", ""));
    assert_eq!(permitted("indexing: read-only\n"), "read summarise");
    assert_eq!(permitted("indexing: none\n"), "");
    assert_eq!(permitted(""), "read summarise");
    assert_eq!(permitted("indexing: sometimes\n"), "read summarise");
    assert_eq!(
        permitted("indexing: {allow: [read, index, train], deny: [train, fly]}\n"),
        "read index"
    );
    assert_eq!(permitted("indexing: {deny: [read]}\n"), all.replace("read ", ""));
    assert_eq!(permitted("indexing: {allow: []}\n"), "");
    assert_eq!(permitted("indexing: {allow: [fly]}\n"), "");
    assert_eq!(permitted("indexing: {}\n"), all);
}

#[test]
fn amend1_none_denies_every_action_and_other_words_only_their_own() {
    let denies = |indexing: &str, action: &str| {
        let unit = format!("authority: {{modify: initiative, execute: initiative}}\nindexing: {indexing}\n");
        told(&unit, "", action, &agent())
    };
    for action in ["read", "modify", "execute"] {
        assert_eq!(
            denies("none", action),
            "denied [usage: no agent may use it (indexing: none)]",
            "{action}"
        );
    }
    assert_eq!(denies("read-only", "modify"), "granted");
    assert_eq!(denies("{allow: [read]}", "modify"), "granted");
    assert_eq!(
        denies("read-only", "index"),
        "denied [usage: index is not permitted (indexing: read-only)]"
    );
    assert_eq!(
        denies("no-train", "train"),
        "denied [usage: train is not permitted (indexing: no-train)]"
    );
}

#[test]
fn amend1_the_source_is_to_be_named_where_either_block_asks_for_it() {
    let of = |unit: &str, root: &str| obligations(&decided(unit, root, "read", &agent()));
    assert_eq!(of("indexing: {attribution_required: true}\n", ""), "cite");
    assert_eq!(
        of(
            "indexing: open\nlicense: {spdx: CC-BY-4.0, attribution_required: true}\n",
            ""
        ),
        "cite"
    );
    let root = "license: {spdx: MIT, attribution_required: true}\nindexing: open\n";
    assert_eq!(of("", root), "cite");
    assert_eq!(of("license: MIT\n", root), "");
}

// What only tells something, freshness apart.

#[test]
fn access7_what_is_stale_is_warned_of_degraded_or_blocked() {
    let now = Now(20_000 * DAY_MS);
    let of = |action: &str, more: &str, incident: bool| {
        let unit = format!(
            "validated: 2024-01-01\nfreshness_policy: {{max_age_days: 30, on_stale: {action}, review_contact: docs@x}}\nindexing: open\n"
        );
        let m = with(&unit, more);
        let agent = AgentContext { incident, ..agent() };
        let decision = decide(&m, UnitIndex(0), "read", &agent, now);
        format!("{} / {}", in_words(&decision), obligations(&decision))
    };
    assert_eq!(of("warn", "", false), "granted / stale");
    assert_eq!(of("degrade", "", false), "granted / degrade");
    assert_eq!(
        of("block", "", false),
        "denied [freshness: it was validated 277 days ago; it is stale after 30 days; ask docs@x for a review] / "
    );
    assert_eq!(of("block", "", true), "granted / degrade");
    let fresh = "  - {id: b, path: b.md, intent: What is b?, scope: global, audience: [agent], supersedes: a}\n";
    assert!(of("block", fresh, true).starts_with("denied"));
    let stale = "  - {id: b, path: b.md, intent: What is b?, scope: global, audience: [agent], supersedes: a, validated: 2024-01-01, freshness_policy: {max_age_days: 1}}\n";
    assert_eq!(of("block", stale, true), "granted / degrade");
    let related = "  - {id: b, path: b.md, intent: What is b?, scope: global, audience: [agent]}\nrelationships: [{from: b, to: a, type: supersedes}]\n";
    assert!(of("block", related, true).starts_with("denied"));
}

#[test]
fn access8_limits_are_told_and_deny_nothing() {
    let unit = "rate_limits: {default: {requests_per_minute: 2}}\nindexing: open\n";
    let now = 20_000 * DAY_MS;
    let asked = |at_ms: Vec<u64>| AgentContext {
        usage: Usage { at_ms },
        ..agent()
    };
    let decision = decided(unit, "", "read", &asked(vec![now - 1]));
    assert_eq!(
        (decision.outcome.word(), obligations(&decision).as_str()),
        ("granted", "")
    );
    let decision = decided(unit, "", "read", &asked(vec![now - 20_000, now - 1]));
    assert_eq!(
        (decision.outcome.word(), obligations(&decision).as_str()),
        ("granted", "rate-limit")
    );
    assert_eq!(
        decision.obligations[0].detail,
        "requests_per_minute 2 is reached; wait for 40 s"
    );
}

#[test]
fn access9_what_is_not_free_obliges_to_look_at_the_budget() {
    let of = |payment: &str| {
        let decision = decided(
            &format!("indexing: open\npayment: {{{payment}}}\n"),
            "",
            "read",
            &agent(),
        );
        let details = decision.obligations.iter().map(|obligation| obligation.detail.as_str());
        format!("{} {}", decision.outcome.word(), details.collect::<String>())
    };
    assert_eq!(of(""), "granted ");
    assert_eq!(of("default_tier: free"), "granted ");
    assert_eq!(
        of("default_tier: metered"),
        "granted each request costs money: check the budget first"
    );
    assert_eq!(of("default_tier: subscription"), "granted a subscription is needed");
    assert_eq!(
        of("default_tier: gold"),
        "granted the tier `gold` is not known: ask what it costs first"
    );
}

#[test]
fn access10_what_one_is_not_able_to_do_is_told_and_denies_nothing() {
    let unit = "indexing: open\nrequires_capabilities: [tool:kubectl, psql, role:dpo]\n";
    let of = |held: Option<&[&str]>| {
        let agent = AgentContext {
            capabilities: held.map(|held| held.iter().map(|name| (*name).to_owned()).collect()),
            ..agent()
        };
        let decision = decided(unit, "", "read", &agent);
        let details = decision.obligations.iter().map(|obligation| obligation.detail.as_str());
        format!("{} {}", decision.outcome.word(), details.collect::<String>())
    };
    assert_eq!(of(None), "granted required capability: tool:kubectl, psql, role:dpo");
    assert_eq!(
        of(Some(&["kubectl", "tool:psql"])),
        "granted required capability: role:dpo"
    );
    assert_eq!(of(Some(&["kubectl", "psql", "role:dpo"])), "granted ");
}

#[test]
fn access11_a_denial_outranks_an_approval_and_every_reason_is_told() {
    let unit = "access: authenticated\ndelegation: {max_depth: 0, human_in_the_loop: {required: true}}\ncompliance: {data_residency: [EU]}\nauthority: {read: denied}\nindexing: none\n";
    let decision = decided(unit, "", "read", &agent());
    assert_eq!(decision.outcome, Outcome::Denied);
    let gates: Vec<&str> = decision.reasons.iter().map(|reason| reason.gate.name()).collect();
    assert_eq!(
        gates,
        ["access", "delegation", "approval", "compliance", "authority", "usage"]
    );
    assert_eq!(decision.reasons.iter().filter(|reason| !reason.denies).count(), 1);
}

// The operation.

fn asked(text: &str, request: serde_json::Value) -> Result<(Value<UnitAccessAnswer>, String), OpError> {
    let world = crate::testing::of_files([("knowledge.yaml", text)]);
    let request: UnitAccessRequest = serde_json::from_value(request).expect("a request");
    let answer = UnitAccess::run(&world.ctx(), request)?;
    let mut page = Page::new(Style::default());
    answer.value.render(&mut page);
    Ok((answer, page.into_text()))
}

#[test]
fn s9_a_decision_is_told_with_its_reasons_and_that_it_is_advice() {
    let text = format!("{UNIT}    access: restricted\n    auth_scope: ops\n    sensitivity: internal\n");
    let (answer, shown) = asked(&text, serde_json::json!({"id": "a", "trace": true})).unwrap();
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(answer.value.decision.decision, "denied");
    assert!(
        shown.starts_with(
            "read a: denied; sensitivity: internal\n  denied (access): no credential: the scope `ops` is required\n"
        ),
        "{shown}"
    );
    assert!(
        shown.contains(
            "  denied         access       unit           no credential: the scope `ops` is required  knowledge.yaml:10\n"
        ),
        "{shown}"
    );
    assert!(
        shown.ends_with("only the file system or a server protects the documents\n"),
        "{shown}"
    );
    let json = serde_json::to_value(&answer.value).unwrap();
    assert_eq!(json["decision"], "denied");
    assert_eq!(json["reasons"][0]["gate"], "access");
    assert!(json["advisory"].as_str().is_some_and(|text| text.contains("advice")));
    let (answer, _) = asked(&text, serde_json::json!({"id": "a", "scope_held": ["ops"]})).unwrap();
    assert_eq!(
        (answer.verdict, answer.value.decision.decision),
        (Verdict::Yes, "granted")
    );
}

#[test]
fn a_unit_that_is_not_there_and_a_manifest_that_is_not_valid_are_told() {
    let error = asked(UNIT, serde_json::json!({"id": "b"})).unwrap_err();
    assert_eq!(
        (error.kind.exit_code(), error.message.as_str()),
        (1, "there is no unit `b`")
    );
    let bad = UNIT.replace("scope: global", "scope: none");
    let error = asked(&bad, serde_json::json!({"id": "a"})).unwrap_err();
    assert_eq!(error.kind.exit_code(), 2);
    let (answer, _) = asked(&bad, serde_json::json!({"id": "a", "lenient": true})).unwrap();
    assert_eq!(answer.verdict, Verdict::Yes);
}

proptest! {
    #![proptest_config(lore_testing::cases(256))]

    /// Whatever more an agent is known to hold, nothing closes; whatever is not known, opens nothing.
    #[test]
    fn access11_knowing_less_of_an_agent_never_opens_anything(
        access in prop::sample::select(vec!["public", "authenticated", "restricted", "x"]),
        restriction in prop::sample::select(vec!["", "no-external-llm", "no-cross-border", "human-approval-required", "no-logging"]),
        residency in prop::sample::select(vec!["[]", "[EU]", "[global]"]),
        depth in 0u64..3,
        action in prop::sample::select(vec!["read", "summarize", "modify", "train", "index", "print"]),
    ) {
        let unit = format!("access: {access}\nauth_scope: s\ncompliance: {{data_residency: {residency}, restrictions: [{restriction}]}}\ndelegation: {{max_depth: {depth}}}\n");
        let m = with(&unit, "");
        let rank = |agent: &AgentContext| match decide(&m, UnitIndex(0), action, agent, Now(0)).outcome {
            Outcome::Denied => 0,
            Outcome::RequiresHumanApproval { .. } => 1,
            Outcome::Granted => 2,
        };
        let known = AgentContext {
            region: Some("DE".to_owned()),
            llm: Some(Hosting::Local),
            approvals: vec!["a".to_owned()],
            ..holding(&["s"])
        };
        prop_assert!(rank(&agent()) <= rank(&known));
        let less = [
            AgentContext { credential: None, ..known.clone() },
            AgentContext { region: None, ..known.clone() },
            AgentContext { llm: None, ..known.clone() },
            AgentContext { approvals: Vec::new(), ..known.clone() },
        ];
        for less in less {
            prop_assert!(rank(&less) <= rank(&known));
        }
    }
}
