//! `cargo xtask bench --mcp`: `lore mcp` from its start to its first answers, and what it holds while it waits.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::{fetch, load};
use crate::corpora::Copy;
use crate::disk::{Build, binary, make_directory};
use crate::process::capture;
use crate::{Outcome, languages};

/// Starts of the server.
const RUNS: usize = 11;
/// Milliseconds from the start to the list of tools, and of the first `callers`.
const LIST: f64 = 30.0;
const CALLERS: f64 = 60.0;
/// Megabytes while it waits.
const IDLE: f64 = 30.0;
/// Questions after which it waits again.
const QUESTIONS: usize = 20;

/// Measures the chosen corpora.
pub(super) fn run(chosen: &[String]) -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > super::QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    println!("medians of {RUNS} starts; budgets are for django");
    for (corpus, packages) in fetch(chosen, &languages::chosen(&[])?) {
        let copy = Copy::of(&packages)?;
        make_directory(&copy.cache())?;
        let lore = binary(Build::Release, "lore");
        capture(&mut copy.lore(&lore, &["index"]))?;
        let found = capture(&mut copy.lore(&lore, &["stats", "--json"]))?;
        let stats: Value = serde_json::from_str(&found).map_err(|error| error.to_string())?;
        let target = stats["most_important"][0]["qualified_name"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut figures = Vec::new();
        for _ in 0..RUNS {
            figures.push(once(copy.lore(&lore, &["mcp"]), &target)?);
        }
        let median = |pick: fn(&Figures) -> f64| {
            let mut values: Vec<f64> = figures.iter().map(pick).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let kept = |value: f64, most: f64| if value <= most { "ok" } else { "OVER" };
        let (list, callers) = (median(|run| run.list), median(|run| run.callers));
        let (idle, after) = (median(|run| run.idle), median(|run| run.after));
        println!(
            "{:<12} spawn to tools/list {list:.1} ms {} | first callers {callers:.1} ms {} | next {:.1} ms | idle {idle:.0} MB {} | idle after {QUESTIONS} questions {after:.0} MB {}",
            corpus.name,
            kept(list, LIST),
            kept(callers, CALLERS),
            median(|run| run.next),
            kept(idle, IDLE),
            kept(after, IDLE),
        );
    }
    Ok(())
}

/// One start; times in milliseconds, memory in megabytes.
struct Figures {
    list: f64,
    callers: f64,
    next: f64,
    idle: f64,
    after: f64,
}

fn once(command: Command, target: &str) -> Outcome<Figures> {
    let began = Instant::now();
    let mut client = Client::start(command)?;
    client.ask(
        "initialize",
        &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}),
    )?;
    client.ask("tools/list", &json!({}))?;
    let list = began.elapsed().as_secs_f64() * 1e3;
    let idle = client.megabytes();
    let callers = json!({"name": "callers", "arguments": {"target": target}});
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        let began = Instant::now();
        let reply = client.ask("tools/call", &callers)?;
        if reply["result"]["isError"] != json!(false) {
            return Err(format!("`callers` of {target} is answered with {reply}"));
        }
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let after = client.megabytes();
    client.leave()?;
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    Ok(Figures {
        list,
        callers: first,
        next: times[times.len() / 2],
        idle,
        after,
    })
}

/// A client that asks one thing after the other.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    fn start(mut command: Command) -> Outcome<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server has no pipes".to_owned());
        };
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
            asked: 0,
        })
    }

    fn ask(&mut self, method: &str, params: &Value) -> Outcome<Value> {
        self.asked += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        writeln!(self.input, "{request}").map_err(|error| error.to_string())?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| error.to_string())?;
        serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))
    }

    /// What it holds, where the system tells.
    fn megabytes(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let kilobytes = status.lines().find_map(|line| {
            line.strip_prefix("VmRSS:")?
                .trim()
                .strip_suffix(" kB")?
                .parse::<f64>()
                .ok()
        });
        kilobytes.unwrap_or(f64::NAN) / 1024.0
    }

    fn leave(self) -> Outcome<()> {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().map_err(|error| error.to_string())?;
        Ok(())
    }
}
