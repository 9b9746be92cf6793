//! Hosts of a private network that the user configures, such as a company's forge or a test server.
//!
//! Such a host has the configured address: there is no DNS lookup, and the address need not be public. The host needs a valid certificate, signed by a
//! public authority or by one of the configured file. The authorities of this file are trusted for these hosts only.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use lore_base::excerpt::excerpt;
use ureq::http::Uri;
use ureq::tls::{PemItem, RootCerts, parse_pem};

use super::Names;
use crate::safe_fs::read_bounded_own_file;

/// Bytes of a file of authorities.
const MOST_BYTES: u64 = 4 << 20;

/// Configured hosts, and their certificate authorities.
#[derive(Clone, Debug, Default)]
pub struct OwnHosts {
    addresses: BTreeMap<String, HostAddress>,
    authorities: Option<RootCerts>,
}

/// Where a host is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct HostAddress {
    address: IpAddr,
    /// The port, if it is another one than that of the address that is asked for.
    port: Option<u16>,
}

impl OwnHosts {
    /// Hosts with their addresses, and the file of authorities that vouch for them, in PEM; without one those do that vouch for the public. What is wrong with either is told at once, so that no host
    /// is blamed for it.
    pub fn new<'t>(
        hosts: impl IntoIterator<Item = (&'t str, &'t str)>,
        authorities: Option<&Path>,
    ) -> Result<Self, String> {
        let authorities = authorities.map(|path| read(path).map_err(|why| format!("{}: {why}", path.display())));
        let addresses = hosts.into_iter().map(|(host, place)| {
            let host = host.trim().to_ascii_lowercase();
            match (is_name(&host), parse(place.trim())) {
                (false, _) => Err(format!("`{}` is not a host name", excerpt(&host, 100))),
                (true, None) => Err(format!(
                    "`{}` is not an address such as 10.1.2.3, [fd00::1] or 127.0.0.1:8443",
                    excerpt(place, 100)
                )),
                (true, Some(place)) => Ok((host, place)),
            }
        });
        Ok(Self {
            addresses: addresses.collect::<Result<_, _>>()?,
            authorities: authorities.transpose()?,
        })
    }

    /// Whether a host is one of them.
    pub(super) fn has(&self, host: &str) -> bool {
        self.addresses.contains_key(host)
    }

    /// Where they are.
    pub(super) fn names(&self) -> Names {
        let addresses = self.addresses.clone();
        Names(Arc::new(move |uri: &Uri, _: &_, _| {
            let host = uri.host().unwrap_or_default().to_ascii_lowercase();
            let place = addresses.get(&host);
            let asked = uri.port_u16().unwrap_or(443);
            let found = place.map(|place| SocketAddr::new(place.address, place.port.unwrap_or(asked)));
            Ok(found.into_iter().collect())
        }))
    }

    /// Their certificate authorities.
    pub(super) fn roots(&self) -> RootCerts {
        self.authorities.clone().unwrap_or(RootCerts::WebPki)
    }
}

fn read(path: &Path) -> Result<RootCerts, String> {
    let unreadable = |error: std::io::Error| format!("the file of certificate authorities cannot be read: {error}");
    let text = match read_bounded_own_file(path, MOST_BYTES) {
        Ok(Some(text)) => text,
        Ok(None) => return Err(unreadable(std::io::ErrorKind::NotFound.into())),
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
            return Err(format!("the authorities have more than {MOST_BYTES} bytes"));
        }
        Err(error) => return Err(unreadable(error)),
    };
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(error) => return Err(format!("the file of certificate authorities is not PEM: {error}")),
        }
    }
    if certificates.is_empty() {
        Err("it has no certificate of an authority".to_owned())
    } else {
        Ok(RootCerts::Specific(Arc::new(certificates)))
    }
}

/// A name, and not an address: what is written out is refused or public whatever anybody says.
fn is_name(host: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let is_label = |label: &str| !label.is_empty() && label.len() <= 63;
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= 253
        && host.bytes().all(is_letter)
        && host.split('.').all(is_label)
        && last.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !last.starts_with("0x")
}

fn parse(place: &str) -> Option<HostAddress> {
    if let Ok(address) = place.parse::<SocketAddr>() {
        return (address.port() != 0).then_some(HostAddress {
            address: address.ip(),
            port: Some(address.port()),
        });
    }
    let bare = place.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let address = bare.unwrap_or(place).parse().ok()?;
    Some(HostAddress { address, port: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_at_an_address() {
        let told = |host: &str, place: &str| match OwnHosts::new([(host, place)], None) {
            Ok(own) => format!(
                "{:?}",
                own.addresses.values().next().map(|place| (place.address, place.port))
            ),
            Err(why) => why,
        };
        assert_eq!(told("Git.Corp.example", "10.1.2.3"), "Some((10.1.2.3, None))");
        assert_eq!(told("git", "127.0.0.1:8443"), "Some((127.0.0.1, Some(8443)))");
        assert_eq!(told("git.corp", " [fd00::1] "), "Some((fd00::1, None))");
        assert_eq!(told("git.corp", "[fd00::1]:444"), "Some((fd00::1, Some(444)))");
        for host in [
            "10.0.0.1",
            "0x7f.1",
            "2130706433",
            "127.0.0.0x1",
            "",
            "a..b",
            "a/b",
            "a b",
            "[::1]",
        ] {
            assert!(told(host, "10.0.0.1").ends_with("is not a host name"), "{host}");
        }
        for place in ["", "here", "10.0.0.1:0", "10.0.0.1:99999", "10.0.0.256", "git.corp"] {
            assert!(told("git", place).contains("is not an address"), "{place}");
        }
    }
}
