//! Runs the annotated files in the folders of the languages: the annotations of a file are all its definitions, no more and no fewer.
//!
//! The format is described in `src/lang/ANNOTATED.md`.
#![expect(clippy::disallowed_methods, reason = "tests read their cases")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lore_index::{Detector, LANGUAGES, Language, detect_by_content, extract};
use lore_model::{Definition, FileFacts, Modifier, RepoPath};

/// Definitions that the annotated files of a language with functions must hold.
const ENOUGH: usize = 25;

/// Folders of languages that declare no functions.
const WITHOUT_FUNCTIONS: &[&str] = &["json", "yaml", "toml", "markdown", "html", "css"];

/// Every folder at once; `LORE_LANGUAGE` in the environment chooses one.
#[test]
fn every_definition_is_found_as_it_is_annotated() {
    let only = std::env::var("LORE_LANGUAGE").ok();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lang");
    let mut folders: Vec<_> = fs::read_dir(root)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut problems = Vec::new();
    let mut seen = 0;
    for folder in folders {
        let name = folder.file_name().expect("a folder").to_string_lossy().into_owned();
        let built_in = LANGUAGES.iter().any(|language| language.name == name);
        if built_in && only.as_ref().is_none_or(|only| *only == name) {
            seen += 1;
            check(&name, &folder.join("annotated"), &mut problems);
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(seen > 0, "there is no such language");
}

struct Expectation {
    line: u32,
    kind: String,
    path: String,
    properties: Vec<(String, String)>,
}

struct ExpectedImport {
    line: u32,
    text: String,
}

/// Checks every file of a folder.
fn check(language: &str, folder: &Path, problems: &mut Vec<String>) {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("every language has a folder `annotated`")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let mut count = 0;
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("UTF-8");
        count += check_file(language, &name, &text, problems);
    }
    if count < ENOUGH && !WITHOUT_FUNCTIONS.contains(&language) {
        problems.push(format!("{language}: only {count} definitions are annotated"));
    }
}

fn check_file(folder: &str, name: &str, text: &str, problems: &mut Vec<String>) -> usize {
    let mut path = RepoPath::new(name).expect("a path");
    let mut source = String::new();
    let mut expected = Vec::new();
    let mut imports = Vec::new();
    let mut line = 0;
    for raw in text.lines() {
        let annotation = annotation(raw);
        match annotation {
            None => {
                line += 1;
                source.push_str(raw);
                source.push('\n');
            }
            Some(annotation) => {
                if let Some(as_path) = annotation.strip_prefix("file:") {
                    path = RepoPath::new(as_path.trim()).expect("a path");
                } else if let Some(import) = annotation.strip_prefix("import ") {
                    imports.push(ExpectedImport {
                        line,
                        text: import.trim().to_owned(),
                    });
                } else {
                    expected.push(parse_annotation(annotation, line));
                }
            }
        }
    }
    let language = language_of(folder, &path, &source);
    let facts = extract(language, language.role(&path), &source);
    compare(name, language, &facts, &expected, problems);
    compare_imports(name, &facts, &imports, problems);
    expected.len()
}

/// Signs that begin a comment, each made an annotation by a `>`, and what ends the comment.
const SIGNS: &[(&str, &str)] = &[
    ("#>", ""),
    ("//>", ""),
    ("-->", ""),
    (";>", ""),
    (";;>", ""),
    ("%>", ""),
    ("!>", ""),
    ("(*>", "*)"),
    ("/*>", "*/"),
    ("<!-->", "-->"),
];

/// What a line says about the line above it, if it is an annotation.
fn annotation(line: &str) -> Option<&str> {
    let line = line.trim();
    let (sign, end) = SIGNS.iter().find(|(sign, _)| line.starts_with(sign))?;
    let text = line[sign.len()..].trim();
    Some(text.strip_suffix(end).unwrap_or(text).trim())
}

fn language_of(folder: &str, path: &RepoPath, source: &str) -> &'static Language {
    let number = detect_by_content(Detector::default().by_path(path), path, source.as_bytes());
    let language = number.and_then(|number| LANGUAGES.get(usize::from(number)));
    assert_eq!(language.map(|language| language.name), Some(folder), "{path}");
    language.expect("because it was just compared")
}

fn parse_annotation(text: &str, line: u32) -> Expectation {
    let (kind, rest) = text.split_once(' ').expect("a kind and a path");
    let (path, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim(), ""));
    let mut properties = Vec::new();
    let mut rest = rest.trim();
    while let Some((key, value)) = rest.split_once('=') {
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => {
                let end = quoted
                    .match_indices('"')
                    .map(|(at, _)| at)
                    .find(|at| quoted[at + 1..].is_empty() || quoted[at + 1..].starts_with(' '))
                    .expect("a closing quote");
                (&quoted[..end], &quoted[end + 1..])
            }
            None => value.split_once(' ').unwrap_or((value, "")),
        };
        properties.push((key.trim().to_owned(), value.to_owned()));
        rest = after.trim();
    }
    Expectation {
        line,
        kind: kind.to_owned(),
        path: path.replace('·', " "),
        properties,
    }
}

/// The paths of names inside the module, numbered where they collide, as the linker numbers them.
fn paths(facts: &FileFacts, separator: &str) -> Vec<String> {
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    let mut paths: Vec<String> = Vec::new();
    for definition in &facts.definitions {
        let mut parts = Vec::new();
        if let Some(parent) = definition.parent() {
            parts.push(paths[parent].clone());
        }
        let owner = facts.text.get(definition.owner);
        if !owner.is_empty() {
            parts.push(owner.to_owned());
        }
        parts.push(facts.text.get(definition.name).to_owned());
        let mut path = parts.join(separator);
        let count = taken.entry(path.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            path = format!("{path}#{count}");
        }
        paths.push(path);
    }
    paths
}

fn compare(name: &str, language: &Language, facts: &FileFacts, expected: &[Expectation], problems: &mut Vec<String>) {
    let paths = paths(facts, language.separator);
    let mut found = vec![false; facts.definitions.len()];
    for expectation in expected {
        let at = (0..paths.len()).find(|at| !found[*at] && paths[*at] == expectation.path);
        let Some(at) = at else {
            problems.push(format!(
                "{name}:{}: no {} {}",
                expectation.line, expectation.kind, expectation.path
            ));
            continue;
        };
        found[at] = true;
        let definition = &facts.definitions[at];
        let mut differs = |what: &str, expected: &str, actual: &str| {
            if expected != actual {
                let place = format!("{name}:{}: {}", expectation.line, expectation.path);
                problems.push(format!("{place}: {what}: expected `{expected}`, found `{actual}`"));
            }
        };
        differs("kind", &expectation.kind, definition.kind().name());
        differs(
            "line",
            &expectation.line.to_string(),
            &definition.place.line.to_string(),
        );
        let decorators: Vec<&str> = facts.lists[definition.decorators.indexes(facts.lists.len())]
            .iter()
            .map(|text| facts.text.get(*text))
            .collect();
        let mut decorator = decorators.iter();
        for (key, value) in &expectation.properties {
            match key.as_str() {
                "deco" => differs("decorator", value, decorator.next().unwrap_or(&"(none)")),
                key => differs(key, value, &property(facts, definition, key)),
            }
        }
    }
    for (at, definition) in facts.definitions.iter().enumerate() {
        if !found[at] && !definition.is_anonymous() {
            let line = definition.place.line;
            problems.push(format!(
                "{name}:{line}: not annotated: {} {}",
                definition.kind(),
                paths[at]
            ));
        }
    }
}

fn property(facts: &FileFacts, definition: &Definition, key: &str) -> String {
    let place = definition.place;
    match key {
        "vis" => definition.visibility().to_string(),
        "cc" => definition.complexity.to_string(),
        "col" => place.column.to_string(),
        "end" => (place.end_line.get() - place.line.get()).to_string(),
        "sig" => facts.text.get(definition.signature).to_owned(),
        "doc" => {
            let doc = &facts.text.get(definition.doc)[..definition.summary_len.get() as usize];
            doc.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        "mods" => {
            let words: Vec<&str> = definition.modifiers().iter().map(Modifier::name).collect();
            if words.is_empty() {
                "-".to_owned()
            } else {
                words.join(",")
            }
        }
        other => format!("there is no property `{other}`"),
    }
}

fn compare_imports(name: &str, facts: &FileFacts, expected: &[ExpectedImport], problems: &mut Vec<String>) {
    let shown = |text| match facts.text.get(text) {
        "" => "-",
        text => text,
    };
    let mut actual: Vec<(u32, String)> = facts
        .imports
        .iter()
        .map(|row| {
            (
                row.line.get(),
                format!("{} from {} {}", shown(row.local), shown(row.module), shown(row.name)),
            )
        })
        .collect();
    for import in expected {
        match actual
            .iter()
            .position(|(line, text)| *line == import.line && *text == import.text)
        {
            Some(at) => {
                actual.swap_remove(at);
            }
            None => problems.push(format!("{name}:{}: no import `{}`", import.line, import.text)),
        }
    }
    actual.sort();
    for (line, text) in actual {
        problems.push(format!("{name}:{line}: import not annotated: `{text}`"));
    }
}
