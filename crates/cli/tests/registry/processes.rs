//! Runs that are killed in the middle, and several runs at once: nothing is lost, nothing is there by half, nothing counts twice.
//!
//! With `LORE_LONG` in the environment many more are killed.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use flate2::read::GzDecoder;
use lore_testing::{Dice, Running};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::server::reply;
use crate::world::{SHA, World, body, ended, outcome};

/// When the first run is.
const BEGIN: u64 = 1_800_000_000;

/// A registry of repositories on two hosts, whose graphs are others at each look.
fn registry(count: usize) -> (World, Vec<String>) {
    let world = World::new();
    let hosts = ["gitlab.lore.test", "gitea.lore.test"];
    let ids: Vec<String> = (0..count)
        .map(|number| format!("{}/o/r{number}", hosts[number % 2]))
        .collect();
    for id in &ids {
        let repository = world.forge.repository(id);
        repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
        let (name, looks) = (id.clone(), std::sync::atomic::AtomicU32::new(0));
        world.forge.script(&repository.raw("generic@1.json"), move |_, stream| {
            let look = looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string();
            // Some share their bytes with others, so that bodies are let go while others take them.
            let names = match look.len() + name.len() {
                even if even % 2 == 0 => vec!["shared", look.as_str()],
                _ => vec![name.as_str(), look.as_str()],
            };
            std::thread::sleep(Duration::from_millis(5));
            reply(stream, "200 OK", &[], &body(&names, SHA))
        });
    }
    world.add(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    (world, ids)
}

/// Bodies whose bytes are not those of their names, and all bodies.
fn damaged(directory: &Path) -> (Vec<String>, usize) {
    let (mut bad, mut count) = (Vec::new(), 0);
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            count += 1;
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let mut bytes = Vec::new();
            let read = GzDecoder::new(std::fs::File::open(&path).expect("readable")).read_to_end(&mut bytes);
            let digest: String = Sha256::digest(&bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            if read.is_err() || digest != name {
                bad.push(name);
            }
        }
    }
    (bad, count)
}

/// What holds of a registry whatever happened to it; how often each entry was visited at each time.
fn sound(world: &World, ids: &[String]) -> BTreeMap<(String, String), usize> {
    let doctor = world.lore(&["doctor", "--json"]).stdout;
    let doctor: Value = serde_json::from_str(&doctor).expect("JSON");
    for check in doctor["checks"].as_array().expect("checks") {
        let name = check["name"].as_str().unwrap_or_default();
        if name.starts_with("registry") || name.starts_with("memory") {
            assert_eq!(check["ok"], true, "{check}");
        }
    }
    let (bad, _) = damaged(&world.path("data/bodies/sha256"));
    assert_eq!(bad, Vec::<String>::new());
    let mut visits = BTreeMap::new();
    for id in ids {
        let shown = world.show(id);
        assert_eq!(shown["id"], *id);
        if shown["status"] == "ok" {
            let got = world.lore(&["graph", "get", id, "--offline", "--json"]);
            assert_eq!(got.code, 0, "{id} is ok and cannot be had: {}", got.stderr);
        }
        for visit in shown["visits"].as_array().into_iter().flatten() {
            *visits.entry((id.clone(), visit["at"].to_string())).or_default() += 1;
        }
    }
    visits
}

#[test]
fn sync8_runs_that_are_killed_lose_no_entry_leave_no_half_body_and_count_no_visit_twice() {
    let is_long = lore_testing::is_long();
    let (count, kills) = if is_long { (60, 150) } else { (24, 8) };
    let (world, ids) = registry(count);
    let mut dice = Dice::new(8);
    for round in 0..kills {
        // Each run has a time of its own, at which the leases of those before it are over.
        let now = BEGIN + round * 1_000;
        let mut command = world.command(&["registry", "sync", "--all", "--jobs", "4"]);
        let mut running = Running::start(command.env("SOURCE_DATE_EPOCH", now.to_string()));
        // When it is killed is chance, and whenever it is, the same has to hold.
        std::thread::sleep(Duration::from_millis(20 + dice.roll(600)));
        running.kill();
        if is_long && round % 10 != 0 {
            continue;
        }
        for ((id, at), count) in sound(&world, &ids) {
            assert_eq!(count, 1, "{id} at {at}");
        }
    }
    let now = (BEGIN + kills * 1_000).to_string();
    let mut command = world.command(&["registry", "sync", "--all", "--jobs", "4", "--json"]);
    let summary = ended(command.env("SOURCE_DATE_EPOCH", &now)).json();
    assert_eq!(summary["visited"], count, "{summary}");
    sound(&world, &ids);
    for id in &ids {
        assert_eq!(world.status(id), "ok", "{id}");
    }
}

#[test]
fn sync9_two_runs_at_once_share_the_work() {
    let (world, ids) = registry(40);
    let run = || Running::start(&mut world.command(&["registry", "sync", "--jobs", "3", "--json"]));
    let (mut one, mut other) = (run(), run());
    let (one, other) = (outcome(&one.finish()).json(), outcome(&other.finish()).json());
    let visited = |summary: &Value| summary["visited"].as_u64().unwrap();
    assert_eq!(visited(&one) + visited(&other), 40, "{one:#} {other:#}");
    assert_eq!((&one["lost"], &other["lost"]), (&Value::from(0), &Value::from(0)));
    let visits = sound(&world, &ids);
    assert_eq!(visits.len(), 40);
    assert!(visits.values().all(|count| *count == 1));
    let asked = world.forge.server.asked();
    let records = asked.iter().filter(|asked| asked.ends_with("code-graph.json")).count();
    assert_eq!(records, 40, "nobody was asked twice");
}

#[test]
fn sync8_whoever_interrupts_a_run_gets_a_summary_and_gives_everything_back() {
    let (world, ids) = registry(40);
    let mut running = Running::start(&mut world.command(&["registry", "sync", "--jobs", "1", "--json"]));
    // It is interrupted once it has begun to ask.
    lore_testing::until("the forges are asked", || {
        (!world.forge.server.requests().is_empty()).then_some(())
    });
    let id = running.child().id().to_string();
    assert!(
        lore_testing::output(Command::new("kill").args(["-INT", &id]))
            .status
            .success()
    );
    let outcome = outcome(&running.finish());
    println!("{} {} {}", outcome.code, outcome.stdout, outcome.stderr);
    // What was not visited can be had at once: no lease holds it.
    let rest = world.sync(&[]);
    let first: Value = serde_json::from_str(&outcome.stdout).unwrap_or_default();
    let visited = |summary: &Value| summary["visited"].as_u64().unwrap_or(0);
    assert_eq!(visited(&first) + visited(&rest), 40, "{first} {rest}");
    sound(&world, &ids);
}
