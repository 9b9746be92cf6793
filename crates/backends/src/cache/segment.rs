//! One segment of the facts store: a file of records that is only appended to, and beside it a hash table of where each record begins.
//!
//! A record is `hash 20 · class 4 · length 4 · checksum 8 · bytes`. The checksum covers the key, the length and the bytes of short
//! records; long records are containers with checksums of their own. The table covers a prefix of the segment; records behind
//! that prefix are found by reading their heads when the segment is opened. A lookup checks the record that the table names, so a damaged
//! table causes misses and never a wrong record.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lore_index::FactsKey;
use lore_model::ContentHash;
use xxhash_rust::xxh3::Xxh3;

use super::private;
use crate::cache::map::{map, map_growing};

const MAGIC: &[u8; 8] = b"LoreFct2";
const RECORD_HEAD: usize = 36;
const TABLE_MAGIC: &[u8; 8] = b"LoreFix1";
const TABLE_HEAD: usize = 24;
const SLOT: usize = 32;
/// A lookup gives up after so many occupied slots; the record is then extracted again.
const MAX_PROBES: usize = 64;
/// Records behind the table that are tolerated before the table is written again.
const TOLERATED_TAIL: usize = 256;
/// The checksum in the head of a record covers its bytes up to this length.
const CHECKED_BYTES: usize = 64;

type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The number of a segment. Later segments have higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SegmentNumber(pub(super) u32);

impl SegmentNumber {
    /// The number in the name of a segment file; none for any other name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let digits = name.strip_suffix(".facts")?;
        let is_number = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok().map(Self))?
    }

    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    pub(super) fn data_path(self, directory: &Path) -> PathBuf {
        directory.join(format!("{:08}.facts", self.0))
    }

    pub(super) fn table_path(self, directory: &Path) -> PathBuf {
        directory.join(format!("{:08}.table", self.0))
    }
}

/// How many records of a segment in memory are found through its table. For the fuzzer, which has no files.
pub fn found_in_segment(data: Vec<u8>, table: Vec<u8>) -> usize {
    let Ok(segment) = Segment::of(SegmentNumber(0), Arc::new(data), Some(Arc::new(table))) else {
        return 0;
    };
    let keys = records((*segment.data).as_ref()).map(|(_, record)| record.key);
    keys.filter(|key| segment.get(*key).is_some()).count()
}

/// An opened segment.
pub(super) struct Segment {
    pub(super) number: SegmentNumber,
    data: Bytes,
    table: Option<Bytes>,
    /// The records behind the table, by key.
    tail: HashMap<FactsKey, usize>,
    /// The end of the last whole record.
    end: usize,
    used: AtomicBool,
}

impl Segment {
    /// Opens a segment of a directory; the error says why it cannot be read.
    pub(super) fn open(directory: &Path, number: SegmentNumber) -> io::Result<Self> {
        let data = map_growing(&number.data_path(directory))?;
        Self::of(number, data, map(&number.table_path(directory)).ok())
    }

    fn of(number: SegmentNumber, data: Bytes, table: Option<Bytes>) -> io::Result<Self> {
        let bytes = (*data).as_ref();
        if bytes.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            return Err(io::Error::other("it is not a segment of facts"));
        }
        let covered = table
            .as_ref()
            .and_then(|table| covered_by((**table).as_ref(), bytes.len()));
        let mut segment = Self {
            number,
            table: table.filter(|_| covered.is_some()),
            tail: HashMap::new(),
            end: covered.unwrap_or(MAGIC.len()),
            used: AtomicBool::new(false),
            data: Arc::clone(&data),
        };
        while let Some(record) = Record::at(bytes, segment.end) {
            segment.tail.insert(record.key, segment.end);
            segment.end = record.end;
        }
        Ok(segment)
    }

    /// The bytes of the record of a key.
    pub(super) fn get(&self, key: FactsKey) -> Option<&[u8]> {
        let data = (*self.data).as_ref();
        let record = match self.tail.get(&key) {
            Some(start) => Record::at(data, *start),
            None => self.table.as_ref().and_then(|table| {
                let starts = probes((**table).as_ref(), key)?;
                starts
                    .filter_map(|start| Record::at(data, start))
                    .find(|record| record.key == key)
            }),
        }?;
        self.used.store(true, Ordering::Relaxed);
        data.get(record.start..record.end)
    }

    /// Whether the file ends in the middle of a record, as a killed writer leaves it.
    pub(super) fn is_torn(&self) -> bool {
        self.end < self.len()
    }

    pub(super) fn len(&self) -> usize {
        (*self.data).as_ref().len()
    }

    /// How many records there are. Reads the head of every record.
    pub(super) fn count(&self) -> usize {
        records((*self.data).as_ref()).count()
    }

    /// Notes that the segment was used, for the choice of what is evicted first.
    pub(super) fn note_use(&self, directory: &Path) {
        if self.used.load(Ordering::Relaxed) {
            private::note_use(&self.number.data_path(directory));
        }
    }

    /// Appends records to this segment, and writes the table again when too many records are behind it. Only for the
    /// holder of the store's lock, on a segment opened under it that is not torn.
    pub(super) fn append(&self, directory: &Path, records: &[(FactsKey, &[u8])]) -> io::Result<()> {
        let path = self.number.data_path(directory);
        let mut file = BufWriter::with_capacity(1 << 20, private::append(&path)?);
        for (key, bytes) in records {
            write_record(&mut file, *key, bytes)?;
        }
        file.flush()?;
        drop(file);
        if self.tail.len() + records.len() > TOLERATED_TAIL {
            let bytes = map_growing(&path)?;
            super::replace(&self.number.table_path(directory), &table_of((*bytes).as_ref()))?;
        }
        Ok(())
    }

    /// Creates an empty segment. It has its name only once it is whole, because readers need no lock.
    pub(super) fn create(directory: &Path, number: SegmentNumber) -> io::Result<Self> {
        super::replace(&number.data_path(directory), MAGIC)?;
        Self::open(directory, number)
    }
}

/// A whole record.
struct Record {
    key: FactsKey,
    /// Where its bytes begin.
    start: usize,
    /// Where its bytes end.
    end: usize,
}

impl Record {
    /// The record whose head is at an offset.
    fn at(data: &[u8], at: usize) -> Option<Self> {
        let start = at.checked_add(RECORD_HEAD)?;
        let head = data.get(at..start)?;
        let hash = ContentHash(head[..20].try_into().ok()?);
        let class = u32::from_le_bytes(head[20..24].try_into().ok()?);
        let len = u32::from_le_bytes(head[24..28].try_into().ok()?) as usize;
        let end = start.checked_add(len)?;
        let bytes = data.get(start..end)?;
        let checksum = u64::from_le_bytes(head[28..36].try_into().ok()?);
        (checksum_of(&head[..28], bytes) == checksum).then_some(Self {
            key: FactsKey { hash, class },
            start,
            end,
        })
    }
}

fn checksum_of(head: &[u8], bytes: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(head);
    if bytes.len() <= CHECKED_BYTES {
        hasher.update(bytes);
    }
    hasher.digest()
}

fn write_record(out: &mut impl Write, key: FactsKey, bytes: &[u8]) -> io::Result<()> {
    let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let mut head = [0; RECORD_HEAD];
    head[..20].copy_from_slice(&key.hash.0);
    head[20..24].copy_from_slice(&key.class.to_le_bytes());
    head[24..28].copy_from_slice(&len.to_le_bytes());
    let checksum = checksum_of(&head[..28], bytes);
    head[28..].copy_from_slice(&checksum.to_le_bytes());
    out.write_all(&head)?;
    out.write_all(bytes)
}

/// Every whole record of a segment with its offset, up to the first one that is not whole.
fn records(data: &[u8]) -> impl Iterator<Item = (usize, Record)> {
    let mut at = MAGIC.len();
    std::iter::from_fn(move || {
        let record = Record::at(data, at)?;
        let start = at;
        at = record.end;
        Some((start, record))
    })
}

/// The table of a segment's records: `magic 8 · covered 8 · slots 8`, then slots of `hash 20 · class 4 · offset 8`.
fn table_of(data: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    let mut covered = MAGIC.len();
    for (start, record) in records(data) {
        found.push((start, record.key));
        covered = record.end;
    }
    let slots = (found.len() * 2).next_power_of_two().max(16);
    let mut table = vec![0; TABLE_HEAD + slots * SLOT];
    table[..8].copy_from_slice(TABLE_MAGIC);
    table[8..16].copy_from_slice(&(covered as u64).to_le_bytes());
    table[16..24].copy_from_slice(&(slots as u64).to_le_bytes());
    for (start, key) in found {
        let first = first_slot(key, slots);
        let free = (0..MAX_PROBES)
            .map(|step| TABLE_HEAD + ((first + step) & (slots - 1)) * SLOT)
            .find(|at| table[at + 24..at + SLOT] == [0; 8]);
        // A record that finds no slot is extracted again when it is needed.
        if let Some(at) = free {
            table[at..at + 20].copy_from_slice(&key.hash.0);
            table[at + 20..at + 24].copy_from_slice(&key.class.to_le_bytes());
            table[at + 24..at + SLOT].copy_from_slice(&(start as u64).to_le_bytes());
        }
    }
    table
}

fn first_slot(key: FactsKey, slots: usize) -> usize {
    let mut hasher = Xxh3::new();
    hasher.update(&key.hash.0);
    hasher.update(&key.class.to_le_bytes());
    hasher.digest() as usize & (slots - 1)
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?);
    usize::try_from(word).ok()
}

/// How much of a segment a table covers; none if it is not a table of a segment of this length.
fn covered_by(table: &[u8], len: usize) -> Option<usize> {
    let covered = word(table, 8)?;
    let slots = word(table, 16)?;
    let is_table = table.get(..8) == Some(TABLE_MAGIC.as_slice())
        && slots.is_power_of_two()
        && slots.checked_mul(SLOT)?.checked_add(TABLE_HEAD)? == table.len();
    (is_table && covered >= MAGIC.len() && covered <= len).then_some(covered)
}

/// The offsets under which a table may have a key.
fn probes(table: &[u8], key: FactsKey) -> Option<impl Iterator<Item = usize>> {
    let slots = word(table, 16).filter(|slots| slots.is_power_of_two())?;
    let first = first_slot(key, slots);
    let steps = (0..MAX_PROBES).map(move |step| TABLE_HEAD + ((first + step) & (slots - 1)) * SLOT);
    let slots = steps.map_while(move |at| {
        let slot = table.get(at..at + SLOT)?;
        let start = word(slot, 24).filter(|start| *start != 0)?;
        let is_key = slot[..20] == key.hash.0 && slot[20..24] == key.class.to_le_bytes();
        Some(is_key.then_some(start))
    });
    Some(slots.flatten())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn key(number: u32) -> FactsKey {
        let mut hash = [0; 20];
        hash[..4].copy_from_slice(&number.to_le_bytes());
        FactsKey {
            hash: ContentHash(hash),
            class: number % 3,
        }
    }

    fn filled(directory: &Path, numbers: std::ops::Range<u32>) -> Segment {
        let segment = match Segment::open(directory, SegmentNumber(1)) {
            Ok(segment) => segment,
            Err(_) => Segment::create(directory, SegmentNumber(1)).expect("created"),
        };
        let texts: Vec<String> = numbers.clone().map(|number| format!("facts of {number}")).collect();
        let records: Vec<(FactsKey, &[u8])> = numbers.map(key).zip(texts.iter().map(String::as_bytes)).collect();
        segment.append(directory, &records).expect("appended");
        Segment::open(directory, SegmentNumber(1)).expect("opened")
    }

    #[test]
    fn records_are_found_with_and_without_a_table() {
        let directory = tempfile::tempdir().expect("a directory");
        for end in [3, 200, 1_000, 1_005] {
            let start = [0, 3, 200, 1_000][[3, 200, 1_000, 1_005]
                .iter()
                .position(|other| *other == end)
                .expect("listed")];
            let segment = filled(directory.path(), start..end);
            assert_eq!(segment.count(), end as usize);
            for number in 0..end {
                assert_eq!(
                    segment.get(key(number)),
                    Some(format!("facts of {number}").as_bytes()),
                    "{number}"
                );
            }
            assert_eq!(segment.get(key(end)), None);
            assert_eq!(segment.table.is_some(), end > TOLERATED_TAIL as u32);
        }
    }

    #[test]
    fn a_torn_end_is_noticed_and_every_whole_record_is_found() {
        let directory = tempfile::tempdir().expect("a directory");
        filled(directory.path(), 0..5);
        let path = SegmentNumber(1).data_path(directory.path());
        let whole = fs::read(&path).expect("read");
        for cut in MAGIC.len()..whole.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            let segment = Segment::open(directory.path(), SegmentNumber(1)).expect("opened");
            for number in 0..5 {
                let found = segment.get(key(number));
                assert!(
                    found.is_none() || found == Some(format!("facts of {number}").as_bytes()),
                    "{cut}"
                );
            }
            assert_eq!(segment.is_torn(), segment.end < cut);
        }
        for cut in 0..MAGIC.len() {
            fs::write(&path, &whole[..cut]).expect("written");
            assert!(Segment::open(directory.path(), SegmentNumber(1)).is_err());
        }
    }

    #[test]
    fn no_flipped_byte_of_segment_or_table_yields_a_wrong_record() {
        let directory = tempfile::tempdir().expect("a directory");
        filled(directory.path(), 0..300);
        for path in [
            SegmentNumber(1).data_path(directory.path()),
            SegmentNumber(1).table_path(directory.path()),
        ] {
            let whole = fs::read(&path).expect("read");
            for at in (0..whole.len()).step_by(7) {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x11;
                fs::write(&path, &bytes).expect("written");
                let Ok(segment) = Segment::open(directory.path(), SegmentNumber(1)) else {
                    continue;
                };
                for number in (0..300).step_by(29) {
                    let found = segment.get(key(number));
                    assert!(
                        found.is_none() || found == Some(format!("facts of {number}").as_bytes()),
                        "{at}"
                    );
                }
            }
            fs::write(&path, &whole).expect("written");
        }
    }

    #[test]
    fn only_names_of_segments_are_numbers() {
        assert_eq!(SegmentNumber::of("00000012.facts"), Some(SegmentNumber(12)));
        for name in [
            "12.facts",
            "0000001a.facts",
            "00000012.table",
            "00000012.facts.new",
            "+0000012.facts",
        ] {
            assert_eq!(SegmentNumber::of(name), None, "{name}");
        }
    }
}
