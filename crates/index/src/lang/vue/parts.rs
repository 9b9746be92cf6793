//! A single-file component → its scripts, and the comments outside them.

use std::ops::Range;

/// A part of a component that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lang) enum Part {
    /// The text inside a `<script>`.
    Script,
    /// A comment of the template or of a style.
    Comment,
}

/// The parts of a component, in source order.
pub(in crate::lang) fn parts(source: &str) -> Vec<(Part, Range<usize>)> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &bytes[at..]).map(|offset| at + offset) {
        if bytes[open..].starts_with(b"<!--") {
            let end = find(bytes, open + 4, b"-->").map_or(bytes.len(), |end| end + 3);
            found.push((Part::Comment, open..end));
            at = end;
        } else if let Some(body) = body_of(bytes, open, b"script") {
            found.push((Part::Script, body.clone()));
            at = body.end;
        } else if let Some(body) = body_of(bytes, open, b"style") {
            style_comments(bytes, body.clone(), &mut found);
            at = body.end;
        } else {
            at = open + 1;
        }
    }
    found
}

/// The content between `<name …>` at a byte and `</name`, which can be missing.
fn body_of(bytes: &[u8], open: usize, name: &[u8]) -> Option<Range<usize>> {
    let after = open + 1 + name.len();
    if !bytes.get(open + 1..after)?.eq_ignore_ascii_case(name) {
        return None;
    }
    if !matches!(bytes.get(after)?, b'>' | b' ' | b'\t' | b'\n' | b'\r' | b'/') {
        return None;
    }
    // A `>` in a quoted attribute does not end the tag.
    let mut quote = None;
    let mut at = after;
    loop {
        let byte = *bytes.get(at)?;
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if byte == b'>' => break,
            None => {}
        }
        at += 1;
    }
    let start = at + 1;
    if bytes[at - 1] == b'/' {
        return Some(start..start);
    }
    let mut from = start;
    while let Some(close) = find(bytes, from, b"</") {
        if bytes
            .get(close + 2..close + 2 + name.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(name))
        {
            return Some(start..close);
        }
        from = close + 2;
    }
    Some(start..bytes.len())
}

fn style_comments(bytes: &[u8], body: Range<usize>, found: &mut Vec<(Part, Range<usize>)>) {
    let mut at = body.start;
    while let Some(open) = find(&bytes[..body.end], at, b"/*") {
        let end = find(&bytes[..body.end], open + 2, b"*/").map_or(body.end, |end| end + 2);
        found.push((Part::Comment, open..end));
        at = end;
    }
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes.get(from..)?, wanted).map(|offset| from + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<(Part, &str)> {
        parts(source)
            .into_iter()
            .map(|(part, range)| (part, &source[range]))
            .collect()
    }

    #[test]
    fn scripts_and_comments_are_found() {
        let source =
            "<!-- a --><Script setup generic=\"T extends A<B>\">let x = '<!--';</script>\n<style>a { /* b */ }</style>";
        assert_eq!(
            texts(source),
            [
                (Part::Comment, "<!-- a -->"),
                (Part::Script, "let x = '<!--';"),
                (Part::Comment, "/* b */"),
            ]
        );
    }

    #[test]
    fn what_is_not_closed_goes_on_to_the_end() {
        assert_eq!(texts("<script>a"), [(Part::Script, "a")]);
        assert_eq!(texts("<!-- a"), [(Part::Comment, "<!-- a")]);
        assert_eq!(texts("<script src=x />b"), [(Part::Script, "")]);
        assert_eq!(texts("<scripts>a</scripts><script"), []);
    }
}
