//! Layers 2 and 3, which are streams of N-Quads.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use lore_model::Cancel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExportArguments, ExportedFile};
use crate::bundle::Part;
use crate::dataset::{Dataset, Layer};
use crate::gzip::GzipWriter;
use crate::layers::file_stem;
use crate::nquads::write_layer;
use crate::open::{Showing, open};
use crate::output::target;
use lore_seam::{Bytes, Ctx, Exported, OpError, Page, Render, Value, Written};

/// What an export of statements takes.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct StatementsArguments {
    /// Write plain text, not gzipped
    #[arg(long)]
    #[serde(default)]
    pub plain: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub export: ExportArguments,
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct StatementsReport {
    /// The file
    #[serde(flatten)]
    pub file: ExportedFile,
    /// Quads in the file
    pub quads: u64,
}

impl Render for StatementsReport {
    fn render(&self, page: &mut Page) {
        let file = &self.file;
        page.strong(&file.path);
        page.line(format_args!(
            "  {} quads, {} bytes, sha256 {}{}",
            self.quads,
            file.bytes,
            file.sha256,
            Written::remark(file.streamed)
        ));
    }
}

/// Writes the statements of a layer where the arguments say.
pub(super) fn export_statements(
    ctx: &Ctx,
    arguments: StatementsArguments,
    layer: Layer,
) -> Result<Exported<StatementsReport>, OpError> {
    let StatementsArguments { plain, export } = arguments;
    let showing = Showing::of(ctx, export.publishing);
    let dataset = open(ctx, &export.scope, export.now, &showing)?;
    let part = if layer == Layer::Index {
        Part::SymbolIndex
    } else {
        Part::FullDetail
    };
    let mut name = format!(
        "{}{}",
        file_stem(dataset.identity()),
        part.extension().unwrap_or_default()
    );
    if plain && let Some(unpacked) = name.strip_suffix(".gz") {
        name.truncate(unpacked.len());
    }
    let write = move |dataset: &Dataset, out: &mut dyn Write, cancel: &Cancel| {
        if plain {
            write_layer(dataset, layer, out, cancel)
        } else {
            write_gzipped(dataset, layer, out, cancel)
        }
    };
    let Some(path) = target(ctx, export.output.as_deref(), Some(&name))? else {
        let media_type = if plain {
            "application/n-quads"
        } else {
            "application/gzip"
        };
        let cancel = Arc::clone(&ctx.cancel);
        return Ok(Exported::Bytes(Bytes::stream(media_type, move |out| {
            write(&dataset, out, &cancel).map(drop)
        })));
    };
    let (file, quads) = ExportedFile::write(ctx, path, |out| write(&dataset, out, &ctx.cancel))?;
    let quads = quads.unwrap_or_default();
    Ok(Exported::Report(Value::yes(StatementsReport { file, quads })))
}

/// Writes the statements of a layer, gzipped. Returns their number.
pub(crate) fn write_gzipped(
    dataset: &Dataset,
    layer: Layer,
    out: &mut dyn Write,
    cancel: &Cancel,
) -> Result<u64, OpError> {
    let mut gzip = GzipWriter::new(out);
    let count = write_layer(dataset, layer, &mut gzip, cancel)?;
    gzip.finish().map_err(OpError::from_write)?;
    Ok(count)
}
