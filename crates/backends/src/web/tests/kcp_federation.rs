//! Federation and discovery against servers that prove who they are: files, cache, secrets and the web together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_kcp::discover::{DiscoverRequest, UnitDiscover};
use lore_kcp::federation::{FederationResolveRequest, UnitFederationResolve};
use lore_model::{Cancel, NoProgress};
use lore_seam::{Ctx, Operation, Page, Ports, Render, SecretKind, Setting, Settings, Verdict};

use super::tls::{TlsServer, on_this_machine, reply};
use crate::{IndexDefaults, Repository, RepositoryOptions, SystemFiles, SystemWeb, ports};

const UNIT: &str = "kcp_version: \"0.14\"\nproject: shop\nversion: 1.0.0\nunits:\n  - id: a\n    path: docs/a.md\n    intent: What is a?\n    scope: global\n    audience: [agent]\n";

struct Configured;

impl Settings for Configured {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn secret(&self, kind: SecretKind, host: &str) -> Option<String> {
        (kind == SecretKind::ApiKey && host.starts_with("docs.lore.test:")).then(|| "hush".to_owned())
    }
}

/// A directory with a manifest, and what can be asked there.
struct Place {
    root: tempfile::TempDir,
    cache: tempfile::TempDir,
    web: fn() -> SystemWeb,
}

impl Place {
    fn new(manifest: &str, web: fn() -> SystemWeb) -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("knowledge.yaml"), manifest).unwrap();
        let cache = tempfile::tempdir().unwrap();
        Self { root, cache, web }
    }

    fn root(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap()
    }

    fn ctx(&self) -> Ctx {
        let repository = Arc::new(Repository::new(RepositoryOptions {
            root: Some(self.root()),
            start: self.root(),
            cache: None,
            user_cache: Some(self.cache.path().to_owned()),
            cache_limit: None,
            defaults: Arc::new(|_: &Path| Ok(IndexDefaults::default())),
        }));
        let files = Arc::new(SystemFiles::new(self.root()));
        Ctx {
            ports: Arc::new(Ports {
                web: Arc::new((self.web)()),
                ..ports(&repository, Arc::new(Configured), files, None)
            }),
            progress: Arc::new(NoProgress),
            cancel: Arc::new(Cancel::default()),
        }
    }

    fn resolve(&self, offline: bool) -> (String, Verdict) {
        let request = FederationResolveRequest {
            offline,
            ..FederationResolveRequest::default()
        };
        let answer = UnitFederationResolve::run(&self.ctx(), request).unwrap();
        (shown(&answer.value), answer.verdict)
    }
}

fn shown(answer: &impl Render) -> String {
    let mut page = Page::default();
    answer.render(&mut page);
    page.into_text()
}

#[test]
fn f2_f12_manifests_are_fetched_kept_and_served_offline() {
    let leaf = TlsServer::new(|path, stream| match path {
        "/knowledge.yaml" => reply(stream, "200 OK", "ETag: \"7\"\r\n", UNIT.as_bytes()),
        _ => reply(stream, "404 Not Found", "", b""),
    });
    let key = "    auth: {methods: [{type: api_key, header: X-Api-Key}]}\n";
    let (there, gone) = (
        leaf.url("docs.lore.test", "/knowledge.yaml"),
        leaf.url("docs.lore.test", "/gone.yaml"),
    );
    let hub = format!(
        "{UNIT}manifests:\n  - id: docs\n    url: {there}\n    relationship: foundation\n{key}  - id: gone\n    url: {gone}\n"
    );
    let place = Place::new(&hub, on_this_machine);
    let (text, verdict) = place.resolve(false);
    assert_eq!(
        text,
        format!(
            "docs  loaded from web, foundation, version 1.0.0, one unit  knowledge.yaml:11:5\n  {there}\ngone  failed  knowledge.yaml:15:5\n  {gone}\n  {gone} answers 404\n2 declared, 1 read, 1 failed\n"
        )
    );
    assert_eq!(verdict, Verdict::No);
    let heads = leaf.asked();
    let asked = |path: &str| heads.iter().find(|head| head.contains(path)).unwrap().to_lowercase();
    assert!(asked("/knowledge.yaml").contains("x-api-key: hush"));
    assert!(!asked("/gone.yaml").contains("hush"));
    let (text, _) = place.resolve(true);
    assert!(text.starts_with("docs  loaded from cache"), "{text}");
    assert!(
        text.contains("it was not fetched before, and the web is not used"),
        "{text}"
    );
    assert_eq!(leaf.asked().len(), 2);
}

#[test]
fn s4_the_product_asks_no_server_on_this_machine_whatever_a_manifest_says() {
    let server = TlsServer::new(|_, stream| reply(stream, "200 OK", "", UNIT.as_bytes()));
    let urls = [
        server.url("localhost", "/k.yaml"),
        server.url("127.0.0.1", "/k.yaml"),
        "https://169.254.169.254/k.yaml".to_owned(),
    ];
    let entries: String = urls
        .iter()
        .enumerate()
        .map(|(number, url)| format!("  - {{id: m{number}, url: '{url}'}}\n"))
        .collect();
    let place = Place::new(&format!("{UNIT}manifests:\n{entries}"), SystemWeb::new);
    let (text, verdict) = place.resolve(false);
    assert_eq!(text.matches("is not a public address").count(), 3, "{text}");
    assert_eq!(verdict, Verdict::No);
    assert_eq!(server.asked(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn f3_a_mirror_that_is_a_link_out_of_the_directory_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("k.yaml"), UNIT).unwrap();
    let hub =
        format!("{UNIT}manifests:\n  - {{id: m, url: 'https://m.example/k.yaml', local_mirror: mirrors/k.yaml}}\n");
    let place = Place::new(&hub, on_this_machine);
    std::fs::create_dir(place.root().join("mirrors")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("k.yaml"), place.root().join("mirrors/k.yaml")).unwrap();
    let (text, _) = place.resolve(false);
    assert!(
        text.contains("m  failed") && text.contains("its mirror cannot be read"),
        "{text}"
    );
}

#[test]
fn d5_a_site_is_discovered_by_its_well_known_document() {
    let server = TlsServer::new(|path, stream| match path {
        "/.well-known/kcp.json" => reply(
            stream,
            "200 OK",
            "",
            br#"{"kcp_version": "0.14", "manifest": "/kcp/knowledge.yaml"}"#,
        ),
        "/kcp/knowledge.yaml" => reply(stream, "200 OK", "", UNIT.as_bytes()),
        _ => reply(stream, "404 Not Found", "", b""),
    });
    let place = Place::new(UNIT, on_this_machine);
    let site = server.url("docs.lore.test", "");
    let request = DiscoverRequest {
        place: Some(site.clone()),
        offline: false,
    };
    let answer = UnitDiscover::run(&place.ctx(), request).unwrap();
    assert_eq!(
        shown(&answer.value),
        format!(
            "* well-known  {site}/kcp/knowledge.yaml  a valid manifest, project shop, one unit  named by {site}/.well-known/kcp.json
  llms.txt    {site}/llms.txt  missing
  root        {site}/knowledge.yaml  missing
  agent card  {site}/.well-known/agent.json  missing
  agent card  {site}/.well-known/agent-card.json  missing
the manifest of {site} is {site}/kcp/knowledge.yaml
"
        )
    );
}
