//! One request to a server and its reply, with faults that a program can tell apart. What to do about a redirect, a fault or a status is decided by whoever asks.

use std::fmt;
use std::time::Duration;

/// What is asked of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebRequest<'a> {
    /// What is to be done.
    pub method: WebMethod<'a>,
    /// The address.
    pub url: &'a str,
    /// Headers besides those that every request has.
    pub headers: &'a [(&'a str, &'a str)],
    /// A header that is a secret. It goes to this address and nowhere else, as no redirect is followed.
    pub secret: Option<(&'a str, &'a str)>,
    /// The mark of what is there already; if that is what there still is, the status of the reply is 304.
    pub etag: Option<&'a str>,
    /// When what is there already was changed, as the server said it; to the same end.
    pub last_modified: Option<&'a str>,
    /// What it may cost.
    pub limits: WebLimits,
}

impl<'a> WebRequest<'a> {
    /// A request for what is at an address, without more.
    pub fn get(url: &'a str, limits: WebLimits) -> Self {
        Self {
            method: WebMethod::Get,
            url,
            headers: &[],
            secret: None,
            etag: None,
            last_modified: None,
            limits,
        }
    }
}

/// What is to be done at an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebMethod<'a> {
    /// To give what is there.
    Get,
    /// To take something.
    Post(&'a [u8]),
}

/// What a request may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebLimits {
    /// Bytes of the body, counted after it was decoded.
    pub max_bytes: u64,
    /// Time until there is a connection.
    pub connect: Duration,
    /// Time for all of it.
    pub total: Duration,
    /// Time in which the server says nothing.
    pub idle: Duration,
}

impl WebLimits {
    /// The usual times, and so many bytes.
    pub const fn of_bytes(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            connect: Duration::from_secs(5),
            total: Duration::from_secs(30),
            idle: Duration::from_secs(10),
        }
    }
}

/// What a server said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WebReply {
    /// The status.
    pub status: u16,
    /// Where it points to instead, as it is written.
    pub location: Option<String>,
    /// When to ask again.
    pub retry_after: Option<RetryAfter>,
    /// The media type of the body, as the server calls it.
    pub media_type: Option<String>,
    /// The server's mark for this content.
    pub etag: Option<String>,
    /// When it was changed last, as the server says it.
    pub last_modified: Option<String>,
    /// Bytes of the body on the way, as the server says it.
    pub content_length: Option<u64>,
    /// The body. Of a reply that is no success it may be cut.
    pub body: Vec<u8>,
}

impl WebReply {
    /// Whether the status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the reply points to another address.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }
}

/// When to ask again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RetryAfter {
    /// After so many seconds.
    Seconds(u64),
    /// At a time, in seconds since 1970.
    At(i64),
}

impl RetryAfter {
    /// How long that is from a time, in milliseconds since 1970.
    pub fn from_now(self, now_ms: u64) -> Duration {
        match self {
            Self::Seconds(seconds) => Duration::from_secs(seconds),
            Self::At(seconds) => {
                let at_ms = u64::try_from(seconds).unwrap_or(0).saturating_mul(1_000);
                Duration::from_millis(at_ms.saturating_sub(now_ms))
            }
        }
    }
}

/// Why there is no reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WebFault {
    /// The request is none that is made: its address or a header is refused. A name for programs, and the reason.
    Refused(&'static str, String),
    /// The address leads to something that is not on the public network.
    NotPublic(String),
    /// The name of the host is not known.
    Dns,
    /// There is no connection.
    Connect(String),
    /// The server does not prove who it is.
    Tls(String),
    /// It took too long.
    Timeout(WebPhase),
    /// The connection broke off.
    Reset(String),
    /// The body is larger than it may be.
    TooLarge {
        /// Whether the server said so before it sent it.
        is_declared: bool,
    },
    /// The reply is none of this protocol.
    BadReply(String),
    /// The web cannot be asked from here.
    Offline,
}

/// What took too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebPhase {
    /// To look up the name.
    Resolve,
    /// To connect.
    Connect,
    /// To say something.
    Idle,
    /// All of it.
    Total,
}

impl WebFault {
    /// The name by which programs know it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(code, _) => code,
            Self::NotPublic(_) => "not_public",
            Self::Dns => "dns",
            Self::Connect(_) => "connect",
            Self::Tls(_) => "tls",
            Self::Timeout(_) => "timeout",
            Self::Reset(_) => "reset",
            Self::TooLarge { .. } => "too_large",
            Self::BadReply(_) => "bad_reply",
            Self::Offline => "offline",
        }
    }

    /// Whether it may go well the next time.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Dns | Self::Connect(_) | Self::Tls(_) | Self::Timeout(_) | Self::Reset(_) | Self::BadReply(_) => true,
            Self::Refused(..) | Self::NotPublic(_) | Self::TooLarge { .. } | Self::Offline => false,
        }
    }
}

impl fmt::Display for WebFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(_, why) => write!(formatter, "it is not asked: {why}"),
            Self::NotPublic(address) => write!(formatter, "it is not asked: {address} is not a public address"),
            Self::Dns => formatter.write_str("its host is not known"),
            Self::Connect(why) => write!(formatter, "there is no connection: {why}"),
            Self::Tls(why) => write!(formatter, "the server does not prove who it is: {why}"),
            Self::Timeout(WebPhase::Resolve) => formatter.write_str("to look up its host took too long"),
            Self::Timeout(WebPhase::Connect) => formatter.write_str("to connect took too long"),
            Self::Timeout(WebPhase::Idle) => formatter.write_str("the server said nothing for too long"),
            Self::Timeout(WebPhase::Total) => formatter.write_str("it took too long"),
            Self::Reset(why) => write!(formatter, "the connection broke off: {why}"),
            Self::TooLarge { is_declared: true } => formatter.write_str("the server says that it is too large"),
            Self::TooLarge { is_declared: false } => formatter.write_str("it is too large"),
            Self::BadReply(why) => write!(formatter, "the reply cannot be read: {why}"),
            Self::Offline => formatter.write_str("the web cannot be asked from here"),
        }
    }
}

impl std::error::Error for WebFault {}
