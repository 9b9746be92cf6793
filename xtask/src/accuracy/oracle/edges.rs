//! Lore's call edges between definitions of a tree, with the places of the definitions.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::super::{number, rows, text};
use super::rows::Place;
use crate::Outcome;

/// An edge at one line.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The qualified name of the callee.
    pub(super) callee: String,
    /// The last part of it.
    pub(super) name: String,
    /// Where the callee is.
    pub(super) place: Place,
    /// How Lore knows the edge.
    pub(super) resolution: String,
}

/// The edges by the line of the call.
#[derive(Default)]
pub(super) struct Edges {
    /// In the order of the places.
    pub(super) at: BTreeMap<Place, Vec<Edge>>,
}

/// A row of `lore calls`.
struct Call {
    callee: [String; 3],
    file: String,
    lines: Vec<usize>,
    resolution: String,
}

/// A row of `lore find`.
struct Defined {
    identity: [String; 3],
    name: String,
    line: usize,
}

impl Edges {
    /// Reads the definitions that `lore find --json` lists and the edges that `lore calls --json` lists.
    pub(super) fn read(found: &str, called: &str) -> Outcome<Self> {
        let defined: HashMap<[String; 3], (String, usize)> = rows(found, defined)?
            .into_iter()
            .map(|defined| (defined.identity, (defined.name, defined.line)))
            .collect();
        let mut edges = Self::default();
        for call in rows(called, call)? {
            let Some((name, line)) = defined.get(&call.callee) else {
                continue;
            };
            let [path, callee, _] = &call.callee;
            for at in call.lines {
                edges.at.entry((call.file.clone(), at)).or_default().push(Edge {
                    callee: callee.clone(),
                    name: name.clone(),
                    place: (path.clone(), *line),
                    resolution: call.resolution.clone(),
                });
            }
        }
        Ok(edges)
    }

    /// The edges at a line.
    pub(super) fn at(&self, file: &str, line: usize) -> &[Edge] {
        self.at.get(&(file.to_owned(), line)).map_or(&[], Vec::as_slice)
    }
}

fn call(row: &Value) -> Option<Call> {
    let lines = row.get("lines")?.as_array()?.iter();
    Some(Call {
        callee: [text(row, "callee_file")?, text(row, "callee")?, text(row, "callee_kind")?],
        file: text(row, "caller_file")?,
        lines: lines
            .map(|line| usize::try_from(line.as_u64()?).ok())
            .collect::<Option<_>>()?,
        resolution: text(row, "resolution")?,
    })
}

fn defined(row: &Value) -> Option<Defined> {
    Some(Defined {
        identity: [text(row, "path")?, text(row, "qualified_name")?, text(row, "kind")?],
        name: text(row, "name")?,
        line: usize::try_from(number(row, "line")?).ok()?,
    })
}
