//! Repositories of every kind: which are read, which are written, and what is said of the others.

use lore_mind::patch_log::{HookState, PatchLog};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use lore_mind::open::open;
use lore_model::{Cancel, NoProgress};
use lore_seam::{ErrorKind, GraphScope, OpError};

use super::super::refs;
use super::support::{Place, Yard};

fn refused(place: &Place) -> OpError {
    place.try_link(1, "task:A blocks task:B").expect_err("it is refused")
}

#[test]
fn c30_outside_of_git_everything_says_so() {
    let yard = Yard::new();
    fs::create_dir(yard.path().join("plain")).expect("a directory");
    let place = yard.at("plain");
    let error = refused(&place);
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Unavailable, "not in a git repository")
    );
    let log = place.log();
    assert_eq!(log.tips().expect_err("no repository"), error);
    assert_eq!(log.state().expect_err("no repository"), error);
    assert_eq!(log.commit("HEAD", false).expect_err("no repository"), error);
    assert!(log.snapshot("graph").is_none());
    log.keep_snapshot("graph", b"x");
    assert_eq!(fs::read_dir(&place.path).expect("a directory").count(), 0);
    // A repository that appears is found.
    super::support::git(&place.path, &["init", "--quiet"], "");
    assert_eq!(log.tips().expect("tips").tips, []);
}

#[test]
fn c30_a_subdirectory_is_in_the_repository() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.commit("src/deep/x.rs", "", "first");
    let below = yard.at("a/src/deep");
    below.link(1, "task:A blocks task:B");
    assert_eq!(place.said(), below.said());
    assert!(!place.file("src/deep/.git").exists());
}

#[test]
fn c30_all_working_trees_of_a_repository_have_one_graph_and_one_writer() {
    let yard = Yard::new();
    let main = yard.init("a", &[]);
    main.commit("a.txt", "1", "first");
    main.git(&["worktree", "add", "--quiet", "-b", "topic", "../b"]);
    let tree = yard.at("b");
    let there = tree.commit("a.txt", "2", "second");
    main.link(1, "task:A blocks task:B");
    let patch = tree.link(2, "task:B blocks task:C").expect("a patch");
    assert_eq!(main.said(), tree.said());
    assert_eq!(main.open(None).expect("a graph").tips.tips.len(), 1);
    // The head is that of the working tree.
    let message = main.git(&["log", "-1", "--format=%B", &patch.to_hex()]);
    assert!(message.contains(&format!("Lore-Head: {there}")), "{message}");
    assert!(main.file(".git/lore/mind/lock").exists());
    assert!(!main.file(".git/worktrees/b/lore").exists());
}

#[test]
fn c30_a_bare_repository_is_read_and_written() {
    let yard = Yard::new();
    let bare = yard.server();
    bare.link(1, "task:A blocks task:B");
    assert_eq!(bare.open(None).expect("a graph").graph.edge_count(), 1);
    assert!(bare.log().state().expect("a state").bare);
    assert!(bare.file("lore/mind/lock").exists());
    assert_eq!(bare.fsck(), "true");
}

#[test]
fn c30_before_the_first_commit_a_patch_has_no_head() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let first = place.link(1, "task:A blocks task:B").expect("a patch");
    assert!(
        !place
            .git(&["log", "-1", "--format=%B", &first.to_hex()])
            .contains("Lore-Head")
    );
    let commit = place.commit("a.txt", "1", "first");
    let second = place.link(2, "task:B blocks task:C").expect("a patch");
    assert!(
        place
            .git(&["log", "-1", "--format=%B", &second.to_hex()])
            .contains(&format!("Lore-Head: {commit}"))
    );
}

#[test]
fn c30_objects_may_be_named_by_sha_256_though_the_code_of_such_a_repository_is_not_asked() {
    let yard = Yard::new();
    let server = yard.init("server", &["--bare", "--object-format=sha256"]);
    let (a, b) = (yard.clone_of("server", "a", &[]), yard.clone_of("server", "b", &[]));
    let commit = a.commit("a.py", "x = 1\n", "first");
    a.link(1, "task:A blocks task:B");
    b.link(2, "task:B blocks task:C");
    a.epoch(3, "HEAD");
    let said = a.said_at(&commit).expect("recorded");
    for place in [&a, &b, &a] {
        place.sync();
    }
    assert_eq!((a.said(), commit.len()), (b.said(), 64));
    assert_eq!(a.said_at("HEAD").expect("recorded"), said);
    assert_eq!((server.fsck(), a.fsck()), ("true".into(), "true".into()));
    let scope = GraphScope {
        revision: Some("HEAD".to_owned()),
        ..GraphScope::default()
    };
    let asked = a.ctx(0).ports.code.graph(&scope, &NoProgress, &Cancel::default());
    let asked = asked.map(|_| ());
    assert_eq!(
        asked.expect_err("it is refused").message,
        format!(
            "no git repository can be read at {}: its object ids are SHA-256",
            a.path.display()
        )
    );
}

#[test]
fn c30_references_in_reftable_are_refused_in_one_sentence() {
    let yard = Yard::new();
    let place = yard.init("a", &["--ref-format=reftable"]);
    let error = refused(&place);
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert_eq!(
        error.message,
        "the repository keeps its references in reftable, which Lore cannot read yet"
    );
    assert_eq!(place.log().tips().expect_err("it is refused"), error);
}

#[test]
fn c30_a_mirror_is_read_and_not_written() {
    let yard = Yard::new();
    yard.server();
    let a = yard.clone_of("server", "a", &[]);
    a.link(1, "task:A blocks task:B");
    a.sync();
    let mirror = yard.clone_of("server", "mirror", &["--mirror"]);
    assert_eq!(mirror.said(), a.said());
    let error = refused(&mirror);
    assert_eq!(
        error.message,
        "the repository mirrors the remote `origin`: its next fetch would take away what is written here"
    );
    assert_eq!(mirror.log().state().expect("a state").read_only, Some(error.message));
    assert!(!mirror.file("lore").exists());
    // A plain bare clone is no mirror.
    let bare = yard.clone_of("server", "bare", &["--bare"]);
    bare.link(2, "task:B blocks task:C");
    assert!(bare.log().prepare().expect("it is prepared")[0].added);
}

#[test]
fn c30_refspecs_cover_what_they_write_to() {
    let covers = |refspec: &str| refs::covers(refspec, refs::OWN);
    for yes in [
        "+refs/*:refs/*",
        "refs/*:refs/*",
        "refs/lore/*:refs/lore/*",
        "+refs/lore/mind/w/*:refs/lore/mind/w/*",
        "a:refs/lore/mind/w/x",
    ] {
        assert!(covers(yes), "{yes}");
    }
    for no in [
        "+refs/heads/*:refs/remotes/origin/*",
        "refs/heads/main",
        "^refs/*",
        "refs/lore/mind/w/*:refs/lore/mind/remotes/o/w/*",
        "",
    ] {
        assert!(!covers(no), "{no}");
    }
}

#[test]
fn c30_a_repository_of_another_user_is_read_and_not_written() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.link(1, "task:A blocks task:B");
    let said = place.said();
    // Only the system's own user may give files away.
    let mut chown = std::process::Command::new("chown");
    chown.args(["-R", "12345:12345", "a"]).current_dir(yard.path());
    if !lore_testing::output(&mut chown).status.success() {
        return;
    }
    assert_eq!(place.said(), said);
    let error = refused(&place);
    assert_eq!(
        error.message,
        format!(
            "{} belongs to another user: nothing is written to it",
            place.path.display()
        )
    );
    assert!(error.hints[0].starts_with("git config --global --add safe.directory "));
}

#[test]
fn c30_another_repository_is_read_only() {
    let yard = Yard::new();
    let (a, b) = (yard.init("a", &[]), yard.init("b", &[]));
    b.link(1, "task:A blocks task:B");
    let other = a.log().other("../b").expect("a repository");
    assert_eq!(other.tips().expect("tips").tips.len(), 1);
    assert_eq!(
        other.lock().err().expect("it is refused").message,
        "the other repository is read-only"
    );
    other.keep_snapshot("graph", b"x");
    assert!(!b.snapshots().join("graph").exists());
    let error = a.log().other("../nowhere").err().expect("there is none");
    assert_eq!(
        (error.kind, error.message),
        (
            ErrorKind::NotFound,
            format!("there is no directory {}", a.file("../nowhere").display())
        )
    );
    fs::create_dir(yard.path().join("plain")).expect("a directory");
    let error = a.log().other("../plain").err().expect("there is none");
    assert_eq!(
        error.message,
        format!("{} is not in a git repository", yard.path().join("plain").display())
    );
}

#[test]
fn c30_a_writer_that_no_reference_can_have_is_replaced() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.link(1, "task:A blocks task:B");
    for bad in ["../../heads/main", "Big", ""] {
        place.git(&["config", "lore.mind.writer", bad]);
        place.link(2, &format!("task:B blocks task:{}", bad.len()));
        assert!(refs::is_writer(&place.writer()), "{bad}");
    }
    assert_eq!(
        place.git(&["config", "--get-all", "lore.mind.writer"]).lines().count(),
        1
    );
    let opened = place.open(None).expect("a graph");
    assert_eq!((opened.graph.edge_count(), opened.tips.tips.len()), (4, 4));
    assert_eq!(place.fsck(), "true");
}

#[test]
fn c30_the_configuration_is_read_again_when_it_changes() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let log = place.log();
    assert_eq!(log.tips().expect("tips").writer, None);
    place.link(1, "task:A blocks task:B");
    assert_eq!(log.tips().expect("tips").writer, Some(place.writer()));
    place.git(&["remote", "add", "--mirror=fetch", "origin", "../nowhere"]);
    assert!(log.lock().is_err());
}

#[test]
fn c30_a_locked_configuration_is_an_error_and_nothing_is_written() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    fs::write(place.file(".git/config.lock"), "").expect("a lock");
    let error = refused(&place);
    let config = place.file(".git/config");
    assert_eq!(
        error.message,
        format!("{} is locked by another process", config.display())
    );
    assert_eq!(
        error.hints,
        [format!("remove {}.lock if no git runs here", config.display())]
    );
    assert_eq!(place.refs(), "");
    fs::remove_file(place.file(".git/config.lock")).expect("it is removed");
    place.link(1, "task:A blocks task:B");
}

#[test]
fn hold8_packed_and_unpacked_say_the_same() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    for at in 0..12 {
        place.link(at, &format!("task:{at} blocks task:x"));
    }
    let said = place.said();
    place.git(&["gc", "--quiet", "--prune=now"]);
    assert!(!place.file(&format!(".git/{}", place.own_ref())).exists());
    assert_eq!(place.said(), said);
    place.link(20, "task:20 blocks task:x");
    assert_eq!(place.open(None).expect("a graph").patches, 13);
    place.git(&["pack-refs", "--all"]);
    place.link(21, "task:21 blocks task:x");
    assert_eq!(place.open(None).expect("a graph").patches, 14);
    assert_eq!(place.fsck(), "true");
}

#[test]
fn hold8_who_keeps_a_repository_open_sees_what_others_do_to_it() {
    let yard = Yard::new();
    yard.server();
    let (place, other) = (yard.clone_of("server", "a", &[]), yard.clone_of("server", "b", &[]));
    let ctx = place.ctx(1);
    let seen = || {
        let opened = open(&ctx, None).expect("a graph");
        (opened.patches, opened.graph.edge_count())
    };
    assert_eq!(seen(), (0, 0));
    for at in 0..3 {
        place.link(at, &format!("task:{at} blocks task:x"));
    }
    assert_eq!(seen(), (3, 3));
    place.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(seen(), (3, 3));
    other.link(4, "task:4 blocks task:x");
    other.sync();
    place.sync();
    place.git(&["repack", "-adq"]);
    place.git(&["pack-refs", "--all"]);
    assert_eq!(seen(), (4, 4));
    let (edge, put) = super::support::words("task:5 blocks task:x");
    let patch = super::support::changed(&ctx, |_, changes, _| changes.put_edge(edge.clone(), put.clone()));
    assert!(patch.expect("it is written").is_some());
    assert_eq!(seen(), (5, 5));
    assert_eq!(place.open(None).expect("a graph").patches, 5);
}

#[test]
fn hold8_a_log_of_references_is_kept_where_git_is_told_to() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.git(&["config", "core.logAllRefUpdates", "always"]);
    place.link(1_000_000_000, "task:A blocks task:B");
    place.link(1_000_000_001, "task:B blocks task:C");
    let log = place.git(&["reflog", "show", "--format=%gs", &place.own_ref()]);
    assert_eq!(log, "mind: a change\nmind: a change");
}

#[test]
fn hold8_where_the_history_of_the_graph_is_cut_it_is_read_with_a_remark_and_not_written() {
    let yard = Yard::new();
    yard.server();
    let a = yard.clone_of("server", "a", &[]);
    a.commit("a.txt", "1", "first");
    a.git(&["push", "--quiet", "origin", "HEAD:main"]);
    for at in 0..5 {
        a.link(at, &format!("task:{at} blocks task:x"));
    }
    a.sync();
    let url = format!("file://{}", yard.path().join("server").display());
    let b = yard.clone_of(&url, "b", &["--depth", "1"]);
    b.log().prepare().expect("it is prepared");
    b.git(&["fetch", "--quiet", "--depth", "2"]);
    let opened = b.open(None).expect("a graph");
    assert!(opened.is_cut);
    assert_eq!(opened.graph.edge_count(), 2);
    let cut = "this clone does not have the older patches of the graph (shallow clone)";
    assert_eq!(opened.remarks()[0], format!("{cut}, so the graph is incomplete"));
    assert_eq!(refused(&b).message, cut);
    assert!(b.log().state().expect("a state").shallow);
    b.git(&["fetch", "--quiet", "--unshallow"]);
    assert_eq!(b.said(), a.said());
    b.link(9, "task:9 blocks task:x");
}

#[test]
fn hold8_a_partial_clone_fetches_what_it_lacks_at_once_and_says_when_it_cannot() {
    let yard = Yard::new();
    let server = yard.server();
    server.git(&["config", "uploadpack.allowFilter", "true"]);
    server.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let a = yard.clone_of("server", "a", &[]);
    a.commit("a.txt", "1", "first");
    a.git(&["push", "--quiet", "origin", "HEAD:main"]);
    for round in 0..3 {
        let nodes: String = (0..400).map(|at| format!("  - id: 'task:{round}-{at}'\n")).collect();
        a.import(round, &format!("version: 1\nnodes:\n{nodes}"));
    }
    a.sync();
    let url = format!("file://{}", server.path.display());
    for filter in ["--filter=blob:none", "--filter=tree:0"] {
        let b = yard.clone_of(&url, filter.trim_start_matches("--filter="), &[filter, "--no-checkout"]);
        b.log().prepare().expect("it is prepared");
        b.git(&["fetch", "--quiet"]);
        let away = yard.path().join("away");
        fs::rename(&server.path, &away).expect("it is moved");
        let error = b.open(None).err().expect("it is incomplete");
        assert_eq!(error.kind, ErrorKind::Unavailable);
        assert!(
            error
                .message
                .starts_with("parts of the graph exist on the server only, and cannot be fetched: "),
            "{}",
            error.message
        );
        assert_eq!(error.hints, ["try again when the remote `origin` can be reached"]);
        fs::rename(&away, &server.path).expect("it is moved back");
        assert_eq!(b.said(), a.said(), "{filter}");
        // Now it is all here.
        fs::rename(&server.path, &away).expect("it is moved");
        assert_eq!(b.said(), a.said());
        fs::rename(&away, &server.path).expect("it is moved back");
    }
    let whole = yard.clone_of(&url, "whole", &["--filter=blob:none", "--no-checkout"]);
    whole.try_sync(true, false).expect("it is fetched");
    fs::rename(&server.path, yard.path().join("away")).expect("it is moved");
    assert_eq!(whole.said(), a.said());
}

#[test]
fn hold8_an_object_that_is_gone_or_broken_is_an_error_and_nothing_is_skipped() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let nodes: String = (0..400).map(|at| format!("  - id: 'task:{at}'\n")).collect();
    let patch = place
        .import(1, &format!("version: 1\nnodes:\n{nodes}"))
        .expect("a patch")
        .to_hex();
    let blob = place.git(&["rev-parse", &format!("{patch}:ops")]);
    let object = |id: &str| place.file(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    let bytes = fs::read(object(&blob)).expect("an object");
    let put = |id: &str, bytes: &[u8]| {
        let path = object(id);
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).expect("it is written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("it is writable");
    };
    fs::remove_file(object(&blob)).expect("it is removed");
    let error = place.open(None).err().expect("it is incomplete");
    assert_eq!(
        error.message,
        "objects of the graph are missing, and this is not a partial clone"
    );
    put(&blob, b"broken");
    let error = place.open(None).err().expect("it is broken");
    assert!(
        error
            .message
            .starts_with(&format!("the object {blob} of a patch cannot be read")),
        "{}",
        error.message
    );
    put(&blob, &bytes);
    assert_eq!(place.open(None).expect("a graph").graph.node_count(), 400);
    put(&patch, b"broken");
    assert!(
        place.log().tips().expect("tips").faults[0]
            .1
            .starts_with("its target cannot be read")
    );
}

#[test]
fn hook1_the_hook_is_where_git_looks_for_it() {
    let yard = Yard::new();
    let script = lore_mind::hook::script;
    let own = script(Some("/opt/lore"));
    let place = yard.init("a", &[]);
    place.commit("src/a.txt", "1", "first");
    fs::remove_dir_all(place.file(".git/hooks")).expect("it is removed");
    let log = yard.at("a/src").log();
    assert_eq!(log.state().expect("a state").hook, HookState::Absent);
    let path = place.file(".git/hooks/post-commit");
    let text = path.display().to_string();
    assert_eq!(
        log.install_hook(script, Some("/opt/lore")).expect("it is installed"),
        HookState::Installed { path: text.clone() }
    );
    assert_eq!(fs::read_to_string(&path).expect("a hook"), own);
    assert_eq!(fs::metadata(&path).expect("a hook").permissions().mode() & 0o777, 0o755);
    assert_eq!(
        log.install_hook(script, Some("/opt/lore")).expect("it is there"),
        HookState::Present { path: text.clone() }
    );
    // A working tree has the hooks of its repository.
    place.git(&["worktree", "add", "--quiet", "../b"]);
    assert_eq!(
        yard.at("b")
            .log()
            .install_hook(script, Some("/opt/lore"))
            .expect("it is there"),
        HookState::Present { path: text.clone() }
    );
    // Somebody else's stays as it is.
    fs::write(&path, "#!/bin/sh\n# lore mind hook process-commit\nmake\n").expect("a hook");
    assert_eq!(
        log.install_hook(script, Some("/opt/lore")).expect("an answer"),
        HookState::Foreign { path: text.clone() }
    );
    assert_eq!(
        log.state().expect("a state").hook,
        HookState::Foreign { path: text.clone() }
    );
    fs::write(&path, format!("#!/bin/sh\nmake\n{}", &own[10..])).expect("a hook");
    assert_eq!(
        log.install_hook(script, Some("/opt/lore")).expect("an answer"),
        HookState::Present { path: text.clone() }
    );
    // A script of an earlier version, or one for a program at another place, is replaced.
    for old in [
        lore_mind::hook::OLD_SCRIPT.to_owned(),
        script(None),
        script(Some("/old/lore")),
    ] {
        fs::write(&path, old).expect("a hook");
        assert_eq!(
            log.install_hook(script, Some("/opt/lore")).expect("an answer"),
            HookState::Updated { path: text.clone() }
        );
        assert_eq!(fs::read_to_string(&path).expect("a hook"), own);
    }
    // A directory in the repository is used, one outside of it is not.
    place.git(&["config", "core.hooksPath", "own/hooks"]);
    let installed = log.install_hook(script, Some("/opt/lore")).expect("it is installed");
    let path = place.file("own/hooks/post-commit");
    let text = path.display().to_string();
    assert_eq!(installed, HookState::Installed { path: text });
    // It may be committed, and names no path of this machine.
    assert_eq!(fs::read_to_string(&path).expect("a hook"), script(None));
    place.git(&["config", "core.hooksPath", "../common"]);
    let error = log.install_hook(script, Some("/opt/lore")).expect_err("it is refused");
    assert!(error.message.starts_with("core.hooksPath is "), "{}", error.message);
    assert!(!Path::new(&yard.path().join("common")).exists());
    place.git(&["config", "core.hooksPath", "/nowhere/hooks"]);
    assert!(log.install_hook(script, Some("/opt/lore")).is_err());
    assert_eq!(log.state().expect("a state").hook, HookState::Absent);
}
