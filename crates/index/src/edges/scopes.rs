//! What names mean by lexical scope and imports alone: definitions of the file, what imports bind, what other modules hand on.

use foldhash::HashMap;
use std::rc::Rc;

use lore_model::{Definition, ImportFlags, Modifier, NONE, SymbolKind};

use super::{Externals, is_type, is_value};
use crate::solve::{Callee, Program, Target};

/// Modules through which a name may be handed on.
const MAX_HOPS: u32 = 24;
/// Things that one name may mean.
const MAX_MEANINGS: usize = 4;
/// Imports of one scope that bind the same name and are looked at.
const MAX_BINDINGS: usize = 8;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A definition of a file.
    Definition { unit: usize, definition: u32 },
    /// A module, by its number.
    Module(usize),
    /// Something outside, by the number of its name.
    External(u32),
}

/// A name in a scope, and the row that gives it its meaning.
type Named<'s> = (u32, &'s str, u32);

/// The names of one file.
#[derive(Default)]
struct Table<'s> {
    /// The definitions by the definition around them and their name.
    definitions: Vec<Named<'s>>,
    /// The imports by the definition around them and the name that they bind or hand on.
    imports: Vec<Named<'s>>,
    /// The imports of every name of a module.
    wildcards: Vec<u32>,
    /// The names that others see, and what they are called here.
    exports: Vec<(&'s str, &'s str)>,
}

impl<'s> Table<'s> {
    fn named<'t>(rows: &'t [Named<'s>], scope: u32, name: &str) -> impl Iterator<Item = u32> + use<'t, 's> {
        let first = rows.partition_point(|row| (row.0, row.1) < (scope, name));
        let len = rows[first..].partition_point(|row| (row.0, row.1) <= (scope, name));
        rows[first..first + len].iter().map(|row| row.2)
    }
}

/// The names of a program.
pub(super) struct Scopes<'p, 's> {
    pub(super) program: &'p Program<'s>,
    tables: Vec<Table<'s>>,
    externals: Externals,
    /// What modules hand on under a name, as far as it was asked for.
    handed_on: HashMap<(usize, &'s str), Rc<[Meaning]>>,
    /// What definitions hold under a name that imports inside of them bind, as far as it was asked for.
    held: HashMap<(usize, u32, &'s str), Rc<[Meaning]>>,
    /// By file and text: the module that an import names.
    targets: HashMap<(usize, &'s str), Option<Meaning>>,
    /// By import of a file: what it names of, where that depends on where it stands; none while it is looked for.
    modules: HashMap<(usize, u32), Option<Meaning>>,
    /// Paths of imports that are being resolved, each for the sake of the one before.
    nested: u32,
}

impl<'p, 's> Scopes<'p, 's> {
    pub(super) fn new(program: &'p Program<'s>, externals: Externals) -> Self {
        let tables = program
            .units
            .iter()
            .map(|unit| {
                let facts = unit.facts;
                let mut table = Table::default();
                if unit.path.is_none() {
                    return table;
                }
                for (row, definition) in (0..).zip(facts.definitions) {
                    if definition.owner.is_empty() && !definition.is_anonymous() {
                        table
                            .definitions
                            .push((definition.parent.get(), facts.get(definition.name), row));
                    }
                }
                for (row, import) in (0..).zip(facts.imports) {
                    match facts.get(import.local) {
                        "" if import.handed_on.is_empty() => {}
                        "" => table
                            .imports
                            .push((import.scope.get(), facts.get(import.handed_on), row)),
                        "*" => table.wildcards.push(row),
                        local => table.imports.push((import.scope.get(), local, row)),
                    }
                }
                table.exports.extend(
                    facts
                        .exports
                        .iter()
                        .map(|export| (facts.get(export.name), facts.get(export.local))),
                );
                table.definitions.sort_unstable();
                table.imports.sort_unstable();
                table.exports.sort_unstable();
                table
            })
            .collect();
        Self {
            program,
            tables,
            externals,
            handed_on: HashMap::default(),
            held: HashMap::default(),
            targets: HashMap::default(),
            modules: HashMap::default(),
            nested: 0,
        }
    }

    pub(super) fn into_externals(self) -> Vec<String> {
        self.externals.names
    }

    /// The symbol of a definition; that of the module if it is none.
    pub(super) fn symbol(&self, unit: usize, definition: u32) -> u32 {
        let unit = &self.program.units[unit];
        match definition {
            NONE => unit.module_symbol,
            definition => unit.first_symbol + definition,
        }
    }

    /// A setting, such as an environment variable, which has only a name.
    pub(super) fn setting(&mut self, name: &str) -> Meaning {
        Meaning::External(self.externals.number(name.to_owned()))
    }

    /// Where an edge to something leads. A package without a file has no symbol.
    pub(super) fn callee(&self, meaning: Meaning) -> Option<Callee> {
        match meaning {
            Meaning::Definition { unit, definition } => Some(Callee::Symbol(self.symbol(unit, definition))),
            Meaning::Module(module) => {
                let unit = *self.program.modules[module].units.first()?;
                Some(Callee::Symbol(self.program.units[unit].module_symbol))
            }
            Meaning::External(external) => Some(Callee::External(external)),
        }
    }

    fn definition(&self, unit: usize, definition: u32) -> Option<&'s Definition> {
        self.program.units[unit].facts.definitions.get(definition as usize)
    }

    fn kind(&self, unit: usize, definition: u32) -> SymbolKind {
        self.definition(unit, definition)
            .map_or(SymbolKind::Module, Definition::kind)
    }

    /// What an import leads to: the module, or what it names of the module. What the module does not define by name is the module's affair.
    ///
    /// Where the module only hands on what it was given, the import leads to the module too: it is what the text names.
    pub(super) fn imported(&mut self, unit: usize, row: usize) -> Vec<Meaning> {
        let facts = self.program.units[unit].facts;
        let import = &facts.imports[row];
        let Some(module) = self.module_of(unit, row as u32) else {
            return Vec::new();
        };
        let mut found = match (module, facts.get(import.name)) {
            (module, "" | "*") => return vec![module],
            (Meaning::Module(number), name) => match self.of_module(number, name, 0).to_vec() {
                found if self.is_packaged(unit) => self.nearest(unit, found),
                found => found,
            },
            (module, name) => self.member(module, name, 0).to_vec(),
        };
        if !module.is_external() && !found.iter().any(|meaning| self.is_within(*meaning, module)) {
            found.insert(0, module);
        }
        found
    }

    /// Whether something stands in a module itself, or is a module inside of it.
    fn is_within(&self, meaning: Meaning, module: Meaning) -> bool {
        let modules = &self.program.modules;
        match (meaning, module) {
            (Meaning::Definition { unit, .. }, Meaning::Module(outer)) => self.program.units[unit].module == outer,
            (Meaning::Definition { unit, .. }, Meaning::Definition { unit: outer, .. }) => unit == outer,
            (Meaning::Module(inner), Meaning::Module(outer)) => {
                let (inner, outer) = (&modules[inner], &modules[outer]);
                let unit = outer.units.first().or(inner.units.first());
                let separator = unit.map_or(".", |unit| self.program.units[*unit].language.separator);
                let rest = inner.name.strip_prefix(outer.name.as_str());
                rest.is_some_and(|rest| rest.starts_with(separator))
            }
            _ => false,
        }
    }

    /// The constants and variables of modules that a path of names means.
    pub(super) fn constants(&mut self, unit: usize, scope: u32, path: &'s str) -> Vec<Meaning> {
        if self.is_packaged(unit) {
            let mut found = self.path(unit, scope, path, false);
            found.retain(|meaning| match meaning {
                Meaning::Definition { unit, definition } => is_value(self.kind(*unit, *definition)),
                _ => false,
            });
            found.truncate(MAX_MEANINGS);
            return found;
        }
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or(path);
        let mut found = self.lookup(unit, scope, first, true);
        for part in parts {
            if !found.iter().any(|meaning| matches!(meaning, Meaning::Module(_))) {
                break;
            }
            found = found
                .iter()
                .flat_map(|meaning| match meaning {
                    Meaning::Module(module) => {
                        let inner = self.of_module(*module, part, 0);
                        if inner.is_empty() {
                            self.whole(*module).to_vec()
                        } else {
                            inner.to_vec()
                        }
                    }
                    Meaning::Definition { .. } => vec![*meaning],
                    Meaning::External(_) => Vec::new(),
                })
                .collect();
        }
        if let [Meaning::Module(module)] = found[..] {
            found = self.whole(module).to_vec();
        }
        found.retain(|meaning| match meaning {
            Meaning::Definition { unit, definition } => self
                .definition(*unit, *definition)
                .is_some_and(|row| row.parent.get() == NONE && is_value(row.kind())),
            _ => false,
        });
        found.truncate(MAX_MEANINGS);
        found
    }

    /// The types that a path of names means.
    pub(super) fn types(&mut self, unit: usize, scope: u32, path: &'s str) -> Vec<Meaning> {
        self.types_by(unit, scope, path, false)
    }

    /// The types that a path of names means whose first is no name of a function or class around.
    pub(super) fn bases(&mut self, unit: usize, scope: u32, path: &'s str) -> Vec<Meaning> {
        self.types_by(unit, scope, path, true)
    }

    /// What a path of names means.
    fn path(&mut self, unit: usize, scope: u32, path: &'s str, of_module: bool) -> Vec<Meaning> {
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or(path);
        let mut found = self.lookup(unit, scope, first, of_module);
        if found.is_empty()
            && self.is_packaged(unit)
            && let Some((package, _)) = path.rsplit_once('.')
            && first.starts_with(char::is_lowercase)
        {
            // The whole path, beginning with the package.
            let name = &path[package.len() + 1..];
            return match self.resolve(unit, package) {
                Some(meaning) => self.member(meaning, name, 0).to_vec(),
                None => Vec::new(),
            };
        }
        for part in parts {
            found = found
                .iter()
                .flat_map(|meaning| self.member(*meaning, part, 0).to_vec())
                .collect();
        }
        found
    }

    fn types_by(&mut self, unit: usize, scope: u32, path: &'s str, of_module: bool) -> Vec<Meaning> {
        let mut found = self.path(unit, scope, path, of_module);
        found.retain(|meaning| match meaning {
            Meaning::Definition { unit, definition } => is_type(self.kind(*unit, *definition)),
            meaning => meaning.is_external(),
        });
        found.truncate(MAX_MEANINGS);
        found
    }

    /// What a name means in a scope. `of_module` leaves out what functions and classes define.
    fn lookup(&mut self, unit: usize, scope: u32, name: &'s str, of_module: bool) -> Vec<Meaning> {
        let mut around = scope;
        let mut from_function = false;
        // The members of a type that is known by its methods are no names that stand alone.
        let rules = self.program.units[unit].language.flow;
        let bare = rules.is_some_and(|rules| rules.structural);
        let packages = self.is_packaged(unit);
        while let Some(row) = self.definition(unit, around) {
            // The functions of a class do not see its names, unless the language says so.
            if packages || !((from_function || bare) && row.kind().is_type()) {
                let found = self.bound(unit, around, name, !of_module, false, 0);
                if !found.is_empty() {
                    return found;
                }
            }
            from_function = row.kind().is_callable();
            around = row.parent.get();
        }
        let reexported = self.begins_anywhere(unit);
        let mut found = self.bound(unit, NONE, name, true, reexported, 0);
        let row = &self.program.units[unit];
        if let Some(rules) = row.language.flow.filter(|rules| rules.shares_scope)
            && found.is_empty()
        {
            found = self.of_module(row.module, name, 0).to_vec();
            if found.is_empty()
                && let Some(import) = (rules.implied)(self.program, unit, name)
            {
                found.extend(self.find_module(unit, &import));
            }
        }
        let found = match found.is_empty() {
            true if packages => self.in_package(unit, name),
            true => self.through_wildcards(unit, name, 0),
            false => found,
        };
        if found.is_empty() && reexported {
            self.module_from(unit, scope, name).into_iter().collect()
        } else {
            found
        }
    }

    /// Whether paths of a file's language may begin with modules that nothing imports.
    fn begins_anywhere(&self, unit: usize) -> bool {
        let rules = self.program.units[unit].language.flow;
        rules.is_some_and(|rules| rules.paths_begin_anywhere)
    }

    /// The module that a name means by itself, in a scope.
    fn module_from(&mut self, unit: usize, scope: u32, name: &str) -> Option<Meaning> {
        let around = self.module_around(unit, scope);
        match (name, around) {
            ("self", Some(definition)) => Some(Meaning::Definition { unit, definition }),
            ("super", Some(definition)) => {
                let outer = self.definition(unit, definition)?.parent.get();
                match self.module_around(unit, outer) {
                    Some(definition) => Some(Meaning::Definition { unit, definition }),
                    None => Some(Meaning::Module(self.program.units[unit].module)),
                }
            }
            _ => self.find_module(unit, name),
        }
    }

    /// The module inside a file that a scope stands in, if it is not the file.
    fn module_around(&self, unit: usize, scope: u32) -> Option<u32> {
        let mut around = scope;
        while let Some(row) = self.definition(unit, around) {
            if row.kind() == SymbolKind::Module {
                return Some(around);
            }
            around = row.parent.get();
        }
        None
    }

    /// What the path before the last name of an import means, where it may begin with anything around.
    fn path_of_import(&mut self, unit: usize, row: u32) -> Option<Meaning> {
        if let Some(known) = self.modules.get(&(unit, row)) {
            return *known;
        }
        if self.nested >= MAX_HOPS {
            return None;
        }
        // An import that begins with the name that it binds speaks of a crate.
        self.modules.insert((unit, row), None);
        self.nested += 1;
        let found = self.find_path_of_import(unit, row);
        self.nested -= 1;
        self.modules.insert((unit, row), found);
        found
    }

    fn find_path_of_import(&mut self, unit: usize, row: u32) -> Option<Meaning> {
        let facts = self.program.units[unit].facts;
        let import = &facts.imports[row as usize];
        let scope = import.scope.get();
        let mut parts = facts.get(import.module).split("::");
        let first = parts.next().unwrap_or("");
        let mut found = if import.flags & ImportFlags::MODULE != 0 {
            self.find_module(unit, &format!("mod {first}"))
        } else {
            self.first_of_path(unit, scope, first)
        };
        for part in parts {
            found = match (found, part) {
                // `super::super`: further out, through the modules of the file.
                (Some(Meaning::Definition { definition, .. }), "super") => {
                    let around = self.definition(unit, definition).map(|row| row.parent.get());
                    match around.and_then(|outer| self.module_around(unit, outer)) {
                        Some(definition) => Some(Meaning::Definition { unit, definition }),
                        None => Some(Meaning::Module(self.program.units[unit].module)),
                    }
                }
                (Some(Meaning::Module(module)), "super") => {
                    let asked = *self.program.modules[module].units.first()?;
                    self.find_module(asked, "super")
                }
                (Some(meaning), part) => self.member(meaning, part, 1).first().copied(),
                (None, _) => None,
            };
        }
        found
    }

    /// What the first name of the path of an import means.
    fn first_of_path(&mut self, unit: usize, scope: u32, first: &'s str) -> Option<Meaning> {
        if !matches!(first, "crate" | "self" | "super") {
            let mut around = scope;
            loop {
                let bound = self.bound(unit, around, first, true, true, 1);
                let named = bound.into_iter().find(|meaning| match meaning {
                    Meaning::Definition { unit, definition } => {
                        let kind = self.kind(*unit, *definition);
                        is_type(kind) || kind == SymbolKind::Module
                    }
                    _ => true,
                });
                if named.is_some() {
                    return named;
                }
                match self.definition(unit, around) {
                    Some(row) => around = row.parent.get(),
                    None => break,
                }
            }
        }
        self.module_from(unit, scope, first)
    }

    /// Whether the files of a module see each other's names.
    fn is_packaged(&self, unit: usize) -> bool {
        self.program.units[unit]
            .language
            .flow
            .is_some_and(|rules| rules.packages)
    }

    /// What a name means that a file of a package does not bind: of the package, imported whole, or of the language.
    fn in_package(&mut self, unit: usize, name: &'s str) -> Vec<Meaning> {
        let own = self.program.units[unit].module;
        let found = self.of_module(own, name, 0).to_vec();
        if !found.is_empty() {
            return self.nearest(unit, found);
        }
        let found = self.through_wildcards(unit, name, 0);
        if !found.is_empty() {
            return self.nearest(unit, found);
        }
        let language = self.program.units[unit].language;
        let rules = language.flow;
        let builtin = rules.map_or("", |rules| rules.builtin_module);
        if rules.is_some_and(|rules| rules.builtins.contains(&name)) || self.is_in_prelude(language.name, "", name) {
            return vec![Meaning::External(self.externals.number(format!("{builtin}.{name}")))];
        }
        // Of what is imported whole from outside, the only one that can have it.
        let mut outside = Vec::new();
        for row in self.tables[unit].wildcards.clone() {
            let facts = self.program.units[unit].facts;
            let module = facts.get(facts.imports[row as usize].module);
            match self.module_of(unit, row) {
                Some(Meaning::External(_)) if self.is_in_prelude(language.name, module, name) => {
                    let path = format!("{module}.{name}");
                    return vec![Meaning::External(self.externals.number(path))];
                }
                Some(Meaning::External(_)) => outside.push(module),
                _ => {}
            }
        }
        match outside[..] {
            [only] => vec![Meaning::External(self.externals.number(format!("{only}.{name}")))],
            _ => Vec::new(),
        }
    }

    /// Whether something lies in the module that the language itself defines, where that has a name.
    pub(super) fn is_built_in(&self, unit: usize, meaning: Meaning) -> bool {
        let Meaning::External(external) = meaning else {
            return false;
        };
        let rules = self.program.units[unit].language.flow;
        rules.filter(|rules| rules.packages).is_some_and(|rules| {
            let name = &self.externals.names[external as usize];
            name.rsplit_once('.')
                .is_some_and(|(module, _)| module == rules.builtin_module)
        })
    }

    /// Whether a module of the language's own defines a name.
    fn is_in_prelude(&self, language: &'static str, module: &str, name: &str) -> bool {
        let module = self.program.module(language, &format!("<prelude>{module}"));
        let unit = module.and_then(|module| self.program.modules[module].units.first());
        unit.is_some_and(|unit| {
            let facts = self.program.units[*unit].facts;
            let mut rows = facts.definitions.iter();
            rows.any(|row| row.parent.get() == NONE && facts.get(row.name) == name)
        })
    }

    /// Of several definitions, the one whose file shares most of its path with a file.
    fn nearest(&self, unit: usize, found: Vec<Meaning>) -> Vec<Meaning> {
        let path = |unit: usize| self.program.units[unit].path.map_or("", |path| path.as_str());
        let shared = |meaning: &Meaning| match meaning {
            Meaning::Definition { unit: other, .. } => {
                let bytes = path(unit).bytes().zip(path(*other).bytes());
                bytes.take_while(|(one, other)| one == other).count()
            }
            _ => 0,
        };
        let Some(best) = found.iter().map(shared).max() else {
            return found;
        };
        found
            .into_iter()
            .filter(|meaning| shared(meaning) == best)
            .take(1)
            .collect()
    }

    /// What a name is bound to in a scope itself. What is handed on without being bound counts for `others` only.
    fn bound(
        &mut self,
        unit: usize,
        scope: u32,
        name: &'s str,
        definitions: bool,
        others: bool,
        hops: u32,
    ) -> Vec<Meaning> {
        let mut found: Vec<Meaning> = Vec::new();
        if definitions {
            // Of overloads and of definitions under conditions the first stands for all; a type and a value may share a name.
            let mut kinds: [bool; 3] = [false; 3];
            for definition in Table::named(&self.tables[unit].definitions, scope, name) {
                let kind = self.kind(unit, definition);
                let class = usize::from(is_type(kind)) + 2 * usize::from(is_value(kind));
                if !std::mem::replace(&mut kinds[class], true) {
                    found.push(Meaning::Definition { unit, definition });
                }
            }
        }
        let rows = Table::named(&self.tables[unit].imports, scope, name);
        let rows: Vec<u32> = rows.take(MAX_BINDINGS).collect();
        let facts = self.program.units[unit].facts;
        for row in rows {
            let import = &facts.imports[row as usize];
            if others || import.flags & ImportFlags::REEXPORT == 0 {
                found.extend(self.bound_by(unit, row, hops));
            }
        }
        found.dedup();
        found
    }

    /// What the name that an import binds means.
    fn bound_by(&mut self, unit: usize, row: u32, hops: u32) -> Vec<Meaning> {
        let facts = self.program.units[unit].facts;
        let import = &facts.imports[row as usize];
        let (text, local) = (facts.get(import.module), facts.get(import.local));
        match facts.get(import.name) {
            // The name of a package is bound when one of its modules is imported.
            "" if text.strip_prefix(local).is_some_and(|rest| rest.starts_with('.')) => {
                self.resolve(unit, local).into_iter().collect()
            }
            "" | "*" => self.module_of(unit, row).into_iter().collect(),
            name => match self.module_of(unit, row) {
                Some(module) => self.member(module, name, hops + 1).to_vec(),
                None => Vec::new(),
            },
        }
    }

    /// What has a name inside of something.
    fn member(&mut self, meaning: Meaning, name: &'s str, hops: u32) -> Rc<[Meaning]> {
        match meaning {
            Meaning::Module(module) => self.of_module(module, name, hops),
            Meaning::External(external) => {
                let separator = self.externals.separators.get(&external).copied().unwrap_or(".");
                let path = format!("{}{separator}{name}", self.externals.names[external as usize]);
                let number = self.externals.number(path);
                if separator != "." {
                    self.externals.separators.insert(number, separator);
                }
                Rc::new([Meaning::External(number)])
            }
            Meaning::Definition { unit, definition } => self.of_definition(unit, definition, name, hops),
        }
    }

    /// What a definition holds under a name.
    fn of_definition(&mut self, unit: usize, definition: u32, name: &'s str, hops: u32) -> Rc<[Meaning]> {
        let key = (unit, definition, name);
        if let Some(found) = self.held.get(&key) {
            return found.clone();
        }
        // An inline module can import its own names, or hand them on in a circle with others: that adds nothing.
        self.held.insert(key, Rc::new([]));
        let others = self.begins_anywhere(unit);
        let mut found = if hops < MAX_HOPS {
            self.bound(unit, definition, name, true, others, hops)
        } else {
            Vec::new()
        };
        found.truncate(MAX_MEANINGS);
        let found: Rc<[Meaning]> = found.into();
        self.held.insert(key, found.clone());
        found
    }

    /// What a module is as a whole, where it hands itself on as one value.
    fn whole(&mut self, module: usize) -> Rc<[Meaning]> {
        let unit = self.program.modules[module].units.first();
        let rules = unit.and_then(|unit| self.program.units[*unit].language.flow);
        match rules.and_then(|rules| rules.default_export) {
            Some(name) => self.of_module(module, name, 0),
            None => Rc::new([]),
        }
    }

    /// What a module hands on under a name.
    fn of_module(&mut self, module: usize, name: &'s str, hops: u32) -> Rc<[Meaning]> {
        if let Some(found) = self.handed_on.get(&(module, name)) {
            return found.clone();
        }
        // Modules that hand on each other's names in a circle add nothing.
        self.handed_on.insert((module, name), Rc::new([]));
        let mut found = if hops < MAX_HOPS {
            self.find_in_module(module, name, hops)
        } else {
            Vec::new()
        };
        found.truncate(MAX_MEANINGS);
        let found: Rc<[Meaning]> = found.into();
        self.handed_on.insert((module, name), found.clone());
        found
    }

    fn find_in_module(&mut self, module: usize, name: &'s str, hops: u32) -> Vec<Meaning> {
        let program = self.program;
        let row = &program.modules[module];
        let mut found = Vec::new();
        if row.units.first().is_some_and(|unit| self.is_packaged(*unit)) {
            for unit in row.units.iter().copied() {
                let definitions = Table::named(&self.tables[unit].definitions, NONE, name);
                found.extend(definitions.map(|definition| Meaning::Definition { unit, definition }));
            }
            return found;
        }
        for unit in row.units.iter().copied() {
            let exports = &self.tables[unit].exports;
            let first = exports.partition_point(|export| export.0 < name);
            let local = exports
                .get(first)
                .filter(|export| export.0 == name)
                .map(|export| export.1);
            if let Some(local) = local {
                found.extend(self.bound(unit, NONE, local, true, true, hops));
            }
            if found.is_empty() {
                found.extend(self.bound(unit, NONE, name, true, true, hops));
            }
            if found.is_empty() {
                found.extend(self.default_of(unit, name));
            }
        }
        if found.is_empty() {
            let separator = row
                .units
                .first()
                .map_or(".", |unit| program.units[*unit].language.separator);
            let inner = program.module(row.language, &format!("{}{separator}{name}", row.name));
            found.extend(inner.map(Meaning::Module));
        }
        if found.is_empty() {
            for unit in row.units.iter().copied() {
                found.extend(self.through_wildcards(unit, name, hops + 1));
            }
        }
        found
    }

    /// The definition that a file hands on as what it is as a whole.
    fn default_of(&self, unit: usize, name: &str) -> Option<Meaning> {
        let row = &self.program.units[unit];
        if row.language.flow?.default_export != Some(name) {
            return None;
        }
        let is_default = |definition: &Definition| {
            definition.parent.get() == NONE && definition.modifiers().contains(Modifier::Default)
        };
        let definition = row.facts.definitions.iter().position(is_default)? as u32;
        Some(Meaning::Definition { unit, definition })
    }

    /// What a name means among those that a file imports without naming them. Names of other projects may be anything.
    fn through_wildcards(&mut self, unit: usize, name: &'s str, hops: u32) -> Vec<Meaning> {
        let rows = self.tables[unit].wildcards.clone();
        let mut found = Vec::new();
        for row in rows {
            match self.module_of(unit, row) {
                Some(Meaning::Module(module)) => found.extend(self.of_module(module, name, hops).iter().copied()),
                Some(meaning @ Meaning::Definition { .. }) => {
                    found.extend(self.member(meaning, name, hops).iter().copied())
                }
                _ => {}
            }
        }
        found.dedup();
        found
    }

    /// The module that an import names.
    fn module_of(&mut self, unit: usize, row: u32) -> Option<Meaning> {
        if self.begins_anywhere(unit) {
            return self.path_of_import(unit, row);
        }
        let facts = self.program.units[unit].facts;
        self.resolve(unit, facts.get(facts.imports[row as usize].module))
    }

    /// The module that a text names in a file.
    fn resolve(&mut self, unit: usize, text: &'s str) -> Option<Meaning> {
        if let Some(target) = self.targets.get(&(unit, text)) {
            return *target;
        }
        let mut target = self.find_module(unit, text);
        if let (Some(Meaning::External(_)), Some((package, name))) = (target, text.rsplit_once('.'))
            && self.is_packaged(unit)
            && let Some(package) = self.resolve(unit, package).filter(|package| !package.is_external())
        {
            // A path may lead into a class.
            let found = self.member(package, name, 0).to_vec();
            target = self.nearest(unit, found).first().copied().or(target);
        }
        self.targets.insert((unit, text), target);
        target
    }

    fn find_module(&mut self, unit: usize, text: &str) -> Option<Meaning> {
        let rules = self.program.units[unit].language.flow?;
        match (rules.resolve)(self.program, unit, text) {
            Target::Module(module) => {
                let row = &self.program.modules[module];
                if row.prelude {
                    let name = row.name.trim_start_matches("<prelude>").to_owned();
                    Some(Meaning::External(self.externals.number(name)))
                } else {
                    Some(Meaning::Module(module))
                }
            }
            Target::External(name) => {
                let number = self.externals.number(name);
                let separator = self.program.units[unit].language.separator;
                if separator != "." {
                    self.externals.separators.insert(number, separator);
                }
                Some(Meaning::External(number))
            }
            Target::Nothing => None,
        }
    }
}
