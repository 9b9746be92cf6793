//! Another store as the oracle: the exported quads, loaded into Oxigraph, give the same results.

use std::sync::Arc;
use std::time::Duration;

use lore_backends::SystemClock;
use lore_ccg::dataset::{Layer, Watch};
use lore_ccg::query::{Asked, Limits, Outcome, ask};
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;

use crate::generated;
use crate::support::{CORPORA, Numbers, Tree, exported};

/// Queries for each corpus; 500 in all at least.
const QUERIES: usize = 170;

#[test]
fn q1_results_equal_those_of_another_store() {
    let limits = Limits {
        rows: usize::MAX,
        time: Duration::from_secs(600),
    };
    let mut with_rows = 0;
    for (seed, corpus) in (1..).zip(CORPORA) {
        let dataset = Tree::of_workspace(corpus).dataset();
        let quads = exported(&dataset, Layer::Full);
        let store = Store::new().expect("a store");
        store.extend(quads.iter().map(|quad| quad.as_ref())).expect("loads");
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ seed);
        for _ in 0..QUERIES {
            let query = generated::query(&mut numbers, &quads);
            let asked = Asked::parse(&query, dataset.identity(), &[]).expect(&query);
            let watch = Arc::new(Watch::default());
            let view = dataset.view(Layer::Full, Arc::clone(&watch));
            let ours = ask(&asked, view, &limits, &SystemClock::default(), &watch).expect(&query);
            let ours = rows_of(ours);
            let theirs = oracle(&store, &query);
            assert_eq!(ours, theirs, "{corpus}: {query}");
            with_rows += usize::from(!theirs.is_empty());
        }
    }
    assert!(with_rows > QUERIES, "only {with_rows} queries have a result at all");
}

fn rows_of(outcome: Outcome) -> Vec<String> {
    let mut rows: Vec<String> = match outcome {
        Outcome::Boolean(value) => vec![value.to_string()],
        Outcome::Solutions { variables, rows, .. } => rows
            .iter()
            .map(|row| {
                let bound = variables.iter().zip(row);
                let mut cells: Vec<String> = bound
                    .filter_map(|(variable, term)| Some(format!("{variable}={}", term.as_ref()?)))
                    .collect();
                cells.sort_unstable();
                cells.join(" ")
            })
            .collect(),
        Outcome::Triples { triples, .. } => triples.iter().map(ToString::to_string).collect(),
    };
    rows.sort_unstable();
    rows
}

fn oracle(store: &Store, query: &str) -> Vec<String> {
    let mut prepared = SparqlEvaluator::new().parse_query(query).expect("a query");
    if !query.contains(" FROM ") {
        prepared.dataset_mut().set_default_graph_as_union();
    }
    let mut rows: Vec<String> = match prepared.on_store(store).execute().expect("results") {
        QueryResults::Boolean(value) => vec![value.to_string()],
        QueryResults::Solutions(solutions) => solutions
            .map(|solution| {
                let solution = solution.expect("a row");
                let mut cells: Vec<String> = solution
                    .iter()
                    .map(|(variable, term)| format!("{variable}={term}"))
                    .collect();
                cells.sort_unstable();
                cells.join(" ")
            })
            .collect(),
        QueryResults::Graph(triples) => {
            let mut found: Vec<String> = triples.map(|triple| triple.expect("a triple").to_string()).collect();
            found.sort_unstable();
            found.dedup();
            found
        }
    };
    rows.sort_unstable();
    rows
}
