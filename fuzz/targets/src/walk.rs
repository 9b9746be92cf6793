//! Reads everything of a code graph through its accessors, and counts what it read. Tests of `lore-model` use this file too.

use lore_model::{CodeGraph, EdgeTarget, File, MAX_NESTING, ModuleGraph, SymbolId};

/// How many rows were read, and how many bytes of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Walked {
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
}

impl Walked {
    fn text(&mut self, text: &str) {
        self.bytes += text.len() as u64;
    }
}

/// Reads everything. Ids that are handed out must exist.
pub(crate) fn walk(graph: &CodeGraph) -> Walked {
    let mut walked = Walked::default();
    let symbols = graph.symbol_count();
    let known = |id: SymbolId| assert!((id.0 as usize) < symbols, "{id:?} of {symbols}");
    for symbol in graph.symbols() {
        walked.rows += 1;
        walked.text(symbol.name());
        walked.text(&symbol.qualified_name());
        walked.text(symbol.signature());
        walked.text(symbol.doc());
        let _ = (
            symbol.summary(),
            symbol.lines(),
            symbol.place(),
            symbol.kind(),
            symbol.visibility(),
        );
        let _ = (
            symbol.complexity(),
            symbol.modifiers(),
            symbol.is_local(),
            symbol.importance(),
        );
        walked.text(symbol.file().path());
        let ancestors = symbol.ancestors().inspect(|around| known(around.id())).count();
        assert!(ancestors <= MAX_NESTING);
        for child in symbol.children() {
            walked.rows += 1;
            known(child.id());
            assert_eq!(child.parent().map(|parent| parent.id()), Some(symbol.id()));
        }
        symbol.decorators().for_each(|text| walked.text(text));
        for edge in symbol.edges().chain(symbol.incoming()) {
            walked.rows += 1;
            assert!((edge.number() as usize) < graph.edge_count());
            known(edge.source().id());
            match edge.target() {
                EdgeTarget::Symbol(target) => known(target.id()),
                EdgeTarget::External(name) => walked.text(name),
            }
            assert!(
                edge.external()
                    .is_none_or(|number| (number as usize) < graph.external_count())
            );
            walked.rows += edge.lines().count() as u64;
            let _ = (edge.kind(), edge.resolution(), edge.marks());
            assert!((edge.file_id().0 as usize) < graph.file_count().max(1));
        }
        symbol.variables().for_each(|(name, _)| walked.text(name));
        symbol.unresolved().for_each(|call| walked.text(call.name));
        walked.rows += (symbol.overriders(16).len() + symbol.overridden(16).len()) as u64;
        assert!(graph.unresolved_of(symbol.id()).end as usize <= graph.unresolved_count());
    }
    for call in graph.all_unresolved() {
        known(call.caller);
        walked.text(call.name);
    }
    for (name, bearers) in graph.names() {
        walked.text(name);
        walked.rows += bearers.inspect(|id| known(*id)).count() as u64;
    }
    for file in graph.files() {
        walk_file(file, symbols, &mut walked);
    }
    for skipped in graph.skipped() {
        walked.text(skipped.path);
        walked.text(skipped.detail);
    }
    graph.languages().for_each(|name| walked.text(name));
    walked.rows += graph.bounds().count() as u64;
    (0..graph.external_count() as u32).for_each(|number| walked.text(graph.external(number)));
    let modules = ModuleGraph::of(graph);
    for cycle in modules.cycles() {
        walked.rows += modules.shortest_cycle(&cycle).len() as u64;
    }
    for name in ["f", "a.f", "", "a::b#2", "\u{0}"] {
        graph.lookup(name).into_iter().for_each(known);
        graph.qualified(name).into_iter().for_each(known);
        let _ = graph.file_at(name).map(|file| file.path().len());
    }
    walked
}

fn walk_file(file: File<'_>, symbols: usize, walked: &mut Walked) {
    walked.text(file.path());
    walked.text(file.language());
    let _ = (
        file.hash(),
        file.bytes(),
        file.lines(),
        file.is_test(),
        file.module().map(|module| module.id()),
    );
    for symbol in file.symbols() {
        walked.rows += 1;
        assert!((symbol.id().0 as usize) < symbols);
    }
    for import in file.imports() {
        for text in [import.module, import.name, import.local, import.handed_on] {
            walked.text(text);
        }
    }
    file.diagnostics().for_each(|remark| walked.text(&remark.message));
}
