//! JSON Pointers (RFC 6901): places in a document.

use std::fmt;

/// A place in a document, as a list of steps from the innermost one outwards, so that a walk allocates nothing.
#[derive(Clone, Copy, Debug)]
pub enum Pointer<'p> {
    /// The whole document.
    Root,
    /// The member of an object.
    Key(&'p Pointer<'p>, &'p str),
    /// The item of a list.
    Item(&'p Pointer<'p>, usize),
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, key) => write!(formatter, "{parent}/{}", escaped(key)),
            Self::Item(parent, at) => write!(formatter, "{parent}/{at}"),
        }
    }
}

/// A key as a step of a pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
