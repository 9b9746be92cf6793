//! `lore cache clear`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::PrunedAnswer;
use lore_seam::{Access, Ctx, OpError, Operation, Value, Verdict};

/// Remove everything from the cache
///
/// It removes only derived data and fetched graphs. Decisions, memory, registries and published graphs stay. Lore indexes a tree again at its next query.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore cache clear")]
#[serde(default)]
pub struct CacheClearRequest {}

/// `lore cache clear`.
pub struct CacheClear;

impl Operation for CacheClear {
    const NAME: &'static str = "cache_clear";
    const COMMAND: &'static [&'static str] = &["cache", "clear"];
    const ACCESS: Access = Access::Write;
    type Request = CacheClearRequest;
    type Answer = Value<PrunedAnswer>;

    fn run(ctx: &Ctx, _: CacheClearRequest) -> Result<Value<PrunedAnswer>, OpError> {
        Ok(Value {
            value: ctx.ports.cache.clear()?.into(),
            verdict: Verdict::Yes,
        })
    }
}
