//! The graph of this repository: what its log says, read through a snapshot where one helps (clauses Store12 and Store13).

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use lore_model::{SectionReader, SectionWriter};

use super::as_of::{AsOf, as_of};
use super::fold::Fold;
use super::graph::Graph;
use crate::seam::{Ctx, ErrorKind, ObjectId, OpError, PatchLog, RawPatch, Tips};

/// Patches that are read again and again before a snapshot is worth its while, and bytes of operations.
const PATCHES: usize = 200;
const BYTES: usize = 1 << 20;
/// The name of the snapshot of everything.
const NAME: &str = "graph";
const MAGIC: u32 = u32::from_le_bytes(*b"LMNS");
const VERSION: u32 = 1;
const TIPS: u32 = 1;
const FOLD: u32 = 2;

/// A graph that was opened.
#[derive(Clone)]
pub struct Opened {
    /// What it says.
    pub graph: Arc<Graph>,
    /// What was read.
    pub tips: Arc<Tips>,
    /// How many patches were read.
    pub patches: usize,
    /// Whether patches are missing: the history is cut.
    pub is_cut: bool,
    /// Which moment it is, if it is not now.
    pub as_of: Option<AsOf>,
}

impl Opened {
    /// What whoever reads it has to know.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.is_cut {
            remarks.push(format!("{CUT}; what they say is missing here"));
        }
        match self.graph.skipped().len() {
            0 => {}
            1 => remarks.push("1 patch was skipped; `lore mind doctor` names it".to_owned()),
            many => remarks.push(format!("{many} patches were skipped; `lore mind doctor` names them")),
        }
        remarks
    }
}

const CUT: &str = "the history of the graph is cut: older patches are not in this clone";

/// The graph as it is now, or as it was at a commit of the code.
pub fn open(ctx: &Ctx, at: Option<&str>) -> Result<Opened, OpError> {
    let held = hold(ctx)?;
    let Some(revision) = at else {
        return Ok(held.opened());
    };
    let as_of = as_of(ctx, &held, revision)?;
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

/// What was folded, for whoever writes.
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
            is_cut: self.is_cut(),
            as_of: None,
        }
    }

    fn is_cut(&self) -> bool {
        !self.fold.missing().is_empty()
    }

    /// Nothing is written over a graph that is not there whole: what is missing would be taken for removed.
    pub(super) fn check_whole(&self) -> Result<(), OpError> {
        match self.is_cut() {
            true => Err(OpError::new(ErrorKind::Unavailable, CUT)
                .hint("`git fetch --unshallow` brings them; nothing is written before that")),
            false => Ok(()),
        }
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
        keep(&*ctx.ports.mind, NAME, &tips, &fold);
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
    let log = &ctx.ports.mind;
    let tips = log.tips()?;
    let mut hasher = DefaultHasher::new();
    for tip in &tips.tips {
        (&tip.reference, tip.id, tip.own).hash(&mut hasher);
    }
    (&tips.writer, &tips.head, &tips.faults).hash(&mut hasher);
    let stamp = hasher.finish();
    ctx.ports.memo.get_or("mind", stamp, || read(ctx, &**log, tips))
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
        graph: Arc::new(fold.graph()),
        tips: Arc::new(tips),
        fold,
        replayed: match replayed.is_much() {
            true => Replayed::default(),
            false => replayed,
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
    let log = &*ctx.ports.mind;
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
            graph: Arc::new(fold.graph()),
            patches: fold.counts().0,
        })
    })
}

/// A snapshot with the tips that it covers, if there is one that is whole.
fn kept(log: &dyn PatchLog, name: &str) -> Option<(Vec<ObjectId>, Fold)> {
    let bytes = log.snapshot(name)?;
    let bytes: &[u8] = (*bytes).as_ref();
    let reader = SectionReader::open(bytes, MAGIC, VERSION).ok()?;
    reader.verify(bytes).ok()?;
    let mut tips = Vec::new();
    let mut rest = bytes.get(reader.range(TIPS).ok()?)?;
    while let Some((len, after)) = rest.split_first() {
        let (id, after) = after.split_at_checked(usize::from(*len))?;
        tips.push(ObjectId::new(id)?);
        rest = after;
    }
    let fold = Fold::open(bytes.get(reader.range(FOLD).ok()?)?).ok()?;
    Some((tips, fold))
}

fn keep(log: &dyn PatchLog, name: &str, tips: &[ObjectId], fold: &Fold) {
    if !fold.missing().is_empty() {
        return;
    }
    let mut covered = Vec::new();
    for tip in tips {
        covered.push(tip.as_bytes().len() as u8);
        covered.extend_from_slice(tip.as_bytes());
    }
    let fold = fold.snapshot();
    let mut writer = SectionWriter::new(MAGIC, VERSION);
    writer.section(TIPS, &covered);
    writer.section(FOLD, &fold);
    log.keep_snapshot(name, &writer.finish());
}
