//! Bodies of `ccg@1`, text for text.

use jsonschema::Validator;
use serde_json::Value;

use super::super::body::{Body, Most, make};
use super::super::stamp::Stamp;
use super::super::testing::graph;
use super::*;
use crate::FormatId;
use crate::body::judge;
use crate::formats::known;

const SMALL: &str = "
    file src/cart.py python module=shop.cart
    import os.path join join
    sym shop.cart.Cart class line=3 end=20 in=shop.cart sig=\"class Cart\" doc=\"A cart.\\n\\nMore of it.\" deco=@dataclass
    sym shop.cart.Cart.add method line=5 end=7 in=shop.cart.Cart private async entry sig=\"def add(self, item)\"
    file tests/test_cart.py python module=test_cart test
    sym test_cart.test_add test line=2 in=test_cart local anonymous
    edge shop.cart.Cart.add call os.path.join typed at=6
    edge test_cart.test_add tests shop.cart.Cart.add at=3
    edge test_cart.test_add call shop.cart.Cart.add name at=3
    lost shop.cart.Cart.add 7 gone
";

fn stamp() -> Stamp {
    Stamp {
        generated_at: "2026-11-16T08:00:00Z".to_owned(),
        commit: crate::Commit::parse("0123456789abcdef0123456789abcdef01234567"),
        dirty: false,
    }
}

fn body(lines: &str, no_scrub: bool) -> Body {
    let graph = graph(lines);
    let source = Source {
        graph: &graph,
        stamp: &stamp(),
        repository: Some("https://github.com/o/shop"),
        root: None,
        no_scrub,
        most: Most::default(),
    };
    make::<Ccg>(&source).expect("it fits")
}

fn text(body: &Body) -> &str {
    std::str::from_utf8(&body.bytes).expect("it is text")
}

fn check(format: &str, bytes: &[u8]) {
    let id = FormatId::parse(format).expect("it is a format");
    let schema = known(&id).expect("it is known").schema;
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let validator: Validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let document: Value = serde_json::from_slice(bytes).expect("the body is JSON");
    let errors: Vec<String> = validator
        .iter_errors(&document)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{format}: {errors:?}");
    if let Err(refusal) = judge(&id, bytes) {
        unreachable!("{format}: {refusal:?}");
    }
}

#[test]
fn p2_a_body_is_nodes_and_edges_with_a_line_for_each() {
    let body = body(SMALL, false);
    let lines: Vec<&str> = text(&body).lines().collect();
    let wanted = r#"{"directed":true,"multigraph":true,
"metadata":{"tool":"lore","tool_version":"VERSION","format":"ccg@1","generated_at":"2026-11-16T08:00:00Z","commit":"0123456789abcdef0123456789abcdef01234567","dirty":false,"repository":"https://github.com/o/shop","languages":["python"],"counts":{"files":2,"symbols":5,"edges":3,"unresolved":1}},
"nodes":[
{"id":"FILE","kind":"file","path":"src/cart.py","language":"python","bytes":100,"code":8,"comment":1,"blank":2,"hash":"0707070707070707070707070707070707070707","module":"MODULE","imports":[{"module":"os.path","name":"join","local":"join","line":1}]},"#;
    let wanted = wanted.replace("VERSION", super::super::VERSION);
    for (line, wanted) in lines.iter().zip(wanted.lines()) {
        let ids = [("FILE", "fpiejnj462f"), ("MODULE", "sjcdkiyuxnp")];
        let wanted = ids
            .iter()
            .fold(wanted.to_owned(), |line, (name, id)| line.replace(name, id));
        assert_eq!(*line, wanted);
    }
    let document: Value = serde_json::from_slice(&body.bytes).expect("it is JSON");
    let node = |name: &str| {
        let nodes = document["nodes"].as_array().expect("a list");
        nodes.iter().find(|node| node["name"] == name).expect(name).clone()
    };
    let class = node("Cart");
    let fields: Vec<&String> = class.as_object().expect("an object").keys().collect();
    let mut wanted = [
        "id",
        "kind",
        "name",
        "qualified_name",
        "file",
        "parent",
        "line",
        "end_line",
        "signature",
        "doc",
        "decorators",
    ];
    wanted.sort_unstable();
    assert_eq!(fields, wanted, "what is usual is left out");
    assert_eq!(
        (&class["doc"], &class["decorators"][0]),
        (&"A cart.".into(), &"@dataclass".into())
    );
    let method = node("add");
    assert_eq!(method["parent"], class["id"]);
    assert_eq!(method["visibility"], "private");
    assert_eq!(method["modifiers"], serde_json::json!(["async"]));
    assert_eq!(
        (&method["entry_point"], &method["complexity"]),
        (&true.into(), &1.into())
    );
    let test = node("test_add");
    assert_eq!((&test["local"], &test["anonymous"]), (&true.into(), &true.into()));
    assert_eq!(node("os.path.join")["kind"], "external");
    let edges = document["edges"].as_array().expect("a list");
    let kinds: Vec<&str> = edges.iter().filter_map(|edge| edge["kind"].as_str()).collect();
    assert_eq!(kinds, ["call", "call", "tests"]);
    assert_eq!(
        (&edges[0]["resolution"], &edges[0]["lines"]),
        (&"typed".into(), &serde_json::json!([6]))
    );
    assert_eq!(
        document["unresolved"],
        serde_json::json!([{"source": method["id"], "line": 7, "name": "gone"}])
    );
    assert_eq!((body.nodes, body.edges), (8, 3));
}

#[test]
fn p2_a_body_is_valid_as_our_own_format_and_as_the_general_one() {
    let body = body(SMALL, false);
    check("ccg@1", &body.bytes);
    check("generic@1", &body.bytes);
    // An empty list is a list too.
    let empty = self::body("file a.py python", false);
    check("ccg@1", &empty.bytes);
}

#[test]
fn p3_the_metadata_tell_tool_version_time_and_commit() {
    let body = body(SMALL, false);
    let id = FormatId::parse("ccg@1").expect("a format");
    let facts = judge(&id, &body.bytes).expect("it is sound");
    assert_eq!(facts.tool.as_deref(), Some("lore"));
    assert_eq!(facts.tool_version.as_deref(), Some(super::super::VERSION));
    assert_eq!(facts.generated_at.as_deref(), Some("2026-11-16T08:00:00Z"));
    assert_eq!(facts.source_sha, stamp().commit);
    assert_eq!(
        (facts.nodes, facts.edges, facts.languages),
        (8, 3, vec!["python".to_owned()])
    );
    assert!(facts.warnings.is_empty(), "{:?}", facts.warnings);
}

#[test]
fn p9_the_same_graph_gives_the_same_bytes() {
    assert_eq!(body(SMALL, false), body(SMALL, false));
}

const TALKATIVE: &str = "
    file src/cart.py python module=cart
    import /home/jane/lib.js x y
    sym cart.f function in=cart sig=\"def f(password='hunter2')\" doc=\"Ask jane@firm.org.\\n\\nOr bob@firm.org.\" deco=\"mail('x@firm.org')\"
    sym \"cart.mails a@firm.org\" test in=cart name=\"mails a@firm.org\"
    sym \"cart.mails b@firm.org\" test in=cart name=\"mails b@firm.org\"
    edge cart.f call /home/jane/lib.so
    lost cart.f 1 C:/Users/jane/x
";

#[test]
fn p7_texts_of_every_kind_are_scrubbed_and_what_was_taken_out_is_told() {
    let clean = body(TALKATIVE, false);
    for leak in ["jane", "hunter2", "@firm.org"] {
        assert!(!text(&clean).contains(leak), "{leak}: {}", text(&clean));
    }
    assert_eq!((clean.scrubbed.secrets, clean.scrubbed.paths), (1, 3));
    let document: Value = serde_json::from_slice(&clean.bytes).expect("it is JSON");
    assert_eq!(document["metadata"]["scrubbed"]["emails"], clean.scrubbed.emails);
    // Names that only an address told apart are told apart still.
    let names: Vec<&str> = document["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|node| node["qualified_name"].as_str())
        .collect();
    assert!(
        names.contains(&"cart.mails [email]") && names.contains(&"cart.mails [email]#2"),
        "{names:?}"
    );
    check("ccg@1", &clean.bytes);
    let raw = body(TALKATIVE, true);
    assert!(text(&raw).contains("hunter2") && !text(&raw).contains("scrubbed"));
}

#[test]
fn p5_no_label_is_longer_than_it_may_be() {
    let long = "ä".repeat(5_000);
    let lines = format!(
        "file a.py python module=a\nsym a.{long} function in=a sig={long} doc={long}\nedge a.{long} call {long}"
    );
    let body = body(&lines, false);
    let document: Value = serde_json::from_slice(&body.bytes).expect("it is JSON");
    for node in document["nodes"].as_array().expect("a list") {
        for (key, value) in node.as_object().expect("an object") {
            let letters = value.as_str().map_or(0, |text| text.chars().count());
            assert!(letters <= crate::body::MOST_LABEL, "{key}: {letters}");
        }
    }
    check("ccg@1", &body.bytes);
}

/// What a graph says, as far as a body tells it, on lines.
fn told(graph: &lore_model::CodeGraph) -> Vec<String> {
    let mut lines = Vec::new();
    for file in graph.files() {
        let module = file.module().map(|module| module.qualified_name().into_owned());
        let imports: Vec<_> = file.imports().collect();
        lines.push(format!(
            "{} {} {} {:?} {} {module:?} {imports:?}",
            file.path(),
            file.language(),
            file.bytes(),
            file.hash(),
            file.is_test()
        ));
    }
    for symbol in graph.symbols() {
        let place = symbol.place();
        let decorators: Vec<&str> = symbol.decorators().collect();
        lines.push(format!(
            "{} {} {} in {} of {:?} {:?} `{}` `{}` {} {:?} {decorators:?} {:?} {}{}{} {}",
            symbol.name(),
            symbol.qualified_name(),
            symbol.kind(),
            symbol.file().path(),
            symbol.parent().map(|parent| parent.qualified_name().into_owned()),
            [place.line, place.column, place.start_line, place.end_line].map(lore_model::U32::get),
            symbol.signature(),
            symbol.summary(),
            symbol.visibility(),
            symbol.modifiers(),
            symbol.complexity(),
            symbol.is_local(),
            symbol.is_anonymous(),
            symbol.is_entry_point(),
            symbol.importance()
        ));
        for edge in symbol.edges() {
            let (kind, target, resolution) = (edge.kind(), edge.target(), edge.resolution());
            lines.push(format!(
                "  {kind} {target:?} {resolution} {:?}",
                edge.lines().collect::<Vec<_>>()
            ));
        }
        lines.extend(
            symbol
                .unresolved()
                .map(|call| format!("  lost {} {}", call.line, call.name)),
        );
    }
    lines
}

#[test]
fn p2_what_is_published_and_opened_again_is_the_same_graph() {
    let before = graph(SMALL);
    let body = body(SMALL, false);
    let opened = crate::open::open(&body.bytes).expect("it opens");
    let after = lore_model::CodeGraph::open(std::sync::Arc::new(opened.snapshot.to_bytes())).expect("a snapshot");
    assert_eq!(told(&after), told(&before));
    let large = super::super::testing::large(5, 7, 3);
    let source = Source {
        graph: &large,
        stamp: &stamp(),
        repository: None,
        root: None,
        no_scrub: false,
        most: Most::default(),
    };
    let body = make::<Ccg>(&source).expect("it fits");
    let opened = crate::open::open(&body.bytes).expect("it opens");
    let after = lore_model::CodeGraph::open(std::sync::Arc::new(opened.snapshot.to_bytes())).expect("a snapshot");
    assert_eq!(told(&after), told(&large));
}

#[test]
fn p2_a_symbol_without_a_name_is_called_something_and_the_body_opens() {
    let body = body(
        "file back\\.py python module=back
         sym a.x function name=\"\" in=back",
        false,
    );
    let document: Value = serde_json::from_str(text(&body)).expect("it is JSON");
    let names: Vec<&str> = document["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|node| node["kind"] != "file")
        .filter_map(|node| node["name"].as_str())
        .collect();
    assert!(names.iter().all(|name| !name.is_empty()), "{names:?}");
    crate::open::open_judged(&body.bytes).expect("it opens");
}

const SECRETIVE: &str = r#"
    file "jane@firm.org/config.yaml" yaml module=config.yaml
    sym "config.yaml./home/jane/x" key in=config.yaml name="/home/jane/x" sig="password: hunter2"
    sym "config.yaml./home/jane/x.deep" key name=deep in="config.yaml./home/jane/x"
    file Dockerfile dockerfile module=Dockerfile
    sym Dockerfile.ENV block name=ENV in=Dockerfile sig="ENV DB_PASSWORD=hunter2"
    file k.go go module=k
    sym k.apiKey static in=k sig="var apiKey string = `hunter2`"
    file README.md markdown module=README
    sym "README.password: hunter2" section in=README name="password: hunter2"
"#;

#[test]
fn p7_what_a_name_loses_its_qualified_name_the_names_below_it_and_paths_lose_too() {
    let clean = body(SECRETIVE, false);
    for leak in ["jane", "hunter2", "firm.org"] {
        assert!(!text(&clean).contains(leak), "{leak}: {}", text(&clean));
    }
    assert!(text(&clean).contains("\"config.yaml.[path].deep\""), "{}", text(&clean));
    assert!(
        text(&clean).contains("\"path\":\"[email]/config.yaml\""),
        "{}",
        text(&clean)
    );
    assert!(text(&clean).contains("ENV DB_PASSWORD=[secret]"), "{}", text(&clean));
    check("ccg@1", &clean.bytes);
    crate::open::open_judged(&clean.bytes).expect("it opens");
}
