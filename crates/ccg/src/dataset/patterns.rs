//! Quad patterns, answered from the columns and indexes: which subjects can match, then what is known of each.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lore_model::{Cancel, EdgeKind, FileId, SymbolId, SymbolKind};
use oxrdf::Term;
use spareval::{CancellationToken, ExpressionTerm, InternalQuad, QueryableDataset};

use super::super::vocabulary::Word;
use super::describe::{MAX_OVERRIDES, Want, leaves_open};
use super::{Dataset, FacetGraphs, Fact, Graph, Layer, Node};
use lore_seam::OpError;

/// Stops an evaluation, because its time is over or because the request was cancelled.
#[derive(Default)]
pub struct Watch {
    stopped: AtomicBool,
    /// Observed by the evaluator where it does not read the dataset.
    token: CancellationToken,
    request: Arc<Cancel>,
}

impl Watch {
    /// A watch that also observes the cancellation of a request.
    pub fn of(request: &Arc<Cancel>) -> Self {
        Self {
            request: Arc::clone(request),
            ..Self::default()
        }
    }

    /// Stops the evaluation.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.token.cancel();
    }

    /// Whether the evaluation must stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.is_cancelled()
    }

    /// Whether the request was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.request.is_cancelled()
    }

    /// The token for an evaluator.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }
}

/// The dataset as one query sees it.
#[derive(Clone)]
pub struct View<'a> {
    dataset: &'a Dataset,
    layer: Layer,
    watch: Arc<Watch>,
    beside: Arc<FacetGraphs<'a>>,
}

/// Why a pattern could not be answered.
#[derive(Clone, Debug)]
pub enum ViewError {
    /// The request was cancelled.
    Stopped,
    /// A file or git could not be read.
    Source(OpError),
}

impl fmt::Display for ViewError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => formatter.write_str("the query was stopped"),
            Self::Source(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for ViewError {}

/// The families of subjects, in the order in which they are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Family {
    Base,
    Repository,
    Language,
    File,
    Symbol,
    External,
    CallSite,
    Unresolved,
    DataFlow,
}

impl Family {
    const ALL: &'static [Self] = &[
        Self::Base,
        Self::Repository,
        Self::Language,
        Self::File,
        Self::Symbol,
        Self::External,
        Self::CallSite,
        Self::Unresolved,
        Self::DataFlow,
    ];

    /// The families that have a property.
    fn with(word: Word) -> &'static [Self] {
        match word {
            Word::Type => Self::ALL,
            Word::AnalyzedAt
            | Word::CallEdges
            | Word::Commit
            | Word::Dirty
            | Word::Generator
            | Word::Repository
            | Word::SecurityAnalyzed
            | Word::SymbolCount => &[Self::Base],
            Word::Label | Word::Url => &[Self::Repository],
            Word::FileCount => &[Self::Base, Self::Language],
            Word::UnresolvedCalls => &[Self::Base, Self::Symbol],
            Word::Language | Word::Loc => &[Self::Language, Self::File],
            Word::AuthorCount
            | Word::BlankLines
            | Word::Churn
            | Word::CommentLines
            | Word::ContentHash
            | Word::Directory
            | Word::InModule
            | Word::IsTest
            | Word::LastChanged
            | Word::LastCommit
            | Word::Path => &[Self::File],
            Word::Name => &[Self::Symbol, Self::External, Self::Unresolved],
            Word::Callee | Word::Confidence | Word::Resolution => &[Self::CallSite],
            Word::Caller | Word::AtLine | Word::InFile => &[Self::CallSite, Self::Unresolved],
            Word::ForSymbol | Word::DefinesVar | Word::UsesVar => &[Self::DataFlow],
            Word::CallSite
            | Word::Calls
            | Word::Complexity
            | Word::Decorator
            | Word::DefinedIn
            | Word::DependencyCycle
            | Word::DependsOn
            | Word::DocComment
            | Word::Documentation
            | Word::EndLine
            | Word::Extends
            | Word::HasParent
            | Word::Implements
            | Word::Importance
            | Word::Imports
            | Word::Instantiates
            | Word::IsEntryPoint
            | Word::IsPublic
            | Word::MayCall
            | Word::Modifier
            | Word::Overrides
            | Word::QualifiedName
            | Word::Reads
            | Word::References
            | Word::Signature
            | Word::SourceSnippet
            | Word::StartLine
            | Word::Tests
            | Word::Visibility
            | Word::Writes => &[Self::Symbol],
            // Classes are no properties.
            _ => &[],
        }
    }

    /// The families that have something to say in a graph.
    fn within(graph: Graph) -> &'static [Self] {
        match graph {
            Graph::Meta => &[Self::Base, Self::Repository, Self::Language],
            Graph::Structure => &[Self::Base, Self::File, Self::Symbol, Self::External],
            Graph::Calls => &[Self::Base, Self::Symbol, Self::CallSite, Self::Unresolved],
            Graph::Types | Graph::Docs => &[Self::Symbol],
            Graph::Dataflow => &[Self::DataFlow],
            Graph::History => &[Self::File],
            Graph::Security => &[Self::Base],
        }
    }
}

/// A subject as a number, so that several can be put in order and no one is looked at twice.
type Key = (Family, u32, u32);

fn node<'a>((family, number, ordinal): Key) -> Node<'a> {
    match family {
        Family::Base => Node::Base,
        Family::Repository => Node::Repository,
        Family::Language => Node::Language(number),
        Family::File => Node::File(number),
        Family::Symbol => Node::Symbol(number),
        Family::External => Node::External(number),
        Family::CallSite => Node::CallSite(number, ordinal),
        Family::Unresolved => Node::Unresolved(number),
        Family::DataFlow => Node::DataFlow(number),
    }
}

type Subjects<'a> = Box<dyn Iterator<Item = Node<'a>> + 'a>;

impl Dataset {
    /// The dataset up to a layer, for somebody who may ask to stop.
    pub fn view(&self, layer: Layer, watch: Arc<Watch>) -> View<'_> {
        View {
            dataset: self,
            layer,
            watch,
            beside: Arc::default(),
        }
    }

    fn all_of<'a>(&'a self, family: Family) -> Subjects<'a> {
        let graph = &self.graph;
        match family {
            Family::Base => Box::new(std::iter::once(Node::Base)),
            Family::Repository => Box::new(std::iter::once(Node::Repository)),
            Family::Language => Box::new((0..self.language_statistics().len() as u32).map(Node::Language)),
            Family::File => Box::new((0..graph.file_count() as u32).map(Node::File)),
            Family::Symbol => Box::new((0..graph.symbol_count() as u32).map(Node::Symbol)),
            Family::External => Box::new((0..graph.external_count() as u32).map(Node::External)),
            Family::CallSite => Box::new((0..graph.edge_count() as u32).flat_map(|number| {
                let edge = graph.edge(number);
                let count = match edge.kind() {
                    EdgeKind::Call => edge.lines().count() as u32,
                    _ => 0,
                };
                (0..count).map(move |ordinal| Node::CallSite(number, ordinal))
            })),
            Family::Unresolved => Box::new((0..graph.unresolved_count() as u32).map(Node::Unresolved)),
            Family::DataFlow => Box::new(
                (0..graph.symbol_count() as u32)
                    .filter(|number| graph.symbol(SymbolId(*number)).variables().next().is_some())
                    .map(Node::DataFlow),
            ),
        }
    }

    /// Every subject that may have a property, in a graph.
    fn all<'a>(&'a self, predicate: Option<Word>, graph: Option<Graph>, layer: Layer) -> Subjects<'a> {
        let families = predicate.map_or(Family::ALL, Family::with);
        let in_graph = graph.map_or(Family::ALL, Family::within);
        let families = families
            .iter()
            .filter(move |family| in_graph.contains(family) && (layer == Layer::Full || **family < Family::CallSite));
        Box::new(families.flat_map(|family| self.all_of(*family)))
    }

    /// Every subject that may have a value, for some property or any.
    fn with_object<'a>(
        &'a self,
        predicate: Option<Word>,
        object: &Node<'a>,
        graph: Option<Graph>,
        layer: Layer,
    ) -> Subjects<'a> {
        let asks = |word: Word| predicate.is_none_or(|wanted| wanted == word);
        let mut keys: Vec<Key> = Vec::new();
        match object {
            Node::Symbol(number) => self.that_name_symbol(SymbolId(*number), &asks, &mut keys),
            Node::File(number) => self.that_name_file(FileId(*number), &asks, &mut keys),
            Node::External(number) => {
                for edge in self.external_edges(*number) {
                    self.ends_of(*edge, &asks, &mut keys);
                }
            }
            Node::CallSite(edge, _) if asks(Word::CallSite) => {
                keys.push((Family::Symbol, self.graph.edge(*edge).source().id().0, 0));
            }
            Node::Unresolved(number) if asks(Word::CallSite) => {
                let caller = self.graph.unresolved_call(*number);
                keys.extend(caller.map(|call| (Family::Symbol, call.caller.0, 0)));
            }
            Node::Repository => keys.push((Family::Base, 0, 0)),
            Node::Word(class) if asks(Word::Type) => return self.of_class(*class, graph, layer),
            Node::Text(text) => match predicate {
                Some(Word::Name) => {
                    let text = text.as_str();
                    keys.extend(self.graph.named(text).map(|id| (Family::Symbol, id.0, 0)));
                    // A name that is shown in the place of another is in no index of the snapshot.
                    keys.extend(self.graph.shown_as(text).iter().map(|id| (Family::Symbol, id.0, 0)));
                    keys.extend(self.external_named(text).map(|number| (Family::External, number, 0)));
                    // What scrubbing leaves behind holds a mark.
                    let is_marked = text.contains('[');
                    let unresolved = self.graph.all_unresolved().enumerate();
                    keys.extend(
                        unresolved
                            .filter(|(_, call)| call.name == text || is_marked && self.shown_name(call.name) == text)
                            .map(|(number, _)| (Family::Unresolved, number as u32, 0)),
                    );
                }
                Some(Word::QualifiedName) => {
                    keys.extend(self.graph.qualified(text.as_str()).map(|id| (Family::Symbol, id.0, 0)));
                }
                Some(Word::Path) => {
                    let file = self.graph.file_at(text.as_str());
                    keys.extend(file.map(|file| (Family::File, file.id().0, 0)));
                }
                _ => return self.all(predicate, graph, layer),
            },
            Node::Integer(_) | Node::Boolean(_) | Node::Hundredths(_) | Node::DateTime(_) => {
                return self.all(predicate, graph, layer);
            }
            Node::Word(_)
            | Node::Graph(_)
            | Node::Base
            | Node::Language(_)
            | Node::CallSite(..)
            | Node::Unresolved(_)
            | Node::DataFlow(_)
            | Node::Other(_) => {}
        }
        keys.sort_unstable();
        keys.dedup();
        Box::new(keys.into_iter().map(node))
    }

    /// The two ends of an edge that lead to its target: the source, and the places that say so.
    fn ends_of(&self, number: u32, asks: &dyn Fn(Word) -> bool, keys: &mut Vec<Key>) {
        let edge = self.graph.edge(number);
        let is_call = edge.kind() == EdgeKind::Call;
        if asks(Word::of_edge(edge.kind())) || is_call && asks(Word::MayCall) {
            keys.push((Family::Symbol, edge.source().id().0, 0));
        }
        if is_call && asks(Word::Callee) {
            let lines = edge.lines().count() as u32;
            keys.extend((0..lines).map(|ordinal| (Family::CallSite, number, ordinal)));
        }
    }

    fn that_name_symbol(&self, id: SymbolId, asks: &dyn Fn(Word) -> bool, keys: &mut Vec<Key>) {
        let symbol = self.graph.symbol(id);
        if asks(Word::HasParent) {
            keys.extend(symbol.children().map(|child| (Family::Symbol, child.id().0, 0)));
        }
        for edge in symbol.incoming() {
            self.ends_of(edge.number(), asks, keys);
        }
        if asks(Word::MayCall) {
            let members = symbol
                .overridden(MAX_OVERRIDES)
                .into_iter()
                .flat_map(|member| member.incoming());
            let open = members.filter(|edge| leaves_open(*edge));
            keys.extend(open.map(|edge| (Family::Symbol, edge.source().id().0, 0)));
        }
        if asks(Word::Caller) {
            for edge in symbol.edges().filter(|edge| edge.kind() == EdgeKind::Call) {
                let lines = edge.lines().count() as u32;
                keys.extend((0..lines).map(|ordinal| (Family::CallSite, edge.number(), ordinal)));
            }
            let unresolved = self.graph.unresolved_of(id);
            keys.extend(unresolved.map(|number| (Family::Unresolved, number, 0)));
        }
        if asks(Word::ForSymbol) {
            keys.push((Family::DataFlow, id.0, 0));
        }
        if symbol.kind() == SymbolKind::Module {
            if asks(Word::InModule) {
                let files = self
                    .graph
                    .files()
                    .filter(|file| file.module().is_some_and(|module| module.id() == id));
                keys.extend(files.map(|file| (Family::File, file.id().0, 0)));
            }
            if asks(Word::DependsOn) {
                keys.extend(self.dependents(id).map(|module| (Family::Symbol, module.0, 0)));
            }
        }
    }

    fn that_name_file(&self, id: FileId, asks: &dyn Fn(Word) -> bool, keys: &mut Vec<Key>) {
        let file = self.graph.file(id);
        if asks(Word::DefinedIn) {
            keys.extend(file.symbols().map(|symbol| (Family::Symbol, symbol.id().0, 0)));
        }
        if asks(Word::InFile) {
            // The symbol of a module of several files is in the first of them.
            let module = file.module().filter(|module| module.file_id() != id);
            for symbol in file.symbols().chain(module) {
                let calls = symbol.edges().filter(|edge| edge.kind() == EdgeKind::Call);
                for edge in calls.filter(|edge| edge.file_id() == id) {
                    let lines = edge.lines().count() as u32;
                    keys.extend((0..lines).map(|ordinal| (Family::CallSite, edge.number(), ordinal)));
                }
                let unresolved = self.graph.unresolved_of(symbol.id());
                let is_here = |number: &u32| self.graph.unresolved_call(*number).is_some_and(|call| call.file == id);
                keys.extend(unresolved.filter(is_here).map(|number| (Family::Unresolved, number, 0)));
            }
        }
    }

    /// Every subject of a class.
    fn of_class<'a>(&'a self, class: Word, graph: Option<Graph>, layer: Layer) -> Subjects<'a> {
        let family = match class {
            Word::CodeContextGraphClass => Family::Base,
            Word::RepositoryClass => Family::Repository,
            Word::LanguageStatisticsClass => Family::Language,
            Word::FileClass => Family::File,
            Word::ExternalClass => Family::External,
            Word::CallSiteClass => Family::CallSite,
            Word::UnresolvedCallClass => Family::Unresolved,
            Word::DataFlowGraphClass => Family::DataFlow,
            _ => {
                if graph.is_some_and(|graph| graph != Graph::Structure) {
                    return Box::new(std::iter::empty());
                }
                let kinds: Vec<SymbolKind> = SymbolKind::ALL
                    .iter()
                    .copied()
                    .filter(|kind| Self::is_of(*kind, class))
                    .collect();
                let symbols = self.graph.symbols();
                return Box::new(
                    symbols
                        .filter(move |symbol| kinds.contains(&symbol.kind()))
                        .map(|symbol| Node::Symbol(symbol.id().0)),
                );
            }
        };
        if layer == Layer::Index && family >= Family::CallSite {
            Box::new(std::iter::empty())
        } else {
            self.all_of(family)
        }
    }
}

/// The quads that match a pattern.
pub struct Quads<'a> {
    view: View<'a>,
    subjects: Subjects<'a>,
    want: Want,
    object: Option<Node<'a>>,
    subject: Node<'a>,
    facts: Vec<Fact<'a>>,
    at: usize,
}

impl<'a> Quads<'a> {
    fn fill(&mut self) -> Result<bool, ViewError> {
        loop {
            if self.view.watch.is_stopped() {
                return Err(ViewError::Stopped);
            }
            let Some(subject) = self.subjects.next() else {
                return Ok(false);
            };
            self.facts.clear();
            self.at = 0;
            self.view
                .dataset
                .describe(&subject, self.want, &mut self.facts)
                .map_err(ViewError::Source)?;
            if let Some(object) = &self.object {
                self.facts.retain(|fact| fact.object == *object);
            }
            if !self.facts.is_empty() {
                self.subject = subject;
                return Ok(true);
            }
        }
    }
}

impl<'a> Quads<'a> {
    /// The next subject and what matches of it, in the order of the properties.
    pub(crate) fn next_subject(&mut self) -> Result<Option<(&Node<'a>, &[Fact<'a>])>, ViewError> {
        if !self.fill()? {
            return Ok(None);
        }
        self.at = self.facts.len();
        self.facts.sort_by_key(|fact| fact.predicate);
        Ok(Some((&self.subject, &self.facts)))
    }
}

impl<'a> Iterator for Quads<'a> {
    type Item = Result<(Node<'a>, Fact<'a>), ViewError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.facts.len() {
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.subjects = Box::new(std::iter::empty());
                    return Some(Err(error));
                }
            }
        }
        let fact = self.facts[self.at].clone();
        self.at += 1;
        Some(Ok((self.subject.clone(), fact)))
    }
}

impl<'a> View<'a> {
    /// The view with what is beside the code.
    #[must_use]
    pub fn with(self, beside: FacetGraphs<'a>) -> Self {
        Self {
            beside: Arc::new(beside),
            ..self
        }
    }

    /// The dataset.
    pub fn dataset(&self) -> &'a Dataset {
        self.dataset
    }

    /// The quads that match a pattern. The graph is one of the dataset's, or any.
    pub fn quads(
        &self,
        subject: Option<&Node<'a>>,
        predicate: Option<Word>,
        object: Option<&Node<'a>>,
        graph: Option<Graph>,
    ) -> Quads<'a> {
        let subjects: Subjects<'a> = match (subject, object) {
            (Some(subject), _) => Box::new(std::iter::once(subject.clone())),
            (None, Some(object)) => self.dataset.with_object(predicate, object, graph, self.layer),
            (None, None) => self.dataset.all(predicate, graph, self.layer),
        };
        Quads {
            view: self.clone(),
            subjects,
            want: Want {
                predicate,
                graph,
                layer: self.layer,
            },
            object: object.cloned(),
            subject: Node::Base,
            facts: Vec::new(),
            at: 0,
        }
    }

    fn nothing(&self) -> Quads<'a> {
        Quads {
            subjects: Box::new(std::iter::empty()),
            ..self.quads(Some(&Node::Base), None, None, None)
        }
    }
}

impl<'a> QueryableDataset<'a> for View<'a> {
    type InternalTerm = Node<'a>;
    type Error = ViewError;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&Node<'a>>,
        predicate: Option<&Node<'a>>,
        object: Option<&Node<'a>>,
        graph_name: Option<Option<&Node<'a>>>,
    ) -> impl Iterator<Item = Result<InternalQuad<Node<'a>>, ViewError>> + use<'a> {
        let beside = self.beside.matching(subject, predicate, object, graph_name);
        let predicate = match predicate {
            None => Ok(None),
            Some(Node::Word(word)) => Ok(Some(*word)),
            Some(_) => Err(()),
        };
        let graph = match graph_name {
            None => Ok(None),
            Some(Some(Node::Graph(graph))) => Ok(Some(*graph)),
            // Nothing is in the default graph.
            Some(_) => Err(()),
        };
        let quads = match (predicate, graph) {
            (Ok(predicate), Ok(graph)) => self.quads(subject, predicate, object, graph),
            _ => self.nothing(),
        };
        let quads = quads.map(|quad| {
            let (subject, fact) = quad?;
            Ok(InternalQuad {
                subject,
                predicate: Node::Word(fact.predicate),
                object: fact.object,
                graph_name: Some(Node::Graph(fact.graph)),
            })
        });
        quads.chain(beside.into_iter().map(Ok))
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<Node<'a>, ViewError>> + use<'a> {
        let view = self.clone();
        let graphs = Graph::ALL.iter().copied();
        graphs
            .filter_map(move |graph| match view.quads(None, None, None, Some(graph)).next()? {
                Ok(_) => Some(Ok(Node::Graph(graph))),
                Err(error) => Some(Err(error)),
            })
            .chain(self.beside.graphs().to_vec().into_iter().map(Ok))
    }

    fn contains_internal_graph_name(&self, graph_name: &Node<'a>) -> Result<bool, ViewError> {
        let Node::Graph(graph) = graph_name else {
            return Ok(self.beside.graphs().contains(graph_name));
        };
        let first = self.quads(None, None, None, Some(*graph)).next();
        Ok(first.transpose()?.is_some())
    }

    fn internalize_term(&self, term: Term) -> Result<Node<'a>, ViewError> {
        Ok(Node::of_term(self.dataset, term))
    }

    fn externalize_term(&self, term: Node<'a>) -> Result<Term, ViewError> {
        if self.watch.is_stopped() {
            return Err(ViewError::Stopped);
        }
        Ok(term.to_term(self.dataset))
    }

    fn externalize_expression_term(&self, term: Node<'a>) -> Result<ExpressionTerm, ViewError> {
        if self.watch.is_stopped() {
            return Err(ViewError::Stopped);
        }
        Ok(term.to_expression_term(self.dataset))
    }
}
