//! A small graph that is right, and every way in which it can be wrong.

mod strangers;

use std::io::Write;
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::GzipWriter;
use crate::bundle::{PartWriter, write_bundle};
use lore_seam::world::World;
use lore_seam::{Operation, Style, Verdict};

const BASE: &str = "https://codecontextgraph.com/repo/github.com/org/repo@0123456789abcdef0123456789abcdef01234567";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// The parts of a graph, as text.
#[derive(Clone)]
struct Sample {
    manifest: Json,
    architecture: Json,
    index: Vec<String>,
    more: Vec<String>,
    acl: String,
}

/// A statement in short: `sym:x` and the like are of the commit, other words of the vocabulary, the rest as it is.
fn quad(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let (graph, words) = words.split_last().expect("a statement has a graph");
    let term = |word: &str| match word.split_once(':') {
        _ if word.starts_with(['"', '<', '_']) => word.to_owned(),
        Some(("n", name)) => format!("<https://narsilmcp.com/ontology/v1#{name}>"),
        Some(("c", name)) => format!("<https://codecontextgraph.com/ontology/v1#{name}>"),
        Some((family, name)) => format!("<{BASE}/{family}/{name}>"),
        None if word == "a" => "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>".to_owned(),
        None if word == "B" => format!("<{BASE}>"),
        None if word.parse::<u32>().is_ok() => format!("\"{word}\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
        None => format!("\"{word}\""),
    };
    let mut line: Vec<String> = words.iter().map(|word| term(word)).collect();
    if *graph != "-" {
        line.push(term(graph));
    }
    format!("{} .", line.join(" "))
}

fn sample() -> Sample {
    let index = [
        "B a c:CodeContextGraph graph:meta",
        "file:a.py a n:File graph:structure",
        "sym:a a n:Module graph:structure",
        "sym:a n:name \"a\" graph:structure",
        "sym:a n:definedIn file:a.py graph:structure",
        "sym:a n:startLine 1 graph:structure",
        "sym:a.C a n:Class graph:structure",
        "sym:a.C n:name C graph:structure",
        "sym:a.C n:definedIn file:a.py graph:structure",
        "sym:a.C n:startLine 2 graph:structure",
        "sym:a.C.f a n:Function graph:structure",
        "sym:a.C.f a n:Method graph:structure",
        "sym:a.C.f n:name f graph:structure",
        "sym:a.C.f n:definedIn file:a.py graph:structure",
        "sym:a.C.f n:startLine 3 graph:structure",
        "sym:a.C.f n:signature def graph:structure",
        "sym:a.C.f n:complexity 4 graph:structure",
        "external:os.path a c:External graph:structure",
        "sym:a.C.f n:calls sym:a.C.f graph:calls",
        "sym:a.C.f n:calls external:os.path graph:calls",
    ];
    let more = [
        "sym:a.C.f n:docComment text graph:docs",
        "B c:securityAnalyzed \"false\"^^<http://www.w3.org/2001/XMLSchema#boolean> graph:security",
    ];
    Sample {
        manifest: json!({
            "@context": "https://codecontextgraph.com/schema/v1",
            "@type": "ccg:Manifest",
            "@id": BASE,
            "repository": {
                "name": "repo",
                "url": "https://github.com/org/repo",
                "commit": COMMIT,
                "analyzedAt": "2026-01-02T03:04:05Z",
            },
            "languages": { "python": { "files": 1, "loc": 10 } },
            "symbols": {
                "total": 3, "functions": 0, "structs": 0, "classes": 1, "methods": 1, "traits": 0, "interfaces": 0, "enums": 0,
                "other": 1,
            },
            "security": { "analyzed": false, "critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0 },
            "quality": { "avgCyclomaticComplexity": 4.0, "maxCyclomaticComplexity": 4, "hotspots": ["a.py"] },
            "entryPoints": [{ "symbol": "a.C.f", "file": "a.py", "line": 3 }],
            "layers": { "architecture": "architecture.json", "symbolIndex": "symbol-index.nq.gz", "fullDetail": "full-detail.nq.gz" },
        }),
        architecture: json!({
            "@context": "https://codecontextgraph.com/schema/v1",
            "@type": "ccg:Architecture",
            "@id": format!("{BASE}/layer/1"),
            "modules": [{ "name": "a", "path": "a.py", "exports": ["C"], "dependsOn": [], "loc": 10 }],
            "publicAPI": [{ "symbol": "a.C.f", "signature": "def f(self)", "doc": "Does it." }],
            "patterns": { "architectural": [], "detected": [] },
            "moduleDependencyGraph": { "nodes": ["a", "b"], "edges": [["a", "b"]] },
        }),
        index: index.iter().map(|text| quad(text)).collect(),
        more: more.iter().map(|text| quad(text)).collect(),
        acl: "@prefix acl: <http://www.w3.org/ns/auth/acl#> .\n<#a> a acl:Authorization .\n".to_owned(),
    }
}

fn gzip(lines: &[String]) -> Vec<u8> {
    let mut gzip = GzipWriter::new(Vec::new());
    for line in lines {
        writeln!(gzip, "{line}").unwrap();
    }
    gzip.finish().unwrap()
}

impl Sample {
    fn parts(&self) -> Vec<(Part, Vec<u8>)> {
        let full: Vec<String> = self.index.iter().chain(&self.more).cloned().collect();
        vec![
            (Part::Manifest, self.manifest.to_string().into_bytes()),
            (Part::Architecture, self.architecture.to_string().into_bytes()),
            (Part::SymbolIndex, gzip(&self.index)),
            (Part::FullDetail, gzip(&full)),
            (Part::Acl, self.acl.clone().into_bytes()),
            (Part::Readme, b"# repo\n".to_vec()),
        ]
    }

    fn bundle(&self) -> Vec<u8> {
        let parts = self.parts();
        let writers = parts.iter().map(|(part, bytes)| {
            let writer: PartWriter<'_> = Box::new(move |out| out.write_all(bytes).map_err(OpError::from_write));
            (*part, writer)
        });
        let mut out = Vec::new();
        write_bundle(&mut out, writers.collect()).unwrap();
        out
    }
}

fn run(world: &Arc<World>, source: &str) -> Value<ValidateAnswer> {
    let request = ValidateRequest {
        source: Some(source.to_owned()),
        ..ValidateRequest::default()
    };
    Validate::run(&world.ctx(), request).unwrap()
}

fn validated(sample: &Sample) -> ValidateAnswer {
    let world = World::of_files([("r.ccg.zip", sample.bundle())]);
    let answer = run(&world, "r.ccg.zip");
    assert_eq!(answer.value.valid, answer.verdict == Verdict::Yes);
    answer.value
}

/// The breaches, each on a line.
fn told(answer: &ValidateAnswer) -> Vec<String> {
    let breaches = answer.breaches.iter();
    let line = |breach: &Breach| format!("{}: {} [{}]", breach.place, breach.message, breach.kind.name());
    breaches.map(line).map(|line| line.replace(BASE, "B")).collect()
}

fn breaches(change: impl FnOnce(&mut Sample)) -> Vec<String> {
    let mut sample = sample();
    change(&mut sample);
    told(&validated(&sample))
}

#[test]
fn lv_a_graph_that_is_right_is_valid() {
    let answer = validated(&sample());
    assert_eq!(told(&answer), Vec::<String>::new());
    assert!(answer.valid && answer.notes.is_empty());
    let files: Vec<(&str, Option<u64>)> = answer
        .files
        .iter()
        .map(|file| (file.file.as_str(), file.statements))
        .collect();
    assert_eq!(
        files,
        [
            ("manifest.json", Some(41)),
            ("architecture.json", Some(21)),
            ("symbol-index.nq.gz", Some(20)),
            ("full-detail.nq.gz", Some(22)),
            ("acl.ttl", Some(1)),
            ("README.md", None),
        ]
    );
    let mut page = Page::new(Style::default());
    answer.render(&mut page);
    assert!(page.into_text().ends_with("r.ccg.zip is a valid Code Context Graph\n"));
}

#[test]
fn lv_a_document_that_does_not_fit_its_schema_is_told_where() {
    let found = breaches(|sample| {
        sample.manifest["repository"]["commit"] = json!(7);
        sample.manifest["symbols"]["total"] = json!(-3);
        sample.manifest.as_object_mut().unwrap().remove("layers");
        sample.architecture["modules"][0]["loc"] = json!("many");
    });
    assert_eq!(
        found,
        [
            "manifest.json: \"layers\" is a required property [schema]",
            "manifest.json: /repository/commit: 7 is not of type \"string\" [schema]",
            "manifest.json: /symbols/total: -3 is less than the minimum of 0 [schema]",
            "architecture.json: /modules/0/loc: \"many\" is not of type \"integer\" [schema]",
        ]
    );
}

#[test]
fn lv_what_is_no_json_is_told_where() {
    let check = |text: &[u8]| {
        let world = World::of_files([("x.ccg.manifest.json", text.to_vec())]);
        told(&run(&world, "x.ccg.manifest.json").value)
    };
    assert_eq!(
        check(b"{\n  \"a\": 1,,\n}"),
        ["x.ccg.manifest.json:2:10: key must be a string [json]"]
    );
    assert_eq!(check(b"[]"), ["x.ccg.manifest.json: not an object [json]"]);
    assert_eq!(
        check(b"{\"a\": \"\xff\"}"),
        ["x.ccg.manifest.json:1:8: invalid unicode code point [json]"]
    );
    let deep = [b"{\"a\":".repeat(300), b"1".to_vec()].concat();
    assert_eq!(
        check(&deep),
        ["x.ccg.manifest.json:1:636: recursion limit exceeded [json]"]
    );
    let text = sample().manifest.to_string();
    let twice = text.replacen("\"files\":1", "\"files\":2,\"files\":1", 1);
    assert_eq!(
        check(twice.as_bytes()),
        ["x.ccg.manifest.json: /languages/python/files: duplicate key [json]"]
    );
    let marked = format!("\u{feff}{text}");
    assert_eq!(
        check(marked.as_bytes()),
        ["x.ccg.manifest.json:1:1: begins with a byte order mark [json]"]
    );
}

#[test]
fn lx_every_key_is_a_term_of_the_context() {
    let found = breaches(|sample| {
        sample.manifest["repository"]["nmae"] = json!("repo");
        sample.manifest["hotspot"] = json!([]);
        sample.manifest["quality"]["@coverage"] = json!(3);
        sample.manifest["symbols"]["narsil:macros"] = json!(3);
        sample.manifest["symbols"]["1x:macros"] = json!(3);
        sample.architecture["modules"][0]["purpose"] = json!(null);
    });
    let found: Vec<&String> = found.iter().filter(|line| line.ends_with("[dropped-key]")).collect();
    assert_eq!(
        found,
        [
            "manifest.json: /hotspot: not a term of the context [dropped-key]",
            "manifest.json: /quality/@coverage: not a keyword of JSON-LD [dropped-key]",
            "manifest.json: /repository/nmae: not a term of the context [dropped-key]",
            "manifest.json: /symbols/1x:macros: not a term of the context [dropped-key]",
            "architecture.json: /modules/0/purpose: null is not a value [dropped-key]",
        ]
    );
}

#[test]
fn lx_no_other_context_is_known_and_none_is_fetched() {
    let mut sample = sample();
    sample.manifest["@context"] = json!("http://127.0.0.1/context");
    let world = World::of_files([("r.ccg.zip", sample.bundle())]);
    let found = told(&run(&world, "r.ccg.zip").value);
    assert!(
        found.iter().any(
            |line| line.contains("Failed to load remote context http://127.0.0.1/context")
                && line.ends_with("[json-ld]")
        ),
        "{found:?}"
    );
    assert!(!found.iter().any(|line| line.ends_with("[dropped-key]")), "{found:?}");
    assert!(world.fetched.lock().unwrap().is_empty());
}

#[test]
fn lx_contexts_of_ones_own_are_read_within_bounds() {
    let found = breaches(|sample| {
        sample.manifest["@context"] = json!(["https://codecontextgraph.com/schema/v1", { "mine": "https://example.org/mine", "entryPoints": null }]);
        sample.manifest["mine"] = json!("kept");
    });
    assert_eq!(
        found,
        ["manifest.json: /entryPoints: not a term of the context [dropped-key]"]
    );
    let found = breaches(|sample| {
        let mut inner = json!({});
        for _ in 0..20 {
            inner = json!({ "@context": {}, "ccg:x": inner });
        }
        sample.manifest["ccg:x"] = inner;
    });
    assert_eq!(
        found,
        ["manifest.json: 21 contexts of 80 bytes; Lore expands at most 16 contexts and 65536 bytes [json-ld]"]
    );
}

#[test]
fn lv_a_document_is_what_its_place_says() {
    let found = breaches(|sample| sample.manifest["@type"] = json!("ccg:Architecture"));
    assert!(
        found.iter().any(|line| line
            .starts_with("manifest.json: /@type: expands to a https://codecontextgraph.com/ontology/v1#Architecture")),
        "{found:?}"
    );
}

#[test]
fn lv_sizes_are_those_of_the_clauses() {
    let found = breaches(|sample| {
        sample.manifest["entryPoints"] = json!(
            (1..60)
                .map(|at| json!({ "symbol": "a.C.f", "file": "a.py", "line": at }))
                .collect::<Vec<Json>>()
        );
        sample.architecture["publicAPI"] = json!(
            (0..500)
                .map(|at| json!({ "symbol": format!("a.C.f{at}"), "signature": "x".repeat(80) }))
                .collect::<Vec<Json>>()
        );
    });
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("manifest.json: 3") && found[0].ends_with("bytes; at most 2048 are allowed [size]"));
    assert!(
        found[1].starts_with("architecture.json: 5") && found[1].ends_with("bytes; at most 51200 are allowed [size]")
    );
    assert!(found[2].ends_with("bytes together; at most 53248 are allowed [size]"));
}

#[test]
fn lv_layers_that_are_missing_are_told() {
    let sample = sample();
    let parts = sample.parts();
    let files = parts.iter().filter(|(part, _)| *part != Part::Architecture);
    let files: Vec<(String, Vec<u8>)> = files
        .map(|(part, bytes)| (format!("out/{}", part.file_name()), bytes.clone()))
        .collect();
    let world = World::of_files(files);
    assert_eq!(
        told(&run(&world, "out").value),
        ["out: there is no architecture.json [missing-layer]"]
    );
}

#[test]
fn lv_every_line_is_read_and_each_wrong_one_told() {
    let found = breaches(|sample| {
        sample.more.insert(0, "<sym:x> a narsil:Struct ;".to_owned());
        sample
            .more
            .push("@prefix narsil: <https://narsilmcp.com/ontology/v1#> .".to_owned());
    });
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("full-detail.nq.gz:21:9: ") && found[0].ends_with("[syntax]"),
        "{found:?}"
    );
    assert!(
        found[1].starts_with("full-detail.nq.gz:24:1: ") && found[1].ends_with("[syntax]"),
        "{found:?}"
    );
}

#[test]
fn lv_graphs_are_the_ones_of_the_specification() {
    let found = breaches(|sample| {
        sample.more.push(quad("sym:a.C n:docComment x -"));
        sample.more.push(quad("sym:a.C n:docComment y graph:secrets"));
        sample.more.push(quad("sym:a.C n:docComment z <https://example.org/g>"));
        sample.more.push(quad("sym:a.C n:docComment z _:g"));
    });
    assert_eq!(
        found,
        [
            "full-detail.nq.gz:23: in no named graph [default-graph]",
            "full-detail.nq.gz:24: the specification does not define the graph <B/graph/secrets> [unknown-graph]",
            "full-detail.nq.gz:25: the specification does not define the graph <https://example.org/g> [unknown-graph]",
            "full-detail.nq.gz:26: the graph _:g has no IRI [unknown-graph]",
        ]
    );
    let found = breaches(|sample| {
        sample.index.retain(|line| !line.contains("/graph/calls>"));
        sample.more.retain(|line| !line.contains("/graph/security>"));
    });
    assert_eq!(
        found,
        [
            "symbol-index.nq.gz: the graph `calls` is empty [missing-graph]",
            "full-detail.nq.gz: the graph `calls` is empty [missing-graph]",
            "full-detail.nq.gz: the graph `security` is empty [missing-graph]",
        ]
    );
}

#[test]
fn lv_every_symbol_has_what_symbols_have() {
    let found = breaches(|sample| {
        let lacks = [
            "#startLine> \"2\"",
            "#signature>",
            "#definedIn> <https://codecontextgraph.com/repo/github.com/org/repo@0123456789abcdef0123456789abcdef01234567/file/a.py> <x",
        ];
        sample
            .index
            .retain(|line| !lacks.iter().any(|lack| line.contains(lack)));
        sample.index.push(quad("sym:a.g n:endLine 9 graph:structure"));
    });
    let found: Vec<&String> = found.iter().filter(|line| line.starts_with("symbol-index")).collect();
    assert_eq!(
        found,
        [
            "symbol-index.nq.gz:7: <B/sym/a.C> has no narsil:startLine [missing-property]",
            "symbol-index.nq.gz:10: <B/sym/a.C.f> has no narsil:signature [missing-property]",
            "symbol-index.nq.gz:19: <B/sym/a.g> has no rdf:type of a symbol, no narsil:name, no narsil:definedIn, no narsil:startLine [missing-property]",
        ]
    );
}

#[test]
fn lv_what_is_called_is_described() {
    let found = breaches(|sample| {
        sample.index.push(quad("sym:a.C.f n:calls sym:a.gone graph:calls"));
        sample.index.push(quad("sym:a.C.f n:calls text graph:calls"));
        sample.index.retain(|line| !line.contains("External"));
    });
    let found: Vec<&String> = found.iter().filter(|line| line.starts_with("symbol-index")).collect();
    assert_eq!(
        found,
        [
            "symbol-index.nq.gz:21: narsil:calls is \"text\", not an IRI [value]",
            "symbol-index.nq.gz:19: <B/external/os.path> is neither a symbol nor an external [unknown-callee]",
            "symbol-index.nq.gz:20: <B/sym/a.gone> is neither a symbol nor an external [unknown-callee]",
        ]
    );
}

#[test]
fn lv_values_are_of_their_kind() {
    let found = breaches(|sample| {
        for line in [
            "sym:a n:startLine 0 graph:structure",
            "sym:a n:endLine seven graph:structure",
            "sym:a n:isPublic yes graph:structure",
            "sym:a n:definedIn a.py graph:structure",
            "sym:a n:name sym:a graph:structure",
        ] {
            sample.more.push(quad(line));
        }
    });
    assert_eq!(
        found,
        [
            "full-detail.nq.gz:23: narsil:startLine is \"0\"^^<http://www.w3.org/2001/XMLSchema#integer>, not a number of a line [value]",
            "full-detail.nq.gz:24: narsil:endLine is \"seven\", not a number of a line [value]",
            "full-detail.nq.gz:25: narsil:isPublic is \"yes\", not true or false [value]",
            "full-detail.nq.gz:26: narsil:definedIn is \"a.py\", not an IRI [value]",
            "full-detail.nq.gz:27: narsil:name is <B/sym/a>, not a text [value]",
        ]
    );
}

#[test]
fn lv_layer_3_holds_layer_2_and_nothing_is_said_twice() {
    let mut sample = sample();
    let full: Vec<String> = sample.index.iter().skip(1).chain(&sample.more).cloned().collect();
    sample.index.push(sample.index[4].clone());
    let mut parts = sample.parts();
    parts[3].1 = gzip(&full);
    let files = parts
        .into_iter()
        .map(|(part, bytes)| (format!("out/{}", part.file_name()), bytes));
    let world = World::of_files(files);
    assert_eq!(
        told(&run(&world, "out").value),
        [
            "out/symbol-index.nq.gz:21: said before [duplicate]",
            "out/full-detail.nq.gz: the graph `meta` is empty [missing-graph]",
            "out/symbol-index.nq.gz:1: out/full-detail.nq.gz does not contain this statement [not-in-full-detail]",
        ]
    );
}

#[test]
fn lv_layers_are_of_one_commit() {
    let other = BASE.replace("@0123", "@ffff");
    let found = breaches(|sample| {
        sample.manifest["repository"]["commit"] = json!("ffff456789abcdef0123456789abcdef01234567");
        sample.architecture["@id"] = json!(format!("{other}/layer/1"));
        sample
            .more
            .push(quad("sym:a n:docComment x graph:docs").replacen(BASE, &other, 1));
        sample
            .more
            .push(quad("sym:a n:docComment x graph:docs").replace(BASE, &other));
    });
    assert_eq!(
        found
            .iter()
            .map(|line| line.replace(&other, "OTHER"))
            .collect::<Vec<String>>(),
        [
            "manifest.json: /repository/commit: `ffff456789abcdef0123456789abcdef01234567` is not the commit of `@id`, `0123456789abcdef0123456789abcdef01234567` [identity]",
            "architecture.json: /@id: <OTHER/layer/1> is not of the commit of manifest.json [identity]",
            "full-detail.nq.gz:23: <OTHER/sym/a> is not of the commit of manifest.json [identity]",
            "full-detail.nq.gz:24: the graph is of <OTHER>, but manifest.json is of <B> [identity]",
            "full-detail.nq.gz:24: <OTHER/sym/a> is not of the commit of manifest.json [identity]",
        ]
    );
}

#[test]
fn lv_numbers_are_those_of_the_layers() {
    let found = breaches(|sample| {
        sample.manifest["symbols"]["classes"] = json!(2);
        sample.manifest["languages"]["python"]["files"] = json!(9);
        sample.manifest["quality"]["avgCyclomaticComplexity"] = json!(3.5);
        sample.manifest["quality"]["maxCyclomaticComplexity"] = json!(5);
        sample.manifest["security"] = json!({ "critical": 1, "high": 0, "medium": 0, "low": 0, "info": 0 });
    });
    assert_eq!(
        found,
        [
            "manifest.json: /symbols/total: the kinds add up to 4, not to 3 [number]",
            "manifest.json: /symbols/classes: 2, but symbol-index.nq.gz has 1 [number]",
            "manifest.json: /languages: 9, but symbol-index.nq.gz has 1 [number]",
            "manifest.json: /quality/maxCyclomaticComplexity: 5, but symbol-index.nq.gz has 4 [number]",
            "manifest.json: /quality/avgCyclomaticComplexity: 3.5, but symbol-index.nq.gz has 4.00 [number]",
            "manifest.json: /security/critical: 1, but full-detail.nq.gz has 0 [number]",
        ]
    );
}

#[test]
fn lv_the_graph_of_modules_is_closed_and_access_rules_are_turtle() {
    let found = breaches(|sample| {
        sample.architecture["moduleDependencyGraph"]["edges"] = json!([["a", "c"]]);
        sample.acl.push_str("<#b> a acl:Authorization\n<#c> acl:mode .\n");
    });
    assert_eq!(
        found[0],
        "architecture.json: /moduleDependencyGraph/edges/0: `c` is not one of the nodes [module-graph]"
    );
    assert!(
        found[1].starts_with("acl.ttl:") && found[1].ends_with("[acl]"),
        "{found:?}"
    );
}

#[test]
fn lv_a_description_of_changes_is_validated_too() {
    let diff = json!({
        "@context": "https://codecontextgraph.com/schema/v1",
        "@type": "ccg:Diff",
        "base": "ccg:github.com/org/repo@abc123",
        "target": "ccg:refactor/split",
        "changes": {
            "modules": { "added": [{ "name": "b", "path": "b.py", "purpose": "x" }], "removed": [], "renamed": [] },
            "symbols": { "moved": [{ "symbol": "f", "from": "a", "to": "b" }], "renamed": [], "added": ["b.g"], "removed": [] },
            "dependencies": { "added": [{ "from": "a", "to": "b" }], "removed": [] },
        },
        "constraints": [{ "type": "noCircularDeps" }, { "type": "maxComplexity", "scope": "*", "value": 15 }],
    });
    let mut wrong = diff.clone();
    wrong["changes"]["symbols"]["addded"] = json!([]);
    wrong.as_object_mut().unwrap().remove("base");
    let world = World::of_files([("d.json", diff.to_string()), ("w.json", wrong.to_string())]);
    assert_eq!(told(&run(&world, "d.json").value), Vec::<String>::new());
    let found = told(&run(&world, "w.json").value);
    assert!(
        found.contains(&"w.json: \"base\" is a required property [schema]".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"w.json: /changes/symbols/addded: not a term of the context [dropped-key]".to_owned()),
        "{found:?}"
    );
}
