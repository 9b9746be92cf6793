//! Makes the diff document and the review text from the pairs of matching symbols and modules.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::document::{
    AddedModule, CONTEXT, Changes, DIFF_TYPE, DependencyChanges, Diff, ModuleChanges, ModuleDependency, Moved,
    RemovedModule, Renamed, SymbolChanges,
};
use super::inventory::{Inventory, SymbolEntry};
use super::matching::{Pairs, expected_name, pair};
use super::other_changes::OtherChanges;
use super::review::{ModuleReview, Note, Review, Standing};

/// What is different between two trees: the document, and the same for people.
pub fn compare(base: &Inventory<'_>, target: &Inventory<'_>) -> (Diff, Review) {
    let pairs = pair(base, target);
    let comparison = Comparison { base, target, pairs };
    let (symbols, notes) = comparison.symbols();
    let modules = comparison.modules();
    let dependencies = comparison.dependencies();
    let beside = OtherChanges::of(base, target, &comparison.pairs);
    let mut review = comparison.review(&modules, &symbols, &dependencies, notes);
    review.set_beside(&beside);
    let diff = Diff {
        context: CONTEXT.to_owned(),
        kind: DIFF_TYPE.to_owned(),
        base: base.name.clone(),
        target: target.name.clone(),
        changes: Changes {
            modules,
            symbols,
            dependencies,
        },
        beside,
        constraints: Vec::new(),
    };
    (diff, review)
}

/// Gives definitions of one name that are only on one side the numbers that the other side lacks.
struct Numbers<'n> {
    other: HashMap<&'n str, u32>,
    given: HashMap<&'n str, u32>,
}

impl<'n> Numbers<'n> {
    /// `names` are all on the other side, of which only those in `wanted` matter.
    fn new(wanted: &BTreeSet<&'n str>, names: impl Iterator<Item = &'n str>) -> Self {
        let mut other: HashMap<&str, u32> = HashMap::new();
        for name in names.filter(|name| wanted.contains(name)) {
            *other.entry(name).or_default() += 1;
        }
        Self {
            other,
            given: HashMap::new(),
        }
    }

    fn give(&mut self, name: &'n str) -> String {
        let given = self.given.entry(name).or_default();
        *given += 1;
        match self.other.get(name).copied().unwrap_or(0) + *given {
            1 => name.to_owned(),
            number => format!("{name}#{number}"),
        }
    }
}

struct Comparison<'i, 'b, 't> {
    base: &'i Inventory<'b>,
    target: &'i Inventory<'t>,
    pairs: Pairs,
}

/// What is reported for symbols.
#[derive(Default)]
struct Notes {
    /// By the module under which it is told: a number of the target's, or of the base's if that one is gone.
    lists: BTreeMap<(Side, u32), Vec<Note>>,
    /// By what holds them: members that are not reported one by one.
    members: HashMap<(Side, u32), usize>,
}

/// One of the two trees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Side {
    Target,
    Base,
}

impl<'i> Comparison<'i, '_, '_> {
    fn modules(&self) -> ModuleChanges {
        let mut changes = ModuleChanges::default();
        let bases = self.base.modules.iter().zip(&self.pairs.modules);
        let targets = self.target.modules.iter().zip(&self.pairs.modules_back);
        let gone: BTreeSet<&str> = bases.clone().map(|(module, _)| &*module.name).collect();
        let come: BTreeSet<&str> = targets.clone().map(|(module, _)| &*module.name).collect();
        let mut old = Numbers::new(&gone, targets.clone().map(|(module, _)| &*module.name));
        let mut new = Numbers::new(&come, bases.clone().map(|(module, _)| &*module.name));
        for (module, paired) in bases {
            match paired.map(|paired| &self.target.modules[paired as usize]) {
                None => changes.removed.push(RemovedModule {
                    name: old.give(&module.name),
                    path: module.path.to_string(),
                }),
                Some(other) if other.name != module.name => changes.renamed.push(Renamed {
                    old: old.give(&module.name),
                    new: new.give(&other.name),
                }),
                Some(_) => {}
            }
        }
        for (module, paired) in targets {
            if paired.is_none() {
                changes.added.push(AddedModule {
                    name: new.give(&module.name),
                    path: module.path.to_string(),
                    purpose: module.purpose.clone(),
                });
            }
        }
        changes.renamed.sort();
        changes
    }

    /// What became of each symbol of the base that did not stay what it was.
    fn fates(&self) -> Vec<(u32, Fate)> {
        let mut fates = Vec::new();
        for (number, (symbol, paired)) in (0u32..).zip(self.base.symbols.iter().zip(&self.pairs.symbols)) {
            if !symbol.compared {
                continue;
            }
            let Some(paired) = *paired else {
                fates.push((number, Fate::Removed));
                continue;
            };
            let other = &self.target.symbols[paired as usize];
            if other.qualified == symbol.qualified {
                continue;
            }
            // What only follows its holder is reported for the holder.
            if expected_name(self.base, self.target, &self.pairs, symbol) == other.qualified {
                continue;
            }
            let stays = self.base.relative_name(symbol) == self.target.relative_name(other);
            let module = symbol.module.and_then(|module| self.pairs.modules[module as usize]);
            let fate = if stays && symbol.module.is_some() && other.module.is_some() && module != other.module {
                Fate::Moved(paired)
            } else {
                Fate::Renamed(paired)
            };
            fates.push((number, fate));
        }
        fates
    }

    fn symbols(&self) -> (SymbolChanges, Notes) {
        let fates = self.fates();
        let added: Vec<u32> = (0u32..)
            .zip(self.target.symbols.iter().zip(&self.pairs.symbols_back))
            .filter(|(_, (symbol, paired))| symbol.compared && paired.is_none())
            .map(|(number, _)| number)
            .collect();
        let new_name = |number: u32| &*self.target.symbols[number as usize].qualified;
        let gone: BTreeSet<&str> = fates
            .iter()
            .map(|(number, _)| &*self.base.symbols[*number as usize].qualified)
            .collect();
        let come: BTreeSet<&str> = fates
            .iter()
            .filter_map(|(_, fate)| fate.target())
            .chain(added.iter().copied())
            .map(new_name)
            .collect();
        let mut old = Numbers::new(&gone, names(self.target));
        let mut new = Numbers::new(&come, names(self.base));
        let mut changes = SymbolChanges::default();
        let mut notes = Notes::default();
        for (number, fate) in &fates {
            let symbol = &self.base.symbols[*number as usize];
            let name = old.give(&symbol.qualified);
            match fate {
                Fate::Removed => {
                    self.note_removed(*number, symbol, &name, &mut notes);
                    changes.removed.push(name);
                }
                Fate::Renamed(paired) => {
                    let renamed = Renamed {
                        old: name,
                        new: new.give(new_name(*paired)),
                    };
                    self.note_at(*paired, &mut notes, |other| {
                        let in_place =
                            symbol.module.and_then(|module| self.pairs.modules[module as usize]) == other.module;
                        let names = (self.base.relative_name(symbol), self.target.relative_name(other));
                        if in_place {
                            Note::renamed(
                                symbol,
                                other,
                                (numbered(names.0, &renamed.old), numbered(names.1, &renamed.new)),
                            )
                        } else {
                            Note::renamed(symbol, other, (renamed.old.clone(), renamed.new.clone()))
                        }
                    });
                    changes.renamed.push(renamed);
                }
                Fate::Moved(paired) => {
                    // The name is taken, so that others of the same name get the next number.
                    new.give(new_name(*paired));
                    let moved = Moved {
                        symbol: name,
                        from: self.base.module_name(symbol).to_owned(),
                        to: self
                            .target
                            .module_name(&self.target.symbols[*paired as usize])
                            .to_owned(),
                    };
                    let name = numbered(self.base.relative_name(symbol), &moved.symbol);
                    self.note_at(*paired, &mut notes, |other| Note::moved(other, &name, &moved.from));
                    changes.moved.push(moved);
                }
            }
        }
        for number in added {
            let name = new.give(new_name(number));
            self.note_added(number, &name, &mut notes);
            changes.added.push(name);
        }
        self.note_declarations(&mut notes);
        changes.moved.sort();
        changes.renamed.sort();
        changes.added.sort();
        changes.removed.sort();
        (changes, notes)
    }

    fn note_at(&self, number: u32, notes: &mut Notes, make: impl Fn(&SymbolEntry<'_>) -> Note) {
        let symbol = &self.target.symbols[number as usize];
        if let Some(module) = symbol.module {
            notes
                .lists
                .entry((Side::Target, module))
                .or_default()
                .push(make(symbol));
        }
    }

    /// Members of what is new are counted, not listed.
    fn note_added(&self, number: u32, name: &str, notes: &mut Notes) {
        let symbol = &self.target.symbols[number as usize];
        let Some(module) = symbol.module else { return };
        let is_open = |number: u32| {
            self.target.symbols[number as usize].compared && self.pairs.symbols_back[number as usize].is_none()
        };
        if symbol.parent.is_some_and(is_open) {
            let holder = outermost(self.target, number, is_open);
            *notes.members.entry((Side::Target, holder)).or_default() += 1;
            return;
        }
        let note = Note::added(number, symbol, numbered(self.target.relative_name(symbol), name));
        notes.lists.entry((Side::Target, module)).or_default().push(note);
    }

    fn note_removed(&self, number: u32, symbol: &SymbolEntry<'_>, name: &str, notes: &mut Notes) {
        let Some(module) = symbol.module else { return };
        let key = match self.pairs.modules[module as usize] {
            Some(paired) => (Side::Target, paired),
            None => (Side::Base, module),
        };
        let is_open =
            |number: u32| self.base.symbols[number as usize].compared && self.pairs.symbols[number as usize].is_none();
        if symbol.parent.is_some_and(is_open) {
            let holder = outermost(self.base, number, is_open);
            *notes.members.entry((Side::Base, holder)).or_default() += 1;
            return;
        }
        let note = Note::removed(number, symbol, numbered(self.base.relative_name(symbol), name));
        notes.lists.entry(key).or_default().push(note);
    }

    /// Tells of declarations that changed although the name did not.
    fn note_declarations(&self, notes: &mut Notes) {
        for (symbol, paired) in self.base.symbols.iter().zip(&self.pairs.symbols) {
            let Some(paired) = *paired else { continue };
            let other = &self.target.symbols[paired as usize];
            let is_same = || declaration(symbol) == declaration(other);
            if symbol.compared && symbol.signature != other.signature && !is_same() {
                self.note_at(paired, notes, |other| {
                    Note::declared(symbol, other, self.target.relative_name(other))
                });
            }
        }
    }

    fn dependencies(&self) -> DependencyChanges {
        let named = |inventory: &Inventory<'_>, (from, to): (u32, u32)| {
            let name = |module: u32| inventory.modules[module as usize].name.to_string();
            ModuleDependency {
                from: name(from),
                to: name(to),
            }
        };
        let after: BTreeSet<ModuleDependency> = self
            .target
            .dependencies
            .iter()
            .map(|row| named(self.target, *row))
            .collect();
        let mut before = BTreeSet::new();
        let mut removed = BTreeSet::new();
        for row in &self.base.dependencies {
            let paired = |module: u32| self.pairs.modules[module as usize];
            let now = paired(row.0).zip(paired(row.1)).map(|pair| named(self.target, pair));
            let is_kept = now.as_ref().is_some_and(|now| after.contains(now));
            if !is_kept && !after.contains(&named(self.base, *row)) {
                removed.insert(named(self.base, *row));
            }
            before.extend(now);
        }
        DependencyChanges {
            added: after.difference(&before).cloned().collect(),
            removed: removed.into_iter().collect(),
        }
    }

    fn review(
        &self,
        modules: &ModuleChanges,
        symbols: &SymbolChanges,
        dependencies: &DependencyChanges,
        mut notes: Notes,
    ) -> Review {
        for note in notes.lists.values_mut().flatten() {
            let members = note.holder().and_then(|(is_new, number)| {
                let side = if is_new { Side::Target } else { Side::Base };
                notes.members.get(&(side, number))
            });
            note.members = members.copied().unwrap_or(0);
        }
        let mut review = Review::new(&self.base.name, &self.target.name, modules, symbols, dependencies);
        let bases = self.base.modules.iter().zip(&self.pairs.modules);
        review.set_packages(bases.map(|(module, paired)| (&*module.name, paired.is_some())));
        for (number, (module, paired)) in (0u32..).zip(self.target.modules.iter().zip(&self.pairs.modules_back)) {
            let standing = match paired.map(|paired| &self.base.modules[paired as usize]) {
                None => Standing::Added,
                Some(other) if other.name != module.name => Standing::Renamed(other.name.to_string()),
                Some(_) => Standing::Kept,
            };
            let notes = notes.lists.remove(&(Side::Target, number)).unwrap_or_default();
            review.push(ModuleReview::new(standing, module, notes));
        }
        for (number, module) in (0u32..).zip(&self.base.modules) {
            if self.pairs.modules[number as usize].is_none() {
                let notes = notes.lists.remove(&(Side::Base, number)).unwrap_or_default();
                review.push(ModuleReview::new(Standing::Removed, module, notes));
            }
        }
        review
    }
}

/// The relative name with the number of the full one.
fn numbered(relative: &str, name: &str) -> String {
    match name.rsplit_once('#') {
        Some((_, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("{relative}#{number}"),
        _ => relative.to_owned(),
    }
}

/// A declaration without its own name and without what only the layout needs: white space, quotation marks and a comma before a bracket.
fn declaration(symbol: &SymbolEntry<'_>) -> String {
    let mut plain = String::with_capacity(symbol.signature.len());
    for letter in symbol.signature.replacen(&*symbol.name, "", 1).chars() {
        match letter {
            '"' | '\'' => {}
            letter if letter.is_whitespace() => {}
            ')' | ']' | '}' => {
                if plain.ends_with(',') {
                    plain.pop();
                }
                plain.push(letter);
            }
            letter => plain.push(letter),
        }
    }
    plain
}

fn names<'i>(inventory: &'i Inventory<'_>) -> impl Iterator<Item = &'i str> {
    let compared = inventory.symbols.iter().filter(|symbol| symbol.compared);
    compared.map(|symbol| &*symbol.qualified)
}

/// The outermost of what holds a symbol and is as new or as gone as it.
fn outermost(inventory: &Inventory<'_>, number: u32, is_open: impl Fn(u32) -> bool) -> u32 {
    let up = |number: &u32| {
        inventory.symbols[*number as usize]
            .parent
            .filter(|parent| is_open(*parent))
    };
    let chain = std::iter::successors(Some(number), up);
    chain.take(64).last().unwrap_or(number)
}

/// What became of a symbol.
#[derive(Clone, Copy)]
enum Fate {
    Removed,
    Renamed(u32),
    Moved(u32),
}

impl Fate {
    fn target(self) -> Option<u32> {
        match self {
            Self::Removed => None,
            Self::Renamed(number) | Self::Moved(number) => Some(number),
        }
    }
}
