//! `lore callers`: the callers of a symbol, directly or through others.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::neighbours::{Direction, NeighbourLine, NeighboursRequest, neighbours};
use lore_seam::{Access, Ctx, OpError, Operation, Rows};

/// Show the callers of a function, directly or through other functions
///
/// Callers of a class create instances of it. Calls of implementations, and calls that may run it, are marked.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore callers QuerySet.filter              its callers
  lore callers save --depth 3 --no-tests    and their callers, without tests
  lore callers 'Hex.encode(byte[], boolean)'  of one overload
  lore callers Backend.read --exact         only calls that name this member
  lore callers src/app.py:42                of the definition around a line")]
pub struct CallersRequest {
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub neighbours: NeighboursRequest,
    /// Only calls that name the symbol itself
    #[arg(long)]
    #[serde(default)]
    pub exact: bool,
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
        neighbours(ctx, &request.neighbours, Direction::Callers, request.exact)
    }
}
