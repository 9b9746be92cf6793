//! Tests of the overview: a graph and texts in, the answer as text out.

use lore_seam::Style;
use lore_seam::graph_text::graph;

use super::*;

/// A workspace with a library, a program, an example and a playground.
const SHOP: &str = r#"
    file crates/cart/src/lib.rs rust module=cart loc=40
    sym cart::Cart struct line=3 doc="A basket. It has items."
    file crates/cart/src/price.rs rust module=cart::price loc=10 doc="&nbsp;"
    sym cart::price::Price struct line=3
    file crates/shop/src/main.rs rust module=shop loc=20 doc="Sells things. And more."
    sym shop::main function line=7
    file examples/sell.rs rust module=sell
    sym sell::main function line=1
    file web-playground/main.rs rust module=playground
    sym playground::main function line=1
    edge shop::main call cart::Cart
    skip .github/workflows/ci.yml binary
    skip Cargo.toml binary
    skip README.md binary
    skip crates/cart/Cargo.toml binary
    skip crates/cart/README.md binary
    skip crates/shop/Cargo.toml binary
    skip logo.png binary
"#;

const TEXTS: &[(&str, &str)] = &[
    ("Cargo.toml", "[workspace]\nmembers = ['crates/*']"),
    (
        "README.md",
        "# Shop\n\n[![ci](a)](b)\n\nA shop in [Rust](c). It sells things.\n\n## License\n\nMIT and all that it says.\n",
    ),
    (
        "crates/cart/Cargo.toml",
        "[package]\nname = 'cart'\ndescription = 'Carts and their items.'",
    ),
    ("crates/cart/README.md", "# Cart\n"),
    ("crates/shop/Cargo.toml", "[package]\nname = 'shop'\npublish = false"),
    (
        ".github/workflows/ci.yml",
        "jobs:\n  - run: cargo test --workspace\n  - run: cargo nextest run\n",
    ),
];

fn asked(lines: &str, texts: &[(&str, &str)], request: &OverviewRequest) -> Overview {
    let read = |path: &str| {
        texts
            .iter()
            .find(|(known, _)| *known == path)
            .map(|(_, text)| (*text).to_owned())
    };
    overview(&graph(lines), request, &read)
}

fn request() -> OverviewRequest {
    OverviewRequest {
        directory: String::new(),
        name: "checkout".to_owned(),
        limit: 15,
    }
}

fn shown(answer: &Overview) -> String {
    let mut page = Page::new(Style { colour: false });
    answer.render(&mut page);
    page.into_text()
}

#[test]
fn an_overview_says_what_a_repository_is_and_which_file_says_so() {
    let text = shown(&asked(SHOP, TEXTS, &request()));
    assert_eq!(
        text,
        "checkout
lines of code: rust 90

A shop in Rust. It sells things.  (README.md)

provides
  binary   shop  (crates/shop/Cargo.toml)
  library  cart  (crates/cart/Cargo.toml)  Carts and their items.

entry points
  shop::main  crates/shop/src/main.rs:7  declared in a package file
  without 2 of examples, benchmarks, tests and dependencies

main modules
  cart         Carts and their items.
  cart::price  crates/cart/src/price.rs (undocumented)
  shop         Sells things.

build and test
  build    cargo build --workspace  (Cargo.toml)
  test     cargo test --workspace  (Cargo.toml)
  test     cargo nextest run  (.github/workflows/ci.yml:3)

not known
  no documentation says what 1 of 3 modules are for
"
    );
}

#[test]
fn an_overview_of_a_directory_is_about_what_is_below_it() {
    let request = OverviewRequest {
        directory: "crates/cart".to_owned(),
        ..request()
    };
    let answer = asked(SHOP, TEXTS, &request);
    assert_eq!(
        (answer.name.as_str(), answer.directory.as_str()),
        ("cart", "crates/cart")
    );
    let modules: Vec<&str> = answer.modules.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(modules, ["cart", "cart::price"]);
    assert_eq!(answer.entry_points, []);
    let commands: Vec<&str> = answer.commands.iter().map(|line| line.command.as_str()).collect();
    assert_eq!(commands, ["cargo build", "cargo test"]);
}

#[test]
fn an_overview_says_what_it_does_not_know() {
    let answer = asked("skip README.md binary", &[], &request());
    assert_eq!(
        answer.unknown,
        [
            "README.md could not be read",
            "no package file and no sentence of a README at its root says what it is",
            "no package file that Lore reads says what it provides",
            "no entry point was found outside of examples and tests",
            "no package file, makefile or file of continuous integration that Lore reads says how it is built",
            "no package file, makefile or file of continuous integration that Lore reads says how it is tested",
        ]
    );
    assert_eq!(asked("", &[], &request()).unknown.len(), 5, "an empty repository");
}

#[test]
fn lists_of_an_overview_are_cut_and_say_so() {
    let request = OverviewRequest { limit: 1, ..request() };
    let answer = asked(SHOP, TEXTS, &request);
    assert_eq!((answer.modules.len(), answer.module_count), (1, 3));
    assert_eq!(
        serde_json::to_value(answer.omitted).expect("JSON"),
        serde_json::json!({ "provides": 1, "entry_points": 0, "entry_points_of_examples": 2, "modules": 2, "commands": 1 })
    );
    let text = shown(&answer);
    assert!(text.contains("  … 2 more; --all shows them\n"), "{text}");
}

#[test]
fn texts_of_a_repository_cannot_steer_a_terminal() {
    let texts = [(
        "Cargo.toml",
        "[package]\nname = \"a\\u001b[31m\"\ndescription = \"b\\u001b[0m c d e f\"",
    )];
    let text = shown(&asked(
        "skip Cargo.toml binary\nfile src/main.rs rust module=a",
        &texts,
        &request(),
    ));
    assert!(!text.contains('\u{1b}') && text.contains("a␛[31m"), "{text}");
}
