//! Bodies in, graphs out; hostile bodies in, reasons out.

use std::sync::Arc;

use lore_model::{CodeGraph, EdgeTarget, SymbolKind, Visibility};
use proptest::prelude::*;

use super::*;
use crate::body::judge;
use crate::format::FormatId;

const BODY: &str = r#"{"directed":true,"multigraph":true,
"metadata":{"tool":"lore","tool_version":"0.1.0","generated_at":"2026-11-16T12:00:00Z","commit":"0123456789ABCDEF0123456789abcdef01234567","dirty":true,"format":"ccg@1",
 "repository":"https://github.com/acme/shop","languages":["python"],"partial":{"reason":"it has too many nodes","files":{"kept":2,"of":9},"edges":{"kept":4,"of":40}}},
"nodes":[
{"id":"f1","kind":"file","path":"shop/cart.py","language":"python","bytes":120,"code":9,"comment":1,"blank":2,"hash":"00000000000000000000000000000000000000ff","module":"s1",
 "imports":[{"module":"os","name":"path","local":"path","line":1},{"module":"typing","name":"T","local":"T","line":2,"type_only":true}]},
{"id":"f0","kind":"file","path":"a_test.py","language":"python","bytes":10,"code":3,"comment":0,"blank":0,"hash":"00000000000000000000000000000000000000aa","test":true},
{"id":"s1","kind":"module","name":"cart","qualified_name":"shop.cart","file":"f1","line":1,"end_line":12,"doc":"The cart. More of it."},
{"id":"s2","kind":"class","name":"Cart","qualified_name":"shop.cart.Cart","file":"f1","parent":"s1","line":3,"start_line":2,"end_line":9,"decorators":["dataclass"]},
{"id":"s3","kind":"method","name":"total","qualified_name":"shop.cart.Cart.total","file":"f1","parent":"s2","line":4,"column":9,"end_line":6,"signature":"def total(self)","visibility":"private","modifiers":["async","static"],"complexity":3},
{"id":"s4","kind":"test","name":"test_total","file":"f0","line":2,"end_line":3,"entry_point":true,"complexity":1},
{"id":"x1","kind":"external","name":"os.path.join"}],
"edges":[
{"source":"s3","target":"x1","kind":"call","resolution":"typed","lines":[5,6]},
{"source":"s4","target":"s3","kind":"call","resolution":"flow","lines":[3]},
{"source":"s4","target":"s3","kind":"tests","lines":[3]},
{"source":"s4","target":"s2","kind":"instantiates","lines":[3]}],
"unresolved":[{"source":"s4","line":3,"name":"helper"}]}"#;

fn graph(body: &str) -> CodeGraph {
    let opened = open(body.as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
    let graph = CodeGraph::open(Arc::new(opened.snapshot.to_bytes())).expect("it is a snapshot");
    graph.verify().expect("it is whole");
    graph
}

fn refused(body: &str) -> String {
    open(body.as_bytes()).map_or_else(|fault| fault.to_string(), |_| "opened".to_owned())
}

#[test]
fn c3_a_body_becomes_the_graph_that_it_was_made_of() {
    let format = FormatId::parse(FORMAT).expect("it is one");
    judge(&format, BODY.as_bytes()).expect("the sample is a body");
    let graph = graph(BODY);
    let paths: Vec<&str> = graph.files().map(|file| file.path()).collect();
    assert_eq!(
        paths,
        ["a_test.py", "shop/cart.py"],
        "files are in the order of their paths"
    );
    let names: Vec<_> = graph.symbols().map(|symbol| symbol.qualified_name()).collect();
    assert_eq!(
        names,
        ["test_total", "shop.cart", "shop.cart.Cart", "shop.cart.Cart.total"],
        "symbols stand with their files"
    );
    let cart = graph.file_at("shop/cart.py").expect("it is there");
    assert_eq!(
        (
            cart.bytes(),
            cart.lines().code.get(),
            cart.is_test(),
            cart.hash().to_string()
        ),
        (120, 9, false, "00000000000000000000000000000000000000ff".to_owned())
    );
    assert_eq!(cart.module().map(|module| module.summary()), Some("The cart."));
    let imports: Vec<(&str, &str, u32, bool)> = cart
        .imports()
        .map(|import| (import.module, import.name, import.line, import.type_only))
        .collect();
    assert_eq!(imports, [("os", "path", 1, false), ("typing", "T", 2, true)]);
    let total = graph.symbol(graph.qualified("shop.cart.Cart.total").expect("it is there"));
    assert_eq!(total.kind(), SymbolKind::Method);
    assert_eq!(total.visibility(), Visibility::Private);
    assert_eq!(total.complexity(), Some(3));
    let modifiers: Vec<&str> = total.modifiers().iter().map(|modifier| modifier.name()).collect();
    assert_eq!(modifiers, ["static", "async"]);
    let place = total.place();
    assert_eq!(
        [place.line, place.column, place.start_line, place.end_line].map(|number| number.get()),
        [4, 9, 4, 6]
    );
    let class = total.parent().expect("it has a parent");
    assert_eq!(class.decorators().collect::<Vec<_>>(), ["dataclass"]);
    let [edge] = total.edges().collect::<Vec<_>>()[..] else {
        panic!("one edge");
    };
    assert!(matches!(edge.target(), EdgeTarget::External("os.path.join")));
    assert_eq!(edge.lines().collect::<Vec<_>>(), [5, 6]);
    let test = graph.symbol(graph.qualified("test_total").expect("it is there"));
    assert!(test.is_entry_point() && test.file().is_test());
    assert_eq!(test.edges().count(), 3);
    let lost: Vec<(u32, &str)> = test.unresolved().map(|call| (call.line, call.name)).collect();
    assert_eq!(lost, [(3, "helper")]);
    assert_eq!(total.incoming().count(), 2);
}

#[test]
fn r1_what_a_body_says_of_itself_is_kept_and_told() {
    let about = open(BODY.as_bytes()).expect("it opens").about;
    assert_eq!(
        about.commit.as_deref(),
        Some("0123456789abcdef0123456789abcdef01234567")
    );
    assert_eq!(about.repository.as_deref(), Some("https://github.com/acme/shop"));
    assert_eq!(
        about.remark("of acme/shop"),
        "from the published graph of acme/shop at 0123456789ab with uncommitted changes, made by lore 0.1.0 at 2026-11-16T12:00:00Z; \
         a part of the graph (2 of 9 files, 4 of 40 edges): it has too many nodes"
    );
    let bare = open(br#"{"metadata":{"format":"ccg@1","commit":"main"},"nodes":[],"edges":[]}"#).expect("it opens");
    assert_eq!(
        bare.about.remark("of a/b"),
        "from the published graph of a/b at an unknown commit"
    );
}

#[test]
fn c8_what_a_stranger_wrote_is_told_on_one_line_and_cut() {
    let long = "x".repeat(500);
    let body = format!(r#"{{"metadata":{{"format":"ccg@1","tool":"a\nb\u001b[31m{long}"}},"nodes":[],"edges":[]}}"#);
    let remark = open(body.as_bytes()).expect("it opens").about.remark("of a/b");
    assert!(
        !remark.contains('\n') && !remark.contains('\u{1b}') && remark.len() < 300,
        "{remark}"
    );
}

#[test]
fn j1_a_mark_of_byte_order_is_passed_over() {
    assert_eq!(graph(&format!("\u{feff}{BODY}")).symbol_count(), 4);
}

#[test]
fn j2_members_that_nobody_knows_are_passed_over() {
    let body = BODY
        .replacen("\"directed\":true", "\"directed\":true,\"x\":[{\"nodes\":[1]}]", 1)
        .replacen("\"kind\":\"class\"", "\"kind\":\"class\",\"colour\":{\"r\":1}", 1)
        .replacen("\"lines\":[5,6]", "\"lines\":[5,6],\"weight\":0.5", 1);
    assert_eq!(graph(&body).as_bytes(), graph(BODY).as_bytes());
}

#[test]
fn s6_of_two_members_with_one_name_the_later_counts() {
    let twice = BODY.replacen(
        "\"nodes\":[",
        "\"nodes\":[{\"id\":\"f9\",\"kind\":\"file\",\"path\":\"gone.py\"}],\"nodes\":[",
        1,
    );
    assert_eq!(graph(&twice).as_bytes(), graph(BODY).as_bytes());
    let lines = BODY.replacen("\"lines\":[5,6]", "\"lines\":[1,2,3],\"lines\":[5,6]", 1);
    assert_eq!(graph(&lines).as_bytes(), graph(BODY).as_bytes());
}

#[test]
fn s6_parts_may_come_in_any_order() {
    let (head, rest) = BODY.split_once("\"nodes\":").expect("it is there");
    let (nodes, rest) = rest.split_once(",\n\"edges\":").expect("it is there");
    let (edges, unresolved) = rest.split_once(",\n\"unresolved\":").expect("it is there");
    let unresolved = unresolved.trim_end_matches('}');
    let turned =
        format!("{head}\"unresolved\":{unresolved}}},\"edges\":{edges},\"nodes\":{nodes}}}").replace("]}},", "]},");
    let turned = turned
        .replace("}},\"edges\"", "},\"edges\"")
        .replace("]},\"edges\"", "],\"edges\"");
    assert_eq!(graph(&turned).as_bytes(), graph(BODY).as_bytes());
}

#[test]
fn v1_kinds_of_a_later_version_are_left_out_and_counted() {
    let body = BODY
        .replacen("\"kind\":\"class\"", "\"kind\":\"hologram\"", 1)
        .replacen("\"kind\":\"tests\"", "\"kind\":\"foresees\"", 1)
        .replacen("\"resolution\":\"flow\"", "\"resolution\":\"hunch\"", 1);
    let opened = open(body.as_bytes()).expect("it opens");
    // The class, the edge to it, and the edge of an unknown kind.
    assert_eq!(opened.about.unknown, 3);
    assert!(
        opened
            .about
            .remark("of a/b")
            .ends_with("; left out 3 nodes and edges of kinds that this version does not know")
    );
    let graph = graph(&body);
    let total = graph.symbol(graph.qualified("shop.cart.Cart.total").expect("it is there"));
    assert!(total.parent().is_none());
    let calls: Vec<&str> = total.incoming().map(|edge| edge.resolution().name()).collect();
    assert_eq!(calls, ["name"], "what is not known is not sure");
}

#[test]
fn names_that_two_symbols_have_are_numbered_as_in_a_repository() {
    let body = r#"{"metadata":{"format":"ccg@1"},"nodes":[{"id":"f","kind":"file","path":"a.py"},
        {"id":"1","kind":"function","name":"f","file":"f"},{"id":"2","kind":"function","name":"f","file":"f"},
        {"id":"3","kind":"function","name":"f","qualified_name":"f#2","file":"f"},{"id":"4","kind":"function","name":"f","file":"f"}],"edges":[]}"#;
    let graph = graph(body);
    let names: Vec<_> = graph.symbols().map(|symbol| symbol.qualified_name()).collect();
    assert_eq!(names, ["f", "f#2", "f#2#2", "f#3"]);
}

#[test]
fn a_body_that_is_no_code_graph_is_refused_with_the_reason() {
    let node = |node: &str| {
        format!(
            r#"{{"metadata":{{"format":"ccg@1"}},"nodes":[{{"id":"f","kind":"file","path":"a.py"}},{node}],"edges":[]}}"#
        )
    };
    for (body, reason) in [
        (String::new(), "the document is empty (line 1, column 1)"),
        ("[]".to_owned(), "an object is expected here (line 1, column 1)"),
        (
            "{\"nodes\":[],\"edges\":[]}".to_owned(),
            "the metadata name no format; a code graph needs ccg@1",
        ),
        (
            r#"{"metadata":{"format":"generic@1"},"nodes":[],"edges":[]}"#.to_owned(),
            "the format is `generic@1`; a code graph needs ccg@1",
        ),
        (
            r#"{"metadata":{"format":"ccg@1"},"nodes":[]}"#.to_owned(),
            "the list `nodes` or `edges` is missing",
        ),
        (
            format!("{BODY}x"),
            "unexpected text after the value (line 18, column 57)",
        ),
        (node(r#"{"kind":"class"}"#), "/nodes/1: the node has no id"),
        (node(r#"{"id":"s"}"#), "/nodes/1: the node `s` has no kind"),
        (
            node(r#"{"id":"s","kind":"class","name":"A"}"#),
            "/nodes/1: the symbol `s` names no file",
        ),
        (
            node(r#"{"id":"f","kind":"external","name":"A"}"#),
            "two nodes have the id `f`",
        ),
        (
            node(r#"{"id":"s","kind":"class","name":"A","file":"g"}"#),
            "the file of a symbol is `g`, which does not exist",
        ),
        (
            node(r#"{"id":"s","kind":"class","name":"A","file":"f","parent":"t"}"#),
            "the parent of a symbol is `t`, which does not exist",
        ),
        (
            node(r#"{"id":"s","kind":"class","name":"A","file":"f","parent":"s"}"#),
            "the owners of the symbol `A` form a cycle",
        ),
        (
            node(r#"{"id":"s","kind":"class","file":"f"}"#),
            "a symbol in a.py has no name",
        ),
        (
            node(r#"{"id":"g","kind":"file","path":"a.py"}"#),
            "two files have the path `a.py`",
        ),
        (
            node(r#"{"id":"g","kind":"file","path":"../../etc/passwd"}"#),
            "invalid path `../../etc/passwd` of a file: the path has an empty, `.` or `..` part",
        ),
        (
            node(r#"{"id":"g","kind":"file","path":"/etc/passwd"}"#),
            "invalid path `/etc/passwd` of a file: the path is absolute; paths are relative to the repository's root",
        ),
        (
            node(r#"{"id":"g","kind":"file","path":7}"#),
            "a string is expected here (line 1, column 111)",
        ),
        (
            BODY.replacen("\"source\":\"s3\"", "\"source\":\"zz\"", 1),
            "/edges/0/source: `zz` cannot be the source of an edge",
        ),
        (
            BODY.replacen("\"target\":\"x1\"", "\"target\":\"f1\"", 1),
            "/edges/0/target: `f1` cannot be the target of an edge",
        ),
        (
            BODY.replacen("{\"source\":\"s4\",\"line\"", "{\"source\":\"x1\",\"line\"", 1),
            "/unresolved/0/source: `x1` is not a symbol",
        ),
    ] {
        assert_eq!(refused(&body), reason, "{body:.200}");
    }
}

#[test]
fn c9_a_body_beyond_the_caps_is_refused_before_it_is_a_graph() {
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(refused(&deep), "nested deeper than 32 levels (line 1, column 37)");
    let nodes = "{\"id\":\"f\",\"kind\":\"x\"},".repeat(3);
    assert!(
        refused(&format!(
            "{{\"metadata\":{{\"format\":\"ccg@1\"}},\"edges\":[],\"nodes\":[{}]}}",
            nodes.trim_end_matches(',')
        ))
        .contains("two nodes")
    );
    let mut many = String::from("{\"metadata\":{\"format\":\"ccg@1\"},\"edges\":[],\"nodes\":[");
    for number in 0..=MOST_NODES {
        many.push_str(&format!(
            "{{\"id\":\"{number}\",\"kind\":\"external\",\"name\":\"a\"}},"
        ));
    }
    many.pop();
    many.push_str("]}");
    assert_eq!(refused(&many), "more than 100000 nodes");
    let large = vec![b' '; MOST_BYTES as usize + 1];
    assert_eq!(open(&large).map(drop), Err(OpenFault::Oversize(MOST_BYTES + 1)));
}

#[test]
fn a_long_chain_of_owners_is_no_circle_and_a_long_circle_is_one() {
    let chain = |last: &str| {
        let mut body = String::from(
            "{\"metadata\":{\"format\":\"ccg@1\"},\"edges\":[],\"nodes\":[{\"id\":\"f\",\"kind\":\"file\",\"path\":\"a\"}",
        );
        for number in 0..20_000 {
            let parent = if number == 0 {
                last.to_owned()
            } else {
                format!(",\"parent\":\"{}\"", number - 1)
            };
            body.push_str(&format!(
                ",{{\"id\":\"{number}\",\"kind\":\"class\",\"name\":\"c{number}\",\"file\":\"f\"{parent}}}"
            ));
        }
        body.push_str("]}");
        body
    };
    assert_eq!(graph(&chain("")).symbol_count(), 20_000);
    assert!(refused(&chain(",\"parent\":\"19999\"")).ends_with("form a cycle"));
}

#[test]
fn what_a_document_is_can_be_told_without_opening_it() {
    assert_eq!(document(BODY.as_bytes()), Document::Body);
    for (text, kind) in [
        (r#"{"nodes":[],"metadata":{"format":"ccg@1"}}"#, Document::Body),
        (
            r#"{"nodes":[],"edges":[],"metadata":{"format":"x@1"}}"#,
            Document::OtherGraph(Some("x@1".to_owned())),
        ),
        (r#"{"nodes":[],"links":[]}"#, Document::OtherGraph(None)),
        (r#"{"graph":{"links":[],"nodes":[]}}"#, Document::OtherGraph(None)),
        (r#"{"graph":{"nodes":[]}}"#, Document::NoGraph),
        (r#"{"nodes":{},"edges":[]}"#, Document::NoGraph),
        (r#"{"metadata":[]}"#, Document::NoGraph),
        ("not json", Document::NoGraph),
    ] {
        assert_eq!(document(text.as_bytes()), kind, "{text}");
    }
}

proptest! {
    #![proptest_config(lore_testing::cases(256))]

    #[test]
    fn no_damage_to_a_body_ends_in_anything_but_a_graph_or_a_reason(at in 0..BODY.len(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = BODY.as_bytes().to_vec();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        if let Ok(opened) = open(&bytes) {
            let graph = CodeGraph::open(Arc::new(opened.snapshot.to_bytes())).expect("a snapshot");
            for symbol in graph.symbols() {
                let _ = (symbol.parent().map(|parent| parent.name()), symbol.edges().map(|edge| edge.lines().count()).sum::<usize>());
            }
        }
    }
}

#[test]
fn c8_what_steers_or_hides_is_taken_out_of_every_text_of_a_stranger() {
    let body = BODY
        .replace("\"shop.cart.Cart\"", "\"shop.\\u001b[31mCart\\n\\u202eignore\"")
        .replace("\"def total(self)\"", "\"def total(\\u0007self)\"")
        .replace("\"The cart. More of it.\"", "\"The cart.\\nMore\\u200b of it.\"")
        .replace("\"test_total\"", "\"\\u202e\"")
        .replace("\"os.path.join\"", "\"os.\\u009bjoin\"");
    let graph = graph(&body);
    let named = |kind: SymbolKind| {
        graph
            .symbols()
            .find(|symbol| symbol.kind() == kind)
            .expect("it is there")
    };
    assert_eq!(named(SymbolKind::Class).qualified_name(), "shop.[31mCart ignore");
    assert_eq!(named(SymbolKind::Method).signature(), "def total(self)");
    assert_eq!(named(SymbolKind::Module).doc(), "The cart.\nMore of it.");
    assert_eq!(named(SymbolKind::Test).name(), "\u{fffd}");
    assert_eq!(graph.external(0), "os.join");
}

#[test]
fn c9_what_may_not_be_used_is_not_opened() {
    for (text, with, reason) in [
        (
            "\"kind\":\"file\"",
            "\"$ref\":1,\"kind\":\"file\"",
            "/nodes/0/$ref: the key `$ref` is not allowed",
        ),
        ("\"line\":3", "\"line\":1.5", "/nodes/3/line: "),
        ("\"line\":3", "\"line\":1e400", "/nodes/3/line: "),
        ("\"directed\":true", "\"directed\":true,\u{1}", "not JSON: "),
    ] {
        let body = BODY.replacen(text, with, 1);
        let told = open_judged(body.as_bytes()).map_or_else(|fault| fault.to_string(), |_| "opened".to_owned());
        assert!(told.contains(reason), "{with}: {told}");
    }
    let told = open_judged(b" \n").map_or_else(|fault| fault.to_string(), |_| "opened".to_owned());
    assert_eq!(told, "not JSON: the document is empty (line 2, column 1)");
    assert!(open_judged(BODY.as_bytes()).is_ok());
}
