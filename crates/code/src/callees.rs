//! `lore callees`: what a symbol calls, directly or through others.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::neighbours::{Direction, NeighbourLine, NeighboursRequest, neighbours};
use lore_seam::{Access, Ctx, OpError, Operation, Rows};

/// Show what a function calls, directly or through other functions
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore callees main                    what it calls
  lore callees main --depth 2          and what they call
  lore callees Server --min-confidence 0.95")]
#[serde(transparent)]
pub struct CalleesRequest {
    #[command(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub neighbours: NeighboursRequest,
}

/// `lore callees`.
pub struct Callees;

impl Operation for Callees {
    const NAME: &'static str = "callees";
    const COMMAND: &'static [&'static str] = &["callees"];
    const ACCESS: Access = Access::Read;
    type Request = CalleesRequest;
    type Answer = Rows<NeighbourLine>;

    fn run(ctx: &Ctx, request: CalleesRequest) -> Result<Rows<NeighbourLine>, OpError> {
        neighbours(ctx, &request.neighbours, Direction::Callees, false)
    }
}
