//! `Facet`: data beside the code in the local RDF dataset. Each facet is its own named graph. Exports never contain
//! facets.

use oxrdf::{NamedNode, Triple};

use super::{Ctx, OpError};

/// A named graph in the local dataset that holds data other than code, such as decisions.
///
/// Facets are local: an export must not include them.
#[derive(Clone, Copy)]
pub struct Facet {
    /// The last segment of the graph's IRI.
    pub graph: &'static str,
    /// The prefix of the facet's vocabulary, and the namespace IRI that the prefix abbreviates.
    pub prefix: (&'static str, &'static str),
    /// Produces the triples of the facet; empty if the repository has no such data.
    pub triples: fn(&Ctx, &FacetScope<'_>) -> Result<Vec<Triple>, OpError>,
}

/// The IRIs that the triples of a facet refer to.
pub struct FacetScope<'a> {
    /// The queried git revision; `None` for the working tree.
    pub revision: Option<&'a str>,
    /// The IRI of the repository. It does not depend on a commit.
    pub repository: &'a str,
    /// The IRI of a file at the queried commit. The file need not exist.
    pub file: &'a dyn Fn(&str) -> NamedNode,
    /// The IRI of a file, if the file exists.
    pub known_file: &'a dyn Fn(&str) -> Option<NamedNode>,
    /// The IRI of a module, if exactly one module has the name.
    pub module: &'a dyn Fn(&str) -> Option<NamedNode>,
    /// The IRI of a commit by its full id, if it is the queried commit.
    pub commit: &'a dyn Fn(&str) -> Option<NamedNode>,
}
