//! `TextAnswer`: a JSON object for programs with the text for people.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::graph::context::InlineEntry;
use crate::id::Id;
use crate::model::{Atom, Container, Molecule, Priority, Section, Status, Template};
use crate::work::Work;
use lore_seam::{Page, Render};

/// Text with its style.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Strong(String),
    Dim(String),
    Block(String),
    End,
}

/// A JSON object and its text. JSON output prints the object alone, so the object holds everything that the text says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TextAnswer {
    object: Value,
    pieces: Vec<Piece>,
}

impl TextAnswer {
    /// An object without text.
    pub fn of(object: impl Serialize) -> Self {
        Self {
            object: serde_json::to_value(object).unwrap_or_default(),
            pieces: Vec::new(),
        }
    }

    /// Appends a line.
    #[must_use]
    pub fn line(self, text: impl Into<String>) -> Self {
        self.text(text).end()
    }

    /// Appends text to the current line.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Text(text.into()));
        self
    }

    /// Appends bold text.
    #[must_use]
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Strong(text.into()));
        self
    }

    /// Appends dim text.
    #[must_use]
    pub fn dim(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Dim(text.into()));
        self
    }

    /// Appends an empty line and a text of several lines. An empty text appends nothing.
    #[must_use]
    pub fn block(mut self, text: &str) -> Self {
        let text = text.trim_end();
        if !text.is_empty() {
            self.pieces.push(Piece::End);
            self.pieces.push(Piece::Block(text.to_owned()));
            self.pieces.push(Piece::End);
        }
        self
    }

    /// Ends the current line.
    #[must_use]
    pub fn end(mut self) -> Self {
        self.pieces.push(Piece::End);
        self
    }

    /// Appends the text of another answer.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    /// Appends the texts of other answers.
    #[must_use]
    pub fn each(self, others: impl Iterator<Item = Self>) -> Self {
        others.fold(self, Self::with)
    }

    /// Adds remarks, to the object as `remarks`.
    #[must_use]
    pub fn remarks(mut self, remarks: &[String]) -> Self {
        if let (Value::Object(fields), false) = (&mut self.object, remarks.is_empty()) {
            fields.insert("remarks".to_owned(), remarks.into());
        }
        remarks
            .iter()
            .fold(self, |answer, remark| answer.line(format!("note: {remark}")))
    }

    /// Appends that an edit changed nothing.
    #[must_use]
    pub fn unchanged(self) -> Self {
        self.line("Nothing was changed.")
    }

    /// Appends each line of a text after an indent.
    #[must_use]
    pub fn indented(self, text: &str, indent: &str) -> Self {
        text.lines()
            .fold(self, |answer, line| answer.line(format!("{indent}{line}")))
    }

    /// The line of a container in a list.
    pub fn container(container: &Container) -> Self {
        let (id, kind) = (container.entity().id, container.entity().kind);
        let row = Self::of(container).dim(id.short()).text("  ");
        let row = match container {
            Container::Project(_) => row,
            Container::Feature(feature) => row.text(columns(&feature.status, feature.priority, None)),
            Container::Task(task) => row.text(columns(&task.status, task.priority, Some(task.complexity))),
        };
        let row = row.strong(container.name());
        let row = match container.blocked_by().len() {
            0 => row,
            _ => row.text("  blocked"),
        };
        let row = match (kind, container.tags()) {
            (_, []) => row,
            (_, tags) => row.dim(format!("  {}", tags.join(", "))),
        };
        row.end()
    }

    /// The line of a feature or a task in a list.
    pub fn work(work: &Work) -> Self {
        Self::container(&match work.clone() {
            Work::Feature(feature) => Container::Feature(feature),
            Work::Task(task) => Container::Task(task),
        })
    }

    /// The line of a section in a list.
    pub fn section(section: &Section) -> Self {
        Self::of(section)
            .dim(section.id.short())
            .text(format!("  {:>3}  ", section.ordinal))
            .strong(&section.title)
            .dim(format!("  {}", section.usage_description))
            .end()
    }

    /// A section with its content.
    pub fn whole_section(section: &Section) -> Self {
        Self::default()
            .end()
            .strong(&section.title)
            .dim(format!("  {}", section.id.short()))
            .end()
            .block(&section.content)
    }

    /// The line of a template in a list.
    pub fn template(template: &Template) -> Self {
        let state = match (template.is_enabled, template.is_protected) {
            (true, false) => "",
            (true, true) => "  protected",
            (false, _) => "  disabled",
        };
        Self::of(template)
            .dim(template.id.short())
            .text(format!("  {:<7}  ", template.target_entity_type.name()))
            .strong(&template.name)
            .text(state)
            .dim(format!("  {}", template.description))
            .end()
    }

    /// The line of an atom in a list.
    pub fn atom_line(atom: &Atom) -> Self {
        Self::default().line(format!("{}  {}  {}", atom.id.short(), atom.name, atom.paths.join(" ")))
    }

    /// Appends an atom with its knowledge.
    #[must_use]
    pub fn atom(self, atom: &Atom) -> Self {
        let answer = self.line(format!("{}  {} (version {})", atom.name, atom.id, atom.version));
        let mut answer = atom
            .paths
            .iter()
            .fold(answer, |answer, path| answer.line(format!("  {path}")));
        if let Some(confirmed) = &atom.confirmed {
            answer = answer.line(format!("  confirmed at {}, {}", start(&confirmed.commit), confirmed.at));
        }
        let related = atom.related_atoms.iter().map(|it| (it.atom_id, &it.reason));
        answer.related(related).knowledge(&atom.knowledge)
    }

    /// Appends a molecule with its knowledge, without its atoms.
    #[must_use]
    pub fn molecule(self, molecule: &Molecule) -> Self {
        let related = molecule.related_molecules.iter().map(|it| (it.molecule_id, &it.reason));
        self.line(format!(
            "{}  {} (version {})",
            molecule.name, molecule.id, molecule.version
        ))
        .related(related)
        .knowledge(&molecule.knowledge)
    }

    fn related<'r>(self, related: impl Iterator<Item = (Id, &'r String)>) -> Self {
        related.fold(self, |answer, (id, reason)| {
            answer.line(format!("  -> {} {reason}", id.short()))
        })
    }

    fn knowledge(self, text: &str) -> Self {
        if text.is_empty() {
            self
        } else {
            self.end().indented(text, "")
        }
    }

    /// Appends changelog entries.
    #[must_use]
    pub fn changelog(self, entries: Option<&[InlineEntry]>, indent: &str) -> Self {
        entries.unwrap_or_default().iter().fold(self, |answer, entry| {
            let day = start(&entry.created_at);
            answer.line(format!(
                "{indent}{day} {} (task {})",
                entry.summary,
                entry.task_id.short()
            ))
        })
    }
}

/// The first ten characters: a day, or a short commit id.
pub(super) fn start(text: &str) -> String {
    text.chars().take(10).collect()
}

fn columns(status: &Status, priority: Priority, complexity: Option<i64>) -> String {
    let complexity = complexity
        .map(|complexity| format!("{complexity:>2}  "))
        .unwrap_or_default();
    format!("{:<18}  {:<6}  {complexity}", status.word(), priority.word())
}

impl Serialize for TextAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object.serialize(serializer)
    }
}

impl JsonSchema for TextAnswer {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TextAnswer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl Render for TextAnswer {
    fn render(&self, page: &mut Page) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => page.text(text),
                Piece::Strong(text) => page.strong(text),
                Piece::Dim(text) => page.dim(text),
                Piece::Block(text) => page.block(text),
                Piece::End => page.line(format_args!("")),
            }
        }
    }
}
