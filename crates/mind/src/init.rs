//! `lore mind init`: a plain `git fetch` brings the graphs of others from now on.

use crate::patch_log::{Exchange, HookState, PatchLog};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Prepare this repository for the mind graph: have git fetch the graphs of its remotes, and fetch them once
///
/// Nothing else is needed to begin; doing it again is harmless.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind init
  lore mind init --no-fetch
  lore mind link task:login spec:auth --type implements

Exit status: 0 prepared, also if a remote could not be reached; 2 it could not be written.")]
#[serde(default)]
pub struct MindInitRequest {
    /// Do not ask the remotes now
    #[arg(long)]
    pub no_fetch: bool,
}

/// What was prepared
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindInitAnswer {
    /// The name under which this repository writes; none before it wrote
    pub writer: Option<String>,
    /// The remotes
    pub remotes: Vec<PreparedRemote>,
    /// What to know
    pub notes: Vec<String>,
}

/// A remote
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct PreparedRemote {
    /// Its name
    pub name: String,
    /// What fetches its graph
    pub refspec: String,
    /// Whether that is new
    pub added: bool,
    /// Whether it was fetched from now
    pub fetched: bool,
}

/// `lore mind init`.
pub struct MindInit;

impl Operation for MindInit {
    const NAME: &'static str = "mind_init";
    const COMMAND: &'static [&'static str] = &["mind", "init"];
    const ACCESS: Access = Access::Write;
    const FETCHES: bool = true;
    type Request = MindInitRequest;
    type Answer = Value<MindInitAnswer>;

    fn run(ctx: &Ctx, request: MindInitRequest) -> Result<Value<MindInitAnswer>, OpError> {
        let log = ctx.port::<dyn PatchLog>();
        let mut notes = Vec::new();
        let mut remotes = Vec::new();
        for remote in log.prepare()? {
            let exchange = Exchange {
                remote: Some(remote.name.clone()),
                fetch: true,
                push: false,
            };
            let mut fetched = false;
            if !request.no_fetch {
                match log.exchange(&exchange, ctx.progress.as_ref(), &ctx.cancel) {
                    Ok(_) => fetched = true,
                    Err(error) => notes.push(format!("{} was not fetched from: {error}", remote.name)),
                }
            }
            remotes.push(PreparedRemote {
                name: remote.name,
                refspec: remote.refspec,
                added: remote.added,
                fetched,
            });
        }
        let state = log.state()?;
        if let Some(why) = state.read_only {
            notes.push(format!("nothing can be written here: {why}"));
        }
        if state.bare && remotes.iter().any(|remote| remote.added) {
            notes.push("this repository is bare: a plain `git fetch` fetches the graph alone from now on".to_owned());
        }
        if state.hook == HookState::Absent && !state.bare {
            notes.push("`lore mind hook install` has every commit recorded".to_owned());
        }
        Ok(Value::yes(MindInitAnswer {
            writer: log.tips()?.writer,
            remotes,
            notes,
        }))
    }
}

impl Render for MindInitAnswer {
    fn render(&self, page: &mut Page) {
        for remote in &self.remotes {
            page.strong(&remote.name);
            page.write(format_args!("  "));
            page.text(&remote.refspec);
            page.line(format_args!(
                "  {}{}",
                if remote.added { "added" } else { "was there already" },
                if remote.fetched { ", fetched" } else { "" }
            ));
        }
        if self.remotes.is_empty() {
            page.line(format_args!(
                "there is no remote; the graph is kept in this repository alone"
            ));
        }
        match &self.writer {
            Some(writer) => page.line(format_args!("this repository writes as {writer}")),
            None => page.line(format_args!("this repository has written nothing yet")),
        }
        for note in &self.notes {
            page.write(format_args!("note: "));
            page.text(note);
            page.line(format_args!(""));
        }
    }
}
