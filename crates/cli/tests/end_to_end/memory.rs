//! Memory as an agent meets it: from an empty store to a closed task with updated atoms, over plain JSON-RPC; and the graph in the dataset and on the command line.

use lore_testing::Conversation;
use serde_json::{Value, json};

use crate::support::Sample;

/// A client that waits for each answer.
struct Client {
    server: Conversation,
    next: u64,
}

impl Client {
    fn new(sample: &Sample) -> Self {
        let server = Conversation::start(&mut sample.command(&["mcp", "--tools", "all"]));
        let mut client = Self { server, next: 0 };
        client.request(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}),
        );
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        self.server.say(message);
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let reply: Value = serde_json::from_str(&self.server.hear()).expect("only protocol on standard output");
            if reply["id"] == json!(id) {
                return reply["result"].clone();
            }
        }
    }

    /// The envelope of a tool's answer, which is the text and the structured content alike.
    fn told(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let told = result["structuredContent"].clone();
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(
            serde_json::from_str::<Value>(text).ok(),
            Some(told.clone()),
            "{tool}: {result}"
        );
        assert_eq!(
            result["isError"].as_bool().unwrap_or(false),
            told["success"] == json!(false),
            "{tool}: {result}"
        );
        told
    }

    fn data(&mut self, tool: &str, arguments: Value) -> Value {
        let told = self.told(tool, arguments.clone());
        assert_eq!(told["success"], json!(true), "{tool} {arguments}: {told}");
        told["data"].clone()
    }

    fn end(mut self) {
        assert!(self.server.finish().0.success());
    }
}

fn git(sample: &Sample, arguments: &[&str]) {
    let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    lore_testing::run(lore_testing::git(&sample.root()).args(who).args(arguments));
}

fn repository() -> Sample {
    let sample = Sample::new();
    git(&sample, &["init", "-q", "-b", "main"]);
    git(&sample, &["add", "-A"]);
    git(&sample, &["commit", "-q", "-m", "first"]);
    sample
}

#[test]
fn w4_from_an_empty_store_to_a_closed_task_with_updated_atoms() {
    let sample = repository();
    let mut lore = Client::new(&sample);
    lore.data("sync", json!({}));
    let found = lore.data(
        "query_container",
        json!({"operation": "search", "containerType": "project", "query": "shop"}),
    );
    assert_eq!(found["count"], 0);
    let project = lore.data(
        "manage_container",
        json!({"operation": "create", "containerType": "project", "name": "shop", "summary": "sells things"}),
    )["project"]["id"]
        .clone();
    let feature = lore.data(
        "manage_container",
        json!({"operation": "create", "containerType": "feature", "projectId": project, "name": "Discounts", "summary": "s", "priority": "HIGH"}),
    )["feature"]["id"]
        .clone();
    let mut task = |title: &str| {
        lore.data(
            "manage_container",
            json!({"operation": "create", "containerType": "task", "featureId": feature, "title": title, "summary": "s", "priority": "HIGH", "complexity": 3}),
        )["task"]["id"]
            .clone()
    };
    let (first, second) = (task("Rates"), task("Coupons"));
    let template = lore.data(
        "manage_template",
        json!({"operation": "create", "name": "Task", "description": "d", "targetEntityType": "TASK"}),
    )["id"]
        .clone();
    lore.data(
        "manage_template",
        json!({"operation": "addSection", "id": template, "title": "Context Files", "usageDescription": "u", "contentSample": "# one a line"}),
    );
    let section = lore.data(
        "apply_template",
        json!({"templateId": template, "entityType": "TASK", "entityId": first}),
    )[0]
    .clone();
    lore.data(
        "manage_sections",
        json!({"operation": "updateText", "sectionId": section["id"], "version": section["version"], "content": "- `shop/prices.py:8-10` (rates)\n- shop/cart.py\n- see the docs\n"}),
    );
    lore.data(
        "manage_dependency",
        json!({"operation": "create", "fromId": first, "toId": second, "type": "BLOCKS"}),
    );
    let committed = lore.data(
        "graph_commit",
        json!({
            "taskId": first,
            "molecules": [{"ref": "m", "name": "Pricing", "knowledge": "prices are decimals"}],
            "atoms": [{"ref": "a", "name": "Rates", "paths": ["shop/prices.py"], "knowledge": "one rate", "moleculeId": "ref:m"}],
        }),
    );
    let atom = committed["refs"]["a"].clone();
    // Discovery: the next task with what is known of its files.
    let next = lore.data("get_next_task", json!({"projectId": project}));
    assert_eq!(next["id"], first, "the other one waits");
    let fetched = lore.data(
        "query_container",
        json!({"operation": "get", "containerType": "task", "id": first, "includeSections": true, "includeGraphContext": true}),
    );
    let context = &fetched["graphContext"];
    assert_eq!(
        context["molecules"][0]["atoms"][0]["matchedPaths"],
        json!(["shop/prices.py"])
    );
    assert_eq!(context["unmatchedPaths"], json!(["shop/cart.py"]));
    assert_eq!(context["malformedEntries"], 1);
    // Execution: begin, work, commit, write down, close.
    let state = lore.data("query_workflow_state", json!({"containerType": "task", "id": first}));
    assert_eq!(
        (&state["currentStatus"], &state["nextStatus"]),
        (&json!("NEW"), &json!("ACTIVE"))
    );
    let begun = lore.data(
        "advance",
        json!({"containerType": "task", "id": first, "version": state["version"]}),
    );
    assert_eq!(begun["transition"], json!({"from": "NEW", "to": "ACTIVE"}));
    std::fs::write(sample.root().join("shop/prices.py"), "RATES = {}\n").expect("written");
    let taught = json!({
        "taskId": first,
        "atoms": [{"id": atom, "version": 1, "knowledge": "rates by country", "knowledgeMode": "append"}],
        "changelog": [{"parentType": "atom", "parentId": atom, "summary": "rates by country, for the new shops"}],
    });
    lore.data("graph_commit", taught.clone());
    let again = lore.told("graph_commit", taught);
    assert_eq!(
        (&again["error"], &again["data"]["faults"][0]["currentVersion"]),
        (&json!("CONFLICT"), &json!(2))
    );
    git(&sample, &["commit", "-q", "-a", "-m", "rates"]);
    let paths = json!({"operation": "context", "projectId": project, "paths": "shop/prices.py"});
    let told = lore.data("query_graph", paths.clone());
    assert_eq!(
        told["molecules"][0]["atoms"][0].get("stale"),
        None,
        "its own commit does not make it stale: {told}"
    );
    let entries = lore.data(
        "manage_changelog",
        json!({"operation": "search", "parentType": "atom", "parentId": atom}),
    );
    assert_eq!(entries["count"], 1);
    let version = begun["task"]["version"].clone();
    let closed = lore.data(
        "advance",
        json!({"containerType": "task", "id": first, "version": version}),
    );
    assert_eq!(closed["task"]["status"], "CLOSED");
    assert_eq!(
        closed["graphHints"]["message"],
        "Task completed. Consider updating the knowledge graph."
    );
    assert_eq!(closed["unblockedEntities"][0]["id"], second);
    let next = lore.data("get_next_task", json!({"projectId": project}));
    assert_eq!(next["id"], second);
    // Somebody else changes the file: the atom is stale until it is confirmed.
    std::fs::write(sample.root().join("shop/prices.py"), "RATES = {'de': 1}\n").expect("written");
    git(&sample, &["commit", "-q", "-a", "-m", "other"]);
    let told = lore.data("query_graph", paths.clone());
    let stale = &told["molecules"][0]["atoms"][0]["stale"];
    assert_eq!(
        (&stale["state"], &stale["files"]),
        (&json!("stale"), &json!(["shop/prices.py"])),
        "{told}"
    );
    lore.data("graph_commit", json!({"taskId": second, "confirm": [atom]}));
    let told = lore.data("query_graph", paths);
    assert_eq!(told["molecules"][0]["atoms"][0].get("stale"), None, "{told}");
    let prompts = lore.request("prompts/list", json!({}));
    let names: Vec<&str> = prompts["prompts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert!(
        ["memory_discovery", "memory_planning", "memory_execution"]
            .iter()
            .all(|name| names.contains(name)),
        "{names:?}"
    );
    lore.end();
    // What was written is there for people, and joins the code.
    let outcome = sample.lore(&["memory", "atom", "list"]);
    assert!(
        outcome.code == 0 && outcome.stdout.ends_with("  Rates  shop/prices.py\n"),
        "{outcome}"
    );
    let outcome = sample.lore(&["memory", "stale"]);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (0, "No atom of 1 is stale.\n"),
        "{outcome}"
    );
}

#[test]
fn l15_what_is_known_joins_the_code_in_a_query() {
    let sample = repository();
    for arguments in [
        &["memory", "project", "create", "shop", "--summary", "s"][..],
        &[
            "memory",
            "atom",
            "create",
            "Rates",
            "--path",
            "shop/prices.py",
            "--knowledge",
            "decimals",
        ],
    ] {
        let outcome = sample.lore(arguments);
        assert_eq!(outcome.code, 0, "{outcome}");
    }
    let query = "PREFIX mem: <urn:lore:memory#> SELECT ?name ?file WHERE { GRAPH ?g { ?atom mem:name ?name ; mem:covers ?file } }";
    let outcome = sample.lore(&["query", query]);
    assert_eq!(outcome.code, 0, "{outcome}");
    assert!(
        outcome.stdout.contains("Rates") && outcome.stdout.contains("prices.py"),
        "{outcome}"
    );
}

#[test]
fn l7_people_see_what_is_covered_and_what_is_known() {
    let sample = repository();
    let outcome = sample.lore(&["memory", "coverage"]);
    assert_eq!(outcome.code, 1, "there is no project yet: {outcome}");
    assert!(outcome.stderr.contains("this repository has no project"), "{outcome}");
    sample.lore(&["memory", "project", "create", "shop", "--summary", "s"]);
    let outcome = sample.lore(&[
        "memory",
        "atom",
        "create",
        "Shop",
        "--path",
        "shop/**",
        "--knowledge",
        "python",
    ]);
    assert_eq!(outcome.code, 0, "{outcome}");
    let outcome = sample.lore(&["memory", "coverage", "shop"]);
    assert!(outcome.code == 0 && outcome.stdout.contains("(100%)"), "{outcome}");
    let outcome = sample.lore(&["memory", "context", "shop/cart.py", "nowhere.txt"]);
    assert!(
        outcome.code == 0
            && outcome.stdout.contains("covers shop/cart.py")
            && outcome.stdout.contains("No atom covers:\n  nowhere.txt"),
        "{outcome}"
    );
    assert_eq!(sample.lore(&["memory", "context", "nowhere.txt"]).code, 1);
    assert_eq!(sample.lore(&["memory", "search", "PYTHON"]).code, 0);
    assert_eq!(sample.lore(&["memory", "search", "rust"]).code, 1);
    let outcome = sample.lore(&["memory", "atom", "create", "Bad", "--path", "src/[x"]);
    assert_eq!(outcome.code, 2, "{outcome}");
    assert!(outcome.stderr.contains("`[` is not closed at character 5"), "{outcome}");
    assert_eq!(sample.lore(&["memory", "atom", "show", "Nobody"]).code, 1);
}

#[test]
fn l14_skills_are_written_as_files() {
    let sample = Sample::new();
    let outcome = sample.lore(&["init", "--agent", "claude-code", "--skills", "--yes"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    for skill in lore_ask::SKILLS {
        let path = sample.root().join(format!(".claude/skills/{}/SKILL.md", skill.name));
        let text = std::fs::read_to_string(&path).expect("written");
        assert!(
            text.contains(skill.text) && text.starts_with(&format!("---\nname: {}\n", skill.name)),
            "{text}"
        );
    }
    let mine = sample.root().join(".claude/skills/lore-planning/SKILL.md");
    std::fs::write(&mine, "mine\n").expect("written");
    let outcome = sample.lore(&["init", "--agent", "claude-code", "--skills", "--remove", "--yes"]);
    assert!(outcome.stdout.contains("left alone"), "{outcome}");
    assert_eq!(std::fs::read_to_string(&mine).ok().as_deref(), Some("mine\n"));
    assert!(!sample.root().join(".claude/skills/lore-discovery").exists());
}
