//! What a question in English needs, read from its words by the tables below, and the names in it.
//!
//! Small words are dropped, names are taken out first, and a row of a table matches where its words follow one another. In a row `*` at the
//! end of a word means any ending, and `_` alone for a name. The needs of all rows that match add up; two things come before them: the
//! complete call graph, and counts, which L0 holds. A question that matches nothing is about what it names, or else about the whole.

use std::collections::BTreeSet;

use super::{Direction, Need, Question};

/// Words that matter to no row.
const SMALL: &[&str] = &[
    "a", "all", "an", "any", "every", "its", "me", "my", "our", "please", "that", "the", "their", "these", "this",
    "those", "us", "your",
];

/// What the whole is called.
const WHOLES: &[&str] = &[
    "app",
    "application",
    "code",
    "codebase",
    "crate",
    "framework",
    "it",
    "library",
    "package",
    "program",
    "project",
    "repo",
    "repository",
    "service",
    "software",
    "system",
    "tool",
];

/// What is before a name and says what it is.
const KINDS: &[&str] = &[
    "class",
    "constant",
    "directory",
    "enum",
    "field",
    "file",
    "folder",
    "function",
    "interface",
    "macro",
    "method",
    "module",
    "package",
    "struct",
    "symbol",
    "test",
    "trait",
    "type",
    "variable",
];

/// Rows that L0 answers.
const COUNTS: &[&str] = &[
    "security summary",
    "summary of security",
    "security overview",
    "security posture",
    "summary of vulnerab*",
    "summary of findings",
    "how many",
    "number of",
    "count",
    "counts",
    "statistics",
    "stats",
    "metrics",
    "how large",
    "how big",
    "lines of code",
    "loc",
    "language",
    "languages",
    "entry point*",
    "hotspot*",
    "average complexity",
    "maximum complexity",
    "max complexity",
    "which commit",
    "what commit",
];

/// Rows that ask for all of the call graph, together with one of [`ALL_OF_IT`].
const CALL_GRAPHS: &[&str] = &["call graph*", "callgraph*", "call tree*", "call hierarch*"];
const ALL_OF_IT: &[&str] = &["all", "complete", "entire", "every", "full", "whole"];

/// The rows of each need.
const ROWS: &[(Need, &[&str])] = &[
    (
        Need::Overview,
        &[
            "overview*",
            "summar*",
            "purpose*",
            "about",
            "describe",
            "introduc*",
            "getting started",
            "get started",
            "onboard*",
            "high level",
            "big picture",
        ],
    ),
    (
        Need::Structure,
        &[
            "module*",
            "package",
            "packages",
            "dependenc*",
            "depend on",
            "depends on",
            "import*",
            "architectur*",
            "structure*",
            "structured",
            "organis*",
            "organiz*",
            "layout",
            "director*",
            "folder*",
            "component*",
            "public api*",
            "api surface",
            "exports",
            "exported",
            "cycle*",
            "circular",
        ],
    ),
    (
        Need::Symbols,
        &[
            "signature*",
            "parameter*",
            "argument*",
            "return type*",
            "returns",
            "defined",
            "define",
            "defines",
            "definition*",
            "declared",
            "declaration*",
            "fields of",
            "methods of",
            "members of",
            "type of",
            "complexity of",
            "most complex",
            "implements",
            "implementations of",
            "implementors",
            "extends",
            "inherit*",
            "subclass*",
            "superclass*",
            "overrid*",
            "doc of",
            "docs of",
            "documentation of",
            "docstring*",
            "list functions",
            "list classes",
            "list methods",
            "list structs",
            "list symbols",
            "functions in",
            "functions of",
            "classes in",
            "symbols in",
        ],
    ),
    (
        Need::Callgraph,
        &[
            "call",
            "calls",
            "called",
            "calling",
            "caller*",
            "callee*",
            "callgraph*",
            "invoke*",
            "invocation*",
            "who uses",
            "what uses",
            "which uses",
            "uses of",
            "usage of",
            "usages",
            "used by",
            "is _ used",
            "use _",
            "uses _",
            "impact*",
            "breaks",
            "break",
            "affected",
            "reachable",
            "reaches",
        ],
    ),
    (
        Need::Security,
        &[
            "security",
            "insecure",
            "vulnerab*",
            "finding",
            "findings",
            "cwe",
            "cve",
            "owasp",
            "exploit*",
            "injection*",
            "xss",
            "attack*",
            "remediat*",
            "taint*",
        ],
    ),
    (
        Need::Source,
        &[
            "source",
            "sources",
            "code of",
            "code for",
            "code in",
            "show code",
            "read code",
            "body",
            "bodies",
            "snippet*",
            "implementation",
            "implementation of",
            "implemented",
            "how does _ work",
            "how do _ work",
        ],
    ),
    (
        Need::Dataflow,
        &[
            "data flow*",
            "dataflow*",
            "taint*",
            "flow from",
            "flow into",
            "flow to",
            "flows from",
            "flows into",
            "flows to",
            "variable",
            "variables",
            "value of",
        ],
    ),
];

/// What a name in a question means in this repository.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameMeaning {
    /// The symbols that have it, by their qualified names.
    pub symbols: Vec<String>,
    /// The files that it means, by their paths.
    pub files: Vec<String>,
}

/// A word or a name of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Name(String),
}

impl Token {
    fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Name(_) => None,
        }
    }

    fn is(&self, words: &[&str]) -> bool {
        self.word().is_some_and(|word| words.contains(&word))
    }
}

/// What a question needs and names. `find` says what a name means in the repository, if it is one.
pub fn classify(text: &str, find: &dyn Fn(&str) -> Option<NameMeaning>) -> Question {
    let mut question = Question::default();
    let tokens = tokens(text, find, &mut question);
    let says_all = tokens.iter().any(|token| token.is(ALL_OF_IT));
    let words: Vec<Token> = tokens.into_iter().filter(|token| !token.is(SMALL)).collect();
    let matches = |rows: &[&str]| rows.iter().any(|row| contains(&words, row));
    if says_all && matches(CALL_GRAPHS) && question.names.is_empty() {
        question.needs.insert(Need::Callgraph);
        question.complete_call_graph = true;
        return question;
    }
    let wholes = words.iter().any(|token| token.is(WHOLES)) && asks_for_the_whole(&words);
    let mut needs: BTreeSet<Need> = ROWS
        .iter()
        .filter(|(_, rows)| matches(rows))
        .map(|(need, _)| *need)
        .collect();
    if wholes && question.names.is_empty() {
        needs.insert(Need::Overview);
    }
    if question.cwe.is_some() {
        needs.insert(Need::Security);
    }
    let of_the_whole = |need: &Need| matches!(need, Need::Overview | Need::Symbols | Need::Security);
    if matches(COUNTS) && question.names.is_empty() && question.cwe.is_none() && needs.iter().all(of_the_whole) {
        question.severity = None;
        return question;
    }
    if needs.is_empty() || needs.iter().eq([&Need::Overview]) {
        needs = BTreeSet::from([if question.names.is_empty() {
            Need::Overview
        } else {
            Need::Symbols
        }]);
    }
    if !needs.contains(&Need::Security) {
        question.severity = None;
    }
    question.direction = direction(&words);
    question.needs = needs;
    question
}

/// Whether words ask what the whole is or does: `what does codebase do`, `what is it`, `explain project`.
fn asks_for_the_whole(words: &[Token]) -> bool {
    let at = |index: usize| words.get(index);
    (0..words.len()).any(|start| {
        let whole = |index: usize| at(start + index).is_some_and(|token| token.is(WHOLES));
        let is = |index: usize, wanted: &[&str]| at(start + index).is_some_and(|token| token.is(wanted));
        is(0, &["what"]) && is(1, &["does", "do"]) && whole(2) && is(3, &["do"])
            || is(0, &["what"]) && is(1, &["is"]) && whole(2) && at(start + 3).is_none_or(|token| token.is(&["for"]))
            || is(0, &["explain", "describe", "understand"]) && whole(1)
            || is(0, &["how"]) && is(1, &["does"]) && whole(2) && is(3, &["work"])
    })
}

/// Whether the words of a row follow one another somewhere.
fn contains(words: &[Token], row: &str) -> bool {
    let row: Vec<&str> = row.split(' ').collect();
    words.windows(row.len()).any(|window| {
        window.iter().zip(&row).all(|(token, wanted)| match (token, *wanted) {
            (Token::Name(_), wanted) => wanted == "_",
            (Token::Word(_), "_") => false,
            (Token::Word(word), wanted) => match wanted.strip_suffix('*') {
                Some(start) => word.starts_with(start),
                None => word == wanted,
            },
        })
    })
}

/// Which way calls are followed: to the callers where the name is what is called, to the callees where it is who calls.
fn direction(words: &[Token]) -> Direction {
    const ACTIVE: &[&str] = &[
        "call", "calls", "calling", "invoke", "invokes", "invoking", "use", "uses",
    ];
    const PASSIVE: &[&str] = &["called", "invoked", "used"];
    let says = |wanted: &[&str]| words.iter().any(|token| token.is(wanted));
    if says(&[
        "caller", "callers", "usages", "usage", "impact", "breaks", "break", "affected",
    ]) {
        return Direction::Callers;
    }
    if says(&["callee", "callees"]) {
        return Direction::Callees;
    }
    let is_name = |token: &Token| matches!(token, Token::Name(_));
    for (at, token) in words.iter().enumerate() {
        let name_follows = words[at + 1..].iter().any(is_name);
        let name_leads = words[..at].iter().any(is_name);
        if token.is(PASSIVE) {
            let by = words.get(at + 1).is_some_and(|next| next.is(&["by", "from", "in"]));
            return if by && name_follows && !name_leads {
                Direction::Callees
            } else {
                Direction::Callers
            };
        }
        if token.is(ACTIVE)
            && !words
                .get(at + 1)
                .is_some_and(|next| next.is(&["graph", "path", "chain", "tree"]))
        {
            return match (name_follows, name_leads) {
                (true, _) => Direction::Callers,
                (false, true) => Direction::Callees,
                (false, false) => Direction::Both,
            };
        }
    }
    Direction::Both
}

/// The words in lower case and the names as they stand; what is named goes into the question.
fn tokens(text: &str, find: &dyn Fn(&str) -> Option<NameMeaning>, question: &mut Question) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut begins = true;
    for (piece, is_quoted) in pieces(text) {
        let ends = !is_quoted && piece.ends_with(['.', '!', '?']);
        let is_first = std::mem::replace(&mut begins, ends);
        let called = !is_quoted && piece.trim_end_matches(['.', ',', ';', ':', '!', '?']).ends_with("()");
        let bare = if is_quoted {
            piece.trim().trim_end_matches("()")
        } else {
            piece
                .trim_matches(|letter: char| {
                    !letter.is_alphanumeric() && !matches!(letter, '_' | '/' | '.' | '#' | '$' | '@')
                })
                .trim_end_matches(['.', '/'])
        };
        if bare.is_empty() {
            continue;
        }
        let upper = bare.to_ascii_uppercase();
        if upper
            .strip_prefix("CWE-")
            .is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
        {
            question.cwe.get_or_insert(upper);
            continue;
        }
        let lower = bare.to_lowercase();
        let after_kind = tokens.last().is_some_and(|token| token.is(KINDS));
        let after_called = matches!(&tokens[..], [.., kind, word] if kind.is(KINDS) && word.is(&["called", "named"]));
        let look = look(bare, is_first);
        let is_candidate = is_quoted || called || look != Look::Plain || after_kind || after_called;
        let is_word = SMALL.contains(&lower.as_str()) || KINDS.contains(&lower.as_str());
        let found = if is_candidate && (is_quoted || !is_word) {
            find(bare)
        } else {
            None
        };
        let is_certain = is_quoted || called || look == Look::Name;
        match found {
            Some(found) => {
                extend(&mut question.names.symbols, found.symbols);
                extend(&mut question.names.files, found.files);
            }
            None if is_certain => extend(&mut question.names.unknown, vec![bare.to_owned()]),
            None => {
                match lower.as_str() {
                    "critical" | "high" | "medium" | "low" => question.severity = Some(upper),
                    _ => {}
                }
                let parts = lower
                    .split(|letter: char| !letter.is_alphanumeric())
                    .filter(|part| !part.is_empty());
                tokens.extend(parts.map(|part| Token::Word(part.to_owned())));
                continue;
            }
        }
        if after_called {
            // `a function called f` says its name, and nothing of calls.
            tokens.pop();
        }
        tokens.push(Token::Name(bare.to_owned()));
    }
    tokens
}

/// Appends what is not there yet.
fn extend(names: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

/// The pieces between spaces, and what is in backticks whole.
fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let backticks = text.matches('`').count();
    for (at, part) in text.split('`').enumerate() {
        // A last backtick without its twin quotes nothing.
        let is_quoted = at % 2 == 1 && backticks > at;
        if is_quoted {
            found.push((part, true))
        } else {
            found.extend(part.split_whitespace().map(|piece| (piece, false)))
        }
    }
    found
}

/// How much a text looks like a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// Like any word.
    Plain,
    /// It may be one.
    Perhaps,
    /// It is one, even if nothing has it.
    Name,
}

fn look(text: &str, is_first: bool) -> Look {
    let letters: Vec<char> = text.chars().collect();
    let humps = letters
        .windows(2)
        .any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    let is_dotted = text.split('.').count() > 1 && text.split('.').all(|part| part.chars().count() > 1);
    if humps || text.contains('_') || text.contains("::") || text.contains('#') || is_dotted {
        return Look::Name;
    }
    let is_letter = letters.len() == 1 && letters[0].is_uppercase() && !matches!(letters[0], 'A' | 'I');
    if is_letter {
        return Look::Name;
    }
    let is_capital = letters.first().is_some_and(|letter| letter.is_uppercase()) && !is_first;
    if is_capital || text.contains('/') || text.contains('.') {
        Look::Perhaps
    } else {
        Look::Plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with a few names.
    fn find(name: &str) -> Option<NameMeaning> {
        let symbols: &[&str] = match name {
            "QuerySet" => &["django.db.QuerySet"],
            "filter" | "QuerySet.filter" => &["django.db.QuerySet.filter"],
            "run_query" => &["app.run_query"],
            "Server" => &["app.Server"],
            "call_graph" => &["app.call_graph"],
            "main" => &["app.main"],
            _ => &[],
        };
        let files: &[&str] = match name {
            "src/query.rs" | "query.rs" => &["src/query.rs"],
            _ => &[],
        };
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        (!symbols.is_empty() || !files.is_empty()).then(|| NameMeaning {
            symbols: owned(symbols),
            files: owned(files),
        })
    }

    fn needs(text: &str) -> String {
        let question = classify(text, &find);
        let needs: Vec<&str> = question.needs.iter().map(|need| need.name()).collect();
        needs.join(" ")
    }

    #[test]
    fn q4_questions_of_every_kind_are_understood() {
        for (text, expected) in [
            ("What does this codebase do?", "overview"),
            ("what is this repository for", "overview"),
            ("Give me a high-level overview of the project", "overview"),
            ("Explain this codebase", "overview"),
            ("", "overview"),
            ("xyzzy", "overview"),
            ("List the modules and their dependencies", "structure"),
            ("How is the code organised?", "structure"),
            ("Are there circular dependencies between packages?", "structure"),
            ("What is the public API?", "structure"),
            ("What is the signature of function Y?", "symbols"),
            ("Where is QuerySet defined?", "symbols"),
            ("Where is `filter`?", "symbols"),
            ("Which classes inherit from Server?", "symbols"),
            ("What is the purpose of run_query?", "symbols"),
            ("QuerySet.filter", "symbols"),
            ("Find all functions that call X", "callgraph"),
            ("Who calls run_query?", "callgraph"),
            ("What does main call?", "callgraph"),
            ("Where is run_query used?", "callgraph"),
            ("What breaks if I change Server?", "callgraph"),
            ("Show the full call graph of main()", "callgraph"),
            ("Explain vulnerability in file Z", "security"),
            ("Which CWE-89 are there?", "security"),
            ("List all critical findings", "security"),
            ("Is run_query open to SQL injection?", "security"),
            ("Show me the source of run_query", "source"),
            ("How is `filter` implemented?", "source"),
            ("How does QuerySet work?", "source"),
            ("Where does user input flow into the query?", "dataflow"),
            ("Which variables does function main define?", "symbols dataflow"),
            ("Trace tainted data to run_query", "security dataflow"),
            ("Which modules have vulnerabilities?", "structure security"),
            ("Show security summary", ""),
            ("How many functions are there?", ""),
            ("How many vulnerabilities are there?", ""),
            ("What languages is it written in?", ""),
            ("Where are the entry points?", ""),
            ("How many functions call run_query?", "callgraph"),
            ("How many modules are there?", "structure"),
        ] {
            assert_eq!(needs(text), expected, "{text}");
        }
    }

    #[test]
    fn q4_the_complete_call_graph_is_recognised() {
        for text in [
            "Show complete call graph",
            "show me the whole callgraph",
            "Draw the entire call tree",
            "the call graph of all functions",
        ] {
            assert!(classify(text, &find).complete_call_graph, "{text}");
        }
        for text in [
            "the complete call graph of main()",
            "Show the call graph",
            "the full list of callers of main()",
        ] {
            assert!(!classify(text, &find).complete_call_graph, "{text}");
        }
    }

    #[test]
    fn q4_names_are_looked_up() {
        for (text, symbols, files, unknown) in [
            (
                "Who calls `QuerySet.filter`?",
                &["django.db.QuerySet.filter"][..],
                &[][..],
                &[][..],
            ),
            (
                "Does QuerySet call run_query?",
                &["django.db.QuerySet", "app.run_query"],
                &[],
                &[],
            ),
            ("Who calls filter()?", &["django.db.QuerySet.filter"], &[], &[]),
            (
                "the signature of method filter",
                &["django.db.QuerySet.filter"],
                &[],
                &[],
            ),
            ("filter the results", &[], &[], &[]),
            ("What is a Server?", &["app.Server"], &[], &[]),
            ("Server", &[], &[], &[]),
            (
                "Explain the vulnerability in src/query.rs.",
                &[],
                &["src/query.rs"],
                &[],
            ),
            ("Find all functions that call X", &[], &[], &["X"]),
            ("Where is `no such thing` defined?", &[], &[], &["no such thing"]),
            (
                "What about SomethingElse, or some_thing?",
                &[],
                &[],
                &["SomethingElse", "some_thing"],
            ),
            ("And/or e.g. Django", &[], &[], &[]),
            ("an open ` backtick", &[], &[], &[]),
            ("a function called main", &["app.main"], &[], &[]),
        ] {
            let names = classify(text, &find).names;
            assert_eq!(names.symbols, symbols, "{text}");
            assert_eq!(names.files, files, "{text}");
            assert_eq!(names.unknown, unknown, "{text}");
        }
    }

    #[test]
    fn q4_a_name_is_no_word() {
        assert_eq!(needs("What is the signature of call_graph?"), "symbols");
        assert_eq!(needs("What is the signature of a function called main?"), "symbols");
        assert_eq!(needs("`security summary`"), "symbols");
    }

    #[test]
    fn q4_calls_are_followed_the_way_that_is_asked() {
        for (text, direction) in [
            ("Find all functions that call X", Direction::Callers),
            ("Who calls run_query?", Direction::Callers),
            ("callers of run_query", Direction::Callers),
            ("Where is run_query called?", Direction::Callers),
            ("Who is run_query called by?", Direction::Callers),
            ("What does main() call?", Direction::Callees),
            ("Which functions are called by run_query?", Direction::Callees),
            ("callees of run_query", Direction::Callees),
            ("the call graph of run_query", Direction::Both),
        ] {
            assert_eq!(classify(text, &find).direction, direction, "{text}");
        }
    }

    #[test]
    fn q4_weaknesses_and_severities_are_read() {
        let question = classify("Explain the critical cwe-89 findings in query.rs", &find);
        assert_eq!(question.cwe.as_deref(), Some("CWE-89"));
        assert_eq!(question.severity.as_deref(), Some("CRITICAL"));
        assert_eq!(question.names.files, ["src/query.rs"]);
        assert_eq!(classify("Is it critical that main() returns?", &find).severity, None);
    }
}
