//! What has the methods of an interface implements it, where nobody says so: by the names of the methods and how much they take and give.

use foldhash::HashMap;
use std::collections::BTreeMap;

use lore_model::{EdgeKind, EdgeMarks, NONE, Resolution, SymbolKind};

use super::overrides::Hierarchy;
use super::{Mention, is_type};
use crate::solve::{Callee, Program};

/// Levels of embedding that are looked through.
const MAX_LEVELS: u32 = 6;

/// How many values a method takes and gives.
type Width = (u32, u32);

/// A method that a type has.
#[derive(Clone, Copy)]
struct Method {
    symbol: u32,
    file: u32,
    line: u32,
    width: Width,
}

/// A type of the tree.
struct Type {
    symbol: u32,
    file: u32,
    line: u32,
    module: usize,
    is_interface: bool,
}

/// The methods that types declare themselves, by the symbol of the type and their name.
type Methods<'s> = HashMap<u32, BTreeMap<&'s str, Vec<Method>>>;

/// Adds an edge from every type to the interfaces whose methods it has, and from the methods to those of the interfaces.
pub(super) fn find(program: &Program<'_>, hierarchy: &Hierarchy, mentions: &mut Vec<Mention>) {
    let (types, own) = types(program);
    if !types.iter().any(|row| row.is_interface) {
        return;
    }
    let sets: Vec<BTreeMap<&str, Vec<Method>>> = types
        .iter()
        .map(|row| {
            let mut set = BTreeMap::new();
            collect(hierarchy, &own, row.symbol, 0, &mut set);
            set
        })
        .collect();
    // By name of a method: the types that have it, in order.
    let mut having: HashMap<&str, Vec<usize>> = HashMap::default();
    for (at, set) in sets.iter().enumerate().filter(|(at, _)| !types[*at].is_interface) {
        for name in set.keys() {
            having.entry(name).or_default().push(at);
        }
    }
    for (at, interface) in types.iter().enumerate().filter(|(_, row)| row.is_interface) {
        let wanted = &sets[at];
        let rarest = wanted.keys().min_by_key(|name| having.get(*name).map_or(0, Vec::len));
        let Some(candidates) = rarest.and_then(|name| having.get(name)) else {
            continue;
        };
        for candidate in candidates {
            let row = &types[*candidate];
            if implements(&sets[*candidate], wanted, row.module == interface.module) {
                mentions.push(Mention {
                    source: row.symbol,
                    kind: EdgeKind::Implements,
                    target: Callee::Symbol(interface.symbol),
                    file: row.file,
                    line: row.line,
                    resolution: Resolution::Typed as u8,
                    marks: EdgeMarks::NAMED,
                });
                overrides(&sets[*candidate], wanted, mentions);
            }
        }
    }
}

/// Whether methods are there for all that an interface wants. What is seen inside of a package only is had inside of it only.
fn implements(set: &BTreeMap<&str, Vec<Method>>, wanted: &BTreeMap<&str, Vec<Method>>, same_module: bool) -> bool {
    wanted.iter().all(|(name, methods)| {
        let is_seen = same_module || name.starts_with(char::is_uppercase);
        let fits = |method: &Method| methods.iter().any(|other| other.width == method.width);
        is_seen && set.get(name).is_some_and(|found| found.iter().any(fits))
    })
}

fn overrides(set: &BTreeMap<&str, Vec<Method>>, wanted: &BTreeMap<&str, Vec<Method>>, mentions: &mut Vec<Mention>) {
    for (name, methods) in wanted {
        for method in set.get(name).into_iter().flatten() {
            mentions.extend(methods.iter().map(|other| Mention {
                source: method.symbol,
                kind: EdgeKind::Overrides,
                target: Callee::Symbol(other.symbol),
                file: method.file,
                line: method.line,
                resolution: Resolution::Typed as u8,
                marks: EdgeMarks::NAMED,
            }));
        }
    }
}

/// The methods of a type with those of what it embeds, as far as none of the same name is nearer.
fn collect<'s>(
    hierarchy: &Hierarchy,
    own: &Methods<'s>,
    class: u32,
    level: u32,
    set: &mut BTreeMap<&'s str, Vec<Method>>,
) {
    for (name, methods) in own.get(&class).into_iter().flatten() {
        set.entry(name).or_insert_with(|| methods.clone());
    }
    if level < MAX_LEVELS {
        for base in hierarchy.bases(class) {
            collect(hierarchy, own, *base, level + 1, set);
        }
    }
}

/// The types of the files whose language knows interfaces by their methods, and the methods that they declare.
fn types<'s>(program: &Program<'s>) -> (Vec<Type>, Methods<'s>) {
    let mut types = Vec::new();
    let mut named: HashMap<(usize, &str), u32> = HashMap::default();
    let units = || {
        program
            .units
            .iter()
            .filter(|unit| unit.path.is_some() && unit.language.flow.is_some_and(|rules| rules.structural))
    };
    for unit in units() {
        for (at, row) in (0..).zip(unit.facts.definitions) {
            if is_type(row.kind()) {
                let symbol = unit.first_symbol + at;
                if row.parent.get() == NONE {
                    named.entry((unit.module, unit.facts.get(row.name))).or_insert(symbol);
                }
                types.push(Type {
                    symbol,
                    file: unit.file,
                    line: row.place.line.get(),
                    module: unit.module,
                    is_interface: row.kind() == SymbolKind::Interface,
                });
            }
        }
    }
    let mut own: Methods<'s> = HashMap::default();
    for unit in units() {
        let widths: HashMap<u32, Width> = unit
            .facts
            .flow
            .bodies
            .iter()
            .map(|body| (body.definition.get(), (body.parameters.len.get(), body.results.get())))
            .collect();
        for (at, row) in (0..).zip(unit.facts.definitions) {
            if row.kind() != SymbolKind::Method {
                continue;
            }
            let owner = unit.facts.get(row.owner);
            let class = match (owner, row.parent()) {
                ("", Some(parent)) => Some(unit.first_symbol + parent as u32),
                ("", None) => None,
                (owner, _) => named.get(&(unit.module, owner)).copied(),
            };
            if let (Some(class), Some(width)) = (class, widths.get(&at)) {
                let method = Method {
                    symbol: unit.first_symbol + at,
                    file: unit.file,
                    line: row.place.line.get(),
                    width: *width,
                };
                let methods = own.entry(class).or_default();
                methods.entry(unit.facts.get(row.name)).or_default().push(method);
            }
        }
    }
    (types, own)
}
