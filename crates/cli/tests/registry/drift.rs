//! How far a repository has gone on since its graph was made: tips by git's own protocol, counts by the forge or a clone.

use serde_json::{Value, json};

use crate::server::reply;
use crate::world::{SHA, World, body};

/// A repository with a graph of its first commit, and so many commits behind that one.
fn published(world: &World, id: &str, later: usize) -> (String, String) {
    let repository = world.forge.repository(id);
    let source = repository.commit(&[("a.py", Some(b"def a(): pass\n"))]);
    let mut tip = repository.publish(&[("generic@1", &body(&["a"], &source))]);
    for number in 1..later {
        tip = repository.commit(&[("a.py", Some(format!("def a{number}(): pass\n").as_bytes()))]);
    }
    (source, tip)
}

fn drift(world: &World, id: &str) -> (Value, Value, Value) {
    let shown = world.show(id);
    let graph = &shown["graphs"][0];
    (
        graph["source_sha"].clone(),
        shown["head_sha"].clone(),
        graph["commits_behind"].clone(),
    )
}

const FORGES: [&str; 3] = [
    "octo/hello",
    "gitlab.lore.test/group/sub/hello",
    "gitea.lore.test/octo/hello",
];

#[test]
fn r4_seven_commits_behind_are_seven_on_every_kind_of_forge() {
    let world = World::new();
    let expected = FORGES.map(|id| published(&world, id, 7));
    world.add(&FORGES);
    world.sync(&[]);
    for (id, (source, tip)) in FORGES.iter().zip(expected) {
        assert_eq!(drift(&world, id), (json!(source), json!(tip), json!(7)), "{id}");
        assert_eq!(world.show(id)["default_branch"], "main");
    }
    let asked = world.forge.server.asked();
    for api in [
        "GET api.github.com/repos/octo/hello/compare/",
        "GET gitlab.lore.test/api/v4/projects/group%2Fsub%2Fhello/repository/compare",
        "GET gitea.lore.test/api/v1/repos/octo/hello/compare/",
    ] {
        assert_eq!(
            asked.iter().filter(|asked| asked.starts_with(api)).count(),
            1,
            "{asked:?}"
        );
    }
    // What is as it was is not counted again (R6), and one more commit is.
    world.sync(&FORGES);
    let asked = world.forge.server.asked();
    assert!(asked.iter().all(|asked| !asked.contains("compare")), "{asked:?}");
    world.forge.repository(FORGES[0]).commit(&[("b.py", Some(b"x"))]);
    world.sync(&[FORGES[0]]);
    assert_eq!(drift(&world, FORGES[0]).2, 8);
}

#[test]
fn r4_a_commit_that_the_repository_has_not_gives_null_and_the_tip_itself_gives_zero() {
    let world = World::new();
    let id = FORGES[1];
    let repository = world.forge.repository(id);
    repository.publish(&[("generic@1", &body(&["a"], SHA))]);
    world.add(&[id]);
    world.sync(&[]);
    assert_eq!(drift(&world, id), (json!(SHA), json!(repository.head()), Value::Null));
    // A body outside of the repository can be of its very tip.
    let head = repository.head();
    world.forge.page(&repository.raw("generic@1.json"), body(&["a"], &head));
    world.forge.server.asked();
    world.sync(&[id]);
    assert_eq!(drift(&world, id), (json!(head), json!(head), json!(0)));
    let asked = world.forge.server.asked();
    assert!(asked.iter().all(|asked| !asked.contains("compare")), "{asked:?}");
}

#[test]
fn r1_r2_without_a_commit_nothing_is_known_and_git_is_not_asked() {
    let world = World::new();
    let id = FORGES[1];
    let repository = world.forge.repository(id);
    repository.publish(&[("generic@1", br#"{"nodes": [], "edges": []}"#)]);
    world.add(&[id]);
    world.sync(&[]);
    assert_eq!(drift(&world, id), (Value::Null, Value::Null, Value::Null));
    let asked = world.forge.server.asked();
    assert!(asked.iter().all(|asked| asked.starts_with("GET")), "{asked:?}");
    // R1: the first commit of forty digits is taken; what is none counts as absent (J4).
    let short = br#"{"metadata": {"commit": "0123456"}, "nodes": [], "edges": []}"#;
    world.forge.page(&repository.raw("generic@1.json"), short.to_vec());
    world.sync(&[id]);
    assert_eq!(drift(&world, id).0, Value::Null);
}

#[test]
fn r1_the_commit_of_a_body_is_read_where_its_format_has_it() {
    let world = World::new();
    let id = FORGES[1];
    let repository = world.forge.repository(id);
    let source = repository.commit(&[("a.py", Some(b"x"))]);
    let bundle = json!({
        "manifest": {"tool": "t", "tool_version": "1", "generated_at": "2026-11-01T00:00:00Z", "file_count": 1,
            "byte_count": 1, "token_estimate": 1, "format": "markdown", "commit": source},
        "content_url": repository.raw("pack.md"),
    });
    let nexus = json!({"graph": {"nodes": [], "links": [], "metadata": {"commit": source}}});
    repository.publish(&[
        ("bundle@1", bundle.to_string().as_bytes()),
        ("gitnexus@1", nexus.to_string().as_bytes()),
        ("generic@1", &body(&["a"], &source.to_uppercase())),
    ]);
    world.add(&[id]);
    world.sync(&[]);
    let shown = world.show(id);
    for graph in shown["graphs"].as_array().unwrap() {
        assert_eq!(
            (&graph["status"], &graph["source_sha"]),
            (&json!("ok"), &json!(source)),
            "{graph}"
        );
        assert_eq!(graph["commits_behind"], 1, "{graph}");
    }
    // R7: one question to git for all of them.
    let asked = world.forge.server.asked();
    assert_eq!(
        asked.iter().filter(|asked| asked.starts_with("POST")).count(),
        1,
        "{asked:?}"
    );
}

#[test]
fn r3_a_server_of_the_older_protocol_lists_all_refs() {
    let world = World::new();
    let id = FORGES[1];
    let (source, tip) = published(&world, id, 3);
    world
        .forge
        .status("gitlab.lore.test/group/sub/hello.git/git-upload-pack", "405 No");
    world.add(&[id]);
    world.sync(&[]);
    assert_eq!(drift(&world, id), (json!(source), json!(tip), json!(3)));
    let asked = world.forge.server.asked();
    assert!(
        asked.contains(&"GET gitlab.lore.test/group/sub/hello.git/info/refs".to_owned()),
        "{asked:?}"
    );
}

#[test]
fn r3_the_tip_is_that_of_the_default_branch_whatever_it_is_called() {
    let world = World::new();
    let id = FORGES[2];
    let repository = world.forge.repository(id);
    crate::forge::git(
        &repository.directory,
        &["symbolic-ref", "HEAD", "refs/heads/trunk"],
        b"",
    );
    let (_, tip) = published(&world, id, 2);
    // A branch beside it has gone further.
    crate::forge::git(&repository.directory, &["branch", "main", "trunk"], b"");
    world.add(&[id]);
    world.sync(&[]);
    let shown = world.show(id);
    assert_eq!(
        (&shown["head_sha"], &shown["default_branch"]),
        (&json!(tip), &json!("trunk"))
    );
}

#[test]
fn r5_a_tip_that_cannot_be_had_changes_no_status_and_is_stamped() {
    let world = World::new();
    let id = FORGES[1];
    published(&world, id, 2);
    world.add(&[id]);
    for status in ["403 No", "500 Oops", "200 OK"] {
        for path in ["git-upload-pack", "info/refs"] {
            let at = format!("gitlab.lore.test/group/sub/hello.git/{path}");
            world
                .forge
                .script(&at, move |_, stream| reply(stream, status, &[], b"<html>"));
        }
        world.sync(&[id]);
        let shown = world.show(id);
        assert_eq!(
            (&shown["status"], &shown["head_sha"]),
            (&json!("ok"), &Value::Null),
            "{status}"
        );
        assert!(shown["drift_checked_at"].is_string(), "{shown}");
        assert_eq!(drift(&world, id).2, Value::Null);
    }
}

#[test]
fn r6_forges_are_asked_to_count_as_often_as_the_budget_says() {
    let world = World::new();
    let ids: Vec<String> = (0..4).map(|number| format!("gitlab.lore.test/o/r{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for id in &ids {
        published(&world, id, 2);
    }
    world.add(&ids);
    world.lore(&["registry", "sync", "--counts", "2", "--jobs", "1"]).well();
    let asked = world.forge.server.asked();
    assert_eq!(asked.iter().filter(|asked| asked.contains("compare")).count(), 2);
    // Those that were not counted have their turn in the next run.
    world.lore(&["registry", "sync", "--all", "--counts", "9"]).well();
    for id in &ids {
        assert_eq!(drift(&world, id).2, 2, "{id}");
    }
}

#[test]
fn r4_a_directory_of_clones_counts_before_the_forge_is_asked() {
    let world = World::new();
    let id = FORGES[1];
    let (source, tip) = published(&world, id, 5);
    let origin = world.forge.repository(id).directory;
    let clones = world.path("clones/gitlab.lore.test/group/sub");
    std::fs::create_dir_all(&clones).unwrap();
    let from = origin.display().to_string();
    crate::forge::git(&clones, &["clone", "--quiet", "--bare", &from, "hello.git"], b"");
    let address = format!("https://{id}.git");
    crate::forge::git(
        &clones.join("hello.git"),
        &["remote", "set-url", "origin", &address],
        b"",
    );
    world.add(&[id]);
    let directory = world.path("clones").display().to_string();
    world.lore(&["registry", "sync", "--clones", &directory]).well();
    assert_eq!(drift(&world, id), (json!(source), json!(tip), json!(5)));
    let asked = world.forge.server.asked();
    assert!(asked.iter().all(|asked| !asked.contains("compare")), "{asked:?}");
    // A clone that has fallen behind does not know the tip; the forge does.
    world.forge.repository(id).commit(&[("new.py", Some(b"x"))]);
    world.lore(&["registry", "sync", id, "--clones", &directory]).well();
    assert_eq!(drift(&world, id).2, 6);
    let asked = world.forge.server.asked();
    assert_eq!(
        asked.iter().filter(|asked| asked.contains("compare")).count(),
        1,
        "{asked:?}"
    );
}
