//! A registry whose producers own the name servers: names that lead inside, that lead elsewhere the second time, or that lead to several places at once.

use lore_ckgp::registry_store::store::Registry;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::store::reading;
use lore_model::{Cancel, NoProgress};
use lore_registry::commands::{RegistryAdd, RegistryInit};
use lore_registry::commands::{RegistrySync, RegistrySyncRequest};
use lore_seam::{Ctx, Operation, Ports, Setting, Settings};
use serde_json::json;

use super::super::Reach;
use super::tls::{TlsServer, reply, with_names};
use crate::{IndexDefaults, Repository, RepositoryOptions, SystemFiles, ports};

/// Hosts that whoever runs the registry allows, whatever their names lead to.
struct Allowed;

impl Settings for Allowed {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn values(&self, key: &str) -> Vec<String> {
        match key {
            "graph.allow_hosts" => vec!["*.lore.test".to_owned()],
            _ => Vec::new(),
        }
    }
}

/// An address that would be asked if anybody listened to its name.
const INSIDE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 7, 7));

#[test]
fn s3_names_that_lead_inside_or_change_their_mind_reach_nothing_that_was_not_checked() {
    let server = TlsServer::new(|path, stream| match path.split('/').next_back() {
        Some("code-graph.json") => {
            let name = path.split('/').nth(2).unwrap_or_default();
            let record = format!(
                r#"{{"schema_version": 1, "graphs": [{{"format": "generic@1", "graph_url": "https://{name}.lore.test/g.json"}}]}}"#
            );
            reply(stream, "200 OK", "", record.as_bytes());
        }
        _ => reply(stream, "200 OK", "", br#"{"nodes": [], "edges": []}"#),
    });
    let (port, rebound) = (server.port, AtomicU32::new(0));
    let looked_up: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&looked_up);
    let own = move || SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let web = with_names(Reach::Loopback, move |name, port| {
        seen.lock().unwrap().push(name.to_owned());
        let inside = SocketAddr::from((INSIDE, port));
        match name {
            "inside.lore.test" => vec![inside],
            // One good address among others is no excuse.
            "mixed.lore.test" => vec![own(), inside],
            // Good the first time, and inside each time after that.
            "rebinds.lore.test" => match rebound.fetch_add(1, Ordering::Relaxed) {
                0 => vec![own()],
                _ => vec![inside],
            },
            "nowhere.lore.test" => Vec::new(),
            _ => vec![own()],
        }
    });
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(root.clone()),
        start: root.clone(),
        cache: None,
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_: &Path| Ok(IndexDefaults::default())),
    }));
    let files = Arc::new(SystemFiles::new(root.clone()));
    let ctx = Ctx {
        ports: Arc::new(Ports {
            web: Arc::new(web),
            ..ports(&repository, Arc::new(Allowed), files, Some(root.join("lore.db")))
        }),
        progress: Arc::new(NoProgress),
        cancel: Arc::new(Cancel::default()),
    };
    RegistryInit::run(&ctx, serde_json::from_value(json!({"name": "t"})).unwrap()).unwrap();
    let names = ["inside", "mixed", "rebinds", "nowhere", "well"];
    let ids: Vec<String> = names.iter().map(|name| format!("gitlab.lore.test/o/{name}")).collect();
    RegistryAdd::run(&ctx, serde_json::from_value(json!({ "ids": ids })).unwrap()).unwrap();
    let sync = || {
        let request = RegistrySyncRequest {
            ids: ids.clone(),
            ..RegistrySyncRequest::default()
        };
        RegistrySync::run(&ctx, request).unwrap();
        let told = ids.iter().map(|id| {
            let repository = RepositoryId::parse(id).unwrap();
            let entry = reading(ctx.port::<dyn Registry>(), |store| store.entry(&repository)).unwrap();
            let graph = entry.unwrap().graphs.remove(0);
            let error = graph.last_error.unwrap_or_default();
            format!("{} {}", graph.status, error.split(':').next().unwrap_or_default())
        });
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        sync(),
        [
            "refused not_public",
            "refused not_public",
            "ok ",
            "transient_error dns",
            "ok "
        ]
    );
    // A connection that is open may be used again, and goes to the address that was checked; a new one is checked anew.
    let again = sync();
    assert!(again[2] == "ok " || again[2] == "refused not_public", "{again:?}");
    let heads = server.asked();
    let reached = |name: &str| {
        heads
            .iter()
            .any(|head| head.to_lowercase().contains(&format!("host: {name}")))
    };
    assert!(reached("rebinds.lore.test") && reached("well.lore.test"));
    assert!(!reached("inside.lore.test") && !reached("mixed.lore.test"));
    assert!(looked_up.lock().unwrap().iter().any(|name| name == "inside.lore.test"));
}
