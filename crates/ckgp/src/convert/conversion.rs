//! Converts the output of other tools into bodies: no tool's own output passes the schema of its format.
//!
//! `sniff` detects the tool, one module for each tool converts, `paths` makes paths relative, and the result is validated
//! before it is used (clause P2). A native document is read as a tree, so it may have at most [`MOST_NATIVE`] bytes.

use std::fmt;

use serde_json::{Map, Value};

use super::paths::{self, Paths};
use super::sniff::{self, Kind, LOOKED_FOR, Tool};
use super::{code_review_graph, document, gitnexus, node_link, pack, understand_anything};
use crate::body::{BodyFacts, Refusal, RefusalKind, judge};
use crate::format::{Commit, FormatId};
use crate::formats;
use crate::open;
use lore_base::json::{Fault, JsonError, JsonReader};
use lore_base::scrub::Scrubber;

/// Bytes of a native document.
pub const MOST_NATIVE: u64 = 256 << 20;
/// Levels of nesting in a native document.
pub(super) const MOST_LEVELS: usize = 64;

/// The options of a conversion.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// Whose output it is, if that is not to be guessed.
    pub from: Option<Tool>,
    /// The format to make; the usual one of the tool if it is not said.
    pub format: Option<FormatId>,
    /// The directory that paths of a machine are named from.
    pub root: Option<String>,
    /// The directory of the caller, the last fallback for the root.
    pub here: Option<String>,
    /// Where a pack is served.
    pub content_url: Option<String>,
    /// The commit that it was made of.
    pub commit: Option<Commit>,
    /// The version of the tool.
    pub tool_version: Option<String>,
    /// When it was made, where it does not say so itself.
    pub made_at: String,
    /// Leave addresses and secrets in what people wrote.
    pub no_scrub: bool,
}

/// What is converted.
#[derive(Debug)]
pub enum Native<'n> {
    /// A file.
    Bytes(&'n [u8]),
    /// The tables of a database, and the directory that its paths lie in.
    Tables(Map<String, Value>, Option<String>),
}

/// What became of it.
#[derive(Debug)]
pub struct Converted {
    /// The tool that wrote the file; `None` for a body of unknown origin.
    pub tool: Option<Tool>,
    /// The format of the body.
    pub format: FormatId,
    /// The body; nothing if the file is one already.
    pub body: Option<Vec<u8>>,
    /// What the body holds.
    pub facts: BodyFacts,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// Why nothing became of it.
#[derive(Clone, PartialEq, Debug)]
pub enum ConvertFault {
    /// More bytes than are read.
    Oversize(u64),
    /// Invalid JSON.
    Json(JsonError),
    /// Lines of JSON that make no graph.
    Lines(String),
    /// It is nothing that is known.
    Unknown,
    /// The output of a tool cannot become a body of this format.
    Format(Tool, FormatId),
    /// It is not said, or not well, where a pack is served.
    ContentUrl(Option<String>),
    /// It was said whose output it is, and it is not.
    NotOf(Tool),
    /// The result is not a valid body.
    Refused(FormatId, Refusal),
}

impl fmt::Display for ConvertFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Oversize(bytes) => write!(formatter, "{bytes} bytes; at most {MOST_NATIVE} are converted"),
            Self::Json(error) => write!(formatter, "invalid JSON: {error}"),
            Self::Lines(reason) => formatter.write_str(reason),
            Self::Unknown => write!(formatter, "not the output of a known tool: {LOOKED_FOR}"),
            Self::Format(tool, format) => {
                let formats = tool.formats().join(" or ");
                write!(
                    formatter,
                    "the output of {} becomes {formats}, not {format}",
                    tool.slug()
                )
            }
            Self::ContentUrl(None) => formatter.write_str("a body of bundle@1 needs the address of its pack"),
            Self::ContentUrl(Some(url)) => write!(formatter, "`{url}` is not an https address"),
            Self::NotOf(tool) => write!(formatter, "this is not the output of {}", tool.slug()),
            Self::Refused(format, refusal) => {
                write!(formatter, "the result is not a body of {format}: {}", refusal.told())
            }
        }
    }
}

impl std::error::Error for ConvertFault {}

impl From<JsonError> for ConvertFault {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

/// Makes a body of what a tool wrote. A file that is one already stays as it is.
pub fn convert(native: Native<'_>, options: &ConvertOptions) -> Result<Converted, ConvertFault> {
    let (bytes, root, lies_in) = match native {
        Native::Tables(document, root) => (None, Some(document), root),
        Native::Bytes(bytes) => (Some(bytes), read(bytes)?, None),
    };
    let Some(root) = root else {
        return convert_pack(bytes.unwrap_or_default(), options);
    };
    let found = match bytes {
        Some(_) => sniff::document(&root),
        // Nobody else's tables are read.
        None => Some(Kind::Of(Tool::CodeReviewGraph)),
    };
    let kind = match (options.from, found) {
        (None, kind) => kind.ok_or(ConvertFault::Unknown)?,
        // Whoever says whose output it is knows better, unless its shape says that it cannot be.
        (Some(tool), Some(_)) => Kind::Of(tool),
        (Some(tool), None) => return Err(ConvertFault::NotOf(tool)),
    };
    match kind {
        Kind::Body(name) => {
            let format = match &options.format {
                Some(format) => format.clone(),
                None => usual(name),
            };
            let facts = judged(&format, bytes.unwrap_or_default());
            let facts = facts.map_err(|refusal| ConvertFault::Refused(format.clone(), refusal))?;
            Ok(Converted {
                tool: None,
                format,
                body: None,
                remarks: facts.warnings.clone(),
                facts,
            })
        }
        Kind::Of(tool) if tool.formats() == ["bundle@1"] => {
            let pack = pack::of_document(&root);
            finish_pack(pack, tool, bytes.unwrap_or_default(), options)
        }
        Kind::Of(tool) => convert_graph(root, tool, bytes, lies_in, options),
    }
}

/// Whether a body is usable as it is. A format does not require consistent references, but a graph that cannot be opened is useless.
fn judged(format: &FormatId, bytes: &[u8]) -> Result<BodyFacts, Refusal> {
    let facts = judge(format, bytes)?;
    if format.to_string() == open::FORMAT
        && let Err(fault) = open::open(bytes)
    {
        return Err(Refusal {
            kind: RefusalKind::Schema,
            reason: format!("cannot open it: {fault}"),
            errors: Vec::new(),
        });
    }
    Ok(facts)
}

/// Why a file that is nothing that is known is no body, and of which format: of the one that was asked for, of the one that it names, else of the one that
/// allows most.
pub(super) fn no_body(bytes: &[u8], options: &ConvertOptions) -> (FormatId, Option<Refusal>) {
    let named = || sniff::named_format(bytes).filter(|format| formats::known(format).is_some());
    let format = options
        .format
        .clone()
        .or_else(named)
        .unwrap_or_else(|| usual("generic@1"));
    let refusal = judged(&format, bytes).err();
    (format, refusal)
}

/// The document that a file is; nothing if it is a text.
fn read(bytes: &[u8]) -> Result<Option<Map<String, Value>>, ConvertFault> {
    if bytes.len() as u64 > MOST_NATIVE {
        return Err(ConvertFault::Oversize(bytes.len() as u64));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.first() != Some(&b'{') {
        return Ok(None);
    }
    let mut reader = JsonReader::new(bytes, MOST_LEVELS)?;
    let value = reader.value()?;
    match (reader.end(), value) {
        (Ok(()), Value::Object(document)) => Ok(Some(document)),
        (Ok(()), _) => Ok(None),
        (Err(error), _) if error.fault() == Fault::Trailing => {
            let lines = text
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.trim_ascii().is_empty());
            let lines = lines.map(|line| {
                let mut reader = JsonReader::new(line, MOST_LEVELS)?;
                let value = reader.value()?;
                reader.end().map(|()| value)
            });
            // What is neither one document nor one a line is a document with something behind it.
            let lines: Result<Vec<Value>, JsonError> = lines.collect();
            gitnexus::of_lines(lines.map_err(|_| error)?)
                .map(Some)
                .map_err(ConvertFault::Lines)
        }
        (Err(error), _) => Err(error.into()),
    }
}

pub(super) fn usual(name: &str) -> FormatId {
    FormatId::parse(name).expect("because the names of formats in this folder are names of formats")
}

fn wanted(tool: Tool, options: &ConvertOptions) -> Result<FormatId, ConvertFault> {
    let formats = tool.formats();
    match &options.format {
        Some(format) if formats.contains(&format.to_string().as_str()) => Ok(format.clone()),
        Some(format) => Err(ConvertFault::Format(tool, format.clone())),
        None => Ok(usual(formats.first().copied().unwrap_or("generic@1"))),
    }
}

fn convert_graph(
    mut root: Map<String, Value>,
    tool: Tool,
    bytes: Option<&[u8]>,
    lies_in: Option<String>,
    options: &ConvertOptions,
) -> Result<Converted, ConvertFault> {
    let format = wanted(tool, options)?;
    if let Some(facts) = bytes.and_then(|bytes| judge(&format, bytes).ok())
        && names_tool(&root)
        && !paths::has_machine_paths(&root)
    {
        return Ok(Converted {
            tool: Some(tool),
            format,
            body: None,
            remarks: facts.warnings.clone(),
            facts,
        });
    }
    let mut remarks = Vec::new();
    let mut paths = Paths::below(root_of(&root, tool, lies_in, options, &mut remarks).as_deref());
    let nulls: u64 = root.values_mut().map(document::drop_nulls).sum();
    root.retain(|_, value| !value.is_null());
    if nulls > 0 {
        remarks.push(format!("dropped {nulls} nulls"));
    }
    match tool {
        Tool::UnderstandAnything => understand_anything::convert(&mut root, options, &mut paths, &mut remarks),
        Tool::Gitnexus => {
            gitnexus::convert(&mut root, options, &mut paths, &mut remarks);
            if format.name() == "generic" {
                gitnexus::flatten(&mut root);
            }
        }
        Tool::CodeReviewGraph => code_review_graph::convert(&mut root, options, &mut paths, &mut remarks),
        Tool::Graphify | Tool::Repomix | Tool::Gitingest => {
            node_link::convert(&mut root, options, &mut paths, &mut remarks);
        }
    }
    if paths.outside() > 0 {
        remarks.push(format!(
            "{} paths are outside of {}; they are written as `outside/…`",
            paths.outside(),
            paths.root().map_or("every repository", |_| "the root")
        ));
    }
    let mut scrubber = if options.no_scrub {
        Scrubber::off()
    } else {
        Scrubber::on()
    };
    document::clean(&mut root, &paths, &mut scrubber);
    let scrubbed = scrubber.scrubbed;
    if scrubbed.total() > 0 {
        let counts = [
            ("e-mail address", scrubbed.emails),
            ("secret", scrubbed.secrets),
            ("path", scrubbed.paths),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(what, count)| match (count, what) {
                (1, what) => format!("1 {what}"),
                (count, "e-mail address") => format!("{count} e-mail addresses"),
                (count, what) => format!("{count} {what}s"),
            })
            .collect();
        remarks.push(format!(
            "removed from texts, as far as recognised: {}",
            counts.join(", ")
        ));
    }
    finish(document::written(&root), Some(tool), format, remarks)
}

/// The root that paths are named from: the one that is said, the one that the tool says, that of the repository in which whoever converts stands, or the
/// directory that all files lie in.
fn root_of(
    root: &Map<String, Value>,
    tool: Tool,
    lies_in: Option<String>,
    options: &ConvertOptions,
    remarks: &mut Vec<String>,
) -> Option<String> {
    if options.root.is_some() || lies_in.is_some() {
        return options.root.clone().or(lies_in);
    }
    let files = paths::file_paths(root);
    let is_below = |directory: &String| {
        let begin = format!("{}/", directory.trim_end_matches('/'));
        files.iter().any(|path| path.starts_with(&begin))
    };
    if let Some(here) = options.here.clone().filter(is_below) {
        return Some(here);
    }
    let common = paths::common_directory(files.iter().copied())?;
    remarks.push(format!(
        "paths are relative to the common directory of all files; if this is not the root of the repository, set it with --root DIR ({} does not record it)",
        tool.slug()
    ));
    Some(common)
}

fn names_tool(root: &Map<String, Value>) -> bool {
    let tool = root.get("metadata").and_then(|metadata| metadata.get("tool"));
    tool.is_some_and(Value::is_string)
}

fn convert_pack(bytes: &[u8], options: &ConvertOptions) -> Result<Converted, ConvertFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| ConvertFault::Unknown)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tool = match (options.from, pack::sniff(text)) {
        (Some(tool @ (Tool::Repomix | Tool::Gitingest)), _) => tool,
        (Some(tool), _) => return Err(ConvertFault::NotOf(tool)),
        (None, found) => found.ok_or(ConvertFault::Unknown)?,
    };
    let pack = pack::of_text(text, tool);
    if pack.files.is_empty() {
        return Err(match options.from {
            Some(tool) => ConvertFault::NotOf(tool),
            None => ConvertFault::Unknown,
        });
    }
    finish_pack(pack, tool, bytes, options)
}

fn finish_pack(
    pack: pack::Pack,
    tool: Tool,
    bytes: &[u8],
    options: &ConvertOptions,
) -> Result<Converted, ConvertFault> {
    let format = wanted(tool, options)?;
    let url = options.content_url.as_deref().ok_or(ConvertFault::ContentUrl(None))?;
    if !url.starts_with("https://") || url.len() <= "https://".len() {
        return Err(ConvertFault::ContentUrl(Some(url.to_owned())));
    }
    let mut remarks = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    let mut root = pack.wrap(tool, &text, url, options, &mut remarks);
    let mut paths = Paths::below(options.root.as_deref());
    for file in understand_anything::objects(&mut root, "files") {
        document::relative_member(file, "path", &mut paths);
    }
    finish(document::written(&root), Some(tool), format, remarks)
}

/// Validates the result, which is returned only if it is valid (clause P2).
fn finish(
    body: Vec<u8>,
    tool: Option<Tool>,
    format: FormatId,
    mut remarks: Vec<String>,
) -> Result<Converted, ConvertFault> {
    match judge(&format, &body) {
        Ok(facts) => {
            // That no commit is known was said already, with what to do about it.
            let told = facts
                .warnings
                .iter()
                .filter(|warning| !warning.starts_with("`commit` is missing"));
            remarks.extend(told.cloned());
            Ok(Converted {
                tool,
                format,
                body: Some(body),
                facts,
                remarks,
            })
        }
        Err(refusal) => Err(ConvertFault::Refused(format, refusal)),
    }
}

#[cfg(test)]
mod tests;
