//! What the guard lets pass and what it refuses, against a server that proves who it is (clauses S3, S4, S5).

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lore_seam::{ErrorKind, FetchLimits, FetchRequest, Fetched, OpError, Web};

use super::super::{Reach, SystemWeb};
use super::tls::{TlsServer, on_this_machine, reply, with_names};

const LIMITS: FetchLimits = FetchLimits {
    max_bytes: 1_000,
    time: Duration::from_secs(20),
    redirects: 3,
};

fn request(url: &str) -> FetchRequest<'_> {
    FetchRequest {
        url,
        headers: &[],
        secret: None,
        etag: None,
        limits: LIMITS,
    }
}

fn get(web: &SystemWeb, url: &str) -> Result<Fetched, OpError> {
    web.fetch(&request(url))
}

/// A server that redirects every path to an address.
fn redirecting(location: &str) -> TlsServer {
    let header = format!("Location: {location}\r\n");
    TlsServer::new(move |_, stream| reply(stream, "302 Found", &header, b""))
}

#[test]
fn s3_a_server_proves_who_it_is() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "Content-Type: text/plain\r\n", b"here"));
    let found = get(&on_this_machine(), &server.url("docs.lore.test", "/a")).unwrap();
    assert_eq!((found.status, found.body.as_slice()), (200, b"here".as_slice()));
    // The same server is nobody to whoever does not know its authority, and under a name that its certificate has not.
    let stranger = SystemWeb {
        reach: Reach::Loopback,
        ..SystemWeb::default()
    };
    for (web, host) in [(&stranger, "localhost"), (&on_this_machine(), "docs.other.test")] {
        let error = get(web, &server.url(host, "/a")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable);
        assert!(error.message.contains("certificate"), "{error}");
    }
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn s3_plain_http_is_refused_also_after_a_redirect() {
    let web = on_this_machine();
    let error = get(&web, "http://docs.lore.test/").unwrap_err();
    assert!(
        error.message.ends_with("is not fetched: only https is allowed"),
        "{error}"
    );
    for location in [
        "http://docs.lore.test/",
        "ftp://docs.lore.test/",
        "file:///etc/passwd",
        "//",
    ] {
        let server = redirecting(location);
        let error = get(&web, &server.url("docs.lore.test", "/")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{location}: {error}");
        assert_eq!(server.asked().len(), 1);
    }
}

/// Addresses of every kind that is not public.
const NOT_PUBLIC: &[&str] = &[
    "127.0.0.1",
    "127.8.8.8",
    "::1",
    "0.0.0.0",
    "0.1.2.3",
    "::",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "192.0.0.8",
    "198.18.0.1",
    "203.0.113.7",
    "224.0.0.1",
    "239.1.1.1",
    "ff02::1",
    "240.0.0.1",
    "255.255.255.255",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::1",
    "2001:db8::1",
];

#[test]
fn s4_names_that_lead_to_other_than_public_addresses_are_refused() {
    for text in NOT_PUBLIC {
        let address: IpAddr = text.parse().unwrap();
        let web = with_names(Reach::Public, move |_, port| vec![SocketAddr::new(address, port)]);
        let error = get(&web, "https://docs.lore.test/").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{text}: {error}");
        assert_eq!(
            error.message,
            format!("https://docs.lore.test/ is not fetched: {address} is not a public address")
        );
    }
}

#[test]
fn s4_addresses_written_out_are_refused_alike() {
    let web = SystemWeb::new();
    for text in NOT_PUBLIC {
        let host = if text.contains(':') {
            format!("[{text}]")
        } else {
            (*text).to_owned()
        };
        let error = get(&web, &format!("https://{host}/")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{text}: {error}");
        assert!(error.message.ends_with("is not a public address"), "{error}");
    }
    for odd in ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"] {
        let error = get(&web, &format!("https://{odd}/")).unwrap_err();
        assert_ne!(error.kind, ErrorKind::Internal);
        assert!(
            error.message.ends_with("is not a public address") || error.message.contains("is not known"),
            "{odd}: {error}"
        );
    }
}

#[test]
fn s4_a_server_on_this_machine_is_not_asked_by_the_product() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b"secret"));
    for host in ["localhost", "127.0.0.1"] {
        let error = get(&SystemWeb::new(), &server.url(host, "/")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid, "{error}");
    }
    assert_eq!(server.asked(), Vec::<String>::new());
}

#[test]
fn s4_a_name_is_looked_up_once_and_the_checked_address_is_the_one_that_is_asked() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b"here"));
    // The first answer may be asked, the second may not: whoever looks twice would be led astray.
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let web = with_names(Reach::Loopback, move |_, port| {
        let address = match counted.fetch_add(1, Ordering::SeqCst) {
            0 => Ipv4Addr::LOCALHOST,
            _ => Ipv4Addr::new(10, 0, 0, 1),
        };
        vec![(address, port).into()]
    });
    let url = server.url("docs.lore.test", "/");
    assert_eq!(get(&web, &url).unwrap().body, b"here");
    assert_eq!(count.load(Ordering::SeqCst), 1);
    let error = get(&web, &url).unwrap_err();
    assert!(error.message.ends_with("10.0.0.1 is not a public address"), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn s4_a_name_that_is_public_first_and_private_later_is_refused_later() {
    let count = AtomicUsize::new(0);
    let guard = super::super::Guard {
        reach: Reach::Public,
        names: super::super::Names(Arc::new(move |_: &_, _: &_, _| {
            let address = match count.fetch_add(1, Ordering::SeqCst) {
                0 => Ipv4Addr::new(93, 184, 216, 34),
                _ => Ipv4Addr::new(192, 168, 1, 1),
            };
            Ok(vec![(address, 443).into()])
        })),
    };
    let resolve = || resolved(&guard);
    assert_eq!(resolve(), Ok(vec!["93.184.216.34:443".to_owned()]));
    assert_eq!(resolve(), Err("192.168.1.1 is not a public address".to_owned()));
    assert_eq!(resolve(), Err("192.168.1.1 is not a public address".to_owned()));
}

#[test]
fn s3_s4_a_mixed_answer_is_refused_as_a_whole() {
    let mixed = |addresses: &'static [&'static str]| {
        let guard = super::super::Guard {
            reach: Reach::Public,
            names: super::super::Names(Arc::new(move |_: &_, _: &_, _| {
                Ok(addresses
                    .iter()
                    .map(|text| SocketAddr::new(text.parse().unwrap(), 443))
                    .collect())
            })),
        };
        resolved(&guard)
    };
    assert_eq!(
        mixed(&["93.184.216.34", "2606:4700::1"]),
        Ok(vec!["93.184.216.34:443".to_owned(), "[2606:4700::1]:443".to_owned()])
    );
    assert_eq!(
        mixed(&["93.184.216.34", "::1", "2606:4700::1", "169.254.169.254"]),
        Err("::1 is not a public address".to_owned())
    );
    assert_eq!(
        mixed(&["10.0.0.1", "fc00::1"]),
        Err("10.0.0.1 is not a public address".to_owned())
    );
    assert_eq!(mixed(&["8.8.8.8"; 40]).unwrap().len(), 16);
}

/// What a guard makes of a name.
fn resolved(guard: &super::super::Guard) -> Result<Vec<String>, String> {
    use ureq::unversioned::resolver::Resolver;
    use ureq::unversioned::transport::NextTimeout;
    let timeout = NextTimeout {
        after: ureq::unversioned::transport::time::Duration::NotHappening,
        reason: ureq::Timeout::Global,
    };
    let uri = "https://docs.lore.test/".parse().unwrap();
    let config = ureq::Agent::config_builder().build();
    match guard.resolve(&uri, &config, timeout) {
        Ok(found) => Ok(found.iter().map(ToString::to_string).collect()),
        Err(ureq::Error::Other(inner)) => Err(inner.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn s4_redirects_to_private_hosts_are_refused() {
    let web = on_this_machine();
    for (location, why) in [
        ("https://10.0.0.1/", "10.0.0.1"),
        ("https://169.254.169.254/latest/meta-data/", "169.254.169.254"),
        ("https://[::ffff:10.0.0.1]/", "::ffff:10.0.0.1"),
    ] {
        let server = redirecting(location);
        // A number that is written out is no name to look up.
        let numbers = with_names(Reach::Loopback, |host, port| {
            let host = host.trim_matches(['[', ']']);
            let address = host.parse().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
            vec![SocketAddr::new(address, port)]
        });
        let error = get(&numbers, &server.url("docs.lore.test", "/")).unwrap_err();
        assert!(
            error.message.ends_with(&format!("{why} is not a public address")),
            "{error}"
        );
    }
    let server = redirecting("https://me:pw@docs.lore.test/");
    let error = get(&web, &server.url("docs.lore.test", "/")).unwrap_err();
    assert!(error.message.ends_with("it has a user name or a password"), "{error}");
}

fn with_secret(url: &str) -> FetchRequest<'_> {
    FetchRequest {
        secret: Some(("X-Key", "hush")),
        ..request(url)
    }
}

/// Which requests a secret came with.
fn told(server: &TlsServer) -> Vec<bool> {
    server
        .asked()
        .iter()
        .map(|head| head.to_lowercase().contains("x-key: hush"))
        .collect()
}

#[test]
fn s5_a_secret_stays_with_its_origin() {
    let web = on_this_machine();
    let other = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b"other"));
    let elsewhere = other.url("docs.lore.test", "/end");
    let same = TlsServer::new(move |path, stream| match path {
        "/start" => reply(stream, "302 Found", "Location: /next\r\n", b""),
        "/away" => reply(stream, "302 Found", &format!("Location: {elsewhere}\r\n"), b""),
        "/name" => {
            let port = stream.sock.local_addr().unwrap().port();
            let location = format!("Location: https://wiki.lore.test:{port}/next\r\n");
            reply(stream, "302 Found", &location, b"");
        }
        _ => reply(stream, "200 OK", "", b"same"),
    });
    // On the same origin it goes along.
    let url = same.url("docs.lore.test", "/start");
    assert_eq!(web.fetch(&with_secret(&url)).unwrap().body, b"same");
    assert_eq!(told(&same), [true, true]);
    // To another port it does not.
    let url = same.url("docs.lore.test", "/away");
    assert_eq!(web.fetch(&with_secret(&url)).unwrap().body, b"other");
    assert_eq!((told(&same), told(&other)), (vec![true, true, true], vec![false]));
    // To another name on the same port neither.
    let url = same.url("docs.lore.test", "/name");
    assert_eq!(web.fetch(&with_secret(&url)).unwrap().body, b"same");
    assert_eq!(told(&same), [true, true, true, true, false]);
}

#[test]
fn s5_a_secret_that_was_dropped_does_not_come_back() {
    let server = TlsServer::new(|path, stream| {
        let port = stream.sock.local_addr().unwrap().port();
        let location = match path {
            "/there" => format!("Location: https://wiki.lore.test:{port}/back\r\n"),
            "/back" => format!("Location: https://docs.lore.test:{port}/end\r\n"),
            _ => return reply(stream, "200 OK", "", b"end"),
        };
        reply(stream, "302 Found", &location, b"");
    });
    let url = server.url("docs.lore.test", "/there");
    assert_eq!(on_this_machine().fetch(&with_secret(&url)).unwrap().body, b"end");
    assert_eq!(told(&server), [true, false, false]);
}

#[test]
fn s5_headers_that_steer_a_request_and_lines_in_headers_are_not_sent() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "", b""));
    let (web, url) = (on_this_machine(), server.url("docs.lore.test", "/"));
    for (name, value) in [
        ("Host", "evil.example"),
        ("content-length", "5"),
        ("Transfer-Encoding", "chunked"),
        ("Cookie", "a=b"),
        ("a b", "c"),
        ("", "c"),
        ("X-Key", "a\r\nX-Evil: b"),
        ("X-Key", "a\0"),
        ("X-Key", "é"),
    ] {
        for is_secret in [true, false] {
            let headers = [(name, value)];
            let asked = FetchRequest {
                secret: is_secret.then_some((name, value)),
                headers: if is_secret { &[] } else { &headers },
                ..request(&url)
            };
            let error = web.fetch(&asked).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Invalid, "{name}: {error}");
            assert!(!error.message.contains('\n'), "{error}");
        }
    }
    assert_eq!(server.asked(), Vec::<String>::new());
    let headers = [("Traceparent", "00-1-2-01")];
    let asked = FetchRequest {
        headers: &headers,
        ..request(&url)
    };
    web.fetch(&asked).unwrap();
    assert!(server.asked()[0].to_lowercase().contains("traceparent: 00-1-2-01\r\n"));
}

#[test]
fn f12_what_did_not_change_is_not_sent_again() {
    let server = TlsServer::new(|_, stream| {
        reply(
            stream,
            "200 OK",
            "ETag: \"1\"\r\nLast-Modified: Mon, 02 Feb 2026 10:00:00 GMT\r\n",
            b"new",
        );
    });
    let (web, url) = (on_this_machine(), server.url("docs.lore.test", "/"));
    let found = get(&web, &url).unwrap();
    assert_eq!(found.etag.as_deref(), Some("\"1\""));
    assert_eq!(found.last_modified.as_deref(), Some("Mon, 02 Feb 2026 10:00:00 GMT"));
    let unchanged = TlsServer::new(|_, stream| reply(stream, "304 Not Modified", "ETag: \"1\"\r\n", b""));
    let url = unchanged.url("docs.lore.test", "/");
    let asked = FetchRequest {
        etag: Some("\"1\""),
        ..request(&url)
    };
    let found = web.fetch(&asked).unwrap();
    assert_eq!((found.status, found.body.len()), (304, 0));
    assert!(unchanged.asked()[0].to_lowercase().contains("if-none-match: \"1\"\r\n"));
}

#[test]
fn a37_the_size_is_kept_while_streaming() {
    let server = TlsServer::new(|path, stream| match path {
        "/fits" => reply(stream, "200 OK", "", &[b'x'; 1_000]),
        "/says-so" => reply(stream, "200 OK", "", &[b'x'; 1_001]),
        // The length is a lie, or there is none: what counts is what comes.
        _ => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            while stream.write_all(b"100\r\n").is_ok() && stream.write_all(&[b'x'; 256]).is_ok() {
                let _ = stream.write_all(b"\r\n");
            }
        }
    });
    let web = on_this_machine();
    assert_eq!(
        get(&web, &server.url("docs.lore.test", "/fits")).unwrap().body.len(),
        1_000
    );
    for path in ["/says-so", "/endless"] {
        let error = get(&web, &server.url("docs.lore.test", path)).unwrap_err();
        assert!(error.message.ends_with("is larger than 1000 bytes"), "{error}");
    }
}

#[test]
fn f5_a_body_that_drips_and_a_server_that_says_nothing_are_left() {
    let server = TlsServer::new(|path, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n");
        let pause = (path == "/drips").then_some(Duration::from_millis(20));
        stream.sock.set_read_timeout(pause).unwrap();
        // The other side says nothing, so that each look lasts as long as the pause; a byte goes out after each, until the other side has gone.
        let waits = |stream: &mut super::tls::Connection| match stream.read(&mut [0]) {
            Err(error) => matches!(
                error.kind(),
                std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
            ),
            Ok(_) => false,
        };
        while waits(stream) && stream.write_all(b"x").and_then(|()| stream.flush()).is_ok() {}
    });
    for path in ["/drips", "/stops"] {
        let url = server.url("docs.lore.test", path);
        let limits = FetchLimits {
            time: Duration::from_millis(300),
            ..LIMITS
        };
        let asked = FetchRequest {
            limits,
            ..request(&url)
        };
        let error = on_this_machine().fetch(&asked).unwrap_err();
        assert!(error.message.ends_with("took longer than 0.3 s"), "{error}");
    }
}

#[test]
fn f4_a_loop_of_redirects_ends() {
    let server = TlsServer::new(|path, stream| {
        let location = if path == "/a" { "/b" } else { "/a" };
        reply(stream, "307 Again", &format!("Location: {location}\r\n"), b"");
    });
    let error = get(&on_this_machine(), &server.url("docs.lore.test", "/a")).unwrap_err();
    assert!(error.message.ends_with("redirects more than 3 times"), "{error}");
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn f5_several_pages_are_fetched_at_once_and_told_in_order() {
    let server = TlsServer::new(|path, stream| match path {
        "/7" => reply(stream, "404 Not Found", "", b""),
        path => reply(stream, "200 OK", "", path.as_bytes()),
    });
    let urls: Vec<String> = (0..20)
        .map(|number| server.url("docs.lore.test", &format!("/{number}")))
        .collect();
    let requests: Vec<FetchRequest<'_>> = urls
        .iter()
        .map(|url| request(url))
        .chain([request("http://no")])
        .collect();
    let replies = on_this_machine().fetch_all(&requests);
    assert_eq!(replies.len(), 21);
    for (number, reply) in replies.iter().enumerate() {
        match (number, reply) {
            (7, Ok(found)) => assert_eq!(found.status, 404),
            (20, reply) => assert!(reply.is_err()),
            (number, Ok(found)) => assert_eq!(found.body, format!("/{number}").into_bytes()),
            (number, Err(error)) => panic!("{number}: {error}"),
        }
    }
}
