//! A streaming reader of JSON: it builds no tree, holds to RFC 8259 also in skipped values, and bounds the depth of nesting.
//!
//! The caller says what it expects: [`JsonReader::begin_object`], then [`JsonReader::next_key`] until there is none, one value after each key
//! ([`JsonReader::text`], [`JsonReader::number`], [`JsonReader::skip_value`] and others), and finally [`JsonReader::end`]. Texts and numbers are slices of the
//! input. Only a text with escapes is copied, when somebody reads it. An error has its byte, line and column.

mod error;
mod number;
mod pointer;
mod reader;
mod scan;
mod text;
mod value;

pub use self::error::{Fault, JsonError};
pub use self::number::Number;
pub use self::pointer::Pointer;
pub use self::reader::{JsonReader, Kind, MOST_LEVELS};
pub use self::text::Text;

#[cfg(test)]
mod tests;
