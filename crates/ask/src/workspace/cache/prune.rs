//! `lore cache prune`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::PrunedAnswer;
use lore_seam::{Access, Ctx, OpError, Operation, Value, Verdict};

/// Remove trees that no longer exist from the cache, and the least recently used data above the limit
///
/// Lore also does this by itself. The command does it now, or with a smaller limit.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore cache prune\n  lore cache prune --max-bytes 1000000000")]
#[serde(default)]
pub struct CachePruneRequest {
    /// Prune to this size [default: the limit of the configuration]
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,
}

/// `lore cache prune`.
pub struct CachePrune;

impl Operation for CachePrune {
    const NAME: &'static str = "cache_prune";
    const COMMAND: &'static [&'static str] = &["cache", "prune"];
    const ACCESS: Access = Access::Write;
    type Request = CachePruneRequest;
    type Answer = Value<PrunedAnswer>;

    fn run(ctx: &Ctx, request: CachePruneRequest) -> Result<Value<PrunedAnswer>, OpError> {
        Ok(Value {
            value: ctx.ports.cache.prune(request.max_bytes)?.into(),
            verdict: Verdict::Yes,
        })
    }
}
