//! `cargo xtask bench --memory` and `--registry`: examples of `lore-backends` that measure in processes of their own.

use super::{QUIET_LOAD, load};
use crate::Outcome;
use crate::process::{cargo, run as run_command};

/// Measures memory inside one process while another one writes.
pub(crate) fn run_memory(is_strict: bool) -> Outcome<()> {
    run("memory_bench", is_strict)
}

/// Measures a registry of a hundred thousand entries.
pub(crate) fn run_registry(is_strict: bool) -> Outcome<()> {
    run("registry_bench", is_strict)
}

/// Builds and runs an example; `is_strict` fails for figures that are over their budget.
fn run(example: &str, is_strict: bool) -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    let package = ["--package", "lore-backends", "--example", example, "--"];
    let mut arguments = vec!["run", "--release", "--quiet"];
    arguments.extend(package);
    if is_strict {
        arguments.push("--strict");
    }
    run_command(&mut cargo(&arguments))
}
