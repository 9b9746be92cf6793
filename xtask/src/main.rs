//! `cargo xtask`: the build tasks. The project has no other scripts.
#![expect(
    clippy::disallowed_methods,
    reason = "a build tool works on files and starts processes"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a build tool prints to its user"
)]

mod accuracy;
mod bench;
mod ccg_oracle;
mod check;
mod ckgp_producers;
mod console_blocks;
mod corpora;
mod deny;
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

/// The floor runs on the same allocator as `lore`, to be comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The result of a task, or the reason of a failure as a sentence.
type Outcome<T> = Result<T, String>;

/// Build tasks of Lore: check, generate, measure, fuzz
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
    /// layers in other engines, MCP clients, producers of graphs, packages (licences, bans, sources, advisories).
    Check {
        /// Let the randomised tests run for long (sets LORE_LONG=1), and run the commands of pages that need a package
        #[arg(long)]
        long: bool,
    },
    /// Run the commands in the console blocks of README.md and of docs, and compare what they print
    ///
    /// CONTRIBUTING.md describes how a page chooses the repository that its blocks run in.
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
    /// Format every source, including the folders of the languages, which `cargo fmt` does not see
    Fmt {
        /// Write nothing; fail if a file is not formatted
        #[arg(long)]
        check: bool,
    },
    /// Check the rules that neither the compiler nor clippy checks: crate edges, files of operations, clauses without tests
    Tidy,
    /// Write docs/reference/ from the table of operations, and docs/languages.md from the folders of the languages
    Generate {
        /// Write nothing; fail if a file differs from what would be written
        #[arg(long)]
        check: bool,
    },
    /// Measure whole processes on pinned real packages, compared with budgets and with other programs
    ///
    /// Fetches the packages first. Measures ctags and tokei too if they are in the directory LORE_TOOLS, on PATH or in cargo's bin
    /// directory.
    Bench {
        /// Only this corpus (repeatable) [default: all]
        #[arg(long, value_name = "NAME", value_parser = bench::names())]
        corpus: Vec<String>,
        /// Also write the figures to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Measure one tree that grows from fifty thousand to five million lines, instead of the corpora
        #[arg(long, conflicts_with_all = ["corpus", "json"])]
        scale: bool,
        /// The Code Context Graph: queries, sizes and exports, compared with another store
        #[arg(long, conflicts_with_all = ["json", "scale"])]
        ccg: bool,
        /// The MCP server: time from start to the first answers, and memory
        #[arg(long, conflicts_with_all = ["json", "scale", "ccg"])]
        mcp: bool,
        /// Knowledge manifests: validate and query a large and a small one, and run many queries on the large one
        #[arg(long, conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp"])]
        kcp: bool,
        /// Memory: query and write ten thousand atoms as agents do, while another process writes
        #[arg(long, group = "budgeted", conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp", "mind"])]
        memory: bool,
        /// Compare the release build with another binary by user CPU time, in turns
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
        /// Published graphs: validate a body of fifty megabytes of each format, compared with a JSON tree and its schema
        #[arg(long, conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp", "memory", "mind"])]
        ckgp: bool,
        /// A registry: ingest bodies, repeat visits without changes, render and query a hundred thousand entries
        #[arg(long, group = "budgeted", conflicts_with_all = ["corpus", "json", "scale", "ccg", "mcp", "kcp", "mind", "ckgp"])]
        registry: bool,
    },
    /// Compare lines, definitions and complexity with tokei, ctags and lizard on pinned real packages
    ///
    /// The packages of a language are in language.toml in its folder.
    Accuracy {
        /// Only this language (repeatable) [default: all]
        #[arg(long, value_name = "NAME")]
        language: Vec<String>,
        /// Compare calls instead, on randomly drawn lines that were labelled by hand
        #[arg(long, conflicts_with = "record")]
        calls: bool,
        /// Ask everyday questions about real packages and compare the answers with those that people found by reading
        #[arg(long, conflicts_with_all = ["record", "calls"])]
        questions: bool,
        /// Compare the most important symbols with those that the documentation of real packages names first
        #[arg(long, conflicts_with_all = ["record", "calls", "questions"])]
        importance: bool,
        /// Check that the line of each call and import edge shows the name of its target
        #[arg(long, conflicts_with_all = ["record", "calls", "questions", "importance"])]
        edge_places: bool,
        /// Break functions of Python packages, run their tests, and compare what fails with what `lore impact` selects
        ///
        /// Installs each package with its dependencies into target/impact-NAME. Runs the packages' own tests.
        #[arg(long, conflicts_with_all = ["record", "calls", "questions", "importance"])]
        impact: bool,
        /// Functions to break in each package, with --impact
        #[arg(long, value_name = "N", default_value_t = 14)]
        functions: usize,
        /// Only this package, with --impact, --importance, --oracle or --traced (repeatable) [default: all]
        #[arg(long, value_name = "NAME")]
        package: Vec<String>,
        /// Compare calls with those that a compiler or type checker of this language finds (repeatable)
        ///
        /// Fetches the packages that xtask/oracle/judges.toml names, and the tools from npm and PyPI; Java needs a JDK. Fails if
        /// a figure is worse than in xtask/oracle/baseline.toml.
        #[arg(long, value_name = "LANGUAGE", group = "judged", conflicts_with_all = ["record", "calls", "questions"])]
        oracle: Vec<String>,
        /// Compare calls with those that happen while packages of this language run their own tests (repeatable)
        ///
        /// Runs the tests of the packages that xtask/oracle/traced.toml names.
        #[arg(long, value_name = "LANGUAGE", group = "judged", conflicts_with_all = ["record", "calls", "questions"])]
        traced: Vec<String>,
        /// --oracle and --traced for every language that has one
        #[arg(long, group = "judged", conflicts_with_all = ["record", "calls", "questions"])]
        long: bool,
        /// With --oracle or --traced: show every difference
        #[arg(long, requires = "judged")]
        all: bool,
        /// With --oracle or --traced: keep the figures for later comparisons
        #[arg(long, requires = "judged")]
        update_baseline: bool,
        /// Write the figures to measured.toml in the folder of the language
        #[arg(long)]
        record: bool,
        /// Use the dev build of lore instead of the release build
        #[arg(long)]
        dev: bool,
        /// Differences to show of each kind
        #[arg(long, value_name = "N", default_value_t = 20)]
        show: usize,
        /// This process was built with the features of the languages
        #[arg(long, hide = true)]
        rebuilt: bool,
    },
    /// Export code context graphs and check them with other engines: Oxigraph, rdflib, pyld, jsonschema
    ///
    /// Installs the engines' packages with pip, as configured, into target/ccg-oracle. Without a directory, exports the sample
    /// repository and small pinned packages.
    CcgOracle {
        /// Repositories to export
        #[arg(value_name = "DIR")]
        directories: Vec<PathBuf>,
    },
    /// Test `lore mcp` with real and hostile clients, and run the official conformance suite
    ///
    /// Installs the Python client, the MCP Inspector and the suite with pip and npm, as configured, into target/mcp-clients.
    McpClients {
        /// Install nothing; if something is missing, report that and check nothing
        #[arg(long)]
        present: bool,
    },
    /// Run other producers of graphs on a real package, convert their output, and check it with another validator
    ///
    /// Installs code-review-graph and Repomix with pip and npm, as configured, into target/ckgp-producers. Fetches the package like `corpora`.
    CkgpProducers {
        /// Install and fetch nothing; if something is missing, report that and check nothing
        #[arg(long)]
        present: bool,
    },
    /// Fuzz every parser of foreign bytes, and the extraction of every language
    ///
    /// Runs ten minutes for each format and two for each language by default. Needs a C++ compiler and a Unix system.
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
        /// Minimise inputs that break a target and store them in fuzz/regressions
        #[arg(long)]
        keep: bool,
        /// Run one input and report the result
        #[arg(long, value_name = "FILE")]
        replay: Option<PathBuf>,
        /// List the targets
        #[arg(long)]
        list: bool,
    },
    /// Fetch the pinned packages that bench and accuracy use
    ///
    /// Fetches with pip, npm, cargo and apt, as configured, into target/corpora or the directory LORE_CORPORA. Packages that are
    /// there already are not fetched again.
    Corpora {
        /// Only this language (repeatable) [default: all]
        #[arg(long, value_name = "NAME")]
        language: Vec<String>,
    },
    /// Run a program, and kill it and its child processes if it does not end in time
    #[command(hide = true)]
    Within {
        /// The time limit in seconds
        seconds: u64,
        /// The program
        program: PathBuf,
        /// Its arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Walk, read and parse a tree in parallel and nothing else
    #[command(hide = true)]
    Floor {
        /// The tree
        path: PathBuf,
        /// A file with the paths to parse, one per line [default: every file whose language its path determines]
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
            importance,
            edge_places,
            impact,
            functions,
            package,
            oracle,
            traced,
            long,
            all,
            update_baseline,
            record,
            dev,
            show,
            rebuilt,
        } => accuracy::run(&accuracy::Options {
            languages: language,
            calls,
            questions,
            importance,
            edge_places,
            impact,
            functions,
            oracle: accuracy::OracleOptions {
                languages: oracle,
                traced,
                long,
                packages: package.clone(),
                all,
                update_baseline,
            },
            packages: package,
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
