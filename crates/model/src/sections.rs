//! The container both stores share: numbered sections behind a header with a version and a checksum for each.
//!
//! Layout, little-endian: `magic u32 · version u32 · count u32 · total length u64 · checksum of the header u64`, then per section
//! `id u32 · offset u64 · length u64 · checksum u64`, then the sections. A reader checks the header when it opens; the
//! sections' own checksums are checked by [`SectionReader::verify`].

use std::fmt;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

const HEADER_LEN: usize = 28;
const ENTRY_LEN: usize = 28;
const CHECKSUM_AT: usize = 20;

/// Why bytes are not a readable container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionError {
    /// Shorter than it says, or too short for a header.
    Truncated,
    /// Written by something else.
    ForeignMagic,
    /// Written by another version of Lore.
    OtherVersion(u32),
    /// The header does not match its checksum.
    DamagedHeader,
    /// A section does not match its checksum.
    DamagedSection(u32),
    /// A section is missing or has an impossible length.
    BadSection(u32),
}

impl fmt::Display for SectionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => formatter.write_str("it is truncated"),
            Self::ForeignMagic => formatter.write_str("it is not a file of Lore's"),
            Self::OtherVersion(version) => write!(formatter, "it has format version {version}"),
            Self::DamagedHeader => formatter.write_str("its header is damaged"),
            Self::DamagedSection(id) => write!(formatter, "its section {id} is damaged"),
            Self::BadSection(id) => write!(formatter, "its section {id} is missing or malformed"),
        }
    }
}

impl std::error::Error for SectionError {}

/// Collects sections and writes them as one container.
#[derive(Debug)]
pub struct SectionWriter<'a> {
    magic: u32,
    version: u32,
    sections: Vec<(u32, &'a [u8])>,
}

impl<'a> SectionWriter<'a> {
    /// An empty container.
    pub fn new(magic: u32, version: u32) -> Self {
        Self {
            magic,
            version,
            sections: Vec::new(),
        }
    }

    /// Adds a section.
    pub fn section(&mut self, id: u32, bytes: &'a [u8]) {
        self.sections.push((id, bytes));
    }

    /// The sections, in order.
    pub fn parts(&self) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.sections.iter().map(|(_, bytes)| *bytes)
    }

    /// What stands before the sections: the header and the table.
    pub fn header(&self) -> Vec<u8> {
        let table = HEADER_LEN + self.sections.len() * ENTRY_LEN;
        let total = table + self.sections.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let mut out = Vec::with_capacity(table);
        out.extend_from_slice(&self.magic.to_le_bytes());
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&(self.sections.len() as u32).to_le_bytes());
        out.extend_from_slice(&(total as u64).to_le_bytes());
        out.extend_from_slice(&[0; 8]);
        let mut offset = table as u64;
        for (id, bytes) in &self.sections {
            out.extend_from_slice(&id.to_le_bytes());
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(&xxh3_64(bytes).to_le_bytes());
            offset += bytes.len() as u64;
        }
        let checksum = xxh3_64(&out);
        out[CHECKSUM_AT..HEADER_LEN].copy_from_slice(&checksum.to_le_bytes());
        out
    }

    /// The container.
    pub fn finish(self) -> Vec<u8> {
        let mut out = self.header();
        for (_, bytes) in self.sections {
            out.extend_from_slice(bytes);
        }
        out
    }
}

/// The table of an opened container.
#[derive(Clone, Debug)]
pub struct SectionReader {
    entries: Vec<(u32, Range<usize>, u64)>,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

impl SectionReader {
    /// Checks the header, and that the sections follow each other without a gap or an overlap.
    pub fn open(bytes: &[u8], magic: u32, version: u32) -> Result<Self, SectionError> {
        let found = u32_at(bytes, 0).ok_or(SectionError::Truncated)?;
        if found != magic {
            return Err(SectionError::ForeignMagic);
        }
        let found = u32_at(bytes, 4).ok_or(SectionError::Truncated)?;
        if found != version {
            return Err(SectionError::OtherVersion(found));
        }
        let count = u32_at(bytes, 8).ok_or(SectionError::Truncated)? as usize;
        let total = u64_at(bytes, 12).ok_or(SectionError::Truncated)?;
        let checksum = u64_at(bytes, CHECKSUM_AT).ok_or(SectionError::Truncated)?;
        let table = count
            .checked_mul(ENTRY_LEN)
            .and_then(|len| len.checked_add(HEADER_LEN))
            .and_then(|len| bytes.get(..len))
            .ok_or(SectionError::Truncated)?;
        let mut header = table.to_vec();
        header[CHECKSUM_AT..HEADER_LEN].fill(0);
        if xxh3_64(&header) != checksum {
            return Err(SectionError::DamagedHeader);
        }
        if total != bytes.len() as u64 {
            return Err(SectionError::Truncated);
        }
        let mut entries = Vec::with_capacity(count);
        let mut next = table.len();
        for entry in table[HEADER_LEN..].chunks_exact(ENTRY_LEN) {
            let id = u32_at(entry, 0).ok_or(SectionError::Truncated)?;
            let range = || {
                let start = usize::try_from(u64_at(entry, 4)?).ok()?;
                let end = start.checked_add(usize::try_from(u64_at(entry, 12)?).ok()?)?;
                (start == next && end <= bytes.len()).then_some(start..end)
            };
            let range = range().ok_or(SectionError::BadSection(id))?;
            next = range.end;
            entries.push((id, range, u64_at(entry, 20).ok_or(SectionError::Truncated)?));
        }
        if next != bytes.len() {
            return Err(SectionError::Truncated);
        }
        Ok(Self { entries })
    }

    /// Where a section lies.
    pub fn range(&self, id: u32) -> Result<Range<usize>, SectionError> {
        self.entries
            .iter()
            .find(|(entry, ..)| *entry == id)
            .map(|(_, range, _)| range.clone())
            .ok_or(SectionError::BadSection(id))
    }

    /// Checks every section against its checksum.
    pub fn verify(&self, bytes: &[u8]) -> Result<(), SectionError> {
        for (id, range, checksum) in &self.entries {
            let section = bytes.get(range.clone()).ok_or(SectionError::Truncated)?;
            if xxh3_64(section) != *checksum {
                return Err(SectionError::DamagedSection(*id));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut writer = SectionWriter::new(7, 1);
        writer.section(1, b"abc");
        writer.section(2, b"");
        writer.section(3, b"defg");
        writer.finish()
    }

    #[test]
    fn sections_read_back() {
        let bytes = sample();
        let reader = SectionReader::open(&bytes, 7, 1).expect("opens");
        reader.verify(&bytes).expect("whole");
        assert_eq!(&bytes[reader.range(3).expect("there")], b"defg");
        assert_eq!(reader.range(9), Err(SectionError::BadSection(9)));
    }

    #[test]
    fn every_single_byte_flip_and_cut_is_noticed() {
        let whole = sample();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x40;
            let outcome = SectionReader::open(&bytes, 7, 1).and_then(|reader| reader.verify(&bytes));
            assert!(outcome.is_err(), "byte {at} flipped");
            assert!(SectionReader::open(&whole[..at], 7, 1).is_err(), "cut at {at}");
        }
    }
}
