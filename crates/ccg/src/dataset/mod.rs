//! The dataset: the snapshot seen as quads (clauses L2, L3, LG). Nothing is copied; what a pattern asks is read from the columns and indexes.
//!
//! A quad belongs to exactly one named graph and first appears in layer 2 or 3. `describe` says what is known of one subject, and
//! both the export and every pattern of a query go through it, so that they cannot disagree.

mod describe;
mod facet_graphs;
mod node;
mod patterns;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use lore_model::{CodeGraph, EdgeKind, FileId, ModuleGraph, SymbolId};

pub use describe::Fact;
pub(crate) use describe::complexity_of;
pub use facet_graphs::{FacetGraphs, Said, facets};
pub(crate) use node::hundredths;
pub use node::{Node, Str};
pub use patterns::{Quads, View, ViewError, Watch};

use super::Identity;
use lore_base::scrub::Scrubber;
use lore_seam::{FileHistory, History, OpError};

/// The named graphs (clause LG), in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Graph {
    /// The repository itself.
    Meta,
    /// Files and symbols.
    Structure,
    /// Who calls whom.
    Calls,
    /// How types and their members belong together.
    Types,
    /// Variables that functions define and use.
    Dataflow,
    /// Documentation and source.
    Docs,
    /// What git knows of files.
    History,
    /// Findings.
    Security,
}

impl Graph {
    pub const ALL: &'static [Self] = &[
        Self::Meta,
        Self::Structure,
        Self::Calls,
        Self::Types,
        Self::Dataflow,
        Self::Docs,
        Self::History,
        Self::Security,
    ];

    /// The last part of its IRI.
    pub fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Structure => "structure",
            Self::Calls => "calls",
            Self::Types => "types",
            Self::Dataflow => "dataflow",
            Self::Docs => "docs",
            Self::History => "history",
            Self::Security => "security",
        }
    }

    /// The graph of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|graph| graph.name() == name)
    }
}

/// How much of the dataset is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The symbol index.
    Index,
    /// Full detail.
    Full,
}

/// Reads a file of the tree.
pub type ReadSource = Box<dyn Fn(&str) -> Result<Vec<u8>, OpError> + Send + Sync>;

/// Gets what git knows of the past.
pub type LoadHistory = Box<dyn Fn() -> Result<Option<Arc<History>>, OpError> + Send + Sync>;

/// The dataset of one commit.
pub struct Dataset {
    pub(super) graph: Arc<CodeGraph>,
    pub(super) identity: Identity,
    /// When it was analysed, in seconds since 1970.
    analyzed_at: i64,
    read: ReadSource,
    load_history: LoadHistory,
    history: OnceLock<Option<Arc<History>>>,
    languages: OnceLock<Vec<LanguageStatistics>>,
    externals: OnceLock<Externals>,
    modules: OnceLock<Modules>,
    /// The file that was read last, by its number.
    last_read: Mutex<Option<(u32, Arc<str>)>>,
    /// What scrubs the source that is shown; the texts of the graph are scrubbed already.
    scrubber: Option<Scrubber>,
}

impl fmt::Debug for Dataset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Dataset({})", self.identity.base())
    }
}

/// What a language amounts to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LanguageStatistics {
    name: String,
    files: u32,
    loc: u64,
}

/// What lies outside: by name, and the edges that lead there.
struct Externals {
    by_name: Vec<u32>,
    starts: Vec<u32>,
    edges: Vec<u32>,
}

/// The modules that are symbols, by their numbers, and what they depend on.
struct Modules {
    depends_on: BTreeMap<u32, Vec<u32>>,
    dependents: BTreeMap<u32, Vec<u32>>,
    /// Which circle of dependencies a module is part of, counted from one.
    cycle: BTreeMap<u32, u32>,
}

impl Dataset {
    /// The dataset of a graph.
    pub fn new(
        graph: Arc<CodeGraph>,
        identity: Identity,
        analyzed_at: i64,
        read: ReadSource,
        load_history: LoadHistory,
    ) -> Self {
        Self {
            graph,
            identity,
            analyzed_at,
            read,
            load_history,
            history: OnceLock::new(),
            languages: OnceLock::new(),
            externals: OnceLock::new(),
            modules: OnceLock::new(),
            last_read: Mutex::new(None),
            scrubber: None,
        }
    }

    /// The dataset, of which source is shown scrubbed.
    #[must_use]
    pub fn with_scrubber(self, scrubber: Scrubber) -> Self {
        Self {
            scrubber: Some(scrubber),
            ..self
        }
    }

    /// The code graph.
    pub fn graph(&self) -> &CodeGraph {
        &self.graph
    }

    /// Which source it is of.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// When it was analysed, in seconds since 1970.
    pub fn analyzed_at(&self) -> i64 {
        self.analyzed_at
    }

    fn language_statistics(&self) -> &[LanguageStatistics] {
        self.languages.get_or_init(|| {
            let mut found: BTreeMap<&str, (u32, u64)> = BTreeMap::new();
            for file in self.graph.files() {
                let entry = found.entry(file.language()).or_default();
                entry.0 += 1;
                entry.1 += u64::from(file.lines().code.get());
            }
            let rows = found.into_iter();
            rows.map(|(name, (files, loc))| LanguageStatistics {
                name: name.to_owned(),
                files,
                loc,
            })
            .collect()
        })
    }

    fn languages(&self) -> impl Iterator<Item = &str> {
        self.language_statistics().iter().map(|language| language.name.as_str())
    }

    fn language(&self, number: u32) -> &str {
        self.language_statistics()
            .get(number as usize)
            .map_or("", |language| &language.name)
    }

    fn externals(&self) -> &Externals {
        self.externals.get_or_init(|| {
            let graph = &self.graph;
            let count = graph.external_count();
            let mut by_name: Vec<u32> = (0..count as u32).collect();
            by_name.sort_by_key(|number| graph.external(*number));
            let mut starts = vec![0_u32; count + 1];
            let leads_outside = |number: u32| graph.edge(number).external().filter(|to| (*to as usize) < count);
            for to in (0..graph.edge_count() as u32).filter_map(leads_outside) {
                starts[to as usize + 1] += 1;
            }
            for at in 0..count {
                starts[at + 1] += starts[at];
            }
            let mut next = starts.clone();
            let mut edges = vec![0; starts[count] as usize];
            for number in 0..graph.edge_count() as u32 {
                if let Some(to) = leads_outside(number) {
                    edges[next[to as usize] as usize] = number;
                    next[to as usize] += 1;
                }
            }
            Externals { by_name, starts, edges }
        })
    }

    fn external_named(&self, name: &str) -> Option<u32> {
        let by_name = &self.externals().by_name;
        let at = by_name
            .binary_search_by(|number| self.graph.external(*number).cmp(name))
            .ok()?;
        by_name.get(at).copied()
    }

    /// The edges that lead to something outside.
    fn external_edges(&self, number: u32) -> &[u32] {
        let Externals { starts, edges, .. } = self.externals();
        let at = |index: usize| starts.get(index).map_or(0, |start| *start as usize);
        edges.get(at(number as usize)..at(number as usize + 1)).unwrap_or(&[])
    }

    fn modules(&self) -> &Modules {
        self.modules.get_or_init(|| {
            let modules = ModuleGraph::of(&self.graph);
            let symbol = |number: usize| modules.modules()[number].symbol.map(|symbol| symbol.0);
            let mut found = Modules {
                depends_on: BTreeMap::new(),
                dependents: BTreeMap::new(),
                cycle: BTreeMap::new(),
            };
            for row in modules.dependencies() {
                if let (Some(from), Some(to)) = (symbol(row.from), symbol(row.to)) {
                    found.depends_on.entry(from).or_default().push(to);
                    found.dependents.entry(to).or_default().push(from);
                }
            }
            for (number, group) in (1..).zip(modules.cycles()) {
                found
                    .cycle
                    .extend(group.into_iter().filter_map(symbol).map(|symbol| (symbol, number)));
            }
            found
        })
    }

    /// The modules that depend on one.
    fn dependents(&self, module: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
        let found = self.modules().dependents.get(&module.0);
        found.into_iter().flatten().copied().map(SymbolId)
    }

    /// Whether a node that was read from an IRI is part of the dataset.
    fn exists(&self, node: &Node<'_>) -> bool {
        match node {
            Node::CallSite(edge, ordinal) => {
                let edge = self.graph.edge(*edge);
                (edge.number() as usize) < self.graph.edge_count()
                    && edge.kind() == EdgeKind::Call
                    && (*ordinal as usize) < edge.lines().count()
            }
            Node::Unresolved(number) => (*number as usize) < self.graph.unresolved_count(),
            Node::DataFlow(symbol) => self.graph.symbol(SymbolId(*symbol)).variables().next().is_some(),
            _ => true,
        }
    }

    /// What git knows of a file, loaded when it is first asked for.
    fn file_history(&self, path: &str) -> Result<Option<&FileHistory>, OpError> {
        let history = match self.history.get() {
            Some(history) => history,
            None => {
                let loaded = (self.load_history)()?;
                self.history.get_or_init(|| loaded)
            }
        };
        Ok(history.as_ref().and_then(|history| history.files.get(path)))
    }

    /// The text of a file.
    fn source(&self, file: FileId) -> Result<Arc<str>, OpError> {
        let mut last = self.last_read.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some((number, text)) = last.as_ref()
            && *number == file.0
        {
            return Ok(Arc::clone(text));
        }
        let content = (self.read)(self.graph.file(file).path())?;
        let text: Arc<str> = String::from_utf8_lossy(&content).into();
        *last = Some((file.0, Arc::clone(&text)));
        Ok(text)
    }
}
