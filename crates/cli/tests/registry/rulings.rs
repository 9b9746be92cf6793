//! What was decided where the text is silent or contradicts itself, seen from outside.

use serde_json::{Value, json};

use crate::world::{SHA, World, body};

const ID: &str = "gitlab.lore.test/o/r";

#[test]
fn ruling1_what_was_not_visited_is_pending_and_published_as_that() {
    let world = World::new();
    world.add(&[ID]);
    world.render();
    assert_eq!(world.document("registry.json")["entries"][0]["status"], "pending");
    assert_eq!(world.document(".well-known/repos.json")["repos"], json!([]));
}

#[test]
fn ruling2_just_52428800_bytes_are_allowed() {
    let world = World::new();
    let url = world.visited(ID, &[("generic@1", &body(&["a"], SHA))]);
    let mut bytes = br#"{"nodes": [], "edges": []}"#.to_vec();
    bytes.resize(52_428_800, b' ');
    world.forge.page(&url, bytes.clone());
    world.sync(&[ID]);
    assert_eq!(world.status(ID), "ok");
    bytes.push(b' ');
    world.forge.page(&url, bytes);
    world.sync(&[ID]);
    assert_eq!(world.status(ID), "oversize more than 52428800 bytes");
}

#[test]
fn ruling3_too_many_nodes_are_invalid() {
    let world = World::new();
    let nodes = format!(r#"{{"nodes": [{}], "edges": []}}"#, vec!["0"; 100_001].join(","));
    world.visited(ID, &[("generic@1", nodes.as_bytes())]);
    assert_eq!(world.status(ID), "invalid counts: more than 100000 nodes");
}

#[test]
fn ruling4_misses_are_404_and_410_alone_and_a_body_ends_them() {
    let world = World::new();
    let url = world.visited(ID, &[("generic@1", &body(&["a"], SHA))]);
    let mut misses = Vec::new();
    for status in ["404 No", "500 Oops", "403 No", "410 Gone", "404 No"] {
        world.forge.status(&url, status);
        world.sync(&[ID]);
        misses.push(world.graph(ID)["miss_count"].as_u64().unwrap());
    }
    assert_eq!(misses, [1, 1, 1, 2, 3]);
    world.forge.plain(&url);
    world.sync(&[ID]);
    assert_eq!(world.graph(ID)["miss_count"], 0);
}

#[test]
fn ruling5_the_first_graph_is_the_repositorys_and_others_bear_their_format() {
    let world = World::new();
    let one = body(&["a"], SHA);
    world.visited(
        ID,
        &[
            ("generic@1", &one),
            ("gitnexus@1", br#"{"graph": {"nodes": [], "links": []}}"#),
        ],
    );
    world.render();
    let entry = world.document("registry.json")["entries"][0].clone();
    assert_eq!((&entry["id"], &entry["format"]), (&json!(ID), &json!("generic@1")));
    assert_eq!(entry["graphs"][0]["format"], "gitnexus@1");
    assert_eq!(world.document("registry.json")["entries"].as_array().unwrap().len(), 1);
    let other = format!("{ID}#gitnexus@1");
    let got = world.lore(&["graph", "get", &other, "--json"]).json();
    assert_eq!(got["graph"]["format"], "gitnexus@1", "{got:#}");
    // One of them can be taken back alone.
    world.lore(&["registry", "revoke", &other]).well();
    world.sync(&[ID]);
    let shown = world.show(ID);
    assert_eq!(
        (&shown["graphs"][0]["status"], &shown["graphs"][1]["status"]),
        (&json!("ok"), &json!("revoked"))
    );
}

#[test]
fn ruling5_when_the_first_graph_is_taken_back_the_next_one_stands_for_the_repository() {
    let world = World::new();
    let one = body(&["a"], SHA);
    world.visited(
        ID,
        &[
            ("gitnexus@1", br#"{"graph": {"nodes": [], "links": []}}"#),
            ("generic@1", &one),
        ],
    );
    world.lore(&["graph", "get", ID]).well();
    world.lore(&["registry", "revoke", &format!("{ID}#gitnexus@1")]).well();
    world.sync(&[ID]);
    assert_eq!(world.show(ID)["status"], "ok");
    let got = world
        .lore(&["graph", "get", &format!("{ID}#generic@1"), "--json"])
        .json();
    assert_eq!(got["graph"]["format"], "generic@1", "{got:#}");
    world.render();
    let entry = world.document("registry.json")["entries"][0].clone();
    assert_eq!(
        (&entry["status"], &entry["format"]),
        (&json!("ok"), &json!("generic@1")),
        "{entry:#}"
    );
    assert_eq!(entry["graphs"][0]["status"], "revoked", "{entry:#}");
    let refused = world.lore(&["graph", "get", &format!("{ID}#gitnexus@1")]);
    assert_eq!(refused.code, 1, "{}{}", refused.stdout, refused.stderr);
}

#[test]
fn ruling6_other_forges_have_their_host_in_front_and_groups_in_the_owner() {
    let world = World::new();
    let id = "gitlab.lore.test/group/sub/deep/repo";
    world.visited(id, &[("generic@1", &body(&["a"], SHA))]);
    world.visited("octo/hello", &[("generic@1", &body(&["b"], SHA))]);
    assert_eq!(
        (world.status(id), world.status("octo/hello")),
        ("ok".to_owned(), "ok".to_owned())
    );
    world.render();
    let entries = world.document("registry.json")["entries"].clone();
    assert_eq!(
        (&entries[0]["host"], &entries[0]["owner"]),
        (&json!("gitlab.lore.test"), &json!("group/sub/deep"))
    );
    assert_eq!(entries[1].get("host"), None);
}

#[test]
fn ruling7_ids_are_the_same_whatever_the_case_and_shown_as_given() {
    let world = World::new();
    world
        .forge
        .repository("Octo/Hello")
        .publish(&[("generic@1", &body(&["a"], SHA))]);
    world.add(&["Octo/Hello"]);
    let again = world.lore(&["registry", "add", "octo/hello"]);
    assert_eq!(again.code, 1, "{}{}", again.stdout, again.stderr);
    world.sync(&["OCTO/hello"]);
    assert_eq!(
        (world.show("octo/HELLO")["id"].clone(), world.status("octo/hello")),
        (json!("Octo/Hello"), "ok".to_owned())
    );
}

#[test]
fn ruling8_metadata_that_is_missing_is_a_warning() {
    let world = World::new();
    world.visited(ID, &[("generic@1", br#"{"nodes": [], "edges": []}"#)]);
    let graph = world.graph(ID);
    assert_eq!(graph["status"], "ok");
    assert!(graph["warnings"].to_string().contains("metadata"), "{graph}");
}

#[test]
fn ruling9_ruling21_the_body_names_the_commit_and_else_the_record_does() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    let (first, second) = (
        repository.commit(&[("a", Some(b"1"))]),
        repository.commit(&[("a", Some(b"2"))]),
    );
    let record = json!({"schema_version": 1, "graphs": [
        {"format": "generic@1", "graph_url": repository.raw("with.json"), "source_sha": second},
        {"format": "gitnexus@1", "graph_url": repository.raw("without.json"), "source_sha": second},
    ]});
    repository.commit(&[
        (".well-known/code-graph.json", Some(record.to_string().as_bytes())),
        ("with.json", Some(&body(&["a"], &first))),
        ("without.json", Some(br#"{"graph": {"nodes": [], "links": []}}"#)),
    ]);
    world.add(&[ID]);
    world.sync(&[]);
    let shown = world.show(ID);
    let of = |at: usize| {
        (
            shown["graphs"][at]["source_sha"].clone(),
            shown["graphs"][at]["commits_behind"].clone(),
        )
    };
    assert_eq!(of(0), (json!(first), json!(2)));
    assert_eq!(of(1), (json!(second), json!(1)));
    assert!(
        shown["graphs"][0]["warnings"]
            .to_string()
            .contains("the body takes precedence"),
        "{shown:#}"
    );
}

#[test]
fn ruling10_ruling14_ruling20_what_is_refused_keeps_the_digest_of_what_was_good() {
    let world = World::new();
    let url = world.visited(ID, &[("generic@1", &body(&["a"], SHA))]);
    let digest = world.graph(ID)["last_sha"].clone();
    world
        .forge
        .page(&url, r#"{"nodes": [{"x": {"$ref": "y"}}], "edges": []}"#);
    world.sync(&[ID]);
    let graph = world.graph(ID);
    assert_eq!((&graph["status"], &graph["last_sha"]), (&json!("invalid"), &digest));
    // An aggregator's own document in the record's place is none of a producer; what is known stays known.
    world.forge.plain(&url);
    let record = world.forge.repository(ID).record();
    world.forge.page(
        &record,
        r#"{"schema_version": 1, "service": {"name": "x", "url": "https://x.example"}}"#,
    );
    world.sync(&[ID]);
    assert_eq!(world.status(ID), "ok");
}

#[test]
fn ruling11_ruling12_ruling13_a_dead_graph_without_a_commit_comes_back_over_a_redirect() {
    let world = World::new();
    let url = world.visited(ID, &[("generic@1", br#"{"nodes": [], "edges": []}"#)]);
    world.forge.status(&url, "404 No");
    for _ in 0..7 {
        world.sync(&[ID]);
    }
    assert_eq!(world.status(ID), "dead 404");
    world.forge.script(&url, |_, stream| {
        crate::server::reply(stream, "307 Here", &[("Location", "/o/r/elsewhere.json")], b"")
    });
    world
        .forge
        .page("gitlab.lore.test/o/r/elsewhere.json", r#"{"nodes": [7], "edges": []}"#);
    world.sync(&[ID]);
    assert_eq!(world.status(ID), "ok");
    let shown = world.show(ID);
    assert_eq!(
        (&shown["head_sha"], &shown["graphs"][0]["commits_behind"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn ruling15_agents_name_a_repository_in_three_ways_and_the_local_registry_answers() {
    let world = World::new();
    world.visited("octo/hello", &[("generic@1", &body(&["alpha"], SHA))]);
    let calls = [
        json!({"name": "find_graph_for_repo", "arguments": {"id": "octo/hello"}}),
        json!({"name": "find_graph_for_repo", "arguments": {"owner": "octo", "repo": "hello"}}),
        json!({"name": "find_graph_for_repo", "arguments": {"url": "https://github.com/octo/hello"}}),
        json!({"name": "list_repos", "arguments": {"status": "ok"}}),
        json!({"name": "get_graph", "arguments": {"id": "octo/hello"}}),
        json!({"name": "search_concepts", "arguments": {"query": "alpha"}}),
    ];
    let mut input = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    for (number, call) in (1..).zip(&calls) {
        input.push(json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}));
    }
    let answers = world.talk(&["mcp", "--toolset", "all"], &input, calls.len() + 1);
    for answer in answers.iter().filter(|answer| answer["id"] != 0) {
        assert_ne!(answer["result"]["isError"], true, "{answer:#}");
        assert!(answer["result"].to_string().contains("octo/hello"), "{answer:#}");
    }
}

#[test]
fn ruling17_more_than_thirty_two_graphs_are_read_with_a_warning_and_thirty_two_are_kept() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    let graphs: Vec<Value> = (1..=40)
        .map(|number| json!({"format": format!("own@{number}"), "graph_url": repository.raw("g.json")}))
        .collect();
    let record = json!({"schema_version": 1, "graphs": graphs}).to_string();
    repository.commit(&[(".well-known/code-graph.json", Some(record.as_bytes()))]);
    world.add(&[ID]);
    world.sync(&[]);
    assert_eq!(world.show(ID)["graphs"].as_array().unwrap().len(), 32);
}

#[test]
fn ruling18_the_preferred_format_is_chosen_and_then_the_larger_number() {
    let world = World::new();
    let graphs: [(&str, &[u8]); 3] = [("generic@1", &body(&["one"], SHA)), ("ccg@1", b"{}"), ("ccg@7", b"{}")];
    world.visited("octo/hello", &graphs);
    let chosen = |world: &World| {
        let found = world.lore(&["graph", "find", "octo/hello", "--json"]).json();
        // The one that is chosen is the first.
        found["graphs"][0]["format"].to_string()
    };
    assert_eq!(chosen(&world), r#""ccg@1""#);
    let other = World::with("[graph]\nformats = [\"generic\"]");
    other.visited("octo/hello", &graphs);
    assert_eq!(chosen(&other), r#""generic@1""#);
}
