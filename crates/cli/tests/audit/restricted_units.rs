//! Restricted units stay unreadable at every revision and in derived text (F6).

use std::collections::BTreeMap;

use lore_testing::Conversation;
use serde_json::{Value, json};

use crate::world::World;

const MANIFEST: &str = r#"kcp_version: "0.14"
project: Shop
version: 1.0.0
auth:
  methods:
    - type: api_key
      header: X-Key
units:
  - id: secret
    path: src/secret.py
    intent: How are prices made?
    scope: module
    audience: [human]
    access: restricted
    auth_scope: finance
"#;

/// What an agent must never be shown.
const WITHHELD: &[&str] = &["margin_is_seven", "MARGIN_DOC", "default_margin", "BODY_LINE"];

fn secret(more: &str) -> String {
    format!(
        "\"\"\"MARGIN_DOC of the module.\"\"\"\nMARGIN = \"margin_is_seven\"\n\n\n\
         def hidden(rate=\"default_margin\"):\n    \"\"\"MARGIN_DOC of the function.\"\"\"\n    return \"BODY_LINE\"\n{more}"
    )
}

/// A manifest that restricts these paths, each as a unit of its own: `secret`, `secret1`, `secret2` …
fn restricting(paths: &[&str]) -> String {
    let (head, unit) = MANIFEST.split_once("units:\n").expect("it has units");
    let units: Vec<String> = (0..)
        .zip(paths)
        .map(|(number, path)| {
            let id = if number == 0 {
                "secret".to_owned()
            } else {
                format!("secret{number}")
            };
            unit.replace("id: secret", &format!("id: {id}"))
                .replace("src/secret.py", path)
        })
        .collect();
    format!("{head}units:\n{}", units.concat())
}

/// One request to the server.
#[derive(Clone)]
struct Question {
    method: &'static str,
    params: Value,
    /// Whether there has to be an answer: an error hides whatever an answer would show.
    is_answered: bool,
}

/// A call of a tool, with room for all of its answer.
fn tool(name: &str, mut arguments: Value) -> Question {
    if !["source", "export_ccg_index", "export_ccg_full"].contains(&name) {
        arguments["budget"] = json!("4MB");
    }
    Question {
        method: "tools/call",
        params: json!({"name": name, "arguments": arguments}),
        is_answered: false,
    }
}

fn resource(uri: &str) -> Question {
    Question {
        method: "resources/read",
        params: json!({"uri": uri}),
        is_answered: false,
    }
}

impl Question {
    fn answered(self) -> Self {
        Self {
            is_answered: true,
            ..self
        }
    }
}

/// Asks `lore mcp`; the answers are in the order of the questions.
fn ask(world: &World, questions: &[Question]) -> Vec<String> {
    let mut server = Conversation::start(&mut world.command_in(&world.repo(), &["mcp", "--tools", "all"]));
    server.say(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}));
    server.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for (number, question) in (1..).zip(questions) {
        server.say(json!({"jsonrpc": "2.0", "id": number, "method": question.method, "params": question.params}));
    }
    let mut told = BTreeMap::new();
    while told.len() < questions.len() {
        let line = server.hear();
        let reply: Value = serde_json::from_str(&line).expect("JSON");
        if let Some(number) = reply["id"].as_u64().filter(|number| *number > 0) {
            let question = &questions[number as usize - 1];
            let is_error = reply["result"]["isError"] == json!(true) || reply.get("error").is_some();
            assert!(!(question.is_answered && is_error), "{}: {line}", question.params);
            told.insert(number, line);
        }
    }
    server.finish();
    told.into_values().collect()
}

/// Every question that shows something of symbols or files, at a revision or now.
fn questions(revision: Option<&str>, files: &[&str]) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut add = |name: &str, mut arguments: Value, is_answered: bool| {
        if let Some(revision) = revision {
            arguments["at"] = json!(revision);
        }
        questions.push(Question {
            is_answered,
            ..tool(name, arguments)
        });
    };
    for target in ["hidden"].iter().chain(files) {
        add("source", json!({"target": target}), false);
        add("show", json!({"target": target, "source": true}), false);
        add("show", json!({"target": target}), false);
        add("callers", json!({"target": target}), false);
        add("callees", json!({"target": target}), false);
        add("edges", json!({"symbol": target}), false);
        add("outline", json!({"paths": [target]}), false);
    }
    for query in ["hidden", "MARGIN", "margin_is_seven"] {
        add("find", json!({"query": query}), query == "hidden");
    }
    add("outline", json!({"paths": []}), true);
    add("outline", json!({"paths": [], "depth": 9}), true);
    for name in ["unresolved", "edges", "stats", "files", "deps"] {
        add(name, json!({}), true);
    }
    add("deps", json!({"external": true}), true);
    add("dead", json!({"all": true, "tests": true}), true);
    add("export_ccg_architecture", json!({}), true);
    add("export_ccg_architecture", json!({"raw": true}), true);
    add("export_ccg_index", json!({"plain": true}), true);
    add("export_ccg_full", json!({"plain": true}), true);
    add(
        "query_ccg",
        json!({"query": "SELECT ?s ?v { ?s ?p ?v FILTER(isLiteral(?v)) }", "limit": 0}),
        true,
    );
    add(
        "query_ccg",
        json!({"query": "SELECT ?s ?p ?o { ?s ?p ?o }", "limit": 0}),
        true,
    );
    if let Some(revision) = revision {
        questions.push(tool("ccg_diff", json!({"base": revision})).answered());
        questions.push(tool("impact", json!({"since": revision})).answered());
        return questions;
    }
    for layer in ["manifest", "architecture", "index", "full"] {
        questions.push(resource(&format!("lore://ccg/{layer}")).answered());
    }
    for file in files {
        questions.push(resource(&format!("lore://source/{file}")));
        questions.push(resource(&format!("lore://outline/{file}")));
    }
    questions.push(resource("lore://symbol/hidden"));
    for (template, name) in [("symbol/{+name}", "name"), ("outline/{+path}", "path")] {
        for begun in ["", "h", "s"] {
            questions.push(Question {
                method: "completion/complete",
                params: json!({"ref": {"type": "ref/resource", "uri": format!("lore://{template}")},
                    "argument": {"name": name, "value": begun}}),
                is_answered: true,
            });
        }
    }
    questions
}

/// Asks, and checks that no answer holds one of the texts unless the question itself does.
fn ask_without(world: &World, questions: &[Question], withheld: &[&str]) -> Vec<String> {
    let replies = ask(world, questions);
    for (question, reply) in questions.iter().zip(&replies) {
        let asked = question.params.to_string();
        for text in withheld.iter().filter(|text| !asked.contains(**text)) {
            assert!(!reply.contains(text), "{asked} shows {text}: {reply}");
        }
    }
    replies
}

fn assert_withheld(world: &World, revisions: &[Option<&str>]) -> Vec<String> {
    let ask = |revision: &Option<&str>| {
        ask_without(
            world,
            &questions(*revision, &["src/secret.py", "old/name.py"]),
            WITHHELD,
        )
    };
    revisions.iter().flat_map(ask).collect()
}

/// Checks that a person is shown these texts, so that a test which finds none of them in an agent's answers tells something.
fn assert_shown_to_people(world: &World, commands: &[&[&str]], texts: &[&str]) {
    let shown: String = commands.iter().map(|command| world.lore(command).stdout).collect();
    for text in texts {
        assert!(shown.contains(text), "{text} is in no answer: {shown}");
    }
}

#[test]
fn a_rename_does_not_open_a_restricted_unit() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    world.write(
        "src/open.py",
        "def open_to_all():\n    return \"anybody may read it\"\n",
    );
    world.commit("one");
    world.git(&["mv", "old/name.py", "src/secret.py"]);
    world.write("knowledge.yaml", MANIFEST);
    world.commit("two");
    let replies = assert_withheld(&world, &[None, Some("HEAD"), Some("HEAD~1")]).join("\n");
    assert!(replies.contains("withheld: restricted unit `secret`"), "it says so");
    assert!(replies.contains("hidden"), "names stay");
    // What is not restricted is shown, now and then.
    let open = [
        tool("source", json!({"target": "open_to_all"})).answered(),
        tool("source", json!({"target": "open_to_all", "at": "HEAD~1"})).answered(),
    ];
    for reply in ask(&world, &open) {
        assert!(reply.contains("anybody may read it"), "{reply}");
    }
}

#[test]
fn a_rename_with_an_edit_does_not_open_a_restricted_unit() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    world.commit("one");
    world.git(&["mv", "old/name.py", "src.py"]);
    world.git(&["commit", "--quiet", "--message", "two"]);
    std::fs::create_dir(world.repo().join("src")).expect("made");
    world.git(&["mv", "src.py", "src/secret.py"]);
    world.write("src/secret.py", secret("\n\ndef more():\n    return 2\n"));
    world.write("knowledge.yaml", MANIFEST);
    world.commit("three");
    assert_withheld(&world, &[None, Some("HEAD~1"), Some("HEAD~2")]);
}

#[test]
fn a_rename_by_a_merge_of_a_name_that_was_deleted_before_opens_nothing() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    world.write("src/secret.py", "nothing = 1\n");
    world.commit("one");
    std::fs::remove_file(world.repo().join("src/secret.py")).expect("removed");
    world.commit("two");
    world.git(&["checkout", "--quiet", "-b", "other"]);
    world.write("other.py", "other = 1\n");
    world.commit("other");
    world.git(&["checkout", "--quiet", "main"]);
    world.write("more.py", "more = 1\n");
    world.commit("three");
    world.git(&["merge", "--quiet", "--no-ff", "--no-commit", "other"]);
    std::fs::create_dir_all(world.repo().join("src")).expect("made");
    world.git(&["mv", "old/name.py", "src/secret.py"]);
    world.commit("merge");
    world.write("src/secret.py", secret("\n\ndef more():\n    return 2\n"));
    world.write("knowledge.yaml", MANIFEST);
    world.commit("four");
    assert_withheld(&world, &[None, Some("HEAD~2")]);
}

#[test]
fn a_copy_and_a_unit_of_an_older_manifest_stay_restricted() {
    let world = World::new();
    world.write("src/secret.py", secret(""));
    world.write("old/name.py", secret(""));
    world.write("knowledge.yaml", MANIFEST);
    world.commit("one");
    // The copy is gone, and the unit is no longer restricted: at the older revision it was.
    std::fs::remove_file(world.repo().join("old/name.py")).expect("removed");
    world.commit("two");
    assert_withheld(&world, &[None, Some("HEAD~1")]);
    std::fs::remove_file(world.repo().join("src/secret.py")).expect("removed");
    world.write(
        "knowledge.yaml",
        MANIFEST.replace("    access: restricted\n    auth_scope: finance\n", ""),
    );
    world.commit("three");
    let question = tool("source", json!({"target": "src/secret.py", "at": "HEAD~1"}));
    let replies = ask(&world, &[question]);
    assert!(!replies[0].contains("BODY_LINE"), "{}", replies[0]);
}

#[test]
fn where_earlier_names_cannot_be_known_nothing_of_a_revision_is_shown() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    world.commit("one");
    world.git(&["checkout", "--quiet", "-b", "other"]);
    world.write("old/name.py", secret("\n\ndef other():\n    return 3\n"));
    world.commit("other");
    world.git(&["checkout", "--quiet", "main"]);
    world.git(&["mv", "old/name.py", "src.py"]);
    std::fs::create_dir(world.repo().join("src")).expect("made");
    world.git(&["mv", "src.py", "src/secret.py"]);
    world.write("knowledge.yaml", MANIFEST);
    world.commit("two");
    let replies = assert_withheld(&world, &[Some("other")]).join("\n");
    assert!(replies.contains("are not known"), "{replies}");
}

#[test]
fn a_unit_of_a_directory_restricts_every_file_below_it() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    world.write("src/open.py", "def open_to_all():\n    return 1\n");
    world.commit("one");
    std::fs::create_dir_all(world.repo().join("private/inner")).expect("made");
    world.git(&["mv", "old/name.py", "private/inner/secret.py"]);
    world.write("private/inner/secret.py", secret("\n\ndef more():\n    return 2\n"));
    world.write("knowledge.yaml", restricting(&["private/"]));
    world.commit("two");
    for revision in [None, Some("HEAD"), Some("HEAD~1")] {
        let questions = questions(revision, &["private/inner/secret.py", "old/name.py"]);
        let replies = ask_without(&world, &questions, WITHHELD).join("\n");
        assert!(replies.contains("withheld: restricted unit `secret`"), "{replies}");
    }
    let open = tool("source", json!({"target": "open_to_all", "at": "HEAD~1"})).answered();
    assert!(ask(&world, &[open])[0].contains("return 1"));
}

#[test]
fn the_documentation_of_a_module_of_several_files_is_withheld() {
    let world = World::new();
    world.write("go.mod", "module example.com/shop\n\ngo 1.22\n");
    world.write(
        "p/a.go",
        "package p\n\nimport \"fmt\"\n\nfunc Open() {\n\tfmt.Println(\"open\")\n}\n",
    );
    world.write(
        "p/z.go",
        "// Package p knows SECRETPKG. And SECRETMORE.\npackage p\n\nimport (\n\t\"fmt\"\n\t_ \"example.com/SECRETIMPORT\"\n)\n\n\
         var table map[string]func() int\n\nvar value = table[\"SECRETKEY\"]()\n\n\
         func hidden() {\n\tfmt.Println(table[\"SECRETINDEX\"]())\n}\n",
    );
    world.write("knowledge.yaml", restricting(&["p/z.go"]));
    world.commit("one");
    let withheld = ["SECRETPKG", "SECRETMORE", "SECRETIMPORT", "SECRETKEY", "SECRETINDEX"];
    assert_shown_to_people(&world, &[&["show", "p/a.go"], &["show", "p/z.go"]], &withheld[..3]);
    for revision in [None, Some("HEAD")] {
        let questions = questions(revision, &["p/a.go", "p/z.go", "example.com/shop/p"]);
        let replies = ask_without(&world, &questions, &withheld).join("\n");
        assert!(replies.contains("fmt"), "what an open file imports stays visible");
        assert!(replies.contains("withheld: restricted unit `secret`"), "it says so");
    }
}

#[test]
fn specifiers_names_of_unresolved_calls_and_diagnostics_are_withheld() {
    let world = World::new();
    world.write(
        "src/secret.js",
        "import z from \"https://u:SECRETPW@h/x.js\";\nimport \"SECRETSIDE\";\nimport {shared} from \"shared-library\";\n\
         export {a} from \"SECRETFROM\";\nconst y = require(\"SECRETREQ/lib\");\n\
         export function hidden(obj) {\n  obj[\"SECRETIDX\"]();\n  z.go();\n  shared();\n  return y.run();\n}\n",
    );
    world.write("src/broken.js", "let broken = \"SECRETNEAR1\" )y = ];\n");
    world.write(
        "src/open.js",
        "import {shared} from \"shared-library\";\nexport function open_to_all() {\n  shared();\n}\n",
    );
    world.write("knowledge.yaml", restricting(&["src/secret.js", "src/broken.js"]));
    world.commit("one");
    let withheld = [
        "SECRETPW",
        "SECRETSIDE",
        "SECRETFROM",
        "SECRETREQ",
        "SECRETIDX",
        "SECRETNEAR1",
    ];
    let commands: &[&[&str]] = &[
        &["show", "src/secret.js"],
        &["show", "src/broken.js"],
        &["edges"],
        &["unresolved"],
    ];
    assert_shown_to_people(&world, commands, &withheld);
    for revision in [None, Some("HEAD")] {
        let questions = questions(revision, &["src/secret.js", "src/broken.js"]);
        let replies = ask_without(&world, &questions, &withheld).join("\n");
        assert!(replies.contains("shared-library"), "an open file imports it too");
    }
}

#[test]
fn files_that_operations_read_by_themselves_are_guarded() {
    let world = World::new();
    world.write(
        "docs/s.md",
        "---\nid: spec:hidden\ntitle: SECRETTITLE\n---\n\n# Hidden\n",
    );
    world.write("docs/open.md", "---\nid: spec:open\ntitle: OPENTITLE\n---\n\n# Open\n");
    world.write("src/q.rq", "SELECT ?s { ?s SECRETPREFIX:x ?o }\n");
    let manifest = MANIFEST.replace("scope: module", "scope: SECRETSCOPE");
    world.write(
        "src/cfg.yaml",
        manifest.replace("How are prices made?", "SECRETINTENT?"),
    );
    world.write(
        "knowledge.yaml",
        restricting(&["docs/s.md", "src/cfg.yaml", "src/q.rq"]),
    );
    #[cfg(unix)]
    world.link("alias.yaml", "src/cfg.yaml");
    world.commit("one");
    let withheld = ["SECRETTITLE", "SECRETPREFIX", "SECRETSCOPE", "SECRETINTENT"];
    let commands: &[&[&str]] = &[
        &["query", "--file", "src/q.rq"],
        &["unit", "show", "secret", "--file", "src/cfg.yaml"],
    ];
    for (command, text) in commands.iter().zip(["SECRETPREFIX", "SECRETSCOPE"]) {
        assert!(world.lore(command).stderr.contains(text), "a person is told {text}");
    }
    let mut questions = vec![
        tool("mind_import", json!({"from_markdown": "docs"})).answered(),
        tool("mind_import", json!({"file": "docs/s.md"})),
        tool("query_ccg", json!({"file": "src/q.rq"})),
    ];
    for path in ["src/cfg.yaml", "./src/../src/cfg.yaml", "alias.yaml"] {
        for name in ["unit_show", "unit_validate", "unit_access"] {
            questions.push(tool(name, json!({"file": path, "id": "secret"})));
        }
        questions.push(tool("source", json!({"target": path})));
    }
    ask_without(&world, &questions, &withheld);
    let nodes = ask_without(&world, &[tool("mind_nodes", json!({})).answered()], &withheld);
    assert!(nodes[0].contains("spec:open"), "{}", nodes[0]);
}

#[test]
fn questions_about_many_files_say_which_ones_they_leave_out() {
    let world = World::new();
    world.write("src/secret.py", secret(""));
    world.write("src/open.py", "def _unused():\n    return 1\n");
    world.write("knowledge.yaml", MANIFEST);
    world.commit("one");
    world.write("src/secret.py", secret("\n\ndef more():\n    return 2\n"));
    world.write("src/open.py", "def _unused():\n    return 2\n");
    world.write(
        "src/caller.py",
        "from src.secret import hidden\n\n\ndef calls_hidden():\n    return hidden()\n",
    );
    let questions = [
        tool("dead", json!({"all": true})).answered(),
        tool("impact", json!({"since": "HEAD"})).answered(),
    ];
    let replies = ask_without(&world, &questions, WITHHELD);
    assert!(replies[0].contains("_unused"), "{}", replies[0]);
    assert!(replies[0].contains("1 file may not be read: "), "{}", replies[0]);
    assert!(replies[1].contains("calls_hidden"), "{}", replies[1]);
    assert!(
        replies[1].contains("1 changed file may not be read: "),
        "{}",
        replies[1]
    );
}
