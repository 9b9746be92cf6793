//! What every file looked like when it was last read: size, times and inode, as git's index keeps them.
//!
//! A file whose stamp is the same has the same content, unless it was written in the same instant as the table: such a stamp
//! is not trusted.

use std::fs::Metadata;
use std::path::Path;

use lore_index::SkippedFile;
use lore_model::{ContentHash, RepoPath, SectionReader, SectionWriter, Text, TextBlob};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{I64, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::replace;
use crate::safe_fs::read_private_file;

const MAGIC: u32 = u32::from_le_bytes(*b"LStp");
const VERSION: u32 = 2;
const HEAD: u32 = 0;
const TEXT: u32 = 1;
const ROWS: u32 = 2;
const OPTIONS: u32 = 3;
/// Bytes of a table.
const MOST_BYTES: u64 = 1 << 32;
/// Clocks of file systems tick this coarsely, in nanoseconds.
const CLOCK_GRAIN: i64 = 20_000_000;

/// What a file looks like from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct Stamp {
    size: U64,
    modified: I64,
    changed: I64,
    inode: U64,
}

impl Stamp {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
        Self {
            size: metadata.len().into(),
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()).into(),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()).into(),
            inode: metadata.ino().into(),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let since = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = since.map_or(0, |since| since.as_nanos() as i64);
        Self {
            size: metadata.len().into(),
            modified: modified.into(),
            changed: modified.into(),
            inode: 0.into(),
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size.get()
    }
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    taken: I64,
    listing: U64,
    options: U64,
    extractor: U64,
    snapshot: Stamp,
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Row {
    path: Text,
    stamp: Stamp,
    hash: ContentHash,
}

/// The stamps of one listing, and the options of the snapshot beside them.
#[derive(Clone, Default)]
pub struct StatTable {
    text: Vec<u8>,
    rows: Vec<Row>,
    taken: i64,
    listing: u64,
    options: u64,
    extractor: u64,
    snapshot: Stamp,
    remembered: String,
}

impl StatTable {
    /// Reads a table; the error says why it cannot be used, nothing means there is none.
    pub(crate) fn load(path: &Path) -> Result<Option<Self>, String> {
        let bytes = match read_private_file(path, MOST_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        Self::from_bytes(&bytes).map(Some)
    }

    /// The table that `save` wrote; the error says why it cannot be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let read = || {
            let reader = SectionReader::open(bytes, MAGIC, VERSION)?;
            reader.verify(bytes)?;
            Ok::<_, lore_model::SectionError>((
                reader.range(HEAD)?,
                reader.range(TEXT)?,
                reader.range(ROWS)?,
                reader.range(OPTIONS)?,
            ))
        };
        let (head, text, rows, options) = read().map_err(|error| error.to_string())?;
        let head = Head::read_from_bytes(&bytes[head]).map_err(|_| "its head is malformed".to_owned())?;
        let rows = <[Row]>::ref_from_bytes(&bytes[rows])
            .map_err(|_| "its rows are malformed".to_owned())?
            .to_vec();
        Ok(Self {
            text: bytes[text].to_vec(),
            rows,
            taken: head.taken.get(),
            listing: head.listing.get(),
            options: head.options.get(),
            extractor: head.extractor.get(),
            snapshot: head.snapshot,
            remembered: String::from_utf8_lossy(&bytes[options]).into_owned(),
        })
    }

    /// A table of what a listing saw. `taken` is the time before the listing began, in nanoseconds; files it does not name
    /// the content of keep none.
    pub(crate) fn new(
        stamps: &[(RepoPath, Stamp)],
        contents: &[(RepoPath, ContentHash)],
        taken: i64,
        listing: u64,
        options: u64,
        remembered: &str,
    ) -> Self {
        let mut text = TextBlob::default();
        let mut rows = Vec::with_capacity(contents.len());
        let mut stamps = stamps.iter().peekable();
        for (path, hash) in contents {
            while stamps.next_if(|(other, _)| other < path).is_some() {}
            if let Some((_, stamp)) = stamps.next_if(|(other, _)| other == path) {
                rows.push(Row {
                    path: text.push(path.as_str()),
                    stamp: *stamp,
                    hash: *hash,
                });
            }
        }
        Self {
            text: text.0,
            rows,
            taken,
            listing,
            options,
            extractor: u64::from(lore_index::EXTRACTOR_VERSION),
            snapshot: Stamp::default(),
            remembered: remembered.to_owned(),
        }
    }

    /// Writes the table.
    pub(crate) fn save(&self, path: &Path) -> std::io::Result<()> {
        let head = Head {
            taken: self.taken.into(),
            listing: self.listing.into(),
            options: self.options.into(),
            extractor: self.extractor.into(),
            snapshot: self.snapshot,
        };
        let mut writer = SectionWriter::new(MAGIC, VERSION);
        writer.section(HEAD, head.as_bytes());
        writer.section(TEXT, &self.text);
        writer.section(ROWS, self.rows.as_bytes());
        writer.section(OPTIONS, self.remembered.as_bytes());
        replace(path, &writer.finish())
    }

    /// The table, with the look of the snapshot that belongs to it.
    pub(crate) fn with_snapshot(mut self, snapshot: Stamp) -> Self {
        self.snapshot = snapshot;
        self
    }

    /// Whether the snapshot still looks as it did when it was written.
    pub(crate) fn knows_snapshot(&self, snapshot: Stamp) -> bool {
        self.snapshot == snapshot
    }

    /// The options under which the last index was made, as they were remembered.
    pub(crate) fn remembered(&self) -> &str {
        &self.remembered
    }

    /// Whether the snapshot beside this table was built from this listing with these options.
    pub(crate) fn describes(&self, listing: u64, options: u64) -> bool {
        self.listing == listing && self.options == options && self.extractor == u64::from(lore_index::EXTRACTOR_VERSION)
    }

    /// The content of a file that looks as it did.
    pub(crate) fn hash_of(&self, path: &RepoPath, stamp: &Stamp) -> Option<ContentHash> {
        let at = self
            .rows
            .binary_search_by(|row| row.path.of(&self.text).cmp(path.as_str()))
            .ok()?;
        let row = self.rows.get(at)?;
        (row.stamp == *stamp && self.trusts(stamp)).then_some(row.hash)
    }

    /// A table without rows that was taken at a time, for the question whether a stamp can be trusted.
    pub(crate) fn taken_at(taken: i64) -> Self {
        Self {
            taken,
            ..Self::default()
        }
    }

    /// Whether a file was last written well before the table was made.
    pub(crate) fn trusts(&self, stamp: &Stamp) -> bool {
        let written = stamp.modified.get().max(stamp.changed.get());
        written.saturating_add(CLOCK_GRAIN) < self.taken
    }
}

/// A number that differs when the tree may: every path, and the stamp of every file (those whose content does not matter have none).
pub(crate) fn listing_fingerprint(stamps: &[(RepoPath, Stamp)], skipped: &[SkippedFile]) -> u64 {
    let mut hasher = Xxh3::new();
    for (path, stamp) in stamps {
        hasher.update(path.as_str().as_bytes());
        hasher.update(&[0]);
        hasher.update(stamp.as_bytes());
    }
    for file in skipped {
        hasher.update(file.path.as_bytes());
        hasher.update(&[0, file.reason as u8]);
        hasher.update(file.detail.as_bytes());
    }
    hasher.digest()
}
