//! `cargo xtask check`: what continuous integration runs, in order, stopping at the first failure.

use std::process::Command;
use std::time::Instant;

use crate::ccg_oracle::{self, Oracle, Packages};
use crate::ckgp_producers::Producers;
use crate::deny::Deny;
use crate::mcp_clients::Clients;
use crate::process::{self, cargo, run as run_command};
use crate::{Outcome, console_blocks, format, generate, tidy, within};

/// How to check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Run the randomised tests for longer.
    pub(crate) long: bool,
}

/// The result of a step that did not fail.
enum Done {
    Ok,
    /// A part of it cannot run here, and why.
    Partly(String),
    /// It cannot run here, and why.
    Skipped(String),
}

/// A row of the summary: the step, its seconds, and its result.
type Row = (&'static str, f64, String);

type Step = (&'static str, fn(Options) -> Outcome<Done>);

const STEPS: &[Step] = &[
    ("format", |_| format::run(format::Mode::Check).map(|()| Done::Ok)),
    ("clippy", |_| {
        command(&mut cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    ("tidy", |_| tidy::run().map(|()| Done::Ok)),
    ("generated files", |_| generate::check().map(|()| Done::Ok)),
    ("tests", tests),
    ("documentation tests", |options| {
        command(with_length(&mut cargo(&["test", "--workspace", "--doc"]), options))
    }),
    ("documentation", |_| {
        command(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("commands of pages", pages),
    ("code context graphs", |_| code_context_graphs()),
    ("clients of agents", |_| agents()),
    ("producers of graphs", |_| producers()),
    ("packages", |_| packages()),
];

/// Runs every step.
pub(crate) fn run(options: Options) -> Outcome<()> {
    let start = Instant::now();
    let mut rows: Vec<Row> = Vec::new();
    for (name, step) in STEPS {
        println!("== {name}");
        let began = Instant::now();
        let result = step(options);
        let seconds = began.elapsed().as_secs_f64();
        let (word, failure) = match result {
            Ok(Done::Ok) => ("ok".to_owned(), None),
            Ok(Done::Partly(why)) => (format!("ok, but {why}"), None),
            Ok(Done::Skipped(why)) => (format!("skipped: {why}"), None),
            Err(message) => ("FAILED".to_owned(), Some(message)),
        };
        println!("{name}: {word} ({seconds:.1} s)");
        rows.push((name, seconds, word));
        if let Some(message) = failure {
            print!("{}", summary(&rows, start.elapsed().as_secs_f64()));
            return Err(message);
        }
    }
    print!("{}", summary(&rows, start.elapsed().as_secs_f64()));
    Ok(())
}

/// The steps that ran, with their times and results, and the whole time.
fn summary(rows: &[Row], whole: f64) -> String {
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    let line = |name: &str, seconds: f64, word: &str| {
        let first = word.lines().next().unwrap_or_default();
        format!("{name:<width$} {seconds:>8.1} s  {first}")
            .trim_end()
            .to_owned()
            + "\n"
    };
    let steps = rows.iter().map(|(name, seconds, word)| line(name, *seconds, word));
    let left = STEPS.len() - rows.len();
    let rest = if left == 0 {
        String::new()
    } else {
        format!("{left} steps not run")
    };
    "== summary\n".to_owned() + &steps.collect::<String>() + &line("whole", whole, &rest)
}

fn command(command: &mut Command) -> Outcome<Done> {
    println!("$ {}", process::shown(command));
    run_command(command).map(|()| Done::Ok)
}

fn with_length(command: &mut Command, options: Options) -> &mut Command {
    if options.long {
        command.env("LORE_LONG", "1")
    } else {
        command
    }
}

fn tests(options: Options) -> Outcome<Done> {
    let profile = if options.long { "long" } else { "default" };
    let mut tests = if has_subcommand("nextest") {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--profile", profile])
    } else {
        let mut tests = cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"]);
        tests.args(["--config", &within::as_runner(options.long)?]);
        tests
    };
    command(with_length(&mut tests, options))
}

fn pages(options: Options) -> Outcome<Done> {
    let options = console_blocks::Options {
        long: options.long,
        ..console_blocks::Options::default()
    };
    console_blocks::run(&options).map(|()| Done::Ok)
}

fn code_context_graphs() -> Outcome<Done> {
    // The other engines need a package registry.
    let oracle = match Oracle::prepare() {
        Ok(oracle) => oracle,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    oracle.check(&ccg_oracle::usual(Packages::Present)?).map(|()| Done::Ok)
}

fn agents() -> Outcome<Done> {
    // So do the MCP clients.
    let clients = match Clients::prepare() {
        Ok(clients) => clients,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    clients.check().map(|()| Done::Ok)
}

fn producers() -> Outcome<Done> {
    // So do the producers of graphs and the package they run on.
    let producers = match Producers::prepare() {
        Ok(producers) => producers,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    producers.check().map(|()| Done::Ok)
}

fn packages() -> Outcome<Done> {
    let deny = match Deny::prepare() {
        Ok(deny) => deny,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    Ok(match deny.check()? {
        None => Done::Ok,
        Some(why) => Done::Partly(format!("advisories are skipped: {why}")),
    })
}

fn has_subcommand(name: &str) -> bool {
    process::capture(&mut cargo(&[name, "--version"])).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_has_a_row_for_each_step_that_ran() {
        let rows = [
            ("format", 1.25, "ok".to_owned()),
            ("clippy", 100.0, "skipped: a reason\nand its details".to_owned()),
        ];
        let left = STEPS.len() - 2;
        assert_eq!(
            summary(&rows, 101.3),
            format!(
                "== summary\nformat      1.2 s  ok\nclippy    100.0 s  skipped: a reason\nwhole     101.3 s  {left} steps not run\n"
            )
        );
    }
}
