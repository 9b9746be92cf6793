//! `lore index`: build or refresh the code graph, once or as files change.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_base::counted::{counted, counted_as};
use lore_seam::{Access, Ctx, IndexRequest, IndexSummary, OpError, Operation, Page, Render, Rows, Verdict};

/// Build or refresh the code graph of a repository
///
/// Other commands refresh the graph by themselves. Use this command to choose files, or to watch for changes. The graph is kept in the user's cache
/// directory (`lore cache status`), which may be deleted at any time.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore index                          the repository of the working directory
  lore index ~/src/project            another repository
  lore index --at v1.2                a revision, read from git's objects
  lore index --exclude 'docs/**'      without some files
  lore index --watch                  again whenever files change

Lore remembers the choice of files until the next `lore index`. To keep it permanently, write it into lore.toml ([index]).")]
#[serde(default)]
pub struct IndexArguments {
    #[command(flatten)]
    #[serde(flatten)]
    #[expect(
        missing_docs,
        reason = "the help of a flattened struct would replace that of the command"
    )]
    pub index: IndexRequest,
    /// Keep running, and index again whenever files change
    #[arg(long, conflicts_with = "at")]
    #[serde(skip)]
    pub watch: bool,
}

/// The result of indexing
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct IndexReport {
    #[serde(flatten)]
    #[expect(missing_docs, reason = "a flattened struct documents its own fields")]
    pub summary: IndexSummary,
    /// Limits that the call-graph analysis hit
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundHit>,
}

/// A limit of the call-graph analysis, and how often it was hit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct BoundHit {
    /// The limit: `values` (points-to sets that were cut), `calls` (calls that were analysed without their context), `work` (the analysis was cut off)
    pub bound: String,
    /// Number of times that it was hit
    pub count: u32,
}

impl BoundHit {
    fn sentence(&self) -> String {
        match self.bound.as_str() {
            "values" => counted_as(self.count, "points-to set was cut", "points-to sets were cut"),
            "calls" => counted_as(
                self.count,
                "call was analysed without its context",
                "calls were analysed without their context",
            ),
            _ => "the analysis was cut off: many calls are missing".to_owned(),
        }
    }
}

impl From<IndexSummary> for IndexReport {
    fn from(mut summary: IndexSummary) -> Self {
        let bounds = std::mem::take(&mut summary.bounds);
        let bounds = bounds.into_iter().map(|(bound, count)| BoundHit {
            bound: bound.name().to_owned(),
            count,
        });
        Self {
            bounds: bounds.collect(),
            summary,
        }
    }
}

impl Render for IndexReport {
    fn render(&self, page: &mut Page) {
        let summary = &self.summary;
        page.strong(&summary.root);
        page.line(format_args!(
            ": {}, {}, {} in {:.2} s{}",
            counted(summary.files, "file"),
            counted(summary.symbols, "symbol"),
            counted(summary.lines, "line"),
            summary.milliseconds as f64 / 1000.0,
            if summary.changed {
                format!(" ({} parsed)", summary.extracted)
            } else {
                " (nothing had changed)".to_owned()
            }
        ));
        if summary.skipped > 0 {
            page.line(format_args!(
                "  {} left out (`lore files --skipped` lists them)",
                counted(summary.skipped, "file")
            ));
        }
        if summary.with_errors > 0 {
            page.line(format_args!(
                "  {} with syntax errors (`lore files --errors` lists them)",
                counted(summary.with_errors, "file")
            ));
        }
        if !self.bounds.is_empty() {
            let bounds: Vec<String> = self.bounds.iter().map(BoundHit::sentence).collect();
            page.line(format_args!(
                "  limits of the call-graph analysis: {}",
                bounds.join("; ")
            ));
        }
    }
}

/// `lore index`.
pub struct Index;

impl Operation for Index {
    const NAME: &'static str = "index";
    const COMMAND: &'static [&'static str] = &["index"];
    const ACCESS: Access = Access::Export;
    type Request = IndexArguments;
    type Answer = Rows<IndexReport>;

    fn run(ctx: &Ctx, request: IndexArguments) -> Result<Rows<IndexReport>, OpError> {
        let IndexArguments { index: request, watch } = request;
        let first = ctx.ports.code.index(&request, ctx.progress.as_ref(), &ctx.cancel)?;
        let once = std::iter::once(Ok(IndexReport::from(first)));
        if !watch {
            return Ok(Rows::new(once, Verdict::Yes));
        }
        let again = Watch {
            ctx: ctx.clone(),
            request: IndexRequest {
                fresh: false,
                ..request
            },
            over: false,
        };
        Ok(Rows {
            live: true,
            ..Rows::new(once.chain(again), Verdict::Yes)
        })
    }
}

/// One report for every batch of changes.
struct Watch {
    ctx: Ctx,
    request: IndexRequest,
    over: bool,
}

impl Iterator for Watch {
    type Item = Result<IndexReport, OpError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            let Ctx {
                ports,
                progress,
                cancel,
            } = &self.ctx;
            let outcome = ports.code.wait_for_change(&self.request, cancel).and_then(|goes_on| {
                self.over = !goes_on;
                if goes_on {
                    ports.code.index(&self.request, progress.as_ref(), cancel).map(Some)
                } else {
                    Ok(None)
                }
            });
            match outcome {
                Ok(Some(summary)) if summary.changed => return Some(Ok(summary.into())),
                Ok(_) => {}
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
