//! What the grammar of Swift does not know: conditional compilation in places, and the empty tuple.
//!
//! Conditional compilation may split anything: a `switch`, a chain of calls, even the head of a type. The grammar knows it only between
//! declarations and statements. So its lines are blanked, and what is in the branches is read as if all of it were compiled; where a
//! branch opens or closes a brace that it does not match, only the first of its alternatives can be read.
//! An empty tuple is read as a name, which may be a value as well as a type.

use memchr::memmem;

/// The text with what the grammar does not know replaced byte for byte, if there is any.
pub(super) fn blank(source: &str) -> Option<String> {
    let scan = Scan::of(source.as_bytes());
    if scan.directives.is_empty() && scan.tuples.is_empty() {
        return None;
    }
    let mut bytes = source.as_bytes().to_vec();
    for (at, name) in &scan.tuples {
        if let Some(tuple) = bytes.get_mut(*at..at + name.len()) {
            tuple.copy_from_slice(*name);
        }
    }
    let mut open: Vec<Condition> = Vec::new();
    for directive in &scan.directives {
        wipe(&mut bytes, directive.start, directive.end, &scan.comments);
        match directive.word {
            Word::If => open.push(Condition {
                braces: directive.braces,
                dropped_from: None,
                is_split: false,
            }),
            Word::Else => {
                if let Some(condition) = open.last_mut() {
                    let is_first = condition.dropped_from.is_none();
                    condition.is_split |= is_first && directive.braces != condition.braces;
                    if is_first {
                        condition.dropped_from = Some(directive.start);
                    }
                }
            }
            Word::End => {
                if let Some(condition) = open.pop()
                    && let Some(from) = condition.dropped_from.filter(|_| condition.is_split)
                {
                    wipe(&mut bytes, from, directive.end, &scan.comments);
                }
            }
        }
    }
    // Only whole characters were replaced.
    String::from_utf8(bytes).ok()
}

/// A condition whose end has not been reached.
struct Condition {
    /// How many braces are open where it begins.
    braces: i64,
    /// Where the first of its alternatives begins.
    dropped_from: Option<usize>,
    /// Whether its first branch leaves a brace open, or closes one of others.
    is_split: bool,
}

/// Replaces a range by spaces, but for line breaks and comments.
fn wipe(bytes: &mut [u8], start: usize, end: usize, comments: &[(usize, usize)]) {
    let mut at = start;
    let first = comments.partition_point(|(_, comment_end)| *comment_end <= start);
    for (comment_start, comment_end) in comments.iter().skip(first).copied() {
        if comment_start >= end {
            break;
        }
        wipe_all(bytes, at, comment_start);
        at = comment_end;
    }
    wipe_all(bytes, at, end);
}

fn wipe_all(bytes: &mut [u8], start: usize, end: usize) {
    let Some(range) = bytes.get_mut(start..end) else {
        return;
    };
    for byte in range.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
}

#[derive(Clone, Copy)]
enum Word {
    If,
    Else,
    End,
}

struct Directive {
    word: Word,
    start: usize,
    /// The end of its line.
    end: usize,
    /// How many braces are open before it.
    braces: i64,
}

/// Properties that a quick scan of the tokens finds.
struct Scan {
    directives: Vec<Directive>,
    comments: Vec<(usize, usize)>,
    /// Empty tuples, and their replacements.
    tuples: Vec<(usize, &'static [u8; 2])>,
}

impl Scan {
    fn of(bytes: &[u8]) -> Self {
        let mut scan = Self {
            directives: Vec::new(),
            comments: Vec::new(),
            tuples: Vec::new(),
        };
        let mut braces = 0;
        let mut begins_line = true;
        let mut is_case = false;
        // The end of what was read last.
        let mut reached = 0;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let rest = bytes.get(at..).unwrap_or_default();
            let len = match byte {
                b'\n' => {
                    begins_line = true;
                    at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' => {
                    at += 1;
                    continue;
                }
                b'{' => {
                    braces += 1;
                    1
                }
                b'}' => {
                    braces -= 1;
                    1
                }
                b'/' if rest.starts_with(b"//") || rest.starts_with(b"/*") => {
                    let len = comment_len(rest);
                    scan.comments.push((at, at + len));
                    len
                }
                b'#' if begins_line && word(rest).is_some() => {
                    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    if let Some(word) = word(rest) {
                        scan.directives.push(Directive {
                            word,
                            start: at,
                            end: at + line,
                            braces,
                        });
                    }
                    // A comment may follow on the line.
                    rest.get(..line)
                        .and_then(|line| memmem::find(line, b"//").or_else(|| memmem::find(line, b"/*")))
                        .unwrap_or(line)
                }
                b'"' | b'#' => text_len(rest),
                b'(' if rest.starts_with(b"()") => {
                    let before = bytes.get(..reached).unwrap_or_default();
                    if let Some(name) = stand_in(before, rest.get(2..).unwrap_or_default(), is_case) {
                        scan.tuples.push((at, name));
                    }
                    2
                }
                _ => 1,
            };
            if begins_line {
                is_case = rest.starts_with(b"case ");
            }
            begins_line = false;
            at += len.max(1);
            reached = at;
        }
        scan
    }
}

/// The replacement of an empty pair of parentheses between two texts: a name for an empty tuple, nothing for a
/// pattern without values.
fn stand_in(before: &[u8], after: &[u8], is_case: bool) -> Option<&'static [u8; 2]> {
    let after = after.trim_ascii_start();
    let is_function = [b"->".as_slice(), b"async", b"throws", b"rethrows"]
        .iter()
        .any(|word| after.starts_with(word));
    match before.last()? {
        b'(' | b',' | b':' | b'=' if !is_function => Some(b"o_"),
        _ if before.ends_with(b"return") && !is_function => Some(b"o_"),
        byte if is_case && byte.is_ascii_alphanumeric() && after.starts_with(b":") => Some(b"  "),
        _ => None,
    }
}

/// The directive that a line begins with.
fn word(line: &[u8]) -> Option<Word> {
    let rest = line.strip_prefix(b"#")?;
    let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match rest.get(..len)? {
        b"if" => Some(Word::If),
        b"elseif" | b"else" => Some(Word::Else),
        b"endif" => Some(Word::End),
        _ => None,
    }
}

/// The length of the comment that a text begins with; blocks nest.
fn comment_len(text: &[u8]) -> usize {
    if text.starts_with(b"//") {
        return memchr::memchr(b'\n', text).unwrap_or(text.len());
    }
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match text.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                at += 2;
            }
            Some(b"*/") => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of the string that a text begins with, with its number signs; one that is not closed on its line ends there.
fn text_len(text: &[u8]) -> usize {
    let signs = text.iter().take_while(|byte| **byte == b'#').count();
    let rest = text.get(signs..).unwrap_or_default();
    let quote: &[u8] = match rest {
        [b'"', b'"', b'"', ..] => b"\"\"\"",
        [b'"', ..] => b"\"",
        _ => return signs,
    };
    let mut at = quote.len();
    while let Some(byte) = rest.get(at) {
        let tail = rest.get(at..).unwrap_or_default();
        match byte {
            b'\n' if quote.len() == 1 => break,
            b'\\' if signs == 0 => at += 2,
            b'"' if tail.starts_with(quote) && is_closed(tail.get(quote.len()..).unwrap_or_default(), signs) => {
                at += quote.len() + signs;
                break;
            }
            _ => at += 1,
        }
    }
    signs + at.min(rest.len())
}

/// Whether a text goes on with as many number signs as opened a string.
fn is_closed(text: &[u8], signs: usize) -> bool {
    text.get(..signs)
        .is_some_and(|closing| closing.iter().all(|byte| *byte == b'#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_conditions_are_blanked() {
        let source = "a {\n  #if X // why\n  b\n#else\n  c\n  #endif\n}\n";
        let expected = "a {\n        // why\n  b\n     \n  c\n        \n}\n";
        assert_eq!(blank(source).as_deref(), Some(expected));
    }

    #[test]
    fn a_brace_is_opened_once() {
        let source = "#if X\nclass A: B {\n#else\n// c\nclass A: C {\n#endif\n}\n#if Y\nf {}\n#else\ng {}\n#endif\n";
        let blanked = blank(source).unwrap_or_default();
        assert!(blanked.contains("class A: B {") && !blanked.contains("A: C") && blanked.contains("// c"));
        assert!(blanked.contains("f {}") && blanked.contains("g {}"));
        assert_eq!(blanked.len(), source.len());
    }

    #[test]
    fn texts_and_comments_hold_no_conditions() {
        for source in [
            "let s = \"\"\"\n#if X\n\"\"\"\n",
            "/* /* */\n#if X\n*/\n",
            "// \"\n let s = #\"\"\"\n\"\"\"\n#if\n\"\"\"#\n",
            "x #if y\n",
            "#iffy\n",
            "let s = \"#if \\\" {\n",
        ] {
            assert_eq!(blank(source), None, "{source}");
        }
    }

    #[test]
    fn empty_tuples_are_names() {
        for (source, expected) in [
            ("return ()\n", "return o_\n"),
            ("a(b: ())", "a(b: o_)"),
            ("let a: () = ()", "let a: o_ = o_"),
            ("  case .a(): b()", "  case .a  : b()"),
        ] {
            assert_eq!(blank(source).as_deref(), Some(expected));
        }
        for source in [
            "let a: () -> B",
            "a(b: () throws -> C)",
            "f()",
            "x = f(/* () */)",
            "a ? b(): c",
        ] {
            assert_eq!(blank(source), None, "{source}");
        }
    }

    #[test]
    fn what_is_not_closed_does_no_harm() {
        for source in [
            "#endif\n#if\n#else\n#else",
            "#if {\n#else \u{e9}",
            "\"\"\"\n#if",
            "#if a\n\"\\",
        ] {
            let blanked = blank(source).unwrap_or_else(|| source.to_owned());
            assert_eq!(blanked.len(), source.len());
        }
    }
}
