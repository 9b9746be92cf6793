//! Circles of edges of one type, found without recursion (clauses C9, Missed8).

use std::collections::{HashMap, VecDeque};

use lore_model::components;

use super::edge::EdgeType;
use super::graph::{Graph, NodeIx};
use super::patch::Triple;

/// The types whose circles are worth a warning.
pub const ORDERED: [EdgeType; 2] = [EdgeType::Blocks, EdgeType::DependsOn];

/// Cycles that are listed one by one.
const TOLD: usize = 100;
/// Nodes of a circle that are shown.
const SHOWN: usize = 12;

/// The circles of a type, one for each group of nodes that reach each other: the shortest through its first node, which is repeated at the end.
pub fn cycles(graph: &Graph, kind: EdgeType) -> Vec<Vec<NodeIx>> {
    let mut next = vec![Vec::new(); graph.node_count()];
    for edge in graph.edges().filter(|edge| edge.kind() == kind) {
        let (source, target) = edge.ends();
        next[source.0 as usize].push(target.0 as usize);
    }
    let mut groups = groups(&next);
    groups.sort_unstable();
    let ix = |node: usize| NodeIx(u32::try_from(node).unwrap_or(u32::MAX));
    (groups.iter())
        .map(|group| around(&next, group).into_iter().map(ix).collect())
        .collect()
}

/// What is said about the circles that edges close, together with those that the graph has already.
pub fn closed_by<'e>(edges: impl Iterator<Item = &'e Triple> + Clone, graph: &Graph) -> Vec<String> {
    ORDERED
        .into_iter()
        .flat_map(|kind| closed_by_kind(edges.clone().filter(|edge| edge.kind == kind), graph, kind))
        .collect()
}

fn closed_by_kind<'e>(edges: impl Iterator<Item = &'e Triple>, graph: &Graph, kind: EdgeType) -> Vec<String> {
    let new: Vec<&Triple> = edges.collect();
    if new.is_empty() {
        return Vec::new();
    }
    // Numbers go up with ids, so that what is told does not depend on which of the nodes are new.
    let ends = new.iter().flat_map(|edge| [edge.source.as_str(), edge.target.as_str()]);
    let mut names: Vec<&str> = graph.nodes().map(|node| node.id()).chain(ends).collect();
    names.sort_unstable();
    names.dedup();
    let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
    let number = |id: &str| numbers.get(id).copied().unwrap_or_default();
    let mut next = vec![Vec::new(); names.len()];
    let held = graph.edges().filter(|edge| edge.kind() == kind);
    let held = held.map(|edge| (number(edge.source().id()), number(edge.target().id())));
    let added: Vec<(usize, usize)> = new
        .iter()
        .map(|edge| (number(edge.source.as_str()), number(edge.target.as_str())))
        .collect();
    for (source, target) in held.chain(added.iter().copied()) {
        next[source].push(target);
    }
    let mut groups = groups(&next);
    let mut group_of: Vec<Option<usize>> = vec![None; names.len()];
    for (at, group) in groups.iter().enumerate() {
        group.iter().for_each(|node| group_of[*node] = Some(at));
    }
    let mut is_closed = vec![false; groups.len()];
    for (source, target) in &added {
        if let (Some(source), Some(target)) = (group_of[*source], group_of[*target])
            && source == target
        {
            is_closed[source] = true;
        }
    }
    let mut at = 0;
    groups.retain(|_| {
        at += 1;
        is_closed[at - 1]
    });
    groups.sort_unstable();
    let mut warnings: Vec<String> = Vec::new();
    for group in groups.iter().take(TOLD) {
        let circle: Vec<&str> = around(&next, group).into_iter().map(|node| names[node]).collect();
        warnings.push(format!("cycle over {kind}: {}", told(&circle)));
    }
    if groups.len() > TOLD {
        warnings.push(format!("{} more cycles over {kind}", groups.len() - TOLD));
    }
    warnings
}

/// A circle as people read it; of a long one the beginning and the end.
pub fn told(circle: &[&str]) -> String {
    if circle.len() > SHOWN {
        let (first, last) = (
            circle.get(..SHOWN - 2).unwrap_or_default(),
            circle.last().copied().unwrap_or_default(),
        );
        format!("{} → … ({} more) → {last}", first.join(" → "), circle.len() - SHOWN + 1)
    } else {
        circle.join(" → ")
    }
}

/// Groups of nodes that reach each other, each sorted.
fn groups(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut groups = components(next);
    groups.retain(|group| group.len() > 1 || group.iter().any(|node| next[*node].contains(node)));
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// The shortest circle through the first node of a group, that node at both ends.
fn around(next: &[Vec<usize>], group: &[usize]) -> Vec<usize> {
    let Some(first) = group.first().copied() else {
        return Vec::new();
    };
    let mut before: HashMap<usize, usize> = HashMap::new();
    let mut queue = VecDeque::from([first]);
    while let Some(node) = queue.pop_front() {
        for child in &next[node] {
            if *child == first {
                let mut circle = vec![first, node];
                let mut at = node;
                while at != first {
                    at = before.get(&at).copied().unwrap_or(first);
                    circle.push(at);
                }
                if node == first {
                    circle.truncate(2);
                }
                circle.reverse();
                return circle;
            }
            // Nodes outside of the group do not lead back, so that they cost time and change nothing; the group is what is looked through.
            if group.binary_search(child).is_ok() && !before.contains_key(child) {
                before.insert(*child, node);
                queue.push_back(*child);
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{graph, words};
    use super::*;

    fn closed(held: &str, new: &[&str]) -> Vec<String> {
        let new: Vec<Triple> = new.iter().map(|text| words(text).0).collect();
        closed_by(new.iter(), &graph(held))
    }

    #[test]
    fn c9_circles_that_new_edges_close_are_told_for_each_type() {
        assert_eq!(
            closed("task:b blocks task:a", &["task:a blocks task:b"]),
            ["cycle over blocks: task:a → task:b → task:a"]
        );
        assert!(closed("task:b depends-on task:a", &["task:a blocks task:b"]).is_empty());
        assert!(closed("task:a blocks task:b\ntask:b blocks task:a", &["task:c blocks task:a"]).is_empty());
        assert_eq!(
            closed("", &["a:z depends-on a:y", "a:y depends-on a:x", "a:x depends-on a:z"]),
            ["cycle over depends-on: a:x → a:z → a:y → a:x"]
        );
    }

    #[test]
    fn missed8_file_and_graph_close_a_circle_of_a_hundred_thousand_and_a_node_relating_to_itself_is_none() {
        let chain: Vec<Triple> = (0..100_000)
            .map(|at| words(&format!("task:{at} blocks task:{}", at + 1)).0)
            .collect();
        assert!(closed_by(chain.iter(), &Graph::default()).is_empty());
        let warnings = closed_by(chain.iter(), &graph("task:100000 blocks task:0"));
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].starts_with("cycle over blocks: task:0 → task:1 → ") && warnings[0].ends_with(" → task:0"),
            "{}",
            warnings[0]
        );
        assert!(closed("", &["task:a relates-to task:a"]).is_empty());
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn groups_are_nodes_that_reach_each_other(edges in prop::collection::vec((0_usize..7, 0_usize..7), 0..16)) {
            let mut next = vec![Vec::new(); 7];
            let mut reaches = [[false; 7]; 7];
            for (from, to) in edges {
                next[from].push(to);
                reaches[from][to] = true;
            }
            for middle in 0..7 {
                for from in 0..7 {
                    for to in 0..7 {
                        reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                    }
                }
            }
            let found = groups(&next);
            for (from, row) in reaches.iter().enumerate() {
                for (to, there) in row.iter().enumerate() {
                    let together = found.iter().any(|group| group.contains(&from) && group.contains(&to));
                    prop_assert_eq!(together, *there && reaches[to][from]);
                }
            }
            for group in &found {
                let circle = around(&next, group);
                prop_assert!(circle.len() >= 2 && circle.first() == circle.last());
                prop_assert!(circle.windows(2).all(|pair| next[pair[0]].contains(&pair[1])));
            }
        }
    }
}
