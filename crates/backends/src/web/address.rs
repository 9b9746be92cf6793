//! Which addresses are public: those of the registries of special-purpose addresses (RFC 6890 and its successors) are not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Addresses of IPv4 that lead to no host of the public network, by their first bits.
const SPECIAL_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // shared by a carrier's customers
    ([127, 0, 0, 0], 8),     // this machine
    ([169, 254, 0, 0], 16),  // this link, and the metadata of clouds
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocols
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // relays of 6to4
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // measurements
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // groups
    ([240, 0, 0, 0], 4),     // reserved, and everybody
];

/// The addresses of IPv6 that lead to one host of the public network. Everything outside is refused: this machine (`::1`), addresses of
/// IPv4 in another dress (`::ffff:0:0/96`, `64:ff9b::/96`), private ones (`fc00::/7`), those of this link (`fe80::/10`), groups (`ff00::/8`).
const GLOBAL_V6: (u128, u32) = (0x2000 << 112, 3);

/// Of those, the ones that lead to no host of their own.
const SPECIAL_V6: &[(u128, u32)] = &[
    (0x2001 << 112, 23),          // protocols, tunnels through IPv4 (Teredo), identifiers
    (0x2001_0db8 << 96, 32),      // documentation
    (0x2002 << 112, 16),          // addresses of IPv4 in another dress (6to4)
    (0x3fff << 112, 20),          // documentation
    (0x2620_004f_8000 << 80, 48), // reverse names of private addresses
];

/// Whether an address leads to a host of the public network.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    let special = |(network, length): &([u8; 4], u32)| {
        let differing = bits ^ u32::from_be_bytes(*network);
        differing.leading_zeros() >= *length
    };
    !SPECIAL_V4.iter().any(special)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let inside = |(network, length): &(u128, u32)| (bits ^ network).leading_zeros() >= *length;
    inside(&GLOBAL_V6) && !SPECIAL_V6.iter().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_hosts_on_the_public_network_pass() {
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "140.82.121.3",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::6810:84e5",
            "2a00:1450:4001:801::200e",
            "2001:4860:4860::8888",
            "2001:200::1",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn all_other_addresses_are_refused() {
        for text in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:1.1.1.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:1::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "5f00::1",
            "2620:4f:8000::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }
}
