//! Texts that are changed when they are read: what is published is scrubbed, and texts that no question reads cost nothing.
//!
//! A [`TextOverlay`](crate::TextOverlay) holds texts that are known beforehand. A filter makes each text at its first reading and keeps it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::{CodeGraph, SymbolId};

/// A text of a graph, or the texts of a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FilteredText {
    /// The bare name of a symbol.
    Name(SymbolId),
    /// The qualified name of a symbol. What the filter makes of it has to be unique in the graph.
    QualifiedName(SymbolId),
    /// The declaration of a symbol.
    Signature(SymbolId),
    /// The doc comment of a symbol.
    Doc(SymbolId),
    /// The decorators of a symbol, in order.
    Decorators(SymbolId),
    /// The name of something outside.
    External(u32),
}

impl FilteredText {
    const KINDS: usize = 6;

    /// The number of its kind, and its place among those of its kind.
    fn place(self) -> (usize, usize) {
        match self {
            Self::Name(id) => (0, id.0 as usize),
            Self::QualifiedName(id) => (1, id.0 as usize),
            Self::Signature(id) => (2, id.0 as usize),
            Self::Doc(id) => (3, id.0 as usize),
            Self::Decorators(id) => (4, id.0 as usize),
            Self::External(number) => (5, number as usize),
        }
    }
}

/// What is shown in the place of a text: nothing if the text is shown as it is, else as many texts as there are.
pub type Filtered = Option<Box<[Arc<str>]>>;

/// One kind of texts, each of which is made at its first reading.
type Cells = Box<[OnceLock<Filtered>]>;

/// Changes texts of a graph when they are read. It has to make the same of a text whenever it is asked.
pub struct TextFilter {
    make: Box<dyn Fn(FilteredText) -> Filtered + Send + Sync>,
    made: [OnceLock<Cells>; FilteredText::KINDS],
    named: OnceLock<HashMap<Arc<str>, Vec<SymbolId>>>,
    qualified: OnceLock<HashMap<Arc<str>, SymbolId>>,
}

impl TextFilter {
    /// A filter that makes texts so.
    pub fn new(make: impl Fn(FilteredText) -> Filtered + Send + Sync + 'static) -> Self {
        Self {
            make: Box::new(make),
            made: Default::default(),
            named: OnceLock::new(),
            qualified: OnceLock::new(),
        }
    }

    /// What is shown in the place of a text, of which there are so many of its kind.
    fn filtered(&self, text: FilteredText, count: usize) -> Option<&[Arc<str>]> {
        let (kind, place) = text.place();
        let cells = self.made.get(kind)?;
        let cells = cells.get_or_init(|| (0..count).map(|_| OnceLock::new()).collect());
        cells.get(place)?.get_or_init(|| (self.make)(text)).as_deref()
    }
}

impl CodeGraph {
    /// The same graph, whose texts are changed when they are read. An earlier filter is replaced.
    #[must_use]
    pub fn with_filter(&self, filter: TextFilter) -> Self {
        Self {
            filter: Some(Arc::new(filter)),
            ..self.clone()
        }
    }

    /// The symbols whose names are shown as this one and are other names in the source.
    pub fn shown_as(&self, name: &str) -> &[SymbolId] {
        let Some(filter) = &self.filter else { return &[] };
        let named = filter.named.get_or_init(|| {
            let mut named: HashMap<Arc<str>, Vec<SymbolId>> = HashMap::new();
            for id in (0..self.symbol_count() as u32).map(SymbolId) {
                if let Some([name]) = self.filtered(FilteredText::Name(id)) {
                    named.entry(Arc::clone(name)).or_default().push(id);
                }
            }
            named
        });
        named.get(name).map_or(&[], Vec::as_slice)
    }

    /// The symbol whose qualified name is shown as this one and is another one in the source.
    pub(super) fn qualified_as(&self, name: &str) -> Option<SymbolId> {
        let filter = self.filter.as_ref()?;
        let qualified = filter.qualified.get_or_init(|| {
            let symbols = (0..self.symbol_count() as u32).map(SymbolId);
            let shown = symbols.filter_map(|id| match self.filtered(FilteredText::QualifiedName(id)) {
                Some([name]) => Some((Arc::clone(name), id)),
                _ => None,
            });
            shown.collect()
        });
        qualified.get(name).copied()
    }

    /// What is shown in the place of a text, if there is a filter that changes the text.
    pub(super) fn filtered(&self, text: FilteredText) -> Option<&[Arc<str>]> {
        let filter = self.filter.as_ref()?;
        let count = match text {
            FilteredText::External(_) => self.external_count(),
            _ => self.symbol_count(),
        };
        filter.filtered(text, count)
    }

    /// As [`CodeGraph::filtered`], for a text that is no list.
    pub(super) fn filtered_text(&self, text: FilteredText) -> Option<&str> {
        self.filtered(text)?.first().map(|text| &**text)
    }
}
