//! The exports of modules, and the public API of a repository.
//!
//! A definition is public if it and everything around it is. It is part of the API if, besides, users of the repository can name it: not in tests,
//! examples and tools, not in what a language hides from others (`internal` packages of Go and its programs, modules of Python that begin with
//! `_`, modules of Rust that are not `pub`), unless a module that is not hidden hands it on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lore_model::{CodeGraph, EdgeKind, File, FileId, ModuleGraph, Symbol, SymbolId, SymbolKind, Visibility};
use lore_overview::modules::spread;

/// How much more something counts that a package re-exports from its parts: that is how it says what it is about.
const HANDED_ON: u64 = 2;
/// Files of Rust that are read to see which modules are public.
const MAX_READ: usize = 4_000;

/// What the modules of a graph offer.
pub(super) struct Offered<'a> {
    graph: &'a CodeGraph,
    modules: &'a ModuleGraph,
    /// By module, what it re-exports.
    handed_on: Vec<Vec<Symbol<'a>>>,
    /// Modules that users of the repository cannot name.
    hidden: Vec<bool>,
}

impl<'a> Offered<'a> {
    /// What they offer; `is_aside` says which of them are no part of the program itself.
    pub(super) fn of(
        graph: &'a CodeGraph,
        modules: &'a ModuleGraph,
        is_aside: &dyn Fn(usize) -> bool,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let rust = Rust::of(graph, read);
        let mut found = Self {
            graph,
            modules,
            handed_on: vec![Vec::new(); modules.modules().len()],
            hidden: Vec::new(),
        };
        for file in graph.files() {
            let Some(module) = modules.module_of(file.id()) else {
                continue;
            };
            found.handed_on[module].extend(handed_on(file, &rust));
        }
        found.hidden = (0..modules.modules().len())
            .map(|module| is_aside(module) || found.is_hidden(module, &rust))
            .collect();
        found
    }

    /// The names that a module exports, the most important first.
    pub(super) fn exports(&self, module: usize) -> Vec<&'a str> {
        let mut names: BTreeMap<&str, u32> = BTreeMap::new();
        let row = &self.modules.modules()[module];
        let files = row.files.iter().map(|file| self.graph.file(*file));
        // Tests of a package are no part of what it offers.
        let own = files
            .filter(|file| row.is_test || !file.is_test())
            .flat_map(File::symbols);
        // A method without a type of its own belongs to one from outside.
        let own = own.filter(|symbol| symbol.kind() != SymbolKind::Method && is_outermost(*symbol));
        let own = own.filter(|symbol| is_offered_kind(*symbol) && is_public(*symbol));
        for symbol in own.chain(self.handed_on[module].iter().copied()) {
            let importance = names.entry(symbol.name()).or_default();
            *importance = (*importance).max(symbol.importance());
        }
        let mut names: Vec<(&str, u32)> = names.into_iter().collect();
        names.sort_by_key(|(name, importance)| (Reverse(*importance), *name));
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// The public API, the most important first, yet not all of one module before the first of another; of several definitions of one name there is the first.
    pub(super) fn public_api(&self) -> Vec<Symbol<'a>> {
        let named: HashSet<SymbolId> = (0..self.hidden.len())
            .filter(|module| !self.hidden[*module])
            .flat_map(|module| self.handed_on[module].iter().map(|symbol| symbol.id()))
            .collect();
        let can_name = |symbol: Symbol<'a>| {
            let Some(module) = self.modules.module_of(symbol.file_id()) else {
                return false;
            };
            let handed_on =
                named.contains(&symbol.id()) || symbol.parent().is_some_and(|parent| named.contains(&parent.id()));
            handed_on || !self.hidden[module]
        };
        let mut api: Vec<Symbol<'a>> = self
            .graph
            .symbols()
            .filter(|symbol| is_offered_kind(*symbol))
            .filter(|symbol| symbol.kind() != SymbolKind::Method || !is_outermost(*symbol))
            .filter(|symbol| is_public(*symbol) && !symbol.file().is_test() && can_name(*symbol))
            .collect();
        let score = |symbol: &Symbol<'a>| {
            let handed_on = if named.contains(&symbol.id()) { HANDED_ON } else { 1 };
            u64::from(symbol.importance()) * weight(symbol.kind()) * handed_on
        };
        api.sort_by_cached_key(|symbol| (Reverse(score(symbol)), symbol.qualified_name()));
        let mut seen = HashSet::new();
        api.retain(|symbol| seen.insert(symbol.plain_name()));
        let scores: Vec<(u64, usize)> = api
            .iter()
            .map(|symbol| {
                (
                    score(symbol),
                    self.modules.module_of(symbol.file_id()).unwrap_or(usize::MAX),
                )
            })
            .collect();
        spread(&scores).into_iter().map(|at| api[at]).collect()
    }

    fn is_hidden(&self, module: usize, rust: &Rust) -> bool {
        let row = &self.modules.modules()[module];
        let Some(first) = row.files.first().map(|file| self.graph.file(*file)) else {
            return true;
        };
        let parts = |separator: char| row.name.split(separator);
        match first.language() {
            "go" => {
                let mut files = row.files.iter().map(|file| self.graph.file(*file));
                let is_program = files.any(|file| {
                    let mut symbols = file.symbols();
                    symbols.any(|symbol| symbol.name() == "main" && symbol.kind() == SymbolKind::Function)
                });
                is_program || first.path().split('/').any(|part| part == "internal")
            }
            "python" => parts('.').any(|part| part.starts_with('_') && !is_protocol(part)),
            "rust" => row
                .symbol
                .is_some_and(|symbol| rust.is_hidden(self.graph.symbol(symbol))),
            _ => false,
        }
    }
}

/// How much of a symbol's importance counts for its place in the API: a definition counts more than its members. Nothing for what is no
/// part of an API.
fn weight(kind: SymbolKind) -> u64 {
    match kind {
        SymbolKind::Function
        | SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Enum
        | SymbolKind::Trait
        | SymbolKind::Interface
        | SymbolKind::Macro => 4,
        SymbolKind::Method | SymbolKind::TypeAlias => 2,
        SymbolKind::Constant | SymbolKind::Static => 1,
        _ => 0,
    }
}

fn is_offered_kind(symbol: Symbol<'_>) -> bool {
    weight(symbol.kind()) > 0 && !symbol.name().is_empty() && !is_protocol(symbol.name())
}

/// Whether the language itself asks for the name, as Python for `__all__`.
fn is_protocol(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Whether it is in a module and in nothing else.
fn is_outermost(symbol: Symbol<'_>) -> bool {
    let around = symbol.parent().map(Symbol::kind);
    matches!(around, None | Some(SymbolKind::Module | SymbolKind::Namespace))
}

/// Whether it and everything around it is public.
fn is_public(symbol: Symbol<'_>) -> bool {
    std::iter::once(symbol)
        .chain(symbol.ancestors())
        .all(|around| around.visibility() == Visibility::Public && !around.is_local() && !around.is_anonymous())
}

/// The symbols that a file re-exports under their own names.
fn handed_on<'a>(file: File<'a>, rust: &Rust) -> Vec<Symbol<'a>> {
    let lines: BTreeSet<u32> = file
        .imports()
        .filter(|import| match file.language() {
            "rust" => rust.public_lines.contains(&(file.id(), import.line)) && import.reexport,
            // What a package's own file imports from its parts is what it offers.
            "python" => file.path().ends_with("__init__.py") && !import.local.starts_with('_'),
            _ => import.reexport,
        })
        .map(|import| import.line)
        .collect();
    let Some(module) = file.module().filter(|_| !lines.is_empty()) else {
        return Vec::new();
    };
    let package = module.qualified_name();
    module
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Import && edge.file_id() == file.id())
        .filter(|edge| edge.lines().any(|line| lines.contains(&line)))
        .filter_map(|edge| edge.target().symbol())
        .filter(|symbol| is_offered_kind(*symbol) && symbol.visibility() == Visibility::Public)
        .filter(|symbol| {
            let is_part = symbol
                .qualified_name()
                .strip_prefix(&*package)
                .is_some_and(|rest| rest.starts_with('.'));
            file.language() != "python" || is_part
        })
        .collect()
}

/// What only the text of Rust's files says: which modules and which `use` are `pub`.
#[derive(Default)]
struct Rust {
    /// By module that another one declares: that other one, and whether it says `pub`.
    declared: HashMap<SymbolId, (SymbolId, bool)>,
    /// Lines that begin with `pub` and nothing that takes it back.
    public_lines: HashSet<(FileId, u32)>,
}

impl Rust {
    fn of(graph: &CodeGraph, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut found = Self::default();
        let files = graph
            .files()
            .filter(|file| file.language() == "rust" && !file.is_test())
            .filter(|file| file.imports().any(|import| import.declares || import.reexport));
        for file in files.take(MAX_READ) {
            let Some(text) = read(file.path()) else { continue };
            let public = (1..)
                .zip(text.lines())
                .filter(|(_, line)| line.trim_start().starts_with("pub "));
            found.public_lines.extend(public.map(|(number, _)| (file.id(), number)));
            let declared: BTreeSet<u32> = file
                .imports()
                .filter(|import| import.declares)
                .map(|import| import.line)
                .collect();
            let Some(module) = file.module() else { continue };
            let imports = module.edges().filter(|edge| edge.kind() == EdgeKind::Import);
            for edge in imports.filter(|edge| edge.file_id() == file.id()) {
                let Some(part) = edge.target().symbol().filter(|part| part.kind() == SymbolKind::Module) else {
                    continue;
                };
                let mut lines = edge.lines().filter(|line| declared.contains(line)).peekable();
                if lines.peek().is_some() {
                    let is_public = lines.any(|line| found.public_lines.contains(&(file.id(), line)));
                    found.declared.insert(part.id(), (module.id(), is_public));
                }
            }
        }
        found
    }

    /// Whether a module, or one around it, is not `pub`.
    fn is_hidden(&self, module: Symbol<'_>) -> bool {
        let mut at = module.id();
        // No tree of modules is deeper; a circle would be.
        for _ in 0..64 {
            match self.declared.get(&at) {
                Some((_, false)) => return true,
                Some((around, true)) => at = *around,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::graph;
    use super::*;

    fn offered(lines: &str, texts: &[(&str, &str)]) -> (Vec<String>, Vec<Vec<String>>) {
        let graph = graph(lines);
        let modules = ModuleGraph::of(&graph);
        let read = |path: &str| {
            let known = texts.iter().find(|(known, _)| *known == path);
            known.map(|(_, text)| (*text).to_owned())
        };
        let offered = Offered::of(&graph, &modules, &|module| modules.modules()[module].is_test, &read);
        let api = offered
            .public_api()
            .iter()
            .map(|symbol| symbol.qualified_name().into_owned())
            .collect();
        let exports = (0..modules.modules().len())
            .map(|module| offered.exports(module).into_iter().map(str::to_owned).collect())
            .collect();
        (api, exports)
    }

    #[test]
    fn l1_the_api_is_what_others_can_name_by_importance() {
        let (api, exports) = offered(
            "file a.py python module=a
             sym a.f function
             sym a.g function
             sym a.g#2 function
             sym a._h function private
             sym a.C class
             sym a.C.__init__ constructor
             sym a.C.m method
             sym a.C._n method private
             sym a.C.f field
             sym a.LIMIT constant
             file a_more.py python module=a test
             sym a.helper function
             file a_test.py python module=a_test test
             sym a_test.helper function
             file b/_x.py python module=b._x
             sym b._x.hidden function
             edge a.f call a.g
             edge a._h call a.g
             edge a.f call a.C",
            &[],
        );
        assert_eq!(api, ["a.C", "a.g", "a.f", "a.C.m", "a.LIMIT"]);
        assert_eq!(exports[0], ["C", "g", "f", "LIMIT"]);
    }

    #[test]
    fn l1_what_a_package_hands_on_is_its_export() {
        let (api, exports) = offered(
            "file p/__init__.py python module=p
             use p._impl f
             use os path
             file p/_impl.py python module=p._impl
             sym p._impl.f function
             sym p._impl.g function
             edge p import p._impl.f
             edge p import os.path",
            &[],
        );
        assert_eq!(api, ["p._impl.f"]);
        assert_eq!(exports[0], ["f"]);
    }

    #[test]
    fn l1_modules_of_rust_that_are_not_pub_hide_what_is_in_them() {
        let lines = "file src/a.rs rust module=k::a
             sym k::a::Open struct
             file src/b.rs rust module=k::b
             sym k::b::Shut struct
             sym k::b::Handed struct
             sym k::b::Handed::new method
             file src/lib.rs rust module=k
             declare 1
             declare 2
             use k::b Handed line=3 reexport
             edge k import k::a at=1
             edge k import k::b at=2
             edge k import k::b::Handed at=3";
        let (api, exports) = offered(lines, &[("src/lib.rs", "pub mod a;\nmod b;\npub use b::Handed;\n")]);
        assert_eq!(api, ["k::b::Handed", "k::a::Open", "k::b::Handed::new"]);
        assert_eq!(exports[0], ["Handed"]);
        let (api, _) = offered(lines, &[("src/lib.rs", "mod a;\nmod b;\npub(crate) use b::Handed;\n")]);
        assert_eq!(api, Vec::<String>::new());
    }

    #[test]
    fn l1_go_hides_internal_packages_and_programs() {
        let (api, _) = offered(
            "file cmd/x/main.go go module=cmd/x
             sym cmd/x.main function internal
             sym cmd/x.Shown function
             file internal/y/y.go go module=internal/y
             sym internal/y.Y function
             file z/z.go go module=z
             sym z.Z function",
            &[],
        );
        assert_eq!(api, ["z.Z"]);
    }
}
