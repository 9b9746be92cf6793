//! What a payload must not be, looked at together with the graph (stages duplicates, system nodes, references), and what is remarkable about it.

use std::collections::HashMap;

use super::payload::{Entry, Payload, Problem, Read, Report, Stage};
use crate::cycles;
use crate::graph::{Graph, arrow};
use crate::id::NodeId;
use crate::patch::Triple;
use crate::prefix::PrefixClass;

/// Checks what was read: every error there is, by stage and place, and the warnings.
pub fn check(read: &Read, graph: &Graph) -> Report {
    let mut errors = read.errors.clone();
    let mut warnings = read.warnings.clone();
    let payload = &read.payload;
    if errors.iter().any(|problem| problem.stage == Stage::Version) {
        return Report { errors, warnings };
    }
    duplicate_nodes(payload, &mut errors);
    duplicate_edges(payload, &mut errors);
    system_nodes(payload, &mut errors);
    references(payload, graph, &mut errors);
    errors.sort_by_key(|problem| (problem.stage, problem.index));
    prefixes(payload, &mut warnings);
    if errors.is_empty() {
        let edges = payload.edges.iter().map(|edge| &edge.edge);
        warnings.extend(cycles::closed_by(edges, graph));
    }
    Report { errors, warnings }
}

fn place(list: &str, entry: &Entry) -> String {
    match &entry.file {
        Some(file) => file.to_string(),
        None => format!("{list}[{}]", entry.index),
    }
}

fn with_key(list: &str, entry: &Entry, key: &str) -> String {
    match entry.file {
        Some(_) => place(list, entry),
        None => format!("{}.{key}", place(list, entry)),
    }
}

fn duplicate_nodes(payload: &Payload, errors: &mut Vec<Problem>) {
    let mut seen: HashMap<&NodeId, &Entry> = HashMap::with_capacity(payload.nodes.len());
    for node in &payload.nodes {
        match seen.get(&node.id) {
            None => {
                seen.insert(&node.id, &node.entry);
            }
            Some(first) => {
                let message = format!("`{}` is a duplicate of {}", node.id, place("nodes", first));
                let at = with_key("nodes", &node.entry, "id");
                errors.push(Problem::new(Stage::DuplicateNodes, node.entry.index, at, message).at(node.entry.at));
            }
        }
    }
}

fn duplicate_edges(payload: &Payload, errors: &mut Vec<Problem>) {
    let mut seen: HashMap<&Triple, &Entry> = HashMap::with_capacity(payload.edges.len());
    for edge in &payload.edges {
        match seen.get(&edge.edge) {
            None => {
                seen.insert(&edge.edge, &edge.entry);
            }
            Some(first) => {
                let Triple { source, target, kind } = &edge.edge;
                let triple = arrow(source.as_str(), target.as_str(), *kind);
                let message = format!("{triple} is a duplicate of {}", place("edges", first));
                let at = place("edges", &edge.entry);
                errors.push(Problem::new(Stage::DuplicateEdges, edge.entry.index, at, message).at(edge.entry.at));
            }
        }
    }
}

fn system_nodes(payload: &Payload, errors: &mut Vec<Problem>) {
    for node in payload
        .nodes
        .iter()
        .filter(|node| node.id.class() == PrefixClass::System)
    {
        let prefix = node.id.prefix();
        let message = format!("`{prefix}:` nodes cannot be created by an import");
        let hint = match prefix {
            "commit" => "`lore mind process-commit` creates them",
            _ => "Lore creates them",
        };
        let at = with_key("nodes", &node.entry, "id");
        let problem = Problem::new(Stage::SystemNodes, node.entry.index, at, message).at(node.entry.at);
        errors.push(problem.hint(Some(hint.to_owned())));
    }
}

fn references(payload: &Payload, graph: &Graph, errors: &mut Vec<Problem>) {
    let declared: std::collections::HashSet<&NodeId> = payload.nodes.iter().map(|node| &node.id).collect();
    for edge in &payload.edges {
        for (key, id) in [("source", &edge.edge.source), ("target", &edge.edge.target)] {
            if !declared.contains(id) && graph.node(id.as_str()).is_none() {
                let message = format!("there is no node `{id}`, neither in the file nor in the graph");
                let at = with_key("edges", &edge.entry, key);
                let hint = match id.as_str().strip_prefix("file:") {
                    Some(path) => format!(
                        "there is no file `{path}` in the repository, or Lore would create the node; correct the path, or declare the node under `nodes:`"
                    ),
                    None => "declare the node under `nodes:`; without a declaration, Lore creates only nodes of existing files".to_owned(),
                };
                let problem = Problem::new(Stage::References, edge.entry.index, at, message).at(edge.entry.at);
                errors.push(problem.hint(Some(hint)));
            }
        }
    }
}

/// One warning for each prefix that is not canonical, and one for nodes of other repositories.
fn prefixes(payload: &Payload, warnings: &mut Vec<String>) {
    let remarks = payload.nodes.iter().flat_map(|node| {
        let another = "the file declares a node of another repository";
        let another = node.id.is_qualified().then(|| another.to_owned());
        let unknown = node.id.class().warning(node.id.prefix());
        unknown.into_iter().chain(another).map(|warning| (warning, &node.id))
    });
    warnings.extend(told_once(remarks));
}

/// One warning for each prefix that is not canonical, with the first id that has it and how many more there are (clause C5).
pub fn prefix_warnings<'i>(ids: impl Iterator<Item = &'i NodeId>) -> Vec<String> {
    told_once(ids.filter_map(|id| Some((id.class().warning(id.prefix())?, id))))
}

fn told_once<'i>(remarks: impl Iterator<Item = (String, &'i NodeId)>) -> Vec<String> {
    let mut found: Vec<(String, &NodeId, usize)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (warning, id) in remarks {
        let at = *places.entry(warning.clone()).or_insert(found.len());
        match found.get_mut(at) {
            Some((_, _, count)) => *count += 1,
            None => found.push((warning, id, 1)),
        }
    }
    let told = found.into_iter().map(|(warning, id, count)| match count {
        1 => format!("{warning} (`{id}`)"),
        _ => format!("{warning} (`{id}` and {} more)", count - 1),
    });
    told.collect()
}
