//! What the dataset says of one subject: the only place where quads are made.

use std::borrow::Cow;
use std::collections::BTreeSet;

use lore_base::time::in_calendar;
use lore_model::{Edge, EdgeKind, EdgeMarks, FileId, Symbol, SymbolId, SymbolKind, VariableUse, Visibility};

use super::super::vocabulary::Word;
use super::{Dataset, Graph, Layer, Node, Str};
use lore_base::scrub::Wording;
use lore_seam::OpError;

/// Complexity above which the source of a function is part of the full detail.
pub(crate) const SNIPPET_COMPLEXITY: u32 = 10;

/// What one quad says of its subject.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact<'a> {
    /// The property.
    pub predicate: Word,
    /// Its value.
    pub object: Node<'a>,
    /// The graph it is in.
    pub graph: Graph,
}

/// Which facts are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    pub(super) predicate: Option<Word>,
    pub(super) graph: Option<Graph>,
    pub(super) layer: Layer,
}

/// Facts under construction.
struct Facts<'a, 'v> {
    want: Want,
    graph: Graph,
    out: &'v mut Vec<Fact<'a>>,
}

impl<'a> Facts<'a, '_> {
    /// Goes on with a graph; whether anything of it is wanted.
    fn enter(&mut self, graph: Graph, layer: Layer) -> bool {
        self.graph = graph;
        self.want.layer >= layer && self.want.graph.is_none_or(|wanted| wanted == graph)
    }

    fn wants(&self, word: Word) -> bool {
        self.want.predicate.is_none_or(|wanted| wanted == word)
    }

    fn add(&mut self, predicate: Word, object: impl FnOnce() -> Node<'a>) {
        if self.wants(predicate) {
            let (object, graph) = (object(), self.graph);
            self.out.push(Fact {
                predicate,
                object,
                graph,
            });
        }
    }

    /// As `add`, but a value that is there already is not repeated.
    fn add_once(&mut self, predicate: Word, object: impl FnOnce() -> Node<'a>) {
        if self.wants(predicate) {
            let (object, graph) = (object(), self.graph);
            let fact = Fact {
                predicate,
                object,
                graph,
            };
            if !self.out.contains(&fact) {
                self.out.push(fact);
            }
        }
    }

    fn add_some(&mut self, predicate: Word, object: Option<Node<'a>>) {
        if let Some(object) = object {
            self.add(predicate, || object);
        }
    }
}

fn integer<'a>(value: impl TryInto<i64>) -> Node<'a> {
    Node::Integer(value.try_into().unwrap_or(i64::MAX))
}

impl Dataset {
    /// Appends what is wanted of what is known of a subject.
    pub(super) fn describe<'a>(
        &'a self,
        subject: &Node<'_>,
        want: Want,
        out: &mut Vec<Fact<'a>>,
    ) -> Result<(), OpError> {
        let mut facts = Facts {
            want,
            graph: Graph::Meta,
            out,
        };
        match subject {
            Node::Base => self.describe_base(&mut facts),
            Node::Repository => self.describe_repository(&mut facts),
            Node::Language(number) => self.describe_language(*number, &mut facts),
            Node::File(number) => self.describe_file(FileId(*number), &mut facts)?,
            Node::Symbol(number) => self.describe_symbol(SymbolId(*number), &mut facts)?,
            Node::External(number) => {
                if facts.enter(Graph::Structure, Layer::Index) {
                    facts.add(Word::Type, || Node::Word(Word::ExternalClass));
                    facts.add(Word::Name, || Node::text(self.graph.external(*number)));
                }
            }
            Node::CallSite(edge, ordinal) => self.describe_call_site(*edge, *ordinal, &mut facts),
            Node::Unresolved(number) => self.describe_unresolved(*number, &mut facts),
            Node::DataFlow(symbol) => self.describe_data_flow(SymbolId(*symbol), &mut facts),
            Node::Word(_)
            | Node::Graph(_)
            | Node::Text(_)
            | Node::Integer(_)
            | Node::Boolean(_)
            | Node::Hundredths(_)
            | Node::DateTime(_)
            | Node::Other(_) => {}
        }
        Ok(())
    }

    fn describe_base<'a>(&'a self, facts: &mut Facts<'a, '_>) {
        if facts.enter(Graph::Meta, Layer::Index) {
            facts.add(Word::Type, || Node::Word(Word::CodeContextGraphClass));
            facts.add(Word::AnalyzedAt, || Node::DateTime(self.analyzed_at));
            facts.add(Word::Commit, || Node::text(&self.identity.commit));
            facts.add(Word::Dirty, || Node::Boolean(self.identity.dirty));
            facts.add(Word::Generator, || {
                Node::text(concat!("lore ", env!("CARGO_PKG_VERSION")))
            });
            facts.add(Word::Repository, || Node::Repository);
        }
        if facts.enter(Graph::Structure, Layer::Index) {
            facts.add(Word::FileCount, || integer(self.graph.file_count()));
            facts.add(Word::SymbolCount, || integer(self.graph.symbol_count()));
        }
        if facts.enter(Graph::Calls, Layer::Index) {
            facts.add(Word::CallEdges, || {
                integer(self.graph.edges().filter(|edge| edge.kind() == EdgeKind::Call).count())
            });
            facts.add(Word::UnresolvedCalls, || integer(self.graph.unresolved_count()));
        }
        if facts.enter(Graph::Security, Layer::Index) {
            facts.add(Word::SecurityAnalyzed, || Node::Boolean(false));
        }
    }

    fn describe_repository<'a>(&'a self, facts: &mut Facts<'a, '_>) {
        if facts.enter(Graph::Meta, Layer::Index) {
            facts.add(Word::Type, || Node::Word(Word::RepositoryClass));
            facts.add(Word::Label, || Node::text(&self.identity.name));
            facts.add(Word::Url, || Node::made(self.identity.url()));
        }
    }

    fn describe_language<'a>(&'a self, number: u32, facts: &mut Facts<'a, '_>) {
        let Some(language) = self.language_statistics().get(number as usize) else {
            return;
        };
        if facts.enter(Graph::Meta, Layer::Index) {
            facts.add(Word::Type, || Node::Word(Word::LanguageStatisticsClass));
            facts.add(Word::FileCount, || integer(language.files));
            facts.add(Word::Language, || Node::text(&language.name));
            facts.add(Word::Loc, || integer(language.loc));
        }
    }

    fn describe_file<'a>(&'a self, id: FileId, facts: &mut Facts<'a, '_>) -> Result<(), OpError> {
        let file = self.graph.file(id);
        if facts.enter(Graph::Structure, Layer::Index) {
            let lines = file.lines();
            facts.add(Word::Type, || Node::Word(Word::FileClass));
            facts.add(Word::BlankLines, || integer(lines.blank.get()));
            facts.add(Word::CommentLines, || integer(lines.comment.get()));
            facts.add(Word::ContentHash, || {
                let hex = lore_base::digest::hex(file.hash().0);
                Node::made(hex)
            });
            facts.add(Word::Directory, || {
                Node::text(file.path().rsplit_once('/').map_or("", |(directory, _)| directory))
            });
            facts.add_some(Word::InModule, file.module().map(|module| Node::Symbol(module.id().0)));
            facts.add(Word::IsTest, || Node::Boolean(file.is_test()));
            facts.add(Word::Language, || Node::text(file.language()));
            facts.add(Word::Loc, || integer(lines.code.get()));
            facts.add(Word::Path, || Node::text(file.path()));
        }
        let is_history = |word| facts.want.predicate.is_none_or(|wanted| wanted == word);
        let history = [Word::AuthorCount, Word::Churn, Word::LastChanged, Word::LastCommit];
        if history.into_iter().any(is_history)
            && facts.enter(Graph::History, Layer::Full)
            && let Some(history) = self.file_history(file.path())?
        {
            facts.add(Word::AuthorCount, || integer(history.authors));
            facts.add(Word::Churn, || integer(history.changes));
            facts.add(Word::LastChanged, || Node::DateTime(in_calendar(history.last_changed)));
            facts.add(Word::LastCommit, || Node::text(&history.last_commit));
        }
        Ok(())
    }

    fn describe_symbol<'a>(&'a self, id: SymbolId, facts: &mut Facts<'a, '_>) -> Result<(), OpError> {
        let symbol = self.graph.symbol(id);
        let is_function = Word::classes(symbol.kind()).contains(&Word::FunctionClass);
        if facts.enter(Graph::Structure, Layer::Index) {
            if facts.wants(Word::Type) {
                for class in Word::classes(symbol.kind()) {
                    facts.add(Word::Type, || Node::Word(*class));
                }
            }
            if facts.wants(Word::Decorator) {
                for decorator in symbol.decorators() {
                    facts.add_once(Word::Decorator, || Node::text(decorator));
                }
            }
            if symbol.kind() == SymbolKind::Module
                && (facts.wants(Word::DependsOn) || facts.wants(Word::DependencyCycle))
            {
                let modules = self.modules();
                facts.add_some(Word::DependencyCycle, modules.cycle.get(&id.0).copied().map(integer));
                for module in modules.depends_on.get(&id.0).into_iter().flatten() {
                    facts.add(Word::DependsOn, || Node::Symbol(*module));
                }
            }
            facts.add(Word::Importance, || integer(symbol.importance()));
            if symbol.is_entry_point() {
                facts.add(Word::IsEntryPoint, || Node::Boolean(true));
            }
            if facts.wants(Word::Modifier) {
                for modifier in symbol.modifiers().iter() {
                    facts.add(Word::Modifier, || Node::text(modifier.name()));
                }
            }
            facts.add(Word::QualifiedName, || Node::text(symbol.qualified_name()));
            self.edges(symbol, &[EdgeKind::Reads], facts);
            facts.add(Word::Visibility, || Node::text(symbol.visibility().name()));
            self.edges(symbol, &[EdgeKind::Writes], facts);
            facts.add_some(Word::Complexity, complexity_of(symbol).map(integer));
            facts.add(Word::DefinedIn, || Node::File(symbol.file_id().0));
            let summary = symbol.summary();
            if !summary.is_empty() {
                facts.add(Word::DocComment, || Node::text(summary));
            }
            let place = symbol.place();
            facts.add(Word::EndLine, || integer(place.end_line.get()));
            facts.add_some(
                Word::HasParent,
                symbol.parent().map(|parent| Node::Symbol(parent.id().0)),
            );
            self.edges(symbol, &[EdgeKind::Import], facts);
            facts.add(Word::IsPublic, || {
                Node::Boolean(symbol.visibility() == Visibility::Public)
            });
            facts.add(Word::Name, || Node::text(symbol.name()));
            let signature = match symbol.signature() {
                "" if is_function => symbol.name(),
                signature => signature,
            };
            if !signature.is_empty() || is_function {
                facts.add(Word::Signature, || Node::text(signature));
            }
            facts.add(Word::StartLine, || integer(place.start_line.get()));
        }
        if facts.enter(Graph::Calls, Layer::Index) {
            let kinds = &[EdgeKind::Call, EdgeKind::Instantiates, EdgeKind::Tests];
            self.edges(symbol, kinds, facts);
            if facts.wants(Word::UnresolvedCalls) {
                let count = symbol.unresolved().count();
                facts.add_some(Word::UnresolvedCalls, (count > 0).then(|| integer(count)));
            }
            if facts.want.layer == Layer::Full && facts.wants(Word::CallSite) {
                for edge in symbol.edges().filter(|edge| edge.kind() == EdgeKind::Call) {
                    for ordinal in 0..edge.lines().count() as u32 {
                        facts.add(Word::CallSite, || Node::CallSite(edge.number(), ordinal));
                    }
                }
                for number in self.graph.unresolved_of(id) {
                    facts.add(Word::CallSite, || Node::Unresolved(number));
                }
            }
        }
        if facts.enter(Graph::Types, Layer::Index) {
            let kinds = &[
                EdgeKind::Extends,
                EdgeKind::Implements,
                EdgeKind::Overrides,
                EdgeKind::References,
            ];
            self.edges(symbol, kinds, facts);
        }
        if facts.enter(Graph::Docs, Layer::Full) {
            let doc = symbol.doc();
            if !doc.is_empty() {
                facts.add(Word::Documentation, || Node::text(doc));
            }
            let is_complex = symbol
                .complexity()
                .is_some_and(|complexity| complexity > SNIPPET_COMPLEXITY);
            if facts.wants(Word::SourceSnippet) && is_complex {
                let snippet = self.snippet(symbol)?;
                facts.add_some(Word::SourceSnippet, (!snippet.is_empty()).then(|| Node::made(snippet)));
            }
        }
        Ok(())
    }

    /// The edges of some kinds that start from a symbol.
    fn edges<'a>(&'a self, symbol: Symbol<'a>, kinds: &[EdgeKind], facts: &mut Facts<'a, '_>) {
        let is_wanted = kinds.iter().any(|kind| facts.wants(Word::of_edge(*kind)))
            || kinds.contains(&EdgeKind::Call) && facts.wants(Word::MayCall);
        if !is_wanted {
            return;
        }
        let mut last = None;
        for edge in symbol.edges().filter(|edge| kinds.contains(&edge.kind())) {
            let word = match edge.kind() {
                EdgeKind::Call if !edge.resolution().is_sure() => Word::MayCall,
                kind => Word::of_edge(kind),
            };
            // The edges of a module of several files to one target are next to each other.
            let object = (word, target(edge));
            if last.as_ref() != Some(&object) {
                facts.add(word, || target(edge));
                last = Some(object);
            }
        }
        if kinds.contains(&EdgeKind::Call) && facts.wants(Word::MayCall) {
            for member in overrides_called(symbol) {
                facts.add(Word::MayCall, || Node::Symbol(member.0));
            }
        }
    }

    fn describe_call_site<'a>(&'a self, number: u32, ordinal: u32, facts: &mut Facts<'a, '_>) {
        let edge = self.graph.edge(number);
        let Some(line) = edge.lines().nth(ordinal as usize) else {
            return;
        };
        if facts.enter(Graph::Calls, Layer::Full) {
            facts.add(Word::Type, || Node::Word(Word::CallSiteClass));
            facts.add(Word::Callee, || target(edge));
            facts.add(Word::Caller, || Node::Symbol(edge.source().id().0));
            facts.add(Word::Confidence, || {
                Node::Hundredths((edge.resolution().confidence() * 100.0).round() as u32)
            });
            facts.add(Word::Resolution, || Node::text(edge.resolution().name()));
            facts.add(Word::AtLine, || integer(line));
            facts.add(Word::InFile, || Node::File(edge.file_id().0));
        }
    }

    fn describe_unresolved<'a>(&'a self, number: u32, facts: &mut Facts<'a, '_>) {
        let Some(call) = self.graph.unresolved_call(number) else {
            return;
        };
        if facts.enter(Graph::Calls, Layer::Full) {
            facts.add(Word::Type, || Node::Word(Word::UnresolvedCallClass));
            facts.add(Word::Caller, || Node::Symbol(call.caller.0));
            facts.add(Word::AtLine, || integer(call.line));
            facts.add(Word::InFile, || Node::File(call.file.0));
            facts.add(Word::Name, || self.named(call.name));
        }
    }

    fn describe_data_flow<'a>(&'a self, id: SymbolId, facts: &mut Facts<'a, '_>) {
        let symbol = self.graph.symbol(id);
        if !facts.enter(Graph::Dataflow, Layer::Full) || symbol.variables().next().is_none() {
            return;
        }
        facts.add(Word::Type, || Node::Word(Word::DataFlowGraphClass));
        for (word, wanted) in [
            (Word::DefinesVar, VariableUse::Defines),
            (Word::UsesVar, VariableUse::Uses),
        ] {
            if word == Word::UsesVar {
                facts.add(Word::ForSymbol, || Node::Symbol(id.0));
            }
            if facts.wants(word) {
                for (name, _) in symbol.variables().filter(|(_, found)| *found == wanted) {
                    match self.named(name) {
                        // What was taken out of two names may be all that told them apart.
                        made @ Node::Text(Str::Made(_)) => facts.add_once(word, || made),
                        held => facts.add(word, || held),
                    }
                }
            }
        }
    }

    /// A name that is not a name of a symbol, as it is shown.
    fn named<'a>(&self, name: &'a str) -> Node<'a> {
        match self.shown_name(name) {
            Cow::Borrowed(name) => Node::text(name),
            Cow::Owned(clean) => Node::made(clean),
        }
    }

    /// A name that the graph does not scrub: of a call that leads nowhere known, or of a variable.
    pub(super) fn shown_name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        match &self.scrubber {
            Some(scrubber) => scrubber.clone().scrub(name, Wording::of_name(name)),
            None => Cow::Borrowed(name),
        }
    }

    /// The source of a symbol, from its first to its last line.
    fn snippet(&self, symbol: Symbol<'_>) -> Result<String, OpError> {
        let text = self.source(symbol.file_id())?;
        let place = symbol.place();
        let (first, last) = (place.start_line.get() as usize, place.end_line.get() as usize);
        let lines = text
            .lines()
            .skip(first.saturating_sub(1))
            .take(last + 1 - first.min(last));
        let snippet = lines.collect::<Vec<_>>().join("\n");
        Ok(match &self.scrubber {
            Some(scrubber) => {
                let wording = Wording::of_language(symbol.file().language());
                scrubber.clone().scrub(&snippet, wording).into_owned()
            }
            None => snippet,
        })
    }

    /// Whether a symbol of some kind may be of a class.
    pub(super) fn is_of(kind: SymbolKind, class: Word) -> bool {
        Word::classes(kind).contains(&class)
    }
}

/// The complexity of what runs. Whatever is declared without a body has no decision in it.
pub(crate) fn complexity_of(symbol: Symbol<'_>) -> Option<u32> {
    let is_function = Word::classes(symbol.kind()).contains(&Word::FunctionClass);
    symbol.complexity().or(is_function.then_some(1))
}

/// Where an edge leads.
fn target<'a>(edge: lore_model::Edge<'a>) -> Node<'a> {
    match edge.external() {
        Some(number) => Node::External(number),
        None => Node::Symbol(edge.target().symbol().map_or(u32::MAX, |symbol| symbol.id().0)),
    }
}

/// Members that are followed along overrides from one member.
pub(super) const MAX_OVERRIDES: usize = 512;

/// Whether an edge is a call that names a member without a body, and what runs there is not known.
pub(super) fn leaves_open(edge: Edge<'_>) -> bool {
    let is_named = edge.marks().contains(EdgeMarks::NAMED.with(EdgeMarks::OPEN));
    edge.kind() == EdgeKind::Call && is_named && edge.target().symbol().is_some_and(Symbol::is_abstract)
}

/// The overrides that calls of a symbol may run, in order, without those that it is known to call.
fn overrides_called(symbol: Symbol<'_>) -> BTreeSet<SymbolId> {
    let open = symbol.edges().filter(|edge| leaves_open(*edge));
    let members = open.filter_map(|edge| edge.target().symbol());
    let mut found: BTreeSet<SymbolId> = members
        .flat_map(|member| member.overriders(MAX_OVERRIDES))
        .map(Symbol::id)
        .collect();
    for edge in symbol.edges().filter(|edge| edge.kind() == EdgeKind::Call) {
        if let Some(target) = edge.target().symbol() {
            found.remove(&target.id());
        }
    }
    found
}
