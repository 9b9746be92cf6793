//! One request and its reply: what is sent, what is read of the reply and up to where, and how a failure is called.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
use lore_base::time::parse_http_date;
use lore_model::Cause;
use lore_seam::{RetryAfter, WebFault, WebMethod, WebPhase, WebReply, WebRequest};
use ureq::http::Response;
use ureq::{Agent, Body, Error, RequestBuilder, Timeout};

use super::NotPublic;

/// Bytes of a body that are read at once.
const PIECE: usize = 16 << 10;
/// Bytes of a reply that is no success which are read at most, so that the connection can be used again.
const MOST_OF_FAILURE: u64 = 64 << 10;
/// Bytes of the value of a header that is sent.
const MAX_SENT_BYTES: usize = 8 << 10;
/// Headers that only the client itself sends.
const OWN_HEADERS: &[&str] = &[
    "accept-encoding",
    "connection",
    "content-length",
    "cookie",
    "expect",
    "host",
    "if-modified-since",
    "if-none-match",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Makes a request to an address that passed, and reads the reply.
pub(super) fn exchange(agent: &Agent, url: &str, asked: &WebRequest<'_>) -> Result<WebReply, WebFault> {
    check_headers(asked)?;
    let start = Instant::now();
    let response = match asked.method {
        WebMethod::Get => prepared(agent.get(url), asked).call(),
        WebMethod::Post(body) => prepared(agent.post(url), asked).send(body),
    };
    let response = response.map_err(|error| {
        tracing::debug!(url, error = %error, "the request failed");
        fault(error)
    })?;
    tracing::debug!(url, status = response.status().as_u16(), "the server answered");
    let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let mut reply = WebReply {
        status: response.status().as_u16(),
        location: header("location"),
        retry_after: header("retry-after").and_then(|text| retry_after(&text)),
        media_type: header("content-type"),
        etag: header("etag"),
        last_modified: header("last-modified"),
        content_length: response.body().content_length(),
        body: Vec::new(),
    };
    reply.body = if reply.is_success() {
        body(response, asked.limits.max_bytes, start, asked.limits.total)?
    } else {
        let most = asked.limits.max_bytes.min(MOST_OF_FAILURE);
        failure_body(response, most, start, asked.limits.total)
    };
    Ok(reply)
}

/// A request with its headers and its times.
fn prepared<Any>(mut builder: RequestBuilder<Any>, asked: &WebRequest<'_>) -> RequestBuilder<Any> {
    for (name, value) in asked.headers.iter().copied().chain(asked.secret) {
        builder = builder.header(name, value);
    }
    if let Some(etag) = asked.etag {
        builder = builder.header("If-None-Match", etag);
    }
    if let Some(time) = asked.last_modified {
        builder = builder.header("If-Modified-Since", time);
    }
    let limits = &asked.limits;
    builder
        .header("Accept-Encoding", "gzip")
        .config()
        .timeout_global(Some(limits.total))
        .timeout_resolve(Some(limits.connect))
        .timeout_connect(Some(limits.connect))
        .timeout_recv_body(Some(limits.idle))
        .build()
}

/// The whole body, or the fault that it has more bytes than it may have; never a part of it.
fn body(response: Response<Body>, most: u64, start: Instant, total: Duration) -> Result<Vec<u8>, WebFault> {
    let encoding = response.headers().get("content-encoding").map(|value| value.to_str());
    let is_gzip = match encoding {
        None | Some(Ok("" | "identity")) => false,
        Some(Ok(name)) if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => true,
        Some(_) => {
            return Err(WebFault::BadReply("unknown content encoding".into()));
        }
    };
    let declared = response.body().content_length();
    // What is compressed may be a little longer than what it is made of, and no more than that.
    let on_the_way = if is_gzip {
        most.saturating_add(most / 64).saturating_add(64 << 10)
    } else {
        most
    };
    if declared.is_some_and(|length| length > on_the_way) {
        return Err(WebFault::TooLarge { is_declared: true });
    }
    let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
    let reader = Bounded {
        inner: reader,
        left: on_the_way,
    };
    if is_gzip {
        read(MultiGzDecoder::new(reader), most, 0, start, total)
    } else {
        read(reader, most, declared.unwrap_or(0), start, total)
    }
}

/// What there is of the body of a reply that is no success; that it is long, or breaks off, changes nothing.
fn failure_body(response: Response<Body>, most: u64, start: Instant, total: Duration) -> Vec<u8> {
    if response.headers().contains_key("content-encoding") {
        return Vec::new();
    }
    let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
    read(reader.take(most), most, 0, start, total).unwrap_or_default()
}

fn read(mut reader: impl Read, most: u64, expected: u64, start: Instant, total: Duration) -> Result<Vec<u8>, WebFault> {
    let mut body = Vec::with_capacity(usize::try_from(expected.min(most)).unwrap_or(0));
    let mut piece = [0; PIECE];
    loop {
        // A server that sends a byte now and then keeps every single read short.
        if start.elapsed() >= total {
            return Err(WebFault::Timeout(WebPhase::Total));
        }
        let count = match reader.read(&mut piece) {
            Ok(0) => return Ok(body),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(fault(Error::from(error))),
        };
        if (body.len() + count) as u64 > most {
            return Err(WebFault::TooLarge { is_declared: false });
        }
        body.extend_from_slice(piece.get(..count).unwrap_or_default());
    }
}

/// A reader that fails when more comes than may come.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => {
                self.left = left;
                Ok(count)
            }
            None => Err(io::ErrorKind::FileTooLarge.into()),
        }
    }
}

/// What a failure of the client is called.
fn fault(error: Error) -> WebFault {
    match error {
        Error::Timeout(Timeout::Resolve) => WebFault::Timeout(WebPhase::Resolve),
        Error::Timeout(Timeout::Connect) => WebFault::Timeout(WebPhase::Connect),
        Error::Timeout(Timeout::RecvBody) => WebFault::Timeout(WebPhase::Idle),
        Error::Timeout(_) => WebFault::Timeout(WebPhase::Total),
        Error::HostNotFound => WebFault::Dns,
        Error::Other(inner) => match inner.downcast::<NotPublic>() {
            Ok(address) => WebFault::NotPublic(address.0.ip().to_string()),
            Err(inner) => WebFault::Connect(inner.into()),
        },
        Error::Tls(why) => WebFault::Tls(why.into()),
        Error::Rustls(inner) => WebFault::Tls(Cause::new(inner)),
        Error::TlsRequired => WebFault::Tls("the server has no certificate".into()),
        Error::Io(inner) => of_io(inner),
        Error::ConnectionFailed => WebFault::Connect("no server answers".into()),
        Error::BadUri(why) => WebFault::Refused("not_an_address", why),
        Error::RequireHttpsOnly(_) => WebFault::Refused("not_https", "only https is allowed".to_owned()),
        other => WebFault::BadReply(Cause::new(other)),
    }
}

fn of_io(error: io::Error) -> WebFault {
    match error.kind() {
        io::ErrorKind::FileTooLarge => WebFault::TooLarge { is_declared: false },
        // TLS says with this kind what it does not accept.
        io::ErrorKind::InvalidData => WebFault::Tls(Cause::new(error)),
        // The decoder says with this kind that there is nothing to decode.
        io::ErrorKind::InvalidInput => WebFault::BadReply(Cause::new(error)),
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => WebFault::Timeout(WebPhase::Total),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected
        | io::ErrorKind::UnexpectedEof => WebFault::Reset(Cause::new(error)),
        _ => WebFault::Connect(Cause::new(error)),
    }
}

/// Seconds, or a time in the one form that servers have to write.
fn retry_after(text: &str) -> Option<RetryAfter> {
    let text = text.trim();
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        Some(RetryAfter::Seconds(text.parse().unwrap_or(u64::MAX)))
    } else {
        parse_http_date(text).map(RetryAfter::At)
    }
}

/// Refuses a header that is not one, or that steers the request.
fn check_headers(asked: &WebRequest<'_>) -> Result<(), WebFault> {
    for (name, value) in asked.headers.iter().copied().chain(asked.secret) {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let is_name = !name.is_empty() && name.len() <= 100 && name.bytes().all(is_letter);
        if !is_name || OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            let shown: String = name.chars().take(100).filter(|letter| !letter.is_control()).collect();
            return Err(WebFault::Refused(
                "header",
                format!("the header `{shown}` cannot be sent"),
            ));
        }
        check_value(name, value)?;
    }
    let own = [
        ("If-None-Match", asked.etag),
        ("If-Modified-Since", asked.last_modified),
    ];
    own.into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .try_for_each(|(name, value)| check_value(name, value))
}

fn check_value(name: &str, value: &str) -> Result<(), WebFault> {
    let fits = value.len() <= MAX_SENT_BYTES && value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if fits {
        Ok(())
    } else {
        let message = format!("the header {name} is not one line of ASCII");
        Err(WebFault::Refused("header", message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_when_to_ask_again_in_seconds_or_as_a_time() {
        for (text, expected) in [
            ("120", Some(RetryAfter::Seconds(120))),
            (" 0 ", Some(RetryAfter::Seconds(0))),
            ("99999999999999999999999", Some(RetryAfter::Seconds(u64::MAX))),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(RetryAfter::At(784_111_777))),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sun, 31 Feb 1994 08:49:37 GMT", None),
            ("Sun, 06 anF 1994 08:49:37 GMT", None),
            ("soon", None),
            ("", None),
            ("-1", None),
        ] {
            assert_eq!(retry_after(text), expected, "{text}");
        }
        let at = RetryAfter::At(784_111_777);
        assert_eq!(at.from_now(784_111_770_500), Duration::from_millis(6_500));
        assert_eq!(at.from_now(u64::MAX), Duration::ZERO);
    }
}
