//! Reads fields of nodes: each reader gives the value, or nothing and a finding (clauses P5, P6; the amendment on wrong types).

use std::borrow::Cow;
use std::fmt::Write;

use crate::date::Day;
use crate::finding::{Code, Finding, Findings, shown};
use crate::model::{Date, Declared, Field, List, UnitPath, Word};
use crate::path::{self, PathNote};
use crate::vocabulary::Vocabulary;
use lore_base::yaml::{Document, Node, NodeId, Scalar, Text};

/// A step on the way to a field.
#[derive(Clone, Copy)]
enum Step<'d> {
    Key(&'d str),
    Item(usize),
}

/// What reads a document.
pub(super) struct Reader<'d> {
    pub(super) document: &'d Document,
    pub(super) findings: Findings,
    /// The way to where the reader is.
    way: Vec<Step<'d>>,
    /// The current unit, with its id once computed.
    unit: Option<(NodeId, Option<Option<String>>)>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(document: &'d Document, findings: Findings) -> Self {
        Self {
            document,
            findings,
            way: Vec::new(),
            unit: None,
        }
    }

    /// The text of a node, if it is a scalar.
    pub(super) fn scalar(&self, node: NodeId) -> Option<Scalar<'d>> {
        match self.document.node(node) {
            Node::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Whether a node is null, which is as good as absent.
    pub(super) fn is_null(&self, node: NodeId) -> bool {
        self.scalar(node).is_some_and(|scalar| scalar.is_null())
    }

    /// Enters a unit, for the findings in it.
    pub(super) fn in_unit<T>(&mut self, unit: NodeId, read: impl FnOnce(&mut Self) -> T) -> T {
        self.unit = Some((unit, None));
        let value = read(self);
        self.unit = None;
        value
    }

    /// Says something about a node.
    pub(super) fn tell(&mut self, code: Code, node: NodeId, message: String, hint: Option<Cow<'static, str>>) {
        let info = code.info();
        let finding = Finding {
            code,
            severity: info.severity,
            message,
            place: self.document.place(node),
            unit: self.unit_id(),
            field: self.field(),
            hint,
        };
        self.findings.push(finding);
    }

    /// The id of the unit that the reader is in, looked up once.
    fn unit_id(&mut self) -> Option<String> {
        let (node, known) = self.unit.take()?;
        let id = known.unwrap_or_else(|| self.id_of(node));
        self.unit = Some((node, Some(id.clone())));
        id
    }

    /// The id of a unit, at any position in the mapping.
    fn id_of(&self, unit: NodeId) -> Option<String> {
        let Node::Mapping(mut entries) = self.document.node(unit) else {
            return None;
        };
        let id = entries.find(|entry| self.scalar(entry.key).is_some_and(|key| key.text == "id"))?;
        let id = self.scalar(id.value)?;
        (!id.is_null() && !id.text.trim().is_empty()).then(|| id.text.to_owned())
    }

    fn field(&self) -> Option<String> {
        let mut field = String::new();
        for step in &self.way {
            match step {
                Step::Key(key) if field.is_empty() => field.push_str(&shown(key)),
                Step::Key(key) => {
                    field.push('.');
                    field.push_str(&shown(key));
                }
                // Writing to a `String` cannot fail.
                Step::Item(number) => drop(write!(field, "[{number}]")),
            }
        }
        (!field.is_empty()).then_some(field)
    }

    fn name(&self) -> &'d str {
        let step = self.way.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(*key),
            Step::Item(_) => None,
        });
        step.unwrap_or("the manifest")
    }

    /// Says that a node is of another type than its field.
    pub(super) fn wrong<T>(&mut self, node: NodeId, wanted: &'static str) -> Option<T> {
        self.wrong_so(node, wanted, "it is read as absent");
        None
    }

    fn wrong_so(&mut self, node: NodeId, wanted: &'static str, so: &str) {
        if !self.findings.has_room() {
            return;
        }
        let is = match self.document.node(node) {
            Node::Scalar(scalar) => format!("`{}`", shown(scalar.text)),
            Node::Sequence(_) => "a list".to_owned(),
            Node::Mapping(_) => "a mapping".to_owned(),
        };
        let message = format!("`{}` is {is} where {wanted} is expected; {so}", shown(self.name()));
        self.tell(Code::WrongType, node, message, Some(format!("write {wanted}").into()));
    }

    /// Every entry of a mapping whose value is not null; false if it is not a mapping. The caller ignores unknown keys.
    pub(super) fn entries(&mut self, mapping: NodeId, mut each: impl FnMut(&mut Self, &'d str, NodeId)) -> bool {
        let document = self.document;
        let Node::Mapping(entries) = document.node(mapping) else {
            return false;
        };
        for entry in entries {
            let Some(key) = self.scalar(entry.key) else {
                let message = "a key is a list or a mapping; the keys of a manifest are texts".to_owned();
                self.tell(Code::ParseYaml, entry.key, message, None);
                continue;
            };
            if !self.is_null(entry.value) {
                self.way.push(Step::Key(key.text));
                each(self, key.text, entry.value);
                self.way.pop();
            }
        }
        true
    }

    /// Every item of a list that is not null; false if it is not a list.
    pub(super) fn items(&mut self, list: NodeId, mut each: impl FnMut(&mut Self, NodeId)) -> bool {
        let document = self.document;
        let Node::Sequence(items) = document.node(list) else {
            return false;
        };
        for (number, item) in items.enumerate() {
            self.way.push(Step::Item(number));
            if !self.is_null(item) {
                each(self, item);
            }
            self.way.pop();
        }
        true
    }

    /// A block of its own.
    pub(super) fn block<T: Default>(
        &mut self,
        node: NodeId,
        mut each: impl FnMut(&mut Self, &mut T, &'d str, NodeId),
    ) -> Field<T> {
        let mut block = T::default();
        if self.entries(node, |reader, key, value| each(reader, &mut block, key, value)) {
            Some(Declared { value: block, node })
        } else {
            self.wrong(node, "a mapping")
        }
    }

    /// A text, whatever it looks like: `1.10`, `no` and `true` are texts here.
    pub(super) fn text(&mut self, node: NodeId) -> Field<Text> {
        match self.scalar(node) {
            Some(scalar) => Some(Declared {
                value: scalar.range,
                node,
            }),
            None => self.wrong(node, "a text"),
        }
    }

    /// A word of a list, or another one.
    pub(super) fn word<T: Vocabulary>(&mut self, node: NodeId) -> Field<Word<T>> {
        match self.scalar(node) {
            Some(scalar) => Some(Declared {
                value: word(&scalar),
                node,
            }),
            None => self.wrong(node, "a word"),
        }
    }

    /// A word that restricts access. A value that is not a word counts as an unknown word, which denies access.
    pub(super) fn guarding_word<T: Vocabulary>(&mut self, node: NodeId) -> Field<Word<T>> {
        match self.document.node(node) {
            Node::Scalar(_) => self.word(node),
            Node::Sequence(_) | Node::Mapping(_) => {
                self.wrong_so(node, "a word", "agents will be denied");
                Some(Declared {
                    value: Word::Unknown(Text::default()),
                    node,
                })
            }
        }
    }

    /// A boolean. What was one in YAML 1.1 still is, with a warning.
    pub(super) fn flag(&mut self, node: NodeId) -> Field<bool> {
        let scalar = self.scalar(node);
        if let Some(value) = scalar.and_then(|scalar| scalar.as_bool()) {
            return Some(Declared { value, node });
        }
        let value = match scalar.map(|scalar| scalar.text.to_ascii_lowercase()).as_deref() {
            Some("yes" | "on") => true,
            Some("no" | "off") => false,
            _ => return self.wrong(node, "true or false"),
        };
        let written = scalar.map_or("", |scalar| scalar.text);
        let message = format!(
            "`{}` of `{}` is not a boolean of YAML 1.2; it is read as {value}",
            shown(written),
            self.name()
        );
        self.tell(
            Code::BooleanSpelling,
            node,
            message,
            Some(format!("write {value}").into()),
        );
        Some(Declared { value, node })
    }

    /// A whole number from 0 on.
    pub(super) fn whole(&mut self, node: NodeId) -> Field<u64> {
        let number = self.scalar(node).and_then(|scalar| scalar.as_int());
        match number.and_then(|number| u64::try_from(number).ok()) {
            Some(value) => Some(Declared { value, node }),
            None => self.wrong(node, "a whole number of 0 or more"),
        }
    }

    /// A date, of a calendar or not.
    pub(super) fn date(&mut self, node: NodeId) -> Field<Date> {
        let scalar = self.text(node)?;
        let text = scalar.value;
        let day = Day::parse(self.document.text(text));
        Some(Declared {
            value: Date { text, day },
            node,
        })
    }

    /// Texts; one alone is a list of one.
    pub(super) fn list(&mut self, node: NodeId) -> Field<List> {
        let value = self.each_text(node, |_, text| Some(text))?;
        Some(Declared { value, node })
    }

    /// What is made of texts; one alone is a list of one.
    pub(super) fn each_text<T>(
        &mut self,
        node: NodeId,
        mut make: impl FnMut(&mut Self, Declared<Text>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut list = Vec::new();
        if let Some(scalar) = self.scalar(node) {
            let text = Declared {
                value: scalar.range,
                node,
            };
            list.extend(make(self, text));
            return Some(list);
        }
        let is_list = self.items(node, |reader, item| {
            if let Some(text) = reader.text(item) {
                list.extend(make(reader, text));
            }
        });
        if is_list {
            Some(list)
        } else {
            self.wrong(node, "a list of texts")
        }
    }

    /// A path that stays inside; any other is an error of the parse stage.
    pub(super) fn path(&mut self, node: NodeId) -> Field<UnitPath> {
        let text = self.text(node)?.value;
        let path = self.document.text(text);
        let note = match path::check(path) {
            Ok(note) => note,
            Err(fault) => {
                let message = format!("the path `{}` {}", shown(path), fault.reason());
                let hint = "write a path below the directory of the manifest, with forward slashes";
                self.tell(Code::ParsePath, node, message, Some(hint.into()));
                return None;
            }
        };
        match note {
            Some(PathNote::Backslash) => {
                let message = format!("the path `{}` contains a backslash", shown(path));
                self.tell(
                    Code::PathBackslash,
                    node,
                    message,
                    Some("separate with forward slashes".into()),
                );
            }
            Some(PathNote::Root) if !path.trim().is_empty() => {
                let message = format!(
                    "the path `{}` is the directory of the manifest, not a file",
                    shown(path)
                );
                self.tell(Code::PathRoot, node, message, Some("name a file".into()));
            }
            _ => {}
        }
        Some(Declared {
            value: UnitPath { text, note },
            node,
        })
    }
}

/// A word of a list, or another one.
pub(super) fn word<T: Vocabulary>(scalar: &Scalar<'_>) -> Word<T> {
    match T::from_word(scalar.text) {
        Some(known) => Word::Known(known),
        None => Word::Unknown(scalar.range),
    }
}

/// The same, on the heap.
pub(super) fn boxed<T>(field: Field<T>) -> Field<Box<T>> {
    field.map(|field| Declared {
        value: Box::new(field.value),
        node: field.node,
    })
}
