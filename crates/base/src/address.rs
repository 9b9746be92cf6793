//! The https address of something on the web, parsed once: scheme and host in lower case, no user name, no fragment, one spelling.
//!
//! Specifications differ in the ports, hosts and escapes that they accept. An [`AddressPolicy`] says so, and is part of the type, so that
//! an address that one specification accepts cannot pass for an address of another.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use oxiri::Iri;

/// Bytes of an address.
const MOST: usize = 4_096;
/// Bytes of a host name.
const MOST_HOST: usize = 253;
/// The port of https.
const PORT: u16 = 443;
const SCHEME: &str = "https://";

/// What a specification accepts.
pub trait AddressPolicy: Copy + Ord + Hash + fmt::Debug {
    /// The ports.
    const PORTS: Ports;
    /// The hosts.
    const HOSTS: Hosts;
    /// The spelling of path and query.
    const SPELLING: Spelling;
}

/// Ports that an address may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ports {
    /// Every port from 1 to 65535. Leading zeros do not count.
    Any,
    /// 443 only, or no port.
    Https,
}

/// Hosts that an address may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hosts {
    /// Every host that is written in ASCII, also an IP address.
    Ascii,
    /// Full names of the DNS only: at least two labels, the last one not a number.
    FullNames,
}

/// How an address spells its path and query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// Without `.` and `..`, and with escapes in upper case and only where they are needed, so that two spellings of an address are equal.
    Normal,
    /// As written. Only characters outside of ASCII are escaped.
    AsWritten,
}

/// An address that satisfies a policy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address<P> {
    text: String,
    /// Where the host, with its port, ends.
    authority_end: usize,
    policy: PhantomData<P>,
}

impl<P: AddressPolicy> Address<P> {
    /// Parses an absolute address, and drops its fragment.
    pub fn parse(text: &str) -> Result<Self, AddressFault> {
        if text.len() > MOST {
            return Err(AddressFault::TooLong);
        }
        let given = Iri::parse(text).map_err(|_| AddressFault::NotAnAddress)?;
        if !given.scheme().eq_ignore_ascii_case("https") {
            return Err(AddressFault::NotHttps);
        }
        let authority = given.authority().unwrap_or_default();
        if authority.contains('@') {
            return Err(AddressFault::UserInfo);
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port),
            _ => (authority, ""),
        };
        let port = port_of(port, P::PORTS)?;
        let mut address = format!("{SCHEME}{}", host_of(host, P::HOSTS)?);
        if port != PORT {
            address.push_str(&format!(":{port}"));
        }
        let authority_end = address.len();
        match P::SPELLING {
            Spelling::Normal => {
                let mut path = String::new();
                normalise(given.path(), &mut path);
                push_without_dots(&path, &mut address);
            }
            Spelling::AsWritten if given.path().is_empty() => address.push('/'),
            Spelling::AsWritten => push_ascii(given.path(), &mut address),
        }
        if let Some(query) = given.query() {
            address.push('?');
            match P::SPELLING {
                Spelling::Normal => normalise(query, &mut address),
                Spelling::AsWritten => push_ascii(query, &mut address),
            }
        }
        Ok(Self {
            text: address,
            authority_end,
            policy: PhantomData,
        })
    }

    /// Resolves a reference of a document at this address, or of a redirect from it.
    pub fn join(&self, reference: &str) -> Result<Self, AddressFault> {
        let base = Iri::parse(self.text.as_str()).map_err(|_| AddressFault::NotAnAddress)?;
        let joined = base.resolve(reference).map_err(|_| AddressFault::NotAnAddress)?;
        Self::parse(joined.as_str())
    }
}

impl<P> Address<P> {
    /// The whole address.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host in lower case, with its port if that is not 443.
    pub fn host(&self) -> &str {
        self.text.get(SCHEME.len()..self.authority_end).unwrap_or_default()
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        self.text.get(..self.authority_end).unwrap_or_default()
    }

    /// The address of a file in the directory of this address. `path` is a normal relative path and never a reference, so that nothing in it
    /// leads to another host.
    pub fn file(&self, path: &str) -> String {
        let before_query = self.text.split('?').next().unwrap_or_default();
        let directory = before_query
            .get(self.authority_end..)
            .and_then(|path| path.rsplit_once('/'))
            .map_or("", |(directory, _)| directory);
        let mut address = format!("{}{directory}/", self.origin());
        for byte in path.bytes() {
            if is_unreserved(byte) || byte == b'/' {
                address.push(char::from(byte));
            } else {
                push_escaped(byte, &mut address);
            }
        }
        address
    }
}

impl<P> fmt::Display for Address<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Why a text is not an address that Lore requests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressFault {
    /// It is not an address, or a relative one.
    NotAnAddress,
    /// It is longer than 4096 bytes.
    TooLong,
    /// It has another scheme.
    NotHttps,
    /// It contains a user name or a password.
    UserInfo,
    /// The policy does not accept its port.
    Port(Ports),
    /// Its host is not ASCII.
    NotAsciiHost,
    /// The policy does not accept its host.
    Host(Hosts),
}

impl AddressFault {
    /// The name of the fault for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotAnAddress => "not_an_address",
            Self::TooLong => "address_too_long",
            Self::NotHttps => "not_https",
            Self::UserInfo => "user_info",
            Self::Port(_) => "port",
            Self::NotAsciiHost => "host_not_ascii",
            Self::Host(_) => "host",
        }
    }

    /// The fault as the end of a sentence about the address.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotAnAddress => "is not an absolute https address",
            Self::TooLong => "is longer than 4096 bytes",
            Self::NotHttps => "is not https",
            Self::UserInfo => "contains a user name or a password",
            Self::Port(Ports::Any) => "has a port that is not between 1 and 65535",
            Self::Port(Ports::Https) => "has a port other than 443",
            Self::NotAsciiHost => "has a host that is not ASCII (write the form of the name that begins with xn--)",
            Self::Host(Hosts::Ascii) => "has no host",
            Self::Host(Hosts::FullNames) => "has no full host name",
        }
    }
}

impl fmt::Display for AddressFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the address {}", self.reason())
    }
}

impl std::error::Error for AddressFault {}

/// Whether a text is a full host name in lower case: at least two labels, the last one not a number.
pub fn is_full_host_name(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= MOST_HOST
        && host.contains('.')
        && host.split('.').all(is_label)
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

fn port_of(text: &str, ports: Ports) -> Result<u16, AddressFault> {
    match (text, ports) {
        ("" | "443", _) => Ok(PORT),
        (_, Ports::Https) => Err(AddressFault::Port(ports)),
        (text, Ports::Any) => match text.parse() {
            Ok(0) | Err(_) => Err(AddressFault::Port(ports)),
            Ok(port) => Ok(port),
        },
    }
}

fn host_of(text: &str, hosts: Hosts) -> Result<String, AddressFault> {
    if !text.is_ascii() {
        return Err(AddressFault::NotAsciiHost);
    }
    let mut host = text.to_ascii_lowercase();
    // A dot after the last label names the same host, and would otherwise be a second spelling of it.
    if host.ends_with('.') {
        host.pop();
    }
    let is_accepted = match hosts {
        Hosts::Ascii => !host.is_empty() && !host.ends_with('.'),
        Hosts::FullNames => is_full_host_name(&host),
    };
    if is_accepted {
        Ok(host)
    } else {
        Err(AddressFault::Host(hosts))
    }
}

/// Writes an absolute path without `.` and `..`.
fn push_without_dots(path: &str, out: &mut String) {
    let mut parts: Vec<&str> = Vec::new();
    let mut ends_in_directory = true;
    for part in path.strip_prefix('/').unwrap_or(path).split('/') {
        ends_in_directory = matches!(part, "" | "." | "..");
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    // A path that ends in a slash has its empty last part already.
    if ends_in_directory && parts.last().is_none_or(|part| !part.is_empty()) {
        parts.push("");
    }
    for part in parts {
        out.push('/');
        out.push_str(part);
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn push_escaped(byte: u8, out: &mut String) {
    out.push_str(&format!("%{byte:02X}"));
}

fn push_ascii(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii() {
            out.push(char::from(byte));
        } else {
            push_escaped(byte, out);
        }
    }
}

/// Writes a path or a query with escapes in upper case, and without those of characters that need none.
fn normalise(text: &str, out: &mut String) {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let mut escaped = bytes.clone();
        match (byte, digit(escaped.next()), digit(escaped.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes = escaped;
                match u8::try_from(high << 4 | low).unwrap_or_default() {
                    byte if is_unreserved(byte) => out.push(char::from(byte)),
                    byte => push_escaped(byte, out),
                }
            }
            _ if byte.is_ascii() => out.push(char::from(byte)),
            _ => push_escaped(byte, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    struct Wide;

    impl AddressPolicy for Wide {
        const PORTS: Ports = Ports::Any;
        const HOSTS: Hosts = Hosts::Ascii;
        const SPELLING: Spelling = Spelling::Normal;
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    struct Narrow;

    impl AddressPolicy for Narrow {
        const PORTS: Ports = Ports::Https;
        const HOSTS: Hosts = Hosts::FullNames;
        const SPELLING: Spelling = Spelling::AsWritten;
    }

    fn parsed<P: AddressPolicy>(text: &str) -> String {
        Address::<P>::parse(text).map_or_else(|fault| fault.code().to_owned(), |address| address.text)
    }

    #[test]
    fn policies_differ_in_ports_hosts_and_spelling() {
        for (text, wide, narrow) in [
            ("https://a.org", "https://a.org/", "https://a.org/"),
            ("HTTPS://A.org.:443/x#y", "https://a.org/x", "https://a.org/x"),
            ("https://a.org:/x", "https://a.org/x", "https://a.org/x"),
            ("https://a.org:08443/", "https://a.org:8443/", "port"),
            ("https://a.org:0443/", "https://a.org/", "port"),
            ("https://a.org:0/", "port", "port"),
            ("https://a.org:70000/", "port", "port"),
            ("https://[::1]/", "https://[::1]/", "host"),
            ("https://127.0.0.1/", "https://127.0.0.1/", "host"),
            ("https://localhost/", "https://localhost/", "host"),
            ("https://./", "host", "host"),
            ("https://a.org../", "host", "host"),
            ("https:///x", "host", "host"),
            ("https://ä.org/", "host_not_ascii", "host_not_ascii"),
            (
                "https://a.org/b/../%63%2fé?%64",
                "https://a.org/c%2F%C3%A9?d",
                "https://a.org/b/../%63%2f%C3%A9?%64",
            ),
            ("http://a.org/", "not_https", "not_https"),
            ("https://b:c@a.org/", "user_info", "user_info"),
            ("https://a.org/b c", "not_an_address", "not_an_address"),
            ("https://a.org/\u{7f}", "not_an_address", "not_an_address"),
            ("https://a.org\\@b.org/", "not_an_address", "not_an_address"),
            ("//a.org/", "not_an_address", "not_an_address"),
        ] {
            assert_eq!(
                (parsed::<Wide>(text).as_str(), parsed::<Narrow>(text).as_str()),
                (wide, narrow),
                "{text}"
            );
        }
        let long = format!("https://a.org/{}", "a".repeat(5_000));
        assert_eq!(parsed::<Wide>(&long), "address_too_long");
    }

    #[test]
    fn an_address_knows_its_host_and_its_origin() {
        let address = Address::<Wide>::parse("https://A.org:8443/b/c?d").expect("it is an address");
        assert_eq!((address.host(), address.origin()), ("a.org:8443", "https://a.org:8443"));
        assert_eq!(address.file("e f"), "https://a.org:8443/b/e%20f");
        assert_eq!(
            address.join("../g").map(|address| address.text),
            Ok("https://a.org:8443/g".to_owned())
        );
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn a_parsed_address_is_its_own_spelling(text in "https://[a-zA-Z.]{1,9}(:[0-9]{0,3})?/[a-zA-Z0-9%/.?#é-]{0,20}") {
            if let Ok(address) = Address::<Wide>::parse(&text) {
                prop_assert_eq!(Address::parse(address.as_str()), Ok(address));
            }
            if let Ok(address) = Address::<Narrow>::parse(&text) {
                prop_assert_eq!(Address::parse(address.as_str()), Ok(address));
            }
        }

        #[test]
        fn no_path_of_a_file_leads_to_another_host(path in "\\PC{0,30}") {
            let address = Address::<Wide>::parse("https://example.org/a/b?c").expect("it is an address");
            let file = address.file(&path);
            prop_assert!(file.starts_with("https://example.org/a/"), "{}", file);
        }
    }
}
