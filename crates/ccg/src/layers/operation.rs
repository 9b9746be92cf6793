//! `lore ccg manifest` and `lore ccg architecture`: layers 0 and 1.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::access::LayerNumber;
use super::super::open::{Publishing, Showing};
use super::super::output::target;
use super::links::{BaseUrl, sparql_endpoint, stand_alone_name};
use super::{LayerOptions, Source, architecture, manifest, with_source};
use lore_seam::{Access, Bytes, Ctx, Exported, OpError, Operation, Page, Render, Scope, Value, Written};

/// Export layer 0, the manifest: what this repository is, in at most 2,048 bytes of JSON-LD
///
/// Languages, symbols by kind, complexity, hotspots, entry points, and where the other layers are. The same source at the same commit gives the same
/// bytes. Without --output they go to standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg manifest                      to standard output
  lore ccg manifest --output .           to NAME.ccg.manifest.json
  lore ccg manifest --at v1.2 --base-url https://codecontextgraph.com

Environment: SOURCE_DATE_EPOCH is what now is, where the time of a commit is not used.")]
pub struct ExportManifestRequest {
    /// Where layers are published; the manifest then names them there [default: the names of exported files]
    #[arg(long, value_name = "URL")]
    #[serde(default)]
    pub base_url: Option<String>,
    /// Where the dataset can be queried, for the manifest to say
    #[arg(long, value_name = "URL")]
    #[serde(default)]
    pub sparql_endpoint: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub layer: LayerArguments,
}

/// What both layers take.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct LayerArguments {
    /// Write to a file, in one step; in a directory it gets the layer's own name, and - is standard output
    #[arg(long, short, value_name = "FILE")]
    #[serde(default)]
    pub output: Option<String>,
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
pub struct LayerReport {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The digest of its content
    pub sha256: String,
    /// Whether it is a device or a pipe, which was written to and not replaced
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
}

impl Render for LayerReport {
    fn render(&self, page: &mut Page) {
        page.strong(&self.path);
        let remark = Written::remark(self.streamed);
        page.line(format_args!("  {} bytes, sha256 {}{remark}", self.bytes, self.sha256));
    }
}

/// `lore ccg manifest`.
pub struct ExportManifest;

impl Operation for ExportManifest {
    const NAME: &'static str = "export_ccg_manifest";
    const COMMAND: &'static [&'static str] = &["ccg", "manifest"];
    const ACCESS: Access = Access::Export;
    type Request = ExportManifestRequest;
    type Answer = Exported<LayerReport>;

    fn run(ctx: &Ctx, request: ExportManifestRequest) -> Result<Exported<LayerReport>, OpError> {
        let options = LayerOptions {
            base_url: request.base_url.as_deref().map(BaseUrl::parse).transpose()?,
            sparql_endpoint: request.sparql_endpoint.as_deref().map(sparql_endpoint).transpose()?,
            ..LayerOptions::default()
        };
        export(ctx, &request.layer, LayerNumber::Manifest, |source| {
            manifest(source, &options)
        })
    }
}

/// Export layer 1, the architecture: modules and what each is for, the public API, patterns, and which module depends on which, in at most 51,200 bytes of JSON-LD
///
/// What does not fit is left out by importance and counted in `truncated`. The same source at the same commit gives the same bytes. Without --output
/// they go to standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg architecture                  to standard output
  lore ccg architecture --output .       to NAME.ccg.arch.json
  lore ccg architecture --at v1.2 | jq '.modules[] | {name, purpose}'")]
pub struct ExportArchitectureRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub layer: LayerArguments,
}

/// `lore ccg architecture`.
pub struct ExportArchitecture;

impl Operation for ExportArchitecture {
    const NAME: &'static str = "export_ccg_architecture";
    const COMMAND: &'static [&'static str] = &["ccg", "architecture"];
    const ACCESS: Access = Access::Export;
    type Request = ExportArchitectureRequest;
    type Answer = Exported<LayerReport>;

    fn run(ctx: &Ctx, request: ExportArchitectureRequest) -> Result<Exported<LayerReport>, OpError> {
        export(ctx, &request.layer, LayerNumber::Architecture, architecture)
    }
}

fn export(
    ctx: &Ctx,
    arguments: &LayerArguments,
    layer: LayerNumber,
    make: impl FnOnce(&Source<'_>) -> Vec<u8>,
) -> Result<Exported<LayerReport>, OpError> {
    let showing = Showing::of(ctx, arguments.publishing);
    let (name, content) = with_source(ctx, &arguments.scope, arguments.now, &showing, |source| {
        (stand_alone_name(layer, source.identity), make(source))
    })?;
    let Some(path) = target(ctx, arguments.output.as_deref(), Some(&name))? else {
        return Ok(Exported::Bytes(Bytes::whole("application/ld+json", content)));
    };
    let written = ctx
        .ports
        .files
        .write(&path, &mut |out| out.write_all(&content).map_err(OpError::from_write))?;
    let digest = Sha256::digest(&content);
    Ok(Exported::Report(Value::yes(LayerReport {
        path,
        bytes: written.bytes,
        streamed: written.streamed,
        sha256: lore_base::digest::hex(digest),
    })))
}
