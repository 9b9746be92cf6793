//! What a judge prints: one JSON object a line, a call site or a definition.

use std::collections::HashMap;

use serde::Deserialize;

use crate::Outcome;

/// A place in a tree: the path of a file, and a line.
pub(super) type Place = (String, usize);

/// One line of a judge.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Row {
    Site(Site),
    Definition(Definition),
}

/// A call in the source.
#[derive(Debug, Deserialize)]
pub(super) struct Site {
    /// The file.
    pub(super) file: String,
    /// The line of the name that is called.
    pub(super) line: usize,
    /// An edge on any of these lines finds the site: the first and the last line of the caller, where only the caller is known for certain.
    #[serde(default)]
    pub(super) within: Option<(usize, usize)>,
    /// The name that is called; empty if there is none.
    pub(super) name: String,
    /// The form of the call, for groups of misses.
    pub(super) construct: String,
    /// What is called.
    pub(super) targets: Vec<Target>,
    /// The targets are all that the site can call, as far as declared and inferred types say.
    pub(super) whole: bool,
}

/// A definition that a call site calls.
#[derive(Debug, Deserialize)]
pub(super) struct Target {
    /// Its name.
    pub(super) name: String,
    /// The name of the type that it is a member of.
    #[serde(default)]
    pub(super) owner: Option<String>,
    /// It is not in the tree.
    #[serde(default)]
    pub(super) outside: bool,
    /// Where it is: each of its declarations.
    pub(super) places: Vec<Place>,
    /// What identifies it in [`Definition::overrides`].
    pub(super) keys: Vec<String>,
}

/// A definition that overrides or implements others.
#[derive(Deserialize)]
struct Definition {
    file: String,
    line: usize,
    overrides: Vec<String>,
    #[serde(default)]
    unknown: bool,
}

/// What a definition overrides.
#[derive(Default)]
pub(super) struct Overrides {
    /// The keys of all definitions above it.
    pub(super) keys: Vec<String>,
    /// A base of its type could not be found.
    pub(super) unknown: bool,
}

/// Everything that a judge said about a tree.
#[derive(Default)]
pub(super) struct Rows {
    /// The call sites, in the order of the judge.
    pub(super) sites: Vec<Site>,
    /// What the definitions override, by their own keys.
    pub(super) overrides: HashMap<String, Overrides>,
}

impl Rows {
    /// Reads what a judge printed.
    pub(super) fn parse(text: &str) -> Outcome<Self> {
        let mut rows = Self::default();
        for line in text.lines() {
            let row = serde_json::from_str(line).map_err(|error| format!("a judge printed `{line}`: {error}"))?;
            match row {
                Row::Site(site) => rows.sites.push(site),
                Row::Definition(definition) => {
                    let of = rows
                        .overrides
                        .entry(key(&definition.file, definition.line))
                        .or_default();
                    of.keys.extend(definition.overrides);
                    of.unknown |= definition.unknown;
                }
            }
        }
        Ok(rows)
    }
}

/// The key of a definition of the tree.
pub(super) fn key(file: &str, line: usize) -> String {
    format!("{file}:{line}")
}

impl Target {
    /// Its name in words, with its place.
    pub(super) fn described(&self) -> String {
        let owner = self
            .owner
            .as_deref()
            .map(|owner| format!("{owner}."))
            .unwrap_or_default();
        match self.places.first() {
            Some((file, line)) if !self.outside => format!("{owner}{} ({file}:{line})", self.name),
            _ => format!("{owner}{} (outside)", self.name),
        }
    }
}
