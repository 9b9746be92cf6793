//! `lore files`: the files of the graph with their lines, or those left out and why.

use std::sync::Arc;

use clap::Args;
use lore_model::{CodeGraph, FileId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::PathPattern;
use super::wire::{Lines, Scope};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// List the files of the graph with their line counts, or the files left out and the reasons
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore files                       every indexed file
  lore files 'src/**' --json       one JSON object a line
  lore files --skipped             what was left out, with the reason
  lore files --errors              files with syntax errors, and where these are")]
#[serde(default)]
pub struct FilesRequest {
    /// Files, directories or patterns [default: all]
    pub paths: Vec<String>,
    /// Only these languages (repeatable)
    #[arg(long, short, value_delimiter = ',')]
    pub language: Vec<String>,
    /// List the files that were left out instead
    #[arg(long)]
    pub skipped: bool,
    /// Only files with syntax errors
    #[arg(long, conflicts_with = "skipped")]
    pub errors: bool,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// One file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum FileLine {
    /// A file of the graph
    Indexed {
        /// The path
        path: String,
        /// The language
        language: String,
        /// The lines
        #[serde(flatten)]
        lines: Lines,
        /// The size
        bytes: u32,
        /// Definitions in it
        symbols: usize,
        /// Whether it is a test file
        test: bool,
        /// The content's git blob id
        blob: String,
        /// Syntax errors, as `line:column: message`
        errors: Vec<String>,
    },
    /// A file left out
    Skipped {
        /// The path
        path: String,
        /// The reason
        reason: String,
        /// Details of the reason
        detail: String,
    },
}

/// `lore files`.
pub struct Files;

impl Operation for Files {
    const NAME: &'static str = "files";
    const COMMAND: &'static [&'static str] = &["files"];
    const ACCESS: Access = Access::Read;
    type Request = FilesRequest;
    type Answer = Rows<FileLine>;

    fn run(ctx: &Ctx, request: FilesRequest) -> Result<Rows<FileLine>, OpError> {
        let graph = request.scope.open(ctx)?;
        let patterns = PathPattern::all(ctx, &graph, &request.paths)?;
        let wanted = move |path: &str| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(path));
        let empty = if request.paths.is_empty() {
            Verdict::Yes
        } else {
            Verdict::No
        };
        if request.skipped {
            let lines: Vec<FileLine> = graph
                .skipped()
                .filter(|skipped| wanted(skipped.path))
                .map(|skipped| FileLine::Skipped {
                    path: skipped.path.to_owned(),
                    reason: skipped.reason.name().to_owned(),
                    detail: skipped.detail.to_owned(),
                })
                .collect();
            return Ok(Rows::new(lines.into_iter().map(Ok), empty));
        }
        let languages = request.language;
        let errors_only = request.errors;
        let count = graph.file_count() as u32;
        let rows = (0..count).filter_map(move |id| {
            let file = graph.file(FileId(id));
            let named = languages.is_empty() || languages.iter().any(|name| name.eq_ignore_ascii_case(file.language()));
            let chosen = named && wanted(file.path()) && (!errors_only || file.diagnostics().next().is_some());
            chosen.then(|| Ok(line(&graph, FileId(id))))
        });
        Ok(Rows::new(rows, empty))
    }
}

fn line(graph: &Arc<CodeGraph>, id: FileId) -> FileLine {
    let file = graph.file(id);
    FileLine::Indexed {
        path: file.path().to_owned(),
        language: file.language().to_owned(),
        lines: Lines::of(file.lines()),
        bytes: file.bytes(),
        symbols: file.symbols().filter(|symbol| !symbol.is_anonymous()).count(),
        test: file.is_test(),
        blob: file.hash().to_string(),
        errors: file
            .diagnostics()
            .map(|error| format!("{}:{}: {}", error.line, error.column, error.message))
            .collect(),
    }
}

impl Render for FileLine {
    fn render(&self, page: &mut Page) {
        match self {
            Self::Indexed {
                path,
                language,
                lines,
                errors,
                ..
            } => {
                page.write(format_args!("{:>7} {:<11} ", lines.code, language));
                page.strong(path);
                page.line(format_args!(""));
                for error in errors {
                    page.write(format_args!("        {path}:"));
                    page.text(error);
                    page.line(format_args!(""));
                }
            }
            Self::Skipped { path, reason, detail } => {
                page.write(format_args!("{reason:<17} "));
                page.text(path);
                if !detail.is_empty() {
                    page.dim(&format!("  {detail}"));
                }
                page.line(format_args!(""));
            }
        }
    }
}
