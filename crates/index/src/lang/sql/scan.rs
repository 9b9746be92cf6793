//! The tokens of SQL, as all its dialects write them: words, names in quotes, texts, comments, and what ends a statement.

/// How a token reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A keyword or a name without quotes.
    Word,
    /// A name in quotes, backticks or brackets.
    Quoted,
    /// A text in single quotes.
    Text,
    /// A text between two `$tag$`.
    Dollar,
    Comment,
    /// A comment of MySQL that begins with `#`, which other tools take for code.
    Hash,
    /// A line for a client program, such as `\d` or `.read`.
    Command,
    Number,
    /// Any other sign.
    Sign,
    /// A semicolon, or the delimiter that replaces it.
    End,
    /// A line that ends a batch: `GO`, `/`.
    Batch,
}

/// A token and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Only white space is before it on its line.
    pub(super) begins_line: bool,
}

impl Token {
    pub(super) fn text<'s>(&self, source: &'s str) -> &'s str {
        source.get(self.start..self.end).unwrap_or("")
    }

    /// Whether it is a word, in any case.
    pub(super) fn is(&self, source: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.text(source).eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these words.
    pub(super) fn is_any(&self, source: &str, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.iter().any(|word| self.text(source).eq_ignore_ascii_case(word))
    }

    /// Whether it is this sign.
    pub(super) fn is_sign(&self, source: &str, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text(source) == sign
    }

    /// What a text or a body in dollar signs holds.
    pub(super) fn inside(&self, source: &str) -> std::ops::Range<usize> {
        let tag = match self.kind {
            Kind::Dollar => {
                let text = self.text(source);
                text.get(1..).and_then(|rest| rest.find('$')).map_or(0, |end| end + 2)
            }
            _ => 1,
        };
        self.start + tag..self.end.saturating_sub(tag).max(self.start + tag)
    }
}

/// Bytes at the top of a file that decide its dialect.
const DIALECT_BYTES: usize = 32 * 1024;
/// Bytes of a name in brackets.
const LONGEST_NAME: usize = 130;
/// Bytes of a tag or a delimiter.
const LONGEST_TAG: usize = 64;
/// Tags without an end after which no more are looked for, so that no text makes the search long.
const MOST_LOST_TAGS: u8 = 8;

/// Reads tokens one after the other.
pub(super) struct Tokens<'s> {
    bytes: &'s [u8],
    at: usize,
    end: usize,
    /// Whether a backslash escapes a quote, as in MySQL.
    escapes: bool,
    delimiter: &'s [u8],
    lost_tags: u8,
    /// Whether comments can be nested; not after a nested comment without an end.
    nests: bool,
    /// Whether no comment ends any more.
    endless: bool,
    begins_line: bool,
    /// What the statement is so far: a `COPY`, and whether from the lines below.
    copies: bool,
    copies_from_below: bool,
    begins_statement: bool,
}

impl<'s> Tokens<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self::between(source, 0, source.len())
    }

    /// The tokens of a part; the dialect is that of the whole.
    pub(super) fn between(source: &'s str, start: usize, end: usize) -> Self {
        let bytes = source.as_bytes();
        let head = &bytes[..bytes.len().min(DIALECT_BYTES)];
        Self {
            bytes,
            at: start,
            end: end.min(bytes.len()),
            escapes: memchr::memchr(b'`', head).is_some(),
            delimiter: b";",
            lost_tags: 0,
            nests: true,
            endless: false,
            begins_line: true,
            copies: false,
            copies_from_below: false,
            begins_statement: true,
        }
    }

    fn rest(&self) -> &'s [u8] {
        self.bytes.get(self.at..self.end).unwrap_or_default()
    }

    /// Bytes to the end of the line.
    fn line_len(&self) -> usize {
        let rest = self.rest();
        memchr::memchr(b'\n', rest).unwrap_or(rest.len())
    }

    /// Bytes of a text up to and with its closing quote.
    fn quoted_len(&self, quote: u8, escapes: bool) -> usize {
        let rest = self.rest();
        let mut at = 1;
        while let Some(found) = rest
            .get(at..)
            .and_then(|rest| memchr::memchr2(quote, if escapes { b'\\' } else { quote }, rest))
        {
            at += found;
            let is_escape = rest.get(at) == Some(&b'\\') && escapes;
            if is_escape || rest.get(at + 1) == Some(&quote) {
                at += 2;
            } else {
                return at + 1;
            }
        }
        rest.len()
    }

    /// Bytes of a block comment; none where it never ends.
    fn block_len(&mut self) -> Option<usize> {
        if self.endless {
            return None;
        }
        let rest = self.rest();
        let mut depth = 0usize;
        let mut at = 0;
        let mut first_end = None;
        while let Some(found) = rest.get(at..).and_then(|rest| memchr::memchr2(b'*', b'/', rest)) {
            at += found;
            match (rest.get(at), rest.get(at + 1)) {
                (Some(b'/'), Some(b'*')) => {
                    depth += 1;
                    at += 2;
                }
                (Some(b'*'), Some(b'/')) => {
                    depth -= 1;
                    at += 2;
                    first_end.get_or_insert(at);
                    if depth == 0 || !self.nests {
                        return Some(at);
                    }
                }
                _ => at += 1,
            }
        }
        self.nests = false;
        self.endless = first_end.is_none();
        first_end
    }

    /// Bytes of a text in dollar signs.
    fn dollar_len(&mut self) -> Option<usize> {
        if self.delimiter != b";" || self.lost_tags >= MOST_LOST_TAGS {
            return None;
        }
        let rest = self.rest();
        let name = rest
            .get(1..)?
            .iter()
            .take(LONGEST_TAG)
            .take_while(|byte| is_word(**byte) && **byte != b'$');
        let tag = rest.get(..name.count() + 2)?;
        if tag.last() != Some(&b'$') || tag.get(1).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        match memchr::memmem::find(rest.get(tag.len()..)?, tag) {
            Some(len) => Some(len + 2 * tag.len()),
            None => {
                self.lost_tags += 1;
                None
            }
        }
    }

    /// Bytes of a name in brackets, which elsewhere count the places of an array.
    fn bracket_len(&self) -> Option<usize> {
        let before = self
            .at
            .checked_sub(1)
            .and_then(|at| self.bytes.get(at))
            .copied()
            .unwrap_or(b' ');
        let rest = self.rest();
        let near = &rest[..rest.len().min(LONGEST_NAME)];
        let begins = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80 || matches!(byte, b'_' | b'#' | b'@');
        if !(before.is_ascii_whitespace() || matches!(before, b'.' | b'(' | b',' | b'='))
            || !near.get(1).is_some_and(begins)
        {
            return None;
        }
        let end = memchr::memchr2(b']', b'\n', near)?;
        (near.get(end) == Some(&b']')).then_some(end + 1)
    }

    /// `DELIMITER x` changes what ends a statement.
    fn delimiter_line(&mut self) -> Option<usize> {
        let len = self.line_len();
        let line = self.rest().get(..len)?;
        let (word, delimiter) = line.split_at_checked(9)?;
        let delimiter = delimiter.trim_ascii();
        if !word.eq_ignore_ascii_case(b"delimiter") || delimiter.is_empty() || delimiter.len() > LONGEST_TAG {
            return None;
        }
        self.delimiter = delimiter;
        Some(len)
    }

    /// Skips the data lines of a `COPY`, up to a line `\.`. An empty line or another `COPY` shows that there are
    /// none.
    fn pass_copied(&mut self) {
        let mut len = 0;
        for (number, line) in self.rest().split_inclusive(|byte| *byte == b'\n').enumerate() {
            let trimmed = line.trim_ascii();
            let begins_copy = trimmed.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"copy "));
            // The first line is what follows the semicolon.
            if (number == 1 && trimmed.is_empty()) || begins_copy {
                return;
            }
            len += line.len();
            if trimmed == b"\\." {
                self.at += len;
                self.begins_line = true;
                return;
            }
        }
    }

    /// The kind and length of the token that begins here, which is not white space.
    fn read(&mut self) -> (Kind, usize) {
        let rest = self.rest();
        let first = rest.first().copied().unwrap_or(b' ');
        let second = rest.get(1).copied().unwrap_or(b' ');
        if rest.starts_with(self.delimiter) {
            return (Kind::End, self.delimiter.len());
        }
        if self.begins_line {
            let line = rest.get(..self.line_len()).unwrap_or_default().trim_ascii();
            let is_batch = line == b"/" || line.eq_ignore_ascii_case(b"go") || line.eq_ignore_ascii_case(b"go;");
            if is_batch {
                return (Kind::Batch, line.len());
            }
            if self.begins_statement && is_include(line) {
                return (Kind::Command, line.len());
            }
            if first.eq_ignore_ascii_case(&b'd')
                && let Some(len) = self.delimiter_line()
            {
                return (Kind::Command, len);
            }
            if first == b'#' && self.escapes {
                return (Kind::Hash, line.len());
            }
        }
        match (first, second) {
            (b'-', b'-') => (Kind::Comment, self.line_len()),
            (b'/', b'*') => match self.block_len() {
                Some(len) => (Kind::Comment, len),
                None => (Kind::Sign, 1),
            },
            (b'\'', _) => (Kind::Text, self.quoted_len(b'\'', self.escapes)),
            (b'e' | b'E', b'\'') => {
                self.at += 1;
                let len = self.quoted_len(b'\'', true);
                self.at -= 1;
                (Kind::Text, len + 1)
            }
            (b'"', _) => (Kind::Quoted, self.quoted_len(b'"', self.escapes)),
            (b'`', _) => (Kind::Quoted, self.quoted_len(b'`', false)),
            (b'\\', letter) if letter.is_ascii_alphabetic() || matches!(letter, b'.' | b'!' | b'?') => {
                (Kind::Command, self.line_len())
            }
            (b'$', _) => match self.dollar_len() {
                Some(len) => (Kind::Dollar, len),
                None => (Kind::Sign, 1),
            },
            (b'[', _) => match self.bracket_len() {
                Some(len) => (Kind::Quoted, len),
                None => (Kind::Sign, 1),
            },
            (digit, _) if digit.is_ascii_digit() => {
                let len = rest.iter().take_while(|byte| is_word(**byte) || **byte == b'.').count();
                (Kind::Number, len)
            }
            (letter, _) if is_word(letter) => (Kind::Word, rest.iter().take_while(|byte| is_word(**byte)).count()),
            _ => (Kind::Sign, 1),
        }
    }

    /// Keeps in mind what a statement copies.
    fn watch(&mut self, kind: Kind, word: &[u8]) {
        match kind {
            Kind::Comment | Kind::Hash => {}
            Kind::End | Kind::Batch | Kind::Command => {
                if std::mem::take(&mut self.copies_from_below) && kind == Kind::End {
                    self.pass_copied();
                }
                self.copies = false;
                self.begins_statement = true;
            }
            Kind::Word => {
                self.copies_from_below |= self.copies && word.eq_ignore_ascii_case(b"stdin");
                self.copies |= self.begins_statement && word.eq_ignore_ascii_case(b"copy");
                self.begins_statement = false;
            }
            _ => self.begins_statement = false,
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let byte = *self.rest().first()?;
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.begins_line |= byte == b'\n';
            self.at += 1;
        }
        let start = self.at;
        let (kind, len) = self.read();
        let end = (start + len.max(1)).min(self.end);
        self.at = end;
        let token = Token {
            kind,
            start,
            end,
            begins_line: std::mem::take(&mut self.begins_line),
        };
        self.watch(kind, self.bytes.get(start..end).unwrap_or_default());
        Some(token)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'@' | b'#' | b'$')
}

/// Whether a line runs another file.
fn is_include(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| included(line).is_some())
}

/// The file that a line runs, in the clients of the dialects.
pub(super) fn included(line: &str) -> Option<&str> {
    const WORDS: &[&str] = &[
        "\\i ",
        "\\ir ",
        "\\include ",
        "\\include_relative ",
        "\\. ",
        ".read ",
        "source ",
        "@@",
        "@",
    ];
    let file = WORDS.iter().find_map(|word| line.strip_prefix(word))?.trim();
    let file = file.strip_suffix(';').unwrap_or(file).trim_end();
    let file = file.trim_matches(['\'', '"']);
    let is_path = !file.is_empty() && !file.contains([' ', '=', ',', '(']);
    (is_path && (line.starts_with(['\\', '.']) || file.contains('.'))).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str) -> Vec<(Kind, &str)> {
        Tokens::new(source)
            .map(|token| (token.kind, token.text(source)))
            .collect()
    }

    #[test]
    fn quotes_of_every_dialect() {
        assert_eq!(
            tokens("a 'it''s' \"b\"\"c\" [d e].[f] g[1] E'\\'' $$x;$$ $t$ $$ $t$"),
            [
                (Kind::Word, "a"),
                (Kind::Text, "'it''s'"),
                (Kind::Quoted, "\"b\"\"c\""),
                (Kind::Quoted, "[d e]"),
                (Kind::Sign, "."),
                (Kind::Quoted, "[f]"),
                (Kind::Word, "g"),
                (Kind::Sign, "["),
                (Kind::Number, "1"),
                (Kind::Sign, "]"),
                (Kind::Text, "E'\\''"),
                (Kind::Dollar, "$$x;$$"),
                (Kind::Dollar, "$t$ $$ $t$"),
            ]
        );
        assert_eq!(
            tokens("`a` 'it\\'s'"),
            [(Kind::Quoted, "`a`"), (Kind::Text, "'it\\'s'")]
        );
    }

    #[test]
    fn what_ends_a_statement() {
        assert_eq!(
            tokens("a;\nDELIMITER //\nb; c //\ndelimiter ;\nd\nGO\n/\n"),
            [
                (Kind::Word, "a"),
                (Kind::End, ";"),
                (Kind::Command, "DELIMITER //"),
                (Kind::Word, "b"),
                (Kind::Sign, ";"),
                (Kind::Word, "c"),
                (Kind::End, "//"),
                (Kind::Command, "delimiter ;"),
                (Kind::Word, "d"),
                (Kind::Batch, "GO"),
                (Kind::Batch, "/"),
            ]
        );
    }

    #[test]
    fn lines_below_a_copy_are_no_sql() {
        assert_eq!(
            tokens("COPY t FROM stdin;\nit's\n\\.\na"),
            [
                (Kind::Word, "COPY"),
                (Kind::Word, "t"),
                (Kind::Word, "FROM"),
                (Kind::Word, "stdin"),
                (Kind::End, ";"),
                (Kind::Word, "a"),
            ]
        );
    }

    #[test]
    fn comments_may_nest_if_they_end() {
        assert_eq!(
            tokens("/* /* */ */ a"),
            [(Kind::Comment, "/* /* */ */"), (Kind::Word, "a")]
        );
        assert_eq!(tokens("/* /* */ a"), [(Kind::Comment, "/* /* */"), (Kind::Word, "a")]);
        assert_eq!(tokens("/* a").first(), Some(&(Kind::Sign, "/")));
    }
}
