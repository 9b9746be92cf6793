//! The three kinds of answer: a value with a verdict, a stream of rows, bytes with a media type.

use std::borrow::Cow;
use std::io;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::{OpError, Page, Render};

/// Which of the three an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerKind {
    /// One value.
    Value,
    /// Rows, one after the other.
    Rows,
    /// Bytes.
    Bytes,
}

/// Whether the answer is yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// It is.
    #[default]
    Yes,
    /// It is no, and the answer says so in full.
    No,
}

/// One value.
#[derive(Debug)]
pub struct Value<T> {
    /// The value.
    pub value: T,
    /// Whether it means yes.
    pub verdict: Verdict,
}

impl<T> Value<T> {
    /// A value that means yes.
    pub fn yes(value: T) -> Self {
        Self {
            value,
            verdict: Verdict::Yes,
        }
    }

    /// A value that means no.
    pub fn no(value: T) -> Self {
        Self {
            value,
            verdict: Verdict::No,
        }
    }
}

/// Rows, made as they are asked for.
pub struct Rows<T> {
    /// The rows.
    pub rows: Box<dyn Iterator<Item = Result<T, OpError>> + Send>,
    /// What no row at all means.
    pub empty: Verdict,
    /// A remark about the rows, such as how many were left out and how to get them.
    pub note: Option<String>,
    /// Whether rows come as things happen, so that each should be shown at once.
    pub live: bool,
}

impl<T> Rows<T> {
    /// Rows that are there to be read; no row at all means `empty`.
    pub fn new(rows: impl Iterator<Item = Result<T, OpError>> + Send + 'static, empty: Verdict) -> Self {
        Self {
            rows: Box::new(rows),
            empty,
            note: None,
            live: false,
        }
    }

    /// The rows with a remark.
    #[must_use]
    pub fn with_note(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }
}

/// Bytes.
pub struct Bytes {
    /// What they are.
    pub media_type: Cow<'static, str>,
    /// The address by which they can be had too.
    pub uri: Option<String>,
    /// The bytes.
    pub content: Content,
    /// A remark about them.
    pub note: Option<String>,
    /// Whether whoever asked chose this format, so that they are given as they are where JSON is the rule.
    pub as_chosen: bool,
}

/// The bytes of an answer: there already, or made as they are written.
pub enum Content {
    /// All of them.
    Whole(Vec<u8>),
    /// Whatever this writes.
    Stream(WriteBytes),
}

/// What writes bytes as it makes them.
pub type WriteBytes = Box<dyn FnOnce(&mut dyn io::Write) -> Result<(), OpError> + Send>;

impl Bytes {
    /// Bytes that are there already.
    pub fn whole(media_type: impl Into<Cow<'static, str>>, content: Vec<u8>) -> Self {
        Self {
            media_type: media_type.into(),
            uri: None,
            content: Content::Whole(content),
            note: None,
            as_chosen: false,
        }
    }

    /// Bytes that are made as they are written.
    pub fn stream(
        media_type: impl Into<Cow<'static, str>>,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), OpError> + Send + 'static,
    ) -> Self {
        Self {
            media_type: media_type.into(),
            uri: None,
            content: Content::Stream(Box::new(write)),
            note: None,
            as_chosen: false,
        }
    }

    /// Whether they are a JSON document.
    pub fn is_json(&self) -> bool {
        let kind = self.media_type.split(';').next().unwrap_or_default();
        kind == "application/json" || kind.ends_with("+json")
    }

    /// Whether they are text.
    pub fn is_text(&self) -> bool {
        let media_type = self.media_type.to_ascii_lowercase();
        let kind = media_type.split(';').next().unwrap_or_default().trim();
        let is_medium = ["image/", "audio/", "video/"]
            .iter()
            .any(|medium| kind.starts_with(medium));
        !is_medium
            && !matches!(
                kind,
                "application/gzip" | "application/zip" | "application/pdf" | "application/octet-stream"
            )
    }
}

impl Content {
    /// Writes all of them.
    pub fn write_to(self, out: &mut dyn io::Write) -> Result<(), OpError> {
        match self {
            Self::Whole(bytes) => out.write_all(&bytes).map_err(OpError::from_write),
            Self::Stream(write) => write(out),
        }
    }
}

/// Bytes for whoever asked, or what is to be said of them once they are in a file.
pub enum Exported<T> {
    /// The bytes.
    Bytes(Bytes),
    /// They were written to a file, or there is a form that people read more easily.
    Report(Value<T>),
}

/// A value or row whose type the surfaces need not know.
pub trait View: Send {
    /// Writes it as JSON on one line.
    fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// It as JSON.
    fn to_json(&self) -> serde_json::Value;

    /// Shows it to people.
    fn show(&self, page: &mut Page);

    /// Whether whoever asked chose the format that is shown.
    fn is_as_chosen(&self) -> bool;
}

impl<T: Serialize + Render + Send> View for T {
    fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        serde_json::to_writer(out, self).map_err(io::Error::from)
    }

    fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or(serde_json::Value::Null)
    }

    fn show(&self, page: &mut Page) {
        self.render(page);
    }

    fn is_as_chosen(&self) -> bool {
        Render::is_as_chosen(self)
    }
}

/// An answer whose type the surfaces need not know.
pub enum Answer {
    /// One value.
    Value(Box<dyn View>, Verdict),
    /// Rows.
    Rows {
        /// The rows.
        rows: Box<dyn Iterator<Item = Result<Box<dyn View>, OpError>> + Send>,
        /// What no row at all means.
        empty: Verdict,
        /// A remark about the rows.
        note: Option<String>,
        /// Whether each row should be shown at once.
        live: bool,
    },
    /// Bytes.
    Bytes(Bytes),
}

/// What an operation may answer with.
pub trait Reply {
    /// Which kind it is.
    const KIND: AnswerKind;

    /// The schema of the value, or of one row; bytes have none.
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;

    /// The answer without its type.
    fn erase(self) -> Answer;
}

impl<T: Serialize + JsonSchema + Render + Send + 'static> Reply for Value<T> {
    const KIND: AnswerKind = AnswerKind::Value;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.root_schema_for::<T>())
    }

    fn erase(self) -> Answer {
        Answer::Value(Box::new(self.value), self.verdict)
    }
}

impl<T: Serialize + JsonSchema + Render + Send + 'static> Reply for Rows<T> {
    const KIND: AnswerKind = AnswerKind::Rows;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.root_schema_for::<T>())
    }

    fn erase(self) -> Answer {
        let rows = self.rows.map(|row| row.map(|row| Box::new(row) as Box<dyn View>));
        Answer::Rows {
            rows: Box::new(rows),
            empty: self.empty,
            note: self.note,
            live: self.live,
        }
    }
}

impl Reply for Bytes {
    const KIND: AnswerKind = AnswerKind::Bytes;

    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn erase(self) -> Answer {
        Answer::Bytes(self)
    }
}

impl<T: Serialize + JsonSchema + Render + Send + 'static> Reply for Exported<T> {
    const KIND: AnswerKind = AnswerKind::Bytes;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Value::<T>::schema(generator)
    }

    fn erase(self) -> Answer {
        match self {
            Self::Bytes(bytes) => Answer::Bytes(bytes),
            Self::Report(report) => report.erase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_known_by_their_media_type() {
        for (media_type, is_json) in [
            ("application/json", true),
            ("application/ld+json", true),
            ("application/sparql-results+json; charset=utf-8", true),
            ("application/n-quads", false),
            ("application/x-ndjson", false),
            ("text/csv; charset=utf-8", false),
        ] {
            assert_eq!(Bytes::whole(media_type, Vec::new()).is_json(), is_json, "{media_type}");
        }
    }
}
