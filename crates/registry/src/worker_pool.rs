//! The workers of a sync: one visit after the other, within the rate limits of hosts (steps 8 and 9 of a visit).

use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::clones::Clones;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::hosts::{Hosts, WORTH_WAITING, is_answer};
use super::sync::Options;
use super::visit::{Machine, Outcome, Rules, Step, broken};
use lore_ckgp::consumer::drive;
use lore_ckgp::consumer::machine::Ask;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::Commit;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::local_repositories::{LocalFault, LocalRepositories};
use lore_ckgp::registry_store::store::Leased;
use lore_seam::{Ctx, Deadline, OpError, RetryAfter, WebFault, WebReply};

/// What workers share.
pub(super) struct WorkerPool<'c> {
    pub(super) ctx: &'c Ctx,
    pub(super) rules: &'c Rules,
    pub(super) hosts: &'c Mutex<Hosts>,
    freed: Condvar,
    counts: Mutex<u32>,
    clones: Option<&'c str>,
    own: Option<RepositoryId>,
    /// Hosts that are to be left alone for long, and were not written down yet.
    pub(super) delayed: Mutex<BTreeMap<String, u64>>,
    /// Hosts that are to be left alone because they did not answer.
    pub(super) silent: Mutex<BTreeSet<String>>,
}

/// What a visit has to do with the host that it asks first.
struct Contact<'h> {
    host: &'h str,
    is_asked: bool,
    is_answered: bool,
}

impl<'h> Contact<'h> {
    fn with(host: &'h str) -> Self {
        Self {
            host,
            is_asked: false,
            is_answered: false,
        }
    }

    fn take(&mut self, host: &str, reply: &Result<WebReply, WebFault>) {
        if let Some(is_answered) = is_answer(reply).filter(|_| host == self.host) {
            self.is_asked = true;
            self.is_answered |= is_answered;
        }
    }
}

/// How a visit ended.
pub(super) enum VisitEnd {
    /// With what it found.
    Visited(Box<Outcome>),
    /// Because it was asked to stop.
    Stopped,
    /// Because its host is to be left alone for so long, before it was asked.
    LeftAlone(Duration),
}

/// What a worker brings back.
pub(super) enum VisitResult {
    /// A visit that came to its end.
    Visited(Box<Outcome>),
    /// A repository that was not visited, and when it was due.
    Left(RepositoryId, Seconds),
    /// A repository that was not visited because of its host, and when it is due.
    Postponed(RepositoryId, Seconds),
    /// What was fetched could not be kept, for a repository that was due at a time.
    Failed(RepositoryId, Seconds, OpError),
}

impl<'c> WorkerPool<'c> {
    pub(super) fn new(ctx: &'c Ctx, rules: &'c Rules, hosts: &'c Mutex<Hosts>, options: &'c Options) -> Self {
        let own = ctx
            .ports
            .code
            .remote()
            .and_then(|remote| RepositoryId::parse(&remote).ok());
        Self {
            ctx,
            rules,
            hosts,
            freed: Condvar::new(),
            counts: Mutex::new(options.counts),
            clones: options.clones.as_deref(),
            own,
            delayed: Mutex::default(),
            silent: Mutex::default(),
        }
    }

    fn now_ms(&self) -> u64 {
        self.ctx.ports.clock.now_ms()
    }

    /// Runs a visit to its end. A panic counts as an error of this entry alone, so that the other visits continue.
    pub(super) fn to_its_end(
        &self,
        entry: &Entry,
        visit: impl FnOnce(Entry) -> Result<VisitEnd, OpError>,
    ) -> Result<VisitEnd, OpError> {
        // What is shared is whole between two steps: places are given back, and numbers are changed in one step.
        let visit = AssertUnwindSafe(|| visit(entry.clone()));
        catch_unwind(visit).unwrap_or_else(|_| {
            let now = seconds(self.now_ms());
            let outcome = broken(self.rules, entry.clone(), now, drive::seed(self.ctx));
            Ok(VisitEnd::Visited(Box::new(outcome)))
        })
    }

    /// Visits an entry, whose first host is so.
    fn visit(&self, entry: Entry, host: &str) -> Result<VisitEnd, OpError> {
        let mut contact = Contact::with(host);
        let began_ms = self.now_ms();
        let bodies = self.ctx.port::<dyn Bodies>();
        let held = entry.held().filter(|digest| bodies.has(digest)).map(str::to_owned);
        let held: BTreeSet<String> = held.collect();
        let seed = drive::seed(self.ctx);
        let mut machine = Machine::new(self.rules, entry, held, seconds(self.now_ms()), seed);
        loop {
            if self.ctx.cancel.is_cancelled() {
                return Ok(VisitEnd::Stopped);
            }
            match machine.step() {
                Step::Done => {
                    if contact.is_asked && !contact.is_answered {
                        self.note_silence(host, began_ms);
                    }
                    return Ok(VisitEnd::Visited(Box::new(machine.finish())));
                }
                Step::Wait(time) => {
                    self.ctx.ports.clock.wait(time, &self.ctx.cancel);
                }
                Step::Read {
                    directory,
                    paths,
                    max_bytes,
                } => {
                    machine.feed_file(self.read(&directory, &paths, max_bytes));
                    if let Some((digest, body)) = machine.take_body() {
                        bodies.put(&digest, &body)?;
                    }
                }
                Step::Tip(directory) => machine.feed_tip(self.local().tip(&directory)),
                Step::Count { base, tip } => {
                    let count = self.count(&machine, &base, &tip);
                    let may_ask = count.is_none() && !machine.repository().is_local() && self.takes_count();
                    machine.feed_count(count, may_ask);
                }
                Step::Ask(ask) => {
                    let begin = || machine.deadline(self.ctx.ports.web.as_ref());
                    let reply = match self.ask(&ask, begin, &mut contact) {
                        Ok(reply) => reply,
                        // Nothing is known of the repository that was not known before.
                        Err(delay) if !contact.is_asked && ask.address.host() == host => {
                            return Ok(VisitEnd::LeftAlone(delay));
                        }
                        Err(delay) => self.left_alone(ask.address.host(), delay),
                    };
                    machine.feed(reply, self.now_ms());
                    if let Some((digest, body)) = machine.take_body() {
                        bodies.put(&digest, &body)?;
                    }
                }
            }
        }
    }

    /// A visit of which nothing is kept.
    pub(super) fn rehearsed(&self, entry: Entry) -> Result<VisitEnd, OpError> {
        let held: BTreeSet<String> = entry.held().map(str::to_owned).collect();
        let mut contact = Contact::with("");
        let seed = drive::seed(self.ctx);
        let mut machine = Machine::new(self.rules, entry, held, seconds(self.now_ms()), seed);
        loop {
            match machine.step() {
                _ if self.ctx.cancel.is_cancelled() => return Ok(VisitEnd::Stopped),
                Step::Done => return Ok(VisitEnd::Visited(Box::new(machine.finish()))),
                Step::Wait(time) => drop(self.ctx.ports.clock.wait(time, &self.ctx.cancel)),
                Step::Read {
                    directory,
                    paths,
                    max_bytes,
                } => {
                    machine.feed_file(self.read(&directory, &paths, max_bytes));
                    drop(machine.take_body());
                }
                Step::Tip(directory) => machine.feed_tip(self.local().tip(&directory)),
                Step::Count { base, tip } => {
                    let count = self.count(&machine, &base, &tip);
                    machine.feed_count(count, false);
                }
                Step::Ask(ask) => {
                    let begin = || machine.deadline(self.ctx.ports.web.as_ref());
                    let reply = self.ask(&ask, begin, &mut contact);
                    let reply = reply.unwrap_or_else(|delay| self.left_alone(ask.address.host(), delay));
                    machine.feed(reply, self.now_ms());
                    drop(machine.take_body());
                }
            }
        }
    }

    /// The number of commits between two, from the current clone or one in the directory of clones.
    fn count(&self, machine: &Machine<'_>, base: &Commit, tip: &Commit) -> Option<u64> {
        if let Some(directory) = machine.directory() {
            return self.local().commits_between(directory, base, tip);
        }
        let repository = machine.repository();
        let ports = &self.ctx.ports;
        let own = self.own.as_ref().filter(|own| **own == *repository);
        let count = own.and_then(|_| ports.code.commits_between(base.as_str(), tip.as_str()));
        count.or_else(|| {
            ports
                .get::<dyn Clones>()
                .commits_between(self.clones?, repository, base, tip)
        })
    }

    fn local(&self) -> &dyn LocalRepositories {
        self.ctx.port::<dyn LocalRepositories>()
    }

    /// The first of some files of a local repository that exists.
    fn read(&self, directory: &str, paths: &[String], max_bytes: u64) -> Result<Option<Vec<u8>>, LocalFault> {
        for path in paths {
            match self.local().read(directory, path, max_bytes) {
                Ok(None) => {}
                found => return found,
            }
        }
        Ok(None)
    }

    /// Takes one request of the budget for commit counts; `false` if it is used up.
    fn takes_count(&self) -> bool {
        let mut counts = lock(&self.counts);
        let is_left = *counts > 0;
        *counts = counts.saturating_sub(1);
        is_left
    }

    /// Makes a request when its host has a free slot. For a host that must not be contacted now, returns how long.
    fn ask(
        &self,
        ask: &Ask,
        begin: impl FnOnce() -> Arc<dyn Deadline>,
        contact: &mut Contact<'_>,
    ) -> Result<Result<WebReply, WebFault>, Duration> {
        let host = ask.address.host();
        let delay = lock(self.hosts).delay(host, self.now_ms());
        if delay > WORTH_WAITING {
            return Err(delay);
        }
        if !delay.is_zero() {
            // Whether it was cancelled is looked at before the next step.
            self.ctx.ports.clock.wait(delay, &self.ctx.cancel);
        }
        let place = HostSlot::at(self, host);
        // Those who were asked meanwhile may have said that it is to be left alone.
        let delay = lock(self.hosts).delay(host, self.now_ms());
        if delay > WORTH_WAITING {
            return Err(delay);
        }
        let reply = drive::request(self.ctx, ask, begin().as_ref());
        contact.take(host, &reply);
        if let Some(until) = lock(self.hosts).note(host, &reply, self.now_ms()) {
            lock(&self.delayed).insert(host.to_owned(), until);
        }
        drop(place);
        Ok(reply)
    }

    /// The substitute reply of a host that is not contacted in the middle of a visit.
    fn left_alone(&self, host: &str, delay: Duration) -> Result<WebReply, WebFault> {
        if lock(self.hosts).is_silent(host) {
            let why = "it did not answer other requests and is not contacted";
            return Err(WebFault::Connect(why.into()));
        }
        let seconds = delay.as_secs().max(WORTH_WAITING.as_secs() + 1);
        Ok(WebReply {
            status: 429,
            retry_after: Some(RetryAfter::Seconds(seconds)),
            ..WebReply::default()
        })
    }

    /// Takes that a host gave no reply to any request of a visit.
    fn note_silence(&self, host: &str, began_ms: u64) {
        let until = lock(self.hosts).note_silence(host, began_ms, self.now_ms());
        if let Some(until) = until {
            lock(&self.delayed).insert(host.to_owned(), until);
            lock(&self.silent).insert(host.to_owned());
        }
    }
}

/// One of the places at a host; it is given back whatever happens.
struct HostSlot<'c, 'h> {
    pool: &'c WorkerPool<'c>,
    host: &'h str,
}

impl<'c, 'h> HostSlot<'c, 'h> {
    /// Waits until there is one.
    fn at(pool: &'c WorkerPool<'c>, host: &'h str) -> Self {
        let mut hosts = lock(pool.hosts);
        while !hosts.enter(host) {
            hosts = pool.freed.wait(hosts).unwrap_or_else(PoisonError::into_inner);
        }
        Self { pool, host }
    }
}

impl Drop for HostSlot<'_, '_> {
    fn drop(&mut self) {
        lock(self.pool.hosts).leave(self.host);
        self.pool.freed.notify_all();
    }
}

/// What a worker does until there is nothing more.
pub(super) fn work(pool: &WorkerPool<'_>, tasks: &Mutex<Receiver<Leased>>, sender: &Sender<VisitResult>) {
    loop {
        let task = lock(tasks).recv();
        let Ok(leased) = task else {
            return;
        };
        let brought = match pool.to_its_end(&leased.entry, |entry| pool.visit(entry, &leased.host)) {
            Ok(VisitEnd::Visited(outcome)) => VisitResult::Visited(outcome),
            Ok(VisitEnd::Stopped) => VisitResult::Left(leased.entry.repository, leased.due),
            Ok(VisitEnd::LeftAlone(delay)) => {
                let due = seconds(pool.now_ms()).saturating_add(seconds_of(delay));
                VisitResult::Postponed(leased.entry.repository, due)
            }
            Err(error) => VisitResult::Failed(leased.entry.repository, leased.due, error),
        };
        if sender.send(brought).is_err() {
            return;
        }
    }
}

pub(super) fn seconds(milliseconds: u64) -> Seconds {
    i64::try_from(milliseconds / 1_000).unwrap_or(i64::MAX)
}

pub(super) fn seconds_of(time: Duration) -> Seconds {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX).saturating_add(1)
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that died left whole values behind.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
