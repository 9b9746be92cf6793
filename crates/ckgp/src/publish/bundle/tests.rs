//! Packed texts and their manifests.

use serde_json::Value;

use super::super::body::Most;
use super::super::stamp::Stamp;
use super::super::testing::graph;
use super::*;
use crate::FormatId;
use crate::body::judge;
use lore_seam::ErrorKind;

const GRAPH: &str = "
    file a.py python module=a
    sym a.f function in=a
    file b.md markdown module=b
    file gone.py python module=gone
    edge b call a.f
";

fn packed(bytes: usize, no_scrub: bool) -> Packed {
    let graph = graph(GRAPH);
    let stamp = Stamp {
        generated_at: "2026-11-16T08:00:00Z".to_owned(),
        commit: crate::Commit::parse("0123456789abcdef0123456789abcdef01234567"),
        dirty: false,
    };
    let source = Source {
        graph: &graph,
        stamp: &stamp,
        repository: Some("https://github.com/o/r"),
        root: None,
        no_scrub,
        most: Most {
            bytes,
            ..Most::default()
        },
    };
    let mut read = |path: &str| match path {
        "a.py" => Ok(b"def f():\n    return 'jane@firm.org'\n".to_vec()),
        "b.md" => Ok(b"Text with ```` in it".to_vec()),
        _ => Err(OpError::new(ErrorKind::Unavailable, "it is gone")),
    };
    make(&source, "https://raw.example.org/.lore/bundle.md", "o/r", &mut read).expect("it is packed")
}

#[test]
fn p2_a_bundle_packs_files_in_fences_that_nothing_in_them_closes() {
    let packed = packed(10_000, false);
    let text = String::from_utf8(packed.content).expect("it is text");
    let wanted = "# o/r\n\n## a.py\n\n```python\ndef f():\n    return '[email]'\n```\n\n## b.md\n\n`````markdown\nText with ```` in it\n`````\n";
    assert_eq!(text, wanted);
}

#[test]
fn p3_the_manifest_of_a_bundle_has_every_field() {
    let packed = packed(10_000, false);
    let document: Value = serde_json::from_slice(&packed.body.bytes).expect("it is JSON");
    let manifest = &document["manifest"];
    for (field, wanted) in [
        ("tool", Value::from("lore")),
        ("generated_at", "2026-11-16T08:00:00Z".into()),
        ("commit", "0123456789abcdef0123456789abcdef01234567".into()),
        ("file_count", 2.into()),
        ("byte_count", packed.content.len().into()),
        ("token_estimate", packed.content.len().div_ceil(4).into()),
        ("format", "markdown".into()),
    ] {
        assert_eq!(manifest[field], wanted, "{field}");
    }
    assert_eq!(manifest["scrubbed"]["emails"], 1);
    assert_eq!(manifest["partial"]["files"], serde_json::json!({"kept": 2, "of": 3}));
    assert_eq!(document["content_url"], "https://raw.example.org/.lore/bundle.md");
    assert_eq!(
        document["files"][0],
        serde_json::json!({"path": "a.py", "bytes": 30, "language": "python"})
    );
    let id = FormatId::parse("bundle@1").expect("a format");
    let facts = judge(&id, &packed.body.bytes).expect("it is sound");
    assert_eq!((facts.nodes, facts.edges), (2, 0));
    let schema: Value = serde_json::from_str(crate::formats::known(&id).expect("known").schema).expect("JSON");
    assert!(jsonschema::is_valid(&schema, &document));
}

#[test]
fn p4_a_bundle_that_is_too_large_holds_the_files_that_others_lean_on() {
    let packed = packed(200, false);
    let text = String::from_utf8(packed.content).expect("it is text");
    assert!(text.contains("## a.py") && !text.contains("## b.md"), "{text}");
    assert!(packed.body.part.is_some());
}

#[test]
fn p7_a_bundle_is_left_as_it_is_when_nobody_wants_it_scrubbed() {
    let text = String::from_utf8(packed(10_000, true).content).expect("it is text");
    assert!(text.contains("jane@firm.org"));
}
