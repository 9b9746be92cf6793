//! Records: ours anew, others as they were.

use super::*;
use crate::formats::RECORD_SCHEMA;
use crate::record::{Document, parse};

const OURS: &str = "https://raw.githubusercontent.com/o/r/main/.lore/graph.json";
const THEIRS: &str = "https://raw.githubusercontent.com/o/r/main/.gitnexus/graph.json";

fn stamp(time: &str) -> Stamp {
    Stamp {
        generated_at: time.to_owned(),
        commit: crate::Commit::parse("0123456789abcdef0123456789abcdef01234567"),
        dirty: false,
    }
}

fn ours(time: &str) -> Vec<Listed> {
    let mut first = Listed::new("ccg@1", OURS.to_owned(), &stamp(time));
    first.description = Some("A shop".to_owned());
    first.tags = vec!["python".to_owned()];
    vec![first, Listed::new("generic@1", OURS.to_owned(), &stamp(time))]
}

fn listing(record: &str) -> Listing {
    Listing::read(Some(record.as_bytes())).expect("a record")
}

#[test]
fn d1_a_record_is_written_as_text_that_its_readers_take() {
    let record = Listing::default()
        .with(&ours("2026-11-16T08:00:00Z"))
        .expect("it lists something");
    let wanted = r#"{
  "schema_version": 1,
  "graphs": [
    {
      "format": "ccg@1",
      "graph_url": "https://raw.githubusercontent.com/o/r/main/.lore/graph.json",
      "tool_version": "VERSION",
      "generated_at": "2026-11-16T08:00:00Z",
      "source_sha": "0123456789abcdef0123456789abcdef01234567",
      "description": "A shop",
      "tags": [
        "python"
      ]
    },
    {
      "format": "generic@1",
      "graph_url": "https://raw.githubusercontent.com/o/r/main/.lore/graph.json",
      "tool_version": "VERSION",
      "generated_at": "2026-11-16T08:00:00Z",
      "source_sha": "0123456789abcdef0123456789abcdef01234567"
    }
  ]
}
"#;
    assert_eq!(text(&record), wanted.replace("VERSION", VERSION));
    let schema: Value = serde_json::from_str(RECORD_SCHEMA).expect("JSON");
    assert!(jsonschema::is_valid(&schema, &record));
    let Ok(Document::Record { record, warnings }) = parse(text(&record).as_bytes()) else {
        unreachable!("it is a record")
    };
    assert_eq!((record.graphs.len(), warnings.len()), (2, 0));
}

#[test]
fn p6_graphs_of_other_tools_stay_as_they_are_and_ours_are_replaced_in_their_place() {
    let before = listing(&format!(
        r#"{{"graphs":[{{"graph_url":"{THEIRS}","format":"gitnexus@1","strange":[1]}},
            {{"format":"ccg@1","graph_url":"{OURS}?x"}},7,
            {{"format":"bundle@1","graph_url":"https://x.org/.repomix/out.json"}},
            {{"format":"generic@1","graph_url":"https://x.org/.lore/graph.json"}}],"extra":{{"a":1}},"schema_version":1}}"#
    ));
    assert_eq!((before.others(), before.our_paths()), (3, vec![".lore/graph.json"]));
    let after = before.with(&ours("2026-11-16T08:00:00Z")).expect("it lists something");
    let formats: Vec<Value> = after["graphs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|graph| graph["format"].clone())
        .collect();
    assert_eq!(
        formats,
        [
            Value::from("gitnexus@1"),
            "ccg@1".into(),
            "generic@1".into(),
            Value::Null,
            "bundle@1".into()
        ]
    );
    assert_eq!(after["graphs"][0]["strange"], serde_json::json!([1]));
    assert_eq!(after["extra"]["a"], 1);
    let again = listing(&text(&after));
    assert!(again.is(&after));
    // Where there is none of ours yet, they come behind the others, the first of which is the primary.
    let only_theirs = listing(&format!(
        r#"{{"schema_version":1,"graphs":[{{"format":"gitnexus@1","graph_url":"{THEIRS}"}}]}}"#
    ));
    let after = only_theirs
        .with(&ours("2026-11-16T08:00:00Z"))
        .expect("it lists something");
    assert_eq!(after["graphs"][0]["graph_url"], THEIRS);
}

#[test]
fn p10_a_record_without_graphs_is_none() {
    assert_eq!(Listing::default().with(&[]), None);
    assert_eq!(listing(r#"{"schema_version":1,"graphs":[]}"#).with(&[]), None);
}

#[test]
fn ruling17_a_record_never_lists_more_than_thirty_two_graphs() {
    let theirs = |count: usize| {
        let graphs: Vec<String> = (0..count)
            .map(|at| format!(r#"{{"format":"f{at}@1","graph_url":"https://x.org/{at}"}}"#))
            .collect();
        listing(&format!(r#"{{"schema_version":1,"graphs":[{}]}}"#, graphs.join(",")))
    };
    let count = |listing: Listing| {
        listing
            .with(&ours("2026-11-16T08:00:00Z"))
            .and_then(|record| Some(record["graphs"].as_array()?.len()))
    };
    assert_eq!(count(theirs(30)), Some(32));
    assert_eq!(count(theirs(31)), Some(32));
    assert_eq!(count(theirs(32)), Some(32));
    // More of others are theirs to keep.
    assert_eq!(count(theirs(40)), Some(40));
}

#[test]
fn ruling14_what_is_no_record_is_somebodys_and_not_replaced() {
    for (document, why) in [
        ("", "not JSON"),
        ("[]", "not an object"),
        ("{}", "schema_version is missing"),
        (r#"{"schema_version":2,"graphs":[]}"#, "schema_version is 2"),
        (r#"{"schema_version":1,"service":{}}"#, "the document of an aggregator"),
        (r#"{"schema_version":1,"graphs":{}}"#, "not a list"),
    ] {
        let refused = Listing::read(Some(document.as_bytes())).expect_err(document);
        assert!(refused.message.contains(why), "{}", refused.message);
        assert_eq!(refused.kind, ErrorKind::Refused);
    }
    assert!(Listing::read(Some(b"\xef\xbb\xbf{\"schema_version\":1.0,\"graphs\":[]}")).is_ok());
}

#[test]
fn amend_check_records_are_compared_without_when_and_of_which_commit_ours_are() {
    let record = |time: &str| Listing::default().with(&ours(time)).expect("it lists something");
    let before = listing(&text(&record("2026-11-16T08:00:00Z")));
    let later = record("2027-01-01T00:00:00Z");
    assert!(!before.is(&later) && before.is_but_for_stamps(&later));
    let mut other = later.clone();
    other["graphs"][0]["tool_version"] = "0".into();
    assert!(!before.is_but_for_stamps(&other));
    // Of others the time is theirs, and a change of it a change.
    let theirs = |time: &str| {
        listing(&format!(
            r#"{{"schema_version":1,"graphs":[{{"format":"gitnexus@1","graph_url":"{THEIRS}","generated_at":"{time}"}}]}}"#
        ))
    };
    let after = theirs("2027-01-01T00:00:00Z")
        .with(&ours("2026-11-16T08:00:00Z"))
        .expect("it lists something");
    let mut moved = after.clone();
    moved["graphs"][0]["generated_at"] = "2028-01-01T00:00:00Z".into();
    let present = listing(&text(&after));
    assert!(present.is_but_for_stamps(&after) && !present.is_but_for_stamps(&moved));
}
