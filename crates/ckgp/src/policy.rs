//! Which addresses may be requested (clauses S1, S2, S4, J5). This file resolves no name: the web port judges the IP address when it connects (S3).

use std::fmt;

use lore_base::address::{self, AddressFault, AddressPolicy, Hosts, Ports, Spelling};

use super::forge::{Forge, RepositoryId, USUAL_HOST};

/// An address that satisfies S1: https, port 443, no user name and no password, a full host name in ASCII.
pub type Address = address::Address<PublishedAddress>;

/// What addresses of published graphs may be (S1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PublishedAddress;

impl AddressPolicy for PublishedAddress {
    const PORTS: Ports = Ports::Https;
    const HOSTS: Hosts = Hosts::FullNames;
    const SPELLING: Spelling = Spelling::AsWritten;
}

/// Why Lore does not request an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It does not satisfy S1.
    Address(AddressFault),
    /// Its host is not the repository's forge, not its owner's pages, and the caller does not allow it.
    ForeignHost,
}

impl Reason {
    /// The name of the reason for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::Address(fault) => fault.code(),
            Self::ForeignHost => "foreign_host",
        }
    }
}

impl From<AddressFault> for Reason {
    fn from(fault: AddressFault) -> Self {
        Self::Address(fault)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(fault) => fault.fmt(formatter),
            Self::ForeignHost => {
                formatter.write_str("its host is neither the repository's forge, nor its owner's pages, nor allowed")
            }
        }
    }
}

impl std::error::Error for Reason {}

/// The hosts that a repository's graphs may come from (S2): those of its forge, `<owner>.github.io`, and those that the caller allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostPolicy {
    hosts: Vec<String>,
    allowed: Vec<String>,
}

impl HostPolicy {
    /// The policy for a repository. What is allowed is a host, or `*.` and what the host ends with.
    pub fn of(repository: &RepositoryId, forge: Option<Forge>, allowed: &[String]) -> Self {
        let mut hosts = match forge {
            Some(forge) => forge.raw_hosts(repository.host()),
            None => vec![repository.host().to_owned()],
        };
        if repository.host() == USUAL_HOST {
            hosts.push(format!("{}.github.io", repository.owner().to_ascii_lowercase()));
        }
        Self {
            hosts,
            allowed: allowed.iter().map(|host| host.to_ascii_lowercase()).collect(),
        }
    }

    /// The policy for requests to one host, such as an aggregator: no hop leads away from it.
    pub fn of_host(host: &str, allowed: &[String]) -> Self {
        Self {
            hosts: vec![host.to_owned()],
            allowed: allowed.iter().map(|host| host.to_ascii_lowercase()).collect(),
        }
    }

    /// The policy for an address that the caller named: its own host, and what serves the files of the same forge.
    pub fn of_address(address: &Address, allowed: &[String]) -> Self {
        let github = Forge::GitHub.raw_hosts(USUAL_HOST);
        if github.iter().any(|host| host == address.host()) {
            Self {
                hosts: github,
                ..Self::of_host(address.host(), allowed)
            }
        } else {
            Self::of_host(address.host(), allowed)
        }
    }

    /// Whether an address may be requested.
    pub fn admits(&self, address: &Address) -> Result<(), Reason> {
        let host = address.host();
        let is_allowed = |allowed: &String| match allowed.strip_prefix("*.") {
            Some(end) => host.strip_suffix(end).is_some_and(|start| start.ends_with('.')),
            None => host == allowed,
        };
        if self.hosts.iter().any(|known| known == host) || self.allowed.iter().any(is_allowed) {
            Ok(())
        } else {
            Err(Reason::ForeignHost)
        }
    }

    /// The address that a text is, if it may be requested.
    pub fn check(&self, text: &str) -> Result<Address, Reason> {
        let address = Address::parse(text)?;
        self.admits(&address)?;
        Ok(address)
    }

    /// Where a redirect leads, if that may be requested (S4).
    pub fn follow(&self, from: &Address, location: &str) -> Result<Address, Reason> {
        let address = from.join(location)?;
        self.admits(&address)?;
        Ok(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        match Address::parse(text) {
            Ok(address) => address.as_str().to_owned(),
            Err(fault) => fault.code().to_owned(),
        }
    }

    #[test]
    fn s1_only_https_on_its_own_port_and_without_a_name_is_asked() {
        for (text, expected) in [
            ("https://example.org/a?b=c#d", "https://example.org/a?b=c"),
            ("https://example.org", "https://example.org/"),
            ("HTTPS://EXAMPLE.org:443/A", "https://example.org/A"),
            ("https://example.org:/a", "https://example.org/a"),
            ("https://example.org./a", "https://example.org/a"),
            ("https://xn--exmple-cua.org/\u{e4}", "https://xn--exmple-cua.org/%C3%A4"),
            ("http://example.org/a", "not_https"),
            ("ftp://example.org/a", "not_https"),
            ("file:///etc/passwd", "not_https"),
            ("https://user@example.org/", "user_info"),
            ("https://user:pass@example.org/", "user_info"),
            ("https://example.org:8443/", "port"),
            ("https://example.org:0443/", "port"),
            ("https://ex\u{e4}mple.org/", "host_not_ascii"),
            ("https://127.0.0.1/", "host"),
            ("https://[::1]/", "host"),
            ("https://0x7f.1/", "host"),
            ("https://localhost/", "host"),
            ("https:///a", "host"),
            ("//example.org/a", "not_an_address"),
            ("/a", "not_an_address"),
            ("https://example.org\\@evil.org/", "not_an_address"),
            ("https://example.org/a b", "not_an_address"),
            ("", "not_an_address"),
        ] {
            assert_eq!(code(text), expected, "{text}");
        }
        assert_eq!(
            code(&format!("https://example.org/{}", "a".repeat(5_000))),
            "address_too_long"
        );
    }

    fn policy(id: &str, allowed: &[&str]) -> HostPolicy {
        let id = RepositoryId::parse(id).unwrap();
        let allowed: Vec<String> = allowed.iter().map(|host| (*host).to_owned()).collect();
        HostPolicy::of(&id, Forge::of_host(id.host()), &allowed)
    }

    #[test]
    fn s2_a_graph_comes_from_its_forge_its_owners_pages_or_an_allowed_host() {
        let octo = policy("Octo/hello", &["cdn.example.org", "*.trusted.example"]);
        for (url, expected) in [
            ("https://raw.githubusercontent.com/other/x/HEAD/g.json", ""),
            ("https://github.com/octo/hello/releases/download/v1/g.json", ""),
            ("https://octo.github.io/g.json", ""),
            ("https://cdn.example.org/g.json", ""),
            ("https://a.trusted.example/g.json", ""),
            ("https://a.b.trusted.example/g.json", ""),
            ("https://trusted.example/g.json", "foreign_host"),
            ("https://untrusted.example/g.json", "foreign_host"),
            ("https://other.github.io/g.json", "foreign_host"),
            ("https://gitlab.com/octo/hello/-/raw/HEAD/g.json", "foreign_host"),
            ("https://raw.githubusercontent.com.evil.org/g.json", "foreign_host"),
            ("https://github.com@evil.org/g.json", "user_info"),
            ("http://octo.github.io/g.json", "not_https"),
        ] {
            let code = octo.check(url).err().map_or("", Reason::code);
            assert_eq!(code, expected, "{url}");
        }
        let lab = policy("gitlab.com/group/sub/repo", &[]);
        assert!(lab.check("https://gitlab.com/group/sub/repo/-/raw/HEAD/g.json").is_ok());
        assert_eq!(lab.check("https://group.github.io/g.json"), Err(Reason::ForeignHost));
    }

    #[test]
    fn s4_every_hop_is_judged_and_none_leads_to_http() {
        let octo = policy("octo/hello", &[]);
        let from = octo
            .check("https://raw.githubusercontent.com/octo/hello/HEAD/g.json")
            .unwrap();
        let follow = |location: &str| match octo.follow(&from, location) {
            Ok(address) => address.to_string(),
            Err(reason) => reason.code().to_owned(),
        };
        assert_eq!(
            follow("../main/g.json"),
            "https://raw.githubusercontent.com/octo/hello/main/g.json"
        );
        assert_eq!(follow("/x"), "https://raw.githubusercontent.com/x");
        assert_eq!(follow("//octo.github.io/g.json"), "https://octo.github.io/g.json");
        assert_eq!(follow("http://raw.githubusercontent.com/x"), "not_https");
        assert_eq!(follow("https://evil.example/x"), "foreign_host");
        assert_eq!(follow("https://raw.githubusercontent.com:22/x"), "port");
        let release = Address::parse("https://github.com/octo/hello/releases/download/v1/g.json").unwrap();
        let named = HostPolicy::of_address(&release, &[]);
        assert!(
            named
                .follow(&release, "https://release-assets.githubusercontent.com/x")
                .is_ok()
        );
        assert_eq!(
            named.follow(&release, "https://octo.github.io/x"),
            Err(Reason::ForeignHost)
        );
        let own = Address::parse("https://example.org/g.json").unwrap();
        let named = HostPolicy::of_address(&own, &[]);
        assert!(named.follow(&own, "/elsewhere").is_ok());
        assert_eq!(named.follow(&own, "https://github.com/x"), Err(Reason::ForeignHost));
    }
}
