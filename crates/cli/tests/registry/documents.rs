//! What is published of a registry after real visits, and what others make of it.

use serde_json::{Value, json};

use crate::world::{SHA, World, body};

const HOST: &str = "gitlab.lore.test";

/// Two repositories that are well, one that is missing, one that was not visited, one that was revoked.
fn registry() -> World {
    let world = World::new();
    world.visited(
        "octo/Hello",
        &[("generic@1", &body(&["parseConfig", "renderPage"], SHA))],
    );
    world.visited(
        &format!("{HOST}/group/sub/repo"),
        &[("generic@1", &body(&["parseConfig", "größe"], SHA))],
    );
    world.add(&["octo/none", "octo/gone"]);
    world.sync(&[]);
    world.lore(&["registry", "revoke", "octo/gone"]).well();
    world.add(&["octo/later"]);
    world.render();
    world
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn a1_registry_json_has_all_entries_in_order_and_moves_only_with_them() {
    let world = registry();
    let registry = world.document("registry.json");
    assert_eq!(registry["schema_version"], 1);
    let ids: Vec<String> = registry["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["id"].to_string())
        .collect();
    assert_eq!(
        ids.join(" ").replace('"', ""),
        "gitlab.lore.test/group/sub/repo octo/gone octo/Hello octo/later octo/none"
    );
    let before = world.text("registry.json");
    world.sync(&["octo/Hello"]);
    let rendered = world.render();
    assert_eq!(
        (&rendered["written"], &rendered["removed"]),
        (&json!(0), &json!(0)),
        "{rendered}"
    );
    assert_eq!(world.text("registry.json"), before);
}

#[test]
fn a2_an_entry_has_every_field_and_sizes_are_bytes() {
    let world = registry();
    let registry = world.document("registry.json");
    let entry = &registry["entries"][0];
    for key in [
        "id",
        "owner",
        "repo",
        "default_branch",
        "format",
        "graph_url",
        "description",
        "tags",
        "added_at",
        "last_synced",
        "last_sha",
        "size_bytes",
        "status",
        "last_error",
        "miss_count",
        "renamed_to",
        "nodes_count",
        "edges_count",
        "top_kinds",
        "languages",
        "source_sha",
        "head_sha",
        "commits_behind",
        "drift_checked_at",
    ] {
        assert!(entry.get(key).is_some(), "{key}: {entry:#}");
    }
    let bytes = body(&["parseConfig", "größe"], SHA);
    assert_eq!(entry["size_bytes"], bytes.len());
    assert_eq!(entry["top_kinds"], json!([{"kind": "function", "count": 2}]));
    assert_eq!(
        (&entry["owner"], &entry["repo"], &entry["host"]),
        (&json!("group/sub"), &json!("repo"), &json!(HOST))
    );
    let missing = registry["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["id"] == "octo/none")
        .unwrap();
    assert_eq!(missing["status"], "missing");
    for key in [
        "nodes_count",
        "edges_count",
        "last_sha",
        "source_sha",
        "head_sha",
        "commits_behind",
    ] {
        assert_eq!(missing[key], Value::Null, "{key}");
    }
}

#[test]
fn a3_repos_json_lists_what_was_visited_with_these_fields_and_no_others() {
    let world = registry();
    let repos = world.document(".well-known/repos.json");
    assert_eq!(repos["schema_version"], 1);
    let rows = repos["repos"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "all but the one that is pending");
    for row in rows {
        let mut expected = vec![
            "commits_behind",
            "description",
            "format",
            "graph_url",
            "head_sha",
            "id",
            "last_sha",
            "last_synced",
            "renamed_to",
            "source_sha",
            "status",
            "tags",
        ];
        if row.get("host").is_some() {
            expected.insert(5, "host");
        }
        let mut found = keys(row);
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}

#[test]
fn a4_a5_the_service_the_endpoints_the_page_and_what_crawlers_read() {
    let world = World::new();
    world
        .lore(&["registry", "init", "--contact", "admin@registry.lore.test"])
        .well();
    world.visited("octo/hello", &[("generic@1", &body(&["a"], SHA))]);
    world.add(&["octo/gone"]);
    world.lore(&["registry", "revoke", "octo/gone"]).well();
    world.render();
    let service = &world.document(".well-known/code-graph-registry.json")["service"];
    for key in [
        "name",
        "url",
        "registry_url",
        "stats_url",
        "badge_base",
        "spec_url",
        "discovery_url",
    ] {
        assert!(service[key].is_string(), "{key}: {service}");
    }
    assert_eq!(service["registry_url"], "https://registry.lore.test/registry.json");
    let index = world.document(".well-known/index.json");
    let endpoints = index["endpoints"].as_array().unwrap();
    for endpoint in endpoints {
        let path = endpoint["path"].as_str().unwrap().trim_start_matches('/');
        // A path with places to fill in stands for many.
        if !path.contains(['{', '<', '?']) {
            world.text(path);
        }
        for key in ["url", "description", "schema_version"] {
            assert!(endpoint.get(key).is_some(), "{key}: {endpoint}");
        }
    }
    let sitemap = world.text("sitemap.xml");
    assert!(
        sitemap.contains("octo/hello") && !sitemap.contains("octo/gone"),
        "{sitemap}"
    );
    assert!(world.text("robots.txt").contains("sitemap.xml"));
    let security = world.text(".well-known/security.txt");
    assert!(
        security.contains("Contact: mailto:admin@registry.lore.test") && security.contains("Expires: "),
        "{security}"
    );
    assert!(world.text("index.html").contains("registry.js"));
}

#[test]
fn a6_stats_have_sums_kinds_and_words_of_two_entries() {
    let world = registry();
    let stats = world.document("stats.json");
    assert_eq!(
        (&stats["totals"]["nodes"], &stats["totals"]["edges"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(stats["kinds"], json!([{"kind": "function", "count": 4, "entries": 2}]));
    let concepts = stats["concepts"].as_array().unwrap();
    let words: Vec<&str> = concepts.iter().filter_map(|concept| concept["term"].as_str()).collect();
    assert_eq!(words, ["parseconfig"], "{stats:#}");
    assert_eq!(
        concepts[0]["samples"],
        json!([format!("{HOST}/group/sub/repo"), "octo/Hello"])
    );
}

#[test]
fn a7_ruling16_every_repository_has_badges_under_both_names() {
    let world = registry();
    let own = world.text("badges/octo/hello.svg");
    assert_eq!(own, world.text("badges/octo--hello.svg"));
    assert!(own.contains(">ok<") || own.contains("ok</text>"), "{own}");
    assert_ne!(own, world.text("badges/octo/none.svg"));
    world.text("badges/gitlab.lore.test/group/sub/repo.svg");
    assert!(world.text("badges/all.svg").contains("entries"));
    // Two names that meet: the name with dashes is that of the first one by id.
    world.visited("a--b/c", &[("generic@1", &body(&["a"], SHA))]);
    world.add(&["a/b--c"]);
    world.render();
    assert_eq!(world.text("badges/a--b--c.svg"), world.text("badges/a--b/c.svg"));
    assert_ne!(world.text("badges/a/b--c.svg"), world.text("badges/a--b/c.svg"));
}

#[test]
fn a8_only_what_changed_is_written_and_nothing_of_it_is_half_there() {
    let world = registry();
    let rendered = world.render();
    assert_eq!(rendered["written"], 0, "{rendered}");
    world
        .forge
        .repository("octo/Hello")
        .publish(&[("generic@1", &body(&["other"], SHA))]);
    world.sync(&["octo/Hello"]);
    let rendered = world.render();
    let mut written: Vec<&str> = rendered["written_files"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    written.sort_unstable();
    let own: Vec<&str> = written
        .iter()
        .copied()
        .filter(|path| path.starts_with("index/"))
        .collect();
    assert_eq!(own.len(), 1, "{written:?}");
    assert!(own[0].ends_with("/octo/hello.json"), "{written:?}");
    let rest: Vec<&str> = written
        .iter()
        .copied()
        .filter(|path| !path.starts_with("index/"))
        .collect();
    assert_eq!(
        rest,
        [".well-known/repos.json", "changes.json", "registry.json", "stats.json"]
    );
    let left: Vec<_> = std::fs::read_dir(world.path("work/public"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().contains(".new")),
        "{left:?}"
    );
}

#[test]
fn a8_the_documents_of_another_registry_are_not_replaced_unasked() {
    let world = registry();
    let before = world.text("registry.json");
    let other = ["--db", "other.db"];
    // Registries are told apart by when they were made, in seconds.
    let mut init = world.command(&[&["registry", "init", "--name", "Other"][..], &other].concat());
    crate::world::ended(init.env("SOURCE_DATE_EPOCH", "1800000000")).well();
    let refused = world.lore(&[&["registry", "render", "public"][..], &other].concat());
    assert_eq!(refused.code, 1, "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stderr.contains("--full"), "{}", refused.stderr);
    assert_eq!(world.text("registry.json"), before);
}

#[test]
fn a9_v3_a_format_that_is_registered_is_judged_by_its_schema_and_deprecated_with_notice() {
    let world = World::new();
    let good = br#"{"nodes": [], "edges": [], "own": 1}"#;
    let url = world.visited("octo/hello", &[("own@2", good)]);
    assert!(
        world
            .status("octo/hello")
            .starts_with("unsupported unknown_format: own@2")
    );
    let schema =
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["own"]});
    std::fs::write(world.path("work/own.schema.json"), schema.to_string()).unwrap();
    world
        .lore(&["registry", "format", "add", "own@2", "--schema", "own.schema.json"])
        .well();
    // It became due by that.
    world.sync(&[]);
    assert_eq!(world.status("octo/hello"), "ok");
    world.forge.page(&url, r#"{"nodes": [], "edges": []}"#);
    world.sync(&["octo/hello"]);
    let status = world.status("octo/hello");
    assert!(
        status.starts_with("invalid schema: ") && status.contains("own"),
        "{status}"
    );
    world
        .lore(&["registry", "format", "deprecate", "own@2", "--notice", "use own@3"])
        .well();
    let shown = world.lore(&["registry", "show", "octo/hello"]).well();
    assert!(shown.contains("deprecated"), "{shown}");
    let removed = world.lore(&["registry", "format", "remove", "own@2"]);
    assert_ne!(removed.code, 0, "not before ninety days");
}

#[test]
fn c4_what_is_rendered_and_served_is_found_by_others_and_judged_well() {
    let world = registry();
    world.forge.directory("registry.lore.test", world.path("work/public"));
    let address = "https://registry.lore.test";
    let verified = world
        .lore(&["registry", "verify", address, "--bodies", "5", "--json"])
        .json();
    assert_eq!(verified["findings"], json!([]), "{verified:#}");
    // Somebody else, who knows this registry and has none of their own, while the repository's own record cannot be had.
    let other = World::with_hosts("", &[]);
    let at = format!("{}:{}", "127.0.0.1", world.forge.server.port);
    let hosts = format!("registry.lore.test={at},raw.githubusercontent.com={at},github.com={at},api.github.com={at}");
    world.forge.status(
        "raw.githubusercontent.com/octo/hello/HEAD/.well-known/code-graph.json",
        "404 Not Found",
    );
    let run = |arguments: &[&str]| {
        let mut command = other.command(arguments);
        command.env("LORE_WEB_HOSTS", &hosts);
        crate::world::ended(&mut command)
    };
    let found = run(&["graph", "find", "octo/hello", "--aggregator", address, "--json"]).json();
    assert_eq!(found["aggregators"][0]["id"], "octo/Hello", "{found:#}");
    let got = run(&["graph", "get", "octo/gone", "--aggregator", address]);
    assert_eq!(got.code, 1, "{}{}", got.stdout, got.stderr);
    // A third one takes the documents in, and what was revoked there is revoked here.
    let documents = world.path("work/public");
    other
        .lore(&["registry", "import", &documents.display().to_string()])
        .well();
    assert_eq!(other.show("octo/gone")["status"], "revoked");
    assert_eq!(other.show("octo/hello")["status"], "pending");
}
