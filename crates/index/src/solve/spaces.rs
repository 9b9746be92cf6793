//! Spaces: scopes that several files fill together, such as namespaces and packages. Also extension methods, which add
//! members to a class from elsewhere.

use lore_model::{ArgumentKind, BodyFlags, ExportFlags, FlowArgument, FlowCode, FlowFlags, FlowStep, NONE};

use super::engine::{Call, Engine, Way};
use super::fast_hash::{Map, Numbers};
use super::objects::{Evidence, Object, ObjectId};
use super::program::Program;

/// A definition that a space has under a name: a slot of the module body of a unit.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) unit: usize,
    pub(super) slot: u32,
    flags: u8,
}

/// The spaces of a program.
///
/// A space belongs to a language family. Looking up a name without the family would mix files of unrelated languages.
#[derive(Default)]
pub(super) struct Spaces {
    families: Vec<&'static str>,
    /// Definitions, by family, space and name.
    entries: Map<(u32, u32, u32), Vec<Entry>>,
    /// Definitions that only their own file sees, by unit and name.
    own: Map<(usize, u32), Vec<Entry>>,
    /// The paths of spaces and of the spaces around them, by family.
    paths: Numbers<(u32, u32)>,
    /// Classes with several parts (C#: `partial`), by family and key.
    joined: Map<(u32, u32), ObjectId>,
    /// Names of the members of each definition, as unit, definition and name.
    declared: Numbers<(usize, u32, u32)>,
    /// By name of a member: the name under which classes hold extensions of it. `extended` is the inverse.
    pub(super) extensions: Map<u32, u32>,
    pub(super) extended: Map<u32, u32>,
    /// External objects that have extensions.
    pub(super) outside: Numbers<ObjectId>,
    /// Bodies that extend a class, each with its activation. They wait for the class.
    waiting: Vec<(u32, u32)>,
    /// Bodies that have run for a class, with their activation.
    ran: Numbers<(u32, u32)>,
}

impl Spaces {
    /// Collects the spaces from the exports of all units.
    pub(super) fn of(program: &mut Program<'_>) -> Self {
        let mut spaces = Self::default();
        for unit in 0..program.units.len() {
            let facts = program.units[unit].facts;
            if facts.flow.exports.iter().all(|export| export.space.get() == NONE) {
                continue;
            }
            let family = spaces.family(program.units[unit].language.family());
            let suffixes = program.units[unit].language.included_suffixes;
            let is_included = program.units[unit]
                .path
                .is_some_and(|path| suffixes.iter().any(|suffix| path.file_name().ends_with(suffix)));
            for export in facts.flow.exports.iter().filter(|export| export.space.get() != NONE) {
                let space = program.name(unit, export.space.get());
                let name = program.name(unit, export.name.get());
                let entry = Entry {
                    unit,
                    slot: export.slot.get(),
                    flags: export.flags,
                };
                if export.flags & ExportFlags::OWN != 0 && !is_included {
                    spaces.own.entry((unit, name)).or_default().push(entry);
                    continue;
                }
                spaces.entries.entry((family, space, name)).or_default().push(entry);
                if program.units[unit].language.names_by_file
                    && let Some(path) = program.units[unit].path
                {
                    let stem = path.file_name().split('.').next().unwrap_or("").to_owned();
                    // A file with one of these names represents its directory.
                    let stem = match stem.as_str() {
                        "init" | "index" | "default" | "mod" => {
                            path.directory().rsplit('/').next().unwrap_or("").to_owned()
                        }
                        _ => stem,
                    };
                    let mut letters = stem.chars();
                    let upper = letters
                        .next()
                        .map(|first| first.to_uppercase().chain(letters).collect::<String>());
                    for stem in [Some(stem), upper].into_iter().flatten() {
                        let space = program.intern(&stem);
                        let entries = spaces.entries.entry((family, space, name)).or_default();
                        if !entries
                            .iter()
                            .any(|known| known.unit == unit && known.slot == entry.slot)
                        {
                            entries.push(entry);
                        }
                    }
                }
                if spaces.paths.insert((family, space)) {
                    let mut path = program.text(space).to_owned();
                    while let Some((around, _)) = path.rsplit_once('.') {
                        path = around.to_owned();
                        let around = program.intern(&path);
                        if !spaces.paths.insert((family, around)) {
                            break;
                        }
                    }
                }
            }
            for definition in facts.definitions {
                if let Some(name) = program.interned.get(facts.get(definition.name)).copied() {
                    spaces.declared.insert((unit, definition.parent.get(), name));
                }
            }
        }
        for (plain, extending) in program.with_suffix(":ext") {
            spaces.extensions.insert(plain, extending);
            spaces.extended.insert(extending, plain);
        }
        spaces
    }

    fn family(&mut self, family: &'static str) -> u32 {
        let known = self.families.iter().position(|known| *known == family);
        known.unwrap_or_else(|| {
            self.families.push(family);
            self.families.len() - 1
        }) as u32
    }
}

impl<'s> Engine<'_, 's> {
    fn family_of(&self, unit: usize) -> Option<u32> {
        let family = self.program.units[unit].language.family();
        let at = self.spaces.families.iter().position(|known| *known == family)?;
        Some(at as u32)
    }

    /// The definitions of a name in the first of the given spaces that has it.
    fn find_in(&self, unit: usize, name: u32, spaces: &[FlowArgument]) -> Vec<Entry> {
        let Some(family) = self.family_of(unit) else {
            return Vec::new();
        };
        for space in spaces {
            let found = match space.kind {
                ArgumentKind::OWN => self.spaces.own.get(&(unit, name)),
                _ => {
                    let space = self.program.name(unit, space.name.get());
                    self.spaces.entries.get(&(family, space, name))
                }
            };
            if let Some(found) = found {
                return self.nearest(unit, found);
            }
        }
        Vec::new()
    }

    /// The preferred definitions: a definition hides declarations, and files that share more directories hide others.
    fn nearest(&self, unit: usize, found: &[Entry]) -> Vec<Entry> {
        let is_declared = |entry: &&Entry| entry.flags & ExportFlags::DECLARED != 0;
        let defined = found.iter().any(|entry| !is_declared(&entry));
        let mut kept: Vec<Entry> = found
            .iter()
            .filter(|entry| !defined || !is_declared(entry))
            .copied()
            .collect();
        if kept.len() > 1 && kept.iter().any(|entry| entry.unit != kept[0].unit) {
            let shared = |entry: &Entry| self.shared_directories(unit, entry.unit);
            let best = kept.iter().map(shared).max().unwrap_or(0);
            kept.retain(|entry| shared(entry) == best);
            if self.program.units[unit].language.defines_once && kept.iter().any(|entry| entry.unit == unit) {
                kept.retain(|entry| entry.unit == unit);
            }
        }
        kept
    }

    /// The number of leading directories that two files share.
    fn shared_directories(&self, one: usize, other: usize) -> usize {
        let directory = |unit: usize| self.program.units[unit].path.map_or("", |path| path.directory());
        let (one, other) = (directory(one), directory(other));
        let parts = one.split('/').zip(other.split('/'));
        parts.take_while(|(one, other)| one == other).count()
    }

    pub(super) fn find(&mut self, unit: usize, to: u32, step: &FlowStep) {
        let name = self.program.name(unit, step.a.get());
        let flow = self.program.units[unit].facts.flow;
        let range = step.b.get() as usize..(step.b.get() + step.c.get()) as usize;
        let spaces = flow.arguments.get(range).unwrap_or(&[]);
        let mut found = self.find_in(unit, name, spaces);
        // A type and a value can have the same name.
        let wants_type = step.flags & FlowFlags::TYPE != 0;
        let is_wanted = |entry: &Entry| (entry.flags & ExportFlags::TYPE != 0) == wants_type;
        if found.iter().any(is_wanted) {
            found.retain(is_wanted);
        }
        for entry in &found {
            let from = self.activations[self.module_activation(entry.unit) as usize].base + entry.slot;
            self.connect(from, to, Way::Plain);
        }
        if !found.is_empty() {
            return;
        }
        if let Some(path) = self.space_below(unit, name, spaces) {
            let object = self.external(unit, &path);
            self.put(to, object, Evidence::Exact);
            return;
        }
        if self.global(unit, to, name, NONE) || step.flags & FlowFlags::OUTSIDE == 0 {
            return;
        }
        let text = self.program.text(name);
        let path = match spaces {
            // With a single space, the name was imported from that space.
            [space] if space.kind == ArgumentKind::SPACE => {
                match self.program.text(self.program.name(unit, space.name.get())) {
                    "" => text.to_owned(),
                    space => format!("{space}.{text}"),
                }
            }
            _ => text.to_owned(),
        };
        let object = self.external(unit, &path);
        self.put(to, object, Evidence::Exact);
    }

    /// The path of a space with a name inside one of the given spaces.
    fn space_below(&self, unit: usize, name: u32, spaces: &[FlowArgument]) -> Option<String> {
        let family = self.family_of(unit)?;
        let text = self.program.text(name);
        spaces
            .iter()
            .filter(|space| space.kind == ArgumentKind::SPACE)
            .find_map(|space| {
                let path = match self.program.text(self.program.name(unit, space.name.get())) {
                    "" => text.to_owned(),
                    around => format!("{around}.{text}"),
                };
                let number = self.program.interned.get(&path)?;
                self.spaces.paths.contains(&(family, *number)).then_some(path)
            })
    }

    /// Stores the content of a slot in the definitions of a name.
    pub(super) fn keep_in_space(&mut self, unit: usize, from: u32, step: &FlowStep) {
        let name = self.program.name(unit, step.a.get());
        let flow = self.program.units[unit].facts.flow;
        let range = step.b.get() as usize..(step.b.get() + step.c.get()) as usize;
        for entry in self.find_in(unit, name, flow.arguments.get(range).unwrap_or(&[])) {
            let to = self.activations[self.module_activation(entry.unit) as usize].base + entry.slot;
            self.connect(from, to, Way::Plain);
        }
    }

    /// Loads a name from the space whose path is an external path. Returns whether the space has the name.
    pub(super) fn load_from_space(&mut self, to: u32, external: u32, name: u32) -> bool {
        if self.spaces.entries.is_empty() {
            return false;
        }
        let Some(space) = self.program.interned.get(&self.externals[external as usize]).copied() else {
            return false;
        };
        for family in 0..self.spaces.families.len() as u32 {
            if !self.spaces.paths.contains(&(family, space)) {
                continue;
            }
            let unit = self
                .activations
                .get(self.slots[to as usize].activation as usize)
                .map_or(0, |row| self.program.unit_of_body(row.body));
            let found = match self.spaces.entries.get(&(family, space, name)) {
                Some(found) => self.nearest(unit, found),
                None => continue,
            };
            for entry in found {
                let from = self.activations[self.module_activation(entry.unit) as usize].base + entry.slot;
                self.connect(from, to, Way::Plain);
            }
            return true;
        }
        false
    }

    /// The class object of a class row. All parts of a class with several parts share the object of the first part.
    pub(super) fn joined_class(&mut self, unit: usize, class: u32, maker: u32) -> ObjectId {
        let object = self.objects.number(Object::Class { class, maker });
        let key = self.program.class(class).key.get();
        if key == NONE {
            return object;
        }
        let name = self.program.name(unit, key);
        let Some(family) = self.family_of(unit) else {
            return object;
        };
        *self.spaces.joined.entry((family, name)).or_insert(object)
    }

    /// The position of a base in the list of bases that all parts of a class share.
    pub(super) fn place_of_base(&mut self, class: ObjectId, base: ObjectId) -> usize {
        let bases = self.bases.entry(class).or_default();
        match bases.iter().position(|bases| bases.contains(&base)) {
            Some(at) => at,
            None => {
                bases.push(Vec::new());
                bases.len() - 1
            }
        }
    }

    /// Calls the function that a string names, in languages where strings can be called.
    pub(super) fn call_text(&mut self, call: &Call<'s>, text: u32, evidence: Evidence) {
        let unit = self
            .program
            .unit_of_body(self.activations[call.activation as usize].body);
        // A prelude function belongs to the same language as the code that passed the string.
        if !self.program.units[unit].language.calls_texts {
            return;
        }
        let Some(family) = self.family_of(unit) else { return };
        let Some(space) = self.program.interned.get("").copied() else {
            return;
        };
        let Some(found) = self.spaces.entries.get(&(family, space, text)) else {
            return;
        };
        for entry in self.nearest(unit, found) {
            let from = self.activations[self.module_activation(entry.unit) as usize].base + entry.slot;
            for (object, _) in self.entries(from) {
                if let Object::Function { .. } = self.objects.get(object) {
                    self.call_object(call, object, evidence.max(Evidence::Flow));
                }
            }
        }
    }

    /// Whether an object is a built-in class or external.
    pub(super) fn is_of_language(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Class { class, .. } => self.is_prelude(self.program.unit_of_class(class)),
            Object::External(_) => true,
            _ => false,
        }
    }

    /// Whether a class or one of its bases declares a member.
    fn declares(&mut self, class: ObjectId, name: u32) -> bool {
        let order = self.order(class);
        order.iter().any(|place| {
            let Object::Class { class, .. } = self.objects.get(*place) else {
                return false;
            };
            let unit = self.program.unit_of_class(class);
            let definition = self.program.class(class).definition.get();
            self.fields.contains_key(&(*place, name)) || self.spaces.declared.contains(&(unit, definition, name))
        })
    }

    /// Loads a member of an object. If its class has no such member, connects the slot `other` instead.
    pub(super) fn load_or(&mut self, to: u32, object: ObjectId, name: u32, other: u32, flags: u8, evidence: Evidence) {
        let class = match self.objects.get(object) {
            Object::Super { receiver, .. } => self.class_of(receiver),
            _ => self.class_of(object),
        };
        let has = match class {
            Some(class) if flags & FlowFlags::TYPE != 0 => self.member_of(class, name).is_some_and(|field| {
                let held = self.entries(field);
                held.iter()
                    .any(|(object, _)| matches!(self.objects.get(*object), Object::Class { .. }))
            }),
            Some(class) => self.declares(class, name) || self.field_if_any(object, name).is_some(),
            None => false,
        };
        match has {
            // With this flag, only objects without such a member pass.
            true if flags & FlowFlags::OTHERS != 0 => {}
            true => self.load_member(to, object, name, evidence),
            false if flags & FlowFlags::OTHERS != 0 => self.put(to, object, evidence),
            false => self.connect(other, to, Way::Plain),
        }
    }

    /// Runs an extension body for a class that has arrived.
    pub(super) fn extend_class(&mut self, activation: u32, step: &FlowStep, class: ObjectId) {
        if !matches!(self.objects.get(class), Object::Class { .. } | Object::External(_)) {
            return;
        }
        let unit = self.program.unit_of_body(self.activations[activation as usize].body);
        let body = self.program.global_body(unit, step.b.get());
        if !self.spaces.ran.insert((activation, body)) {
            // A body extends one class. Extensions of several classes are separate bodies.
            return;
        }
        if let Object::External(_) = self.objects.get(class) {
            self.spaces.outside.insert(class);
        }
        self.run_extension(activation, body, Some(class));
    }

    fn run_extension(&mut self, activation: u32, body: u32, class: Option<ObjectId>) {
        let unit = self.program.unit_of_body(body);
        let row = *self.program.body(body);
        let symbol = self.symbol(unit, row.definition.get());
        let context = self.activations[activation as usize].context;
        let inner = self.activate(body, activation, symbol, context);
        let receiver = row.receiver.get();
        if let Some(class) = class
            && receiver != NONE
        {
            let slot = self.activations[inner as usize].base + receiver;
            self.put(slot, class, Evidence::Exact);
            self.leave_members(inner, slot, class);
        }
    }

    /// Registers the extension bodies of an activation. They wait for their class.
    pub(super) fn note_extensions(&mut self, activation: u32) {
        let body = self.activations[activation as usize].body;
        let unit = self.program.unit_of_body(body);
        let flow = self.program.units[unit].facts.flow;
        let steps = &flow.steps[self.program.body(body).steps.indexes(flow.steps.len())];
        for step in steps.iter().filter(|step| step.code == FlowCode::EXTEND) {
            let extending = self.program.global_body(unit, step.b.get());
            self.spaces.waiting.push((activation, extending));
        }
    }

    /// Runs the extension bodies whose class never arrived, because the program does not define it.
    pub(super) fn run_extensions(&mut self) -> bool {
        let waiting = std::mem::take(&mut self.spaces.waiting);
        let mut changed = false;
        for (activation, body) in waiting {
            if self.spaces.ran.insert((activation, body)) {
                self.run_extension(activation, body, None);
                changed = true;
            }
        }
        changed
    }

    /// The field of an extension member of a class.
    pub(super) fn extension_of(&mut self, class: ObjectId, name: u32) -> Option<u32> {
        let extension = self.spaces.extensions.get(&name).copied()?;
        self.member_of(class, extension)
    }

    /// The field of an extension member of an external class or of its instances. The path of an instance is the path
    /// of the class with `()`.
    pub(super) fn extension_outside(&mut self, external: u32, name: u32) -> Option<u32> {
        if self.spaces.outside.is_empty() {
            return None;
        }
        let path = self.externals[external as usize].clone();
        let class = path.strip_suffix("()").unwrap_or(&path).to_owned();
        let number = *self.external_numbers.get(&class)?;
        let object = self.objects.number(Object::External(number));
        let extension = self.spaces.extensions.get(&name).copied();
        self.field_if_any(object, name)
            .or_else(|| self.field_if_any(object, extension?))
    }

    /// Symbols of declared functions that have a definition in the same class. Calls of the declaration are dropped,
    /// because the definition is the callee.
    pub(super) fn declared_twins(&self) -> Numbers<u32> {
        let mut twins = Numbers::default();
        if self.spaces.entries.is_empty() {
            return twins;
        }
        for ((object, _), slot) in &self.fields {
            if !matches!(self.objects.get(*object), Object::Class { .. }) {
                continue;
            }
            let entries = self.slots[*slot as usize].set.entries();
            if entries.len() < 2 {
                continue;
            }
            let bodies: Vec<u32> = entries
                .iter()
                .filter_map(|entry| match self.objects.get(entry >> 2) {
                    Object::Function { body, .. } => Some(body),
                    _ => None,
                })
                .collect();
            let is_declared = |body: &&u32| self.program.body(**body).flags.get() & BodyFlags::DECLARED != 0;
            let count = |body: u32| self.program.body(body).parameters.len.get();
            for body in bodies.iter().filter(is_declared) {
                if bodies
                    .iter()
                    .any(|other| !is_declared(&other) && count(*other) == count(*body))
                {
                    let unit = self.program.unit_of_body(*body);
                    twins.insert(self.symbol(unit, self.program.body(*body).definition.get()));
                }
            }
        }
        twins
    }
}
