//! Parsing and evaluating a query.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oxrdf::vocab::rdf;
use oxrdf::{Term, Triple, Variable};
use spareval::{QueryEvaluationError, QueryEvaluator, QueryResults, QueryableDataset};
use spargebra::{Query, SparqlParser};

use super::super::Identity;
use super::super::dataset::Watch;
use super::super::vocabulary::PREFIXES;
use super::syntax;
use super::tokens::{self, COMMIT_PREFIXES, Expanded};
use lore_seam::{Clock, Ctx, ErrorKind, Facet, OpError};

/// What an answer may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rows or triples.
    pub rows: usize,
    pub time: Duration,
}

/// A query that was understood.
#[derive(Clone, Debug)]
pub struct Asked {
    query: Query,
    /// The shorthand IRIs in it, as they were written, and what they mean.
    pub shorthands: Vec<(String, String)>,
}

/// What a query led to.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Of SELECT.
    Solutions {
        /// The columns.
        variables: Vec<Variable>,
        /// The rows; a column may be unbound.
        rows: Vec<Vec<Option<Term>>>,
        /// Why there are no more rows, if there may be more.
        cut: Option<String>,
    },
    /// Of ASK.
    Boolean(bool),
    /// Of CONSTRUCT and DESCRIBE.
    Triples {
        /// Each once.
        triples: Vec<Triple>,
        /// Why there are no more, if there may be more.
        cut: Option<String>,
    },
}

impl Outcome {
    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Solutions { rows, .. } => rows.is_empty(),
            Self::Boolean(value) => !value,
            Self::Triples { triples, .. } => triples.is_empty(),
        }
    }
}

impl Asked {
    /// Parses a query about a commit. The prefixes of the datasets beside the code count as declared.
    pub fn parse(query: &str, identity: &Identity, datasets: &[Facet]) -> Result<Self, OpError> {
        let expanded = tokens::expand(query, identity, datasets)?;
        let query = match parser(identity, datasets).parse_query(&expanded.text) {
            Ok(query) => query,
            Err(error) => {
                // Places in the text that was asked are of more use than places in the expanded one.
                let (text, error) = match parser(identity, datasets).parse_query(query) {
                    Err(error) => (query, error),
                    Ok(_) => (expanded.text.as_str(), error),
                };
                return Err(refused(identity, datasets, &expanded, text).because(error));
            }
        };
        Ok(Self {
            query,
            shorthands: expanded.shorthands,
        })
    }
}

impl Asked {
    /// The query itself.
    pub(super) fn query(&self) -> &Query {
        &self.query
    }

    /// Whether the query can have to do with a graph beside the code: it names the graph or one of its words, asks whatever is said, in whatever graph, or describes something.
    /// What cannot is not made, since a graph beside the code may be larger than the code's.
    pub fn may_ask(&self, words: &str, graph: &str) -> bool {
        let text = self.query.to_sse();
        let asks_all = |triple: &str| {
            let mut terms = triple.split([' ', ')']).skip(1);
            let (predicate, object) = (terms.next().unwrap_or_default(), terms.next().unwrap_or_default());
            let is_type = predicate.trim_matches(['<', '>']) == rdf::TYPE.as_str();
            predicate.starts_with('?') || is_type && object.starts_with('?')
        };
        matches!(self.query, Query::Describe { .. })
            || text.contains(words)
            || text.contains(graph)
            || ["(graph ?", "(notoneof"].iter().any(|part| text.contains(part))
            || text.split("(triple ").skip(1).any(asks_all)
    }
}

/// Why a text is not a query that is answered.
fn refused(identity: &Identity, datasets: &[Facet], expanded: &Expanded, text: &str) -> OpError {
    let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
    let answered = "use SELECT, ASK, CONSTRUCT or DESCRIBE";
    match parser(identity, datasets).parse_update(&expanded.text) {
        Ok(update) if update.operations.is_empty() => return invalid("the query is empty".to_owned()).hint(answered),
        Ok(_) => return invalid("a query cannot change the graph".to_owned()).hint(answered),
        Err(_) => {}
    }
    if let Some(prefix) = &expanded.undeclared {
        let of_facets = datasets.iter().map(|facet| &facet.prefix);
        let known = PREFIXES.iter().chain(of_facets).map(|(prefix, _)| *prefix);
        let known = known.chain(COMMIT_PREFIXES.iter().map(|(prefix, _)| *prefix));
        let known: Vec<&str> = known.collect();
        return invalid(format!("the prefix {prefix}: is not declared"))
            .hint(format!(
                "declare it with PREFIX {prefix}: <IRI> at the start of the query"
            ))
            .hint(format!("declared already: {}", known.join(", ")));
    }
    let parser = parser(identity, datasets);
    let refusal = |text: &str| parser.clone().parse_query(text).err().map(|error| error.to_string());
    syntax::explained(text, &refusal)
}

fn parser(identity: &Identity, datasets: &[Facet]) -> SparqlParser {
    let of_commit = COMMIT_PREFIXES
        .iter()
        .map(|(prefix, family)| (*prefix, format!("{}/{family}/", identity.base())));
    let of_facets = datasets.iter().map(|facet| &facet.prefix);
    let of_text = PREFIXES
        .iter()
        .chain(of_facets)
        .map(|(prefix, iri)| (*prefix, (*iri).to_owned()));
    let mut parser = SparqlParser::new();
    for (prefix, iri) in of_text.chain(of_commit) {
        // They are IRIs all of them, so that none is refused.
        if let Ok(with_prefix) = SparqlParser::clone(&parser).with_prefix(prefix, iri) {
            parser = with_prefix;
        }
    }
    parser
}

/// Asks a dataset. Without FROM the default graph is the union of the named ones (clause LG).
pub fn ask<'a>(
    asked: &Asked,
    dataset: impl QueryableDataset<'a>,
    limits: &Limits,
    clock: &dyn Clock,
    watch: &Arc<Watch>,
) -> Result<Outcome, OpError> {
    let ring = Arc::clone(watch);
    let alarm = clock.after(limits.time, Box::new(move || ring.stop()));
    let evaluator = QueryEvaluator::new().with_cancellation_token(watch.token());
    let mut prepared = evaluator.prepare(&asked.query);
    if asked.query.dataset().is_none() {
        prepared.dataset_mut().set_default_graph_as_union();
    }
    let late = || format!("cut off after {} seconds", limits.time.as_secs_f32());
    let outcome = match prepared.execute(dataset) {
        Ok(QueryResults::Boolean(value)) => Outcome::Boolean(value),
        Ok(QueryResults::Solutions(solutions)) => {
            let variables = solutions.variables().to_vec();
            let mut rows = Vec::new();
            let mut cut = None;
            for solution in solutions {
                match solution {
                    Ok(solution) if rows.len() < limits.rows => {
                        rows.push(solution.values().to_vec());
                    }
                    Ok(_) => {
                        cut = Some(format!("cut after {} rows", limits.rows));
                        break;
                    }
                    Err(_) if watch.is_stopped() => {
                        cut = Some(late());
                        break;
                    }
                    Err(error) => return Err(failed(error)),
                }
                if watch.is_stopped() {
                    cut = Some(late());
                    break;
                }
            }
            Outcome::Solutions { variables, rows, cut }
        }
        Ok(QueryResults::Graph(found)) => {
            let mut seen = HashSet::new();
            let mut triples = Vec::new();
            let mut cut = None;
            for triple in found {
                match triple {
                    Ok(triple) if triples.len() < limits.rows => {
                        if seen.insert(triple.clone()) {
                            triples.push(triple);
                        }
                    }
                    Ok(triple) if seen.contains(&triple) => {}
                    Ok(_) => {
                        cut = Some(format!("cut after {} triples", limits.rows));
                        break;
                    }
                    Err(_) if watch.is_stopped() => {
                        cut = Some(late());
                        break;
                    }
                    Err(error) => return Err(failed(error)),
                }
            }
            Outcome::Triples { triples, cut }
        }
        Err(_) if watch.is_stopped() => {
            return Err(stopped(limits, watch));
        }
        Err(error) => return Err(failed(error)),
    };
    drop(alarm);
    if watch.is_cancelled() {
        return Err(stopped(limits, watch));
    }
    Ok(outcome)
}

/// The error for an evaluation that was stopped before it had an answer.
fn stopped(limits: &Limits, watch: &Watch) -> OpError {
    if watch.is_cancelled() {
        return OpError::new(ErrorKind::Cancelled, "the query was cancelled");
    }
    let message = format!("the query was cut off after {} seconds", limits.time.as_secs_f32());
    OpError::new(ErrorKind::Unavailable, message).hint("--timeout allows more time")
}

/// Time that an evaluation gets to notice that it must stop.
const GRACE: Duration = Duration::from_millis(500);

/// Runs an evaluation in the background, because the evaluator may compute for long without observing `watch`. An
/// evaluation that does not stop in time is abandoned, which is an error.
pub fn ask_in_time<T: Send + 'static>(
    limits: &Limits,
    ctx: &Ctx,
    watch: &Watch,
    work: impl FnOnce() -> Result<T, OpError> + Send + 'static,
) -> Result<T, OpError> {
    let found = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&found);
    let run = move || {
        let outcome = work();
        if let Ok(mut slot) = slot.lock() {
            *slot = Some(outcome);
        }
    };
    let ended = ctx
        .ports
        .clock
        .within(limits.time + GRACE, &ctx.cancel, Box::new(run))?;
    if !ended {
        watch.stop();
        return Err(stopped(limits, watch));
    }
    let outcome = found.lock().ok().and_then(|mut found| found.take());
    outcome.unwrap_or_else(|| {
        Err(OpError::new(
            ErrorKind::Internal,
            "the evaluation of the query ended without a result",
        ))
    })
}

fn failed(error: QueryEvaluationError) -> OpError {
    OpError::new(ErrorKind::Unavailable, format!("the query failed: {error}")).because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dataset beside the code.
    const MIND: Facet = Facet {
        graph: "mind",
        prefix: ("mind", "urn:lore:mind#"),
        triples: |_, _| Ok(Vec::new()),
    };

    #[test]
    fn only_what_can_have_to_do_with_a_graph_beside_the_code_asks_it() {
        let identity = Identity::new("h", "o", "n", "c");
        let asks = |query: &str| {
            let asked = Asked::parse(query, &identity, &[MIND]).expect("a query");
            asked.may_ask("urn:lore:mind#", &identity.iri("graph", "mind"))
        };
        for query in [
            "SELECT ?x { ?x mind:blocks ?y }",
            "SELECT ?x { ?x (mind:blocks)+ ?y }",
            "SELECT ?p { ?x ?p ?y }",
            "SELECT ?t { ?x a ?t }",
            "SELECT ?x { GRAPH ?g { ?x ccg:name ?y } }",
            "SELECT ?x { GRAPH graph:mind { ?x ccg:name ?y } }",
            "SELECT ?x { ?x !(ccg:name) ?y }",
            "DESCRIBE <urn:x>",
        ] {
            assert!(asks(query), "{query}");
        }
        for query in [
            "SELECT ?x { ?x ccg:name ?y }",
            "SELECT ?x { ?x a ccg:Function . ?x ccg:name \"?p\" }",
            "SELECT ?x { ?x (ccg:calls)+ ?y FILTER(?y != ?x) }",
        ] {
            assert!(!asks(query), "{query}");
        }
    }

    #[test]
    fn q1_what_is_no_query_is_told_in_a_word() {
        let identity = Identity::new("h", "o", "n", "c");
        for (query, said) in [
            ("", "the query is empty"),
            (" \n# nothing\n", "the query is empty"),
            ("PREFIX x: <urn:x>", "the query is empty"),
            ("DELETE WHERE { ?s ?p ?o }", "a query cannot change the graph"),
            ("ASK { ?s schema:name ?o }", "the prefix schema: is not declared"),
            ("ASK { ?s narsil:calls/:x ?o }", "the prefix : is not declared"),
            (
                "PREFIX a: <urn:a> ASK { ?s a:b/b:c ?o }",
                "the prefix b: is not declared",
            ),
        ] {
            let error = Asked::parse(query, &identity, &[MIND]).expect_err(query);
            assert_eq!(error.message, said, "{query}");
        }
        let error = Asked::parse("ASK { ?s x:y ?o }", &identity, &[MIND]).expect_err("it is not declared");
        assert_eq!(
            error.hints[1],
            "declared already: ccg, narsil, rdf, rdfs, xsd, owl, foaf, acl, mind, sym, file, graph, finding"
        );
        for query in [
            "ASK { ?s ?p 'x:y' }",
            "ASK { _:b a <urn:x:y> } # z:z",
            "PREFIX a.b: <urn:> ASK { ?s a.b:c 1 }",
        ] {
            Asked::parse(query, &identity, &[MIND]).expect(query);
        }
    }
}
