//! `lore graph convert`: converts the output of another tool into a body for publishing.

mod code_review_graph;
mod conversion;
mod database;
mod document;
mod gitnexus;
mod node_link;
mod pack;
mod paths;
mod sniff;
mod understand_anything;

use clap::Args;
use lore_base::time::date_time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::conversion::{ConvertFault, ConvertOptions, Converted, MOST_NATIVE, Native, convert};
use self::conversion::{no_body, usual};
use self::database::MAGIC;
pub use self::sniff::Tool;
use crate::format::{Commit, FormatId};
use lore_seam::{
    Access, Bytes, Ctx, ErrorKind, Exported, OpError, Operation, Page, PathKind, Render, Value, Verdict, Written,
};

/// The name of standard input and output.
const STANDARD: &str = "-";

/// Convert the output of another tool into a body for publishing: Understand-Anything, GitNexus, code-review-graph, graphify, Repomix, gitingest
///
/// Lore detects the tool. It maps kinds that the format lacks to the nearest kind (and keeps the original beside it), makes absolute paths relative to the repository, drops nulls and adds metadata.
/// The result is checked against the format before it is written. A file that is already a body stays unchanged.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore graph convert .understand-anything/knowledge-graph.json --output .lore/understand-anything.json
  lore graph convert .code-review-graph/graph.db --output .lore/code-review-graph.json
  lore graph convert graphify-out/graph.json --format generic@1 > graph.json
  lore graph convert repomix-output.xml --content-url https://acme.dev/repomix-output.xml --output .lore/bundle.json
  lore graph convert graph.json --check       only check

Exit status: 0 the result is a body; 1 it is not (with --check: the file is not a body yet); 2 the question could not be asked.")]
pub struct GraphConvertRequest {
    /// The file, or - for standard input
    pub file: String,
    /// The tool that wrote the file [default: detected]
    #[arg(long, value_name = "TOOL", value_enum)]
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    #[serde(deserialize_with = "tool")]
    pub from: Option<Tool>,
    /// The format of the body [default: that of the tool]
    #[arg(long, value_name = "NAME@INT")]
    #[serde(default)]
    pub format: Option<String>,
    /// The file to write, or - for standard output [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    #[serde(default)]
    pub output: Option<String>,
    /// The directory that absolute paths are made relative to [default: the one in the file, else the repository]
    #[arg(long, value_name = "DIR")]
    #[serde(default)]
    pub root: Option<String>,
    /// The https address that will serve the pack (Repomix, gitingest)
    #[arg(long, value_name = "URL")]
    #[serde(default)]
    pub content_url: Option<String>,
    /// The full id of the commit that the graph was made from
    #[arg(long, value_name = "SHA")]
    #[serde(default)]
    pub commit: Option<String>,
    /// The version of the tool, if its output has none
    #[arg(long, value_name = "VERSION")]
    #[serde(default)]
    pub tool_version: Option<String>,
    /// Do not remove e-mail addresses and possible secrets from texts
    #[arg(long, alias = "no-scrub")]
    #[serde(default, alias = "no_scrub")]
    pub raw: bool,
    /// Write nothing; only check whether the file is already a body
    #[arg(long, conflicts_with = "output")]
    #[serde(default)]
    pub check: bool,
}

fn tool<'d, D: serde::Deserializer<'d>>(deserializer: D) -> Result<Option<Tool>, D::Error> {
    let slug: Option<String> = Option::deserialize(deserializer)?;
    let Some(slug) = slug else {
        return Ok(None);
    };
    let known = Tool::from_slug(&slug);
    known
        .map(Some)
        .ok_or_else(|| serde::de::Error::custom(format!("`{slug}` is not a known tool")))
}

/// The result for a file
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct ConvertAnswer {
    /// The file
    pub file: String,
    /// The tool that wrote it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<&'static str>,
    /// The format of the body
    pub format: String,
    /// Whether the file was already a body and stays unchanged
    pub unchanged: bool,
    /// The file with the body
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Size in bytes
    pub bytes: u64,
    /// Its SHA-256
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// Its nodes
    pub nodes: u64,
    /// Its edges
    pub edges: u64,
    /// The commit that it was made from
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_sha: Option<String>,
    /// Remarks
    pub remarks: Vec<String>,
    /// Why the file is not a body
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    #[serde(skip)]
    #[schemars(skip)]
    is_check: bool,
}

impl Render for ConvertAnswer {
    fn render(&self, page: &mut Page) {
        page.strong(&self.file);
        if let Some(reason) = &self.refused {
            page.line(format_args!(" is not a body of {}", self.format));
            page.write(format_args!("  "));
            page.text(reason);
            page.line(format_args!(""));
            return;
        }
        let made_by = self.tool.map_or_else(String::new, |tool| format!(", made by {tool}"));
        match (self.unchanged, &self.output) {
            (true, None) => page.line(format_args!(" is already a body of {}{made_by}", self.format)),
            (true, Some(output)) => page.line(format_args!(
                " is already a body of {}{made_by}; copied to {output}",
                self.format
            )),
            (false, Some(output)) => page.line(format_args!(" → {output}: a body of {}{made_by}", self.format)),
            (false, None) => page.line(format_args!(" can be converted to a body of {}{made_by}", self.format)),
        }
        page.line(format_args!(
            "  {} nodes, {} edges, {} bytes",
            self.nodes, self.edges, self.bytes
        ));
        if let Some(commit) = &self.source_sha {
            page.line(format_args!("  commit {commit}"));
        }
        for remark in &self.remarks {
            page.write(format_args!("  "));
            page.text(remark);
            page.line(format_args!(""));
        }
    }
}

/// `lore graph convert`.
pub struct GraphConvert;

impl Operation for GraphConvert {
    const NAME: &'static str = "convert_graph";
    const COMMAND: &'static [&'static str] = &["graph", "convert"];
    const ACCESS: Access = Access::Export;
    type Request = GraphConvertRequest;
    type Answer = Exported<ConvertAnswer>;

    fn run(ctx: &Ctx, request: GraphConvertRequest) -> Result<Exported<ConvertAnswer>, OpError> {
        let options = options(ctx, &request)?;
        let bytes = ctx.ports.files.read(&request.file, MOST_NATIVE)?;
        let outcome = if bytes.starts_with(MAGIC) {
            let database = database::read(ctx, &request.file)?;
            convert(Native::Tables(database.document, database.root), &options)
        } else {
            convert(Native::Bytes(&bytes), &options)
        };
        if request.check {
            return Ok(Exported::Report(check(&request, outcome, &bytes, &options)?));
        }
        let converted = outcome.map_err(|fault| failed(&request.file, fault))?;
        answer(ctx, &request, bytes, converted)
    }
}

/// What is known besides the file.
fn options(ctx: &Ctx, request: &GraphConvertRequest) -> Result<ConvertOptions, OpError> {
    let format = request.format.as_deref().map(FormatId::from_argument);
    let commit = request.commit.as_deref().map(|text| {
        Commit::parse(text).ok_or_else(|| {
            OpError::new(ErrorKind::Invalid, format!("`{text}` is not a full commit id"))
                .hint("forty hexadecimal digits: `git rev-parse HEAD`")
        })
    });
    let said = ctx.ports.settings.value("source_date_epoch");
    let said = said.and_then(|seconds| seconds.parse().ok());
    let written = || {
        ctx.ports
            .files
            .stat(&request.file)
            .map(|stat| (stat.modified_ms / 1_000) as i64)
    };
    let now = || (ctx.ports.clock.now_ms() / 1_000) as i64;
    Ok(ConvertOptions {
        from: request.from,
        format: format.transpose()?,
        root: request.root.clone(),
        here: ctx.ports.code.place(),
        content_url: request.content_url.clone(),
        commit: commit.transpose()?,
        tool_version: request.tool_version.clone(),
        made_at: date_time(said.or_else(written).unwrap_or_else(now)),
        no_scrub: request.raw,
    })
}

/// Whether the file is a body as it is.
fn check(
    request: &GraphConvertRequest,
    outcome: Result<Converted, ConvertFault>,
    bytes: &[u8],
    options: &ConvertOptions,
) -> Result<Value<ConvertAnswer>, OpError> {
    match outcome {
        Ok(converted) => {
            let is_body = converted.body.is_none();
            let mut answer = told(request, &converted);
            answer.is_check = true;
            if !is_body {
                answer.refused = Some("not yet; `lore graph convert` converts it".to_owned());
            }
            Ok(Value {
                value: answer,
                verdict: if is_body { Verdict::Yes } else { Verdict::No },
            })
        }
        Err(fault) => {
            let (format, reason) = match &fault {
                ConvertFault::Refused(format, refusal) => (format.clone(), refusal.told()),
                ConvertFault::Json(_) | ConvertFault::Lines(_) | ConvertFault::Unknown | ConvertFault::Oversize(_) => {
                    let (format, refusal) = no_body(bytes, options);
                    (
                        format,
                        refusal.map_or_else(|| fault.to_string(), |refusal| refusal.told()),
                    )
                }
                ConvertFault::ContentUrl(None) => {
                    let reason = "not yet; `lore graph convert --content-url https://…` converts it";
                    (usual("bundle@1"), reason.to_owned())
                }
                ConvertFault::ContentUrl(Some(_)) | ConvertFault::Format(..) | ConvertFault::NotOf(_) => {
                    return Err(failed(&request.file, fault));
                }
            };
            Ok(Value::no(ConvertAnswer {
                file: request.file.clone(),
                tool: options.from.map(Tool::slug),
                format: format.to_string(),
                unchanged: true,
                output: None,
                bytes: bytes.len() as u64,
                digest: String::new(),
                nodes: 0,
                edges: 0,
                source_sha: None,
                remarks: Vec::new(),
                refused: Some(reason),
                is_check: true,
            }))
        }
    }
}

fn told(request: &GraphConvertRequest, converted: &Converted) -> ConvertAnswer {
    let facts = &converted.facts;
    ConvertAnswer {
        file: request.file.clone(),
        tool: converted.tool.map(Tool::slug),
        format: converted.format.to_string(),
        unchanged: converted.body.is_none(),
        output: None,
        bytes: facts.bytes,
        digest: facts.digest.clone(),
        nodes: facts.nodes,
        edges: facts.edges,
        source_sha: facts.source_sha.as_ref().map(|commit| commit.to_string()),
        remarks: converted.remarks.clone(),
        refused: None,
        is_check: false,
    }
}

/// Writes the body where it is wanted. Without a file it is the answer.
fn answer(
    ctx: &Ctx,
    request: &GraphConvertRequest,
    bytes: Vec<u8>,
    converted: Converted,
) -> Result<Exported<ConvertAnswer>, OpError> {
    let mut told = told(request, &converted);
    let body = converted.body.unwrap_or(bytes);
    match request.output.as_deref().filter(|output| *output != STANDARD) {
        None => {
            let mut note = told.remarks.clone();
            if told.unchanged {
                note.insert(0, format!("{} is already a body of {}", request.file, told.format));
            }
            Ok(Exported::Bytes(Bytes {
                note: (!note.is_empty()).then(|| note.join("; ")),
                as_chosen: true,
                ..Bytes::whole("application/json", body)
            }))
        }
        Some(output) => {
            if output.is_empty() || output.ends_with('/') || ctx.ports.files.kind(output) == Some(PathKind::Directory) {
                let message = format!("`{output}` is not a writable file");
                return Err(OpError::new(ErrorKind::Invalid, message).hint("--output names the file to write"));
            }
            let written = ctx
                .ports
                .files
                .write(output, &mut |out| out.write_all(&body).map_err(OpError::from_write))?;
            told.output = Some(format!("{output}{}", Written::remark(written.streamed)));
            Ok(Exported::Report(Value::yes(told)))
        }
    }
}

fn failed(file: &str, fault: ConvertFault) -> OpError {
    let error = |kind: ErrorKind| OpError::new(kind, format!("{file}: {fault}"));
    let error = match fault {
        ConvertFault::Refused(..) => error(ErrorKind::Refused).hint("try a smaller graph or another --format"),
        ConvertFault::Unknown => error(ErrorKind::Invalid).hint("name the tool with --from TOOL"),
        ConvertFault::ContentUrl(_) => {
            error(ErrorKind::Invalid).hint("set the future address of the pack with --content-url https://…")
        }
        ConvertFault::Format(..)
        | ConvertFault::Json(_)
        | ConvertFault::Lines(_)
        | ConvertFault::NotOf(_)
        | ConvertFault::Oversize(_) => error(ErrorKind::Invalid),
    };
    error.because(fault)
}
