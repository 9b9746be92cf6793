//! A bundle of the Code Context Graph → a code graph: the statements of its fullest layer become the rows that a published body becomes.
//!
//! What the layers do not say is not made up: the line of a name is the first line of its definition, a file has no size, and an edge of the symbol
//! index has no line.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use lore_model::{
    Cancel, ContentHash, DefinitionFlags, EdgeKind, EdgeMarks, Modifier, Resolution, SymbolKind, VariableUse,
    Visibility,
};
use oxrdf::{GraphName, NamedOrBlankNode, Quad, Term};

use lore_base::digest::from_hex;
use lore_ccg::bundle::{Bundle, Part, PartContent};
use lore_ccg::{Identity, Word};
use lore_ckgp::open::rows::{EdgeDraft, FileDraft, GraphRows, SymbolDraft, Target, UnresolvedDraft, VariableDraft};
use lore_ckgp::open::{About, Opened};
use lore_seam::{ErrorKind, OpError};

/// Statements that are held.
const MOST_STATEMENTS: usize = 12_000_000;
/// Bytes of names and texts that are held.
const MOST_TEXT: usize = 512 << 20;
/// Lines that are read between two checks for cancellation.
const LINES_BETWEEN: u64 = 1 << 10;

/// Makes a code graph of a bundle. `place` is what to call it.
pub fn open_bundle(place: &str, bytes: Vec<u8>, cancel: &Cancel) -> Result<Opened, OpError> {
    let bundle = Bundle::open(place, bytes)?;
    let content = [Part::FullDetail, Part::SymbolIndex]
        .into_iter()
        .find_map(|part| bundle.part(part));
    let content = content.ok_or_else(|| {
        OpError::new(
            ErrorKind::Invalid,
            format!("{place} has no layer with symbols, so that there is no code to query"),
        )
        .hint("`lore ccg bundle` writes bundles with all layers")
    })?;
    let statements = Statements::read(place, content, cancel)?;
    let fault = |reason: String| {
        OpError::new(ErrorKind::Invalid, format!("{place}: {reason}")).hint("`lore ccg validate` reports all faults")
    };
    let about = statements.about();
    let mut rows = statements.rows();
    if rows.files.is_empty() {
        return Err(fault("its statements do not describe any file".to_owned()));
    }
    let snapshot = rows
        .snapshot()
        .map_err(|error| fault(error.to_string()).because(error))?;
    Ok(Opened { snapshot, about })
}

/// What a statement says of its subject.
#[derive(Clone, Copy)]
enum Object {
    /// Something else, by number.
    Thing(u32),
    /// A word of the vocabulary.
    Word(Word),
    /// A literal: where its text stands.
    Text(u32, u32),
}

/// The statements with a word that is known, by their subject.
#[derive(Default)]
struct Statements {
    /// Every text, one after the other.
    text: String,
    things: HashMap<String, u32>,
    iris: Vec<String>,
    /// Subject, word, object.
    facts: Vec<(u32, Word, Object)>,
    identity: Option<Identity>,
}

impl Statements {
    fn read(place: &str, content: &PartContent, cancel: &Cancel) -> Result<Self, OpError> {
        let mut found = Self::default();
        for line in content.quads()? {
            let line = line.map_err(|fault| {
                let message = format!("{place}: {}:{fault}", content.place);
                OpError::new(ErrorKind::Invalid, message).hint("`lore ccg validate` reports all faults")
            })?;
            if line.line.is_multiple_of(LINES_BETWEEN) && cancel.is_cancelled() {
                return Err(OpError::new(ErrorKind::Cancelled, "opening the graph was cancelled"));
            }
            found.push(&line.quad);
            if found.facts.len() > MOST_STATEMENTS || found.text.len() > MOST_TEXT {
                let message =
                    format!("{place} has more than {MOST_STATEMENTS} statements or {MOST_TEXT} bytes of text");
                return Err(OpError::new(ErrorKind::Unavailable, message)
                    .hint("check out the commit and query it there: a repository has no such limit"));
            }
        }
        // What is said of a thing is together, in the order in which it was said.
        found.facts.sort_by_key(|(subject, ..)| *subject);
        Ok(found)
    }

    fn push(&mut self, quad: &Quad) {
        let (NamedOrBlankNode::NamedNode(subject), Some(word)) =
            (&quad.subject, Word::from_iri(quad.predicate.as_str()))
        else {
            return;
        };
        if self.identity.is_none()
            && let GraphName::NamedNode(graph) = &quad.graph_name
        {
            let base = graph.as_str().rsplit_once("/graph/");
            self.identity = base.and_then(|(base, _)| Identity::of_base(base));
        }
        let object = match &quad.object {
            Term::NamedNode(iri) => match Word::from_iri(iri.as_str()) {
                Some(word) => Object::Word(word),
                None => Object::Thing(self.thing(iri.as_str())),
            },
            Term::Literal(literal) => {
                let start = self.text.len() as u32;
                self.text.push_str(literal.value());
                Object::Text(start, literal.value().len() as u32)
            }
            Term::BlankNode(_) => return,
        };
        let subject = self.thing(subject.as_str());
        self.facts.push((subject, word, object));
    }

    fn thing(&mut self, iri: &str) -> u32 {
        if let Some(number) = self.things.get(iri) {
            return *number;
        }
        let number = self.iris.len() as u32;
        self.things.insert(iri.to_owned(), number);
        self.iris.push(iri.to_owned());
        number
    }

    fn of(&self, object: Object) -> &str {
        match object {
            Object::Text(start, len) => self
                .text
                .get(start as usize..start as usize + len as usize)
                .unwrap_or_default(),
            Object::Thing(_) | Object::Word(_) => "",
        }
    }

    /// What is said of each thing.
    fn subjects(&self) -> impl Iterator<Item = Subject<'_>> {
        let same = |left: &(u32, Word, Object), right: &(u32, Word, Object)| left.0 == right.0;
        self.facts.chunk_by(same).map(|facts| Subject {
            statements: self,
            number: facts.first().map_or(0, |fact| fact.0),
            facts,
        })
    }

    fn about(&self) -> About {
        let mut about = About::default();
        if let Some(identity) = &self.identity {
            about.repository = (identity.host != "local").then(|| identity.url());
            about.name = Some(identity.name.clone());
        }
        let Some(graph) = self.subjects().find(|subject| subject.is(Word::CodeContextGraphClass)) else {
            return about;
        };
        let text = |word| Some(graph.text(word)).filter(|text| !text.is_empty());
        about.commit = text(Word::Commit).map(str::to_owned);
        about.dirty = graph.text(Word::Dirty) == "true";
        about.generated_at = text(Word::AnalyzedAt).map(str::to_owned);
        if let Some(generator) = text(Word::Generator) {
            let (tool, version) = generator.split_once(' ').unwrap_or((generator, ""));
            about.tool = Some(tool.to_owned());
            about.tool_version = (!version.is_empty()).then(|| version.to_owned());
        }
        about
    }

    /// What the statements say, as rows.
    fn rows(&self) -> GraphRows<'_> {
        let mut rows = GraphRows::default();
        let mut meant = vec![Meant::Nothing; self.iris.len()];
        let mut symbols: Vec<(Subject<'_>, SymbolKind)> = Vec::new();
        for subject in self.subjects() {
            let slot = match subject.kind() {
                Class::File => {
                    rows.files.push(subject.file());
                    Meant::File(rows.files.len() as u32 - 1)
                }
                Class::External => {
                    rows.externals.push(Cow::Borrowed(subject.text(Word::Name)));
                    Meant::External(rows.externals.len() as u32 - 1)
                }
                Class::Symbol(kind) => {
                    symbols.push((subject, kind));
                    continue;
                }
                Class::Other => continue,
            };
            if let Some(place) = meant.get_mut(subject.number as usize) {
                *place = slot;
            }
        }
        // Layers are in the order of names; outlines are in the order of the source.
        symbols.sort_by_key(|(subject, kind)| {
            let place = (subject.count(Word::StartLine), Reverse(subject.count(Word::EndLine)));
            (*kind != SymbolKind::Module, place, subject.number)
        });
        symbols.retain(|(subject, _)| {
            let file = subject.thing(Word::DefinedIn).and_then(|file| meant.get(file as usize));
            matches!(file, Some(Meant::File(_)))
        });
        for (number, (subject, _)) in (0..).zip(&symbols) {
            if let Some(place) = meant.get_mut(subject.number as usize) {
                *place = Meant::Symbol(number);
            }
        }
        let mut joiner = Joiner { meant, rows };
        for (subject, kind) in &symbols {
            joiner.symbol(*subject, *kind);
        }
        joiner.calls(self);
        joiner.rows
    }
}

/// What a thing became.
#[derive(Clone, Copy)]
enum Meant {
    File(u32),
    Symbol(u32),
    External(u32),
    Nothing,
}

/// What a thing is.
enum Class {
    File,
    External,
    Symbol(SymbolKind),
    Other,
}

/// A thing and what is said of it.
#[derive(Clone, Copy)]
struct Subject<'s> {
    statements: &'s Statements,
    number: u32,
    facts: &'s [(u32, Word, Object)],
}

impl<'s> Subject<'s> {
    fn objects(self, word: Word) -> impl Iterator<Item = Object> + 's {
        let facts = self.facts.iter();
        facts.filter(move |fact| fact.1 == word).map(|fact| fact.2)
    }

    fn text(self, word: Word) -> &'s str {
        self.objects(word)
            .next()
            .map_or("", |object| self.statements.of(object))
    }

    fn texts(self, word: Word) -> impl Iterator<Item = &'s str> {
        self.objects(word).map(move |object| self.statements.of(object))
    }

    fn count(self, word: Word) -> u32 {
        self.text(word).parse().unwrap_or(0)
    }

    fn thing(self, word: Word) -> Option<u32> {
        self.objects(word).find_map(|object| match object {
            Object::Thing(number) => Some(number),
            _ => None,
        })
    }

    fn is(self, class: Word) -> bool {
        self.objects(Word::Type)
            .any(|object| matches!(object, Object::Word(word) if word == class))
    }

    fn kind(self) -> Class {
        if self.is(Word::FileClass) {
            return Class::File;
        }
        if self.is(Word::ExternalClass) {
            return Class::External;
        }
        let mut classes: Vec<Word> = self
            .objects(Word::Type)
            .filter_map(|object| match object {
                Object::Word(word) => Some(word),
                _ => None,
            })
            .collect();
        classes.sort_unstable();
        // The kind that has just these classes, or else the one with most of them: others may leave one out.
        let kinds = SymbolKind::ALL.iter().copied();
        let fitting = kinds.filter(|kind| Word::classes(*kind).iter().all(|class| classes.contains(class)));
        match fitting.max_by_key(|kind| (Word::classes(*kind).len(), Reverse(*kind as u8))) {
            Some(kind) => Class::Symbol(kind),
            None => Class::Other,
        }
    }

    fn file(self) -> FileDraft<'s> {
        FileDraft {
            path: Cow::Borrowed(self.text(Word::Path)),
            language: Cow::Borrowed(self.text(Word::Language)),
            hash: from_hex(self.text(Word::ContentHash))
                .map(ContentHash)
                .unwrap_or_default(),
            lines: [
                self.count(Word::Loc),
                self.count(Word::CommentLines),
                self.count(Word::BlankLines),
            ],
            is_test: self.text(Word::IsTest) == "true",
            ..FileDraft::default()
        }
    }
}

struct Joiner<'s> {
    meant: Vec<Meant>,
    rows: GraphRows<'s>,
}

impl<'s> Joiner<'s> {
    fn symbol_of(&self, thing: Option<u32>) -> Option<u32> {
        match self.meant.get(thing? as usize) {
            Some(Meant::Symbol(number)) => Some(*number),
            _ => None,
        }
    }

    fn file_of(&self, thing: Option<u32>) -> Option<u32> {
        match self.meant.get(thing? as usize) {
            Some(Meant::File(number)) => Some(*number),
            _ => None,
        }
    }

    fn symbol(&mut self, subject: Subject<'s>, kind: SymbolKind) {
        let Some(file) = self.file_of(subject.thing(Word::DefinedIn)) else {
            return;
        };
        let mut draft = SymbolDraft::new(kind, file);
        let name = match subject.text(Word::Name) {
            "" => last_part(subject),
            name => name,
        };
        draft.name = Cow::Borrowed(name);
        draft.qualified = match subject.text(Word::QualifiedName) {
            "" => None,
            name => Some(Cow::Borrowed(name)),
        };
        draft.parent = self.symbol_of(subject.thing(Word::HasParent));
        let first = subject.count(Word::StartLine).max(1);
        draft.place = [first, 1, first, subject.count(Word::EndLine).max(first)];
        draft.signature = Cow::Borrowed(subject.text(Word::Signature));
        draft.doc = Cow::Borrowed(match subject.text(Word::Documentation) {
            "" => subject.text(Word::DocComment),
            doc => doc,
        });
        draft.visibility = match (
            Visibility::from_name(subject.text(Word::Visibility)),
            subject.text(Word::IsPublic),
        ) {
            (Some(visibility), _) => visibility,
            (None, "true") => Visibility::Public,
            (None, _) => Visibility::Private,
        };
        for name in subject.texts(Word::Modifier) {
            if let Some(modifier) = Modifier::from_name(name) {
                draft.modifiers.insert(modifier);
            }
        }
        draft.complexity = if kind.is_callable() {
            subject.count(Word::Complexity)
        } else {
            0
        };
        draft.decorators = subject.texts(Word::Decorator).map(Cow::Borrowed).collect();
        if name.starts_with('<') {
            draft.flags |= DefinitionFlags::ANONYMOUS;
        }
        if subject.text(Word::IsEntryPoint) == "true" {
            draft.flags |= DefinitionFlags::ENTRY_POINT;
        }
        let number = self.rows.symbols.len() as u32;
        self.rows.symbols.push(draft);
        for edge_kind in EdgeKind::ALL {
            self.edges(
                subject,
                number,
                *edge_kind,
                Word::of_edge(*edge_kind),
                Resolution::Exact,
            );
            if *edge_kind == EdgeKind::Call {
                self.edges(subject, number, *edge_kind, Word::MayCall, Resolution::Dispatch);
            }
        }
    }

    /// The edges of a kind that start from a symbol; where there are call sites, they say how a call is known, and where it is.
    fn edges(&mut self, subject: Subject<'s>, source: u32, kind: EdgeKind, word: Word, resolution: Resolution) {
        for object in subject.objects(word) {
            let Object::Thing(thing) = object else {
                continue;
            };
            let target = match self.meant.get(thing as usize) {
                Some(Meant::Symbol(number)) => Target::Symbol(*number),
                Some(Meant::External(number)) => Target::External(*number),
                _ => continue,
            };
            self.rows.edges.push(EdgeDraft {
                marks: EdgeMarks::NAMED,
                source,
                target,
                kind,
                resolution,
                file: None,
                lines: (0, 0),
            });
        }
    }

    /// What is known of calls beyond who calls whom, the modules of files, and what functions do to variables.
    fn calls(&mut self, statements: &'s Statements) {
        let mut sites: HashMap<(u32, Target), (Vec<u32>, Resolution)> = HashMap::new();
        for subject in statements.subjects() {
            if let Some(file) = self.file_of(Some(subject.number)) {
                let module = self.symbol_of(subject.thing(Word::InModule));
                if let Some(row) = self.rows.files.get_mut(file as usize) {
                    row.module = module;
                }
            } else if subject.is(Word::CallSiteClass) {
                let callee = subject
                    .thing(Word::Callee)
                    .and_then(|thing| self.meant.get(thing as usize));
                let target = match callee {
                    Some(Meant::Symbol(number)) => Target::Symbol(*number),
                    Some(Meant::External(number)) => Target::External(*number),
                    _ => continue,
                };
                if let Some(caller) = self.symbol_of(subject.thing(Word::Caller)) {
                    let resolution = Resolution::from_name(subject.text(Word::Resolution));
                    let site = sites.entry((caller, target)).or_insert((Vec::new(), Resolution::Name));
                    site.0.push(subject.count(Word::AtLine));
                    site.1 = resolution.unwrap_or(site.1);
                }
            } else if subject.is(Word::UnresolvedCallClass) {
                if let Some(caller) = self.symbol_of(subject.thing(Word::Caller)) {
                    self.rows.unresolved.push(UnresolvedDraft {
                        symbol: caller,
                        line: subject.count(Word::AtLine),
                        name: Cow::Borrowed(subject.text(Word::Name)),
                    });
                }
            } else if subject.is(Word::DataFlowGraphClass)
                && let Some(symbol) = self.symbol_of(subject.thing(Word::ForSymbol))
            {
                for (word, usage) in [
                    (Word::DefinesVar, VariableUse::Defines),
                    (Word::UsesVar, VariableUse::Uses),
                ] {
                    let names = subject.texts(word).map(Cow::Borrowed);
                    let variables = names.map(|name| VariableDraft { symbol, name, usage });
                    self.rows.variables.extend(variables);
                }
            }
        }
        for edge in self.rows.edges.iter_mut().filter(|edge| edge.kind == EdgeKind::Call) {
            match sites.get_mut(&(edge.source, edge.target)) {
                Some((lines, resolution)) => {
                    lines.sort_unstable();
                    edge.lines = (self.rows.edge_lines.len() as u32, lines.len() as u32);
                    edge.resolution = *resolution;
                    self.rows.edge_lines.extend_from_slice(lines);
                }
                // The symbol index says that it is a call, and not how that is known.
                None if edge.resolution == Resolution::Exact => edge.resolution = Resolution::Flow,
                None => {}
            }
        }
        self.locals();
    }

    /// Whatever is in a function is local to it.
    fn locals(&mut self) {
        let is_callable: Vec<bool> = self
            .rows
            .symbols
            .iter()
            .map(|symbol| symbol.kind.is_callable())
            .collect();
        for symbol in &mut self.rows.symbols {
            let parent = symbol.parent.and_then(|parent| is_callable.get(parent as usize));
            if parent == Some(&true) {
                symbol.flags |= DefinitionFlags::LOCAL;
            }
        }
    }
}

/// What the IRI of a symbol without a name ends in.
fn last_part(subject: Subject<'_>) -> &str {
    let iri = subject
        .statements
        .iris
        .get(subject.number as usize)
        .map_or("", String::as_str);
    iri.rsplit(['/', '#', ':', '.'])
        .find(|part| !part.is_empty())
        .unwrap_or(iri)
}
