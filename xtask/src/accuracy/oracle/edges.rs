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
    /// Where the callee is. `lore calls` does not number definitions of one name and kind in a file, so these may be several.
    pub(super) places: Vec<Place>,
    /// The file of a callee without a name, which `lore find` does not list.
    pub(super) unnamed_in: Option<String>,
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
        let mut places: HashMap<[String; 3], (String, Vec<Place>)> = HashMap::new();
        for defined in rows(found, defined)? {
            let place = (defined.identity[0].clone(), defined.line);
            let (_, known) = places
                .entry(defined.identity)
                .or_insert_with(|| (defined.name, Vec::new()));
            known.push(place);
        }
        let mut edges = Self::default();
        for call in rows(called, call)? {
            let [path, callee, _] = &call.callee;
            let (name, places, unnamed_in) = match places.get(&call.callee) {
                Some((name, places)) => (name.clone(), places.clone(), None),
                None => (String::new(), Vec::new(), Some(path.clone())),
            };
            for at in call.lines {
                edges.at.entry((call.file.clone(), at)).or_default().push(Edge {
                    callee: callee.clone(),
                    name: name.clone(),
                    places: places.clone(),
                    unnamed_in: unnamed_in.clone(),
                    resolution: call.resolution.clone(),
                });
            }
        }
        Ok(edges)
    }

    /// The edges of some lines of a file, from the first to the last.
    pub(super) fn between(&self, file: &str, (first, last): (usize, usize)) -> Vec<&Edge> {
        let lines = (file.to_owned(), first)..=(file.to_owned(), last.max(first));
        self.at.range(lines).flat_map(|(_, edges)| edges).collect()
    }
}

fn call(row: &Value) -> Option<Call> {
    let lines = row.get("lines")?.as_array()?.iter();
    Some(Call {
        callee: [
            text(row, "callee_file")?,
            unnumbered(&text(row, "callee")?),
            text(row, "callee_kind")?,
        ],
        file: text(row, "caller_file")?,
        lines: lines
            .map(|line| usize::try_from(line.as_u64()?).ok())
            .collect::<Option<_>>()?,
        resolution: text(row, "resolution")?,
    })
}

fn defined(row: &Value) -> Option<Defined> {
    Some(Defined {
        identity: [
            text(row, "path")?,
            unnumbered(&text(row, "qualified_name")?),
            text(row, "kind")?,
        ],
        name: text(row, "name")?,
        line: usize::try_from(number(row, "line")?).ok()?,
    })
}

/// A qualified name without the numbers of definitions that share a name, which `lore calls` leaves out.
fn unnumbered(name: &str) -> String {
    let mut parts = name.split('#');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        if rest.len() == part.len() {
            plain.push('#');
        }
        plain.push_str(rest);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_one_name_are_the_places_of_an_edge() {
        let found = r#"{"path":"b.py","qualified_name":"b.C.f","kind":"method","name":"f","line":3}
{"path":"b.py","qualified_name":"b.C.f#2","kind":"method","name":"f","line":5}
{"path":"b.py","qualified_name":"b.C.f#3","kind":"field","name":"f","line":9}"#;
        let called = r#"{"callee_file":"b.py","callee":"b.C.f","callee_kind":"method","caller_file":"a.py","lines":[1,2],"resolution":"typed"}"#;
        let edges = Edges::read(found, called).expect("edges");
        let [edge] = edges.between("a.py", (2, 2))[..] else {
            panic!("{:?}", edges.at)
        };
        assert_eq!(edge.places, [("b.py".to_owned(), 3), ("b.py".to_owned(), 5)]);
        assert_eq!((edge.name.as_str(), edge.resolution.as_str()), ("f", "typed"));
        assert_eq!(edges.between("a.py", (1, 2)).len(), 2);
        assert!(edges.between("a.py", (3, 9)).is_empty());
        assert!(edges.between("", (0, 9)).is_empty());
    }

    #[test]
    fn numbers_are_left_out_and_private_names_are_not() {
        assert_eq!(unnumbered("a.f#2.g#13"), "a.f.g");
        assert_eq!(unnumbered("a.C.#p"), "a.C.#p");
    }
}
