//! Which part of a graph is chosen.

use super::super::testing::{graph, large};
use super::*;

const ALL: Wanted = Wanted {
    externals: true,
    unresolved: true,
};

fn limits(nodes: usize, edges: usize) -> Limits {
    Limits { nodes, edges }
}

#[test]
fn p5_all_of_a_graph_that_fits_is_chosen() {
    let graph = large(3, 4, 1);
    let choice = Choice::within(&graph, ALL, limits(1_000, 1_000));
    assert!(!choice.is_partial());
    assert_eq!(choice.counts(), choice.of);
    assert_eq!((choice.of.files, choice.of.symbols, choice.of.externals), (3, 15, 4));
    assert_eq!((choice.of.edges, choice.of.unresolved), (36, 12));
}

#[test]
fn p5_what_is_chosen_brings_its_owners_and_its_file() {
    let graph = large(20, 10, 2);
    for nodes in [0, 1, 2, 3, 7, 30, 100, 200] {
        let choice = Choice::within(&graph, ALL, limits(nodes, 1_000));
        let counts = choice.counts();
        assert!(
            counts.files + counts.symbols + counts.externals <= nodes,
            "{nodes}: {counts:?}"
        );
        for symbol in choice.symbols.iter().map(|symbol| graph.symbol(*symbol)) {
            assert!(choice.files.contains(&symbol.file_id()));
            assert!(
                symbol
                    .parent()
                    .is_none_or(|parent| choice.symbols.contains(&parent.id()))
            );
        }
        for edge in choice.edges.iter().map(|number| graph.edge(*number)) {
            assert!(choice.symbols.contains(&edge.source().id()));
            match edge.external() {
                Some(external) => assert!(choice.externals.contains(&external)),
                None => assert!(
                    edge.target()
                        .symbol()
                        .is_some_and(|target| choice.symbols.contains(&target.id()))
                ),
            }
        }
        assert!(choice.is_partial());
    }
}

#[test]
fn p5_what_most_leans_on_is_chosen_first_and_of_edges_the_surest() {
    let graph = large(20, 10, 2);
    let choice = Choice::within(&graph, ALL, limits(40, 1_000));
    let first = graph
        .symbols()
        .find(|symbol| symbol.qualified_name() == "m0000.f0000")
        .expect("it is there");
    assert!(choice.symbols.contains(&first.id()));
    let choice = Choice::within(&graph, ALL, limits(10_000, 30));
    assert_eq!(choice.edges.len(), 30);
    let is_exact = |number: &u32| graph.edge(*number).resolution() == lore_model::Resolution::Exact;
    assert!(choice.edges.iter().all(is_exact));
}

#[test]
fn p9_what_is_chosen_is_in_order_and_the_same_each_time() {
    let graph = large(20, 10, 2);
    let choice = Choice::within(&graph, ALL, limits(100, 150));
    assert_eq!(choice, Choice::within(&graph, ALL, limits(100, 150)));
    assert!(choice.symbols.is_sorted() && choice.files.is_sorted() && choice.unresolved.is_sorted());
    let names: Vec<&str> = choice.externals.iter().map(|number| graph.external(*number)).collect();
    assert!(names.is_sorted());
    let keys = choice.edges.iter().map(|number| {
        let edge = graph.edge(*number);
        (edge.source().id(), edge.kind(), edge.external().is_some())
    });
    assert!(keys.is_sorted());
}

#[test]
fn p9_a_graph_does_not_tell_of_the_files_that_publishing_writes() {
    let graph = graph(
        "file .lore/graph.json json module=graph
         sym graph.nodes key in=graph
         file .well-known/code-graph.json json module=record
         sym record.graphs key in=record
         file a.py python module=a
         sym a.f function in=a
         file sub/.well-known/other.json json module=other
         edge record.graphs references a.f
         edge a.f call record.graphs
         edge graph.nodes call outside
         edge a.f call os.path
         lost graph.nodes 1 gone",
    );
    let choice = Choice::within(&graph, ALL, limits(100, 100));
    let paths: Vec<&str> = choice.files.iter().map(|file| graph.file(*file).path()).collect();
    assert_eq!(paths, ["a.py", "sub/.well-known/other.json"]);
    assert_eq!(choice.symbols.len(), 3);
    assert_eq!(choice.edges.len(), 1);
    assert!(choice.unresolved.is_empty() && !choice.is_partial());
}

#[test]
fn p5_what_a_format_has_no_place_for_is_not_missing_from_it() {
    let graph = large(3, 4, 1);
    let wanted = Wanted {
        externals: false,
        unresolved: false,
    };
    let choice = Choice::within(&graph, wanted, limits(1_000, 1_000));
    assert!(choice.externals.is_empty() && choice.unresolved.is_empty() && !choice.is_partial());
    assert_eq!(choice.edges.len(), 24);
}
