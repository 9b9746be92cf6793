//! `registry.json`: all published fields of all entries (clauses A1, A2; rulings 1, 5, 6).

use std::io::{self, Write};

use lore_base::time::date_time;

use super::SCHEMA_VERSION;
use super::list::List;
use super::row::Row;
use lore_ckgp::registry_store::entry::{Entry, Seconds};

/// Its path.
pub const PATH: &str = "registry.json";

/// The document, entry by entry in the order of their ids.
pub struct RegistryList<'w>(List<'w>);

impl<'w> RegistryList<'w> {
    /// Begins it. `changed_at` is when an entry was last changed.
    pub fn begin(out: &'w mut dyn Write, changed_at: Seconds) -> io::Result<Self> {
        let fields = [
            ("schema_version", SCHEMA_VERSION.into()),
            ("generated_at", date_time(changed_at).into()),
        ];
        List::begin(out, &fields, "entries").map(Self)
    }

    /// Writes an entry.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        self.0.item(&Row::of(entry))
    }

    /// Ends it.
    pub fn end(self) -> io::Result<()> {
        self.0.end()
    }
}

#[cfg(test)]
mod tests;
