//! The facets in the local dataset: each is a named graph in memory.

use std::borrow::Cow;
use std::collections::HashMap;

use lore_model::CodeGraph;
use oxrdf::{NamedNode, Triple};
use spareval::InternalQuad;

use super::{Dataset, Node};
use lore_seam::{Ctx, ErrorKind, Facet, FacetScope, OpError};

/// The statements of the facets.
#[derive(Default)]
pub struct FacetGraphs<'a> {
    quads: Vec<[Node<'a>; 4]>,
    by_subject: HashMap<Node<'a>, Vec<u32>>,
    by_object: HashMap<Node<'a>, Vec<u32>>,
    by_predicate: HashMap<Node<'a>, Vec<u32>>,
    graphs: Vec<Node<'a>>,
}

/// What the facets that are wanted say of a repository, by the name of the graph.
/// A facet that is there and cannot be read is empty, and that is said.
pub fn facets(
    ctx: &Ctx,
    dataset: &Dataset,
    revision: Option<&str>,
    is_wanted: impl Fn(&Facet) -> bool,
) -> Result<(Vec<Said>, Vec<String>), OpError> {
    let identity = dataset.identity();
    let file = |path: &str| NamedNode::new_unchecked(identity.iri("file", path));
    let graph = dataset.graph();
    let known_file = |path: &str| graph.file_at(path).map(|found| file(found.path()));
    let modules = Modules::of(graph);
    let module = |name: &str| Some(NamedNode::new_unchecked(identity.iri("sym", modules.one(name)?)));
    let commit = |sha: &str| (sha == identity.commit).then(|| NamedNode::new_unchecked(identity.base()));
    let scope = FacetScope {
        revision,
        repository: identity.repository(),
        file: &file,
        known_file: &known_file,
        module: &module,
        commit: &commit,
    };
    let (mut said, mut faults) = (Vec::new(), Vec::new());
    if ctx.ports.code.foreign().is_some() {
        return Ok((said, faults));
    }
    for facet in ctx.ports.datasets.iter().filter(|facet| is_wanted(facet)) {
        match (facet.triples)(ctx, &scope) {
            Ok(triples) => said.push((facet.graph, triples)),
            Err(error) if error.kind == ErrorKind::Invalid => {
                faults.push(format!("the graph {} is empty: {}", facet.graph, error.message));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((said, faults))
}

/// The modules of a code graph by the last part of their names.
struct Modules<'g>(HashMap<String, Vec<Cow<'g, str>>>);

/// The parts of a name, whatever separates them.
fn parts(name: &str) -> Vec<&str> {
    name.split(['.', ':', '/']).filter(|part| !part.is_empty()).collect()
}

impl<'g> Modules<'g> {
    fn of(graph: &'g CodeGraph) -> Self {
        let mut by_last: HashMap<String, Vec<Cow<'g, str>>> = HashMap::new();
        for module in graph.files().filter_map(|file| file.module()) {
            let name = module.qualified_name();
            if let Some(last) = parts(&name).last().map(|last| (*last).to_owned()) {
                by_last.entry(last).or_default().push(name);
            }
        }
        for names in by_last.values_mut() {
            names.sort_unstable();
            names.dedup();
        }
        Self(by_last)
    }

    /// The one module that a name means: that has it, else that ends in it.
    fn one(&self, name: &str) -> Option<&str> {
        let wanted = parts(name);
        let named = self.0.get(*wanted.last()?)?.iter().map(|name| &**name);
        let ending: Vec<&str> = named.filter(|name| parts(name).ends_with(&wanted)).collect();
        let mut whole = ending.iter().filter(|name| parts(name).len() == wanted.len());
        match (whole.next(), whole.next(), ending.as_slice()) {
            (Some(only), None, _) => Some(only),
            (None, _, [only]) => Some(only),
            _ => None,
        }
    }
}

/// What a facet says, and the name of its graph.
pub type Said = (&'static str, Vec<Triple>);

impl<'a> FacetGraphs<'a> {
    /// The statements, ready to be asked.
    pub fn new(dataset: &'a Dataset, facets: Vec<Said>) -> Self {
        let mut beside = Self::default();
        for (graph, triples) in facets {
            let graph = NamedNode::new_unchecked(dataset.identity().iri("graph", graph));
            let graph = Node::of_term(dataset, graph.into());
            if !triples.is_empty() {
                beside.graphs.push(graph.clone());
            }
            for triple in triples {
                let node = |term| Node::of_term(dataset, term);
                beside.add([
                    node(triple.subject.into()),
                    node(triple.predicate.into()),
                    node(triple.object),
                    graph.clone(),
                ]);
            }
        }
        beside
    }

    fn add(&mut self, quad: [Node<'a>; 4]) {
        let number = u32::try_from(self.quads.len()).unwrap_or(u32::MAX);
        let [subject, predicate, object, _] = &quad;
        self.by_subject.entry(subject.clone()).or_default().push(number);
        self.by_predicate.entry(predicate.clone()).or_default().push(number);
        self.by_object.entry(object.clone()).or_default().push(number);
        self.quads.push(quad);
    }

    /// The graphs that hold something.
    pub(super) fn graphs(&self) -> &[Node<'a>] {
        &self.graphs
    }

    /// The statements that match a pattern.
    pub(super) fn matching(
        &self,
        subject: Option<&Node<'a>>,
        predicate: Option<&Node<'a>>,
        object: Option<&Node<'a>>,
        graph: Option<Option<&Node<'a>>>,
    ) -> Vec<InternalQuad<Node<'a>>> {
        let graph = match graph {
            // Nothing is in the default graph.
            Some(None) => return Vec::new(),
            Some(Some(graph)) => Some(graph),
            None => None,
        };
        let indexed = [
            (subject, &self.by_subject),
            (object, &self.by_object),
            (predicate, &self.by_predicate),
        ];
        let lists = indexed
            .into_iter()
            .filter_map(|(wanted, index)| Some(index.get(wanted?).map_or(&[][..], Vec::as_slice)));
        let matches = |number: &u32| {
            let quad = self.quads.get(*number as usize)?;
            let wanted = [subject, predicate, object, graph];
            let fits = |(wanted, node): (Option<&Node<'a>>, &Node<'a>)| wanted.is_none_or(|wanted| wanted == node);
            wanted.into_iter().zip(quad).all(fits).then(|| {
                let [subject, predicate, object, graph] = quad.clone();
                InternalQuad {
                    subject,
                    predicate,
                    object,
                    graph_name: Some(graph),
                }
            })
        };
        match lists.min_by_key(|list| list.len()) {
            Some(list) => list.iter().filter_map(matches).collect(),
            None => (0..self.quads.len() as u32)
                .filter_map(|number| matches(&number))
                .collect(),
        }
    }
}
