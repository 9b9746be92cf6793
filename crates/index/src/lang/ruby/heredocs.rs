//! A bound on the words that end heredocs: the grammar's scanner keeps the length of such a word in a byte, and a longer one would end the
//! program.

/// Bytes that such a word may have.
const MAX_WORD: usize = 200;

/// The text without the signs that begin heredocs with longer words; `None` if there are none.
pub(super) fn without_long_words(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut copy: Option<Vec<u8>> = None;
    // Of three signs the last two can begin one.
    for at in memchr::memchr_iter(b'<', bytes).filter(|at| bytes.get(at + 1) == Some(&b'<')) {
        let rest = &bytes[at + 2..];
        let rest = match rest.first() {
            Some(b'-' | b'~') => &rest[1..],
            _ => rest,
        };
        if word_len(rest) > MAX_WORD {
            copy.get_or_insert_with(|| bytes.to_vec())[at..at + 2].fill(b' ');
        }
    }
    String::from_utf8(copy?).ok()
}

/// The bytes of a word, or of a text in quotes, at the beginning of a text; more than the bound if it is longer.
fn word_len(rest: &[u8]) -> usize {
    let shown = &rest[..rest.len().min(MAX_WORD + 2)];
    match shown.first() {
        Some(quote @ (b'"' | b'\'' | b'`')) => {
            let end = shown[1..].iter().position(|byte| byte == quote);
            end.unwrap_or(if shown.len() < rest.len() {
                MAX_WORD + 1
            } else {
                shown.len() - 1
            })
        }
        _ => {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
            shown.iter().take_while(|byte| is_part(byte)).count()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_heredocs_with_long_words_are_blanked() {
        assert_eq!(
            without_long_words("a << b\nx = <<~EOS\n  a\nEOS\nb = [] << 'c' << \"d\"\n"),
            None
        );
        let word = "A".repeat(300);
        for quote in ["", "'", "\"", "`"] {
            let text = format!("x = <<-{quote}{word}{quote}\na\n{word}\ny = <<E\nE\n");
            let expected = format!("x =   -{quote}{word}{quote}\na\n{word}\ny = <<E\nE\n");
            assert_eq!(without_long_words(&text), Some(expected), "{quote}");
        }
    }
}
