//! `lore ccg full`: layer 3.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::statements::{StatementsArguments, StatementsReport, export_statements};
use crate::dataset::Layer;
use lore_seam::{Access, Ctx, Exported, OpError, Operation};

/// Export layer 3, full detail: the index, call sites with how each is known, data flow, documentation, source of complex functions and history, as gzipped N-Quads
///
/// The same source at the same commit gives the same bytes. The default output is standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore ccg full --output app.ccg.full.nq.gz
  lore ccg full --plain | head")]
#[serde(transparent)]
pub struct ExportFullRequest {
    #[command(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub statements: StatementsArguments,
}

/// `lore ccg full`.
pub struct ExportFull;

impl Operation for ExportFull {
    const NAME: &'static str = "export_ccg_full";
    const COMMAND: &'static [&'static str] = &["ccg", "full"];
    const ACCESS: Access = Access::Export;
    type Request = ExportFullRequest;
    type Answer = Exported<StatementsReport>;

    fn run(ctx: &Ctx, request: ExportFullRequest) -> Result<Exported<StatementsReport>, OpError> {
        export_statements(ctx, request.statements, Layer::Full)
    }
}
