//! What nodes of the mind graph mean in the code: `file:`, `module:`, `crate:` and `pkg:`.
//!
//! An id has no `::`, so that a module goes by its parts, whatever stands between them: `module:shop/cart`, `module:shop.cart` and `module:cart` may all be `shop::cart`.

use std::collections::HashMap;
use std::sync::Arc;

use lore_model::{CodeGraph, FileId, ModuleGraph};

use crate::mind::graph::Node;

/// The code, as nodes name it.
pub(super) struct NamedCode {
    pub(super) graph: Arc<CodeGraph>,
    pub(super) modules: ModuleGraph,
    /// Modules by the last part of their names.
    by_last: HashMap<String, Vec<usize>>,
}

/// What kind of thing a node names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Level {
    File,
    Module,
    Package,
}

/// The parts of a name, whatever stands between them.
pub(super) fn parts(name: &str) -> Vec<&str> {
    name.split(['.', ':', '/', '\\'])
        .filter(|part| !part.is_empty())
        .collect()
}

/// Prefix and identifier of a node of this repository.
pub(super) fn own(id: &str) -> Option<(&str, &str)> {
    id.split_once(':').filter(|(prefix, _)| *prefix != "repo")
}

impl NamedCode {
    pub(super) fn new(graph: Arc<CodeGraph>) -> Self {
        let modules = ModuleGraph::of(&graph);
        let mut by_last: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, module) in modules.modules().iter().enumerate() {
            if let Some(last) = parts(&module.name).last() {
                by_last.entry((*last).to_owned()).or_default().push(at);
            }
        }
        Self {
            graph,
            modules,
            by_last,
        }
    }

    /// The modules that an identifier means: by path, by name, or by the end of a name.
    pub(super) fn modules_named(&self, identifier: &str) -> Vec<usize> {
        let modules = self.modules.modules();
        let wanted = parts(identifier);
        let by_last = wanted.last().and_then(|last| self.by_last.get(*last));
        let ending: Vec<usize> = by_last
            .into_iter()
            .flatten()
            .copied()
            .filter(|at| parts(&modules[*at].name).ends_with(&wanted))
            .collect();
        let whole: Vec<usize> = ending
            .iter()
            .copied()
            .filter(|at| parts(&modules[*at].name).len() == wanted.len())
            .collect();
        if !whole.is_empty() {
            return whole;
        }
        let at_path = modules.iter().position(|module| module.path == identifier);
        at_path.map_or(ending, |at| vec![at])
    }

    /// The modules of a crate or package: those whose names begin with it.
    fn modules_of_package(&self, name: &str) -> impl Iterator<Item = usize> {
        let spelt = name.replace('-', "_");
        let is_of = move |first: &str| first == name || first == spelt;
        let numbered = self.modules.modules().iter().enumerate();
        let found = numbered.filter(|(_, module)| parts(&module.name).first().is_some_and(|first| is_of(first)));
        found.map(|(at, _)| at).collect::<Vec<_>>().into_iter()
    }

    /// The files that a node means, if it names code; none if that is not there.
    pub(super) fn files(&self, node: Node<'_>) -> Option<(Level, Vec<FileId>)> {
        let (prefix, identifier) = own(node.id())?;
        let of = |modules: &mut dyn Iterator<Item = usize>| -> Vec<FileId> {
            let files = modules.flat_map(|at| self.modules.modules()[at].files.iter().copied());
            files.collect()
        };
        Some(match prefix {
            "file" => {
                let file = self.graph.file_at(identifier).map(|file| file.id());
                (Level::File, file.into_iter().collect())
            }
            "module" => (Level::Module, of(&mut self.modules_named(identifier).into_iter())),
            "crate" | "pkg" => (Level::Package, of(&mut self.modules_of_package(identifier))),
            _ => return None,
        })
    }
}
