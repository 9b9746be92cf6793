//! In which order entries are installed (clause C4).

use std::collections::{BTreeSet, HashMap};

use super::parse::{Catalog, Problem};
use crate::finding::{Severity, shown};

/// The entries, each after what it depends on and otherwise in their own order; or what is wrong.
pub fn order(catalog: &Catalog) -> Result<Vec<usize>, Vec<Problem>> {
    let entries = &catalog.entries;
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (number, entry) in entries.iter().enumerate() {
        numbers.entry(entry.name.as_str()).or_insert(number);
    }
    let error = |number: usize, message: String| {
        entries.get(number).map(|entry| Problem {
            severity: Severity::Error,
            message,
            place: entry.place,
            entry: Some(entry.name.clone()),
        })
    };
    let mut problems = Vec::new();
    let mut waits: Vec<BTreeSet<usize>> = Vec::with_capacity(entries.len());
    for (number, entry) in entries.iter().enumerate() {
        let mut before = BTreeSet::new();
        for name in &entry.depends_on {
            match numbers.get(name.as_str()) {
                Some(other) => drop(before.insert(*other)),
                None => {
                    let message = format!(
                        "`{}` depends on `{}`, which the catalog does not have",
                        entry.name,
                        shown(name)
                    );
                    problems.extend(error(number, message));
                }
            }
        }
        waits.push(before);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (number, before) in waits.iter().enumerate() {
        for other in before {
            after.get_mut(*other).into_iter().for_each(|after| after.push(number));
        }
    }
    let mut missing: Vec<usize> = waits.iter().map(BTreeSet::len).collect();
    let mut ready: BTreeSet<usize> = (0..entries.len())
        .filter(|number| missing.get(*number) == Some(&0))
        .collect();
    let mut sorted = Vec::with_capacity(entries.len());
    while let Some(number) = ready.pop_first() {
        sorted.push(number);
        for next in after.get(number).into_iter().flatten() {
            if let Some(missing) = missing.get_mut(*next) {
                *missing -= 1;
                if *missing == 0 {
                    ready.insert(*next);
                }
            }
        }
    }
    if sorted.len() == entries.len() {
        return Ok(sorted);
    }
    let trail = cycle(&waits, &missing);
    let names: Vec<&str> = trail
        .iter()
        .filter_map(|number| Some(entries.get(*number)?.name.as_str()))
        .collect();
    let message = format!("entries depend on each other in a cycle: {}", names.join(" -> "));
    Err(trail
        .first()
        .and_then(|number| error(*number, message))
        .into_iter()
        .collect())
}

/// Finds a cycle among the remaining entries: each of them waits for another one.
fn cycle(waits: &[BTreeSet<usize>], missing: &[usize]) -> Vec<usize> {
    let is_waiting = |number: &&usize| missing.get(**number).is_some_and(|missing| *missing > 0);
    let mut seen: HashMap<usize, usize> = HashMap::new();
    let mut trail: Vec<usize> = Vec::new();
    let mut at = missing.iter().position(|missing| *missing > 0);
    while let Some(number) = at {
        if let Some(start) = seen.insert(number, trail.len()) {
            trail.drain(..start);
            trail.push(number);
            break;
        }
        trail.push(number);
        at = waits
            .get(number)
            .and_then(|before| before.iter().find(is_waiting).copied());
    }
    trail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::parse::parse;

    fn ordered(entries: &[(&str, &str)]) -> Result<String, String> {
        let entries: String = entries
            .iter()
            .map(|(name, needs)| format!("  - {{name: {name}, source: ./{name}.yaml, depends_on: [{needs}]}}\n"))
            .collect();
        let catalog = parse(format!("catalog_version: '0.1'\nentries:\n{entries}").as_bytes())
            .0
            .unwrap();
        match order(&catalog) {
            Ok(order) => Ok(order
                .into_iter()
                .map(|number| catalog.entries[number].name.as_str())
                .collect::<Vec<_>>()
                .join(" ")),
            Err(problems) => Err(problems
                .into_iter()
                .map(|problem| problem.message)
                .collect::<Vec<_>>()
                .join("; ")),
        }
    }

    #[test]
    fn c4_entries_come_after_what_they_depend_on_and_otherwise_in_their_order() {
        assert_eq!(
            ordered(&[("c", "a"), ("b", ""), ("a", ""), ("d", "c, b")]).unwrap(),
            "b a c d"
        );
        assert_eq!(ordered(&[("c", ""), ("b", ""), ("a", "")]).unwrap(), "c b a");
        assert_eq!(ordered(&[("a", "b, b"), ("b", "")]).unwrap(), "b a");
    }

    #[test]
    fn c4_unknown_dependencies_and_circles_are_errors() {
        assert_eq!(
            ordered(&[("a", "x"), ("b", "y")]).unwrap_err(),
            "`a` depends on `x`, which the catalog does not have; `b` depends on `y`, which the catalog does not have"
        );
        assert_eq!(
            ordered(&[("z", "b"), ("a", "c"), ("b", "a"), ("c", "b")]).unwrap_err(),
            "entries depend on each other in a cycle: b -> a -> c -> b"
        );
        assert_eq!(
            ordered(&[("a", "a")]).unwrap_err(),
            "entries depend on each other in a cycle: a -> a"
        );
    }

    #[test]
    fn c4_a_chain_may_be_as_long_as_the_catalog() {
        let names: Vec<String> = (0..4_000).map(|number| format!("e{number}")).collect();
        let entries: Vec<(&str, &str)> = names
            .iter()
            .zip(names.iter().skip(1))
            .map(|(name, next)| (name.as_str(), next.as_str()))
            .collect();
        assert!(ordered(&entries).is_err(), "the last one is not there");
        let mut entries = entries;
        entries.push((&names[3_999], ""));
        assert!(ordered(&entries).unwrap().starts_with("e3999 e3998 "));
    }
}
