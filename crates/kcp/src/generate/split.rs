//! Instructions in several files, each for the paths that it is about (clause G4).

use std::collections::{BTreeMap, HashSet};

use super::SplitBy;
use super::digest_mark::MARK_LINE;
use super::escape::is_glob_word;
use super::instructions::{ending, table};
use super::units::{ListedUnit, rank};
use crate::model::Manifest;
use crate::vocabulary::{Scope, Vocabulary};
use lore_base::yaml::write::double_quoted;

/// The globs of one file, at most.
const GLOBS: usize = 5;

/// The files by name, without their directory.
pub(super) fn split(manifest: &Manifest, units: &[ListedUnit<'_>], by: SplitBy) -> Vec<(String, String)> {
    let mut groups: BTreeMap<(u8, String), Vec<ListedUnit<'_>>> = BTreeMap::new();
    for unit in units {
        let key = match by {
            SplitBy::Directory => {
                let first = unit.directory().and_then(|directory| directory.split('/').next());
                (0, first.unwrap_or("root").to_owned())
            }
            SplitBy::Scope => (rank(unit.scope), unit.scope.word().to_owned()),
            SplitBy::Unit => (0, unit.id.to_owned()),
            SplitBy::None => (0, "all".to_owned()),
        };
        groups.entry(key).or_default().push(unit.clone());
    }
    let mut names = HashSet::new();
    let files = groups.into_iter().map(|((_, group), units)| {
        let name = format!("{}.instructions.md", file_name(&group, &mut names));
        (name, file(manifest, &group, &units, by))
    });
    files.collect()
}

fn file(manifest: &Manifest, group: &str, units: &[ListedUnit<'_>], by: SplitBy) -> String {
    format!(
        "---\napplyTo: {}\n---\n\n{MARK_LINE}\n\n# {}\n\n{}{}",
        double_quoted(&globs(units, by).join(",")),
        super::escape::prose(group),
        table(units),
        ending(manifest, units, 0)
    )
}

/// The paths that a group is about.
fn globs(units: &[ListedUnit<'_>], by: SplitBy) -> Vec<String> {
    let mut globs: Vec<String> = Vec::new();
    let mut push = |glob: String| {
        if globs.len() < GLOBS && !globs.contains(&glob) {
            globs.push(glob);
        }
    };
    let scope = units.first().map(|unit| unit.scope).filter(|_| by == SplitBy::Scope);
    match scope {
        Some(Scope::Global) => return vec!["**".to_owned()],
        Some(Scope::Project) => return vec!["src/**".to_owned()],
        Some(Scope::Module) | None => {}
    }
    let is_plain = |directory: &&str| directory.split('/').all(is_glob_word);
    for directory in units.iter().filter_map(ListedUnit::directory).filter(is_plain) {
        push(format!("{directory}/**"));
    }
    if scope.is_none() {
        for trigger in units
            .iter()
            .flat_map(|unit| &unit.triggers)
            .filter(|word| is_glob_word(word))
        {
            push(format!("**/*{trigger}*"));
        }
    }
    if globs.is_empty() { vec!["**".to_owned()] } else { globs }
}

/// A name for a file that no system takes for something else, and that no other group has.
fn file_name(group: &str, taken: &mut HashSet<String>) -> String {
    const RESERVED: &[&str] = &[
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "lpt1", "lpt2", "lpt3",
    ];
    let name: String = group
        .chars()
        .map(|letter| match letter {
            letter if letter.is_ascii_alphanumeric() || letter == '_' => letter,
            _ => '-',
        })
        .take(80)
        .collect();
    let name = match name.trim_matches('-') {
        "" => "group".to_owned(),
        name if RESERVED.contains(&name.to_ascii_lowercase().as_str()) => format!("group-{name}"),
        name => name.to_owned(),
    };
    let mut free = name.clone();
    let mut number = 2;
    // Some systems take large and small letters for the same.
    while !taken.insert(free.to_ascii_lowercase()) {
        free = format!("{name}-{number}");
        number += 1;
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g4_groups_have_names_that_every_system_takes() {
        let mut taken = HashSet::new();
        let names: Vec<String> = ["docs", "a.b", "a-b", "A-B", "..", "CON", "x/y z", "日本"]
            .map(|group| file_name(group, &mut taken))
            .into();
        assert_eq!(
            names,
            [
                "docs",
                "a-b",
                "a-b-2",
                "A-B-3",
                "group",
                "group-CON",
                "x-y-z",
                "group-2"
            ]
        );
    }
}
