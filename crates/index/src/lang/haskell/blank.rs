//! Constructs that the grammar cannot parse are rewritten, byte for byte, before parsing: tabs, escaped characters,
//! and the other branches of the C preprocessor.
//!
//! The grammar skips what follows `#else`. Declarations there are as good as those before it, so between branches that begin at
//! the left margin the `#else` becomes one more `#if`, which the grammar reads over alone. A branch that begins further in, or after
//! which the source goes on further in, is part of a declaration, and two versions of a part would make no sense one after the other.

/// A line with the byte where it begins.
type Line<'s> = (usize, &'s str);

/// A source in which tabs are spaces, escaped characters are texts, and `#else` and `#elif` between declarations are one more `#if`.
pub(super) fn blank(source: &str) -> Option<String> {
    let parted = parted(source);
    let has_tab = memchr::memchr(b'\t', source.as_bytes()).is_some();
    let has_escape = memchr::memmem::find(source.as_bytes(), br"'\").is_some();
    if parted.is_empty() && !has_tab && !has_escape {
        return None;
    }
    let mut bytes = source.as_bytes().to_vec();
    for start in parted {
        rewrite(&mut bytes, start);
    }
    // The grammar takes a tab at the beginning of a line for the end of a declaration.
    for byte in &mut bytes {
        if *byte == b'\t' {
            *byte = b' ';
        }
    }
    if has_escape {
        escaped_characters(&mut bytes);
    }
    String::from_utf8(bytes).ok()
}

/// Bytes of the longest escape, as in `'\x10FFFF'`.
const MAX_ESCAPE: usize = 10;

/// Makes texts of characters with a backslash: the grammar loses its way in what follows them.
fn escaped_characters(bytes: &mut [u8]) {
    let mut goes_on = false;
    for line in bytes.split_mut(|byte| *byte == b'\n') {
        // A text that goes on over lines leaves off and begins again with a backslash.
        let mut in_text = goes_on && line.trim_ascii_start().starts_with(b"\\");
        goes_on = line.trim_ascii_end().ends_with(b"\\");
        let mut at = 0;
        while let Some(byte) = line.get(at).copied() {
            let is_after_name = at
                .checked_sub(1)
                .and_then(|before| line.get(before))
                .is_some_and(is_name);
            match byte {
                b'\\' if in_text => at += 1,
                b'"' => in_text = !in_text,
                b'\'' if !in_text && !is_after_name => at += character(line, at),
                _ => {}
            }
            at += 1;
        }
    }
}

fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'')
}

/// Rewrites the character that begins at a quote, if it is one and needs it; how many bytes it has after the quote.
fn character(line: &mut [u8], quote: usize) -> usize {
    let is_escaped = line.get(quote + 1) == Some(&b'\\');
    let first = if is_escaped { quote + 3 } else { quote + 2 };
    let end = (first..first + MAX_ESCAPE).find(|end| line.get(*end) == Some(&b'\''));
    match end {
        Some(end) if is_escaped => {
            for at in [quote, end] {
                if let Some(byte) = line.get_mut(at) {
                    *byte = b'"';
                }
            }
            end - quote
        }
        Some(end) if end == quote + 2 => 2,
        _ => 0,
    }
}

/// Where the lines with `#else` and `#elif` begin that part declarations.
fn parted(source: &str) -> Vec<usize> {
    let mut changes = Vec::new();
    // By nesting: whether all branches so far begin at the left margin, and the directives that part them.
    let mut groups: Vec<(bool, Vec<usize>)> = Vec::new();
    let mut lines = lines(source).peekable();
    while let Some((start, line)) = lines.next() {
        let Some(directive) = line.strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        let goes_on = lines.peek().is_some_and(|(_, next)| next.starts_with([' ', '\t', ',']));
        if directive.starts_with("if") {
            groups.push((true, Vec::new()));
        } else if directive.starts_with("el")
            && let Some((_, parted)) = groups.last_mut()
        {
            parted.push(start);
        } else if directive.starts_with("endif")
            && let Some((true, parted)) = groups.pop()
            && !goes_on
        {
            changes.extend(parted);
            continue;
        }
        if let Some((at_margin, _)) = groups.last_mut().filter(|_| !directive.starts_with("endif")) {
            *at_margin &= !goes_on;
        }
    }
    changes
}

/// The lines that are not blank, each without trailing white space.
fn lines(source: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    source
        .split_inclusive('\n')
        .map(move |line| {
            let here = start;
            start += line.len();
            (here, line.trim_end())
        })
        .filter(|(_, line)| !line.is_empty())
}

/// Makes a line that begins with `#else` or `#elif` begin with `#if`.
fn rewrite(bytes: &mut [u8], start: usize) {
    let Some(line) = bytes.get_mut(start..) else {
        return;
    };
    let Some(word) = line.windows(2).position(|two| two == b"el") else {
        return;
    };
    // `#else` is as long as `#if 1`, whatever is between the sign and the word.
    let condition: &[u8] = if line.get(word..word + 4) == Some(b"else") {
        b"1"
    } else {
        b" "
    };
    if let Some(directive) = line.get_mut(..word + 4) {
        directive.fill(b' ');
        for (byte, new) in directive.iter_mut().zip(b"#if") {
            *byte = *new;
        }
        if let (Some(last), Some(new)) = (directive.last_mut(), condition.first()) {
            *last = *new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_in_every_branch_are_read() {
        let source = "#if A\nf = 1\n#elif B\nf = 2\n# else\nf = 3\n#endif\n";
        let expected = "#if A\nf = 1\n#if   B\nf = 2\n#if  1\nf = 3\n#endif\n";
        assert_eq!(blank(source).as_deref(), Some(expected));
    }

    #[test]
    fn escaped_characters_are_texts() {
        for (source, expected) in [
            (r"f '\n' '\'' '\x41' = g '\\'", Some(r#"f "\n" "\'" "\x41" = g "\\""#)),
            (r#"f = "'\n'" ++ ['"', '\t']"#, Some(r#"f = "'\n'" ++ ['"', "\t"]"#)),
            (
                "f = \"a\\\n  \\'\\n'\" : '\\n'",
                Some("f = \"a\\\n  \\'\\n'\" : \"\\n\""),
            ),
            (r"f = foldl'\x -> 'x", Some(r"f = foldl'\x -> 'x")),
            ("f = 'a'", None),
        ] {
            assert_eq!(blank(source).as_deref(), expected);
        }
    }

    #[test]
    fn parts_of_declarations_are_left() {
        assert_eq!(blank("f = g\n#if A\n  1\n#else\n  2\n#endif\n"), None);
        assert_eq!(blank("f = g\n#if A\n  1\n#endif\n"), None);
        assert_eq!(blank("#if A\nf =\n#else\ng =\n#endif\n  1\n"), None);
        let nested = "#if A\nf = 1\n#else\nf = g\n#if B\n  2\n#else\n  3\n#endif\n#endif\n";
        let expected = "#if A\nf = 1\n#if 1\nf = g\n#if B\n  2\n#else\n  3\n#endif\n#endif\n";
        assert_eq!(blank(nested).as_deref(), Some(expected));
    }
}
