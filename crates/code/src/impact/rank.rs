//! The order of affected tests: how likely the change reaches each, and how close to the change it is.

use std::collections::{BTreeMap, BTreeSet};

use lore_model::{CodeGraph, Symbol, SymbolId};
use lore_seam::Log;

use super::reach::{CERTAIN, Reach};

/// What a further step leaves of the likelihood of a test.
const HOP: u64 = 950_000;
/// How much of the remaining doubt each kind of closeness removes at most.
const SAME_NAME: u64 = 300_000;
const SAME_FILE_NAME: u64 = 250_000;
const SAME_DIRECTORY: u64 = 80_000;
const CHANGED_TOGETHER: u64 = 250_000;
/// Changed definitions whose names are compared.
const MAX_NAMES: usize = 64;
/// Commits with more changes than this say nothing about what belongs together.
const MAX_CHANGES: usize = 60;
/// Commits of a file that are looked at.
const MAX_COMMITS: usize = 400;
/// Commits that a file needs to say what changes with it.
const MIN_COMMITS: u64 = 3;
/// Words that say nothing about what a name means.
const COMMON: &[&str] = &[
    "test", "tests", "spec", "init", "new", "get", "set", "is", "the", "a", "of", "and", "to", "main", "index", "mod",
    "src", "lib",
];

/// What the change is called, where it is, and what changes together with it.
pub(super) struct Closeness {
    names: Vec<BTreeSet<String>>,
    files: Vec<BTreeSet<String>>,
    directories: BTreeSet<String>,
    together: BTreeMap<String, u64>,
}

impl Closeness {
    pub(super) fn of(graph: &CodeGraph, changed: &BTreeSet<SymbolId>, log: Option<(&Log, &str)>) -> Self {
        let symbols: Vec<Symbol<'_>> = changed.iter().map(|id| graph.symbol(*id)).collect();
        let paths: BTreeSet<&str> = symbols
            .iter()
            .map(|symbol| symbol.file().path())
            .take(MAX_NAMES)
            .collect();
        let with_words = |words: BTreeSet<String>| Some(words).filter(|words| !words.is_empty());
        Self {
            names: symbols
                .iter()
                .take(MAX_NAMES)
                .filter_map(|symbol| with_words(words(symbol.name())))
                .collect(),
            files: paths.iter().filter_map(|path| with_words(file_words(path))).collect(),
            directories: paths.iter().map(|path| directory(path).to_owned()).collect(),
            together: log
                .map(|(log, within)| changed_together(log, within, &paths))
                .unwrap_or_default(),
        }
    }

    /// How likely a test is affected, from zero to [`CERTAIN`].
    pub(super) fn likelihood(&self, test: Symbol<'_>, reach: &Reach) -> u64 {
        let mut likelihood = reach.likelihood;
        for _ in 1..reach.distance.min(32) {
            likelihood = likelihood * HOP / CERTAIN;
        }
        let path = test.file().path();
        let mut own = words(test.name());
        own.extend(test.parent().into_iter().flat_map(|parent| words(parent.name())));
        let file = file_words(path);
        let best = |wanted: &[BTreeSet<String>], among: &BTreeSet<String>| -> u64 {
            let share =
                |words: &BTreeSet<String>| CERTAIN * words.intersection(among).count() as u64 / words.len() as u64;
            wanted.iter().map(share).max().unwrap_or(0)
        };
        let closeness = [
            best(&self.names, &own) * SAME_NAME / CERTAIN,
            best(&self.files, &file) * SAME_FILE_NAME / CERTAIN,
            if self.directories.contains(directory(path)) {
                SAME_DIRECTORY
            } else {
                0
            },
            self.together.get(path).copied().unwrap_or(0) * CHANGED_TOGETHER / CERTAIN,
        ];
        let mut doubt = CERTAIN - likelihood;
        for share in closeness {
            doubt = doubt * (CERTAIN - share) / CERTAIN;
        }
        // What is close but hardly reached stays behind what is reached.
        (CERTAIN - doubt).min(likelihood * 3 / 2).max(likelihood)
    }
}

/// How often each file changed together with the changed ones, as a share of the commits of those.
fn changed_together(log: &Log, within: &str, paths: &BTreeSet<&str>) -> BTreeMap<String, u64> {
    let prefix = match within {
        "" => String::new(),
        _ => format!("{within}/"),
    };
    let mut commits = BTreeSet::new();
    for path in paths {
        let path = format!("{prefix}{path}");
        let changes = log.changes_of(&path);
        commits.extend(changes.map(|(commit, _)| commit).take(MAX_COMMITS));
    }
    let commits: Vec<_> = commits
        .into_iter()
        .filter_map(|commit| log.commits.get(commit as usize))
        .filter(|commit| commit.changes.len() <= MAX_CHANGES)
        .collect();
    let count = commits.len() as u64;
    let mut together: BTreeMap<String, u64> = BTreeMap::new();
    if count < MIN_COMMITS {
        return together;
    }
    for change in commits.iter().flat_map(|commit| &commit.changes) {
        if let Some(path) = change.path.strip_prefix(&prefix) {
            *together.entry(path.to_owned()).or_default() += 1;
        }
    }
    together
        .values_mut()
        .for_each(|commits| *commits = (*commits).min(count) * CERTAIN / count);
    together
}

/// How many of some likelihoods, the greatest first, come before the likelihood falls off.
pub(super) fn before_the_fall(likelihoods: &[u64]) -> usize {
    let Some(best) = likelihoods.first() else {
        return 0;
    };
    let is_fall = |pair: &[u64]| pair[1] * 100 < pair[0] * STEEP || pair[1] * 100 < best * LEAST;
    let end = likelihoods.windows(2).position(is_fall);
    end.map_or(likelihoods.len(), |at| at + 1)
}

/// The likelihood falls off where the next is less than this percentage of the one before it,
const STEEP: u64 = 50;
/// or less than this percentage of the best.
const LEAST: u64 = 25;

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The words of a file's name, without its extension.
fn file_words(path: &str) -> BTreeSet<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    match stem {
        // The name says what language this is; the directory says what the file is about.
        "__init__" | "index" | "mod" | "lib" | "main" => words(directory(path).rsplit('/').next().unwrap_or("")),
        _ => words(stem),
    }
}

/// The words of a name in lower case: `parseHTTPHeader` and `parse_http_header` have the same.
fn words(name: &str) -> BTreeSet<String> {
    let letters: Vec<char> = name.chars().take(200).collect();
    let (mut found, mut word) = (BTreeSet::new(), String::new());
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        let begins = letter.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_numeric())
                || before.is_some_and(char::is_uppercase) && after.is_some_and(|after| after.is_lowercase()));
        if (begins || !letter.is_alphanumeric()) && !word.is_empty() {
            found.insert(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
    }
    found.insert(word);
    found.retain(|word| !word.is_empty() && !COMMON.contains(&word.as_str()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_same_words_in_every_style() {
        let joined = |name| words(name).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(joined("parseHTTPHeader"), "header http parse");
        assert_eq!(joined("test_parse_http_header"), "header http parse");
        assert_eq!(joined("TestIsNew"), "");
        assert_eq!(joined(""), "");
        assert_eq!(file_words("src/security/__init__.py"), words("security"));
        assert_eq!(file_words("web/cart.test.ts"), words("cart"));
    }

    #[test]
    fn the_list_ends_where_the_likelihood_falls_off() {
        for (likelihoods, kept) in [
            (&[][..], 0),
            (&[500], 1),
            (&[900, 890, 880], 3),
            (&[900, 890, 300, 290], 2),
            (&[300, 290, 280], 3),
            (&[900, 700, 500, 300, 230, 220], 5),
            (&[0, 0], 2),
        ] {
            assert_eq!(before_the_fall(likelihoods), kept, "{likelihoods:?}");
        }
    }
}
