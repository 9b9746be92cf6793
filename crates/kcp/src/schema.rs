//! `lore unit schema`: the JSON Schema of manifests, for editors (clause G10).

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use lore_seam::{Access, Bytes, Ctx, OpError, Operation};

/// The schema, draft-07.
const SCHEMA: &str = include_str!("../../../schemas/kcp/knowledge.schema.json");

/// Print the JSON Schema (draft-07) of knowledge manifests, for editors
///
/// The schema has every field of the protocol and its meaning. Where the protocol lists the words of a field, the schema allows other words too; `lore unit validate` warns about them.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit schema > .vscode/knowledge.schema.json

In a manifest, editors with a YAML language server take it from the first line:
  # yaml-language-server: $schema=.vscode/knowledge.schema.json")]
#[serde(default)]
pub struct UnitSchemaRequest {}

/// `lore unit schema`.
pub struct UnitSchema;

impl Operation for UnitSchema {
    const NAME: &'static str = "unit_schema";
    const COMMAND: &'static [&'static str] = &["unit", "schema"];
    const ACCESS: Access = Access::Read;
    type Request = UnitSchemaRequest;
    type Answer = Bytes;

    fn run(_: &Ctx, _: UnitSchemaRequest) -> Result<Bytes, OpError> {
        Ok(Bytes::whole("application/schema+json", SCHEMA.as_bytes().to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::vocabulary::*;
    use lore_base::yaml::{Document, Limits, Node, NodeId};

    fn schema() -> Value {
        serde_json::from_str(SCHEMA).unwrap()
    }

    /// A document as JSON, by the core schema.
    fn value(document: &Document, node: NodeId) -> Value {
        match document.node(node) {
            Node::Scalar(scalar) if scalar.is_null() => Value::Null,
            Node::Scalar(scalar) => match (scalar.as_bool(), scalar.as_int(), scalar.as_float()) {
                (Some(flag), ..) => flag.into(),
                (_, Some(number), _) => number.into(),
                (_, _, Some(number)) => number.into(),
                _ => scalar.text.into(),
            },
            Node::Sequence(items) => items.map(|item| value(document, item)).collect(),
            Node::Mapping(entries) => {
                let pairs = entries.map(|entry| {
                    let key = value(document, entry.key);
                    let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
                    (key, value(document, entry.value))
                });
                Value::Object(pairs.collect())
            }
        }
    }

    fn faults(text: &str) -> Vec<String> {
        let (document, _) = Document::read(text.as_bytes(), &Limits::default()).unwrap();
        let validator = jsonschema::draft7::new(&schema()).unwrap();
        let instance = value(&document, document.root());
        let faults = validator.iter_errors(&instance).map(|error| error.to_string());
        faults.collect()
    }

    fn keys(schema: &Value, pointer: &str) -> BTreeSet<String> {
        let object = schema.pointer(pointer).and_then(Value::as_object).unwrap();
        object.keys().cloned().collect()
    }

    fn set(names: &str) -> BTreeSet<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn g10_the_schema_is_draft_07_and_has_every_field_of_the_protocol() {
        let schema = schema();
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        assert_eq!(
            keys(&schema, "/properties"),
            set(
                "kcp_version project version updated language license indexing hints trust auth delegation compliance payment rate_limits manifests external_relationships freshness_policy visibility authority discovery units relationships"
            )
        );
        assert_eq!(
            keys(&schema, "/definitions/unit/properties"),
            set(
                "id path intent scope audience kind format content_type language license validated update_frequency indexing depends_on supersedes triggers hints access auth_scope sensitivity deprecated payment rate_limits delegation compliance external_depends_on requires_capabilities freshness_policy visibility authority discovery"
            )
        );
        assert_eq!(
            keys(&schema, "/definitions/hints/properties"),
            set(
                "token_estimate token_estimate_method size_bytes load_strategy priority density summary_available summary_unit summary_of partial_load_supported chunked chunk_count chunk_of chunk_index total_chunks chunk_topic"
            )
        );
        let versions = schema
            .pointer("/properties/kcp_version/enum")
            .and_then(Value::as_array)
            .unwrap();
        assert_eq!((versions.len(), &versions[13]), (14, &json!("0.14")));
    }

    #[test]
    fn g10_the_words_of_the_schema_are_those_of_the_protocol() {
        fn words<T: Vocabulary>() -> Value {
            T::ALL.iter().map(|word| word.word()).collect()
        }
        let schema = schema();
        let unit = "/definitions/unit/properties";
        for (pointer, words) in [
            (format!("{unit}/scope/enum"), words::<Scope>()),
            (format!("{unit}/audience/oneOf/0/enum"), words::<Audience>()),
            (format!("{unit}/kind/enum"), words::<UnitKind>()),
            (format!("{unit}/format/enum"), words::<Format>()),
            (format!("{unit}/update_frequency/enum"), words::<UpdateFrequency>()),
            (format!("{unit}/access/enum"), words::<AccessLevel>()),
            (format!("{unit}/sensitivity/enum"), words::<Sensitivity>()),
            ("/definitions/indexing/oneOf/0/enum".to_owned(), words::<IndexingWord>()),
            (
                "/definitions/indexing/oneOf/1/properties/allow/oneOf/0/enum".to_owned(),
                words::<Permission>(),
            ),
            (
                "/definitions/payment/properties/default_tier/enum".to_owned(),
                words::<Tier>(),
            ),
            (
                "/definitions/freshness_policy/properties/on_stale/enum".to_owned(),
                words::<OnStale>(),
            ),
            (
                "/definitions/external_dependency/properties/on_failure/enum".to_owned(),
                words::<OnFailure>(),
            ),
            (
                "/definitions/hints/properties/load_strategy/enum".to_owned(),
                words::<LoadStrategy>(),
            ),
            (
                "/definitions/hints/properties/priority/enum".to_owned(),
                words::<Priority>(),
            ),
            (
                "/definitions/hints/properties/density/enum".to_owned(),
                words::<Density>(),
            ),
            (
                "/definitions/authority/properties/read/enum".to_owned(),
                words::<AuthorityLevel>(),
            ),
            (
                "/definitions/discovery/properties/source/enum".to_owned(),
                words::<DiscoverySource>(),
            ),
            (
                "/definitions/discovery/properties/verification_status/enum".to_owned(),
                words::<VerificationStatus>(),
            ),
            (
                "/properties/relationships/items/properties/type/enum".to_owned(),
                words::<RelationshipType>(),
            ),
            (
                "/properties/manifests/items/properties/relationship/enum".to_owned(),
                words::<ManifestRelationship>(),
            ),
            (
                "/properties/manifests/items/properties/version_policy/enum".to_owned(),
                words::<VersionPolicy>(),
            ),
        ] {
            assert_eq!(schema.pointer(&pointer), Some(&words), "{pointer}");
        }
    }

    #[test]
    fn g10_manifests_fit_the_schema_and_mistakes_do_not() {
        let good = "kcp_version: \"0.14\"\nproject: p\nversion: 1.0.0\nupdated: 2026-02-25\nx-own: {a: 1}\nfreshness_policy: {max_age_days: 30, on_stale: block}\nauthority: {read: initiative, deploy: denied}\nunits:\n  - {id: a, path: docs/a.md, intent: What is a?, scope: global, audience: agent, triggers: x, requires_capabilities: [tool:x], license: {spdx: MIT}, visibility: {default: internal, conditions: [{when: {environment: [x]}, then: {sensitivity: public}}]}, discovery: {confidence: 0.5}}\n";
        assert_eq!(faults(good), Vec::<String>::new());
        for (from, to) in [
            ("scope: global", "scope: local"),
            ("path: docs/a.md", "path: /etc/passwd"),
            ("intent: What is a?, ", ""),
            ("confidence: 0.5", "confidence: 2"),
            ("max_age_days: 30", "max_age_days: -1"),
            ("kcp_version: \"0.14\"", "kcp_version: \"0.15\""),
            ("read: initiative", "read: always"),
            ("project: p", "project: \"\""),
        ] {
            assert!(good.contains(from));
            assert_eq!(faults(&good.replace(from, to)).len(), 1, "{to}");
        }
        assert_eq!(faults("project: p\nunits: []\n").len(), 1);
    }
}
