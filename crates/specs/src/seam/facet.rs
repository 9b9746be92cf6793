//! `Facet`: what besides the code is part of the local dataset, each as a named graph of its own. It is never part of what is exported.

use oxrdf::{NamedNode, Triple};

use super::{Ctx, OpError};

/// What besides the code is part of the local dataset.
#[derive(Clone, Copy)]
pub struct Facet {
    /// The last part of the name of its graph.
    pub graph: &'static str,
    /// The prefix of its words, and what it stands for.
    pub prefix: (&'static str, &'static str),
    /// What there is to say; nothing where there is nothing.
    pub triples: fn(&Ctx, &FacetScope<'_>) -> Result<Vec<Triple>, OpError>,
}

/// What the triples of a facet hang on.
pub struct FacetScope<'a> {
    /// The revision that is asked, if it is not the working tree.
    pub revision: Option<&'a str>,
    /// The IRI of the repository, which outlives its commits.
    pub repository: &'a str,
    /// The IRI of a file of the commit that is asked, whether it is there or not.
    pub file: &'a dyn Fn(&str) -> NamedNode,
    /// The IRI of a file that is there.
    pub known_file: &'a dyn Fn(&str) -> Option<NamedNode>,
    /// The IRI of the one module that a name means.
    pub module: &'a dyn Fn(&str) -> Option<NamedNode>,
    /// The IRI of a commit, by its full id, if it is the one that is asked.
    pub commit: &'a dyn Fn(&str) -> Option<NamedNode>,
}
