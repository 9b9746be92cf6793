//! Asking as a user would: the text's own queries, templates, formats, limits.

use lore_seam::{ErrorKind, Verdict};
use serde_json::json;

use crate::support::Tree;

/// The text's three queries (§9.1), word for word.
const FINDINGS: &str = "PREFIX narsil: <https://narsilmcp.com/ontology/v1#>

SELECT ?finding ?severity ?file ?line ?message
WHERE {
  ?finding a narsil:Vulnerability ;
           narsil:severity ?severity ;
           narsil:inFile ?file ;
           narsil:atLine ?line ;
           narsil:message ?message .
}
ORDER BY DESC(?severity)";
const CALLERS: &str = "PREFIX narsil: <https://narsilmcp.com/ontology/v1#>

SELECT ?caller ?callerFile
WHERE {
  ?caller narsil:calls <sym:execute_query> ;
          narsil:definedIn ?callerFile .
}";
const COMPLEXITY: &str = "PREFIX narsil: <https://narsilmcp.com/ontology/v1#>

SELECT ?fn ?complexity ?file
WHERE {
  ?fn a narsil:Function ;
      narsil:complexity ?complexity ;
      narsil:definedIn ?file .
  FILTER(?complexity > 15)
}
ORDER BY DESC(?complexity)";

fn tree() -> Tree {
    let branches: String = (0..20)
        .map(|number| format!("    if x == {number}:\n        y = {number}\n"))
        .collect();
    Tree::new(&[
        (
            "db.py",
            &format!("\"\"\"The database.\"\"\"\n\n\ndef execute(x):\n{branches}    return x\n"),
        ),
        (
            "app.py",
            "from db import execute\n\n\ndef handle(request):\n    \"\"\"Handles.\"\"\"\n    return execute(request) + unknown(request)\n",
        ),
    ])
}

/// Findings that nobody's analysis made.
const MADE_UP: &str = r#"<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://narsilmcp.com/ontology/v1#Vulnerability> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <https://narsilmcp.com/ontology/v1#cweId> "CWE-89" <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <https://narsilmcp.com/ontology/v1#severity> "MEDIUM" <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <https://narsilmcp.com/ontology/v1#severityRank> "3"^^<http://www.w3.org/2001/XMLSchema#integer> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <https://narsilmcp.com/ontology/v1#inFile> <https://codecontextgraph.com/repo/h/o/n@c/file/a.py> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <https://narsilmcp.com/ontology/v1#atLine> "7"^^<http://www.w3.org/2001/XMLSchema#integer> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/1> <https://narsilmcp.com/ontology/v1#message> "medium" <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://narsilmcp.com/ontology/v1#Vulnerability> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <https://narsilmcp.com/ontology/v1#cweId> "CWE-89" <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <https://narsilmcp.com/ontology/v1#severity> "CRITICAL" <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <https://narsilmcp.com/ontology/v1#severityRank> "5"^^<http://www.w3.org/2001/XMLSchema#integer> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <https://narsilmcp.com/ontology/v1#inFile> <https://codecontextgraph.com/repo/h/o/n@c/file/a.py> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <https://narsilmcp.com/ontology/v1#atLine> "9"^^<http://www.w3.org/2001/XMLSchema#integer> <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
<https://codecontextgraph.com/repo/h/o/n@c/finding/2> <https://narsilmcp.com/ontology/v1#message> "critical" <https://codecontextgraph.com/repo/h/o/n@c/graph/security> .
"#;

fn rows(tree: &Tree, request: serde_json::Value) -> Vec<serde_json::Value> {
    let (answer, _) = tree.ask("query_ccg", request).expect("an answer");
    answer["results"]["bindings"].as_array().expect("rows").clone()
}

#[test]
fn q1_the_queries_of_the_text_run_verbatim() {
    let tree = tree();
    assert_eq!(
        rows(&tree, json!({ "query": FINDINGS })).len(),
        0,
        "nothing was looked for"
    );
    let complex = rows(&tree, json!({ "query": COMPLEXITY }));
    assert_eq!(complex.len(), 1);
    assert_eq!(complex[0]["complexity"]["value"], "21");
    assert_eq!(rows(&tree, json!({ "query": CALLERS })).len(), 0);
    let callers = rows(
        &tree,
        json!({ "query": CALLERS.replace("execute_query", "db.execute") }),
    );
    assert_eq!(callers.len(), 1);
    assert!(
        callers[0]["caller"]["value"]
            .as_str()
            .expect("an IRI")
            .ends_with("/sym/app.handle")
    );
    let (answer, _) = tree
        .ask(
            "query_ccg",
            json!({ "query": CALLERS.replace("execute_query", "execute") }),
        )
        .expect("an answer");
    assert_eq!(answer["note"], "unknown name sym:execute; did you mean db.execute?");
}

#[test]
fn q1_every_result_form_has_its_formats() {
    let tree = tree();
    let text = |query: &str, format: &str| {
        let (answer, _) = tree
            .ask("query_ccg", json!({ "query": query, "format": format }))
            .expect(format);
        answer.as_str().expect("text").to_owned()
    };
    let select = "SELECT ?n ?l { <sym:db.execute> narsil:name ?n ; narsil:startLine ?l }";
    assert_eq!(text(select, "csv"), "n,l\r\nexecute,4\r\n");
    assert_eq!(text(select, "tsv"), "?n\t?l\n\"execute\"\t4\n");
    assert!(text(select, "xml").contains("<literal>execute</literal>"));
    assert!(text(select, "json").contains("\"bindings\""));
    assert_eq!(text("ASK { ?s ?p ?o }", "json").trim(), r#"{"head":{},"boolean":true}"#);
    let construct = "CONSTRUCT { ?s rdfs:label ?n } { ?s narsil:name ?n } ORDER BY ?s LIMIT 1";
    assert!(text(construct, "turtle").contains("rdfs:label"));
    assert!(text(construct, "ntriples").starts_with("<https://codecontextgraph.com/repo/local/-/tree@tree-"));
    assert!(text(construct, "jsonld").contains("\"@id\""));
    assert!(text("DESCRIBE <sym:db.execute>", "ntriples").contains("#complexity>"));
    for (query, format) in [(construct, "csv"), (select, "turtle")] {
        let error = tree
            .ask("query_ccg", json!({ "query": query, "format": format }))
            .expect_err("it does not fit");
        assert_eq!(error.kind, ErrorKind::Invalid);
    }
    let (_, verdict) = tree
        .ask("query_ccg", json!({ "query": "ASK { <sym:x> ?p ?o }" }))
        .expect("an answer");
    assert_eq!(verdict, Verdict::No);
}

#[test]
fn q1_what_is_cut_says_so_and_what_is_not_does_not() {
    let tree = tree();
    let query = "SELECT ?s { ?s a narsil:Function }";
    let all = rows(&tree, json!({ "query": query })).len();
    let (whole, _) = tree
        .ask("query_ccg", json!({ "query": query, "limit": all }))
        .expect("an answer");
    assert_eq!(whole["note"], json!(null));
    let (cut, _) = tree
        .ask("query_ccg", json!({ "query": query, "limit": 1 }))
        .expect("an answer");
    assert_eq!(cut["results"]["bindings"].as_array().expect("rows").len(), 1);
    assert_eq!(cut["note"], "cut after 1 rows; --limit and --timeout allow more");
    let endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }";
    let error = tree
        .ask("query_ccg", json!({ "query": endless, "timeout": 0.2 }))
        .map(|(answer, _)| answer["note"].as_str().map(str::to_owned));
    match error {
        Ok(note) => assert!(note.expect("it is cut").contains("cut off after 0.2 seconds")),
        Err(error) => assert!(error.message.contains("cut off after 0.2 seconds"), "{error}"),
    }
}

#[test]
fn q1_it_is_read_only_and_stays_here() {
    let tree = tree();
    for (query, message) in [
        (
            "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
            "a query cannot change the graph",
        ),
        (
            "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
            "SERVICE is refused",
        ),
        ("SELECT", "the query is not SPARQL"),
    ] {
        let error = tree
            .ask("query_ccg", json!({ "query": query }))
            .expect_err("it is refused");
        assert!(error.message.starts_with(message), "{error}");
    }
}

#[test]
fn lg_without_from_the_default_graph_is_the_union() {
    let tree = tree();
    let count = |from: &str| {
        let query = format!("SELECT (COUNT(*) AS ?n) {from} {{ ?s narsil:name ?o }}");
        rows(&tree, json!({ "query": query }))[0]["n"]["value"]
            .as_str()
            .expect("a number")
            .parse::<u32>()
            .expect("a number")
    };
    assert!(count("") > 3);
    assert_eq!(count("FROM <repo:calls>"), 1, "of the unresolved call alone");
    assert!(count("FROM <repo:structure>") > 3);
    assert_eq!(
        count("FROM NAMED <repo:structure>"),
        0,
        "then the default graph is empty"
    );
    assert_eq!(count("FROM <urn:nothing>"), 0);
}

#[test]
fn q2_every_template_runs() {
    let tree = tree();
    for (template, parameters, wanted) in [
        ("find_callers", vec!["symbol=execute"], 1),
        ("find_callees", vec!["symbol=app.handle"], 1),
        ("find_by_severity", vec!["severity=high"], 0),
        ("find_by_cwe", vec!["cwe_id=89"], 0),
        ("symbol_complexity", vec!["threshold=20"], 1),
        ("symbol_complexity", vec!["threshold=21"], 0),
        ("module_dependencies", vec!["module=app"], 1),
        ("module_dependencies", vec![], 1),
        ("unresolved_calls", vec![], 1),
        ("entry_points", vec![], 1),
        ("public_api", vec!["module=db"], 1),
        ("cycles", vec![], 0),
        ("hotspots", vec!["limit=1"], 1),
        ("stale_knowledge", vec![], 0),
    ] {
        let found = rows(&tree, json!({ "template": template, "parameters": parameters }));
        assert_eq!(found.len(), wanted, "{template} {parameters:?}: {found:?}");
    }
}

#[test]
fn q2_parameters_are_typed_and_never_text_of_the_query() {
    let tree = tree();
    for (template, parameters) in [
        ("find_callers", vec![]),
        ("find_callers", vec!["symbol=execute", "symbol=handle"]),
        ("find_callers", vec!["symbol=x> ?p ?o } #"]),
        ("find_callers", vec!["name=execute"]),
        ("symbol_complexity", vec!["threshold=-1"]),
        ("symbol_complexity", vec!["threshold=1.5"]),
        ("symbol_complexity", vec!["threshold=1) || (1=1"]),
        ("find_by_severity", vec!["severity=terrible"]),
        ("find_by_cwe", vec!["cwe_id=CWE-x"]),
        ("entry_points", vec!["symbol=execute"]),
        ("no_such", vec![]),
    ] {
        let error = tree
            .ask("query_ccg", json!({ "template": template, "parameters": parameters }))
            .expect_err(template);
        assert!(
            matches!(error.kind, ErrorKind::Invalid | ErrorKind::NotFound),
            "{template} {parameters:?}: {error}"
        );
    }
}

#[test]
fn q3_findings_are_ordered_by_rank_and_not_by_the_text_of_their_severity() {
    let tree = tree();
    std::fs::write(tree.root.join("found.nq"), MADE_UP).expect("a file");
    let messages = |template: &str, parameter: &str| -> Vec<String> {
        let request = json!({ "template": template, "parameters": [parameter], "from": "found.nq" });
        let found = rows(&tree, request);
        found
            .iter()
            .map(|row| row["message"]["value"].as_str().expect("text").to_owned())
            .collect()
    };
    assert_eq!(messages("find_by_cwe", "cwe_id=cwe-89"), ["critical", "medium"]);
    assert_eq!(messages("find_by_severity", "severity=critical"), ["critical"]);
    assert_eq!(messages("find_by_severity", "severity=low"), [""; 0]);
    let verbatim = rows(&tree, json!({ "query": FINDINGS, "from": "found.nq" }));
    assert_eq!(verbatim.len(), 2);
    assert_eq!(verbatim[0]["message"]["value"], "medium", "as text M comes after C");
}

#[test]
fn i3_names_of_every_sort_go_through_every_layer() {
    let names = [
        "a b.py",
        "q\"uo'te.py",
        "ümläut/日本.py",
        "100%.py",
        "has#hash.py",
        "new\nline.py",
        "br[ack]et{s}.py",
        "%41.py",
    ];
    let text = "def first():\n    return second()\n\n\ndef second():\n    return 1\n";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, text)).collect();
    let tree = Tree::new(&files);
    let paths: std::collections::BTreeSet<String> = rows(&tree, json!({ "query": "SELECT ?p { ?f narsil:path ?p }" }))
        .iter()
        .map(|row| row["p"]["value"].as_str().expect("text").to_owned())
        .collect();
    for name in names {
        assert!(paths.contains(name), "{name:?} is in {paths:?}");
    }
    // By the IRI that the index gives, everything that is defined in a file is found again.
    for row in rows(&tree, json!({ "query": "SELECT ?f ?p { ?f narsil:path ?p }" })) {
        let iri = row["f"]["value"].as_str().expect("an IRI");
        let query = format!("SELECT ?s {{ ?s narsil:definedIn <{iri}> }}");
        assert!(rows(&tree, json!({ "query": query })).len() >= 2, "{iri}");
    }
    let (architecture, _) = tree.ask("export_ccg_architecture", json!({})).expect("layer 1");
    let architecture: serde_json::Value = serde_json::from_str(architecture.as_str().expect("text")).expect("JSON");
    let modules: Vec<&str> = architecture["modules"]
        .as_array()
        .expect("modules")
        .iter()
        .filter_map(|module| module["path"].as_str())
        .collect();
    for name in names {
        assert!(modules.contains(&name), "{name:?} is in {modules:?}");
    }
    let (report, _) = tree
        .ask("export_ccg", json!({ "output": "../all.ccg.zip" }))
        .expect("a bundle");
    assert!(report["full_quads"].as_u64().expect("a number") > 100);
    let (validity, verdict) = tree
        .ask("ccg_validate", json!({ "source": "../all.ccg.zip" }))
        .expect("it is checked");
    assert_eq!(verdict, Verdict::Yes, "{validity}");
}
