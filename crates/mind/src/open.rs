//! The graph of this repository: what its log says, read through a snapshot where one helps (clauses Store12 and Store13).

use crate::patch_log::{PatchLog, Tips};
use crate::raw_patch::RawPatch;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::as_of::{AsOf, Unrecorded, as_of, recorded};
use super::fold::Fold;
use super::graph::Graph;
use lore_seam::{Ctx, ErrorKind, ObjectId, OpError};

/// Patches that are read again and again before a snapshot is worth its while, and bytes of operations.
const PATCHES: usize = 200;
const BYTES: usize = 1 << 20;
/// The name of the snapshot of everything.
const NAME: &str = "graph";

/// A graph that was opened.
#[derive(Clone)]
pub struct Opened {
    /// What it says.
    pub graph: Arc<Graph>,
    /// What was read.
    pub tips: Arc<Tips>,
    /// How many patches were read.
    pub patches: usize,
    /// How many patches of this repository's own chain no remote is known to have.
    pub unpushed: usize,
    /// Whether patches are missing: the history is cut.
    pub is_cut: bool,
    /// The requested commit, if --at was given.
    pub as_of: Option<AsOf>,
}

impl Opened {
    /// Warnings for the reader.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.is_cut {
            remarks.push(format!("{CUT}, so the graph is incomplete"));
        }
        match self.graph.skipped().len() {
            0 => {}
            1 => remarks.push("1 patch was skipped; `lore mind doctor` shows why".to_owned()),
            many => remarks.push(format!("{many} patches were skipped; `lore mind doctor` shows why")),
        }
        match self.tips.faults.as_slice() {
            [] => {}
            [(reference, why)] => remarks.push(format!("the reference {reference} was skipped: {why}")),
            many => remarks.push(format!(
                "{} references were skipped; `lore mind doctor` shows why",
                many.len()
            )),
        }
        remarks
    }
}

const CUT: &str = "this clone does not have the older patches of the graph (shallow clone)";

/// What to do about a history that is cut.
pub(super) fn cut_hint(log: &dyn PatchLog) -> &'static str {
    if log.state().is_ok_and(|state| state.shallow) {
        "`git fetch --unshallow` fetches them; until then the graph is read-only"
    } else {
        "`git fsck` shows what is missing, and `lore mind sync` may fetch it; until then the graph is read-only"
    }
}

/// The graph as it is now, or as it was at a commit of the code.
pub fn open(ctx: &Ctx, at: Option<&str>) -> Result<Opened, OpError> {
    let held = hold(ctx)?;
    let Some(revision) = at else {
        return Ok(held.opened());
    };
    let as_of = as_of(ctx, &held, revision)?;
    opened_at(ctx, &held, as_of)
}

/// The graph as it was at a commit of the code, or why nothing is known of it.
pub fn open_at(ctx: &Ctx, revision: &str) -> Result<Result<Opened, Unrecorded>, OpError> {
    let held = hold(ctx)?;
    match recorded(ctx, &held, revision)? {
        Ok(as_of) => opened_at(ctx, &held, as_of).map(Ok),
        Err(unrecorded) => Ok(Err(unrecorded)),
    }
}

fn opened_at(ctx: &Ctx, held: &Held, as_of: AsOf) -> Result<Opened, OpError> {
    let past = past(ctx, &as_of.patch)?;
    Ok(Opened {
        graph: Arc::clone(&past.graph),
        patches: past.patches,
        as_of: Some(as_of),
        ..held.opened()
    })
}

/// The graph of another log, as it is now.
pub fn open_other(ctx: &Ctx, log: &dyn PatchLog) -> Result<Opened, OpError> {
    let tips = log.tips()?;
    Ok(read(ctx, log, tips)?.opened())
}

/// The folded patches, for writing.
pub(super) struct Held {
    pub(super) fold: Fold,
    pub(super) tips: Arc<Tips>,
    pub(super) graph: Arc<Graph>,
    /// What was read beyond the snapshot.
    replayed: Replayed,
}

#[derive(Clone, Copy, Default)]
struct Replayed {
    patches: usize,
    bytes: usize,
}

impl Held {
    fn opened(&self) -> Opened {
        Opened {
            graph: Arc::clone(&self.graph),
            tips: Arc::clone(&self.tips),
            patches: self.fold.counts().0,
            unpushed: self.unpushed(),
            is_cut: self.is_cut(),
            as_of: None,
        }
    }

    /// Patches of the own chain above the newest of its copies that was fetched or pushed.
    fn unpushed(&self) -> usize {
        let (Some(writer), Some(own)) = (self.tips.writer.as_deref(), self.tips.own()) else {
            return 0;
        };
        let name = format!("/w/{writer}");
        let copies = (self.tips.tips.iter()).filter(|tip| !tip.own && tip.reference.ends_with(&name));
        let copies: Vec<ObjectId> = copies.map(|tip| tip.id).collect();
        if copies.contains(&own) {
            0
        } else {
            self.fold.written_above(writer, &copies)
        }
    }

    fn is_cut(&self) -> bool {
        !self.fold.missing().is_empty()
    }

    /// Nothing is written over a graph that is not there whole: what is missing would be taken for removed.
    pub(super) fn check_whole(&self, log: &dyn PatchLog) -> Result<(), OpError> {
        if !self.is_cut() {
            return Ok(());
        }
        Err(OpError::new(ErrorKind::Unavailable, CUT).hint(cut_hint(log)))
    }

    /// Keeps a snapshot after a patch was appended, if one is worth its while by now.
    pub(super) fn appended(&self, ctx: &Ctx, patch: &RawPatch<'_>) {
        let mut replayed = self.replayed;
        replayed.count(patch);
        if !replayed.is_much() {
            return;
        }
        let mut fold = self.fold.clone();
        fold.take(patch);
        fold.finish();
        let own = self.tips.own();
        let mut tips: Vec<ObjectId> = self.tips.ids().into_iter().filter(|tip| Some(*tip) != own).collect();
        tips.push(patch.id);
        keep(ctx.port::<dyn PatchLog>(), NAME, &tips, &fold);
    }
}

impl Replayed {
    fn count(&mut self, patch: &RawPatch<'_>) {
        self.patches += 1;
        self.bytes += patch.message.len() + patch.blobs.iter().map(|blob| blob.len()).sum::<usize>();
    }

    fn is_much(self) -> bool {
        self.patches > PATCHES || self.bytes > BYTES
    }
}

/// What the log says now; in a process that stays it is read once for each state of the log.
pub(super) fn hold(ctx: &Ctx) -> Result<Arc<Held>, OpError> {
    let log = ctx.port::<dyn PatchLog>();
    let tips = log.tips()?;
    let mut hasher = DefaultHasher::new();
    for tip in &tips.tips {
        (&tip.reference, tip.id, tip.own).hash(&mut hasher);
    }
    (&tips.writer, &tips.head, &tips.faults).hash(&mut hasher);
    let stamp = hasher.finish();
    ctx.ports.memo.get_or("mind", stamp, || read(ctx, log, tips))
}

fn read(ctx: &Ctx, log: &dyn PatchLog, tips: Tips) -> Result<Held, OpError> {
    let ids = tips.ids();
    let (fold, replayed) = match kept(log, NAME) {
        Some((covered, fold)) => match replay(ctx, log, &ids, fold, Some(&covered))? {
            Some(done) => done,
            None => refold(ctx, log, &ids)?,
        },
        None => refold(ctx, log, &ids)?,
    };
    if replayed.is_much() {
        keep(log, NAME, &ids, &fold);
    }
    Ok(Held {
        graph: fold.graph(),
        tips: Arc::new(tips),
        fold,
        replayed: if replayed.is_much() {
            Replayed::default()
        } else {
            replayed
        },
    })
}

fn refold(ctx: &Ctx, log: &dyn PatchLog, tips: &[ObjectId]) -> Result<(Fold, Replayed), OpError> {
    let done = replay(ctx, log, tips, Fold::empty(), None)?;
    Ok(done.unwrap_or_default())
}

/// Reads what a fold does not cover yet. Nothing if it covers what no reference leads to any more: then references were moved back or taken away.
fn replay(
    ctx: &Ctx,
    log: &dyn PatchLog,
    tips: &[ObjectId],
    mut fold: Fold,
    covered: Option<&[ObjectId]>,
) -> Result<Option<(Fold, Replayed)>, OpError> {
    let mut replayed = Replayed::default();
    let mut met: HashSet<ObjectId> = tips.iter().copied().collect();
    if tips.iter().any(|tip| !fold.knows(tip)) {
        let mut read = Vec::new();
        let known = |id: &ObjectId| fold.knows(id);
        log.walk(
            tips,
            &known,
            &mut |patch| {
                replayed.count(patch);
                met.extend(patch.parents.iter().copied());
                let (incoming, descend) = Fold::read(patch);
                read.push(incoming);
                descend
            },
            &ctx.cancel,
        )?;
        read.into_iter().for_each(|incoming| fold.receive(incoming));
        fold.finish();
    }
    if covered.is_some_and(|covered| covered.iter().any(|tip| !met.contains(tip))) {
        return Ok(None);
    }
    Ok(Some((fold, replayed)))
}

/// The graph that a patch and its ancestors say.
struct Past {
    graph: Arc<Graph>,
    patches: usize,
}

fn past(ctx: &Ctx, patch: &ObjectId) -> Result<Arc<Past>, OpError> {
    let log = ctx.port::<dyn PatchLog>();
    let key = format!("mind at {patch}");
    ctx.ports.memo.get_or(&key, 0, || {
        let name = format!("at-{patch}");
        let fold = match kept(log, &name) {
            Some((_, fold)) => fold,
            None => {
                let (fold, replayed) = refold(ctx, log, &[*patch])?;
                if replayed.is_much() {
                    keep(log, &name, &[*patch], &fold);
                }
                fold
            }
        };
        Ok(Past {
            graph: fold.graph(),
            patches: fold.counts().0,
        })
    })
}

/// A snapshot with the tips that it covers, if there is one that is whole.
fn kept(log: &dyn PatchLog, name: &str) -> Option<(Vec<ObjectId>, Fold)> {
    let bytes = log.snapshot(name)?;
    let (fold, tips) = Fold::open(bytes).ok()?;
    Some((tips, fold))
}

fn keep(log: &dyn PatchLog, name: &str, tips: &[ObjectId], fold: &Fold) {
    if !fold.missing().is_empty() {
        return;
    }
    // A tip that a patch has as a parent is there as long as that patch is: a copy that lags behind its chain may move on.
    let tips: Vec<ObjectId> = tips.iter().copied().filter(|tip| !fold.has_child(tip)).collect();
    log.keep_snapshot(name, &fold.snapshot(&tips));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::graph::Graph;
    use super::super::testing::{MemoryLog, lore};
    use super::{NAME, kept, open, refold};
    use crate::patch_log::PatchLog as _;

    const NOW: u64 = 1_770_733_800_000;

    /// A log of so many patches, and its own reference.
    fn log_of(patches: usize) -> (Arc<MemoryLog>, String) {
        let log = Arc::new(MemoryLog::default());
        for at in 0..patches {
            link(&log, at);
        }
        let references = log.references();
        let own = references.keys().next().expect("a reference").clone();
        (log, own)
    }

    fn link(log: &Arc<MemoryLog>, at: usize) {
        let told = lore(&log.ctx(NOW), &format!("link task:{at} task:{} --type blocks", at + 1));
        assert_eq!(told.code, 0, "{}", told.text);
    }

    fn read(log: &Arc<MemoryLog>) -> Arc<Graph> {
        open(&log.ctx(NOW), None).expect("a graph").graph
    }

    fn read_anew(log: &Arc<MemoryLog>) -> Arc<Graph> {
        let tips: Vec<_> = log.references().into_values().collect();
        let (fold, _) = refold(&log.ctx(NOW), &**log, &tips).expect("a fold");
        fold.graph()
    }

    #[test]
    fn store12_a_snapshot_is_kept_when_it_helps_and_reads_as_the_patches_do() {
        let (log, _) = log_of(200);
        assert!(log.snapshot_names().is_empty(), "it would not help yet");
        link(&log, 200);
        assert_eq!(log.snapshot_names(), [NAME]);
        let (covered, _) = kept(&*log, NAME).expect("whole");
        assert_eq!(covered, log.references().into_values().collect::<Vec<_>>());
        link(&log, 201);
        assert_eq!(
            kept(&*log, NAME).expect("whole").0,
            covered,
            "one more patch is read beyond it"
        );
        assert_eq!((read(&log), read(&log).edge_count()), (read_anew(&log), 202));
    }

    #[test]
    fn store13_references_that_were_moved_back_or_taken_away_are_read_anew() {
        let (log, own) = log_of(202);
        assert_eq!(log.snapshot_names(), [NAME]);
        let (other, _) = log_of(1);
        let theirs = other.references().into_values().next().expect("a tip");
        log.fetch(&other, "origin");
        assert_eq!(read(&log), read_anew(&log));
        let before = log.references()[&own];
        log.move_reference(&own, Some(theirs));
        assert_eq!((read(&log), read(&log).edge_count()), (read_anew(&log), 1));
        log.move_reference(&own, Some(before));
        assert_eq!((read(&log), read(&log).edge_count()), (read_anew(&log), 202));
        log.move_reference(&own, None);
        log.move_reference("refs/lore/mind/remotes/origin/w/wwwwwwwwwwwwwwwwwwwwwwwwww", None);
        assert_eq!((read(&log).node_count(), read(&log).edge_count()), (0, 0));
    }

    #[test]
    fn store13_a_snapshot_that_is_not_whole_is_as_good_as_none() {
        let (log, _) = log_of(201);
        let whole = Vec::from((*log.snapshot(NAME).expect("kept")).as_ref());
        let expected = read_anew(&log);
        for at in (0..whole.len()).step_by(997) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            log.keep_snapshot(NAME, &bytes);
            assert_eq!(read(&log), expected, "byte {at}");
            log.keep_snapshot(NAME, &whole[..at]);
            assert_eq!(read(&log), expected, "cut at {at}");
        }
    }
}
