//! Definitions, beside those that ctags finds: how many of them Lore has at the same place under the same name.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::Command;

use serde_json::Value;

use super::{Seen, number, plain, rows, share, text};
use crate::process::{capture, tool};
use crate::{Outcome, disk};

/// Misses shown.
const SHOWN: usize = 40;

/// The kinds of ctags that are functions and types, by language.
const KINDS: &[(&str, &[&str])] = &[
    ("Python", &["class", "function", "member"]),
    (
        "JavaScript",
        &["class", "function", "generator", "getter", "method", "setter"],
    ),
    (
        "TypeScript",
        &["class", "enum", "function", "generator", "interface", "method"],
    ),
    ("Rust", &["enum", "function", "interface", "method", "struct"]),
    ("Java", &["annotation", "class", "enum", "interface", "method"]),
    ("Go", &["func", "interface", "methodSpec", "struct"]),
];

/// A definition as ctags tells it.
struct Tag {
    language: String,
    path: String,
    line: u64,
    kind: String,
    name: String,
}

impl Tag {
    /// Whether it is a function or type with a name of its own.
    fn counts(&self) -> bool {
        let kinds = KINDS
            .iter()
            .find(|(language, _)| *language == self.language)
            .map_or(&[][..], |(_, kinds)| *kinds);
        let named = !self.name.starts_with("__anon") && !self.name.to_ascii_lowercase().starts_with("anonymous");
        named && kinds.contains(&self.kind.as_str())
    }

    /// Whether it is a class to ctags only: any object literal, or any name that a prototype is mentioned of.
    fn is_object(&self, line: &str) -> bool {
        let declares = line
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| matches!(word, "class" | "function"));
        self.language == "JavaScript" && self.kind == "class" && (!declares || line.contains(".prototype."))
    }
}

pub(super) fn compare(seen: &Seen) -> Outcome<()> {
    let ctags = tool("ctags").ok_or("ctags is not installed")?;
    let languages = format!("--languages={}", seen.corpus.ctags_languages);
    let arguments = [
        "-R",
        "--output-format=json",
        "--fields=+nKl",
        "--sort=no",
        &languages,
        "-f",
        "-",
        ".",
    ];
    let printed = capture(Command::new(ctags).args(arguments).current_dir(seen.tree()))?;
    let indexed: HashSet<&str> = seen.files.iter().map(|file| file.path.as_str()).collect();
    let ours: HashSet<(&str, u64, &str)> = seen
        .symbols
        .iter()
        .map(|symbol| (symbol.path.as_str(), symbol.line, symbol.name.as_str()))
        .collect();
    let mut sources = Sources {
        seen,
        texts: HashMap::new(),
    };
    let mut recall: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut misses, mut objects) = (Vec::new(), 0);
    for tag in rows(&printed, tag)? {
        if !tag.counts() || !indexed.contains(tag.path.as_str()) {
            continue;
        }
        let line = sources.line(&tag.path, tag.line);
        if tag.is_object(line) {
            objects += 1;
            continue;
        }
        let found = ours.contains(&(&tag.path, tag.line, &tag.name));
        let (part, whole) = recall.entry(tag.language.clone()).or_default();
        *part += usize::from(found);
        *whole += 1;
        if !found {
            misses.push(format!(
                "{}:{} {} {}    {}",
                tag.path,
                tag.line,
                tag.kind,
                tag.name,
                line.trim()
            ));
        }
    }
    for (language, (part, whole)) in &recall {
        let share = share(*part, *whole);
        println!("definitions: {language}: Lore has {share} of ctags' functions and types");
    }
    if objects > 0 {
        println!("definitions: {objects} objects and prototypes that ctags calls classes are not counted");
    }
    misses.iter().take(SHOWN).for_each(|miss| println!("  {miss}"));
    Ok(())
}

/// The texts of a corpus, each read once.
struct Sources<'a> {
    seen: &'a Seen,
    texts: HashMap<String, String>,
}

impl Sources<'_> {
    fn line(&mut self, path: &str, line: u64) -> &str {
        let seen = self.seen;
        let read = || disk::read(&seen.tree().join(path)).unwrap_or_default();
        let text = self.texts.entry(path.to_owned()).or_insert_with(read);
        text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default()
    }
}

fn tag(row: &Value) -> Option<Tag> {
    Some(Tag {
        language: text(row, "language").unwrap_or_default(),
        path: plain(&text(row, "path").unwrap_or_default()).to_owned(),
        line: number(row, "line").unwrap_or(0),
        kind: text(row, "kind").unwrap_or_default(),
        name: text(row, "name")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_not_classes() {
        let row = serde_json::json!({ "language": "JavaScript", "path": "a", "line": 1, "kind": "class", "name": "A" });
        let is_object = |line: &str| tag(&row).is_some_and(|tag| tag.is_object(line));
        assert!(is_object("const A = {"));
        assert!(is_object("A.prototype.f = function() {"));
        assert!(!is_object("export class A extends B {"));
        assert!(!is_object("function A() {"));
    }

    #[test]
    fn functions_and_types_with_names_count() {
        let counts = |language: &str, kind: &str, name: &str| {
            let row = serde_json::json!({ "language": language, "path": "./a", "line": 1, "kind": kind, "name": name });
            tag(&row).is_some_and(|tag| tag.counts() && tag.path == "a")
        };
        assert!(counts("Python", "member", "save"));
        assert!(counts("Go", "func", "main"));
        assert!(!counts("Go", "var", "x"));
        assert!(!counts("JavaScript", "function", "AnonymousFunction1"));
        assert!(!counts("JavaScript", "class", "__anon12"));
        assert!(!counts("Cobol", "function", "x"));
    }
}
