//! Tests of `lore impact`.

use serde_json::json;

use super::{SHOP, Tree, ambiguous, ask, keys, rows, same_defaults, told, typed};
use crate::Impact;

const TWICE: &str = "
    file a.ts typescript module=a
    sym a.save function line=1
    sym a.save#2 function line=2
    sym a.one function line=3
    sym a.two function line=4
    edge a.one call a.save
    edge a.two call a.save#2
";

const LOST: &str = "
    file a.py python module=a
    sym a.save function line=1
    sym a.main function line=2
    lost a.main 3 save
";

/// A tree in which the body of `g` differs from the revision `v1`.
fn changed() -> Tree {
    let graph = |hash: u32| {
        format!(
            "file a.py python module=a hash={hash}
             sym a.f function line=1 lines=2
             sym a.g function line=3 lines=2
             sym a.test_g test line=5 lines=2
             edge a.f call a.g at=2
             edge a.test_g call a.g at=6"
        )
    };
    let old = "def f():\n    g()\ndef g():\n    1\ndef test_g():\n    g()\n";
    let new = "def f():\n    g()\ndef g():\n    2\ndef test_g():\n    g()\n";
    let mut tree = Tree::of(&graph(2)).with_files(&[("a.py", new)]);
    tree.revisions.insert("v1", (graph(1), vec![("a.py", old)]));
    tree
}

/// A tree in which the first line of a file, which is in no definition, differs from the revision `v1`.
fn outside() -> Tree {
    let graph = |hash: u32| {
        format!(
            "file a.py python module=a hash={hash}
             sym a.f function line=2
             file b.py python module=b hash=9
             edge b import a at=1"
        )
    };
    let mut tree = Tree::of(&graph(2)).with_files(&[("a.py", "X = 2\ndef f(): pass\n")]);
    let old = vec![("a.py", "X = 1\ndef f(): pass\n")];
    tree.revisions.insert("v1", (graph(1), old));
    tree
}

/// A tree without a file of the revision `v1`, and with a new one.
fn gone() -> Tree {
    let new = "file new.py python module=new hash=2\nsym new.f function line=1";
    let mut tree = Tree::of(new).with_files(&[("new.py", "def f(): pass\n")]);
    let old = "file old.py python module=old hash=1".to_owned();
    tree.revisions.insert("v1", (old, vec![("old.py", "1\n")]));
    tree
}

#[test]
fn impact_of_a_symbol_follows_what_leans_on_it() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply"]),
        "
        changed: shop::cart::Cart::apply

        tests to run: 1
          0.71  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          0.81  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
          … and 1 more, less likely (--all shows all)
        ",
    );
}

#[test]
fn impact_of_a_file_is_that_of_its_symbols() {
    told(&typed::<Impact>(SHOP, &["src/cart.rs", "--limit", "3"]), "
        changed: shop::cart, shop::cart::Cart, shop::cart::Cart::apply, shop::cart::Cart::new, shop::cart::Cart::total, shop::cart::LIMIT

        tests to run: 1
          0.89  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 2
          0.99  shop::order::place  src/order.rs:14  calls shop::cart::Cart::new
          0.50  shop::order  src/order.rs:1  imports shop::cart
        ");
}

#[test]
fn impact_of_several_targets() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply", "web/cart.Cart"]),
        "
        changed: shop::cart::Cart::apply, web/cart.Cart

        tests to run: 1
          0.80  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          0.81  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
          … and 1 more, less likely (--all shows all)
        ",
    );
}

#[test]
fn impact_tests_lists_only_tests() {
    told(
        &typed::<Impact>(SHOP, &["place", "--tests"]),
        "
        test_cart.test_total  tests/test_cart.py:2  0.85
        ",
    );
}

#[test]
fn impact_min_confidence_leaves_out_what_is_less_likely() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply", "--min-confidence", "0.8"]),
        "
        changed: shop::cart::Cart::apply

        tests to run: 0

        affected: 2
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          0.81  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
        ",
    );
}

#[test]
fn impact_limit_counts_what_it_leaves_out() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply", "--limit", "1"]),
        "
        changed: shop::cart::Cart::apply

        tests to run: 1
          0.71  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          … and 2 more, less likely (--all shows all)
        ",
    );
}

#[test]
fn impact_limit_zero_shows_all() {
    let lines: Vec<String> = (1..=60)
        .map(|number| format!("sym a.f{number} function line={number}\nedge a.f{number} call a.g"))
        .collect();
    let graph = format!(
        "file a.py python module=a\nsym a.g function line=99\n{}",
        lines.join("\n")
    );
    let shown = |words: &[&str]| {
        let said = typed::<Impact>(&graph, words);
        (said.matches("calls a.g").count(), said.contains("… and 10 more"))
    };
    assert_eq!(shown(&["a.g"]), (50, true));
    assert_eq!(shown(&["a.g", "--limit", "0"]), (60, false));
}

#[test]
fn impact_of_a_symbol_without_any() {
    told(
        &typed::<Impact>(SHOP, &["web/cart.Cart"]),
        "
        changed: web/cart.Cart

        tests to run: 0

        affected: 0
        ",
    );
}

#[test]
fn impact_of_a_name_with_two_meanings_is_that_of_both() {
    told(
        &typed::<Impact>(SHOP, &["total"]),
        "
        changed: shop::cart::Cart::total, shop::order::Order::total

        tests to run: 1
          0.88  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.95  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
          … and 2 more, less likely (--all shows all)
        ",
    );
}

#[test]
fn impact_of_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Impact>(&["go"]);
}

#[test]
fn impact_of_declarations_of_one_name_is_that_of_all() {
    told(
        &typed::<Impact>(TWICE, &["save"]),
        "
        changed: a.save

        tests to run: 0

        affected: 2
          0.99  a.one  a.ts:3  calls a.save
          0.99  a.two  a.ts:4  calls a.save
        ",
    );
}

#[test]
fn impact_of_an_unknown_name_is_not_found() {
    told(
        &typed::<Impact>(SHOP, &["palce"]),
        "
        error not_found (1): unknown symbol or file: `palce`
        hint: did you mean shop::order::place?
        ",
    );
}

#[test]
fn impact_of_nothing_is_a_wrong_question() {
    told(
        &typed::<Impact>(SHOP, &[]),
        "
        error invalid (2): no change is named
        hint: name a symbol or a file, or use --since REV
        ",
    );
}

#[test]
fn impact_guesses_by_name_where_a_call_has_no_known_target() {
    told(
        &typed::<Impact>(LOST, &["save"]),
        "
        changed: a.save

        tests to run: 0

        affected: 1
          0.30  a.main  a.py:2  calls something named a.save
        ",
    );
}

#[test]
fn impact_since_is_that_of_the_symbols_whose_lines_changed() {
    told(
        &changed().typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: a.g

        tests to run: 1
          0.99  a.test_g  a.py:5  calls a.g

        affected: 1
          0.99  a.f  a.py:1  calls a.g
        ",
    );
}

#[test]
fn impact_since_counts_lines_outside_of_definitions_as_the_module() {
    told(
        &outside().typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: a
        files with changes outside of definitions: a.py

        tests to run: 0

        affected: 1
          0.50  b  b.py:1  imports a
        ",
    );
}

#[test]
fn impact_since_names_files_that_are_gone() {
    told(
        &gone().typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: new.f
        files with changes outside of definitions: old.py

        tests to run: 0

        affected: 0
        ",
    );
}

#[test]
fn impact_since_an_equal_revision_is_that_of_nothing() {
    let mut tree = changed();
    tree.revisions.insert("v2", (tree.graph.clone(), tree.files.clone()));
    told(
        &tree.typed::<Impact>(&["--since", "v2"]).text,
        "
        changed: nothing

        tests to run: 0

        affected: 0
        ",
    );
}

#[test]
fn impact_since_an_unknown_revision_is_an_error() {
    told(
        &typed::<Impact>(SHOP, &["--since", "v9"]),
        "
        error not_found (1): unknown git revision: v9
        ",
    );
}

#[test]
fn impact_since_counts_a_file_that_may_not_be_read_as_changed() {
    let mut tree = changed();
    tree.refused = vec!["a.py"];
    told(
        &tree.typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: a, a.f, a.g, a.test_g
        files with changes outside of definitions: a.py

        tests to run: 1
          1.00  a.test_g  a.py:5  changed

        affected: 0
        remark: 1 changed file may not be read: every definition there counts as changed
        ",
    );
}

#[test]
fn impact_json() {
    told(&keys(&rows::<Impact>(SHOP, json!({"targets": ["Cart::apply"], "min_confidence": 0}))[0]), "
        affected[because confidence distance kind line path symbol through] affected_count changed test_count test_files tests[because confidence distance kind line path symbol through]
        ");
    let answer = gone().asked::<Impact>(json!({"since": "v1"})).json;
    assert_eq!(answer[0]["changed_files"], json!(["old.py"]));
}

#[test]
fn impact_json_counts_what_it_leaves_out() {
    let answer = &rows::<Impact>(SHOP, json!({"targets": "Cart::apply", "limit": 1}))[0];
    assert_eq!(answer["affected"].as_array().map(Vec::len), Some(1));
    told(
        &format!("{}\n", answer["affected_count"]),
        "
        3
        ",
    );
}

#[test]
fn impact_asks_the_same_by_words_and_by_json() {
    same_defaults::<Impact>(SHOP, &["Cart::apply"], json!({"targets": "Cart::apply"}));
    let said = ask::<Impact>(SHOP, json!({"targets": ["place"], "tests": true}));
    assert_eq!(said, typed::<Impact>(SHOP, &["place", "--tests"]));
}

#[test]
fn impact_json_of_tests_only_counts_what_else_is_affected() {
    let answer = &rows::<Impact>(SHOP, json!({"targets": "Cart::apply", "tests": true}))[0];
    assert_eq!(answer["affected"], json!([]));
    assert_eq!(answer["affected_count"], 3);
    assert_eq!(answer["test_files"], json!(["tests/test_cart.py"]));
}

/// A test file makes a changed class at its top level, and another imports the changed module through a package.
const MODULES: &str = "
    file pkg/__init__.py python module=pkg
    file pkg/http.py python module=pkg.http
    sym pkg.http.Bearer class line=1 lines=3
    sym pkg.http.Bearer.__init__ constructor line=2
    file tests/test_made.py python module=tests.test_made test
    sym tests.test_made.test_get test line=4
    file tests/test_imports.py python module=tests.test_imports test
    sym tests.test_imports.test_other test line=4
    edge tests.test_made instantiates pkg.http.Bearer at=2
    edge tests.test_imports import pkg.http at=1
    edge tests.test_imports import pkg.http.Bearer at=1
";

#[test]
fn impact_of_a_module_selects_the_tests_of_the_files_that_import_it_or_use_it_at_their_top_level() {
    told(
        &typed::<Impact>(MODULES, &["pkg/http.py", "--tests"]),
        "
        tests.test_made.test_get  tests/test_made.py:4  0.89
        tests.test_imports.test_other  tests/test_imports.py:4  0.63
        ",
    );
}

#[test]
fn impact_tests_are_cut_where_the_likelihood_falls_off_and_counted() {
    told(
        &typed::<Impact>(MODULES, &["pkg.http.Bearer.__init__", "--tests"]),
        "
        tests.test_made.test_get  tests/test_made.py:4  0.25
        tests.test_imports.test_other  tests/test_imports.py:4  0.14
        ",
    );
    told(
        &typed::<Impact>(MODULES, &["pkg.http.Bearer", "--tests", "--all"]),
        "
        tests.test_made.test_get  tests/test_made.py:4  0.89
        tests.test_imports.test_other  tests/test_imports.py:4  0.51
        ",
    );
}

/// Tests of several languages that call one function each.
const RUNNERS: &str = "
    file src/a.py python module=a
    sym a.f function line=1
    file tests/test_a.py python module=tests.test_a test
    sym tests.test_a.TestA class line=1 lines=9
    sym tests.test_a.TestA.test_it's test line=2
    sym tests.test_a.TestA.test_more test line=4
    sym tests.test_a.TestA.test_other test line=6
    file pkg/a_test.go go module=pkg test
    sym pkg.TestA test line=3
    sym pkg.TestB test line=5
    sym pkg.TestC test line=7
    file core/src/a.rs rust module=core::a
    sym core::a::tests namespace line=1 lines=5
    sym core::a::tests::works test line=2
    file core/tests/end.rs rust module=core::tests::end test
    sym core::tests::end::ends test line=2
    file web/cart.test.ts typescript module=web/cart.test test
    sym web/cart.test.adds_(one) test line=2
    sym web/cart.test.removes test line=4
    file src/test/java/shop/CartTest.java java module=shop test
    sym shop.CartTest class line=1 lines=9
    sym shop.CartTest.adds test line=2
    sym shop.CartTest.removes test line=4
    file Tests/CartTests.cs csharp module=Shop.Tests test
    sym Shop.Tests.CartTests class line=1 lines=9
    sym Shop.Tests.CartTests.Adds test line=2
    edge tests.test_a.TestA.test_it's call a.f at=2
    edge tests.test_a.TestA.test_more call a.f at=4
    edge pkg.TestA call a.f at=3
    edge pkg.TestB call a.f at=5
    edge core::a::tests::works call a.f at=2
    edge core::tests::end::ends call a.f at=2
    edge web/cart.test.adds_(one) call a.f at=2
    edge shop.CartTest.adds call a.f at=2
    edge shop.CartTest.removes call a.f at=4
    edge Shop.Tests.CartTests.Adds call a.f at=2
";

fn command(runner: &str) -> String {
    let files = [
        ("core/Cargo.toml", "[package]\nname = \"core-parts\"\n"),
        ("pom.xml", "<project/>"),
        ("build.gradle", ""),
    ];
    let said = Tree::of(RUNNERS)
        .with_files(&files)
        .typed::<Impact>(&["a.f", "--format", runner]);
    said.text.lines().next().unwrap_or_default().to_owned() + "\n"
}

#[test]
fn impact_format_is_the_command_of_the_runner() {
    let commands: String = ["pytest", "go", "cargo", "jest", "vitest", "maven", "gradle", "dotnet"]
        .into_iter()
        .map(command)
        .collect();
    told(
        &commands,
        "
        pytest 'tests/test_a.py::TestA::test_it'\\''s' tests/test_a.py::TestA::test_more
        go test -run '^(TestA|TestB)$' ./pkg
        cargo test -p core-parts -- --exact a::tests::works ends
        npx jest --runTestsByPath web/cart.test.ts -t 'adds_\\(one\\)$'
        npx vitest run web/cart.test.ts -t 'adds_\\(one\\)$'
        mvn test '-Dtest=shop.CartTest#adds+removes'
        gradle test --tests shop.CartTest.adds --tests shop.CartTest.removes
        dotnet test --filter 'FullyQualifiedName=Shop.Tests.CartTests.Adds'
        ",
    );
}

#[test]
fn impact_format_says_which_tests_the_command_leaves_out() {
    let said = Tree::of(RUNNERS).typed::<Impact>(&["a.f", "--format", "dotnet"]);
    told(
        &said.text,
        "
        dotnet test --filter 'FullyQualifiedName=Shop.Tests.CartTests.Adds'
        remark: 9 tests of other languages (go, java, python, rust, typescript) left out of the command
        ",
    );
}

#[test]
fn impact_format_without_a_test_of_its_language_is_not_found() {
    told(
        &typed::<Impact>(MODULES, &["pkg/http.py", "--format", "cargo"]),
        "
        error not_found (1): cargo runs no tests of python, and no other tests are affected
        hint: use --format pytest
        ",
    );
    told(
        &typed::<Impact>(SHOP, &["web/cart.Cart", "--format", "jest"]),
        "
        error not_found (1): no affected test is known, so there is nothing to run
        ",
    );
}

#[test]
fn impact_format_names_no_file_with_control_characters() {
    let graph = "
        file a.py python module=a
        sym a.f function line=1
        file tests/test_$(rm).py python module=t test
        sym t.test_f test line=1
        sym t.test_g test line=2
        edge t.test_f call a.f at=1
    ";
    told(
        &typed::<Impact>(graph, &["a.f", "--format", "pytest"]),
        "
        pytest 'tests/test_$(rm).py::test_f'
        ",
    );
}

/// An interface with two implementations, one of which a class overrides.
const FAMILY: &str = r#"
    file store.ts typescript module=store
    sym store.Store interface line=1 lines=3
    sym store.Store.read method line=2 sig="read(key: string): string"
    sym store.Disk class line=5 lines=4
    sym store.Disk.constructor constructor line=6 sig="constructor(root: string)"
    sym store.Disk.read method line=7 sig="read(key: string): string"
    sym store.Memory class line=10 lines=3
    sym store.Memory.read method line=11 sig="read(key: string): string"
    sym store.Cached class line=14 lines=3
    sym store.Cached.read method line=15 sig="read(key: string): string"
    sym store.main function line=20 lines=5
    sym store.other function line=30 lines=5
    edge store.Disk implements store.Store at=5
    edge store.Memory implements store.Store at=10
    edge store.Cached extends store.Disk at=14
    edge store.Disk.read overrides store.Store.read at=7
    edge store.Memory.read overrides store.Store.read at=11
    edge store.Cached.read overrides store.Disk.read at=15
    edge store.main call store.Store.read typed at=21
    edge store.main call store.Memory.read dispatch at=22
    edge store.main instantiates store.Disk at=20
    lost store.other 31 read
"#;

#[test]
fn impact_signature_is_the_set_to_edit() {
    told(
        &typed::<Impact>(FAMILY, &["--signature", "Disk.read"]),
        "
        changed: store.Disk.read

        definitions: 1
          store.ts:7  store.Disk.read  read(key: string): string

        declarations in base types: 1
          store.ts:2  store.Store.read  read(key: string): string

        overriding and implementing definitions: 2
          store.ts:11  store.Memory.read  read(key: string): string
          store.ts:15  store.Cached.read  read(key: string): string

        calls: 1
          store.ts:21  store.main  calls store.Store.read  typed

        calls that may mean one of them: 2
          store.ts:22  store.main  calls store.Memory.read  dispatch
          store.ts:31  store.other  calls read  unresolved

        to edit: 4 definitions and 1 call in 1 file
        ",
    );
}

#[test]
fn impact_signature_of_a_class_is_that_of_its_constructors() {
    told(
        &typed::<Impact>(FAMILY, &["--signature", "store.Disk"]),
        "
        changed: store.Disk

        definitions: 1
          store.ts:6  store.Disk.constructor  constructor(root: string)

        calls: 1
          store.ts:20  store.main  calls store.Disk.constructor  exact

        to edit: 1 definition and 1 call in 1 file
        ",
    );
}

#[test]
fn impact_signature_of_a_function_without_callers() {
    told(
        &typed::<Impact>(FAMILY, &["--signature", "store.other"]),
        "
        changed: store.other

        definitions: 1
          store.ts:30  store.other

        calls: 0

        to edit: 1 definition and 0 calls in 1 file
        ",
    );
}

#[test]
fn impact_signature_of_what_has_none_is_a_wrong_question() {
    told(
        &typed::<Impact>(SHOP, &["--signature", "shop::cart::LIMIT"]),
        "
        error invalid (2): nothing of the change has a signature
        hint: name a function, a method, or a class with a constructor
        ",
    );
    told(
        &ask::<Impact>(SHOP, json!({"targets": "place", "signature": true, "tests": true})),
        "
        error invalid (2): the set to edit for a signature has no tests
        hint: ask for the tests without `signature`
        ",
    );
}

#[test]
fn impact_signature_json() {
    let answer = &rows::<Impact>(FAMILY, json!({"targets": "Disk.read", "signature": true}))[0];
    told(
        &keys(&answer["signature"]),
        "
        caller_count callers[callee caller line path resolution] declarations[kind line path signature symbol] definitions[kind line path signature symbol] files implementations[kind line path signature symbol] possible_caller_count possible_callers[callee caller line path resolution]
        ",
    );
}
