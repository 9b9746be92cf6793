//! The answer of `lore graph publish`.

use schemars::JsonSchema;
use serde::Serialize;

use super::choose::Counts;
use lore_base::scrub::Scrubbed;
use lore_seam::{Page, Render};

/// The published files, or how the existing files differ
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphPublishAnswer {
    /// The repository
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The commit of the graph
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether the working tree differs from that commit
    pub dirty: bool,
    /// The time in the graph
    pub generated_at: String,
    /// The files, the record last
    pub files: Vec<PublishedFile>,
    /// What was removed from texts
    pub scrubbed: ScrubbedCounts,
    /// Remarks
    pub remarks: Vec<String>,
}

/// A published file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct PublishedFile {
    /// The file, from the root of the repository
    pub path: String,
    /// The formats under which the record lists it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<String>,
    /// Its public address
    pub url: String,
    /// The result
    pub state: FileState,
    /// Its size
    pub bytes: u64,
    /// Its nodes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Its edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<u64>,
    /// What the file contains and what exists, if the graph does not fit
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Partial>,
}

/// The result for a file
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// The file was written
    Written,
    /// The file would be written
    WouldBeWritten,
    /// The file is current, or differs only in commit and time
    AsItWas,
    /// The file does not match the code
    Differs,
    /// The file is missing
    Missing,
}

impl FileState {
    /// Whether it is not as it should be.
    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Self::Differs | Self::Missing)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Written => "wrote ",
            Self::WouldBeWritten => "would write ",
            Self::AsItWas => "up to date: ",
            Self::Differs => "out of date: ",
            Self::Missing => "missing: ",
        }
    }
}

/// How much of a graph a file contains
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partial {
    /// Files
    pub files: Share,
    /// Symbols
    pub symbols: Share,
    /// Edges
    pub edges: Share,
    /// Unresolved calls
    pub unresolved: Share,
}

/// A part of a total
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The number in the file
    pub kept: u64,
    /// The total
    pub of: u64,
}

impl Partial {
    pub(super) fn new(kept: Counts, of: Counts) -> Self {
        let share = |kept: usize, of: usize| Share {
            kept: kept as u64,
            of: of as u64,
        };
        Self {
            files: share(kept.files, of.files),
            symbols: share(kept.symbols, of.symbols),
            edges: share(kept.edges, of.edges),
            unresolved: share(kept.unresolved, of.unresolved),
        }
    }

    /// What is missing, in words.
    pub(super) fn words(&self) -> String {
        let parts = [
            ("files", self.files),
            ("symbols", self.symbols),
            ("edges", self.edges),
            ("unresolved calls", self.unresolved),
        ];
        let missing = parts.into_iter().filter(|(_, share)| share.kept < share.of);
        let told: Vec<String> = missing
            .map(|(what, share)| format!("{} of {} {what}", share.kept, share.of))
            .collect();
        told.join(", ")
    }
}

/// What was removed from texts
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScrubbedCounts {
    /// E-mail addresses
    pub emails: u64,
    /// Secrets
    pub secrets: u64,
    /// Absolute paths
    pub paths: u64,
}

impl ScrubbedCounts {
    /// Takes note of what was taken out of a file. Formats hold the same texts, so that the file with the most tells how much there was.
    pub(super) fn take(&mut self, scrubbed: Scrubbed) {
        self.emails = self.emails.max(scrubbed.emails);
        self.secrets = self.secrets.max(scrubbed.secrets);
        self.paths = self.paths.max(scrubbed.paths);
    }
}

impl Render for GraphPublishAnswer {
    fn render(&self, page: &mut Page) {
        for file in &self.files {
            page.write(format_args!("{}", file.state.words()));
            page.strong(&file.path);
            if !file.formats.is_empty() {
                page.write(format_args!("  {}", file.formats.join(", ")));
            }
            page.write(format_args!("  {} bytes", file.bytes));
            if let (Some(nodes), Some(edges)) = (file.nodes, file.edges) {
                page.write(format_args!(", {nodes} nodes, {edges} edges"));
            }
            page.line(format_args!(""));
            page.dim("  ");
            page.dim(&file.url);
            page.line(format_args!(""));
        }
        let ScrubbedCounts { emails, secrets, paths } = self.scrubbed;
        if emails + secrets + paths > 0 {
            page.line(format_args!(
                "removed from texts: {emails} e-mail addresses, {secrets} secrets, {paths} absolute paths"
            ));
        }
        for remark in &self.remarks {
            page.write(format_args!("note: "));
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}
