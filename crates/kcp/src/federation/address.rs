//! Addresses of manifests: https only, without names or passwords, and in one spelling, so that the same manifest is fetched once (clauses F4, S3, S5, ruling A14).

use std::fmt;

use oxiri::Iri;

use crate::path;

/// Characters of an address.
const MOST: usize = 4_096;
/// The port that https has anyway.
const PORT: &str = "443";

/// The address of something on the web: https, scheme and host in lower case, without the usual port, without a fragment, without `.` and `..`, escapes in one spelling.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    text: String,
    /// Where the host and its port begin and end.
    authority: (usize, usize),
}

impl Address {
    /// An address, or why it is none that is fetched.
    pub fn parse(text: &str) -> Result<Self, AddressFault> {
        if text.chars().count() > MOST {
            return Err(AddressFault::Long);
        }
        let given = Iri::parse(text).map_err(|_| AddressFault::NotAnAddress)?;
        if !given.scheme().eq_ignore_ascii_case("https") {
            return Err(AddressFault::NotHttps);
        }
        let authority = given.authority().unwrap_or_default();
        if authority.contains('@') {
            return Err(AddressFault::Password);
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port),
            _ => (authority, ""),
        };
        if host.is_empty() || !host.is_ascii() {
            return Err(AddressFault::Host);
        }
        let port = port.trim_start_matches('0');
        let mut normal = format!("https://{}", host.to_ascii_lowercase());
        if !matches!(port, "" | PORT) {
            normal.push(':');
            normal.push_str(port);
        }
        let authority = ("https://".len(), normal.len());
        let mut path = String::new();
        escape(given.path(), &mut path);
        without_dots(&path, &mut normal);
        if let Some(query) = given.query() {
            normal.push('?');
            escape(query, &mut normal);
        }
        Ok(Self {
            text: normal,
            authority,
        })
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host in lower case, with its port if it is not the usual one.
    pub fn host(&self) -> &str {
        self.text.get(self.authority.0..self.authority.1).unwrap_or_default()
    }

    /// The site: scheme, host and port.
    pub fn origin(&self) -> &str {
        self.text.get(..self.authority.1).unwrap_or_default()
    }

    /// What a reference means that stands in a document at this address.
    pub fn join(&self, reference: &str) -> Result<Self, AddressFault> {
        let base = Iri::parse(self.text.as_str()).map_err(|_| AddressFault::NotAnAddress)?;
        let joined = base.resolve(reference).map_err(|_| AddressFault::NotAnAddress)?;
        Self::parse(joined.as_str())
    }

    /// The address of a document of the manifest that stands here: the path of a unit is a path and no reference, so that nothing in it leads to another site.
    pub fn document(&self, unit_path: &str) -> String {
        let before_query = self.text.split('?').next().unwrap_or_default();
        let directory = before_query
            .rsplit_once('/')
            .map_or(before_query, |(directory, _)| directory);
        let mut address = format!("{directory}/");
        for byte in path::normal(unit_path).bytes() {
            match byte {
                byte if is_unreserved(byte) || b"/!$&'()*+,;=:@".contains(&byte) => address.push(char::from(byte)),
                byte => push_escaped(byte, &mut address),
            }
        }
        address
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Why something is no address that is fetched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressFault {
    /// It is no address at all, or a relative one.
    NotAnAddress,
    /// It is not https.
    NotHttps,
    /// It holds a name or a password.
    Password,
    /// It names no host, or not in ASCII.
    Host,
    /// It is too long.
    Long,
}

impl AddressFault {
    /// Why, as the end of a sentence about the address.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotAnAddress => "is no absolute https address",
            Self::NotHttps => "is not https",
            Self::Password => "holds a name or a password",
            Self::Host => "names no host in ASCII",
            Self::Long => "is too long",
        }
    }
}

/// Writes an absolute path without the parts that lead nowhere.
fn without_dots(path: &str, out: &mut String) {
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
    // The empty part after a last slash is there already.
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
    out.push('%');
    let digits = [byte >> 4, byte & 0xf].map(|digit| char::from_digit(u32::from(digit), 16));
    out.extend(digits.into_iter().flatten().map(|digit| digit.to_ascii_uppercase()));
}

/// Writes a path or a query with its escapes in one spelling: none where none is needed, in capitals where one is.
fn escape(text: &str, out: &mut String) {
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

    fn normal(text: &str) -> String {
        Address::parse(text).map_or_else(|fault| fault.reason().to_owned(), |address| address.text)
    }

    #[test]
    fn f4_an_address_has_one_spelling() {
        for text in [
            "https://example.org/a/knowledge.yaml",
            "HTTPS://Example.ORG/a/knowledge.yaml",
            "https://example.org:443/a/knowledge.yaml",
            "https://example.org:0443/a/knowledge.yaml",
            "https://example.org:/a/knowledge.yaml",
            "https://example.org/a/./b/../knowledge.yaml",
            "https://example.org/../a/knowledge.yaml",
            "https://example.org/b/%2E%2e/a/%2E/knowledge.yaml",
            "https://example.org/%61/knowledge%2eyaml",
            "https://example.org/a/knowledge.yaml#units",
        ] {
            assert_eq!(normal(text), "https://example.org/a/knowledge.yaml", "{text}");
        }
        for (text, wanted) in [
            ("", "/"),
            ("/", "/"),
            ("/a/..", "/"),
            ("/a/b/..", "/a/"),
            ("/a/.", "/a/"),
            ("//a", "//a"),
            ("/a/", "/a/"),
            ("/a//", "/a//"),
            ("/..", "/"),
        ] {
            assert_eq!(
                normal(&format!("https://example.org{text}")),
                format!("https://example.org{wanted}"),
                "{text}"
            );
        }
        assert_eq!(
            normal("https://example.org/%c3%a9?b=%2F"),
            "https://example.org/%C3%A9?b=%2F"
        );
        assert_eq!(normal("https://example.org/é"), "https://example.org/%C3%A9");
        for (one, other) in [
            ("https://example.org/a", "https://example.org/a?"),
            ("https://example.org/a?b", "https://example.org/a?c"),
            ("https://example.org/a", "https://example.org:8443/a"),
            ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ] {
            assert_ne!(normal(one), normal(other));
        }
    }

    #[test]
    fn s3_only_https_is_an_address_and_s5_none_with_a_password() {
        assert_eq!(normal("http://example.org/"), "is not https");
        assert_eq!(normal("file:///etc/passwd"), "is not https");
        assert_eq!(normal("https://me:secret@example.org/"), "holds a name or a password");
        assert_eq!(normal("https://me@example.org/"), "holds a name or a password");
        assert_eq!(normal("https:///x"), "names no host in ASCII");
        assert_eq!(normal("https://bücher.example/"), "names no host in ASCII");
        assert_eq!(normal("https://example.org/\n"), "is no absolute https address");
        assert_eq!(
            normal(&format!("https://example.org/{}", "a".repeat(5_000))),
            "is too long"
        );
    }

    #[test]
    fn a14_an_address_from_the_root_is_none() {
        assert_eq!(normal("/security/knowledge.yaml"), "is no absolute https address");
        assert_eq!(normal("//example.org/knowledge.yaml"), "is no absolute https address");
    }

    #[test]
    fn q10_the_address_of_a_document_stays_below_its_manifest() {
        let manifest = Address::parse("https://example.org/a/knowledge.yaml?v=2").unwrap();
        for (path, address) in [
            ("docs/x.md", "https://example.org/a/docs/x.md"),
            ("./docs//x.md", "https://example.org/a/docs/x.md"),
            ("a b?c#d%2e", "https://example.org/a/a%20b%3Fc%23d%252e"),
            ("https://evil.example/x", "https://example.org/a/https:/evil.example/x"),
            ("é.md", "https://example.org/a/%C3%A9.md"),
        ] {
            assert_eq!(manifest.document(path), address);
        }
        let site = Address::parse("https://example.org").unwrap();
        assert_eq!(site.document("x.md"), "https://example.org/x.md");
        assert_eq!(site.join("/k.yaml").unwrap().as_str(), "https://example.org/k.yaml");
        assert_eq!(site.join("//other.example/k").unwrap().host(), "other.example");
        assert_eq!(site.join("http://example.org/"), Err(AddressFault::NotHttps));
    }

    #[test]
    fn s5_a_site_is_scheme_host_and_port() {
        let address = Address::parse("https://Example.org:8443/a?b").unwrap();
        assert_eq!(
            (address.host(), address.origin()),
            ("example.org:8443", "https://example.org:8443")
        );
        let address = Address::parse("https://[::1]:443/").unwrap();
        assert_eq!(address.host(), "[::1]");
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn f4_one_spelling_is_its_own_spelling(text in "https://[a-zA-Z.]{1,9}(:[0-9]{0,3})?/[a-zA-Z0-9%/.?#é-]{0,20}") {
            if let Ok(address) = Address::parse(&text) {
                prop_assert_eq!(Address::parse(address.as_str()), Ok(address));
            }
        }

        #[test]
        fn q10_no_path_of_a_unit_leads_to_another_site(path in "\\PC{0,30}") {
            let manifest = Address::parse("https://example.org/a/knowledge.yaml").unwrap();
            let document = manifest.document(&path);
            prop_assert!(document.starts_with("https://example.org/a/"), "{}", document);
            prop_assert!(Address::parse(&document).is_ok(), "{}", document);
        }
    }
}
