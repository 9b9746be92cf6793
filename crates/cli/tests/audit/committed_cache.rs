//! A committed cache cannot change an answer (F2).

use std::fs;

use crate::world::{World, finish};

const HOSTILE: &str = "import os\ndef steal(): pass\ndef pay():\n    os.system('x')\n    steal()\n";
const HARMLESS: &str = "def safe(): pass\ndef pay():\n    safe()\n";

/// The cache that an honest index of a harmless file leaves, copied into the repository as an old cache and as a new one.
fn commit_foreign_cache(world: &World) {
    world.write("a.py", HARMLESS);
    assert_eq!(world.lore(&["--cache", "../made", "index"]).code, Some(0));
    world.write("a.py", HOSTILE);
    let made = world.base().join("made");
    for (name, bytes) in world.listing(&made) {
        world.write(&format!(".lore/cache/{name}"), &bytes);
        world.write(&format!(".cache/lore/{name}"), &bytes);
        let last = name.rsplit('/').next().unwrap_or_default();
        world.write(&format!(".lore/cache/{last}"), &bytes);
    }
    world.write("lore.toml", "[index]\nrefresh = false\n");
    world.commit("hostile");
}

#[test]
fn f2_a_committed_cache_is_not_believed() {
    let world = World::new();
    commit_foreign_cache(&world);
    let clone = world.clone_to("clone");
    let callees = world.lore_in(&clone, &["callees", "pay"]);
    assert!(callees.stdout.contains("a.steal"), "{callees:?}");
    assert!(!callees.stdout.contains("a.safe"), "{callees:?}");
    assert_eq!(world.lore_in(&clone, &["find", "steal"]).code, Some(0));
    assert_eq!(world.lore_in(&clone, &["find", "safe"]).code, Some(1));
    // The user's own directories may be in the clone: a container, or a home directory that is cloned.
    let home = clone.display().to_string();
    let caches = clone.join(".cache").display().to_string();
    for (name, value) in [
        ("HOME", home.as_str()),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_CACHE_HOME", &caches),
    ] {
        let mut command = world.command_in(&clone, &["callees", "pay"]);
        command.env(name, value);
        let callees = finish(command, "");
        assert!(callees.stdout.contains("a.steal"), "{name}={value}: {callees:?}");
        assert!(!callees.stdout.contains("a.safe"), "{name}={value}: {callees:?}");
        // A relative directory is ignored, and the one of the home directory used.
        let is_cached = !callees.stderr.contains("nothing is cached");
        assert_eq!(is_cached, value == ".cache", "{name}={value}: {callees:?}");
    }
}

#[test]
fn f2_a_repository_cannot_be_made_its_own_cache() {
    let world = World::new();
    commit_foreign_cache(&world);
    let clone = world.clone_to("clone");
    let outcome = world.lore_in(&clone, &["--cache", ".lore/cache", "callees", "pay"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("inside the tree"), "{}", outcome.stderr);
    // Nor from a directory whose lore.toml makes it a root of its own.
    fs::create_dir(clone.join("sub")).expect("made");
    fs::write(clone.join("sub/lore.toml"), "").expect("written");
    let outcome = world.lore_in(&clone.join("sub"), &["--cache", "../.lore/cache", "index"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("inside the tree"), "{}", outcome.stderr);
}

/// Two files whose facts are equally long, and a store in which the facts of each are those of the other: every checksum holds.
#[test]
fn f2_verify_finds_facts_that_belong_to_another_file() {
    let world = World::new();
    world.write("a.py", "def safe(): pass\ndef pay():\n    safe()\n");
    world.write("b.py", "def evil(): pass\ndef pay():\n    evil()\n");
    assert_eq!(world.lore(&["index"]).code, Some(0));
    let cache = world.home().join(".cache/lore");
    let (name, mut bytes) = world
        .listing(&cache)
        .into_iter()
        .find(|(name, _)| name.ends_with(".facts"))
        .expect("a store");
    let (first, second) = two_records(&bytes);
    assert_eq!(first.len(), second.len(), "the facts are equally long");
    let (other, own) = (bytes[second.clone()].to_vec(), bytes[first.clone()].to_vec());
    assert_ne!(other, own);
    bytes[first].copy_from_slice(&other);
    bytes[second].copy_from_slice(&own);
    fs::write(cache.join(name), bytes).expect("written");
    fs::remove_dir_all(cache.join("trees")).expect("removed");
    let verified = world.lore(&["index", "--verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(
        verified.stderr.contains("2 cached facts differed from their files"),
        "{verified:?}"
    );
    for (name, callee) in [("a.pay", "a.safe"), ("b.pay", "b.evil")] {
        let callees = world.lore(&["callees", name]);
        assert!(callees.stdout.contains(callee), "{callees:?}");
    }
    assert_eq!(world.lore(&["doctor"]).code, Some(0));
    let again = world.lore(&["index", "--verify"]);
    assert!(!again.stderr.contains("differed"), "{again:?}");
}

/// Where the first two records of a store have their bytes. A record has a head of 36 bytes, with the length after 24.
fn two_records(store: &[u8]) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let record = |at: usize| {
        let length = store[at + 24..at + 28].try_into().map(u32::from_le_bytes);
        at + 36..at + 36 + length.expect("four bytes") as usize
    };
    let first = record(8);
    let second = record(first.end);
    (first, second)
}

#[test]
fn f2_verify_extracts_anew_into_one_store_of_the_user() {
    let world = World::new();
    world.write("a.py", HARMLESS);
    assert_eq!(world.lore(&["index"]).code, Some(0));
    let counted = world.lore(&["index", "--verify", "--json"]);
    assert!(counted.stdout.contains("\"extracted\":1"), "{}", counted.stdout);
    let facts: Vec<_> = world
        .listing(&world.home().join(".cache/lore/facts"))
        .into_iter()
        .filter(|(name, _)| name.ends_with(".facts"))
        .collect();
    assert_eq!(facts.len(), 1, "one store in the user's cache");
    assert!(!fs::exists(world.repo().join(".lore")).expect("looked"));
}

#[test]
fn f2_a_second_clone_uses_the_facts_of_the_first_and_no_other() {
    let world = World::new();
    world.write("a.py", HARMLESS);
    world.commit("first");
    let extracted = |outcome: &crate::world::Outcome| {
        let (_, rest) = outcome.stdout.split_once("\"extracted\":").expect("a count");
        rest.split(',').next().map(str::to_owned)
    };
    let (one, two) = (world.clone_to("one"), world.clone_to("two"));
    assert_eq!(
        extracted(&world.lore_in(&one, &["index", "--json"])).as_deref(),
        Some("1")
    );
    assert_eq!(
        extracted(&world.lore_in(&two, &["index", "--json"])).as_deref(),
        Some("0")
    );
    fs::write(two.join("a.py"), HOSTILE).expect("written");
    assert_eq!(
        extracted(&world.lore_in(&two, &["index", "--json"])).as_deref(),
        Some("1")
    );
    let callees = world.lore_in(&two, &["callees", "pay"]);
    assert!(callees.stdout.contains("a.steal"), "{callees:?}");
}
