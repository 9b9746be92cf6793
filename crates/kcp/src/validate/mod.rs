//! `lore unit validate`: whether manifests are valid, with every finding and its place.

mod check;
mod federation;
mod files;
pub(crate) mod github;
mod governance;
mod references;
mod required;
mod sarif;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use self::check::{Exists, ValidateOptions, VersionOf, validate};

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::{Code, Finding, Severity, Strict};
use crate::levels::level;
use crate::model::Manifest;
use crate::open::{Opened, join, open};
use crate::parse::parse;
use crate::read::from_root;
use lore_base::yaml::Limits;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// How many findings of one code people are shown.
const SHOWN_PER_CODE: usize = 50;

/// Check knowledge manifests (knowledge.yaml) of the Knowledge Context Protocol
///
/// Every finding has a code, a position, a reason and a remedy. Errors make a manifest invalid. Warnings show where readers may understand it differently from its author. Notes are
/// for information. Lore fetches nothing.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit validate                             the manifest of this repository
  lore unit validate knowledge.yaml --strict     what breaks a MUST is an error
  lore unit validate --strict=file-missing       a missing document is an error
  lore unit validate a.yaml b.yaml --json        several, for a program
  lore unit validate --format github             annotations in a workflow of GitHub

Exit status: 0: valid; 1: not valid, or the file has no manifest; 2: the file could not be read.")]
#[serde(default)]
pub struct UnitValidateRequest {
    /// Manifests, or directories with a knowledge.yaml; - is standard input [default: the manifest of this repository]
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Warnings that count as errors: those with these codes; without a code, those that break a MUST of the specification
    #[arg(long, value_name = "CODE", num_args = 0.., value_delimiter = ',', require_equals = true)]
    pub strict: Option<Vec<String>>,
    /// A unit without scope or audience is only a warning
    #[arg(long)]
    pub lenient: bool,
    /// Do not check whether the documents exist
    #[arg(long)]
    pub no_files: bool,
    /// Compare pinned versions with those of local mirrors
    #[arg(long)]
    pub pins: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = ValidateFormat::Text)]
    pub format: ValidateFormat,
}

/// The output format.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum ValidateFormat {
    /// For people
    #[default]
    Text,
    /// As JSON
    Json,
    /// As SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// As annotations of a GitHub workflow
    Github,
}

/// Whether manifests are valid
#[derive(Serialize, JsonSchema, Clone, Debug)]
pub struct UnitValidateAnswer {
    /// Whether there is no error
    pub valid: bool,
    /// The level of conformance, 1 to 3; the lowest of several manifests, null if one could not be parsed
    pub level: Option<u8>,
    /// Units
    pub unit_count: usize,
    /// Relationships between them
    pub relationship_count: usize,
    /// Errors, which make a manifest invalid
    pub errors: Vec<ReportedFinding>,
    /// Warnings
    pub warnings: Vec<ReportedFinding>,
    /// Notes
    pub notes: Vec<ReportedFinding>,
    /// Each manifest by itself
    pub files: Vec<FileVerdict>,
    #[serde(skip)]
    #[schemars(skip)]
    format: ValidateFormat,
}

/// Whether one manifest is valid
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct FileVerdict {
    /// The file
    pub path: String,
    /// Whether there is no error
    pub valid: bool,
    /// The level of conformance, 1 to 3; null if it could not be parsed
    pub level: Option<u8>,
    /// Units
    pub unit_count: usize,
    /// Relationships between them
    pub relationship_count: usize,
}

/// A finding about a manifest, and its position
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ReportedFinding {
    /// The code of the finding; with a code that begins with `parse` there is no manifest
    pub code: &'static str,
    /// The problem
    pub message: String,
    /// The file
    pub path: String,
    /// The line, from 1
    pub line: u32,
    /// The column in characters, from 1
    pub column: u32,
    /// The id of the unit, if the finding is about one that has an id
    pub unit: Option<String>,
    /// The remedy
    pub hint: Option<String>,
    /// The field, from the root
    pub field: Option<String>,
    /// The clause of the specification
    pub clause: &'static str,
}

/// `lore unit validate`.
pub struct UnitValidate;

impl Operation for UnitValidate {
    const NAME: &'static str = "unit_validate";
    const COMMAND: &'static [&'static str] = &["unit", "validate"];
    const ACCESS: Access = Access::Read;
    type Request = UnitValidateRequest;
    type Answer = Value<UnitValidateAnswer>;

    fn run(ctx: &Ctx, request: UnitValidateRequest) -> Result<Value<UnitValidateAnswer>, OpError> {
        let strict = strict(request.strict.as_deref())?;
        if request.lenient && strict != Strict::No {
            return Err(OpError::new(
                ErrorKind::Invalid,
                "--strict and --lenient cannot be used together",
            ));
        }
        let named: Vec<Option<&str>> = match request.files.as_slice() {
            [] => vec![None],
            files => files.iter().map(|file| Some(file.as_str())).collect(),
        };
        let mut answer = UnitValidateAnswer {
            valid: true,
            level: Some(3),
            unit_count: 0,
            relationship_count: 0,
            errors: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            files: Vec::new(),
            format: request.format,
        };
        for file in named {
            let opened = open(ctx, file)?;
            answer.take(ctx, opened, &strict, &request);
        }
        Ok(if answer.valid {
            Value::yes(answer)
        } else {
            Value::no(answer)
        })
    }
}

fn strict(codes: Option<&[String]>) -> Result<Strict, OpError> {
    match codes {
        None => Ok(Strict::No),
        Some([]) => Ok(Strict::Must),
        Some(names) => {
            let codes = names.iter().map(|name| {
                Code::from_name(name).ok_or_else(|| {
                    OpError::new(ErrorKind::Invalid, format!("`{name}` is not a finding code"))
                        .hint("every finding has its code in brackets; docs/kcp.md lists all codes")
                })
            });
            codes.collect::<Result<_, _>>().map(Strict::Codes)
        }
    }
}

impl UnitValidateAnswer {
    /// Takes one manifest in.
    fn take(&mut self, ctx: &Ctx, opened: Opened, strict: &Strict, request: &UnitValidateRequest) {
        let Opened {
            path,
            directory,
            parsed,
            ..
        } = opened;
        // Programs that show findings in a repository know its paths from the root.
        let path = match request.format {
            ValidateFormat::Sarif | ValidateFormat::Github => from_root(&ctx.ports.code.here(), &path).unwrap_or(path),
            _ => path,
        };
        let exists = directory
            .as_ref()
            .filter(|_| !request.no_files)
            .map(|directory| |path: &str| ctx.ports.files.kind(&join(directory, path)));
        let versions = match (&parsed.manifest, request.pins) {
            (Some(manifest), true) => versions(ctx, manifest, directory.as_deref()),
            _ => BTreeMap::new(),
        };
        let pins = |id: &str| versions.get(id).cloned();
        let mut findings = parsed.findings;
        for finding in &mut findings {
            finding.severity = strict.severity(finding.code, finding.severity);
        }
        if let Some(manifest) = &parsed.manifest {
            let options = ValidateOptions {
                strict: strict.clone(),
                lenient: request.lenient,
                exists: exists.as_ref().map(|exists| exists as &Exists<'_>),
                pins: request.pins.then_some(&pins),
            };
            findings.extend(validate(manifest, &options));
            findings.sort_by_key(|finding| (finding.place, finding.code));
        }
        let is_valid = !findings.iter().any(|finding| finding.severity == Severity::Error);
        let verdict = FileVerdict {
            valid: is_valid,
            level: parsed.manifest.as_ref().map(level),
            unit_count: parsed.manifest.as_ref().map_or(0, |manifest| manifest.units.len()),
            relationship_count: parsed
                .manifest
                .as_ref()
                .map_or(0, |manifest| manifest.relationships.len()),
            path,
        };
        self.valid &= verdict.valid;
        self.level = self.level.zip(verdict.level).map(|(all, this)| all.min(this));
        self.unit_count += verdict.unit_count;
        self.relationship_count += verdict.relationship_count;
        for finding in findings {
            let list = match finding.severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Note => &mut self.notes,
            };
            list.push(told(finding, &verdict.path));
        }
        self.files.push(verdict);
    }

    /// All findings of a file with how bad each is, by place.
    pub(super) fn findings<'a>(&'a self, path: &'a str) -> Vec<(Severity, &'a ReportedFinding)> {
        let lists = [
            (Severity::Error, &self.errors),
            (Severity::Warning, &self.warnings),
            (Severity::Note, &self.notes),
        ];
        let mut all: Vec<(Severity, &ReportedFinding)> = lists
            .into_iter()
            .flat_map(|(severity, list)| list.iter().map(move |finding| (severity, finding)))
            .filter(|(_, finding)| finding.path == path)
            .collect();
        all.sort_by_key(|(_, finding)| (finding.line, finding.column));
        all
    }

    fn text(&self, page: &mut Page) {
        for file in &self.files {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for (severity, finding) in self.findings(&file.path) {
                let count = counts.entry(finding.code).or_default();
                *count += 1;
                if *count <= SHOWN_PER_CODE {
                    show(page, severity, finding);
                }
            }
            for (code, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN_PER_CODE) {
                page.line(format_args!("… and {} more of {code}", count - SHOWN_PER_CODE));
            }
            let of_file = |list: &[ReportedFinding]| list.iter().filter(|finding| finding.path == file.path).count();
            let (errors, warnings) = (of_file(&self.errors), of_file(&self.warnings));
            page.text(&file.path);
            match (file.valid, file.level) {
                (_, None) => page.write(format_args!(" is not a manifest")),
                (false, Some(_)) => page.write(format_args!(" is not valid: {}", counted(errors, "error"))),
                (true, Some(level)) => page.write(format_args!(" is valid: level {level}")),
            }
            if file.level.is_some() {
                page.write(format_args!(
                    ", {}, {}, {}",
                    counted(file.unit_count, "unit"),
                    counted(file.relationship_count, "relationship"),
                    counted(warnings, "warning")
                ));
            }
            page.line(format_args!(""));
        }
    }
}

/// The versions of the mirrors of other manifests, by id.
fn versions(ctx: &Ctx, manifest: &Manifest, directory: Option<&str>) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    for entry in &manifest.manifests {
        let (Some(id), Some(mirror), Some(directory)) = (manifest.field(&entry.id), &entry.local_mirror, directory)
        else {
            continue;
        };
        let limits = Limits::default();
        let path = join(directory, manifest.text(mirror.value.text));
        let Ok(bytes) = ctx.ports.files.read(&path, u64::from(limits.bytes)) else {
            continue;
        };
        if let Some(other) = parse(&bytes, &limits).manifest {
            let version = other.field(&other.root.version).unwrap_or("none").to_owned();
            versions.insert(id.to_owned(), version);
        }
    }
    versions
}

fn told(finding: Finding, path: &str) -> ReportedFinding {
    let info = finding.code.info();
    ReportedFinding {
        code: info.name,
        message: finding.message,
        path: path.to_owned(),
        line: finding.place.line,
        column: finding.place.column,
        unit: finding.unit,
        hint: finding.hint.map(Into::into),
        field: finding.field,
        clause: info.clause,
    }
}

fn show(page: &mut Page, severity: Severity, finding: &ReportedFinding) {
    page.text(&finding.path);
    page.write(format_args!(
        ":{}:{}: {}: ",
        finding.line,
        finding.column,
        severity.name()
    ));
    page.text(&finding.message);
    page.dim(&format!("  [{}]", finding.code));
    page.line(format_args!(""));
    if let Some(hint) = &finding.hint {
        page.write(format_args!("  hint: "));
        page.text(hint);
        page.line(format_args!(""));
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        count => format!("{count} {what}s"),
    }
}

impl Render for UnitValidateAnswer {
    fn render(&self, page: &mut Page) {
        // JSON writes control characters as escapes, so that nothing in it can steer a terminal.
        match self.format {
            ValidateFormat::Text => self.text(page),
            ValidateFormat::Json => {
                let whole = serde_json::to_string_pretty(self).unwrap_or_default();
                page.json(&format!("{whole}\n"));
            }
            ValidateFormat::Sarif => page.json(&format!("{:#}\n", sarif::sarif(self))),
            ValidateFormat::Github => {
                page.keep_whole();
                github::annotations(self, page);
            }
        }
    }
}
