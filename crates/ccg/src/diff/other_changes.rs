//! What changed without a name changing: files that went to another directory, and bodies that were edited.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::inventory::Inventory;
use super::matching::{Pairs, bodies};

/// Changes without a change of a name
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct OtherChanges {
    /// Directories whose files moved, where the names of modules stayed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved_files: Vec<MovedFiles>,
    /// Symbols with a changed body and an unchanged declaration, by their qualified names in the target
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edited: Vec<String>,
}

/// Files that moved from one directory to another
#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct MovedFiles {
    /// The old directory
    pub from: String,
    /// The new directory
    pub to: String,
    /// Number of files
    pub files: usize,
}

impl OtherChanges {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.moved_files.is_empty() && self.edited.is_empty()
    }

    pub(super) fn of(base: &Inventory<'_>, target: &Inventory<'_>, pairs: &Pairs) -> Self {
        Self {
            moved_files: moved_files(base, target, pairs),
            edited: edited(base, target, pairs),
        }
    }
}

fn moved_files(base: &Inventory<'_>, target: &Inventory<'_>, pairs: &Pairs) -> Vec<MovedFiles> {
    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (module, paired) in base.modules.iter().zip(&pairs.modules) {
        let Some(other) = paired.map(|paired| &target.modules[paired as usize]) else {
            continue;
        };
        if let ([old], [new]) = (&module.files[..], &other.files[..])
            && module.name == other.name
            && old != new
        {
            *found.entry(directories(old, new)).or_default() += 1;
        }
    }
    let rows = found.into_iter();
    rows.map(|((from, to), files)| MovedFiles { from, to, files }).collect()
}

/// The directories of one file before and after, up to the outermost that is called the same in both.
fn directories(old: &str, new: &str) -> (String, String) {
    let parts = |path: &str| -> Vec<String> {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        directory
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (mut left, mut right) = (parts(old), parts(new));
    let same = left.iter().rev().zip(right.iter().rev());
    let same = same.take_while(|(one, other)| one == other).count().saturating_sub(1);
    left.truncate(left.len() - same);
    right.truncate(right.len() - same);
    let shown = |parts: Vec<String>| {
        if parts.is_empty() {
            "./".to_owned()
        } else {
            format!("{}/", parts.join("/"))
        }
    };
    (shown(left), shown(right))
}

/// Symbols without members of their own that say something else with the same declaration, where the text of both sides is at hand.
fn edited(base: &Inventory<'_>, target: &Inventory<'_>, pairs: &Pairs) -> Vec<String> {
    if !base.has_source() || !target.has_source() {
        return Vec::new();
    }
    let is_changed = |module: Option<u32>| {
        let module = module.map(|module| module as usize);
        let other = module.and_then(|module| pairs.modules[module]);
        let content = module.and_then(|module| base.modules[module].content);
        let after = other.and_then(|other| target.modules[other as usize].content);
        other.is_none() || content.is_none() || content != after
    };
    let holders: HashSet<u32> = base.symbols.iter().filter_map(|symbol| symbol.parent).collect();
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for (number, (symbol, paired)) in (0u32..).zip(base.symbols.iter().zip(&pairs.symbols)) {
        let Some(other) = *paired else { continue };
        let same = symbol.compared && symbol.signature == target.symbols[other as usize].signature;
        if same && !symbol.kind.is_type() && !holders.contains(&number) && is_changed(symbol.module) {
            rows.push((number, other));
        }
    }
    let (left, right): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
    let (left, right) = (bodies(base, &left, true), bodies(target, &right, true));
    let differs = |(number, other): &(u32, u32)| match (left.get(number), right.get(other)) {
        (Some(one), Some(two)) => one.digest != two.digest,
        _ => false,
    };
    let names = rows.iter().filter(|row| differs(row));
    let names: BTreeSet<String> = names
        .map(|(_, other)| target.symbols[*other as usize].qualified.to_string())
        .collect();
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::directories;

    #[test]
    fn d1_a_package_that_moved_is_told_as_one() {
        for (old, new, from, to) in [
            ("requests/api.py", "src/requests/api.py", "requests/", "src/requests/"),
            (
                "requests/sub/x.py",
                "src/requests/sub/x.py",
                "requests/",
                "src/requests/",
            ),
            ("a.py", "src/a.py", "./", "src/"),
            ("lib/a.py", "src/a.py", "lib/", "src/"),
        ] {
            assert_eq!(directories(old, new), (from.to_owned(), to.to_owned()), "{old}");
        }
    }
}
