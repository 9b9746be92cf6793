//! A fleet of servers that mean ill: a run over all of them ends, tells of each how it is, holds little, and visits those between them that mean well.
//!
//! With `LORE_LONG` in the environment those are among them that take as long as they may.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use lore_testing::Running;
use serde_json::Value;

use crate::server::{Connection, Then, reply};
use crate::world::{SHA, World, body, outcome};

/// What a repository is when its server does something, and why.
struct Case {
    host: &'static str,
    /// Whether it is the record that is bad, or the graph.
    at: At,
    answer: fn(&mut Connection) -> Then,
    expected: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Record,
    Graph,
}

fn raw(stream: &mut Connection, text: &[u8], then: Then) -> Then {
    match stream.write_all(text).and_then(|()| stream.flush()) {
        Ok(()) => then,
        Err(_) => Then::Dropped,
    }
}

/// Writes the same again and again, until nobody listens.
fn endless(stream: &mut Connection, head: &[u8], piece: &[u8]) -> Then {
    let _ = stream.write_all(head);
    while stream.write_all(piece).and_then(|()| stream.flush()).is_ok() {}
    Then::Dropped
}

/// What a little becomes much of.
fn bomb(stream: &mut Connection) -> Then {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    let piece = vec![b'['; 1 << 20];
    for _ in 0..200 {
        packed.write_all(&piece).expect("memory");
    }
    let packed = packed.finish().expect("memory");
    reply(stream, "200 OK", &[("Content-Encoding", "gzip")], &packed)
}

const GOOD: &[u8] = br#"{"nodes": [], "edges": []}"#;

const CASES: &[Case] = &[
    Case {
        host: "bad1.lore.test",
        at: At::Record,
        answer: |stream| {
            reply(
                stream,
                "302 Found",
                &[("Location", "/o/r/-/raw/HEAD/.well-known/code-graph.json")],
                b"",
            )
        },
        expected: "refused redirects",
    },
    Case {
        host: "bad2.lore.test",
        at: At::Graph,
        answer: |stream| reply(stream, "301 Moved", &[("Location", "https://10.0.0.1/inside")], b""),
        expected: "refused ",
    },
    Case {
        host: "bad3.lore.test",
        at: At::Record,
        answer: bomb,
        expected: "invalid the record has more than",
    },
    Case {
        host: "bad4.lore.test",
        at: At::Graph,
        answer: bomb,
        expected: "oversize more than 52428800 bytes",
    },
    Case {
        host: "bad5.lore.test",
        at: At::Graph,
        answer: |stream| {
            endless(
                stream,
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                &[b"10000\r\n", &[b' '; 65_536][..], b"\r\n"].concat(),
            )
        },
        expected: "oversize more than 52428800 bytes",
    },
    // The rest never comes.
    Case {
        host: "bad6.lore.test",
        at: At::Graph,
        answer: |stream| {
            raw(
                stream,
                b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"nodes\": [",
                Then::Closed,
            )
        },
        expected: "transient_error reset",
    },
    Case {
        host: "bad7.lore.test",
        at: At::Graph,
        answer: |stream| {
            raw(
                stream,
                b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
                Then::Dropped,
            )
        },
        expected: "transient_error reset",
    },
    // More comes than was said: what was said is what counts, and what is too much is no answer to the next question.
    Case {
        host: "bad8.lore.test",
        at: At::Graph,
        answer: |stream| {
            let mut text = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", GOOD.len()).into_bytes();
            text.extend(GOOD);
            text.extend(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
            raw(stream, &text, Then::Open)
        },
        expected: "ok",
    },
    Case {
        host: "bad9.lore.test",
        at: At::Graph,
        answer: |stream| raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}", Then::Closed),
        expected: "transient_error ",
    },
    Case {
        host: "bad10.lore.test",
        at: At::Graph,
        answer: |stream| {
            raw(
                stream,
                b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 900\r\n\r\n{}",
                Then::Closed,
            )
        },
        expected: "transient_error ",
    },
    Case {
        host: "bad11.lore.test",
        at: At::Graph,
        answer: |stream| {
            endless(
                stream,
                b"HTTP/1.1 200 OK\r\n",
                b"X-Padding: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n",
            )
        },
        expected: "transient_error ",
    },
    Case {
        host: "bad13.lore.test",
        at: At::Record,
        answer: |stream| raw(stream, b"\x00\x01\x02 nonsense \r\n\r\n", Then::Closed),
        expected: "transient_error ",
    },
    Case {
        host: "bad14.lore.test",
        at: At::Graph,
        answer: |stream| reply(stream, "200 OK", &[("Content-Encoding", "gzip")], b"this is no gzip"),
        expected: "transient_error ",
    },
    Case {
        host: "bad15.lore.test",
        at: At::Graph,
        answer: |stream| reply(stream, "206 Partial Content", &[], b"{\"nodes\": ["),
        expected: "invalid not_json",
    },
];

/// A listener that is no server of https: what it does with whoever comes.
fn listener(act: fn(TcpStream)) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || act(stream));
        }
    });
    port
}

/// Peak memory of a process that runs, in megabytes.
fn megabytes(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1_024)
}

#[test]
fn sync8_a_hostile_fleet_ends_with_the_right_status_for_each_and_little_memory() {
    let is_long = lore_testing::is_long();
    let mut others = vec![
        // It hangs up before a word, it speaks no TLS, nobody is there.
        ("bad20.lore.test", listener(drop), "transient_error "),
        (
            "bad21.lore.test",
            listener(|mut stream| {
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            }),
            "transient_error ",
        ),
        ("bad22.lore.test", 1, "transient_error "),
    ];
    if is_long {
        // It takes the connection and says nothing, or a byte now and then.
        others.push((
            "bad23.lore.test",
            listener(|mut stream| drop(stream.read_to_end(&mut Vec::new()))),
            "transient_error timeout",
        ));
        others.push(("bad24.lore.test", 0, "transient_error timeout"));
        others.push(("bad25.lore.test", 0, "transient_error timeout"));
        others.push(("bad26.lore.test", 0, "transient_error timeout"));
    }
    let mut hosts: Vec<(&str, u16)> = CASES.iter().map(|case| (case.host, 0)).collect();
    hosts.extend(others.iter().map(|(host, port, _)| (*host, *port)));
    hosts.push(("bad30.lore.test", 0));
    let mut forges = String::from("[graph.forges]\n");
    for (host, _) in &hosts {
        forges.push_str(&format!("{host:?} = \"gitlab\"\n"));
    }
    let world = World::with_hosts(&forges, &hosts);
    let mut ids: Vec<(String, &str)> = Vec::new();
    for case in CASES {
        let id = format!("{}/o/r", case.host);
        let repository = world.forge.repository(&id);
        repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
        let at = match case.at {
            At::Record => repository.record(),
            At::Graph => repository.raw("generic@1.json"),
        };
        let answer = case.answer;
        world.forge.script(&at, move |_, stream| answer(stream));
        ids.push((id, case.expected));
    }
    for (host, _, expected) in &others {
        ids.push((format!("{host}/o/r"), expected));
    }
    if is_long {
        for (host, answer) in [
            ("bad24.lore.test", silent as fn(&mut Connection) -> Then),
            ("bad25.lore.test", dripping),
            ("bad26.lore.test", announcing),
        ] {
            let repository = world.forge.repository(&format!("{host}/o/r"));
            repository.publish(&[("generic@1", &body(&["alpha"], SHA))]);
            world
                .forge
                .script(&repository.raw("generic@1.json"), move |_, stream| answer(stream));
        }
    }
    // A storm: a host of many repositories that is always too busy.
    let storm: Vec<String> = (0..30).map(|number| format!("bad30.lore.test/o/r{number}")).collect();
    for id in &storm {
        let record = world.forge.repository(id).record();
        world.forge.status(&record, "429 Slow Down");
    }
    let good: Vec<String> = (0..10).map(|number| format!("gitea.lore.test/o/r{number}")).collect();
    for id in &good {
        world
            .forge
            .repository(id)
            .publish(&[("generic@1", &body(&["alpha"], SHA))]);
        ids.push((id.clone(), "ok"));
    }
    let all: Vec<&str> = ids
        .iter()
        .map(|(id, _)| id.as_str())
        .chain(storm.iter().map(String::as_str))
        .collect();
    world.add(&all);
    let mut running = Running::start(&mut world.command(&["registry", "sync", "--jobs", "8", "--json"]));
    let id = running.child().id();
    let watch = std::thread::spawn(move || {
        let mut peak = 0;
        while let Some(now) = megabytes(id) {
            peak = peak.max(now);
            std::thread::sleep(Duration::from_millis(20));
        }
        peak
    });
    let summary: Value = outcome(&running.finish()).json();
    let peak = lore_testing::join(watch, "the memory is watched to the end");
    println!("{peak} MB: {summary:#}");
    let mut wrong = Vec::new();
    for (id, expected) in &ids {
        let status = world.status(id);
        if !(status.starts_with(expected) && (*expected != "ok" || status == "ok")) {
            wrong.push(format!("{id}: {status}, and not {expected}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    // Who is too busy is left alone as a whole: most of its repositories were not asked for.
    let asked = world.forge.server.asked();
    let stormed = asked.iter().filter(|asked| asked.contains("bad30")).count();
    assert!(stormed < 30, "{stormed}");
    assert!(summary["delayed_hosts"]["bad30.lore.test"].is_string(), "{summary}");
    // One body for each of eight workers, and what a process needs.
    assert!(peak < 8 * 52 + 100, "{peak} MB");
    for id in &storm {
        let status = world.status(id);
        assert!(status == "pending" || status == "transient_error 429", "{id}: {status}");
    }
}

fn silent(stream: &mut Connection) -> Then {
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{");
    let _ = stream.flush();
    let _ = stream.read_to_end(&mut Vec::new());
    Then::Dropped
}

fn dripping(stream: &mut Connection) -> Then {
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n");
    while stream.write_all(b" ").and_then(|()| stream.flush()).is_ok() {
        std::thread::sleep(Duration::from_millis(50));
    }
    Then::Dropped
}

/// Replies that only say that another one will come.
fn announcing(stream: &mut Connection) -> Then {
    endless(stream, b"", b"HTTP/1.1 103 Early Hints\r\n\r\n")
}
