//! The facts store of a user: facts by content, shared by all of the user's repositories, worktrees and clones.
//!
//! The store is a directory of numbered segments. Writers append to the newest segment under the store's lock; readers need no lock.
//! A segment that ends in the middle of a record is not appended to again. Nothing is rewritten in place: what is evicted is
//! a whole segment, the least recently used one first.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use lore_index::{FactsKey, FactsStore};

use super::private;
use super::segment::{Segment, SegmentNumber};

/// A segment of at least this many bytes is not appended to.
const SEGMENT_BYTES: usize = 64 << 20;
pub(super) const LOCK: &str = "lock";
/// How often a directory that another process removes is made again.
pub(super) const MOST_TRIES: usize = 16;

/// Whether facts that are stored are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Facts of contents seen before are used.
    Stored,
    /// Every file is extracted again; stored facts that differ from what is extracted are dropped.
    Anew,
}

/// The store, opened.
pub(crate) struct SharedFacts {
    directory: PathBuf,
    /// The newest first.
    segments: Vec<Segment>,
    reading: Reading,
    /// The place among the segments where the last record was found: files of one tree are mostly in one segment.
    last_hit: AtomicUsize,
    /// Segments that could not be read.
    damaged: Vec<SegmentNumber>,
    outcome: Mutex<Outcome>,
}

/// What became of the records that were put.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Why records could not be kept.
    pub(crate) fault: Option<io::Error>,
    /// Stored records that differed from a new extraction.
    pub(crate) differing: usize,
    /// Whether a new segment was begun, so that the store may have outgrown its limit.
    pub(crate) grew: bool,
}

impl SharedFacts {
    /// Opens the store in a directory that exists. Segments that cannot be read are left out, with a remark; [`SharedFacts::finish`] removes
    /// them.
    pub(crate) fn open(directory: &Path, reading: Reading) -> (Self, Option<String>) {
        let mut remark = None;
        let mut segments = Vec::new();
        let mut damaged = Vec::new();
        for number in numbers(directory) {
            match Segment::open(directory, number) {
                Ok(segment) => segments.push(segment),
                // Another process may have evicted it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let path = number.data_path(directory);
                    remark = Some(format!(
                        "{} is damaged ({error}); its files are extracted again",
                        path.display()
                    ));
                    damaged.push(number);
                }
            }
        }
        let store = Self {
            directory: directory.to_owned(),
            segments,
            reading,
            last_hit: AtomicUsize::new(0),
            damaged,
            outcome: Mutex::default(),
        };
        (store, remark)
    }

    /// How many records there are. Reads the head of every record.
    pub(crate) fn count(&self) -> usize {
        self.segments.iter().map(Segment::count).sum()
    }

    /// Notes which segments were used, removes those that are damaged, and says what became of the records that were put.
    pub(crate) fn finish(self) -> Outcome {
        // A segment that cannot be removed now is left out again by the next process.
        let _ = self.remove_damaged();
        for segment in &self.segments {
            segment.note_use(&self.directory);
        }
        self.outcome.into_inner().unwrap_or_default()
    }

    fn remove_damaged(&self) -> io::Result<()> {
        if self.damaged.is_empty() {
            return Ok(());
        }
        let _lock = lock(&self.directory)?;
        for number in &self.damaged {
            // Another process may have replaced it.
            match Segment::open(&self.directory, *number) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => remove_segment(&self.directory, *number)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn find(&self, key: FactsKey) -> Option<(usize, &[u8])> {
        let first = self.last_hit.load(Ordering::Relaxed);
        let others = (0..self.segments.len()).filter(|at| *at != first);
        std::iter::once(first).chain(others).find_map(|at| {
            let record = self.segments.get(at)?.get(key)?;
            Some((at, record))
        })
    }

    /// Appends what is not stored yet.
    fn store(&self, records: &[(FactsKey, Vec<u8>)], outcome: &mut Outcome) -> io::Result<()> {
        let lock = lock(&self.directory)?;
        if self.reading == Reading::Anew {
            outcome.differing = self.drop_differing(records)?;
        }
        // Other processes may have written since this one opened the store.
        let newest = numbers(&self.directory).first().copied();
        let mut current = match newest.map(|number| Segment::open(&self.directory, number)) {
            Some(Ok(segment)) if !segment.is_torn() && segment.len() < SEGMENT_BYTES => Some(segment),
            _ => None,
        };
        let is_dropped = |number: SegmentNumber| !number.data_path(&self.directory).exists();
        let known = |key: FactsKey| {
            current.as_ref().is_some_and(|segment| segment.get(key).is_some())
                || self
                    .find(key)
                    .is_some_and(|(at, _)| !is_dropped(self.segments[at].number))
        };
        let fresh: Vec<(FactsKey, &[u8])> = records
            .iter()
            .filter(|(key, _)| !known(*key))
            .map(|(key, bytes)| (*key, bytes.as_slice()))
            .collect();
        let mut number = newest;
        let mut rest = fresh.as_slice();
        while !rest.is_empty() {
            let segment = match current.take() {
                Some(segment) => segment,
                None => {
                    let next = number.map_or(SegmentNumber(1), SegmentNumber::next);
                    number = Some(next);
                    outcome.grew = true;
                    Segment::create(&self.directory, next)?
                }
            };
            let (part, behind) = rest.split_at(fitting(segment.len(), rest));
            segment.append(&self.directory, part)?;
            rest = behind;
        }
        drop(lock);
        Ok(())
    }

    /// Drops every segment with a record that differs from what was extracted now; how many records differed.
    fn drop_differing(&self, records: &[(FactsKey, Vec<u8>)]) -> io::Result<usize> {
        let mut differing = 0;
        for (key, bytes) in records {
            for segment in &self.segments {
                if segment.get(*key).is_some_and(|stored| stored != bytes.as_slice()) {
                    differing += 1;
                    remove_segment(&self.directory, segment.number)?;
                }
            }
        }
        Ok(differing)
    }
}

/// How many records still fit into a segment; at least one.
fn fitting(len: usize, records: &[(FactsKey, &[u8])]) -> usize {
    let mut len = len;
    let count = records
        .iter()
        .take_while(|(_, bytes)| {
            let fits = len < SEGMENT_BYTES;
            len = len.saturating_add(bytes.len());
            fits
        })
        .count();
    count.max(1)
}

/// The segments of a directory, the newest first.
pub(super) fn numbers(directory: &Path) -> Vec<SegmentNumber> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut numbers: Vec<SegmentNumber> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| SegmentNumber::of(entry.file_name().to_str()?))
        .collect();
    numbers.sort_unstable_by(|left, right| right.cmp(left));
    numbers
}

/// Removes a segment and its table.
pub(super) fn remove_segment(directory: &Path, number: SegmentNumber) -> io::Result<()> {
    private::remove(&number.table_path(directory))?;
    private::remove(&number.data_path(directory))?;
    Ok(())
}

/// Waits until no other process writes to the store. The lock ends with the file. A store that another process removed is made again.
pub(super) fn lock(directory: &Path) -> io::Result<File> {
    let mut tries = 0;
    loop {
        match private::lock(&directory.join(LOCK), &|| {}) {
            Ok((file, _)) => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MOST_TRIES => {
                private::directory(directory)?;
                tries += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

impl FactsStore for SharedFacts {
    fn get(&self, key: FactsKey) -> Option<&[u8]> {
        if self.reading == Reading::Anew {
            return None;
        }
        let (at, record) = self.find(key)?;
        self.last_hit.store(at, Ordering::Relaxed);
        Some(record)
    }

    fn put(&self, records: &[(FactsKey, Vec<u8>)]) {
        if records.is_empty() {
            return;
        }
        let mut outcome = Outcome::default();
        outcome.fault = self.store(records, &mut outcome).err();
        if let Ok(mut kept) = self.outcome.lock() {
            *kept = outcome;
        }
    }
}

#[cfg(test)]
mod tests {
    use lore_model::ContentHash;

    use super::*;

    fn record(number: u32, text: &str) -> (FactsKey, Vec<u8>) {
        let mut hash = [7; 20];
        hash[..4].copy_from_slice(&number.to_le_bytes());
        let hash = ContentHash(hash);
        (FactsKey { hash, class: 1 }, text.as_bytes().to_vec())
    }

    fn open(directory: &Path, reading: Reading) -> SharedFacts {
        let (store, remark) = SharedFacts::open(directory, reading);
        assert_eq!(remark, None);
        store
    }

    #[test]
    fn writers_that_opened_the_same_store_lose_nothing_and_store_nothing_twice() {
        let directory = tempfile::tempdir().expect("a directory");
        let (first, second) = (
            open(directory.path(), Reading::Stored),
            open(directory.path(), Reading::Stored),
        );
        first.put(&[record(1, "one"), record(2, "two")]);
        second.put(&[record(2, "two"), record(3, "three")]);
        let store = open(directory.path(), Reading::Stored);
        for (number, text) in [(1, "one"), (2, "two"), (3, "three")] {
            assert_eq!(store.get(record(number, "").0), Some(text.as_bytes()));
        }
        assert_eq!(store.count(), 3);
    }

    #[test]
    fn a_torn_segment_is_left_as_it_is_and_a_new_one_begun() {
        let directory = tempfile::tempdir().expect("a directory");
        open(directory.path(), Reading::Stored).put(&[record(1, "one"), record(2, "two")]);
        let path = SegmentNumber(1).data_path(directory.path());
        let bytes = fs::read(&path).expect("read");
        fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
        let store = open(directory.path(), Reading::Stored);
        assert_eq!(store.get(record(2, "").0), None);
        store.put(&[record(2, "two")]);
        assert!(store.finish().grew);
        let store = open(directory.path(), Reading::Stored);
        assert_eq!(store.get(record(1, "").0), Some(b"one".as_slice()));
        assert_eq!(store.get(record(2, "").0), Some(b"two".as_slice()));
        assert_eq!(numbers(directory.path()), [SegmentNumber(2), SegmentNumber(1)]);
    }

    #[test]
    fn stored_facts_that_differ_from_what_is_extracted_anew_are_dropped() {
        let directory = tempfile::tempdir().expect("a directory");
        open(directory.path(), Reading::Stored).put(&[record(1, "a lie"), record(2, "two")]);
        let store = open(directory.path(), Reading::Anew);
        assert_eq!(store.get(record(1, "").0), None);
        store.put(&[record(1, "the truth"), record(2, "two")]);
        assert_eq!(store.finish().differing, 1);
        let store = open(directory.path(), Reading::Stored);
        assert_eq!(store.get(record(1, "").0), Some(b"the truth".as_slice()));
        assert_eq!(store.get(record(2, "").0), Some(b"two".as_slice()));
    }

    #[test]
    fn a_file_that_is_not_a_segment_is_removed_by_whoever_finishes_and_not_by_readers() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(SegmentNumber(4).data_path(directory.path()), "something").expect("written");
        let (store, remark) = SharedFacts::open(directory.path(), Reading::Stored);
        assert!(remark.is_some_and(|remark| remark.contains("is damaged")));
        assert_eq!(
            numbers(directory.path()),
            [SegmentNumber(4)],
            "a reader removes nothing"
        );
        store.put(&[record(1, "one")]);
        store.finish();
        assert_eq!(numbers(directory.path()), [SegmentNumber(5)]);
    }

    #[test]
    fn a_segment_that_another_process_replaced_is_not_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = SegmentNumber(1).data_path(directory.path());
        fs::write(&path, "").expect("written");
        let (reader, remark) = SharedFacts::open(directory.path(), Reading::Stored);
        assert!(remark.is_some());
        fs::remove_file(&path).expect("removed");
        open(directory.path(), Reading::Stored).put(&[record(1, "one")]);
        reader.finish();
        let store = open(directory.path(), Reading::Stored);
        assert_eq!(store.get(record(1, "").0), Some(b"one".as_slice()));
    }
}
