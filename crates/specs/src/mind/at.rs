//! `lore mind at`: what the graph was at a commit of the code (clause C27).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::as_of::AsOf;
use super::open::open;
use super::status::{Status, status};
use super::warnings::render_warnings;
use crate::seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Show what the mind graph was at a commit: its epoch there, or the nearest one before it
///
/// Most questions take --at REVISION to be answered as of then.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind at v1.2
  lore mind at HEAD~3
  lore mind nodes --at v1.2

Exit status: 0 there is one; 1 nothing is recorded there or before, or no such revision; 2 it could not be asked.")]
pub struct MindAtRequest {
    /// A commit, branch or tag
    #[arg(value_name = "REVISION")]
    pub revision: String,
}

/// The graph at a commit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindAtAnswer {
    #[serde(flatten)]
    #[expect(missing_docs, reason = "the moment's fields are the answer's")]
    pub as_of: AsOf,
    /// The graph in numbers
    pub status: Status,
    /// What is remarkable
    pub warnings: Vec<String>,
}

/// `lore mind at`.
pub struct MindAt;

impl Operation for MindAt {
    const NAME: &'static str = "mind_at";
    const COMMAND: &'static [&'static str] = &["mind", "at"];
    const ACCESS: Access = Access::Read;
    type Request = MindAtRequest;
    type Answer = Value<MindAtAnswer>;

    fn run(ctx: &Ctx, request: MindAtRequest) -> Result<Value<MindAtAnswer>, OpError> {
        let opened = open(ctx, Some(&request.revision))?;
        let warnings = opened.remarks();
        let missing = || OpError::new(ErrorKind::Internal, "the graph of a commit has no moment");
        Ok(Value::yes(MindAtAnswer {
            status: status(&opened.graph),
            as_of: opened.as_of.ok_or_else(missing)?,
            warnings,
        }))
    }
}

impl Render for MindAtAnswer {
    fn render(&self, page: &mut Page) {
        let as_of = &self.as_of;
        page.text(&as_of.revision);
        page.line(format_args!(
            "  commit {}, patch {}, tick {}",
            as_of.sha,
            as_of.patch.to_hex().get(..12).unwrap_or_default(),
            as_of.tick
        ));
        match (&as_of.recorded_at, &as_of.recorded_sha) {
            (Some(time), None) => page.line(format_args!("recorded at {time}")),
            (Some(time), Some(sha)) => page.line(format_args!(
                "nearest: recorded at {time} for its ancestor {}",
                sha.get(..12).unwrap_or(sha)
            )),
            (None, _) => page.line(format_args!("nearest: no epoch; the newest patch that was made here")),
        }
        page.line(format_args!(
            "{} nodes and {} edges; {} blocked, {} of low confidence, {} without edges",
            self.status.nodes,
            self.status.edges,
            self.status.blocked.len(),
            self.status.low_confidence,
            self.status.orphans
        ));
        render_warnings(page, &self.warnings);
    }
}
