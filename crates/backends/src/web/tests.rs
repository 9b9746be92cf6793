//! Fetching from a server on this machine, and what is never fetched.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;

mod ckgp_consumer;
mod ckgp_exchange;
mod ckgp_registry;
mod kcp_federation;
mod kcp_guard;
mod own_hosts;
mod tls;

impl SystemWeb {
    /// Only servers on this machine, also by http.
    fn on_loopback() -> Self {
        Self {
            reach: Reach::PlainLoopback,
            ..Self::default()
        }
    }
}

const LIMITS: FetchLimits = FetchLimits {
    max_bytes: 1000,
    time: Duration::from_secs(20),
    redirects: 2,
};

/// A server that answers each path with the bytes that a function gives, and remembers what it was asked.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let mut head = Vec::new();
                while let Some(Ok(line)) = lines.next() {
                    if line.is_empty() {
                        break;
                    }
                    head.push(line);
                }
                let path = head
                    .first()
                    .and_then(|line| line.split(' ').nth(1))
                    .unwrap_or("")
                    .to_owned();
                seen.lock().unwrap().push(head.join("\n"));
                answer(&path, &mut stream);
            }
        });
        Self { port, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn reply(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let text = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    // Whoever asked may have hung up already.
    let _ = stream.write_all(text.as_bytes());
}

#[test]
fn a_reply_of_any_status_is_a_reply() {
    let server = Server::new(|path, stream| match path {
        "/there" => reply(stream, "200 OK", "Content-Type: application/ld+json\r\n", "{}"),
        _ => reply(stream, "404 Not Found", "", "nothing"),
    });
    let web = SystemWeb::on_loopback();
    let there = web.get(&server.url("/there"), &LIMITS).unwrap();
    assert_eq!((there.status, there.body.as_slice()), (200, b"{}".as_slice()));
    assert_eq!(there.media_type.as_deref(), Some("application/ld+json"));
    assert_eq!(there.url, server.url("/there"));
    let missing = web.get(&server.url("/missing"), &LIMITS).unwrap();
    assert_eq!((missing.status, missing.body.as_slice()), (404, b"nothing".as_slice()));
}

#[test]
fn letters_beyond_ascii_are_encoded_on_the_way() {
    let server = Server::new(|path, stream| reply(stream, "200 OK", "", path));
    let found = SystemWeb::on_loopback().get(&server.url("/ü%20/日"), &LIMITS).unwrap();
    assert_eq!(found.body, b"/%C3%BC%20/%E6%97%A5");
}

#[test]
fn lore_says_who_it_is_and_nothing_about_whoever_asks() {
    let server = Server::new(|_, stream| reply(stream, "200 OK", "Set-Cookie: a=b\r\n", ""));
    let web = SystemWeb::on_loopback();
    web.get(&server.url("/"), &LIMITS).unwrap();
    web.get(&server.url("/"), &LIMITS).unwrap();
    for head in server.asked() {
        let head = head.to_lowercase();
        assert!(head.contains(&format!("user-agent: {USER_AGENT}")), "{head}");
        for never in ["cookie", "authorization", "referer"] {
            assert!(!head.contains(never), "{head}");
        }
    }
}

#[test]
fn redirects_are_followed_up_to_their_limit() {
    let server = Server::new(|path, stream| match path {
        "/a" => reply(stream, "302 Found", "Location: b/c?d\r\n", ""),
        "/b/c?d" => reply(stream, "301 Moved", "Location: /end\r\n", "a body that is not read"),
        "/end" => reply(stream, "200 OK", "", "here"),
        _ => reply(stream, "307 Again", "Location: /loop\r\n", ""),
    });
    let web = SystemWeb::on_loopback();
    let found = web.get(&server.url("/a"), &LIMITS).unwrap();
    assert_eq!((found.url, found.body), (server.url("/end"), b"here".to_vec()));
    let error = web.get(&server.url("/loop"), &LIMITS).unwrap_err();
    assert!(error.message.ends_with("/loop redirects more than 2 times"), "{error}");
    let none = FetchLimits { redirects: 0, ..LIMITS };
    assert_eq!(web.get(&server.url("/a"), &none).unwrap().status, 302);
}

#[test]
fn each_hop_is_checked_anew() {
    let server = Server::new(|path, stream| {
        let location = match path {
            "/private" => "http://10.0.0.1/",
            "/metadata" => "http://169.254.169.254/latest/meta-data/",
            "/file" => "file:///etc/passwd",
            "/user" => "http://me:secret@127.0.0.1/",
            _ => "http://[::ffff:10.0.0.1]/",
        };
        reply(stream, "302 Found", &format!("Location: {location}\r\n"), "");
    });
    let web = SystemWeb::on_loopback();
    for (path, why) in [
        ("/private", "10.0.0.1 is not a public address"),
        ("/metadata", "169.254.169.254 is not a public address"),
        ("/file", "only https is allowed"),
        ("/user", "it has a user name or a password"),
        ("/mapped", "::ffff:10.0.0.1 is not a public address"),
    ] {
        let error = web.get(&server.url(path), &LIMITS).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid);
        assert!(error.message.ends_with(why), "{error}");
    }
}

#[test]
fn what_is_not_public_is_never_asked() {
    let server = Server::new(|_, stream| reply(stream, "200 OK", "", "secret"));
    let web = SystemWeb::new();
    let port = server.port;
    for (url, why) in [
        (
            format!("https://127.0.0.1:{port}/"),
            "127.0.0.1 is not a public address",
        ),
        (format!("https://localhost:{port}/"), "is not a public address"),
        (format!("https://[::1]:{port}/"), "::1 is not a public address"),
        (
            format!("https://2130706433:{port}/"),
            "127.0.0.1 is not a public address",
        ),
        (format!("https://127.1:{port}/"), "127.0.0.1 is not a public address"),
        (
            format!("https://0x7f.0.0.1:{port}/"),
            "127.0.0.1 is not a public address",
        ),
        (
            "https://[64:ff9b::a00:1]/".to_owned(),
            "64:ff9b::a00:1 is not a public address",
        ),
        ("https://192.168.1.1/".to_owned(), "192.168.1.1 is not a public address"),
        (format!("http://127.0.0.1:{port}/"), "only https is allowed"),
        ("ftp://example.org/".to_owned(), "only https is allowed"),
        ("https:///etc/passwd".to_owned(), "it has no host"),
        ("https://me@example.org/".to_owned(), "it has a user name or a password"),
        (
            "/etc/passwd".to_owned(),
            "it is not a valid URL: No scheme found in an absolute IRI",
        ),
    ] {
        let error = web.get(&url, &LIMITS).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{url}: {error}");
        assert!(error.message.ends_with(why), "{url}: {error}");
    }
    assert_eq!(server.asked(), Vec::<String>::new());
}

#[test]
fn a_body_ends_at_its_limit() {
    let server = Server::new(|path, stream| match path {
        "/fits" => reply(stream, "200 OK", "", &"x".repeat(1000)),
        "/says-so" => reply(stream, "200 OK", "", &"x".repeat(1001)),
        _ => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            while stream.write_all(b"100\r\n").is_ok() {
                let _ = stream.write_all(&[b'x'; 256]);
                let _ = stream.write_all(b"\r\n");
            }
        }
    });
    let web = SystemWeb::on_loopback();
    assert_eq!(web.get(&server.url("/fits"), &LIMITS).unwrap().body.len(), 1000);
    for path in ["/says-so", "/endless"] {
        let error = web.get(&server.url(path), &LIMITS).unwrap_err();
        assert!(error.message.ends_with("is larger than 1000 bytes"), "{error}");
    }
}

#[test]
fn a_body_that_breaks_off_is_no_body() {
    let server = Server::new(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    });
    let error = SystemWeb::on_loopback().get(&server.url("/"), &LIMITS).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
}

#[test]
fn a_server_that_drips_is_left() {
    let server = Server::new(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n");
        // The next byte comes when the other side has gone.
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    });
    let limits = FetchLimits {
        time: Duration::from_millis(200),
        ..LIMITS
    };
    let error = SystemWeb::on_loopback().get(&server.url("/"), &limits).unwrap_err();
    assert!(error.message.ends_with("took longer than 0.2 s"), "{error}");
}

#[test]
fn a_proxy_of_the_environment_is_not_used() {
    let web = SystemWeb::new();
    assert!(web.agent().config().proxy().is_none());
}
