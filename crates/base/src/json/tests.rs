//! The reader compared with serde_json: the same verdict and the same values on valid and on damaged documents. Also its exact bounds.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

/// Reads a whole document into a value.
fn read(bytes: &[u8]) -> Result<Value, JsonError> {
    let mut reader = JsonReader::new(bytes, MOST_LEVELS)?;
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// Passes over a whole document.
fn skip(bytes: &[u8]) -> Result<&str, JsonError> {
    let mut reader = JsonReader::new(bytes, MOST_LEVELS)?;
    let raw = reader.skip_value()?;
    reader.end()?;
    Ok(raw)
}

fn fault(bytes: &[u8]) -> (Fault, usize, usize, usize) {
    let error = read(bytes).unwrap_err();
    (error.fault(), error.offset(), error.line(), error.column())
}

#[test]
fn j1_one_mark_of_byte_order_is_passed_over_and_a_second_is_not() {
    assert_eq!(read(b"\xef\xbb\xbf{\"a\":1}").unwrap(), json!({"a": 1}));
    assert_eq!(fault(b"\xef\xbb\xbf\xef\xbb\xbf{}"), (Fault::NoValue, 3, 1, 1));
    assert_eq!(fault(b"{}\xef\xbb\xbf").0, Fault::Trailing);
    // A mark inside of a text is a character like any other.
    assert_eq!(read(b"\"\xef\xbb\xbf\"").unwrap(), json!("\u{feff}"));
}

#[test]
fn j1_bytes_that_are_not_utf_8_are_told_with_their_place() {
    assert_eq!(fault(b"{\n \"a\": \"x\xff\"}"), (Fault::Encoding, 10, 2, 9));
    assert_eq!(fault(b"\"\xed\xa0\x80\"").0, Fault::Encoding);
    assert_eq!(fault(b"\"\xc0\x80\"").0, Fault::Encoding);
    assert_eq!(fault(b"\xff\xfe{\0}\0").0, Fault::Encoding);
}

#[test]
fn s6_faults_are_told_with_line_and_column() {
    for (text, fault_told, offset) in [
        ("", Fault::Empty, 0),
        ("  ", Fault::Empty, 2),
        ("{", Fault::Ends, 1),
        ("[1", Fault::Ends, 2),
        ("[1,]", Fault::NoValue, 3),
        ("[,1]", Fault::NoValue, 1),
        ("[1 2]", Fault::NoComma(']'), 3),
        ("{\"a\" 1}", Fault::NoColon, 5),
        ("{\"a\":1 \"b\":2}", Fault::NoComma('}'), 7),
        ("{\"a\":1,}", Fault::NoKey, 7),
        ("{a:1}", Fault::NoKey, 1),
        ("{\"a\":}", Fault::NoValue, 5),
        ("[1}", Fault::NoComma(']'), 2),
        ("{} {}", Fault::Trailing, 3),
        ("tru", Fault::NoValue, 0),
        ("nul", Fault::NoValue, 0),
        ("'a'", Fault::NoValue, 0),
        ("NaN", Fault::NoValue, 0),
        ("\"a", Fault::Ends, 2),
        ("\"a\nb\"", Fault::Control, 2),
        ("\"a\0b\"", Fault::Control, 2),
        ("\0", Fault::NoValue, 0),
        ("\"\\x\"", Fault::Escape, 1),
        ("\"\\u12g4\"", Fault::Escape, 3),
        ("\"\\u12", Fault::Ends, 5),
        ("\"\\ud800\"", Fault::Surrogate, 1),
        ("\"\\udc00\"", Fault::Surrogate, 1),
        ("\"\\ud800\\u0041\"", Fault::Surrogate, 1),
        ("\"\\ud800x\"", Fault::Surrogate, 1),
        ("01", Fault::Number, 0),
        ("-", Fault::Number, 0),
        ("1.", Fault::Number, 2),
        (".5", Fault::NoValue, 0),
        ("1e", Fault::Number, 2),
        ("1e+", Fault::Number, 3),
        ("+1", Fault::NoValue, 0),
        ("1e999", Fault::Range, 0),
        ("// c\n1", Fault::NoValue, 0),
    ] {
        let (found, at, ..) = fault(text.as_bytes());
        assert_eq!((found, at), (fault_told, offset), "{text:?}");
        // What is passed over is read as strictly; only the range of numbers is no matter of the grammar.
        assert_eq!(skip(text.as_bytes()).is_err(), fault_told != Fault::Range, "{text:?}");
    }
    let error = read("{\n  \"ä\": [1,\n  ?]}".as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "a value is expected here (line 3, column 3)");
}

#[test]
fn s6_depth_is_bounded_exactly() {
    let nested = |open: &str, close: &str, levels: usize| format!("{}1{}", open.repeat(levels), close.repeat(levels));
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let step = open.matches(['[', '{']).count();
        for most in [step * 8, 32, 64, MOST_LEVELS] {
            let allowed = nested(open, close, most / step);
            let mut reader = JsonReader::new(allowed.as_bytes(), most).unwrap();
            assert_eq!(reader.skip_value().unwrap(), allowed);
            assert_eq!(reader.depth(), 0);
            let deeper = nested(open, close, most / step + 1);
            let mut reader = JsonReader::new(deeper.as_bytes(), most).unwrap();
            assert_eq!(reader.skip_value().unwrap_err().fault(), Fault::Depth(most));
            let mut reader = JsonReader::new(deeper.as_bytes(), most).unwrap();
            assert_eq!(reader.value().unwrap_err().fault(), Fault::Depth(most));
        }
    }
    // More than the most is never allowed, and a bomb ends at the level that is one too many.
    let bomb = "[".repeat(1_000_000);
    let error = JsonReader::new(bomb.as_bytes(), usize::MAX)
        .unwrap()
        .skip_value()
        .unwrap_err();
    assert_eq!(
        (error.fault(), error.offset()),
        (Fault::Depth(MOST_LEVELS), MOST_LEVELS)
    );
}

#[test]
fn a_text_has_no_byte_order_mark() {
    let fault = |text| {
        JsonReader::of_text(text, 1)
            .peek()
            .map_err(|error| (error.fault(), error.offset()))
    };
    assert_eq!(fault("7"), Ok(Kind::Number));
    assert_eq!(fault("\u{feff}7"), Err((Fault::NoValue, 0)));
}

#[test]
fn repeated_keys_are_found_with_their_places() {
    for (text, value, places) in [
        (r#"{"a": 1, "b": {"a": 2}}"#, json!({"a": 1, "b": {"a": 2}}), vec![]),
        (r#"{"a": 1, "\u0061": 2, "a": 3}"#, json!({"a": 3}), vec!["/a", "/a"]),
        (
            r#"[0, {"x/y": [{"~": 1, "~": 2}]}]"#,
            json!([0, {"x/y": [{"~": 2}]}]),
            vec!["/1/x~1y/0/~0"],
        ),
    ] {
        let (read, duplicates) = JsonReader::of_text(text, 8).value_and_duplicates().unwrap();
        let places: Vec<String> = places.into_iter().map(str::to_owned).collect();
        assert_eq!((read, duplicates), (value, places), "{text}");
    }
}

#[test]
fn a_pointer_is_written_from_the_root_on() {
    let (root, list) = (Pointer::Root, "a/b~");
    let list = Pointer::Key(&root, list);
    assert_eq!(Pointer::Item(&list, 7).to_string(), "/a~1b~0/7");
    assert_eq!(root.to_string(), "");
}

#[test]
fn values_are_asked_for_by_their_kind() {
    let bytes = br#" {"a": "x\ty", "b": -1.50e1, "c": [true, false, null], "d": {"e": 1}, "f": 7} "#;
    let mut reader = JsonReader::new(bytes, 8).unwrap();
    reader.begin_object().unwrap();
    assert!(reader.next_key().unwrap().unwrap().is("a"));
    let text = reader.text().unwrap();
    assert_eq!((text.raw(), text.is_escaped(), &*text.read()), ("x\\ty", true, "x\ty"));
    assert_eq!(reader.next_key().unwrap().unwrap().raw(), "b");
    assert_eq!(reader.number().unwrap().raw(), "-1.50e1");
    reader.next_key().unwrap();
    assert_eq!(reader.peek().unwrap(), Kind::Array);
    reader.begin_array().unwrap();
    assert!(reader.next_item().unwrap() && reader.boolean().unwrap());
    assert!(reader.next_item().unwrap() && !reader.boolean().unwrap());
    assert!(reader.next_item().unwrap());
    assert_eq!(reader.clone().text().unwrap_err().fault(), Fault::Kind("a string"));
    assert_eq!(
        reader.clone().begin_object().unwrap_err().fault(),
        Fault::Kind("an object")
    );
    reader.null().unwrap();
    assert!(!reader.next_item().unwrap());
    reader.next_key().unwrap();
    assert_eq!(reader.skip_value().unwrap(), r#"{"e": 1}"#);
    assert!(reader.next_key().unwrap().unwrap().is("f"));
    assert_eq!(reader.value().unwrap(), json!(7));
    assert!(reader.next_key().unwrap().is_none());
    reader.end().unwrap();
}

#[test]
fn texts_are_compared_and_counted_with_their_escapes_read() {
    let text = |raw: &'static str| JsonReader::new(raw.as_bytes(), 1).unwrap().text().unwrap();
    assert!(text(r#""$ref""#).is("$ref"));
    assert!(text(r#""\u0024r\u0065f""#).is("$ref"));
    assert!(!text(r#""\\u0024ref""#).is("$ref"));
    assert_eq!(
        text(r#""\b\f\n\r\t\"\\\/\u00e4\ud83d\ude00""#).read(),
        "\u{8}\u{c}\n\r\t\"\\/ä😀"
    );
    assert!(!text(r#""\u00e4\ud83d\ude00a""#).is_longer_than(3));
    assert!(text(r#""\u00e4\ud83d\ude00a""#).is_longer_than(2));
    assert!(!text(r#""äöü""#).is_longer_than(3));
}

/// Values as documents have them; numbers of every form come from [`spoiled`].
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e12..1e12f64).prop_map(Value::from),
        texts().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::vec((texts(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_]{0,12}", any::<String>(), "[\"\\\\\u{0}-\u{1f}äß😀/]{0,6}"]
}

/// A document, written in one of several ways.
fn documents() -> impl Strategy<Value = Vec<u8>> {
    (values(), 0..3u8, any::<bool>()).prop_map(|(value, style, has_mark)| {
        let mut text = match style {
            0 => serde_json::to_string(&value).unwrap(),
            1 => serde_json::to_string_pretty(&value).unwrap().replace('\n', "\r\n\t"),
            // Every character that is not ASCII as escapes.
            _ => serde_json::to_string(&value)
                .unwrap()
                .chars()
                .map(|letter| {
                    if letter.is_ascii() {
                        letter.to_string()
                    } else {
                        letter
                            .encode_utf16(&mut [0; 2])
                            .iter()
                            .map(|unit| format!("\\u{unit:04X}"))
                            .collect()
                    }
                })
                .collect(),
        };
        if has_mark {
            text.insert(0, '\u{feff}');
        }
        text.into_bytes()
    })
}

/// What a spoiled document gets at a place.
fn spoilers() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..3),
        proptest::sample::select(vec![
            "\"", "\\", "\\u", "\\ud800", "\\udc00", "{", "}", "[", "]", ",", ":", " ", "\n", "0", "-", ".", "e",
            "E+5", "1e5", "-0", "1.50", "true", "null", "\0", "\u{feff}", "\u{2028}", "//", "\"a\":", "\"a\":1,",
            "1e400", "\\/",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

/// What serde_json makes of it, which knows no mark of byte order.
fn oracle(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

fn same(bytes: &[u8]) -> Result<(), TestCaseError> {
    let shown = String::from_utf8_lossy(bytes).into_owned();
    match (oracle(bytes), read(bytes)) {
        (Ok(theirs), Ok(ours)) => {
            prop_assert_eq!(theirs, ours, "{}", shown);
            prop_assert!(skip(bytes).is_ok(), "{}", shown);
        }
        (Err(_), Err(ours)) => {
            // Only the range of a number is no matter of the grammar.
            prop_assert!(skip(bytes).is_err() || ours.fault() == Fault::Range, "{}", shown);
            prop_assert!(ours.offset() <= bytes.len());
        }
        (theirs, ours) => prop_assert!(false, "{}: {:?} but {:?}", shown, theirs, ours),
    }
    Ok(())
}

proptest! {
    #![proptest_config(lore_testing::cases_or_long(2_000, 200_000))]

    #[test]
    fn s6_documents_are_read_as_serde_json_reads_them(document in documents()) {
        prop_assert!(oracle(&document).is_ok());
        same(&document)?;
    }

    #[test]
    fn s6_spoiled_documents_get_the_verdict_of_serde_json(
        document in documents(),
        spoilt in proptest::collection::vec((any::<prop::sample::Index>(), 0..4usize, spoilers()), 1..4),
    ) {
        let mut document = document;
        for (place, removed, put) in spoilt {
            let from = place.index(document.len() + 1);
            let to = (from + removed).min(document.len());
            document.splice(from..to, put);
        }
        same(&document)?;
    }

    #[test]
    fn s6_any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        same(&bytes)?;
    }
}
