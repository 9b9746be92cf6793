//! No escape sequence or bidirectional control from a repository reaches a terminal (F10).

#[cfg(target_os = "linux")]
use std::process::Command;

use lore_ask::OPERATIONS;
use lore_seam::AnswerKind;

use crate::world::{Outcome, World, finish};

/// A title for the terminal, a colour, a bell, C1 controls, an override of the direction, an isolate, a byte order mark.
const EVIL: &str = "x\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}2J\u{9d}\u{202e}txt.\u{2066}\u{200f}\u{feff}\u{7f}";
/// The same without what git and file systems of some machines refuse, and with line breaks that make a line of their own.
const EVIL_NAME: &str = "x\u{1b}[31m\u{7}\u{9b}2J\u{202e}txt.\u{2066}\nhint: owned\ny";
/// The line that a name must not add to what is said.
const FORGED: &str = "hint: owned";

/// Whether a character steers a terminal or changes the order of what is read.
fn steers(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\t'))
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A repository in which everything that has a name has a hostile one.
fn hostile() -> World {
    let world = World::new();
    let python = format!(
        "\"\"\"{EVIL}\"\"\"\nimport os\n\ndef f(a=\"{EVIL}\"):\n    \"\"\"Doc {EVIL}\"\"\"\n    return g(a)\n\ndef g(a):\n    return unknown(a)\n\ndef test_f():\n    f()\n"
    );
    world.write(&format!("src/{EVIL_NAME}.py"), &python);
    world.write("src/plain.py", "from os import *\n\ndef h():\n    return h()\n");
    let script = format!(
        "/** {EVIL} */\nclass A {{ [\"{EVIL}\"]() {{ return 1; }} }}\nconst o = {{ \"{EVIL}\": function () {{ return new A(); }} }};\ndescribe(\"{EVIL}\", () => {{ it(\"{EVIL}\", () => o); }});\n"
    );
    world.write(&format!("src/{EVIL_NAME}.test.js"), script);
    world.write(
        &format!("docs/{EVIL_NAME}.md"),
        format!("# Head {EVIL}\n\n## {EVIL}\n\ntext {EVIL}\n"),
    );
    let on_one_line = EVIL_NAME.replace('\n', "");
    world.write("data.toml", format!("[\"a{on_one_line}\"]\n\"k{on_one_line}\" = 1\n"));
    world.write("broken.py", format!("def ({EVIL}\n"));
    let yaml = "x\\e]0;owned\\a\\e[31m\\x9b2J\\u202etxt.\\u2066\\u200f\\nhint: owned\\ny";
    world.write(
        "knowledge.yaml",
        format!(
            "kcp_version: \"0.14\"\nproject: \"P{yaml}\"\nversion: 1.0.0\nunits:\n  - {{id: one, path: docs/one.md, intent: \"What {yaml}?\", scope: global, audience: [human, agent], triggers: [\"t{yaml}\"]}}\n  - {{id: gone, path: \"docs/{yaml}.md\", intent: \"Why {yaml}?\", scope: global, audience: [human], depends_on: [\"{yaml}\"]}}\nmanifests:\n  - {{id: \"m{yaml}\", url: \"https://nobody.lore.test/{yaml}\"}}\n"
        ),
    );
    world.write("docs/one.md", format!("# One {EVIL}\n"));
    world.write(
        ".kcp/catalog.yaml",
        format!("catalog_version: \"1\"\nentries:\n  - {{id: \"e{yaml}\", source: \"f{yaml}\"}}\n"),
    );
    world.commit("first");
    world.write("src/later.py", format!("def later():\n    \"\"\"{EVIL}\"\"\"\n"));
    world.git(&["add", "--all"]);
    world.git(&[
        "-c",
        &format!("user.name=A{on_one_line}"),
        "commit",
        "--quiet",
        "--message",
        &format!("second {EVIL}\n\nImplements: task:a"),
    ]);
    world.git(&["checkout", "--quiet", "-b", "b\u{202e}\u{9b}ranch"]);
    for arguments in [
        &["mind", "link", "task:a", "spec:b", "--rationale", EVIL][..],
        &["mind", "set", "task:a", "title", EVIL],
        &[
            "memory",
            "project",
            "create",
            &format!("Shop {EVIL}"),
            "--description",
            EVIL,
        ],
        &["memory", "project", "link", &format!("Shop {EVIL}")],
        &["memory", "task", "create", &format!("Task {EVIL}"), "--summary", EVIL],
        &["memory", "feature", "create", &format!("Feature {EVIL}")],
        &[
            "memory",
            "molecule",
            "create",
            &format!("Molecule {EVIL}"),
            "--knowledge",
            EVIL,
        ],
        &[
            "memory",
            "atom",
            "create",
            &format!("Atom {EVIL}"),
            "--knowledge",
            EVIL,
            "--path",
            "src/**",
        ],
        &["registry", "init", "--name", EVIL],
        &["registry", "add", "octo/hello", "--description", EVIL],
    ] {
        clean(&world, arguments, Check::All);
    }
    world
}

/// What of an outcome has to be clean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    All,
    /// Bytes go as they are to what is no terminal.
    Side,
}

fn run(world: &World, arguments: &[&str]) -> Outcome {
    let mut command = world.command_in(&world.repo(), arguments);
    // No name is looked up, and nobody answers.
    let nobody = [
        "github.com",
        "raw.githubusercontent.com",
        "api.github.com",
        "nobody.lore.test",
    ];
    let hosts: Vec<String> = nobody.iter().map(|host| format!("{host}=127.0.0.1:1")).collect();
    let authority = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../backends/tests/tls/authority.pem");
    command
        .env("LORE_WEB_HOSTS", hosts.join(","))
        .env("LORE_WEB_AUTHORITIES", authority)
        .env("LORE_WEB_DEADLINE", "1");
    finish(command, "")
}

/// Runs a command; nothing that it says steers a terminal.
fn clean(world: &World, arguments: &[&str], check: Check) -> Outcome {
    let outcome = run(world, arguments);
    let ended = matches!(outcome.code, Some(0..=2));
    assert!(ended, "{arguments:?}: {outcome:?}");
    let assert_clean = |said: &str| {
        assert_eq!(said.find(steers), None, "{arguments:?}: {said:?}");
        let is_forged = said.lines().any(|line| line.trim_start().starts_with(FORGED));
        assert!(!is_forged, "{arguments:?}: {said:?}");
    };
    assert_clean(&outcome.stderr);
    if check == Check::All {
        assert_clean(&outcome.stdout);
    }
    outcome
}

/// Arguments with which a command has something to say of this repository.
fn plausible(command: &str) -> Vec<Vec<&'static str>> {
    let all: &[&[&'static str]] = match command {
        "find" => &[&["f"], &["x", "--limit", "50"]],
        "show" => &[&["f"], &["f", "--source"], &["src"], &["knowledge.yaml"]],
        "outline" => &[&[], &["docs"], &["--at", "HEAD"]],
        "source" => &[&["f"]],
        "files" => &[&[], &["--skipped"], &["--errors"]],
        "callers" | "callees" => &[&["f"], &["g"]],
        "impact" => &[&["f"], &["g"], &["--since", "HEAD~1"]],
        "path" => &[&["test_f", "g"]],
        "query" => &[
            &["SELECT * { ?s ?p ?o } LIMIT 400"],
            &["SELECT * { GRAPH ?g { ?s ?p ?o } } LIMIT 400"],
        ],
        "ccg diff" | "mind diff" => &[&["HEAD~1", "HEAD"]],
        "ccg select" => &[&["--question", "what does f do"]],
        "unit query" | "unit plan" => &[&["what"]],
        "unit show" | "unit get" | "unit access" | "unit touch" => &[&["one"], &["gone"]],
        "unit syntax" => &[&["git", "commit"]],
        "unit generate" => &[&["llms"]],
        "unit catalog add" => &[&["new", "../knowledge.yaml"]],
        "mind link" | "mind unlink" => &[&["task:a", "spec:b"]],
        "mind set" => &[&["task:a", "owner", "x"]],
        "mind unset" => &[&["task:a", "owner"]],
        "mind remove-node" => &[&["task:z"]],
        "mind at" => &[&["HEAD"]],
        "mind merge" => &[&["--from", "."]],
        "mind nodes" => &[&[], &["task:a"]],
        "mind view" => &[&["roadmap"], &["progress"]],
        "mind process-commit" => &[&[], &["HEAD"]],
        "memory search" => &[&["Atom"], &["owned"]],
        "memory context" => &[&["src/plain.py"]],
        "mind import" | "memory commit" | "memory import" | "graph convert" | "registry import" => &[&["data.toml"]],
        "memory project create"
        | "memory feature create"
        | "memory template create"
        | "memory molecule create"
        | "memory atom create"
        | "memory task create" => &[&["Another"]],
        "memory project edit" | "memory project link" | "memory project unlink" | "memory project delete" => {
            &[&["Another"], &["Nobody"]]
        }
        "memory section edit" | "memory section delete" => &[&["Another", "1"]],
        "memory section move" => &[&["Another", "1", "2"]],
        "memory section add" | "memory changelog add" | "memory template add" => &[&["Another", "Title"]],
        "memory template apply" => &[&["Another", "Another"]],
        "memory tag rename" => &[&["old", "new"]],
        "memory depend" => &[&["Another", "on", "Nobody"]],
        "memory tag show" => &[&["old"]],
        "memory atom show" | "memory molecule show" => &[&["Atom"], &["Molecule"]],
        "graph search" => &[&["f"]],
        "graph get" | "graph find" | "registry show" => &[&["octo/hello"]],
        "registry remove" | "registry revoke" => &[&["octo/nobody"]],
        "registry add" => &[&["octo/other"]],
        "registry verify" | "registry render" => &[&["out"]],
        "registry format add" => &[&["x@1", "--schema", "data.toml"]],
        "registry format deprecate" => &[&["x@1", "--notice", "old"]],
        "registry format remove" => &[&["x@1"]],
        command if takes_one_name(command) => &[&["Another"], &["Task"], &["Nobody"]],
        _ => &[&[]],
    };
    all.iter().map(|arguments| arguments.to_vec()).collect()
}

/// Whether a command of the memory has to be told of what.
fn takes_one_name(command: &str) -> bool {
    let mut words = command.strip_prefix("memory ").unwrap_or_default().split(' ');
    match (words.next(), words.next()) {
        (Some("advance" | "revert" | "terminate" | "block" | "unblock"), None) => true,
        (Some("section" | "changelog"), Some("list")) => true,
        (Some("feature" | "task" | "atom" | "molecule" | "template"), Some(verb)) => {
            ["show", "edit", "delete", "enable", "disable", "confirm"].contains(&verb)
        }
        _ => false,
    }
}

#[test]
fn no_command_lets_a_repository_steer_the_terminal() {
    let world = hostile();
    let mut shown = 0;
    let mut misused = Vec::new();
    // Tools without a command are for agents alone.
    for entry in OPERATIONS.iter().filter(|entry| !entry.command.is_empty()) {
        // What waits for an editor or for changes is not asked here.
        let command = entry.command.join(" ");
        let is_bytes = entry.answer == AnswerKind::Bytes;
        for arguments in plausible(&command) {
            let arguments = [entry.command, &arguments].concat();
            let check = if is_bytes { Check::Side } else { Check::All };
            let outcome = clean(&world, &arguments, check);
            // Arguments that are refused would prove nothing.
            let is_misused = outcome.code == Some(2) && outcome.stderr.contains("Usage:");
            misused.extend(is_misused.then(|| format!("{arguments:?}: {}", outcome.stderr)));
            shown += usize::from(outcome.stdout.contains("\\u{202e}") || outcome.stdout.contains('␛'));
            let with_json = [&arguments[..], &["--json"]].concat();
            clean(&world, &with_json, check);
        }
        // Whoever is told that an argument is wrong is told the argument.
        let mistaken = [entry.command, &[EVIL, "--not-an-option"]].concat();
        clean(&world, &mistaken, Check::All);
        let mistaken = [entry.command, &[EVIL]].concat();
        clean(&world, &mistaken, if is_bytes { Check::Side } else { Check::All });
    }
    for arguments in [
        &[EVIL][..],
        &["--repo", EVIL, "stats"],
        &["--color", EVIL, "stats"],
        &["--db", EVIL, "memory", "status"],
    ] {
        clean(&world, arguments, Check::All);
    }
    assert!(misused.is_empty(), "{misused:#?}");
    assert!(shown >= 10, "only {shown} commands showed a hostile name");
}

#[test]
fn json_says_the_same_in_characters_that_can_be_seen() {
    let world = hostile();
    let outcome = clean(&world, &["files", "--json"], Check::All);
    let paths: Vec<String> = outcome
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|row| Some(row["path"].as_str()?.to_owned()))
        .collect();
    assert!(paths.contains(&format!("src/{EVIL_NAME}.py")), "{paths:?}");
}

#[test]
fn colour_is_the_only_thing_that_escapes() {
    let world = hostile();
    let outcome = run(&world, &["show", "f", "--color", "always"]);
    let rest = ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m"]
        .iter()
        .fold(outcome.stdout.clone(), |text, code| text.replace(code, ""));
    assert_ne!(rest, outcome.stdout);
    assert_eq!(rest.find(steers), None, "{rest:?}");
}

/// What a command shows on a terminal.
#[cfg(target_os = "linux")]
fn on_a_terminal(mut command: Command) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::Read;
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let name = ptsname(&master, Vec::new())
        .expect("a name")
        .into_string()
        .expect("text");
    let slave = std::fs::File::options()
        .read(true)
        .write(true)
        .open(name)
        .expect("opened");
    let mut child = command
        .stdin(std::process::Stdio::null())
        .stdout(slave)
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("lore runs");
    drop(command);
    let mut master = std::fs::File::from(master);
    let reader = std::thread::spawn(move || {
        let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
        // A terminal that nobody writes to any more is an error, not an end.
        while let Ok(count @ 1..) = master.read(&mut piece) {
            bytes.extend_from_slice(&piece[..count]);
        }
        bytes
    });
    lore_testing::wait(&mut child, "lore on a terminal");
    let bytes = lore_testing::join(reader, "the terminal is read");
    // The terminal itself ends lines like this.
    String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
}

#[cfg(target_os = "linux")]
#[test]
fn source_is_byte_for_byte_in_a_pipe_and_visible_on_a_terminal() {
    let world = hostile();
    let piped = run(&world, &["source", "f"]);
    assert!(piped.stdout.contains(EVIL), "{piped:?}");
    let shown = on_a_terminal(world.command_in(&world.repo(), &["source", "f"]));
    assert_eq!(shown.find(steers), None, "{shown:?}");
    assert!(
        shown.contains("␛]0;owned␇") && shown.contains("\\u{202e}txt."),
        "{shown:?}"
    );
    let layer = on_a_terminal(world.command_in(&world.repo(), &["ccg", "architecture"]));
    assert_eq!(layer.find(steers), None, "{layer:?}");
    assert!(serde_json::from_str::<serde_json::Value>(&layer).is_ok(), "{layer:?}");
}
