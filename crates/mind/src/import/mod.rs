//! `lore mind import`: a file, or the front matter of documents, becomes part of the graph: all of it or nothing (clauses C17 to C24).

mod check;
mod document;
mod files;
mod gather;
mod markdown;
mod payload;
#[cfg(test)]
mod tests;
mod yaml;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::check::{check, prefix_warnings};
use self::files::NamedFiles;
use self::gather::{Gathered, gather};
pub use self::markdown::{MarkdownFile, from_markdown};
pub use self::payload::{
    Counts, Entry, Format, Payload, PayloadEdge, PayloadNode, Plan, Problem, Read, Report, Stage, plan, read,
};
use crate::graph::Graph;
use crate::limits::Limits;
use crate::open::open;
use crate::time::Time;
use crate::warnings::render_warnings;
use crate::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value, Verdict};

/// Errors that are shown one by one.
const SHOWN: usize = 100;
/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";

/// Import nodes and edges into the mind graph from a YAML or JSON file, or from the front matter of Markdown files
///
/// If the file has an error, Lore writes nothing. Existing nodes and edges are updated. Importing the same file again changes nothing. The ends of an edge must be declared in the file or exist in the graph; Lore creates the node file:PATH if the file exists in the repository.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "A file:
  version: 1
  nodes:
    - id: \"milestone:BEDROCK\"
      props: {status: todo}
    - id: \"task:BDK-001\"
  edges:
    - {source: \"task:BDK-001\", target: \"milestone:BEDROCK\", type: belongs-to, confidence: 0.9, rationale: planned}

Examples:
  lore mind import roadmap.yaml --dry-run
  lore mind import roadmap.yaml
  lore --repo ../other mind export | lore mind import -
  lore mind import --from-markdown 'docs/**/*.md'     reads the keys id and title, and edge types

Exit status: 0 imported or unchanged; 1 the file has errors, and nothing was written; 2 the file could not be read, or the graph could not be written.")]
#[serde(default)]
pub struct MindImportRequest {
    /// The file; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "from_markdown")]
    pub file: Option<String>,
    /// Read the front matter of these Markdown files: a pattern or a directory
    #[arg(long, value_name = "GLOB", conflicts_with = "file")]
    pub from_markdown: Option<String>,
    /// Write nothing and show what would change
    #[arg(long)]
    pub dry_run: bool,
}

/// The result of an import
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct MindImportAnswer {
    /// Whether the file has no errors
    pub valid: bool,
    /// Whether this was a dry run
    #[schemars(extend("x-agents" = "omit"))]
    pub dry_run: bool,
    /// Errors; if there are any, nothing was written
    pub errors: Vec<Problem>,
    /// Warnings
    pub warnings: Vec<String>,
    /// Nodes and edges in the file
    #[schemars(extend("x-agents" = "omit"))]
    pub stats: Counts,
    /// New nodes and edges
    pub created: Counts,
    /// Nodes and edges that existed before
    pub updated: Counts,
    /// Existing nodes and edges that changed
    pub changed: Counts,
    /// New nodes of files of the repository that edges name and the import file does not declare
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_created: Vec<String>,
    /// The id of the patch; none if nothing changed
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// `lore mind import`.
pub struct MindImport;

impl Operation for MindImport {
    const NAME: &'static str = "mind_import";
    const COMMAND: &'static [&'static str] = &["mind", "import"];
    const ACCESS: Access = Access::Write;
    type Request = MindImportRequest;
    type Answer = Value<MindImportAnswer>;

    fn run(ctx: &Ctx, request: MindImportRequest) -> Result<Value<MindImportAnswer>, OpError> {
        let mut source = Source::open(ctx, &request)?;
        source.find_files(ctx)?;
        let (mut answer, patch) = if request.dry_run {
            let opened = open(ctx, None)?;
            let now = Time::from_millis(ctx.ports.clock.now_ms());
            (source.wanted(&opened.graph, &now).answer, None)
        } else {
            write(ctx, |graph, now| Ok(source.wanted(graph, now)))?
        };
        answer.dry_run = request.dry_run;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value {
            verdict: if answer.valid { Verdict::Yes } else { Verdict::No },
            value: answer,
        })
    }
}

/// What is imported, read before anybody has to wait for it.
enum Source {
    /// A file, and the files of the repository that its edges name.
    File(Box<Read>, NamedFiles),
    Markdown(Gathered),
}

impl Source {
    fn open(ctx: &Ctx, request: &MindImportRequest) -> Result<Self, OpError> {
        let invalid = |message: &str| OpError::new(ErrorKind::Invalid, message);
        match (&request.file, &request.from_markdown) {
            (Some(_), Some(_)) => Err(invalid("a file and --from-markdown exclude each other")),
            (None, None) => Err(invalid("no file is given").hint("name a file, or --from-markdown GLOB")),
            (None, Some(pattern)) => gather(ctx, pattern).map(Self::Markdown),
            (Some(path), None) => {
                let bytes = ctx.ports.files.read(path, u64::from(Limits::FILE_BYTES))?;
                let format = match path.as_str() {
                    STANDARD_INPUT => Format::of_bytes(&bytes),
                    path => Format::of_path(path),
                };
                Ok(Self::File(Box::new(read(&bytes, format)), NamedFiles::default()))
            }
        }
    }

    /// Looks for the files that edges name. Front matter needs no look: all its targets count as declared.
    fn find_files(&mut self, ctx: &Ctx) -> Result<(), OpError> {
        if let Self::File(read, files) = self {
            *files = NamedFiles::find(ctx, &read.payload)?;
        }
        Ok(())
    }

    fn wanted(&self, graph: &Graph, now: &Time) -> Wanted<MindImportAnswer> {
        match self {
            Self::File(own, files) => {
                let mut read = Read::clone(own);
                let declared = files.declare(&mut read.payload, graph);
                let mut wanted = wanted(&read, graph, now);
                wanted.answer.stats = stats(&own.payload);
                if wanted.answer.valid {
                    wanted.answer.files_created = declared;
                }
                wanted
            }
            Self::Markdown(gathered) => {
                let mut read = from_markdown(&gathered.files(), graph);
                read.warnings.extend(gathered.warnings.iter().cloned());
                wanted(&read, graph, now)
            }
        }
    }
}

fn wanted(read: &Read, graph: &Graph, now: &Time) -> Wanted<MindImportAnswer> {
    let report = check(read, graph);
    let stats = stats(&read.payload);
    let answer = MindImportAnswer {
        valid: report.errors.is_empty(),
        errors: report.errors,
        warnings: report.warnings,
        stats,
        ..MindImportAnswer::default()
    };
    if !answer.valid {
        return Wanted {
            subject: String::new(),
            operations: Vec::new(),
            answer,
        };
    }
    let plan = plan(&read.payload, graph, now);
    Wanted {
        subject: format!("mind: import {} nodes and {} edges", stats.nodes, stats.edges),
        operations: plan.operations,
        answer: MindImportAnswer {
            created: plan.created,
            updated: plan.updated,
            changed: plan.changed,
            ..answer
        },
    }
}

fn stats(payload: &Payload) -> Counts {
    Counts {
        nodes: payload.nodes.len(),
        edges: payload.edges.len(),
    }
}

impl Render for MindImportAnswer {
    fn render(&self, page: &mut Page) {
        for problem in self.errors.iter().take(SHOWN) {
            if let (Some(line), Some(column)) = (problem.line, problem.column) {
                page.write(format_args!("{line}:{column}: "));
            }
            page.text(&problem.text());
            page.line(format_args!(""));
            if let Some(hint) = &problem.hint {
                page.write(format_args!("  hint: "));
                page.text(hint);
                page.line(format_args!(""));
            }
        }
        if self.errors.len() > SHOWN {
            let more = self.errors.len() - SHOWN;
            page.line(format_args!("{more} more errors; --json lists all"));
        }
        render_warnings(page, &self.warnings);
        if !self.valid {
            let errors = match self.errors.len() {
                1 => "1 error".to_owned(),
                count => format!("{count} errors"),
            };
            page.line(format_args!("{errors}; nothing was written"));
            return;
        }
        page.line(format_args!("created {}", self.created));
        if !self.files_created.is_empty() {
            let shown: Vec<&str> = self.files_created.iter().take(SHOWN).map(String::as_str).collect();
            page.write(format_args!("new nodes of existing files: {}", shown.join(", ")));
            match self.files_created.len().saturating_sub(SHOWN) {
                0 => page.line(format_args!("")),
                more => page.line(format_args!(" and {more} more")),
            }
        }
        if self.updated != Counts::default() {
            page.line(format_args!(
                "updated {}, of which {} changed",
                self.updated, self.changed
            ));
        }
        if self.dry_run {
            page.line(format_args!("nothing was written"));
        }
    }
}
