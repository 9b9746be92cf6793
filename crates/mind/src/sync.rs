//! `lore mind sync`: the graphs of a remote are fetched, and the own one is pushed, never by force (clause Ref14).

use crate::patch_log::{Exchange, PatchLog};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::open::open;
use super::warnings::render_warnings;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Exchange the mind graph with a remote: fetch the changes of others and push your own
///
/// There are no conflicts: every clone writes its own history, and readers combine all histories.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind sync
  lore mind sync --remote upstream --no-push

Exit status: 0 done; 2 the remote could not be reached.")]
#[serde(default)]
pub struct MindSyncRequest {
    /// The name of the remote [default: origin, or the only one]
    #[arg(long, value_name = "NAME")]
    pub remote: Option<String>,
    /// Fetch only
    #[arg(long)]
    pub no_push: bool,
    /// Push only
    #[arg(long, conflicts_with = "no_push")]
    pub no_fetch: bool,
}

/// The result of the exchange
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindSyncAnswer {
    /// The remote
    pub remote: String,
    /// Fetched histories that are new or longer
    pub fetched: usize,
    /// Pushed histories that are new or longer
    pub pushed: usize,
    /// The name under which this clone writes
    pub writer: Option<String>,
    /// The new name, if another clone wrote under the old one
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_writer: Option<String>,
    /// Invalid patches
    pub skipped_patches: usize,
    /// Warnings
    pub warnings: Vec<String>,
}

/// `lore mind sync`.
pub struct MindSync;

impl Operation for MindSync {
    const NAME: &'static str = "mind_sync";
    const COMMAND: &'static [&'static str] = &["mind", "sync"];
    const ACCESS: Access = Access::Write;
    const FETCHES: bool = true;
    type Request = MindSyncRequest;
    type Answer = Value<MindSyncAnswer>;

    fn run(ctx: &Ctx, request: MindSyncRequest) -> Result<Value<MindSyncAnswer>, OpError> {
        if request.no_push && request.no_fetch {
            let message = "--no-fetch and --no-push exclude each other";
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        let exchange = Exchange {
            remote: request.remote,
            fetch: !request.no_fetch,
            push: !request.no_push,
        };
        let exchanged = ctx
            .port::<dyn PatchLog>()
            .exchange(&exchange, ctx.progress.as_ref(), &ctx.cancel)?;
        let opened = open(ctx, None)?;
        Ok(Value::yes(MindSyncAnswer {
            remote: exchanged.remote,
            fetched: exchanged.fetched,
            pushed: exchanged.pushed,
            writer: opened.tips.writer.clone(),
            new_writer: exchanged.new_writer,
            skipped_patches: opened.graph.skipped().len(),
            warnings: opened.remarks(),
        }))
    }
}

impl Render for MindSyncAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.remote);
        page.line(format_args!("  fetched {}, pushed {}", self.fetched, self.pushed));
        if let Some(writer) = &self.new_writer {
            page.line(format_args!(
                "another clone wrote under the same name; this clone now writes as {writer}"
            ));
        }
        render_warnings(page, &self.warnings);
    }
}
