//! Quoted scalars that continue on lines without indentation: other readers accept them, the grammar does not.
//!
//! All but the first line of such a scalar is masked, byte for byte, up to the closing quote. If that quote is too
//! far to the left, the first line gets a closing quote. The scalar stays a value, and its lines count as in the
//! source.

/// Lines that a scalar may go on for.
const MAX_LINES: usize = 500;

/// The text with such scalars cut short, if there are any.
pub(super) fn blank_outdented(source: &str) -> Option<String> {
    let mut blanked: Option<Vec<u8>> = None;
    // How far the line is indented that opened the block scalar we are in.
    let mut block: Option<usize> = None;
    let mut at = 0;
    while at < source.len() {
        let end = line_end(source, at);
        let line = &source[at..end];
        let next = end + 1;
        let indentation = indentation(line);
        let is_blank = line.trim().is_empty();
        if is_blank || block.is_some_and(|block| indentation > block) {
            at = next;
            continue;
        }
        block = None;
        let (column, value) = value(line);
        match value.bytes().next() {
            Some(b'|' | b'>') => block = Some(indentation),
            Some(quote @ (b'"' | b'\'')) => {
                let opening = end - value.len();
                if let Some(closing) = close(source, opening, quote).filter(|closing| *closing > end) {
                    if is_outdented(source, next, closing, column) && is_rest_empty(source, closing) {
                        let copy = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
                        let start = source[..closing].rfind('\n').map_or(0, |newline| newline + 1);
                        shorten(copy, opening, end, closing, closing - start > column);
                    }
                    at = line_end(source, closing) + 1;
                    continue;
                }
            }
            _ => {}
        }
        at = next;
    }
    String::from_utf8(blanked?).ok()
}

fn line_end(source: &str, at: usize) -> usize {
    let rest = source.as_bytes().get(at..).unwrap_or_default();
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// What a line gives to its key or item, to its end, and the column of that.
fn value(line: &str) -> (usize, &str) {
    let mut rest = line.trim_start_matches(' ');
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start_matches(' ');
    }
    let column = line.len() - rest.len();
    let value = if rest.starts_with(['"', '\'']) {
        rest
    } else {
        rest.split_once(": ")
            .map_or("", |(_, value)| value.trim_start_matches(' '))
    };
    (column, value)
}

/// Where the quote closes that opens at a byte, if it does so soon.
fn close(source: &str, opening: usize, quote: u8) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut lines = 0;
    let mut at = opening + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\n' => {
                lines += 1;
                if lines > MAX_LINES {
                    return None;
                }
            }
            byte if *byte == quote => {
                if quote == b'\'' && bytes.get(at + 1) == Some(&quote) {
                    at += 1;
                } else {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether a line from `start` to the one with the closing quote is indented no further than the key.
fn is_outdented(source: &str, start: usize, closing: usize, column: usize) -> bool {
    let lines = source.get(start..closing + 1).unwrap_or("").split('\n');
    lines
        .filter(|line| !line.trim().is_empty())
        .any(|line| indentation(line) <= column)
}

/// Whether only a comment follows the closing quote.
fn is_rest_empty(source: &str, closing: usize) -> bool {
    let rest = source.get(closing + 1..line_end(source, closing)).unwrap_or("").trim();
    rest.is_empty() || rest.starts_with('#')
}

/// Blanks out all but the first line, and closes that unless the closing quote may stay.
fn shorten(copy: &mut [u8], opening: usize, end: usize, closing: usize, stays: bool) {
    for byte in &mut copy[end..closing] {
        if !matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    if stays {
        return;
    }
    let quote = copy[opening];
    copy[closing] = b' ';
    // A character of several bytes before the quote would be cut.
    let mut last = end - 1;
    while last > opening && copy[last] & 0b1100_0000 == 0b1000_0000 {
        copy[last] = b' ';
        last -= 1;
    }
    copy[last] = if last > opening { quote } else { b'x' };
    // A sign before the quote would take its meaning.
    while last > opening + 1 && copy[last - 1] == b'\\' {
        last -= 1;
        copy[last] = b' ';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_outdented_is_cut_short() {
        for (source, expected) in [
            ("a: \"b c\nd\"\ne: 1\n", Some("a: \"b c\n \"\ne: 1\n")),
            ("- a: 'b\n  it''s'\n", Some("- a: 'b\n       '\n")),
            ("a: \"b ß\n\"\n", Some("a: \"b \" \n \n")),
            ("a: \"\n\"\n", Some("a: x\n \n")),
            ("a: \"b,\\\n\"\n", Some("a: \"b,\"\n \n")),
            ("a: \"b\n  c\"\nd: 1\n", None),
            ("a: |\n  b: \"c\n  d\n", None),
            ("a: \"b\" \"c\nd\"\n", None),
            ("a: it's\nb: \"open\n", None),
        ] {
            let blanked = blank_outdented(source);
            assert_eq!(blanked.as_deref(), expected, "{source}");
            assert!(blanked.is_none_or(|blanked| blanked.len() == source.len()));
        }
    }
}
