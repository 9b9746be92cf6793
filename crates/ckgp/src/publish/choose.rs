//! Selects the part of a graph that fits into a body (clauses P4, P5): everything, or the symbols with the most dependents.
//!
//! A selected symbol brings its owners and its file, so that no reference dangles. Of the edges between selected symbols,
//! the most certain ones come first.

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
}

/// How many bytes of a body each part of it takes, in the order in which it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sizes {
    /// Files, symbols, and what lies outside.
    pub(super) nodes: Vec<u32>,
    /// Edges to the container of a symbol, if the format has them.
    pub(super) contains: Vec<u32>,
    /// Edges of the graph.
    pub(super) edges: Vec<u32>,
    /// Calls that lead nowhere known.
    pub(super) unresolved: Vec<u32>,
}

impl Sizes {
    /// All of it.
    pub(super) fn total(&self) -> usize {
        let parts = [&self.nodes, &self.contains, &self.edges, &self.unresolved];
        parts.into_iter().flatten().map(|size| *size as usize).sum()
    }
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
    /// Numbers of unresolved calls, by source.
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
        if of.files + of.symbols + of.externals > limits.nodes {
            kept.most_important(graph, limits.nodes)
        } else {
            kept.everything(graph)
        }
        let edges = kept.surest_edges(graph, limits);
        let externals = kept.externals_of(graph, &edges);
        let unresolved = kept.unresolved(graph);
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

    /// The part of it that takes no more bytes than there are, by what each part of it takes. Symbols come in the order of their importance, each with its
    /// owners, its file, and every edge to those that came before; then files without symbols; then unresolved calls.
    pub(super) fn lighter(&self, graph: &CodeGraph, sizes: &Sizes, bytes: usize) -> Self {
        let arrivals = Arrivals::of(graph, self);
        let weights = arrivals.weights(graph, self, sizes);
        let (steps, room) = fitting(&weights, bytes);
        let comes = |arrival: u32| (arrival as usize) < steps;
        let files = self.files.iter().copied().filter(|file| comes(arrivals.file(*file)));
        let symbols = self.symbols.iter().copied();
        let symbols = symbols.filter(|symbol| comes(arrivals.symbol(*symbol)));
        let edges = self.edges.iter().copied();
        let edges: Vec<u32> = edges.filter(|number| comes(arrivals.edge(graph, *number))).collect();
        let mut is_used = vec![false; graph.external_count()];
        let outside = edges.iter().filter_map(|number| graph.edge(*number).external());
        outside.for_each(|external| mark(&mut is_used, external));
        let externals = self.externals.iter().copied();
        Self {
            files: files.collect(),
            symbols: symbols.collect(),
            externals: externals
                .filter(|external| is_used.get(*external as usize).copied().unwrap_or(false))
                .collect(),
            edges,
            unresolved: self.unresolved_within(graph, sizes, room, |symbol| comes(arrivals.symbol(symbol))),
            of: self.of,
        }
    }

    /// The unresolved calls of symbols that stay, those of the most important first as far as there is room.
    fn unresolved_within(
        &self,
        graph: &CodeGraph,
        sizes: &Sizes,
        room: usize,
        stays: impl Fn(SymbolId) -> bool,
    ) -> Vec<u32> {
        let calls = self
            .unresolved
            .iter()
            .zip(&sizes.unresolved)
            .filter_map(|(number, size)| {
                let caller = graph.unresolved_call(*number)?.caller;
                stays(caller).then(|| (Reverse(graph.symbol(caller).importance()), *number, *size))
            });
        let mut calls: Vec<(Reverse<u32>, u32, u32)> = calls.collect();
        calls.sort_unstable();
        let weights: Vec<u64> = calls.iter().map(|(.., size)| u64::from(*size)).collect();
        let (count, _) = fitting(&weights, room);
        let mut numbers: Vec<u32> = calls.into_iter().take(count).map(|(_, number, _)| number).collect();
        numbers.sort_unstable();
        numbers
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
        counts.unresolved = calls.filter(|call| is_ours(graph.symbol(call.caller))).count();
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

    /// The calls of kept symbols that lead nowhere known.
    fn unresolved(&self, graph: &CodeGraph) -> Vec<u32> {
        let calls = (0..).zip(graph.all_unresolved());
        calls
            .filter(|(_, call)| self.wanted.unresolved && self.has(call.caller))
            .map(|(number, _)| number)
            .collect()
    }
}

/// At which step each part of a choice comes, if symbols come in the order of their importance and bring along what they need.
struct Arrivals {
    files: Vec<u32>,
    symbols: Vec<u32>,
    /// How many steps there are.
    steps: u32,
}

impl Arrivals {
    fn of(graph: &CodeGraph, choice: &Choice) -> Self {
        let mut arrivals = Self {
            files: vec![NONE; graph.file_count()],
            symbols: vec![NONE; graph.symbol_count()],
            steps: 0,
        };
        let symbols = choice.symbols.iter();
        let mut ranked: Vec<(Reverse<u32>, u32)> = symbols
            .map(|symbol| (Reverse(graph.symbol(*symbol).importance()), symbol.0))
            .collect();
        ranked.sort_unstable();
        for (_, id) in ranked {
            let mut next = Some(graph.symbol(SymbolId(id)));
            let mut owners = 0;
            while let Some(symbol) = next.filter(|symbol| arrivals.symbol(symbol.id()) == NONE && owners < MOST_OWNERS)
            {
                arrive(&mut arrivals.symbols, symbol.id().0, arrivals.steps);
                arrive(&mut arrivals.files, symbol.file_id().0, arrivals.steps);
                owners += 1;
                next = symbol.parent();
            }
            arrivals.steps += 1;
        }
        for file in &choice.files {
            if arrivals.file(*file) == NONE {
                arrive(&mut arrivals.files, file.0, arrivals.steps);
                arrivals.steps += 1;
            }
        }
        arrivals
    }

    fn file(&self, file: FileId) -> u32 {
        self.files.get(file.0 as usize).copied().unwrap_or(NONE)
    }

    fn symbol(&self, symbol: SymbolId) -> u32 {
        self.symbols.get(symbol.0 as usize).copied().unwrap_or(NONE)
    }

    /// An edge comes with the later of its ends.
    fn edge(&self, graph: &CodeGraph, number: u32) -> u32 {
        let edge = graph.edge(number);
        let target = edge.target().symbol().map_or(0, |target| self.symbol(target.id()));
        self.symbol(edge.source().id()).max(target)
    }

    /// How many bytes come with each step.
    fn weights(&self, graph: &CodeGraph, choice: &Choice, sizes: &Sizes) -> Vec<u64> {
        let mut weights = vec![0; self.steps as usize];
        let mut add = |arrival: u32, size: &u32| {
            if let Some(weight) = weights.get_mut(arrival as usize) {
                *weight += u64::from(*size);
            }
        };
        let mut nodes = sizes.nodes.iter();
        for (file, size) in choice.files.iter().zip(&mut nodes) {
            add(self.file(*file), size);
        }
        for (symbol, size) in choice.symbols.iter().zip(&mut nodes) {
            add(self.symbol(*symbol), size);
        }
        for (symbol, size) in choice.symbols.iter().zip(&sizes.contains) {
            add(self.symbol(*symbol), size);
        }
        let mut outside = vec![NONE; graph.external_count()];
        for (number, size) in choice.edges.iter().zip(&sizes.edges) {
            let arrival = self.edge(graph, *number);
            add(arrival, size);
            let external = graph.edge(*number).external();
            if let Some(first) = external.and_then(|external| outside.get_mut(external as usize)) {
                *first = arrival.min(*first);
            }
        }
        for (external, size) in choice.externals.iter().zip(&mut nodes) {
            add(outside.get(*external as usize).copied().unwrap_or(NONE), size);
        }
        weights
    }
}

/// Notes at which step something comes, unless it has come before.
fn arrive(arrivals: &mut [u32], number: u32, step: u32) {
    if let Some(arrival) = arrivals.get_mut(number as usize).filter(|arrival| **arrival == NONE) {
        *arrival = step;
    }
}

/// How many of some weights fit, in their order, and the room that they leave.
fn fitting(weights: &[u64], room: usize) -> (usize, usize) {
    let mut left = room as u64;
    let fits = |weight: &&u64| {
        let rest = left.checked_sub(**weight);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let count = weights.iter().take_while(fits).count();
    (count, left as usize)
}

fn mark(marks: &mut [bool], number: u32) {
    if let Some(is_marked) = marks.get_mut(number as usize) {
        *is_marked = true;
    }
}

/// Whether publishing writes this file. A graph of its own file would change with every run.
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
