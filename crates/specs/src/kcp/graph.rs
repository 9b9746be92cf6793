//! Units by id, and what each depends on, without cycles (clauses P13, P15).

use std::collections::HashMap;

use super::model::{Manifest, UnitIndex};

/// Who is who among the units of one manifest.
#[derive(Debug)]
pub struct UnitGraph<'m> {
    first: HashMap<&'m str, UnitIndex>,
    /// Where the dependencies of each unit begin; one more than there are units.
    starts: Vec<u32>,
    depends: Vec<UnitIndex>,
}

impl<'m> UnitGraph<'m> {
    /// The graph of a manifest.
    pub fn of(manifest: &'m Manifest) -> Self {
        let mut graph = Self {
            first: ids(manifest),
            starts: vec![0],
            depends: Vec::new(),
        };
        graph.declare(manifest);
        graph.break_cycles();
        graph
    }

    /// The first unit with an id.
    pub fn first(&self, id: &str) -> Option<UnitIndex> {
        self.first.get(id).copied()
    }

    /// What a unit depends on, in its order.
    pub fn depends(&self, unit: UnitIndex) -> &[UnitIndex] {
        let at = unit.0 as usize;
        let bounds = self.starts.get(at).zip(self.starts.get(at + 1));
        bounds
            .and_then(|(start, end)| self.depends.get(*start as usize..*end as usize))
            .unwrap_or_default()
    }

    /// Takes every dependency on a unit that exists, each once.
    fn declare(&mut self, manifest: &Manifest) {
        let mut last_seen = vec![u32::MAX; manifest.units.len()];
        for (number, unit) in (0u32..).zip(&manifest.units) {
            for id in unit.depends_on.iter().flat_map(|list| &list.value) {
                let Some(target) = self.first.get(manifest.text(id.value)).copied() else {
                    continue;
                };
                if let Some(seen) = last_seen.get_mut(target.0 as usize).filter(|seen| **seen != number) {
                    *seen = number;
                    self.depends.push(target);
                }
            }
            self.starts.push(u32::try_from(self.depends.len()).unwrap_or(u32::MAX));
        }
    }

    /// Walks the units in their order, and the dependencies of each in theirs; the one that would close a cycle is dropped. The walk keeps its own stack: a chain may be as long as
    /// the manifest.
    fn break_cycles(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let units = self.starts.len() - 1;
        let mut states = vec![State::New; units];
        let mut dropped = vec![false; self.depends.len()];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        for unit in 0..units {
            if states[unit] != State::New {
                continue;
            }
            states[unit] = State::Open;
            stack.push((unit, self.starts[unit] as usize));
            while let Some((unit, edge)) = stack.last_mut() {
                if *edge == self.starts[*unit + 1] as usize {
                    states[*unit] = State::Done;
                    stack.pop();
                    continue;
                }
                let target = self.depends[*edge].0 as usize;
                match states[target] {
                    State::Open => dropped[*edge] = true,
                    State::Done => {}
                    State::New => {
                        states[target] = State::Open;
                        *edge += 1;
                        let start = self.starts[target] as usize;
                        stack.push((target, start));
                        continue;
                    }
                }
                *edge += 1;
            }
        }
        let mut kept = Vec::with_capacity(self.depends.len());
        let mut starts = vec![0];
        for unit in 0..units {
            let own = self.starts[unit] as usize..self.starts[unit + 1] as usize;
            kept.extend(own.filter(|edge| !dropped[*edge]).map(|edge| self.depends[edge]));
            starts.push(u32::try_from(kept.len()).unwrap_or(u32::MAX));
        }
        self.depends = kept;
        self.starts = starts;
    }
}

/// The first unit with each id.
pub fn ids(manifest: &Manifest) -> HashMap<&str, UnitIndex> {
    let mut ids = HashMap::with_capacity(manifest.units.len());
    for (number, unit) in (0u32..).zip(&manifest.units) {
        if let Some(id) = manifest.id(unit) {
            ids.entry(id).or_insert(UnitIndex(number));
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kcp::testing::manifest;

    /// Edges as `a>b`, of units that are called a, b, c … and depend on the letters after the colon.
    fn edges(units: &[&str]) -> String {
        let mut text = "project: x\nunits:\n".to_owned();
        for unit in units {
            let (id, on) = unit.split_once(':').unwrap();
            let on: Vec<String> = on.chars().map(String::from).collect();
            text += &format!(
                "- {{id: {id}, path: p, intent: i, scope: global, audience: [agent], depends_on: [{}]}}\n",
                on.join(", ")
            );
        }
        let manifest = manifest(&text);
        let graph = UnitGraph::of(&manifest);
        let mut shown = Vec::new();
        for (number, unit) in (0u32..).zip(&manifest.units) {
            for target in graph.depends(UnitIndex(number)) {
                let target = manifest.unit(*target).unwrap();
                shown.push(format!(
                    "{}>{}",
                    manifest.id(unit).unwrap(),
                    manifest.id(target).unwrap()
                ));
            }
        }
        shown.join(" ")
    }

    #[test]
    fn p15_the_edge_that_closes_a_cycle_is_dropped() {
        assert_eq!(edges(&["a:b", "b:a"]), "a>b");
        assert_eq!(edges(&["a:a", "b:"]), "");
        assert_eq!(edges(&["a:b", "b:c", "c:a", "d:a"]), "a>b b>c d>a");
        assert_eq!(edges(&["a:bc", "b:c", "c:b"]), "a>b a>c b>c");
        assert_eq!(edges(&["a:bbx", "b:"]), "a>b");
    }

    #[test]
    fn p13_of_two_units_with_an_id_the_first_one_is_meant() {
        assert_eq!(edges(&["a:", "a:b", "b:a"]), "a>b b>a");
    }

    #[test]
    fn p15_a_long_chain_is_walked_without_recursion() {
        let units: String = (0..4_000)
            .map(|number| {
                format!(
                    "- {{id: u{number}, path: p, intent: i, scope: global, audience: [agent], depends_on: [u{}]}}\n",
                    (number + 1) % 4_000
                )
            })
            .collect();
        let manifest = manifest(&format!("project: x\nunits:\n{units}"));
        let graph = UnitGraph::of(&manifest);
        let count = (0..4_000)
            .map(|number| graph.depends(UnitIndex(number)).len())
            .sum::<usize>();
        assert_eq!(count, 3_999);
        assert_eq!(graph.depends(UnitIndex(3_999)), []);
    }
}
