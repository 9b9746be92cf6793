//! Layers 2 and 3: syntax, graphs, what every symbol has, and whether the one is part of the other. Read as a stream; what is
//! remembered of a subject is a few bits under a hash of its name.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use lore_model::SymbolKind;
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

use super::numbers::Totals;
use super::report::{BreachKind, Report, TOLD_PER_KIND, shown};
use crate::Word;
use crate::bundle::{Part, PartContent, QuadLine};
use crate::dataset::Graph;
use crate::identity::REPOSITORIES;
use lore_seam::{Ctx, ErrorKind, OpError};

/// Subjects of a layer that are remembered.
pub(super) const SUBJECTS: usize = 2_000_000;
/// Statements of layer 2 that are looked for in layer 3.
pub(super) const STATEMENTS: usize = 8_000_000;
/// Names of graphs that are remembered.
const GRAPH_NAMES: usize = 1_000;
/// Lines between two looks at whether the request was cancelled.
const PATIENCE: usize = 1_024;

const INTEGER: &str = "http://www.w3.org/2001/XMLSchema#integer";
const BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";
const SEVERITY: &str = "https://narsilmcp.com/ontology/v1#severity";

/// What is known of a subject, as bits.
mod bits {
    pub(super) const SYMBOL: u32 = 1;
    pub(super) const FUNCTION: u32 = 1 << 1;
    pub(super) const METHOD: u32 = 1 << 2;
    pub(super) const STRUCT: u32 = 1 << 3;
    pub(super) const CLASS: u32 = 1 << 4;
    pub(super) const TRAIT: u32 = 1 << 5;
    pub(super) const INTERFACE: u32 = 1 << 6;
    pub(super) const ENUM: u32 = 1 << 7;
    pub(super) const EXTERNAL: u32 = 1 << 8;
    pub(super) const FILE: u32 = 1 << 9;
    pub(super) const NAME: u32 = 1 << 10;
    pub(super) const DEFINED_IN: u32 = 1 << 11;
    pub(super) const START_LINE: u32 = 1 << 12;
    pub(super) const SIGNATURE: u32 = 1 << 13;
    pub(super) const COMPLEXITY: u32 = 1 << 14;
    pub(super) const CALLED: u32 = 1 << 15;
    /// Its IRI is one of a symbol.
    pub(super) const NAMED_SYMBOL: u32 = 1 << 16;
}

/// What every symbol has, and what every function has besides (§4.3).
const OF_SYMBOLS: [(u32, Word, &str); 3] = [
    (bits::NAME, Word::Name, "narsil:name"),
    (bits::DEFINED_IN, Word::DefinedIn, "narsil:definedIn"),
    (bits::START_LINE, Word::StartLine, "narsil:startLine"),
];
const OF_FUNCTIONS: [(u32, Word, &str); 2] = [
    (bits::SIGNATURE, Word::Signature, "narsil:signature"),
    (bits::COMPLEXITY, Word::Complexity, "narsil:complexity"),
];

/// What is remembered of a subject: what is known of it, and the lines where it first was subject and first was called.
#[derive(Clone, Copy, Default)]
struct Subject {
    bits: u32,
    line: u32,
    called: u32,
}

/// What a layer amounts to.
pub(super) struct Layer {
    pub(super) statements: u64,
    pub(super) totals: Totals,
}

/// Layer 2 as hashes, to be found again in layer 3.
pub(super) struct Index {
    hashes: Vec<u128>,
    found: Vec<bool>,
    is_whole: bool,
}

/// What the layers are known by, filled from whatever is read first.
#[derive(Debug, Default)]
pub(super) struct Base {
    /// The IRI of the commit.
    pub(super) iri: Option<String>,
    /// Who said so.
    pub(super) said_by: String,
}

/// What is looked at while a layer is read.
struct Check<'a> {
    content: &'a PartContent,
    base: &'a mut Base,
    report: &'a mut Report,
    graphs: HashMap<String, GraphVerdict>,
    seen: BTreeSet<&'static str>,
    subjects: HashMap<u64, Subject>,
    forgotten: bool,
    blank_nodes: u64,
    totals: Totals,
}

/// What is to be said of a statement in some graph.
#[derive(Clone)]
enum GraphVerdict {
    Known,
    Unknown(String),
    Elsewhere(String),
}

/// Checks a layer; what it amounts to, or nothing where it is damaged and that is all there is to say of it. `index` is filled from layer 2, and looked for in layer 3.
pub(super) fn check(
    content: &PartContent,
    base: &mut Base,
    index: &mut Option<Index>,
    report: &mut Report,
    ctx: &Ctx,
) -> Result<Option<Layer>, OpError> {
    ctx.progress.begin(&format!("checking {}", content.place), 0);
    let lines = match content.quads() {
        Ok(lines) => lines,
        Err(refusal) => {
            report.breach(BreachKind::Archive, refusal.place, refusal.reason);
            return Ok(None);
        }
    };
    let mut check = Check {
        content,
        base,
        report,
        graphs: HashMap::new(),
        seen: BTreeSet::new(),
        subjects: HashMap::new(),
        forgotten: false,
        blank_nodes: 0,
        totals: Totals::default(),
    };
    let mut statements = 0;
    let mut collected = (content.part == Part::SymbolIndex).then(Index::new);
    for (at, line) in lines.enumerate() {
        if at % PATIENCE == 0 {
            ctx.progress.advance(1);
            if ctx.cancel.is_cancelled() {
                return Err(OpError::new(ErrorKind::Cancelled, "the validation was cancelled"));
            }
        }
        match line {
            Ok(line) => {
                statements += 1;
                check.statement(&line);
                match (&mut collected, index.as_mut()) {
                    (Some(collected), _) => collected.push(&line.quad),
                    (None, Some(index)) => index.mark(&line.quad),
                    (None, None) => {}
                }
            }
            Err(fault) => {
                let kind = if fault.fatal {
                    BreachKind::Archive
                } else {
                    BreachKind::Syntax
                };
                check.report.breach_with(kind, || {
                    let column = fault.column.map_or(String::new(), |column| format!(":{column}"));
                    (
                        format!("{}:{}{column}", content.place, fault.line),
                        shown(&fault.message),
                    )
                });
            }
        }
    }
    if let Some(mut collected) = collected {
        let twice = collected.sort();
        check.tell_twice(&collected, twice);
        *index = Some(collected);
    }
    Ok(Some(check.finish(statements)))
}

impl Check<'_> {
    fn statement(&mut self, line: &QuadLine) {
        let quad = &line.quad;
        self.graph(line);
        self.commit(line, quad.subject.as_ref().into());
        self.commit(line, quad.object.as_ref());
        if matches!(quad.subject, NamedOrBlankNode::BlankNode(_)) || matches!(quad.object, Term::BlankNode(_)) {
            self.blank_nodes += 1;
        }
        if quad.predicate.as_str() == SEVERITY {
            if let Term::Literal(severity) = &quad.object {
                self.totals.severity(severity.value());
            }
            return;
        }
        let Some(word) = Word::from_iri(quad.predicate.as_str()) else {
            return;
        };
        let bits = match word {
            Word::Type => match &quad.object {
                Term::NamedNode(class) => bits_of_class(class),
                _ => 0,
            },
            Word::Name => bits::NAME,
            Word::DefinedIn => bits::DEFINED_IN,
            Word::StartLine => bits::START_LINE,
            Word::Signature => bits::SIGNATURE,
            Word::Complexity => bits::COMPLEXITY,
            Word::Calls => {
                self.called(line);
                0
            }
            _ => 0,
        };
        self.value(line, word);
        let is_symbol = self.is_symbol(&quad.subject);
        if bits != 0 || is_symbol {
            let named = if is_symbol { bits::NAMED_SYMBOL } else { 0 };
            self.learn(hash_of(&quad.subject), bits | named, line.line, 0);
        }
    }

    /// Looks at the graph of a statement.
    fn graph(&mut self, line: &QuadLine) {
        let place = || format!("{}:{}", self.content.place, line.line);
        let name = match &line.quad.graph_name {
            GraphName::NamedNode(name) => name.as_str(),
            GraphName::DefaultGraph => {
                let message = "in no named graph";
                self.report
                    .breach_with(BreachKind::DefaultGraph, || (place(), message.to_owned()));
                return;
            }
            GraphName::BlankNode(name) => {
                let message = format!("the graph {name} has no IRI");
                self.report.breach(BreachKind::UnknownGraph, place(), message);
                return;
            }
        };
        let verdict = match self.graphs.get(name) {
            Some(verdict) => verdict.clone(),
            None => {
                let verdict = self.judge_graph(name);
                if self.graphs.len() < GRAPH_NAMES {
                    self.graphs.insert(name.to_owned(), verdict.clone());
                }
                verdict
            }
        };
        let place = || format!("{}:{}", self.content.place, line.line);
        match verdict {
            GraphVerdict::Known => {}
            GraphVerdict::Unknown(message) => {
                self.report.breach_with(BreachKind::UnknownGraph, || (place(), message));
            }
            GraphVerdict::Elsewhere(message) => {
                self.report.breach_with(BreachKind::Identity, || (place(), message));
            }
        }
    }

    fn judge_graph(&mut self, name: &str) -> GraphVerdict {
        let parts = name.rsplit_once("/graph/");
        let known = parts.and_then(|(base, last)| Some((base, Graph::from_name(last)?)));
        let Some((base, graph)) = known.filter(|(base, _)| base.starts_with(REPOSITORIES)) else {
            return GraphVerdict::Unknown(format!("the specification does not define the graph <{}>", shown(name)));
        };
        self.seen.insert(graph.name());
        match &self.base.iri {
            Some(expected) if expected != base => {
                let said_by = &self.base.said_by;
                GraphVerdict::Elsewhere(format!(
                    "the graph is of <{}>, but {said_by} is of <{expected}>",
                    shown(base)
                ))
            }
            Some(_) => GraphVerdict::Known,
            None => {
                self.base.iri = Some(base.to_owned());
                self.base.said_by = self.content.place.clone();
                GraphVerdict::Known
            }
        }
    }

    /// Looks at the commit of an IRI.
    fn commit(&mut self, line: &QuadLine, term: oxrdf::TermRef<'_>) {
        let oxrdf::TermRef::NamedNode(node) = term else {
            return;
        };
        let Some(base) = self.base.iri.as_deref() else {
            return;
        };
        let iri = node.as_str();
        if !iri.starts_with(REPOSITORIES) {
            return;
        }
        let is_below = |base: &str| {
            iri.strip_prefix(base)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let repository = base.rsplit_once('@').map_or(base, |(repository, _)| repository);
        if !is_below(base) && iri != repository {
            let said_by = &self.base.said_by;
            let message = || format!("<{}> is not of the commit of {said_by}", shown(iri));
            let place = || format!("{}:{}", self.content.place, line.line);
            self.report.breach_with(BreachKind::Identity, || (place(), message()));
        }
    }

    /// Whether an IRI is one of a symbol.
    fn is_symbol(&self, subject: &NamedOrBlankNode) -> bool {
        match (subject, &self.base.iri) {
            (NamedOrBlankNode::NamedNode(node), Some(base)) => {
                let rest = node.as_str().strip_prefix(base.as_str());
                rest.is_some_and(|rest| rest.starts_with("/sym/"))
            }
            _ => false,
        }
    }

    /// Looks at the value of a property.
    fn value(&mut self, line: &QuadLine, word: Word) {
        let object = &line.quad.object;
        let wanted = match word {
            Word::StartLine | Word::EndLine | Word::AtLine => integer(object).is_some_and(|value| value >= 1),
            Word::Complexity => {
                let complexity = integer(object);
                complexity.into_iter().for_each(|value| self.totals.complexity(value));
                complexity.is_some()
            }
            Word::Loc => integer(object).is_some(),
            Word::IsPublic => matches!(object, Term::Literal(literal) if literal.datatype().as_str() == BOOLEAN),
            Word::Name | Word::Signature | Word::DocComment => matches!(object, Term::Literal(_)),
            Word::DefinedIn | Word::Calls | Word::HasParent | Word::Implements | Word::Extends => {
                !matches!(object, Term::Literal(_))
            }
            _ => return,
        };
        if !wanted {
            let what = match word {
                Word::StartLine | Word::EndLine | Word::AtLine => "a number of a line",
                Word::Complexity | Word::Loc => "a whole number",
                Word::IsPublic => "true or false",
                Word::Name | Word::Signature | Word::DocComment => "a text",
                _ => "an IRI",
            };
            self.report.breach_with(BreachKind::Value, || {
                let message = format!("{} is {}, not {what}", local(word.iri()), shown(&object.to_string()));
                (format!("{}:{}", self.content.place, line.line), message)
            });
        }
    }

    fn called(&mut self, line: &QuadLine) {
        match &line.quad.object {
            Term::NamedNode(node) => {
                let hash = hash_of(&NamedOrBlankNode::from(node.clone()));
                self.learn(hash, bits::CALLED, 0, line.line);
            }
            Term::BlankNode(node) => {
                let hash = hash_of(&NamedOrBlankNode::from(node.clone()));
                self.learn(hash, bits::CALLED, 0, line.line);
            }
            Term::Literal(_) => {}
        }
    }

    fn learn(&mut self, hash: u64, bits: u32, line: u64, called: u64) {
        let count = self.subjects.len();
        let subject = match self.subjects.entry(hash) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(_) if count >= SUBJECTS => {
                self.forgotten = true;
                return;
            }
            Entry::Vacant(entry) => entry.insert(Subject::default()),
        };
        subject.bits |= bits;
        let first = |known: u32, line: u64| {
            if known == 0 {
                u32::try_from(line).unwrap_or(u32::MAX)
            } else {
                known
            }
        };
        subject.line = first(subject.line, line);
        subject.called = first(subject.called, called);
    }

    fn tell_twice(&mut self, index: &Index, twice: u64) {
        if twice == 0 {
            return;
        }
        let mut again: HashMap<u128, bool> = index.twice().map(|hash| (hash, false)).collect();
        let wanted = |quad: &Quad| match again.get_mut(&hash128(quad)) {
            Some(seen) => std::mem::replace(seen, true),
            None => false,
        };
        let places = find(self.content, wanted);
        for (line, _) in &places {
            self.report.breach(
                BreachKind::Duplicate,
                format!("{}:{line}", self.content.place),
                "said before",
            );
        }
        self.report
            .more(BreachKind::Duplicate, twice.saturating_sub(places.len() as u64));
    }

    fn finish(mut self, statements: u64) -> Layer {
        let place = self.content.place.clone();
        let required: &[Graph] = match self.content.part {
            Part::SymbolIndex => &[Graph::Meta, Graph::Structure, Graph::Calls],
            _ => &[Graph::Meta, Graph::Structure, Graph::Calls, Graph::Security],
        };
        for graph in required.iter().filter(|graph| !self.seen.contains(graph.name())) {
            let message = format!("the graph `{}` is empty", graph.name());
            self.report.breach(BreachKind::MissingGraph, place.clone(), message);
        }
        if self.blank_nodes > 0 {
            self.report
                .note(format!("{place} has {} statements about blank nodes", self.blank_nodes));
        }
        if self.forgotten {
            let note = format!("required properties were not checked in {place}: it has more than {SUBJECTS} subjects");
            self.report.note(note);
            self.totals.is_whole = false;
        } else {
            self.tell_incomplete()
        }
        for subject in self.subjects.values() {
            self.totals.subject(&Kinds::of(subject.bits));
        }
        Layer {
            statements,
            totals: self.totals,
        }
    }

    /// Tells which symbols lack something, and which calls lead to nothing.
    fn tell_incomplete(&mut self) {
        let mut lacking: Vec<(u32, u32)> = Vec::new();
        let mut unknown: Vec<u32> = Vec::new();
        for subject in self.subjects.values() {
            let lacks = lacks(subject.bits);
            if lacks != 0 {
                lacking.push((subject.line, lacks));
            }
            let described = bits::SYMBOL | bits::EXTERNAL;
            if subject.bits & bits::CALLED != 0 && subject.bits & described == 0 {
                unknown.push(subject.called);
            }
        }
        lacking.sort_unstable();
        unknown.sort_unstable();
        let missing = lacking.len() as u64;
        lacking.truncate(TOLD_PER_KIND);
        let by_line: BTreeMap<u64, u32> = lacking.iter().map(|(line, lacks)| (u64::from(*line), *lacks)).collect();
        for (line, quad) in at_lines(self.content, by_line.keys().copied()) {
            let lacks = by_line.get(&line).copied().unwrap_or_default();
            let message = format!("{} has no {}", shown(&quad.subject.to_string()), names_of(lacks));
            self.report.breach(
                BreachKind::MissingProperty,
                format!("{}:{line}", self.content.place),
                message,
            );
        }
        self.report.more(
            BreachKind::MissingProperty,
            missing.saturating_sub(by_line.len() as u64),
        );

        let missing = unknown.len() as u64;
        unknown.truncate(TOLD_PER_KIND);
        let lines: BTreeSet<u64> = unknown.iter().map(|line| u64::from(*line)).collect();
        for (line, quad) in at_lines(self.content, lines.iter().copied()) {
            let message = format!(
                "{} is neither a symbol nor an external",
                shown(&quad.object.to_string())
            );
            self.report.breach(
                BreachKind::UnknownCallee,
                format!("{}:{line}", self.content.place),
                message,
            );
        }
        self.report
            .more(BreachKind::UnknownCallee, missing.saturating_sub(lines.len() as u64));
    }
}

/// What something that is a symbol lacks.
fn lacks(found: u32) -> u32 {
    if found & (bits::SYMBOL | bits::NAMED_SYMBOL) == 0 {
        return 0;
    }
    let mut lacks = 0;
    if found & bits::SYMBOL == 0 {
        lacks |= bits::SYMBOL;
    }
    let of_functions: &[(u32, Word, &str)] = if found & bits::FUNCTION != 0 {
        &OF_FUNCTIONS
    } else {
        &[]
    };
    for (bit, _, _) in OF_SYMBOLS.iter().chain(of_functions) {
        if found & bit == 0 {
            lacks |= bit;
        }
    }
    lacks
}

fn names_of(lacks: u32) -> String {
    let class = (bits::SYMBOL, "rdf:type of a symbol");
    let others = OF_SYMBOLS
        .iter()
        .chain(&OF_FUNCTIONS)
        .map(|(bit, _, name)| (*bit, *name));
    let names = std::iter::once(class).chain(others);
    let names: Vec<&str> = names
        .filter(|(bit, _)| lacks & bit != 0)
        .map(|(_, name)| name)
        .collect();
    names.join(", no ")
}

/// The kinds of a subject, as the manifest counts them.
pub(super) struct Kinds {
    pub(super) is_symbol: bool,
    pub(super) is_file: bool,
    /// The key of the manifest.
    pub(super) kind: &'static str,
}

impl Kinds {
    fn of(found: u32) -> Self {
        let kinds = [
            (bits::METHOD, "methods"),
            (bits::FUNCTION, "functions"),
            (bits::STRUCT, "structs"),
            (bits::CLASS, "classes"),
            (bits::TRAIT, "traits"),
            (bits::INTERFACE, "interfaces"),
            (bits::ENUM, "enums"),
        ];
        let kind = kinds.iter().find(|(bit, _)| found & bit != 0);
        Self {
            is_symbol: found & bits::SYMBOL != 0,
            is_file: found & bits::FILE != 0,
            kind: kind.map_or("other", |(_, name)| name),
        }
    }
}

fn bits_of_class(class: &NamedNode) -> u32 {
    let Some(word) = Word::from_iri(class.as_str()) else {
        return 0;
    };
    let special = match word {
        Word::FunctionClass => bits::FUNCTION,
        Word::MethodClass => bits::METHOD | bits::FUNCTION,
        Word::StructClass => bits::STRUCT,
        Word::ClassClass => bits::CLASS,
        Word::TraitClass => bits::TRAIT,
        Word::InterfaceClass => bits::INTERFACE,
        Word::EnumClass => bits::ENUM,
        Word::ExternalClass => return bits::EXTERNAL,
        Word::FileClass => return bits::FILE,
        _ => 0,
    };
    let is_symbol = SymbolKind::ALL.iter().any(|kind| Word::classes(*kind).contains(&word));
    if is_symbol { special | bits::SYMBOL } else { 0 }
}

fn integer(object: &Term) -> Option<u64> {
    match object {
        Term::Literal(literal) if literal.datatype().as_str() == INTEGER => literal.value().parse().ok(),
        _ => None,
    }
}

fn local(iri: &str) -> String {
    match iri.rsplit_once('#') {
        Some((_, name)) => format!("narsil:{name}"),
        None => iri.to_owned(),
    }
}

impl Index {
    fn new() -> Self {
        Self {
            hashes: Vec::new(),
            found: Vec::new(),
            is_whole: true,
        }
    }

    fn push(&mut self, quad: &Quad) {
        if self.hashes.len() < STATEMENTS {
            self.hashes.push(hash128(quad))
        } else {
            self.is_whole = false
        }
    }

    /// Puts the hashes in order; how many were there before.
    fn sort(&mut self) -> u64 {
        self.hashes.sort_unstable();
        self.found = vec![false; self.hashes.len()];
        self.hashes.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
    }

    /// Some of those that are there twice.
    fn twice(&self) -> impl Iterator<Item = u128> {
        let pairs = self.hashes.windows(2).filter(|pair| pair[0] == pair[1]);
        pairs.map(|pair| pair[0]).take(STATEMENTS >> 8)
    }

    fn mark(&mut self, quad: &Quad) {
        let hash = hash128(quad);
        let from = self.hashes.partition_point(|known| *known < hash);
        for at in from..self.hashes.len() {
            if self.hashes[at] != hash || self.found[at] {
                break;
            }
            self.found[at] = true;
        }
    }

    /// Tells which statements of layer 2 were not found.
    pub(super) fn tell_missing(&self, content: &PartContent, full: &str, report: &mut Report) {
        if !self.is_whole {
            report.note(format!(
                "it was not checked whether {full} contains all of {}, which has more than {STATEMENTS} statements",
                content.place
            ));
            return;
        }
        let missing = self.found.iter().filter(|found| !**found).count() as u64;
        if missing == 0 {
            return;
        }
        let is_missing = |quad: &Quad| {
            let at = self.hashes.binary_search(&hash128(quad));
            at.is_ok_and(|at| !self.found[at])
        };
        let places = find(content, is_missing);
        for (line, _) in &places {
            let message = format!("{full} does not contain this statement");
            report.breach(
                BreachKind::NotInFullDetail,
                format!("{}:{line}", content.place),
                message,
            );
        }
        report.more(BreachKind::NotInFullDetail, missing.saturating_sub(places.len() as u64));
    }
}

/// The first statements that are wanted, and their lines.
fn find(content: &PartContent, mut wanted: impl FnMut(&Quad) -> bool) -> Vec<(u64, Quad)> {
    let Ok(lines) = content.quads() else {
        return Vec::new();
    };
    let found = lines.flatten().filter(|line| wanted(&line.quad));
    found.take(TOLD_PER_KIND).map(|line| (line.line, line.quad)).collect()
}

/// The statements on some lines, in order.
fn at_lines(content: &PartContent, lines: impl Iterator<Item = u64>) -> Vec<(u64, Quad)> {
    let lines: BTreeSet<u64> = lines.collect();
    let Some(last) = lines.last().copied() else {
        return Vec::new();
    };
    let Ok(quads) = content.quads() else {
        return Vec::new();
    };
    let quads = quads.flatten().take_while(|line| line.line <= last);
    let wanted = quads.filter(|line| lines.contains(&line.line));
    wanted.map(|line| (line.line, line.quad)).collect()
}

fn hash_of(subject: &NamedOrBlankNode) -> u64 {
    let mut hasher = DefaultHasher::new();
    subject.hash(&mut hasher);
    hasher.finish()
}

fn hash128(quad: &Quad) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        quad.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
