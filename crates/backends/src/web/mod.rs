//! The web, by https, and never an address that is not public.
//!
//! Every hop of a redirect is a request of its own and passes the same checks. A name is resolved once, by the guard below, and the
//! connection goes to the addresses that passed, so that a second answer of the name server changes nothing.

mod address;

use std::fmt;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use lore_specs::seam::{ErrorKind, FetchLimits, FetchRequest, Fetched, OpError, Web};
use oxiri::Iri;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

/// How Lore calls itself.
const USER_AGENT: &str = concat!("lore/", env!("CARGO_PKG_VERSION"));
/// Bytes of the headers of a reply.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// Characters of an address.
const MAX_URL_CHARS: usize = 4096;

/// The web as this machine reaches it.
#[derive(Default)]
pub struct SystemWeb {
    agent: OnceLock<Agent>,
    reach: Reach,
}

/// Which addresses may be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reach {
    /// Public ones, by https.
    #[default]
    Public,
    /// This machine's own, also by http.
    Loopback,
}

impl SystemWeb {
    /// The public web.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only servers on this machine, also by http: what tests need.
    pub fn on_loopback() -> Self {
        Self {
            agent: OnceLock::new(),
            reach: Reach::Loopback,
        }
    }

    /// The agent, made when it is first needed.
    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| {
            let config = Agent::config_builder()
                .http_status_as_error(false)
                .https_only(self.reach == Reach::Public)
                .proxy(None)
                .max_redirects(0)
                .max_redirects_will_error(false)
                .max_response_header_size(MAX_HEADER_BYTES)
                .user_agent(USER_AGENT)
                .build();
            Agent::with_parts(config, DefaultConnector::default(), Guard { reach: self.reach })
        })
    }

    /// One request, without following where the reply points.
    fn request(&self, url: &Iri<String>, limits: &FetchLimits, time: Duration) -> Result<Reply, OpError> {
        let fault = |error: Error| said(url, limits, &error);
        let request = self.agent().get(in_ascii(url));
        let request = request.config().timeout_global(Some(time)).build();
        let response = request.call().map_err(fault)?;
        let status = response.status().as_u16();
        let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        let (location, media_type) = (header("location"), header("content-type"));
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
            let read = reader.take(body_limit).read_to_end(&mut body);
            read.map_err(|error| fault(Error::from(error)))?;
            if body.len() as u64 > limits.max_bytes {
                return Err(too_large(url, limits));
            }
        }
        Ok(Reply {
            status,
            location,
            media_type,
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
        match (url.scheme(), self.reach) {
            ("https", _) | ("http", Reach::Loopback) => {}
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
    body: Vec<u8>,
}

impl Web for SystemWeb {
    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        let start = Instant::now();
        let limits = &request.limits;
        let mut url = self.parse(request.url)?;
        let mut followed = 0;
        loop {
            let left = limits.time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(too_slow(&url, limits));
            }
            let reply = self.request(&url, limits, left)?;
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
                    url = self.parse(next.as_str())?;
                }
                _ => {
                    return Ok(Fetched {
                        url: url.into_inner(),
                        status: reply.status,
                        media_type: reply.media_type,
                        etag: None,
                        last_modified: None,
                        body: reply.body,
                    });
                }
            }
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
#[derive(Debug)]
struct Guard {
    reach: Reach,
}

impl Guard {
    fn admits(&self, address: &SocketAddr) -> bool {
        match self.reach {
            Reach::Public => address::is_public(address.ip()),
            Reach::Loopback => address.ip().is_loopback(),
        }
    }
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let found = DefaultResolver::default().resolve(uri, config, timeout)?;
        let mut admitted = self.empty();
        for address in found.iter().filter(|address| self.admits(address)) {
            admitted.push(*address);
        }
        match found.iter().next() {
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
