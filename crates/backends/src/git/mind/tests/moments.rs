//! The graph at commits of the code, as git names them.

use lore_mind::patch_log::PatchLog;
use lore_seam::ErrorKind;

use super::support::{Place, Yard, put_chain};

/// Records the graph at three commits; their ids.
fn recorded(place: &Place) -> Vec<String> {
    let mut commits = Vec::new();
    for (now, name) in (10..).zip(["A", "B", "C"]) {
        let commit = place.commit("code.txt", name, &format!("commit {name}"));
        place.link(now, &format!("task:{name} blocks task:all"));
        place.epoch(now, &commit);
        commits.push(commit);
    }
    commits
}

fn edges_at(place: &Place, revision: &str) -> (usize, bool) {
    let opened = place.open(Some(revision)).expect("it is recorded");
    (opened.graph.edge_count(), opened.as_of.expect("a moment").nearest)
}

#[test]
fn c27_a_commit_is_found_by_every_name_that_git_has_for_it() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let commits = recorded(&place);
    place.git(&["branch", "topic", "HEAD~1"]);
    place.git(&["tag", "light", "HEAD~1"]);
    place.git(&["tag", "-a", "-m", "x", "annotated", "HEAD~1"]);
    place.git(&["tag", "-a", "-m", "x", "twice", "annotated"]);
    for name in [
        "topic",
        "light",
        "annotated",
        "twice",
        "HEAD~1",
        "HEAD^",
        &commits[1],
        &commits[1][..7],
    ] {
        assert_eq!(edges_at(&place, name), (2, false), "{name}");
    }
    assert_eq!(edges_at(&place, "HEAD"), (3, false));
    // A commit that was not recorded is seen as its nearest ancestor was.
    place.git(&["checkout", "--quiet", "topic"]);
    let next = place.commit("code.txt", "D", "not recorded");
    place.link(20, "task:D blocks task:all");
    assert_eq!(edges_at(&place, "topic"), (2, true));
    let as_of = place.open(Some("HEAD")).expect("a graph").as_of.expect("a moment");
    assert_eq!((as_of.full_sha, as_of.recorded_sha), (next, Some(commits[1].clone())));
    for bad in ["", "-x", "--all"] {
        assert_eq!(
            place.open(Some(bad)).err().map(|error| error.kind),
            Some(ErrorKind::Invalid),
            "{bad}"
        );
    }
    for unknown in [
        "nowhere",
        "HEAD~9",
        "HEAD:code.txt",
        "0000000000000000000000000000000000000000",
    ] {
        let error = place.open(Some(unknown)).err().map(|error| error.kind);
        assert_eq!(error, Some(ErrorKind::NotFound), "{unknown}");
    }
}

#[test]
fn c27_a_commit_is_given_with_the_files_that_it_changed() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.commit("src/b.rs", "1", "first");
    let second = place.commit("a b.txt", "1", "second\n\nIMPLEMENTS: spec:a\n");
    place.git(&["mv", "src/b.rs", "src/c.rs"]);
    let third = place.commit("a b.txt", "2", "third");
    let log = place.log();
    let files = |revision: &str| log.commit(revision, true).expect("a commit").files;
    assert_eq!(files("HEAD~2"), ["src/b.rs"]);
    assert_eq!(files(&second), ["a b.txt"]);
    assert_eq!(files(&third), ["a b.txt", "src/b.rs", "src/c.rs"]);
    let commit = log.commit(&second, false).expect("a commit");
    assert_eq!(commit.message, "second\n\nIMPLEMENTS: spec:a\n");
    assert_eq!(
        (commit.files.len(), commit.time, commit.id.to_hex()),
        (0, 1_770_733_800, second)
    );
    let head = log.commit("HEAD", false).expect("a commit").id;
    let ancestors = log.ancestors(&head, 10).expect("ancestors");
    assert_eq!((ancestors.ids.len(), ancestors.ids[0], ancestors.cut), (3, head, false));
    let few = log.ancestors(&head, 2).expect("ancestors");
    assert_eq!((few.ids.len(), few.cut), (2, true));
}

#[test]
fn missed14_patches_that_were_fetched_later_are_not_shown_at_an_older_commit() {
    let yard = Yard::new();
    yard.server();
    let (a, b) = (yard.clone_of("server", "a", &[]), yard.clone_of("server", "b", &[]));
    // Written before, and fetched after.
    b.link(1, "task:X blocks task:all");
    b.sync();
    let commits = recorded(&a);
    let before: Vec<String> = commits
        .iter()
        .map(|commit| a.said_at(commit).expect("recorded"))
        .collect();
    a.sync();
    assert_eq!(a.open(None).expect("a graph").graph.edge_count(), 4);
    let after: Vec<String> = commits
        .iter()
        .map(|commit| a.said_at(commit).expect("recorded"))
        .collect();
    assert_eq!(before, after);
    a.link(30, "task:Y blocks task:all");
    assert_eq!(a.said_at(&commits[2]).expect("recorded"), before[2]);
}

#[test]
fn missed14_before_the_first_commit_and_before_the_first_patch_there_is_nothing() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.link(1, "task:A blocks task:B");
    let error = place.open(Some("HEAD")).err().expect("there is no commit");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::NotFound, "unknown git revision: `HEAD`")
    );
    let old = place.commit("a.txt", "1", "first");
    let error = place.open(Some(&old)).err().expect("nothing is recorded");
    let message = format!("nothing was recorded at `{old}` ({}) or before it", &old[..12]);
    assert_eq!(error.message, message);
    // What was written while a commit was checked out is the nearest thing to an epoch.
    place.commit("a.txt", "2", "second");
    place.link(2, "task:B blocks task:C");
    assert_eq!(edges_at(&place, "HEAD"), (2, true));
    assert_eq!(
        place.open(Some("HEAD~1")).err().map(|error| error.kind),
        Some(ErrorKind::NotFound)
    );
}

#[test]
fn missed14_a_shallow_clone_knows_the_commits_that_it_has() {
    let yard = Yard::new();
    yard.server();
    let a = yard.clone_of("server", "a", &[]);
    let commits = recorded(&a);
    a.git(&["push", "--quiet", "origin", "HEAD:main"]);
    a.sync();
    let url = format!("file://{}", yard.path().join("server").display());
    let shallow = yard.clone_of(&url, "shallow", &["--depth", "1"]);
    shallow.try_sync(true, false).expect("it is fetched");
    // The code has one commit, the graph all of its patches.
    assert_eq!(shallow.git(&["rev-list", "--count", "HEAD"]), "1");
    let opened = shallow.open(None).expect("a graph");
    assert_eq!((opened.graph.edge_count(), opened.is_cut), (3, false));
    assert_eq!(
        shallow.said_at("HEAD").expect("recorded"),
        a.said_at(&commits[2]).expect("recorded")
    );
    assert_eq!(
        shallow.open(Some(&commits[0])).err().map(|error| error.kind),
        Some(ErrorKind::NotFound)
    );
    let head = shallow.log().commit("HEAD", true).expect("a commit");
    assert_eq!(
        (head.id.to_hex(), head.files),
        (commits[2].clone(), Vec::<String>::new())
    );
    assert!(shallow.log().ancestors(&head.id, 10).expect("ancestors").cut);
    // Nothing recorded at the only commit: the error says that there may be more.
    shallow.commit("b.txt", "b", "not recorded");
    assert_eq!(edges_at(&shallow, "HEAD"), (3, true));
}

#[test]
fn c27_a_moment_that_was_kept_is_what_folding_gives() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    put_chain(&place, "w", 210);
    place.git(&["config", "lore.mind.writer", "w"]);
    let commit = place.commit("a.txt", "1", "first");
    place.epoch(5, &commit);
    let first = place.said_at(&commit).expect("recorded");
    assert!(
        std::fs::read_dir(place.snapshots())
            .expect("a directory")
            .flatten()
            .any(|entry| { entry.file_name().to_string_lossy().starts_with("at-") })
    );
    place.link(6, "task:0 blocks task:x");
    assert_eq!(place.said_at(&commit).expect("recorded"), first);
    place.log().drop_snapshots().expect("they are dropped");
    assert_eq!(place.said_at(&commit).expect("recorded"), first);
}
