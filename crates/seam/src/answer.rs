//! The three kinds of answer: a value with a verdict, a stream of rows, and bytes with a media type.

use std::borrow::Cow;
use std::io;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::{OpError, Page, Render};

/// The kind of answer that an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerKind {
    /// One value: [`Value`].
    Value,
    /// A stream of rows: [`Rows`].
    Rows,
    /// Bytes with a media type: [`Bytes`].
    Bytes,
}

/// Whether the answer means yes or no. On the command line, no is exit code 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// The answer is yes, or the question has no verdict.
    #[default]
    Yes,
    /// The answer is no, and the value explains why. This is not an error.
    No,
}

/// One value with a verdict.
#[derive(Debug)]
pub struct Value<T> {
    /// The answer itself.
    pub value: T,
    /// Whether the value means yes.
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

/// Rows, produced lazily.
pub struct Rows<T> {
    /// The rows. Surfaces stop at the first `Err`.
    pub rows: Box<dyn Iterator<Item = Result<T, OpError>> + Send>,
    /// The verdict if there is no row.
    pub empty: Verdict,
    /// A remark about the rows, such as how many were omitted and how to get them.
    pub note: Option<String>,
    /// Whether rows arrive over time, so that surfaces must show each immediately.
    pub live: bool,
}

impl<T> Rows<T> {
    /// Rows that can be read at once. `empty` is the verdict if there is none.
    pub fn new(rows: impl Iterator<Item = Result<T, OpError>> + Send + 'static, empty: Verdict) -> Self {
        Self {
            rows: Box::new(rows),
            empty,
            note: None,
            live: false,
        }
    }

    /// Adds a remark.
    #[must_use]
    pub fn with_note(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }
}

/// Bytes with a media type, such as an export.
pub struct Bytes {
    /// The media type of the content.
    pub media_type: Cow<'static, str>,
    /// The URI under which the same content is available, if there is one.
    pub uri: Option<String>,
    /// The content itself.
    pub content: Content,
    /// A remark about the content.
    pub note: Option<String>,
    /// Whether the caller chose the format. The bytes are then returned unchanged even where JSON is the default.
    pub as_chosen: bool,
}

/// The content of [`Bytes`]: complete, or produced while it is written.
pub enum Content {
    /// Complete in memory.
    Whole(Vec<u8>),
    /// Produced by a function that writes it.
    Stream(WriteBytes),
}

/// Writes bytes while it produces them.
pub type WriteBytes = Box<dyn FnOnce(&mut dyn io::Write) -> Result<(), OpError> + Send>;

impl Bytes {
    /// Bytes that are complete in memory.
    pub fn whole(media_type: impl Into<Cow<'static, str>>, content: Vec<u8>) -> Self {
        Self {
            media_type: media_type.into(),
            uri: None,
            content: Content::Whole(content),
            note: None,
            as_chosen: false,
        }
    }

    /// Bytes that are produced while they are written.
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

    /// Whether the media type is a JSON document.
    pub fn is_json(&self) -> bool {
        let kind = self.media_type.split(';').next().unwrap_or_default();
        kind == "application/json" || kind.ends_with("+json")
    }

    /// Whether the media type is text.
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
    /// Writes the whole content.
    pub fn write_to(self, out: &mut dyn io::Write) -> Result<(), OpError> {
        match self {
            Self::Whole(bytes) => out.write_all(&bytes).map_err(OpError::from_write),
            Self::Stream(write) => write(out),
        }
    }
}

/// The answer of an export: the bytes, or a report if the bytes went to a file.
pub enum Exported<T> {
    /// The exported bytes.
    Bytes(Bytes),
    /// A report about the written file, or a human-readable form.
    Report(Value<T>),
}

/// A type-erased value or row. Surfaces can print it without knowing its type.
pub trait View: Send {
    /// Writes the value as JSON on one line.
    fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// The value as JSON.
    fn to_json(&self) -> serde_json::Value;

    /// Writes the human-readable form to a page.
    fn show(&self, page: &mut Page);

    /// Whether the caller chose the format that [`View::show`] writes.
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

/// A type-erased answer. Surfaces can print it without knowing its type.
pub enum Answer {
    /// One value with its verdict.
    Value(Box<dyn View>, Verdict),
    /// A stream of rows.
    Rows {
        /// The rows. Surfaces stop at the first `Err`.
        rows: Box<dyn Iterator<Item = Result<Box<dyn View>, OpError>> + Send>,
        /// The verdict if there is no row.
        empty: Verdict,
        /// A remark about the rows.
        note: Option<String>,
        /// Whether each row must be shown immediately.
        live: bool,
    },
    /// Bytes with a media type.
    Bytes(Bytes),
}

/// A type that an operation can answer with.
pub trait Reply {
    /// The kind of answer.
    const KIND: AnswerKind;

    /// The JSON schema of the value, or of one row; `None` for bytes.
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;

    /// Erases the type.
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
