//! The steps of a visit: the record first, what is at rest, renames and withdrawals, and what a run tells.

use serde_json::{Value, json};

use crate::server::reply;
use crate::world::{SHA, World, body};

const ID: &str = "gitlab.lore.test/o/r";

fn publish(world: &World, id: &str) {
    world
        .forge
        .repository(id)
        .publish(&[("generic@1", &body(&["alpha"], SHA))]);
}

#[test]
fn sync0_the_record_adds_changes_and_drops_graphs() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    let one = body(&["one"], SHA);
    repository.publish(&[
        ("generic@1", &one),
        ("gitnexus@1", br#"{"graph": {"nodes": [], "links": []}}"#),
    ]);
    world.add(&[ID]);
    world.sync(&[]);
    let formats = |world: &World| -> Vec<String> {
        let shown = world.show(ID);
        let graphs = shown["graphs"].as_array().unwrap().iter();
        graphs
            .map(|graph| format!("{} {}", graph["id"], graph["status"]).replace('"', ""))
            .collect()
    };
    assert_eq!(
        formats(&world),
        [
            "gitlab.lore.test/o/r ok".to_owned(),
            "gitlab.lore.test/o/r#gitnexus@1 ok".to_owned()
        ]
    );
    assert_eq!(world.bodies(), 2);
    repository.publish(&[("generic@1", &one)]);
    world.sync(&[ID]);
    assert_eq!(formats(&world), ["gitlab.lore.test/o/r ok"]);
    // Its word replaces ours: address, description, tags and commit.
    let record = json!({"schema_version": 1, "graphs": [{"format": "generic@1", "graph_url": repository.raw("moved.json"),
        "description": "A new line", "tags": ["fresh"], "source_sha": SHA}]});
    repository.commit(&[
        (".well-known/code-graph.json", Some(record.to_string().as_bytes())),
        ("moved.json", Some(br#"{"nodes": [1], "edges": []}"#)),
    ]);
    world.sync(&[ID]);
    let shown = world.show(ID);
    assert_eq!(shown["graphs"][0]["graph_url"], repository.raw("moved.json"));
    assert_eq!(shown["graphs"][0]["nodes"], 1);
    // Ruling 21: the commit of the record, since the body names none.
    assert_eq!(shown["graphs"][0]["source_sha"], SHA);
    let listed = world.lore(&["registry", "list", "--tag", "fresh"]).well();
    assert!(listed.contains(ID), "{listed}");
}

#[test]
fn sync1_what_was_revoked_or_renamed_is_not_asked() {
    let world = World::new();
    publish(&world, ID);
    world.add(&[ID]);
    world.sync(&[]);
    assert_eq!(world.bodies(), 1);
    world.lore(&["registry", "revoke", ID, "--reason", "asked for"]).well();
    // S10: what is held of it goes at once.
    assert_eq!(world.bodies(), 0);
    world.forge.server.asked();
    let named = world.lore(&["registry", "sync", ID]);
    assert_ne!(named.code, 0);
    let summary = world.lore(&["registry", "sync", "--all", "--json"]).json();
    assert_eq!(summary["visited"], 0, "{summary}");
    assert_eq!(world.forge.server.asked(), Vec::<String>::new());
    assert_eq!(world.show(ID)["status"], "revoked");
}

#[test]
fn renamed_a_repository_that_its_forge_redirects_is_renamed_and_the_new_one_visited() {
    let world = World::new();
    for (old, new) in [
        ("octo/old", "octo/new"),
        ("gitlab.lore.test/group/old", "gitlab.lore.test/group/new"),
        ("gitea.lore.test/octo/old", "gitea.lore.test/octo/new"),
    ] {
        publish(&world, old);
        world.add(&[old]);
        world.sync(&[old]);
        assert_eq!(world.status(old), "ok");
        world.forge.rename(old, new);
        // The graph is where the repository is now.
        publish(&world, new);
        world.sync(&[old]);
        let shown = world.show(old);
        assert_eq!(
            (&shown["status"], &shown["renamed_to"]),
            (&json!("renamed"), &json!(new))
        );
        world.sync(&[]);
        assert_eq!(world.status(new), "ok", "{new}");
        // C5: whoever asks for the old name gets the new one.
        let found = world.lore(&["graph", "find", old, "--json"]);
        assert!(found.stdout.contains(new), "{}{}", found.stdout, found.stderr);
    }
}

#[test]
fn ruling19_a_record_that_is_gone_twice_is_a_withdrawal_although_the_graph_is_there() {
    let world = World::new();
    publish(&world, ID);
    world.add(&[ID]);
    world.sync(&[]);
    world
        .forge
        .repository(ID)
        .commit(&[(".well-known/code-graph.json", None)]);
    world.sync(&[ID]);
    assert_eq!(world.status(ID), "ok");
    world.sync(&[ID]);
    let shown = world.show(ID);
    assert_eq!(shown["status"], "revoked");
    assert_eq!(world.bodies(), 0);
    // S11: it is refused, whoever has it still.
    let got = world.lore(&["graph", "get", ID, "--offline"]);
    assert!(got.code != 0 && got.stdout.is_empty(), "{}", got.stdout);
    // What its producer withdrew may be added again.
    publish(&world, ID);
    world.add(&[ID]);
    world.sync(&[]);
    assert_eq!(world.status(ID), "ok");
}

#[test]
fn ruling19_a_repository_that_was_deleted_has_withdrawn_too() {
    let world = World::new();
    publish(&world, ID);
    world.add(&[ID]);
    world.sync(&[]);
    world.forge.delete(ID);
    world.sync(&[ID]);
    assert_eq!(world.status(ID), "missing 404");
    world.sync(&[ID]);
    assert_eq!(
        (world.show(ID)["status"].clone(), world.bodies()),
        (json!("revoked"), 0)
    );
}

#[test]
fn sync4_a_failure_that_passes_is_tried_again() {
    let world = World::new();
    publish(&world, ID);
    let url = world.forge.repository(ID).raw("generic@1.json");
    let count = std::sync::atomic::AtomicU32::new(0);
    let bytes = body(&["late"], SHA);
    world.forge.script(&url, move |_, stream| {
        match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => reply(stream, "502 Bad Gateway", &[], b""),
            1 => reply(stream, "429 Slow Down", &[("Retry-After", "1")], b""),
            _ => reply(stream, "200 OK", &[], &bytes),
        }
    });
    world.add(&[ID]);
    let summary = world.sync(&[]);
    assert_eq!(world.status(ID), "ok", "{summary}");
}

#[test]
fn sync7_a_repository_is_pending_until_it_was_visited_and_without_a_record_it_is_missing() {
    let world = World::new();
    world.forge.repository(ID).commit(&[("README", Some(b"x"))]);
    world.add(&[ID, "gitlab.lore.test/o/never"]);
    assert_eq!(world.status(ID), "pending");
    world.sync(&[]);
    assert_eq!(world.status(ID), "missing 404");
    assert_eq!(world.status("gitlab.lore.test/o/never"), "missing 404");
    let asked = world.forge.server.asked();
    let places =
        ["HEAD", "main", "master"].map(|at| format!("GET gitlab.lore.test/o/r/-/raw/{at}/.well-known/code-graph.json"));
    let of_one: Vec<&String> = asked.iter().filter(|asked| asked.contains("/o/r/")).collect();
    assert_eq!(of_one, places.iter().collect::<Vec<_>>());
}

#[test]
fn sync8_no_entry_stops_the_run() {
    let world = World::new();
    let ids = ["well", "page", "aggregator", "future", "empty"].map(|name| format!("gitlab.lore.test/o/{name}"));
    for id in &ids {
        publish(&world, id);
    }
    let record = |at: usize| world.forge.repository(&ids[at]).record();
    world.forge.page(&record(1), "<html>");
    // Ruling 14: the same place, told apart by `graphs`.
    world
        .forge
        .page(&record(2), r#"{"schema_version": 1, "service": {"name": "x"}}"#);
    world.forge.page(&record(3), r#"{"schema_version": 2, "graphs": []}"#);
    world.forge.page(&record(4), r#"{"schema_version": 1, "graphs": []}"#);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.add(&ids);
    let summary = world.sync(&[]);
    assert_eq!(summary["visited"], 5);
    let statuses: Vec<String> = ids.iter().map(|id| world.show(id)["status"].to_string()).collect();
    assert_eq!(
        statuses,
        [
            r#""ok""#,
            r#""invalid""#,
            r#""invalid""#,
            r#""unsupported""#,
            r#""invalid""#
        ]
    );
}

#[test]
fn sync10_a_rehearsal_writes_nothing_and_one_can_be_visited_alone() {
    let world = World::new();
    let other = "gitlab.lore.test/o/other";
    publish(&world, ID);
    publish(&world, other);
    world.add(&[ID, other]);
    let rehearsal: Value = world.lore(&["registry", "sync", "--all", "--dry-run", "--json"]).json();
    assert_eq!(
        (&rehearsal["visited"], &rehearsal["dry_run"]),
        (&json!(2), &json!(true))
    );
    assert_eq!((world.status(ID), world.bodies()), ("pending".to_owned(), 0));
    world.sync(&["gitlab.lore.test/O/R"]);
    assert_eq!(
        (world.status(ID), world.status(other)),
        ("ok".to_owned(), "pending".to_owned())
    );
}

#[test]
fn sync9_what_a_host_did_to_others_is_booked_on_nobody_else() {
    // Nobody listens there.
    let world = World::with_hosts(
        "[graph.forges]\n\"bad22.lore.test\" = \"gitlab\"",
        &[("bad22.lore.test", 1)],
    );
    let ids: Vec<String> = (0..20).map(|number| format!("bad22.lore.test/o/r{number}")).collect();
    world.add(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let summary = world.sync(&[]);
    let mut pending = 0;
    for id in &ids {
        let status = world.status(id);
        assert!(
            status == "pending" || status.starts_with("transient_error connect: "),
            "{id}: {status}"
        );
        pending += usize::from(status == "pending");
    }
    assert!(pending >= 8, "{summary:#}");
    assert!(summary["postponed"].as_u64() > Some(0), "{summary:#}");
    assert_eq!(summary["silent_hosts"], json!(["bad22.lore.test"]));
    // What is due waits for its host, and the time that is told is not over already.
    let (next, now) = (
        summary["next_due"].as_str().unwrap(),
        summary["delayed_hosts"]["bad22.lore.test"].as_str().unwrap(),
    );
    assert!(next <= now && !next.is_empty(), "{summary:#}");
}

#[test]
fn ruling19_where_all_records_of_a_host_are_gone_the_host_is_doubted() {
    let world = World::new();
    let ids: Vec<String> = (0..6).map(|number| format!("gitlab.lore.test/o/r{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let other = "gitea.lore.test/o/r";
    for id in ids.iter().copied().chain([other]) {
        publish(&world, id);
    }
    world.add(&ids);
    world.add(&[other]);
    world.sync(&[]);
    let all = || world.lore(&["registry", "sync", "--all", "--json"]).json();
    for id in &ids {
        let repository = world.forge.repository(id);
        for at in ["HEAD", "main", "master"] {
            world
                .forge
                .status(&repository.record().replace("HEAD", at), "404 Not Found");
        }
    }
    all();
    let summary = all();
    assert_eq!(summary["doubted_hosts"], json!({"gitlab.lore.test": 6}), "{summary:#}");
    assert!(ids.iter().all(|id| world.show(id)["status"] == "ok"));
    assert_eq!(world.status(other), "ok");
    // One that is named is believed.
    world.sync(&[ids[0]]);
    assert_eq!(world.show(ids[0])["status"], "revoked");
    // When the host has found its records again, everything is as it was; and when it has one of them, the others are withdrawn.
    for id in &ids[1..3] {
        let repository = world.forge.repository(id);
        for at in ["HEAD", "main", "master"] {
            world.forge.plain(&repository.record().replace("HEAD", at));
        }
    }
    let summary = all();
    assert_eq!(summary["doubted_hosts"], Value::Null, "{summary:#}");
    let statuses: Vec<String> = ids.iter().map(|id| world.show(id)["status"].to_string()).collect();
    assert_eq!(
        statuses.join(" ").replace('"', ""),
        "revoked ok ok revoked revoked revoked"
    );
}

#[test]
fn sync0_one_body_under_two_formats_is_fetched_and_counted_once() {
    let world = World::new();
    let repository = world.forge.repository(ID);
    let source = repository.commit(&[("a.py", Some(b"x"))]);
    let url = repository.raw("g.json");
    let record = json!({"schema_version": 1, "graphs": [
        {"format": "generic@1", "graph_url": url}, {"format": "gitnexus@1", "graph_url": repository.raw("n.json")},
        {"format": "understand-anything@1", "graph_url": url},
    ]});
    let bytes =
        json!({"metadata": {"commit": source}, "nodes": [{"id": "a", "kind": "function", "label": "a"}], "edges": []});
    let nexus = json!({"metadata": {"commit": source}, "graph": {"nodes": [], "links": []}});
    repository.commit(&[
        (".well-known/code-graph.json", Some(record.to_string().as_bytes())),
        ("g.json", Some(bytes.to_string().as_bytes())),
        ("n.json", Some(nexus.to_string().as_bytes())),
    ]);
    world.add(&[ID]);
    world.lore(&["registry", "sync", "--counts", "1"]).well();
    let asked = world.forge.server.asked();
    let times = |part: &str| asked.iter().filter(|asked| asked.contains(part)).count();
    assert_eq!(
        (times("/g.json"), times("/n.json"), times("compare")),
        (1, 1, 1),
        "{asked:?}"
    );
    let shown = world.show(ID);
    for graph in shown["graphs"].as_array().unwrap() {
        assert_eq!(
            (&graph["status"], &graph["commits_behind"]),
            (&json!("ok"), &json!(1)),
            "{graph}"
        );
    }
    // The next visit asks by the marks, once too.
    world.sync(&[ID]);
    let asked = world.forge.server.asked();
    assert_eq!(
        asked
            .iter()
            .filter(|asked| asked.contains("/g.json if changed"))
            .count(),
        1,
        "{asked:?}"
    );
    assert!(
        world.show(ID)["graphs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|graph| graph["status"] == "ok")
    );
}
