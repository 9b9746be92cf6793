//! Groovy as tokens: words, numbers, texts of all six sorts, signs and comments.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Word,
    Number,
    Text,
    /// One byte, or `->`.
    Sign,
    Comment,
}

/// A token, as a range of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) sort: Sort,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether a line ends between the token before, or the beginning, and this one.
    pub(super) begins_line: bool,
}

/// Words after which a value comes, so that a slash begins a text.
const BEFORE_VALUES: &[&[u8]] = &[b"return", b"in", b"assert", b"case", b"throw", b"else", b"as"];

/// The tokens of a source, in order.
pub(super) fn tokens(bytes: &[u8]) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = if bytes.starts_with(b"#!") { line_len(bytes) } else { 0 };
    let mut begins_line = true;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            begins_line |= *byte == b'\n';
            at += 1;
            continue;
        }
        let rest = &bytes[at..];
        let (sort, len) = match rest {
            [b'/', b'/', ..] => (Sort::Comment, line_len(rest)),
            [b'/', b'*', ..] => (Sort::Comment, to_end_of(rest, 2, b"*/")),
            [b'\'', b'\'', b'\'', ..] => (Sort::Text, quoted_len(rest, 3, b"'''")),
            [b'"', b'"', b'"', ..] => (Sort::Text, quoted_len(rest, 3, b"\"\"\"")),
            [b'\'', ..] => (Sort::Text, quoted_len(rest, 1, b"'")),
            [b'"', ..] => (Sort::Text, quoted_len(rest, 1, b"\"")),
            [b'$', b'/', ..] => (Sort::Text, to_end_of(rest, 2, b"/$")),
            [b'/', ..] if begins_text(bytes, at, &found) => (Sort::Text, slashy_len(rest)),
            [b'-', b'>', ..] => (Sort::Sign, 2),
            [b'0'..=b'9', ..] => (Sort::Number, number_len(rest)),
            [byte, ..] if is_name(byte) => (Sort::Word, rest.iter().take_while(|byte| is_name(byte)).count()),
            _ => (Sort::Sign, 1),
        };
        let end = at + len.max(1);
        found.push(Token {
            sort,
            start: at,
            end,
            begins_line,
        });
        begins_line = false;
        at = end;
    }
    found
}

pub(super) fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Bytes up to the end of the line.
fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())
}

/// Bytes up to the end of the next `end`, which is looked for from `from` on.
fn to_end_of(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    memchr::memmem::find(&bytes[from..], end).map_or(bytes.len(), |at| from + at + end.len())
}

/// The length of a text between quotes; one quote alone ends on its line. In double quotes, `${ … }` may hold further quotes.
fn quoted_len(bytes: &[u8], from: usize, quote: &[u8]) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' if quote.len() == 1 => return at,
            b'$' if quote.starts_with(b"\"") && bytes.get(at + 1) == Some(&b'{') => {
                at += substitution_len(&bytes[at..])
            }
            _ if bytes[at..].starts_with(quote) => return at + quote.len(),
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The length of `${ … }` with braces and simple quotes inside; two if it is not closed nearby.
fn substitution_len(bytes: &[u8]) -> usize {
    const NEAR: usize = 2_000;
    let near = &bytes[..bytes.len().min(NEAR)];
    let mut depth = 0;
    let mut at = 1;
    while let Some(byte) = near.get(at) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\\' => at += 1,
            quote @ (b'\'' | b'"') => {
                let rest = &near[at + 1..];
                match rest.iter().position(|byte| byte == quote || *byte == b'\n') {
                    Some(end) if rest[end] == *quote => at += end + 1,
                    _ => return 2,
                }
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    2
}

/// Whether a slash begins a string: it does if no value precedes it.
fn begins_text(bytes: &[u8], at: usize, before: &[Token]) -> bool {
    let next = bytes.get(at + 1);
    if matches!(next, None | Some(b'\n' | b'\t')) {
        return false;
    }
    let Some(last) = before.iter().rfind(|token| token.sort != Sort::Comment) else {
        return true;
    };
    let text = &bytes[last.start..last.end];
    let after_value = match last.sort {
        Sort::Word => !BEFORE_VALUES.contains(&text),
        Sort::Number | Sort::Text => true,
        Sort::Sign => matches!(text, b")" | b"]" | b"}"),
        Sort::Comment => false,
    };
    if !after_value {
        return true;
    }
    // `split /,/` is a call with a text; `a / b` and `a/b` are not.
    let is_argument = last.sort == Sort::Word && last.end < at && !matches!(next, Some(b' ' | b'='));
    is_argument && slashy_len(&bytes[at..]) > 1 && !bytes[at..at + slashy_len(&bytes[at..])].contains(&b'\n')
}

/// The length of a string between slashes, or of the first slash alone if there is no other.
fn slashy_len(bytes: &[u8]) -> usize {
    const NEAR: usize = 5_000;
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'/' => return at + 1,
            _ if at > NEAR => break,
            _ => at += 1,
        }
    }
    1
}

fn number_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let goes_on = match byte {
            b'.' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit) && bytes[at - 1] != b'.',
            b'+' | b'-' => {
                let is_hex = bytes.starts_with(b"0x") || bytes.starts_with(b"0X");
                !is_hex && matches!(bytes[at - 1], b'e' | b'E') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
            }
            byte => byte.is_ascii_alphanumeric() || *byte == b'_',
        };
        if !goes_on {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        let tokens = tokens(source.as_bytes());
        let texts = tokens.iter().filter(|token| token.sort == Sort::Text);
        texts.map(|token| &source[token.start..token.end]).collect()
    }

    #[test]
    fn texts_of_all_sorts() {
        assert_eq!(texts("a = 'b' + \"c${d['e']}f\""), ["'b'", "\"c${d['e']}f\""]);
        assert_eq!(
            texts("'''a\n'b''' \"\"\"c\n\"d\"\"\""),
            ["'''a\n'b'''", "\"\"\"c\n\"d\"\"\""]
        );
        assert_eq!(texts("x =~ /a\\/b/ ; y = $/c/d/$"), ["/a\\/b/", "$/c/d/$"]);
        assert_eq!(texts("'open\n'b'"), ["'open", "'b'"]);
    }

    #[test]
    fn slashes_that_divide() {
        assert_eq!(texts("a / b / c; a/b/c; f(x)/2/3; 4 /2/ 1"), Vec::<&str>::new());
        assert_eq!(texts("s.split /,/\nreturn /a/\nf(/b/)"), ["/,/", "/a/", "/b/"]);
    }

    #[test]
    fn numbers_and_ranges() {
        let source = "1..2 1.5e-3 0x1F 1_000L 1.abs()";
        let tokens = tokens(source.as_bytes());
        let numbers = tokens.iter().filter(|token| token.sort == Sort::Number);
        let numbers: Vec<_> = numbers.map(|token| &source[token.start..token.end]).collect();
        assert_eq!(numbers, ["1", "2", "1.5e-3", "0x1F", "1_000L", "1"]);
    }
}
