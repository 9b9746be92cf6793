//! What the grammar does not know: `using` statements before a script's parameters, attributes of types, calls of the base
//! constructor, some operators, some names of types, and letters beyond ASCII in names.

use std::ops::Range;

/// Bytes of a line that are looked at on either side of a sign.
const LONGEST_LINE: usize = 400;
/// Bytes of a type's name that are looked at on either side of a sign.
const LONGEST_NAME: usize = 120;

/// The text with all that replaced by what the grammar knows, byte for byte.
pub(super) fn blank_unknown(source: &str) -> Option<String> {
    let mut blanked = None;
    blank_using(source, &mut blanked);
    blank_attributes(source, &mut blanked);
    blank_base_calls(source, &mut blanked);
    blank_operators(source, &mut blanked);
    blank_type_names(source, &mut blanked);
    for (at, letter) in source.char_indices() {
        if !letter.is_ascii() && letter.is_alphanumeric() {
            fill(source, &mut blanked, at..at + letter.len_utf8(), b"xxxx");
        }
    }
    String::from_utf8(blanked?).ok()
}

/// Writes over a range of the copy, which is made when it is needed first.
fn fill(source: &str, blanked: &mut Option<Vec<u8>>, range: Range<usize>, with: &[u8]) {
    let copy = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
    if let Some(range) = copy.get_mut(range) {
        for (at, byte) in range.iter_mut().enumerate() {
            *byte = with.get(at).copied().unwrap_or(b' ');
        }
    }
}

/// What a `using` statement uses: the word for its kind, and the name.
pub(super) fn using(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.trim().split_once([' ', '\t'])?;
    let (kind, name) = rest.trim_start().split_once([' ', '\t'])?;
    let known = ["namespace", "module", "assembly", "type", "command"];
    (word.eq_ignore_ascii_case("using") && known.iter().any(|known| kind.eq_ignore_ascii_case(known)))
        .then(|| (kind, name.trim().trim_end_matches(';')))
}

/// `using` statements open a file: the parser gets comments in their place, so that the parameters of the script still come first.
fn blank_using(source: &str, blanked: &mut Option<Vec<u8>>) {
    let mut at = 0;
    let mut in_comment = false;
    for line in source.split_inclusive('\n') {
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        let start = at + line.len() - line.trim_start_matches('\u{feff}').trim_start().len();
        at += line.len();
        in_comment |= trimmed.starts_with("<#");
        if in_comment {
            in_comment = !trimmed.contains("#>");
        } else if using(trimmed).is_some() {
            fill(source, blanked, start..start + 1, b"#");
        } else if !trimmed.is_empty() && !trimmed.starts_with('#') {
            return;
        }
    }
}

/// Whether a line holds nothing but an attribute.
fn is_attribute(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('[') && line.ends_with(']')
}

/// Where a type is declared in a line: at its beginning, or behind attributes.
fn type_keyword(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    let before = line.len() - trimmed.len();
    let is_keyword = |text: &str| {
        ["class ", "enum "].iter().any(|word| {
            text.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
        })
    };
    if is_keyword(trimmed) {
        return Some(before);
    }
    let close = trimmed.find("] ").filter(|_| trimmed.starts_with('['))?;
    let rest = trimmed.get(close + 1..)?.trim_start();
    is_keyword(rest).then(|| line.len() - rest.len())
}

/// Attributes of classes and enumerations.
fn blank_attributes(source: &str, blanked: &mut Option<Vec<u8>>) {
    let mut at = 0;
    // Lines that hold attributes, directly above.
    let mut above: Vec<Range<usize>> = Vec::new();
    for line in source.split_inclusive('\n') {
        if let Some(keyword) = type_keyword(line) {
            above.push(at..at + keyword);
            for range in above.drain(..).filter(|range| !range.is_empty()) {
                fill(source, blanked, range, b"");
            }
        } else if is_attribute(line) {
            let end = at + line.trim_end().len();
            above.push(at..end);
        } else {
            above.clear();
        }
        at += line.len();
    }
}

/// The attributes before a type, without their brackets, and the position of the first of them (or of the type
/// itself).
pub(super) fn attributes_before(source: &str, byte: usize) -> (usize, Vec<&str>) {
    let before = source.get(..byte).unwrap_or("");
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let mut start = byte;
    let mut found = Vec::new();
    let own = before.get(line_start..).unwrap_or("");
    if is_attribute(own) {
        found.push(own.trim());
        start = line_start + own.len() - own.trim_start().len();
    }
    let mut end = line_start;
    for line in before.get(..line_start).unwrap_or("").lines().rev() {
        if !is_attribute(line) {
            break;
        }
        found.push(line.trim());
        end = before
            .get(..end.saturating_sub(1))
            .and_then(|text| text.rfind('\n'))
            .map_or(0, |at| at + 1);
        start = end + line.len() - line.trim_start().len();
    }
    found.reverse();
    let bare = |attribute: &str| attribute.len().saturating_sub(1);
    let found = found
        .into_iter()
        .map(|attribute| attribute.get(1..bare(attribute)).unwrap_or("").trim())
        .collect();
    (start, found)
}

/// `Name(…) : base(…) {`: the call of the base constructor, where it ends on its line.
fn blank_base_calls(source: &str, blanked: &mut Option<Vec<u8>>) {
    for base in memchr::memmem::find_iter(source.as_bytes(), b"base(") {
        let before = source.get(..base).unwrap_or("").trim_end();
        let Some(colon) = before.strip_suffix(':').filter(|rest| rest.trim_end().ends_with(')')) else {
            continue;
        };
        let mut depth = 0usize;
        for (at, letter) in source.bytes().skip(base).take(LONGEST_LINE).enumerate() {
            match letter {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'\n' => break,
                _ => continue,
            }
            if depth == 0 {
                let start = colon.len();
                let has_newline = source.get(start..base).is_some_and(|gap| gap.contains('\n'));
                if has_newline {
                    fill(source, blanked, base..base + at + 1, b"");
                    fill(source, blanked, start..start + 1, b"");
                } else {
                    fill(source, blanked, start..base + at + 1, b"");
                }
                break;
            }
        }
    }
}

/// To the parser, `a ?? b` and `a ? b : c` add, and `-cin` is `-in`.
fn blank_operators(source: &str, blanked: &mut Option<Vec<u8>>) {
    let bytes = source.as_bytes();
    for at in memchr::memchr_iter(b'?', bytes) {
        let is_spaced = at > 0 && bytes.get(at - 1) == Some(&b' ') && bytes.get(at + 1) == Some(&b' ');
        if bytes.get(at + 1) == Some(&b'?') {
            match bytes.get(at + 2) {
                Some(b'=') => fill(source, blanked, at..at + 2, b" +"),
                _ => fill(source, blanked, at..at + 2, b"+ "),
            }
        } else if is_spaced && let Some(colon) = ternary_colon(source, at) {
            fill(source, blanked, at..at + 1, b"+");
            fill(source, blanked, colon..colon + 1, b"+");
        }
    }
    for (word, known) in [
        (" -cin ", " -in "),
        (" -iin ", " -in "),
        (" -cnotin ", " -notin "),
        (" -inotin ", " -notin "),
    ] {
        for at in memchr::memmem::find_iter(bytes, word.as_bytes()) {
            fill(source, blanked, at..at + word.len(), known.as_bytes());
        }
    }
}

/// The position of the colon of the conditional expression that a question mark may be part of. At the head of a
/// command the question mark is `Where-Object`.
fn ternary_colon(source: &str, question: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let before = bytes.get(..question)?.iter().rev().take(LONGEST_LINE);
    let before = before.take_while(|byte| **byte != b'\n').find(|byte| **byte != b' ');
    if before.is_none_or(|byte| matches!(byte, b'|' | b'{' | b';' | b'(' | b'\t')) {
        return None;
    }
    let line = bytes.get(question..bytes.len().min(question + LONGEST_LINE))?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    memchr::memmem::find(line, b" : ").map(|colon| question + colon + 1)
}

/// ``List`1[String]`` and `Outer+Inner`, in the brackets of a type.
fn blank_type_names(source: &str, blanked: &mut Option<Vec<u8>>) {
    let bytes = source.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'`');
    for at in memchr::memchr2_iter(b'`', b'+', bytes) {
        let before = bytes.get(at.saturating_sub(LONGEST_NAME)..at).unwrap_or_default();
        let after = bytes
            .get(at + 1..bytes.len().min(at + LONGEST_NAME))
            .unwrap_or_default();
        let opens = before.iter().rev().find(|byte| !is_name(byte)) == Some(&b'[')
            && before.last().is_some_and(|byte| byte.is_ascii_alphanumeric());
        let closes = after
            .iter()
            .find(|byte| !is_name(byte))
            .is_some_and(|byte| matches!(byte, b'[' | b']'))
            && after.first().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if opens && closes {
            fill(source, blanked, at..at + 1, b"x");
        }
    }
    for at in memchr::memmem::find_iter(bytes, b"[[") {
        if at
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .is_some_and(u8::is_ascii_alphanumeric)
        {
            for bracket in inner_brackets(bytes, at + 1) {
                fill(source, blanked, bracket..bracket + 1, b" ");
            }
        }
    }
}

/// The brackets around the arguments of a generic type, `Func[[A], [B]]`, from the first of them on; `None` if it is something else.
fn inner_brackets(bytes: &[u8], start: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let near = bytes
        .get(start..bytes.len().min(start + 2 * LONGEST_NAME))
        .unwrap_or_default();
    for (at, byte) in near.iter().enumerate() {
        match byte {
            b'[' => {
                depth += 1;
                if depth == 1 {
                    found.push(start + at);
                }
            }
            b']' if depth == 0 => return found,
            b']' => {
                if depth == 1 {
                    found.push(start + at);
                }
                depth -= 1;
            }
            b' ' | b',' | b'_' | b'.' => {}
            byte if byte.is_ascii_alphanumeric() => {}
            _ => break,
        }
    }
    Vec::new()
}
