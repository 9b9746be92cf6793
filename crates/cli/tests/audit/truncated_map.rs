//! A truncated snapshot is an error, not a signal (F15).
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::world::World;

/// The snapshot below a cache.
fn snapshot(world: &World) -> std::path::PathBuf {
    let cache = world.base().join("cache");
    let found = world.listing(&cache);
    let (name, _) = found
        .iter()
        .find(|(name, _)| name.rsplit('/').next() == Some("snapshot"))
        .expect("a snapshot");
    cache.join(name)
}

/// A repository whose edges do not fit into a pipe, indexed, and the arguments that name its cache.
fn large() -> (World, String) {
    let world = World::new();
    for file in 0..60 {
        let text: String = (0..100)
            .map(|number| {
                format!(
                    "def f{file}_{number}():\n    return f{file}_{}()\n\n\n",
                    (number + 1) % 100
                )
            })
            .collect();
        world.write(&format!("m{file}.py"), text);
    }
    let cache = world.base().join("cache").display().to_string();
    assert_eq!(world.lore(&["--cache", &cache, "index"]).code, Some(0));
    (world, cache)
}

/// Changes the snapshot while a question is answered from it; the exit status and what was said.
fn with_change(world: &World, cache: &str, change: impl FnOnce(&std::path::Path)) -> (Option<i32>, String) {
    let mut command = world.command_in(&world.repo(), &["--cache", cache, "edges", "--json"]);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lore starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped"));
    let mut errors = child.stderr.take().expect("piped");
    let said = lore_testing::within("lore edges answers", || {
        let mut first = String::new();
        lines.read_line(&mut first).expect("a row");
        // The process is blocked on its full pipe now, with the rest of the snapshot still to read.
        change(&snapshot(world));
        let (mut rest, mut said) = (String::new(), String::new());
        lines.read_to_string(&mut rest).expect("read");
        errors.read_to_string(&mut said).expect("read");
        said
    });
    (lore_testing::wait(&mut child, "lore edges").code(), said)
}

fn cut(path: &std::path::Path, len: u64) {
    File::options()
        .write(true)
        .open(path)
        .and_then(|file| file.set_len(len))
        .expect("truncated");
}

#[test]
#[cfg(unix)]
fn f15_a_snapshot_that_is_truncated_while_it_answers_is_an_error() {
    let (world, cache) = large();
    let (code, said) = with_change(&world, &cache, |path| {
        let whole = fs::metadata(path).expect("there").len();
        cut(path, whole / 8);
    });
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("truncated"), "{said}");
    // The next question rebuilds what is damaged.
    let again = world.lore(&["--cache", &cache, "find", "f1_1"]);
    assert_eq!(again.code, Some(0), "{again:?}");
}

/// As `cp` and `rsync --inplace` do it: no signal is raised if the file is long enough again before it is read.
#[test]
#[cfg(unix)]
fn f15_a_snapshot_that_is_written_in_place_while_it_answers_is_an_error() {
    let (world, cache) = large();
    let (code, said) = with_change(&world, &cache, |path| {
        let whole = fs::metadata(path).expect("there").len();
        cut(path, 0);
        cut(path, whole);
    });
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("truncated or changed"), "{said}");
    let again = world.lore(&["--cache", &cache, "find", "f1_1"]);
    assert_eq!(again.code, Some(0), "{again:?}");
}

#[test]
#[cfg(unix)]
fn f15_a_snapshot_that_loses_its_last_byte_while_it_answers_is_an_error() {
    let (world, cache) = large();
    let (code, said) = with_change(&world, &cache, |path| {
        let whole = fs::metadata(path).expect("there").len();
        cut(path, whole - 1);
    });
    assert_eq!(code, Some(2), "{said}");
}

/// Lore itself replaces a snapshot while others read it.
#[test]
#[cfg(unix)]
fn f15_a_snapshot_that_is_replaced_while_it_answers_is_no_error() {
    let (world, cache) = large();
    let (code, said) = with_change(&world, &cache, |_| {
        world.write("m1.py", "def f():\n    return 1\n");
        assert_eq!(world.lore(&["--cache", &cache, "index"]).code, Some(0));
    });
    assert_eq!((code, said.as_str()), (Some(0), ""));
}
