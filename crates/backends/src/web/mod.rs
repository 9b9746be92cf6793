//! HTTPS requests to public addresses only (SSRF protection).
//!
//! Every redirect is a request of its own and passes the same checks. A name is resolved once, by the guard below, and the connection goes to the checked
//! addresses, so that a second DNS answer changes nothing (no DNS rebinding). A secret is sent only to the origin it belongs to, and is dropped at the first
//! redirect to another origin. The user can configure hosts of a private network, with their addresses ([`OwnHosts`]).

mod address;
mod connection;
mod exchange;
mod own_hosts;

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use lore_seam::{
    Deadline, ErrorKind, FetchLimits, FetchRequest, Fetched, OpError, Web, WebFault, WebLimits, WebMethod, WebReply,
    WebRequest,
};
use oxiri::Iri;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::{Agent, Error};

pub use self::own_hosts::OwnHosts;

/// How Lore calls itself.
const USER_AGENT: &str = concat!("lore/", env!("CARGO_PKG_VERSION"));
/// Bytes of the headers of a reply.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// Characters of an address.
const MAX_URL_CHARS: usize = 4096;
/// Addresses of a name that are tried.
const MAX_ADDRESSES: usize = 16;

/// Requests that are under way at once.
const AT_ONCE: usize = 8;
/// Connections that are kept open for the next request: in all, and to one host.
const KEPT_OPEN: (usize, usize) = (64, 8);

/// The web as this machine reaches it.
#[derive(Default)]
pub struct SystemWeb {
    agent: OnceLock<Agent>,
    own: OwnHosts,
    own_agent: OnceLock<Agent>,
    reach: Reach,
    names: Names,
    roots: Roots,
    /// The most that anything may take, whatever the one who asks allows.
    most: Option<Duration>,
}

/// A time that has begun.
#[derive(Debug)]
struct Begun {
    start: Instant,
    time: Duration,
}

impl Deadline for Begun {
    fn left(&self) -> Duration {
        self.time.saturating_sub(self.start.elapsed())
    }
}

/// Which addresses may be asked. Everything but the first two is there for tests only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Reach {
    /// Public ones, by https.
    #[default]
    Public,
    /// The configured hosts, by https.
    Named,
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
            Self::Named => true,
            #[cfg(test)]
            Self::Loopback | Self::PlainLoopback => address.ip().is_loopback(),
        }
    }

    fn admits_http(self) -> bool {
        match self {
            Self::Public | Self::Named => false,
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

    /// The public web, and configured hosts.
    pub fn with_own(own: OwnHosts) -> Self {
        Self { own, ..Self::default() }
    }

    /// The same, where nothing may take longer than this.
    #[must_use]
    pub fn within(self, most: Option<Duration>) -> Self {
        Self { most, ..self }
    }

    /// As long as is allowed, and no longer than anything may take.
    fn shorter(&self, time: Duration) -> Duration {
        self.most.map_or(time, |most| most.min(time))
    }

    /// The agent for what is public, made when it is first needed.
    fn agent(&self) -> &Agent {
        self.agent
            .get_or_init(|| agent(self.reach, self.names.clone(), self.roots.0.clone()))
    }

    /// The agent for configured hosts, whose authorities are trusted for no other host.
    fn own_agent(&self) -> &Agent {
        self.own_agent
            .get_or_init(|| agent(Reach::Named, self.own.names(), self.own.roots()))
    }

    /// An address that may be asked.
    fn parse(&self, text: &str) -> Result<Iri<String>, WebFault> {
        let refuse = |code: &'static str, why: String| Err(WebFault::Refused(code, why));
        if text.chars().count() > MAX_URL_CHARS {
            return refuse("address_too_long", "the address is too long".to_owned());
        }
        let url = match Iri::parse(text.to_owned()) {
            Ok(url) => url,
            Err(error) => return refuse("not_an_address", format!("it is not a valid URL: {error}")),
        };
        match url.scheme() {
            "https" => {}
            "http" if self.reach.admits_http() => {}
            _ => return refuse("not_https", "only https is allowed".to_owned()),
        }
        match url.authority() {
            None | Some("") => refuse("host", "it has no host".to_owned()),
            Some(authority) if authority.contains('@') => {
                refuse("user_info", "it has a user name or a password".to_owned())
            }
            Some(authority) if !authority.is_ascii() => {
                refuse("host_not_ascii", "its host is not written in ASCII".to_owned())
            }
            Some(_) => Ok(url),
        }
    }

    /// One request to an address that passed.
    fn ask(&self, url: &Iri<String>, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        let agent = if self.own.has(&origin(url).1) {
            self.own_agent()
        } else {
            self.agent()
        };
        exchange::exchange(agent, &in_ascii(url), request)
    }
}

impl Web for SystemWeb {
    fn exchange(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        let limits = WebLimits {
            total: self.shorter(request.limits.total),
            ..request.limits
        };
        self.ask(&self.parse(request.url)?, &WebRequest { limits, ..*request })
    }

    fn deadline(&self, time: Duration) -> Arc<dyn Deadline> {
        Arc::new(Begun {
            start: Instant::now(),
            time: self.shorter(time),
        })
    }

    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        let limits = &FetchLimits {
            time: self.shorter(request.limits.time),
            ..request.limits
        };
        let deadline = self.deadline(limits.time);
        let parsed = |text: &str| self.parse(text).map_err(|fault| unfetched(text, limits, fault));
        let mut url = parsed(request.url)?;
        let mut secret = request.secret;
        let mut followed = 0;
        loop {
            let left = deadline.left();
            if left.is_zero() {
                return Err(too_slow(&url, limits));
            }
            let asked = WebRequest {
                method: WebMethod::Get,
                url: &url,
                headers: request.headers,
                secret,
                etag: request.etag,
                last_modified: None,
                limits: WebLimits {
                    max_bytes: limits.max_bytes,
                    connect: left,
                    total: left,
                    idle: left,
                },
            };
            let reply = self.ask(&url, &asked).map_err(|fault| unfetched(&url, limits, fault))?;
            match &reply.location {
                Some(location) if reply.is_redirect() && limits.redirects > 0 => {
                    if followed == limits.redirects {
                        let message = format!("{url} redirects more than {followed} times");
                        return Err(OpError::new(ErrorKind::Unavailable, message));
                    }
                    followed += 1;
                    let next = url.resolve(location).map_err(|error| {
                        let message = format!("{url} redirects to an invalid URL: {error}");
                        OpError::new(ErrorKind::Unavailable, message).because(error)
                    })?;
                    let next = parsed(next.as_str())?;
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

/// An agent that connects only to allowed addresses.
fn agent(reach: Reach, names: Names, roots: RootCerts) -> Agent {
    let tls = TlsConfig::builder().root_certs(roots).build();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .https_only(!reach.admits_http())
        .proxy(None)
        .tls_config(tls)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .max_response_header_size(MAX_HEADER_BYTES)
        .max_idle_connections(KEPT_OPEN.0)
        .max_idle_connections_per_host(KEPT_OPEN.1)
        .user_agent(USER_AGENT)
        .build();
    Agent::with_parts(config, connection::connector(), Guard { reach, names })
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

/// The address as it goes over the wire.
fn in_ascii(url: &Iri<String>) -> String {
    let mut text = String::with_capacity(url.len());
    for letter in url.chars() {
        if letter.is_ascii() {
            text.push(letter)
        } else {
            let mut bytes = [0; 4];
            let encoded = letter.encode_utf8(&mut bytes).bytes();
            text.extend(encoded.map(|byte| format!("%{byte:02X}")));
        }
    }
    text
}

fn too_slow(url: &str, limits: &FetchLimits) -> OpError {
    let message = format!("{url} took longer than {} s", limits.time.as_secs_f64());
    OpError::new(ErrorKind::Unavailable, message)
}

/// The error for a failed request.
fn unfetched(url: &str, limits: &FetchLimits, fault: WebFault) -> OpError {
    let shown: String = url.chars().take(200).collect();
    let unavailable = |message: String| OpError::new(ErrorKind::Unavailable, message);
    let refused = |why: &str| OpError::new(ErrorKind::Invalid, format!("{shown} is not fetched: {why}"));
    let error = match &fault {
        WebFault::Refused("header", why) => OpError::new(ErrorKind::Invalid, why),
        WebFault::Refused("host_not_ascii", why) => refused(why).hint("write the host in its xn-- form"),
        WebFault::Refused(_, why) => refused(why),
        WebFault::NotPublic(address) => refused(&format!("{address} is not a public address")),
        WebFault::Timeout(_) => too_slow(url, limits),
        WebFault::TooLarge { .. } => unavailable(format!("{url} is larger than {} bytes", limits.max_bytes)),
        WebFault::Dns => unavailable(format!("the host of {url} is unknown"))
            .hint("Lore connects to servers directly, without a proxy"),
        fault => unavailable(format!("{url} cannot be fetched: {fault}")),
    };
    error.because(fault)
}

/// Resolves names, and passes only allowed addresses.
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
        let found = match (self.names.0)(uri, config, timeout) {
            // However the machine says it, a name that cannot be looked up is one that is not known.
            Err(Error::Io(_)) => return Err(Error::HostNotFound),
            found => found?,
        };
        // One address that is not public is enough: who mixes them means to lead inside.
        if let Some(inside) = found.iter().find(|address| !self.reach.admits(address)) {
            return Err(Error::Other(Box::new(NotPublic(*inside))));
        }
        let mut admitted = self.empty();
        for address in found.iter().take(MAX_ADDRESSES) {
            admitted.push(*address);
        }
        if admitted.is_empty() {
            Err(Error::HostNotFound)
        } else {
            Ok(admitted)
        }
    }
}

/// An address that is not allowed.
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
