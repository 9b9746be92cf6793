//! Deeply nested files are bounded in memory (F4).
#![cfg(target_os = "linux")]

use serde_json::json;

use crate::agent::Server;
use crate::world::World;

/// How deep the files nest.
const DEPTH: usize = 20_000;
/// The address space of a process, in kilobytes. The files took from twice to more than ten times as much before names were
/// bounded.
const LIMIT: u64 = 600_000;

/// Something nested, with line breaks so that it is not left out as squeezed.
fn nested(before: &str, open: &str, inside: &str, close: &str, behind: &str) -> String {
    let lines = |text: &str| vec![text.repeat(10); DEPTH / 10].join("\n");
    format!("{before}{}{inside}{}{behind}\n", lines(open), lines(close))
}

/// Indexes the file `name` under the limit, and gives the diagnostics of `lore files --errors`.
fn indexed(name: &str, text: &str) -> String {
    let world = World::new();
    world.write(name, text);
    let outcome = world.lore_limited(LIMIT, &["index"]);
    assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.stderr);
    let outcome = world.lore_limited(LIMIT, &["files", "--errors"]);
    assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.stderr);
    outcome.stdout
}

#[test]
fn f4_closures_nested_in_rust_are_indexed() {
    let errors = indexed("a.rs", &nested("fn f() { let a = ", "||{", "0", "}", "; }"));
    assert!(errors.contains("not outlined"), "{errors}");
}

#[test]
fn f4_functions_without_a_name_nested_in_ten_languages_are_indexed() {
    for (name, [before, open, inside, close, behind]) in [
        ("a.py", ["x = ", "lambda: (", "0", ")", ""]),
        ("a.js", ["x = ", "() => {", "0", "}", ";"]),
        ("b.js", ["x = ", "(function () {", "0", "})", ";"]),
        ("a.ts", ["x = ", "() => {", "0", "}", ";"]),
        ("a.go", ["package a\nvar x = ", "func() { a(", "0", ") }", ""]),
        ("a.rb", ["x = ", "lambda { ", "0", "}", ""]),
        ("a.cs", ["class B { object x = ", "() => { return ", "0", ";}", "; }"]),
        ("a.kt", ["val x = ", "{ ", "0", "}", ""]),
        ("a.scala", ["val x = ", "(() => ", "0", ")", ""]),
        ("a.swift", ["let x = ", "{ a in ", "0", "}", ""]),
    ] {
        let errors = indexed(name, &nested(before, open, inside, close, behind));
        assert!(errors.contains("definitions are not outlined"), "{name}: {errors}");
    }
}

#[test]
fn f4_named_definitions_that_are_nested_are_indexed() {
    for (name, open, close) in [
        ("a.rs", "mod a { ", "}"),
        ("a.rb", "module A; ", "end;"),
        ("a.java", "class A { ", "}"),
        ("a.cpp", "namespace a { ", "}"),
        ("a.cs", "class A { ", "}"),
        ("a.swift", "class A { ", "}"),
        ("a.scala", "object A { ", "}"),
    ] {
        let errors = indexed(name, &nested("", open, "", close, ""));
        assert!(errors.contains("definitions are not outlined"), "{name}: {errors}");
    }
}

/// The grammar of bash ends such a file with an error, where it ends depends on the grammar.
#[test]
fn f4_functions_nested_in_bash_are_indexed() {
    let errors = indexed("a.sh", &nested("", "f() { ", "true", ";}", ""));
    let reasons = ["not outlined", "gave up", "syntax error"];
    assert!(reasons.iter().any(|reason| errors.contains(reason)), "{errors}");
}

#[test]
fn f4_a_server_survives_a_nested_file() {
    let world = World::new();
    world.write("a.rs", nested("fn f() { let a = ", "||{", "0", "}", "; }"));
    world.write("b.rs", "pub fn whole() {}\n");
    let limit = format!("ulimit -v {LIMIT}");
    let mut server = Server::start(&mut world.limited(&limit, &["mcp"]));
    for name in ["whole", "f"] {
        let answer = server.call("find", &json!({"query": name, "match": "exact"}));
        assert!(answer.contains(name) && !answer.contains("isError\":true"), "{answer}");
    }
    // The file changes while the server runs, so that it is read again.
    world.write("a.rs", nested("fn g() { let a = ", "||{", "0", "}", "; }"));
    let answer = server.call("find", &json!({"query": "g", "match": "exact"}));
    assert!(answer.contains("a::g"), "{answer}");
    assert!(server.finish().success());
}
