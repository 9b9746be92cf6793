//! `lore ccg manifest`: layer 0.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::document::export_document;
use super::{ExportArguments, ExportedFile, LinkArguments};
use crate::access::LayerNumber;
use crate::layers::{Packaging, manifest};
use lore_seam::{Access, Ctx, Exported, OpError, Operation};

/// Export layer 0, the manifest: what this repository is, in at most 2,048 bytes of JSON-LD
///
/// Languages, symbols by kind, complexity, hotspots, entry points, and the addresses of the other layers. The same source at the same commit gives
/// the same bytes. The default output is standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg manifest                      to standard output
  lore ccg manifest --output .           to NAME.ccg.manifest.json
  lore ccg manifest --at v1.2 --base-url https://codecontextgraph.com

Environment: SOURCE_DATE_EPOCH replaces the current time, which is used where the time of a commit is not.")]
pub struct ExportManifestRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub links: LinkArguments,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub export: ExportArguments,
}

/// `lore ccg manifest`.
pub struct ExportManifest;

impl Operation for ExportManifest {
    const NAME: &'static str = "export_ccg_manifest";
    const COMMAND: &'static [&'static str] = &["ccg", "manifest"];
    const ACCESS: Access = Access::Export;
    type Request = ExportManifestRequest;
    type Answer = Exported<ExportedFile>;

    fn run(ctx: &Ctx, request: ExportManifestRequest) -> Result<Exported<ExportedFile>, OpError> {
        let options = request.links.options(Packaging::Files)?;
        export_document(ctx, &request.export, LayerNumber::Manifest, |source| {
            manifest(source, &options)
        })
    }
}
