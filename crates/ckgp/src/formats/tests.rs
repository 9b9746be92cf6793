//! The tables beside the schemas: each says what the other says, and both give the same verdict on documents near each format.

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::rule::{Kinds, Words};
use super::*;
use crate::body::{self, RefusalKind};

/// A body of each format that holds everything that is named in its schema.
fn sample(format: &Format) -> Value {
    let sha = "0123456789abcdef0123456789abcdef01234567";
    let metadata = |tool: &str| {
        json!({"tool": tool, "tool_version": "1.2.3", "generated_at": "2026-05-08T12:00:00Z", "commit": sha, "source_sha": sha,
               "languages": ["python", "rust"], "repo": {"commit": sha}})
    };
    match format.name {
        "generic" => json!({
            "nodes": [{"id": "a", "kind": "file", "type": "t", "label": "A", "name": "a", "qualified_name": "q", "language": "rust"}, 7, "x"],
            "edges": [{"source": "a", "target": "a", "kind": "k", "type": "t", "label": "l", "name": "n"}, null, []],
            "metadata": metadata("graphify")
        }),
        "understand-anything" => json!({
            "nodes": [
                {"id": "a", "kind": "file", "label": "a.py", "summary": "what it does"},
                {"id": "b", "kind": "function", "label": "b", "language": "python"},
                {"id": "c", "kind": "concept", "label": "c", "tags": []}
            ],
            "edges": [{"from": "a", "to": "b", "kind": "contains", "weight": 0.5}],
            "metadata": metadata("understand-anything")
        }),
        "gitnexus" => json!({
            "graph": {
                "nodes": [
                    {"id": "a", "label": "Function", "name": "f", "properties": {"name": "f", "language": "go"}},
                    {"id": "b", "type": "Class", "language": "java", "kind": "x"}
                ],
                "links": [{"source": "a", "target": "b", "type": "CALLS", "confidence": 0.9, "reason": "import", "label": "l", "kind": "k"}],
                "metadata": {"commit": sha}
            },
            "metadata": metadata("gitnexus@1.6.3")
        }),
        "code-review-graph" => json!({
            "nodes": [
                {"id": 1, "kind": "File", "name": "a.py", "qualified_name": "a.py", "file_path": "a.py", "language": "python", "label": "x"},
                {"id": 2, "kind": "Function", "name": "f", "qualified_name": "a.py::f", "file_path": "a.py", "line_start": 1}
            ],
            "edges": [{"id": 1, "kind": "CONTAINS", "source": "a.py", "target": "a.py::f", "confidence_tier": "EXTRACTED", "label": "l", "type": "t"}],
            "stats": {"total_nodes": 2, "total_edges": 1, "nodes_by_kind": {"File": 1}, "edges_by_kind": {"CONTAINS": 1},
                      "languages": ["python"], "files_count": 1, "commit": sha},
            "flows": [{"id": 1, "name": "flow", "path": ["a.py::f"]}],
            "communities": [{"id": 0, "name": "all", "size": 2, "members": ["a.py", "a.py::f"]}],
            "metadata": metadata("code-review-graph")
        }),
        "bundle" => json!({
            "manifest": {"tool": "repomix", "tool_version": "1.18.1", "generated_at": "2026-05-08T12:00:00Z", "file_count": 2, "byte_count": 100,
                         "token_estimate": 20, "format": "xml", "commit": sha, "languages": ["xml"]},
            "content_url": "https://raw.example/owner/repo/main/.repomix/out.xml",
            "files": [{"path": "a.py", "language": "python"}, {"path": "b.py"}],
            "metadata": {"commit": sha}
        }),
        _ => json!({
            "directed": true, "multigraph": true,
            "metadata": {"tool": "lore", "tool_version": "0.1.0", "generated_at": "2026-11-16T12:00:00Z", "commit": sha, "dirty": true,
                         "format": "ccg@1", "repository": "https://github.com/o/r", "languages": ["python"], "counts": {"files": 1},
                         "partial": {"reason": "too large"}, "scrubbed": {"emails": 0}},
            "nodes": [
                {"id": "fa", "kind": "file", "path": "a.py", "language": "python", "bytes": 1, "code": 1, "comment": 0, "blank": 0,
                 "hash": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "test": true, "module": "sm", "imports": [{"module": "os", "name": "path", "local": "p", "handed_on": "q", "line": 1, "reexport": true, "type_only": true, "declares": true}]},
                {"id": "sf", "kind": "function", "name": "f", "qualified_name": "a.f", "file": "fa", "parent": "sm", "line": 3, "column": 4,
                 "start_line": 2, "end_line": 9, "signature": "def f()", "doc": "Does it.", "visibility": "private", "modifiers": ["async"],
                 "complexity": 2, "decorators": ["d"], "local": true, "anonymous": true, "entry_point": true, "label": "f"},
                {"id": "xo", "kind": "external", "name": "os.path.join"}
            ],
            "edges": [{"source": "sf", "target": "xo", "kind": "call", "resolution": "exact", "lines": [3, 9], "label": "l", "type": "t"}],
            "unresolved": [{"source": "sf", "line": 3, "name": "g"}]
        }),
    }
}

fn validator(format: &Format) -> Validator {
    let schema: Value = serde_json::from_str(format.schema).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    jsonschema::draft202012::new(&schema).unwrap()
}

/// The table as a schema.
fn schema_of(rule: &Rule) -> Value {
    let mut schema = Map::new();
    let kinds = match rule.kinds {
        Kinds::OBJECT => "object",
        Kinds::ARRAY => "array",
        Kinds::TEXT => "string",
        Kinds::NUMBER => "number",
        Kinds::INTEGER => "integer",
        Kinds::BOOL => "boolean",
        _ => "",
    };
    if !kinds.is_empty() {
        schema.insert("type".into(), kinds.into());
    }
    match rule.words {
        Words::Any => {}
        Words::OneOf(words) => drop(schema.insert("enum".into(), json!(words))),
        Words::Tool(name) => drop(schema.insert("pattern".into(), format!("^{name}(?:@|$)").into())),
        Words::Https => drop(schema.insert("pattern".into(), "^https://[^/]".into())),
    }
    for (key, bound) in [("minimum", rule.least), ("maximum", rule.most)] {
        if let Some(bound) = bound {
            schema.insert(key.into(), (bound as u64).into());
        }
    }
    let required: Vec<&str> = rule
        .fields
        .iter()
        .filter(|field| field.is_required)
        .map(|field| field.name)
        .collect();
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    let members: Map<String, Value> = (rule.fields.iter())
        .map(|field| (field.name.to_owned(), schema_of(field.rule)))
        .filter(|(_, schema)| *schema != json!({}))
        .collect();
    if !members.is_empty() {
        schema.insert("properties".into(), members.into());
    }
    let items = if std::ptr::eq(rule.items, &rule::ANY) {
        json!({})
    } else {
        schema_of(rule.items)
    };
    if items != json!({}) {
        schema.insert("items".into(), items);
    }
    if !rule.cases.is_empty() {
        let named: Vec<&str> = rule.cases.iter().filter_map(|case| case.when).collect();
        let cases: Vec<Value> = (rule.cases.iter())
            .map(|case| {
                let kind = match case.when {
                    Some(when) => json!({"const": when}),
                    None => json!({"type": "string", "not": {"enum": named}}),
                };
                json!({"if": {"required": ["kind"], "properties": {"kind": kind}}, "then": {"required": case.required}})
            })
            .collect();
        schema.insert("allOf".into(), cases.into());
    }
    schema.into()
}

/// A schema without what says nothing of documents, and with its definitions in place.
fn plain(schema: &Value, definitions: &Value) -> Value {
    let Value::Object(schema) = schema else {
        return schema.clone();
    };
    if let Some(Value::String(name)) = schema.get("$ref") {
        return plain(&definitions[name.strip_prefix("#/$defs/").unwrap()], definitions);
    }
    let mut kept = Map::new();
    for (key, value) in schema {
        match key.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "examples" => {}
            "properties" => {
                let members: Map<String, Value> = (value.as_object().unwrap().iter())
                    .map(|(name, schema)| (name.clone(), plain(schema, definitions)))
                    .filter(|(_, schema)| *schema != json!({}))
                    .collect();
                if !members.is_empty() {
                    kept.insert(key.clone(), members.into());
                }
            }
            "items" => drop(kept.insert(key.clone(), plain(value, definitions))),
            _ => drop(kept.insert(key.clone(), value.clone())),
        }
    }
    kept.into()
}

#[test]
fn p2_each_table_says_what_its_schema_says() {
    for format in &KNOWN {
        let schema: Value = serde_json::from_str(format.schema).unwrap();
        assert_eq!(
            schema_of(format.body),
            plain(&schema, &schema["$defs"]),
            "{}",
            format.id()
        );
        assert_eq!(schema["title"], format!("CKGP body: {}", format.id()));
    }
}

#[test]
fn p2_a_body_with_everything_that_is_named_passes_both() {
    for format in &KNOWN {
        let sample = sample(format);
        assert!(validator(format).is_valid(&sample), "{}", format.id());
        let facts = body::judge(&format.id(), sample.to_string().as_bytes()).unwrap();
        assert_eq!(facts.warnings, [] as [&str; 0], "{}", format.id());
        assert!(facts.source_sha.is_some());
    }
    // Ours is one of the formats that everybody knows too.
    let ours = sample(&KNOWN[0]).to_string();
    body::judge(&FormatId::parse("generic@1").unwrap(), ours.as_bytes()).unwrap();
}

#[test]
fn v1_a_schema_never_asks_for_more_than_it_did() {
    // These are what a body has had to hold since the first schema of each number; what is required may only become less.
    let required = |format: &Format| -> Vec<String> {
        let schema: Value = serde_json::from_str(format.schema).unwrap();
        let mut found = Vec::new();
        let mut stack = vec![(String::new(), plain(&schema, &schema["$defs"]))];
        while let Some((place, schema)) = stack.pop() {
            for name in schema["required"].as_array().into_iter().flatten() {
                found.push(format!("{place}/{}", name.as_str().unwrap()));
            }
            for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
                stack.push((format!("{place}/{name}"), schema.clone()));
            }
            stack.extend(schema.get("items").map(|items| (format!("{place}/*"), items.clone())));
        }
        found.sort();
        found
    };
    let expected = [
        "/edges /edges/*/kind /edges/*/source /edges/*/target /nodes /nodes/*/id /nodes/*/kind /unresolved/*/name /unresolved/*/source",
        "/communities/*/id /communities/*/members /communities/*/name /communities/*/size /edges /edges/*/id /edges/*/kind \
         /edges/*/source /edges/*/target /flows/*/id /flows/*/name /flows/*/path /nodes /nodes/*/file_path /nodes/*/id /nodes/*/kind \
         /nodes/*/name /nodes/*/qualified_name /stats /stats/edges_by_kind /stats/files_count /stats/languages /stats/nodes_by_kind \
         /stats/total_edges /stats/total_nodes",
        "/graph /graph/links /graph/links/*/source /graph/links/*/target /graph/nodes /graph/nodes/*/id",
        "/edges /edges/*/from /edges/*/kind /edges/*/to /nodes /nodes/*/id /nodes/*/kind /nodes/*/label",
        "/edges /nodes",
        "/content_url /files/*/path /manifest /manifest/byte_count /manifest/file_count /manifest/format /manifest/generated_at \
         /manifest/token_estimate /manifest/tool /manifest/tool_version",
    ];
    for (format, expected) in KNOWN.iter().zip(expected) {
        assert_eq!(required(format).join(" "), expected, "{}", format.id());
    }
}

#[test]
fn ruling18_formats_are_chosen_in_our_order_and_then_by_the_larger_number() {
    let chosen = |wished: &[&str]| {
        let mut ids: Vec<FormatId> = [
            "generic@1",
            "zeta@9",
            "ccg@1",
            "alpha@1",
            "bundle@1",
            "ccg@3",
            "gitnexus@1",
            "alpha@2",
        ]
        .iter()
        .map(|text| FormatId::parse(text).unwrap())
        .collect();
        let wished: Vec<String> = wished.iter().map(|name| (*name).to_owned()).collect();
        ids.sort_by_key(|id| preference(id, &wished));
        ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        chosen(&[]),
        "ccg@3 ccg@1 gitnexus@1 generic@1 bundle@1 alpha@2 alpha@1 zeta@9"
    );
    assert_eq!(
        chosen(&["bundle", "ccg@1"]),
        "bundle@1 ccg@1 ccg@3 gitnexus@1 generic@1 alpha@2 alpha@1 zeta@9"
    );
    for format in &KNOWN {
        assert_eq!(known(&format.id()).unwrap().name, format.name);
    }
    assert!(known(&FormatId::parse("ccg@3").unwrap()).is_none());
}

#[test]
fn the_schema_of_the_record_is_one_and_knows_a_record() {
    let schema: Value = serde_json::from_str(RECORD_SCHEMA).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let record = |graph: Value| json!({"schema_version": 1, "graphs": [graph], "unknown": 1});
    let full = json!({"format": "understand-anything@1", "graph_url": "https://a.example/b.json", "tool_version": "0.7.2", "generated_at": "2026-05-08T12:00:00Z",
                      "source_sha": "abc1234567890abc1234567890abc1234567890a", "description": "d", "tags": ["a-b_C1"], "unknown": {}});
    assert!(validator.is_valid(&record(full.clone())));
    for (key, value) in [
        ("format", json!("Ccg@1")),
        ("format", json!("ccg")),
        ("graph_url", json!("http://a.example/b.json")),
        ("tool_version", json!("v".repeat(65))),
        ("source_sha", json!("abc")),
        ("description", json!("d".repeat(281))),
        ("tags", json!(["with space"])),
        ("tags", json!(vec!["t"; 17])),
    ] {
        let mut graph = full.clone();
        graph[key] = value;
        assert!(!validator.is_valid(&record(graph)), "{key}");
    }
    assert!(!validator.is_valid(&json!({"schema_version": 1, "graphs": []})));
    assert!(!validator.is_valid(&json!({"schema_version": 2, "graphs": [full]})));
}

/// How a document is changed at one place.
#[derive(Clone, Debug)]
enum Change {
    Replace(Value),
    Remove,
    Repeat,
    Add(String, Value),
}

fn leaves() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(2),
        json!(-1),
        json!(0.5),
        json!(1.0),
        json!(2.0),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("a"),
        json!("fa"),
        json!("file"),
        json!("File"),
        json!("external"),
        json!("CALLS"),
        json!("INFERRED"),
        json!("xml"),
        json!("lore"),
        json!("gitnexus"),
        json!("gitnexus@2"),
        json!("gitnexusx"),
        json!("understand-anything"),
        json!("https://a.example"),
        json!("https:///a"),
        json!("https://"),
        json!("http://a.example"),
        json!("é😀\n"),
        json!([]),
        json!(["a"]),
        json!([1]),
        json!([{}]),
        json!({}),
        json!({"id": "z"}),
        json!({"id": "z", "kind": "file"}),
        json!({"commit": 1}),
    ])
}

fn changes() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => leaves().prop_map(Change::Replace),
        3 => Just(Change::Remove),
        1 => Just(Change::Repeat),
        2 => (
            proptest::sample::select(vec!["id", "kind", "name", "label", "type", "path", "file", "metadata", "unknown", "tool", "line", "confidence", "reason"]),
            leaves()
        )
            .prop_map(|(key, value)| Change::Add(key.to_owned(), value)),
    ]
}

/// All places of a document, as pointers.
fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut stack = vec![(String::new(), value)];
    while let Some((place, value)) = stack.pop() {
        match value {
            Value::Object(members) => {
                stack.extend(members.iter().map(|(key, value)| (format!("{place}/{key}"), value)))
            }
            Value::Array(items) => stack.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(at, value)| (format!("{place}/{at}"), value)),
            ),
            _ => {}
        }
        found.push(place);
    }
    found.sort();
    found
}

fn changed(mut document: Value, changes: Vec<(prop::sample::Index, Change)>) -> Value {
    for (place, change) in changes {
        let places = places(&document);
        let place = place.get(&places);
        match change {
            Change::Replace(value) => {
                if let Some(slot) = document.pointer_mut(place) {
                    *slot = value;
                }
            }
            Change::Add(key, value) => {
                if let Some(Value::Object(members)) = document.pointer_mut(place) {
                    members.insert(key, value);
                }
            }
            Change::Remove | Change::Repeat => {
                let Some((parent, last)) = place.rsplit_once('/') else {
                    continue;
                };
                match document.pointer_mut(parent) {
                    Some(Value::Object(members)) if matches!(change, Change::Remove) => drop(members.remove(last)),
                    Some(Value::Array(items)) => {
                        let at: usize = last.parse().unwrap();
                        match change {
                            Change::Remove => drop(items.remove(at)),
                            _ => items.push(items[at].clone()),
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    document
}

/// Whether no two nodes have one id, which no schema can say.
fn has_ids_once(document: &Value) -> bool {
    let nodes = document.pointer("/graph/nodes").or_else(|| document.get("nodes"));
    let mut seen = Vec::new();
    let ids = nodes
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|node| node.get("id"));
    for id in ids {
        // 1 and 1.0 are one number.
        let id = match (id, id.as_f64()) {
            (Value::Number(_), Some(number)) => json!(number),
            (Value::String(_), _) => id.clone(),
            _ => continue,
        };
        if seen.contains(&id) {
            return false;
        }
        seen.push(id);
    }
    true
}

/// A document as text, in which members at these places stand twice: first with this value, then with their own.
fn doubled(value: &Value, place: &str, twice: &[(String, Value)]) -> String {
    match value {
        Value::Object(members) => {
            let key = |key: &str| Value::from(key).to_string();
            let first = members.keys().flat_map(|name| {
                let place = format!("{place}/{name}");
                let twice = twice.iter().filter(move |(at, _)| *at == place);
                twice.map(move |(_, value)| format!("{}:{value}", key(name)))
            });
            let then = members
                .iter()
                .map(|(name, value)| format!("{}:{}", key(name), doubled(value, &format!("{place}/{name}"), twice)));
            format!("{{{}}}", first.chain(then).collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let items = items.map(|(at, value)| doubled(value, &format!("{place}/{at}"), twice));
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        _ => value.to_string(),
    }
}

proptest! {
    #![proptest_config(lore_testing::cases_or_long(3_000, 100_000))]

    #[test]
    fn p2_near_each_format_the_table_and_the_schema_give_one_verdict(
        format in 0..KNOWN.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), changes()), 0..4),
    ) {
        thread_local! {
            static VALIDATORS: Vec<Validator> = KNOWN.iter().map(validator).collect();
        }
        let document = changed(sample(&KNOWN[format]), changes);
        let is_valid = VALIDATORS.with(|validators| validators[format].is_valid(&document)) && has_ids_once(&document);
        let judged = body::judge(&KNOWN[format].id(), document.to_string().as_bytes());
        prop_assert_eq!(judged.is_ok(), is_valid, "{} {}: {:?}", KNOWN[format].id(), document, judged);
        if let Err(refusal) = judged {
            prop_assert_eq!(refusal.kind, RefusalKind::Schema);
            for error in refusal.errors {
                // What is missing is told of the object that it is missing in.
                prop_assert!(document.pointer(&error.pointer).is_some(), "{} of {}", error, document);
            }
        }
    }

    #[test]
    fn s6_where_members_stand_twice_the_verdict_is_that_on_the_last(
        format in 0..KNOWN.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), changes()), 0..3),
        twice in proptest::collection::vec((any::<prop::sample::Index>(), leaves()), 1..4),
    ) {
        let document = changed(sample(&KNOWN[format]), changes);
        let places = places(&document);
        let twice: Vec<(String, Value)> = (twice.into_iter())
            .map(|(place, value)| (place.get(&places).clone(), value))
            .collect();
        let text = doubled(&document, "", &twice);
        prop_assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), &document);
        let id = KNOWN[format].id();
        let once = body::judge(&id, document.to_string().as_bytes());
        match (once, body::judge(&id, text.as_bytes())) {
            (Ok(once), Ok(facts)) => {
                let is_doubled = text.len() > document.to_string().len();
                prop_assert_eq!(is_doubled, facts.warnings.iter().any(|warning| warning.contains("duplicate key")), "{}", text);
                let facts = body::BodyFacts { digest: once.digest.clone(), bytes: once.bytes, warnings: once.warnings.clone(), ..facts };
                prop_assert_eq!(facts, once, "{}", text);
            }
            (Err(once), Err(refusal)) => prop_assert_eq!(refusal, once, "{}", text),
            (once, judged) => prop_assert!(false, "{}: {:?} but {:?}", text, once, judged),
        }
    }
}
