//! `lore ccg validate`: checks a Code Context Graph (clause LV) and reports each breach with its place.

mod context;
mod document;
mod numbers;
mod report;
mod statements;

use std::collections::BTreeMap;

use clap::Args;
use oxttl::TurtleParser;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub use report::{Breach, BreachKind, Checked, TOLD_PER_KIND};

use self::document::Kind;
use self::report::{Report, shown};
use self::statements::{Base, Index};
use super::access::LayerNumber;
use super::bundle::{BOTH_MAX_BYTES, Part, PartContent};
use super::source::{CcgSource, Extent, SourceError};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Scope, Value};

/// What relative IRIs of access rules are read against.
const ACL_BASE: &str = "https://codecontextgraph.com/";

/// Check a Code Context Graph
///
/// It checks JSON-LD and JSON Schema of the manifest and the architecture, the syntax of the N-Quads, named graphs, required properties, sizes, numbers, and
/// whether the layers agree. Each breach has its place. Memory and time are bounded.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore ccg validate                          the export of this repository
  lore ccg validate repo.ccg.zip             a bundle
  lore ccg validate exported/                a directory of layers
  lore ccg validate symbol-index.nq.gz       one layer
  lore ccg validate https://codecontextgraph.com/ccg/github.com/org/repo/latest/manifest.json

Exit status: 0: the graph is valid; 1: the graph is not valid; 2: the graph could not be read.")]
#[serde(default)]
pub struct ValidateRequest {
    /// A bundle, a directory, a file, or an https address; - is standard input [default: this repository]
    pub source: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    // No doc comment: the help of a flattened struct would replace that of the command.
    pub scope: Scope,
}

/// The result of a validation
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ValidateAnswer {
    /// The graph that was checked
    pub source: String,
    /// Whether the graph is valid
    pub valid: bool,
    /// The files that were checked
    pub files: Vec<Checked>,
    /// The breaches; of each kind only the first ones
    pub breaches: Vec<Breach>,
    /// Number of breaches by kind
    pub counts: BTreeMap<String, u64>,
    /// Remarks: what is unusual without being a breach, and what was not checked
    pub notes: Vec<String>,
}

/// `lore ccg validate`.
pub struct Validate;

impl Operation for Validate {
    const NAME: &'static str = "ccg_validate";
    const COMMAND: &'static [&'static str] = &["ccg", "validate"];
    const ACCESS: Access = Access::Read;
    const FETCHES: bool = true;
    type Request = ValidateRequest;
    type Answer = Value<ValidateAnswer>;

    fn run(ctx: &Ctx, request: ValidateRequest) -> Result<Value<ValidateAnswer>, OpError> {
        let answer = match CcgSource::open(ctx, request.source.as_deref(), &request.scope) {
            Ok(source) => validate(ctx, &source)?,
            Err(SourceError::Refused(refusal)) => {
                let mut report = Report::default();
                let name = request.source.unwrap_or_default();
                report.breach(BreachKind::Archive, refusal.place, refusal.reason);
                answer(&name, Vec::new(), report)
            }
            Err(SourceError::NoGraph(error)) => {
                let mut report = Report::default();
                let name = request.source.unwrap_or_default();
                report.breach(BreachKind::Archive, name.clone(), error.message);
                report.notes.extend(error.hints);
                answer(&name, Vec::new(), report)
            }
            Err(SourceError::Failed(error)) => return Err(error),
        };
        Ok(if answer.valid {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

/// Validates everything that a source holds.
pub fn validate(ctx: &Ctx, source: &CcgSource) -> Result<ValidateAnswer, OpError> {
    let mut validation = Validation::default();
    validation.report.notes.clone_from(&source.notes);
    match source.extent() {
        Extent::Diff => {
            if let Some(content) = source.diff() {
                validation.document(Kind::Diff, content);
            }
        }
        Extent::One(part) => {
            let content = source.required(ctx, part)?;
            validation.part(ctx, &content)?;
        }
        Extent::Whole => {
            for part in Part::ALL {
                match source.part(ctx, part)? {
                    Some(content) => validation.part(ctx, &content)?,
                    None if part.layer().is_some() => {
                        let message = format!("there is no {}", part.file_name());
                        validation
                            .report
                            .breach(BreachKind::MissingLayer, source.name(), message);
                    }
                    None => {}
                }
                if let (Part::Manifest, Some(promise)) = (part, source.promised()) {
                    validation.keeps(&promise);
                }
            }
            validation.together();
        }
    }
    Ok(answer(source.name(), validation.files, validation.report))
}

/// Validates one part by itself.
pub fn validate_part(ctx: &Ctx, content: &PartContent) -> Result<ValidateAnswer, OpError> {
    let mut validation = Validation::default();
    validation.part(ctx, content)?;
    Ok(answer(&content.place, validation.files, validation.report))
}

fn answer(source: &str, files: Vec<Checked>, report: Report) -> ValidateAnswer {
    let counts = report.counts.iter();
    ValidateAnswer {
        source: source.to_owned(),
        valid: report.counts.is_empty(),
        files,
        breaches: report.breaches,
        counts: counts.map(|(kind, count)| (kind.name().to_owned(), *count)).collect(),
        notes: report.notes,
    }
}

/// What is known while the parts are read, in their order.
#[derive(Default)]
struct Validation {
    report: Report,
    files: Vec<Checked>,
    base: Base,
    manifest: Option<(String, Json)>,
    index: Option<Index>,
    index_content: Option<PartContent>,
}

impl Validation {
    fn part(&mut self, ctx: &Ctx, content: &PartContent) -> Result<(), OpError> {
        match content.part {
            Part::Manifest => self.document(Kind::Manifest, content),
            Part::Architecture => self.document(Kind::Architecture, content),
            Part::SymbolIndex | Part::FullDetail => self.statements(ctx, content)?,
            Part::Acl => self.acl(content),
            Part::Readme => self.bytes(content).map_or((), drop),
        }
        Ok(())
    }

    /// The bytes of a part, unless that is itself a breach.
    fn bytes(&mut self, content: &PartContent) -> Option<Vec<u8>> {
        match content.read() {
            Ok(bytes) => {
                self.checked(content, bytes.len() as u64, None);
                Some(bytes)
            }
            Err(refusal) => {
                self.report.breach(BreachKind::Archive, refusal.place, refusal.reason);
                None
            }
        }
    }

    fn checked(&mut self, content: &PartContent, bytes: u64, statements: Option<u64>) {
        self.files.push(Checked {
            file: content.place.clone(),
            layer: content.part.layer().map(LayerNumber::number),
            bytes,
            statements,
        });
    }

    fn document(&mut self, kind: Kind, content: &PartContent) {
        let Some(bytes) = self.bytes(content) else {
            return;
        };
        let Some(document) = document::check(kind, &content.place, &bytes, &mut self.report) else {
            return;
        };
        if let Some(checked) = self.files.last_mut() {
            checked.statements = document.statements;
        }
        let id = document.value["@id"].as_str();
        match (kind, id) {
            (Kind::Manifest, id) => {
                self.identity(&content.place, id.unwrap_or_default(), &document.value);
                self.manifest = Some((content.place.clone(), document.value));
            }
            (Kind::Architecture, Some(id)) => self.layer_identity(&content.place, id),
            _ => {}
        }
    }

    /// What the manifest is of.
    fn identity(&mut self, place: &str, id: &str, manifest: &Json) {
        let commit = manifest["repository"]["commit"].as_str();
        if let (Some((_, last)), Some(commit)) = (id.rsplit_once('@'), commit) {
            if last != commit {
                let message = format!("`{}` is not the commit of `@id`, `{}`", shown(commit), shown(last));
                self.report
                    .breach(BreachKind::Identity, format!("{place}: /repository/commit"), message);
            }
            let is_full = matches!(commit.len(), 40 | 64) || commit.starts_with("tree-");
            if !is_full {
                self.report
                    .note(format!("{place} has an abbreviated commit: {}", shown(commit)));
            }
        }
        if !id.is_empty() {
            if !id.contains('@') {
                let message = format!("<{}> does not name a commit", shown(id));
                self.report
                    .breach(BreachKind::Identity, format!("{place}: /@id"), message);
            }
            self.base.iri = Some(id.to_owned());
            self.base.said_by = place.to_owned();
        }
    }

    fn layer_identity(&mut self, place: &str, id: &str) {
        let Some(base) = id.strip_suffix("/layer/1") else {
            let message = format!("<{}> is not the IRI of a layer 1", shown(id));
            self.report
                .breach(BreachKind::Identity, format!("{place}: /@id"), message);
            return;
        };
        match &self.base.iri {
            Some(expected) if expected != base => {
                let message = format!("<{}> is not of the commit of {}", shown(id), self.base.said_by);
                self.report
                    .breach(BreachKind::Identity, format!("{place}: /@id"), message);
            }
            Some(_) => {}
            None => {
                self.base.iri = Some(base.to_owned());
                self.base.said_by = place.to_owned();
            }
        }
    }

    fn statements(&mut self, ctx: &Ctx, content: &PartContent) -> Result<(), OpError> {
        let Some(layer) = statements::check(content, &mut self.base, &mut self.index, &mut self.report, ctx)? else {
            return Ok(());
        };
        self.checked(content, content.size(), Some(layer.statements));
        let is_full = content.part == Part::FullDetail;
        if let Some((place, manifest)) = &self.manifest {
            // Layer 3 holds layer 2, so that its own numbers would only say the same again.
            if !is_full || self.index.is_none() {
                numbers::compare(place, manifest, &content.place, &layer.totals, &mut self.report);
            }
            if is_full {
                numbers::compare_findings(place, manifest, &content.place, &layer.totals, &mut self.report);
            }
        }
        match (is_full, &self.index, &self.index_content) {
            (true, Some(index), Some(index_content)) => {
                index.tell_missing(index_content, &content.place, &mut self.report);
            }
            (false, _, _) => self.index_content = Some(content.clone()),
            _ => {}
        }
        Ok(())
    }

    fn acl(&mut self, content: &PartContent) {
        let Some(bytes) = self.bytes(content) else {
            return;
        };
        let Ok(parser) = TurtleParser::new().with_base_iri(ACL_BASE) else {
            return;
        };
        let mut statements = 0;
        for triple in parser.for_slice(&bytes) {
            match triple {
                Ok(_) => statements += 1,
                Err(error) => {
                    let at = error.location().start;
                    let place = format!("{}:{}:{}", content.place, at.line + 1, at.column + 1);
                    self.report.breach(BreachKind::Acl, place, shown(error.message()));
                }
            }
        }
        if let Some(checked) = self.files.last_mut() {
            checked.statements = Some(statements);
        }
    }

    /// Whether the manifest is of what its address says.
    fn keeps(&mut self, promise: &super::source::Promise) {
        if let (Some((place, _)), Some(base)) = (&self.manifest, &self.base.iri)
            && !promise.is_kept_by(base)
        {
            let message = format!("<{}> differs from its address, <{}>", shown(base), shown(&promise.iri));
            let place = format!("{place}: /@id");
            self.report.breach(BreachKind::Identity, place, message);
        }
    }

    /// What only the whole can break.
    fn together(&mut self) {
        let bytes = |layer: u8| {
            self.files
                .iter()
                .find(|file| file.layer == Some(layer))
                .map(|file| file.bytes)
        };
        if let (Some(manifest), Some(architecture)) = (bytes(0), bytes(1)) {
            let both = manifest + architecture;
            if both > BOTH_MAX_BYTES {
                let message =
                    format!("layers 0 and 1 have {both} bytes together; at most {BOTH_MAX_BYTES} are allowed");
                self.report
                    .breach(BreachKind::Size, Part::Architecture.file_name(), message);
            }
        }
    }
}

impl Render for ValidateAnswer {
    fn render(&self, page: &mut Page) {
        for breach in &self.breaches {
            page.text(&breach.place);
            page.write(format_args!(": "));
            page.text(&breach.message);
            page.dim(&format!("  [{}]", breach.kind.name()));
            page.line(format_args!(""));
        }
        for (kind, count) in &self.counts {
            let told = self.breaches.iter().filter(|breach| breach.kind.name() == kind).count() as u64;
            if *count > told {
                page.line(format_args!("… and {} more of {kind}", count - told));
            }
        }
        if !self.breaches.is_empty() {
            page.line(format_args!(""));
        }
        for file in &self.files {
            page.text(&file.file);
            page.dim(&match file.statements {
                Some(statements) => format!("  {} bytes, {statements} statements", file.bytes),
                None => format!("  {} bytes", file.bytes),
            });
            page.line(format_args!(""));
        }
        for note in &self.notes {
            page.write(format_args!("note: "));
            page.text(note);
            page.line(format_args!(""));
        }
        page.text(&self.source);
        let breaches: u64 = self.counts.values().sum();
        match breaches {
            0 => page.line(format_args!(" is a valid Code Context Graph")),
            1 => page.line(format_args!(": one breach")),
            breaches => page.line(format_args!(": {breaches} breaches")),
        }
    }
}

#[cfg(test)]
mod tests;
