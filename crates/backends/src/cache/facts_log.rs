//! The facts of every content seen before: a log that is only appended to, and rewritten when most of it is dead.
//!
//! A record is `hash 20 · class 2 · zero 2 · length 4 · checksum of these 4 · bytes`. A torn end, as a killed writer leaves it, is cut off
//! by the next one; the bytes of a record carry checksums of their own.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use lore_index::{EXTRACTOR_VERSION, FactsKey, FactsStore};
use lore_model::ContentHash;
use xxhash_rust::xxh3::xxh3_64;

use super::replace;
use crate::map::map;

const MAGIC: &[u8; 8] = b"LoreFct1";
const FILE_HEAD: usize = 12;
const RECORD_HEAD: usize = 32;
/// Dead bytes that are always tolerated.
const TOLERATED_DEAD_BYTES: usize = 32 * 1024 * 1024;

/// The log, opened by one process that holds the cache's lock (or by a reader that only looks).
pub(crate) struct FactsLog {
    path: PathBuf,
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    records: HashMap<FactsKey, (usize, usize)>,
    /// Where the last whole record ends.
    end: usize,
    used: Mutex<HashSet<FactsKey>>,
    fault: Mutex<Option<io::Error>>,
}

impl FactsLog {
    /// Opens the log. A remark says when it had to be thrown away, all or in part.
    pub(crate) fn open(path: &Path) -> (Self, Option<String>) {
        let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = match map(path) {
            Ok(bytes) => bytes,
            Err(_) => Arc::new([0u8; 0]),
        };
        let data = (*bytes).as_ref();
        let mut log = Self {
            path: path.to_owned(),
            bytes: Arc::clone(&bytes),
            records: HashMap::new(),
            end: 0,
            used: Mutex::default(),
            fault: Mutex::default(),
        };
        if data.is_empty() {
            return (log, None);
        }
        if data.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            return (log, Some("the cached facts are damaged and are made anew".to_owned()));
        }
        let version = data
            .get(8..FILE_HEAD)
            .and_then(|version| version.try_into().ok())
            .map(u32::from_le_bytes);
        if version != Some(EXTRACTOR_VERSION) {
            return (
                log,
                Some("the cached facts are those of another version of Lore and are made anew".to_owned()),
            );
        }
        log.end = FILE_HEAD;
        while let Some((key, start, end)) = record_at(data, log.end) {
            log.records.insert(key, (start, end));
            log.end = end;
        }
        let remark =
            (log.end < data.len()).then(|| "the end of the cached facts is damaged and is made anew".to_owned());
        (log, remark)
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Appends records after the last whole one.
    fn append(&self, records: &[(FactsKey, Vec<u8>)]) -> io::Result<()> {
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&self.path)?;
        let mut buffer = Vec::with_capacity(
            records
                .iter()
                .map(|(_, bytes)| RECORD_HEAD + bytes.len())
                .sum::<usize>()
                + FILE_HEAD,
        );
        if self.end == 0 {
            buffer.extend_from_slice(&file_head());
        }
        for (key, bytes) in records {
            push_record(&mut buffer, *key, bytes);
        }
        if file.metadata()?.len() > self.end as u64 {
            if self.end == 0 {
                // What is there is mapped by nobody who trusts it, but it may be mapped: replace it.
                return replace(&self.path, &buffer);
            }
            file.set_len(self.end as u64)?;
        }
        file.seek(SeekFrom::Start(self.end as u64))?;
        file.write_all(&buffer)
    }

    /// Rewrites the log with the records used since it was opened, if most of it is dead. `fresh` are those added since.
    pub(crate) fn compact(&self) -> io::Result<()> {
        let used = self.used.lock().expect("because no holder of this lock panics");
        let live: usize = used
            .iter()
            .filter_map(|key| self.records.get(key))
            .map(|(start, end)| end - start)
            .sum();
        if self.end <= live * 3 + TOLERATED_DEAD_BYTES {
            return Ok(());
        }
        let (current, _) = Self::open(&self.path);
        let mut keep: Vec<(FactsKey, (usize, usize))> = current
            .records
            .iter()
            .filter(|(key, _)| used.contains(key) || !self.records.contains_key(key))
            .map(|(key, range)| (*key, *range))
            .collect();
        keep.sort_by_key(|(_, range)| *range);
        let data = (*current.bytes).as_ref();
        let mut buffer = file_head();
        for (key, (start, end)) in keep {
            push_record(&mut buffer, key, &data[start..end]);
        }
        replace(&self.path, &buffer)
    }

    /// What went wrong while writing, if anything did.
    pub(crate) fn take_fault(&self) -> Option<io::Error> {
        self.fault.lock().ok().and_then(|mut fault| fault.take())
    }
}

fn file_head() -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&EXTRACTOR_VERSION.to_le_bytes());
    head
}

fn push_record(buffer: &mut Vec<u8>, key: FactsKey, bytes: &[u8]) {
    let start = buffer.len();
    buffer.extend_from_slice(&key.hash.0);
    buffer.extend_from_slice(&key.class.to_le_bytes());
    buffer.extend_from_slice(&[0; 2]);
    buffer.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    let checksum = xxh3_64(&buffer[start..]) as u32;
    buffer.extend_from_slice(&checksum.to_le_bytes());
    buffer.extend_from_slice(bytes);
}

/// The record at an offset: its key and where its bytes are.
fn record_at(data: &[u8], at: usize) -> Option<(FactsKey, usize, usize)> {
    let head = data.get(at..at + RECORD_HEAD)?;
    let checksum = u32::from_le_bytes(head[28..32].try_into().ok()?);
    if xxh3_64(&head[..28]) as u32 != checksum {
        return None;
    }
    let hash = ContentHash(head[..20].try_into().ok()?);
    let class = u16::from_le_bytes(head[20..22].try_into().ok()?);
    let len = u32::from_le_bytes(head[24..28].try_into().ok()?) as usize;
    let start = at + RECORD_HEAD;
    let end = start.checked_add(len).filter(|end| *end <= data.len())?;
    Some((FactsKey { hash, class }, start, end))
}

impl FactsStore for FactsLog {
    fn get(&self, key: FactsKey) -> Option<&[u8]> {
        let (start, end) = *self.records.get(&key)?;
        if let Ok(mut used) = self.used.lock() {
            used.insert(key);
        }
        (*self.bytes).as_ref().get(start..end)
    }

    fn put(&self, records: &[(FactsKey, Vec<u8>)]) {
        if records.is_empty() {
            return;
        }
        if let Err(error) = self.append(records)
            && let Ok(mut fault) = self.fault.lock()
        {
            *fault = Some(error);
        }
    }
}
