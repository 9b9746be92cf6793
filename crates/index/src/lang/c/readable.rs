//! A source as the grammar can read it: without the preprocessor, and without macros that hide the shape of declarations.
//!
//! What is masked becomes a comment in the copy that the grammar sees. The walker reads the source itself, so that it still finds the
//! directive or macro there.

use super::edits::Edits;
use super::heads::Declarations;
use super::view::{self, View};
use super::{bodies, conditions, everywhere, heads, tokens};

/// The copy of a source for the grammar of C (and Objective-C) or C++; nothing where the source itself will do.
pub(crate) fn readable(source: &str, in_cpp: bool) -> Option<String> {
    let bytes = source.as_bytes();
    let mut edits = Edits::default();
    let all = tokens::tokens(bytes);
    let live = conditions::settle(bytes, &all, !in_cpp, &mut edits);
    drop(all);
    let view = View {
        source: bytes,
        tokens: &live,
        pairs: &view::pairs(&live),
        in_cpp,
    };
    let mut parts = vec![Declarations {
        first: 0,
        end: live.len(),
        class: None,
    }];
    // Bodies hold classes, whose methods have bodies.
    while let Some(part) = parts.pop() {
        for body in heads::mask(view, &part, &mut edits) {
            parts.extend(bodies::mask(view, body, &mut edits));
        }
    }
    everywhere::mask(view, &mut edits);
    edits.apply(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn show() {
        for file in std::env::var("SHOW").unwrap_or_default().split(' ') {
            let Ok(source) = std::fs::read_to_string(file) else { continue };
            println!("{}", readable(&source, file.ends_with("pp") || file.ends_with("cc")).unwrap_or(source));
        }
    }
}
