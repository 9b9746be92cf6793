//! The fixpoint. One object at a time comes to a slot; what has the slot as operand runs; copies lead on.
//!
//! Everything happens in an order that depends on the files alone, so the outcome does too. Light work (copies, imports, members of
//! modules, bases) is done before heavy work (members of instances, calls), so that classes know their bases before anybody looks into them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use lore_model::{FlowArgument, FlowCode, FlowFlags, FlowStep, NONE};

use super::choices::Choice;
use super::declared::Declared;
use super::fast_hash::{Map, Numbers};
use super::objects::{Evidence, MAX_OBJECTS, Object, ObjectId, Objects, Put, Set};
use super::outcome::{CallRow, Callee, Outcome};
use super::program::Program;
use super::promises::BOUNDS;
use super::spaces::Spaces;

/// Slots of a body that is activated for each call on its own; a larger one is shared.
pub(super) const MAX_SMALL: u32 = 60;
/// The same for a body that gives back what is passed to it.
pub(super) const MAX_GIVING: u32 = 160;
/// Slots that the activations of one body have at most; what is passed by further calls is not followed.
pub(super) const MAX_CLONED_SLOTS: u32 = 6_000;
/// Objects that a slot holds as a rule. A slot may hold more, up to [`MAX_OBJECTS`], as long as there are not too many such slots.
pub(super) const NARROW: usize = 16;
/// Objects beyond [`NARROW`] that all slots together hold.
pub(super) const MAX_WIDE: usize = 20_000;
/// Objects of other projects that a slot holds.
pub(super) const MAX_EXTERNALS: usize = 4;
/// How deep activations of their own may nest before they are shared.
pub(super) const MAX_CONTEXT: u32 = 3;
/// Objects put into slots, in all: beyond it the rest stays unresolved.
pub(super) const MAX_WORK: usize = 60_000_000;
/// Ways for each slot of the program, in all.
pub(super) const MAX_WAYS: usize = 16;
/// Literals in one slot: beyond it the rest is left out, so that there is room for what can be called.
pub(super) const MAX_LITERALS: usize = 12;
/// Characters of the path of an external.
pub(super) const MAX_EXTERNAL: usize = 200;

/// A run of a body.
pub(super) struct Activation {
    pub(super) body: u32,
    pub(super) base: u32,
    /// The activation that made the function.
    pub(super) parent: u32,
    /// The symbol that its calls belong to.
    pub(super) symbol: u32,
    /// Of a prelude's body: the line of the source from which it was called, which is where its own calls stand.
    pub(super) line: u32,
    pub(super) context: u32,
}

/// What a value goes through on its way from one slot to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Way {
    Plain,
    /// Through a call, a field or a container.
    Crossed,
    /// A member found for an instance.
    Bind(ObjectId),
    /// A member found for a class.
    BindClass(ObjectId),
    /// Its element under a key.
    Key(u32),
    /// Any of its elements.
    Element {
        unkeyed: bool,
    },
    /// What it is waited for to give.
    Awaited,
    /// Its member of a name.
    Member(u32),
    /// It is what the instances of a function have in common.
    Base(ObjectId),
    /// It becomes the receiver of a call.
    Receiver,
    /// Its member of a name is one of a receiver that takes from it what it has not itself.
    Inherited {
        receiver: ObjectId,
        name: u32,
    },
    /// What an object holds it holds too, but for some names.
    Merged {
        source: ObjectId,
        without: u32,
    },
    /// It is what is there, where nothing better is known.
    Hinted,
    /// As that, where nothing better is known of any instance of the class that declares it.
    Declared(u32),
    /// It is what a collection holds, where nothing is known of it.
    Held(ObjectId),
    /// It is the key under which an object is asked.
    KeyOf(ObjectId),
    /// It is the key under which an object keeps what is in the slot.
    KeptBy(ObjectId),
    /// It is iterated over: by a call that waits, unless it is a collection.
    Next(u32),
    /// As `Hinted`, for an object that is told apart from others of its class.
    HintedFor(ObjectId),
    /// It is known by a type.
    Typed(ObjectId),
    /// It is converted to a type.
    Converted(ObjectId),
    /// Under a name it keeps what is in the slot.
    Keeps(u32),
    /// It decides which function a call that waits runs, as the first of its arguments.
    Dispatch {
        dispatch: u32,
    },
    /// It is called by a call that waits.
    Called(u32),
    /// It decides whether a call that waits runs.
    Accept {
        choice: u32,
    },
    /// A call that waits for it calls something.
    Given {
        call: u32,
        callee: ObjectId,
    },
    /// A call that waits calls its member of a name.
    Asked {
        call: u32,
        name: u32,
    },
    /// It is a member that a call that waits runs for a receiver.
    Run {
        call: u32,
        receiver: ObjectId,
    },
    /// A call that waits is one of its method of a name.
    Invoke {
        call: u32,
        name: u32,
    },
}

/// A place that is declared to hold something.
pub(super) struct Hint {
    pub(super) to: u32,
    /// A type, or the value itself.
    pub(super) object: ObjectId,
    pub(super) is_value: bool,
    /// The activation and the instruction that an instance of its own belongs to, or none.
    pub(super) origin: Option<(u32, u32)>,
    /// The field of a class that declares it, for all instances.
    pub(super) family: Option<u32>,
    /// The activation that says so, if it is not the slot's.
    pub(super) by: u32,
}

impl Hint {
    pub(super) fn new(to: u32, object: ObjectId, is_value: bool) -> Self {
        Self {
            to,
            object,
            is_value,
            origin: None,
            by: NONE,
            family: None,
        }
    }
}

/// A place that holds objects.
pub(super) struct Slot {
    pub(super) set: Set,
    /// Its activation, or none for a field.
    pub(super) activation: u32,
    pub(super) first_edge: u32,
}

pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) way: Way,
    pub(super) next: u32,
}

/// Work that waits for the light work to be done.
pub(super) struct Heavy {
    pub(super) activation: u32,
    /// The row of the instruction in its unit.
    pub(super) row: u32,
    pub(super) object: ObjectId,
    pub(super) evidence: Evidence,
}

/// An element under a key that is a value: any element, if no literal comes to the key.
pub(super) struct UnknownKey {
    pub(super) key: u32,
    /// Where the element goes, or where it comes from.
    pub(super) slot: u32,
    pub(super) object: ObjectId,
    pub(super) stores: bool,
}

/// A call whose first argument decides what runs.
#[derive(Clone, Copy)]
pub(super) struct Dispatch {
    pub(super) function: ObjectId,
    /// The class through which it was named.
    pub(super) class: ObjectId,
    pub(super) name: u32,
}

/// A member that was not found when it was asked for.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub(super) receiver: ObjectId,
    pub(super) to: u32,
    pub(super) evidence: Evidence,
}

pub(super) struct Engine<'p, 's> {
    pub(super) program: &'p mut Program<'s>,
    pub(super) objects: Objects,
    pub(super) slots: Vec<Slot>,
    pub(super) edges: Vec<Edge>,
    pub(super) activations: Vec<Activation>,
    pub(super) shared: Map<(u32, u32), u32>,
    /// Activations of preludes, by body, what made it, and the symbol that calls.
    pub(super) shared_for: Map<(u32, u32, u32), u32>,
    pub(super) own: Map<(u32, u32, u32, u32), u32>,
    pub(super) count: Vec<u32>,
    pub(super) fields: Map<(ObjectId, u32), u32>,
    /// By container: the names that have a field.
    pub(super) names_of: Map<ObjectId, Vec<u32>>,
    pub(super) light: VecDeque<(u32, ObjectId, Evidence, bool)>,
    /// Ways that look into objects, each once.
    pub(super) connected: Numbers<(u32, u32, Way)>,
    /// How many ways there may be.
    pub(super) edge_limit: usize,
    /// Objects at the end of ways that do something with them.
    pub(super) ways: VecDeque<(u32, Way, ObjectId, Evidence)>,
    pub(super) heavy: VecDeque<Heavy>,
    pub(super) bases: Map<ObjectId, Vec<Vec<ObjectId>>>,
    pub(super) orders: Map<ObjectId, Rc<[ObjectId]>>,
    pub(super) bases_changed: bool,
    pub(super) pending: Map<u32, Vec<Pending>>,
    pub(super) hints: Vec<Hint>,
    pub(super) unknown_keys: Vec<UnknownKey>,
    pub(super) module_activations: Map<usize, u32>,
    pub(super) exports: Map<(usize, u32), u32>,
    pub(super) stars: Map<usize, Vec<ObjectId>>,
    pub(super) star_waiting: Map<usize, Vec<(u32, u32)>>,
    /// What was asked of the wildcards of which unit, for modules may import each other whole.
    pub(super) star_asked: Numbers<(usize, u32, u32)>,
    pub(super) bound_calls: Numbers<(u32, u32, u32, ObjectId)>,
    /// By instruction: whether it calls something known.
    pub(super) resolved: Vec<bool>,
    /// By class and name: the field of the member, and how many members of that name there were when it was looked for.
    pub(super) found: Map<(ObjectId, u32), (u32, u32)>,
    /// By name: how many classes got such a member.
    pub(super) rounds: Map<u32, u32>,
    pub(super) calls: Vec<CallRow>,
    /// Who makes instances of what.
    pub(super) instances: Vec<CallRow>,
    pub(super) externals: Vec<String>,
    /// By external: the file that named it first.
    pub(super) external_units: Vec<usize>,
    /// Calls whose first argument decides what runs: the function and the class through which it was named, and what they found.
    pub(super) dispatches: Vec<Dispatch>,
    pub(super) dispatch_numbers: Map<(u32, u32, ObjectId), u32>,
    /// Calls that what is passed decides, and how many of them were looked at in the end.
    pub(super) choices: Vec<Choice>,
    pub(super) decided: usize,
    pub(super) chosen: Numbers<(u32, u32, ObjectId, ObjectId)>,
    /// Functions of one name that one type has from several implementations.
    pub(super) rivals: Numbers<ObjectId>,
    /// What instances keep under a name, where a member that an instance has not may be another's.
    pub(super) kept: Numbers<(ObjectId, u32)>,
    /// Members whose declared class leaves no doubt, and the slots of what they are declared to be.
    pub(super) sealed: Map<(ObjectId, u32), u32>,
    /// Implementations for any type that ask something of it.
    pub(super) bounded: Numbers<ObjectId>,
    /// Types of other projects that take from classes of this tree.
    pub(super) extended: Numbers<ObjectId>,
    pub(super) external_numbers: HashMap<String, u32>,
    /// By language, which has one name, and the name of the class.
    pub(super) prelude_classes: Map<(usize, u32), ObjectId>,
    pub(super) sites: Map<(u32, u32), u32>,
    pub(super) names: Names,
    pub(super) work: usize,
    /// Slots that would hold more than they may.
    pub(super) overfull: Numbers<u32>,
    /// Objects that slots may still hold beyond the narrow bound.
    pub(super) wide: usize,
    pub(super) clones: usize,
    pub(super) clone_budget: usize,
    pub(super) overflows: usize,
    pub(super) exhausted: bool,
    pub(super) instantiated: Numbers<ObjectId>,
    /// By object: those that hold what it holds.
    /// Slots that were filled by what answers for missing members, and for whom.
    pub(super) answered: Numbers<(u32, ObjectId)>,
    /// Classes whose instances have no members of their own.
    pub(super) closed: Numbers<ObjectId>,
    /// Classes that hold one value.
    pub(super) wrappers: Numbers<ObjectId>,
    /// By class of an implementation: the line at which it stands.
    pub(super) implement_lines: Map<ObjectId, u32>,
    /// Collections that hold texts and numbers only.
    pub(super) data: Numbers<ObjectId>,
    /// By definition of a prelude: what it is to those who read the graph.
    pub(super) callees: Map<(u32, u32), Option<Callee>>,
    /// By external and name: what is below it.
    pub(super) below: Map<(u32, u32), Option<ObjectId>>,
    /// Units that code other than tests imports.
    pub(super) used: Numbers<usize>,
    /// Bodies that have run, each with the activation that made its function.
    pub(super) entered: Numbers<(u32, u32)>,
    /// By function: the object under one of whose names it was kept first.
    pub(super) holders: Map<ObjectId, ObjectId>,
    /// What the paths of names that speak only of types begin with, in all languages that occur.
    pub(super) typing: Vec<&'static str>,
    /// Calls that wait for what they call.
    pub(super) waiting_calls: Vec<Call<'s>>,
    pub(super) merges: Map<ObjectId, Vec<(ObjectId, u32)>>,
    /// Names that merging leaves out.
    pub(super) left_out: Vec<Vec<u32>>,
    /// By instruction of a unit: which of them it leaves out.
    pub(super) left_out_by: Map<(usize, u32), u32>,
    /// Calls of activations by activations, and where what is thrown is caught, if it is.
    pub(super) reached: Vec<(u32, u32, u32)>,
    /// What was brought from where it is thrown to where it is caught.
    pub(super) carried: Numbers<(u32, u32)>,
    /// By name: the classes that have it.
    pub(super) class_names: Map<u32, Vec<ObjectId>>,
    /// By class and name: those that the class and its bases have of one name, where there are several.
    pub(super) overload_sets: Map<(ObjectId, u32), u32>,
    /// Bodies that have others of their name beside them in another class.
    pub(super) overloaded: Numbers<u32>,
    /// Names of members that classes declare without giving them.
    pub(super) declared_members: Numbers<u32>,
    /// By field of a class that declares a member: the fields of the instances.
    pub(super) families: Map<u32, Vec<u32>>,
    /// By module of several files and name: the files that define it.
    pub(super) defined_in: Map<(u32, u32), Vec<u32>>,
    /// Names of methods that some source asks for, in languages whose files see each other.
    pub(super) asked_for: HashSet<&'s str>,
    /// Calls of methods through their class, each with what it calls.
    pub(super) referenced: Numbers<(u32, u32, ObjectId)>,
    /// By class: the built-in collection that it extends, if it does.
    pub(super) collections: Map<ObjectId, Option<ObjectId>>,
    /// By call and receiver: the only function that is meant.
    pub(super) meant: Map<(u32, u32, ObjectId), ObjectId>,
    /// By file and definition of a class: the names of its fields.
    pub(super) fields_by_class: Map<(usize, u32), std::rc::Rc<[&'s str]>>,
    /// The functions that fit a call that chooses from several.
    pub(super) fitting: Map<super::overloads::FittingKey, super::overloads::Fitting<'s>>,
    /// Calls of which it is not known yet which of several they mean.
    pub(super) undecided: Vec<super::overloads::Undecided<'s>>,
    pub(super) declared: Declared,
    pub(super) spaces: Spaces,
}

/// Names that have a meaning of their own.
pub(super) struct Names {
    /// Elements without a key.
    pub(super) unkeyed: u32,
    /// All elements.
    pub(super) all: u32,
    /// The keys of a map.
    pub(super) keys: u32,
    /// What a module is as a whole.
    pub(super) whole: u32,
    /// What is sent to a generator.
    pub(super) sent: u32,
    /// What an implementation for any type asks of the type.
    pub(super) bounds: u32,
    /// By name: the name of what is run when it is written, where any class has such.
    pub(super) setters: Map<u32, u32>,
}

/// Solves a program.
pub(crate) fn solve(program: &mut Program<'_>) -> Outcome {
    let names = Names {
        unkeyed: program.intern("[]"),
        all: program.intern("[*]"),
        keys: program.intern("{key}"),
        whole: program.intern("="),
        sent: program.intern("_sent"),
        bounds: program.intern(BOUNDS),
        setters: program.setters(),
    };
    let spaces = Spaces::of(program);
    let count = vec![0; program.body_count()];
    let mut exports = Map::default();
    for unit in 0..program.units.len() {
        for export in program.units[unit].facts.flow.exports {
            if export.space.get() != NONE {
                continue;
            }
            exports
                .entry((unit, program.name(unit, export.name.get())))
                .or_insert(export.slot.get());
        }
    }
    let defined_in = defined_in(program);
    let asked_for = asked_for(program);
    let program_slots = program.slot_count();
    let budget = program_slots + 200_000;
    let mut typing: Vec<&'static str> = program
        .units
        .iter()
        .filter_map(|unit| unit.language.flow)
        .flat_map(|rules| rules.typing.iter().copied())
        .collect();
    typing.sort_unstable();
    typing.dedup();
    let bodies = program.body_count();
    let steps = program.global_step(program.units.len(), 0);
    // Growing by doubling would touch twice the memory.
    let mut engine = Engine {
        program,
        objects: Objects::default(),
        slots: Vec::with_capacity(budget * 2),
        edges: Vec::with_capacity(budget * 2),
        activations: Vec::with_capacity(bodies * 3),
        shared: Map::default(),
        shared_for: Map::default(),
        own: Map::with_capacity_and_hasher(bodies, Default::default()),
        count,
        fields: Map::with_capacity_and_hasher(budget / 4, Default::default()),
        names_of: Map::default(),
        light: VecDeque::new(),
        connected: Numbers::default(),
        edge_limit: budget * MAX_WAYS,
        ways: VecDeque::new(),
        heavy: VecDeque::new(),
        bases: Map::default(),
        orders: Map::default(),
        bases_changed: false,
        pending: Map::default(),
        hints: Vec::new(),
        unknown_keys: Vec::new(),
        module_activations: Map::default(),
        exports,
        stars: Map::default(),
        star_waiting: Map::default(),
        star_asked: Numbers::default(),
        bound_calls: Numbers::with_capacity_and_hasher(steps / 4, Default::default()),
        resolved: vec![false; steps],
        found: Map::with_capacity_and_hasher(steps / 8, Default::default()),
        rounds: Map::default(),
        calls: Vec::with_capacity(steps / 2),
        instances: Vec::new(),
        externals: Vec::new(),
        external_units: Vec::new(),
        dispatches: Vec::new(),
        dispatch_numbers: Map::default(),
        choices: Vec::new(),
        decided: 0,
        chosen: Numbers::default(),
        rivals: Numbers::default(),
        kept: Numbers::default(),
        sealed: Map::default(),
        bounded: Numbers::default(),
        extended: Numbers::default(),
        external_numbers: HashMap::new(),
        prelude_classes: Map::default(),
        sites: Map::default(),
        names,
        work: 0,
        overfull: Numbers::default(),
        clones: 0,
        // Beyond that, telling calls apart costs more than it tells.
        clone_budget: program_slots / 3 + 200_000,
        overflows: 0,
        wide: MAX_WIDE,
        exhausted: false,
        instantiated: Numbers::default(),
        answered: Numbers::default(),
        closed: Numbers::default(),
        wrappers: Numbers::default(),
        implement_lines: Map::default(),
        data: Numbers::default(),
        callees: Map::default(),
        below: Map::default(),
        used: Numbers::default(),
        entered: Numbers::with_capacity_and_hasher(bodies * 3, Default::default()),
        holders: Map::default(),
        typing,
        waiting_calls: Vec::new(),
        merges: Map::default(),
        left_out: vec![Vec::new()],
        left_out_by: Map::default(),
        reached: Vec::new(),
        carried: Numbers::default(),
        class_names: Map::default(),
        overload_sets: Map::default(),
        overloaded: Numbers::default(),
        declared_members: Numbers::default(),
        families: Map::default(),
        defined_in,
        asked_for,
        referenced: Numbers::default(),
        collections: Map::default(),
        meant: Map::default(),
        fields_by_class: Map::default(),
        fitting: Map::default(),
        undecided: Vec::new(),
        declared: Declared::default(),
        spaces,
    };
    engine.run();
    engine.outcome()
}

/// Which files of modules that have several define which names.
fn defined_in(program: &Program<'_>) -> Map<(u32, u32), Vec<u32>> {
    let mut found: Map<(u32, u32), Vec<u32>> = Map::default();
    for (unit, row) in program.units.iter().enumerate() {
        if row.language.flow.is_some_and(|rules| rules.packages) {
            for export in row.facts.flow.exports {
                let name = program.name(unit, export.name.get());
                found.entry((row.module as u32, name)).or_default().push(unit as u32);
            }
        }
    }
    found
}

/// The names of methods that are asked for.
fn asked_for<'s>(program: &Program<'s>) -> HashSet<&'s str> {
    let mut found = HashSet::new();
    for row in program.units.iter().filter(|unit| unit.path.is_some()) {
        if row.language.flow.is_some_and(|rules| rules.packages) {
            let asks = |step: &&FlowStep| matches!(step.code, FlowCode::LOAD | FlowCode::REFERENCE | FlowCode::METHOD);
            for step in row.facts.flow.steps.iter().filter(asks) {
                let name = if step.code == FlowCode::METHOD {
                    step.receiver
                } else {
                    step.b
                };
                let name = row.facts.flow.names.get(name.get() as usize);
                found.extend(name.and_then(|name| row.facts.get(*name).strip_suffix("()")));
            }
        }
    }
    found
}

impl<'s> Engine<'_, 's> {
    pub(super) fn run(&mut self) {
        // The prelude comes first: built-in collections are made of its classes.
        let mut order: Vec<usize> = (0..self.program.units.len()).collect();
        order.sort_by_key(|unit| (self.program.units[*unit].path.is_some(), *unit));
        // Modules import each other in circles: all of them have slots before any of them runs.
        order.retain(|unit| !self.program.units[*unit].facts.flow.bodies.is_empty());
        for unit in &order {
            let body = self.program.global_body(*unit, 0);
            let symbol = self.program.units[*unit].module_symbol;
            let activation = self.prepare(body, NONE, symbol, 0);
            self.module_activations.insert(*unit, activation);
        }
        self.close_classes();
        for unit in &order {
            self.start(self.module_activations[unit]);
        }
        self.settle();
        if self.run_extensions() {
            self.settle();
        }
        // What is thrown is looked up from where it is caught, once most calls are known.
        loop {
            self.enter_uncalled();
            let thrown = self.carry_thrown();
            let chosen = self.run_undecided();
            if self.exhausted || !thrown && !chosen && !self.apply_weak_hints() {
                return;
            }
            self.settle();
        }
    }

    /// What nobody here calls is called by somebody else: functions first, then what takes a receiver.
    fn enter_uncalled(&mut self) {
        for round in 0..5 {
            loop {
                let uncalled = self.uncalled(round);
                if uncalled.is_empty() {
                    break;
                }
                // One after the other: what one calls need not be entered, and what is at hand stays at hand.
                for function in uncalled {
                    self.enter_from_outside(function);
                    self.drain();
                }
                self.settle();
            }
        }
    }

    /// Works until nothing changes.
    pub(super) fn settle(&mut self) {
        loop {
            self.drain();
            if self.exhausted {
                return;
            }
            if std::mem::take(&mut self.bases_changed) {
                self.orders.clear();
                self.found.clear();
                let names: Vec<u32> = {
                    let mut names: Vec<u32> = self.pending.keys().copied().collect();
                    names.sort_unstable();
                    names
                };
                for name in names {
                    self.retry(name);
                }
                continue;
            }
            if !self.decide() && !self.apply_unknown_keys() && !self.apply_hints() && !self.ask_for_missing() {
                return;
            }
        }
    }

    pub(super) fn drain(&mut self) {
        loop {
            while let Some((slot, object, evidence, is_new)) = self.light.pop_front() {
                self.arrive(slot, object, evidence, is_new);
                if self.exhausted {
                    return;
                }
            }
            if let Some((to, way, object, evidence)) = self.ways.pop_front() {
                self.follow(to, way, object, evidence);
                if self.exhausted {
                    return;
                }
                continue;
            }
            match self.heavy.pop_front() {
                Some(heavy) => self.execute(heavy),
                None => return,
            }
        }
    }

    pub(super) fn new_slots(&mut self, count: u32, activation: u32) -> u32 {
        let base = self.slots.len() as u32;
        let len = self.slots.len() + count as usize;
        self.slots.resize_with(len, || Slot {
            set: Set::default(),
            activation,
            first_edge: NONE,
        });
        base
    }

    pub(super) fn put(&mut self, slot: u32, object: ObjectId, evidence: Evidence) {
        let Some(Slot { set, .. }) = self.slots.get(slot as usize) else {
            return;
        };
        let len = set.entries().len();
        if len > 0 && self.declared.last && self.is_outweighed(slot, object) {
            return;
        }
        let Some(Slot { set, .. }) = self.slots.get_mut(slot as usize) else {
            return;
        };
        if len >= MAX_EXTERNALS && !set.contains(object) {
            let is_external = matches!(self.objects.get(object), Object::External(_));
            let is_literal = matches!(self.objects.get(object), Object::Literal(_));
            // A class has as many functions of one name as its source says.
            let is_overload = (NARROW..MAX_OBJECTS).contains(&len)
                && self.slots[slot as usize].activation == NONE
                && self.is_overloaded(object);
            if is_overload {
                if self.slots[slot as usize].set.put(object, evidence) == Put::New {
                    self.light.push_back((slot, object, evidence, true));
                }
                return;
            }
            if is_external
                || (is_literal && len >= MAX_LITERALS)
                || (len >= NARROW && (self.wide == 0 || len >= MAX_OBJECTS))
            {
                self.overfull.insert(slot);
                return;
            }
            self.wide -= usize::from(len >= NARROW);
        }
        match self.slots[slot as usize].set.put(object, evidence) {
            Put::New => {
                self.work += 1;
                if self.work > MAX_WORK {
                    self.exhausted = true;
                }
                self.light.push_back((slot, object, evidence, true));
            }
            Put::Better => self.light.push_back((slot, object, evidence, false)),
            Put::Known => {}
            Put::Full => {
                self.overfull.insert(slot);
            }
        }
    }

    pub(super) fn entries(&self, slot: u32) -> Vec<(ObjectId, Evidence)> {
        self.slots.get(slot as usize).map_or_else(Vec::new, |slot| {
            slot.set
                .entries()
                .iter()
                .map(|entry| (entry >> 2, Evidence::from_bits(*entry)))
                .collect()
        })
    }

    pub(super) fn connect(&mut self, from: u32, to: u32, way: Way) {
        if from == to || self.exhausted {
            return;
        }
        // What looks into objects may come round again to where it was.
        let leads_on = matches!(
            way,
            Way::Plain
                | Way::Crossed
                | Way::Receiver
                | Way::Bind(_)
                | Way::BindClass(_)
                | Way::Run { .. }
                | Way::Called(_)
                | Way::Invoke { .. }
        );
        if !leads_on && !self.connected.insert((from, to, way)) {
            return;
        }
        if self.edges.len() >= self.edge_limit {
            self.exhausted = true;
            return;
        }
        let number = self.edges.len() as u32;
        self.edges.push(Edge {
            to,
            way,
            next: self.slots[from as usize].first_edge,
        });
        self.slots[from as usize].first_edge = number;
        match &self.slots[from as usize].set {
            Set::Empty => {}
            Set::One(entry) => {
                let entry = *entry;
                self.pass(to, way, entry >> 2, Evidence::from_bits(entry));
            }
            Set::Many(entries) => {
                let entries = Vec::clone(entries);
                for entry in entries {
                    self.pass(to, way, entry >> 2, Evidence::from_bits(entry));
                }
            }
        }
    }

    /// An object goes one way. What does more than lead on waits its turn, so that no chain of ways nests.
    pub(super) fn pass(&mut self, to: u32, way: Way, object: ObjectId, evidence: Evidence) {
        match way {
            Way::Plain => self.put(to, object, evidence),
            Way::Crossed => {
                let crossed = self.crossed(object, evidence);
                self.put(to, object, crossed);
            }
            Way::Receiver => self.put(to, object, evidence.max(Evidence::Typed)),
            way => self.ways.push_back((to, way, object, evidence)),
        }
    }

    /// An object has come to the end of a way that does something with it.
    fn follow(&mut self, to: u32, way: Way, object: ObjectId, evidence: Evidence) {
        match way {
            Way::Plain | Way::Crossed | Way::Receiver => self.pass(to, way, object, evidence),
            Way::Bind(receiver) => self.bind(to, object, receiver, evidence),
            Way::BindClass(class) => self.bind_class(to, object, class, evidence),
            Way::Key(key) => self.load_key(to, object, key, evidence, None),
            Way::Element { unkeyed } => self.element(to, object, evidence, unkeyed, None),
            Way::Awaited => self.awaited(to, object, evidence),
            Way::Member(name) => self.load_member(to, object, name, evidence),
            Way::Inherited { receiver, name } => self.inherit(to, object, receiver, name, evidence),
            Way::Merged { source, without } => self.merge(source, object, without),
            Way::Hinted => self.hint(to, object, true),
            Way::HintedFor(holder) => self.hint_for(to, object, holder),
            Way::Typed(class) => self.know_by(object, class),
            Way::Converted(class) => self.converted(to, object, class, evidence),
            Way::Keeps(name) => {
                if let Object::Instance { .. } = self.objects.get(object) {
                    let field = self.field(object, name);
                    self.connect(to, field, Way::Crossed);
                }
            }
            Way::Declared(family) => self.hints.push(Hint {
                family: Some(family),
                ..Hint::new(to, object, true)
            }),
            Way::Held(collection) => {
                let all = self.field(collection, self.names.all);
                if self.entries(all).is_empty() {
                    self.hint(to, object, true);
                }
            }
            Way::KeyOf(holder) => {
                if let Object::Literal(literal) = self.objects.get(object) {
                    self.load_literal(to, holder, literal, Evidence::Flow);
                }
            }
            Way::KeptBy(holder) => {
                if let Object::Literal(literal) = self.objects.get(object) {
                    self.store_literal(to, holder, literal);
                }
            }
            Way::Asked { call, name } => {
                let call = self.waiting_calls[call as usize].clone();
                self.call_method(&call, object, name, evidence);
            }
            Way::Next(call) => self.next(to, call, object, evidence),
            Way::Dispatch { dispatch } => self.dispatch_on(to, dispatch, object, evidence),
            Way::Accept { choice } => self.choose(choice, object, evidence),
            Way::Given { call, callee } => {
                let call = self.waiting_calls[call as usize].clone();
                self.call_object(&call, callee, Evidence::Typed);
            }
            Way::Called(call) => {
                let call = self.waiting_calls[call as usize].clone();
                self.call_object(&call, object, evidence);
            }
            Way::Run { call, receiver } => self.run_member(call, object, receiver, evidence),
            Way::Invoke { call, name } => self.invoke_on(call, object, name, evidence),
            Way::Base(class) => {
                let base = match self.objects.get(object) {
                    Object::Prototype(base) => base,
                    Object::Instance { class, site: 0 } => class,
                    _ => object,
                };
                self.base_of_link(object, class, to);
                let bases = self.bases.entry(class).or_insert_with(|| vec![Vec::new()]);
                if bases.is_empty() {
                    bases.push(Vec::new());
                }
                if base != class && !bases[0].contains(&base) && bases[0].len() < 8 {
                    bases[0].push(base);
                    self.bases_changed = true;
                    self.orders.clear();
                    self.found.clear();
                }
            }
        }
    }

    /// The evidence of a value that came through a call, a field or a container.
    pub(super) fn crossed(&self, object: ObjectId, evidence: Evidence) -> Evidence {
        match self.objects.get(object) {
            Object::Module(_) | Object::Class { .. } | Object::External(_) | Object::Literal(_) => evidence,
            Object::Instance { .. } => evidence.max(Evidence::Typed),
            _ => Evidence::Flow,
        }
    }

    /// An object comes to a slot, or is better known there than before.
    pub(super) fn arrive(&mut self, slot: u32, object: ObjectId, evidence: Evidence, is_new: bool) {
        let mut edge = self.slots[slot as usize].first_edge;
        while let Some(row) = self.edges.get(edge as usize) {
            let (to, way, next) = (row.to, row.way, row.next);
            // Looking into an object again finds nothing new.
            if is_new || matches!(way, Way::Plain | Way::Crossed | Way::Bind(_) | Way::BindClass(_)) {
                self.pass(to, way, object, evidence);
            }
            edge = next;
        }
        let activation = self.slots[slot as usize].activation;
        if activation == NONE {
            return;
        }
        let (body, base) = {
            let row = &self.activations[activation as usize];
            (row.body, row.base)
        };
        let (steps, first) = self.program.steps_on(body, slot - base);
        for (at, step) in steps.iter().enumerate() {
            if !is_new && !matches!(step.code, FlowCode::COPY | FlowCode::CALL) {
                continue;
            }
            let light = match step.code {
                FlowCode::COPY
                | FlowCode::BASE
                | FlowCode::HINT
                | FlowCode::DECLARE
                | FlowCode::EXTEND
                | FlowCode::INSTANCE => true,
                // Members must be there before anybody asks for them.
                FlowCode::STORE_MEMBER => matches!(self.objects.get(object), Object::Class { .. }),
                FlowCode::LOAD => matches!(self.objects.get(object), Object::Module(_) | Object::External(_)),
                _ => false,
            };
            let heavy = Heavy {
                activation,
                row: (first + at) as u32,
                object,
                evidence,
            };
            match light {
                true => self.execute(heavy),
                false => self.heavy.push_back(heavy),
            }
        }
    }
}

/// A call as it is carried out.
#[derive(Clone)]
pub(super) struct Call<'s> {
    pub(super) activation: u32,
    /// What tells calls of one body apart: the row of the instruction.
    pub(super) key: u32,
    /// The slot of its result, or none.
    pub(super) to: u32,
    pub(super) arguments: &'s [FlowArgument],
    pub(super) line: u32,
    pub(super) flags: u8,
    /// The slot of the receiver, or none.
    pub(super) receiver: u32,
    /// Slots of any activation that are passed before the arguments; [`NOTHING`] for a value that nobody follows.
    pub(super) leading: [u32; 2],
    /// The slot that holds what is called and others of its name, or none.
    pub(super) among: u32,
    /// Whether all is known that tells those of one name apart.
    pub(super) decided: bool,
}

impl Call<'_> {
    /// A call that the source does not write.
    pub(super) fn implicit(activation: u32, key: u32, to: u32, line: u32) -> Self {
        Self {
            activation,
            key,
            to,
            arguments: &[],
            line,
            flags: FlowFlags::IMPLICIT,
            receiver: NONE,
            leading: [ABSENT; 2],
            among: NONE,
            decided: false,
        }
    }
}

/// No argument at all.
pub(super) const ABSENT: u32 = NONE;
/// An argument that holds nothing.
pub(super) const NOTHING: u32 = NONE - 1;
