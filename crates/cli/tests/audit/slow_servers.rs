//! Every fetch has one total deadline (F12).

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::server::{Connection, Request, Server, Then};
use crate::world::{Outcome, World, finish};

/// How often the server sends something. It never is silent for long, it never is done, and it does not reach the limit of headers.
const DRIP: Duration = Duration::from_millis(100);
/// How long a fetch may take, in seconds. On a busy machine the handshake takes a while.
const DEADLINE: &str = "5";

/// A server that sends its body byte by byte, its headers one by one, or replies that announce others.
fn slow() -> Server {
    Server::new(Arc::new(|request: &Request, stream: &mut Connection| {
        let (first, again): (&[u8], &[u8]) = match request.path.trim_end_matches(".ccg.zip") {
            "/headers" => (b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"),
            "/hints" => (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
            _ => (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b" "),
        };
        let mut drip = |bytes: &[u8]| stream.write_all(bytes).and_then(|()| stream.flush()).is_ok();
        let mut goes_on = drip(first);
        while goes_on {
            std::thread::sleep(DRIP);
            goes_on = drip(again);
        }
        Then::Dropped
    }))
}

/// `lore`, for which the server is a host of the user's own network.
fn command(world: &World, server: &Server, arguments: &[&str]) -> Command {
    let authority = Path::new(env!("CARGO_MANIFEST_DIR")).join("../backends/tests/tls/authority.pem");
    let hosts = [
        "slow.lore.test",
        "github.com",
        "raw.githubusercontent.com",
        "api.github.com",
    ];
    let hosts = hosts.map(|host| format!("{host}=127.0.0.1:{}", server.port));
    let mut command = world.command_in(&world.repo(), arguments);
    command
        .env("LORE_WEB_HOSTS", hosts.join(","))
        .env("LORE_WEB_AUTHORITIES", authority)
        .env("LORE_WEB_DEADLINE", DEADLINE);
    command
}

fn ask(world: &World, server: &Server, arguments: &[&str]) -> Outcome {
    finish(command(world, server, arguments), "")
}

#[test]
fn a_graph_is_given_up_when_its_time_is_over_with_all_attempts() {
    lore_testing::scope("all are given up", |scope| {
        for path in ["/body", "/headers", "/hints"] {
            scope.spawn(move || {
                let (world, server) = (World::new(), slow());
                let url = format!("https://slow.lore.test{path}");
                let outcome = ask(&world, &server, &["graph", "get", "--url", &url]);
                assert_eq!(outcome.code, Some(2), "{path}: {outcome:?}");
                assert!(
                    outcome.stderr.contains("no time is left to retry"),
                    "{path}: {outcome:?}"
                );
                assert_eq!(
                    server.asked(),
                    [format!("GET slow.lore.test{path}")],
                    "one attempt takes all of the time"
                );
            });
        }
    });
}

#[test]
fn manifests_and_layers_are_given_up_when_their_time_is_over() {
    let given_up = |arguments: &[&str]| {
        let (world, server) = (with_manifest(), slow());
        let outcome = ask(&world, &server, arguments);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(said.contains("longer than 5 s"), "{arguments:?}: {outcome:?}");
    };
    lore_testing::scope("all are given up", |scope| {
        for path in ["/body", "/headers", "/hints"] {
            let url = format!("https://slow.lore.test{path}");
            let bundle = format!("{url}.ccg.zip");
            scope.spawn(move || given_up(&["ccg", "get", &bundle]));
            scope.spawn(move || given_up(&["unit", "discover", &url]));
        }
        scope.spawn(move || given_up(&["unit", "federation", "resolve"]));
    });
}

/// A repository whose manifest names another one on the slow server.
fn with_manifest() -> World {
    let world = World::new();
    world.write(
        "knowledge.yaml",
        "kcp_version: \"0.14\"\nproject: P\nversion: 1.0.0\nunits:\n  - {id: a, path: a.md, intent: What is a?, scope: global, audience: [human]}\nmanifests:\n  - {id: other, url: \"https://slow.lore.test/knowledge.yaml\"}\n",
    );
    world.write("a.md", "# A\n");
    world
}

#[test]
fn a_registry_gives_a_slow_repository_up() {
    let (world, server) = (World::new(), slow());
    for arguments in [
        &["registry", "init", "--name", "R"][..],
        &["registry", "add", "octo/slow"],
    ] {
        assert_eq!(ask(&world, &server, arguments).code, Some(0));
    }
    let outcome = ask(&world, &server, &["registry", "sync", "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let outcome = ask(&world, &server, &["registry", "show", "octo/slow", "--json"]);
    assert!(outcome.stdout.contains("timeout"), "{outcome:?}");
}

#[test]
fn a_deadline_that_is_none_is_refused() {
    let (world, server) = (World::new(), slow());
    for text in ["0", "-1", "soon"] {
        let mut command = command(&world, &server, &["stats"]);
        command.env("LORE_WEB_DEADLINE", text);
        let outcome = finish(command, "");
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.stderr.contains("LORE_WEB_DEADLINE"), "{outcome:?}");
    }
}
