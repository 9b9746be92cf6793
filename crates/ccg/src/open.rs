//! Opens the tree of a request, scrubbed and filtered as its reader may see it, and its dataset.

use std::sync::Arc;

use clap::Args;
use lore_base::time::in_calendar;
use lore_model::CodeGraph;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Identity;
use super::dataset::Dataset;
use lore_base::scrub::{Scrubber, scrubbed};
use lore_seam::{Ctx, GraphScope, OpError, Scope};

/// What an export for others takes: whether it is scrubbed, and which files it holds.
#[derive(Args, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Publishing {
    /// Keep e-mail addresses, secrets and paths of machines in texts
    #[arg(long)]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub raw: bool,
    /// Include files that git does not track
    #[arg(long)]
    #[serde(default)]
    #[schemars(extend("x-agents" = "omit"))]
    pub untracked: bool,
}

/// How a tree is shown. An export and a query that show it in one way agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Showing {
    /// Whether e-mail addresses, secrets and paths of machines are taken out of texts.
    scrub: bool,
    /// Whether files that git does not track are left out.
    tracked: bool,
}

impl Showing {
    /// The working tree as it is: for questions of whoever has it.
    pub(crate) const AS_IT_IS: Self = Self {
        scrub: false,
        tracked: false,
    };
    /// As it is published unless somebody says otherwise.
    pub(crate) const PUBLISHED: Self = Self {
        scrub: true,
        tracked: true,
    };

    /// As an export shows it. An export that is not scrubbed says so.
    pub(crate) fn of(ctx: &Ctx, publishing: Publishing) -> Self {
        if publishing.raw {
            ctx.progress
                .remark("--raw: texts may contain e-mail addresses, secrets and paths of machines; check them before you publish");
        }
        Self {
            scrub: !publishing.raw,
            tracked: !publishing.untracked,
        }
    }

    /// What scrubs texts, if they are scrubbed.
    fn scrubber(&self, ctx: &Ctx) -> Option<Scrubber> {
        self.scrub.then(|| Scrubber::below(ctx.ports.code.place().as_deref()))
    }
}

/// The graph of a tree as it is shown, which tree that is, and what scrubs other texts of it.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) graph: Arc<CodeGraph>,
    pub(crate) scope: GraphScope,
    pub(crate) scrubber: Option<Scrubber>,
}

/// Opens the graph of a tree as it is shown.
pub(crate) fn show(ctx: &Ctx, scope: &Scope, showing: &Showing) -> Result<Shown, OpError> {
    let scope = GraphScope {
        tracked: showing.tracked,
        ..scope.graph_scope()
    };
    let graph = ctx.ports.code.graph(&scope, ctx.progress.as_ref(), &ctx.cancel)?;
    let scrubber = showing.scrubber(ctx);
    let graph = match &scrubber {
        Some(scrubber) => scrubbed(&graph, scrubber),
        None => graph,
    };
    Ok(Shown { graph, scope, scrubber })
}

/// Opens the dataset of a tree. Nothing is read before it is asked for.
pub(super) fn open(ctx: &Ctx, scope: &Scope, now: bool, showing: &Showing) -> Result<Dataset, OpError> {
    dataset_of(ctx, show(ctx, scope, showing)?, now)
}

/// The dataset of a graph as it is shown. Nothing is read before it is asked for.
pub(super) fn dataset_of(ctx: &Ctx, shown: Shown, now: bool) -> Result<Dataset, OpError> {
    let Shown { graph, scope, scrubber } = shown;
    let identity = Identity::of(&ctx.ports.code.origin(&scope)?, &graph);
    let analyzed_at = analyzed_at(ctx, &identity, now);
    let (ports, of) = (Arc::clone(&ctx.ports), scope.clone());
    let has_text = ports.code.foreign().is_none();
    let read = Box::new(move |path: &str| {
        if has_text {
            ports.code.read(&of, path)
        } else {
            Ok(Vec::new())
        }
    });
    let ctx = ctx.clone();
    let history = Box::new(move || ctx.ports.code.history(&scope, ctx.progress.as_ref(), &ctx.cancel));
    let dataset = Dataset::new(graph, identity, analyzed_at, read, history);
    Ok(match scrubber {
        Some(scrubber) => dataset.with_scrubber(scrubber),
        None => dataset,
    })
}

/// When the source was analysed (clause I4): the time of the commit, or now where there is none, the files differ from it, or `now` is asked for.
pub(super) fn analyzed_at(ctx: &Ctx, identity: &Identity, now: bool) -> i64 {
    let seconds = match identity.committed {
        Some(committed) if !now && !identity.dirty => committed,
        _ => (ctx.ports.clock.now_ms() / 1_000) as i64,
    };
    in_calendar(seconds)
}
