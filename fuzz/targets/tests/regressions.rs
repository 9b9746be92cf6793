//! Replays every input of `fuzz/corpus` and `fuzz/regressions`, and one generated input of each target.
#![expect(clippy::disallowed_methods, reason = "tests read their inputs")]

use std::fs;
use std::path::{Path, PathBuf};

use lore_fuzz_targets::{FORMATS, named, names, seeds};

fn inputs(target: &str) -> Vec<PathBuf> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: Vec<PathBuf> = ["corpus", "regressions"]
        .iter()
        .flat_map(|kind| {
            fs::read_dir(fuzz.join(kind).join(target))
                .into_iter()
                .flatten()
                .flatten()
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// Each target runs in a process of its own: the language of source code is chosen once.
#[expect(clippy::print_stderr, reason = "a failing test shows which input it was")]
fn replay(target: &str) {
    let run = named(target).expect("a target").run;
    for path in inputs(target) {
        eprintln!("{}", path.display());
        run(&fs::read(&path).expect("an input"));
    }
}

#[test]
fn inputs_of_formats() {
    for target in FORMATS {
        replay(target.name);
    }
}

#[test]
fn inputs_of_languages() {
    let this = std::env::current_exe().expect("this test");
    let names = names().into_iter().filter(|name| name.starts_with("extract-"));
    for name in names.filter(|name| !inputs(name).is_empty()) {
        lore_testing::run(
            std::process::Command::new(&this)
                .args(["inputs_of_one_language", "--exact", "--nocapture"])
                .env("LORE_FUZZ_TARGET", &name),
        );
    }
}

#[test]
fn inputs_of_one_language() {
    if let Ok(name) = std::env::var("LORE_FUZZ_TARGET") {
        replay(&name);
    }
}

#[test]
fn every_directory_of_inputs_belongs_to_a_target() {
    let names = names();
    for kind in ["corpus", "regressions"] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(kind);
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            assert!(!entry.path().is_dir() || names.contains(&name), "{kind}/{name}");
        }
    }
}

#[test]
fn every_format_has_an_input_and_accepts_it() {
    for target in FORMATS {
        let generated = seeds(target.name);
        assert!(
            !generated.is_empty() || !inputs(target.name).is_empty(),
            "{} has no input",
            target.name
        );
        generated.iter().for_each(|seed| (target.run)(seed));
    }
}
