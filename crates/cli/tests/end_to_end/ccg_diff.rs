//! `lore ccg diff` and `lore ccg verify`: arguments, configuration and exit codes.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Outcome, Sample};

fn parsed(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).expect(&outcome.stdout)
}

#[test]
fn d1_a_tree_and_itself_do_not_differ() {
    let sample = Sample::new();
    let shown = sample.lore(&["ccg", "diff", ".", "."]);
    assert_eq!(shown.code, 0, "{shown}");
    assert!(shown.stdout.ends_with("no named definition changed\n"), "{shown}");
    let document = parsed(&sample.lore(&["ccg", "diff", ".", ".", "--json"]));
    assert_eq!(document["@type"], json!("ccg:Diff"));
    assert_eq!(document["changes"]["symbols"]["added"], json!([]));
    // The sample is in no git repository, so that there is no HEAD.
    assert_eq!(sample.lore(&["ccg", "diff"]).code, 2);
}

#[test]
fn d2_a_diff_that_was_written_is_verified() {
    let sample = Sample::new();
    let written = sample.lore(&["ccg", "diff", ".", ".", "--output", "diff.json"]);
    assert_eq!(written.code, 0, "{written}");
    let verified = sample.lore(&["ccg", "verify", "diff.json"]);
    assert_eq!(
        (verified.code, verified.stdout.as_str()),
        (0, "verified\n"),
        "{verified}"
    );
    let plan = json!({ "target": "ccg:refactor/x", "changes": { "symbols": { "added": ["no_such_symbol"] } } });
    fs::write(sample.root().join("plan.json"), plan.to_string()).expect("a file");
    let missing = sample.lore(&["ccg", "verify", "plan.json", "--json"]);
    assert_eq!(missing.code, 1, "{missing}");
    assert_eq!(parsed(&missing)["verified"], json!(false));
}

#[test]
fn d4_the_constraints_of_lore_toml_are_checked() {
    let sample = Sample::new();
    let nothing = sample.lore(&["ccg", "verify"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (2, ""), "{nothing}");
    let configure = |text: &str| fs::write(sample.root().join("lore.toml"), text).expect("a file");
    configure("[[constraints]]\ntype = \"maxComplexity\"\nscope = \"*\"\nvalue = 1000\n");
    assert_eq!(sample.lore(&["ccg", "verify"]).code, 0);
    configure("[[constraints]]\ntype = \"maxComplexity\"\nscope = \"*\"\nvalue = 0\n");
    let broken = sample.lore(&["ccg", "verify", "--format", "sarif"]);
    assert_eq!(broken.code, 1, "{broken}");
    let log = parsed(&broken);
    assert_eq!(log["version"], json!("2.1.0"));
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], json!("maxComplexity"));
    let listed = sample.lore(&["config", "show", "--json"]);
    assert!(listed.stdout.contains("\"key\":\"constraints.1\""), "{listed}");
    configure("[[constraints]]\ntype = \"maxComplexity\"\nscope = \"*\"\n");
    let wrong = sample.lore(&["ccg", "verify"]);
    assert_eq!(wrong.code, 2, "{wrong}");
    assert!(
        wrong
            .stderr
            .contains("lore.toml: constraint 1 (maxComplexity): `value` is missing"),
        "{wrong}"
    );
}

#[test]
fn d4_a_user_has_no_constraints() {
    let sample = Sample::new();
    let directory = sample.home().join(".config/lore");
    fs::create_dir_all(&directory).expect("directories");
    fs::write(
        directory.join("config.toml"),
        "[[constraints]]\ntype = \"noCircularDeps\"\n",
    )
    .expect("a file");
    let refused = sample.lore(&["stats"]);
    assert_eq!(refused.code, 2, "{refused}");
    assert!(
        refused.stderr.contains("`constraints` belong to a repository"),
        "{refused}"
    );
}
