//! A document that is a long list, written item by item without holding it in memory (clause A1: stable, and small to compare).

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

/// A list that is being written, one item on each line, so that a changed entry is a changed line.
pub(super) struct List<'w> {
    out: &'w mut dyn Write,
    line: Vec<u8>,
    has_items: bool,
}

impl<'w> List<'w> {
    /// Begins the document with some fields, and the list with a name.
    pub(super) fn begin(out: &'w mut dyn Write, fields: &[(&str, Value)], name: &str) -> io::Result<Self> {
        writeln!(out, "{{")?;
        for (key, value) in fields {
            writeln!(out, "  \"{key}\": {value},")?;
        }
        write!(out, "  \"{name}\": [")?;
        Ok(Self {
            out,
            line: Vec::new(),
            has_items: false,
        })
    }

    /// Writes an item.
    pub(super) fn item(&mut self, item: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        let before: &[u8] = if self.has_items { b",\n    " } else { b"\n    " };
        self.line.extend_from_slice(before);
        serde_json::to_writer(&mut self.line, item)?;
        self.has_items = true;
        self.out.write_all(&self.line)
    }

    /// Ends the list and the document.
    pub(super) fn end(self) -> io::Result<()> {
        let before = if self.has_items { "\n  " } else { "" };
        writeln!(self.out, "{before}]\n}}")
    }
}
