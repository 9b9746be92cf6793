//! Clients set up in a repository in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use serde_json::json;

use super::*;
use lore_seam::{PathKind, Settled, Stat, Style, WriteOne, Written};

/// Files in memory; some are read-only, some lead elsewhere, some cannot be written.
#[derive(Default)]
struct Memory {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    links: BTreeMap<&'static str, &'static str>,
    read_only: BTreeSet<&'static str>,
    unwritable: BTreeSet<&'static str>,
}

impl Memory {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self {
            files: Mutex::new(files.collect()),
            ..Self::default()
        }
    }

    fn text(&self, path: &str) -> String {
        let files = self.files.lock().expect("whole");
        String::from_utf8(files.get(path).expect(path).clone()).expect("text")
    }

    fn put(&self, path: &str, text: &str) {
        self.files.lock().expect("whole").insert(path.to_owned(), text.into());
    }

    fn paths(&self) -> Vec<String> {
        self.files.lock().expect("whole").keys().cloned().collect()
    }

    fn all(&self) -> BTreeMap<String, Vec<u8>> {
        self.files.lock().expect("whole").clone()
    }
}

fn refused<T>(message: String) -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, message))
}

impl Files for Memory {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let path = self.links.get(path).copied().unwrap_or(path);
        let files = self.files.lock().expect("whole");
        let folder = format!("{path}/");
        if files.keys().any(|known| known.starts_with(&folder)) {
            Some(PathKind::Directory)
        } else {
            files.get(path).map(|_| PathKind::File)
        }
    }

    fn stat(&self, _: &str) -> Option<Stat> {
        None
    }

    fn list(&self, _: &str) -> Result<Vec<String>, OpError> {
        Ok(Vec::new())
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        match self.files.lock().expect("whole").get(path) {
            Some(bytes) if bytes.len() as u64 <= max_bytes => Ok(bytes.clone()),
            Some(_) => refused(format!("{path} is larger than {max_bytes} bytes")),
            None => refused(format!("there is no file {path}")),
        }
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        let mut written = Vec::new();
        for (at, path) in paths.iter().enumerate() {
            if self.unwritable.contains(path.as_str()) {
                return refused(format!("{path} cannot be written: the disk is full"));
            }
            let mut bytes = Vec::new();
            write(at, &mut bytes)?;
            written.push(Written {
                bytes: bytes.len() as u64,
                streamed: false,
            });
            self.files.lock().expect("whole").insert(path.to_owned(), bytes);
        }
        Ok(written)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        if self.kind(path) == Some(PathKind::Directory) {
            return refused(format!("{path} is a directory, not a file"));
        }
        let target = self.links.get(path).copied().unwrap_or(path);
        if target.is_empty() {
            return refused(format!("{path} is a link that leads out of the repository"));
        }
        Ok(Settled {
            path: target.to_owned(),
            read_only: self.read_only.contains(target),
        })
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        self.files.lock().expect("whole").remove(path);
        Ok(())
    }
}

fn request(agents: &[&str]) -> InitRequest {
    InitRequest {
        agent: agents.iter().map(|name| (*name).to_owned()).collect(),
        ..InitRequest::default()
    }
}

fn written(memory: &Memory, agents: &[&str]) -> Value<InitAnswer> {
    let request = InitRequest {
        yes: true,
        ..request(agents)
    };
    init(memory, &request).expect("it can be asked")
}

fn removed(memory: &Memory, agents: &[&str]) -> Value<InitAnswer> {
    let request = InitRequest {
        yes: true,
        remove: true,
        ..request(agents)
    };
    init(memory, &request).expect("it can be asked")
}

/// Each file as `action path: why`.
fn told(answer: &Value<InitAnswer>) -> Vec<String> {
    let line = |file: &PlannedFile| {
        let action = serde_json::to_value(file.action).expect("a word");
        let why = file.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        format!("{} {}{why}", action.as_str().expect("a word"), file.path)
    };
    answer.value.files.iter().map(line).collect()
}

fn shown(answer: &InitAnswer) -> String {
    let mut page = Page::new(Style { colour: false });
    Render::render(answer, &mut page);
    page.into_text()
}

fn error(outcome: Result<Value<InitAnswer>, OpError>) -> OpError {
    outcome.expect_err("it cannot be asked")
}

#[test]
fn every_client_is_set_up_once_and_taken_out_without_a_trace() {
    for client in CLIENTS {
        let memory = Memory::default();
        let first = written(&memory, &[client.name]);
        assert!(
            first.value.files.iter().all(|file| file.action == Action::Create),
            "{}",
            client.name
        );
        let after = memory.all();
        assert_eq!(after.len(), first.value.files.len());

        let second = written(&memory, &[client.name]);
        assert!(
            second.value.files.iter().all(|file| file.action == Action::Nothing),
            "{}",
            client.name
        );
        assert!(!second.value.written && second.verdict == Verdict::Yes);
        assert_eq!(memory.all(), after);

        assert_eq!(
            list(&memory, &wish(&request(&[])).expect("sound"))
                .clients
                .iter()
                .find(|line| line.name == client.name)
                .map(|line| line.set_up),
            Some(SetUp::Yes)
        );
        removed(&memory, &[client.name]);
        assert_eq!(memory.paths(), [""; 0], "{}", client.name);
    }
}

#[test]
fn all_clients_together_share_files_and_leave_nothing() {
    let memory = Memory::default();
    let answer = written(&memory, &["all"]);
    let shared = answer
        .value
        .files
        .iter()
        .find(|file| file.path == "AGENTS.md")
        .expect("it is shared");
    assert_eq!(shared.agents, ["amp", "codex", "goose", "opencode", "zed"]);
    assert_eq!(memory.text("AGENTS.md").matches("lore:begin").count(), 1);
    assert!(
        written(&memory, &["all"])
            .value
            .files
            .iter()
            .all(|file| file.action == Action::Nothing)
    );
    removed(&memory, &["all"]);
    assert_eq!(memory.paths(), [""; 0]);
}

#[test]
fn shapes_are_those_of_the_clients() {
    let memory = Memory::default();
    written(&memory, &["all"]);
    let json = |path: &str| serde_json::from_str::<serde_json::Value>(&memory.text(path)).expect(path);
    let plain = json!({ "command": "lore", "args": ["mcp"] });
    for path in [
        ".mcp.json",
        ".cursor/mcp.json",
        ".gemini/settings.json",
        ".roo/mcp.json",
        ".junie/mcp/mcp.json",
        ".kiro/settings/mcp.json",
    ] {
        assert_eq!(json(path), json!({ "mcpServers": { "lore": plain } }), "{path}");
    }
    assert_eq!(
        json(".amp/settings.json"),
        json!({ "amp.mcpServers": { "lore": plain } })
    );
    assert_eq!(
        json(".zed/settings.json"),
        json!({ "context_servers": { "lore": plain } })
    );
    assert_eq!(
        json(".vscode/mcp.json"),
        json!({ "servers": { "lore": { "type": "stdio", "command": "lore", "args": ["mcp"] } } })
    );
    assert_eq!(
        json("opencode.json"),
        json!({ "mcp": { "lore": { "type": "local", "command": ["lore", "mcp"], "enabled": true } } })
    );
    assert_eq!(
        memory.text(".codex/config.toml"),
        "[mcp_servers.lore]\ncommand = \"lore\"\nargs = [\"mcp\"]\n"
    );
    let rule = memory.text(".cursor/rules/lore.mdc");
    assert!(
        rule.starts_with("---\ndescription: ") && rule.contains("\nalwaysApply: true\n---\n\n<!-- lore:begin"),
        "{rule}"
    );
}

#[test]
fn nothing_is_written_without_being_told() {
    let memory = Memory::new(&[("CLAUDE.md", "# Mine\n")]);
    let answer = init(&memory, &request(&["claude"])).expect("it can be asked");
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(told(&answer), ["create .mcp.json", "change CLAUDE.md"]);
    assert_eq!(memory.paths(), ["CLAUDE.md"]);
    let text = shown(&answer.value);
    assert!(
        text.contains("--- /dev/null\n+++ b/.mcp.json\n@@ -0,0 +1,8 @@\n+{\n"),
        "{text}"
    );
    assert!(
        text.contains("--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1 +1,17 @@\n # Mine\n+\n+<!-- lore:begin"),
        "{text}"
    );
    assert!(text.contains("1 to create, 1 to change\n"), "{text}");
    assert!(
        text.ends_with("hint: nothing is written yet; --yes writes the changes\n"),
        "{text}"
    );
}

#[test]
fn check_answers_no_while_something_is_missing() {
    let memory = Memory::default();
    let check = InitRequest {
        check: true,
        ..request(&["codex"])
    };
    assert_eq!(init(&memory, &check).expect("it can be asked").verdict, Verdict::No);
    assert_eq!(memory.paths(), [""; 0]);
    written(&memory, &["codex"]);
    assert_eq!(init(&memory, &check).expect("it can be asked").verdict, Verdict::Yes);
    memory.put("AGENTS.md", &memory.text("AGENTS.md").replace("Ask it", "Do ask it"));
    let edited = init(&memory, &check).expect("it can be asked");
    assert_eq!(edited.verdict, Verdict::Yes, "what somebody edited is his");
}

#[test]
fn what_a_person_changed_is_left_alone() {
    let servers = "{\n  \"mcpServers\": {\n    \"lore\": { \"command\": \"lore\", \"args\": [\"mcp\", \".\"], \"env\": { \"KEY\": \"s3cret\" } }\n  }\n}\n";
    let memory = Memory::new(&[(".mcp.json", servers)]);
    written(&memory, &["claude-code"]);
    memory.put(
        "CLAUDE.md",
        &memory.text("CLAUDE.md").replace("## Ask", "## Please ask"),
    );
    let before = memory.all();
    for answer in [written(&memory, &["claude-code"]), removed(&memory, &["claude-code"])] {
        assert_eq!(
            told(&answer),
            [
                "left_alone .mcp.json: .mcp.json:3:5: a different `lore` exists: `args` is [\"mcp\",\".\"] and not [\"mcp\"], `env` is added",
                "left_alone CLAUDE.md: CLAUDE.md:1:1: the note was edited; remove it with its marks to get a new one",
            ]
        );
        assert_eq!(memory.all(), before);
    }
}

#[test]
fn an_older_note_of_ours_is_brought_up_to_date() {
    let older = "# Mine\n\n<!-- lore:begin f5851620a221 -->\nolder\n<!-- lore:end -->\n\nafter\n";
    let memory = Memory::new(&[("GEMINI.md", older)]);
    assert_eq!(told(&written(&memory, &["gemini"]))[1], "change GEMINI.md");
    assert_eq!(
        memory.text("GEMINI.md"),
        format!("# Mine\n\n{}\nafter\n", note::block())
    );
    memory.put("GEMINI.md", older);
    removed(&memory, &["gemini"]);
    assert_eq!(memory.text("GEMINI.md"), "# Mine\n\nafter\n");
}

#[test]
fn damaged_marks_are_left_alone() {
    let memory = Memory::new(&[("GEMINI.md", "# Mine\n<!-- lore:begin 0cd06bea9bda -->\nno end\n")]);
    let answer = written(&memory, &["gemini"]);
    assert_eq!(
        told(&answer)[1],
        "left_alone GEMINI.md: GEMINI.md:2: the note begins here and has no end; correct the marks, or remove the note by hand"
    );
}

#[test]
fn a_file_that_does_not_parse_fails_alone() {
    let memory = Memory::new(&[(
        ".cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": 1\n    \"b\": 2\n  }\n}\n",
    )]);
    let answer = written(&memory, &["cursor", "gemini"]);
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(
        told(&answer),
        [
            "refused .cursor/mcp.json: .cursor/mcp.json:4:5: `,` or `}` is expected here, not `\"`; by hand: \"lore\": {\"args\":[\"mcp\"],\"command\":\"lore\"} under `mcpServers`",
            "create .cursor/rules/lore.mdc",
            "create .gemini/settings.json",
            "create GEMINI.md",
        ]
    );
    assert!(memory.paths().contains(&"GEMINI.md".to_owned()));
    assert!(shown(&answer.value).contains("3 created, 1 refused\n"));
    assert_eq!(answer.value.remarks.len(), 1, "only Cursor's");
}

#[test]
fn where_nothing_can_be_done_it_is_an_error() {
    let memory = Memory::new(&[(".codex/config.toml", "a =\n"), ("AGENTS.md/x", "")]);
    let error = error(init(&memory, &request(&["codex"])));
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Unavailable, "all 2 files are unchanged")
    );
    assert!(error.hints[0].starts_with(".codex/config.toml:1:"), "{:?}", error.hints);
    let by_hand = "; by hand: lore = { command = \"lore\", args = [\"mcp\"] } under `mcp_servers`";
    assert!(error.hints[0].ends_with(by_hand), "{:?}", error.hints);
    assert_eq!(error.hints[1], "AGENTS.md is a directory, not a file");
}

#[test]
fn what_cannot_be_read_or_written_is_refused() {
    let large = "x".repeat((1 << 20) + 1);
    let mut memory = Memory::new(&[("GEMINI.md", large.as_str()), (".roo/mcp.json", "{}")]);
    memory
        .files
        .lock()
        .expect("whole")
        .insert("CLAUDE.md".to_owned(), vec![b'a', 0xff]);
    memory.links.insert(".kiro/steering/lore.md", "");
    memory.read_only.insert(".roo/mcp.json");
    memory.unwritable.insert(".windsurf/rules/lore.md");
    let answer = written(&memory, &["gemini", "claude-code", "kiro", "roo", "windsurf"]);
    let refusals: Vec<String> = told(&answer)
        .into_iter()
        .filter(|line| line.starts_with("refused"))
        .collect();
    assert_eq!(
        refusals,
        [
            "refused .kiro/steering/lore.md: .kiro/steering/lore.md is a link that leads out of the repository",
            "refused .roo/mcp.json: .roo/mcp.json, or its directory, is read-only",
            "refused .windsurf/rules/lore.md: .windsurf/rules/lore.md cannot be written: the disk is full",
            "refused CLAUDE.md: CLAUDE.md is not UTF-8 at byte 1",
            "refused GEMINI.md: GEMINI.md is larger than 1048576 bytes",
        ]
    );
    assert_eq!(answer.verdict, Verdict::No);
}

#[test]
fn a_link_and_an_import_lead_to_one_note() {
    let mut memory = Memory::new(&[("AGENTS.md", "# Mine\n"), ("GEMINI.md", "@./AGENTS.md\n")]);
    memory.links.insert("CLAUDE.md", "AGENTS.md");
    let answer = written(&memory, &["claude-code", "gemini", "codex"]);
    let shared = answer
        .value
        .files
        .iter()
        .find(|file| file.path == "AGENTS.md")
        .expect("it is shared");
    assert_eq!(shared.agents, ["claude-code", "codex", "gemini"]);
    assert_eq!(
        shared.why.as_deref(),
        Some("CLAUDE.md leads here; GEMINI.md leads here")
    );
    assert_eq!(memory.text("AGENTS.md").matches("lore:begin").count(), 1);
    assert_eq!(memory.text("GEMINI.md"), "@./AGENTS.md\n");
    assert_eq!(
        told(&removed(&memory, &["claude-code", "gemini", "codex"]))[3],
        "change AGENTS.md: CLAUDE.md leads here; GEMINI.md leads here"
    );
    assert_eq!(memory.text("AGENTS.md"), "# Mine\n");
}

#[test]
fn the_file_that_is_there_is_the_one_that_is_used() {
    let memory = Memory::new(&[
        (".opencode/opencode.jsonc", "{ // mine\n}\n"),
        (".junie/AGENTS.md", "x\n"),
    ]);
    let answer = written(&memory, &["opencode", "junie"]);
    assert_eq!(
        told(&answer),
        [
            "change .junie/AGENTS.md",
            "create .junie/mcp/mcp.json",
            "change .opencode/opencode.jsonc",
            "create AGENTS.md"
        ]
    );
    assert!(
        memory
            .text(".opencode/opencode.jsonc")
            .starts_with("{ // mine\n  \"mcp\": {")
    );
}

#[test]
fn servers_go_where_a_file_of_another_form_has_them() {
    let memory = Memory::new(&[("opencode.json", "{\"mcp\": {\"servers\": {}}}\n")]);
    written(&memory, &["opencode"]);
    assert_eq!(
        memory.text("opencode.json"),
        "{\"mcp\": {\"servers\": {\"lore\": {\"type\": \"local\", \"command\": [\"lore\", \"mcp\"], \"enabled\": true}}}}\n"
    );
    let named_so = "{\"mcp\": {\"servers\": {\"type\": \"local\"}}}\n";
    memory.put("opencode.json", named_so);
    written(&memory, &["opencode"]);
    assert!(
        memory
            .text("opencode.json")
            .starts_with("{\"mcp\": {\"servers\": {\"type\": \"local\"}, \"lore\": {")
    );
}

#[test]
fn line_ends_of_a_file_are_kept() {
    let memory = Memory::new(&[
        ("CLAUDE.md", "# A\r\n"),
        (".mcp.json", "{\r\n\t\"mcpServers\": {}\r\n}\r\n"),
    ]);
    written(&memory, &["claude-code"]);
    for path in ["CLAUDE.md", ".mcp.json"] {
        let text = memory.text(path);
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{path}");
    }
    removed(&memory, &["claude-code"]);
    assert_eq!(memory.text("CLAUDE.md"), "# A\r\n");
    assert_eq!(memory.text(".mcp.json"), "{\r\n\t\"mcpServers\": {}\r\n}\r\n");
}

#[test]
fn an_empty_file_is_filled() {
    let memory = Memory::new(&[(".cursor/rules/lore.mdc", ""), (".cursor/mcp.json", "")]);
    let answer = written(&memory, &["cursor"]);
    assert_eq!(
        told(&answer),
        ["change .cursor/mcp.json", "change .cursor/rules/lore.mdc"]
    );
    assert!(memory.text(".cursor/rules/lore.mdc").starts_with("---\n"));
}

#[test]
fn another_command_is_written_and_found_again() {
    let memory = Memory::default();
    let with = |yes: bool, remove: bool| InitRequest {
        yes,
        remove,
        command: Some("/opt/lore \"x\"".to_owned()),
        ..request(&["codex", "vscode"])
    };
    init(&memory, &with(true, false)).expect("it can be asked");
    let again = init(&memory, &with(false, false)).expect("it can be asked");
    assert!(again.value.files.iter().all(|file| file.action == Action::Nothing));
    let other = init(&memory, &request(&["vscode"])).expect("it can be asked");
    assert_eq!(other.value.files[1].action, Action::LeftAlone);
    init(&memory, &with(true, true)).expect("it can be asked");
    assert_eq!(memory.paths(), [""; 0]);
}

#[test]
fn auto_means_those_that_are_here() {
    let memory = Memory::new(&[
        (".cursor/rules/own.mdc", "x"),
        ("CLAUDE.md", "x\n"),
        ("AGENTS.md", "x\n"),
    ]);
    let answer = init(&memory, &request(&["auto", "zed"])).expect("it can be asked");
    let mut agents: Vec<String> = answer.value.files.iter().flat_map(|file| file.agents.clone()).collect();
    agents.sort();
    agents.dedup();
    assert_eq!(agents, ["claude-code", "cursor", "zed"]);
    let none = error(init(&Memory::default(), &request(&["auto"])));
    assert_eq!(none.kind, ErrorKind::NotFound);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let memory = Memory::default();
    let unknown = error(init(&memory, &request(&["emacs"])));
    assert_eq!(
        (unknown.kind, unknown.message.as_str()),
        (ErrorKind::Invalid, "unknown client `emacs`")
    );
    assert!(
        unknown.hints[0].starts_with("one of: amp, claude-code, "),
        "{:?}",
        unknown.hints
    );
    for request in [
        InitRequest {
            yes: true,
            ..request(&[])
        },
        InitRequest {
            yes: true,
            check: true,
            ..request(&["zed"])
        },
        InitRequest {
            command: Some(" ".to_owned()),
            ..request(&["zed"])
        },
        InitRequest {
            command: Some("a\nb".to_owned()),
            ..request(&["zed"])
        },
    ] {
        assert_eq!(error(init(&memory, &request)).kind, ErrorKind::Invalid);
    }
}

#[test]
fn the_list_says_what_is_here_and_what_is_set_up() {
    let memory = Memory::new(&[(".cursor/mcp.json", "{}")]);
    written(&memory, &["claude-code"]);
    memory.put("CLAUDE.md", "");
    let answer = init(&memory, &request(&[])).expect("it can be asked");
    let text = shown(&answer.value);
    assert!(
        text.starts_with(
            "client        here  set up   files\namp           no    no       .amp/settings.json, AGENTS.md\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("\nclaude-code   yes   in part  .mcp.json, CLAUDE.md\n"),
        "{text}"
    );
    assert!(
        text.contains("\ncursor        yes   no       .cursor/mcp.json, .cursor/rules/lore.mdc\n"),
        "{text}"
    );
    assert!(
        text.contains("\nwindsurf      no    no       .windsurf/rules/lore.md\n"),
        "{text}"
    );
    let json = serde_json::to_value(&answer.value).expect("it serialises");
    assert_eq!(json["clients"][1]["set_up"], "in_part");
}
