//! `lore mcp` restarts itself once with an allocator that returns freed memory to the system at once, because a server waits most of the time.
//!
//! The allocator reads its settings from the environment when the process starts and has no safe way to change them later. All other commands keep
//! freed memory for reuse, which is faster, and end soon.

use crate::config::Environment;

/// The allocator's setting: milliseconds until it returns freed memory.
pub(crate) const SETTING: &str = "MIMALLOC_PURGE_DELAY";

/// Replaces the process with one that returns freed memory at once, unless this process does. If that fails, the process continues unchanged.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "replaces this process, and starts no other program"
)]
pub(crate) fn with_small_memory(environment: &Environment) {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    if environment.returns_memory {
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
    // `exec` returns only if it failed.
    let _ = command.args(arguments).env(SETTING, "0").exec();
}

/// No other system can replace a process.
#[cfg(not(unix))]
pub(crate) fn with_small_memory(_: &Environment) {}
