//! A bound on the depth of blocks: the grammar's scanner keeps the columns of all open ones in a space of fixed size, and a file that
//! overruns it would end the program.
//!
//! While it recovers from an error the scanner takes every `-`, `?` and `:` that a blank follows for a block, so all of them are counted here.

/// Columns that may be open at once. The scanner has room for 253 blocks, and two may begin at one column.
const MAX_OPEN: usize = 100;

/// The text with lines that would open too many blocks masked after their first sign, up to the line where the
/// indentation alone does so; `None` if there are none.
pub(super) fn bounded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut copy: Option<Vec<u8>> = None;
    let mut open: Vec<usize> = Vec::new();
    let mut signs: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |len| at + len);
        let line = &bytes[at..end];
        let Some(first) = line.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            at = end + 1;
            continue;
        };
        while open.pop_if(|column| *column >= first).is_some() {}
        open.push(first);
        if open.len() > MAX_OPEN {
            let mut copy = copy.unwrap_or_else(|| bytes.to_vec());
            copy.truncate(at);
            return String::from_utf8(copy).ok();
        }
        find_signs(line, &mut signs);
        if open.len() + signs.len() > MAX_OPEN {
            if let Some(sign) = signs.first() {
                let copy = copy.get_or_insert_with(|| bytes.to_vec());
                write_over(&mut copy[at + sign + 1..end]);
            }
        } else {
            open.extend(signs.iter().filter(|sign| **sign > first));
        }
        at = end + 1;
    }
    String::from_utf8(copy?).ok()
}

/// The columns of the signs of a line that a blank follows.
fn find_signs(line: &[u8], signs: &mut Vec<usize>) {
    signs.clear();
    for (at, byte) in line.iter().enumerate() {
        let is_sign = matches!(byte, b'-' | b'?' | b':');
        if is_sign && line.get(at + 1).is_none_or(u8::is_ascii_whitespace) {
            signs.push(at);
        }
    }
}

/// One plain word in place of everything.
fn write_over(rest: &mut [u8]) {
    let mut is_word = false;
    for byte in rest {
        if is_word || !byte.is_ascii_whitespace() {
            is_word = true;
            if *byte != b'\r' {
                *byte = b'x';
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_too_deep_is_written_over() {
        assert_eq!(bounded("a:\n  - b: {c: 1, d: 2}\n"), None);
        let flow = format!("a: {{{}}}\nb: 1\n", "c: 1, ".repeat(200));
        let expected = format!("a: {}\nb: 1\n", "x".repeat(6 * 200 + 2));
        assert_eq!(bounded(&flow), Some(expected));
        assert_eq!(bounded(&"- ".repeat(5_000)), Some(format!("- {}", "x".repeat(9_998))));
        let stairs: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let read = bounded(&stairs).unwrap_or_default();
        assert_eq!(read.lines().count(), MAX_OPEN);
    }
}
