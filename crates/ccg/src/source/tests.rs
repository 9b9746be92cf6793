//! Where graphs are read from, and what is said where there is none.

use std::io::Write;
use std::sync::Arc;

use super::*;
use crate::GzipWriter;
use crate::bundle::write_bundle;
use lore_seam::world::World;

const QUAD: &str = "<https://e.org/s> <https://e.org/p> \"o\" <https://e.org/g> .\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = GzipWriter::new(Vec::new());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn bundle() -> Vec<u8> {
    let mut out = Vec::new();
    let manifest: crate::bundle::PartWriter<'_> =
        Box::new(|out| out.write_all(b"{\"a\": 1}").map_err(OpError::from_write));
    write_bundle(&mut out, vec![(Part::Manifest, manifest)]).unwrap();
    out
}

fn open(world: &Arc<World>, source: &str) -> Result<CcgSource, OpError> {
    Ok(CcgSource::open(&world.ctx(), Some(source), &Scope::default())?)
}

fn failure(world: &Arc<World>, source: &str) -> String {
    match open(world, source) {
        Ok(_) => panic!("{source} can be opened"),
        Err(error) => error.message,
    }
}

#[test]
fn lb_a_file_is_known_by_its_content_and_by_its_name() {
    let world = World::of_files([
        ("r.ccg.zip", bundle()),
        ("no-extension", bundle()),
        ("symbol-index.nq.gz", gzip(QUAD)),
        ("r.ccg.index.nq", QUAD.as_bytes().to_vec()),
        ("r.ccg.full.nq.gz", gzip(QUAD)),
        ("other.nq", QUAD.as_bytes().to_vec()),
        ("other", gzip(QUAD)),
        ("r.ccg.arch.json", b"{}".to_vec()),
        ("any.json", b"{\"@type\": \"ccg:Architecture\"}".to_vec()),
        ("thing.json", b"{}".to_vec()),
        ("d.json", b"{\"@type\": \"ccg:Diff\"}".to_vec()),
        ("acl.ttl", b"".to_vec()),
    ]);
    for (path, extent) in [
        ("r.ccg.zip", Extent::Whole),
        ("no-extension", Extent::Whole),
        ("symbol-index.nq.gz", Extent::One(Part::SymbolIndex)),
        ("r.ccg.index.nq", Extent::One(Part::SymbolIndex)),
        ("r.ccg.full.nq.gz", Extent::One(Part::FullDetail)),
        ("other.nq", Extent::One(Part::FullDetail)),
        ("other", Extent::One(Part::FullDetail)),
        ("r.ccg.arch.json", Extent::One(Part::Architecture)),
        ("any.json", Extent::One(Part::Architecture)),
        ("thing.json", Extent::One(Part::Manifest)),
        ("d.json", Extent::Diff),
        ("acl.ttl", Extent::One(Part::Acl)),
    ] {
        let source = open(&world, path).unwrap();
        assert_eq!(source.extent(), extent, "{path}");
        if let Extent::One(part) = extent {
            let content = source.part(&world.ctx(), part).unwrap().unwrap();
            if part.is_quads() {
                assert_eq!(content.quads().unwrap().filter(Result::is_ok).count(), 1, "{path}");
            }
        }
    }
}

#[test]
fn lb_a_directory_holds_bundle_names_or_those_of_files_alone() {
    let world = World::of_files([
        ("a/manifest.json", "{\"n\": 1}"),
        ("a/x.ccg.manifest.json", "{\"n\": 2}"),
        ("a/acl.ttl", "# nobody"),
        ("b/x.ccg.manifest.json", "{\"n\": 2}"),
        ("b/x.ccg.index.nq.gz", ""),
        ("c/x.ccg.manifest.json", "{}"),
        ("c/y.ccg.manifest.json", "{}"),
        ("d/readme.txt", ""),
    ]);
    let ctx = world.ctx();
    let source = open(&world, "a").unwrap();
    assert_eq!(source.manifest(&ctx).unwrap()["n"], 1);
    assert_eq!(source.acl(&ctx).unwrap().as_deref(), Some("# nobody"));
    let source = open(&world, "b").unwrap();
    assert_eq!(source.manifest(&ctx).unwrap()["n"], 2);
    assert_eq!(source.acl(&ctx).unwrap(), None);
    assert_eq!(
        source.architecture(&ctx).unwrap_err().message,
        "b has no architecture.json"
    );
    assert_eq!(
        failure(&world, "c"),
        "c contains several graphs: x.ccg.manifest.json, y.ccg.manifest.json"
    );
    assert_eq!(failure(&world, "d"), "d contains no layer of a Code Context Graph");
}

#[test]
fn lb_what_is_no_source_is_refused() {
    let world = World::of_files([("x.txt", "hello"), ("bad.zip", "hello"), ("bad.json", "{")]);
    assert_eq!(failure(&world, "gone.ccg.zip"), "there is no gone.ccg.zip");
    assert_eq!(failure(&world, "x.txt"), "x.txt is neither a bundle nor a part of one");
    assert!(failure(&world, "bad.zip").starts_with("bad.zip: not a zip archive: "));
    let error = open(&world, "bad.json").unwrap().manifest(&world.ctx()).unwrap_err();
    assert_eq!(
        error.message,
        "bad.json:1:1: EOF while parsing an object at line 1 column 1"
    );
    let large = World::of_files([("manifest.json", vec![b' '; (1 << 20) + 1])]);
    assert_eq!(
        failure(&large, "manifest.json"),
        "manifest.json is larger than 1048576 bytes"
    );
}

#[test]
fn lb_a_line_without_an_end_is_refused_while_it_is_read() {
    let zeros = vec![0; 2 << 20];
    let line = [b"<a:".to_vec(), vec![b'x'; 2 << 20]].concat();
    let world = World::of_files([
        ("/dev/zero", zeros.clone()),
        ("zeros.nq", zeros.clone()),
        ("zeros.zip", zeros),
        ("long", line),
    ]);
    assert_eq!(
        failure(&world, "/dev/zero"),
        "/dev/zero is neither a bundle nor a part of one"
    );
    assert_eq!(
        failure(&world, "zeros.nq"),
        "zeros.nq: line 1 is longer than 1048576 bytes"
    );
    assert!(failure(&world, "zeros.zip").starts_with("zeros.zip: not a zip archive"));
    assert_eq!(failure(&world, "long"), "long: line 1 is longer than 1048576 bytes");
}

#[test]
fn lb_addresses_have_the_form_of_a_registry() {
    for (address, folder, iri, is_commit, named) in [
        (
            "https://codecontextgraph.com/ccg/github.com/org/repo@abc123/manifest.json",
            "https://codecontextgraph.com/ccg/github.com/org/repo@abc123",
            "github.com/org/repo@abc123",
            true,
            Some(Part::Manifest),
        ),
        (
            "https://h:8443/x/ccg/gitlab.com/a/b/c/r@abc123/full-detail.nq.gz",
            "https://h:8443/x/ccg/gitlab.com/a/b/c/r@abc123",
            "gitlab.com/a/b/c/r@abc123",
            true,
            Some(Part::FullDetail),
        ),
        (
            "https://h/ccg/g/o/r@abc/",
            "https://h/ccg/g/o/r@abc",
            "g/o/r@abc",
            true,
            None,
        ),
        (
            "https://h/ccg/g/o/r/latest",
            "https://h/ccg/g/o/r/latest",
            "g/o/r",
            false,
            None,
        ),
        (
            "https://h/ccg/g/o/latest/latest/manifest.json",
            "https://h/ccg/g/o/latest/latest",
            "g/o/latest",
            false,
            Some(Part::Manifest),
        ),
    ] {
        let Ok(Address::Registry(registry)) = Registry::parse(address) else {
            panic!("{address}");
        };
        assert_eq!(registry.folder, folder);
        assert_eq!(
            registry.promise().iri,
            format!("https://codecontextgraph.com/repo/{iri}")
        );
        assert_eq!((registry.is_commit, registry.named), (is_commit, named));
        assert_eq!(registry.address(Part::Acl), format!("{folder}/acl.ttl"));
    }
    assert_eq!(Registry::parse("https://h/any/where/r.ccg.zip"), Ok(Address::Bundle));
    for (address, why) in [
        ("https://h/manifest.json", "is not the address of a registry"),
        (
            "https://h/ccg/github.com/org/repo/manifest.json",
            "does not name a commit",
        ),
        ("https://h/ccg/repo@abc/manifest.json", "does not name a commit"),
        (
            "https://h/ccg/o/repo@abc/manifest.json",
            "does not name host, owner and repository",
        ),
        (
            "https://h/ccg/g/o/r@abc/manifest.json?token=1",
            "has a query or a fragment",
        ),
        ("file:///etc/ccg/g/o/r@abc/manifest.json", "is not a web address"),
    ] {
        let error = Registry::parse(address).unwrap_err();
        assert_eq!(error.message, format!("{address} {why}"));
    }
}

#[test]
fn lb_a_promise_is_kept_by_the_right_commit_alone() {
    let commit = Promise {
        iri: "https://codecontextgraph.com/repo/h/o/r%C3%BC@abc".to_owned(),
        is_commit: true,
    };
    assert!(commit.is_kept_by("https://codecontextgraph.com/repo/h/o/rü@abc"));
    assert!(!commit.is_kept_by("https://codecontextgraph.com/repo/h/o/rü@abcd"));
    let latest = Promise {
        iri: "https://codecontextgraph.com/repo/h/o/r".to_owned(),
        is_commit: false,
    };
    assert!(latest.is_kept_by("https://codecontextgraph.com/repo/h/o/r@abc"));
    for other in ["r2@abc", "r", "r/x@abc", "r@abc/sym"] {
        assert!(
            !latest.is_kept_by(&format!("https://codecontextgraph.com/repo/h/o/{other}")),
            "{other}"
        );
    }
}

#[test]
fn lb_what_servers_answer_is_told() {
    let folder = "https://example.org/ccg/g/o/r@abc";
    let manifest = format!("{folder}/manifest.json");
    let answers = |status: u16, url: &str, body: &str| {
        let mut world = World::default();
        world
            .web
            .insert(manifest.clone(), (status, url.to_owned(), body.as_bytes().to_vec()));
        let world = Arc::new(world);
        open(&world, &manifest).unwrap().manifest(&world.ctx())
    };
    assert_eq!(answers(200, &manifest, "{\"n\": 1}").unwrap()["n"], 1);
    for (status, url, why) in [
        (
            404,
            manifest.as_str(),
            "https://example.org/ccg/g/o/r@abc/manifest.json has no manifest.json",
        ),
        (
            401,
            &manifest,
            "https://example.org/ccg/g/o/r@abc/manifest.json is not public: the server answered 401",
        ),
        (
            500,
            &manifest,
            "https://example.org/ccg/g/o/r@abc/manifest.json: the server answered 500",
        ),
        (
            200,
            "https://evil.example/manifest.json",
            "https://example.org/ccg/g/o/r@abc/manifest.json leads to another host: https://evil.example/manifest.json",
        ),
    ] {
        assert_eq!(answers(status, url, "{}").unwrap_err().message, why);
    }
}

#[test]
fn lb_a_manifest_cannot_send_a_reader_elsewhere() {
    let folder = "https://example.org/ccg/g/o/r@abc";
    let manifest =
        r#"{"layers": {"architecture": "https://169.254.169.254/secret", "symbolIndex": "file:///etc/passwd"}}"#;
    let mut world = World::default();
    let url = format!("{folder}/manifest.json");
    world
        .web
        .insert(url.clone(), (200, url.clone(), manifest.as_bytes().to_vec()));
    let world = Arc::new(world);
    let ctx = world.ctx();
    let source = open(&world, &url).unwrap();
    source.manifest(&ctx).unwrap();
    for part in Part::ALL {
        let _ = source.part(&ctx, part);
    }
    let fetched = world.fetched.lock().unwrap();
    assert!(
        fetched.len() > 4 && fetched.iter().all(|url| url.starts_with(folder)),
        "{fetched:?}"
    );
}
