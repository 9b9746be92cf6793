//! Scrubbing (clause P7): what a source says of people, machines and secrets does not leave with its graph.
//!
//! A text goes in and comes out with a mark in the place of each e-mail address, secret and path of a machine. Every finder looks a bounded number of
//! letters ahead of where it stands, so that the work is linear whatever the text. What is a secret can only be guessed: known shapes and assignments to
//! names that speak of secrets are sure, tokens that look random are likely, and digests in hexadecimal are let pass, for they are everywhere.

mod addresses;
mod graph;
mod paths;
mod secrets;
mod unique_names;

pub use graph::clean_qualified;
pub use graph::scrubbed;
pub use unique_names::UniqueNames;

use std::borrow::Cow;
use std::ops::Range;

/// How a text is to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wording {
    /// An identifier. Randomness of an identifier means nothing.
    Name,
    /// A declaration or source code: an unquoted value after a name is usually another name.
    Code,
    /// What people write: documentation, comments, titles.
    Prose,
    /// Configuration with unquoted values after names: YAML, Dockerfiles, shell scripts.
    Settings,
}

/// Languages with unquoted values.
const SETTINGS: &[&str] = &[
    "bash",
    "shell",
    "dockerfile",
    "make",
    "makefile",
    "yaml",
    "toml",
    "ini",
    "properties",
    "dotenv",
];
/// Languages that people write for people.
const PROSE: &[&str] = &["markdown", "text", "rst", "asciidoc"];

impl Wording {
    /// How the text of a file of a language is to be taken.
    pub fn of_language(language: &str) -> Self {
        let is_one = |known: &[&str]| known.iter().any(|known| language.eq_ignore_ascii_case(known));
        if is_one(SETTINGS) {
            Self::Settings
        } else if is_one(PROSE) {
            Self::Prose
        } else {
            Self::Code
        }
    }

    /// A name is made of words and what joins them; the title of a test or a heading is a sentence.
    pub fn of_name(text: &str) -> Self {
        if text.bytes().any(|byte| byte.is_ascii_whitespace()) {
            Self::Prose
        } else {
            Self::Name
        }
    }
}

/// What was taken out, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scrubbed {
    /// E-mail addresses.
    pub emails: u64,
    pub secrets: u64,
    /// Paths of machines.
    pub paths: u64,
}

impl Scrubbed {
    /// Everything that was taken out.
    pub fn total(&self) -> u64 {
        self.emails + self.secrets + self.paths
    }
}

/// Takes out of texts what should not be published, and counts it.
#[derive(Clone, Debug, Default)]
pub struct Scrubber {
    is_off: bool,
    /// The directory of the repository on this machine.
    root: Option<String>,
    /// What was taken out so far.
    pub scrubbed: Scrubbed,
}

impl Scrubber {
    /// One that scrubs.
    pub fn on() -> Self {
        Self::default()
    }

    /// One that scrubs, and takes out the directory of the repository too if it lies so deep that its name says something.
    pub fn below(root: Option<&str>) -> Self {
        let root = root.map(|root| root.trim_end_matches('/'));
        let root = root.filter(|root| root.starts_with('/') && root.split('/').count() > LEAST_ROOT);
        Self {
            root: root.map(str::to_owned),
            ..Self::default()
        }
    }

    /// A scrubber that changes nothing.
    pub fn off() -> Self {
        Self {
            is_off: true,
            ..Self::default()
        }
    }

    /// Whether it changes nothing.
    pub fn is_off(&self) -> bool {
        self.is_off
    }

    /// The text with a mark in the place of each finding.
    pub fn scrub<'t>(&mut self, text: &'t str, wording: Wording) -> Cow<'t, str> {
        if self.is_off || !may_hold_any(text.as_bytes(), wording) {
            return Cow::Borrowed(text);
        }
        let mut findings = Vec::new();
        secrets::find(text, wording, &mut findings);
        paths::find(text, self.root.as_deref(), &mut findings);
        addresses::find(text, &mut findings);
        if findings.is_empty() {
            return Cow::Borrowed(text);
        }
        // Where two begin at one place the surer kind has come first, and of two of a kind the longer holds the other.
        findings.sort_by_key(|finding| (finding.range.start, finding.kind, usize::MAX - finding.range.end));
        let mut clean = String::with_capacity(text.len());
        let mut at = 0;
        for Finding { kind, range } in findings {
            if range.start < at {
                continue;
            }
            clean.push_str(text.get(at..range.start).unwrap_or_default());
            clean.push_str(kind.mark());
            *kind.count(&mut self.scrubbed) += 1;
            at = range.end;
        }
        clean.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(clean)
    }
}

/// What was found, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Secret,
    Path,
    Email,
}

impl Kind {
    fn mark(self) -> &'static str {
        match self {
            Self::Secret => "[secret]",
            Self::Path => "[path]",
            Self::Email => "[email]",
        }
    }

    fn count(self, scrubbed: &mut Scrubbed) -> &mut u64 {
        match self {
            Self::Secret => &mut scrubbed.secrets,
            Self::Path => &mut scrubbed.paths,
            Self::Email => &mut scrubbed.emails,
        }
    }
}

/// A finding to remove, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Finding {
    kind: Kind,
    range: Range<usize>,
}

/// Parts of a root's path from which on it identifies a machine, unlike `/app`, which is the same everywhere.
const LEAST_ROOT: usize = 3;
/// Letters of the shortest token that is looked at closely.
const SHORTEST_TOKEN: usize = 16;

/// Whether any finder could find anything. Nearly every name and signature is let go here.
fn may_hold_any(bytes: &[u8], wording: Wording) -> bool {
    let mut run = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'@' | b'\\' | b'/' | b'=' | b'%' => return true,
            b'-' if bytes.get(at..).is_some_and(|rest| rest.starts_with(b"-----")) => return true,
            b':' if wording != Wording::Name => return true,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {
                run += 1;
                if run >= SHORTEST_TOKEN {
                    return true;
                }
            }
            _ => run = 0,
        }
    }
    false
}

/// Whether a byte can be part of a word: a letter, a digit, or any part of a letter that is not of ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests;
