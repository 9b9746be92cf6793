//! Whether the changes of a diff are there: each one, by the names in it.
//!
//! Names mean what `lore ccg diff` writes: qualified names, where `f#2` is the second definition of `f`. In a diff that was written by hand (its target is
//! `ccg:refactor/…`) a name may be only the end of one, as long as it means one symbol.

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::ccg::diff::{Diff, Inventory, SEPARATORS, SymbolEntry};

/// How many names are listed where one means several.
const MOST_NAMES: usize = 5;

/// One change of a diff, and whether it is there
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct CheckedChange {
    /// What kind of change it is, as the path to it in the document: `symbols.renamed`
    pub kind: &'static str,
    /// The change as it stands in the document
    pub change: serde_json::Value,
    /// Whether it is there
    pub applied: bool,
    /// Why it is not
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The file that shows it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The 1-based line
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Why a change is not there, and where that can be seen.
struct Missing {
    reason: String,
    place: Option<(String, Option<u32>)>,
}

impl Missing {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            place: None,
        }
    }

    fn at(symbol: &SymbolEntry<'_>, reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            place: Some((symbol.path.to_string(), Some(symbol.line).filter(|line| *line > 0))),
        }
    }
}

/// Checks every change of a diff, in the order of the document.
pub fn applied(inventory: &Inventory<'_>, diff: &Diff) -> Vec<CheckedChange> {
    let names = Names::of(inventory, diff.is_planned());
    let mut found = Vec::new();
    let mut add = |kind: &'static str, change: serde_json::Value, outcome: Result<(), Missing>| {
        let missing = outcome.err();
        let place = missing.as_ref().and_then(|missing| missing.place.clone());
        found.push(CheckedChange {
            kind,
            change,
            applied: missing.is_none(),
            path: place.as_ref().map(|(path, _)| path.clone()),
            line: place.and_then(|(_, line)| line),
            reason: missing.map(|missing| missing.reason),
        });
    };
    let modules = &diff.changes.modules;
    for row in &modules.added {
        add("modules.added", json!(row), names.has_module(&row.name));
    }
    for row in &modules.removed {
        add("modules.removed", json!(row), names.lacks_module(&row.name));
    }
    for row in &modules.renamed {
        let outcome = names.has_module(&row.new).and_then(|()| names.lacks_module(&row.old));
        add("modules.renamed", json!(row), outcome);
    }
    let symbols = &diff.changes.symbols;
    for row in &symbols.moved {
        add(
            "symbols.moved",
            json!(row),
            names.is_moved(&row.symbol, &row.from, &row.to),
        );
    }
    for row in &symbols.renamed {
        let outcome = names
            .has_symbol(&row.new)
            .and_then(|()| names.lacks_symbol(&row.old, Some(&row.new)));
        add("symbols.renamed", json!(row), outcome);
    }
    for name in &symbols.added {
        add("symbols.added", json!(name), names.has_symbol(name));
    }
    for name in &symbols.removed {
        add("symbols.removed", json!(name), names.lacks_symbol(name, None));
    }
    let dependencies = &diff.changes.dependencies;
    for row in &dependencies.added {
        let outcome = match names.depends(&row.from, &row.to) {
            true => Ok(()),
            false => Err(Missing::new(format!("{} does not depend on {}", row.from, row.to))),
        };
        add("dependencies.added", json!(row), outcome);
    }
    for row in &dependencies.removed {
        add(
            "dependencies.removed",
            json!(row),
            names.lacks_dependency(&row.from, &row.to),
        );
    }
    found
}

/// What a tree holds, by name.
struct Names<'i> {
    inventory: &'i Inventory<'i>,
    modules: HashMap<&'i str, Vec<u32>>,
    symbols: HashMap<&'i str, Vec<u32>>,
    /// By bare name.
    ends: HashMap<&'i str, Vec<u32>>,
    dependencies: BTreeSet<(&'i str, &'i str)>,
    planned: bool,
}

/// A name without its number, and the number.
fn split_number(name: &str) -> (&str, usize) {
    match name.rsplit_once('#') {
        Some((plain, number)) if !plain.is_empty() => match number.parse() {
            Ok(number) if number > 0 => (plain, number),
            _ => (name, 1),
        },
        _ => (name, 1),
    }
}

impl<'i> Names<'i> {
    fn of(inventory: &'i Inventory<'i>, planned: bool) -> Self {
        let mut found = Self {
            inventory,
            modules: HashMap::new(),
            symbols: HashMap::new(),
            ends: HashMap::new(),
            dependencies: BTreeSet::new(),
            planned,
        };
        for (number, module) in (0u32..).zip(&inventory.modules) {
            found.modules.entry(&module.name).or_default().push(number);
        }
        for (number, symbol) in (0u32..).zip(&inventory.symbols).filter(|(_, symbol)| symbol.compared) {
            found.symbols.entry(&symbol.qualified).or_default().push(number);
            found.ends.entry(&symbol.name).or_default().push(number);
        }
        let name = |module: u32| {
            inventory
                .modules
                .get(module as usize)
                .map_or("", |module| &*module.name)
        };
        found.dependencies = inventory
            .dependencies
            .iter()
            .map(|(from, to)| (name(*from), name(*to)))
            .collect();
        found
    }

    fn has_module(&self, name: &str) -> Result<(), Missing> {
        let (plain, number) = split_number(name);
        match self.modules.get(plain).map_or(0, Vec::len) >= number {
            true => Ok(()),
            false => Err(Missing::new(format!("there is no module {name}"))),
        }
    }

    fn lacks_module(&self, name: &str) -> Result<(), Missing> {
        let (plain, number) = split_number(name);
        let modules = self.modules.get(plain).map_or(&[][..], Vec::as_slice);
        match modules.get(number - 1) {
            None => Ok(()),
            Some(module) => Err(Missing {
                reason: format!("the module {name} is still there"),
                place: Some((self.inventory.modules[*module as usize].path.to_string(), None)),
            }),
        }
    }

    /// The symbols that a name means: those that are called so, or those of a plan whose names end in it.
    fn meant(&self, name: &str) -> Vec<u32> {
        let (plain, number) = split_number(name);
        if let Some(exact) = self.symbols.get(plain) {
            return exact.iter().skip(number - 1).copied().collect();
        }
        if !self.planned {
            return Vec::new();
        }
        let last = plain.rsplit(SEPARATORS).next().unwrap_or(plain);
        let ends = self.ends.get(last).map_or(&[][..], Vec::as_slice);
        let is_meant = |symbol: &&u32| {
            let before = self.inventory.symbols[**symbol as usize].qualified.strip_suffix(plain);
            before.is_some_and(|before| before.is_empty() || before.ends_with(SEPARATORS))
        };
        ends.iter().filter(is_meant).copied().collect()
    }

    fn has_symbol(&self, name: &str) -> Result<(), Missing> {
        let meant = self.meant(name);
        let names: BTreeSet<&str> = meant.iter().map(|symbol| self.name(*symbol)).collect();
        match names.len() {
            0 => Err(Missing::new(format!("there is no {name}"))),
            1 => Ok(()),
            count => {
                let shown: Vec<&str> = names.into_iter().take(MOST_NAMES).collect();
                Err(Missing::new(format!(
                    "`{name}` means {count} symbols ({}): write the whole name",
                    shown.join(", ")
                )))
            }
        }
    }

    /// `new` is the name that it should have; what a plan calls by the end of a name only must not be taken for the old one.
    fn lacks_symbol(&self, name: &str, new: Option<&str>) -> Result<(), Missing> {
        let renamed = new.map(|new| self.meant(new)).unwrap_or_default();
        let left = self.meant(name).into_iter().find(|symbol| !renamed.contains(symbol));
        match left {
            None => Ok(()),
            Some(symbol) => {
                let entry = &self.inventory.symbols[symbol as usize];
                Err(Missing::at(entry, format!("{} is still there", entry.qualified)))
            }
        }
    }

    fn name(&self, symbol: u32) -> &'i str {
        &self.inventory.symbols[symbol as usize].qualified
    }

    fn is_moved(&self, symbol: &str, from: &str, to: &str) -> Result<(), Missing> {
        let (plain, number) = split_number(symbol);
        let relative = plain
            .strip_prefix(from)
            .filter(|rest| rest.starts_with(SEPARATORS))
            .map_or(plain, |rest| rest.trim_start_matches(SEPARATORS));
        let named = self.ends.get(relative.rsplit(SEPARATORS).next().unwrap_or(relative));
        let within = |module: &str| {
            let mut found: Vec<u32> = named.into_iter().flatten().copied().collect();
            found.retain(|symbol| {
                let entry = &self.inventory.symbols[*symbol as usize];
                self.inventory.module_name(entry) == module && self.inventory.relative_name(entry) == relative
            });
            found
        };
        self.has_module(to)?;
        if within(to).is_empty() {
            return Err(Missing::new(format!("{to} has no {relative}")));
        }
        match within(from).get(number - 1) {
            None => Ok(()),
            Some(left) => {
                let entry = &self.inventory.symbols[*left as usize];
                Err(Missing::at(entry, format!("{} is still there", entry.qualified)))
            }
        }
    }

    fn depends(&self, from: &str, to: &str) -> bool {
        self.dependencies.contains(&(from, to))
    }

    fn lacks_dependency(&self, from: &str, to: &str) -> Result<(), Missing> {
        if !self.depends(from, to) {
            return Ok(());
        }
        let number = |name: &str| self.modules.get(name).and_then(|numbers| numbers.first()).copied();
        let step = number(from).zip(number(to));
        let sites = self.inventory.dependency_sites(&step.into_iter().collect());
        let site = step.and_then(|step| sites.get(&step));
        Err(Missing {
            reason: match site {
                Some(site) => format!("{from} still depends on {to}: {}", site.what),
                None => format!("{from} still depends on {to}"),
            },
            place: site.map(|site| (site.path.clone(), Some(site.line).filter(|line| *line > 0))),
        })
    }
}
