//! A filter makes a text at its first reading, once, and touches no other text.

use std::sync::{Arc, Mutex};

use lore_model::{
    CodeGraph, FileRow, FilteredText, NONE, SnapshotBuilder, SymbolId, SymbolKind, SymbolRow, TextFilter, TextRange,
};

const SYMBOLS: u32 = 1_000;

/// A graph of functions, each with a decorator.
fn graph() -> CodeGraph {
    let mut builder = SnapshotBuilder::new(1, 0, Default::default());
    let language = builder.text.push("python");
    builder.languages.push(language);
    let path = builder.text.push("a.py");
    builder.files.push(FileRow {
        path,
        module: NONE.into(),
        ..FileRow::default()
    });
    for number in 0..SYMBOLS {
        let name = builder.text.push(&format!("f{number}"));
        let qualified = builder.text.push(&format!("a.f{number}"));
        let start = builder.lists.len() as u32;
        builder.lists.push(name);
        builder.push_symbol(&SymbolRow {
            name,
            qualified,
            kind: SymbolKind::Function as u8,
            parent: NONE,
            decorators: TextRange {
                start: start.into(),
                len: 1.into(),
            },
            ..SymbolRow::default()
        });
    }
    CodeGraph::open(Arc::new(builder.finish().to_bytes())).expect("a snapshot")
}

#[test]
fn texts_are_made_when_they_are_read_and_once() {
    let asked: Arc<Mutex<Vec<FilteredText>>> = Arc::default();
    let into = Arc::clone(&asked);
    let shown = graph().with_filter(TextFilter::new(move |text| {
        into.lock().expect("whole").push(text);
        let one = |text: &str| Some(Box::from([Arc::from(text)]));
        match text {
            FilteredText::Name(SymbolId(7)) => one("[secret]"),
            FilteredText::QualifiedName(SymbolId(7)) => one("a.[secret]"),
            FilteredText::Decorators(SymbolId(7)) => one("@[secret]"),
            _ => None,
        }
    }));
    let count = || asked.lock().expect("whole").len();
    assert_eq!((shown.symbol_count(), count()), (SYMBOLS as usize, 0));
    for _ in 0..3 {
        let symbol = shown.symbol(SymbolId(7));
        assert_eq!(symbol.name(), "[secret]");
        assert_eq!(symbol.qualified_name(), "a.[secret]");
        assert_eq!(symbol.decorators().collect::<Vec<_>>(), ["@[secret]"]);
        assert_eq!(shown.symbol(SymbolId(8)).name(), "f8");
    }
    assert_eq!(count(), 4, "{asked:?}");
}

#[test]
fn what_is_shown_in_the_place_of_a_name_is_found_by_it() {
    let shown = graph().with_filter(TextFilter::new(|text| {
        let (what, id) = match text {
            FilteredText::Name(id) => ("[email]".to_owned(), id),
            FilteredText::QualifiedName(id) => (format!("a.[email]#{}", id.0), id),
            _ => return None,
        };
        (id.0 < 2).then(|| Box::from([Arc::from(what)]))
    }));
    assert_eq!(shown.shown_as("[email]"), [SymbolId(0), SymbolId(1)]);
    assert_eq!(shown.shown_as("f2"), []);
    assert_eq!(shown.qualified("a.[email]#1"), Some(SymbolId(1)));
    assert_eq!(shown.qualified("a.f2"), Some(SymbolId(2)));
    assert_eq!(shown.qualified("a.f1"), None, "what was taken out is not found");
}
