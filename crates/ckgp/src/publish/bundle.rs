//! `bundle@1`: the files of the repository packed into one text, and a pointer to it with a manifest.

use std::cmp::Reverse;

use lore_model::{CodeGraph, File};

use super::body::{Body, Source, Texts};
use super::choose::{Counts, is_published};
use super::object::Object;
use super::{PARTIAL, VERSION};
use lore_seam::OpError;

/// Bytes of a packed file; larger files are not source text.
const MOST_FILE: usize = 4 << 20;
/// Bytes that a file takes besides its content.
const FRAME: usize = 64;

/// The packed text, and the document that points to it.
pub(super) struct Packed {
    /// The text, in Markdown.
    pub(super) content: Vec<u8>,
    /// The body of the format.
    pub(super) body: Body,
}

/// What reads the content of a file.
pub(super) type Read<'r> = &'r mut dyn FnMut(&str) -> Result<Vec<u8>, OpError>;

/// A file that is packed.
struct PackedFile<'g> {
    file: File<'g>,
    /// Its path, as it may leave.
    path: String,
    bytes: usize,
}

/// Packs the files of a graph, in the order of their paths; where not all of them fit, those that the others lean on most.
pub(super) fn make(source: &Source<'_>, content_url: &str, name: &str, read: Read<'_>) -> Result<Packed, OpError> {
    let most = source.most.bytes;
    let chosen = choose(source.graph, most);
    let of = source.graph.files().filter(|file| !is_published(file.path())).count();
    let mut texts = Texts::new(source);
    let mut content = format!("# {}\n", on_one_line(name)).into_bytes();
    let mut packed = Vec::new();
    for file in chosen {
        // A file that is gone since it was indexed, or that is no text, is none that could be packed.
        let Ok(bytes) = read(file.path()) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let text = texts.whole(&text, file.language());
        let path = texts.path(file).into_owned();
        let section = section(&path, file.language(), &text);
        if text.len() <= MOST_FILE && content.len() + section.len() <= most {
            content.extend_from_slice(section.as_bytes());
            packed.push(PackedFile {
                file,
                path,
                bytes: text.len(),
            });
        }
    }
    let part = (packed.len() < of).then(|| {
        let count = |files| Counts {
            files,
            ..Counts::default()
        };
        (count(packed.len()), count(of))
    });
    let body = write_body(source, content_url, &content, &packed, part, &texts);
    Ok(Packed { content, body })
}

/// The files whose bytes fit, the most important first; then in the order of their paths.
fn choose(graph: &CodeGraph, most: usize) -> Vec<File<'_>> {
    let weight = |file: File<'_>| file.symbols().map(|symbol| u64::from(symbol.importance())).sum::<u64>();
    let all = graph.files().filter(|file| !is_published(file.path()));
    let mut ranked: Vec<(Reverse<u64>, File<'_>)> = all.map(|file| (Reverse(weight(file)), file)).collect();
    ranked.sort_by_key(|(weight, file)| (*weight, file.id()));
    let mut room = most;
    let mut files: Vec<File<'_>> = Vec::new();
    for (_, file) in ranked {
        let needed = file.bytes() as usize + file.path().len() + FRAME;
        if needed <= room {
            room -= needed;
            files.push(file);
        }
    }
    files.sort_by_key(|file| file.id());
    files
}

/// A file in the text: its path, and its content in a fence that the content does not close.
fn section(path: &str, language: &str, text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') || text.is_empty() {
        ""
    } else {
        "\n"
    };
    format!(
        "\n## {}\n\n{fence}{}\n{text}{end}{fence}\n",
        on_one_line(path),
        language
    )
}

fn on_one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// A guess that holds for source in most tokenizers: a token for every four letters.
fn token_estimate(content: &[u8]) -> u64 {
    let letters = content.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    letters.div_ceil(4) as u64
}

fn write_body(
    source: &Source<'_>,
    content_url: &str,
    content: &[u8],
    packed: &[PackedFile<'_>],
    part: Option<(Counts, Counts)>,
    texts: &Texts,
) -> Body {
    let mut out = Vec::new();
    let mut stamp_at = 0;
    out.extend_from_slice(b"{\"manifest\":");
    let mut manifest = Object::begin(&mut out);
    manifest.text("tool", "lore");
    manifest.text("tool_version", VERSION);
    stamp_at += manifest.fields(&source.stamp.fields());
    manifest.some_text("repository", source.repository.unwrap_or_default());
    manifest.number("file_count", packed.len() as u64);
    manifest.number("byte_count", content.len() as u64);
    manifest.number("token_estimate", token_estimate(content));
    manifest.text("format", "markdown");
    // Whoever holds the text can tell whether it is this one, and a change of one letter is a change of the body.
    manifest.text("content_sha256", &lore_base::digest::sha256(content));
    if let Some((kept, of)) = part {
        manifest.object("partial", |partial| {
            partial.text("reason", PARTIAL);
            partial.object("files", |files| {
                files.number("kept", kept.files as u64);
                files.number("of", of.files as u64);
            });
        });
    }
    let scrubbed = texts.scrubbed();
    if scrubbed.total() > 0 {
        manifest.object("scrubbed", |object| {
            object.number("emails", scrubbed.emails);
            object.number("secrets", scrubbed.secrets);
            object.number("paths", scrubbed.paths);
        });
    }
    manifest.end();
    out.extend_from_slice(b",\n");
    let mut rest = Vec::new();
    let mut object = Object::begin(&mut rest);
    object.text("content_url", content_url);
    object.list("files", packed.iter(), |out, packed| {
        out.push(b'\n');
        let mut file = Object::begin(out);
        file.text("path", &packed.path);
        file.number("bytes", packed.bytes as u64);
        file.some_text("language", packed.file.language());
        file.end();
    });
    object.end();
    out.extend(rest.into_iter().skip(1));
    out.push(b'\n');
    Body {
        bytes: out,
        stamp_at,
        scrubbed,
        part,
        nodes: packed.len() as u64,
        edges: 0,
    }
}

#[cfg(test)]
mod tests;
