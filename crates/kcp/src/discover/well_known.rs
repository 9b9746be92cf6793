//! The documents that name a manifest: `/.well-known/kcp.json` (clause D3) and the card of an agent (clause D4).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::Pointer;

/// Where an agent's card may stand, in order.
pub const CARDS: [&str; 2] = [".well-known/agent.json", ".well-known/agent-card.json"];
/// The path of the protocol's document.
pub const WELL_KNOWN: &str = ".well-known/kcp.json";

/// What `kcp.json` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WellKnown {
    /// The version of the protocol.
    pub kcp_version: String,
    /// Where the manifest is.
    pub manifest: Pointer,
    /// What it is called.
    pub title: Option<String>,
    /// Its place in a network.
    pub network: Option<Network>,
}

/// The place of a manifest in a network
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// hub, leaf or standalone
    pub role: &'static str,
    /// Where the hub of a leaf is
    pub entry_point: Option<String>,
    /// Its name in a registry
    pub registry_label: Option<String>,
}

/// Reads `kcp.json`, or says why it is none. Fields that are not known mean nothing.
pub fn well_known(bytes: &[u8]) -> Result<WellKnown, String> {
    let document = object(bytes)?;
    let text = |key: &str| document.get(key).and_then(Json::as_str);
    let required = |key: &str| {
        let value = text(key).map(str::trim).filter(|value| !value.is_empty());
        value.ok_or_else(|| format!("it has no `{key}`"))
    };
    let network = document.get("network").and_then(Json::as_object).map(|network| {
        let text = |key: &str| network.get(key).and_then(Json::as_str).map(str::to_owned);
        Network {
            role: match text("role").as_deref() {
                Some("hub") => "hub",
                Some("leaf") => "leaf",
                _ => "standalone",
            },
            entry_point: text("entry_point"),
            registry_label: text("registry_label"),
        }
    });
    Ok(WellKnown {
        kcp_version: required("kcp_version")?.to_owned(),
        manifest: Pointer::parse(required("manifest")?),
        title: text("title").map(str::to_owned),
        network,
    })
}

/// Where the card of an agent says that the manifest is, or that it says nothing of it.
pub fn card(bytes: &[u8]) -> Result<Pointer, String> {
    let document = object(bytes)?;
    match document.get("knowledgeManifest") {
        Some(Json::String(value)) => Ok(Pointer::parse(value.trim())),
        Some(_) => Err("its `knowledgeManifest` is not a text".to_owned()),
        None => Err("it has no `knowledgeManifest`".to_owned()),
    }
}

fn object(bytes: &[u8]) -> Result<serde_json::Map<String, Json>, String> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match serde_json::from_slice(bytes) {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => Err("it is not a JSON object".to_owned()),
        Err(error) => Err(format!("it is not JSON: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d3_the_document_names_version_and_manifest_and_may_say_more() {
        let read = |text: &str| well_known(text.as_bytes());
        let document = read(r#"{"kcp_version": "0.14", "manifest": "/knowledge.yaml", "title": "Shop", "later": [1], "network": {"role": "leaf", "entry_point": "https://hub.example/"}}"#).unwrap();
        assert_eq!(document.manifest, Pointer::Path("knowledge.yaml".to_owned()));
        assert_eq!(
            (document.kcp_version.as_str(), document.title.as_deref()),
            ("0.14", Some("Shop"))
        );
        let network = document.network.unwrap();
        assert_eq!(
            (network.role, network.entry_point.as_deref()),
            ("leaf", Some("https://hub.example/"))
        );
        let role = |role: &str| {
            let text = format!(r#"{{"kcp_version": "0.14", "manifest": "/k.yaml", "network": {role}}}"#);
            read(&text).unwrap().network.map(|network| network.role)
        };
        assert_eq!(
            [role("{}"), role(r#"{"role": "king"}"#), role("1")],
            [Some("standalone"), Some("standalone"), None]
        );
        for (text, why) in [
            ("{}", "it has no `kcp_version`"),
            (r#"{"kcp_version": "0.14"}"#, "it has no `manifest`"),
            (r#"{"kcp_version": 0.14, "manifest": "/k"}"#, "it has no `kcp_version`"),
            (r#"{"kcp_version": "0.14", "manifest": " "}"#, "it has no `manifest`"),
            ("[]", "it is not a JSON object"),
        ] {
            assert_eq!(read(text).unwrap_err(), why);
        }
        assert!(read("<html>").unwrap_err().starts_with("it is not JSON: "));
    }

    #[test]
    fn d4_the_card_of_an_agent_names_the_manifest() {
        let read = |text: &str| card(text.as_bytes());
        assert_eq!(
            read(r#"{"name": "x", "knowledgeManifest": "https://a.example/k.yaml"}"#),
            Ok(Pointer::Url("https://a.example/k.yaml".to_owned()))
        );
        assert_eq!(
            read(r#"{"knowledgeManifest": "/.well-known/kcp.json"}"#),
            Ok(Pointer::Path(".well-known/kcp.json".to_owned()))
        );
        assert_eq!(read("{}"), Err("it has no `knowledgeManifest`".to_owned()));
        assert_eq!(
            read(r#"{"knowledgeManifest": 3}"#),
            Err("its `knowledgeManifest` is not a text".to_owned())
        );
    }
}
