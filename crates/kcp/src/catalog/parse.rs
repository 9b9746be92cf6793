//! A catalog from its file (clauses C1, C2).

use super::source::Source;
use crate::date::Day;
use crate::finding::{Severity, shown};
use crate::version::Semver;
use lore_base::yaml::{Document, Limits, Node, NodeId, Place};

/// The version of catalogs that is known here.
pub const CATALOG_VERSION: &str = "0.1";
/// Bytes of a catalog.
pub const CATALOG_BYTES: u32 = 4 << 20;
/// Entries of a catalog.
const MOST_ENTRIES: usize = 10_000;

/// A catalog.
#[derive(Debug)]
pub struct Catalog {
    /// The file.
    pub document: Document,
    /// What it is called.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Who keeps it.
    pub maintainer: Option<String>,
    /// The list of its entries.
    pub list: Option<NodeId>,
    /// Its entries.
    pub entries: Vec<CatalogEntry>,
}

/// An entry of a catalog.
#[derive(Clone, Debug)]
pub struct CatalogEntry {
    /// Its node.
    pub node: NodeId,
    /// Where it stands.
    pub place: Place,
    /// Its name; empty if it has none that is allowed.
    pub name: String,
    /// Its source as it is written.
    pub written: String,
    /// The source of its manifest; none if it could not be parsed.
    pub source: Option<Source>,
    /// The version that its manifest should have.
    pub version: Option<String>,
    /// When the entry was made.
    pub generated: Option<Day>,
    /// The commit that its manifest was made from, in lower case.
    pub source_commit: Option<String>,
    /// Entries that have to be installed before.
    pub depends_on: Vec<String>,
}

/// Something that is wrong with a catalog, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What.
    pub message: String,
    /// Where.
    pub place: Place,
    /// The entry.
    pub entry: Option<String>,
}

/// Reads a catalog. Without one there is at least one error.
pub fn parse(bytes: &[u8]) -> (Option<Catalog>, Vec<Problem>) {
    let limits = Limits {
        bytes: CATALOG_BYTES,
        ..Limits::default()
    };
    let document = match Document::read(bytes, &limits) {
        Ok((document, _)) => document,
        Err(error) => {
            let problem = Problem {
                severity: Severity::Error,
                message: error.message,
                place: error.at,
                entry: None,
            };
            return (None, vec![problem]);
        }
    };
    let mut reader = CatalogReader {
        document: &document,
        problems: Vec::new(),
    };
    let content = reader.root();
    let mut problems = reader.problems;
    problems.sort_by_key(|problem| problem.place);
    let catalog = content.map(|(about, list, entries)| {
        let [name, description, maintainer] = about;
        Catalog {
            document,
            name,
            description,
            maintainer,
            list,
            entries,
        }
    });
    (catalog, problems)
}

struct CatalogReader<'d> {
    document: &'d Document,
    problems: Vec<Problem>,
}

type Content = ([Option<String>; 3], Option<NodeId>, Vec<CatalogEntry>);

impl<'d> CatalogReader<'d> {
    fn say(&mut self, severity: Severity, node: NodeId, entry: Option<&str>, message: String) {
        self.problems.push(Problem {
            severity,
            message,
            place: self.document.place(node),
            entry: entry.map(str::to_owned),
        });
    }

    /// The value of a key, unless it is null.
    fn get(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        let Node::Mapping(mut entries) = self.document.node(mapping) else {
            return None;
        };
        let is_key = |node| matches!(self.document.node(node), Node::Scalar(scalar) if scalar.text == key);
        let value = entries.find(|entry| is_key(entry.key))?.value;
        match self.document.node(value) {
            Node::Scalar(scalar) if scalar.is_null() => None,
            _ => Some(value),
        }
    }

    fn text(&self, node: NodeId) -> Option<&'d str> {
        match self.document.node(node) {
            Node::Scalar(scalar) => Some(scalar.text),
            _ => None,
        }
    }

    fn root(&mut self) -> Option<Content> {
        let root = self.document.root();
        if !matches!(self.document.node(root), Node::Mapping(_)) {
            self.say(Severity::Error, root, None, "the catalog is not a mapping".to_owned());
            return None;
        }
        match self.get(root, "catalog_version").map(|node| (node, self.text(node))) {
            None => self.say(
                Severity::Error,
                root,
                None,
                "the catalog has no `catalog_version`".to_owned(),
            ),
            Some((_, Some(CATALOG_VERSION))) => {}
            Some((node, version)) => {
                let version = shown(version.unwrap_or_default());
                let message = format!("`catalog_version` is `{version}`; the catalog is read as {CATALOG_VERSION}");
                self.say(Severity::Warning, node, None, message);
            }
        }
        let about = self.get(root, "catalog");
        let about = ["name", "description", "maintainer"].map(|key| {
            let node = about.and_then(|about| self.get(about, key))?;
            Some(self.text(node)?.to_owned())
        });
        let list = self.get(root, "entries");
        let mut entries: Vec<CatalogEntry> = Vec::new();
        match list.map(|node| (node, self.document.node(node))) {
            Some((node, Node::Sequence(items))) => {
                for item in items {
                    if entries.len() == MOST_ENTRIES {
                        let message = format!("more than {MOST_ENTRIES} entries are not read");
                        self.say(Severity::Error, item, None, message);
                        break;
                    }
                    entries.extend(self.entry(item));
                }
                if entries.is_empty() {
                    self.say(Severity::Error, node, None, "the catalog has no entries".to_owned());
                }
            }
            Some((node, _)) => self.say(Severity::Error, node, None, "`entries` is not a list".to_owned()),
            None => self.say(Severity::Error, root, None, "the catalog has no entries".to_owned()),
        }
        self.duplicates(&entries);
        let list = list.filter(|node| matches!(self.document.node(*node), Node::Sequence(_)));
        Some((about, list, entries))
    }

    fn duplicates(&mut self, entries: &[CatalogEntry]) {
        let mut lines = std::collections::HashMap::new();
        for entry in entries.iter().filter(|entry| !entry.name.is_empty()) {
            if let Some(line) = lines.get(entry.name.as_str()) {
                let message = format!("`{}` is already the entry of line {line}", entry.name);
                self.say(Severity::Error, entry.node, Some(&entry.name), message);
            } else {
                lines.insert(entry.name.as_str(), entry.place.line);
            }
        }
    }

    fn entry(&mut self, node: NodeId) -> Option<CatalogEntry> {
        if !matches!(self.document.node(node), Node::Mapping(_)) {
            self.say(Severity::Error, node, None, "an entry is not a mapping".to_owned());
            return None;
        }
        let name = self.name(node);
        let (written, source) = self.source(node, &name);
        let field = |reader: &Self, key: &str| {
            reader
                .get(node, key)
                .map(|value| (value, reader.text(value).unwrap_or_default()))
        };
        let version = field(self, "version");
        if let Some((value, text)) = version.filter(|(_, text)| Semver::parse(text).is_none()) {
            let message = format!("version `{}` is not a semantic version", shown(text));
            self.say(Severity::Warning, value, Some(&name), message);
        }
        let generated = field(self, "generated");
        let day = generated.and_then(|(_, text)| Day::parse(text));
        if let Some((value, text)) = generated.filter(|_| day.is_none()) {
            let message = format!("`{}` is not a date", shown(text));
            self.say(Severity::Warning, value, Some(&name), message);
        }
        let commit = field(self, "source_commit");
        let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut source_commit = None;
        if let Some((value, text)) = commit {
            match text.len() {
                40 if is_hex(text) => source_commit = Some(text.to_ascii_lowercase()),
                length if length < 40 && is_hex(text) => {
                    source_commit = Some(text.to_ascii_lowercase());
                    let message = format!("`{text}` is not a full commit id of 40 digits");
                    self.say(Severity::Warning, value, Some(&name), message);
                }
                _ => {
                    let message = format!("`{}` is not a commit id", shown(text));
                    self.say(Severity::Warning, value, Some(&name), message);
                }
            }
        }
        Some(CatalogEntry {
            node,
            place: self.document.place(node),
            depends_on: self.depends_on(node, &name),
            name,
            written,
            source,
            version: version.map(|(_, text)| text.to_owned()),
            generated: day,
            source_commit,
        })
    }

    fn name(&mut self, node: NodeId) -> String {
        let value = self.get(node, "name");
        match value.and_then(|value| self.text(value)) {
            Some(name) if is_name(name) => name.to_owned(),
            Some(name) => {
                let message = format!(
                    "the name `{}` has other characters than lower-case letters, digits and dashes",
                    shown(name)
                );
                self.say(Severity::Error, value.unwrap_or(node), None, message);
                String::new()
            }
            None => {
                self.say(Severity::Error, node, None, "an entry has no name".to_owned());
                String::new()
            }
        }
    }

    fn source(&mut self, node: NodeId, name: &str) -> (String, Option<Source>) {
        let value = self.get(node, "source");
        let Some(text) = value.and_then(|value| self.text(value)) else {
            self.say(
                Severity::Error,
                node,
                Some(name),
                format!("the entry `{name}` has no source"),
            );
            return (String::new(), None);
        };
        match Source::parse(text) {
            Ok(source) => (text.to_owned(), Some(source)),
            Err(why) => {
                let message = format!("the source `{}` cannot be used: {why}", shown(text));
                self.say(Severity::Error, value.unwrap_or(node), Some(name), message);
                (text.to_owned(), None)
            }
        }
    }

    fn depends_on(&mut self, node: NodeId, name: &str) -> Vec<String> {
        let Some(value) = self.get(node, "depends_on") else {
            return Vec::new();
        };
        match self.document.node(value) {
            Node::Scalar(scalar) => vec![scalar.text.to_owned()],
            Node::Sequence(items) => items.filter_map(|item| self.text(item)).map(str::to_owned).collect(),
            Node::Mapping(_) => {
                self.say(
                    Severity::Error,
                    value,
                    Some(name),
                    "`depends_on` is not a list".to_owned(),
                );
                Vec::new()
            }
        }
    }
}

/// Whether a name is one that an entry may have: it becomes that of a file.
pub fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= 200
        && name.bytes().next().is_some_and(is_letter)
        && name.bytes().all(|byte| is_letter(byte) || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let told = |problem: &Problem| {
            let Place { line, column } = problem.place;
            format!("{line}:{column} {} {}", problem.severity.name(), problem.message)
        };
        parse(text.as_bytes()).1.iter().map(told).collect()
    }

    #[test]
    fn c1_a_catalog_has_a_version_and_entries() {
        let fine = "catalog_version: 0.1\ncatalog: {name: Team, maintainer: ops@example.org}\nentries:\n  - {name: a, source: ./a.yaml}\n";
        assert_eq!(problems(fine), [""; 0]);
        let catalog = parse(fine.as_bytes()).0.unwrap();
        assert_eq!(
            (catalog.name.as_deref(), catalog.maintainer.as_deref()),
            (Some("Team"), Some("ops@example.org"))
        );
        assert_eq!(
            problems(&fine.replace("0.1", "\"0.2\"")),
            ["1:18 warning `catalog_version` is `0.2`; the catalog is read as 0.1"]
        );
        assert_eq!(
            problems("entries: [{name: a, source: ./a.yaml}]"),
            ["1:1 error the catalog has no `catalog_version`"]
        );
        for text in [
            "catalog_version: \"0.1\"\n",
            "catalog_version: \"0.1\"\nentries: []\n",
            "catalog_version: \"0.1\"\nentries:\n",
        ] {
            assert_eq!(problems(text).len(), 1, "{text}");
            assert!(
                problems(text)[0].ends_with("error the catalog has no entries"),
                "{text}"
            );
        }
        assert_eq!(
            problems("catalog_version: '0.1'\nentries: {}\n"),
            ["2:10 error `entries` is not a list"]
        );
        assert_eq!(problems("[]"), ["1:1 error the catalog is not a mapping"]);
        assert_eq!(problems("{").len(), 1);
    }

    #[test]
    fn c2_entries_have_a_name_of_their_own_and_a_source() {
        let text = "catalog_version: '0.1'\nentries:\n  - {name: a.b, source: ./a.yaml}\n  - {source: ./a.yaml}\n  - {name: a}\n  - {name: a, source: ./b.yaml}\n  - x\n  - {name: -a, source: x/y.yaml}\n";
        assert_eq!(
            problems(text),
            [
                "3:12 error the name `a.b` has other characters than lower-case letters, digits and dashes",
                "4:5 error an entry has no name",
                "5:5 error the entry `a` has no source",
                "6:5 error `a` is already the entry of line 5",
                "7:5 error an entry is not a mapping",
                "8:12 error the name `-a` has other characters than lower-case letters, digits and dashes",
                "8:24 error the source `x/y.yaml` cannot be used: it does not start with ./ ../ / https:// or git+https://",
            ]
        );
    }

    #[test]
    fn c2_versions_dates_and_commits_are_checked() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let text = format!(
            "catalog_version: '0.1'\nentries:\n  - {{name: a, source: ./a.yaml, version: 1.0, generated: 2026-02-30, source_commit: abc123}}\n  - {{name: b, source: ./b.yaml, version: 1.0.0, generated: 2026-02-03, source_commit: {commit}}}\n  - {{name: c, source: ./c.yaml, source_commit: main}}\n"
        );
        assert_eq!(
            problems(&text),
            [
                "3:42 warning version `1.0` is not a semantic version",
                "3:58 warning `2026-02-30` is not a date",
                "3:85 warning `abc123` is not a full commit id of 40 digits",
                "5:48 warning `main` is not a commit id",
            ]
        );
        let catalog = parse(text.as_bytes()).0.unwrap();
        assert_eq!(catalog.entries[1].source_commit.as_deref(), Some(commit));
        assert_eq!(catalog.entries[2].source_commit, None);
    }
}
