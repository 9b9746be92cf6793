//! Where the layers are found: the names of exported files, those inside of a bundle, and addresses on a registry (§6.1 to §6.3).

use serde::Serialize;

use super::super::access::LayerNumber;
use super::super::identity::{Identity, encode_into, shortened};
use lore_seam::{ErrorKind, OpError};

/// Whether a file is an export by its name, or the beginning of a file that a killed process left. Such a file is not a part of the tree that it
/// describes, or the next export would differ from it.
pub fn is_exported(name: &str) -> bool {
    is_unfinished(name) || is_finished(name)
}

/// How the name of a file begins that is not whole yet. 32 hexadecimal digits follow, which nobody can foresee.
const UNFINISHED: &str = ".lore-new-";
const UNFINISHED_DIGITS: usize = 32;

/// The name of a file until it is whole.
pub fn unfinished_name(random: u128) -> String {
    format!("{UNFINISHED}{random:0width$x}", width = UNFINISHED_DIGITS)
}

/// Whether a file has the name of one that is not whole.
pub fn is_unfinished(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.strip_prefix(UNFINISHED)
        .is_some_and(|digits| digits.len() == UNFINISHED_DIGITS && digits.bytes().all(is_digit))
}

fn is_finished(name: &str) -> bool {
    let is_layer = LayerNumber::ALL.iter().any(|layer| name.ends_with(layer.extension()));
    is_layer || name.ends_with(".ccg.zip")
}

/// The name of a layer's file when it is alone.
pub(crate) fn stand_alone_name(layer: LayerNumber, identity: &Identity) -> String {
    format!("{}{}", file_stem(identity), layer.extension())
}

/// Bytes of a stem in an address.
const MAX_STEM: usize = 64;
/// Bytes of an address that whoever exports may give.
const MAX_ADDRESS: usize = 256;

/// What the names of exported files begin with: the repository's name, with a `-` for each sign that some file system refuses. A name that is longer
/// than 64 bytes in an address is cut, and told from others by its hash.
pub(crate) fn file_stem(identity: &Identity) -> String {
    let refused = |letter: char| letter.is_control() || "/\\:*?\"<>|".contains(letter);
    let stem: String = identity
        .name
        .chars()
        .map(|letter| if refused(letter) { '-' } else { letter })
        .collect();
    if encoded(&stem).len() <= MAX_STEM {
        return stem;
    }
    // It is cut as it is in an address, and escapes would be escaped once more.
    shortened(&stem, MAX_STEM).replace('%', "-")
}

fn encoded(text: &str) -> String {
    let mut address = String::new();
    encode_into(&mut address, text);
    address
}

/// What is beside the manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Packaging {
    /// Files named after the repository.
    #[default]
    Files,
    /// The other files of a bundle, or of a directory on a registry.
    Bundle,
}

/// An `https` or `http` address that paths can be put behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BaseUrl(String);

impl BaseUrl {
    /// Reads it.
    pub(crate) fn parse(text: &str) -> Result<Self, OpError> {
        let url = web_address("--base-url", text)?;
        if url.contains(['?', '#']) {
            let message = format!("--base-url is `{text}`, which cannot be extended by a path");
            return Err(OpError::new(ErrorKind::Invalid, message).hint("leave out the query and the fragment"));
        }
        Ok(Self(url.trim_end_matches('/').to_owned()))
    }
}

/// Checks the address of a SPARQL endpoint.
pub(crate) fn sparql_endpoint(text: &str) -> Result<String, OpError> {
    web_address("--sparql-endpoint", text)
}

fn web_address(option: &str, text: &str) -> Result<String, OpError> {
    // It may hold a password, so that it is not repeated.
    if text.contains('@') {
        let message = format!("{option} has an `@`: the text before it may be a password, and would be published");
        return Err(OpError::new(ErrorKind::Invalid, message).hint("give an address without user and password"));
    }
    let is_web = oxiri::Iri::parse(text).is_ok_and(|iri| {
        let has_host = iri.authority().is_some_and(|authority| !authority.is_empty());
        matches!(iri.scheme(), "https" | "http") && has_host
    });
    if !is_web {
        let message = format!("{option} is `{text}`, not a web address");
        return Err(OpError::new(ErrorKind::Invalid, message).hint("a web address starts with https:// and a host"));
    }
    if text.len() > MAX_ADDRESS {
        let message = format!("{option} has {} bytes; at most {MAX_ADDRESS} are allowed", text.len());
        return Err(OpError::new(ErrorKind::Invalid, message).hint("give a shorter address"));
    }
    Ok(text.to_owned())
}

/// Where the other layers are, as the manifest says it.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct Links {
    architecture: String,
    symbol_index: String,
    full_detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sparql_endpoint: Option<String>,
}

impl Links {
    /// Addresses on a registry.
    pub(super) fn published(identity: &Identity, base: &BaseUrl) -> Self {
        Self::with(|layer| format!("{}{}/{}", base.0, identity.registry_path(), layer.file_name()))
    }

    /// Names of files that are beside the manifest.
    pub(super) fn packaged(identity: &Identity, packaging: Packaging) -> Self {
        Self::with(|layer| match packaging {
            Packaging::Files => encoded(&stand_alone_name(layer, identity)),
            Packaging::Bundle => layer.file_name().to_owned(),
        })
    }

    fn with(name: impl Fn(LayerNumber) -> String) -> Self {
        Self {
            architecture: name(LayerNumber::Architecture),
            symbol_index: name(LayerNumber::SymbolIndex),
            full_detail: name(LayerNumber::FullDetail),
            sparql_endpoint: None,
        }
    }

    /// The same with an endpoint.
    pub(super) fn and_sparql(mut self, endpoint: Option<&str>) -> Self {
        self.sparql_endpoint = endpoint.map(str::to_owned);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Identity {
        Identity::new("github.com", "org", name, "c0ffee")
    }

    #[test]
    fn l0_links_are_those_of_the_registry_or_of_the_files_beside() {
        let identity = named("my repo");
        let base = BaseUrl::parse("https://codecontextgraph.com/").expect("it is one");
        let links = |links: &Links| [&links.architecture, &links.symbol_index, &links.full_detail].map(String::clone);
        assert_eq!(
            links(&Links::published(&identity, &base))[0],
            "https://codecontextgraph.com/ccg/github.com/org/my%20repo@c0ffee/architecture.json"
        );
        assert_eq!(
            links(&Links::packaged(&identity, Packaging::Files)),
            [
                "my%20repo.ccg.arch.json",
                "my%20repo.ccg.index.nq.gz",
                "my%20repo.ccg.full.nq.gz"
            ]
        );
        assert_eq!(
            links(&Links::packaged(&identity, Packaging::Bundle)),
            ["architecture.json", "symbol-index.nq.gz", "full-detail.nq.gz"]
        );
    }

    #[test]
    fn l0_names_of_files_are_short_and_safe() {
        assert_eq!(file_stem(&named("lore")), "lore");
        assert_eq!(file_stem(&named("a:b*c\u{1}")), "a-b-c-");
        for name in ["x".repeat(65), "é".repeat(300), " ".repeat(255), "日".repeat(80)] {
            let stem = file_stem(&named(&name));
            assert!(encoded(&stem).len() <= MAX_STEM, "{stem}");
            assert!(stem.contains('~'), "{stem}");
        }
        assert_ne!(file_stem(&named(&"x".repeat(65))), file_stem(&named(&"x".repeat(66))));
    }

    #[test]
    fn i4_every_file_that_is_exported_is_known_by_its_name() {
        for layer in LayerNumber::ALL {
            assert!(is_exported(&stand_alone_name(layer, &named("repo"))), "{layer:?}");
        }
        assert!(is_exported("dist/repo.ccg.zip"));
        let unfinished = unfinished_name(0x4711);
        assert_eq!(unfinished, ".lore-new-00000000000000000000000000004711");
        assert!(is_exported(&unfinished) && is_exported(&format!("dist/{unfinished}")));
        for name in [
            ".lore-new-",
            ".lore-new-4711",
            "a.new.py",
            &format!("a{unfinished}"),
            &format!("{unfinished}.py"),
        ] {
            assert!(!is_exported(name), "{name}");
        }
        assert!(!is_exported("manifest.json") && !is_exported("ccg.zip.rs"));
    }

    #[test]
    fn l0_an_address_with_a_user_is_refused_and_not_repeated() {
        for secret in [
            "https://me:tok3n@h/",
            "https://tok3n@h",
            "https://h:1/tok3n@x",
            "https://me:to/tok3n@h/",
        ] {
            let error = BaseUrl::parse(secret).expect_err(secret);
            assert!(!error.message.contains("tok3n"), "{}", error.message);
            assert!(sparql_endpoint(secret).is_err(), "{secret}");
        }
    }

    #[test]
    fn l0_addresses_are_checked() {
        for bad in [
            "codecontextgraph.com",
            "file:///x",
            "https:///x",
            "https://a b/",
            "javascript:1",
            "",
        ] {
            assert!(BaseUrl::parse(bad).is_err(), "{bad}");
            assert!(sparql_endpoint(bad).is_err(), "{bad}");
        }
        assert!(BaseUrl::parse("https://h/?x").is_err());
        assert!(sparql_endpoint("https://h/sparql?default-graph-uri=x").is_ok());
        assert!(BaseUrl::parse(&format!("https://h/{}", "x".repeat(300))).is_err());
    }
}
