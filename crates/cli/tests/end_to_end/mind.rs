//! `lore mind` in real git repositories: the commands, the hook, several clones, many processes, and processes that are killed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lore_testing::Running;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp::{call, error, talk_to, text};
use crate::support::{Outcome, Sample};

const LORE: &str = env!("CARGO_BIN_EXE_lore");

/// A directory for repositories, with a home of its own.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        let directory = TempDir::new().expect("a directory");
        let config = "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n";
        fs::write(directory.path().join(".gitconfig"), config).expect("written");
        Self { directory }
    }

    /// A place with a repository `a` that has no commit.
    fn with_repository() -> Self {
        let place = Self::new();
        place.git(".", &["init", "-q", "a"]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(path, content).expect("written");
    }

    /// A command with an environment in which git finds this `lore`.
    fn command(&self, program: &str, directory: &str, arguments: &[&str]) -> Command {
        let binaries = Path::new(LORE).parent().expect("a directory").to_path_buf();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(binaries).chain(std::env::split_paths(&path)));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.path(directory))
            .env_clear()
            .env("HOME", self.directory.path())
            .env("PATH", path.expect("a path"))
            .stdin(Stdio::null());
        command
    }

    fn git(&self, directory: &str, arguments: &[&str]) -> String {
        // Git finds this `lore` for its hooks, and nothing of the system.
        let mut command = self.command("git", directory, arguments);
        lore_testing::run(command.env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C"))
    }

    fn commit(&self, directory: &str, message: &str) {
        self.git(directory, &["add", "."]);
        self.git(directory, &["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn run(&self, directory: &str, line: &str) -> Outcome {
        let words: Vec<&str> = std::iter::once("mind").chain(line.split(' ')).collect();
        let output = lore_testing::output(&mut self.command(LORE, directory, &words));
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn yes(&self, directory: &str, line: &str) -> String {
        let outcome = self.run(directory, line);
        assert_eq!(outcome.code, 0, "{line}: {outcome}");
        outcome.stdout
    }

    fn json(&self, directory: &str, line: &str) -> Value {
        let text = self.yes(directory, &format!("{line} --json"));
        serde_json::from_str(&text).expect("JSON")
    }

    /// How many nodes and edges there are.
    fn counts(&self, directory: &str) -> (u64, u64) {
        let status = self.json(directory, "status");
        let count = |key: &str| status[key].as_u64().expect("a number");
        (count("nodes"), count("edges"))
    }

    /// What of git may not change where nothing is written.
    fn objects(&self, directory: &str) -> String {
        self.git(directory, &["for-each-ref"]) + &self.git(directory, &["count-objects", "-v"])
    }
}

/// A file of so many nodes and edges, each node blocking the next one, all beginning with a name.
fn chain(name: &str, count: usize) -> String {
    let mut text = String::from("version: 1\nnodes:\n");
    for at in 0..=count {
        let _ = writeln!(text, "- {{id: 'task:{name}-{at}', props: {{status: todo, n: {at}}}}}");
    }
    text.push_str("edges:\n");
    for at in 0..count {
        let _ = writeln!(
            text,
            "- {{source: 'task:{name}-{at}', target: 'task:{name}-{}', type: blocks, confidence: 0.9, rationale: r}}",
            at + 1
        );
    }
    text
}

#[test]
fn hold1_a_file_of_5000_items_is_imported_in_one_patch_and_read_by_the_next_process() {
    let place = Place::with_repository();
    place.write("big.yaml", &chain("x", 5_000));
    let told = place.json("a", "import ../big.yaml");
    assert_eq!(
        (&told["created"], &told["warnings"]),
        (&json!({"nodes": 5_001, "edges": 5_000}), &json!([]))
    );
    assert_eq!(place.counts("a"), (5_001, 5_000));
    assert_eq!(place.git("a", &["rev-list", "--all", "--count"]).trim(), "1");
    let before = (place.objects("a"), place.yes("a", "export"));
    let told = place.json("a", "import ../big.yaml");
    assert_eq!(
        (&told["updated"], &told["changed"], &told["patch"]),
        (
            &json!({"nodes": 5_001, "edges": 5_000}),
            &json!({"nodes": 0, "edges": 0}),
            &Value::Null
        )
    );
    assert_eq!((place.objects("a"), place.yes("a", "export")), before);
    place.git(".", &["init", "-q", "b"]);
    place.write("export.yaml", &before.1);
    place.yes("b", "import ../export.yaml");
    assert_eq!(place.yes("b", "export"), before.1);
    place.git("a", &["fsck", "--strict"]);
}

#[test]
fn hold2_500_patches_are_read_and_a_snapshot_is_kept_of_them() {
    let place = Place::with_repository();
    let mut stream = String::new();
    for at in 0..500 {
        let message = format!(
            "mind: link task:{at} blocks task:{next}\n\n[\"e\",\"task:{at}\",\"task:{next}\",\"blocks\",{{\"a\":\"2026-02-10T14:30:00.000Z\",\"c\":1}},[]]\n\nLore-Mind: 1\nLore-Lamport: {lamport}\nLore-Writer: mfzgk43uobqxg5dborsxg33pou\nLore-Operations: 1\n",
            next = at + 1,
            lamport = at + 1
        );
        let _ = write!(
            stream,
            "commit refs/lore/mind/remotes/origin/w/mfzgk43uobqxg5dborsxg33pou\ncommitter A <a@example.org> 1770733800 +0000\ndata {}\n{message}\n",
            message.len()
        );
    }
    let mut import = place.command("git", "a", &["fast-import", "--quiet"]);
    let imported = lore_testing::finish(&mut import, stream.as_bytes());
    assert!(imported.status.success(), "{imported:?}");
    assert_eq!(place.counts("a"), (501, 500));
    let status = place.json("a", "status");
    assert_eq!(status["patches"], 500);
    let kept = || {
        let trees = place.path(".cache/lore/trees").read_dir().expect("trees").flatten();
        trees.map(|tree| tree.path().join("mind")).find(|mind| mind.exists())
    };
    assert!(kept().expect("snapshots").read_dir().expect("kept").count() > 0);
    place.yes("a", "link task:500 task:501 --type blocks");
    place.yes("a", "unlink task:0 task:1 --type blocks");
    assert_eq!(place.counts("a"), (502, 500));
    let exported = place.yes("a", "export");
    fs::remove_dir_all(kept().expect("snapshots")).expect("removed");
    assert_eq!(place.yes("a", "export"), exported, "what is kept may be deleted");
    place.git("a", &["fsck", "--strict"]);
}

#[test]
fn hold3_a_chain_of_20000_is_walked_by_every_command_that_walks() {
    let place = Place::with_repository();
    place.write("chain.yaml", &chain("x", 20_000));
    assert_eq!(place.json("a", "import ../chain.yaml")["warnings"], json!([]));
    let view = place.json("a", "view blockers");
    assert_eq!(view["meta"]["rootBlockers"], json!(["task:x-0"]));
    let view = place.json("a", "view progress:critical-path");
    assert_eq!(view["nodes"].as_array().map(Vec::len), Some(20_001));
    let told = place.json("a", "link task:x-20000 task:x-0 --type blocks");
    let warning = told["warnings"][0].as_str().expect("a warning");
    assert!(
        warning.starts_with("cycle over blocks: task:x-0 → task:x-1 → ") && warning.ends_with(" → task:x-0"),
        "{warning}"
    );
    let doctor = place.run("a", "doctor --json");
    assert!(
        doctor.code == 0 && doctor.stdout.contains("cycle over blocks"),
        "{doctor}"
    );
}

/// Waits until something has happened, or the process has ended.
fn wait_until(running: &mut Running, mut happened: impl FnMut() -> bool) {
    lore_testing::until("the import gets on", || {
        let ended = running.child().try_wait().expect("known").is_some();
        (ended || happened()).then_some(())
    });
}

#[test]
fn hold5_an_import_that_is_killed_leaves_the_old_graph_or_the_new_one() {
    let place = Place::with_repository();
    place.yes("a", "link task:first task:second");
    let (mut nodes, mut edges) = (2, 1);
    let files = |directory: &str| fs::read_dir(place.path(directory)).map_or(0, Iterator::count);
    for round in 0..10 {
        let name = format!("r{round}");
        place.write(&format!("{name}.yaml"), &chain(&name, 2_000));
        let file = format!("../{name}.yaml");
        let before = (files("a/.git/objects"), place.git("a", &["for-each-ref"]));
        let mut command = place.command(LORE, "a", &["mind", "import", &file]);
        let mut running = Running::start(&mut command);
        match round % 5 {
            0 => {}
            // It has begun to write objects, or has written so many.
            stage @ 1..=3 => wait_until(&mut running, || files("a/.git/objects") >= before.0 + stage),
            _ => wait_until(&mut running, || place.git("a", &["for-each-ref"]) != before.1),
        }
        running.kill();
        place.git("a", &["fsck", "--strict"]);
        let after = place.counts("a");
        assert!(
            after == (nodes, edges) || after == (nodes + 2_001, edges + 2_000),
            "round {round}: {after:?} after {:?}",
            (nodes, edges)
        );
        place.yes("a", &format!("import {file}"));
        (nodes, edges) = (nodes + 2_001, edges + 2_000);
        assert_eq!(place.counts("a"), (nodes, edges));
    }
}

#[test]
fn hold6_four_processes_that_link_at_once_lose_nothing() {
    let place = Place::with_repository();
    lore_testing::scope("four processes link", |scope| {
        for process in 0..4 {
            let place = &place;
            scope.spawn(move || {
                for at in 0..25 {
                    place.yes("a", &format!("link task:{process}-{at} task:hub --type blocks"));
                }
            });
        }
    });
    assert_eq!(place.counts("a"), (101, 100));
    let writers = place.git("a", &["for-each-ref", "refs/lore/mind/w"]);
    assert_eq!(writers.lines().count(), 1, "{writers}");
    place.git("a", &["fsck", "--strict"]);
}

#[test]
fn c22_an_error_leaves_git_as_it_was() {
    let place = Place::with_repository();
    place.yes("a", "link task:a task:b");
    place.write("bad.yaml", &chain("x", 300).replace("task:x-200", "Task:x-200"));
    place.write("good.yaml", &chain("x", 300));
    let before = place.objects("a");
    let outcome = place.run("a", "import ../bad.yaml --json");
    let told: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(
        (outcome.code, &told["valid"], &told["patch"]),
        (1, &json!(false), &Value::Null)
    );
    for (line, code) in [
        ("import ../good.yaml --dry-run", 0),
        ("link task:a Bad", 2),
        ("link task:a commit:abc", 1),
        ("set task:none k v", 1),
        ("unset task:a k", 0),
        ("unlink task:b task:a", 0),
        ("remove-node task:a --dry-run", 0),
        ("at HEAD", 1),
        ("process-commit", 1),
        ("sync", 2),
        ("export", 0),
    ] {
        let outcome = place.run("a", line);
        assert_eq!(outcome.code, code, "{line}: {outcome}");
    }
    assert_eq!(place.objects("a"), before);
}

#[test]
fn missed12_values_are_kept_as_they_were_written() {
    let place = Place::with_repository();
    place.write(
        "v.yaml",
        "version: 1\nnodes:\n- id: 'task:a'\n  props: {day: 2026-01-01, large: 123456789012345678901234567890, ten: 1.10, nothing: null, deep: {a: {x: 1}}}\n",
    );
    place.yes("a", "import ../v.yaml");
    assert_eq!(
        place.yes("a", "export"),
        "version: 1\nnodes:\n  - id: \"task:a\"\n    props:\n      day: \"2026-01-01\"\n      deep: {\"a\": {\"x\": 1}}\n      large: 123456789012345678901234567890\n      nothing: null\n      ten: 1.10\n"
    );
}

#[test]
fn ref16_exports_and_the_hook_go_where_they_belong() {
    let place = Place::with_repository();
    place.yes("a", "link task:a task:b");
    place.yes("a", "export --format json out.txt");
    let json = fs::read_to_string(place.path("a/out.txt")).expect("written");
    assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON")["version"], 1);
    place.yes("a", "export out.json");
    assert_eq!(fs::read_to_string(place.path("a/out.json")).expect("written"), json);
    assert!(!place.path("a/json").exists());
    assert_eq!(place.run("a", "export out.json").code, 1);
    let outcome = place.run("a", "link --remote o/n task:a Bad");
    assert_eq!(
        (outcome.code, outcome.stderr.as_str()),
        (
            2,
            "error: `Bad` has no colon\nhint: write PREFIX:IDENTIFIER, for example task:BDK-001\n"
        )
    );
    place.write("a/sub/x", "x");
    place.commit("a", "one");
    place.yes("a/sub", "hook install");
    assert!(place.path("a/.git/hooks/post-commit").is_file());
    place.git("a", &["worktree", "add", "-q", "../w", "-b", "side"]);
    assert_eq!(place.json("w", "hook install")["state"], "present");
    fs::remove_file(place.path("a/.git/hooks/post-commit")).expect("removed");
    assert_eq!(place.json("w", "hook install")["state"], "installed");
    assert!(place.path("a/.git/hooks/post-commit").is_file());
}

#[test]
fn hook1_git_runs_the_hook_after_a_commit_in_every_working_tree() {
    let place = Place::with_repository();
    place.yes("a", "hook install");
    place.write("a/x.rs", "x");
    place.commit("a", "one\n\nIMPLEMENTS: spec:a\nBLOCKS: Bad\n");
    let head = place.git("a", &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(place.json("a", "at HEAD")["nearest"], false);
    let told = place.json("a", &format!("unlink commit:{head} spec:a --type implements"));
    assert_eq!(
        (&told["removed"], &told["edges"][0]["confidence"]),
        (&json!(true), &json!(0.8))
    );
    place.git("a", &["worktree", "add", "-q", "../w", "-b", "side"]);
    place.write("w/y.rs", "y");
    place.commit("w", "two\n\ndocuments: module:y");
    assert_eq!(place.json("w", "at HEAD")["nearest"], false);
    let other = place.git("w", &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(
        place.json("a", &format!("at {other}"))["status"]["byType"],
        json!({"documents": 1})
    );
}

#[test]
fn hook1_somebody_elses_hook_is_left_as_it_is() {
    let place = Place::with_repository();
    place.write("a/.git/hooks/post-commit", "#!/bin/sh\necho mine\n");
    let outcome = place.run("a", "hook install");
    assert_eq!(outcome.code, 1, "{outcome}");
    assert!(outcome.stdout.contains("lore mind process-commit HEAD"), "{outcome}");
    assert_eq!(
        fs::read_to_string(place.path("a/.git/hooks/post-commit")).expect("there"),
        "#!/bin/sh\necho mine\n"
    );
}

#[cfg(unix)]
#[test]
fn hook2_the_hook_prints_one_line_if_a_commit_is_not_recorded_and_never_fails() {
    let place = Place::with_repository();
    place.yes("a", "hook install");
    let hook = place.path("a/.git/hooks/post-commit");
    let run = |path: &str| {
        let mut command = Command::new("/bin/sh");
        command
            .arg(&hook)
            .current_dir(place.path("a"))
            .env_clear()
            .env("HOME", place.path("."))
            .env("PATH", path);
        let output = lore_testing::output(&mut command);
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    // There is no commit yet.
    let unrecorded = "lore: this commit is not recorded in the mind graph; `lore mind process-commit HEAD` says why\n";
    assert_eq!(run("/usr/bin:/bin"), unrecorded);
    place.write("a/x", "x");
    place.commit("a", "one");
    // The program that installed the hook is found, even if it is not on PATH.
    for path in ["/nowhere", "/usr/bin:/bin"] {
        assert_eq!(run(path), "", "{path}");
    }
    let text = fs::read_to_string(&hook).expect("a hook");
    fs::write(&hook, text.replace(LORE, "/nowhere/lore")).expect("written");
    assert_eq!(
        run("/nowhere"),
        "lore: this commit is not recorded in the mind graph, because lore is not on PATH; run `lore mind hook install` again\n"
    );
    assert_eq!(place.json("a", "hook install")["state"], "updated");
    assert_eq!(run("/nowhere"), "");
}

#[test]
fn hook7_files_are_linked_where_the_repository_wants_it() {
    let place = Place::with_repository();
    place.write("a/lore.toml", "[mind]\ntouches = true\n");
    place.write("a/src/x.rs", "x");
    place.commit("a", "one");
    place.write("a/src/x.rs", "y");
    place.commit("a", "two");
    let told = place.json("a", "process-commit");
    assert_eq!(told["edges"].as_array().map(Vec::len), Some(1));
    assert_eq!(told["edges"][0]["target"], "file:src/x.rs");
    let told = place.json("a", "process-commit HEAD~1");
    let targets: Vec<&str> = told["edges"]
        .as_array()
        .expect("edges")
        .iter()
        .filter_map(|edge| edge["target"].as_str())
        .collect();
    assert_eq!(targets, ["file:lore.toml", "file:src/x.rs"]);
}

#[test]
fn ref14_two_clones_write_push_and_fetch_without_force() {
    let place = Place::with_repository();
    place.commit("a", "one");
    place.git(".", &["init", "-q", "--bare", "server.git"]);
    place.git("a", &["remote", "add", "origin", "../server.git"]);
    place.git("a", &["push", "-q", "origin", "main"]);
    place.git(".", &["clone", "-q", "server.git", "b"]);
    for clone in ["a", "b"] {
        assert_eq!(place.json(clone, "init")["remotes"][0]["added"], true);
        place.yes(clone, &format!("link task:{clone} task:both --type blocks"));
        place.yes(clone, "link task:same task:both --rationale why");
        place.yes(clone, "process-commit");
    }
    let pushed = place.json("a", "sync");
    assert_eq!((&pushed["fetched"], &pushed["pushed"]), (&json!(0), &json!(1)));
    let pushed = place.json("b", "sync");
    assert_eq!((&pushed["fetched"], &pushed["pushed"]), (&json!(1), &json!(1)));
    place.git("a", &["fetch", "-q"]);
    let exported = place.yes("a", "export");
    assert_eq!(place.yes("b", "export"), exported);
    assert_eq!(place.yes("a", "edges --json"), place.yes("b", "edges --json"));
    for id in ["task:a", "task:b", "task:same"] {
        assert!(exported.contains(&format!("source: \"{id}\"")), "{exported}");
    }
    assert_eq!(place.yes("a", "at HEAD --json"), place.yes("b", "at HEAD --json"));
    place.yes("b", "unlink task:a task:both --type blocks");
    place.yes("b", "sync");
    place.yes("a", "sync --no-push");
    assert_eq!(place.yes("a", "export"), place.yes("b", "export"));
    place.git("server.git", &["fsck", "--strict"]);
}

#[test]
fn c27_tags_are_peeled_and_what_was_before_the_first_patch_is_not_found() {
    let place = Place::with_repository();
    place.commit("a", "before");
    place.commit("a", "one\n\nIMPLEMENTS: spec:a");
    place.yes("a", "process-commit");
    place.git("a", &["tag", "light"]);
    place.git("a", &["tag", "-a", "-m", "m", "heavy"]);
    place.git("a", &["tag", "-a", "-m", "m", "heavier", "heavy"]);
    place.commit("a", "two");
    place.yes("a", "link task:later spec:a");
    let head = place.git("a", &["rev-parse", "HEAD~1"]).trim().to_owned();
    let patch = place.json("a", "at light")["patch"].clone();
    for revision in ["light", "heavy", "heavier", "HEAD~1", &head[..7], &head] {
        let told = place.json("a", &format!("at {revision}"));
        assert_eq!(
            (&told["fullSha"], &told["patch"], &told["nearest"]),
            (&json!(head), &patch, &json!(false)),
            "{revision}"
        );
    }
    let told = place.json("a", "at main");
    assert_eq!((&told["patch"], &told["nearest"]), (&patch, &json!(true)));
    assert_eq!(place.run("a", "at HEAD~2").code, 1);
    assert_eq!(place.run("a", "at nothing").code, 1);
}

#[test]
fn c30_every_kind_of_repository_has_a_graph_and_no_repository_has_none() {
    let place = Place::with_repository();
    let outcome = place.run(".", "link task:a task:b");
    assert_eq!(
        (outcome.code, outcome.stderr.as_str()),
        (2, "error: not in a git repository\n")
    );
    // Before the first commit.
    place.yes("a", "link task:a task:b");
    assert_eq!(place.counts("a"), (2, 1));
    place.commit("a", "one");
    // A working tree of its own shares the graph.
    place.git("a", &["worktree", "add", "-q", "../w", "-b", "side"]);
    place.yes("w", "link task:w task:a");
    assert_eq!(place.counts("a"), (3, 2));
    // A bare repository.
    place.git(".", &["init", "-q", "--bare", "bare.git"]);
    place.git("a", &["push", "-q", "../bare.git", "main"]);
    place.git("bare.git", &["symbolic-ref", "HEAD", "refs/heads/main"]);
    place.yes("bare.git", "link task:x task:y");
    assert_eq!(place.json("bare.git", "process-commit")["edges"], json!([]));
    assert_eq!(place.json("bare.git", "at HEAD")["nearest"], false);
    // Objects that have longer names.
    place.git(".", &["init", "-q", "--object-format=sha256", "s"]);
    place.commit("s", "one\n\nIMPLEMENTS: spec:a");
    let told = place.json("s", "process-commit");
    assert_eq!(told["commit"].as_str().map(str::len), Some("commit:".len() + 64));
    assert_eq!(place.json("s", "at HEAD")["nearest"], false);
}

#[test]
fn merge1_a_neighbour_is_copied_under_the_name_of_its_remote() {
    let place = Place::with_repository();
    place.git(".", &["init", "-q", "b"]);
    place.git("b", &["remote", "add", "origin", "git@example.org:acme/shop.git"]);
    place.yes(
        "b",
        "link task:a spec:a --type implements --confidence 0.4 --rationale why",
    );
    let told = place.json("a", "merge --from ../b");
    assert_eq!(told["created"], json!({"nodes": 2, "edges": 1}));
    assert_eq!(place.json("a", "merge --from ../b")["patch"], Value::Null);
    assert!(place.yes("a", "export").contains("repo:acme/shop:task:a"));
    let before = place.objects("b");
    place.yes("a", "merge --from ../b --dry-run");
    assert_eq!(place.objects("b"), before);
}

#[test]
fn agents_link_set_and_import_in_the_repository_that_they_were_given() {
    let sample = Sample::new();
    lore_testing::run(lore_testing::git(&sample.root()).args(["init", "-q"]));
    fs::write(sample.root().join("m.yaml"), "version: 1\nnodes: [{id: 'task:m'}]\n").expect("written");
    // Requests of one conversation may be answered at the same time.
    let ask = |requests: &[Value]| talk_to(&sample, &["mcp"], requests);
    let arguments = json!({"source": "task:a", "target": "spec:b", "type": "implements", "confidence": 0.4});
    let mut replies = ask(&[call(1, "mind_link", arguments)]);
    replies.extend(ask(&[
        call(
            2,
            "mind_set",
            json!({"id": "task:a", "key": "size", "json_value": "123456789012345678901234567890"}),
        ),
        call(3, "mind_import", json!({"file": "m.yaml"})),
        call(4, "mind_import", json!({"file": "/etc/passwd"})),
    ]));
    replies.extend(ask(&[
        call(5, "mind_export", json!({})),
        call(6, "mind_export", json!({"file": "README.md", "force": true})),
        call(7, "mind_merge", json!({"from": "/"})),
        call(
            8,
            "mind_link",
            json!({"source": "task:a", "target": "spec:b", "confidence": "0.4"}),
        ),
    ]));
    let told: Value = serde_json::from_str(text(&replies[&1])).expect("JSON");
    assert_eq!(
        (&told["confidence"], &told["created"]),
        (&json!(0.4), &json!(true)),
        "{told}"
    );
    for refused in [4, 6, 7, 8] {
        error(&replies[&refused]);
    }
    let exported = text(&replies[&5]);
    assert!(
        exported.contains("size: 123456789012345678901234567890") && exported.contains("task:m"),
        "{exported}"
    );
    assert!(
        fs::read_to_string(sample.root().join("README.md"))
            .expect("there")
            .contains("A sample repository.")
    );
}
