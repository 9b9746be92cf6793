//! The exports of a repository's layers: what the commands take, what they report, and how files are written.

mod architecture;
mod bundle;
mod document;
mod full;
mod index;
mod manifest;
mod statements;

use std::io::{self, Write};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::layers::{BaseUrl, LayerOptions, Packaging, sparql_endpoint};
use super::open::Publishing;
use lore_seam::{Ctx, OpError, Page, Render, Scope, Written};

pub use architecture::{ExportArchitecture, ExportArchitectureRequest};
pub use bundle::{BundleReport, BundleRequest, ExportBundle};
pub use full::{ExportFull, ExportFullRequest};
pub use index::{ExportIndex, ExportIndexRequest};
pub use manifest::{ExportManifest, ExportManifestRequest};
pub(crate) use statements::write_gzipped;
pub use statements::{StatementsArguments, StatementsReport};

/// What every export takes.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct ExportArguments {
    /// Write to this file; in a directory, it gets its default name; - is standard output
    #[arg(long, short, value_name = "FILE")]
    #[serde(default)]
    pub output: Option<String>,
    /// Record the current time, not the time of the commit
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

/// Addresses for the manifest.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct LinkArguments {
    /// The address of the published layers, for the manifest [default: names of files]
    #[arg(long, value_name = "URL")]
    #[serde(default)]
    pub base_url: Option<String>,
    /// The SPARQL endpoint of the dataset, for the manifest
    #[arg(long, value_name = "URL")]
    #[serde(default)]
    pub sparql_endpoint: Option<String>,
}

impl LinkArguments {
    fn options(&self, packaging: Packaging) -> Result<LayerOptions, OpError> {
        Ok(LayerOptions {
            base_url: self.base_url.as_deref().map(BaseUrl::parse).transpose()?,
            sparql_endpoint: self.sparql_endpoint.as_deref().map(sparql_endpoint).transpose()?,
            packaging,
        })
    }
}

/// A file that was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ExportedFile {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The SHA-256 of its content
    pub sha256: String,
    /// Whether the target is a device or a pipe, which was written to and not replaced
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
}

impl ExportedFile {
    fn new(path: String, sha256: String, written: Written) -> Self {
        Self {
            path,
            bytes: written.bytes,
            sha256,
            streamed: written.streamed,
        }
    }

    /// Writes a file. Also returns the result of `write`.
    fn write<T>(
        ctx: &Ctx,
        path: String,
        mut write: impl FnMut(&mut dyn Write) -> Result<T, OpError>,
    ) -> Result<(Self, Option<T>), OpError> {
        let (mut result, mut sha256) = (None, String::new());
        let written = ctx.ports.files.write(&path, &mut |out| {
            let mut hashed = HashingWriter::new(out);
            result = Some(write(&mut hashed)?);
            sha256 = hashed.sha256();
            Ok(())
        })?;
        Ok((Self::new(path, sha256, written), result))
    }
}

impl Render for ExportedFile {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        let remark = Written::remark(self.streamed);
        page.line(format_args!("  {} bytes, sha256 {}{remark}", self.bytes, self.sha256));
    }
}

/// Passes bytes on and computes their SHA-256.
struct HashingWriter<'a> {
    out: &'a mut dyn Write,
    digest: Sha256,
}

impl<'a> HashingWriter<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            digest: Sha256::new(),
        }
    }

    fn sha256(self) -> String {
        lore_base::digest::hex(self.digest.finalize())
    }
}

impl Write for HashingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.digest.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
