//! `lore ccg index` and `lore ccg full`: layers 2 and 3, streamed.

use std::io::{self, Write};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::bundle::Part;
use super::dataset::{Dataset, Layer};
use super::gzip::GzipWriter;
use super::layers::file_stem;
use super::nquads::write_layer;
use super::open::{Publishing, Showing, open};
use super::output::target;
use lore_seam::{Access, Bytes, Ctx, Exported, OpError, Operation, Page, Render, Scope, Value, Written};

/// Export layer 2, the symbol index: every symbol, its signature, its complexity and its calls, as N-Quads, gzipped
///
/// The same source at the same commit gives the same bytes. Without --output they go to standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore ccg index --output app.ccg.index.nq.gz
  lore ccg index --plain | grep 'narsilmcp.com/ontology/v1#calls'
  lore ccg index --at v1.2 > v1.2.ccg.index.nq.gz")]
pub struct ExportIndexRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub export: ExportArguments,
}

/// Export layer 3, full detail: the index, call sites with how each is known, data flow, documentation, source of complex functions and history, as N-Quads, gzipped
///
/// The same source at the same commit gives the same bytes. Without --output they go to standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore ccg full --output app.ccg.full.nq.gz
  lore ccg full --plain | head")]
pub struct ExportFullRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub export: ExportArguments,
}

/// What both exports take.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
pub struct ExportArguments {
    /// Write to a file, in one step; in a directory it gets the layer's own name, and - is standard output
    #[arg(long, short, value_name = "FILE")]
    #[serde(default)]
    pub output: Option<String>,
    /// As plain text, not gzipped
    #[arg(long)]
    #[serde(default)]
    pub plain: bool,
    /// Say that it was analysed now, and not when the commit was made
    #[arg(long)]
    #[serde(default)]
    pub now: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub publishing: Publishing,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ExportReport {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The digest of its content
    pub sha256: String,
    /// Quads in it
    pub quads: u64,
    /// Whether it is a device or a pipe, which was written to and not replaced
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
}

impl Render for ExportReport {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        page.line(format_args!(
            "  {} quads, {} bytes, sha256 {}{}",
            self.quads,
            self.bytes,
            self.sha256,
            Written::remark(self.streamed)
        ));
    }
}

/// `lore ccg index`.
pub struct ExportIndex;

impl Operation for ExportIndex {
    const NAME: &'static str = "export_ccg_index";
    const COMMAND: &'static [&'static str] = &["ccg", "index"];
    const ACCESS: Access = Access::Export;
    type Request = ExportIndexRequest;
    type Answer = Exported<ExportReport>;

    fn run(ctx: &Ctx, request: ExportIndexRequest) -> Result<Exported<ExportReport>, OpError> {
        export(ctx, request.export, Layer::Index)
    }
}

/// `lore ccg full`.
pub struct ExportFull;

impl Operation for ExportFull {
    const NAME: &'static str = "export_ccg_full";
    const COMMAND: &'static [&'static str] = &["ccg", "full"];
    const ACCESS: Access = Access::Export;
    type Request = ExportFullRequest;
    type Answer = Exported<ExportReport>;

    fn run(ctx: &Ctx, request: ExportFullRequest) -> Result<Exported<ExportReport>, OpError> {
        export(ctx, request.export, Layer::Full)
    }
}

fn export(ctx: &Ctx, arguments: ExportArguments, layer: Layer) -> Result<Exported<ExportReport>, OpError> {
    let showing = Showing::of(ctx, arguments.publishing);
    let dataset = open(ctx, &arguments.scope, arguments.now, &showing)?;
    let plain = arguments.plain;
    let part = if layer == Layer::Index {
        Part::SymbolIndex
    } else {
        Part::FullDetail
    };
    let extension = part.extension().unwrap_or_default();
    let extension = if plain {
        extension.trim_end_matches(".gz")
    } else {
        extension
    };
    let name = format!("{}{extension}", file_stem(dataset.identity()));
    let Some(path) = target(ctx, arguments.output.as_deref(), Some(&name))? else {
        let media_type = if plain {
            "application/n-quads"
        } else {
            "application/gzip"
        };
        let cancel = std::sync::Arc::clone(&ctx.cancel);
        return Ok(Exported::Bytes(Bytes::stream(media_type, move |out| {
            write(&dataset, layer, plain, out, &cancel).map(drop)
        })));
    };
    let mut report = ExportReport {
        path: path.clone(),
        bytes: 0,
        sha256: String::new(),
        quads: 0,
        streamed: false,
    };
    let written = ctx.ports.files.write(&path, &mut |out| {
        let mut hashed = Hashed::new(out);
        report.quads = write(&dataset, layer, plain, &mut hashed, &ctx.cancel)?;
        report.sha256 = hashed.digest();
        Ok(())
    })?;
    report.bytes = written.bytes;
    report.streamed = written.streamed;
    Ok(Exported::Report(Value::yes(report)))
}

fn write(
    dataset: &Dataset,
    layer: Layer,
    plain: bool,
    out: &mut dyn io::Write,
    cancel: &lore_model::Cancel,
) -> Result<u64, OpError> {
    if plain {
        write_layer(dataset, layer, out, cancel)
    } else {
        let mut gzip = GzipWriter::new(out);
        let count = write_layer(dataset, layer, &mut gzip, cancel)?;
        gzip.finish().map_err(OpError::from_write)?;
        Ok(count)
    }
}

/// Passes bytes on and digests them.
pub(super) struct Hashed<'a> {
    out: &'a mut dyn io::Write,
    digest: Sha256,
}

impl<'a> Hashed<'a> {
    pub(super) fn new(out: &'a mut dyn io::Write) -> Self {
        Self {
            out,
            digest: Sha256::new(),
        }
    }

    /// The digest in hexadecimal.
    pub(super) fn digest(self) -> String {
        lore_base::digest::hex(self.digest.finalize())
    }
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.digest.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
