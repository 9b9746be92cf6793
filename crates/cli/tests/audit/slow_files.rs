//! Small files that make a grammar slow are given up (F13). No test measures time: a command that hangs exceeds the deadline of the
//! harness.
#![cfg(target_os = "linux")]

use crate::world::World;

/// The address space of a process, in kilobytes.
const LIMIT: u64 = 2_500_000;

/// A text so many times, with line breaks so that it is not left out as squeezed.
fn lines(text: &str, count: usize) -> String {
    vec![text.repeat(10); count / 10].join("\n")
}

/// Indexes the file `name`, and checks that it has an outline or a diagnostic.
fn answered(name: &str, text: &str) {
    let world = World::new();
    world.write(name, text);
    let outcome = world.lore_limited(LIMIT, &["index"]);
    assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.stderr);
    let outcome = world.lore_limited(LIMIT, &["files"]);
    assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.stderr);
    assert!(outcome.stdout.contains(name), "{name}: {}", outcome.stdout);
}

#[test]
fn f13_lambdas_that_nothing_closes_in_java() {
    answered(
        "a.java",
        &format!("class A {{ Object f() {{ return {}", lines("() -> {", 20_000)),
    );
}

#[test]
fn f13_type_arguments_that_nothing_closes_in_typescript() {
    answered("a.ts", &lines("type A<T> = A<", 20_000));
}

#[test]
fn f13_operators_in_bash_python_and_ruby() {
    for (name, text) in [
        ("a.sh", "&& || | ; & "),
        ("a.py", "+ - * / ** "),
        ("a.rb", "+ - * / && "),
    ] {
        answered(name, &lines(text, 200_000 / text.len()));
    }
}

/// Not in the audit: the scanner of Ruby's grammar asserts that such a word has fewer than 256 letters.
#[test]
fn f13_a_heredoc_with_a_long_word_does_not_end_the_process() {
    let word = "A".repeat(300);
    answered("a.rb", &format!("x = <<{word}\na #{{1}}\n{word}\ndef f; end\n"));
}

/// Not in the audit: a module that imports its own name.
#[test]
fn f13_imports_in_a_circle_do_not_end_the_process() {
    answered(
        "a.rs",
        "mod a {\n    pub use super::a::x;\n}\nuse a::x;\npub fn f() {\n    x();\n}\n",
    );
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
        answered(name, &lines(text, 100_000 / text.len()));
    }
}
