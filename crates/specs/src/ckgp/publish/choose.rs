//! Which part of a graph a body holds (clauses P4, P5): all of it where it fits, else what most of the rest leans on.
//!
//! What is kept brings its owners and its file with it, so that nothing that is kept points at something that is not. Of the edges between what is kept the
//! surest are taken first.

use std::cmp::Reverse;

use lore_model::{CodeGraph, FileId, NONE, Symbol, SymbolId};

/// What a format has a place for, besides files, symbols and the edges between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    /// What lies outside.
    pub(super) externals: bool,
    /// Calls that lead nowhere known.
    pub(super) unresolved: bool,
}

/// How much a body may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limits {
    /// Files, symbols and what lies outside.
    pub(super) nodes: usize,
    /// Edges of the graph.
    pub(super) edges: usize,
    /// Calls that lead nowhere known.
    pub(super) unresolved: usize,
}

/// How many there are of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    pub(super) files: usize,
    pub(super) symbols: usize,
    pub(super) externals: usize,
    pub(super) edges: usize,
    pub(super) unresolved: usize,
}

/// What a body holds, each list in the order in which it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Choice {
    /// By path.
    pub(super) files: Vec<FileId>,
    /// As the snapshot has them.
    pub(super) symbols: Vec<SymbolId>,
    /// Numbers of names outside, by name.
    pub(super) externals: Vec<u32>,
    /// Numbers of edges: by source, then by kind, then by target.
    pub(super) edges: Vec<u32>,
    /// Numbers of calls that lead nowhere known, by source.
    pub(super) unresolved: Vec<u32>,
    /// How many there are in the graph of what the format has a place for.
    pub(super) of: Counts,
}

/// The longest chain of owners that is followed. No language nests so deeply, but a damaged snapshot could.
const MOST_OWNERS: usize = 512;

impl Choice {
    /// What fits.
    pub(super) fn within(graph: &CodeGraph, wanted: Wanted, limits: Limits) -> Self {
        let mut kept = Kept::of(graph, wanted);
        let of = kept.counts(graph);
        match of.files + of.symbols + of.externals > limits.nodes {
            true => kept.most_important(graph, limits.nodes),
            false => kept.everything(graph),
        }
        let edges = kept.surest_edges(graph, limits);
        let externals = kept.externals_of(graph, &edges);
        let unresolved = kept.unresolved(graph, limits.unresolved);
        let edges = ordered(graph, edges, &externals);
        let ids = |marks: &[bool]| {
            (0..)
                .zip(marks)
                .filter(|(_, is_kept)| **is_kept)
                .map(|(id, _)| id)
                .collect::<Vec<u32>>()
        };
        Self {
            files: ids(&kept.files).into_iter().map(FileId).collect(),
            symbols: ids(&kept.symbols).into_iter().map(SymbolId).collect(),
            externals,
            edges,
            unresolved,
            of,
        }
    }

    /// How many there are of each.
    pub(super) fn counts(&self) -> Counts {
        Counts {
            files: self.files.len(),
            symbols: self.symbols.len(),
            externals: self.externals.len(),
            edges: self.edges.len(),
            unresolved: self.unresolved.len(),
        }
    }

    /// Whether something of the graph is missing.
    pub(super) fn is_partial(&self) -> bool {
        self.counts() != self.of
    }
}

/// Of a hundred nodes of a part, how many are files and symbols; the others are for what lies outside.
const OWN_SHARE: usize = 90;

/// What is kept, by number.
struct Kept {
    files: Vec<bool>,
    symbols: Vec<bool>,
    /// Files that publishing itself writes, which say nothing of the code.
    own: Vec<bool>,
    wanted: Wanted,
    /// Room that is left for what lies outside.
    room: usize,
}

impl Kept {
    fn of(graph: &CodeGraph, wanted: Wanted) -> Self {
        Self {
            wanted,
            files: vec![false; graph.file_count()],
            symbols: vec![false; graph.symbol_count()],
            own: graph.files().map(|file| is_published(file.path())).collect(),
            room: usize::MAX,
        }
    }

    fn is_own(&self, file: FileId) -> bool {
        self.own.get(file.0 as usize).copied().unwrap_or(true)
    }

    fn has(&self, symbol: SymbolId) -> bool {
        self.symbols.get(symbol.0 as usize).copied().unwrap_or(false)
    }

    /// How many there are of everything but what publishing itself wrote.
    fn counts(&self, graph: &CodeGraph) -> Counts {
        let is_ours = |symbol: Symbol<'_>| !self.is_own(symbol.file_id());
        let mut counts = Counts {
            files: self.own.iter().filter(|is_own| !**is_own).count(),
            symbols: graph.symbols().filter(|symbol| is_ours(*symbol)).count(),
            ..Counts::default()
        };
        let mut outside = vec![false; graph.external_count()];
        for edge in graph.edges() {
            if is_ours(edge.source()) && edge.target().symbol().map_or(self.wanted.externals, is_ours) {
                counts.edges += 1;
                mark(&mut outside, edge.external().unwrap_or(NONE));
            }
        }
        counts.externals = outside.iter().filter(|is_named| **is_named).count();
        let calls = graph.all_unresolved().filter(|_| self.wanted.unresolved);
        counts.unresolved = calls.filter(|(symbol, ..)| is_ours(graph.symbol(*symbol))).count();
        counts
    }

    fn everything(&mut self, graph: &CodeGraph) {
        for (is_kept, is_own) in self.files.iter_mut().zip(&self.own) {
            *is_kept = !is_own;
        }
        for symbol in graph.symbols() {
            let is_own = self.is_own(symbol.file_id());
            if let Some(is_kept) = self.symbols.get_mut(symbol.id().0 as usize) {
                *is_kept = !is_own;
            }
        }
    }

    /// Keeps symbols in the order of their importance, each with its owners and its file, as far as there is room.
    fn most_important(&mut self, graph: &CodeGraph, nodes: usize) {
        let mut ranked: Vec<(Reverse<u32>, u32)> = graph
            .symbols()
            .filter(|symbol| !self.is_own(symbol.file_id()))
            .map(|symbol| (Reverse(symbol.importance()), symbol.id().0))
            .collect();
        ranked.sort_unstable();
        let mut room = nodes.saturating_mul(OWN_SHARE) / 100;
        let outside = nodes - room;
        let mut owners = Vec::new();
        for (_, id) in ranked {
            if room == 0 {
                break;
            }
            owners.clear();
            let mut next = Some(graph.symbol(SymbolId(id)));
            while let Some(symbol) = next.filter(|symbol| !self.has(symbol.id()) && owners.len() < MOST_OWNERS) {
                owners.push(symbol);
                next = symbol.parent();
            }
            let mut files: Vec<u32> = owners.iter().map(|symbol| symbol.file_id().0).collect();
            files.sort_unstable();
            files.dedup();
            files.retain(|file| !self.files.get(*file as usize).copied().unwrap_or(true));
            let needed = owners.len() + files.len();
            if needed > room {
                continue;
            }
            room -= needed;
            owners.iter().for_each(|symbol| mark(&mut self.symbols, symbol.id().0));
            files.into_iter().for_each(|file| mark(&mut self.files, file));
        }
        self.room = outside + room;
    }

    /// The numbers of the edges between what is kept, the surest first as far as there is room. What an edge leads to outside has to have room too.
    fn surest_edges(&self, graph: &CodeGraph, limits: Limits) -> Vec<u32> {
        let is_between = |edge: &lore_model::Edge<'_>| {
            let target = edge.target().symbol();
            self.has(edge.source().id()) && target.map_or(self.wanted.externals, |target| self.has(target.id()))
        };
        let mut edges: Vec<u32> = graph.edges().filter(is_between).map(lore_model::Edge::number).collect();
        let named = self.outside(graph, &edges);
        let is_crowded = named.len() > self.room;
        if is_crowded {
            let mut wanted = vec![false; graph.external_count()];
            named
                .iter()
                .take(self.room)
                .for_each(|number| mark(&mut wanted, *number));
            let is_wanted = |number: u32| wanted.get(number as usize).copied().unwrap_or(false);
            edges.retain(|number| graph.edge(*number).external().is_none_or(is_wanted));
        }
        if edges.len() > limits.edges {
            edges.sort_by_cached_key(|number| (graph.edge(*number).resolution() as u8, *number));
            edges.truncate(limits.edges);
        }
        edges
    }

    /// What edges lead to outside, that which most of them lead to first.
    fn outside(&self, graph: &CodeGraph, edges: &[u32]) -> Vec<u32> {
        let mut uses = vec![0_u32; graph.external_count()];
        for number in edges.iter().filter_map(|number| graph.edge(*number).external()) {
            if let Some(count) = uses.get_mut(number as usize) {
                *count += 1;
            }
        }
        let used = (0..).zip(&uses).filter(|(_, count)| **count > 0);
        let mut ranked: Vec<(Reverse<u32>, u32)> = used.map(|(number, count)| (Reverse(*count), number)).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, number)| number).collect()
    }

    /// What those edges lead to outside, by name.
    fn externals_of(&self, graph: &CodeGraph, edges: &[u32]) -> Vec<u32> {
        let mut externals = self.outside(graph, edges);
        // In the order of the graph, so that whoever opens the body has the same one.
        externals.sort_unstable();
        externals
    }

    /// The calls of kept symbols that lead nowhere known, those of the most important symbols first as far as there is room.
    fn unresolved(&self, graph: &CodeGraph, most: usize) -> Vec<u32> {
        let calls = (0..).zip(graph.all_unresolved());
        let mut calls: Vec<(Reverse<u32>, u32)> = calls
            .filter(|(_, (symbol, ..))| self.wanted.unresolved && self.has(*symbol))
            .map(|(number, (symbol, ..))| (Reverse(graph.symbol(symbol).importance()), number))
            .collect();
        if calls.len() > most {
            calls.sort_unstable();
            calls.truncate(most);
        }
        let mut numbers: Vec<u32> = calls.into_iter().map(|(_, number)| number).collect();
        numbers.sort_unstable();
        numbers
    }
}

fn mark(marks: &mut [bool], number: u32) {
    if let Some(is_marked) = marks.get_mut(number as usize) {
        *is_marked = true;
    }
}

/// Whether a file is one that publishing writes: a graph that told of itself would differ whenever it is made anew.
pub(super) fn is_published(path: &str) -> bool {
    path == super::RECORD || path.split('/').any(|part| part == super::DIRECTORY)
}

/// Edges by source, then by kind, then by target: symbols before what lies outside, which is by name.
fn ordered(graph: &CodeGraph, mut edges: Vec<u32>, externals: &[u32]) -> Vec<u32> {
    let mut ranks = vec![NONE; graph.external_count()];
    for (rank, number) in (0..).zip(externals) {
        if let Some(slot) = ranks.get_mut(*number as usize) {
            *slot = rank;
        }
    }
    edges.sort_by_cached_key(|number| {
        let edge = graph.edge(*number);
        let outside = edge.external();
        let target = match outside {
            Some(external) => ranks.get(external as usize).copied().unwrap_or(NONE),
            None => edge.target().symbol().map_or(NONE, |symbol| symbol.id().0),
        };
        (
            edge.source().id().0,
            edge.kind() as u8,
            outside.is_some(),
            target,
            *number,
        )
    });
    edges
}

#[cfg(test)]
mod tests;
