//! `MemoryLog`: the port `PatchLog` in memory, for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lore_model::{Cancel, Progress};
use lore_seam::world::World;
use lore_seam::{Ctx, ErrorKind, ObjectId, OpError, PortMap};
use sha2::{Digest, Sha256};

use crate::changes::{Changes, EdgePut, Field};
use crate::confidence::Confidence;
use crate::edge::EdgeType;
use crate::id::NodeId;
use crate::patch::Triple;
use crate::patch_log::{
    Ancestors, Appended, CodeCommit, Exchange, Exchanged, HookScript, HookState, LogLock, LogState, NewPatch, PatchLog,
    RemoteState, Tip, Tips,
};
use crate::raw_patch::{Descend, RawPatch};
use crate::value::Json;

/// A log in memory, for operations: chains by writer, commits of the code, snapshots.
#[derive(Default)]
pub struct MemoryLog {
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
    pub fn commit_code(&self, message: &str, files: &[&str]) -> ObjectId {
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

    /// Writes what lines say, an edge (`task:A blocks task:B .5 why`), a node, or a node with a property.
    pub fn tell(self: &Arc<Self>, now_ms: u64, lines: &str) {
        let told = crate::write::write(&self.ctx(now_ms), |graph, now| {
            Ok(crate::write::Wanted {
                subject: "mind: a change".to_owned(),
                operations: changes_of(lines).into_operations(graph, now),
                answer: (),
            })
        });
        told.expect("written");
    }

    /// Records the graph at a commit of the code.
    pub fn epoch(self: &Arc<Self>, now_ms: u64, commit: ObjectId) {
        let told = crate::write::write(&self.ctx(now_ms), |graph, now| {
            let mut changes = Changes::new();
            changes.epoch(commit, now.clone());
            Ok(crate::write::Wanted {
                subject: "mind: an epoch".to_owned(),
                operations: changes.into_operations(graph, now),
                answer: (),
            })
        });
        told.expect("written");
    }

    /// Puts a copy of the own chain below a reference, as a push or a fetch leaves one.
    pub fn fetched_copy(&self, below: &str, id: ObjectId) {
        let mut state = self.state.lock().expect("whole");
        let writer = state.writer.clone().unwrap_or_default();
        state.tips.insert(format!("{below}{writer}"), id);
    }

    pub fn patches(&self) -> usize {
        self.state.lock().expect("whole").patches.len()
    }

    /// The messages of the patches of the own chain, oldest first.
    pub fn messages(&self) -> Vec<String> {
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
    pub fn push(&self, reference: &str, parents: Vec<ObjectId>, message: &str, chunks: Vec<Vec<u8>>) -> ObjectId {
        let patch = patch_of(parents, message.as_bytes().to_vec(), chunks);
        let id = patch.id;
        let mut state = self.state.lock().expect("whole");
        state.patches.insert(id, patch);
        state.tips.insert(reference.to_owned(), id);
        id
    }

    /// Says what state the log is in.
    pub fn set_state(&self, log_state: LogState) {
        self.state.lock().expect("whole").log_state = log_state;
    }

    /// What was exchanged.
    pub fn exchanged(&self) -> Vec<Exchange> {
        self.state.lock().expect("whole").exchanged.clone()
    }

    /// Names what is where the hook belongs.
    pub fn set_hook(&self, hook: HookState) {
        self.state.lock().expect("whole").hook = hook;
    }

    /// Does something just before the next patch is appended, as another process would.
    pub fn before_append(&self, before: impl FnOnce() + Send + 'static) {
        self.state.lock().expect("whole").before_append.push(Box::new(before));
    }

    /// Says that somebody else is always faster.
    pub fn always_move(&self) {
        self.state.lock().expect("whole").moves = true;
    }

    /// Says that no remote can be reached.
    pub fn go_offline(&self) {
        self.state.lock().expect("whole").offline = true;
    }

    /// Puts another repository at a path.
    pub fn add_other(&self, path: &str, other: &Arc<Self>) {
        let mut state = self.state.lock().expect("whole");
        state.others.insert(path.to_owned(), Arc::clone(other));
    }

    /// The references with their newest commits.
    pub fn references(&self) -> BTreeMap<String, ObjectId> {
        self.state.lock().expect("whole").tips.clone()
    }

    /// Moves a reference to a commit that is there, or takes it away.
    pub fn move_reference(&self, reference: &str, to: Option<ObjectId>) {
        let mut state = self.state.lock().expect("whole");
        match to {
            Some(id) => drop(state.tips.insert(reference.to_owned(), id)),
            None => drop(state.tips.remove(reference)),
        }
    }

    /// Fetches what another one wrote.
    pub fn fetch(&self, other: &Self, remote: &str) {
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
    pub fn snapshot_names(&self) -> Vec<String> {
        self.state.lock().expect("whole").snapshots.keys().cloned().collect()
    }

    /// A world that has nothing but this log and the time.
    pub fn ctx(self: &Arc<Self>, now_ms: u64) -> Ctx {
        Arc::new(World {
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(self) as Arc<dyn PatchLog>),
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
        let parents = patch
            .expected
            .into_iter()
            .chain(patch.parents.iter().copied())
            .collect();
        let patch = patch_of(parents, patch.message.as_bytes().to_vec(), patch.chunks.to_vec());
        let id = patch.id;
        state.patches.insert(id, patch);
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
        let missing = || OpError::new(ErrorKind::NotFound, format!("unknown git revision: `{revision}`"));
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

    fn install_hook(&self, _: HookScript, _: Option<&str>) -> Result<HookState, OpError> {
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

pub(crate) fn node(id: &str) -> NodeId {
    NodeId::parse(id).expect("an id")
}

/// `task:A blocks task:B .5 why` as an edge; confidence and rationale may be left out.
pub(crate) fn words(text: &str) -> (Triple, EdgePut) {
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

/// The changes that lines ask for; see `graph` of the tests.
pub(crate) fn changes_of(lines: &str) -> Changes {
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

/// A patch with an id that is the digest of its content.
pub(crate) fn patch_of(parents: Vec<ObjectId>, message: Vec<u8>, chunks: Vec<Vec<u8>>) -> RawPatch<'static> {
    let mut hash = Sha256::new();
    parents.iter().for_each(|parent| hash.update(parent.as_bytes()));
    hash.update(&message);
    chunks.iter().for_each(|chunk| hash.update(chunk));
    RawPatch {
        id: ObjectId::new(&hash.finalize()).expect("32 bytes"),
        parents: parents.into(),
        message: message.into(),
        blobs: chunks.into_iter().map(Into::into).collect(),
        fault: None,
    }
}
