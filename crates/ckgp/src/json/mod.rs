//! A reader of JSON that makes no tree: one value after the other from bytes, bounded in depth (clauses J1, J2, S6).
//!
//! Whoever reads says what it expects: [`Reader::begin_object`], [`Reader::next_key`] until there is none, for every key one of [`Reader::text`],
//! [`Reader::number`], [`Reader::skip_value`] and the others, and at last [`Reader::end`]. The grammar is that of RFC 8259 to the letter, also inside of what is
//! skipped. Texts and numbers are slices of the bytes; nothing is allocated before somebody asks for the text of an escape.

mod error;
mod number;
mod reader;
mod scan;
mod text;
mod value;

pub use self::error::{Fault, JsonError};
pub use self::number::Number;
pub use self::reader::{Kind, MOST_LEVELS, Reader};
pub use self::text::Text;

#[cfg(test)]
mod tests;
