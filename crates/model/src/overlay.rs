//! Replacement texts for a graph, to withhold texts from a reader. To remove secrets from published texts, use a
//! [`TextFilter`](crate::TextFilter).
//!
//! The snapshot does not change. A graph with an overlay answers every question with the replacement texts, so no
//! operation can forget them. Numbers, positions and edges are the same in both.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::graph::{CodeGraph, FileId, SymbolId};

/// The replacement texts of one symbol. `None` keeps the original text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolTexts {
    /// The bare name.
    pub name: Option<Arc<str>>,
    /// The qualified name. It must be unique in the graph.
    pub qualified_name: Option<Arc<str>>,
    /// The signature.
    pub signature: Option<Arc<str>>,
    /// The doc comment; the summary is computed from it.
    pub doc: Option<Arc<str>>,
    /// The decorators.
    pub decorators: Option<Vec<Arc<str>>>,
    /// The names of the symbol's unresolved calls. Such a name can be a literal, as in `table["key"]()`.
    pub unresolved: Option<Arc<str>>,
}

impl SymbolTexts {
    /// Whether the overlay keeps all texts of the symbol.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The replacement texts of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextOverlay {
    /// The texts by symbol.
    pub symbols: HashMap<SymbolId, SymbolTexts>,
    /// External names, by their numbers.
    pub externals: HashMap<u32, Arc<str>>,
    /// Files whose imports and diagnostics are withheld, with the replacement for each specifier, each imported name
    /// and each message.
    pub files: BTreeMap<FileId, Arc<str>>,
}

impl TextOverlay {
    /// Whether the overlay is empty.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.externals.is_empty() && self.files.is_empty()
    }
}

impl CodeGraph {
    /// An overlay that withholds the texts of some files. The text given with each file replaces them. Names of
    /// definitions and variables, positions, kinds and edges stay.
    ///
    /// A module can consist of several files, and its documentation, its calls at the top level and its imports can
    /// come from any of them: they are withheld if one of its files is. An external name is withheld unless a visible
    /// file also refers to it.
    #[must_use]
    pub fn without_texts_of(&self, files: &BTreeMap<FileId, Arc<str>>) -> Self {
        let mut overlay = self.overlay().cloned().unwrap_or_default();
        let mut modules: HashMap<SymbolId, Arc<str>> = HashMap::new();
        for (file, shown) in files {
            let instead = |text: &str| (!text.is_empty()).then(|| Arc::clone(shown));
            for symbol in self.file(*file).symbols() {
                let texts = overlay.symbols.entry(symbol.id()).or_default();
                texts.signature = instead(symbol.signature());
                texts.doc = instead(symbol.doc());
                texts.decorators = symbol.decorators().next().map(|_| vec![Arc::clone(shown)]);
                texts.unresolved = Some(Arc::clone(shown));
            }
            if let Some(module) = self.file(*file).module() {
                let texts = overlay.symbols.entry(module.id()).or_default();
                texts.doc = instead(module.doc());
                texts.unresolved = Some(Arc::clone(shown));
                modules.insert(module.id(), Arc::clone(shown));
            }
        }
        let hidden = self.only_reached_from(files, &modules);
        for (at, (number, shown)) in hidden.into_iter().enumerate() {
            // External names are unique.
            overlay.externals.insert(number, format!("{shown} ({})", at + 1).into());
        }
        overlay
            .files
            .extend(files.iter().map(|(file, shown)| (*file, Arc::clone(shown))));
        self.with_overlay(overlay)
    }

    /// The external names that only withheld files refer to, by their numbers.
    fn only_reached_from(
        &self,
        files: &BTreeMap<FileId, Arc<str>>,
        modules: &HashMap<SymbolId, Arc<str>>,
    ) -> BTreeMap<u32, Arc<str>> {
        let mut imported: HashMap<SymbolId, HashSet<&str>> = HashMap::new();
        for file in self.files().filter(|file| !files.contains_key(&file.id())) {
            if let Some(module) = file.module().filter(|module| modules.contains_key(&module.id())) {
                let names = imported.entry(module.id()).or_default();
                names.extend(file.imports().map(|import| import.module));
            }
        }
        let mut hidden: BTreeMap<u32, Arc<str>> = BTreeMap::new();
        let mut open: HashSet<u32> = HashSet::new();
        for edge in self.edges() {
            let Some(number) = edge.external() else {
                continue;
            };
            let source = edge.source();
            let is_imported = || {
                let names = imported.get(&source.id());
                names.is_some_and(|names| names.contains(self.external(number)))
            };
            match modules.get(&source.id()).or_else(|| files.get(&edge.file_id())) {
                Some(shown) if !is_imported() => drop(hidden.entry(number).or_insert_with(|| Arc::clone(shown))),
                _ => drop(open.insert(number)),
            }
        }
        hidden.retain(|number, _| !open.contains(number));
        hidden
    }
}
