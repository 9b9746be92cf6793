//! `Shown`: an answer for people: an object for programs, and lines to read.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::model::{Container, Priority, Section, Status, Template};
use crate::work::Work;
use lore_seam::{Page, Render};

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Strong(String),
    Dim(String),
    Block(String),
    End,
}

/// An object, and how it is read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shown {
    object: Value,
    pieces: Vec<Piece>,
}

impl Shown {
    /// An object that has no lines yet.
    pub fn of(object: impl Serialize) -> Self {
        Self {
            object: serde_json::to_value(object).unwrap_or_default(),
            pieces: Vec::new(),
        }
    }

    /// A line on which text is shown as it is.
    #[must_use]
    pub fn line(self, text: impl Into<String>) -> Self {
        self.text(text).end()
    }

    /// Text that stays on its line.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Text(text.into()));
        self
    }

    /// Text that stands out.
    #[must_use]
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Strong(text.into()));
        self
    }

    /// Text that stands back.
    #[must_use]
    pub fn dim(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Dim(text.into()));
        self
    }

    /// Text of several lines after an empty one; nothing of an empty text.
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

    /// The end of a line.
    #[must_use]
    pub fn end(mut self) -> Self {
        self.pieces.push(Piece::End);
        self
    }

    /// The lines of another.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    /// One line of a container, as lists have it.
    pub fn row(container: &Container) -> Self {
        let (id, kind) = (container.entity().id, container.entity().kind);
        let row = Self::of(container).dim(id.short()).text("  ");
        let row = match container {
            Container::Project(_) => row,
            Container::Feature(feature) => row.text(standing(&feature.status, feature.priority, None)),
            Container::Task(task) => row.text(standing(&task.status, task.priority, Some(task.complexity))),
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

    /// One line of a feature or a task.
    pub fn work(work: &Work) -> Self {
        Self::row(&match work.clone() {
            Work::Feature(feature) => Container::Feature(feature),
            Work::Task(task) => Container::Task(task),
        })
    }

    /// One line of a section.
    pub fn section(section: &Section) -> Self {
        Self::of(section)
            .dim(section.id.short())
            .text(format!("  {:>3}  ", section.ordinal))
            .strong(&section.title)
            .dim(format!("  {}", section.usage_description))
            .end()
    }

    /// One line of a template.
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
}

/// How far something is and how much it matters, in columns.
fn standing(status: &Status, priority: Priority, complexity: Option<i64>) -> String {
    let complexity = complexity
        .map(|complexity| format!("{complexity:>2}  "))
        .unwrap_or_default();
    format!("{:<18}  {:<6}  {complexity}", status.word(), priority.word())
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.object.serialize(serializer)
    }
}

impl JsonSchema for Shown {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Shown".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl Render for Shown {
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
