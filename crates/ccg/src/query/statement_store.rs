//! Statements of a published graph in memory: each term once, each statement as four numbers, sorted by subject, by property and by object.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

use oxrdf::{BlankNode, GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term};
use spareval::{InternalQuad, QueryableDataset};

use super::super::dataset::{ViewError, Watch};

/// Bytes of text that are asked for at once.
const BLOCK: usize = 1 << 20;
/// A slot of the table in which there is no term; as a graph, the one without a name.
const NOTHING: u32 = u32::MAX;
/// What is between the two texts of a literal that has two. It is in no IRI and in no tag.
const BETWEEN: u8 = 0;

const IRI: u8 = 0;
const BLANK: u8 = 1;
const PLAIN: u8 = 2;
const TYPED: u8 = 3;
const TAGGED: u8 = 4;

/// The terms, each once.
#[derive(Default)]
struct Terms {
    blocks: Vec<Vec<u8>>,
    /// By term: its block, where it begins there, and how long it is.
    places: Vec<(u32, u32, u32)>,
    hashes: Vec<u32>,
    /// Numbers of terms by their hash; a power of two, at most half full.
    slots: Vec<u32>,
    state: RandomState,
    bytes: usize,
}

impl Terms {
    fn get(&self, number: u32) -> &[u8] {
        let place = self.places.get(number as usize);
        let text = place.and_then(|(block, start, length)| {
            let block = self.blocks.get(*block as usize)?;
            block.get(*start as usize..*start as usize + *length as usize)
        });
        text.unwrap_or_default()
    }

    /// The slot of a term, or the free one that it would have; and its hash.
    fn slot(&self, key: &[u8]) -> (usize, u32) {
        let hash = self.state.hash_one(key) as u32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let number = self.slots[at];
            if number == NOTHING || self.hashes[number as usize] == hash && self.get(number) == key {
                return (at, hash);
            }
            at = (at + 1) & mask;
        }
    }

    fn find(&self, key: &[u8]) -> Option<u32> {
        let number = if self.slots.is_empty() {
            NOTHING
        } else {
            self.slots[self.slot(key).0]
        };
        (number != NOTHING).then_some(number)
    }

    fn number(&mut self, key: &[u8]) -> u32 {
        if self.places.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let (at, hash) = self.slot(key);
        if self.slots[at] != NOTHING {
            return self.slots[at];
        }
        let fits = |block: &Vec<u8>| block.capacity() - block.len() >= key.len();
        if !self.blocks.last().is_some_and(fits) {
            self.blocks.push(Vec::with_capacity(BLOCK.max(key.len())));
        }
        let number = self.places.len() as u32;
        let block = self.blocks.len() - 1;
        let text = &mut self.blocks[block];
        self.places.push((block as u32, text.len() as u32, key.len() as u32));
        text.extend_from_slice(key);
        self.bytes += key.len();
        self.hashes.push(hash);
        self.slots[at] = number;
        number
    }

    fn grow(&mut self) {
        let mask = (self.slots.len() * 2).max(1 << 10) - 1;
        self.slots = vec![NOTHING; mask + 1];
        for (number, hash) in (0..).zip(&self.hashes) {
            let mut at = *hash as usize & mask;
            while self.slots[at] != NOTHING {
                at = (at + 1) & mask;
            }
            self.slots[at] = number;
        }
    }

    fn term(&self, number: u32) -> Term {
        let Some((kind, text)) = self.get(number).split_first() else {
            return Literal::new_simple_literal("").into();
        };
        let of = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let mut parts = text.splitn(2, |byte| *byte == BETWEEN);
        let mut part = || of(parts.next().unwrap_or_default());
        match *kind {
            IRI => NamedNode::new_unchecked(of(text)).into(),
            BLANK => BlankNode::new_unchecked(of(text)).into(),
            TYPED => {
                let datatype = NamedNode::new_unchecked(part());
                Literal::new_typed_literal(part(), datatype).into()
            }
            TAGGED => {
                let language = part();
                Literal::new_language_tagged_literal_unchecked(part(), language).into()
            }
            _ => Literal::new_simple_literal(of(text)).into(),
        }
    }
}

fn put_iri(key: &mut Vec<u8>, iri: &NamedNode) {
    key.push(IRI);
    key.extend_from_slice(iri.as_str().as_bytes());
}

fn put_term(key: &mut Vec<u8>, term: &Term) {
    match term {
        Term::NamedNode(iri) => put_iri(key, iri),
        Term::BlankNode(node) => {
            key.push(BLANK);
            key.extend_from_slice(node.as_str().as_bytes());
        }
        Term::Literal(literal) => {
            let first = match (literal.language(), literal.datatype()) {
                (Some(language), _) => Some((TAGGED, language)),
                (None, datatype) if datatype == oxrdf::vocab::xsd::STRING => None,
                (None, datatype) => Some((TYPED, datatype.as_str())),
            };
            match first {
                Some((kind, text)) => {
                    key.push(kind);
                    key.extend_from_slice(text.as_bytes());
                    key.push(BETWEEN);
                }
                None => key.push(PLAIN),
            }
            key.extend_from_slice(literal.value().as_bytes());
        }
    }
}

fn put_subject(key: &mut Vec<u8>, subject: &NamedOrBlankNode) {
    match subject {
        NamedOrBlankNode::NamedNode(iri) => put_iri(key, iri),
        NamedOrBlankNode::BlankNode(node) => {
            key.push(BLANK);
            key.extend_from_slice(node.as_str().as_bytes());
        }
    }
}

/// A statement: subject, property, object, graph.
type Row = [u32; 4];

/// Which of a statement's terms it is found by, and the others after it.
#[derive(Clone, Copy)]
enum Order {
    Subject,
    Property,
    Object,
}

impl Order {
    fn key(self, [subject, property, object, graph]: Row) -> Row {
        match self {
            Self::Subject => [subject, property, object, graph],
            Self::Property => [property, object, subject, graph],
            Self::Object => [object, subject, property, graph],
        }
    }
}

/// Statements that are read, and then asked.
#[derive(Default)]
pub(super) struct StatementStore {
    terms: Terms,
    rows: Vec<Row>,
    by_property: Vec<u32>,
    by_object: Vec<u32>,
    /// The graphs that have a name, in order.
    graphs: Vec<u32>,
    key: Vec<u8>,
}

impl StatementStore {
    /// Takes a statement in.
    pub(super) fn push(&mut self, quad: &Quad) {
        let Self { terms, key, .. } = self;
        let mut number = |put: &dyn Fn(&mut Vec<u8>)| {
            key.clear();
            put(key);
            terms.number(key)
        };
        let row = [
            number(&|key| put_subject(key, &quad.subject)),
            number(&|key| put_iri(key, &quad.predicate)),
            number(&|key| put_term(key, &quad.object)),
            match &quad.graph_name {
                GraphName::NamedNode(name) => number(&|key| put_iri(key, name)),
                GraphName::BlankNode(node) => number(&|key| put_subject(key, &node.clone().into())),
                GraphName::DefaultGraph => NOTHING,
            },
        ];
        self.rows.push(row);
    }

    /// How many statements were taken in.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Bytes of text that are held.
    pub(super) fn bytes(&self) -> usize {
        self.terms.bytes
    }

    /// Puts the statements in order. What was said twice is said once.
    pub(super) fn finish(&mut self) {
        self.rows.sort_unstable();
        self.rows.dedup();
        let sorted = |order: Order| {
            let mut numbers: Vec<u32> = (0..self.rows.len() as u32).collect();
            numbers.sort_unstable_by_key(|at| order.key(self.rows[*at as usize]));
            numbers
        };
        let (by_property, by_object) = (sorted(Order::Property), sorted(Order::Object));
        (self.by_property, self.by_object) = (by_property, by_object);
        let mut graphs = Vec::new();
        for row in &self.rows {
            if row[3] != NOTHING && graphs.last() != Some(&row[3]) {
                graphs.push(row[3]);
            }
        }
        graphs.sort_unstable();
        graphs.dedup();
        self.graphs = graphs;
    }

    /// The number of a term, if it is in a statement.
    fn known(&self, term: &Term) -> Option<u32> {
        let mut key = Vec::new();
        put_term(&mut key, term);
        self.terms.find(&key)
    }

    fn row(&self, order: Order, at: usize) -> Row {
        match order {
            Order::Subject => self.rows[at],
            Order::Property => self.rows[self.by_property[at] as usize],
            Order::Object => self.rows[self.by_object[at] as usize],
        }
    }

    /// The statements whose first terms in an order are these.
    fn range(&self, order: Order, first: &[u32]) -> Range<usize> {
        let end_of = |before: &dyn Fn(&[u32]) -> bool| {
            let (mut low, mut high) = (0, self.rows.len());
            while low < high {
                let middle = low + (high - low) / 2;
                if before(&order.key(self.row(order, middle))[..first.len()]) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            low
        };
        end_of(&|key| key < first)..end_of(&|key| key <= first)
    }

    fn matching(&self, [subject, property, object, graph]: [Option<u32>; 4]) -> Matches<'_> {
        let (order, first) = match (subject, property, object) {
            (Some(subject), Some(property), Some(object)) => (Order::Subject, vec![subject, property, object]),
            (Some(subject), Some(property), None) => (Order::Subject, vec![subject, property]),
            (Some(subject), None, Some(object)) => (Order::Object, vec![object, subject]),
            (Some(subject), None, None) => (Order::Subject, vec![subject]),
            (None, Some(property), Some(object)) => (Order::Property, vec![property, object]),
            (None, Some(property), None) => (Order::Property, vec![property]),
            (None, None, Some(object)) => (Order::Object, vec![object]),
            (None, None, None) => (Order::Subject, Vec::new()),
        };
        Matches {
            held: self,
            order,
            range: self.range(order, &first),
            graph,
        }
    }

    /// What a property of something says, and what has such a property of such a value.
    pub(super) fn subjects(&self, property: &Term, object: &Term) -> Vec<Term> {
        let (Some(property), Some(object)) = (self.known(property), self.known(object)) else {
            return Vec::new();
        };
        let mut found: Vec<u32> = self
            .matching([None, Some(property), Some(object), None])
            .map(|row| row[0])
            .collect();
        found.dedup();
        found.into_iter().map(|number| self.terms.term(number)).collect()
    }

    /// Everything that a property says of anything, each once.
    pub(super) fn objects(&self, property: &Term) -> Vec<Term> {
        let Some(property) = self.known(property) else {
            return Vec::new();
        };
        let rows = self.matching([None, Some(property), None, None]);
        let mut found: Vec<u32> = rows.map(|row| row[2]).collect();
        found.dedup();
        found.into_iter().map(|number| self.terms.term(number)).collect()
    }

    /// The statements as one query sees them.
    pub(super) fn view(&self, watch: &Arc<Watch>) -> StoreView<'_> {
        StoreView {
            held: self,
            watch: Arc::clone(watch),
        }
    }
}

/// Statements of a range that are of a graph.
struct Matches<'a> {
    held: &'a StatementStore,
    order: Order,
    range: Range<usize>,
    graph: Option<u32>,
}

impl Iterator for Matches<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let Self {
            held,
            order,
            range,
            graph,
        } = self;
        let mut rows = range.map(|at| held.row(*order, at));
        rows.find(|row| graph.is_none_or(|graph| row[3] == graph))
    }
}

/// The statements as one query sees them.
pub(super) struct StoreView<'a> {
    held: &'a StatementStore,
    watch: Arc<Watch>,
}

/// A term of a query.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum StoreTerm {
    /// One that is in a statement, by its number.
    Known(u32),
    /// Another.
    Other(Arc<Term>),
}

impl<'a> QueryableDataset<'a> for StoreView<'a> {
    type InternalTerm = StoreTerm;
    type Error = ViewError;

    fn internal_quads_for_pattern(
        &self,
        subject: Option<&StoreTerm>,
        predicate: Option<&StoreTerm>,
        object: Option<&StoreTerm>,
        graph_name: Option<Option<&StoreTerm>>,
    ) -> impl Iterator<Item = Result<InternalQuad<StoreTerm>, ViewError>> + use<'a> {
        let number = |term: Option<&StoreTerm>| match term {
            None => Ok(None),
            Some(StoreTerm::Known(number)) => Ok(Some(*number)),
            Some(StoreTerm::Other(_)) => Err(()),
        };
        let graph = match graph_name {
            None => Ok(None),
            Some(None) => Ok(Some(NOTHING)),
            Some(name) => number(name),
        };
        let wanted = (number(subject), number(predicate), number(object), graph);
        let held = self.held;
        let found = match wanted {
            (Ok(subject), Ok(predicate), Ok(object), Ok(graph)) => {
                Some(held.matching([subject, predicate, object, graph]))
            }
            // Nothing is said with a term that is nowhere.
            _ => None,
        };
        let watch = Arc::clone(&self.watch);
        found
            .into_iter()
            .flatten()
            .map(move |[subject, predicate, object, graph]| {
                if watch.is_stopped() {
                    return Err(ViewError::Stopped);
                }
                Ok(InternalQuad {
                    subject: StoreTerm::Known(subject),
                    predicate: StoreTerm::Known(predicate),
                    object: StoreTerm::Known(object),
                    graph_name: (graph != NOTHING).then_some(StoreTerm::Known(graph)),
                })
            })
    }

    fn internal_named_graphs(&self) -> impl Iterator<Item = Result<StoreTerm, ViewError>> + use<'a> {
        let graphs = self.held.graphs.iter();
        graphs.map(|number| Ok(StoreTerm::Known(*number)))
    }

    fn contains_internal_graph_name(&self, graph_name: &StoreTerm) -> Result<bool, ViewError> {
        Ok(match graph_name {
            StoreTerm::Known(number) => self.held.graphs.binary_search(number).is_ok(),
            StoreTerm::Other(_) => false,
        })
    }

    fn internalize_term(&self, term: Term) -> Result<StoreTerm, ViewError> {
        Ok(match self.held.known(&term) {
            Some(number) => StoreTerm::Known(number),
            None => StoreTerm::Other(Arc::new(term)),
        })
    }

    fn externalize_term(&self, term: StoreTerm) -> Result<Term, ViewError> {
        if self.watch.is_stopped() {
            return Err(ViewError::Stopped);
        }
        Ok(match term {
            StoreTerm::Known(number) => self.held.terms.term(number),
            StoreTerm::Other(term) => Term::clone(&term),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn term(number: u8) -> Term {
        match number {
            0 => NamedNode::new_unchecked("a:b").into(),
            1 => BlankNode::new_unchecked("b").into(),
            2 => Literal::new_simple_literal("b").into(),
            3 => Literal::new_typed_literal("b", NamedNode::new_unchecked("a:b")).into(),
            4 => Literal::new_language_tagged_literal_unchecked("b", "en").into(),
            5 => Literal::new_simple_literal("").into(),
            other => NamedNode::new_unchecked(format!("a:{other}")).into(),
        }
    }

    fn quad((subject, predicate, object, graph): (u8, u8, u8, u8)) -> Quad {
        Quad::new(
            NamedNode::new_unchecked(format!("a:{subject}")),
            NamedNode::new_unchecked(format!("a:{predicate}")),
            term(object),
            match graph {
                0 => GraphName::DefaultGraph,
                other => NamedNode::new_unchecked(format!("a:{other}")).into(),
            },
        )
    }

    /// Numbers that look like chance and are the same every time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u8) -> u8 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % u64::from(bound)) as u8
        }

        fn row(&mut self, [subject, predicate, object, graph]: [u8; 4]) -> (u8, u8, u8, u8) {
            (
                self.below(subject),
                self.below(predicate),
                self.below(object),
                self.below(graph),
            )
        }
    }

    #[test]
    fn q1_held_statements_are_found_by_every_pattern() {
        let mut numbers = Numbers(1);
        for round in 0..2_000 {
            let rows: Vec<_> = (0..round % 60).map(|_| numbers.row([4, 4, 9, 3])).collect();
            let (asked, given) = (numbers.row([5, 5, 10, 4]), numbers.below(16));
            let quads: Vec<Quad> = rows.into_iter().map(quad).collect();
            let mut held = StatementStore::default();
            quads.iter().for_each(|quad| held.push(quad));
            held.finish();
            let watch = Arc::new(Watch::default());
            let view = held.view(&watch);
            let asked = quad(asked);
            let known = |term: Term| view.internalize_term(term).expect("a term");
            let subject = known(asked.subject.clone().into());
            let predicate = known(asked.predicate.clone().into());
            let object = known(asked.object.clone());
            let graph = match &asked.graph_name {
                GraphName::NamedNode(name) => Some(known(name.clone().into())),
                _ => None,
            };
            let has = |bit: u8| given & bit != 0;
            let found: BTreeSet<String> = view
                .internal_quads_for_pattern(
                    has(1).then_some(&subject),
                    has(2).then_some(&predicate),
                    has(4).then_some(&object),
                    has(8).then_some(graph.as_ref()),
                )
                .map(|quad| {
                    let quad = quad.expect("a statement");
                    let text = |term: StoreTerm| view.externalize_term(term).expect("a term").to_string();
                    let graph = quad.graph_name.map(text).unwrap_or_default();
                    format!(
                        "{} {} {} {graph}",
                        text(quad.subject),
                        text(quad.predicate),
                        text(quad.object)
                    )
                })
                .collect();
            let wanted: BTreeSet<String> = quads
                .iter()
                .filter(|quad| {
                    (!has(1) || quad.subject == asked.subject)
                        && (!has(2) || quad.predicate == asked.predicate)
                        && (!has(4) || quad.object == asked.object)
                        && (!has(8) || quad.graph_name == asked.graph_name)
                })
                .map(|quad| {
                    let graph = match &quad.graph_name {
                        GraphName::NamedNode(name) => name.to_string(),
                        _ => String::new(),
                    };
                    format!("{} {} {} {graph}", quad.subject, quad.predicate, quad.object)
                })
                .collect();
            assert_eq!(found, wanted);
        }
    }
}
