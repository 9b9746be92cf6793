//! What a registry never asks, never sends, and never gives away.

use serde_json::json;

use crate::server::reply;
use crate::world::{SHA, World, body};

const ID: &str = "octo/hello";

/// A repository whose record names a graph at an address.
fn naming(world: &World, id: &str, url: &str) {
    let record = json!({"schema_version": 1, "graphs": [{"format": "generic@1", "graph_url": url}]});
    let repository = world.forge.repository(id);
    repository.commit(&[(".well-known/code-graph.json", Some(record.to_string().as_bytes()))]);
}

#[test]
fn s1_s2_s3_sync2_an_address_that_is_not_asked_is_refused_with_its_reason_and_without_a_request() {
    let world = World::with("[graph]\nallow_hosts = [\"allowed.lore.test\", \"localhost\"]");
    let cases = [
        ("http", "http://raw.githubusercontent.com/octo/hello/HEAD/g.json"),
        ("port", "https://raw.githubusercontent.com:8443/octo/hello/HEAD/g.json"),
        (
            "user",
            "https://me:secret@raw.githubusercontent.com/octo/hello/HEAD/g.json",
        ),
        ("foreign", "https://elsewhere.lore.test/g.json"),
        ("pages", "https://other.github.io/g.json"),
        ("number", "https://127.0.0.1/g.json"),
        ("six", "https://[::1]/g.json"),
        ("metadata", "https://169.254.169.254/latest/meta-data/"),
        // Somebody allowed the name, and it leads inside.
        ("inside", "https://localhost/g.json"),
    ];
    for (name, url) in cases {
        naming(&world, &format!("octo/{name}"), url);
    }
    let ids: Vec<String> = cases.iter().map(|(name, _)| format!("octo/{name}")).collect();
    world.add(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    world.sync(&[]);
    for id in &ids {
        let shown = world.show(id);
        // A record whose only descriptor is no https address has none; the others are refused when they are asked for.
        let expected = match id.as_str() {
            "octo/http" => "invalid",
            _ => "refused",
        };
        assert_eq!(shown["status"], expected, "{shown:#}");
    }
    let asked = world.forge.server.asked();
    assert!(
        asked.iter().all(|asked| asked.ends_with("code-graph.json")),
        "{asked:?}"
    );
}

#[test]
fn s2_the_forge_the_owners_pages_and_allowed_hosts_are_asked() {
    let world = World::with("[graph]\nallow_hosts = [\"allowed.lore.test\"]");
    let bytes = body(&["alpha"], SHA);
    for (name, host) in [("pages", "octo.github.io"), ("allowed", "allowed.lore.test")] {
        let id = format!("octo/{name}");
        naming(&world, &id, &format!("https://{host}/g.json"));
        world.forge.page(&format!("{host}/g.json"), bytes.clone());
        world.add(&[&id]);
        world.sync(&[&id]);
        assert_eq!(world.status(&id), "ok", "{host}");
    }
    // The content of a bundle is held to the same.
    let bundle = json!({
        "manifest": {"tool": "t", "tool_version": "1", "generated_at": "2026-11-01T00:00:00Z", "file_count": 1,
            "byte_count": 1, "token_estimate": 1, "format": "markdown"},
        "content_url": "https://elsewhere.lore.test/pack.md",
    });
    let repository = world.forge.repository("octo/bundle");
    repository.publish(&[("bundle@1", bundle.to_string().as_bytes())]);
    world.add(&["octo/bundle"]);
    world.sync(&["octo/bundle"]);
    assert_eq!(
        world.status("octo/bundle"),
        "refused foreign_host: its content_url: its host is neither the repository's forge, nor its owner's pages, nor allowed"
    );
}

#[test]
fn s4_five_redirects_are_followed_and_each_is_judged() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
    let start = repository.raw("generic@1.json");
    let hop = |from: &str, to: &str| {
        let to = to.to_owned();
        world.forge.script(from, move |_, stream| {
            reply(stream, "302 Found", &[("Location", &to)], b"")
        });
    };
    world.add(&[ID]);
    let place = |number: usize| format!("https://raw.githubusercontent.com/hop/{number}");
    hop(&start, &place(1));
    for number in 1..5 {
        hop(&place(number), &place(number + 1));
    }
    world.forge.page(&place(5), body(&["far"], SHA));
    world.sync(&[]);
    assert_eq!(world.status(ID), "ok");
    hop(&place(5), &place(6));
    world.forge.page(&place(6), body(&["farther"], SHA));
    world.sync(&[ID]);
    let status = world.status(ID);
    assert!(
        status.starts_with("refused ") || status.starts_with("transient_error "),
        "{status}"
    );
    // In a circle, away, inside, and to http.
    for to in [
        start.as_str(),
        "https://elsewhere.lore.test/g.json",
        "https://127.0.0.1/g.json",
        "http://raw.githubusercontent.com/g.json",
        "https://raw.githubusercontent.com:22/g.json",
    ] {
        hop(&start, to);
        world.forge.server.asked();
        world.sync(&[ID]);
        let status = world.status(ID);
        assert!(!status.starts_with("ok"), "{to}: {status}");
        let asked = world.forge.server.asked();
        assert!(asked.iter().all(|asked| !asked.contains("elsewhere")), "{asked:?}");
    }
}

#[test]
fn s5_requests_carry_nothing_of_whoever_asks() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
    let url = repository.raw("generic@1.json");
    let bytes = body(&["alpha"], SHA);
    world.forge.script(&url, move |_, stream| {
        reply(stream, "200 OK", &[("Set-Cookie", "a=b"), ("ETag", "\"1\"")], &bytes)
    });
    world.add(&[ID]);
    world.sync(&[]);
    world.sync(&[ID]);
    let requests = world.forge.server.requests();
    assert!(requests.len() >= 6);
    for request in &requests {
        for never in ["cookie", "authorization", "referer", "proxy-authorization"] {
            assert_eq!(request.header(never), None, "{request:?}");
        }
        let agent = request.header("user-agent").unwrap_or_default();
        assert!(agent.starts_with("lore/"), "{agent}");
    }
}

#[test]
fn s6_of_two_members_the_last_counts_with_a_warning() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", br#"{"nodes": [1, 2], "edges": [], "nodes": [1]}"#)]);
    world.add(&[ID]);
    world.sync(&[]);
    let graph = world.graph(ID);
    assert_eq!((&graph["status"], &graph["nodes"]), (&json!("ok"), &json!(1)));
    let warnings = graph["warnings"].to_string();
    assert!(warnings.contains("nodes"), "{graph}");
}

#[test]
fn s9_what_strangers_write_is_escaped_in_every_document() {
    let world = World::new();
    let evil = "<script>alert(1)</script>\u{202e}\u{1b}[31m & \"quotes\"";
    let repository = world.forge.repository(ID);
    let record = json!({"schema_version": 1, "graphs": [{"format": "generic@1", "graph_url": repository.raw("g.json"),
        "description": evil}]});
    let bytes = json!({"nodes": [{"id": "1", "kind": "<b>kind</b>", "label": "evil"}], "edges": []});
    repository.commit(&[
        (".well-known/code-graph.json", Some(record.to_string().as_bytes())),
        ("g.json", Some(bytes.to_string().as_bytes())),
    ]);
    world.add(&[ID]);
    world.sync(&[]);
    assert_eq!(world.status(ID), "ok");
    world.lore(&["registry", "render", "public"]).well();
    let page = std::fs::read_to_string(world.path("work/public/index.html")).unwrap();
    assert!(page.contains("Content-Security-Policy") && !page.contains("alert(1)"));
    let badge = std::fs::read_to_string(world.path("work/public/badges/octo/hello.svg")).unwrap();
    assert!(badge.starts_with("<svg") && !badge.contains("<script"), "{badge}");
    let shown = world.lore(&["registry", "show", ID]).well();
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown:?}");
    let listed = world.lore(&["registry", "list"]).well();
    assert!(!listed.contains('\u{1b}') && !listed.contains('\u{202e}'), "{listed:?}");
}

#[test]
fn s10_s11_what_is_revoked_leaves_a_tombstone_and_is_refused_to_agents() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
    world.add(&[ID]);
    world.sync(&[]);
    world.lore(&["registry", "render", "public"]).well();
    world
        .lore(&["registry", "revoke", ID, "--reason", "a secret of ours"])
        .well();
    world.lore(&["registry", "render", "public"]).well();
    let registry = std::fs::read_to_string(world.path("work/public/registry.json")).unwrap();
    let registry: serde_json::Value = serde_json::from_str(&registry).unwrap();
    let entry = &registry["entries"][0];
    assert_eq!((&entry["id"], &entry["status"]), (&json!(ID), &json!("revoked")));
    assert_eq!(entry["last_sha"], serde_json::Value::Null);
    assert!(!registry.to_string().contains("a secret of ours"));
    // Its producer serves it still, and whoever asks this registry does not get it.
    for arguments in [&["graph", "get", ID][..], &["graph", "get", ID, "--offline"]] {
        let got = world.lore(arguments);
        assert_eq!(got.code, 1, "{}{}", got.stdout, got.stderr);
        assert!(got.stderr.contains("revoked"), "{}", got.stderr);
    }
    let asked = world.lore(&["stats", "--repo", ID]);
    assert_ne!(asked.code, 0, "{}", asked.stdout);
    let kept = world.lore(&["graph", "list", "--kept"]);
    assert!(!kept.stdout.contains(ID), "{}", kept.stdout);
}
