//! A server on this machine that proves who it is under many names, keeps connections open, and answers as it is told, well or badly.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

const SERVER: &[u8] = include_bytes!("../../../backends/tests/tls/server.pem");
const KEY: &[u8] = include_bytes!("../../../backends/tests/tls/server.key.pem");

/// What an answer is written to.
pub(crate) type Connection = StreamOwned<ServerConnection, TcpStream>;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) host: String,
    /// Without what follows the question mark.
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// What becomes of a connection behind an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Then {
    /// The next request is awaited.
    Open,
    /// It is closed as it should be.
    Closed,
    /// It is dropped without a word.
    Dropped,
}

/// What answers.
pub(crate) type Answer = dyn Fn(&Request, &mut Connection) -> Then + Send + Sync;

/// The server.
pub(crate) struct Server {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn new(answer: Arc<Answer>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, config) = (Arc::clone(&asked), Arc::new(config()));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (seen, config, answer) = (Arc::clone(&seen), Arc::clone(&config), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let connection = ServerConnection::new(config).expect("configured");
                    // What is written in pieces is to leave in pieces.
                    let _ = stream.set_nodelay(true);
                    let mut stream = StreamOwned::new(connection, stream);
                    while let Some(request) = read(&mut stream) {
                        seen.lock().expect("whole").push(request.clone());
                        match answer(&request, &mut stream) {
                            Then::Open if stream.flush().is_ok() => {}
                            Then::Open | Then::Dropped => return,
                            Then::Closed => {
                                stream.conn.send_close_notify();
                                let _ = stream.flush();
                                return;
                            }
                        }
                    }
                });
            }
        });
        Self { port, asked }
    }

    /// What was asked since the last look: `GET host/path`, with the mark that was sent.
    pub(crate) fn asked(&self) -> Vec<String> {
        let requests = std::mem::take(&mut *self.asked.lock().expect("whole"));
        let told = requests.iter().map(|request| {
            let mark = request
                .header("if-none-match")
                .map(|_| " if changed")
                .unwrap_or_default();
            format!("{} {}{}{mark}", request.method, request.host, request.path)
        });
        told.collect()
    }

    /// The requests themselves.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.asked.lock().expect("whole").clone()
    }
}

fn config() -> ServerConfig {
    let certificate = CertificateDer::from_pem_slice(SERVER).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("they belong together")
}

/// The next request; nothing when the other side has gone.
fn read(stream: &mut Connection) -> Option<Request> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?, first.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let mut request = Request {
        method: method.to_owned(),
        host: String::new(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body: Vec::new(),
    };
    request.host = request.header("host").unwrap_or_default().to_ascii_lowercase();
    let length = request
        .header("content-length")
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    request.body.resize(length, 0);
    stream.read_exact(&mut request.body).ok()?;
    Some(request)
}

/// A whole answer.
pub(crate) fn reply(stream: &mut Connection, status: &str, headers: &[(&str, &str)], body: &[u8]) -> Then {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !status.starts_with("304") {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    // Whoever asked may have hung up already.
    match stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)) {
        Ok(()) => Then::Open,
        Err(_) => Then::Dropped,
    }
}
