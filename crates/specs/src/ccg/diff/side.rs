//! One of the trees that are compared or checked: the working tree, a revision, or a bundle.

use std::sync::Arc;

use lore_model::CodeGraph;

use super::inventory::Inventory;
use crate::ccg::Identity;
use crate::seam::{Ctx, GraphScope, OpError};

/// A tree that can be read.
pub struct Side {
    scope: GraphScope,
    graph: Arc<CodeGraph>,
    identity: Identity,
}

impl Side {
    /// Opens what a text names: nothing or `.` is the working tree, everything else a revision that git knows.
    pub fn open(ctx: &Ctx, text: Option<&str>) -> Result<Self, OpError> {
        let scope = GraphScope {
            revision: text.filter(|text| *text != ".").map(str::to_owned),
            no_refresh: false,
        };
        let code = &ctx.ports.code;
        let graph = code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel)?;
        let identity = Identity::of(&code.origin(&scope)?, &graph);
        Ok(Self { scope, graph, identity })
    }

    /// What there is to compare and to check.
    pub fn inventory<'a>(&'a self, ctx: &'a Ctx) -> Inventory<'a> {
        let read = |path: &str| ctx.ports.code.read(&self.scope, path).ok();
        Inventory::of_graph(self.identity.ccg_name(), &self.graph, read)
    }
}
