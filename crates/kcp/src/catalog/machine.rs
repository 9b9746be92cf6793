//! Installing, step by step and without reaching for anything (clauses C4, C5, C7): what is to be read, and then what is to be written, all or nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::lock::{Lock, Locked, digest};
use super::order::order;
use super::parse::{Catalog, CatalogEntry, Problem};
use super::source::Source;
use crate::federation::Address;
use crate::finding::{Severity, shown};
use crate::parse::parse;
use crate::validate::{ValidateOptions, validate};
use lore_base::yaml::Limits;

/// What to install, and how.
#[derive(Clone, Debug, Default)]
pub struct InstallOptions {
    /// Only these, and what they depend on; all if there are none.
    pub only: Vec<String>,
    /// Whether sources that changed since they were locked are taken as they are now.
    pub update: bool,
    /// Whether edited files are replaced.
    pub force: bool,
}

/// What is to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Want {
    /// A file, from the directory of the catalog if it is relative.
    File {
        /// For which entry.
        entry: usize,
        /// Its path.
        path: String,
        /// Whether it is seen from the directory of the catalog.
        is_relative: bool,
    },
    /// A page.
    Page {
        /// For which entry.
        entry: usize,
        /// Its address.
        address: Address,
    },
}

/// What became of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It was not installed before.
    Installed,
    /// It was installed before, and is another now.
    Updated,
    /// It is as it was.
    Unchanged,
    /// It cannot be installed.
    Failed,
}

/// What is to be written.
#[derive(Debug)]
pub struct Plan {
    /// What becomes of each entry, in the order of installation.
    pub changes: Vec<(usize, Change)>,
    /// Names and contents of the manifests to write; none if anything is wrong.
    pub files: Vec<(String, Vec<u8>)>,
    /// The lock after that.
    pub lock: Lock,
    /// What is wrong, and what is to be said.
    pub problems: Vec<Problem>,
}

/// An installation on its way.
#[derive(Debug)]
pub struct Machine<'c> {
    catalog: &'c Catalog,
    options: InstallOptions,
    lock: Lock,
    /// The digests of the files that are there, by name.
    present: BTreeMap<String, String>,
    order: Vec<usize>,
    asked: bool,
    read: BTreeMap<usize, Result<Vec<u8>, String>>,
}

impl<'c> Machine<'c> {
    /// An installation. Unknown dependencies and cycles are errors here already.
    pub fn new(
        catalog: &'c Catalog,
        lock: Lock,
        present: BTreeMap<String, String>,
        options: InstallOptions,
    ) -> Result<Self, Vec<Problem>> {
        let sorted = order(catalog)?;
        let chosen = chosen(catalog, &options.only)?;
        Ok(Self {
            catalog,
            options,
            lock,
            present,
            order: sorted.into_iter().filter(|number| chosen.contains(number)).collect(),
            asked: false,
            read: BTreeMap::new(),
        })
    }

    /// What is to be read; nothing once all was asked for. All of it can be read at once.
    pub fn wants(&mut self) -> Vec<Want> {
        if std::mem::replace(&mut self.asked, true) {
            return Vec::new();
        }
        let mut wants = Vec::new();
        for (number, entry) in self.chosen_entries() {
            if self.is_done(entry) {
                continue;
            }
            match &entry.source {
                Some(Source::Relative(path)) => wants.push(Want::File {
                    entry: number,
                    path: path.clone(),
                    is_relative: true,
                }),
                Some(Source::Absolute(path)) => wants.push(Want::File {
                    entry: number,
                    path: path.clone(),
                    is_relative: false,
                }),
                Some(Source::Web(address)) => wants.push(Want::Page {
                    entry: number,
                    address: address.clone(),
                }),
                Some(Source::Git { .. }) | None => {}
            }
        }
        wants
    }

    /// Takes what was read for an entry.
    pub fn feed(&mut self, entry: usize, content: Result<Vec<u8>, String>) {
        self.read.insert(entry, content);
    }

    /// What is to be written, on a day.
    pub fn finish(mut self, today: &str) -> Plan {
        let mut plan = Plan {
            changes: Vec::new(),
            files: Vec::new(),
            lock: self.lock.clone(),
            problems: Vec::new(),
        };
        let entries: Vec<(usize, &CatalogEntry)> = self.chosen_entries().collect();
        for (number, entry) in entries {
            if self.is_done(entry) {
                plan.changes.push((number, Change::Unchanged));
                continue;
            }
            let change = self.judge(number, entry, today, &mut plan).unwrap_or_else(|message| {
                plan.problems.push(Problem {
                    severity: Severity::Error,
                    message,
                    place: entry.place,
                    entry: Some(entry.name.clone()),
                });
                Change::Failed
            });
            plan.changes.push((number, change));
        }
        if plan.problems.iter().any(|problem| problem.severity == Severity::Error) {
            plan.files.clear();
            plan.lock = self.lock;
        }
        plan
    }

    fn chosen_entries(&self) -> impl Iterator<Item = (usize, &'c CatalogEntry)> {
        self.order
            .iter()
            .filter_map(|number| Some((*number, self.catalog.entries.get(*number)?)))
    }

    /// Whether there is nothing to do: it is installed as it was locked, from the source that the catalog names.
    fn is_done(&self, entry: &CatalogEntry) -> bool {
        !self.options.update
            && self.lock.entries.get(&entry.name).is_some_and(|locked| {
                locked.source == entry.written && self.present.get(&entry.name) == Some(&locked.sha256)
            })
    }

    fn judge(&mut self, number: usize, entry: &CatalogEntry, today: &str, plan: &mut Plan) -> Result<Change, String> {
        if let Some(Source::Git { .. }) = &entry.source {
            return Err(format!(
                "`{}` comes from a git repository ({}), which Lore does not clone: clone it and name the file, or name an https address",
                entry.name,
                shown(&entry.written)
            ));
        }
        let bytes = match self.read.remove(&number) {
            Some(Ok(bytes)) => bytes,
            Some(Err(why)) => return Err(format!("the source of `{}` cannot be read: {why}", entry.name)),
            None => return Err(format!("`{}` has no source that can be read", entry.name)),
        };
        let version = check(&bytes).map_err(|why| format!("the source of `{}` {why}", entry.name))?;
        let sha256 = digest(&bytes);
        let locked = self.lock.entries.get(&entry.name);
        let present = self.present.get(&entry.name);
        if let Some(present) = present
            && locked.is_none_or(|locked| locked.sha256 != *present)
            && *present != sha256
            && !self.options.force
        {
            return Err(format!(
                "the installed `{}` was edited; --force replaces it",
                entry.name
            ));
        }
        if let Some(locked) = locked
            && !self.options.update
            && locked.source == entry.written
            && locked.sha256 != sha256
        {
            return Err(format!(
                "the source of `{}` differs from the lock; `lore unit catalog update` accepts the current source",
                entry.name
            ));
        }
        if let (Some(wanted), Some(found)) = (&entry.version, &version)
            && wanted != found
        {
            plan.problems.push(Problem {
                severity: Severity::Warning,
                message: format!(
                    "the catalog has version {} of `{}` and its source is {}",
                    shown(wanted),
                    entry.name,
                    shown(found)
                ),
                place: entry.place,
                entry: Some(entry.name.clone()),
            });
        }
        let change = match present {
            None => Change::Installed,
            Some(present) if *present == sha256 => Change::Unchanged,
            Some(_) => Change::Updated,
        };
        let installed = match locked {
            Some(locked) if locked.sha256 == sha256 => locked.installed.clone(),
            _ => today.to_owned(),
        };
        let locked = Locked {
            source: entry.written.clone(),
            version,
            sha256,
            installed,
        };
        plan.lock.entries.insert(entry.name.clone(), locked);
        if change != Change::Unchanged {
            plan.files.push((entry.name.clone(), bytes));
        }
        Ok(change)
    }
}

/// The entries with some names and all that they depend on; all entries without names.
fn chosen(catalog: &Catalog, only: &[String]) -> Result<BTreeSet<usize>, Vec<Problem>> {
    if only.is_empty() {
        return Ok((0..catalog.entries.len()).collect());
    }
    let find = |name: &str| catalog.entries.iter().position(|entry| entry.name == name);
    let mut chosen = BTreeSet::new();
    let mut next: Vec<&str> = only.iter().map(String::as_str).collect();
    while let Some(name) = next.pop() {
        let Some(number) = find(name) else {
            return Err(vec![Problem {
                severity: Severity::Error,
                message: format!("the catalog has no entry `{}`", shown(name)),
                place: catalog.document.place(catalog.document.root()),
                entry: None,
            }]);
        };
        if chosen.insert(number) {
            let needed = catalog
                .entries
                .get(number)
                .into_iter()
                .flat_map(|entry| &entry.depends_on);
            next.extend(needed.map(String::as_str));
        }
    }
    Ok(chosen)
}

/// The version of a manifest that is valid, or what is wrong with it as the end of a sentence.
pub fn check(bytes: &[u8]) -> Result<Option<String>, String> {
    let parsed = parse(bytes, &Limits::default());
    let first = |findings: &[crate::finding::Finding]| {
        let error = findings.iter().find(|finding| finding.severity == Severity::Error)?;
        Some(format!(
            "{}:{}: {}",
            error.place.line, error.place.column, error.message
        ))
    };
    let Some(manifest) = parsed.manifest else {
        return Err(format!(
            "is not a manifest: {}",
            first(&parsed.findings).unwrap_or_default()
        ));
    };
    match first(&validate(&manifest, &ValidateOptions::default())) {
        Some(why) => Err(format!("is not a valid manifest: {why}")),
        None => Ok(manifest.field(&manifest.root.version).map(str::to_owned)),
    }
}
