//! `lore index`: build or refresh the code graph, once or as files change.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, Ctx, IndexRequest, IndexSummary, OpError, Operation, Page, Render, Rows, Verdict};

/// Build or refresh the code graph of a repository
///
/// Every other question about code refreshes the graph by itself; this command is for the first time, for other choices of
/// files, and for watching. What it finds is kept in the user's cache directory (`lore cache status`), which may be deleted
/// at any time.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore index                          the repository around the working directory
  lore index ~/src/project            another one
  lore index --at v1.2                a revision, read from git's objects
  lore index --exclude 'docs/**'      without some files
  lore index --watch                  again whenever files change

The choices of files are remembered until the next `lore index`; lore.toml can hold them for good ([index]).")]
#[serde(default)]
pub struct IndexArguments {
    /// The directory or file to index [default: the repository around the working directory]
    #[serde(skip)]
    pub path: Option<String>,
    /// Index a git revision instead of the working tree
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,
    /// Only files that match this pattern (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// No file that matches this pattern (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Keep vendored files, such as those under node_modules or vendor
    #[arg(long)]
    pub vendored: bool,
    /// Keep generated files
    #[arg(long)]
    pub generated: bool,
    /// Keep minified files
    #[arg(long)]
    pub minified: bool,
    /// Leave out files larger than this [default: 4194304]
    #[arg(long, value_name = "BYTES")]
    pub max_file_bytes: Option<u64>,
    /// Read and extract every file instead of trusting its size, time and inode, or what is cached of its content
    #[arg(long)]
    pub verify: bool,
    /// Forget what is cached, and begin anew
    #[arg(long)]
    pub fresh: bool,
    /// Go on, and index again whenever files change
    #[arg(long, conflicts_with = "at")]
    #[serde(skip)]
    pub watch: bool,
}

/// What indexing did
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct IndexReport {
    /// The root that was indexed
    pub root: String,
    /// Whether anything had changed since the last time
    pub changed: bool,
    /// Files in the graph
    pub files: usize,
    /// Of those, parsed now; the facts of the others were known
    pub extracted: usize,
    /// Files left out
    pub skipped: usize,
    /// Files that did not parse whole
    pub with_errors: usize,
    /// Symbols in the graph
    pub symbols: usize,
    /// Lines in the graph
    pub lines: u64,
    /// Bytes of the snapshot
    pub snapshot_bytes: u64,
    /// The bounds that the search for calls hit
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundHit>,
    /// How long it took
    pub milliseconds: u64,
}

/// A bound of the search for calls, and how often it was hit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct BoundHit {
    /// Its name: `values` (places that can hold more values than are followed), `calls` (calls that were not told apart), `work` (the search was cut off)
    pub bound: String,
    /// How often it was hit
    pub count: u32,
}

impl BoundHit {
    fn sentence(&self) -> String {
        match self.bound.as_str() {
            "values" => format!("{} places can hold more values than are followed", self.count),
            "calls" => format!("{} calls were not told apart", self.count),
            _ => "the search was cut off; many calls are missing".to_owned(),
        }
    }
}

impl From<IndexSummary> for IndexReport {
    fn from(summary: IndexSummary) -> Self {
        let IndexSummary {
            root,
            changed,
            files,
            extracted,
            skipped,
            with_errors,
            symbols,
            lines,
            snapshot_bytes,
            bounds,
            milliseconds,
        } = summary;
        Self {
            root,
            changed,
            files,
            extracted,
            skipped,
            with_errors,
            symbols,
            lines,
            snapshot_bytes,
            bounds: bounds
                .into_iter()
                .map(|(bound, count)| BoundHit {
                    bound: bound.name().to_owned(),
                    count,
                })
                .collect(),
            milliseconds,
        }
    }
}

impl Render for IndexReport {
    fn render(&self, page: &mut Page) {
        page.strong(&self.root);
        page.line(format_args!(
            ": {} files, {} symbols, {} lines in {:.2} s{}",
            self.files,
            self.symbols,
            self.lines,
            self.milliseconds as f64 / 1000.0,
            match (self.changed, self.extracted) {
                (false, _) => " (nothing had changed)".to_owned(),
                (true, extracted) => format!(" ({extracted} parsed)"),
            }
        ));
        if self.skipped > 0 {
            page.line(format_args!(
                "  {} files left out (`lore files --skipped` lists them)",
                self.skipped
            ));
        }
        if self.with_errors > 0 {
            page.line(format_args!(
                "  {} files did not parse whole (`lore files --errors` lists them)",
                self.with_errors
            ));
        }
        if !self.bounds.is_empty() {
            let bounds: Vec<String> = self.bounds.iter().map(BoundHit::sentence).collect();
            page.line(format_args!(
                "  bounds of the call graph were hit: {}",
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
        let watch = request.watch;
        let request = IndexRequest {
            path: request.path,
            revision: request.at,
            include: request.include,
            exclude: request.exclude,
            vendored: request.vendored,
            generated: request.generated,
            minified: request.minified,
            max_file_bytes: request.max_file_bytes,
            verify: request.verify,
            fresh: request.fresh,
        };
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
