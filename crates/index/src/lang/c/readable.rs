//! A source as the grammar can read it: without the preprocessor, and without macros that hide the shape of declarations.
//!
//! What is masked becomes a comment in the copy that the grammar sees. The walker reads the source itself, so that it still finds the
//! directive or macro there.

use super::edits::Edits;
use super::{bodies, conditions, heads, tokens};

/// The copy of a source for the grammar of C (and Objective-C) or C++; nothing where the source itself will do.
pub(crate) fn readable(source: &str, in_cpp: bool) -> Option<String> {
    let bytes = source.as_bytes();
    let mut edits = Edits::default();
    let all = tokens::tokens(bytes);
    let live = conditions::settle(bytes, &all, !in_cpp, &mut edits);
    drop(all);
    let pairs = heads::pairs(&live);
    for range in heads::mask(bytes, &live, &pairs, in_cpp, &mut edits) {
        bodies::mask(bytes, &live, &pairs, range, in_cpp, &mut edits);
    }
    bodies::mask_everywhere(bytes, &live, &pairs, &mut edits);
    edits.apply(source)
}
