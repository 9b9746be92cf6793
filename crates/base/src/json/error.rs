//! Errors in a document, each with its byte, line and column.

use std::fmt;

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The bytes are not UTF-8.
    Encoding,
    /// The document has only white space.
    Empty,
    /// The document ends too early.
    Ends,
    /// A value is missing.
    NoValue,
    /// A key in double quotes is missing.
    NoKey,
    /// The colon after a key is missing.
    NoColon,
    /// A comma or this closing bracket is missing.
    NoComma(char),
    /// A control character in a text is not escaped.
    Control,
    /// An escape that JSON does not have.
    Escape,
    /// Half of a surrogate pair, which UTF-8 cannot encode.
    Surrogate,
    /// A number that does not follow JSON's grammar.
    Number,
    /// A number that is too large for its type.
    Range,
    /// Lists and objects nest deeper than so many levels.
    Depth(usize),
    /// Something follows the value.
    Trailing,
    /// The value is not of the expected kind.
    Kind(&'static str),
}

/// A document that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError(Box<ErrorPosition>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct ErrorPosition {
    fault: Fault,
    offset: usize,
    line: usize,
    column: usize,
}

impl JsonError {
    /// A fault at this offset. A byte order mark is part of the first line, but not a column.
    #[cold]
    pub(super) fn at(bytes: &[u8], offset: usize, fault: Fault) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let begin = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = before.get(begin..).unwrap_or_default();
        let line = line.strip_prefix(super::reader::MARK).unwrap_or(line);
        // A character has one column, so its continuation bytes do not count.
        let column = line.iter().filter(|byte| **byte & 0xc0 != 0x80).count() + 1;
        Self(Box::new(ErrorPosition {
            fault,
            offset,
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column,
        }))
    }

    /// The kind of the error.
    pub fn fault(&self) -> Fault {
        self.0.fault
    }

    /// The byte, from 0.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The character in the line, from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }
}

impl std::error::Error for JsonError {}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorPosition {
            fault, line, column, ..
        } = &*self.0;
        write!(formatter, "{fault} (line {line}, column {column})")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Encoding => "not UTF-8",
            Self::Empty => "the document is empty",
            Self::Ends => "the document ends too early",
            Self::NoValue => "a value is expected here",
            Self::NoKey => "a key in double quotes is expected here",
            Self::NoColon => "a colon is missing after the key",
            Self::NoComma(end) => return write!(formatter, "a comma or `{end}` is missing"),
            Self::Control => "a control character in a string is not escaped",
            Self::Escape => "unknown escape in a string",
            Self::Surrogate => "half of a surrogate pair in a string",
            Self::Number => "invalid number",
            Self::Range => "the number is too large",
            Self::Depth(most) => return write!(formatter, "nested deeper than {most} levels"),
            Self::Trailing => "unexpected text after the value",
            Self::Kind(wanted) => return write!(formatter, "{wanted} is expected here"),
        })
    }
}
