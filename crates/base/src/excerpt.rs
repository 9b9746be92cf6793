//! Texts from outside, as messages show them.

/// The first characters of a text, on one line: control characters and characters that change the direction of the
/// line are escaped, and `…` marks a cut. For names and words of untrusted documents in error messages.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut excerpt = String::new();
    for (at, letter) in text.chars().enumerate() {
        if at == most {
            excerpt.push('…');
            break;
        }
        if matches!(letter, '"' | '\'' | '\\') {
            excerpt.push(letter);
        } else {
            excerpt.extend(letter.escape_debug());
        }
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_cannot_steer_a_terminal() {
        for (text, expected) in [
            ("it's \"é\"", "it's \"é\""),
            ("a\nb\u{1b}[2J", "a\\nb\\u{1b}[…"),
            ("12345678", "12345678"),
            ("123456789", "12345678…"),
            ("\u{202e}x", "\\u{202e}x"),
            ("", ""),
        ] {
            assert_eq!(excerpt(text, if text.starts_with('a') { 5 } else { 8 }), expected);
        }
    }
}
