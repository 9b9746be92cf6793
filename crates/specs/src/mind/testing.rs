//! Replicas in memory: patches by number, graphs from a few words.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use lore_model::{Cancel, Progress};

use sha2::{Digest, Sha256};

use super::changes::{Changes, EdgePut, Field};
use super::confidence::Confidence;
use super::edge::EdgeType;
use super::fold::Fold;
use super::graph::Graph;
use super::id::NodeId;
use super::patch::{Operation, Triple, encode};
use super::time::Time;
use super::value::Json;
use crate::seam::world::World;
use crate::seam::{
    Ancestors, Answer, Appended, CodeCommit, Ctx, Descend, ErrorKind, Exchange, Exchanged, HookState, LogLock,
    LogState, NewPatch, ObjectId, OpError, OperationEntry, Page, PatchLog, RawPatch, RemoteState, Style, Tip, Tips,
    Verdict,
};

/// A replica: the patches it has.
#[derive(Clone)]
pub(super) struct Log {
    pub(super) name: String,
    pub(super) patches: BTreeMap<ObjectId, Rc<RawPatch<'static>>>,
}

impl Log {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            patches: BTreeMap::new(),
        }
    }

    pub(super) fn fold(&self) -> Fold {
        folded(self.patches.values().map(|patch| &**patch))
    }

    pub(super) fn graph(&self) -> Graph {
        Arc::unwrap_or_clone(self.fold().graph())
    }

    /// Fetches what another one has.
    pub(super) fn fetch(&mut self, other: &Self) {
        self.patches
            .extend(other.patches.iter().map(|(id, patch)| (*id, Rc::clone(patch))));
    }

    /// Writes what is missing; `None` if nothing is.
    pub(super) fn write(&mut self, now: u64, change: impl FnOnce(&Graph, &mut Changes)) -> Option<ObjectId> {
        let fold = self.fold();
        let graph = fold.graph();
        let mut changes = Changes::new();
        change(&graph, &mut changes);
        let operations = changes.into_operations(&graph, &Time::from_millis(now));
        self.append(&fold, operations)
    }

    pub(super) fn append(&mut self, fold: &Fold, operations: Vec<Operation>) -> Option<ObjectId> {
        if operations.is_empty() {
            return None;
        }
        let parents = fold.heads();
        let encoded = encode(
            "mind: a change",
            fold.lamport_above(&parents),
            &self.name,
            None,
            operations,
        )
        .expect("a patch");
        Some(self.put(parents, encoded.message.into_bytes(), encoded.chunks))
    }

    /// Stores bytes as a commit.
    pub(super) fn put(&mut self, parents: Vec<ObjectId>, message: Vec<u8>, chunks: Vec<Vec<u8>>) -> ObjectId {
        let mut hash = Sha256::new();
        parents.iter().for_each(|parent| hash.update(parent.as_bytes()));
        hash.update(&message);
        chunks.iter().for_each(|chunk| hash.update(chunk));
        let id = ObjectId::new(&hash.finalize()).expect("32 bytes");
        let raw = RawPatch {
            id,
            parents: parents.into(),
            message: message.into(),
            blobs: chunks.into_iter().map(Into::into).collect(),
            fault: None,
        };
        self.patches.insert(id, Rc::new(raw));
        id
    }

    pub(super) fn link(&mut self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, put) = words(edge);
        self.write(now, |_, changes| changes.put_edge(edge, put))
    }

    pub(super) fn unlink(&mut self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, _) = words(edge);
        self.write(now, |_, changes| changes.remove_edge(edge))
    }

    pub(super) fn set(&mut self, now: u64, id: &str, key: &str, value: &str) -> Option<ObjectId> {
        let property = (key.into(), Json::parse(value).expect("JSON").canonical().into());
        self.write(now, |_, changes| changes.put_node(&node(id), [property]))
    }
}

/// The fold of patches in the order in which they come.
pub(super) fn folded<'p>(patches: impl IntoIterator<Item = &'p RawPatch<'static>>) -> Fold {
    let mut fold = Fold::empty();
    for patch in patches {
        fold.take(patch);
    }
    fold.finish();
    fold
}

pub(super) fn node(id: &str) -> NodeId {
    NodeId::parse(id).expect("an id")
}

/// `task:A blocks task:B .5 why` as an edge; confidence and rationale may be left out.
pub(super) fn words(text: &str) -> (Triple, EdgePut) {
    let mut words = text.splitn(5, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (source, kind, target) = (word(), word(), word());
    let edge = Triple {
        source: node(source),
        target: node(target),
        kind: EdgeType::from_name(kind).expect("a type"),
    };
    let confidence = match word() {
        "" => Confidence::DEFAULT,
        number => Confidence::parse(number).expect("a confidence"),
    };
    let rationale = match word() {
        "" => Field::Keep,
        why => Field::Set(why.into()),
    };
    let reviewed_at = Field::Keep;
    (
        edge,
        EdgePut {
            confidence,
            rationale,
            reviewed_at,
        },
    )
}

/// A graph of lines: an edge (`task:A blocks task:B .5 why`), a node (`task:A`), or a node with a property (`task:A status="done"`).
pub(super) fn graph(lines: &str) -> Graph {
    of_changes(changes_of(lines))
}

fn changes_of(lines: &str) -> Changes {
    let mut changes = Changes::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(' ') {
            None => changes.put_node(&node(line), []),
            Some((id, rest)) => match rest.split_once('=') {
                Some((key, value)) if !key.contains(' ') => {
                    let value = Json::parse(value).expect("JSON").canonical();
                    changes.put_node(&node(id), [(key.into(), value.into())]);
                }
                _ => {
                    let (edge, put) = words(line);
                    changes.put_edge(edge, put);
                }
            },
        }
    }
    changes
}

pub(super) fn of_changes(changes: Changes) -> Graph {
    let mut log = Log::new("w");
    let fold = log.fold();
    let operations = changes.into_operations(&Graph::default(), &Time::from_millis(1_000));
    log.append(&fold, operations);
    log.graph()
}

/// A log in memory, for operations: chains by writer, commits of the code, snapshots.
#[derive(Default)]
pub(crate) struct MemoryLog {
    state: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    patches: BTreeMap<ObjectId, RawPatch<'static>>,
    /// The newest commit of each chain, by reference.
    tips: BTreeMap<String, ObjectId>,
    writer: Option<String>,
    /// Commits of the code, oldest first.
    code: Vec<CodeCommit>,
    snapshots: BTreeMap<String, Vec<u8>>,
    log_state: LogState,
    exchanged: Vec<Exchange>,
    hook: HookState,
    /// What happens before the next patches are appended.
    before_append: Vec<Before>,
    /// Whether somebody else is always faster.
    moves: bool,
    /// Whether no remote can be reached.
    offline: bool,
    /// Other repositories by path.
    others: BTreeMap<String, Arc<MemoryLog>>,
}

/// What happens at some moment.
type Before = Box<dyn FnOnce() + Send>;

struct NoLock;

impl LogLock for NoLock {}

impl MemoryLog {
    /// Commits to the code; the id of the commit.
    pub(crate) fn commit_code(&self, message: &str, files: &[&str]) -> ObjectId {
        let mut state = self.state.lock().expect("whole");
        let count = state.code.len();
        let id = ObjectId::new(&Sha256::digest(format!("{count} {message}"))[..20]).expect("20 bytes");
        state.code.push(CodeCommit {
            id,
            message: message.to_owned(),
            time: i64::try_from(count).expect("few"),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
        });
        id
    }

    /// Writes what lines say, as [`graph`] reads them.
    pub(crate) fn tell(self: &Arc<Self>, now_ms: u64, lines: &str) {
        let told = super::write::write(&self.ctx(now_ms), |graph, now| {
            Ok(super::write::Wanted {
                subject: "mind: a change".to_owned(),
                operations: changes_of(lines).into_operations(graph, now),
                answer: (),
            })
        });
        told.expect("written");
    }

    /// Records the graph at a commit of the code.
    pub(crate) fn epoch(self: &Arc<Self>, now_ms: u64, commit: ObjectId) {
        let told = super::write::write(&self.ctx(now_ms), |graph, now| {
            let mut changes = Changes::new();
            changes.epoch(commit, now.clone());
            Ok(super::write::Wanted {
                subject: "mind: an epoch".to_owned(),
                operations: changes.into_operations(graph, now),
                answer: (),
            })
        });
        told.expect("written");
    }

    /// Puts a copy of the own chain below a reference, as a push or a fetch leaves one.
    pub(crate) fn fetched_copy(&self, below: &str, id: ObjectId) {
        let mut state = self.state.lock().expect("whole");
        let writer = state.writer.clone().unwrap_or_default();
        state.tips.insert(format!("{below}{writer}"), id);
    }

    /// How many patches there are.
    pub(crate) fn patches(&self) -> usize {
        self.state.lock().expect("whole").patches.len()
    }

    /// The messages of the patches of the own chain, oldest first.
    pub(crate) fn messages(&self) -> Vec<String> {
        let state = self.state.lock().expect("whole");
        let own = state
            .writer
            .as_ref()
            .and_then(|writer| state.tips.get(&own_ref(writer)));
        let mut messages = Vec::new();
        let mut next = own.copied();
        while let Some(patch) = next.and_then(|id| state.patches.get(&id)) {
            messages.push(String::from_utf8_lossy(&patch.message).into_owned());
            next = patch.parents.first().copied();
        }
        messages.reverse();
        messages
    }

    /// Puts a commit that somebody else made at a reference.
    pub(crate) fn push(
        &self,
        reference: &str,
        parents: Vec<ObjectId>,
        message: &str,
        chunks: Vec<Vec<u8>>,
    ) -> ObjectId {
        let mut log = Log::new("other");
        let id = log.put(parents, message.as_bytes().to_vec(), chunks);
        let mut state = self.state.lock().expect("whole");
        state.patches.insert(id, RawPatch::clone(&log.patches[&id]));
        state.tips.insert(reference.to_owned(), id);
        id
    }

    /// Says what state the log is in.
    pub(crate) fn set_state(&self, log_state: LogState) {
        self.state.lock().expect("whole").log_state = log_state;
    }

    /// What was exchanged.
    pub(crate) fn exchanged(&self) -> Vec<Exchange> {
        self.state.lock().expect("whole").exchanged.clone()
    }

    /// Names what is where the hook belongs.
    pub(crate) fn set_hook(&self, hook: HookState) {
        self.state.lock().expect("whole").hook = hook;
    }

    /// Does something just before the next patch is appended, as another process would.
    pub(crate) fn before_append(&self, before: impl FnOnce() + Send + 'static) {
        self.state.lock().expect("whole").before_append.push(Box::new(before));
    }

    /// Says that somebody else is always faster.
    pub(crate) fn always_move(&self) {
        self.state.lock().expect("whole").moves = true;
    }

    /// Says that no remote can be reached.
    pub(crate) fn go_offline(&self) {
        self.state.lock().expect("whole").offline = true;
    }

    /// Puts another repository at a path.
    pub(crate) fn add_other(&self, path: &str, other: &Arc<Self>) {
        let mut state = self.state.lock().expect("whole");
        state.others.insert(path.to_owned(), Arc::clone(other));
    }

    /// The references with their newest commits.
    pub(crate) fn references(&self) -> BTreeMap<String, ObjectId> {
        self.state.lock().expect("whole").tips.clone()
    }

    /// Moves a reference to a commit that is there, or takes it away.
    pub(crate) fn move_reference(&self, reference: &str, to: Option<ObjectId>) {
        let mut state = self.state.lock().expect("whole");
        match to {
            Some(id) => drop(state.tips.insert(reference.to_owned(), id)),
            None => drop(state.tips.remove(reference)),
        }
    }

    /// Fetches what another one wrote.
    pub(crate) fn fetch(&self, other: &Self, remote: &str) {
        let theirs = other.state.lock().expect("whole");
        let mut state = self.state.lock().expect("whole");
        for (id, patch) in &theirs.patches {
            state.patches.insert(*id, patch.clone());
        }
        for (reference, id) in &theirs.tips {
            let writer = reference.rsplit('/').next().unwrap_or_default();
            state
                .tips
                .insert(format!("refs/lore/mind/remotes/{remote}/w/{writer}"), *id);
        }
    }

    /// The names of what is kept to read faster.
    pub(crate) fn snapshot_names(&self) -> Vec<String> {
        self.state.lock().expect("whole").snapshots.keys().cloned().collect()
    }

    /// A world that has nothing but this log and the time.
    pub(crate) fn ctx(self: &Arc<Self>, now_ms: u64) -> Ctx {
        Arc::new(World {
            mind: Some(Arc::clone(self) as Arc<dyn PatchLog>),
            now_ms,
            ..World::default()
        })
        .ctx()
    }
}

fn own_ref(writer: &str) -> String {
    format!("refs/lore/mind/w/{writer}")
}

impl PatchLog for MemoryLog {
    fn tips(&self) -> Result<Tips, OpError> {
        let state = self.state.lock().expect("whole");
        let own = state.writer.as_deref().map(own_ref);
        let tips = state.tips.iter().map(|(reference, id)| Tip {
            reference: reference.clone(),
            id: *id,
            own: Some(reference) == own.as_ref(),
        });
        Ok(Tips {
            tips: tips.collect(),
            writer: state.writer.clone(),
            head: state.code.last().map(|commit| commit.id),
            faults: Vec::new(),
        })
    }

    fn walk(
        &self,
        tips: &[ObjectId],
        known: &dyn Fn(&ObjectId) -> bool,
        visit: &mut dyn FnMut(&RawPatch<'_>) -> Descend,
        _: &Cancel,
    ) -> Result<(), OpError> {
        let state = self.state.lock().expect("whole");
        let mut seen: std::collections::BTreeSet<ObjectId> = tips.iter().copied().collect();
        let mut next = tips.to_vec();
        while let Some(id) = next.pop() {
            let Some(patch) = state.patches.get(&id).filter(|_| !known(&id)) else {
                continue;
            };
            if visit(patch) == Descend::Yes {
                next.extend(patch.parents.iter().copied().filter(|parent| seen.insert(*parent)));
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<Box<dyn LogLock>, OpError> {
        Ok(Box::new(NoLock))
    }

    fn new_writer(&self, _: &[u8; 16]) -> Result<String, OpError> {
        let mut state = self.state.lock().expect("whole");
        Ok(state.writer.get_or_insert_with(|| "w".repeat(26)).clone())
    }

    fn append(&self, patch: &NewPatch<'_>) -> Result<Appended, OpError> {
        let before = self.state.lock().expect("whole").before_append.pop();
        if let Some(before) = before {
            before();
        }
        let mut state = self.state.lock().expect("whole");
        if state.moves {
            return Ok(Appended::Moved);
        }
        let reference = own_ref(state.writer.as_deref().expect("a writer"));
        if state.tips.get(&reference).copied() != patch.expected {
            return Ok(Appended::Moved);
        }
        let mut log = Log::new("own");
        let parents = patch
            .expected
            .into_iter()
            .chain(patch.parents.iter().copied())
            .collect();
        let id = log.put(parents, patch.message.as_bytes().to_vec(), patch.chunks.to_vec());
        state.patches.insert(id, RawPatch::clone(&log.patches[&id]));
        state.tips.insert(reference, id);
        Ok(Appended::Done(id))
    }

    fn snapshot(&self, name: &str) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>> {
        let bytes = self.state.lock().expect("whole").snapshots.get(name)?.clone();
        Some(Arc::new(bytes))
    }

    fn keep_snapshot(&self, name: &str, bytes: &[u8]) {
        let mut state = self.state.lock().expect("whole");
        state.snapshots.insert(name.to_owned(), bytes.to_vec());
    }

    fn drop_snapshots(&self) -> Result<(), OpError> {
        self.state.lock().expect("whole").snapshots.clear();
        Ok(())
    }

    fn commit(&self, revision: &str, files: bool) -> Result<CodeCommit, OpError> {
        let state = self.state.lock().expect("whole");
        let found = match revision {
            "HEAD" => state.code.last(),
            revision => state
                .code
                .iter()
                .find(|commit| commit.id.to_hex().starts_with(revision)),
        };
        let missing = || OpError::new(ErrorKind::NotFound, format!("git knows no revision `{revision}`"));
        let mut commit = found.cloned().ok_or_else(missing)?;
        if !files {
            commit.files.clear();
        }
        Ok(commit)
    }

    fn ancestors(&self, commit: &ObjectId, most: usize) -> Result<Ancestors, OpError> {
        let state = self.state.lock().expect("whole");
        let newest_first = state.code.iter().rev().map(|commit| commit.id);
        Ok(Ancestors {
            ids: newest_first.skip_while(|id| id != commit).take(most).collect(),
            cut: false,
        })
    }

    fn prepare(&self) -> Result<Vec<RemoteState>, OpError> {
        Ok(self.state.lock().expect("whole").log_state.remotes.clone())
    }

    fn state(&self) -> Result<LogState, OpError> {
        Ok(self.state.lock().expect("whole").log_state.clone())
    }

    fn exchange(&self, request: &Exchange, _: &dyn Progress, _: &Cancel) -> Result<Exchanged, OpError> {
        let mut state = self.state.lock().expect("whole");
        if state.offline {
            return Err(OpError::new(ErrorKind::Unavailable, "the remote cannot be reached"));
        }
        state.exchanged.push(request.clone());
        Ok(Exchanged {
            remote: request.remote.clone().unwrap_or_else(|| "origin".to_owned()),
            ..Exchanged::default()
        })
    }

    fn install_hook(&self, _: &str) -> Result<HookState, OpError> {
        Ok(self.state.lock().expect("whole").hook.clone())
    }

    fn clean(&self) -> Result<u64, OpError> {
        Ok(0)
    }

    fn other(&self, path: &str) -> Result<Arc<dyn PatchLog>, OpError> {
        let state = self.state.lock().expect("whole");
        match state.others.get(path) {
            Some(other) => Ok(Arc::clone(other) as Arc<dyn PatchLog>),
            None => Err(OpError::new(
                ErrorKind::NotFound,
                format!("there is no repository at {path}"),
            )),
        }
    }
}

/// What a command said: its exit code, and what people read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Told {
    pub(crate) code: u8,
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
}

/// Runs `lore mind …`; words with blanks stand in single quotes.
pub(crate) fn lore(ctx: &Ctx, line: &str) -> Told {
    let words: Vec<String> = line
        .split('\'')
        .enumerate()
        .flat_map(|(at, part)| match at % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(str::to_owned).collect(),
        })
        .collect();
    let is_called = |entry: &&OperationEntry| {
        let command = entry.command;
        command.first() == Some(&"mind")
            && command.len() - 1 <= words.len()
            && command.iter().skip(1).zip(&words).all(|(wanted, word)| wanted == word)
    };
    let entry = crate::OPERATIONS.iter().find(is_called).expect("a command");
    let rest = words.get(entry.command.len() - 1..).unwrap_or_default();
    let command = entry.augment(clap::Command::new("lore").no_binary_name(true));
    let failed = |code, text: String| Told {
        code,
        text,
        json: serde_json::Value::Null,
    };
    let answer = match command.try_get_matches_from(rest) {
        Ok(matches) => entry.run_matches(ctx, &matches),
        Err(error) => return failed(2, error.to_string()),
    };
    match answer {
        Ok(Answer::Value(view, verdict)) => {
            let mut page = Page::new(Style::default());
            view.show(&mut page);
            Told {
                code: u8::from(verdict == Verdict::No),
                text: page.into_text(),
                json: view.to_json(),
            }
        }
        Ok(Answer::Bytes(bytes)) => {
            let mut content = Vec::new();
            bytes.content.write_to(&mut content).expect("written");
            failed(0, String::from_utf8(content).expect("text"))
        }
        Ok(Answer::Rows { rows, empty, .. }) => {
            let mut page = Page::new(Style::default());
            let rows: Vec<_> = rows.map(|row| row.expect("a row")).collect();
            rows.iter().for_each(|row| row.show(&mut page));
            Told {
                code: u8::from(rows.is_empty() && empty == Verdict::No),
                text: page.into_text(),
                json: rows.iter().map(|row| row.to_json()).collect(),
            }
        }
        Err(error) => {
            let words = std::iter::once(error.message).chain(error.hints);
            failed(error.kind.exit_code(), words.collect::<Vec<_>>().join("; "))
        }
    }
}
