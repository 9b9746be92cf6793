//! Definitions, beside those that ctags finds: how many of them Lore has at the same place under the same name.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::Command;

use lore_model::SymbolKind;
use serde_json::Value;

use super::{Seen, Symbol, number, plain, rows, share, text};
use crate::languages::{Adjustment, Ctags, Part};
use crate::process::{capture, tool};
use crate::{Outcome, disk};

/// A definition as ctags tells it.
struct Tag {
    language: String,
    path: String,
    line: u64,
    kind: String,
    name: String,
}

/// How many of ctags' definitions Lore has; nothing if ctags does not know the language.
pub(super) fn compare(seen: &Seen) -> Outcome<Option<Part>> {
    let Some(ctags) = &seen.sheet.ctags else {
        println!("definitions: ctags does not know the language");
        return Ok(None);
    };
    let tags = tags(seen, ctags)?;
    let ours: HashSet<(&str, u64, &str)> = seen
        .symbols
        .iter()
        .map(|symbol| (symbol.path.as_str(), symbol.line, symbol.name.as_str()))
        .collect();
    let objects_are_classes = seen.sheet.asks_for(Adjustment::CtagsObjectsAreClasses);
    let clauses = if seen.sheet.asks_for(Adjustment::CtagsListsClauses) {
        Clauses::of(seen)
    } else {
        Clauses::default()
    };
    let mut sources = Sources {
        seen,
        texts: HashMap::new(),
    };
    let mut kinds: BTreeMap<&str, Part> = BTreeMap::new();
    let (mut misses, mut objects) = (Vec::new(), 0);
    for tag in tags.iter().filter(|tag| tag.counts(ctags)) {
        let line = sources.line(&tag.path, tag.line);
        if objects_are_classes && tag.is_object(line) {
            objects += 1;
            continue;
        }
        let found = tag.names().any(|name| {
            ours.contains(&(tag.path.as_str(), tag.line, name)) || clauses.cover(&tag.path, name, tag.line)
        });
        let part = kinds.entry(&tag.kind).or_default();
        part.of += 1;
        part.count += usize::from(found);
        if !found {
            let Tag {
                path,
                line: at,
                kind,
                name,
                ..
            } = tag;
            misses.push(format!("{path}:{at} {kind} {name}    {}", line.trim()));
        }
    }
    let whole = kinds.values().fold(Part::default(), |sum, part| Part {
        count: sum.count + part.count,
        of: sum.of + part.of,
    });
    println!("definitions: Lore has {} of ctags'", share(whole.count, whole.of));
    for kind in &ctags.kinds {
        let part = kinds.get(kind.as_str()).copied().unwrap_or_default();
        println!("  {kind}: {} of {}", part.count, part.of);
    }
    if objects > 0 {
        println!("definitions: {objects} objects and prototypes that ctags calls classes are not counted");
    }
    seen.show(&misses);
    report_surplus(seen, &tags);
    Ok(Some(whole))
}

/// The lines over which definitions go on, by file and name.
#[derive(Default)]
struct Clauses<'a>(HashMap<(&'a str, &'a str), Vec<(u64, u64)>>);

impl<'a> Clauses<'a> {
    fn of(seen: &'a Seen) -> Self {
        let mut spans: HashMap<_, Vec<_>> = HashMap::new();
        for symbol in &seen.symbols {
            let key = (symbol.path.as_str(), symbol.name.as_str());
            spans.entry(key).or_default().push((symbol.start_line, symbol.end_line));
        }
        Self(spans)
    }

    fn cover(&self, path: &str, name: &str, line: u64) -> bool {
        let spans = self.0.get(&(path, name)).map_or(&[][..], Vec::as_slice);
        spans.iter().any(|(start, end)| (*start..=*end).contains(&line))
    }
}

/// Says how many of Lore's functions and types ctags does not have, as any kind of tag. That is no fault of either, but shows where
/// Lore may take something for a definition that is none.
fn report_surplus(seen: &Seen, tags: &[Tag]) {
    let theirs: HashSet<(&str, u64, &str)> = tags
        .iter()
        .flat_map(|tag| tag.names().map(|name| (tag.path.as_str(), tag.line, name)))
        .collect();
    let named: Vec<&Symbol> = seen
        .symbols
        .iter()
        .filter(|symbol| symbol.is_function_or_type())
        .collect();
    let surplus: Vec<String> = named
        .iter()
        .filter(|symbol| !theirs.contains(&(symbol.path.as_str(), symbol.line, symbol.name.as_str())))
        .map(|symbol| format!("{}:{} {} {}", symbol.path, symbol.line, symbol.kind, symbol.name))
        .collect();
    println!(
        "definitions: ctags does not have {} of Lore's functions and types",
        share(surplus.len(), named.len())
    );
    seen.show(&surplus);
}

/// Every tag of the files that Lore has of the language.
fn tags(seen: &Seen, sheet: &Ctags) -> Outcome<Vec<Tag>> {
    let ctags = tool("ctags").ok_or("ctags is not installed")?;
    let mut command = Command::new(ctags);
    command.args([
        "--output-format=json",
        "--fields=+nKl",
        "--extras=-{anonymous}",
        "--sort=no",
    ]);
    command.arg(format!("--languages={}", sheet.languages.join(",")));
    for language in &sheet.languages {
        // Some kinds are off unless one asks for them. A kind that one of the languages does not have is no more than a warning.
        let kinds: String = sheet.kinds.iter().map(|kind| format!("+{{{kind}}}")).collect();
        command.arg(format!("--kinds-{language}={kinds}"));
    }
    command
        .args(["-f", "-", "-L"])
        .arg(seen.list()?)
        .current_dir(seen.tree());
    rows(&capture(&mut command)?, tag)
}

impl Tag {
    /// Whether it is what the sheet counts, with a name of its own.
    fn counts(&self, sheet: &Ctags) -> bool {
        sheet.languages.contains(&self.language) && sheet.kinds.contains(&self.kind) && !self.name.starts_with("__anon")
    }

    /// The name, and its last part where ctags gives the way to it as well.
    fn names(&self) -> impl Iterator<Item = &str> {
        let last = self.name.rsplit(['.', ':']).next().filter(|last| !last.is_empty());
        std::iter::once(self.name.as_str()).chain(last)
    }

    /// Whether it is a class to ctags only: any object literal, or any name that a prototype is mentioned of.
    fn is_object(&self, line: &str) -> bool {
        let declares = line
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| matches!(word, "class" | "function"));
        self.kind == "class" && (!declares || line.contains(".prototype."))
    }
}

impl Symbol {
    /// Whether it is a function or type with a name of its own.
    fn is_function_or_type(&self) -> bool {
        let kind = SymbolKind::from_name(&self.kind);
        kind.is_some_and(|kind| kind.is_callable() || kind.is_type()) && !self.name.starts_with('<')
    }
}

/// The texts of a tree, each read once.
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

    fn read(language: &str, kind: &str, name: &str) -> Tag {
        let row = serde_json::json!({ "language": language, "path": "./a", "line": 1, "kind": kind, "name": name });
        tag(&row).expect("a tag")
    }

    #[test]
    fn objects_are_not_classes() {
        let is_object = |line: &str| read("JavaScript", "class", "A").is_object(line);
        assert!(is_object("const A = {"));
        assert!(is_object("A.prototype.f = function() {"));
        assert!(!is_object("export class A extends B {"));
        assert!(!is_object("function A() {"));
    }

    #[test]
    fn kinds_and_languages_of_the_sheet_count() {
        let sheet = Ctags {
            languages: vec!["C".to_owned(), "C++".to_owned()],
            kinds: vec!["function".to_owned(), "struct".to_owned()],
        };
        let counts = |language: &str, kind: &str, name: &str| read(language, kind, name).counts(&sheet);
        assert!(counts("C", "function", "main"));
        assert!(counts("C++", "struct", "point"));
        assert!(!counts("C", "member", "x"));
        assert!(!counts("Lua", "function", "f"));
        assert!(!counts("C", "struct", "__anon12"));
        assert_eq!(read("C", "function", "main").path, "a");
    }

    #[test]
    fn the_last_part_of_a_name_will_do() {
        let names = |name: &str| {
            read("Lua", "function", name)
                .names()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("M.sub:f"), ["M.sub:f", "f"]);
        assert_eq!(names("operator:"), ["operator:"]);
    }
}
