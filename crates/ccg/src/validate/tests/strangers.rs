//! Graphs of others: made otherwise, made to hurt, or served under a wrong address.

use std::sync::Arc;

use serde_json::json;

use super::*;

#[test]
fn lv_a_document_that_is_far_too_large_is_not_looked_into() {
    let mut sample = sample();
    sample.architecture["modules"] = json!(vec![1; 200_000]);
    let answer = validated(&sample);
    assert_eq!(answer.counts.keys().collect::<Vec<&String>>(), ["size"]);
    assert_eq!(
        answer.notes,
        ["architecture.json was neither checked against its JSON Schema nor expanded: it is larger than 262144 bytes"]
    );
}

#[test]
fn lv_of_many_breaches_the_first_are_told_and_all_are_counted() {
    let mut sample = sample();
    for at in 0..500 {
        sample.more.push(quad(&format!("sym:a n:docComment x{at} -")));
        sample.more.push("nonsense".to_owned());
    }
    let answer = validated(&sample);
    assert_eq!(answer.counts["default-graph"], 500);
    assert_eq!(answer.counts["syntax"], 500);
    assert_eq!(answer.breaches.len(), 2 * TOLD_PER_KIND);
    let mut page = Page::new(Style::default());
    answer.render(&mut page);
    let text = page.into_text();
    assert!(
        text.contains("… and 480 more of syntax\n") && text.ends_with("r.ccg.zip: 1000 breaches\n"),
        "{text}"
    );
}

#[test]
fn lv_hostile_archives_are_breaches_with_their_reason() {
    let mut bytes = sample().bundle();
    let at = bytes.windows(4).position(|found| found == b"PK\x01\x02").unwrap();
    bytes[at + 16] ^= 0xff;
    let world = World::of_files([("crc.ccg.zip", bytes.clone()), ("cut.ccg.zip", bytes[..200].to_vec())]);
    let found = told(&run(&world, "crc.ccg.zip").value);
    assert!(
        found[0].starts_with("manifest.json: it is damaged: its CRC-32 is "),
        "{found:?}"
    );
    let cut = run(&world, "cut.ccg.zip");
    assert_eq!(cut.verdict, Verdict::No);
    assert!(told(&cut.value)[0].starts_with("cut.ccg.zip: not a readable zip archive"));
}

#[test]
fn lv_a_damaged_entry_is_told_as_such_and_nothing_else_of_it() {
    let mut sample = sample();
    sample
        .more
        .extend((0..3_000).map(|at| quad(&format!("sym:a.C.f n:docComment x{at} graph:docs"))));
    let bytes = sample.bundle();
    let parts = sample.parts();
    for part in [Part::SymbolIndex, Part::FullDetail] {
        let (_, packed) = parts.iter().find(|(known, _)| *known == part).unwrap();
        let start = bytes.windows(packed.len()).position(|found| found == packed).unwrap();
        for at in [0, 2, packed.len() / 2, packed.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[start + at] ^= 0x10;
            let mut alone = packed.clone();
            alone[packed.len() / 2] ^= 0x10;
            let world = World::of_files([("x.ccg.zip", damaged), (part.file_name(), alone)]);
            let answer = run(&world, "x.ccg.zip");
            let found = told(&answer.value);
            assert_eq!(answer.verdict, Verdict::No);
            assert_eq!(found.len(), 1, "{found:?}");
            let said = format!("{}: it is damaged: its CRC-32 is ", part.file_name());
            assert!(found[0].starts_with(&said), "{found:?}");
            let found = told(&run(&world, part.file_name()).value);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("it is damaged: "), "{found:?}");
        }
    }
}

#[test]
fn lv_what_can_be_read_and_is_no_graph_is_invalid() {
    let world = World::of_files([
        ("empty.zip", ""),
        ("no.zip", "hello"),
        ("x.txt", "hello"),
        ("empty.nq.gz", ""),
        ("full-detail.nq.gz", ""),
        ("empty.nq", ""),
        ("empty.json", ""),
        ("manifest.json", ""),
        ("folder/x.rs", "fn main() {}"),
        ("-", ""),
    ]);
    for path in world.files.keys().map(|path| path.split('/').next().unwrap()) {
        let answer = run(&world, path);
        assert_eq!(answer.verdict, Verdict::No, "{path}");
        assert!(!told(&answer.value).is_empty(), "{path}");
    }
    let request = ValidateRequest {
        source: Some("gone.zip".to_owned()),
        ..ValidateRequest::default()
    };
    let error = Validate::run(&world.ctx(), request).map(drop).unwrap_err();
    assert_eq!(error.kind.exit_code(), 2);
}

#[test]
fn lv_a_revision_beside_a_source_is_refused() {
    let world = World::of_files([("x.ccg.zip", sample().bundle())]);
    let request = ValidateRequest {
        source: Some("x.ccg.zip".to_owned()),
        scope: Scope {
            at: Some("v1".to_owned()),
            ..Scope::default()
        },
    };
    let error = Validate::run(&world.ctx(), request).map(drop).unwrap_err();
    assert_eq!(error.kind.exit_code(), 2);
    assert_eq!(
        error.message,
        "--at v1 names a revision of this repository, but x.ccg.zip is an exported graph"
    );
}

/// What another exporter gives today: another context, other keys, no named graphs, files as text, calls of things that are not described.
#[test]
fn lv_another_exporters_graph_gets_useful_breaches() {
    let manifest = json!({
        "@context": "https://narsilmcp.com/ccg/v1",
        "@type": "CodeContextGraph",
        "name": "repo",
        "symbol_counts": { "functions": 2, "total": 2 },
        "languages": [{ "language": "Rust", "file_count": 1, "percentage": 100.0 }],
        "entry_points": [],
        "layer_uris": {},
        "generated": { "timestamp": "2026-01-02T03:04:05+00:00", "version": "1.0.0" },
    });
    let lines: String = ["main", "helper"]
        .iter()
        .map(|name| {
            let subject = format!("<https://narsilmcp.com/code/repo/src%2Fmain.rs::{name}@L1>");
            let n = "https://narsilmcp.com/ontology/v1#";
            format!(
                "{subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{n}Function> .\n\
                 {subject} <{n}name> \"{name}\" .\n{subject} <{n}filePath> \"src/main.rs\" .\n\
                 {subject} <{n}startLine> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n\
                 <https://narsilmcp.com/code/repo/src%2Fmain.rs::{name}> <{n}calls> <https://narsilmcp.com/code/repo/src%2Fmain.rs::helper> .\n"
            )
        })
        .collect();
    let world = World::of_files([
        ("out/repo.ccg.manifest.json", manifest.to_string().into_bytes()),
        ("out/repo.ccg.index.nq.gz", gzip(&[lines.trim_end().to_owned()])),
    ]);
    let answer = run(&world, "out");
    assert_eq!(answer.verdict, Verdict::No);
    let found = told(&answer.value);
    for wanted in [
        "out/repo.ccg.manifest.json: \"repository\" is a required property [schema]",
        "out: there is no architecture.json [missing-layer]",
        "out: there is no full-detail.nq.gz [missing-layer]",
        "out/repo.ccg.index.nq.gz:1: in no named graph [default-graph]",
        "out/repo.ccg.index.nq.gz: the graph `structure` is empty [missing-graph]",
        "out/repo.ccg.index.nq.gz:1: <https://narsilmcp.com/code/repo/src%2Fmain.rs::main@L1> has no narsil:definedIn, no narsil:signature, no narsil:complexity [missing-property]",
        "out/repo.ccg.index.nq.gz:5: <https://narsilmcp.com/code/repo/src%2Fmain.rs::helper> is neither a symbol nor an external [unknown-callee]",
    ] {
        assert!(found.iter().any(|line| line == wanted), "{wanted}\n{found:#?}");
    }
    assert!(
        found
            .iter()
            .any(|line| line.contains("https://narsilmcp.com/ccg/v1") && line.ends_with("[json-ld]")),
        "{found:#?}"
    );
}

#[test]
fn lb_a_registry_is_read_beside_the_address_that_was_asked_for() {
    let sample = sample();
    let folder = format!("https://example.org/ccg/github.com/org/repo@{COMMIT}");
    let mut world = World::default();
    for (part, bytes) in sample.parts() {
        let url = format!("{folder}/{}", part.file_name());
        world.web.insert(url.clone(), (200, url, bytes));
    }
    let world = Arc::new(world);
    let answer = run(&world, &format!("{folder}/manifest.json"));
    assert_eq!(told(&answer.value), Vec::<String>::new());
    assert!(world.fetched.lock().unwrap().iter().all(|url| url.starts_with(&folder)));
}

#[test]
fn lb_a_registry_that_serves_something_else_is_found_out() {
    let sample = sample();
    let mut world = World::default();
    for (part, bytes) in sample.parts() {
        let url = format!(
            "https://example.org/ccg/github.com/org/other/latest/{}",
            part.file_name()
        );
        world.web.insert(url.clone(), (200, url, bytes));
    }
    let answer = run(&Arc::new(world), "https://example.org/ccg/github.com/org/other/latest/");
    assert_eq!(
        told(&answer.value),
        [
            "manifest.json: /@id: <B> differs from its address, <https://codecontextgraph.com/repo/github.com/org/other> [identity]"
        ]
    );
}

/// Documents with words of JSON-LD in all the wrong places, and bytes spoilt.
#[test]
fn lv_spoilt_documents_get_an_answer() {
    const KEYS: [&str; 22] = [
        "@id",
        "@type",
        "@value",
        "@language",
        "@direction",
        "@index",
        "@list",
        "@set",
        "@graph",
        "@included",
        "@nest",
        "@reverse",
        "@context",
        "@container",
        "@version",
        "@import",
        "@base",
        "@vocab",
        "@none",
        "@json",
        "@propagate",
        "@protected",
    ];
    let texts = [sample().manifest.to_string(), sample().architecture.to_string()];
    let mut state: u64 = 1;
    let mut random = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..300 {
        let mut value: Json = serde_json::from_str(&texts[round % 2]).unwrap();
        for _ in 0..=random(4) {
            // A way down, as a JSON Pointer.
            let mut pointer = String::new();
            for _ in 0..random(4) {
                match value.pointer(&pointer) {
                    Some(Json::Object(fields)) if !fields.is_empty() => {
                        let key = fields.keys().nth(random(fields.len())).unwrap();
                        pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                    }
                    Some(Json::Array(items)) if !items.is_empty() => {
                        pointer = format!("{pointer}/{}", random(items.len()));
                    }
                    _ => {}
                }
            }
            let at = value.pointer_mut(&pointer).unwrap();
            let key = KEYS[random(KEYS.len())];
            let spoilt = match random(9) {
                0 => json!(null),
                1 => json!([[["x"]], {}]),
                2 => json!({ key: "x" }),
                3 => json!({ key: { "@id": "x" }, "@value": 3 }),
                4 => json!({ "a": { "@id": "ccg:a", "@container": key, "@context": { "b": key } } }),
                5 => json!(key),
                6 => json!([{ key: [] }, { key: { key: null } }]),
                7 => {
                    json!({ "@context": { "name": { "@id": key, "@type": "@json", "@container": ["@set", "@index"] }, "@version": 1.1 } })
                }
                _ => json!(-1.5e300),
            };
            match at {
                Json::Object(fields) => drop(fields.insert(key.to_owned(), spoilt)),
                other => *other = spoilt,
            }
        }
        let mut bytes = value.to_string().into_bytes();
        if random(3) == 0 {
            let at = random(bytes.len());
            bytes[at] = random(256) as u8;
        }
        let mut report = Report::default();
        let kind = if round % 2 == 0 {
            Kind::Manifest
        } else {
            Kind::Architecture
        };
        document::check(kind, "m.json", &bytes, &mut report);
    }
}
