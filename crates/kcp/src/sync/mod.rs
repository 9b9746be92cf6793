//! `lore unit sync`: a manifest that is in step with the files again (clause G2). Only what changed is touched; comments and unknown fields stay.
//!
//! `changes` says what differs and edits the document, this file writes it.

mod changes;
#[cfg(test)]
mod tests;

pub use self::changes::{ChangedField, MissingFile, SyncedUnit, VersionChange};
use std::collections::HashSet;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::changes::Changes;
use crate::date::Day;
use crate::init::{Draft, ExistingUnits, LanguageTag, WantedLanguage, find};
use crate::model::Manifest;
use crate::open::{join, open_valid};
use crate::path::normal;
use crate::rewrite::{changed, is_file, refused, rewrite};
use lore_base::yaml::Limits;
use lore_base::yaml::edit::Edits;
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, PathKind, Render, Value, Verdict};

/// Update a manifest from the files: sizes, estimates, counts, new and removed documents
///
/// Changes only the values that differ; comments, unknown fields and formatting stay. Adds new documents in directories that the manifest names already; --add-all adds the others too. Reports missing documents; --prune removes their
/// units. Measured estimates stay. If anything changed, `updated` and the version are raised: the minor number if units were added or removed, else the patch.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore unit sync --check         1 if the manifest does not match the files, for CI
  lore unit sync                 updates it
  lore unit sync --prune         also removes units whose documents are missing
  lore unit sync --add-hints     also adds token estimates to every unit

Exit status: 0: the manifest matches the files; 1: with --check, it does not; 2: the manifest could not be written.")]
#[serde(default)]
pub struct UnitSyncRequest {
    /// The manifest, or its directory [default: the manifest of this repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Remove units whose documents are missing, with their relationships
    #[arg(long)]
    pub prune: bool,
    /// Do not change `updated` and the version
    #[arg(long)]
    pub no_bump: bool,
    /// Add token estimates to every unit, and their sum to the manifest
    #[arg(long)]
    pub add_hints: bool,
    /// Add new documents of every directory
    #[arg(long, conflicts_with = "no_add")]
    pub add_all: bool,
    /// Add no new documents
    #[arg(long)]
    pub no_add: bool,
    /// Write nothing, and exit with 1 if something would change
    #[arg(long)]
    pub check: bool,
    /// Use a manifest that is not valid, as far as it can be parsed
    #[arg(long)]
    pub lenient: bool,
}

/// What changed
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitSyncAnswer {
    /// The manifest
    pub path: String,
    /// Whether it was written
    pub written: bool,
    /// Units that were added
    pub added: Vec<SyncedUnit>,
    /// Units that were removed
    pub removed: Vec<SyncedUnit>,
    /// Values that changed
    pub updated: Vec<ChangedField>,
    /// Units whose documents are missing and that stay
    pub missing: Vec<MissingFile>,
    /// The version, if it was raised
    pub version: Option<VersionChange>,
    /// New documents in directories that the manifest does not name
    pub elsewhere: usize,
    /// Warnings, and what is left to do by hand
    pub notes: Vec<String>,
}

/// `lore unit sync`.
pub struct UnitSync;

impl Operation for UnitSync {
    const NAME: &'static str = "unit_sync";
    const COMMAND: &'static [&'static str] = &["unit", "sync"];
    const ACCESS: Access = Access::Write;
    type Request = UnitSyncRequest;
    type Answer = Value<UnitSyncAnswer>;

    fn run(ctx: &Ctx, request: UnitSyncRequest) -> Result<Value<UnitSyncAnswer>, OpError> {
        let (path, manifest) = open_valid(ctx, request.file.as_deref(), request.lenient)?;
        is_file(&path)?;
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
        let today = Day::of_ms(ctx.ports.clock.now_ms()).to_string();
        let mut answer = UnitSyncAnswer {
            path: path.clone(),
            ..UnitSyncAnswer::default()
        };
        let drafts = if request.no_add {
            Vec::new()
        } else {
            new_documents(ctx, &directory, &manifest, request.add_all, &mut answer)?
        };
        let edits = Edits::new(&manifest.document, &Limits::default());
        let mut changes = Changes::new(&manifest, edits, &mut answer, &request);
        let bytes = |path: &str| {
            let stat = ctx.ports.files.stat(&join(&directory, path))?;
            (stat.kind == PathKind::File).then_some(stat.bytes)
        };
        // Directories, URLs and patterns are not documents, so they are not missing documents.
        let is_other = |path: &str| {
            path.contains("://")
                || path.contains(['#', '*', '?'])
                || ctx.ports.files.kind(&join(&directory, path)).is_some()
        };
        changes
            .units(&bytes, &is_other)
            .map_err(|fault| refused(&path, &fault))?;
        if changes.is_all_gone() && drafts.is_empty() {
            let message = format!("every document of {path} is missing, and a manifest needs at least one unit");
            return Err(OpError::new(ErrorKind::Invalid, message).hint("nothing is written; check the directory"));
        }
        let outcome = changes
            .prune()
            .and_then(|()| changes.append(&drafts, &today))
            .and_then(|()| changes.root_hints())
            .and_then(|()| changes.bump(&today));
        outcome.map_err(|fault| refused(&path, &fault))?;
        let edits = changes.edits;
        let is_in_step = edits.is_empty() && answer.missing.is_empty();
        if request.check {
            let verdict = if is_in_step { Verdict::Yes } else { Verdict::No };
            return Ok(Value { value: answer, verdict });
        }
        if !edits.is_empty() {
            if !rewrite(ctx, &path, &manifest, edits)? {
                return Err(changed(&path));
            }
            answer.written = true;
        }
        Ok(Value::yes(answer))
    }
}

/// Documents that the manifest does not name: those of the directories that it names something of, or all.
fn new_documents(
    ctx: &Ctx,
    directory: &str,
    manifest: &Manifest,
    all: bool,
    answer: &mut UnitSyncAnswer,
) -> Result<Vec<Draft>, OpError> {
    let paths: HashSet<String> = manifest
        .units
        .iter()
        .filter_map(|unit| manifest.path(unit))
        .map(normal)
        .collect();
    let parent = |path: &str| {
        path.rsplit_once('/')
            .map_or(String::new(), |(directory, _)| directory.to_owned())
    };
    let covered: HashSet<String> = paths.iter().map(|path| parent(path)).collect();
    let ids = manifest.units.iter().filter_map(|unit| manifest.id(unit));
    let taken = ExistingUnits {
        ids: ids.map(str::to_owned).collect(),
        paths,
    };
    let project = manifest.field(&manifest.root.project).unwrap_or("the project");
    let language = manifest.field(&manifest.root.language).and_then(LanguageTag::parse);
    let language = language.map_or(WantedLanguage::Usual, WantedLanguage::One);
    let found = find(ctx, directory, project, &taken, &language)?;
    let (near, far): (Vec<Draft>, Vec<Draft>) = found
        .drafts
        .into_iter()
        .partition(|draft| all || covered.contains(&parent(&draft.path)));
    answer.elsewhere = far.len();
    Ok(near)
}

impl Render for UnitSyncAnswer {
    fn render(&self, page: &mut Page) {
        for (sign, units) in [("+", &self.added), ("-", &self.removed)] {
            for unit in units {
                page.write(format_args!("{sign} "));
                page.strong(&unit.id);
                page.text(&format!("  {}", unit.path));
                if let Some(intent) = &unit.intent {
                    page.dim(&format!("  {intent}"));
                }
                page.line(format_args!(""));
            }
        }
        for change in &self.updated {
            let id = change.id.as_deref().unwrap_or("the manifest");
            page.write(format_args!("~ "));
            page.strong(id);
            let from = change.from.as_deref().unwrap_or("nothing");
            page.text(&format!("  {}: {from} → {}", change.field, change.to));
            page.line(format_args!(""));
        }
        if let Some(version) = &self.version {
            page.text(&format!("~ version {} → {}", version.from, version.to));
            page.line(format_args!(""));
        }
        for file in &self.missing {
            page.text(&format!(
                "{}:{}: there is no file `{}` for `{}`; --prune removes the unit",
                self.path, file.line, file.path, file.id
            ));
            page.line(format_args!(""));
        }
        for note in &self.notes {
            page.text(note);
            page.line(format_args!(""));
        }
        match self.elsewhere {
            0 => {}
            1 => page.line(format_args!(
                "one document in another directory is not in the manifest; --add-all adds it"
            )),
            count => page.line(format_args!(
                "{count} documents in other directories are not in the manifest; --add-all adds them"
            )),
        }
        let is_changed = !self.added.is_empty() || !self.removed.is_empty() || !self.updated.is_empty();
        match (self.written, is_changed) {
            (true, _) => page.text(&format!("wrote {}", self.path)),
            (false, true) => page.text("nothing is written"),
            (false, false) if !self.missing.is_empty() => page.text("documents are missing"),
            (false, false) => page.text(&format!("{} matches its files", self.path)),
        }
        page.line(format_args!(""));
    }
}
