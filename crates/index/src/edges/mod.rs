//! What the solver found and what scopes and imports say → the edges of the graph, each with the lines where it stands.
//!
//! Calls, instances and the bases of classes come from the solver. Imports, types and the reading of constants need no values to be followed:
//! lexical scope decides. Overrides follow from the bases, tests from the calls.

mod includes;
mod overrides;
mod scopes;
mod structural;
mod tests;

use foldhash::HashMap;
use std::collections::BTreeMap;

use lore_model::{EdgeKind, EdgeMarks, EdgeRow, NONE, Resolution, SymbolKind, U32, UseKind};

use crate::solve::{AccessRow, BaseRow, CallRow, Callee, Outcome, Program};
use includes::Includes;
use overrides::Hierarchy;
use scopes::{Meaning, Scopes};

/// One edge at one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Mention {
    pub(super) source: u32,
    pub(super) kind: EdgeKind,
    pub(super) target: Callee,
    /// The file that the line is in.
    pub(super) file: u32,
    pub(super) line: u32,
    /// The number of the [`Resolution`].
    pub(super) resolution: u8,
    pub(super) marks: EdgeMarks,
}

/// The edges of a graph, sorted, and what they refer to.
#[derive(Default)]
pub(crate) struct Edges {
    pub(crate) rows: Vec<EdgeRow>,
    pub(crate) lines: Vec<U32>,
    /// The names of what edges lead to outside.
    pub(crate) externals: Vec<String>,
}

/// The names of what lies outside, each once.
struct Externals {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// What stands between the parts of names, where it is no point.
    separators: HashMap<u32, &'static str>,
}

impl Externals {
    fn number(&mut self, name: String) -> u32 {
        if let Some(number) = self.numbers.get(&name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }
}

/// Makes the edges of a program that is solved. `is_test` says of a symbol whether it stands in a test file.
pub(crate) fn edges(program: &Program<'_>, outcome: &mut Outcome, is_test: impl Fn(u32) -> bool) -> Edges {
    let calls = std::mem::take(&mut outcome.calls);
    let instances = std::mem::take(&mut outcome.instances);
    let mut mentions = Vec::with_capacity(calls.len() + instances.len());
    mentions.extend(calls.iter().map(|row| of_call(row, EdgeKind::Call)));
    mentions.extend(instances.iter().map(|row| of_call(row, EdgeKind::Instantiates)));
    mentions.extend(outcome.accesses.iter().map(of_access));
    let externals = Externals {
        names: std::mem::take(&mut outcome.externals),
        numbers: std::mem::take(&mut outcome.external_numbers),
        separators: HashMap::default(),
    };
    let mut scopes = Scopes::new(program, externals);
    let includes = Includes::new(program);
    let mut hierarchy = Hierarchy::default();
    for unit in 0..program.units.len() {
        if program.units[unit].path.is_some() {
            import_edges(&mut scopes, &includes, unit, &mut mentions);
            let named = named_bases(&mut scopes, unit);
            base_edges(program, unit, &outcome.bases, &named, &mut mentions, &mut hierarchy);
            use_edges(&mut scopes, unit, &mut mentions, &mut hierarchy);
        }
    }
    overrides::find(program, &hierarchy, &mut mentions);
    overrides::of_implementations(program, &outcome.overrides, &mut mentions);
    structural::find(program, &hierarchy, &mut mentions);
    tests::find(program, &calls, &instances, is_test, &mut mentions);
    mentions.retain(|mention| mention.source != NONE);
    let externals = keep_used(scopes.into_externals(), &mut mentions);
    // Calls and instances are sorted runs already, which a stable sort makes use of.
    mentions.sort();
    let (rows, lines) = grouped(&mentions);
    Edges { rows, lines, externals }
}

/// Drops the names outside that no edge leads to, and numbers the others anew, in the order that they had.
fn keep_used(names: Vec<String>, mentions: &mut [Mention]) -> Vec<String> {
    let mut numbers = vec![NONE; names.len()];
    for mention in &*mentions {
        if let Callee::External(external) = mention.target {
            numbers[external as usize] = 0;
        }
    }
    let mut kept = Vec::new();
    for (number, name) in numbers.iter_mut().zip(names) {
        if *number != NONE {
            *number = kept.len() as u32;
            kept.push(name);
        }
    }
    for mention in mentions {
        if let Callee::External(external) = &mut mention.target {
            *external = numbers[*external as usize];
        }
    }
    kept
}

fn of_call(row: &CallRow, kind: EdgeKind) -> Mention {
    Mention {
        source: row.caller,
        kind,
        target: row.callee,
        file: row.file,
        line: row.line,
        resolution: row.evidence,
        marks: row.marks,
    }
}

fn of_access(row: &AccessRow) -> Mention {
    Mention {
        source: row.source,
        kind: if row.writes { EdgeKind::Writes } else { EdgeKind::Reads },
        target: Callee::Symbol(row.target),
        file: row.file,
        line: row.line,
        resolution: row.evidence,
        marks: EdgeMarks::NAMED,
    }
}

/// One row for each source, kind, target and file, with the lines of all mentions, the surest resolution and all marks.
fn grouped(mentions: &[Mention]) -> (Vec<EdgeRow>, Vec<U32>) {
    let mut rows: Vec<EdgeRow> = Vec::new();
    let mut lines: Vec<U32> = Vec::new();
    let key = |mention: &Mention| (mention.source, mention.kind, mention.target, mention.file);
    for group in mentions.chunk_by(|one, other| key(one) == key(other)) {
        let first = &group[0];
        let start = lines.len();
        for mention in group.iter().filter(|mention| mention.line > 0) {
            if lines.len() == start || lines.last().is_none_or(|last| last.get() != mention.line) {
                lines.push(mention.line.into());
            }
        }
        let (is_external, target) = match first.target {
            Callee::Symbol(symbol) => (0, symbol),
            Callee::External(external) => (1, external),
        };
        rows.push(EdgeRow {
            source: first.source.into(),
            kind: first.kind as u8,
            is_external,
            resolution: group.iter().map(|mention| mention.resolution).min().unwrap_or(0),
            marks: group
                .iter()
                .fold(EdgeMarks::default(), |marks, mention| marks.with(mention.marks))
                .0,
            target: target.into(),
            file: first.file.into(),
            lines: (start as u32).into(),
            line_count: ((lines.len() - start) as u32).into(),
        });
    }
    (rows, lines)
}

/// What a module imports.
fn import_edges(scopes: &mut Scopes<'_, '_>, includes: &Includes<'_, '_>, unit: usize, mentions: &mut Vec<Mention>) {
    let row = &scopes.program.units[unit];
    let (facts, source) = (row.facts, row.module_symbol);
    for (at, import) in facts.imports.iter().enumerate() {
        let mut targets: Vec<Callee> = Vec::new();
        for target in scopes.imported(unit, at) {
            targets.extend(scopes.callee(target).filter(|target| *target != Callee::Symbol(source)));
        }
        // A source file and its header are one module; the include is in one of them only.
        let included = includes
            .named(unit, facts.get(import.module))
            .filter(|included| *included != unit);
        targets.extend(included.map(|included| Callee::Symbol(scopes.program.units[included].module_symbol)));
        targets.retain(|target| *target != Callee::Symbol(NONE));
        for target in targets {
            mentions.push(Mention {
                source,
                kind: EdgeKind::Import,
                target,
                file: row.file,
                line: import.line.get(),
                resolution: Resolution::Exact as u8,
                marks: EdgeMarks::NAMED,
            });
        }
    }
}

/// The bases that the classes of a file have by name, with their lines, in the order of the classes; only where all bases of a class are named.
fn named_bases(scopes: &mut Scopes<'_, '_>, unit: usize) -> BTreeMap<u32, Vec<(Callee, u32)>> {
    let facts = scopes.program.units[unit].facts;
    let mut named: BTreeMap<u32, Vec<(Callee, u32)>> = BTreeMap::new();
    let mut promised: BTreeMap<u32, usize> = BTreeMap::new();
    for used in facts.uses {
        let (scope, path) = (used.scope.get(), facts.get(used.path));
        if used.kind == UseKind::IMPLEMENTS {
            *promised.entry(scopes.symbol(unit, scope)).or_default() += 1;
        }
        let found = match used.kind {
            UseKind::BASE => scopes.bases(unit, scope, path),
            UseKind::EXTENDS => scopes.types(unit, scope, path),
            _ => continue,
        };
        if let [only] = found[..]
            && let Some(base) = scopes.callee(only)
        {
            let class = scopes.symbol(unit, scope);
            named.entry(class).or_default().push((base, used.line.get()));
        }
    }
    for class in facts.flow.classes {
        let symbol = scopes.symbol(unit, class.definition.get());
        let count = named.get(&symbol).map_or(0, Vec::len);
        let bases = class.bases.get() as usize;
        // Where what a class promises is among its bases, that is named too.
        let promised = promised.get(&symbol).copied().unwrap_or(0);
        if count != bases && count + promised != bases {
            named.remove(&symbol);
        } else if promised > 0 && count + promised == bases {
            named.entry(symbol).or_default();
        }
    }
    named
}

/// What the classes of a file extend: by name where names say it, and else what the values turned out to be.
fn base_edges(
    program: &Program<'_>,
    unit: usize,
    followed: &[BaseRow],
    named: &BTreeMap<u32, Vec<(Callee, u32)>>,
    mentions: &mut Vec<Mention>,
    hierarchy: &mut Hierarchy,
) {
    let row = &program.units[unit];
    let end = row.first_symbol + row.facts.definitions.len() as u32;
    let first = followed.partition_point(|base| base.class < row.first_symbol);
    let packages = program.units[unit].language.flow.is_some_and(|rules| rules.packages);
    let mut add = |source: u32, target, (file, line), resolution, promised: bool| {
        // A class that has no name does not say whether it extends or implements.
        let promises =
            promised || packages && is_interface(program, target) && !is_interface(program, Callee::Symbol(source));
        let kind = if promises {
            hierarchy.implement(source, target);
            EdgeKind::Implements
        } else {
            hierarchy.extend(source, target);
            EdgeKind::Extends
        };
        mentions.push(Mention {
            source,
            kind,
            target,
            file,
            line,
            resolution,
            marks: EdgeMarks::NAMED,
        });
    };
    for base in followed[first..].iter().take_while(|base| base.class < end) {
        if !named.contains_key(&base.class) {
            add(
                base.class,
                base.base,
                (base.file, base.line),
                base.evidence,
                base.promised,
            );
        }
    }
    for (class, bases) in named {
        for (base, line) in bases {
            add(*class, *base, (row.file, *line), Resolution::Exact as u8, false);
        }
    }
}

/// Whether a symbol is an interface.
fn is_interface(program: &Program<'_>, callee: Callee) -> bool {
    let Callee::Symbol(symbol) = callee else { return false };
    // The symbols of files follow each other in the order of the files.
    let at = program.units.partition_point(|unit| unit.first_symbol <= symbol);
    let unit = at.checked_sub(1).and_then(|at| program.units.get(at));
    unit.and_then(|unit| unit.facts.definitions.get((symbol - unit.first_symbol) as usize))
        .is_some_and(|row| row.kind() == SymbolKind::Interface)
}

/// The types that a file names, the constants and settings that it reads, and the variables and settings that it writes.
fn use_edges(scopes: &mut Scopes<'_, '_>, unit: usize, mentions: &mut Vec<Mention>, hierarchy: &mut Hierarchy) {
    let (facts, file) = (scopes.program.units[unit].facts, scopes.program.units[unit].file);
    for used in facts.uses.iter().filter(|used| used.kind != UseKind::BASE) {
        let path = facts.get(used.path);
        let source = scopes.symbol(unit, used.scope.get());
        let (kind, found) = match used.kind {
            UseKind::READ => (EdgeKind::Reads, scopes.constants(unit, used.scope.get(), path)),
            UseKind::WRITE => (EdgeKind::Writes, scopes.constants(unit, used.scope.get(), path)),
            UseKind::READ_SETTING => (EdgeKind::Reads, vec![scopes.setting(path)]),
            UseKind::WRITE_SETTING => (EdgeKind::Writes, vec![scopes.setting(path)]),
            UseKind::EXTENDS => (EdgeKind::Extends, scopes.types(unit, used.scope.get(), path)),
            UseKind::IMPLEMENTS => (EdgeKind::Implements, scopes.types(unit, used.scope.get(), path)),
            _ => (EdgeKind::References, scopes.types(unit, used.scope.get(), path)),
        };
        for target in found {
            // The language's own types are everywhere.
            if kind == EdgeKind::References && scopes.is_built_in(unit, target) {
                continue;
            }
            let Some(target) = scopes.callee(target).filter(|target| *target != Callee::Symbol(source)) else {
                continue;
            };
            match kind {
                EdgeKind::Extends => hierarchy.extend(source, target),
                EdgeKind::Implements => hierarchy.implement(source, target),
                _ => {}
            }
            mentions.push(Mention {
                source,
                kind,
                target,
                file,
                line: used.line.get(),
                resolution: Resolution::Exact as u8,
                marks: EdgeMarks::NAMED,
            });
        }
    }
}

/// Whether something is read rather than called or named as a type.
fn is_value(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Constant | SymbolKind::Static)
}

/// Whether something is named where types stand.
fn is_type(kind: SymbolKind) -> bool {
    kind.is_type() || kind == SymbolKind::TypeAlias
}

impl Meaning {
    /// Whether it lies outside.
    fn is_external(self) -> bool {
        matches!(self, Self::External(_))
    }
}
