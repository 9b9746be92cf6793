//! libFuzzer above the target that the variable LORE_FUZZ_TARGET names. `cargo xtask fuzz` builds and runs it.
//!
//! With LORE_FUZZ_SEEDS the seeds of the target are written to that directory, and nothing is fuzzed.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use lore_fuzz_targets::{Target, named, seeds};

static TARGET: OnceLock<Target> = OnceLock::new();

fn chosen() -> Target {
    let name = std::env::var("LORE_FUZZ_TARGET").unwrap_or_default();
    if let Some(directory) = std::env::var_os("LORE_FUZZ_SEEDS").map(std::path::PathBuf::from) {
        for (number, seed) in seeds(&name).iter().enumerate() {
            std::fs::write(directory.join(format!("seed-{number:03}")), seed).expect("a seed is written");
        }
        std::process::exit(0);
    }
    named(&name).unwrap_or_else(|| {
        eprintln!("LORE_FUZZ_TARGET names no target: {name:?}");
        std::process::exit(2);
    })
}

fuzz_target!(init: { TARGET.get_or_init(chosen); }, |data: &[u8]| {
    if let Some(target) = TARGET.get() {
        (target.run)(data);
    }
});
