//! Compressed bodies in files that are named by their SHA-256, which is verified at every read.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use lore_base::digest::{is_hex, sha256};

use crate::safe_fs::remove;

/// Bytes of one body: more than any stored body has.
const MOST_BODY: u64 = 256 << 20;
/// The extension of a file with a body.
pub(crate) const COMPRESSED: &str = "gz";

/// The digest of a body.
pub(crate) fn digest_of(body: &[u8]) -> String {
    sha256(body)
}

/// Writes a body compressed.
pub(crate) fn write(file: &mut File, body: &[u8]) -> io::Result<()> {
    let mut packed = GzEncoder::new(BufWriter::new(file), Compression::fast());
    packed.write_all(body)?;
    packed.finish()?.flush()
}

/// The body in a file; `None` if there is no file. A damaged file is removed.
pub(crate) fn read(place: &Path, digest: &str) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(place) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut body = Vec::new();
    let unpacked = GzDecoder::new(io::BufReader::new(file))
        .take(MOST_BODY)
        .read_to_end(&mut body);
    if unpacked.is_ok() && digest_of(&body).eq_ignore_ascii_case(digest) {
        return Ok(Some(body));
    }
    remove(place)?;
    Ok(None)
}

/// Whether a file holds a body, as its name says.
pub(crate) fn is_name(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    path.extension().is_some_and(|extension| extension == COMPRESSED) && stem.is_some_and(|stem| is_hex(stem, 64))
}
