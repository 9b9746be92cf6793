//! Files as people write them, wrong ones before all.

use proptest::prelude::*;

use super::*;
use crate::changes::{Changes, EdgePut, Field};
use crate::confidence::Confidence;
use crate::edge::EdgeType;
use crate::export;
use crate::fold::Fold;
use crate::patch::Triple;
use crate::testing::{Log, graph};
use crate::value::tests::any_json;

fn yaml(text: &str) -> Read {
    read(text.as_bytes(), Format::Yaml)
}

/// The errors of a file against a graph.
fn errors(text: &str, held: &str) -> Vec<String> {
    let report = check(&yaml(text), &graph(held));
    report.errors.iter().map(Problem::text).collect()
}

fn warnings(text: &str) -> Vec<String> {
    let report = check(&yaml(text), &Graph::default());
    assert_eq!(report.errors, []);
    report.warnings
}

/// One error of a file that has one, without its place.
fn one(text: &str) -> Problem {
    let mut report = check(&yaml(text), &graph("task:X\ntask:A\ntask:B"));
    assert_eq!(report.errors.len(), 1, "{:?}", report.errors);
    report.errors.remove(0)
}

fn nodes(entries: &str) -> String {
    format!("version: 1\nnodes:\n{entries}")
}

fn edge(fields: &str) -> String {
    format!("version: 1\nedges:\n  - {{source: \"task:A\", target: \"task:B\", {fields}}}\n")
}

fn import(log: &mut Log, text: &str, now: u64) -> Plan {
    let fold = log.fold();
    let graph = fold.graph();
    let read = yaml(text);
    assert_eq!(check(&read, &graph).errors, []);
    let plan = plan(&read.payload, &graph, &Time::from_millis(now));
    log.append(&fold, plan.operations.clone());
    plan
}

const EXAMPLE: &str = r#"version: 1
nodes:
  - id: "milestone:BEDROCK"
    props:
      name: "BEDROCK"
      type: "milestone"
      theme: "Schema & Node Foundations"
  - id: "task:BDK-001"
    props:
      name: "Write GRAPH_SCHEMA.md"
      type: "task"
      estHours: 3
edges:
  - source: "task:BDK-001"
    target: "feature:BDK-SCHEMA"
    type: "implements"
    confidence: 1.0
    rationale: "Task delivers the schema spec"
  - source: "feature:BDK-SCHEMA"
    target: "milestone:BEDROCK"
    type: "belongs-to"
"#;

#[test]
fn example2_the_example_of_the_text_is_imported_where_its_feature_exists_and_refused_where_not() {
    let mut log = Log::new("w");
    log.write(1, |_, changes| {
        changes.put_node(&crate::testing::node("feature:BDK-SCHEMA"), [])
    });
    let plan = import(&mut log, EXAMPLE, 2);
    assert_eq!((plan.created.nodes, plan.created.edges), (2, 2));
    let graph = log.graph();
    assert_eq!(
        graph.node("task:BDK-001").and_then(|node| node.property("estHours")),
        Some("3")
    );
    assert_eq!(
        errors(EXAMPLE, ""),
        [
            "edges[0].target: there is no node `feature:BDK-SCHEMA`, neither in the file nor in the graph",
            "edges[1].source: there is no node `feature:BDK-SCHEMA`, neither in the file nor in the graph",
        ]
    );
}

#[test]
fn amend10_the_feature_of_the_example_has_to_exist() {
    assert_eq!(errors(EXAMPLE, "feature:BDK-SCHEMA").len(), 0);
    assert_eq!(errors(EXAMPLE, "feature:OTHER").len(), 2);
}

#[test]
fn missed1_props_of_the_example_arrive() {
    let read = yaml(EXAMPLE);
    let keys: Vec<&str> = read.payload.nodes[0].properties.iter().map(|(key, _)| &**key).collect();
    assert_eq!(keys, ["name", "type", "theme"]);
}

#[test]
fn ref1_props_are_not_dropped() {
    for key in ["props", "properties"] {
        let read = yaml(&nodes(&format!("  - id: \"task:a\"\n    {key}: {{k: v}}\n")));
        assert_eq!(read.payload.nodes[0].properties, [("k".into(), "\"v\"".into())]);
    }
}

#[test]
fn amend9_props_and_properties_at_once_are_an_error() {
    let text = nodes("  - {id: \"task:a\", props: {a: 1}, properties: {b: 2}}\n");
    assert_eq!(
        errors(&text, ""),
        ["nodes[0]: both \"props\" and \"properties\" are given"]
    );
}

#[test]
fn c17_errors_come_by_stage_and_a_wrong_version_stands_alone() {
    let text = "version: 2\nnodes:\n  - id: Bad:x\n  - id: \"\"\n  - 7\n";
    assert_eq!(errors(text, "").len(), 1);
    let found = check(&yaml("version: 1\nnodes:\n  - id: Bad:x\n"), &Graph::default()).errors;
    assert_eq!(
        (found[0].place.as_str(), found[0].line, found[0].column),
        ("nodes[0].id", Some(3), Some(9))
    );
    // Several errors of one edge are all reported.
    let text = "version: 1\nedges:\n  - {source: Bad:a, target: \"b\", type: explodes, confidence: 7, rationale: 3}\n";
    assert_eq!(errors(text, "").len(), 5);
}

#[test]
fn example6_a_file_that_fails_in_every_stage_is_told_in_the_order_of_the_text() {
    let text = "version: 1\n\
        edges:\n  - {source: \"task:a\", target: \"task:none\", type: blocks}\n  - {source: \"task:a\", target: \"task:a\", type: blocks}\n  \
        - {source: \"task:a\", target: \"task:none\", type: blocks}\n\
        nodes:\n  - id: \"task:a\"\n  - id: \"task:a\"\n  - id: \"commit:abc123\"\n  - id: \"my node\"\n";
    let places: Vec<String> = check(&yaml(text), &Graph::default())
        .errors
        .into_iter()
        .map(|problem| problem.place)
        .collect();
    assert_eq!(
        places,
        [
            "nodes[3].id",
            "nodes[1].id",
            "edges[1]",
            "edges[2]",
            "nodes[2].id",
            "edges[0].target",
            "edges[2].target"
        ]
    );
}

#[test]
fn missed9_all_errors_are_collected() {
    let text = nodes("  - id: \"a\"\n  - id: \"b\"\n  - id: \"c:d\"\n    props: 3\n");
    assert_eq!(errors(&text, "").len(), 3);
}

#[test]
fn c18_only_the_number_one_is_a_version() {
    for version in ["1", "1.0", "1e0"] {
        let read = yaml(&format!("version: {version}\n"));
        assert_eq!((read.errors.len(), read.payload.nodes.len()), (0, 0), "{version}");
    }
    for version in ["\"1\"", "true", "null", "", "2", "0", "-1", "1.5", "[1]", "{}", ".nan"] {
        let found = errors(&format!("version: {version}\nnodes: 3\n"), "");
        assert_eq!(found.len(), 1, "{version}: {found:?}");
        assert!(found[0].starts_with("Unknown schema version "), "{found:?}");
    }
    let bad = [
        "",
        "# nothing\n",
        "just text",
        "- a\n- b\n",
        "version: 1\n---\nversion: 1\n",
        "version: 1\nversion: 1\n",
        "version: [1",
        "a: {b: 1, b: 2}\nversion: 1\n",
    ];
    for text in bad {
        assert_eq!(errors(text, "").len(), 1, "{text:?}");
    }
    assert_eq!(read(b"version: 1\nnodes: \xff", Format::Yaml).errors.len(), 1);
    assert_eq!(errors("version: 1\nnodes:\nedges: ~\n", ""), [""; 0]);
}

#[test]
fn missed4_the_version_is_checked_first_and_text_is_no_number() {
    let found = errors("nodes: 7\nversion: \"1\"\n", "");
    assert_eq!(
        found,
        ["Unknown schema version \"1\". This version of git-mind supports version 1."]
    );
    assert!(errors("version: 1.0\n", "").is_empty());
}

#[test]
fn invalid12_a_file_without_a_version() {
    let problem = one("nodes: []\n");
    assert_eq!(problem.text(), "the file declares no schema version");
    assert_eq!(problem.hint.as_deref(), Some("start the file with `version: 1`"));
}

#[test]
fn invalid13_an_unknown_version() {
    assert_eq!(
        one("version: 2\n").text(),
        "Unknown schema version 2. This version of git-mind supports version 1."
    );
}

#[test]
fn ref2_the_sentence_about_an_unknown_version_is_the_one_of_the_text() {
    assert_eq!(
        one("version: 3\n").message,
        "Unknown schema version 3. This version of git-mind supports version 1."
    );
}

#[test]
fn invalid6_a_commit_cannot_be_imported() {
    let problem = one(&nodes("  - id: \"commit:abc123\"\n"));
    assert_eq!(
        problem.text(),
        "nodes[0].id: `commit:` nodes cannot be created by an import"
    );
}

#[test]
fn invalid7_an_unknown_edge_type() {
    let problem = one(&edge("type: explodes"));
    assert_eq!(
        problem.text(),
        "edges[0].type: `explodes` is not one of the 11 edge types"
    );
    assert!(problem.hint.is_some_and(|hint| hint.ends_with(&EdgeType::names())));
}

#[test]
fn invalid8_a_task_that_blocks_itself() {
    let text = "version: 1\nedges:\n  - {source: \"task:X\", target: \"task:X\", type: blocks}\n";
    assert_eq!(
        one(text).text(),
        "edges[0]: an edge of type `blocks` cannot lead from a node to itself"
    );
}

#[test]
fn invalid9_a_confidence_out_of_range_in_a_file() {
    assert_eq!(
        one(&edge("type: blocks, confidence: 1.5")).text(),
        "edges[0].confidence: confidence 1.5 is not in [0, 1]"
    );
}

#[test]
fn invalid10_a_confidence_that_is_not_finite_in_a_file() {
    for number in [".nan", ".inf", "-.inf", "NaN", "1e999"] {
        let problem = one(&edge(&format!("type: blocks, confidence: {number}")));
        assert_eq!(
            problem.text(),
            "edges[0].confidence: confidence is not a finite number",
            "{number}"
        );
    }
}

#[test]
fn invalid11_a_confidence_in_quotes() {
    let problem = one(&edge("type: blocks, confidence: \"0.9\""));
    assert_eq!(
        problem.text(),
        "edges[0].confidence: confidence is the text \"0.9\", not a number"
    );
    assert_eq!(problem.hint.as_deref(), Some("write 0.9 without quotes"));
}

#[test]
fn missed3_an_empty_confidence_is_an_error_and_nought_is_kept() {
    for value in ["", " null", " true", " [1]", " {}"] {
        let text = format!(
            "version: 1\nedges:\n  - source: \"task:A\"\n    target: \"task:B\"\n    type: blocks\n    confidence:{value}\n"
        );
        assert_eq!(errors(&text, "task:A\ntask:B").len(), 1, "{value}");
    }
    for (fields, expected) in [
        ("type: blocks", "1"),
        ("type: blocks, confidence: 0", "0"),
        ("type: blocks, confidence: -0.0", "0"),
    ] {
        let read = yaml(&edge(fields));
        assert_eq!(read.payload.edges[0].confidence.to_string(), expected);
    }
    assert_eq!(Confidence::parse("0").map(Confidence::percent).as_deref(), Ok("0%"));
}

#[test]
fn c12_a_rationale_is_text_and_the_empty_one_is_not_none() {
    let read = yaml(&edge("type: blocks, rationale: \"\""));
    assert_eq!(read.payload.edges[0].rationale.as_deref(), Some(""));
    for value in ["3", "null", "[a]"] {
        assert_eq!(
            errors(&edge(&format!("type: blocks, rationale: {value}")), "task:A\ntask:B").len(),
            1,
            "{value}"
        );
    }
    let mut log = Log::new("w");
    import(
        &mut log,
        "version: 1\nnodes: [{id: \"a:b\"}]\nedges: [{source: \"a:b\", target: \"a:b\", type: groups, rationale: \"\"}]\n",
        1,
    );
    let graph = log.graph();
    assert!(export::choose(&graph, &[]).yaml().contains("rationale: \"\""));
}

#[test]
fn c14_keys_and_values_of_properties_are_those_of_json() {
    for entry in [
        "\"\": 1", "1: a", "true: a", "~: a", "1.5: a", "[a]: b", "k: .nan", "k: .inf",
    ] {
        let text = nodes(&format!("  - id: \"task:a\"\n    props: {{{entry}}}\n"));
        assert_eq!(errors(&text, "").len(), 1, "{entry}: {:?}", errors(&text, ""));
    }
    for entry in ["k: !!binary aGk=", "k: !foo x"] {
        assert_eq!(
            errors(&nodes(&format!("  - id: \"task:a\"\n    props:\n      {entry}\n")), "").len(),
            1,
            "{entry}"
        );
    }
    let text = nodes(
        "  - id: \"task:a\"\n    props:\n      yes: 1\n      2026-01-01: 2026-01-01\n      big: 123456789012345678901234567890\n      \
         ten: 1.10\n      hex: 0x1F\n      plus: +5\n      half: .5\n      none: ~\n      deep: {b: [1, {c: no}], a: null}\n",
    );
    let read = yaml(&text);
    assert_eq!(read.errors, []);
    let found: Vec<String> = read.payload.nodes[0]
        .properties
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    assert_eq!(
        found,
        [
            "yes=1",
            "2026-01-01=\"2026-01-01\"",
            "big=123456789012345678901234567890",
            "ten=1.10",
            "hex=31",
            "plus=5",
            "half=0.5",
            "none=null",
            "deep={\"a\":null,\"b\":[1,{\"c\":\"no\"}]}",
        ]
    );
}

#[test]
fn c14_properties_are_merged_one_level_deep() {
    let mut log = Log::new("w");
    import(
        &mut log,
        &nodes("  - {id: \"task:a\", props: {a: {x: 1, y: 2}, b: 1}}\n"),
        1,
    );
    import(&mut log, &nodes("  - {id: \"task:a\", props: {a: {x: 3}}}\n"), 2);
    let graph = log.graph();
    let found: Vec<(&str, &str)> = graph.node("task:a").expect("a node").properties().collect();
    assert_eq!(found, [("a", "{\"x\":3}"), ("b", "1")]);
}

#[test]
fn missed12_null_dates_and_long_numbers_stay_as_they_are() {
    let mut log = Log::new("w");
    import(
        &mut log,
        &nodes("  - {id: \"task:a\", props: {n: null, d: 2026-01-01, i: 123456789012345678901234567890}}\n"),
        1,
    );
    let graph = log.graph();
    let out = export::choose(&graph, &[]).yaml();
    assert_eq!(
        out,
        "version: 1\nnodes:\n  - id: \"task:a\"\n    props:\n      d: \"2026-01-01\"\n      i: 123456789012345678901234567890\n      \"n\": null\n"
    );
}

#[test]
fn c16_name_type_and_status_may_be_anything() {
    let text = nodes("  - {id: \"task:a\", props: {name: [1], type: null, status: {a: b}}}\n");
    assert_eq!(warnings(&text), [""; 0]);
}

#[test]
fn c19_entries_of_the_wrong_kind_are_named() {
    for (text, expected) in [
        ("nodes: {}", "nodes: `nodes` is a mapping, not a list"),
        ("edges: x", "edges: `edges` is text, not a list"),
        ("nodes: [7]", "nodes[0]: the entry is a number, not a mapping"),
        ("nodes: [{}]", "nodes[0]: `id` is missing"),
        ("nodes: [{id: 7}]", "nodes[0].id: the id is a number, not text"),
        (
            "nodes: [{id: \"a:b\", props: [1]}]",
            "nodes[0].props: the properties are a list, not a mapping",
        ),
        (
            "nodes:\n  - id: \"a:b\"\n    props:\n",
            "nodes[0].props: the properties are null, not a mapping",
        ),
    ] {
        assert_eq!(errors(&format!("version: 1\n{text}\n"), ""), [expected]);
    }
    let found = errors("version: 1\nedges: [{}]\n", "");
    assert_eq!(
        found,
        [
            "edges[0]: `source` is missing",
            "edges[0]: `target` is missing",
            "edges[0]: `type` is missing"
        ]
    );
    // Without quotes this is a mapping.
    let problem = one("version: 1\nnodes:\n  - id:\n      milestone:\n");
    assert_eq!(problem.hint.as_deref(), Some("write the id in quotes"));
}

#[test]
fn c20_ends_are_declared_anywhere_or_exist() {
    let text = "version: 1\nedges: [{source: \"task:a\", target: \"task:b\", type: blocks}]\nnodes: [{id: \"task:b\"}, {id: \"task:a\"}]\n";
    assert!(errors(text, "").is_empty());
    let commit = format!("commit:{}", "a".repeat(40));
    let text = format!("version: 1\nedges: [{{source: \"{commit}\", target: \"task:b\", type: touches}}]\n");
    assert!(errors(&text, &format!("{commit}\ntask:b")).is_empty());
    assert_eq!(errors(&text, "task:b").len(), 1);
    for id in ["commit:a", "epoch:a", "repo:x", "repo:o/n:commit:a", "repo:o/n:epoch:a"] {
        assert_eq!(errors(&nodes(&format!("  - id: \"{id}\"\n")), "").len(), 1, "{id}");
    }
    assert_eq!(
        warnings(&nodes("  - id: \"repo:o/n:task:a\"\n")),
        ["the file declares a node of another repository (`repo:o/n:task:a`)"]
    );
}

#[test]
fn missed6_a_commit_is_no_entry_but_may_be_an_end() {
    assert_eq!(errors(&nodes("  - id: \"commit:abc\"\n"), "").len(), 1);
    assert!(
        errors(
            "version: 1\nedges: [{source: \"commit:abc\", target: \"task:b\", type: touches}]\n",
            "commit:abc\ntask:b"
        )
        .is_empty()
    );
    assert_eq!(errors(&nodes("  - id: \"repo:foo\"\n"), "").len(), 1);
}

#[test]
fn ref4_system_nodes_are_refused() {
    for id in ["commit:a", "epoch:b", "repo:foo"] {
        assert_eq!(errors(&nodes(&format!("  - id: \"{id}\"\n")), "").len(), 1, "{id}");
    }
}

#[test]
fn c5_one_warning_for_each_unknown_prefix() {
    let text = nodes("  - id: \"zebra:a\"\n  - id: \"zebra:b\"\n  - id: \"sys-audit:a\"\n  - id: \"task:a\"\n");
    assert_eq!(
        warnings(&text),
        [
            "the prefix `zebra` is unknown (`zebra:a` and 1 more)",
            "the prefix `sys-audit` is reserved for the system (`sys-audit:a`)"
        ]
    );
}

#[test]
fn c21_the_same_entry_twice_is_an_error_whatever_else_it_says() {
    let text = nodes("  - id: \"task:A\"\n  - {id: \"task:A\", props: {a: 1}}\n  - id: \"task:A\"\n");
    assert_eq!(
        errors(&text, ""),
        [
            "nodes[1].id: `task:A` is a duplicate of nodes[0]",
            "nodes[2].id: `task:A` is a duplicate of nodes[0]"
        ]
    );
    let text = "version: 1\nedges:\n  - {source: \"task:A\", target: \"task:B\", type: blocks}\n  - {source: \"task:A\", target: \"task:B\", type: blocks, confidence: 0.5}\n";
    assert_eq!(
        errors(text, "task:A\ntask:B"),
        ["edges[1]: task:A --[blocks]--> task:B is a duplicate of edges[0]"]
    );
}

#[test]
fn missed5_twice_in_a_file_is_an_error_and_in_two_files_an_update() {
    let mut log = Log::new("w");
    let file = nodes("  - {id: \"task:A\", props: {a: 1}}\n");
    import(&mut log, &file, 1);
    let plan = import(&mut log, &nodes("  - {id: \"task:A\", props: {a: 2}}\n"), 2);
    assert_eq!((plan.created.nodes, plan.updated.nodes, plan.changed.nodes), (0, 1, 1));
}

#[test]
fn ref3_duplicates_in_one_file_are_errors() {
    assert_eq!(errors(&nodes("  - id: \"task:A\"\n  - id: \"task:A\"\n"), "").len(), 1);
}

const WHOLE: &str = "version: 1\nnodes:\n  - {id: \"task:a\", props: {k: 1}}\n  - {id: \"task:b\"}\nedges:\n  \
    - {source: \"task:a\", target: \"task:b\", type: blocks, confidence: 0.4, rationale: why, createdAt: 7}\n";

#[test]
fn c23_the_same_file_twice_changes_nothing() {
    let mut log = Log::new("w");
    let first = import(&mut log, WHOLE, 1_000);
    let (before, patches) = (log.graph(), log.patches.len());
    assert_eq!(
        (first.created.nodes, first.created.edges, first.operations.len()),
        (2, 1, 3)
    );
    let second = import(&mut log, WHOLE, 9_000);
    assert_eq!(second.operations, []);
    assert_eq!((second.created, second.changed), (Counts::default(), Counts::default()));
    assert_eq!((second.updated.nodes, second.updated.edges), (2, 1));
    assert_eq!((log.graph(), log.patches.len()), (before, patches));
}

#[test]
fn ref7_the_second_import_writes_no_patch() {
    let mut log = Log::new("w");
    import(&mut log, WHOLE, 1);
    import(&mut log, WHOLE, 2);
    assert_eq!(log.patches.len(), 1);
}

#[test]
fn ref5_an_import_keeps_the_time_of_creation_and_ignores_the_one_it_is_given() {
    let mut log = Log::new("w");
    import(&mut log, WHOLE, 1_000);
    import(&mut log, &WHOLE.replace("0.4", "0.6"), 2_000);
    let graph = log.graph();
    let edge = graph.edges().next().expect("an edge");
    assert_eq!(
        (edge.created_at(), edge.confidence().to_string().as_str()),
        ("1970-01-01T00:00:01.000Z", "0.6")
    );
}

#[test]
fn amend8_an_import_without_a_rationale_keeps_the_old_one() {
    let mut log = Log::new("w");
    import(&mut log, WHOLE, 1);
    let plan = import(&mut log, &WHOLE.replace(", confidence: 0.4, rationale: why", ""), 2);
    assert_eq!(plan.changed.edges, 1);
    let graph = log.graph();
    let edge = graph.edges().next().expect("an edge");
    assert_eq!((edge.confidence().get(), edge.rationale()), (1.0, Some("why")));
}

#[test]
fn ref8_an_import_warns_about_a_circle_and_writes_it() {
    let text = "version: 1\nedges: [{source: \"task:a\", target: \"task:b\", type: blocks}]\n";
    let report = check(&yaml(text), &graph("task:b blocks task:a"));
    assert_eq!(
        (report.errors.len(), report.warnings),
        (0, vec!["cycle over blocks: task:a → task:b → task:a".to_owned()])
    );
}

#[test]
fn c24_unknown_keys_comments_anchors_and_merge_keys() {
    let text = "version: 1 # a comment\nnodes:\n  - &base\n    id: \"task:a\"\n    props: &p {a: 1, b: 2}\n  \
        - id: \"task:b\"\n    props: {<<: *p, b: 3}\n  - id: \"task:c\"\n    props: {<<: [{x: 1}, {x: 2, y: 2}]}\n  - {<<: *base, id: \"task:d\"}\n\
        edges:\n  - {source: \"task:a\", target: \"task:b\", type: blocks, note: x}\n";
    let read = yaml(text);
    assert_eq!(read.errors, []);
    let shown = |at: usize| -> Vec<String> {
        read.payload.nodes[at]
            .properties
            .iter()
            .map(|(key, value)| format!("{key}{value}"))
            .collect()
    };
    assert_eq!(
        [shown(1), shown(2), shown(3)],
        [vec!["b3", "a1"], vec!["x1", "y2"], vec!["a1", "b2"]]
    );
    assert_eq!(read.warnings, ["edges[0]: unknown key \"note\", ignored"]);
    assert_eq!(
        errors("version: 1\nnodes: [{id: \"a:b\", props: {<<: 3}}]\n", "").len(),
        1
    );
}

#[test]
fn c24_aliases_that_stand_for_too_much_are_refused() {
    let mut text = String::from("version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for at in 1..12 {
        let before = format!("*a{}", at - 1);
        text.push_str(&format!("a{at}: &a{at} [{}]\n", vec![before; 10].join(", ")));
    }
    assert_eq!(errors(&text, "").len(), 1);
    let mut text = String::from("version: 1\na0: &a0 {k0: 1}\n");
    for at in 1..40 {
        text.push_str(&format!("a{at}: &a{at} {{<<: [*a{0}, *a{0}]}}\n", at - 1));
    }
    assert_eq!(errors(&text, "").len(), 1);
}

#[test]
fn c24_many_merged_mappings_are_taken_in_quickly() {
    let sources: Vec<String> = (0..20_000).map(|at| format!("{{k{at}: {at}}}")).collect();
    let text = format!(
        "version: 1\nnodes:\n  - id: \"task:a\"\n    props: {{<<: [{}]}}\n",
        sources.join(", ")
    );
    assert_eq!(yaml(&text).payload.nodes[0].properties.len(), 20_000);
}

#[test]
fn amend7_unknown_keys_of_the_root_and_of_nodes_are_ignored_with_a_warning() {
    let text = "version: 1\nmeta: {a: 1}\nnodes:\n  - {id: \"task:a\", labels: [x]}\n";
    assert_eq!(
        warnings(text),
        [
            "unknown key \"meta\", ignored",
            "nodes[0]: unknown key \"labels\", ignored"
        ]
    );
}

#[test]
fn json_files_are_read_by_the_same_rules() {
    let text =
        "{\"version\": 1, \"nodes\": [{\"id\": \"task:a\", \"props\": {\"e\": \"\\ud83d\\ude00\", \"n\": 1.10}}]}";
    let found = read(text.as_bytes(), Format::Json);
    assert_eq!(
        found.payload.nodes[0].properties,
        [("e".into(), "\"😀\"".into()), ("n".into(), "1.10".into())]
    );
    let bad = read(b"{\n \"version\": 1,\n \"version\": 1}", Format::Json);
    assert_eq!((bad.errors[0].line, bad.errors[0].column), (Some(3), Some(2)));
    assert_eq!(
        (
            Format::of_path("a.JSON"),
            Format::of_path("a.yaml"),
            Format::of_bytes(b"  {}")
        ),
        (Format::Json, Format::Yaml, Format::Json)
    );
}

#[test]
fn c25_what_is_exported_is_sorted_and_without_what_the_system_made() {
    let held = graph(
        "task:b blocks task:a .5 why\ntask:a status=\"done\"\ncommit:abc touches task:a\ndecision:use-warp\n\
         decision:1700000000-0123abcd action=\"reject\"\ndecision:x action=\"talk\"\nrepo:o/n:task:z",
    );
    assert_eq!(
        export::choose(&held, &[]).yaml(),
        "version: 1\nnodes:\n  - id: \"decision:use-warp\"\n  - id: \"decision:x\"\n    props:\n      action: \"talk\"\n  - id: \"repo:o/n:task:z\"\n  \
         - id: \"task:a\"\n    props:\n      status: \"done\"\n  - id: \"task:b\"\nedges:\n  - source: \"task:b\"\n    target: \"task:a\"\n    \
         type: blocks\n    confidence: 0.5\n    rationale: \"why\"\n"
    );
    let tasks = export::choose(&held, &["task".to_owned()]);
    assert_eq!((tasks.nodes.len(), tasks.edges.len()), (3, 1));
    assert_eq!(export::choose(&Graph::default(), &[]).yaml(), "version: 1\n");
    assert!(
        read(export::choose(&Graph::default(), &[]).json().as_bytes(), Format::Json)
            .errors
            .is_empty()
    );
}

#[test]
fn amend2_decisions_of_users_are_exported_and_records_of_reviews_are_not() {
    let held = graph(
        "decision:use-warp\ndecision:1700000000-0123abcd action=\"accept\"\ndecision:1700000000-0123abcd-x action=\"a\"",
    );
    let nodes: Vec<&str> = export::choose(&held, &[]).nodes.iter().map(|node| node.id()).collect();
    assert_eq!(nodes, ["decision:1700000000-0123abcd-x", "decision:use-warp"]);
}

#[test]
fn hold1_fifty_thousand_nodes_and_edges_are_imported_and_again_without_a_change() {
    let mut text = String::from("version: 1\nnodes:\n");
    for at in 0..50_000 {
        text.push_str(&format!(
            "  - id: \"task:{at}\"\n    props:\n      name: \"Task {at}\"\n      estHours: {at}\n"
        ));
    }
    text.push_str("edges:\n");
    for at in 0..50_000 {
        let next = (at + 1) % 50_000;
        text.push_str(&format!(
            "  - source: \"task:{at}\"\n    target: \"task:{next}\"\n    type: blocks\n    confidence: 0.9\n    rationale: \"reason {at}\"\n"
        ));
    }
    let mut log = Log::new("w");
    let first = import(&mut log, &text, 1);
    assert_eq!((first.created.nodes, first.created.edges), (50_000, 50_000));
    let report = check(&yaml(&text), &log.graph());
    assert_eq!(report.warnings.len(), 1);
    let second = import(&mut log, &text, 2);
    assert_eq!(
        (second.operations.len(), second.updated.nodes, log.patches.len()),
        (0, 50_000, 1)
    );
}

fn markdown(files: &[(&str, &str)], held: &str) -> (Read, Report) {
    let files: Vec<MarkdownFile<'_>> = files
        .iter()
        .map(|(path, text)| MarkdownFile {
            path,
            bytes: text.as_bytes(),
        })
        .collect();
    let graph = graph(held);
    let read = from_markdown(&files, &graph);
    let report = check(&read, &graph);
    (read, report)
}

#[test]
fn matter1_front_matter_stands_between_two_lines_of_dashes() {
    let text = "\u{feff}---\r\nid: spec:a\r\ntitle: A thing\r\n---\r\n# Text\r\n";
    let (read, report) = markdown(&[("a.md", text)], "");
    assert_eq!((read.payload.nodes[0].id.as_str(), report.errors.len()), ("spec:a", 0));
    assert_eq!(
        read.payload.nodes[0].properties,
        [("title".into(), "\"A thing\"".into())]
    );
}

#[test]
fn matter2_files_without_readable_front_matter_are_left_out() {
    for text in [
        "# Text",
        "---\nid: a:b\n",
        "---\n[broken\n---\n",
        "---\n- a\n---\n",
        " ---\nid: a:b\n---\n",
        "---\n---\n",
    ] {
        let (read, report) = markdown(&[("a.md", text)], "");
        assert_eq!((read.payload.nodes.len(), report.errors.len()), (0, 0), "{text:?}");
    }
}

#[test]
fn matter3_without_an_id_the_path_is_the_id() {
    let (read, _) = markdown(&[("docs/guide.md", "---\ntitle: Guide\n---\n")], "");
    assert_eq!(read.payload.nodes[0].id.as_str(), "doc:docs/guide");
}

#[test]
fn matter4_keys_that_are_edge_types_are_edges_and_others_are_dropped() {
    let text = "---\nimplements: spec:x\nblocks: [task:a, task:b]\ntags: [z]\n---\n";
    let (read, report) = markdown(&[("a.md", text)], "spec:x\ntask:a");
    let edges: Vec<String> = read
        .payload
        .edges
        .iter()
        .map(|edge| format!("{} {}", edge.edge.kind, edge.edge.target))
        .collect();
    assert_eq!(
        (edges, report.errors.len()),
        (
            vec![
                "implements spec:x".to_owned(),
                "blocks task:a".to_owned(),
                "blocks task:b".to_owned()
            ],
            0
        )
    );
}

#[test]
fn matter5_one_bad_id_fails_all_and_names_its_file() {
    for text in [
        "---\nid: Bad:x\n---\n",
        "---\nid: 7\n---\n",
        "---\nblocks: [task:a, 7]\n---\n",
        "---\nid: task:z\nblocks: task:z\n---\n",
    ] {
        let (_, report) = markdown(&[("good.md", "---\nid: task:g\n---\n"), ("bad.md", text)], "");
        assert_eq!(report.errors.len(), 1, "{text}");
        assert!(report.errors[0].text().starts_with("bad.md: "), "{:?}", report.errors);
    }
    let (_, report) = markdown(
        &[("a.md", "---\nid: task:g\n---\n"), ("b.md", "---\nid: task:g\n---\n")],
        "",
    );
    assert_eq!(report.errors[0].text(), "b.md: `task:g` is a duplicate of a.md");
}

#[test]
fn matter6_no_file_or_none_with_front_matter_is_valid_with_a_warning() {
    assert_eq!(markdown(&[], "").1.warnings, ["no Markdown file found"]);
    assert_eq!(
        markdown(&[("a.md", "x")], "").1.warnings,
        ["none of the 1 files has front matter"]
    );
    let broken = "---\nid: [bad\n---\n";
    assert_eq!(
        markdown(
            &[("a.md", "---\nid: task:a\n---\n"), ("b.md", broken), ("c.md", broken)],
            ""
        )
        .1
        .warnings,
        ["b.md and 1 more: skipped, because the front matter cannot be read"]
    );
}

#[test]
fn amend5_an_unseen_target_of_front_matter_counts_as_declared() {
    let (read, report) = markdown(&[("a.md", "---\nimplements: spec:new\nblocks: spec:new\n---\n")], "");
    assert_eq!((read.payload.nodes.len(), report.errors.len()), (2, 0));
    let (_, report) = markdown(&[("a.md", "---\nimplements: commit:abc\n---\n")], "");
    assert_eq!(report.errors.len(), 1);
}

proptest! {
    #![proptest_config(lore_testing::cases(64))]

    #[test]
    fn c25_an_export_that_is_imported_gives_the_same_export(
        properties in prop::collection::vec((0_u8..5, "[a-zA-Z~:# -]{1,4}", any_json()), 0..6),
        edges in prop::collection::btree_map((0_u8..5, 0_u8..5), (0.0..=1.0_f64, prop::option::of(any::<String>())), 0..6),
    ) {
        let mut changes = Changes::new();
        let id = |number: u8| crate::testing::node(&format!("task:{number}"));
        for (number, key, value) in properties {
            changes.put_node(&id(number), [(key.into(), value.canonical().into())]);
        }
        for ((source, target), (confidence, rationale)) in edges {
            let edge = Triple { source: id(source), target: id(target), kind: EdgeType::Groups };
            let put = EdgePut {
                confidence: Confidence::new(confidence).expect("a confidence"),
                rationale: rationale.map_or(Field::Keep, |why| Field::Set(why.into())),
                reviewed_at: Field::Keep,
            };
            changes.put_edge(edge, put);
        }
        let first = crate::testing::of_changes(changes);
        let export = export::choose(&first, &[]);
        for (text, format) in [(export.yaml(), Format::Yaml), (export.json(), Format::Json)] {
            let found = read(text.as_bytes(), format);
            let report = check(&found, &Graph::default());
            prop_assert_eq!(&report.errors, &[], "{}", text);
            let mut log = Log::new("w");
            let planned = plan(&found.payload, &Graph::default(), &Time::from_millis(1));
            log.append(&Fold::empty(), planned.operations);
            let second = log.graph();
            let again = export::choose(&second, &[]);
            prop_assert_eq!((again.yaml(), again.json()), (export.yaml(), export.json()));
            // And once more it changes nothing.
            prop_assert_eq!(plan(&found.payload, &second, &Time::from_millis(2)).operations, vec![]);
        }
    }

    #[test]
    fn c18_any_text_is_read_or_refused(text in "(version: 1\n)?[a-z\\[\\]{}:,\"'&*<\n#|>-]{0,60}") {
        let read = yaml(&text);
        let _ = check(&read, &Graph::default());
        let _ = super::read(text.as_bytes(), Format::Json);
    }
}
