//! The binary: arguments, configuration, wiring, printing, exit codes. No logic.
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests make files"))]

mod command;
mod config;
mod graph;
mod log;
mod print;
mod progress;
mod repository_file;
mod restart;
mod secrets;
mod signals;
mod user_file;
mod web;

use std::process::ExitCode;
use std::sync::Arc;

use clap::ArgMatches;
use lore_backends::{
    AuditFile, CachedDirectory, ConfinedFiles, ForeignGraph, KeptGraphs, Named, NoFiles, Repository, RepositoryOptions,
    SystemClock, SystemFiles, SystemWeb, committed_audit_log, named, resolve_root,
};
use lore_ckgp::graphs::{Graphs, NoGraphs};
use lore_kcp::audit_log::AuditLog;
use lore_kcp::mcp::served;
use lore_kcp::uri::slug;
use lore_memory::editor::Editor;
use lore_model::{Cancel, NoProgress, Progress as _};
use lore_seam::{Ctx, ErrorKind, Files, NoCache, OpError, Ports, Toolset};
use lore_serve::McpOptions;

use config::{Config, Environment};

// Indexing allocates from many threads. The system's allocator is half as fast at that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Bytes of stack of each worker, because syntax trees can be deep.
const STACK: usize = 16 << 20;

fn main() -> ExitCode {
    let environment = Environment::read();
    let matches = match command::lore().try_get_matches_from(environment.arguments.clone()) {
        Ok(matches) => matches,
        Err(error) => {
            print::usage(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let is_logged = match log::start(environment.log.as_deref(), matches.get_flag("verbose")) {
        Ok(is_logged) => is_logged,
        Err(error) => {
            print::error(&error, matches.get_flag("json"), false);
            return ExitCode::from(error.kind.exit_code());
        }
    };
    match run(environment, &matches) {
        Ok(code) => code,
        Err(error) => {
            let json = matches.get_flag("json");
            print::error(&error, json, is_logged);
            ExitCode::from(error.kind.exit_code())
        }
    }
}

fn run(environment: Environment, matches: &ArgMatches) -> Result<ExitCode, OpError> {
    let (name, arguments) = matches.subcommand().unwrap_or(("help", matches));
    if name == "completions" {
        command::completions(arguments);
        return Ok(ExitCode::SUCCESS);
    }
    if name == "mcp" {
        restart::with_small_memory(&environment);
    }
    let named = match name {
        "mcp" => arguments.get_one::<String>("path").cloned(),
        _ => None,
    };
    let mut config = Config::load(environment, matches, named)?;
    if name == "mcp" {
        config.unit = command::unit_settings(arguments).into_iter().collect();
    }
    let config = Arc::new(config);
    let threads = config.threads().unwrap_or(0);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build_global()
        .map_err(|error| {
            OpError::new(ErrorKind::Invalid, format!("cannot start {threads} threads: {error}")).because(error)
        })?;
    let ports = ports(&config)?;
    let root = resolve_root(&config.start(), config.root().as_deref()).ok();
    let mut remarks = config.remarks().to_vec();
    remarks.extend(root.as_deref().and_then(committed_audit_log));
    if name == "mcp" {
        if !config.quiet() {
            print::remarks(&remarks);
        }
        // Agents name files of the repository. Standard input carries the protocol.
        let files: Arc<dyn Files> = match ports.code.foreign() {
            Some(_) => Arc::new(NoFiles),
            None => Arc::new(ConfinedFiles::new(&resolve_root(
                &config.start(),
                config.root().as_deref(),
            )?)),
        };
        // The cache has data of other repositories too, so agents cannot remove it.
        let cache = Arc::new(NoCache);
        let ports = Arc::new(Ports { files, cache, ..ports });
        let options = mcp_options(&ports, arguments, config.quiet())?;
        return lore_serve::serve_stdio(ports, options)
            .map(|()| ExitCode::SUCCESS)
            .map_err(|error| OpError::new(ErrorKind::Unavailable, error.to_string()).because(error));
    }
    let ports = Arc::new(Ports {
        facets: ports.facets.with::<dyn Editor>(Arc::new(config.editor())),
        ..ports
    });
    let (entry, arguments) = command::chosen(matches)
        .ok_or_else(|| OpError::new(ErrorKind::Internal, format!("`{name}` is not a command")))?;
    let progress = progress::watch(config.quiet());
    remarks.iter().for_each(|remark| progress.note(remark));
    let ctx = Ctx {
        ports,
        progress: progress.clone(),
        cancel: Arc::new(Cancel::default()),
    };
    if entry.ends_in_order {
        signals::end_in_order(&ctx.cancel);
    }
    ctx.undamaged(|ctx| {
        let answer = entry.run_matches(ctx, arguments);
        progress.finish();
        print::answer(
            answer?,
            &print::Options {
                json: config.json(),
                colour: config.colour(),
                quiet: config.quiet(),
                limit: print::Limit::of(arguments),
            },
        )
    })
}

/// The toolsets and the name of the server. A server with the toolset `unit` alone has the name of the project, and needs a valid manifest.
fn mcp_options(ports: &Arc<Ports>, arguments: &ArgMatches, is_quiet: bool) -> Result<McpOptions, OpError> {
    let mut options = McpOptions {
        toolsets: command::toolsets(arguments),
        ..McpOptions::default()
    };
    if options.toolsets == [Toolset::Unit] {
        let ctx = Ctx {
            ports: Arc::clone(ports),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        };
        let served = served(&ctx)?;
        if !is_quiet && !arguments.get_flag("no_warnings") {
            print::remarks(&served.warnings);
        }
        let (_, manifest) = served.primary();
        let project = manifest.field(&manifest.root.project).unwrap_or_default();
        options.name = format!("kcp-{}", slug(project));
    }
    Ok(options)
}

/// The ports of the named tree or published graph.
#[expect(
    clippy::disallowed_methods,
    reason = "only a directory has links that must not lead out of it"
)]
fn ports(config: &Arc<Config>) -> Result<Ports, OpError> {
    let defaults = Arc::clone(config);
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: config.root(),
        start: config.start(),
        cache: config.cache(),
        user_cache: config.user_cache(),
        cache_limit: config.cache_limit(),
        defaults: Arc::new(move |root| Ok(defaults.index_defaults(root))),
    }));
    // Links inside the repository around the working directory must not lead out of it, even if another repository is queried.
    let files = SystemFiles::new(config.start());
    let files = match resolve_root(&config.start(), None) {
        Ok(root) => files.in_repository(root),
        Err(_) => files,
    };
    let files = match config.root().map(|root| resolve_root(&config.start(), Some(&root))) {
        Some(Ok(root)) if root.is_dir() => files.asking(root),
        _ => files,
    };
    let mut ports = lore_backends::ports(&repository, config.clone(), Arc::new(files), config.db());
    ports.web = Arc::new(SystemWeb::with_own(config.own_hosts()?).within(config.web_deadline()));
    let audit = AuditFile::new(Arc::clone(&repository), config.user_data());
    ports.facets.set::<dyn AuditLog>(Arc::new(audit));
    let graphs = repository
        .graphs()
        .or_else(|| config.graphs_without_cache().map(CachedDirectory::from));
    let kept: Arc<dyn Graphs> = match &graphs {
        Some(directory) => Arc::new(KeptGraphs::new(directory.clone())),
        None => Arc::new(NoGraphs),
    };
    ports.facets.set::<dyn Graphs>(Arc::clone(&kept));
    if let Some(seconds) = config.source_date_epoch() {
        ports.clock = Arc::new(SystemClock::standing_at(seconds));
    }
    let Some(text) = config.named() else {
        return Ok(ports);
    };
    match named(&config.start(), text)? {
        Named::Tree => Ok(ports),
        Named::Foreign(place) => {
            // Snapshots of opened published graphs.
            let opened = graphs.map(|directory| directory.join("opened"));
            let graph = ForeignGraph::new(place, text, kept, opened);
            graph.look(&NoProgress)?;
            Ok(Arc::new(graph).ports(ports))
        }
    }
}
