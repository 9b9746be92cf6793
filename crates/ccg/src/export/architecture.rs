//! `lore ccg architecture`: layer 1.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::document::export_document;
use super::{ExportArguments, ExportedFile};
use crate::access::LayerNumber;
use crate::layers::architecture;
use lore_seam::{Access, Ctx, Exported, OpError, Operation};

/// Export layer 1, the architecture: modules and their purpose, the public API, patterns, and dependencies between modules, in at most 51,200 bytes
///
/// What does not fit is left out by importance and counted in `truncated`. The same source at the same commit gives the same bytes. The default
/// output is standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg architecture                  to standard output
  lore ccg architecture --output .       to NAME.ccg.arch.json
  lore ccg architecture --at v1.2 | jq '.modules[] | {name, purpose}'")]
pub struct ExportArchitectureRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub export: ExportArguments,
}

/// `lore ccg architecture`.
pub struct ExportArchitecture;

impl Operation for ExportArchitecture {
    const NAME: &'static str = "export_ccg_architecture";
    const COMMAND: &'static [&'static str] = &["ccg", "architecture"];
    const ACCESS: Access = Access::Export;
    type Request = ExportArchitectureRequest;
    type Answer = Exported<ExportedFile>;

    fn run(ctx: &Ctx, request: ExportArchitectureRequest) -> Result<Exported<ExportedFile>, OpError> {
        export_document(ctx, &request.export, LayerNumber::Architecture, architecture)
    }
}
