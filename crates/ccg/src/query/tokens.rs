//! A look at a query before it is parsed: shorthand IRIs are expanded, federation and hostile nesting refused (clauses I3, Q1).
//!
//! It knows just enough of SPARQL's tokens to tell strings, comments, IRIs and prefixed names apart.

use super::super::Identity;
use super::super::vocabulary::PREFIXES;
use lore_seam::{ErrorKind, Facet, OpError};

/// Bytes of a query.
pub const MAX_QUERY_BYTES: usize = 256 * 1024;
/// Brackets within brackets.
pub const MAX_DEPTH: usize = 64;

/// The prefixes that mean something of the commit, and what for.
pub(super) const COMMIT_PREFIXES: &[(&str, &str)] = &[
    ("sym", "sym"),
    ("file", "file"),
    ("graph", "graph"),
    ("finding", "finding"),
];

/// A query that the parser understands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// The shorthand IRIs that were expanded, as they were written, and what they mean.
    pub(super) shorthands: Vec<(String, String)>,
    /// The first prefix that is used and that nobody declared.
    pub(super) undeclared: Option<String>,
}

fn invalid(message: impl Into<String>) -> OpError {
    OpError::new(ErrorKind::Invalid, message)
}

/// Expands what only Lore understands, and refuses what must not be evaluated.
pub(super) fn expand(query: &str, identity: &Identity, datasets: &[Facet]) -> Result<Expanded, OpError> {
    if query.len() > MAX_QUERY_BYTES {
        return Err(invalid(format!(
            "the query has {} bytes; at most {MAX_QUERY_BYTES} are allowed",
            query.len()
        )));
    }
    let mut scanner = Scanner {
        query,
        at: 0,
        identity,
        redeclared: Vec::new(),
        text: String::with_capacity(query.len() + 256),
        shorthands: Vec::new(),
        used: Vec::new(),
    };
    scanner.run()?;
    let is_known = |prefix: &&str| {
        let of_facets = datasets.iter().map(|facet| &facet.prefix);
        let known = PREFIXES
            .iter()
            .chain(COMMIT_PREFIXES)
            .chain(of_facets)
            .map(|(known, _)| known);
        known.chain(&scanner.redeclared).any(|known| known == prefix)
    };
    let undeclared = scanner.used.iter().find(|prefix| !is_known(prefix));
    let undeclared = undeclared.map(|prefix| (*prefix).to_owned());
    Ok(Expanded {
        text: scanner.text,
        shorthands: scanner.shorthands,
        undeclared,
    })
}

struct Scanner<'a> {
    query: &'a str,
    at: usize,
    identity: &'a Identity,
    /// Prefixes that the query declares itself.
    redeclared: Vec<&'a str>,
    text: String,
    shorthands: Vec<(String, String)>,
    /// Prefixes of names, in their order.
    used: Vec<&'a str>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.query[self.at..]
    }

    fn copy(&mut self, bytes: usize) {
        self.text.push_str(&self.query[self.at..self.at + bytes]);
        self.at += bytes;
    }

    fn run(&mut self) -> Result<(), OpError> {
        let mut depth = 0;
        while let Some(letter) = self.rest().chars().next() {
            match letter {
                '#' => {
                    let end = self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
                    self.copy(end);
                }
                '"' | '\'' => {
                    let end = string_end(self.rest());
                    self.copy(end);
                }
                '<' => self.iri()?,
                '(' | '{' | '[' => {
                    depth += 1;
                    if depth > MAX_DEPTH {
                        return Err(invalid(format!("the query nests brackets more than {MAX_DEPTH} deep")));
                    }
                    self.copy(1);
                }
                ')' | '}' | ']' => {
                    depth = depth.saturating_sub(1);
                    self.copy(1);
                }
                '?' | '$' | '@' | '_' => {
                    let name = self.rest()[1..]
                        .find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | ':')))
                        .unwrap_or(self.rest().len() - 1);
                    self.copy(1 + name);
                }
                letter if letter.is_alphabetic() || letter == ':' => self.word()?,
                letter => self.copy(letter.len_utf8()),
            }
        }
        Ok(())
    }

    /// An IRI in angle brackets, or the sign for less.
    fn iri(&mut self) -> Result<(), OpError> {
        let rest = &self.rest()[1..];
        let is_shorthand = ["sym:", "file:", "repo:", "finding:", "taint:", "dfg:", "trait:"]
            .iter()
            .any(|scheme| rest.starts_with(scheme));
        if is_shorthand {
            // Only these are spaces to SPARQL; those of other scripts may be part of a name.
            let end = rest.find(|letter: char| letter == '>' || letter <= ' ');
            let inside = match end {
                Some(end) if rest[end..].starts_with('>') => &rest[..end],
                _ => {
                    let start: String = rest.chars().take(40).collect();
                    return Err(invalid(format!("the shorthand IRI `<{start}` does not end"))
                        .hint("spaces and angle brackets in a name are written %20, %3C and %3E"));
                }
            };
            if let Some(iri) = self.identity.expand(inside) {
                self.text.push('<');
                self.text.push_str(&iri);
                self.text.push('>');
                self.shorthands.push((inside.to_owned(), iri));
                self.at += inside.len() + 2;
                return Ok(());
            }
        }
        let is_part =
            |letter: char| letter > ' ' && !matches!(letter, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\');
        match rest.find(|letter: char| !is_part(letter)) {
            Some(end) if rest[end..].starts_with('>') => self.copy(end + 2),
            _ => self.copy(1),
        }
        Ok(())
    }

    /// A keyword, or a name with a prefix.
    fn word(&mut self) -> Result<(), OpError> {
        let rest = self.rest();
        // A full stop ends a triple, and the next word may follow it at once.
        let end = rest
            .find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-')))
            .unwrap_or(rest.len());
        let word = &rest[..end];
        if !rest[end..].starts_with(':') {
            if word.eq_ignore_ascii_case("service") {
                return Err(invalid("SERVICE is refused: a query reads only this repository"));
            }
            self.copy(word.len().max(1));
            if word.eq_ignore_ascii_case("prefix") {
                self.prefix();
            }
            return Ok(());
        }
        if !self.used.contains(&word) {
            self.used.push(word);
        }
        let local = local_name(&rest[end + 1..]);
        let family = COMMIT_PREFIXES
            .iter()
            .find(|(prefix, _)| *prefix == word && !self.redeclared.contains(prefix));
        match family {
            Some((_, family)) => {
                let plain = unescaped(local);
                let shorthand = if *family == "graph" { "repo" } else { family };
                let iri = self
                    .identity
                    .expand(&format!("{shorthand}:{plain}"))
                    .unwrap_or_default();
                self.text.push('<');
                self.text.push_str(&iri);
                self.text.push('>');
                self.shorthands.push((format!("{word}:{local}"), iri));
                self.at += end + 1 + local.len();
            }
            None => self.copy(end + 1 + local.len()),
        }
        Ok(())
    }

    /// What is behind the keyword PREFIX: the name that is declared, which from here on means what the query says.
    fn prefix(&mut self) {
        let rest = self.rest();
        let space = rest.len() - rest.trim_start().len();
        let rest = &rest[space..];
        if let Some(end) = rest.find(':')
            && rest[..end]
                .chars()
                .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.'))
        {
            self.redeclared.push(&rest[..end]);
            self.copy(space + end + 1);
        }
    }
}

/// Where a string ends that begins here.
pub(super) fn string_end(text: &str) -> usize {
    let quote = &text[..1];
    let long = [quote; 3].concat();
    let (mut at, end) = if text.starts_with(&long) {
        (3, long.as_str())
    } else {
        (1, quote)
    };
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(end) {
            return at + end.len();
        }
        let mut letters = rest.chars();
        at += match letters.next() {
            Some('\\') => 1 + letters.next().map_or(0, char::len_utf8),
            Some(letter) => letter.len_utf8(),
            None => 1,
        };
    }
    text.len()
}

/// The local part of a prefixed name: everything up to what cannot be part of it, without the full stops that end a triple.
fn local_name(text: &str) -> &str {
    let mut end = 0;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((at, escaped)) => end = at + escaped.len_utf8(),
                None => break,
            },
            '%' | ':' | '_' | '-' | '.' => end = at + 1,
            letter if letter.is_alphanumeric() || letter == '\u{b7}' => end = at + letter.len_utf8(),
            _ => break,
        }
    }
    text[..end].trim_end_matches('.')
}

fn unescaped(local: &str) -> String {
    let mut plain = String::with_capacity(local.len());
    let mut letters = local.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next()),
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(query: &str) -> String {
        let identity = Identity::new("h", "o", "n", "c");
        let text = expand(query, &identity, &[]).expect(query).text;
        text.replace(identity.base(), "B")
    }

    #[test]
    fn i3_shorthand_in_a_query_is_expanded() {
        for (query, wanted) in [
            ("<sym:a.b.c> ?p <file:src/x.rs>", "<B/sym/a.b.c> ?p <B/file/src/x.rs>"),
            ("GRAPH <repo:meta> {}", "GRAPH <B/graph/meta> {}"),
            ("sym:a.b.c.d ?p sym:x.", "<B/sym/a.b.c.d> ?p <B/sym/x>."),
            (
                "sym:a::b graph:calls finding:1",
                "<B/sym/a::b> <B/graph/calls> <B/finding/1>",
            ),
            ("sym:f\\#2 <sym:f#2>", "<B/sym/f%232> <B/sym/f%232>"),
            ("<file:app/[id]/p%20q.tsx>", "<B/file/app/%5Bid%5D/p%20q.tsx>"),
            ("<file:全角\u{3000}空白.py>", "<B/file/全角%E3%80%80空白.py>"),
            ("<file:全角%E3%80%80空白.py>", "<B/file/全角%E3%80%80空白.py>"),
            ("<trait:McpHandler> <taint:1>", "<B/sym/McpHandler> <B/taint/1>"),
            (
                "'<sym:x>' \"sym:y\" '''a'sym:z''' # sym:q",
                "'<sym:x>' \"sym:y\" '''a'sym:z''' # sym:q",
            ),
            ("PREFIX sym: <urn:x:> sym:a.b", "PREFIX sym: <urn:x:> sym:a.b"),
            ("prefix s: <sym:> s:a", "prefix s: <B/sym/> s:a"),
            ("FILTER(?a <?b && ?c> 3)", "FILTER(?a <?b && ?c> 3)"),
            ("<file:///etc/x> <http://e/sym:x>", "<file:///etc/x> <http://e/sym:x>"),
            ("?sym:x _:sym a narsil:Function .", "?sym:x _:sym a narsil:Function ."),
        ] {
            assert_eq!(expanded(query), wanted);
        }
    }

    #[test]
    fn q1_federation_and_hostile_nesting_are_refused() {
        let identity = Identity::new("h", "o", "n", "c");
        for query in [
            "ASK { SERVICE SILENT <http://x/> {} }".to_owned(),
            "ASK { FILTER EXISTS { service ?x {} } }".to_owned(),
            "ASK { ?f ccg:isTest false.SERVICE SILENT <http://x/> {} }".to_owned(),
            "ASK { ?f ccg:n 1.SERVICE <http://x/> {} }".to_owned(),
            format!("ASK {{ FILTER({}1{}) }}", "(".repeat(5_000), ")".repeat(5_000)),
            " ".repeat(MAX_QUERY_BYTES + 1),
            "ASK { <sym:a b> ?p ?o }".to_owned(),
        ] {
            let error = expand(&query, &identity, &[]).expect_err("it is refused");
            assert_eq!(error.kind, ErrorKind::Invalid);
        }
        assert!(expand("ASK { ?service narsil:service 'SERVICE' }", &identity, &[]).is_ok());
    }
}
