//! The binary containers that Lore writes itself, and the patches of the mind graph. An input is a container whose checksums are
//! made right before it is read: a fuzzer cannot guess them, an attacker can compute them.

use lore_mind::raw_patch::RawPatch;
use std::sync::Arc;

use lore_index::{FactsKey, FactsStore, IndexOptions, Listing, ReadError, SourceError, SourceFile, SourceTree, index};
use lore_mind::fold::Fold;
use lore_mind::patch::decode;
use lore_model::{Cancel, CodeGraph, FileFacts, NoProgress, RepoPath, SectionWriter};
use lore_seam::ObjectId;

use crate::walk::walk;

const HEADER: usize = 28;
const ENTRY: usize = 28;

/// The container with its lengths made possible and its checksums made right; nothing if it has no table.
fn sealed(data: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?));
    let (magic, version, count) = (word(0)?, word(4)?, word(8)? as usize);
    let table = data.get(HEADER..HEADER + count.checked_mul(ENTRY)?)?;
    let mut rest = data.get(HEADER + table.len()..)?;
    let mut writer = SectionWriter::new(magic, version);
    for entry in table.chunks_exact(ENTRY) {
        let id = u32::from_le_bytes(entry[..4].try_into().ok()?);
        let len = u64::from_le_bytes(entry[12..20].try_into().ok()?);
        let (section, behind) = rest.split_at(usize::try_from(len).unwrap_or(usize::MAX).min(rest.len()));
        writer.section(id, section);
        rest = behind;
    }
    Some(writer.finish())
}

pub(crate) fn snapshot(data: &[u8]) {
    let _ = CodeGraph::open(Arc::new(data.to_vec()));
    let Some(bytes) = sealed(data) else { return };
    let len = bytes.len() as u64;
    let Ok(graph) = CodeGraph::open(Arc::new(bytes)) else {
        return;
    };
    let is_whole = graph.verify().is_ok();
    let walked = walk(&graph);
    if is_whole {
        assert!(walked.rows <= 4 * len, "{walked:?} of {len} bytes");
        assert!(walked.bytes <= 256 * len, "{walked:?} of {len} bytes");
    }
}

/// Two files: the facts of one are given, those of the other are extracted.
struct Tree<'d> {
    facts: &'d [u8],
}

const OTHER: &str =
    "from given import *\nimport given\n\nclass Own(given.Base):\n    def f(self):\n        return given.f(self)\n";

impl SourceTree for Tree<'_> {
    fn list(&self) -> Result<Listing, SourceError> {
        let file = |path: &str, hash: u8| SourceFile {
            path: RepoPath::new(path).unwrap(),
            size: OTHER.len() as u64,
            hash: Some(lore_model::ContentHash([hash; 20])),
        };
        Ok(Listing {
            files: vec![file("given.py", 1), file("other.py", 2)],
            skipped: Vec::new(),
        })
    }

    fn read(&self, _: &SourceFile) -> Result<Vec<u8>, ReadError> {
        Ok(OTHER.as_bytes().to_vec())
    }
}

impl FactsStore for Tree<'_> {
    fn get(&self, key: FactsKey) -> Option<&[u8]> {
        (key.hash.0[0] == 1).then_some(self.facts)
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}

pub(crate) fn facts(data: &[u8]) {
    let _ = FileFacts::from_bytes(data);
    let Some(bytes) = sealed(data) else { return };
    let Ok(facts) = FileFacts::from_bytes(&bytes) else {
        return;
    };
    assert_eq!(
        FileFacts::from_bytes(&facts.to_bytes()).as_ref(),
        Ok(&facts),
        "facts read back as they were written"
    );
    let tree = Tree { facts: &bytes };
    let indexed = index(&tree, &tree, &IndexOptions::default(), &NoProgress, &Cancel::default());
    let indexed = indexed.unwrap_or_else(|error| panic!("two files are indexed: {error}"));
    let graph = CodeGraph::open(Arc::new(indexed.snapshot.to_bytes())).unwrap();
    if let Err(error) = graph.verify() {
        panic!("facts that are accepted make a snapshot that is not: {error}");
    }
    walk(&graph);
}

pub(crate) fn stamps(data: &[u8]) {
    let _ = lore_backends::StatTable::from_bytes(data);
    let Some(bytes) = sealed(data) else { return };
    let _ = lore_backends::StatTable::from_bytes(&bytes);
}

/// The first two bytes say how long the table is; the rest is the segment.
pub(crate) fn segment(data: &[u8]) {
    let Some((len, rest)) = data.split_first_chunk::<2>() else {
        return;
    };
    let (table, segment) = rest.split_at((u16::from_le_bytes(*len) as usize).min(rest.len()));
    let _ = lore_backends::found_in_segment(segment.to_vec(), table.to_vec());
}

pub(crate) fn history(data: &[u8]) {
    let _ = lore_backends::read_history(data, 0);
    let Some(bytes) = sealed(data) else { return };
    let _ = lore_backends::read_history(&bytes, 0);
}

pub(crate) fn mind_snapshot(data: &[u8]) {
    for bytes in [Some(data.to_vec()), sealed(data)].into_iter().flatten() {
        let Ok((mut fold, _)) = Fold::open(Arc::new(bytes)) else {
            continue;
        };
        fold.finish();
        let graph = fold.graph();
        let _ = (
            graph.node_count(),
            graph.edge_count(),
            fold.heads(),
            fold.missing(),
            fold.counts(),
        );
    }
}

/// Parts of the input are divided by lines of `====`: the message, then the blobs.
pub(crate) fn patch(data: &[u8]) {
    const DIVIDER: &[u8] = b"\n====\n";
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut rest = data;
    while let Some(at) = rest.windows(DIVIDER.len()).position(|window| window == DIVIDER) {
        parts.push(&rest[..=at]);
        rest = &rest[at + DIVIDER.len()..];
    }
    parts.push(rest);
    let raw = RawPatch {
        id: ObjectId::new(&[7; 20]).unwrap(),
        parents: Vec::new().into(),
        message: parts[0].to_vec().into(),
        blobs: parts[1..].iter().map(|blob| blob.to_vec().into()).collect(),
        fault: None,
    };
    let _ = decode(&raw);
    let mut fold = Fold::empty();
    fold.take(&raw);
    fold.finish();
    let graph = fold.graph();
    let _ = (graph.node_count(), graph.edge_count());
    let kept = fold.snapshot(&[]);
    let (read, _) = Fold::open(Arc::new(kept)).unwrap_or_else(|_| panic!("what is folded is read back"));
    assert_eq!(read.counts(), fold.counts(), "what is folded is read back");
}
