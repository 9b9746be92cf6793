//! Somebody who runs a registry with the binary, in a home of their own, beside forges on the same machine.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use lore_testing::{Conversation, Running};
use serde_json::Value;
use tempfile::TempDir;

use crate::forge::Forge;

/// The hosts that stand on this machine.
const HOSTS: &[&str] = &[
    "github.com",
    "api.github.com",
    "raw.githubusercontent.com",
    "octo.github.io",
    "gitlab.lore.test",
    "gitea.lore.test",
    "elsewhere.lore.test",
    "allowed.lore.test",
    "registry.lore.test",
];

/// The commit of bodies that are of none in particular.
pub(crate) const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

/// What a command did.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// What it printed, if it went well.
    pub(crate) fn well(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// What it printed as JSON, if it went well.
    pub(crate) fn json(self) -> Value {
        let text = self.well();
        let value = serde_json::from_str(&text);
        assert!(value.is_ok(), "{text}");
        value.expect("JSON")
    }
}

/// The forges, and somebody's home.
pub(crate) struct World {
    pub(crate) forge: Forge,
    home: TempDir,
}

impl World {
    /// A registry without entries.
    pub(crate) fn new() -> Self {
        Self::with("")
    }

    /// A registry without entries, and more in the configuration.
    pub(crate) fn with(more: &str) -> Self {
        Self::with_hosts(more, &[])
    }

    /// The same, with further hosts at ports of this machine; those at port 0 are the forges'.
    pub(crate) fn with_hosts(more: &str, hosts: &[(&str, u16)]) -> Self {
        let world = Self {
            forge: Forge::new(),
            home: TempDir::new().expect("a home"),
        };
        let port = world.forge.server.port;
        let authorities = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../backends/tests/tls/authority.pem");
        let mut text = format!("{more}\n[web]\nauthorities = {:?}\n[web.hosts]\n", authorities);
        let own = HOSTS.iter().map(|host| (*host, 0));
        for (host, at) in own.chain(hosts.iter().copied()) {
            let at = if at == 0 { port } else { at };
            text.push_str(&format!("{host:?} = \"127.0.0.1:{at}\"\n"));
        }
        std::fs::write(world.path("config.toml"), text).expect("written");
        std::fs::create_dir(world.path("work")).expect("made");
        world
            .lore(&[
                "registry",
                "init",
                "--name",
                "Test",
                "--url",
                "https://registry.lore.test",
            ])
            .well();
        world
    }

    /// A path in the home.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
        command
            .args(arguments)
            .current_dir(self.path("work"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("LORE_HOME", self.path("data"))
            .env("LORE_CONFIG", self.path("config.toml"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn lore(&self, arguments: &[&str]) -> Outcome {
        ended(&mut self.command(arguments))
    }

    /// Talks with a process, a line each; so many answers.
    pub(crate) fn talk(&self, arguments: &[&str], lines: &[Value], answers: usize) -> Vec<Value> {
        let mut server = Conversation::start(&mut self.command(arguments));
        lines.iter().for_each(|line| server.say(line));
        let heard = (0..answers).map_while(|_| server.try_hear());
        let heard = heard.map(|line| serde_json::from_str(&line).expect("JSON")).collect();
        server.finish();
        heard
    }

    /// Registers repositories.
    pub(crate) fn add(&self, ids: &[&str]) {
        let arguments: Vec<&str> = ["registry", "add"].into_iter().chain(ids.iter().copied()).collect();
        self.lore(&arguments).well();
    }

    /// Visits repositories, due or not; everything that is due if none is named.
    pub(crate) fn sync(&self, ids: &[&str]) -> Value {
        let arguments = ["registry", "sync", "--json"].into_iter();
        let arguments: Vec<&str> = arguments.chain(ids.iter().copied()).collect();
        self.lore(&arguments).json()
    }

    /// A repository that publishes graphs, is registered and was visited.
    pub(crate) fn visited(&self, id: &str, graphs: &[(&str, &[u8])]) -> String {
        let repository = self.forge.repository(id);
        repository.publish(graphs);
        self.add(&[id]);
        self.sync(&[id]);
        repository.raw(&format!("{}.json", graphs[0].0))
    }

    /// Renders the documents; what was written and removed.
    pub(crate) fn render(&self) -> Value {
        self.lore(&["registry", "render", "public", "--json"]).json()
    }

    /// A document that was rendered.
    pub(crate) fn document(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).expect("JSON")
    }

    /// The text of a document that was rendered.
    pub(crate) fn text(&self, path: &str) -> String {
        let path = self.path("work/public").join(path);
        let text = std::fs::read_to_string(&path);
        assert!(text.is_ok(), "{}: {text:?}", path.display());
        text.expect("readable")
    }

    /// What is known of a repository.
    pub(crate) fn show(&self, id: &str) -> Value {
        self.lore(&["registry", "show", id, "--json"]).json()
    }

    /// Status and error of a repository.
    pub(crate) fn status(&self, id: &str) -> String {
        let shown = self.show(id);
        let error = shown["graphs"][0]["last_error"].as_str().unwrap_or_default();
        let line = format!("{} {error}", shown["status"].as_str().unwrap_or("none"));
        line.trim_end().to_owned()
    }

    /// The primary graph of a repository.
    pub(crate) fn graph(&self, id: &str) -> Value {
        self.show(id)["graphs"][0].clone()
    }

    /// The bodies that are held.
    pub(crate) fn bodies(&self) -> usize {
        let mut count = 0;
        let mut directories = vec![self.path("data/bodies/sha256")];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    directories.push(entry.path())
                } else {
                    count += 1
                }
            }
        }
        count
    }
}

/// Runs a command to its end.
pub(crate) fn ended(command: &mut Command) -> Outcome {
    outcome(&Running::start(command).finish())
}

/// How a process ended.
pub(crate) fn outcome(output: &Output) -> Outcome {
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A body of `generic@1` of a commit.
pub(crate) fn body(names: &[&str], commit: &str) -> Vec<u8> {
    let nodes: Vec<Value> = names
        .iter()
        .map(|name| serde_json::json!({"id": name, "kind": "function", "label": name}))
        .collect();
    serde_json::json!({
        "metadata": {"tool": "t", "tool_version": "1.2", "generated_at": "2026-11-01T00:00:00Z", "commit": commit},
        "nodes": nodes,
        "edges": [],
    })
    .to_string()
    .into_bytes()
}
