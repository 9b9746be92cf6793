//! How work is divided: visitors, strategies, commands, template methods, decorators.

use std::collections::BTreeSet;

use lore_base::counted::counted;
use lore_model::{EdgeKind, Modifier, Symbol, SymbolId, SymbolKind};

use super::Proof;
use super::program::{Program, begins, calls, foreign_bases, is_abstract, methods, names, owner, targets};

/// Types that are called with each kind of element: by at least three methods that begin with `visit`, or by name; with implementations, and with
/// something that is not a visitor and calls them.
pub(super) fn visitor(program: &Program<'_>) -> Vec<Proof> {
    const FOREIGN: &[&str] = &["ast.NodeVisitor", "ast.NodeTransformer"];
    let mut proofs = Vec::new();
    for symbol in program.types() {
        let visits: Vec<Symbol<'_>> = methods(symbol)
            .filter(|method| begins(method.name(), "visit"))
            .collect();
        if foreign_bases(symbol).any(|base| FOREIGN.contains(&base)) && visits.len() >= 2 {
            let coverage = format!("visits {} of a syntax tree", counted(visits.len(), "kind"));
            proofs.push(Proof::of("visitor", symbol, coverage));
            continue;
        }
        let is_named = symbol.name().ends_with("Visitor") && is_abstract(symbol);
        let called: Vec<Symbol<'_>> = match (visits.len() >= 3, is_named) {
            (true, _) => visits,
            (false, true) => methods(symbol).collect(),
            (false, false) => continue,
        };
        let implementations = program.descendants(symbol);
        let visitors: BTreeSet<SymbolId> = implementations.iter().chain([&symbol]).map(|one| one.id()).collect();
        let overriding: BTreeSet<SymbolId> = called
            .iter()
            .flat_map(|method| program.overriders(*method))
            .filter_map(owner)
            .map(|class| class.id())
            .collect();
        let mut guides = called
            .iter()
            .flat_map(|method| program.callers(*method))
            .filter(|caller| owner(*caller).is_none_or(|class| !visitors.contains(&class.id())));
        let least = if is_named { 2 } else { 1 };
        let guide = guides.find(|guide| {
            // It is given the visitor, rather than having made it.
            let takes = |text: &str| names(text, symbol.name());
            takes(guide.signature())
                || owner(*guide).is_some_and(|class| class.children().any(|child| takes(child.signature())))
        });
        if let (true, Some(guide)) = (overriding.len() >= least, guide) {
            let coverage = format!(
                "{}, guided by {}",
                counted(overriding.len(), "implementation"),
                guide.plain_name()
            );
            proofs.push(Proof::of("visitor", symbol, coverage));
        }
    }
    proofs
}

/// Abstract types called after ways of doing something, with at least two implementations and somebody else who calls them.
pub(super) fn strategy(program: &Program<'_>) -> Vec<Proof> {
    let is_named = |symbol: &Symbol<'_>| ["Strategy", "Policy"].iter().any(|end| symbol.name().ends_with(end));
    program
        .types()
        .filter(|symbol| is_named(symbol) && is_abstract(*symbol))
        .filter_map(|symbol| {
            let implementations = program.descendants(symbol);
            let own: BTreeSet<SymbolId> = implementations.iter().chain([&symbol]).map(|one| one.id()).collect();
            let callers: BTreeSet<SymbolId> = methods(symbol)
                .flat_map(|method| program.callers(method))
                .filter(|caller| owner(*caller).is_none_or(|class| !own.contains(&class.id())))
                .map(|caller| caller.id())
                .collect();
            let coverage = format!(
                "{}, used by {}",
                counted(implementations.len(), "implementation"),
                counted(callers.len(), "caller")
            );
            (implementations.len() >= 2 && !callers.is_empty()).then(|| Proof::of("strategy", symbol, coverage))
        })
        .collect()
}

/// A base called a command whose one method to run it at least three types define, where something calls that method without knowing which.
pub(super) fn command(program: &Program<'_>) -> Vec<Proof> {
    const RUNS: &[&str] = &["apply", "call", "execute", "handle", "invoke", "perform", "run"];
    let mut proofs = Vec::new();
    for symbol in program.types().filter(|symbol| symbol.name().ends_with("Command")) {
        let runs = methods(symbol).filter(|method| RUNS.contains(&method.name().to_lowercase().as_str()));
        let run = runs.filter_map(|method| {
            let overriders = program.overriders(method).into_iter().filter_map(owner);
            let commands: BTreeSet<SymbolId> = overriders.map(|one| one.id()).collect();
            let mut callers = program.callers(method).into_iter();
            let invoker = callers.find(|caller| owner(*caller).is_none_or(|class| !commands.contains(&class.id())))?;
            (commands.len() >= 3).then_some((commands.len(), method, invoker))
        });
        let best = run.max_by_key(|(count, method, _)| (*count, std::cmp::Reverse(method.id())));
        if let Some((count, method, invoker)) = best {
            let coverage = format!("{count} commands, {} called by {}", method.name(), invoker.plain_name());
            proofs.push(Proof::of("command", symbol, coverage));
        }
    }
    proofs
}

/// What every type may define in terms of others without being a template.
const GENERAL: &[&str] = &["clone", "compareto", "equals", "hash", "hashcode", "tostring"];

/// Types with a method that calls at least two others of the type which it leaves to those that derive from it, where at least three do.
pub(super) fn template_method(program: &Program<'_>) -> Vec<Proof> {
    let is_open = |method: &Symbol<'_>| method.modifiers().contains(Modifier::Abstract);
    let mut proofs = Vec::new();
    for symbol in program.types().filter(|symbol| is_abstract(*symbol)) {
        let is_step = |step: &Symbol<'_>| is_open(step) && owner(*step).is_some_and(|one| one.id() == symbol.id());
        let mut best: Option<(usize, usize, Symbol<'_>)> = None;
        for method in methods(symbol).filter(|method| !is_open(method) && method.complexity().is_some()) {
            if GENERAL.contains(&method.name().to_lowercase().as_str()) {
                continue;
            }
            let (mut steps, mut classes) = (BTreeSet::new(), BTreeSet::new());
            for step in calls(method).filter(is_step) {
                let overriding = program.overriders(step).into_iter().filter_map(owner);
                let overriding: BTreeSet<SymbolId> = overriding.map(|one| one.id()).collect();
                if overriding.len() >= 3 {
                    steps.insert(step.name());
                    classes.extend(overriding);
                }
            }
            // One step that is left open is a hook; a template has several.
            if steps.len() >= 2 && best.is_none_or(|(most, _, _)| steps.len() > most) {
                best = Some((steps.len(), classes.len(), method));
            }
        }
        if let Some((steps, classes, method)) = best {
            let coverage = format!("{} calls {steps} steps that {classes} types define", method.name());
            proofs.push(Proof::of("template method", symbol, coverage));
        }
    }
    proofs
}

/// What holds several things.
const SEVERAL: &[&str] = &[
    "[]",
    "Array",
    "Collection",
    "Iterable",
    "List",
    "Map",
    "Queue",
    "Set",
    "Vec",
    "slice",
];

/// Types that implement an interface hold another of it and hand on at least two of its methods to that.
pub(super) fn decorator(program: &Program<'_>) -> Vec<Proof> {
    let mut proofs = Vec::new();
    for symbol in program.types().filter(|symbol| !is_abstract(*symbol)) {
        let interfaces = targets(symbol, EdgeKind::Implements).chain(targets(symbol, EdgeKind::Extends));
        for interface in interfaces.filter(|base| matches!(base.kind(), SymbolKind::Interface | SymbolKind::Trait)) {
            if !program.has(interface) {
                continue;
            }
            let holds = symbol.children().any(|child| {
                let is_field = child.kind() == SymbolKind::Field && names(child.signature(), interface.name());
                // What holds several of them is a composite.
                let is_several = SEVERAL.iter().any(|word| child.signature().contains(word));
                is_field && !is_several && targets(child, EdgeKind::References).any(|held| held.id() == interface.id())
            });
            let handed_on = methods(symbol).filter(|method| {
                let stands_for = |target: Symbol<'_>| {
                    owner(target).is_some_and(|one| one.id() == interface.id()) && target.name() == method.name()
                };
                targets(*method, EdgeKind::Overrides).any(stands_for) && calls(*method).any(stands_for)
            });
            let count = handed_on.count();
            if holds && count >= 2 {
                let coverage = format!("hands on {count} methods of {}", interface.name());
                proofs.push(Proof::of("decorator", symbol, coverage));
                break;
            }
        }
    }
    proofs
}
