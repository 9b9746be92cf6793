//! The tools that judge calls, and the programs that ask them.
//!
//! A program runs over a tree and prints rows (`rows.rs`). The tools come from their registries with a pinned version. Only the JDK must
//! be installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::plan::Pinned;
use super::rows::Rows;
use crate::node::Node;
use crate::process::{capture, need, tool};
use crate::python::Python;
use crate::{Outcome, disk};

/// Below the target directory: packages from npm.
const NODE: &str = "oracle/node";
/// The list of the packages from npm.
const NODE_LIST: &str = "xtask/node/oracle";
/// Below the target directory: packages from PyPI.
const PYTHON: &str = "oracle-python";
/// The list of the packages from PyPI.
const PYTHON_LIST: &str = "oracle-requirements.txt";

/// Below the target directory: packages from PyPI that tests need.
const TRACED: &str = "oracle-traced";
/// The list of these packages.
const TRACED_LIST: &str = "traced-requirements.txt";
/// The position of a name is not part of the compiler's public interface.
const JAVA_EXPORTS: &str = "--add-exports=jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED";

/// A tool that knows the types of a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Tool {
    Pyright,
    Typescript,
    Javascript,
    Javac,
    GoTypes,
    Libclang,
    /// The package's own tests, under the profiler of the interpreter.
    PythonTests,
}

impl Tool {
    /// Whether what it does not name is wrong: what did not run in a test can run all the same.
    pub(super) fn decides_precision(self) -> bool {
        self != Self::PythonTests
    }

    /// Its name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Pyright => "pyright",
            Self::Typescript | Self::Javascript => "the TypeScript checker",
            Self::Javac => "javac",
            Self::GoTypes => "go/types",
            Self::Libclang => "libclang",
            Self::PythonTests => "what ran in its tests",
        }
    }
}

/// A tool that is ready.
pub(super) enum Judge {
    /// A program in Python that asks pyright's language server.
    Pyright(Python, Node),
    /// A program in Node that uses the compiler, for files with some extensions.
    Typescript(Node, &'static [&'static str]),
    /// A program in Java that uses the compiler.
    Javac(PathBuf),
    /// A program in Go that uses the type checker of the standard library.
    GoTypes(PathBuf),
    /// A program in Python that uses libclang.
    Libclang(Python),
    /// A program in Python that runs tests.
    PythonTests(Python),
}

impl Judge {
    /// Makes a tool ready, or says why it cannot be asked.
    pub(super) fn prepare(tool: Tool) -> Outcome<Self> {
        let node = || Node::prepare(NODE, NODE_LIST);
        let python = || Python::prepare(PYTHON, PYTHON_LIST);
        match tool {
            Tool::Pyright => Ok(Self::Pyright(python()?, node()?)),
            Tool::Typescript => Ok(Self::Typescript(node()?, &[".ts", ".tsx", ".mts", ".cts"])),
            Tool::Javascript => Ok(Self::Typescript(node()?, &[".js", ".jsx", ".mjs", ".cjs"])),
            Tool::Javac => compile_java().map(Self::Javac),
            Tool::GoTypes => compile_go(&python()?).map(Self::GoTypes),
            Tool::Libclang => Ok(Self::Libclang(python()?)),
            Tool::PythonTests => Python::prepare(TRACED, TRACED_LIST).map(Self::PythonTests),
        }
    }

    /// What the tool says about the calls of a tree.
    pub(super) fn ask(&self, tree: &Path, pinned: &Pinned) -> Outcome<Rows> {
        let mut command = match self {
            Self::Pyright(python, node) => {
                let mut command = python.program("oracle_pyright.py");
                command
                    .arg(node.program()?)
                    .arg(node.module("pyright/langserver.index.js"));
                command
            }
            Self::Typescript(node, _) => {
                let mut command = Command::new(node.program()?);
                command
                    .arg(disk::root().join("xtask/node/oracle/typescript.cjs"))
                    .arg(node.module("typescript"));
                command
            }
            Self::Javac(classes) => {
                let mut command = need("java")?;
                command
                    .args(["-Xss16m", JAVA_EXPORTS])
                    .arg("-cp")
                    .arg(classes)
                    .arg("OracleJavac");
                command
            }
            Self::GoTypes(program) => Command::new(program),
            Self::Libclang(python) => python.program("oracle_libclang.py"),
            Self::PythonTests(python) => python.program("trace_calls.py"),
        };
        command.arg(tree);
        match self {
            Self::Typescript(_, extensions) => command.args(*extensions),
            _ => command.args(&pinned.arguments),
        };
        Rows::parse(&capture(&mut command)?)
    }
}

/// Compiles the program in Java and says where its classes are.
fn compile_java() -> Outcome<PathBuf> {
    let classes = disk::target().join("oracle/java");
    disk::make_directory(&classes)?;
    capture(
        need("javac")?
            .args(["-nowarn", JAVA_EXPORTS, "-d"])
            .arg(&classes)
            .arg(disk::root().join("xtask/java/OracleJavac.java")),
    )?;
    Ok(classes)
}

/// Compiles the program in Go with the toolchain that PyPI has, and says where it is.
fn compile_go(python: &Python) -> Outcome<PathBuf> {
    let go = python.beside("go");
    let go = if go.is_file() {
        go
    } else {
        tool("go").ok_or("go is not installed")?
    };
    let program = disk::target().join("oracle/go/judge");
    let cache = disk::target().join("oracle/go/cache");
    capture(
        Command::new(go)
            .args(["build", "-o"])
            .arg(&program)
            .arg(".")
            .current_dir(disk::root().join("xtask/go"))
            .env("GOCACHE", &cache)
            .env("GOPATH", disk::target().join("oracle/go/path"))
            .env("GOTOOLCHAIN", "local")
            .env("GO111MODULE", "on"),
    )?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_npm_is_pinned() {
        assert_eq!(crate::node::unpinned(NODE_LIST), [] as [String; 0]);
    }
}
