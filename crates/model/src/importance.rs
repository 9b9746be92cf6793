//! The importance of each symbol: a random walk along the edges with restarts (PageRank), in integers, weighed by what people name.
//!
//! The visits of the walk say what much of the code depends on, which helpers and aliases of types are too. People name what a package
//! hands on, documents and shows in its tests and examples, and types before their members. So the importance of a symbol is the root
//! of its visits, times a factor for each of these. The average symbol has [`AVERAGE`]. Sums of integers are the same in any order
//! and on any machine.

use crate::snapshot::EdgeRow;
use crate::{EdgeKind, NONE, SymbolKind, U32, Visibility};

/// The importance of an average symbol.
pub const AVERAGE: u32 = 1_000;

/// Steps of the walk; later steps change little.
const ROUNDS: usize = 16;
/// The percentage of steps that follow an edge; the others restart.
const FOLLOWED: u64 = 85;
/// The initial share of a symbol.
const UNIT: u64 = 1 << 20;
/// The weight of the step from a member to its owner.
const MEMBER: u64 = 40;
/// The number of restarts at a test for each hundred restarts at another symbol.
const IN_TEST: u64 = 20;

/// The weight of an edge, in percent.
fn weight(kind: EdgeKind) -> u64 {
    match kind {
        EdgeKind::Call | EdgeKind::Instantiates | EdgeKind::Extends | EdgeKind::Implements => 100,
        EdgeKind::References | EdgeKind::Reads | EdgeKind::Import => 40,
        EdgeKind::Overrides => 30,
        // The edge repeats a call.
        EdgeKind::Tests => 0,
    }
}

/// What the importance of a symbol depends on, beside its edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) kind: SymbolKind,
    pub(crate) visibility: Visibility,
    pub(crate) is_documented: bool,
    /// The number of its file.
    pub(crate) file: u32,
    /// Whether its file is a test, an example or documentation.
    pub(crate) is_use: bool,
    /// The first of the symbols with its name and owner: overloads are one definition for people.
    pub(crate) first: u32,
}

/// The percentage of the visits that counts for a kind.
fn of_kind(kind: SymbolKind, is_handed_on: bool) -> u64 {
    match kind {
        SymbolKind::Class | SymbolKind::Struct => 160,
        SymbolKind::Trait => 140,
        SymbolKind::Interface => 120,
        SymbolKind::Function | SymbolKind::Enum => 100,
        // A value that a package hands on is often a function that another one made.
        SymbolKind::Constant | SymbolKind::Static if is_handed_on => 80,
        SymbolKind::Macro => 60,
        SymbolKind::Static => 40,
        SymbolKind::Method => 35,
        SymbolKind::Namespace => 30,
        SymbolKind::Constant => 25,
        SymbolKind::TypeAlias => 20,
        // What is no code has an order of its own.
        SymbolKind::Module | SymbolKind::Table | SymbolKind::View | SymbolKind::Target | SymbolKind::Block => 100,
        _ => 10,
    }
}

/// The percentage that counts if the symbol, or what it is in, is hidden from other packages.
const HIDDEN: u64 = 30;
/// The percentage that counts for a symbol with documentation.
const DOCUMENTED: u64 = 160;
/// The percentage that counts for what the package's own entry file hands on.
const HANDED_ON: u64 = 300;
/// The percentage that counts in tests, examples and documentation.
const IN_USE: u64 = 10;

/// The importance of each symbol, from the edges, the parents, and what else is known of each. `is_entry` says of a file and another
/// whether the first is the entry file of a package with the second.
pub(crate) fn importance(
    edges: &[EdgeRow],
    parents: &[U32],
    standings: &[Standing],
    is_entry: impl Fn(u32, u32) -> bool,
) -> Vec<U32> {
    let visits = visits(edges, parents, |symbol| {
        standings.get(symbol).is_some_and(|standing| standing.is_use)
    });
    let (users, handed_on) = users(edges, parents, standings, is_entry);
    let shares: Vec<u64> = (0..parents.len())
        .map(|symbol| {
            let Some(standing) = standings.get(symbol) else {
                return 0;
            };
            let first = standing.first as usize;
            let is_handed_on = handed_on.get(first).copied().unwrap_or(false);
            let mut share = (visits[symbol] << 20).isqrt() * of_kind(standing.kind, is_handed_on) / 100;
            let [own, others] = users.get(first).copied().unwrap_or_default();
            share = share * (QUARTERS + quarters(own)) * (QUARTERS + quarters(others)) / (QUARTERS * QUARTERS);
            let factors = [
                (is_hidden(symbol, parents, standings), HIDDEN),
                (standing.is_documented, DOCUMENTED),
                (is_handed_on, HANDED_ON),
                (standing.is_use, IN_USE),
            ];
            factors
                .into_iter()
                .filter(|(applies, _)| *applies)
                .fold(share, |share, (_, percent)| share * percent / 100)
        })
        .collect();
    // The average stays what it is.
    let all = shares.iter().map(|share| u128::from(*share)).sum::<u128>().max(1);
    let whole = u128::from(AVERAGE) * shares.len() as u128;
    shares
        .into_iter()
        .map(|share| U32::from((u128::from(share) * whole / all).min(u128::from(u32::MAX)) as u32))
        .collect()
}

/// The parts of one in [`quarters`].
const QUARTERS: u64 = 4;

/// The binary logarithm of a number plus one, in quarters.
fn quarters(number: u32) -> u64 {
    let number = u64::from(number.min(60_000)) + 1;
    u64::from(number.pow(4).ilog2())
}

/// Whether a symbol or something around it is hidden from other packages.
fn is_hidden(symbol: usize, parents: &[U32], standings: &[Standing]) -> bool {
    let mut at = symbol;
    for _ in 0..crate::graph::MAX_NESTING {
        let Some(standing) = standings.get(at).filter(|standing| standing.kind != SymbolKind::Module) else {
            return false;
        };
        if matches!(standing.visibility, Visibility::Private | Visibility::Internal) {
            return true;
        }
        match parents.get(at) {
            Some(parent) if parent.get() != NONE => at = parent.get() as usize,
            _ => return false,
        }
    }
    false
}

/// How many other files use each symbol or a member of it: tests, examples and documentation, and the rest. And what the entry files
/// of packages import. Both for the first of overloads.
fn users(
    edges: &[EdgeRow],
    parents: &[U32],
    standings: &[Standing],
    is_entry: impl Fn(u32, u32) -> bool,
) -> (Vec<[u32; 2]>, Vec<bool>) {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut handed_on = vec![false; parents.len()];
    for edge in edges.iter().filter(|edge| edge.is_external == 0) {
        let kind = EdgeKind::from_number(edge.kind);
        let (source, target) = (edge.source.get() as usize, edge.target.get() as usize);
        let (Some(from), Some(to)) = (standings.get(source), standings.get(target)) else {
            continue;
        };
        if from.file == to.file || kind.is_none_or(|kind| weight(kind) == 0 || kind == EdgeKind::Overrides) {
            continue;
        }
        if kind == Some(EdgeKind::Import) && !from.is_use && is_entry(from.file, to.file) {
            handed_on[to.first as usize] = true;
        }
        pairs.push((to.first, from.file));
        let owner = parents
            .get(target)
            .map(|parent| parent.get())
            .filter(|parent| *parent != NONE);
        if let Some(owner) = owner
            .and_then(|owner| standings.get(owner as usize))
            .filter(|owner| owner.kind.is_type())
        {
            pairs.push((owner.first, from.file));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut files: Vec<bool> = Vec::new();
    for standing in standings {
        let file = standing.file as usize;
        if files.len() <= file && standing.file != NONE {
            files.resize(file + 1, false);
        }
        if let Some(slot) = files.get_mut(file) {
            *slot = standing.is_use;
        }
    }
    let mut users = vec![[0u32; 2]; parents.len()];
    for (symbol, file) in pairs {
        let is_use = files.get(file as usize).copied().unwrap_or(false);
        if let Some(count) = users.get_mut(symbol as usize) {
            count[usize::from(!is_use)] += 1;
        }
    }
    (users, handed_on)
}

/// How often the walk visits each symbol, in parts of [`UNIT`].
fn visits(edges: &[EdgeRow], parents: &[U32], is_test: impl Fn(usize) -> bool) -> Vec<u64> {
    let count = parents.len();
    let mut links: Vec<(u32, u32, u32)> = Vec::with_capacity(edges.len() + count);
    for edge in edges.iter().filter(|edge| edge.is_external == 0) {
        let (source, target) = (edge.source.get(), edge.target.get());
        let weight = EdgeKind::from_number(edge.kind).map_or(0, weight);
        if weight > 0 && source != target && (source as usize) < count && (target as usize) < count {
            links.push((source, target, weight as u32));
        }
    }
    for (member, parent) in parents.iter().enumerate() {
        let parent = parent.get();
        if parent != NONE && (parent as usize) < count {
            links.push((member as u32, parent, MEMBER as u32));
        }
    }
    let mut given = vec![0u64; count];
    for (source, _, weight) in &links {
        given[*source as usize] += u64::from(*weight);
    }
    let begins: Vec<u64> = (0..count)
        .map(|symbol| if is_test(symbol) { IN_TEST } else { 100 })
        .collect();
    let all = begins.iter().sum::<u64>().max(1);
    let mut shares = vec![UNIT; count];
    for _ in 0..ROUNDS {
        let mut next = vec![0u64; count];
        let mut followed = 0u64;
        for (source, target, weight) in &links {
            let share = shares[*source as usize] * FOLLOWED / 100;
            let passed = share * u64::from(*weight) / given[*source as usize];
            next[*target as usize] += passed;
            followed += passed;
        }
        // The share that no edge passes on restarts at all symbols.
        let rest = (UNIT * count as u64).saturating_sub(followed) / all;
        next.iter_mut()
            .zip(&begins)
            .for_each(|(share, begins)| *share += rest * begins);
        shares = next;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(source: u32, target: u32) -> EdgeRow {
        EdgeRow {
            source: source.into(),
            kind: EdgeKind::Call as u8,
            is_external: 0,
            resolution: 0,
            target: target.into(),
            lines: 0.into(),
            line_count: 0.into(),
        }
    }

    fn numbers(edges: &[EdgeRow], parents: &[u32], test: usize) -> Vec<u32> {
        let parents: Vec<U32> = parents.iter().map(|parent| U32::from(*parent)).collect();
        let standings: Vec<Standing> = (0..parents.len())
            .map(|symbol| Standing {
                kind: SymbolKind::Function,
                visibility: Visibility::Public,
                is_documented: false,
                file: 0,
                is_use: symbol == test,
                first: symbol as u32,
            })
            .collect();
        let found = importance(edges, &parents, &standings, |_, _| false);
        found.into_iter().map(|number| number.get()).collect()
    }

    #[test]
    fn what_many_call_is_worth_more_and_what_it_calls_too() {
        let edges = [call(0, 3), call(1, 3), call(2, 3), call(3, 4)];
        let found = numbers(&edges, &[NONE; 5], 9);
        assert!(found[4] > found[3] && found[3] > found[0], "{found:?}");
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn what_only_a_test_calls_is_worth_less() {
        let edges = [call(0, 2), call(1, 3)];
        let found = numbers(&edges, &[NONE; 4], 0);
        assert!(found[2] < found[3], "{found:?}");
        assert!(numbers(&[], &[], 0).is_empty());
    }

    #[test]
    fn the_average_stays_what_it_is() {
        let edges: Vec<EdgeRow> = (0..99).map(|at| call(at, at * 7 % 100)).collect();
        let found = numbers(&edges, &[NONE; 100], 200);
        let sum: u32 = found.iter().sum();
        assert!((99_000..=100_000).contains(&sum), "{sum}");
    }
}
