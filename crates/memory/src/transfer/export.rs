//! `lore memory export`: everything as JSON Lines, the same bytes for the same store.

use std::io::Write;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::named_project;
use crate::id::Id;
use crate::model::{Pipelines, Record};
use crate::store::{Got, reading};
use lore_seam::{Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, Render, Value, Written};

/// The version of the form.
pub const FORMAT: u32 = 1;
/// What the bytes are.
const MEDIA_TYPE: &str = "application/x-ndjson";

/// The first line of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// What it is an export of.
    pub lore: String,
    /// The version of the form.
    pub format: u32,
    /// The pipelines, if they were fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipelines: Option<Pipelines>,
}

/// Export memory as JSON Lines, for git or for an import elsewhere
///
/// The same memory gives the same bytes. Without --output, Lore writes to standard output. Directories of this machine are not exported.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory export --output memory.jsonl
  lore memory export --project shop | grep '\"kind\":\"atom\"'
  lore memory export --project . > shop.jsonl")]
pub struct ExportRequest {
    /// Only this project: id, name, or . for the project of this repository
    #[arg(long, value_name = "PROJECT")]
    #[serde(default)]
    pub project: Option<String>,
    /// Write to this file; - is standard output
    #[arg(long, short, value_name = "FILE")]
    #[serde(default)]
    pub output: Option<String>,
}

/// The written file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ExportReport {
    /// The file
    pub path: String,
    /// Size in bytes
    pub bytes: u64,
    /// Number of lines, including the header
    pub lines: u64,
    /// True for a device or a pipe, which Lore wrote to and did not replace
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
}

impl Render for ExportReport {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.line(format_args!(
            "  {} lines, {} bytes{}",
            self.lines,
            self.bytes,
            Written::remark(self.streamed)
        ));
    }
}

/// `lore memory export`.
pub struct MemoryExport;

impl Operation for MemoryExport {
    const NAME: &'static str = "memory_export";
    const COMMAND: &'static [&'static str] = &["memory", "export"];
    const ACCESS: Access = Access::Export;
    type Request = ExportRequest;
    type Answer = Exported<ExportReport>;

    fn run(ctx: &Ctx, request: ExportRequest) -> Result<Exported<ExportReport>, OpError> {
        let project = match &request.project {
            Some(named) => Some(reading(ctx, |store| named_project(ctx, store, named))?),
            None => None,
        };
        match request.output.filter(|path| path != "-") {
            Some(path) => {
                let mut lines = 0;
                let written = ctx.ports.files.write(&path, &mut |out| {
                    lines = write(ctx, project, out)?;
                    Ok(())
                })?;
                Ok(Exported::Report(Value::yes(ExportReport {
                    path,
                    bytes: written.bytes,
                    lines,
                    streamed: written.streamed,
                })))
            }
            None => {
                let ctx = ctx.clone();
                let stream = Bytes::stream(MEDIA_TYPE, move |out| write(&ctx, project, out).map(drop));
                Ok(Exported::Bytes(Bytes {
                    as_chosen: true,
                    ..stream
                }))
            }
        }
    }
}

/// Writes everything, or everything of a project; how many lines.
pub fn write(ctx: &Ctx, project: Option<Id>, out: &mut dyn Write) -> Got<u64> {
    reading(ctx, |store| {
        let header = Header {
            lore: "memory".to_owned(),
            format: FORMAT,
            pipelines: store.pipelines()?,
        };
        let mut lines = 1;
        line(out, &header)?;
        store.every(project, &mut |record: Record| {
            lines += 1;
            line(out, &record)
        })?;
        Ok(lines)
    })
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> Got<()> {
    let mut text = serde_json::to_vec(value).map_err(|error| {
        OpError::new(ErrorKind::Internal, format!("a line cannot be written: {error}")).because(error)
    })?;
    text.push(b'\n');
    out.write_all(&text).map_err(OpError::from_write)
}
