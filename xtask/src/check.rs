//! `cargo xtask check`: what continuous integration runs, in order, stopping at the first failure.

use std::process::Command;
use std::time::Instant;

use crate::ccg_oracle::{self, Oracle, Packages};
use crate::ckgp_producers::Producers;
use crate::mcp_clients::Clients;
use crate::process::{self, cargo, run as run_command};
use crate::{Outcome, console_blocks, format, generate, tidy, within};

/// How to check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Let the randomised tests run for long.
    pub(crate) long: bool,
}

/// What became of a step that did not fail.
enum Done {
    Ok,
    /// It could not be asked here, and why.
    Skipped(String),
}

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
    ("licences", |_| licences()),
];

/// Runs every step.
pub(crate) fn run(options: Options) -> Outcome<()> {
    let start = Instant::now();
    for (name, step) in STEPS {
        println!("== {name}");
        let began = Instant::now();
        let seconds = |began: Instant| began.elapsed().as_secs_f64();
        match step(options) {
            Ok(Done::Ok) => println!("ok       {name} ({:.1} s)", seconds(began)),
            Ok(Done::Skipped(why)) => println!("skipped  {name}: {why}"),
            Err(message) => {
                println!("FAILED   {name} ({:.1} s)", seconds(began));
                return Err(message);
            }
        }
    }
    println!("all well ({:.1} s)", start.elapsed().as_secs_f64());
    Ok(())
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
    // Other engines come from a registry, which is not within reach everywhere.
    let oracle = match Oracle::prepare() {
        Ok(oracle) => oracle,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    oracle.check(&ccg_oracle::usual(Packages::Present)?).map(|()| Done::Ok)
}

fn agents() -> Outcome<Done> {
    // So do the clients of agents.
    let clients = match Clients::prepare() {
        Ok(clients) => clients,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    clients.check().map(|()| Done::Ok)
}

fn producers() -> Outcome<Done> {
    // And the producers of graphs, with the package that they are run on.
    let producers = match Producers::prepare() {
        Ok(producers) => producers,
        Err(message) => return Ok(Done::Skipped(message)),
    };
    producers.check().map(|()| Done::Ok)
}

fn licences() -> Outcome<Done> {
    if !has_subcommand("deny") {
        return Ok(Done::Skipped("cargo-deny is not installed".to_owned()));
    }
    println!("advisories are not checked: their database needs a network");
    command(&mut cargo(&["deny", "check", "licenses", "bans", "sources"]))
}

fn has_subcommand(name: &str) -> bool {
    process::capture(&mut cargo(&[name, "--version"])).is_ok()
}
