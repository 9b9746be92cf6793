//! How something is added without changing what is there: registries, plug-ins, middleware, injection.

use std::collections::{BTreeMap, BTreeSet};

use lore_base::counted::counted;
use lore_model::{EdgeKind, Symbol, SymbolId, SymbolKind};

use super::Proof;
use super::program::{Program, begins, methods, names, parameters, return_type};

/// Modules that have to register something while they load.
const MIN_REGISTERED: usize = 3;
/// Types that have to be plug-ins, and how many of a hundred that are called so.
const MIN_PLUGINS: usize = 5;
const MIN_SHARE: usize = 40;

/// Something that modules call while they load to make themselves known. If several of them define types of one base, those are plug-ins.
pub(super) fn registry(program: &Program<'_>) -> Vec<Proof> {
    let mut by_registry: BTreeMap<SymbolId, BTreeSet<usize>> = BTreeMap::new();
    for edge in program.graph.edges() {
        if edge.kind() != EdgeKind::Call || !edge.resolution().is_sure() {
            continue;
        }
        let Some(target) = edge.target().symbol().filter(|target| is_registry(*target)) else {
            continue;
        };
        let source = edge.source();
        let loads = source.kind() == SymbolKind::Module || source.name() == "init" && source.file().language() == "go";
        match (program.module(source), program.module(target)) {
            (Some(from), Some(to)) if loads && from != to => {
                by_registry.entry(target.id()).or_default().insert(from);
            }
            _ => {}
        }
    }
    by_registry.retain(|_, modules| modules.len() >= MIN_REGISTERED);
    let types = types_by_module(program);
    let mut proofs = Vec::new();
    for (id, modules) in by_registry {
        let registry = program.graph.symbol(id);
        let made_known = format!("{} register while they load", counted(modules.len(), "module"));
        match shared_base(program, &types, &modules) {
            Some((base, count)) => {
                let coverage = format!("{made_known}, {count} of them with types of {}", base.name());
                let proof = Proof::of("plugin registry", registry, coverage);
                if count >= MIN_PLUGINS {
                    let coverage = format!("{count} modules with types of {}", base.plain_name());
                    proofs.push(Proof::of_whole("plugin", &proof.location, coverage));
                }
                proofs.push(proof);
            }
            None => proofs.push(Proof::of("registry", registry, made_known)),
        }
    }
    proofs
}

fn is_registry(symbol: Symbol<'_>) -> bool {
    symbol.kind().is_callable() && symbol.name().to_lowercase().contains("register") && !symbol.is_anonymous()
}

fn types_by_module<'a>(program: &'a Program<'a>) -> BTreeMap<usize, Vec<Symbol<'a>>> {
    let mut types: BTreeMap<usize, Vec<Symbol<'a>>> = BTreeMap::new();
    for symbol in program.types() {
        if let Some(module) = program.module(symbol) {
            types.entry(module).or_default().push(symbol);
        }
    }
    types
}

/// A base of the program that types of at least three of some modules have in common, and of how many; the one that most of them share.
fn shared_base<'a>(
    program: &'a Program<'a>,
    types: &BTreeMap<usize, Vec<Symbol<'a>>>,
    modules: &BTreeSet<usize>,
) -> Option<(Symbol<'a>, usize)> {
    let mut sharing: BTreeMap<SymbolId, BTreeSet<usize>> = BTreeMap::new();
    for module in modules {
        for symbol in types.get(module).into_iter().flatten() {
            for base in bases(*symbol) {
                if program.module(base).is_some_and(|home| !modules.contains(&home)) {
                    sharing.entry(base.id()).or_default().insert(*module);
                }
            }
        }
    }
    let best = sharing.into_iter().max_by_key(|(id, modules)| {
        let importance = program.graph.symbol(*id).importance();
        (modules.len(), importance, std::cmp::Reverse(*id))
    });
    let (id, sharing) = best?;
    (sharing.len() >= MIN_REGISTERED).then(|| (program.graph.symbol(id), sharing.len()))
}

fn bases<'a>(symbol: Symbol<'a>) -> impl Iterator<Item = Symbol<'a>> {
    symbol
        .edges()
        .filter(|edge| matches!(edge.kind(), EdgeKind::Extends | EdgeKind::Implements))
        .filter(|edge| edge.resolution().is_sure())
        .filter_map(|edge| edge.target().symbol())
}

/// Types called after plug-ins that all have one method, where something that is not a plug-in calls that method on them.
pub(super) fn plugins(program: &Program<'_>) -> Vec<Proof> {
    const ENDS: &[&str] = &["Plugin", "Extension", "Addon"];
    let plugins: Vec<Symbol<'_>> = program
        .types()
        .filter(|symbol| {
            ENDS.iter()
                .any(|end| symbol.name().ends_with(end) && symbol.name().len() > end.len())
        })
        .collect();
    let ids: BTreeSet<SymbolId> = plugins.iter().map(|plugin| plugin.id()).collect();
    let mut called: BTreeMap<&str, BTreeMap<SymbolId, BTreeSet<SymbolId>>> = BTreeMap::new();
    for plugin in &plugins {
        // To ask a plug-in for its name is not to let it do something.
        let does = |method: &Symbol<'_>| !["get", "is", "has"].iter().any(|word| begins(method.name(), word));
        for method in methods(*plugin).filter(does) {
            for caller in program.callers(method) {
                if caller.parent().is_none_or(|owner| !ids.contains(&owner.id())) {
                    let callers = called.entry(method.name()).or_default();
                    callers.entry(caller.id()).or_default().insert(plugin.id());
                }
            }
        }
    }
    let best = called.into_iter().flat_map(|(method, callers)| {
        callers
            .into_iter()
            .map(move |(caller, plugins)| (plugins.len(), method, caller))
    });
    let best = best.max_by_key(|(count, method, caller)| (*count, std::cmp::Reverse((*method, *caller))));
    let Some((count, method, caller)) =
        best.filter(|(count, _, _)| *count >= MIN_PLUGINS && count * 100 >= plugins.len() * MIN_SHARE)
    else {
        return Vec::new();
    };
    let caller = program.graph.symbol(caller);
    let coverage = format!("calls {method} of {count} of {} plug-ins", plugins.len());
    vec![Proof::of_whole("plugin", &caller.plain_name(), coverage)]
}

/// Functions or types that take the next one of their kind, or are in one row with others that a request passes.
pub(super) fn middleware(program: &Program<'_>) -> Vec<Proof> {
    let mut proofs = Vec::new();
    let mut wrapping: BTreeMap<&str, Vec<Symbol<'_>>> = BTreeMap::new();
    for symbol in program.graph.symbols() {
        if !matches!(symbol.kind(), SymbolKind::Function | SymbolKind::Method) || !program.has(symbol) {
            continue;
        }
        if let Some(shape) = shape(symbol) {
            wrapping.entry(shape).or_default().push(symbol);
        }
    }
    for (shape, mut functions) in wrapping {
        functions.sort_by_key(|symbol| (std::cmp::Reverse(symbol.importance()), symbol.id()));
        if functions.len() >= MIN_REGISTERED {
            let coverage = format!("{} of the form {shape}", counted(functions.len(), "function"));
            proofs.push(Proof::of("middleware chain", functions[0], coverage));
        }
    }
    proofs.extend(middleware_types(program));
    proofs
}

/// The form of a function that re-exports to the next one.
fn shape(symbol: Symbol<'_>) -> Option<&'static str> {
    let parameters = parameters(symbol.signature());
    match symbol.file().language() {
        "go" => {
            let takes = parameters.split_whitespace().last() == Some("http.Handler") && !parameters.contains(',');
            (takes && return_type(symbol) == "http.Handler").then_some("func(http.Handler) http.Handler")
        }
        "javascript" | "typescript" | "tsx" => {
            let names: Vec<&str> = parameters
                .split(',')
                .map(|part| part.split(':').next().unwrap_or(part).trim())
                .collect();
            matches!(
                names.as_slice(),
                ["req" | "request" | "_req", "res" | "response" | "_res", "next"]
            )
            .then_some("(req, res, next)")
        }
        _ => None,
    }
}

/// Types called middleware that share a method which gets the request, and are made with what comes next or derive from one base.
fn middleware_types(program: &Program<'_>) -> Vec<Proof> {
    const METHODS: &[&str] = &[
        "__call__",
        "call",
        "handle",
        "invoke",
        "invokeasync",
        "process",
        "process_exception",
        "process_item",
        "process_request",
        "process_response",
        "process_spider_input",
        "process_spider_output",
        "process_view",
    ];
    const NEXT: &[&str] = &["app", "get_response", "handler", "next", "nextHandler"];
    let types: Vec<Symbol<'_>> = program
        .types()
        .filter(|symbol| symbol.name().ends_with("Middleware") && symbol.kind() == SymbolKind::Class)
        .collect();
    let takes_next = |symbol: Symbol<'_>| {
        let mut constructors = symbol
            .children()
            .filter(|child| child.kind() == SymbolKind::Constructor);
        constructors.any(|one| NEXT.iter().any(|name| names(parameters(one.signature()), name)))
    };
    let follow: Vec<Symbol<'_>> = types
        .iter()
        .copied()
        .filter(|symbol| methods(*symbol).any(|method| METHODS.contains(&method.name().to_lowercase().as_str())))
        .filter(|symbol| {
            let has_base = bases(*symbol).any(|base| base.name().contains("Middleware"));
            takes_next(*symbol) || has_base
        })
        .collect();
    let Some(first) = follow
        .iter()
        .max_by_key(|symbol| (symbol.importance(), std::cmp::Reverse(symbol.id())))
    else {
        return Vec::new();
    };
    if follow.len() < MIN_REGISTERED {
        return Vec::new();
    }
    let coverage = format!("{} of {} middleware types", follow.len(), types.len());
    vec![Proof::of("middleware chain", *first, coverage)]
}

/// Types whose parts a container puts in, as annotations ask for.
pub(super) fn injection(program: &Program<'_>) -> Vec<Proof> {
    const MARKS: &[&str] = &["Autowired", "Inject", "Injectable"];
    let is_mark = |decorator: &str| {
        let path = decorator.split(['(', ' ', '[']).next().unwrap_or(decorator);
        MARKS.contains(&path.rsplit(['.', ':', '\\']).next().unwrap_or(path))
    };
    let mut owners: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for symbol in program
        .graph
        .symbols()
        .filter(|symbol| symbol.decorators().any(is_mark))
    {
        let owner = if symbol.kind().is_type() {
            Some(symbol)
        } else {
            symbol.parent()
        };
        if let Some(owner) = owner.filter(|owner| owner.kind().is_type() && program.has(*owner)) {
            *owners.entry(owner.id()).or_default() += 1;
        }
    }
    // What only is marked and takes nothing is not injected into.
    owners.retain(|id, _| {
        let owner = program.graph.symbol(*id);
        let mut constructors = owner.children().filter(|child| child.kind() == SymbolKind::Constructor);
        let takes = constructors.any(|one| !parameters(one.signature()).is_empty());
        takes || owner.children().any(|child| child.decorators().any(is_mark))
    });
    if owners.len() < MIN_REGISTERED {
        return Vec::new();
    }
    let first = owners.keys().map(|id| program.graph.symbol(*id));
    let first = first.max_by_key(|symbol| (symbol.importance(), std::cmp::Reverse(symbol.id())));
    let coverage = format!("{} are given what they need", counted(owners.len(), "type"));
    first
        .map(|first| Proof::of("dependency injection", first, coverage))
        .into_iter()
        .collect()
}
