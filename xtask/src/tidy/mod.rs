//! `cargo xtask tidy`: rules that neither the compiler nor clippy checks, each finding as `path:line: message`.

mod conformance;
mod edges;
mod operations;
mod prose;
mod source;
mod tokens;

use std::fmt;

use crate::{Outcome, disk, languages};

/// A source file with more lines than this, without tests, gives a note.
const LONG_FILE: usize = 800;
/// Where source files are data for tests, as annotated files are: no rule about our own code is meant for them.
const FIXTURES: &str = "tests/sample/";
/// Sources of other projects, which have their own rules.
const VENDORED: &str = "vendor/";

/// A violation of a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Looks at every file of the project; fails if a rule is broken.
pub(crate) fn run() -> Outcome<()> {
    let root = disk::root();
    let paths = disk::project_files(&root)?;
    let mut findings = prose::check_presence(&paths);
    let mut long = Vec::new();
    let mut conformance = conformance::Conformance::default();
    let mut operations = operations::Operations::default();
    for path in paths.iter().filter(|path| !path.starts_with(VENDORED)) {
        let bytes = std::fs::read(root.join(path)).map_err(|error| disk::cannot("read", &root.join(path), error))?;
        let Ok(text) = String::from_utf8(bytes) else { continue };
        findings.extend(prose::check(path, &text));
        conformance.take(path, &text);
        if path.starts_with("crates/") && path.ends_with("/Cargo.toml") {
            findings.extend(edges::check(path, &text));
        }
        if path.ends_with(".rs") && !path.starts_with(FIXTURES) && !languages::is_data(path) {
            let tokens = tokens::Tokens::of(&text);
            let read = source::check(path, &text, &tokens);
            if source::is_product(path) {
                operations.take(path, &tokens);
            }
            findings.extend(read.findings);
            if read.lines > LONG_FILE {
                long.push(format!(
                    "{path}: {} lines without tests; does it hold two things?",
                    read.lines
                ));
            }
        }
    }
    findings.extend(conformance.findings());
    findings.extend(operations.findings());
    for remark in long {
        println!("note: {remark}");
    }
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        1 => Err("one finding".to_owned()),
        count => Err(format!("{count} findings")),
    }
}
