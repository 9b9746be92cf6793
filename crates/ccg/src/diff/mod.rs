//! `lore ccg diff`: the difference between two trees (clauses D0 and D1).
//!
//! An [`Inventory`] describes a tree, from its graph or from the layers of a bundle. [`compare`] makes the diff document of two inventories.

mod body;
mod compare;
mod document;
mod inventory;
mod layers;
mod matching;
mod other_changes;
mod review;
mod side;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::output::target;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value, Written};

pub use compare::compare;
pub use document::{
    AddedModule, CONTEXT, Changes, DIFF_TYPE, DependencyChanges, Diff, ModuleChanges, ModuleDependency, Moved,
    RemovedModule, Renamed, SymbolChanges,
};
pub use inventory::{CallEntry, CalleeEntry, DependencySite, Inventory, ModuleEntry, SEPARATORS, SymbolEntry};
pub use matching::{MODULE_LIKENESS, MOVED_AND_RENAMED_LIKENESS, MOVED_LIKENESS, RENAMED_LIKENESS};
pub use other_changes::{MovedFiles, OtherChanges};
pub use review::Review;
pub use side::Side;

/// Show the difference between two trees: modules, symbols and dependencies that were added, removed, moved or renamed
///
/// Each side is a git revision, a bundle or its address, or `.` for the working tree. Renames and moves are found by the similarity of source and
/// signature; members are renamed with their parent. The JSON answer is a diff document, which `lore ccg verify` checks.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg diff                         the changes of the working tree since HEAD
  lore ccg diff v1.2                    its changes since a tag
  lore ccg diff v1.2 v1.3               the changes between two releases
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

/// The diff document, or the file that it was written to
#[derive(Serialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum CcgDiffAnswer {
    /// The diff document
    Document(Box<DiffDocument>),
    /// The file that it was written to
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

/// A diff document that was written
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct WrittenDiff {
    /// The file
    pub path: String,
    /// Its size
    pub bytes: u64,
    /// The changes in one sentence
    pub summary: String,
    /// Whether the target is a device or a pipe, which was written to and not replaced
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
