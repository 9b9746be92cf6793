//! `lore memory coverage`: which files of the repository no atom covers.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::project_or_own;
use crate::envelope::envelope;
use crate::graph::paths::normal;
use crate::graph::repository_state::head_of;
use crate::store::reading;
use lore_seam::{Access, Ctx, Envelope, OpError, Operation, Page, Render, Value};

/// The most files that the command checks.
const MOST_FILES: usize = 200_000;
/// The default of `--limit`.
const DEFAULT_LIMIT: usize = 30;
/// The files listed for each directory.
const NAMED: usize = 5;

/// Show files that no atom covers, by directory, largest gaps first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory coverage                   directories with the most uncovered files
  lore memory coverage src/payments      only below this directory
  lore memory coverage --files           every uncovered file
  lore memory coverage --json | jq .covered")]
#[serde(default)]
pub struct MemoryCoverageRequest {
    /// Only below these directories [default: all]
    pub paths: Vec<String>,
    /// List every uncovered file
    #[arg(long)]
    pub files: bool,
    /// At most this many directories [default: 30]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    #[schemars(extend("x-agents" = "omit"))]
    pub project: Option<String>,
}

/// Files that no atom covers
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct MemoryCoverageAnswer {
    /// The number of checked files
    pub files: usize,
    /// The number of covered files
    pub covered: usize,
    /// Directories with files that no atom covers
    pub directories: Vec<Gap>,
    /// The number of further directories
    #[serde(skip_serializing_if = "is_none")]
    pub more_directories: usize,
    /// Whether the walk stopped at the limit of files
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// A directory with files that no atom covers
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// The directory; empty for the root
    pub directory: String,
    /// Files directly in the directory
    pub files: usize,
    /// Uncovered files
    pub uncovered: usize,
    /// Some uncovered files; all with --files
    pub paths: Vec<String>,
    /// A pattern that covers them
    pub draft_pattern: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// `lore memory coverage`.
pub struct MemoryCoverage;

impl Operation for MemoryCoverage {
    const NAME: &'static str = "memory_coverage";
    const COMMAND: &'static [&'static str] = &["memory", "coverage"];
    const ACCESS: Access = Access::Read;
    const ENVELOPE: Option<Envelope> = Some(envelope);
    type Request = MemoryCoverageRequest;
    type Answer = Value<MemoryCoverageAnswer>;

    fn run(ctx: &Ctx, request: MemoryCoverageRequest) -> Result<Value<MemoryCoverageAnswer>, OpError> {
        let (index, within) = reading(ctx, |store| {
            let project = project_or_own(ctx, store, request.project.as_deref())?;
            let within = head_of(ctx, store, project)?.map_or_else(String::new, |head| head.within);
            Ok((store.patterns(project)?, within))
        })?;
        let place = ctx.ports.code.place();
        let asked: Vec<String> = request
            .paths
            .iter()
            .map(|path| normal::path_below(path, place.as_deref()))
            .collect();
        let is_asked = |path: &str| {
            asked.is_empty()
                || asked.iter().any(|asked| {
                    asked.is_empty()
                        || path
                            .strip_prefix(asked.as_str())
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                })
        };
        let (walked, cut) = ctx.ports.code.files()?.walk("", MOST_FILES)?;
        let mut answer = MemoryCoverageAnswer {
            cut,
            ..MemoryCoverageAnswer::default()
        };
        let mut directories: BTreeMap<String, Gap> = BTreeMap::new();
        for path in walked.into_iter().filter(|path| is_asked(path)) {
            let whole = if within.is_empty() {
                path.clone()
            } else {
                format!("{within}/{path}")
            };
            let directory = whole.rsplit_once('/').map_or("", |(directory, _)| directory);
            let gap = directories.entry(directory.to_owned()).or_insert_with(|| Gap {
                directory: directory.to_owned(),
                files: 0,
                uncovered: 0,
                paths: Vec::new(),
                draft_pattern: String::new(),
            });
            answer.files += 1;
            gap.files += 1;
            if !index.matches(&whole).is_empty() {
                answer.covered += 1
            } else {
                gap.uncovered += 1;
                if request.files || gap.paths.len() < NAMED {
                    gap.paths.push(whole);
                }
            }
        }
        let mut gaps: Vec<Gap> = directories.into_values().filter(|gap| gap.uncovered > 0).collect();
        for gap in &mut gaps {
            gap.draft_pattern = match (gap.uncovered, gap.paths.first()) {
                (1, Some(path)) => normal::escaped(path),
                _ if gap.directory.is_empty() => "*".to_owned(),
                _ => format!("{}/**", normal::escaped(&gap.directory)),
            };
        }
        gaps.sort_by(|one, other| (other.uncovered, &one.directory).cmp(&(one.uncovered, &other.directory)));
        let limit = request
            .limit
            .unwrap_or(if request.files { usize::MAX } else { DEFAULT_LIMIT });
        answer.more_directories = gaps.len().saturating_sub(limit);
        gaps.truncate(limit);
        answer.directories = gaps;
        Ok(Value::yes(answer))
    }
}

impl Render for MemoryCoverageAnswer {
    fn render(&self, page: &mut Page) {
        let share = (self.covered * 100).checked_div(self.files).unwrap_or(100);
        page.line(format_args!(
            "{} of {} files are covered ({share}%)",
            self.covered, self.files
        ));
        for gap in &self.directories {
            let directory = if gap.directory.is_empty() { "." } else { &gap.directory };
            page.strong(directory);
            page.line(format_args!("  {} of {} not covered", gap.uncovered, gap.files));
            for path in &gap.paths {
                page.write(format_args!("    "));
                page.text(path);
                page.line(format_args!(""));
            }
            if gap.paths.len() < gap.uncovered {
                page.line(format_args!("    and {} more", gap.uncovered - gap.paths.len()));
            }
        }
        if self.more_directories > 0 {
            page.line(format_args!(
                "{} more directories: --limit N shows them",
                self.more_directories
            ));
        }
        if self.cut {
            page.line(format_args!("Lore checked only the first {MOST_FILES} files."));
        }
    }
}
