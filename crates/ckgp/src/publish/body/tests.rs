//! Bodies that do not fit, and those of the other formats.

use std::collections::HashSet;

use serde_json::Value;

use super::super::ccg::Ccg;
use super::super::code_review_graph::CodeReviewGraph;
use super::super::gitnexus::GitNexus;
use super::super::testing::{graph, large};
use super::super::understand_anything::UnderstandAnything;
use super::*;
use crate::body::judge;
use crate::formats::known;
use crate::{Commit, FormatId};

fn made<W: Writer>(graph: &CodeGraph, most: Most) -> Result<Body, OpError> {
    let stamp = Stamp {
        generated_at: "2026-11-16T08:00:00Z".to_owned(),
        commit: Commit::parse("0123456789abcdef0123456789abcdef01234567"),
        dirty: true,
    };
    let source = Source {
        graph,
        stamp: &stamp,
        repository: None,
        root: None,
        no_scrub: false,
        most,
    };
    make::<W>(&source)
}

fn document(body: &Body) -> Value {
    serde_json::from_slice(&body.bytes).expect("it is JSON")
}

/// Checks a body against the schema of its format, and with the judge.
fn check(format: &str, body: &Body) -> Value {
    let id = FormatId::parse(format).expect("it is a format");
    let schema: Value = serde_json::from_str(known(&id).expect("it is known").schema).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let document = document(body);
    let errors: Vec<String> = validator
        .iter_errors(&document)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{format}: {errors:?}");
    match judge(&id, &body.bytes) {
        Ok(facts) => {
            assert_eq!((facts.nodes, facts.edges), (body.nodes, body.edges), "{format}");
            assert!(
                facts.source_sha.is_some() && facts.generated_at.is_some() && facts.tool.is_some(),
                "{facts:?}"
            );
        }
        Err(refusal) => unreachable!("{format}: {refusal:?}"),
    }
    let counts = &document["metadata"]["counts"];
    assert_eq!(counts["edges"], body.edges, "{format}");
    document
}

/// A graph with a symbol of every kind and an edge of every kind.
fn every_kind() -> CodeGraph {
    let mut lines = "file a.py python module=a\n".to_owned();
    for kind in lore_model::SymbolKind::ALL {
        lines.push_str(&format!("sym a.{kind}1 {kind} in=a line=2 end=3 doc=\"What it is.\"\n"));
    }
    lines.push_str("sym a.class1.m method in=a.class1\nfile b.md markdown\n");
    for (kind, resolution) in lore_model::EdgeKind::ALL
        .iter()
        .zip(lore_model::Resolution::ALL.iter().cycle())
    {
        lines.push_str(&format!("edge a.function1 {kind} a.class1 {resolution} at=4\n"));
        lines.push_str(&format!("edge a.function1 {kind} outside.{kind} {resolution}\n"));
    }
    graph(&lines)
}

#[test]
fn p2_a_body_of_understand_anything_folds_kinds_and_keeps_them_beside() {
    let document = check(
        "understand-anything@1",
        &made::<UnderstandAnything>(&every_kind(), Most::default()).expect("it fits"),
    );
    let metadata = &document["metadata"];
    assert_eq!(metadata["tool"], "understand-anything");
    assert_eq!(metadata["generated_by"], format!("lore {}", super::super::VERSION));
    let nodes = document["nodes"].as_array().expect("a list");
    let folded = |label: &str| {
        let node = nodes.iter().find(|node| node["label"] == label).expect(label);
        (
            node["kind"].as_str().unwrap_or_default(),
            node["type"].as_str().unwrap_or_default(),
        )
    };
    assert_eq!(folded("m"), ("function", "method"));
    assert_eq!(folded("trait1"), ("class", "trait"));
    assert_eq!(folded("constant1"), ("concept", "constant"));
    assert_eq!(folded("outside.call"), ("concept", "external"));
    let edges = document["edges"].as_array().expect("a list");
    assert!(edges.iter().any(|edge| edge["kind"] == "contains"));
    assert!(
        edges
            .iter()
            .any(|edge| edge["kind"] == "calls" && edge["weight"] == 0.99)
    );
}

#[test]
fn p2_a_body_of_gitnexus_has_labels_links_and_confidences() {
    let document = check(
        "gitnexus@1",
        &made::<GitNexus>(&every_kind(), Most::default()).expect("it fits"),
    );
    assert_eq!(document["metadata"]["tool"], "gitnexus");
    let graph = &document["graph"];
    let nodes = graph["nodes"].as_array().expect("a list");
    let labels = nodes.iter().filter_map(|node| node["label"].as_str());
    assert!(labels.clone().any(|label| label == "Method") && labels.clone().any(|label| label == "CodeElement"));
    let links = graph["links"].as_array().expect("a list");
    let types: Vec<&str> = links.iter().filter_map(|link| link["type"].as_str()).collect();
    for wanted in [
        "DEFINES",
        "HAS_METHOD",
        "CONTAINS",
        "CALLS",
        "EXTENDS",
        "IMPORTS",
        "METHOD_OVERRIDES",
    ] {
        assert!(types.contains(&wanted), "{wanted}");
    }
}

#[test]
fn p2_a_body_of_code_review_graph_is_numbered_joined_by_names_and_counted() {
    let document = check(
        "code-review-graph@1",
        &made::<CodeReviewGraph>(&every_kind(), Most::default()).expect("it fits"),
    );
    let (nodes, edges) = (
        document["nodes"].as_array().expect("a list"),
        document["edges"].as_array().expect("a list"),
    );
    let names: HashSet<&str> = nodes
        .iter()
        .filter_map(|node| node["qualified_name"].as_str())
        .collect();
    assert_eq!(names.len(), nodes.len(), "no name is had twice");
    for edge in edges {
        for end in ["source", "target"] {
            assert!(names.contains(edge[end].as_str().expect("a name")), "{edge}");
        }
    }
    let stats = &document["stats"];
    assert_eq!(stats["total_nodes"], nodes.len());
    assert_eq!(stats["total_edges"], edges.len());
    assert_eq!(stats["nodes_by_kind"]["File"], 2);
    assert_eq!(stats["languages"], serde_json::json!(["markdown", "python"]));
    // What is tested leads to its test.
    let tested = edges
        .iter()
        .find(|edge| edge["kind"] == "TESTED_BY")
        .expect("it is there");
    assert_eq!(
        (&tested["source"], &tested["target"]),
        (&"a.py::a.class1".into(), &"a.py::a.function1".into())
    );
    let tiers: HashSet<&str> = edges
        .iter()
        .filter_map(|edge| edge["confidence_tier"].as_str())
        .collect();
    assert_eq!(tiers, HashSet::from(["EXTRACTED", "INFERRED", "AMBIGUOUS"]));
}

fn most(bytes: usize, nodes: usize, edges: usize) -> Most {
    Most { bytes, nodes, edges }
}

#[test]
fn p4_a_body_that_would_be_too_large_is_the_most_important_part_and_says_so() {
    let graph = large(30, 20, 4);
    let whole = made::<Ccg>(&graph, Most::default()).expect("it fits");
    assert_eq!(whole.part, None);
    for bytes in [20_000, 40_000, 100_000, whole.bytes.len() - 1] {
        let part = made::<Ccg>(&graph, most(bytes, 100_000, 500_000)).expect("a part fits");
        assert!(part.bytes.len() <= bytes, "{} of {bytes}", part.bytes.len());
        let document = check("ccg@1", &part);
        let partial = &document["metadata"]["partial"];
        assert_eq!(partial["symbols"]["of"], 630);
        assert!(
            partial["reason"]
                .as_str()
                .is_some_and(|reason| reason.contains("most important"))
        );
        let (kept, of) = part.part.expect("it is a part");
        assert!(kept != of && kept.symbols <= of.symbols);
        let ids: HashSet<&str> = document["nodes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|node| node["id"].as_str())
            .collect();
        for node in document["nodes"].as_array().expect("a list") {
            for key in ["file", "parent", "module"] {
                assert!(
                    node[key].is_null() || node[key].as_str().is_some_and(|id| ids.contains(id)),
                    "{node}"
                );
            }
        }
        for edge in document["edges"].as_array().expect("a list") {
            assert!(
                ["source", "target"]
                    .iter()
                    .all(|end| edge[*end].as_str().is_some_and(|id| ids.contains(id)))
            );
        }
        // Room that there is is used.
        assert!(
            bytes < 40_000 || part.bytes.len() * 10 > bytes * 4,
            "{} of {bytes}",
            part.bytes.len()
        );
    }
}

#[test]
fn p5_no_body_has_more_nodes_or_edges_than_it_may() {
    let graph = large(30, 20, 4);
    fn holds<W: Writer>(format: &str, graph: &CodeGraph) {
        let part = made::<W>(graph, most(50_000_000, 200, 900)).expect("a part fits");
        check(format, &part);
        assert!(
            part.nodes <= 200 && part.edges <= 900,
            "{format}: {} {}",
            part.nodes,
            part.edges
        );
        assert!(part.part.is_some() && part.nodes > 100, "{format}: {}", part.nodes);
    }
    holds::<Ccg>("ccg@1", &graph);
    holds::<UnderstandAnything>("understand-anything@1", &graph);
    holds::<GitNexus>("gitnexus@1", &graph);
    holds::<CodeReviewGraph>("code-review-graph@1", &graph);
}

#[test]
fn p4_what_cannot_be_made_to_fit_is_refused() {
    let refused = made::<Ccg>(&large(2, 2, 1), most(100, 10, 10)).expect_err("nothing fits");
    assert_eq!(refused.message, "no part of the graph fits into 100 bytes");
    assert!(!refused.hints.is_empty());
}

#[test]
fn p9_a_part_is_the_same_each_time() {
    let graph = large(30, 20, 4);
    let part = || made::<Ccg>(&graph, most(60_000, 300, 500)).expect("a part fits");
    assert_eq!(part(), part());
}

#[test]
fn p4_a_part_uses_the_room_that_there_is_and_keeps_the_edges_between_what_it_keeps() {
    let graph = large(100, 40, 4);
    fn holds<W: Writer>(format: &str, graph: &CodeGraph) {
        let whole = made::<W>(graph, Most::default()).expect("it fits");
        for parts in [2, 3, 5] {
            let bytes = whole.bytes.len() / parts;
            let part = made::<W>(graph, most(bytes, 100_000, 500_000)).expect("a part fits");
            check(format, &part);
            let used = part.bytes.len();
            assert!(used <= bytes && used * 10 >= bytes * 9, "{format}: {used} of {bytes}");
            let (kept, of) = part.part.expect("it is a part");
            // A half of the symbols has a good part of the edges, and not only those that say where a symbol stands.
            assert!(kept.edges > kept.symbols, "{format}: {kept:?} of {of:?}");
        }
    }
    holds::<Ccg>("ccg@1", &graph);
    holds::<UnderstandAnything>("understand-anything@1", &graph);
    holds::<GitNexus>("gitnexus@1", &graph);
    holds::<CodeReviewGraph>("code-review-graph@1", &graph);
}
