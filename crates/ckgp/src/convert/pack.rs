//! Packs of Repomix and gitingest → `bundle@1`: a wrapper with the contents and the address of the pack, which itself stays unchanged.
//!
//! The files of a pack are recognised by the separator lines of its tool. A source file with such a line can hide a file or
//! add one that does not exist; only the list of paths depends on it.

use serde_json::{Map, Value, json};

use super::ConvertOptions;
use super::document::Stamp;
use super::sniff::Tool;

/// Letters that a token has, about.
const LETTERS_PER_TOKEN: u64 = 4;
/// Bytes at the begin of a pack that say which tool made it.
const HEAD: usize = 4_096;
/// What Repomix says in the first line of its packs, and puts between files of plain text.
const REPOMIX: &str = "Repomix";
const REPOMIX_RULE: &str = "================";
/// What gitingest puts between files.
const GITINGEST_RULE: &str = "================================================";

/// What a pack holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Pack {
    /// `markdown`, `xml`, `json` or `plaintext`.
    pub(super) style: &'static str,
    /// The path and the bytes of each file.
    pub(super) files: Vec<(String, u64)>,
    /// Tokens, if the tool counted them.
    tokens: Option<u64>,
    commit: Option<String>,
}

/// Whether a JSON document is a pack of Repomix.
pub(super) fn is_repomix(root: &Map<String, Value>) -> bool {
    root.get("files").is_some_and(Value::is_object)
        && ["fileSummary", "directoryStructure", "userProvidedHeader"]
            .iter()
            .any(|key| root.contains_key(*key))
}

/// Whose pack a text is.
pub(super) fn sniff(text: &str) -> Option<Tool> {
    let head = head(text);
    if head.contains(REPOMIX) || head.contains("<repomix>") {
        return Some(Tool::Repomix);
    }
    let is_gitingest = head.starts_with("Directory structure:")
        || head.contains("\nDirectory structure:\n") && head.contains("Files analyzed:")
        || text.contains(&format!("\n{GITINGEST_RULE}\nFILE: "));
    if is_gitingest {
        return Some(Tool::Gitingest);
    }
    // Packs can be made without the part that says what they are.
    let is_repomix = text.contains("\n<file path=\"") && text.contains("<files>")
        || text.contains(&format!("\n{REPOMIX_RULE}\nFile: "))
        || text.contains("\n## File: ") && text.contains("# Files\n");
    is_repomix.then_some(Tool::Repomix)
}

fn head(text: &str) -> &str {
    let end = (0..=HEAD.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// What a pack of JSON holds.
pub(super) fn of_document(root: &Map<String, Value>) -> Pack {
    let files = root.get("files").and_then(Value::as_object);
    let files = files.into_iter().flatten();
    Pack {
        style: "json",
        files: files
            .map(|(path, content)| (path.clone(), content.as_str().map_or(0, str::len) as u64))
            .collect(),
        ..Pack::default()
    }
}

/// What a pack of text holds.
pub(super) fn of_text(text: &str, tool: Tool) -> Pack {
    if tool == Tool::Gitingest {
        return gitingest(text);
    }
    // Each style has lines that the others have only inside of files, and those come later.
    let first = [
        (
            "xml",
            find_line(text, |line| line.starts_with("<file path=\"") || line == "<files>"),
        ),
        (
            "markdown",
            find_line(text, |line| line == "# Files" || line.starts_with("## File: ")),
        ),
        ("plaintext", find_line(text, |line| line == REPOMIX_RULE)),
    ];
    let style = first
        .into_iter()
        .filter_map(|(style, at)| Some((at?, style)))
        .min()
        .map_or("plaintext", |(_, style)| style);
    let files = match style {
        "xml" => xml_files(text),
        "markdown" => markdown_files(text),
        _ => ruled_files(text, REPOMIX_RULE, "File: "),
    };
    Pack {
        style,
        files,
        ..Pack::default()
    }
}

fn find_line(text: &str, is_it: impl Fn(&str) -> bool) -> Option<usize> {
    text.lines().position(is_it)
}

fn xml_files(text: &str) -> Vec<(String, u64)> {
    let mut files: Vec<(String, u64)> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let path = line
            .trim_start()
            .strip_prefix("<file path=\"")
            .and_then(|rest| rest.split_once('"'));
        match (is_inside, path) {
            (true, _) if line == "</file>" => is_inside = false,
            (true, _) => grow(&mut files, line),
            (false, Some((path, _))) => {
                is_inside = true;
                files.push((unescaped(path), 0));
            }
            (false, None) => {}
        }
    }
    files
}

/// A path as it is, without the entities of XML.
fn unescaped(path: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ]
    .into_iter()
    .fold(path.to_owned(), |path, (entity, letter)| path.replace(entity, letter))
}

/// A file is a heading and a fence, which is longer than any in the file.
fn markdown_files(text: &str) -> Vec<(String, u64)> {
    let mut files: Vec<(String, u64)> = Vec::new();
    let mut fence: Option<usize> = None;
    let mut is_heading = false;
    for line in text.lines() {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        match fence {
            Some(open) if ticks == open && line.len() == ticks => fence = None,
            Some(_) => grow(&mut files, line),
            None => {
                if let Some(path) = line.strip_prefix("## File: ") {
                    files.push((path.to_owned(), 0));
                    is_heading = true;
                    continue;
                }
                if is_heading && ticks >= 3 {
                    fence = Some(ticks);
                }
            }
        }
        is_heading = false;
    }
    files
}

/// A file begins with a rule, its path and another rule.
fn ruled_files(text: &str, rule: &str, word: &str) -> Vec<(String, u64)> {
    let mut files: Vec<(String, u64)> = Vec::new();
    let mut before = "";
    let mut named: Option<&str> = None;
    for line in text.lines() {
        match named.take() {
            Some(path) if line == rule => files.push((path.to_owned(), 0)),
            _ => {
                named = line.strip_prefix(word).filter(|_| before == rule);
                if named.is_none() && line != rule {
                    grow(&mut files, line);
                }
            }
        }
        before = line;
    }
    files
}

/// The last file has one line more.
fn grow(files: &mut [(String, u64)], line: &str) {
    if let Some((_, bytes)) = files.last_mut() {
        *bytes += line.len() as u64 + 1;
    }
}

fn gitingest(text: &str) -> Pack {
    let head = head(text);
    let said = |word: &str| head.lines().find_map(|line| line.strip_prefix(word)).map(str::trim);
    Pack {
        style: "plaintext",
        files: ruled_files(text, GITINGEST_RULE, "FILE: "),
        tokens: said("Estimated tokens:").and_then(shortened),
        commit: said("Commit:").map(str::to_owned),
    }
}

/// A number such as `1.2k` or `3.4M`.
fn shortened(text: &str) -> Option<u64> {
    let (digits, scale) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1e6),
            None => (text, 1.0),
        },
    };
    let number: f64 = digits.trim().parse().ok()?;
    let scaled = (number * scale).round();
    (0.0..1e15).contains(&scaled).then_some(scaled as u64)
}

impl Pack {
    /// The wrapper of a pack that is served at an address.
    pub(super) fn wrap(
        self,
        tool: Tool,
        pack: &str,
        content_url: &str,
        options: &ConvertOptions,
        remarks: &mut Vec<String>,
    ) -> Map<String, Value> {
        let letters = pack.chars().count() as u64;
        let mut manifest = Map::new();
        let stamp = Stamp {
            tool: tool.slug().to_owned(),
            tool_version: None,
            generated_at: None,
            commit: self.commit,
        };
        stamp.apply(&mut manifest, options, remarks);
        if !manifest.contains_key("tool_version") {
            manifest.insert("tool_version".to_owned(), "unknown".into());
            remarks
                .push("a pack does not record the version of its tool; set it with --tool-version VERSION".to_owned());
        }
        manifest.insert("format".to_owned(), self.style.into());
        manifest.insert("file_count".to_owned(), self.files.len().into());
        manifest.insert("byte_count".to_owned(), pack.len().into());
        let tokens = self.tokens.unwrap_or_else(|| letters.div_ceil(LETTERS_PER_TOKEN));
        manifest.insert("token_estimate".to_owned(), tokens.into());
        if self.tokens.is_none() {
            let method = format!("one for every {LETTERS_PER_TOKEN} characters");
            manifest.insert("token_estimate_method".to_owned(), method.into());
        }
        let files = self.files.into_iter();
        let files: Vec<Value> = files
            .map(|(path, bytes)| json!({"path": path, "bytes": bytes}))
            .collect();
        let mut root = Map::new();
        root.insert("manifest".to_owned(), Value::Object(manifest));
        root.insert("content_url".to_owned(), content_url.into());
        root.insert("files".to_owned(), Value::Array(files));
        root
    }
}
