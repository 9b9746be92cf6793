//! The content of one part, wherever it came from: bytes in memory that are unpacked as they are read, and never further than allowed.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

use super::lines::QuadLines;
use super::{LAYER_EXPANDED_BYTES, Part, RATIO, RATIO_FREE_BYTES};
use lore_seam::{ErrorKind, OpError};

/// The first bytes of everything that gzip packed.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// Why something is not read: where, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The file, and what in it.
    pub place: String,
    pub reason: String,
}

impl Refusal {
    pub(super) fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for OpError {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorKind::Unavailable, refusal.to_string())
    }
}

/// The content of one part.
#[derive(Clone, Debug)]
pub struct PartContent {
    /// Which part it is.
    pub part: Part,
    /// What to call it when something is the matter with it.
    pub place: String,
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
    packed: Option<Packed>,
}

/// How an archive holds a part.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    /// Whether it is compressed.
    pub(super) deflated: bool,
    /// How long the archive says that it is.
    pub(super) size: u64,
    /// The checksum that the archive says it has.
    pub(super) crc: u32,
}

impl PartContent {
    /// A part that is a file of its own.
    pub fn of_file(part: Part, place: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self {
            part,
            place: place.into(),
            range: 0..bytes.len(),
            bytes: Arc::new(bytes),
            packed: None,
        }
    }

    /// A part that lies within the bytes of an archive.
    pub(super) fn of_entry(
        part: Part,
        place: String,
        bytes: &Arc<Vec<u8>>,
        range: Range<usize>,
        packed: Packed,
    ) -> Self {
        Self {
            part,
            place,
            bytes: Arc::clone(bytes),
            range,
            packed: Some(packed),
        }
    }

    /// How long the file is.
    pub fn size(&self) -> u64 {
        match &self.packed {
            Some(packed) => packed.size,
            None => self.range.len() as u64,
        }
    }

    /// The bytes of the file as they are, gzip included, checked against what an archive says of them.
    pub fn reader(&self) -> Box<dyn Read + Send> {
        let slice = Slice {
            bytes: Arc::clone(&self.bytes),
            range: self.range.clone(),
        };
        match &self.packed {
            None => Box::new(slice),
            Some(packed) if packed.deflated => {
                let inflated = DeflateDecoder::new(BufReader::with_capacity(CHUNK, slice));
                let bounded = Bounded::new(inflated, self.part.max_bytes(), self.range.len() as u64);
                Box::new(Checked::new(bounded, packed))
            }
            Some(packed) => Box::new(Checked::new(slice, packed)),
        }
    }

    /// All bytes of the file as they are.
    pub fn read(&self) -> Result<Vec<u8>, Refusal> {
        let mut content = Vec::new();
        self.reader()
            .take(self.part.max_bytes() + 1)
            .read_to_end(&mut content)
            .map_err(|error| Refusal::new(&self.place, said(&error)))?;
        if content.len() as u64 > self.part.max_bytes() {
            let reason = format!("larger than {} bytes", self.part.max_bytes());
            return Err(Refusal::new(&self.place, reason));
        }
        Ok(content)
    }

    /// Whether it is packed with gzip.
    pub fn is_gzip(&self) -> Result<bool, Refusal> {
        let mut head = [0; 2];
        let mut reader = self.reader();
        let mut got = 0;
        while got < head.len() {
            match reader.read(&mut head[got..]) {
                Ok(0) => break,
                Ok(count) => got += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Refusal::new(&self.place, said(&error))),
            }
        }
        Ok(head == GZIP)
    }

    /// Reads the file to its end without keeping anything: damage is told as damage, before a reader makes thousands of faults of it.
    fn intact(&self) -> Result<(), Refusal> {
        let refuse = |error: io::Error| Err(Refusal::new(&self.place, said(&error)));
        match &self.packed {
            Some(_) => io::copy(&mut self.reader(), &mut io::sink()).map(drop).or_else(refuse),
            None if self.is_gzip()? => match io::copy(&mut self.expanded(), &mut io::sink()) {
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => refuse(error),
                // What breaks off or grows too large is told at the line where it does.
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    fn expanded(&self) -> Bounded<impl Read + Send + use<>> {
        let expanded = MultiGzDecoder::new(BufReader::with_capacity(CHUNK, self.reader()));
        Bounded::new(expanded, LAYER_EXPANDED_BYTES, self.size())
    }

    /// The bytes of the file without gzip, whether it is packed with it or not. They were read once before, and have the checksum that they should have.
    pub fn unpacked(&self) -> Result<Box<dyn Read + Send>, Refusal> {
        self.intact()?;
        if self.is_gzip()? {
            Ok(Box::new(self.expanded()))
        } else {
            Ok(self.reader())
        }
    }

    /// The statements, one after the other.
    pub fn quads(&self) -> Result<QuadLines, Refusal> {
        Ok(QuadLines::new(self.unpacked()?))
    }
}

/// What an error of reading says, without the words around it.
pub(super) fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "is truncated".to_owned(),
        // Only what unpacks says so.
        io::ErrorKind::InvalidInput => format!("it is damaged: {error}"),
        _ => error.to_string(),
    }
}

fn refused(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// Some of the bytes that are in memory.
struct Slice {
    bytes: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Read for Slice {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(self.range.clone()).unwrap_or_default();
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.range.start += count;
        Ok(count)
    }
}

/// Unpacked bytes, up to a size and a multiple of what they were unpacked from.
struct Bounded<R> {
    inner: R,
    read: u64,
    max_bytes: u64,
    packed_bytes: u64,
}

impl<R> Bounded<R> {
    fn new(inner: R, max_bytes: u64, packed_bytes: u64) -> Self {
        Self {
            inner,
            read: 0,
            max_bytes,
            packed_bytes,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        self.read += count as u64;
        if self.read > self.max_bytes {
            return Err(refused(format!("unpacks to more than {} bytes", self.max_bytes)));
        }
        let ratio_limit = self.packed_bytes.saturating_mul(RATIO).max(RATIO_FREE_BYTES);
        if self.read > ratio_limit {
            return Err(refused(format!("unpacks to more than {RATIO} times its size")));
        }
        Ok(count)
    }
}

/// Bytes that have the length and the checksum that an archive says they have.
struct Checked<R> {
    inner: R,
    left: u64,
    crc: Crc,
    wanted: u32,
}

impl<R> Checked<R> {
    fn new(inner: R, packed: &Packed) -> Self {
        Self {
            inner,
            left: packed.size,
            crc: Crc::new(),
            wanted: packed.crc,
        }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = self.inner.read(out)?;
        match count {
            0 if self.left > 0 => return Err(refused("shorter than the archive says".to_owned())),
            0 if self.crc.sum() != self.wanted => {
                let found = self.crc.sum();
                return Err(refused(format!(
                    "it is damaged: its CRC-32 is {found:08x}, and the archive says {:08x}",
                    self.wanted
                )));
            }
            _ => {}
        }
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| refused("longer than the archive says".to_owned()))?;
        self.crc.update(&out[..count]);
        Ok(count)
    }
}
