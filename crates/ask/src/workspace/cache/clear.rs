//! `lore cache clear`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::PrunedAnswer;
use lore_seam::{Access, Ctx, OpError, Operation, Value, Verdict};

/// Remove everything from the cache
///
/// Only derived data and graphs that were fetched are removed: decisions, memory, registries and published graphs stay. The next question about a tree indexes it again.
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
