//! What is wrong with a text that is not SPARQL: where, what was expected there, and the line with a mark below the place.

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

/// The error for a text that the parser refused.
pub(super) fn explained(text: &str, parser: &str) -> OpError {
    let invalid = |place: Place, what: &str| {
        let message = format!("the query is not SPARQL: line {}, column {}: {what}", place.line, place.column);
        let [line, mark] = marked(text, place);
        OpError::new(ErrorKind::Invalid, message)
            .data(json!({ "line": place.line, "column": place.column }))
            .hint(line)
            .hint(mark)
    };
    if let Some((at, word)) = wrong_form(text) {
        let what = format!("unexpected `{}`, expected {}", truncate_chars(word, MAX_FOUND), either(FORMS.iter().copied()));
        let error = invalid(place_of(text, at), &what);
        let upper = word.to_uppercase();
        return match nearest(&upper, FORMS.iter().copied(), 1).first() {
            Some(form) => error.hint(format!("did you mean {form}?")),
            None => error,
        };
    }
    let Some((place, expected)) = parsed(parser) else {
        return OpError::new(ErrorKind::Invalid, format!("the query is not SPARQL: {parser}"));
    };
    let found = found_at(text, place);
    let what = match (expected, &found) {
        (Expected::Reason(reason), _) => reason,
        (Expected::Tokens(tokens), found) => {
            let found = match found {
                Some(found) => format!("unexpected `{found}`"),
                None => "the query ends too early".to_owned(),
            };
            let tokens = either(tokens.iter().map(String::as_str));
            if tokens.is_empty() { found } else { format!("{found}, expected {tokens}") }
        }
    };
    let mut error = invalid(place, &what);
    if let Some(open) = not_closed(text).filter(|_| found.is_none()) {
        error = error.hint(open);
    }
    if found.is_some_and(|found| found.starts_with('/')) {
        error = error.hint("write IRIs with a slash in angle brackets: <file:src/main.rs>");
    }
    error
}

/// What the parser expected.
#[derive(PartialEq, Eq, Debug)]
enum Expected {
    Tokens(Vec<String>),
    /// A rule that the query breaks, in words.
    Reason(String),
}

/// The place and the expectations in a message of the parser: `error at 1:37: expected one of ",", "."`.
fn parsed(message: &str) -> Option<(Place, Expected)> {
    let rest = message.strip_prefix("error at ")?;
    let (place, rest) = rest.split_once(": ")?;
    let (line, column) = place.split_once(':')?;
    let place = Place {
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    };
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
            return Some((place, Expected::Reason(fold_whitespace(token))));
        }
        if !token.starts_with('[') && !token.is_empty() {
            tokens.push(token.trim_matches('"').to_owned());
        }
    }
    // Many of them are no help.
    if tokens.len() > MAX_EXPECTED {
        tokens.clear();
    }
    Some((place, Expected::Tokens(tokens)))
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

/// The word at a place; `None` at the end of the text.
fn found_at(text: &str, place: Place) -> Option<String> {
    let line = text.lines().nth(place.line.checked_sub(1)?)?;
    let rest: String = line.chars().skip(place.column.saturating_sub(1)).collect();
    let rest = match rest.trim() {
        // The end of a line is not the end of the text.
        "" => text.lines().skip(place.line).map(str::trim).find(|line| !line.is_empty())?.to_owned(),
        rest => rest.to_owned(),
    };
    let word = rest.split_whitespace().next()?;
    Some(truncate_chars(word, MAX_FOUND))
}

/// The line of a place, and a mark below the place.
fn marked(text: &str, place: Place) -> [String; 2] {
    let line = text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default();
    let column = place.column.saturating_sub(1).min(line.chars().count());
    let from = column.saturating_sub(AROUND);
    let shown: String = line.chars().skip(from).take(2 * AROUND).map(|letter| if letter == '\t' { ' ' } else { letter }).collect();
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
        let end = trimmed.find(|letter: char| !letter.is_alphabetic()).unwrap_or(trimmed.len());
        let word = &trimmed[..end];
        if word.eq_ignore_ascii_case("prefix") || word.eq_ignore_ascii_case("base") {
            at += trimmed.find('>')? + 1;
            continue;
        }
        let is_form = FORMS.iter().any(|form| word.eq_ignore_ascii_case(form));
        return (!word.is_empty() && !is_form).then_some((at, word));
    }
}

/// Which brackets of a text are not closed.
fn not_closed(text: &str) -> Option<String> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        at += match letter {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => string_end(rest).max(1),
            '<' => rest.find(['>', ' ', '\n']).map_or(1, |end| if rest[end..].starts_with('>') { end + 1 } else { 1 }),
            '{' | '(' | '[' => {
                open.push((letter, at));
                1
            }
            '}' | ')' | ']' => {
                open.pop();
                1
            }
            letter => letter.len_utf8(),
        };
    }
    let (bracket, at) = open.last()?;
    let place = place_of(text, *at);
    Some(format!("the `{bracket}` in line {}, column {} is not closed", place.line, place.column))
}

#[cfg(test)]
mod tests {
    use spargebra::SparqlParser;

    use super::*;

    fn told(query: &str) -> Vec<String> {
        let error = SparqlParser::new().parse_query(query).expect_err("it is not SPARQL");
        let error = explained(query, &error.to_string());
        let message = error.message.strip_prefix("the query is not SPARQL: ").unwrap_or(&error.message);
        [message.to_owned()].into_iter().chain(error.hints).collect()
    }

    #[test]
    fn q1_a_syntax_error_points_at_the_place() {
        assert_eq!(
            told("SELECT ?f\nWHERE {\n  ?f <urn:a> \"a\" .\n  ?f <urn:b> ?c ?d\n}"),
            ["line 4, column 17: unexpected `?d`", "4 |   ?f <urn:b> ?c ?d", "  |                 ^"]
        );
        assert_eq!(
            told("SELECT ?x { ?x <urn:a> ?c "),
            [
                "line 1, column 27: the query ends too early, expected `,`, `.`, `;`, `{`, `{|`, `}` or `~`",
                "1 | SELECT ?x { ?x <urn:a> ?c ",
                "  |                           ^",
                "the `{` in line 1, column 11 is not closed",
            ]
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
        assert_eq!(said[0], "line 1, column 40: The SELECT contains a variable that is unbound");
    }

    #[test]
    fn q1_a_query_may_be_anything() {
        for query in ["{", "é", "SELECT", "SELECT ?x {\u{0}", "ASK { ?s ?p '", "ASK { <", &"(".repeat(500), "PREFIX", "ASK {\t\t?s"] {
            let said = told(query);
            assert!(said.iter().all(|line| line.chars().count() < 400), "{said:?}");
        }
        assert_eq!(explained("ASK", "out of memory").message, "the query is not SPARQL: out of memory");
    }
}
