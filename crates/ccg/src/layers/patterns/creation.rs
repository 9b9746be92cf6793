//! How things are made: singletons, builders, factories.

use std::collections::{BTreeMap, BTreeSet};

use lore_base::counted::counted;
use lore_model::{EdgeKind, Modifier, Symbol, SymbolId, SymbolKind, Visibility};

use super::Proof;
use super::program::{
    Program, begins, is_abstract, last_type, methods, names, owner, parameters, return_type, targets,
};

/// Methods that have to hand back the builder.
const MIN_FLUENT: usize = 3;

/// Types of which there is one: nobody else can make it, it is kept, and it can be asked for. In languages without constructors: a function
/// without parameters that gives what is kept and made once.
pub(super) fn singleton(program: &Program<'_>) -> Vec<Proof> {
    let mut proofs = Vec::new();
    for symbol in program.types() {
        let how = match symbol.file().language() {
            "python" => python_singleton(symbol),
            _ => kept_instance(symbol),
        };
        proofs.extend(how.map(|how| Proof::of("singleton", symbol, how)));
    }
    for function in program.graph.symbols() {
        let is_free = function.kind() == SymbolKind::Function && !function.is_local() && !function.is_anonymous();
        let is_here = is_free && matches!(function.file().language(), "rust" | "go") && program.has(function);
        if let Some(kept) = is_here.then(|| made_once(function)).flatten() {
            let coverage = format!("made once, asked for by {}", function.name());
            proofs.push(Proof::of("singleton", kept, coverage));
        }
    }
    proofs
}

fn kept_instance(symbol: Symbol<'_>) -> Option<String> {
    let constructors: Vec<Symbol<'_>> = symbol
        .children()
        .filter(|child| child.kind() == SymbolKind::Constructor)
        .collect();
    if constructors.is_empty() || constructors.iter().any(|one| one.visibility() != Visibility::Private) {
        return None;
    }
    let is_static = |child: &Symbol<'_>| child.modifiers().contains(Modifier::Static);
    let field = symbol.children().filter(is_static).find(|child| {
        let is_field = matches!(
            child.kind(),
            SymbolKind::Field | SymbolKind::Constant | SymbolKind::Static
        );
        is_field && is_of(*child, symbol)
    })?;
    let accessor = methods(symbol).filter(is_static).find(|method| {
        let returned = return_type(*method).trim_start_matches('?');
        let gives_it = plain(returned) == symbol.name()
            || matches!(returned, "self" | "static")
            || targets(*method, EdgeKind::Instantiates).any(|made| made.id() == symbol.id());
        parameters(method.signature()).is_empty() && gives_it && method.visibility() != Visibility::Private
    })?;
    // Whatever else makes one makes a second one.
    let makers = symbol.incoming().filter(|edge| edge.kind() == EdgeKind::Instantiates);
    let makers = makers.chain(constructors.iter().flat_map(|one| one.incoming()));
    let only_here = makers.into_iter().all(|edge| {
        let maker = edge.source().id();
        [accessor.id(), field.id(), symbol.id()].contains(&maker) || edge.source().kind() == SymbolKind::Module
    });
    only_here.then(|| {
        format!(
            "private constructor, kept in {}, asked for by {}",
            field.name(),
            accessor.name()
        )
    })
}

/// Whether a field is said to hold a type: before its name, or behind it and a colon. Where nothing is said, its name has to.
fn is_of(field: Symbol<'_>, symbol: Symbol<'_>) -> bool {
    let (before, after) = field.signature().split_once(field.name()).unwrap_or_default();
    let after = after
        .trim_start()
        .strip_prefix(':')
        .and_then(|after| after.split('=').next());
    let is_silent = matches!(field.file().language(), "javascript" | "php" | "ruby");
    plain(last_type(before.trim_end())) == symbol.name()
        || after.is_some_and(|after| plain(after.trim()) == symbol.name())
        || is_silent && field.name().to_lowercase().contains("instance")
}

fn python_singleton(symbol: Symbol<'_>) -> Option<String> {
    let makes = methods(symbol)
        .chain(symbol.children())
        .any(|child| child.name() == "__new__");
    let keeps = symbol.children().find(|child| {
        let is_field = matches!(
            child.kind(),
            SymbolKind::Field | SymbolKind::Static | SymbolKind::Constant
        );
        is_field && matches!(child.name(), "_instance" | "__instance" | "instance" | "_singleton")
    })?;
    makes.then(|| format!("__new__ gives what {} keeps", keeps.name()))
}

/// The type of the program that a function without parameters gives from a variable that is filled once.
fn made_once<'a>(function: Symbol<'a>) -> Option<Symbol<'a>> {
    const ONCE: &[&str] = &["OnceLock<", "OnceCell<", "LazyLock<", "Lazy<", "sync.Once"];
    let returned = return_type(function);
    if !parameters(function.signature()).is_empty() || returned.is_empty() {
        return None;
    }
    let reads: Vec<Symbol<'a>> = targets(function, EdgeKind::Reads).collect();
    let once = |symbol: &&Symbol<'a>| ONCE.iter().any(|word| symbol.signature().contains(word));
    let found = reads.iter().find(once)?;
    let kept =
        targets(function, EdgeKind::References).find(|kept| kept.kind().is_type() && names(returned, kept.name()))?;
    let holds = match function.file().language() {
        "go" => plain(returned) == kept.name() && reads.iter().any(|one| names(one.signature(), kept.name())),
        _ => returned.starts_with("&'static") && names(found.signature(), kept.name()),
    };
    holds.then_some(kept)
}

/// A type without its marks and arguments: `&mut Builder<E>` is `Builder`.
fn plain(text: &str) -> &str {
    let text = text.trim_start_matches(['&', '*', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let text = text
        .split(['<', '[', '('])
        .next()
        .unwrap_or(text)
        .trim_matches(['"', '\'', ' ', '?']);
    text.rsplit(['.', ':', '\\']).next().unwrap_or(text)
}

/// Types with at least three methods that hand back the type itself and one that makes something else.
pub(super) fn builder(program: &Program<'_>) -> Vec<Proof> {
    const MAKES: &[&str] = &["Build", "Create", "Finish", "Make", "build", "create", "finish", "make"];
    let mut proofs = Vec::new();
    for symbol in program.types() {
        let is_itself = |text: &str| {
            let plain = plain(text);
            plain == symbol.name() || matches!(plain, "Self" | "self" | "this" | "static" | "$this")
        };
        let is_instance = |method: &Symbol<'_>| !method.modifiers().contains(Modifier::Static);
        let fluent: BTreeSet<&str> = methods(symbol)
            .filter(|method| is_instance(method) && is_itself(return_type(*method)))
            .filter(|method| takes_self(*method))
            .map(|method| method.name())
            .collect();
        let build = methods(symbol).filter(is_instance).find_map(|method| {
            let is_named = symbol.name().ends_with("Builder") && MAKES.contains(&method.name());
            let makes = is_named || matches!(method.name(), "build" | "Build");
            let returned = return_type(method);
            let is_other = !returned.is_empty() && !is_itself(returned);
            let made = targets(method, EdgeKind::References).chain(targets(method, EdgeKind::Instantiates));
            let mut made = made.filter(|made| made.kind().is_type() && made.id() != symbol.id());
            let made = made.find(|made| names(returned, made.name()))?;
            (makes && is_other).then_some((method, made))
        });
        if let (true, Some((method, made))) = (fluent.len() >= MIN_FLUENT, build) {
            let coverage = format!(
                "{} methods hand it back, {} makes {}",
                fluent.len(),
                method.name(),
                made.name()
            );
            proofs.push(Proof::of("builder", symbol, coverage));
        }
    }
    proofs
}

/// Whether a method is called on an instance, where a signature says so.
fn takes_self(method: Symbol<'_>) -> bool {
    method.file().language() != "rust" || names(parameters(method.signature()), "self")
}

/// Types that make one of several: an abstract factory whose implementations make different types, or one factory that makes several of one base.
pub(super) fn factory(program: &Program<'_>) -> Vec<Proof> {
    const MAKES: &[&str] = &["build", "create", "for", "from", "get", "make", "new", "of"];
    let makes = |method: &Symbol<'_>| MAKES.iter().any(|word| begins(method.name(), word));
    let mut proofs = Vec::new();
    for symbol in program.types().filter(|symbol| symbol.name().ends_with("Factory")) {
        let mut by_class: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
        if is_abstract(symbol) {
            for method in methods(symbol).filter(makes) {
                for overrider in program.overriders(method) {
                    let Some(class) = owner(overrider) else { continue };
                    let made = targets(overrider, EdgeKind::Instantiates).filter(|made| program.has(*made));
                    by_class
                        .entry(class.id())
                        .or_default()
                        .extend(made.map(|made| made.id()));
                }
            }
        }
        // Each has to make something that no other makes.
        let own = by_class.values().filter(|made| {
            let others = by_class.values().filter(|other| !std::ptr::eq(*other, *made));
            let others: BTreeSet<SymbolId> = others.flatten().copied().collect();
            !made.is_subset(&others)
        });
        if own.count() >= 2 {
            let coverage = format!("{} make different types", counted(by_class.len(), "implementation"));
            proofs.push(Proof::of("abstract factory", symbol, coverage));
            continue;
        }
        let made: BTreeSet<SymbolId> = methods(symbol)
            .filter(makes)
            .flat_map(|method| targets(method, EdgeKind::Instantiates))
            .filter(|made| program.has(*made) && made.id() != symbol.id())
            .map(|made| made.id())
            .collect();
        let mut by_base: BTreeMap<SymbolId, usize> = BTreeMap::new();
        for id in &made {
            let bases: BTreeSet<SymbolId> = ancestors(program.graph.symbol(*id))
                .into_iter()
                .map(|base| base.id())
                .collect();
            let bases = bases
                .into_iter()
                .filter(|base| !says_nothing(program.graph.symbol(*base)));
            bases.for_each(|base| *by_base.entry(base).or_default() += 1);
        }
        let best = by_base
            .into_iter()
            .max_by_key(|(base, count)| (*count, std::cmp::Reverse(*base)));
        if let Some((base, count)) = best.filter(|(_, count)| *count >= 2) {
            let base = program.graph.symbol(base);
            let coverage = format!("makes {count} types of {}", base.name());
            proofs.push(Proof::of("factory", symbol, coverage));
        }
    }
    proofs
}

/// Whether everything derives from a type.
fn says_nothing(base: Symbol<'_>) -> bool {
    const GENERAL: &[&str] = &[
        "Any",
        "AnyRef",
        "Cloneable",
        "Comparable",
        "Equals",
        "Object",
        "Product",
        "Serializable",
        "object",
    ];
    GENERAL.contains(&base.name())
}

/// The bases of a type that the tree defines, and theirs.
fn ancestors<'a>(symbol: Symbol<'a>) -> Vec<Symbol<'a>> {
    let mut found: Vec<Symbol<'a>> = Vec::new();
    let mut waiting = vec![symbol];
    while let Some(at) = waiting.pop() {
        let bases = targets(at, EdgeKind::Extends).chain(targets(at, EdgeKind::Implements));
        for base in bases {
            if base.id() != symbol.id() && found.iter().all(|known| known.id() != base.id()) {
                found.push(base);
                waiting.push(base);
            }
        }
    }
    found
}
