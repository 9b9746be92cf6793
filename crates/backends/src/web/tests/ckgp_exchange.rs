//! One request and its reply against servers that prove who they are: what is sent, what is read, and how failures are called.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use lore_seam::{RetryAfter, Web, WebFault, WebLimits, WebMethod, WebPhase, WebReply, WebRequest};

use super::super::{Reach, SystemWeb};
use super::tls::{Connection, TlsServer, on_this_machine, reply, with_names};

const LIMITS: WebLimits = WebLimits {
    max_bytes: 1_000,
    connect: Duration::from_secs(20),
    total: Duration::from_secs(20),
    idle: Duration::from_secs(20),
};

fn get(web: &SystemWeb, url: &str) -> Result<WebReply, WebFault> {
    web.exchange(&WebRequest::get(url, LIMITS))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn s4_a_redirect_is_told_and_not_followed() {
    let server = TlsServer::new(|path, stream| match path {
        "/a" => reply(
            stream,
            "302 Found",
            "Location: http://evil.example/x\r\n",
            b"over there",
        ),
        _ => reply(stream, "200 OK", "", b"here"),
    });
    let found = get(&on_this_machine(), &server.url("docs.lore.test", "/a")).unwrap();
    assert_eq!(
        (found.status, found.location.as_deref()),
        (302, Some("http://evil.example/x"))
    );
    assert!(found.is_redirect() && !found.is_success());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn s3_https_alone_and_public_addresses_alone_are_asked() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b"secret"));
    let web = SystemWeb::new();
    for (url, code) in [
        (server.url("localhost", "/"), "not_public"),
        (server.url("127.0.0.1", "/"), "not_public"),
        ("https://10.0.0.1/".to_owned(), "not_public"),
        ("https://[::ffff:10.0.0.1]/".to_owned(), "not_public"),
        ("http://example.org/".to_owned(), "not_https"),
        ("https://me@example.org/".to_owned(), "user_info"),
        ("https://ex\u{e4}mple.org/".to_owned(), "host_not_ascii"),
        ("https:///x".to_owned(), "host"),
        ("x".to_owned(), "not_an_address"),
    ] {
        let fault = get(&web, &url).unwrap_err();
        assert_eq!(fault.code(), code, "{url}: {fault}");
        assert!(!fault.is_transient());
    }
    // A name with one public and one private address is led by somebody who means the private one.
    let mixed = with_names(Reach::Public, |_, port| {
        vec![
            SocketAddr::from(([93, 184, 216, 34], port)),
            SocketAddr::from(([192, 168, 0, 1], port)),
        ]
    });
    assert_eq!(
        get(&mixed, "https://docs.lore.test/"),
        Err(WebFault::NotPublic("192.168.0.1".to_owned()))
    );
    assert_eq!(server.asked(), Vec::<String>::new());
}

#[test]
fn s5_nothing_is_sent_but_what_was_named_and_a_secret_goes_one_hop() {
    let server = TlsServer::new(|_, stream| reply(stream, "302 Found", "Location: /b\r\nSet-Cookie: a=b\r\n", b""));
    let web = on_this_machine();
    let url = server.url("docs.lore.test", "/a");
    let asked = WebRequest {
        headers: &[("Accept", "application/json")],
        secret: Some(("Authorization", "Bearer hush")),
        etag: Some("\"7\""),
        last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT"),
        ..WebRequest::get(&url, LIMITS)
    };
    web.exchange(&asked).unwrap();
    get(&web, &url).unwrap();
    let heads = server.asked();
    let lines = |head: &str| -> Vec<String> {
        let mut lines: Vec<String> = head.lines().skip(1).map(str::to_lowercase).collect();
        lines.retain(|line| !line.is_empty() && !line.starts_with("host:"));
        lines.sort();
        lines
    };
    let agent = format!("user-agent: lore/{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        lines(&heads[0]),
        [
            "accept-encoding: gzip",
            "accept: application/json",
            "authorization: bearer hush",
            "if-modified-since: sun, 06 nov 1994 08:49:37 gmt",
            "if-none-match: \"7\"",
            agent.as_str(),
        ]
    );
    assert_eq!(
        lines(&heads[1]),
        ["accept-encoding: gzip", "accept: */*", agent.as_str()]
    );
    for (name, value) in [
        ("Cookie", "a=b"),
        ("Host", "evil.example"),
        ("X-A", "b\r\nX-C: d"),
        ("", "x"),
    ] {
        let headers = [(name, value)];
        let asked = WebRequest {
            headers: &headers,
            ..WebRequest::get(&url, LIMITS)
        };
        assert_eq!(web.exchange(&asked).unwrap_err().code(), "header");
    }
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn what_a_reply_says_of_itself_is_told() {
    let server = TlsServer::new(|_, stream| {
        let headers = "ETag: \"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: 17\r\nContent-Type: text/plain\r\n";
        reply(stream, "503 Busy", headers, b"later");
    });
    let found = get(&on_this_machine(), &server.url("docs.lore.test", "/")).unwrap();
    let expected = WebReply {
        status: 503,
        location: None,
        retry_after: Some(RetryAfter::Seconds(17)),
        media_type: Some("text/plain".to_owned()),
        etag: Some("\"1\"".to_owned()),
        last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
        content_length: Some(5),
        body: b"later".to_vec(),
    };
    assert_eq!(found, expected);
}

#[test]
fn something_is_given_to_a_server() {
    let server = TlsServer::new(|_, stream| {
        let mut body = [0; 5];
        stream.read_exact(&mut body).unwrap();
        reply(stream, "200 OK", "", &body);
    });
    let url = server.url("docs.lore.test", "/in");
    let asked = WebRequest {
        method: WebMethod::Post(b"hello"),
        headers: &[("Content-Type", "text/plain")],
        ..WebRequest::get(&url, LIMITS)
    };
    assert_eq!(on_this_machine().exchange(&asked).unwrap().body, b"hello");
    assert!(server.asked()[0].starts_with("POST /in HTTP/1.1\r\n"));
}

#[test]
fn s6_a_body_ends_at_its_limit_however_it_is_sent() {
    let server = TlsServer::new(|path, stream| match path {
        "/fits" => reply(stream, "200 OK", "", &[b'x'; 1_000]),
        "/declared" => reply(stream, "200 OK", "", &[b'x'; 1_001]),
        "/fits-packed" => reply(stream, "200 OK", "Content-Encoding: gzip\r\n", &gzip(&[b'x'; 1_000])),
        "/over-packed" => reply(stream, "200 OK", "Content-Encoding: gzip\r\n", &gzip(&[b'x'; 1_001])),
        // A thousand times as much as it says, and nothing of it is unpacked beyond the limit.
        "/bomb" => reply(
            stream,
            "200 OK",
            "Content-Encoding: gzip\r\n",
            &gzip(&vec![0; 64 << 20]),
        ),
        // Nothing at all, over and over.
        "/hollow" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n");
            let hollow = gzip(b"");
            while stream.write_all(&hollow).is_ok() {}
        }
        "/missing" => reply(stream, "404 Not Found", "", &[b'x'; 100_000]),
        _ => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            while stream.write_all(b"100\r\n").is_ok() && stream.write_all(&[b'x'; 256]).is_ok() {
                let _ = stream.write_all(b"\r\n");
            }
        }
    });
    let web = on_this_machine();
    let at = |path: &str| get(&web, &server.url("docs.lore.test", path));
    assert_eq!(at("/fits").unwrap().body.len(), 1_000);
    assert_eq!(at("/fits-packed").unwrap().body, [b'x'; 1_000]);
    assert_eq!(at("/declared"), Err(WebFault::TooLarge { is_declared: true }));
    for path in ["/over-packed", "/bomb", "/hollow", "/endless"] {
        assert_eq!(at(path), Err(WebFault::TooLarge { is_declared: false }), "{path}");
    }
    // That there is nothing is the answer, whatever the page says at length.
    assert_eq!(at("/missing").unwrap().status, 404);
}

#[test]
fn c2_failures_have_names() {
    let server = TlsServer::new(|path, stream| match path {
        "/half" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        }
        "/half-packed" => {
            let packed = gzip(b"whole and well");
            reply(
                stream,
                "200 OK",
                "Content-Encoding: gzip\r\n",
                &packed[..packed.len() - 9],
            );
        }
        "/no-gzip" => reply(
            stream,
            "200 OK",
            "Content-Encoding: gzip\r\n",
            b"plain text, and no gzip",
        ),
        "/odd" => reply(stream, "200 OK", "Content-Encoding: br\r\n", b"plain"),
        _ => {
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9\r\n\r\n");
        }
    });
    let web = on_this_machine();
    let code = |path: &str| get(&web, &server.url("docs.lore.test", path)).unwrap_err().code();
    assert_eq!(code("/half"), "reset");
    assert_eq!(code("/half-packed"), "reset");
    assert_eq!(code("/no-gzip"), "bad_reply");
    assert_eq!(code("/odd"), "bad_reply");
    assert_eq!(code("/ssh"), "bad_reply");
    let strange = get(&web, &server.url("docs.other.test", "/")).unwrap_err();
    assert_eq!(strange.code(), "tls");
    assert!(strange.to_string().contains("certificate"), "{strange}");
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    let refused = get(&web, &format!("https://docs.lore.test:{port}/")).unwrap_err();
    assert_eq!(refused.code(), "connect");
    let nobody = with_names(Reach::Loopback, |_, _| Vec::new());
    assert_eq!(get(&nobody, "https://docs.lore.test/"), Err(WebFault::Dns));
}

/// Waits until the other side has gone.
fn wait(stream: &mut Connection) {
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
}

#[test]
fn c2_a_silent_server_is_left_at_every_point() {
    let server = TlsServer::new(|path, stream| match path {
        "/nothing" => wait(stream),
        _ => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhalf");
            let _ = stream.flush();
            wait(stream);
        }
    });
    let short = Duration::from_millis(200);
    let ask = |path: &str, limits: WebLimits| {
        let url = server.url("docs.lore.test", path);
        on_this_machine().exchange(&WebRequest::get(&url, limits))
    };
    for path in ["/nothing", "/half"] {
        let idle = WebLimits { idle: short, ..LIMITS };
        assert_eq!(ask(path, idle), Err(WebFault::Timeout(WebPhase::Idle)), "{path}");
        let total = WebLimits { total: short, ..LIMITS };
        assert_eq!(ask(path, total), Err(WebFault::Timeout(WebPhase::Total)), "{path}");
    }
    // Somebody who listens and never shakes hands.
    let mute = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("https://docs.lore.test:{}/", mute.local_addr().unwrap().port());
    let idle = WebLimits { idle: short, ..LIMITS };
    let fault = on_this_machine().exchange(&WebRequest::get(&url, idle));
    assert_eq!(fault, Err(WebFault::Timeout(WebPhase::Idle)));
}

#[test]
fn c2_a_server_that_announces_replies_for_ever_is_left() {
    let server = TlsServer::new(|_, stream| {
        while stream
            .write_all(b"HTTP/1.1 103 Early Hints\r\n\r\n")
            .and_then(|()| stream.flush())
            .is_ok()
        {}
    });
    let limits = WebLimits {
        total: Duration::from_millis(300),
        ..LIMITS
    };
    let url = server.url("docs.lore.test", "/");
    let fault = on_this_machine().exchange(&WebRequest::get(&url, limits));
    assert_eq!(fault, Err(WebFault::Timeout(WebPhase::Total)));
}

#[test]
fn many_threads_ask_at_once() {
    let server = TlsServer::new(|_, stream| {
        let packed = gzip(b"{\"graphs\": []}");
        reply(stream, "200 OK", "Content-Encoding: gzip\r\n", &packed);
    });
    let web = on_this_machine();
    let url = server.url("docs.lore.test", "/");
    lore_testing::scope("sixteen threads ask", |scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..4 {
                    assert_eq!(get(&web, &url).unwrap().body, b"{\"graphs\": []}");
                }
            });
        }
    });
    assert_eq!(server.asked().len(), 64);
}
