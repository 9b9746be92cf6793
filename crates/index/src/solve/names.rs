//! Name resolution: modules and their exports, built-ins, and external paths.

use lore_model::NONE;

use super::engine::{Engine, MAX_EXTERNAL, Way};
use super::objects::{Evidence, Object, ObjectId};
use super::{FlowRules, Target};

impl<'s> Engine<'_, 's> {
    /// The external object of a path. `unit` is the file that names it.
    pub(super) fn external(&mut self, unit: usize, path: &str) -> ObjectId {
        let number = match self.external_numbers.get(path) {
            Some(number) => *number,
            None => {
                let number = self.externals.len() as u32;
                self.externals.push(path.to_owned());
                self.external_units.push(unit);
                self.external_numbers.insert(path.to_owned(), number);
                number
            }
        };
        self.objects.number(Object::External(number))
    }

    /// The external object whose path extends another path. `None` if the path becomes too long.
    pub(super) fn below_external(&mut self, external: u32, suffix: &str) -> Option<ObjectId> {
        let path = format!("{}{suffix}", self.externals[external as usize]);
        let unit = self.external_units[external as usize];
        (path.len() <= MAX_EXTERNAL).then(|| self.external(unit, &path))
    }

    /// A member of an external object.
    pub(super) fn member_of_external(&mut self, external: u32, name: u32) -> Option<ObjectId> {
        if let Some(below) = self.below.get(&(external, name)) {
            return *below;
        }
        let language = self.program.units[self.external_units[external as usize]].language;
        let text = self.program.text(name);
        // A name in angle brackets is internal, such as a constructor. It denotes the external object itself.
        let below = if text.starts_with('<') {
            Some(self.objects.number(Object::External(external)))
        } else {
            let text = text.trim_start_matches('.').trim_end_matches("()");
            let suffix = format!("{}{text}", language.separator);
            match self.known_outside(external, &suffix) {
                Some(known) => Some(known),
                None => self.below_external(external, &suffix),
            }
        };
        self.below.insert((external, name), below);
        below
    }

    /// The prelude module or class that an external path denotes.
    fn known_outside(&mut self, external: u32, suffix: &str) -> Option<ObjectId> {
        let unit = self.external_units[external as usize];
        let language = self.program.units[unit].language;
        let path = format!("{}{suffix}", self.externals[external as usize]);
        let class = (language.flow?.outside)(&path);
        let name = class.map(|class| self.program.intern(class));
        if let Some(class) = name.and_then(|name| self.class_of_prelude(unit, name)) {
            return Some(class);
        }
        class?;
        let module = self.program.module(language.name, &format!("<prelude>{path}"))?;
        Some(self.objects.number(Object::Module(module as u32)))
    }

    /// The result of calling an external object: its path with `()`.
    pub(super) fn result_of_external(&mut self, external: u32) -> Option<ObjectId> {
        if let Some(below) = self.below.get(&(external, NONE)) {
            return *below;
        }
        let below = self.below_external(external, "()");
        self.below.insert((external, NONE), below);
        below
    }

    /// The object of the module that an import text names.
    pub(super) fn target(&mut self, unit: usize, text: &str) -> Option<ObjectId> {
        let rules = self.rules(unit)?;
        match (rules.resolve)(self.program, unit, text) {
            Target::Module(module) => {
                let asking = &self.program.units[unit];
                if !rules.packages && asking.path.is_some_and(|path| !asking.language.role(path).test) {
                    self.use_module(module);
                }
                Some(self.objects.number(Object::Module(module as u32)))
            }
            Target::External(path) => Some(self.external(unit, &path)),
            Target::Nothing => None,
        }
    }

    /// Marks the units of a module as used by code other than tests. Test files count only if the module has no others.
    fn use_module(&mut self, module: usize) {
        let units = &self.program.modules[module].units;
        let is_test = |unit: &usize| {
            let row = &self.program.units[*unit];
            row.path.is_some_and(|path| row.language.role(path).test)
        };
        let all_tests = units.iter().all(is_test);
        let used = units.iter().filter(|unit| all_tests || !is_test(unit));
        self.used.extend(used.copied());
    }

    pub(super) fn import(&mut self, unit: usize, to: u32, module: u32, member: u32) {
        let text = self.program.text(module).to_owned();
        let Some(object) = self.target(unit, &text) else {
            return;
        };
        match member {
            NONE => match self.objects.get(object) {
                // A module that exports one value is imported as that value.
                Object::Module(number) if self.whole_of(number as usize).is_some() => {
                    if let Some(slot) = self.whole_of(number as usize) {
                        self.connect(slot, to, Way::Plain);
                    }
                }
                _ => self.put(to, object, Evidence::Exact),
            },
            member => self.load_member(to, object, member, Evidence::Exact),
        }
    }

    /// The slot of the value that a module exports as a whole.
    pub(super) fn whole_of(&mut self, module: usize) -> Option<u32> {
        let units = self.program.modules.get(module)?.units.clone();
        units.into_iter().find_map(|unit| {
            let slot = *self.exports.get(&(unit, self.names.whole))?;
            let activation = self.module_activation(unit);
            Some(self.activations[activation as usize].base + slot)
        })
    }

    /// Loads a name that the file does not define. Fallback: a member of the content of slot `last`. Returns whether
    /// the language defines the name.
    pub(super) fn global(&mut self, unit: usize, to: u32, name: u32, last: u32) -> bool {
        if self.rules(unit).is_some_and(|rules| rules.packages) {
            self.global_in_package(unit, to, name, last);
            return false;
        }
        let language = self.program.units[unit].language;
        let Some(rules) = language.flow else { return false };
        // Definitions of other files of the module and built-ins hide names from wildcard imports.
        if rules.shares_scope && (self.load_shared(unit, to, name) || self.load_builtin(unit, rules, to, name)) {
            return false;
        }
        if let Some(stars) = self.stars.get(&unit).cloned() {
            for module in stars {
                self.load_member(to, module, name, Evidence::Exact);
            }
        }
        // Wildcard imports that are resolved later may also define the name.
        self.star_waiting.entry(unit).or_default().push((to, name));
        let text = self.program.text(name).to_owned();
        if let Some(import) = (rules.implied)(self.program, unit, &text)
            && let Some(object) = self.target(unit, &import)
        {
            self.put(to, object, Evidence::Exact);
            return false;
        }
        if let Some(slot) = self.prelude_export(language.name, "", name) {
            self.connect(slot, to, Way::Plain);
            return true;
        }
        if self.load_builtin(unit, rules, to, name) {
            return true;
        }
        false
    }

    /// As [`Engine::global`], for languages whose modules have several files. The order is: module, wildcard imports,
    /// built-ins.
    fn global_in_package(&mut self, unit: usize, to: u32, name: u32, last: u32) {
        let own = self.program.units[unit].module;
        if self.load_defined(to, own, name, unit) {
            return;
        }
        let stars = self.stars.get(&unit).cloned().unwrap_or_default();
        let mut outside: Vec<u32> = Vec::new();
        for star in &stars {
            match self.objects.get(*star) {
                Object::Module(module) if self.load_defined(to, module as usize, name, unit) => return,
                Object::External(external) => outside.push(external),
                _ => {}
            }
        }
        let language = self.program.units[unit].language;
        let Some(rules) = language.flow else { return };
        if let Some(slot) = self.prelude_export(language.name, "", name) {
            self.connect(slot, to, Way::Plain);
            return;
        }
        let text = self.program.text(name).to_owned();
        if rules.builtins.contains(&text.as_str()) {
            let object = self.external(unit, &format!("{}.{text}", rules.builtin_module));
            self.put(to, object, Evidence::Exact);
            return;
        }
        // An external wildcard import may define any name.
        for star in &stars {
            if let Object::Module(module) = self.objects.get(*star)
                && self.program.modules[module as usize].prelude
            {
                let path = self.program.modules[module as usize].name.clone();
                let path = self.external(unit, path.trim_start_matches("<prelude>"));
                if let Object::External(external) = self.objects.get(path) {
                    outside.push(external);
                }
            }
        }
        let object = match outside[..] {
            [] => None,
            [only] => self.member_of_external(only, name),
            _ => Some(self.external(unit, &text)),
        };
        if last != NONE {
            self.connect(last, to, Way::Member(name));
        }
        if let Some(object) = object {
            self.hint(to, object, true);
        }
    }

    /// Loads a definition of a module with several files. If several files define the name, the one whose path shares
    /// the longest prefix with the asking file counts. Returns whether there is one.
    fn load_defined(&mut self, to: u32, module: usize, name: u32, asking: usize) -> bool {
        let Some(units) = self.defined_in.get(&(module as u32, name)) else {
            return false;
        };
        let nearest = match units[..] {
            [only] => only,
            _ => {
                let path = |unit: usize| self.program.units[unit].path.map_or("", |path| path.as_str());
                let own = path(asking);
                let shared = |unit: &u32| {
                    let bytes = own.bytes().zip(path(*unit as usize).bytes());
                    bytes.take_while(|(one, other)| one == other).count()
                };
                let mut best = (0, units[0]);
                for unit in units {
                    let shared = shared(unit);
                    if shared > best.0 {
                        best = (shared, *unit);
                    }
                }
                best.1
            }
        };
        let Some(slot) = self.exports.get(&(nearest as usize, name)).copied() else {
            return false;
        };
        let unit = &self.program.units[asking];
        if unit.path.is_some_and(|path| !unit.language.role(path).test) {
            self.used.insert(nearest as usize);
        }
        let activation = self.module_activation(nearest as usize);
        let from = self.activations[activation as usize].base + slot;
        self.connect(from, to, Way::Plain);
        true
    }

    /// Loads a built-in. Returns whether the language defines the name.
    fn load_builtin(&mut self, unit: usize, rules: &FlowRules, to: u32, name: u32) -> bool {
        let text = self.program.text(name);
        if !rules.builtins.contains(&text) {
            return false;
        }
        let separator = self.program.units[unit].language.separator;
        let object = format!("{}{separator}{text}", rules.builtin_module);
        let object = self.external(unit, &object);
        self.put(to, object, Evidence::Exact);
        true
    }

    /// Loads a name from the other files of a module. Returns whether one of them defines it.
    fn load_shared(&mut self, unit: usize, to: u32, name: u32) -> bool {
        let module = self.program.units[unit].module;
        let mut found = false;
        for at in 0..self.program.modules[module].units.len() {
            let other = self.program.modules[module].units[at];
            if other != unit
                && let Some(slot) = self.exports.get(&(other, name)).copied()
            {
                let activation = self.module_activation(other);
                let from = self.activations[activation as usize].base + slot;
                self.connect(from, to, Way::Plain);
                found = true;
            }
        }
        found
    }

    /// The slot of an export of a prelude module.
    pub(super) fn prelude_export(&mut self, language: &'static str, module: &str, name: u32) -> Option<u32> {
        let number = self.program.module(language, &format!("<prelude>{module}"))?;
        let unit = *self.program.modules[number].units.first()?;
        let slot = *self.exports.get(&(unit, name))?;
        let activation = self.module_activation(unit);
        Some(self.activations[activation as usize].base + slot)
    }

    /// Registers the closed classes and the wrappers of all preludes.
    pub(super) fn close_classes(&mut self) {
        let preludes: Vec<usize> = (0..self.program.units.len())
            .filter(|unit| self.is_prelude(*unit))
            .collect();
        for unit in preludes {
            let Some(rules) = self.rules(unit) else { continue };
            for class in rules.closed {
                if let Some(object) = self.built_in_class(unit, class) {
                    self.closed.insert(object);
                }
            }
            for class in rules.wrappers {
                if let Some(object) = self.built_in_class(unit, class) {
                    self.wrappers.insert(object);
                }
            }
        }
    }

    /// A built-in class by name.
    pub(super) fn built_in_class(&mut self, unit: usize, class: &'static str) -> Option<ObjectId> {
        let name = self.program.rule_name(class);
        self.class_of_prelude(unit, name)
    }

    /// A prelude class by the number of its name.
    pub(super) fn class_of_prelude(&mut self, unit: usize, name: u32) -> Option<ObjectId> {
        let language = self.program.units[unit].language.name;
        let key = (language.as_ptr() as usize, name);
        if let Some(class) = self.prelude_classes.get(&key) {
            return Some(*class);
        }
        // The unnamed prelude comes first.
        let preludes = self
            .program
            .modules
            .iter()
            .filter(|module| module.prelude && module.language == language)
            .filter_map(|module| module.units.first().copied());
        let (prelude, class) = preludes
            .flat_map(|prelude| {
                let count = self.program.units[prelude].facts.flow.classes.len() as u32;
                (0..count).map(move |row| (prelude, row))
            })
            .map(|(prelude, row)| (prelude, self.program.global_class(prelude, row)))
            .find(|(_, class)| self.program.built_in_name(*class) == self.program.text(name))?;
        let maker = self.module_activation(prelude);
        let object = self.objects.number(Object::Class { class, maker });
        self.prelude_classes.insert(key, object);
        Some(object)
    }

    /// A value of a built-in class for an allocation site.
    pub(super) fn built_in(&mut self, unit: usize, class: &'static str, site: (u32, u32)) -> Option<ObjectId> {
        let class = self.built_in_class(unit, class)?;
        Some(self.made_at(class, site))
    }

    /// As [`Engine::built_in`], with the number of the class name.
    pub(super) fn built_in_named(&mut self, unit: usize, class: u32, site: (u32, u32)) -> Option<ObjectId> {
        let class = self.class_of_prelude(unit, class)?;
        Some(self.made_at(class, site))
    }

    fn made_at(&mut self, class: ObjectId, site: (u32, u32)) -> ObjectId {
        let next = self.sites.len() as u32 + 1;
        let site = *self.sites.entry(site).or_insert(next);
        self.objects.number(Object::Instance { class, site })
    }

    /// Fallback for a member of a package: its submodule of that name. A package that imports a submodule of its own has a
    /// variable of that name, and nothing but the package itself says what the variable holds.
    fn hint_submodule(&mut self, to: u32, module: usize, name: u32) {
        let row = &self.program.modules[module];
        let separator = row
            .units
            .first()
            .map_or(".", |unit| self.program.units[*unit].language.separator);
        let path = format!("{}{separator}{}", row.name, self.program.text(name));
        if let Some(inner) = self.program.module(row.language, &path)
            && inner != module
        {
            let object = self.objects.number(Object::Module(inner as u32));
            self.hint(to, object, true);
        }
    }

    pub(super) fn load_export(&mut self, to: u32, module: usize, name: u32, evidence: Evidence) {
        let Some(row) = self.program.modules.get(module) else {
            return;
        };
        let (count, language, prelude) = (row.units.len(), row.language, row.prelude);
        let packages = row
            .units
            .first()
            .and_then(|unit| self.rules(*unit))
            .is_some_and(|rules| rules.packages);
        if packages {
            let asking = self.activations.get(self.slots[to as usize].activation as usize);
            let asking = asking.map_or(0, |row| self.program.unit_of_body(row.body));
            if self.load_defined(to, module, name, asking) {
                return;
            }
        }
        let mut found = false;
        for at in 0..count {
            if packages {
                break;
            }
            let unit = &self.program.modules[module].units[at];
            if let Some(slot) = self.exports.get(&(*unit, name)).copied() {
                let activation = self.module_activation(*unit);
                let from = self.activations[activation as usize].base + slot;
                self.connect(
                    from,
                    to,
                    if evidence == Evidence::Flow {
                        Way::Crossed
                    } else {
                        Way::Plain
                    },
                );
                found = true;
            }
        }
        if found {
            self.hint_submodule(to, module, name);
            return;
        }
        let (path, units) = (
            self.program.modules[module].name.clone(),
            self.program.modules[module].units.clone(),
        );
        let text = self.program.text(name).to_owned();
        let default = self.program.units.get(units.first().copied().unwrap_or(0));
        let default = default.and_then(|unit| unit.language.flow?.default_export);
        if prelude && default == Some(text.as_str()) {
            // A prelude module is its own default export.
            let object = self.objects.number(Object::Module(module as u32));
            self.put(to, object, evidence);
            return;
        }
        let first = units.first().copied().unwrap_or(0);
        let separator = self
            .program
            .units
            .get(first)
            .map_or(".", |unit| unit.language.separator);
        if prelude {
            let plain = path.trim_start_matches("<prelude>");
            let object = self.external(first, &format!("{plain}{separator}{text}"));
            self.put(to, object, evidence);
            return;
        }
        if let Some(inner) = self.program.module(language, &format!("{path}{separator}{text}")) {
            let object = self.objects.number(Object::Module(inner as u32));
            self.put(to, object, evidence);
            return;
        }
        if packages {
            // The package has more files that are not in this repository.
            let object = self.external(first, &format!("{path}{separator}{text}"));
            self.put(to, object, evidence);
            return;
        }
        for unit in units {
            if let Some(slot) = self.exports.get(&(unit, self.names.whole)).copied() {
                // A member of the value that the module exports as a whole.
                let activation = self.module_activation(unit);
                let from = self.activations[activation as usize].base + slot;
                let is_default = self
                    .rules(unit)
                    .and_then(|rules| rules.default_export)
                    .is_some_and(|default| default == text);
                if is_default {
                    self.connect(from, to, Way::Plain)
                } else {
                    self.connect(from, to, Way::Member(name))
                }
            }
            if !self.star_asked.insert((unit, to, name)) {
                continue;
            }
            self.star_waiting.entry(unit).or_default().push((to, name));
            for star in self.stars.get(&unit).cloned().unwrap_or_default() {
                if self.objects.get(star) != Object::Module(module as u32) {
                    self.load_member(to, star, name, evidence);
                }
            }
        }
    }
}
