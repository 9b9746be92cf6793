//! Places and line ends in texts that people wrote.

/// What opens a file that says it is UTF-8.
pub(super) const MARK: char = '\u{feff}';

/// Why a text is left as it is, and the byte at which that shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
        }
    }
}

/// The line end that a text uses first.
pub(super) fn newline(text: &str) -> &'static str {
    let Some(at) = text.find(['\n', '\r']) else {
        return "\n";
    };
    match &text.as_bytes()[at..] {
        [b'\r', b'\n', ..] => "\r\n",
        [b'\r', ..] => "\r",
        _ => "\n",
    }
}

/// A text of ours with the line ends of another.
pub(super) fn with_newlines(text: &str, newline: &str) -> String {
    match newline {
        "\n" => text.to_owned(),
        newline => text.replace('\n', newline),
    }
}

/// The line and the column of a byte, both from one.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let breaks = before.replace("\r\n", "\n");
    let line = 1 + breaks.matches(['\n', '\r']).count();
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let column = 1 + before[start..].chars().filter(|letter| *letter != MARK).count();
    (line, column)
}

/// The blanks with which the line of a byte begins.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line = text[start..at].trim_start_matches(MARK);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_those_of_the_text() {
        let found: Vec<_> = ["", "a", "a\nb\r\n", "a\r\nb\n", "a\rb"].map(newline).into();
        assert_eq!(found, ["\n", "\n", "\n", "\r\n", "\r"]);
    }

    #[test]
    fn positions_count_letters_and_every_kind_of_line_end() {
        let text = "\u{feff}ä\r\nöx\ry\nz";
        let at = |letter| position(text, text.find(letter).expect("there"));
        assert_eq!((at('ä'), at('x'), at('y'), at('z')), ((1, 1), (2, 2), (3, 1), (4, 1)));
        assert_eq!(position(text, 999), (4, 2));
    }

    #[test]
    fn the_indent_is_that_of_the_line() {
        assert_eq!(indent("{\n \t\"a\": {", 9), " \t");
        assert_eq!(indent("\u{feff}  {", 5), "  ");
    }
}
