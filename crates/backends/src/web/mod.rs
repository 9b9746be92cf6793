//! The web, by https, and never an address that is not public.
//!
//! Every hop of a redirect is a request of its own and passes the same checks. A name is resolved once, by the guard below, and the
//! connection goes to the addresses that passed, so that a second answer of the name server changes nothing. A secret goes to the origin that
//! it was meant for, and is gone for good with the first hop to another one.

mod address;

use std::fmt;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use lore_specs::seam::{ErrorKind, FetchLimits, FetchRequest, Fetched, OpError, Web};
use oxiri::Iri;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

/// How Lore calls itself.
const USER_AGENT: &str = concat!("lore/", env!("CARGO_PKG_VERSION"));
/// Bytes of the headers of a reply.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// Bytes of a body that are read at once.
const PIECE: usize = 16 << 10;
/// Characters of an address.
const MAX_URL_CHARS: usize = 4096;
/// Addresses of a name that are tried.
const MAX_ADDRESSES: usize = 16;

/// Bytes of the value of a header that is sent.
const MAX_SENT_BYTES: usize = 8 << 10;
/// Requests that are under way at once.
const AT_ONCE: usize = 8;
/// Headers that only the client itself sends.
const OWN_HEADERS: &[&str] = &[
    "connection",
    "content-length",
    "cookie",
    "expect",
    "host",
    "if-none-match",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// The web as this machine reaches it.
#[derive(Default)]
pub struct SystemWeb {
    agent: OnceLock<Agent>,
    reach: Reach,
    names: Names,
    roots: Roots,
}

/// Which addresses may be asked. Everything but the first is there for tests only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reach {
    /// Public ones, by https.
    #[default]
    Public,
    /// This machine's own, by https.
    #[cfg(test)]
    Loopback,
    /// This machine's own, also by http.
    #[cfg(test)]
    PlainLoopback,
}

impl Reach {
    fn admits(self, address: &SocketAddr) -> bool {
        match self {
            Self::Public => address::is_public(address.ip()),
            #[cfg(test)]
            Self::Loopback | Self::PlainLoopback => address.ip().is_loopback(),
        }
    }

    fn admits_http(self) -> bool {
        match self {
            Self::Public => false,
            #[cfg(test)]
            Self::Loopback => false,
            #[cfg(test)]
            Self::PlainLoopback => true,
        }
    }
}

/// What knows the addresses of a name.
type Lookup = dyn Fn(&Uri, &Config, NextTimeout) -> Result<Vec<SocketAddr>, Error> + Send + Sync;

/// The addresses of names: those that the machine knows.
#[derive(Clone)]
struct Names(Arc<Lookup>);

impl Default for Names {
    fn default() -> Self {
        Self(Arc::new(|uri, config, timeout| {
            let found = DefaultResolver::default().resolve(uri, config, timeout)?;
            Ok(found.iter().copied().collect())
        }))
    }
}

/// Whose word counts for who a server is.
#[derive(Clone)]
struct Roots(RootCerts);

impl Default for Roots {
    fn default() -> Self {
        Self(RootCerts::WebPki)
    }
}

impl SystemWeb {
    /// The public web.
    pub fn new() -> Self {
        Self::default()
    }

    /// The agent, made when it is first needed.
    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| {
            let tls = TlsConfig::builder().root_certs(self.roots.0.clone()).build();
            let config = Agent::config_builder()
                .http_status_as_error(false)
                .https_only(!self.reach.admits_http())
                .proxy(None)
                .tls_config(tls)
                .max_redirects(0)
                .max_redirects_will_error(false)
                .max_response_header_size(MAX_HEADER_BYTES)
                .user_agent(USER_AGENT)
                .build();
            let guard = Guard {
                reach: self.reach,
                names: self.names.clone(),
            };
            Agent::with_parts(config, DefaultConnector::default(), guard)
        })
    }

    /// One request, without following where the reply points.
    fn request(
        &self,
        url: &Iri<String>,
        asked: &FetchRequest<'_>,
        secret: Option<(&str, &str)>,
        time: Duration,
    ) -> Result<Reply, OpError> {
        let start = Instant::now();
        let limits = &asked.limits;
        let fault = |error: Error| said(url, limits, &error);
        let mut request = self.agent().get(in_ascii(url));
        for (name, value) in asked.headers.iter().copied().chain(secret) {
            request = request.header(name, value);
        }
        if let Some(etag) = asked.etag {
            request = request.header("If-None-Match", etag);
        }
        let request = request.config().timeout_global(Some(time)).build();
        let response = request.call().map_err(fault)?;
        let status = response.status().as_u16();
        let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        let (location, media_type) = (header("location"), header("content-type"));
        let (etag, last_modified) = (header("etag"), header("last-modified"));
        let mut body = Vec::new();
        if !is_redirect(status) || limits.redirects == 0 {
            let body_limit = limits.max_bytes.saturating_add(1);
            if response
                .body()
                .content_length()
                .is_some_and(|length| length > limits.max_bytes)
            {
                return Err(too_large(url, limits));
            }
            let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
            let mut reader = reader.take(body_limit);
            let mut piece = [0; PIECE];
            loop {
                // A server that sends a byte now and then keeps every single read short.
                if start.elapsed() >= time {
                    return Err(too_slow(url, limits));
                }
                match reader.read(&mut piece).map_err(|error| fault(Error::from(error)))? {
                    0 => break,
                    count => body.extend_from_slice(&piece[..count]),
                }
            }
            if body.len() as u64 > limits.max_bytes {
                return Err(too_large(url, limits));
            }
        }
        Ok(Reply {
            status,
            location,
            media_type,
            etag,
            last_modified,
            body,
        })
    }

    /// An address that may be asked.
    fn parse(&self, text: &str) -> Result<Iri<String>, OpError> {
        let refuse = |why: &str| {
            let shown: String = text.chars().take(200).collect();
            OpError::new(ErrorKind::Invalid, format!("{shown} is not fetched: {why}"))
        };
        if text.chars().count() > MAX_URL_CHARS {
            return Err(refuse("the address is too long"));
        }
        let url = Iri::parse(text.to_owned()).map_err(|error| refuse(&format!("it is no address: {error}")))?;
        match url.scheme() {
            "https" => {}
            "http" if self.reach.admits_http() => {}
            _ => return Err(refuse("only https is")),
        }
        match url.authority() {
            None | Some("") => Err(refuse("it names no host")),
            Some(authority) if authority.contains('@') => Err(refuse("it holds a name or a password")),
            Some(authority) if !authority.is_ascii() => {
                Err(refuse("its host is not written in ASCII").hint("write the host in its xn-- form"))
            }
            Some(_) => Ok(url),
        }
    }
}

/// What came back for one request.
struct Reply {
    status: u16,
    location: Option<String>,
    media_type: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    body: Vec<u8>,
}

impl Web for SystemWeb {
    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        let start = Instant::now();
        let limits = &request.limits;
        let mut url = self.parse(request.url)?;
        for (name, value) in request.headers.iter().copied().chain(request.secret) {
            check_header(name, value)?;
        }
        if let Some(etag) = request.etag {
            check_value("If-None-Match", etag)?;
        }
        let mut secret = request.secret;
        let mut followed = 0;
        loop {
            let left = limits.time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(too_slow(&url, limits));
            }
            let reply = self.request(&url, request, secret, left)?;
            match reply.location {
                Some(location) if is_redirect(reply.status) && limits.redirects > 0 => {
                    if followed == limits.redirects {
                        let message = format!("{url} leads on after {followed} redirects");
                        return Err(OpError::new(ErrorKind::Unavailable, message));
                    }
                    followed += 1;
                    let next = url.resolve(&location).map_err(|error| {
                        let message = format!("{url} redirects to something that is no address: {error}");
                        OpError::new(ErrorKind::Unavailable, message)
                    })?;
                    let next = self.parse(next.as_str())?;
                    if origin(&next) != origin(&url) {
                        secret = None;
                    }
                    url = next;
                }
                _ => {
                    return Ok(Fetched {
                        url: url.into_inner(),
                        status: reply.status,
                        media_type: reply.media_type,
                        etag: reply.etag,
                        last_modified: reply.last_modified,
                        body: reply.body,
                    });
                }
            }
        }
    }

    fn fetch_all(&self, requests: &[FetchRequest<'_>]) -> Vec<Result<Fetched, OpError>> {
        if let [] | [_] = requests {
            return requests.iter().map(|request| self.fetch(request)).collect();
        }
        let next = AtomicUsize::new(0);
        let replies = Mutex::new(Vec::with_capacity(requests.len()));
        std::thread::scope(|scope| {
            for _ in 0..requests.len().min(AT_ONCE) {
                scope.spawn(|| {
                    while let number = next.fetch_add(1, Ordering::Relaxed)
                        && let Some(request) = requests.get(number)
                    {
                        let reply = self.fetch(request);
                        if let Ok(mut replies) = replies.lock() {
                            replies.push((number, reply));
                        }
                    }
                });
            }
        });
        let mut replies = replies.into_inner().unwrap_or_default();
        replies.sort_by_key(|(number, _)| *number);
        replies.into_iter().map(|(_, reply)| reply).collect()
    }
}

/// Scheme, host and port of an address.
fn origin(url: &Iri<String>) -> (String, String, u16) {
    let authority = url.authority().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port.parse().ok()),
        _ => (authority, None),
    };
    let usual = if url.scheme() == "http" { 80 } else { 443 };
    (
        url.scheme().to_owned(),
        host.to_ascii_lowercase(),
        port.unwrap_or(usual),
    )
}

/// Refuses a header that is not one, or that steers the request.
fn check_header(name: &str, value: &str) -> Result<(), OpError> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_name = !name.is_empty() && name.len() <= 100 && name.bytes().all(is_letter);
    if !is_name || OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        let shown: String = name.chars().take(100).filter(|letter| !letter.is_control()).collect();
        let message = format!("`{shown}` is no header that is sent");
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    check_value(name, value)
}

fn check_value(name: &str, value: &str) -> Result<(), OpError> {
    let fits = value.len() <= MAX_SENT_BYTES && value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    match fits {
        true => Ok(()),
        false => {
            let message = format!("the header {name} would hold more than one line of ASCII");
            Err(OpError::new(ErrorKind::Invalid, message))
        }
    }
}

/// The address as it goes over the wire.
fn in_ascii(url: &Iri<String>) -> String {
    let mut text = String::with_capacity(url.len());
    for letter in url.chars() {
        match letter.is_ascii() {
            true => text.push(letter),
            false => {
                let mut bytes = [0; 4];
                let encoded = letter.encode_utf8(&mut bytes).bytes();
                text.extend(encoded.map(|byte| format!("%{byte:02X}")));
            }
        }
    }
    text
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn too_large(url: &Iri<String>, limits: &FetchLimits) -> OpError {
    let message = format!("{url} is larger than {} bytes", limits.max_bytes);
    OpError::new(ErrorKind::Unavailable, message)
}

fn too_slow(url: &Iri<String>, limits: &FetchLimits) -> OpError {
    let message = format!("{url} took longer than {} s", limits.time.as_secs_f64());
    OpError::new(ErrorKind::Unavailable, message)
}

/// A failure in the words of Lore.
fn said(url: &Iri<String>, limits: &FetchLimits, error: &Error) -> OpError {
    match error {
        Error::Timeout(_) => too_slow(url, limits),
        Error::HostNotFound => OpError::new(ErrorKind::Unavailable, format!("{url} names a host that is not known"))
            .hint("Lore asks servers itself, without a proxy"),
        Error::Other(inner) if inner.is::<NotPublic>() => {
            OpError::new(ErrorKind::Invalid, format!("{url} is not fetched: {inner}"))
        }
        error => OpError::new(ErrorKind::Unavailable, format!("{url} cannot be fetched: {error}")),
    }
}

/// Resolves names, and lets only those addresses pass that may be asked.
struct Guard {
    reach: Reach,
    names: Names,
}

impl fmt::Debug for Guard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Guard")
            .field("reach", &self.reach)
            .finish_non_exhaustive()
    }
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let found = (self.names.0)(uri, config, timeout)?;
        let mut admitted = self.empty();
        for address in found
            .iter()
            .filter(|address| self.reach.admits(address))
            .take(MAX_ADDRESSES)
        {
            admitted.push(*address);
        }
        match found.first() {
            Some(first) if admitted.is_empty() => Err(Error::Other(Box::new(NotPublic(*first)))),
            _ => Ok(admitted),
        }
    }
}

/// An address that may not be asked.
#[derive(Debug)]
struct NotPublic(SocketAddr);

impl fmt::Display for NotPublic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not a public address", self.0.ip())
    }
}

impl std::error::Error for NotPublic {}

#[cfg(test)]
mod tests;
