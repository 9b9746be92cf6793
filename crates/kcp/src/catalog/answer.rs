//! The answer about a catalog.

use schemars::JsonSchema;
use serde::Serialize;

use super::parse::{CatalogEntry, Problem};
use crate::finding::Severity;
use lore_seam::{Page, Render};

/// A catalog and the state of its entries
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CatalogAnswer {
    /// The catalog
    pub path: String,
    /// Its name
    pub name: Option<String>,
    /// Whether it has no errors
    pub valid: bool,
    /// Its entries, in the order in which they are installed
    pub entries: Vec<CatalogRow>,
    /// Errors
    pub errors: Vec<ReportedProblem>,
    /// Warnings
    pub warnings: Vec<ReportedProblem>,
    /// Files that were written
    pub written: Vec<String>,
}

/// An entry of a catalog
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CatalogRow {
    /// Its name
    pub name: String,
    /// Where its manifest comes from
    pub source: String,
    /// The version that the catalog has
    pub version: Option<String>,
    /// The version that is installed
    pub installed_version: Option<String>,
    /// declared, valid, not-fetched, not-installed, installed, updated, unchanged, modified, missing or failed
    pub state: &'static str,
    /// The sha-256 of the installed manifest, as it was locked
    pub digest: Option<String>,
    /// Why it is older than its source
    pub stale: Vec<String>,
    /// Entries that have to be installed before
    pub depends_on: Vec<String>,
    /// The installed manifest
    pub path: Option<String>,
    /// The line of the entry
    pub line: u32,
}

/// A finding about a catalog, and its position
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ReportedProblem {
    /// The problem
    pub message: String,
    /// The entry
    pub entry: Option<String>,
    /// The line
    pub line: u32,
    /// The column
    pub column: u32,
}

impl CatalogAnswer {
    pub(super) fn new(path: String) -> Self {
        Self {
            path,
            name: None,
            valid: true,
            entries: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            written: Vec::new(),
        }
    }

    /// Takes problems in.
    pub(super) fn tell(&mut self, problems: Vec<Problem>) {
        for problem in problems {
            let told = ReportedProblem {
                message: problem.message,
                entry: problem.entry.filter(|entry| !entry.is_empty()),
                line: problem.place.line,
                column: problem.place.column,
            };
            match problem.severity {
                Severity::Error => self.errors.push(told),
                Severity::Warning | Severity::Note => self.warnings.push(told),
            }
        }
        self.valid = self.errors.is_empty();
    }
}

impl CatalogRow {
    pub(super) fn of(entry: &CatalogEntry, state: &'static str) -> Self {
        Self {
            name: entry.name.clone(),
            source: entry.written.clone(),
            version: entry.version.clone(),
            installed_version: None,
            state,
            digest: None,
            stale: Vec::new(),
            depends_on: entry.depends_on.clone(),
            path: None,
            line: entry.place.line,
        }
    }
}

impl Render for CatalogAnswer {
    fn render(&self, page: &mut Page) {
        for row in &self.entries {
            page.strong(&row.name);
            page.write(format_args!("  {}", row.state));
            match (&row.installed_version, &row.version) {
                (Some(version), _) | (None, Some(version)) => {
                    page.write(format_args!(", version "));
                    page.text(version);
                }
                (None, None) => {}
            }
            if let Some(path) = &row.path {
                page.write(format_args!(", "));
                page.text(path);
            }
            page.dim(&format!("  {}:{}", self.path, row.line));
            page.line(format_args!(""));
            page.write(format_args!("  "));
            page.text(&row.source);
            page.line(format_args!(""));
            for reason in &row.stale {
                page.write(format_args!("  stale: "));
                page.text(reason);
                page.line(format_args!(""));
            }
        }
        for (word, list) in [("error", &self.errors), ("warning", &self.warnings)] {
            for problem in list {
                page.text(&self.path);
                page.write(format_args!(":{}:{}: {word}: ", problem.line, problem.column));
                page.text(&problem.message);
                page.line(format_args!(""));
            }
        }
        for path in &self.written {
            page.write(format_args!("wrote "));
            page.text(path);
            page.line(format_args!(""));
        }
        page.text(&self.path);
        let entries = match self.entries.len() {
            1 => "one entry".to_owned(),
            count => format!("{count} entries"),
        };
        match self.errors.len() {
            0 => page.line(format_args!(": {entries}")),
            1 => page.line(format_args!(": {entries}, one error")),
            count => page.line(format_args!(": {entries}, {count} errors")),
        }
    }
}
