//! The counters of a body while it is read, and the resulting facts.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::BodyFacts;
use super::pointer::quoted;
use crate::format::Commit;
use crate::formats::Format;
use crate::time;
use lore_base::json::{Number, Text};

/// The most kinds and languages in an answer.
const MOST_KINDS: usize = 10;
const MOST_LANGUAGES: usize = 10;
/// Characters of the name of a language, of a tool, and of its version; more are cut off.
const MOST_NAME: usize = 64;
/// Places of a body that can name its commit.
const COMMIT_PLACES: usize = 3;

/// What a node is known by.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Id<'a> {
    Text(Cow<'a, str>),
    Whole(u64),
    /// A number that is not whole, or negative, as it is written.
    Number(&'a str),
}

impl<'a> Id<'a> {
    pub(super) fn of_number(number: Number<'a>) -> Self {
        number.as_u64().map_or(Self::Number(number.raw()), Self::Whole)
    }

    /// As it is repeated in what is said about it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => quoted(text.chars()),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => quoted(number.chars()),
        }
    }
}

/// What is known so far.
#[derive(Default)]
pub(super) struct Tally<'a> {
    pub(super) nodes: usize,
    pub(super) edges: usize,
    pub(super) file_count: Option<u64>,
    pub(super) has_metadata: bool,
    pub(super) tool: Option<Text<'a>>,
    pub(super) tool_version: Option<Text<'a>>,
    pub(super) generated_at: Option<Text<'a>>,
    /// What is said of the commit, the place that counts most first.
    pub(super) commits: [Option<Text<'a>>; COMMIT_PLACES],
    /// What is said of keys that stand twice.
    pub(super) duplicates: Vec<String>,
    ids: HashMap<Id<'a>, usize>,
    kinds: HashMap<Cow<'a, str>, u64>,
    /// The first languages in order, in small letters; those behind them are not kept, since a list of languages has no end.
    languages: BTreeSet<String>,
    /// The last language as written: usually the next one is the same.
    last_language: &'a str,
}

impl<'a> Tally<'a> {
    /// Notes the id of a node; gives the node that has it already.
    pub(super) fn id(&mut self, id: Id<'a>, index: usize) -> Option<usize> {
        match self.ids.entry(id) {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(entry) => {
                entry.insert(index);
                None
            }
        }
    }

    pub(super) fn kind(&mut self, kind: Text<'a>) {
        *self.kinds.entry(kind.read()).or_default() += 1;
    }

    pub(super) fn language(&mut self, language: Text<'a>) {
        let raw = language.raw();
        if raw == self.last_language || raw.is_empty() || language.is_longer_than(MOST_NAME) {
            return;
        }
        self.last_language = raw;
        self.languages.insert(language.read().to_lowercase());
        if self.languages.len() > MOST_LANGUAGES {
            self.languages.pop_last();
        }
    }

    pub(super) fn commit(&mut self, place: u8, commit: Text<'a>) {
        if let Some(slot) = self.commits.get_mut(usize::from(place)) {
            *slot = Some(commit);
        }
    }

    /// The facts.
    pub(super) fn facts(self, format: &Format, digest: String, bytes: u64) -> BodyFacts {
        let source_sha = self
            .commits
            .iter()
            .flatten()
            .find_map(|commit| Commit::parse(&commit.read()));
        let generated_at = self.generated_at.and_then(|text| time::normalise(&text.read()));
        let mut warnings = self.of_metadata(format, source_sha.is_some(), generated_at.is_some());
        warnings.extend(self.duplicates);
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for (kind, count) in self.kinds {
            *kinds.entry(kind.to_lowercase()).or_default() += count;
        }
        kinds.remove("");
        let mut top_kinds: Vec<(String, u64)> = kinds.into_iter().collect();
        // They are in the order of their names, and stay so where they are equally frequent.
        top_kinds.sort_by_key(|(_, count)| Reverse(*count));
        top_kinds.truncate(MOST_KINDS);
        BodyFacts {
            digest,
            bytes,
            nodes: self.file_count.unwrap_or(self.nodes as u64),
            edges: self.edges as u64,
            top_kinds,
            languages: self.languages.into_iter().collect(),
            source_sha,
            tool: self.tool.map(shortened),
            tool_version: self.tool_version.map(shortened),
            generated_at,
            warnings,
        }
    }

    /// Warnings about missing metadata, which is not a reason to refuse a body (ruling 8).
    fn of_metadata(&self, format: &Format, has_commit: bool, has_time: bool) -> Vec<String> {
        let place = format.metadata;
        if !self.has_metadata {
            return vec![format!(
                "`{place}` is missing: tool, version, time and commit are unknown"
            )];
        }
        let mut warnings = Vec::new();
        let mut missing = |name: &str, text: Option<Text<'_>>, wanted: &str| {
            warnings.push(match text {
                None => format!("`{name}` is missing in `{place}`"),
                Some(text) => format!("`{name}` is {}, not {wanted}; it is ignored", quoted(text.letters())),
            });
        };
        if self.tool.is_none() {
            missing("tool", None, "");
        }
        if self.tool_version.is_none() {
            missing("tool_version", None, "");
        }
        if !has_time {
            missing("generated_at", self.generated_at, "an RFC 3339 time");
        }
        if !has_commit {
            let said = self.commits.iter().flatten().next().copied();
            missing("commit", said, "a commit id of forty hexadecimal digits");
        }
        warnings
    }
}

fn shortened(text: Text<'_>) -> String {
    text.letters().take(MOST_NAME).collect()
}
