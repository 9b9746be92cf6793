//! `lore ccg index`: layer 2.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::statements::{StatementsArguments, StatementsReport, export_statements};
use crate::dataset::Layer;
use lore_seam::{Access, Ctx, Exported, OpError, Operation};

/// Export layer 2, the symbol index: every symbol, its signature, its complexity and its calls, as gzipped N-Quads
///
/// The same source at the same commit gives the same bytes. The default output is standard output.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore ccg index --output app.ccg.index.nq.gz
  lore ccg index --plain | grep 'narsilmcp.com/ontology/v1#calls'
  lore ccg index --at v1.2 > v1.2.ccg.index.nq.gz")]
#[serde(transparent)]
pub struct ExportIndexRequest {
    #[command(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub statements: StatementsArguments,
}

/// `lore ccg index`.
pub struct ExportIndex;

impl Operation for ExportIndex {
    const NAME: &'static str = "export_ccg_index";
    const COMMAND: &'static [&'static str] = &["ccg", "index"];
    const ACCESS: Access = Access::Export;
    type Request = ExportIndexRequest;
    type Answer = Exported<StatementsReport>;

    fn run(ctx: &Ctx, request: ExportIndexRequest) -> Result<Exported<StatementsReport>, OpError> {
        export_statements(ctx, request.statements, Layer::Index)
    }
}
