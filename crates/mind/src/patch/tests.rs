//! What is written reads back, and what strangers write is refused.

use crate::raw_patch::RawPatch;
use proptest::prelude::*;

use super::*;
use crate::testing::{node, words};
use crate::value::Json;
use crate::value::tests::any_json;

fn id(digit: u8) -> ObjectId {
    ObjectId::new(&[digit; 20]).expect("20 bytes")
}

fn raw(message: impl Into<Vec<u8>>, blobs: Vec<Vec<u8>>) -> RawPatch<'static> {
    RawPatch {
        id: id(9),
        parents: Vec::new().into(),
        message: message.into().into(),
        blobs: blobs.into_iter().map(Into::into).collect(),
        fault: None,
    }
}

fn time() -> Time {
    Time::parse("2026-02-10T14:30:00.000Z").expect("a time")
}

fn put(text: &str) -> Operation {
    let (edge, put) = words(text);
    Operation::PutEdge {
        edge,
        fields: EdgeFields {
            confidence: Written::now(put.confidence),
            rationale: None,
            reviewed_at: None,
            created_at: Written::now(time()),
        },
        seen: Vec::new(),
    }
}

fn put_node(text: &str) -> Operation {
    Operation::PutNode {
        id: node(text),
        set: Vec::new(),
        clear: Vec::new(),
        seen: Vec::new(),
    }
}

const WRITER: &str = "mfzgk43uobqxg5dborsxg33pou";

#[test]
fn store1_a_small_patch_is_a_message_of_a_subject_lines_and_trailers() {
    let operations = vec![put("task:A blocks task:B"), put_node("task:B"), put_node("task:A")];
    let encoded = encode("mind: link task:A blocks task:B", 1, WRITER, Some(id(7)), operations).expect("a patch");
    let expected = "mind: link task:A blocks task:B\n\n\
        [\"n\",\"task:A\",{},[],[]]\n\
        [\"n\",\"task:B\",{},[],[]]\n\
        [\"e\",\"task:A\",\"task:B\",\"blocks\",{\"a\":\"2026-02-10T14:30:00.000Z\",\"c\":1},[]]\n\n\
        Lore-Mind: 1\nLore-Lamport: 1\nLore-Writer: mfzgk43uobqxg5dborsxg33pou\n\
        Lore-Head: 0707070707070707070707070707070707070707\nLore-Operations: 3\n";
    assert_eq!((encoded.message.as_str(), encoded.chunks.len()), (expected, 0));
}

#[test]
fn store2_the_same_change_has_the_same_bytes_whatever_its_order() {
    let Operation::PutEdge { edge, mut fields, .. } = put("task:A blocks task:B .4") else {
        return;
    };
    fields.created_at.lamport = Some(1);
    let change = Operation::PutEdge {
        edge,
        fields,
        seen: vec![Tag {
            patch: id(3),
            operation: 2,
        }],
    };
    let one = encode("mind: x", 2, WRITER, None, vec![change.clone(), put_node("a:b")]).expect("a patch");
    let other = encode("mind: x", 2, WRITER, None, vec![put_node("a:b"), change]).expect("a patch");
    assert_eq!(one, other);
    let line = "[\"p\",\"0303030303030303030303030303030303030303\"]\n[\"n\",\"a:b\",{},[],[]]\n\
        [\"e\",\"task:A\",\"task:B\",\"blocks\",{\"a\":\"2026-02-10T14:30:00.000Z\",\"al\":1,\"c\":0.4},[[0,2]]]\n";
    assert!(one.message.contains(line), "{}", one.message);
}

#[test]
fn store3_operations_stand_in_blobs_when_they_are_many() {
    let many =
        |count: usize| -> Vec<Operation> { (0..count).map(|number| put_node(&format!("task:{number}"))).collect() };
    let small = encode("mind: x", 1, WRITER, None, many(300)).expect("a patch");
    assert_eq!(small.chunks.len(), 0);
    let large = encode("mind: x", 1, WRITER, None, many(400)).expect("a patch");
    assert_eq!((large.chunks.len(), large.message.matches("task:").count()), (1, 0));
    let value: Box<str> = format!("\"{}\"", "x".repeat(200_000)).into();
    let wide: Vec<Operation> = (0..100)
        .map(|number| Operation::PutNode {
            id: node(&format!("task:{number}")),
            set: vec![("k".into(), value.clone())],
            clear: Vec::new(),
            seen: Vec::new(),
        })
        .collect();
    let wide = encode("mind: x", 1, WRITER, None, wide).expect("a patch");
    assert_eq!(wide.chunks.len(), 3);
    let Decoded::Patch(patch) = decode(&raw(wide.message, wide.chunks)) else {
        panic!("a patch");
    };
    assert_eq!(patch.operations.len(), 100);
}

/// A message with these lines, which says that it has so many.
fn message(lines: &[&str]) -> String {
    let count = lines.len();
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("s\n\n{lines}\nLore-Mind: 1\nLore-Lamport: 1\nLore-Writer: a\nLore-Operations: {count}\n")
}

fn said(lines: &[&str]) -> String {
    match decode(&raw(message(lines), Vec::new())) {
        Decoded::Faulty(why) => why,
        other => format!("{other:?}"),
    }
}

const AT: &str = "\"a\":\"2026-02-10T14:30:00.000Z\"";

#[test]
fn hostile1_a_bad_id_refuses_the_patch() {
    let ids = ["Task:a", "", "a b:c", "repo:x", "epoch:abc"];
    for id in ids {
        let why = said(&[&format!("[\"n\",\"{id}\",{{}},[],[]]")]);
        assert!(why.starts_with("operation 0: "), "{why}");
    }
    assert!(said(&["[\"n\",7,{},[],[]]"]).contains("not text"));
}

#[test]
fn hostile2_a_confidence_that_is_none_refuses_the_patch() {
    for confidence in ["7", "-1", "\"0.9\"", "null", "true", "1e999"] {
        let why = said(&[&format!(
            "[\"e\",\"a:b\",\"c:d\",\"blocks\",{{{AT},\"c\":{confidence}}},[]]"
        )]);
        assert!(why.contains("confidence"), "{confidence}: {why}");
    }
    assert!(said(&[&format!("[\"e\",\"a:b\",\"c:d\",\"blocks\",{{{AT}}},[]]")]).contains("no confidence"));
    assert!(
        said(&[&format!("[\"e\",\"a:b\",\"c:d\",\"blocks\",{{{AT},\"c\":NaN}},[]]")])
            .contains("a value is expected here")
    );
}

#[test]
fn hostile3_a_node_that_blocks_itself_refuses_the_patch() {
    let why = said(&[&format!("[\"e\",\"a:b\",\"a:b\",\"blocks\",{{{AT},\"c\":1}},[]]")]);
    assert_eq!(
        why,
        "operation 0: an edge of type `blocks` cannot lead from a node to itself"
    );
}

#[test]
fn hostile4_what_is_too_large_is_not_read() {
    let fine = message(&["[\"n\",\"a:b\",{},[],[]]"]);
    let mut huge = raw(fine.clone(), Vec::new());
    huge.message = format!("{}{fine}", "x".repeat(Limits::MESSAGE_BYTES))
        .into_bytes()
        .into();
    assert!(matches!(decode(&huge), Decoded::Faulty(_)));
    let trailers = "s\n\nLore-Mind: 1\nLore-Lamport: 1\nLore-Writer: a\nLore-Operations: 1\n";
    let zeros = raw(trailers, vec![vec![0; Limits::BLOB_BYTES + 1]]);
    assert!(matches!(decode(&zeros), Decoded::Faulty(_)));
    let many = raw(trailers, vec![b"[]\n".to_vec(); Limits::BLOBS + 1]);
    assert!(matches!(decode(&many), Decoded::Faulty(_)));
}

#[test]
fn hostile9_deep_long_and_broken_lines_refuse_the_patch() {
    let deep = format!(
        "[\"n\",\"a:b\",{{\"k\":{}1{}}},[],[]]",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    assert!(said(&[&deep]).contains("nested deeper than"));
    let long = format!("[\"n\",\"a:b\",{{\"k\":[{}1]}},[],[]]", "1,".repeat(200_000));
    assert!(matches!(
        decode(&raw(message(&[&long]), Vec::new())),
        Decoded::Faulty(_)
    ));
    let mut bytes = message(&["[\"n\",\"a:b\",{},[],[]]"]).into_bytes();
    bytes[0] = 0xff;
    assert!(matches!(decode(&raw(bytes, Vec::new())), Decoded::Faulty(_)));
    assert!(said(&["[\"n\",\"a:b\",{\"k\":\"\0\"},[],[]]"]).contains("control character"));
    assert!(said(&["[\"n\",\"a:b\",{\"\":1},[],[]]"]).contains("empty"));
}

#[test]
fn hostile10_unknown_operations_formats_and_counts_refuse_the_patch() {
    let fine = "[\"n\",\"a:b\",{},[],[]]";
    assert!(said(&["[\"x\",1]"]).contains("does not know the operation"));
    assert!(said(&[fine, fine]).contains("not in order"));
    assert!(said(&["{}"]).contains("not a list"));
    let changed = |from: &str, to: &str| match decode(&raw(message(&[fine]).replace(from, to), Vec::new())) {
        Decoded::Faulty(why) => why,
        other => format!("{other:?}"),
    };
    assert_eq!(
        changed("Lore-Mind: 1", "Lore-Mind: 2"),
        "it was written by a newer Lore"
    );
    assert_eq!(
        changed("Operations: 1", "Operations: 2"),
        "it declares 2 operations and has 1"
    );
    for lamport in ["0", "-1", "", "01", "99999999999999999999999"] {
        assert!(
            changed("Lore-Lamport: 1", &format!("Lore-Lamport: {lamport}")).contains("Lore-Lamport"),
            "{lamport}"
        );
    }
    assert!(changed("Lore-Writer: a", "Lore-Writer: A/..").contains("Lore-Writer"));
    assert!(changed("Lore-Operations: 1", "Lore-Operations: 1\nMore: x").contains("unknown trailers"));
    assert_eq!(
        decode(&raw("fix: a bug\n\nSigned-off-by: x\n", Vec::new())),
        Decoded::NotAPatch
    );
}

#[test]
fn hostile11_tags_without_a_table_and_times_of_another_form_refuse_the_patch() {
    assert!(said(&["[\"n\",\"a:b\",{},[],[[0,0]]]"]).contains("a tag is not valid"));
    let table = "[\"p\",\"0303030303030303030303030303030303030303\"]";
    assert!(said(&[table, "[\"n\",\"a:b\",{},[],[[1,0]]]"]).contains("a tag is not valid"));
    assert!(said(&[table, "[\"n\",\"a:b\",{},[],[[0,-1]]]"]).contains("a tag is not valid"));
    assert!(said(&["[\"e\",\"a:b\",\"c:d\",\"blocks\",{\"a\":\"now\",\"c\":1},[]]"]).contains("a time"));
    assert!(said(&[table]).contains("has no operations"));
}

/// Any operation on a few nodes.
fn any_operation() -> impl Strategy<Value = Operation> {
    let a_node = "(task|repo:o/n:doc):[a-c]{1,2}".prop_map(|text| node(&text));
    let tags = prop::collection::vec((0_u8..4, 0_u32..9), 0..3).prop_map(|tags| {
        let tag = |(patch, operation)| Tag {
            patch: id(patch),
            operation,
        };
        tags.into_iter().map(tag).collect::<Vec<Tag>>()
    });
    let key = "[a-z\"\\\\\n]{1,3}";
    let properties = prop::collection::btree_map(key, any_json(), 0..3).prop_map(|map| {
        let property = |(key, value): (String, Json)| (key.into(), value.canonical().into());
        map.into_iter().map(property).collect::<Vec<Property>>()
    });
    let keys = prop::collection::btree_set(key, 0..3)
        .prop_map(|keys| keys.into_iter().map(Into::into).collect::<Vec<Box<str>>>());
    let kind = prop::sample::select(vec![EdgeType::RelatesTo, EdgeType::Implements]);
    let triple =
        (a_node.clone(), a_node.clone(), kind).prop_map(|(source, target, kind)| Triple { source, target, kind });
    let lamport = prop::option::of(1_u64..9);
    let fields = (
        0.0..=1.0_f64,
        lamport.clone(),
        prop::option::of(prop::option::of(".{0,6}")),
        lamport,
    )
        .prop_map(|(confidence, confidence_at, rationale, created_when)| EdgeFields {
            confidence: Written {
                value: Confidence::new(confidence).expect("a confidence"),
                lamport: confidence_at,
            },
            rationale: rationale.map(|text| Written::now(text.map(Into::into))),
            reviewed_at: confidence_at.map(|_| Written::now(Some(time()))),
            created_at: Written {
                value: time(),
                lamport: created_when,
            },
        });
    prop_oneof![
        (a_node.clone(), properties, keys.clone(), tags.clone())
            .prop_map(|(id, set, clear, seen)| Operation::PutNode { id, set, clear, seen }),
        (a_node, tags.clone(), keys).prop_map(|(id, seen, clear)| Operation::RemoveNode { id, seen, clear }),
        (triple.clone(), fields, tags.clone()).prop_map(|(edge, fields, seen)| Operation::PutEdge {
            edge,
            fields,
            seen
        }),
        (triple, tags).prop_map(|(edge, seen)| Operation::RemoveEdge { edge, seen }),
        (0_u8..9).prop_map(|digit| Operation::Epoch {
            commit: id(digit),
            time: time()
        }),
    ]
}

fn any_operations() -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec(any_operation(), 1..12).prop_map(|mut operations| {
        operations.sort_by(|left, right| left.order().cmp(&right.order()));
        operations.dedup_by(|left, right| left.order() == right.order());
        operations
    })
}

proptest! {
    #![proptest_config(lore_testing::cases(256))]

    #[test]
    fn store2_patches_read_back_as_they_were_written(operations in any_operations(), lamport in 1_u64..1_000) {
        let encoded = encode("mind: x", lamport, WRITER, Some(id(1)), operations.clone()).expect("a patch");
        let Decoded::Patch(patch) = decode(&raw(encoded.message, encoded.chunks)) else {
            return Err(TestCaseError::fail("no patch"));
        };
        prop_assert_eq!(patch.operations, operations);
        prop_assert_eq!((patch.lamport, &*patch.writer, patch.head), (lamport, WRITER, Some(id(1))));
    }

    #[test]
    fn hostile9_changed_bytes_give_a_patch_or_a_reason(operations in any_operations(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let encoded = encode("mind: x", 3, WRITER, None, operations).expect("a patch");
        let mut bytes = encoded.message.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = decode(&raw(bytes, encoded.chunks));
    }

    #[test]
    fn hostile9_any_bytes_give_a_patch_or_a_reason(lines in ".{0,80}") {
        let _ = decode(&raw(message(&[&lines]), Vec::new()));
    }
}
