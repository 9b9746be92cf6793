//! The nodes of a body and their names.

use std::collections::BTreeSet;

use lore_model::{CodeGraph, Edge, EdgeTarget, File, FileId, NONE, Symbol, SymbolId};

use super::choose::Choice;
use super::node_id::{NodeId, NodeIds};

/// What was chosen of a graph, with the ids of its nodes.
pub(super) struct Nodes<'g> {
    graph: &'g CodeGraph,
    /// What was chosen.
    pub(super) choice: &'g Choice,
    files: Ids,
    symbols: Ids,
    externals: Ids,
}

/// The ids of one family of nodes.
struct Ids {
    /// In the order in which they are written.
    ids: Vec<NodeId>,
    /// By the number that the graph has for a node: its place among the ids, or none.
    places: Vec<u32>,
}

impl Ids {
    fn new(count: usize, numbers: impl Iterator<Item = u32>, mut give: impl FnMut(u32) -> NodeId) -> Self {
        let mut places = vec![NONE; count];
        let mut ids = Vec::new();
        for (place, number) in (0..).zip(numbers) {
            if let Some(slot) = places.get_mut(number as usize) {
                *slot = place;
            }
            ids.push(give(number));
        }
        Self { ids, places }
    }

    fn place(&self, number: u32) -> Option<u32> {
        self.places.get(number as usize).copied().filter(|place| *place != NONE)
    }

    fn get(&self, number: u32) -> Option<&str> {
        self.ids.get(self.place(number)? as usize).map(NodeId::as_str)
    }
}

impl<'g> Nodes<'g> {
    /// The nodes of a choice.
    pub(super) fn of(graph: &'g CodeGraph, choice: &'g Choice) -> Self {
        let counts = choice.counts();
        let mut ids = NodeIds::with_capacity(counts.files + counts.symbols + counts.externals);
        let files = Ids::new(graph.file_count(), choice.files.iter().map(|file| file.0), |number| {
            ids.file(graph.file(FileId(number)).path())
        });
        let symbols = Ids::new(
            graph.symbol_count(),
            choice.symbols.iter().map(|symbol| symbol.0),
            |number| {
                let symbol = graph.symbol(SymbolId(number));
                ids.symbol(symbol.file().path(), &symbol.qualified_name())
            },
        );
        let externals = Ids::new(graph.external_count(), choice.externals.iter().copied(), |number| {
            ids.external(graph.external(number))
        });
        Self {
            graph,
            choice,
            files,
            symbols,
            externals,
        }
    }

    /// The id of a file that is kept.
    pub(super) fn file(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0)
    }

    /// The id of a symbol that is kept.
    pub(super) fn symbol(&self, symbol: SymbolId) -> Option<&str> {
        self.symbols.get(symbol.0)
    }

    /// The place of a node among all of them, files first, then symbols.
    pub(super) fn place(&self, node: Node<'_>) -> Option<u32> {
        match node {
            Node::File(file) => self.files.place(file.id().0),
            Node::Symbol(symbol) => Some(self.files.ids.len() as u32 + self.symbols.place(symbol.id().0)?),
        }
    }

    /// The files, by path, with their ids.
    pub(super) fn files(&self) -> impl Iterator<Item = (File<'g>, &str)> {
        let files = self.choice.files.iter().map(|file| self.graph.file(*file));
        files.zip(self.files.ids.iter().map(NodeId::as_str))
    }

    /// The symbols in the order of the snapshot, with their ids.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (Symbol<'g>, &str)> {
        let symbols = self.choice.symbols.iter().map(|symbol| self.graph.symbol(*symbol));
        symbols.zip(self.symbols.ids.iter().map(NodeId::as_str))
    }

    /// The names outside, in order, with their ids.
    pub(super) fn externals(&self) -> impl Iterator<Item = (&'g str, &str)> {
        let names = self.choice.externals.iter().map(|number| self.graph.external(*number));
        names.zip(self.externals.ids.iter().map(NodeId::as_str))
    }

    /// The edges in order, with the ids of both ends.
    pub(super) fn edges(&self) -> impl Iterator<Item = (Edge<'g>, &str, &str)> {
        self.choice.edges.iter().filter_map(|number| {
            let edge = self.graph.edge(*number);
            let target = match edge.target() {
                EdgeTarget::Symbol(symbol) => self.symbol(symbol.id()),
                EdgeTarget::External(_) => self.externals.get(edge.external()?),
            };
            Some((edge, self.symbol(edge.source().id())?, target?))
        })
    }

    /// Calls that lead nowhere known: the id of who calls, the line, the name.
    pub(super) fn unresolved(&self) -> impl Iterator<Item = (&str, u32, &'g str)> {
        self.choice.unresolved.iter().filter_map(|number| {
            let call = self.graph.unresolved_call(*number)?;
            Some((self.symbol(call.caller)?, call.line, call.name))
        })
    }

    /// The container of a symbol: its owner, or its file without an owner.
    pub(super) fn owner(&self, symbol: Symbol<'g>) -> Node<'g> {
        let parent = symbol.parent().filter(|parent| self.symbol(parent.id()).is_some());
        parent.map_or_else(|| Node::File(symbol.file()), Node::Symbol)
    }

    /// The id of a node that is kept.
    pub(super) fn id(&self, node: Node<'_>) -> Option<&str> {
        match node {
            Node::File(file) => self.file(file.id()),
            Node::Symbol(symbol) => self.symbol(symbol.id()),
        }
    }

    /// The names of the languages of the files, in small letters and in order.
    pub(super) fn languages(&self) -> BTreeSet<String> {
        self.files().map(|(file, _)| file.language().to_lowercase()).collect()
    }
}

/// A file or a symbol.
#[derive(Clone, Copy)]
pub(super) enum Node<'g> {
    File(File<'g>),
    Symbol(Symbol<'g>),
}
