//! A bundle is written as its parts are made: nothing is held, and nothing but the parts decides about the bytes.

use std::cell::Cell;
use std::io::{self, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::Part;
use crate::gzip::Blocks;
use lore_seam::{ErrorKind, OpError};

/// What writes a part: the file as it is, so that layers of statements come packed with gzip already.
pub type PartWriter<'a> = Box<dyn FnOnce(&mut dyn Write) -> Result<(), OpError> + 'a>;

/// How hard text is compressed.
const LEVEL: i64 = 6;

/// Writes a bundle of some parts. Their order is always the same, whichever order they are given in.
pub fn write_bundle(out: &mut dyn Write, parts: Vec<(Part, PartWriter<'_>)>) -> Result<(), OpError> {
    let mut parts = parts;
    parts.sort_by_key(|(part, _)| *part);
    if parts.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(OpError::new(ErrorKind::Internal, "a part of a bundle is given twice"));
    }
    let closed = Cell::new(false);
    let written = write_parts(ZipWriter::new_stream(Gate { out, closed: &closed }), parts, &closed);
    if written.is_ok() {
        out.flush().map_err(OpError::from_write)?;
    }
    written
}

fn write_parts<W: Write>(
    mut zip: ZipWriter<zip::write::StreamWriter<W>>,
    parts: Vec<(Part, PartWriter<'_>)>,
    closed: &Cell<bool>,
) -> Result<(), OpError> {
    let all = || {
        for (part, write) in parts {
            zip.start_file(part.file_name(), options(part)).map_err(failed)?;
            let mut blocks = Blocks::new(&mut zip);
            write(&mut blocks)?;
            blocks.into_inner().map_err(OpError::from_write)?;
        }
        Ok(())
    };
    if let Err(error) = all() {
        closed.set(true);
        return Err(error);
    }
    zip.finish().map(drop).map_err(failed)
}

/// Everything about an entry that is not its content, the same for every bundle.
fn options(part: Part) -> SimpleFileOptions {
    let options = SimpleFileOptions::default()
        .last_modified_time(DateTime::default())
        .system(zip::System::Unix)
        .unix_permissions(0o644);
    if part.is_quads() {
        options.compression_method(CompressionMethod::Stored)
    } else {
        options
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL))
    }
}

fn failed(error: zip::result::ZipError) -> OpError {
    match error {
        zip::result::ZipError::Io(error) => OpError::from_write(error),
        error => OpError::new(ErrorKind::Internal, format!("the bundle cannot be written: {error}")).because(error),
    }
}

/// Lets bytes through until something failed. An archive that is dropped still writes its directory, which would make half of a bundle
/// look like one.
struct Gate<'a> {
    out: &'a mut dyn Write,
    closed: &'a Cell<bool>,
}

impl Write for Gate<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed.get() {
            return Ok(bytes.len());
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed.get() { Ok(()) } else { self.out.flush() }
    }
}
