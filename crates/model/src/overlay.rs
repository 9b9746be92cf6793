//! Texts that are shown in the place of a graph's own: what a reader may not see is withheld. What is published is scrubbed by a
//! [`TextFilter`](crate::TextFilter).
//!
//! The snapshot stays as it is. A graph with an overlay answers every question with the other texts, so that no question can forget
//! about them. Numbers, places and edges are the same in both.

use std::collections::HashMap;
use std::sync::Arc;

use crate::graph::SymbolId;

/// The texts that are shown of one symbol in the place of its own; what is `None` is shown as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolTexts {
    /// The bare name.
    pub name: Option<Arc<str>>,
    /// The qualified name, which has to be unique in the graph.
    pub qualified_name: Option<Arc<str>>,
    /// The declaration.
    pub signature: Option<Arc<str>>,
    /// The doc comment; the summary is made from it.
    pub doc: Option<Arc<str>>,
    /// The decorators.
    pub decorators: Option<Vec<Arc<str>>>,
}

impl SymbolTexts {
    /// Whether all is shown as it is.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The texts that are shown of a graph in the place of its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextOverlay {
    /// By symbol.
    pub symbols: HashMap<SymbolId, SymbolTexts>,
    /// Names outside, by their numbers.
    pub externals: HashMap<u32, Arc<str>>,
}

impl TextOverlay {
    /// Whether the graph is shown as it is.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.externals.is_empty()
    }
}
