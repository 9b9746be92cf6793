//! A process that waits long should be small: `lore mcp` starts itself anew with an allocator that gives memory back at once.
//!
//! The allocator reads its settings from the environment when the process begins, and offers no safe way to change them later. Everything else keeps freed
//! memory for the next question, which is faster and of no harm to a process that ends.

use crate::config::Environment;

/// The allocator's setting: milliseconds until freed memory is given back.
pub(crate) const SETTING: &str = "MIMALLOC_PURGE_DELAY";

/// Replaces the process by one that gives memory back, unless it does already. Where that cannot be done it goes on as it is.
#[cfg(unix)]
pub(crate) fn become_small(environment: &Environment) {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    if environment.is_small {
        return;
    }
    let Some(program) = &environment.program else {
        return;
    };
    let mut arguments = environment.arguments.iter();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // It returns only if it failed.
    let _ = command.args(arguments).env(SETTING, "0").exec();
}

/// Elsewhere a process cannot be replaced.
#[cfg(not(unix))]
pub(crate) fn become_small(_: &Environment) {}
