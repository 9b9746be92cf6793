//! What names stand for: modules, what they export, what the language itself defines, and what lies outside.

use lore_model::NONE;

use super::Target;
use super::engine::{Engine, MAX_EXTERNAL, Way};
use super::objects::{Evidence, Object, ObjectId};

impl<'s> Engine<'_, 's> {
    /// Something outside, by its path and the file that names it.
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

    /// Something of an external.
    pub(super) fn below_external(&mut self, external: u32, suffix: &str) -> Option<ObjectId> {
        let path = format!("{}{suffix}", self.externals[external as usize]);
        let unit = self.external_units[external as usize];
        (path.len() <= MAX_EXTERNAL).then(|| self.external(unit, &path))
    }

    /// A member of an external.
    pub(super) fn member_of_external(&mut self, external: u32, name: u32) -> Option<ObjectId> {
        if let Some(below) = self.below.get(&(external, name)) {
            return *below;
        }
        let language = self.program.units[self.external_units[external as usize]].language;
        let text = self.program.text(name);
        let suffix = format!("{}{}", language.separator, text.trim_start_matches('.'));
        let below = match self.known_outside(external, &suffix) {
            Some(known) => Some(known),
            None => self.below_external(external, &suffix),
        };
        self.below.insert((external, name), below);
        below
    }

    /// What the prelude says of a path outside: a module of it, or a class.
    fn known_outside(&mut self, external: u32, suffix: &str) -> Option<ObjectId> {
        let unit = self.external_units[external as usize];
        let language = self.program.units[unit].language;
        let path = format!("{}{suffix}", self.externals[external as usize]);
        let class = (language.flow?.outside)(&path);
        if let Some(class) = class.and_then(|class| self.built_in_class(unit, class)) {
            return Some(class);
        }
        class?;
        let module = self.program.module(language.name, &format!("<prelude>{path}"))?;
        Some(self.objects.number(Object::Module(module as u32)))
    }

    /// What calling an external gives.
    pub(super) fn result_of_external(&mut self, external: u32) -> Option<ObjectId> {
        if let Some(below) = self.below.get(&(external, NONE)) {
            return *below;
        }
        let below = self.below_external(external, "()");
        self.below.insert((external, NONE), below);
        below
    }

    /// What a module's name stands for, as an object.
    pub(super) fn target(&mut self, unit: usize, text: &str) -> Option<ObjectId> {
        let rules = self.rules(unit)?;
        match (rules.resolve)(self.program, unit, text) {
            Target::Module(module) => {
                let asking = &self.program.units[unit];
                if asking.path.is_some_and(|path| !asking.language.role(path).test) {
                    self.used.extend(self.program.modules[module].units.iter().copied());
                }
                Some(self.objects.number(Object::Module(module as u32)))
            }
            Target::External(path) => Some(self.external(unit, &path)),
            Target::Nothing => None,
        }
    }

    pub(super) fn import(&mut self, unit: usize, to: u32, module: u32, member: u32) {
        let text = self.program.text(module).to_owned();
        let Some(object) = self.target(unit, &text) else {
            return;
        };
        match member {
            NONE => match self.objects.get(object) {
                // What a module exports as a whole stands for it.
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

    /// The slot of what a module exports as a whole.
    pub(super) fn whole_of(&mut self, module: usize) -> Option<u32> {
        let units = self.program.modules.get(module)?.units.clone();
        units.into_iter().find_map(|unit| {
            let slot = *self.exports.get(&(unit, self.names.whole))?;
            let activation = self.module_activation(unit);
            Some(self.activations[activation as usize].base + slot)
        })
    }

    pub(super) fn global(&mut self, unit: usize, to: u32, name: u32) {
        if let Some(stars) = self.stars.get(&unit).cloned() {
            for module in stars {
                self.load_member(to, module, name, Evidence::Exact);
            }
        }
        // Wildcards further down may still name it.
        self.star_waiting.entry(unit).or_default().push((to, name));
        let language = self.program.units[unit].language;
        let Some(rules) = language.flow else { return };
        let text = self.program.text(name).to_owned();
        if let Some(slot) = self.prelude_export(language.name, "", name) {
            self.connect(slot, to, Way::Plain);
        } else if rules.builtins.contains(&text.as_str()) {
            let object = self.external(unit, &format!("<builtin>{}{text}", language.separator));
            self.put(to, object, Evidence::Exact);
        }
    }

    /// The slot of a name of a prelude module.
    pub(super) fn prelude_export(&mut self, language: &'static str, module: &str, name: u32) -> Option<u32> {
        let number = self.program.module(language, &format!("<prelude>{module}"))?;
        let unit = *self.program.modules[number].units.first()?;
        let slot = *self.exports.get(&(unit, name))?;
        let activation = self.module_activation(unit);
        Some(self.activations[activation as usize].base + slot)
    }

    /// Notes which built-in classes are closed.
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

    /// A built-in class by its name.
    pub(super) fn built_in_class(&mut self, unit: usize, class: &str) -> Option<ObjectId> {
        let language = self.program.units[unit].language.name;
        if let Some(class) = self.prelude_classes.get(&(language, class.to_owned())) {
            return Some(*class);
        }
        let number = self.program.module(language, "<prelude>")?;
        let prelude = *self.program.modules[number].units.first()?;
        let facts = self.program.units[prelude].facts;
        let row = facts.flow.classes.iter().position(|row| {
            facts
                .definitions
                .get(row.definition.get() as usize)
                .is_some_and(|definition| facts.get(definition.name) == class)
        })?;
        let activation = self.module_activation(prelude);
        let object = self.objects.number(Object::Class {
            class: self.program.global_class(prelude, row as u32),
            maker: activation,
        });
        self.prelude_classes.insert((language, class.to_owned()), object);
        Some(object)
    }

    /// A new value of a built-in class.
    pub(super) fn built_in(&mut self, unit: usize, class: &str, site: (u32, u32)) -> Option<ObjectId> {
        let class = self.built_in_class(unit, class)?;
        let next = self.sites.len() as u32 + 1;
        let site = *self.sites.entry(site).or_insert(next);
        Some(self.objects.number(Object::Instance { class, site }))
    }

    pub(super) fn load_export(&mut self, to: u32, module: usize, name: u32, evidence: Evidence) {
        let Some(row) = self.program.modules.get(module) else {
            return;
        };
        let (count, language, prelude) = (row.units.len(), row.language, row.prelude);
        let mut found = false;
        for at in 0..count {
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
            // A module of the language's own is its own default.
            let object = self.objects.number(Object::Module(module as u32));
            self.put(to, object, evidence);
            return;
        }
        if prelude {
            let plain = path.trim_start_matches("<prelude>");
            let first = units.first().copied().unwrap_or(0);
            let separator = self
                .program
                .units
                .get(first)
                .map_or(".", |unit| unit.language.separator);
            let object = self.external(first, &format!("{plain}{separator}{text}"));
            self.put(to, object, evidence);
            return;
        }
        let separator = self
            .program
            .units
            .get(units.first().copied().unwrap_or(0))
            .map_or(".", |unit| unit.language.separator);
        if let Some(inner) = self.program.module(language, &format!("{path}{separator}{text}")) {
            let object = self.objects.number(Object::Module(inner as u32));
            self.put(to, object, evidence);
            return;
        }
        for unit in units {
            if let Some(slot) = self.exports.get(&(unit, self.names.whole)).copied() {
                // A member of what the module exports as a whole.
                let activation = self.module_activation(unit);
                let from = self.activations[activation as usize].base + slot;
                let is_default = self
                    .rules(unit)
                    .and_then(|rules| rules.default_export)
                    .is_some_and(|default| default == text);
                match is_default {
                    true => self.connect(from, to, Way::Plain),
                    false => self.connect(from, to, Way::Member(name)),
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
