//! `--verbose` and `LORE_LOG`: the causes of an error, and the log on standard error.

use std::fs;

use crate::support::{Outcome, Sample};

/// The lines of the log, without their times, and the other lines of standard error.
fn log_and_rest(outcome: &Outcome) -> (Vec<String>, Vec<String>) {
    let (log, rest): (Vec<&str>, Vec<&str>) = outcome.stderr.lines().partition(|line| line.contains(" DEBUG "));
    let without_time = |line: &str| {
        line.split_once(" DEBUG ")
            .map_or(String::new(), |(_, event)| event.to_owned())
    };
    (
        log.into_iter().map(without_time).collect(),
        rest.into_iter().map(str::to_owned).collect(),
    )
}

/// A sample with a store that is not a database.
fn with_a_broken_store() -> Sample {
    let sample = Sample::new();
    fs::write(
        sample.home().join("notes.db"),
        "notes, and no database of any kind\n".repeat(200),
    )
    .expect("written");
    sample
}

const BROKEN: &[&str] = &["--db", "../home/notes.db", "memory", "project", "list"];

#[test]
fn an_error_shows_its_causes_on_request() {
    let sample = with_a_broken_store();
    let error = "error: the store is not an SQLite database";
    let hint = "hint: move the file away, or choose another one with --db";
    let usual = sample.lore(BROKEN);
    assert_eq!(
        (usual.code, log_and_rest(&usual).1),
        (2, vec![error.to_owned(), hint.to_owned()])
    );
    let causes = [
        error,
        "caused by: file is not a database",
        "caused by: Error code 26: file is not a database",
        hint,
    ];
    let mut verbose = vec!["--verbose"];
    verbose.extend(BROKEN);
    let shown = sample.lore(&verbose);
    assert_eq!(
        (shown.code, log_and_rest(&shown).1),
        (2, causes.map(str::to_owned).to_vec())
    );
    let mut command = sample.command(BROKEN);
    command.env("LORE_LOG", "debug");
    let logged = sample.finish(command, "");
    assert_eq!(log_and_rest(&logged).1, causes.map(str::to_owned));
}

#[test]
fn an_error_in_json_has_its_causes_on_request() {
    let sample = with_a_broken_store();
    let mut arguments = vec!["--json"];
    arguments.extend(BROKEN);
    let error = |arguments: &[&str]| -> serde_json::Value {
        let outcome = sample.lore(arguments);
        let (_, rest) = log_and_rest(&outcome);
        serde_json::from_str(&rest.join("\n")).expect("an object")
    };
    assert_eq!(error(&arguments)["error"].get("causes"), None);
    arguments.push("--verbose");
    assert_eq!(
        error(&arguments)["error"]["causes"],
        serde_json::json!(["file is not a database", "Error code 26: file is not a database"])
    );
}

#[test]
fn the_log_has_an_event_for_each_look_at_the_tree() {
    let sample = Sample::new();
    let usual = sample.lore(&["find", "Cart.total"]);
    assert_eq!(usual.stderr, "");
    fs::write(sample.root().join("new.py"), "def new(): pass\n").expect("written");
    let built = sample.lore(&["find", "Cart.total", "--verbose"]);
    let current = sample.lore(&["find", "Cart.total", "--verbose"]);
    assert_eq!((&built.stdout, &current.stdout), (&usual.stdout, &usual.stdout));
    assert_eq!(
        [log_and_rest(&built).0, log_and_rest(&current).0],
        [
            [
                "lore_backends::repository: the snapshot was built root=[BASE]/shop extracted=1 with_errors=0 changed=true"
            ],
            ["lore_backends::repository: no file changed; the snapshot is current root=[BASE]/shop"]
        ]
    );
}

#[test]
fn the_log_can_be_limited_to_a_part_and_a_level() {
    let sample = Sample::new();
    let stderr = |setting: &str| {
        let mut command = sample.command(&["find", "Cart.total"]);
        command.env("LORE_LOG", setting);
        sample.finish(command, "").stderr
    };
    assert!(stderr("debug").contains("the snapshot was built"));
    assert_eq!(stderr("error"), "");
    assert_eq!(stderr("lore_backends::git=debug"), "");
    assert!(stderr("lore_backends::repository=debug").contains("the snapshot is current"));
    let wrong = stderr("lore=loud");
    assert!(wrong.starts_with("error: LORE_LOG is `lore=loud`: "), "{wrong}");
}
