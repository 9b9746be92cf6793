//! `cargo xtask`: everything one does to Lore besides writing it. No other script is needed.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a build tool talks to whoever runs it"
)]

mod accuracy;
mod bench;
mod check;
mod corpora;
mod disk;
mod floor;
mod generate;
mod process;
mod readme;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The floor has to run on the same allocator as `lore` to be comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a task gives: what it was asked for, or a sentence that says why not.
type Outcome<T> = Result<T, String>;

/// Work on Lore: check it, keep it tidy, write its reference, measure it
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run everything that continuous integration runs, stopping at the first failure
    ///
    /// Format, clippy, tidy, generated files, tests, documentation, the commands of README.md, licences, number of packages.
    Check {
        /// Let the randomised tests run for long (sets LORE_LONG=1)
        #[arg(long)]
        long: bool,
    },
    /// Hold the rules of the house that the compiler does not: crate edges, imports, forbidden calls and words
    Tidy,
    /// Write docs/reference/ from the table of operations
    Generate {
        /// Write nothing; fail if a file differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// Measure whole processes over pinned real packages, each beside its budget and its peers
    ///
    /// Fetches the packages first. ctags and tokei are measured too where they are on PATH, in cargo's bin directory or in the
    /// directory that LORE_TOOLS names.
    Bench {
        /// Only this corpus (repeatable) [default: all]
        #[arg(long, value_name = "NAME", value_parser = corpora::names())]
        corpus: Vec<String>,
        /// Write the figures to this file too
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Compare lines, definitions and complexity with tokei, ctags and lizard over pinned real packages
    Accuracy {
        /// Only this corpus (repeatable) [default: all]
        #[arg(long, value_name = "NAME", value_parser = corpora::names())]
        corpus: Vec<String>,
        /// Ask the dev build of lore instead of the release build
        #[arg(long)]
        dev: bool,
    },
    /// Fetch the pinned packages that bench and accuracy use
    ///
    /// They come through pip, npm, cargo and apt as these are configured, into target/corpora or the directory that LORE_CORPORA
    /// names. What is there already is not fetched again.
    Corpora {
        /// Only this corpus (repeatable) [default: all]
        #[arg(long, value_name = "NAME", value_parser = corpora::names())]
        corpus: Vec<String>,
    },
    /// Walk, read and parse a tree in parallel and nothing else
    #[command(hide = true)]
    Floor {
        /// The tree
        path: PathBuf,
        /// A file with the paths to parse, one a line [default: every file whose path tells its language]
        #[arg(long, value_name = "FILE")]
        files: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Check { long } => check::run(check::Options { long }),
        Task::Tidy => tidy::run(),
        Task::Generate { check } => {
            if check {
                generate::check()
            } else {
                generate::write()
            }
        }
        Task::Bench { corpus, json } => bench::run(&corpus, json.as_deref()),
        Task::Accuracy { corpus, dev } => {
            accuracy::run(&corpus, if dev { disk::Build::Dev } else { disk::Build::Release })
        }
        Task::Corpora { corpus } => corpora::run(&corpus),
        Task::Floor { path, files } => floor::run(&path, files.as_deref()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
