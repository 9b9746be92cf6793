//! Where exports go, and in which format answers come.

use std::fs;

use crate::support::Sample;

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("the answer is JSON")
}

#[test]
fn q5_an_answer_that_is_a_json_document_is_printed_as_itself() {
    let sample = Sample::new();
    let plain = sample.lore(&["ccg", "manifest"]);
    let document = json(&plain.stdout);
    assert_eq!(document["@type"], "ccg:Manifest");
    for arguments in [["ccg", "manifest", "--json"], ["ccg", "get", "--json"]] {
        assert_eq!(json(&sample.lore(&arguments).stdout)["@id"], document["@id"]);
    }
    let acl = json(&sample.lore(&["ccg", "acl", "--json"]).stdout);
    assert_eq!(acl["media_type"], "text/turtle");
}

#[test]
fn q5_a_format_that_is_named_wins_over_json() {
    let sample = Sample::new();
    let query = "SELECT ?name { <sym:shop.cart.Cart> narsil:name ?name }";
    let asked = |format: &str| sample.lore(&["query", query, "--format", format, "--json"]).stdout;
    assert_eq!(asked("csv"), "name\r\nCart\r\n");
    assert!(asked("table").starts_with("name\nCart\n"), "{}", asked("table"));
    assert!(json(&asked("json"))["results"].is_object());
    fs::write(
        sample.root().join("lore.toml"),
        "[[constraints]]\ntype = \"noCircularDeps\"\n",
    )
    .expect("written");
    let sarif = sample.lore(&["ccg", "verify", "--format", "sarif", "--json"]);
    assert_eq!(json(&sarif.stdout)["version"], "2.1.0", "{sarif}");
    let plain = sample.lore(&["ccg", "verify", "--json"]);
    assert!(json(&plain.stdout)["verified"].is_boolean(), "{plain}");
}

#[test]
fn lb_a_bundle_goes_to_standard_output_too() {
    let sample = Sample::new();
    let epoch = |arguments: &[&str]| {
        let mut command = sample.command(arguments);
        command.env("SOURCE_DATE_EPOCH", "1767323045");
        lore_testing::output(&mut command)
    };
    let to_file = epoch(&["ccg", "bundle"]);
    assert!(to_file.status.success());
    let file = fs::read(sample.root().join("shop.ccg.zip")).expect("it is written");
    let piped = epoch(&["ccg", "bundle", "--output", "-"]);
    assert_eq!(piped.stdout, file);
    let refused = sample.lore(&["ccg", "bundle", "--files", "--output", "-"]);
    assert_eq!(refused.code, 2, "{refused}");
}

#[test]
fn lv_the_exit_status_says_whether_it_is_invalid_or_cannot_be_read() {
    let sample = Sample::new();
    fs::create_dir(sample.root().join("nothing")).expect("made");
    for (name, content) in [
        ("a.zip", ""),
        ("b.zip", "hello"),
        ("c.nq.gz", ""),
        ("d.txt", "hello"),
        ("e.json", "{"),
    ] {
        fs::write(sample.root().join(name), content).expect("written");
    }
    for (source, code) in [
        ("a.zip", 1),
        ("b.zip", 1),
        ("c.nq.gz", 1),
        ("d.txt", 1),
        ("e.json", 1),
        ("nothing", 1),
        ("gone.zip", 2),
        ("gone/", 2),
    ] {
        let outcome = sample.lore(&["ccg", "validate", source]);
        assert_eq!(outcome.code, code, "{source}: {outcome}");
    }
    for arguments in [
        ["ccg", "validate", "a.zip", "--at", "HEAD"].as_slice(),
        &["ccg", "get", "a.zip", "--at", "HEAD"],
        &["query", "ASK {}", "--from", "a.zip", "--at", "HEAD"],
    ] {
        let outcome = sample.lore(arguments);
        assert_eq!(outcome.code, 2, "{outcome}");
        assert!(
            outcome.stderr.contains("--at HEAD names a revision of this repository"),
            "{outcome}"
        );
    }
}
