//! JSON with comments and trailing commas, as clients accept it: the positions of values, keys, commas and comments.
//!
//! An edit must leave every other byte as it is, and for that needs positions only. A scan into spans gives them; a JSONC parser from a crate returns
//! values, and would still need the positions of commas and comments from this module.

use serde_json::{Map, Value};

use super::text::{Fault, MARK};

/// How deep values may be nested.
const MAX_DEPTH: usize = 128;

/// A value and where it is.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar,
}

/// A key and its value.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) start: usize,
    pub(super) value: Node,
    /// Where the comma after it stands.
    pub(super) comma: Option<usize>,
}

/// A comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Comment {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it ends with its line.
    pub(super) to_line_end: bool,
}

/// The value that a text holds; none if there are only comments and blanks.
pub(super) fn parse(text: &str) -> Result<Option<Node>, Fault> {
    let mut scanner = Scanner {
        text,
        at: text.len() - text.trim_start_matches(MARK).len(),
    };
    scanner.trivia()?;
    if scanner.peek().is_none() {
        return Ok(None);
    }
    let root = scanner.value(0)?;
    scanner.trivia()?;
    match scanner.peek() {
        None => Ok(Some(root)),
        Some(_) => Err(scanner.fault("unexpected text after the value")),
    }
}

/// What a node says.
pub(super) fn value(text: &str, node: &Node) -> Result<Value, Fault> {
    Ok(match &node.kind {
        Kind::Object(members) => {
            let mut fields = Map::new();
            for member in members {
                fields.insert(member.key.clone(), value(text, &member.value)?);
            }
            Value::Object(fields)
        }
        Kind::Array(items) => Value::Array(items.iter().map(|item| value(text, item)).collect::<Result<_, _>>()?),
        Kind::Scalar => scalar(text, node.start, node.end)?,
    })
}

/// The comments between two places, where there is nothing else but blanks and commas.
pub(super) fn comments(text: &str, start: usize, end: usize) -> Vec<Comment> {
    let mut scanner = Scanner { text, at: start };
    let mut found = Vec::new();
    while scanner.at < end {
        match scanner.comment() {
            Ok(Some(comment)) => found.push(comment),
            _ => scanner.at += scanner.peek().map_or(1, char::len_utf8),
        }
    }
    found
}

fn scalar(text: &str, start: usize, end: usize) -> Result<Value, Fault> {
    serde_json::from_str(&text[start..end]).map_err(|_| {
        let what = if text[start..].starts_with('"') {
            "invalid JSON string"
        } else {
            "invalid JSON value"
        };
        Fault::new(start, what)
    })
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.at, message)
    }

    fn expected(&self, what: &str) -> Fault {
        match self.peek() {
            Some(letter) if letter.is_ascii_graphic() => self.fault(format!("{what} is expected here, not `{letter}`")),
            Some(letter) => self.fault(format!("{what} is expected here, not `{}`", letter.escape_debug())),
            None => self.fault(format!("the file ends where {what} is expected")),
        }
    }

    /// Skips blanks and comments.
    fn trivia(&mut self) -> Result<(), Fault> {
        loop {
            let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
            self.at += blanks;
            if self.comment()?.is_none() {
                return Ok(());
            }
        }
    }

    /// Skips the comment that begins here, if one does.
    fn comment(&mut self) -> Result<Option<Comment>, Fault> {
        let start = self.at;
        let to_line_end = self.rest().starts_with("//");
        if to_line_end {
            self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
        } else if self.rest().starts_with("/*") {
            match self.rest()[2..].find("*/") {
                Some(length) => self.at += length + 4,
                None => return Err(self.fault("this comment has no end")),
            }
        } else {
            return Ok(None);
        }
        Ok(Some(Comment {
            start,
            end: self.at,
            to_line_end,
        }))
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault(format!("values are nested deeper than {MAX_DEPTH}")));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some('{') => Kind::Object(self.members(depth)?),
            Some('[') => Kind::Array(self.items(depth)?),
            Some('"') => {
                self.string()?;
                Kind::Scalar
            }
            Some(letter) if letter.is_ascii_alphanumeric() || letter == '-' => {
                let inside = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '+' | '.');
                self.at += self.rest().find(|letter| !inside(letter)).unwrap_or(self.rest().len());
                scalar(self.text, start, self.at)?;
                Kind::Scalar
            }
            _ => return Err(self.expected("a value")),
        };
        Ok(Node {
            start,
            end: self.at,
            kind,
        })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<Member>, Fault> {
        let mut members: Vec<Member> = Vec::new();
        self.at += 1;
        loop {
            self.trivia()?;
            let separated = members.last().is_none_or(|last| last.comma.is_some());
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    return Ok(members);
                }
                Some('"') if separated => {
                    let start = self.at;
                    let key = self.string()?;
                    self.trivia()?;
                    if self.peek() != Some(':') {
                        return Err(self.expected("`:`"));
                    }
                    self.at += 1;
                    self.trivia()?;
                    let value = self.value(depth + 1)?;
                    members.push(Member {
                        key,
                        start,
                        value,
                        comma: None,
                    });
                }
                Some(',') if !separated => {
                    let comma = self.at;
                    members
                        .iter_mut()
                        .last()
                        .into_iter()
                        .for_each(|last| last.comma = Some(comma));
                    self.at += 1;
                }
                _ if separated => return Err(self.expected("a key or `}`")),
                _ => return Err(self.expected("`,` or `}`")),
            }
        }
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Node>, Fault> {
        let mut items = Vec::new();
        let mut separated = true;
        self.at += 1;
        loop {
            self.trivia()?;
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    return Ok(items);
                }
                Some(',') if !separated => {
                    separated = true;
                    self.at += 1;
                }
                _ if separated => {
                    items.push(self.value(depth + 1)?);
                    separated = false;
                }
                _ => return Err(self.expected("`,` or `]`")),
            }
        }
    }

    /// Skips a text in quotation marks; what it says.
    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let mut escaped = false;
        for (offset, letter) in self.text[start + 1..].char_indices() {
            match letter {
                '\n' | '\r' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return match scalar(self.text, start, self.at)? {
                        Value::String(text) => Ok(text),
                        _ => Err(Fault::new(start, "invalid JSON string")),
                    };
                }
                _ => {}
            }
        }
        Err(self.fault("unterminated string"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::text::position;
    use super::*;

    fn read(text: &str) -> Result<Option<Value>, String> {
        let told = |fault: Fault| {
            let (line, column) = position(text, fault.at);
            format!("{line}:{column}: {}", fault.message)
        };
        let root = parse(text).map_err(told)?;
        root.map(|root| value(text, &root)).transpose().map_err(told)
    }

    #[test]
    fn comments_and_commas_at_the_end_are_taken() {
        let text = "\u{feff}// a\n{ /* b */ \"k\" : [1, -2.5e3, true, null, \"\\u00e4 // no\",], // c\n \"o\": {},\n}\n/* d */";
        let wanted = json!({ "k": [1, -2500.0, true, null, "ä // no"], "o": {} });
        assert_eq!(read(text), Ok(Some(wanted)));
        for empty in ["", "\u{feff}", " \r\n", "// only this", "/* and this */ "] {
            assert_eq!(read(empty), Ok(None), "{empty:?}");
        }
    }

    #[test]
    fn what_does_not_parse_is_told_with_its_place() {
        let deep = "[".repeat(200);
        for (text, wanted) in [
            (
                "{\n  \"a\": 1\n  \"b\": 2\n}",
                "3:3: `,` or `}` is expected here, not `\"`",
            ),
            ("{\"a\" 1}", "1:6: `:` is expected here, not `1`"),
            ("{\"a\": }", "1:7: a value is expected here, not `}`"),
            ("{\"a\": 1", "1:8: the file ends where `,` or `}` is expected"),
            ("{,}", "1:2: a key or `}` is expected here, not `,`"),
            ("{\"a\": 1,,}", "1:9: a key or `}` is expected here, not `,`"),
            ("{a: 1}", "1:2: a key or `}` is expected here, not `a`"),
            ("{'a': 1}", "1:2: a key or `}` is expected here, not `'`"),
            ("[1 2]", "1:4: `,` or `]` is expected here, not `2`"),
            ("{\"a\": tru}", "1:7: invalid JSON value"),
            ("{\"a\": 01}", "1:7: invalid JSON value"),
            ("{\"a\": \"\\x\"}", "1:7: invalid JSON string"),
            ("{\"a\": \"b\nc\"}", "1:7: unterminated string"),
            ("{} /* x", "1:4: this comment has no end"),
            ("{} {}", "1:4: unexpected text after the value"),
            ("\u{a0}{}", "1:1: a value is expected here, not `\\u{a0}`"),
            ("<<<<<<< HEAD\n{}", "1:1: a value is expected here, not `<`"),
            (deep.as_str(), "1:130: values are nested deeper than 128"),
        ] {
            assert_eq!(read(text), Err(wanted.to_owned()), "{text:?}");
        }
    }
}
