//! The importance of each symbol: a random walk along the edges with restarts (PageRank), in integers.
//!
//! The importance of a symbol is the number of visits of the walk; the average symbol has [`AVERAGE`]. Sums of
//! integers are the same in any order and on any machine.

use crate::snapshot::EdgeRow;
use crate::{EdgeKind, NONE, U32};

/// The importance of an average symbol.
pub const AVERAGE: u32 = 1_000;

/// Steps of the walk; later steps change little.
const ROUNDS: usize = 16;
/// The percentage of steps that follow an edge; the others restart.
const FOLLOWED: u64 = 85;
/// The initial share of a symbol.
const UNIT: u64 = 1 << 20;
/// The weight of the step from a member to its owner.
const MEMBER: u64 = 20;
/// The number of restarts at a test for each hundred restarts at another symbol.
const IN_TEST: u64 = 20;

/// The weight of an edge, in percent.
fn weight(kind: EdgeKind) -> u64 {
    match kind {
        EdgeKind::Call | EdgeKind::Instantiates | EdgeKind::Extends | EdgeKind::Implements => 100,
        EdgeKind::References | EdgeKind::Reads | EdgeKind::Import => 40,
        EdgeKind::Overrides => 30,
        // A test repeats a call. A write does not need what it writes.
        EdgeKind::Tests | EdgeKind::Writes => 0,
    }
}

/// The importance of each symbol, from the edges, the parents, and the set of symbols in tests.
pub(crate) fn importance(edges: &[EdgeRow], parents: &[U32], is_test: impl Fn(usize) -> bool) -> Vec<U32> {
    let count = parents.len();
    let mut links: Vec<(u32, u32, u32, u8)> = Vec::with_capacity(edges.len());
    for edge in edges.iter().filter(|edge| edge.is_external == 0) {
        let (source, target) = (edge.source.get(), edge.target.get());
        let weight = EdgeKind::from_number(edge.kind).map_or(0, weight);
        if weight > 0 && source != target && (source as usize) < count && (target as usize) < count {
            links.push((source, target, weight as u32, edge.kind));
        }
    }
    // The edges of one symbol to another from several files count once.
    links.sort_unstable();
    links.dedup();
    let mut links: Vec<(u32, u32, u32)> = links
        .into_iter()
        .map(|(source, target, weight, _)| (source, target, weight))
        .collect();
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
        .into_iter()
        .map(|share| U32::from((share * u64::from(AVERAGE) / UNIT).min(u64::from(u32::MAX)) as u32))
        .collect()
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
            marks: 0,
            target: target.into(),
            file: 0.into(),
            lines: 0.into(),
            line_count: 0.into(),
        }
    }

    fn numbers(edges: &[EdgeRow], parents: &[u32], test: usize) -> Vec<u32> {
        let parents: Vec<U32> = parents.iter().map(|parent| U32::from(*parent)).collect();
        let found = importance(edges, &parents, |symbol| symbol == test);
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
    fn a_package_counts_once_whatever_the_number_of_its_files() {
        let of_file = |file: u32| EdgeRow {
            file: file.into(),
            ..call(0, 1)
        };
        let once = numbers(&[call(0, 1), call(0, 2)], &[NONE; 3], 9);
        let twice = numbers(&[of_file(0), of_file(1), call(0, 2)], &[NONE; 3], 9);
        assert_eq!(once, twice);
    }

    #[test]
    fn the_average_stays_what_it_is() {
        let edges: Vec<EdgeRow> = (0..99).map(|at| call(at, at * 7 % 100)).collect();
        let found = numbers(&edges, &[NONE; 100], 200);
        let sum: u32 = found.iter().sum();
        assert!((99_000..=100_000).contains(&sum), "{sum}");
    }
}
