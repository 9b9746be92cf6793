//! Patches that somebody made with plain git and pushed: what they say does not count, what others say does, and everything goes on.

use lore_mind::patch_log::PatchLog;
use lore_mind::raw_patch::Descend;
use std::fmt::Write as _;
use std::fs;

use lore_model::Cancel;

use super::super::read;
use super::support::{Place, Yard, one_edge};

const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const GOOD: &str = "task:A\ntask:B\ntask:A --[blocks]--> task:B 1 1970-01-01T00:00:01.000Z\n";

/// A server with one good patch, a clone that wrote it, and one that will do evil.
struct Scene {
    yard: Yard,
    victim: Place,
    evil: Place,
}

impl Scene {
    fn new() -> Self {
        let yard = Yard::new();
        yard.server();
        let victim = yard.clone_of("server", "victim", &[]);
        let code = victim.commit("a.txt", "1", "first");
        for at in 0..3 {
            victim.commit("a.txt", &at.to_string(), "more");
        }
        assert_eq!(code.len(), 40);
        victim.git(&["push", "--quiet", "origin", "HEAD:main"]);
        victim.link(1, "task:A blocks task:B");
        victim.sync();
        let evil = yard.clone_of("server", "evil", &[]);
        evil.git(&["checkout", "--quiet", "main"]);
        evil.git_with(&["mktree"], "");
        Self { yard, victim, evil }
    }

    /// Makes a commit of a message as it is.
    fn commit(&self, tree: &str, parents: &[&str], message: &str) -> String {
        let mut commit = format!("tree {tree}\n");
        for parent in parents {
            let _ = writeln!(commit, "parent {parent}");
        }
        let who = "Eve <eve@example.org> 1 +0000";
        let _ = write!(commit, "author {who}\ncommitter {who}\n\n{message}");
        self.evil.git_with(
            &["hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
            &commit,
        )
    }

    /// Pushes an object under the name of a writer.
    fn push(&self, writer: &str, object: &str) {
        let refspec = format!("{object}:refs/lore/mind/w/{writer}");
        self.evil.git(&["push", "--quiet", "origin", &refspec]);
    }

    /// What the victim skips after a fetch, and that nothing else changed.
    fn skipped(&self) -> Vec<String> {
        self.victim.try_sync(true, false).expect("it is fetched");
        let opened = self.victim.open(None).expect("a graph");
        assert_eq!(super::support::said(&opened.graph), GOOD);
        let mut why: Vec<String> = opened
            .graph
            .skipped()
            .iter()
            .map(|skipped| skipped.why.to_string())
            .collect();
        why.sort_unstable();
        why
    }

    /// That the victim goes on, and that whoever comes later does not inherit what was skipped.
    fn goes_on(&self) {
        self.victim.link(2, "task:B blocks task:C").expect("a patch");
        let parents = self.victim.git(&["log", "-1", "--format=%P", &self.victim.own_ref()]);
        assert_eq!(parents.split(' ').count(), 1, "{parents}");
        self.victim.sync();
        assert_eq!(self.victim.open(None).expect("a graph").graph.edge_count(), 2);
    }

    /// Pushes one patch for each of some operations, fetches them, and goes on.
    fn refused(&self, operations: &[&str]) -> Vec<String> {
        for (at, lines) in operations.iter().enumerate() {
            let message = message(lines, &trailers("1", lines.lines().count()));
            self.push(&format!("evil{at}"), &self.commit(EMPTY, &[], &message));
        }
        let why = self.skipped();
        assert_eq!(why.len(), operations.len(), "{why:?}");
        self.goes_on();
        why
    }
}

fn message(lines: &str, trailers: &str) -> String {
    format!("mind: evil\n\n{lines}\n\n{trailers}\n")
}

fn trailers(lamport: &str, operations: usize) -> String {
    format!("Lore-Mind: 1\nLore-Lamport: {lamport}\nLore-Writer: evil\nLore-Operations: {operations}")
}

const NODE: &str = r#"["n","task:evil",{},[],[]]"#;

#[test]
fn hostile1_a_pushed_patch_with_a_bad_id_is_skipped() {
    let why = Scene::new().refused(&[
        r#"["n","Task:X",{},[],[]]"#,
        r#"["n","../../etc/passwd",{},[],[]]"#,
        r#"["N","",[],[]]"#,
    ]);
    assert_eq!(why.len(), 3);
}

#[test]
fn hostile2_a_pushed_patch_with_a_bad_confidence_is_skipped() {
    Scene::new().refused(&[
        r#"["e","task:X","task:Y","blocks",{"a":"2026-02-10T14:30:00.000Z","c":7},[]]"#,
        r#"["e","task:X","task:Y","blocks",{"a":"2026-02-10T14:30:00.000Z","c":NaN},[]]"#,
        r#"["e","task:X","task:Y","blocks",{"a":"2026-02-10T14:30:00.000Z","c":"0.9"},[]]"#,
    ]);
}

#[test]
fn hostile3_a_pushed_patch_that_blocks_itself_is_skipped() {
    Scene::new().refused(&[r#"["e","task:X","task:X","blocks",{"a":"2026-02-10T14:30:00.000Z","c":1},[]]"#]);
}

#[test]
fn hostile4_a_blob_that_is_small_only_while_it_is_packed_is_never_unpacked() {
    let scene = Scene::new();
    let zeros = "\n".repeat(65 << 20);
    let blob = scene.evil.git_with(&["hash-object", "-w", "--stdin"], &zeros);
    let tree = scene.evil.git_with(&["mktree"], &format!("100644 blob {blob}\tops\n"));
    let text = format!("mind: evil\n\n{}\n", trailers("1", 1));
    let patch = scene.commit(&tree, &[], &text);
    scene.push("evil", &patch);
    assert_eq!(scene.skipped(), ["one of its blobs is larger than a patch's may be"]);
    let log = scene.victim.log();
    let repository = log.open().expect("a repository").local();
    let id = lore_seam::ObjectId::from_hex(&patch).expect("an id");
    let cost = read::walk(repository, &[id], &|_| false, &mut |_| Descend::Yes, &Cancel::default());
    // The commit and its tree.
    assert_eq!(cost.expect("it is walked").objects, 2);
    scene.goes_on();
}

#[test]
fn hostile4_trees_of_another_shape_are_skipped() {
    let scene = Scene::new();
    let blob = scene
        .evil
        .git_with(&["hash-object", "-w", "--stdin"], &format!("{NODE}\n"));
    let inner = |lines: &str| scene.evil.git_with(&["mktree", "--missing"], lines);
    let text = format!("mind: evil\n\n{}\n", trailers("1", 1));
    let chunks = inner(&format!("100644 blob {blob}\t0000\n100644 blob {blob}\t0002\n"));
    let many: String = (0..70).map(|at| format!("100644 blob {blob}\t{at:04}\n")).collect();
    let many = inner(&many);
    let huge: String = (0..3_000).map(|at| format!("100644 blob {blob}\tx{at:05}\n")).collect();
    let huge = inner(&huge);
    let trees = [
        inner(&format!("100644 blob {blob}\tops\n100644 blob {blob}\tother\n")),
        inner(&format!("120000 blob {blob}\tops\n")),
        inner(&format!("040000 tree {chunks}\tops\n")),
        inner(&format!("040000 tree {many}\tops\n")),
        inner(&format!("040000 tree {huge}\tops\n")),
        huge,
    ];
    for (at, tree) in trees.iter().enumerate() {
        scene.push(&format!("evil{at}"), &scene.commit(tree, &[], &text));
    }
    let why = scene.skipped();
    assert_eq!(
        why.iter()
            .filter(|why| *why == "its tree is not that of a patch")
            .count(),
        5
    );
    assert_eq!(why.iter().filter(|why| *why == "it has too many blobs").count(), 1);
    scene.goes_on();
}

#[test]
fn hostile5_a_patch_on_top_of_the_code_leads_nobody_through_the_code() {
    let scene = Scene::new();
    let head = scene.evil.git(&["rev-parse", "HEAD"]);
    let patch = scene.commit(EMPTY, &[&head], &message(NODE, &trailers("1", 1)));
    scene.push("evil", &patch);
    assert_eq!(scene.skipped(), ["one of its parents is not a patch"]);
    let log = scene.victim.log();
    let repository = log.open().expect("a repository").local();
    let id = lore_seam::ObjectId::from_hex(&patch).expect("an id");
    let mut visit = |patch: &lore_mind::raw_patch::RawPatch<'_>| lore_mind::Fold::read(patch).1;
    let cost = read::walk(repository, &[id], &|_| false, &mut visit, &Cancel::default()).expect("it is walked");
    assert_eq!((cost.objects, cost.headers), (2, 0));
    scene.goes_on();
    // The code itself, as a chain.
    scene.push("code", &head);
    scene.victim.sync();
    let opened = scene.victim.open(None).expect("a graph");
    assert_eq!((opened.graph.edge_count(), opened.is_cut), (2, false));
}

#[test]
fn hostile6_a_parent_that_is_not_there_is_a_cut_history() {
    let scene = Scene::new();
    let missing = "1234567890123456789012345678901234567890";
    let patch = scene.commit(EMPTY, &[missing], &message(NODE, &trailers("7", 1)));
    // No server takes it: it can only be made where it is.
    let object = scene
        .evil
        .file(&format!(".git/objects/{}/{}", &patch[..2], &patch[2..]));
    let there = scene.victim.file(&format!(".git/objects/{}", &patch[..2]));
    fs::create_dir_all(&there).expect("a directory");
    fs::copy(object, there.join(&patch[2..])).expect("a copy");
    let reference = scene.victim.file(".git/refs/lore/mind/w/evil");
    fs::write(&reference, format!("{patch}\n")).expect("a reference");
    let opened = scene.victim.open(None).expect("a graph");
    assert!(opened.is_cut);
    let error = scene
        .victim
        .try_link(2, "task:B blocks task:C")
        .expect_err("it is refused");
    assert_eq!(
        error.message,
        "this clone does not have the older patches of the graph (shallow clone)"
    );
    fs::remove_file(reference).expect("it is removed");
    scene.goes_on();
}

#[test]
fn hostile7_a_pushed_lamport_time_that_the_parents_do_not_make_is_not_believed() {
    let scene = Scene::new();
    for (at, lamport) in ["4611686018427387904", "0", "-1", "2", ""].iter().enumerate() {
        scene.push(
            &format!("evil{at}"),
            &scene.commit(EMPTY, &[], &message(NODE, &trailers(lamport, 1))),
        );
    }
    let without = "Lore-Mind: 1\nLore-Writer: evil\nLore-Operations: 1";
    scene.push("without", &scene.commit(EMPTY, &[], &message(NODE, without)));
    assert_eq!(scene.skipped().len(), 6);
    scene.goes_on();
}

#[test]
fn hostile8_references_that_name_no_commit_are_named_and_passed_over() {
    let scene = Scene::new();
    let blob = scene.evil.git(&["rev-parse", "HEAD:a.txt"]);
    let tree = scene.evil.git(&["rev-parse", "HEAD^{tree}"]);
    scene.evil.git(&["tag", "-a", "-m", "x", "annotated"]);
    let tag = scene.evil.git(&["rev-parse", "annotated"]);
    scene.push("blob", &blob);
    scene.push("tree", &tree);
    scene.push("tag", &tag);
    assert_eq!(scene.skipped(), Vec::<String>::new());
    let faults = |place: &Place| {
        let mut faults: Vec<String> = place
            .log()
            .tips()
            .expect("tips")
            .faults
            .into_iter()
            .map(|(name, why)| format!("{} {why}", name.trim_start_matches("refs/lore/mind/")))
            .collect();
        faults.sort_unstable();
        faults
    };
    assert_eq!(
        faults(&scene.victim),
        [
            "remotes/origin/w/blob it names a blob, not a commit",
            "remotes/origin/w/tag it names a tag, not a commit",
            "remotes/origin/w/tree it names a tree, not a commit",
        ]
    );
    scene.goes_on();
    // What somebody put beside the chains here.
    scene
        .victim
        .git(&["symbolic-ref", "refs/lore/mind/w/link", "refs/heads/main"]);
    scene.victim.git(&["update-ref", "refs/lore/mind/other", "HEAD"]);
    scene.victim.git(&["update-ref", "refs/lore/mind/w/UPPER", "HEAD"]);
    fs::write(scene.victim.file(".git/refs/lore/mind/w/broken"), "not an id\n").expect("a reference");
    fs::write(
        scene.victim.file(".git/refs/lore/mind/w/gone"),
        "1234567890123456789012345678901234567890\n",
    )
    .expect("a reference");
    let found = faults(&scene.victim);
    for expected in [
        "other it is not where a chain of patches is",
        "w/UPPER it is not where a chain of patches is",
        "w/gone what it names is not there",
        "w/link it names another reference",
    ] {
        assert!(found.iter().any(|fault| fault == expected), "{found:?}");
    }
    assert_eq!(found.len(), 8, "{found:?}");
    assert_eq!(scene.victim.open(None).expect("a graph").graph.edge_count(), 2);
    // The own chain itself may be what is wrong.
    let own = scene.victim.own_ref();
    scene.victim.git(&["update-ref", &own, "HEAD^{tree}"]);
    let writer = scene.victim.writer();
    scene.victim.link(3, "task:C blocks task:D").expect("a patch");
    assert_ne!(scene.victim.writer(), writer);
}

#[test]
fn hostile9_deep_long_and_broken_bytes_that_were_pushed_are_skipped() {
    let deep = format!(
        r#"["n","task:X",{{"k":{}1{}}},[],[]]"#,
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let long = format!(r#"["n","task:X",{{"k":[{}1]}},[],[]]"#, "1,".repeat(200_000));
    let scene = Scene::new();
    scene.refused(&[&deep, &long, r#"["n","task:X",{"k":"\ud800"},[],[]]"#, "[", "x", "null"]);
    // Bytes that are no text.
    let who = "Eve <eve@example.org> 1 +0000";
    let head = format!("tree {EMPTY}\nauthor {who}\ncommitter {who}\n");
    let file = scene.yard.path().join("commit");
    for (at, bytes) in [&b"\xff\xfe"[..], b"a\0b"].iter().enumerate() {
        let mut commit = format!("{head}\nmind: evil\n\n").into_bytes();
        commit.extend_from_slice(bytes);
        commit.extend_from_slice(format!("\n\n{}\n", trailers("1", 1)).as_bytes());
        fs::write(&file, commit).expect("a file");
        let path = file.display().to_string();
        let id = scene
            .evil
            .git(&["hash-object", "-t", "commit", "-w", "--literally", &path]);
        scene.push(&format!("bytes{at}"), &id);
    }
    fs::write(
        &file,
        format!("{head}encoding latin1\n\n{}", message(NODE, &trailers("1", 1))),
    )
    .expect("a file");
    let id = scene.evil.git(&[
        "hash-object",
        "-t",
        "commit",
        "-w",
        "--literally",
        &file.display().to_string(),
    ]);
    scene.push("encoding", &id);
    scene.victim.sync();
    let opened = scene.victim.open(None).expect("a graph");
    assert_eq!((opened.graph.edge_count(), opened.graph.skipped().len()), (2, 9));
    assert!(
        opened
            .graph
            .skipped()
            .iter()
            .any(|skipped| &*skipped.why == "its message is not in UTF-8")
    );
}

#[test]
fn hostile10_unknown_operations_formats_and_counts_that_were_pushed_are_skipped() {
    let scene = Scene::new();
    let cases = [
        message(r#"["x","task:X"]"#, &trailers("1", 1)),
        message(NODE, &trailers("1", 2)),
        message(NODE, &trailers("1", 1).replace("Lore-Mind: 1", "Lore-Mind: 2")),
        message(NODE, &trailers("1", 1).replace("Lore-Mind: 1", "Lore-Mind: x")),
        message(NODE, &format!("{}\nMore: 1", trailers("1", 1))),
    ];
    for (at, text) in cases.iter().enumerate() {
        scene.push(&format!("evil{at}"), &scene.commit(EMPTY, &[], text));
    }
    let why = scene.skipped();
    assert_eq!(why.len(), cases.len());
    assert!(why.contains(&"it was written by a newer Lore".to_owned()), "{why:?}");
    scene.goes_on();
}

#[test]
fn hostile11_tags_of_nothing_and_times_of_the_future_that_were_pushed_take_nothing_away() {
    let scene = Scene::new();
    let good = scene.victim.git(&["rev-parse", &scene.victim.own_ref()]);
    let unknown = "1234567890123456789012345678901234567890";
    let edge = |fields: &str, tags: &str| format!(r#"["e","task:X","task:Y","blocks",{{{fields}}},{tags}]"#);
    let bad = [
        edge(r#""a":"2026-02-10T14:30:00.000Z","c":1"#, "[[0,0]]"),
        format!(
            "[\"p\",\"{unknown}\"]\n{}",
            edge(r#""a":"2026-02-10T14:30:00.000Z","c":1"#, "[[3,0]]")
        ),
        edge(r#""a":"now","c":1"#, "[]"),
        edge(r#""a":"2026-02-10T14:30:00.000Z","c":1,"cl":1"#, "[]"),
    ];
    let bad: Vec<&str> = bad.iter().map(String::as_str).collect();
    scene.refused(&bad);
    // These are whole, and name what is not theirs to take.
    let elsewhere = format!("[\"p\",\"{good}\",\"{unknown}\"]\n[\"E\",\"task:X\",\"task:Y\",\"blocks\",[[0,2],[1,0]]]");
    let text = message(&elsewhere, &trailers("2", 2));
    let chain = scene.evil.git(&["fetch", "--quiet", "origin", &scene.victim.own_ref()]);
    assert_eq!(chain, "");
    scene.push("elsewhere", &scene.commit(EMPTY, &[&good], &text));
    scene.victim.sync();
    assert_eq!(scene.victim.open(None).expect("a graph").graph.edge_count(), 2);
}

#[test]
fn hostile12_thousands_of_references_and_parents_are_read_and_bounded() {
    const COUNT: usize = 5_000;
    let scene = Scene::new();
    let mut stream = String::from("feature done\n");
    for at in 0..COUNT {
        let text = one_edge(1, "evil", &format!("file:{at} relates-to file:x"));
        let _ = write!(
            stream,
            "commit refs/lore/mind/w/evil{at}\nmark :{mark}\ncommitter Eve <eve@example.org> 1 +0000\ndata {len}\n{text}\n",
            mark = at + 1,
            len = text.len()
        );
    }
    stream.push_str("done\n");
    scene
        .evil
        .git_with(&["-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"], &stream);
    let all = scene
        .evil
        .git(&["for-each-ref", "--format=%(objectname)", "refs/lore/mind/w/"]);
    let parents: Vec<&str> = all.lines().take(2_000).collect();
    let many = scene.commit(EMPTY, &parents, &message(NODE, &trailers("2", 1)));
    scene.push("many", &many);
    scene
        .evil
        .git(&["push", "--quiet", "origin", "refs/lore/mind/w/*:refs/lore/mind/w/*"]);
    scene.victim.try_sync(true, false).expect("it is fetched");
    let opened = scene.victim.open(None).expect("a graph");
    assert_eq!(opened.patches, COUNT + 2);
    assert_eq!(opened.graph.edge_count(), COUNT + 1);
    let why: Vec<String> = opened
        .graph
        .skipped()
        .iter()
        .map(|skipped| skipped.why.to_string())
        .collect();
    assert_eq!(why, ["too many parents"]);
    // A patch has so many parents and no more; what comes after has the rest.
    scene.victim.link(2, "task:B blocks task:C").expect("a patch");
    let parents = |place: &Place| {
        place
            .git(&["log", "-1", "--format=%P", &place.own_ref()])
            .split(' ')
            .count()
    };
    assert_eq!(parents(&scene.victim), 1_001);
    scene.victim.link(3, "task:C blocks task:D").expect("a patch");
    assert_eq!(parents(&scene.victim), 1_001);
    let opened = scene.victim.open(None).expect("a graph");
    assert_eq!((opened.patches, opened.graph.edge_count()), (COUNT + 4, COUNT + 3));
}
