//! Arguments that select the tree of a query. All queries of the code share them.

use std::sync::Arc;

use clap::Args;
use lore_model::CodeGraph;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Ctx, GraphScope, OpError};

/// Which tree is asked.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Scope {
    /// The git revision to read instead of the working tree
    #[schemars(description = "A git revision")]
    #[arg(long, value_name = "REV")]
    #[serde(default)]
    pub at: Option<String>,
    /// Answer from the index as it is, without looking for changed files
    #[arg(long)]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub no_refresh: bool,
}

impl Scope {
    /// The scope for the ports.
    pub fn graph_scope(&self) -> GraphScope {
        GraphScope {
            revision: self.at.clone(),
            no_refresh: self.no_refresh,
            tracked: false,
        }
    }

    /// Opens the graph of the scope.
    pub fn open(&self, ctx: &Ctx) -> Result<Arc<CodeGraph>, OpError> {
        ctx.ports
            .code
            .graph(&self.graph_scope(), ctx.progress.as_ref(), &ctx.cancel)
    }
}
