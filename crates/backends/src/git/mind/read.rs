//! Walking over patches: every commit is read once, into one buffer, and never by a process of its own.

use lore_mind::raw_patch::{Descend, RawPatch};
use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;
use gix::objs::{FindHeader as _, Kind, TreeRefIter};
use gix::prelude::{Find as _, FindExt as _};
use lore_mind::limits::Limits;
use lore_model::Cancel;
use lore_seam::{ErrorKind, ObjectId, OpError};

use super::open::OBJECT_BYTES;
use super::refs::{git_id, id_of};
use super::{because, process, unavailable};

/// What is kept of objects that were unpacked: commits of one chain are stored as differences to one another.
const PACK_CACHE_BYTES: usize = 32 << 20;
/// Bytes of a tree that lists blobs of operations.
const TREE_BYTES: u64 = 64 << 10;
/// Bytes of all blobs of one patch.
const BLOBS_BYTES: u64 = 512 << 20;
/// Patches of one graph.
const MAX_PATCHES: usize = 5_000_000;
/// The name of the operations in a patch's tree.
pub(super) const OPERATIONS: &str = "ops";
/// The message of every patch.
const MARK: &[u8] = b"Lore-Mind: ";

/// What a walk cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cost {
    /// Objects that were read.
    pub(super) objects: usize,
    /// Objects of which the kind and size were read.
    pub(super) headers: usize,
    /// Processes that were started.
    pub(super) processes: usize,
}

/// Gives every commit that the tips lead to and that is not known.
pub(super) fn walk(
    mut repository: gix::Repository,
    tips: &[ObjectId],
    known: &dyn Fn(&ObjectId) -> bool,
    visit: &mut dyn FnMut(&RawPatch<'_>) -> Descend,
    cancel: &Cancel,
) -> Result<Cost, OpError> {
    repository
        .objects
        .set_pack_cache(|| Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(PACK_CACHE_BYTES)));
    let mut reader = PatchReader {
        repository: &repository,
        commit: Vec::new(),
        other: Vec::new(),
        missing: Vec::new(),
        cost: Cost::default(),
    };
    let mut seen: HashSet<ObjectId> = tips.iter().copied().collect();
    let mut next: VecDeque<ObjectId> = seen.iter().copied().collect();
    next.make_contiguous().sort_unstable();
    let mut waiting = Vec::new();
    let mut asked: HashSet<gix::ObjectId> = HashSet::new();
    loop {
        while let Some(id) = next.pop_front() {
            if cancel.is_cancelled() {
                return Err(OpError::new(ErrorKind::Cancelled, "reading the graph was cancelled"));
            }
            if known(&id) {
                continue;
            }
            let patch = match reader.read(&id)? {
                Found::Nothing => continue,
                Found::Incomplete => {
                    waiting.push(id);
                    continue;
                }
                Found::Commit(patch) => patch,
            };
            if visit(&patch) == Descend::Yes {
                next.extend(patch.parents.iter().copied().filter(|parent| seen.insert(*parent)));
            }
            if seen.len() > MAX_PATCHES {
                let message = format!("the graph has more than {MAX_PATCHES} patches, which is more than Lore reads");
                return Err(unavailable(message));
            }
        }
        if waiting.is_empty() {
            return Ok(reader.cost);
        }
        let missing = std::mem::take(&mut reader.missing);
        if let Some(again) = missing.iter().find(|id| !asked.insert(**id)) {
            return Err(absent(again));
        }
        reader.cost.processes += 1;
        process::bring(&repository, &missing, cancel)?;
        next.extend(waiting.drain(..));
    }
}

/// The error for an object that a patch needs.
pub(super) fn absent(id: &gix::oid) -> OpError {
    unavailable(format!("the object {id} of a patch is not in this clone")).hint("`git fsck` names what is missing")
}

struct PatchReader<'r> {
    repository: &'r gix::Repository,
    commit: Vec<u8>,
    other: Vec<u8>,
    /// Objects that a partial clone has left on its server.
    missing: Vec<gix::ObjectId>,
    cost: Cost,
}

/// What the header of a commit says.
struct Header<'b> {
    tree: Option<gix::ObjectId>,
    parents: Vec<ObjectId>,
    has_encoding: bool,
    message: &'b [u8],
}

/// What there is under an id.
enum Found<'b> {
    Nothing,
    Commit(RawPatch<'b>),
    /// A commit whose objects have to be fetched first.
    Incomplete,
}

/// The blobs of a patch.
enum Blobs {
    Read(Vec<Vec<u8>>),
    Faulty(&'static str),
    Missing,
}

impl PatchReader<'_> {
    fn read(&mut self, id: &ObjectId) -> Result<Found<'_>, OpError> {
        let stranger = || {
            Found::Commit(RawPatch {
                id: *id,
                parents: Cow::Borrowed(&[]),
                message: Cow::Borrowed(b""),
                blobs: Vec::new(),
                fault: None,
            })
        };
        let Some(git_id) = git_id(self.repository, id) else {
            return Ok(Found::Nothing);
        };
        self.cost.objects += 1;
        let mut buffer = std::mem::take(&mut self.commit);
        let found = match self.repository.objects.try_find(&git_id, &mut buffer) {
            Ok(found) => found.map(|data| data.kind),
            Err(error) => {
                let header = self.repository.objects.try_header(&git_id);
                return match header {
                    Ok(Some(header)) if header.size > OBJECT_BYTES => Ok(stranger()),
                    _ => Err(because(&format!("the patch {id} cannot be read"), error)
                        .hint("`git fsck` names what is broken")),
                };
            }
        };
        self.commit = buffer;
        match found {
            None => return Ok(Found::Nothing),
            Some(Kind::Commit) => {}
            Some(_) => return Ok(stranger()),
        }
        let hash = self.repository.object_hash();
        let (tree, is_marked) = match header(&self.commit, hash) {
            Some(header) => (header.tree, header.message.find(MARK).is_some()),
            None => return Ok(stranger()),
        };
        // What does not even hold the word is none of the graph's, and its tree may be any size.
        let blobs = match tree.filter(|_| is_marked) {
            None => Blobs::Read(Vec::new()),
            Some(tree) => self.blobs(tree)?,
        };
        let Some(header) = header(&self.commit, hash) else {
            return Ok(stranger());
        };
        let (blobs, mut fault) = match blobs {
            Blobs::Read(blobs) => (blobs, None),
            Blobs::Faulty(why) => (Vec::new(), Some(why)),
            Blobs::Missing => return Ok(Found::Incomplete),
        };
        if header.has_encoding {
            fault = Some("its message is not in UTF-8");
        }
        Ok(Found::Commit(RawPatch {
            id: *id,
            parents: Cow::Owned(header.parents),
            message: Cow::Borrowed(header.message),
            blobs: blobs.into_iter().map(Cow::Owned).collect(),
            fault: fault.map(str::to_owned),
        }))
    }

    /// The blobs of operations in a tree: one that is called `ops`, or those in a directory of that name, `0000`, `0001` and so on.
    fn blobs(&mut self, tree: gix::ObjectId) -> Result<Blobs, OpError> {
        const SHAPE: Blobs = Blobs::Faulty("its tree is not that of a patch");
        if tree.is_empty_tree() {
            return Ok(Blobs::Read(Vec::new()));
        }
        let entries = match self.entries(tree)? {
            Ok(entries) => entries,
            Err(blobs) => return Ok(blobs),
        };
        let ids = match entries.as_slice() {
            [(name, EntryKind::Blob, id)] if name == OPERATIONS => vec![*id],
            [(name, EntryKind::Tree, id)] if name == OPERATIONS => {
                let entries = match self.entries(*id)? {
                    Ok(entries) => entries,
                    Err(blobs) => return Ok(blobs),
                };
                let is_chunk = |(at, (name, kind, _)): (usize, &(String, EntryKind, gix::ObjectId))| {
                    *kind == EntryKind::Blob && *name == chunk_name(at)
                };
                if !entries.iter().enumerate().all(is_chunk) {
                    return Ok(SHAPE);
                }
                entries.iter().map(|(_, _, id)| *id).collect()
            }
            _ => return Ok(SHAPE),
        };
        if ids.len() > Limits::BLOBS {
            return Ok(Blobs::Faulty("it has too many blobs"));
        }
        let (mut all, mut is_whole) = (0, true);
        for id in &ids {
            match self.size(*id, Kind::Blob)? {
                Some(Ok(size)) if size > Limits::BLOB_BYTES as u64 => {
                    return Ok(Blobs::Faulty("one of its blobs is larger than a patch's may be"));
                }
                Some(Ok(size)) => all += size,
                Some(Err(())) => return Ok(SHAPE),
                None => is_whole = false,
            }
        }
        if all > BLOBS_BYTES {
            return Ok(Blobs::Faulty("its blobs are larger in all than a patch's may be"));
        }
        if !is_whole {
            return Ok(Blobs::Missing);
        }
        let mut blobs = Vec::with_capacity(ids.len());
        for id in ids {
            self.cost.objects += 1;
            let mut blob = Vec::new();
            self.repository
                .objects
                .find(&id, &mut blob)
                .map_err(|error| because(&format!("the object {id} of a patch cannot be read"), error))?;
            blobs.push(blob);
        }
        Ok(Blobs::Read(blobs))
    }

    /// The entries of a tree, or what became of it instead.
    #[expect(
        clippy::type_complexity,
        reason = "the outer error is the world's, the inner one the patch's"
    )]
    fn entries(
        &mut self,
        tree: gix::ObjectId,
    ) -> Result<Result<Vec<(String, EntryKind, gix::ObjectId)>, Blobs>, OpError> {
        const SHAPE: Blobs = Blobs::Faulty("its tree is not that of a patch");
        match self.size(tree, Kind::Tree)? {
            None => return Ok(Err(Blobs::Missing)),
            Some(Ok(size)) if size <= TREE_BYTES => {}
            Some(_) => return Ok(Err(SHAPE)),
        }
        self.cost.objects += 1;
        let data = self
            .repository
            .objects
            .find(&tree, &mut self.other)
            .map_err(|error| because(&format!("the object {tree} of a patch cannot be read"), error))?;
        let mut entries = Vec::new();
        for entry in TreeRefIter::from_bytes(data.data, self.repository.object_hash()) {
            let Ok(entry) = entry else {
                return Ok(Err(SHAPE));
            };
            let name = entry.filename.to_str_lossy().into_owned();
            entries.push((name, entry.mode.kind(), entry.oid.to_owned()));
        }
        Ok(Ok(entries))
    }

    /// The size of an object; nothing if it is not there, an error if it is of another kind.
    fn size(&mut self, id: gix::ObjectId, kind: Kind) -> Result<Option<Result<u64, ()>>, OpError> {
        self.cost.headers += 1;
        let header = self
            .repository
            .objects
            .try_header(&id)
            .map_err(|error| because(&format!("the object {id} of a patch cannot be read"), error))?;
        Ok(match header {
            Some(header) if header.kind == kind => Some(Ok(header.size)),
            Some(_) => Some(Err(())),
            None => {
                self.missing.push(id);
                None
            }
        })
    }
}

/// What the blobs of a patch are called, where there are several.
pub(super) fn chunk_name(at: usize) -> String {
    format!("{at:04}")
}

/// The header of a commit and its message; nothing if it has none.
fn header(bytes: &[u8], hash: gix::hash::Kind) -> Option<Header<'_>> {
    let mut header = Header {
        tree: None,
        parents: Vec::new(),
        has_encoding: false,
        message: &[],
    };
    let id = |text: &[u8]| {
        (text.len() == hash.len_in_hex())
            .then(|| gix::ObjectId::from_hex(text).ok())
            .flatten()
    };
    let mut rest = bytes;
    loop {
        let (line, after) = rest.split_once_str("\n")?;
        rest = after;
        match line {
            b"" => break,
            line => {
                if let Some(tree) = line.strip_prefix(b"tree ") {
                    header.tree = Some(id(tree)?);
                } else if let Some(parent) = line.strip_prefix(b"parent ") {
                    header.parents.push(id_of(&id(parent)?)?);
                } else if line.starts_with(b"encoding ") {
                    header.has_encoding = true;
                }
            }
        }
    }
    header.message = rest;
    header.tree.is_some().then_some(header)
}
