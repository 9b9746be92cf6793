//! `lore impact --signature`: everything that a change of a signature touches.
//!
//! The definitions that share a signature form a family: what a method overrides or implements, and what overrides or implements
//! that. The calls of all of them are the sites to edit.

use std::collections::{BTreeMap, BTreeSet};

use lore_base::counted::counted;
use lore_model::{CodeGraph, EdgeKind, Resolution, Symbol, SymbolId, SymbolKind};
use lore_seam::Page;
use schemars::JsonSchema;
use serde::Serialize;

use crate::wire::{Kind, ResolutionName, one_line};

/// Members of a family that are looked for.
const MAX_FAMILY: usize = 4_096;
/// Unresolved calls of a name with more definitions than this are only counted.
const MAX_NAMESAKES: usize = 12;

/// What to edit when a signature changes
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug, Default)]
pub struct SignatureAnswer {
    /// The named definitions
    pub definitions: Vec<DefinitionLine>,
    /// Declarations in base types, interfaces and traits that they override or implement
    pub declarations: Vec<DefinitionLine>,
    /// Definitions that override or implement the same declaration
    pub implementations: Vec<DefinitionLine>,
    /// Calls of any of them
    pub callers: Vec<SiteLine>,
    /// Number of those calls
    pub caller_count: usize,
    /// Calls that may mean one of them: dispatched calls, and unresolved calls of the same name
    pub possible_callers: Vec<SiteLine>,
    /// Number of those calls
    pub possible_caller_count: usize,
    /// The files with places to edit
    pub files: Vec<String>,
    /// What the answer leaves out
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A definition with the signature
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct DefinitionLine {
    /// The file
    pub path: String,
    /// The line of the name
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// The name
    pub symbol: String,
    /// The kind
    pub kind: Kind,
    /// The declaration, on one line
    pub signature: String,
}

/// A call
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct SiteLine {
    /// The file
    pub path: String,
    /// The line of the call
    #[schemars(extend("x-agents" = "at path"))]
    pub line: u32,
    /// The definition with the call
    pub caller: String,
    /// What it calls
    pub callee: String,
    /// How the call is known; absent for an unresolved call
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<ResolutionName>,
}

/// The set to edit for some definitions, with at most `limit` calls of each kind.
pub(super) fn answer(graph: &CodeGraph, named: &BTreeSet<SymbolId>, limit: usize) -> SignatureAnswer {
    let named: BTreeSet<SymbolId> = named
        .iter()
        .flat_map(|id| callables(graph.symbol(*id)))
        .map(Symbol::id)
        .collect();
    let mut remarks = Vec::new();
    let (above, family) = family(graph, &named, &mut remarks);
    let (mut sure, mut possible) = (BTreeMap::new(), BTreeMap::new());
    for id in &family {
        let symbol = graph.symbol(*id);
        let class = symbol.parent().filter(|_| symbol.kind() == SymbolKind::Constructor);
        let made = class
            .into_iter()
            .flat_map(|class| class.incoming().filter(|edge| edge.kind() == EdgeKind::Instantiates));
        let called = symbol
            .incoming()
            .filter(|edge| matches!(edge.kind(), EdgeKind::Call | EdgeKind::Instantiates));
        for edge in called.chain(made) {
            let source = edge.source();
            let is_possible = matches!(edge.resolution(), Resolution::Dispatch | Resolution::Name);
            for line in edge.lines() {
                let site = SiteLine {
                    path: source.file().path().to_owned(),
                    line,
                    caller: source.plain_name().into_owned(),
                    callee: symbol.plain_name().into_owned(),
                    resolution: Some(edge.resolution().into()),
                };
                let sites = if is_possible { &mut possible } else { &mut sure };
                let key = (site.path.clone(), site.line, site.caller.clone());
                sites.entry(key).or_insert(site);
            }
        }
    }
    unresolved(graph, &family, &mut possible, &mut remarks);
    possible.retain(|key, _| !sure.contains_key(key));
    let lines = |ids: &mut dyn Iterator<Item = SymbolId>| {
        let mut lines: Vec<DefinitionLine> = ids.map(|id| definition(graph.symbol(id))).collect();
        lines.sort_by(|left, right| {
            (&left.path, left.line, &left.symbol).cmp(&(&right.path, right.line, &right.symbol))
        });
        lines
    };
    let definitions = lines(&mut named.iter().copied());
    let declarations = lines(&mut above.iter().copied());
    let implementations = lines(
        &mut family
            .iter()
            .copied()
            .filter(|id| !named.contains(id) && !above.contains(id)),
    );
    let files: BTreeSet<String> = [&definitions, &declarations, &implementations]
        .into_iter()
        .flatten()
        .map(|line| line.path.clone())
        .chain(sure.values().map(|site| site.path.clone()))
        .collect();
    let (caller_count, possible_caller_count) = (sure.len(), possible.len());
    SignatureAnswer {
        definitions,
        declarations,
        implementations,
        callers: sure.into_values().take(limit).collect(),
        caller_count,
        possible_callers: possible.into_values().take(limit).collect(),
        possible_caller_count,
        files: files.into_iter().collect(),
        remarks,
    }
}

/// What has the signature of a symbol: itself, or the constructors of a type.
fn callables(symbol: Symbol<'_>) -> Vec<Symbol<'_>> {
    if !symbol.kind().is_type() {
        return vec![symbol];
    }
    let constructors: Vec<Symbol<'_>> = symbol
        .children()
        .filter(|child| child.kind() == SymbolKind::Constructor)
        .collect();
    if constructors.is_empty() {
        vec![symbol]
    } else {
        constructors
    }
}

/// The declarations that some definitions override or implement, and everything that shares a signature with them.
fn family(
    graph: &CodeGraph,
    named: &BTreeSet<SymbolId>,
    remarks: &mut Vec<String>,
) -> (BTreeSet<SymbolId>, BTreeSet<SymbolId>) {
    let mut above = BTreeSet::new();
    let mut waiting: Vec<SymbolId> = named.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        for base in overridden(graph.symbol(id)) {
            if above.len() < MAX_FAMILY && !named.contains(&base) && above.insert(base) {
                waiting.push(base);
            }
        }
    }
    let mut family: BTreeSet<SymbolId> = named.union(&above).copied().collect();
    let mut waiting: Vec<SymbolId> = family.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        for other in overriding(graph.symbol(id)) {
            if family.len() >= MAX_FAMILY {
                remarks.push(format!(
                    "more than {MAX_FAMILY} definitions share the signature; the others are left out"
                ));
                return (above, family);
            }
            if family.insert(other) {
                waiting.push(other);
            }
        }
    }
    (above, family)
}

/// The members that a member overrides or implements directly. A constructor overrides nothing.
fn overridden(symbol: Symbol<'_>) -> Vec<SymbolId> {
    let mut found: Vec<SymbolId> = targets(symbol, EdgeKind::Overrides).map(Symbol::id).collect();
    let bases = |class: Symbol<'_>| -> Vec<SymbolId> {
        let bases = targets(class, EdgeKind::Implements);
        bases.flat_map(|base| namesakes(base, symbol)).collect()
    };
    if symbol.kind() == SymbolKind::Method {
        found.extend(symbol.parent().into_iter().flat_map(bases));
    }
    found
}

/// The members that override or implement a member directly.
fn overriding(symbol: Symbol<'_>) -> Vec<SymbolId> {
    let sources = |of: Symbol<'_>, kind| {
        let edges = of.incoming().filter(move |edge| edge.kind() == kind);
        edges.map(|edge| edge.source().id()).collect::<Vec<_>>()
    };
    let mut found = sources(symbol, EdgeKind::Overrides);
    if symbol.kind() == SymbolKind::Method
        && let Some(parent) = symbol.parent()
    {
        let edges = parent.incoming().filter(|edge| edge.kind() == EdgeKind::Implements);
        found.extend(edges.flat_map(|edge| namesakes(edge.source(), symbol)));
    }
    found
}

fn targets(symbol: Symbol<'_>, kind: EdgeKind) -> impl Iterator<Item = Symbol<'_>> {
    symbol
        .edges()
        .filter(move |edge| edge.kind() == kind)
        .filter_map(|edge| edge.target().symbol())
}

/// The methods of a type with the name of another. In languages with overloads, one edge would say which is meant.
fn namesakes<'g>(class: Symbol<'g>, method: Symbol<'g>) -> Vec<SymbolId> {
    let same = |child: &Symbol<'_>| child.kind() == SymbolKind::Method && child.name() == method.name();
    let methods: Vec<SymbolId> = class.children().filter(same).map(Symbol::id).collect();
    // Overrides edges know the signatures.
    if methods.len() > 1 { Vec::new() } else { methods }
}

/// Adds the unresolved calls with the name of a member of the family.
fn unresolved(
    graph: &CodeGraph,
    family: &BTreeSet<SymbolId>,
    possible: &mut BTreeMap<(String, u32, String), SiteLine>,
    remarks: &mut Vec<String>,
) {
    let name_of = |symbol: Symbol<'_>| match (symbol.kind(), symbol.parent()) {
        (SymbolKind::Constructor, Some(class)) => class.name().to_owned(),
        _ => symbol.name().to_owned(),
    };
    let names: BTreeSet<String> = family.iter().map(|id| name_of(graph.symbol(*id))).collect();
    let is_common = |name: &str| {
        graph
            .named(name)
            .filter(|id| !family.contains(id))
            .nth(MAX_NAMESAKES)
            .is_some()
    };
    let common: BTreeSet<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| is_common(name))
        .collect();
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for (caller, line, name) in graph.all_unresolved().filter(|(_, _, name)| names.contains(*name)) {
        if common.contains(name) {
            *left_out.entry(name).or_default() += 1;
            continue;
        }
        let caller = graph.symbol(caller);
        let site = SiteLine {
            path: caller.file().path().to_owned(),
            line,
            caller: caller.plain_name().into_owned(),
            callee: name.to_owned(),
            resolution: None,
        };
        possible
            .entry((site.path.clone(), line, site.caller.clone()))
            .or_insert(site);
    }
    for (name, count) in left_out {
        let calls = counted(count, "unresolved call");
        remarks.push(format!(
            "{calls} of `{name}` left out: more than {MAX_NAMESAKES} other definitions have the name"
        ));
    }
}

fn definition(symbol: Symbol<'_>) -> DefinitionLine {
    DefinitionLine {
        path: symbol.file().path().to_owned(),
        line: symbol.place().line.get(),
        symbol: symbol.plain_name().into_owned(),
        kind: symbol.kind().into(),
        signature: one_line(symbol.signature()),
    }
}

/// Shows the set to edit.
pub(super) fn render(answer: &SignatureAnswer, page: &mut Page) {
    let definitions = |page: &mut Page, title: &str, lines: &[DefinitionLine]| {
        if lines.is_empty() {
            return;
        }
        page.line(format_args!("{title}: {}", lines.len()));
        for line in lines {
            page.dim(&format!("  {}:{}", line.path, line.line));
            page.write(format_args!("  "));
            page.strong(&line.symbol);
            if !line.signature.is_empty() {
                page.write(format_args!("  "));
                page.text(&line.signature);
            }
            page.line(format_args!(""));
        }
        page.end_line();
    };
    let sites = |page: &mut Page, title: &str, lines: &[SiteLine], count: usize| {
        page.line(format_args!("{title}: {count}"));
        for line in lines {
            page.dim(&format!("  {}:{}", line.path, line.line));
            page.write(format_args!("  "));
            page.strong(&line.caller);
            page.write(format_args!("  calls "));
            page.text(&line.callee);
            let known = line
                .resolution
                .map_or("unresolved", |known| Resolution::from(known).name());
            page.dim(&format!("  {known}"));
            page.line(format_args!(""));
        }
        if lines.len() < count {
            page.line(format_args!("  … and {} more (--all shows all)", count - lines.len()));
        }
        page.end_line();
    };
    definitions(page, "definitions", &answer.definitions);
    definitions(page, "declarations in base types", &answer.declarations);
    definitions(page, "overriding and implementing definitions", &answer.implementations);
    sites(page, "calls", &answer.callers, answer.caller_count);
    if answer.possible_caller_count > 0 {
        sites(
            page,
            "calls that may mean one of them",
            &answer.possible_callers,
            answer.possible_caller_count,
        );
    }
    let definitions = answer.definitions.len() + answer.declarations.len() + answer.implementations.len();
    page.line(format_args!(
        "to edit: {} and {} in {}",
        counted(definitions, "definition"),
        counted(answer.caller_count, "call"),
        counted(answer.files.len(), "file"),
    ));
    for remark in &answer.remarks {
        page.line(format_args!("{remark}"));
    }
}
