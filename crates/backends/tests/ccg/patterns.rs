//! The view and the export are one: every pattern gives exactly what a scan of the exported quads would.

use std::collections::HashSet;
use std::sync::Arc;

use lore_ccg::dataset::{Layer, Watch};
use oxrdf::{GraphName, NamedOrBlankNode, Quad, Term};
use spareval::QueryableDataset;

use crate::support::{CORPORA, Numbers, Tree, exported};

/// Quads of which every combination of bound places is asked.
const SAMPLES: usize = 30;

#[test]
fn lg_every_quad_is_in_exactly_one_named_graph_and_stands_there_once() {
    for corpus in CORPORA {
        let dataset = Tree::of_workspace(corpus).dataset();
        let quads = exported(&dataset, Layer::Full);
        let mut triples = HashSet::new();
        for quad in &quads {
            assert!(!quad.graph_name.is_default_graph(), "{corpus}: {quad}");
            assert!(
                triples.insert((quad.subject.clone(), quad.predicate.clone(), quad.object.clone())),
                "{corpus}: {quad} stands there twice"
            );
        }
        let graphs: HashSet<String> = quads.iter().map(|quad| quad.graph_name.to_string()).collect();
        for name in ["meta", "structure", "calls", "security"] {
            assert!(
                graphs.contains(&format!("<{}/graph/{name}>", dataset.identity().base())),
                "{corpus} lacks {name}"
            );
        }
    }
}

#[test]
fn l3_full_detail_holds_the_index() {
    for corpus in CORPORA {
        let dataset = Tree::of_workspace(corpus).dataset();
        let full: HashSet<Quad> = exported(&dataset, Layer::Full).into_iter().collect();
        let index = exported(&dataset, Layer::Index);
        assert!(index.len() < full.len());
        for quad in index {
            assert!(full.contains(&quad), "{corpus}: {quad}");
        }
    }
}

#[test]
fn l2_every_symbol_has_the_required_patterns_and_every_call_leads_to_something_declared() {
    let narsil = |word: &str| format!("<https://narsilmcp.com/ontology/v1#{word}>");
    for corpus in CORPORA {
        let dataset = Tree::of_workspace(corpus).dataset();
        let quads = exported(&dataset, Layer::Index);
        let symbols = format!("<{}/sym/", dataset.identity().base());
        let mut said: HashSet<(String, String)> = HashSet::new();
        for quad in &quads {
            said.insert((quad.subject.to_string(), quad.predicate.to_string()));
        }
        let functions: HashSet<String> = quads
            .iter()
            .filter(|quad| quad.object.to_string() == narsil("Function"))
            .map(|quad| quad.subject.to_string())
            .collect();
        let declared: HashSet<String> = quads
            .iter()
            .filter(|quad| quad.predicate == oxrdf::vocab::rdf::TYPE)
            .map(|quad| quad.subject.to_string())
            .collect();
        assert_eq!(
            declared.iter().filter(|subject| subject.starts_with(&symbols)).count(),
            dataset.graph().symbol_count(),
            "{corpus}: every symbol has an IRI of its own"
        );
        for subject in declared.iter().filter(|subject| subject.starts_with(&symbols)) {
            let mut words = vec!["name", "definedIn", "startLine", "endLine", "isPublic"];
            if functions.contains(subject) {
                words.extend(["signature", "complexity"]);
            }
            for word in words {
                assert!(
                    said.contains(&(subject.clone(), narsil(word))),
                    "{corpus}: {subject} has no {word}"
                );
            }
        }
        for quad in quads
            .iter()
            .filter(|quad| quad.predicate.to_string() == narsil("calls"))
        {
            assert!(declared.contains(&quad.object.to_string()), "{corpus}: {quad}");
        }
    }
}

#[test]
fn every_pattern_gives_what_a_scan_would() {
    for corpus in CORPORA {
        let dataset = Tree::of_workspace(corpus).dataset();
        for layer in [Layer::Index, Layer::Full] {
            let quads = exported(&dataset, layer);
            let view = dataset.view(layer, Arc::new(Watch::default()));
            let mut numbers = Numbers(7);
            for number in 0..SAMPLES {
                let sample = numbers.pick(&quads);
                // Everything, once is enough.
                for mask in u8::from(number > 0)..16 {
                    let bound = |bit: u8| mask & (1 << bit) != 0;
                    let of = |term: Term| view.internalize_term(term).expect("a node");
                    let subject = bound(0).then(|| of(Term::from(sample.subject.clone())));
                    let predicate = bound(1).then(|| of(Term::from(sample.predicate.clone())));
                    let object = bound(2).then(|| of(sample.object.clone()));
                    let graph = bound(3).then(|| match &sample.graph_name {
                        GraphName::NamedNode(name) => of(name.clone().into()),
                        _ => panic!("a named graph"),
                    });
                    let found = view.internal_quads_for_pattern(
                        subject.as_ref(),
                        predicate.as_ref(),
                        object.as_ref(),
                        graph.as_ref().map(Some),
                    );
                    let mut found: Vec<String> = found
                        .map(|quad| {
                            let quad = quad.expect("a quad");
                            let term = |node| view.externalize_term(node).expect("a term").to_string();
                            format!(
                                "{} {} {} {}",
                                term(quad.subject),
                                term(quad.predicate),
                                term(quad.object),
                                term(quad.graph_name.expect("a graph"))
                            )
                        })
                        .collect();
                    let mut wanted: Vec<String> = quads
                        .iter()
                        .filter(|quad| {
                            (!bound(0) || quad.subject == sample.subject)
                                && (!bound(1) || quad.predicate == sample.predicate)
                                && (!bound(2) || quad.object == sample.object)
                                && (!bound(3) || quad.graph_name == sample.graph_name)
                        })
                        .map(ToString::to_string)
                        .collect();
                    found.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(found, wanted, "{corpus}: {mask:04b} of {sample}");
                }
            }
        }
    }
}

#[test]
fn terms_that_are_not_the_datasets_match_nothing() {
    let dataset = Tree::of_workspace("tests/sample").dataset();
    let view = dataset.view(Layer::Full, Arc::new(Watch::default()));
    let base = dataset.identity().base();
    for iri in [
        format!("{base}/sym/no.such"),
        format!("{base}/sym/shop%2Ecart"),
        format!("{base}/file/"),
        format!("{base}/callsite/0.999"),
        format!("{base}/callsite/00.0"),
        format!("{base}/graph/other"),
        "https://narsilmcp.com/ontology/v1#Calls".to_owned(),
    ] {
        let node = view
            .internalize_term(oxrdf::NamedNode::new_unchecked(&iri).into())
            .expect("a node");
        assert_eq!(
            view.internal_quads_for_pattern(Some(&node), None, None, None).count(),
            0,
            "{iri}"
        );
        assert_eq!(
            view.internal_quads_for_pattern(None, None, Some(&node), None).count(),
            0,
            "{iri}"
        );
        let subject: NamedOrBlankNode = oxrdf::NamedNode::new_unchecked(&iri).into();
        assert_eq!(view.externalize_term(node).expect("a term"), subject.into());
    }
}
