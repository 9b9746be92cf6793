//! Addresses of manifests: https only, without user names or passwords, and in one spelling, so that Lore fetches a manifest once (clauses F4, S3, S5, ruling A14).

use lore_base::address::{self, AddressPolicy, Hosts, Ports, Spelling};

use crate::path;

/// The address of a manifest.
pub type Address = address::Address<ManifestAddress>;

/// What addresses of manifests may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ManifestAddress;

impl AddressPolicy for ManifestAddress {
    const PORTS: Ports = Ports::Any;
    const HOSTS: Hosts = Hosts::Ascii;
    const SPELLING: Spelling = Spelling::Normal;
}

/// The address of the document of a unit. The path of a unit is relative to the manifest.
pub fn document(manifest: &Address, unit_path: &str) -> String {
    manifest.file(&path::normal(unit_path))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use lore_base::address::AddressFault;

    use super::*;

    fn normal(text: &str) -> String {
        Address::parse(text).map_or_else(|fault| fault.reason().to_owned(), |address| address.to_string())
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
        assert_eq!(
            normal("https://me:secret@example.org/"),
            "contains a user name or a password"
        );
        assert_eq!(normal("https://me@example.org/"), "contains a user name or a password");
        assert_eq!(normal("https:///x"), "has no host");
        assert!(normal("https://bücher.example/").starts_with("has a host that is not ASCII"));
        assert_eq!(normal("https://example.org/\n"), "is not an absolute https address");
        assert_eq!(
            normal(&format!("https://example.org/{}", "a".repeat(5_000))),
            "is longer than 4096 bytes"
        );
    }

    #[test]
    fn a14_an_address_from_the_root_is_none() {
        assert_eq!(normal("/security/knowledge.yaml"), "is not an absolute https address");
        assert_eq!(
            normal("//example.org/knowledge.yaml"),
            "is not an absolute https address"
        );
    }

    #[test]
    fn q10_the_address_of_a_document_stays_below_its_manifest() {
        let manifest = Address::parse("https://example.org/a/knowledge.yaml?v=2").unwrap();
        for (path, address) in [
            ("docs/x.md", "https://example.org/a/docs/x.md"),
            ("./docs//x.md", "https://example.org/a/docs/x.md"),
            ("a b?c#d%2e", "https://example.org/a/a%20b%3Fc%23d%252e"),
            (
                "https://evil.example/x",
                "https://example.org/a/https%3A/evil.example/x",
            ),
            ("é.md", "https://example.org/a/%C3%A9.md"),
        ] {
            assert_eq!(document(&manifest, path), address);
        }
        let site = Address::parse("https://example.org").unwrap();
        assert_eq!(document(&site, "x.md"), "https://example.org/x.md");
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
            let file = document(&manifest, &path);
            prop_assert!(file.starts_with("https://example.org/a/"), "{}", file);
            prop_assert!(Address::parse(&file).is_ok(), "{}", file);
        }
    }
}
