//! Anybody's bundle, from bytes. What is in it is decided by its directory alone; nothing is ever written under a name it gives.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::content::{Packed, PartContent, Refusal};
use super::{ENTRIES, Part};
use lore_base::excerpt::excerpt;

/// The record at the end of an archive that names its directory.
const END_RECORD: [u8; 4] = *b"PK\x05\x06";
/// What is before it in archives for sizes that no bundle has.
const WIDE_LOCATOR: [u8; 4] = *b"PK\x06\x07";
/// Bytes of that.
const WIDE_LOCATOR_BYTES: usize = 20;
/// Bytes from the end within which the record lies.
const END_WINDOW: usize = (64 << 10) + 64;
/// Letters of a name that are shown.
const SHOWN_NAME: usize = 80;

/// A bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    parts: BTreeMap<Part, PartContent>,
    /// What is strange about it without being wrong.
    pub notes: Vec<String>,
}

impl Bundle {
    /// Opens a bundle. `place` is what to call it.
    pub fn open(place: &str, bytes: Vec<u8>) -> Result<Self, Refusal> {
        let refuse = |reason: String| Refusal::new(place, reason);
        if bytes.is_empty() {
            return Err(refuse("an empty file, not a zip archive".to_owned()));
        }
        if has_wide_directory(&bytes) {
            return Err(refuse("a zip64 archive, which Lore does not read".to_owned()));
        }
        let bytes = Arc::new(bytes);
        let config = Config {
            archive_offset: ArchiveOffset::Known(0),
        };
        let mut archive = ZipArchive::with_config(config, Cursor::new(Shared(Arc::clone(&bytes))))
            .map_err(|error| refuse(format!("not a readable zip archive: {}", said(&error))))?;
        if archive.len() > ENTRIES {
            let reason = format!(
                "{} entries; a bundle has {}, and Lore reads at most {ENTRIES}",
                archive.len(),
                Part::ALL.len()
            );
            return Err(refuse(reason));
        }
        if archive.metadata().has_duplicate_names() {
            return Err(refuse("two entries have the same name".to_owned()));
        }
        let entries = (0..archive.len())
            .map(|at| Entry::read(place, &mut archive, at, bytes.len()))
            .collect::<Result<Vec<Entry>, Refusal>>()?;
        let folder = shared_folder(&entries);
        let mut bundle = Self {
            parts: BTreeMap::new(),
            notes: Vec::new(),
        };
        if let Some(folder) = &folder {
            bundle
                .notes
                .push(format!("the files are in the directory `{}`", shown(folder)));
        }
        for entry in entries {
            let name = match &folder {
                Some(folder) => entry.name.strip_prefix(folder.as_str()).unwrap_or(&entry.name),
                None => &entry.name,
            };
            let Some(part) = Part::ALL.into_iter().find(|part| part.file_name() == name) else {
                if !entry.is_folder {
                    bundle
                        .notes
                        .push(format!("`{}` is not a part of a bundle", shown(&entry.name)));
                }
                continue;
            };
            let content = entry.content(place, part, &bytes)?;
            if bundle.parts.insert(part, content).is_some() {
                return Err(refuse(format!("two entries have the name `{}`", part.file_name())));
            }
        }
        if bundle.parts.is_empty() {
            return Err(refuse("none of its entries is a part of a bundle".to_owned()));
        }
        Ok(bundle)
    }

    /// A part, if it is there.
    pub fn part(&self, part: Part) -> Option<&PartContent> {
        self.parts.get(&part)
    }
}

/// What the directory says of an entry.
struct Entry {
    name: String,
    is_folder: bool,
    start: u64,
    stored_bytes: u64,
    method: CompressionMethod,
    packed: Packed,
}

impl Entry {
    fn read(
        place: &str,
        archive: &mut ZipArchive<Cursor<Shared>>,
        at: usize,
        archive_bytes: usize,
    ) -> Result<Self, Refusal> {
        let file = archive
            .by_index_raw(at)
            .map_err(|error| Refusal::new(place, format!("entry {}: {}", at + 1, said(&error))))?;
        let name = std::str::from_utf8(file.name_raw());
        let name = name.map_err(|_| Refusal::new(place, format!("entry {}: its name is not UTF-8", at + 1)))?;
        let refuse = |reason: &str| Refusal::new(place, format!("entry `{}`: {reason}", shown(name)));
        if let Some(reason) = unsafe_name(name) {
            return Err(refuse(reason));
        }
        if file.is_symlink() {
            return Err(refuse("a symbolic link"));
        }
        if file.encrypted() {
            return Err(refuse("encrypted"));
        }
        let start = file.data_start().ok_or_else(|| refuse("its content is missing"))?;
        let end = start.checked_add(file.compressed_size());
        if end.is_none_or(|end| end > archive_bytes as u64) {
            return Err(refuse("is truncated"));
        }
        Ok(Self {
            name: name.to_owned(),
            is_folder: file.is_dir(),
            start,
            stored_bytes: file.compressed_size(),
            method: file.compression(),
            packed: Packed {
                deflated: file.compression() == CompressionMethod::Deflated,
                size: file.size(),
                crc: file.crc32(),
            },
        })
    }

    fn content(&self, place: &str, part: Part, bytes: &Arc<Vec<u8>>) -> Result<PartContent, Refusal> {
        let refuse = |reason: String| Refusal::new(place, format!("entry `{}`: {reason}", shown(&self.name)));
        if !matches!(self.method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(refuse(format!(
                "compressed by {}, which Lore does not read",
                self.method
            )));
        }
        let largest = self.packed.size.max(self.stored_bytes);
        if largest > part.max_bytes() {
            return Err(refuse(format!(
                "{largest} bytes; Lore reads at most {}",
                part.max_bytes()
            )));
        }
        let range = self.start as usize..(self.start + self.stored_bytes) as usize;
        let packed = self.packed.clone();
        Ok(PartContent::of_entry(
            part,
            part.file_name().to_owned(),
            bytes,
            range,
            packed,
        ))
    }
}

/// Why no file should ever have such a name.
fn unsafe_name(name: &str) -> Option<&'static str> {
    let segments = name.strip_suffix('/').unwrap_or(name).split('/');
    let is_drive = |segment: &str| segment.as_bytes().get(1) == Some(&b':');
    if name.is_empty() {
        return Some("it has no name");
    }
    if name.starts_with('/') {
        return Some("its name is an absolute path");
    }
    if name.contains('\\') {
        return Some("its name contains a backslash");
    }
    if name.chars().any(char::is_control) {
        return Some("its name contains a control character");
    }
    if is_drive(name) {
        return Some("its name begins with a drive");
    }
    for segment in segments {
        match segment {
            ".." => return Some("its name leads out of the archive"),
            "" | "." => return Some("its name is not a plain path"),
            _ => {}
        }
    }
    None
}

/// The folder in which all entries lie, with its slash. Whoever packs a folder instead of its files gives a bundle of this kind.
fn shared_folder(entries: &[Entry]) -> Option<String> {
    let (folder, _) = entries.first()?.name.split_once('/')?;
    let folder = format!("{folder}/");
    let all = entries.iter().all(|entry| entry.name.starts_with(&folder));
    all.then_some(folder)
}

/// Whether a directory for more than 65,535 entries or 4 GiB is named anywhere where one could be.
fn has_wide_directory(bytes: &[u8]) -> bool {
    let from = bytes.len().saturating_sub(END_WINDOW);
    let window = &bytes[from..];
    let ends = window.windows(END_RECORD.len()).enumerate();
    ends.filter(|(_, found)| *found == END_RECORD).any(|(at, _)| {
        let locator = (from + at).checked_sub(WIDE_LOCATOR_BYTES);
        locator.is_some_and(|locator| bytes[locator..].starts_with(&WIDE_LOCATOR))
    })
}

fn shown(name: &str) -> String {
    excerpt(name, SHOWN_NAME)
}

fn said(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => super::content::said(error),
        error => error.to_string(),
    }
}

/// The bytes of the archive, shared with the parts.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
