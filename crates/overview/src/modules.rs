//! Which modules of a program matter most, and how they are told apart.
//!
//! A module's importance is the sum, over its symbols, of the square root of how far each is above half of the average: the root keeps one small
//! function that everybody calls from outweighing the heart of a program, and what nobody depends on adds nothing. Each further module of a directory
//! counts a little less, so that one large package does not hide all others. Modules beside the program (examples, documentation, tools) come
//! after its own, tests last.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lore_model::{AVERAGE_IMPORTANCE, CodeGraph, ModuleGraph};

use super::aside::{directory, is_auxiliary};

/// After so many of a group, the next counts half.
const HALF: u64 = 8;

/// Whether a module is not a part of the program: a test, or in a directory beside it.
pub fn is_aside(modules: &ModuleGraph, module: usize) -> bool {
    let row = &modules.modules()[module];
    // In Go, a directory with source files is a package, and `doc` is an ordinary name of one.
    let is_package = row.symbol.is_some() && row.path == "doc";
    row.is_test || is_auxiliary(&row.path) && !is_package
}

/// The modules by their names, the most important first.
pub fn ranked(graph: &CodeGraph, modules: &ModuleGraph, names: &[String]) -> Vec<usize> {
    let importance = importance(graph, modules);
    let mut order: Vec<usize> = (0..modules.modules().len()).collect();
    order.sort_by_key(|at| &names[*at]);
    let scores: Vec<(u64, &str)> = order
        .iter()
        .map(|at| (importance[*at], directory(&modules.modules()[*at].path)))
        .collect();
    let mut order: Vec<usize> = spread(&scores).into_iter().map(|place| order[place]).collect();
    order.sort_by_key(|at| (modules.modules()[*at].is_test, is_aside(modules, *at)));
    order
}

/// By module: how much of the graph depends on it.
fn importance(graph: &CodeGraph, modules: &ModuleGraph) -> Vec<u64> {
    let mut importance = vec![0; modules.modules().len()];
    for symbol in graph.symbols() {
        if let Some(module) = modules.module_of(symbol.file_id()) {
            let above = symbol.importance().saturating_sub(AVERAGE_IMPORTANCE / 2);
            importance[module] += u64::from(above.isqrt());
        }
    }
    importance
}

/// The order of things by their scores, where each thing counts the less the more of its group come before it: the places, the first first. What
/// has the same score stays in order.
pub fn spread<G: Ord + Copy>(scores: &[(u64, G)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by_key(|at| Reverse(scores[*at].0));
    let mut before: BTreeMap<G, u64> = BTreeMap::new();
    let mut spread: Vec<(u64, usize)> = order
        .into_iter()
        .map(|at| {
            let (score, group) = scores[at];
            let count = before.entry(group).or_default();
            let spread = score.saturating_mul(HALF) / (HALF + *count);
            *count += 1;
            (spread, at)
        })
        .collect();
    spread.sort_by_key(|(score, at)| (Reverse(*score), *at));
    spread.into_iter().map(|(_, at)| at).collect()
}

/// A name for each module that no other has: its own, with its number where the graph gives it one, with its path where that is not enough.
pub fn unique_names(graph: &CodeGraph, modules: &ModuleGraph) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in modules.modules() {
        *counts.entry(&row.name).or_default() += 1;
    }
    let mut names: Vec<String> = modules
        .modules()
        .iter()
        .map(|row| match (counts.get(row.name.as_str()), row.symbol) {
            (Some(1), _) => row.name.clone(),
            (_, Some(symbol)) => graph.symbol(symbol).qualified_name().into_owned(),
            (_, None) => format!("{} ({})", row.name, row.path),
        })
        .collect();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (at, name) in names.iter_mut().enumerate() {
        if name.is_empty() {
            *name = ".".to_owned();
        }
        if seen.contains_key(name) {
            *name = format!("{name} ({})", modules.modules()[at].path);
        }
        let mut unique = name.clone();
        let mut number = 2;
        while seen.contains_key(&unique) {
            unique = format!("{name} {number}");
            number += 1;
        }
        *name = unique;
        seen.insert(name.clone(), at);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l1_the_first_of_a_group_comes_before_the_last_of_another() {
        let scores = [(100, 'a'), (99, 'a'), (98, 'a'), (90, 'b'), (1, 'c'), (90, 'b')];
        assert_eq!(spread(&scores), [0, 3, 1, 5, 2, 4]);
        assert_eq!(spread::<char>(&[]), Vec::<usize>::new());
    }
}
