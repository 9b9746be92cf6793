//! How to prove who one is when a manifest is fetched (clause F11): the first way of the list for which the user has configured something.
//!
//! What a manifest says is not to be trusted: it names the host, the issuer and the header. So a key is only for the host that it was configured for, and a token of an issuer only for that issuer's own host and
//! those that the user allowed it for.

use super::address::Address;
use crate::finding::shown;
use crate::model::{Auth, Declared, Manifest, ManifestEntry, Word};
use crate::vocabulary::AuthType;
use lore_seam::{SecretKind, Settings};

/// Headers that say something else than who one is.
const NOT_FOR_SECRETS: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "if-match",
    "if-none-match",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
];
/// Characters of the name of a header.
const HEADER_CHARS: usize = 100;

/// The ways that a manifest offers, in its order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Methods {
    /// The ways.
    pub list: Vec<Method>,
    /// Whether they are those of this very manifest, and not those of the one that declares it.
    pub is_own: bool,
}

/// One way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Which.
    pub kind: MethodKind,
    /// Where one gets what it takes.
    pub registration_url: Option<String>,
}

/// The ways there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MethodKind {
    /// Nobody has to.
    None,
    /// A key in a header.
    ApiKey {
        /// The header.
        header: String,
    },
    /// A token of an issuer.
    Oauth2 {
        /// The issuer.
        issuer: String,
    },
    /// Another one, as it is called.
    Other(String),
}

/// What a fetch takes along.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Nothing.
    Plain,
    /// A header and what it holds.
    Secret(String, String),
    /// None of the ways can be gone; what to tell people.
    Unsupported(String),
}

impl Methods {
    /// Those of an entry, else those of the manifest that declares it. They are never those of a manifest further up.
    pub fn of(manifest: &Manifest, entry: &ManifestEntry) -> Self {
        let auth = entry.auth.as_ref().or(manifest.root.auth.as_ref());
        Self {
            list: auth.map_or_else(Vec::new, |auth| methods(manifest, auth)),
            is_own: entry.auth.is_some(),
        }
    }

    /// The first of them that can be gone to an address.
    pub fn choose(&self, address: &Address, settings: &dyn Settings) -> Choice {
        for method in &self.list {
            match &method.kind {
                MethodKind::None => return Choice::Plain,
                MethodKind::ApiKey { header } if is_for_secrets(header) => {
                    if let Some(key) = settings.secret(SecretKind::ApiKey, address.host()) {
                        return Choice::Secret(header.clone(), key);
                    }
                }
                MethodKind::Oauth2 { issuer } => {
                    if let Some(token) = token(issuer, address, settings) {
                        return Choice::Secret("Authorization".to_owned(), format!("Bearer {token}"));
                    }
                }
                MethodKind::ApiKey { .. } | MethodKind::Other(_) => {}
            }
        }
        if self.list.is_empty() || !self.is_own {
            Choice::Plain
        } else {
            Choice::Unsupported(self.wanted(address))
        }
    }

    /// What it accepts to fetch from an address, for people.
    pub fn wanted(&self, address: &Address) -> String {
        let ways: Vec<String> = self.list.iter().map(|method| method.described(address)).collect();
        if ways.is_empty() {
            "it requires authentication, and its manifest declares no method".to_owned()
        } else {
            format!("it accepts {}", ways.join(", or "))
        }
    }
}

impl Method {
    fn described(&self, address: &Address) -> String {
        let mut text = match &self.kind {
            MethodKind::None => "nothing".to_owned(),
            MethodKind::ApiKey { header } if !is_for_secrets(header) => {
                format!("a key in the header `{}`, which is not sent", shown(header))
            }
            MethodKind::ApiKey { header } => {
                format!(
                    "a key for {} in the header `{}` (`kcp.keys`)",
                    address.host(),
                    shown(header)
                )
            }
            MethodKind::Oauth2 { issuer } => {
                format!("a token from {} for {} (`kcp.tokens`)", shown(issuer), address.host())
            }
            MethodKind::Other(kind) => format!("`{}`, which Lore does not know", shown(kind)),
        };
        if let Some(url) = &self.registration_url {
            text.push_str(&format!("; {} says where to get it", shown(url)));
        }
        text
    }
}

fn methods(manifest: &Manifest, auth: &Declared<Auth>) -> Vec<Method> {
    let text = |field: &Option<Declared<_>>| manifest.field(field).unwrap_or_default().to_owned();
    let list = auth.value.methods.iter().flat_map(|methods| &methods.value);
    list.map(|method| Method {
        kind: match method.value.kind.as_ref().map(|kind| kind.value) {
            Some(Word::Known(AuthType::None)) => MethodKind::None,
            Some(Word::Known(AuthType::ApiKey)) => MethodKind::ApiKey {
                header: text(&method.value.header),
            },
            Some(Word::Known(AuthType::Oauth2)) => MethodKind::Oauth2 {
                issuer: text(&method.value.issuer),
            },
            Some(Word::Unknown(kind)) => MethodKind::Other(manifest.text(kind).to_owned()),
            None => MethodKind::Other(String::new()),
        },
        registration_url: manifest.field(&method.value.registration_url).map(str::to_owned),
    })
    .collect()
}

/// The user's token of an issuer, if it may be sent to an address.
fn token(issuer: &str, address: &Address, settings: &dyn Settings) -> Option<String> {
    let issuer = Address::parse(issuer).ok()?;
    let issuer = issuer.host();
    let allowed = settings.values(&format!("kcp.hosts.{issuer}"));
    let is_allowed = issuer == address.host() || allowed.iter().any(|host| host.eq_ignore_ascii_case(address.host()));
    settings.secret(SecretKind::BearerToken, issuer).filter(|_| is_allowed)
}

/// Whether a header may carry a secret: its name is one, and it does not steer the request.
fn is_for_secrets(header: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let lower = header.to_ascii_lowercase();
    !header.is_empty()
        && header.len() <= HEADER_CHARS
        && header.bytes().all(is_letter)
        && !NOT_FOR_SECRETS.contains(&lower.as_str())
        && !lower.starts_with("x-forwarded")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};
    use lore_seam::Setting;

    struct Configured;

    impl Settings for Configured {
        fn list(&self) -> Vec<Setting> {
            Vec::new()
        }

        fn values(&self, key: &str) -> Vec<String> {
            match key {
                "kcp.hosts.auth.example.org" => {
                    ["docs.example.org", "api.example.org:8443"].map(str::to_owned).to_vec()
                }
                _ => Vec::new(),
            }
        }

        fn secret(&self, kind: SecretKind, name: &str) -> Option<String> {
            match (kind, name) {
                (SecretKind::ApiKey, "docs.example.org") => Some("k".to_owned()),
                (SecretKind::BearerToken, "auth.example.org") => Some("t".to_owned()),
                _ => None,
            }
        }
    }

    fn choose(auth: &str, url: &str) -> Choice {
        let text = format!("{UNIT}manifests:\n  - id: other\n    url: {url}\n    auth:\n      methods:\n{auth}");
        let manifest = manifest(&text);
        let methods = Methods::of(&manifest, &manifest.manifests[0]);
        methods.choose(&Address::parse(url).unwrap(), &Configured)
    }

    fn secret(header: &str, value: &str) -> Choice {
        Choice::Secret(header.to_owned(), value.to_owned())
    }

    const KEY: &str = "        - {type: api_key, header: X-Key}\n";
    const TOKEN: &str = "        - {type: oauth2, issuer: 'https://auth.example.org/realm'}\n";
    const NONE: &str = "        - {type: none}\n";

    #[test]
    fn amend6_the_first_way_that_is_configured_wins() {
        let docs = "https://docs.example.org/k.yaml";
        assert_eq!(choose(KEY, docs), secret("X-Key", "k"));
        assert_eq!(
            choose(&format!("{TOKEN}{KEY}"), docs),
            secret("Authorization", "Bearer t")
        );
        assert_eq!(
            choose(&format!("        - {{type: spiffe}}\n{KEY}"), docs),
            secret("X-Key", "k")
        );
        assert_eq!(choose(&format!("{NONE}{KEY}"), docs), Choice::Plain);
        assert_eq!(
            choose(&format!("{KEY}{NONE}"), "https://other.example/k.yaml"),
            Choice::Plain
        );
    }

    #[test]
    fn amend6_a_secret_goes_only_where_the_user_allowed_it() {
        for (auth, url) in [
            (KEY, "https://evil.example/k.yaml"),
            (KEY, "https://docs.example.org:8443/k.yaml"),
            (KEY, "https://docs.example.org.evil.example/k.yaml"),
            (TOKEN, "https://evil.example/k.yaml"),
            (TOKEN, "https://api.example.org/k.yaml"),
        ] {
            assert!(matches!(choose(auth, url), Choice::Unsupported(_)), "{url}");
        }
        let bearer = secret("Authorization", "Bearer t");
        for url in [
            "https://api.example.org:8443/k.yaml",
            "https://docs.example.org/k.yaml",
            "https://auth.example.org/k.yaml",
        ] {
            assert_eq!(choose(TOKEN, url), bearer, "{url}");
        }
    }

    #[test]
    fn f11_headers_that_steer_a_request_carry_no_secret() {
        for header in [
            "Host",
            "cookie",
            "Transfer-Encoding",
            "X-Forwarded-For",
            "a b",
            "é",
            "''",
            "\"a\\nb\"",
        ] {
            let auth = format!("        - {{type: api_key, header: {header}}}\n");
            let choice = choose(&auth, "https://docs.example.org/k.yaml");
            assert!(matches!(choice, Choice::Unsupported(_)), "{header}: {choice:?}");
        }
    }

    #[test]
    fn amend6_what_cannot_be_gone_is_named_with_the_place_to_register() {
        let auth = "        - {type: api_key, header: X-Key, registration_url: 'https://other.example/register'}\n        - {type: did}\n";
        assert_eq!(
            choose(auth, "https://other.example/k.yaml"),
            Choice::Unsupported(
                "it accepts a key for other.example in the header `X-Key` (`kcp.keys`); https://other.example/register says where to get it, or `did`, which Lore does not know"
                    .to_owned()
            )
        );
    }

    #[test]
    fn f10_auth_of_the_declaring_manifest_is_a_fallback_and_no_duty() {
        let url = "https://docs.example.org/k.yaml";
        let text = format!(
            "{UNIT}auth:\n  methods:\n    - {{type: api_key, header: X-Root}}\nmanifests:\n  - id: other\n    url: {url}\n"
        );
        let manifest = manifest(&text);
        let methods = Methods::of(&manifest, &manifest.manifests[0]);
        assert_eq!(
            methods.choose(&Address::parse(url).unwrap(), &Configured),
            secret("X-Root", "k")
        );
        let elsewhere = Address::parse("https://other.example/").unwrap();
        assert_eq!(methods.choose(&elsewhere, &Configured), Choice::Plain);
    }
}
