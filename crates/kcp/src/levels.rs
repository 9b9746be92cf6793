//! How much of the protocol a manifest uses (clauses L1 to L3 and their amendment): the highest level of which it has any field.

use super::model::Manifest;
use lore_base::yaml::{Document, Node, NodeId};

/// The level: 1, 2 or 3. A manifest is never refused for it.
pub fn level(manifest: &Manifest) -> u8 {
    let document = &manifest.document;
    let mut level = 1;
    each(document, manifest.root.node, |key, value| {
        level = level.max(match key {
            "trust" => highest(document, value, |key| match key {
                "provenance" => 2,
                "audit" => 3,
                _ => 1,
            }),
            key => of_root(key),
        });
    });
    for unit in &manifest.units {
        if level == 3 {
            break;
        }
        each(document, unit.node, |key, value| {
            level = level.max(match key {
                "hints" => highest(document, value, of_hint),
                key => of_unit(key),
            });
        });
    }
    level
}

/// A field that is possible at both levels counts at either.
fn of_root(key: &str) -> u8 {
    match key {
        "authority" | "language" | "payment" => 2,
        "hints"
        | "relationships"
        | "auth"
        | "manifests"
        | "external_relationships"
        | "visibility"
        | "license"
        | "indexing" => 3,
        _ => 1,
    }
}

fn of_unit(key: &str) -> u8 {
    match key {
        "validated" | "depends_on" | "kind" | "format" | "language" | "access" | "auth_scope" | "sensitivity"
        | "deprecated" | "payment" | "authority" | "discovery" => 2,
        "triggers"
        | "supersedes"
        | "license"
        | "update_frequency"
        | "indexing"
        | "external_depends_on"
        | "visibility" => 3,
        _ => 1,
    }
}

fn of_hint(key: &str) -> u8 {
    match key {
        "token_estimate" | "load_strategy" | "summary_available" | "summary_unit" | "summary_of" => 2,
        "priority" | "density" | "chunked" | "chunk_count" | "chunk_of" | "chunk_index" | "total_chunks"
        | "chunk_topic" => 3,
        _ => 1,
    }
}

fn highest(document: &Document, node: NodeId, of: impl Fn(&str) -> u8) -> u8 {
    let mut level = 1;
    each(document, node, |key, _| level = level.max(of(key)));
    level
}

/// Every field that says something: null, `[]` and `{}` do not.
fn each(document: &Document, node: NodeId, mut tell: impl FnMut(&str, NodeId)) {
    let Node::Mapping(entries) = document.node(node) else {
        return;
    };
    for entry in entries {
        let is_empty = match document.node(entry.value) {
            Node::Scalar(scalar) => scalar.is_null(),
            Node::Sequence(mut items) => items.next().is_none(),
            Node::Mapping(mut entries) => entries.next().is_none(),
        };
        if let (Node::Scalar(key), false) = (document.node(entry.key), is_empty) {
            tell(key.text, entry.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    fn of(more: &str) -> u8 {
        level(&manifest(&format!("{UNIT}{more}")))
    }

    #[test]
    fn l1_a_manifest_with_the_required_fields_only_is_of_level_1() {
        assert_eq!(of(""), 1);
        for more in [
            "    content_type: text/x\n",
            "    freshness_policy: {max_age_days: 3}\n",
            "    requires_capabilities: [x]\n",
            "    delegation: {max_depth: 1}\n",
            "    compliance: {sensitivity: public}\n",
            "    rate_limits: {default: {requests_per_day: 3}}\n",
            "    hints: {size_bytes: 3, token_estimate_method: measured, partial_load_supported: true}\n",
            "discovery: {source: manual}\n",
            "updated: \"2026-01-01\"\n",
            "    triggers: []\n",
            "    license: ~\n",
            "    visibility: {}\n",
            "trust: {}\n",
            "    x-own: 1\n",
        ] {
            assert_eq!(of(more), 1, "{more}");
        }
    }

    #[test]
    fn l2_any_field_of_level_2_makes_it_one_of_level_2() {
        for more in [
            "validated: \"2026-01-01\"",
            "depends_on: [a]",
            "kind: policy",
            "format: pdf",
            "language: en",
            "access: public",
            "auth_scope: x",
            "sensitivity: public",
            "deprecated: false",
            "payment: {default_tier: free}",
            "authority: {read: denied}",
            "discovery: {source: manual}",
            "hints: {token_estimate: 3}",
            "hints: {load_strategy: lazy}",
            "hints: {summary_available: true}",
            "hints: {summary_unit: x}",
            "hints: {summary_of: x}",
        ] {
            assert_eq!(of(&format!("    {more}\n")), 2, "{more}");
        }
        for more in [
            "trust: {provenance: {publisher: x}}",
            "authority: {read: denied}",
            "language: en",
            "payment: {default_tier: free}",
        ] {
            assert_eq!(of(&format!("{more}\n")), 2, "{more}");
        }
    }

    #[test]
    fn l3_any_field_of_level_3_makes_it_one_of_level_3() {
        for more in [
            "triggers: [x]",
            "supersedes: x",
            "license: MIT",
            "update_frequency: daily",
            "indexing: open",
            "external_depends_on: [{manifest: x, unit: y}]",
            "visibility: {default: public}",
            "hints: {priority: critical}",
            "hints: {density: dense}",
            "hints: {chunked: true}",
            "hints: {chunk_count: 3}",
            "hints: {chunk_of: x}",
            "hints: {chunk_index: 1}",
            "hints: {total_chunks: 3}",
            "hints: {chunk_topic: x}",
        ] {
            assert_eq!(of(&format!("    {more}\n")), 3, "{more}");
        }
        for more in [
            "hints: {unit_count: 1}",
            "relationships: [{from: a, to: a, type: context}]",
            "auth: {methods: [{type: none}]}",
            "trust: {audit: {agent_must_log: true}}",
            "manifests: [{id: x}]",
            "external_relationships: [{from_unit: a}]",
            "visibility: {default: public}",
            "license: MIT",
            "indexing: none",
        ] {
            assert_eq!(of(&format!("{more}\n")), 3, "{more}");
        }
    }

    #[test]
    fn amend7_the_level_is_the_highest_of_which_any_field_is_there() {
        assert_eq!(of("    triggers: [x]\n"), 3);
        assert_eq!(of("    kind: policy\n    content_type: text/x\n"), 2);
    }
}
