//! Detects the language of a file, and vendored, generated and minified files: first by path, then by content if the
//! path does not decide.

use foldhash::HashMap;
use std::sync::OnceLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use lore_model::{ContentHash, RepoPath, SkipReason};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use crate::EXTRACTOR_VERSION;
use crate::lang::LANGUAGES;
use crate::language::Language;

/// Bytes that decide whether a file is text, as in git.
const SNIFF_BYTES: usize = 8_000;
/// Bytes that decide between languages with the same extension.
const DISPUTE_BYTES: usize = 64 * 1024;
/// Lines at the top in which a generator may leave its mark.
const GENERATED_HEAD_LINES: usize = 20;
/// A file with fewer line breaks than one per this many bytes, on average, is minified.
const MINIFIED_AVERAGE_LINE: usize = 250;
/// A short file with a line of this length is minified.
const MINIFIED_LONGEST_LINE: usize = 5_000;

/// The verdict of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detection {
    /// The language with this number in [`LANGUAGES`].
    Language(u8),
    /// Several languages use the name, known to Lore or not, and the content decides. This one is the first known
    /// one.
    Disputed(u8),
    /// Only the first line (`#!`) can decide.
    ByContent,
    /// No language that Lore knows.
    Unknown,
}

impl Detection {
    /// The language whose rules say whether the path is a test.
    pub(crate) fn presumed(self) -> Option<&'static Language> {
        match self {
            Self::Language(number) | Self::Disputed(number) => language(number),
            Self::ByContent | Self::Unknown => None,
        }
    }

    /// A number for the verdict of the path, as part of cache keys.
    pub(crate) fn number(self) -> u16 {
        match self {
            Self::ByContent | Self::Unknown => 0,
            Self::Language(number) => u16::from(number) + 1,
            Self::Disputed(number) => (u16::from(number) + 1) | DISPUTED,
        }
    }
}

/// Greater than every number of a language.
const DISPUTED: u16 = 1 << 9;

/// The tables that map file names to languages: the patterns of the user, then the tables of the languages.
#[derive(Clone, Debug, Default)]
pub struct Detector {
    patterns: GlobSet,
    /// The patterns: the length, and the language, or `None` if Lore leaves such files out.
    languages: Vec<(usize, Option<u8>)>,
}

/// Why a `[languages]` table is invalid.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DetectorError {
    /// A pattern is not a valid glob.
    #[error("`{pattern}` is not a pattern: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The error of the glob parser.
        reason: String,
    },
    /// Unknown language.
    #[error("there is no language `{0}`")]
    Language(String),
}

impl Detector {
    /// The word that excludes files, instead of a language.
    pub const NONE: &'static str = "none";

    /// A detector with patterns of a user, each with the name of a language or dialect. Of several matching patterns
    /// the longest decides, because a table has no order.
    pub fn new(patterns: &[(String, String)]) -> Result<Self, DetectorError> {
        let mut set = GlobSetBuilder::new();
        let mut languages = Vec::new();
        for (pattern, name) in patterns {
            let bad = |error: globset::Error| DetectorError::Pattern {
                pattern: pattern.clone(),
                reason: error.kind().to_string(),
            };
            // As in .gitignore, a pattern without a slash matches names in any directory.
            let anywhere = match pattern.strip_prefix('/') {
                Some(rooted) => rooted.to_owned(),
                None if pattern.contains('/') => pattern.clone(),
                None => format!("**/{pattern}"),
            };
            set.add(
                GlobBuilder::new(&anywhere)
                    .literal_separator(true)
                    .build()
                    .map_err(bad)?,
            );
            let language = match name.as_str() {
                Self::NONE => None,
                name => Some(named(name).ok_or_else(|| DetectorError::Language(name.to_owned()))?),
            };
            languages.push((pattern.len(), language));
        }
        let patterns = set.build().map_err(|error| DetectorError::Pattern {
            pattern: error.glob().unwrap_or_default().to_owned(),
            reason: error.kind().to_string(),
        })?;
        Ok(Self { patterns, languages })
    }

    /// Classifies a path without its content.
    pub fn by_path(&self, path: &RepoPath) -> Detection {
        if !self.languages.is_empty()
            && let Some((_, language)) = self
                .patterns
                .matches(path.as_str())
                .into_iter()
                .map(|at| self.languages[at])
                .max()
        {
            return language.map_or(Detection::Unknown, Detection::Language);
        }
        Names::of_languages().judge(path.file_name())
    }
}

/// The language of a content, after [`Detector::by_path`] classified its path.
pub fn detect_by_content(detection: Detection, path: &RepoPath, content: &[u8]) -> Option<u8> {
    match detection {
        Detection::Language(number) => Some(number),
        Detection::Disputed(_) => Names::of_languages().settle(path.file_name(), content),
        Detection::ByContent => by_interpreter(content),
        Detection::Unknown => None,
    }
}

/// The number of a language, by its name or the name of its dialect.
fn named(name: &str) -> Option<u8> {
    LANGUAGES
        .iter()
        .position(|language| language.dialect == name || language.name == name)
        .map(|number| number as u8)
}

/// Classifies a `#!` line.
fn by_interpreter(content: &[u8]) -> Option<u8> {
    let line = content.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line.get(..200).unwrap_or(line)).ok()?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words
            .find(|word| !word.starts_with('-') && !word.contains('='))?
            .rsplit('/')
            .next()?;
    }
    let bare = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    LANGUAGES
        .iter()
        .position(|language| {
            language
                .interpreters
                .iter()
                .any(|known| *known == program || *known == bare)
        })
        .map(|at| at as u8)
}

/// Every name and extension of the languages, for lookup.
struct Names {
    files: HashMap<&'static str, u8>,
    /// Prefixes of file names.
    beginnings: Vec<(&'static str, u8)>,
    /// By extension in lower case: the languages with the extension, in the order of the table.
    extensions: HashMap<&'static str, Users>,
}

#[derive(Default)]
struct Users {
    languages: Vec<u8>,
    disputed: bool,
}

impl Names {
    fn of_languages() -> &'static Self {
        static NAMES: OnceLock<Names> = OnceLock::new();
        NAMES.get_or_init(Self::collect)
    }

    fn collect() -> Self {
        let mut names = Self {
            files: HashMap::default(),
            beginnings: Vec::new(),
            extensions: HashMap::default(),
        };
        for (number, language) in (0..).zip(LANGUAGES) {
            for name in language.file_names {
                match name.strip_suffix('*') {
                    Some(beginning) => names.beginnings.push((beginning, number)),
                    None => {
                        names.files.entry(name).or_insert(number);
                    }
                }
            }
            for extension in language.extensions {
                names.extensions.entry(extension).or_default().languages.push(number);
            }
            for extension in language.disputed {
                let users = names.extensions.entry(extension).or_default();
                users.disputed = true;
                if !users.languages.contains(&number) {
                    users.languages.push(number);
                }
            }
        }
        names
    }

    fn judge(&self, name: &str) -> Detection {
        if let Some(number) = self.files.get(name) {
            return Detection::Language(*number);
        }
        if let Some(users) = self.users(name) {
            return match (users.languages.first(), users.disputed) {
                (Some(first), false) => Detection::Language(*first),
                (Some(first), true) => Detection::Disputed(*first),
                (None, _) => Detection::Unknown,
            };
        }
        if let Some((_, number)) = self.beginnings.iter().find(|(start, _)| name.starts_with(start)) {
            return Detection::Language(*number);
        }
        if name.get(1..).is_some_and(|rest| rest.contains('.')) {
            Detection::Unknown
        } else {
            Detection::ByContent
        }
    }

    /// The languages that use the longest known extension of a name.
    fn users(&self, name: &str) -> Option<&Users> {
        let lower = name.to_ascii_lowercase();
        // The extensions of a name, the longest first (`.eslintrc.d.ts`). A dot at the very beginning does not begin
        // an extension.
        let dots = lower.match_indices('.').map(|(at, _)| at).filter(|at| *at > 0);
        dots.into_iter().find_map(|at| self.extensions.get(&lower[at + 1..]))
    }

    /// Selects between the languages of an extension by content.
    fn settle(&self, name: &str, content: &[u8]) -> Option<u8> {
        let users = self.users(name)?;
        let head = &content[..content.len().min(DISPUTE_BYTES)];
        let head = String::from_utf8_lossy(head);
        let mut best = None;
        for number in &users.languages {
            let likeness = language(*number).map_or(0, |language| (language.likeness)(&head));
            if likeness > best.map_or(0, |(likeness, _)| likeness) {
                best = Some((likeness, *number));
            }
        }
        best.map(|(_, number)| number)
    }
}

/// Why a content is left out, if it is: binary, not UTF-8, generated or minified.
pub(crate) fn unfit(language: &Language, content: &[u8]) -> Result<(), SkipReason> {
    if content[..content.len().min(SNIFF_BYTES)].contains(&0) {
        return Err(SkipReason::Binary);
    }
    let Ok(text) = std::str::from_utf8(content) else {
        return Err(SkipReason::NotUtf8);
    };
    if language.minified && is_minified(text) {
        return Err(SkipReason::Minified);
    }
    if is_generated(text) {
        return Err(SkipReason::Generated);
    }
    Ok(())
}

/// Whether the name marks a minified file.
pub(crate) fn minified_by_name(path: &RepoPath) -> bool {
    let name = path.file_name();
    name.contains(".min.") || name.contains("-min.")
}

fn is_minified(text: &str) -> bool {
    if text.len() < 2 * MINIFIED_AVERAGE_LINE {
        return false;
    }
    let mut lines = 0;
    let mut longest = 0;
    for line in text.lines() {
        lines += 1;
        longest = longest.max(line.len());
    }
    text.len() / (lines + 1) > MINIFIED_AVERAGE_LINE || (longest > MINIFIED_LONGEST_LINE && lines < 100)
}

/// The marks that generators write, each on its own line near the top.
fn is_generated(text: &str) -> bool {
    text.lines().take(GENERATED_HEAD_LINES).any(|line| {
        let line = line.get(..300).unwrap_or(line);
        let comment = line.trim_start();
        if !comment.starts_with(['/', '#', '*', '-', ';', '"', '<', '%']) {
            return false;
        }
        let lower = line.to_ascii_lowercase();
        (lower.contains("generated") && (lower.contains("do not edit") || lower.contains("do not modify")))
            || lower.contains("@generated ")
            || lower.trim_end().ends_with("@generated")
            || lower.contains("generated by the protocol buffer compiler")
            || lower.contains("autogenerated file")
            || lower.contains("this file is automatically generated")
            || lower.contains("this file was automatically generated")
    })
}

/// Directories with vendored code.
const VENDOR_DIRECTORIES: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    "vendor",
    "vendors",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "Godeps",
    "Pods",
    "Carthage",
    "site-packages",
    "dist-packages",
    ".venv",
    "virtualenv",
    ".tox",
    ".nox",
    ".eggs",
    "__pycache__",
    "__pypackages__",
    ".yarn",
    ".pnpm-store",
    ".gradle",
    ".mvn",
    ".bundle",
    ".cargo-vendor",
];

/// The directory that makes a path vendored code, if any.
pub(crate) fn vendored_by(path: &RepoPath) -> Option<&str> {
    path.directory()
        .split('/')
        .find(|part| VENDOR_DIRECTORIES.contains(part))
}

/// The language with a number.
pub(crate) fn language(number: u8) -> Option<&'static Language> {
    LANGUAGES.get(number as usize).copied()
}

/// A content that was constructed to have the same SHA-1 as another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the content is a SHA-1 collision attack")]
pub struct Collision;

/// The hash of a content: git's blob id. All repositories of a user share facts by this hash, so a content with the
/// marks of a collision attack has no hash.
pub fn content_hash(content: &[u8]) -> Result<ContentHash, Collision> {
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(format!("blob {}\0", content.len()).as_bytes());
    hasher.update(content);
    let digest = hasher.finalize().map_err(|_| Collision)?;
    Ok(ContentHash(digest.into()))
}

/// A number that differs if stored facts are not interchangeable: for another extractor, other languages, or another
/// order of languages.
pub fn facts_fingerprint() -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&EXTRACTOR_VERSION.to_le_bytes());
    for language in LANGUAGES {
        hasher.update(language.name.as_bytes());
        hasher.update(b"/");
        hasher.update(language.dialect.as_bytes());
        hasher.update(b"\n");
    }
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_hash_is_gits_blob_id() {
        assert_eq!(
            content_hash(b"hello\n").expect("no collision").to_string(),
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
        assert_eq!(
            content_hash(b"").expect("no collision").to_string(),
            "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
        );
    }

    fn detected(detector: &Detector, path: &str, content: &str) -> Option<&'static str> {
        let path = RepoPath::new(path).expect("the path is relative");
        detect_by_content(detector.by_path(&path), &path, content.as_bytes())
            .and_then(language)
            .map(|language| language.dialect)
    }

    #[test]
    fn extensions_and_interpreters_name_languages() {
        let detector = Detector::default();
        for (path, content, expected) in [
            ("a.py", "", Some("python")),
            ("A.PY", "", Some("python")),
            ("a.test.tsx", "", Some("tsx")),
            ("dir.py/tool", "#!/usr/bin/env python3\n", Some("python")),
            (".tool", "#!/usr/bin/python\n", Some("python")),
            ("tool", "print(1)", None),
            ("a.unknown", "#!/usr/bin/python\n", None),
            ("app.ts", "let a = 1;", Some("typescript")),
            ("app_de.ts", "<?xml version=\"1.0\"?><!DOCTYPE TS>", None),
        ] {
            assert_eq!(detected(&detector, path, content), expected, "{path}");
        }
    }

    #[test]
    fn the_table_of_a_user_comes_first_and_its_longest_pattern_holds() {
        let table = |rows: &[(&str, &str)]| {
            let rows: Vec<(String, String)> = rows.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            Detector::new(&rows)
        };
        let detector = table(&[
            ("*.in", "python"),
            ("tools/*", "javascript"),
            ("/tools/x.in", "go"),
            ("*.rs", "none"),
        ])
        .expect("the table is sound");
        for (path, expected) in [
            ("deep/a.in", Some("python")),
            ("tools/b", Some("javascript")),
            ("tools/x.in", Some("go")),
            ("tools/deep/b", None),
            ("src/a.rs", None),
            ("a.py", Some("python")),
        ] {
            assert_eq!(detected(&detector, path, ""), expected, "{path}");
        }
        assert_eq!(
            table(&[("*.x", "klingon")]).err(),
            Some(DetectorError::Language("klingon".to_owned()))
        );
        assert!(matches!(
            table(&[("a[", "go")]).err(),
            Some(DetectorError::Pattern { .. })
        ));
    }

    #[test]
    fn no_two_languages_share_a_name_unless_they_say_so() {
        let mut owners: HashMap<String, &str> = HashMap::default();
        for language in LANGUAGES {
            let names = language.file_names.iter().map(|name| (*name).to_owned());
            let extensions = language.extensions.iter().map(|extension| format!("*.{extension}"));
            for name in names.chain(extensions) {
                let other = owners.insert(name.clone(), language.dialect);
                assert_eq!(other, None, "{name} belongs to {} too", language.dialect);
            }
        }
        for language in LANGUAGES {
            for extension in language.disputed {
                let owner = owners.get(&format!("*.{extension}"));
                assert_eq!(owner, None, "{} disputes .{extension}", language.dialect);
            }
        }
    }

    #[test]
    fn an_interpreter_line_names_the_language() {
        let name = |line: &str| {
            by_interpreter(line.as_bytes())
                .and_then(language)
                .map(|language| language.name)
        };
        assert_eq!(name("#!/usr/bin/env python3\n"), Some("python"));
        assert_eq!(name("#!/usr/bin/python3.11 -u\n"), Some("python"));
        assert_eq!(name("#!/usr/bin/env -S node --flag\n"), Some("javascript"));
        assert_eq!(name("#!/usr/bin/env FOO=1 python\n"), Some("python"));
        assert_eq!(name("#!/bin/unknown\n"), None);
        assert_eq!(name("#!"), None);
        assert_eq!(name("print(1)"), None);
    }

    #[test]
    fn unfit_contents_say_why() {
        let javascript = LANGUAGES
            .iter()
            .find(|language| language.minified)
            .expect("there is one");
        let judged = |content: &[u8]| unfit(javascript, content);
        assert_eq!(judged(b"a\0b"), Err(SkipReason::Binary));
        assert_eq!(judged(b"a\xffb"), Err(SkipReason::NotUtf8));
        assert_eq!(
            judged(b"// Code generated by x. DO NOT EDIT.\n"),
            Err(SkipReason::Generated)
        );
        assert_eq!(judged(b"var s = 'generated, do not edit';\n"), Ok(()));
        assert_eq!(judged("x;".repeat(3000).as_bytes()), Err(SkipReason::Minified));
        assert_eq!(judged(b"x;\n"), Ok(()));
    }
}
