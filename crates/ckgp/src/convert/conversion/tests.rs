//! What tools write in, bodies out. The samples have the shapes that the tools write, as section 5 of the reading of the protocol has found them.

use serde_json::{Value, json};

use super::*;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// Converts, and holds what comes out against the published schema of its format as well.
fn converted(native: &str, options: &ConvertOptions) -> (Value, Vec<String>) {
    let outcome = convert(Native::Bytes(native.as_bytes()), options).unwrap_or_else(|fault| panic!("{fault}"));
    let body = outcome.body.unwrap_or_else(|| native.as_bytes().to_vec());
    let body: Value = serde_json::from_slice(&body).expect("it is JSON");
    assert_schema(&outcome.format, &body);
    (body, outcome.remarks)
}

fn assert_schema(format: &FormatId, body: &Value) {
    let schema = match format.name() {
        "understand-anything" => include_str!("../../../../../schemas/ckgp/understand-anything@1.schema.json"),
        "gitnexus" => include_str!("../../../../../schemas/ckgp/gitnexus@1.schema.json"),
        "code-review-graph" => include_str!("../../../../../schemas/ckgp/code-review-graph@1.schema.json"),
        "generic" => include_str!("../../../../../schemas/ckgp/generic@1.schema.json"),
        "bundle" => include_str!("../../../../../schemas/ckgp/bundle@1.schema.json"),
        name => panic!("no schema of {name}"),
    };
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator.iter_errors(body).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

fn fault(native: &str, options: &ConvertOptions) -> String {
    convert(Native::Bytes(native.as_bytes()), options)
        .map_or_else(|fault| fault.to_string(), |_| "converted".to_owned())
}

fn options() -> ConvertOptions {
    ConvertOptions {
        made_at: "2026-11-16T12:00:00Z".to_owned(),
        ..ConvertOptions::default()
    }
}

fn format(text: &str) -> Option<FormatId> {
    FormatId::parse(text)
}

/// A knowledge graph with a type of each of the groups that there are.
fn understand_anything() -> Value {
    json!({
        "version": "1.0.0",
        "project": {"name": "shop", "languages": ["python"], "frameworks": [], "description": "A shop.", "analyzedAt": "2026-11-01T10:20:30.123+02:00",
                    "gitCommitHash": COMMIT.to_uppercase()},
        "nodes": [
            {"id": "file:src/cart.py", "type": "file", "name": "cart.py", "filePath": "/home/ada/shop/src/cart.py", "summary": "Carts; ask ada@example.org.", "tags": ["cart"], "complexity": "simple"},
            {"id": "function:src/cart.py:total", "type": "function", "name": "total", "filePath": "src/cart.py", "lineRange": [3, 9], "summary": "Sums.", "tags": [], "complexity": "simple", "languageNotes": null},
            {"id": "endpoint:/api/cart", "type": "endpoint", "name": "/api/cart", "summary": "", "tags": [], "complexity": "simple"},
            {"id": "table:carts", "type": "table", "name": "carts", "summary": "", "tags": [], "complexity": "simple"},
            {"id": "service:web", "type": "service", "name": "web", "summary": "", "tags": [], "complexity": "moderate"},
            {"id": "claim:1", "type": "claim", "name": "Totals are exact", "summary": "", "tags": [], "complexity": "simple"}
        ],
        "edges": [
            {"source": "file:src/cart.py", "target": "function:src/cart.py:total", "type": "contains", "direction": "forward", "weight": 1.0},
            {"source": "endpoint:/api/cart", "target": "function:src/cart.py:total", "type": "calls", "direction": "forward", "weight": 0.8, "description": null}
        ],
        "layers": [{"id": "layer:api", "name": "API", "description": "", "nodeIds": ["endpoint:/api/cart"]}],
        "tour": [{"order": 1, "title": "Start", "description": "", "nodeIds": ["file:src/cart.py"]}]
    })
}

#[test]
fn native_understand_anything_gets_the_kinds_the_labels_and_the_ends_of_its_format() {
    let (body, remarks) = converted(&understand_anything().to_string(), &options());
    let kinds: Vec<(&str, Option<&str>, &str)> = body["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| {
            (
                node["kind"].as_str().expect("a kind"),
                node["type"].as_str(),
                node["label"].as_str().expect("a label"),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("file", None, "cart.py"),
            ("function", None, "total"),
            ("function", Some("endpoint"), "/api/cart"),
            ("class", Some("table"), "carts"),
            ("module", Some("service"), "web"),
            ("concept", Some("claim"), "Totals are exact"),
        ]
    );
    assert_eq!(
        body["edges"][1],
        json!({"from": "endpoint:/api/cart", "to": "function:src/cart.py:total", "kind": "calls", "direction": "forward", "weight": 0.8})
    );
    assert_eq!(body["tour"][0]["nodeIds"], json!(["file:src/cart.py"]), "ids are kept");
    assert!(
        remarks
            .iter()
            .any(|remark| remark.starts_with("mapped 4 nodes of types")),
        "{remarks:?}"
    );
}

#[test]
fn r1_the_commit_of_a_project_is_the_commit_of_the_body() {
    let outcome =
        convert(Native::Bytes(understand_anything().to_string().as_bytes()), &options()).expect("it converts");
    assert_eq!(
        outcome.facts.source_sha.map(|commit| commit.to_string()).as_deref(),
        Some(COMMIT)
    );
    let (body, _) = converted(&understand_anything().to_string(), &options());
    assert_eq!(
        body["metadata"],
        json!({"tool": "understand-anything", "generated_at": "2026-11-01T08:20:30Z", "commit": COMMIT})
    );
    let other = "f".repeat(40);
    let said = ConvertOptions {
        commit: Commit::parse(&other),
        tool_version: Some("2.9.4".to_owned()),
        ..options()
    };
    let (body, _) = converted(&understand_anything().to_string(), &said);
    assert_eq!(
        (&body["metadata"]["commit"], &body["metadata"]["tool_version"]),
        (&json!(other), &json!("2.9.4")),
        "whoever converts knows better than a tool"
    );
}

#[test]
fn j4_what_is_no_commit_is_absent_and_that_is_said() {
    let mut native = understand_anything();
    native["project"]["gitCommitHash"] = json!("abc1234");
    let (body, remarks) = converted(&native.to_string(), &options());
    assert!(body["metadata"].get("commit").is_none());
    assert!(remarks.contains(&"the commit is unknown; set it with --commit SHA".to_owned()));
}

#[test]
fn p7_the_machine_and_its_people_do_not_survive() {
    let (body, remarks) = converted(&understand_anything().to_string(), &options());
    let text = body.to_string();
    assert!(!text.contains("/home") && !text.contains("ada@"), "{text}");
    assert_eq!(
        body["nodes"][0]["filePath"], "cart.py",
        "a root is guessed where none is known, and that is said"
    );
    assert!(
        remarks.iter().any(|remark| remark.contains("--root DIR")),
        "{remarks:?}"
    );
    assert!(
        remarks
            .iter()
            .any(|remark| remark.ends_with("recognised: 1 e-mail address")),
        "{remarks:?}"
    );
    let rooted = ConvertOptions {
        root: Some("/home/ada/shop".to_owned()),
        no_scrub: true,
        ..options()
    };
    let (body, _) = converted(&understand_anything().to_string(), &rooted);
    assert_eq!(body["nodes"][0]["filePath"], "src/cart.py");
    assert_eq!(
        body["nodes"][0]["summary"], "Carts; ask ada@example.org.",
        "whoever wants it gets it"
    );
}

fn gitnexus() -> Value {
    json!({
        "nodes": [
            {"id": "File:src/a.ts", "label": "File", "properties": {"name": "a.ts", "filePath": "src/a.ts", "content": "export const a = 1", "startLine": null}},
            {"id": "Function:src/a.ts:f", "label": "Function", "properties": {"name": "f", "filePath": "src/a.ts", "startLine": 3, "endLine": 4, "isExported": true}},
            {"id": "Process:1", "label": "Process", "properties": {"name": null, "heuristicLabel": "Start"}}
        ],
        "relationships": [
            {"id": "r1", "type": "DEFINES", "sourceId": "File:src/a.ts", "targetId": "Function:src/a.ts:f", "confidence": 1.0, "reason": null, "step": null},
            {"id": "r2", "type": "CALLS", "sourceId": "Function:src/a.ts:f", "targetId": "Function:src/a.ts:f", "confidence": 1.5, "reason": "same-file"}
        ]
    })
}

#[test]
fn native_gitnexus_is_wrapped_its_ends_are_renamed_and_its_nulls_dropped() {
    let said = ConvertOptions {
        commit: Commit::parse(COMMIT),
        ..options()
    };
    let (body, remarks) = converted(&gitnexus().to_string(), &said);
    assert_eq!(
        body["graph"]["links"][0],
        json!({"id": "r1", "type": "DEFINES", "source": "File:src/a.ts", "target": "Function:src/a.ts:f", "confidence": 1.0})
    );
    assert_eq!(
        (
            &body["graph"]["links"][1]["confidence"],
            &body["graph"]["links"][1]["native_confidence"]
        ),
        (&json!(1.0), &json!(1.5))
    );
    assert_eq!(
        body["graph"]["nodes"][0]["properties"],
        json!({"name": "a.ts", "filePath": "src/a.ts"})
    );
    assert!(body.get("relationships").is_none() && body.get("nodes").is_none());
    assert_eq!(
        body["metadata"],
        json!({"tool": "gitnexus", "generated_at": "2026-11-16T12:00:00Z", "commit": COMMIT})
    );
    assert!(
        remarks.contains(&"left out the source text of 1 nodes".to_owned()),
        "{remarks:?}"
    );
    assert!(remarks.contains(&"dropped 4 nulls".to_owned()), "{remarks:?}");
}

#[test]
fn native_gitnexus_in_lines_is_the_same() {
    let native = gitnexus();
    let mut lines = String::new();
    for (list, kind) in [("nodes", "node"), ("relationships", "relationship")] {
        for item in native[list].as_array().expect("a list") {
            lines.push_str(&format!("{}\n", json!({"type": kind, "data": item})));
        }
    }
    assert_eq!(
        converted(&lines, &options()).0,
        converted(&native.to_string(), &options()).0
    );
    let broken = format!("{lines}{}\n", json!({"type": "error", "error": "gone"}));
    assert_eq!(fault(&broken, &options()), "the server stopped: gone");
    assert_eq!(
        fault("{\"type\":\"node\",\"data\":{}}\n{\"x\":1}\n", &options()),
        "line 2 is neither a node nor a relationship"
    );
    assert!(fault("{\"nodes\":[]} x", &options()).starts_with("invalid JSON: unexpected text after the value"));
}

#[test]
fn amend_generic_any_graph_becomes_one_where_that_is_asked_for() {
    let generic = ConvertOptions {
        format: format("generic@1"),
        ..options()
    };
    let (body, _) = converted(&gitnexus().to_string(), &generic);
    assert_eq!(body["nodes"].as_array().map(Vec::len), Some(3));
    assert_eq!(body["edges"].as_array().map(Vec::len), Some(2));
    let (body, _) = converted(&understand_anything().to_string(), &generic);
    assert_eq!(body["metadata"]["commit"], COMMIT);
    let wrong = ConvertOptions {
        format: format("bundle@1"),
        ..options()
    };
    assert_eq!(
        fault(&gitnexus().to_string(), &wrong),
        "the output of gitnexus becomes gitnexus@1 or generic@1, not bundle@1"
    );
}

fn code_review_graph() -> Value {
    let at = |path: &str| format!("/srv/builds/shop/{path}");
    let node = |id: u32, kind: &str, name: &str, qualified: String, path: &str| {
        json!({"id": id, "kind": kind, "name": name, "qualified_name": qualified, "file_path": at(path), "line_start": 1, "line_end": 9, "language": "python",
               "parent_name": null, "is_test": false, "params": null, "return_type": null, "community_id": null})
    };
    let edge = |id: u32, kind: &str, source: String, target: String| json!({"id": id, "kind": kind, "source": source, "target": target, "file_path": at("src/a.py"), "line": 3, "confidence": 1.0, "confidence_tier": "EXTRACTED"});
    json!({
        "nodes": [
            node(1, "File", &at("src/a.py"), at("src/a.py"), "src/a.py"),
            node(2, "Function", "f", at("src/a.py::f"), "src/a.py"),
            node(3, "Endpoint", "GET /carts", at("src/a.py::GET /carts"), "src/a.py"),
            node(4, "ConfigProperty", "db.url", at("conf/x.py::db.url"), "conf/x.py")
        ],
        "edges": [
            edge(1, "CONTAINS", at("src/a.py"), at("src/a.py::f")),
            edge(2, "HANDLES", at("src/a.py::f"), at("src/a.py::GET /carts")),
            edge(3, "INJECTS", at("src/a.py::f"), at("conf/x.py::db.url")),
            edge(4, "CALLS", at("src/a.py::f"), "print".to_owned())
        ],
        "stats": {"total_nodes": 4, "total_edges": 9, "nodes_by_kind": {"File": 1}, "edges_by_kind": {"CALLS": 9}, "languages": ["python"], "files_count": 2, "last_updated": "2026-11-16T21:36:02"},
        "flows": [{"id": 1, "name": "f", "entry_point_id": 2, "depth": 1, "path": [2, 3], "criticality": 0.5}],
        "communities": [{"id": 1, "name": "src", "level": 0, "cohesion": 0.1, "size": 1, "dominant_language": "python", "description": "Directory-based community: src", "members": [at("src/a.py::f")]}]
    })
}

#[test]
fn native_code_review_graph_gets_relative_paths_closed_kinds_and_flows_of_texts() {
    let (body, remarks) = converted(&code_review_graph().to_string(), &options());
    assert!(!body.to_string().contains("/srv"), "{body}");
    assert_eq!(
        (&body["nodes"][0]["name"], &body["nodes"][1]["qualified_name"]),
        (&json!("src/a.py"), &json!("src/a.py::f"))
    );
    assert_eq!(
        (
            &body["nodes"][2]["kind"],
            &body["nodes"][2]["native_kind"],
            &body["nodes"][3]["kind"]
        ),
        (&json!("Function"), &json!("Endpoint"), &json!("Type"))
    );
    let kinds: Vec<&Value> = body["edges"]
        .as_array()
        .expect("edges")
        .iter()
        .map(|edge| &edge["kind"])
        .collect();
    assert_eq!(
        kinds,
        ["CONTAINS", "CALLS", "DEPENDS_ON"],
        "an edge to nowhere is left out"
    );
    assert_eq!(body["edges"][1]["native_kind"], "HANDLES");
    assert_eq!(body["flows"][0]["path"], json!(["2", "3"]));
    assert_eq!(body["communities"][0]["members"], json!(["src/a.py::f"]));
    assert_eq!(
        (
            &body["stats"]["total_edges"],
            &body["stats"]["stored_edges"],
            &body["stats"]["nodes_by_kind"]
        ),
        (&json!(3), &json!(9), &json!({"File": 1, "Function": 2, "Type": 1}))
    );
    assert_eq!(
        body["metadata"],
        json!({"tool": "code-review-graph", "generated_at": "2026-11-16T21:36:02Z"})
    );
    assert!(body["nodes"][0].get("params").is_none(), "nulls are gone");
    for said in [
        "left out 1 edges to names without a node",
        "the time has no zone and counts as UTC",
        "the commit is unknown; set it with --commit SHA",
    ] {
        assert!(remarks.iter().any(|remark| remark == said), "{said}: {remarks:?}");
    }
    assert!(
        remarks
            .iter()
            .any(|remark| remark.starts_with("paths are relative to the common directory of all files"))
    );
}

#[test]
fn native_code_review_graph_is_named_from_the_root_that_is_known() {
    let mut native = code_review_graph();
    native["nodes"].as_array_mut().expect("nodes").truncate(2);
    native["edges"].as_array_mut().expect("edges").truncate(1);
    let (body, _) = converted(&native.to_string(), &options());
    assert_eq!(
        body["nodes"][0]["file_path"], "a.py",
        "all there is lies in one directory"
    );
    let here = ConvertOptions {
        here: Some("/srv/builds/shop".to_owned()),
        ..options()
    };
    let (body, remarks) = converted(&native.to_string(), &here);
    assert_eq!(body["nodes"][0]["file_path"], "src/a.py");
    assert!(!remarks.iter().any(|remark| remark.contains("--root")));
    let said = ConvertOptions {
        root: Some("/srv/builds".to_owned()),
        ..here
    };
    let (body, _) = converted(&native.to_string(), &said);
    assert_eq!(body["nodes"][0]["file_path"], "shop/src/a.py");
}

#[test]
fn native_graphify_has_edges_and_a_commit_afterwards() {
    let native = json!({
        "directed": false, "multigraph": false, "graph": {"schema_version": 1, "graphify_version": "0.9.96"},
        "nodes": [{"id": "src_a", "label": "a", "file_type": "code", "source_file": "src/a.py", "source_location": "L1"}],
        "links": [{"source": "src_a", "target": "src_a", "relation": "calls", "confidence": "EXTRACTED", "weight": 1.0, "context": null}],
        "hyperedges": [], "built_at_commit": COMMIT
    });
    let (body, _) = converted(&native.to_string(), &options());
    assert_eq!(body["edges"][0]["relation"], "calls");
    assert!(body.get("links").is_none());
    assert_eq!(
        body["metadata"],
        json!({"tool": "graphify", "tool_version": "0.9.96", "generated_at": "2026-11-16T12:00:00Z", "commit": COMMIT})
    );
    let (body, _) = converted(
        r#"{"directed":true,"nodes":[{"id":1}],"links":[{"source":1,"target":1}]}"#,
        &options(),
    );
    assert_eq!(
        body["metadata"]["tool"], "networkx",
        "others write node-link documents too"
    );
}

fn pack(native: &str) -> (Value, Vec<String>) {
    let said = ConvertOptions {
        content_url: Some("https://acme.dev/pack".to_owned()),
        tool_version: Some("1.18.1".to_owned()),
        commit: Commit::parse(COMMIT),
        ..options()
    };
    converted(native, &said)
}

fn listed(body: &Value) -> Vec<(&str, u64)> {
    let files = body["files"].as_array().expect("files").iter();
    files
        .map(|file| {
            (
                file["path"].as_str().expect("a path"),
                file["bytes"].as_u64().expect("a size"),
            )
        })
        .collect()
}

const HEADER: &str =
    "This file is a merged representation of the entire codebase, combined into a single document by Repomix.\n";

#[test]
fn native_repomix_xml_is_wrapped() {
    let native = format!(
        "{HEADER}\n<file_summary>\nx\n</file_summary>\n\n<directory_structure>\nsrc/\n  a.py\n</directory_structure>\n\n<files>\nThis section contains the contents.\n\n\
         <file path=\"src/a.py\">\nx = 1\n<file path=\"inside.py\">\n</file>\n\n<file path=\"b &amp; c.md\">\n# File\n</file>\n\n</files>\n"
    );
    let (body, remarks) = pack(&native);
    assert_eq!(listed(&body), [("src/a.py", 30), ("b & c.md", 7)]);
    assert_eq!(
        body["manifest"],
        json!({"tool": "repomix", "tool_version": "1.18.1", "generated_at": "2026-11-16T12:00:00Z", "commit": COMMIT, "format": "xml", "file_count": 2,
               "byte_count": native.len(), "token_estimate": native.len().div_ceil(4), "token_estimate_method": "one for every 4 characters"})
    );
    assert_eq!(body["content_url"], "https://acme.dev/pack");
    assert!(remarks.is_empty(), "{remarks:?}");
}

#[test]
fn native_repomix_markdown_plain_text_and_json_are_wrapped() {
    let markdown = format!(
        "{HEADER}\n# File Summary\n\n# Directory Structure\n```\na.md\n```\n\n# Files\n\n## File: a.md\n````md\n## File: no.md\n```\nx\n```\n````\n\n## File: b.py\n````python\ny\n````\n"
    );
    let (body, _) = pack(&markdown);
    assert_eq!(
        (listed(&body), &body["manifest"]["format"]),
        (vec![("a.md", 25), ("b.py", 2)], &json!("markdown"))
    );
    let rule = "=".repeat(16);
    let long = "=".repeat(64);
    let plain = format!(
        "{HEADER}\n{long}\nFiles\n{long}\n\n{rule}\nFile: a.py\n{rule}\nx = 1\n\n{rule}\nFile: b/c.py\n{rule}\ny\n\n{long}\nEnd of Codebase\n{long}\n"
    );
    let (body, _) = pack(&plain);
    let paths: Vec<&str> = listed(&body).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        (paths, &body["manifest"]["format"]),
        (vec!["a.py", "b/c.py"], &json!("plaintext"))
    );
    let document = json!({"fileSummary": {"generationHeader": HEADER}, "directoryStructure": "a.py\n", "files": {"a.py": "x = 1\n", "b.py": ""}});
    let (body, _) = pack(&document.to_string());
    assert_eq!(
        (listed(&body), &body["manifest"]["format"]),
        (vec![("a.py", 6), ("b.py", 0)], &json!("json"))
    );
}

#[test]
fn native_gitingest_is_wrapped_with_an_estimate_of_its_own_or_the_tools() {
    let rule = "=".repeat(48);
    let tree = "Directory structure:\n└── shop/\n    └── a.py\n";
    let files = format!("{rule}\nFILE: a.py\n{rule}\nx = 1\n\n\n{rule}\nFILE: docs/b.md\n{rule}\ny\n\n");
    let (body, _) = pack(&format!("{tree}\n{files}"));
    assert_eq!(body["manifest"]["tool"], "gitingest");
    assert_eq!(body["manifest"]["file_count"], 2);
    assert_eq!(
        body["manifest"]["token_estimate"].as_u64(),
        Some((tree.chars().count() + 1 + files.len()).div_ceil(4) as u64)
    );
    let summary = format!(
        "Repository: acme/shop\nCommit: {}\nFiles analyzed: 2\n\nEstimated tokens: 1.2k\n",
        "a".repeat(40)
    );
    let said = ConvertOptions {
        content_url: Some("https://acme.dev/pack".to_owned()),
        ..options()
    };
    let (body, remarks) = converted(&format!("{summary}\n{tree}\n{files}"), &said);
    assert_eq!(
        (
            &body["manifest"]["token_estimate"],
            &body["manifest"]["commit"],
            &body["manifest"]["tool_version"]
        ),
        (&json!(1200), &json!("a".repeat(40)), &json!("unknown"))
    );
    assert_eq!(
        remarks,
        ["a pack does not record the version of its tool; set it with --tool-version VERSION"]
    );
}

#[test]
fn j5_a_pack_is_served_by_https_or_it_is_not_wrapped() {
    let native = format!("{HEADER}\n<files>\n<file path=\"a\">\n</file>\n</files>\n");
    assert_eq!(
        fault(&native, &options()),
        "a body of bundle@1 needs the address of its pack"
    );
    let said = ConvertOptions {
        content_url: Some("http://acme.dev/pack".to_owned()),
        ..options()
    };
    assert_eq!(fault(&native, &said), "`http://acme.dev/pack` is not an https address");
}

#[test]
fn p2_a_body_that_conforms_is_given_back_as_it_is() {
    for native in [understand_anything(), gitnexus(), code_review_graph()] {
        let said = ConvertOptions {
            commit: Commit::parse(COMMIT),
            ..options()
        };
        let (body, _) = converted(&native.to_string(), &said);
        let text = body.to_string();
        let again = convert(Native::Bytes(text.as_bytes()), &options()).expect("it is a body");
        assert!(again.body.is_none());
        assert_eq!(
            again.remarks, again.facts.warnings,
            "what is missing from its metadata is told, and nothing else"
        );
        assert_eq!(
            again.facts.source_sha.map(|commit| commit.to_string()).as_deref(),
            Some(COMMIT)
        );
    }
    let generic = r#"{"nodes":[],"edges":[],"metadata":{"tool":"mine"}}"#;
    assert!(convert(Native::Bytes(generic.as_bytes()), &options()).is_ok_and(|outcome| outcome.body.is_none()));
    let ours = r#"{"metadata":{"tool":"lore","format":"ccg@1"},"nodes":[],"edges":[]}"#;
    let outcome = convert(Native::Bytes(ours.as_bytes()), &options()).expect("it is a body");
    assert_eq!(
        (outcome.format.to_string(), outcome.body.is_none()),
        ("ccg@1".to_owned(), true)
    );
}

#[test]
fn p7_a_body_that_conforms_and_tells_of_a_machine_is_converted_all_the_same() {
    let (mut body, _) = converted(&understand_anything().to_string(), &options());
    body["nodes"][1]["filePath"] = json!("/home/ada/shop/src/cart.py");
    let outcome = convert(Native::Bytes(body.to_string().as_bytes()), &options()).expect("it converts");
    let text = String::from_utf8(outcome.body.expect("it changed")).expect("text");
    assert!(!text.contains("/home/"));
}

#[test]
fn p9_the_same_input_gives_the_same_bytes_with_one_item_a_line() {
    let bytes = || {
        let outcome =
            convert(Native::Bytes(code_review_graph().to_string().as_bytes()), &options()).expect("it converts");
        String::from_utf8(outcome.body.expect("it changed")).expect("text")
    };
    assert_eq!(bytes(), bytes());
    assert!(bytes().starts_with("{\n\"metadata\":{\""), "{}", bytes());
    assert_eq!(
        bytes()
            .lines()
            .filter(|line| line.starts_with("{\"") || line.starts_with(",{\""))
            .count(),
        4 + 3 + 1 + 1
    );
}

#[test]
fn what_nobody_knows_is_told_with_what_was_looked_for() {
    for native in ["{}", "[]", "", "hello", "{\"nodes\":{}}", "\u{0}\u{1}"] {
        let reason = fault(native, &options());
        assert!(
            reason.starts_with("not the output of a known tool: Lore looks for `metadata.tool`"),
            "{native}: {reason}"
        );
    }
    let of = |from| ConvertOptions {
        from: Some(from),
        ..options()
    };
    assert_eq!(
        fault("hello", &of(Tool::Graphify)),
        "this is not the output of graphify"
    );
    assert_eq!(fault("hello", &of(Tool::Repomix)), "this is not the output of repomix");
    assert_eq!(fault("{}", &of(Tool::Gitnexus)), "this is not the output of gitnexus");
}

#[test]
fn what_cannot_be_mended_is_refused_with_the_places() {
    let mut native = understand_anything();
    native["nodes"][1]["id"] = json!("file:src/cart.py");
    assert!(fault(&native.to_string(), &options()).starts_with("the result is not a body of understand-anything@1: "));
    let deep = format!(
        "{{\"nodes\":[],\"edges\":[],\"x\":{}{}}}",
        "[".repeat(40),
        "]".repeat(40)
    );
    assert!(
        fault(&deep, &options()).contains("generic@1"),
        "{}",
        fault(&deep, &options())
    );
    let bomb = format!("{{\"x\":{}", "[".repeat(1_000_000));
    assert!(fault(&bomb, &options()).contains("nested deeper than 64 levels"));
    let reference = r#"{"nodes":[{"$ref":"x"}],"links":[]}"#;
    assert!(
        fault(reference, &options()).contains("$ref"),
        "{}",
        fault(reference, &options())
    );
}

#[test]
fn sniffing_takes_what_a_document_says_before_what_it_looks_like() {
    let kind = |document: Value| sniff::document(document.as_object().expect("an object"));
    let lists = |tool: Value| json!({"metadata": {"tool": tool}, "nodes": [], "edges": [], "graph": {"nodes": [], "links": []}, "stats": {"nodes_by_kind": {}}});
    assert_eq!(
        kind(lists(json!("understand-anything"))),
        Some(Kind::Of(Tool::UnderstandAnything))
    );
    assert_eq!(kind(lists(json!("gitnexus@1.6.3"))), Some(Kind::Of(Tool::Gitnexus)));
    let mut untold = lists(json!("somebody"));
    assert_eq!(
        kind(untold.clone()),
        Some(Kind::Of(Tool::Gitnexus)),
        "graph.nodes and graph.links come next"
    );
    untold["graph"] = json!({});
    assert_eq!(
        kind(untold.clone()),
        Some(Kind::Of(Tool::CodeReviewGraph)),
        "then stats.nodes_by_kind"
    );
    untold["stats"] = json!({});
    assert_eq!(
        kind(untold),
        Some(Kind::Body("generic@1")),
        "then plain nodes and edges"
    );
    assert_eq!(
        kind(json!({"nodes": [], "relationships": []})),
        Some(Kind::Of(Tool::Gitnexus))
    );
    assert_eq!(kind(json!({"nodes": [], "links": []})), Some(Kind::Of(Tool::Graphify)));
    assert_eq!(kind(json!({"manifest": {}, "files": []})), Some(Kind::Body("bundle@1")));
    assert_eq!(
        kind(json!({"directoryStructure": "", "files": {}})),
        Some(Kind::Of(Tool::Repomix))
    );
    assert_eq!(kind(json!({"nodes": []})), None);
}

/// What `--check` answers to a file: its verdict, the format that it speaks of, the reason, and what is worth knowing.
fn checked(content: &[u8]) -> (lore_seam::Verdict, String, String, Vec<String>) {
    use lore_seam::{Exported, Operation};

    use crate::convert::{GraphConvert, GraphConvertRequest};
    let world = lore_seam::world::World::of_files([("body.json", content)]);
    let ctx = world.ctx();
    let request = GraphConvertRequest {
        file: "body.json".to_owned(),
        check: true,
        ..GraphConvertRequest::default()
    };
    match GraphConvert::run(&ctx, request) {
        Ok(Exported::Report(answer)) => {
            let value = answer.value;
            (
                answer.verdict,
                value.format,
                value.refused.unwrap_or_default(),
                value.remarks,
            )
        }
        Ok(Exported::Bytes(_)) => unreachable!("nothing is written"),
        Err(error) => unreachable!("{}: {error}", String::from_utf8_lossy(content)),
    }
}

fn code_graph(nodes: &str, edges: &str) -> String {
    let metadata = r#"{"tool":"lore","tool_version":"0.1.0","format":"ccg@1","generated_at":"2026-11-01T00:00:00Z","commit":"0123456789012345678901234567890123456789"}"#;
    format!(r#"{{"metadata":{metadata},"nodes":{nodes},"edges":{edges}}}"#)
}

#[test]
fn c9_what_is_no_body_is_no_answer_and_not_a_question_that_could_not_be_asked() {
    use lore_seam::Verdict;
    let sound = code_graph("[]", "[]");
    let cut = &sound[..sound.len() - 5];
    let deep = sound.replace(
        "\"edges\":[]",
        &format!("\"edges\":{}{}", "[".repeat(70), "]".repeat(70)),
    );
    for (content, format, reason) in [
        (cut.as_bytes(), "ccg@1", "the document ends too early"),
        (&b"{\"a\":\"\xff\"}"[..], "generic@1", "not UTF-8"),
        (
            format!("{sound} x").as_bytes(),
            "ccg@1",
            "unexpected text after the value",
        ),
        (b"{\"a\":\"\x01\"}", "generic@1", "control character"),
        (
            br#"{"a":"\ud83d"}"#,
            "generic@1",
            "half of a surrogate pair in a string",
        ),
        (deep.as_bytes(), "ccg@1", "nested deeper than 32 levels"),
        (b"", "generic@1", "the document is empty"),
        (b"null", "generic@1", "an object is expected"),
        (b"[]", "generic@1", "an object is expected"),
        (b"just words", "generic@1", "not JSON: "),
        (
            code_graph("{}", "[]").as_bytes(),
            "ccg@1",
            "/nodes: an array is expected",
        ),
        (
            sound.replace("\"nodes\":[],", "").as_bytes(),
            "ccg@1",
            "`nodes` is missing",
        ),
    ] {
        let (verdict, named, told, _) = checked(content);
        assert_eq!((verdict, named.as_str()), (Verdict::No, format), "{told}");
        assert!(told.contains(reason), "{reason}: {told}");
        assert_eq!(told.matches(reason).count(), 1, "it is said once: {told}");
    }
    assert_eq!(checked(sound.as_bytes()).0, Verdict::Yes);
}

#[test]
fn c9_a_body_of_code_that_cannot_be_opened_is_none() {
    let file = r#"{"id":"f","kind":"file","path":"a.py"}"#;
    let symbol = |rest: &str| format!(r#"[{file},{{"id":"s","kind":"function","name":"g","line":1,{rest}}}]"#);
    for (nodes, edges, reason) in [
        (
            format!("[{}]", file.replace("a.py", "/etc/passwd")),
            "[]",
            "the path is absolute",
        ),
        (
            format!("[{}]", file.replace("a.py", "../../etc/passwd")),
            "[]",
            "`..` part",
        ),
        (
            symbol("\"file\":\"f\""),
            r#"[{"source":"s","target":"gone","kind":"call"}]"#,
            "`gone` cannot be the target of an edge",
        ),
        (symbol("\"file\":\"gone\""), "[]", "is `gone`, which does not exist"),
        (symbol("\"file\":\"f\",\"parent\":\"s\""), "[]", "form a cycle"),
    ] {
        let (verdict, format, told, _) = checked(code_graph(&nodes, edges).as_bytes());
        assert_eq!((verdict, format.as_str()), (lore_seam::Verdict::No, "ccg@1"), "{told}");
        assert!(told.contains(reason), "{reason}: {told}");
    }
}

#[test]
fn s6_a_key_that_stands_twice_is_told() {
    let nodes = r#"[{"id":"f","kind":"file","path":"b.py","path":"a.py"}]"#;
    let (verdict, _, _, remarks) = checked(code_graph(nodes, "[]").as_bytes());
    assert_eq!(verdict, lore_seam::Verdict::Yes);
    assert_eq!(remarks, ["duplicate key \"path\" in /nodes/0; the last one counts"]);
}
