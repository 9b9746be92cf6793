//! `lore ccg diff`: what is different between two trees.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compare::compare;
use super::document::Diff;
use super::review::Review;
use super::side::Side;
use crate::output::target;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value, Written};

/// Show what is different between two trees: modules, symbols and dependencies that were added, removed, moved or renamed
///
/// Each side is a git revision, a bundle or the address of one, or `.` for the working tree. Renames and moves are known by how alike the source and the signature
/// are; what was renamed is not also added and removed, and what it holds goes with it. The answer in JSON is a diff document, against which
/// `lore ccg verify` checks a tree.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg diff                         what the working tree changes against HEAD
  lore ccg diff v1.2                    what it changes against a tag
  lore ccg diff v1.2 v1.3               what one release changed against another
  lore ccg diff main . --json           the diff document
  lore ccg diff v1.2 v1.3 --output DIFF.json")]
#[serde(default)]
pub struct CcgDiffRequest {
    /// The tree before: a revision, a bundle, or `.` [default: HEAD]
    pub base: Option<String>,
    /// The tree after: a revision, a bundle, or `.` [default: the working tree]
    pub target: Option<String>,
    /// Write the diff document to this file; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

/// The diff document, or where it was written
#[derive(Serialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum CcgDiffAnswer {
    /// The diff document
    Document(Box<DiffDocument>),
    /// Where it was written
    Written(WrittenDiff),
}

/// The diff document
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct DiffDocument {
    /// What changed
    #[serde(flatten)]
    pub diff: Diff,
    #[serde(skip)]
    #[schemars(skip)]
    review: Review,
}

/// Where a diff document was written
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct WrittenDiff {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The changes in one sentence
    pub summary: String,
    /// Whether it is a device or a pipe, which was written to and not replaced
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub streamed: bool,
}

/// `lore ccg diff`.
pub struct CcgDiff;

impl Operation for CcgDiff {
    const NAME: &'static str = "ccg_diff";
    const COMMAND: &'static [&'static str] = &["ccg", "diff"];
    const ACCESS: Access = Access::Export;
    const FETCHES: bool = true;
    type Request = CcgDiffRequest;
    type Answer = Value<CcgDiffAnswer>;

    fn run(ctx: &Ctx, request: CcgDiffRequest) -> Result<Value<CcgDiffAnswer>, OpError> {
        let output = target(ctx, request.output.as_deref(), None)?;
        let base = Side::open(ctx, Some(request.base.as_deref().unwrap_or("HEAD")))?;
        let target = Side::open(ctx, request.target.as_deref())?;
        let (diff, review) = compare(&base.inventory(ctx)?, &target.inventory(ctx)?);
        base.check()?;
        target.check()?;
        let Some(path) = output else {
            let document = DiffDocument { diff, review };
            return Ok(Value::yes(CcgDiffAnswer::Document(Box::new(document))));
        };
        let text = diff.to_text();
        let written = ctx.ports.files.write(&path, &mut |out| {
            out.write_all(text.as_bytes()).map_err(OpError::from_write)
        })?;
        Ok(Value::yes(CcgDiffAnswer::Written(WrittenDiff {
            path,
            bytes: written.bytes,
            streamed: written.streamed,
            summary: review.summary(),
        })))
    }
}

impl Render for CcgDiffAnswer {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Document(document) => document.review.render(page),
            Self::Written(written) => {
                page.strong(&written.path);
                let remark = Written::remark(written.streamed);
                page.text(&format!("  {} bytes{remark}: {}", written.bytes, written.summary));
                page.line(format_args!(""));
            }
        }
    }
}
