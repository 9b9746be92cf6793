//! The figures of memory, inside one process, while another one writes: ten thousand atoms with twenty thousand patterns, two hundred molecules, twenty
//! thousand entries of changelogs. Run by `cargo xtask bench --memory`.
//!
//! What is measured is what an agent calls: the operation with its arguments in JSON, and its answer as JSON in its envelope.
#![expect(clippy::disallowed_methods, reason = "a measurement makes files and reads the clock")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lore_ask::OPERATIONS;
use lore_backends::{IndexDefaults, Repository, RepositoryOptions, SqlMemory, SystemFiles, ports};
use lore_memory::contract::{atom, entry, molecule, project, task};
use lore_memory::envelope::envelope;
use lore_memory::id::Id;
use lore_memory::model::{Atom, Parent};
use lore_memory::store::Memory;
use lore_memory::testing::numbered;
use lore_model::{Cancel, NoProgress};
use lore_seam::{Answer, Ctx, Setting, Settings};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const ATOMS: u64 = 10_000;
const MOLECULES: u64 = 200;
const ENTRIES: u64 = 20_000;
/// Where the numbers of atoms, molecules and entries begin.
const FIRST_ATOM: u64 = 1_000_000;
const FIRST_MOLECULE: u64 = 2_000_000;
const FIRST_ENTRY: u64 = 3_000_000;
const PROJECT: u64 = 1;
const TASK: u64 = 2;
/// Rows of one unit while the store is filled.
const BATCH: u64 = 500;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, path] = arguments.as_slice()
        && word == "writer"
    {
        return disturb(Path::new(path));
    }
    let is_strict = arguments.iter().any(|argument| argument == "--strict");
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("lore.db");
    let mut out = std::io::stdout().lock();
    let began = Instant::now();
    fill(&SqlMemory::new(Some(path.clone()), false))?;
    let bytes = std::fs::metadata(&path)?.len();
    writeln!(
        out,
        "{ATOMS} atoms, {MOLECULES} molecules, {ENTRIES} entries: {:.1} MB, filled in {:.1} s",
        bytes as f64 / 1e6,
        began.elapsed().as_secs_f64()
    )?;
    let ctx = ctx(directory.path(), &path);
    let mut writer = Command::new(std::env::current_exe()?)
        .args(["writer".as_ref(), path.as_os_str()])
        .stdin(Stdio::piped())
        .spawn()?;
    let over = measure(&ctx, &mut out);
    // It ends when its input does.
    drop(writer.stdin.take());
    writer.wait()?;
    match over? {
        over if over > 0 && is_strict => Err(format!("{over} figures are over their budget").into()),
        _ => Ok(()),
    }
}

/// Patterns as repositories have them: most are directories, some files, few kinds of file.
fn paths(number: u64) -> Vec<String> {
    let (area, part) = (number % 100, number / 100);
    let first = match number % 50 {
        0..35 => format!("src/area{area}/part{part}/**"),
        35..45 => format!("src/area{area}/part{part}/handler.ts"),
        45..49 => format!("src/area{area}/part{part}/*.tsx"),
        _ => format!("**/*.kind{number}"),
    };
    vec![first, format!("tests/area{area}/part{part}.test.ts")]
}

fn path_of(number: u64) -> String {
    format!("src/area{}/part{}/handler.ts", number % 100, number / 100)
}

fn some_atom(number: u64) -> Atom {
    let mut atom = atom(
        FIRST_ATOM + number,
        numbered(PROJECT),
        &format!("Area {} part {}", number % 100, number / 100),
    );
    atom.paths = paths(number);
    atom.molecule_id = (!number.is_multiple_of(10)).then(|| numbered(FIRST_MOLECULE + number % MOLECULES));
    atom.knowledge = format!(
        "Handlers of part {number} extend the base handler; they are idempotent and have thirty seconds. Secrets come from the registry, \
         never from files. Retries are exponential with jitter{number}. "
    )
    .repeat(3);
    atom.created_by_task_id = numbered(TASK);
    atom.last_task_id = numbered(TASK);
    atom
}

fn fill(store: &SqlMemory) -> Outcome<()> {
    store.write(&mut |unit| {
        unit.put_project(&project(PROJECT, "Shop"), None)?;
        unit.put_task(&task(TASK, Some(numbered(PROJECT)), None), None)?;
        (0..MOLECULES).try_for_each(|number| {
            let name = format!("Domain {number}");
            unit.put_molecule(&molecule(FIRST_MOLECULE + number, numbered(PROJECT), &name), None)
        })
    })?;
    for begin in (0..ATOMS).step_by(BATCH as usize) {
        store
            .write(&mut |unit| (begin..begin + BATCH).try_for_each(|number| unit.put_atom(&some_atom(number), None)))?;
    }
    for begin in (0..ENTRIES).step_by(BATCH as usize) {
        store.write(&mut |unit| {
            (begin..begin + BATCH).try_for_each(|number| {
                let parent = Parent::atom(numbered(FIRST_ATOM + number % ATOMS));
                let mut entry = entry(
                    FIRST_ENTRY + number,
                    parent,
                    "the handler waits for the lock before it answers",
                );
                entry.task_id = numbered(TASK);
                unit.append(&entry)
            })
        })?;
    }
    Ok(())
}

/// Writes to the store now and then until whoever started this ends.
fn disturb(path: &Path) -> Outcome<()> {
    let store = SqlMemory::new(Some(path.to_owned()), false);
    let (ended, ends) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::stdin().read_line(&mut text);
        let _ = ended.send(());
    });
    for number in (0..ATOMS).cycle() {
        if ends.recv_timeout(Duration::from_millis(20)).is_ok() {
            break;
        }
        store.write(&mut |unit| {
            let Some(mut atom) = unit.atom(numbered(FIRST_ATOM + number))? else {
                return Ok(());
            };
            let expected = atom.version;
            atom.version += 1;
            atom.knowledge.push('.');
            unit.put_atom(&atom, Some(expected))
        })?;
    }
    Ok(())
}

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

fn ctx(root: &Path, store: &Path) -> Ctx {
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(root.to_owned()),
        start: root.to_owned(),
        cache: Some(root.join("cache")),
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_| Ok(IndexDefaults::default())),
    }));
    let files = Arc::new(SystemFiles::new(root.to_owned()));
    Ctx {
        ports: Arc::new(ports(&repository, Arc::new(NoSettings), files, Some(store.to_owned()))),
        progress: Arc::new(NoProgress),
        cancel: Arc::new(Cancel::default()),
    }
}

/// Calls a tool as the server does; the bytes of its answer.
fn call(ctx: &Ctx, tool: &str, arguments: Value) -> Outcome<usize> {
    let entry = OPERATIONS.iter().find(|entry| entry.name == tool);
    let entry = entry.ok_or_else(|| format!("there is no tool `{tool}`"))?;
    let answer = entry.run_json(ctx, arguments)?;
    match answer {
        Answer::Value(value, _) => Ok(envelope(ctx, Ok(value.to_json()), usize::MAX).to_string().len()),
        _ => Err(format!("`{tool}` gives no value").into()),
    }
}

/// One figure: what it is, its budget in milliseconds, how often, and what is done.
type Figure<'f> = (&'f str, f64, u64, Box<dyn Fn(u64) -> Outcome<usize> + 'f>);

/// Measures every figure; how many are over their budget.
fn measure(ctx: &Ctx, out: &mut impl Write) -> Outcome<usize> {
    let project = numbered(PROJECT).to_string();
    let graph = |arguments: Value| call(ctx, "query_graph", arguments);
    let search = |query: &str| {
        graph(json!({ "operation": "search", "entityType": "atom", "projectId": &project, "query": query }))
    };
    let context = |number: u64, count: u64| {
        let paths: Vec<String> = (0..count)
            .map(|step| path_of((number * 37 + step * 101) % ATOMS))
            .collect();
        graph(json!({ "operation": "context", "projectId": &project, "paths": paths.join(",") }))
    };
    let figures: [Figure<'_>; 10] = [
        ("context, 1 path", 1.0, 300, Box::new(|number| context(number, 1))),
        ("context, 10 paths", 3.0, 200, Box::new(|number| context(number, 10))),
        ("context, 50 paths", 10.0, 100, Box::new(|number| context(number, 50))),
        (
            "search, rare word",
            5.0,
            200,
            Box::new(|number| search(&format!("jitter{}", number * 13 % ATOMS))),
        ),
        ("search, common word", 5.0, 200, Box::new(|_| search("handler"))),
        (
            "search, two words",
            5.0,
            200,
            Box::new(|number| search(&format!("idempotent jitter{}", number * 17 % ATOMS))),
        ),
        ("search, no such word", 5.0, 200, Box::new(|_| search("quetzalcoatl"))),
        (
            "get",
            0.2,
            500,
            Box::new(|number| {
                let id = numbered(FIRST_ATOM + number * 7 % ATOMS);
                graph(json!({ "operation": "get", "entityType": "atom", "id": id }))
            }),
        ),
        (
            "create",
            0.5,
            300,
            Box::new(|number| {
                let paths = json!([format!("new/{number}/**")]).to_string();
                call(
                    ctx,
                    "manage_graph",
                    json!({
                        "operation": "create", "entityType": "atom", "projectId": &project, "name": format!("New {number}"),
                        "paths": paths, "knowledge": some_atom(number).knowledge, "createdByTaskId": numbered(TASK),
                    }),
                )
            }),
        ),
        (
            "append to a changelog",
            0.5,
            300,
            Box::new(|number| {
                let id: Id = numbered(FIRST_ATOM + number * 7 % ATOMS);
                call(
                    ctx,
                    "manage_changelog",
                    json!({
                        "operation": "append", "parentType": "atom", "parentId": id, "taskId": numbered(TASK), "summary": "it changed",
                    }),
                )
            }),
        ),
    ];
    let began = Instant::now();
    context(1, 1)?;
    writeln!(
        out,
        "{:<24} {:>8.3} ms",
        "the first context",
        began.elapsed().as_secs_f64() * 1e3
    )?;
    writeln!(
        out,
        "{:<24} {:>8} {:>8} {:>8} {:>10}",
        "", "p50 ms", "p95 ms", "budget", "bytes"
    )?;
    let mut over = 0;
    for (name, budget, times, work) in figures {
        let (mut taken, mut bytes) = (Vec::new(), 0);
        for number in 0..times {
            let began = Instant::now();
            bytes += work(number)?;
            taken.push(began.elapsed().as_secs_f64() * 1e3);
        }
        taken.sort_by(f64::total_cmp);
        let at = |share: f64| taken[((taken.len() - 1) as f64 * share) as usize];
        let is_over = at(0.5) > budget;
        over += usize::from(is_over);
        let verdict = if is_over { "  OVER" } else { "" };
        let bytes = bytes as u64 / times;
        writeln!(
            out,
            "{name:<24} {:>8.3} {:>8.3} {budget:>8} {bytes:>10}{verdict}",
            at(0.5),
            at(0.95)
        )?;
    }
    Ok(over)
}
