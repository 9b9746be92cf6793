//! Observer and event patterns: listeners register, and emitters notify all of them.

use std::collections::BTreeSet;

use lore_base::counted::counted;
use lore_model::{EdgeKind, Resolution, Symbol};

use super::Proof;
use super::program::{Program, calls, foreign_bases, is_abstract, methods, targets};

/// What one is called who wants to know, and what one does who knows.
const SUBSCRIBE: &[&str] = &[
    "addeventlistener",
    "addhandler",
    "addlistener",
    "addobserver",
    "addsubscriber",
    "connect",
    "on",
    "once",
    "registerlistener",
    "registerobserver",
    "subscribe",
];
const PUBLISH: &[&str] = &[
    "broadcast",
    "dispatch",
    "dispatchevent",
    "emit",
    "emitevent",
    "fire",
    "fireevent",
    "notify",
    "notifyall",
    "notifylisteners",
    "notifyobservers",
    "post",
    "publish",
    "raise",
    "send",
    "sendrobust",
    "trigger",
];

/// Modules that have to take part for the whole to be called after it, and how many of a hundred.
const MIN_MODULES: usize = 5;
const MIN_SHARE: usize = 15;

/// A type that takes what is to be called and calls it later, where several modules give it something and others have it told.
pub(super) fn event_bus(program: &Program<'_>) -> Vec<Proof> {
    let mut proofs = Vec::new();
    for bus in program.types() {
        let named = |words: &[&str]| -> Vec<Symbol<'_>> {
            methods(bus)
                .filter(|method| words.contains(&squeezed(method.name()).as_str()))
                .collect()
        };
        let (takes, tells) = (named(SUBSCRIBE), named(PUBLISH));
        if takes.is_empty() || tells.is_empty() || !calls_back(program, bus, &takes, &tells) {
            continue;
        }
        let others = |methods: &[Symbol<'_>]| -> BTreeSet<usize> {
            let callers: Vec<Symbol<'_>> = methods.iter().flat_map(|method| program.callers(*method)).collect();
            let mut modules = program.modules_of(&callers);
            modules.retain(|module| Some(*module) != program.module(bus));
            modules
        };
        let (listening, telling) = (others(&takes), others(&tells));
        let all: BTreeSet<usize> = listening.union(&telling).copied().collect();
        if listening.len() < 2 || telling.is_empty() || all.len() < 3 {
            continue;
        }
        let coverage = format!(
            "{} listen, {} tell",
            counted(listening.len(), "module"),
            counted(telling.len(), "module")
        );
        let proof = Proof::of("event bus", bus, coverage);
        if all.len() >= MIN_MODULES && all.len() * 100 >= program.parts().count() * MIN_SHARE {
            let coverage = format!("{} of {} modules", all.len(), program.parts().count());
            proofs.push(Proof::of_whole("event-driven", &proof.location, coverage));
        }
        proofs.push(proof);
    }
    proofs.extend(emitters(program));
    proofs
}

/// A name without what parts its words.
fn squeezed(name: &str) -> String {
    name.chars()
        .filter(|letter| *letter != '_')
        .collect::<String>()
        .to_lowercase()
}

/// Whether a type calls, where it tells, what it was given: functions of several other modules, or the methods of an interface that it takes.
fn calls_back(program: &Program<'_>, bus: Symbol<'_>, takes: &[Symbol<'_>], tells: &[Symbol<'_>]) -> bool {
    let is_own = |symbol: Symbol<'_>| symbol.parent().is_some_and(|owner| owner.id() == bus.id());
    // What it tells with, and what of its own that calls.
    let helpers = tells
        .iter()
        .flat_map(|method| calls(*method))
        .filter(|helper| is_own(*helper));
    let tellers: Vec<Symbol<'_>> = tells.iter().copied().chain(helpers).collect();
    let listeners: BTreeSet<_> = takes
        .iter()
        .flat_map(|method| targets(*method, EdgeKind::References))
        .filter(|listener| is_abstract(*listener) && listener.id() != bus.id())
        .map(|listener| listener.id())
        .collect();
    let told = tellers
        .iter()
        .flat_map(|method| calls(*method))
        .filter_map(|target| target.parent());
    if told.into_iter().any(|owner| listeners.contains(&owner.id())) {
        return true;
    }
    let mut modules = BTreeSet::new();
    for edge in tellers.iter().flat_map(|method| method.edges()) {
        if edge.kind() == EdgeKind::Call && edge.resolution() == Resolution::Flow {
            let target = edge.target().symbol().filter(|target| !is_own(*target));
            modules.extend(target.and_then(|target| program.module(target)));
        }
    }
    modules.retain(|module| Some(*module) != program.module(bus));
    modules.len() >= 2
}

/// Types that derive from the event emitter of a platform and emit.
fn emitters(program: &Program<'_>) -> Vec<Proof> {
    let is_emitter = |name: &str| name.ends_with("EventEmitter") || name == "events" || name == "node:events";
    program
        .types()
        .filter(|symbol| foreign_bases(*symbol).any(is_emitter))
        .filter_map(|emitter| {
            let emits = methods(emitter).filter(|method| {
                method.edges().any(|edge| match edge.target() {
                    lore_model::EdgeTarget::External(name) => edge.kind() == EdgeKind::Call && name.ends_with(".emit"),
                    lore_model::EdgeTarget::Symbol(_) => false,
                })
            });
            let emits = emits.count();
            let coverage = format!("{} emit events", counted(emits, "method"));
            (emits > 0).then(|| Proof::of("event emitter", emitter, coverage))
        })
        .collect()
}
