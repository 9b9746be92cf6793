//! The history of a commit's files, kept beside the snapshots of revisions: it never changes, and walking back takes time.

use std::collections::BTreeMap;
use std::path::Path;

use lore_model::{ContentHash, SectionReader, SectionWriter, Text, TextBlob};
use lore_seam::{FileHistory, History};
use zerocopy::little_endian::{I64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::safe_fs::read_private_file;

const MAGIC: u32 = u32::from_le_bytes(*b"LHis");
/// To be raised whenever the same commit would be counted otherwise.
const VERSION: u32 = 1;
const HEAD: u32 = 0;
const TEXT: u32 = 1;
const ROWS: u32 = 2;
/// Bytes of a history.
const MOST_BYTES: u64 = 1 << 32;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    edge: U64,
    commits: U32,
    cut: U32,
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Row {
    path: Text,
    author: Text,
    time: I64,
    changes: U32,
    authors: U32,
    commit: ContentHash,
}

/// Reads a history; nothing if there is none, or one from when the clone reached back to other commits. The error says why it cannot be used.
pub(crate) fn load(path: &Path, edge: u64) -> Result<Option<History>, String> {
    let bytes = match read_private_file(path, MOST_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    read_history(&bytes, edge)
}

/// The history that Lore wrote, unless it is from when the clone reached back to other commits.
pub fn read_history(bytes: &[u8], edge: u64) -> Result<Option<History>, String> {
    let read = || {
        let reader = SectionReader::open(bytes, MAGIC, VERSION)?;
        reader.verify(bytes)?;
        Ok::<_, lore_model::SectionError>((reader.range(HEAD)?, reader.range(TEXT)?, reader.range(ROWS)?))
    };
    let (head, text, rows) = read().map_err(|error| error.to_string())?;
    let head = Head::read_from_bytes(&bytes[head]).map_err(|_| "its head is malformed".to_owned())?;
    if head.edge.get() != edge {
        return Ok(None);
    }
    let text = &bytes[text];
    let rows = <[Row]>::ref_from_bytes(&bytes[rows]).map_err(|_| "its rows are malformed".to_owned())?;
    let files = rows.iter().map(|row| {
        let history = FileHistory {
            changes: row.changes.get(),
            authors: row.authors.get(),
            last_commit: row.commit.to_string(),
            last_changed: row.time.get(),
            last_author: row.author.of(text).to_owned(),
        };
        (row.path.of(text).to_owned(), history)
    });
    Ok(Some(History {
        commits: head.commits.get(),
        cut: head.cut.get() != 0,
        files: files.collect(),
    }))
}

/// The bytes of a history.
pub(crate) fn to_bytes(history: &History, edge: u64) -> std::io::Result<Vec<u8>> {
    let mut text = TextBlob::default();
    let mut authors: BTreeMap<&str, Text> = BTreeMap::new();
    let mut rows = Vec::with_capacity(history.files.len());
    for (path, file) in &history.files {
        let author = *authors
            .entry(&file.last_author)
            .or_insert_with(|| text.push(&file.last_author));
        rows.push(Row {
            path: text.push(path),
            author,
            time: file.last_changed.into(),
            changes: file.changes.into(),
            authors: file.authors.into(),
            commit: commit_id(&file.last_commit)?,
        });
    }
    let head = Head {
        edge: edge.into(),
        commits: history.commits.into(),
        cut: u32::from(history.cut).into(),
    };
    let mut writer = SectionWriter::new(MAGIC, VERSION);
    writer.section(HEAD, head.as_bytes());
    writer.section(TEXT, &text.0);
    writer.section(ROWS, rows.as_bytes());
    Ok(writer.finish())
}

fn commit_id(name: &str) -> std::io::Result<ContentHash> {
    let id = gix::ObjectId::from_hex(name.as_bytes()).map_err(std::io::Error::other)?;
    id.as_slice().try_into().map(ContentHash).map_err(std::io::Error::other)
}
