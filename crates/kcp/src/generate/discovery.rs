//! Where others find the manifest: the well-known document and the field of an agent card (clause G8, ruling A35).

use serde_json::{Value, json};

use super::digest_mark::{Source, mark_json};
use crate::model::Manifest;

/// The field of an agent card.
const CARD_FIELD: &str = "knowledgeManifest";

/// The well-known document; a manifest that names others is a hub.
pub(crate) fn well_known(manifest: &Manifest, manifest_path: &str) -> String {
    let role = if manifest.manifests.is_empty() {
        "standalone"
    } else {
        "hub"
    };
    let version = manifest.field(&manifest.root.kcp_version).unwrap_or("0.12");
    let project = manifest.field(&manifest.root.project).unwrap_or_default();
    let document = json!({
        "kcp_version": version,
        "manifest": manifest_path,
        "title": project,
        "network": { "role": role },
    });
    let updated = manifest.root.updated.as_ref();
    let source = Source {
        manifest: manifest_path.trim_start_matches('/'),
        updated: updated.map(|updated| manifest.text(updated.value.text)),
    };
    mark_json(document, source)
}

/// An agent card with the field, everything else unchanged; none if the card is not an object, or the field cannot be set without other changes.
pub(super) fn with_field(card: &str, manifest_path: &str) -> Option<String> {
    let Ok(Value::Object(object)) = serde_json::from_str::<Value>(card) else {
        return None;
    };
    let written = Value::from(manifest_path).to_string();
    let made = match object.get(CARD_FIELD) {
        Some(Value::String(there)) if there == manifest_path => return Some(card.to_owned()),
        Some(there) => {
            let at = card.find(&format!("\"{CARD_FIELD}\""))? + CARD_FIELD.len() + 2;
            let colon = at + card[at..].find(':')? + 1;
            let start = colon + (card[colon..].len() - card[colon..].trim_start().len());
            let old = there.to_string();
            let rest = card[start..].strip_prefix(old.as_str())?;
            format!("{}{written}{rest}", &card[..start])
        }
        None => {
            let brace = card.find('{')? + 1;
            let rest = &card[brace..];
            let blanks = &rest[..rest.len() - rest.trim_start().len()];
            let comma = if object.is_empty() { "" } else { "," };
            format!("{}{blanks}\"{CARD_FIELD}\": {written}{comma}{rest}", &card[..brace])
        }
    };
    let mut wanted = object;
    wanted.insert(CARD_FIELD.to_owned(), manifest_path.into());
    let is_right = serde_json::from_str::<Value>(&made).ok() == Some(Value::Object(wanted));
    is_right.then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    #[test]
    fn a35_a_manifest_that_names_others_is_a_hub() {
        let role = |text: &str| {
            let value: Value = serde_json::from_str(&well_known(&manifest(text), "/knowledge.yaml")).unwrap();
            value["network"]["role"].as_str().unwrap().to_owned()
        };
        assert_eq!(role(UNIT), "standalone");
        let hub = format!("{UNIT}manifests:\n  - id: x\n    url: https://x.example/knowledge.yaml\n");
        assert_eq!(role(&hub), "hub");
    }

    #[test]
    fn g8_the_field_of_an_agent_card_is_set_and_the_rest_stays() {
        let set = |card| with_field(card, "/knowledge.yaml").unwrap_or_default();
        assert_eq!(
            set("{\n  \"name\": \"x\"\n}\n"),
            "{\n  \"knowledgeManifest\": \"/knowledge.yaml\",\n  \"name\": \"x\"\n}\n"
        );
        assert_eq!(
            set("{\"a\":1, \"knowledgeManifest\" : \"/old.yaml\"}"),
            "{\"a\":1, \"knowledgeManifest\" : \"/knowledge.yaml\"}"
        );
        assert_eq!(set("{}"), "{\"knowledgeManifest\": \"/knowledge.yaml\"}");
        let done = set("{\"a\":1}");
        assert_eq!(set(&done), done);
        assert_eq!(set("[]"), "");
        assert_eq!(
            set("{\"x\": \"\\\"knowledgeManifest\\\"\", \"knowledgeManifest\": 1e2}"),
            ""
        );
    }
}
