//! `lore callers`: the callers of a symbol, directly or through others.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::neighbours::{Direction, NeighbourLine, NeighboursRequest, neighbours};
use lore_seam::{Access, Ctx, OpError, Operation, Rows};

/// Show the callers of a function, directly or through other functions
///
/// The callers of a class are the places that create instances of it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore callers QuerySet.filter              its callers
  lore callers save --depth 3 --no-tests    and their callers, without tests
  lore callers src/app.py:42                of the definition around a line")]
#[serde(transparent)]
pub struct CallersRequest {
    #[command(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub neighbours: NeighboursRequest,
}

/// `lore callers`.
pub struct Callers;

impl Operation for Callers {
    const NAME: &'static str = "callers";
    const COMMAND: &'static [&'static str] = &["callers"];
    const ACCESS: Access = Access::Read;
    type Request = CallersRequest;
    type Answer = Rows<NeighbourLine>;

    fn run(ctx: &Ctx, request: CallersRequest) -> Result<Rows<NeighbourLine>, OpError> {
        neighbours(ctx, &request.neighbours, Direction::Callers)
    }
}
