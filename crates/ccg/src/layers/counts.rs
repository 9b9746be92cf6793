//! The repository in numbers: files and lines by language, symbols by kind, complexity (§4.1).

use std::collections::BTreeMap;

use lore_model::{CodeGraph, SymbolKind};
use serde::Serialize;

use super::super::dataset::complexity_of;

/// Files and lines with code of one language.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LanguageCounts {
    pub(crate) files: u64,
    /// Lines with code on them.
    pub(crate) loc: u64,
}

impl LanguageCounts {
    /// Adds another's.
    pub(super) fn add(&mut self, other: Self) {
        self.files += other.files;
        self.loc += other.loc;
    }
}

/// The languages, the one with the most lines first.
pub(crate) fn languages(graph: &CodeGraph) -> Vec<(&str, LanguageCounts)> {
    let mut found: BTreeMap<&str, LanguageCounts> = BTreeMap::new();
    for file in graph.files() {
        found.entry(file.language()).or_default().add(LanguageCounts {
            files: 1,
            loc: u64::from(file.lines().code.get()),
        });
    }
    let mut languages: Vec<_> = found.into_iter().collect();
    languages.sort_by_key(|(name, counts)| (std::cmp::Reverse((counts.loc, counts.files)), *name));
    languages
}

/// Symbols by kind. Each symbol is counted once: a constructor is a method, a test is a function, whatever the text
/// has no word for (constants, fields, modules, sections …) is in `other`, and all of them together are `total`.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SymbolCounts {
    pub(crate) total: u64,
    pub(crate) functions: u64,
    pub(crate) structs: u64,
    pub(crate) classes: u64,
    pub(crate) methods: u64,
    pub(crate) traits: u64,
    pub(crate) interfaces: u64,
    pub(crate) enums: u64,
    pub(crate) other: u64,
}

/// Cyclomatic complexity over all symbols that are counted and have one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct ComplexityCounts {
    /// The mean, to two places.
    pub(crate) average: f64,
    pub(crate) highest: u32,
}

/// Counts the symbols, as the symbol index lists them: those without a name of their own are among them.
pub(crate) fn symbols(graph: &CodeGraph) -> (SymbolCounts, ComplexityCounts) {
    let mut counts = SymbolCounts::default();
    let (mut sum, mut bodies, mut highest) = (0u64, 0u64, 0);
    for symbol in graph.symbols() {
        counts.total += 1;
        let slot = match symbol.kind() {
            SymbolKind::Function | SymbolKind::Test => &mut counts.functions,
            SymbolKind::Method | SymbolKind::Constructor => &mut counts.methods,
            SymbolKind::Struct => &mut counts.structs,
            SymbolKind::Class => &mut counts.classes,
            SymbolKind::Trait => &mut counts.traits,
            SymbolKind::Interface => &mut counts.interfaces,
            SymbolKind::Enum => &mut counts.enums,
            _ => &mut counts.other,
        };
        *slot += 1;
        if let Some(complexity) = complexity_of(symbol) {
            sum += u64::from(complexity);
            bodies += 1;
            highest = highest.max(complexity);
        }
    }
    let hundredths = match bodies {
        0 => 0,
        bodies => (sum * 200 + bodies) / (bodies * 2),
    };
    let complexity = ComplexityCounts {
        average: hundredths as f64 / 100.0,
        highest,
    };
    (counts, complexity)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::graph;
    use super::*;

    #[test]
    fn l0_kinds_add_up_to_the_total() {
        let lines: Vec<String> = SymbolKind::ALL
            .iter()
            .map(|kind| format!("sym m.{kind} {kind} complexity=0"))
            .collect();
        let graph = graph(&format!(
            "file m.py python module=m\n{}\nsym m.<lambda1> function anonymous complexity=9",
            lines.join("\n")
        ));
        let (counts, complexity) = symbols(&graph);
        let kinds = [
            counts.functions,
            counts.structs,
            counts.classes,
            counts.methods,
            counts.traits,
            counts.interfaces,
            counts.enums,
            counts.other,
        ];
        assert_eq!(kinds.iter().sum::<u64>(), counts.total);
        assert_eq!(counts.total, SymbolKind::ALL.len() as u64 + 2);
        assert_eq!((counts.functions, counts.methods, counts.structs), (3, 2, 1));
        // What is declared without a body has a complexity of one.
        assert_eq!((complexity.average, complexity.highest), (2.6, 9));
    }

    #[test]
    fn l0_complexity_is_rounded_to_two_places() {
        let graph = graph(
            "file m.py python module=m
             sym m.a function complexity=1
             sym m.b function complexity=2
             sym m.c function complexity=2",
        );
        let (_, complexity) = symbols(&graph);
        assert_eq!((complexity.average, complexity.highest), (1.67, 2));
    }

    #[test]
    fn l0_languages_come_by_their_lines() {
        let graph = graph(
            "file a.c c loc=5
             file b.py python loc=3
             file c.py python loc=4
             file d.rs rust loc=5",
        );
        let found: Vec<(&str, u64, u64)> = languages(&graph)
            .into_iter()
            .map(|(name, counts)| (name, counts.files, counts.loc))
            .collect();
        assert_eq!(found, [("python", 2, 7), ("c", 1, 5), ("rust", 1, 5)]);
    }
}
