//! The fixpoint loop of the points-to analysis.
//!
//! The solver puts objects into slots and propagates them until no points-to set changes. When an object arrives at a
//! slot, the solver passes the object along the slot's edges and runs the instructions that have the slot as operand.
//!
//! The order of all work depends only on the files, so the result is deterministic. There are three worklists. Light
//! work (copies, imports, members of modules, bases) runs before edges that inspect objects, and both run before heavy
//! work (members of instances, calls). Classes therefore know their bases before a member lookup needs them.

use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
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

/// Most slots of a pass-through body that gets one activation per call. A larger body is shared.
pub(super) const MAX_SMALL: u32 = 60;
/// The same limit for a body that can return one of its arguments.
pub(super) const MAX_GIVING: u32 = 160;
/// Limit for the slots in all activations of one body; preludes are exempt. The arguments of further calls are not
/// followed.
pub(super) const MAX_CLONED_SLOTS: u32 = 6_000;
/// Usual limit for the objects of one slot. A slot may hold up to [`MAX_OBJECTS`] while the budget [`MAX_WIDE`] lasts.
pub(super) const NARROW: usize = 16;
/// Budget for objects beyond [`NARROW`], summed over all slots.
pub(super) const MAX_WIDE: usize = 20_000;
/// A slot with this many objects accepts no further external objects.
pub(super) const MAX_EXTERNALS: usize = 4;
/// Nesting depth of per-call activations. Calls at this depth use shared activations.
pub(super) const MAX_CONTEXT: u32 = 3;
/// Limit for insertions into points-to sets in one run. When the solver reaches it, the analysis stops.
pub(super) const MAX_WORK: usize = 60_000_000;
/// Limit for edges, as a multiple of the number of slots in the program (plus a constant).
pub(super) const MAX_WAYS: usize = 16;
/// A slot with this many objects accepts no further literals. The limit keeps room for objects that can be called.
pub(super) const MAX_LITERALS: usize = 12;
/// Most characters in the path of an external object.
pub(super) const MAX_EXTERNAL: usize = 200;

/// One analysed run of a body: its context in the sense of context sensitivity.
///
/// An activation owns the slots from `base` on. A slot number of a body is relative; add `base` before using it with
/// [`Engine::put`].
pub(super) struct Activation {
    pub(super) body: u32,
    pub(super) base: u32,
    /// The activation that created the function, for captured variables.
    pub(super) parent: u32,
    /// The symbol that is the caller of the calls in this activation.
    pub(super) symbol: u32,
    /// For a body of a prelude: the file and line of the source that called it. Calls from the prelude are recorded there.
    /// Line 0 means that nothing called it.
    pub(super) from: (u32, u32),
    /// The nesting depth of per-call activations, at most [`MAX_CONTEXT`].
    pub(super) context: u32,
}

/// The label of an edge: what happens to an object on its way from one slot to another.
///
/// Each variant is a constraint of the analysis. `Plain` is set inclusion; most other variants run a transfer function
/// when an object arrives. `to` in the descriptions is the slot at the end of the edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Way {
    Plain,
    /// Inclusion through a call, a field or a container. Weakens the evidence.
    Crossed,
    /// The object is a member found in the class of this instance. Binds the member to the instance.
    Bind(ObjectId),
    /// The object is a member found through this class. Binds class methods to the class.
    BindClass(ObjectId),
    /// Loads the object's element under a key.
    Key(u32),
    /// Loads any element of the object.
    Element {
        unkeyed: bool,
    },
    /// Loads the value that awaiting the object yields.
    Awaited,
    /// Loads the object's member of a name.
    Member(u32),
    /// The object becomes a base of this class or constructor function (JavaScript: an assignment to `prototype`).
    Base(ObjectId),
    /// Inclusion into the receiver slot of a call.
    Receiver,
    /// Loads the object's member of a name for a receiver that inherits from the object.
    Inherited {
        receiver: ObjectId,
        name: u32,
    },
    /// Copies all fields of `source` to the object, except the names in list `without`.
    Merged {
        source: ObjectId,
        without: u32,
    },
    /// Fallback: the object, used when no value reaches the slot.
    Hinted,
    /// As `Hinted`, but unused if any instance of the declaring class has a value in the field. The number is the field
    /// of the class that declares the type.
    Declared(u32),
    /// Fallback for the elements of this collection, used when no element is known.
    Held(ObjectId),
    /// The object is a key. Loads the element of this holder under the key.
    KeyOf(ObjectId),
    /// The object is a key. Stores the content of slot `to` in this holder under the key.
    KeptBy(ObjectId),
    /// The object is iterated over. Runs the iteration protocol for a waiting call, unless the object is a collection.
    Next(u32),
    /// As `Hinted`, for a holder that has its own allocation site. The fallback is copied for the holder.
    HintedFor(ObjectId),
    /// The object has this declared type, and with it the type's methods.
    Typed(ObjectId),
    /// The object is converted to this type.
    Converted(ObjectId),
    /// Stores the content of slot `to` in the object's field of this name.
    Keeps(u32),
    /// The object is the first argument of a waiting call and selects the function that runs.
    Dispatch {
        dispatch: u32,
    },
    /// The object is the callee of a waiting call.
    Called(u32),
    /// The object is an argument of a waiting call and decides whether the call runs.
    Accept {
        choice: u32,
    },
    /// An argument arrived. The waiting call now calls `callee`.
    Given {
        call: u32,
        callee: ObjectId,
    },
    /// The object is the receiver. The waiting call calls the receiver's method of this name, if there is one.
    Asked {
        call: u32,
        name: u32,
    },
    /// The object is a member function. The waiting call runs the function for `receiver`.
    Run {
        call: u32,
        receiver: ObjectId,
    },
    /// The object is the receiver of a waiting method call that the source writes.
    Invoke {
        call: u32,
        name: u32,
    },
}

/// A fallback for a slot: a declared type or value, used only when no value reaches the slot.
///
/// A hint must not be put into a slot directly. Declared types would then mix with the values that the analysis finds,
/// and calls would reach methods that are never run.
pub(super) struct Hint {
    pub(super) to: u32,
    /// The declared type, or the value itself if `is_value`.
    pub(super) object: ObjectId,
    pub(super) is_value: bool,
    /// The activation and instruction of the allocation site, if the hint gets its own instance.
    pub(super) origin: Option<(u32, u32)>,
    /// The field of the class that declares the type, for all instances of the class.
    pub(super) family: Option<u32>,
    /// The activation that declares the type, if it is not the activation of the slot.
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

/// A pointer variable: a points-to set with its outgoing edges.
pub(super) struct Slot {
    pub(super) set: Set,
    /// The activation that owns the slot; [`NONE`] for a field.
    pub(super) activation: u32,
    pub(super) first_edge: u32,
}

/// An outgoing edge of a slot. The edges of a slot form a linked list through `next`.
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) way: Way,
    pub(super) next: u32,
}

/// An instruction that waits until the light worklist is empty, with the object that triggered it.
pub(super) struct Heavy {
    pub(super) activation: u32,
    /// The index of the instruction in its unit.
    pub(super) row: u32,
    pub(super) object: ObjectId,
    pub(super) evidence: Evidence,
}

/// An access under a key that is a variable. If no literal reaches the key slot, the access means any element.
pub(super) struct UnknownKey {
    pub(super) key: u32,
    /// The slot that receives the element, or for a store the slot that contains it.
    pub(super) slot: u32,
    pub(super) object: ObjectId,
    pub(super) stores: bool,
}

/// A call whose first argument selects the function that runs.
#[derive(Clone, Copy)]
pub(super) struct Dispatch {
    pub(super) function: ObjectId,
    /// The class through which the source named the function.
    pub(super) class: ObjectId,
    pub(super) name: u32,
}

/// A member lookup that found nothing yet. The solver repeats it when a class gets a member of that name.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub(super) receiver: ObjectId,
    pub(super) to: u32,
    pub(super) evidence: Evidence,
}

/// The state of the analysis: points-to sets, edges, worklists, and caches of lookups.
///
/// Points-to sets and edges only grow, so a fixpoint exists. The caches `found` and `orders` must be cleared when bases
/// change.
pub(super) struct Engine<'p, 's> {
    pub(super) program: &'p mut Program<'s>,
    pub(super) objects: Objects,
    pub(super) slots: Vec<Slot>,
    pub(super) edges: Vec<Edge>,
    pub(super) activations: Vec<Activation>,
    /// Activations that all callers share, by body and creating activation.
    pub(super) shared: Map<(u32, u32), u32>,
    /// Activations of prelude bodies, by body, creating activation and calling symbol.
    pub(super) shared_for: Map<(u32, u32, u32), u32>,
    /// Activations for one call site, by body, creating activation, calling activation and instruction.
    pub(super) own: Map<(u32, u32, u32, u32), u32>,
    /// By body: the number of its activations.
    pub(super) count: Vec<u32>,
    pub(super) fields: Map<(ObjectId, u32), u32>,
    /// By container: the names of its fields.
    pub(super) names_of: Map<ObjectId, Vec<u32>>,
    /// Worklist of objects that arrived at slots; `false` means that only the evidence improved.
    pub(super) light: VecDeque<(u32, ObjectId, Evidence, bool)>,
    /// Edges that inspect objects, to create each of them once.
    pub(super) connected: Numbers<(u32, u32, Way)>,
    /// Limit for the number of edges.
    pub(super) edge_limit: usize,
    /// Worklist of objects that arrived at the end of an edge with a transfer function.
    pub(super) ways: VecDeque<(u32, Way, ObjectId, Evidence)>,
    pub(super) heavy: VecDeque<Heavy>,
    /// By class: for each position in the list of bases, the objects that reach it.
    pub(super) bases: Map<ObjectId, Vec<Vec<ObjectId>>>,
    /// Cache of method resolution orders.
    pub(super) orders: Map<ObjectId, Rc<[ObjectId]>>,
    pub(super) bases_changed: bool,
    /// By name: member lookups that found nothing yet.
    pub(super) pending: Map<u32, Vec<Pending>>,
    pub(super) hints: Vec<Hint>,
    pub(super) unknown_keys: Vec<UnknownKey>,
    pub(super) module_activations: Map<usize, u32>,
    pub(super) exports: Map<(usize, u32), u32>,
    pub(super) stars: Map<usize, Vec<ObjectId>>,
    pub(super) star_waiting: Map<usize, Vec<(u32, u32)>>,
    /// Lookups already made through the wildcard imports of a unit. Guards against modules that import each other.
    pub(super) star_asked: Numbers<(usize, u32, u32)>,
    pub(super) bound_calls: Numbers<(u32, u32, u32, ObjectId)>,
    /// By instruction: whether the call has a known callee.
    pub(super) resolved: Vec<bool>,
    /// Cache of member lookups, by class and name: the field, and the value of `rounds` at the time of the lookup.
    pub(super) found: Map<(ObjectId, u32), (u32, u32)>,
    /// By name: how often a class got a member of this name. A changed count invalidates `found`.
    pub(super) rounds: Map<u32, u32>,
    pub(super) calls: Vec<CallRow>,
    /// Instantiations: which symbol creates instances of which class.
    pub(super) instances: Vec<CallRow>,
    pub(super) externals: Vec<String>,
    /// By external object: the unit that named it first.
    pub(super) external_units: Vec<usize>,
    /// Calls whose first argument selects the function that runs.
    pub(super) dispatches: Vec<Dispatch>,
    pub(super) dispatch_numbers: Map<(u32, u32, ObjectId), u32>,
    /// Calls that wait for their arguments to select a function, and how many of them have been decided.
    pub(super) choices: Vec<Choice>,
    pub(super) decided: usize,
    pub(super) chosen: Numbers<(u32, u32, ObjectId, ObjectId)>,
    /// Functions of the same name that one type has from several implementations.
    pub(super) rivals: Numbers<ObjectId>,
    /// Names under which instances hold a value, for types whose missing members may come from another object.
    pub(super) kept: Numbers<(ObjectId, u32)>,
    /// Members whose declared class is certain, with the slots of their declared values. Stores do not change them.
    pub(super) sealed: Map<(ObjectId, u32), u32>,
    /// Implementations for any type that have bounds on the type.
    pub(super) bounded: Numbers<ObjectId>,
    /// External types that inherit members from classes of this repository.
    pub(super) extended: Numbers<ObjectId>,
    pub(super) external_numbers: HashMap<String, u32>,
    /// Built-in classes, by language (the address of its static name) and class name.
    pub(super) prelude_classes: Map<(usize, u32), ObjectId>,
    pub(super) sites: Map<(u32, u32), u32>,
    pub(super) names: Names,
    pub(super) work: usize,
    /// Slots that dropped objects because of a limit.
    pub(super) overfull: Numbers<u32>,
    /// Slots that dropped objects which can be called or have members.
    pub(super) cut: Numbers<u32>,
    /// What is left of the budget [`MAX_WIDE`].
    pub(super) wide: usize,
    pub(super) clones: usize,
    pub(super) clone_budget: usize,
    pub(super) overflows: usize,
    pub(super) exhausted: bool,
    pub(super) instantiated: Numbers<ObjectId>,
    /// Slots that the fallback for missing members filled, with the receiver.
    pub(super) answered: Numbers<(u32, ObjectId)>,
    /// Classes whose instances have no members of their own.
    pub(super) closed: Numbers<ObjectId>,
    /// Built-in classes that hold one value.
    pub(super) wrappers: Numbers<ObjectId>,
    /// By class of an implementation: the line of the implementation.
    pub(super) implement_lines: Map<ObjectId, u32>,
    /// Collections that hold only strings and numbers. Accesses to them are not followed.
    pub(super) data: Numbers<ObjectId>,
    /// Cache of [`Engine::callee_of`] for definitions of preludes.
    pub(super) callees: Map<(u32, u32), Option<Callee>>,
    /// Cache of members of external objects, by external and name.
    pub(super) below: Map<(u32, u32), Option<ObjectId>>,
    /// Units that code other than tests imports.
    pub(super) used: Numbers<usize>,
    /// Bodies that have run, each with the activation that created its function.
    pub(super) entered: Numbers<(u32, u32)>,
    /// By function: the first object that holds it in a field. This object is the receiver if nothing else is known.
    pub(super) holders: Map<ObjectId, ObjectId>,
    /// Prefixes of external paths that name only types, for all languages of the program.
    pub(super) typing: Vec<&'static str>,
    /// Calls that wait for their callee, receiver or an argument. Edges refer to them by index.
    pub(super) waiting_calls: Vec<Call<'s>>,
    /// By object: the objects that get a copy of its fields, each with a list of names to leave out.
    pub(super) merges: Map<ObjectId, Vec<(ObjectId, u32)>>,
    /// Lists of names that merges leave out.
    pub(super) left_out: Vec<Vec<u32>>,
    /// By unit and instruction: the list of names that its merge leaves out.
    pub(super) left_out_by: Map<(usize, u32), u32>,
    /// Call graph of activations: caller, callee, and the slot that catches exceptions, or [`NONE`].
    pub(super) reached: Vec<(u32, u32, u32)>,
    /// Exceptions that were already propagated, to do it once.
    pub(super) carried: Numbers<(u32, u32)>,
    /// By name: the classes that have the name.
    pub(super) class_names: Map<u32, Vec<ObjectId>>,
    /// By class and name: the slot with all overloads from the class and its bases, if there are several.
    pub(super) overload_sets: Map<(ObjectId, u32), u32>,
    /// Bodies that have an overload in another class of the hierarchy.
    pub(super) overloaded: Numbers<u32>,
    /// Names of members that classes declare without a value.
    pub(super) declared_members: Numbers<u32>,
    /// By field of a class that declares a member: the fields of the instances.
    pub(super) families: Map<u32, Vec<u32>>,
    /// By module and name: the units of the module that define the name.
    pub(super) defined_in: Map<(u32, u32), Vec<u32>>,
    /// Names of methods that some file calls or references, in languages with
    /// [`FlowRules::packages`](super::FlowRules).
    pub(super) asked_for: HashSet<&'s str>,
    /// Calls of methods through their class that were already made, with the callee.
    pub(super) referenced: Numbers<(u32, u32, ObjectId)>,
    /// By class: the built-in collection that it extends.
    pub(super) collections: Map<ObjectId, Option<ObjectId>>,
    /// By call and receiver: the only overload that applies.
    pub(super) meant: Map<(u32, u32, ObjectId), ObjectId>,
    /// Classes whose order is being computed, each for the sake of the one before. Bounds the recursion.
    pub(super) ordering: usize,
    /// By file and definition of a class: the names of its fields.
    pub(super) fields_by_class: Map<(usize, u32), std::rc::Rc<[&'s str]>>,
    /// The functions that fit a call that chooses from several.
    pub(super) fitting: Map<super::overloads::FittingKey, super::overloads::Fitting<'s>>,
    /// Calls whose overload is not decided yet.
    pub(super) undecided: Vec<super::overloads::Undecided<'s>>,
    pub(super) declared: Declared,
    pub(super) spaces: Spaces,
}

/// Interned names with a special meaning.
pub(super) struct Names {
    /// Elements without a known key.
    pub(super) unkeyed: u32,
    /// All elements: every keyed element also flows into this field.
    pub(super) all: u32,
    /// The keys of a map.
    pub(super) keys: u32,
    /// The module itself, for modules that export one value.
    pub(super) whole: u32,
    /// Values that are sent to a generator.
    pub(super) sent: u32,
    /// Bounds of an implementation for any type.
    pub(super) bounds: u32,
    /// By name: the name of its setter, for names that have a setter in some class.
    pub(super) setters: Map<u32, u32>,
}

/// Runs the analysis on a program.
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
    // Reserved capacity: growing by doubling would touch twice the memory.
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
        external_numbers: HashMap::default(),
        prelude_classes: Map::default(),
        sites: Map::default(),
        names,
        work: 0,
        overfull: Numbers::default(),
        cut: Numbers::default(),
        clones: 0,
        // Beyond this budget, more contexts cost more time than they gain precision.
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
        ordering: 0,
        fields_by_class: Map::default(),
        fitting: Map::default(),
        undecided: Vec::new(),
        declared: Declared::default(),
        spaces,
    };
    engine.run();
    engine.outcome()
}

/// For modules of several files: which units define which name.
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

/// The names of methods that any file calls or references. Their names end in `()`.
fn asked_for<'s>(program: &Program<'s>) -> HashSet<&'s str> {
    let mut found = HashSet::default();
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
        // Preludes run first, because built-in collections are instances of their classes.
        let mut order: Vec<usize> = (0..self.program.units.len()).collect();
        order.sort_by_key(|unit| (self.program.units[*unit].path.is_some(), *unit));
        // Imports can be cyclic. All modules get their slots before any module runs.
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
        // Exceptions are propagated along the call graph, so most calls must be known first.
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

    /// Enters functions that nothing in the program calls as if called from outside: first functions, then methods.
    fn enter_uncalled(&mut self) {
        for round in 0..5 {
            loop {
                let uncalled = self.uncalled(round);
                if uncalled.is_empty() {
                    break;
                }
                // One function at a time: the callees of one function need not be entered, and their data stays in the
                // CPU cache.
                for function in uncalled {
                    self.enter_from_outside(function);
                    self.drain();
                }
                self.settle();
            }
        }
    }

    /// Runs the worklists and the fallbacks until nothing changes.
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
            // A class has a fixed number of overloads of one name, so the usual limit does not apply.
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
                self.drop_object(slot, object);
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
            Put::Full => self.drop_object(slot, object),
        }
    }

    /// Notes that a slot has no room for an object.
    fn drop_object(&mut self, slot: u32, object: ObjectId) {
        self.overfull.insert(slot);
        if self.leads_to_calls(object) {
            self.cut.insert(slot);
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
        // Edges that inspect objects can be requested repeatedly, also in cycles. They are created once.
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

    /// Passes an object along an edge. Edges with a transfer function are queued, so that long chains do not recurse.
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

    /// Runs the transfer function of an edge for an object.
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

    /// The evidence of an object after it crossed a call, a field or a container.
    pub(super) fn crossed(&self, object: ObjectId, evidence: Evidence) -> Evidence {
        match self.objects.get(object) {
            Object::Module(_) | Object::Class { .. } | Object::External(_) | Object::Literal(_) => evidence,
            Object::Instance { .. } => evidence.max(Evidence::Typed),
            _ => Evidence::Flow,
        }
    }

    /// Propagates an object that is new in a slot, or whose evidence improved.
    pub(super) fn arrive(&mut self, slot: u32, object: ObjectId, evidence: Evidence, is_new: bool) {
        let mut edge = self.slots[slot as usize].first_edge;
        while let Some(row) = self.edges.get(edge as usize) {
            let (to, way, next) = (row.to, row.way, row.next);
            // Inspecting an object a second time finds nothing new.
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
                // Members must exist before a lookup asks for them.
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
            if light {
                self.execute(heavy)
            } else {
                self.heavy.push_back(heavy)
            }
        }
    }
}

/// A call site in one activation, with everything that binding its arguments needs.
///
/// A `Call` has no callee: the solver applies it to each object that reaches the callee slot.
#[derive(Clone)]
pub(super) struct Call<'s> {
    pub(super) activation: u32,
    /// The instruction. Together with `activation`, it identifies the call.
    pub(super) key: u32,
    /// The slot for the result, or [`NONE`].
    pub(super) to: u32,
    pub(super) arguments: &'s [FlowArgument],
    pub(super) line: u32,
    pub(super) flags: u8,
    /// The slot of the receiver, or [`NONE`].
    pub(super) receiver: u32,
    /// Slots of any activation whose contents are passed before the arguments. [`NOTHING`] is an argument that is not
    /// followed.
    pub(super) leading: [u32; 2],
    /// The slot that holds the callee and its overloads, or [`NONE`].
    pub(super) among: u32,
    /// Whether everything that selects an overload is known.
    pub(super) decided: bool,
}

impl Call<'_> {
    /// A call that the source does not write, such as an operator or a protocol method.
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

/// No leading argument.
pub(super) const ABSENT: u32 = NONE;
/// A leading argument whose value is not followed.
pub(super) const NOTHING: u32 = NONE - 1;
