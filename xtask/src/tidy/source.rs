//! Rules about Rust sources that clippy cannot check. What clippy can check is in `clippy.toml` and in the lints of `Cargo.toml`.

use super::Finding;
use super::tokens::{Token, Tokens};

/// The one file with a memory map, and so the one with `unsafe`.
const UNSAFE_FILE: &str = "crates/backends/src/cache/map.rs";
/// The file outside `lore-serve` that may be async: a test server around `lore-serve`.
const ASYNC_FILE: &str = "xtask/examples/conformance/main.rs";
/// Crates that start no processes.
const PURE_CRATES: &[&str] = &[
    "model", "index", "base", "seam", "overview", "code", "ccg", "kcp", "mind", "memory", "ckgp", "registry", "ask",
];

/// The crate that only tests use.
const FOR_TESTS: &str = "testing";

/// Code that is forbidden everywhere, also in tests.
const NOWHERE: &[(&[&str], &str)] = &[
    (&["#", "[", "ignore"], "an ignored test holds nothing"),
    (
        &["#", "[", "should_panic"],
        "`should_panic` does not say which panic; assert on the result",
    ),
];

/// Waiting without a deadline, which no test does, and what a test does instead.
const ENDLESS: &[(&[&str], &str)] = &[
    (&[".", "recv", "(", ")"], "lore_testing::receive"),
    (&[".", "join", "(", ")"], "lore_testing::join"),
    (&["thread", "::", "scope"], "lore_testing::scope"),
    (&[".", "output", "(", ")"], "lore_testing::output"),
    (&[".", "status", "(", ")"], "lore_testing::run"),
    (&[".", "wait", "(", ")"], "lore_testing::wait"),
];
/// The last of them are about processes, and mean something else in crates that start none.
const OF_PROCESSES: usize = 3;

/// The result of checking one source.
pub(super) struct Read {
    pub(super) findings: Vec<Finding>,
    /// Lines, the test module at the end not counted.
    pub(super) lines: usize,
}

/// Whether a source becomes part of the binary, apart from its test module.
pub(super) fn is_product(path: &str) -> bool {
    Place::of(path).product
}

/// Checks a source.
pub(super) fn check(path: &str, text: &str, tokens: &Tokens<'_>) -> Read {
    let place = Place::of(path);
    let mut findings = Vec::new();
    let mut add = |line: usize, message: String| findings.push(Finding::new(path, line, message));
    if !text.starts_with("//!") {
        add(1, "the file does not open with `//!`: what it owns".to_owned());
    }
    for (line, comment) in &tokens.comments {
        for word in ["TODO", "FIXME"].into_iter().filter(|word| has_word(comment, word)) {
            add(
                *line,
                format!("`{word}` in a comment; do it, or write it down in docs/SHORTCOMINGS.md"),
            );
        }
    }
    for (sequence, message) in NOWHERE {
        tokens
            .find(sequence)
            .for_each(|token| add(token.line, (*message).to_owned()));
    }
    for line in unseeded(tokens) {
        let message =
            "a property test without a fixed seed; begin it with `#![proptest_config(lore_testing::cases(…))]`";
        add(line, message.to_owned());
    }
    if path != UNSAFE_FILE {
        tokens
            .find(&["unsafe"])
            .for_each(|token| add(token.line, format!("`unsafe` outside {UNSAFE_FILE}")));
    }
    if place.krate != "serve" && path != ASYNC_FILE {
        let message = "`async fn` outside `lore-serve`";
        tokens
            .find(&["async", "fn"])
            .for_each(|token| add(token.line, message.to_owned()));
    }
    let waits = if PURE_CRATES.contains(&place.krate) {
        &ENDLESS[..ENDLESS.len() - OF_PROCESSES]
    } else {
        ENDLESS
    };
    for (sequence, instead) in waits.iter().filter(|_| place.krate != FOR_TESTS) {
        let message = format!("`{}` waits for ever; in a test write `{instead}`", sequence.concat());
        calls(tokens, sequence)
            .filter(|token| place.test || token.test)
            .for_each(|token| add(token.line, message.clone()));
    }
    findings.dedup();
    let lines = tokens.tests_begin.map_or(text.lines().count(), |line| line - 1);
    Read { findings, lines }
}

/// The lines of property tests that do not begin with a configuration of `lore_testing`, and of runners made by hand.
fn unseeded(tokens: &Tokens<'_>) -> Vec<usize> {
    let is = |at: usize, text: &str| tokens.code.get(at).is_some_and(|token| token.text == text);
    let is_seeded = |at: usize| {
        let head = tokens.code.iter().skip(at).take_while(|token| token.text != "fn");
        head.into_iter().any(|token| token.text == "lore_testing")
    };
    let faults = tokens.code.iter().enumerate().filter(|(at, token)| match token.text {
        "proptest" => is(at + 1, "!") && !is_seeded(*at),
        "TestRunner" => is(at + 1, "::"),
        _ => false,
    });
    faults.map(|(_, token)| token.line).collect()
}

/// Finds a sequence whose parentheses, if it ends with them, are empty. Literals are not tokens, so `join("x")` looks like
/// `join()`; the distance of the parentheses in the source tells them apart.
fn calls<'t, 'a>(tokens: &'t Tokens<'a>, sequence: &'t [&'t str]) -> impl Iterator<Item = Token<'a>> + 't {
    let is_it = move |window: &&[Token<'a>]| {
        let is_empty = match window {
            [.., open, close] if close.text == ")" => close.text.as_ptr().addr() == open.text.as_ptr().addr() + 1,
            _ => true,
        };
        is_empty && window.iter().zip(sequence).all(|(token, text)| token.text == *text)
    };
    tokens
        .code
        .windows(sequence.len())
        .filter(is_it)
        .map(|window| window[0])
}

/// The role of a source by its path.
struct Place<'a> {
    /// The directory under `crates/`, or nothing for `xtask`.
    krate: &'a str,
    /// Whether it becomes part of the binary.
    product: bool,
    /// Whether all of it is test code.
    test: bool,
}

impl<'a> Place<'a> {
    fn of(path: &'a str) -> Self {
        let Some((krate, inside)) = path.strip_prefix("crates/").and_then(|path| path.split_once('/')) else {
            return Self {
                krate: "",
                product: false,
                test: path.contains("/tests/"),
            };
        };
        let test = ["/tests.rs", "_tests.rs"].iter().any(|end| inside.ends_with(end)) || inside.contains("/tests/");
        Self {
            krate,
            product: inside.starts_with("src/") && !test && krate != FOR_TESTS,
            test: test || inside.starts_with("tests/"),
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric())
        .any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let text = format!("//! What it owns.\n{text}");
        check(path, &text, &Tokens::of(&text))
            .findings
            .iter()
            .map(|finding| format!("{}: {}", finding.line, finding.message))
            .collect()
    }

    fn nothing(path: &str, text: &str) {
        assert_eq!(found(path, text), Vec::<String>::new(), "{path}: {text}");
    }

    fn one(path: &str, text: &str, part: &str) {
        let found = found(path, text);
        assert!(
            matches!(&found[..], [only] if only.contains(part)),
            "{path}: {text}: {found:?}"
        );
    }

    #[test]
    fn a_file_opens_with_what_it_owns() {
        let text = "fn f() {}\n";
        let read = check("crates/model/src/a.rs", text, &Tokens::of(text));
        assert_eq!(
            read.findings,
            [Finding::new(
                "crates/model/src/a.rs",
                1,
                "the file does not open with `//!`: what it owns"
            )]
        );
    }

    #[test]
    fn words_for_unfinished_work_are_found_in_comments() {
        one("crates/model/src/a.rs", "// TODO: later\n", "2: `TODO`");
        one("crates/model/src/a.rs", "/* a\n FIXME */\n", "3: `FIXME`");
        nothing("crates/model/src/a.rs", "const A: &str = \"TODO\"; // a TODOLIST\n");
    }

    #[test]
    fn tests_are_not_switched_off() {
        one(
            "crates/model/tests/a.rs",
            "#[test]\n#[ignore]\nfn f() {}\n",
            "3: an ignored test",
        );
        one(
            "crates/model/tests/a.rs",
            "#[test]\n#[should_panic(expected = \"x\")]\nfn f() {}\n",
            "`should_panic`",
        );
    }

    #[test]
    fn property_tests_begin_with_a_seed() {
        let seeded =
            "proptest! {\n    #![proptest_config(lore_testing::cases(9))]\n    #[test]\n    fn f(a in 0..9) {}\n}\n";
        nothing("crates/model/src/a.rs", seeded);
        nothing("crates/model/src/a.rs", "use proptest::prelude::*;\n");
        let message = "a property test without a fixed seed";
        let unseeded = seeded.replace("lore_testing::cases(9)", "ProptestConfig::with_cases(9)");
        one("crates/model/src/a.rs", &unseeded, message);
        let bare = "proptest::proptest! {\n    #[test]\n    fn f(a in 0..9) { lore_testing::seed(); }\n}\n";
        one("crates/model/src/a.rs", bare, message);
        one(
            "crates/model/tests/a.rs",
            "fn f() { TestRunner::new(Config::default()); }\n",
            message,
        );
    }

    #[test]
    fn tests_wait_with_a_deadline() {
        for (wait, instead) in [
            ("a.recv();", "lore_testing::receive"),
            ("a.join();", "lore_testing::join"),
            ("std::thread::scope(|scope| ());", "lore_testing::scope"),
            ("Command::new(x).output();", "lore_testing::output"),
            ("Command::new(x).status();", "lore_testing::run"),
            ("child.wait();", "lore_testing::wait"),
        ] {
            let function = format!("fn f() {{ {wait} }}\n");
            for path in [
                "crates/cli/tests/a/main.rs",
                "crates/backends/src/a/tests.rs",
                "fuzz/targets/tests/a.rs",
            ] {
                one(path, &function, instead);
            }
            let module = format!("#[cfg(test)]\nmod tests {{ {function} }}\n");
            one("crates/serve/src/a.rs", &module, instead);
            nothing("crates/serve/src/a.rs", &function);
            nothing("crates/testing/src/a.rs", &function);
            nothing("xtask/src/a.rs", &function);
        }
        nothing(
            "crates/cli/tests/a/main.rs",
            "fn f() { a.join(\"b\"); wait(&mut child); }\n",
        );
        // An entry of a registry has a status, and a fetch a time to wait for.
        nothing(
            "crates/kcp/src/a_tests.rs",
            "fn f() { entry.status(); fetch.wait(); }\n",
        );
    }

    #[test]
    fn unsafe_stands_in_one_file() {
        one(
            "crates/backends/src/cache.rs",
            "fn f() { unsafe { g() } }\n",
            "`unsafe`",
        );
        nothing("crates/backends/src/cache/map.rs", "fn f() { unsafe { g() } }\n");
        nothing("crates/backends/src/cache.rs", "#![expect(unsafe_code)]\n");
    }

    #[test]
    fn only_serve_is_async() {
        one("crates/backends/src/a.rs", "pub async fn f() {}\n", "`async fn`");
        nothing("crates/serve/src/a.rs", "pub async fn f() {}\n");
    }

    #[test]
    fn lines_are_counted_up_to_the_tests() {
        let text = "//! A.\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(check("crates/model/src/a.rs", text, &Tokens::of(text)).lines, 3);
    }
}
