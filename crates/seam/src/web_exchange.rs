//! A single HTTP request and its reply, with typed errors. The caller decides about redirects, retries and statuses.

use std::fmt;
use std::time::Duration;

use lore_model::Cause;

/// A single HTTP request. It follows no redirect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebRequest<'a> {
    /// The HTTP method, with the body of a POST.
    pub method: WebMethod<'a>,
    /// The URL of the request.
    pub url: &'a str,
    /// Additional request headers.
    pub headers: &'a [(&'a str, &'a str)],
    /// A secret header. It is sent only to this URL, because no redirect is followed.
    pub secret: Option<(&'a str, &'a str)>,
    /// The ETag of a cached response. If it still matches, the status of the reply is 304.
    pub etag: Option<&'a str>,
    /// The `Last-Modified` value of a cached response, for the same purpose.
    pub last_modified: Option<&'a str>,
    /// Limits of the request.
    pub limits: WebLimits,
}

impl<'a> WebRequest<'a> {
    /// A GET request without headers, secret or cache validators.
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

/// The HTTP method of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebMethod<'a> {
    /// GET.
    Get,
    /// POST with this body.
    Post(&'a [u8]),
}

/// Limits of one request. A request that exceeds a limit fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebLimits {
    /// Most bytes of the body, counted after decoding.
    pub max_bytes: u64,
    /// Time until the connection is established.
    pub connect: Duration,
    /// Time for the whole request.
    pub total: Duration,
    /// Time without any data from the server.
    pub idle: Duration,
}

impl WebLimits {
    /// The default times with this size limit.
    pub const fn of_bytes(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            connect: Duration::from_secs(5),
            total: Duration::from_secs(30),
            idle: Duration::from_secs(10),
        }
    }
}

/// The reply of a server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WebReply {
    /// HTTP status code.
    pub status: u16,
    /// The `Location` header, as the server sent it.
    pub location: Option<String>,
    /// The `Retry-After` header.
    pub retry_after: Option<RetryAfter>,
    /// The media type that the server sent.
    pub media_type: Option<String>,
    /// The ETag that the server sent.
    pub etag: Option<String>,
    /// The `Last-Modified` header, as the server sent it.
    pub last_modified: Option<String>,
    /// The `Content-Length` header: bytes before decoding.
    pub content_length: Option<u64>,
    /// The body. If the status is not a success, the body may be truncated.
    pub body: Vec<u8>,
}

impl WebReply {
    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the status is a redirect: 301, 302, 303, 307 or 308.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }
}

/// The value of a `Retry-After` header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RetryAfter {
    /// A number of seconds.
    Seconds(u64),
    /// A point in time, in seconds since 1970.
    At(i64),
}

impl RetryAfter {
    /// The time to wait, counted from `now_ms` in milliseconds since 1970.
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
    /// The URL or a header is not allowed. Contains a machine-readable code and the reason.
    Refused(&'static str, String),
    /// The host resolves to an address that is not public (SSRF protection).
    NotPublic(String),
    /// The host name cannot be resolved.
    Dns,
    /// The connection cannot be established.
    Connect(Cause),
    /// The TLS handshake or the certificate is invalid.
    Tls(Cause),
    /// A time limit was exceeded.
    Timeout(WebPhase),
    /// The connection was closed early.
    Reset(Cause),
    /// The body exceeds the size limit.
    TooLarge {
        /// Whether the `Content-Length` header already exceeded the limit.
        is_declared: bool,
    },
    /// The reply is not valid HTTP.
    BadReply(Cause),
    /// This process has no web access.
    Offline,
}

/// The phase in which a time limit was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebPhase {
    /// Resolving the host name.
    Resolve,
    /// Establishing the connection.
    Connect,
    /// Waiting for data.
    Idle,
    /// The whole request.
    Total,
}

impl WebFault {
    /// The machine-readable name of the error.
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

    /// Whether a retry can succeed.
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
            Self::Refused(_, why) => write!(formatter, "the request is not allowed: {why}"),
            Self::NotPublic(address) => write!(
                formatter,
                "the request is not allowed: {address} is not a public address"
            ),
            Self::Dns => formatter.write_str("the host is unknown"),
            Self::Connect(why) => write!(formatter, "cannot connect: {why}"),
            Self::Tls(why) => write!(formatter, "the TLS handshake failed: {why}"),
            Self::Timeout(WebPhase::Resolve) => formatter.write_str("the host name lookup timed out"),
            Self::Timeout(WebPhase::Connect) => formatter.write_str("the connection timed out"),
            Self::Timeout(WebPhase::Idle) => formatter.write_str("the server sent nothing for too long"),
            Self::Timeout(WebPhase::Total) => formatter.write_str("the request timed out"),
            Self::Reset(why) => write!(formatter, "the connection was closed early: {why}"),
            Self::TooLarge { is_declared: true } => {
                formatter.write_str("the reply is too large, as its Content-Length says")
            }
            Self::TooLarge { is_declared: false } => formatter.write_str("the reply is too large"),
            Self::BadReply(why) => write!(formatter, "the reply is invalid: {why}"),
            Self::Offline => formatter.write_str("this process has no web access"),
        }
    }
}

impl std::error::Error for WebFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Connect(cause) | Self::Tls(cause) | Self::Reset(cause) | Self::BadReply(cause) => Some(cause),
            Self::Refused(..)
            | Self::NotPublic(_)
            | Self::Dns
            | Self::Timeout(_)
            | Self::TooLarge { .. }
            | Self::Offline => None,
        }
    }
}
