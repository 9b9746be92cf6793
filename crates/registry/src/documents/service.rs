//! The description of the registry, `.well-known/code-graph-registry.json` (clause A4 as amended), and its endpoints, `.well-known/index.json` (clause A5).

use serde_json::{Value, json};

use super::{SCHEMA_VERSION, changes, crawlers, path, registry, repos, sitemap, stats};
use lore_ckgp::registry_store::store::About;

/// The path of the service document. It has no `graphs`, and is not at the place of a producer's record (ruling 14).
pub const SERVICE_PATH: &str = ".well-known/code-graph-registry.json";
/// The path of the list of endpoints.
pub const ENDPOINTS_PATH: &str = ".well-known/index.json";

/// Where the protocol is described.
const SPEC_URL: &str = "https://github.com/looptech-ai/understand-quickly/blob/main/docs/spec/code-graph-protocol.md";

/// The address of a document; nothing as long as the registry is not served.
pub fn address(about: &About, path: &str) -> Option<String> {
    let url = about.url.as_deref()?.trim_end_matches('/');
    Some(format!("{url}/{path}"))
}

/// The service document. Addresses are null as long as the registry is not served (clause J5).
pub fn service(about: &About) -> Vec<u8> {
    let url = |path: &str| address(about, path);
    text(&json!({
        "schema_version": SCHEMA_VERSION,
        "service": {
            "name": about.name,
            "url": url(""),
            "registry_url": url(registry::PATH),
            "repos_url": url(repos::PATH),
            "stats_url": url(stats::PATH),
            "changes_url": url(changes::PATH),
            "badge_base": url(&format!("{}/", path::BADGES)),
            "index_base": url(&format!("{}/", path::INDEX)),
            "spec_url": SPEC_URL,
            "discovery_url": url(ENDPOINTS_PATH),
        },
    }))
}

/// The endpoints. What is not JSON has no version.
pub fn endpoints(about: &About) -> Vec<u8> {
    let mut endpoints = vec![
        (registry::PATH, "All entries with all published fields", true),
        (repos::PATH, "All visited entries, abridged", true),
        (SERVICE_PATH, "What this registry is", true),
        (ENDPOINTS_PATH, "This list", true),
        (stats::PATH, "Totals, kinds, languages and words over all entries", true),
        (changes::PATH, "The last changes, numbered", true),
        (
            "index/{host}/{digits_1_2}/{digits_3_4}/{owner}/{repo}.json",
            "One entry; the path is in small letters, and the digits are the first four of the SHA-256 of its id in small letters",
            true,
        ),
        ("badges/{owner}/{repo}.svg", "The badge of an entry", false),
        ("badges/{owner}--{repo}.svg", "The badge under a flat name", false),
        ("badges/all.svg", "The number of entries", false),
        (
            "index.html?repo={owner}/{repo}",
            "A page about an entry, for readers",
            false,
        ),
        (crawlers::ROBOTS_PATH, "For crawlers", false),
    ];
    if about.url.is_some() {
        endpoints.push((sitemap::PATH, "A page for each entry", false));
    }
    if crawlers::security(about, 0).is_some() {
        endpoints.push((crawlers::SECURITY_PATH, "The contact for security reports", false));
    }
    let endpoint = |(path, description, is_json): (&str, &str, bool)| {
        json!({
            "path": format!("/{path}"),
            "url": address(about, path),
            "description": description,
            "schema_version": is_json.then_some(SCHEMA_VERSION),
        })
    };
    let endpoints: Vec<Value> = endpoints.into_iter().map(endpoint).collect();
    text(&json!({ "schema_version": SCHEMA_VERSION, "endpoints": endpoints }))
}

/// A small document, with lines.
pub(super) fn text(document: &Value) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{about, is_valid};
    use super::*;

    fn parsed(bytes: &[u8]) -> Value {
        serde_json::from_slice(bytes).unwrap()
    }

    #[test]
    fn a4_the_service_document_says_where_everything_is() {
        let document = parsed(&service(&about()));
        let service = &document["service"];
        for (field, value) in [
            ("name", "Graphs"),
            ("url", "https://graphs.example/r/"),
            ("registry_url", "https://graphs.example/r/registry.json"),
            ("stats_url", "https://graphs.example/r/stats.json"),
            ("badge_base", "https://graphs.example/r/badges/"),
            ("discovery_url", "https://graphs.example/r/.well-known/index.json"),
            ("spec_url", SPEC_URL),
        ] {
            assert_eq!(service[field], value, "{field}");
        }
        is_valid(
            include_str!("../../../../schemas/ckgp/code-graph-registry.schema.json"),
            &document,
        );
    }

    #[test]
    fn amend_a4_it_stands_apart_from_records_and_is_none() {
        assert_ne!(SERVICE_PATH, lore_ckgp::forge::RECORD_PATH);
        assert_eq!(parsed(&service(&about())).get("graphs"), None);
        let read = lore_ckgp::record::parse(&service(&about()));
        assert!(matches!(read, Ok(lore_ckgp::record::Document::Service(_))), "{read:?}");
    }

    #[test]
    fn a4_without_an_address_nothing_is_made_up() {
        let about = About { url: None, ..about() };
        let document = parsed(&service(&about));
        for field in ["url", "registry_url", "stats_url", "badge_base", "discovery_url"] {
            assert_eq!(document["service"][field], Value::Null, "{field}");
        }
        is_valid(
            include_str!("../../../../schemas/ckgp/code-graph-registry.schema.json"),
            &document,
        );
        let document = parsed(&endpoints(&about));
        assert!(
            document["endpoints"]
                .as_array()
                .unwrap()
                .iter()
                .all(|endpoint| endpoint["url"].is_null())
        );
        assert!(!document.to_string().contains("sitemap"));
    }

    #[test]
    fn a5_endpoints_have_a_path_an_address_a_description_and_a_version() {
        let document = parsed(&endpoints(&about()));
        assert_eq!(document["schema_version"], 1);
        let endpoints = document["endpoints"].as_array().unwrap();
        assert!(endpoints.len() >= 14);
        for endpoint in endpoints {
            let path = endpoint["path"].as_str().unwrap();
            assert_eq!(endpoint["url"], format!("https://graphs.example/r{path}"));
            assert!(!endpoint["description"].as_str().unwrap().is_empty());
            assert_eq!(
                endpoint["schema_version"].as_u64(),
                path.ends_with(".json").then_some(1)
            );
        }
        for path in [
            "/registry.json",
            "/.well-known/repos.json",
            "/.well-known/security.txt",
            "/sitemap.xml",
        ] {
            assert!(endpoints.iter().any(|endpoint| endpoint["path"] == path), "{path}");
        }
    }
}
