//! What nodes of the mind graph mean in the code: `file:`, `module:`, `crate:` and `pkg:`.
//!
//! An id has no `::`, so that a module goes by its parts, whatever separates them: `module:shop/cart`, `module:shop.cart` and `module:cart` may all be `shop::cart`.

use std::collections::HashMap;
use std::sync::Arc;

use lore_model::{CodeGraph, FileId, ModuleGraph};

use lore_mind::graph::Node;

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

/// The parts of a name, whatever separates them.
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

#[cfg(test)]
mod tests {
    use super::*;
    use lore_ccg::testing::graph as code;
    use lore_mind::memory_log::MemoryLog;
    use lore_mind::patch_log::PatchLog;
    use lore_seam::PortMap;
    use lore_seam::world::World;
    use lore_seam::{Answer, Ctx, Origin};

    fn ctx() -> Ctx {
        let log = Arc::new(MemoryLog::default());
        log.tell(
            1_000,
            "file:src/cart.rs implements spec:money .4\nmodule:cart documents spec:money\nfile:src/gone.rs",
        );
        let world = World {
            datasets: crate::FACETS,
            facets: PortMap::default().with::<dyn PatchLog>(Arc::clone(&log) as Arc<dyn PatchLog>),
            graph: Some(Arc::new(code("file src/cart.rs rust module=shop::cart"))),
            origin: Some(Origin {
                remote: Some("https://h/o/n".to_owned()),
                directory: "n".to_owned(),
                commit: Some("0123456789012345678901234567890123456789".to_owned()),
                ..Origin::default()
            }),
            ..World::default()
        };
        Arc::new(world).ctx()
    }

    fn asked(operation: &str, request: serde_json::Value) -> String {
        let entry = crate::OPERATIONS
            .iter()
            .find(|entry| entry.name == operation)
            .expect("an operation");
        let mut text = Vec::new();
        match entry.run_json(&ctx(), request).expect("an answer") {
            Answer::Value(value, _) => value.write_json(&mut text).expect("written"),
            Answer::Bytes(bytes) => bytes.content.write_to(&mut text).expect("written"),
            Answer::Rows { rows, .. } => {
                rows.for_each(|row| row.expect("a row").write_json(&mut text).expect("written"))
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn data3_a_query_joins_the_graph_with_the_code_and_no_layer_has_it() {
        let query = "SELECT ?name ?spec { ?node mind:denotes ?code . ?code narsil:name ?name . ?node mind:documents/mind:id ?spec }";
        let joined = asked("query_ccg", serde_json::json!({ "query": query }));
        assert!(joined.contains("spec:money") && joined.contains("cart"), "{joined}");
        let file = "SELECT ?code { GRAPH graph:mind { ?node mind:denotes ?code . ?node mind:prefix \"file\" } }";
        let files = asked("query_ccg", serde_json::json!({ "query": file }));
        assert_eq!(files.matches("src/cart.rs").count(), 1, "{files}");
        assert!(!files.contains("gone"), "{files}");
        for layer in ["export_ccg_manifest", "export_ccg_architecture"] {
            assert!(!asked(layer, serde_json::json!({})).contains("mind"), "{layer}");
        }
    }

    #[test]
    fn modules_go_by_their_parts() {
        let named = NamedCode::new(Arc::new(code(
            "file src/a/cart.rs rust module=shop::a::cart\nfile src/b/cart.rs rust module=shop::b::cart\nfile src/cart.rs rust module=cart",
        )));
        let paths = |identifier: &str| -> Vec<String> {
            let found = named.modules_named(identifier).into_iter();
            found.map(|at| named.modules.modules()[at].path.clone()).collect()
        };
        assert_eq!(paths("cart"), ["src/cart.rs"], "the whole name first");
        assert_eq!(paths("a/cart"), ["src/a/cart.rs"]);
        assert_eq!(paths("shop.b.cart"), ["src/b/cart.rs"]);
        assert_eq!(paths("src/b/cart.rs"), ["src/b/cart.rs"]);
        assert_eq!(paths("nothing"), Vec::<String>::new());
    }
}
