//! The tree of an import file as a payload, with everything that is wrong in it (stages version, nodes and edges).

use super::payload::{Entry, PayloadEdge, PayloadNode, Problem, Read, Stage};
use crate::confidence::{Confidence, ConfidenceFault};
use crate::edge::{self, EdgeType};
use crate::id::NodeId;
use crate::limits::Limits;
use crate::patch::{Property, Triple};
use crate::tree::{Tree, TreeValue};
use crate::value::{Json, bounded, key_of};

/// Line and column of a byte.
pub(super) type Places<'p> = &'p dyn Fn(u32) -> (u32, u32);

pub(super) fn read(root: &Tree<'_>, places: Places<'_>) -> Read {
    let mut reader = DocumentReader {
        places,
        read: Read::default(),
    };
    reader.root(root);
    reader.read
}

struct DocumentReader<'p> {
    places: Places<'p>,
    read: Read,
}

impl DocumentReader<'_> {
    fn wrong(
        &mut self,
        stage: Stage,
        index: usize,
        place: String,
        tree: &Tree<'_>,
        message: impl Into<String>,
    ) -> &mut Problem {
        let at = (self.places)(tree.at);
        self.read
            .errors
            .push(Problem::new(stage, index, place, message).at(Some(at)));
        let last = self.read.errors.len() - 1;
        &mut self.read.errors[last]
    }

    fn entry(&self, index: usize) -> Entry {
        Entry {
            index,
            file: None,
            at: None,
        }
    }

    fn root(&mut self, root: &Tree<'_>) {
        let Some(entries) = root.mapping() else {
            let message = match root.value {
                TreeValue::Null => "the file is empty and declares no schema version".to_owned(),
                _ => format!("the file is {}, not a mapping", root.what()),
            };
            self.wrong(Stage::Version, 0, String::new(), root, message).hint =
                Some("start the file with `version: 1`".to_owned());
            return;
        };
        match root.get("version") {
            None => {
                let message = "the file declares no schema version";
                self.wrong(Stage::Version, 0, String::new(), root, message).hint =
                    Some("start the file with `version: 1`".to_owned());
                return;
            }
            Some(version) if !is_version_1(version) => {
                let shown = shown(version);
                let message = format!("Unknown schema version {shown}. This version of git-mind supports version 1.");
                self.wrong(Stage::Version, 0, String::new(), version, message);
                return;
            }
            Some(_) => {}
        }
        for (key, value) in entries {
            match key.text() {
                Some("version") => {}
                Some("nodes") => self.list("nodes", Stage::Nodes, value, Self::node),
                Some("edges") => self.list("edges", Stage::Edges, value, Self::edge),
                Some(other) => self.ignored("", other),
                None => self.ignored("", key.what()),
            }
        }
    }

    fn ignored(&mut self, place: &str, key: &str) {
        // A file may be all unknown keys; the first thousand say enough.
        if self.read.warnings.len() < Limits::FINDINGS {
            let key: String = key.chars().take(60).collect();
            let before = if place.is_empty() {
                String::new()
            } else {
                format!("{place}: ")
            };
            self.read.warnings.push(format!("{before}unknown key {key:?}, ignored"));
        }
    }

    fn list(&mut self, name: &str, stage: Stage, value: &Tree<'_>, each: fn(&mut Self, usize, &Tree<'_>)) {
        match &value.value {
            TreeValue::Null => {}
            TreeValue::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    match item.mapping() {
                        Some(_) => each(self, index, item),
                        None => {
                            let message = format!("the entry is {}, not a mapping", item.what());
                            self.wrong(stage, index, format!("{name}[{index}]"), item, message);
                        }
                    }
                }
            }
            _ => {
                let message = format!("`{name}` is {}, not a list", value.what());
                self.wrong(stage, 0, name.to_owned(), value, message);
            }
        }
    }

    /// An id of an entry.
    fn id(&mut self, stage: Stage, index: usize, list: &str, item: &Tree<'_>, key: &str) -> Option<NodeId> {
        let place = || format!("{list}[{index}].{key}");
        let Some(value) = item.get(key) else {
            self.wrong(
                stage,
                index,
                format!("{list}[{index}]"),
                item,
                format!("`{key}` is missing"),
            );
            return None;
        };
        let Some(text) = value.text() else {
            let hint = matches!(value.value, TreeValue::Mapping(_)).then(|| "write the id in quotes".to_owned());
            self.wrong(
                stage,
                index,
                place(),
                value,
                format!("the id is {}, not text", value.what()),
            )
            .hint = hint;
            return None;
        };
        match NodeId::parse(text) {
            Ok(id) => Some(id),
            Err(fault) => {
                self.wrong(stage, index, place(), value, fault.to_string()).hint = fault.hint();
                None
            }
        }
    }

    fn node(&mut self, index: usize, item: &Tree<'_>) {
        let id = self.id(Stage::Nodes, index, "nodes", item, "id");
        let entries = item.mapping().unwrap_or_default();
        for (key, _) in entries {
            match key.text() {
                Some("id" | "props" | "properties") => {}
                Some(other) => self.ignored(&format!("nodes[{index}]"), other),
                None => self.ignored(&format!("nodes[{index}]"), key.what()),
            }
        }
        let properties = match (item.get("props"), item.get("properties")) {
            (Some(_), Some(_)) => {
                let message = "both \"props\" and \"properties\" are given";
                self.wrong(Stage::Nodes, index, format!("nodes[{index}]"), item, message)
                    .hint = Some("keep one of the two".to_owned());
                None
            }
            (Some(value), None) => self.properties(index, "props", value),
            (None, Some(value)) => self.properties(index, "properties", value),
            (None, None) => Some(Vec::new()),
        };
        if let (Some(id), Some(properties)) = (id, properties) {
            let mut entry = self.entry(index);
            entry.at = Some((self.places)(item.at));
            self.read.payload.nodes.push(PayloadNode { id, properties, entry });
        }
    }

    fn properties(&mut self, index: usize, name: &str, value: &Tree<'_>) -> Option<Vec<Property>> {
        let Some(entries) = value.mapping() else {
            let message = format!("the properties are {}, not a mapping", value.what());
            self.wrong(Stage::Nodes, index, format!("nodes[{index}].{name}"), value, message);
            return None;
        };
        let mut properties = Vec::with_capacity(entries.len());
        let mut is_whole = true;
        for (key, value) in entries {
            let read = key_of(key).map_err(|fault| (key.at, fault.message)).and_then(|key| {
                let json = Json::from_tree(value).map_err(|fault| (fault.at, fault.message))?;
                let text = bounded(&json).map_err(|message| (value.at, message))?;
                // What is kept has to be readable again.
                Json::parse(&text).map_err(|fault| (value.at, fault.message))?;
                Ok((Box::from(key), text))
            });
            match read {
                Ok(property) => properties.push(property),
                Err((at, message)) => {
                    is_whole = false;
                    let key: String = key.text().unwrap_or("?").chars().take(60).collect();
                    let tree = Tree {
                        at,
                        value: TreeValue::Null,
                    };
                    self.wrong(
                        Stage::Nodes,
                        index,
                        format!("nodes[{index}].{name}.{key}"),
                        &tree,
                        message,
                    );
                }
            }
        }
        is_whole.then_some(properties)
    }

    fn edge(&mut self, index: usize, item: &Tree<'_>) {
        let stage = Stage::Edges;
        let place = format!("edges[{index}]");
        for (key, _) in item.mapping().unwrap_or_default() {
            match key.text() {
                Some("source" | "target" | "type" | "confidence" | "rationale" | "createdAt") => {}
                Some(other) => self.ignored(&place, other),
                None => self.ignored(&place, key.what()),
            }
        }
        let source = self.id(stage, index, "edges", item, "source");
        let target = self.id(stage, index, "edges", item, "target");
        let kind = self.kind(index, item);
        let confidence = match item.get("confidence") {
            None => Some(Confidence::DEFAULT),
            Some(value) => self.confidence(index, value),
        };
        let rationale = match item.get("rationale") {
            None => Some(None),
            Some(value) => match &value.value {
                TreeValue::Text(text) if text.len() <= Limits::RATIONALE_BYTES => Some(Some(Box::from(text.as_ref()))),
                TreeValue::Text(_) => {
                    let message = format!("the rationale has more than {} bytes", Limits::RATIONALE_BYTES);
                    self.wrong(stage, index, format!("{place}.rationale"), value, message);
                    None
                }
                _ => {
                    let message = format!("the rationale is {}, not text", value.what());
                    self.wrong(stage, index, format!("{place}.rationale"), value, message);
                    None
                }
            },
        };
        let (Some(source), Some(target), Some(kind)) = (source, target, kind) else {
            return;
        };
        if source == target && !kind.allows_self() {
            self.wrong(stage, index, place, item, edge::self_edge(kind));
            return;
        }
        if let (Some(confidence), Some(rationale)) = (confidence, rationale) {
            let mut entry = self.entry(index);
            entry.at = Some((self.places)(item.at));
            self.read.payload.edges.push(PayloadEdge {
                edge: Triple { source, target, kind },
                confidence,
                rationale,
                entry,
            });
        }
    }

    fn kind(&mut self, index: usize, item: &Tree<'_>) -> Option<EdgeType> {
        let Some(value) = item.get("type") else {
            self.wrong(
                Stage::Edges,
                index,
                format!("edges[{index}]"),
                item,
                "`type` is missing",
            );
            return None;
        };
        let kind = value.text().and_then(EdgeType::from_name);
        if kind.is_none() {
            let message = match value.text() {
                Some(text) => edge::unknown_type(text),
                None => format!("the type is {}, not text", value.what()),
            };
            let hint = Some(format!("use one of the types {}", EdgeType::names()));
            self.wrong(Stage::Edges, index, format!("edges[{index}].type"), value, message)
                .hint = hint;
        }
        kind
    }

    fn confidence(&mut self, index: usize, value: &Tree<'_>) -> Option<Confidence> {
        let (message, hint) = match &value.value {
            TreeValue::Number(number) => match Confidence::parse(number) {
                Ok(confidence) => return Some(confidence),
                Err(fault) => (fault.to_string(), None),
            },
            TreeValue::NotFinite(_) => (ConfidenceFault::NotFinite.to_string(), None),
            TreeValue::Text(text) => {
                let shown: String = text.chars().take(60).collect();
                let hint = Confidence::parse(text)
                    .is_ok()
                    .then(|| format!("write {shown} without quotes"));
                if matches!(&**text, "NaN" | "Infinity" | "-Infinity") {
                    (ConfidenceFault::NotFinite.to_string(), None)
                } else {
                    (ConfidenceFault::NotANumber(shown).to_string(), hint)
                }
            }
            _ => (format!("confidence is {}, not a number", value.what()), None),
        };
        self.wrong(
            Stage::Edges,
            index,
            format!("edges[{index}].confidence"),
            value,
            message,
        )
        .hint = hint;
        None
    }
}

fn is_version_1(version: &Tree<'_>) -> bool {
    match &version.value {
        TreeValue::Number(number) => Json::Number(number.as_ref().into()).is_same(&Json::Number("1".into())),
        _ => false,
    }
}

/// A value as JSON, cut.
fn shown(tree: &Tree<'_>) -> String {
    let whole = match (&tree.value, Json::from_tree(tree)) {
        (TreeValue::NotFinite(text), _) => text.to_string(),
        (_, Ok(json)) => json.canonical(),
        (_, Err(_)) => tree.what().to_owned(),
    };
    whole.chars().take(60).collect()
}
