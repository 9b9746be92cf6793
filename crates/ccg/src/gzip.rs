//! Gzip that depends on what is compressed alone: no time, no name, no system (clause LX).

use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

/// How hard to compress. Another level gives other bytes, so there is one.
const LEVEL: u32 = 6;
/// Bytes that are compressed at once. The compressor looks ahead only as far as it was given something, so that the pieces in which
/// a text is written would show in the bytes that come out.
const BLOCK: usize = 64 << 10;
/// The byte of the header that says that the system is not known.
const UNKNOWN_SYSTEM: u8 = 255;

/// Compresses what is written to it.
#[derive(Debug)]
pub struct GzipWriter<W: Write>(Blocks<GzEncoder<W>>);

impl<W: Write> GzipWriter<W> {
    /// Compresses into a writer.
    pub fn new(out: W) -> Self {
        let header = GzBuilder::new().mtime(0).operating_system(UNKNOWN_SYSTEM);
        Self(Blocks::new(header.write(out, Compression::new(LEVEL))))
    }

    /// Writes what is left and the checksum.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner()?.finish()
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A flush in the middle would change the bytes that come out.
        Ok(())
    }
}

/// Hands on what is written to it in pieces of one size, whatever the pieces in which it came.
#[derive(Debug)]
pub(super) struct Blocks<W: Write> {
    out: W,
    block: Vec<u8>,
}

impl<W: Write> Blocks<W> {
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            block: Vec::with_capacity(BLOCK),
        }
    }

    /// Hands on the rest.
    pub(super) fn into_inner(mut self) -> io::Result<W> {
        self.out.write_all(&self.block)?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Blocks<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..count]);
        if self.block.len() == BLOCK {
            self.out.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;
    use sha2::{Digest, Sha256};

    use super::*;

    fn lines() -> String {
        (0..5000)
            .map(|at| format!("<https://example.org/s{}> <p:{}> \"{at}\" <g:1> .\n", at / 7, at % 7))
            .collect()
    }

    #[test]
    fn lx_the_bytes_depend_on_the_content_alone() {
        let text = lines();
        let mut whole = GzipWriter::new(Vec::new());
        whole.write_all(text.as_bytes()).unwrap();
        let whole = whole.finish().unwrap();
        let mut pieces = GzipWriter::new(Vec::new());
        for line in text.split_inclusive('\n') {
            pieces.write_all(line.as_bytes()).unwrap();
            pieces.flush().unwrap();
        }
        assert!(pieces.finish().unwrap() == whole);

        assert_eq!(&whole[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        let digest: String = Sha256::digest(&whole)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(
            digest, "5201db0d6dd74f206c8fda62fcf0a5a78939ce8a9870b1ecd7712eca49175589",
            "the compressor gives other bytes: everything that was ever published differs from now on"
        );
    }

    #[test]
    fn lx_one_member_reads_back() {
        let text = lines();
        let mut gzip = GzipWriter::new(Vec::new());
        gzip.write_all(text.as_bytes()).unwrap();
        let bytes = gzip.finish().unwrap();
        assert!(bytes.len() * 5 < text.len());
        let mut back = String::new();
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
    }
}
