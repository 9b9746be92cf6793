//! The two readers against each other, hostile files, and what a document says of itself.

use proptest::prelude::*;
use proptest::sample::select;

use super::arena::Arena;
use super::*;

fn document(source: &str) -> Document {
    Document::read(source.as_bytes(), &Limits::default()).unwrap().0
}

fn error(source: impl AsRef<[u8]>) -> YamlError {
    Document::read(source.as_ref(), &Limits::default()).unwrap_err()
}

fn kind(source: impl AsRef<[u8]>) -> YamlErrorKind {
    error(source).kind
}

/// A node in one line, as deep as the document is.
fn shown(document: &Document, id: NodeId) -> String {
    match document.node(id) {
        Node::Scalar(scalar) => format!("{:?}", scalar.text),
        Node::Sequence(items) => format!(
            "[{}]",
            items.map(|item| shown(document, item)).collect::<Vec<_>>().join(" ")
        ),
        Node::Mapping(entries) => {
            let entry = |entry: Entry| format!("{}={}", shown(document, entry.key), shown(document, entry.value));
            format!("{{{}}}", entries.map(entry).collect::<Vec<_>>().join(" "))
        }
    }
}

fn all(source: &str) -> String {
    let document = document(source);
    shown(&document, document.root())
}

/// Rows that can be compared: the parser names other places for a value that is not there.
fn comparable(arena: &Arena) -> Vec<arena::Row> {
    let mut rows = arena.rows.clone();
    for row in &mut rows {
        if row.start == row.end && row.len == 0 {
            (row.start, row.end, row.text) = (0, 0, 0);
        }
        // A block collection ends for the parser where the next thing begins, and a list of lists may begin after its first dash.
        if row.kind != Kind::Scalar && row.style != ScalarStyle::Flow {
            row.end = 0;
            row.start = if row.kind == Kind::Sequence { 0 } else { row.start };
        }
    }
    rows
}

#[test]
fn a_document_is_the_same_without_the_fast_reader() {
    type Read = fn(&[u8], &Limits) -> Result<(Document, Vec<YamlNote>), YamlError>;
    for source in [MANIFEST, "a: &x 1\nb: *x\n"] {
        let read = |read: Read| {
            let (document, notes) = read(source.as_bytes(), &Limits::default()).unwrap();
            (comparable(&document.arena), notes)
        };
        assert_eq!(read(Document::read), read(Document::read_by_parser));
    }
}

/// Fails if the quick reader accepts what the parser does not, or reads it otherwise; whether it accepted.
fn agree(source: &str) -> Result<bool, TestCaseError> {
    let limits = Limits::default();
    let Some(quick) = fast::read(source, &limits) else {
        return Ok(false);
    };
    match read::read(source, &limits, &mut Vec::new()) {
        Ok(slow) => {
            prop_assert_eq!(comparable(&quick), comparable(&slow), "{:?}", source);
            prop_assert_eq!(&quick.aside, &slow.aside, "{:?}", source);
        }
        Err(error) => prop_assert!(false, "{error:?} in {source:?}"),
    }
    Ok(true)
}

const MANIFEST: &str = "# A manifest\nkcp_version: \"0.14\"\nproject: shop # the shop\nunits:\n  - id: a\n    path: docs/a.md\n    intent: 'What is a?'\n    audience: [human, \"agent\", x y]\n    \
hints:\n      token_estimate: 100\n      empty:\n    depends_on:\n    - b\n    -\n    - - c\n      - d: 1\n        e: -2\n  # next\n  - id: b\nrelationships: [{from: a, to: [b, c:d]}, {x: 'it''s', y: \"q\\\"\\n\"}]\nx-e: né\nlast:\n";

const PIECES: &[&str] = &[
    "\n",
    " ",
    "  ",
    "- ",
    "-",
    ": ",
    ":",
    "#",
    " #",
    "[",
    "]",
    "{",
    "}",
    ",",
    "'",
    "\"",
    "&a ",
    "*a",
    "!x ",
    "|",
    ">",
    "?",
    "? ",
    "a",
    "b: c",
    "\n  ",
    "\n- ",
    "\n    x: y",
    "~",
    "null",
    "é",
    "%",
    "@",
    "`",
    "...",
    "---",
    "\\",
    "x:y",
    "1",
    "\n\n",
    "\n# c\n",
    "a:\n",
    "''",
    "\"\"",
    "\t",
    "\r\n",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "😀",
    "{a: b}",
    "{a: [x, {y: z}], b: c:d}",
    "[{}]",
    "\\n",
    "\\\"",
    "---\n",
    ", ",
    "''''",
];

/// The manifest with some pieces put in, taken out or replaced.
fn spoilt() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..6usize, select(PIECES), 0..3u8);
    prop::collection::vec(edit, 0..5).prop_map(|edits| {
        let mut text = MANIFEST.to_owned();
        for (at, length, piece, what) in edits {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let from = at.index(bounds.len());
            let to = (from + if what == 0 { 0 } else { length }).min(bounds.len() - 1);
            text.replace_range(bounds[from]..bounds[to], if what == 1 { "" } else { piece });
        }
        text
    })
}

proptest! {
    #![proptest_config(lore_testing::cases(4_000))]

    #[test]
    fn what_the_quick_reader_accepts_it_reads_as_the_parser_does(source in spoilt()) {
        agree(&source)?;
    }

    #[test]
    fn lines_of_windows_are_read_alike(source in spoilt()) {
        agree(&source.replace("\r\n", "\n").replace('\n', "\r\n"))?;
    }

    #[test]
    fn pieces_in_any_order_are_read_alike(pieces in prop::collection::vec(select(PIECES), 0..12)) {
        agree(&pieces.concat())?;
    }

    #[test]
    fn any_bytes_get_a_verdict(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok((document, _)) = Document::read(&bytes, &Limits::default()) {
            shown(&document, document.root());
            document.comments();
        }
    }
}

#[test]
fn the_quick_reader_takes_manifests() {
    assert!(agree(MANIFEST).unwrap());
    assert!(agree(&MANIFEST.replace('\n', "\r\n")).unwrap());
    for source in [
        "a: 1",
        "a:\n",
        "a: [ ]\n",
        "- a\n- b: 1\n  c: [x, 'y']\n",
        "a:\n- b\nc: d\n",
        "a: -1\n",
        "a: x#y\n",
        "# c\n---\na: 1\n",
        "a: {b: c, d: [e, {f: g}]}\n",
        "a: 'it''s'\nb: \"\\\"\\n\"\n",
        "a: [https://e.org/x, {b: c:d}]\n",
    ] {
        assert!(agree(source).unwrap(), "{source:?}");
    }
    for source in [
        "",
        "# c\n",
        "a",
        "a: |\n  x\n",
        "a: b\n  c\n",
        "a: 1\na: 2\n",
        "a: {b: c, b: d}\n",
        "a: {b}\n",
        "a: {b: }\n",
        "a: 1\n---\n",
        "a: 1\rb: 2\n",
        " a: 1\n",
        "a: \"\\x41\"\n",
    ] {
        assert!(!agree(source).unwrap(), "{source:?}");
    }
}

#[test]
fn p2_only_tags_of_the_core_schema_are_read() {
    assert_eq!(
        all("a: !!str 1\nb: ! 12\nc: !!int 3\nd: !<tag:yaml.org,2002:str> x\n"),
        r#"{"a"="1" "b"="12" "c"="3" "d"="x"}"#
    );
    for source in [
        "a: !foo x\n",
        "a: !!binary aGk=\n",
        "a: !!timestamp 2026-01-01\n",
        "a: !!set {x}\n",
        "a: !<str> x\n",
        "!x\na: 1\n",
        "a: [!y z]\n",
        "%TAG !! tag:evil,2000:\n---\na: !!str 1\n",
    ] {
        assert_eq!(kind(source), YamlErrorKind::Tag, "{source:?}");
    }
}

#[test]
fn p2_one_document_and_no_more() {
    assert_eq!(all("---\na: 1\n...\n"), r#"{"a"="1"}"#);
    for source in ["a: 1\n---\nb: 2\n", "---\na: 1\n---\n", "a: 1\n...\n---\nb: 2\n"] {
        assert_eq!(kind(source), YamlErrorKind::MultipleDocuments, "{source:?}");
    }
    assert_eq!(all(""), "\"\"");
    assert_eq!(all("# only a comment\n"), "\"\"");
}

#[test]
fn p2_versions_of_yaml() {
    let (_, notes) = Document::read(b"%YAML 1.1\n---\na: yes\n", &Limits::default()).unwrap();
    assert_eq!(notes, [YamlNote::Version11]);
    assert_eq!(kind("%YAML 2.0\n---\na: 1\n"), YamlErrorKind::Syntax);
}

#[test]
fn p2_aliases_stand_for_what_is_anchored() {
    assert_eq!(
        all("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n"),
        r#"{"a"=["1" "2"] "b"=["1" "2"] "c"="3" "d"="3"}"#
    );
    assert_eq!(
        all("x: &b {a: 1}\ny:\n  <<: *b\n"),
        r#"{"x"={"a"="1"} "y"={"<<"={"a"="1"}}}"#
    );
    assert_eq!(kind("a: *nope\n"), YamlErrorKind::Syntax);
    assert_eq!(kind("a: &x [1, *x]\n"), YamlErrorKind::Syntax);
    let document = document("a: &x 1\nb: *x\n");
    let Node::Mapping(mut entries) = document.node(document.root()) else {
        panic!()
    };
    let alias = entries.nth(1).unwrap().value;
    assert!(document.is_alias(alias));
    assert_eq!(
        (document.place(alias), document.span(alias)),
        (Place { line: 2, column: 4 }, Span { start: 11, end: 13 })
    );
}

#[test]
fn a28_a_key_that_stands_twice_is_an_error_however_it_is_written() {
    for source in [
        "a: 1\nb: 2\na: 3\n",
        "a: 1\n\"a\": 2\n",
        "a: 1\n'a': 2\n",
        "a: 1\n!!str a: 2\n",
        "x: {a: 1, a: 2}\n",
        "? a\n: 1\na: 2\n",
        "&k a: 1\n*k : 3\n",
        "x: [y, {z: 1, z: 2}]\n",
    ] {
        assert_eq!(kind(source), YamlErrorKind::DuplicateKey, "{source:?}");
    }
    assert_eq!(error("a: 1\nb: 2\n a: 3\n").kind, YamlErrorKind::Syntax);
    assert_eq!(error("a: 1\nb: 2\na: 3\n").at, Place { line: 3, column: 1 });
    let many: String = (0..50_000).map(|number| format!("k{number}: v\n")).collect();
    assert_eq!(kind(format!("{many}k7: v\n")), YamlErrorKind::DuplicateKey);
}

#[test]
fn s2_an_alias_bomb_is_refused_at_once() {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (letter, before) in ('b'..='j').zip('a'..) {
        bomb += &format!("{letter}: &{letter} [{}]\n", vec![format!("*{before}"); 9].join(","));
    }
    let error = error(&bomb);
    assert_eq!((error.kind, error.at.line), (YamlErrorKind::Limit, 7));
    assert_eq!(error.message, "aliases expand to more than 1000000 nodes");
}

#[test]
fn s6_a_long_text_behind_many_aliases_is_refused() {
    let source = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; 100].join(", "));
    assert_eq!(kind(source), YamlErrorKind::Limit);
    let list = format!("a: &a [{}]\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; 100].join(", "));
    assert_eq!(kind(list), YamlErrorKind::Limit);
}

#[test]
fn p12_places_in_a_long_line_are_found_at_once() {
    let source = format!("a: [{}]\n", vec!["éé"; 20_000].join(", "));
    let document = document(&source);
    let Node::Mapping(mut entries) = document.node(document.root()) else {
        panic!()
    };
    let Node::Sequence(items) = document.node(entries.next().unwrap().value) else {
        panic!()
    };
    for (number, item) in (0u32..).zip(items) {
        assert_eq!(
            document.place(item),
            Place {
                line: 1,
                column: 5 + number * 4
            }
        );
    }
}

#[test]
fn s6_nesting_is_bounded() {
    for source in [
        "a: ".to_owned() + &"[".repeat(1 << 20),
        "{a: ".repeat(250_000),
        "- ".repeat(500_000),
        "? ".repeat(500_000),
        (0..1_400).map(|at| " ".repeat(at) + "a:\n").collect(),
    ] {
        assert_eq!(kind(source), YamlErrorKind::Limit);
    }
    let deep = |levels: usize| (0..levels).map(|at| " ".repeat(at) + "a:\n").collect::<String>();
    assert!(Document::read(deep(99).as_bytes(), &Limits::default()).is_ok());
}

#[test]
fn s6_bytes_nodes_keys_and_texts_are_bounded() {
    let limits = Limits {
        bytes: 100,
        depth: 5,
        nodes: 10,
        expanded: 5,
        scalar_bytes: 20,
        mapping_keys: 3,
    };
    let read = |source: &str| {
        Document::read(source.as_bytes(), &limits)
            .map(drop)
            .map_err(|error| error.kind)
    };
    assert_eq!(read("a: 1\nb: 2\nc: 3\n"), Ok(()));
    for source in [
        "x".repeat(101),
        "a: 1\nb: 2\nc: 3\nd: 4\n".to_owned(),
        "a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n".to_owned(),
        "a: xxxxxxxxxxxxxxxxxxxxx\n".to_owned(),
        "a: &x [1, 2]\nb: [*x, *x]\n".to_owned(),
        "a: [[[[[[x]]]]]]\n".to_owned(),
    ] {
        assert_eq!(read(&source), Err(YamlErrorKind::Limit), "{source:?}");
    }
}

#[test]
fn p1_only_utf_8_is_read() {
    let utf_16: Vec<u8> = "a: 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_16_big: Vec<u8> = "a: 1\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [
        utf_16.clone(),
        utf_16_big,
        [vec![0xff, 0xfe], utf_16].concat(),
        b"a: \xe9\n".to_vec(),
    ] {
        assert_eq!(kind(bytes), YamlErrorKind::Encoding);
    }
    assert_eq!(error(b"a: 1\nb: \xff\n").at, Place { line: 2, column: 4 });
    for source in [
        "a: x\0y\n",
        "a: x\x01y\n",
        "a: x\x7fy\n",
        "a: \"\\uD800\"\n",
        "a:\n\tb: 1\n",
        "a: @b\n",
        "a: %b\n",
        "a: `b`\n",
    ] {
        assert_eq!(kind(source), YamlErrorKind::Syntax, "{source:?}");
    }
}

#[test]
fn p12_places_count_characters_and_every_kind_of_line_end() {
    let places = |source: &str| {
        let document = document(source);
        let Node::Mapping(entries) = document.node(document.root()) else {
            panic!()
        };
        entries
            .map(|entry| document.place(entry.value))
            .map(|place| (place.line, place.column))
            .collect::<Vec<_>>()
    };
    assert_eq!(places("é: x\nb:   'y'\n"), [(1, 4), (2, 6)]);
    assert_eq!(places("a: 1\r\nb: 2\rc: 3\n"), [(1, 4), (2, 4), (3, 4)]);
    assert_eq!(places("a: \"\u{2028}\"\nb: 2\n"), [(1, 4), (2, 4)]);
    assert_eq!(places("\u{feff}a: 1\nb: 2\n"), [(1, 4), (2, 4)]);
}

#[test]
fn texts_are_resolved_and_comments_are_found() {
    assert_eq!(
        all("a: one\n  two\n\n  three\nb: >\n  f1\n  f2\nc: 'it''s'\nd: \"\\t\\u00e9\"\n"),
        "{\"a\"=\"one two\\nthree\" \"b\"=\"f1 f2\\n\" \"c\"=\"it's\" \"d\"=\"\\té\"}"
    );
    let document =
        document("# head\na: 1 # one\nb:\n  # in b\n  - x#y  # ex\nc: \"q # no\" # yes\nd: |\n  text # no\n# end\n");
    let comments = document.comments();
    let texts: Vec<&str> = comments
        .iter()
        .map(|comment| &document.source()[comment.span.start as usize..comment.span.end as usize])
        .collect();
    assert_eq!(texts, ["# head", "# one", "# in b", "# ex", "# yes", "# end"]);
    assert_eq!(comments.iter().filter(|comment| comment.own_line).count(), 3);
}
