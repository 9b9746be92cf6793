//! Where memory is kept, and how it gets out and in, as a user meets it.

use serde_json::{Value, json};

use crate::mcp::{call, talk_to};
use crate::support::Sample;

const EXPORT: &str = r#"{"lore":"memory","format":1}
{"kind":"project","id":"0199a3f0-5b1c-7d2e-8f00-0123456789ab","name":"Garden Shop","summary":"sells plants","version":3,"tags":["web"],"createdAt":"2026-11-16T08:00:00.000Z","modifiedAt":"2026-11-16T08:00:00.000Z"}
{"kind":"task","id":"0199a3f0-5b1c-7d2e-8f00-0123456789ac","projectId":"0199a3f0-5b1c-7d2e-8f00-0123456789ab","title":"Prices","summary":"s","status":"NEW","priority":"HIGH","complexity":3,"blockedBy":[],"relatedTo":[],"version":1,"tags":[],"createdAt":"2026-11-16T08:00:00.000Z","modifiedAt":"2026-11-16T08:00:00.000Z"}
"#;

fn sample() -> Sample {
    let sample = Sample::new();
    std::fs::write(sample.root().join("memory.jsonl"), EXPORT).expect("written");
    sample
}

fn json(sample: &Sample, arguments: &[&str]) -> Value {
    let outcome = sample.finish(sample.command(arguments), "");
    serde_json::from_str(&outcome.stdout).expect("one value of JSON")
}

#[test]
fn l8_an_export_goes_in_and_comes_out_again() {
    let sample = sample();
    let store = sample.home().join(".local/share/lore/lore.db");
    let status = json(&sample, &["memory", "status", "--json"]);
    assert_eq!(
        (&status["exists"], &status["path"]),
        (&json!(false), &json!("[BASE]/home/.local/share/lore/lore.db"))
    );
    assert!(!store.exists(), "a question makes no file");
    let outcome = sample.lore(&["memory", "import", "memory.jsonl", "--dry-run"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    assert!(!store.exists(), "a trial makes no file");
    let outcome = sample.lore(&["memory", "import", "memory.jsonl"]);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (0, "memory.jsonl imported 1 project, 1 task\n"),
        "{outcome}"
    );
    let outcome = sample.finish(sample.command(&["memory", "export"]), "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, EXPORT), "{outcome}");
    let outcome = sample.lore(&[
        "memory",
        "export",
        "--project",
        "Garden Shop",
        "--output",
        "again.jsonl",
    ]);
    assert_eq!(outcome.code, 0, "{outcome}");
    assert_eq!(
        std::fs::read_to_string(sample.root().join("again.jsonl"))
            .ok()
            .as_deref(),
        Some(EXPORT)
    );
    assert_eq!(sample.lore(&["memory", "export", "--project", "Nobody"]).code, 1);
    std::fs::write(sample.root().join("memory.jsonl"), EXPORT.replace("Prices", "Costs")).expect("written");
    let outcome = sample.lore(&["memory", "import", "memory.jsonl"]);
    assert_eq!(outcome.code, 1, "{outcome}");
    assert!(outcome.stderr.contains("--replace imports them"), "{outcome}");
    assert_eq!(sample.lore(&["memory", "import", "nowhere.jsonl"]).code, 2);
    assert_eq!(sample.lore(&["memory", "import", "README.md"]).code, 2);
}

#[test]
fn l11_a_repository_is_given_a_project() {
    let sample = sample();
    sample.lore(&["memory", "import", "memory.jsonl"]);
    assert_eq!(json(&sample, &["memory", "status", "--json"]).get("project"), None);
    let outcome = sample.lore(&["memory", "project", "link", "Garden Shop"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    let status = json(&sample, &["memory", "status", "--json"]);
    assert_eq!(status["project"]["name"], "Garden Shop");
    assert_eq!(sample.lore(&["memory", "export", "--project", "."]).code, 0);
    assert_eq!(sample.lore(&["memory", "project", "unlink", "."]).code, 0);
    assert_eq!(sample.lore(&["memory", "project", "unlink", "."]).code, 1);
}

#[test]
fn amend6_a_person_sets_everything_aside() {
    let sample = sample();
    sample.lore(&["memory", "import", "memory.jsonl"]);
    let outcome = sample.lore(&["memory", "sync"]);
    assert_eq!(outcome.code, 1, "it holds something: {outcome}");
    let outcome = sample.lore(&["memory", "sync", "--override"]);
    assert_eq!(outcome.code, 1, "the project is not this repository's: {outcome}");
    let answer = json(
        &sample,
        &["memory", "sync", "--override", "--project-too", "Garden Shop", "--json"],
    );
    let backup = answer["backupPath"].as_str().expect("a backup");
    let backup = sample.home().join(backup.trim_start_matches("[BASE]/home/"));
    let backup = backup.to_str().expect("a path");
    let outcome = sample.finish(sample.command(&["--db", backup, "memory", "export"]), "");
    assert_eq!(outcome.stdout, EXPORT, "{outcome}");
    let outcome = sample.finish(sample.command(&["memory", "export"]), "");
    assert_eq!(outcome.stdout, "{\"lore\":\"memory\",\"format\":1}\n", "{outcome}");
}

#[test]
fn s7_whoever_runs_lore_says_where_memory_is_kept_and_no_repository_does() {
    let sample = sample();
    let place = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = sample.command(&[arguments, &["memory", "status", "--json"]].concat());
        command.envs(variables.iter().copied());
        let outcome = sample.finish(command, "");
        let status: Value = serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome}"));
        status["path"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(place(&["--db", "/x/y.db"], &[("LORE_DB", "/z.db")]), "/x/y.db");
    assert_eq!(place(&[], &[("LORE_DB", "/z.db"), ("LORE_HOME", "/home")]), "/z.db");
    assert_eq!(
        place(&[], &[("LORE_HOME", "/home"), ("XDG_DATA_HOME", "/data")]),
        "/home/lore.db"
    );
    assert_eq!(place(&[], &[("XDG_DATA_HOME", "/data")]), "/data/lore/lore.db");
    let outcome = sample.lore(&["--db", "postgres://localhost/lore", "memory", "status"]);
    assert_eq!(
        (outcome.code, outcome.stderr.lines().next()),
        (
            2,
            Some("error: --db names a database of postgres, which Lore cannot use yet")
        ),
        "{outcome}"
    );
    std::fs::write(sample.root().join("lore.toml"), "db = \"/tmp/theirs.db\"\n").expect("written");
    let outcome = sample.lore(&["memory", "status"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    assert!(
        outcome
            .stderr
            .contains("`db` cannot be set by a repository; it is ignored"),
        "{outcome}"
    );
    assert!(!outcome.stdout.contains("theirs"), "{outcome}");
}

#[test]
fn t39_an_agent_makes_the_store_ready() {
    let sample = sample();
    let calls = [
        json!({}),
        json!({"override": true}),
        json!({"overide": true}),
        json!({"override": "yes"}),
    ];
    let calls = calls
        .into_iter()
        .zip(2..)
        .map(|(arguments, id)| call(id, "sync", arguments));
    let requests: Vec<Value> = calls.collect();
    let answers = talk_to(&sample, &["mcp", "--tools", "memory"], &requests);
    let told = &answers[&2]["result"]["structuredContent"];
    assert_eq!(told["success"], true, "{told}");
    assert_eq!(told["data"]["pipelines"]["task"], json!(["NEW", "ACTIVE", "CLOSED"]));
    for (answer, code) in
        (3..)
            .map_while(|id| answers.get(&id))
            .zip(["INVALID_OPERATION", "VALIDATION_ERROR", "VALIDATION_ERROR"])
    {
        let result = &answer["result"];
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["error"]),
            (&json!(true), &json!(code))
        );
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(
            serde_json::from_str::<Value>(text).ok().as_ref(),
            Some(&result["structuredContent"])
        );
    }
}
