//! Finding and getting published graphs from forges and registries that prove who they are: the web, the disk and the questions together.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use lore_ckgp::consumer::{GraphFind, GraphGet, GraphList};
use lore_ckgp::graphs::Graphs;
use lore_model::{Cancel, NoProgress};
use lore_seam::{Alarm, Clock, Ctx, Operation, Page, PortMap, Ports, Render, Setting, Settings, Value};
use serde_json::json;

use super::super::{Reach, SystemWeb};
use super::tls::{Connection, TlsServer, reply, with_names};
use crate::{IndexDefaults, KeptGraphs, Repository, RepositoryOptions, SystemFiles, ports};

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

fn body(nodes: usize) -> Vec<u8> {
    let nodes: Vec<String> = (0..nodes).map(|number| format!(r#"{{"id": "n{number}"}}"#)).collect();
    format!(
        r#"{{"metadata": {{"tool": "t", "tool_version": "1", "generated_at": "2026-11-01T00:00:00Z", "commit": "{SHA}"}}, "nodes": [{}], "edges": []}}"#,
        nodes.join(",")
    )
    .into_bytes()
}

fn record(graphs: &[(&str, &str)]) -> Vec<u8> {
    let graphs: Vec<String> = graphs
        .iter()
        .map(|(format, url)| format!(r#"{{"format": "{format}", "graph_url": "{url}"}}"#))
        .collect();
    format!(r#"{{"schema_version": 1, "graphs": [{}]}}"#, graphs.join(",")).into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Aggregators and allowed hosts of whoever asks.
#[derive(Default)]
struct Configured(BTreeMap<&'static str, Vec<String>>);

impl Settings for Configured {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn values(&self, key: &str) -> Vec<String> {
        self.0.get(key).cloned().unwrap_or_default()
    }
}

/// A clock that moves when somebody waits, and at no other time.
#[derive(Default)]
struct Patient {
    now_ms: AtomicU64,
    waits: Mutex<Vec<Duration>>,
}

struct Never;

impl Alarm for Never {}

impl Clock for Patient {
    fn now_ms(&self) -> u64 {
        self.now_ms.load(Ordering::Relaxed)
    }

    fn wait(&self, time: Duration, _: &Cancel) -> bool {
        self.now_ms.fetch_add(time.as_millis() as u64, Ordering::Relaxed);
        self.waits.lock().unwrap().push(time);
        true
    }

    fn after(&self, _: Duration, _: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm> {
        Box::new(Never)
    }
}

/// Somebody with a directory of their own, who reaches some servers by their names.
struct Person {
    directory: tempfile::TempDir,
    hosts: Vec<(&'static str, u16)>,
    settings: Vec<(&'static str, Vec<String>)>,
    clock: Arc<Patient>,
}

impl Person {
    fn new(hosts: &[(&'static str, &TlsServer)]) -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
            hosts: hosts.iter().map(|(host, server)| (*host, server.port)).collect(),
            settings: Vec::new(),
            clock: Arc::new(Patient::default()),
        }
    }

    fn with(mut self, key: &'static str, value: &str) -> Self {
        self.settings.push((key, vec![value.to_owned()]));
        self
    }

    /// The web in which port 443 of each name is its server on this machine.
    fn web(&self) -> SystemWeb {
        let hosts = self.hosts.clone();
        with_names(Reach::Loopback, move |name, _| {
            let known = hosts.iter().filter(|(host, _)| *host == name);
            known.map(|(_, port)| (Ipv4Addr::LOCALHOST, *port).into()).collect()
        })
    }

    fn ctx(&self) -> Ctx {
        let root = self.directory.path().canonicalize().unwrap();
        let repository = Arc::new(Repository::new(RepositoryOptions {
            root: Some(root.clone()),
            start: root.clone(),
            cache: None,
            user_cache: None,
            cache_limit: None,
            defaults: Arc::new(|_: &Path| Ok(IndexDefaults::default())),
        }));
        let settings = Configured(self.settings.iter().cloned().collect());
        let files = Arc::new(SystemFiles::new(root.clone()));
        Ctx {
            ports: Arc::new(Ports {
                web: Arc::new(self.web()),
                facets: PortMap::default().with::<dyn Graphs>(Arc::new(KeptGraphs::new(root.join("graphs")))),
                clock: self.clock.clone(),
                ..ports(&repository, Arc::new(settings), files, None)
            }),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }

    fn find(&self, id: &str) -> String {
        told(GraphFind::run(
            &self.ctx(),
            serde_json::from_value(json!({ "id": id })).unwrap(),
        ))
    }

    fn get(&self, arguments: serde_json::Value) -> String {
        told(GraphGet::run(&self.ctx(), serde_json::from_value(arguments).unwrap()))
    }

    fn bodies(&self) -> usize {
        let directories = std::fs::read_dir(self.directory.path().join("graphs/bodies"));
        let files = directories
            .into_iter()
            .flatten()
            .flatten()
            .flat_map(|entry| std::fs::read_dir(entry.path()));
        files.flatten().count()
    }
}

fn told<T: Render>(answer: Result<Value<T>, lore_seam::OpError>) -> String {
    match answer {
        Ok(answer) => {
            let mut page = Page::default();
            answer.value.render(&mut page);
            page.into_text()
        }
        Err(error) => format!("! {:?}: {error}\n{}", error.kind, error.hints.join("\n")),
    }
}

fn missing(stream: &mut Connection) {
    reply(
        stream,
        "404 Not Found",
        "Content-Type: text/plain\r\n",
        b"404: Not Found",
    );
}

fn paths(server: &TlsServer) -> Vec<String> {
    let heads = server.asked();
    heads
        .iter()
        .map(|head| head.split(' ').nth(1).unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn c1_c3_c7_a_graph_is_probed_for_fetched_packed_kept_and_asked_for_by_its_mark() {
    let forge = TlsServer::with_heads(|head, stream| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        let is_known = head.to_lowercase().contains("if-none-match: \"g1\"");
        match path {
            "/group/sub/repo/-/raw/main/.well-known/code-graph.json" => {
                let url = "https://gitlab.lore.test/group/sub/repo/-/raw/main/.lore/graph.json";
                // A forge serves it as plain text (D1).
                reply(
                    stream,
                    "200 OK",
                    "Content-Type: text/plain; charset=utf-8\r\n",
                    &record(&[("generic@1", url)]),
                );
            }
            "/group/sub/repo/-/raw/main/.lore/graph.json" if is_known => {
                reply(stream, "304 Not Modified", "ETag: \"g1\"\r\n", b"")
            }
            "/group/sub/repo/-/raw/main/.lore/graph.json" => {
                reply(
                    stream,
                    "200 OK",
                    "ETag: \"g1\"\r\nContent-Encoding: gzip\r\n",
                    &gzip(&body(7)),
                );
            }
            _ => missing(stream),
        }
    });
    let person = Person::new(&[("gitlab.lore.test", &forge)]);
    let shown = person.get(json!({"id": "gitlab.lore.test/group/sub/repo", "output": "out.json"}));
    assert!(
        shown.starts_with("gitlab.lore.test/group/sub/repo  generic@1, "),
        "{shown}"
    );
    assert!(
        shown.contains("  holds    7 nodes, 0 edges\n") && shown.ends_with("written to out.json\n"),
        "{shown}"
    );
    assert_eq!(
        std::fs::read(person.directory.path().join("out.json")).unwrap(),
        body(7)
    );
    let first = [
        "/group/sub/repo/-/raw/HEAD/.well-known/code-graph.json",
        "/group/sub/repo/-/raw/main/.well-known/code-graph.json",
        "/group/sub/repo/-/raw/main/.lore/graph.json",
    ];
    assert_eq!(paths(&forge), first);
    assert_eq!(person.bodies(), 1);
    let again = person.get(json!({"url": "https://gitlab.lore.test/group/sub/repo.git"}));
    assert!(again.contains("  holds    7 nodes, 0 edges\n"), "{again}");
    let heads = forge.asked();
    assert!(heads.last().unwrap().to_lowercase().contains("if-none-match: \"g1\""));
    let before = heads.len();
    let offline = person.get(json!({"id": "gitlab.lore.test/group/sub/repo", "offline": true}));
    assert!(offline.contains("  holds    7 nodes, 0 edges\n"), "{offline}");
    assert_eq!(forge.asked().len(), before);
}

#[test]
fn amend_c1_a_gitea_is_asked_in_its_own_way() {
    let forge = TlsServer::new(|_, stream| missing(stream));
    let person = Person::new(&[("gitea.lore.test", &forge)]);
    let shown = person.find("gitea.lore.test/octo/hello");
    assert!(
        shown.starts_with("gitea.lore.test/octo/hello: no graph is published\n"),
        "{shown}"
    );
    assert_eq!(
        paths(&forge),
        [
            "/octo/hello/raw/branch/HEAD/.well-known/code-graph.json",
            "/octo/hello/raw/branch/main/.well-known/code-graph.json",
            "/octo/hello/raw/branch/master/.well-known/code-graph.json",
        ]
    );
}

#[test]
fn c2_a_forge_that_is_busy_is_asked_again_when_it_says() {
    let count = AtomicU64::new(0);
    let forge = TlsServer::new(move |path, stream| match path {
        "/o/r/-/raw/HEAD/.well-known/code-graph.json" => match count.fetch_add(1, Ordering::Relaxed) {
            0 => reply(stream, "429 Slow Down", "Retry-After: 17\r\n", b""),
            1 => reply(stream, "502 Bad Gateway", "", b""),
            _ => reply(
                stream,
                "200 OK",
                "",
                &record(&[("generic@1", "https://gitlab.lore.test/g.json")]),
            ),
        },
        "/g.json" => reply(stream, "200 OK", "", &body(1)),
        _ => missing(stream),
    });
    let person = Person::new(&[("gitlab.lore.test", &forge)]);
    let shown = person.get(json!({"id": "gitlab.lore.test/o/r"}));
    assert!(shown.contains("holds    1 nodes"), "{shown}");
    let waits = person.clock.waits.lock().unwrap().clone();
    assert_eq!(waits.len(), 2);
    assert_eq!(waits[0], Duration::from_secs(17));
    assert!(waits[1] <= Duration::from_secs(1));
}

#[test]
fn c4_c5_c7_a_registry_stands_in_says_what_it_saw_and_takes_back() {
    let forge = TlsServer::new(|path, stream| match path {
        "/g.json" => reply(stream, "200 OK", "", &body(3)),
        _ => missing(stream),
    });
    let status = Arc::new(Mutex::new("ok"));
    let said = Arc::clone(&status);
    let registry = TlsServer::new(move |path, stream| match path {
        "/reg/.well-known/repos.json" => {
            let status = *said.lock().unwrap();
            let list = format!(
                r#"{{"schema_version": 1, "repos": [{{"id": "o/r", "host": "gitlab.lore.test", "format": "generic@1", "graph_url": "https://gitlab.lore.test/g.json", "status": "{status}", "last_sha": "{}"}}]}}"#,
                "0".repeat(64)
            );
            reply(stream, "200 OK", "", list.as_bytes());
        }
        _ => missing(stream),
    });
    let person = Person::new(&[("gitlab.lore.test", &forge), ("registry.lore.test", &registry)])
        .with("graph.aggregators", "https://registry.lore.test/reg");
    let shown = person.get(json!({"id": "gitlab.lore.test/O/R"}));
    assert!(
        shown.contains("holds    3 nodes") && shown.contains("the graph is newer than the aggregator's copy"),
        "{shown}"
    );
    let list = told(GraphList::run(
        &person.ctx(),
        serde_json::from_value(json!({})).unwrap(),
    ));
    assert!(list.starts_with("* gitlab.lore.test/o/r  generic@1"), "{list}");
    assert_eq!(person.bodies(), 2, "the graph, and a copy of the list");
    *status.lock().unwrap() = "revoked";
    person.clock.now_ms.fetch_add(60_000, Ordering::Relaxed);
    let shown = person.get(json!({"id": "gitlab.lore.test/o/r"}));
    assert!(
        shown.starts_with(
            "! Refused: the graph of gitlab.lore.test/o/r was revoked by https://registry.lore.test/reg\n"
        ),
        "{shown}"
    );
    assert_eq!(person.bodies(), 1, "the copy of the list");
    let near = person.find("gitlab.lore.test/o/rr");
    assert!(
        near.starts_with("gitlab.lore.test/o/rr: no graph is published\n") && !near.contains("near to it"),
        "{near}"
    );
}

#[test]
fn s2_s3_s4_no_address_leads_away_or_inside() {
    let elsewhere = TlsServer::new(|_, stream| reply(stream, "200 OK", "", &body(9)));
    let forge = TlsServer::new(|path, stream| match path {
        "/o/r/-/raw/HEAD/.well-known/code-graph.json" => {
            let graphs = [
                ("ccg@1", "https://elsewhere.lore.test/foreign.json"),
                ("code-review-graph@1", "https://gitlab.lore.test/redirect-away"),
                ("gitnexus@1", "https://gitlab.lore.test/redirect-plain"),
                (
                    "understand-anything@1",
                    "https://inside.lore.test/allowed-and-private.json",
                ),
                ("generic@1", "https://gitlab.lore.test/redirect-well"),
            ];
            reply(stream, "200 OK", "", &record(&graphs));
        }
        "/redirect-away" => reply(stream, "302 Found", "Location: https://elsewhere.lore.test/x\r\n", b""),
        "/redirect-plain" => reply(stream, "302 Found", "Location: http://gitlab.lore.test/g.json\r\n", b""),
        "/redirect-well" => reply(stream, "302 Found", "Location: /g.json\r\n", b""),
        "/g.json" => reply(stream, "200 OK", "", &body(2)),
        _ => missing(stream),
    });
    let mut person = Person::new(&[("gitlab.lore.test", &forge), ("elsewhere.lore.test", &elsewhere)])
        .with("graph.allow_hosts", "inside.lore.test");
    // A name that whoever asks allows, and that leads to an address that is none of the test's own machine.
    person.hosts.push(("inside.lore.test", 0));
    let private = with_names(Reach::Loopback, {
        let hosts = person.hosts.clone();
        move |name, port| match name {
            "inside.lore.test" => vec![(Ipv4Addr::new(192, 168, 7, 7), port).into()],
            name => {
                let known = hosts.iter().filter(|(host, _)| *host == name);
                known.map(|(_, port)| (Ipv4Addr::LOCALHOST, *port).into()).collect()
            }
        }
    });
    let ctx = person.ctx();
    let ctx = Ctx {
        ports: Arc::new(Ports {
            web: Arc::new(private),
            ..Ports::clone(&ctx.ports)
        }),
        ..ctx
    };
    let request = serde_json::from_value(json!({"id": "gitlab.lore.test/o/r"})).unwrap();
    let answer = GraphGet::run(&ctx, request).unwrap().value;
    assert_eq!((answer.graph.format.as_str(), answer.graph.nodes), ("generic@1", 2));
    let reasons: Vec<&str> = answer
        .tried
        .iter()
        .filter_map(|tried| tried.split(": ").nth(1))
        .collect();
    assert_eq!(reasons, ["not fetched"; 4], "{:?}", answer.tried);
    assert!(
        answer.tried[3].ends_with("192.168.7.7 is not a public address"),
        "{:?}",
        answer.tried
    );
    assert_eq!(elsewhere.asked(), Vec::<String>::new());
    assert!(forge.asked().iter().all(|head| {
        let head = head.to_lowercase();
        !head.contains("cookie") && !head.contains("authorization") && !head.contains("referer")
    }));
}

#[test]
fn c3_s6_a_bomb_is_left_at_its_limit_and_the_next_graph_is_taken() {
    let bomb = gzip(&vec![b' '; 60 << 20]);
    let forge = TlsServer::new(move |path, stream| match path {
        "/o/r/-/raw/HEAD/.well-known/code-graph.json" => {
            let graphs = [
                ("ccg@1", "https://gitlab.lore.test/bomb.json"),
                ("generic@1", "https://gitlab.lore.test/g.json"),
            ];
            reply(stream, "200 OK", "", &record(&graphs));
        }
        "/bomb.json" => reply(stream, "200 OK", "Content-Encoding: gzip\r\n", &bomb),
        "/g.json" => reply(stream, "200 OK", "", &body(1)),
        _ => missing(stream),
    });
    let person = Person::new(&[("gitlab.lore.test", &forge)]);
    let shown = person.get(json!({"id": "gitlab.lore.test/o/r"}));
    assert!(
        shown.contains("not used: ccg@1 at https://gitlab.lore.test/bomb.json: it is too large\n"),
        "{shown}"
    );
    assert!(shown.contains("generic@1"), "{shown}");
}

#[test]
fn s1_s3_the_product_asks_nothing_on_this_machine_whatever_a_record_says() {
    let forge = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b"{}"));
    let person = Person::new(&[]);
    let ctx = person.ctx();
    let ctx = Ctx {
        ports: Arc::new(Ports {
            web: Arc::new(with_names(Reach::Public, {
                let port = forge.port;
                move |_, _| vec![(Ipv4Addr::LOCALHOST, port).into()]
            })),
            ..Ports::clone(&ctx.ports)
        }),
        ..ctx
    };
    let request = serde_json::from_value(json!({"id": "gitlab.lore.test/o/r"})).unwrap();
    let error = GraphFind::run(&ctx, request).unwrap_err();
    assert!(
        error
            .message
            .ends_with("not fetched: 127.0.0.1 is not a public address"),
        "{error}"
    );
    let request =
        serde_json::from_value(json!({"body_url": format!("https://127.0.0.1:{}/g.json", forge.port)})).unwrap();
    let error = GraphGet::run(&ctx, request).unwrap_err();
    assert!(
        error
            .message
            .ends_with("not fetched: the address has a port other than 443"),
        "{error}"
    );
    assert_eq!(forge.asked(), Vec::<String>::new());
}
