//! Freshness: questions are answered from an index that was brought up to date after they were asked, or say how old it is.
//!
//! Many requests at once share one look at the tree. A request waits so long for a refresh and no longer: then it is answered from the index as it was,
//! and says so, while the refresh goes on. Where there is no index yet, it is told how far the first one is.
#![expect(
    clippy::disallowed_methods,
    reason = "answers say how long a refresh has been running"
)]

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lore_base::time::date_time;
use lore_model::{Cancel, CodeGraph, NoProgress, Progress};
use lore_seam::{
    Code, ErrorKind, Files, Foreign, GraphScope, Head, History, IndexRequest, IndexSummary, Log, OpError, Origin,
    WithheldFiles,
};

use super::guarded_files::{self, GuardedFiles};
use super::read_only::ReadOnly;

/// How long a request waits before it is answered from an older index.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it waits for the first index; clients give up after a minute.
const FIRST_PATIENCE: Duration = Duration::from_secs(45);
/// How often a waiting request looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);
/// Bytes of stack for a refresh: trees of source can be deep.
const STACK: usize = 16 << 20;

/// Decides what an agent may read. The function receives the code without access rules.
pub(super) trait Guard: Send + Sync {
    /// Whether a file of a tree may be read.
    fn may_read(&self, code: Arc<dyn Code>, scope: &GraphScope, path: &str) -> Result<(), OpError>;

    /// The files of a graph whose texts are withheld, each with what is shown in their place.
    fn withheld(&self, code: Arc<dyn Code>, scope: &GraphScope, graph: &CodeGraph) -> Result<WithheldFiles, OpError>;
}

/// The code of a repository, and the refresh that is under way.
pub(super) struct Fresh {
    code: Arc<dyn Code>,
    state: Mutex<State>,
    changed: Condvar,
    patience: (Duration, Duration),
}

/// What a refresh led to.
type Outcome = Result<Arc<CodeGraph>, OpError>;

#[derive(Default)]
struct State {
    /// How many refreshes began, and how many ended.
    begun: u64,
    ended: u64,
    /// What the last one led to, as long as anybody waits for it: a graph that is held takes memory.
    outcome: Option<Outcome>,
    /// What belongs to the answers from it.
    remarks: Vec<String>,
    waiting: usize,
    began: Option<Instant>,
    phase: String,
    steps: u64,
    done: u64,
    /// Those that wait and watch.
    watchers: Vec<Arc<dyn Progress + Send + Sync>>,
}

impl Fresh {
    pub(super) fn new(code: Arc<dyn Code>) -> Arc<Self> {
        Self::with_patience(code, PATIENCE, FIRST_PATIENCE)
    }

    fn with_patience(code: Arc<dyn Code>, patience: Duration, first: Duration) -> Arc<Self> {
        Arc::new(Self {
            code,
            state: Mutex::default(),
            changed: Condvar::new(),
            patience: (patience, first),
        })
    }

    /// The code and the files, as one request sees them.
    pub(super) fn for_request(
        self: &Arc<Self>,
        guard: Arc<dyn Guard>,
        files: Arc<dyn Files>,
        progress: Arc<dyn Progress + Send + Sync>,
        remarks: Arc<Remarks>,
    ) -> (Arc<dyn Code>, Arc<dyn Files>) {
        let code = Asked {
            fresh: Arc::clone(self),
            guard: Some(guard),
            progress,
            remarks,
        };
        let files = code.guarded_files(files);
        (Arc::new(code), files)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a refresh unless one is under way.
    fn begin(self: &Arc<Self>, state: &mut State) {
        if state.begun > state.ended {
            return;
        }
        state.begun += 1;
        state.began = Some(Instant::now());
        state.remarks.clear();
        let fresh = Arc::clone(self);
        let refresh = move || {
            let mut ending = Ending {
                fresh: &fresh,
                outcome: Err(OpError::new(
                    ErrorKind::Internal,
                    "a defect of Lore ended the search for changed files",
                )),
            };
            let watched = Watched { fresh: &fresh };
            ending.outcome = fresh.code.graph(&GraphScope::default(), &watched, &Cancel::default());
        };
        if let Err(error) = std::thread::Builder::new().stack_size(STACK).spawn(refresh) {
            let message = format!("cannot start a thread that looks for changed files: {error}");
            state.ended = state.begun;
            state.outcome = Some(Err(OpError::new(ErrorKind::Unavailable, message).because(error)));
        }
    }

    fn end(&self, outcome: Result<Arc<CodeGraph>, OpError>) {
        let mut state = self.state();
        state.ended = state.begun;
        state.outcome = (state.waiting > 0).then_some(outcome);
        state.watchers.clear();
        state.phase.clear();
        drop(state);
        self.changed.notify_all();
    }

    /// The graph after a refresh that began no earlier than now; nothing if that takes longer than may be waited.
    fn refreshed(
        self: &Arc<Self>,
        progress: &Arc<dyn Progress + Send + Sync>,
        cancel: &Cancel,
        patience: Duration,
    ) -> Option<(Outcome, Vec<String>)> {
        self.state().waiting += 1;
        let outcome = self.waited(progress, cancel, patience);
        let mut state = self.state();
        state.waiting -= 1;
        if state.waiting == 0 {
            state.outcome = None;
        }
        outcome
    }

    fn waited(
        self: &Arc<Self>,
        progress: &Arc<dyn Progress + Send + Sync>,
        cancel: &Cancel,
        patience: Duration,
    ) -> Option<(Outcome, Vec<String>)> {
        let start = Instant::now();
        let mut state = self.state();
        // What is under way may have looked before a file was changed.
        let mine = state.begun + 1;
        state.watchers.push(Arc::clone(progress));
        loop {
            if state.ended >= mine
                && let Some(outcome) = &state.outcome
            {
                return Some((outcome.clone(), state.remarks.clone()));
            }
            if state.begun < mine {
                self.begin(&mut state);
            }
            if cancel.is_cancelled() {
                let cancelled = OpError::new(ErrorKind::Cancelled, "the request was cancelled");
                return Some((Err(cancelled), Vec::new()));
            }
            if start.elapsed() >= patience {
                return None;
            }
            let (next, _) = self
                .changed
                .wait_timeout(state, LOOK)
                .unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }

    /// How far the refresh is that is under way.
    fn how_far(&self) -> String {
        let state = self.state();
        let seconds = state.began.map_or(0, |began| began.elapsed().as_secs());
        match state.phase.is_empty() {
            true => format!("for {seconds} s"),
            false if state.steps > 0 => {
                format!("for {seconds} s ({}: {} of {})", state.phase, state.done, state.steps)
            }
            false => format!("for {seconds} s ({})", state.phase),
        }
    }
}

/// Ends a refresh whatever becomes of it, or everybody would wait for ever.
struct Ending<'f> {
    fresh: &'f Fresh,
    outcome: Result<Arc<CodeGraph>, OpError>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.fresh.end(self.outcome.clone());
    }
}

/// The progress of a refresh, sent to every request that waits for it.
struct Watched<'f> {
    fresh: &'f Fresh,
}

impl Watched<'_> {
    fn watchers(&self, change: impl FnOnce(&mut State)) -> Vec<Arc<dyn Progress + Send + Sync>> {
        let mut state = self.fresh.state();
        change(&mut state);
        state.watchers.clone()
    }
}

impl Progress for Watched<'_> {
    fn begin(&self, phase: &str, steps: u64) {
        let watchers = self.watchers(|state| {
            phase.clone_into(&mut state.phase);
            state.steps = steps;
            state.done = 0;
        });
        watchers.iter().for_each(|watcher| watcher.begin(phase, steps));
    }

    fn advance(&self, steps: u64) {
        let watchers = self.watchers(|state| state.done += steps);
        watchers.iter().for_each(|watcher| watcher.advance(steps));
    }

    fn note(&self, text: &str) {
        let watchers = self.watchers(|_| ());
        watchers.iter().for_each(|watcher| watcher.note(text));
    }

    fn remark(&self, text: &str) {
        self.watchers(|state| state.remarks.push(text.to_owned()));
    }
}

/// The progress of one request, whose remarks become part of the answer.
pub(super) struct Answered<P> {
    pub(super) progress: Arc<P>,
    pub(super) remarks: Arc<Remarks>,
}

impl<P: Progress + Send> Progress for Answered<P> {
    fn begin(&self, phase: &str, steps: u64) {
        self.progress.begin(phase, steps);
    }

    fn advance(&self, steps: u64) {
        self.progress.advance(steps);
    }

    fn note(&self, text: &str) {
        self.progress.note(text);
    }

    fn remark(&self, text: &str) {
        self.remarks.add(text.to_owned());
    }
}

/// The progress of one request that asks the code itself.
struct Remarking<'r> {
    progress: &'r dyn Progress,
    remarks: &'r Remarks,
}

impl Progress for Remarking<'_> {
    fn begin(&self, phase: &str, steps: u64) {
        self.progress.begin(phase, steps);
    }

    fn advance(&self, steps: u64) {
        self.progress.advance(steps);
    }

    fn note(&self, text: &str) {
        self.progress.note(text);
    }

    fn remark(&self, text: &str) {
        self.remarks.add(text.to_owned());
    }
}

/// What an answer has to say besides: how old the index is that it rests on, and what it leaves out.
#[derive(Default)]
pub(super) struct Remarks(Mutex<Vec<String>>);

impl Remarks {
    fn add(&self, remark: String) {
        let mut remarks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }

    /// All of them, and none is left.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The code, as one request sees it.
#[derive(Clone)]
struct Asked {
    /// What decides what may be read; nothing for what decides it.
    guard: Option<Arc<dyn Guard>>,
    fresh: Arc<Fresh>,
    progress: Arc<dyn Progress + Send + Sync>,
    remarks: Arc<Remarks>,
}

impl Asked {
    /// The current index, without a refresh.
    fn old(&self, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let scope = GraphScope {
            no_refresh: true,
            ..GraphScope::default()
        };
        let progress = Remarking {
            progress: &NoProgress,
            remarks: &self.remarks,
        };
        self.fresh.code.graph(&scope, &progress, cancel)
    }

    /// The graph of a refresh, with what belongs to its answers.
    fn told(&self, (outcome, remarks): (Outcome, Vec<String>)) -> Outcome {
        remarks.into_iter().for_each(|remark| self.remarks.add(remark));
        outcome
    }

    fn age(&self) -> String {
        match self.fresh.code.refreshed() {
            Some(time) => format!("of {}", date_time((time / 1000) as i64)),
            None => "of unknown age".to_owned(),
        }
    }
}

impl Asked {
    /// The code without access rules.
    fn unguarded(&self) -> Arc<dyn Code> {
        Arc::new(Self {
            guard: None,
            ..self.clone()
        })
    }

    /// Files of the working tree, each read only if it may be.
    fn guarded_files(&self, files: Arc<dyn Files>) -> Arc<dyn Files> {
        match &self.guard {
            Some(guard) => Arc::new(GuardedFiles {
                files,
                guard: Arc::clone(guard),
                code: self.unguarded(),
            }),
            None => files,
        }
    }

    /// The graph without the texts that may not be read.
    fn guarded(&self, scope: &GraphScope, graph: Arc<CodeGraph>) -> Result<Arc<CodeGraph>, OpError> {
        let Some(guard) = &self.guard else {
            return Ok(graph);
        };
        let withheld = guard.withheld(self.unguarded(), scope, &graph)?;
        if withheld.is_empty() {
            return Ok(graph);
        }
        let withheld = withheld.into_iter().map(|(file, shown)| (file, shown.into()));
        Ok(Arc::new(graph.without_texts_of(&withheld.collect())))
    }

    /// The graph, brought up to date as far as may be waited.
    fn found(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let code = &self.fresh.code;
        let progress = &Remarking {
            progress,
            remarks: &self.remarks,
        };
        if code.foreign().is_some() {
            let graph = code.graph(scope, progress, cancel)?;
            let remark = code.foreign().and_then(|foreign| foreign.remark);
            remark.into_iter().for_each(|remark| self.remarks.add(remark));
            return Ok(graph);
        }
        if scope.revision.is_some() {
            return code.graph(scope, progress, cancel);
        }
        if scope.no_refresh || !code.refreshes() {
            let graph = code.graph(scope, progress, cancel)?;
            self.remarks.add(format!(
                "stale: answered from the index {} without looking for changed files",
                self.age()
            ));
            return Ok(graph);
        }
        let (patience, first) = self.fresh.patience;
        if code.refreshed().is_none() {
            return match self.fresh.refreshed(&self.progress, cancel, first) {
                Some(outcome) => self.told(outcome),
                None => {
                    let message = format!("the first index is still being built, {}", self.fresh.how_far());
                    Err(OpError::new(ErrorKind::Unavailable, message).hint("try again in a moment; indexing continues"))
                }
            };
        }
        match self.fresh.refreshed(&self.progress, cancel, patience) {
            Some(outcome) => self.told(outcome),
            None => {
                let graph = self.old(cancel)?;
                self.remarks.add(format!(
                    "stale: answered from the index {}; files changed since, and a refresh has been running {}; call again for a fresh answer",
                    self.age(),
                    self.fresh.how_far()
                ));
                Ok(graph)
            }
        }
    }
}

impl Code for Asked {
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let graph = self.found(scope, progress, cancel)?;
        let graph = if scope.tracked && scope.revision.is_none() {
            let scope = GraphScope {
                no_refresh: true,
                ..scope.clone()
            };
            let progress = Remarking {
                progress,
                remarks: &self.remarks,
            };
            self.fresh.code.graph(&scope, &progress, cancel)?
        } else {
            graph
        };
        self.guarded(scope, graph)
    }

    fn index(&self, request: &IndexRequest, progress: &dyn Progress, cancel: &Cancel) -> Result<IndexSummary, OpError> {
        self.fresh.code.index(request, progress, cancel)
    }

    fn wait_for_change(&self, request: &IndexRequest, cancel: &Cancel) -> Result<bool, OpError> {
        self.fresh.code.wait_for_change(request, cancel)
    }

    fn here(&self) -> String {
        // Paths are relative to the root, not to the directory in which the client was started.
        String::new()
    }

    fn place(&self) -> Option<String> {
        self.fresh.code.place()
    }

    fn head(&self) -> Option<Head> {
        self.fresh.code.head()
    }

    fn log(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Option<Arc<Log>>, OpError> {
        let progress = Remarking {
            progress,
            remarks: &self.remarks,
        };
        self.fresh.code.log(&progress, cancel)
    }

    fn kept_log(&self, commit: &str) -> Option<Arc<Log>> {
        self.fresh.code.kept_log(commit)
    }

    fn uncommitted(&self, below: &[String], most: usize) -> Result<BTreeMap<String, Option<String>>, OpError> {
        self.fresh.code.uncommitted(below, most)
    }

    fn remote(&self) -> Option<String> {
        self.fresh.code.remote()
    }

    fn has_commit(&self, commit: &str) -> Option<bool> {
        self.fresh.code.has_commit(commit)
    }

    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        if let Some(guard) = &self.guard {
            match self.fresh.code.files() {
                Ok(files) if scope.revision.is_none() => {
                    guarded_files::may_read(guard.as_ref(), &self.unguarded(), files.as_ref(), path)?;
                }
                _ => guard.may_read(self.unguarded(), scope, path)?,
            }
        }
        self.fresh.code.read(scope, path)
    }

    fn origin(&self, scope: &GraphScope) -> Result<Origin, OpError> {
        self.fresh.code.origin(scope)
    }

    fn history(
        &self,
        scope: &GraphScope,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<Arc<History>>, OpError> {
        let progress = Remarking {
            progress,
            remarks: &self.remarks,
        };
        self.fresh.code.history(scope, &progress, cancel)
    }

    fn files(&self) -> Result<Arc<dyn Files>, OpError> {
        Ok(Arc::new(ReadOnly(self.guarded_files(self.fresh.code.files()?))))
    }

    fn refreshed(&self) -> Option<u64> {
        self.fresh.code.refreshed()
    }

    fn refreshes(&self) -> bool {
        self.fresh.code.refreshes()
    }

    fn damage(&self) -> u64 {
        self.fresh.code.damage()
    }

    fn foreign(&self) -> Option<Foreign> {
        self.fresh.code.foreign()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use lore_model::{ContentHash, SnapshotBuilder};

    use super::*;

    /// Code whose refreshes wait until they are let go.
    struct Slow {
        looks: AtomicUsize,
        gate: Mutex<mpsc::Receiver<()>>,
        is_indexed: bool,
    }

    impl Slow {
        fn new(is_indexed: bool) -> (Arc<Self>, mpsc::Sender<()>) {
            let (let_go, gate) = mpsc::channel();
            let slow = Self {
                looks: AtomicUsize::new(0),
                gate: Mutex::new(gate),
                is_indexed,
            };
            (Arc::new(slow), let_go)
        }
    }

    impl Code for Slow {
        fn graph(&self, scope: &GraphScope, progress: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
            if !scope.no_refresh {
                progress.begin("reading", 7);
                progress.advance(3);
                // A sender that is gone lets go as well.
                let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = gate.recv_timeout(lore_testing::DEADLINE);
                drop(gate);
                self.looks.fetch_add(1, Ordering::SeqCst);
            }
            Ok(Arc::new(empty()))
        }

        fn index(&self, _: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
            Ok(IndexSummary::default())
        }

        fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
            Ok(false)
        }

        fn here(&self) -> String {
            String::new()
        }

        fn read(&self, _: &GraphScope, _: &str) -> Result<Vec<u8>, OpError> {
            Ok(Vec::new())
        }

        fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
            Ok(Origin::default())
        }

        fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
            Ok(None)
        }

        fn refreshed(&self) -> Option<u64> {
            self.is_indexed.then_some(1_794_816_000_000)
        }
    }

    fn empty() -> CodeGraph {
        let bytes = SnapshotBuilder::new(1, 0, ContentHash::default()).finish().to_bytes();
        CodeGraph::open(Arc::new(bytes)).expect("it is a snapshot")
    }

    /// Keeps nothing from anybody.
    struct Nobody;

    impl Guard for Nobody {
        fn may_read(&self, _: Arc<dyn Code>, _: &GraphScope, _: &str) -> Result<(), OpError> {
            Ok(())
        }

        fn withheld(&self, _: Arc<dyn Code>, _: &GraphScope, _: &CodeGraph) -> Result<WithheldFiles, OpError> {
            Ok(BTreeMap::new())
        }
    }

    fn asked(fresh: &Arc<Fresh>) -> (Arc<dyn Code>, Arc<Remarks>) {
        let remarks = Arc::new(Remarks::default());
        let code = Asked {
            fresh: Arc::clone(fresh),
            guard: Some(Arc::new(Nobody)),
            progress: Arc::new(NoProgress),
            remarks: Arc::clone(&remarks),
        };
        (Arc::new(code), remarks)
    }

    fn graph(code: &Arc<dyn Code>) -> Result<Arc<CodeGraph>, OpError> {
        code.graph(&GraphScope::default(), &NoProgress, &Cancel::default())
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::ZERO;

    #[test]
    fn many_requests_share_a_look() {
        let (code, let_go) = Slow::new(true);
        let fresh = Fresh::with_patience(code.clone(), LONG, LONG);
        let threads: Vec<_> = (0..50)
            .map(|_| {
                let (own, _) = asked(&fresh);
                std::thread::spawn(move || graph(&own).is_ok())
            })
            .collect();
        // All of them wait while the first look is under way: it is its asker's own, and the others share the next one.
        lore_testing::until("all of them wait", || {
            (fresh.state().watchers.len() == 50).then_some(())
        });
        drop(let_go);
        assert!(
            threads
                .into_iter()
                .all(|thread| lore_testing::join(thread, "a request is answered"))
        );
        assert_eq!(code.looks.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_look_that_began_before_a_request_is_not_its_answer() {
        let (code, let_go) = Slow::new(true);
        let fresh = Fresh::with_patience(code.clone(), LONG, LONG);
        fresh.begin(&mut fresh.state());
        let (own, remarks) = asked(&fresh);
        let request = std::thread::spawn(move || graph(&own).is_ok());
        drop(let_go);
        assert!(lore_testing::join(request, "the request is answered"));
        assert_eq!(code.looks.load(Ordering::SeqCst), 2);
        assert!(remarks.take().is_empty());
    }

    #[test]
    fn who_cannot_wait_is_answered_from_the_old_index_and_told() {
        let (code, let_go) = Slow::new(true);
        let fresh = Fresh::with_patience(code.clone(), SHORT, SHORT);
        let (own, remarks) = asked(&fresh);
        assert!(graph(&own).is_ok());
        let told = remarks.take().join("");
        assert!(
            told.starts_with("stale: answered from the index of 2026-11-16T08:00:00Z; "),
            "{told}"
        );
        drop(let_go);
    }

    #[test]
    fn without_an_index_there_is_nothing_old_to_answer_from() {
        let (code, let_go) = Slow::new(false);
        let fresh = Fresh::with_patience(code.clone(), SHORT, SHORT);
        let (own, _) = asked(&fresh);
        let error = graph(&own).map(drop).expect_err("it is not there");
        assert!(
            error
                .message
                .starts_with("the first index is still being built, for 0 s"),
            "{error}"
        );
        drop(let_go);
    }

    #[test]
    fn who_was_cancelled_does_not_wait() {
        let (code, let_go) = Slow::new(true);
        let fresh = Fresh::with_patience(code.clone(), LONG, LONG);
        let (own, _) = asked(&fresh);
        let cancel = Cancel::default();
        cancel.cancel();
        let error = own.graph(&GraphScope::default(), &NoProgress, &cancel).map(drop);
        assert_eq!(error.expect_err("it was cancelled").kind, ErrorKind::Cancelled);
        drop(let_go);
    }

    #[test]
    fn an_answer_without_a_look_says_so() {
        let (code, let_go) = Slow::new(true);
        let fresh = Fresh::with_patience(code.clone(), LONG, LONG);
        let (own, remarks) = asked(&fresh);
        let scope = GraphScope {
            no_refresh: true,
            ..GraphScope::default()
        };
        assert!(own.graph(&scope, &NoProgress, &Cancel::default()).is_ok());
        assert!(remarks.take().join("").ends_with("without looking for changed files"));
        drop(let_go);
    }
}
