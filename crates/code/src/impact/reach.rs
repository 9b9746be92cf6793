//! The search for everything that depends on a change: backwards along the edges, the likeliest path first.
//!
//! The likelihood of a path is the product of its steps; of several paths to a symbol, the most likely counts. Likelihoods are
//! whole numbers while they are multiplied, so that the answer is the same on any machine.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use lore_model::{CodeGraph, EdgeKind, File, Symbol, SymbolId, SymbolKind};

use crate::dead::registers;
use crate::target::split_list;

/// The likelihood of what is certain.
pub(crate) const CERTAIN: u64 = 1_000_000;
/// A caller may run an overriding method instead of the method that it calls.
const DISPATCH: u64 = 700_000;
/// A type that a symbol names or extends has changed.
const TYPE: u64 = 600_000;
/// An unresolved call has the name of the symbol.
const NAME: u64 = 300_000;
/// Code that creates instances of a class may call any of its members.
const MEMBER: u64 = 300_000;
/// A changed module affects the modules that import it.
const IMPORT: u64 = 500_000;
/// A module whose top level runs changed code runs it in every module that imports it.
const LOAD: u64 = 850_000;
/// The top level of a test's module or class runs affected code, or code that runs before each test does.
const SETUP: u64 = 950_000;
/// The file of a test is affected, but loading it does not run affected code.
const TEST_FILE: u64 = 900_000;
/// A test file imports an affected module.
const IMPORTED_BY_TEST: u64 = 750_000;
/// A test file imports an affected definition, whatever it does with it.
const IMPORTED_NAME: u64 = 600_000;
/// A module passes a definition to a decorator that may register it.
const REGISTERED: u64 = 800_000;
/// An unresolved call whose name has more definitions than this suggests nothing.
const MAX_NAMESAKES: usize = 12;

/// The most likely path to a symbol.
pub(crate) struct Reach {
    pub(crate) likelihood: u64,
    pub(crate) distance: u32,
    pub(crate) through: Option<SymbolId>,
    pub(crate) because: &'static str,
    /// Whether loading the symbol, a module or a type, runs affected code.
    loads: bool,
}

/// One step from an affected symbol to one that depends on it.
struct Step {
    to: SymbolId,
    share: u64,
    because: &'static str,
    loads: bool,
}

impl Step {
    fn new(to: SymbolId, share: u64, because: &'static str) -> Self {
        Self {
            to,
            share,
            because,
            loads: false,
        }
    }
}

/// Everything that depends on the change, each with its most likely path.
pub(crate) fn reached(graph: &CodeGraph, changed: &BTreeSet<SymbolId>, least: u64) -> BTreeMap<SymbolId, Reach> {
    let dependents = Dependents::of(graph);
    let mut reached: BTreeMap<SymbolId, Reach> = BTreeMap::new();
    // The likeliest first; of equals, the nearest and then the one with the smallest number.
    let mut waiting: BinaryHeap<(u64, std::cmp::Reverse<(u32, SymbolId)>)> = BinaryHeap::new();
    for id in changed {
        let reach = Reach {
            likelihood: CERTAIN,
            distance: 0,
            through: None,
            because: "changed",
            loads: false,
        };
        reached.insert(*id, reach);
        waiting.push((CERTAIN, std::cmp::Reverse((0, *id))));
    }
    while let Some((likelihood, std::cmp::Reverse((distance, id)))) = waiting.pop() {
        let Some(from) = reached.get(&id).filter(|reach| reach.likelihood <= likelihood) else {
            continue;
        };
        let loads = from.loads;
        for step in dependents.steps(graph.symbol(id), loads) {
            let likelihood = likelihood * step.share / CERTAIN;
            let is_better = reached.get(&step.to).is_none_or(|known| known.likelihood < likelihood);
            if likelihood >= least && is_better {
                let reach = Reach {
                    likelihood,
                    distance: distance + 1,
                    through: Some(id),
                    because: step.because,
                    loads: step.loads,
                };
                reached.insert(step.to, reach);
                waiting.push((likelihood, std::cmp::Reverse((distance + 1, step.to))));
            }
        }
    }
    reached
}

/// What depends on a symbol, beside its edges.
struct Dependents<'g> {
    graph: &'g CodeGraph,
    /// The symbols with unresolved calls, by called name, for names with few definitions.
    guesses: HashMap<&'g str, Vec<SymbolId>>,
    /// The tests of a module, for modules of one file.
    tests: BTreeMap<SymbolId, Vec<SymbolId>>,
    /// The tests and fixtures of Python, by the names of their parameters.
    parameters: HashMap<String, Vec<SymbolId>>,
}

impl<'g> Dependents<'g> {
    fn of(graph: &'g CodeGraph) -> Self {
        let mut tests: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
        for symbol in graph.symbols().filter(|symbol| symbol.kind() == SymbolKind::Test) {
            // A package of several files is not loaded with each of them.
            let module = symbol.file().module();
            if let Some(module) = module.filter(|module| module.file_id() == symbol.file_id()) {
                tests.entry(module.id()).or_default().push(symbol.id());
            }
        }
        Self {
            graph,
            guesses: guesses(graph),
            tests,
            parameters: parameters(graph),
        }
    }

    /// The symbols that depend on a symbol, how likely a change of it affects each, and why. `loads` says whether loading the
    /// symbol runs affected code.
    fn steps(&self, symbol: Symbol<'g>, loads: bool) -> Vec<Step> {
        let mut found = Vec::new();
        let is_module = symbol.kind() == SymbolKind::Module;
        for edge in symbol.incoming() {
            let known = (f64::from(edge.resolution().confidence()) * CERTAIN as f64).round() as u64;
            let source = edge.source();
            let (share, because) = match edge.kind() {
                EdgeKind::Call => (CERTAIN, "calls"),
                EdgeKind::Instantiates => (CERTAIN, "makes"),
                EdgeKind::Extends => (TYPE, "extends"),
                EdgeKind::Implements => (TYPE, "implements"),
                EdgeKind::References => (TYPE, "names the type"),
                EdgeKind::Reads => (CERTAIN, "reads"),
                EdgeKind::Import if is_module && loads => (LOAD, "imports"),
                EdgeKind::Import if is_module && source.file().is_test() => (IMPORTED_BY_TEST, "imports"),
                EdgeKind::Import if is_module => (IMPORT, "imports"),
                // Elsewhere the uses of an imported definition have edges of their own.
                EdgeKind::Import if source.file().is_test() => (IMPORTED_NAME, "imports"),
                // A test covers what its helpers call: the edges of those say so.
                EdgeKind::Import | EdgeKind::Overrides | EdgeKind::Tests => continue,
            };
            let runs = match edge.kind() {
                EdgeKind::Call | EdgeKind::Instantiates => true,
                EdgeKind::Import => loads,
                _ => false,
            };
            let is_loaded = source.kind() == SymbolKind::Module || source.kind().is_type();
            found.push(Step {
                loads: is_loaded && runs,
                ..Step::new(source.id(), known * share / CERTAIN, because)
            });
        }
        // A caller of a method that this one overrides may call this one.
        for edge in symbol.edges().filter(|edge| edge.kind() == EdgeKind::Overrides) {
            let base = edge.target().symbol();
            found.extend(base.map(|base| Step::new(base.id(), DISPATCH, "is overridden by")));
        }
        if is_module {
            let share = if loads { SETUP } else { TEST_FILE };
            let tests = self.tests.get(&symbol.id()).into_iter().flatten();
            found.extend(tests.map(|test| Step::new(*test, share, "is in the affected file")));
        }
        if is_module && loads && symbol.file().language() == PYTHON {
            self.of_loaded(symbol, &mut found);
        }
        if symbol.kind().is_type() && loads {
            found.extend(tests_of(symbol).map(|test| Step::new(test, SETUP, "is in the affected class")));
        }
        if symbol.kind().is_callable() {
            self.of_callable(symbol, &mut found);
        }
        found
    }

    /// What Python loads only after a module: the modules of a package, and the tests beside a `conftest.py`.
    fn of_loaded(&self, module: Symbol<'g>, found: &mut Vec<Step>) {
        let path = module.file().path();
        let (below, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_below = |path: &str| {
            path.strip_prefix(below)
                .is_some_and(|rest| below.is_empty() || rest.starts_with('/'))
        };
        if name == "__init__.py" {
            let modules = self
                .graph
                .files()
                .filter(|file| file.language() == PYTHON && is_below(file.path()));
            let modules = modules
                .filter_map(File::module)
                .filter(|other| other.id() != module.id());
            found.extend(modules.map(|other| Step {
                loads: true,
                ..Step::new(other.id(), LOAD, "is in the package")
            }));
        }
        if name == "conftest.py" {
            let tests = self.tests.values().flatten();
            let tests = tests.filter(|test| is_below(self.graph.symbol(**test).file().path()));
            found.extend(tests.map(|test| Step::new(*test, SETUP, "runs with")));
        }
    }

    fn of_callable(&self, symbol: Symbol<'g>, found: &mut Vec<Step>) {
        let parent = symbol.parent();
        if let Some(parent) = parent.filter(|parent| parent.kind().is_type()) {
            found.push(Step::new(parent.id(), MEMBER, "has the member"));
            // What a test runner calls around each test: `setUp`, `@BeforeEach`, the constructor.
            let is_around = symbol.is_entry_point() || symbol.kind() == SymbolKind::Constructor;
            if is_around && symbol.kind() != SymbolKind::Test && symbol.file().is_test() {
                found.extend(tests_of(parent).map(|test| Step::new(test, SETUP, "runs with")));
            }
        }
        // A function that another makes is part of it.
        if let Some(parent) = parent.filter(|parent| parent.kind().is_callable()) {
            found.push(Step::new(parent.id(), CERTAIN, "holds"));
        }
        // So is a callback that the top level of a test file passes on, as to `beforeEach`.
        let is_callback = symbol.is_anonymous() && symbol.file().is_test();
        if let Some(parent) = parent.filter(|parent| is_callback && parent.kind() == SymbolKind::Module) {
            found.push(Step {
                loads: true,
                ..Step::new(parent.id(), SETUP, "holds")
            });
        }
        if let Some(fixture) = Fixture::of(symbol) {
            let named = self.parameters.get(&fixture.name).into_iter().flatten();
            let every = self.tests.values().flatten().filter(|_| fixture.is_automatic);
            let users = named.chain(every).filter(|id| {
                let user = self.graph.symbol(**id);
                **id != symbol.id() && fixture.reaches(user.file().path())
            });
            found.extend(users.map(|id| Step::new(*id, SETUP, "has the fixture")));
        }
        // What a decorator registers runs through something else of its module.
        let is_registered = symbol.kind() != SymbolKind::Test && symbol.decorators().any(registers);
        if let Some(parent) = parent.filter(|parent| is_registered && parent.kind() == SymbolKind::Module) {
            found.push(Step::new(parent.id(), REGISTERED, "registers"));
        }
        let callers = self.guesses.get(symbol.name()).into_iter().flatten();
        found.extend(callers.map(|caller| Step::new(*caller, NAME, "calls something named")));
    }
}

/// The tests among the members of a type.
fn tests_of(class: Symbol<'_>) -> impl Iterator<Item = SymbolId> {
    let tests = class.children().filter(|child| child.kind() == SymbolKind::Test);
    tests.map(Symbol::id)
}

/// A fixture of pytest: tests get its value by the name of a parameter.
struct Fixture {
    name: String,
    /// Whether it runs for every test in reach.
    is_automatic: bool,
    /// The beginning of the paths in reach.
    below: String,
}

impl Fixture {
    fn of(symbol: Symbol<'_>) -> Option<Self> {
        let file = symbol.file();
        if file.language() != PYTHON {
            return None;
        }
        let decorator = symbol.decorators().find(|decorator| {
            let path = decorator.split('(').next().unwrap_or(decorator).trim();
            path == "fixture" || path.ends_with(".fixture")
        })?;
        let arguments: String = decorator.split_whitespace().collect();
        let named = arguments.split_once("name=").and_then(|(_, rest)| {
            let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            rest[1..].split(quote).next().map(str::to_owned)
        });
        let below = match file.path().rsplit_once('/') {
            Some((directory, "conftest.py")) => format!("{directory}/"),
            None if file.path() == "conftest.py" => String::new(),
            _ => file.path().to_owned(),
        };
        Some(Self {
            name: named.unwrap_or_else(|| symbol.name().to_owned()),
            is_automatic: arguments.contains("autouse=True"),
            below,
        })
    }

    fn reaches(&self, path: &str) -> bool {
        path.starts_with(&self.below)
    }
}

const PYTHON: &str = "python";

/// The tests and fixtures of Python, by the names of their parameters and the fixtures that `usefixtures` names.
fn parameters(graph: &CodeGraph) -> HashMap<String, Vec<SymbolId>> {
    let mut found: HashMap<String, Vec<SymbolId>> = HashMap::new();
    let is_user = |symbol: &Symbol<'_>| {
        symbol.file().language() == PYTHON && (symbol.kind() == SymbolKind::Test || Fixture::of(*symbol).is_some())
    };
    for symbol in graph.symbols().filter(is_user) {
        let mut names = parameter_names(symbol.signature());
        let around = std::iter::once(symbol).chain(symbol.parent());
        for decorator in around
            .flat_map(Symbol::decorators)
            .filter(|text| text.contains("usefixtures"))
        {
            names.extend(decorator.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned));
        }
        names.sort();
        names.dedup();
        for name in names {
            found.entry(name).or_default().push(symbol.id());
        }
    }
    found
}

/// The names of the parameters in a signature of Python.
fn parameter_names(signature: &str) -> Vec<String> {
    let Some((_, rest)) = signature.split_once('(') else {
        return Vec::new();
    };
    let list = rest.rsplit_once(')').map_or(rest, |(list, _)| list);
    let name = |parameter: &String| {
        let end = parameter.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        parameter[..end.unwrap_or(parameter.len())].to_owned()
    };
    split_list(list)
        .iter()
        .map(name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// The symbols with unresolved calls, by called name, for names with few definitions.
fn guesses(graph: &CodeGraph) -> HashMap<&str, Vec<SymbolId>> {
    let mut found: HashMap<&str, Vec<SymbolId>> = HashMap::new();
    for (caller, _, name) in graph.all_unresolved().filter(|(_, _, name)| !name.is_empty()) {
        found.entry(name).or_default().push(caller);
    }
    found.retain(|name, callers| {
        callers.sort_unstable();
        callers.dedup();
        graph.named(name).take(MAX_NAMESAKES + 1).count() <= MAX_NAMESAKES
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_named_whatever_their_types_and_defaults() {
        for (signature, names) in [
            ("def test_a()", &[][..]),
            ("def test_a(app, *, client: Client = None, **more)", &["app", "client"]),
            (
                "def test_a(self, pair: tuple[int, str]) -> dict[str, (int)]",
                &["self", "pair"],
            ),
            ("", &[]),
            ("def (", &[]),
        ] {
            assert_eq!(parameter_names(signature), names, "{signature}");
        }
    }
}
