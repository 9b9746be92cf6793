//! The lore.toml of a repository. It is untrusted, so its type cannot express settings that a repository must not decide.
//!
//! The file can narrow what is indexed and define constraints. It cannot change where Lore writes, what Lore trusts, network access, or how much
//! memory and time Lore uses. Each refused, unknown or invalid setting gives a remark; the rest of the file applies.

use std::path::Path;

use lore_backends::{RepositoryRules, read_configuration};
use toml::{Table, Value};

use crate::user_file::place;

/// Remarks on one file.
const MAX_REMARKS: usize = 8;
/// Characters of a key or a value that a remark repeats.
const MAX_QUOTED: usize = 60;
/// Constraints of one file.
const MAX_CONSTRAINTS: usize = 1_000;

/// The settings that a repository can make.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepositoryFile {
    /// The path of the file.
    pub(crate) origin: String,
    /// Which files are indexed, and how.
    pub(crate) rules: RepositoryRules,
    /// Constraints of the repository.
    pub(crate) constraints: Vec<serde_json::Map<String, serde_json::Value>>,
    /// Whether the mind graph records the files that a commit changes.
    pub(crate) touches: Option<bool>,
    /// Settings that do not apply, and why.
    pub(crate) remarks: Vec<String>,
}

/// Reads the lore.toml of a root. The size of files can only be lowered from the user's.
pub(crate) fn read(root: &Path, max_file_bytes: u64) -> RepositoryFile {
    let path = root.join("lore.toml");
    let mut reader = RepositoryFileReader {
        file: RepositoryFile {
            origin: path.display().to_string(),
            ..RepositoryFile::default()
        },
        remarks: Vec::new(),
        max_file_bytes,
    };
    match read_configuration(&path) {
        Ok(None) => {}
        Ok(Some(text)) => match text.parse::<Table>() {
            Ok(table) => reader.table(table),
            Err(error) => {
                let message = quoted(error.message());
                reader
                    .remarks
                    .push((place(&text, &error), format!("{message}; the file is ignored")));
            }
        },
        Err(reason) => {
            let message = format!("it is ignored, because it cannot be read: {reason}");
            reader.remarks.push((String::new(), message));
        }
    }
    reader.finish()
}

struct RepositoryFileReader {
    file: RepositoryFile,
    /// Line and column, if known, and the message.
    remarks: Vec<(String, String)>,
    max_file_bytes: u64,
}

impl RepositoryFileReader {
    fn table(&mut self, table: Table) {
        for (key, value) in table {
            match key.as_str() {
                "index" => self.section("index", value, Self::index),
                "languages" => self.section("languages", value, Self::language),
                "constraints" => self.constraints(value),
                "mind" => self.section("mind", value, Self::mind),
                "graph" => self.section("graph", value, Self::graph),
                "cache" | "cache_max_bytes" | "color" | "db" | "kcp" | "memory" | "registry" | "threads" | "unit"
                | "web" => {
                    self.refuse(&key);
                }
                _ => self.unknown(&key),
            }
        }
        let rules = std::mem::take(&mut self.file.rules);
        let (rules, remarks) = rules.bounded();
        self.file.rules = rules;
        self.remarks.extend(
            remarks
                .into_iter()
                .map(|remark| (String::new(), quoted_to(&remark, 4 * MAX_QUOTED))),
        );
    }

    /// Reads the keys of a section.
    fn section(&mut self, name: &str, value: Value, read: fn(&mut Self, &str, Value)) {
        match value {
            Value::Table(table) => table.into_iter().for_each(|(key, value)| read(self, &key, value)),
            _ => self.wrong(name, "a table"),
        }
    }

    fn index(&mut self, key: &str, value: Value) {
        let name = format!("index.{key}");
        match key {
            "include" => self.file.rules.include = self.texts(&name, value),
            "exclude" => self.file.rules.exclude = self.texts(&name, value),
            // `false` is what holds without the user's own word, and `true` would have more read than the user asked for.
            "vendored" | "generated" | "minified" => {
                if self.switch(&name, &value) == Some(true) {
                    self.refuse(&name);
                }
            }
            "max_file_bytes" => match value.as_integer().and_then(|bytes| u64::try_from(bytes).ok()) {
                Some(bytes) if bytes <= self.max_file_bytes => self.file.rules.max_file_bytes = Some(bytes),
                Some(bytes) => {
                    let message = format!(
                        "`{name}` is {bytes}, but a repository can only lower it from {}; it is ignored",
                        self.max_file_bytes
                    );
                    self.remarks.push((String::new(), message));
                }
                None => self.wrong(&name, "a number of bytes"),
            },
            "refresh" | "ignore_repository_rules" => self.refuse(&name),
            _ => self.unknown(&name),
        }
    }

    fn language(&mut self, pattern: &str, value: Value) {
        match value {
            Value::String(language) => self.file.rules.languages.push((pattern.to_owned(), language)),
            _ => self.wrong(&format!("languages.{pattern}"), "the name of a language"),
        }
    }

    fn mind(&mut self, key: &str, value: Value) {
        match key {
            "touches" => self.file.touches = self.switch("mind.touches", &value),
            _ => self.unknown(&format!("mind.{key}")),
        }
    }

    fn graph(&mut self, key: &str, _: Value) {
        let name = format!("graph.{key}");
        match key {
            "aggregators" | "allow_hosts" | "forges" | "formats" | "notify" => self.refuse(&name),
            _ => self.unknown(&name),
        }
    }

    fn constraints(&mut self, value: Value) {
        let Value::Array(items) = value else {
            return self.wrong("constraints", "a list of tables");
        };
        if items.len() > MAX_CONSTRAINTS {
            let message = format!("`constraints`: {MAX_CONSTRAINTS} are checked at most; the rest is ignored");
            self.remarks.push((String::new(), message));
        }
        for item in items.into_iter().take(MAX_CONSTRAINTS) {
            match item.try_into() {
                Ok(constraint) => self.file.constraints.push(constraint),
                Err(_) => self.wrong("constraints", "a list of tables"),
            }
        }
    }

    fn switch(&mut self, name: &str, value: &Value) -> Option<bool> {
        if value.as_bool().is_none() {
            self.wrong(name, "true or false");
        }
        value.as_bool()
    }

    fn texts(&mut self, name: &str, value: Value) -> Vec<String> {
        value.try_into().unwrap_or_else(|_| {
            self.wrong(name, "a list of strings");
            Vec::new()
        })
    }

    fn refuse(&mut self, key: &str) {
        let message = format!("`{}` cannot be set by a repository; it is ignored", quoted(key));
        self.remarks.push((String::new(), message));
    }

    fn unknown(&mut self, key: &str) {
        let message = format!("there is no setting `{}`; it is ignored", quoted(key));
        self.remarks.push((String::new(), message));
    }

    fn wrong(&mut self, key: &str, wanted: &str) {
        let message = format!("`{}` is not {wanted}; it is ignored", quoted(key));
        self.remarks.push((String::new(), message));
    }

    fn finish(self) -> RepositoryFile {
        let Self { mut file, remarks, .. } = self;
        let origin = &file.origin;
        let more = remarks.len().saturating_sub(MAX_REMARKS);
        let shown = remarks.iter().take(MAX_REMARKS);
        let mut told: Vec<String> = shown
            .map(|(place, message)| format!("{origin}{place}: {message}"))
            .collect();
        if more > 0 {
            told.push(format!("{origin}: {more} more settings are ignored"));
        }
        file.remarks = told;
        file
    }
}

/// A text of the file for a remark: on one line, without control characters, shortened.
fn quoted(text: &str) -> String {
    quoted_to(text, MAX_QUOTED)
}

fn quoted_to(text: &str, most: usize) -> String {
    let mut quoted: String = text.chars().take(most).flat_map(escaped).collect();
    if text.chars().nth(most).is_some() {
        quoted.push('…');
    }
    quoted
}

/// A character, in the form of its escape if it is none that is printed.
fn escaped(character: char) -> Vec<char> {
    match character {
        '"' | '\'' | '\\' => vec![character],
        character => character.escape_debug().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> RepositoryFile {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join("lore.toml"), text).expect("written");
        let mut file = read(directory.path(), 1_000);
        let origin = file.origin.clone();
        for remark in &mut file.remarks {
            *remark = remark.replace(&origin, "lore.toml");
        }
        file
    }

    #[test]
    fn what_narrows_holds_beside_what_is_refused() {
        let file = read_text(
            "threads = 65535\ncolr = 1\n[index]\nexclude = [\"web\", \"[a\"]\nrefresh = false\nmax_file_bytes = 2000\n\
             [languages]\n\"*.x\" = \"python\"\n\"*.y\" = \"klingon\"\n[graph]\naggregators = [\"https://a.example\"]\nnotify = \"https://b.example\"\n",
        );
        assert_eq!(file.rules.exclude, ["web"]);
        assert_eq!(file.rules.languages, [("*.x".to_owned(), "python".to_owned())]);
        assert_eq!(file.rules.max_file_bytes, None);
        assert_eq!(
            file.remarks,
            [
                "lore.toml: there is no setting `colr`; it is ignored",
                "lore.toml: `graph.aggregators` cannot be set by a repository; it is ignored",
                "lore.toml: `graph.notify` cannot be set by a repository; it is ignored",
                "lore.toml: `index.max_file_bytes` is 2000, but a repository can only lower it from 1000; it is ignored",
                "lore.toml: `index.refresh` cannot be set by a repository; it is ignored",
                "lore.toml: `threads` cannot be set by a repository; it is ignored",
                "lore.toml: `index.exclude`: `[a` is not a pattern: unclosed character class; missing ']'",
                "lore.toml: `languages`: there is no language `klingon`",
            ]
        );
    }

    #[test]
    fn a_file_that_is_no_toml_names_its_place() {
        let file = read_text("[index]\nexclude = [\n");
        assert!(file.rules.is_empty());
        assert_eq!(file.remarks.len(), 1);
        assert!(
            file.remarks[0].starts_with("lore.toml:") && file.remarks[0].ends_with("; the file is ignored"),
            "{:?}",
            file.remarks
        );
    }

    #[test]
    fn remarks_are_few_short_and_without_escapes() {
        let keys: String = (0..100)
            .map(|at| format!("\"\\u001b[31m{at}{}\" = 1\n", "x".repeat(500)))
            .collect();
        let file = read_text(&keys);
        assert_eq!(file.remarks.len(), MAX_REMARKS + 1);
        assert_eq!(file.remarks[MAX_REMARKS], "lore.toml: 92 more settings are ignored");
        for remark in &file.remarks {
            assert!(remark.len() < 400 && !remark.contains(char::is_control), "{remark}");
        }
    }

    #[test]
    fn patterns_are_bounded() {
        let list = |count: usize, length: usize| -> String {
            let patterns: Vec<String> = (0..count).map(|at| format!("\"{at}{}\"", "a".repeat(length))).collect();
            format!("[index]\nexclude = [{}]\n", patterns.join(","))
        };
        let file = read_text(&list(5_000, 100));
        assert!(file.rules.exclude.len() < 400, "{}", file.rules.exclude.len());
        assert_eq!(file.remarks.len(), 1, "{:?}", file.remarks);
        assert_eq!(read_text(&list(2_000, 4)).rules.exclude.len(), 1_000);
        let stars = read_text(&format!("[index]\nexclude = [\"{}\"]\n", "*a".repeat(100)));
        assert!(stars.rules.exclude.is_empty());
    }
}
