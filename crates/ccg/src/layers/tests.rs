//! Both layers together: they fit, they are valid, and they say the same thing twice, whatever the repository is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use lore_model::{CodeGraph, ModuleGraph};
use serde_json::{Value, json};

use super::super::bundle::{Part, PartContent};
use super::super::testing::graph;
use super::super::validate::validate_part;
use super::*;
use lore_seam::world::World;

/// Both layers of a graph, checked against the published schemas and the context.
fn layers(graph: &CodeGraph, texts: &[(&str, &str)]) -> (Value, Value) {
    let identity = Identity::new("github.com", "org", "repo", &"a".repeat(40));
    let read = |path: &str| {
        let known = texts.iter().find(|(known, _)| *known == path);
        known.map(|(_, text)| (*text).to_owned())
    };
    let source = Source {
        graph,
        identity: &identity,
        analyzed_at: 1_700_000_000,
        history: &|| None,
        read: &read,
        scrub: &str::to_owned,
    };
    let (manifest, architecture) = (
        super::manifest(&source, &LayerOptions::default()),
        super::architecture(&source),
    );
    assert!(manifest.len() <= 2_048, "{}", manifest.len());
    assert!(architecture.len() <= 51_200, "{}", architecture.len());
    assert_eq!(manifest, super::manifest(&source, &LayerOptions::default()));
    assert_eq!(architecture, super::architecture(&source));
    let read = |part: Part, bytes: Vec<u8>| {
        assert!(bytes.ends_with(b"}\n"));
        let value = serde_json::from_slice(&bytes).expect("it is JSON");
        let content = PartContent::of_file(part, part.file_name(), bytes);
        let answer = validate_part(&Arc::new(World::default()).ctx(), &content).expect("it can be validated");
        assert!(answer.valid, "{:?}", answer.breaches);
        value
    };
    (read(Part::Manifest, manifest), read(Part::Architecture, architecture))
}

fn texts(value: &Value) -> Vec<&str> {
    let items = value.as_array().expect("it is a list");
    items.iter().map(|item| item.as_str().expect("it is a text")).collect()
}

fn count(value: &Value) -> usize {
    value.as_array().expect("it is a list").len()
}

/// Checks that every name leads somewhere, and that what is left out is counted.
fn is_consistent(graph: &CodeGraph, architecture: &Value) {
    let modules = ModuleGraph::of(graph);
    let nodes = texts(&architecture["moduleDependencyGraph"]["nodes"]);
    let known: BTreeSet<&str> = nodes.iter().copied().collect();
    assert_eq!(known.len(), nodes.len(), "every node has a name of its own");
    for module in architecture["modules"].as_array().expect("it is a list") {
        assert!(known.contains(module["name"].as_str().expect("it is a text")));
        let depends_on = texts(&module["dependsOn"]);
        assert!(depends_on.iter().all(|name| known.contains(name)), "{depends_on:?}");
        let exports = texts(&module["exports"]);
        assert_eq!(exports.iter().collect::<BTreeSet<_>>().len(), exports.len());
    }
    for edge in architecture["moduleDependencyGraph"]["edges"]
        .as_array()
        .expect("it is a list")
    {
        assert!(texts(edge).iter().all(|name| known.contains(name)));
    }
    let truncated = |key: &str| architecture["truncated"][key].as_u64().unwrap_or(0) as usize;
    assert_eq!(
        count(&architecture["modules"]) + truncated("modules"),
        modules.modules().len()
    );
    assert_eq!(nodes.len() + truncated("nodes"), modules.modules().len());
    assert_eq!(
        count(&architecture["moduleDependencyGraph"]["edges"]) + truncated("edges"),
        modules.dependencies().len()
    );
    let listed: BTreeMap<&str, usize> = architecture["modules"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|module| (module["name"].as_str().expect("a text"), count(&module["dependsOn"])))
        .collect();
    let of_listed = modules
        .dependencies()
        .iter()
        .filter(|row| listed.contains_key(modules.modules()[row.from].name.as_str()))
        .count();
    assert_eq!(listed.values().sum::<usize>() + truncated("dependsOn"), of_listed);
}

#[test]
fn l1_has_every_field_of_the_text() {
    let graph = graph(
        r#"file app/README.md markdown module=app/README.md
           sym app/README.md.App section
           file app/__init__.py python module=app loc=3
           use app.core run
           file app/core.py python module=app.core loc=40 doc="The heart. It beats."
           sym app.core.run function sig="def run(steps: int) -> None" doc="Runs. Twice."
           sym app.core._step function private
           file tests/test_core.py python module=tests.test_core test
           sym tests.test_core.test_run test
           edge app import app.core.run
           edge app.core.run call app.core._step
           edge tests.test_core.test_run call app.core.run"#,
    );
    let (_, architecture) = layers(&graph, &[("app/README.md", "# App\n\nAn application.\n")]);
    let expected = json!({
        "@context": "https://codecontextgraph.com/schema/v1",
        "@type": "ccg:Architecture",
        "@id": format!("https://codecontextgraph.com/repo/github.com/org/repo@{}/layer/1", "a".repeat(40)),
        "modules": [
            {
                "name": "app.core", "path": "app/core.py", "purpose": "The heart.",
                "exports": ["run"], "dependsOn": [], "loc": 40,
            },
            {
                "name": "app", "path": "app/__init__.py", "purpose": "An application.",
                "exports": ["run"], "dependsOn": ["app.core"], "loc": 3,
            },
            {
                "name": "tests.test_core", "path": "tests/test_core.py",
                "exports": [], "dependsOn": ["app.core"], "loc": 10,
            },
        ],
        "publicAPI": [
            { "symbol": "app.core.run", "signature": "def run(steps: int) -> None", "doc": "Runs. Twice." },
        ],
        "patterns": { "architectural": [], "detected": [] },
        "moduleDependencyGraph": {
            "nodes": ["app.core", "app", "tests.test_core"],
            "edges": [["app", "app.core"], ["tests.test_core", "app.core"]],
        },
    });
    assert_eq!(architecture, expected);
    is_consistent(&graph, &architecture);
}

#[test]
fn l1_documentation_is_cut_after_two_hundred_characters() {
    let graph = graph(&format!(
        "file a.py python module=a\nsym a.f function doc=\"{}\"\nsym a.g function sig=\"{}\"",
        "😀é".repeat(300),
        "s".repeat(60_000)
    ));
    let (_, architecture) = layers(&graph, &[]);
    let doc = architecture["publicAPI"][0]["doc"].as_str().expect("it is a text");
    assert_eq!(doc, "😀é".repeat(100));
    let signature = architecture["publicAPI"][1]["signature"]
        .as_str()
        .expect("it is a text");
    assert!(signature.chars().count() <= 320);
}

/// A repository of so many modules, each with so many functions, where each module calls some of the others.
fn wide(modules: usize, functions: usize, calls: usize) -> CodeGraph {
    let mut lines = String::new();
    for module in 0..modules {
        let _ = writeln!(
            lines,
            "file src/p{}/m{module:05}.py python module=m{module:05}",
            module % 10
        );
        for function in 0..functions {
            let _ = writeln!(
                lines,
                "sym m{module:05}.f{function} function sig=\"def f{function}(argument)\" doc=\"Does it.\""
            );
        }
    }
    for module in 0..modules {
        for call in 1..=calls {
            // What stands late in the order is called most.
            let other = modules - 1 - (module * 31 + call * call * 7) % (1 + modules / call).min(modules);
            if other != module {
                let _ = writeln!(
                    lines,
                    "edge m{module:05}.f0 call m{other:05}.f{}",
                    call % functions.max(1)
                );
            }
        }
    }
    graph(&lines)
}

#[test]
fn l1_many_modules_fit_and_the_rest_is_counted() {
    for (modules, functions, calls) in [(600, 6, 12), (900, 1, 3), (40, 60, 39), (3, 2, 2)] {
        let graph = wide(modules, functions, calls);
        let (_, architecture) = layers(&graph, &[]);
        is_consistent(&graph, &architecture);
        let api =
            count(&architecture["publicAPI"]) + architecture["truncated"]["publicAPI"].as_u64().unwrap_or(0) as usize;
        assert_eq!(api, modules * functions);
        if modules > 3 {
            let bytes = architecture.to_string().len();
            assert!(bytes > 48_000, "{bytes} bytes for {modules} modules: the room is used");
        }
    }
}

#[test]
fn l1_what_is_left_out_is_chosen_by_importance_and_not_by_order() {
    let mut lines = String::from("file a/m.py python module=a.m\nsym a.m.f function\n");
    for module in 0..900 {
        let _ = writeln!(lines, "file b/m{module:03}.py python module=b.m{module:03}");
        let _ = writeln!(lines, "sym b.m{module:03}.function_with_a_long_name function");
    }
    lines.push_str("file z/last.py python module=z.last\nsym z.last.heart function\nsym z.last.quiet function\n");
    for module in 0..900 {
        let _ = writeln!(lines, "edge b.m{module:03}.function_with_a_long_name call z.last.heart");
    }
    let (_, architecture) = layers(&graph(&lines), &[]);
    assert_eq!(architecture["modules"][0]["name"], "z.last");
    assert_eq!(architecture["modules"][0]["exports"], json!(["heart", "quiet"]));
    assert_eq!(architecture["publicAPI"][0]["symbol"], "z.last.heart");
    assert!(architecture["truncated"]["modules"].as_u64() > Some(0));
}

#[test]
fn l1_tests_come_last() {
    let graph = graph(
        "file a_test.py python module=a_test test
         sym a_test.f function
         file b.py python module=b
         sym b.f function
         file examples/c.py python module=examples.c
         sym examples.c.f function
         edge b.f call a_test.f
         edge b.f call examples.c.f",
    );
    let (_, architecture) = layers(&graph, &[]);
    assert_eq!(
        texts(&architecture["moduleDependencyGraph"]["nodes"]),
        ["b", "examples.c", "a_test"]
    );
}

#[test]
fn l1_names_of_any_length_and_shape_fit() {
    let long = "x".repeat(5_000);
    let mut lines = String::new();
    for number in 0..40 {
        let language = format!("language{number}-{}", "l".repeat(if number % 3 == 0 { 300 } else { 3 }));
        let _ = writeln!(
            lines,
            "file {number:02}{long}/m.x {language} module={number:02}{long} doc=\"{long}\""
        );
        let _ = writeln!(lines, "sym {number:02}{long}.f function sig=\"{long}\" doc=\"{long}\"");
        let _ = writeln!(lines, "file {number:02}y/m.x {language} module={number:02}y");
        for name in ["<>", "a\\b", "é", "日本語", "{}", "a'b", "%41", "\u{1}", "#", "?"] {
            let _ = writeln!(
                lines,
                "sym {number:02}y.{name}{number} function sig=\"{name}\" doc=\"{name}\""
            );
        }
        let _ = writeln!(lines, "sym {number:02}y.{long} function");
        let _ = writeln!(lines, "edge {number:02}y import {number:02}{long}");
    }
    let graph = graph(&lines);
    let (manifest, architecture) = layers(&graph, &[]);
    is_consistent(&graph, &architecture);
    assert_eq!(architecture["truncated"]["modules"], 40);
    assert_eq!(architecture["truncated"]["exports"], 40);
    assert!(manifest["languages"]["other"]["files"].as_u64() > Some(0));
}

#[test]
fn l1_one_module_with_twenty_thousand_exports_fits() {
    let mut lines = String::from("file m.py python module=m\n");
    for number in 0..20_000 {
        let _ = writeln!(lines, "sym m.function_{number} function");
    }
    let (_, architecture) = layers(&graph(&lines), &[]);
    let exports = count(&architecture["modules"][0]["exports"]);
    assert!(exports > 100);
    assert_eq!(architecture["truncated"]["exports"], 20_000 - exports);
}

#[test]
fn l1_modules_of_one_name_are_told_apart() {
    let graph = graph(
        "file a/main.go go module=main
         sym main.f function
         file b/main.go go module=main#2
         sym main#2.f function
         file c/x.zz zz
         sym G function
         file c/y.yy yy
         sym H function",
    );
    let (_, architecture) = layers(&graph, &[]);
    is_consistent(&graph, &architecture);
}

#[test]
fn l0_and_l1_of_nothing_are_valid() {
    let graph = graph("");
    let (manifest, architecture) = layers(&graph, &[]);
    assert_eq!(manifest["symbols"]["total"], 0);
    assert_eq!(manifest["quality"]["avgCyclomaticComplexity"], 0.0);
    assert_eq!(count(&architecture["modules"]), 0);
    assert_eq!(architecture.get("truncated"), None);
}

#[test]
fn i4_the_time_is_the_commits_unless_the_tree_is_dirty_or_now_is_asked_for() {
    let ctx = Arc::new(World::default()).ctx();
    let now = (ctx.ports.clock.now_ms() / 1_000) as i64;
    let mut identity = Identity::new("h", "o", "n", "c");
    assert_eq!(analyzed_at(&ctx, &identity, false), now);
    identity.committed = Some(1_234_567_890);
    assert_eq!(analyzed_at(&ctx, &identity, false), 1_234_567_890);
    assert_eq!(analyzed_at(&ctx, &identity, true), now);
    identity.dirty = true;
    assert_eq!(analyzed_at(&ctx, &identity, false), now);
}

#[test]
fn i4_a_time_that_no_calendar_has_is_still_one() {
    let graph = graph("");
    let identity = Identity::new("h", "o", "n", "c");
    for (seconds, text) in [(i64::MAX, "9999-12-31T23:59:59Z"), (i64::MIN, "0001-01-01T00:00:00Z")] {
        let source = Source {
            graph: &graph,
            identity: &identity,
            analyzed_at: seconds,
            history: &|| None,
            read: &|_| None,
            scrub: &str::to_owned,
        };
        let manifest = super::manifest(&source, &LayerOptions::default());
        let manifest: Value = serde_json::from_slice(&manifest).expect("it is JSON");
        assert_eq!(manifest["repository"]["analyzedAt"], text);
    }
}
