//! Any text in any language yields facts that hold together: no panic, no hang, nothing out of bounds.
//!
//! The seeds are the annotated files. With `LORE_LONG` in the environment it runs much longer, and real packages are seeds too where
//! `cargo xtask corpora` has fetched them.
#![expect(clippy::disallowed_methods, reason = "tests read their cases")]

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use lore_index::{Detector, LANGUAGES, Language, Role, detect_by_content, extract, parse_quality};
use lore_model::{FileFacts, NONE, RepoPath};
use proptest::prelude::*;

static SEEDS: OnceLock<Vec<(&'static Language, String)>> = OnceLock::new();

/// One way to spoil a text.
#[derive(Clone, Debug)]
enum Mutation {
    Delete(usize, usize),
    Repeat(usize, usize, usize),
    Insert(usize, usize),
    Swap(usize, usize, usize),
    Splice(usize, usize),
}

const TOKENS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "#",
    "\"\"\"",
    "${",
    "\\",
    "\n",
    "\r\n",
    "\0",
    "\t",
    ";",
    ":",
    "=>",
    "->",
    "::",
    "...",
    "@",
    "class ",
    "def ",
    "fn ",
    "func ",
    "function ",
    "impl ",
    "if ",
    "else ",
    "=",
    "\u{feff}",
    "ß",
    "🦀",
    "é",
    "\u{202e}",
    "async ",
    "export ",
    "default ",
    "import ",
    "lambda ",
    "#[",
    "r#\"",
    "f'{",
    "<T>",
    "0x",
    "1e999",
];

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = 0..1_000_000usize;
    prop_oneof![
        (at.clone(), 1..200usize).prop_map(|(at, len)| Mutation::Delete(at, len)),
        (at.clone(), 1..60usize, 2..40usize).prop_map(|(at, len, times)| Mutation::Repeat(at, len, times)),
        (at.clone(), 0..TOKENS.len()).prop_map(|(at, token)| Mutation::Insert(at, token)),
        (at.clone(), at.clone(), 1..80usize).prop_map(|(from, to, len)| Mutation::Swap(from, to, len)),
        (at.clone(), at).prop_map(|(seed, at)| Mutation::Splice(seed, at)),
    ]
}

/// The nearest character boundary at or before a position taken modulo the length.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn range(text: &str, at: usize, len: usize) -> (usize, usize) {
    let start = boundary(text, at);
    let mut end = (start + len).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (start, end.max(start))
}

fn mutate(mut text: String, mutations: &[Mutation], seeds: &[(&'static Language, String)]) -> String {
    for mutation in mutations {
        match mutation {
            Mutation::Delete(at, len) => {
                let (start, end) = range(&text, *at, *len);
                text.replace_range(start..end, "");
            }
            Mutation::Repeat(at, len, times) => {
                let (start, end) = range(&text, *at, *len);
                let repeated = text[start..end].repeat(*times);
                text.insert_str(start, &repeated);
            }
            Mutation::Insert(at, token) => text.insert_str(boundary(&text, *at), TOKENS[*token]),
            Mutation::Swap(from, to, len) => {
                let (start, end) = range(&text, *from, *len);
                let moved = text[start..end].to_owned();
                text.replace_range(start..end, "");
                text.insert_str(boundary(&text, *to), &moved);
            }
            Mutation::Splice(seed, at) => {
                let other = &seeds[seed % seeds.len()].1;
                let (start, end) = range(other, *at, 400);
                text.insert_str(boundary(&text, *at), &other[start..end]);
            }
        }
    }
    text
}

fn seeds() -> Vec<(&'static Language, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lang");
    let mut found = files_below(&root, "annotated");
    if lore_testing::is_long() {
        let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora");
        let real = files_below(&corpora, "").into_iter().step_by(50);
        found.extend(real.filter(|(_, text)| text.len() < 40_000));
    }
    found
}

/// The files below a directory that are in a language and have a directory of this name above them, in path order.
fn files_below(root: &Path, within: &str) -> Vec<(&'static Language, String)> {
    let mut waiting = vec![root.to_owned()];
    let mut paths = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(kind) if kind.is_file() => paths.push(entry.path()),
                _ => {}
            }
        }
    }
    paths.retain(|path| within.is_empty() || path.components().any(|part| part.as_os_str() == within));
    paths.sort();
    let source = |path: &Path| {
        let name = RepoPath::new(path.file_name()?.to_str()?).ok()?;
        let text = fs::read_to_string(path).ok()?;
        let number = detect_by_content(Detector::default().by_path(&name), &name, text.as_bytes())?;
        Some((*LANGUAGES.get(usize::from(number))?, text))
    };
    paths.iter().filter_map(|path| source(path)).collect()
}

/// What must hold of the facts of any text.
fn check(source: &str, facts: &FileFacts) {
    let lines = facts.lines;
    let counted = lines.code.get() + lines.comment.get() + lines.blank.get();
    let expected = source.split('\n').count() - usize::from(source.is_empty() || source.ends_with('\n'));
    assert_eq!(counted as usize, expected, "lines");
    let text_len = facts.text.0.len();
    let whole = |text: lore_model::Text| {
        let end = text.start.get() as usize + text.len.get() as usize;
        assert!(text.is_empty() || end <= text_len);
        assert!(
            text.is_empty() || !facts.text.get(text).is_empty(),
            "a text that is cut inside a character"
        );
    };
    for (at, definition) in facts.definitions.iter().enumerate() {
        assert!(
            definition.parent.get() == NONE || (definition.parent.get() as usize) < at,
            "a parent comes first"
        );
        assert!(!definition.name.is_empty(), "a definition has a name");
        [definition.name, definition.owner, definition.signature, definition.doc]
            .into_iter()
            .for_each(whole);
        assert!(definition.summary_len.get() <= definition.doc.len.get());
        assert!(
            facts
                .text
                .get(definition.doc)
                .is_char_boundary(definition.summary_len.get() as usize)
        );
        let place = definition.place;
        assert!(
            1 <= place.start_line.get() && place.start_line <= place.end_line,
            "lines are in order"
        );
        assert!(
            place.end_line.get() as usize <= source.split('\n').count(),
            "the last line is in the file"
        );
        assert!(place.line.get() >= place.start_line.get() && place.column.get() >= 1);
        assert!(place.start_byte <= place.end_byte && place.end_byte.get() as usize <= source.len());
        assert_eq!(definition.complexity.get() > 0, definition.kind().is_callable());
        assert!(
            !facts.text.get(definition.signature).contains('\n'),
            "a signature is one line"
        );
    }
    for import in &facts.imports {
        [import.module, import.name, import.local].into_iter().for_each(whole);
        assert!(import.scope.get() == NONE || (import.scope.get() as usize) < facts.definitions.len());
    }
    let again = FileFacts::from_bytes(&facts.to_bytes()).expect("reads back");
    assert!(again == *facts, "facts read back as they were written");
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2_000, ..lore_testing::cases_or_long(400, 40_000) })]

    #[test]
    fn spoilt_files(seed in 0..1_000usize, mutations in prop::collection::vec(mutation(), 1..12), test in any::<bool>()) {
        let seeds = SEEDS.get_or_init(seeds);
        let (language, text) = &seeds[seed % seeds.len()];
        let source = mutate(text.clone(), &mutations, seeds);
        check(&source, &extract(language, Role { test, declaration: false }, &source));
    }

    #[test]
    fn any_text(language in 0..LANGUAGES.len(), source in "\\PC{0,400}|[ -~\n]{0,600}") {
        check(&source, &extract(LANGUAGES[language], Role::default(), &source));
    }
}

/// The parser gives up on what needs more steps than its size explains; no file that somebody wrote does.
#[test]
fn every_file_of_the_corpus_is_answered_within_the_step_bound() {
    for (language, text) in SEEDS.get_or_init(seeds) {
        let quality = parse_quality(language, text);
        assert!(
            quality.nodes > 0,
            "{}: {}",
            language.dialect,
            text.lines().next().unwrap_or_default()
        );
        check(text, &extract(language, Role::default(), text));
    }
}

#[test]
fn a_text_of_comment_signs_is_given_up() {
    for language in LANGUAGES {
        for text in [",//,\n", "a<,/*", "/**/", "//\n,"] {
            let source = text.repeat(400_000 / text.len());
            let facts = extract(language, Role::default(), &source);
            check(&source, &facts);
            // A language that blanks the signs out before it parses need not give up.
            assert!(facts.diagnostics.len() <= 1, "{} {text:?}", language.dialect);
        }
    }
}

#[test]
fn deep_and_long_texts_are_bounded() {
    let repeats = [
        "(",
        "[",
        "{",
        "((((",
        "a.",
        "a(",
        "if (a) {",
        "x = [",
        "\"",
        "`${",
        "/*",
        "<div>",
        "fn f() {",
        "class A { ",
        "lambda: ",
        "function(){",
        "func(){",
        "else if ",
        "a ? ",
        "&&",
        "#[a]",
        "def f():\n ",
        "@a\n",
        "impl A { ",
        "\n",
        "//\n",
        "'",
        "=> ",
    ];
    let bytes = if lore_testing::is_long() { 40_000 } else { 6_000 };
    for language in LANGUAGES {
        for text in repeats {
            let source = text.repeat(bytes / text.len());
            check(&source, &extract(language, Role::default(), &source));
        }
    }
}
