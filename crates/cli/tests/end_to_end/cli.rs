//! The command line: standard output, standard error and exit codes, as snapshots.

use std::fs;

use crate::support::Sample;
use insta::assert_snapshot;

#[test]
fn index_then_again() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["index"]));
    assert_snapshot!(sample.lore(&["index"]));
    assert_snapshot!(sample.lore(&["index", "--json"]));
}

#[test]
fn outline_of_the_repository() {
    assert_snapshot!(Sample::new().lore(&["outline"]));
}

#[test]
fn outline_of_a_file() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["outline", "shop/cart.py"]));
    assert_snapshot!(sample.lore(&["outline", "shop/prices.py", "--json"]));
}

#[test]
fn outline_of_nothing() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["outline", "no/such/dir"]));
    assert_snapshot!(sample.lore(&["outline", "vendor/lib/pad.js"]));
}

#[test]
fn find_by_name() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["find", "total"]));
    assert_snapshot!(sample.lore(&["find", "Cart.total", "--json"]));
    assert_snapshot!(sample.lore(&["find", "barcod", "--match", "prefix", "--kind", "struct,enum"]));
    assert_snapshot!(sample.lore(&["find", "discuont"]));
}

#[test]
fn find_by_filter() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["find", "--kind", "method", "--path", "shop"]));
    assert_snapshot!(sample.lore(&["find", "--visibility", "private", "--language", "python"]));
    assert_snapshot!(sample.lore(&["find", "--limit", "2"]));
}

#[test]
fn find_nothing() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["find", "zzz"]));
    assert_snapshot!(sample.lore(&["find", "x", "--language", "cobol"]));
}

#[test]
fn show_a_symbol() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["show", "Cart.add", "--source"]));
    assert_snapshot!(sample.lore(&["show", "shop.cart.Item", "--json"]));
    assert_snapshot!(sample.lore(&["show", "cmd/stock/main.go:14"]));
}

#[test]
fn what_a_change_affects() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["impact", "discount"]));
    assert_snapshot!(sample.lore(&["impact", "shop/prices.py", "--tests", "--json"]));
    assert_snapshot!(sample.lore(&["impact"]));
}

#[test]
fn what_depends_on_what() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["deps"]));
    assert_snapshot!(sample.lore(&["deps", "--level", "directory", "--format", "dot"]));
    assert_snapshot!(sample.lore(&["deps", "shop", "--format", "mermaid", "--external"]));
}

#[test]
fn what_nothing_reaches() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["dead"]));
    assert_snapshot!(sample.lore(&["dead", "--all", "--json", "shop"]));
}

#[test]
fn edges_of_every_kind() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["edges", "--no-external"]));
    assert_snapshot!(sample.lore(&["edges", "Cart.add", "--incoming", "--kind", "tests,call", "--json"]));
    assert_snapshot!(sample.lore(&["edges", "shop/cart.py", "--kind", "import", "--min-confidence", "0.9"]));
    assert_snapshot!(sample.lore(&["edges", "--incoming"]));
}

/// A module of so many functions.
fn functions(sample: &Sample, count: usize) {
    let text: String = (0..count)
        .map(|number| format!("def f{number:03}():\n    pass\n"))
        .collect();
    fs::write(sample.root().join("shop/many.py"), text).expect("written");
}

#[test]
fn an_answer_as_text_is_cut_and_its_last_line_says_so() {
    let sample = Sample::new();
    functions(&sample, 300);
    let rows = |arguments: &[&str]| sample.lore(arguments).stdout;
    let ends = |text: &str| (text.lines().count(), text.lines().last().unwrap_or_default().to_owned());
    let cut = rows(&["find", "f", "--path", "shop/many.py"]);
    assert_eq!(ends(&cut), (201, "… 100 more rows; --all shows them".to_owned()));
    assert_eq!(
        rows(&["find", "f", "--path", "shop/many.py", "-q"]),
        cut,
        "also where remarks are not wanted"
    );
    for arguments in [["--all"].as_slice(), &["--limit", "0"], &["--limit", "300"]] {
        let arguments = [["find", "f", "--path", "shop/many.py"].as_slice(), arguments].concat();
        assert_eq!(ends(&rows(&arguments)).0, 300, "{arguments:?}");
    }
    let one_row = rows(&["outline", "shop/many.py"]);
    assert_eq!(ends(&one_row), (201, "… 101 more lines; --all shows them".to_owned()));
    let value = rows(&["show", "shop/many.py"]);
    assert!(ends(&value).1.ends_with(" more lines; --all shows them"), "{value}");
    assert_eq!(
        ends(&rows(&["dead", "shop/many.py", "--all"])).1,
        "… 100 more rows; --all-lines shows them"
    );
    assert_eq!(ends(&rows(&["dead", "shop/many.py", "--all", "--all-lines"])).0, 300);
    let both = rows(&["outline", "shop/cart.py", "shop/many.py", "--depth", "1"]);
    assert_eq!(ends(&both).0, 201, "{both}");
}

#[test]
fn json_and_documents_are_never_cut() {
    let sample = Sample::new();
    functions(&sample, 300);
    let lines = |arguments: &[&str]| sample.lore(arguments).stdout.lines().count();
    assert_eq!(lines(&["find", "f", "--path", "shop/many.py", "--json"]), 300);
    assert_eq!(lines(&["files", "--json"]), 12);
    let query = "SELECT ?f { ?f a narsil:Function }";
    assert!(lines(&["query", query, "--format", "csv"]) > 300);
    let table = sample.lore(&["query", query]).stdout;
    let last: Vec<&str> = table.lines().rev().take(2).collect();
    assert!(last[0].ends_with(" more lines; --all shows them"), "{table}");
    assert!(last[1].ends_with(" rows"), "the number of all rows stays: {table}");
}

#[test]
fn a_remark_about_an_answer_in_json_is_json() {
    let sample = Sample::new();
    let outcome = sample.lore(&["find", "total", "--limit", "1", "--json"]);
    assert!(outcome.stderr.starts_with("{\"note\":\""), "{}", outcome.stderr);
    assert_eq!(
        sample.lore(&["find", "total", "--limit", "1", "--json", "-q"]).stderr,
        ""
    );
}

#[test]
fn show_what_the_repository_is() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["show", "."]));
    assert_snapshot!(sample.lore(&["show", "shop/"]));
    assert_snapshot!(sample.lore(&["show", ".", "--limit", "1", "--json"]));
}

#[test]
fn a_query_with_unknown_words_or_a_syntax_error_says_where_and_what_is_near() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["query", "SELECT ?f { ?f a narsil:Functon ; narsil:nmae ?n }"]));
    assert_snapshot!(sample.lore(&["query", "SELECT ?f\nWHERE {\n  ?f narsil:name ?n ?m\n}"]));
    assert_snapshot!(sample.lore(&["query", "SELECT ?f { ?f narsil:name ?n"]));
}

#[test]
fn show_a_file() {
    assert_snapshot!(Sample::new().lore(&["show", "shop/cart.py"]));
}

#[test]
fn show_an_ambiguous_name() {
    assert_snapshot!(Sample::new().lore(&["show", "total"]));
}

#[test]
fn show_an_unknown_name() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["show", "Cart.totl"]));
    assert_snapshot!(sample.lore(&["show", "Cart.totl", "--json"]));
    assert_snapshot!(sample.lore(&["show", "cart.py"]));
}

#[test]
fn paths_are_seen_from_where_the_user_stands() {
    let sample = Sample::new();
    let from = |directory: &str, arguments: &[&str]| {
        let mut command = sample.command(arguments);
        command.current_dir(sample.root().join(directory));
        sample.finish(command, "").stdout
    };
    // The sample is not a git repository: its lore.toml marks the root.
    std::fs::write(sample.root().join("lore.toml"), "").expect("written");
    let outline = from("shop", &["outline", "prices.py"]);
    assert!(outline.starts_with("shop/prices.py"), "{outline}");
    assert_eq!(
        from("shop", &["outline", "shop/prices.py"]),
        outline,
        "from the root, too"
    );
    assert_eq!(from("web/src", &["outline", "../../shop/prices.py"]), outline);
    assert!(from("web/src", &["files", "."]).lines().count() == 2);
    assert!(from("web/src", &["show", "cart.tsx:10"]).starts_with("web/src/cart.CartStore.total"));
}

#[test]
fn source_is_bytes() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["source", "Shelf.Take"]));
    let file = sample.lore(&["source", "shop/prices.py"]);
    assert_eq!(
        file.stdout,
        fs::read_to_string(sample.root().join("shop/prices.py")).expect("there")
    );
}

#[test]
fn files_and_what_is_left_out() {
    let sample = Sample::new();
    fs::write(sample.root().join("broken.py"), "def f(:\n    pass\n").expect("written");
    assert_snapshot!(sample.lore(&["files"]));
    assert_snapshot!(sample.lore(&["files", "--skipped"]));
    assert_snapshot!(sample.lore(&["files", "--errors"]));
    assert_snapshot!(sample.lore(&["files", "src", "--json"]));
}

#[test]
fn stats() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["stats"]));
    assert_snapshot!(sample.lore(&["stats", "--json"]));
}

#[test]
fn config_says_where_values_come_from() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["config", "show"]));
    fs::write(
        sample.root().join("lore.toml"),
        "threads = 1\n[index]\nexclude = [\"web\"]\n",
    )
    .expect("written");
    let mut command = sample.command(&["config", "show", "--cache", "/tmp/elsewhere"]);
    command.env("NO_COLOR", "1");
    assert_snapshot!(sample.finish(command, ""));
    assert_snapshot!(sample.lore(&["files"]));
}

#[test]
fn a_wrong_configuration_names_its_place() {
    let sample = Sample::new();
    fs::write(sample.root().join("lore.toml"), "[index]\nexclud = [\"web\"]\n").expect("written");
    assert_snapshot!(sample.lore(&["files"]));
    fs::write(sample.root().join("lore.toml"), "threads = \"many\"\n").expect("written");
    assert_snapshot!(sample.lore(&["files"]));
    fs::write(sample.root().join("lore.toml"), "cache = \"/etc\"\n").expect("written");
    assert_snapshot!(sample.lore(&["files"]));
}

#[test]
fn doctor() {
    let sample = Sample::new();
    sample.lore(&["index"]);
    assert_snapshot!(sample.lore(&["doctor"]));
    let trees = fs::read_dir(sample.home().join(".cache/lore/trees")).expect("there");
    let tree = trees.map(|tree| tree.expect("there").path()).next().expect("one tree");
    let snapshot = tree.join("snapshot");
    let mut bytes = fs::read(&snapshot).expect("there");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&snapshot, bytes).expect("written");
    assert_snapshot!(sample.lore(&["doctor"]));
}

#[test]
fn a_missing_repository() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["index", "no/such/place"]));
    assert_snapshot!(sample.lore(&["outline", "--repo", "no/such/place"]));
}

#[test]
fn wrong_arguments() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["fnd", "x"]));
    assert_snapshot!(sample.lore(&["find", "--kind", "clas"]));
    assert_snapshot!(sample.lore(&["find", "--path", "/"]));
}

#[test]
fn help_of_everything() {
    let sample = Sample::new();
    assert_snapshot!(sample.lore(&["--help"]));
    assert_snapshot!(sample.lore(&["find", "--help"]));
    assert_snapshot!(sample.lore(&["index", "-h"]));
}

#[test]
fn completions_of_every_shell() {
    let sample = Sample::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = sample.lore(&["completions", shell]);
        assert_eq!(outcome.code, 0);
        assert!(outcome.stdout.contains("outline"), "{shell}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sample = Sample::new();
    sample.lore(&["index"]);
    let mut command = std::process::Command::new("sh");
    command
        .args([
            "-c",
            &format!(
                "'{}' find --limit 0 | head -n 1; exit ${{PIPESTATUS:-0}}",
                env!("CARGO_BIN_EXE_lore")
            ),
        ])
        .current_dir(sample.root())
        .env("HOME", sample.home());
    let outcome = sample.finish(command, "");
    assert_eq!(
        (outcome.code, outcome.stdout.lines().count(), outcome.stderr.as_str()),
        (0, 1, "")
    );
}
