//! What a heading reads like: its text without the signs that only say how it looks.

/// Bytes of a heading that are read; names are cut at fewer.
const MAX_HEADING: usize = 500;
/// Links inside links (an image that links somewhere) that are read.
const MAX_NESTING: usize = 3;

/// The text of a heading without closing `#`s, emphasis, code signs, targets of links, tags and attributes.
pub(super) fn heading_text(source: &str) -> String {
    let mut end = source.len().min(MAX_HEADING);
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    // Attributes are before the closing `#`s or behind them.
    let source = without_closing(without_attributes(without_closing(source[..end].trim())));
    let letters: Vec<char> = source.chars().collect();
    let text = plain(&letters, 0);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without the `#`s that close a heading, which a space sets off.
fn without_closing(source: &str) -> &str {
    let open = source.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) {
        open.trim_end()
    } else {
        source
    }
}

/// Without the `{#anchor}` or `{: .class}` that many programs read behind a heading.
fn without_attributes(source: &str) -> &str {
    let attributes = source
        .strip_suffix('}')
        .and_then(|open| open.rfind('{'))
        .filter(|at| source[at + 1..].starts_with(['#', ':', '.']));
    attributes.map_or(source, |at| source[..at].trim_end())
}

/// A part of the text: as it is, or a run of signs that may be emphasis.
enum Piece {
    Text(String),
    Signs {
        sign: char,
        count: usize,
        opens: bool,
        closes: bool,
    },
}

fn plain(letters: &[char], depth: usize) -> String {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at).copied() {
        let rest = &letters[at..];
        let is_image = letter == '!' && rest.get(1) == Some(&'[');
        match letter {
            '\\' if rest.get(1).is_some_and(char::is_ascii_punctuation) => {
                text.extend(rest.get(1));
                at += 2;
            }
            '`' => {
                let (code, len) = code_span(rest);
                text.extend(code);
                at += len;
            }
            '<' => {
                let (inner, len) = tag(rest);
                text.extend(inner);
                at += len;
            }
            '[' | '!' if letter == '[' || is_image => match link(&rest[usize::from(is_image)..]) {
                Some((label, len)) if depth < MAX_NESTING => {
                    text.push_str(&plain(label, depth + 1));
                    at += len + usize::from(is_image);
                }
                _ => {
                    text.push(letter);
                    at += 1;
                }
            },
            '*' | '_' | '~' => {
                let count = run(rest, letter);
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(signs(letters, at, count));
                at += count;
            }
            _ => {
                text.push(letter);
                at += 1;
            }
        }
    }
    pieces.push(Piece::Text(text));
    without_emphasis(pieces)
}

/// The number of repetitions of a sign at the beginning.
fn run(letters: &[char], sign: char) -> usize {
    letters.iter().take_while(|letter| **letter == sign).count()
}

/// The inside of a code span and the length of the whole; the signs themselves where nothing closes it.
fn code_span(letters: &[char]) -> (&[char], usize) {
    let open = run(letters, '`');
    let mut at = open;
    while at < letters.len() {
        match run(&letters[at..], '`') {
            0 => at += 1,
            close if close == open => return (&letters[open..at], at + close),
            other => at += other,
        }
    }
    (&letters[..open], open)
}

/// What a reader sees of a tag, which is nothing, or of an address in angle brackets, and the length of the whole.
fn tag(letters: &[char]) -> (&[char], usize) {
    let is_comment = letters.starts_with(&['<', '!', '-', '-']);
    let begins = |letter: &char| letter.is_ascii_alphabetic() || matches!(letter, '/' | '!');
    let end = if is_comment {
        letters
            .windows(3)
            .position(|three| three == ['-', '-', '>'])
            .map(|at| at + 2)
    } else {
        letters.iter().position(|letter| *letter == '>')
    };
    let Some(end) = end.filter(|_| letters.get(1).is_some_and(begins)) else {
        return (&letters[..1], 1);
    };
    let inner = &letters[1..end];
    let is_address = !is_comment && inner.iter().any(|letter| matches!(letter, ':' | '@')) && !inner.contains(&' ');
    (if is_address { inner } else { &[] }, end + 1)
}

/// The label of a link that names its target, and the length of the whole.
fn link(letters: &[char]) -> Option<(&[char], usize)> {
    let label_end = closing(letters, '[', ']')?;
    let target = letters.get(label_end + 1..)?;
    let target_end = match target.first()? {
        '(' => closing(target, '(', ')')?,
        '[' => closing(target, '[', ']')?,
        _ => return None,
    };
    Some((&letters[1..label_end], label_end + target_end + 2))
}

/// The position of the bracket that closes the first one.
fn closing(letters: &[char], open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, letter) in letters.iter().enumerate() {
        if escaped {
            escaped = false;
        } else if *letter == '\\' {
            escaped = true;
        } else if *letter == open {
            depth += 1;
        } else if *letter == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// A run of signs that opens or closes emphasis, depending on the characters beside it.
fn signs(letters: &[char], at: usize, count: usize) -> Piece {
    let sign = letters[at];
    let before = at
        .checked_sub(1)
        .and_then(|before| letters.get(before))
        .copied()
        .unwrap_or(' ');
    let after = letters.get(at + count).copied().unwrap_or(' ');
    let is_mark = |letter: char| letter.is_ascii_punctuation();
    let left = !after.is_whitespace() && (!is_mark(after) || before.is_whitespace() || is_mark(before));
    let right = !before.is_whitespace() && (!is_mark(before) || after.is_whitespace() || is_mark(after));
    let (opens, closes) = match sign {
        // Inside words it is a letter.
        '_' => (left && (!right || is_mark(before)), right && (!left || is_mark(after))),
        '~' => (left && count == 2, right && count == 2),
        _ => (left, right),
    };
    Piece::Signs {
        sign,
        count,
        opens,
        closes,
    }
}

/// The text without the signs that open and close each other.
fn without_emphasis(mut pieces: Vec<Piece>) -> String {
    let mut open: Vec<(usize, char, usize)> = Vec::new();
    for at in 0..pieces.len() {
        let Piece::Signs {
            sign,
            mut count,
            opens,
            closes,
        } = pieces[at]
        else {
            continue;
        };
        while closes && count > 0 {
            let Some(found) = open.iter().rposition(|(_, other, _)| *other == sign) else {
                break;
            };
            open.truncate(found + 1);
            let (opener, _, left) = open[found];
            let used = if left >= 2 && count >= 2 { 2 } else { 1 };
            count -= used;
            if let Piece::Signs { count, .. } = &mut pieces[opener] {
                *count -= used;
            }
            open.pop();
            if left > used {
                open.push((opener, sign, left - used));
            }
        }
        if let Piece::Signs { count: left, .. } = &mut pieces[at] {
            *left = count;
        }
        if opens && count > 0 {
            open.push((at, sign, count));
        }
    }
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(&part),
            Piece::Signs { sign, count, .. } => text.extend(std::iter::repeat_n(sign, count)),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_remains() {
        for (source, expected) in [
            ("Plain ##", "Plain"),
            ("C#", "C#"),
            ("`code()` and ``a`b``", "code() and a`b"),
            ("**Bold** *it* __b__ _i_ ~~gone~~", "Bold it b i gone"),
            ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
            ("`__init__` *.js", "__init__ *.js"),
            ("***both***", "both"),
            ("[text](http://a.b/(c)) ![alt](x.png)", "text alt"),
            ("[![badge](x.svg)](y)", "badge"),
            ("[text][ref] [1.0.0] - 2020", "text [1.0.0] - 2020"),
            ("Title {#anchor}", "Title"),
            ("Title {: .class }", "Title"),
            ("[1.0](x) - 2020 ## {: #hatch-v1.0 }", "1.0 - 2020"),
            ("/users/{id}", "/users/{id}"),
            ("<a name=\"x\"></a>Title <!-- omit > in toc -->", "Title"),
            ("a < b <https://x.y>", "a < b https://x.y"),
            ("\\# not \\*this\\*", "# not *this*"),
            ("one\ntwo", "one two"),
            ("#", ""),
            ("[open `open <open **open", "[open `open <open **open"),
        ] {
            assert_eq!(heading_text(source), expected, "{source}");
        }
    }
}
