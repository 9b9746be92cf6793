//! Whether the changes of a diff are there: each one, by the names in it.
//!
//! Names mean what `lore ccg diff` writes: qualified names, where `f#2` is the second definition of `f`. In a diff that was written by hand (its target is
//! `ccg:refactor/…`) a name may be only the end of one, as long as it means one symbol.

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::diff::{Diff, Inventory, SEPARATORS, SymbolEntry};

/// How many names are listed where one means several.
const MOST_NAMES: usize = 5;

/// One change of a diff, and whether the tree has it
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct CheckedChange {
    /// The kind of change, as its path in the document: `symbols.renamed`
    pub kind: &'static str,
    /// The change, as in the document
    pub change: serde_json::Value,
    /// Whether the tree has the change
    pub applied: bool,
    /// The reason why not
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The file that shows the reason
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The 1-based line
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What could not be checked
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The file in which it would stand, where nothing shows it
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) beside: Option<String>,
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

/// What a change says of the base: that something was there.
enum Was<'d> {
    /// It says nothing.
    Open,
    Module(&'d str),
    Symbol(&'d str),
    Within(&'d str, &'d str),
    Dependency(&'d str, &'d str),
}

/// Checks every change of a diff, in the order of the document. What it says of the base is checked where there is one, and noted where there is none.
pub fn applied(inventory: &Inventory<'_>, base: Option<&Inventory<'_>>, diff: &Diff) -> Vec<CheckedChange> {
    let names = Names::of(inventory, diff.is_planned());
    let base = base.map(|base| Names::of(base, diff.is_planned()));
    let mut found = Vec::new();
    let mut add = |kind: &'static str,
                   change: serde_json::Value,
                   was: Was<'_>,
                   beside: Option<String>,
                   outcome: Result<(), Missing>| {
        let was_there = base.as_ref().map(|base| base.had(&was));
        let outcome = outcome.and(was_there.clone().unwrap_or(Ok(())).map_err(Missing::new));
        let note = match (&outcome, was_there, was.said()) {
            (Ok(()), None, Some(name)) => Some(format!(
                "it is unknown whether the base had {name}: the base is not available"
            )),
            _ => None,
        };
        let missing = outcome.err();
        let place = missing.as_ref().and_then(|missing| missing.place.clone());
        found.push(CheckedChange {
            kind,
            change,
            applied: missing.is_none(),
            path: place.as_ref().map(|(path, _)| path.clone()),
            line: place.and_then(|(_, line)| line),
            reason: missing.map(|missing| missing.reason),
            note,
            beside,
        });
    };
    let written = |path: &str| Some(path.to_owned()).filter(|path| !path.is_empty());
    let modules = &diff.changes.modules;
    for row in &modules.added {
        let outcome = names.has_module(&row.name);
        add("modules.added", json!(row), Was::Open, written(&row.path), outcome);
    }
    for row in &modules.removed {
        let outcome = names.lacks_module(&row.name);
        let was = Was::Module(&row.name);
        add("modules.removed", json!(row), was, written(&row.path), outcome);
    }
    for row in &modules.renamed {
        let outcome = names.has_module(&row.new).and_then(|()| names.lacks_module(&row.old));
        let beside = names.file_for(&row.old);
        add("modules.renamed", json!(row), Was::Module(&row.old), beside, outcome);
    }
    let symbols = &diff.changes.symbols;
    for row in &symbols.moved {
        let outcome = names.is_moved(&row.symbol, &row.from, &row.to);
        let beside = names.file_for(&row.to).or_else(|| names.file_for(&row.from));
        let was = Was::Within(&row.symbol, &row.from);
        add("symbols.moved", json!(row), was, beside, outcome);
    }
    for row in &symbols.renamed {
        let outcome = names
            .has_symbol(&row.new)
            .and_then(|()| names.lacks_symbol(&row.old, Some(&row.new)));
        let beside = names.file_for(&row.new).or_else(|| names.file_for(&row.old));
        add("symbols.renamed", json!(row), Was::Symbol(&row.old), beside, outcome);
    }
    for name in &symbols.added {
        let outcome = names.has_symbol(name);
        add("symbols.added", json!(name), Was::Open, names.file_for(name), outcome);
    }
    for name in &symbols.removed {
        let outcome = names.lacks_symbol(name, None);
        let beside = names.file_for(name);
        add("symbols.removed", json!(name), Was::Symbol(name), beside, outcome);
    }
    let dependencies = &diff.changes.dependencies;
    for row in &dependencies.added {
        let outcome = if names.depends(&row.from, &row.to) {
            Ok(())
        } else {
            Err(Missing::new(format!("{} does not depend on {}", row.from, row.to)))
        };
        let beside = names.file_for(&row.from);
        add("dependencies.added", json!(row), Was::Open, beside, outcome);
    }
    for row in &dependencies.removed {
        let outcome = names.lacks_dependency(&row.from, &row.to);
        let beside = names.file_for(&row.from);
        let was = Was::Dependency(&row.from, &row.to);
        add("dependencies.removed", json!(row), was, beside, outcome);
    }
    found
}

impl Was<'_> {
    /// What should have been there.
    fn said(&self) -> Option<String> {
        match self {
            Self::Open => None,
            Self::Module(name) => Some(format!("the module {name}")),
            Self::Symbol(name) => Some((*name).to_owned()),
            Self::Within(symbol, module) => Some(format!("{symbol} in {module}")),
            Self::Dependency(from, to) => Some(format!("{from} -> {to}")),
        }
    }
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

    /// Whether something was there, seen from the base.
    fn had(&self, was: &Was<'_>) -> Result<(), String> {
        let found = match was {
            Was::Open => true,
            Was::Module(name) => self.has_module(name).is_ok(),
            Was::Symbol(name) => !self.meant(name).is_empty(),
            Was::Within(symbol, module) => !self.within(symbol, module, module).is_empty(),
            Was::Dependency(from, to) => self.depends(from, to),
        };
        match (found, was.said()) {
            (false, Some(name)) => Err(format!("the base does not have {name}")),
            _ => Ok(()),
        }
    }

    /// A file of the module that a name is, or that what it names is in.
    fn file_for(&self, name: &str) -> Option<String> {
        let (plain, _) = split_number(name);
        let mut rest = plain;
        loop {
            if let Some(module) = self.modules.get(rest).and_then(|numbers| numbers.first()) {
                let module = &self.inventory.modules[*module as usize];
                let mut inside = self.inventory.symbols.iter();
                let first = inside.find(|entry| self.inventory.module_name(entry) == &*module.name);
                let is_file = module.path.rsplit('/').next().is_some_and(|last| last.contains('.'));
                let path = match first {
                    Some(first) if !is_file => first.path.to_string(),
                    _ => module.path.to_string(),
                };
                return Some(path).filter(|path| !matches!(path.as_str(), "" | "."));
            }
            rest = rest.rsplit_once(SEPARATORS)?.0;
        }
    }

    fn has_module(&self, name: &str) -> Result<(), Missing> {
        let (plain, number) = split_number(name);
        if self.modules.get(plain).map_or(0, Vec::len) >= number {
            Ok(())
        } else {
            Err(Missing::new(format!("the module {name} is missing")))
        }
    }

    fn lacks_module(&self, name: &str) -> Result<(), Missing> {
        let (plain, number) = split_number(name);
        let modules = self.modules.get(plain).map_or(&[][..], Vec::as_slice);
        match modules.get(number - 1) {
            None => Ok(()),
            Some(module) => Err(Missing {
                reason: format!("the module {name} still exists"),
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
            0 => Err(Missing::new(format!("{name} is missing"))),
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
                Err(Missing::at(entry, format!("{} still exists", entry.qualified)))
            }
        }
    }

    fn name(&self, symbol: u32) -> &'i str {
        &self.inventory.symbols[symbol as usize].qualified
    }

    /// What a symbol is called inside of the module that it left.
    fn relative<'n>(symbol: &'n str, from: &str) -> (&'n str, usize) {
        let (plain, number) = split_number(symbol);
        let relative = plain
            .strip_prefix(from)
            .filter(|rest| rest.starts_with(SEPARATORS))
            .map_or(plain, |rest| rest.trim_start_matches(SEPARATORS));
        (relative, number)
    }

    /// The symbols of a module that are called as one that left another is.
    fn within(&self, symbol: &str, from: &str, module: &str) -> Vec<u32> {
        let (relative, _) = Self::relative(symbol, from);
        let named = self.ends.get(relative.rsplit(SEPARATORS).next().unwrap_or(relative));
        let mut found: Vec<u32> = named.into_iter().flatten().copied().collect();
        found.retain(|symbol| {
            let entry = &self.inventory.symbols[*symbol as usize];
            self.inventory.module_name(entry) == module && self.inventory.relative_name(entry) == relative
        });
        found
    }

    fn is_moved(&self, symbol: &str, from: &str, to: &str) -> Result<(), Missing> {
        let (relative, number) = Self::relative(symbol, from);
        self.has_module(to)?;
        if self.within(symbol, from, to).is_empty() {
            return Err(Missing::new(format!("{to} has no {relative}")));
        }
        match self.within(symbol, from, from).get(number - 1) {
            None => Ok(()),
            Some(left) => {
                let entry = &self.inventory.symbols[*left as usize];
                Err(Missing::at(entry, format!("{} still exists", entry.qualified)))
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
