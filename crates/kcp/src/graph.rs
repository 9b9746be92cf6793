//! Units by id, what each depends on, without cycles, and what replaces or contradicts it (clauses P13, P15, Q13).

use std::collections::{BTreeMap, HashMap};

use super::model::{Manifest, UnitIndex, known};
use super::vocabulary::RelationshipType;

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

    /// Who depends on each unit.
    pub fn dependents(&self) -> Dependents {
        let units = self.starts.len() - 1;
        let mut starts = vec![0u32; units + 1];
        for target in &self.depends {
            starts[target.0 as usize + 1] += 1;
        }
        for unit in 0..units {
            starts[unit + 1] += starts[unit];
        }
        let mut free = starts.clone();
        let mut dependents = vec![UnitIndex(0); self.depends.len()];
        for (number, unit) in (0u32..).zip(0..units) {
            for target in &self.depends[self.starts[unit] as usize..self.starts[unit + 1] as usize] {
                let at = &mut free[target.0 as usize];
                dependents[*at as usize] = UnitIndex(number);
                *at += 1;
            }
        }
        Dependents { starts, dependents }
    }

    /// Both units of the relationships of a type, as `from` and `to`; those of which one does not exist are left out.
    pub fn related<'a>(
        &'a self,
        manifest: &'a Manifest,
        wanted: RelationshipType,
    ) -> impl Iterator<Item = (UnitIndex, UnitIndex)> + 'a {
        let of_type = manifest
            .relationships
            .iter()
            .filter(move |relationship| known(&relationship.kind) == Some(wanted));
        of_type.filter_map(|relationship| {
            let from = self.first(manifest.field(&relationship.from)?)?;
            let to = self.first(manifest.field(&relationship.to)?)?;
            Some((from, to))
        })
    }

    /// For each unit that is replaced, the units that replace it, in their order.
    pub fn superseded_by(&self, manifest: &Manifest) -> BTreeMap<UnitIndex, Vec<UnitIndex>> {
        let fields = (0u32..).zip(&manifest.units).filter_map(|(number, unit)| {
            let old = self.first(manifest.field(&unit.supersedes)?)?;
            let new = self.first(manifest.id(unit)?)?;
            (new == UnitIndex(number)).then_some((new, old))
        });
        let mut replaced: BTreeMap<UnitIndex, Vec<UnitIndex>> = BTreeMap::new();
        for (new, old) in fields.chain(self.related(manifest, RelationshipType::Supersedes)) {
            if new != old {
                replaced.entry(old).or_default().push(new);
            }
        }
        replaced.values_mut().for_each(sort_distinct);
        replaced
    }

    /// For each unit that another one of its manifest contradicts, those units, in their order. One side that says so is enough.
    pub fn contradicts(&self, manifest: &Manifest) -> BTreeMap<UnitIndex, Vec<UnitIndex>> {
        let of_root = manifest
            .root
            .discovery
            .as_ref()
            .and_then(|block| block.value.contradicted_by.as_ref());
        let fields = (0u32..).zip(&manifest.units).filter_map(|(number, unit)| {
            let own = unit
                .discovery
                .as_ref()
                .and_then(|block| block.value.contradicted_by.as_ref());
            let other = self.first(manifest.text(own.or(of_root)?.value))?;
            Some((UnitIndex(number), other))
        });
        let mut pairs: BTreeMap<UnitIndex, Vec<UnitIndex>> = BTreeMap::new();
        for (one, other) in fields.chain(self.related(manifest, RelationshipType::Contradicts)) {
            if one != other {
                pairs.entry(one).or_default().push(other);
                pairs.entry(other).or_default().push(one);
            }
        }
        pairs.values_mut().for_each(sort_distinct);
        pairs
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

/// Who depends on each unit of a manifest.
#[derive(Debug)]
pub struct Dependents {
    starts: Vec<u32>,
    dependents: Vec<UnitIndex>,
}

impl Dependents {
    /// Those that depend on a unit directly, in their order.
    pub fn of(&self, unit: UnitIndex) -> &[UnitIndex] {
        let at = unit.0 as usize;
        let bounds = self.starts.get(at).zip(self.starts.get(at + 1));
        bounds
            .and_then(|(start, end)| self.dependents.get(*start as usize..*end as usize))
            .unwrap_or_default()
    }

    /// Units, and all that depend on them through others, in their order.
    pub fn closure(&self, units: impl IntoIterator<Item = UnitIndex>) -> Vec<UnitIndex> {
        let mut is_reached = vec![false; self.starts.len()];
        let mut open: Vec<UnitIndex> = units.into_iter().collect();
        while let Some(unit) = open.pop() {
            match is_reached.get_mut(unit.0 as usize) {
                Some(reached) if !*reached => *reached = true,
                _ => continue,
            }
            open.extend_from_slice(self.of(unit));
        }
        let numbers = (0u32..).zip(is_reached).filter(|(_, reached)| *reached);
        numbers.map(|(number, _)| UnitIndex(number)).collect()
    }
}

fn sort_distinct(units: &mut Vec<UnitIndex>) {
    units.sort_unstable();
    units.dedup();
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
    use crate::testing::manifest;

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
    fn p15_dependents_are_found_through_others() {
        let text = "project: x\nunits:\n- {id: a, depends_on: [b]}\n- {id: b, depends_on: [c]}\n- {id: c}\n- {id: d, depends_on: [c]}\n- {id: e}\n";
        let manifest = manifest(text);
        let dependents = UnitGraph::of(&manifest).dependents();
        assert_eq!(dependents.of(UnitIndex(2)), [UnitIndex(1), UnitIndex(3)]);
        assert_eq!(dependents.of(UnitIndex(9)), []);
        assert_eq!(dependents.closure([UnitIndex(2)]), [0, 1, 2, 3].map(UnitIndex));
        assert_eq!(dependents.closure([UnitIndex(4)]), [UnitIndex(4)]);
    }

    #[test]
    fn q13_who_replaces_and_who_contradicts_is_known_from_both_sides() {
        let manifest = manifest(
            "project: x\nunits:\n- {id: a, supersedes: gone}\n- {id: b, supersedes: a}\n- {id: c, discovery: {contradicted_by: d}}\n- {id: d}\n- {id: e, supersedes: e}\n\
             relationships:\n- {from: c, to: a, type: supersedes}\n- {from: b, to: d, type: contradicts}\n- {from: x, to: d, type: contradicts}\n",
        );
        let graph = UnitGraph::of(&manifest);
        let replaced = graph.superseded_by(&manifest);
        assert_eq!(
            replaced.into_iter().collect::<Vec<_>>(),
            [(UnitIndex(0), vec![UnitIndex(1), UnitIndex(2)])]
        );
        let pairs = graph.contradicts(&manifest);
        assert_eq!(
            pairs.into_iter().collect::<Vec<_>>(),
            [
                (UnitIndex(1), vec![UnitIndex(3)]),
                (UnitIndex(2), vec![UnitIndex(3)]),
                (UnitIndex(3), vec![UnitIndex(1), UnitIndex(2)]),
            ]
        );
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
