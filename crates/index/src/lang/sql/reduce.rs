//! Reduces a source to the text for the parser.
//!
//! The grammar knows one dialect of many and fails on two of three real files. So Lore finds the `CREATE` statements
//! by their tokens and gives each to the parser as a list of names, `SELECT name, member x, member x;`. Every name
//! has its position and length in the source, and each `x` is at the end of a member. Comments stay; all else is
//! white space.

use super::create::{self, Head};
use super::scan::{Kind, Token, Tokens, included};

/// The text that the parser gets, of the same length and with the same lines.
pub(super) fn reduce(source: &str) -> Option<String> {
    let mut reduced = Reduced {
        bytes: source
            .bytes()
            .map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' })
            .collect(),
    };
    let mut tokens = Vec::new();
    for token in Tokens::new(source) {
        match token.kind {
            Kind::Comment => reduced.comment(source, token),
            Kind::Hash => {}
            Kind::Dollar => {
                let inside = token.inside(source);
                for token in Tokens::between(source, inside.start, inside.end) {
                    if token.kind == Kind::Comment {
                        reduced.comment(source, token);
                    }
                }
                tokens.push(token);
            }
            _ => tokens.push(token),
        }
    }
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(head) = create::head(source, &tokens, at) {
            let end = create::end(source, &tokens, &head).max(head.after);
            reduced.statement(source, &tokens, at, end, &head);
            at = end;
        } else if matches!(token.kind, Kind::End | Kind::Batch | Kind::Command) {
            reduced.include(source, *token);
            at += 1;
        } else {
            let end = end_of_other(source, &tokens, at);
            reduced.texts(source, &tokens, at, end);
            at = end;
        }
    }
    String::from_utf8(reduced.bytes).ok()
}

/// The number of the token that ends a statement which creates nothing, or begins one inside that does: `IF … CREATE TABLE …`.
fn end_of_other(source: &str, tokens: &[Token], start: usize) -> usize {
    let ends = |(at, token): (usize, &Token)| match token.kind {
        Kind::End | Kind::Batch | Kind::Command => true,
        Kind::Word => token.begins_line && create::head(source, tokens, at).is_some(),
        _ => false,
    };
    let mut after = tokens.iter().enumerate().skip(start + 1);
    after
        .position(ends)
        .map_or(tokens.len(), |position| start + 1 + position)
}

struct Reduced {
    bytes: Vec<u8>,
}

impl Reduced {
    fn put(&mut self, start: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(start..start + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Something that the parser takes for a name.
    fn name(&mut self, token: Token) {
        if let Some(place) = self.bytes.get_mut(token.start..token.end) {
            place.fill(b'x');
        }
    }

    fn comment(&mut self, source: &str, token: Token) {
        let text = token.text(source);
        if text.starts_with("--") {
            self.put(token.start, text.as_bytes());
        } else {
            // A comment inside would end it too early.
            self.put(token.start, b"/*");
            self.put(token.end - 2, b"*/");
        }
    }

    /// A line that runs another file, if it is long enough.
    fn include(&mut self, source: &str, token: Token) {
        const STATEMENT: &[u8] = b"SELECT x;";
        if included(token.text(source)).is_some() && token.end - token.start >= STATEMENT.len() {
            self.put(token.start, STATEMENT);
        }
    }

    fn statement(&mut self, source: &str, tokens: &[Token], start: usize, end: usize, head: &Head) {
        let (Some(first), Some(last)) = (tokens.get(start), tokens.get(..end).and_then(<[Token]>::last)) else {
            return;
        };
        let terminator = tokens.get(end).filter(|token| token.kind == Kind::End);
        let last_byte = last.end - 1;
        if terminator.is_none() && last_byte == head.name.start {
            // There is no room for an end.
            return;
        }
        self.put(first.start, b"SELECT");
        self.name(head.name);
        let members = create::members(source, tokens.get(..end).unwrap_or_default(), head);
        let members_end = members.last().map(|member| member.end);
        for member in members {
            self.put(member.separator, b",");
            self.name(member.name);
            if member.end > member.name.end + 1 {
                self.put(member.end - 1, b"x");
            }
        }
        self.put(terminator.map_or(last_byte, |token| token.start), b";");
        if terminator.is_some() {
            let reached = members_end.unwrap_or(head.name.end);
            self.list_texts(source, tokens.get(head.after..end).unwrap_or_default(), reached, true);
        }
    }

    /// Keeps the texts with empty lines of a statement that creates nothing: those lines are code.
    fn texts(&mut self, source: &str, tokens: &[Token], start: usize, end: usize) {
        let (Some(first), Some(last)) = (tokens.get(start), tokens.get(end)) else {
            return;
        };
        let rest = tokens.get(start..end).unwrap_or_default();
        if last.kind == Kind::End && first.kind == Kind::Word && first.end >= first.start + 6 {
            let found = self.list_texts(source, rest, first.start + 5, false);
            if found {
                self.put(first.start, b"SELECT");
                self.put(last.start, b";");
            }
        }
    }

    /// Adds texts with empty lines to a list of names, which may hold some already.
    fn list_texts(&mut self, source: &str, tokens: &[Token], mut reached: usize, mut found: bool) -> bool {
        for pair in tokens.windows(2) {
            let [before, token] = pair else { continue };
            let text = token.text(source);
            let has_empty_line = token.kind == Kind::Text && text.lines().skip(1).any(|line| line.trim().is_empty());
            // The comma replaces the character before.
            if !has_empty_line || !text.ends_with('\'') || before.end <= reached {
                continue;
            }
            if found {
                self.put(before.end - 1, b",");
            }
            found = true;
            reached = token.end;
            self.put(token.inside(source).start - 1, b"'");
            self.put(token.end - 1, b"'");
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(source: &str) -> String {
        let reduced = reduce(source).expect("it is text");
        assert_eq!(reduced.len(), source.len());
        reduced
    }

    #[test]
    fn names_and_members_stay_where_they_are() {
        assert_eq!(
            reduced("create table a.b (c int, primary key (c), d text -- e\n, f);"),
            "SELECT         x ,x   x                 , x    x -- e\n, x ;"
        );
        // There is no room for an end.
        assert_eq!(reduced("CREATE VIEW v\nGO\n"), format!("{}\n  \n", " ".repeat(13)));
        assert_eq!(reduced("CREATE VIEW vw\nGO\n"), "SELECT      x;\n  \n");
        assert_eq!(
            reduced("INSERT INTO t VALUES ('CREATE TABLE x (a int);');"),
            " ".repeat(49)
        );
    }

    #[test]
    fn texts_with_empty_lines_stay() {
        assert_eq!(
            reduced("INSERT INTO t VALUES ('a\n\nb', 'c', 'd\n\n');"),
            "SELECT                ' \n\n '     , ' \n\n' ;"
        );
    }

    #[test]
    fn bodies_end_with_their_blocks() {
        let source = "CREATE TRIGGER t BEFORE INSERT ON u BEGIN SELECT 1; END; CREATE TABLE v(w int);";
        assert_eq!(reduced(source).matches("SELECT").count(), 2);
        let source = "create function f() returns int as $$ begin; create table no (a); end $$ language sql; create type t as enum ('a', 'b')";
        let text = reduced(source);
        assert_eq!(text.matches("SELECT").count(), 2);
        assert!(text.ends_with(",xxx, xxx;"), "{text}");
    }
}
