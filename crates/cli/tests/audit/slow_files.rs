//! Files that make a grammar slow are given up (F13). Each command has a limit of processor time and of memory.
#![cfg(target_os = "linux")]

use crate::world::{World, finish};

/// Seconds of processor time, however busy the machine is, and kilobytes of address space.
const LIMITS: &str = "ulimit -t 10; ulimit -v 1500000";
/// About the size of the files, in bytes: as large as a file may be.
const SIZE: usize = 1_000_000;

/// A text so many times, with line breaks so that it is not left out as squeezed.
fn lines(text: &str, count: usize) -> String {
    vec![text.repeat(10); count / 10].join("\n")
}

/// Indexes the file `name` within the limits. What is said of it is returned.
fn answered(name: &str, text: &str) -> String {
    let world = World::new();
    world.write(name, text);
    let ask = |arguments: &[&str]| {
        let outcome = finish(world.limited(LIMITS, arguments), "");
        assert_eq!(outcome.code, Some(0), "{name}: {arguments:?}: {outcome:?}");
        outcome.stdout
    };
    ask(&["index"]);
    assert!(ask(&["files"]).contains(name), "{name} is not left out");
    ask(&["files", "--errors"])
}

/// Indexes a file that is no program, which is said.
fn complained_of(name: &str, text: &str) {
    let said = answered(name, text);
    let reasons = ["the parser gave up", "syntax error"];
    assert!(reasons.iter().any(|reason| said.contains(reason)), "{name}: {said}");
}

#[test]
fn f13_lambdas_that_nothing_closes_in_java() {
    complained_of(
        "a.java",
        &format!("class A {{ Object f() {{ return {}", lines("() -> {", SIZE / 7)),
    );
}

#[test]
fn f13_type_arguments_that_nothing_closes_in_typescript() {
    complained_of("a.ts", &lines("type A<T> = A<", SIZE / 14));
}

#[test]
fn f13_operators_in_bash_python_and_ruby() {
    for (name, text) in [
        ("a.sh", "&& || | ; & "),
        ("a.py", "+ - * / ** "),
        ("a.rb", "+ - * / && "),
    ] {
        complained_of(name, &lines(text, SIZE / text.len()));
    }
}

/// Not in the audit: the scanner of Ruby's grammar asserts that such a word has fewer than 256 letters.
#[test]
fn f13_a_heredoc_with_a_long_word_does_not_end_the_process() {
    let word = "A".repeat(300);
    let said = answered("a.rb", &format!("x = <<{word}\na #{{1}}\n{word}\ndef f; end\n"));
    assert!(!said.contains("not outlined"), "{said}");
}

/// Not in the audit: a module that imports its own name.
#[test]
fn f13_imports_in_a_circle_do_not_end_the_process() {
    let said = answered(
        "a.rs",
        "mod a {\n    pub use super::a::x;\n}\nuse a::x;\npub fn f() {\n    x();\n}\n",
    );
    assert!(!said.contains("a.rs:"), "{said}");
}

/// Not in the audit: the runtime of the parser reduced its whole stack at each error, or kept gigabytes of ways to read the end of a file.
#[test]
fn f13_signs_that_took_minutes_or_gigabytes() {
    for (name, text) in [
        ("a.js", "->"),
        ("a.go", "->"),
        ("a.java", "a<"),
        ("a.erl", "a=>"),
        ("a.r", "a=>"),
        ("a.html", "a<"),
    ] {
        complained_of(name, &lines(text, 100_000 / text.len()));
    }
}
