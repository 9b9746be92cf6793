//! The table of replies, row by row.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::server::{Then, reply};
use crate::world::{SHA, World, body};

const ID: &str = "gitlab.lore.test/o/r";

/// A repository whose graph was visited once and found to be good; where the graph is.
fn visited(world: &World) -> String {
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", &body(&["alpha", "beta"], SHA))]);
    world.add(&[ID]);
    world.sync(&[]);
    assert_eq!(world.status(ID), "ok");
    world.forge.server.asked();
    repository.raw("generic@1.json")
}

/// What the registry tells of the graph of [`ID`]: its status, what is wrong, misses, numbers, and whether something is known of the last good body.
fn told(world: &World) -> String {
    let graph = world.graph(ID);
    let error = graph["last_error"].as_str().unwrap_or("-");
    let has_digest = if graph["last_sha"].is_string() {
        "digest"
    } else {
        "no digest"
    };
    format!(
        "{} [{error}] {} misses, {} nodes, {has_digest}",
        graph["status"].as_str().unwrap_or_default(),
        graph["miss_count"],
        graph["nodes"]
    )
}

/// What becomes of a good graph when its address answers with some bytes.
fn after(world: &World, url: &str, bytes: impl Into<Vec<u8>>) -> String {
    world.forge.page(url, bytes);
    world.sync(&[ID]);
    told(world)
}

#[test]
fn replyvalid_digest_and_size_are_those_of_the_body_and_the_body_is_held() {
    let world = World::new();
    visited(&world);
    let graph = world.graph(ID);
    let bytes = body(&["alpha", "beta"], SHA);
    assert_eq!(graph["size_bytes"], bytes.len());
    assert_eq!((&graph["nodes"], &graph["is_mirrored"]), (&json!(2), &json!(true)));
    let got = world.lore(&["graph", "get", ID, "--offline", "--output", "g.json"]);
    got.well();
    assert_eq!(std::fs::read(world.path("work/g.json")).unwrap(), bytes);
    // Another body moves digest and size, and the words by which it is found.
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", &body(&["gamma"], SHA))]);
    let summary = world.sync(&[ID]);
    assert_eq!((&summary["visited"], &summary["changed"]), (&json!(1), &json!(1)));
    let now = world.graph(ID);
    assert_ne!(now["last_sha"], graph["last_sha"]);
    assert_eq!(now["nodes"], 1);
    let found = |word: &str| {
        let search = world.lore(&["registry", "list", "--query", word]);
        search.stdout.contains(ID)
    };
    assert_eq!((found("gamma"), found("alpha")), (true, false));
}

#[test]
fn reply304_sync3_is_ok_again_after_a_failure_if_a_body_was_held() {
    let world = World::new();
    let url = visited(&world);
    world.sync(&[ID]);
    assert_eq!(
        world.forge.server.asked(),
        [
            "GET gitlab.lore.test/o/r/-/raw/HEAD/.well-known/code-graph.json if changed",
            "GET gitlab.lore.test/o/r/-/raw/HEAD/generic@1.json if changed",
            "POST gitlab.lore.test/o/r.git/git-upload-pack",
            // The commit is none that the repository has, so that it is asked for until it is known.
            "GET gitlab.lore.test/api/v4/projects/o%2Fr/repository/compare",
        ]
    );
    assert_eq!(told(&world), "ok [-] 0 misses, 2 nodes, digest");
    world.forge.status(&url, "500 Oops");
    world.sync(&[ID]);
    assert_eq!(told(&world), "transient_error [500] 0 misses, null nodes, digest");
    world.forge.plain(&url);
    let summary = world.sync(&[ID]);
    assert_eq!(told(&world), "ok [-] 0 misses, 2 nodes, digest");
    // The tip of the branch came, and no body.
    assert!(summary["bytes"].as_u64().unwrap() < 100, "{summary}");
}

#[test]
fn reply304_to_whoever_has_nothing_changes_nothing() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
    world
        .forge
        .status(&repository.raw("generic@1.json"), "304 Not Modified");
    world.add(&[ID]);
    world.sync(&[]);
    assert_eq!(told(&world), "pending [-] 0 misses, null nodes, no digest");
}

#[test]
fn reply404_sync6_410_and_404_are_misses_and_the_seventh_is_dead_until_something_is_there() {
    let world = World::new();
    let url = visited(&world);
    world.forge.status(&url, "404 Not Found");
    world.sync(&[ID]);
    assert_eq!(told(&world), "missing [404] 1 misses, null nodes, digest");
    // S10: what is not there is not given to anybody from the mirror.
    let got = world.lore(&["graph", "get", ID, "--offline"]);
    assert_ne!(got.code, 0, "{}", got.stdout);
    world.forge.status(&url, "410 Gone");
    for _ in 0..5 {
        world.sync(&[ID]);
    }
    assert_eq!(told(&world), "missing [410] 6 misses, null nodes, digest");
    // Ruling 4: what fails for now neither adds nor takes away.
    world.forge.status(&url, "500 Oops");
    world.sync(&[ID]);
    assert_eq!(told(&world), "transient_error [500] 6 misses, null nodes, digest");
    world.forge.status(&url, "404 Not Found");
    world.sync(&[ID]);
    assert_eq!(told(&world), "dead [404] 7 misses, null nodes, digest");
    // Ruling 12: it is visited all the same.
    world.forge.plain(&url);
    world.sync(&[ID]);
    assert_eq!(told(&world), "ok [-] 0 misses, 2 nodes, digest");
}

#[test]
fn reply4xx_is_for_now_with_its_code_and_not_tried_again() {
    let world = World::new();
    let url = visited(&world);
    for status in ["401 Unauthorized", "403 Forbidden", "451 Unavailable", "418 Teapot"] {
        world.forge.status(&url, status);
        world.forge.server.asked();
        world.sync(&[ID]);
        let code = &status[..3];
        assert_eq!(
            told(&world),
            format!("transient_error [{code}] 0 misses, null nodes, digest")
        );
        let asked = world.forge.server.asked();
        let bodies = asked.iter().filter(|asked| asked.contains("generic@1.json"));
        assert_eq!(bodies.count(), 1, "{asked:?}");
    }
}

#[test]
fn reply429_shuts_the_whole_host_for_this_run_and_for_the_next() {
    let world = World::new();
    let ids: Vec<String> = (0..6).map(|number| format!("gitlab.lore.test/o/r{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for id in &ids {
        let repository = world.forge.repository(id);
        repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
        world.forge.script(&repository.record(), |_, stream| {
            reply(stream, "429 Slow Down", &[("Retry-After", "3600")], b"")
        });
    }
    let other = "gitea.lore.test/o/r";
    world
        .forge
        .repository(other)
        .publish(&[("generic@1", &body(&["alpha"], SHA))]);
    world.add(&ids);
    world.add(&[other]);
    let summary: serde_json::Value = world.lore(&["registry", "sync", "--jobs", "1", "--json"]).json();
    assert!(summary["delayed_hosts"]["gitlab.lore.test"].is_string(), "{summary}");
    let asked = world.forge.server.asked();
    let of_lab: Vec<_> = asked.iter().filter(|asked| asked.contains("gitlab")).collect();
    assert_eq!(of_lab.len(), 1, "{asked:?}");
    assert_eq!(world.status(other), "ok");
    world.sync(&[]);
    let asked = world.forge.server.asked();
    assert!(asked.iter().all(|asked| !asked.contains("gitlab")), "{asked:?}");
}

#[test]
fn reply5xx_is_tried_three_times_and_is_for_now() {
    let world = World::new();
    let url = visited(&world);
    world.forge.status(&url, "503 Busy");
    world.sync(&[ID]);
    assert_eq!(told(&world), "transient_error [503] 0 misses, null nodes, digest");
    let asked = world.forge.server.asked();
    assert_eq!(asked.iter().filter(|asked| asked.contains("generic@1.json")).count(), 3);
    world.forge.script(&url, |_, _| Then::Dropped);
    world.sync(&[ID]);
    let told = told(&world);
    assert!(told.starts_with("transient_error [reset: "), "{told}");
}

#[test]
fn replylength_what_says_that_it_is_too_large_is_not_read() {
    let world = World::new();
    let url = visited(&world);
    world.forge.script(&url, |_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 52428801\r\n\r\n{");
        Then::Closed
    });
    let summary = world.sync(&[ID]);
    assert_eq!(
        told(&world),
        "oversize [more than 52428800 bytes] 0 misses, null nodes, digest"
    );
    assert!(summary["bytes"].as_u64().unwrap() < 100, "{summary}");
}

#[test]
fn replystream_a_bomb_is_left_when_it_has_grown_too_large() {
    let world = World::new();
    let url = visited(&world);
    world.forge.script(&url, |_, stream| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        let piece = vec![b' '; 1 << 20];
        for _ in 0..60 {
            packed.write_all(&piece).unwrap();
        }
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 100_000);
        reply(stream, "200 OK", &[("Content-Encoding", "gzip")], &packed)
    });
    world.sync(&[ID]);
    assert_eq!(
        told(&world),
        "oversize [more than 52428800 bytes] 0 misses, null nodes, digest"
    );
}

#[test]
fn replyjson_ruling20_what_is_no_json_is_invalid_and_the_digest_stays() {
    let world = World::new();
    let url = visited(&world);
    let digest = world.graph(ID)["last_sha"].clone();
    for bytes in ["", "{", "<html></html>", "{\"nodes\": [], \"edges\": []} more"] {
        let told = after(&world, &url, bytes);
        assert!(told.starts_with("invalid [not_json: "), "{bytes}: {told}");
    }
    // Ruling 20.
    assert_eq!(world.graph(ID)["last_sha"], digest);
}

#[test]
fn replystructure_depth_labels_and_references_are_invalid() {
    let world = World::new();
    let url = visited(&world);
    let deep = format!(r#"{{"nodes": {}{}, "edges": []}}"#, "[".repeat(33), "]".repeat(33));
    let long = format!(r#"{{"nodes": [{{"label": "{}"}}], "edges": []}}"#, "x".repeat(4_097));
    // Ruling 10: the key of just these letters, at any depth.
    let reference = r#"{"nodes": [{"a": [{"$ref": 1}]}], "edges": []}"#.to_owned();
    for bytes in [deep, long, reference] {
        let told = after(&world, &url, bytes);
        assert!(told.starts_with("invalid [structure: "), "{told}");
    }
    let value = r#"{"nodes": [{"a": "$ref", "$refs": 1}], "edges": []}"#;
    assert_eq!(after(&world, &url, value), "ok [-] 0 misses, 1 nodes, digest");
}

#[test]
fn replycounts_too_many_nodes_or_edges_are_invalid_and_not_oversize() {
    let world = World::new();
    let url = visited(&world);
    let many = |count: usize| vec!["1"; count].join(",");
    let nodes = |count: usize| format!(r#"{{"nodes": [{}], "edges": []}}"#, many(count));
    let edges = format!(r#"{{"nodes": [], "edges": [{}]}}"#, many(500_001));
    assert_eq!(
        after(&world, &url, nodes(100_000)),
        "ok [-] 0 misses, 100000 nodes, digest"
    );
    for bytes in [nodes(100_001), edges] {
        let told = after(&world, &url, bytes);
        assert!(told.starts_with("invalid [counts: "), "{told}");
    }
}

#[test]
fn replyschema_what_breaks_its_schema_is_invalid_with_five_places_at_most() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    let nodes = vec![json!({"id": "n", "kind": "nonsense"}); 9];
    let bytes = json!({"nodes": nodes, "edges": []}).to_string();
    repository.publish(&[("understand-anything@1", bytes.as_bytes()), ("strange@7", b"{}")]);
    world.add(&[ID]);
    world.sync(&[]);
    let graph = world.graph(ID);
    let error = graph["last_error"].as_str().unwrap();
    assert_eq!(graph["status"], "invalid");
    assert!(error.starts_with("schema: /nodes/0"), "{error}");
    assert_eq!(error.matches("/nodes/").count(), 5, "{error}");
    // A format that nobody knows is said to be that, and its address is not asked (V2).
    let other = world.show(ID)["graphs"][1].clone();
    assert_eq!(other["status"], "unsupported");
    assert!(
        other["last_error"]
            .as_str()
            .unwrap()
            .starts_with("unknown_format: strange@7")
    );
    let asked = world.forge.server.asked();
    assert!(asked.iter().all(|asked| !asked.contains("strange@7.json")), "{asked:?}");
}
