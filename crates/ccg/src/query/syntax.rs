//! What is wrong with a text that is not SPARQL: where, what was expected there, and the line with a mark below the place.

use std::ops::Range;

use lore_model::{fold_whitespace, nearest, truncate_chars};
use lore_seam::{ErrorKind, OpError};
use serde_json::json;

use super::tokens::string_end;

/// The forms of a query.
const FORMS: &[&str] = &["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"];
/// Characters of the line that are shown before and after the place.
const AROUND: usize = 60;
/// Characters of what was found.
const MAX_FOUND: usize = 30;
/// What was expected, as far as it is listed.
const MAX_EXPECTED: usize = 8;

/// A place in a text. Both numbers begin at 1 and count lines and characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    line: usize,
    column: usize,
}

/// What a parser says of a text that it refuses.
pub(super) type Refusal<'p> = dyn Fn(&str) -> Option<String> + 'p;

/// The error for a text that the parser refused.
pub(super) fn explained(text: &str, refusal: &Refusal<'_>) -> OpError {
    let invalid = |place: Place, what: &str| {
        let message = format!(
            "the query is not SPARQL: line {}, column {}: {what}",
            place.line, place.column
        );
        let [line, mark] = marked(text, place);
        OpError::new(ErrorKind::Invalid, message)
            .data(json!({ "line": place.line, "column": place.column }))
            .hint(line)
            .hint(mark)
    };
    if let Some((at, word)) = wrong_form(text) {
        let what = format!(
            "unexpected `{}`, expected {}",
            truncate_chars(word, MAX_FOUND),
            either(FORMS.iter().copied())
        );
        let error = invalid(place_of(text, at), &what);
        let upper = word.to_uppercase();
        return match nearest(&upper, FORMS.iter().copied(), 1).first() {
            Some(form) => error.hint(format!("did you mean {form}?")),
            None => error,
        };
    }
    let whole = refusal(text).unwrap_or_default();
    let Some(found) = expected(&whole) else {
        return OpError::new(ErrorKind::Invalid, format!("the query is not SPARQL: {whole}"));
    };
    let tokens = tokens(text);
    let good = tokens.partition_point(|token| is_beginning(&text[..token.end], refusal));
    let wrong = tokens.get(good);
    let at = wrong.map_or_else(|| text.trim_end().len(), |token| token.start);
    let place = place_of(text, at);
    if let Expected::Reason(reason) = found {
        return invalid(place, &reason);
    }
    let Some(wrong) = wrong else {
        let error = invalid(place, &and_expected("the query ends too early", &text[..at], refusal));
        return match not_closed(text) {
            Some(open) => error.hint(open),
            None => error,
        };
    };
    let word = &text[wrong.clone()];
    let what = format!("unexpected `{}`", truncate_chars(&fold_whitespace(word), MAX_FOUND));
    let error = invalid(place, &and_expected(&what, &text[..at], refusal));
    if word.contains('/') {
        error.hint("write IRIs with a slash in angle brackets: <file:src/main.rs>")
    } else {
        error
    }
}

/// A fault, with what may follow the text before it.
fn and_expected(fault: &str, before: &str, refusal: &Refusal<'_>) -> String {
    let tokens = match refusal(before) {
        None => return format!("{fault}, expected the end of the query"),
        Some(refused) => match expected(&refused) {
            Some(Expected::Tokens(tokens)) => either(tokens.iter().map(String::as_str)),
            _ => String::new(),
        },
    };
    if tokens.is_empty() {
        fault.to_owned()
    } else {
        format!("{fault}, expected {tokens}")
    }
}

/// Characters that follow a text when it is tried. No keyword is as long, and the parser looks ahead by a keyword.
const BEYOND: usize = 64;

/// Whether a query can begin with a text: the parser reads all of it before it fails at what cannot follow.
fn is_beginning(text: &str, refusal: &Refusal<'_>) -> bool {
    let tried = format!("{text}\n{}\u{1}", " ".repeat(BEYOND));
    let line = tried.matches('\n').count() + 1;
    let refused = refusal(&tried).unwrap_or_default();
    place_in(&refused).is_some_and(|(place, _)| place.line == line && place.column > BEYOND)
}

/// The tokens of a query as far as blanks, brackets, strings, IRIs and comments tell them apart.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    // Whether the last token can go on.
    let mut is_open = false;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        let (length, is_word) = match letter {
            letter if letter.is_whitespace() => {
                at += letter.len_utf8();
                is_open = false;
                continue;
            }
            '#' if !is_open => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '"' | '\'' => (string_end(rest).max(1), true),
            '<' => (iri_end(rest), true),
            '{' | '}' | '(' | ')' | '[' | ']' | ';' | ',' => (1, false),
            letter => (letter.len_utf8(), true),
        };
        match found.last_mut().filter(|_| is_open && is_word) {
            Some(last) => last.end = at + length,
            None => found.push(at..at + length),
        }
        is_open = is_word;
        at += length;
    }
    found
}

/// The length of the IRI, or of the sign for less, that a text begins with.
fn iri_end(text: &str) -> usize {
    let end = text.find(|letter: char| letter == '>' || letter.is_whitespace());
    end.filter(|end| text[*end..].starts_with('>')).map_or(1, |end| end + 1)
}

/// What the parser expected.
#[derive(PartialEq, Eq, Debug)]
enum Expected {
    Tokens(Vec<String>),
    /// A rule that the query breaks, in words.
    Reason(String),
}

/// The place in a message of the parser, and what follows: `error at 1:37: expected one of ",", "."`. The place can be behind
/// the fault, because the parser looks ahead.
fn place_in(message: &str) -> Option<(Place, &str)> {
    let (place, rest) = message.strip_prefix("error at ")?.split_once(": ")?;
    let (line, column) = place.split_once(':')?;
    let place = Place {
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    };
    Some((place, rest))
}

/// The expectations in a message of the parser.
fn expected(message: &str) -> Option<Expected> {
    let (_, rest) = place_in(message)?;
    let rest = rest.strip_prefix("expected ").unwrap_or(rest);
    let mut rest = rest.strip_prefix("one of ").unwrap_or(rest);
    let mut tokens: Vec<String> = Vec::new();
    while !rest.is_empty() {
        let end = match rest.chars().next() {
            Some('"') => rest[1..].find('"').map(|end| end + 2),
            // A class of characters.
            Some('[') => rest.find("], ").map(|end| end + 1),
            _ => rest.find(", "),
        };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.trim_start_matches([',', ' ', '\n']);
        let token = token.trim();
        if token.contains(' ') && !token.starts_with(['[', '"']) {
            return Some(Expected::Reason(fold_whitespace(token)));
        }
        let token = token.trim_matches('"');
        // Annotations of triples are seldom meant.
        if !token.starts_with('[') && !matches!(token, "" | "{|" | "~") {
            tokens.push(token.to_owned());
        }
    }
    // Many of them are no help.
    if tokens.len() > MAX_EXPECTED {
        tokens.clear();
    }
    Some(Expected::Tokens(tokens))
}

/// `a`, `b` or `c`.
fn either<'t>(tokens: impl Iterator<Item = &'t str>) -> String {
    let mut tokens: Vec<String> = tokens.map(|token| format!("`{token}`")).collect();
    match tokens.pop() {
        None => String::new(),
        Some(last) if tokens.is_empty() => last,
        Some(last) => format!("{} or {last}", tokens.join(", ")),
    }
}

/// The line of a place, and a mark below the place.
fn marked(text: &str, place: Place) -> [String; 2] {
    let line = text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default();
    let column = place.column.saturating_sub(1).min(line.chars().count());
    let from = column.saturating_sub(AROUND);
    let shown: String = line
        .chars()
        .skip(from)
        .take(2 * AROUND)
        .map(|letter| if letter == '\t' { ' ' } else { letter })
        .collect();
    let number = place.line.to_string();
    let mark = format!("{} | {}^", " ".repeat(number.len()), " ".repeat(column - from));
    [format!("{number} | {shown}"), mark]
}

/// The place of a byte.
fn place_of(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or(before);
    Place {
        line: before.matches('\n').count() + 1,
        column: line.chars().count() + 1,
    }
}

/// The first word after the declarations, with its place, if it is not the form of a query.
fn wrong_form(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with('#') {
            at += trimmed.find('\n')?;
            continue;
        }
        let end = trimmed
            .find(|letter: char| !letter.is_alphabetic())
            .unwrap_or(trimmed.len());
        let word = &trimmed[..end];
        if word.eq_ignore_ascii_case("prefix") || word.eq_ignore_ascii_case("base") {
            at += trimmed.find('>')? + 1;
            continue;
        }
        let is_form = FORMS.iter().any(|form| word.eq_ignore_ascii_case(form));
        return (!word.is_empty() && !is_form).then_some((at, word));
    }
}

/// Which bracket of a text is not closed.
fn not_closed(text: &str) -> Option<String> {
    let mut open: Vec<Range<usize>> = Vec::new();
    for token in tokens(text) {
        match &text[token.clone()] {
            "{" | "(" | "[" => open.push(token),
            "}" | ")" | "]" => drop(open.pop()),
            _ => {}
        }
    }
    let bracket = open.pop()?;
    let place = place_of(text, bracket.start);
    Some(format!(
        "the `{}` in line {}, column {} is not closed",
        &text[bracket], place.line, place.column
    ))
}

#[cfg(test)]
mod tests {
    use spargebra::SparqlParser;

    use super::*;

    fn told(query: &str) -> Vec<String> {
        let refusal = |text: &str| {
            SparqlParser::new()
                .parse_query(text)
                .err()
                .map(|error| error.to_string())
        };
        assert!(refusal(query).is_some(), "{query}");
        let error = explained(query, &refusal);
        let message = error
            .message
            .strip_prefix("the query is not SPARQL: ")
            .unwrap_or(&error.message);
        [message.to_owned()].into_iter().chain(error.hints).collect()
    }

    #[test]
    fn q1_a_syntax_error_points_at_the_place() {
        assert_eq!(
            told("SELECT ?f\nWHERE {\n  ?f <urn:a> \"a\" .\n  ?f <urn:b> ?c ?d\n}"),
            [
                "line 4, column 17: unexpected `?d`, expected `,`, `.`, `;`, `{` or `}`",
                "4 |   ?f <urn:b> ?c ?d",
                "  |                 ^",
            ]
        );
        assert_eq!(
            told("SELECT ?x { ?x <urn:a> ?c "),
            [
                "line 1, column 26: the query ends too early, expected `,`, `.`, `;`, `{` or `}`",
                "1 | SELECT ?x { ?x <urn:a> ?c ",
                "  |                          ^",
                "the `{` in line 1, column 11 is not closed",
            ]
        );
        assert_eq!(
            told("ASK { ?s <urn:a> x/y }"),
            [
                "line 1, column 18: unexpected `x/y`",
                "1 | ASK { ?s <urn:a> x/y }",
                "  |                  ^",
                "write IRIs with a slash in angle brackets: <file:src/main.rs>",
            ]
        );
        assert_eq!(
            told("ASK { ?s ?p ?o } }")[0],
            "line 1, column 18: unexpected `}`, expected the end of the query"
        );
        assert_eq!(
            told("ASK { ?s ?p 'a } # b\n' }")[0],
            "line 1, column 13: unexpected `'a } # b '`"
        );
    }

    #[test]
    fn q1_a_word_that_is_not_the_form_of_a_query_is_named() {
        assert_eq!(
            told("# x\nPREFIX a: <urn:a>\nSELEC ?x { ?x a:b ?y }"),
            [
                "line 3, column 1: unexpected `SELEC`, expected `SELECT`, `ASK`, `CONSTRUCT` or `DESCRIBE`",
                "3 | SELEC ?x { ?x a:b ?y }",
                "  | ^",
                "did you mean SELECT?",
            ]
        );
    }

    #[test]
    fn q1_a_rule_that_a_query_breaks_is_told_in_its_words() {
        let said = told("SELECT ?x { ?x <urn:a> ?y } GROUP BY ?z");
        assert!(
            said[0].ends_with(": The SELECT contains a variable that is unbound"),
            "{said:?}"
        );
    }

    #[test]
    fn q1_a_query_may_be_anything() {
        for query in [
            "{",
            "é",
            "SELECT",
            "SELECT ?x {\u{0}",
            "ASK { ?s ?p '",
            "ASK { <",
            &"(".repeat(500),
            "PREFIX",
            "ASK {\t\t?s",
        ] {
            let said = told(query);
            assert!(said.iter().all(|line| line.chars().count() < 400), "{said:?}");
        }
        let error = explained("ASK", &|_| Some("out of memory".to_owned()));
        assert_eq!(error.message, "the query is not SPARQL: out of memory");
    }
}
