//! `Sheet`: an object as programs read it, and the same as people do.

use std::fmt::Write;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::graph::context::InlineEntry;
use crate::model::{Atom, Molecule};
use crate::store::Got;
use lore_seam::{ErrorKind, OpError, Page, Render};

/// An object and how it is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    value: Json,
    text: String,
}

impl Sheet {
    /// An object with the text that shows it.
    pub fn new(value: impl Serialize, text: String) -> Got<Self> {
        let value = serde_json::to_value(value).map_err(|error| {
            OpError::new(ErrorKind::Internal, format!("it cannot be written as JSON: {error}")).because(error)
        })?;
        Ok(Self { value, text })
    }
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl JsonSchema for Sheet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sheet".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl Render for Sheet {
    fn render(&self, page: &mut Page) {
        page.block(&self.text);
    }
}

/// One line of a text.
pub(super) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

/// Knowledge, set apart.
pub(super) fn knowledge(out: &mut String, text: &str, indent: &str) {
    for part in text.lines() {
        line(out, format_args!("{indent}{part}"));
    }
}

/// The last changes.
pub(super) fn changelog(out: &mut String, entries: Option<&[InlineEntry]>, indent: &str) {
    for entry in entries.unwrap_or_default() {
        let day: String = entry.created_at.chars().take(10).collect();
        line(
            out,
            format_args!("{indent}{day} {} (task {})", entry.summary, entry.task_id.short()),
        );
    }
}

/// An atom on one line.
pub(super) fn atom_line(out: &mut String, atom: &Atom) {
    line(
        out,
        format_args!("{}  {}  {}", atom.id.short(), atom.name, atom.paths.join(" ")),
    );
}

/// An atom in full.
pub(super) fn atom(out: &mut String, atom: &Atom) {
    line(
        out,
        format_args!("{}  {} (version {})", atom.name, atom.id, atom.version),
    );
    for pattern in &atom.paths {
        line(out, format_args!("  {pattern}"));
    }
    if let Some(confirmed) = &atom.confirmed {
        let commit: String = confirmed.commit.chars().take(10).collect();
        line(out, format_args!("  confirmed at {commit}, {}", confirmed.at));
    }
    for related in &atom.related_atoms {
        line(out, format_args!("  -> {} {}", related.atom_id.short(), related.reason));
    }
    if !atom.knowledge.is_empty() {
        line(out, format_args!(""));
        knowledge(out, &atom.knowledge, "");
    }
}

/// A molecule in full, without its atoms.
pub(super) fn molecule(out: &mut String, molecule: &Molecule) {
    line(
        out,
        format_args!("{}  {} (version {})", molecule.name, molecule.id, molecule.version),
    );
    for related in &molecule.related_molecules {
        line(
            out,
            format_args!("  -> {} {}", related.molecule_id.short(), related.reason),
        );
    }
    if !molecule.knowledge.is_empty() {
        line(out, format_args!(""));
        knowledge(out, &molecule.knowledge, "");
    }
}
