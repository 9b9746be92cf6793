//! `lore ccg acl` and `lore ccg select` in the sample, which git does not know.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Outcome, Sample};

const BOT: &str = "https://ci.example/#bot";

fn parsed(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).expect(&outcome.stdout)
}

#[test]
fn a1_the_default_decides_by_layer() {
    let sample = Sample::new();
    let printed = sample.lore(&["ccg", "acl"]);
    assert!(printed.stdout.contains("</ccg/local/-/shop/layer/0>"), "{printed}");
    for (check, asking, code) in [
        ("0", "public", 0),
        ("1", "public", 1),
        ("1", "authenticated", 0),
        ("2", "authenticated", 1),
        ("graph/calls", BOT, 1),
        ("9", "public", 2),
    ] {
        let outcome = sample.lore(&["ccg", "acl", "--check", check, "--as", asking]);
        assert_eq!(outcome.code, code, "{check} {asking}: {outcome}");
    }
}

#[test]
fn a2_a_file_is_written_kept_and_decided_by() {
    let sample = Sample::new();
    let write = ["ccg", "acl", "--agent", BOT, "--output", "acl.ttl"];
    assert_eq!(sample.lore(&write).code, 0);
    let again = sample.lore(&write);
    assert_eq!((again.code, again.stdout.as_str()), (2, ""), "{again}");
    assert_eq!(sample.lore(&[&write[..], &["--force"]].concat()).code, 0);

    let check = [
        "ccg",
        "acl",
        "--file",
        "acl.ttl",
        "--check",
        "graph/calls",
        "--json",
        "--as",
    ];
    let granted = sample.lore(&[&check[..], &[BOT]].concat());
    assert_eq!(granted.code, 0, "{granted}");
    assert_eq!(parsed(&granted)["tier"], "private");
    let denied = sample.lore(&[&check[..], &["https://other.example/#me"]].concat());
    assert_eq!(
        (denied.code, &parsed(&denied)["granted"]),
        (1, &json!(false)),
        "{denied}"
    );

    let path = sample.root().join("acl.ttl");
    let text = fs::read_to_string(&path).expect("it was written");
    fs::write(&path, format!("{text}\n<#x> what\n")).expect("it can be damaged");
    let damaged = sample.lore(&[&check[..], &[BOT]].concat());
    assert_eq!(damaged.code, 1, "{damaged}");
    assert!(damaged.stdout.contains("it grants nothing: 30:6: "), "{damaged}");
}

#[test]
fn q4_names_are_looked_up_and_layers_chosen() {
    let sample = Sample::new();
    let question = ["ccg", "select", "--question", "Who calls `Cart.total`?", "--json"];
    let chosen = parsed(&sample.lore(&question));
    assert_eq!(chosen["strategy"], "subset");
    assert_eq!(chosen["names"]["symbols"], json!(["shop.cart.Cart.total"]));
    assert_eq!(
        (&chosen["direction"], &chosen["layers"][1]["layer"]),
        (&json!("callers"), &json!(2))
    );
    let chosen = parsed(&sample.lore(&[&question[..], &["--budget", "40KB"]].concat()));
    assert_eq!(
        (&chosen["strategy"], &chosen["sparql"][0]["template"]),
        (&json!("sparql"), &json!("find_callers"))
    );
    let chosen = parsed(&sample.lore(&["ccg", "select", "--budget", "9KB", "--needs", "security", "--json"]));
    assert_eq!(chosen["unmet"], json!(["security"]));
    assert_eq!(sample.lore(&["ccg", "select"]).code, 2);
}
