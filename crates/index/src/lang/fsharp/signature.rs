//! Member signatures of F#, which the grammar of signatures does not know: `member Area: float`, `new: int -> Shape`.
//!
//! The grammar gets a `val` instead, byte for byte: without names of arguments, accessors and constraints, and with a
//! name in the place of an operator.

/// The text with the members of types made readable, if there are any.
pub(super) fn blank(source: &str) -> Option<String> {
    let mut bytes = source.as_bytes().to_vec();
    let mut changed = false;
    let mut member_indentation = None;
    let mut start = 0;
    while start < bytes.len() {
        let end = memchr::memchr(b'\n', bytes.get(start..)?).map_or(bytes.len(), |at| start + at);
        let line = bytes.get_mut(start..end)?;
        start = end + 1;
        let indentation = line.iter().take_while(|byte| **byte == b' ').count();
        let text = line.get_mut(indentation..)?;
        if text.trim_ascii().is_empty() || text.starts_with(b"//") {
            continue;
        }
        if member_indentation.is_some_and(|outer| indentation > outer) {
            // The member goes on.
            blank_declared(text);
            continue;
        }
        member_indentation = None;
        if rewrite(text) {
            member_indentation = Some(indentation);
            changed = true;
        }
    }
    if changed { String::from_utf8(bytes).ok() } else { None }
}

/// Makes a `val` of a member; whether the line is one.
fn rewrite(text: &mut [u8]) -> bool {
    let words = text.strip_prefix(b"static ").map_or(0, |_| b"static ".len());
    let Some(rest) = text.get_mut(words..) else {
        return false;
    };
    let word = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_spaced = rest.get(word).is_some_and(|byte| matches!(byte, b' ' | b':'));
    match rest.get(..word) {
        Some(b"member" | b"override") if is_spaced => {
            fill(rest, 0, word);
            put(rest, 0, b"val");
            blank_name(rest, word);
        }
        Some(b"new") if is_spaced && words == 0 => {
            let Some(colon) = rest.iter().position(|byte| *byte == b':') else {
                return false;
            };
            if let Some(declared) = rest.get_mut(colon + 1..) {
                blank_declared(declared);
            }
            fill(rest, 0, colon + 1);
            // At least as long as the shortest member: `new: a`.
            put(rest, 0, b"val n:");
        }
        _ => return false,
    }
    true
}

/// Replaces the text between a word and the colon by a plain name, and masks unknown syntax after it.
fn blank_name(rest: &mut [u8], word: usize) {
    let mut at = word;
    while rest.get(at).is_some_and(|byte| *byte == b' ') {
        at += 1;
    }
    if let Some(text) = rest.get(at..)
        && text.starts_with(b"inline ")
    {
        fill(rest, at, at + b"inline ".len());
        return blank_name(rest, at);
    }
    let is_operator = rest.get(at) == Some(&b'(');
    let name_end = if is_operator {
        rest.iter()
            .skip(at)
            .position(|byte| *byte == b')')
            .map(|len| at + len + 1)
    } else {
        rest.iter()
            .skip(at)
            .position(|byte| matches!(byte, b':' | b'<' | b' '))
            .map(|len| at + len)
    };
    let Some(mut name_end) = name_end else {
        return;
    };
    if is_operator {
        for byte in rest.iter_mut().take(name_end).skip(at) {
            *byte = b'o';
        }
    } else if matches!(rest.get(at..name_end), Some(b"private" | b"internal" | b"public")) {
        return blank_name(rest, name_end);
    }
    // `Map<'T>: …`
    if rest.get(name_end) == Some(&b'<') {
        let arguments = rest.iter().skip(name_end).position(|byte| *byte == b'>');
        let arguments_end = arguments.map_or(rest.len(), |len| name_end + len + 1);
        fill(rest, name_end, arguments_end);
        name_end = arguments_end;
    }
    let colon = rest.iter().skip(name_end).position(|byte| *byte == b':');
    if let Some(declared) = colon.and_then(|len| rest.get_mut(name_end + len + 1..)) {
        blank_declared(declared);
    }
}

/// Blanks the names of arguments in a type, and what follows the type.
fn blank_declared(text: &mut [u8]) {
    for word in [b" with get".as_slice(), b" with set", b" when "] {
        if let Some(at) = memchr::memmem::find(text, word) {
            fill(text, at, text.len());
        }
    }
    let comment = memchr::memmem::find(text, b"//").unwrap_or(text.len());
    let mut name_start = None;
    for at in 0..comment {
        match text.get(at) {
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'?' | b'\'' | b'`') => {
                name_start = name_start.or(Some(at));
            }
            Some(b':') if !matches!(text.get(at + 1), Some(b'>' | b'?')) => {
                if let Some(start) = name_start.take() {
                    fill(text, start, at + 1);
                }
            }
            Some(b' ') => {
                // `name : type` is written as well as `name: type`.
                let next = text.get(at + 1..).unwrap_or_default().trim_ascii_start();
                if !next.starts_with(b":") {
                    name_start = None;
                }
            }
            _ => name_start = None,
        }
    }
}

fn fill(text: &mut [u8], start: usize, end: usize) {
    for byte in text.iter_mut().take(end).skip(start) {
        *byte = b' ';
    }
}

fn put(text: &mut [u8], at: usize, word: &[u8]) {
    if let Some(place) = text.get_mut(at..at + word.len()) {
        place.copy_from_slice(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_become_values() {
        for (source, expected) in [
            (
                "  member Area: float with get, set\n",
                "  val    Area: float              \n",
            ),
            (
                "  static member Make: unit -> Shape\n",
                "  static val    Make: unit -> Shape\n",
            ),
            (
                "  member inline Add: a: int * ?b: int -> int\n",
                "  val           Add:    int *     int -> int\n",
            ),
            ("  static member (+): A * A -> A\n", "  static val    ooo: A * A -> A\n"),
            (
                "  member Map<'T>: 'T -> 'T when 'T: null\n",
                "  val    Map    : 'T -> 'T              \n",
            ),
            ("  new: name: string -> Shape\n", "  val n:     string -> Shape\n"),
            ("  new : unit -> Shape\n", "  val n:unit -> Shape\n"),
            (
                "  member X:\n    a: int ->\n      int\n  abstract Y: b: int -> int\n",
                "  val    X:\n       int ->\n      int\n  abstract Y: b: int -> int\n",
            ),
        ] {
            assert_eq!(blank(source).as_deref(), Some(expected));
        }
        assert_eq!(blank("val x: a: int -> int\ntype T = A\n"), None);
    }

    #[test]
    fn anything_keeps_its_length() {
        for source in [
            "member",
            "member ",
            "new:",
            "new: \u{e9}",
            "static member (",
            "member \u{e9}<",
            "member a:b:\u{e9}:c",
        ] {
            let blanked = blank(source).unwrap_or_else(|| source.to_owned());
            assert_eq!(blanked.len(), source.len(), "{source}");
        }
    }
}
