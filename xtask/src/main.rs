//! `cargo xtask`: everything one does to Lore besides writing it. No other script is needed.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a build tool talks to whoever runs it"
)]

mod accuracy;
mod bench;
mod ccg_oracle;
mod check;
mod ckgp_producers;
mod console_blocks;
mod corpora;
mod disk;
mod floor;
mod format;
mod fuzz;
mod generate;
mod languages;
mod mcp_clients;
mod node;
mod process;
mod python;
mod tidy;
mod within;

use std::ffi::OsString;
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
    /// Format, clippy, tidy, generated files, tests, documentation, the commands of README.md and of docs, exported
    /// layers in other engines, clients of agents, producers of graphs, licences.
    Check {
        /// Let the randomised tests run for long (sets LORE_LONG=1), and run the commands of pages that need a package
        #[arg(long)]
        long: bool,
    },
    /// Run the commands in the console blocks of README.md and of docs, and compare what they print
    ///
    /// CONTRIBUTING.md says how a page names the repository that its blocks run in.
    Console {
        /// Run the blocks that need a package too; fetches the packages
        #[arg(long)]
        long: bool,
        /// Put the output of each command into its page, if the command ends as the page says
        #[arg(long)]
        write: bool,
        /// Run this binary, a file with the name `lore`, instead of the dev build
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
        /// Only these pages, as paths from the root of the project [default: all]
        #[arg(value_name = "PAGE")]
        pages: Vec<String>,
    },
    /// Format every source, the folders of the languages included, which `cargo fmt` does not see
    Fmt {
        /// Write nothing; fail if a file is not formatted
        #[arg(long)]
        check: bool,
    },
    /// Hold the rules of the house that the compiler does not: crate edges, imports, forbidden calls and words
    Tidy,
    /// Write docs/reference/ from the table of operations, and docs/languages.md from the folders of the languages
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
        #[arg(long, value_name = "NAME", value_parser = bench::names())]
        corpus: Vec<String>,
        /// Write the figures to this file too
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// One tree that grows from fifty thousand to five million lines, instead of the corpora
        #[arg(long, conflicts_with_all = ["corpus", "json"])]
        scale: bool,
        /// The Code Context Graph: queries, sizes and exports, beside another store
        #[arg(long, conflicts_with_all = ["json", "scale"])]
        ccg: bool,
        /// The server for agents: from its start to the first answers, and its memory
        #[arg(long, conflicts_with_all = ["json", "scale", "ccg"])]
        mcp: bool,
        /// Knowledge manifests: a large one and a small one, checked and asked, and many queries over the large one
        #[arg(long, conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp"])]
        kcp: bool,
        /// Memory: ten thousand atoms, asked and written as agents do, while another process writes
        #[arg(long, group = "budgeted", conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp", "mind"])]
        memory: bool,
        /// Compare the release build with another binary by user CPU time, run by turns
        ///
        /// The median of the ratios of 15 pairs counts, for a cold index, an index without a change, one after a
        /// change of one file, and questions. The corpus is Django unless --corpus names others.
        #[arg(long, value_name = "BINARY", group = "budgeted", conflicts_with_all = ["json", "scale", "ccg", "mcp", "kcp", "memory", "mind", "ckgp", "registry"])]
        against: Option<PathBuf>,
        /// With --against: measure this binary instead of the release build
        #[arg(long, value_name = "FILE", requires = "against")]
        binary: Option<PathBuf>,
        /// With --against: pairs of runs
        #[arg(long, value_name = "N", requires = "against", default_value_t = 15)]
        pairs: usize,
        /// Fail if a figure is over its budget; with --memory or --registry. With --against: if something is slower by more than 3 %
        #[arg(long, requires = "budgeted")]
        strict: bool,
        /// The mind graph: fifty thousand nodes and edges, ten thousand patches, a chain of a hundred thousand
        #[arg(long, conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp"])]
        mind: bool,
        /// Published graphs: a body of fifty megabytes of each format, judged, beside a tree of values and its schema
        #[arg(long, conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp", "memory", "mind"])]
        ckgp: bool,
        /// A registry: bodies taken in, visits that find nothing new, and a hundred thousand entries rendered and asked
        #[arg(long, group = "budgeted", conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp", "mind", "ckgp"])]
        registry: bool,
    },
    /// Compare lines, definitions and complexity with tokei, ctags and lizard over pinned real packages
    ///
    /// What a language is measured with stands in its folder, in language.toml.
    Accuracy {
        /// Only this language (repeatable) [default: all]
        #[arg(long, value_name = "NAME")]
        language: Vec<String>,
        /// Compare calls instead, with what lines call that were drawn at random and labelled by reading
        #[arg(long, conflicts_with = "record")]
        calls: bool,
        /// Ask everyday questions about real packages and compare the answers with those that people found by reading
        #[arg(long, conflicts_with_all = ["record", "calls"])]
        questions: bool,
        /// Keep the figures in measured.toml in the folder of the language
        #[arg(long)]
        record: bool,
        /// Ask the dev build of lore instead of the release build
        #[arg(long)]
        dev: bool,
        /// Differences of a kind to show
        #[arg(long, value_name = "N", default_value_t = 20)]
        show: usize,
        /// This process was built with the features of the languages
        #[arg(long, hide = true)]
        rebuilt: bool,
    },
    /// Export layers of code context graphs and let other engines check them: Oxigraph, rdflib, pyld, jsonschema
    ///
    /// Their packages come through pip as it is configured, into target/ccg-oracle. Without a directory, the sample repository and
    /// small pinned packages are exported.
    CcgOracle {
        /// Repositories to export
        #[arg(value_name = "DIR")]
        directories: Vec<PathBuf>,
    },
    /// Let real clients use `lore mcp`, and hostile ones, and run the official conformance suite
    ///
    /// The Python client, the MCP Inspector and the suite come through pip and npm as these are configured, into target/mcp-clients.
    McpClients {
        /// Install nothing; if something is missing, say so and check nothing
        #[arg(long)]
        present: bool,
    },
    /// Run producers of graphs that are not ours on a real package, convert what they write, and let another validator judge it
    ///
    /// code-review-graph and Repomix come through pip and npm as these are configured, into target/ckgp-producers; the package comes like those of `corpora`.
    CkgpProducers {
        /// Install and fetch nothing; if something is missing, say so and check nothing
        #[arg(long)]
        present: bool,
    },
    /// Fuzz every parser of foreign bytes, and the extraction of every language
    ///
    /// Ten minutes for each format and two for each language, unless something else is said. Needs a C++ compiler and a Unix system.
    Fuzz {
        /// Minutes for each target
        #[arg(long, value_name = "N")]
        minutes: Option<f64>,
        /// Only this format (repeatable)
        #[arg(long, value_name = "NAME")]
        target: Vec<String>,
        /// Only the extraction of this language (repeatable)
        #[arg(long, value_name = "NAME")]
        language: Vec<String>,
        /// Thirty times as long
        #[arg(long)]
        long: bool,
        /// Make inputs that break a target smaller and keep them in fuzz/regressions
        #[arg(long)]
        keep: bool,
        /// Run one input, and say what happens
        #[arg(long, value_name = "FILE")]
        replay: Option<PathBuf>,
        /// Name the targets
        #[arg(long)]
        list: bool,
    },
    /// Fetch the pinned packages that bench and accuracy use
    ///
    /// They come through pip, npm, cargo and apt as these are configured, into target/corpora or the directory that LORE_CORPORA
    /// names. What is there already is not fetched again.
    Corpora {
        /// Only this language (repeatable) [default: all]
        #[arg(long, value_name = "NAME")]
        language: Vec<String>,
    },
    /// Run a program, and kill it with all that it started when it does not end in time
    #[command(hide = true)]
    Within {
        /// How long it may take, in seconds
        seconds: u64,
        /// The program
        program: PathBuf,
        /// What it is told
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
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
    /// Ask and export the dataset of a tree that is indexed, and do the same with another store
    #[command(hide = true)]
    Ccg {
        /// The tree
        tree: PathBuf,
        /// Where it is indexed
        cache: PathBuf,
    },
    /// Ask a knowledge manifest many times
    #[command(hide = true)]
    Kcp {
        /// The directory of the manifest
        directory: PathBuf,
    },
    /// Judge a body several times
    #[command(hide = true)]
    Ckgp {
        /// Its format
        format: String,
        /// Where it is
        file: PathBuf,
        /// How often
        times: usize,
        /// Make a tree of values and compare that with the schema instead
        #[arg(long)]
        tree: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Check { long } => check::run(check::Options { long }),
        Task::Console {
            long,
            write,
            binary,
            pages,
        } => console_blocks::run(&console_blocks::Options {
            long,
            pages,
            write,
            binary,
        }),
        Task::Fmt { check } => format::run(if check {
            format::Mode::Check
        } else {
            format::Mode::Write
        }),
        Task::Tidy => tidy::run(),
        Task::Generate { check } => {
            if check {
                generate::check()
            } else {
                generate::write()
            }
        }
        Task::Bench {
            against: Some(against),
            binary,
            corpus,
            pairs,
            strict,
            ..
        } => bench::run_against(&bench::AgainstOptions {
            against,
            binary,
            corpora: corpus,
            pairs: pairs.max(1),
            strict,
        }),
        Task::Bench {
            memory: true, strict, ..
        } => bench::run_memory(strict),
        Task::Bench {
            registry: true, strict, ..
        } => bench::run_registry(strict),
        Task::Bench {
            corpus,
            json,
            scale,
            ccg,
            mcp,
            kcp,
            mind,
            ckgp,
            ..
        } => {
            let what = match (scale, ccg, mcp, kcp, mind, ckgp) {
                (true, ..) => bench::What::Scale,
                (_, true, ..) => bench::What::Ccg,
                (_, _, true, ..) => bench::What::Mcp,
                (_, _, _, true, ..) => bench::What::Kcp,
                (.., true, _) => bench::What::Mind,
                (.., true) => bench::What::Ckgp,
                _ => bench::What::Index,
            };
            bench::run(&corpus, json.as_deref(), what)
        }
        Task::Accuracy {
            language,
            calls,
            questions,
            record,
            dev,
            show,
            rebuilt,
        } => accuracy::run(&accuracy::Options {
            languages: language,
            calls,
            questions,
            record,
            build: if dev { disk::Build::Dev } else { disk::Build::Release },
            show,
            rebuilt,
        }),
        Task::CcgOracle { directories } => ccg_oracle::run(&directories),
        Task::McpClients { present } => mcp_clients::run(present),
        Task::CkgpProducers { present } => ckgp_producers::run(present),
        Task::Fuzz {
            minutes,
            target,
            language,
            long,
            keep,
            replay,
            list,
        } => fuzz::run(&fuzz::Options {
            minutes,
            targets: target,
            languages: language,
            long,
            keep,
            replay,
            list,
        }),
        Task::Corpora { language } => corpora::run(&language),
        Task::Ccg { tree, cache } => bench::measure_ccg(&tree, &cache),
        Task::Kcp { directory } => bench::measure_kcp(&directory),
        Task::Ckgp {
            format,
            file,
            times,
            tree,
        } => bench::measure_ckgp(&format, &file, times, tree),
        Task::Within {
            seconds,
            program,
            arguments,
        } => within::run(seconds, &program, &arguments),
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
