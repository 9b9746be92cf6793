//! `Inventory`: the modules, symbols, calls and dependencies of a tree, for comparisons and checks. It comes from a graph or from the layers of a bundle.
//!
//! Names are plain, as the source has them: definitions of one name are a multiset, not numbered. Symbols of files of data are not part of it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use lore_model::{CodeGraph, EdgeKind, EdgeTarget, FileId, ModuleGraph, Resolution, Symbol, SymbolKind, Visibility};

/// What is between the parts of a name, in any language.
pub const SEPARATORS: [char; 4] = ['.', ':', '/', '\\'];

/// The parts of a tree that are compared and checked.
pub struct Inventory<'a> {
    /// Which tree it is, as a diff names it.
    pub name: String,
    /// The modules, by name, then by path.
    pub modules: Vec<ModuleEntry<'a>>,
    /// The symbols, in source order.
    pub symbols: Vec<SymbolEntry<'a>>,
    /// The names of what is called outside.
    pub externals: Vec<Cow<'a, str>>,
    /// Which module depends on which, in order.
    pub dependencies: Vec<(u32, u32)>,
    /// Who calls or instantiates what, by caller.
    pub calls: Vec<CallEntry>,
    pub(super) source: Source<'a>,
    /// By module: the names of others that it re-exports.
    pub(super) handed_on: BTreeMap<u32, HandedOn<'a>>,
    /// By module: the modules of which it re-exports all names.
    pub(super) handed_on_whole: BTreeMap<u32, BTreeSet<u32>>,
}

/// One module.
#[derive(Clone, Debug)]
pub struct ModuleEntry<'a> {
    pub name: Cow<'a, str>,
    /// Its file, or the directory of its files.
    pub path: Cow<'a, str>,
    pub files: Vec<Cow<'a, str>>,
    /// What it is for: the first sentence of its documentation.
    pub purpose: String,
    /// A digest of its content, if it has any.
    pub content: Option<u64>,
    /// Whether all of its files are tests.
    pub is_test: bool,
}

/// One symbol.
#[derive(Clone, Debug)]
pub struct SymbolEntry<'a> {
    /// The bare name.
    pub name: Cow<'a, str>,
    /// The qualified name without numbers.
    pub qualified: Cow<'a, str>,
    /// What it is.
    pub kind: SymbolKind,
    /// Its declaration.
    pub signature: Cow<'a, str>,
    /// Its file.
    pub path: Cow<'a, str>,
    /// The line of its name.
    pub line: u32,
    pub module: Option<u32>,
    /// The symbol that holds it, if that is not a module.
    pub parent: Option<u32>,
    /// 1 + decision points, for what has a body that runs.
    pub complexity: Option<u32>,
    /// Who may use it.
    pub visibility: Visibility,
    /// Whether it takes part in comparisons: it has a name, is in no function, and is not a module by itself.
    pub compared: bool,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CalleeEntry {
    Symbol(u32),
    /// Something outside, by its number among the externals.
    External(u32),
}

/// One symbol calls or instantiates something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CallEntry {
    /// Who calls.
    pub from: u32,
    /// What is called.
    pub to: CalleeEntry,
    /// How that is known.
    pub resolution: Resolution,
    /// The number of the file of the line in its snapshot, if there is one.
    pub file: Option<u32>,
    /// The first line that says so; 0 if it is not known.
    pub line: u32,
}

/// A place that makes one module depend on another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependencySite {
    /// The file.
    pub path: String,
    pub line: u32,
    /// What is there.
    pub what: String,
}

/// Names that a module re-exports, each with the file and the line that does it; the line is 0 if that is not known.
pub(super) type HandedOn<'a> = BTreeMap<Cow<'a, str>, (Cow<'a, str>, u32)>;

/// Reads the content of a file, if it can.
pub(super) type Read<'a> = Box<dyn Fn(&str) -> Option<Vec<u8>> + 'a>;

/// Where texts come from.
pub(super) enum Source<'a> {
    /// From the files of a graph.
    Files { graph: &'a CodeGraph, read: Read<'a> },
    /// From what a bundle holds of them, by symbol.
    Snippets(BTreeMap<u32, String>),
}

impl<'a> Inventory<'a> {
    /// The inventory of a graph whose files can be read.
    pub fn of_graph(
        name: impl Into<String>,
        graph: &'a CodeGraph,
        read: impl Fn(&str) -> Option<Vec<u8>> + 'a,
    ) -> Self {
        let modules = ModuleGraph::of(graph);
        let dependencies = modules.dependencies().iter();
        let mut found = Self {
            name: name.into(),
            modules: module_entries(graph, &modules),
            symbols: symbol_entries(graph, &modules),
            externals: Vec::new(),
            dependencies: dependencies.map(|row| (row.from as u32, row.to as u32)).collect(),
            calls: Vec::new(),
            source: Source::Files {
                graph,
                read: Box::new(read),
            },
            handed_on: BTreeMap::new(),
            handed_on_whole: BTreeMap::new(),
        };
        found.take_calls(graph);
        found.take_handed_on(graph, &modules);
        found
    }

    /// Whether the text of every symbol can be had.
    pub fn has_source(&self) -> bool {
        matches!(self.source, Source::Files { .. })
    }

    /// Hands over the texts of symbols, of those that have one, in order. A file is read once.
    pub(super) fn texts(&self, wanted: &BTreeSet<u32>, mut take: impl FnMut(u32, &str)) {
        match &self.source {
            Source::Snippets(snippets) => {
                for symbol in wanted {
                    if let Some(text) = snippets.get(symbol) {
                        take(*symbol, text);
                    }
                }
            }
            Source::Files { graph, read } => {
                // Symbols are in the order of their files.
                let mut content: (Option<FileId>, Vec<u8>) = (None, Vec::new());
                for number in wanted {
                    let symbol = graph.symbol(lore_model::SymbolId(*number));
                    if content.0 != Some(symbol.file_id()) {
                        let bytes = read(symbol.file().path()).unwrap_or_default();
                        content = (Some(symbol.file_id()), bytes);
                    }
                    let place = symbol.place();
                    let range = place.start_byte.get() as usize..place.end_byte.get() as usize;
                    if let Some(text) = content.1.get(range).filter(|text| !text.is_empty()) {
                        take(*number, &String::from_utf8_lossy(text));
                    }
                }
            }
        }
    }

    /// The text of all files of a module; nothing where files cannot be read.
    pub(super) fn module_text(&self, module: u32) -> Option<String> {
        let Source::Files { read, .. } = &self.source else {
            return None;
        };
        let mut text = String::new();
        for path in &self.modules.get(module as usize)?.files {
            text.push_str(&String::from_utf8_lossy(&read(path)?));
            text.push('\n');
        }
        Some(text)
    }

    /// The calls of a symbol.
    pub fn calls_of(&self, symbol: u32) -> &[CallEntry] {
        let start = self.calls.partition_point(|call| call.from < symbol);
        let end = self.calls.partition_point(|call| call.from <= symbol);
        self.calls.get(start..end).unwrap_or(&[])
    }

    /// The name of what is called.
    pub fn callee_name(&self, callee: CalleeEntry) -> &str {
        match callee {
            CalleeEntry::Symbol(symbol) => self.symbols.get(symbol as usize).map_or("", |entry| &entry.qualified),
            CalleeEntry::External(number) => self.externals.get(number as usize).map_or("", |name| name),
        }
    }

    /// The name of a symbol's module; empty if it has none.
    pub fn module_name(&self, symbol: &SymbolEntry<'_>) -> &str {
        let module = symbol.module.and_then(|module| self.modules.get(module as usize));
        module.map_or("", |module| &module.name)
    }

    /// A symbol's name within its module.
    pub fn relative_name<'s>(&self, symbol: &'s SymbolEntry<'_>) -> &'s str {
        below(&symbol.qualified, self.module_name(symbol)).unwrap_or(&symbol.qualified)
    }

    /// The names that a module offers to others: those of its public symbols, by what leads to them, and those that it re-exports.
    pub fn exports(&self, module: u32) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![module];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            let own = self.symbols.iter().filter(|symbol| symbol.module == Some(next));
            found.extend(
                own.filter(|symbol| self.is_exported(symbol))
                    .map(|symbol| self.relative_name(symbol).to_owned()),
            );
            let handed_on = self.handed_on.get(&next).into_iter().flat_map(BTreeMap::keys);
            found.extend(handed_on.map(|name| name.to_string()));
            open.extend(self.handed_on_whole.get(&next).into_iter().flatten());
        }
        found
    }

    /// Where a module re-exports a name of another.
    pub fn handed_on_at(&self, module: u32, name: &str) -> Option<(&str, u32)> {
        let (path, line) = self.handed_on.get(&module)?.get(name)?;
        (*line > 0).then_some((path, *line))
    }

    /// Whether a symbol and all that holds it are public.
    fn is_exported(&self, symbol: &SymbolEntry<'_>) -> bool {
        if !symbol.compared {
            return false;
        }
        let mut around = Some(symbol);
        // What holds a symbol comes before it or is not a symbol of its own, so that there is no circle; the count only guards against broken layers.
        for _ in 0..64 {
            match around {
                None => return true,
                Some(entry) if entry.visibility != Visibility::Public => return false,
                Some(entry) => around = entry.parent.and_then(|parent| self.symbols.get(parent as usize)),
            }
        }
        true
    }

    /// The file with the line of a call.
    pub fn path_of(&self, call: &CallEntry) -> &str {
        match (&self.source, call.file) {
            (Source::Files { graph, .. }, Some(file)) => graph.file(FileId(file)).path(),
            _ => self.symbols.get(call.from as usize).map_or("", |symbol| &symbol.path),
        }
    }

    /// For each of these dependencies a place in the source that makes it one; an import if there is any.
    pub fn dependency_sites(&self, wanted: &BTreeSet<(u32, u32)>) -> BTreeMap<(u32, u32), DependencySite> {
        let mut found: BTreeMap<(u32, u32), (bool, DependencySite)> = BTreeMap::new();
        let Source::Files { graph, .. } = &self.source else {
            return BTreeMap::new();
        };
        if wanted.is_empty() {
            return BTreeMap::new();
        }
        let of = |symbol: Symbol<'_>| self.symbols.get(symbol.id().0 as usize).and_then(|entry| entry.module);
        for edge in graph.edges() {
            let is_sure = edge.resolution().confidence() >= lore_model::SURE_DEPENDENCY;
            if !is_sure || !lore_model::names_its_target(edge) {
                continue;
            }
            let Some(target) = edge.target().symbol() else { continue };
            let source = edge.source();
            let Some(step) = of(source).zip(of(target)).filter(|step| wanted.contains(step)) else {
                continue;
            };
            let file = edge.file();
            let is_import = edge.kind() == EdgeKind::Import;
            // That a module declares another as its part is not a reason.
            let declares = |line: u32| {
                let mut imports = file.imports();
                imports.any(|import| import.declares && import.line == line)
            };
            let Some(line) = edge.lines().find(|line| !is_import || !declares(*line)) else {
                continue;
            };
            let site = || DependencySite {
                path: file.path().to_owned(),
                line,
                what: format!("{} {} {}", source.plain_name(), verb(edge.kind()), target.plain_name()),
            };
            match found.get(&step) {
                Some((true, _)) => {}
                Some((false, _)) if !is_import => {}
                _ => drop(found.insert(step, (is_import, site()))),
            }
        }
        found.into_iter().map(|(step, (_, site))| (step, site)).collect()
    }

    fn take_calls(&mut self, graph: &'a CodeGraph) {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        for edge in graph.edges() {
            if !matches!(edge.kind(), EdgeKind::Call | EdgeKind::Instantiates) {
                continue;
            }
            let to = match edge.target() {
                EdgeTarget::Symbol(symbol) => CalleeEntry::Symbol(symbol.id().0),
                EdgeTarget::External(name) => CalleeEntry::External(*numbers.entry(name).or_insert_with(|| {
                    self.externals.push(Cow::Borrowed(name));
                    self.externals.len() as u32 - 1
                })),
            };
            self.calls.push(CallEntry {
                from: edge.source().id().0,
                to,
                resolution: edge.resolution(),
                file: Some(edge.file_id().0),
                line: edge.lines().next().unwrap_or(0),
            });
        }
        self.calls.sort_unstable();
    }

    fn take_handed_on(&mut self, graph: &'a CodeGraph, modules: &ModuleGraph) {
        for file in graph.files() {
            let Some(module) = modules.module_of(file.id()).map(|module| module as u32) else {
                continue;
            };
            // A package of Python's offers what the file of the package imports.
            let is_package = file.path().rsplit('/').next() == Some("__init__.py");
            for import in file.imports().filter(|import| import.reexport || is_package) {
                let names = [import.handed_on, import.local, import.name];
                match names.into_iter().find(|name| !name.is_empty()) {
                    Some("*") => {
                        let whole = whole_modules(file, import.line, modules);
                        self.handed_on_whole.entry(module).or_default().extend(whole);
                    }
                    Some(name) => {
                        let site = (Cow::Borrowed(file.path()), import.line);
                        let names = self.handed_on.entry(module).or_default();
                        names.entry(Cow::Borrowed(name)).or_insert(site);
                    }
                    None => {}
                }
            }
        }
    }
}

/// The modules that a line of a file imports whole.
fn whole_modules(file: lore_model::File<'_>, line: u32, modules: &ModuleGraph) -> Vec<u32> {
    let Some(module) = file.module() else {
        return Vec::new();
    };
    module
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Import && edge.file_id() == file.id())
        .filter(|edge| edge.lines().any(|at| at == line))
        .filter_map(|edge| modules.module_of(edge.target().symbol()?.file_id()))
        .map(|module| module as u32)
        .collect()
}

/// What an edge says, as a word between two names.
fn verb(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Call => "calls",
        EdgeKind::Extends => "extends",
        EdgeKind::Implements => "implements",
        EdgeKind::Overrides => "overrides",
        EdgeKind::Import => "imports",
        EdgeKind::Instantiates => "instantiates",
        EdgeKind::References => "refers to",
        EdgeKind::Reads => "reads",
        EdgeKind::Tests => "tests",
        EdgeKind::Writes => "writes",
    }
}

/// What follows a name and a separator.
pub(super) fn below<'s>(name: &'s str, owner: &str) -> Option<&'s str> {
    let rest = name.strip_prefix(owner)?;
    let inner = rest.trim_start_matches(SEPARATORS);
    (!owner.is_empty() && inner.len() < rest.len() && !inner.is_empty()).then_some(inner)
}

fn module_entries<'a>(graph: &'a CodeGraph, modules: &ModuleGraph) -> Vec<ModuleEntry<'a>> {
    let entry = |module: &lore_model::Module| {
        let files = module.files.iter().map(|file| graph.file(*file));
        let mut digest = super::body::Digest::default();
        let mut any = false;
        for file in files.clone() {
            any |= file.lines().code.get() > 0;
            digest.write(file.hash().to_string().as_bytes());
        }
        let purpose = module.symbol.map_or("", |symbol| graph.symbol(symbol).summary());
        ModuleEntry {
            name: Cow::Owned(module.name.clone()),
            path: Cow::Owned(module.path.clone()),
            files: files.map(|file| Cow::Borrowed(file.path())).collect(),
            purpose: lore_model::fold_whitespace(purpose),
            content: any.then(|| digest.finish()),
            is_test: module.is_test,
        }
    };
    modules.modules().iter().map(entry).collect()
}

fn symbol_entries<'a>(graph: &'a CodeGraph, modules: &ModuleGraph) -> Vec<SymbolEntry<'a>> {
    let mut is_module = vec![false; graph.symbol_count()];
    for module in graph.files().filter_map(lore_model::File::module) {
        is_module[module.id().0 as usize] = true;
    }
    let numbers: HashMap<Cow<'_, str>, u32> = graph
        .symbols()
        .map(|symbol| (symbol.qualified_name(), symbol.id().0))
        .collect();
    let mut entries: Vec<SymbolEntry<'a>> = Vec::with_capacity(graph.symbol_count());
    for file in graph.files() {
        let module = modules.module_of(file.id()).map(|module| module as u32);
        for symbol in file.symbols() {
            let number = symbol.id().0 as usize;
            let by_name = owner_name(&symbol.qualified_name(), symbol.name()).and_then(|owner| numbers.get(owner));
            let parent = by_name
                .copied()
                .or_else(|| symbol.parent().map(|parent| parent.id().0))
                .filter(|parent| *parent as usize != number && !is_module[*parent as usize]);
            entries.push(SymbolEntry {
                name: Cow::Borrowed(symbol.name()),
                qualified: symbol.plain_name(),
                kind: symbol.kind(),
                signature: Cow::Borrowed(symbol.signature()),
                path: Cow::Borrowed(file.path()),
                line: symbol.place().line.get(),
                module,
                parent,
                complexity: symbol.complexity(),
                visibility: symbol.visibility(),
                compared: module.is_some()
                    && !is_module[number]
                    && !symbol.is_anonymous()
                    && !symbol.is_local()
                    && !symbol.name().is_empty(),
            });
        }
    }
    leave_out_inner(&mut entries);
    entries
}

/// Leaves out of comparisons what is inside something that is left out, or inside a function.
pub(super) fn leave_out_inner(entries: &mut [SymbolEntry<'_>]) {
    for number in 0..entries.len() {
        let mut around = entries[number].parent;
        // As for exports, the count only guards against broken layers.
        for _ in 0..64 {
            let Some(parent) = around.and_then(|parent| entries.get(parent as usize)) else {
                break;
            };
            if !parent.compared || parent.kind.is_callable() {
                entries[number].compared = false;
                break;
            }
            around = parent.parent;
        }
    }
}

/// The qualified name of what holds a symbol, by its own two names.
pub(super) fn owner_name<'s>(qualified: &'s str, name: &str) -> Option<&'s str> {
    let unnumbered = match qualified.rsplit_once('#') {
        Some((plain, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() => plain,
        _ => qualified,
    };
    let owner = unnumbered.strip_suffix(name)?.trim_end_matches(SEPARATORS);
    (!owner.is_empty()).then_some(owner)
}
