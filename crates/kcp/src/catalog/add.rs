//! A new entry at the end of a catalog, with everything else as it was.

use super::parse::{Catalog, parse};
use crate::finding::Severity;
use lore_base::yaml::Document;

/// An entry to add.
#[derive(Clone, Debug, Default)]
pub struct NewEntry {
    /// Its name.
    pub name: String,
    /// Its source.
    pub source: String,
    /// Its version.
    pub version: Option<String>,
    /// The day on which it is made.
    pub generated: Option<String>,
    /// Entries that have to be installed before.
    pub depends_on: Vec<String>,
}

/// A catalog with one entry.
pub fn begin(entry: &NewEntry) -> String {
    format!("catalog_version: \"0.1\"\nentries:\n{}", entry.lines("  ", "\n"))
}

/// The text of a catalog with one more entry, or why it has to be added by hand.
pub fn append(catalog: &Catalog, entry: &NewEntry) -> Result<String, String> {
    const BY_HAND: &str = "its entries are not a block list";
    let document = &catalog.document;
    let (Some(list), Some(last)) = (catalog.list, catalog.entries.last()) else {
        return Err("it has no list `entries`".to_owned());
    };
    if document.is_alias(list) || document.is_flow(list) {
        return Err(BY_HAND.to_owned());
    }
    let source = document.source();
    let indent = indent(document, last.node).ok_or(BY_HAND)?;
    let newline = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let end = document.span(last.node).end as usize;
    let (before, rest) = source.split_at_checked(end).ok_or(BY_HAND)?;
    // The entry ends with its line, comment included.
    let (line, after) = match rest.split_once('\n') {
        Some((line, after)) => (format!("{line}\n"), after),
        None => (format!("{rest}{newline}"), ""),
    };
    let line = if before.ends_with('\n') { String::new() } else { line };
    let after = if before.ends_with('\n') { rest } else { after };
    let mark = if document.has_byte_order_mark() { "\u{feff}" } else { "" };
    let text = format!("{mark}{before}{line}{}{after}", entry.lines(&indent, newline));
    is_only_addition(catalog, entry, &text)
        .then_some(text)
        .ok_or_else(|| BY_HAND.to_owned())
}

/// The indentation before the dash of an entry.
fn indent(document: &Document, entry: lore_base::yaml::NodeId) -> Option<String> {
    let start = document.span(entry).start as usize;
    let line = document.source().get(..start)?.rsplit('\n').next()?;
    let indent = line.trim_end().strip_suffix('-')?;
    indent.chars().all(|letter| letter == ' ').then(|| indent.to_owned())
}

/// Whether a text is a catalog with the same entries and one more.
fn is_only_addition(catalog: &Catalog, entry: &NewEntry, text: &str) -> bool {
    let (Some(new), problems) = parse(text.as_bytes()) else {
        return false;
    };
    let [old @ .., added] = new.entries.as_slice() else {
        return false;
    };
    let same = |(one, other): (&super::CatalogEntry, &super::CatalogEntry)| {
        one.name == other.name
            && one.written == other.written
            && one.version == other.version
            && one.depends_on == other.depends_on
    };
    old.len() == catalog.entries.len()
        && old.iter().zip(&catalog.entries).all(same)
        && (added.name.as_str(), added.written.as_str()) == (entry.name.as_str(), entry.source.as_str())
        && added.depends_on == entry.depends_on
        && !problems
            .iter()
            .any(|problem| problem.severity == Severity::Error && problem.place >= added.place)
}

impl NewEntry {
    fn lines(&self, indent: &str, newline: &str) -> String {
        // A text in JSON is the same text in YAML.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut lines = format!("{indent}- name: {}{newline}", quoted(&self.name));
        let mut add = |key: &str, value: String| lines.push_str(&format!("{indent}  {key}: {value}{newline}"));
        add("source", quoted(&self.source));
        for (key, value) in [("version", &self.version), ("generated", &self.generated)] {
            if let Some(value) = value {
                add(key, quoted(value));
            }
        }
        if !self.depends_on.is_empty() {
            let names: Vec<String> = self.depends_on.iter().map(|name| quoted(name)).collect();
            add("depends_on", format!("[{}]", names.join(", ")));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> NewEntry {
        NewEntry {
            name: "new".to_owned(),
            source: "./new.yaml".to_owned(),
            version: Some("1.0.0".to_owned()),
            depends_on: vec!["a".to_owned()],
            ..NewEntry::default()
        }
    }

    fn appended(text: &str) -> Result<String, String> {
        append(&parse(text.as_bytes()).0.unwrap(), &entry())
    }

    const NEW: &str =
        "  - name: \"new\"\n    source: \"./new.yaml\"\n    version: \"1.0.0\"\n    depends_on: [\"a\"]\n";

    #[test]
    fn c7_an_entry_is_added_and_everything_else_stays() {
        let text = "# ours\ncatalog_version: '0.1'\nentries: # all\n  - name: a # one\n    source: ./a.yaml # here\n    later: {x: 1}\n\n# the end\nother: 1\n";
        let added = appended(text).unwrap();
        let (before, after) = text.split_at(text.find("\n# the end").unwrap());
        assert_eq!(added, format!("{before}{NEW}{after}"));
        for (text, wanted) in [
            (
                "catalog_version: '0.1'\nentries:\n  - name: a\n    source: ./a.yaml",
                format!("catalog_version: '0.1'\nentries:\n  - name: a\n    source: ./a.yaml\n{NEW}"),
            ),
            (
                "catalog_version: '0.1'\nentries:\n  - {name: a, source: ./a.yaml}\n",
                format!("catalog_version: '0.1'\nentries:\n  - {{name: a, source: ./a.yaml}}\n{NEW}"),
            ),
            (
                "catalog_version: '0.1'\nentries:\n- name: a\n  source: ./a.yaml\n",
                format!(
                    "catalog_version: '0.1'\nentries:\n- name: a\n  source: ./a.yaml\n{}",
                    NEW.replace("\n  ", "\n").trim_start()
                ),
            ),
        ] {
            assert_eq!(appended(text).as_deref(), Ok(wanted.as_str()), "{text}");
        }
    }

    #[test]
    fn c7_what_is_written_otherwise_is_left_to_people() {
        for text in [
            "catalog_version: '0.1'\nentries: [{name: a, source: ./a.yaml}]\n",
            "{catalog_version: '0.1', entries: [{name: a, source: ./a.yaml}]}",
        ] {
            assert_eq!(appended(text), Err("its entries are not a block list".to_owned()));
        }
    }

    #[test]
    fn c7_the_first_entry_makes_the_catalog() {
        let text = begin(&NewEntry {
            depends_on: Vec::new(),
            ..entry()
        });
        assert_eq!(
            text,
            "catalog_version: \"0.1\"\nentries:\n  - name: \"new\"\n    source: \"./new.yaml\"\n    version: \"1.0.0\"\n"
        );
        assert_eq!(parse(text.as_bytes()).1, []);
    }
}
