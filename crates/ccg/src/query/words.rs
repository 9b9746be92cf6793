//! Predicates and classes of a query that the dataset does not have. Such a query matches nothing, which is no answer to what was meant.

use std::collections::BTreeSet;

use lore_model::nearest;
use lore_seam::Facet;
use oxrdf::Term;
use oxrdf::vocab::rdf;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use super::super::dataset::Said;
use super::super::vocabulary::{PREFIXES, Word};

/// Words that are reported.
const MAX_WORDS: usize = 8;
/// Similar words that are named.
const SUGGESTIONS: usize = 3;

/// How a word is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    Predicate,
    Class,
}

/// The words of a dataset.
pub(super) struct Words<'d> {
    facets: &'d [Facet],
    predicates: BTreeSet<String>,
    classes: BTreeSet<String>,
}

impl<'d> Words<'d> {
    /// The words of the code, and those of the datasets beside it.
    pub(super) fn of(facets: &'d [Facet], beside: &[Said]) -> Self {
        let own = Word::ALL.iter().map(|word| word.iri());
        let (classes, predicates): (Vec<&str>, Vec<&str>) = own.partition(is_class);
        let mut words = Self {
            facets,
            predicates: predicates.into_iter().map(str::to_owned).collect(),
            classes: classes.into_iter().map(str::to_owned).collect(),
        };
        for triple in beside.iter().flat_map(|(_, triples)| triples) {
            if !words.predicates.contains(triple.predicate.as_str()) {
                words.predicates.insert(triple.predicate.as_str().to_owned());
            }
            if let (rdf::TYPE, Term::NamedNode(class)) = (triple.predicate.as_ref(), &triple.object)
                && !words.classes.contains(class.as_str())
            {
                words.classes.insert(class.as_str().to_owned());
            }
        }
        words
    }

    /// A sentence about each predicate and class of a query that the dataset does not have.
    pub(super) fn unknown(&self, query: &Query) -> Vec<String> {
        let pattern = match query {
            Query::Select { pattern, .. }
            | Query::Construct { pattern, .. }
            | Query::Describe { pattern, .. }
            | Query::Ask { pattern, .. } => pattern,
        };
        let mut used = BTreeSet::new();
        of_pattern(pattern, &mut used);
        let unknown = used.iter().filter_map(|(usage, iri)| self.sentence(*usage, iri));
        unknown.take(MAX_WORDS).collect()
    }

    fn sentence(&self, usage: Use, iri: &str) -> Option<String> {
        let (known, others, noun) = match usage {
            Use::Predicate => (&self.predicates, &self.classes, "predicate"),
            Use::Class => (&self.classes, &self.predicates, "class"),
        };
        if known.contains(iri) {
            return None;
        }
        let shown = self.shortened(iri);
        if others.contains(iri) {
            let is = if usage == Use::Predicate { "class" } else { "predicate" };
            return Some(format!("{shown} is a {is}, not a {noun}"));
        }
        let names: BTreeSet<&str> = known.iter().map(|iri| local(iri)).collect();
        let wanted = local(iri).to_lowercase();
        let begins = names
            .iter()
            .copied()
            .filter(|name| wanted.len() > 2 && name.to_lowercase().starts_with(&wanted));
        let same = names.get(local(iri)).copied();
        let mut near: Vec<&str> = same.map_or_else(|| begins.take(SUGGESTIONS).collect(), |same| vec![same]);
        if near.is_empty() {
            near = nearest(local(iri), names.into_iter(), SUGGESTIONS);
        }
        let near: Vec<String> = near
            .into_iter()
            .flat_map(|name| known.iter().filter(move |iri| local(iri) == name))
            .map(|iri| self.shortened(iri))
            .collect();
        Some(if near.is_empty() {
            format!("the dataset has no {noun} {shown}")
        } else {
            format!("the dataset has no {noun} {shown}; did you mean {}?", near.join(", "))
        })
    }

    fn shortened(&self, iri: &str) -> String {
        let of_facets = self.facets.iter().map(|facet| &facet.prefix);
        let known = PREFIXES.iter().chain(of_facets).find_map(|(prefix, namespace)| {
            let local = iri.strip_prefix(namespace)?;
            Some(format!("{prefix}:{local}"))
        });
        known.unwrap_or_else(|| format!("<{iri}>"))
    }
}

/// The part of an IRI after its namespace.
fn local(iri: &str) -> &str {
    iri.rsplit(['#', '/']).next().unwrap_or(iri)
}

/// Whether a word of ours is a class: their names begin with a capital.
fn is_class(iri: &&str) -> bool {
    local(iri).starts_with(char::is_uppercase)
}

fn of_pattern(pattern: &GraphPattern, used: &mut BTreeSet<(Use, String)>) {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.iter().for_each(|triple| of_triple(triple, used)),
        GraphPattern::Path { path, .. } => of_path(path, used),
        GraphPattern::Join { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::Minus { left, right } => {
            of_pattern(left, used);
            of_pattern(right, used);
        }
        GraphPattern::LeftJoin {
            left,
            right,
            expression,
        } => {
            of_pattern(left, used);
            of_pattern(right, used);
            expression.iter().for_each(|expression| of_expression(expression, used));
        }
        GraphPattern::Filter { expr, inner } => {
            of_expression(expr, used);
            of_pattern(inner, used);
        }
        GraphPattern::Extend { inner, expression, .. } => {
            of_expression(expression, used);
            of_pattern(inner, used);
        }
        GraphPattern::Graph { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Group { inner, .. } => of_pattern(inner, used),
        _ => {}
    }
}

fn of_triple(triple: &TriplePattern, used: &mut BTreeSet<(Use, String)>) {
    let NamedNodePattern::NamedNode(predicate) = &triple.predicate else {
        return;
    };
    if predicate.as_ref() != rdf::TYPE {
        used.insert((Use::Predicate, predicate.as_str().to_owned()));
    } else if let TermPattern::NamedNode(class) = &triple.object {
        used.insert((Use::Class, class.as_str().to_owned()));
    }
}

fn of_path(path: &PropertyPathExpression, used: &mut BTreeSet<(Use, String)>) {
    match path {
        PropertyPathExpression::NamedNode(name) => {
            used.insert((Use::Predicate, name.as_str().to_owned()));
        }
        PropertyPathExpression::Reverse(inner)
        | PropertyPathExpression::ZeroOrMore(inner)
        | PropertyPathExpression::OneOrMore(inner)
        | PropertyPathExpression::ZeroOrOne(inner) => of_path(inner, used),
        PropertyPathExpression::Sequence(left, right) | PropertyPathExpression::Alternative(left, right) => {
            of_path(left, used);
            of_path(right, used);
        }
        PropertyPathExpression::NegatedPropertySet(names) => {
            used.extend(names.iter().map(|name| (Use::Predicate, name.as_str().to_owned())));
        }
    }
}

/// Patterns in expressions are those of EXISTS. Others hold terms only.
fn of_expression(expression: &Expression, used: &mut BTreeSet<(Use, String)>) {
    match expression {
        Expression::Exists(pattern) => of_pattern(pattern, used),
        Expression::Not(inner) => of_expression(inner, used),
        Expression::Or(left, right) | Expression::And(left, right) => {
            of_expression(left, used);
            of_expression(right, used);
        }
        Expression::If(condition, yes, no) => {
            for inner in [condition, yes, no] {
                of_expression(inner, used);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use oxrdf::{NamedNode, Triple};

    use super::*;

    const UNITS: Facet = Facet {
        graph: "units",
        prefix: ("kcp", "urn:kcp#"),
        triples: |_, _| Ok(Vec::new()),
    };

    fn unknown(query: &str) -> Vec<String> {
        let node = |name: &str| NamedNode::new_unchecked(format!("urn:kcp#{name}"));
        let beside = [(
            "units",
            vec![
                Triple::new(node("u"), node("audience"), node("x")),
                Triple::new(node("u"), rdf::TYPE, node("Unit")),
            ],
        )];
        let mut parser = spargebra::SparqlParser::new();
        for (prefix, iri) in PREFIXES.iter().chain([&UNITS.prefix]) {
            parser = parser.with_prefix(*prefix, *iri).expect("an IRI");
        }
        Words::of(&[UNITS], &beside).unknown(&parser.parse_query(query).expect("SPARQL"))
    }

    #[test]
    fn q1_a_predicate_that_the_dataset_does_not_have_gets_the_nearest_names() {
        assert_eq!(
            unknown("SELECT ?x { ?x narsil:nmae ?y . ?x narsil:name ?z }"),
            ["the dataset has no predicate narsil:nmae; did you mean narsil:name?"]
        );
        assert_eq!(
            unknown("SELECT ?x { ?x ccg:calls ?y }"),
            ["the dataset has no predicate ccg:calls; did you mean narsil:calls?"]
        );
        assert_eq!(
            unknown("ASK { ?x kcp:audince ?y }"),
            ["the dataset has no predicate kcp:audince; did you mean kcp:audience?"]
        );
        assert_eq!(
            unknown("ASK { ?x <urn:other/zzz> ?y }"),
            ["the dataset has no predicate <urn:other/zzz>"]
        );
    }

    #[test]
    fn q1_a_class_that_the_dataset_does_not_have_gets_the_nearest_names() {
        assert_eq!(
            unknown("SELECT ?x { ?x a narsil:Functon }"),
            ["the dataset has no class narsil:Functon; did you mean narsil:Function?"]
        );
        assert_eq!(
            unknown("SELECT ?x { ?x narsil:Function ?y . ?x a narsil:calls }"),
            [
                "narsil:Function is a class, not a predicate",
                "narsil:calls is a predicate, not a class"
            ]
        );
    }

    #[test]
    fn q1_the_beginning_of_a_word_gets_the_word() {
        assert_eq!(
            unknown("SELECT ?x { ?x a narsil:Func }"),
            ["the dataset has no class narsil:Func; did you mean narsil:Function?"]
        );
    }

    #[test]
    fn q1_words_are_found_in_every_part_of_a_query() {
        for query in [
            "SELECT ?x { { ?x ccg:zzz ?y } UNION { ?x narsil:name ?y } }",
            "SELECT ?x { ?x narsil:name ?y OPTIONAL { ?x ccg:zzz ?z } }",
            "SELECT ?x { ?x (narsil:calls/^ccg:zzz)+ ?y }",
            "SELECT ?x { ?x !(ccg:zzz) ?y }",
            "SELECT ?x { ?x narsil:name ?y FILTER NOT EXISTS { ?x ccg:zzz ?z } }",
            "SELECT ?x { GRAPH ?g { ?x ccg:zzz ?y } MINUS { ?x narsil:name ?y } }",
            "SELECT (COUNT(?x) AS ?n) { SELECT DISTINCT ?x { ?x ccg:zzz ?y } ORDER BY ?x LIMIT 3 } GROUP BY ?x",
            "CONSTRUCT { ?x <urn:mine> ?y } { ?x ccg:zzz ?y }",
            "DESCRIBE ?x { ?x ccg:zzz ?y }",
        ] {
            assert_eq!(unknown(query), ["the dataset has no predicate ccg:zzz"], "{query}");
        }
        for query in [
            "SELECT ?x { ?x ?p ?y . ?x a ?t }",
            "ASK { ?x a kcp:Unit ; kcp:audience ?y ; rdfs:label ?z }",
            "DESCRIBE <urn:x>",
        ] {
            assert_eq!(unknown(query), Vec::<String>::new(), "{query}");
        }
    }
}
