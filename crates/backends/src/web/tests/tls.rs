//! A server on this machine that proves who it is, and a client that may ask it: https only, with the authority of the tests.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use ureq::http::Uri;
use ureq::tls::{Certificate, PrivateKey, RootCerts};

use super::super::{Names, Reach, Roots, SystemWeb};

const AUTHORITY: &[u8] = include_bytes!("../../../tests/tls/authority.pem");
const SERVER: &[u8] = include_bytes!("../../../tests/tls/server.pem");
const KEY: &[u8] = include_bytes!("../../../tests/tls/server.key.pem");

/// What a server writes to.
pub(super) type Connection = StreamOwned<ServerConnection, TcpStream>;

/// A server with a certificate for `localhost`, `127.0.0.1` and `*.lore.test`.
pub(super) struct TlsServer {
    pub(super) port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl TlsServer {
    /// A server that answers each path, on a thread of its own for each connection.
    pub(super) fn new(answer: impl Fn(&str, &mut Connection) + Send + Sync + 'static) -> Self {
        Self::with_heads(move |head, stream| answer(head.split(' ').nth(1).unwrap_or_default(), stream))
    }

    /// A server that answers each head of a request.
    pub(super) fn with_heads(answer: impl Fn(&str, &mut Connection) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, config, answer) = (Arc::clone(&asked), Arc::new(config()), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (seen, config, answer) = (Arc::clone(&seen), Arc::clone(&config), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
                    // Whoever does not trust the server hangs up here.
                    if let Some(head) = head(&mut stream) {
                        seen.lock().unwrap().push(head.clone());
                        answer(&head, &mut stream);
                        stream.conn.send_close_notify();
                        let _ = stream.flush();
                    }
                });
            }
        });
        Self { port, asked }
    }

    /// An address on it, by one of its names.
    pub(super) fn url(&self, host: &str, path: &str) -> String {
        format!("https://{host}:{}{path}", self.port)
    }

    /// The heads of all requests.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn config() -> ServerConfig {
    let certificate = CertificateDer::from(Certificate::from_pem(SERVER).unwrap().der().to_vec());
    let key = PrivatePkcs8KeyDer::from(PrivateKey::from_pem(KEY).unwrap().der().to_vec());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .unwrap()
}

fn head(stream: &mut Connection) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

/// Answers a request.
pub(super) fn reply(stream: &mut Connection, status: &str, headers: &str, body: &[u8]) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    // Whoever asked may have hung up already.
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body);
}

/// A client that looks names up by a function.
pub(super) fn with_names(
    reach: Reach,
    names: impl Fn(&str, u16) -> Vec<SocketAddr> + Send + Sync + 'static,
) -> SystemWeb {
    let authority = Certificate::from_pem(AUTHORITY).unwrap();
    let lookup = move |uri: &Uri, _: &_, _| Ok(names(uri.host().unwrap_or_default(), uri.port_u16().unwrap_or(443)));
    SystemWeb {
        reach,
        names: Names(Arc::new(lookup)),
        roots: Roots(RootCerts::new_with_certs(&[authority])),
        ..SystemWeb::default()
    }
}

/// A client for servers on this machine: every name is this machine.
pub(super) fn on_this_machine() -> SystemWeb {
    with_names(Reach::Loopback, |_, port| vec![(Ipv4Addr::LOCALHOST, port).into()])
}
