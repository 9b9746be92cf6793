//! Tests of `lore dead`.

use std::sync::Arc;

use lore_seam::{ErrorKind, Operation};
use serde_json::json;

use super::{Tree, keys, told};
use crate::{Dead, DeadRequest};

/// `_unused` is dead, `_named` is written in a comment, `api` is public, `_used` is called by a module.
fn tree() -> Tree {
    let graph = "
        file src/a.py python module=a
        sym a._unused function line=1 lines=2 bytes=0..18 private
        sym a._named function line=3 lines=1 bytes=18..37 private
        sym a.api function line=4 lines=1 bytes=37..53
        sym a._used function line=5 lines=1 bytes=53..71 private
        edge a call a._used at=6
        file src/b.py python module=b
        sym b._alone function line=2 lines=1 bytes=10..28 private
        file src/c.py python module=c
        file tests/t.py python module=t test
        sym t._helper function line=1 lines=1 bytes=0..19 private
    ";
    Tree::of(graph).with_files(&[
        (
            "src/a.py",
            "def _unused():\n 1\ndef _named(): 2   \ndef api(): 3   \ndef _used(): 4   \n_used()\n",
        ),
        ("src/b.py", "# _named\n\ndef _alone(): 5\n"),
        ("src/c.py", ""),
        ("tests/t.py", "def _helper(): pass\n"),
    ])
}

/// A private function that nothing calls, with a word.
fn one(word: &str) -> Tree {
    let graph = format!("file a.py python module=a\nsym a._f function line=1 bytes=0..12 private {word}");
    Tree::of(&graph).with_files(&[("a.py", "def _f(): 1\n")])
}

/// Somebody puts the name of a function together.
fn put_together() -> Tree {
    let graph = "
        file a.py python module=a
        sym a.visit_call function line=1 bytes=0..20 private
    ";
    let text = "def visit_call(): 1\ngetattr(a, 'visit_' + kind)\n";
    Tree::of(graph).with_files(&[("a.py", text)])
}

/// A file that is not part of the graph writes the name of a function.
fn left_out(reason: &str) -> Tree {
    let graph = format!(
        "file a.py python module=a
         sym a._f function line=1 bytes=0..12 private
         skip b.html {reason}"
    );
    Tree::of(&graph).with_files(&[("a.py", "def _f(): 1\n"), ("b.html", "\n{{ _f }}\n")])
}

#[test]
fn dead_lists_what_nothing_reaches_and_nothing_writes() {
    told(
        &tree().typed::<Dead>(&[]).text,
        "
        src/a.py:1 a._unused  0.95  nothing reaches it, and its name is written nowhere else
        src/b.py:2 b._alone  0.95  nothing reaches it, and its name is written nowhere else
        note: 5 definitions considered, 2 reported: 2 at 0.95 (3 lines); left out: 1 at 0.60 (--all), 1 at 0.30 (--all), 1 definition in tests (--tests)
        ",
    );
}

#[test]
fn dead_min_confidence_adds_what_is_less_likely_dead() {
    told(
        &tree().typed::<Dead>(&["--min-confidence", "0.5"]).text,
        "
        src/a.py:1 a._unused  0.95  nothing reaches it, and its name is written nowhere else
        src/b.py:2 b._alone  0.95  nothing reaches it, and its name is written nowhere else
        src/a.py:3 a._named  0.60  nothing reaches it, but its name is also written at src/b.py:1
        note: 5 definitions considered, 3 reported: 2 at 0.95, 1 at 0.60 (4 lines); left out: 1 at 0.30 (--all), 1 definition in tests (--tests)
        ",
    );
}

#[test]
fn dead_all_adds_what_is_public() {
    told(
        &tree().typed::<Dead>(&["--all"]).text,
        "
        src/a.py:1 a._unused  0.95  nothing reaches it, and its name is written nowhere else
        src/b.py:2 b._alone  0.95  nothing reaches it, and its name is written nowhere else
        src/a.py:3 a._named  0.60  nothing reaches it, but its name is also written at src/b.py:1
        src/a.py:4 a.api  0.30  nothing here reaches it, but it is public or used by public code
        note: 5 definitions considered, 4 reported: 2 at 0.95, 1 at 0.60, 1 at 0.30 (5 lines); left out: 1 definition in tests (--tests)
        ",
    );
}

#[test]
fn dead_all_and_min_confidence_exclude_each_other() {
    told(
        &tree().typed::<Dead>(&["--all", "--min-confidence", "0.5"]).text,
        "
        error invalid (2): error: the argument '--all' cannot be used with '--min-confidence <MIN_CONFIDENCE>'
        ",
    );
}

#[test]
fn dead_tests_adds_what_is_in_test_files() {
    told(
        &tree().typed::<Dead>(&["--tests"]).text,
        "
        src/a.py:1 a._unused  0.95  nothing reaches it, and its name is written nowhere else
        src/b.py:2 b._alone  0.95  nothing reaches it, and its name is written nowhere else
        tests/t.py:1 t._helper  0.95  nothing reaches it, and its name is written nowhere else
        note: 6 definitions considered, 3 reported: 3 at 0.95 (4 lines); left out: 1 at 0.60 (--all), 1 at 0.30 (--all)
        ",
    );
}

#[test]
fn dead_paths_keep_only_these_files() {
    told(
        &tree().typed::<Dead>(&["src/b.py", "--all"]).text,
        "
        src/b.py:2 b._alone  0.95  nothing reaches it, and its name is written nowhere else
        note: 1 definition considered, 1 reported: 1 at 0.95 (1 line)
        ",
    );
    told(
        &tree().typed::<Dead>(&["src/c.py"]).text,
        "
        note: 0 definitions considered, none reported
        ",
    );
}

#[test]
fn dead_of_a_path_without_files_is_not_found() {
    told(
        &tree().typed::<Dead>(&["lib"]).text,
        "
        error not_found (1): no file of the graph matches `lib`
        hint: `lore files` lists the files
        ",
    );
}

#[test]
fn dead_of_a_published_graph_is_not_available() {
    let mut tree = tree();
    tree.foreign = Some("of acme/shop");
    told(&tree.typed::<Dead>(&[]).text, "
        error unavailable (2): dead code cannot be found in the published graph of acme/shop: the search needs the sources
        hint: run `lore dead` in a checkout of the repository
        ");
}

#[test]
fn dead_does_not_list_entry_points() {
    told(
        &one("entry").typed::<Dead>(&["--all"]).text,
        "
        note: 1 definition considered, none reported
        ",
    );
}

#[test]
fn dead_holds_what_a_decorator_registers_for_used() {
    told(
        &one("@app.route('/')").typed::<Dead>(&["--all"]).text,
        "
        a.py:1 a._f  0.30  nothing here reaches it, but a framework or a base class may call it
        note: 1 definition considered, 1 reported: 1 at 0.30 (1 line)
        ",
    );
}

#[test]
fn dead_ignores_decorators_that_register_nothing() {
    told(
        &one("@staticmethod").typed::<Dead>(&[]).text,
        "
        a.py:1 a._f  0.95  nothing reaches it, and its name is written nowhere else
        note: 1 definition considered, 1 reported: 1 at 0.95 (1 line)
        ",
    );
}

#[test]
fn dead_holds_a_name_that_is_put_together_for_mentioned() {
    told(
        &put_together().typed::<Dead>(&["--min-confidence", "0.5"]).text,
        "
        a.py:1 a.visit_call  0.60  nothing reaches it, but its name may be built from `visit_`
        note: 1 definition considered, 1 reported: 1 at 0.60 (1 line)
        ",
    );
}

#[test]
fn dead_reads_files_that_are_left_out() {
    told(
        &left_out("generated").typed::<Dead>(&["--all"]).text,
        "
        a.py:1 a._f  0.60  nothing reaches it, but its name is also written at b.html:2
        note: 1 definition considered, 1 reported: 1 at 0.60 (1 line)
        ",
    );
}

#[test]
fn dead_does_not_read_vendored_files() {
    told(
        &left_out("vendored").typed::<Dead>(&["--all"]).text,
        "
        a.py:1 a._f  0.95  nothing reaches it, and its name is written nowhere else
        note: 1 definition considered, 1 reported: 1 at 0.95 (1 line)
        ",
    );
}

#[test]
fn dead_says_how_many_files_may_not_be_read() {
    let mut tree = tree();
    tree.refused = vec!["src/b.py"];
    told(
        &tree.typed::<Dead>(&[]).text,
        "
        src/a.py:1 a._unused  0.95  nothing reaches it, and its name is written nowhere else
        src/a.py:3 a._named  0.95  nothing reaches it, and its name is written nowhere else
        src/b.py:2 b._alone  0.95  nothing reaches it, and its name is written nowhere else
        note: 5 definitions considered, 3 reported: 3 at 0.95 (4 lines); left out: 1 at 0.30 (--all), 1 definition in tests (--tests)
        remark: 1 file may not be read: names that occur only there count as unused
        ",
    );
}

#[test]
fn dead_of_a_file_that_cannot_be_read_is_an_error() {
    let mut tree = tree();
    tree.files.clear();
    told(
        &tree.typed::<Dead>(&[]).text,
        "
        error unavailable (2): src/a.py cannot be read
        ",
    );
}

#[test]
fn dead_json() {
    let said = tree().asked::<Dead>(json!({}));
    told(
        &keys(&said.json[0]),
        "
        confidence kind line lines path symbol why
        ",
    );
}

#[test]
fn dead_asks_the_same_by_words_and_by_json() {
    let words = tree()
        .typed::<Dead>(&["src", "--min-confidence", "0.5", "--tests"])
        .text;
    let asked = json!({"paths": "src", "min_confidence": 0.5, "tests": true});
    assert_eq!(tree().asked::<Dead>(asked).text, words);
    assert_eq!(tree().asked::<Dead>(json!({})).text, tree().typed::<Dead>(&[]).text);
}

/// A function inside of another, which ends with a statement.
fn nested(end: &str) -> Tree {
    let graph = "
        file a.py python module=a
        sym a.outer function line=1 lines=3 bytes=0..48
        sym a.outer.inner function line=2 bytes=17..31 private local
        edge a call a.outer at=4
    ";
    let text = match end {
        "return inner" => "def outer():\n    def inner(): 1\n    return inner\nouter()\n",
        _ => "def outer():\n    def inner(): 1\n    return 12345\nouter()\n",
    };
    Tree::of(graph).with_files(&[("a.py", text)])
}

#[test]
fn dead_holds_an_inner_function_for_used_where_the_outer_one_names_it() {
    told(
        &nested("return inner").typed::<Dead>(&["--all"]).text,
        "
        note: 2 definitions considered, none reported
        ",
    );
    told(
        &nested("return 12345").typed::<Dead>(&["--all"]).text,
        "
        a.py:2 a.outer.inner  0.95  nothing reaches it, and its name is written nowhere else
        note: 2 definitions considered, 1 reported: 1 at 0.95 (1 line)
        ",
    );
}

#[test]
fn dead_holds_a_function_that_is_a_value_for_mentioned() {
    let graph = "
        file a.js javascript module=a
        sym a.f function line=1 bytes=10..25 private
    ";
    let tree = Tree::of(graph).with_files(&[("a.js", "handler = function f() {}\n")]);
    told(
        &tree.typed::<Dead>(&["--all"]).text,
        "
        a.js:1 a.f  0.60  nothing reaches it, but its definition is used as a value
        note: 1 definition considered, 1 reported: 1 at 0.60 (1 line)
        ",
    );
}

#[test]
fn dead_holds_an_override_for_possibly_called() {
    let graph = "
        file a.py python module=a
        sym a.Base class line=1 private
        sym a.Child class line=3 private
        sym a.Child._run method line=4 private
        edge a.Child._run overrides a.Base at=4
    ";
    let tree = Tree::of(graph).with_files(&[("a.py", "")]);
    told(
        &tree.typed::<Dead>(&["--all"]).text,
        "
        a.py:4 a.Child._run  0.30  nothing here reaches it, but a framework or a base class may call it
        note: 1 definition considered, 1 reported: 1 at 0.30 (1 line)
        ",
    );
}

#[test]
fn dead_holds_a_method_of_a_class_with_an_external_base_for_possibly_called() {
    let graph = "
        file a.py python module=a
        sym a.Base class line=1 private
        sym a.View class line=3 private
        sym a.View._get method line=4 private
        edge a.View extends a.Base at=3
        edge a.Base extends web.Handler at=1
    ";
    let tree = Tree::of(graph).with_files(&[("a.py", "")]);
    told(
        &tree.typed::<Dead>(&["--all"]).text,
        "
        a.py:4 a.View._get  0.30  nothing here reaches it, but a framework or a base class may call it
        note: 1 definition considered, 1 reported: 1 at 0.30 (1 line)
        ",
    );
}

#[test]
fn dead_returns_no_partial_answer_when_it_is_cancelled() {
    let ctx = Arc::new(tree()).ctx();
    ctx.cancel.cancel();
    let error = Dead::run(&ctx, DeadRequest::default())
        .map(drop)
        .expect_err("it is cancelled");
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

/// A private function with a name in a file with a text.
fn written(name: &str, language: &str, start: usize, text: &'static str) -> Tree {
    let end = text.len();
    let graph = format!("file a {language} module=a\nsym a.{name} function line=1 bytes={start}..{end} private");
    Tree::of(&graph).with_files(&[("a", text)])
}

#[test]
fn dead_holds_definitions_that_something_else_may_get_for_mentioned() {
    for (name, language, start, text) in [
        ("holds", "rust", 14, "quickcheck! { fn holds() -> bool { true } }"),
        ("onload", "javascript", 0, "request.onload = function () {}"),
        ("first", "javascript", 9, "list = [\n function first() {}]"),
        (
            "my_menu_init",
            "c",
            31,
            "G_DEFINE_TYPE(Menu, my_menu, 0)void my_menu_init() {}",
        ),
        ("_kept", "rust", 0, "fn _kept() {}"),
    ] {
        let said = written(name, language, start, text).typed::<Dead>(&["--all"]).text;
        assert!(said.contains("0.60"), "{name}: {said}");
    }
    let said = written("lost", "rust", 0, "fn lost() {}").typed::<Dead>(&[]).text;
    assert!(said.contains("0.95"), "{said}");
}

#[test]
fn dead_finds_names_with_signs_where_they_are_written_without() {
    for (name, text) in [
        ("#seen", "class A { #seen() {} }\nthis.#seen()\n"),
        ("empty?", "def empty?; end\nx.empty?\n"),
    ] {
        let end = text.find('\n').unwrap_or(0);
        let graph = format!("file a python module=a\nsym a.{name} function line=1 bytes=0..{end} private");
        let said = Tree::of(&graph)
            .with_files(&[("a", text)])
            .typed::<Dead>(&["--all"])
            .text;
        assert!(said.contains("0.60"), "{name}: {said}");
    }
}

#[test]
fn dead_never_reports_an_annotated_override() {
    told(
        &one("@Override").typed::<Dead>(&["--all"]).text,
        "
        a.py:1 a._f  0.30  nothing here reaches it, but a framework or a base class may call it
        note: 1 definition considered, 1 reported: 1 at 0.30 (1 line)
        ",
    );
}
