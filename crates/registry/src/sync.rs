//! Visits many repositories at once and stores the results: leases, workers, and one writer (steps 8 to 10 of a visit; section 8).
//!
//! The coordinator leases due entries, passes them to workers (`worker_pool`) and writes their results in batches. Each
//! worker holds at most one body. The result of a visit and the end of its lease are one write, so a killed process loses no
//! entry and counts no visit twice. It may leave an unreferenced body, which a sweep deletes.

use lore_ckgp::registry_store::bodies::Bodies;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::formats::Formats;
use super::hosts::{Hosts, PER_HOST, WORTH_WAITING};
use super::schedule;
use super::sweep;
use super::visit::{Outcome, Rules};
use super::worker_pool::{VisitEnd, VisitResult, WorkerPool, lock, seconds, seconds_of, work};
use lore_ckgp::consumer::settings;
use lore_ckgp::fetch::Patience;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Claim, EventKind, Leased, Registry, Wanted, reading, writing};
use lore_seam::{Ctx, OpError};

/// How long a lease holds unless it is renewed, in seconds.
const LEASE: Seconds = 120;
/// How long the coordinator waits for workers before it looks after leases.
const TICK: Duration = Duration::from_secs(1);
/// Seconds between two renewals.
const RENEWAL: Seconds = 30;
/// Ends of visits that are written at once.
const BATCH: usize = 64;
/// Days that visits are remembered.
const VISIT_DAYS: i64 = 90;
/// Seconds for which it is remembered that a host was left alone, so that it is tried by one visit first.
const ON_TRIAL: Seconds = 3_600;
/// Withdrawals at a host at which no record was found that are too many to be believed.
const MANY_WITHDRAWN: usize = 5;
/// Errors of visits that are reported.
const MOST_TOLD: usize = 20;

/// What to visit, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// These alone; if there are none, what is due.
    pub only: Vec<RepositoryId>,
    /// Everything, due or not.
    pub all: bool,
    /// Visits at once.
    pub workers: usize,
    /// How often forges may be asked to count commits.
    pub counts: u32,
    /// A directory of clones in which they are counted first.
    pub clones: Option<String>,
    /// Nothing is written.
    pub dry_run: bool,
    /// Sweep at the end, even if the last sweep was less than a day ago.
    pub sweep: bool,
}

/// The result of a run
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Number of visited repositories
    pub visited: u64,
    /// How many repositories have each status now
    pub by_status: BTreeMap<String, u64>,
    /// Number of visits that found a change
    pub changed: u64,
    /// Number of repositories that were postponed because of their host
    pub postponed: u64,
    /// Number of visits that another run took over before they ended
    pub lost: u64,
    /// Number of requests
    pub requests: u64,
    /// Received bytes of bodies
    pub bytes: u64,
    /// Number of deleted unreferenced bodies, if any were deleted or --sweep was given
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swept: Option<u64>,
    /// Hosts that are not contacted, and until when
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub delayed_hosts: BTreeMap<String, String>,
    /// Those of these hosts that did not answer
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub silent_hosts: BTreeSet<String>,
    /// Hosts on which all records disappeared at once, and how many. None of these repositories counts as withdrawn
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub doubted_hosts: BTreeMap<String, u64>,
    /// Some of the repositories that are not ok, with their errors
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<SyncError>,
    /// When the next visit is due
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_due: Option<String>,
    /// Repositories whose visits never end
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stuck: Vec<String>,
    /// Whether nothing was written
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Whether the run was stopped before its end
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// The error of a repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct SyncError {
    /// The repository
    pub id: String,
    /// Its status
    pub status: String,
    /// The errors
    pub error: String,
}

/// By what the registry of this place visits.
pub fn rules(ctx: &Ctx) -> Result<Rules, OpError> {
    let rows = reading(ctx.port::<dyn Registry>(), |store| store.formats())?;
    Ok(Rules {
        sources: settings::sources(ctx, &[])?,
        formats: Formats::of(rows)?,
        patience: Patience::REGISTRY,
    })
}

/// Visits what is wanted, until there is nothing more.
pub fn sync(ctx: &Ctx, options: &Options) -> Result<Summary, OpError> {
    sync_again(ctx, options, &Mutex::default())
}

/// Runs a sync with the hosts' states from previous rounds.
pub fn sync_again(ctx: &Ctx, options: &Options, hosts: &Mutex<Hosts>) -> Result<Summary, OpError> {
    let rules = rules(ctx)?;
    let pool = WorkerPool::new(ctx, &rules, hosts, options);
    if options.dry_run {
        return rehearse(&pool, options);
    }
    let (to_workers, tasks) = channel::<Leased>();
    let (to_coordinator, results) = channel::<VisitResult>();
    let tasks = Mutex::new(tasks);
    let mut coordinator = Coordinator::begin(ctx, options)?;
    let run = std::thread::scope(|scope| {
        for _ in 0..options.workers {
            let sender = to_coordinator.clone();
            let (pool, tasks) = (&pool, &tasks);
            scope.spawn(move || work(pool, tasks, &sender));
        }
        drop(to_coordinator);
        let run = coordinator.run(&pool, &to_workers, &results);
        // Workers end when nobody can give them anything any more.
        drop(to_workers);
        let rest: Vec<VisitResult> = results.iter().collect();
        let written = coordinator.take(&pool, rest);
        run.and(written).and_then(|()| coordinator.settle(&rules))
    });
    match run {
        Ok(()) => coordinator.end(),
        Err(error) => Err(coordinator.give_up(error)),
    }
}

/// The time since which a round over everything visits. Times are whole seconds: what was visited in this one may have been so before anybody asked, and then the round begins with the next.
fn begin_round(ctx: &Ctx, worker: &str) -> Result<Seconds, OpError> {
    let clock = &ctx.ports.clock;
    let now_ms = clock.now_ms();
    let last = reading(registry(ctx), |store| store.last_visit())?;
    if last == Some(seconds(now_ms)) {
        clock.wait(Duration::from_millis(1_000 - now_ms % 1_000), &ctx.cancel);
    }
    let now = seconds(clock.now_ms());
    writing(registry(ctx), |store| store.join_round(worker, now, now + LEASE))
}

/// Leases, hands out and writes.
struct Coordinator<'c> {
    ctx: &'c Ctx,
    options: &'c Options,
    worker: String,
    /// Since when, if all are visited and not what is due.
    since: Option<Seconds>,
    /// Those of the named ones that were not visited yet.
    remaining: Vec<RepositoryId>,
    /// Those that have to be visited once more, because a body was gone at the end of the visit.
    again: Vec<RepositoryId>,
    /// The keys of those that were visited once more.
    repeated: BTreeSet<String>,
    /// Hosts at which a record was found.
    well: BTreeSet<String>,
    /// Withdrawals that wait for the end of the run, with their hosts.
    withdrawn: Vec<(String, Box<Outcome>)>,
    queue: VecDeque<Leased>,
    at_work: usize,
    renewed: Seconds,
    /// Repositories that were handed out, by the host that is asked first.
    busy: BTreeMap<String, usize>,
    hosts_of: BTreeMap<String, String>,
    summary: Summary,
}

impl<'c> Coordinator<'c> {
    fn begin(ctx: &'c Ctx, options: &'c Options) -> Result<Self, OpError> {
        let worker = ctx.ports.ids.fresh();
        let since = if options.all {
            Some(begin_round(ctx, &worker)?)
        } else {
            None
        };
        let now = seconds(ctx.ports.clock.now_ms());
        Ok(Self {
            ctx,
            options,
            worker,
            since,
            remaining: options.only.clone(),
            again: Vec::new(),
            repeated: BTreeSet::new(),
            well: BTreeSet::new(),
            withdrawn: Vec::new(),
            queue: VecDeque::new(),
            at_work: 0,
            renewed: now,
            busy: BTreeMap::new(),
            hosts_of: BTreeMap::new(),
            summary: Summary::default(),
        })
    }

    fn now(&self) -> Seconds {
        seconds(self.ctx.ports.clock.now_ms())
    }

    fn run(
        &mut self,
        pool: &WorkerPool<'_>,
        workers: &Sender<Leased>,
        results: &Receiver<VisitResult>,
    ) -> Result<(), OpError> {
        self.ctx.progress.begin("visiting", 0);
        let now = self.now();
        for (host, until) in reading(registry(self.ctx), |store| store.delayed_hosts(now - ON_TRIAL))? {
            let until = u64::try_from(until).unwrap_or(0).saturating_mul(1_000);
            lock(pool.hosts).learn(&host, until);
        }
        let mut is_exhausted = false;
        loop {
            if self.ctx.cancel.is_cancelled() {
                self.summary.stopped = true;
                return Ok(());
            }
            if !is_exhausted && self.queue.len() < self.options.workers {
                is_exhausted = self.claim(pool)? == 0;
            }
            self.hand_out(pool, workers);
            if self.at_work == 0 {
                match self.queue.is_empty() && is_exhausted {
                    true => return Ok(()),
                    // Only hosts that are to be left alone for a moment are left.
                    false if !self.queue.is_empty() => {
                        self.ctx.ports.clock.wait(Duration::from_millis(100), &self.ctx.cancel);
                        continue;
                    }
                    false => continue,
                }
            }
            let mut brought = Vec::new();
            match results.recv_timeout(TICK) {
                Ok(first) => brought.push(first),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            brought.extend(results.try_iter().take(BATCH));
            // What one host held up may be had now.
            is_exhausted &= brought.is_empty();
            self.take(pool, brought)?;
            self.renew()?;
        }
    }

    /// Leases what is to be visited next; how much it was.
    fn claim(&mut self, pool: &WorkerPool<'_>) -> Result<usize, OpError> {
        let now = self.now();
        let hosts = lock(pool.hosts);
        let full = self.busy.iter().filter(|(host, count)| {
            if hosts.is_on_trial(host) {
                **count > 0
            } else {
                **count >= PER_HOST * 2
            }
        });
        let mut without: Vec<String> = full.map(|(host, _)| host.clone()).collect();
        drop(hosts);
        let delayed = lock(&pool.delayed);
        without.extend(delayed.keys().cloned());
        drop(delayed);
        let again = std::mem::take(&mut self.again);
        let wanted = match self.since {
            _ if !again.is_empty() => Wanted::These(&again, Seconds::MAX),
            Some(since) => Wanted::NotVisitedSince(since),
            None if self.options.only.is_empty() => Wanted::Due,
            None if self.remaining.is_empty() => return Ok(0),
            // Whenever they were visited before: each is asked for once.
            None => Wanted::These(&self.remaining, Seconds::MAX),
        };
        let claim = Claim {
            worker: &self.worker,
            now,
            until: now + LEASE,
            most: self.options.workers.saturating_mul(2).max(8),
            wanted,
            without: &without,
        };
        let leased = writing(registry(self.ctx), |store| store.claim(&claim))?;
        let count = leased.len();
        if count == 0 && !again.is_empty() {
            // Somebody else has them, or their host is to be left alone; they are due.
            return self.claim(pool);
        }
        let is_leased = |of: &RepositoryId| leased.iter().any(|leased| leased.entry.repository == *of);
        self.again = again.into_iter().filter(|of| !is_leased(of)).collect();
        for leased in leased {
            *self.busy.entry(leased.host.clone()).or_default() += 1;
            self.remaining
                .retain(|repository| *repository != leased.entry.repository);
            self.hosts_of.insert(leased.entry.repository.key(), leased.host.clone());
            self.queue.push_back(leased);
        }
        Ok(count)
    }

    /// Hands out what waits; what belongs to a host that is to be left alone for long is given back.
    fn hand_out(&mut self, pool: &WorkerPool<'_>, workers: &Sender<Leased>) {
        let now_ms = self.ctx.ports.clock.now_ms();
        for _ in 0..self.queue.len() {
            if self.at_work >= self.options.workers {
                return;
            }
            let Some(leased) = self.queue.pop_front() else {
                return;
            };
            let hosts = lock(pool.hosts);
            let (delay, is_on_trial) = (hosts.delay(&leased.host, now_ms), hosts.is_on_trial(&leased.host));
            drop(hosts);
            let tasks = self.tasks_at(&leased.host);
            if delay > WORTH_WAITING {
                self.summary.postponed += 1;
                self.give_back(&leased.entry.repository, self.now() + seconds_of(delay));
            } else if is_on_trial && tasks > 0 {
                // It is had again when the one that is at work found an answer.
                if !self.options.only.is_empty() {
                    self.remaining.push(leased.entry.repository.clone());
                }
                self.give_back(&leased.entry.repository, leased.due);
            } else if tasks >= PER_HOST {
                self.queue.push_back(leased);
            } else if workers.send(leased).is_ok() {
                self.at_work += 1;
            }
        }
    }

    /// How many of a host are at work.
    fn tasks_at(&self, host: &str) -> usize {
        let waiting = self.queue.iter().filter(|leased| leased.host == host).count();
        // The one that is looked at is not in the queue, and not at work either.
        self.busy.get(host).copied().unwrap_or(0).saturating_sub(waiting + 1)
    }

    /// Counts a repository as done with; its host.
    fn let_go(&mut self, repository: &RepositoryId) -> String {
        let host = self.hosts_of.remove(&repository.key()).unwrap_or_default();
        if let Some(count) = self.busy.get_mut(&host) {
            *count = count.saturating_sub(1);
        }
        host
    }

    fn give_back(&mut self, repository: &RepositoryId, due: Seconds) {
        self.let_go(repository);
        // A lease that cannot be given back ends by itself.
        let _ = writing(registry(self.ctx), |store| {
            store.give_back(&self.worker, repository, due)
        });
    }

    /// Writes what workers brought.
    fn take(&mut self, pool: &WorkerPool<'_>, brought: Vec<VisitResult>) -> Result<(), OpError> {
        let mut outcomes = Vec::new();
        let mut failure = None;
        for one in brought {
            self.at_work = self.at_work.saturating_sub(1);
            match one {
                VisitResult::Visited(outcome) => {
                    let host = self.let_go(&outcome.entry.repository);
                    if self.is_doubtful(&outcome, &host) {
                        self.withdrawn.push((host, outcome))
                    } else {
                        outcomes.push(outcome)
                    }
                }
                VisitResult::Left(repository, due) => self.give_back(&repository, due),
                VisitResult::Postponed(repository, due) => {
                    self.summary.postponed += 1;
                    self.give_back(&repository, due);
                }
                VisitResult::Failed(repository, due, error) => {
                    self.give_back(&repository, due);
                    failure.get_or_insert(error);
                }
            }
        }
        let delayed = std::mem::take(&mut *lock(&pool.delayed));
        if !outcomes.is_empty() || !delayed.is_empty() {
            self.write(pool.rules, &outcomes, &delayed)?;
        }
        for (host, until) in delayed {
            let until = lore_base::time::date_time(seconds(until));
            self.summary.delayed_hosts.insert(host, until);
        }
        self.summary.silent_hosts.append(&mut lock(&pool.silent));
        match failure {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Whether a withdrawal waits for the end of the run: nothing that was found at its host so far says that the host is well.
    fn is_doubtful(&mut self, outcome: &Outcome, host: &str) -> bool {
        let record = &outcome.entry.record;
        if record.url.is_some() && record.misses == 0 && record.fault.is_none() {
            self.well.insert(host.to_owned());
        }
        let is_withdrawn = outcome.event == Some(EventKind::Revoked);
        is_withdrawn && !self.well.contains(host)
    }

    /// Writes the withdrawals that waited. Where many records are gone at one host and none was found, the host is doubted and not its producers: those stay as they are.
    fn settle(&mut self, rules: &Rules) -> Result<(), OpError> {
        let mut by_host: BTreeMap<String, Vec<Box<Outcome>>> = BTreeMap::new();
        for (host, outcome) in std::mem::take(&mut self.withdrawn) {
            by_host.entry(host).or_default().push(outcome);
        }
        let due = self.now() + i64::from(schedule::SHORTEST);
        for (host, outcomes) in by_host {
            if outcomes.len() < MANY_WITHDRAWN || self.well.contains(&host) {
                self.write(rules, &outcomes, &BTreeMap::new())?;
                continue;
            }
            for outcome in &outcomes {
                self.give_back(&outcome.entry.repository, due);
            }
            self.summary.doubted_hosts.insert(host, outcomes.len() as u64);
        }
        Ok(())
    }

    /// Writes the ends of visits, all of them in one step.
    fn write(
        &mut self,
        rules: &Rules,
        outcomes: &[Box<Outcome>],
        delayed: &BTreeMap<String, u64>,
    ) -> Result<(), OpError> {
        let (worker, repeated, bodies) = (&self.worker, &self.repeated, self.ctx.port::<dyn Bodies>());
        let now = self.now();
        let (kept, again) = writing(registry(self.ctx), |store| {
            for (host, until) in delayed {
                store.delay_host(host, seconds(*until))?;
            }
            let mut kept = Vec::with_capacity(outcomes.len());
            let mut again = Vec::new();
            for outcome in outcomes {
                let repository = &outcome.entry.repository;
                // Another entry that had the same body may have been taken back meanwhile.
                let is_whole = outcome.held.iter().all(|digest| bodies.has(digest));
                let due = if is_whole || repeated.contains(&repository.key()) {
                    outcome.due
                } else {
                    Some(now)
                };
                let is_kept = store.finish(worker, &outcome.entry, &outcome.visit, due)?;
                kept.push(is_kept);
                if !is_kept {
                    continue;
                }
                if due != outcome.due {
                    again.push(repository.clone());
                }
                for (format, text) in &outcome.texts {
                    store.set_text(repository, format, text.as_ref())?;
                }
                if let Some(terms) = &outcome.terms {
                    store.set_terms(repository, terms)?;
                }
                if let Some(kind) = outcome.event {
                    store.add_event(outcome.visit.at, repository, kind, Some(outcome.entry.status()))?;
                }
                if let Some(successor) = &outcome.successor
                    && store.entry(successor)?.is_none()
                {
                    let mut entry = Entry::new(successor.clone(), None, outcome.visit.at);
                    entry.description.clone_from(&outcome.entry.description);
                    entry.tags.clone_from(&outcome.entry.tags);
                    store.put(&entry, &rules.first_host(&entry), Some(outcome.visit.at))?;
                    store.add_event(outcome.visit.at, successor, EventKind::Added, Some(Status::Pending))?;
                }
            }
            Ok((kept, again))
        })?;
        self.repeated.extend(again.iter().map(RepositoryId::key));
        self.again.extend(again);
        // Of a visit that was lost nothing stays: its entry may have been taken back meanwhile.
        let unneeded = outcomes.iter().zip(&kept).flat_map(|(outcome, is_kept)| match is_kept {
            true => &outcome.withdrawn,
            false => &outcome.held,
        });
        let unneeded: Vec<String> = unneeded.cloned().collect();
        // A body that stays takes room, and is never given to anybody: no entry refers to it, and a sweep finds it.
        let _ = sweep::drop_unheld(self.ctx, &unneeded);
        for (outcome, is_kept) in outcomes.iter().zip(kept) {
            if is_kept {
                count(&mut self.summary, outcome)
            } else {
                self.summary.lost += 1
            }
        }
        self.ctx.progress.advance(outcomes.len() as u64);
        Ok(())
    }

    fn renew(&mut self) -> Result<(), OpError> {
        let now = self.now();
        if now - self.renewed < RENEWAL {
            return Ok(());
        }
        self.renewed = now;
        let is_round = self.options.all;
        writing(registry(self.ctx), |store| {
            store.renew(&self.worker, now + LEASE)?;
            if is_round {
                store.join_round(&self.worker, now, now + LEASE).map(|_| ())
            } else {
                Ok(())
            }
        })
    }

    /// Gives back what was not visited, and leaves the round.
    fn let_go_of_all(&mut self) -> Result<(), OpError> {
        let now = self.now();
        let left: Vec<Leased> = self.queue.drain(..).collect();
        let (worker, is_round) = (&self.worker, self.options.all);
        writing(registry(self.ctx), |store| {
            for leased in &left {
                store.give_back(worker, &leased.entry.repository, leased.due)?;
            }
            if is_round {
                store.join_round(worker, now, now - 1).map(|_| ())
            } else {
                Ok(())
            }
        })
    }

    /// Ends a run that cannot go on, for a reason.
    fn give_up(mut self, error: OpError) -> OpError {
        // Leases that cannot be given back end by themselves.
        let _ = self.let_go_of_all();
        let written = match self.summary.visited {
            0 => "nothing was visited".to_owned(),
            1 => "1 visit is written".to_owned(),
            visited => format!("{visited} visits are written"),
        };
        error.hint(format!(
            "{written}; the other repositories stay due: run the command again when the problem is fixed"
        ))
    }

    /// Gives back the leases of entries that were not visited, and sweeps.
    fn end(mut self) -> Result<Summary, OpError> {
        let now = self.now();
        self.let_go_of_all()?;
        writing(registry(self.ctx), |store| {
            store.forget_visits(now - VISIT_DAYS * 86_400).map(|_| ())
        })?;
        self.sweep(now)?;
        let (next_due, stuck, delayed) = reading(registry(self.ctx), |store| {
            Ok((store.next_due()?, store.stuck()?, store.delayed_hosts(now)?))
        })?;
        // What is due already waits for its host.
        let free = delayed.iter().map(|(_, until)| *until).min();
        let next_due = next_due.map(|due| if due <= now { free.unwrap_or(due) } else { due });
        self.summary.next_due = next_due.map(lore_base::time::date_time);
        self.summary.stuck = stuck;
        for (host, until) in delayed {
            self.summary
                .delayed_hosts
                .insert(host, lore_base::time::date_time(until));
        }
        Ok(self.summary)
    }
}

impl Coordinator<'_> {
    /// Deletes unreferenced bodies, once a day or on request.
    fn sweep(&mut self, now: Seconds) -> Result<(), OpError> {
        if self.options.sweep {
            self.summary.swept = Some(sweep::sweep(self.ctx, now)?);
            // A cancelled sweep has not looked at all bodies.
            self.summary.stopped |= self.ctx.cancel.is_cancelled();
        } else if !self.summary.stopped && sweep::is_due(self.ctx, now)? {
            // The visits are written, whatever becomes of this.
            match sweep::sweep(self.ctx, now) {
                Ok(swept) => self.summary.swept = Some(swept).filter(|swept| *swept > 0),
                Err(error) => {
                    let message = format!("cannot look for unreferenced bodies: {error}");
                    self.ctx.progress.note(&message);
                }
            }
        }
        Ok(())
    }
}

/// Visits one after the other and writes nothing.
fn rehearse(pool: &WorkerPool<'_>, options: &Options) -> Result<Summary, OpError> {
    let ctx = pool.ctx;
    let mut summary = Summary {
        dry_run: true,
        ..Summary::default()
    };
    let mut entries = Vec::new();
    for repository in &options.only {
        let entry = reading(registry(ctx), |store| store.entry(repository))?;
        entries.push(entry.ok_or_else(|| lore_ckgp::registry_store::store::unregistered(repository))?);
    }
    if options.only.is_empty() {
        reading(registry(ctx), |store| {
            entries.clear();
            store.each(&mut |entry| {
                entries.push(entry);
                Ok(())
            })
        })?;
        entries.retain(|entry| options.all || is_due(entry, seconds(ctx.ports.clock.now_ms())));
    }
    ctx.progress.begin("visiting", entries.len() as u64);
    for entry in entries {
        match pool.to_its_end(&entry, |entry| pool.rehearsed(entry))? {
            VisitEnd::Visited(outcome) => count(&mut summary, &outcome),
            VisitEnd::LeftAlone(_) => summary.postponed += 1,
            VisitEnd::Stopped => {
                summary.stopped = true;
                return Ok(summary);
            }
        }
        ctx.progress.advance(1);
    }
    Ok(summary)
}

/// Whether an entry would be visited now, as far as the entry tells.
fn is_due(entry: &Entry, now: Seconds) -> bool {
    !entry.is_at_rest()
        && entry
            .visited_at
            .is_none_or(|visited| visited + i64::from(entry.interval) <= now)
}

fn count(summary: &mut Summary, outcome: &Outcome) {
    let status = outcome.entry.status();
    summary.visited += 1;
    *summary.by_status.entry(status.word().to_owned()).or_default() += 1;
    summary.changed += u64::from(outcome.event.is_some());
    summary.requests += u64::from(outcome.visit.requests);
    summary.bytes += outcome.visit.bytes;
    if let Some(error) = &outcome.visit.error
        && summary.errors.len() < MOST_TOLD
    {
        summary.errors.push(SyncError {
            id: outcome.entry.repository.to_string(),
            status: status.word().to_owned(),
            error: error.clone(),
        });
    }
}

fn registry(ctx: &Ctx) -> &dyn Registry {
    ctx.port::<dyn Registry>()
}

#[cfg(test)]
#[path = "sync_tests.rs"]
mod tests;
