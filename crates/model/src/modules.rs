//! `ModuleGraph`: the modules of a code graph, the dependencies between them, and the cycles in the dependencies.
//!
//! A module is the unit of its language, so several files can share one. Files of a language without modules are
//! grouped by directory. Files of data are not modules of code.
//!
//! A module depends on the modules that its source names, and on the module that an import names, also if that module
//! only re-exports the name. These edges are not dependencies: the declaration of a module's own part, and a value
//! that reaches the module, such as a class that it instantiates or an object whose methods it calls.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::{CodeGraph, Edge, EdgeKind, EdgeTarget, File, FileId, Modifier, Resolution, Symbol, SymbolId, SymbolKind};

/// The lowest resolution of an edge that counts as a dependency by default.
pub const SURE_DEPENDENCY: f32 = 0.9;

const KINDS: usize = EdgeKind::ALL.len();

/// One module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The name in the source, or the path of the directory.
    pub name: String,
    /// The symbol of the module; `None` for a directory.
    pub symbol: Option<SymbolId>,
    /// Its files, in path order.
    pub files: Vec<FileId>,
    /// The path of the module's file if it has one, otherwise of the directory of all its files; `.` is the root.
    pub path: String,
    /// Lines with code on them.
    pub loc: u64,
    /// Whether all files of the module are tests.
    pub is_test: bool,
}

/// One dependency between two modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleDependency {
    /// The module that depends.
    pub from: usize,
    /// The module that it depends on.
    pub to: usize,
    /// The highest resolution of the edges of the dependency.
    pub resolution: Resolution,
    /// Whether the source names the other module. If not, only values reach it.
    pub named: bool,
    counts: [u32; KINDS],
}

impl ModuleDependency {
    /// The number of edges of a kind in the dependency.
    pub fn count(&self, kind: EdgeKind) -> u32 {
        self.counts[kind as usize]
    }

    /// The kinds of the dependency's edges with the number of each.
    pub fn counts(&self) -> impl Iterator<Item = (EdgeKind, u32)> + '_ {
        let kinds = EdgeKind::ALL.iter().map(|kind| (*kind, self.count(*kind)));
        kinds.filter(|(_, count)| *count > 0)
    }
}

/// The modules of a code graph and their dependencies.
#[derive(Clone, Debug, Default)]
pub struct ModuleGraph {
    modules: Vec<Module>,
    /// The module of each file.
    of_file: Vec<Option<u32>>,
    dependencies: Vec<ModuleDependency>,
}

impl ModuleGraph {
    /// The modules, and the named dependencies with at least [`SURE_DEPENDENCY`].
    pub fn of(graph: &CodeGraph) -> Self {
        let mut found = Self::with_confidence(graph, SURE_DEPENDENCY);
        found.dependencies.retain(|row| row.named);
        found
    }

    /// The modules, and the dependencies with at least a given resolution, named or not.
    pub fn with_confidence(graph: &CodeGraph, min_confidence: f32) -> Self {
        let (modules, of_file) = modules(graph);
        let mut found = Self {
            modules,
            of_file,
            dependencies: Vec::new(),
        };
        found.dependencies = found.find_dependencies(graph, min_confidence);
        found
    }

    /// The modules, by name, then by path.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The number of a file's module; `None` if the file is not code.
    pub fn module_of(&self, file: FileId) -> Option<usize> {
        let module = self.of_file.get(file.0 as usize).copied().flatten();
        module.map(|module| module as usize)
    }

    /// The dependencies, ordered by the dependent module, then by the other.
    pub fn dependencies(&self) -> &[ModuleDependency] {
        &self.dependencies
    }

    /// For each module, the modules that it depends on, in order.
    pub fn next(&self) -> Vec<Vec<usize>> {
        let mut next = vec![Vec::new(); self.modules.len()];
        for row in &self.dependencies {
            next[row.from].push(row.to);
        }
        next
    }

    /// The strongly connected components; most have one module. A component comes after the components that it
    /// depends on.
    pub fn components(&self) -> Vec<Vec<usize>> {
        components(&self.next())
    }

    /// The components of more than one module: the largest first, then by their members.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        cycles(&self.next())
    }

    /// A shortest cycle among the members of a component, beginning with its first module; empty if there is none.
    pub fn shortest_cycle(&self, within: &[usize]) -> Vec<usize> {
        shortest_cycle(&self.next(), within)
    }

    fn find_dependencies(&self, graph: &CodeGraph, min_confidence: f32) -> Vec<ModuleDependency> {
        let declared = Self::declarations(graph);
        let mut found: HashMap<(u32, u32), ([u32; KINDS], Resolution, bool)> = HashMap::new();
        let of = |file: FileId| self.of_file.get(file.0 as usize).copied().flatten();
        for edge in graph.edges() {
            let (kind, resolution) = (edge.kind(), edge.resolution());
            if kind == EdgeKind::Tests || resolution.confidence() < min_confidence {
                continue;
            }
            let EdgeTarget::Symbol(target) = edge.target() else {
                continue;
            };
            let file = edge.file_id();
            let (Some(from), Some(to)) = (of(file), of(target.file_id())) else {
                continue;
            };
            if from == to || target.is_local() {
                continue;
            }
            if kind == EdgeKind::Import && target.kind() == SymbolKind::Module {
                let lines = declared.get(&file).map_or(&[][..], Vec::as_slice);
                if !lines.is_empty() && edge.lines().all(|line| lines.binary_search(&line).is_ok()) {
                    continue;
                }
            }
            let row = found.entry((from, to)).or_insert(([0; KINDS], resolution, false));
            row.0[kind as usize] += 1;
            row.1 = row.1.min(resolution);
            row.2 |= names_its_target(edge);
        }
        let mut rows: Vec<ModuleDependency> = found
            .into_iter()
            .map(|((from, to), (counts, resolution, named))| ModuleDependency {
                from: from as usize,
                to: to as usize,
                resolution,
                named,
                counts,
            })
            .collect();
        rows.sort_unstable_by_key(|row| (row.from, row.to));
        rows
    }

    /// By file: the lines on which it declares other modules as parts of its module.
    fn declarations(graph: &CodeGraph) -> HashMap<FileId, Vec<u32>> {
        let mut lines: HashMap<FileId, Vec<u32>> = HashMap::new();
        for file in graph.files() {
            for import in file.imports().filter(|import| import.declares) {
                lines.entry(file.id()).or_default().push(import.line);
            }
        }
        lines.values_mut().for_each(|lines| lines.sort_unstable());
        lines
    }
}

/// Whether the source of an edge names its target. If not, a value reached the source, or the source has the methods
/// of an interface by chance.
pub fn names_its_target(edge: Edge<'_>) -> bool {
    let is_exact = edge.resolution() == Resolution::Exact;
    match edge.kind() {
        EdgeKind::Import | EdgeKind::Extends | EdgeKind::References => true,
        // A field is read and written through a value.
        EdgeKind::Reads | EdgeKind::Writes => edge
            .target()
            .symbol()
            .is_none_or(|target| target.kind() != SymbolKind::Field),
        EdgeKind::Implements => is_exact,
        EdgeKind::Call => {
            is_exact
                && edge
                    .target()
                    .symbol()
                    .is_none_or(|target| !is_called_on_a_value(target))
        }
        EdgeKind::Instantiates | EdgeKind::Overrides | EdgeKind::Tests => false,
    }
}

fn is_called_on_a_value(symbol: Symbol<'_>) -> bool {
    let modifiers = symbol.modifiers();
    let of_type = modifiers.contains(Modifier::Static) || modifiers.contains(Modifier::Classmethod);
    symbol.kind() == SymbolKind::Method && !of_type
}

/// The properties of the files of a module together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit<'a> {
    Symbol(u32),
    Directory(&'a str),
}

fn modules(graph: &CodeGraph) -> (Vec<Module>, Vec<Option<u32>>) {
    let data = DataLanguages::of(graph);
    let mut numbers: HashMap<Unit<'_>, usize> = HashMap::new();
    let mut groups: Vec<Vec<FileId>> = Vec::new();
    for file in graph.files() {
        if data.is_data(file.language()) {
            continue;
        }
        let unit = match file.module() {
            Some(module) => Unit::Symbol(module.id().0),
            None => Unit::Directory(directory(file.path())),
        };
        let number = *numbers.entry(unit).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(file.id());
    }
    let mut found: Vec<Module> = groups.into_iter().map(|files| module(graph, files)).collect();
    found.sort_by(|left, right| left.name.cmp(&right.name).then_with(|| left.path.cmp(&right.path)));
    let mut of_file = vec![None; graph.file_count()];
    for (number, module) in (0u32..).zip(&found) {
        for file in &module.files {
            of_file[file.0 as usize] = Some(number);
        }
    }
    (found, of_file)
}

fn module(graph: &CodeGraph, files: Vec<FileId>) -> Module {
    let first = files.first().map(|file| graph.file(*file));
    let symbol = first.and_then(File::module);
    let path = match (first, files.as_slice()) {
        (Some(first), [_]) => first.path().to_owned(),
        (Some(first), _) => {
            let mut common = directory(first.path());
            for file in &files {
                while !is_below(graph.file(*file).path(), common) {
                    common = directory(common);
                }
            }
            common.to_owned()
        }
        (None, _) => String::new(),
    };
    Module {
        name: match (symbol, first) {
            (Some(symbol), _) => symbol.plain_name().into_owned(),
            (None, Some(first)) => directory(first.path()).to_owned(),
            (None, None) => String::new(),
        },
        symbol: symbol.map(|symbol| symbol.id()),
        path,
        loc: files
            .iter()
            .map(|file| u64::from(graph.file(*file).lines().code.get()))
            .sum(),
        is_test: files.iter().all(|file| graph.file(*file).is_test()),
        files,
    }
}

/// The directory of a path; `.` at the root.
fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

fn is_below(path: &str, directory: &str) -> bool {
    directory == "." || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// The data languages of a tree. Their symbols are sections, keys, blocks, selectors and targets; they have no code
/// and no types.
///
/// One file can be empty or hold only constants, so all files of a language decide together.
#[derive(Clone, Debug, Default)]
pub struct DataLanguages<'a> {
    languages: BTreeMap<&'a str, LanguageSymbols>,
}

/// Properties of the symbols of a language.
#[derive(Clone, Copy, Debug)]
struct LanguageSymbols {
    has_code: bool,
    has_data: bool,
    /// Whether the name of every module is the name of its file with the extension.
    named_by_path: bool,
}

impl<'a> DataLanguages<'a> {
    /// The languages of a graph.
    pub fn of(graph: &'a CodeGraph) -> Self {
        let mut found = Self::default();
        for file in graph.files() {
            let language = file.language();
            let is_named = file.module().is_some_and(|module| module.plain_name() == file.path());
            if !found.file(language, is_named).has_code {
                file.symbols().for_each(|symbol| found.symbol(language, symbol.kind()));
            }
        }
        found
    }

    /// Adds a file. `named_by_path` says whether the name of its module is its path.
    pub fn add_file(&mut self, language: &'a str, named_by_path: bool) {
        self.file(language, named_by_path);
    }

    fn file(&mut self, language: &'a str, named_by_path: bool) -> LanguageSymbols {
        let row = self.languages.entry(language).or_insert(LanguageSymbols {
            has_code: false,
            has_data: false,
            named_by_path: true,
        });
        row.named_by_path &= named_by_path;
        *row
    }

    /// Adds a symbol of a file that was added before.
    pub fn symbol(&mut self, language: &str, kind: SymbolKind) {
        let Some(row) = self.languages.get_mut(language) else {
            return;
        };
        match kind {
            SymbolKind::Section | SymbolKind::Key | SymbolKind::Target | SymbolKind::Block | SymbolKind::Selector => {
                row.has_data = true
            }
            // Files of both kinds contain these.
            SymbolKind::Module | SymbolKind::Constant | SymbolKind::Static | SymbolKind::Macro | SymbolKind::Test => {}
            _ => row.has_code = true,
        }
    }

    /// Whether a language is a data language.
    pub fn is_data(&self, language: &str) -> bool {
        let row = self.languages.get(language);
        row.is_some_and(|row| !row.has_code && (row.has_data || row.named_by_path))
    }
}

/// The strongly connected components of more than one node: the largest first, then by their members.
pub fn cycles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut groups = components(next);
    groups.retain(|group| group.len() > 1);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
    groups
}

/// The strongly connected components of a graph, by Tarjan's algorithm with an explicit stack.
pub fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; next.len()];
    let mut lowest = vec![0; next.len()];
    let mut open = vec![false; next.len()];
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..next.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if order[root] == UNSEEN {
            path.push((root, 0));
        }
        while let Some((node, at)) = path.pop() {
            if at == 0 {
                order[node] = count;
                lowest[node] = count;
                count += 1;
                open[node] = true;
                stack.push(node);
            } else {
                let child = next[node][at - 1];
                lowest[node] = lowest[node].min(lowest[child]);
            }
            let rest = next[node].iter().enumerate().skip(at);
            let mut deeper = None;
            for (at, child) in rest {
                if order[*child] == UNSEEN {
                    deeper = Some((at, *child));
                    break;
                }
                if open[*child] {
                    lowest[node] = lowest[node].min(order[*child]);
                }
            }
            match deeper {
                Some((at, child)) => {
                    path.push((node, at + 1));
                    path.push((child, 0));
                }
                None if lowest[node] == order[node] => {
                    let mut group = Vec::new();
                    while let Some(member) = stack.pop() {
                        open[member] = false;
                        group.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.push(group);
                }
                None => {}
            }
        }
    }
    found
}

/// A shortest cycle of at least two nodes among those of a component, beginning with its smallest node; empty if
/// there is none. Of several it is the one with the smallest such node.
pub fn shortest_cycle(next: &[Vec<usize>], within: &[usize]) -> Vec<usize> {
    const OUTSIDE: usize = usize::MAX;
    const UNSEEN: usize = usize::MAX - 1;
    let mut before = vec![OUTSIDE; next.len()];
    let mut members: Vec<usize> = within.iter().copied().filter(|node| *node < next.len()).collect();
    members.sort_unstable();
    members.dedup();
    let mut best: Vec<usize> = Vec::new();
    for root in &members {
        members.iter().for_each(|node| before[*node] = UNSEEN);
        before[*root] = *root;
        let mut queue = VecDeque::from([(*root, 1)]);
        while let Some((node, length)) = queue.pop_front() {
            if !best.is_empty() && length >= best.len() {
                break;
            }
            if node != *root && next[node].contains(root) {
                let mut cycle = vec![node];
                let mut at = node;
                while at != *root {
                    at = before[at];
                    cycle.push(at);
                }
                cycle.reverse();
                best = cycle;
                break;
            }
            for child in &next[node] {
                if before.get(*child) == Some(&UNSEEN) {
                    before[*child] = node;
                    queue.push_back((*child, length + 1));
                }
            }
        }
        if best.len() == 2 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{ContentHash, EdgeRow, FileRow, Import, ImportFlags, NONE, SnapshotBuilder, SymbolRow, Text};

    /// A graph from lines: `file PATH LANGUAGE [MODULE] [test]`, `symbol NAME KIND` of the last file, `declare LINE` (a part of the last file's
    /// module), and `edge FROM KIND TO [RESOLUTION] [LINE]`.
    fn graph(lines: &str) -> CodeGraph {
        let mut builder = SnapshotBuilder::new(1, 0, ContentHash::default());
        let mut symbols: Vec<String> = Vec::new();
        let mut languages: Vec<&str> = Vec::new();
        let mut edges = Vec::new();
        let mut push = |builder: &mut SnapshotBuilder, name: &str, kind: SymbolKind| {
            let text = builder.text.push(name);
            builder.push_symbol(&SymbolRow {
                name: text,
                qualified: text,
                kind: kind as u8,
                file: builder.files.len() as u32 - 1,
                parent: NONE,
                ..SymbolRow::default()
            });
            symbols.push(name.to_owned());
            symbols.len() as u32 - 1
        };
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["file", path, language, rest @ ..] => {
                    let at = languages.iter().position(|known| known == language).unwrap_or_else(|| {
                        languages.push(language);
                        let text = builder.text.push(language);
                        builder.languages.push(text);
                        languages.len() - 1
                    });
                    let path = builder.text.push(path);
                    builder.files.push(FileRow {
                        path,
                        language: (at as u32).into(),
                        module: NONE.into(),
                        first_symbol: builder.symbol_count().into(),
                        first_import: (builder.imports.len() as u32).into(),
                        is_test: u8::from(rest.contains(&"test")),
                        lines: crate::LineCounts {
                            code: 10.into(),
                            ..crate::LineCounts::default()
                        },
                        ..FileRow::default()
                    });
                    if let Some(module) = rest.first().filter(|word| **word != "-") {
                        let is_it = |id: &u32| {
                            let mut name = Vec::new();
                            builder.write_qualified_name(SymbolId(*id), &mut name);
                            name == module.as_bytes()
                        };
                        let known = (0..builder.symbol_count()).find(is_it);
                        let id = known.unwrap_or_else(|| push(&mut builder, module, SymbolKind::Module));
                        builder.files.last_mut().expect("it was pushed").module = id.into();
                    }
                }
                ["symbol", name, kind] => {
                    push(&mut builder, name, SymbolKind::from_name(kind).expect("a kind"));
                }
                ["declare", line] => builder.imports.push(Import {
                    module: Text::default(),
                    name: Text::default(),
                    local: Text::default(),
                    handed_on: Text::default(),
                    line: line.parse::<u32>().expect("a line").into(),
                    scope: NONE.into(),
                    flags: ImportFlags::MODULE,
                    padding: [0; 3],
                }),
                ["edge", from, kind, to, rest @ ..] => edges.push((
                    (*from).to_owned(),
                    EdgeKind::from_name(kind).expect("a kind"),
                    (*to).to_owned(),
                    rest.first()
                        .map_or(Resolution::Exact, |name| Resolution::from_name(name).expect("one")),
                    rest.get(1).map_or(1, |line| line.parse::<u32>().expect("a line")),
                )),
                words => panic!("{words:?}"),
            }
        }
        let id = |name: &str| symbols.iter().position(|known| known == name).map(|at| at as u32);
        let external = builder.text.push("outside");
        builder.externals.push(external);
        for (number, (from, kind, to, resolution, line)) in edges.iter().enumerate() {
            builder.edges.push(EdgeRow {
                source: id(from).expect(from).into(),
                kind: *kind as u8,
                is_external: u8::from(id(to).is_none()),
                resolution: *resolution as u8,
                marks: 0,
                target: id(to).unwrap_or(0).into(),
                file: builder.file_of(id(from).expect(from)).into(),
                lines: (number as u32).into(),
                line_count: 1.into(),
            });
            builder.edge_lines.push((*line).into());
        }
        builder.edges.sort_unstable();
        CodeGraph::open(Arc::new(builder.finish().to_bytes())).expect("it is a snapshot")
    }

    fn shown(graph: &ModuleGraph) -> Vec<String> {
        let name = |at: usize| graph.modules()[at].name.as_str();
        graph
            .dependencies()
            .iter()
            .map(|row| {
                let counts: Vec<String> = row.counts().map(|(kind, count)| format!("{count} {kind}")).collect();
                format!(
                    "{} -> {} {} {}",
                    name(row.from),
                    name(row.to),
                    row.resolution,
                    counts.join(", ")
                )
            })
            .collect()
    }

    #[test]
    fn a_module_may_have_several_files() {
        let graph = graph(
            "file a/one.go go pkg/a
             symbol pkg/a.F function
             file a/sub/two.go go pkg/a
             file b/x.zz zz - test
             symbol G function
             file c.zz zz -",
        );
        let modules = ModuleGraph::of(&graph);
        let found: Vec<(&str, &str, usize, u64, bool)> = modules
            .modules()
            .iter()
            .map(|row| {
                (
                    row.name.as_str(),
                    row.path.as_str(),
                    row.files.len(),
                    row.loc,
                    row.is_test,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (".", "c.zz", 1, 10, false),
                ("b", "b/x.zz", 1, 10, true),
                ("pkg/a", "a", 2, 20, false)
            ]
        );
        assert_eq!(modules.module_of(FileId(1)), Some(2));
        assert_eq!(modules.modules()[0].symbol, None);
    }

    #[test]
    fn files_of_data_are_no_modules_of_code() {
        let graph = graph(
            "file README.md markdown README.md
             symbol Title section
             file a/__init__.py python a
             file c.py python c
             symbol c.LIMIT constant
             file empty.json json empty.json
             file main.css css main.css
             symbol --colour constant
             symbol .button selector
             file notes.md markdown notes.md",
        );
        let modules = ModuleGraph::of(&graph);
        let names: Vec<&str> = modules.modules().iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["a", "c"]);
        assert_eq!(modules.module_of(FileId(0)), None);
    }

    #[test]
    fn dependencies_come_from_edges_that_are_sure() {
        let lines = "file a.py python a
             symbol a.f function
             symbol a.A class
             file b.py python b
             symbol b.g function
             symbol b.h function
             file c.py python c
             symbol c.k function
             edge a import b
             edge a.f call b.g typed
             edge a.f call b.h
             edge a.f call a
             edge a.f call outside
             edge b.g call c.k name
             edge c.k tests a.f
             edge b instantiates a.A
             edge c.k call b.g typed";
        let graph = graph(lines);
        assert_eq!(shown(&ModuleGraph::of(&graph)), ["a -> b exact 2 call, 1 import"]);
        assert_eq!(
            shown(&ModuleGraph::with_confidence(&graph, 0.0)),
            [
                "a -> b exact 2 call, 1 import",
                "b -> a exact 1 instantiates",
                "b -> c name 1 call",
                "c -> b typed 1 call"
            ]
        );
    }

    #[test]
    fn to_have_a_value_or_what_an_interface_asks_for_is_no_dependency() {
        let graph = graph(
            "file a.go go a
             symbol a.Store struct
             file b.go go b
             symbol b.Keeper interface
             file c.java java c
             symbol c.List class
             symbol b.Keeper.keep method
             symbol b.open function
             file d.rs rust d
             symbol d.run function
             edge d.run call b.Keeper.keep exact
             edge a.Store implements b.Keeper typed
             edge c.List implements b.Keeper exact",
        );
        assert_eq!(shown(&ModuleGraph::of(&graph)), ["c -> b exact 1 implements"]);
    }

    #[test]
    fn a_part_is_no_dependency() {
        let graph = graph(
            "file lib.rs rust app
             declare 1
             file store.rs rust app::store
             symbol app::store::open function
             file web.rs rust app::web
             edge app import app::store exact 1
             edge app import app::web exact 2
             edge app::store import app exact 1",
        );
        let modules = ModuleGraph::of(&graph);
        assert_eq!(
            shown(&modules),
            ["app -> app::web exact 1 import", "app::store -> app exact 1 import"]
        );
        assert!(modules.cycles().is_empty());
    }

    #[test]
    fn circles_are_found_and_named() {
        let graph = graph(
            "file a.py python a
             symbol a.f function
             file b.py python b
             file c.py python c
             file d.py python d
             file e.py python e
             edge a import b
             edge b import c
             edge c import d
             edge d import a
             edge c import a
             edge d import e",
        );
        let modules = ModuleGraph::of(&graph);
        assert_eq!(modules.cycles(), [vec![0, 1, 2, 3]]);
        assert_eq!(modules.shortest_cycle(&[0, 1, 2, 3]), [0, 1, 2]);
        assert_eq!(modules.components().len(), 2);
        assert!(modules.shortest_cycle(&[4]).is_empty());
    }

    #[test]
    fn of_several_circles_the_shortest_is_named() {
        let next = vec![vec![1], vec![2], vec![3, 0], vec![2], vec![4]];
        assert_eq!(cycles(&next), [vec![0, 1, 2, 3]]);
        assert_eq!(shortest_cycle(&next, &[3, 2, 1, 0]), [2, 3]);
        assert!(shortest_cycle(&next, &[4, 9]).is_empty());
    }

    #[test]
    fn long_chains_do_not_nest() {
        let next: Vec<Vec<usize>> = (0..200_000).map(|at| vec![(at + 1) % 200_000]).collect();
        assert_eq!(components(&next).len(), 1);
    }
}
