//! The skills against the tools that they name: their arguments, and their steps carried out.

use serde_json::{Map, Value, json};

use super::*;
use crate::graph::testing::Shop;
use lore_seam::arguments;

/// The calls that a text shows: the tool and its arguments.
fn calls(text: &str) -> Vec<(String, Map<String, Value>)> {
    let mut calls = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim() == "```" {
            inside = !inside;
        } else if inside {
            let (tool, given) = line.split_once(' ').expect("a tool and its arguments");
            let given: Value = serde_json::from_str(given).unwrap_or_else(|error| panic!("{line}: {error}"));
            calls.push((tool.to_owned(), given.as_object().expect("an object").clone()));
        }
    }
    calls
}

/// What each operation of a tool cannot do without.
fn needed(tool: &str, operation: &str, kind: &str) -> &'static [&'static str] {
    match (tool, operation, kind) {
        ("query_container", "get", _) => &["id"],
        ("manage_container", "create", "feature") => &["name", "summary", "priority"],
        ("manage_container", "create", "task") => &["title", "summary", "priority", "complexity"],
        ("query_templates", "get", _) => &["id"],
        ("manage_sections", "updateText", _) => &["sectionId", "version", "content"],
        ("manage_sections", "add", _) => &["entityType", "entityId", "title", "usageDescription", "content"],
        ("apply_template", ..) => &["templateId", "entityType", "entityId"],
        ("query_sections", ..) => &["entityType", "entityId"],
        ("manage_dependency", "create", _) => &["fromId", "toId", "type"],
        ("advance", ..) => &["containerType", "id", "version"],
        ("query_workflow_state", ..) => &["containerType", "id"],
        ("query_graph", "search", _) => &["entityType", "projectId"],
        ("query_graph", "context", _) => &["projectId", "paths"],
        ("graph_commit", ..) => &["taskId"],
        _ => &[],
    }
}

#[test]
fn d27_skills_name_tools_and_arguments_that_exist_and_leave_none_out() {
    for skill in SKILLS {
        let shown = calls(skill.text);
        assert!(shown.len() >= 5, "{}", skill.name);
        for (tool, given) in shown {
            let Some(entry) = crate::OPERATIONS.iter().find(|entry| entry.name == tool) else {
                panic!("{}: there is no tool {tool}", skill.name);
            };
            let schema = entry.request_schema().to_value();
            let known: Vec<&str> = arguments(&schema).into_iter().map(|(name, _)| name.as_str()).collect();
            let required = schema
                .get("required")
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            for name in given.keys() {
                assert!(known.contains(&name.as_str()), "{}: {tool} has no {name}", skill.name);
            }
            let word = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let needed = needed(&tool, &word("operation"), &word("containerType"))
                .iter()
                .copied();
            let needed = needed.chain(required.iter().filter_map(Value::as_str));
            for name in needed {
                assert!(given.contains_key(name), "{}: {tool} needs {name}", skill.name);
            }
        }
        for wrong in ["allowedTransitions", "fromTaskId", "IN_PROGRESS", "PENDING"] {
            assert!(!skill.text.contains(wrong), "{}: {wrong}", skill.name);
        }
    }
}

#[test]
fn w5_planning_and_execution_need_few_calls_to_the_graph() {
    for (skill, writes) in [("lore-planning", 1), ("lore-execution", 1)] {
        let skill = SKILLS.iter().find(|known| known.name == skill).expect("known");
        let tools: Vec<String> = calls(skill.text).into_iter().map(|(tool, _)| tool).collect();
        let graph = ["query_graph", "manage_graph", "manage_changelog", "graph_commit"];
        assert!(
            tools.iter().filter(|tool| graph.contains(&tool.as_str())).count() <= 6,
            "{tools:?}"
        );
        assert_eq!(tools.iter().filter(|tool| *tool == "graph_commit").count(), writes);
    }
}

#[test]
fn l14_prompts_say_what_the_files_say() {
    for (prompt, skill) in [
        ("memory_discovery", "lore-discovery"),
        ("memory_planning", "lore-planning"),
        ("memory_execution", "lore-execution"),
    ] {
        let prompt = PROMPTS.iter().find(|known| known.name == prompt).expect("known");
        let skill = SKILLS.iter().find(|known| known.name == skill).expect("known");
        assert_eq!((prompt.text)(&BTreeMap::new()), skill.text);
        let given: BTreeMap<String, String> = prompt
            .arguments
            .iter()
            .map(|argument| (argument.name.to_owned(), " x ".to_owned()))
            .collect();
        let text = (prompt.text)(&given);
        assert!(text.ends_with(skill.text) && text.len() > skill.text.len() && text.contains(": x\n"));
    }
    assert_eq!(
        planning(&[("work".to_owned(), "retry".to_owned())].into())
            .lines()
            .next(),
        Some("Work: retry")
    );
}

/// Carries out the calls of a skill in their order. What stands in `<…>` is filled in, and what comes back is remembered for what follows.
fn carry_out(shop: &Shop, text: &str, known: &mut BTreeMap<String, String>) -> Vec<(String, Value)> {
    let mut answers = Vec::new();
    for (tool, given) in calls(text) {
        let mut asked = Value::Object(given).to_string();
        for (name, value) in known.iter() {
            asked = asked.replace(&format!("<{name}>"), value);
        }
        let mut asked: Value = serde_json::from_str(&asked).expect("JSON");
        renew_versions(shop, &tool, &mut asked);
        let told = shop.ask(&tool, asked.clone());
        assert_eq!(told["success"], json!(true), "{tool} {asked}: {told}");
        for (name, pointer) in [
            ("featureId", "/data/feature/id"),
            ("taskId", "/data/task/id"),
            ("sectionId", "/data/0/id"),
        ] {
            if let Some(id) = told
                .pointer(pointer)
                .and_then(Value::as_str)
                .filter(|_| tool != "query_templates")
            {
                known.insert(name.to_owned(), id.to_owned());
            }
        }
        answers.push((tool, told));
    }
    answers
}

/// A version in a skill is an example; what is called for has the one that was read.
fn renew_versions(shop: &Shop, tool: &str, asked: &mut Value) {
    if tool == "advance" {
        let state = shop.data(
            "query_workflow_state",
            json!({"containerType": "task", "id": asked["id"]}),
        );
        asked["version"] = state["version"].clone();
    }
    for atom in asked
        .get_mut("atoms")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Some(id) = atom.get("id").and_then(Value::as_str).map(str::to_owned) {
            atom["version"] = shop.get("atom", &id)["atom"]["version"].clone();
        }
    }
}

fn filled(shop: &Shop) -> BTreeMap<String, String> {
    let atom = shop
        .atom_with(json!({"name": "Payments", "paths": ["src/payments/**"], "knowledge": "webhooks are idempotent"}));
    let texts = [
        ("repository name", "shop"),
        ("words", "webhooks"),
        ("path", "src/payments/a.ts"),
        ("dir", "src/new"),
        ("name", "Retries"),
        ("title", "Retry webhooks"),
        ("summary", "They are lost now"),
        ("text", "Retries back off"),
        ("reason", "uses it"),
        ("what changed and why", "Retries, since webhooks were lost"),
        ("atomId", &atom),
        ("projectId", &shop.project.to_string()),
        ("taskId", &shop.task.to_string()),
        ("firstTaskId", &shop.task.to_string()),
    ];
    texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into()
}

#[test]
fn w1_the_steps_of_discovery_can_be_carried_out() {
    let shop = Shop::new();
    let mut known = filled(&shop);
    shop.section("Context Files", 0, "- src/payments/a.ts\n- lib/x.ts");
    let answers = carry_out(&shop, DISCOVERY, &mut known);
    let (_, task) = answers.last().expect("answers");
    assert_eq!(
        task["data"]["graphContext"]["orphanAtoms"][0]["knowledge"],
        "webhooks are idempotent"
    );
    assert_eq!(task["data"]["graphContext"]["unmatchedPaths"], json!(["lib/x.ts"]));
    assert_eq!(task["data"]["sections"][0]["title"], "Context Files");
    assert_eq!(answers[0].1["data"]["items"][0]["name"], "shop");
    assert_eq!(shop.task_row().version, 1, "nothing is changed by it");
}

#[test]
fn w2_the_steps_of_planning_can_be_carried_out() {
    let shop = Shop::new();
    let mut known = filled(&shop);
    let template = shop.data(
        "manage_template",
        json!({"operation": "create", "name": "Task", "description": "d", "targetEntityType": "TASK"}),
    );
    let id = template["id"].as_str().expect("an id").to_owned();
    shop.data(
        "manage_template",
        json!({"operation": "addSection", "id": id, "title": "Implementation Plan", "usageDescription": "u", "contentSample": "c"}),
    );
    known.insert("templateId".to_owned(), id);
    let answers = carry_out(&shop, PLANNING, &mut known);
    let data = |tool: &str| {
        answers
            .iter()
            .rfind(|(name, _)| name == tool)
            .map(|(_, told)| told["data"].clone())
            .expect("called")
    };
    let task = known.get("taskId").expect("made").clone();
    let committed = data("graph_commit");
    assert_eq!(committed["atoms"][1]["moleculeId"], committed["refs"]["area"]);
    let sections = shop.data("query_sections", json!({"entityType": "TASK", "entityId": task}));
    let titles: Vec<&str> = sections
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["title"].as_str())
        .collect();
    assert_eq!(titles, ["Implementation Plan", "Context Files"]);
    let next = data("get_next_task");
    assert_eq!(next["id"], json!(shop.task), "what has to come first is offered first");
    let state = shop.data("query_workflow_state", json!({"containerType": "task", "id": task}));
    assert_eq!(state["isBlocked"], json!(true));
}

#[test]
fn w3_the_steps_of_execution_can_be_carried_out() {
    let shop = Shop::new();
    shop.at(lore_seam::Log::new("c1".to_owned(), Vec::new(), false, Vec::new()));
    let mut known = filled(&shop);
    shop.section("Context Files", 0, "src/payments/a.ts");
    let answers = carry_out(&shop, EXECUTION, &mut known);
    let last = answers.iter().rfind(|(tool, _)| tool == "advance").expect("called");
    assert_eq!(last.1["data"]["task"]["status"], "CLOSED");
    assert!(last.1["data"]["graphHints"]["suggestedActions"].is_array());
    let atom = shop.get("atom", known.get("atomId").expect("known"));
    assert!(
        atom["atom"]["knowledge"]
            .as_str()
            .expect("a text")
            .ends_with("]---\nRetries back off")
    );
    assert_eq!(atom["changelog"][0]["summary"], "Retries, since webhooks were lost");
    assert_eq!(atom["atom"]["confirmed"]["commit"], "c1");
}
