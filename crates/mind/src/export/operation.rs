//! `lore mind export`: the graph as a file that can be imported (clauses C25, Ref16).

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose;
use crate::import::{Counts, Format};
use crate::open::open;
use crate::warnings::render_warnings;
use crate::wire::prefixes;
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, PathKind, Render, Value, Written};

/// What stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Export the mind graph as a file that can be imported
///
/// Nodes of commits and epochs, records of reviews and times are left out. The same graph gives the same bytes. Without FILE they go to standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind export > mind.yaml
  lore mind export mind.json --force            the name says that it is JSON
  lore mind export --prefix task --prefix milestone
  lore mind export --at v1.2                    as it was at a commit

Exit status: 0 exported; 1 the file is there already, or nothing is recorded at the commit; 2 it could not be written.")]
#[serde(default)]
pub struct MindExportRequest {
    /// The file to write, in one step; - is standard output [default: -]
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// How it is written [default: json if the name ends with .json, otherwise yaml]
    #[arg(long, value_enum)]
    pub format: Option<ExportFormat>,
    /// Only nodes with this prefix, and edges between them; may be given several times
    #[arg(long, value_name = "PREFIX")]
    pub prefix: Vec<String>,
    /// As it was at a commit, branch or tag
    #[arg(long, value_name = "REVISION")]
    pub at: Option<String>,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
}

/// How an export is written.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// YAML 1.2
    Yaml,
    /// JSON
    Json,
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindExportAnswer {
    /// The file
    pub path: String,
    /// Nodes in it
    pub nodes: usize,
    /// Edges in it
    pub edges: usize,
    /// Its size
    pub bytes: u64,
    /// What is remarkable
    pub warnings: Vec<String>,
    /// Whether it is a device or a pipe, which was written to and not replaced
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
        let message = format!("`{path}` names no file");
        return Err(OpError::new(ErrorKind::Invalid, message).hint("- is standard output"));
    }
    if !force && ctx.ports.files.kind(path) == Some(PathKind::File) {
        let message = format!("{path} is there already");
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
