//! `lore mind init`: a plain `git fetch` brings the graphs of others from now on.

use crate::patch_log::{Exchange, HookState, PatchLog};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Prepare this repository for the mind graph: configure git to fetch the graphs of its remotes, and fetch them
///
/// The command can be repeated.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind init
  lore mind init --no-fetch
  lore mind link task:login spec:auth --type implements

Exit status: 0 prepared, even if a remote could not be reached; 2 the configuration could not be written.")]
#[serde(default)]
pub struct MindInitRequest {
    /// Do not fetch from the remotes now
    #[arg(long)]
    pub no_fetch: bool,
}

/// The prepared repository
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindInitAnswer {
    /// The name under which this clone writes; none before its first change
    pub writer: Option<String>,
    /// The remotes
    pub remotes: Vec<PreparedRemote>,
    /// Notes
    pub notes: Vec<String>,
}

/// A remote
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct PreparedRemote {
    /// Its name
    pub name: String,
    /// The refspec that fetches its graph
    pub refspec: String,
    /// Whether Lore added the refspec now
    pub added: bool,
    /// Whether Lore fetched from the remote now
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
                    Err(error) => notes.push(format!("remote {} could not be fetched: {error}", remote.name)),
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
            notes.push(format!("the mind graph is read-only here: {why}"));
        }
        if state.bare && remotes.iter().any(|remote| remote.added) {
            notes.push("this repository is bare: `git fetch` now fetches only the mind graph".to_owned());
        }
        if state.hook == HookState::Absent && !state.bare {
            notes.push("`lore mind hook install` records every commit".to_owned());
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
                if remote.added { "added" } else { "existed" },
                if remote.fetched { ", fetched" } else { "" }
            ));
        }
        if self.remotes.is_empty() {
            page.line(format_args!("no remote: the graph is only in this repository"));
        }
        match &self.writer {
            Some(writer) => page.line(format_args!("this clone writes as {writer}")),
            None => page.line(format_args!("this clone has not written to the graph yet")),
        }
        for note in &self.notes {
            page.write(format_args!("note: "));
            page.text(note);
            page.line(format_args!(""));
        }
    }
}
