//! Which method overrides which: the nearest of its name on each path along the bases and interfaces of its class.

use foldhash::HashMap;
use std::collections::BTreeMap;

use lore_model::{BodyFlags, Definition, EdgeKind, EdgeMarks, Modifier, NONE, Resolution, SymbolKind, Visibility};

use super::Mention;
use crate::solve::{Callee, Program, Unit};

/// Levels of bases that are asked.
const MAX_LEVELS: u32 = 100;
/// Classes in the lookup order of one class.
const MAX_ORDER: usize = 256;

/// The bases of classes, in the order in which they are asked for members; what a class promises comes after what it extends.
#[derive(Default)]
pub(super) struct Hierarchy {
    extended: BTreeMap<u32, Vec<u32>>,
    implemented: BTreeMap<u32, Vec<u32>>,
}

impl Hierarchy {
    /// Adds a base of a class.
    pub(super) fn extend(&mut self, class: u32, base: Callee) {
        add(&mut self.extended, class, base);
    }

    /// The bases of a class.
    pub(super) fn bases(&self, class: u32) -> &[u32] {
        self.extended.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Adds what a class promises to have.
    pub(super) fn implement(&mut self, class: u32, interface: Callee) {
        add(&mut self.implemented, class, interface);
    }
}

fn add(bases: &mut BTreeMap<u32, Vec<u32>>, class: u32, base: Callee) {
    if let Callee::Symbol(base) = base
        && base != class
    {
        let bases = bases.entry(class).or_default();
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
}

/// One method of a class.
struct Method<'s> {
    name: &'s str,
    symbol: u32,
    row: &'s Definition,
    /// The names of the types that it takes, where these tell methods of one name apart.
    takes: Option<Vec<&'s str>>,
}

/// Adds an edge from every method to those that it overrides.
pub(super) fn find(program: &Program<'_>, hierarchy: &Hierarchy, mentions: &mut Vec<Mention>) {
    let mut classes: Vec<u32> = hierarchy
        .extended
        .keys()
        .chain(hierarchy.implemented.keys())
        .copied()
        .collect();
    classes.sort_unstable();
    classes.dedup();
    if classes.is_empty() {
        return;
    }
    let methods = methods(program);
    let mut orders = HashMap::default();
    for class in classes {
        let Some((unit, own)) = methods.get(&class) else {
            continue;
        };
        let Some(rules) = unit.language.flow else { continue };
        let order_of_class = order(hierarchy, class, &mut orders);
        for method in own {
            if (rules.is_own_member)(method.name) {
                continue;
            }
            // The nearest member on each path: a base behind a class whose member is overridden is not looked at.
            let mut behind: Vec<u32> = Vec::new();
            for base in &order_of_class[1..] {
                let Some((_, theirs)) = methods.get(base).filter(|_| !behind.contains(base)) else {
                    continue;
                };
                let Some(overridden) = overridden_in(method, theirs, rules.prototype.is_some()) else {
                    continue;
                };
                behind.extend(order(hierarchy, *base, &mut orders));
                mentions.push(Mention {
                    source: method.symbol,
                    kind: EdgeKind::Overrides,
                    target: Callee::Symbol(overridden),
                    file: unit.file,
                    line: method.row.place.line.get(),
                    resolution: Resolution::Exact as u8,
                    marks: EdgeMarks::NAMED,
                });
            }
        }
    }
    inherited(program, hierarchy, &methods, &mut orders, mentions);
}

/// Adds the edges of members that a class inherits and that implement a member of an interface of the class. The base that declares
/// the member need not know the interface, so the edge is at the line of the class.
fn inherited(
    program: &Program<'_>,
    hierarchy: &Hierarchy,
    methods: &Methods<'_, '_>,
    orders: &mut HashMap<u32, Vec<u32>>,
    mentions: &mut Vec<Mention>,
) {
    for (class, interfaces) in &hierarchy.implemented {
        let bases = extended(hierarchy, *class, orders, 0);
        if bases.len() < 2 {
            continue;
        }
        let Some((unit, line)) = place_of(program, *class) else {
            continue;
        };
        let Some(rules) = unit.language.flow else { continue };
        let apart = rules.prototype.is_some();
        let mut promised: Vec<u32> = Vec::new();
        for interface in interfaces {
            promised.extend(order(hierarchy, *interface, orders));
        }
        promised.sort_unstable();
        promised.dedup();
        let empty: &[Method<'_>] = &[];
        let own = methods.get(class).map_or(empty, |(_, own)| own.as_slice());
        for interface in promised {
            let Some((_, wanted)) = methods.get(&interface) else {
                continue;
            };
            for wanted in wanted.chunks(1) {
                let implements = |method: &&Method<'_>| overridden_in(method, wanted, apart).is_some();
                if own.iter().any(|method| implements(&method)) {
                    continue;
                }
                let found = bases[1..].iter().find_map(|base| {
                    let (_, theirs) = methods.get(base)?;
                    Some((*base, theirs.iter().find(implements)?))
                });
                let Some((base, method)) = found else { continue };
                // A base that promises the same has its own edge.
                if base == interface || order(hierarchy, base, orders).contains(&interface) {
                    continue;
                }
                mentions.push(Mention {
                    source: method.symbol,
                    kind: EdgeKind::Overrides,
                    target: Callee::Symbol(wanted[0].symbol),
                    file: unit.file,
                    line,
                    resolution: Resolution::Typed as u8,
                    marks: EdgeMarks::NAMED,
                });
            }
        }
    }
}

/// The file and the line of a symbol.
fn place_of<'p, 's>(program: &'p Program<'s>, symbol: u32) -> Option<(&'p Unit<'s>, u32)> {
    // The symbols of files follow each other in the order of the files.
    let at = program.units.partition_point(|unit| unit.first_symbol <= symbol);
    let unit = program.units.get(at.checked_sub(1)?)?;
    let row = unit.facts.definitions.get((symbol - unit.first_symbol) as usize)?;
    Some((unit, row.place.line.get()))
}

/// The methods of all classes, each class with a file that it is in.
type Methods<'p, 's> = HashMap<u32, (&'p Unit<'s>, Vec<Method<'s>>)>;

/// Adds the edges of members that stand in implementations.
pub(super) fn of_implementations(program: &Program<'_>, rows: &[(u32, u32)], mentions: &mut Vec<Mention>) {
    if rows.is_empty() {
        return;
    }
    let mut units: Vec<&Unit<'_>> = program.units.iter().filter(|unit| unit.path.is_some()).collect();
    units.sort_unstable_by_key(|unit| unit.first_symbol);
    for (own, promised) in rows {
        let at = units.partition_point(|unit| unit.first_symbol <= *own);
        let unit = at.checked_sub(1).map(|at| units[at]);
        let row = unit.and_then(|unit| unit.facts.definitions.get((*own - unit.first_symbol) as usize));
        mentions.push(Mention {
            source: *own,
            kind: EdgeKind::Overrides,
            target: Callee::Symbol(*promised),
            file: unit.map_or(NONE, |unit| unit.file),
            line: row.map_or(0, |row| row.place.line.get()),
            resolution: Resolution::Exact as u8,
            marks: EdgeMarks::NAMED,
        });
    }
}

/// The methods of all classes.
fn methods<'p, 's>(program: &'p Program<'s>) -> Methods<'p, 's> {
    let mut methods: Methods<'p, 's> = HashMap::default();
    for unit in program.units.iter().filter(|unit| unit.path.is_some()) {
        let taken = taken_types(unit);
        for (at, row) in unit.facts.definitions.iter().enumerate() {
            if !matches!(row.kind(), SymbolKind::Method | SymbolKind::Test) || !row.owner.is_empty() {
                continue;
            }
            if let Some(parent) = row.parent() {
                let method = Method {
                    name: unit.facts.get(row.name),
                    symbol: unit.first_symbol + at as u32,
                    row,
                    takes: taken.get(&(at as u32)).cloned(),
                };
                let class = unit.first_symbol + parent as u32;
                methods
                    .entry(class)
                    .or_insert_with(|| (unit, Vec::new()))
                    .1
                    .push(method);
            }
        }
    }
    methods
}

/// By definition: the names of the types that its parameters are declared to have, where methods of one name are told apart by them.
fn taken_types<'s>(unit: &Unit<'s>) -> HashMap<u32, Vec<&'s str>> {
    let flow = unit.facts.flow;
    if unit.language.flow.is_none_or(|rules| rules.overloads.is_none()) {
        return HashMap::default();
    }
    let members = flow
        .bodies
        .iter()
        .filter(|body| body.flags.get() & (BodyFlags::MEMBER | BodyFlags::HIDDEN) == BodyFlags::MEMBER);
    members
        .map(|body| {
            let parameters = &flow.parameters[body.parameters.indexes(flow.parameters.len())];
            let types = parameters.iter().map(|parameter| {
                let name = flow.names.get(parameter.declared.get() as usize);
                name.map_or("?", |name| unit.facts.get(*name))
            });
            (body.definition.get(), types.collect())
        })
        .collect()
}

/// Whether a method takes what another does; a type parameter may stand for anything.
fn takes_the_same(one: &Method<'_>, other: &Method<'_>) -> bool {
    match (&one.takes, &other.takes) {
        (Some(own), Some(theirs)) => {
            own.len() == theirs.len()
                && own
                    .iter()
                    .zip(theirs)
                    .all(|(one, other)| one == other || one.starts_with('?') || other.starts_with('?'))
        }
        _ => true,
    }
}

/// The method of a base that one of the same name overrides: the same accessor before any other. Where instances have members of their own,
/// those of the class are others.
fn overridden_in(method: &Method<'_>, theirs: &[Method<'_>], apart: bool) -> Option<u32> {
    let has = |method: &Method<'_>, modifier| method.row.modifiers().contains(modifier);
    let same = |other: &&Method<'_>, modifier| has(method, modifier) == has(other, modifier);
    let candidates = || {
        theirs.iter().filter(|other| {
            // Where methods are told apart by what they take, neither static nor private ones are overridden.
            let overrides = method.takes.is_none()
                || !has(method, Modifier::Static)
                    && !has(other, Modifier::Static)
                    && other.row.visibility() != Visibility::Private;
            other.name == method.name
                && (!apart || same(other, Modifier::Static))
                && overrides
                && takes_the_same(method, other)
        })
    };
    candidates()
        .find(|other| same(other, Modifier::Getter) && same(other, Modifier::Setter))
        .or_else(|| candidates().next())
        .map(|other| other.symbol)
}

/// The order in which a class and its bases are asked for members, then what they promise to have.
fn order(hierarchy: &Hierarchy, class: u32, known: &mut HashMap<u32, Vec<u32>>) -> Vec<u32> {
    let mut order = extended(hierarchy, class, known, 0);
    let mut at = 0;
    while let Some(class) = order.get(at).copied() {
        for interface in hierarchy.implemented.get(&class).into_iter().flatten() {
            for more in extended(hierarchy, *interface, known, 0) {
                if !order.contains(&more) && order.len() < MAX_ORDER {
                    order.push(more);
                }
            }
        }
        at += 1;
    }
    order
}

/// The order in which a class and its bases are asked for members.
fn extended(hierarchy: &Hierarchy, class: u32, known: &mut HashMap<u32, Vec<u32>>, level: u32) -> Vec<u32> {
    if let Some(order) = known.get(&class) {
        return order.clone();
    }
    if level > MAX_LEVELS {
        return vec![class];
    }
    // Guards against a class that is its own base.
    known.insert(class, vec![class]);
    let bases = hierarchy.extended.get(&class).map_or(&[][..], Vec::as_slice);
    let mut lists: Vec<Vec<u32>> = bases
        .iter()
        .map(|base| extended(hierarchy, *base, known, level + 1))
        .collect();
    lists.push(bases.to_vec());
    let mut order = vec![class];
    // The first head that stands in no tail comes next; where the bases contradict each other, simply the first.
    while order.len() < MAX_ORDER {
        lists.retain(|list| !list.is_empty());
        let in_tail = |class: u32| lists.iter().any(|list| list[1..].contains(&class));
        let next = lists
            .iter()
            .map(|list| list[0])
            .find(|head| !in_tail(*head))
            .or_else(|| lists.first().map(|list| list[0]));
        let Some(next) = next else { break };
        if next != class {
            order.push(next);
        }
        for list in &mut lists {
            list.retain(|other| *other != next);
        }
    }
    known.insert(class, order.clone());
    order
}
