//! Records, text in, text out.

use super::*;

/// What a text says, a line for each graph and each warning.
fn read(text: impl AsRef<[u8]>) -> String {
    match parse(text.as_ref()) {
        Ok(Document::Record { record, warnings }) => {
            let mut lines: Vec<String> = Vec::new();
            for graph in &record.graphs {
                let mut line = format!("{} {}", graph.format, graph.graph_url);
                for part in [&graph.tool_version, &graph.generated_at, &graph.description] {
                    line.push_str(&format!(" {}", part.as_deref().unwrap_or("-")));
                }
                line.push_str(&format!(
                    " {} {}",
                    graph.source_sha.as_ref().map_or("-", Commit::as_str),
                    graph.tags.join(",")
                ));
                lines.push(line.trim_end().to_owned());
            }
            lines.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
            lines.join("\n")
        }
        Ok(Document::Service(service)) => format!("service {service:?}"),
        Err(fault) => format!("! {fault}"),
    }
}

fn of_graphs(graphs: &str) -> String {
    format!(r#"{{"schema_version": 1, "graphs": [{graphs}]}}"#)
}

const SHA: &str = "abc1234567890abc1234567890abc1234567890a";

#[test]
fn d1_a_record_says_what_graphs_there_are() {
    let text = of_graphs(&format!(
        r#"{{"format": "ccg@1", "graph_url": "https://example.org/g.json", "tool_version": "0.1.0",
            "generated_at": "2026-05-08T14:00:00.25+02:00", "source_sha": "{}", "description": "All of it.", "tags": ["a", "b_c"],
            "later": {{"deep": [1]}}}}"#,
        SHA.to_uppercase()
    ));
    assert_eq!(
        read(text),
        format!("ccg@1 https://example.org/g.json 0.1.0 2026-05-08T12:00:00Z All of it. {SHA} a,b_c")
    );
}

#[test]
fn j1_a_byte_order_mark_is_taken_off_once() {
    let text = of_graphs(r#"{"format": "ccg@1", "graph_url": "https://example.org/g.json"}"#);
    let once = format!("\u{feff}{text}");
    assert_eq!(read(&once), "ccg@1 https://example.org/g.json - - - -");
    assert!(read(format!("\u{feff}{once}")).starts_with("! the record is not JSON: "));
    assert!(read(b"{\"schema_version\": 1, \"x\": \"\xff\"}").starts_with("! the record is not JSON: "));
}

#[test]
fn j2_fields_that_nobody_knows_change_nothing() {
    let plain = of_graphs(r#"{"format": "ccg@1", "graph_url": "https://example.org/g.json"}"#);
    let more = r#"{"$schema": "x", "schema_version": 1, "service": {"name": "n"}, "graphs": [
        {"format": "ccg@1", "graph_url": "https://example.org/g.json", "license": null, "x": [[[]]]}]}"#;
    assert_eq!(read(more), read(plain));
}

#[test]
fn j4_a_commit_that_is_not_whole_is_taken_for_absent() {
    let text = of_graphs(r#"{"format": "ccg@1", "graph_url": "https://example.org/g.json", "source_sha": "abc1234"}"#);
    assert_eq!(
        read(text),
        "ccg@1 https://example.org/g.json - - - -\nwarning: graphs[0]: ignored source_sha \"abc1234\""
    );
}

#[test]
fn j5_an_address_that_is_not_absolute_https_drops_its_graph() {
    for url in [
        "http://example.org/g.json",
        "g.json",
        "//example.org/g.json",
        "/g.json",
        "https:g",
        "ftp://e/g",
        "https://",
    ] {
        let text = of_graphs(&format!(
            r#"{{"format": "ccg@1", "graph_url": "{url}"}}, {{"format": "bundle@1", "graph_url": "https://example.org/b.json"}}"#
        ));
        let expected = format!(
            "bundle@1 https://example.org/b.json - - - -\nwarning: graphs[0] is skipped: its graph_url `{url}` is not an absolute https address"
        );
        assert_eq!(read(text), expected);
    }
}

#[test]
fn d2_a_bad_graph_is_left_out_with_a_warning_and_the_others_stay() {
    let good = r#"{"format": "generic@1", "graph_url": "https://example.org/g.json"}"#;
    let text = of_graphs(&format!(
        r#"7, {{"graph_url": "https://e.org/a"}}, {{"format": "CCG", "graph_url": "https://e.org/a"}}, {{"format": "ccg@1"}}, {good}"#
    ));
    assert_eq!(
        read(text),
        "generic@1 https://example.org/g.json - - - -\n\
         warning: graphs[0] is skipped: not an object\n\
         warning: graphs[1] is skipped: `format` is missing\n\
         warning: graphs[2] is skipped: `CCG` is not a format\n\
         warning: graphs[3] is skipped: `graph_url` is missing"
    );
    assert_eq!(
        read(of_graphs("{}")),
        "! the record lists no usable graph: graphs[0] is skipped: `format` is missing"
    );
    for (text, fault) in [
        ("[]", "! the record is not an object"),
        (
            "{",
            "! the record is not JSON: EOF while parsing an object at line 1 column 1",
        ),
        (r#"{"schema_version": 1}"#, "! the record lists no graphs"),
        (r#"{"schema_version": 1, "graphs": []}"#, "! the record lists no graphs"),
        (r#"{"schema_version": 1, "graphs": {}}"#, "! the record lists no graphs"),
    ] {
        assert_eq!(read(text), fault);
    }
    assert!(read("[".repeat(100_000)).starts_with("! the record is not JSON: recursion limit"));
    assert!(read(" ".repeat((1 << 20) + 1)).starts_with("! the record has more than"));
}

#[test]
fn d3_what_only_the_informative_schema_forbids_is_taken() {
    let long = "9".repeat(100);
    let text = of_graphs(&format!(
        r#"{{"format": "ccg@1", "graph_url": "https://example.org/g.json", "tool_version": "{long}", "generated_at": 7, "tags": ["a b", "c", 7]}}"#
    ));
    assert_eq!(
        read(text),
        format!(
            "ccg@1 https://example.org/g.json {long} - - - c\n\
             warning: graphs[0]: ignored generated_at 7\n\
             warning: graphs[0]: skipped 2 tags"
        )
    );
    let text = of_graphs(&format!(
        r#"{{"format": "ccg@1", "graph_url": "https://example.org/g.json", "description": "{}"}}"#,
        "\u{e9}".repeat(300)
    ));
    let Ok(Document::Record { record, .. }) = parse(text.as_bytes()) else {
        panic!("a record");
    };
    let description = record.graphs[0].description.as_deref().unwrap();
    assert_eq!(description.chars().count(), 280);
}

#[test]
fn amend_c3_another_version_is_not_supported() {
    for (version, shown) in [("2", "2"), ("\"1\"", "\"1\""), ("null", "null"), ("1.5", "1.5")] {
        let text = format!(r#"{{"schema_version": {version}, "graphs": [{{}}]}}"#);
        assert_eq!(
            read(text),
            format!("! the record has schema_version {shown}; only 1 is supported")
        );
    }
    assert_eq!(
        read(r#"{"graphs": []}"#),
        "! the record has schema_version (none); only 1 is supported"
    );
    assert_eq!(
        read(r#"{"schema_version": 1.0, "graphs": []}"#),
        "! the record lists no graphs"
    );
}

#[test]
fn ruling14_an_aggregators_document_is_told_apart_by_its_lack_of_graphs() {
    let text = r#"{"schema_version": 1, "service": {"name": "reg", "url": "https://r.org", "registry_url": "https://r.org/registry.json", "stats_url": "http://r.org/s"}}"#;
    assert_eq!(
        parse(text.as_bytes()),
        Ok(Document::Service(Service {
            name: Some("reg".to_owned()),
            registry_url: Some("https://r.org/registry.json".to_owned()),
            stats_url: None,
        }))
    );
}

#[test]
fn ruling17_more_than_thirty_two_graphs_are_read_with_a_warning_and_not_written() {
    let one = r#"{"format": "ccg@1", "graph_url": "https://example.org/g.json"}"#;
    let many = vec![one; 33].join(",");
    let Ok(Document::Record { mut record, warnings }) = parse(of_graphs(&many).as_bytes()) else {
        panic!("a record");
    };
    assert_eq!(record.graphs.len(), 33);
    assert_eq!(warnings, ["the record lists 33 graphs; at most 32 are recommended"]);
    assert_eq!(write(&record), Err(WriteFault::TooManyGraphs(33)));
    record.graphs.truncate(32);
    assert!(write(&record).is_ok());
    assert_eq!(write(&Record::default()), Err(WriteFault::NoGraphs));
}

#[test]
fn d1_what_is_written_is_read_back() {
    let mut graph = Descriptor::new(FormatId::parse("ccg@1").unwrap(), "https://example.org/g.json");
    graph.generated_at = Some("2026-05-08T12:00:00Z".to_owned());
    graph.source_sha = Commit::parse(SHA);
    graph.tags = vec!["code".to_owned()];
    let record = Record { graphs: vec![graph] };
    let text = write(&record).unwrap();
    assert_eq!(
        text,
        r#"{
  "schema_version": 1,
  "graphs": [
    {
      "format": "ccg@1",
      "graph_url": "https://example.org/g.json",
      "generated_at": "2026-05-08T12:00:00Z",
      "source_sha": "abc1234567890abc1234567890abc1234567890a",
      "tags": [
        "code"
      ]
    }
  ]
}
"#
    );
    let warnings = Vec::new();
    assert_eq!(parse(text.as_bytes()), Ok(Document::Record { record, warnings }));
}
