//! Units and the manifest itself as resources (clauses M1 to M4).

use serde_json::{Map, Value};

use super::served_manifests::{Served, ServedUnit, served, stamps};
use crate::model::{Manifest, Word};
use crate::uri::{SCHEME, knowledge_uri};
use crate::vocabulary::{AccessLevel, Audience, Scope, Sensitivity, Vocabulary};
use lore_base::yaml::{Document, Node, NodeId};
use lore_seam::{Ctx, DeclaredResource, DeclaredResources, ErrorKind, OpError, ResourceContent};

/// What the manifest is called; a unit with that id is had by `get_unit` alone.
const MANIFEST: &str = "manifest";
/// Letters of a title.
const TITLE: usize = 80;

/// Units and the manifest as resources.
pub const RESOURCES: DeclaredResources = DeclaredResources {
    prefix: SCHEME,
    list,
    read,
    stamp: stamps,
};

/// All of them; empty without a valid manifest.
fn list(ctx: &Ctx) -> Result<Vec<DeclaredResource>, OpError> {
    let served = match served(ctx) {
        Ok(served) => served,
        Err(error) if matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Invalid) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let (_, primary) = served.primary();
    let project = primary.field(&primary.root.project).unwrap_or_default();
    let units = served.units();
    let mut resources = vec![DeclaredResource {
        uri: knowledge_uri(primary, MANIFEST),
        name: MANIFEST.to_owned(),
        title: lore_model::truncate_chars(&format!("{project}: all units"), TITLE),
        description: format!(
            "All units ({}), their relationships and the manifests that this one declares, as JSON",
            units.len()
        ),
        media_type: "application/json".to_owned(),
        for_agents: true,
        for_people: false,
        priority: 1.0,
        last_modified: date(primary.root.updated.as_ref().and_then(|updated| updated.value.day)),
    }];
    let named = units.iter().filter(|unit| unit.id != MANIFEST);
    resources.extend(named.map(|unit| resource(primary, unit)));
    Ok(resources)
}

fn date(day: Option<crate::date::Day>) -> Option<String> {
    day.map(|day| format!("{day}T00:00:00Z"))
}

fn resource(primary: &Manifest, served: &ServedUnit<'_>) -> DeclaredResource {
    let (manifest, unit) = (served.manifest, served.unit);
    let intent = manifest.field(&unit.intent).unwrap_or_default();
    let is_for = |agents: bool| unit.audiences().any(|audience| (audience == Audience::Agent) == agents);
    let priority = match unit.scope.as_ref().map(|scope| scope.value) {
        Some(Word::Known(Scope::Global)) => 1.0,
        Some(Word::Known(Scope::Project)) => 0.7,
        _ => 0.5,
    };
    DeclaredResource {
        uri: knowledge_uri(primary, served.id),
        name: served.id.to_owned(),
        title: title(intent),
        description: description(manifest, served),
        media_type: manifest.media_type(unit).to_owned(),
        for_agents: is_for(true),
        for_people: is_for(false) || !is_for(true),
        priority,
        last_modified: date(unit.validated.as_ref().and_then(|validated| validated.value.day)),
    }
}

/// An intent of at most eighty letters.
fn title(intent: &str) -> String {
    if intent.chars().count() > TITLE {
        intent.chars().take(TITLE - 3).chain("...".chars()).collect()
    } else {
        intent.to_owned()
    }
}

/// What there is to know of a unit before it is read.
fn description(manifest: &Manifest, served: &ServedUnit<'_>) -> String {
    let unit = served.unit;
    let mut lines = vec![
        manifest.field(&unit.intent).unwrap_or_default().to_owned(),
        String::new(),
    ];
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    };
    let list = |values: Vec<&str>| values.join(", ");
    let words = unit.audience.iter().flat_map(|audience| &audience.value);
    line("Audience", list(words.map(|word| manifest.word(word.value)).collect()));
    line(
        "Scope",
        unit.scope
            .as_ref()
            .map_or_else(String::new, |scope| manifest.word(scope.value).to_owned()),
    );
    let kind = unit.kind.as_ref().map(|kind| manifest.word(kind.value));
    line("Kind", kind.unwrap_or(unit.kind_or_default().word()).to_owned());
    let validated = unit.validated.as_ref();
    line(
        "Validated",
        validated.map_or_else(String::new, |date| manifest.text(date.value.text).to_owned()),
    );
    let access = unit
        .access
        .as_ref()
        .filter(|access| access.value != Word::Known(AccessLevel::Public));
    line(
        "Access",
        access.map_or_else(String::new, |access| manifest.word(access.value).to_owned()),
    );
    let sensitivity = unit
        .sensitivity
        .as_ref()
        .filter(|level| level.value != Word::Known(Sensitivity::Public));
    line(
        "Sensitivity",
        sensitivity.map_or_else(String::new, |level| manifest.word(level.value).to_owned()),
    );
    let texts = |values: Option<&Vec<crate::model::Declared<lore_base::yaml::Text>>>| {
        let values = values.into_iter().flatten();
        list(values.map(|text| manifest.text(text.value)).collect())
    };
    line("Depends on", texts(unit.depends_on.as_ref().map(|ids| &ids.value)));
    line(
        "Triggers",
        texts(unit.triggers.as_ref().map(|triggers| &triggers.value.kept)),
    );
    line(
        "Supersedes",
        manifest.field(&unit.supersedes).unwrap_or_default().to_owned(),
    );
    line(
        "Deprecated",
        if unit.is_deprecated() {
            "yes".to_owned()
        } else {
            String::new()
        },
    );
    if let Some(compliance) = &unit.compliance {
        let declared = compliance.value.data_residency.as_ref();
        line(
            "Data residency",
            texts(declared.map(|declared| &declared.value.regions)),
        );
        line(
            "Regulations",
            texts(compliance.value.regulations.as_ref().map(|list| &list.value)),
        );
    }
    if let Some(delegation) = &unit.delegation {
        let delegation = &delegation.value;
        let depth = delegation.max_depth.as_ref();
        line(
            "Delegation max depth",
            depth.map_or_else(String::new, |depth| depth.value.to_string()),
        );
        let approval = delegation.human_in_the_loop.as_ref();
        line(
            "Human in the loop",
            approval.map_or_else(String::new, |_| "declared".to_owned()),
        );
        let is_audited = crate::model::is_true(&delegation.audit_chain);
        line(
            "Delegation audit chain",
            if is_audited { "yes".to_owned() } else { String::new() },
        );
    }
    lines.join("\n")
}

/// One of them.
fn read(ctx: &Ctx, uri: &str) -> Result<ResourceContent, OpError> {
    let served = served(ctx)?;
    let (_, primary) = served.primary();
    if uri == knowledge_uri(primary, MANIFEST) {
        return Ok(ResourceContent {
            media_type: "application/json".to_owned(),
            bytes: manifest_json(&served).to_string().into_bytes(),
            is_binary: false,
            note: None,
        });
    }
    let units = served.units();
    let unit = units
        .iter()
        .find(|unit| unit.id != MANIFEST && knowledge_uri(primary, unit.id) == uri);
    let Some(unit) = unit else {
        return Err(
            OpError::new(ErrorKind::NotFound, "there is no such unit").hint("the list of resources has all of them")
        );
    };
    super::get::content(ctx, unit)
}

/// The repository's own manifest as JSON, with the units of those that were added.
fn manifest_json(served: &Served) -> Value {
    let (path, primary) = served.primary();
    let mut fields = match json(&primary.document, primary.document.root(), "") {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let units = served.units().into_iter().map(|unit| {
        let mut value = json(&unit.manifest.document, unit.unit.node, "");
        if let (Value::Object(fields), true) = (&mut value, unit.path != path) {
            fields.insert("source_manifest".to_owned(), Value::String(unit.path.to_owned()));
        }
        value
    });
    fields.insert("units".to_owned(), Value::Array(units.collect()));
    Value::Object(fields)
}

/// A node as JSON. Text stays as it is written, but for numbers, truths and nothing.
fn json(document: &Document, node: NodeId, key: &str) -> Value {
    match document.node(node) {
        Node::Scalar(scalar) if scalar.is_null() => Value::Null,
        // These are text whatever they look like.
        Node::Scalar(scalar) if TEXTS.contains(&key) => Value::String(scalar.text.to_owned()),
        Node::Scalar(scalar) => match (scalar.as_bool(), scalar.as_int(), scalar.as_float()) {
            (Some(truth), _, _) => Value::Bool(truth),
            (_, Some(number), _) => Value::from(number),
            (_, _, Some(number)) => Value::from(number),
            _ => Value::String(scalar.text.to_owned()),
        },
        Node::Sequence(items) => items.map(|item| json(document, item, key)).collect(),
        Node::Mapping(entries) => {
            let entries = entries.map(|entry| {
                let key = match document.node(entry.key) {
                    Node::Scalar(scalar) => scalar.text.to_owned(),
                    _ => "?".to_owned(),
                };
                let value = json(document, entry.value, &key);
                (key, value)
            });
            Value::Object(entries.collect())
        }
    }
}

/// Fields that are text whatever they look like.
const TEXTS: &[&str] = &[
    "audience",
    "depends_on",
    "from",
    "id",
    "intent",
    "kcp_version",
    "language",
    "path",
    "project",
    "supersedes",
    "to",
    "triggers",
    "updated",
    "validated",
    "version",
    "version_pin",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::UNIT;

    fn listed(text: &str) -> Vec<DeclaredResource> {
        list(&crate::testing::of_files([("knowledge.yaml", text)]).ctx()).expect("listed")
    }

    #[test]
    fn m1_ids_that_are_odd_do_not_meet() {
        let text = UNIT.replace("id: a\n", "id: \"a b/ä%\"\n");
        let uris: Vec<String> = listed(&text).into_iter().map(|resource| resource.uri).collect();
        assert_eq!(
            uris,
            ["knowledge://shop/manifest", "knowledge://shop/a%20b%2F%C3%A4%25"]
        );
        let text = UNIT.replace("id: a\n", "id: manifest\n");
        assert_eq!(listed(&text).len(), 1, "the manifest keeps its address");
    }

    #[test]
    fn m2_a_resource_says_what_a_unit_is() {
        let text = format!(
            "{UNIT}    kind: policy\n    validated: 2026-02-25\n    access: restricted\n    sensitivity: internal\n    depends_on: [b, c]\n    triggers: [x, y]\n    \
             supersedes: old\n    deprecated: true\n    compliance: {{data_residency: [EU], regulations: [GDPR, NIS2]}}\n    \
             delegation: {{max_depth: 2, audit_chain: true, human_in_the_loop: {{required: true}}}}\n"
        );
        let listed = listed(&text);
        let unit = &listed[1];
        assert_eq!(
            unit.description,
            "What is a?\n\nAudience: agent\nScope: global\nKind: policy\nValidated: 2026-02-25\nAccess: restricted\nSensitivity: internal\nDepends on: b, c\nTriggers: x, y\n\
             Supersedes: old\nDeprecated: yes\nData residency: EU\nRegulations: GDPR, NIS2\nDelegation max depth: 2\nHuman in the loop: declared\nDelegation audit chain: yes"
        );
        assert_eq!((unit.name.as_str(), unit.title.as_str()), ("a", "What is a?"));
        assert_eq!((unit.for_agents, unit.for_people, unit.priority), (true, false, 1.0));
        assert_eq!(unit.last_modified.as_deref(), Some("2026-02-25T00:00:00Z"));
    }

    #[test]
    fn m2_a_title_has_eighty_letters() {
        assert_eq!(title(&"ä".repeat(80)), "ä".repeat(80));
        assert_eq!(title(&"ä".repeat(81)), format!("{}...", "ä".repeat(77)));
    }

    #[test]
    fn m3_the_media_type_is_declared_or_told_by_format_or_name() {
        let media_type = |more: &str, path: &str| {
            let text = UNIT.replace("docs/a.md", path) + more;
            listed(&text)[1].media_type.clone()
        };
        assert_eq!(
            media_type("    content_type: text/x-own\n    format: pdf\n", "a.md"),
            "text/x-own"
        );
        assert_eq!(
            media_type("    format: openapi\n", "a.md"),
            "application/vnd.oai.openapi+yaml"
        );
        assert_eq!(media_type("", "a.ipynb"), "application/x-ipynb+json");
        assert_eq!(media_type("", "a.odd"), "text/plain");
    }

    #[test]
    fn m4_the_manifest_lists_everything_that_is_declared() {
        let text = format!("{UNIT}    x-own: [1, two, 3.5, \"4\", true, ~]\nmanifests: []\nrelationships: []\n");
        let ctx = crate::testing::of_files([("knowledge.yaml", text)]).ctx();
        let content = read(&ctx, "knowledge://shop/manifest").expect("read");
        let value: Value = serde_json::from_slice(&content.bytes).expect("JSON");
        assert_eq!(
            value,
            serde_json::json!({
                "kcp_version": "0.14", "project": "shop", "version": "1.0.0",
                "units": [{"id": "a", "path": "docs/a.md", "intent": "What is a?", "scope": "global", "audience": ["agent"],
                    "x-own": [1, "two", 3.5, "4", true, null]}],
                "manifests": [], "relationships": [],
            })
        );
        assert!(read(&ctx, "knowledge://shop/none").is_err());
        assert!(read(&ctx, "knowledge://other/manifest").is_err());
    }

    #[test]
    fn m8_without_a_valid_manifest_nothing_is_listed() {
        assert_eq!(list(&crate::testing::of_files([("a", "")]).ctx()).expect("listed"), []);
        assert_eq!(listed("units: []\n"), []);
    }
}
