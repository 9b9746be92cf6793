//! `cargo xtask mcp-clients`: `lore mcp` as clients see it that are not ours. The official Python client and the MCP Inspector use
//! it in both eras of the protocol, a hostile client sends what no client should, and the official conformance suite runs.
//!
//! The checks are Python programs below `xtask/python`. The suite has no stdio: it comes through loopback HTTP, to the binary, and
//! to an example that puts the suite's fixtures before the same server.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::corpora::Copy;
use crate::disk::{Build, binary};
use crate::node::Node;
use crate::process::{alone, capture, cargo, run as run_command, run_within};
use crate::python::Python;
use crate::{Outcome, console_blocks, disk};

/// The environment of the Python client, and the list of its packages.
const ENVIRONMENT: &str = "mcp-clients/python";
const REQUIREMENTS: &str = "mcp-requirements.txt";
/// Where the packages of Node are listed, beside what the suite may fail, and where they are installed.
const NODE_LIST: &str = "xtask/node";
const NODE: &str = "mcp-clients/node";
/// What is indexed where a call has to take a while.
const LARGE: &str = "crates/kcp";
/// The test build with the suite's fixtures.
const FIXTURES: &str = "conformance";
/// Files below `node_modules`.
const INSPECTOR: &str = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const SUITE: &str = "@modelcontextprotocol/conformance/dist/index.js";
const STABLE_SUITE: &str = "conformance-stable/dist/index.js";
/// The revisions that the suite knows.
const REVISIONS: &[&str] = &["2025-11-25", "2026-07-28"];
/// How long one program may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// The clients, installed.
pub(crate) struct Clients {
    python: Python,
    node: Node,
}

/// Lets every client use `lore mcp`.
pub(crate) fn run(present: bool) -> Outcome<()> {
    if !present {
        return Clients::prepare()?.check();
    }
    match Clients::present()? {
        Some(clients) => clients.check(),
        None => {
            println!("skipped: the clients are not installed; `cargo xtask mcp-clients` installs them");
            Ok(())
        }
    }
}

impl Clients {
    /// The clients, installed if they are not there.
    pub(crate) fn prepare() -> Outcome<Self> {
        let out_of_reach = |message: String| format!("the clients cannot be installed: {message}");
        Ok(Self {
            python: Python::prepare(ENVIRONMENT, REQUIREMENTS).map_err(out_of_reach)?,
            node: Node::prepare(NODE, NODE_LIST).map_err(out_of_reach)?,
        })
    }

    fn present() -> Outcome<Option<Self>> {
        let python = Python::present(ENVIRONMENT, REQUIREMENTS)?;
        let node = Node::present(NODE, NODE_LIST)?;
        Ok(python.zip(node).map(|(python, node)| Self { python, node }))
    }

    /// Runs every program.
    pub(crate) fn check(&self) -> Outcome<()> {
        run_command(&mut cargo(&["build", "--quiet", "--package", "lore-cli"]))?;
        // Chosen like this, cargo takes the dependencies that the tests have.
        run_command(&mut cargo(&["build", "--quiet", "--workspace", "--example", FIXTURES]))?;
        let served = Served::new()?;
        let node = self.node.program()?;
        let inspector = |program: &mut Command| {
            program.arg("--node").arg(&node);
            program.arg("--inspector").arg(self.node.module(INSPECTOR));
            program.arg("--home").arg(served.scratch.path());
        };
        self.ask("mcp_memory.py", |_| (), served.lore_with("memory.db"))?;
        self.ask("mcp_client.py", |program| served.large(program), served.lore())?;
        self.ask("mcp_inspector.py", inspector, served.lore())?;
        self.ask("mcp_hostile.py", |program| served.large(program), served.lore())?;
        for revision in REVISIONS {
            let suite = |program: &mut Command, name: &str| {
                program.arg("--node").arg(&node);
                program.arg("--suite").arg(self.node.module(SUITE));
                program
                    .arg("--out")
                    .arg(served.scratch.path().join(format!("{name}-{revision}")));
                program.args(["--requirements", revision]);
            };
            let with_fixtures = |program: &mut Command| {
                suite(program, "fixtures");
                program.arg("--expected").arg(expected(revision));
            };
            let wire = |program: &mut Command| {
                suite(program, "wire");
                program.arg("--wire");
            };
            self.ask("mcp_conformance.py", with_fixtures, served.fixtures())?;
            self.ask("mcp_conformance.py", wire, served.lore())?;
        }
        let stable = |program: &mut Command| {
            program.arg("--node").arg(&node);
            program.arg("--suite").arg(self.node.module(STABLE_SUITE));
            program.arg("--out").arg(served.scratch.path().join("stable"));
            program.arg("--stable").arg("--expected").arg(expected(REVISIONS[0]));
        };
        self.ask("mcp_conformance.py", stable, served.fixtures())
    }

    /// Runs a program with its options on a server.
    fn ask(&self, name: &str, options: impl FnOnce(&mut Command), server: Vec<PathBuf>) -> Outcome<()> {
        println!("-- {name}");
        let began = Instant::now();
        let home = tempfile::tempdir().map_err(|error| format!("there is no place for a home: {error}"))?;
        let mut program = self.python.program(name);
        alone(&mut program, home.path());
        options(&mut program);
        program.arg("--").args(server);
        let outcome = run_within(&mut program, PATIENCE);
        println!("   {:.0} s", began.elapsed().as_secs_f64());
        outcome.map_err(|_| format!("{name} found something, or could not end"))
    }
}

/// The failures of the suite that are expected for a revision.
fn expected(revision: &str) -> PathBuf {
    disk::root().join(NODE_LIST).join(format!("expected-{revision}.yml"))
}

/// Knowledge that the sample declares, for the tools that ask for it.
const MANIFEST: &str = "kcp_version: \"0.14\"
project: shop
version: 1.0.0
units:
  - id: readme
    path: README.md
    intent: What is this shop?
    scope: global
    audience: [agent]
";
/// A catalog of that manifest.
const CATALOG: &str = "catalog_version: \"0.1\"
entries:
  - name: shop
    source: ../knowledge.yaml
    version: 1.0.0
";
/// How a command is used.
const COMMAND: &str = "command: git
subcommand: commit
description: Record what changed
syntax:
  usage: git commit -m MESSAGE
";

/// What is served: a copy of the sample repository that is indexed, and something larger.
struct Served {
    sample: Copy,
    large: Copy,
    /// Where programs may write.
    scratch: TempDir,
}

impl Served {
    fn new() -> Outcome<Self> {
        let sample = Copy::of_directory(&disk::root().join(console_blocks::SAMPLE))?;
        disk::write(&sample.tree().join("knowledge.yaml"), MANIFEST)?;
        disk::write(&sample.tree().join(".kcp/catalog.yaml"), CATALOG)?;
        disk::write(&sample.tree().join(".kcp/commands/git-commit.yaml"), COMMAND)?;
        console_blocks::commit(&sample.tree())?;
        let lore = binary(Build::Dev, "lore");
        let scratch = tempfile::tempdir().map_err(|error| format!("there is no place for results: {error}"))?;
        capture(alone(&mut sample.lore(&lore, &["index"]), scratch.path()))?;
        Ok(Self {
            sample,
            large: Copy::of_directory(&disk::root().join(LARGE))?,
            scratch,
        })
    }

    /// The server that is shipped.
    fn lore(&self) -> Vec<PathBuf> {
        self.lore_with("lore.db")
    }

    /// The same with a store of its own.
    fn lore_with(&self, store: &str) -> Vec<PathBuf> {
        let mut command = vec![
            binary(Build::Dev, "lore"),
            "mcp".into(),
            "--repo".into(),
            self.sample.tree(),
        ];
        command.extend(["--cache".into(), self.sample.cache()]);
        // What a server keeps is not kept for the user.
        command.extend(["--db".into(), self.scratch.path().join(store)]);
        command
    }

    /// The same with the suite's fixtures.
    fn fixtures(&self) -> Vec<PathBuf> {
        let program = binary(
            Build::Dev,
            Path::new("examples").join(FIXTURES).to_string_lossy().as_ref(),
        );
        vec![program, self.sample.tree(), self.sample.cache()]
    }

    /// Tells a program where the larger one is.
    fn large(&self, program: &mut Command) {
        program.arg("--large").arg(self.large.tree());
        program.arg("--large-cache").arg(self.large.cache());
        program.env("LORE_DB", self.scratch.path().join("lore.db"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_node_is_pinned() {
        assert_eq!(crate::node::unpinned(NODE_LIST), Vec::<String>::new());
    }

    #[test]
    fn every_expected_failure_has_its_reason() {
        for revision in REVISIONS {
            let text = disk::read(&expected(revision)).expect("the failures");
            let mut before = "";
            for line in text.lines().map(str::trim) {
                assert!(
                    !line.starts_with('-') || before.starts_with('#'),
                    "{revision}: {line} has no reason"
                );
                before = line;
            }
        }
    }
}
