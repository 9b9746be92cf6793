//! `lore registry sync`: visits the repositories that are due, once or until stopped.

use lore_ckgp::registry_store::clones::Clones;
use lore_ckgp::registry_store::store::Registry;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{about, graph_id};
use crate::sync::{Options, Summary, sync_again};
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::store::reading;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value, Verdict};

/// Concurrent visits: the default and the maximum.
const WORKERS: (usize, usize) = (8, 32);
/// Counts that forges are asked for in a run: what GitHub allows in an hour to those it does not know, and a few less.
const COUNTS: u32 = 50;
/// The longest that a service waits before it looks again.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// Visit the repositories of the registry that are due, and record what changed
///
/// Each visit fetches the repository's record, the bodies that it names and the tip of its default branch, with conditional requests for known documents. If a host does not answer or asks to wait, Lore postpones all of its repositories. Several runs at the same time share the work.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(default)]
#[command(after_help = "Examples:
  lore registry sync                              what is due
  lore registry sync octo/hello                   this one, due or not
  lore registry sync --all --jobs 16              everything
  lore registry sync --watch                      visit what is due, until stopped
  lore registry sync --all --dry-run              visit everything without writing anything
  lore registry sync --clones /srv/clones         count commits in local clones
  lore registry sync --sweep                      what is due, then delete unreferenced bodies

Exit status: 0 the visits are done, whatever they found; 1 a repository is not registered, or there is no registry; 2 the question could not be asked.")]
pub struct RegistrySyncRequest {
    /// Repositories to visit, due or not [default: all that are due]
    #[arg(value_name = "OWNER/REPO")]
    pub ids: Vec<String>,
    /// Visit everything, due or not
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Run until stopped: visit what is due, then wait for the next due visit
    #[arg(long, conflicts_with_all = ["ids", "all", "dry_run"])]
    pub watch: bool,
    /// Concurrent visits, from 1 to 32 [default: 8]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// How many requests to forges for commit counts a run may make [default: 50]
    #[arg(long, value_name = "N")]
    pub counts: Option<u32>,
    /// A directory of clones to count commits in before asking a forge: DIR/host/owner/repo or DIR/owner/repo, with or without .git
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    #[serde(skip)]
    pub clones: Option<String>,
    /// Visit one repository after the other, write nothing, and print the results
    #[arg(long)]
    pub dry_run: bool,
    /// Delete unreferenced bodies at the end; this happens once a day anyway
    #[arg(long, conflicts_with = "dry_run")]
    pub sweep: bool,
}

/// `lore registry sync`.
pub struct RegistrySync;

impl Operation for RegistrySync {
    const NAME: &'static str = "registry_sync";
    const COMMAND: &'static [&'static str] = &["registry", "sync"];
    const ACCESS: Access = Access::Write;
    const ENDS_IN_ORDER: bool = true;
    type Request = RegistrySyncRequest;
    type Answer = Value<Summary>;

    fn run(ctx: &Ctx, request: RegistrySyncRequest) -> Result<Value<Summary>, OpError> {
        reading(ctx.port::<dyn Registry>(), |store| about(store).map(|_| ()))?;
        let only = request
            .ids
            .iter()
            .map(|id| registered(ctx, id))
            .collect::<Result<Vec<_>, _>>()?;
        let clones = request.clones.or_else(|| ctx.ports.settings.value("registry.clones"));
        if let Some(directory) = &clones {
            ctx.port::<dyn Clones>().check(directory)?;
        }
        let mut options = Options {
            only,
            all: request.all,
            workers: request.jobs.unwrap_or(WORKERS.0),
            counts: request.counts.unwrap_or(COUNTS),
            clones,
            dry_run: request.dry_run,
            sweep: request.sweep && !request.dry_run,
        };
        let hosts = Mutex::default();
        let mut summary = sync_again(ctx, &options, &hosts)?;
        options.sweep = false;
        while request.watch && !summary.stopped {
            let now = i64::try_from(ctx.ports.clock.now_ms() / 1_000).unwrap_or(i64::MAX);
            let next = reading(ctx.port::<dyn Registry>(), |store| {
                let next = store.next_due()?;
                // What is due and was not visited waits for its host.
                let hosts = store.delayed_hosts(now)?.into_iter().map(|(_, until)| until);
                Ok(next.map(|next| if next > now { next } else { hosts.min().unwrap_or(next) }))
            })?;
            let wait = next.map_or(LOOK_AGAIN, |next| {
                Duration::from_secs(u64::try_from(next - now).unwrap_or(0))
            });
            let wait = wait.clamp(Duration::from_secs(1), LOOK_AGAIN);
            if !ctx.ports.clock.wait(wait, &ctx.cancel) {
                summary.stopped = true;
                break;
            }
            // A round that fails because of somebody else is tried again; what it was is told.
            match sync_again(ctx, &options, &hosts) {
                Ok(round) => {
                    for error in &round.errors {
                        ctx.progress
                            .note(&format!("{}: {}: {}", error.id, error.status, error.error));
                    }
                    if round.visited > 0 {
                        ctx.progress.note(&told(&round));
                    }
                    summary.add(round);
                }
                Err(error) if error.kind == ErrorKind::Unavailable => ctx.progress.note(&error.message),
                Err(error) => return Err(error),
            }
        }
        Ok(Value {
            value: summary,
            verdict: Verdict::Yes,
        })
    }
}

/// The repository that a text names, if it is registered.
fn registered(ctx: &Ctx, id: &str) -> Result<RepositoryId, OpError> {
    let id = graph_id(ctx, id)?;
    let entry = reading(ctx.port::<dyn Registry>(), |store| store.entry(&id.repository))?;
    let Some(entry) = entry else {
        return Err(lore_ckgp::registry_store::store::unregistered(&id.repository)
            .hint(format!("register it with `lore registry add {}`", id.repository)));
    };
    match (&entry.renamed_to, &entry.revocation) {
        (Some(to), _) => Err(
            OpError::new(ErrorKind::Refused, format!("{} was renamed to {to}", id.repository))
                .hint(format!("`lore registry sync {to}` visits it")),
        ),
        (None, Some(_)) => Err(OpError::new(
            ErrorKind::Refused,
            format!("{} is revoked and not visited", id.repository),
        )),
        (None, None) => Ok(entry.repository),
    }
}

impl Summary {
    /// Adds what another round came to.
    fn add(&mut self, round: Self) {
        self.visited += round.visited;
        for (status, count) in round.by_status {
            *self.by_status.entry(status).or_default() += count;
        }
        self.changed += round.changed;
        self.postponed += round.postponed;
        self.lost += round.lost;
        self.requests += round.requests;
        self.bytes += round.bytes;
        if let Some(swept) = round.swept {
            *self.swept.get_or_insert(0) += swept;
        }
        self.delayed_hosts = round.delayed_hosts;
        self.doubted_hosts = round.doubted_hosts;
        self.silent_hosts = round.silent_hosts;
        self.errors = round.errors;
        self.next_due = round.next_due;
        self.stuck = round.stuck;
        self.stopped |= round.stopped;
    }
}

/// One line.
fn told(summary: &Summary) -> String {
    let statuses: Vec<String> = summary
        .by_status
        .iter()
        .map(|(status, count)| format!("{count} {status}"))
        .collect();
    let would = if summary.dry_run { " (nothing was written)" } else { "" };
    match summary.visited {
        0 => format!("nothing was visited{would}"),
        visited => format!(
            "{visited} visited: {}; {} changed; {} requests, {} bytes{would}",
            statuses.join(", "),
            summary.changed,
            summary.requests,
            summary.bytes
        ),
    }
}

impl Render for Summary {
    fn render(&self, page: &mut Page) {
        for error in &self.errors {
            page.write(format_args!("{}: {}: ", error.id, error.status));
            page.text(&error.error);
            page.line(format_args!(""));
        }
        let listed = self.errors.len() as u64;
        let all: u64 = self
            .by_status
            .iter()
            .filter(|(status, _)| *status != "ok")
            .map(|(_, count)| count)
            .sum();
        if all > listed && listed > 0 {
            page.line(format_args!("and {} more errors", all - listed));
        }
        page.line(format_args!("{}", told(self)));
        match self.swept {
            None => {}
            Some(0) => page.line(format_args!("no unreferenced bodies older than an hour")),
            Some(1) => page.line(format_args!("deleted 1 unreferenced body")),
            Some(swept) => page.line(format_args!("deleted {swept} unreferenced bodies")),
        }
        for (host, until) in &self.delayed_hosts {
            let silent = if self.silent_hosts.contains(host) {
                " does not answer, and"
            } else {
                ""
            };
            page.line(format_args!("{host}{silent} is not contacted until {until}"));
        }
        if self.postponed > 0 {
            page.line(format_args!("postponed {} repositories", self.postponed));
        }
        if self.lost > 0 {
            page.line(format_args!("another run took over {} visits", self.lost));
        }
        for (host, count) in &self.doubted_hosts {
            page.line(format_args!(
                "all {count} records on {host} disappeared at once, so none counts as withdrawn; check the host, or visit a single repository by name"
            ));
        }
        if self.stopped {
            page.line(format_args!("stopped before the end; the other repositories stay due"));
        }
        for id in &self.stuck {
            page.line(format_args!(
                "{id}: its visits never end; see `lore registry show {id}`"
            ));
        }
        if let Some(next) = &self.next_due {
            page.line(format_args!("next visit: {next}"));
        }
    }
}
