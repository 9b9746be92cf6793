//! `lore unit init`: a first manifest from the documents that a repository has (clauses G1, A35).
//!
//! `scan` says which files are documents, `language` which of them are translations, `outline` what each says of itself, `intent` which question it answers, `words` by which words it is found, `draft` makes units of them, this file writes the
//! manifest.

mod draft;
mod intent;
mod language;
mod outline;
mod package;
mod scan;
#[cfg(test)]
mod tests;
mod words;

pub(super) use self::draft::{Draft, ExistingUnits, estimate, find};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::draft::{DocumentDrafts, project, root};
pub(super) use self::language::{LanguageTag, WantedLanguage};
use crate::date::Day;
use crate::finding::Severity;
use crate::generate::well_known;
use crate::model::Manifest;
use crate::open::{MANIFEST, join};
use crate::parse::parse;
use crate::path::normal;
use crate::rewrite::write_files;
use crate::validate::{ValidateOptions, validate};
use crate::version::KcpVersion;
use lore_base::yaml::Limits;
use lore_base::yaml::write::{Yaml, entry_lines, item_lines};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value};

/// The path of the discovery document.
pub(crate) const WELL_KNOWN: &str = ".well-known/kcp.json";
/// The version that every reader takes.
const KCP_VERSION: &str = "0.12";
/// Units that people are shown.
const SHOWN: usize = 30;

/// Write a first manifest (knowledge.yaml) from the documents of a repository
///
/// Documents are README, AGENTS and CLAUDE files, Copilot instructions, llms.txt, security policies, licences and similar files, files in docs, guides, adr, runbooks and similar directories, OpenAPI descriptions and .claude. Files that git ignores,
/// vendored and generated files and translations are left out. The question that each document answers comes from its title and first sentence, its triggers from its whole text. Lore does not replace an existing manifest, and never edits llms.txt.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug)]
#[command(after_help = "Examples:
  lore unit init --dry-run       what would be written
  lore unit init                 writes knowledge.yaml and .well-known/kcp.json
  lore unit init --level 2       without triggers
  lore unit init --lang de       documents in German instead of their originals
  lore unit init services/pay    a manifest of its own for a part of the repository

Exit status: 0: written, or nothing to do; 1: there is a manifest already, or no document; 2: the manifest could not be written.")]
#[serde(default)]
pub struct UnitInitRequest {
    /// The directory that gets a manifest [default: the root of the repository]
    #[arg(value_name = "DIR")]
    pub directory: Option<String>,
    /// The level of conformance: 1: the required fields; 2: also the date and size of each document; 3: also triggers and hints
    #[arg(long, value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub level: u8,
    /// The language of the documents, such as de or pt-br; `all` keeps every translation [default: English, else the language of the README]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<String>,
    /// Replace an existing manifest, including everything that people wrote into it
    #[arg(long)]
    pub force: bool,
    /// Write nothing, and show what would be written
    #[arg(long)]
    pub dry_run: bool,
    /// The version of the protocol that the manifest names
    #[arg(long, value_name = "VERSION", default_value = KCP_VERSION)]
    pub kcp_version: String,
}

impl Default for UnitInitRequest {
    fn default() -> Self {
        Self {
            directory: None,
            level: 3,
            lang: None,
            force: false,
            dry_run: false,
            kcp_version: KCP_VERSION.to_owned(),
        }
    }
}

/// What was written
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct UnitInitAnswer {
    /// The manifest
    pub path: String,
    /// The files that were written
    pub written: Vec<String>,
    /// The level of conformance
    pub level: u8,
    /// The name of the project
    pub project: String,
    /// The units
    pub units: Vec<DraftedUnit>,
    /// Files that look like documents and have no unit
    pub skipped: Vec<SkippedFile>,
    /// The language of the documents, if there are documents in several languages
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Documents that were left out because they are in other languages
    pub translations: Vec<LeftOutLanguage>,
    /// The line that leads readers of llms.txt to the manifest; it is never written there
    pub llms_line: String,
    /// Why nothing was written
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The text of the manifest, in a dry run
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<String>,
}

/// A unit for a document
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DraftedUnit {
    /// Its id
    pub id: String,
    /// Its document
    pub path: String,
    /// The question that it answers
    pub intent: String,
}

/// A file without a unit
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct SkippedFile {
    /// The file
    pub path: String,
    /// Why
    pub why: String,
}

/// Documents in another language
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct LeftOutLanguage {
    /// The language
    pub language: String,
    /// The number of documents
    pub documents: usize,
    /// The first of them
    pub example: String,
}

impl LeftOutLanguage {
    fn of((tag, paths): (LanguageTag, Vec<&str>)) -> Self {
        Self {
            language: tag.to_string(),
            documents: paths.len(),
            example: paths.first().copied().unwrap_or_default().to_owned(),
        }
    }
}

/// `lore unit init`.
pub struct UnitInit;

impl Operation for UnitInit {
    const NAME: &'static str = "unit_init";
    const COMMAND: &'static [&'static str] = &["unit", "init"];
    const ACCESS: Access = Access::Write;
    type Request = UnitInitRequest;
    type Answer = Value<UnitInitAnswer>;

    fn run(ctx: &Ctx, request: UnitInitRequest) -> Result<Value<UnitInitAnswer>, OpError> {
        init(ctx, &request)
    }
}

fn init(ctx: &Ctx, request: &UnitInitRequest) -> Result<Value<UnitInitAnswer>, OpError> {
    let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
    if KcpVersion::known(&request.kcp_version).is_none() {
        return Err(
            invalid(format!("`{}` is not a version of the protocol", request.kcp_version))
                .hint("write a version from 0.1 to 0.14"),
        );
    }
    if !(1..=3).contains(&request.level) {
        return Err(invalid("the level is 1, 2 or 3".to_owned()));
    }
    let directory = match &request.directory {
        Some(directory) => directory.trim_end_matches('/').trim_start_matches("./").to_owned(),
        None => root(ctx),
    };
    let directory = if directory == "." { String::new() } else { directory };
    if !directory.is_empty() && ctx.ports.files.kind(&directory) != Some(PathKind::Directory) {
        return Err(OpError::new(
            ErrorKind::Unavailable,
            format!("there is no directory `{directory}`"),
        ));
    }
    let path = join(&directory, MANIFEST);
    let name = project(ctx, &directory);
    let wanted = wanted_language(request.lang.as_deref())?;
    let found = find(ctx, &directory, &name, &ExistingUnits::default(), &wanted)?;
    let mut answer = UnitInitAnswer {
        path: path.clone(),
        written: Vec::new(),
        level: request.level,
        project: name,
        units: Vec::new(),
        skipped: found.skipped.clone(),
        language: found.language.as_ref().map(ToString::to_string),
        translations: found.translations.clone(),
        llms_line: format!("> knowledge: /{}", normal(&join(&ctx.ports.code.here(), &path))),
        reason: None,
        manifest: None,
    };
    let drafted = found.drafts.iter().map(|draft| DraftedUnit {
        id: draft.id.clone(),
        path: draft.path.clone(),
        intent: draft.intent.clone(),
    });
    answer.units = drafted.collect();
    if let (WantedLanguage::One(tag), false) = (&wanted, found.has_language) {
        let others: Vec<String> = found.translations.iter().map(counted).collect();
        answer.reason = Some(match others.as_slice() {
            [] => format!("no document is known to be in the language `{tag}`; without --lang, all documents are used"),
            others => format!(
                "no document is in the language `{tag}`; there are: {}",
                others.join(", ")
            ),
        });
        answer.units.clear();
        return Ok(Value::no(answer));
    }
    if answer.units.is_empty() {
        answer.reason = Some("there is no document for a manifest".to_owned());
        return Ok(Value::no(answer));
    }
    let old = match ctx.ports.files.kind(&path) {
        Some(_) => Some(ctx.ports.files.read(&path, 4 * u64::from(Limits::default().bytes))?),
        None => None,
    };
    let today = Day::of_ms(ctx.ports.clock.now_ms()).to_string();
    let dates = old.as_deref().map(Dates::of).unwrap_or_default();
    let kept = manifest(&found, &answer.project, request, &dates, &today);
    let is_same = old.as_deref() == Some(kept.as_bytes());
    let text = if is_same {
        kept
    } else {
        manifest(&found, &answer.project, request, &Dates::default(), &today)
    };
    let parsed = proved(ctx, &directory, &text)?;
    let discovery = join(&directory, WELL_KNOWN);
    let mut files: Vec<(String, String)> = Vec::new();
    if !is_same {
        files.push((path.clone(), text.clone()));
    }
    if ctx.ports.files.kind(&discovery).is_none() {
        files.push((discovery, well_known(&parsed, &format!("/{MANIFEST}"))));
    }
    if request.dry_run {
        answer.reason = Some("nothing is written in a dry run".to_owned());
        answer.manifest = Some(text);
        return Ok(Value::yes(answer));
    }
    if old.is_some() && !request.force {
        answer.reason = Some(format!(
            "{path} exists already; `lore unit sync` updates it, --force replaces it"
        ));
        return Ok(Value::no(answer));
    }
    if files.is_empty() {
        answer.reason = Some(format!("{path} is up to date already"));
        return Ok(Value::yes(answer));
    }
    answer.written = files.iter().map(|(path, _)| path.clone()).collect();
    write_files(ctx, &directory, &files)?;
    Ok(Value::yes(answer))
}

fn wanted_language(given: Option<&str>) -> Result<WantedLanguage, OpError> {
    match given {
        None => Ok(WantedLanguage::Usual),
        Some("all") => Ok(WantedLanguage::All),
        Some(text) => LanguageTag::parse(text).map(WantedLanguage::One).ok_or_else(|| {
            OpError::new(
                ErrorKind::Invalid,
                format!("`{}` is not a known language", text.escape_debug()),
            )
            .hint("write a code such as en, de, pt-br or zh-hant, or `all`")
        }),
    }
}

fn counted(left: &LeftOutLanguage) -> String {
    format!("{} {}", left.language, left.documents)
}

/// The days that a manifest names, so that writing it again on another day changes nothing.
#[derive(Default)]
struct Dates {
    updated: Option<String>,
    validated: Vec<(String, String)>,
}

impl Dates {
    fn of(bytes: &[u8]) -> Self {
        let Some(manifest) = parse(bytes, &Limits::default()).manifest else {
            return Self::default();
        };
        let text = |date: &crate::model::Field<crate::model::Date>| {
            date.as_ref().map(|date| manifest.text(date.value.text).to_owned())
        };
        let validated = manifest.units.iter().filter_map(|unit| {
            let path = manifest.path(unit)?.to_owned();
            Some((path, text(&unit.validated)?))
        });
        Self {
            updated: text(&manifest.root.updated),
            validated: validated.collect(),
        }
    }
}

fn manifest(found: &DocumentDrafts, project: &str, request: &UnitInitRequest, dates: &Dates, today: &str) -> String {
    let text = |key: &str, value: &str| (key.to_owned(), Yaml::text(value));
    let mut fields = vec![
        text("kcp_version", &request.kcp_version),
        text("project", project),
        text("version", "1.0.0"),
        text("updated", dates.updated.as_deref().unwrap_or(today)),
    ];
    // Later runs of `lore unit sync` leave out the same translations.
    if let Some(language) = found.language.as_ref().filter(|_| request.level >= 2) {
        fields.push(text("language", &language.to_string()));
    }
    if request.level >= 3 {
        let number = |key: &str, number: u64| (key.to_owned(), Yaml::Number(number));
        let total = found.drafts.iter().map(|draft| self::estimate(draft.bytes)).sum();
        let mut hints = vec![
            number("total_token_estimate", total),
            number("unit_count", found.drafts.len() as u64),
        ];
        hints.extend(
            found
                .drafts
                .first()
                .map(|first| text("recommended_entry_point", &first.id)),
        );
        fields.push(("hints".to_owned(), Yaml::Mapping(hints)));
    }
    let mut lines = vec![
        "# The documents of this project and the question that each answers, for people and agents.".to_owned(),
        "# `lore unit sync` keeps it in step with the files, `lore unit validate` checks it.".to_owned(),
    ];
    lines.extend(entry_lines(&fields, 0));
    lines.push("units:".to_owned());
    for (number, draft) in found.drafts.iter().enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        let checked = dates.validated.iter().find(|(path, _)| *path == draft.path);
        let checked = checked.map_or(today, |(_, day)| day.as_str());
        lines.extend(item_lines(&draft.unit(request.level, checked), 2, 4));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The manifest as it will be read, or a fault of ours: one that is not valid, or warned about, is not written.
fn proved(ctx: &Ctx, directory: &str, text: &str) -> Result<Manifest, OpError> {
    let internal = |message: &str| {
        OpError::new(
            ErrorKind::Internal,
            format!("the manifest would not be valid: {message}"),
        )
    };
    let parsed = parse(text.as_bytes(), &Limits::default());
    let exists = |path: &str| ctx.ports.files.kind(&join(directory, path));
    let options = ValidateOptions {
        exists: Some(&exists),
        ..ValidateOptions::default()
    };
    let found = parsed.manifest.as_ref().map(|manifest| validate(manifest, &options));
    let mut all = parsed.findings.iter().chain(found.iter().flatten());
    if let Some(finding) = all.find(|finding| finding.severity != Severity::Note) {
        return Err(internal(&finding.message));
    }
    parsed.manifest.ok_or_else(|| internal("it cannot be parsed"))
}

impl Render for UnitInitAnswer {
    fn render(&self, page: &mut Page) {
        if let Some(manifest) = &self.manifest {
            page.block(manifest);
            return;
        }
        for path in &self.written {
            page.write(format_args!("wrote "));
            page.strong(path);
            page.line(format_args!(""));
        }
        if let Some(reason) = &self.reason {
            page.text(reason);
            page.line(format_args!(""));
        }
        if self.written.is_empty() {
            return;
        }
        for unit in self.units.iter().take(SHOWN) {
            page.write(format_args!("  "));
            page.text(&unit.path);
            page.write(format_args!("  "));
            page.dim(&unit.intent);
            page.line(format_args!(""));
        }
        if self.units.len() > SHOWN {
            page.line(format_args!("  … and {} more", self.units.len() - SHOWN));
        }
        match self.units.len() {
            1 => page.line(format_args!("one unit, level {}", self.level)),
            count => page.line(format_args!("{count} units, level {}", self.level)),
        }
        for skipped in self.skipped.iter().take(SHOWN) {
            page.write(format_args!("left out "));
            page.text(&skipped.path);
            page.write(format_args!(": "));
            page.text(&skipped.why);
            page.line(format_args!(""));
        }
        if !self.translations.is_empty() {
            let all: usize = self.translations.iter().map(|left| left.documents).sum();
            let each: Vec<String> = self.translations.iter().map(counted).collect();
            page.line(format_args!(
                "left out {}, because the units are in `{}`: {}; --lang chooses another language, --lang all keeps all",
                lore_base::counted::counted(all, "translation"),
                self.language.as_deref().unwrap_or_default(),
                each.join(", ")
            ));
        }
        page.line(format_args!(
            "add this line to llms.txt, above its first section: {}",
            self.llms_line
        ));
    }
}
