//! Snapshots whose checksums are right and whose content is not: opening or verifying refuses them, and no accessor loops, panics
//! or hands out an id that does not exist. The cases come from a fixed seed.

#[path = "../../../fuzz/targets/src/walk.rs"]
mod walk;

use std::sync::Arc;

use lore_model::{
    CodeGraph, EdgeKind, EdgeRow, FileFacts, FileRow, MAX_NESTING, NONE, SNAPSHOT_VERSION, SectionWriter,
    SnapshotBuilder, SymbolId, SymbolKind, SymbolRow, TextRange, U32, UnresolvedRow, VariableRow,
};
use walk::walk;

const PREFIXES: usize = 5;
const OWN_PARTS: usize = 6;
const PARENTS: usize = 9;
const DECORATORS: usize = 16;
const LISTS: usize = 18;
const CHILD_STARTS: usize = 19;
const CHILDREN: usize = 20;
const NAME_STARTS: usize = 23;
const EDGE_STARTS: usize = 29;
const INCOMING_STARTS: usize = 32;
const VARIABLE_STARTS: usize = 38;
const ROUNDS: usize = 4_000;
const LONG_ROUNDS: usize = 400_000;

/// A snapshot of three files with nested symbols, edges, lines, unresolved calls and variables.
fn sample() -> Vec<u8> {
    let mut builder = SnapshotBuilder::new(1, 2, Default::default());
    let language = builder.text.push("python");
    builder.languages.push(language);
    for file in 0..3u32 {
        let path = builder.text.push(&format!("src/a{file}.py"));
        builder.files.push(FileRow {
            path,
            module: builder.symbol_count().into(),
            first_symbol: builder.symbol_count().into(),
            ..FileRow::default()
        });
        let first = builder.symbol_count();
        for at in 0..12u32 {
            let name = builder.text.push(&format!("f{at}"));
            let qualified = match at {
                0 => builder.text.push(&format!("a{file}")),
                _ => builder.text.push(&format!(".f{at}")),
            };
            let list = builder.lists.len() as u32;
            builder.lists.push(name);
            builder.push_symbol(&SymbolRow {
                name,
                prefix: (at > 0).then_some(SymbolId(first + at / 2)),
                qualified,
                kind: if at == 0 {
                    SymbolKind::Module
                } else {
                    SymbolKind::Function
                } as u8,
                file,
                parent: if at == 0 { NONE } else { first + at / 2 },
                decorators: TextRange {
                    start: list.into(),
                    len: 1.into(),
                },
                ..SymbolRow::default()
            });
            builder.push_variable(first + at, VariableRow { name, usage: 0 });
        }
    }
    let outside = builder.text.push("os.system");
    builder.externals.push(outside);
    for source in 0..builder.symbol_count() {
        for (target, is_external) in [((source * 7) % 36, 0), (0, 1)] {
            builder.edges.push(EdgeRow {
                source: source.into(),
                kind: EdgeKind::Call as u8,
                is_external,
                resolution: 0,
                marks: 0,
                target: target.into(),
                file: builder.file_of(source).into(),
                lines: (builder.edge_lines.len() as u32).into(),
                line_count: 1.into(),
            });
            builder.edge_lines.push((source + 1).into());
        }
        builder.unresolved.push(UnresolvedRow {
            symbol: source.into(),
            file: builder.file_of(source).into(),
            line: 1.into(),
            name: outside,
            is_cut: 0,
        });
    }
    builder.finish().to_bytes()
}

/// The sections of a snapshot, by number.
fn sections(bytes: &[u8]) -> Vec<Vec<u8>> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize;
    let entry = |number: usize| 28 + number * 28;
    (0..word(8))
        .map(|number| {
            let (start, len) = (long(entry(number) + 4), long(entry(number) + 12));
            bytes[start..start + len].to_vec()
        })
        .collect()
}

/// The snapshot of these sections, with checksums that are right.
fn sealed(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = SectionWriter::new(u32::from_le_bytes(*b"LSnp"), SNAPSHOT_VERSION);
    for (number, bytes) in sections.iter().enumerate() {
        writer.section(number as u32, bytes);
    }
    writer.finish()
}

fn open(bytes: Vec<u8>) -> Option<CodeGraph> {
    CodeGraph::open(Arc::new(bytes)).ok()
}

fn numbers(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// What a command may do with a snapshot: everything, if it opens and is verified; and nothing forbidden even if it is not.
fn is_refused(bytes: Vec<u8>) -> bool {
    let len = bytes.len() as u64;
    let Some(graph) = open(bytes) else { return true };
    let is_refused = graph.verify().is_err();
    let walked = walk(&graph);
    if !is_refused {
        assert!(
            walked.rows <= len && walked.bytes <= 64 * len,
            "{walked:?} of {len} bytes"
        );
    }
    is_refused
}

#[test]
fn what_the_writer_makes_is_accepted() {
    let bytes = sample();
    assert_eq!(sealed(&sections(&bytes)), bytes);
    let graph = open(bytes.clone()).expect("opens");
    graph.verify().expect("is whole");
    assert!(walk(&graph).rows > 200);
    assert!(!is_refused(bytes));
}

#[test]
fn parents_in_a_circle_are_refused_and_walks_end_all_the_same() {
    let mut crafted = sections(&sample());
    crafted[PARENTS] = numbers(0..36);
    assert!(is_refused(sealed(&crafted)), "every symbol is its own parent");
    crafted[PARENTS] = numbers((0..36).map(|symbol| (symbol + 1) % 36));
    assert!(is_refused(sealed(&crafted)), "all symbols in one circle");
    crafted[PARENTS] = numbers([NONE; 36]);
    assert!(is_refused(sealed(&crafted)), "children without a parent");
}

#[test]
fn starts_that_fall_or_exceed_their_rows_are_refused_when_opened() {
    for section in [CHILD_STARTS, NAME_STARTS, EDGE_STARTS, INCOMING_STARTS, VARIABLE_STARTS] {
        let whole = sections(&sample());
        let count = whole[section].len() / 4;
        for starts in [
            numbers((0..count as u32).map(|at| at * 60_000_000)),
            numbers((0..count as u32).rev()),
            numbers((0..count as u32).map(|at| if at % 2 == 0 { 0 } else { 72 })),
            numbers([]),
            numbers([0, 1]),
        ] {
            let mut crafted = whole.clone();
            crafted[section] = starts;
            assert!(open(sealed(&crafted)).is_none(), "section {section}");
        }
    }
}

#[test]
fn rows_that_are_counted_again_and_again_are_refused() {
    let whole = sections(&sample());
    let mut crafted = whole.clone();
    crafted[CHILDREN] = numbers(vec![1; whole[CHILDREN].len() / 4]);
    assert!(is_refused(sealed(&crafted)), "one child of everybody");
    let mut crafted = whole.clone();
    let (lists, symbols) = (4_000, 36);
    crafted[LISTS] = whole[LISTS][..8].repeat(lists);
    crafted[DECORATORS] = numbers((0..symbols).flat_map(|_| [0, lists as u32]));
    assert!(is_refused(sealed(&crafted)), "every symbol has every decorator");
    let mut crafted = whole.clone();
    let text = crafted[1].len() as u32;
    crafted[1].extend(vec![b'x'; 1 << 20]);
    crafted[OWN_PARTS] = numbers((0..symbols).flat_map(|_| [text, 1 << 20]));
    assert!(is_refused(sealed(&crafted)), "every symbol is called by a megabyte");
}

#[test]
fn sections_that_overlap_are_refused() {
    let mut bytes = sample();
    // The second section begins where the first one does.
    let (first, second) = (28 + 4, 28 + 28 + 4);
    bytes.copy_within(first..first + 8, second);
    bytes[20..28].fill(0);
    let table = 28 + 38 * 28;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..table]);
    bytes[20..28].copy_from_slice(&checksum.to_le_bytes());
    assert!(open(bytes).is_none());
}

#[test]
fn spoilt_snapshots_are_bounded() {
    let whole = sections(&sample());
    let mut random = lore_testing::Dice::new(24);
    let mut accepted = 0;
    for _ in 0..lore_testing::rounds(ROUNDS, LONG_ROUNDS) {
        let mut crafted = whole.clone();
        for _ in 0..=random.below(3) {
            let section = random.below(crafted.len());
            let bytes = &mut crafted[section];
            match random.below(6) {
                0 => bytes.fill(0),
                1 => bytes.fill(0xff),
                2 => bytes.truncate(random.below(bytes.len() + 1) / 4 * 4),
                3 => bytes.extend_from_slice(&[0; 76][..4 * random.below(20)]),
                _ => {
                    for _ in 0..=random.below(8) {
                        let at = random.below(bytes.len());
                        let byte = random.below(256) as u8;
                        bytes.get_mut(at).into_iter().for_each(|slot| *slot = byte);
                    }
                }
            }
        }
        accepted += usize::from(!is_refused(sealed(&crafted)));
    }
    assert!(accepted > 0, "some damage is harmless");
}

#[test]
fn a_tail_of_zeros_is_survived() {
    // A file that is truncated while it is mapped reads as zeros from there on, after it was opened.
    struct Zeroed(Vec<u8>, std::sync::atomic::AtomicBool, Vec<u8>);
    impl AsRef<[u8]> for Zeroed {
        fn as_ref(&self) -> &[u8] {
            if !self.1.load(std::sync::atomic::Ordering::Relaxed) {
                &self.0
            } else {
                &self.2
            }
        }
    }
    let bytes = sample();
    for cut in (0..bytes.len()).step_by(37) {
        let mut tail = bytes.clone();
        tail[cut..].fill(0);
        let zeroed = Arc::new(Zeroed(bytes.clone(), false.into(), tail));
        let graph = CodeGraph::open(Arc::clone(&zeroed) as Arc<_>).expect("opens");
        zeroed.1.store(true, std::sync::atomic::Ordering::Relaxed);
        walk(&graph);
    }
}

#[test]
fn the_writer_bounds_nesting_and_breaks_circles() {
    let mut builder = SnapshotBuilder::new(1, 2, Default::default());
    builder.files.push(FileRow::default());
    let deep = MAX_NESTING as u32 + 200;
    for symbol in 0..deep {
        builder.push_symbol(&SymbolRow {
            parent: if symbol == 0 { NONE } else { symbol - 1 },
            ..SymbolRow::default()
        });
    }
    for symbol in 0..3 {
        builder.push_symbol(&SymbolRow {
            parent: deep + (symbol + 1) % 3,
            ..SymbolRow::default()
        });
    }
    builder.languages.push(Default::default());
    let graph = open(builder.finish().to_bytes()).expect("opens");
    graph.verify().expect("is whole");
    let deepest = graph.symbols().map(|symbol| symbol.ancestors().count()).max();
    assert_eq!(deepest, Some(MAX_NESTING - 1));
    assert!(
        graph
            .symbols()
            .skip(deep as usize)
            .all(|symbol| symbol.parent().is_none())
    );
}

#[test]
fn names_are_put_together_from_their_parts() {
    let graph = open(sample()).expect("opens");
    graph.verify().expect("is whole");
    let symbol = graph.symbol(SymbolId(12 + 6));
    assert_eq!(symbol.qualified_name(), "a1.f1.f3.f6");
    assert_eq!(symbol.qualified_len(), 11);
    assert!(symbol.is_qualified_as("a1.f1.f3.f6"));
    for other in ["a1.f1.f3.f7", "a2.f1.f3.f6", ".f6", "xa1.f1.f3.f6", ""] {
        assert!(!symbol.is_qualified_as(other), "{other}");
    }
    assert_eq!(graph.qualified("a1.f1.f3.f6"), Some(symbol.id()));
    assert_eq!(graph.lookup("f3.f6"), [SymbolId(6), SymbolId(18), SymbolId(30)]);
}

#[test]
fn a_name_that_begins_with_a_later_one_is_refused() {
    let bytes = sample();
    for prefix in [18, 19, 35, 36, NONE - 1] {
        let mut sections = sections(&bytes);
        sections[PREFIXES][18 * 4..19 * 4].copy_from_slice(&numbers([prefix]));
        let graph = open(sealed(&sections)).expect("opens");
        assert!(graph.verify().is_err(), "{prefix}");
        assert_eq!(graph.symbol(SymbolId(18)).qualified_name(), ".f6");
        walk(&graph);
    }
}

#[test]
fn the_writer_bounds_the_parts_of_names_and_readers_do_not_go_beyond() {
    let mut builder = SnapshotBuilder::new(1, 2, Default::default());
    builder.files.push(FileRow::default());
    builder.languages.push(Default::default());
    let part = builder.text.push(".a");
    let long = builder.text.push(&".b".repeat(20_000));
    let deep = MAX_NESTING as u32 + 200;
    for symbol in 0..deep {
        builder.push_symbol(&SymbolRow {
            parent: NONE,
            prefix: symbol.checked_sub(1).map(SymbolId),
            qualified: part,
            ..SymbolRow::default()
        });
    }
    for symbol in 0..3 {
        builder.push_symbol(&SymbolRow {
            parent: NONE,
            prefix: (symbol > 0).then_some(SymbolId(deep + symbol - 1)),
            qualified: long,
            ..SymbolRow::default()
        });
    }
    let bytes = builder.finish().to_bytes();
    let graph = open(bytes.clone()).expect("opens");
    graph.verify().expect("is whole");
    for (at, symbol) in graph.symbols().take(deep as usize).enumerate() {
        assert_eq!(symbol.qualified_name(), ".a".repeat(at + 1));
    }
    assert_eq!(graph.symbol(SymbolId(deep + 2)).qualified_len(), 120_000);
    // The same parts without the writer's bounds.
    let mut sections = sections(&bytes);
    for symbol in 1..deep {
        let at = symbol as usize * 4;
        sections[PREFIXES][at..at + 4].copy_from_slice(&numbers([symbol - 1]));
    }
    let graph = open(sealed(&sections)).expect("opens");
    assert!(graph.verify().is_err());
    let longest = graph.symbols().map(|symbol| symbol.qualified_name().len()).max();
    assert!(longest.is_some_and(|longest| longest <= 120_000));
}

#[test]
fn facts_that_refer_outside_of_themselves_are_refused() {
    let mut facts = FileFacts::default();
    facts.text.push("name");
    assert!(FileFacts::from_bytes(&facts.to_bytes()).is_ok());
    facts.lists.push(lore_model::Text {
        start: 2.into(),
        len: 3.into(),
    });
    assert!(
        FileFacts::from_bytes(&facts.to_bytes()).is_err(),
        "a text behind the end"
    );
    facts.lists.clear();
    facts.lines.code = U32::from(u32::MAX);
    facts.lines.blank = U32::from(1);
    assert!(
        FileFacts::from_bytes(&facts.to_bytes()).is_err(),
        "more lines than a number holds"
    );
    facts.lines = Default::default();
    facts.flow.variables.push(lore_model::FlowVariable {
        definition: 0.into(),
        name: 0.into(),
        usage: 0,
    });
    assert!(
        FileFacts::from_bytes(&facts.to_bytes()).is_err(),
        "a variable of nobody"
    );
}
