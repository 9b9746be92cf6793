//! Perl as text: how it is told from other languages, and what is blanked because the grammar does not know it.

/// Subs of one argument that the grammar takes for such of many: in `blessed $x && …` it reads `&` as the sign of a sub.
const UNARY: &[&str] = &["blessed", "reftype", "looks_like_number", "openhandle"];

/// Blanks what the grammar does not know: formats, subs that are only announced, and the names of some subs before a variable.
pub(super) fn blank(source: &str) -> Option<String> {
    let mut ranges = Vec::new();
    let mut in_format = false;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end();
        let begins_format = !in_format && is_format(text);
        if in_format || begins_format || is_announcement(text.trim_start()) {
            ranges.push((at, at + text.len()));
        }
        in_format = begins_format || (in_format && text != ".");
        at += line.len();
    }
    for word in UNARY {
        for (at, _) in source.match_indices(word) {
            let after = source.get(at + word.len()..).unwrap_or("");
            let before = source.get(..at).unwrap_or("");
            let package = before
                .bytes()
                .rev()
                .take_while(|byte| is_name_byte(*byte))
                .take(80)
                .count();
            let is_whole = package == 0 || before.ends_with("::");
            if is_whole && after.starts_with([' ', '(']) && after.trim_start_matches(' ').starts_with('$') {
                ranges.push((at - package, at + word.len()));
            }
        }
    }
    if ranges.is_empty() {
        return None;
    }
    let mut bytes = source.as_bytes().to_vec();
    for (start, end) in ranges {
        for byte in bytes.iter_mut().take(end).skip(start) {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether a line is `format NAME =`.
fn is_format(line: &str) -> bool {
    line.strip_prefix("format")
        .and_then(|rest| rest.strip_suffix('='))
        .is_some_and(|name| name.starts_with([' ', '\t']) && name.trim().bytes().all(is_name_byte))
}

/// Whether a line is `sub name;`, `sub name($$);` or `sub name : method;`.
fn is_announcement(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("sub ") else {
        return false;
    };
    let code = rest.split_once(" #").map_or(rest, |(code, _)| code);
    let Some(rest) = code.trim_end().strip_suffix(';') else {
        return false;
    };
    let (name, prototype) = rest.split_once('(').unwrap_or((rest, ")"));
    let name = name.trim();
    !name.is_empty()
        && name.bytes().all(|byte| is_name_byte(byte) || byte == b' ')
        && prototype.trim_end().ends_with(')')
        && !prototype.contains('{')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')
}

/// `.pl` may be Prolog, `.t` many things, `.cgi` anything.
pub(super) fn likeness(text: &str) -> u8 {
    if let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        return if line.contains("perl") { 5 } else { 0 };
    }
    let mut found = 0;
    for line in text.lines().take(400) {
        let line = line.trim_end();
        if line.starts_with(":-") || line.ends_with(":-") {
            return 0;
        }
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        let ends = line.ends_with(';') || line.ends_with('{');
        if begins(&["=head1", "=pod", "=encoding", "1;"])
            || (ends
                && begins(&[
                    "use ", "package ", "sub ", "my ", "our ", "BEGIN ", "require ", "print ", "return ",
                ]))
            || (line.ends_with(';') && begins(&["$", "@", "%", "&"]))
        {
            found = 3;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_with_a_disputed_name() {
        for (text, expected) in [
            ("#!/usr/bin/perl -w\n", 5),
            ("#!/bin/sh\n", 0),
            ("use strict;\n", 3),
            ("# comment\n\nsub x {\n", 3),
            (":- use_module(library(lists)).\n", 0),
            ("parent(X) :-\n  child(X).\n", 0),
            ("  $ echo cram\n  cram\n", 0),
            ("", 0),
        ] {
            assert_eq!(likeness(text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_the_grammar_does_not_know_is_blanked() {
        assert_eq!(
            blank("format STDOUT =\n@<<\n$é\n.\nsub x;\nsub y($$); # z\nsub z { 1; }\n").as_deref(),
            Some("               \n   \n   \n \n      \n              \nsub z { 1; }\n")
        );
        assert_eq!(
            blank("if (A::blessed $x && unblessed $y) {}").as_deref(),
            Some("if (           $x && unblessed $y) {}")
        );
        assert_eq!(blank("format_it(1);\nsub x { 1 };\n"), None);
    }
}
