//! What has to be loaded before what, and an order that keeps to it (clauses Q14, V12).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::graph::UnitGraph;
use crate::model::{Manifest, UnitIndex, known};
use crate::vocabulary::RelationshipType;

/// Steps that the search for cycles may take. Relationships that come after that are not looked at.
const STEPS: usize = 5_000_000;

/// Why a unit comes before another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// The other one depends on it, and may be incomplete without.
    DependsOn,
    /// It makes the other one easier to follow.
    Enables,
}

/// What comes before each unit, without cycles. What units depend on goes before what relationships say.
#[derive(Debug)]
pub struct Needs {
    before: Vec<Vec<(UnitIndex, Need)>>,
    /// Whether there were too many relationships to look at all of them.
    pub is_cut: bool,
}

impl Needs {
    /// Those of a manifest.
    pub fn of(manifest: &Manifest, graph: &UnitGraph<'_>) -> Self {
        let units = (0u32..).take(manifest.units.len()).map(UnitIndex);
        let declared = |unit| graph.depends(unit).iter().map(|on| (*on, Need::DependsOn)).collect();
        let mut needs = Self {
            before: units.map(declared).collect(),
            is_cut: false,
        };
        let mut search = Search {
            seen: vec![0; needs.before.len()],
            round: 0,
            steps: STEPS,
        };
        for relationship in &manifest.relationships {
            let ends = [&relationship.from, &relationship.to]
                .map(|field| manifest.field(field).and_then(|id| graph.first(id)));
            let [Some(from), Some(to)] = ends else { continue };
            let (unit, before, need) = match known(&relationship.kind) {
                Some(RelationshipType::DependsOn) => (from, to, Need::DependsOn),
                Some(RelationshipType::Enables) => (to, from, Need::Enables),
                _ => continue,
            };
            if unit == before || needs.before(unit).iter().any(|(known, _)| *known == before) {
                continue;
            }
            match search.reaches(&needs, before, unit) {
                Some(true) => {}
                Some(false) => needs.before[unit.0 as usize].push((before, need)),
                None => {
                    needs.is_cut = true;
                    break;
                }
            }
        }
        needs
    }

    /// What comes before a unit, in its order.
    pub fn before(&self, unit: UnitIndex) -> &[(UnitIndex, Need)] {
        self.before.get(unit.0 as usize).map_or(&[], Vec::as_slice)
    }
}

/// The search for a way from one unit to another, with marks that need not be wiped.
struct Search {
    seen: Vec<u32>,
    round: u32,
    steps: usize,
}

impl Search {
    /// Whether a unit comes before another one through others; none if there was no time to tell.
    fn reaches(&mut self, needs: &Needs, from: UnitIndex, to: UnitIndex) -> Option<bool> {
        self.round += 1;
        let mut open = vec![from];
        while let Some(unit) = open.pop() {
            self.steps = self.steps.checked_sub(1)?;
            if unit == to {
                return Some(true);
            }
            let mark = self.seen.get_mut(unit.0 as usize)?;
            if *mark == self.round {
                continue;
            }
            *mark = self.round;
            open.extend(needs.before(unit).iter().map(|(before, _)| *before));
        }
        Some(false)
    }
}

/// Puts units into an order in which what is needed comes first; `edges` are pairs of a unit and one that comes before it, without cycles. Among those that could be next, the one with the lowest key goes, where a unit has the lowest key of all
/// that wait for it.
pub fn sorted<K: Ord + Clone>(keys: &BTreeMap<UnitIndex, K>, edges: &[(UnitIndex, UnitIndex)]) -> Vec<UnitIndex> {
    let mut after: BTreeMap<UnitIndex, Vec<UnitIndex>> = BTreeMap::new();
    let mut before: BTreeMap<UnitIndex, Vec<UnitIndex>> = BTreeMap::new();
    for (unit, first) in edges {
        if keys.contains_key(unit) && keys.contains_key(first) {
            after.entry(*first).or_default().push(*unit);
            before.entry(*unit).or_default().push(*first);
        }
    }
    let any = walk(keys.keys().map(|unit| (*unit, *unit)).collect(), &before, &after);
    let mut lowest: BTreeMap<UnitIndex, K> = keys.clone();
    for unit in any.iter().rev() {
        let Some(key) = lowest.get(unit).cloned() else { continue };
        for first in before.get(unit).into_iter().flatten() {
            if let Some(own) = lowest.get_mut(first).filter(|own| **own > key) {
                *own = key.clone();
            }
        }
    }
    walk(lowest, &before, &after)
}

fn walk<K: Ord + Clone>(
    keys: BTreeMap<UnitIndex, K>,
    before: &BTreeMap<UnitIndex, Vec<UnitIndex>>,
    after: &BTreeMap<UnitIndex, Vec<UnitIndex>>,
) -> Vec<UnitIndex> {
    let mut waits: BTreeMap<UnitIndex, usize> = keys
        .keys()
        .map(|unit| (*unit, before.get(unit).map_or(0, Vec::len)))
        .collect();
    let ready = waits.iter().filter(|(_, count)| **count == 0);
    let entry = |unit: &UnitIndex| keys.get(unit).map(|key| Reverse((key.clone(), *unit)));
    let mut heap: BinaryHeap<Reverse<(K, UnitIndex)>> = ready.filter_map(|(unit, _)| entry(unit)).collect();
    let mut order = Vec::with_capacity(keys.len());
    while let Some(Reverse((_, unit))) = heap.pop() {
        order.push(unit);
        for next in after.get(&unit).into_iter().flatten() {
            let Some(count) = waits.get_mut(next) else { continue };
            *count -= 1;
            if *count == 0 {
                heap.extend(entry(next));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::manifest;

    /// What comes before each unit: `a<b~c`, with `~` where it only enables.
    fn needs(text: &str) -> String {
        let manifest = manifest(text);
        let needs = Needs::of(&manifest, &UnitGraph::of(&manifest));
        let name = |unit: UnitIndex| manifest.id(manifest.unit(unit).unwrap()).unwrap();
        let mut told = Vec::new();
        for unit in (0u32..).take(manifest.units.len()).map(UnitIndex) {
            let before: String = needs
                .before(unit)
                .iter()
                .map(|(before, need)| match need {
                    Need::DependsOn => format!("<{}", name(*before)),
                    Need::Enables => format!("~{}", name(*before)),
                })
                .collect();
            if !before.is_empty() {
                told.push(format!("{}{before}", name(unit)));
            }
        }
        told.join(" ")
    }

    #[test]
    fn v12_relationships_say_what_comes_first() {
        let units = "project: x\nunits:\n- {id: a}\n- {id: b}\n- {id: c, depends_on: [a]}\nrelationships:\n";
        assert_eq!(
            needs(&format!("{units}- {{from: a, to: b, type: depends_on}}\n")),
            "a<b c<a"
        );
        assert_eq!(
            needs(&format!("{units}- {{from: a, to: b, type: enables}}\n")),
            "b~a c<a"
        );
        for kind in ["context", "governs", "contradicts", "supersedes", "odd"] {
            assert_eq!(needs(&format!("{units}- {{from: a, to: b, type: {kind}}}\n")), "c<a");
        }
    }

    #[test]
    fn q14_what_units_depend_on_goes_before_what_relationships_say() {
        let text = "project: x\nunits:\n- {id: b}\n- {id: a, depends_on: [b]}\nrelationships:\n- {from: a, to: b, type: enables}\n- {from: b, to: a, type: depends_on}\n- {from: a, to: a, type: enables}\n";
        assert_eq!(needs(text), "a<b");
        let three = "project: x\nunits:\n- {id: a}\n- {id: b}\n- {id: c}\nrelationships:\n- {from: a, to: b, type: enables}\n- {from: b, to: c, type: enables}\n- {from: c, to: a, type: enables}\n";
        assert_eq!(needs(three), "b~a c~b");
    }

    #[test]
    fn q14_the_lowest_key_goes_first_and_takes_what_it_needs_along() {
        let keys: BTreeMap<UnitIndex, u32> = [(0, 5), (1, 9), (2, 1), (3, 2)]
            .map(|(unit, key)| (UnitIndex(unit), key))
            .into();
        let order = |edges: &[(u32, u32)]| {
            let edges: Vec<_> = edges
                .iter()
                .map(|(unit, first)| (UnitIndex(*unit), UnitIndex(*first)))
                .collect();
            sorted(&keys, &edges).into_iter().map(|unit| unit.0).collect::<Vec<_>>()
        };
        assert_eq!(order(&[]), [2, 3, 0, 1]);
        assert_eq!(order(&[(2, 1)]), [1, 2, 3, 0]);
        assert_eq!(order(&[(2, 0), (0, 1), (2, 7)]), [1, 0, 2, 3]);
    }
}
