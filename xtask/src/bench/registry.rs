//! `cargo xtask bench --registry`: the example `registry_bench` of `lore-backends`, which measures in processes of its own.

use super::{QUIET_LOAD, load};
use crate::Outcome;
use crate::process::{cargo, run as run_command};

/// Builds and runs it; `is_strict` fails for figures that are over their budget.
pub(crate) fn run(is_strict: bool) -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    let mut arguments = vec![
        "run",
        "--release",
        "--quiet",
        "--package",
        "lore-backends",
        "--example",
        "registry_bench",
        "--",
    ];
    if is_strict {
        arguments.push("--strict");
    }
    run_command(&mut cargo(&arguments))
}
