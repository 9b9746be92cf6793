//! `PatternIndex`: the patterns of all atoms of a project, to be asked for a path. A path is held only against the patterns whose literal directories it is
//! in, so that the answer does not take longer with every atom there is.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::glob::{Glob, Rest};
use super::normal::is_inside;
use crate::id::Id;

/// How many atoms are told as nearest.
const MOST_NEAREST: usize = 200;

/// The patterns of a project's atoms.
#[derive(Clone, Debug, Default)]
pub struct PatternIndex {
    atoms: BTreeMap<Id, Arc<Patterns>>,
    /// Patterns that are paths.
    exact: HashMap<String, Vec<Id>>,
    /// `directory/**`, by the directory.
    below: HashMap<String, Vec<Id>>,
    /// Other patterns, by their literal directories.
    tried: HashMap<String, Vec<IndexedPattern>>,
    /// Other patterns without literal directories, by the end of the names that they match.
    anywhere: HashMap<String, Vec<IndexedPattern>>,
    directories: BTreeMap<String, BTreeMap<Id, u32>>,
}

/// The patterns of an atom: as they are written, and read where they can be.
#[derive(Debug)]
struct Patterns {
    written: Vec<String>,
    read: Vec<Option<Glob>>,
}

/// One reading of a pattern of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct IndexedPattern {
    atom: Id,
    pattern: u32,
    form: u32,
}

/// Where a reading of a pattern is kept.
enum Bucket {
    Exact(String),
    Below(String),
    Tried(String),
    Anywhere(String),
}

impl Patterns {
    fn new(written: Vec<String>) -> Self {
        let read = written.iter().map(|pattern| Glob::new(pattern).ok()).collect();
        Self { written, read }
    }

    /// Every reading with its place.
    fn places(&self, atom: Id) -> Vec<(Bucket, IndexedPattern)> {
        let mut places = Vec::new();
        for (pattern, glob) in (0..).zip(&self.read) {
            for (form, known) in (0..).zip(glob.iter().flat_map(Glob::forms)) {
                let bucket = match &known.rest {
                    Rest::Path(path) => Bucket::Exact(path.clone()),
                    Rest::Below => Bucket::Below(known.prefix.clone()),
                    Rest::Some(ending) if known.prefix.is_empty() => {
                        Bucket::Anywhere(ending.clone().unwrap_or_default())
                    }
                    Rest::Some(_) => Bucket::Tried(known.prefix.clone()),
                };
                let place = IndexedPattern { atom, pattern, form };
                places.push((bucket, place));
            }
        }
        places
    }
}

impl PatternIndex {
    /// Takes in the atoms that are new or have other patterns now, and forgets those that are gone.
    pub fn apply(&mut self, changed: Vec<(Id, Vec<String>)>, removed: &[Id]) {
        for id in removed {
            self.forget(*id);
        }
        for (id, patterns) in changed {
            if self.patterns(id) != patterns {
                self.forget(id);
                self.take_in(id, Patterns::new(patterns));
            }
        }
    }

    /// How many atoms it knows.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The atoms that it knows, in the order of their identifiers.
    pub fn atoms(&self) -> impl Iterator<Item = Id> + '_ {
        self.atoms.keys().copied()
    }

    pub fn patterns(&self, atom: Id) -> &[String] {
        self.atoms.get(&atom).map_or(&[], |patterns| &patterns.written)
    }

    /// The atoms that cover a path, in the order of their identifiers. The path is in its normal form; one that leads out of the tree is covered by none.
    pub fn matches(&self, path: &str) -> Vec<Id> {
        let mut found = Vec::new();
        if !is_inside(path) {
            return found;
        }
        found.extend(self.exact.get(path).into_iter().flatten());
        for directory in directories(path) {
            found.extend(self.below.get(directory).into_iter().flatten());
            let tried = self.tried.get(directory).into_iter().flatten();
            found.extend(tried.filter(|place| self.try_at(**place, path)).map(|place| place.atom));
        }
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let endings = match ending {
            "" => [Some(""), None],
            ending => [Some(""), Some(ending)],
        };
        for ending in endings.into_iter().flatten() {
            let tried = self.anywhere.get(ending).into_iter().flatten();
            found.extend(tried.filter(|place| self.try_at(**place, path)).map(|place| place.atom));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether one atom covers a path in its normal form.
    pub fn covers(&self, atom: Id, path: &str) -> bool {
        let patterns = self.atoms.get(&atom);
        let read = patterns.iter().flat_map(|patterns| patterns.read.iter().flatten());
        is_inside(path) && read.into_iter().any(|glob| glob.matches(path))
    }

    /// The first pattern of an atom that matches a path in its normal form.
    pub fn matching(&self, atom: Id, path: &str) -> Option<&str> {
        let patterns = self.atoms.get(&atom)?;
        let read = patterns
            .read
            .iter()
            .map(|glob| glob.as_ref().is_some_and(|glob| glob.matches(path)));
        let known = patterns.written.iter().zip(read);
        known
            .into_iter()
            .find(|(_, matches)| *matches)
            .map(|(pattern, _)| pattern.as_str())
    }

    /// The first pattern of an atom whose literal directory is this one.
    pub fn pattern_in(&self, atom: Id, directory: &str) -> Option<&str> {
        let patterns = self.atoms.get(&atom)?;
        let known = patterns.written.iter().zip(&patterns.read);
        let mut inside = known.filter(|(_, glob)| glob.as_ref().is_some_and(|glob| glob.directory() == directory));
        inside.next().map(|(pattern, _)| pattern.as_str())
    }

    /// The atoms with a pattern in the directory that is nearest above a path: some of those in the directory itself before those further down in it.
    pub fn nearest(&self, path: &str) -> Vec<(Id, &str)> {
        if !is_inside(path) {
            return Vec::new();
        }
        for directory in directories(path).filter(|directory| !directory.is_empty()) {
            let below = format!("{directory}/");
            let inside = (Bound::Included(below.as_str()), Bound::Unbounded);
            let inside = self.directories.range::<str, _>(inside);
            let inside = inside.take_while(|(known, _)| known.starts_with(&below));
            let itself = self.directories.get_key_value(directory);
            let mut found: Vec<(Id, &str)> = Vec::new();
            for (known, atoms) in itself.into_iter().chain(inside) {
                let new: Vec<Id> = atoms
                    .keys()
                    .filter(|atom| !found.iter().any(|(known, _)| known == *atom))
                    .copied()
                    .collect();
                found.extend(new.into_iter().map(|atom| (atom, known.as_str())));
                if found.len() >= MOST_NEAREST {
                    found.truncate(MOST_NEAREST);
                    break;
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn try_at(&self, place: IndexedPattern, path: &str) -> bool {
        let patterns = self.atoms.get(&place.atom);
        let glob = patterns.and_then(|patterns| patterns.read.get(place.pattern as usize)?.as_ref());
        let form = glob.and_then(|glob| glob.forms().get(place.form as usize));
        form.is_some_and(|form| form.matches(path))
    }

    fn take_in(&mut self, id: Id, patterns: Patterns) {
        for (bucket, place) in patterns.places(id) {
            match bucket {
                Bucket::Exact(key) => self.exact.entry(key).or_default().push(id),
                Bucket::Below(key) => self.below.entry(key).or_default().push(id),
                Bucket::Tried(key) => self.tried.entry(key).or_default().push(place),
                Bucket::Anywhere(key) => self.anywhere.entry(key).or_default().push(place),
            }
        }
        for glob in patterns.read.iter().flatten() {
            let atoms = self.directories.entry(glob.directory().to_owned()).or_default();
            *atoms.entry(id).or_default() += 1;
        }
        self.atoms.insert(id, Arc::new(patterns));
    }

    fn forget(&mut self, id: Id) {
        let Some(patterns) = self.atoms.remove(&id) else {
            return;
        };
        for (bucket, _) in patterns.places(id) {
            match bucket {
                Bucket::Exact(key) => drop_of(&mut self.exact, key, |known| *known != id),
                Bucket::Below(key) => drop_of(&mut self.below, key, |known| *known != id),
                Bucket::Tried(key) => drop_of(&mut self.tried, key, |place| place.atom != id),
                Bucket::Anywhere(key) => drop_of(&mut self.anywhere, key, |place| place.atom != id),
            }
        }
        for glob in patterns.read.iter().flatten() {
            if let Some(atoms) = self.directories.get_mut(glob.directory()) {
                atoms.remove(&id);
                if atoms.is_empty() {
                    self.directories.remove(glob.directory());
                }
            }
        }
    }
}

fn drop_of<T>(buckets: &mut HashMap<String, Vec<T>>, key: String, stays: impl Fn(&T) -> bool) {
    if let Some(bucket) = buckets.get_mut(&key) {
        bucket.retain(stays);
        if bucket.is_empty() {
            buckets.remove(&key);
        }
    }
}

/// The directories that a path is in, the nearest first; the last is the root, which has no name.
fn directories(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let path = rest.filter(|path| !path.is_empty())?;
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        rest = Some(directory);
        Some(directory)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::paths::normal;
    use crate::testing::numbered;

    fn index(atoms: &[(u64, &[&str])]) -> PatternIndex {
        let mut index = PatternIndex::default();
        let atoms = atoms.iter().map(|(id, patterns)| {
            let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            (numbered(*id), patterns)
        });
        index.apply(atoms.collect(), &[]);
        index
    }

    fn ids(ids: &[u64]) -> Vec<Id> {
        ids.iter().map(|id| numbered(*id)).collect()
    }

    #[test]
    fn g21_a_file_may_belong_to_several_atoms() {
        let index = index(&[
            (1, &["src/payments/gateway/**", "src/payments/stripe-*.ts"]),
            (2, &["src/**"]),
            (3, &["**/*.ts", "src/payments/stripe-a.ts"]),
            (4, &["src/shared/email-client.ts"]),
            (5, &["src/*"]),
        ]);
        assert_eq!(index.matches("src/payments/stripe-a.ts"), ids(&[1, 2, 3]));
        assert_eq!(index.matches("src/payments/gateway/x/y"), ids(&[1, 2]));
        assert_eq!(index.matches("src/shared/email-client.ts"), ids(&[2, 3, 4]));
        assert_eq!(index.matches("src/a"), ids(&[2, 5]));
        assert_eq!(index.matches("src"), ids(&[]));
        assert_eq!(index.matching(numbered(3), "src/payments/stripe-a.ts"), Some("**/*.ts"));
        assert_eq!(index.matching(numbered(1), "src/a"), None);
    }

    #[test]
    fn paths_out_of_the_tree_are_covered_by_nothing() {
        let index = index(&[(1, &["**"]), (2, &["**/*.ts"])]);
        for path in ["/etc/a.ts", "../a.ts", "a/../b.ts", "C:/a.ts", ""] {
            assert_eq!(index.matches(path), ids(&[]), "{path}");
            assert!(!index.covers(numbered(1), path), "{path}");
        }
        assert!(index.covers(numbered(1), "a.ts"));
    }

    #[test]
    fn patterns_that_cannot_be_read_match_nothing_and_stay() {
        let index = index(&[(1, &["src/[", "src/a"])]);
        assert_eq!(index.patterns(numbered(1)), ["src/[", "src/a"]);
        assert_eq!(index.matches("src/["), ids(&[]));
        assert_eq!(index.matches("src/a"), ids(&[1]));
    }

    #[test]
    fn the_nearest_atoms_are_in_the_deepest_directory() {
        let index = index(&[
            (1, &["src/payments/webhook-*.ts"]),
            (2, &["src/payments/gateway/**"]),
            (3, &["src/shared/retry.ts"]),
            (4, &["**/*.md"]),
        ]);
        let payments = "src/payments";
        let nearest = |path: &str| index.nearest(path);
        assert_eq!(
            nearest("src/payments/new.ts"),
            [(numbered(1), payments), (numbered(2), "src/payments/gateway")]
        );
        assert_eq!(nearest("src/payments/gateway"), nearest("src/payments/new.ts"));
        assert_eq!(
            nearest("src/payments/gateway/x"),
            [(numbered(2), "src/payments/gateway")]
        );
        assert_eq!(nearest("src/other/deep/x").len(), 3);
        assert_eq!(nearest("docs/x"), []);
        assert_eq!(nearest("x"), []);
    }

    fn pattern() -> impl Strategy<Value = String> {
        let segment = prop_oneof![
            5 => "[ab.]{1,2}",
            2 => Just("**".to_owned()),
            2 => Just("*".to_owned()),
            1 => Just("[id]".to_owned()),
            1 => Just("*.b".to_owned()),
            1 => Just("{a,b}".to_owned()),
            1 => "[ab.\\[\\]{}*?,]{1,5}",
        ];
        let whole = proptest::collection::vec(segment, 1..4).prop_map(|segments| segments.join("/"));
        whole.prop_map(|text| normal::pattern(&text))
    }

    fn path() -> impl Strategy<Value = String> {
        let segment = prop_oneof![6 => "[abid.]{1,2}", 1 => Just("[id]".to_owned())];
        let whole = proptest::collection::vec(segment, 1..5).prop_map(|segments| segments.join("/"));
        whole.prop_map(|text| normal::path(&text))
    }

    #[derive(Clone, Debug)]
    enum Change {
        Put(u64, Vec<String>),
        Remove(u64),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            4 => (0_u64..8, proptest::collection::vec(pattern(), 1..4)).prop_map(|(id, patterns)| Change::Put(id, patterns)),
            1 => (0_u64..8).prop_map(Change::Remove),
        ]
    }

    proptest! {
        #![proptest_config(lore_testing::cases(600))]

        #[test]
        fn e24_asking_the_index_is_trying_every_pattern(
            changes in proptest::collection::vec(change(), 1..16),
            asked in proptest::collection::vec(path(), 1..8),
        ) {
            let mut index = PatternIndex::default();
            let mut plain: BTreeMap<Id, Vec<String>> = BTreeMap::new();
            for change in changes {
                match change {
                    Change::Put(id, patterns) => {
                        plain.insert(numbered(id), patterns.clone());
                        index.apply(vec![(numbered(id), patterns)], &[]);
                    }
                    Change::Remove(id) => {
                        plain.remove(&numbered(id));
                        index.apply(Vec::new(), &[numbered(id)]);
                    }
                }
            }
            prop_assert_eq!(index.len(), plain.len());
            for path in asked {
                let tried = plain.iter().filter(|(_, patterns)| {
                    let mut read = patterns.iter().filter_map(|pattern| Glob::new(pattern).ok());
                    is_inside(&path) && read.any(|glob| glob.matches(&path))
                });
                let tried: Vec<Id> = tried.map(|(id, _)| *id).collect();
                prop_assert_eq!(index.matches(&path), tried, "{}", path);
            }
            index.apply(Vec::new(), &plain.keys().copied().collect::<Vec<_>>());
            prop_assert!(index.exact.is_empty() && index.below.is_empty() && index.tried.is_empty());
            prop_assert!(index.anywhere.is_empty() && index.directories.is_empty() && index.is_empty());
        }
    }
}
