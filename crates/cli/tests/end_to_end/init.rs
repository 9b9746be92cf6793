//! `lore init` in the sample: what is shown is what is written, once, below the root, and nothing of others is lost.

use std::fs;

use serde_json::Value;

use crate::support::{Outcome, Sample};

fn parsed(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).expect(&outcome.stdout)
}

fn read(sample: &Sample, path: &str) -> String {
    fs::read_to_string(sample.root().join(path)).expect(path)
}

const SERVERS: &str =
    "{\r\n\t// what we use\r\n\t\"mcpServers\": {\r\n\t\t\"db\": { \"command\": \"db\" }, // ours\r\n\t},\r\n}\r\n";

#[test]
fn two_runs_write_once_and_keep_what_was_there() {
    let sample = Sample::new();
    fs::write(sample.root().join(".mcp.json"), SERVERS).expect("written");
    fs::write(sample.root().join("CLAUDE.md"), "# Rules of the shop\n").expect("written");
    let init = ["init", "--agent", "claude-code,codex"];

    let shown = sample.lore(&init);
    assert_eq!(shown.code, 0, "{shown}");
    assert!(
        shown
            .stdout
            .contains("+++ b/.codex/config.toml\n@@ -0,0 +1,3 @@\n+[mcp_servers.lore]\n"),
        "{shown}"
    );
    assert_eq!(read(&sample, ".mcp.json"), SERVERS);
    assert!(!sample.root().join("AGENTS.md").exists() && !sample.root().join(".codex").exists());
    assert_eq!(sample.lore(&[&init[..], &["--check"]].concat()).code, 1);

    let first = sample.lore(&[&init[..], &["--yes"]].concat());
    assert_eq!(first.code, 0, "{first}");
    assert!(first.stdout.contains("2 created, 2 changed\n"), "{first}");
    let servers = read(&sample, ".mcp.json");
    let ours = "\t\t\"lore\": {\r\n\t\t\t\"command\": \"lore\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t},\r\n";
    assert_eq!(servers, SERVERS.replace("// ours\r\n", &format!("// ours\r\n{ours}")));
    assert!(read(&sample, "CLAUDE.md").starts_with("# Rules of the shop\n\n<!-- lore:begin "));

    let second = sample.lore(&[&init[..], &["--yes", "--json"]].concat());
    assert_eq!(
        (second.code, &parsed(&second)["written"]),
        (0, &Value::Bool(false)),
        "{second}"
    );
    assert_eq!(read(&sample, ".mcp.json"), servers);
    assert_eq!(sample.lore(&[&init[..], &["--check"]].concat()).code, 0);

    let removed = sample.lore(&[&init[..], &["--remove", "--yes"]].concat());
    assert_eq!(removed.code, 0, "{removed}");
    assert_eq!(read(&sample, ".mcp.json"), SERVERS);
    assert_eq!(read(&sample, "CLAUDE.md"), "# Rules of the shop\n");
    assert!(!sample.root().join("AGENTS.md").exists() && !sample.root().join(".codex").exists());
}

#[test]
fn files_stand_below_the_root_wherever_one_asks_from() {
    let sample = Sample::new();
    fs::create_dir(sample.root().join(".lore")).expect("made");
    let mut below = sample.command(&["init", "--agent", "gemini", "--yes"]);
    below.current_dir(sample.root().join("web/src"));
    let below = sample.finish(below, "");
    assert_eq!(below.code, 0, "{below}");
    assert!(sample.root().join(".gemini/settings.json").exists() && sample.root().join("GEMINI.md").exists());

    let named = sample.root().display().to_string();
    let mut outside = sample.command(&["--repo", &named, "init", "--agent", "cursor", "--yes"]);
    outside.current_dir(sample.home());
    let outside = sample.finish(outside, "");
    assert_eq!(outside.code, 0, "{outside}");
    assert!(sample.root().join(".cursor/rules/lore.mdc").exists());
    assert_eq!(fs::read_dir(sample.home()).expect("there").count(), 0);

    let list = parsed(&sample.lore(&["init", "--json"]));
    let clients = list["clients"].as_array().expect("clients");
    let set_up = clients.iter().filter(|client| client["set_up"] == "yes");
    let names: Vec<&str> = set_up.filter_map(|client| client["name"].as_str()).collect();
    assert_eq!(names, ["cursor", "gemini"]);
}

#[test]
fn what_cannot_be_done_is_told_and_the_rest_goes_on() {
    let sample = Sample::new();
    fs::write(sample.root().join(".mcp.json"), "{\n  \"mcpServers\": []\n}\n").expect("written");
    let partly = sample.lore(&["init", "--agent", "claude-code", "--yes"]);
    assert_eq!(partly.code, 1, "{partly}");
    let told = "refused .mcp.json (claude-code): .mcp.json:2:17: `mcpServers` is no object";
    assert!(partly.stdout.contains(told), "{partly}");
    assert_eq!(read(&sample, ".mcp.json"), "{\n  \"mcpServers\": []\n}\n");
    assert!(sample.root().join("CLAUDE.md").exists());

    fs::write(sample.root().join(".windsurf"), "").expect("written");
    let none = sample.lore(&["init", "--agent", "windsurf"]);
    assert_eq!((none.code, none.stdout.as_str()), (2, ""), "{none}");
    assert!(
        none.stderr
            .contains("hint: .windsurf is a file, so .windsurf/rules/lore.md cannot be created"),
        "{none}"
    );

    for wrong in [
        &["init", "--agent", "emacs"][..],
        &["init", "--yes"],
        &["init", "--agent", "zed", "--yes", "--check"],
    ] {
        assert_eq!(sample.lore(wrong).code, 2, "{wrong:?}");
    }
    let file = sample.root().join("README.md").display().to_string();
    let single = sample.lore(&["--repo", &file, "init", "--agent", "zed"]);
    assert_eq!(single.code, 2, "{single}");
}
