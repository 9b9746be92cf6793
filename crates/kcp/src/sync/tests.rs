//! A manifest that follows its files.

use std::sync::Arc;

use super::{UnitSync, UnitSyncAnswer, UnitSyncRequest};
use crate::testing::{World, codes};
use lore_seam::{Operation, Verdict};

const TEXT: &str = "# mine\nkcp_version: \"0.12\"\nproject: p\nversion: 1.2.3 # of the manifest\nhints: {unit_count: 3, total_token_estimate: 300, has_summaries: true}\nunits:\n  # about a\n  - id: a\n    path: docs/a.md\n    intent: What is a?\n    scope: global\n    audience: [agent]\n    hints:\n      token_estimate: 100 # guessed\n      size_bytes: 3\n    x-own: [1, 2]\n\n  # about b\n  - id: b\n    path: docs/b.md\n    intent: What is b?\n    scope: global\n    audience: [agent]\n    depends_on: [a]\n\n  - {id: c, path: docs/c.md, intent: What is c?, scope: global, audience: [agent], hints: {token_estimate: 200, token_estimate_method: measured}}\n# the end\nrelationships:\n  - {from: a, to: b, type: enables}\n  - {from: b, to: c, type: context}\n";

fn world(files: &[(&str, &str)]) -> Arc<World> {
    let mut all = vec![("knowledge.yaml".to_owned(), TEXT.to_owned())];
    all.extend(
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned())),
    );
    Arc::new(World {
        now_ms: 20_509 * 86_400_000,
        ..crate::testing::with_files(all)
    })
}

fn run(world: &Arc<World>, request: UnitSyncRequest) -> (UnitSyncAnswer, Verdict) {
    let answer = UnitSync::run(&world.ctx(), request).unwrap();
    (answer.value, answer.verdict)
}

fn written(world: &World) -> String {
    let written = world.written.lock().unwrap();
    written
        .get("knowledge.yaml")
        .map(|bytes| String::from_utf8(bytes.clone()).unwrap())
        .unwrap_or_default()
}

/// What changed: lines that went and lines that came.
fn diff(text: &str) -> String {
    let lines = similar::TextDiff::from_lines(TEXT, text);
    let changed = lines
        .iter_all_changes()
        .filter(|change| change.tag() != similar::ChangeTag::Equal);
    changed.map(|change| format!("{}{change}", change.tag())).collect()
}

fn long(count: usize) -> String {
    "x".repeat(count)
}

#[test]
fn g2_sizes_estimates_and_counts_follow_the_files() {
    let (a, c) = (long(2_000), long(9_000));
    let world = world(&[("docs/a.md", &a), ("docs/b.md", "# B\n"), ("docs/c.md", &c)]);
    let (answer, verdict) = run(&world, UnitSyncRequest::default());
    assert_eq!((answer.written, verdict), (true, Verdict::Yes));
    let text = written(&world);
    assert_eq!(
        diff(&text),
        "-version: 1.2.3 # of the manifest\n-hints: {unit_count: 3, total_token_estimate: 300, has_summaries: true}\n+version: 1.2.4 # of the manifest\n+updated: \"2026-02-25\"\n+hints: {unit_count: 3, total_token_estimate: 700, has_summaries: false}\n-      token_estimate: 100 # guessed\n-      size_bytes: 3\n+      token_estimate: 500 # guessed\n+      size_bytes: 2000\n"
    );
    assert_eq!(codes(&text), Vec::<String>::new());
    assert_eq!(
        answer.notes,
        ["the tokens of `c` were measured as 200; from its size the estimate is 2300 now"]
    );
    let (again, verdict) = run(&world, UnitSyncRequest::default());
    assert_eq!((again.written, again.updated.len(), verdict), (false, 0, Verdict::Yes));
}

#[test]
fn g2_new_documents_come_and_those_that_are_gone_go_with_prune() {
    let files = [
        ("docs/b.md", "# B\n"),
        ("docs/c.md", "c"),
        ("docs/new.md", "# How to begin\n"),
        ("guides/far.md", "# Far\n"),
    ];
    let world = world(&files);
    let request = UnitSyncRequest {
        prune: true,
        ..UnitSyncRequest::default()
    };
    let (answer, _) = run(&world, request);
    assert_eq!(
        answer.removed.iter().map(|unit| unit.id.as_str()).collect::<Vec<_>>(),
        ["a"]
    );
    assert_eq!(
        answer.added.iter().map(|unit| unit.path.as_str()).collect::<Vec<_>>(),
        ["docs/new.md"]
    );
    assert_eq!(answer.elsewhere, 1);
    assert_eq!(answer.version.map(|version| version.to).as_deref(), Some("1.3.0"));
    let text = written(&world);
    assert!(!text.contains("about a") && text.contains("  # about b\n"), "{text}");
    assert!(
        text.contains("depends_on: []\n") && !text.contains("type: enables") && text.contains("type: context"),
        "{text}"
    );
    assert!(
        text.contains("  - id: new\n    path: docs/new.md\n    intent: \"How do I begin?\"\n    scope: module\n    audience: [human, agent]\n    validated: \"2026-02-25\"\n    triggers: ["),
        "{text}"
    );
    assert!(
        text.contains("unit_count: 3,") && text.contains("\n# the end\n"),
        "{text}"
    );
    assert_eq!(codes(&text), Vec::<String>::new());
}

#[test]
fn g2_a_document_that_is_gone_is_named_and_kept_without_prune() {
    let world = world(&[("docs/b.md", "# B\n"), ("docs/c.md", "c")]);
    let request = UnitSyncRequest {
        no_bump: true,
        ..UnitSyncRequest::default()
    };
    let (answer, _) = run(&world, request);
    let missing: Vec<(&str, u32)> = answer
        .missing
        .iter()
        .map(|file| (file.id.as_str(), file.line))
        .collect();
    assert_eq!(missing, [("a", 8)]);
    assert!(written(&world).contains("- id: a\n"));
    assert!(written(&world).contains("version: 1.2.3 #") && !written(&world).contains("updated"));
}

#[test]
fn g2_the_last_document_is_not_taken_out() {
    let world = world(&[]);
    let request = UnitSyncRequest {
        prune: true,
        ..UnitSyncRequest::default()
    };
    let error = UnitSync::run(&world.ctx(), request).unwrap_err();
    assert!(error.message.starts_with("every document of knowledge.yaml is missing"));
    assert!(world.written.lock().unwrap().is_empty());
}

#[test]
fn g2_check_writes_nothing_and_says_whether_it_is_in_step() {
    let world = world(&[("docs/a.md", "abc"), ("docs/b.md", "# B\n"), ("docs/c.md", "c")]);
    let check = || UnitSyncRequest {
        check: true,
        ..UnitSyncRequest::default()
    };
    assert_eq!(run(&world, check()).1, Verdict::No);
    assert!(world.written.lock().unwrap().is_empty());
    run(&world, UnitSyncRequest::default());
    assert_eq!(run(&world, check()).1, Verdict::Yes);
}

#[test]
fn g2_hints_are_added_where_they_are_wanted() {
    let world = world(&[("docs/a.md", "abc"), ("docs/b.md", "# B\n"), ("docs/c.md", "c")]);
    let request = UnitSyncRequest {
        add_hints: true,
        ..UnitSyncRequest::default()
    };
    run(&world, request);
    let text = written(&world);
    assert!(
        text.contains("    depends_on: [a]\n    hints:\n      token_estimate: 100\n\n"),
        "{text}"
    );
    assert!(text.contains("total_token_estimate: 400"), "{text}");
    assert_eq!(codes(&text), Vec::<String>::new());
}

#[test]
fn g2_a_version_that_is_none_and_a_pre_release_are_told_apart() {
    for (version, wanted) in [
        ("1.2.3-rc.1+b", Some("1.2.3")),
        ("one", None),
        ("0.9.9", Some("0.9.10")),
    ] {
        let text = TEXT.replace("version: 1.2.3 ", &format!("version: {version} "));
        let files = [
            ("knowledge.yaml", text.as_str()),
            ("docs/a.md", "abcd"),
            ("docs/b.md", "# B\n"),
            ("docs/c.md", "c"),
        ];
        let world = crate::testing::of_files(files);
        let (answer, _) = run(&world, UnitSyncRequest::default());
        assert_eq!(answer.version.map(|version| version.to).as_deref(), wanted, "{version}");
        assert_eq!(answer.notes.is_empty(), wanted.is_some(), "{version}");
    }
}
