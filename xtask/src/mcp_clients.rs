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
use crate::process::{capture, cargo, need, run as run_command, run_within};
use crate::python::Python;
use crate::{Outcome, disk, readme};

/// The environment of the Python client, and the list of its packages.
const ENVIRONMENT: &str = "mcp-clients/python";
const REQUIREMENTS: &str = "mcp-requirements.txt";
/// Where the packages of Node are listed, beside what the suite may fail, and where they are installed.
const NODE_LIST: &str = "xtask/node";
const NODE: &str = "mcp-clients/node";
/// No package is taken that is younger: the list names only those that we ask for, not what they ask for in turn.
const BEFORE: &str = "2026-11-15";
/// What is indexed where a call has to take a while.
const LARGE: &str = "crates/specs";
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

/// Node with the packages of the list.
struct Node {
    modules: PathBuf,
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
            node: Node::prepare().map_err(out_of_reach)?,
        })
    }

    fn present() -> Outcome<Option<Self>> {
        let python = Python::present(ENVIRONMENT, REQUIREMENTS)?;
        let node = Node::present()?;
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
            program.arg("--inspector").arg(self.node.modules.join(INSPECTOR));
            program.arg("--home").arg(served.scratch.path());
        };
        self.ask("mcp_memory.py", |_| (), served.lore_with("memory.db"))?;
        self.ask("mcp_client.py", |program| served.large(program), served.lore())?;
        self.ask("mcp_inspector.py", inspector, served.lore())?;
        self.ask("mcp_hostile.py", |program| served.large(program), served.lore())?;
        for revision in REVISIONS {
            let suite = |program: &mut Command, name: &str| {
                program.arg("--node").arg(&node);
                program.arg("--suite").arg(self.node.modules.join(SUITE));
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
            program.arg("--suite").arg(self.node.modules.join(STABLE_SUITE));
            program.arg("--out").arg(served.scratch.path().join("stable"));
            program.arg("--stable").arg("--expected").arg(expected(REVISIONS[0]));
        };
        self.ask("mcp_conformance.py", stable, served.fixtures())
    }

    /// Runs a program with its options on a server.
    fn ask(&self, name: &str, options: impl FnOnce(&mut Command), server: Vec<PathBuf>) -> Outcome<()> {
        println!("-- {name}");
        let began = Instant::now();
        let mut program = self.python.program(name);
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

impl Node {
    /// What is installed if it is what is listed.
    fn present() -> Outcome<Option<Self>> {
        let place = disk::target().join(NODE);
        let is_there = disk::read(&place.join("installed")).is_ok_and(|installed| installed == Self::wanted());
        let node = Self {
            modules: place.join("node_modules"),
        };
        Ok(is_there.then_some(node))
    }

    fn prepare() -> Outcome<Self> {
        if let Some(node) = Self::present()? {
            return Ok(node);
        }
        let place = disk::target().join(NODE);
        println!("installing the packages of {NODE_LIST} into {}", place.display());
        if place.exists() {
            std::fs::remove_dir_all(&place).map_err(|error| disk::cannot("removed", &place, error))?;
        }
        disk::write(&place.join("package.json"), &Self::list())?;
        let mut npm = need("npm")?;
        // No script of a package is run. A lock would name optional packages of other systems, which npm then misses.
        npm.args([
            "install",
            "--ignore-scripts",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
        ]);
        npm.args(["--fetch-retries=1", "--fetch-timeout=60000"]);
        npm.arg(format!("--before={BEFORE}")).current_dir(&place);
        capture(&mut npm)?;
        // Written last, so that everything is there if this is.
        disk::write(&place.join("installed"), &Self::wanted())?;
        Ok(Self {
            modules: place.join("node_modules"),
        })
    }

    fn list() -> String {
        disk::read(&disk::root().join(NODE_LIST).join("package.json")).unwrap_or_default()
    }

    fn wanted() -> String {
        format!("{BEFORE}\n{}", Self::list())
    }

    /// The program: the one that came with the packages, which is new enough, or else the one on the path.
    fn program(&self) -> Outcome<PathBuf> {
        let file = if cfg!(windows) { "bin/node.exe" } else { "bin/node" };
        let installed = disk::entries(&self.modules)?.into_iter().find_map(|package| {
            let is_node = package
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("node-"));
            Some(package.join(file)).filter(|program| is_node && program.is_file())
        });
        match installed {
            Some(program) => Ok(program),
            None => Ok(need("node")?.get_program().into()),
        }
    }
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
        let sample = Copy::of_directory(&disk::root().join(readme::SAMPLE))?;
        disk::write(&sample.tree().join("knowledge.yaml"), MANIFEST)?;
        disk::write(&sample.tree().join(".kcp/catalog.yaml"), CATALOG)?;
        disk::write(&sample.tree().join(".kcp/commands/git-commit.yaml"), COMMAND)?;
        readme::commit(&sample.tree())?;
        let lore = binary(Build::Dev, "lore");
        capture(&mut sample.lore(&lore, &["index"]))?;
        Ok(Self {
            sample,
            large: Copy::of_directory(&disk::root().join(LARGE))?,
            scratch: tempfile::tempdir().map_err(|error| format!("there is no place for results: {error}"))?,
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
        let list: serde_json::Value = serde_json::from_str(&Node::list()).expect("the list");
        for kind in ["dependencies", "optionalDependencies"] {
            let packages = list[kind].as_object().expect("packages");
            for (name, version) in packages {
                let version = version.as_str().expect("a version");
                let version = version.rsplit('@').next().unwrap_or(version);
                assert!(
                    version.starts_with(|letter: char| letter.is_ascii_digit()),
                    "{name}: {version}"
                );
            }
        }
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
