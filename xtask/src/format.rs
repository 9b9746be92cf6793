//! `cargo xtask fmt`: rustfmt over everything, the folders of the languages included.
//!
//! A macro declares those, and rustfmt does not look into macros, so they are named to it one by one.

use crate::process::{cargo, need, run as run_command};
use crate::{Outcome, disk, languages};

/// What to do about a file that is not formatted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Write it anew.
    Write,
    /// Fail.
    Check,
}

/// Formats every source, or checks it.
pub(crate) fn run(mode: Mode) -> Outcome<()> {
    let root = disk::root();
    let check = (mode == Mode::Check).then_some("--check");
    // Both are run, so that one sees everything there is to format.
    let crates = run_command(cargo(&["fmt", "--all"]).args(check));
    let paths = disk::project_files(&root)?;
    let sources = paths.iter().filter(|path| is_language_source(path));
    let mut rustfmt = need("rustfmt")?;
    rustfmt
        .args(["--edition", "2024", "--config-path"])
        .arg(&root)
        .args(check);
    rustfmt.args(sources).current_dir(&root);
    crates.and(run_command(&mut rustfmt))
}

/// Whether a path is a source in the folder of a language, and not data for its tests.
fn is_language_source(path: &str) -> bool {
    let inside = path
        .strip_prefix(languages::DIRECTORY)
        .and_then(|path| path.strip_prefix('/'));
    inside.is_some_and(|inside| inside.contains('/') && inside.ends_with(".rs") && !languages::is_data(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_languages_are_named_and_test_data_is_not() {
        assert!(is_language_source("crates/index/src/lang/rust/mod.rs"));
        assert!(is_language_source("crates/index/src/lang/rust/crates.rs"));
        assert!(!is_language_source("crates/index/src/lang/mod.rs"));
        assert!(!is_language_source("crates/index/src/lang/rust/annotated/enums.rs"));
        assert!(!is_language_source("crates/index/src/lang/rust/README.md"));
        assert!(!is_language_source("crates/index/src/lib.rs"));
    }
}
