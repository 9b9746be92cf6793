//! What `lore graph publish` says.

use schemars::JsonSchema;
use serde::Serialize;

use super::choose::Counts;
use lore_base::scrub::Scrubbed;
use lore_seam::{Page, Render};

/// What was published, or how what is there compares with it
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphPublishAnswer {
    /// The repository
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The commit that the graph is of
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether the files differ from that commit's
    pub dirty: bool,
    /// When the graph says it was made
    pub generated_at: String,
    /// The files, the record last
    pub files: Vec<PublishedFile>,
    /// What was taken out of texts
    pub scrubbed: ScrubbedCounts,
    /// What is worth knowing
    pub remarks: Vec<String>,
}

/// A file that is published
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct PublishedFile {
    /// The file, from the root of the repository
    pub path: String,
    /// The formats that the record lists it as
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<String>,
    /// Where it will be served
    pub url: String,
    /// What became of it
    pub state: FileState,
    /// Its size
    pub bytes: u64,
    /// Its nodes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Its edges
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<u64>,
    /// What it holds and what there is, where not all of the graph fits
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Partial>,
}

/// What became of a file
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// It was written
    Written,
    /// It would be written
    WouldBeWritten,
    /// It is what it should be, or differs in commit and time alone
    AsItWas,
    /// It is not of the code as it is
    Differs,
    /// It is not there
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
            Self::AsItWas => "as it should be: ",
            Self::Differs => "not of the code as it is: ",
            Self::Missing => "missing: ",
        }
    }
}

/// How much of a graph a file holds
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partial {
    /// Files
    pub files: Share,
    /// Symbols
    pub symbols: Share,
    /// Edges
    pub edges: Share,
    /// Calls that lead nowhere known
    pub unresolved: Share,
}

/// Some of many
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// How many are in the file
    pub kept: u64,
    /// How many there are
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
            ("calls that lead nowhere known", self.unresolved),
        ];
        let missing = parts.into_iter().filter(|(_, share)| share.kept < share.of);
        let told: Vec<String> = missing
            .map(|(what, share)| format!("{} of {} {what}", share.kept, share.of))
            .collect();
        told.join(", ")
    }
}

/// What was taken out of texts
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScrubbedCounts {
    /// E-mail addresses
    pub emails: u64,
    /// Secrets
    pub secrets: u64,
    /// Paths of machines
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
                "taken out of texts: {emails} e-mail addresses, {secrets} secrets, {paths} paths of machines"
            ));
        }
        for remark in &self.remarks {
            page.write(format_args!("note: "));
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}
