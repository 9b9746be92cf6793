//! What is refused and with which words, what is found in a body that is not, and the bounds, exactly.

use super::*;

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "fedcba9876543210fedcba9876543210fedcba98";

fn format(text: &str) -> FormatId {
    FormatId::parse(text).unwrap()
}

fn judged(name: &str, body: impl AsRef<[u8]>) -> BodyFacts {
    judge(&format(name), body.as_ref()).unwrap()
}

fn refused(name: &str, body: impl AsRef<[u8]>) -> Refusal {
    judge(&format(name), body.as_ref()).unwrap_err()
}

fn told(refusal: &Refusal) -> Vec<String> {
    refusal.errors.iter().map(ToString::to_string).collect()
}

/// A body of `generic@1` with this among its members.
fn generic(member: &str) -> String {
    format!(r#"{{"nodes":[],"edges":[],{member}}}"#)
}

fn metadata() -> String {
    format!(
        r#""metadata":{{"tool":"lore","tool_version":"0.1.0","generated_at":"2026-11-16T08:00:00Z","commit":"{SHA}"}}"#
    )
}

#[test]
fn j1_a_mark_of_byte_order_is_passed_over_and_hashed() {
    let plain = generic(&metadata());
    let marked = format!("\u{feff}{plain}");
    let (one, other) = (judged("generic@1", &plain), judged("generic@1", &marked));
    assert_ne!(one.digest, other.digest);
    assert_eq!(other.bytes, one.bytes + 3);
    assert_eq!(
        BodyFacts {
            digest: one.digest.clone(),
            bytes: one.bytes,
            ..other
        },
        one
    );
    assert_eq!(
        judged("generic@1", r#"{"nodes":[],"edges":[]}"#).digest,
        "a461bf77bc4e4d732f7afc121c70e7f70ed8bf225a082a4e01951d1eb6b5c278"
    );
}

#[test]
fn j1_what_is_not_utf_8_is_refused_with_its_place() {
    let refusal = refused("generic@1", b"{\"nodes\":[],\"edges\":[],\"x\":\"\xff\"}");
    assert_eq!(refusal.kind, RefusalKind::NotJson);
    assert_eq!(refusal.reason, "not JSON: not UTF-8 (line 1, column 29)");
    // UTF-16, as some editors write it.
    let utf16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(refused("generic@1", utf16).kind, RefusalKind::NotJson);
}

#[test]
fn j2_unknown_fields_are_ignored_at_every_level() {
    let extra = r#""x-unknown":{"deep":[{"er":[null,true,1e5,"t"]}]}"#;
    for (name, body) in [
        (
            "understand-anything@1",
            format!(
                r#"{{{extra},"nodes":[{{{extra},"id":"a","kind":"file","label":"a"}}],"edges":[{{{extra},"from":"a","to":"a","kind":"k"}}],"metadata":{{{extra}}}}}"#
            ),
        ),
        (
            "gitnexus@1",
            format!(
                r#"{{{extra},"graph":{{{extra},"nodes":[{{{extra},"id":"a","properties":{{{extra}}}}}],"links":[{{{extra},"source":"a","target":"a"}}]}},"metadata":{{{extra}}}}}"#
            ),
        ),
        (
            "generic@1",
            format!(r#"{{{extra},"nodes":[{{{extra}}}],"edges":[{{{extra}}}],"metadata":{{{extra}}}}}"#),
        ),
    ] {
        let facts = judged(name, body);
        assert_eq!((facts.nodes, facts.edges), (1, 1), "{name}");
    }
}

#[test]
fn c9_a_key_ref_is_refused_at_any_depth_however_it_is_written() {
    for (body, place) in [
        (r##"{"$ref":"#","nodes":[],"edges":[]}"##.to_owned(), "/$ref"),
        (generic(r##""x":{"$ref":"#"}"##), "/x/$ref"),
        (generic(r##""x":[1,[{"y":{"$ref":{}}}]]"##), "/x/1/0/y/$ref"),
        (generic(r#""x":{"\u0024ref":1}"#), "/x/$ref"),
        (generic(r#""x":{"$\u0072\u0065f":1}"#), "/x/$ref"),
        (
            r##"{"nodes":[{"id":"a","$ref":"#"}],"edges":[]}"##.to_owned(),
            "/nodes/0/$ref",
        ),
        (
            r##"{"edges":[],"metadata":{"commit":{"$ref":0}},"nodes":[]}"##.to_owned(),
            "/metadata/commit/$ref",
        ),
    ] {
        let refusal = refused("generic@1", &body);
        assert_eq!(refusal.kind, RefusalKind::Structure, "{body}");
        assert_eq!(refusal.reason, format!("{place}: the key `$ref` is not allowed"));
    }
}

#[test]
fn ruling10_only_the_key_and_only_exactly_that_is_refused() {
    for member in [
        r#""x":"$ref""#,
        r#""x":["$ref"]"#,
        r#""$refs":1"#,
        r#""$Ref":1"#,
        r#""ref":1"#,
        r#"" $ref":1"#,
        r#""\\u0024ref":1"#,
    ] {
        judged("generic@1", generic(member));
    }
}

#[test]
fn c9_depth_is_bounded_at_32_levels_and_the_body_is_the_first() {
    let nested = |levels: usize| generic(&format!(r#""x":{}{}"#, "[".repeat(levels), "]".repeat(levels)));
    judged("generic@1", nested(31));
    let refusal = refused("generic@1", nested(32));
    assert_eq!(refusal.kind, RefusalKind::Structure);
    assert_eq!(refusal.reason, "nested deeper than 32 levels (line 1, column 59)");
    let objects = |levels: usize| generic(&format!(r#""x":{}1{}"#, r#"{"a":"#.repeat(levels), "}".repeat(levels)));
    judged("generic@1", objects(31));
    assert_eq!(refused("generic@1", objects(32)).kind, RefusalKind::Structure);
    // A bomb ends at the first level that is too deep, whatever follows.
    for open in ["[", r#"{"a":"#, r#"[{"nodes":"#] {
        let bomb = open.repeat(5_000_000 / open.len());
        assert_eq!(refused("generic@1", &bomb).kind, RefusalKind::Structure);
        assert_eq!(
            refused("ccg@1", generic(&format!(r#""x":{bomb}"#))).kind,
            RefusalKind::Structure
        );
    }
}

#[test]
fn p5_labels_have_4096_characters_at_most() {
    let body = |node: &str, edge: &str| format!(r#"{{"nodes":[{{{node}}}],"edges":[{{{edge}}}]}}"#);
    for letter in ["a", "ä", "😀", r"\u00e4", r"\ud83d\ude00", r"\n"] {
        let (most, more) = (letter.repeat(4_096), letter.repeat(4_097));
        for key in ["label", "name", "kind", "type", "qualified_name"] {
            judged("generic@1", body(&format!(r#""{key}":"{most}""#), ""));
            let refusal = refused("generic@1", body(&format!(r#""{key}":"{more}""#), ""));
            assert_eq!(refusal.kind, RefusalKind::Structure);
            assert_eq!(
                refusal.reason,
                format!("/nodes/0/{key}: a label has at most 4096 characters")
            );
        }
        for key in ["label", "kind", "type"] {
            judged("generic@1", body("", &format!(r#""{key}":"{most}""#)));
            let refusal = refused("generic@1", body("", &format!(r#""{key}":"{more}""#)));
            assert_eq!(refusal.kind, RefusalKind::Structure);
        }
    }
    // What is not shown as a name may be long: a summary, the text of a symbol.
    let long = "a".repeat(10_000);
    judged("generic@1", body(&format!(r#""summary":"{long}""#), ""));
    let in_graph =
        |label: &str| format!(r#"{{"graph":{{"nodes":[{{"id":"a","properties":{{"name":"{label}"}}}}],"links":[]}}}}"#);
    judged("gitnexus@1", in_graph(&"a".repeat(4_096)));
    assert_eq!(
        refused("gitnexus@1", in_graph(&"a".repeat(4_097))).reason,
        "/graph/nodes/0/properties/name: a label has at most 4096 characters"
    );
}

#[test]
fn ruling2_52428800_bytes_are_allowed_and_one_more_is_refused() {
    let body = |bytes: usize| {
        let mut body = b"{\"nodes\":[],\"edges\":[]}".to_vec();
        body.resize(bytes, b' ');
        body
    };
    assert_eq!(judged("generic@1", body(52_428_800)).bytes, 52_428_800);
    let refusal = refused("generic@1", body(52_428_801));
    assert_eq!(refusal.kind, RefusalKind::Oversize);
    assert_eq!(refusal.reason, "52428801 bytes; a body has at most 52428800");
}

#[test]
fn p4_what_is_too_large_is_refused_unread() {
    // What is no JSON is too large first, and so is what has a format that nobody knows.
    assert_eq!(refused("generic@1", vec![0; 52_428_801]).kind, RefusalKind::Oversize);
    assert_eq!(refused("nobody@7", vec![0; 52_428_801]).kind, RefusalKind::Oversize);
}

/// A body with so many nodes and edges.
fn counted(nodes: usize, edges: usize) -> String {
    let list = |item: &str, count: usize| vec![item; count].join(",");
    format!(r#"{{"nodes":[{}],"edges":[{}]}}"#, list("{}", nodes), list("0", edges))
}

#[test]
fn ruling3_too_many_nodes_or_edges_are_too_many_and_not_oversize() {
    let refusal = refused("generic@1", counted(100_001, 0));
    assert_eq!(
        (refusal.kind, &*refusal.reason),
        (RefusalKind::Counts, "more than 100000 nodes")
    );
    let refusal = refused("generic@1", counted(0, 500_001));
    assert_eq!(
        (refusal.kind, &*refusal.reason),
        (RefusalKind::Counts, "more than 500000 edges")
    );
}

#[test]
fn p5_100000_nodes_and_500000_edges_are_allowed_and_no_more() {
    let facts = judged("generic@1", counted(100_000, 500_000));
    assert_eq!((facts.nodes, facts.edges), (100_000, 500_000));
    let links = |count: usize| {
        let nodes: Vec<String> = (0..count).map(|number| format!(r#"{{"id":"{number}"}}"#)).collect();
        format!(r#"{{"graph":{{"nodes":[{}],"links":[]}}}}"#, nodes.join(","))
    };
    assert_eq!(judged("gitnexus@1", links(100_000)).nodes, 100_000);
    assert_eq!(refused("gitnexus@1", links(100_001)).kind, RefusalKind::Counts);
    let files = |count: usize| {
        let path = r#"{"path":"a"}"#;
        let manifest = r#""manifest":{"tool":"t","tool_version":"1","generated_at":"2026-01-01T00:00:00Z","file_count":7,"byte_count":1,"token_estimate":1,"format":"xml"}"#;
        format!(
            r#"{{{manifest},"content_url":"https://a.example/b","files":[{}]}}"#,
            vec![path; count].join(",")
        )
    };
    assert_eq!(judged("bundle@1", files(100_000)).nodes, 7);
    assert_eq!(refused("bundle@1", files(100_001)).reason, "more than 100000 files");
}

#[test]
fn p5_a_million_nodes_end_at_the_first_that_is_too_many() {
    // What stands behind it is no JSON at all, and is never reached.
    let body = format!(r#"{{"nodes":[{}?"#, "{},".repeat(1_000_000));
    assert_eq!(refused("generic@1", body).kind, RefusalKind::Counts);
}

#[test]
fn p2_ids_stand_once() {
    let body = |ids: &[&str]| {
        let nodes: Vec<String> = ids.iter().map(|id| format!(r#"{{"id":{id}}}"#)).collect();
        format!(r#"{{"nodes":[{}],"edges":[]}}"#, nodes.join(","))
    };
    judged(
        "generic@1",
        body(&[
            r#""a""#, r#""b""#, r#""A""#, "1", r#""1""#, "2", "-1", "1.5", "null", "null", "{}", "{}",
        ]),
    );
    for (ids, shown) in [
        ([r#""a""#, r#""a""#], "\"a\""),
        ([r#""a""#, r#""\u0061""#], "\"a\""),
        (["1", "1"], "1"),
        (["1", "1.0"], "1"),
        (["100", "1e2"], "100"),
        (["-1.5", "-1.5"], "\"-1.5\""),
    ] {
        let refusal = refused("generic@1", body(&["0", ids[0], ids[1]]));
        assert_eq!(refusal.kind, RefusalKind::Schema);
        assert_eq!(
            told(&refusal),
            [format!("/nodes/2/id: duplicate id {shown}, also of item 1")]
        );
        assert_eq!(
            refusal.reason,
            format!("not a body of generic@1: /nodes/2/id: duplicate id {shown}, also of item 1")
        );
    }
    let nexus = r#"{"graph":{"nodes":[{"id":"a"},{"id":"b"},{"id":"a"}],"links":[]}}"#;
    assert_eq!(
        told(&refused("gitnexus@1", nexus)),
        ["/graph/nodes/2/id: duplicate id \"a\", also of item 0"]
    );
}

#[test]
fn p2_the_first_five_errors_are_told_with_pointers() {
    let body = r#"{"nodes":[{"id":1,"kind":"method","label":"a"},{"kind":"file","label":[]},3],"edges":{},"metadata":{"tool":"lore"}}"#;
    let refusal = refused("understand-anything@1", body);
    assert_eq!(refusal.kind, RefusalKind::Schema);
    assert_eq!(
        told(&refusal),
        [
            "/nodes/0/id: a string is expected, not a number",
            "/nodes/0/kind: \"method\" is not one of file, function, class, module, concept",
            "/nodes/1/label: a string is expected, not an array",
            "/nodes/1: `id` is missing",
            "/nodes/2: an object is expected, not a number",
        ]
    );
    assert_eq!(
        refusal.reason,
        "not a body of understand-anything@1: /nodes/0/id: a string is expected, not a number (and 6 more)"
    );
    assert_eq!(refusal.errors[0].pointer, "/nodes/0/id");
    for (body, message) in [
        ("[]", "the body: an object is expected, not an array"),
        ("null", "the body: an object is expected, not null"),
        (r#"{"nodes":[]}"#, "the body: `edges` is missing"),
        (
            r#"{"nodes":[],"edges":[],"metadata":null}"#,
            "/metadata: an object is expected, not null",
        ),
        (
            r#"{"nodes":[],"edges":[],"metadata":{"tool":"lore"}}"#,
            "/metadata/tool: \"lore\" is not \"understand-anything\"",
        ),
    ] {
        assert_eq!(told(&refused("understand-anything@1", body)), [message], "{body}");
    }
}

#[test]
fn p2_what_is_repeated_of_a_body_is_short_and_has_no_hidden_characters() {
    let kind = format!("{}\u{202e}\u{7}", "k".repeat(50));
    let body = format!(
        r#"{{"nodes":[{{"id":"a","kind":"{}{}","label":"a"}}],"edges":[]}}"#,
        kind.replace('\u{7}', "\\u0007"),
        "x".repeat(100)
    );
    let told = told(&refused("understand-anything@1", body));
    assert_eq!(
        told,
        [format!(
            "/nodes/0/kind: \"{}\\u{{202e}}\\u{{7}}xxxxxxxx…\" is not one of file, function, class, module, concept",
            "k".repeat(50)
        )]
    );
    let key = format!("a/b~c\\u0007{}", "k".repeat(1_000));
    let refusal = refused("generic@1", generic(&format!(r#""{key}":{{"$ref":1}}"#)));
    assert!(
        refusal.reason.starts_with("/a~1b~0c\\u{7}kkkk") && refusal.reason.len() < 400,
        "{}",
        refusal.reason
    );
}

#[test]
fn s6_of_two_members_with_one_key_the_last_counts_and_a_warning_says_so() {
    let facts = judged(
        "understand-anything@1",
        r#"{"nodes":[{"id":1},{"id":1},7],"edges":[1,2],
            "nodes":[{"id":5,"kind":"file","label":"a","id":"x"},{"id":"x","id":"y","kind":"concept","kind":"class","label":"b"}],"edges":[]}"#,
    );
    assert_eq!((facts.nodes, facts.edges), (2, 0));
    assert_eq!(facts.top_kinds, [("class".to_owned(), 1), ("file".to_owned(), 1)]);
    assert_eq!(
        facts.warnings[1..],
        [
            "duplicate key \"id\" in /nodes/0; the last one counts",
            "duplicate key \"id\" in /nodes/1; the last one counts",
            "duplicate key \"nodes\" in the body; the last one counts",
        ]
    );
    // The last one counts also if it is the one that is wrong.
    let refusal = refused("generic@1", r#"{"nodes":[],"edges":[],"nodes":{}}"#);
    assert_eq!(told(&refusal), ["/nodes: an array is expected, not an object"]);
    // However they are written, and however often.
    let facts = judged(
        "generic@1",
        format!(
            r#"{{"nodes":0,"n\u006fdes":1,"edges":[],"nodes":[{{}}],"metadata":{{"commit":"{SHA}","commit":"{OTHER}"}}}}"#
        ),
    );
    assert_eq!(facts.nodes, 1);
    assert_eq!(facts.source_sha.unwrap().as_str(), OTHER);
}

#[test]
fn s6_unknown_keys_that_stand_twice_are_warned_about_too() {
    let warnings = |member: &str| judged("generic@1", generic(&format!("{},{member}", metadata()))).warnings;
    assert_eq!(
        warnings(r#""x":1,"y":2,"x":3"#),
        ["duplicate key \"x\" in the body; the last one counts"]
    );
    assert_eq!(
        warnings(r#""deep":[{"a":1,"b":{"c":1,"d":2,"\u0063":3}}]"#),
        ["duplicate key \"c\" in /deep/0/b; the last one counts"]
    );
    // Among many keys, and only so many are told.
    let many: Vec<String> = (0..5_000).map(|number| format!(r#""k{number}":0"#)).collect();
    assert_eq!(warnings(&format!(r#""m":{{{}}}"#, many.join(","))), [] as [&str; 0]);
    assert_eq!(
        warnings(&format!(r#""m":{{{},"k77":1}}"#, many.join(","))),
        ["duplicate key \"k77\" in /m; the last one counts"]
    );
    let list = vec![r#"{"a":1,"a":2}"#; 50].join(",");
    assert_eq!(warnings(&format!(r#""m":[{list}]"#)).len(), 3);
    // Siblings and parents may have the same keys.
    assert_eq!(
        warnings(r#""m":[{"a":{"a":1,"b":2}},{"a":1,"b":2},{"b":{"b":{"b":[]}}}]"#),
        [] as [&str; 0]
    );
}

#[test]
fn s6_what_a_visitor_saw_before_a_second_reading_is_taken_back() {
    let mut names = Vec::new();
    let body =
        br#"{"nodes":[{"name":"old"}],"edges":[],"nodes":[{"label":"n\u0065w","kind":"k"},{"type":"t","name":"b"},1]}"#;
    judge_with(&format("generic@1"), body, &mut |seen| match seen {
        Seen::Restart => names.clear(),
        Seen::Node(node) => {
            let read = |text: Option<Text<'_>>| text.map(|text| text.read().into_owned());
            names.push((node.index, read(node.name), read(node.kind)));
        }
    })
    .unwrap();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(names, [(0, some("new"), some("k")), (1, some("b"), some("t"))]);
}

#[test]
fn s6_a_schema_error_does_not_hide_what_stands_behind_it() {
    // Structure is judged before the format, wherever it stands.
    let body = r#"{"nodes":{},"edges":[],"x":{"$ref":1}}"#;
    assert_eq!(refused("generic@1", body).kind, RefusalKind::Structure);
    assert_eq!(
        refused("generic@1", r#"{"nodes":{},"edges":[]"#).kind,
        RefusalKind::NotJson
    );
    assert_eq!(
        refused("generic@1", r#"{"nodes":[],"edges":[]} x"#).kind,
        RefusalKind::NotJson
    );
    assert_eq!(
        refused("generic@1", "{\"nodes\":[],\n\"edges\":[],}").reason,
        "not JSON: a key in double quotes is expected here (line 2, column 12)"
    );
    assert_eq!(
        refused("generic@1", "").reason,
        "not JSON: the document is empty (line 1, column 1)"
    );
    assert_eq!(
        refused("generic@1", generic(r#""x":"\ud83d""#)).reason,
        "not JSON: half of a surrogate pair in a string (line 1, column 29)"
    );
    assert_eq!(refused("generic@1", generic("\"x\":\"\0\"")).kind, RefusalKind::NotJson);
}

#[test]
fn r1_the_commit_is_the_first_of_its_places_that_is_one() {
    let ua = |metadata: &str| format!(r#"{{"nodes":[],"edges":[],"metadata":{{{metadata}}}}}"#);
    let crg = |metadata: &str, stats: &str| {
        format!(
            r#"{{"nodes":[],"edges":[],"stats":{{"total_nodes":0,"total_edges":0,"nodes_by_kind":{{}},"edges_by_kind":{{}},"languages":[],"files_count":0{stats}}},"metadata":{{{metadata}}}}}"#
        )
    };
    let nexus = |metadata: &str, graph: &str| {
        format!(r#"{{"graph":{{"nodes":[],"links":[],"metadata":{{{graph}}}}},"metadata":{{{metadata}}}}}"#)
    };
    let bundle = |manifest: &str, metadata: &str| {
        format!(
            r#"{{"metadata":{{{metadata}}},"content_url":"https://a.example/","manifest":{{"tool":"t","tool_version":"1","generated_at":"x","file_count":0,"byte_count":0,"token_estimate":0,"format":"xml"{manifest}}}}}"#
        )
    };
    let one = &format!(r#""commit":"{SHA}""#);
    let other = &format!(r#""commit":"{OTHER}""#);
    for (name, body, commit) in [
        (
            "understand-anything@1",
            ua(&format!(r#"{one},"source_sha":"{OTHER}""#)),
            Some(OTHER),
        ),
        (
            "understand-anything@1",
            ua(&format!(r#""source_sha":"main",{one}"#)),
            Some(SHA),
        ),
        (
            "understand-anything@1",
            ua(&format!(r#""source_sha":7,{one}"#)),
            Some(SHA),
        ),
        (
            "gitnexus@1",
            nexus(&format!(r#""repo":{{{other}}},{one}"#), other),
            Some(SHA),
        ),
        (
            "gitnexus@1",
            nexus(&format!(r#""commit":"abc","repo":{{{other}}}"#), one),
            Some(OTHER),
        ),
        ("gitnexus@1", nexus(r#""repo":null"#, one), Some(SHA)),
        ("gitnexus@1", nexus("", ""), None),
        ("code-review-graph@1", crg(one, &format!(",{other}")), Some(SHA)),
        (
            "code-review-graph@1",
            crg(r#""commit":null"#, &format!(",{other}")),
            Some(OTHER),
        ),
        ("bundle@1", bundle(&format!(",{one}"), other), Some(SHA)),
        ("bundle@1", bundle("", other), Some(OTHER)),
        ("generic@1", ua(one), Some(SHA)),
        ("ccg@1", ua(one), Some(SHA)),
        // Capital letters are made small, what is abbreviated is absent (J4).
        (
            "generic@1",
            ua(&one.to_uppercase().replace("COMMIT", "commit")),
            Some(SHA),
        ),
        ("generic@1", ua(r#""commit":"0123456""#), None),
        ("generic@1", ua(&format!(r#""source_sha":"{SHA}""#)), None),
    ] {
        let facts = judged(name, &body);
        assert_eq!(facts.source_sha.as_ref().map(Commit::as_str), commit, "{name} {body}");
    }
}

#[test]
fn v1_another_number_is_another_format() {
    let body = r#"{"nodes":[],"edges":[]}"#;
    judged("generic@1", body);
    for name in ["generic@2", "generic@0", "ccg@2", "understand-anything@10"] {
        assert_eq!(refused(name, body).kind, RefusalKind::UnknownFormat, "{name}");
    }
}

#[test]
fn v2_a_format_that_is_not_known_is_named_and_the_body_is_not_judged() {
    let refusal = refused("graphify@3", "no JSON");
    assert_eq!(
        (refusal.kind, refusal.kind.code()),
        (RefusalKind::UnknownFormat, "unknown_format")
    );
    assert_eq!(
        refusal.reason,
        "unknown format graphify@3; known formats are ccg@1, code-review-graph@1, gitnexus@1, understand-anything@1, generic@1, bundle@1"
    );
}

#[test]
fn ruling8_metadata_that_is_missing_is_a_warning() {
    let warnings = |body: &str| judged("generic@1", body).warnings;
    assert_eq!(
        warnings(r#"{"nodes":[],"edges":[]}"#),
        ["`metadata` is missing: tool, version, time and commit are unknown"]
    );
    assert_eq!(
        warnings(&generic(r#""metadata":{}"#)),
        [
            "`tool` is missing in `metadata`",
            "`tool_version` is missing in `metadata`",
            "`generated_at` is missing in `metadata`",
            "`commit` is missing in `metadata`"
        ]
    );
    assert_eq!(
        warnings(&generic(
            r#""metadata":{"tool":1,"tool_version":"2","generated_at":"yesterday","commit":"abc1234"}"#
        )),
        [
            "`tool` is missing in `metadata`",
            "`generated_at` is \"yesterday\", not an RFC 3339 time; it is ignored",
            "`commit` is \"abc1234\", not a commit id of forty hexadecimal digits; it is ignored"
        ]
    );
    let facts = judged("generic@1", generic(&metadata()));
    assert_eq!(facts.warnings, [] as [&str; 0]);
    assert_eq!(facts.tool.as_deref(), Some("lore"));
    assert_eq!(facts.tool_version.as_deref(), Some("0.1.0"));
    assert_eq!(facts.generated_at.as_deref(), Some("2026-11-16T08:00:00Z"));
    assert_eq!(facts.source_sha.unwrap().as_str(), SHA);
}

#[test]
fn j3_the_time_of_a_body_is_read_with_fractions_and_offsets() {
    let body = generic(r#""metadata":{"generated_at":"2026-05-08T14:00:00.123+02:00"}"#);
    assert_eq!(
        judged("generic@1", body).generated_at.as_deref(),
        Some("2026-05-08T12:00:00Z")
    );
}

#[test]
fn kinds_and_languages_are_counted_in_small_letters_and_the_first_ten_are_told() {
    let mut nodes: Vec<String> = (0..12)
        .map(|number| {
            format!(r#"{{"id":"{number}","label":"Kind{number:02}","properties":{{"language":"L{number:02}"}}}}"#)
        })
        .collect();
    for (id, label) in [("a", "METHOD"), ("b", "Method"), ("c", "method"), ("d", "kind11")] {
        nodes.push(format!(r#"{{"id":"{id}","label":"{label}","type":"ignored"}}"#));
    }
    nodes.push(r#"{"id":"e","type":"kind10","label":"","language":""}"#.to_owned());
    let body = format!(
        r#"{{"graph":{{"nodes":[{}],"links":[{{"source":"a","target":"b"}}]}},"metadata":{{"languages":["A","a",7,"l00"]}}}}"#,
        nodes.join(",")
    );
    let facts = judged("gitnexus@1", body);
    assert_eq!((facts.nodes, facts.edges), (17, 1));
    let kinds: Vec<(&str, u64)> = facts.top_kinds.iter().map(|(kind, count)| (&**kind, *count)).collect();
    assert_eq!(
        kinds,
        [
            ("method", 3),
            ("kind11", 2),
            ("kind00", 1),
            ("kind01", 1),
            ("kind02", 1),
            ("kind03", 1),
            ("kind04", 1),
            ("kind05", 1),
            ("kind06", 1),
            ("kind07", 1)
        ]
    );
    assert_eq!(
        facts.languages,
        ["a", "l00", "l01", "l02", "l03", "l04", "l05", "l06", "l07", "l08"]
    );
}

#[test]
fn a_bundle_has_as_many_nodes_as_it_says_it_has_files() {
    let body = r#"{"manifest":{"tool":"repomix","tool_version":"1.18.1","generated_at":"2026-05-08T12:00:00Z","file_count":230,"byte_count":5,"token_estimate":9,"format":"xml"},
        "content_url":"https://a.example/b.xml","files":[{"path":"a.py","language":"Python"},{"path":"b/c.rs"}]}"#;
    let mut paths = Vec::new();
    let facts = judge_with(&format("bundle@1"), body.as_bytes(), &mut |seen| {
        if let Seen::Node(node) = seen {
            paths.push(node.name.map(|name| name.read().into_owned()).unwrap_or_default());
        }
    })
    .unwrap();
    assert_eq!((facts.nodes, facts.edges), (230, 0));
    assert_eq!(facts.languages, ["python"]);
    assert_eq!(paths, ["a.py", "b/c.rs"]);
    assert_eq!(facts.warnings, ["`commit` is missing in `manifest`"]);
}

#[test]
fn the_page_about_formats_shows_what_is_said() {
    let page = include_str!("../../../../docs/ckgp-formats.md");
    let (_, examples) = page.split_once("```refused\n").unwrap();
    let (examples, _) = examples.split_once("\n```").unwrap();
    let mut shown = 0;
    for example in examples.split("\n\n") {
        let (asked, reason) = example.split_once('\n').unwrap();
        let (name, body) = asked.split_once(' ').unwrap();
        assert_eq!(refused(name, body).reason, reason, "{asked}");
        shown += 1;
    }
    assert_eq!(shown, 13);
    for most in [MOST_BYTES, MOST_NODES as u64, MOST_EDGES as u64, MOST_LABEL as u64] {
        let digits = most.to_string();
        let grouped: Vec<&str> = digits
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|group| str::from_utf8(group).unwrap())
            .collect();
        assert!(page.contains(&format!("| {} |", grouped.join(","))), "{most}");
    }
}
