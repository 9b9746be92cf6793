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
    Ancestors, Appended, CodeCommit, Ctx, Descend, ErrorKind, Exchange, Exchanged, HookState, LogLock, LogState,
    NewPatch, ObjectId, OpError, PatchLog, RawPatch, RemoteState, Tip, Tips,
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
        self.fold().graph()
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
    of_changes(changes)
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
}

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
        let mut state = self.state.lock().expect("whole");
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

    fn commit(&self, revision: &str, _: bool) -> Result<CodeCommit, OpError> {
        let state = self.state.lock().expect("whole");
        let found = match revision {
            "HEAD" => state.code.last(),
            revision => state
                .code
                .iter()
                .find(|commit| commit.id.to_hex().starts_with(revision)),
        };
        let missing = || OpError::new(ErrorKind::NotFound, format!("git knows no revision `{revision}`"));
        found.cloned().ok_or_else(missing)
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
        self.state.lock().expect("whole").exchanged.push(request.clone());
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
        Err(OpError::new(
            ErrorKind::NotFound,
            format!("there is no repository at {path}"),
        ))
    }
}
