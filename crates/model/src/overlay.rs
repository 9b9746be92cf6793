//! Texts that are shown in the place of a graph's own: what a reader may not see is withheld. What is published is scrubbed by a
//! [`TextFilter`](crate::TextFilter).
//!
//! The snapshot stays as it is. A graph with an overlay answers every question with the other texts, so that no question can forget
//! about them. Numbers, places and edges are the same in both.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::graph::{CodeGraph, FileId, SymbolId};

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
    /// The name of each of its calls that lead nowhere known: it can be a literal, as in `table["key"]()`.
    pub unresolved: Option<Arc<str>>,
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
    /// Files whose imports and diagnostics are withheld, with the text that is shown in the place of each specifier, each imported
    /// name and each message.
    pub files: BTreeMap<FileId, Arc<str>>,
}

impl TextOverlay {
    /// Whether the graph is shown as it is.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.externals.is_empty() && self.files.is_empty()
    }
}

impl CodeGraph {
    /// The same graph without the texts of some files. In their place the text that comes with each file is shown. Names of
    /// definitions and variables, places, kinds and edges stay.
    ///
    /// A module can be made of several files, and its documentation, its calls at the top level and its imports can come from any of
    /// them: they are withheld if one of its files is. The name of something outside is withheld unless a file that is shown leads
    /// to it too.
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
            // Names outside are unique.
            overlay.externals.insert(number, format!("{shown} ({})", at + 1).into());
        }
        overlay
            .files
            .extend(files.iter().map(|(file, shown)| (*file, Arc::clone(shown))));
        self.with_overlay(overlay)
    }

    /// The names outside that only withheld files lead to, by their numbers.
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
