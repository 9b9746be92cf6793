//! Keys and tokens for the servers of manifests: from the user's own configuration or the environment, never from a repository, which could name a server of its own.

use std::collections::BTreeMap;
use std::fmt;

use lore_seam::SecretKind;
use serde::Deserialize;

/// The variables of the environment that hold a secret or say where a token may go, before the name of the host.
const KEY: &str = "LORE_KCP_KEY_";
const TOKEN: &str = "LORE_KCP_TOKEN_";
const HOSTS: &str = "LORE_KCP_HOSTS_";
/// The variable with the token for the aggregator to notify.
const GRAPH_TOKEN: &str = "LORE_GRAPH_TOKEN";

/// The table `kcp` of the user's configuration.
#[derive(Deserialize, Clone, PartialEq, Eq, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct KcpConfig {
    /// Keys by the host that they are for.
    keys: BTreeMap<String, String>,
    /// Tokens by the host of their issuer.
    tokens: BTreeMap<String, Token>,
}

/// A token, and the hosts besides its issuer's that it may be sent to.
#[derive(Deserialize, Clone, PartialEq, Eq)]
#[serde(untagged)]
enum Token {
    Alone(String),
    Allowed {
        token: String,
        #[serde(default)]
        hosts: Vec<String>,
    },
}

impl fmt::Debug for KcpConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("KcpConfig(secret)")
    }
}

impl KcpConfig {
    /// What it holds, without the secrets.
    pub(crate) fn names(&self) -> Vec<String> {
        let keys = self.keys.keys().map(|host| format!("kcp.keys.{host:?}"));
        let tokens = self.tokens.keys().map(|host| format!("kcp.tokens.{host:?}"));
        keys.chain(tokens).collect()
    }

    fn key(&self, host: &str) -> Option<&String> {
        self.keys
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(host))
            .map(|(_, key)| key)
    }

    fn token(&self, issuer: &str) -> Option<&Token> {
        let mut known = self.tokens.iter();
        known
            .find(|(known, _)| known.eq_ignore_ascii_case(issuer))
            .map(|(_, token)| token)
    }
}

/// What the environment holds.
#[derive(Clone, Default)]
pub(crate) struct SecretVariables(BTreeMap<String, String>);

impl fmt::Debug for SecretVariables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretVariables(secret)")
    }
}

impl SecretVariables {
    /// Those of some variables.
    pub(crate) fn of(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let is_one =
            |name: &str| name == GRAPH_TOKEN || [KEY, TOKEN, HOSTS].iter().any(|prefix| name.starts_with(prefix));
        let all = variables.into_iter();
        Self(all.filter(|(name, value)| is_one(name) && !value.is_empty()).collect())
    }

    /// The token for the aggregator to notify.
    pub(crate) fn graph_token(&self) -> Option<&String> {
        self.0.get(GRAPH_TOKEN)
    }

    fn get(&self, prefix: &str, host: &str) -> Option<&String> {
        self.0.get(&format!("{prefix}{}", variable(host)?))
    }
}

/// A secret for a host: the environment's before the configuration's.
pub(crate) fn secret(
    variables: &SecretVariables,
    config: Option<&KcpConfig>,
    kind: SecretKind,
    host: &str,
) -> Option<String> {
    let (prefix, kept) = match kind {
        SecretKind::ApiKey => (KEY, config.and_then(|config| config.key(host))),
        SecretKind::BearerToken => {
            let token = config.and_then(|config| config.token(host)).map(|token| match token {
                Token::Alone(token) | Token::Allowed { token, .. } => token,
            });
            (TOKEN, token)
        }
    };
    variables.get(prefix, host).or(kept).cloned()
}

/// The hosts besides an issuer's own that its token may be sent to.
pub(crate) fn hosts(variables: &SecretVariables, config: Option<&KcpConfig>, issuer: &str) -> Vec<String> {
    if let Some(text) = variables.get(HOSTS, issuer) {
        let hosts = text.split([',', ' ']).map(str::trim);
        return hosts.filter(|host| !host.is_empty()).map(str::to_owned).collect();
    }
    match config.and_then(|config| config.token(issuer)) {
        Some(Token::Allowed { hosts, .. }) => hosts.clone(),
        Some(Token::Alone(_)) | None => Vec::new(),
    }
}

/// How a host is written in the name of a variable: capitals, a dot as `_`, a dash as `__`, so that no two hosts share one. A host with a port has none.
fn variable(host: &str) -> Option<String> {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_host = host.split('.').all(is_label);
    is_host.then(|| host.to_ascii_uppercase().replace('-', "__").replace('.', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(list: &[(&str, &str)]) -> SecretVariables {
        SecretVariables::of(
            list.iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        )
    }

    #[test]
    fn no_two_hosts_share_a_variable() {
        assert_eq!(
            variable("docs.my-corp.example").as_deref(),
            Some("DOCS_MY__CORP_EXAMPLE")
        );
        assert_ne!(variable("my-corp.example"), variable("my.corp.example"));
        assert_ne!(variable("a--b.example"), variable("a-b.example"));
        for host in [
            "a.example:8443",
            "a_b.example",
            "a-.b.example",
            "-a.example",
            "[::1]",
            "",
            "a..b",
        ] {
            assert_eq!(variable(host), None, "{host}");
        }
    }

    #[test]
    fn the_environment_comes_before_the_configuration() {
        let config: KcpConfig = toml::from_str(
            "[keys]\n\"Docs.example\" = \"a\"\n[tokens]\n\"auth.example\" = { token = \"t\", hosts = [\"docs.example\"] }\n\"plain.example\" = \"p\"\n",
        )
        .unwrap();
        let none = SecretVariables::default();
        let key = |variables: &SecretVariables| secret(variables, Some(&config), SecretKind::ApiKey, "docs.example");
        assert_eq!(key(&none).as_deref(), Some("a"));
        assert_eq!(
            key(&variables(&[("LORE_KCP_KEY_DOCS_EXAMPLE", "b")])).as_deref(),
            Some("b")
        );
        assert_eq!(
            key(&variables(&[("LORE_KCP_KEY_DOCS_EXAMPLE", "")])).as_deref(),
            Some("a")
        );
        let token = |host: &str| secret(&none, Some(&config), SecretKind::BearerToken, host);
        assert_eq!(
            (token("auth.example").as_deref(), token("plain.example").as_deref()),
            (Some("t"), Some("p"))
        );
        assert_eq!(token("docs.example"), None);
        assert_eq!(hosts(&none, Some(&config), "auth.example"), ["docs.example"]);
        assert_eq!(hosts(&none, Some(&config), "plain.example"), [""; 0]);
        let variables = variables(&[("LORE_KCP_HOSTS_AUTH_EXAMPLE", "x.example, y.example:8443")]);
        assert_eq!(
            hosts(&variables, Some(&config), "auth.example"),
            ["x.example", "y.example:8443"]
        );
    }

    #[test]
    fn secrets_are_not_shown() {
        let config: KcpConfig =
            toml::from_str("[keys]\n\"docs.example\" = \"hush\"\n[tokens]\n\"a.example\" = \"hush\"\n").unwrap();
        assert_eq!(
            config.names(),
            ["kcp.keys.\"docs.example\"", "kcp.tokens.\"a.example\""]
        );
        assert_eq!(
            format!("{config:?} {:?}", variables(&[("LORE_KCP_KEY_X", "hush")])),
            "KcpConfig(secret) SecretVariables(secret)"
        );
        let error = toml::from_str::<KcpConfig>("[tokens]\n\"a.example\" = { tokn = \"hush\" }\n").unwrap_err();
        assert!(!error.message().contains("hush"), "{error}");
    }
}
