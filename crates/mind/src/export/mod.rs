//! `lore mind export`: the graph as a file that can be imported (clauses C25, Ref16).

mod document;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::document::{Export, choose};
use crate::import::{Counts, Format};
use crate::open::open;
use crate::warnings::render_warnings;
use crate::wire::prefixes;
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, PathKind, Render, Value, Written};

/// The file name that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Export the mind graph as a file that can be imported
///
/// The export omits commit and epoch nodes, review records and times. The same graph gives the same bytes. Without FILE, Lore writes to standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind export > mind.yaml
  lore mind export mind.json --force            JSON, because of the file name
  lore mind export --prefix task --prefix milestone
  lore mind export --at v1.2                    the graph as of a tag

Exit status: 0 exported; 1 the file exists, or nothing is recorded at the commit; 2 the file could not be written.")]
#[serde(default)]
pub struct MindExportRequest {
    /// The file to write, - is standard output [default: -]
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// The format [default: json if the name ends with .json, otherwise yaml]
    #[arg(long, value_enum)]
    pub format: Option<ExportFormat>,
    /// Only nodes with this prefix, and edges between them; may be given several times
    #[arg(long, value_name = "PREFIX")]
    pub prefix: Vec<String>,
    /// The graph as of this commit, branch or tag
    #[arg(long, value_name = "REVISION")]
    pub at: Option<String>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

/// The format of an export
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// YAML 1.2
    Yaml,
    /// JSON
    Json,
}

/// The written file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindExportAnswer {
    /// The file
    pub path: String,
    /// Number of nodes
    pub nodes: usize,
    /// Number of edges
    pub edges: usize,
    /// Size in bytes
    pub bytes: u64,
    /// Warnings
    pub warnings: Vec<String>,
    /// True for a device or a pipe, which Lore wrote to and did not replace
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
}

/// `lore mind export`.
pub struct MindExport;

impl Operation for MindExport {
    const NAME: &'static str = "mind_export";
    const COMMAND: &'static [&'static str] = &["mind", "export"];
    const ACCESS: Access = Access::Export;
    type Request = MindExportRequest;
    type Answer = Exported<MindExportAnswer>;

    fn run(ctx: &Ctx, request: MindExportRequest) -> Result<Exported<MindExportAnswer>, OpError> {
        let path = request.file.filter(|path| path != STANDARD_OUTPUT);
        if let Some(path) = &path {
            check_free(ctx, path, request.force)?;
        }
        let prefixes = prefixes(&request.prefix)?;
        let opened = open(ctx, request.at.as_deref())?;
        let chosen = choose(&opened.graph, &prefixes);
        let (nodes, edges) = (chosen.nodes.len(), chosen.edges.len());
        let mut warnings = opened.remarks();
        if nodes == 0 && !request.prefix.is_empty() {
            warnings.push(format!("no node has the prefix {}", request.prefix.join(" or ")));
        }
        let format = match (request.format, &path) {
            (Some(format), _) => format,
            (None, Some(path)) if Format::of_path(path) == Format::Json => ExportFormat::Json,
            (None, _) => ExportFormat::Yaml,
        };
        let (media_type, text) = match format {
            ExportFormat::Yaml => ("application/yaml", chosen.yaml()),
            ExportFormat::Json => ("application/json", chosen.json()),
        };
        let Some(path) = path else {
            return Ok(Exported::Bytes(Bytes {
                note: (!warnings.is_empty()).then(|| warnings.join("; ")),
                as_chosen: request.format.is_some(),
                ..Bytes::whole(media_type, text.into_bytes())
            }));
        };
        let write = &mut |out: &mut dyn std::io::Write| out.write_all(text.as_bytes()).map_err(OpError::from_write);
        let written = ctx.ports.files.write(&path, write)?;
        Ok(Exported::Report(Value::yes(MindExportAnswer {
            path,
            nodes,
            edges,
            bytes: written.bytes,
            warnings,
            streamed: written.streamed,
        })))
    }
}

fn check_free(ctx: &Ctx, path: &str, force: bool) -> Result<(), OpError> {
    let is_directory = path.ends_with('/') || ctx.ports.files.kind(path) == Some(PathKind::Directory);
    if path.is_empty() || is_directory {
        let message = format!("`{path}` is not a file path");
        return Err(OpError::new(ErrorKind::Invalid, message).hint("write - for standard output"));
    }
    if !force && ctx.ports.files.kind(path) == Some(PathKind::File) {
        let message = format!("{path} exists");
        return Err(OpError::new(ErrorKind::Refused, message).hint("--force replaces it"));
    }
    Ok(())
}

impl Render for MindExportAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.line(format_args!(
            "  {}, {} bytes{}",
            Counts {
                nodes: self.nodes,
                edges: self.edges
            },
            self.bytes,
            Written::remark(self.streamed)
        ));
        render_warnings(page, &self.warnings);
    }
}
