//! The tokens of C, C++ and Objective-C, as far as the preprocessor and the shape of declarations need them.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A name or keyword.
    Word,
    Number,
    /// A string or a character.
    Text,
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// `...`
    Ellipsis,
    /// Any other sign, one character each.
    Sign(u8),
    /// A directive of the preprocessor, to the end of its last line; a comment that ends it is not part of it.
    Directive,
}

/// A token and the bytes it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    pub(super) fn text<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    pub(super) fn is(&self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }

    pub(super) fn opens(&self) -> bool {
        matches!(self.kind, Kind::Sign(b'(' | b'[' | b'{'))
    }

    pub(super) fn closes(&self) -> bool {
        matches!(self.kind, Kind::Sign(b')' | b']' | b'}'))
    }
}

/// The tokens of a source, without comments.
pub(super) fn tokens(source: &[u8]) -> Vec<Token> {
    let mut reader = TokenReader { source, at: 0 };
    let mut found = Vec::with_capacity(source.len() / 6);
    let mut begins_line = true;
    while let Some(byte) = reader.peek(0) {
        let start = reader.at;
        let kind = match byte {
            b'\n' => {
                begins_line = true;
                reader.at += 1;
                continue;
            }
            _ if byte.is_ascii_whitespace() || byte == b'\\' => {
                reader.at += 1;
                continue;
            }
            b'/' if reader.comment() => continue,
            b'#' if begins_line => {
                let end = reader.directive();
                found.push(Token {
                    kind: Kind::Directive,
                    start: start as u32,
                    end: end as u32,
                });
                continue;
            }
            _ => reader.token(byte),
        };
        begins_line = false;
        found.push(Token {
            kind,
            start: start as u32,
            end: reader.at as u32,
        });
    }
    found
}

/// The comments inside a text, such as a directive, in order.
pub(super) fn comments(text: &str) -> Vec<(usize, usize)> {
    let mut reader = TokenReader {
        source: text.as_bytes(),
        at: 0,
    };
    let mut found = Vec::new();
    while let Some(byte) = reader.peek(0) {
        let start = reader.at;
        match byte {
            b'/' if reader.comment() => found.push((start, reader.at)),
            _ => {
                reader.token(byte);
            }
        }
    }
    found
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Reads a source from a byte on.
struct TokenReader<'s> {
    source: &'s [u8],
    at: usize,
}

impl TokenReader<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    /// Skips one token that is not a comment. Returns its kind.
    fn token(&mut self, first: u8) -> Kind {
        match first {
            b'"' | b'\'' => {
                self.quoted(first);
                Kind::Text
            }
            b'0'..=b'9' => {
                self.number();
                Kind::Number
            }
            _ if is_name_byte(first) => self.word(),
            _ => {
                self.at += 1;
                match (first, self.peek(0), self.peek(1)) {
                    (b':', Some(b':'), _) => {
                        self.at += 1;
                        Kind::Scope
                    }
                    (b'-', Some(b'>'), _) => {
                        self.at += 1;
                        Kind::Arrow
                    }
                    (b'.', Some(b'.'), Some(b'.')) => {
                        self.at += 2;
                        Kind::Ellipsis
                    }
                    (b'.', Some(b'0'..=b'9'), _) => {
                        self.number();
                        Kind::Number
                    }
                    _ => Kind::Sign(first),
                }
            }
        }
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        while self.peek(0).is_some_and(is_name_byte) {
            self.at += 1;
        }
        let word = &self.source[start..self.at];
        match (word, self.peek(0)) {
            (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", Some(b'"')) => {
                self.raw_string();
                Kind::Text
            }
            (b"L" | b"u" | b"U" | b"u8", Some(quote @ (b'"' | b'\''))) => {
                self.quoted(quote);
                Kind::Text
            }
            _ => Kind::Word,
        }
    }

    fn number(&mut self) {
        while let Some(byte) = self.peek(0) {
            let sign = matches!(byte, b'+' | b'-')
                && matches!(
                    self.at.checked_sub(1).and_then(|before| self.source.get(before)),
                    Some(b'e' | b'E' | b'p' | b'P')
                );
            let separator = byte == b'\'' && self.peek(1).is_some_and(|next| next.is_ascii_alphanumeric());
            if !(is_name_byte(byte) || byte == b'.' || sign || separator) {
                break;
            }
            self.at += 1;
        }
    }

    /// A string or character, which ends at the end of the line if nothing else ends it.
    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => {
                    self.at += match (self.peek(1), self.peek(2)) {
                        (Some(b'\r'), Some(b'\n')) => 3,
                        _ => 2,
                    }
                }
                b'\n' => break,
                _ => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.source.len());
    }

    /// `"x( … )x"`; as any other string where it is not that.
    fn raw_string(&mut self) {
        let rest = &self.source[self.at + 1..];
        let delimiter = rest.iter().take(17).position(|byte| *byte == b'(');
        let Some(delimiter) = delimiter.map(|len| &rest[..len]) else {
            return self.quoted(b'"');
        };
        let end = [b")", delimiter, b"\""].concat();
        self.at = match memchr::memmem::find(rest, &end) {
            Some(found) => self.at + 1 + found + end.len(),
            None => self.source.len(),
        };
    }

    /// Skips a comment, if there is one here.
    fn comment(&mut self) -> bool {
        match self.peek(1) {
            Some(b'/') => {
                while let Some(byte) = self.peek(0) {
                    match (byte, self.peek(1), self.peek(2)) {
                        (b'\n', _, _) => break,
                        (b'\\', Some(b'\r'), Some(b'\n')) => self.at += 3,
                        (b'\\', Some(_), _) => self.at += 2,
                        _ => self.at += 1,
                    }
                }
                true
            }
            Some(b'*') => {
                let rest = self.source.get(self.at + 2..).unwrap_or_default();
                self.at = match memchr::memmem::find(rest, b"*/") {
                    Some(end) => self.at + 2 + end + 2,
                    None => self.source.len(),
                };
                true
            }
            _ => false,
        }
    }

    /// Skips a directive. Returns the end of its text.
    fn directive(&mut self) -> usize {
        let mut end = self.at;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => break,
                b'\\' => {
                    self.at += match (self.peek(1), self.peek(2)) {
                        (Some(b'\n'), _) => 2,
                        (Some(b'\r'), Some(b'\n')) => 3,
                        _ => 1,
                    };
                }
                _ if byte.is_ascii_whitespace() => self.at += 1,
                b'/' if self.comment() => {}
                _ => {
                    self.token(byte);
                    end = self.at;
                }
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Vec<&str> {
        tokens(source.as_bytes())
            .iter()
            .map(|token| &source[token.start as usize..token.end as usize])
            .collect()
    }

    #[test]
    fn texts_numbers_and_signs() {
        assert_eq!(
            read("a::b->c(1'000, 1e+5, .5, 'x', L\"s\\\"t\", R\"d(a)\" b)d\");"),
            [
                "a",
                "::",
                "b",
                "->",
                "c",
                "(",
                "1'000",
                ",",
                "1e+5",
                ",",
                ".5",
                ",",
                "'x'",
                ",",
                "L\"s\\\"t\"",
                ",",
                "R\"d(a)\" b)d\"",
                ")",
                ";"
            ]
        );
        assert_eq!(read("don't\nx"), ["don", "'t", "x"]);
    }

    #[test]
    fn a_directive_reaches_to_the_end_of_its_last_line() {
        assert_eq!(
            read("#define A 1 /* x\n y */ + \\\n 2 // z\nb # c\n"),
            ["#define A 1 /* x\n y */ + \\\n 2", "b", "#", "c"]
        );
        assert_eq!(read("/* a */ #if X /* b */\n#"), ["#if X", "#"]);
    }

    #[test]
    fn comments_of_a_text() {
        let text = "#define A \"/*\" /* b */ 1 // c";
        let found: Vec<&str> = comments(text).iter().map(|(start, end)| &text[*start..*end]).collect();
        assert_eq!(found, ["/* b */", "// c"]);
    }
}
