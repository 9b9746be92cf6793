//! Nodes and edges as a graph of the local dataset, so that a query joins decisions and work with code (clauses Data1 to Data3).
//!
//! A node hangs on the repository's IRI, since it outlives commits; `mind:denotes` leads to the file, module or commit of the code that it names, if that is there.

use oxrdf::vocab::{rdf, xsd};
use oxrdf::{Literal, NamedNode, Term, Triple};

use super::edge::EdgeType;
use super::graph::{Edge, Graph, Node};
use super::open::open;
use super::value::Json;
use lore_base::camel::camel;
use lore_base::percent::{AsciiSet, PATH, encode};
use lore_seam::{Ctx, ErrorKind, Facet, FacetScope, OpError};

/// The words of the graph.
const WORDS: &str = "urn:lore:mind#";
/// Where the properties of nodes stand.
const PROPERTIES: &str = "urn:lore:mind:property#";

/// What JSON is called among the types of literals.
const JSON: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON";

/// The graph `mind`.
pub const MIND: Facet = Facet {
    graph: "mind",
    prefix: ("mind", WORDS),
    triples,
};

/// The graph as RDF at the requested revision. Empty without git, or if nothing was recorded by then.
fn triples(ctx: &Ctx, scope: &FacetScope<'_>) -> Result<Vec<Triple>, OpError> {
    match open(ctx, scope.revision) {
        Ok(opened) => Ok(describe(&opened.graph, scope)),
        Err(error) if matches!(error.kind, ErrorKind::Unavailable | ErrorKind::NotFound) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

struct Words {
    prefix: NamedNode,
    id: NamedNode,
    denotes: NamedNode,
    source: NamedNode,
    target: NamedNode,
    kind: NamedNode,
    confidence: NamedNode,
    rationale: NamedNode,
    created_at: NamedNode,
    reviewed_at: NamedNode,
    node_class: NamedNode,
    edge_class: NamedNode,
}

fn word(name: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{WORDS}{name}"))
}

impl Words {
    fn new() -> Self {
        Self {
            prefix: word("prefix"),
            id: word("id"),
            denotes: word("denotes"),
            source: word("source"),
            target: word("target"),
            kind: word("type"),
            confidence: word("confidence"),
            rationale: word("rationale"),
            created_at: word("createdAt"),
            reviewed_at: word("reviewedAt"),
            node_class: word("Node"),
            edge_class: word("Edge"),
        }
    }
}

fn describe(graph: &Graph, scope: &FacetScope<'_>) -> Vec<Triple> {
    let words = Words::new();
    let types = EdgeType::ALL.map(|kind| (kind, word(&camel(kind.name(), '-'))));
    let type_word = |kind: EdgeType| {
        let found = types.iter().find(|(known, _)| *known == kind);
        found.map_or_else(|| word(kind.name()), |(_, word)| word.clone())
    };
    let mut triples = Vec::with_capacity(4 * graph.node_count() + 7 * graph.edge_count());
    let iris: Vec<NamedNode> = graph.nodes().map(|node| node_iri(scope, node.id())).collect();
    for (node, iri) in graph.nodes().zip(&iris) {
        describe_node(node, iri, scope, &words, &mut triples);
    }
    for edge in graph.edges() {
        let (source, target) = edge.ends();
        let ends = (&iris[source.0 as usize], &iris[target.0 as usize]);
        describe_edge(edge, ends, type_word(edge.kind()), &words, scope, &mut triples);
    }
    triples
}

fn describe_node(node: Node<'_>, iri: &NamedNode, scope: &FacetScope<'_>, words: &Words, triples: &mut Vec<Triple>) {
    let mut say = |predicate: &NamedNode, object: Term| {
        triples.push(Triple::new(iri.clone(), predicate.clone(), object));
    };
    say(&rdf::TYPE.into_owned(), words.node_class.clone().into());
    say(&words.id, Literal::new_simple_literal(node.id()).into());
    say(&words.prefix, Literal::new_simple_literal(node.prefix()).into());
    if let Some(code) = denoted(node, scope) {
        say(&words.denotes, code.into());
    }
    for (key, value) in node.properties() {
        let predicate = NamedNode::new_unchecked(format!("{PROPERTIES}{}", encoded(key)));
        say(&predicate, literal(value).into());
    }
}

/// What of the code a node names, if it is there.
fn denoted(node: Node<'_>, scope: &FacetScope<'_>) -> Option<NamedNode> {
    match node.id().split_once(':')? {
        ("file", path) => (scope.known_file)(path),
        ("module", name) => (scope.module)(name),
        ("commit", sha) => (scope.commit)(sha),
        _ => None,
    }
}

fn describe_edge(
    edge: Edge<'_>,
    (source, target): (&NamedNode, &NamedNode),
    kind: NamedNode,
    words: &Words,
    scope: &FacetScope<'_>,
    triples: &mut Vec<Triple>,
) {
    triples.push(Triple::new(source.clone(), kind.clone(), target.clone()));
    let name = format!("{} {} {}", edge.source().id(), edge.kind(), edge.target().id());
    let iri = NamedNode::new_unchecked(format!("{}/mind-edge/{}", scope.repository, encoded(&name)));
    let mut say = |predicate: &NamedNode, object: Term| {
        triples.push(Triple::new(iri.clone(), predicate.clone(), object));
    };
    say(&rdf::TYPE.into_owned(), words.edge_class.clone().into());
    say(&words.source, source.clone().into());
    say(&words.target, target.clone().into());
    say(&words.kind, kind.into());
    let confidence = Literal::new_typed_literal(decimal(edge.confidence().get()), xsd::DECIMAL);
    say(&words.confidence, confidence.into());
    if let Some(rationale) = edge.rationale() {
        say(&words.rationale, Literal::new_simple_literal(rationale).into());
    }
    let time = |text: &str| Literal::new_typed_literal(text, xsd::DATE_TIME);
    say(&words.created_at, time(edge.created_at()).into());
    if let Some(reviewed_at) = edge.reviewed_at() {
        say(&words.reviewed_at, time(reviewed_at).into());
    }
}

/// A number as a decimal is written: always with a point.
fn decimal(number: f64) -> String {
    let text = format!("{number}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// A property: text, flags and whole numbers as what they are, everything else as JSON.
fn literal(canonical: &str) -> Literal {
    match Json::of_canonical(canonical) {
        Json::Text(text) => Literal::new_simple_literal(String::from(text)),
        Json::Bool(flag) => Literal::from(flag),
        Json::Number(number) => match number.parse::<i64>() {
            Ok(whole) => Literal::from(whole),
            Err(_) => Literal::new_typed_literal(String::from(number), xsd::DOUBLE),
        },
        Json::Null | Json::List(_) | Json::Object(_) => {
            Literal::new_typed_literal(canonical, NamedNode::new_unchecked(JSON))
        }
    }
}

fn node_iri(scope: &FacetScope<'_>, id: &str) -> NamedNode {
    NamedNode::new_unchecked(format!("{}/mind/{}", scope.repository, encoded(id)))
}

/// What is escaped in the IRI of a node.
const NODE: &AsciiSet = &PATH.remove(b':').remove(b'@');

/// A text as the end of an IRI. Different texts stay different.
fn encoded(text: &str) -> String {
    let segments = text.split('/').map(|segment| match segment {
        // A reader that resolves the IRI would remove dot segments.
        "." | ".." => segment.replace('.', "%2E"),
        segment => encode(segment, NODE),
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::super::testing::graph;
    use super::*;

    fn said(lines: &str) -> Vec<String> {
        let file = |path: &str| NamedNode::new_unchecked(format!("code:file/{path}"));
        let known = |path: &str| (path == "src/a.rs").then(|| file(path));
        let module = |name: &str| (name == "shop/cart").then(|| NamedNode::new_unchecked("code:sym/shop::cart"));
        let commit = |sha: &str| (sha == "abc").then(|| NamedNode::new_unchecked("code:base"));
        let scope = FacetScope {
            revision: None,
            repository: "repo:",
            file: &file,
            known_file: &known,
            module: &module,
            commit: &commit,
        };
        let triples = describe(&graph(lines), &scope);
        triples
            .iter()
            .map(|triple| triple.to_string().replace(WORDS, "mind:"))
            .collect()
    }

    #[test]
    fn data1_nodes_and_edges_are_statements() {
        let lines = "task:a depends-on spec:b/.. .4 why\ntask:a status=\"wip\"\ntask:a hours=3\ntask:a share=0.5\ntask:a tags=[1]\ntask:a done=false";
        let expected = r#"<repo:/mind/spec:b/%2E%2E> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <mind:Node>
<repo:/mind/spec:b/%2E%2E> <mind:id> "spec:b/.."
<repo:/mind/spec:b/%2E%2E> <mind:prefix> "spec"
<repo:/mind/task:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <mind:Node>
<repo:/mind/task:a> <mind:id> "task:a"
<repo:/mind/task:a> <mind:prefix> "task"
<repo:/mind/task:a> <urn:lore:mind:property#done> "false"^^<http://www.w3.org/2001/XMLSchema#boolean>
<repo:/mind/task:a> <urn:lore:mind:property#hours> "3"^^<http://www.w3.org/2001/XMLSchema#integer>
<repo:/mind/task:a> <urn:lore:mind:property#share> "0.5"^^<http://www.w3.org/2001/XMLSchema#double>
<repo:/mind/task:a> <urn:lore:mind:property#status> "wip"
<repo:/mind/task:a> <urn:lore:mind:property#tags> "[1]"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>
<repo:/mind/task:a> <mind:dependsOn> <repo:/mind/spec:b/%2E%2E>
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <mind:Edge>
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <mind:source> <repo:/mind/task:a>
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <mind:target> <repo:/mind/spec:b/%2E%2E>
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <mind:type> <mind:dependsOn>
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <mind:confidence> "0.4"^^<http://www.w3.org/2001/XMLSchema#decimal>
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <mind:rationale> "why"
<repo:/mind-edge/task:a%20depends-on%20spec:b/%2E%2E> <mind:createdAt> "1970-01-01T00:00:01.000Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>"#;
        assert_eq!(said(lines).join("\n"), expected);
    }

    #[test]
    fn data2_nodes_lead_to_the_code_that_they_name_where_it_is_there() {
        let lines = "file:src/a.rs\nfile:src/gone.rs\nmodule:shop/cart\ncommit:abc\ncommit:def\nrepo:o/n:file:src/a.rs";
        let denotes: Vec<String> = said(lines)
            .into_iter()
            .filter(|line| line.contains("denotes"))
            .collect();
        assert_eq!(
            denotes,
            [
                "<repo:/mind/commit:abc> <mind:denotes> <code:base>",
                "<repo:/mind/file:src/a.rs> <mind:denotes> <code:file/src/a.rs>",
                "<repo:/mind/module:shop/cart> <mind:denotes> <code:sym/shop::cart>",
            ]
        );
    }
}
