//! What a module is for, in its own words: the first sentence of its documentation, of the README of its directory, or of the package
//! file that it is the root of (clause L1). A module that says nothing itself is described by its main definition, with the name of the definition.

use std::collections::{BTreeMap, BTreeSet};

use lore_model::{CodeGraph, File, Module, ModuleGraph, Symbol, SymbolKind, Visibility, truncate_chars};
use schemars::JsonSchema;
use serde::Serialize;

use super::aside::directory;
use super::packages::{Package, ProvideKind, packages};
use super::prose::{doc_sentence, first_sentence, plain, says_something};
use super::readme::{self, Line};
use super::tree::{ReadText, Tree};

/// Characters of a purpose.
const MAX_CHARS: usize = 200;
/// Files of a module whose definitions are looked at.
const MAX_FILES: usize = 200;
/// Definitions of a file that are looked at.
const MAX_SYMBOLS: usize = 2_000;
/// Namespaces around a definition that are looked at.
const MAX_DEPTH: usize = 32;
/// Documented definitions that are tried, the most important first.
const MAX_TRIED: usize = 8;
/// Files that represent their directory.
const STANDS_FOR_DIRECTORY: &[&str] = &["__init__", "doc", "index", "init", "lib", "main", "mod", "package-info"];

/// What a module is for
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Purpose {
    /// One sentence
    #[schemars(extend("x-agents" = "untrusted"))]
    pub text: String,
    /// What says so
    pub from: PurposeSource,
}

/// What says what a module is for
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum PurposeSource {
    /// The documentation of the module itself
    Documentation,
    /// The README of its directory
    Readme,
    /// The package file that it is the root of
    PackageFile,
    /// The documentation of its main definition, whose name comes first
    Definition,
}

/// Finds the purposes of modules.
pub struct Purposes<'a> {
    graph: &'a CodeGraph,
    read: &'a ReadText<'a>,
    /// By directory.
    readmes: BTreeMap<&'a str, &'a str>,
    /// The descriptions of packages, by the file of the root module.
    packages: BTreeMap<String, String>,
    /// Directories with files of one module only.
    undivided: BTreeSet<&'a str>,
}

impl<'a> Purposes<'a> {
    /// The purposes of the modules of a graph.
    pub fn of(graph: &'a CodeGraph, modules: &ModuleGraph, read: &'a ReadText<'a>) -> Self {
        let (packages, _) = packages(&Tree::of(graph, read), "");
        Self::with_packages(graph, modules, &packages, read)
    }

    /// As [`Purposes::of`], with the package files that were read already.
    pub(crate) fn with_packages(
        graph: &'a CodeGraph,
        modules: &ModuleGraph,
        packages: &[Package],
        read: &'a ReadText<'a>,
    ) -> Self {
        let mut of_directory: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for file in graph.files().filter(|file| !file.is_test()) {
            if let Some(module) = modules.module_of(file.id()) {
                of_directory.entry(directory(file.path())).or_default().insert(module);
            }
        }
        let files = graph.files().map(|file| file.path());
        let paths = files.chain(graph.skipped().map(|skipped| skipped.path));
        let mut described = BTreeMap::new();
        for package in packages {
            let library = package
                .provides
                .iter()
                .find(|provide| provide.kind == ProvideKind::Library);
            let library = library
                .or(package.provides.first())
                .and_then(|provide| provide.target.as_ref());
            let root = library.and_then(|target| super::entry_points::symbol_of(graph, target));
            let text = package
                .description
                .as_deref()
                .map(plain)
                .filter(|text| says_something(text));
            if let (Some(root), Some(text)) = (root, text) {
                described.entry(root.file().path().to_owned()).or_insert(text);
            }
        }
        Self {
            graph,
            read,
            readmes: readme::best(paths),
            packages: described,
            undivided: of_directory
                .into_iter()
                .filter(|(_, modules)| modules.len() == 1)
                .map(|(directory, _)| directory)
                .collect(),
        }
    }

    /// What a module is for, if anything says so.
    pub fn purpose(&self, module: &Module) -> Option<Purpose> {
        let told = |text: String, from: PurposeSource| Purpose {
            text: truncate_chars(&text, MAX_CHARS),
            from,
        };
        let own = module.symbol.map(|symbol| self.graph.symbol(symbol));
        let own = own.and_then(|symbol| doc_sentence(symbol.doc(), &symbol.plain_name()));
        if let Some(text) = own {
            return Some(told(text, PurposeSource::Documentation));
        }
        let line = self.readme_line(module);
        if let Some(Line::Sentence(text)) = line {
            return Some(told(text, PurposeSource::Readme));
        }
        let mut files = module.files.iter().map(|file| self.graph.file(*file).path());
        if let Some(text) = files.find_map(|path| self.packages.get(path)) {
            return Some(told(first_sentence(text).to_owned(), PurposeSource::PackageFile));
        }
        if let Some(Line::Title(text)) = line {
            return Some(told(text, PurposeSource::Readme));
        }
        let (name, text) = self.main_definition(module)?;
        // Documentation of Go begins with the name.
        let begins = text
            .strip_prefix(name.as_str())
            .is_some_and(|rest| rest.starts_with(' '));
        let text = if begins { text } else { format!("{name}: {text}") };
        Some(told(text, PurposeSource::Definition))
    }

    fn readme_line(&self, module: &Module) -> Option<Line> {
        let path = self.readmes.get(self.directory(module)?)?;
        readme::line(&(self.read)(path)?)
    }

    /// The definition that a module is about, with what its documentation says: the one that is called like the module, or else the
    /// most important documented one that others can name.
    fn main_definition(&self, module: &Module) -> Option<(String, String)> {
        let files: Vec<File<'_>> = module.files.iter().map(|file| self.graph.file(*file)).collect();
        let compact = |name: &str| name.to_lowercase().replace(['_', '-'], "");
        let of_module = compact(module.name.rsplit(['.', ':', '/']).next().unwrap_or_default());
        let is_space = |symbol: Symbol<'_>| matches!(symbol.kind(), SymbolKind::Module | SymbolKind::Namespace);
        let is_outermost = |symbol: &Symbol<'_>| {
            let is_value = matches!(
                symbol.kind(),
                SymbolKind::TypeAlias | SymbolKind::Constant | SymbolKind::Static
            );
            let is_function = matches!(symbol.kind(), SymbolKind::Function | SymbolKind::Macro);
            // Modules of Ruby and namespaces are definitions in the module that is their file.
            let is_inner = is_space(*symbol) && Some(symbol.id()) != module.symbol;
            let is_definition = symbol.kind().is_type() || is_function || is_value || is_inner;
            let around = std::iter::successors(symbol.parent(), |parent| parent.parent());
            is_definition && !symbol.is_anonymous() && around.take(MAX_DEPTH).all(is_space)
        };
        let symbols = files
            .iter()
            .take(MAX_FILES)
            .filter(|file| !file.is_test() || module.is_test);
        let symbols = symbols
            .flat_map(|file| file.symbols().take(MAX_SYMBOLS))
            .filter(is_outermost);
        let documented = symbols.filter(|symbol| !symbol.doc().is_empty());
        let mut ranked: Vec<(_, Symbol<'_>)> = documented
            .map(|symbol| {
                let is_named_alike = compact(symbol.name()) == of_module;
                let is_hidden = symbol.visibility() == Visibility::Private;
                let key = (
                    !is_named_alike,
                    is_hidden,
                    !symbol.kind().is_type(),
                    std::cmp::Reverse(symbol.importance()),
                    symbol.id(),
                );
                (key, symbol)
            })
            .collect();
        ranked.sort_unstable_by_key(|(key, _)| *key);
        let tried = ranked.into_iter().take(MAX_TRIED);
        let told = tried
            .filter_map(|(_, symbol)| Some((symbol.name().to_owned(), doc_sentence(symbol.doc(), symbol.name())?)));
        let mut told: Vec<(String, String)> = told.collect();
        // A remark in the middle of a thought is only better than nothing.
        let best = told
            .iter()
            .position(|(name, text)| text.starts_with(char::is_uppercase) || text.starts_with(name.as_str()));
        (!told.is_empty()).then(|| told.swap_remove(best.unwrap_or(0)))
    }

    /// The directory that a module is all of, or that its file represents.
    fn directory<'m>(&'m self, module: &'m Module) -> Option<&'m str> {
        let directory = match module.files.as_slice() {
            [file] => {
                let path = self.graph.file(*file).path();
                let name = path.rsplit('/').next().unwrap_or(path);
                let stem = name.split('.').next().unwrap_or(name);
                let directory = directory(path);
                // A README at the root is about the whole repository, not about a script beside it.
                let is_all = self.undivided.contains(directory) && !directory.is_empty();
                (STANDS_FOR_DIRECTORY.contains(&stem) || is_all).then_some(directory)?
            }
            _ => {
                let directory = if module.path == "." { "" } else { module.path.as_str() };
                self.undivided.contains(directory).then_some(directory)?
            }
        };
        // The sources of a package stand one below what describes it.
        Some(
            match directory.strip_suffix("src").map(|before| before.trim_end_matches('/')) {
                Some(before) if before.is_empty() || directory.ends_with("/src") => before,
                _ => directory,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use lore_seam::graph_text::graph;

    use super::*;

    fn purposes(lines: &str, texts: &[(&str, &str)]) -> Vec<Option<String>> {
        let graph = graph(lines);
        let read = |path: &str| {
            let known = texts.iter().find(|(known, _)| *known == path);
            known.map(|(_, text)| (*text).to_owned())
        };
        let modules = ModuleGraph::of(&graph);
        let purposes = Purposes::of(&graph, &modules, &read);
        modules
            .modules()
            .iter()
            .map(|module| purposes.purpose(module).map(|purpose| purpose.text))
            .collect()
    }

    #[test]
    fn l1_a_purpose_is_the_first_sentence_of_the_documentation_or_of_the_readme() {
        let lines = r#"file a/README.md markdown module=a/README.md
            sym a/README.md.A section
            file a/__init__.py python module=a
            file a/b.py python module=a.b
            file a/c.py python module=a.c doc="Cuts things. And more."
            sym a.c.f function
            file c/README.md markdown module=c/README.md
            file c/x.c c module=c/x
            sym c/x::f function
            file c/x.h c module=c/x
            file c/y.c c module=c/y
            sym c/y::f function
            file crate/README.md markdown module=crate/README.md
            file crate/src/lib.rs rust module=krate
            sym krate::f function"#;
        let texts = [
            (
                "a/README.md",
                "# The A\n\n[![build](x)](y)\n\nMakes **things** of [wood](w), e.g. chairs. More.\n",
            ),
            ("c/README.md", "All of C."),
            ("crate/README.md", "The crate\n=========\n\n.. image:: x\n"),
        ];
        let found = purposes(lines, &texts);
        let expected = [
            // Two modules share a directory, so that its README speaks of neither.
            Some("Makes things of wood, e.g. chairs."),
            None,
            Some("Cuts things."),
            None,
            None,
            Some("The crate"),
        ];
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn l1_a_purpose_is_not_who_may_copy() {
        let lines = r#"file a.c c module=a doc="Copyright (c) 1999 Somebody."
            sym a::f function"#;
        assert_eq!(purposes(lines, &[]), [None]);
    }

    #[test]
    fn l1_a_purpose_is_cut_between_characters() {
        let doc = "😀 word ".repeat(100);
        let lines = format!("file a.py python module=a doc=\"{doc}\"\nsym a.f function");
        let found = purposes(&lines, &[]).remove(0).expect("there is one");
        assert!(found.chars().count() <= MAX_CHARS, "{found}");
    }

    #[test]
    fn l1_a_module_that_says_nothing_is_described_by_its_package_file_or_its_main_definition() {
        let lines = r#"file Cargo.toml toml module=Cargo.toml
            file src/lib.rs rust module=krate doc="&nbsp;"
            file src/ring.rs rust module=krate::ring
            sym krate::ring::helper function doc="Helps."
            sym krate::ring::Other struct doc="Another thing."
            sym krate::ring::Ring struct doc="A ring of things. It is round."
            file src/sum.rs rust module=krate::sum
            sym krate::sum::add function doc="add adds two numbers."
            file src/none.rs rust module=krate::none
            sym krate::none::f function"#;
        let texts = [(
            "Cargo.toml",
            "[package]\nname = 'krate'\ndescription = 'Rings and sums. More.'",
        )];
        let expected = [
            Some("Rings and sums."),
            None,
            Some("Ring: A ring of things."),
            Some("add adds two numbers."),
        ];
        assert_eq!(purposes(lines, &texts), expected.map(|text| text.map(str::to_owned)));
    }
}
