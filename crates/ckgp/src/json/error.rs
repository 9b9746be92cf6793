//! What is wrong with a document, and at which byte, line and column.

use std::fmt;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The bytes are not UTF-8.
    Encoding,
    /// There is nothing.
    Empty,
    /// The document ends too early.
    Ends,
    /// No value begins here.
    NoValue,
    /// A member has no key.
    NoKey,
    /// No colon stands behind a key.
    NoColon,
    /// Neither a comma nor the end of the list stands behind a value.
    NoComma(char),
    /// A character below U+0020 stands in a text as it is.
    Control,
    /// An escape that JSON does not know.
    Escape,
    /// Half of a surrogate pair, which no UTF-8 can hold.
    Surrogate,
    /// A number that is not written as JSON writes numbers.
    Number,
    /// A number that is too large to be one here.
    Range,
    /// Lists and objects are nested deeper than so many levels.
    Depth(usize),
    /// Something stands behind the value.
    Trailing,
    /// The value is of another kind than the one that was asked for.
    Kind(&'static str),
}

/// A document that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError(Box<Place>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    fault: Fault,
    offset: usize,
    line: usize,
    column: usize,
}

impl JsonError {
    /// What is wrong at this offset; a mark of byte order counts as part of the first line, but not as a column.
    #[cold]
    pub(super) fn at(bytes: &[u8], offset: usize, fault: Fault) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let begin = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = before.get(begin..).unwrap_or_default();
        let line = line.strip_prefix(super::reader::MARK).unwrap_or(line);
        // Bytes that continue a character are no columns of their own.
        let column = line.iter().filter(|byte| **byte & 0xc0 != 0x80).count() + 1;
        Self(Box::new(Place {
            fault,
            offset,
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column,
        }))
    }

    /// What is wrong.
    pub fn fault(&self) -> Fault {
        self.0.fault
    }

    /// The byte at which it is wrong, from 0.
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
        let Place {
            fault, line, column, ..
        } = &*self.0;
        write!(formatter, "{fault} (line {line}, column {column})")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Encoding => "not UTF-8",
            Self::Empty => "the file is empty",
            Self::Ends => "the document ends too early",
            Self::NoValue => "no value begins here",
            Self::NoKey => "a key in double quotes is missing",
            Self::NoColon => "a colon is missing behind a key",
            Self::NoComma(end) => return write!(formatter, "a comma or `{end}` is missing"),
            Self::Control => "a control character stands in a text and is not escaped",
            Self::Escape => "an escape that JSON does not have",
            Self::Surrogate => "half of a surrogate pair",
            Self::Number => "a number that is not written as JSON writes numbers",
            Self::Range => "a number that is too large",
            Self::Depth(most) => return write!(formatter, "nested deeper than {most} levels"),
            Self::Trailing => "something stands behind the value",
            Self::Kind(wanted) => return write!(formatter, "{wanted} is expected here"),
        })
    }
}
