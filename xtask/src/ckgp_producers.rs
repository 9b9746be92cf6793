//! `cargo xtask ckgp-producers`: producers of graphs that are not ours, run for real on a real package. What they write is converted by `lore graph convert` and held
//! against the published schemas by a validator that knows nothing of Lore. The checks are a Python program, `xtask/python/ckgp_producers.py`.

use std::time::Duration;

use crate::corpora::{self, Copy, Fetched, Package};
use crate::disk::{Build, binary};
use crate::node::Node;
use crate::process::{alone, cargo, run as run_command, run_within};
use crate::python::Python;
use crate::{Outcome, console_blocks, disk};

/// The program, the list of its packages and the name of its environment.
const PROGRAM: &str = "ckgp_producers.py";
const REQUIREMENTS: &str = "ckgp-requirements.txt";
const ENVIRONMENT: &str = "ckgp-producers/python";
/// Where the packages of Node are listed and installed.
const NODE_LIST: &str = "xtask/node/producers";
const NODE: &str = "ckgp-producers/node";
/// Repomix, below its packages.
const REPOMIX: &str = "repomix/bin/repomix.cjs";
/// What the producers are run on.
const PACKAGE: &str = "pip:flask@3.1.3";
const LANGUAGE: &str = "python";
/// Where the schemas are.
const SCHEMAS: &str = "schemas/ckgp";
/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(900);

/// The producers, installed, and what they are run on.
pub(crate) struct Producers {
    python: Python,
    node: Node,
    package: Fetched,
}

/// Lets every producer write, and judges what becomes of it.
pub(crate) fn run(present: bool) -> Outcome<()> {
    if !present {
        return Producers::prepare()?.check();
    }
    match Producers::present()? {
        Some(producers) => producers.check(),
        None => {
            println!("skipped: the producers are not installed; `cargo xtask ckgp-producers` installs them");
            Ok(())
        }
    }
}

impl Producers {
    /// The producers and the package, got if they are not there.
    pub(crate) fn prepare() -> Outcome<Self> {
        let out_of_reach = |message: String| format!("the producers cannot be installed: {message}");
        let package = corpora::fetch(LANGUAGE, &[package()?]).map_err(out_of_reach)?;
        Ok(Self {
            python: Python::prepare(ENVIRONMENT, REQUIREMENTS).map_err(out_of_reach)?,
            node: Node::prepare(NODE, NODE_LIST).map_err(out_of_reach)?,
            package: package.into_iter().next().ok_or("the package is not there")?,
        })
    }

    fn present() -> Outcome<Option<Self>> {
        let python = Python::present(ENVIRONMENT, REQUIREMENTS)?;
        let node = Node::present(NODE, NODE_LIST)?;
        let package = corpora::present(LANGUAGE, &[package()?])?.into_iter().next();
        let all = python.zip(node).zip(package);
        Ok(all.map(|((python, node), package)| Self { python, node, package }))
    }

    /// Runs the program on a copy of the package, with a commit.
    pub(crate) fn check(&self) -> Outcome<()> {
        run_command(&mut cargo(&["build", "--quiet", "--package", "lore-cli"]))?;
        let copy = Copy::alone(&self.package, &[])?;
        console_blocks::commit(&copy.tree())?;
        let scratch = copy.beside("converted");
        disk::make_directory(&scratch)?;
        println!("-- {PROGRAM} on {}", self.package.title);
        let mut program = self.python.program(PROGRAM);
        program.arg("--lore").arg(binary(Build::Dev, "lore"));
        program.arg("--tree").arg(copy.tree());
        program.arg("--node").arg(self.node.program()?);
        program.arg("--repomix").arg(self.node.module(REPOMIX));
        program.arg("--schemas").arg(disk::root().join(SCHEMAS));
        program.arg("--scratch").arg(&scratch);
        run_within(alone(&mut program, &scratch), PATIENCE)
            .map_err(|_| format!("{PROGRAM} found something, or could not end"))
    }
}

fn package() -> Outcome<Package> {
    Package::try_from(PACKAGE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_producer_is_pinned() {
        assert_eq!(crate::node::unpinned(NODE_LIST), Vec::<String>::new());
        assert!(package().is_ok());
    }
}
