//! The table of the audit, repeated: processes that are killed, that write at once, damaged and crafted caches, hostile calls of
//! tools, a full disk. What is drawn comes from `lore_testing::seed`.
//!
//! By default there are few rounds. With `LORE_LONG` there are as many as in the audit. Each test prints its counts.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use lore_testing::{Dice, Running, rounds};
use serde_json::{Value, json};

use crate::agent::Server;
use crate::crafted_snapshot::{sealed, sections};
use crate::world::{World, finish};

/// No command of this table may take more. Processor time does not depend on how busy the machine is.
const LIMITS: &str = "ulimit -t 10; ulimit -v 4000000";

const QUESTIONS: [&[&str]; 9] = [
    &["outline"],
    &["find", "f1"],
    &["callers", "f1_1"],
    &["callees", "f1_0"],
    &["files"],
    &["stats"],
    &["dead"],
    &["edges"],
    &["impact", "m1.f1_1"],
];

#[expect(clippy::print_stdout, reason = "the counts are what a run of this table is for")]
fn report(what: &str, counts: &str) {
    println!("table: {what}: {counts}");
}

/// A repository of some modules with a manifest and a remote, a project of memory and a registry.
fn shop() -> World {
    let world = World::new();
    for module in 0..30 {
        world.write(&format!("m{module}.py"), source(module, 0));
    }
    world.write("docs/guide.md", "# Guide\n\nHow it is used.\n");
    world.write(
        "knowledge.yaml",
        "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nupdated: \"2020-01-01\"\nunits:\n  - id: guide\n    path: docs/guide.md\n    intent: How is it used?\n    scope: global\n    audience: [agent, human]\n    validated: \"2020-01-01\"\n",
    );
    world.commit("one");
    world.git(&["remote", "add", "origin", "https://github.com/acme/shop.git"]);
    for arguments in [
        &["memory", "project", "create", "Shop"][..],
        &["registry", "init", "--name", "R", "--url", "https://registry.example"],
    ] {
        yes(&world, arguments);
    }
    world
}

/// A module of functions that call each other.
fn source(module: usize, version: usize) -> String {
    let functions = (0..10).map(|number| {
        format!(
            "def f{module}_{number}():\n    return f{module}_{}()\n\n\n",
            (number + 1) % 10
        )
    });
    format!("{}def version_{version}():\n    pass\n", functions.collect::<String>())
}

/// Runs a command that must succeed.
fn yes(world: &World, arguments: &[&str]) -> String {
    let outcome = world.lore(arguments);
    assert_eq!(outcome.code, Some(0), "{arguments:?}: {outcome:?}");
    outcome.stdout
}

fn json_of(world: &World, arguments: &[&str]) -> Vec<Value> {
    let text = yes(world, &[arguments, &["--json"]].concat());
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().expect("JSON")
}

/// What the questions are answered from a cache that nobody touched.
fn truth(world: &World, questions: &[&[&str]]) -> Vec<(Option<i32>, String)> {
    let cache = tempfile::tempdir().expect("a directory");
    let cache = cache.path().to_str().expect("a name");
    let ask = |question: &&[&str]| {
        let outcome = world.lore(&[*question, &["--cache", cache]].concat());
        (outcome.code, outcome.stdout)
    };
    questions.iter().map(ask).collect()
}

/// Starts commands and kills each at a moment that is drawn.
struct Killer {
    dice: Dice,
    /// The latest moment. At first it is how long the command takes; later it follows how many were killed, so that about half
    /// of them are.
    whole: Duration,
    killed: usize,
    ended: usize,
}

impl Killer {
    /// Runs a command once to its end, to know how long it takes.
    fn of(salt: u64, command: &mut Command) -> Self {
        let start = Instant::now();
        let output = lore_testing::output(command);
        assert!(output.status.success(), "{output:?}");
        Self {
            dice: Dice::new(salt),
            whole: start.elapsed(),
            killed: 0,
            ended: 0,
        }
    }

    /// Whether the command ended with success before it was killed.
    fn strike(&mut self, command: &mut Command) -> bool {
        let longest = self.whole.as_micros() as usize;
        let moment = Duration::from_micros(self.dice.below(longest) as u64);
        let mut running = Running::start(command.stdin(std::process::Stdio::null()));
        std::thread::sleep(moment);
        let output = running.kill();
        match output.status.code() {
            None => {
                self.killed += 1;
                self.whole = self.whole.mul_f64(1.1);
            }
            Some(code) => {
                assert_eq!(code, 0, "{command:?}: {output:?}");
                self.ended += 1;
                self.whole = self.whole.mul_f64(0.9).max(Duration::from_millis(2));
            }
        }
        output.status.success()
    }

    fn report(&self, what: &str) {
        let rounds = self.killed + self.ended;
        report(what, &format!("{rounds} rounds, {} killed, nothing wrong", self.killed));
    }
}

/// The names of the files of the repository without those of git.
fn names(world: &World) -> BTreeSet<String> {
    let files = world.listing(&world.repo()).into_iter().map(|(name, _)| name);
    files.filter(|name| !name.starts_with(".git/")).collect()
}

/// As [`names`], without the unfinished file that a process can leave if it is killed while it writes.
fn finished_names(world: &World) -> BTreeSet<String> {
    let is_unfinished = |name: &String| {
        name.rsplit('/')
            .next()
            .is_some_and(|file| file.starts_with(".lore-new-"))
    };
    names(world).into_iter().filter(|name| !is_unfinished(name)).collect()
}

/// Every file of JSON in the repository can be read.
fn assert_whole_json(world: &World) {
    for (name, bytes) in world.listing(&world.repo()) {
        if name.ends_with(".json") && !name.starts_with(".git/") {
            let read = serde_json::from_slice::<Value>(&bytes);
            assert!(read.is_ok(), "{name} is half-written");
        }
    }
}

#[test]
fn kills_of_index() {
    let world = shop();
    let command = || world.command_in(&world.repo(), &["index", "--fresh"]);
    let mut killer = Killer::of(1, &mut command());
    let before = names(&world);
    for round in 1..=rounds(12, 100) {
        world.write("m1.py", source(1, round));
        killer.strike(&mut command());
        let questions = [QUESTIONS[round % QUESTIONS.len()], &["find", "version"]];
        let told: Vec<_> = questions.map(|question| world.lore(question)).into();
        let told: Vec<_> = told.into_iter().map(|told| (told.code, told.stdout)).collect();
        assert_eq!(told, truth(&world, &questions), "round {round}");
        assert_eq!(world.lore(&["doctor"]).code, Some(0), "round {round}");
    }
    assert_eq!(names(&world), before, "nothing is left in the repository");
    killer.report("kill -9 index");
}

#[test]
fn kills_of_touch() {
    let world = shop();
    let manifest = || fs::read_to_string(world.repo().join("knowledge.yaml")).expect("a manifest");
    let old = manifest();
    let command = || world.command_in(&world.repo(), &["unit", "touch", "guide"]);
    let mut killer = Killer::of(2, &mut command());
    let (new, before) = (manifest(), names(&world));
    assert_ne!(old, new);
    for round in 0..rounds(12, 100) {
        world.write("knowledge.yaml", &old);
        let is_acknowledged = killer.strike(&mut command());
        let now = manifest();
        assert!(now == new || (now == old && !is_acknowledged), "round {round}: {now}");
    }
    assert_eq!(
        finished_names(&world),
        before,
        "nothing is missing, and nothing else is left"
    );
    killer.report("kill -9 unit touch");
}

#[test]
fn kills_of_publish() {
    let world = shop();
    let command = || world.command_in(&world.repo(), &["graph", "publish"]);
    let mut killer = Killer::of(3, &mut command());
    let before = names(&world);
    for round in 0..rounds(12, 100) {
        world.write("m1.py", source(1, round));
        killer.strike(&mut command());
        assert_whole_json(&world);
    }
    yes(&world, &["graph", "publish"]);
    assert_eq!(
        finished_names(&world),
        before,
        "nothing is missing, and nothing else is left"
    );
    killer.report("kill -9 graph publish");
}

#[test]
fn kills_of_registry_add_and_render() {
    let world = shop();
    let add = |name: &str| world.command_in(&world.repo(), &["registry", "add", name]);
    let mut killer = Killer::of(4, &mut add("octo/first"));
    let mut acknowledged = BTreeSet::from(["octo/first".to_owned()]);
    let count = rounds(12, 100);
    for round in 0..count {
        let name = format!("octo/r{round}");
        if killer.strike(&mut add(&name)) {
            acknowledged.insert(name);
        }
    }
    let known = registered(&world);
    assert!(acknowledged.is_subset(&known), "{acknowledged:?} are in {known:?}");
    killer.report("kill -9 registry add");
    let render = || world.command_in(&world.repo(), &["registry", "render", "out", "--full"]);
    let mut killer = Killer::of(5, &mut render());
    let before = names(&world);
    for round in 0..count {
        yes(&world, &["registry", "add", &format!("octo/more{round}")]);
        killer.strike(&mut render());
        assert_whole_json(&world);
    }
    yes(&world, &["registry", "render", "out"]);
    let after = names(&world);
    assert!(after.is_superset(&before));
    assert!(!after.iter().any(|name| name.contains("lore-new")), "{after:?}");
    let list = fs::read_to_string(world.repo().join("out/registry.json")).expect("rendered");
    for name in registered(&world) {
        assert!(list.contains(&format!("\"{name}\"")), "{name} is rendered");
    }
    assert_eq!(world.lore(&["doctor"]).code, Some(0));
    killer.report("kill -9 registry render");
}

fn registered(world: &World) -> BTreeSet<String> {
    let rows = json_of(world, &["registry", "list", "--limit", "1000"]);
    let repos = rows
        .iter()
        .flat_map(|row| row["repos"].as_array().into_iter().flatten());
    repos.filter_map(|row| Some(row["id"].as_str()?.to_owned())).collect()
}

#[test]
fn kills_of_mind_and_memory() {
    let world = shop();
    let link = |node: &str| world.command_in(&world.repo(), &["mind", "link", node, "task:hub"]);
    let mut killer = Killer::of(6, &mut link("task:first"));
    let mut acknowledged = BTreeSet::from(["task:first".to_owned()]);
    for round in 0..rounds(12, 100) {
        let node = format!("task:r{round}");
        if killer.strike(&mut link(&node)) {
            acknowledged.insert(node);
        }
    }
    let nodes = json_of(&world, &["mind", "nodes", "--limit", "1000"]);
    let known: BTreeSet<String> = nodes
        .iter()
        .filter_map(|row| Some(row["id"].as_str()?.to_owned()))
        .collect();
    assert!(acknowledged.is_subset(&known), "{acknowledged:?} are in {known:?}");
    world.git(&["fsck", "--strict"]);
    killer.report("kill -9 mind link");
    let create = |title: &str| world.command_in(&world.repo(), &["memory", "task", "create", title]);
    let mut killer = Killer::of(7, &mut create("first"));
    let mut acknowledged = BTreeSet::from(["first".to_owned()]);
    for round in 0..rounds(12, 250) {
        let title = format!("r{round}");
        if killer.strike(&mut create(&title)) {
            acknowledged.insert(title);
        }
    }
    let known = tasks(&world);
    assert!(acknowledged.is_subset(&known), "{acknowledged:?} are in {known:?}");
    assert_eq!(world.lore(&["doctor"]).code, Some(0));
    killer.report("kill -9 memory");
}

fn tasks(world: &World) -> BTreeSet<String> {
    let rows = json_of(world, &["memory", "export"]);
    rows.iter()
        .filter_map(|row| Some(row["title"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn four_writers_at_once() {
    let world = shop();
    let write = |what: &str, count: usize, line: &(dyn Fn(usize, usize) -> Vec<String> + Sync)| {
        lore_testing::scope(what, |scope| {
            for writer in 0..4 {
                let world = &world;
                scope.spawn(move || {
                    for number in 0..count / 4 {
                        let line = line(writer, number);
                        yes(world, &line.iter().map(String::as_str).collect::<Vec<_>>());
                    }
                });
            }
        });
        report(
            "4 writers at once",
            &format!("{what}: {count} writes, none lost, none failed"),
        );
    };
    let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let count = rounds(8, 80);
    write("memory", count, &|writer, number| {
        words(format!("memory task create t{writer}-{number}"))
    });
    assert_eq!(tasks(&world).len(), count);
    let count = rounds(8, 60);
    write("mind", count, &|writer, number| {
        words(format!("mind link task:{writer}-{number} task:hub"))
    });
    assert_eq!(json_of(&world, &["mind", "nodes", "--limit", "1000"]).len(), count + 1);
    world.git(&["fsck", "--strict"]);
    write("touch", rounds(4, 40), &|_, _| words("unit touch guide".to_owned()));
    yes(&world, &["unit", "validate"]);
    let count = rounds(8, 60);
    write("registry", count, &|writer, number| {
        words(format!("registry add octo/r{writer}-{number}"))
    });
    assert_eq!(registered(&world).len(), count);
    write("publish", rounds(4, 24), &|_, _| words("graph publish".to_owned()));
    assert_whole_json(&world);
    write("index", rounds(8, 24), &|_, _| words("index --fresh".to_owned()));
    let told: Vec<_> = QUESTIONS.map(|question| world.lore(question)).into();
    let told: Vec<_> = told.into_iter().map(|told| (told.code, told.stdout)).collect();
    assert_eq!(told, truth(&world, &QUESTIONS));
    assert_eq!(world.lore(&["doctor"]).code, Some(0));
    assert!(!names(&world).iter().any(|name| name.contains("lore-new")));
}

#[test]
fn damaged_cache_files() {
    let world = shop();
    let mut dice = Dice::new(9);
    let expected = truth(&world, &QUESTIONS);
    let cache = world.home().join(".cache/lore");
    let (mut asked, count) = (0, rounds(20, 200));
    for round in 0..count {
        yes(&world, &["index"]);
        let files = world.listing(&cache).into_iter();
        let files: Vec<_> = files.filter(|(_, bytes)| !bytes.is_empty()).collect();
        let (name, mut bytes) = files[dice.below(files.len())].clone();
        let at = dice.below(bytes.len());
        let how = match dice.below(4) {
            0 => {
                bytes[at] ^= 1 << dice.below(8);
                "flipped"
            }
            1 => {
                bytes.truncate(at);
                "cut"
            }
            2 => {
                bytes.extend(
                    (0..=dice.below(4_000))
                        .map(|_| dice.below(256) as u8)
                        .collect::<Vec<_>>(),
                );
                "extended"
            }
            _ => {
                bytes[at..].fill(0);
                "zeroed"
            }
        };
        fs::write(cache.join(&name), &bytes).expect("written");
        for number in 0..rounds(3, QUESTIONS.len()) {
            let number = (round + number) % QUESTIONS.len();
            let outcome = world.lore(QUESTIONS[number]);
            let told = (outcome.code, outcome.stdout);
            assert_eq!(
                told, expected[number],
                "round {round}: {name} was {how}: {}",
                outcome.stderr
            );
            asked += 1;
        }
    }
    report(
        "damaged cache files",
        &format!("{count} rounds, {asked} questions, all right"),
    );
}

/// The checksums are right, so whatever is not impossible is believed. No question hangs, allocates without bound or crashes.
#[test]
fn crafted_snapshots() {
    let world = shop();
    let mut dice = Dice::new(10);
    yes(&world, &["index"]);
    let cache = world.home().join(".cache/lore");
    let mut files = world.listing(&cache).into_iter();
    let snapshot = files.find(|(name, _)| name.ends_with("/snapshot"));
    let (name, whole) = snapshot.expect("a snapshot");
    let (mut asked, count) = (0, rounds(15, 54));
    for round in 0..count {
        let mut crafted = sections(&whole);
        for _ in 0..=dice.below(3) {
            let section = dice.below(crafted.len());
            let bytes = &mut crafted[section];
            match dice.below(5) {
                0 => bytes.fill(0),
                1 => bytes.fill(0xff),
                2 => bytes.truncate(dice.below(bytes.len() + 1) / 4 * 4),
                _ => {
                    for _ in 0..=dice.below(16) {
                        let (at, byte) = (dice.below(bytes.len()), dice.below(256) as u8);
                        bytes.get_mut(at).into_iter().for_each(|slot| *slot = byte);
                    }
                }
            }
        }
        let crafted = sealed(&crafted);
        for number in 0..rounds(3, 6) {
            let question = QUESTIONS[(round + number) % QUESTIONS.len()];
            fs::write(cache.join(&name), &crafted).expect("written");
            let outcome = finish(world.limited(LIMITS, &[question, &["--no-refresh"]].concat()), "");
            let ended = matches!(outcome.code, Some(0..=2));
            assert!(ended, "round {round}: {question:?}: {}", outcome.stderr);
            asked += 1;
        }
    }
    report(
        "crafted snapshots",
        &format!("{count} rounds, {asked} questions, none hung or crashed"),
    );
}

/// What no answer may hold.
const SECRET: &str = "planted-secret-7f3a";

/// Paths that lead out of the repository, and texts that confuse readers of paths.
fn payloads(world: &World) -> Vec<String> {
    let outside = world.base().join("outside/secret.py").display().to_string();
    let mut all: Vec<String> = [
        "../outside/secret.py",
        "../../../../../../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "docs/../../outside/secret.py",
        "./../outside/secret.py",
        "..",
        "/",
        "../outside",
        "link.py",
        "linked/secret.py",
        "linked",
        "m1.py/../../outside/secret.py",
        "..\\outside\\secret.py",
        "%2e%2e/outside/secret.py",
        "..%2foutside%2fsecret.py",
        "....//outside/secret.py",
        "m1.py\0../../outside/secret.py",
        "\0",
        "~/secret.py",
        "$HOME/secret.py",
        "`cat ../outside/secret.py`",
        "$(cat ../outside/secret.py)",
        "-",
        "--repo=../outside",
        "/proc/self/environ",
        "/dev/stdin",
        "HEAD:../outside/secret.py",
        "@../outside/secret.py",
        "*",
        "**/*",
        "{../outside/*}",
        "",
        " ",
        "\u{202e}yp.terces/edistuo/..",
        "lore://../outside/secret.py",
        "knowledge://../outside/secret.py",
        ".git/config",
        "con",
        "a\nb",
    ]
    .map(str::to_owned)
    .into();
    all.extend([
        format!("file://{outside}"),
        format!("lore://{outside}"),
        format!("{outside}\0.py"),
        outside,
    ]);
    all.push("x".repeat(70_000));
    all.push("../".repeat(5_000));
    all
}

/// Arguments of a tool with a payload in one of them, and what its other required arguments need.
fn arguments(schema: &Value, name: &str, payload: &str) -> Value {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut arguments = serde_json::Map::new();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let is_list = kinds(property).contains(&"array".to_owned());
        if key == name {
            let value = if is_list { json!([payload]) } else { json!(payload) };
            arguments.insert(key.clone(), value);
        } else if required.contains(&key.as_str()) {
            let first = property["enum"].get(0).cloned();
            let value = match kinds(property).first().map(String::as_str) {
                Some("integer" | "number") => json!(1),
                Some("boolean") => json!(true),
                Some("array") => json!([]),
                Some("object") => json!({}),
                _ => first.unwrap_or_else(|| json!("guide")),
            };
            arguments.insert(key.clone(), value);
        }
    }
    Value::Object(arguments)
}

/// The types that a schema of an argument names.
fn kinds(property: &Value) -> Vec<String> {
    match &property["type"] {
        Value::String(kind) => vec![kind.clone()],
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(|kind| Some(kind.as_str()?.to_owned()))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether an argument may be a text, or a list that may hold texts.
fn takes_text(property: &Value) -> bool {
    let kinds = kinds(property);
    kinds.is_empty() || kinds.iter().any(|kind| kind == "string" || kind == "array")
}

/// Every tool that a server lists, page by page.
fn all_tools(server: &mut Server) -> Vec<Value> {
    let (mut tools, mut page) = (Vec::new(), json!({}));
    loop {
        let listed: Value = serde_json::from_str(&server.ask("tools/list", &page)).expect("JSON");
        tools.extend(listed["result"]["tools"].as_array().cloned().unwrap_or_default());
        match listed["result"]["nextCursor"].as_str() {
            Some(cursor) => page = json!({"cursor": cursor}),
            None => return tools,
        }
    }
}

#[test]
fn mcp_traversal() {
    let world = shop();
    let outside = world.base().join("outside");
    fs::create_dir(&outside).expect("made");
    for place in [&outside, &world.home()] {
        fs::write(
            place.join("secret.py"),
            format!("def secret():\n    return \"{SECRET}\"\n"),
        )
        .expect("written");
    }
    world.link("link.py", "../outside/secret.py");
    world.link("linked", "../outside");
    // Named one by one, the sets list what `all` leaves out because it is seldom asked.
    let sets = "code,ccg,unit,mind,memory,published";
    let mut command = world.command_in(&world.repo(), &["mcp", "--tools", sets]);
    let nobody =
        ["github.com", "raw.githubusercontent.com", "api.github.com"].map(|host| format!("{host}=127.0.0.1:1"));
    command
        .env("LORE_WEB_HOSTS", nobody.join(","))
        .env("LORE_WEB_DEADLINE", "1")
        .env("LORE_SECRET", SECRET);
    let mut server = Server::start(&mut command);
    let tools = all_tools(&mut server);
    assert!(tools.len() > 100, "{} tools", tools.len());
    let before = world.listing(&outside);
    let (payloads, mut dice, mut calls) = (payloads(&world), Dice::new(11), 0);
    let check = |what: &str, answer: &str| {
        assert!(!answer.contains(SECRET), "{what}: {answer}");
        assert!(!answer.contains("root:x:0:0"), "{what}: {answer}");
    };
    for tool in &tools {
        let (name, schema) = (tool["name"].as_str().expect("a name"), &tool["inputSchema"]);
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (key, _) in properties.filter(|(_, property)| takes_text(property)) {
            let drawn: Vec<&String> = if lore_testing::is_long() {
                payloads.iter().collect()
            } else {
                vec![&payloads[dice.below(payloads.len())]]
            };
            for payload in drawn {
                let answer = server.call(name, &arguments(schema, key, payload));
                let short: String = payload.chars().take(80).collect();
                check(&format!("{name} {key} {short:?}"), &answer);
                calls += 1;
            }
        }
    }
    for payload in &payloads {
        for uri in [
            payload.clone(),
            format!("lore://file/{payload}"),
            format!("knowledge://unit/{payload}"),
        ] {
            check(&uri, &server.ask("resources/read", &json!({"uri": uri})));
            calls += 1;
        }
    }
    assert_eq!(world.listing(&outside), before, "nothing outside was changed");
    let names: BTreeSet<String> = fs::read_dir(world.base())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(
        names,
        ["home", "outside", "repo"].map(str::to_owned).into(),
        "nothing outside was made"
    );
    // Some call may have told it to leave files out.
    let answer = server.call("find", &json!({"query": "f2_1"}));
    assert!(answer.contains("\"isError\":false"), "it is alive: {answer}");
    assert!(server.finish().success());
    let counts = format!(
        "{calls} calls, {} tools, {} payloads, 0 leaks, 0 deaths",
        tools.len(),
        payloads.len()
    );
    report("MCP traversal", &counts);
}

/// Files may not grow beyond some kilobytes, as on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let commands: [&[&str]; 10] = [
        &["index", "--fresh"],
        &["unit", "touch", "guide"],
        &["graph", "publish"],
        &["ccg", "bundle", "-o", "out.ccg.zip"],
        &["registry", "add", "octo/a"],
        &["registry", "render", "out"],
        &["mind", "link", "task:a", "task:b"],
        &["memory", "task", "create", "T"],
        &["init", "--agent=all", "--yes"],
        &["unit", "generate", "--force", "all"],
    ];
    let (mut refused, mut answered) = (0, 0);
    // In blocks of 512 bytes.
    for blocks in [0, 8] {
        let world = shop();
        let limits = format!("trap '' XFSZ; ulimit -f {blocks}");
        for arguments in commands {
            let before = world.listing(&world.repo());
            let outcome = finish(world.limited(&limits, arguments), "");
            let what = format!("{blocks} blocks: {arguments:?}: {outcome:?}");
            assert_whole_json(&world);
            if outcome.code == Some(0) {
                answered += 1;
                continue;
            }
            refused += 1;
            assert_eq!(outcome.code, Some(2), "{what}");
            assert!(!outcome.stderr.is_empty(), "a reason is given: {what}");
            for (name, old) in before.iter().filter(|(name, _)| !name.starts_with(".git/")) {
                let new = fs::read(world.repo().join(name)).unwrap_or_default();
                assert!(new == *old, "{name} is as it was: {what}");
            }
        }
        assert!(!names(&world).iter().any(|name| name.contains("lore-new")));
        // With space again, everything works.
        for arguments in commands {
            yes(&world, arguments);
        }
        world.git(&["fsck", "--strict"]);
        assert_eq!(world.lore(&["doctor"]).code, Some(0));
    }
    assert!(refused > 0);
    report(
        "full disk",
        &format!("{refused} refused with a reason, {answered} answered, nothing damaged"),
    );
}
