//! `lore graph publish` in a real git repository.

use std::fs;

use crate::support::{Outcome, Sample};

const GRAPH: &str = ".lore/graph.json";
const RECORD: &str = ".well-known/code-graph.json";

fn git(sample: &Sample, arguments: &[&str]) -> String {
    let mut command = lore_testing::git(&sample.root());
    command
        .args(arguments)
        .env("HOME", sample.home())
        .env("GIT_AUTHOR_DATE", "2026-11-16T08:00:00Z")
        .env("GIT_COMMITTER_DATE", "2026-11-16T08:00:00Z");
    lore_testing::run(&mut command).trim().to_owned()
}

/// The sample as a repository with a remote and a commit.
fn repository() -> Sample {
    let sample = Sample::new();
    git(&sample, &["init", "-q"]);
    git(&sample, &["remote", "add", "origin", "git@github.com:acme/shop.git"]);
    commit(&sample);
    sample
}

fn commit(sample: &Sample) -> String {
    git(sample, &["add", "-A"]);
    git(sample, &["commit", "-q", "--allow-empty", "-m", "some"]);
    git(sample, &["rev-parse", "HEAD"])
}

fn json(sample: &Sample, path: &str) -> serde_json::Value {
    let text = fs::read(sample.root().join(path)).expect("it is there");
    serde_json::from_slice(&text).expect("it is JSON")
}

fn publish(sample: &Sample, more: &[&str]) -> Outcome {
    sample.lore(&[&["graph", "publish"], more].concat())
}

#[test]
fn p9_a_repository_is_published_once_for_each_state_of_its_code() {
    let sample = repository();
    let head = git(&sample, &["rev-parse", "HEAD"]);
    let missing = publish(&sample, &["--check"]);
    assert_eq!(missing.code, 1, "{missing}");
    let first = publish(&sample, &[]);
    assert_eq!(first.code, 0, "{first}");
    let (graph, record) = (json(&sample, GRAPH), json(&sample, RECORD));
    let metadata = &graph["metadata"];
    assert_eq!(
        (&metadata["commit"], &metadata["generated_at"]),
        (&head.into(), &"2026-11-16T08:00:00Z".into())
    );
    // What publishing itself wrote makes no tree another one, nor is it part of the graph.
    assert_eq!(metadata["dirty"], false);
    let url = "https://raw.githubusercontent.com/acme/shop/main/.lore/graph.json";
    assert_eq!(record["graphs"][0]["graph_url"], url);
    let bytes = fs::read(sample.root().join(GRAPH)).expect("it is there");
    commit(&sample);
    let second = publish(&sample, &[]);
    assert_eq!(second.code, 0, "{second}");
    assert!(second.stdout.starts_with("up to date: .lore/graph.json"), "{second}");
    assert_eq!(fs::read(sample.root().join(GRAPH)).expect("it is there"), bytes);
    assert_eq!(git(&sample, &["status", "--porcelain"]), "");
    assert_eq!(publish(&sample, &["--check"]).code, 0);
    fs::write(sample.root().join("shop/extra.py"), "def more():\n    return 1\n").expect("written");
    let untracked = publish(&sample, &["--check"]);
    assert_eq!(untracked.code, 0, "{untracked}");
    assert!(
        untracked.stderr.contains("1 file that git does not track is left out"),
        "{untracked}"
    );
    git(&sample, &["add", "shop/extra.py"]);
    let differs = publish(&sample, &["--check"]);
    assert_eq!(differs.code, 1, "{differs}");
    assert!(differs.stdout.starts_with("out of date: .lore/graph.json"), "{differs}");
    assert_eq!(publish(&sample, &[]).code, 0);
    assert_eq!(json(&sample, GRAPH)["metadata"]["dirty"], true);
    // Once the code is committed the same graph is one of a commit.
    let head = commit(&sample);
    assert_eq!(publish(&sample, &["--check"]).code, 0);
    assert_eq!(publish(&sample, &[]).code, 0);
    assert_eq!(json(&sample, GRAPH)["metadata"]["commit"], head);
}

#[test]
fn p9_the_time_is_that_of_source_date_epoch_and_files_are_written_from_any_directory() {
    let sample = repository();
    let mut command = sample.command(&["graph", "publish", "--json"]);
    command
        .env("SOURCE_DATE_EPOCH", "1767323045")
        .current_dir(sample.root().join("shop"));
    let outcome = sample.finish(command, "");
    assert_eq!(outcome.code, 0, "{outcome}");
    let answer: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("it is JSON");
    assert_eq!(answer["generated_at"], "2026-01-02T03:04:05Z");
    assert_eq!(answer["files"][0]["state"], "written");
    assert_eq!(json(&sample, GRAPH)["metadata"]["generated_at"], "2026-01-02T03:04:05Z");
}

#[test]
fn amend_c1_without_a_remote_nothing_is_written_and_it_is_said_what_to_do() {
    let sample = Sample::new();
    let outcome = publish(&sample, &[]);
    assert_eq!(outcome.code, 2, "{outcome}");
    assert!(
        outcome.stderr.contains("git has no remote `origin`") && outcome.stderr.contains("--base-url"),
        "{outcome}"
    );
    assert!(!sample.root().join(RECORD).exists());
    let outcome = publish(&sample, &["--base-url", "https://example.org/shop"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    assert_eq!(
        json(&sample, RECORD)["graphs"][1]["graph_url"],
        "https://example.org/shop/.lore/graph.json"
    );
}

#[test]
fn p2_every_format_of_a_real_repository_is_published_and_sound() {
    let sample = repository();
    let formats = [
        "ccg@1",
        "understand-anything@1",
        "gitnexus@1",
        "code-review-graph@1",
        "bundle@1",
    ];
    let arguments: Vec<&str> = formats.iter().flat_map(|format| ["--format", format]).collect();
    let outcome = publish(&sample, &arguments);
    assert_eq!(outcome.code, 0, "{outcome}");
    assert_eq!(json(&sample, RECORD)["graphs"].as_array().map(Vec::len), Some(6));
    let packed = fs::read_to_string(sample.root().join(".lore/bundle.md")).expect("it is there");
    assert!(packed.contains("## shop/cart.py\n\n```python\n"), "{packed}");
    assert_eq!(publish(&sample, &[&arguments[..], &["--check"]].concat()).code, 0);
}
