//! JSON Pointers (RFC 6901) to places of a body, and quotations of its texts in messages.

use std::fmt::Write;

use super::walk::Frame;

/// Characters of a pointer in a message: keys are third-party text.
const MOST_POINTER: usize = 256;
/// Characters of a text that are repeated.
const MOST_SHOWN: usize = 60;

/// The pointer to the place of the innermost frame.
pub(super) fn pointer(frames: &[Frame<'_>]) -> String {
    let mut pointer = String::new();
    let mut left = MOST_POINTER;
    for frame in frames {
        pointer.push('/');
        if !frame.is_object {
            let _ = write!(pointer, "{}", frame.index.saturating_sub(1));
            continue;
        }
        for letter in frame.key.letters() {
            if left == 0 {
                pointer.push('…');
                return pointer;
            }
            left -= 1;
            match letter {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                '\'' | '"' | '\\' => pointer.push(letter),
                _ => pointer.extend(letter.escape_debug()),
            }
        }
    }
    pointer
}

/// A text in quotes: cut short, with no character that does not show.
pub(super) fn quoted(letters: impl Iterator<Item = char>) -> String {
    let mut letters = letters.peekable();
    let mut quoted = String::from('"');
    for letter in letters.by_ref().take(MOST_SHOWN) {
        match letter {
            '\'' => quoted.push(letter),
            _ => quoted.extend(letter.escape_debug()),
        }
    }
    if letters.peek().is_some() {
        quoted.push('…');
    }
    quoted.push('"');
    quoted
}
